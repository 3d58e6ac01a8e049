/* SPDX-License-Identifier: MIT
 *
 * `senjutsu match A B`: plays many games between two players and prints the result. `senjutsu plan`: how many
 * games a difference needs, or which difference a number of games can show.
 */
#include "cli/cli.h"

#include "base/encode.h"
#include "base/mem.h"
#include "match/batch.h"
#include "match/statistics.h"
#include "match/verdict.h"
#include "player/player.h"
#include "store/store.h"
#include "tournament/schedule.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Default error probability of a sequential test. */
#define ALPHA 0.05
#define BETA  0.05

/* First the options, then what is made from them or read from the store, then the results so far. Everything
 * that a store describes has the same fields, so that the match is played and printed without a difference.
 */
struct match_command {
    struct cli_source source;
    const char *records, *format, *clock, *faults, *store_path;
    struct timing timing;
    int games, jobs;
    uint64_t seed;
    bool one_sided, json, quiet, go_on, programs;
    const char *sprt_text; /* NULL: no test */
    struct sprt sprt;

    struct text players[2]; /* canonical specs */
    struct cli_maps maps;
    const struct game *game; /* of the first map */
    const struct record_form *form;
    bool with_maps; /* it is the tactical game */

    struct tournament tournament; /* of a store without players on the command line */
    struct store *store;
    bool shows; /* only shows what the store has */
    int played; /* games that were not in the store */

    struct pairs_stream pairs;
    enum sprt_verdict verdict;

    double seconds;
    bool write_failed;
};

_Static_assert((int)CLI_MAPS_MAX <= (int)MATCH_MAPS_MAX, "a match takes all maps that can be named");

/* ---- records ---- */

/* Writes the files of the game that were asked for: its record, and a report of its fault. A game from the
 * store comes without texts, so that a match of many games can be shown without reading them all. */
static bool save_game(struct match_command *m, const struct batch_result *g, struct err *e) {
    const bool has_fault = m->faults != NULL && g->outcome->fault != PLAYER_FAULT_NONE;
    const int number = g->game->number;
    struct text report = {0};
    struct record record;
    char path[FILE_PATH_MAX];
    bool ok = true;
    if (m->records == NULL && !has_fault)
        return true;
    record_init(&record);
    if (g->resumed)
        ok = batch_load_record(m->store, number, &record, &report, e);
    else if (m->records != NULL)
        ok = record_read_json("its record", g->record, strlen(g->record), &record, e);
    if (!g->resumed && has_fault)
        text_add_string(&report, g->fault_report);
    if (m->records != NULL)
        ok = ok && file_path(path, e, "%s/game-%06d.%s", m->records, number + 1, m->form->ending) &&
             cli_write_record(&record, path, e);
    if (has_fault)
        ok = ok && file_path(path, e, "%s/fault-%06d.json", m->faults, number + 1) &&
             file_write(path, text_string(&report), report.size, e);
    record_done(&record);
    text_done(&report);
    return ok;
}

/* ---- progress ---- */

/* False ends the match: a file cannot be written, or the sequential test is decided. */
static bool on_game(void *context, const struct batch_result *g, const struct match_totals *t) {
    struct match_command *m = context;
    struct err e;
    m->played += !g->resumed;
    if (!save_game(m, g, &e)) {
        cli_error(CLI_FAILED, "%s", e.text);
        m->write_failed = true;
        return false;
    }
    if (!m->quiet && cli_status_is_due(CLI_REDRAW_MS)) {
        const double spent = cli_seconds();
        const double left = m->played > 0 ? spent / m->played * (m->games - t->games) : 0;
        cli_status_draw("%d of %d games  %d won, %d drawn, %d lost  %.0f s left", t->games, m->games,
                        t->total.wins, t->total.draws, t->total.losses, left);
    }
    /* Elo counts wins, draws and losses; graded payoffs are reported separately. */
    const double payoff = match_payoff(g);
    pairs_stream_add(&m->pairs, payoff > 0.5 ? 1 : payoff < 0.5 ? 0 : 0.5, !m->one_sided);
    if (m->sprt_text == NULL || m->pairs.is_waiting) /* the test uses complete pairs only */
        return true;
    m->verdict = sprt_decide(&m->sprt, sprt_ratio(&m->sprt, &m->pairs.pairs));
    return m->verdict == SPRT_UNDECIDED;
}

/* ---- results ---- */

/* The interval is that of single games. It is wider than that of mirrored pairs, but holds for parts of a
 * match, too, which have incomplete pairs. */
static void print_tally(const char *label, const struct tally *t) {
    const struct interval i = stats_wilson(tally_score(t), tally_games(t), STATS_Z95);
    printf("  %-24s %6d %6d %6d   %5.1f%%  (%.1f%% to %.1f%%)\n", label, t->wins, t->draws, t->losses,
           100 * tally_score(t), 100 * i.low, 100 * i.high);
}

