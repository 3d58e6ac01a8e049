/* SPDX-License-Identifier: MIT */
#include "schedule_support.h"

#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

void make_tournament(struct tournament *out, int players, int maps) {
    *out = (struct tournament){.player_count = players, .map_count = maps, .seed = 1};
    tournament_rules_default(&out->rules);
    out->players = mem_alloc((size_t)players * sizeof out->players[0]);
    out->maps = mem_alloc((size_t)maps * sizeof out->maps[0]);
    assert_true(out->players != NULL && out->maps != NULL);
    for (int i = 0; i < players; i++) {
        snprintf(out->players[i].name, sizeof out->players[i].name, "p%d", i);
        snprintf(out->players[i].spec, sizeof out->players[i].spec, "random");
    }
    for (int i = 0; i < maps; i++)
        snprintf(out->maps[i].name, sizeof out->maps[i].name, "m%d", i);
}

/* ---- results ---- */

void forfeit(struct outcome *out, int side) {
    out->forfeiter = side;
    out->fault = PLAYER_FAULT_LATE;
    out->payoff = side == 0 ? 0 : 1;
}

void decide_draw(void *context, const struct games *games, const struct scheduled_game *f,
                 struct outcome *out) {
    (void)context;
    (void)games;
    (void)f;
    out->payoff = 0.5;
}

void decide_strength(void *context, const struct games *games, const struct scheduled_game *f,
                     struct outcome *out) {
    (void)context;
    (void)games;
    out->payoff = f->players[0] < f->players[1] ? 1 : 0;
}

void decide_random(void *context, const struct games *games, const struct scheduled_game *f,
                   struct outcome *out) {
    (void)games;
    out->payoff = (double)(rng_mix(f->seed ^ *(const uint64_t *)context) % 3) / 2;
}

void decide_faulty(void *context, const struct games *games, const struct scheduled_game *f,
                   struct outcome *out) {
    decide_random(context, games, f, out);
    const uint64_t dice = rng_mix(f->seed + *(const uint64_t *)context) % 12;
    if (dice < 2)
        forfeit(out, (int)dice);
}

/* ---- courses ---- */

static void check_scheduled(const struct tournament *tournament, const struct games *games, int i) {
    const struct scheduled_game *f = &games->scheduled[i];
    struct rng r;
    rng_seed_stream(&r, tournament->seed, (uint64_t)i);
    assert_int_equal(f->number, i);
    assert_true(f->seed == rng_next(&r));
    assert_in_range(f->map, 0, tournament->map_count - 1);
    assert_int_not_equal(f->players[0], f->players[1]);
    for (int side = 0; side < 2; side++)
        assert_in_range(f->players[side], 0, tournament->player_count - 1);
    if (i > 0) {
        assert_true(f->stage >= f[-1].stage);
        assert_true(f->stage > f[-1].stage || f->round >= f[-1].round);
    }
    assert_false(games->outcomes[i].played);
}

/* The mirror is the neighbour: same stage, round and map, sides changed. */
static void check_pair(const struct games *games, int i) {
    const struct scheduled_game *f = &games->scheduled[i];
    if (f->pair < 0)
        return;
    assert_true(f->pair == i || f->pair == i - 1);
    const int other = f->pair == i ? i + 1 : i - 1;
    assert_true(other < games->count);
    const struct scheduled_game *m = &games->scheduled[other];
    assert_int_equal(m->pair, f->pair);
    assert_true(m->stage == f->stage && m->round == f->round && m->map == f->map);
    assert_true(m->players[0] == f->players[1] && m->players[1] == f->players[0]);
}

void play_tournament(const struct tournament *tournament, struct games *games, struct tournament_history *c) {
    struct err e = {{0}};
    bool more = true;
    while (c->batches_max == 0 || c->batches < c->batches_max) {
        const int first = games->count;
        if (!tournament_next_batch(tournament, games, &more, &e))
            fail_msg("%s", e.text);
        c->complete = !more;
        assert_true(more == (games->count > first));
        if (!more)
            return;
        c->batches++;
        for (int i = first; i < games->count; i++)
            check_scheduled(tournament, games, i);
        for (int i = first; i < games->count; i++) {
            struct outcome o = {.played = true, .payoff = 0.5, .forfeiter = NOBODY};
            check_pair(games, i);
            c->decide(c->context, games, &games->scheduled[i], &o);
            games->outcomes[i] = o;
        }
        assert_true(tournament_games_expected(tournament, games) >= games->count);
    }
}

int play_all(const struct tournament *tournament, struct games *games, decide_function *decide,
             void *context) {
    struct tournament_history c = {.decide = decide, .context = context};
    games_init(games);
    play_tournament(tournament, games, &c);
    assert_true(c.complete);
    assert_int_equal(tournament_games_expected(tournament, games), games->count);
    return c.batches;
}

/* ---- looking at them ---- */

int count_meeting(const struct games *games, int a, int b, struct scheduled_game where) {
    int count = 0;
    for (int i = 0; i < games->count; i++) {
        const struct scheduled_game *f = &games->scheduled[i];
        const bool these =
            (f->players[0] == a && f->players[1] == b) || (f->players[0] == b && f->players[1] == a);
        count += these && (where.stage < 0 || f->stage == where.stage) &&
                 (where.round < 0 || f->round == where.round) && (where.map < 0 || f->map == where.map);
    }
    return count;
}

int count_stage(const struct games *games, int stage) {
    int count = 0;
    for (int i = 0; i < games->count; i++)
        count += games->scheduled[i].stage == stage;
    return count;
}

int player_at(const struct tournament *tournament, const struct games *games, int row) {
    static struct standing rows[TOURNAMENT_PLAYERS_MAX];
    standings_compute(tournament, games, rows);
    return rows[row].player;
}

int place_of(const struct tournament *tournament, const struct games *games, int player) {
    static struct standing rows[TOURNAMENT_PLAYERS_MAX];
    standings_compute(tournament, games, rows);
    for (int i = 0; i < tournament->player_count; i++)
        if (rows[i].player == player)
            return rows[i].place;
    fail_msg("player %d has no row", player);
    return 0;
}

void assert_same_scheduled(const struct games *a, const struct games *b, int count) {
    assert_true(count <= a->count && count <= b->count);
    for (int i = 0; i < count; i++) {
        const struct scheduled_game *f = &a->scheduled[i], *g = &b->scheduled[i];
        assert_true(f->number == g->number && f->stage == g->stage && f->round == g->round);
        assert_true(f->players[0] == g->players[0] && f->players[1] == g->players[1]);
        assert_true(f->map == g->map && f->pair == g->pair && f->seed == g->seed);
    }
}

int byes_of(const struct games *games, int players) {
    int sum = 0;
    for (int p = 0; p < players; p++)
        sum += games->byes[p];
    return sum;
}
