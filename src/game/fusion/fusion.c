/* SPDX-License-Identifier: MIT
 *
 * The smallest game in which solving each world separately is wrong (strategy fusion): one player, two worlds
 * it cannot distinguish (Cowling, Powley and Whitehouse; figures 2 and 3 of the paper on Geister). a1 leads
 * to a3 or a4, of which one wins 1 and the other loses 1: in world x a4 wins, in world y a3 does. a2 is worth
 * 0.5 at once. With knowledge of the world a1 is worth 1, without it 0. The second side never moves.
 *
 * A state is written `world=x moves=a1,a3`, with `?` for an unknown world and `-` for no moves.
 */
#include "game/plain.h"

#include <assert.h>
#include <string.h>

enum { WORLD_X, WORLD_Y, WORLD_UNKNOWN, WORLDS = 2 };

/* Actions have the numbers in their names. */
enum { A1 = 1, A2, A3, A4 };

/* The last action, 0 at the start. It determines the position, since a3 and a4 only follow a1. */
struct fusion {
    const struct scenario *scenario;
    uint8_t world, last, unused[6];
};

static const char world_letters[] = "xy?";

/* ---- rules ---- */

static void start(void *state, const struct scenario *scenario, struct rng *r) {
    *(struct fusion *)state = (struct fusion){.scenario = scenario, .world = (uint8_t)rng_below(r, WORLDS)};
}

static int mover(const void *state) {
    const int last = ((const struct fusion *)state)->last;
    return last == 0 || last == A1 ? 0 : NOBODY;
}

/* In the order of their names. */
static int actions(const void *state, action *out) {
    out[0] = ((const struct fusion *)state)->last == 0 ? A1 : A3;
    out[1] = out[0] + 1;
    return mover(state) == NOBODY ? 0 : 2;
}

/* Two actions in each position: the list is as cheap as any rule. */
static bool is_legal(const void *state, action a) {
    action list[2];
    return actions(state, list) > 0 && (a == list[0] || a == list[1]);
}

static void play(void *state, action a, struct rng *r) {
    (void)r;
    assert(is_legal(state, a));
    ((struct fusion *)state)->last = (uint8_t)a;
}

/* -1, 0.5 or 1 as 0 … 1. */
static double payoff(const void *state, int side) {
    const struct fusion *s = state;
    const action winner = s->world == WORLD_X ? A4 : A3;
    const double first = s->last == A2 ? 0.75 : s->last == winner ? 1 : 0;
    return side == 0 ? first : 1 - first;
}

static int turn(const void *state) {
    const int last = ((const struct fusion *)state)->last;
    return last == 0 ? 0 : last <= A2 ? 1 : 2;
}

/* The key of a view is that of its information set: both worlds have the same one. */
static uint64_t key(const void *state) {
    const struct fusion *s = state;
    return rng_mix((uint64_t)s->world << 8 | (uint64_t)s->last | UINT64_C(1) << 32);
}

static bool valid(const void *state) {
    const struct fusion *s = state;
    return s->world <= WORLD_UNKNOWN && s->last <= A4;
}

/* ---- views ---- */

/* Neither side sees the world, also not when the game is over. */
static void hide(void *state, int side) {
    (void)side;
    ((struct fusion *)state)->world = WORLD_UNKNOWN;
}

static double worlds(const void *view) {
    return ((const struct fusion *)view)->world == WORLD_UNKNOWN ? WORLDS : 1;
}

static void world(void *view, uint64_t number) {
    struct fusion *s = view;
    assert(number < (uint64_t)worlds(view));
    if (s->world == WORLD_UNKNOWN)
        s->world = (uint8_t)number;
}

/* ---- notation ---- */

static void write_action(const void *state, action a, struct text *out) {
    (void)state;
    text_add(out, "a%u", (unsigned)a);
}

static bool read_action(const void *state, const char *text, action *out, struct err *e) {
    if (text[0] != 'a' || text[1] < '1' || text[1] > '4' || text[2] != '\0')
        return err_set(e, "'%.64s' is no action; expected a1, a2, a3 or a4", text);
    *out = (action)(text[1] - '0');
    return !plain_is_over(state, text, e) &&
           (is_legal(state, *out) ||
            err_set(e, "'%s' is illegal here; expected %s", text, *out <= A2 ? "a3 or a4" : "a1 or a2"));
}

static void write_state(const void *state, struct text *out) {
    static const char *const moves[] = {[0] = "-", [A1] = "a1", [A2] = "a2", [A3] = "a1,a3", [A4] = "a1,a4"};
    const struct fusion *s = state;
    text_add(out, "world=%c moves=%s\n", world_letters[s->world], moves[s->last]);
}

static bool read_state(void *state, const struct scenario *scenario, const char *text, struct err *e) {
    struct plain_fields fields;
    if (!plain_read_fields(text, (const char *const[]){"world", "moves", NULL}, &fields, e))
        return false;
    const char *letter = strchr(world_letters, fields.values[0][0]);
    if (strlen(fields.values[0]) != 1 || letter == NULL)
        return err_set(e, "world=%.64s is unknown; expected x, y or ?", fields.values[0]);
    *(struct fusion *)state =
        (struct fusion){.scenario = scenario, .world = (uint8_t)(letter - world_letters)};
    return plain_play_moves(state, fields.values[1], e);
}

/* After a3 or a4 the payoff depends on the world, which a view does not contain. */
static const char *result(const void *state) {
    const struct fusion *s = state;
    if (mover(state) != NOBODY || s->last == A2)
        return s->last == A2 ? "+0.5" : "none";
    return s->world == WORLD_UNKNOWN ? "unknown" : payoff(state, 0) > 0.5 ? "+1" : "-1";
}

static void scale(const struct scenario *scenario, struct payoff_scale *out) {
    (void)scenario;
    *out = (struct payoff_scale){-1, 1, ""};
}

/* ---- tables ---- */

static const struct rollout rollouts[] = {{"random", "each action is as likely as the other", plain_rollout},
                                          {0}};
static const struct action_list lists[] = {{"all", "both actions", actions}, {0}};

static const struct notation notation = {PLAIN_NOTATION, .scale = scale, .side_names = {"player", "nature"}};

const struct game fusion_game = {
    .name = "fusion",
    .help = "one player, two worlds it cannot tell apart: where per-world search goes wrong",
    .state_size = sizeof(struct fusion),
    .scenario_size = sizeof(struct scenario),
    .actions_max = 2,
    PLAIN_SLOTS,
    PLAIN_VIEWS,
    .play = play,
    .determinize = plain_determinize,
    .evals = plain_evals,
};
