/* SPDX-License-Identifier: MIT
 *
 * Schedules: pairings, their number, maps and sides, in all formats.
 */
#include "schedule_support.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static const struct scheduled_game anywhere = {.stage = -1, .round = -1, .map = -1};

static int side_balance(const struct games *games, int player) {
    int balance = 0;
    for (int i = 0; i < games->count; i++)
        for (int side = 0; side < 2; side++)
            if (games->scheduled[i].players[side] == player)
                balance += side == 0 ? 1 : -1;
    return balance;
}

/* No player meets two others in one round. */
static void assert_one_opponent_a_round(const struct tournament *tournament, const struct games *games) {
    static int opponent[TOURNAMENT_PLAYERS_MAX];
    for (int i = 0, round = -1; i < games->count; i++) {
        const struct scheduled_game *f = &games->scheduled[i];
        if (f->round != round)
            for (int p = 0; p < tournament->player_count; p++)
                opponent[p] = -1;
        round = f->round;
        for (int side = 0; side < 2; side++) {
            int *known = &opponent[f->players[side]];
            assert_true(*known == -1 || *known == f->players[side ^ 1]);
            *known = f->players[side ^ 1];
        }
    }
}

/* ---- round robin ---- */

static void check_round_robin(int players, int maps, int games_a_map) {
    struct tournament tournament;
    struct games games;
    make_tournament(&tournament, players, maps);
    tournament.rules.games = games_a_map;
    assert_int_equal(play_all(&tournament, &games, decide_draw, NULL), 1);
    assert_int_equal(games.count, players * (players - 1) / 2 * maps * games_a_map);
    for (int a = 0; a < players; a++)
        for (int b = a + 1; b < players; b++)
            for (int map = 0; map < maps; map++)
                assert_int_equal(
                    count_meeting(&games, a, b, (struct scheduled_game){.stage = 0, .round = -1, .map = map}),
                    games_a_map);
    assert_one_opponent_a_round(&tournament, &games);
    const bool even = games_a_map % 2 == 0 || maps % 2 == 0;
    for (int p = 0; p < players; p++) {
        const int balance = side_balance(&games, p);
        assert_true(even ? balance == 0 : balance >= -1 && balance <= 1);
    }
    games_done(&games);
    tournament_done(&tournament);
}

static void round_robin_is_every_pair_once(void **state) {
    (void)state;
    for (int players = 2; players <= 9; players++)
        for (int maps = 1; maps <= 3; maps++)
            for (int games = 1; games <= 4; games++)
                check_round_robin(players, maps, games);
    check_round_robin(31, 1, 1);
    check_round_robin(32, 1, 1);
}

/* A single player, or one without a possible opponent, gives a tournament without games. */
static void no_opponent_is_no_game(void **state) {
    (void)state;
    static const enum tournament_format formats[] = {TOURNAMENT_ROUND_ROBIN, TOURNAMENT_SWISS,
                                                     TOURNAMENT_KNOCK_OUT, TOURNAMENT_GAUNTLET};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        struct tournament tournament;
        struct games games;
        make_tournament(&tournament, 1, 1);
        tournament.rules.format = formats[i];
        assert_int_equal(play_all(&tournament, &games, decide_draw, NULL), 0);
        assert_int_equal(place_of(&tournament, &games, 0), 1);
        games_done(&games);
        tournament_done(&tournament);
    }
}

/* ---- gauntlet ---- */

