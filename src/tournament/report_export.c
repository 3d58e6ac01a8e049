/* SPDX-License-Identifier: MIT
 *
 * Standings and games as comma-separated values, and the whole report as one JSON object.
 */
#include "base/encode.h"
#include "base/jsontext.h"
#include "tournament/report_data.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Fields that do not apply are empty. */

/* Adds a comma and the field. */
static void add_next(struct text *out, const char *field) {
    text_add_string(out, ",");
    csv_field(field, out);
}

static void add_number(struct text *out, double value, int decimals) {
    text_add_string(out, ",");
    csv_number(value, decimals, out);
}

/* ---- CSV: standings ---- */

static void add_standings_head(const struct event_rules *rules, bool payoffs, struct text *out) {
    text_add_string(out, "place,player,points,games,wins,draws,losses,score,low,high,first_wins,first_draws,"
                         "first_losses,second_wins,second_draws,second_losses,elo,elo_error,byes,walkovers");
    text_add_string(out, payoffs ? ",payoff,payoff_low,payoff_high" : "");
    for (int i = 0; i < rules->tie_break_count; i++)
        text_add(out, ",tie_%s", event_tie_break_names[rules->tie_breaks[i]]);
    for (int i = PLAYER_FAULT_NONE + 1; i < PLAYER_FAULTS; i++)
        text_add(out, ",fault_%s", player_fault_names[i]);
    text_add_string(out, ",disqualified,spec,author\n");
}

/* Only where payoffs have shades. */
static void add_payoff(const struct report *report, const struct standing *s, struct text *out) {
    struct report_payoff payoff;
    const bool known = report_payoff(report, s, &payoff);
    const double missing = (double)NAN;
    if (!report_has_payoffs(report))
        return;
    add_number(out, known ? payoff.mean : missing, 6);
    add_number(out, known ? payoff.interval.low : missing, 6);
    add_number(out, known ? payoff.interval.high : missing, 6);
}

static void add_standing(const struct report *report, const struct standing *s, struct text *out) {
    const struct entrant *player = &report->event->players[s->player];
    const struct interval interval = report_interval(&s->total);
    const double missing = (double)NAN;
    text_add(out, "%d", s->place);
    add_next(out, player->name);
    add_number(out, s->points, 2);
    text_add(out, ",%d,%d,%d,%d", tally_games(&s->total), s->total.wins, s->total.draws, s->total.losses);
    add_number(out, tally_games(&s->total) > 0 ? tally_score(&s->total) : missing, 6);
    add_number(out, interval.low, 6);
    add_number(out, interval.high, 6);
    for (int side = 0; side < 2; side++)
        text_add(out, ",%d,%d,%d", s->as_side[side].wins, s->as_side[side].draws, s->as_side[side].losses);
    add_number(out, report->ratings != NULL ? report->ratings[s->player].elo : missing, 2);
    add_number(out, report->ratings != NULL ? report->ratings[s->player].error : missing, 2);
    text_add(out, ",%d,%d", s->byes, report->games->walkovers[s->player]);
    add_payoff(report, s, out);
    for (int i = 0; i < report->event->rules.tie_break_count; i++)
        add_number(out, report_tie_break(report, s, i), 4);
    for (int i = PLAYER_FAULT_NONE + 1; i < PLAYER_FAULTS; i++)
        text_add(out, ",%d", s->faults[i]);
    add_next(out, report_is_disqualified(report, s) ? "yes" : "no");
    add_next(out, player->spec);
    add_next(out, player->author);
    text_add_string(out, "\n");
}

void report_standings_csv(const struct report *report, struct text *out) {
    add_standings_head(&report->event->rules, report_has_payoffs(report), out);
    for (int i = 0; i < report->event->player_count; i++)
        add_standing(report, &report->standings[i], out);
}

/* ---- CSV: games ---- */

static double ms_per_decision(const struct outcome *o, int side) {
    return o->decisions[side] > 0 ? (double)o->think_ns[side] * 1e-6 / o->decisions[side] : (double)NAN;
}

static void add_game(const struct report *report, const struct scheduled_game *f, const struct outcome *o,
                     struct text *out) {
    const struct event *event = report->event;
    text_add(out, "%d,%s,%d", f->number, event_stage_names[f->stage], f->round);
    add_next(out, event->maps[f->map].name);
    add_next(out, event->players[f->players[0]].name);
    add_next(out, event->players[f->players[1]].name);
    add_next(out, o->result);
    add_number(out, o->payoff, report_has_payoffs(report) ? 6 : 1);
    add_next(out, o->fault != PLAYER_FAULT_NONE ? player_fault_names[o->fault] : "");
    add_next(out, o->forfeiter != NOBODY ? event->players[f->players[o->forfeiter]].name : "");
    text_add(out, ",%d,%d,%d,%llu", o->actions, o->turns, o->lead_changes, (unsigned long long)f->seed);
    for (int side = 0; side < 2; side++) {
        add_number(out, ms_per_decision(o, side), 3);
        add_number(out, o->decisions[side] > 0 ? (double)o->longest_ns[side] * 1e-6 : (double)NAN, 3);
    }
    text_add_string(out, "\n");
}

