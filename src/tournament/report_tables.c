/* SPDX-License-Identifier: MIT
 *
 * The tables of a report as columns (base/columns.h): standings, games, pairings, meetings, maps. All forms
 * of a report are written from them: CSV, JSON, the table for the terminal, pages.
 */
#include "base/charset.h"
#include "base/jsontext.h"
#include "base/mem.h"
#include "base/page.h"
#include "tournament/report_data.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- counts ---- */

enum tally_value { WINS, DRAWS, LOSSES, GAMES, SCORE, LOW, HIGH, INTERVAL };

static void tally_cell(const struct tally *tally, int value, struct column_cell *out) {
    const struct interval interval = report_interval(tally);
    switch ((enum tally_value)value) {
    case WINS: out->number = tally->wins; break;
    case DRAWS: out->number = tally->draws; break;
    case LOSSES: out->number = tally->losses; break;
    case GAMES: out->number = tally_games(tally); break;
    case SCORE: out->number = tally_games(tally) > 0 ? tally_score(tally) : (double)NAN; break;
    case LOW: out->number = interval.low; break;
    case HIGH: out->number = interval.high; break;
    case INTERVAL:
        out->json = json_pack("[oo]", columns_number_json(interval.low, 1e-6),
                              columns_number_json(interval.high, 1e-6));
        break;
    }
}

static json_t *tally_json(const struct tally *tally) {
    const struct interval interval = report_interval(tally);
    const int games = tally_games(tally);
    return json_pack("{si si si si so s[oo]}", "wins", tally->wins, "draws", tally->draws, "losses",
                     tally->losses, "games", games, "score",
                     games > 0 ? columns_number_json(tally_score(tally), 1e-6) : json_null(), "interval",
                     columns_number_json(interval.low, 1e-6), columns_number_json(interval.high, 1e-6));
}

/* ---- standings ---- */

static const struct standing *standing_at(const struct report *report, int row) {
    return &report->standings[row];
}

static void get_total(const void *source, int row, int index, struct column_cell *out) {
    tally_cell(&standing_at(source, row)->total, index, out);
}

static void get_first(const void *source, int row, int index, struct column_cell *out) {
    tally_cell(&standing_at(source, row)->as_side[0], index, out);
}

static void get_second(const void *source, int row, int index, struct column_cell *out) {
    tally_cell(&standing_at(source, row)->as_side[1], index, out);
}

static void get_side(const void *source, int row, int side, struct column_cell *out) {
    const struct tally *tally = &standing_at(source, row)->as_side[side];
    out->json = tally_json(tally);
    if (tally_games(tally) > 0)
        snprintf(out->buffer, sizeof out->buffer, "%.1f%%", 100 * tally_score(tally));
    out->text = tally_games(tally) > 0 ? out->buffer : "-";
}

static void get_place(const void *source, int row, int index, struct column_cell *out) {
    int last;
    (void)index;
    out->number = standing_at(source, row)->place;
    if (report_place_is_shared(source, row, &last)) {
        snprintf(out->buffer, sizeof out->buffer, "%.0f-%d", out->number, last);
        out->text = out->buffer;
    }
}

enum entrant_value { NAME, SPEC, AUTHOR };

static void get_entrant(const void *source, int row, int index, struct column_cell *out) {
    const struct report *report = source;
    const struct standing *s = standing_at(report, row);
    const struct entrant *player = &report->event->players[s->player];
    out->text = index == NAME ? player->name : index == SPEC ? player->spec : player->author;
    if (index == NAME && s->place == 1 && report->games_played > 0)
        out->emphasis = CELL_STRONG;
}

static void get_rating(const void *source, int row, int is_error, struct column_cell *out) {
    const struct report *report = source;
    const int player = standing_at(report, row)->player;
    if (report->ratings != NULL)
        out->number = is_error ? report->ratings[player].error : report->ratings[player].elo;
    out->emphasis = is_error ? CELL_FAINT : CELL_PLAIN;
}

