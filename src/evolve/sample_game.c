/* SPDX-License-Identifier: MIT
 *
 * One game on a map that is being judged, and storing it.
 */
#include "evolve/sample_game.h"

#include "base/hash.h"
#include "base/jsontext.h"
#include "base/mem.h"
#include "match/game_run.h"
#include "store/store.h"

#include <assert.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Which role plays which side. Strong against itself is two players: one must not find a plan that the
 * other made. */
enum role { STRONG, STRONG_AGAIN, WEAK, ROLES };

static const enum role seats[SAMPLE_KINDS][2] = {
    [SAMPLE_STRONG_RED] = {STRONG, WEAK},
    [SAMPLE_STRONG_BLUE] = {WEAK, STRONG},
    [SAMPLE_PEERS] = {STRONG, STRONG_AGAIN},
};

enum { TABLES = 2 };

struct sample_players {
    const struct grant *grant;
    char specs[ROLES][SPEC_TEXT_MAX];
    struct player *open[TABLES][ROLES]; /* small boards, then wide ones */
};

/* ---- the players ---- */

static bool check_spec(const char *role, const char *spec, struct err *e) {
    return player_check(spec, NULL, e) || err_prefix(e, "%s: ", role);
}

struct sample_players *sample_players_open(const char *strong, const char *weak, const struct grant *grant,
                                           struct err *e) {
    if (!check_spec("strong", strong, e) || !check_spec("weak", weak, e))
        return NULL;
    struct sample_players *p = mem_alloc(sizeof *p);
    if (p == NULL) {
        err_set(e, "not enough memory for the players");
        return NULL;
    }
    p->grant = grant;
    for (int role = 0; role < ROLES; role++)
        snprintf(p->specs[role], sizeof p->specs[role], "%s", role == WEAK ? weak : strong);
    return p;
}

void sample_players_close(struct sample_players *players) {
    if (players == NULL)
        return;
    for (int table = 0; table < TABLES; table++)
        for (int role = 0; role < ROLES; role++)
            player_close(players->open[table][role]);
    mem_free(players);
}

static struct player *take_player(struct sample_players *p, enum role role, const struct scenario *scenario,
                                  struct err *e) {
    struct player **open = &p->open[tbs_scenario_is_wide(scenario)][role];
    if (*open == NULL)
        *open = player_open_granted(p->specs[role], scenario->game, p->grant, e);
    return *open;
}

/* ---- what is seen of a game ---- */

struct observer {
    int seen;             /* actions so far */
    int turn, side;       /* before the action that is to come */
    int units[TBS_SIDES]; /* alive, also before it */
    int first_turn[2];    /* in which a side acted for the first time; -1 before */
    struct sample_game *sample;
};

static void count_units(const struct tbs_position *p, int units[TBS_SIDES]) {
    units[TBS_RED] = units[TBS_BLUE] = 0;
    for (int id = 0; id < p->unit_count; id++)
        units[p->units[id].side] += p->units[id].hp > 0;
}

static void note_action(struct observer *w, action a, const int units[TBS_SIDES]) {
    const int side = w->side;
    if (w->first_turn[side] < 0)
        w->first_turn[side] = w->turn;
    if (w->first_turn[side] == w->turn)
        w->sample->first_kills[side] += w->units[side ^ 1] - units[side ^ 1];
    if (tbs_is_unit_action(a) && tbs_action_target(a) != TBS_NO_TARGET &&
        tbs_action_unit(a) < SAMPLE_MASK_UNITS)
        w->sample->attacked |= UINT64_C(1) << tbs_action_unit(a);
}

/* Called after each action, and also at the start and after a ruling, when there was none. */
static void watch(void *context, const void *state, const struct record *record) {
    struct observer *w = context;
    struct tbs_position p;
    int units[TBS_SIDES];
    tbs_position_of(state, &p);
    count_units(&p, units);
    if (record->count > w->seen)
        note_action(w, record->actions[record->count - 1].action, units);
    w->seen = record->count;
    w->turn = p.turn;
    w->side = p.side;
    memcpy(w->units, units, sizeof units);
    w->sample->annihilated = p.result == TBS_RED_ANNIHILATION || p.result == TBS_BLUE_ANNIHILATION;
}

