/* SPDX-License-Identifier: MIT
 *
 * Swiss pairings against all pairings there are, and over whole tournaments with random results; brackets of
 * a knock-out.
 */
#include "tournament/schedule.h"

#include "base/numbers.h"
#include "memory_support.h"
#include "sample.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { PLAYERS_MAX = TOURNAMENT_PLAYERS_MAX, STRIDE = TOURNAMENT_PLAYERS_MAX };

struct round {
    struct swiss swiss;
    struct swiss_player players[PLAYERS_MAX];
    unsigned char met[STRIDE * STRIDE];
    struct pairing pairings[PLAYERS_MAX / 2];
    int bye;
};

static struct round one;

static void start_round(struct round *t, int count) {
    memset(t, 0, sizeof *t);
    t->swiss = (struct swiss){count, t->players, t->met};
    for (int i = 0; i < count; i++)
        t->players[i] = (struct swiss_player){.player = i};
}

static int position_of(const struct round *t, int player) {
    for (int i = 0; i < t->swiss.count; i++)
        if (t->players[i].player == player)
            return i;
    fail_msg("player %d is not in this round", player);
    return -1;
}

static int times_met(const struct round *t, int i, int j) {
    return t->met[t->players[i].player * STRIDE + t->players[j].player];
}

static void set_met(struct round *t, int a, int b, int times) {
    t->met[a * STRIDE + b] = t->met[b * STRIDE + a] = (unsigned char)times;
}

/* Every player once; partner[i] is a position, or count for the bye. */
static void pair_round(struct round *t, int *partner) {
    const int count = t->swiss.count;
    swiss_pair(&t->swiss, t->pairings, &t->bye);
    for (int i = 0; i < count; i++)
        partner[i] = -1;
    for (int k = 0; k < count / 2; k++) {
        const int a = position_of(t, t->pairings[k].players[0]),
                  b = position_of(t, t->pairings[k].players[1]);
        assert_int_equal(partner[a], -1);
        assert_int_equal(partner[b], -1);
        partner[a] = b;
        partner[b] = a;
    }
    assert_int_equal(t->bye >= 0, count % 2);
    if (t->bye >= 0) {
        const int i = position_of(t, t->bye);
        assert_int_equal(partner[i], -1);
        partner[i] = count;
    }
}

/* ---- against all possible pairings ---- */

enum { CRITERIA = 7 };

/* The contract of swiss_pair (tournament/schedule.h), criterion by criterion, for one pair or the bye. A
 * second implementation from that text. */
static void add_criteria(const struct round *t, int i, int j, double *sums) {
    const struct swiss_player *a = &t->players[i], *b = &t->players[j];
    if (j == t->swiss.count) {
        for (int k = 0; k < t->swiss.count; k++)
            sums[2] += t->players[k].byes < a->byes || (t->players[k].byes == a->byes && k > i);
        return;
    }
    const int low = a->side_balance < b->side_balance ? a->side_balance : b->side_balance;
    const int high = a->side_balance + b->side_balance - low;
    sums[0] += times_met(t, i, j) > 0;
    sums[1] += times_met(t, i, j);
    sums[3] += fmax(abs(low + 1) - SWISS_BALANCE_MAX, 0) + fmax(abs(high - 1) - SWISS_BALANCE_MAX, 0);
    sums[4] += (a->points - b->points) * (a->points - b->points);
    int above_i = 0, with_i = 0, above_j = 0;
    for (int k = 0; k < t->swiss.count; k++) {
        with_i += fabs(t->players[k].points - a->points) < 1e-9;
        above_i += k < i && fabs(t->players[k].points - a->points) < 1e-9;
        above_j += k < j && fabs(t->players[k].points - b->points) < 1e-9;
    }
    const double apart = above_j - above_i - with_i / 2.0, behind = with_i - 1 - above_i;
    const bool equal = fabs(a->points - b->points) < 1e-9;
    sums[5] += equal ? apart * apart : behind * behind + (double)above_j * above_j;
    sums[6] += (low + 1) * (low + 1) + (high - 1) * (high - 1);
}

static bool is_better(const double *a, const double *b) {
    for (int i = 0; i < CRITERIA; i++)
        if (fabs(a[i] - b[i]) > 1e-9)
            return a[i] < b[i];
    return false;
}

