/* SPDX-License-Identifier: MIT */
#include "match/timing.h"

#include <stdio.h>

enum {
    SECONDS_MAX = 86400,
    TURNS_AHEAD = 20 /* a game's time is shared out as if so many turns were to come */
};

/* What a player is told it may use is less than what it may use: the answer has to travel, too. */
#define USED_SHARE 0.95

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
    return t->turn_s > 0 || t->move_s > 0 || t->game_s > 0 || t->byoyomi_s > 0;
}

bool timing_read(const char *string, struct timing *out, struct err *e) {
    char whole[SPEC_TEXT_MAX];
    struct spec spec;
    const int size = snprintf(whole, sizeof whole, "clock:%s", string);
    if (size < 0 || (size_t)size >= sizeof whole)
        return err_set(e, "clock: more than %zu bytes", sizeof whole - sizeof "clock:");
    if (!spec_parse(whole, &spec, e) || !params_read(timing_params, &spec, out, e))
        return false;
    if ((out->increment_s > 0 || out->byoyomi_s > 0) && !(out->game_s > 0))
        return err_set(e, "clock: increment and byoyomi need game=SECONDS");
    return true;
}

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

static int64_t ns(double seconds) {
    return (int64_t)(seconds * 1e9);
}

static int64_t least(int64_t a, int64_t b) {
    return a < b ? a : b;
}

void timing_start(struct timing_clocks *clocks, const struct timing *timing) {
    *clocks = (struct timing_clocks){0};
    for (int side = 0; side < 2; side++)
        clocks->game_left_ns[side] = ns(timing->game_s);
}

/* Of the game's time and, once that is used up, of this turn's byoyomi. */
static int64_t left_of_game(const struct timing_clocks *c, const struct timing *t, int side) {
    return c->game_left_ns[side] + ns(t->byoyomi_s) - c->byoyomi_used_ns[side];
}

/* What a turn may reasonably take of the game's time. */
static int64_t share_of_game(const struct timing_clocks *c, const struct timing *t, int side) {
    const int64_t turn = c->game_left_ns[side] / TURNS_AHEAD + ns(t->increment_s) + ns(t->byoyomi_s);
    return least(turn - c->byoyomi_used_ns[side], left_of_game(c, t, side));
}

struct ask_time timing_allow(const struct timing_clocks *c, const struct timing *t, int side, int left) {
    int64_t limit = INT64_MAX, share = INT64_MAX;
    const int decisions = left < 1 ? 1 : left;
    if (!timing_is_limited(t))
        return (struct ask_time){0};
    if (t->turn_s > 0) {
        limit = least(limit, ns(t->turn_s) - c->turn_used_ns[side]);
        share = least(share, limit / decisions);
    }
    if (t->game_s > 0) {
        limit = least(limit, left_of_game(c, t, side));
        share = least(share, share_of_game(c, t, side) / decisions);
    }
    if (t->move_s > 0) {
        limit = least(limit, ns(t->move_s));
        share = least(share, ns(t->move_s));
    }
    limit += ns(t->grace_s);
    share = (int64_t)((double)share * USED_SHARE);
    return (struct ask_time){.limit_ns = limit > 1 ? limit : 1,
                             .share_ns = share > 1000000 ? share : 1000000,
                             .patience_ns = ns(t->patience_s)};
}

void timing_spend(struct timing_clocks *c, const struct timing *t, int side, int64_t spent_ns,
                  bool turn_over) {
    const int64_t of_game = least(spent_ns, c->game_left_ns[side]);
    c->turn_used_ns[side] += spent_ns;
    c->game_left_ns[side] -= of_game;
    c->byoyomi_used_ns[side] += t->game_s > 0 ? spent_ns - of_game : 0;
    if (turn_over) {
        c->turn_used_ns[side] = 0;
        c->byoyomi_used_ns[side] = 0;
        c->game_left_ns[side] += ns(t->increment_s);
    }
}
