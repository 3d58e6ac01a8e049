/* SPDX-License-Identifier: MIT
 *
 * Sample games: their players, keys, seeds and notes, and reading them from a store.
 */
#include "evolve/sample_game.h"

#include "base/hash.h"
#include "base/jsontext.h"
#include "base/mem.h"
#include "store/store.h"

#include <assert.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const enum sample_player seats[SAMPLE_KINDS][2] = {
    [SAMPLE_STRONG_RED] = {SAMPLE_STRONG, SAMPLE_WEAK},
    [SAMPLE_STRONG_BLUE] = {SAMPLE_WEAK, SAMPLE_STRONG},
    [SAMPLE_PEERS] = {SAMPLE_STRONG, SAMPLE_STRONG_AGAIN},
};

bool sample_players(const char *strong, const char *weak, struct batch_player out[SAMPLE_PLAYERS],
                    struct err *e) {
    for (int i = 0; i < SAMPLE_PLAYERS; i++) {
        const char *spec = i == SAMPLE_WEAK ? weak : strong;
        out[i] = (struct batch_player){spec, spec, i == SAMPLE_WEAK ? "weak" : "strong"};
        if (!player_check(spec, NULL, e))
            return err_prefix(e, "%s: ", out[i].role);
    }
    return true;
}

bool sample_is_annihilation(const struct sample_game *sample) {
    return strcmp(sample->outcome.result, tbs_result_names[TBS_RED_ANNIHILATION]) == 0 ||
           strcmp(sample->outcome.result, tbs_result_names[TBS_BLUE_ANNIHILATION]) == 0;
}

/* ---- keys, seeds, digests ---- */

uint64_t sample_seed(uint64_t seed, const struct sample_key *key) {
    const uint64_t map = rng_job_seed(seed, (uint64_t)key->map);
    return rng_job_seed(rng_job_seed(map, (uint64_t)key->kind), (uint64_t)key->number);
}

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

struct scheduled_game sample_schedule(uint64_t seed, const struct sample_key *key) {
    return (struct scheduled_game){.stage = (int)key->kind,
                                   .round = key->number,
                                   .players = {(int)seats[key->kind][0], (int)seats[key->kind][1]},
                                   .map = key->map,
                                   .pair = -1,
                                   .seed = sample_seed(seed, key)};
}

static int compare_stored(const void *left, const void *right) {
    const struct sample_key *a = &((const struct stored_sample *)left)->key,
                            *b = &((const struct stored_sample *)right)->key;
    if (a->map != b->map)
        return a->map < b->map ? -1 : 1;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

/* ---- notes ---- */

static void count_units(const struct tbs_position *p, int units[TBS_SIDES]) {
    units[TBS_RED] = units[TBS_BLUE] = 0;
    for (int id = 0; id < p->unit_count; id++)
        units[p->units[id].side] += p->units[id].hp > 0;
}

void sample_write_note(uint64_t digest, const struct scenario *scenario, const struct record *record,
                       struct text *note) {
    int kills[2] = {0, 0}, first_turn[2] = {-1, -1}, units[TBS_SIDES], left[TBS_SIDES];
    uint64_t attacked = 0;
    struct replay replay;
    struct tbs_position p;
    replay_start(&replay, record, scenario);
    tbs_position_of(replay.state, &p);
    count_units(&p, units);
    while (replay.next < record->count) {
        const int side = p.side, turn = p.turn;
        const action a = record->actions[replay.next].action;
        if (!replay_step(&replay, NULL))
            break; /* cannot be: the referee has checked it */
        tbs_position_of(replay.state, &p);
        count_units(&p, left);
        if (first_turn[side] < 0)
            first_turn[side] = turn;
        if (first_turn[side] == turn)
            kills[side] += units[side ^ 1] - left[side ^ 1];
        if (tbs_is_unit_action(a) && tbs_action_target(a) != TBS_NO_TARGET &&
            tbs_action_unit(a) < SAMPLE_MASK_UNITS)
            attacked |= UINT64_C(1) << tbs_action_unit(a);
        memcpy(units, left, sizeof units);
    }
    text_add(note,
             "{\"trial\": \"%016" PRIx64 "\", \"first_kills\": [%d, %d], \"attacked\": \"%" PRIx64 "\"}",
             digest, kills[0], kills[1], attacked);
}

static bool read_hex(const char *text, uint64_t *out) {
    char *end;
    *out = strtoull(text, &end, 16);
    return *text != '\0' && *end == '\0' && strlen(text) <= 16 &&
           strspn(text, "0123456789abcdef") == strlen(text);
}

bool sample_read_note(const char *note, uint64_t *digest, struct sample_game *out) {
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

bool sample_store_read(struct sample_store *samples, struct store *store, uint64_t seed, struct err *e) {
    *samples = (struct sample_store){.seed = seed};
    struct store_visit visit = {.game = add_stored, .context = samples};
    bool ok = store == NULL || store_visit_games(store, &visit, e);
    if (!ok && samples->lacks_notes) { /* an older store: the records, which are long now, are needed */
        samples->count = 0;
        visit.texts = true;
        ok = store_visit_games(store, &visit, e);
    }
    if (ok && samples->count > 0)
        qsort(samples->stored, (size_t)samples->count, sizeof *samples->stored, compare_stored);
    return ok;
}

void sample_store_done(struct sample_store *samples) {
    mem_free(samples->stored);
    *samples = (struct sample_store){0};
}

bool sample_store_find(const struct sample_store *samples, const struct sample_key *key,
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

/* ---- stores of others ---- */

/* One look is enough. */
static bool note_sample(void *context, const struct store_game *game, struct err *e) {
    const char *note = game->note != NULL ? game->note : game->record;
    *(bool *)context = note != NULL && strncmp(note, "{\"trial\":", 9) == 0;
    return err_set(e, "the first game was seen");
}

bool sample_store_is_none(struct store *store, const char *path, struct err *e) {
    bool has_recipe = false, has_samples = false;
    struct text recipe = {0};
    struct err seen;
    const char *slash = strrchr(path, '/');
    const struct store_visit visit = {.game = note_sample, .context = &has_samples, .texts = true};
    const bool ok = store_get(store, SAMPLE_STORE_RECIPE, &recipe, &has_recipe, e);
    text_done(&recipe);
    if (!ok)
        return false;
    store_visit_games(store, &visit, &seen);
    if (has_recipe)
        return err_set(e, "%s: is the store of an evolution; 'senjutsu evolve --out %.*s' shows it", path,
                       slash != NULL ? (int)(slash - path) : 1, slash != NULL ? path : ".");
    return !has_samples ||
           err_set(e, "%s: is a store of 'map judge'; 'senjutsu map judge MAP --store %s' shows it", path,
                   path);
}