/* Prints the mean of graded payoffs, in the game's own units: chips and points say more than shares of the
 * range. A pair, and not a game, is one observation, because its two games share the deal. */
static void print_payoffs(const struct match_command *m, const struct payoffs *p) {
    const struct scenario *scenario = m->maps.scenarios[0];
    const char *kind = m->one_sided ? "game" : "pair";
    struct payoff_scale scale;
    if (!game_scale(scenario, &scale))
        return;
    if (p->count == 0) {
        printf("\n  mean payoff unknown: no pair of games is complete\n");
        return;
    }
    const struct interval i = payoffs_interval(p);
    printf("\n  mean payoff %.3f of %g..%g%s%s (%.3f to %.3f), over %d %s%s%s\n",
           game_payoff_scaled(scenario, p->mean), scale.low, scale.high, scale.unit[0] != '\0' ? " " : "",
           scale.unit, game_payoff_scaled(scenario, i.low), game_payoff_scaled(scenario, i.high), p->count,
           kind, p->count == 1 ? "" : "s",
           p->count > 1 && p->squares <= 0 ? ", all alike: no spread to go by" : "");
}

/* Appends the reason why the match ended, as a sentence. */
static void describe_verdict(const struct match_command *m, const struct match_totals *t, char *out,
                             size_t out_size) {
    const struct sprt *s = &m->sprt;
    if (m->verdict == SPRT_H1)
        snprintf(out, out_size, "H1 accepted: the difference is rather %g Elo than %g", s->elo1, s->elo0);
    else if (m->verdict == SPRT_H0)
        snprintf(out, out_size, "H0 accepted: the difference is rather %g Elo than %g", s->elo0, s->elo1);
    else
        snprintf(out, out_size, "%s, undecided", t->games < m->games ? "stopped" : "all games played");
}

/* The Elo difference, and the sequential test if there is one. Elo counts a last game without its partner;
 * the test uses complete pairs only (docs/statistics.md). */
static void print_elo(const struct match_command *m, const struct match_totals *t) {
    const struct pairs all = pairs_stream_all(&m->pairs), *p = &m->pairs.pairs;
    const struct elo_estimate e = elo_estimate(&all);
    const struct sprt *s = &m->sprt;
    char verdict[128];
    printf("\n  Elo difference %+.1f ± %.1f (95%%), likelihood of superiority %.1f%%\n", e.elo, e.error,
           100 * e.superiority);
    if (!m->one_sided)
        printf("  pairs with 0, 0.5, 1, 1.5 and 2 points: %d, %d, %d, %d, %d\n", p->counts[0], p->counts[1],
               p->counts[2], p->counts[3], p->counts[4]);
    if (m->sprt_text == NULL)
        return;
    describe_verdict(m, t, verdict, sizeof verdict);
    printf("  %s\n    log-likelihood ratio %.2f, bounds %.2f and %.2f (alpha %g, beta %g), after %d game%s\n",
           verdict, sprt_ratio(s, p), sprt_lower(s), sprt_upper(s), s->alpha, s->beta, t->games,
           t->games == 1 ? "" : "s");
}