static void gauntlets_meet_all_others(void **state) {
    (void)state;
    for (int challengers = 1; challengers <= 3; challengers++) {
        struct tournament tournament;
        struct games games;
        make_tournament(&tournament, 8, 2);
        tournament.rules.format = TOURNAMENT_GAUNTLET;
        tournament.rules.challengers = challengers;
        tournament.rules.games = 3;
        assert_int_equal(play_all(&tournament, &games, decide_draw, NULL), 1);
        for (int a = 0; a < 8; a++)
            for (int b = a + 1; b < 8; b++) {
                const bool meet = a < challengers && b >= challengers;
                assert_int_equal(count_meeting(&games, a, b, anywhere), meet ? 6 : 0);
            }
        for (int p = 0; p < 8; p++) /* two maps: one side more on each */
            assert_int_equal(side_balance(&games, p), 0);
        games_done(&games);
        tournament_done(&tournament);
    }
    struct tournament tournament;
    struct games games;
    make_tournament(&tournament, 8, 1);
    tournament.rules.format = TOURNAMENT_GAUNTLET;
    tournament.rules.games = 1;
    play_all(&tournament, &games, decide_draw, NULL);
    assert_in_range(side_balance(&games, 0) + 1, 0, 2);
    games_done(&games);
    tournament_done(&tournament);
}

/* ---- Swiss ---- */

static void check_swiss(int players, int rounds, uint64_t salt) {
    struct tournament tournament;
    struct games games;
    make_tournament(&tournament, players, 1);
    tournament.rules.format = TOURNAMENT_SWISS;
    tournament.rules.rounds = rounds;
    tournament.rules.games = 1;
    tournament.seed = salt;
    assert_int_equal(play_all(&tournament, &games, decide_random, &salt), rounds);
    assert_int_equal(games.count, rounds * (players / 2));
    assert_int_equal(byes_of(&games, players), players % 2 * rounds);
    assert_one_opponent_a_round(&tournament, &games);
    for (int p = 0; p < players; p++) {
        assert_true(games.byes[p] <= 1);
        assert_true(abs(side_balance(&games, p)) <= 2);
        for (int q = p + 1; q < players; q++)
            assert_true(count_meeting(&games, p, q, anywhere) <= 1);
    }
    games_done(&games);
    tournament_done(&tournament);
}

static void swiss_events_meet_anew(void **state) {
    (void)state;
    for (int players = 4; players <= 13; players++)
        for (uint64_t salt = 1; salt <= 6; salt++)
            check_swiss(players, players / 2, salt);
    check_swiss(40, 7, 3);
}

static void swiss_rounds_are_as_many_as_a_knock_out_needs(void **state) {
    (void)state;
    static const int cases[][2] = {{2, 1}, {3, 2}, {4, 2}, {5, 3}, {8, 3}, {9, 4}, {16, 4}, {17, 5}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct tournament tournament;
        struct games games;
        make_tournament(&tournament, cases[i][0], 1);
        tournament.rules.format = TOURNAMENT_SWISS;
        assert_int_equal(play_all(&tournament, &games, decide_strength, NULL), cases[i][1]);
        assert_int_equal(player_at(&tournament, &games, 0), 0);
        games_done(&games);
        tournament_done(&tournament);
    }
}

/* A pairing of several games is one meeting: with mirrored games on two maps there is no rematch. */
static void a_swiss_meeting_may_have_many_games(void **state) {
    (void)state;
    uint64_t salt = 5;
    struct tournament tournament;
    struct games games;
    make_tournament(&tournament, 7, 2);
    tournament.rules.format = TOURNAMENT_SWISS;
    tournament.rules.rounds = 3;
    tournament.rules.games = 2;
    play_all(&tournament, &games, decide_random, &salt);
    assert_int_equal(games.count, 3 * 3 * 4);
    for (int p = 0; p < 7; p++)
        for (int q = p + 1; q < 7; q++) {
            const int met = count_meeting(&games, p, q, anywhere);
            assert_true(met == 0 || met == 4);
        }
    for (int p = 0; p < 7; p++) { /* a bye is worth a pairing */
        assert_int_equal(games.walkovers[p], games.byes[p] * 4);
        assert_int_equal(side_balance(&games, p), 0);
    }
    games_done(&games);
    tournament_done(&tournament);
}

/* ---- knock-out ---- */

static int knock_out_rounds(int players) {
    int rounds = 0;
    while (1 << rounds < players)
        rounds++;
    return rounds;
}

