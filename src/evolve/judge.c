/* SPDX-License-Identifier: MIT
 *
 * Judgements of maps: sums over games, shares with their intervals, the published fitness; the games that are
 * needed until the intervals are narrow enough; the rules by which remarks are made, verdicts on fairness and
 * strength; and a judgement as JSON.
 */
#include "evolve/judge.h"

#include "base/bits.h"
#include "base/mem.h"

#include <assert.h>
#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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
    {PARAM_SEED_ROW(AT(seed))},
    {0},
};

bool judge_fit_limits(const struct params *given) {
    struct judge_limits *limits = &((struct judge_options *)given->options)->limits;
    if (limits->games_min > limits->games_max && !params_given(given, "min_games"))
        limits->games_min = limits->games_max;
    return limits->games_min <= limits->games_max;
}

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

/* The share of games that have some property. */
static struct share share_with(int count, int games) {
    return share_of(&(struct tally){.wins = count, .losses = games - count});
}

/* Two scores p and q, by their mean and half their difference. */
struct pair {
    double mean, apart; /* p is mean + apart */
    int games[2];
};

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
    /* What of their difference is not expected of equal ones by chance. */
    const double p = (tally_score(a) * n + 1) / (n + 2), q = (tally_score(b) * k + 1) / (k + 2);
    const double apart = (tally_score(a) - tally_score(b)) / 2;
    const double by_chance = (p * (1 - p) / n + q * (1 - q) / k) / 4;
    const struct pair pair = {value, copysign(sqrt(fmax(apart * apart - by_chance, 0)), apart), {n, k}};
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
    return share_with(judgement_games(j) - draws, judgement_games(j));
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

/* w is not a whole number where games are scaled; the published scale ends at 216 = (10 - 4)^3. */
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
    struct judge_round round = {contests < half ? half - contests : 0, peers < half ? half - peers : 0};
    if (round.contests + round.peers == 0) {
        const struct share strength = judgement_strength(j), red = judgement_red(j);
        const double of_strength = judge_margin(&strength), of_red = judge_margin(&red);
        const double goal = fmax(limits->width, fmax(of_strength, of_red) * 0x1.6a09e667f3bcdp-1);
        round = (struct judge_round){games_missing(of_strength, goal, contests),
                                     games_missing(of_red, goal, peers)};
    }
    const int sum = round.contests + round.peers;
    if (sum > left) { /* both are cut in proportion */
        round.contests = (int)((int64_t)left * round.contests / sum) / 2 * 2;
        round.peers = left - round.contests < round.peers ? left - round.contests : round.peers;
    }
    return round;
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

/* ---- remarks ---- */

/* When a remark is made. Bounds are those of 95% intervals. */
enum {
    GAMES_FOR_LENGTH = 10, /* before a remark about the mean length */
    GAMES_FOR_UNITS = 20,  /* before a unit's attacks are */
    UNITS_NAMED_MAX = 3,   /* of a side with the same defect; more are only counted */
    PATCH_CELLS_MIN = 4,   /* of woods, mountains and sea, before a remark about their order */
};
#define SHORT_GAME      4.0  /* turns of both sides together: two each */
#define WINS_NEARLY_ALL 0.7  /* lower bound of a side's wins between equals */
#define FAVOURED        0.55 /* lower bound of a side's score */
#define FAVOURED_MUCH   0.6
#define EVEN            0.1  /* the interval of a fair map lies within 0.5 plus or minus this */
#define HARDLY_PAYS     0.6  /* upper bound of strong's score */
#define HARDLY_ATTACKS  0.2  /* upper bound of the share of games in which a unit attacks */
#define ALL_ATTACK      0.3  /* lower bound for the unit that attacks least */
#define STREWN          0.25 /* coherence below which terrain is called strewn */
#define STREWN_ALL      0.5  /* the same where no two cells hang together */
#define COHERENT        0.8

struct maker {
    const struct tbs_map *map;
    const struct judgement *judgement;
    struct static_features features; /* `use` may be IDLE, too */
    int units[TBS_SIDES], games;
    int first; /* the side that moves first */
    struct remarks *out;
};

