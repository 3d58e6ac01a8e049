/* SPDX-License-Identifier: MIT
 *
 * Players start as one group that shares the first place; each criterion in its turn orders the members of
 * every group that is left and splits it where they differ.
 */
#include "tournament/standings.h"

#include "base/mem.h"

#include <assert.h>
#include <string.h>

struct table {
    const struct event *event;
    const struct games *games;
    struct standing *rows;
    double points[EVENT_PLAYERS_MAX]; /* by player */
    double value[EVENT_PLAYERS_MAX];  /* by player: of the current criterion */
    int group[EVENT_PLAYERS_MAX];     /* by player: the place its group begins at */
};

/* ---- groups ---- */

/* Values are sums of a few halves and points: what is closer than this is equal. */
static bool is_less(double a, double b) {
    return a < b - 1e-9;
}

/* Within a group by value, higher first; a stable sort, so that the order of entry stays where all is equal.
 */
static void refine(struct table *t) {
    const int count = t->event->player_count;
    struct standing *rows = t->rows;
    for (int first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && rows[end].place == rows[first].place; end++)
            continue;
        for (int i = first + 1; i < end; i++) {
            const struct standing moved = rows[i];
            int to = i;
            for (; to > first && is_less(t->value[rows[to - 1].player], t->value[moved.player]); to--)
                rows[to] = rows[to - 1];
            rows[to] = moved;
        }
        for (int i = first, place = first + 1; i < end; i++) {
            if (i > first && is_less(t->value[rows[i].player], t->value[rows[i - 1].player]))
                place = i + 1;
            rows[i].place = place;
        }
    }
}

/* ---- counting ---- */

/* Like a tally: above the middle is won, also where payoffs have shades. */
static double points_for(const struct event_rules *rules, double payoff) {
    return payoff > 0.5 ? rules->win : payoff < 0.5 ? rules->loss : rules->draw;
}

/* While nothing is sorted yet row i is player i. */
static void count_all(struct table *t) {
    const struct games *games = t->games;
    for (int i = 0; i < t->event->player_count; i++) {
        t->rows[i] = (struct standing){.player = i, .place = 1, .byes = games->byes[i]};
        t->rows[i].points = games->walkovers[i] * t->event->rules.win;
    }
    for (int i = 0; i < games->count; i++) {
        const struct scheduled_game *f = &games->scheduled[i];
        const struct outcome *o = &games->outcomes[i];
        if (!o->played)
            continue;
        assert(o->forfeiter == NOBODY || o->forfeiter == 0 || o->forfeiter == 1);
        assert(o->fault >= 0);
        assert(o->fault < PLAYER_FAULTS);
        if (o->forfeiter != NOBODY)
            t->rows[f->players[o->forfeiter]].faults[o->fault]++;
        if (f->stage != STAGE_MAIN)
            continue;
        for (int side = 0; side < 2; side++) {
            struct standing *row = &t->rows[f->players[side]];
            const double payoff = side == 0 ? o->payoff : 1 - o->payoff;
            tally_add(&row->total, payoff);
            tally_add(&row->as_side[side], payoff);
            row->points += points_for(&t->event->rules, payoff);
        }
        /* A pair, whose games are neighbours, is one observation; it counts once both are played. */
        const bool alone = f->pair < 0;
        if (!alone && (i + 1 == games->count || f[1].pair != f->pair || !o[1].played))
            continue;
        const double mean = alone ? o->payoff : (o->payoff + 1 - o[1].payoff) / 2;
        payoffs_add(&t->rows[f->players[0]].payoffs, mean, false);
        payoffs_add(&t->rows[f->players[1]].payoffs, 1 - mean, false);
    }
    for (int i = 0; i < t->event->player_count; i++)
        t->points[i] = t->value[i] = t->rows[i].points;
}

/* ---- criteria ---- */

/* What one game of the main stage adds for one of its players. */
static double tie_value(const struct table *t, enum event_tie_break kind, int me, int other, double payoff) {
    switch (kind) {
    case EVENT_TIE_HEAD_TO_HEAD:
        return t->group[me] == t->group[other] ? points_for(&t->event->rules, payoff) : 0;
    case EVENT_TIE_BUCHHOLZ: return t->points[other];
    case EVENT_TIE_SONNEBORN: return payoff * t->points[other];
    case EVENT_TIE_WINS: return payoff > 0.5 ? 1 : 0;
    case EVENT_TIE_FAULTS: /* see below */
    case EVENT_TIE_BREAKS: break;
    }
    return 0;
}

static void apply_tie_breaks(struct table *t) {
    const struct event_rules *rules = &t->event->rules;
    assert(rules->tie_break_count <= EVENT_TIE_BREAKS_MAX);
    for (int k = 0; k < rules->tie_break_count; k++) {
        const enum event_tie_break kind = rules->tie_breaks[k];
        memset(t->value, 0, sizeof t->value);
        for (int i = 0; i < t->event->player_count; i++)
            t->group[t->rows[i].player] = t->rows[i].place;
        for (int i = 0; i < t->games->count; i++) {
            const struct scheduled_game *f = &t->games->scheduled[i];
            const struct outcome *o = &t->games->outcomes[i];
            if (f->stage != STAGE_MAIN || !o->played)
                continue;
            const int a = f->players[0], b = f->players[1];
            t->value[a] += tie_value(t, kind, a, b, o->payoff);
            t->value[b] += tie_value(t, kind, b, a, 1 - o->payoff);
            if (kind == EVENT_TIE_FAULTS && o->forfeiter != NOBODY)
                t->value[f->players[o->forfeiter]]--;
        }
        for (int i = 0; i < t->event->player_count; i++)
            t->rows[i].tie_breaks[k] = t->value[t->rows[i].player];
        refine(t);
    }
}