enum standing_value { SHARED, POINTS, BYES, WALKOVERS, DECIDED_BY, DISQUALIFIED };

static void get_standing(const void *source, int row, int index, struct column_cell *out) {
    const struct report *report = source;
    const struct standing *s = standing_at(report, row);
    int last;
    switch ((enum standing_value)index) {
    case SHARED: out->number = report_place_is_shared(report, row, &last); break;
    case POINTS: out->number = s->points; break;
    case BYES: out->number = s->byes; break;
    case WALKOVERS: out->number = report->games->walkovers[s->player]; break;
    case DECIDED_BY: out->text = event_stage_names[s->decided_by]; break;
    case DISQUALIFIED: out->number = report_is_disqualified(report, s); break;
    }
}

enum payoff_value { PAYOFF_MEAN, PAYOFF_LOW, PAYOFF_HIGH, PAYOFF_OBJECT };

static void get_payoff(const void *source, int row, int index, struct column_cell *out) {
    struct report_payoff p;
    const bool known = report_payoff(source, standing_at(source, row), &p);
    if (index == PAYOFF_OBJECT)
        out->json = !known ? json_null()
                           : json_pack("{so s[oo] so so ss si}", "mean", columns_number_json(p.mean, 1e-6),
                                       "interval", columns_number_json(p.interval.low, 1e-6),
                                       columns_number_json(p.interval.high, 1e-6), "low",
                                       columns_number_json(p.scale.low, 1e-6), "high",
                                       columns_number_json(p.scale.high, 1e-6), "unit", p.scale.unit,
                                       "observations", p.observations);
    else if (known)
        out->number = index == PAYOFF_MEAN ? p.mean : index == PAYOFF_LOW ? p.interval.low : p.interval.high;
}

static void get_tie_break(const void *source, int row, int index, struct column_cell *out) {
    out->number = report_tie_break(source, standing_at(source, row), index);
}

static void get_tie_breaks(const void *source, int row, int index, struct column_cell *out) {
    const struct report *report = source;
    const struct event_rules *rules = &report->event->rules;
    (void)index;
    out->json = json_object();
    for (int i = 0; i < rules->tie_break_count; i++)
        json_object_set_new(out->json, event_tie_break_names[rules->tie_breaks[i]],
                            columns_number_json(report_tie_break(report, standing_at(report, row), i), 1e-6));
}

/* Of one kind, or of all (PLAYER_FAULTS). */
static void get_faults(const void *source, int row, int fault, struct column_cell *out) {
    const struct standing *s = standing_at(source, row);
    out->number = fault < PLAYER_FAULTS ? s->faults[fault] : report_faults(s);
    out->emphasis = out->number > 0 ? CELL_WARNING : CELL_PLAIN;
}

static void get_fault_object(const void *source, int row, int index, struct column_cell *out) {
    const struct standing *s = standing_at(source, row);
    (void)index;
    out->json = json_object();
    for (int i = PLAYER_FAULT_NONE + 1; i < PLAYER_FAULTS; i++)
        if (s->faults[i] > 0)
            json_object_set_new(out->json, player_fault_names[i], json_integer(s->faults[i]));
}

enum { READERS = IN_TERMINAL | IN_HTML };

