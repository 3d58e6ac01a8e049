/* SPDX-License-Identifier: MIT */
#include "evolve/mend_race.h"

#include "base/ln.h"
#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    KEPT_A_RACE =
        8, /* those nearest the target, if they help at all, stay in the race a while even when they */
    KEPT_GAMES = 24, /* will not reach it: others are built on them, and the best must be known in the end */
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

static double score_of(const struct judgement *j) {
    return tally_score(&j->peers);
}

double mend_decided(const struct judgement *j) {
    const int games = tally_games(&j->peers);
    return games > 0 ? 1 - (double)j->peers.draws / games : 1;
}

bool mend_is_good(const struct mender *m, const struct judgement *j) {
    return score_of(j) >= m->options->low && score_of(j) <= m->options->high && mend_decided(j) >= m->decided;
}

/* A draw is worth half, so a map on which nothing happens would be the most balanced one of all. */
double mend_distance(const struct mender *m, const struct judgement *j) {
    return fabs(score_of(j) - mend_middle(m)) + fmax(m->decided - mend_decided(j), 0);
}

static bool helps(const struct mender *m, const struct judgement *j) {
    return mend_distance(m, j) < mend_distance(m, &m->out->before);
}

bool mend_still_reaches(const struct mender *m, const struct judgement *j, double z) {
    const int games = tally_games(&j->peers);
    const struct interval score = stats_wilson(score_of(j), games, z);
    return score.low <= m->options->high && score.high >= m->options->low &&
           stats_wilson(mend_decided(j), games, z).high >= m->decided;
}

double mend_log_odds(double score, int games) {
    return ln_of((score * games + 0.5) / ((1 - score) * games + 0.5));
}

/* What a candidate does to the log-odds. The base as so many games would have shown it: otherwise 24 wins of
 * 24 would look worse than 200 of 200. */
static double effect_of(const struct mender *m, const struct judgement *j) {
    const int games = tally_games(&j->peers);
    return mend_log_odds(score_of(j), games) - mend_log_odds(m->base, games);
}

int mend_judgement_price(int games_sure) {
    return games_sure + 2 * (games_sure / 4);
}

int mend_games_left(const struct mender *m) {
    return m->options->games_max - m->out->games - mend_judgement_price(m->options->games_sure);
}

int mend_games_for_races(const struct mender *m) {
    return mend_games_left(m) - m->options->games_sure - m->reserve;
}

/* ---- games ---- */

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

bool mend_play(struct mender *m, const struct candidate *c, int first, const int games[TRIAL_KINDS],
               struct judgement *into, struct err *e) {
    const struct request of = {.id = c->id, .map = &c->map, .first = first, .into = into};
    return play(m, request_more(&of, games, m->requests), e);
}

bool mend_play_peers(struct mender *m, int from, int to, int games, struct err *e) {
    int count = 0;
    for (int i = from; i < to; i++) {
        struct candidate *c = &m->round[i];
        const struct request of = {.id = c->id, .map = &c->map, .into = &c->judgement};
        count += request_more(&of, (int[TRIAL_KINDS]){[TRIAL_PEERS] = games}, &m->requests[count]);
    }
    return play(m, count, e);
}

/* ---- candidates ---- */

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

bool mend_add_candidate(struct mender *m, const struct mend_set *set, struct err *e) {
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

void mend_remember(struct mender *m, const struct candidate *c) {
    const struct judgement *best = m->best.set.count > 0 ? &m->best.judgement : &m->out->before;
    const double away = mend_distance(m, &c->judgement);
    struct mend_set set = c->set;
    set.effect = effect_of(m, &c->judgement);
    mend_sets_note(&m->sets, &set, helps(m, &c->judgement));
    if (c->id == m->best.id || away < mend_distance(m, best))
        m->best = *c;
}

/* ---- the race ---- */

/* The nearest first; nobody's place depends on how the sorting is done. */
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
        places[i] = (struct place){mend_distance(m, &c->judgement), c->id, i};
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

/* Those nearest, as many as the table says; those that will not reach the target only while they are among
 * the first few and little is known about them. */
static bool cut(struct mender *m, int round, struct err *e) {
    const struct race_round *rule = &race_rounds[round];
    const int wanted = m->survived < rule->survivors ? m->survived : rule->survivors;
    if (!sort_survivors(m, wanted, e))
        return false;
    int left = 0;
    for (int i = 0; i < wanted; i++) {
        const struct judgement *j = &m->round[i].judgement;
        const int games = tally_games(&j->peers);
        const bool wants_more = i < KEPT_A_RACE && games < KEPT_GAMES && helps(m, j);
        if (i < KEPT_A_RACE && games >= KEPT_GAMES)
            mend_remember(m, &m->round[i]);
        if (mend_still_reaches(m, j, rule->z) || wants_more) {
            if (left < i)
                m->round[left] = m->round[i];
            left++;
        }
    }
    m->survived = left;
    return true;
}

bool mend_race(struct mender *m, int had, struct err *e) {
    int round = 0, games = 0;
    for (; games < had; round++)
        games += games == 0 ? MEND_FIRST_GAMES : games;
    if (round > 0 && !cut(m, round - 1, e))
        return false;
    for (; round < RACE_ROUNDS && m->survived > 0; round++) {
        const int more = games == 0 ? MEND_FIRST_GAMES : games;
        const int affordable = mend_games_for_races(m) / more;
        if (affordable < 1)
            break;
        m->survived = m->survived < affordable ? m->survived : affordable;
        if (!mend_play_peers(m, 0, m->survived, more, e) || !cut(m, round, e))
            return false;
        games += more;
    }
    return true;
}
