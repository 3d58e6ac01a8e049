/* SPDX-License-Identifier: MIT
 *
 * The search for the smallest changes that bring a map into balance. Candidates (sets of changes) race
 * against each other: each plays a few games, then those that may still reach the target play twice as many,
 * and so on. Fresh games confirm what a race leaves.
 *
 * The search goes by cost. First all changes and sets of changes of cost 1, 2 and 3 race; these suffice for
 * nearly balanced maps. Then come large changes along rays (repair.h), which nearly always find a
 * sufficient change where there is one. Then the search tries cheaper ones, as far as the budget of games
 * goes. Where one side nearly always wins, the large changes come first. Sets of two and more changes combine
 * changes that helped; the search assumes that effects on the log-odds add up, and the race tests it.
 */
#include "evolve/repair.h"

#include "base/ln.h"
#include "base/mem.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    CONFIRM_MAX = 3,       /* how many of one race get fresh games */
    FRESH_FIRST = 1 << 20, /* games are numbered from here on when all before may have been used to choose */
    SMALL_COST = 3,        /* all costs up to this come before rays */
    RESERVE_SHARE = 3,     /* one part in this many of the budget is reserved for rays */
    RAY_GAMES = 6,         /* at each point of a ray */
    RAY_BISECTED = 8,      /* rays on which the crossing is looked for */
    RAY_ROUNDS = 3,
    FIRST_GAMES = 3,     /* of each in a race */
    ROUND_MAX = 4096,    /* candidates of one race */
    EXTRA_SURVIVORS = 8, /* those nearest the target, if they help at all, stay in the race a while even … */
    EXTRA_GAMES = 24,    /* … when they will not reach it: others are built on them, and the best must be
                            known in the end */
};

#define LOPSIDED 0.05 /* a score below it, or above its opposite: one side wins nearly always */

struct candidate {
    int id;
    struct repair_set set;
    struct tbs_map map;
    struct judgement judgement;
    bool is_tried; /* fresh games were asked for */
};

struct repair_search {
    const struct repair_run *run;
    const struct repair_options *options;
    struct repair_result *out;
    struct repair_changes list;
    double middle;  /* of the target */
    double base;    /* red's score at the start */
    double decided; /* the share of decided games that is required */
    int next_id;
    int ray_round; /* how often rays were drawn */
    int reserve;   /* games that races must leave */
    bool stopped;

    struct request *requests; /* room for ROUND_MAX */
    struct candidate *round;
    int round_capacity, count; /* candidates of this race; after it the best come first */
    int survived;

    struct repair_sets sets;
    struct candidate best; /* of all that are known well enough; set.count 0: the map as it is */
};

/* How many go on at most once candidates have had 3, 6, 12, 24, 48 games, and how wide the interval is that
 * must reach the target: many candidates are alike, so losing a good one early costs less than carrying all
 * the others. After 96 games the race is over. */
struct race_round {
    int survivors;
    double z;
};
static const struct race_round race_rounds[] = {{96, 1.28},      {48, 1.645},    {24, STATS_Z95},
                                                {12, STATS_Z95}, {6, STATS_Z95}, {4, STATS_Z95}};
enum { RACE_ROUNDS = sizeof race_rounds / sizeof race_rounds[0] };

/* ---- questions ---- */

/* The share of games between equals that are not drawn; 1 without games. */
static double decided_share(const struct judgement *j) {
    const int games = tally_games(&j->peers);
    return games > 0 ? 1 - (double)j->peers.draws / games : 1;
}

/* Red's score is in the target, and enough games are decided. */
static bool is_good(const struct repair_search *m, const struct judgement *j) {
    const double score = tally_score(&j->peers);
    return score >= m->options->low && score <= m->options->high && decided_share(j) >= m->decided;
}

/* How far from good: the score's distance from the middle, plus the share of decided games that is missing. A
 * draw is worth half, so by the score alone a map on which nothing happens would be the most balanced. */
static double distance(const struct repair_search *m, const struct judgement *j) {
    return fabs(tally_score(&j->peers) - m->middle) + fmax(m->decided - decided_share(j), 0);
}

static bool helps(const struct repair_search *m, const struct judgement *j) {
    return distance(m, j) < distance(m, &m->out->before);
}

