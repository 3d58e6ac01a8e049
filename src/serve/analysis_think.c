/* SPDX-License-Identifier: MIT
 *
 * What a player thinks of a position, and the rest of the turn as it would play it: found as in a game, the
 * player being asked again after each of its own actions.
 */
#include "serve/analysis.h"

#include "serve/shape.h"

#include "base/mem.h"
#include "player/player.h"

#include <string.h>

struct thinking {
    struct analysis *analysis;
    struct player *player;
    struct rng rng, chance;
    int64_t start_ns; /* of the decision at hand */
    struct thoughts thoughts;
    struct answer answer;
    int count; /* actions of the turn so far */
    action turn[ANALYSIS_TURN_MAX];
    _Alignas(16) unsigned char state[GAME_STATE_MAX]; /* after them */
    _Alignas(16) unsigned char view[GAME_STATE_MAX];  /* what the player saw at first */
};

static json_t *show_thoughts(const struct thinking *t, const struct thoughts *thoughts, int top) {
    const struct analysis *a = t->analysis;
    const struct shape_thoughts of = {thoughts, text_string(&a->player),
                                      clock_seconds_since(a->bench->setup.clock, t->start_ns), top};
    return shape_thoughts(a->position.scenario, t->view, &of);
}

/* On the way the best are enough: thousands of them, five times a second, would be all that it does. */
static void watch_thoughts(void *context, const struct thoughts *so_far) {
    const struct thinking *t = context;
    const int top = t->analysis->top;
    analysis_tell(t->analysis, show_thoughts(t, so_far, top < THOUGHTS_MAX ? top : THOUGHTS_MAX));
}

/* ---- one decision ---- */

static bool answer_is_legal(const struct thinking *t, struct err *e) {
    const struct analysis *a = t->analysis;
    const struct game *game = a->position.scenario->game;
    if (t->answer.fault != PLAYER_FAULT_NONE)
        return err_set(e, "%s: %s", text_string(&a->player), t->answer.reason);
    if (game->is_legal(t->state, t->answer.chosen))
        return true;
    return err_set(e, "%s chose an action that the rules forbid", text_string(&a->player));
}

static bool decide(struct thinking *t, const struct watch *watch, struct err *e) {
    const struct analysis *a = t->analysis;
    const struct ground_position *position = &a->position;
    const struct game *game = position->scenario->game;
    const struct record_line line = {&position->record, position->replay.next, t->turn, t->count};
    const struct course course = record_course(&line, position->scenario);
    const struct position_ask ask = {
        .game = game,
        .state = t->state,
        .taken = position->replay.turn.taken + t->count,
        .budget = {.work_max = a->sims,
                   .time_ns_max = a->time_ns,
                   .clock = a->bench->setup.clock,
                   .stop = &a->stop},
        .rng = &t->rng,
        .course = position->placed && game->hide == NULL ? NULL : &course,
        .thoughts = &t->thoughts,
        .watch = watch,
    };
    t->start_ns = clock_now_ns(a->bench->setup.clock);
    player_choose_in(t->player, &ask, &t->answer);
    return answer_is_legal(t, e);
}

/* ---- the rest of the turn ---- */

/* Plays what was chosen and says so. */
static void take(struct thinking *t, json_t *turn) {
    const struct scenario *scenario = t->analysis->position.scenario;
    const enum shape_viewer viewer = (enum shape_viewer)t->analysis->side;
    const action chosen = t->answer.chosen;
    json_t *action_text = shape_action(scenario, t->state, chosen, viewer);
    json_t *did = shape_played(scenario, t->state, chosen, viewer);
    t->turn[t->count++] = chosen;
    scenario->game->play(t->state, chosen, &t->chance);
    json_array_append_new(turn, json_pack("{so so so}", "action", action_text, "did", did, "state",
                                          shape_state(scenario, t->state, viewer)));
}

static bool is_same_turn(const struct thinking *t) {
    const struct ground_position *position = &t->analysis->position;
    const struct game *game = position->scenario->game;
    return turn_goes_on(game, t->state, t->analysis->side, game->turn(position->replay.state));
}

/* What a choice leads to where something is unknown is not known either. */
static bool play_turn(struct thinking *t, json_t *turn, struct err *e) {
    if (t->analysis->position.partial)
        return true;
    take(t, turn);
    while (is_same_turn(t) && t->count < ANALYSIS_TURN_MAX && !atomic_load(&t->analysis->stop)) {
        if (!decide(t, NULL, e))
            return false;
        take(t, turn);
    }
    return true;
}

/* ---- the whole ---- */

static bool think(struct thinking *t, struct analysis_result *out, struct err *e) {
    struct analysis *a = t->analysis;
    const struct ground_position *position = &a->position;
    const struct game *game = position->scenario->game;
    const struct watch watch = {watch_thoughts, t, ANALYSIS_WATCH_NS};
    memcpy(t->state, position->replay.state, game->state_size);
    game_view(game, t->state, a->side, t->view);
    t->chance = position->replay.rng;
    /* As the seat of a game has it: at a map's start the turn is that of a game with this seed. */
    rng_seed_stream(&t->rng, a->seed, (uint64_t)(RECORD_STREAM_SEAT + a->side));
    t->player = player_open_granted(text_string(&a->player), game, ground_grant(a->bench), e);
    if (t->player == NULL || !decide(t, &watch, e))
        return false;
    analysis_tell(a, show_thoughts(t, &t->thoughts, a->top));
    if (atomic_load(&a->stop))
        return true;
    out->chosen = shape_action(position->scenario, t->state, t->answer.chosen, (enum shape_viewer)a->side);
    out->turn = json_array();
    return play_turn(t, out->turn, e);
}

bool analysis_think(struct analysis *a, struct analysis_result *out, struct err *e) {
    struct thinking *t = mem_alloc(sizeof *t);
    if (t == NULL)
        return err_set(e, "not enough memory");
    t->analysis = a;
    const int most = a->position.scenario->game->actions_max;
    const bool ok = (thoughts_widen(&t->thoughts, a->top < most ? a->top : most) ||
                     err_set(e, "not enough memory for %d candidates", a->top)) &&
                    think(t, out, e);
    player_close(t->player);
    thoughts_done(&t->thoughts);
    mem_free(t);
    return ok;
}