/* Players are named as in the store, with canonical specs: the output can be typed again as a command. */
static void print_result(const struct match_command *m, const struct match_totals *t) {
    printf("%s against %s, %d game%s, seed %llu\n\n", text_string(&m->players[0]),
           text_string(&m->players[1]), t->games, t->games == 1 ? "" : "s", (unsigned long long)m->seed);
    printf("  %-24s %6s %6s %6s   %6s  (95%% interval)\n", "the first player", "won", "drawn", "lost",
           "score");
    print_tally("in all", &t->total);
    for (int side = 0; side < (m->one_sided ? 1 : 2); side++) {
        char label[40];
        snprintf(label, sizeof label, "as %s", m->game->text->side_names[side]);
        print_tally(label, &t->as_side[side]);
    }
    for (int i = 0; m->maps.count > 1 && i < m->maps.count; i++)
        print_tally(m->maps.names[i], &t->by_map[i]);
    if (t->end_count > 0)
        printf("\n  %-24s %6s %6s %6s\n", "how the games ended", "won", "drawn", "lost");
    for (int i = 0; i < t->end_count; i++)
        printf("  %-24s %6d %6d %6d\n", t->ends[i].how, t->ends[i].tally.wins, t->ends[i].tally.draws,
               t->ends[i].tally.losses);
    print_payoffs(m, &t->payoffs);
    /* For graded payoffs, counts of wins and losses have little meaning. */
    if (m->game->text->scale == NULL || m->sprt_text != NULL)
        print_elo(m, t);
    if (t->games > 0)
        printf("\n  %.1f turns and %.1f actions a game", (double)t->turns / t->games,
               (double)t->actions / t->games);
    if (m->played > 0 && m->seconds > 0)
        printf(", %.1f games a second", m->played / m->seconds);
    if (t->games > 0)
        putchar('\n');
    /* Leaf evaluations compare players of different kinds: a simulation of one may contain simulations of
     * another. */
    for (int i = 0; i < 2; i++) {
        const double decisions = (double)t->decisions[i];
        if (t->decisions[i] == 0)
            continue;
        printf("  %s: %.3f ms", text_string(&m->players[i]), (double)t->think_ns[i] * 1e-6 / decisions);
        if (!m->with_maps && t->leaves[i] > 0)
            printf(" and %.1f leaf evaluations", (double)t->leaves[i] / decisions);
        puts(" a decision");
    }
    for (int i = 0; t->forfeits > 0 && i < 2; i++) {
        const char *between = "";
        printf("  games forfeited by %s: ", text_string(&m->players[i]));
        for (int fault = PLAYER_FAULT_NONE + 1; fault < PLAYER_FAULTS; fault++)
            if (t->faults[i][fault] > 0) {
                printf("%s%d %s", between, t->faults[i][fault], player_fault_names[fault]);
                between = ", ";
            }
        puts(between[0] == '\0' ? "none" : "");
    }
    if (t->voids > 0)
        printf("  %d game%s void and played again: this program was stopped for %.1f s meanwhile\n", t->voids,
               t->voids == 1 ? " was" : "s were", (double)t->gap_ns * 1e-9);
    if (t->games < m->games && m->verdict == SPRT_UNDECIDED)
        printf("  stopped after %d of %d games\n", t->games, m->games);
}

/* The same as JSON: values in the game's units, and the range they come from. NULL for games that are won,
 * drawn or lost. The mean is null while no pair is complete. */
static json_t *payoffs_json(const struct match_command *m, const struct payoffs *p) {
    const struct scenario *scenario = m->maps.scenarios[0];
    struct payoff_scale scale;
    if (!game_scale(scenario, &scale))
        return NULL;
    const struct interval i = payoffs_interval(p);
    return json_pack("{so s[ff] sf sf ss si}", "mean",
                     p->count > 0 ? json_real(game_payoff_scaled(scenario, p->mean)) : json_null(),
                     "interval", game_payoff_scaled(scenario, i.low), game_payoff_scaled(scenario, i.high),
                     "low", scale.low, "high", scale.high, "unit", scale.unit, "observations", p->count);
}

/* NULL without a test. "accepted" is for scripts, "reason" for readers; the bounds are of the log-likelihood
 * ratio. */
static json_t *sprt_json(const struct match_command *m, const struct match_totals *t) {
    static const char *const names[] = {[SPRT_UNDECIDED] = "undecided", [SPRT_H0] = "H0", [SPRT_H1] = "H1"};
    const struct sprt *s = &m->sprt;
    char why[128];
    if (m->sprt_text == NULL)
        return NULL;
    describe_verdict(m, t, why, sizeof why);
    return json_pack("{s[ff] sf sf sf s[ff] ss ss}", "elo", s->elo0, s->elo1, "alpha", s->alpha, "beta",
                     s->beta, "ratio", sprt_ratio(s, &m->pairs.pairs), "bounds", sprt_lower(s), sprt_upper(s),
                     "accepted", names[m->verdict], "reason", why);
}

/* "rules" and "maps" are members of the tactical game; others have "game" and "leaves_per_decision", and
 * "payoff" if it is graded. A one-sided match has no pairs. Times differ between runs and are a separate
 * member, so that scripts can compare the rest. */