/* Tries all partners of the first that has none. */
static void try_all(const struct round *t, unsigned taken, const double *sums, double *best) {
    const int count = t->swiss.count, places = count + count % 2;
    int i = 0;
    while (i < places && (taken >> i & 1) != 0)
        i++;
    if (i == places) {
        if (is_better(sums, best))
            memcpy(best, sums, CRITERIA * sizeof *best);
        return;
    }
    for (int j = i + 1; j < places; j++) {
        if ((taken >> j & 1) != 0)
            continue;
        double more[CRITERIA];
        memcpy(more, sums, sizeof more);
        add_criteria(t, i, j, more);
        try_all(t, taken | 1U << i | 1U << j, more, best);
    }
}

static void draw_position(struct round *t, struct rng *r, int count) {
    static const double worth[] = {0.5, 1, 3, 0.25};
    const double unit = worth[rng_below(r, 4)];
    const uint32_t density = rng_below(r, 5), spread = 1 + rng_below(r, 5), balances = rng_below(r, 4);
    start_round(t, count);
    double points = 20;
    for (int i = 0; i < count; i++) {
        points -= unit * rng_below(r, spread) * (rng_below(r, 2) == 0);
        t->players[i].player = count - 1 - i; /* not the rank */
        t->players[i].points = points;
        t->players[i].side_balance = (int)rng_below(r, 2 * balances + 1) - (int)balances;
        t->players[i].byes = (int)rng_below(r, 3) / 2;
        for (int j = 0; j < i; j++)
            if (rng_below(r, 5) < density)
                set_met(t, t->players[i].player, t->players[j].player, 1 + (int)rng_below(r, 2));
    }
}

static void is_the_best_of_all(void **state) {
    (void)state;
    struct rng r;
    rng_seed(&r, 1965);
    for (int round = 0; round < SAMPLE(4000, 800); round++) {
        int partner[PLAYERS_MAX];
        const int count = 1 + (int)rng_below(&r, round % 10 == 0 ? 10 : 8);
        draw_position(&one, &r, count);
        pair_round(&one, partner);
        double found[CRITERIA] = {0}, best[CRITERIA] = {HUGE_VAL};
        for (int i = 0; i < count; i++)
            if (partner[i] > i)
                add_criteria(&one, i, partner[i], found);
        try_all(&one, 0, (const double[CRITERIA]){0}, best);
        for (int k = 0; k < CRITERIA; k++)
            assert_true(fabs(found[k] - best[k]) < 1e-9);
    }
}

static void sides_go_to_the_lower_balance(void **state) {
    (void)state;
    struct rng r;
    rng_seed(&r, 4);
    for (int round = 0; round < 300; round++) {
        int partner[PLAYERS_MAX];
        draw_position(&one, &r, 12);
        pair_round(&one, partner);
        for (int k = 0; k < 6; k++) {
            const int a = position_of(&one, one.pairings[k].players[0]);
            const int b = position_of(&one, one.pairings[k].players[1]);
            assert_true(one.players[a].side_balance <= one.players[b].side_balance);
            if (one.players[a].side_balance == one.players[b].side_balance)
                assert_true((a < b) == ((a < b ? a : b) % 2 == 0));
        }
    }
}

/* ---- known cases ---- */

static void expect_pairs(const int (*expected)[2], int pairs) {
    int partner[PLAYERS_MAX];
    pair_round(&one, partner);
    for (int k = 0; k < pairs; k++) {
        assert_int_equal(one.pairings[k].players[0], expected[k][0]);
        assert_int_equal(one.pairings[k].players[1], expected[k][1]);
    }
}

static void first_round_is_upper_half_against_lower(void **state) {
    (void)state;
    static const int eight[][2] = {{0, 4}, {5, 1}, {2, 6}, {7, 3}};
    start_round(&one, 8);
    expect_pairs(eight, 4);
    static const int seven[][2] = {{0, 3}, {4, 1}, {2, 5}};
    start_round(&one, 7);
    expect_pairs(seven, 3);
    assert_int_equal(one.bye, 6);
}

/* 0 to 3 have won, 4 to 7 have lost. */
static void second_round_pairs_equal_points(void **state) {
    (void)state;
    static const int expected[][2] = {{0, 2}, {3, 1}, {4, 6}, {7, 5}};
    start_round(&one, 8);
    for (int i = 0; i < 8; i++)
        one.players[i].points = i < 4;
    for (int i = 0; i < 4; i++)
        set_met(&one, i, i + 4, 1);
    expect_pairs(expected, 4);
}

