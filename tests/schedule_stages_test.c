/* SPDX-License-Identifier: MIT
 *
 * Schedules beyond the main stage, and of disqualified players.
 */
#include "schedule_support.h"

#include "tournament/schedule.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static const struct scheduled_game anywhere = {.stage = -1, .round = -1, .map = -1};

/* ---- final ---- */

static void finals_are_between_the_best(void **state) {
    (void)state;
    for (uint64_t salt = 0; salt < 30; salt++) {
        struct tournament tournament;
        struct games games;
        struct standing rows[7];
        make_tournament(&tournament, 7, 1);
        tournament.rules.final_players = 4;
        tournament.rules.final_games = 2;
        tournament.rules.tie_break_count = 1;
        tournament.rules.tie_breaks[0] = TOURNAMENT_TIE_FAULTS;
        games_init(&games);
        struct tournament_history c = {.decide = decide_faulty, .context = &salt, .batches_max = 1};
        play_tournament(&tournament, &games, &c);
        standings_compute(&tournament, &games, rows);
        c.batches_max = 0;
        play_tournament(&tournament, &games, &c);
        const struct scheduled_game first = {.stage = STAGE_FINAL, .round = 0, .map = -1};
        assert_true(count_meeting(&games, rows[0].player, rows[3].player, first) >= 2);
        assert_true(count_meeting(&games, rows[1].player, rows[2].player, first) >= 2);
        for (int i = 0; i < games.count; i++) /* faults there do not change the set of players */
            for (int side = 0; games.scheduled[i].stage == STAGE_FINAL && side < 2; side++)
                for (int out = 4; out < 7; out++)
                    assert_int_not_equal(games.scheduled[i].players[side], rows[out].player);
        for (int row = 4; row < 7; row++)
            assert_int_equal(player_at(&tournament, &games, row), rows[row].player);
        games_done(&games);
        tournament_done(&tournament);
    }
}

/* More players are requested than exist: all of them play it. */
static void a_final_of_all(void **state) {
    (void)state;
    struct tournament tournament;
    struct games games;
    make_tournament(&tournament, 3, 1);
    tournament.rules.final_players = 8;
    play_all(&tournament, &games, decide_strength, NULL);
    assert_int_equal(count_stage(&games, STAGE_FINAL), 2 * 2);
    assert_int_equal(player_at(&tournament, &games, 0), 0);
    games_done(&games);
    tournament_done(&tournament);
}

/* ---- play-offs ---- */

/* In the main stage 0 … 2 draw with each other and beat the others, who draw; the context sets the number of
 * drawn rounds of play-offs; then strength decides. */
static void decide_three_tied(void *context, const struct games *games, const struct scheduled_game *f,
                              struct outcome *out) {
    const bool top[2] = {f->players[0] < 3, f->players[1] < 3};
    if (f->stage == STAGE_MAIN)
        out->payoff = top[0] == top[1] ? 0.5 : top[0] ? 1 : 0;
    else if (f->round >= *(const int *)context)
        decide_strength(NULL, games, f, out);
}

static void check_playoff(int places, int draws, int repeats) {
    struct tournament tournament;
    struct games games;
    make_tournament(&tournament, 6, 1);
    tournament.rules.playoff_places = places;
    tournament.rules.playoff_games = 2;
    tournament.rules.playoff_repeats_max = repeats;
    play_all(&tournament, &games, decide_three_tied, &draws);
    const int rounds = draws <= repeats ? draws + 1 : repeats + 1;
    for (int a = 0; a < 6; a++)
        for (int b = a + 1; b < 6; b++) {
            const bool tied = (a < 3) == (b < 3) && (a < 3 ? places >= 1 : places >= 4);
            assert_int_equal(
                count_meeting(&games, a, b,
                              (struct scheduled_game){.stage = STAGE_PLAYOFF, .round = -1, .map = -1}),
                tied ? 2 * rounds : 0);
        }
    for (int p = 0; p < 6; p++) {
        const bool decided = draws <= repeats && places >= (p < 3 ? 1 : 4);
        assert_int_equal(place_of(&tournament, &games, p), decided ? p + 1 : p < 3 ? 1 : 4);
    }
    games_done(&games);
    tournament_done(&tournament);
}

static void playoffs_are_for_the_places_asked_for(void **state) {
    (void)state;
    for (int places = 0; places <= 6; places++)
        for (int draws = 0; draws <= 3; draws++)
            for (int repeats = 0; repeats <= 2; repeats++)
                check_playoff(places, draws, repeats);
}

/* A play-off that separates one of three is repeated by the other two alone. */
static void decide_one_away(void *context, const struct games *games, const struct scheduled_game *f,
                            struct outcome *out) {
    (void)context;
    (void)games;
    if (f->stage == STAGE_PLAYOFF && f->round == 0 && (f->players[0] == 2 || f->players[1] == 2))
        out->payoff = f->players[0] == 2 ? 1 : 0;
    if (f->stage == STAGE_PLAYOFF && f->round == 1)
        out->payoff = f->players[0] == 1 ? 1 : 0;
}