/* ---- adding ---- */

/* Behind all remarks that weigh as much or more. NULL when there is no room. */
static struct remark *add_remark(struct maker *m, enum remark_weight weight, const char *code,
                                 const char *format, ...) __attribute__((format(printf, 4, 5)));

static struct remark *add_remark(struct maker *m, enum remark_weight weight, const char *code,
                                 const char *format, ...) {
    struct remarks *out = m->out;
    int at = out->count;
    while (at > 0 && out->items[at - 1].weight < weight)
        at--;
    if (at == REMARKS_MAX)
        return NULL;
    out->count += out->count < REMARKS_MAX;
    struct remark *remark = &out->items[at];
    memmove(remark + 1, remark, (size_t)(out->count - 1 - at) * sizeof *remark);
    *remark = (struct remark){.weight = weight};
    va_list arguments;
    va_start(arguments, format);
    msg_format(&remark->msg, remark->text, sizeof remark->text, code, format, arguments);
    va_end(arguments);
    return remark;
}

static void add_cell(struct remark *remark, int x, int y) {
    if (remark != NULL && remark->cell_count < REMARK_CELLS_MAX)
        memcpy(remark->cells[remark->cell_count++], (uint8_t[2]){(uint8_t)x, (uint8_t)y}, 2);
}

/* In whole percents; 0 and 100 only when that is exact. */
static int percent(double share) {
    const int whole = (int)(100 * share + 0.5);
    if (whole == 0 && share > 0)
        return 1;
    return whole >= 100 && share < 1 ? 99 : whole;
}

enum { PHRASE_MAX = 96 };

struct phrase {
    char text[PHRASE_MAX];
};

/* " at (3, 4)" for a unit that is not the only one of its side and type. */
static struct phrase place_of(const struct maker *m, int unit) {
    const struct tbs_map_unit *u = &m->map->units[unit];
    struct phrase p = {""};
    int like = 0;
    for (int id = 0; id < m->map->unit_count; id++)
        like += m->map->units[id].side == u->side && m->map->units[id].type == u->type;
    if (like > 1)
        snprintf(p.text, sizeof p.text, " at (%d, %d)", u->x, u->y);
    return p;
}

/* ---- which side wins ---- */

/* Units of the same types with the same HP: then it is not the armies that make a difference. */
static bool armies_are_alike(const struct tbs_map *map) {
    int difference[TBS_TYPES][TBS_HP_MAX + 1] = {{0}};
    for (int id = 0; id < map->unit_count; id++) {
        const struct tbs_map_unit *u = &map->units[id];
        difference[u->type][u->hp] += u->side == TBS_RED ? 1 : -1;
    }
    for (int type = 0; type < TBS_TYPES; type++)
        for (int hp = 0; hp <= TBS_HP_MAX; hp++)
            if (difference[type][hp] != 0)
                return false;
    return true;
}

/* From games between equals; without them, from what both players score with red. One remark at most: the
 * strongest that the interval supports. */
static void remark_favoured(struct maker *m) {
    const struct tally *peers = &m->judgement->peers;
    const struct share red = judgement_red(m->judgement);
    const int side = red.value >= 0.5 ? TBS_RED : TBS_BLUE;
    const bool is_red = side == TBS_RED;
    const double score = is_red ? red.value : 1 - red.value;
    const double low = is_red ? red.interval.low : 1 - red.interval.high;
    const double high = is_red ? red.interval.high : 1 - red.interval.low;
    const bool is_peers = tally_games(peers) > 0;
    const char *where = is_peers ? "between equals" : "with either player";
    const struct share wins = share_with(is_red ? peers->wins : peers->losses, tally_games(peers));
    if (wins.games > 0 && wins.interval.low >= WINS_NEARLY_ALL && armies_are_alike(m->map))
        add_remark(m, REMARK_FAULT, "remark.mover_wins",
                   "the side that moves %s wins %d%% of games between equals",
                   side == m->first ? "first" : "second", percent(wins.value));
    else if (wins.games > 0 && wins.interval.low >= WINS_NEARLY_ALL)
        add_remark(m, REMARK_FAULT, "remark.favoured_wins",
                   "%s is favoured: it wins %d%% of games between equals", tbs_side_names[side],
                   percent(wins.value));
    else if (low >= FAVOURED)
        add_remark(m, low >= FAVOURED_MUCH ? REMARK_FAULT : REMARK_NOTE,
                   is_peers ? "remark.favoured" : "remark.favoured_either",
                   "%s is favoured: it scores %d%% %s", tbs_side_names[side], percent(score), where);
    else if (low >= 0.5 - EVEN && high <= 0.5 + EVEN)
        add_remark(m, REMARK_GOOD, is_peers ? "remark.even" : "remark.even_either",
                   "neither side is favoured: red scores %d%% %s", percent(red.value), where);
}

