/* SPDX-License-Identifier: MIT
 *
 * Whole schedules and tables of tournaments whose results follow from a rule, compared by checksums: the
 * opponents, the maps, the sides, and all places after every batch. The other tests of tournaments test the
 * rules one by one.
 */
#include "tournament/schedule.h"

#include "base/numbers.h"
#include "game/game.h"
#include "memory_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

enum { PLAYERS_MAX = 23, MAPS_MAX = 5 };

/* ---- the tournaments ---- */

static struct entrant players[PLAYERS_MAX];
static struct tournament_map maps[MAPS_MAX];

static void make_tournament(struct tournament *tournament, int player_count, int map_count) {
    *tournament = (struct tournament){.player_count = player_count,
                                      .map_count = map_count,
                                      .players = players,
                                      .maps = maps,
                                      .seed = 2024 + (uint64_t)player_count};
    tournament_rules_default(&tournament->rules);
    for (int i = 0; i < player_count; i++) {
        snprintf(players[i].name, sizeof players[i].name, "player %d", i);
        snprintf(players[i].author, sizeof players[i].author, "%s",
                 i % 4 == 0   ? ""
                 : i % 2 == 0 ? "Ada"
                              : "bob");
    }
    for (int i = 0; i < map_count; i++) {
        snprintf(maps[i].name, sizeof maps[i].name, "map %d", i);
        snprintf(maps[i].author, sizeof maps[i].author, "%s", i == 1 ? "ada" : i == 3 ? "Bob" : "");
    }
}

/* The stronger of two wins more often; some games are drawn, some are lost by a fault. */
static struct outcome play(const struct scheduled_game *f, bool faults) {
    const uint64_t mix = hash_u64(hash_u64(HASH_START, f->seed), (uint64_t)f->number);
    const int luck = (int)(mix % 16), edge = f->players[1] - f->players[0];
    const bool is_fault = faults && mix / 16 % 11 == 0;
    const int loser = luck + edge > 7 ? 1 : 0;
    return (struct outcome){.played = true,
                            .payoff = !is_fault && luck % 5 == 4 ? 0.5 : loser,
                            .forfeiter = is_fault ? loser : NOBODY,
                            .fault = is_fault ? PLAYER_FAULT_LATE : PLAYER_FAULT_NONE,
                            .turns = 5 + luck};
}

/* ---- checksums ---- */

static uint64_t hash_scheduled(uint64_t hash, const struct scheduled_game *f) {
    const int numbers[] = {f->number, f->stage, f->round, f->players[0], f->players[1], f->map, f->pair};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        hash = hash_u64(hash, (uint64_t)numbers[i]);
    return hash_u64(hash_u64(hash, f->seed), f->deal);
}

static uint64_t hash_tally(uint64_t hash, const struct tally *t) {
    return hash_u64(hash_u64(hash_u64(hash, (uint64_t)t->wins), (uint64_t)t->draws), (uint64_t)t->losses);
}

/* To a thousandth: rounding is not compared. */
static uint64_t hash_real(uint64_t hash, double value) {
    return hash_u64(hash, (uint64_t)(int64_t)(value * 1000 + (value < 0 ? -0.5 : 0.5)));
}

static uint64_t hash_standing(uint64_t hash, const struct tournament *tournament, const struct standing *s) {
    const int numbers[] = {s->player,       s->place, s->byes, s->decided_by, s->faults[PLAYER_FAULT_LATE],
                           s->payoffs.count};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        hash = hash_u64(hash, (uint64_t)numbers[i]);
    hash = hash_real(hash_real(hash, s->points), s->payoffs.mean);
    for (int i = 0; i < tournament->rules.tie_break_count; i++)
        hash = hash_real(hash, s->tie_breaks[i]);
    return hash_tally(hash_tally(hash_tally(hash, &s->total), &s->as_side[0]), &s->as_side[1]);
}