/* Three have 1 point, three have none: the third of the upper ones comes down to the fourth. */
static void the_last_comes_down_to_the_first_below(void **state) {
    (void)state;
    static const int expected[][2] = {{0, 1}, {2, 3}, {4, 5}};
    start_round(&one, 6);
    for (int i = 0; i < 3; i++)
        one.players[i].points = 1;
    expect_pairs(expected, 3);
    /* Unless these two have met: then one of them gives way, the other stays. */
    set_met(&one, 2, 3, 1);
    int partner[PLAYERS_MAX];
    pair_round(&one, partner);
    assert_true((partner[2] == 4) != (partner[1] == 3));
}

/* A greedy pairing would give 0 to 1 and leave 2 and 3, which have met. */
static void a_rematch_is_avoided_at_any_price(void **state) {
    (void)state;
    start_round(&one, 4);
    static const double points[] = {9, 9, 0, 0};
    int partner[PLAYERS_MAX];
    for (int i = 0; i < 4; i++)
        one.players[i].points = points[i];
    set_met(&one, 2, 3, 1);
    pair_round(&one, partner);
    assert_int_not_equal(partner[0], 1);
    set_met(&one, 0, 2, 1);
    set_met(&one, 0, 3, 1);
    pair_round(&one, partner); /* now 0 can only meet 1: one rematch, 2 and 3, against two */
    assert_int_equal(partner[0], 1);
}

static void the_bye_goes_round(void **state) {
    (void)state;
    int partner[PLAYERS_MAX], byes[5] = {0};
    for (int round = 0; round < 10; round++) {
        start_round(&one, 5);
        for (int i = 0; i < 5; i++)
            one.players[i].byes = byes[i];
        pair_round(&one, partner);
        assert_int_equal(one.bye, 4 - round % 5);
        byes[one.bye]++;
    }
}

static void small_fields(void **state) {
    (void)state;
    int partner[PLAYERS_MAX];
    start_round(&one, 0);
    pair_round(&one, partner);
    start_round(&one, 1);
    pair_round(&one, partner);
    assert_int_equal(one.bye, 0);
    start_round(&one, 2);
    for (int balance = -3; balance <= 3; balance += 6) {
        one.players[0].side_balance = balance;
        pair_round(&one, partner);
        assert_int_equal(one.pairings[0].players[0], balance < 0 ? 0 : 1);
    }
}

/* Points like 0.1 + 0.2 and 0.3 are the same. */
static void rounding_does_not_split_points(void **state) {
    (void)state;
    volatile double tenth = 0.1;
    int partner[PLAYERS_MAX];
    start_round(&one, 4);
    one.players[0].points = tenth + 0.2;
    one.players[1].points = one.players[2].points = one.players[3].points = 0.3;
    pair_round(&one, partner);
    assert_int_equal(partner[0], 2);
    one.players[3].points = 0; /* with other points beside them as well */
    set_met(&one, 2, 3, 1);
    pair_round(&one, partner);
    assert_int_equal(partner[3], 1);
}

static void pair_one(void *context) {
    (void)context;
    swiss_pair(&one.swiss, one.pairings, &one.bye);
}

static void memory_may_run_out(void **state) {
    (void)state;
    long n = 1;
    start_round(&one, 6);
    while (memory_runs_out(n, pair_one, NULL))
        n++;
    assert_true(n > 5);
}

/* ---- whole tournaments ---- */

enum { FIELD_MAX = 40, EDGE_MAX = FIELD_MAX + 1, PRIME = 2147483647 };

struct graph {
    int count;
    bool edge[EDGE_MAX + 1][EDGE_MAX + 1];
};

static uint64_t power(uint64_t base, uint64_t exponent) {
    uint64_t out = 1;
    for (; exponent > 0; exponent /= 2, base = base * base % PRIME)
        if (exponent % 2 == 1)
            out = out * base % PRIME;
    return out;
}

/* Tutte: a graph has a perfect matching when the determinant of its skew-symmetric matrix of unknowns is not
 * zero. With random numbers for the unknowns the answer is wrong once in fifty million times. */
static bool has_perfect_matching(const struct graph *g, struct rng *r) {
    static uint64_t m[EDGE_MAX + 1][EDGE_MAX + 1];
    const int n = g->count;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            const uint64_t x = i != j && g->edge[i][j] ? 1 + rng_below(r, PRIME - 1) : 0;
            m[i][j] = x;
            m[j][i] = x == 0 ? 0 : PRIME - x;
        }
    for (int column = 0; column < n; column++) {
        int pivot = column;
        while (pivot < n && m[pivot][column] == 0)
            pivot++;
        if (pivot == n)
            return false;
        for (int k = 0; k < n; k++) {
            const uint64_t swap = m[pivot][k];
            m[pivot][k] = m[column][k];
            m[column][k] = swap;
        }
        const uint64_t inverse = power(m[column][column], PRIME - 2);
        for (int i = column + 1; i < n; i++) {
            const uint64_t factor = m[i][column] * inverse % PRIME;
            for (int k = column; factor != 0 && k < n; k++)
                m[i][k] = (m[i][k] + (PRIME - factor) * m[column][k]) % PRIME;
        }
    }
    return true;
}

