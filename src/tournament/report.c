/* SPDX-License-Identifier: MIT
 *
 * Reports of a tournament: its state at some moment, counts of its games, its tables as columns
 * (base/columns.h: standings, games, pairings, meetings, maps), and the remarkable games. All forms of a
 * report are written from them: CSV, JSON, the table for the terminal, pages, files in a folder.
 */
#include "tournament/report.h"

#include "base/columns.h"
#include "base/encode.h"
#include "base/file.h"
#include "base/mem.h"
#include "store/store.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- the state of a tournament as a report ---- */

enum { LIVE_RATINGS_MAX = 50000 }; /* games; with more, ratings would take longer than the games */

/* The arrays have the size of the tournament, and serve for all of its reports. */
void tournament_table_init(struct tournament_table *t, const struct tournament *tournament) {
    const size_t players = (size_t)tournament->player_count;
    *t = (struct tournament_table){
        .tournament = tournament,
        .standings = mem_alloc(players * sizeof *t->standings),
        .fit = {.player_count = tournament->player_count,
                .map_count = tournament->map_count,
                .ratings = mem_alloc(players * sizeof *t->fit.ratings),
                .sides = mem_alloc((size_t)tournament->map_count * sizeof *t->fit.sides),
                .superiority = mem_alloc(players * players * sizeof *t->fit.superiority)},
    };
}

void tournament_table_done(struct tournament_table *t) {
    mem_free(t->standings);
    mem_free(t->fit.ratings);
    mem_free(t->fit.sides);
    mem_free(t->fit.superiority);
}

/* Ratings of a tournament that goes on are left out above LIVE_RATINGS_MAX games: its report is made again
 * and again. */
void tournament_table_report(struct tournament_table *t, const struct games *games, struct report *report) {
    standings_compute(t->tournament, games, t->standings);
    report->tournament = t->tournament;
    report->games = games;
    report->games_expected = tournament_games_expected(t->tournament, games);
    report->standings = t->standings;
    report->ratings = NULL;
    report->fit = NULL;
    if (report->games_played == 0 || (!report->complete && report->games_played > LIVE_RATINGS_MAX))
        return;
    int count = 0;
    struct rating_game *rated = mem_alloc((size_t)games->count * sizeof *rated);
    for (int i = 0; i < games->count; i++) {
        const struct scheduled_game *f = &games->scheduled[i];
        const struct outcome *o = &games->outcomes[i];
        if (o->played)
            rated[count++] = (struct rating_game){{f->players[0], f->players[1]}, f->map, f->pair, o->payoff};
    }
    rating_compute(rated, count, &t->fit);
    mem_free(rated);
    report->ratings = t->fit.ratings;
    report->fit = &t->fit;
}

/* ---- counts ---- */

/* Two players in one round of a knock-out or a play-off, or in all rounds of the main stage. */
struct meeting {
    const struct report *report; /* so that a list of meetings is the source of its table */
    int stage, round;
    int players[2];
    struct tally tally; /* of players[0] */
    int games_open;     /* scheduled, but not played yet */
};

/* Sums, from which the mean time of a decision follows. */
struct clock_counts {
    int64_t think_ns, decisions, longest_ns;
};

struct counts {
    const struct report *report;
    struct tally *cross;         /* main stage: [a * player_count + b] is a's result against b */
    struct tally *by_map;        /* by map: the first side's result in all stages */
    struct clock_counts *clocks; /* by player, all stages */
    struct meeting *meetings;    /* in the order they were scheduled */
    int meeting_count, meeting_capacity;
    struct meeting *pairings; /* of the main stage: each pair that has met, in the order of the table */
    int pairing_count;
};

/* A knock-out has no table of all against all, so its results are listed by meetings. */
static void count_meeting(struct counts *counts, const struct scheduled_game *f, const struct outcome *o) {
    const int a = f->players[0], b = f->players[1];
    struct meeting *m = NULL;
    /* The games of a meeting follow each other closely: the search runs backwards. */
    for (int i = counts->meeting_count - 1; i >= 0 && m == NULL; i--) {
        const int *players = counts->meetings[i].players;
        if (counts->meetings[i].stage == f->stage && counts->meetings[i].round == f->round &&
            ((players[0] == a && players[1] == b) || (players[0] == b && players[1] == a)))
            m = &counts->meetings[i];
    }
    if (m == NULL) {
        counts->meetings = mem_grow(counts->meetings, &counts->meeting_capacity, counts->meeting_count + 1,
                                    sizeof *counts->meetings);
        m = &counts->meetings[counts->meeting_count++];
        *m = (struct meeting){counts->report, f->stage, f->round, {a, b}};
    }
    m->games_open += !o->played;
    if (o->played)
        tally_add(&m->tally, m->players[0] == a ? o->payoff : 1 - o->payoff);
}

/* One pass over the games fills all counts; then the pairings are listed. */
static void counts_make(const struct report *report, struct counts *out) {
    const struct tournament *tournament = report->tournament;
    const size_t players = (size_t)tournament->player_count, maps = (size_t)tournament->map_count;
    *out = (struct counts){.report = report,
                           .cross = mem_alloc(players * players * sizeof *out->cross),
                           .by_map = mem_alloc(maps * sizeof *out->by_map),
                           .clocks = mem_alloc(players * sizeof *out->clocks),
                           .pairings = mem_alloc(players * players * sizeof *out->pairings)};
    for (int i = 0; i < report->games->count; i++) {
        const struct scheduled_game *f = &report->games->scheduled[i];
        const struct outcome *o = &report->games->outcomes[i];
        assert(f->players[0] < tournament->player_count && f->players[1] < tournament->player_count);
        for (int side = 0; o->played && side < 2; side++) {
            const int player = f->players[side], opponent = f->players[1 - side];
            struct clock_counts *clock = &out->clocks[player];
            clock->think_ns += o->think_ns[side];
            clock->decisions += o->decisions[side];
            if (o->longest_ns[side] > clock->longest_ns)
                clock->longest_ns = o->longest_ns[side];
            if (f->stage == STAGE_MAIN)
                tally_add(&out->cross[player * tournament->player_count + opponent],
                          side == 0 ? o->payoff : 1 - o->payoff);
        }
        if (o->played)
            tally_add(&out->by_map[f->map], o->payoff);
        if (f->stage != STAGE_MAIN || tournament->rules.format == TOURNAMENT_KNOCK_OUT)
            count_meeting(out, f, o);
    }
    for (int i = 0; i < tournament->player_count; i++)
        for (int j = i + 1; j < tournament->player_count; j++) {
            const int a = report->standings[i].player, b = report->standings[j].player;
            const struct tally *tally = &out->cross[a * tournament->player_count + b];
            if (tally_games(tally) > 0)
                out->pairings[out->pairing_count++] =
                    (struct meeting){report, STAGE_MAIN, 0, {a, b}, *tally, 0};
        }
}

static void counts_done(struct counts *counts) {
    mem_free(counts->cross);
    mem_free(counts->by_map);
    mem_free(counts->clocks);
    mem_free(counts->meetings);
    mem_free(counts->pairings);
}

/* Six decimals: the same on machines that round the last bits differently. */
static json_t *number_json(double value) {
    return columns_number_json(value, 1e-6);
}