/* A weak player that wins with one side shows an unfair map even without games of peers. */
static void remark_side_decides(struct maker *m) {
    for (int side = 0; side < TBS_SIDES; side++) {
        const struct tally *strong = &m->judgement->strong[1 - side];
        const struct share weak = share_with(strong->losses, tally_games(strong));
        if (weak.interval.low > 0.5)
            add_remark(m, REMARK_FAULT, "remark.weak_wins",
                       "the weak player wins %d%% of its games with %s: the side decides, not the player",
                       percent(weak.value), tbs_side_names[side]);
    }
}

static void remark_strength(struct maker *m) {
    const struct tally *strong = m->judgement->strong;
    const struct share red = share_with(strong[TBS_RED].wins, tally_games(&strong[TBS_RED]));
    const struct share blue = share_with(strong[TBS_BLUE].wins, tally_games(&strong[TBS_BLUE]));
    const struct share both = judgement_strength(m->judgement);
    if (red.interval.low > 0.5 && blue.interval.low > 0.5)
        add_remark(m, REMARK_GOOD, "remark.strong_wins",
                   "the strong player wins %d%% with red and %d%% with blue: thinking pays",
                   percent(red.value), percent(blue.value));
    else if (both.interval.high < HARDLY_PAYS)
        add_remark(m, REMARK_FAULT, "remark.strong_hardly",
                   "the strong player scores only %d%% against the weak one: thinking hardly pays",
                   percent(both.value));
}

/* ---- how games go ---- */

/* A first turn that destroys much leaves the other side no answer. */
static void remark_first_turn(struct maker *m, int side) {
    const int enemies = m->units[1 - side];
    const char *whom = tbs_side_names[1 - side], *who = tbs_side_names[side];
    double share = 0;
    /* The most that are destroyed in about half of the games or more. */
    int kills = enemies < JUDGEMENT_KILLS_MAX ? enemies : JUDGEMENT_KILLS_MAX;
    for (; kills > 0; kills--) {
        share = judgement_first_kills(m->judgement, side, kills);
        if (share >= 0.5 && stats_wilson(share, m->games, STATS_Z95).low >= 0.35)
            break;
    }
    const bool is_large = 3 * kills >= enemies;
    const bool is_sure = share >= 0.9 && stats_wilson(share, m->games, STATS_Z95).low >= 0.7;
    if (kills == 0 || !(kills >= 2 || is_large || is_sure))
        return;
    const enum remark_weight weight = is_large ? REMARK_FAULT : REMARK_NOTE;
    const bool always = share >= 1;
    if (enemies == 1 && always)
        add_remark(m, weight, "remark.first_only_always",
                   "%s's first turn destroys the only %s unit in every game", who, whom);
    else if (enemies == 1)
        add_remark(m, weight, "remark.first_only",
                   "%s's first turn destroys the only %s unit in %d%% of games", who, whom, percent(share));
    else if (kills == enemies && always)
        add_remark(m, weight, "remark.first_all_always",
                   "%s's first turn destroys all %d %s units in every game", who, kills, whom);
    else if (kills == enemies)
        add_remark(m, weight, "remark.first_all", "%s's first turn destroys all %d %s units in %d%% of games",
                   who, kills, whom, percent(share));
    else if (always)
        add_remark(m, weight, "remark.first_some_always",
                   "%s's first turn destroys %d of %d %s units in every game", who, kills, enemies, whom);
    else
        add_remark(m, weight, "remark.first_some",
                   "%s's first turn destroys %d of %d %s units in %d%% of games", who, kills, enemies, whom,
                   percent(share));
}

