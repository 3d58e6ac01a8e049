/* SPDX-License-Identifier: MIT
 *
 * Tables: points, tie-breaks against a second computation, shared places, play-offs and finals.
 */
#include "schedule_support.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

enum { PLAYERS_MAX = 12 };

static bool is_near(double a, double b) {
    return fabs(a - b) < 1e-6;
}

/* ---- the same, naively ---- */

/* Every main-stage game from one player's view. */
struct view {
    int me, other;
    double payoff;
    bool my_fault;
};

struct views {
    int count;
    struct view list[20000];
};

static void collect(const struct games *games, struct views *out) {
    out->count = 0;
    for (int i = 0; i < games->count; i++) {
        const struct scheduled_game *f = &games->scheduled[i];
        const struct outcome *o = &games->outcomes[i];
        for (int side = 0; side < 2 && f->stage == STAGE_MAIN && o->played; side++)
            out->list[out->count++] =
                (struct view){f->players[side], f->players[side ^ 1], side == 0 ? o->payoff : 1 - o->payoff,
                              o->forfeiter == side};
    }
}

static double worth(const struct tournament_rules *rules, double payoff) {
    return is_near(payoff, 1) ? rules->win : is_near(payoff, 0) ? rules->loss : rules->draw;
}

static double naive_points(const struct tournament *tournament, const struct games *games,
                           const struct views *v, int player) {
    double points = games->walkovers[player] * tournament->rules.win;
    for (int i = 0; i < v->count; i++)
        if (v->list[i].me == player)
            points += worth(&tournament->rules, v->list[i].payoff);
    return points;
}

/* The players that equal a player in all tie-breaks before `k`. */
static bool is_tied(const struct standing *a, const struct standing *b, int k) {
    bool tied = is_near(a->points, b->points);
    for (int i = 0; i < k; i++)
        tied = tied && is_near(a->tie_breaks[i], b->tie_breaks[i]);
    return tied;
}

static const struct standing *row_of(const struct standing *rows, int count, int player) {
    for (int i = 0; i < count; i++)
        if (rows[i].player == player)
            return &rows[i];
    fail_msg("player %d has no row", player);
    return NULL;
}

static double naive_tie_break(const struct tournament *tournament, const struct views *v,
                              const struct standing *rows, const struct standing *me, int k) {
    double sum = 0;
    for (int i = 0; i < v->count; i++) {
        const struct view *w = &v->list[i];
        if (w->me != me->player)
            continue;
        const struct standing *other = row_of(rows, tournament->player_count, w->other);
        switch (tournament->rules.tie_breaks[k]) {
        case TOURNAMENT_TIE_HEAD_TO_HEAD:
            sum += is_tied(me, other, k) ? worth(&tournament->rules, w->payoff) : 0;
            break;
        case TOURNAMENT_TIE_BUCHHOLZ: sum += other->points; break;
        case TOURNAMENT_TIE_SONNEBORN:
            sum += is_near(w->payoff, 1) ? other->points : is_near(w->payoff, 0) ? 0 : other->points / 2;
            break;
        case TOURNAMENT_TIE_WINS: sum += is_near(w->payoff, 1); break;
        case TOURNAMENT_TIE_FAULTS: sum -= w->my_fault; break;
        case TOURNAMENT_TIE_BREAKS: break;
        }
    }
    return sum;
}

static void check_rows(const struct tournament *tournament, const struct games *games) {
    static struct views v;
    static struct standing rows[PLAYERS_MAX];
    const int count = tournament->player_count, breaks = tournament->rules.tie_break_count;
    collect(games, &v);
    standings_compute(tournament, games, rows);
    for (int i = 0; i < count; i++) {
        assert_true(is_near(rows[i].points, naive_points(tournament, games, &v, rows[i].player)));
        for (int k = 0; k < breaks; k++)
            assert_true(is_near(rows[i].tie_breaks[k], naive_tie_break(tournament, &v, rows, &rows[i], k)));
        const bool shares = i > 0 && is_tied(&rows[i], &rows[i - 1], breaks);
        assert_int_equal(rows[i].place, shares ? rows[i - 1].place : i + 1);
        if (shares) /* the order of entry */
            assert_true(rows[i].player > rows[i - 1].player);
        for (int k = 0; i > 0 && k <= breaks; k++) {
            const double above = k == 0 ? rows[i - 1].points : rows[i - 1].tie_breaks[k - 1];
            const double below = k == 0 ? rows[i].points : rows[i].tie_breaks[k - 1];
            assert_true(above > below - 1e-6);
            if (!is_near(above, below))
                break;
        }
    }
}