static int print_json(const struct match_command *m, const struct match_totals *t) {
    const struct interval i = stats_wilson(tally_score(&t->total), t->games, STATS_Z95);
    const struct pairs all = pairs_stream_all(&m->pairs);
    const char *rules = m->with_maps ? m->game->text->rules(m->maps.scenarios[0]) : NULL;
    struct text spec = {0};
    char as_side[2][40];
    double ms[2] = {0}, leaves[2] = {0}; /* a decision */
    game_write_spec(m->maps.scenarios[0], &spec);
    json_t *faults = json_pack("[{}, {}]"); /* by player, without zeros: [{"crash": 2}, {}] */
    for (int side = 0; side < 2; side++) {
        const double decisions = (double)t->decisions[side];
        for (int fault = PLAYER_FAULT_NONE + 1; fault < PLAYER_FAULTS; fault++)
            if (t->faults[side][fault] > 0)
                json_object_set_new(json_array_get(faults, (size_t)side), player_fault_names[fault],
                                    json_integer(t->faults[side][fault]));
        snprintf(as_side[side], sizeof as_side[side], "as_%s", m->game->text->side_names[side]);
        ms[side] = decisions > 0 ? (double)t->think_ns[side] * 1e-6 / decisions : 0;
        leaves[side] = decisions > 0 ? (double)t->leaves[side] / decisions : 0;
    }
    json_t *maps = m->with_maps ? json_array() : NULL;
    for (int k = 0; m->with_maps && k < m->maps.count; k++) {
        json_t *row = statistics_tally_json(&t->by_map[k]);
        json_object_set_new(row, "map", json_string(m->maps.names[k]));
        json_array_append_new(maps, row);
    }
    /* Results of player 0 by way of ending; not for graded payoffs. */
    json_t *ends = m->game->text->scale == NULL ? json_array() : NULL;
    for (int k = 0; ends != NULL && k < t->end_count; k++) {
        const struct tally *tally = &t->ends[k].tally;
        json_array_append_new(ends, json_pack("{ss s[ii] si}", "how", t->ends[k].how, "wins", tally->wins,
                                              tally->losses, "draws", tally->draws));
    }
    json_t *root = json_pack(
        "{ss* s[ss] si si s[ii] si sf s[ff] so* so so? so? so so so* so* so ss* si so sI sI so* s{sf s[ff] "
        "si "
        "sf}}",
        "game", m->with_maps ? NULL : text_string(&spec), "players", text_string(&m->players[0]),
        text_string(&m->players[1]), "games", t->games, "games_wanted", m->games, "wins", t->total.wins,
        t->total.losses, "draws", t->total.draws, "score", tally_score(&t->total), "interval", i.low, i.high,
        "payoff", payoffs_json(m, &t->payoffs), "elo", statistics_elo_json(&all), "pairs",
        m->one_sided ? NULL : statistics_pairs_json(&m->pairs.pairs), "sprt", sprt_json(m, t), as_side[0],
        statistics_tally_json(&t->as_side[0]), as_side[1], statistics_tally_json(&t->as_side[1]), "ends",
        ends, "maps", maps, "seed", jsontext_seed(m->seed), "rules", rules, "forfeits", t->forfeits, "faults",
        faults, "actions", (json_int_t)t->actions, "turns", (json_int_t)t->turns, "leaves_per_decision",
        m->with_maps ? NULL : json_pack("[ff]", leaves[0], leaves[1]), "times", "seconds", m->seconds,
        "ms_per_decision", ms[0], ms[1], "voids", t->voids, "gap_seconds", (double)t->gap_ns * 1e-9);
    text_done(&spec);
    return cli_show_json(root);
}

/* ---- the store ---- */

/* Takes everything from the store: there are no players on the command line. The scenarios move from the
 * tournament to the match, because the tournament frees what it still has. */
static bool load_match(struct match_command *m, struct err *e) {
    struct tournament *tournament = &m->tournament;
    struct match_stop end;
    m->store = m->shows ? tournament_store_read(m->store_path, STORE_MATCH, tournament, e)
                        : tournament_store_open(m->store_path, STORE_MATCH, tournament, e);
    if (m->store == NULL || !match_stop_read(m->store, m->store_path, &end, e))
        return false;
    m->games = end.games;
    m->sprt = end.test;
    if (end.has_test)
        m->sprt_text = "the store's";
    if (tournament->player_count != 2 || tournament->map_count > CLI_MAPS_MAX)
        return err_set(e, "%s: is not the store of a match", m->store_path);
    for (int i = 0; i < 2; i++)
        text_add_string(&m->players[i], tournament->players[i].spec);
    for (; m->maps.count < tournament->map_count; m->maps.count++) {
        struct tournament_map *map = &tournament->maps[m->maps.count];
        m->maps.names[m->maps.count] = map->name;
        m->maps.scenarios[m->maps.count] = map->scenario;
        map->scenario = NULL;
    }
    m->seed = tournament->seed;
    m->one_sided = !tournament->rules.both_sides;
    m->timing = tournament->rules.timing;
    m->clock = timing_is_limited(&m->timing) ? "the store's" : NULL;
    return true;
}

/* Describes the match as a tournament of two players, with the scenarios of m->maps: stores have one form for
 * all that is played. Tournament and number of games are stored before the first game; a match that is
 * interrupted at once can be continued, too. */