/* Names come from files and command lines: they need not be UTF-8. */
static json_t *string_json(const char *string) {
    return jsontext_string(string, strlen(string));
}

/* [low, high], both rounded. */
static json_t *interval_json(struct interval interval) {
    return json_pack("[oo]", number_json(interval.low), number_json(interval.high));
}

enum tally_value { WINS, DRAWS, LOSSES, GAMES, SCORE, LOW, HIGH, INTERVAL, TALLY_VALUES };

/* Columns of all tables share these values, so that a score is computed in one place. */
static void tally_cell(const struct tally *tally, int value, struct column_cell *out) {
    const int games = tally_games(tally);
    const struct interval interval = stats_wilson(tally_score(tally), games, STATS_Z95);
    const double score = games > 0 ? tally_score(tally) : (double)NAN;
    const double numbers[] = {/* in the order of the values */
                              tally->wins, tally->draws, tally->losses, games,
                              score,       interval.low, interval.high};
    if (value == INTERVAL)
        out->json = interval_json(interval);
    else
        out->number = numbers[value];
}

/* The score is null without games: 0.5 would look like a result. */
static json_t *tally_json(const struct tally *t) {
    const int games = tally_games(t);
    return json_pack("{si si si si so? so}", "wins", t->wins, "draws", t->draws, "losses", t->losses, "games",
                     games, "score", games > 0 ? number_json(tally_score(t)) : NULL, "interval",
                     interval_json(stats_wilson(tally_score(t), games, STATS_Z95)));
}

/* ---- standings ---- */

/* Does standings[row] share its place? Then *last is the last of the shared places. */
static bool place_is_shared(const struct report *report, int row, int *last) {
    assert(row >= 0);
    assert(row < report->tournament->player_count);
    const int place = report->standings[row].place;
    int count = 0;
    for (int i = 0; i < report->tournament->player_count; i++)
        count += report->standings[i].place == place;
    *last = place + count - 1;
    return count > 1;
}

/* Of all kinds. */
static int fault_count(const struct standing *standing) {
    int count = 0;
    for (int i = PLAYER_FAULT_NONE + 1; i < PLAYER_FAULTS; i++)
        count += standing->faults[i];
    return count;
}

/* The value of the rules' tie-break with that index; for faults their number. */
static double tie_break(const struct report *report, const struct standing *standing, int index) {
    assert(index >= 0);
    assert(index < report->tournament->rules.tie_break_count);
    const double value = standing->tie_breaks[index];
    return report->tournament->rules.tie_breaks[index] == TOURNAMENT_TIE_FAULTS ? fabs(value) : value;
}

/* Whole games of a player, and from each side: a value and one of these. */
enum { AS_FIRST = TALLY_VALUES, AS_SECOND = 2 * TALLY_VALUES };

/* The index holds the value and whose games it counts: all, as the first side, as the second. */
static void get_tally(const void *source, int row, int index, struct column_cell *out) {
    const struct standing *s = &((const struct report *)source)->standings[row];
    const struct tally *const tallies[] = {&s->total, &s->as_side[0], &s->as_side[1]};
    tally_cell(tallies[index / TALLY_VALUES], index % TALLY_VALUES, out);
}

/* Data for scripts; for readers the score alone. */
static void get_side(const void *source, int row, int side, struct column_cell *out) {
    const struct tally *tally = &((const struct report *)source)->standings[row].as_side[side];
    out->json = tally_json(tally);
    if (tally_games(tally) > 0)
        snprintf(out->buffer, sizeof out->buffer, "%.1f%%", 100 * tally_score(tally));
    out->text = tally_games(tally) > 0 ? out->buffer : "-";
}

/* Which value of a standing get_standing gives. */
enum { PLACE, NAME, SPEC, AUTHOR, ELO, ELO_ERROR, SHARED, POINTS, BYES, WALKOVERS, DECIDED_BY };
enum { DISQUALIFIED = DECIDED_BY + 1, ALL_TIE_BREAKS, ALL_FAULTS };

/* A shared place is a range for readers ("2-3") and a number in data. NAN and NULL stand for what is not
 * known: writers leave the cell empty. */
static void get_standing(const void *source, int row, int index, struct column_cell *out) {
    const struct report *report = source;
    const struct standing *s = &report->standings[row];
    const struct entrant *player = &report->tournament->players[s->player];
    const struct tournament_rules *rules = &report->tournament->rules;
    int last;
    switch (index) {
    case PLACE:
        out->number = s->place;
        if (place_is_shared(report, row, &last)) {
            snprintf(out->buffer, sizeof out->buffer, "%d-%d", s->place, last);
            out->text = out->buffer;
        }
        break;
    case NAME:
        out->text = player->name;
        out->emphasis = s->place == 1 && report->games_played > 0 ? CELL_STRONG : CELL_PLAIN;
        break;
    case SPEC: out->text = player->spec; break;
    case AUTHOR: out->text = player->author; break;
    case ELO: out->number = report->ratings != NULL ? report->ratings[s->player].elo : (double)NAN; break;
    case ELO_ERROR:
        out->number = report->ratings != NULL ? report->ratings[s->player].error : (double)NAN;
        out->emphasis = CELL_FAINT;
        break;
    case SHARED: out->number = place_is_shared(report, row, &last); break;
    case POINTS: out->number = s->points; break;
    case BYES: out->number = s->byes; break;
    case WALKOVERS: out->number = report->games->walkovers[s->player]; break;
    case DECIDED_BY: out->text = tournament_stage_names[s->decided_by]; break;
    case DISQUALIFIED:
        out->number = rules->disqualify_after > 0 && fault_count(s) >= rules->disqualify_after;
        break;
    case ALL_TIE_BREAKS:
        out->json = json_object();
        for (int i = 0; i < rules->tie_break_count; i++)
            json_object_set_new(out->json, tournament_tie_break_names[rules->tie_breaks[i]],
                                number_json(tie_break(report, s, i)));
        break;
    case ALL_FAULTS:
        out->json = json_object();
        for (int i = PLAYER_FAULT_NONE + 1; i < PLAYER_FAULTS; i++)
            if (s->faults[i] > 0)
                json_object_set_new(out->json, player_fault_names[i], json_integer(s->faults[i]));
        break;
    }
}

/* Are payoffs graded? NULL for a game that is only won, drawn or lost. */
static const struct scenario *payoff_scenario(const struct report *report) {
    const struct tournament *tournament = report->tournament;
    const struct scenario *scenario = tournament->map_count > 0 ? tournament->maps[0].scenario : NULL;
    return scenario != NULL && scenario->game->text->scale != NULL ? scenario : NULL;
}

enum payoff_value { PAYOFF_MEAN, PAYOFF_LOW, PAYOFF_HIGH, PAYOFF_OBJECT };