static bool is_out(const struct table *t, int player, int stage, int round) {
    return schedule_is_disqualified(t->event, t->games, player, stage, round);
}

/* Each round of play-offs is a criterion of its own: only those still tied took part in it. Disqualified
 * players are ranked behind those that can still play off a tie. */
static void apply_playoffs(struct table *t) {
    const struct event_rules *rules = &t->event->rules;
    bool any = rules->playoff_places > 0; /* the round before was played */
    for (int round = 0; any && round <= rules->playoff_repeats_max; round++) {
        for (int i = 0; i < t->event->player_count; i++)
            t->value[i] = is_out(t, i, STAGE_PLAYOFF, round) ? -1 : 0;
        refine(t);
        any = false;
        memset(t->value, 0, sizeof t->value);
        for (int i = 0; i < t->games->count; i++) {
            const struct scheduled_game *f = &t->games->scheduled[i];
            const struct outcome *o = &t->games->outcomes[i];
            if (f->stage != STAGE_PLAYOFF || f->round != round || !o->played)
                continue;
            any = true;
            t->value[f->players[0]] += points_for(rules, o->payoff);
            t->value[f->players[1]] += points_for(rules, 1 - o->payoff);
        }
        if (any)
            refine(t);
    }
}

/* The number of rounds won in a knock-out is the first criterion; the previous order breaks ties. */
static void apply_bracket(struct table *t, const struct bracket *bracket) {
    struct bracket_state state;
    bracket_walk(t->event, t->games, bracket, &state);
    double before[EVENT_PLAYERS_MAX];
    for (int i = 0; i < t->event->player_count; i++) {
        before[t->rows[i].player] = -t->rows[i].place;
        t->value[t->rows[i].player] = state.level[t->rows[i].player];
        t->rows[i].place = 1;
    }
    refine(t);
    memcpy(t->value, before, sizeof t->value);
    refine(t);
}

static void before_final(struct table *t) {
    count_all(t);
    refine(t);
    apply_tie_breaks(t);
    if (t->event->rules.format == EVENT_KNOCK_OUT) {
        int order[EVENT_PLAYERS_MAX];
        for (int i = 0; i < t->event->player_count; i++)
            order[i] = i;
        apply_bracket(t, &(struct bracket){STAGE_MAIN, t->event->rules.games, t->event->player_count, order});
    }
    apply_playoffs(t);
}

static int finalists_of(const struct table *t, int *out) {
    int count = 0;
    for (int i = 0; i < t->event->player_count && count < t->event->rules.final_players; i++)
        if (!is_out(t, t->rows[i].player, STAGE_FINAL, 0))
            out[count++] = t->rows[i].player;
    return count > 1 ? count : 0;
}

void standings_compute(const struct event *event, const struct games *games, struct standing *out) {
    struct table t = {.event = event, .games = games, .rows = out};
    int order[EVENT_PLAYERS_MAX], finalists = 0;
    assert(event->player_count <= EVENT_PLAYERS_MAX);
    before_final(&t);
    for (int i = games->count - 1; finalists == 0 && i >= 0; i--)
        if (games->scheduled[i].stage == STAGE_FINAL) /* it has begun */
            finalists = finalists_of(&t, order);
    if (finalists > 0)
        apply_bracket(&t, &(struct bracket){STAGE_FINAL, event->rules.final_games, finalists, order});
    for (int i = 0; i < games->count; i++) {
        const struct scheduled_game *f = &games->scheduled[i];
        for (int r = 0; f->stage == STAGE_PLAYOFF && r < event->player_count; r++)
            if (out[r].player == f->players[0] || out[r].player == f->players[1])
                out[r].decided_by = STAGE_PLAYOFF;
    }
    for (int i = 0; i < finalists; i++)
        out[i].decided_by = STAGE_FINAL;
}

int standings_finalists(const struct event *event, const struct games *games, struct standing *scratch,
                        int *out) {
    assert(event->player_count <= EVENT_PLAYERS_MAX);
    struct table t = {.event = event, .games = games, .rows = scratch};
    before_final(&t);
    return finalists_of(&t, out);
}

void standings_text(const struct event *event, const struct games *games, struct text *out) {
    struct standing *rows = mem_alloc((size_t)event->player_count * sizeof *rows);
    standings_compute(event, games, rows);
    for (int i = 0; i < event->player_count; i++) {
        const struct standing *s = &rows[i];
        text_add(out, "%d. %s: %.10g points, %d won, %d drawn, %d lost\n", s->place,
                 event->players[s->player].name, s->points, s->total.wins, s->total.draws, s->total.losses);
    }
    mem_free(rows);
}
