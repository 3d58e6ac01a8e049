/* SPDX-License-Identifier: MIT
 *
 * Experiments on Geister beside the published tables: forced wins that UCT misses, and how well the players
 * that conclude colours from moves know them. Both look at positions of games that they play themselves.
 */
#include "game/geister/geister.h"
#include "geister/geist.h"
#include "geister/guess.h"
#include "match/clocked_game.h"
#include "repro/experiments.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define GEISTER_SOURCE "Nishikori, Aoki and Hashimoto, research of Geister AI using UCT (in Japanese)"

/* Who plays games whose positions are looked at: a policy that draws its moves, so that games differ. */
#define SAMPLER "pg:style=sample"

/* ---- games to look at ---- */

/* Called with every position in which a move is to be made, before it is made. False ends the game there. */
typedef bool visit(void *context, const struct referee *referee, int side);

/* Plays a game until it is over or the visitor or a stop ends it; then `referee` holds the last position. */
static bool play_and_look(const struct repro_task *task, struct player *const players[2],
                          struct referee *referee, visit *look, void *context, struct err *e) {
    for (;;) {
        const int side = referee_mover(referee);
        if (side == NOBODY || budget_is_stopped(task->stop))
            return true;
        const struct geister *s = (const struct geister *)(const void *)referee->state;
        if (s->stage == GEISTER_PLAYING && !look(context, referee, side))
            return true;
        const struct play_decision d = play_decide(task, referee, players[side]);
        if (!referee_answer(referee, d.answer.chosen, -1, e))
            return false;
        if (referee->forfeiter != NOBODY)
            return err_set(e, "%s", referee->fault.text);
    }
}

/* ---- forced wins ---- */

int geister_plies_to_win(struct purple *purple, const struct geister *moved, int side, int depth) {
    action answers[PURPLE_MOVES_MAX + 2];
    int plies = 0;
    if (moved->stage == GEISTER_OVER)
        return moved->winner == side ? 1 : 0;
    assert(moved->mover != side);
    const int count = geister_game.actions(moved, answers);
    for (int i = 0; i < count; i++) {
        struct geister after = *moved;
        struct geister_observation seen;
        struct purple_result found;
        geister_game.play(&after, answers[i], NULL);
        int taken = 2; /* the answer ended the game: it took the last red */
        if (after.stage == GEISTER_OVER && after.winner != side)
            return 0;
        if (after.stage != GEISTER_OVER) {
            geister_observe(&after, side, &seen);
            if (!purple_mate(purple, &seen, &(struct purple_task){.depth = depth}, &found))
                return 0;
            taken = 2 + PURPLE_WIN - found.value + 1; /* the escape is the ply after it is seen */
        }
        plies = taken > plies ? taken : plies;
    }
    return plies;
}

/* ---- geister-mates ----
 *
 * Positions of self-play in which the side to move has a forced escape in exactly 3, 5 or 7 plies, found by
 * the purple-piece search: it wins whatever the colours are. Every player decides in the same positions. */

#define A      "gst-a:sims=30000"
#define B      "gst-b:sims=30000"
#define C      "gst-c:sims=30000"
#define LETTER "gst-c:reading=letter,sims=30000"

enum { MATE_MISSED, MATE_SLOWER }; /* values */
enum { MATE_RANDOM, MATE_A, MATE_B, MATE_C, MATE_LETTER, MATE_PLAYERS, MATE_LENGTHS = 3 };

static const int mate_plies[MATE_LENGTHS] = {3, 5, 7};

/* A win that takes so many plies more still counts as one, but as slower. */
enum { MATE_PATIENCE = 4, MATE_GAMES_MAX = 1000, MATE_MEMORY = 1 << 20 };

#define MATES(plies)                                                                                         \
    {"[plies|{" plies "} plies]: random", 0, {"random"}, "geister"},                                         \
        {"[plies|{" plies "} plies]: A", 0, {A}, "geister"},                                                 \
        {"[plies|{" plies "} plies]: B", 0, {B}, "geister"},                                                 \
        {"[plies|{" plies "} plies]: C", 0, {C}, "geister"}, {                                               \
        "[plies|{" plies "} plies]: [c_as_printed|C as printed]", 0, {LETTER}, "geister"                     \
    }

