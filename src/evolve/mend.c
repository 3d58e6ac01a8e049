/* SPDX-License-Identifier: MIT
 *
 * The search goes by cost: all changes (and sets of changes) of cost 1, then those of cost 2, and so on (with
 * jumps, see next_jump), so that what holds in the end is one of the smallest. Those of one cost race: a few
 * games each, then twice as many for those whose interval still reaches the target, ever fewer of them. What
 * the race leaves is believed only after fresh games.
 *
 * Sets of two and more changes are built of changes that were seen to help, assuming that their effects on
 * the log-odds add up; the race shows whether they do. Where no single change shows any effect (one side wins
 * every game all the same) that says little, so some sets are drawn at random.
 */
#include "evolve/mend.h"

#include "base/ln.h"
#include "base/mem.h"
#include "evolve/mend_sets.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    FIRST_GAMES = 3,  /* of each in a race */
    ROUND_MAX = 4096, /* candidates of one cost */
    KEPT_A_COST = 8, /* those nearest the target stay in the race a while even when they will not reach it: */
    KEPT_GAMES = 24, /* others are built on them, and the best must be known when nothing is found */
    CONFIRM_MAX = 3, /* how many of one cost get fresh games before the next cost */
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
enum {
    RACE_ROUNDS = sizeof race_rounds / sizeof race_rounds[0],
    RACE_GAMES = FIRST_GAMES << (RACE_ROUNDS - 1),
};

struct candidate {
    int id;
    struct mend_set set;
    struct tbs_map map;
    struct judgement judgement;
};

struct mender {
    const struct mend_run *run;
    const struct mend_options *options;
    struct mend_result *out;
    struct mend_changes list;
    double base; /* red's score at the start */
    int next_id;
    bool stopped;

    struct request *requests;
    struct candidate *round;
    int round_capacity, count; /* candidates of this cost; after the race the best come first */
    int survived;

    struct mend_sets sets;
    struct candidate best; /* of all that had KEPT_GAMES; set.count 0: the map as it is */
};

/* ---- small questions ---- */

static double score_of(const struct judgement *j) {
    return tally_score(&j->peers);
}

static double middle(const struct mender *m) {
    return (m->options->low + m->options->high) / 2;
}

static double distance(const struct mender *m, double score) {
    return fabs(score - middle(m));
}

static bool is_good(const struct mender *m, double score) {
    return score >= m->options->low && score <= m->options->high;
}

static bool still_reaches(const struct mender *m, const struct judgement *j, double z) {
    const struct interval i = stats_wilson(score_of(j), tally_games(&j->peers), z);
    return i.low <= m->options->high && i.high >= m->options->low;
}

/* Log-odds of a score in that many games, half a game more on either side so that they are finite. */
static double log_odds(double score, int games) {
    return ln_of((score * games + 0.5) / ((1 - score) * games + 0.5));
}

/* What a candidate does to the log-odds. The base as so many games would have shown it: otherwise 24 wins of
 * 24 would look worse than 200 of 200. */
static double effect_of(const struct mender *m, const struct judgement *j) {
    const int games = tally_games(&j->peers);
    return log_odds(score_of(j), games) - log_odds(m->base, games);
}

static int contests_a_side(int games_sure) {
    return games_sure / 4;
}

/* What one map's judgement takes: before, and once more at the end. */
static int judgement_price(int games_sure) {
    return games_sure + 2 * contests_a_side(games_sure);
}

int mend_games_least(int games_sure) {
    return 2 * judgement_price(games_sure) + 2 * games_sure;
}

/* What the search may still use. */
static int games_left(const struct mender *m) {
    return m->options->games_max - m->out->games - judgement_price(m->options->games_sure);
}

/* The same, less what it takes to confirm something. */
static int games_for_races(const struct mender *m) {
    return games_left(m) - m->options->games_sure;
}

/* ---- games ---- */