static bool open_store(struct match_command *m, struct err *e) {
    const struct scenario *first = m->maps.scenarios[0];
    struct entrant players[2] = {{{0}}};
    struct tournament_map maps[CLI_MAPS_MAX] = {{{0}}};
    struct tournament tournament = {
        .player_count = 2, .map_count = m->maps.count, .seed = m->seed, .players = players, .maps = maps};
    struct text game = {0};
    if (m->store_path == NULL || m->store != NULL)
        return true;
    tournament_rules_default(&tournament.rules);
    if (m->with_maps)
        text_add_string(&game, m->game->name);
    else
        game_write_spec(first, &game);
    charset_copy(tournament.rules.game, sizeof tournament.rules.game, text_string(&game), game.size);
    text_done(&game);
    if (m->with_maps)
        snprintf(tournament.rules.rule_set, sizeof tournament.rules.rule_set, "%s",
                 first->game->text->rules(first));
    tournament.rules.both_sides = !m->one_sided;
    if (m->clock != NULL)
        tournament.rules.timing = m->timing;
    for (int i = 0; i < 2; i++) {
        const struct text *spec = &m->players[i];
        charset_copy(players[i].name, sizeof players[i].name, text_string(spec), spec->size);
        snprintf(players[i].spec, sizeof players[i].spec, "%s", text_string(spec));
    }
    for (int i = 0; i < m->maps.count; i++) {
        charset_copy(maps[i].name, sizeof maps[i].name, m->maps.names[i], strlen(m->maps.names[i]));
        maps[i].scenario = m->maps.scenarios[i];
    }
    m->store = tournament_store_open(m->store_path, STORE_MATCH, &tournament, e);
    if (m->store == NULL)
        return false;
    json_t *end = json_pack("{si ss* sf sf}", "games", m->games, "sprt", m->sprt_text, "alpha", m->sprt.alpha,
                            "beta", m->sprt.beta);
    char *text = json_dumps(end, JSON_COMPACT);
    const bool ok = store_put(m->store, STORE_MATCH_END, text, e);
    mem_free(text);
    json_decref(end);
    return ok;
}

/* ---- the command ---- */

/* Plays what is missing and prints the result. The exit status says whether the match is over, so that a
 * script can repeat the command until it is; a match that is only shown is not expected to be. */
static int play_match(struct match_command *m, struct err *e) {
    struct match_totals totals;
    const char *const specs[] = {text_string(&m->players[0]), text_string(&m->players[1])};
    struct cli_programs programs = {specs, 2, 1, 0};
    for (int i = 1; i < m->maps.count; i++) /* small and wide maps need separate players */
        if (m->maps.scenarios[i]->game != m->maps.scenarios[0]->game)
            programs.copies = 2;
    const struct match match = {
        .map_count = m->maps.count,
        .scenarios = m->maps.scenarios,
        .players = {specs[0], specs[1]},
        .batch.grant = cli_grant(),
        .games = m->games,
        .batch.workers = cli_parallel_games(m->jobs, &programs),
        .seed = m->seed,
        .one_sided = m->one_sided,
        .batch.timing = m->clock != NULL ? &m->timing : NULL,
        .batch.clock = cli_clock(),
        .batch.store = m->store,
        .batch.records = m->store != NULL || m->records != NULL,
        .batch.stored_only = m->shows,
        .batch.stop = &cli_stop,
        .batch.date = cli_date,
        .on_game = on_game,
        .batch.context = m,
    };
    for (int i = 0; i < 2 && !m->shows; i++)
        cli_check_program(specs[i], specs[i]);
    cli_begin();
    if (!match_run(&match, &totals, e))
        return CLI_FAILED;
    m->seconds = cli_seconds();
    cli_status_clear();
    /* The store may come from a stranger, and its texts are only shown from here on. */
    for (int i = 0; i < m->tournament.player_count; i++)
        charset_disarm(m->players[i].data);
    for (int i = 0; i < m->tournament.map_count; i++)
        charset_disarm(m->maps.names[i]);
    for (int i = 0; i < totals.end_count; i++)
        charset_disarm(totals.ends[i].how);
    if (!m->json)
        print_result(m, &totals);
    if ((m->json ? print_json(m, &totals) : cli_flush()) != CLI_OK || m->write_failed)
        return CLI_FAILED;
    const bool is_over = totals.games == m->games || m->verdict != SPRT_UNDECIDED;
    if (!is_over && m->store != NULL)
        cli_error(CLI_OK, m->shows ? "the match is not over; --continue plays on"
                                   : "stopped; the same command continues");
    return is_over || m->shows ? CLI_OK : CLI_FAILED;
}

/* The name of an option that describes the match; NULL: none is given. A store has its own values for them,
 * so also an option with its default value would be ignored silently. */
