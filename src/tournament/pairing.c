/* SPDX-License-Identifier: MIT
 *
 * Pairings of a Swiss round, and the bracket of a knock-out.
 */
#include "tournament/pairing.h"

#include "base/mem.h"
#include "tournament/matching.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* ---- knock-out ---- */

/* Every place of a bracket becomes two: the seed that is there and the one that adds up with it to the same
 * sum everywhere. 1; 1 2; 1 4 2 3; 1 8 4 5 2 7 3 6; … Seeds count from 0 here. */
int knock_out_slots(const int *order, int count, int *slots) {
    assert(count > 0);
    int places = 1;
    slots[0] = 0;
    while (places < count) {
        places *= 2;
        for (int i = places / 2 - 1; i >= 0; i--) {
            const int seed = slots[i];
            slots[2 * i] = seed;
            slots[2 * i + 1] = places - 1 - seed;
        }
    }
    for (int i = 0; i < places; i++)
        slots[i] = slots[i] < count ? order[slots[i]] : -1;
    return places;
}

/* ---- Swiss ----
 *
 * A Swiss round is a matching of least cost. The criteria are the levels of the cost, so they hold exactly.
 * An odd player is matched with an additional vertex, the bye.
 *
 * By Dirac's theorem: after r rounds without a rematch every player has count - 1 - r opponents left (the bye
 * counts as one when the number is odd). While that is at least half of all, there is a pairing without a
 * rematch and without a second bye. */

enum level { REMATCHES, MEETINGS, BYE, SIDES_BEYOND, POINTS, ORDER, SIDES, LEVELS };

_Static_assert((int)LEVELS == (int)MATCHING_LEVELS, "every level of a cost is used");
_Static_assert((int)EVENT_PLAYERS_MAX <= (int)MATCHING_VERTICES_MAX, "all players of an event can be paired");

enum {
    POINT_BITS = 20,   /* the resolution of differences in points, as a part of the largest one */
    BALANCE_CAP = 1000 /* larger than any real balance; keeps squares small */
};

/* Smaller differences are rounding errors. */
#define POINT_UNIT_MIN 0x1p-26

/* A player as the costs see it. */
struct seat {
    int64_t points; /* in units of the resolution */
    int group_size; /* how many have the same points */
    int in_group;   /* 0: the first of them */
    int balance;
    int bye_turn; /* the order of byes: 0 has the next one */
};

struct table {
    const struct swiss *swiss;
    int count; /* of places: even */
    struct seat *seats;
    struct matching_cost *costs;
    int *mate;
};

/* ---- seats ---- */

/* A power of two, so that whole and half points are exact. */
static double point_unit(const struct swiss *swiss) {
    double low = swiss->players[0].points, high = low;
    for (int i = 1; i < swiss->count; i++) {
        low = fmin(low, swiss->players[i].points);
        high = fmax(high, swiss->players[i].points);
    }
    int exponent;
    assert(isfinite(high - low));
    frexp(high - low, &exponent);
    return fmax(ldexp(1, exponent - POINT_BITS), POINT_UNIT_MIN);
}

static int bye_turn(const struct swiss *swiss, int i) {
    int before = 0;
    for (int j = 0; j < swiss->count; j++) {
        const int more = swiss->players[i].byes - swiss->players[j].byes;
        before += more > 0 || (more == 0 && j > i);
    }
    return before;
}

static int capped(int balance) {
    return balance > BALANCE_CAP ? BALANCE_CAP : balance < -BALANCE_CAP ? -BALANCE_CAP : balance;
}

static void fill_seats(struct table *t) {
    const struct swiss *swiss = t->swiss;
    const double unit = point_unit(swiss), origin = swiss->players[0].points;
    for (int i = 0; i < swiss->count; i++) {
        t->seats[i].points = llround((swiss->players[i].points - origin) / unit);
        t->seats[i].balance = capped(swiss->players[i].side_balance);
        t->seats[i].bye_turn = bye_turn(swiss, i);
    }
    for (int i = 0; i < swiss->count; i++)
        for (int j = 0; j < swiss->count; j++)
            if (t->seats[j].points == t->seats[i].points) {
                t->seats[i].group_size++;
                t->seats[i].in_group += j < i;
            }
}