/* The mean payoff of the main stage on the game's own scale, with its 95 % interval. */
static void get_payoff(const void *source, int row, int index, struct column_cell *out) {
    const struct report *report = source;
    const struct payoffs *p = &report->standings[row].payoffs;
    const struct scenario *scenario = payoff_scenario(report);
    struct payoff_scale scale;
    struct interval i = payoffs_interval(p);
    if (scenario == NULL || p->count == 0) {
        out->json = index == PAYOFF_OBJECT ? json_null() : NULL;
        return;
    }
    game_scale(scenario, &scale);
    i = (struct interval){game_payoff_scaled(scenario, i.low), game_payoff_scaled(scenario, i.high)};
    const double mean = game_payoff_scaled(scenario, p->mean);
    out->number = index == PAYOFF_MEAN ? mean : index == PAYOFF_LOW ? i.low : i.high;
    if (index == PAYOFF_OBJECT)
        out->json = json_pack("{so so so so ss si}", "mean", number_json(mean), "interval", interval_json(i),
                              "low", number_json(scale.low), "high", number_json(scale.high), "unit",
                              scale.unit, "observations", p->count);
}

/* The index is that of the rules' tie-break. */
static void get_tie_break(const void *source, int row, int index, struct column_cell *out) {
    out->number = tie_break(source, &((const struct report *)source)->standings[row], index);
}

/* Of one kind, or of all (PLAYER_FAULTS). */
static void get_faults(const void *source, int row, int fault, struct column_cell *out) {
    const struct standing *s = &((const struct report *)source)->standings[row];
    out->number = fault < PLAYER_FAULTS ? s->faults[fault] : fault_count(s);
    out->emphasis = out->number > 0 ? CELL_WARNING : CELL_PLAIN;
}

enum { READERS = IN_TERMINAL | IN_HTML };

/* A new column is one line here, and one in web/src/tournaments/text.ts. */
static const struct column standing_columns[] = {
    {"place", "#", COLUMN_COUNT, get_standing, PLACE},
    {"player", "player", COLUMN_TEXT, get_standing, NAME, .is_left = true, .is_cut = true},
    {"shared", "", COLUMN_FLAG, get_standing, SHARED, .where = IN_JSON},
    {"points", "points", COLUMN_NUMBER, get_standing, POINTS, .decimals = 2, .leaves = 6},
    {"games", "games", COLUMN_COUNT, get_tally, GAMES, .leaves = 1},
    {"wins", "W", COLUMN_COUNT, get_tally, WINS, .leaves = 2},
    {"draws", "D", COLUMN_COUNT, get_tally, DRAWS, .leaves = 2},
    {"losses", "L", COLUMN_COUNT, get_tally, LOSSES, .leaves = 2},
    {"score", "score", COLUMN_PERCENT, get_tally, SCORE, .decimals = 6, .leaves = 4},
    {"low", "", COLUMN_PERCENT, get_tally, LOW, .decimals = 6, .where = IN_CSV},
    {"high", "", COLUMN_PERCENT, get_tally, HIGH, .decimals = 6, .where = IN_CSV},
    {"interval", "", COLUMN_JSON, get_tally, INTERVAL, .where = IN_JSON},
    {"first_wins", "", COLUMN_COUNT, get_tally, AS_FIRST + WINS, .where = IN_CSV},
    {"first_draws", "", COLUMN_COUNT, get_tally, AS_FIRST + DRAWS, .where = IN_CSV},
    {"first_losses", "", COLUMN_COUNT, get_tally, AS_FIRST + LOSSES, .where = IN_CSV},
    {"second_wins", "", COLUMN_COUNT, get_tally, AS_SECOND + WINS, .where = IN_CSV},
    {"second_draws", "", COLUMN_COUNT, get_tally, AS_SECOND + DRAWS, .where = IN_CSV},
    {"second_losses", "", COLUMN_COUNT, get_tally, AS_SECOND + LOSSES, .where = IN_CSV},
    {"payoff", "payoff", COLUMN_FIXED, get_payoff, PAYOFF_MEAN, .places = 3, .leaves = 5, .where = READERS},
    {"elo", "Elo", COLUMN_SIGNED, get_standing, ELO, .decimals = 2, .unit = 0.01, .leaves = 3},
    {"elo_error", "", COLUMN_ERROR, get_standing, ELO_ERROR, .decimals = 2, .unit = 0.01, .leaves = 3},
    {"as_first", "as first", COLUMN_JSON, get_side, 0, .where = IN_JSON | IN_HTML},
    {"as_second", "as second", COLUMN_JSON, get_side, 1, .where = IN_JSON | IN_HTML},
    {"byes", "", COLUMN_COUNT, get_standing, BYES, .where = IN_DATA},
    {"walkovers", "walk-overs", COLUMN_COUNT, get_standing, WALKOVERS, .where = IN_DATA | IN_HTML},
    {"payoff", "", COLUMN_FIXED, get_payoff, PAYOFF_MEAN, .decimals = 6, .where = IN_CSV},
    {"payoff_low", "", COLUMN_FIXED, get_payoff, PAYOFF_LOW, .decimals = 6, .where = IN_CSV},
    {"payoff_high", "", COLUMN_FIXED, get_payoff, PAYOFF_HIGH, .decimals = 6, .where = IN_CSV},
    {"payoff", "", COLUMN_JSON, get_payoff, PAYOFF_OBJECT, .where = IN_JSON},
    {"", "", COLUMN_NUMBER, get_tie_break}, /* stands for the tie-breaks of the rules */
    {"fault_illegal", "", COLUMN_COUNT, get_faults, PLAYER_FAULT_ILLEGAL, .where = IN_CSV},
    {"fault_crash", "", COLUMN_COUNT, get_faults, PLAYER_FAULT_CRASH, .where = IN_CSV},
    {"fault_hang", "", COLUMN_COUNT, get_faults, PLAYER_FAULT_HANG, .where = IN_CSV},
    {"fault_late", "", COLUMN_COUNT, get_faults, PLAYER_FAULT_LATE, .where = IN_CSV},
    {"fault_garbage", "", COLUMN_COUNT, get_faults, PLAYER_FAULT_GARBAGE, .where = IN_CSV},
    {"fault_protocol", "", COLUMN_COUNT, get_faults, PLAYER_FAULT_PROTOCOL, .where = IN_CSV},
    {"tie_breaks", "", COLUMN_JSON, get_standing, ALL_TIE_BREAKS, .where = IN_JSON},
    {"faults", "faults", COLUMN_COUNT, get_faults, PLAYER_FAULTS, .leaves = 5, .where = READERS},
    {"faults", "", COLUMN_JSON, get_standing, ALL_FAULTS, .where = IN_JSON},
    {"disqualified", "", COLUMN_FLAG, get_standing, DISQUALIFIED, .where = IN_DATA},
    {"decided_by", "", COLUMN_TEXT, get_standing, DECIDED_BY, .where = IN_JSON},
    {"spec", "", COLUMN_TEXT, get_standing, SPEC, .where = IN_DATA},
    {"author", "", COLUMN_TEXT, get_standing, AUTHOR, .where = IN_DATA, .is_optional = true},
};

