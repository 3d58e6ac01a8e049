/* SPDX-License-Identifier: MIT
 *
 * A check is worth what it finds: a small game (take one or two stones; each player holds a secret bit) that
 * can be told to break one law at a time, and the sentence that must come of it.
 */
#include "game/check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

enum fault {
    NONE,
    INVALID,
    STRANGE_MOVER,
    RESULT_TOO_EARLY,
    TOO_MANY,
    ACTIONS_WHEN_OVER,
    NO_ACTIONS,
    ILLEGAL,
    DUPLICATE,
    UNSTABLE,
    KEY,
    ACTION_UNREADABLE,
    ACTION_READ_WRONGLY,
    STATE_UNREADABLE,
    STATE_READ_WRONGLY,
    STATE_KEY_OF_HISTORY,
    SHARED,
    CHANCE_ELSEWHERE,
    PAYOFF_SUM,
    PAYOFF_RANGE,
    ENDLESS,
    TURN_BACK,
    ROLLOUT_SHORT,
    ROLLOUT_INVALID,
    ROLLOUT_MISCOUNTS,
    ROLLOUT_UNSEEDED,
    ROLLOUT_TOO_LONG,
    ROLLOUT_TOO_SHORT,
    LIST_EMPTY,
    LIST_ILLEGAL,
    EVAL_ONE_SIDED,
    BOUNDS_TOO_LOW,
    SECURED_WIDER,
    PROGRESS_OVER,
    FULL_UNKNOWN,
    FULL_CHANGED,
    HIDE_AGAIN,
    HIDE_ACTIONS,
    HIDE_MOVER,
    HIDE_TRACE,
    HIDE_TEXT,
    HIDE_LESS,
    DETERMINIZE_INVALID,
    DETERMINIZE_OTHER,
    DETERMINIZE_ELSEWHERE,
    WORLDS_NONE,
    WORLDS_PARTS,
    WORLD_INVALID,
    WORLD_UNKNOWN,
    WORLD_OTHER,
    WORLD_ACTIONS,
    WORLD_TWICE,
    WORLD_MISSING,
    FAULTS,
};

enum { STONES = 9, UNKNOWN = 2, TAKE_MAX = 2 };

struct toy_scenario {
    struct scenario base;
    enum fault fault;
    int *shared; /* what no state should have: something outside itself */
};

struct toy {
    const struct toy_scenario *scenario;
    uint64_t key;
    uint8_t stones, side, turn, secret[2], history;
    uint8_t salt; /* hidden from all: 0, unless a fault wants a world that is none */
};

static int shared_counter;

static enum fault fault_of(const void *state) {
    return ((const struct toy *)state)->scenario->fault;
}

/* ---- rules ---- */

static uint64_t toy_key_from_scratch(const void *state) {
    const struct toy *s = state;
    const uint64_t history = fault_of(s) == STATE_KEY_OF_HISTORY ? s->history : 0;
    return history + s->salt +
           rng_mix((uint64_t)s->stones | (uint64_t)s->side << 8 | (uint64_t)s->turn << 16 |
                   (uint64_t)s->secret[0] << 24 | (uint64_t)s->secret[1] << 32);
}

static uint64_t toy_key(const void *state) {
    const struct toy *s = state;
    return s->key + (fault_of(s) == KEY && s->stones == 3);
}

static void toy_set_key(struct toy *s) {
    s->key = toy_key_from_scratch(s);
}

static void toy_start(void *state, const struct scenario *scenario, struct rng *r) {
    struct toy *s = state;
    memset(s, 0, sizeof *s);
    s->scenario = (const struct toy_scenario *)scenario;
    s->stones = STONES;
    s->secret[0] = (uint8_t)rng_below(r, 2);
    s->secret[1] = (uint8_t)rng_below(r, 2);
    toy_set_key(s);
}

static int toy_mover(const void *state) {
    const struct toy *s = state;
    if (fault_of(s) == STRANGE_MOVER && s->stones == 4)
        return 2;
    return s->stones == 0 ? NOBODY : s->side;
}