/* Whether the intervals of that width allow a good map. */
static bool may_reach(const struct repair_search *m, const struct judgement *j, double z) {
    const int games = tally_games(&j->peers);
    const struct interval score = stats_wilson(tally_score(&j->peers), games, z);
    return score.low <= m->options->high && score.high >= m->options->low &&
           stats_wilson(decided_share(j), games, z).high >= m->decided;
}

/* Log-odds of a score in that many games, with half a game more on either side so that they are finite. */
static double log_odds(double score, int games) {
    return ln_of((score * games + 0.5) / ((1 - score) * games + 0.5));
}

/* Games that judging one map takes: before, and once more at the end. */
static int judgement_price(int games_sure) {
    return games_sure + 2 * (games_sure / 4);
}

/* Games the search may still use. */
static int games_left(const struct repair_search *m) {
    return m->options->games_max - m->out->games - judgement_price(m->options->games_sure);
}

/* Games its races may use; the rest confirms what they find. */
static int games_for_races(const struct repair_search *m) {
    return games_left(m) - m->options->games_sure - m->reserve;
}

/* ---- games ---- */

static bool play(struct repair_search *m, int count, struct err *e) {
    int games = 0;
    for (int i = 0; i < count; i++)
        games += m->requests[i].count;
    bool complete;
    if (!evaluator_play(m->run->evaluator, m->requests, count, &complete, e))
        return false;
    m->stopped = !complete;
    m->out->games += games;
    return complete;
}

/* So many games of each kind on one map, numbered on from `first`. False also when it was stopped. */
static bool play_on(struct repair_search *m, const struct candidate *c, int first,
                    const int games[SAMPLE_KINDS], struct judgement *into, struct err *e) {
    const struct request of = {.id = c->id, .map = &c->map, .first = first, .into = into};
    return play(m, request_more(&of, games, m->requests), e);
}

/* `games` more of peers for each candidate from `from` up to `to`. False also when it was stopped. */
static bool play_peers(struct repair_search *m, int from, int to, int games, struct err *e) {
    int count = 0;
    for (int i = from; i < to; i++) {
        struct candidate *c = &m->round[i];
        const struct request of = {.id = c->id, .map = &c->map, .into = &c->judgement};
        count += request_more(&of, (int[SAMPLE_KINDS]){[SAMPLE_PEERS] = games}, &m->requests[count]);
    }
    return play(m, count, e);
}

/* ---- candidates ---- */

/* A set that is not possible on this map is left out. */
static void add_candidate(struct repair_search *m, const struct repair_set *set) {
    m->round = mem_grow(m->round, &m->round_capacity, m->count + 1, sizeof *m->round);
    struct candidate *c = &m->round[m->count];
    *c = (struct candidate){.id = m->next_id, .set = *set, .map = *m->run->map};
    for (int i = 0; i < set->count; i++)
        if (!repair_change_apply(&m->list.items[set->changes[i]], &c->map))
            return;
    m->next_id++;
    m->count++;
}

/* Records the effect of a candidate: for sets that are built on it, and whether it is the best of all. */
static void remember(struct repair_search *m, const struct candidate *c) {
    const struct judgement *best = m->best.set.count > 0 ? &m->best.judgement : &m->out->before;
    const int games = tally_games(&c->judgement.peers);
    struct repair_set set = c->set;
    /* On the log-odds. The base is taken as this many games would have shown it: otherwise 24 wins of 24
     * would look worse than 200 of 200. */
    set.effect = log_odds(tally_score(&c->judgement.peers), games) - log_odds(m->base, games);
    repair_sets_note(&m->sets, &set, helps(m, &c->judgement));
    if (c->id == m->best.id || distance(m, &c->judgement) < distance(m, best))
        m->best = *c;
}

/* ---- the race ---- */

/* The nearest first; ids break ties, so the order does not depend on the sorting algorithm. */
struct place {
    double distance;
    int id, index;
};

static int by_distance(const void *left, const void *right) {
    const struct place *a = left, *b = right;
    if (a->distance < b->distance || a->distance > b->distance)
        return a->distance < b->distance ? -1 : 1;
    return a->id < b->id ? -1 : 1;
}

/* The nearest candidates survive, as many as the table allows. One that will not reach the target survives
 * only while it is among the first few and has had few games. Candidates are large: their places are sorted,
 * and only the first of them are copied. */