static void check_knock_out(int players) {
    struct tournament tournament;
    struct games games;
    make_tournament(&tournament, players, 1);
    tournament.rules.format = TOURNAMENT_KNOCK_OUT;
    assert_int_equal(play_all(&tournament, &games, decide_strength, NULL), knock_out_rounds(players));
    assert_int_equal(games.count, 2 * (players - 1));
    assert_one_opponent_a_round(&tournament, &games);
    for (int p = 0; p < players; p++) { /* the better half of each round survives: places follow seeds */
        const int byes_at_first = (1 << knock_out_rounds(players)) - players;
        assert_int_equal(count_meeting(&games, p, (1 << knock_out_rounds(players)) - 1 - p,
                                       (struct scheduled_game){.stage = 0, .round = 0, .map = -1}),
                         p < byes_at_first ? 0 : 2);
    }
    assert_int_equal(player_at(&tournament, &games, 0), 0);
    assert_int_equal(player_at(&tournament, &games, 1), 1);
    assert_int_equal(place_of(&tournament, &games, 0), 1);
    assert_int_equal(place_of(&tournament, &games, 1), 2);
    games_done(&games);
    tournament_done(&tournament);
}

static void knock_outs_end_with_the_best(void **state) {
    (void)state;
    for (int players = 2; players <= 17; players++)
        check_knock_out(players);
    check_knock_out(TOURNAMENT_PLAYERS_MAX);
}

/* A loser does not return; the champion won every meeting. */
static void losers_are_out(void **state) {
    (void)state;
    for (uint64_t salt = 0; salt < 40; salt++) {
        struct tournament tournament;
        struct games games;
        int last_round[16], won[16] = {0};
        make_tournament(&tournament, 11, 1);
        tournament.rules.format = TOURNAMENT_KNOCK_OUT;
        tournament.rules.games = 1;
        tournament.rules.playoff_repeats_max = 100;
        play_all(&tournament, &games, decide_random, &salt);
        for (int i = 0; i < games.count; i++) {
            const struct scheduled_game *f = &games.scheduled[i];
            const double payoff = games.outcomes[i].payoff;
            for (int side = 0; side < 2; side++) {
                const double mine = side == 0 ? payoff : 1 - payoff;
                assert_int_not_equal(won[f->players[side]], -1);
                won[f->players[side]] = mine < 0.25 ? -1 : won[f->players[side]] + (mine > 0.75);
                last_round[f->players[side]] = f->round;
            }
        }
        const int champion = player_at(&tournament, &games, 0);
        assert_int_equal(last_round[champion], 3);
        for (int p = 0; p < 11; p++)
            assert_true((won[p] == -1) == (p != champion));
        games_done(&games);
        tournament_done(&tournament);
    }
}

static void ties_are_played_again_then_the_better_seed_goes_on(void **state) {
    (void)state;
    for (int repeats = 0; repeats <= 3; repeats++) {
        struct tournament tournament;
        struct games games;
        make_tournament(&tournament, 6, 2);
        tournament.rules.format = TOURNAMENT_KNOCK_OUT;
        tournament.rules.playoff_repeats_max = repeats;
        assert_int_equal(play_all(&tournament, &games, decide_draw, NULL), 3 * (1 + repeats));
        assert_int_equal(games.count, 5 * 4 * (1 + repeats));
        for (int row = 0; row < 2; row++)
            assert_int_equal(player_at(&tournament, &games, row), row);
        games_done(&games);
        tournament_done(&tournament);
    }
}

/* All games are drawn, except that in the last repeat of the first round the worse seed wins once. */
static void decide_last_repeat(void *context, const struct games *games, const struct scheduled_game *f,
                               struct outcome *out) {
    (void)context;
    const int before = count_meeting(games, f->players[0], f->players[1],
                                     (struct scheduled_game){.stage = 0, .round = f->round, .map = -1});
    if (f->round == 0 && before == 6 && f->number % 2 == 1)
        out->payoff = f->players[0] > f->players[1] ? 1 : 0;
}