static const char *match_option(const struct params *options) {
    static const char *const names[] = {"map",   "game", "rules", "clock",     "sprt",
                                        "alpha", "beta", "games", "one-sided", "seed"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (params_given(options, names[i]))
            return names[i];
    return NULL;
}

/* Reads the match that the command line describes. */
static int read_match(struct match_command *m, const struct cli_arguments *arguments, struct err *e) {
    bool ok = cli_check_source(&m->source, e) &&
              (m->clock == NULL || timing_read(m->clock, &m->timing, e) || err_prefix(e, "--"));
    if (ok && m->sprt_text != NULL)
        ok = (sprt_read(m->sprt_text, &m->sprt, e) && sprt_check(&m->sprt, e)) || err_prefix(e, "--sprt ");
    else if (ok && (fabs(m->sprt.alpha - ALPHA) > 0 || fabs(m->sprt.beta - BETA) > 0))
        ok = err_set(e, "--alpha and --beta belong to --sprt, which is missing");
    for (int i = 0; ok && i < 2; i++) {
        cli_typed_player(arguments->values[i]);
        ok = player_check(arguments->values[i], &m->players[i], e);
    }
    if (!ok)
        return CLI_USAGE;
    return cli_load_sources(&m->maps, &m->source, e) ? CLI_OK : CLI_FAILED;
}

/* Players from a store may do things that were not typed, so they need permission. */
static int read_store(struct match_command *m, struct err *e) {
    if (access(m->store_path, F_OK) != 0)
        return cli_error(CLI_FAILED, "%s: there is no such store", m->store_path);
    m->shows = !m->go_on;
    if (!load_match(m, e))
        return CLI_FAILED;
    const char *const specs[] = {text_string(&m->players[0]), text_string(&m->players[1])};
    return m->shows || cli_permit(m->store_path, specs, 2, m->programs) ? CLI_OK : CLI_FAILED;
}

static int run_match(void *state, const struct cli_call *call, struct err *e) {
    struct match_command *m = state;
    const int given = call->arguments.count;
    const bool from_store = given == 0 && m->store_path != NULL;
    const char *option = match_option(call->sections);
    if (given != 2 && !from_store)
        return cli_error(CLI_USAGE, "two players are needed; given: %d", given);
    if (m->go_on && !from_store)
        return cli_error(CLI_USAGE, "--continue belongs to --store alone; where players are given, the match "
                                    "continues anyway");
    if (from_store && option != NULL)
        return cli_error(CLI_USAGE, "--%s is given, but no players", option);
    if (m->programs && !m->go_on)
        return cli_error(CLI_USAGE, "--programs belongs to --continue");
    const int status = from_store ? read_store(m, e) : read_match(m, &call->arguments, e);
    if (status != CLI_OK)
        return status;
    m->game = m->maps.scenarios[0]->game;
    m->with_maps = game_offer(m->game)->takes_map;
    m->form = record_find_form(m->game, m->format, e);
    if (m->form == NULL) {
        err_prefix(e, "--format: ");
        return CLI_USAGE;
    }
    if ((m->records != NULL && !file_make_folder(m->records, e)) ||
        (m->faults != NULL && !file_make_folder(m->faults, e)) || !open_store(m, e))
        return CLI_FAILED;
    return play_match(m, e);
}

static void end_match(void *state) {
    struct match_command *m = state;
    store_close(m->store);
    tournament_done(&m->tournament);
    cli_unload_maps(&m->maps);
    text_done(&m->players[0]);
    text_done(&m->players[1]);
}

#define AT(field) offsetof(struct match_command, field)

static const struct param match_params[] = {
    {"map", PARAM_STRING, AT(source.map), .value = "FILE,...",
     .help = "the maps, each played in turn (default: standard)"},
    {"game", PARAM_STRING, AT(source.game), .value = "SPEC", .help = CLI_GAME_HELP},
    {MATCH_GAMES_ROW(AT(games))},
    {PARAM_SEED_ROW(AT(seed))},
    {CLI_JOBS_ROW(AT(jobs))},
    {"rules", PARAM_STRING, AT(source.rules), .value = "SET", .help = "tubstap (the default) or paper"},
    {"store", PARAM_STRING, AT(store_path), .value = "FILE",
     .help = "store every game in FILE; the same command continues, --store alone shows the match"},
    {"continue", PARAM_FLAG, AT(go_on), .help = "with --store alone: play the games that are missing"},
    {"programs", PARAM_FLAG, AT(programs), .help = CLI_PROGRAMS_HELP},
    {"one-sided", PARAM_FLAG, AT(one_sided), .help = "the first player is always red, or the first side"},
    {"sprt", PARAM_STRING, AT(sprt_text), .value = "ELO0,ELO1",
     .help = "stop when one of two Elo differences is accepted"},
    {"alpha", PARAM_REAL, AT(sprt.alpha), 0.0001, 0.4, ALPHA, .value = "P",
     .help = "of --sprt: how often H1 may be accepted though H0 is true"},
    {"beta", PARAM_REAL, AT(sprt.beta), 0.0001, 0.4, BETA, .value = "P",
     .help = "of --sprt: how often H0 may be accepted though H1 is true"},
    {"clock", PARAM_STRING, AT(clock), .value = "LIMITS",
     .help = "turn=10 or game=600,byoyomi=10 … in seconds"},
    {"faults", PARAM_STRING, AT(faults), .value = "DIR", .help = "write a report of every fault to DIR"},
    {"records", PARAM_STRING, AT(records), .value = "DIR", .help = "write every game to DIR"},
    {"format", PARAM_STRING, AT(format), .choices = "json", .value = "json|sgf|log",
     .help = "of the records"},
    {"quiet", PARAM_FLAG, AT(quiet), .help = "no progress line"},
    {"json", PARAM_FLAG, AT(json), .help = "the result as JSON"},
    {0},
};

const struct cli_body cli_match = {sizeof(struct match_command),
                                   {{match_params}},
                                   .takes_arguments = true,
                                   .run = run_match,
                                   .done = end_match};

/* ---- senjutsu plan ---- */

struct plan {
    const char *elo_text, *published_text;
    int games, of;
    double elo;
    struct needed wanted;
    bool json;
};

/* The factor by which a sequential test may exceed its expected length: a test that ends before its limit is
 * rarely cut off by it. */
enum { SEQUENTIAL_PATIENCE = 5 };

#define PLAN_ELO_MIN 0.1
#define PLAN_ELO_MAX 1000.0

/* Rounds expected numbers up to complete pairs, because a match plays every map from both sides. */
static int whole_pairs(double games) {
    return 2 * (int)ceil(games / 2);
}

/* The sequential test is shown beside both fixed lengths, because it usually needs fewer games. */
static int plan_games(const struct plan *p, struct err *e) {
    const struct needed *w = &p->wanted;
    int games[2];
    for (int i = 0; i < 2; i++) {
        const struct needed needed = {w->draws, w->alpha, w->power, .two_sided = i == 1};
        if (!needed_games(&needed, p->elo, &games[i], e))
            return CLI_USAGE;
    }
    const struct needed_sequential s = needed_sequential(w, p->elo);
    const int if_none = whole_pairs(s.if_none), if_there = whole_pairs(s.if_there),
              halfway = whole_pairs(s.halfway);
    if (p->json) {
        json_t *root = json_pack("{sf sf sf sf sf s{si si} s{si si si}}", "elo", p->elo, "score",
                                 elo_to_score(p->elo), "draws", w->draws, "alpha", w->alpha, "power",
                                 w->power, "games", "one_sided", games[0], "two_sided", games[1],
                                 "sprt_games", "if_none", if_none, "if_there", if_there, "halfway", halfway);
        return cli_show_json(root);
    }
    printf("To show a difference of %g Elo (a score of %.1f%%) with %g%% draws, alpha %g and power %g:\n\n",
           p->elo, 100 * elo_to_score(p->elo), 100 * w->draws, w->alpha, w->power);
    printf("  one-sided test    %10d games   is it stronger?\n", games[0]);
    printf("  two-sided test    %10d games   do they differ?\n", games[1]);
    printf("  sequential test   %10d games   on average, if there is no difference\n", if_none);
    printf("                    %10d games   if it is %g Elo\n", if_there, p->elo);
    printf("                    %10d games   if it lies halfway, where the test takes longest\n", halfway);
    if (s.halfway <= MATCH_GAMES_MAX / SEQUENTIAL_PATIENCE)
        printf("\n  senjutsu match A B --games %d\n"
               "  senjutsu match A B --games %d --sprt 0,%g --alpha %g --beta %g\n",
               games[0], SEQUENTIAL_PATIENCE * halfway, p->elo, w->alpha, 1 - w->power);
    return CLI_OK;
}

static int plan_difference(const struct plan *p) {
    static const char *const tests[2] = {"one-sided", "two-sided"};
    static const char *const questions[2] = {"is it stronger?", "do they differ?"};
    const struct needed *w = &p->wanted;
    const double error = needed_error(w, p->games);
    double least[2];
    bool is_known[2];
    for (int i = 0; i < 2; i++) {
        const struct needed needed = {w->draws, w->alpha, w->power, .two_sided = i == 1};
        is_known[i] = needed_elo(&needed, p->games, &least[i], NULL);
    }
    if (p->json)
        return cli_show_json(json_pack("{si sf sf sf s{so? so?} sf}", "games", p->games, "draws", w->draws,
                                       "alpha", w->alpha, "power", w->power, "elo", "one_sided",
                                       is_known[0] ? json_real(least[0]) : NULL, "two_sided",
                                       is_known[1] ? json_real(least[1]) : NULL, "error", error));
    printf("What %d game%s can show with %g%% draws, alpha %g and power %g:\n\n", p->games,
           p->games == 1 ? "" : "s", 100 * w->draws, w->alpha, w->power);
    for (int i = 0; i < 2; i++)
        if (is_known[i])
            printf("  %s test    %8.1f Elo or more (a score of %.1f%%)   %s\n", tests[i], least[i],
                   100 * elo_to_score(least[i]), questions[i]);
        else
            printf("  %s test    nothing: too few games\n", tests[i]);
    printf("  error bars        ±%7.1f Elo between equals (95%%)\n", error);
    return CLI_OK;
}

/* What a verdict of `senjutsu repro` needs: the published share is a sample, too. */
static int plan_verdict(const struct plan *p) {
    double percent;
    if (p->published_text == NULL || p->of == 0)
        return cli_error(CLI_USAGE, "--published and --of belong together: a share and its number of trials");
    if (!text_to_real(p->published_text, &percent) || !(percent >= 0 && percent <= 100))
        return cli_error(CLI_USAGE, "--published %s: expected per cent, from 0 to 100", p->published_text);
    const struct needed *w = &p->wanted;
    const struct proportion published = {percent / 100 * p->of, p->of};
    const int trials = verdict_trials(published, VERDICT_MARGIN, w->alpha, w->power);
    const double points = 100 * VERDICT_MARGIN;
    if (p->json)
        return cli_show_json(json_pack("{sf si sf sf sf so?}", "published", percent, "of", p->of, "margin",
                                       points, "alpha", w->alpha, "power", w->power, "trials",
                                       trials > 0 ? json_integer(trials) : NULL));
    if (trials > 0)
        printf(
            "%d trials tell whether a share agrees within %g points with a published %g%% of %d, with alpha "
            "%g and\npower %g.\n",
            trials, points, percent, p->of, w->alpha, w->power);
    else
        printf(
            "No number of trials tells whether a share agrees within %g points with a published %g%% of %d, "
            "with\nalpha %g and power %g: the published trials are too few.\n",
            points, percent, p->of, w->alpha, w->power);
    return CLI_OK;
}

#define PLAN_AT(field) offsetof(struct plan, field)

static const struct param plan_params[] = {
    {"elo", PARAM_STRING, PLAN_AT(elo_text), .value = "N", .help = "the difference that is to be shown"},
    {"games", PARAM_INT, PLAN_AT(games), 1, NEEDED_GAMES_MAX, .help = "or: the number of games"},
    {"published", PARAM_STRING, PLAN_AT(published_text), .value = "PERCENT",
     .help = "or: a published share that ours is to be compared with"},
    {"of", PARAM_INT, PLAN_AT(of), 1, NEEDED_GAMES_MAX, .help = "the trials of --published"},
    {"draws", PARAM_REAL, PLAN_AT(wanted.draws), 0, 0.99, 0, .value = "SHARE",
     .help = "share of drawn games, from 0 to 1"},
    {"alpha", PARAM_REAL, PLAN_AT(wanted.alpha), 0.0001, 0.4, 0.05, .value = "P",
     .help = "how often a difference may be found where there is none"},
    {"power", PARAM_REAL, PLAN_AT(wanted.power), 0.6, 0.9999, 0.95, .value = "P",
     .help = "how often a true difference must be found"},
    {"json", PARAM_FLAG, PLAN_AT(json), .help = "the answer as JSON"},
    {0},
};

/* --elo is read as text, because 0 is no number that can be shown and there is no default: a table row would
 * have to stand for "not given" with a value. */
static int run_plan(void *state, const struct cli_call *call, struct err *e) {
    struct plan *p = state;
    (void)call;
    const bool verdict = p->published_text != NULL || p->of > 0;
    if ((p->elo_text != NULL) + (p->games > 0) + verdict != 1)
        return cli_error(CLI_USAGE, "one of --elo, --games and --published is needed");
    if (verdict)
        return p->wanted.draws > 0 ? cli_error(CLI_USAGE, "--draws does not belong to --published")
                                   : plan_verdict(p);
    if (p->games > 0)
        return plan_difference(p);
    if (!text_to_real(p->elo_text, &p->elo) || !(p->elo >= PLAN_ELO_MIN && p->elo <= PLAN_ELO_MAX))
        return cli_error(CLI_USAGE, "--elo %s: expected a number from %g to %g", p->elo_text, PLAN_ELO_MIN,
                         PLAN_ELO_MAX);
    return plan_games(p, e);
}

const struct cli_body cli_plan = {sizeof(struct plan), {{plan_params}}, .run = run_plan};
