/* SPDX-License-Identifier: MIT
 *
 * Sets of two and more changes are built of changes that were seen to help, assuming that their effects on
 * the log-odds add up; the race shows whether they do. Where no single change shows any effect (one side wins
 * every game all the same) that says little, so some sets are drawn at random.
 */
#include "evolve/mend_sets.h"

#include <math.h>
#include <string.h>

enum { DRAWS_MAX = 200 }; /* attempts to draw sets at random */

static double expected_distance(const struct mend_sets *s, double effect) {
    return fabs(effect - s->goal);
}

bool mend_set_join(const struct mend_sets *s, const struct mend_set *set, int change, struct mend_set *out) {
    *out = *set;
    for (int i = 0; i < set->count; i++)
        if (set->changes[i] == change ||
            mend_changes_clash(&s->list->items[set->changes[i]], &s->list->items[change]))
            return false;
    int place = out->count++;
    for (; place > 0 && out->changes[place - 1] > change; place--)
        out->changes[place] = out->changes[place - 1];
    out->changes[place] = change;
    return true;
}

static bool has_set(const struct mend_set *sets, int count, const struct mend_set *set) {
    for (int i = 0; i < count; i++)
        if (sets[i].count == set->count &&
            memcmp(sets[i].changes, set->changes, (size_t)set->count * sizeof set->changes[0]) == 0)
            return true;
    return false;
}

/* Keeps the MEND_JOINED_MAX sets that are expected to be nearest the middle, nearest first. */
static void insert_set(const struct mend_sets *s, const struct mend_set *set, struct mend_set *sets,
                       int *count) {
    if (has_set(sets, *count, set))
        return;
    const double away = expected_distance(s, set->effect);
    int place = *count < MEND_JOINED_MAX ? (*count)++ : MEND_JOINED_MAX;
    for (; place > 0 && expected_distance(s, sets[place - 1].effect) > away; place--)
        if (place < MEND_JOINED_MAX)
            sets[place] = sets[place - 1];
    if (place < MEND_JOINED_MAX)
        sets[place] = *set;
}

/* Only what is expected to be better than its part. */
static void try_joining(const struct mend_sets *s, const struct mend_set *a, const struct mend_set *b,
                        struct mend_set *sets, int *count) {
    const double effect = a->effect + b->effect;
    struct mend_set joined;
    if (expected_distance(s, effect) >= expected_distance(s, a->effect) ||
        !mend_set_join(s, a, b->changes[0], &joined))
        return;
    joined.cost = a->cost + b->cost;
    joined.effect = effect;
    insert_set(s, &joined, sets, count);
}

/* ---- sets drawn at random ---- */

/* A change of that cost, rather one that works against the side that is ahead than one of which nobody knows;
 * -1 when there is neither. */
static int draw_change(const struct mend_sets *s, int cost, struct rng *r) {
    int begin = 0, known, end;
    while (begin < s->list->count && s->list->items[begin].cost < cost)
        begin++;
    for (known = begin; known < s->list->count && s->list->items[known].cost == cost; known++)
        if (s->list->items[known].rank > 0)
            break;
    for (end = known; end < s->list->count && s->list->items[end].cost == cost; end++)
        if (s->list->items[end].rank > 1)
            break;
    const bool prefer = known > begin && (known == end || rng_below(r, 4) > 0);
    const int from = prefer ? begin : known, to = prefer ? known : end;
    return to > from ? from + (int)rng_below(r, (uint32_t)(to - from)) : -1;
}

/* Two changes at least, the last one costing just what is left. */
static bool draw_set(const struct mend_sets *s, int cost, struct rng *r, struct mend_set *out) {
    const int wanted = 2 + (int)rng_below(r, (uint32_t)s->changes_max - 1);
    *out = (struct mend_set){0};
    for (int left = cost; out->count < wanted && left > 0; left = cost - out->cost) {
        const bool last = out->count == wanted - 1;
        const int part = last ? left : 1 + (int)rng_below(r, (uint32_t)left);
        const int change = draw_change(s, part, r);
        struct mend_set joined;
        if (change < 0 || !mend_set_join(s, out, change, &joined))
            return false;
        *out = joined;
        out->cost += part;
    }
    return out->count >= 2 && out->cost == cost;
}

static void draw_sets(const struct mend_sets *s, int cost, struct mend_set *sets, int *count) {
    struct rng r;
    const int most = *count + MEND_DRAWN_MAX, draws = cost > 1 && s->changes_max > 1 ? DRAWS_MAX : 0;
    rng_seed_stream(&r, s->seed, (uint64_t)cost);
    for (int i = 0; i < draws && *count < most; i++) {
        struct mend_set set;
        if (draw_set(s, cost, &r, &set) && !has_set(sets, *count, &set))
            sets[(*count)++] = set;
    }
}

/* ---- the whole ---- */

int mend_sets_build(const struct mend_sets *sets, int cost, struct mend_set *out) {
    int count = 0;
    for (int i = 0; i < sets->kept_count; i++)
        for (int k = 0; k < sets->kept_count; k++) {
            const struct mend_set *a = &sets->kept[i], *b = &sets->kept[k];
            if (b->count == 1 && a->count < sets->changes_max && a->cost + b->cost == cost)
                try_joining(sets, a, b, out, &count);
        }
    draw_sets(sets, cost, out, &count);
    return count;
}

void mend_sets_note(struct mend_sets *sets, const struct mend_set *set, bool helps) {
    int at = 0;
    while (at < sets->kept_count && !has_set(&sets->kept[at], 1, set))
        at++;
    if (at == sets->kept_count && (!helps || at == MEND_KEPT_MAX))
        return;
    sets->kept_count += at == sets->kept_count;
    sets->kept[at] = *set;
}
