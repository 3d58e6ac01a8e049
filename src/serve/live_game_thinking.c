/* SPDX-License-Identifier: MIT
 *
 * Background tasks of live games: the thinker, which makes players' decisions, and the adviser, which
 * estimates the chance to win after each step. A task takes its input with the lock held, works without the
 * lock, and then stores its result, unless the game has changed meanwhile.
 */
#include "base/charset.h"
#include "base/mem.h"
#include "serve/json_view.h"
#include "serve/live_game.h"
#include "serve/start_position.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHOW_EVERY_NS INT64_C(250000000)

struct live_game_thinker {
    struct live_game *live; /* held */
    atomic_bool stop;
    struct player *players[2]; /* each is opened at its first decision */

    /* The current decision, in a copy of the game. */
    struct clocked_game game;
    struct record record; /* only seed and actions */
    int side;
    char spec[SPEC_TEXT_MAX];
    bool is_shown, wants_thoughts;
    int64_t start_ns, end_ns;
    struct thoughts thoughts;
    struct answer answer;
    char *thoughts_text; /* the thoughts as JSON */
};

/* ---- with the lock ---- */

/* Fills in the next decision; false: there is none for this task. */
static bool prepare(struct live_game_thinker *t) {
    struct live_game *live = t->live;
    const struct record *record = &live->record;
    if (live->thinker != t || live->games->is_stopping || !live_game_awaits_player(live))
        return false;
    t->record.actions =
        mem_grow(t->record.actions, &t->record.capacity, record->count + 1, sizeof t->record.actions[0]);
    if (record->count > 0)
        memcpy(t->record.actions, record->actions, (size_t)record->count * sizeof record->actions[0]);
    t->record.count = record->count;
    t->record.seed = record->seed;
    t->record.deal = record->deal;
    t->game = live->game;
    t->game.referee.record = &t->record;
    t->side = live_game_mover(live);
    memcpy(t->spec, live->seats[t->side].spec, sizeof t->spec);
    t->wants_thoughts = live->wants_thoughts;
    t->is_shown = !live_game_has_secrets(live);
    return true;
}

/* False when the game has changed since the decision began, or is being stopped. */
static bool still_counts(const struct live_game_thinker *t) {
    return t->live->thinker == t && !atomic_load(&t->stop) && !t->live->games->is_stopping;
}

static void give_answer(struct live_game_thinker *t) {
    assert(!live_game_is_over(t->live));
    struct live_game *live = t->live;
    const struct answer *answer = &t->answer;
    live->game.referee.seat_rng[t->side] = t->game.referee.seat_rng[t->side];
    if (answer->fault == PLAYER_FAULT_NONE) {
        char *thoughts_text = t->thoughts_text;
        t->thoughts_text = NULL;
        clocked_game_excuse(&live->game, answer->setup_ns);
        live_game_play(live, answer->chosen, t->end_ns, thoughts_text);
    } else if (answer->fault == PLAYER_SHORTAGE) {
        /* It is not the player's fault: the game ends without a result. */
        char comment[PLAYER_REASON_MAX + 16];
        snprintf(comment, sizeof comment, "stopped: %s", answer->reason);
        live_game_stop(live, comment);
    } else {
        live_game_fault(live, answer->fault, answer->reason);
    }
}

/* ---- without it ---- */

static json_t *thoughts_json(struct live_game_thinker *t, const struct thoughts *thoughts) {
    const struct json_view_thoughts of = {
        .thoughts = thoughts,
        .player = t->spec,
        .seconds = clock_seconds_since(t->live->games->bench->setup.clock, t->start_ns),
        .top = LIVE_GAME_CANDIDATES};
    return json_view_thoughts(t->live->scenario, t->game.referee.view, &of);
}

static void show(void *context, const struct thoughts *so_far) {
    struct live_game_thinker *t = context;
    struct workbench *bench = t->live->games->bench;
    json_t *thoughts = thoughts_json(t, so_far);
    workbench_lock(bench);
    if (still_counts(t))
        live_game_publish_thinking(t->live, thoughts);
    else
        json_decref(thoughts);
    workbench_unlock(bench);
}

static bool open_player(struct live_game_thinker *t, struct err *e) {
    struct live_game *live = t->live;
    if (t->players[t->side] == NULL && serve_check_player(live->games->bench, t->spec, NULL, e))
        t->players[t->side] =
            player_open_granted(t->spec, live->scenario->game, serve_grant(live->games->bench), e);
    return t->players[t->side] != NULL;
}