static void a_repeat_decides(void **state) {
    (void)state;
    struct tournament tournament;
    struct games games;
    make_tournament(&tournament, 4, 1);
    tournament.rules.format = TOURNAMENT_KNOCK_OUT;
    tournament.rules.playoff_repeats_max = 2;
    play_all(&tournament, &games, decide_last_repeat, NULL);
    assert_int_equal(count_meeting(&games, 0, 3, anywhere), 6);
    assert_int_equal(count_meeting(&games, 2, 3, anywhere), 6);
    assert_int_equal(player_at(&tournament, &games, 0), 2);
    assert_int_equal(player_at(&tournament, &games, 1), 3);
    games_done(&games);
    tournament_done(&tournament);
}

/* ---- maps ---- */

static void set_author(char *author, const char *name) {
    snprintf(author, TOURNAMENT_NAME_MAX, "%s", name);
}

static void no_player_plays_on_its_own_maps(void **state) {
    (void)state;
    struct tournament tournament;
    struct games games;
    make_tournament(&tournament, 4, 3);
    tournament.rules.not_own_maps = true;
    set_author(tournament.players[0].author, "Taro");
    set_author(tournament.players[1].author, "Hanako");
    set_author(tournament.maps[0].author, "taro");
    set_author(tournament.maps[1].author, "HANAKO");
    play_all(&tournament, &games, decide_strength, NULL);
    for (int a = 0; a < 4; a++)
        for (int b = a + 1; b < 4; b++)
            for (int map = 0; map < 3; map++) {
                const bool own = (map == 0 && a == 0) || (map == 1 && (a == 1 || b == 1));
                assert_int_equal(
                    count_meeting(&games, a, b, (struct scheduled_game){.stage = 0, .round = -1, .map = map}),
                    own ? 0 : 2);
            }
    games_done(&games);
    tournament.rules.not_own_maps = false;
    play_all(&tournament, &games, decide_strength, NULL);
    assert_int_equal(games.count, 6 * 3 * 2);
    games_done(&games);
    tournament_done(&tournament);
}

/* The error comes before the first game, in every format, however late the two would meet. */
static void no_map_left_is_an_error_at_once(void **state) {
    (void)state;
    for (int format = 0; format < TOURNAMENT_FORMATS; format++) {
        struct tournament tournament;
        struct games games;
        struct err e = {{0}};
        bool more;
        const int last = format == TOURNAMENT_GAUNTLET ? 0 : 6;
        make_tournament(&tournament, 8, 2);
        tournament.rules.format = (enum tournament_format)format;
        tournament.rules.not_own_maps = true;
        tournament.rules.disqualify_after = 1;
        set_author(tournament.players[last].author, "Taro");
        set_author(tournament.players[7].author, "Hanako");
        set_author(tournament.maps[0].author, "Taro");
        set_author(tournament.maps[1].author, "Hanako");
        games_init(&games);
        assert_false(tournament_next_batch(&tournament, &games, &more, &e));
        char expected[120];
        snprintf(expected, sizeof expected,
                 "no map is left for p%d against p7: each was authored by one of them", last);
        assert_string_equal(e.text, expected);
        assert_int_equal(games.count, 0);
        games_done(&games);
        tournament_done(&tournament);
    }
}

/* A gauntlet's others never meet. */
static void a_gauntlet_needs_maps_for_its_challengers_alone(void **state) {
    (void)state;
    struct tournament tournament;
    struct games games;
    make_tournament(&tournament, 3, 2);
    tournament.rules.format = TOURNAMENT_GAUNTLET;
    tournament.rules.not_own_maps = true;
    set_author(tournament.players[1].author, "Taro");
    set_author(tournament.players[2].author, "Hanako");
    set_author(tournament.maps[0].author, "Taro");
    set_author(tournament.maps[1].author, "Hanako");
    play_all(&tournament, &games, decide_strength, NULL);
    assert_int_equal(games.count, 4);
    games_done(&games);
    tournament_done(&tournament);
}