static void remark_length(struct maker *m) {
    const struct judgement *j = m->judgement;
    const struct share limit = share_with(m->games - j->annihilated - j->forfeits, m->games);
    const double turns = judgement_turns(j);
    if (m->games >= GAMES_FOR_LENGTH && turns < SHORT_GAME)
        add_remark(m, REMARK_FAULT, "remark.short",
                   "games end in %.1f turns on average: there is no time to think", turns);
    const enum remark_weight weight = limit.interval.low >= 0.8 ? REMARK_FAULT : REMARK_NOTE;
    if (limit.interval.low >= 0.5 && limit.value >= 1)
        add_remark(m, weight, "remark.limit_always", "every game goes to the turn limit");
    else if (limit.interval.low >= 0.5)
        add_remark(m, weight, "remark.limit", "%d%% of games go to the turn limit", percent(limit.value));
}

/* Draws and forfeits. */
static void remark_results(struct maker *m) {
    const int forfeits = m->judgement->forfeits;
    const struct share decisive = judgement_decisive(m->judgement);
    const double drawn = 1 - decisive.value, low = 1 - decisive.interval.high;
    const bool many = drawn >= 0.45 && low >= 0.3;
    if (many && drawn <= 0.55)
        add_remark(m, REMARK_FAULT, "remark.drawn_half", "half of the games are drawn");
    else if (many && drawn >= 1)
        add_remark(m, REMARK_FAULT, "remark.drawn_always", "every game is drawn");
    else if (many || (drawn >= 0.25 && low >= 0.15))
        add_remark(m, many ? REMARK_FAULT : REMARK_NOTE, "remark.drawn", "%d%% of games are drawn",
                   percent(drawn));
    if (forfeits > 0)
        add_remark(m, REMARK_NOTE, "remark.forfeits", "%d of %d games %s forfeited: a player broke the rules",
                   forfeits, m->games, forfeits == 1 ? "was" : "were");
}

/* ---- units ---- */

/* Beside enum useless: a unit with a place to go and prey that still does not fight. The games show what
 * static features cannot. */
enum { IDLE = USELESS_STUCK + 1 };

/* The share of games in which the unit attacks. The mask of sample games has room for its id. */
static struct share attacks_of(const struct maker *m, int unit) {
    return share_with(m->judgement->attacked[unit], m->games);
}

/* A defect of units: the remark about one, and about several of a side. */
struct defect {
    const char *one, *several, *one_code, *several_code;
};

static const struct defect defects[] = {
    [USELESS_NO_PREY] = {"has no enemy it can attack", "have no enemy they can attack", "remark.no_prey",
                         "remark.no_prey_units"},
    [USELESS_STRANDED] = {"can never reach an enemy", "can never reach an enemy", "remark.stranded",
                          "remark.stranded_units"},
    [USELESS_STUCK] = {"cannot leave its cell", "cannot leave their cells", "remark.stuck",
                       "remark.stuck_units"},
};

/* A remark for each unit of the side with that defect, or one for all of them when they are many. Named units
 * get their cells, so that the page can mark them. */
