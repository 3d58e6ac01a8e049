/* SPDX-License-Identifier: MIT
 *
 * Standings and games as comma-separated values. Fields that do not apply are empty.
 */
#include "tournament/report_facts.h"

#include "base/encode.h"

#include <math.h>

/* A field and the comma before it. */
static void add_next(struct text *out, const char *field) {
    text_add_string(out, ",");
    csv_field(field, out);
}

static void add_number(struct text *out, double value, int decimals) {
    text_add_string(out, ",");
    csv_number(value, decimals, out);
}

/* ---- standings ---- */

static void add_standings_head(const struct rules *rules, bool payoffs, struct text *out) {
    text_add_string(out, "place,player,points,games,wins,draws,losses,score,low,high,first_wins,first_draws,"
                         "first_losses,second_wins,second_draws,second_losses,elo,elo_error,byes,walkovers");
    text_add_string(out, payoffs ? ",payoff,payoff_low,payoff_high" : "");
    for (int i = 0; i < rules->tie_break_count; i++)
        text_add(out, ",tie_%s", rules_tie_break_names[rules->tie_breaks[i]]);
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

/* ---- games ---- */

static double ms_per_decision(const struct outcome *o, int side) {
    return o->decisions[side] > 0 ? (double)o->think_ns[side] * 1e-6 / o->decisions[side] : (double)NAN;
}

static void add_game(const struct report *report, const struct fixture *f, const struct outcome *o,
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
            add_game(report, &games->fixtures[i], &games->outcomes[i], out);
}
