/* SPDX-License-Identifier: MIT
 *
 * Whole tournaments with real players: any number of workers, stopped and continued, in a store.
 */
#include "match/batch.c" /* the player cache is internal */
#include "tournament_support.h"

#include "tournament/tournament.h"
#include "tournament/schedule.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

static void run(const struct tournament *tournament, struct store *store, int workers,
                struct session *session, struct games *games) {
    const struct tournament_run r = {.tournament = tournament,
                                     .batch.store = store,
                                     .batch.workers = workers,
                                     .batch.stop = &session->stop,
                                     .on_game = note_game,
                                     .batch.context = session};
    struct err e = {{0}};
    session->played = session->resumed = 0;
    games_init(games);
    if (!tournament_play(&r, games, &session->complete, &e))
        fail_msg("%s", e.text);
}

static void assert_same_games(const struct games *a, const struct games *b) {
    assert_int_equal(a->count, b->count);
    for (int i = 0; i < a->count; i++) {
        const struct outcome *o = &a->outcomes[i], *p = &b->outcomes[i];
        assert_true(a->scheduled[i].seed == b->scheduled[i].seed);
        assert_memory_equal(a->scheduled[i].players, b->scheduled[i].players, sizeof(int[2]));
        assert_int_equal(a->scheduled[i].map, b->scheduled[i].map);
        assert_true(o->played && p->played);
        assert_int_equal((int)(2 * o->payoff), (int)(2 * p->payoff));
        assert_string_equal(o->result, p->result);
        assert_int_equal(o->actions, p->actions);
        assert_int_equal(o->turns, p->turns);
        assert_int_equal(o->lead_changes, p->lead_changes);
        assert_int_equal(o->forfeiter, p->forfeiter);
        assert_memory_equal(o->decisions, p->decisions, sizeof o->decisions);
    }
}

static void workers_do_not_matter(void **state) {
    (void)state;
    static const int workers[] = {1, 2, 8};
    for (int format = 0; format < TOURNAMENT_FORMATS; format++) {
        struct tournament tournament;
        struct games first = {0};
        build_tournament(&tournament, format);
        for (int i = 0; i < 3; i++) {
            struct session session = {0};
            struct games games;
            run(&tournament, NULL, workers[i], &session, &games);
            assert_true(session.complete);
            assert_int_equal(session.played, games.count);
            if (i == 0) {
                first = games;
                continue;
            }
            assert_same_games(&games, &first);
            games_done(&games);
        }
        games_done(&first);
        tournament_done(&tournament);
    }
}

/* ---- stopped and continued ---- */

/* Stops after every `step` games, until it is over. */
static void continue_in_steps(const struct tournament *tournament, const struct games *whole, int workers,
                              int step) {
    struct session session = {.stop_after = step};
    struct text table = {0}, expected = {0};
    struct games games;
    int sessions = 0, before = 0;
    table_of(tournament, whole, &expected);
    do {
        struct store *store = open_tournament_store(STORE_WRITE);
        atomic_store(&session.stop, false);
        run(tournament, store, workers, &session, &games);
        assert_int_equal(session.resumed, before);
        assert_true(session.complete || session.played >= step);
        before += session.played;
        store_close(store);
        if (!session.complete)
            games_done(&games);
    } while (!session.complete && ++sessions < GAMES_MAX);
    assert_int_equal(before, whole->count);
    assert_same_games(&games, whole);
    table_of(tournament, &games, &table);
    assert_string_equal(text_string(&table), text_string(&expected));
    games_done(&games);
    text_done(&table);
    text_done(&expected);
    drop_store();
}

static void an_interrupted_tournament_ends_the_same(void **state) {
    (void)state;
    static const int steps[][2] = {{1, 1}, {1, 7}, {4, 11}}; /* workers, games */
    for (int format = 0; format < TOURNAMENT_FORMATS; format++) {
        struct tournament tournament;
        struct games whole;
        struct session session = {0};
        build_tournament(&tournament, format);
        tournament.rules.maps_per_pairing = 1;
        run(&tournament, NULL, 2, &session, &whole);
        for (size_t i = format == TOURNAMENT_KNOCK_OUT ? 0 : 1; i < sizeof steps / sizeof steps[0]; i++)
            continue_in_steps(&tournament, &whole, steps[i][0], steps[i][1]);
        games_done(&whole);
        tournament_done(&tournament);
    }
}

/* A stop that was requested before the start plays nothing. */
static void stopped_at_once(void **state) {
    (void)state;
    struct tournament tournament;
    struct games games;
    struct session session = {0};
    build_tournament(&tournament, TOURNAMENT_ROUND_ROBIN);
    atomic_store(&session.stop, true);
    run(&tournament, NULL, 2, &session, &games);
    assert_false(session.complete);
    assert_int_equal(session.played, 0);
    games_done(&games);
    tournament_done(&tournament);
}

/* A store that cannot be written stops the tournament with a reason; games that were not stored do not count.
 */
static void a_lost_store_is_an_error(void **state) {
    (void)state;
    struct tournament tournament;
    struct games games;
    struct session session = {.remove_store = true};
    struct err e = {{0}};
    build_tournament(&tournament, TOURNAMENT_ROUND_ROBIN);
    struct store *store = open_tournament_store(STORE_WRITE);
    const struct tournament_run r = {.tournament = &tournament,
                                     .batch.store = store,
                                     .batch.workers = 1,
                                     .batch.stop = &session.stop,
                                     .on_game = note_game,
                                     .batch.context = &session};
    games_init(&games);
    assert_false(tournament_play(&r, &games, &session.complete, &e));
    assert_non_null(strstr(e.text, "was removed or replaced while it was in use"));
    assert_false(session.complete);
    assert_int_equal(session.played, 1);
    assert_true(atomic_load(&session.stop));
    store_close(store);
    games_done(&games);
    tournament_done(&tournament);
    drop_store();
}