static void remark_units(struct maker *m, int side, int use) {
    const char *who = tbs_side_names[side];
    int with[UNITS_NAMED_MAX], count = 0;
    for (int id = 0; id < m->map->unit_count; id++)
        if (m->map->units[id].side == side && m->features.use[id] == use) {
            if (count < UNITS_NAMED_MAX)
                with[count] = id;
            count++;
        }
    if (count > UNITS_NAMED_MAX && use == IDLE)
        add_remark(m, REMARK_NOTE, "remark.idle_units", "%d %s units hardly ever attack", count, who);
    else if (count > UNITS_NAMED_MAX)
        add_remark(m, REMARK_FAULT, defects[use].several_code, "%d %s units %s", count, who,
                   defects[use].several);
    for (int i = 0; i < count && count <= UNITS_NAMED_MAX; i++) {
        const struct tbs_map_unit *u = &m->map->units[with[i]];
        const char *type = tbs_unit_types[u->type].name;
        const struct phrase place = place_of(m, with[i]);
        const double attacks = use == IDLE ? attacks_of(m, with[i]).value : 0;
        struct remark *remark;
        if (use != IDLE)
            remark = add_remark(m, REMARK_FAULT, defects[use].one_code, "the %s %s%s %s", who, type,
                                place.text, defects[use].one);
        else if (attacks > 0)
            remark = add_remark(m, REMARK_NOTE, "remark.idle", "the %s %s%s attacks in only %d%% of games",
                                who, type, place.text, percent(attacks));
        else
            remark = add_remark(m, REMARK_NOTE, "remark.never_attacks", "the %s %s%s never attacks", who,
                                type, place.text);
        add_cell(remark, u->x, u->y);
    }
}

static void remark_all_attack(struct maker *m) {
    int least = m->games;
    for (int id = 0; id < m->map->unit_count && id < SAMPLE_MASK_UNITS; id++)
        least = m->judgement->attacked[id] < least ? m->judgement->attacked[id] : least;
    const struct share share = share_with(least, m->games);
    if (m->map->unit_count <= SAMPLE_MASK_UNITS && share.interval.low >= ALL_ATTACK)
        add_remark(m, REMARK_GOOD, "remark.all_attack",
                   "every unit fights: each attacks in %d%% of games or more", percent(share.value));
}

/* Without games: which side can attack at once. */
static void remark_first_attacks(struct maker *m) {
    const struct static_features *f = &m->features;
    const int attackers = f->attackers[m->first], units = m->units[m->first];
    bool are_useful = true; /* on both sides at least one unit */
    for (int side = 0; side < TBS_SIDES; side++)
        are_useful = are_useful && f->no_prey[side] + f->stranded[side] < m->units[side];
    if (units > 1 && 2 * attackers > units)
        add_remark(m, REMARK_NOTE, "remark.first_attacks", "%d of %d %s units can attack in the first turn",
                   attackers, units, tbs_side_names[m->first]);
    else if (f->attackers[TBS_RED] + f->attackers[TBS_BLUE] == 0 && are_useful)
        add_remark(m, REMARK_GOOD, "remark.no_first_attack",
                   "no unit can attack in the first turn: there is time to take up positions");
}

/* ---- terrain ---- */

/* The names of the cells of a kind, if they are few: " at (3, 4)", " at (3, 4) and (5, 1)", … With a remark
 * they become its cells, too. */
static struct phrase name_cells(const struct tbs_map *map, int count,
                                bool (*is)(const struct tbs_map *map, int x, int y), struct remark *remark) {
    struct phrase p = {""};
    int named = 0;
    size_t length = 0;
    for (int y = 1; y < map->height - 1 && count <= REMARK_CELLS_MAX; y++)
        for (int x = 1; x < map->width - 1; x++) {
            if (!is(map, x, y))
                continue;
            const char *link = named == 0 ? " at" : named + 1 == count ? " and" : ",";
            length += (size_t)snprintf(p.text + length, sizeof p.text - length, "%s (%d, %d)", link, x, y);
            named++;
            add_cell(remark, x, y);
        }
    return p;
}

static void remark_roads(struct maker *m) {
    const int isolated = m->features.isolated_roads, ends = m->features.road_ends;
    const struct phrase alone = name_cells(m->map, isolated, static_features_is_isolated_road, NULL),
                        last = name_cells(m->map, ends, static_features_is_road_end, NULL);
    struct remark *remark = NULL;
    if (isolated == 1)
        remark = add_remark(m, REMARK_FAULT, "remark.isolated_road", "an isolated road%s", alone.text);
    else if (isolated > 1)
        remark =
            add_remark(m, REMARK_FAULT, "remark.isolated_roads", "%d isolated roads%s", isolated, alone.text);
    name_cells(m->map, isolated, static_features_is_isolated_road, remark);
    remark = NULL;
    if (ends == 1)
        remark = add_remark(m, REMARK_NOTE, "remark.road_end", "a road leads nowhere%s", last.text);
    else if (ends > 1)
        remark = add_remark(m, REMARK_NOTE, "remark.road_ends", "%d roads lead nowhere", ends);
    name_cells(m->map, ends, static_features_is_road_end, remark);
}

