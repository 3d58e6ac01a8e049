/* SPDX-License-Identifier: MIT
 *
 * Sample games (their players, keys, seeds and notes, and reading them from a store), and the evaluator that
 * plays them. A call's games become a list for the batch, except for those that the store has. Many maps are
 * played in slices, so that not all of their tables are in memory at once.
 */
#include "evolve/evaluator.h"

#include "base/mem.h"
#include "evolve/judge.h"
#include "pool/pool.h"
#include "store/store.h"

#include <assert.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- sample games ---- */

/* The players of a batch. Strong against itself is two players: one must not find a plan of the other. */
enum sample_player { SAMPLE_STRONG, SAMPLE_WEAK, SAMPLE_STRONG_AGAIN, SAMPLE_PLAYERS };

static const enum sample_player seats[SAMPLE_KINDS][2] = {
    [SAMPLE_STRONG_RED] = {SAMPLE_STRONG, SAMPLE_WEAK},
    [SAMPLE_STRONG_BLUE] = {SAMPLE_WEAK, SAMPLE_STRONG},
    [SAMPLE_PEERS] = {SAMPLE_STRONG, SAMPLE_STRONG_AGAIN},
};

/* False when a spec is wrong. The specs must outlive the players. */
static bool sample_players(const char *strong, const char *weak, struct batch_player out[SAMPLE_PLAYERS],
                           struct err *e) {
    for (int i = 0; i < SAMPLE_PLAYERS; i++) {
        const char *spec = i == SAMPLE_WEAK ? weak : strong;
        out[i] = (struct batch_player){spec, spec, i == SAMPLE_WEAK ? "weak" : "strong"};
        if (!player_check(spec, NULL, e))
            return err_prefix(e, "%s: ", out[i].role);
    }
    return true;
}

/* By the name of the result: that is what a store holds. */
bool sample_is_annihilation(const struct sample_game *sample) {
    return strcmp(sample->outcome.result, tbs_result_names[TBS_RED_ANNIHILATION]) == 0 ||
           strcmp(sample->outcome.result, tbs_result_names[TBS_BLUE_ANNIHILATION]) == 0;
}

/* ---- keys, seeds, digests ----
 *
 * Two games are the same when map, rules, players, kind, number and the run's seed are. So a store serves a
 * run again even if the run asks in another order (because it had more time, for example), and another run's
 * store is recognized. */

struct sample_key {
    int map; /* its id */
    enum sample_kind kind;
    int number;      /* among the map's games of that kind */
    uint64_t digest; /* of map, rules and players: see sample_digest */
};

/* The seed of that game in a run with this seed. */
static uint64_t sample_seed(uint64_t seed, const struct sample_key *key) {
    const uint64_t map = rng_job_seed(seed, (uint64_t)key->map);
    return rng_job_seed(rng_job_seed(map, (uint64_t)key->kind), (uint64_t)key->number);
}

/* Texts are hashed with their NUL, so that ("ab", "c") differs from ("a", "bc"). */
uint64_t sample_digest_players(const struct tbs_rules *rules, const char *strong, const char *weak) {
    const char *const texts[] = {rules->name, strong, weak};
    uint64_t hash = HASH_START;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        hash = hash_bytes(hash, texts[i], strlen(texts[i]) + 1);
    return hash;
}

uint64_t sample_digest(uint64_t players, const struct tbs_map *map) {
    const int sizes[] = {map->width, map->height, map->turn_limit, map->threshold, map->unit_count};
    uint64_t hash = players;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        hash = hash_u64(hash, (uint64_t)sizes[i]);
    for (int x = 0; x < map->width; x++)
        hash = hash_bytes(hash, map->terrain[x], (size_t)map->height);
    for (int id = 0; id < map->unit_count; id++) {
        const struct tbs_map_unit *u = &map->units[id];
        const uint8_t bytes[] = {u->x, u->y, u->type, u->side, u->hp, u->done};
        hash = hash_bytes(hash, bytes, sizeof bytes);
    }
    return hash;
}