void report_games_csv(const struct report *report, struct text *out) {
    const struct games *games = report->games;
    text_add_string(out, "number,stage,round,map,first,second,result,payoff,fault,forfeiter,actions,turns,"
                         "lead_changes,seed,first_ms,first_longest_ms,second_ms,second_longest_ms\n");
    for (int i = 0; i < games->count; i++)
        if (games->outcomes[i].played)
            add_game(report, &games->scheduled[i], &games->outcomes[i], out);
}

/* ---- JSON ----
 *
 * Whatever depends on the machine's speed is in "times" only; numbers are rounded to what they mean, so that
 * the same games give the same bytes on every machine. */

enum { HIGHLIGHTS_PER_KIND = 5 };

/* ---- values ---- */

/* null for what is no number. The sum makes a zero out of a negative zero. */
static json_t *number_json(double value, double unit) {
    const double rounded = round(value / unit) * unit + 0.0;
    return isfinite(rounded) ? json_real(rounded) : json_null();
}

static json_t *share_json(double value) {
    return number_json(value, 1e-6);
}

/* Names come from files and command lines: what is no UTF-8 is read as the maps' other character set. */
static json_t *string_json(const char *string) {
    return jsontext_string(string, strlen(string));
}

/* Adds the fields of a tally; false when memory ran out. */
static bool add_tally(json_t *object, const struct tally *tally) {
    const struct interval interval = report_interval(tally);
    const int games = tally_games(tally);
    json_t *counts = json_pack("{si si si si so s[oo]}", "wins", tally->wins, "draws", tally->draws, "losses",
                               tally->losses, "games", games, "score",
                               games > 0 ? share_json(tally_score(tally)) : json_null(), "interval",
                               share_json(interval.low), share_json(interval.high));
    const bool ok = counts != NULL && json_object_update(object, counts) == 0;
    json_decref(counts);
    return ok;
}

static json_t *tally_json(const struct tally *tally) {
    json_t *object = json_object();
    if (object != NULL && !add_tally(object, tally)) {
        json_decref(object);
        return NULL;
    }
    return object;
}

/* Takes the value; false when it or the memory for it is missing. */
static bool set(json_t *object, const char *key, json_t *value) {
    return value != NULL && json_object_set_new(object, key, value) == 0;
}

/* An array of `count` values. */
static json_t *array_json(int count, json_t *(*value)(const void *from, int index), const void *from) {
    json_t *array = json_array();
    for (int i = 0; array != NULL && i < count; i++)
        if (json_array_append_new(array, value(from, i)) != 0) {
            json_decref(array);
            return NULL;
        }
    return array;
}

/* ---- standings ---- */

static json_t *tie_breaks_json(const struct report *report, const struct standing *standing) {
    const struct event_rules *rules = &report->event->rules;
    json_t *object = json_object();
    bool ok = object != NULL;
    for (int i = 0; ok && i < rules->tie_break_count; i++)
        ok = set(object, event_tie_break_names[rules->tie_breaks[i]],
                 share_json(report_tie_break(report, standing, i)));
    if (!ok)
        json_decref(object);
    return ok ? object : NULL;
}

static json_t *faults_json(const struct standing *standing) {
    json_t *object = json_object();
    bool ok = object != NULL;
    for (int i = PLAYER_FAULT_NONE + 1; ok && i < PLAYER_FAULTS; i++)
        if (standing->faults[i] > 0)
            ok = set(object, player_fault_names[i], json_integer(standing->faults[i]));
    if (!ok)
        json_decref(object);
    return ok ? object : NULL;
}

/* Null while nothing is counted. */
static json_t *payoff_json(const struct report *report, const struct standing *s) {
    struct report_payoff p;
    if (!report_payoff(report, s, &p))
        return json_null();
    return json_pack("{so s[oo] so so ss si}", "mean", number_json(p.mean, 1e-6), "interval",
                     number_json(p.interval.low, 1e-6), number_json(p.interval.high, 1e-6), "low",
                     number_json(p.scale.low, 1e-6), "high", number_json(p.scale.high, 1e-6), "unit",
                     p.scale.unit, "observations", p.observations);
}