/* Kinds of rough terrain on the map and what links them: "woods", ", ", "mountains", " and ", "sea"; with
 * `last` in place of " and ", and "" behind the last of them. */
static void rough_kinds(const struct maker *m, const char *last, const char *out[5]) {
    static const uint8_t kinds[] = {TBS_WOOD, TBS_MOUNTAIN, TBS_SEA};
    static const char *const names[] = {"woods", "mountains", "sea"};
    bool there[TBS_TERRAINS] = {false};
    for (int x = 1; x < m->map->width - 1; x++)
        for (int y = 1; y < m->map->height - 1; y++)
            there[m->map->terrain[x][y]] = true;
    const int count = there[TBS_WOOD] + there[TBS_MOUNTAIN] + there[TBS_SEA];
    int named = 0;
    for (int i = 0; i < 5; i++)
        out[i] = "";
    for (int i = 0; i < 3; i++)
        if (there[kinds[i]]) {
            if (named > 0)
                out[2 * named - 1] = named + 1 == count ? last : ", ";
            out[2 * named++] = names[i];
        }
}

static void remark_terrain(struct maker *m) {
    const struct static_features *l = &m->features;
    const bool none = l->coherence < STREWN_ALL && l->gathered == 0;
    const char *k[5];
    if (l->rough < PATCH_CELLS_MIN)
        return;
    rough_kinds(m, none ? " or " : " and ", k);
    const char *s = strcmp(k[0], "sea") == 0 ? "s" : "";
    if (none)
        add_remark(m, REMARK_FAULT, "remark.strewn_all", "terrain is strewn: no %s%s%s%s%s hang%s together",
                   k[0], k[1], k[2], k[3], k[4], s);
    else if (l->coherence < STREWN)
        add_remark(m, REMARK_FAULT, "remark.strewn", "terrain is strewn: %s%s%s%s%s hardly hang%s together",
                   k[0], k[1], k[2], k[3], k[4], s);
    else if (l->coherence >= COHERENT && 2 * l->gathered >= l->rough)
        add_remark(m, REMARK_GOOD, "remark.patches", "%s%s%s%s%s lie%s in patches", k[0], k[1], k[2], k[3],
                   k[4], s);
}

/* ---- all of it ---- */

void remarks_make(const struct tbs_map *map, const struct tbs_rules *rules, const struct judgement *judgement,
                  struct remarks *out) {
    struct maker m = {.map = map,
                      .judgement = judgement,
                      .games = judgement_games(judgement),
                      .first = TBS_BLUE,
                      .out = out};
    out->count = 0;
    static_features_of(map, rules, &m.features);
    for (int id = 0; id < map->unit_count; id++) {
        if (m.features.use[id] == USELESS_NOT && m.games >= GAMES_FOR_UNITS && id < SAMPLE_MASK_UNITS &&
            attacks_of(&m, id).interval.high < HARDLY_ATTACKS)
            m.features.use[id] = IDLE;
        m.units[map->units[id].side]++;
        if (map->units[id].side == TBS_RED && !map->units[id].done)
            m.first = TBS_RED;
    }
    if (m.games > 0) {
        remark_side_decides(&m);
        remark_favoured(&m);
        remark_strength(&m);
        for (int side = 0; side < TBS_SIDES; side++)
            remark_first_turn(&m, side);
        remark_length(&m);
        remark_results(&m);
    }
    for (int use = USELESS_NO_PREY; use <= IDLE; use++)
        for (int side = 0; side < TBS_SIDES; side++)
            remark_units(&m, side, use);
    if (m.games >= GAMES_FOR_UNITS)
        remark_all_attack(&m);
    remark_first_attacks(&m);
    remark_terrain(&m);
    remark_roads(&m);
}

/* ---- verdicts ---- */

static const char *const leanings[][TBS_SIDES] = {
    {"leans to red", "leans to blue"},
    {"favours red", "favours blue"},
    {"favours red strongly", "favours blue strongly"},
};

