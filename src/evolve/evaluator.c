/* SPDX-License-Identifier: MIT
 *
 * A call's games become a list for the batch, except for those that the store has. Many maps are played in
 * slices, so that not all of their tables are in memory at once.
 */
#include "evolve/evaluator.h"

#include "base/budget.h"
#include "base/mem.h"
#include "pool/pool.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

enum { SLICE_JOBS_MAX = 65536, SLICE_MAPS_MAX = 4096 };

_Static_assert(SLICE_JOBS_MAX * sizeof(struct scheduled_game) + SLICE_MAPS_MAX * sizeof(struct tbs_map) +
                       sizeof(int) <=
                   POOL_PACKED_MAX,
               "a slice can be shared");

/* One call of evaluator_play: its games, and of those the ones to play. */
struct call {
    const struct request *requests;
    int count;
    struct sample_game *samples; /* one for each game of each request, in order */
    int job_count, map_count;
    struct scheduled_game *jobs; /* games that the store does not have; `scenario` counts over all maps */
    struct outcome *outcomes;    /* theirs */
    int *slots;                  /* and their places among the samples */
    const struct tbs_map **maps; /* theirs; one that several requests in a row name is there once */
};

struct evaluator {
    struct evaluator_setup setup;
    struct batch_player players[SAMPLE_PLAYERS];
    uint64_t players_digest;
    struct sample_store samples;
    struct batch *batch;
    int games, stored; /* asked for and answered so far; of these, found in the store */
    bool over;         /* it was stopped, or something failed */
    struct call *call; /* that is being played, */
    int first;         /* and the first job of its slice */
    int scenario_count;
    struct scenario **scenarios; /* of the slice */
};

/* ---- requests ---- */

int request_more(const struct request *of, const int games[SAMPLE_KINDS], struct request out[SAMPLE_KINDS]) {
    int count = 0;
    for (int kind = 0; kind < SAMPLE_KINDS; kind++) {
        if (games[kind] <= 0)
            continue;
        struct request *r = &out[count++];
        *r = *of;
        r->kind = (enum sample_kind)kind;
        r->first = of->first + judgement_games_of(of->into, r->kind);
        r->count = games[kind];
    }
    return count;
}

/* ---- one slice ---- */

static void drop_scenarios(struct evaluator *ev) {
    for (int i = 0; i < ev->scenario_count; i++)
        ev->scenarios[i]->game->unload(ev->scenarios[i]);
    mem_free(ev->scenarios);
    ev->scenarios = NULL;
    ev->scenario_count = 0;
}

static bool add_scenario(struct evaluator *ev, const struct tbs_map *map, struct err *e) {
    struct scenario *scenario = tbs_scenario_make(map, ev->setup.rules, TBS_PATH_AUTO, e);
    if (scenario != NULL)
        ev->scenarios[ev->scenario_count++] = scenario;
    return scenario != NULL;
}

/* All ranks are the same program on the same kind of machine, so maps travel as they are. */
static struct scenario *const *receive_maps(void *context, const char *bytes, size_t size, struct err *e) {
    struct evaluator *ev = context;
    const size_t count = size / sizeof(struct tbs_map);
    struct tbs_map map;
    drop_scenarios(ev);
    if (size == 0 || size % sizeof map != 0 || count > SLICE_MAPS_MAX) {
        err_set(e, "rank 0 sent %zu bytes in place of maps", size);
        return NULL;
    }
    ev->scenarios = mem_alloc(count * sizeof *ev->scenarios);
    for (size_t i = 0; i < count; i++) {
        memcpy(&map, bytes + i * sizeof map, sizeof map); /* text promises no alignment */
        if (!add_scenario(ev, &map, e))
            return NULL;
    }
    return ev->scenarios;
}

static void annotate(void *context, const struct scheduled_game *game, const struct scenario *scenario,
                     const struct record *record, struct text *note) {
    const struct evaluator *ev = context;
    (void)game;
    sample_write_note(sample_digest(ev->players_digest, tbs_scenario_map(scenario)), scenario, record, note);
}

static void notify(struct evaluator *ev, const struct sample_game *sample, bool stored) {
    ev->games++;
    ev->stored += stored;
    if (ev->setup.on_result != NULL)
        ev->setup.on_result(ev->setup.context, sample);
    if (ev->setup.on_game != NULL)
        ev->setup.on_game(ev->setup.context, stored);
}

static bool take_result(void *context, const struct batch_result *result, struct err *e) {
    struct evaluator *ev = context;
    struct sample_game *sample = &ev->call->samples[ev->call->slots[ev->first + result->index]];
    uint64_t digest;
    sample->kind = (enum sample_kind)result->game->stage;
    sample->outcome = *result->outcome;
    if (result->note == NULL || !sample_read_note(result->note, &digest, sample))
        return err_set(e, "a rank sent a game without its observations");
    notify(ev, sample, false);
    return true;
}

/* As many jobs from ev->first on as go at once. Returns their number, or -1. */
static int play_slice(struct evaluator *ev, struct err *e) {
    struct call *c = ev->call;
    struct scheduled_game *jobs = &c->jobs[ev->first];
    struct text maps = {0};
    const int map_first = jobs[0].scenario;
    bool ok = true;
    int n = 0;
    while (ev->first + n < c->job_count && n < SLICE_JOBS_MAX &&
           jobs[n].scenario - map_first < SLICE_MAPS_MAX)
        n++;
    const int map_count = jobs[n - 1].scenario - map_first + 1;
    ev->scenarios = mem_alloc((size_t)map_count * sizeof *ev->scenarios);
    for (int i = 0; ok && i < map_count; i++) {
        ok = add_scenario(ev, c->maps[map_first + i], e);
        if (ev->setup.cluster != NULL)
            text_add_bytes(&maps, (const char *)c->maps[map_first + i], sizeof **c->maps);
    }
    for (int i = 0; i < n; i++)
        jobs[i].scenario -= map_first;
    const struct batch_list list = {n, jobs, &c->outcomes[ev->first], ev->scenarios, &maps};
    ok = ok && batch_play(ev->batch, &list, e);
    text_done(&maps);
    drop_scenarios(ev);
    return ok ? n : -1;
}