static int toy_actions(const void *state, action *out) {
    const struct toy *s = state;
    const enum fault fault = fault_of(s);
    int count = 0;
    for (int take = 1; take <= TAKE_MAX && take <= s->stones; take++)
        out[count++] = (action)take;
    if (fault == TOO_MANY && s->stones == 5)
        out[count++] = 0;
    if (fault == ACTIONS_WHEN_OVER && s->stones == 0)
        out[count++] = 1;
    if (fault == NO_ACTIONS && s->stones == 2)
        return 0;
    if (fault == ILLEGAL && s->stones == 1)
        out[0] = 2;
    if (fault == DUPLICATE && s->stones > 1)
        out[1] = out[0];
    const bool turned =
        (fault == UNSTABLE && shared_counter++ % 2 != 0) || (fault == SHARED && *s->scenario->shared > 0);
    const bool seen = (fault == HIDE_ACTIONS && s->secret[0] == UNKNOWN) ||
                      (fault == WORLD_ACTIONS && s->secret[1] == 0 && s->secret[0] == 0);
    if (count == 2 && (turned || seen)) {
        out[0] = 2;
        out[1] = 1;
    }
    return count;
}

static bool toy_is_legal(const void *state, action a) {
    return a >= 1 && a <= TAKE_MAX && a <= ((const struct toy *)state)->stones;
}

static void toy_play(void *state, action a, struct rng *r) {
    (void)r;
    struct toy *s = state;
    const enum fault fault = fault_of(s);
    if (fault == ENDLESS && s->stones == 2)
        a = 0;
    if (fault == SHARED)
        ++*s->scenario->shared;
    s->stones = (uint8_t)(s->stones - a);
    s->side ^= 1;
    s->turn = fault == TURN_BACK && s->stones < 4 ? 0 : fault == ENDLESS ? s->turn : (uint8_t)(s->turn + 1);
    if (fault == CHANCE_ELSEWHERE)
        s->secret[0] = (uint8_t)(shared_counter++ % 2);
    s->history++;
    toy_set_key(s);
}

static double toy_payoff(const void *state, int side) {
    const struct toy *s = state;
    const double won = s->side != side ? 1 : 0;
    return fault_of(s) == PAYOFF_SUM ? 0.4 : fault_of(s) == PAYOFF_RANGE ? won * 3 - 1 : won;
}

static int toy_turn(const void *state) {
    return ((const struct toy *)state)->turn;
}

static bool toy_valid(const void *state) {
    const struct toy *s = state;
    return s->stones <= STONES && s->side < 2 && s->secret[0] <= UNKNOWN && s->secret[1] <= UNKNOWN &&
           !(fault_of(s) == INVALID && s->turn == 0);
}

/* ---- views ---- */

static void toy_hide(void *state, int side) {
    struct toy *s = state;
    const enum fault fault = fault_of(s);
    const bool again = side != NOBODY && s->secret[side ^ 1] == UNKNOWN;
    if (fault == HIDE_TRACE && !again) /* in neither text nor key: in the bytes alone */
        s->history = side == NOBODY ? 0 : (uint8_t)(100 + s->secret[side ^ 1]);
    for (int other = 0; other < 2; other++)
        if (other != side && !(fault == HIDE_LESS && side == NOBODY && other == 0))
            s->secret[other] = UNKNOWN;
    s->salt = 0;
    if (fault == HIDE_AGAIN && again)
        s->secret[side] = UNKNOWN;
    if (fault == HIDE_ACTIONS)
        s->secret[0] = UNKNOWN;
    if (fault == HIDE_MOVER && side == s->side)
        s->stones = 0; /* over, and hiding again does not change that */
    toy_set_key(s);
}

static double toy_worlds(const void *view) {
    const struct toy *s = view;
    const int unknown = (s->secret[0] == UNKNOWN) + (s->secret[1] == UNKNOWN);
    const enum fault fault = fault_of(s);
    if (fault == FULL_UNKNOWN)
        return 2;
    if (unknown > 0 && (fault == WORLDS_NONE || fault == WORLDS_PARTS))
        return fault == WORLDS_NONE ? 0 : 1.5;
    return fault == WORLD_MISSING ? 1 : 1 << unknown;
}