/* ---- costs ---- */

static int64_t squared(int64_t x) {
    return x * x;
}

static int beyond(int balance) {
    const int excess = abs(balance) - SWISS_BALANCE_MAX;
    return excess > 0 ? excess : 0;
}

/* The lower balance gets side 0; between equals it goes in turn. `upper` is the better-ranked. */
static bool upper_has_side_0(const struct table *t, int upper, int lower) {
    const int a = t->seats[upper].balance, b = t->seats[lower].balance;
    return a != b ? a < b : upper % 2 == 0;
}

/* In a group of 2m the k-th of the upper half meets the k-th of the lower half, m places below. A player that
 * is paired outside its group should be the last of it, and meet the first of the other group. */
static int64_t order_cost(const struct seat *upper, const struct seat *lower) {
    if (upper->points == lower->points)
        return squared(2 * (lower->in_group - upper->in_group) - upper->group_size);
    return 4 * (squared(upper->group_size - 1 - upper->in_group) + squared(lower->in_group));
}

static struct matching_cost pair_cost(const struct table *t, int upper, int lower) {
    const struct swiss *swiss = t->swiss;
    const struct seat *a = &t->seats[upper], *b = &t->seats[lower];
    const int a_player = swiss->players[upper].player, b_player = swiss->players[lower].player;
    const int met = swiss->met[a_player * swiss->stride + b_player];
    const int change = upper_has_side_0(t, upper, lower) ? 1 : -1;
    return (struct matching_cost){{
        [REMATCHES] = met > 0,
        [MEETINGS] = met,
        [SIDES_BEYOND] = beyond(a->balance + change) + beyond(b->balance - change),
        [POINTS] = squared(a->points - b->points),
        [ORDER] = order_cost(a, b),
        [SIDES] = squared(a->balance + change) + squared(b->balance - change),
    }};
}

static struct matching_cost bye_cost(const struct table *t, int i) {
    return (struct matching_cost){{[BYE] = t->seats[i].bye_turn}};
}

static void fill_costs(struct table *t) {
    for (int i = 0; i < t->count; i++)
        for (int j = i + 1; j < t->count; j++) {
            const struct matching_cost cost = j < t->swiss->count ? pair_cost(t, i, j) : bye_cost(t, i);
            t->costs[i * t->count + j] = t->costs[j * t->count + i] = cost;
        }
}

/* ---- the pairing ---- */

static void list_pairings(const struct table *t, struct pairing *out, int *bye) {
    const struct swiss_player *players = t->swiss->players;
    *bye = -1;
    for (int i = 0; i < t->swiss->count; i++) {
        const int j = t->mate[i];
        if (j == t->swiss->count) {
            *bye = players[i].player;
        } else if (j > i) {
            const int side = upper_has_side_0(t, i, j) ? 0 : 1;
            out->players[side] = players[i].player;
            out->players[1 - side] = players[j].player;
            out++;
        }
    }
}

void swiss_pair(const struct swiss *swiss, struct pairing *out, int *bye) {
    assert(swiss->count >= 0 && swiss->count <= EVENT_PLAYERS_MAX);
    *bye = -1;
    if (swiss->count == 0)
        return;
    struct table t = {.swiss = swiss, .count = swiss->count + swiss->count % 2};
    const size_t count = (size_t)t.count;
    t.seats = mem_alloc(count * sizeof *t.seats);
    t.costs = mem_alloc(count * count * sizeof *t.costs);
    t.mate = mem_alloc(count * sizeof *t.mate);
    fill_seats(&t);
    fill_costs(&t);
    matching_cheapest(t.costs, t.count, t.mate);
    list_pairings(&t, out, bye);
    mem_free(t.seats);
    mem_free(t.costs);
    mem_free(t.mate);
}
