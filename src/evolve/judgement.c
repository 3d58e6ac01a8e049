/* SPDX-License-Identifier: MIT */
#include "evolve/judgement.h"

#include "base/bits.h"

#include <math.h>

/* ---- sums ---- */

static void count_result(struct judgement *j, const struct trial *trial) {
    switch (trial->kind) {
    case TRIAL_STRONG_RED: tally_add(&j->strong[TBS_RED], trial->payoff); break;
    case TRIAL_STRONG_BLUE: tally_add(&j->strong[TBS_BLUE], 1 - trial->payoff); break;
    case TRIAL_PEERS:
    case TRIAL_KINDS: tally_add(&j->peers, trial->payoff); break;
    }
}

void judgement_add(struct judgement *j, const struct trial *trial) {
    count_result(j, trial);
    j->turns += trial->turns;
    j->actions += trial->actions;
    j->annihilated += trial->annihilated;
    j->forfeits += trial->fault != PLAYER_FAULT_NONE;
    for (int side = 0; side < 2; side++) {
        const int kills = trial->first_kills[side];
        j->first_kills[side][kills < JUDGEMENT_KILLS_MAX ? kills : JUDGEMENT_KILLS_MAX]++;
    }
    for (uint64_t left = trial->attacked; left != 0; left = bits_without_first(left))
        j->attacked[bits_first(left)]++;
}

static void sum_tallies(struct tally *into, const struct tally *more) {
    into->wins += more->wins;
    into->draws += more->draws;
    into->losses += more->losses;
}

void judgement_sum(struct judgement *into, const struct judgement *more) {
    sum_tallies(&into->peers, &more->peers);
    for (int side = 0; side < 2; side++) {
        sum_tallies(&into->strong[side], &more->strong[side]);
        for (int kills = 0; kills <= JUDGEMENT_KILLS_MAX; kills++)
            into->first_kills[side][kills] += more->first_kills[side][kills];
    }
    into->turns += more->turns;
    into->actions += more->actions;
    into->annihilated += more->annihilated;
    into->forfeits += more->forfeits;
    for (int unit = 0; unit < TRIAL_MASK_UNITS; unit++)
        into->attacked[unit] += more->attacked[unit];
}

int judgement_games_of(const struct judgement *j, enum trial_kind kind) {
    return kind == TRIAL_PEERS ? tally_games(&j->peers)
                               : tally_games(&j->strong[kind == TRIAL_STRONG_RED ? TBS_RED : TBS_BLUE]);
}

int judgement_contests(const struct judgement *j) {
    return tally_games(&j->strong[TBS_RED]) + tally_games(&j->strong[TBS_BLUE]);
}

int judgement_games(const struct judgement *j) {
    return judgement_contests(j) + tally_games(&j->peers);
}

double judgement_points(const struct judgement *j) {
    const struct tally *s = j->strong;
    return tally_points(&s[TBS_RED]) + tally_points(&s[TBS_BLUE]);
}

/* ---- shares ---- */

static struct share share_of(const struct tally *t) {
    const int games = tally_games(t);
    return (struct share){tally_score(t), stats_wilson(tally_score(t), games, STATS_Z95), games};
}

/* Student's distribution in place of the normal one: its quantile to the first order in 1 / freedom. */
static double quantile(int freedom) {
    return STATS_Z95 * (1 + (STATS_Z95 * STATS_Z95 + 1) / (4.0 * (freedom > 1 ? freedom : 1)));
}

static struct tally opposite(const struct tally *t) {
    return (struct tally){t->losses, t->draws, t->wins};
}

/* Two scores p and q, by their mean and half their difference. */
struct pair {
    double mean, apart; /* p is mean + apart */
    int games[2];
};

/* Of the mean of both, if it were `mean`; they are apart as far as that leaves room. */
static double variance(const struct pair *pair, double mean) {
    const double room = fmin(mean, 1 - mean), apart = fmin(fmax(pair->apart, -room), room);
    const double p = mean + apart, q = mean - apart;
    return (p * (1 - p) / pair->games[0] + q * (1 - q) / pair->games[1]) / 4;
}

/* What of their difference is not expected of equal ones by chance. */
static double real_difference(const struct tally *a, const struct tally *b) {
    const int n = tally_games(a), k = tally_games(b);
    const double p = (tally_score(a) * n + 1) / (n + 2), q = (tally_score(b) * k + 1) / (k + 2);
    const double apart = (tally_score(a) - tally_score(b)) / 2;
    const double by_chance = (p * (1 - p) / n + q * (1 - q) / k) / 4;
    return copysign(sqrt(fmax(apart * apart - by_chance, 0)), apart);
}

/* The last mean on the way to `end` from which what was seen is no more than z standard errors away. */
static double farthest(const struct pair *pair, double z, double end) {
    double in = pair->mean, out = end;
    for (int i = 0; i < 48; i++) {
        const double mean = (in + out) / 2, away = mean - pair->mean;
        if (away * away <= z * z * variance(pair, mean))
            in = mean;
        else
            out = mean;
    }
    return in;
}

/* Both weigh the same. */
static struct share mean_of(const struct tally *a, const struct tally *b) {
    const int n = tally_games(a), k = tally_games(b);
    const double value = (tally_score(a) + tally_score(b)) / 2;
    if (n == 0 || k == 0) {
        const struct interval i = share_of(a).interval, j = share_of(b).interval;
        return (struct share){value, {(i.low + j.low) / 2, (i.high + j.high) / 2}, n + k};
    }
    const struct pair pair = {value, real_difference(a, b), {n, k}};
    const double z = quantile(n + k - 2);
    return (struct share){value, {farthest(&pair, z, 0), farthest(&pair, z, 1)}, n + k};
}

struct share judgement_strong_with(const struct judgement *j, int side) {
    return share_of(&j->strong[side]);
}

struct share judgement_strength(const struct judgement *j) {
    return mean_of(&j->strong[TBS_RED], &j->strong[TBS_BLUE]);
}

struct share judgement_red(const struct judgement *j) {
    const struct tally weak = opposite(&j->strong[TBS_BLUE]); /* with red */
    return tally_games(&j->peers) > 0 ? share_of(&j->peers) : mean_of(&j->strong[TBS_RED], &weak);
}

struct share judgement_decisive(const struct judgement *j) {
    const int draws = j->peers.draws + j->strong[TBS_RED].draws + j->strong[TBS_BLUE].draws;
    const struct tally decided = {.wins = judgement_games(j) - draws, .losses = draws};
    return share_of(&decided);
}

double judgement_turns(const struct judgement *j) {
    const int games = judgement_games(j);
    return games > 0 ? (double)j->turns / games : 0;
}

/* ---- the first turn ---- */

double judgement_first_kills(const struct judgement *j, int side, int at_least) {
    const int games = judgement_games(j);
    int with = 0;
    for (int kills = at_least > 0 ? at_least : 0; kills <= JUDGEMENT_KILLS_MAX; kills++)
        with += j->first_kills[side][kills];
    return games > 0 ? (double)with / games : 0;
}

double judgement_first_kills_mean(const struct judgement *j, int side) {
    double sum = 0;
    for (int kills = 1; kills <= JUDGEMENT_KILLS_MAX; kills++)
        sum += judgement_first_kills(j, side, kills);
    return sum;
}

/* ---- the published fitness ---- */

double judgement_fitness(double points, int games) {
    const double above = fmax(points - 4.0 * games / 10, 1);
    return above * above * above;
}
