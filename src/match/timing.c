/* SPDX-License-Identifier: MIT */
#include "match/timing.h"

#include <assert.h>
#include <stdio.h>

enum {
    SECONDS_MAX = 86400,
    TURNS_AHEAD = 20 /* a game's time is divided as if this many turns were left */
};

/* The time reported to a player is less than its limit: the answer has to travel, too. */
#define USED_SHARE 0.95

#define FRESH_GRACE_SHARE 0.8

/* Minimum time reported to a player, except when its clock is nearly out. */
#define SHARE_LEAST_NS INT64_C(1000000)

#define SECONDS(field, fallback, text)                                                                       \
    { #field, PARAM_REAL, offsetof(struct timing, field##_s), 0, SECONDS_MAX, fallback, .help = text }

const struct param timing_params[] = {
    SECONDS(turn, 0, "seconds for each turn; 0: no limit"),
    SECONDS(move, 0, "seconds for each decision in a turn"),
    SECONDS(game, 0, "seconds for the whole game"),
    SECONDS(increment, 0, "seconds added to the game's time after each turn"),
    SECONDS(byoyomi, 0, "seconds for each turn once the game's time is used up"),
    SECONDS(grace, 0.1, "seconds forgiven beyond each limit, for the way there and back"),
    SECONDS(patience, 2, "seconds after that before a player that does not answer is killed"),
    {0},
};

bool timing_is_limited(const struct timing *t) {
    return t->turn_s > 0 || t->move_s > 0 || t->game_s > 0; /* byoyomi needs a game's time before it */
}

/* The defaults of the parameter table are "no limit". */
void timing_default(struct timing *out) {
    *out = (struct timing){0};
    params_default(timing_params, out);
}

/* The string is the option list of a spec without a name, so a name is put in front of it. */
bool timing_read(const char *string, struct timing *out, struct err *e) {
    char whole[SPEC_TEXT_MAX];
    struct spec spec;
    const int size = snprintf(whole, sizeof whole, "clock:%s", string);
    if (size < 0 || (size_t)size >= sizeof whole)
        return err_set(e, "clock: more than %zu bytes", sizeof whole - sizeof "clock:");
    *out = (struct timing){0};
    if (!spec_parse(whole, &spec, e) || !params_read(timing_params, &spec, out, e))
        return false;
    if ((out->increment_s > 0 || out->byoyomi_s > 0) && !(out->game_s > 0))
        return err_set(e, "clock: increment and byoyomi need game=SECONDS");
    return true;
}

/* A limit of 0 is none and is not described. */
static void add_part(struct text *out, double seconds, const char *before, const char *after) {
    if (seconds > 0)
        text_add(out, "%s%s%g s%s", out->size > 0 ? ", " : "", before, seconds, after);
}

void timing_describe(const struct timing *t, struct text *out) {
    struct text parts = {0};
    add_part(&parts, t->turn_s, "", " a turn");
    add_part(&parts, t->move_s, "", " a move");
    add_part(&parts, t->game_s, "", " a game");
    add_part(&parts, t->increment_s, "plus ", " a turn");
    add_part(&parts, t->byoyomi_s, "then ", " a turn");
    text_add_string(out, parts.size > 0 ? text_string(&parts) : "no limit");
    text_done(&parts);
}

/* ---- in a game ---- */

/* Limits are given in seconds and counted in nanoseconds. */
static int64_t ns(double seconds) {
    return (int64_t)(seconds * 1e9 + 0.5);
}

static int64_t least(int64_t a, int64_t b) {
    return a < b ? a : b;
}

static int64_t most(int64_t a, int64_t b) {
    return a > b ? a : b;
}

/* Both sides begin with the whole time of the game. */
void timing_start(struct timing_clocks *clocks, const struct timing *timing) {
    *clocks = (struct timing_clocks){0};
    for (int side = 0; side < 2; side++)
        clocks->game_left_ns[side] = ns(timing->game_s);
}

/* The limit ends the game. The share is advice: what a player should use so that the decisions of its
 * turn, and the turns of the game, all get time. */
struct ask_time timing_allow(const struct timing_clocks *c, const struct timing *t, int side, int left) {
    assert(side == 0 || side == 1);
    int64_t limit = INT64_MAX, share = INT64_MAX;
    const int decisions = left < 1 ? 1 : left;
    if (!timing_is_limited(t))
        return (struct ask_time){0};
    if (t->turn_s > 0) {
        limit = least(limit, ns(t->turn_s) - c->turn_used_ns[side]);
        share = least(share, limit / decisions);
    }
    if (t->game_s > 0) {
        /* Of the game's time and, once that is used up, of this turn's byoyomi. */
        const int64_t rest = c->game_left_ns[side] + ns(t->byoyomi_s) - c->byoyomi_used_ns[side];
        /* What this turn may reasonably take of it. A grace that each decision has anew is time to think
         * with, but for the way there and back. */
        const int64_t used = c->turn_used_ns[side];
        const int64_t at_start = c->game_left_ns[side] + used - c->byoyomi_used_ns[side];
        const int64_t turn = at_start / TURNS_AHEAD + ns(t->increment_s) + ns(t->byoyomi_s);
        const int64_t grace = t->is_grace_fresh ? ns(FRESH_GRACE_SHARE * t->grace_s) : 0;
        limit = least(limit, rest);
        share = least(share, (least(turn - used, rest) + grace) / decisions);
    }
    if (t->move_s > 0) {
        limit = least(limit, ns(t->move_s));
        share = least(share, ns(t->move_s));
    }
    limit = most(limit + ns(t->grace_s), 1);
    share = (int64_t)((double)share * USED_SHARE);
    share = most(share, least(SHARE_LEAST_NS, limit / decisions));
    return (struct ask_time){.limit_ns = limit, .share_ns = most(share, 1), .patience_ns = ns(t->patience_s)};
}

void timing_spend(struct timing_clocks *c, const struct timing *t, int side, int64_t spent_ns,
                  bool turn_over) {
    assert(side == 0 || side == 1);
    if (spent_ns < 0) /* the steady clock may step back a little where this program was stopped */
        spent_ns = 0;
    if (t->unit_s > 0)
        spent_ns -= spent_ns % ns(t->unit_s);
    /* Time beyond the game's time is byoyomi. Without byoyomi the clock becomes negative, so that the grace
     * of the game's limit is given once and not in each turn. */
    const int64_t of_game = t->byoyomi_s > 0 ? least(spent_ns, c->game_left_ns[side]) : spent_ns;
    c->turn_used_ns[side] += spent_ns;
    c->game_left_ns[side] -= of_game;
    c->byoyomi_used_ns[side] += spent_ns - of_game;
    if (t->is_grace_fresh)
        c->game_left_ns[side] = most(c->game_left_ns[side], 0);
    if (turn_over) {
        c->turn_used_ns[side] = 0;
        c->byoyomi_used_ns[side] = 0;
        c->game_left_ns[side] += ns(t->increment_s);
    }
}