static const struct repro_cell mate_cells[MATE_LENGTHS * MATE_PLAYERS] = {MATES("3"), MATES("5"), MATES("7")};

struct mate_search {
    struct purple *purple;
    int plies;
    bool found;
};

/* The quickest win is exactly as long as wanted. The escape is the ply after its depth. */
static bool look_for_mate(void *context, const struct referee *referee, int side) {
    struct mate_search *m = context;
    struct geister_observation seen;
    struct purple_result win;
    geister_observe((const struct geister *)(const void *)referee->state, side, &seen);
    const bool is_won = purple_mate(m->purple, &seen, &(struct purple_task){.depth = m->plies - 1}, &win);
    m->found = is_won && PURPLE_WIN - win.value == m->plies - 1;
    return !m->found;
}

/* Games depend on the deal alone, so that all players are asked in the same positions. */
static bool find_mate(const struct repro_task *task, struct mate_search *m, struct referee *referee,
                      struct err *e) {
    struct player *sampler = player_open(SAMPLER, task->game->game, e);
    struct player *const players[2] = {sampler, sampler};
    bool ok = sampler != NULL;
    for (int game = 0; ok && !m->found && game < MATE_GAMES_MAX && !budget_is_stopped(task->stop); game++) {
        referee_start(referee, task->game, rng_job_seed(task->deal_seed, (uint64_t)game), NULL);
        ok = play_and_look(task, players, referee, look_for_mate, m, e);
    }
    player_close(sampler);
    return ok && (m->found || budget_is_stopped(task->stop) ||
                  err_set(e, "no forced win in %d plies in %d games", m->plies, MATE_GAMES_MAX));
}

/* One decision in one position. The note has both, for `senjutsu analyze --position`. */
static bool mates_run(const struct repro_task *task, struct repro_repetition *out, struct err *e) {
    struct mate_search m = {.plies = mate_plies[task->unit.cell / MATE_PLAYERS]};
    struct referee referee;
    struct text name = {0};
    struct player *player = player_open(task->cell->players[0], task->game->game, e);
    m.purple = player != NULL ? purple_open(MATE_MEMORY, e) : NULL;
    const bool ok = m.purple != NULL && find_mate(task, &m, &referee, e);
    if (ok && m.found) {
        struct geister after = *(const struct geister *)(const void *)referee.state;
        const int side = referee_mover(&referee);
        char board[GEISTER_BOARD_CHARS + 1];
        geister_write_board(&after, side, false, board);
        rng_seed_stream(&referee.seat_rng[side], task->seed, 0); /* the player's own luck */
        const struct play_decision d = play_decide(task, &referee, player);
        geister_game.text->write_action(&after, d.answer.chosen, &name);
        geister_game.play(&after, d.answer.chosen, NULL);
        const int plies = geister_plies_to_win(m.purple, &after, side, m.plies + MATE_PATIENCE - 3);
        out->values[MATE_MISSED] = plies == 0;
        out->values[MATE_SLOWER] = plies > m.plies;
        out->ms = d.ms;
        snprintf(out->note, sizeof out->note, "%s %s", board, text_string(&name));
    }
    text_done(&name);
    purple_close(m.purple);
    player_close(player);
    return ok;
}

/* What A, B and C miss of wins of one length, together. */
static struct proportion missed_by_all(const struct repro_data *data, int length) {
    struct proportion all = {0};
    for (int player = MATE_A; player <= MATE_C; player++) {
        const struct proportion one = rows_share(data, length * MATE_PLAYERS + player, MATE_MISSED);
        all.successes += one.successes;
        all.n += one.n;
    }
    return all;
}

/* More than a few: a share of wins that is above it. */
#define MATE_SOME 0.02