/* ---- the game ---- */

static void note_result(const struct game_run_result *game_run, struct sample_game *out) {
    out->payoff = game_run->payoff;
    out->actions = game_run->actions;
    out->turns = game_run->turns;
    out->fault = game_run->fault;
    memcpy(out->think_ns, game_run->think_ns, sizeof out->think_ns);
    assert(strlen(game_run->record.result) < sizeof out->result); /* "blue annihilation" is the longest */
    strcpy(out->result, game_run->record.result);
}

bool sample_game_play(struct sample_players *players, const struct sample_setup *game,
                      struct sample_game *out, bool *stopped, struct err *e) {
    struct observer observer = {.first_turn = {-1, -1}, .sample = out};
    struct game_run game_run = {
        .scenario = game->scenario,
        .seed = game->seed,
        .clock = game->clock,
        .stop = game->stop,
        .watch = watch,
        .context = &observer,
    };
    *out = (struct sample_game){.kind = game->kind};
    *stopped = false;
    for (int side = 0; side < 2; side++) {
        const enum role role = seats[game->kind][side];
        game_run.names[side] = players->specs[role];
        game_run.players[side] = take_player(players, role, game->scenario, e);
        if (game_run.players[side] == NULL)
            return err_prefix(e, "%s: ", role == WEAK ? "weak" : "strong");
    }
    struct game_run_result played;
    const bool ok = game_run_play(&game_run, &played, e);
    *stopped = ok && played.stopped;
    if (ok && !played.stopped)
        note_result(&played, out);
    game_run_result_done(&played);
    return ok;
}

/* ---- storing ----
 *
 * The store's columns hold most of a game: map, `stage` (the kind), `round` (the number among the map's
 * games of that kind), seed, result. What has no column is its record:
 *
 *     {"trial": "0123456789abcdef", "first_kills": [2, 0], "attacked": "3f"}
 *
 * These are the digest of map, rules and players, and the units that attacked as bits. Both are hexadecimal
 * digits, because JSON numbers are not exact for 64 bits. */

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