static void toy_world(void *view, uint64_t number) {
    struct toy *s = view;
    const enum fault fault = fault_of(s);
    const bool unknown = s->secret[0] == UNKNOWN || s->secret[1] == UNKNOWN;
    for (int side = 0; side < 2; side++)
        if (s->secret[side] == UNKNOWN && !(fault == WORLD_UNKNOWN && side == 0)) {
            s->secret[side] = fault == WORLD_TWICE ? 0 : (uint8_t)(number & 1);
            number >>= 1;
        }
    if (fault == WORLD_INVALID && unknown)
        s->side = 7;
    if (fault == WORLD_OTHER && unknown && s->stones > 0)
        s->stones--;
    toy_set_key(s);
}

static void toy_determinize(void *view, struct rng *r) {
    struct toy *s = view;
    const enum fault fault = fault_of(s);
    const bool unknown = s->secret[0] == UNKNOWN || s->secret[1] == UNKNOWN;
    for (int side = 0; side < 2; side++)
        if (s->secret[side] == UNKNOWN)
            s->secret[side] = (uint8_t)rng_below(r, 2);
    if (fault == FULL_CHANGED && s->stones == 1)
        s->secret[0] ^= 1;
    if (fault == DETERMINIZE_INVALID && unknown)
        s->side = 7;
    if (fault == DETERMINIZE_OTHER && unknown && s->stones > 0)
        s->stones--;
    if (fault == DETERMINIZE_ELSEWHERE && unknown)
        s->salt = 1;
    toy_set_key(s);
}

/* ---- rollout and notation ---- */

static bool rollout_goes_on(const struct toy *s, int turns, int turns_max) {
    const enum fault fault = fault_of(s);
    if (s->stones == 0 || (fault == ROLLOUT_SHORT && s->stones < 3))
        return false;
    if (fault == ROLLOUT_TOO_SHORT && turns_max == 2)
        return turns < 1;
    return turns_max == 0 || fault == ROLLOUT_TOO_LONG || turns < turns_max;
}

static long toy_rollout(void *state, struct rng *r, int turns_max) {
    struct toy *s = state;
    const enum fault fault = fault_of(s);
    long count = 0;
    while (rollout_goes_on(s, (int)count, turns_max)) {
        const uint32_t most = s->stones < TAKE_MAX ? s->stones : TAKE_MAX;
        const uint32_t drawn = fault == ROLLOUT_UNSEEDED ? (uint32_t)shared_counter++ : rng_below(r, most);
        s->stones = (uint8_t)(s->stones - 1 - drawn % most);
        s->side ^= 1;
        s->turn++;
        count++;
    }
    toy_set_key(s);
    if (fault == ROLLOUT_INVALID)
        s->key++;
    return fault == ROLLOUT_MISCOUNTS ? count + 1 : count;
}

static void toy_write_state(const void *state, struct text *out) {
    const struct toy *s = state;
    text_add(out, "%d %d %d %d %d", s->stones, s->side, s->turn, s->secret[0], s->secret[1]);
}

static bool toy_read_state(void *state, const struct scenario *scenario, const char *text, struct err *e) {
    struct toy *s = state;
    int n[5];
    memset(s, 0, sizeof *s);
    s->scenario = (const struct toy_scenario *)scenario;
    if (sscanf(text, "%d %d %d %d %d", &n[0], &n[1], &n[2], &n[3], &n[4]) != 5 ||
        fault_of(s) == STATE_UNREADABLE || (fault_of(s) == HIDE_TEXT && n[3] == UNKNOWN))
        return err_set(e, "five numbers are expected");
    s->stones = (uint8_t)n[0];
    s->side = (uint8_t)n[1];
    s->turn = (uint8_t)(n[2] + (fault_of(s) == STATE_READ_WRONGLY));
    s->secret[0] = (uint8_t)n[3];
    s->secret[1] = (uint8_t)n[4];
    toy_set_key(s);
    return true;
}