/* Wins and faults have columns of their own for readers. */
static const struct column tie_columns[TOURNAMENT_TIE_BREAKS] = {
    {"tie_head-to-head", "head to head", COLUMN_NUMBER, get_tie_break, .where = IN_CSV | IN_HTML},
    {"tie_buchholz", "Buchholz", COLUMN_NUMBER, get_tie_break, .where = IN_CSV | IN_HTML},
    {"tie_sonneborn-berger", "Sonneborn-Berger", COLUMN_NUMBER, get_tie_break, .where = IN_CSV | IN_HTML},
    {"tie_wins", "", COLUMN_NUMBER, get_tie_break, .where = IN_CSV},
    {"tie_faults", "", COLUMN_NUMBER, get_tie_break, .where = IN_CSV},
};

/* The fields of results.json keep their order. */
static const char *const standing_fields[] = {
    "player", "place",     "shared",     "points",       "wins", "draws",     "losses",     "games",
    "score",  "interval",  "as_first",   "as_second",    "elo",  "elo_error", "tie_breaks", "faults",
    "byes",   "walkovers", "decided_by", "disqualified", "spec", "author",    "payoff",     NULL};

/* The standings as a table; it must not be moved. */
struct standing_table {
    struct columns table;
    struct column list[COLUMNS_MAX];
};

/* Columns of what a tournament does not have are left out, or are not for readers. */
static void make_standings(const struct report *report, struct standing_table *out) {
    const struct tournament_rules *rules = &report->tournament->rules;
    const struct column *const end = standing_columns + sizeof standing_columns / sizeof *standing_columns;
    bool walkovers = false, faults = false;
    for (int i = 0; i < report->tournament->player_count; i++) {
        walkovers = walkovers || report->games->walkovers[i] > 0;
        faults = faults || fault_count(&report->standings[i]) > 0;
    }
    *out = (struct standing_table){.table = {out->list, 0, report->tournament->player_count, report}};
    for (const struct column *c = standing_columns; c < end; c++) {
        for (int i = 0; c->get == get_tie_break && i < rules->tie_break_count; i++) {
            struct column *column = &out->list[out->table.count++];
            *column = tie_columns[rules->tie_breaks[i]];
            column->index = i;
            column->decimals = 4;
        }
        if (c->get == get_tie_break || (c->get == get_payoff && payoff_scenario(report) == NULL) ||
            (c->get == get_faults && c->index == PLAYER_FAULTS && !faults))
            continue;
        assert(out->table.count < COLUMNS_MAX);
        struct column *column = &out->list[out->table.count++];
        *column = *c;
        if (c->get == get_standing &&
            ((c->index == ELO_ERROR && report->ratings == NULL) || (c->index == WALKOVERS && !walkovers)))
            column->where = IN_DATA;
    }
}

void report_standings_csv(const struct report *report, struct text *out) {
    struct standing_table standings;
    make_standings(report, &standings);
    columns_csv(&standings.table, out);
}

/* ---- games ---- */

/* What the forfeiter did, as verbs: sentences and tables put the player's name before them. */
static const char *ruling_of(int fault) {
    static const char *const rulings[PLAYER_FAULTS] = {
        [PLAYER_FAULT_NONE] = "forfeited",
        [PLAYER_FAULT_ILLEGAL] = "chose an action that the rules forbid",
        [PLAYER_FAULT_CRASH] = "stopped running, or the connection to it was lost",
        [PLAYER_FAULT_HANG] = "gave no answer long after its time was over, and was stopped",
        [PLAYER_FAULT_LATE] = "answered after its time was over",
        [PLAYER_FAULT_GARBAGE] = "answered with something that is no line of the protocol",
        [PLAYER_FAULT_PROTOCOL] = "answered with a line that is wrong at that point",
    };
    assert(fault >= 0);
    assert(fault < PLAYER_FAULTS);
    return rulings[fault];
}

struct game_list {
    const struct report *report;
    int *games; /* numbers of those that were played, or of those of them that ended by a fault */
    int count;
};

/* MS and LONGEST_MS are of the first side; the second side's follow them. */
enum { NUMBER, STAGE, ROUND, MAP, FIRST, SECOND, RESULT, PAYOFF, FAULT, FORFEITER, RULING, ACTIONS, TURNS };
enum { LEAD_CHANGES = TURNS + 1, SEED, MS, LONGEST_MS = MS + 2 };

/* Times are in milliseconds. A side without a decision has no mean. */
static void get_game(const void *source, int row, int index, struct column_cell *out) {
    const struct game_list *list = source;
    const struct tournament *tournament = list->report->tournament;
    const struct scheduled_game *f = &list->report->games->scheduled[list->games[row]];
    const struct outcome *o = &list->report->games->outcomes[list->games[row]];
    const int side = index >= LONGEST_MS ? index - LONGEST_MS : index - MS;
    switch (index) {
    case NUMBER: out->number = f->number; break;
    case STAGE: out->text = tournament_stage_names[f->stage]; break;
    case ROUND: out->number = f->round; break;
    case MAP: out->text = tournament->maps[f->map].name; break;
    case FIRST: out->text = tournament->players[f->players[0]].name; break;
    case SECOND: out->text = tournament->players[f->players[1]].name; break;
    case RESULT: out->text = o->result; break;
    case PAYOFF: out->number = o->payoff; break;
    case FAULT: out->text = o->fault != PLAYER_FAULT_NONE ? player_fault_names[o->fault] : ""; break;
    case FORFEITER:
        out->text = o->forfeiter != NOBODY ? tournament->players[f->players[o->forfeiter]].name : "";
        break;
    case RULING: out->text = o->forfeiter != NOBODY ? ruling_of(o->fault) : ""; break;
    case ACTIONS: out->number = o->actions; break;
    case TURNS: out->number = o->turns; break;
    case LEAD_CHANGES: out->number = o->lead_changes; break;
    case SEED: /* all of its digits */
        snprintf(out->buffer, sizeof out->buffer, "%llu", (unsigned long long)f->seed);
        out->text = out->buffer;
        break;
    default:
        if (o->decisions[side] > 0)
            out->number = index >= LONGEST_MS ? (double)o->longest_ns[side] * 1e-6
                                              : (double)o->think_ns[side] * 1e-6 / o->decisions[side];
    }
}

/* Readers see the columns that identify a game and its fault; these are also the rows of the page's list of
 * faults. */
static const struct column game_columns[] = {
    {"number", "game", COLUMN_COUNT, get_game, NUMBER},
    {"stage", "", COLUMN_TEXT, get_game, STAGE, .where = IN_DATA},
    {"round", "", COLUMN_COUNT, get_game, ROUND, .where = IN_DATA},
    {"map", "map", COLUMN_TEXT, get_game, MAP},
    {"first", "first", COLUMN_TEXT, get_game, FIRST},
    {"second", "second", COLUMN_TEXT, get_game, SECOND},
    {"result", "result", COLUMN_TEXT, get_game, RESULT},
    {"payoff", "", COLUMN_FIXED, get_game, PAYOFF, .decimals = 1, .where = IN_DATA},
    {"fault", "fault", COLUMN_TEXT, get_game, FAULT},
    {"forfeiter", "forfeiter", COLUMN_TEXT, get_game, FORFEITER},
    {"ruling", "what it did", COLUMN_TEXT, get_game, RULING, .where = IN_JSON | IN_HTML},
    {"actions", "", COLUMN_COUNT, get_game, ACTIONS, .where = IN_DATA},
    {"turns", "", COLUMN_COUNT, get_game, TURNS, .where = IN_DATA},
    {"lead_changes", "", COLUMN_COUNT, get_game, LEAD_CHANGES, .where = IN_DATA},
    {"seed", "", COLUMN_TEXT, get_game, SEED, .where = IN_DATA},
    {"first_ms", "", COLUMN_FIXED, get_game, MS, .decimals = 3, .where = IN_CSV},
    {"first_longest_ms", "", COLUMN_FIXED, get_game, LONGEST_MS, .decimals = 3, .where = IN_CSV},
    {"second_ms", "", COLUMN_FIXED, get_game, MS + 1, .decimals = 3, .where = IN_CSV},
    {"second_longest_ms", "", COLUMN_FIXED, get_game, LONGEST_MS + 1, .decimals = 3, .where = IN_CSV},
};