const char *remarks_fairness(const struct share *red, double tolerance) {
    const double low = red->interval.low - 0.5, high = red->interval.high - 0.5, value = red->value - 0.5;
    if (red->games == 0)
        return "fairness not measured";
    if (low >= -tolerance && high <= tolerance)
        return "fair";
    if (value >= -tolerance && value <= tolerance && low >= -2 * tolerance && high <= 2 * tolerance)
        return "about fair";
    const int side = low > 0 ? TBS_RED : TBS_BLUE;
    const double beyond = side == TBS_RED ? low : -high;
    if (beyond <= 0)
        return "not clear yet whether it is fair";
    return leanings[beyond > 2 * tolerance ? 2 : beyond > tolerance ? 1 : 0][side];
}

const char *remarks_strength(const struct share *strong) {
    const double low = strong->interval.low, high = strong->interval.high;
    if (strong->games == 0)
        return "strength not measured";
    if (low > 0.5)
        return low > 0.8 ? "strength decides" : low > 0.6 ? "strength tells" : "strength tells a little";
    if (high < 0.6)
        return high < 0.5 ? "the weaker player is better off" : "strength hardly tells";
    return "not clear yet whether strength tells";
}

/* ---- JSON: docs/map-generation.md explains every member ---- */

int judge_id(const struct tbs_map *map, const struct tbs_rules *rules, const char *strong, const char *weak) {
    const uint64_t players = sample_digest_players(rules, strong, weak);
    return (int)(sample_digest(players, map) & INT32_MAX);
}

/* null: it was not measured. What a judgement guesses then is for searches, not for people. */
static json_t *share_json(struct share share, bool is_measured) {
    if (!is_measured || share.games == 0)
        return json_null();
    return json_pack("{s:f, s:[f,f], s:i}", "value", share.value, "interval", share.interval.low,
                     share.interval.high, "games", share.games);
}

static bool has_both(const struct judgement *j) {
    return tally_games(&j->strong[TBS_RED]) > 0 && tally_games(&j->strong[TBS_BLUE]) > 0;
}

json_t *judge_judgement_json(const struct judgement *j) {
    json_t *first_kills = json_object(); /* the mean, and the share of games with one at least */
    for (int side = 0; side < TBS_SIDES; side++)
        json_object_set_new(first_kills, tbs_side_names[side],
                            json_pack("{s:f, s:f}", "mean", judgement_first_kills_mean(j, side), "any",
                                      judgement_first_kills(j, side, 1)));
    return json_pack("{s:i, s:{s:o, s:o, s:o}, s:o, s:o, s:f, s:o, s:i, s:i}", "games", judgement_games(j),
                     "strong", "both", share_json(judgement_strength(j), has_both(j)), "as_red",
                     share_json(judgement_strong_with(j, TBS_RED), true), "as_blue",
                     share_json(judgement_strong_with(j, TBS_BLUE), true), "red_between_equals",
                     share_json(judgement_red(j), tally_games(&j->peers) > 0), "decisive",
                     share_json(judgement_decisive(j), true), "turns", judgement_turns(j), "first_turn_kills",
                     first_kills, "annihilations", j->annihilated, "forfeits", j->forfeits);
}

struct json_t *remarks_json(const struct remarks *remarks) {
    static const char *const weights[] = {
        [REMARK_GOOD] = "good", [REMARK_NOTE] = "note", [REMARK_FAULT] = "fault"};
    json_t *array = json_array();
    for (int i = 0; i < remarks->count; i++) {
        const struct remark *remark = &remarks->items[i];
        json_t *object = json_pack("{s:s, s:s}", "weight", weights[remark->weight], "text", remark->text);
        json_t *cells = json_array();
        msg_add_json(object, &remark->msg, remark->text);
        for (int k = 0; k < remark->cell_count; k++)
            json_array_append_new(cells, json_pack("[ii]", remark->cells[k][0], remark->cells[k][1]));
        json_object_set_new(object, "cells", cells);
        json_array_append_new(array, object);
    }
    return array;
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