static uint64_t hash_table(uint64_t hash, const struct tournament *tournament, const struct games *games) {
    static struct standing rows[PLAYERS_MAX];
    int finalists[PLAYERS_MAX];
    standings_compute(tournament, games, rows);
    for (int i = 0; i < tournament->player_count; i++) {
        hash = hash_standing(hash, tournament, &rows[i]);
        hash = hash_u64(hash, (uint64_t)games->walkovers[i]);
    }
    const int count = standings_finalists(tournament, games, rows, finalists);
    hash = hash_u64(hash, (uint64_t)count);
    for (int i = 0; i < count; i++)
        hash = hash_u64(hash, (uint64_t)finalists[i]);
    return hash_u64(hash, (uint64_t)tournament_games_expected(tournament, games));
}

/* All batches of a tournament, with a table before and after each and one in the middle. */
static uint64_t run(const struct tournament *tournament, bool faults) {
    struct games games;
    struct err e = {{0}};
    uint64_t hash = HASH_START;
    games_init(&games);
    for (bool more = true; more;) {
        const int first = games.count;
        hash = hash_table(hash, tournament, &games);
        if (!tournament_next_batch(tournament, &games, &more, &e))
            fail_msg("%s", e.text);
        for (int i = first; i < games.count; i++) {
            if (i == (first + games.count) / 2)
                hash = hash_table(hash, tournament, &games);
            games.outcomes[i] = play(&games.scheduled[i], faults);
            hash = hash_scheduled(hash, &games.scheduled[i]);
        }
    }
    hash = hash_u64(hash_table(hash, tournament, &games), (uint64_t)games.count);
    games_done(&games);
    return hash;
}

/* ---- variants ---- */

enum { VARIANTS = 6 };

static void vary(struct tournament *tournament, int variant) {
    struct tournament_rules *rules = &tournament->rules;
    const bool has_table = rules->format == TOURNAMENT_ROUND_ROBIN || rules->format == TOURNAMENT_SWISS;
    rules->games = (const int[VARIANTS]){2, 1, 3, 2, 4, 1}[variant];
    rules->maps_per_pairing = (const int[VARIANTS]){0, 2, 1, 3, 0, 5}[variant];
    rules->not_own_maps = variant == 3;
    rules->disqualify_after = variant == 2 ? 2 : variant == 4 ? 1 : 0;
    rules->rounds = rules->format == TOURNAMENT_SWISS && variant == 1 ? 6 : 0;
    rules->challengers = rules->format == TOURNAMENT_GAUNTLET ? 1 + variant % 3 : 1;
    rules->tie_break_count = variant % 5 + (variant == 5);
    for (int i = 0; i < rules->tie_break_count; i++)
        rules->tie_breaks[i] = (enum tournament_tie_break)((i + variant) % TOURNAMENT_TIE_BREAKS);
    rules->playoff_repeats_max = variant % 4;
    if (!has_table)
        return;
    rules->playoff_places = variant;
    rules->playoff_games = 1 + variant % 2;
    rules->final_players = variant == 0 ? 0 : 2 + 3 * (variant % 3);
    rules->final_games = 1 + variant % 3;
}

static uint64_t checksum(int format, int variant) {
    static const int counts[] = {2, 5, 8, 23};
    uint64_t hash = HASH_START;
    for (int i = 0; i < 4; i++) {
        struct tournament tournament;
        make_tournament(&tournament, counts[i], 1 + (variant + i) % MAPS_MAX);
        tournament.rules.format = (enum tournament_format)format;
        vary(&tournament, variant);
        if (tournament.rules.challengers >= counts[i])
            tournament.rules.challengers = 1;
        if (variant == 3)
            tournament.map_count = MAPS_MAX; /* always excludes the map of some player */
        hash = hash_u64(hash, run(&tournament, variant == 2 || variant >= 4));
    }
    return hash;
}