enum { GAME_COLUMNS = sizeof game_columns / sizeof game_columns[0] };

/* The caller frees the numbers. */
static struct game_list find_games(const struct report *report, bool only_faults) {
    const struct games *games = report->games;
    struct game_list list = {report, mem_alloc(((size_t)games->count + 1) * sizeof *list.games), 0};
    for (int i = 0; i < games->count; i++)
        if (games->outcomes[i].played && (!only_faults || games->outcomes[i].forfeiter != NOBODY))
            list.games[list.count++] = i;
    return list;
}

/* Payoffs of a game with graded payoffs need more decimals than 0, 0.5 and 1 do. */
void report_games_csv(const struct report *report, struct text *out) {
    struct column list[GAME_COLUMNS];
    const struct game_list games = find_games(report, false);
    memcpy(list, game_columns, sizeof list);
    for (int i = 0; i < GAME_COLUMNS; i++)
        if (list[i].index == PAYOFF && payoff_scenario(report) != NULL)
            list[i].decimals = 6;
    columns_csv(&(struct columns){list, GAME_COLUMNS, games.count, &games}, out);
    mem_free(games.games);
}

/* ---- pairings and meetings ---- */

enum pair_value { PLAYER = INTERVAL + 1, OPPONENT, PAIR_POINTS, SUPERIORITY, PAIR_STAGE, PAIR_ROUND, OPEN };

/* Points are those of the rules: [player's, opponent's]. */
static void get_pair(const void *source, int row, int index, struct column_cell *out) {
    const struct meeting *m = (const struct meeting *)source + row;
    const struct tally *t = &m->tally;
    const struct entrant *players = m->report->tournament->players;
    const struct rating_fit *fit = m->report->fit;
    const struct tournament_rules *rules = &m->report->tournament->rules;
    switch (index) {
    case PLAYER: out->text = players[m->players[0]].name; break;
    case OPPONENT: out->text = players[m->players[1]].name; break;
    case PAIR_POINTS:
        out->json = json_pack(
            "[oo]", number_json(t->wins * rules->win + t->draws * rules->draw + t->losses * rules->loss),
            number_json(t->losses * rules->win + t->draws * rules->draw + t->wins * rules->loss));
        break;
    case SUPERIORITY: /* how likely it is, by the ratings, that the first is the stronger of the two */
        if (fit != NULL && fit->superiority != NULL)
            out->number = fit->superiority[m->players[0] * fit->player_count + m->players[1]];
        break;
    case PAIR_STAGE: out->text = tournament_stage_names[m->stage]; break;
    case PAIR_ROUND: /* readers count from 1 */
        out->number = m->round;
        snprintf(out->buffer, sizeof out->buffer, "%d", m->round + 1);
        out->text = out->buffer;
        break;
    case OPEN: out->number = m->games_open; break;
    default: tally_cell(t, index, out);
    }
}

/* Meetings have all of these columns, pairings those between: stage and round, and open games, are of
 * meetings. */
static const struct column pair_columns[] = {
    {"stage", "stage", COLUMN_TEXT, get_pair, PAIR_STAGE},
    {"round", "round", COLUMN_COUNT, get_pair, PAIR_ROUND},
    {"player", "player", COLUMN_TEXT, get_pair, PLAYER},
    {"opponent", "opponent", COLUMN_TEXT, get_pair, OPPONENT},
    {"wins", "W", COLUMN_COUNT, get_pair, WINS},
    {"draws", "D", COLUMN_COUNT, get_pair, DRAWS},
    {"losses", "L", COLUMN_COUNT, get_pair, LOSSES},
    {"games", "games", COLUMN_COUNT, get_pair, GAMES},
    {"score", "score", COLUMN_PERCENT, get_pair, SCORE},
    {"interval", "", COLUMN_JSON, get_pair, INTERVAL, .where = IN_JSON},
    {"points", "", COLUMN_JSON, get_pair, PAIR_POINTS, .where = IN_JSON},
    {"superiority", "", COLUMN_PERCENT, get_pair, SUPERIORITY, .unit = 1e-4, .where = IN_JSON},
    {"games_open", "", COLUMN_COUNT, get_pair, OPEN, .where = IN_JSON},
};

enum { PAIR_COLUMNS = sizeof pair_columns / sizeof pair_columns[0] };

static struct columns pairing_table(const struct counts *counts) {
    return (struct columns){pair_columns + 2, PAIR_COLUMNS - 3, counts->pairing_count, counts->pairings};
}

/* ---- maps ---- */

enum map_value { MAP_NAME = INTERVAL + 1, MAP_SIDE, MAP_ELO, MAP_ELO_ERROR, MAP_AUTHOR };

/* A first side's rating is its advantage on that map, in Elo. */
static void get_map(const void *source, int row, int index, struct column_cell *out) {
    const struct counts *counts = source;
    const struct tournament_map *map = &counts->report->tournament->maps[row];
    const struct rating_fit *fit = counts->report->fit;
    switch (index) {
    case MAP_NAME: out->text = map->name; break;
    case MAP_AUTHOR: out->text = map->author; break;
    case MAP_SIDE: out->json = tally_json(&counts->by_map[row]); break;
    case MAP_ELO:
    case MAP_ELO_ERROR:
        if (fit != NULL && fit->sides != NULL)
            out->number = index == MAP_ELO ? fit->sides[row].elo : fit->sides[row].error;
        break;
    default: tally_cell(&counts->by_map[row], index, out);
    }
}

/* For readers: results of the first side. */
static const struct column map_columns[] = {
    {"map", "map", COLUMN_TEXT, get_map, MAP_NAME},
    {"games", "games", COLUMN_COUNT, get_map, GAMES},
    {"wins", "W", COLUMN_COUNT, get_map, WINS, .where = IN_HTML},
    {"draws", "D", COLUMN_COUNT, get_map, DRAWS, .where = IN_HTML},
    {"losses", "L", COLUMN_COUNT, get_map, LOSSES, .where = IN_HTML},
    {"score", "score", COLUMN_PERCENT, get_map, SCORE, .where = IN_HTML},
    {"first_side", "", COLUMN_JSON, get_map, MAP_SIDE, .where = IN_JSON},
    {"first_side_elo", "", COLUMN_SIGNED, get_map, MAP_ELO, .unit = 0.01, .where = IN_JSON},
    {"first_side_elo_error", "", COLUMN_ERROR, get_map, MAP_ELO_ERROR, .unit = 0.01, .where = IN_JSON},
    {"author", "", COLUMN_TEXT, get_map, MAP_AUTHOR, .where = IN_JSON, .is_optional = true},
};