/* Tie-breaks in an order of their own for each seed; points that are no halves, too. */
static void draw_rules(struct tournament_rules *rules, uint64_t salt) {
    struct rng r;
    rng_seed(&r, salt);
    static const double points[][3] = {{1, 0.5, 0}, {3, 1, 0}, {2, 1.5, 1}, {0.3, 0.1, 0}, {1, 0, -1}};
    const uint32_t scale = rng_below(&r, 5);
    rules->win = points[scale][0];
    rules->draw = points[scale][1];
    rules->loss = points[scale][2];
    rules->tie_break_count = (int)rng_below(&r, TOURNAMENT_TIE_BREAKS + 1);
    for (int k = 0; k < TOURNAMENT_TIE_BREAKS; k++)
        rules->tie_breaks[k] = (enum tournament_tie_break)k;
    for (int k = TOURNAMENT_TIE_BREAKS - 1; k > 0; k--) {
        const int other = (int)rng_below(&r, (uint32_t)k + 1);
        const enum tournament_tie_break moved = rules->tie_breaks[k];
        rules->tie_breaks[k] = rules->tie_breaks[other];
        rules->tie_breaks[other] = moved;
    }
}

static void tables_agree_with_the_rules(void **state) {
    (void)state;
    for (uint64_t salt = 0; salt < 300; salt++) {
        struct tournament tournament;
        struct games games;
        make_tournament(&tournament, 2 + (int)(salt % 11), 1 + (int)(salt % 2));
        draw_rules(&tournament.rules, salt);
        tournament.rules.format = salt % 3 == 0   ? TOURNAMENT_SWISS
                                  : salt % 7 == 1 ? TOURNAMENT_GAUNTLET
                                                  : TOURNAMENT_ROUND_ROBIN;
        tournament.rules.rounds = tournament.rules.format == TOURNAMENT_SWISS ? 3 : 0;
        tournament.rules.disqualify_after = salt % 4 == 0 ? 2 : 0;
        tournament.rules.games = 1 + (int)(salt % 2);
        tournament.seed = salt;
        struct tournament_history course = {.decide = decide_faulty, .context = &salt};
        games_init(&games);
        play_tournament(&tournament, &games, &course);
        check_rows(&tournament, &games);
        games_done(&games);
        tournament_done(&tournament);
    }
}

/* Unplayed games count for no player. */
static void tables_of_events_under_way(void **state) {
    (void)state;
    uint64_t salt = 9;
    struct tournament tournament;
    struct games games;
    make_tournament(&tournament, 8, 2);
    draw_rules(&tournament.rules, 4);
    tournament.rules.tie_break_count = TOURNAMENT_TIE_BREAKS;
    play_all(&tournament, &games, decide_faulty, &salt);
    for (int i = games.count - 1; i >= 0; i -= 3) {
        games.outcomes[i] = (struct outcome){.forfeiter = NOBODY};
        check_rows(&tournament, &games);
    }
    games_done(&games);
    tournament_done(&tournament);
}

/* ---- counting ---- */

static void wins_are_counted_by_side(void **state) {
    (void)state;
    uint64_t salt = 3;
    struct tournament tournament;
    struct games games;
    struct standing rows[6];
    make_tournament(&tournament, 6, 1);
    tournament.rules.games = 3;
    play_all(&tournament, &games, decide_faulty, &salt);
    standings_compute(&tournament, &games, rows);
    for (int i = 0; i < 6; i++) {
        struct tally expected[2] = {{0}};
        int faults = 0;
        for (int g = 0; g < games.count; g++)
            for (int side = 0; side < 2; side++) {
                const double payoff = side == 0 ? games.outcomes[g].payoff : 1 - games.outcomes[g].payoff;
                if (games.scheduled[g].players[side] != rows[i].player)
                    continue;
                expected[side].wins += payoff > 0.6;
                expected[side].losses += payoff < 0.4;
                expected[side].draws += payoff > 0.4 && payoff < 0.6;
                faults += games.outcomes[g].forfeiter == side;
            }
        assert_memory_equal(rows[i].as_side, expected, sizeof expected);
        assert_int_equal(rows[i].total.wins, expected[0].wins + expected[1].wins);
        assert_int_equal(rows[i].total.draws, expected[0].draws + expected[1].draws);
        assert_int_equal(rows[i].total.losses, expected[0].losses + expected[1].losses);
        assert_int_equal(tally_games(&rows[i].total), 15);
        assert_int_equal(rows[i].faults[PLAYER_FAULT_LATE], faults);
    }
    games_done(&games);
    tournament_done(&tournament);
}

