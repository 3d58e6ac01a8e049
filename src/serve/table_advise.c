/* SPDX-License-Identifier: MIT
 *
 * Side 0's chance to win after each step, by a player that is asked briefly about every position. It has
 * threads of its own, so that no game waits for it. Who is asked sees what the mover sees, so while something
 * is hidden from people nobody is asked: they could read it from the answers.
 */
#include "serve/table_work.h"

#include "base/mem.h"
#include "game/geister/geister.h"
#include "game/tbs/tbs.h"

#include <math.h>
#include <string.h>

enum { ADVISERS_MAX = 2, ADVICE_STREAM = 1 << 16 /* beyond the streams of a game */ };

struct voice {
    bool (*is)(const struct game *game);
    const char *player;
    uint64_t work; /* simulations a position */
};

static bool is_geister(const struct game *game) {
    return game == &geister_game;
}

static bool is_any(const struct game *game) {
    return game != NULL;
}

/* Widening looks at the better actions more, so that the mean over all simulations says something. */
static const struct voice voices[] = {
    {game_is_tbs, "pwuct", 600}, {is_geister, "geist", 400}, {is_any, "ismcts", 400}};

struct adviser {
    struct tables *tables;
    const struct voice *voice; /* whose player is open, */
    const struct game *game;   /* for this game; */
    struct player *player;     /* NULL: none */

    /* The question at hand. */
    struct table *table; /* held */
    int ply, version;
    uint64_t seed;
    struct thoughts thoughts;
    _Alignas(16) unsigned char state[GAME_STATE_MAX];
};

static const struct voice *voice_of(const struct game *game) {
    const struct voice *voice = voices;
    while (!voice->is(game)) /* the last one is for all */
        voice++;
    return voice;
}

/* ---- with the lock ---- */

bool table_wants_advice(const struct table *table) {
    return !table->is_gone && !table->tables->is_stopping && !table->tables->bench->setup.idle &&
           !table_hides(table) && table->advised < table->record.count;
}

static void skip_known(struct table *table) {
    while (table->advised < table->record.count && table->steps[table->advised].is_asked)
        table->advised++;
}

/* The newest tables first: somebody looks at those. */
static bool next_question(struct adviser *a) {
    for (struct table *table = a->tables->newest; table != NULL; table = table->next) {
        if (table->is_advised || !table_wants_advice(table))
            continue;
        skip_known(table);
        if (!table_wants_advice(table)) {
            table_settle(table);
            continue;
        }
        struct replay replay;
        a->table = table_hold(table);
        a->ply = table->advised + 1;
        a->version = table->version;
        a->seed = table->record.seed;
        table_replay(table, a->ply, &replay);
        memcpy(a->state, replay.state, table->scenario->game->state_size);
        table->is_advised = true;
        return true;
    }
    return false;
}

static void take_answer(struct adviser *a, double chance) {
    struct table *table = a->table;
    const bool counts = !a->tables->is_stopping && !table->is_gone;
    table->is_advised = false;
    if (counts && table->version == a->version) {
        table->steps[a->ply - 1].is_asked = true;
        table->steps[a->ply - 1].chance = chance;
        table->is_changed = true;
        if (!isnan(chance))
            table_tell_chance(table, a->ply);
        skip_known(table);
    }
    if (counts) /* the game may have ended while it was looked at */
        table_settle(table);
    a->table = NULL;
    table_drop(table);
}

/* ---- without it ---- */

static bool open_player(struct adviser *a) {
    const struct game *game = a->table->scenario->game;
    const struct voice *voice = voice_of(game);
    if (a->player != NULL && a->game == game)
        return true;
    player_close(a->player);
    a->voice = voice;
    a->game = game;
    a->player = player_open(voice->player, game, NULL);
    return a->player != NULL;
}

/* The mean over all that was tried; where nothing was (a forced win), what the player says itself. */
static double mover_chance(const struct thoughts *thoughts, const struct answer *answer) {
    double sum = 0, visits = 0;
    for (int i = 0; i < thoughts->count; i++) {
        sum += thoughts->candidates[i].value * (double)thoughts->candidates[i].visits;
        visits += (double)thoughts->candidates[i].visits;
    }
    const double chance = visits > 0 ? sum / visits : answer->value;
    return chance < 0 ? 0 : chance > 1 ? 1 : chance; /* NAN stays */
}

/* NAN where the player cannot say it. */
static double ask(struct adviser *a) {
    struct answer answer = {.fault = PLAYER_SHORTAGE};
    struct rng rng;
    const bool is_open = open_player(a);
    rng_seed_stream(&rng, a->seed, (uint64_t)ADVICE_STREAM + (uint64_t)a->ply);
    const struct position_ask question = {
        .game = a->game,
        .state = a->state,
        .budget = {.work_max = a->voice->work, .clock = a->tables->bench->setup.clock},
        .rng = &rng,
        .thoughts = &a->thoughts};
    if (is_open)
        player_choose_in(a->player, &question, &answer);
    if (answer.fault != PLAYER_FAULT_NONE)
        return (double)NAN;
    const double chance = mover_chance(&a->thoughts, &answer);
    return a->game->mover(a->state) == 0 ? chance : 1 - chance;
}

/* ---- the task ---- */

static void advise(void *context) {
    struct adviser *a = context;
    struct tables *tables = a->tables;
    workbench_lock(tables->bench);
    while (!tables->is_stopping && next_question(a)) {
        workbench_unlock(tables->bench);
        const double chance = ask(a);
        workbench_lock(tables->bench);
        take_answer(a, chance);
    }
    tables->advisers--;
    workbench_unlock(tables->bench);
    player_close(a->player);
    mem_free(a);
}

static void drop(void *context) {
    struct adviser *a = context;
    a->tables->advisers--;
    mem_free(a);
}

static int count_wanting(const struct tables *tables) {
    int count = 0;
    for (const struct table *table = tables->newest; table != NULL; table = table->next)
        count += !table->is_advised && table_wants_advice(table);
    return count;
}

void tables_advise(struct tables *tables) {
    const int wanting = count_wanting(tables);
    while (tables->advisers < ADVISERS_MAX && tables->advisers < wanting) {
        struct adviser *a = mem_alloc(sizeof *a);
        const struct crew_task task = {.run = advise, .dropped = drop, .context = a, .owner = tables};
        if (a == NULL)
            return;
        a->tables = tables;
        tables->advisers++;
        if (crew_start(tables->bench->crew, &task, NULL))
            continue;
        drop(a);
        return;
    }
}