enum { MAP_COLUMNS = sizeof map_columns / sizeof map_columns[0] };

/* ---- highlights ----
 *
 * One pass over the games keeps the best of each kind in short sorted lists; then the sentences are written.
 * Deterministic players would fill a list with the same game, so repetitions by the same two players are kept
 * once. */

enum { NAME_COLUMNS = 60 }; /* a longer name is cut */

static const char *const kind_names[HIGHLIGHTS] = {"upset", "lead-changes", "short-win", "fault"};

struct entry {
    int game;
    double weight;
};

struct list {
    enum highlight_kind kind;
    int count, max;
    struct entry entries[REPORT_PER_KIND_MAX];
};

/* The side; NOBODY for a draw. */
static int winner_of(const struct outcome *o) {
    return o->payoff > 0.5 ? 0 : o->payoff < 0.5 ? 1 : NOBODY;
}

/* Is the second game a repetition of the first? For upsets the map does not matter. */
static bool is_repeated(const struct games *games, enum highlight_kind kind, int a, int b) {
    const struct scheduled_game *f = &games->scheduled[a], *g = &games->scheduled[b];
    const int first = winner_of(&games->outcomes[a]), second = winner_of(&games->outcomes[b]);
    if (kind == HIGHLIGHT_FAULT || (first == NOBODY) != (second == NOBODY))
        return false;
    const int i = first == NOBODY ? 0 : first, j = second == NOBODY ? 0 : second;
    return f->players[i] == g->players[j] && f->players[1 - i] == g->players[1 - j] &&
           (kind == HIGHLIGHT_UPSET || f->map == g->map);
}

/* Of equals the earlier game: the list does not depend on the order in which games ended. */
static bool is_better(struct entry a, struct entry b) {
    return a.weight != b.weight ? a.weight > b.weight : a.game < b.game;
}

/* Keeps the list sorted and free of repetitions. Lists are short, so insertion is enough. */
static void consider(struct list *list, const struct games *games, struct entry entry) {
    assert(list->count <= list->max);
    for (int i = 0; i < list->count; i++)
        if (is_repeated(games, list->kind, list->entries[i].game, entry.game)) {
            if (!is_better(entry, list->entries[i]))
                return;
            list->count--;
            memmove(&list->entries[i], &list->entries[i + 1], (size_t)(list->count - i) * sizeof entry);
            break;
        }
    int at = list->count;
    while (at > 0 && is_better(entry, list->entries[at - 1]))
        at--;
    if (at >= list->max)
        return;
    list->count += list->count < list->max;
    memmove(&list->entries[at + 1], &list->entries[at], (size_t)(list->count - 1 - at) * sizeof entry);
    list->entries[at] = entry;
}

/* Games that ended by a fault are neither upsets nor short wins: they do not show strength. */
static void consider_game(const struct report *report, int game, struct list lists[HIGHLIGHTS]) {
    const struct games *games = report->games;
    const struct outcome *o = &games->outcomes[game];
    const int winner = winner_of(o);
    if (o->lead_changes >= 2)
        consider(&lists[HIGHLIGHT_LEAD_CHANGES], games, (struct entry){game, o->lead_changes});
    if (winner == NOBODY || o->forfeiter != NOBODY)
        return;
    if (report->ratings != NULL) { /* how much further than the error was the winner rated below the loser? */
        const struct rating *a = &report->ratings[games->scheduled[game].players[winner]],
                            *b = &report->ratings[games->scheduled[game].players[1 - winner]];
        const double upset = b->elo - a->elo - sqrt(a->error * a->error + b->error * b->error);
        if (upset > 0)
            consider(&lists[HIGHLIGHT_UPSET], games, (struct entry){game, upset});
    }
    if (o->turns > 0)
        consider(&lists[HIGHLIGHT_SHORT_WIN], games, (struct entry){game, 1.0 / o->turns});
}

/* The parts of the sentence, from which a page can make one in another language. */
static struct highlight describe(const struct report *report, enum highlight_kind kind,
                                 const struct entry *entry) {
    const struct scheduled_game *f = &report->games->scheduled[entry->game];
    const struct outcome *o = &report->games->outcomes[entry->game];
    const bool is_fault = kind == HIGHLIGHT_FAULT;
    const int winner = winner_of(o), side = is_fault ? o->forfeiter : winner == NOBODY ? 0 : winner;
    const int a = f->players[side], b = f->players[1 - side];
    return (struct highlight){
        .kind = kind,
        .game = f->number,
        .weight = entry->weight,
        .players = {a, b},
        .is_drawn = !is_fault && winner == NOBODY,
        .map = tournament_takes_maps(&report->tournament->rules) ? f->map : -1,
        .turns = is_fault ? 0 : o->turns,
        .lead_changes = kind == HIGHLIGHT_LEAD_CHANGES ? o->lead_changes : 0,
        .above = kind == HIGHLIGHT_UPSET ? rint(report->ratings[b].elo - report->ratings[a].elo) : 0,
        .fault = is_fault ? o->fault : PLAYER_FAULT_NONE,
        .more = is_fault ? (int)entry->weight - 1 : 0,
    };
}

/* Three sorts of sentences: a result, a result after lead changes, a fault. */
static void write_sentence(const struct report *report, const struct highlight *h, struct text *out) {
    const struct tournament *tournament = report->tournament;
    if (h->lead_changes > 0)
        text_add(out, "The lead changed %d times before ", h->lead_changes);
    columns_fit(tournament->players[h->players[0]].name, NAME_COLUMNS, out);
    if (h->kind == HIGHLIGHT_FAULT)
        text_add(out, " %s: it lost to ", ruling_of(h->fault));
    else
        text_add_string(out, h->is_drawn ? " drew with " : " beat ");
    columns_fit(tournament->players[h->players[1]].name, NAME_COLUMNS, out);
    if (h->kind == HIGHLIGHT_UPSET)
        text_add(out, ", rated %.0f above it,", h->above);
    if (h->turns > 0)
        text_add(out, " in %d turn%s", h->turns, h->turns == 1 ? "" : "s");
    if (h->map >= 0) {
        text_add_string(out, " on ");
        columns_fit(tournament->maps[h->map].name, NAME_COLUMNS, out);
    }
    if (h->more > 0)
        text_add(out, ", and the same way %d more time%s", h->more, h->more == 1 ? "" : "s");
}