static void cut(struct repair_search *m, int round) {
    const struct race_round *rule = &race_rounds[round];
    const int wanted = m->survived < rule->survivors ? m->survived : rule->survivors;
    struct place *places = mem_alloc((size_t)m->survived * sizeof *places + 1);
    struct candidate *sorted = mem_alloc((size_t)wanted * sizeof *sorted + 1);
    for (int i = 0; i < m->survived; i++)
        places[i] = (struct place){distance(m, &m->round[i].judgement), m->round[i].id, i};
    qsort(places, (size_t)m->survived, sizeof *places, by_distance);
    for (int i = 0; i < wanted; i++)
        sorted[i] = m->round[places[i].index];
    m->survived = 0;
    for (int i = 0; i < wanted; i++) {
        const struct judgement *j = &sorted[i].judgement;
        const int games = tally_games(&j->peers);
        const bool wants_more = i < EXTRA_SURVIVORS && games < EXTRA_GAMES && helps(m, j);
        if (i < EXTRA_SURVIVORS && games >= EXTRA_GAMES)
            remember(m, &sorted[i]);
        if (may_reach(m, j, rule->z) || wants_more)
            m->round[m->survived++] = sorted[i];
    }
    mem_free(places);
    mem_free(sorted);
}

/* After it, `survived` candidates are left, the nearest first. It ends early when there are no games left for
 * it. All of them have had that many games already: 0, 3, 6 or 12. */
static bool race(struct repair_search *m, int had, struct err *e) {
    int round = 0, games = 0;
    for (; games < had; round++)
        games += games == 0 ? FIRST_GAMES : games;
    if (round > 0)
        cut(m, round - 1);
    for (; round < RACE_ROUNDS && m->survived > 0; round++) {
        const int more = games == 0 ? FIRST_GAMES : games;
        const int affordable = games_for_races(m) / more;
        if (affordable < 1)
            break;
        m->survived = m->survived < affordable ? m->survived : affordable;
        if (!play_peers(m, 0, m->survived, more, e))
            return false;
        cut(m, round);
        games += more;
    }
    return true;
}

int repair_games_least(int games_sure) {
    return 2 * judgement_price(games_sure) + 2 * games_sure;
}

/* ---- confirming ---- */

static void describe(struct repair_search *m, const struct candidate *c) {
    struct repair_result *out = m->out;
    struct tbs_map map = *m->run->map;
    for (int i = 0; i < c->set.count; i++) {
        const struct repair_change *change = &m->list.items[c->set.changes[i]];
        repair_change_describe(change, &map, out->changes[i], sizeof out->changes[i]);
        repair_change_apply(change, &map);
    }
    out->map = map;
    out->change_count = c->set.count;
    out->cost = c->set.cost;
}

static bool play_contests(struct repair_search *m, const struct candidate *c, struct err *e) {
    const int side = m->options->games_sure / 4;
    return play_on(m, c, 0, (int[SAMPLE_KINDS]){side, side, 0}, &m->out->after, e);
}

/* Fresh games for one candidate. If they are good too, the candidate is the result. In two halves: a
 * candidate that cannot reach the target after the first does not play the second. */
static bool confirm(struct repair_search *m, struct candidate *c, bool *held, struct err *e) {
    const int first = tally_games(&c->judgement.peers), all = m->options->games_sure;
    struct judgement fresh = {0};
    if (!play_on(m, c, first, (int[SAMPLE_KINDS]){[SAMPLE_PEERS] = all / 2}, &fresh, e) ||
        (may_reach(m, &fresh, STATS_Z95) &&
         !play_on(m, c, first, (int[SAMPLE_KINDS]){[SAMPLE_PEERS] = all - all / 2}, &fresh, e)))
        return false;
    *held = tally_games(&fresh.peers) == all && is_good(m, &fresh);
    if (!*held) {
        judgement_sum(&c->judgement, &fresh);
        remember(m, c);
        return true;
    }
    m->out->found = true;
    m->out->after = fresh;
    describe(m, c);
    return play_contests(m, c, e);
}

/* Of two good ones the cheaper is better, then the livelier: ten points more of decided games are worth ten
 * points of balance. */
static bool is_better(const struct repair_search *m, const struct candidate *a, const struct candidate *b) {
    if (a->set.cost != b->set.cost)
        return a->set.cost < b->set.cost;
    return decided_share(&a->judgement) - distance(m, &a->judgement) >
           decided_share(&b->judgement) - distance(m, &b->judgement);
}