static void nothing_separates_equals(void **state) {
    (void)state;
    struct tournament tournament;
    struct games games;
    struct standing rows[5];
    make_tournament(&tournament, 5, 1);
    tournament.rules.tie_break_count = TOURNAMENT_TIE_BREAKS;
    for (int k = 0; k < TOURNAMENT_TIE_BREAKS; k++)
        tournament.rules.tie_breaks[k] = (enum tournament_tie_break)k;
    play_all(&tournament, &games, decide_draw, NULL);
    standings_compute(&tournament, &games, rows);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(rows[i].place, 1);
        assert_int_equal(rows[i].player, i);
        assert_int_equal(rows[i].decided_by, STAGE_MAIN);
    }
    games_done(&games);
    tournament_done(&tournament);
}

/* Sums of tenths in another order differ in their last bits: still equal, still in the order of entry. */
static void decide_tenths(void *context, const struct games *games, const struct scheduled_game *f,
                          struct outcome *out) {
    (void)context;
    (void)games;
    const int low = f->players[0] < f->players[1] ? 0 : 1;
    out->payoff = f->number % 2 == 0 ? (low == 0 ? 1 : 0) : (low == 0 ? 0 : 1);
}

static void last_bits_do_not_matter(void **state) {
    (void)state;
    struct tournament tournament;
    struct games games;
    struct standing rows[9];
    make_tournament(&tournament, 9, 1);
    tournament.rules.win = 0.7;
    tournament.rules.draw = 0.2;
    tournament.rules.loss = 0.1;
    play_all(&tournament, &games, decide_tenths, NULL);
    standings_compute(&tournament, &games, rows);
    for (int i = 0; i < 9; i++) {
        assert_int_equal(rows[i].place, 1);
        assert_int_equal(rows[i].player, i);
        assert_true(is_near(rows[i].points, 8 * 0.8));
    }
    games_done(&games);
    tournament_done(&tournament);
}

/* ---- faults in later stages: no effect on the order ---- */

/* All equal in the main stage. In play-offs and final the player with the lower number wins two of three
 * games and loses the third by a fault, so that ordering by faults would give another result. */
static void decide_late_faults(void *context, const struct games *games, const struct scheduled_game *f,
                               struct outcome *out) {
    (void)context;
    if (f->stage == STAGE_MAIN)
        return;
    decide_strength(NULL, games, f, out);
    if (f->pair < 0)
        forfeit(out, f->players[0] < f->players[1] ? 0 : 1);
}

static void faults_break_ties_of_the_main_stage_alone(void **state) {
    (void)state;
    struct tournament tournament;
    struct games games;
    make_tournament(&tournament, 4, 1);
    tournament.rules.tie_break_count = 1;
    tournament.rules.tie_breaks[0] = TOURNAMENT_TIE_FAULTS;
    tournament.rules.playoff_places = 2;
    tournament.rules.playoff_games = 3;
    tournament.rules.final_players = 2;
    tournament.rules.final_games = 3;
    play_all(&tournament, &games, decide_late_faults, NULL);
    assert_int_equal(count_stage(&games, STAGE_PLAYOFF), 6 * 3);
    assert_int_equal(count_stage(&games, STAGE_FINAL), 3);
    struct standing rows[4];
    standings_compute(&tournament, &games, rows);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(rows[i].player, i);
        assert_int_equal(rows[i].place, i + 1);
        assert_true(is_near(rows[i].tie_breaks[0], 0));
        assert_int_equal(rows[i].faults[PLAYER_FAULT_LATE], (i == 0) + 3 - i); /* of all stages */
    }
    games_done(&games);
    tournament_done(&tournament);
}

/* ---- later stages ---- */