/* Faults are counted first, because the number of repetitions is part of their sentence. */
int report_highlights(const struct report *report, int per_kind, struct highlight *out) {
    const struct games *games = report->games;
    struct list lists[HIGHLIGHTS];
    struct entry faults[TOURNAMENT_PLAYERS_MAX][PLAYER_FAULTS] = {
        0}; /* the first of each; weight: how many */
    assert(report->tournament->player_count <= TOURNAMENT_PLAYERS_MAX);
    assert(per_kind >= 0);
    assert(per_kind <= REPORT_PER_KIND_MAX);
    for (int kind = 0; kind < HIGHLIGHTS; kind++)
        lists[kind] = (struct list){.kind = (enum highlight_kind)kind, .max = per_kind};
    for (int i = 0; i < games->count; i++) {
        const struct outcome *o = &games->outcomes[i];
        if (o->played)
            consider_game(report, i, lists);
        if (!o->played || o->forfeiter == NOBODY || o->fault == PLAYER_FAULT_NONE)
            continue;
        struct entry *entry = &faults[games->scheduled[i].players[o->forfeiter]][o->fault];
        if (entry->weight++ == 0)
            entry->game = i;
    }
    for (int p = 0; p < report->tournament->player_count; p++)
        for (int fault = 0; fault < PLAYER_FAULTS; fault++)
            if (faults[p][fault].weight > 0)
                consider(&lists[HIGHLIGHT_FAULT], games, faults[p][fault]);
    struct text sentence = {0};
    int count = 0;
    for (const struct list *list = lists; list < lists + HIGHLIGHTS; list++)
        for (int i = 0; i < list->count; i++) {
            struct highlight *h = &out[count++];
            *h = describe(report, list->kind, &list->entries[i]);
            text_clear(&sentence);
            write_sentence(report, h, &sentence);
            charset_copy(h->text, sizeof h->text, text_string(&sentence), sentence.size);
            charset_disarm(h->text); /* names may come from a stranger's file */
        }
    text_done(&sentence);
    return count;
}

/* As in the sentence: cut, and with a question mark for each control character. */
static json_t *name_json(const char *name) {
    struct text fitted = {0};
    columns_fit(name, NAME_COLUMNS, &fitted);
    json_t *json = jsontext_string(text_string(&fitted), fitted.size);
    text_done(&fitted);
    return json;
}

/* NULL, which leaves out a member, for 0. */
static json_t *count_json(int count) {
    return count > 0 ? json_integer(count) : NULL;
}

/* The sentence and the parts it is made of (docs/tournaments.md). A page that translates a highlight composes
 * its own sentence from the parts. */
static json_t *highlight_json(const struct report *report, const struct highlight *h) {
    const struct tournament *tournament = report->tournament;
    return json_pack("{ss si so so s[oo] sb so* so* so* so* ss* so*}", "kind", kind_names[h->kind], "game",
                     h->game, "weight", columns_number_json(h->weight, 1e-4), "text", string_json(h->text),
                     "players", name_json(tournament->players[h->players[0]].name),
                     name_json(tournament->players[h->players[1]].name), "drawn", h->is_drawn, "map",
                     h->map >= 0 ? name_json(tournament->maps[h->map].name) : NULL, "turns",
                     count_json(h->turns), "lead_changes", count_json(h->lead_changes), "above",
                     h->kind == HIGHLIGHT_UPSET ? columns_number_json(h->above, 1) : NULL, "fault",
                     h->kind == HIGHLIGHT_FAULT ? player_fault_names[h->fault] : NULL, "more",
                     count_json(h->more));
}

/* ---- JSON ----
 *
 * Whatever depends on the machine's speed is in "times" only; numbers are rounded to what they mean, so that
 * the same games give the same bytes on every machine. */

enum { HIGHLIGHTS_PER_KIND = 5 };

/* Which games are void depends on when this program was stopped, and on nothing else. */
static json_t *times_json(const struct counts *counts) {
    const struct report *report = counts->report;
    json_t *players = json_array(), *voids = json_array();
    for (int i = 0; i < report->tournament->player_count; i++) {
        const int player = report->standings[i].player;
        const struct clock_counts *clock = &counts->clocks[player];
        const double mean = (double)clock->think_ns * 1e-6 / (double)clock->decisions;
        json_array_append_new(
            players, json_pack("{so so? so}", "player", string_json(report->tournament->players[player].name),
                               "ms_per_decision", clock->decisions > 0 ? number_json(mean) : NULL,
                               "longest_ms", number_json((double)clock->longest_ns * 1e-6)));
    }
    for (int i = 0; i < report->games->voids.count; i++) {
        const struct void_game *v = &report->games->voids.games[i];
        json_array_append_new(voids, json_pack("{si so si}", "game", v->number, "gap_seconds",
                                               columns_number_json((double)v->gap_ns * 1e-9, 1e-3), "actions",
                                               v->actions));
    }
    return json_pack("{so so? so so}", "date", string_json(report->date != NULL ? report->date : ""),
                     "seconds", report->seconds >= 0 ? columns_number_json(report->seconds, 1e-3) : NULL,
                     "players", players, "voids", voids);
}

/* docs/tournaments.md describes every member. The order of members is part of the format. */
json_t *report_json_value(const struct report *report) {
    const struct tournament *tournament = report->tournament;
    struct counts counts;
    struct standing_table standings;
    counts_make(report, &counts);
    make_standings(report, &standings);
    const struct columns pairings = pairing_table(&counts);
    const struct columns meeting_table = {pair_columns, PAIR_COLUMNS, counts.meeting_count, counts.meetings};
    const struct columns map_table = {map_columns, MAP_COLUMNS, tournament->map_count, &counts};
    struct highlight found[REPORT_HIGHLIGHTS_MAX];
    const int found_count = report_highlights(report, HIGHLIGHTS_PER_KIND, found);
    json_t *highlights = json_array();
    for (int i = 0; i < found_count; i++)
        json_array_append_new(highlights, highlight_json(report, &found[i]));
    json_t *root = json_pack(
        "{so so ss so sb si si so? so so so so so so? so}", "title", string_json(tournament->rules.title),
        "game", string_json(tournament->rules.game), "format",
        tournament_format_names[tournament->rules.format], "seed", jsontext_seed(tournament->seed),
        "complete", report->complete, "games", report->games_played, "games_expected", report->games_expected,
        "ratings_connected", report->fit != NULL ? json_boolean(report->fit->connected) : NULL, "standings",
        columns_json(&standings.table, standing_fields), "pairings", columns_json(&pairings, NULL),
        "meetings", columns_json(&meeting_table, NULL), "maps", columns_json(&map_table, NULL), "highlights",
        highlights, "rules", tournament_rules_json(&tournament->rules, NULL), "times", times_json(&counts));
    counts_done(&counts);
    return root;
}

/* Twelve digits show every rounded number without the noise behind it. */
void report_json(const struct report *report, struct text *out) {
    json_t *root = report_json_value(report);
    jsontext_add_line(root, JSON_INDENT(2) | JSON_REAL_PRECISION(12), out);
    json_decref(root);
}

/* ---- pages ---- */

/* A page lists so many faults and gives the number of all: one with a broken program has thousands. */
enum { FAULTS_MAX = 100 };

/* The same columns as in the page, so that the workbench can show a table without knowing its columns. */
json_t *report_columns_json(const struct report *report) {
    struct standing_table standings;
    make_standings(report, &standings);
    return columns_describe(&standings.table);
}