/* Asks for fresh games of those that seem good, the best first. */
static bool confirm_survivors(struct repair_search *m, bool *held, struct err *e) {
    for (int i = 0; i < CONFIRM_MAX && !*held && games_left(m) >= m->options->games_sure; i++) {
        struct candidate *best = NULL;
        int alike = 0; /* that seem good at that cost */
        for (struct candidate *c = m->round; c < m->round + m->survived; c++)
            if (!c->is_tried && is_good(m, &c->judgement) && (best == NULL || is_better(m, c, best)))
                best = c;
        if (best == NULL)
            return true;
        for (int k = 0; k < m->survived; k++)
            alike += m->round[k].set.cost == best->set.cost && is_good(m, &m->round[k].judgement);
        best->is_tried = true;
        if (!confirm(m, best, held, e))
            return false;
        if (*held)
            m->out->alike = alike;
    }
    return true;
}

/* No candidate was confirmed: takes the best that was seen, with fresh games, which may still find it good.
 */
static bool take_best_seen(struct repair_search *m, struct err *e) {
    const struct candidate *c = &m->best;
    const int games[SAMPLE_KINDS] = {[SAMPLE_PEERS] = m->options->games_sure};
    describe(m, c);
    if (c->set.count == 0) {
        m->out->after = m->out->before;
        return true;
    }
    if (!play_on(m, c, FRESH_FIRST, games, &m->out->after, e))
        return false;
    m->out->found = is_good(m, &m->out->after);
    return play_contests(m, c, e);
}

/* ---- all of one cost ---- */

static void notify(const struct repair_search *m, int cost) {
    if (m->count > 0 && m->run->on_round != NULL)
        m->run->on_round(m->run->context, cost, m->count, m->out->games);
}

/* *held: a candidate of that cost was confirmed. Without games left nothing is tried. The first games of all
 * candidates may take half of the games left. Sets are few and come first. */
static bool try_cost(struct repair_search *m, int cost, bool *held, struct err *e) {
    const int affordable = games_for_races(m) / (2 * FIRST_GAMES);
    const int room = affordable < ROUND_MAX ? affordable : ROUND_MAX;
    *held = false;
    if (games_for_races(m) < FIRST_GAMES)
        return true;
    struct repair_set sets[REPAIR_SETS_MAX];
    const int count = repair_sets_build(&m->sets, cost, sets);
    m->count = 0;
    for (int i = 0; i < count && m->count < room; i++)
        add_candidate(m, &sets[i]);
    for (int i = 0; i < m->list.count && m->list.items[i].cost <= cost && m->count < room; i++)
        if (m->list.items[i].cost == cost)
            add_candidate(m, &(struct repair_set){.count = 1, .cost = cost, .changes = {i}});
    m->survived = m->count;
    m->out->candidates += m->count;
    notify(m, cost);
    return race(m, 0, e) && confirm_survivors(m, held, e);
}

/* ---- rays ---- */

/* Where on a ray the score crosses the middle: beyond `low`, at the latest at `high`. */
struct crossing {
    struct repair_ray ray;
    int low, high;
    int candidate; /* in m->round, that was asked last */
};

/* Whether the side that was ahead is no longer ahead. */
static bool has_crossed(const struct repair_search *m, const struct judgement *j) {
    const double score = tally_score(&j->peers);
    return m->base > m->middle ? score <= m->options->high : score >= m->options->low;
}

/* False when the point cannot be made. */
static bool ask_at(struct repair_search *m, struct crossing *c, int cost) {
    struct repair_set set;
    const int before = m->count;
    repair_ray_at(&m->sets, &c->ray, cost, &set);
    add_candidate(m, &set);
    c->candidate = m->count > before ? before : -1;
    return m->count > before;
}

/* The ends of rays, at most of cost `most`; those that suffice are put first, the cheapest of them (those
 * that cost the same stay in their order). Returns how many, -1 on failure. */
static int find_crossings(struct repair_search *m, int most, struct crossing *list, struct err *e) {
    struct repair_ray rays[REPAIR_RAYS_MAX];
    const int count = repair_rays_draw(&m->sets, m->ray_round, rays);
    int asked = 0, crossed = 0;
    m->count = 0;
    for (int i = 0; i < count; i++) {
        const int end = repair_ray_cost(&rays[i]);
        struct crossing c = {rays[i], rays[i].base.cost, end < most ? end : most, -1};
        if (c.high > c.low && ask_at(m, &c, c.high))
            list[asked++] = c;
    }
    notify(m, REPAIR_LARGE);
    if (!play_peers(m, 0, m->count, RAY_GAMES, e))
        return -1;
    for (int i = 0; i < asked; i++) {
        const struct crossing moved = list[i];
        if (!has_crossed(m, &m->round[moved.candidate].judgement))
            continue;
        int place = crossed++;
        for (; place > 0 && list[place - 1].high > moved.high; place--)
            list[place] = list[place - 1];
        list[place] = moved;
    }
    return crossed < RAY_BISECTED ? crossed : RAY_BISECTED;
}