static bool fill_standing(json_t *object, const struct report *report, int row) {
    const struct standing *s = &report->standings[row];
    const struct entrant *player = &report->event->players[s->player];
    const struct rating *rating = report->ratings != NULL ? &report->ratings[s->player] : NULL;
    int last;
    const bool shared = report_place_is_shared(report, row, &last);
    bool ok = set(object, "player", string_json(player->name)) &&
              set(object, "place", json_integer(s->place)) && set(object, "shared", json_boolean(shared)) &&
              set(object, "points", share_json(s->points)) && add_tally(object, &s->total) &&
              set(object, "as_first", tally_json(&s->as_side[0])) &&
              set(object, "as_second", tally_json(&s->as_side[1])) &&
              set(object, "elo", rating != NULL ? number_json(rating->elo, 0.01) : json_null()) &&
              set(object, "elo_error", rating != NULL ? number_json(rating->error, 0.01) : json_null()) &&
              set(object, "tie_breaks", tie_breaks_json(report, s)) &&
              set(object, "faults", faults_json(s)) && set(object, "byes", json_integer(s->byes)) &&
              set(object, "walkovers", json_integer(report->games->walkovers[s->player])) &&
              set(object, "decided_by", json_string(event_stage_names[s->decided_by])) &&
              set(object, "disqualified", json_boolean(report_is_disqualified(report, s))) &&
              set(object, "spec", string_json(player->spec));
    if (ok && player->author[0] != '\0')
        ok = set(object, "author", string_json(player->author));
    if (ok && report_has_payoffs(report))
        ok = set(object, "payoff", payoff_json(report, s));
    return ok;
}

static json_t *standing_json(const void *from, int row) {
    json_t *object = json_object();
    if (object != NULL && !fill_standing(object, from, row)) {
        json_decref(object);
        return NULL;
    }
    return object;
}

/* ---- pairings, meetings, maps ---- */

/* How likely it is, by the ratings, that the first is the stronger of the two. */
static json_t *superiority_json(const struct report *report, const int players[2]) {
    const struct rating_fit *fit = report->fit;
    return fit != NULL && fit->superiority != NULL
               ? number_json(fit->superiority[players[0] * fit->player_count + players[1]], 1e-4)
               : json_null();
}

static bool fill_pair(json_t *object, const struct report *report, const int players[2],
                      const struct tally *tally) {
    const struct tally turned = {tally->losses, tally->draws, tally->wins};
    return set(object, "player", string_json(report->event->players[players[0]].name)) &&
           set(object, "opponent", string_json(report->event->players[players[1]].name)) &&
           add_tally(object, tally) &&
           set(object, "points",
               json_pack("[oo]", share_json(report_points(report, tally)),
                         share_json(report_points(report, &turned)))) &&
           set(object, "superiority", superiority_json(report, players));
}

/* Each pair that has met, in the order of the table. */
static json_t *pairings_json(const struct report *report, const struct report_data *data) {
    json_t *array = json_array();
    bool ok = array != NULL;
    for (int i = 0; ok && i < data->player_count; i++)
        for (int j = i + 1; ok && j < data->player_count; j++) {
            const int players[2] = {report->standings[i].player, report->standings[j].player};
            const struct tally *tally = report_cross(data, players[0], players[1]);
            if (tally_games(tally) == 0)
                continue;
            json_t *object = json_object();
            ok = json_array_append_new(array, object) == 0 && fill_pair(object, report, players, tally);
        }
    if (!ok)
        json_decref(array);
    return ok ? array : NULL;
}

static json_t *meetings_json(const struct report *report, const struct report_data *data) {
    json_t *array = json_array();
    bool ok = array != NULL;
    for (int i = 0; ok && i < data->meeting_count; i++) {
        const struct report_meeting *m = &data->meetings[i];
        json_t *object = json_pack("{ss si}", "stage", event_stage_names[m->stage], "round", m->round);
        ok = json_array_append_new(array, object) == 0 && fill_pair(object, report, m->players, &m->tally) &&
             set(object, "games_open", json_integer(m->games_open));
    }
    if (!ok)
        json_decref(array);
    return ok ? array : NULL;
}

struct source {
    const struct report *report;
    const struct report_data *data;
    const struct highlight *highlights;
};

