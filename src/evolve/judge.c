/* SPDX-License-Identifier: MIT
 *
 * Judgements of maps: sums over games, shares with their intervals, the published fitness; the games that are
 * needed until the intervals are narrow enough; and a judgement as JSON.
 */
#include "evolve/judge.h"

#include "base/bits.h"
#include "base/mem.h"
#include "evolve/remarks.h"

#include <assert.h>
#include <jansson.h>
#include <math.h>

/* ---- sums ---- */

#define AT(field) offsetof(struct judge_options, field)

enum { GAMES_MAX = 10000000 };

const struct param judge_params[] = {
    {"strong", PARAM_PLAYER, AT(strong), .choices = JUDGE_STRONG, .help = "the stronger player"},
    {"weak", PARAM_PLAYER, AT(weak), .choices = JUDGE_WEAK, .help = "the weaker one"},
    {"tight", PARAM_REAL, AT(limits.width), 0.005, 0.5, 0.05,
     .help = "play until the intervals are at most plus or minus this"},
    {"games", PARAM_INT, AT(limits.games_max), 2, GAMES_MAX, 2000, .help = "at most so many a map"},
    {"min_games", PARAM_INT, AT(limits.games_min), 0, GAMES_MAX, 120, .help = "at least so many a map"},
    {"fair", PARAM_REAL, AT(fair), 0.001, 0.5, 0.1,
     .help = "how far from a half red's score may be on a fair map"},
    {"rules", PARAM_STRING, AT(rules), .choices = "tubstap", .value = "SET", .help = "tubstap or paper"},
    {"seed", PARAM_U64, AT(seed), .fallback = 1, .help = "everything random follows from it"},
    {0},
};

void judgement_add(struct judgement *j, const struct sample_game *sample) {
    const double payoff = sample->outcome.payoff;
    if (sample->kind == SAMPLE_STRONG_BLUE)
        tally_add(&j->strong[TBS_BLUE], 1 - payoff);
    else
        tally_add(sample->kind == SAMPLE_STRONG_RED ? &j->strong[TBS_RED] : &j->peers, payoff);
    j->turns += sample->outcome.turns;
    j->actions += sample->outcome.actions;
    j->annihilated += sample_is_annihilation(sample);
    j->forfeits += sample->outcome.fault != PLAYER_FAULT_NONE;
    for (int side = 0; side < 2; side++) {
        const int kills = sample->first_kills[side];
        j->first_kills[side][kills < JUDGEMENT_KILLS_MAX ? kills : JUDGEMENT_KILLS_MAX]++;
    }
    for (uint64_t left = sample->attacked; left != 0; left = bits_without_first(left))
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
    for (int unit = 0; unit < SAMPLE_MASK_UNITS; unit++)
        into->attacked[unit] += more->attacked[unit];
}