static bool goes_beyond(const struct round *t, int i, int j) {
    const int a = t->players[i].side_balance, b = t->players[j].side_balance;
    return a == b && abs(a) >= SWISS_BALANCE_MAX;
}

/* Can all meet new opponents, without the position `left_out` (-1: all, with a place for the bye when it is
 * odd)? */
static bool can_be_paired(const struct round *t, int left_out, bool mind_sides, struct rng *r) {
    static struct graph g;
    const int count = t->swiss.count;
    int at[EDGE_MAX + 1];
    g.count = 0;
    for (int i = 0; i < count; i++)
        if (i != left_out)
            at[g.count++] = i;
    for (int i = 0; i < g.count; i++)
        for (int j = 0; j < g.count; j++)
            g.edge[i][j] =
                i != j && times_met(t, at[i], at[j]) == 0 && (!mind_sides || !goes_beyond(t, at[i], at[j]));
    if (g.count % 2 == 1) {
        for (int i = 0; i < g.count; i++)
            g.edge[i][g.count] = g.edge[g.count][i] = true;
        g.count++;
    }
    return has_perfect_matching(&g, r);
}

static int compare_players(const void *a, const void *b) {
    const struct swiss_player *x = a, *y = b;
    return x->points > y->points ? -1 : x->points < y->points ? 1 : x->player - y->player;
}

static bool has_rematch(const struct round *t, const int *partner) {
    for (int i = 0; i < t->swiss.count; i++)
        if (partner[i] < t->swiss.count && times_met(t, i, partner[i]) > 0)
            return true;
    return false;
}

/* No player with a better claim to the bye could have had it without a rematch. */
static void check_bye(const struct round *t, struct rng *r) {
    const int bye = position_of(t, t->bye);
    for (int i = 0; i < t->swiss.count; i++) {
        const int fewer = t->players[bye].byes - t->players[i].byes;
        if (i != bye && (fewer > 0 || (fewer == 0 && i > bye)))
            assert_false(can_be_paired(t, i, false, r));
    }
}

static void check_sides(const struct round *t, const int *partner, struct rng *r) {
    bool beyond = false;
    for (int i = 0; i < t->swiss.count; i++)
        beyond |= partner[i] < t->swiss.count && goes_beyond(t, i, partner[i]);
    if (beyond)
        assert_false(can_be_paired(t, t->bye >= 0 ? position_of(t, t->bye) : -1, true, r));
}

static void play_round(struct round *t, const int *partner, struct rng *r) {
    static const double results[] = {1, 0.5, 0};
    for (int k = 0; k < t->swiss.count / 2; k++) {
        const int a = position_of(t, t->pairings[k].players[0]),
                  b = position_of(t, t->pairings[k].players[1]);
        const double payoff = results[rng_below(r, 3)];
        t->players[a].points += payoff;
        t->players[b].points += 1 - payoff;
        t->players[a].side_balance++;
        t->players[b].side_balance--;
        set_met(t, t->players[a].player, t->players[b].player, times_met(t, a, b) + 1);
    }
    for (int i = 0; i < t->swiss.count; i++)
        if (partner[i] == t->swiss.count) {
            t->players[i].points += 1;
            t->players[i].byes++;
        }
    qsort(t->players, (size_t)t->swiss.count, sizeof t->players[0], compare_players);
}

/* By Dirac's theorem no player needs a rematch or a second bye in the first half of the possible rounds. */
static void check_first_half(const struct round *t, int round, bool rematch) {
    const int places = t->swiss.count + t->swiss.count % 2;
    if (places - 1 - round < places / 2)
        return;
    assert_false(rematch);
    if (t->bye >= 0)
        assert_int_equal(t->players[position_of(t, t->bye)].byes, 0);
}

static void play_tournament(int count, int rounds, struct rng *r) {
    int partner[PLAYERS_MAX];
    start_round(&one, count);
    for (int round = 0; round < rounds; round++) {
        pair_round(&one, partner);
        const bool rematch = has_rematch(&one, partner);
        assert_int_equal(rematch, !can_be_paired(&one, -1, false, r));
        check_first_half(&one, round, rematch);
        if (!rematch) {
            if (count % 2 == 1)
                check_bye(&one, r);
            check_sides(&one, partner, r);
        }
        play_round(&one, partner, r);
        for (int i = 0; i < count && round < count / 2; i++)
            assert_in_range(abs(one.players[i].side_balance), 0, 2);
    }
}