static void ask_player(struct live_game_thinker *t) {
    const struct clock *clock = t->live->games->bench->setup.clock;
    const struct watch watch = {show, t, SHOW_EVERY_NS};
    struct ask ask;
    clocked_game_ask(&t->game, t->start_ns, &ask);
    ask.budget.clock = clock;
    ask.budget.stop = &t->stop;
    if (t->wants_thoughts)
        ask.thoughts = &t->thoughts;
    if (t->wants_thoughts && t->is_shown)
        ask.watch = &watch;
    player_choose(t->players[t->side], &ask, &t->answer);
    t->end_ns = clock_now_ns(clock);
    if (!t->wants_thoughts || t->answer.fault != PLAYER_FAULT_NONE || t->thoughts.count == 0)
        return;
    json_t *thoughts = thoughts_json(t, &t->thoughts);
    char *dump = json_dumps(thoughts, JSON_COMPACT | JSON_REAL_PRECISION(6));
    mem_free(t->thoughts_text); /* of an answer that did not count */
    t->thoughts_text = mem_copy_string(dump);
    free(dump);
    json_decref(thoughts);
}

static void decide(struct live_game_thinker *t) {
    struct err e;
    t->answer = (struct answer){0};
    if (open_player(t, &e)) {
        workbench_lock(t->live->games->bench); /* its clock begins to run */
        t->start_ns = live_game_now(t->live);
        if (still_counts(t))
            clocked_game_begin_decision(&t->live->game, t->start_ns);
        workbench_unlock(t->live->games->bench);
        ask_player(t);
        return;
    }
    t->answer.fault = PLAYER_SHORTAGE; /* its spec was good when it sat down */
    charset_copy(t->answer.reason, sizeof t->answer.reason, e.text, strlen(e.text));
}

/* ---- the task ---- */

static void thinker_close(struct live_game_thinker *t) {
    for (int side = 0; side < 2; side++)
        player_close(t->players[side]);
    mem_free(t->record.actions);
    mem_free(t->thoughts_text);
    mem_free(t);
}

static void think(void *context) {
    struct live_game_thinker *t = context;
    struct live_game *live = t->live;
    struct workbench *bench = live->games->bench;
    workbench_lock(bench);
    while (prepare(t)) {
        workbench_unlock(bench);
        decide(t);
        workbench_lock(bench);
        if (still_counts(t))
            give_answer(t);
    }
    if (live->thinker == t)
        live->thinker = NULL;
    workbench_unlock(bench);
    thinker_close(t); /* before the live, which may be the last to hold the game */
    workbench_lock(bench);
    live_game_drop(live);
    workbench_unlock(bench);
}

/* With the lock: it was to be started. */
static void drop(void *context) {
    struct live_game_thinker *t = context;
    struct live_game *live = t->live;
    if (live->thinker == t)
        live->thinker = NULL;
    thinker_close(t);
    live_game_drop(live);
}

void live_game_think(struct live_game *live) {
    struct live_games *games = live->games;
    if (live->thinker != NULL || live->is_removed || games->is_stopping || games->bench->setup.idle ||
        !live_game_awaits_player(live)) {
        live->is_waiting = live->is_waiting && live->thinker == NULL && live_game_awaits_player(live);
        return;
    }
    struct live_game_thinker *t = mem_alloc(sizeof *t);
    const struct task task = {.run = think, .dropped = drop, .context = t, .owner = games};
    t->live = live_game_hold(live);
    live->thinker = t;
    live->is_waiting = !task_pool_start(games->bench->task_pool, &task, NULL);
    if (live->is_waiting)
        drop(t);
}

void live_game_cancel_thinking(struct live_game *live) {
    if (live->thinker != NULL)
        atomic_store(&live->thinker->stop, true);
    live->thinker = NULL;
}

/* ---- the adviser ----
 *
 * Estimates side 0's chance to win after each step with a short search. It has threads
 * of its own, so no game waits for it. The adviser sees the mover's view; while something is hidden from
 * people it is not asked, because its estimates would reveal it. */

enum { ADVISERS_MAX = 2, ADVICE_STREAM = 1 << 16 /* beyond the streams of a game */ };

struct adviser {
    struct live_games *games;
    const struct game *game; /* its commentator is open */
    struct player *player;   /* NULL: none */

    /* The current question. */
    struct live_game *live; /* held */
    int ply, version;
    uint64_t seed;
    struct thoughts thoughts;
    _Alignas(16) unsigned char state[GAME_STATE_MAX];
};

/* ---- with the lock ---- */

bool live_game_needs_advice(const struct live_game *live) {
    return !live->is_removed && !live->games->is_stopping && !live->games->bench->setup.idle &&
           !live_game_has_secrets(live) && live->advised < live->record.count;
}