static void a_separated_player_plays_no_more(void **state) {
    (void)state;
    struct tournament tournament;
    struct games games;
    make_tournament(&tournament, 3, 1);
    tournament.rules.playoff_places = 1; /* but all players that share it are ordered */
    play_all(&tournament, &games, decide_one_away, NULL);
    assert_int_equal(player_at(&tournament, &games, 0), 2);
    const struct scheduled_game second = {.stage = STAGE_PLAYOFF, .round = 1, .map = -1};
    assert_int_equal(count_meeting(&games, 0, 2, second) + count_meeting(&games, 1, 2, second), 0);
    /* the first place is no longer shared, and the rules ask for no other play-off */
    assert_int_equal(count_meeting(&games, 0, 1, second), 0);
    games_done(&games);
    tournament.rules.playoff_places = 2;
    play_all(&tournament, &games, decide_one_away, NULL);
    assert_int_equal(count_meeting(&games, 0, 1, second), 2);
    assert_int_equal(player_at(&tournament, &games, 1), 1);
    games_done(&games);
    tournament_done(&tournament);
}

/* ---- disqualification ---- */

/* The player in the context forfeits every game; otherwise strength decides. */
static void decide_bad_player(void *context, const struct games *games, const struct scheduled_game *f,
                              struct outcome *out) {
    const int bad = *(const int *)context;
    decide_strength(NULL, games, f, out);
    for (int side = 0; side < 2; side++)
        if (f->players[side] == bad)
            forfeit(out, side);
}

static void the_disqualified_lose_without_playing(void **state) {
    (void)state;
    int bad = 2;
    struct tournament tournament;
    struct games games;
    struct standing rows[6];
    make_tournament(&tournament, 6, 1);
    tournament.rules.disqualify_after = 3; /* two rounds of two games */
    assert_int_equal(play_all(&tournament, &games, decide_bad_player, &bad), 5);
    int played = 0, walkovers = 0;
    for (int p = 0; p < 6; p++) {
        const int met = p == bad ? 0 : count_meeting(&games, p, bad, anywhere);
        assert_true(p == bad || met + games.walkovers[p] == 2);
        played += met;
        walkovers += games.walkovers[p];
    }
    assert_int_equal(played, 4);
    assert_int_equal(walkovers, 6);
    standings_compute(&tournament, &games, rows);
    for (int i = 0; i < 6; i++) { /* all others have beaten it twice, by play or by forfeit */
        static const int beaten[] = {5, 4, 0, 3, 2, 1};
        assert_true(rows[i].points > 2 * beaten[rows[i].player] - 1e-9);
        assert_true(rows[i].points < 2 * beaten[rows[i].player] + 1e-9);
    }
    assert_int_equal(rows[5].player, bad);
    assert_int_equal(rows[5].faults[PLAYER_FAULT_LATE], 4);
    games_done(&games);
    tournament_done(&tournament);
}

static void a_swiss_goes_on_without_the_disqualified(void **state) {
    (void)state;
    int bad = 1;
    struct tournament tournament;
    struct games games;
    make_tournament(&tournament, 6, 1);
    tournament.rules.format = TOURNAMENT_SWISS;
    tournament.rules.rounds = 4;
    tournament.rules.disqualify_after = 1;
    play_all(&tournament, &games, decide_bad_player, &bad);
    for (int i = 0; i < games.count; i++)
        assert_true(games.scheduled[i].round == 0 ||
                    (games.scheduled[i].players[0] != bad && games.scheduled[i].players[1] != bad));
    assert_int_equal(byes_of(&games, 6), 3); /* five are left */
    games_done(&games);
    tournament_done(&tournament);
}

/* All are disqualified in the first round: the tournament is over and does not hang. */
static void decide_all_bad(void *context, const struct games *games, const struct scheduled_game *f,
                           struct outcome *out) {
    (void)context;
    (void)games;
    (void)f;
    forfeit(out, 0);
}

static void an_tournament_of_the_disqualified_ends(void **state) {
    (void)state;
    for (int format = 0; format < TOURNAMENT_FORMATS; format++) {
        struct tournament tournament;
        struct games games;
        make_tournament(&tournament, 6, 1);
        tournament.rules.format = (enum tournament_format)format;
        tournament.rules.disqualify_after = 1;
        if (format == TOURNAMENT_ROUND_ROBIN || format == TOURNAMENT_SWISS) {
            tournament.rules.playoff_places = 6;
            tournament.rules.final_players = 4;
        }
        struct tournament_history c = {.decide = decide_all_bad};
        games_init(&games);
        play_tournament(&tournament, &games, &c);
        assert_true(c.complete);
        assert_int_equal(count_stage(&games, STAGE_PLAYOFF) + count_stage(&games, STAGE_FINAL), 0);
        for (int i = 0; format != TOURNAMENT_KNOCK_OUT && i < games.count; i++) /* there the best have byes */
            assert_int_equal(games.scheduled[i].round, 0);
        games_done(&games);
        tournament_done(&tournament);
    }
}