/* The game for a batch, without its number and its scenario. */
static struct scheduled_game sample_schedule(uint64_t seed, const struct sample_key *key) {
    return (struct scheduled_game){.stage = (int)key->kind,
                                   .round = key->number,
                                   .players = {(int)seats[key->kind][0], (int)seats[key->kind][1]},
                                   .map = key->map,
                                   .pair = -1,
                                   .seed = sample_seed(seed, key)};
}

/* ---- notes ----
 *
 * The store's columns hold most of a game: map, `stage` (the kind), `round` (the number among the map's games
 * of that kind), seed, outcome. The note has the rest:
 *
 *     {"trial": "0123456789abcdef", "first_kills": [2, 0], "attacked": "3f"}
 *
 * These are the digest of map, rules and players, and the units that attacked as bits. Both are hexadecimal
 * digits, because JSON numbers are not exact for 64 bits. In older stores it is in place of the record. */

static int units_alive(const struct tbs_position *p, int side) {
    int count = 0;
    for (int id = 0; id < p->unit_count; id++)
        count += p->units[id].side == side && p->units[id].hp > 0;
    return count;
}

/* Observes the game by replaying it. */
static void sample_write_note(uint64_t digest, const struct scenario *scenario, const struct record *record,
                              struct text *note) {
    int kills[2] = {0, 0}, first_turn[2] = {-1, -1};
    uint64_t attacked = 0;
    struct replay replay;
    struct tbs_position p;
    replay_start(&replay, record, scenario);
    tbs_position_of(replay.state, &p);
    while (replay.next < record->count) {
        const int side = p.side, turn = p.turn, enemies = units_alive(&p, side ^ 1);
        const action a = record->actions[replay.next].action;
        if (!replay_step(&replay, NULL))
            break; /* cannot be: the referee has checked it */
        tbs_position_of(replay.state, &p);
        if (first_turn[side] < 0)
            first_turn[side] = turn;
        if (first_turn[side] == turn)
            kills[side] += enemies - units_alive(&p, side ^ 1);
        if (tbs_is_unit_action(a) && tbs_action_target(a) != TBS_NO_TARGET &&
            tbs_action_unit(a) < SAMPLE_MASK_UNITS)
            attacked |= UINT64_C(1) << tbs_action_unit(a);
    }
    text_add(note,
             "{\"trial\": \"%016" PRIx64 "\", \"first_kills\": [%d, %d], \"attacked\": \"%" PRIx64 "\"}",
             digest, kills[0], kills[1], attacked);
}

/* Notes come from a file: strtoull alone would accept signs, blanks and "0x". */
static bool read_hex(const char *text, uint64_t *out) {
    char *end;
    *out = strtoull(text, &end, 16);
    return *text != '\0' && *end == '\0' && strlen(text) <= 16 &&
           strspn(text, "0123456789abcdef") == strlen(text);
}

static bool sample_read_note(const char *note, uint64_t *digest, struct sample_game *out) {
    const char *digest_digits, *attacked;
    int *kills = out->first_kills;
    json_t *root = json_loads(note, JSON_REJECT_DUPLICATES, NULL);
    const bool ok = json_unpack(root, "{ss s[ii!] ss}", "trial", &digest_digits, "first_kills", &kills[0],
                                &kills[1], "attacked", &attacked) == 0 &&
                    kills[0] >= 0 && kills[1] >= 0 && read_hex(digest_digits, digest) &&
                    read_hex(attacked, &out->attacked);
    json_decref(root);
    return ok;
}

/* ---- reading a store ---- */

struct stored_sample {
    struct sample_key key;
    struct sample_game sample;
};

/* The games that a store had when it was read. */
struct sample_store {
    uint64_t seed;
    int number_next;  /* in the store, whose numbers give only the order in which games were asked for */
    bool lacks_notes; /* the last game that was read has neither note nor record */
    int count, capacity;
    struct stored_sample *stored; /* ordered by key */
};