static int compare_keys(const struct sample_key *a, const struct sample_key *b) {
    if (a->map != b->map)
        return a->map < b->map ? -1 : 1;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

static int compare_stored(const void *a, const void *b) {
    return compare_keys(&((const struct stored_sample *)a)->key, &((const struct stored_sample *)b)->key);
}

/* ---- reading ---- */

static bool read_hex(const char *text, uint64_t *out) {
    char *end;
    *out = strtoull(text, &end, 16);
    return *text != '\0' && *end == '\0' && strlen(text) <= 16 &&
           strspn(text, "0123456789abcdef") == strlen(text);
}

static bool unpack_record(json_t *root, struct stored_sample *out) {
    const char *digest, *attacked;
    int *kills = out->sample.first_kills;
    return json_unpack(root, "{ss s[ii!] ss}", "trial", &digest, "first_kills", &kills[0], &kills[1],
                       "attacked", &attacked) == 0 &&
           kills[0] >= 0 && kills[1] >= 0 && read_hex(digest, &out->key.digest) &&
           read_hex(attacked, &out->sample.attacked);
}

static bool read_record(const struct store_game *g, struct stored_sample *out, struct err *e) {
    char name[40];
    snprintf(name, sizeof name, "game %d in the store", g->number);
    if (g->record == NULL)
        return err_set(e, "%s is not one that judges a map", name);
    json_t *root = jsontext_load(name, g->record, strlen(g->record), e);
    if (root == NULL)
        return false;
    const bool ok = unpack_record(root, out);
    json_decref(root);
    return ok || err_set(e, "%s is not one that judges a map", name);
}

static bool is_annihilation(const char *result) {
    return strcmp(result, tbs_result_names[TBS_RED_ANNIHILATION]) == 0 ||
           strcmp(result, tbs_result_names[TBS_BLUE_ANNIHILATION]) == 0;
}

static bool convert(const struct store_game *g, uint64_t seed, struct stored_sample *out, struct err *e) {
    if (g->stage >= SAMPLE_KINDS || g->fault >= PLAYER_FAULTS || strlen(g->result) >= SAMPLE_RESULT_MAX)
        return err_set(e, "game %d in the store is not one that judges a map", g->number);
    *out = (struct stored_sample){
        .key = {.map = g->map, .kind = (enum sample_kind)g->stage, .number = g->round},
        .sample = {.kind = (enum sample_kind)g->stage,
                   .payoff = g->payoff,
                   .actions = g->actions,
                   .turns = g->turns,
                   .annihilated = is_annihilation(g->result),
                   .fault = (enum player_fault)g->fault,
                   .think_ns = {g->think_ns[0], g->think_ns[1]}},
    };
    memcpy(out->sample.result, g->result, strlen(g->result) + 1);
    if (!read_record(g, out, e))
        return false;
    return g->seed == sample_seed(seed, &out->key) ||
           err_set(e, "game %d in the store was played with another seed: the store is another run's",
                   g->number);
}

static bool add_stored(void *context, const struct store_game *g, struct err *e) {
    struct sample_store *samples = context;
    if (samples->count == samples->capacity) {
        const int capacity = samples->capacity > 0 ? 2 * samples->capacity : 256;
        void *grown = mem_resize(samples->stored, (size_t)capacity * sizeof *samples->stored);
        if (grown == NULL)
            return err_set(e, "not enough memory for the %d games in the store", samples->count);
        samples->stored = grown;
        samples->capacity = capacity;
    }
    if (g->number == INT_MAX)
        return err_set(e, "the store is full: there is a game %d", g->number);
    samples->number_next = g->number + 1;
    return convert(g, samples->seed, &samples->stored[samples->count++], e);
}

bool sample_store_read(struct sample_store *samples, struct store *store, uint64_t seed, struct err *e) {
    *samples = (struct sample_store){.store = store, .seed = seed};
    const struct store_visit visit = {.game = add_stored, .context = samples, .texts = true};
    if (store != NULL && !store_visit_games(store, &visit, e))
        return false;
    if (samples->count > 0)
        qsort(samples->stored, (size_t)samples->count, sizeof *samples->stored, compare_stored);
    return true;
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
    bool *has_samples = context;
    *has_samples = game->record != NULL && strncmp(game->record, "{\"trial\":", 9) == 0;
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
        return err_set(
            e,
            "%s: is the store of an evolution, which keeps how its games ended and not their actions; "
            "'senjutsu evolve --out %.*s' shows it",
            path, slash != NULL ? (int)(slash - path) : 1, slash != NULL ? path : ".");
    return !has_samples ||
           err_set(e,
                   "%s: is a store of 'map judge', which keeps how its games ended and not their actions; "
                   "'senjutsu map judge MAP --store %s' shows it",
                   path, path);
}

/* ---- writing ---- */

bool sample_store_add(struct sample_store *samples, const struct stored_sample *sample, const char *date,
                      struct err *e) {
    const struct sample_key *key = &sample->key;
    const struct sample_game *t = &sample->sample;
    const bool forfeited = t->fault != PLAYER_FAULT_NONE;
    char record[120];
    if (samples->store == NULL)
        return true;
    if (samples->number_next == INT_MAX)
        return err_set(e, "the store is full");
    snprintf(record, sizeof record,
             "{\"trial\": \"%016" PRIx64 "\", \"first_kills\": [%d, %d], \"attacked\": \"%" PRIx64 "\"}",
             key->digest, t->first_kills[0], t->first_kills[1], t->attacked);
    const struct store_game game = {
        .number = samples->number_next,
        .stage = (int)key->kind,
        .round = key->number,
        .players = {key->kind == SAMPLE_STRONG_BLUE, key->kind == SAMPLE_STRONG_RED},
        .map = key->map,
        .seed = sample_seed(samples->seed, key),
        .payoff = t->payoff,
        .result = t->result,
        .forfeiter = !forfeited        ? NOBODY
                     : t->payoff > 0.5 ? TBS_BLUE
                                       : TBS_RED,
        .fault = (int)t->fault,
        .actions = t->actions,
        .turns = t->turns,
        .think_ns = {t->think_ns[0], t->think_ns[1]},
        .record = record,
        .finished = date,
    };
    if (!store_add_game(samples->store, &game, e))
        return false;
    samples->number_next++;
    return true;
}