/* Before the tie-breaks. A new column is one line here, and one in web/src/tournaments/text.ts. */
static const struct column standing_columns[] = {
    {"place", "#", COLUMN_COUNT, get_place},
    {"player", "player", COLUMN_TEXT, get_entrant, NAME, .is_left = true, .is_cut = true},
    {"shared", "", COLUMN_FLAG, get_standing, SHARED, .where = IN_JSON},
    {"points", "points", COLUMN_NUMBER, get_standing, POINTS, .decimals = 2, .leaves = 6},
    {"games", "games", COLUMN_COUNT, get_total, GAMES, .leaves = 1},
    {"wins", "W", COLUMN_COUNT, get_total, WINS, .leaves = 2},
    {"draws", "D", COLUMN_COUNT, get_total, DRAWS, .leaves = 2},
    {"losses", "L", COLUMN_COUNT, get_total, LOSSES, .leaves = 2},
    {"score", "score", COLUMN_PERCENT, get_total, SCORE, .decimals = 6, .leaves = 4},
    {"low", "", COLUMN_PERCENT, get_total, LOW, .decimals = 6, .where = IN_CSV},
    {"high", "", COLUMN_PERCENT, get_total, HIGH, .decimals = 6, .where = IN_CSV},
    {"interval", "", COLUMN_JSON, get_total, INTERVAL, .where = IN_JSON},
    {"first_wins", "", COLUMN_COUNT, get_first, WINS, .where = IN_CSV},
    {"first_draws", "", COLUMN_COUNT, get_first, DRAWS, .where = IN_CSV},
    {"first_losses", "", COLUMN_COUNT, get_first, LOSSES, .where = IN_CSV},
    {"second_wins", "", COLUMN_COUNT, get_second, WINS, .where = IN_CSV},
    {"second_draws", "", COLUMN_COUNT, get_second, DRAWS, .where = IN_CSV},
    {"second_losses", "", COLUMN_COUNT, get_second, LOSSES, .where = IN_CSV},
    {"payoff", "payoff", COLUMN_FIXED, get_payoff, PAYOFF_MEAN, .places = 3, .leaves = 5, .where = READERS},
    {"elo", "Elo", COLUMN_SIGNED, get_rating, false, .decimals = 2, .unit = 0.01, .leaves = 3},
    {"elo_error", "", COLUMN_ERROR, get_rating, true, .decimals = 2, .unit = 0.01, .leaves = 3},
    {"as_first", "as first", COLUMN_JSON, get_side, 0, .where = IN_JSON | IN_HTML},
    {"as_second", "as second", COLUMN_JSON, get_side, 1, .where = IN_JSON | IN_HTML},
    {"byes", "", COLUMN_COUNT, get_standing, BYES, .where = IN_DATA},
    {"walkovers", "walk-overs", COLUMN_COUNT, get_standing, WALKOVERS, .where = IN_DATA | IN_HTML},
    {"payoff", "", COLUMN_FIXED, get_payoff, PAYOFF_MEAN, .decimals = 6, .where = IN_CSV},
    {"payoff_low", "", COLUMN_FIXED, get_payoff, PAYOFF_LOW, .decimals = 6, .where = IN_CSV},
    {"payoff_high", "", COLUMN_FIXED, get_payoff, PAYOFF_HIGH, .decimals = 6, .where = IN_CSV},
    {"payoff", "", COLUMN_JSON, get_payoff, PAYOFF_OBJECT, .where = IN_JSON},
};

/* After them. */
static const struct column standing_columns_last[] = {
    {"tie_breaks", "", COLUMN_JSON, get_tie_breaks, .where = IN_JSON},
    {"faults", "faults", COLUMN_COUNT, get_faults, PLAYER_FAULTS, .leaves = 5, .where = READERS},
    {"faults", "", COLUMN_JSON, get_fault_object, .where = IN_JSON},
    {"disqualified", "", COLUMN_FLAG, get_standing, DISQUALIFIED, .where = IN_DATA},
    {"decided_by", "", COLUMN_TEXT, get_standing, DECIDED_BY, .where = IN_JSON},
    {"spec", "", COLUMN_TEXT, get_entrant, SPEC, .where = IN_DATA},
    {"author", "", COLUMN_TEXT, get_entrant, AUTHOR, .where = IN_DATA, .is_optional = true},
};

/* The fields of results.json keep their order. */
static const char *const standing_fields[] = {
    "player", "place",     "shared",     "points",       "wins", "draws",     "losses",     "games",
    "score",  "interval",  "as_first",   "as_second",    "elo",  "elo_error", "tie_breaks", "faults",
    "byes",   "walkovers", "decided_by", "disqualified", "spec", "author",    "payoff",     NULL};