/* ---- a call ---- */

/* Takes the games that the store has; the others become jobs. */
static bool sort_out(struct evaluator *ev, struct call *c, struct err *e) {
    int slot = 0;
    for (int i = 0; i < c->count; i++) {
        const struct request *r = &c->requests[i];
        struct sample_key key = {
            .map = r->id, .kind = r->kind, .digest = sample_digest(ev->players_digest, r->map)};
        for (int game = 0; game < r->count; game++, slot++) {
            const struct sample_game *found;
            key.number = r->first + game;
            if (!sample_store_find(&ev->samples, &key, &found, e))
                return false;
            if (found != NULL) {
                c->samples[slot] = *found;
                notify(ev, found, true);
                continue;
            }
            if (ev->samples.number_next == INT_MAX)
                return err_set(e, "the store is full");
            if (c->map_count == 0 || c->maps[c->map_count - 1] != r->map)
                c->maps[c->map_count++] = r->map;
            struct scheduled_game *job = &c->jobs[c->job_count];
            *job = sample_schedule(ev->setup.seed, &key);
            job->number = ev->samples.number_next++;
            job->scenario = c->map_count - 1;
            c->slots[c->job_count++] = slot;
        }
    }
    return true;
}

static bool play_jobs(struct evaluator *ev, struct call *c, bool *complete, struct err *e) {
    ev->call = c;
    *complete = c->job_count == 0 || !ev->setup.stored_only;
    for (ev->first = 0; *complete && ev->first < c->job_count;) {
        const int played = play_slice(ev, e);
        *complete = played >= 0 && batch_is_whole(c->outcomes, ev->first, ev->first + played);
        if (played < 0)
            return false;
        ev->first += played;
    }
    return true;
}

bool evaluator_play(struct evaluator *evaluator, const struct request *requests, int count, bool *complete,
                    struct err *e) {
    struct call c = {.requests = requests, .count = count};
    size_t room = 1;
    *complete = false;
    evaluator->over = evaluator->over || budget_is_stopped(evaluator->setup.stop);
    if (evaluator->over)
        return true;
    for (int i = 0; i < count; i++) {
        assert(requests[i].id >= 0);
        assert(requests[i].first >= 0);
        assert(requests[i].count >= 0);
        room += (size_t)requests[i].count;
    }
    c.samples = mem_alloc(room * sizeof *c.samples);
    c.jobs = mem_alloc(room * sizeof *c.jobs);
    c.outcomes = mem_alloc(room * sizeof *c.outcomes);
    c.slots = mem_alloc(room * sizeof *c.slots);
    c.maps = mem_alloc((size_t)(count + 1) * sizeof *c.maps);
    const bool ok = sort_out(evaluator, &c, e) && play_jobs(evaluator, &c, complete, e);
    evaluator->over = !ok || !*complete;
    const struct sample_game *sample = c.samples;
    for (int i = 0; !evaluator->over && i < count; i++)
        for (int game = 0; game < requests[i].count; game++)
            judgement_add(requests[i].into, sample++);
    mem_free(c.samples);
    mem_free(c.jobs);
    mem_free(c.outcomes);
    mem_free(c.slots);
    mem_free(c.maps);
    return ok;
}

int evaluator_games(const struct evaluator *evaluator) {
    return evaluator->games;
}

int evaluator_stored(const struct evaluator *evaluator) {
    return evaluator->stored;
}

bool evaluator_work(struct evaluator *evaluator, struct err *e) {
    return batch_work(evaluator->batch, e);
}

/* ---- opening and closing ---- */

struct evaluator *evaluator_open(const struct evaluator_setup *setup, struct err *e) {
    assert(setup->stop != NULL);
    struct evaluator *ev = mem_alloc(sizeof *ev);
    ev->setup = *setup;
    ev->players_digest = sample_digest_players(setup->rules, setup->strong, setup->weak);
    if (!sample_players(setup->strong, setup->weak, ev->players, e) ||
        !sample_store_read(&ev->samples, setup->store, setup->seed, e)) {
        evaluator_close(ev); /* the worker ranks do not wait for an evaluator that never opened */
        return NULL;
    }
    const struct batch_setup batch = {
        .players = ev->players,
        .player_count = SAMPLE_PLAYERS,
        .grant = setup->grant,
        .clock = setup->clock,
        .workers = setup->workers,
        .cluster = setup->cluster,
        .store = setup->store,
        .records = setup->store != NULL || setup->cluster != NULL,
        .stop = setup->stop,
        .date = setup->date,
        .annotate = annotate,
        .on_game = take_result,
        .receive = receive_maps,
        .context = ev,
    };
    ev->batch = batch_open(&batch);
    return ev;
}

void evaluator_close(struct evaluator *evaluator) {
    struct err ignored;
    if (evaluator == NULL)
        return;
    batch_close(evaluator->batch, &ignored);
    drop_scenarios(evaluator);
    sample_store_done(&evaluator->samples);
    mem_free(evaluator);
}