/* Halves all of them at once. *halved: how many there still were to halve. */
static bool halve(struct repair_search *m, struct crossing *list, int count, int *halved, struct err *e) {
    const int from = m->count;
    *halved = 0;
    for (int i = 0; i < count; i++) {
        struct crossing *c = &list[i];
        c->candidate = -1;
        if (c->high - c->low >= 2 && !ask_at(m, c, (c->low + c->high) / 2))
            c->low = c->high;
    }
    if (!play_peers(m, from, m->count, RAY_GAMES, e))
        return false;
    for (int i = 0; i < count; i++) {
        struct crossing *c = &list[i];
        if (c->candidate < 0)
            continue;
        const int cost = m->round[c->candidate].set.cost;
        *(has_crossed(m, &m->round[c->candidate].judgement) ? &c->high : &c->low) = cost;
        ++*halved;
    }
    return true;
}

/* All candidates on the rays race; those far from the target leave at once. */
static bool try_rays(struct repair_search *m, int most, struct err *e) {
    struct crossing list[REPAIR_RAYS_MAX];
    bool held = false;
    if (games_for_races(m) < 2 * REPAIR_RAYS_MAX * RAY_GAMES)
        return true;
    const int crossed = find_crossings(m, most, list, e);
    if (crossed < 0)
        return false;
    m->out->out_of_reach = m->ray_round == 0 && crossed == 0 && m->count > 0;
    for (int halved = crossed; halved > 0 && games_for_races(m) >= RAY_BISECTED * RAY_GAMES;)
        if (!halve(m, list, crossed, &halved, e))
            return false;
    m->survived = m->count;
    m->out->candidates += m->count;
    return race(m, RAY_GAMES, e) && confirm_survivors(m, &held, e);
}

/* ---- the search ---- */

/* 1, 2, 3, 5, 9, 17, …: a map that is far from its target would use up the budget on changes that are much
 * too small. What was jumped over is tried later. */
static int next_jump(int cost) {
    return cost < SMALL_COST ? cost + 1 : 2 * cost - 1;
}

static bool is_jump(int cost) {
    int jump = 1;
    while (jump < cost)
        jump = next_jump(jump);
    return jump == cost;
}

static int cost_max(const struct repair_search *m) {
    return m->list.count > 0 ? m->list.items[m->list.count - 1].cost * m->options->changes_max : 0;
}

/* Finds a change that suffices and then, unless only the first is needed, a cheaper one. */
static bool search_rays(struct repair_search *m, bool only_first, struct err *e) {
    for (; m->ray_round < RAY_ROUNDS && !m->out->out_of_reach; m->ray_round++) {
        const int most = m->out->found ? m->out->cost - 1 : cost_max(m);
        if (most <= SMALL_COST || (only_first && m->out->found))
            break;
        if (!try_rays(m, most, e))
            return false;
    }
    return true;
}

/* Sets of middle cost. When a sufficient one is known, only cheaper ones, the cheapest first; otherwise in
 * jumps first, and then the costs between. */
static bool search_sets(struct repair_search *m, struct err *e) {
    const bool jumps = !m->out->found;
    int from = SMALL_COST + 1, end = jumps ? cost_max(m) + 1 : m->out->cost;
    bool held = false;
    for (int cost = next_jump(SMALL_COST), failed = SMALL_COST; jumps && cost < end; cost = next_jump(cost)) {
        if (!try_cost(m, cost, &held, e))
            return false;
        if (held) {
            from = failed + 1;
            end = cost;
        }
        failed = cost;
    }
    held = false;
    for (int cost = from; cost < end && !held; cost++)
        if (!(jumps && is_jump(cost)) && !try_cost(m, cost, &held, e))
            return false;
    return true;
}

/* Where one side wins nearly always, hardly any small change shows whether it helps. Then large changes come
 * first: they show early whether any change can suffice. */