/* Draws, then strength in the play-off, then the opposite of strength in the final. */
static void decide_turned(void *context, const struct games *games, const struct scheduled_game *f,
                          struct outcome *out) {
    (void)context;
    if (f->stage == STAGE_MAIN)
        return;
    decide_strength(NULL, games, f, out);
    if (f->stage == STAGE_FINAL)
        out->payoff = 1 - out->payoff;
}

static void stages_decide_in_their_order(void **state) {
    (void)state;
    static const int expected[] = {3, 2, 1, 0, 4, 5};
    static const int stages[] = {STAGE_FINAL, STAGE_FINAL,   STAGE_FINAL,
                                 STAGE_FINAL, STAGE_PLAYOFF, STAGE_PLAYOFF};
    struct tournament tournament;
    struct games games;
    struct standing rows[6];
    make_tournament(&tournament, 6, 1);
    tournament.rules.playoff_places = 4;
    tournament.rules.final_players = 4;
    play_all(&tournament, &games, decide_turned, NULL);
    standings_compute(&tournament, &games, rows);
    /* 3 beats 0 and then 2; 2 beats 1 before that; losers of the same round stay in their earlier order */
    assert_int_equal(rows[0].player, 3);
    assert_int_equal(rows[1].player, 2);
    assert_int_equal(rows[2].player, 0);
    assert_int_equal(rows[3].player, 1);
    for (int i = 0; i < 6; i++) {
        assert_int_equal(rows[i].place, i + 1);
        assert_int_equal(rows[i].decided_by, stages[i]);
        assert_true(is_near(rows[i].points, 5)); /* of the main stage */
        if (i > 3)
            assert_int_equal(rows[i].player, expected[i]);
    }
    games_done(&games);
    tournament_done(&tournament);
}

static void finalists_are_listed_before_the_final(void **state) {
    (void)state;
    struct tournament tournament;
    struct games games;
    struct standing scratch[5];
    int order[5];
    make_tournament(&tournament, 5, 1);
    tournament.rules.final_players = 3;
    games_init(&games);
    struct tournament_history c = {.decide = decide_strength, .batches_max = 1};
    play_tournament(&tournament, &games, &c);
    assert_int_equal(standings_finalists(&tournament, &games, scratch, order), 3);
    for (int i = 0; i < 3; i++)
        assert_int_equal(order[i], i);
    tournament.rules.final_players = 0;
    assert_int_equal(standings_finalists(&tournament, &games, scratch, order), 0);
    games_done(&games);
    tournament_done(&tournament);
}

/* Rounds survived come first, before points. */
static void knock_out_places_follow_the_bracket(void **state) {
    (void)state;
    for (uint64_t salt = 0; salt < 50; salt++) {
        struct tournament tournament;
        struct games games;
        struct standing rows[PLAYERS_MAX];
        int survived[PLAYERS_MAX];
        make_tournament(&tournament, 9, 1);
        tournament.rules.format = TOURNAMENT_KNOCK_OUT;
        play_all(&tournament, &games, decide_random, &salt);
        for (int p = 0; p < 9; p++)
            survived[p] = 0;
        for (int i = 0; i < games.count; i++) /* a player in round r has survived r rounds */
            for (int side = 0; side < 2; side++)
                survived[games.scheduled[i].players[side]] = games.scheduled[i].round;
        standings_compute(&tournament, &games, rows);
        survived[rows[0].player]++;
        for (int i = 1; i < 9; i++) {
            assert_true(survived[rows[i - 1].player] >= survived[rows[i].player]);
            if (survived[rows[i - 1].player] == survived[rows[i].player])
                assert_true(rows[i - 1].points > rows[i].points - 1e-6);
        }
        assert_int_equal(rows[1].place, 2);
        assert_int_equal(survived[rows[0].player], 4);
        assert_int_equal(survived[rows[1].player], 3);
        games_done(&games);
        tournament_done(&tournament);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_agree_with_the_rules),
        cmocka_unit_test(tables_of_events_under_way),
        cmocka_unit_test(wins_are_counted_by_side),
        cmocka_unit_test(nothing_separates_equals),
        cmocka_unit_test(last_bits_do_not_matter),
        cmocka_unit_test(faults_break_ties_of_the_main_stage_alone),
        cmocka_unit_test(stages_decide_in_their_order),
        cmocka_unit_test(finalists_are_listed_before_the_final),
        cmocka_unit_test(knock_out_places_follow_the_bracket),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