/* After an intended change: check the difference, then store the checksum that the test has printed. */
static const uint64_t expected[TOURNAMENT_FORMATS][VARIANTS] = {
    {UINT64_C(0x152bf12adb2b2a0e), UINT64_C(0x4d4535648cf8c01b), UINT64_C(0xb2ae4e718fc9c537),
     UINT64_C(0xd305dd695efd5d44), UINT64_C(0x63f664bae0531074), UINT64_C(0xa495f16bd9e815a7)},
    {UINT64_C(0xce84ac7b9b81d94b), UINT64_C(0x14b2e63a5ea34b50), UINT64_C(0x148ca8a86b61b400),
     UINT64_C(0x90e06e0900310d4a), UINT64_C(0x4e7cf2b254decc90), UINT64_C(0x7c97d19401438877)},
    {UINT64_C(0x3f5c3556f37e83fb), UINT64_C(0xa45477866e110560), UINT64_C(0x39b4b2e19fdcf818),
     UINT64_C(0xdf131a9c071be30f), UINT64_C(0xf868aad1393f8200), UINT64_C(0xfad49b025b6a1214)},
    {UINT64_C(0xc1cdd668f80adc40), UINT64_C(0x66011d3ce6137a57), UINT64_C(0x82521c1dde0d9d4f),
     UINT64_C(0x4be76202f3a37c9a), UINT64_C(0x16533a32cf24feaf), UINT64_C(0x2533809009208aa9)},
};

static void schedules_and_tables_are_as_they_were(void **state) {
    (void)state;
    int differ = 0;
    for (int format = 0; format < TOURNAMENT_FORMATS; format++)
        for (int variant = 0; variant < VARIANTS; variant++) {
            const uint64_t found = checksum(format, variant);
            if (found != expected[format][variant]) {
                differ++;
                print_error("%s, variant %d: UINT64_C(0x%016llx)\n", tournament_format_names[format], variant,
                            (unsigned long long)found);
            }
        }
    assert_int_equal(differ, 0);
}

/* The mirror of a game is played on the same deal where the game itself draws something. */
static void mirrors_have_the_deal_of_their_game(void **state) {
    (void)state;
    struct tournament tournament;
    struct games games;
    struct err e = {{0}};
    bool more;
    make_tournament(&tournament, 3, 1);
    for (int deals = 0; deals < 2; deals++) {
        maps[0].scenario = game_load_spec(deals ? "kuhn" : "geister", &e);
        assert_non_null(maps[0].scenario);
        tournament.rules.games = 3;
        games_init(&games);
        assert_true(tournament_next_batch(&tournament, &games, &more, &e));
        assert_int_equal(games.count, 9);
        for (int i = 0; i < 9; i++) {
            const struct scheduled_game *f = &games.scheduled[i];
            assert_int_equal(f->pair, i % 3 == 2 ? -1 : i - i % 3);
            assert_true(f->deal == (deals && i % 3 == 1 ? games.scheduled[i - 1].seed : 0));
        }
        games_done(&games);
        game_unload(maps[0].scenario);
        maps[0].scenario = NULL;
    }
}

static void there_are_only_so_many_games(void **state) {
    (void)state;
    const struct round_plan plan = {STAGE_MAIN, 0, 1};
    const struct pairing pairing = {{0, 1}};
    struct games games = {.count = TOURNAMENT_GAMES_MAX, .capacity = TOURNAMENT_GAMES_MAX + 1};
    struct tournament tournament;
    struct err e = {{0}};
    make_tournament(&tournament, 2, 1);
    assert_false(schedule_add(&tournament, &games, &plan, &pairing, &e));
    assert_string_equal(e.text, "more than 10000000 games");
    assert_int_equal(games.count, TOURNAMENT_GAMES_MAX);
}

static void schedule_all(void *context) {
    struct games games;
    struct err e = {{0}};
    games_init(&games);
    for (bool more = true; more;) {
        const int first = games.count;
        assert_true(tournament_next_batch(context, &games, &more, &e));
        for (int i = first; i < games.count; i++)
            games.outcomes[i] = play(&games.scheduled[i], false);
    }
    games_done(&games);
}

static void memory_may_run_out(void **state) {
    (void)state;
    for (int format = 0; format < TOURNAMENT_FORMATS; format++) {
        struct tournament tournament;
        make_tournament(&tournament, 5, 2);
        tournament.rules.format = (enum tournament_format)format;
        vary(&tournament, 1);
        long n = 1;
        while (memory_runs_out(n, schedule_all, &tournament))
            n++;
        assert_true(n > 3);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(schedules_and_tables_are_as_they_were),
        cmocka_unit_test(mirrors_have_the_deal_of_their_game),
        cmocka_unit_test(there_are_only_so_many_games),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