static void mates_finish(const struct repro_data *data, struct repro_result *out) {
    static const struct rows_column columns[] = {
        {ROWS_SHARE, MATE_MISSED, .behind = ", [win_missed|missed]"},
        {ROWS_SHARE, MATE_SLOWER, .behind = ", [win_slower|won later]"},
    };
    rows_add_columns(data, out, (struct rows_span){0, MATE_LENGTHS * MATE_PLAYERS}, columns, 2);
    struct proportion missed[MATE_LENGTHS];
    for (int i = 0; i < MATE_LENGTHS; i++)
        missed[i] = missed_by_all(data, i);
    for (int i = 0; i < MATE_LENGTHS; i++)
        rows_add_finding(out, TESTS(test_share_above(missed[i], MATE_SOME)), "finding.uct_misses_wins",
                         "UCT misses some forced wins of %d plies: A, B and C %.1f%% together", mate_plies[i],
                         100 * proportion_mean(missed[i]));
    rows_add_finding(out, TESTS(test_shares_greater(missed[2], missed[0])), "finding.longer_missed_more",
                     "longer wins are missed more often: 7 plies %.1f%%, 3 plies %.1f%%",
                     100 * proportion_mean(missed[2]), 100 * proportion_mean(missed[0]));
}

const struct repro_experiment repro_geister_mates = {
    REPRO_EXPERIMENT("geister", "mates", mate_cells),
    .title = "forced wins of 3, 5 and 7 plies that UCT misses",
    .source = GEISTER_SOURCE ", section 7, figure 12",
    .published = "simple wins of about 5 plies are sometimes missed",
    .duration = "about two minutes on two cores",
    .version = 1,
    .repetitions = 400,
    .repetitions_quick = 15,
    .value_names = (const char *const[]){"missed", "slower", NULL},
    .run = mates_run,
    .finish = mates_finish,
};

/* ---- geister-beliefs ----
 *
 * Games of one player (the cell's) against another that draws its moves. Whenever the latter is to move, both
 * believers see its view, and what they believe of each hidden piece of the cell's player is compared with
 * the colour. Positions in which all hidden pieces have the same colour teach nothing and do not count. */

enum believer { BY_NOTHING, BY_GEIST, BY_GUESS, BELIEVERS };
enum { PLY_BINS = 3, SURE_BINS = 2 };

/* Values of a repetition: by ply the hidden pieces and their log losses, then of both believers the pieces of
 * which they are less and more sure, the sum of how sure they are, and how often they are right. */
enum {
    BELIEF_PIECES,
    BELIEF_LOSS, /* one for each believer */
    BELIEF_PLY_VALUES = BELIEF_LOSS + BELIEVERS,
    BELIEF_SURE = PLY_BINS * BELIEF_PLY_VALUES,
    SURE_PIECES = 0,
    SURE_SUM,
    SURE_RIGHT,
    SURE_VALUES,
    BELIEF_VALUES = BELIEF_SURE + (BELIEVERS - 1) * SURE_BINS * SURE_VALUES,
};

_Static_assert((int)BELIEF_VALUES <= (int)REPRO_VALUES_MAX, "all fit into a repetition");

static const char *const belief_value_names[] = {
    "pieces_1",        "nothing_1",       "geist_1",          "guess_1",          "pieces_2",
    "nothing_2",       "geist_2",         "guess_2",          "pieces_3",         "nothing_3",
    "geist_3",         "guess_3",         "geist_low",        "geist_low_sure",   "geist_low_right",
    "geist_high",      "geist_high_sure", "geist_high_right", "guess_low",        "guess_low_sure",
    "guess_low_right", "guess_high",      "guess_high_sure",  "guess_high_right", NULL};

#define OPPONENT(name, spec)                                                                                 \
    { name, 0, {spec, SAMPLER}, "geister" }

enum { AGAINST_RANDOM, AGAINST_GUESS, AGAINST_GEIST, AGAINST_PG, AGAINST_PURPLE, AGAINST_GST, AGAINST_MARCH };