static void skip_known(struct live_game *live) {
    while (live->advised < live->record.count && live->steps[live->advised].is_asked)
        live->advised++;
}

/* Newest games first: they are the most likely to be watched. */
static bool next_question(struct adviser *a) {
    for (struct live_game *live = a->games->newest; live != NULL; live = live->next) {
        if (live->is_advised || !live_game_needs_advice(live))
            continue;
        skip_known(live);
        if (!live_game_needs_advice(live)) {
            live_game_update(live);
            continue;
        }
        struct replay replay;
        a->live = live_game_hold(live);
        a->ply = live->advised + 1;
        a->version = live->version;
        a->seed = live->record.seed;
        clocked_game_replay(&live->game, a->ply, &replay, NULL);
        memcpy(a->state, replay.state, live->scenario->game->state_size);
        live->is_advised = true;
        return true;
    }
    return false;
}

static void take_answer(struct adviser *a, double chance) {
    assert(a->live != NULL);
    assert(a->live->is_advised);
    struct live_game *live = a->live;
    const bool counts = !a->games->is_stopping && !live->is_removed;
    live->is_advised = false;
    if (counts && live->version == a->version) {
        live->steps[a->ply - 1].is_asked = true;
        live->steps[a->ply - 1].chance = chance;
        live->is_changed = true;
        if (!isnan(chance))
            live_game_publish_chance(live, a->ply);
        skip_known(live);
    }
    if (counts) /* the game may have ended during the search */
        live_game_update(live);
    a->live = NULL;
    live_game_drop(live);
}

/* ---- without it ---- */

/* The mean over all simulations; without simulations (a forced win), the player's own value. */
static double mover_chance(const struct thoughts *thoughts, const struct answer *answer) {
    double sum = 0, visits = 0;
    for (int i = 0; i < thoughts->count; i++) {
        sum += thoughts->candidates[i].value * (double)thoughts->candidates[i].visits;
        visits += (double)thoughts->candidates[i].visits;
    }
    const double chance = visits > 0 ? sum / visits : answer->value;
    return chance < 0 ? 0 : chance > 1 ? 1 : chance; /* NAN is returned as NAN */
}

/* NAN if the player gives no value. */
static double ask(struct adviser *a) {
    const struct game *game = a->live->scenario->game;
    struct answer answer = {.fault = PLAYER_SHORTAGE};
    struct rng rng;
    if (a->player == NULL || a->game != game) {
        player_close(a->player);
        a->game = game;
        a->player = player_open(game_offer(game)->commentator, game, NULL);
    }
    rng_seed_stream(&rng, a->seed, (uint64_t)ADVICE_STREAM + (uint64_t)a->ply);
    const struct position_ask question = {
        .game = a->game,
        .state = a->state,
        .budget = {.work_max = game_offer(a->game)->commentator_work, .clock = a->games->bench->setup.clock},
        .rng = &rng,
        .thoughts = &a->thoughts};
    if (a->player != NULL)
        player_choose_in(a->player, &question, &answer);
    if (answer.fault != PLAYER_FAULT_NONE)
        return (double)NAN;
    const double chance = mover_chance(&a->thoughts, &answer);
    return a->game->mover(a->state) == 0 ? chance : 1 - chance;
}

/* ---- the task ---- */

static void advise(void *context) {
    struct adviser *a = context;
    struct live_games *games = a->games;
    workbench_lock(games->bench);
    while (!games->is_stopping && next_question(a)) {
        workbench_unlock(games->bench);
        const double chance = ask(a);
        workbench_lock(games->bench);
        take_answer(a, chance);
    }
    games->advisers--;
    workbench_unlock(games->bench);
    player_close(a->player);
    mem_free(a);
}

static void drop_adviser(void *context) {
    assert(((struct adviser *)context)->games->advisers > 0);
    struct adviser *a = context;
    a->games->advisers--;
    mem_free(a);
}

void live_games_advise(struct live_games *games) {
    int wanted = 0;
    for (const struct live_game *live = games->newest; live != NULL; live = live->next)
        wanted += !live->is_advised && live_game_needs_advice(live);
    while (games->advisers < ADVISERS_MAX && games->advisers < wanted) {
        struct adviser *a = mem_alloc(sizeof *a);
        const struct task task = {.run = advise, .dropped = drop_adviser, .context = a, .owner = games};
        a->games = games;
        games->advisers++;
        if (!task_pool_start(games->bench->task_pool, &task, NULL)) {
            drop_adviser(a);
            return;
        }
    }
}