static void whole_tournaments(void **state) {
    (void)state;
    struct rng r;
    rng_seed(&r, 40);
    for (int count = 2; count <= FIELD_MAX; count++)
        for (int repeat = 0; repeat < (count > 12 ? SAMPLE(2, 1) : SAMPLE(40, 5)); repeat++)
            play_tournament(count, count <= 12 ? count + 1 : 9 + count % 4, &r);
}

static void the_largest_field(void **state) {
    (void)state;
    struct rng r;
    int partner[PLAYERS_MAX];
    rng_seed(&r, 256);
    start_round(&one, PLAYERS_MAX);
    for (int round = 0; round < 4; round++) {
        pair_round(&one, partner);
        assert_false(has_rematch(&one, partner));
        play_round(&one, partner, &r);
    }
}

/* ---- knock-out ---- */

static void slots_of_eight(void **state) {
    (void)state;
    static const int order[] = {10, 20, 30, 40, 50, 60, 70, 80};
    static const int expected[] = {10, 80, 40, 50, 20, 70, 30, 60}, six[] = {10, -1, 40, 50, 20, -1, 30, 60};
    int slots[16];
    assert_int_equal(knock_out_slots(order, 8, slots), 8);
    assert_memory_equal(slots, expected, sizeof expected);
    assert_int_equal(knock_out_slots(order, 6, slots), 8);
    assert_memory_equal(slots, six, sizeof six);
}

/* The better seed always wins: each round leaves the better half, and the pairings are fixed. */
static void check_bracket(const int *seeds, int places, int count) {
    int field[128];
    memcpy(field, seeds, (size_t)places * sizeof *seeds);
    for (; places > 1; places /= 2) {
        for (int i = 0; i < places / 2; i++) {
            const int a = field[2 * i], b = field[2 * i + 1], winner = a < b ? a : b;
            assert_int_equal(a + b, places - 1); /* first meets last */
            assert_true(winner < count);         /* a bye never meets a bye */
            field[i] = winner;
        }
    }
    assert_int_equal(field[0], 0);
}

static void brackets_of_all_sizes(void **state) {
    (void)state;
    for (int count = 1; count <= 33; count++) {
        int order[33], slots[66], seeds[66], times[33] = {0}, byes = 0;
        for (int i = 0; i < count; i++)
            order[i] = (i * 7 + 3) % 101; /* all different */
        const int places = knock_out_slots(order, count, slots);
        assert_true(places >= count && places < 2 * count && (places & (places - 1)) == 0);
        for (int i = 0; i < places; i++) {
            int seed = 0;
            while (seed < count && order[seed] != slots[i])
                seed++;
            assert_int_equal(seed == count, slots[i] == -1);
            if (seed < count)
                times[seed]++;
            byes += slots[i] == -1;
            seeds[i] = seed < count ? seed : -1;
        }
        for (int i = 0; i < count; i++)
            assert_int_equal(times[i], 1);
        for (int i = 0; i < places; i++) /* byes belong to the best */
            if (seeds[i] == -1)
                assert_true(seeds[i ^ 1] >= 0 && seeds[i ^ 1] < byes);
        for (int i = 0; i < places; i++) /* what would be there if all came */
            seeds[i] = seeds[i] < 0 ? places - 1 - seeds[i ^ 1] : seeds[i];
        check_bracket(seeds, places, count);
        for (int i = 0; places > 1 && i < places; i++) /* the best two stand in different halves */
            if (seeds[i] < 2)
                assert_int_equal(i < places / 2, seeds[i] == 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_the_best_of_all),
        cmocka_unit_test(sides_go_to_the_lower_balance),
        cmocka_unit_test(first_round_is_upper_half_against_lower),
        cmocka_unit_test(second_round_pairs_equal_points),
        cmocka_unit_test(the_last_comes_down_to_the_first_below),
        cmocka_unit_test(a_rematch_is_avoided_at_any_price),
        cmocka_unit_test(the_bye_goes_round),
        cmocka_unit_test(small_fields),
        cmocka_unit_test(rounding_does_not_split_points),
        cmocka_unit_test(memory_may_run_out),
        cmocka_unit_test(whole_tournaments),
        cmocka_unit_test(the_largest_field),
        cmocka_unit_test(slots_of_eight),
        cmocka_unit_test(brackets_of_all_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