static const struct repro_cell belief_cells[] = {
    [AGAINST_RANDOM] = OPPONENT("random", "random"),
    [AGAINST_GUESS] = OPPONENT("guess", "guess"),
    [AGAINST_GEIST] = OPPONENT("geist", "geist:sims=300"),
    [AGAINST_PG] = OPPONENT("pg", "pg"),
    [AGAINST_PURPLE] = OPPONENT("purple", "purple:depth=4"),
    [AGAINST_GST] = OPPONENT("gst-a", "gst-a:sims=1000"),
    [AGAINST_MARCH] = OPPONENT("march", "march:depth=4"),
};

/* Probabilities below count as this one: a loss stays finite. */
#define BELIEF_LEAST 1e-4

struct believing {
    struct inference *inference;
    int side; /* of those who believe */
    double *values;
};

/* By piece of the other side: how probably it is red. */
static void believe(const struct believing *b, const struct geister *view,
                    double red[BELIEVERS][GEISTER_PIECES]) {
    const int other = 1 - b->side, hidden = bits_count(view->unknown[other]);
    const int hidden_reds = GEISTER_REDS - bits_count(view->reds[other]);
    struct belief belief;
    double blue[GEISTER_PIECES];
    inference_conclude(b->inference, view, b->side, &belief);
    guess_blueness(view, b->side, blue);
    for (int piece = 0; piece < GEISTER_PIECES; piece++) {
        red[BY_NOTHING][piece] = (double)hidden_reds / hidden;
        red[BY_GUESS][piece] = 1 - blue[piece];
        red[BY_GEIST][piece] = 0;
        for (int i = 0; i < belief.count; i++)
            red[BY_GEIST][piece] += (belief.reds[i] >> piece & 1) != 0 ? belief.weight[i] : 0;
    }
}

/* A believer is right when the colour is the one that it takes for more probable; a tie is half right. */
static void count_belief(double *values, int bin, enum believer who, double red, bool is_red) {
    const double of_colour = is_red ? red : 1 - red, sure = fmax(red, 1 - red);
    values[bin * BELIEF_PLY_VALUES + BELIEF_LOSS + (int)who] -= log(fmax(of_colour, BELIEF_LEAST));
    if (who == BY_NOTHING)
        return;
    const int high = sure >= 0.75;
    double *v = values + BELIEF_SURE + (((int)who - BY_GEIST) * SURE_BINS + high) * SURE_VALUES;
    v[SURE_PIECES]++;
    v[SURE_SUM] += sure;
    v[SURE_RIGHT] += of_colour > 0.5 ? 1 : of_colour < 0.5 ? 0 : 0.5;
}

static bool look_at_beliefs(void *context, const struct referee *referee, int side) {
    const struct believing *b = context;
    const struct geister *s = (const struct geister *)(const void *)referee->state;
    const int other = 1 - b->side, hidden = bits_count(s->red[other] | s->blue[other]);
    const int reds = bits_count(s->red[other]);
    if (side != b->side || reds == 0 || reds == hidden)
        return true;
    struct geister view = *s;
    double red[BELIEVERS][GEISTER_PIECES];
    geister_game.hide(&view, side);
    believe(b, &view, red);
    const int bin = s->ply < 20 ? 0 : s->ply < 40 ? 1 : 2;
    for (int piece = 0; piece < GEISTER_PIECES; piece++) {
        if (s->where[other][piece] >= GEISTER_CELLS)
            continue;
        b->values[bin * BELIEF_PLY_VALUES + BELIEF_PIECES]++;
        for (int who = BY_NOTHING; who < BELIEVERS; who++)
            count_belief(b->values, bin, (enum believer)who, red[who][piece],
                         (s->reds[other] >> piece & 1) != 0);
    }
    return true;
}

