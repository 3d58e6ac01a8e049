/* SPDX-License-Identifier: MIT */
#include "tournament/run.h"

#include "base/mem.h"
#include "pool/pool.h"
#include "tournament/event_store.h"

#include <assert.h>

/* A run and how far it is. */
struct run_state {
    const struct tournament_run *run;
    struct games *games; /* NULL on the ranks beside 0 */
    struct batch *batch;
    struct scenario **scenarios;
};

static bool report_game(void *context, const struct batch_result *result, struct err *e) {
    const struct run_state *s = context;
    (void)e;
    if (s->run->on_game != NULL)
        s->run->on_game(s->run->context, s->games, result->game->number, result->resumed);
    return true;
}

static void watch_game(void *context, const struct scheduled_game *game, const void *state,
                       const struct record *record) {
    const struct run_state *s = context;
    s->run->watch(s->run->context, game, state, record);
}

static bool add_voids(void *context, const char *lines, struct err *e) {
    struct run_state *s = context;
    return batch_read_voids(lines, &s->games->voids, e);
}

static bool blame_game(void *context, const struct scheduled_game *f, struct err *e) {
    const struct event *event = ((const struct run_state *)context)->run->event;
    return err_prefix(e, "game %d, %s against %s on %s: ", f->number, event->players[f->players[0]].name,
                      event->players[f->players[1]].name, event->maps[f->map].name);
}

/* Schedules, plays and stores all rounds: for rank 0, or without a cluster. */
static bool coordinate(struct run_state *s, bool *complete, struct err *e) {
    const struct tournament_run *run = s->run;
    struct games *games = s->games;
    if (run->store != NULL && !batch_load_voids(run->store, &games->voids, e))
        return false;
    for (bool more = true; !budget_is_stopped(run->stop);) {
        int beyond = 0;
        const int first = games->count;
        if (!event_next_batch(run->event, games, &more, e))
            return false;
        const struct batch_list next = {games->count - first, games->scheduled + first,
                                        games->outcomes + first, s->scenarios, NULL};
        if (run->store != NULL && !batch_resume(run->store, &next, first, &beyond, e))
            return false;
        const bool is_end =
            !more || (run->resume_only && !batch_is_whole(games->outcomes, first, games->count));
        if (is_end && beyond > 0)
            return err_set(e, "the store has %d games that the event does not have", beyond);
        *complete = !more;
        if (!more)
            return true;
        if (!batch_play(s->batch, &next, e))
            return false;
        if (!batch_is_whole(games->outcomes, first, games->count))
            return true; /* stopped */
    }
    return true;
}

bool tournament_play(const struct tournament_run *run, struct games *games, bool *complete, struct err *e) {
    const struct event *event = run->event;
    const bool is_coordinator = run->cluster == NULL || cluster_rank(run->cluster) == 0;
    struct run_state s = {.run = run, .games = is_coordinator ? games : NULL};
    struct batch_player *players = mem_alloc((size_t)event->player_count * sizeof *players);
    s.scenarios = mem_alloc((size_t)event->map_count * sizeof *s.scenarios);
    for (int i = 0; i < event->player_count; i++)
        players[i] = (struct batch_player){event->players[i].name, event->players[i].spec, NULL};
    for (int i = 0; i < event->map_count; i++)
        s.scenarios[i] = event->maps[i].scenario;
    const struct batch_setup setup = {
        .players = players,
        .player_count = event->player_count,
        .grant = run->grant,
        .timing = &event->rules.timing,
        .clock = run->clock,
        .workers = run->workers,
        .cluster = run->cluster,
        .store = run->store,
        .records = run->store != NULL || run->cluster != NULL,
        .stored_only = run->resume_only,
        .stop = run->stop,
        .date = run->date,
        .watch = run->watch != NULL ? watch_game : NULL,
        .on_game = report_game,
        .on_voids = add_voids,
        .blame = blame_game,
        .scenarios = s.scenarios,
        .context = &s,
    };
    s.batch = batch_open(&setup);
    *complete = false;
    struct err ignored;
    bool ok = is_coordinator ? coordinate(&s, complete, e) : batch_work(s.batch, e);
    ok = batch_close(s.batch, ok ? e : &ignored) && ok;
    mem_free(players);
    mem_free(s.scenarios);
    return ok;
}

bool tournament_check(const struct event *event, const struct grant *grant, struct err *e) {
    for (int map = 0; map < event->map_count; map++)
        for (int i = 0; i < event->player_count; i++) {
            const struct game *game = event->maps[map].scenario->game;
            bool seen = false; /* a table that was tried already needs no second try */
            for (int before = 0; before < map && !seen; before++)
                seen = event->maps[before].scenario->game == game;
            struct player *player = seen ? NULL : player_open_granted(event->players[i].spec, game, grant, e);
            if (!seen && player == NULL)
                return err_prefix(e, "%s on %s: ", event->players[i].name, event->maps[map].name);
            player_close(player);
        }
    return true;
}