static void another_events_store_is_refused(void **state) {
    (void)state;
    struct tournament tournament;
    struct games games;
    struct session session = {.stop_after = 4};
    struct err e = {{0}};
    build_tournament(&tournament, TOURNAMENT_ROUND_ROBIN);
    struct store *store = open_tournament_store(STORE_WRITE);
    run(&tournament, store, 1, &session, &games);
    games_done(&games);
    tournament.seed++;
    struct session other = {0};
    const struct tournament_run r = {.tournament = &tournament,
                                     .batch.store = store,
                                     .batch.workers = 1,
                                     .batch.stop = &other.stop,
                                     .on_game = note_game,
                                     .batch.context = &other};
    games_init(&games);
    assert_false(tournament_play(&r, &games, &other.complete, &e));
    assert_string_equal(e.text, "game 0 in the store is not the one that the schedule has there");
    assert_int_equal(other.played, 0);
    games_done(&games);
    tournament.seed--;
    tournament.player_count = 2; /* fewer games than the store has */
    tournament.rules.maps_per_pairing = 1;
    games_init(&games);
    bool more;
    assert_true(tournament_next_batch(&tournament, &games, &more, &e));
    assert_int_equal(games.count, 2);
    int beyond;
    const struct batch_list none = {0};
    assert_true(batch_resume(store, &none, 2, &beyond, &e));
    assert_int_equal(beyond, 2);
    games_done(&games);
    store_close(store);
    tournament_done(&tournament);
    drop_store();
}

/* ---- players ---- */

static void players_are_checked_before(void **state) {
    (void)state;
    struct tournament tournament;
    struct err e = {{0}};
    build_tournament(&tournament, TOURNAMENT_ROUND_ROBIN);
    assert_true(tournament_check(&tournament, NULL, &e));
    snprintf(tournament.players[2].spec, sizeof tournament.players[2].spec, "nobody");
    assert_false(tournament_check(&tournament, NULL, &e));
    assert_non_null(strstr(e.text, "random (2) on duel: player 'nobody' is unknown"));
    /* and a run that meets this player all the same fails with a reason instead of continuing */
    struct session session = {0};
    struct games games;
    const struct tournament_run r = {
        .tournament = &tournament, .batch.workers = 2, .batch.stop = &session.stop};
    games_init(&games);
    assert_false(tournament_play(&r, &games, &session.complete, &e));
    assert_non_null(strstr(e.text, "player 'nobody' is unknown"));
    games_done(&games);
    tournament_done(&tournament);
}

static void seats_are_few_and_cached(void **state) {
    (void)state;
    struct tournament tournament;
    struct player_cache seats;
    struct err e = {{0}};
    struct rng r;
    build_tournament(&tournament, TOURNAMENT_ROUND_ROBIN);
    assert_true(entrants_parse("random,random,random,random,random,random,random", &tournament, &e));
    assert_int_equal(tournament.player_count, 12);
    struct batch_player players[12];
    for (int i = 0; i < 12; i++)
        players[i] = (struct batch_player){.name = "", .spec = tournament.players[i].spec};
    const struct batch_setup setup = {.players = players, .player_count = 12};
    seats = (struct player_cache){.setup = &setup};
    rng_seed(&r, 1);
    const struct game *const tables[2] = {tournament.maps[0].scenario->game,
                                          tournament.maps[2].scenario->game};
    assert_ptr_not_equal(tables[0], tables[1]);
    struct player *first = player_cache_take(&seats, 0, tables[0], &e);
    assert_ptr_equal(player_cache_take(&seats, 0, tables[0], &e), first);
    assert_ptr_not_equal(player_cache_take(&seats, 0, tables[1], &e), first); /* of another table */
    for (int i = 0; i < 500; i++) {
        const int a = (int)rng_below(&r, 12), b = (a + 1 + (int)rng_below(&r, 11)) % 12;
        const struct game *table = tables[rng_below(&r, 2)];
        struct player *one = player_cache_take(&seats, a, table, &e),
                      *two = player_cache_take(&seats, b, table, &e);
        assert_true(one != NULL && two != NULL && one != two);
        assert_ptr_equal(player_cache_take(&seats, a, table, &e), one); /* still there */
    }
    /* the player used last stays */
    for (int p = 0; p < PLAYER_CACHE_MAX; p++)
        player_cache_take(&seats, p, tables[0], &e);
    struct player *kept = player_cache_take(&seats, 0, tables[0], &e);
    for (int p = 0; p < PLAYER_CACHE_MAX - 1; p++)
        player_cache_take(&seats, PLAYER_CACHE_MAX + p % 4, tables[p / 4], &e);
    assert_ptr_equal(player_cache_take(&seats, 0, tables[0], &e), kept);
    snprintf(tournament.players[0].spec, sizeof tournament.players[0].spec, "nobody");
    assert_ptr_equal(player_cache_take(&seats, 0, tables[0], &e), kept);
    assert_null(player_cache_take(&seats, 0, tables[1], &e)); /* cannot be opened, and is no seat */
    assert_null(player_cache_take(&seats, 0, tables[1], &e));
    player_cache_close(&seats);
    tournament_done(&tournament);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(workers_do_not_matter),
        cmocka_unit_test(an_interrupted_tournament_ends_the_same),
        cmocka_unit_test(stopped_at_once),
        cmocka_unit_test(a_lost_store_is_an_error),
        cmocka_unit_test(another_events_store_is_refused),
        cmocka_unit_test(players_are_checked_before),
        cmocka_unit_test(seats_are_few_and_cached),
    };
    return cmocka_run_group_tests(tests, tournament_make_folder, tournament_drop_folder);
}
