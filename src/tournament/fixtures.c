/* SPDX-License-Identifier: MIT */
#include "tournament/fixtures.h"

#include "base/mem.h"

#include <assert.h>
#include <string.h>
#include <strings.h>

bool fixtures_may_play(const struct event *event, int player, int map) {
    const char *author = event->players[player].author;
    return !event->rules.not_own_maps || author[0] == '\0' ||
           strcasecmp(author, event->maps[map].author) != 0;
}

static bool is_before(const struct fixture *f, struct fixture_time time) {
    return f->stage < time.stage || (f->stage == time.stage && f->round < time.round);
}

bool fixtures_disqualified(const struct event *event, const struct games *games, int player,
                           struct fixture_time before) {
    const int limit = event->rules.disqualify_after;
    int faults = 0;
    for (int i = 0; limit > 0 && i < games->count && is_before(&games->fixtures[i], before); i++) {
        const struct outcome *o = &games->outcomes[i];
        faults += o->played && o->forfeiter != NOBODY && games->fixtures[i].players[o->forfeiter] == player;
    }
    return limit > 0 && faults >= limit;
}

/* ---- maps ---- */

static int eligible_maps(const struct event *event, const struct pairing *pairing, int *out) {
    int count = 0;
    for (int map = 0; map < event->map_count; map++)
        if (fixtures_may_play(event, pairing->players[0], map) &&
            fixtures_may_play(event, pairing->players[1], map))
            out[count++] = map;
    return count;
}

/* Draws `wanted` of them, kept in their order: which ones depends on the seed, the round and the two players
 * (not on who is named first). */
static int draw_maps(const struct event *event, const struct fixture_plan *plan,
                     const struct pairing *pairing, int *maps, int count) {
    const int wanted = event->rules.maps_per_pairing;
    if (wanted == 0 || wanted >= count)
        return count;
    const int a = pairing->players[0], b = pairing->players[1];
    const uint64_t low = (uint64_t)(a < b ? a : b), high = (uint64_t)(a < b ? b : a);
    struct rng r;
    rng_seed_stream(&r, rng_mix(event->seed ^ UINT64_C(0x6d617073)),
                    low << 48 | high << 32 | (uint64_t)plan->stage << 24 | (uint64_t)plan->round);
    int kept = 0;
    for (int i = 0; i < count; i++) /* each of the rest is equally likely to be among those still wanted */
        if (rng_below(&r, (uint32_t)(count - i)) < (uint32_t)(wanted - kept))
            maps[kept++] = maps[i];
    assert(kept == wanted);
    return kept;
}

static bool refuse_pairing(const struct event *event, int a, int b, struct err *e) {
    return err_set(e, "no map is left for %s against %s: each was authored by one of them",
                   event->players[a].name, event->players[b].name);
}

static bool has_map(const struct event *event, int a, int b) {
    for (int map = 0; map < event->map_count; map++)
        if (fixtures_may_play(event, a, map) && fixtures_may_play(event, b, map))
            return true;
    return false;
}

bool fixtures_check(const struct event *event, struct err *e) {
    const bool gauntlet = event->rules.format == RULES_GAUNTLET;
    const int first = gauntlet ? event->rules.challengers : event->player_count;
    for (int a = 0; event->rules.not_own_maps && a < first; a++)
        for (int b = gauntlet ? first : a + 1; b < event->player_count; b++)
            if (!has_map(event, a, b))
                return refuse_pairing(event, a, b, e);
    return true;
}

int fixtures_count(const struct event *event, const struct pairing *pairing, int games_per_map) {
    int maps[EVENT_MAPS_MAX];
    const int count = eligible_maps(event, pairing, maps), wanted = event->rules.maps_per_pairing;
    return (wanted > 0 && wanted < count ? wanted : count) * games_per_map;
}

/* ---- games ---- */

void games_init(struct games *games) {
    *games = (struct games){0};
}

void games_done(struct games *games) {
    mem_free(games->fixtures);
    mem_free(games->outcomes);
    mem_free(games->voids);
    *games = (struct games){0};
}

static bool grow(struct games *games, struct err *e) {
    if (games->count >= EVENT_GAMES_MAX)
        return err_set(e, "more than %d games", EVENT_GAMES_MAX);
    if (games->count < games->capacity)
        return true;
    const int capacity = games->capacity > 0 ? 2 * games->capacity : 256;
    void *fixtures = mem_resize(games->fixtures, (size_t)capacity * sizeof games->fixtures[0]);
    if (fixtures != NULL)
        games->fixtures = fixtures;
    void *outcomes = mem_resize(games->outcomes, (size_t)capacity * sizeof games->outcomes[0]);
    if (outcomes != NULL)
        games->outcomes = outcomes;
    if (fixtures == NULL || outcomes == NULL)
        return err_set(e, "not enough memory for the games");
    games->capacity = capacity;
    return true;
}

static bool add_game(const struct event *event, struct games *games, const struct fixture *fixture,
                     struct err *e) {
    if (!grow(games, e))
        return false;
    struct fixture *f = &games->fixtures[games->count];
    *f = *fixture;
    f->number = games->count;
    f->seed = rng_job_seed(event->seed, (uint64_t)f->number);
    const bool mirrors = f->pair >= 0 && f->pair != f->number;
    const struct scenario *scenario = event->maps[f->map].scenario;
    if (mirrors && scenario != NULL && record_deals(scenario))
        f->deal = games->fixtures[f->pair].seed;
    games->outcomes[games->count] = (struct outcome){.forfeiter = NOBODY};
    games->count++;
    return true;
}

/* With an odd number of games a map the one side more goes to each in turn, map by map. */
static bool add_map(const struct event *event, struct games *games, const struct fixture_plan *plan,
                    const struct pairing *pairing, int map, int order, struct err *e) {
    bool ok = true;
    for (int g = 0; ok && g < plan->games; g++) {
        const int first = (g + (plan->games % 2 == 0 ? 0 : order)) % 2;
        const bool has_mirror = g % 2 == 1 || g + 1 < plan->games;
        const struct fixture f = {
            .stage = plan->stage,
            .round = plan->round,
            .players = {pairing->players[first], pairing->players[first ^ 1]},
            .map = map,
            .pair = has_mirror ? games->count - g % 2 : -1,
        };
        ok = add_game(event, games, &f, e);
    }
    return ok;
}

bool fixtures_add(const struct event *event, struct games *games, const struct fixture_plan *plan,
                  const struct pairing *pairing, struct err *e) {
    int maps[EVENT_MAPS_MAX];
    const int eligible = eligible_maps(event, pairing, maps);
    assert(eligible > 0); /* see fixtures_check */
    const int count = draw_maps(event, plan, pairing, maps, eligible);
    bool ok = true;
    for (int i = 0; ok && i < count; i++)
        ok = add_map(event, games, plan, pairing, maps[i], i, e);
    return ok;
}