static int compare_stored(const void *left, const void *right) {
    const struct sample_key *a = &((const struct stored_sample *)left)->key,
                            *b = &((const struct stored_sample *)right)->key;
    if (a->map != b->map)
        return a->map < b->map ? -1 : 1;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

/* The visitor of a store's games. Everything in it may be another run's or damaged, and is checked. */
static bool add_stored(void *context, const struct store_game *g, struct err *e) {
    struct sample_store *samples = context;
    if (g->number == INT_MAX)
        return err_set(e, "the store is full: there is a game %d", g->number);
    samples->number_next = g->number + 1;
    samples->stored =
        mem_grow(samples->stored, &samples->capacity, samples->count + 1, sizeof *samples->stored);
    struct stored_sample *s = &samples->stored[samples->count++];
    *s = (struct stored_sample){
        .key = {.map = g->map, .kind = (enum sample_kind)g->stage, .number = g->round},
        .sample = {.kind = (enum sample_kind)g->stage, .outcome = g->outcome},
    };
    const char *note = g->note != NULL ? g->note : g->record;
    samples->lacks_notes = note == NULL;
    if (g->stage >= SAMPLE_KINDS || g->outcome.fault >= PLAYER_FAULTS || note == NULL ||
        !sample_read_note(note, &s->key.digest, &s->sample))
        return err_set(e, "game %d in the store is not one that judges a map", g->number);
    return g->seed == sample_seed(samples->seed, &s->key) ||
           err_set(e, "game %d in the store was played with another seed: the store is another run's",
                   g->number);
}

/* Reads the whole store; NULL is an empty one. sample_store_done is due also after a failure. */
static bool sample_store_read(struct sample_store *samples, struct store *store, uint64_t seed,
                              struct err *e) {
    *samples = (struct sample_store){.seed = seed};
    struct store_visit visit = {.game = add_stored, .context = samples};
    bool ok = store == NULL || store_visit_games(store, &visit, e);
    if (!ok && samples->lacks_notes) { /* an older store: the records, which are long now, are needed */
        samples->count = 0;
        visit.texts = true;
        ok = store_visit_games(store, &visit, e);
    }
    struct err foreign; /* the first game is none of ours: whose is it? */
    if (!ok && samples->count == 1 && !store_is_of(store, NULL, &foreign))
        *e = foreign;
    if (ok && samples->count > 0)
        qsort(samples->stored, (size_t)samples->count, sizeof *samples->stored, compare_stored);
    return ok;
}

static void sample_store_done(struct sample_store *samples) {
    mem_free(samples->stored);
    *samples = (struct sample_store){0};
}

/* *found is NULL when it is not there. False when one is there under that id that was played on another map
 * or by others. */
static bool sample_store_find(const struct sample_store *samples, const struct sample_key *key,
                              const struct sample_game **found, struct err *e) {
    const struct stored_sample wanted = {.key = *key};
    const struct stored_sample *stored = NULL;
    if (samples->count > 0)
        stored = bsearch(&wanted, samples->stored, (size_t)samples->count, sizeof wanted, compare_stored);
    *found = stored != NULL ? &stored->sample : NULL;
    if (stored == NULL || stored->key.digest == key->digest)
        return true;
    return err_set(e,
                   "map %d in the store is another one, or was played by others: the store is another run's",
                   key->map);
}

/* ---- the evaluator ---- */

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
    struct outcome *outcomes;    /* of the jobs */
    int *slots;                  /* of the jobs: their places in `samples` */
    const struct tbs_map **maps; /* of the jobs; requests in a row for one map share an entry */
};