static bool search(struct repair_search *m, struct err *e) {
    const bool is_lopsided = m->base < LOPSIDED || m->base > 1 - LOPSIDED;
    bool held = false;
    if (is_lopsided && !search_rays(m, true, e))
        return false;
    m->reserve = (m->options->kinds & 1 << REPAIR_HP) != 0 ? games_for_races(m) / RESERVE_SHARE : 0;
    for (int cost = 1; cost <= SMALL_COST && !held; cost++)
        if (!try_cost(m, cost, &held, e))
            return false;
    m->reserve = 0;
    if (!held && !search_rays(m, false, e))
        return false;
    /* Where not even the largest changes suffice and no small one helps there is nothing to build on. */
    const bool hopeless = m->out->out_of_reach && m->sets.known_count == 0;
    if (!held && !hopeless && !search_sets(m, e))
        return false;
    const bool ok = m->out->found || take_best_seen(m, e);
    m->out->out_of_reach = m->out->out_of_reach && !m->out->found;
    return ok;
}

/* ---- the whole ---- */

static bool repair(struct repair_search *m, struct err *e) {
    const int games = m->options->games_sure;
    m->best = (struct candidate){.id = m->next_id++, .map = *m->run->map};
    if (!play_on(m, &m->best, 0, (int[SAMPLE_KINDS]){games / 4, games / 4, games}, &m->out->before, e))
        return false;
    m->middle = (m->options->low + m->options->high) / 2;
    m->base = tally_score(&m->out->before.peers);
    m->decided = fmin(decided_share(&m->out->before), m->options->decided);
    if (is_good(m, &m->out->before)) {
        m->out->was_good = m->out->found = true;
        m->out->map = *m->run->map;
        m->out->after = m->out->before;
        return true;
    }
    const int ahead = m->base > m->middle ? TBS_RED : TBS_BLUE;
    repair_changes_list(m->run->map, m->options->kinds, ahead, m->run->seed, &m->list);
    m->sets = (struct repair_sets){.list = &m->list,
                                   .changes_max = m->options->changes_max,
                                   .seed = m->run->seed,
                                   .goal = log_odds(m->middle, games) - log_odds(m->base, games)};
    return search(m, e);
}

bool repair_check(const struct tbs_map *map, struct err *e) {
    struct tbs_problems problems = {0};
    tbs_map_check(map, &problems);
    return problems.count == 0 ||
           err_set(e, "only a map without problems can be mended, and %s", problems.items[0].text);
}

static bool check_options(const struct repair_options *o, struct err *e) {
    if (!(o->low >= 0) || !(o->high <= 1) || !(o->low < o->high))
        return err_set(e, "the target is %g to %g; expected two numbers in 0 to 1, the lower one first",
                       o->low, o->high);
    if (!(o->decided >= 0) || !(o->decided <= 1))
        return err_set(e, "%g of the games decided; expected 0 to 1", o->decided);
    if ((o->kinds & REPAIR_ALL) == 0)
        return err_set(e, "no kind of change is allowed");
    if (o->changes_max < 1 || o->changes_max > REPAIR_CHANGES_MAX)
        return err_set(e, "at most %d changes; expected 1 to %d", o->changes_max, REPAIR_CHANGES_MAX);
    if (o->games_sure < REPAIR_SURE_MIN)
        return err_set(e, "%d games to be sure; expected at least %d", o->games_sure, REPAIR_SURE_MIN);
    return o->games_max >= repair_games_least(o->games_sure) ||
           err_set(e, "a budget of %d games is too small; to be sure with %d it takes at least %d",
                   o->games_max, o->games_sure, repair_games_least(o->games_sure));
}

bool repair_map(const struct repair_run *run, struct repair_result *out, bool *complete, struct err *e) {
    *out = (struct repair_result){0};
    *complete = true;
    if (!repair_check(run->map, e) || !check_options(run->options, e))
        return false;
    struct repair_search *m = mem_alloc(sizeof *m);
    *m = (struct repair_search){.run = run,
                                .options = run->options,
                                .out = out,
                                .requests = mem_alloc(ROUND_MAX * sizeof *m->requests)};
    const bool ok = repair(m, e) || m->stopped;
    *complete = !m->stopped;
    repair_changes_done(&m->list);
    mem_free(m->round);
    mem_free(m->requests);
    mem_free(m);
    return ok;
}