int judgement_games_of(const struct judgement *j, enum sample_kind kind) {
    return kind == SAMPLE_PEERS ? tally_games(&j->peers)
                                : tally_games(&j->strong[kind == SAMPLE_STRONG_RED ? TBS_RED : TBS_BLUE]);
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

/* Two scores p and q, by their mean and half their difference. */
struct pair {
    double mean, apart; /* p is mean + apart */
    int games[2];
};

/* What of their difference is not expected of equal ones by chance. */
static double real_difference(const struct tally *a, const struct tally *b) {
    const int n = tally_games(a), k = tally_games(b);
    const double p = (tally_score(a) * n + 1) / (n + 2), q = (tally_score(b) * k + 1) / (k + 2);
    const double apart = (tally_score(a) - tally_score(b)) / 2;
    const double by_chance = (p * (1 - p) / n + q * (1 - q) / k) / 4;
    return copysign(sqrt(fmax(apart * apart - by_chance, 0)), apart);
}

/* The mean farthest towards `end` that is no more than z standard errors away from the observed one. The
 * variance is that which both scores would have with this mean; they are apart as far as it leaves room. */
static double farthest(const struct pair *pair, double z, double end) {
    double in = pair->mean, out = end;
    for (int i = 0; i < 48; i++) {
        const double mean = (in + out) / 2, away = mean - pair->mean;
        const double room = fmin(mean, 1 - mean), apart = fmin(fmax(pair->apart, -room), room);
        const double p = mean + apart, q = mean - apart;
        const double variance = (p * (1 - p) / pair->games[0] + q * (1 - q) / pair->games[1]) / 4;
        *(away * away <= z * z * variance ? &in : &out) = mean;
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
    /* Student's distribution in place of the normal one: its quantile to the first order in 1 / freedom. */
    const int freedom = n + k > 3 ? n + k - 2 : 1;
    const double z = STATS_Z95 * (1 + (STATS_Z95 * STATS_Z95 + 1) / (4.0 * freedom));
    return (struct share){value, {farthest(&pair, z, 0), farthest(&pair, z, 1)}, n + k};
}

struct share judgement_strong_with(const struct judgement *j, int side) {
    return share_of(&j->strong[side]);
}

struct share judgement_strength(const struct judgement *j) {
    return mean_of(&j->strong[TBS_RED], &j->strong[TBS_BLUE]);
}

struct share judgement_red(const struct judgement *j) {
    const struct tally *strong = &j->strong[TBS_BLUE], weak = {strong->losses, strong->draws, strong->wins};
    return tally_games(&j->peers) > 0 ? share_of(&j->peers)
                                      : mean_of(&j->strong[TBS_RED], &weak); /* both with red */
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

/* ---- how many games ----
 *
 * A rule that looks at an interval after every game and stops when it is narrow stops a little too early:
 * results that happen to look lopsided have narrow intervals. So there are few looks. A round of games at
 * least halves what is missing of the widest interval, or goes straight to the end when that is near, and
 * there is a least number of games. tests/judge_test.c measures what is left of the 95 %. */

/* Games of one call of the evaluator, roughly: a stop loses at most these. */
enum { PORTION_GAMES = 500 };

double judge_margin(const struct share *share) {
    return (share->interval.high - share->interval.low) / 2;
}

/* Whether strength and red's score between equals are both known to limits->width. Never before games_min. */
static bool judge_is_tight(const struct judgement *j, const struct judge_limits *limits) {
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

struct judge_round {
    int contests, peers;
};

/* When both together exceed the games left, both are cut in proportion. */
static struct judge_round within(struct judge_round round, int left) {
    const int sum = round.contests + round.peers;
    if (sum <= left)
        return round;
    const int contests = (int)((int64_t)left * round.contests / sum);
    const int peers = left - contests / 2 * 2;
    return (struct judge_round){contests / 2 * 2, peers < round.peers ? peers : round.peers};
}

/* Games to play before the intervals are looked at again: contests (an even number, half from each side) and
 * games of peers. Both 0: the intervals are narrow enough, or the budget is used. */
static struct judge_round judge_next(const struct judgement *j, const struct judge_limits *limits) {
    assert(limits->width > 0);
    const int contests = judgement_contests(j), peers = tally_games(&j->peers);
    const int left = limits->games_max > contests + peers ? limits->games_max - contests - peers : 0;
    if (judge_is_tight(j, limits))
        return (struct judge_round){0, 0};
    const int min = limits->games_min > 2 * JUDGE_BATCH ? limits->games_min : 2 * JUDGE_BATCH;
    const int half = (min + 3) / 4 * 2; /* of the first games: even */
    if (contests < half || peers < half)
        return within(
            (struct judge_round){contests < half ? half - contests : 0, peers < half ? half - peers : 0},
            left);
    const struct share strength = judgement_strength(j), red = judgement_red(j);
    const double of_strength = judge_margin(&strength), of_red = judge_margin(&red);
    const double goal = fmax(limits->width, fmax(of_strength, of_red) * 0x1.6a09e667f3bcdp-1);
    const struct judge_round round = {games_missing(of_strength, goal, contests),
                                      games_missing(of_red, goal, peers)};
    return within(round, left);
}

/* ---- many maps ---- */

bool judge_maps(struct evaluator *evaluator, const struct judge_limits *limits, struct judge_subject *maps,
                int count, bool *complete, struct err *e) {
    struct request *list = mem_alloc(((size_t)count * SAMPLE_KINDS + 1) * sizeof *list);
    bool ok = true, any = true;
    *complete = true;
    while (ok && *complete && any) {
        any = false;
        for (int begin = 0, next = 0; ok && *complete && next < count; begin = next) {
            /* The games that the maps from `begin` on need, until they make a portion. */
            int requests = 0, games = 0;
            for (; next < count && games < PORTION_GAMES; next++) {
                struct judge_subject *map = &maps[next];
                const struct judge_round round = judge_next(&map->judgement, limits);
                const struct request of = {.id = map->id, .map = map->map, .into = &map->judgement};
                const int wanted[SAMPLE_KINDS] = {round.contests / 2, round.contests / 2, round.peers};
                requests += request_more(&of, wanted, &list[requests]);
                games += round.contests + round.peers;
            }
            any = any || requests > 0;
            ok = requests == 0 || evaluator_play(evaluator, list, requests, complete, e);
            for (int i = begin; i < next; i++)
                maps[i].tight = judge_is_tight(&maps[i].judgement, limits);
        }
    }
    mem_free(list);
    return ok;
}

/* ---- JSON: docs/map-generation.md explains every member ---- */

int judge_id(const struct tbs_map *map, const struct tbs_rules *rules, const char *strong, const char *weak) {
    const uint64_t players = sample_digest_players(rules, strong, weak);
    return (int)(sample_digest(players, map) & INT32_MAX);
}

/* null: it was not measured. What a judgement guesses then is for searches, not for people. */
static json_t *share_json(const struct share *share, bool is_measured) {
    if (!is_measured || share->games == 0)
        return json_null();
    return json_pack("{s:f, s:[f,f], s:i}", "value", share->value, "interval", share->interval.low,
                     share->interval.high, "games", share->games);
}

static bool has_both(const struct judgement *j) {
    return tally_games(&j->strong[TBS_RED]) > 0 && tally_games(&j->strong[TBS_BLUE]) > 0;
}

json_t *judge_judgement_json(const struct judgement *j) {
    const struct share strength = judgement_strength(j), red = judgement_red(j),
                       decisive = judgement_decisive(j), with_red = judgement_strong_with(j, TBS_RED),
                       with_blue = judgement_strong_with(j, TBS_BLUE);
    json_t *first_kills =
        json_object(); /* of all games: the mean, and in which share there was one at least */
    for (int side = 0; side < TBS_SIDES; side++)
        json_object_set_new(first_kills, tbs_side_names[side],
                            json_pack("{s:f, s:f}", "mean", judgement_first_kills_mean(j, side), "any",
                                      judgement_first_kills(j, side, 1)));
    return json_pack("{s:i, s:{s:o, s:o, s:o}, s:o, s:o, s:f, s:o, s:i, s:i}", "games", judgement_games(j),
                     "strong", "both", share_json(&strength, has_both(j)), "as_red",
                     share_json(&with_red, true), "as_blue", share_json(&with_blue, true),
                     "red_between_equals", share_json(&red, tally_games(&j->peers) > 0), "decisive",
                     share_json(&decisive, true), "turns", judgement_turns(j), "first_turn_kills",
                     first_kills, "annihilations", j->annihilated, "forfeits", j->forfeits);
}

json_t *judge_json(const struct judge_subject *s, const struct tbs_rules *rules, double fair) {
    const struct share unknown = {0},
                       strength = has_both(&s->judgement) ? judgement_strength(&s->judgement) : unknown,
                       red = tally_games(&s->judgement.peers) > 0 ? judgement_red(&s->judgement) : unknown;
    struct static_features features;
    struct remarks remarks;
    static_features_of(s->map, rules, &features);
    remarks_make(s->map, rules, &s->judgement, &remarks);
    json_t *looks = json_pack("{s:f, s:f, s:i, s:i, s:i}", "natural", features.natural, "coherence",
                              features.coherence, "roads", features.roads, "isolated_roads",
                              features.isolated_roads, "road_ends", features.road_ends);
    for (int side = 0; side < TBS_SIDES; side++)
        json_object_set_new(looks, tbs_side_names[side],
                            json_pack("{s:i, s:i, s:i, s:i}", "first_attacks", features.first_attacks[side],
                                      "attackers", features.attackers[side], "no_prey",
                                      features.no_prey[side], "stranded", features.stranded[side]));
    json_t *root = judge_judgement_json(&s->judgement);
    json_t *more = json_pack("{s:s, s:s, s:b, s:o, s:o}", "fairness", remarks_fairness(&red, fair),
                             "strength", remarks_strength(&strength), "tight", s->tight, "looks", looks,
                             "remarks", remarks_json(&remarks));
    if (root != NULL)
        json_object_update(root, more);
    json_decref(more);
    return root;
}
