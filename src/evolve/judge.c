/* SPDX-License-Identifier: MIT
 *
 * Whoever looks at an interval again and again, and stops when he likes it, stops a little too early: results
 * that happen to look lopsided have narrow intervals. So there are few looks: a round of games at least
 * halves what is missing of the widest interval, or goes straight to the end when that is near, and there is
 * a least number of games. tests/judge_test.c measures what is left of the 95 %.
 */
#include "evolve/judge.h"

#include "base/mem.h"

#include <assert.h>
#include <math.h>

/* Games of one call of the evaluator, about: what is lost when it is stopped. */
enum { PORTION_GAMES = 500 };

double judge_margin(const struct share *share) {
    return (share->interval.high - share->interval.low) / 2;
}

bool judge_is_tight(const struct judgement *j, const struct judge_limits *limits) {
    const struct share strength = judgement_strength(j), red = judgement_red(j);
    return judgement_contests(j) > 0 && tally_games(&j->peers) > 0 &&
           judgement_games(j) >= limits->games_min && judge_margin(&strength) <= limits->width &&
           judge_margin(&red) <= limits->width;
}

/* How many more of n games bring a margin down to the goal: errors shrink with the square root of n. */
static int games_missing(double margin, double goal, int n) {
    if (margin <= goal)
        return 0;
    const double more = n * (margin * margin / (goal * goal) - 1);
    return JUDGE_BATCH * (int)ceil(fmin(fmax(more, 1), n) / JUDGE_BATCH);
}

/* When that is more than what is left both are cut alike. */
static struct judge_wish within(struct judge_wish wish, int left) {
    const int sum = wish.contests + wish.peers;
    if (sum <= left)
        return wish;
    const int contests = (int)((int64_t)left * wish.contests / sum);
    const int peers = left - contests / 2 * 2;
    return (struct judge_wish){contests / 2 * 2, peers < wish.peers ? peers : wish.peers};
}

struct judge_wish judge_next(const struct judgement *j, const struct judge_limits *limits) {
    assert(limits->width > 0);
    const int contests = judgement_contests(j), peers = tally_games(&j->peers);
    const int left = limits->games_max > contests + peers ? limits->games_max - contests - peers : 0;
    if (judge_is_tight(j, limits))
        return (struct judge_wish){0, 0};
    const int min = limits->games_min > 2 * JUDGE_BATCH ? limits->games_min : 2 * JUDGE_BATCH;
    const int half = (min + 3) / 4 * 2; /* of the first games: even */
    if (contests < half || peers < half)
        return within(
            (struct judge_wish){contests < half ? half - contests : 0, peers < half ? half - peers : 0},
            left);
    const struct share strength = judgement_strength(j), red = judgement_red(j);
    const double of_strength = judge_margin(&strength), of_red = judge_margin(&red);
    const double goal = fmax(limits->width, fmax(of_strength, of_red) * 0x1.6a09e667f3bcdp-1);
    const struct judge_wish wish = {games_missing(of_strength, goal, contests),
                                    games_missing(of_red, goal, peers)};
    return within(wish, left);
}

/* ---- many maps ---- */

/* What the maps from *next on want, until it is a portion; returns how many requests that are. */
static int gather(const struct judge_limits *limits, struct judge_subject *maps, int count, int *next,
                  struct request *list) {
    int requests = 0, games = 0;
    for (; *next < count && games < PORTION_GAMES; ++*next) {
        struct judge_subject *map = &maps[*next];
        const struct judge_wish wish = judge_next(&map->judgement, limits);
        const struct request of = {.id = map->id, .map = map->map, .into = &map->judgement};
        const int wanted[TRIAL_KINDS] = {wish.contests / 2, wish.contests / 2, wish.peers};
        requests += request_more(&of, wanted, &list[requests]);
        games += wish.contests + wish.peers;
    }
    return requests;
}

bool judge_maps(struct evaluator *evaluator, const struct judge_limits *limits, struct judge_subject *maps,
                int count, bool *complete, struct err *e) {
    struct request *list = mem_alloc(((size_t)count * TRIAL_KINDS + 1) * sizeof *list);
    if (list == NULL)
        return err_set(e, "not enough memory for %d maps", count);
    bool ok = true, any = true;
    *complete = true;
    while (ok && *complete && any) {
        any = false;
        for (int next = 0; ok && *complete && next < count;) {
            const int begin = next, requests = gather(limits, maps, count, &next, list);
            any = any || requests > 0;
            ok = requests == 0 || evaluator_play(evaluator, list, requests, complete, e);
            for (int i = begin; i < next; i++)
                maps[i].tight = judge_is_tight(&maps[i].judgement, limits);
        }
    }
    mem_free(list);
    return ok;
}