/* Seats change from game to game. The belief is that of geist with the options that it has by default. */
static bool beliefs_run(const struct repro_task *task, struct repro_repetition *out, struct err *e) {
    static const double sharpness = 1, doubt = 0.1;
    const struct belief_settings settings = {geist_builtin(), true, 4, sharpness, doubt};
    struct believing b = {.side = 1 - task->unit.rep % 2, .values = out->values};
    struct player *players[2] = {NULL, NULL};
    struct referee referee;
    players[1 - b.side] = player_open(task->cell->players[0], task->game->game, e);
    players[b.side] = players[1 - b.side] != NULL ? player_open(SAMPLER, task->game->game, e) : NULL;
    b.inference = players[b.side] != NULL ? inference_open(&settings, e) : NULL;
    bool ok = b.inference != NULL;
    if (ok) {
        referee_start(&referee, task->game, task->seed, NULL);
        ok = play_and_look(task, players, &referee, look_at_beliefs, &b, e);
        if (referee_mover(&referee) == NOBODY)
            referee_result(&referee, out->note, sizeof out->note);
    }
    inference_close(b.inference);
    for (int side = 0; side < 2; side++)
        player_close(players[side]);
    return ok;
}

/* ---- what beliefs are worth ---- */

/* What is asked of each game of a cell: a sum of values over another, or NaN where the latter is 0. Of which
 * plies (PLY_BINS: of all), and of whom, or who is compared with whom. */
struct belief_question {
    int bin;
    enum believer who, less; /* the loss of `who`, less that of `less` unless both are the same */
};

static double loss_of(const double *values, struct belief_question q) {
    double pieces = 0, loss = 0;
    for (int bin = 0; bin < PLY_BINS; bin++) {
        const double *v = values + (ptrdiff_t)bin * BELIEF_PLY_VALUES;
        if (q.bin != PLY_BINS && q.bin != bin)
            continue;
        pieces += v[BELIEF_PIECES];
        loss += v[BELIEF_LOSS + (int)q.who] - (q.who != q.less ? v[BELIEF_LOSS + (int)q.less] : 0);
    }
    return pieces > 0 ? loss / pieces : (double)NAN;
}

/* How much surer the believer is than it is right. */
static double excess_of(const double *values, enum believer who, int high) {
    const double *v = values + BELIEF_SURE + (((int)who - BY_GEIST) * SURE_BINS + high) * SURE_VALUES;
    return v[SURE_PIECES] > 0 ? (v[SURE_SUM] - v[SURE_RIGHT]) / v[SURE_PIECES] : (double)NAN;
}

/* The mean over the games in which there is an answer; Welford's recurrence. */
struct game_mean {
    struct cell_sum sum;
    double squares;
};

static void add_game(struct game_mean *m, double x) {
    if (isnan(x))
        return;
    const double d = x - m->sum.mean;
    m->sum.mean += d / ++m->sum.n;
    m->squares += d * (x - m->sum.mean);
}

static struct cell_sum mean_of(const struct game_mean *m) {
    struct cell_sum s = m->sum;
    s.sum = s.mean * s.n;
    rows_set_error(&s, m->squares);
    return s;
}

static struct cell_sum mean_loss(const struct repro_data *data, int cell, struct belief_question q) {
    struct game_mean m = {0};
    for (int i = 0; i < data->count; i++)
        if (data->units[i].cell == cell)
            add_game(&m, loss_of(data->results[i].values, q));
    return mean_of(&m);
}

static struct cell_sum mean_excess(const struct repro_data *data, int cell, enum believer who, int high) {
    struct game_mean m = {0};
    for (int i = 0; i < data->count; i++)
        if (data->units[i].cell == cell)
            add_game(&m, excess_of(data->results[i].values, who, high));
    return mean_of(&m);
}

static const char *const believer_names[BELIEVERS] = {"[knows_nothing|knowing nothing]", "geist", "guess"};
static const char *const ply_names[PLY_BINS + 1] = {"[plies_from|plies {0} to {19}]",
                                                    "[plies_from|plies {20} to {39}]",
                                                    "[plies_on|from ply {40} on]", "[plies_all|all plies]"};