struct evaluator {
    struct evaluator_setup setup;
    struct batch_player players[SAMPLE_PLAYERS];
    uint64_t players_digest;
    struct sample_store samples;
    struct batch *batch;
    int games;         /* asked for and answered so far, those that the store had included */
    bool over;         /* it was stopped, or something failed */
    struct call *call; /* in progress */
    int first;         /* the first job of the current slice */
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

/* The tables of a slice's maps are large: they are freed before the next slice. */
static void drop_scenarios(struct evaluator *ev) {
    for (int i = 0; i < ev->scenario_count; i++)
        game_unload(ev->scenarios[i]);
    mem_free(ev->scenarios);
    ev->scenarios = NULL;
    ev->scenario_count = 0;
}

/* Makes the scenarios of a slice from its maps, on rank 0 and on the others alike. All ranks are the same
 * program on the same kind of machine, so maps travel as they are. */
static struct scenario *const *load_maps(void *context, const char *bytes, size_t size, struct err *e) {
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
        struct scenario *scenario = tbs_scenario_make(&map, ev->setup.rules, TBS_PATH_AUTO, e);
        if (scenario == NULL)
            return NULL;
        ev->scenarios[ev->scenario_count++] = scenario;
    }
    return ev->scenarios;
}

/* Runs on the worker that has played the game, on any rank: the game is replayed where its record is. */
static void annotate(void *context, const struct scheduled_game *game, const struct scenario *scenario,
                     const struct record *record, struct text *note) {
    const struct evaluator *ev = context;
    (void)game;
    sample_write_note(sample_digest(ev->players_digest, tbs_scenario_map(scenario)), scenario, record, note);
}

/* One call at a time: stored games are reported before the batch starts, and the batch reports one by one. */
static void notify(struct evaluator *ev, const struct sample_game *sample, bool stored) {
    ev->games++;
    if (ev->setup.on_game != NULL)
        ev->setup.on_game(ev->setup.context, sample, stored);
}

/* Also checks results of other ranks, which come as text. */
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
    int n = 0;
    while (ev->first + n < c->job_count && n < SLICE_JOBS_MAX &&
           jobs[n].scenario - map_first < SLICE_MAPS_MAX)
        n++;
    const int map_count = jobs[n - 1].scenario - map_first + 1;
    for (int i = 0; i < map_count; i++)
        text_add_bytes(&maps, (const char *)c->maps[map_first + i], sizeof **c->maps);
    for (int i = 0; i < n; i++)
        jobs[i].scenario -= map_first;
    const bool ok =
        load_maps(ev, maps.data, maps.size, e) != NULL &&
        batch_play(ev->batch, &(struct batch_list){n, jobs, &c->outcomes[ev->first], ev->scenarios, &maps},
                   e);
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
    c.samples = mem_try_alloc(room * sizeof *c.samples);
    c.jobs = mem_try_alloc(room * sizeof *c.jobs);
    c.outcomes = mem_try_alloc(room * sizeof *c.outcomes);
    c.slots = mem_try_alloc(room * sizeof *c.slots);
    c.maps = mem_try_alloc((size_t)(count + 1) * sizeof *c.maps);
    const bool fits =
        c.samples != NULL && c.jobs != NULL && c.outcomes != NULL && c.slots != NULL && c.maps != NULL;
    bool ok = (fits || err_set(e, "not enough memory for %zu games", room - 1)) && sort_out(evaluator, &c, e);
    evaluator->call = &c; /* cppcheck-suppress autoVariables ; it is reset below */
    *complete = ok && (c.job_count == 0 || !evaluator->setup.stored_only);
    for (evaluator->first = 0; *complete && evaluator->first < c.job_count;) {
        const int first = evaluator->first, played = play_slice(evaluator, e);
        ok = played >= 0;
        *complete = ok && batch_is_whole(c.outcomes, first, first + played);
        evaluator->first = first + played;
    }
    evaluator->call = NULL;
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
        .receive = load_maps,
        .context = ev,
    };
    ev->batch = batch_open(&batch);
    return ev;
}

/* Closing the batch ends the loops of the worker ranks. An error can no longer be reported. */
void evaluator_close(struct evaluator *evaluator) {
    struct err ignored;
    if (evaluator == NULL)
        return;
    batch_close(evaluator->batch, &ignored);
    drop_scenarios(evaluator);
    sample_store_done(&evaluator->samples);
    mem_free(evaluator);
}