static void toy_write_action(const void *state, action a, struct text *out) {
    text_add_string(out, "take");
    if (fault_of(state) != ACTION_UNREADABLE)
        text_add(out, " %u", (unsigned)a);
}

static bool toy_read_action(const void *state, const char *text, action *out, struct err *e) {
    unsigned take;
    if (sscanf(text, "take %u", &take) != 1)
        return err_set(e, "expected take N");
    *out = (action)(fault_of(state) == ACTION_READ_WRONGLY ? 3 - take : take);
    return true;
}

static const char *toy_result(const void *state) {
    const struct toy *s = state;
    const bool early = fault_of(s) == RESULT_TOO_EARLY && s->stones == 1;
    return s->stones > 0 && !early ? "none" : "taken";
}

/* ---- what searches may know ---- */

static int toy_least(const void *state, action *out) {
    if (fault_of(state) == LIST_EMPTY || toy_mover(state) == NOBODY)
        return 0;
    out[0] = fault_of(state) == LIST_ILLEGAL ? STONES + 1 : 1;
    return 1;
}

static double toy_eval(const void *state, int side, const double *weights) {
    (void)weights;
    return side == 0 || fault_of(state) == EVAL_ONE_SIDED ? 1 : -1;
}

static void toy_score(const void *state, const action *list, int count, float *out) {
    (void)state;
    for (int i = 0; i < count; i++)
        out[i] = (float)list[i];
}

static void toy_bounds(const void *state, double *low, double *high) {
    *low = fault_of(state) == PAYOFF_RANGE ? -1 : 0; /* that fault is another law's to find */
    *high = fault_of(state) == BOUNDS_TOO_LOW ? 0 : 2;
}

static void toy_secured(const void *state, double *low, double *high) {
    toy_bounds(state, low, high);
    *low -= fault_of(state) == SECURED_WIDER ? 1 : 0;
}

static struct turn_progress toy_progress(const void *state) {
    const bool over = toy_mover(state) == NOBODY && fault_of(state) != PROGRESS_OVER;
    return (struct turn_progress){.taken = 0, .left = over ? 0 : 1};
}

static const struct eval toy_evals[] = {{"mine", "red is ahead", toy_eval}, {0}};
static const struct prior toy_priors[] = {{"most", "two before one", toy_score}, {0}};
static const struct action_list toy_lists[] = {
    {"all", "one or two", toy_actions}, {"least", "one", toy_least}, {0}};
static const struct rollout toy_rollouts[] = {{"uniform", "one or two, evenly", toy_rollout}, {0}};
static void toy_write_source(const struct scenario *scenario, struct text *map, struct text *options) {
    (void)scenario, (void)map, (void)options; /* there is one scenario and nothing to say of it */
}

static const struct notation toy_notation = {.write_state = toy_write_state,
                                             .read_state = toy_read_state,
                                             .write_action = toy_write_action,
                                             .read_action = toy_read_action,
                                             .result = toy_result,
                                             .write_source = toy_write_source,
                                             .side_names = {"first", "second"}};

static struct scenario *toy_load(const struct game_source *source, struct err *e) {
    (void)source;
    err_set(e, "the tests make their scenarios themselves");
    return NULL;
}

static void toy_unload(struct scenario *scenario) {
    (void)scenario;
}

static const struct game toy_game = {
    .name = "toy",
    .help = "take one or two stones; who takes the last wins",
    .state_size = sizeof(struct toy),
    .actions_max = TAKE_MAX,
    .load = toy_load,
    .unload = toy_unload,
    .start = toy_start,
    .mover = toy_mover,
    .actions = toy_actions,
    .is_legal = toy_is_legal,
    .play = toy_play,
    .payoff = toy_payoff,
    .turn = toy_turn,
    .progress = toy_progress,
    .bounds = toy_bounds,
    .secured = toy_secured,
    .evals = toy_evals,
    .priors = toy_priors,
    .lists = toy_lists,
    .key = toy_key,
    .key_from_scratch = toy_key_from_scratch,
    .valid = toy_valid,
    .hide = toy_hide,
    .determinize = toy_determinize,
    .worlds = toy_worlds,
    .world = toy_world,
    .rollouts = toy_rollouts,
    .text = &toy_notation,
};