static json_t *map_json(const void *from, int index) {
    const struct source *source = from;
    const struct event_map *map = &source->report->event->maps[index];
    const struct tally *tally = &source->data->by_map[index];
    const struct rating_fit *fit = source->report->fit;
    const struct rating_side *side = fit != NULL && fit->sides != NULL ? &fit->sides[index] : NULL;
    json_t *object = json_pack(
        "{so si so so so}", "map", string_json(map->name), "games", tally_games(tally), "first_side",
        tally_json(tally), "first_side_elo", side != NULL ? number_json(side->elo, 0.01) : json_null(),
        "first_side_elo_error", side != NULL ? number_json(side->error, 0.01) : json_null());
    if (object != NULL && map->author[0] != '\0' && !set(object, "author", string_json(map->author))) {
        json_decref(object);
        return NULL;
    }
    return object;
}

static json_t *highlight_json(const void *from, int index) {
    const struct highlight *h = &((const struct source *)from)->highlights[index];
    return json_pack("{ss si so so}", "kind", highlight_names[h->kind], "game", h->game, "weight",
                     number_json(h->weight, 1e-4), "text", string_json(h->text));
}

static json_t *highlights_json(struct source *source) {
    struct highlight list[REPORT_HIGHLIGHTS_MAX];
    const int count = report_highlights(source->report, HIGHLIGHTS_PER_KIND, list);
    source->highlights = list;
    json_t *array = array_json(count, highlight_json, source);
    source->highlights = NULL;
    return array;
}

/* ---- rules, times ---- */

static json_t *rules_json(const struct event_rules *rules) {
    struct text text = {0};
    json_t *object = NULL;
    if (event_file_write(rules, &text, NULL))
        object = jsontext_own(&text);
    text_done(&text);
    return object;
}

static json_t *player_times_json(const void *from, int row) {
    const struct source *source = from;
    const int player = source->report->standings[row].player;
    const struct report_clock *clock = &source->data->clocks[player];
    const double decisions = (double)clock->decisions;
    return json_pack(
        "{so so so}", "player", string_json(source->report->event->players[player].name), "ms_per_decision",
        clock->decisions > 0 ? number_json((double)clock->think_ns * 1e-6 / decisions, 1e-6) : json_null(),
        "longest_ms", number_json((double)clock->longest_ns * 1e-6, 1e-6));
}

/* Which games are void depends on when this program was stopped, and on nothing else. */
static json_t *void_json(const void *from, int index) {
    const struct source *source = from;
    const struct void_game *v = &source->report->games->voids[index];
    return json_pack("{si so si}", "game", v->number, "gap_seconds",
                     number_json((double)v->gap_ns * 1e-9, 1e-3), "actions", v->actions);
}

static json_t *times_json(const struct source *source) {
    const struct report *report = source->report;
    return json_pack("{so so so so}", "date", string_json(report->date != NULL ? report->date : ""),
                     "seconds", report->seconds >= 0 ? number_json(report->seconds, 1e-3) : json_null(),
                     "players", array_json(report->event->player_count, player_times_json, source), "voids",
                     array_json(report->games->void_count, void_json, source));
}

/* ---- the whole ---- */

static bool fill_event(json_t *root, struct source *source) {
    const struct report *report = source->report;
    const struct event *event = report->event;
    return set(root, "title", string_json(event->rules.title)) &&
           set(root, "game", string_json(event->rules.game)) &&
           set(root, "format", json_string(event_format_names[event->rules.format])) &&
           set(root, "seed", jsontext_seed(event->seed)) &&
           set(root, "complete", json_boolean(report->complete)) &&
           set(root, "games", json_integer(report->games_played)) &&
           set(root, "games_expected", json_integer(report->games_expected)) &&
           set(root, "ratings_connected",
               report->fit != NULL ? json_boolean(report->fit->connected) : json_null()) &&
           set(root, "standings", array_json(event->player_count, standing_json, report)) &&
           set(root, "pairings", pairings_json(report, source->data)) &&
           set(root, "meetings", meetings_json(report, source->data)) &&
           set(root, "maps", array_json(event->map_count, map_json, source)) &&
           set(root, "highlights", highlights_json(source)) &&
           set(root, "rules", rules_json(&event->rules)) && set(root, "times", times_json(source));
}

json_t *report_json_value(const struct report *report) {
    struct report_data data;
    struct source source = {.report = report, .data = &data};
    if (!report_data_make(report, &data))
        return NULL;
    json_t *root = json_object();
    const bool ok = root != NULL && fill_event(root, &source);
    report_data_done(&data);
    if (!ok)
        json_decref(root);
    return ok ? root : NULL;
}

bool report_json(const struct report *report, struct text *out, struct err *e) {
    json_t *root = report_json_value(report);
    char *dump = root != NULL ? json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(12)) : NULL;
    if (dump != NULL)
        text_add(out, "%s\n", dump);
    const bool ok = dump != NULL && !out->failed;
    free(dump);
    json_decref(root);
    return ok || err_set(e, "out of memory");
}