static void maps_are_drawn_evenly(void **state) {
    (void)state;
    enum { PLAYERS = 60, MAPS = 5 };
    for (int wanted = 1; wanted < MAPS; wanted++) {
        struct tournament tournament;
        struct games games, again;
        int used[MAPS] = {0};
        make_tournament(&tournament, PLAYERS, MAPS);
        tournament.rules.maps_per_pairing = wanted;
        play_all(&tournament, &games, decide_draw, NULL);
        play_all(&tournament, &again, decide_strength, NULL); /* does not depend on results */
        assert_int_equal(games.count, PLAYERS * (PLAYERS - 1) / 2 * wanted * 2);
        assert_same_scheduled(&games, &again, games.count);
        for (int i = 0; i < games.count; i++)
            used[games.scheduled[i].map]++;
        for (int map = 0; map < MAPS; map++) { /* 1770 pairings: five standard deviations are below 7% */
            const double expected = (double)games.count / MAPS;
            assert_true(used[map] > 0.85 * expected && used[map] < 1.15 * expected);
        }
        for (int a = 0; a < 5; a++)
            for (int b = a + 1; b < 5; b++) {
                int maps = 0;
                for (int map = 0; map < MAPS; map++) {
                    const int met = count_meeting(
                        &games, a, b, (struct scheduled_game){.stage = 0, .round = -1, .map = map});
                    assert_true(met == 0 || met == 2);
                    maps += met > 0;
                }
                assert_int_equal(maps, wanted);
            }
        games_done(&games);
        games_done(&again);
        tournament_done(&tournament);
    }
}

static void other_seeds_draw_other_maps(void **state) {
    (void)state;
    struct tournament tournament;
    struct games games[2];
    int different = 0;
    make_tournament(&tournament, 12, 6);
    tournament.rules.maps_per_pairing = 2;
    for (int i = 0; i < 2; i++) {
        tournament.seed = 10 + (uint64_t)i;
        play_all(&tournament, &games[i], decide_draw, NULL);
    }
    for (int i = 0; i < games[0].count; i++) {
        different += games[0].scheduled[i].map != games[1].scheduled[i].map;
        assert_true(games[0].scheduled[i].seed != games[1].scheduled[i].seed);
    }
    assert_true(different > games[0].count / 4);
    games_done(&games[0]);
    games_done(&games[1]);
    tournament_done(&tournament);
}

/* ---- games of a pairing ---- */

static void pairs_are_mirrored(void **state) {
    (void)state;
    for (int games_a_map = 1; games_a_map <= 5; games_a_map++) {
        struct tournament tournament;
        struct games games;
        int alone = 0;
        make_tournament(&tournament, 4, 3);
        tournament.rules.games = games_a_map;
        play_all(&tournament, &games, decide_draw, NULL); /* checks that mirrors are mirrors */
        for (int i = 0; i < games.count; i++)
            alone += games.scheduled[i].pair < 0;
        assert_int_equal(alone, games_a_map % 2 * 6 * 3);
        for (int i = 0; i < games.count; i++)
            for (int k = 0; k < i; k++)
                assert_true(games.scheduled[i].seed != games.scheduled[k].seed);
        games_done(&games);
        tournament_done(&tournament);
    }
}

/* ---- the same again ---- */

/* Earlier decisions, by number. */
static void decide_as_before(void *context, const struct games *games, const struct scheduled_game *f,
                             struct outcome *out) {
    const struct games *before = context;
    (void)games;
    assert_true(f->number < before->count);
    *out = before->outcomes[f->number];
}

static void set_whole_rules(struct tournament_rules *rules, int format) {
    rules->format = (enum tournament_format)format;
    rules->disqualify_after = 3;
    rules->maps_per_pairing = 2;
    rules->tie_break_count = 2;
    rules->tie_breaks[0] = TOURNAMENT_TIE_BUCHHOLZ;
    rules->tie_breaks[1] = TOURNAMENT_TIE_FAULTS;
    if (format == TOURNAMENT_ROUND_ROBIN || format == TOURNAMENT_SWISS) {
        rules->playoff_places = 3;
        rules->final_players = 4;
    }
}