/* Wins and faults have columns of their own. */
static const char *const tie_break_titles[EVENT_TIE_BREAKS] = {
    [EVENT_TIE_HEAD_TO_HEAD] = "head to head",
    [EVENT_TIE_BUCHHOLZ] = "Buchholz",
    [EVENT_TIE_SONNEBORN] = "Sonneborn-Berger",
};

static void add_standing_columns(const struct report *report, const struct column *from, int count,
                                 struct standing_table *out) {
    bool walkovers = false, faults = false;
    for (int i = 0; i < report->event->player_count; i++) {
        walkovers = walkovers || report->games->walkovers[i] > 0;
        faults = faults || report_faults(&report->standings[i]) > 0;
    }
    for (int i = 0; i < count; i++) {
        struct column *column = &out->list[out->table.count];
        *column = from[i];
        if (column->get == get_payoff && !report_has_payoffs(report))
            continue;
        if (column->get == get_faults && !faults)
            continue;
        if (strcmp(column->name, "elo_error") == 0 && report->ratings == NULL)
            column->where = IN_DATA;
        if (strcmp(column->name, "walkovers") == 0 && !walkovers)
            column->where = IN_DATA;
        out->table.count++;
    }
}

void report_standings(const struct report *report, struct standing_table *out) {
    const struct event_rules *rules = &report->event->rules;
    *out = (struct standing_table){.table = {out->list, 0, report->event->player_count, report}};
    add_standing_columns(report, standing_columns, sizeof standing_columns / sizeof standing_columns[0], out);
    for (int i = 0; i < rules->tie_break_count; i++) {
        const enum event_tie_break tie_break = rules->tie_breaks[i];
        const char *title = tie_break_titles[tie_break];
        char *name = out->names[i];
        snprintf(name, sizeof out->names[i], "tie_%s", event_tie_break_names[tie_break]);
        out->list[out->table.count++] = (struct column){name,
                                                        title != NULL ? title : "",
                                                        COLUMN_NUMBER,
                                                        get_tie_break,
                                                        i,
                                                        .decimals = 4,
                                                        .where = title != NULL ? IN_CSV | IN_HTML : IN_CSV};
    }
    for (int i = PLAYER_FAULT_NONE + 1; i < PLAYER_FAULTS; i++) {
        char *name = out->names[EVENT_TIE_BREAKS_MAX + i];
        snprintf(name, sizeof out->names[0], "fault_%s", player_fault_names[i]);
        out->list[out->table.count++] =
            (struct column){name, "", COLUMN_COUNT, get_faults, i, .where = IN_CSV};
    }
    add_standing_columns(report, standing_columns_last,
                         sizeof standing_columns_last / sizeof standing_columns_last[0], out);
    assert(out->table.count <= COLUMNS_MAX);
}

void report_standings_csv(const struct report *report, struct text *out) {
    struct standing_table standings;
    report_standings(report, &standings);
    columns_csv(&standings.table, out);
}

/* ---- games ---- */

/* The games that were played, or those of them that ended by a fault. */
struct game_rows {
    const struct report *report;
    int *games;
    int count;
};

enum game_value {
    NUMBER,
    STAGE,
    ROUND,
    MAP,
    FIRST,
    SECOND,
    RESULT,
    PAYOFF,
    FAULT,
    FORFEITER,
    RULING,
    ACTIONS,
    TURNS,
    LEAD_CHANGES,
    SEED,
    MS /* and of the second side */,
    LONGEST_MS = MS + 2
};