/* All draws, so that the better seed 0 survives the first round; in the second it is disqualified. Earlier
 * decisions stay valid. */
static void decide_late_fall(void *context, const struct games *games, const struct scheduled_game *f,
                             struct outcome *out) {
    (void)context;
    (void)games;
    for (int side = 0; side < 2; side++)
        if (f->players[side] == 0 && f->round == 1)
            forfeit(out, side);
}

static void disqualification_does_not_change_the_past(void **state) {
    (void)state;
    struct tournament tournament;
    struct games games;
    make_tournament(&tournament, 8, 1);
    tournament.rules.format = TOURNAMENT_KNOCK_OUT;
    tournament.rules.playoff_repeats_max = 0;
    tournament.rules.disqualify_after = 1;
    play_all(&tournament, &games, decide_late_fall, NULL);
    assert_int_equal(count_meeting(&games, 0, 7, anywhere), 2);
    assert_int_equal(count_meeting(&games, 0, 3, anywhere), 2);
    assert_int_equal(count_meeting(&games, 7, 3, anywhere), 0); /* 7 was out already */
    assert_int_equal(count_meeting(&games, 3, 1, anywhere), 2);
    assert_int_equal(games.count, 7 * 2);
    assert_int_equal(player_at(&tournament, &games, 0), 1);
    games_done(&games);
    tournament_done(&tournament);
}

/* Wins the meeting, three to one, but with the fault that exceeds the limit. */
static void decide_dirty_win(void *context, const struct games *games, const struct scheduled_game *f,
                             struct outcome *out) {
    (void)context;
    decide_strength(NULL, games, f, out);
    if (f->round == 1 && f->number % 4 == 0)
        forfeit(out, f->players[0] == 0 ? 0 : 1);
}

static void no_disqualified_player_is_champion(void **state) {
    (void)state;
    struct tournament tournament;
    struct games games;
    make_tournament(&tournament, 4, 1);
    tournament.rules.format = TOURNAMENT_KNOCK_OUT;
    tournament.rules.games = 4;
    tournament.rules.disqualify_after = 1;
    play_all(&tournament, &games, decide_dirty_win, NULL);
    assert_int_equal(count_meeting(&games, 0, 1, anywhere), 4);
    assert_int_equal(player_at(&tournament, &games, 0), 1);
    games_done(&games);
    tournament_done(&tournament);
}

/* All share the first place, but 1 was disqualified in the last round of the main stage. */
static void decide_tie_and_fall(void *context, const struct games *games, const struct scheduled_game *f,
                                struct outcome *out) {
    (void)context;
    (void)games;
    if (f->stage != STAGE_MAIN || f->players[0] + f->players[1] != 1)
        return; /* a draw */
    for (int side = 0; side < 2; side++)
        if (f->players[side] == 1)
            forfeit(out, side);
    if (f->number % 2 == 0) /* 1 against 0: the other game compensates for it */
        *out = (struct outcome){.played = true, .payoff = f->players[0] == 1 ? 1 : 0, .forfeiter = NOBODY};
}

static void the_disqualified_play_nothing_off_and_no_final(void **state) {
    (void)state;
    struct tournament tournament;
    struct games games;
    make_tournament(&tournament, 4, 1);
    tournament.rules.disqualify_after = 1;
    tournament.rules.playoff_places = 1;
    tournament.rules.playoff_repeats_max = 1;
    tournament.rules.final_players = 2;
    games_init(&games);
    struct tournament_history c = {.decide = decide_tie_and_fall};
    play_tournament(&tournament, &games, &c);
    assert_true(c.complete);
    assert_true(schedule_is_disqualified(&tournament, &games, 1, STAGE_PLAYOFF, 0));
    assert_true(count_stage(&games, STAGE_PLAYOFF) > 0);
    assert_true(count_stage(&games, STAGE_FINAL) > 0);
    for (int i = 0; i < games.count; i++)
        assert_true(games.scheduled[i].stage == STAGE_MAIN ||
                    (games.scheduled[i].players[0] != 1 && games.scheduled[i].players[1] != 1));
    assert_int_not_equal(player_at(&tournament, &games, 0), 1);
    games_done(&games);
    tournament_done(&tournament);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finals_are_between_the_best),
        cmocka_unit_test(a_final_of_all),
        cmocka_unit_test(playoffs_are_for_the_places_asked_for),
        cmocka_unit_test(a_separated_player_plays_no_more),
        cmocka_unit_test(the_disqualified_lose_without_playing),
        cmocka_unit_test(a_swiss_goes_on_without_the_disqualified),
        cmocka_unit_test(an_tournament_of_the_disqualified_ends),
        cmocka_unit_test(disqualification_does_not_change_the_past),
        cmocka_unit_test(no_disqualified_player_is_champion),
        cmocka_unit_test(the_disqualified_play_nothing_off_and_no_final),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