static const char *const sure_names[SURE_BINS] = {"[less_sure|under {75}% sure]",
                                                  "[more_sure|{75}% sure or more]"};

static void add_belief_rows(const struct repro_data *data, struct repro_result *out, int cell) {
    const char *opponent = data->experiment->cells[cell].label;
    for (int bin = PLY_BINS; bin >= 0; bin--)
        for (int who = BY_NOTHING; who < BELIEVERS; who++) {
            const enum believer w = (enum believer)who;
            rows_add_mean(out, rows_label("%s, %s: %s", opponent, ply_names[bin], believer_names[who]).text,
                          "", 1, mean_loss(data, cell, (struct belief_question){bin, w, w}),
                          ROWS_NOT_NEGATIVE);
        }
    for (int who = BY_GEIST; who < BELIEVERS; who++)
        for (int high = 0; high < SURE_BINS; high++)
            rows_add_mean(out,
                          rows_label("%s, %s, %s: [too_sure|too sure by]", opponent, believer_names[who],
                                     sure_names[high])
                              .text,
                          "%", 100, mean_excess(data, cell, (enum believer)who, high),
                          (struct rows_range){-1, 1});
}

static struct cell_sum gain(const struct repro_data *data, int cell, enum believer who, enum believer over) {
    return mean_loss(data, cell, (struct belief_question){PLY_BINS, over, who});
}

/* A difference of log loss that does not matter, and one of being sure. */
#define LOSS_MARGIN 0.05
#define SURE_MARGIN 0.1

static void beliefs_finish(const struct repro_data *data, struct repro_result *out) {
    for (int cell = 0; cell < data->experiment->cell_count; cell++)
        add_belief_rows(data, out, cell);
    const struct cell_sum of_random = gain(data, AGAINST_RANDOM, BY_GEIST, BY_NOTHING);
    rows_add_finding(out, TESTS(rows_is_equal(of_random, 0, LOSS_MARGIN)), "finding.random_tells_nothing",
                     "moves at random tell geist nothing: it gains %.3f over knowing nothing",
                     of_random.mean);
    static const int models[] = {AGAINST_GUESS, AGAINST_PG, AGAINST_PURPLE};
    static const char *const codes[] = {"finding.geist_reads_guess", "finding.geist_reads_pg",
                                        "finding.geist_reads_purple"};
    for (int i = 0; i < 3; i++) {
        const struct cell_sum nothing = gain(data, models[i], BY_GEIST, BY_NOTHING),
                              guess = gain(data, models[i], BY_GEIST, BY_GUESS);
        rows_add_finding(out, TESTS(rows_is_above(nothing, 0), rows_is_above(guess, 0)), codes[i],
                         "geist reads %s, of which it has a model: it gains %.3f over knowing nothing, "
                         "%.3f over guess",
                         data->experiment->cells[models[i]].label, nothing.mean, guess.mean);
    }
    struct test calibrated[sizeof belief_cells / sizeof belief_cells[0]];
    for (int cell = 0; cell < data->experiment->cell_count; cell++)
        calibrated[cell] = rows_is_within(mean_excess(data, cell, BY_GEIST, 1), 0, SURE_MARGIN);
    rows_add_finding(out, calibrated, data->experiment->cell_count, "finding.geist_is_calibrated",
                     "where geist is sure (75%% or more) it is right as often as it believes, within 10 "
                     "points, against every opponent");
}

const struct repro_experiment repro_geister_beliefs = {
    REPRO_EXPERIMENT("geister", "beliefs", belief_cells),
    .title = "what geist and guess believe about the colours: log loss and calibration by opponent and ply",
    .source = "our own, on the game of the geister tables",
    .published = "(not in the paper) beliefs concluded from moves are better than knowing nothing",
    .duration = "about a minute on two cores (2100 games)",
    .version = 2,
    .repetitions = 300,
    .repetitions_quick = 10,
    .value_names = belief_value_names,
    .run = beliefs_run,
    .finish = beliefs_finish,
};