static void get_game(const void *source, int row, int index, struct column_cell *out) {
    const struct game_rows *rows = source;
    const struct event *event = rows->report->event;
    const struct scheduled_game *f = &rows->report->games->scheduled[rows->games[row]];
    const struct outcome *o = &rows->report->games->outcomes[rows->games[row]];
    const int side = index >= LONGEST_MS ? index - LONGEST_MS : index - MS;
    switch (index) {
    case NUMBER: out->number = f->number; break;
    case STAGE: out->text = event_stage_names[f->stage]; break;
    case ROUND: out->number = f->round; break;
    case MAP: out->text = event->maps[f->map].name; break;
    case FIRST: out->text = event->players[f->players[0]].name; break;
    case SECOND: out->text = event->players[f->players[1]].name; break;
    case RESULT: out->text = o->result; break;
    case PAYOFF: out->number = o->payoff; break;
    case FAULT: out->text = o->fault != PLAYER_FAULT_NONE ? player_fault_names[o->fault] : ""; break;
    case FORFEITER:
        out->text = o->forfeiter != NOBODY ? event->players[f->players[o->forfeiter]].name : "";
        break;
    case RULING: out->text = o->forfeiter != NOBODY ? report_ruling(o) : ""; break;
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

static void find_games(const struct report *report, bool only_faults, struct game_rows *out) {
    const struct games *games = report->games;
    *out = (struct game_rows){report, mem_alloc(((size_t)games->count + 1) * sizeof *out->games), 0};
    for (int i = 0; i < games->count; i++)
        if (games->outcomes[i].played && (!only_faults || games->outcomes[i].forfeiter != NOBODY))
            out->games[out->count++] = i;
}

void report_games_csv(const struct report *report, struct text *out) {
    struct column list[GAME_COLUMNS];
    struct game_rows rows;
    memcpy(list, game_columns, sizeof list);
    for (int i = 0; i < GAME_COLUMNS; i++)
        if (list[i].index == PAYOFF && report_has_payoffs(report))
            list[i].decimals = 6;
    find_games(report, false, &rows);
    columns_csv(&(struct columns){list, GAME_COLUMNS, rows.count, &rows}, out);
    mem_free(rows.games);
}

/* ---- pairings and meetings ---- */

struct pair_rows {
    const struct report *report;
    const struct report_meeting *meetings;
};

enum pair_value { PLAYER = INTERVAL + 1, OPPONENT, PAIR_POINTS, SUPERIORITY, PAIR_STAGE, PAIR_ROUND, OPEN };

static void get_pair(const void *source, int row, int index, struct column_cell *out) {
    const struct pair_rows *rows = source;
    const struct report_meeting *m = &rows->meetings[row];
    const struct entrant *players = rows->report->event->players;
    const struct rating_fit *fit = rows->report->fit;
    const struct tally turned = {m->tally.losses, m->tally.draws, m->tally.wins};
    switch (index) {
    case PLAYER: out->text = players[m->players[0]].name; break;
    case OPPONENT: out->text = players[m->players[1]].name; break;
    case PAIR_POINTS:
        out->json = json_pack("[oo]", columns_number_json(report_points(rows->report, &m->tally), 1e-6),
                              columns_number_json(report_points(rows->report, &turned), 1e-6));
        break;
    case SUPERIORITY: /* how likely it is, by the ratings, that the first is the stronger of the two */
        if (fit != NULL && fit->superiority != NULL)
            out->number = fit->superiority[m->players[0] * fit->player_count + m->players[1]];
        break;
    case PAIR_STAGE: out->text = event_stage_names[m->stage]; break;
    case PAIR_ROUND: out->number = m->round; break;
    case OPEN: out->number = m->games_open; break;
    default: tally_cell(&m->tally, index, out);
    }
}

/* Meetings have all of these columns, pairings those between. */
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

/* Each pair that has met, in the order of the table. */
static int find_pairings(const struct report *report, const struct report_data *data,
                         struct report_meeting *out) {
    int count = 0;
    for (int i = 0; i < data->player_count; i++)
        for (int j = i + 1; j < data->player_count; j++) {
            const int a = report->standings[i].player, b = report->standings[j].player;
            const struct tally *tally = report_cross(data, a, b);
            if (tally_games(tally) > 0)
                out[count++] = (struct report_meeting){.players = {a, b}, .tally = *tally};
        }
    return count;
}

/* As JSON or, with `out`, as HTML. */
static json_t *write_pairings(const struct report *report, const struct report_data *data, struct text *out) {
    const size_t players = (size_t)data->player_count;
    struct report_meeting *pairs = mem_alloc((players * players + 1) * sizeof *pairs);
    const struct pair_rows rows = {report, pairs};
    const struct columns table = {pair_columns + 2, PAIR_COLUMNS - 3, find_pairings(report, data, pairs),
                                  &rows};
    json_t *list = NULL;
    if (out != NULL)
        columns_html(&table, out);
    else
        list = columns_json(&table, NULL);
    mem_free(pairs);
    return list;
}

/* ---- maps ---- */

struct map_rows {
    const struct report *report;
    const struct report_data *data;
};

enum map_value { MAP_NAME = INTERVAL + 1, MAP_SIDE, MAP_ELO, MAP_ELO_ERROR, MAP_AUTHOR };

static void get_map(const void *source, int row, int index, struct column_cell *out) {
    const struct map_rows *rows = source;
    const struct event_map *map = &rows->report->event->maps[row];
    const struct rating_fit *fit = rows->report->fit;
    switch (index) {
    case MAP_NAME: out->text = map->name; break;
    case MAP_AUTHOR: out->text = map->author; break;
    case MAP_SIDE: out->json = tally_json(&rows->data->by_map[row]); break;
    case MAP_ELO:
    case MAP_ELO_ERROR:
        if (fit != NULL && fit->sides != NULL)
            out->number = index == MAP_ELO ? fit->sides[row].elo : fit->sides[row].error;
        break;
    default: tally_cell(&rows->data->by_map[row], index, out);
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

static struct columns map_table(const struct map_rows *rows) {
    return (struct columns){map_columns, sizeof map_columns / sizeof map_columns[0],
                            rows->report->event->map_count, rows};
}

/* ---- JSON ----
 *
 * Whatever depends on the machine's speed is in "times" only; numbers are rounded to what they mean, so that
 * the same games give the same bytes on every machine. */

enum { HIGHLIGHTS_PER_KIND = 5 };

static json_t *string_json(const char *string) {
    return jsontext_string(string, strlen(string));
}

static json_t *highlights_json(const struct report *report) {
    struct highlight found[REPORT_HIGHLIGHTS_MAX];
    const int count = report_highlights(report, HIGHLIGHTS_PER_KIND, found);
    json_t *list = json_array();
    for (int i = 0; i < count; i++)
        json_array_append_new(list,
                              json_pack("{ss si so so}", "kind", highlight_names[found[i].kind], "game",
                                        found[i].game, "weight", columns_number_json(found[i].weight, 1e-4),
                                        "text", string_json(found[i].text)));
    return list;
}

static json_t *rules_json(const struct event_rules *rules) {
    struct text text = {0};
    json_t *object = event_file_write(rules, &text, NULL) ? jsontext_own(&text) : json_null();
    text_done(&text);
    return object;
}

/* Which games are void depends on when this program was stopped, and on nothing else. */
static json_t *times_json(const struct report *report, const struct report_data *data) {
    json_t *players = json_array(), *voids = json_array();
    for (int i = 0; i < data->player_count; i++) {
        const int player = report->standings[i].player;
        const struct report_clock *clock = &data->clocks[player];
        const double mean = (double)clock->think_ns * 1e-6 / (double)clock->decisions;
        json_array_append_new(
            players,
            json_pack("{so so so}", "player", string_json(report->event->players[player].name),
                      "ms_per_decision", clock->decisions > 0 ? columns_number_json(mean, 1e-6) : json_null(),
                      "longest_ms", columns_number_json((double)clock->longest_ns * 1e-6, 1e-6)));
    }
    for (int i = 0; i < report->games->voids.count; i++) {
        const struct void_game *v = &report->games->voids.games[i];
        json_array_append_new(voids, json_pack("{si so si}", "game", v->number, "gap_seconds",
                                               columns_number_json((double)v->gap_ns * 1e-9, 1e-3), "actions",
                                               v->actions));
    }
    return json_pack("{so so so so}", "date", string_json(report->date != NULL ? report->date : ""),
                     "seconds",
                     report->seconds >= 0 ? columns_number_json(report->seconds, 1e-3) : json_null(),
                     "players", players, "voids", voids);
}

json_t *report_json_value(const struct report *report) {
    const struct event *event = report->event;
    struct report_data data;
    struct standing_table standings;
    report_data_make(report, &data);
    report_standings(report, &standings);
    const struct pair_rows meetings = {report, data.meetings};
    const struct columns meeting_table = {pair_columns, PAIR_COLUMNS, data.meeting_count, &meetings};
    const struct map_rows maps = {report, &data};
    const struct columns maps_table = map_table(&maps);
    json_t *root = json_pack(
        "{so so ss so sb si si so so so so so so so so}", "title", string_json(event->rules.title), "game",
        string_json(event->rules.game), "format", event_format_names[event->rules.format], "seed",
        jsontext_seed(event->seed), "complete", report->complete, "games", report->games_played,
        "games_expected", report->games_expected, "ratings_connected",
        report->fit != NULL ? json_boolean(report->fit->connected) : json_null(), "standings",
        columns_json(&standings.table, standing_fields), "pairings", write_pairings(report, &data, NULL),
        "meetings", columns_json(&meeting_table, NULL), "maps", columns_json(&maps_table, NULL), "highlights",
        highlights_json(report), "rules", rules_json(&event->rules), "times", times_json(report, &data));
    report_data_done(&data);
    return root;
}

void report_json(const struct report *report, struct text *out) {
    json_t *root = report_json_value(report);
    char *dump = json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(12));
    text_add(out, "%s\n", dump);
    free(dump);
    json_decref(root);
}

/* ---- pages ---- */

enum { FAULTS_MAX = 100 };

json_t *report_columns_json(const struct report *report) {
    struct standing_table standings;
    report_standings(report, &standings);
    return columns_describe(&standings.table);
}

/* Times of games are left out: the same games give the same page, but for the date. */
static json_t *page_json(const struct report *report, bool for_print, const struct columns *faults) {
    json_t *root = report_json_value(report), *times = json_object_get(root, "times");
    struct columns first = *faults;
    first.rows = faults->rows < FAULTS_MAX ? faults->rows : FAULTS_MAX;
    json_object_set_new(times, "seconds", json_null());
    json_object_set_new(times, "players", json_array());
    return json_pack("{so so sb sb so si so}", "report", root, "columns", report_columns_json(report),
                     "print", for_print, "on_maps", event_takes_maps(&report->event->rules), "faults",
                     columns_json(&first, NULL), "fault_count", faults->rows, "store",
                     report->store != NULL ? string_json(report->store) : json_null());
}

static void add_plain(const struct report *report, const struct columns *faults, struct text *out) {
    struct report_data data;
    struct standing_table standings;
    report_data_make(report, &data);
    report_standings(report, &standings);
    const struct map_rows rows = {report, &data};
    const struct columns maps = map_table(&rows);
    text_add(out, "<p>%d of %d games</p>\n<h2>Standings</h2>\n", report->games_played,
             report->games_expected);
    columns_html(&standings.table, out);
    text_add_string(out, "<h2>Pairings</h2>\n");
    write_pairings(report, &data, out);
    text_add_string(out, "<h2>First side</h2>\n");
    columns_html(&maps, out);
    if (faults->rows > 0) {
        text_add_string(out, "<h2>Faults</h2>\n");
        columns_html(faults, out);
    }
    report_data_done(&data);
}

static void write_page(const struct report *report, bool for_print, struct text *out) {
    struct game_rows rows;
    struct text plain = {0};
    find_games(report, true, &rows);
    const struct columns faults = {game_columns, GAME_COLUMNS, rows.count, &rows};
    json_t *data = page_json(report, for_print, &faults);
    add_plain(report, &faults, &plain);
    page_write(&(struct page){.title = report->event->rules.title[0] != '\0' ? report->event->rules.title
                                                                             : "Tournament",
                              .kind = "tournament",
                              .data = data,
                              .plain = text_string(&plain)},
               out);
    json_decref(data);
    text_done(&plain);
    mem_free(rows.games);
}

void report_cross_table_html(const struct report *report, struct text *out) {
    write_page(report, false, out);
}

void report_print_html(const struct report *report, struct text *out) {
    write_page(report, true, out);
}

/* ---- the terminal ---- */

enum { WORDS_MAX = 48 };

static void describe_speed(double games_a_second, char *out) {
    if (games_a_second >= 1)
        snprintf(out, WORDS_MAX, "%.1f games a second", games_a_second);
    else if (games_a_second * 60 >= 1)
        snprintf(out, WORDS_MAX, "%.1f games a minute", games_a_second * 60);
    else
        snprintf(out, WORDS_MAX, "%.1f games an hour", games_a_second * 3600);
}

static void describe_left(double seconds, char *out) {
    if (seconds < 60)
        snprintf(out, WORDS_MAX, "%.0f s left", ceil(seconds));
    else if (seconds < 3600)
        snprintf(out, WORDS_MAX, "%.0f min left", ceil(seconds / 60));
    else if (seconds < 48 * 3600)
        snprintf(out, WORDS_MAX, "%.0f h %.0f min left", floor(seconds / 3600),
                 floor(fmod(seconds, 3600) / 60));
    else
        snprintf(out, WORDS_MAX, "%.0f days left", ceil(seconds / 86400));
}

/* Adds the text if it fits. */
static void add_words(struct text *line, const char *words, int columns_max) {
    const int width = charset_width(text_string(line)) + 2 + (int)strlen(words);
    if (columns_max <= 0 || width <= columns_max)
        text_add(line, ", %s", words);
}

static void add_progress(const struct report *report, const struct report_style *style, struct text *out) {
    struct text line = {0};
    char words[WORDS_MAX];
    const int timed = report->games_played - report->games_untimed;
    const double speed = timed > 0 && report->seconds > 0 ? timed / report->seconds : 0;
    const int left = report->games_expected - report->games_played;
    text_add(&line, "%d of %d games", report->games_played, report->games_expected);
    if (speed > 0) {
        describe_speed(speed, words);
        add_words(&line, words, style->columns);
    }
    if (report->games->voids.count > 0) {
        snprintf(words, sizeof words, "%d void and played again", report->games->voids.count);
        add_words(&line, words, style->columns);
    }
    if (report->complete)
        add_words(&line, "complete", style->columns);
    else if (speed > 0 && left > 0) {
        describe_left(left / speed, words);
        add_words(&line, words, style->columns);
    }
    text_add_string(out, style->colour ? "\033[2m" : "");
    columns_fit(text_string(&line), style->columns > 0 ? style->columns : WORDS_MAX * 4, out);
    text_add_string(out, style->colour ? "\033[0m\n" : "\n");
    text_done(&line);
}

void report_table(const struct report *report, const struct report_style *style, struct text *out) {
    struct standing_table standings;
    assert(style->columns >= 0);
    assert(style->rows >= 0);
    report_standings(report, &standings);
    if (style->rows > 0 && style->rows < standings.table.rows)
        standings.table.rows = style->rows;
    const int hidden = report->event->player_count - standings.table.rows;
    columns_terminal(&standings.table,
                     &(struct columns_style){.columns_max = style->columns, .colour = style->colour}, out);
    if (hidden > 0)
        text_add(out, "… and %d more\n", hidden);
    add_progress(report, style, out);
}