/* ---- tests ---- */

static const char *const sentences[FAULTS] = {
    [INVALID] = "the state is not valid",
    [STRANGE_MOVER] = "the mover is 2",
    [RESULT_TOO_EARLY] = "while the result is 'taken'",
    [TOO_MANY] = "3 actions are listed; actions_max is 2",
    [ACTIONS_WHEN_OVER] = "although the game is over",
    [NO_ACTIONS] = "no action is listed although",
    [ILLEGAL] = "is not legal",
    [DUPLICATE] = "is listed twice",
    [UNSTABLE] = "differs when asked for again",
    [KEY] = "the key computed anew",
    [ACTION_UNREADABLE] = "action 'take' is written but not read: expected take N",
    [ACTION_READ_WRONGLY] = "reads back as another one",
    [STATE_UNREADABLE] = "the state is written but not read: five numbers",
    [STATE_READ_WRONGLY] = "the state read back has another text",
    [STATE_KEY_OF_HISTORY] = "the state read back has another text, key",
    [SHARED] = "playing on a copy changed the original",
    [CHANCE_ELSEWHERE] = "the same action on two copies",
    [PAYOFF_SUM] = "must sum to 1",
    [PAYOFF_RANGE] = "expected 0 to 1",
    [ENDLESS] = "the game does not end",
    [TURN_BACK] = "the turn went back",
    [ROLLOUT_SHORT] = "stopped before the end",
    [ROLLOUT_INVALID] = "rollout 'uniform' left a state that is not valid",
    [ROLLOUT_MISCOUNTS] = "says that it played",
    [ROLLOUT_UNSEEDED] = "gave two games from one seed",
    [ROLLOUT_TOO_LONG] = "turns; 1 were asked for",
    [ROLLOUT_TOO_SHORT] = "stopped after 1 turns; 2 were asked for",
    [LIST_EMPTY] = "list 'least' has 0 actions",
    [LIST_ILLEGAL] = "list 'least' has an illegal action at 0",
    [EVAL_ONE_SIDED] = "evaluation 'mine' gives 1 and 1",
    [BOUNDS_TOO_LOW] = "the bounds 0..0 do not hold",
    [SECURED_WIDER] = "best play is bounded to -1..2, any play to 0..2",
    [PROGRESS_OVER] = "0 decisions taken and 1 left",
    [FULL_UNKNOWN] = "a state in which nothing is unknown has 2 worlds",
    [FULL_CHANGED] = "filling in what is unknown changed a state",
    [HIDE_AGAIN] = "hiding twice",
    [HIDE_ACTIONS] = "other actions in its own view",
    [HIDE_MOVER] = "is to move, but not in its own view",
    [HIDE_TRACE] = "a world of the view of player 0 has another view",
    [HIDE_TEXT] = "the view of nobody is written but not read: five numbers",
    [HIDE_LESS] = "what both know is not part of what player 1 knows",
    [DETERMINIZE_INVALID] = "determinized: a world of the view of nobody is not valid",
    [DETERMINIZE_OTHER] = "determinized: a world of the view of nobody has another view",
    [DETERMINIZE_ELSEWHERE] = "determinizing the view of nobody gave none of its worlds",
    [WORLDS_NONE] = "the view of nobody has 0 worlds",
    [WORLDS_PARTS] = "the view of nobody has 1.5 worlds; expected a whole number",
    [WORLD_INVALID] = "ply 0: a world of the view of nobody is not valid",
    [WORLD_UNKNOWN] = "a world of the view of nobody still hides something",
    [WORLD_OTHER] = "ply 0: a world of the view of nobody has another view",
    [WORLD_ACTIONS] = "has other actions in a world of its view",
    [WORLD_TWICE] = "worlds 0 and 1 of the view of nobody are the same",
    [WORLD_MISSING] = "the state is none of the worlds of the view of nobody",
};