/* Appends the tables for readers without the page's program. `fault_count` is the number of all faults. */
static void add_plain(const struct report *report, const struct columns *faults, int fault_count,
                      struct text *out) {
    struct counts counts;
    struct standing_table standings;
    counts_make(report, &counts);
    make_standings(report, &standings);
    text_add(out, "<p>%d of %d games</p>\n<h2>Standings</h2>\n", report->games_played,
             report->games_expected);
    columns_html(&standings.table, out);
    text_add_string(out, "<h2>Pairings</h2>\n");
    const struct columns pairings = pairing_table(&counts);
    columns_html(&pairings, out);
    if (counts.meeting_count > 0) {
        text_add_string(out, "<h2>Meetings</h2>\n");
        columns_html(&(struct columns){pair_columns, PAIR_COLUMNS, counts.meeting_count, counts.meetings},
                     out);
    }
    text_add_string(out, "<h2>First side</h2>\n");
    columns_html(&(struct columns){map_columns, MAP_COLUMNS, report->tournament->map_count, &counts}, out);
    if (faults->rows > 0) {
        text_add(out, "<h2>Faults: %d</h2>\n", fault_count);
        columns_html(faults, out);
    }
    counts_done(&counts);
}

/* Times of games are left out: the same games give the same page, but for the date. */
static void write_page(const struct report *report, bool for_print, struct text *out) {
    const struct tournament_rules *rules = &report->tournament->rules;
    struct text plain = {0};
    const struct game_list games = find_games(report, true);
    const struct columns faults = {game_columns, GAME_COLUMNS, games.count, &games};
    struct columns first = faults;
    first.rows = faults.rows < FAULTS_MAX ? faults.rows : FAULTS_MAX;
    json_t *root = report_json_value(report), *times = json_object_get(root, "times");
    json_object_set_new(times, "seconds", json_null());
    json_object_set_new(times, "players", json_array());
    json_t *data = json_pack(
        "{so so sb sb so si so?}", "report", root, "columns", report_columns_json(report), "print", for_print,
        "on_maps", tournament_takes_maps(rules), "faults", columns_json(&first, NULL), "fault_count",
        faults.rows, "store", report->store != NULL ? string_json(report->store) : NULL);
    add_plain(report, &first, faults.rows, &plain);
    page_write(&(struct page){.title = rules->title[0] != '\0' ? rules->title : "Tournament",
                              .kind = "tournament",
                              .data = data,
                              .plain = text_string(&plain)},
               out);
    json_decref(data);
    text_done(&plain);
    mem_free(games.games);
}

void report_cross_table_html(const struct report *report, struct text *out) {
    write_page(report, false, out);
}

void report_print_html(const struct report *report, struct text *out) {
    write_page(report, true, out);
}

/* ---- the terminal ---- */

enum { PROGRESS_COLUMNS = 192 }; /* of a line without a limit */

/* Rates have the unit in which they are at least 1. The remaining time is rounded up, and extrapolated from
 * the games of this run alone: those of earlier runs took an unknown time. */
static void list_progress(const struct report *report, struct text *out) {
    const int timed = report->games_played - report->games_untimed;
    const int left = report->games_expected - report->games_played;
    const double speed = timed > 0 && report->seconds > 0 ? timed / report->seconds : 0; /* games a second */
    const double seconds = speed > 0 ? left / speed : 0;                                 /* that are left */
    if (speed >= 1)
        text_add(out, "%.1f games a second\n", speed);
    else if (speed * 60 >= 1)
        text_add(out, "%.1f games a minute\n", speed * 60);
    else if (speed > 0)
        text_add(out, "%.1f games an hour\n", speed * 3600);
    if (report->games->voids.count > 0)
        text_add(out, "%d void and played again\n", report->games->voids.count);
    if (report->complete)
        text_add_string(out, "complete\n");
    else if (seconds > 0 && seconds < 60)
        text_add(out, "%.0f s left\n", ceil(seconds));
    else if (seconds > 0 && seconds < 3600)
        text_add(out, "%.0f min left\n", ceil(seconds / 60));
    else if (seconds > 0 && seconds < 48 * 3600)
        text_add(out, "%.0f h %.0f min left\n", floor(seconds / 3600), floor(fmod(seconds, 3600) / 60));
    else if (seconds > 0)
        text_add(out, "%.0f days left\n", ceil(seconds / 86400));
}

/* One line: what does not fit into it is left out. */
static void add_progress(const struct report *report, const struct report_style *style, struct text *out) {
    struct text line = {0}, parts = {0};
    text_add(&line, "%d of %d games", report->games_played, report->games_expected);
    list_progress(report, &parts);
    for (const char *at = text_string(&parts); *at != '\0'; at = strchr(at, '\n') + 1) {
        const int size = (int)strcspn(at, "\n");
        if (style->columns <= 0 || charset_width(text_string(&line)) + 2 + size <= style->columns)
            text_add(&line, ", %.*s", size, at);
    }
    text_add_string(out, style->colour ? "\033[2m" : "");
    columns_fit(text_string(&line), style->columns > 0 ? style->columns : PROGRESS_COLUMNS, out);
    text_add_string(out, style->colour ? "\033[0m\n" : "\n");
    text_done(&line);
    text_done(&parts);
}

/* The first rows are the best players: a short terminal leaves out the others. */
void report_table(const struct report *report, const struct report_style *style, struct text *out) {
    struct standing_table standings;
    assert(style->columns >= 0);
    assert(style->rows >= 0);
    make_standings(report, &standings);
    if (style->rows > 0 && style->rows < standings.table.rows)
        standings.table.rows = style->rows;
    const int hidden = report->tournament->player_count - standings.table.rows;
    columns_terminal(&standings.table,
                     &(struct columns_style){.columns_max = style->columns, .colour = style->colour}, out);
    if (hidden > 0)
        text_add(out, "… and %d more\n", hidden);
    add_progress(report, style, out);
}

/* ---- files ---- */

/* `context` is the report's folder. The folder of faults is made with the first of them. */
static bool write_fault_report(void *context, const struct store_game *game, struct err *e) {
    char folder[FILE_PATH_MAX], path[FILE_PATH_MAX];
    return game->fault_report == NULL ||
           (file_path(folder, e, "%s/faults", (const char *)context) && file_make_folder(folder, e) &&
            file_path(path, e, "%s/game-%06d.json", folder, game->number) &&
            file_write(path, game->fault_report, strlen(game->fault_report), e));
}

/* Every file is written whole or not at all; a later run replaces all of them. */
bool report_write_files(const struct report *report, const char *folder, struct store *store, struct err *e) {
    static const struct {
        const char *name;
        void (*write)(const struct report *report, struct text *out);
    } pages[] = {
        {"results.json", report_json},       {"standings.csv", report_standings_csv},
        {"games.csv", report_games_csv},     {"cross-table.html", report_cross_table_html},
        {"results.html", report_print_html},
    };
    struct text text = {0};
    char path[FILE_PATH_MAX];
    bool ok = file_make_folder(folder, e);
    for (size_t i = 0; ok && i < sizeof pages / sizeof pages[0]; i++) {
        text_clear(&text);
        pages[i].write(report, &text);
        ok = file_path(path, e, "%s/%s", folder, pages[i].name) &&
             file_write(path, text_string(&text), text.size, e);
    }
    text_done(&text);
    snprintf(path, sizeof path, "%s", folder);
    const struct store_visit visit = {.game = write_fault_report, .context = path, .texts = true};
    return ok && (store == NULL || store_visit_games(store, &visit, e));
}
