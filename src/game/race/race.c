/* SPDX-License-Identifier: MIT
 *
 * A race with a die: the smallest example of an open game with chance after its start. Both sides run along a
 * track of `track` fields and move in turn. `step` advances two fields. `throw` casts a die with the faces 1,
 * 1, 3 and 5, and advances as many. The first side that reaches the end wins. A throw advances 2.5 fields on
 * average, but two fields are sure: who is ahead steps, who is behind throws.
 *
 *     at=4,7 turn=5        the first side stands on field 4, the second on 7, after five turns
 */
#include "game/face.h"
#include "game/plain.h"

#include <assert.h>
#include <stdio.h>

enum { STEP, THROW, STEP_FIELDS = 2, FACES = 4, TRACK_MAX = 30 };

static const uint8_t faces[FACES] = {1, 1, 3, 5};
static const char *const action_names[] = {[STEP] = "step", [THROW] = "throw", NULL};

struct race_scenario {
    struct scenario scenario;
    int track;
};

struct race {
    const struct scenario *scenario;
    uint8_t at[2], turn, unused[5];
};

static const struct param options[] = {
    {"track", PARAM_INT, offsetof(struct race_scenario, track), 3, TRACK_MAX, 10,
     .help = "fields to the end"},
    {0},
};

static int track_of(const void *state) {
    return ((const struct race_scenario *)((const struct race *)state)->scenario)->track;
}

/* ---- rules ---- */

static void start(void *state, const struct scenario *scenario, struct rng *r) {
    (void)r;
    *(struct race *)state = (struct race){.scenario = scenario};
}

static int mover(const void *state) {
    const struct race *s = state;
    const int track = track_of(state);
    return s->at[0] >= track || s->at[1] >= track ? NOBODY : s->turn % 2;
}

/* Step, then throw. */
static int actions(const void *state, action *out) {
    out[0] = STEP;
    out[1] = THROW;
    return mover(state) == NOBODY ? 0 : 2;
}

static bool is_legal(const void *state, action a) {
    return mover(state) != NOBODY && a <= THROW;
}

/* Faces, not distances: the two faces with a 1 are two outcomes, so that all are equally likely. */
static int outcomes(const void *state, action a) {
    (void)state;
    return a == THROW ? FACES : 1;
}

/* A side stops at the end of the track, so that finished positions do not differ by the last die. */
static void play_outcome(void *state, action a, int outcome) {
    struct race *s = state;
    assert(is_legal(state, a));
    assert(outcome >= 0 && outcome < outcomes(state, a));
    const int side = mover(state), end = track_of(state);
    const int to = s->at[side] + (a == STEP ? STEP_FIELDS : faces[outcome]);
    s->at[side] = (uint8_t)(to < end ? to : end);
    s->turn++;
}

/* Only one side has reached the end, so that no draw exists. */
static double payoff(const void *state, int side) {
    return ((const struct race *)state)->at[side] >= track_of(state) ? 1 : 0;
}

static int turn(const void *state) {
    return ((const struct race *)state)->turn;
}

/* Without the number of turns but for the side to move. */
static uint64_t key(const void *state) {
    const struct race *s = state;
    return rng_mix((uint64_t)s->at[0] | (uint64_t)s->at[1] << 8 | (uint64_t)(s->turn % 2) << 16 |
                   UINT64_C(1) << 32);
}

/* Every turn advances its side by one field at least; both cannot have reached the end. */
static bool valid(const void *state) {
    const struct race *s = state;
    const int track = track_of(state);
    return s->at[0] <= track && s->at[1] <= track && s->at[0] + s->at[1] < 2 * track &&
           (s->turn + 1) / 2 <= s->at[0] && s->turn / 2 <= s->at[1];
}

/* In fields; the bare lead, as the example of an evaluation in a game's own units. */
static double value_lead(const void *state, int side, const double *weights) {
    const struct race *s = state;
    (void)weights;
    return s->at[side] - s->at[side ^ 1];
}

/* ---- notation ---- */

static void write_state(const void *state, struct text *out) {
    const struct race *s = state;
    text_add(out, "at=%d,%d turn=%d\n", s->at[0], s->at[1], s->turn);
}

static bool read_state(void *state, const struct scenario *scenario, const char *text, struct err *e) {
    struct race *s = state;
    struct plain_fields fields;
    char *places[2];
    long at[2], turns;
    if (!plain_read_fields(text, (const char *const[]){"at", "turn", NULL}, &fields, e))
        return false;
    if (text_split(fields.values[0], ',', places, 2) != 2 || !text_to_int(places[0], &at[0]) ||
        !text_to_int(places[1], &at[1]) || !text_to_int(fields.values[1], &turns) || at[0] < 0 || at[1] < 0 ||
        at[0] > TRACK_MAX || at[1] > TRACK_MAX || turns < 0 || turns > 2 * TRACK_MAX)
        return err_set(e, "'%.64s' is no state; expected two fields and a number of turns, at=4,7 turn=5",
                       text);
    *s = (struct race){scenario, {(uint8_t)at[0], (uint8_t)at[1]}, (uint8_t)turns, {0}};
    return valid(state) || err_set(e, "at=%ld,%ld turn=%ld cannot come about", at[0], at[1], turns);
}

static const char *result(const void *state) {
    return mover(state) != NOBODY ? "none" : payoff(state, 0) > 0 ? "first finish" : "second finish";
}

/* ---- face: one row for each side ---- */

static void board(const void *view, struct face_board *out) {
    const struct race *s = view;
    out->width = track_of(view) + 1;
    out->height = 2;
    for (int side = 0; side < 2; side++)
        snprintf(out->cells[side][s->at[side]].text, FACE_CELL_TEXT_MAX, "%d", side + 1);
}

/* ---- tables ---- */

static const struct rollout rollouts[] = {{"random", "each action is as likely as the others", plain_rollout},
                                          {0}};
static const struct eval evals[] = {{"lead", "fields ahead of the other side", value_lead}, {0}};
static const struct action_list lists[] = {{"all", "step, throw", actions}, {0}};
static const struct game_face face = {.board = board};

static const struct notation notation = {PLAIN_NAMED_NOTATION, .side_names = {"first", "second"}};

const struct game race_game = {
    .name = "race",
    .help = "a race with a die: the smallest example of an open game with chance",
    .state_size = sizeof(struct race),
    .scenario_size = sizeof(struct race_scenario),
    .actions_max = 2,
    .options = options,
    PLAIN_SLOTS,
    .play = plain_play,
    .outcomes = outcomes,
    .play_outcome = play_outcome,
    .evals = evals,
    .face = &face,
};