/* A tournament that is continued after any batch, and one that is played again, is the same tournament. */
static void going_on_is_the_same_schedule(void **state) {
    (void)state;
    for (int format = 0; format < TOURNAMENT_FORMATS; format++)
        for (uint64_t salt = 0; salt < 12; salt++) {
            struct tournament tournament;
            struct games whole;
            make_tournament(&tournament, 7 + (int)(salt % 3), 3);
            set_whole_rules(&tournament.rules, format);
            tournament.seed = salt;
            struct tournament_history course = {.decide = decide_faulty, .context = &salt};
            games_init(&whole);
            play_tournament(&tournament, &whole, &course);
            const int batches = course.batches;
            for (int stop = 1; stop <= batches; stop++) {
                struct games games;
                struct tournament_history c = {
                    .decide = decide_as_before, .context = &whole, .batches_max = stop};
                games_init(&games);
                play_tournament(&tournament, &games, &c);
                assert_same_scheduled(&games, &whole, games.count);
                c.batches_max = 0;
                play_tournament(&tournament, &games, &c);
                assert_int_equal(games.count, whole.count);
                assert_int_equal(c.batches, batches);
                assert_same_scheduled(&games, &whole, games.count);
                assert_memory_equal(games.walkovers, whole.walkovers, sizeof games.walkovers);
                games_done(&games);
            }
            games_done(&whole);
            tournament_done(&tournament);
        }
}

/* The number of future games is exact from the start where possible, and is never exceeded. */
static void the_number_of_games_is_expected(void **state) {
    (void)state;
    struct tournament tournament;
    struct games games;
    make_tournament(&tournament, 10, 4);
    games_init(&games);
    assert_int_equal(tournament_games_expected(&tournament, &games), 45 * 4 * 2);
    tournament.rules.maps_per_pairing = 3;
    tournament.rules.final_players = 4;
    tournament.rules.final_games = 4;
    assert_int_equal(tournament_games_expected(&tournament, &games), 45 * 3 * 2 + 3 * 3 * 4);
    tournament.rules.final_players = 0;
    tournament.rules.format = TOURNAMENT_SWISS;
    assert_int_equal(tournament_games_expected(&tournament, &games), 4 * 5 * 3 * 2);
    tournament.rules.format = TOURNAMENT_KNOCK_OUT;
    assert_int_equal(tournament_games_expected(&tournament, &games), 9 * 3 * 2);
    tournament_done(&tournament);
    make_tournament(&tournament, TOURNAMENT_PLAYERS_MAX, TOURNAMENT_MAPS_MAX);
    tournament.rules.games = TOURNAMENT_RULES_GAMES_MAX;
    assert_int_equal(tournament_games_expected(&tournament, &games), INT_MAX);
    games_done(&games);
    tournament_done(&tournament);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_robin_is_every_pair_once),
        cmocka_unit_test(no_opponent_is_no_game),
        cmocka_unit_test(gauntlets_meet_all_others),
        cmocka_unit_test(swiss_events_meet_anew),
        cmocka_unit_test(swiss_rounds_are_as_many_as_a_knock_out_needs),
        cmocka_unit_test(a_swiss_meeting_may_have_many_games),
        cmocka_unit_test(knock_outs_end_with_the_best),
        cmocka_unit_test(losers_are_out),
        cmocka_unit_test(ties_are_played_again_then_the_better_seed_goes_on),
        cmocka_unit_test(a_repeat_decides),
        cmocka_unit_test(no_player_plays_on_its_own_maps),
        cmocka_unit_test(no_map_left_is_an_error_at_once),
        cmocka_unit_test(a_gauntlet_needs_maps_for_its_challengers_alone),
        cmocka_unit_test(maps_are_drawn_evenly),
        cmocka_unit_test(other_seeds_draw_other_maps),
        cmocka_unit_test(pairs_are_mirrored),
        cmocka_unit_test(going_on_is_the_same_schedule),
        cmocka_unit_test(the_number_of_games_is_expected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