static void a_good_game_passes(void **state) {
    (void)state;
    const struct toy_scenario sc = {{&toy_game}, NONE, &shared_counter};
    struct err e = {{0}};
    const bool ok = game_check(&sc.base, 100, 1, &e);
    if (!ok)
        fail_msg("%s", e.text);
}

static void every_broken_law_is_named(void **state) {
    (void)state;
    for (int fault = INVALID; fault < FAULTS; fault++) {
        const struct toy_scenario sc = {{&toy_game}, (enum fault)fault, &shared_counter};
        struct err e = {{0}};
        shared_counter = 0;
        if (game_check(&sc.base, 20, 7, &e))
            fail_msg("fault %d was not found; expected '%s'", fault, sentences[fault]);
        if (strstr(e.text, sentences[fault]) == NULL || strncmp(e.text, "toy, seed 7, game ", 18) != 0 ||
            strstr(e.text, ", ply ") == NULL)
            fail_msg("fault %d: got '%s', expected '%s'", fault, e.text, sentences[fault]);
    }
}

static void the_reason_may_be_left_out(void **state) {
    (void)state;
    const struct toy_scenario sc = {{&toy_game}, PAYOFF_SUM, &shared_counter};
    assert_false(game_check(&sc.base, 1, 1, NULL));
}

static void expect_table_error(const struct game *game, const char *sentence) {
    const struct game *const tables[] = {game, NULL};
    struct err e = {{0}};
    assert_false(game_tables_check(tables, &e));
    if (strstr(e.text, sentence) == NULL)
        fail_msg("got '%s', expected '%s'", e.text, sentence);
}

static void faulty_tables_are_refused(void **state) {
    (void)state;
    struct game g = toy_game;
    g.name = "no:name";
    expect_table_error(&g, "cannot be the name");
    g = toy_game;
    g.help = NULL;
    expect_table_error(&g, "lacks its name or its help");
    g = toy_game;
    g.key = NULL;
    expect_table_error(&g, "toy: a required function is missing");
    g = toy_game;
    g.determinize = NULL;
    expect_table_error(&g, "hide, determinize, worlds and world come together or not at all");
    g = toy_game;
    g.world = NULL;
    expect_table_error(&g, "hide, determinize, worlds and world come together or not at all");
    g = toy_game;
    g.text = NULL;
    expect_table_error(&g, "notation");
    g = toy_game;
    g.rollouts = &toy_rollouts[1];
    expect_table_error(&g, "no rollout");
    g = toy_game;
    g.evals = NULL;
    expect_table_error(&g, "no evaluation or no prior");
    g = toy_game;
    g.lists = &toy_lists[1];
    expect_table_error(&g, "must be that of all actions");
    g = toy_game;
    g.state_size = GAME_STATE_MAX + 1;
    expect_table_error(&g, "1025 bytes");
    g = toy_game;
    g.actions_max = 0;
    expect_table_error(&g, "actions_max is 0");
}

static void two_of_one_name_are_refused(void **state) {
    (void)state;
    const struct game *const twice[] = {&toy_game, &toy_game, NULL};
    const struct rollout doubled[] = {toy_rollouts[0], toy_rollouts[0], {0}};
    struct err e = {{0}};
    assert_false(game_tables_check(twice, &e));
    assert_string_equal(e.text, "two games are named 'toy'");
    struct game g = toy_game;
    g.rollouts = doubled;
    expect_table_error(&g, "two rollouts are named 'uniform'");
}

static void the_registry_is_in_order(void **state) {
    (void)state;
    struct err e = {{0}};
    if (!game_registry_check(&e))
        fail_msg("%s", e.text);
    for (int i = 0; game_tables[i] != NULL; i++)
        assert_ptr_equal(game_find(game_tables[i]->name), game_tables[i]);
    assert_null(game_find("chess"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_good_game_passes),          cmocka_unit_test(every_broken_law_is_named),
        cmocka_unit_test(the_reason_may_be_left_out),  cmocka_unit_test(faulty_tables_are_refused),
        cmocka_unit_test(two_of_one_name_are_refused), cmocka_unit_test(the_registry_is_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