/* False also when it was stopped. */
static bool play(struct mender *m, int count, struct err *e) {
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

/* Games of peers for one map, from its number `first` on. */
static bool play_peers(struct mender *m, const struct candidate *c, int first, struct judgement *into,
                       struct err *e) {
    m->requests[0] = (struct request){.id = c->id,
                                      .map = &c->map,
                                      .kind = TRIAL_PEERS,
                                      .first = first,
                                      .count = m->options->games_sure,
                                      .into = into};
    return play(m, 1, e);
}

static bool play_contests(struct mender *m, const struct candidate *c, struct judgement *into,
                          struct err *e) {
    static const enum trial_kind kinds[] = {TRIAL_STRONG_RED, TRIAL_STRONG_BLUE};
    for (int i = 0; i < 2; i++)
        m->requests[i] = (struct request){.id = c->id,
                                          .map = &c->map,
                                          .kind = kinds[i],
                                          .count = contests_a_side(m->options->games_sure),
                                          .into = into};
    return play(m, 2, e);
}

/* ---- candidates of one cost ---- */

static bool make_room(struct mender *m, struct err *e) {
    if (m->count < m->round_capacity)
        return true;
    const int capacity = m->round_capacity > 0 ? 2 * m->round_capacity : 64;
    void *grown = mem_resize(m->round, (size_t)capacity * sizeof *m->round);
    if (grown == NULL)
        return err_set(e, "not enough memory for the candidates");
    m->round = grown;
    m->round_capacity = capacity;
    return true;
}

/* A set that is not possible on this map is left out. */
static bool add_candidate(struct mender *m, const struct mend_set *set, struct err *e) {
    if (!make_room(m, e))
        return false;
    struct candidate *c = &m->round[m->count];
    *c = (struct candidate){.id = m->next_id, .set = *set, .map = *m->run->map};
    for (int i = 0; i < set->count; i++)
        if (!mend_change_apply(&m->list.items[set->changes[i]], &c->map))
            return true;
    m->next_id++;
    m->count++;
    return true;
}

static bool add_singles(struct mender *m, int cost, int room, struct err *e) {
    bool ok = true;
    for (int i = 0; ok && i < m->list.count && m->list.items[i].cost <= cost && m->count < room; i++)
        if (m->list.items[i].cost == cost)
            ok = add_candidate(m, &(struct mend_set){.count = 1, .cost = cost, .changes = {i}}, e);
    return ok;
}

static bool add_sets(struct mender *m, int cost, int room, struct err *e) {
    struct mend_set sets[MEND_SETS_MAX];
    const int count = mend_sets_build(&m->sets, cost, sets);
    bool ok = true;
    for (int i = 0; ok && i < count && m->count < room; i++)
        ok = add_candidate(m, &sets[i], e);
    return ok;
}

/* The first games of all of them may take half of what is left. Sets are few and come first. */
static bool gather(struct mender *m, int cost, struct err *e) {
    const int affordable = games_for_races(m) / (2 * FIRST_GAMES);
    const int room = affordable < ROUND_MAX ? affordable : ROUND_MAX;
    m->count = 0;
    if (!add_sets(m, cost, room, e) || !add_singles(m, cost, room, e))
        return false;
    m->survived = m->count;
    m->out->candidates += m->count;
    return true;
}

/* ---- the race ---- */

/* The nearest to the middle first; nobody's place depends on how the sorting is done. */
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

/* Candidates are large: sorts their places, then takes the ones at the head to the front. */
static bool sort_survivors(struct mender *m, int wanted, struct err *e) {
    struct place *places = mem_alloc((size_t)m->survived * sizeof *places + 1);
    struct candidate *sorted = mem_alloc((size_t)wanted * sizeof *sorted + 1);
    const bool ok = (places != NULL && sorted != NULL) || err_set(e, "not enough memory to sort candidates");
    for (int i = 0; ok && i < m->survived; i++) {
        const struct candidate *c = &m->round[i];
        places[i] = (struct place){distance(m, score_of(&c->judgement)), c->id, i};
    }
    if (ok && m->survived > 0) {
        qsort(places, (size_t)m->survived, sizeof *places, by_distance);
        for (int i = 0; i < wanted; i++)
            sorted[i] = m->round[places[i].index];
        memcpy(m->round, sorted, (size_t)wanted * sizeof *sorted);
    }
    mem_free(places);
    mem_free(sorted);
    return ok;
}

/* What is worth building on, and the best of all; called again when more is known about a candidate. */
static void remember(struct mender *m, const struct candidate *c) {
    const double away = distance(m, score_of(&c->judgement));
    struct mend_set set = c->set;
    set.effect = effect_of(m, &c->judgement);
    mend_sets_note(&m->sets, &set, away < distance(m, m->base));
    const double best = m->best.set.count > 0 ? score_of(&m->best.judgement) : m->base;
    if (c->id == m->best.id || away < distance(m, best))
        m->best = *c;
}

/* Those nearest the middle, as many as the table says; those that will not reach the target only while they
 * are among the first few and little is known about them. */
static bool cut(struct mender *m, int round, struct err *e) {
    const struct race_round *rule = &race_rounds[round];
    const int wanted = m->survived < rule->survivors ? m->survived : rule->survivors;
    if (!sort_survivors(m, wanted, e))
        return false;
    int left = 0;
    for (int i = 0; i < wanted; i++) {
        const struct judgement *j = &m->round[i].judgement;
        const int games = tally_games(&j->peers);
        const bool wants_more = i < KEPT_A_COST && games < KEPT_GAMES;
        if (i < KEPT_A_COST && games >= KEPT_GAMES)
            remember(m, &m->round[i]);
        if (still_reaches(m, j, rule->z) || wants_more) {
            if (left < i)
                m->round[left] = m->round[i];
            left++;
        }
    }
    m->survived = left;
    return true;
}

/* `count` more games of peers for each that is still in the race. */
static bool play_survivors(struct mender *m, int count, struct err *e) {
    for (int i = 0; i < m->survived; i++) {
        struct candidate *c = &m->round[i];
        m->requests[i] = (struct request){.id = c->id,
                                          .map = &c->map,
                                          .kind = TRIAL_PEERS,
                                          .first = tally_games(&c->judgement.peers),
                                          .count = count,
                                          .into = &c->judgement};
    }
    return play(m, m->survived, e);
}

/* After it, `survived` candidates are left, the nearest to the middle first. It ends early when there are no
 * games left for it. */
static bool race(struct mender *m, struct err *e) {
    int games = 0;
    for (int round = 0; round < RACE_ROUNDS && m->survived > 0; round++) {
        const int more = games == 0 ? FIRST_GAMES : games;
        const int affordable = games_for_races(m) / more;
        if (affordable < 1)
            break;
        m->survived = m->survived < affordable ? m->survived : affordable;
        if (!play_survivors(m, more, e) || !cut(m, round, e))
            return false;
        games += more;
    }
    return true;
}

/* ---- the end ---- */

static void describe(struct mender *m, const struct candidate *c) {
    struct mend_result *out = m->out;
    struct tbs_map map = *m->run->map;
    for (int i = 0; i < c->set.count; i++) {
        const struct mend_change *change = &m->list.items[c->set.changes[i]];
        mend_change_say(change, &map, out->changes[i], sizeof out->changes[i]);
        mend_change_apply(change, &map);
    }
    out->map = map;
    out->change_count = c->set.count;
    out->cost = c->set.cost;
}

/* Fresh games for one candidate; in the target it is what we looked for. */
static bool confirm(struct mender *m, struct candidate *c, bool *held, struct err *e) {
    struct judgement fresh = {0};
    if (!play_peers(m, c, tally_games(&c->judgement.peers), &fresh, e))
        return false;
    *held = is_good(m, score_of(&fresh));
    if (!*held) {
        judgement_sum(&c->judgement, &fresh);
        remember(m, c);
        return true;
    }
    m->out->found = true;
    m->out->after = fresh;
    describe(m, c);
    return play_contests(m, c, &m->out->after, e);
}

static bool confirm_survivors(struct mender *m, bool *held, struct err *e) {
    for (int i = 0; i < m->survived && i < CONFIRM_MAX && !*held; i++) {
        struct candidate *c = &m->round[i];
        if (!is_good(m, score_of(&c->judgement)) || games_left(m) < m->options->games_sure)
            break;
        if (!confirm(m, c, held, e))
            return false;
    }
    return true;
}

/* Nothing held: the best of what was seen, with fresh games, which may yet find it good. */
static bool settle(struct mender *m, struct err *e) {
    const struct candidate *c = &m->best;
    describe(m, c);
    if (c->set.count == 0) {
        m->out->after = m->out->before;
        return true;
    }
    if (!play_peers(m, c, RACE_GAMES + m->options->games_sure, &m->out->after, e)) /* none of those before */
        return false;
    m->out->found = is_good(m, score_of(&m->out->after));
    return play_contests(m, c, &m->out->after, e);
}

/* *held: something of that cost did. Without games nothing is tried. */
static bool try_cost(struct mender *m, int cost, bool *held, struct err *e) {
    *held = false;
    if (games_for_races(m) < FIRST_GAMES)
        return true;
    if (!gather(m, cost, e))
        return false;
    if (m->count > 0 && m->run->on_round != NULL)
        m->run->on_round(m->run->context, cost, m->count, m->out->games);
    return race(m, e) && confirm_survivors(m, held, e);
}

/* 1, 2, 3, 5, 9, 17, …: a map that is far from its target would use up the budget on changes that are much
 * too small. What was jumped over is tried later. */
static int next_jump(int cost) {
    return cost < 3 ? cost + 1 : 2 * cost - 1;
}

static bool is_jump(int cost) {
    int jump = 1;
    while (jump < cost)
        jump = next_jump(jump);
    return jump == cost;
}

static bool search(struct mender *m, struct err *e) {
    const int single_max = m->list.count > 0 ? m->list.items[m->list.count - 1].cost : 0;
    const int cost_max = single_max * m->options->changes_max;
    int failed = 0, end = cost_max + 1; /* the last jump that found nothing, the first that found something */
    bool held = false;
    for (int cost = 1; cost <= cost_max && !held; cost = next_jump(cost)) {
        if (!try_cost(m, cost, &held, e))
            return false;
        if (held)
            end = cost;
        else
            failed = cost;
    }
    bool smaller = false;
    for (int cost = held ? failed + 1 : 1; cost < end && !smaller; cost++)
        if (!is_jump(cost) && !try_cost(m, cost, &smaller, e))
            return false;
    return m->out->found || settle(m, e);
}

/* ---- the whole ---- */

static bool mend(struct mender *m, struct err *e) {
    m->best = (struct candidate){.id = m->next_id++, .map = *m->run->map};
    if (!play_peers(m, &m->best, 0, &m->out->before, e) || !play_contests(m, &m->best, &m->out->before, e))
        return false;
    m->base = score_of(&m->out->before);
    if (is_good(m, m->base)) {
        m->out->was_good = m->out->found = true;
        m->out->map = *m->run->map;
        m->out->after = m->out->before;
        return true;
    }
    const int ahead = m->base > middle(m) ? TBS_RED : TBS_BLUE;
    if (!mend_changes_list(m->run->map, m->options->kinds, ahead, m->run->seed, &m->list))
        return err_set(e, "not enough memory for the list of changes");
    const int games = m->options->games_sure;
    m->sets = (struct mend_sets){.list = &m->list,
                                 .changes_max = m->options->changes_max,
                                 .seed = m->run->seed,
                                 .goal = log_odds(middle(m), games) - log_odds(m->base, games)};
    return search(m, e);
}

bool mend_check(const struct tbs_map *map, struct err *e) {
    struct tbs_problems problems = {0};
    tbs_map_check(map, &problems);
    return problems.count == 0 ||
           err_set(e, "only a map without problems can be mended, and %s", problems.items[0].text);
}

static bool check_options(const struct mend_options *o, struct err *e) {
    if (!(o->low >= 0) || !(o->high <= 1) || !(o->low < o->high))
        return err_set(e, "the target is %g to %g; expected two numbers in 0 to 1, the lower one first",
                       o->low, o->high);
    if ((o->kinds & MEND_ALL) == 0)
        return err_set(e, "no kind of change is allowed");
    if (o->changes_max < 1 || o->changes_max > MEND_CHANGES_MAX)
        return err_set(e, "at most %d changes; expected 1 to %d", o->changes_max, MEND_CHANGES_MAX);
    if (o->games_sure < MEND_SURE_MIN)
        return err_set(e, "%d games to be sure; expected at least %d", o->games_sure, MEND_SURE_MIN);
    return o->games_max >= mend_games_least(o->games_sure) ||
           err_set(e, "a budget of %d games is too small; to be sure with %d it takes at least %d",
                   o->games_max, o->games_sure, mend_games_least(o->games_sure));
}

bool mend_map(const struct mend_run *run, struct mend_result *out, bool *complete, struct err *e) {
    *out = (struct mend_result){0};
    *complete = true;
    if (!mend_check(run->map, e) || !check_options(run->options, e))
        return false;
    struct mender *m = mem_alloc(sizeof *m);
    struct request *requests = mem_alloc(ROUND_MAX * sizeof *requests);
    bool ok = m != NULL && requests != NULL;
    if (ok) {
        *m = (struct mender){.run = run, .options = run->options, .out = out, .requests = requests};
        ok = mend(m, e) || m->stopped;
        *complete = !m->stopped;
        mend_changes_done(&m->list);
        mem_free(m->round);
    } else {
        err_set(e, "not enough memory to mend a map");
    }
    mem_free(requests);
    mem_free(m);
    return ok;
}
