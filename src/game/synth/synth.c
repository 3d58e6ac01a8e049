/* SPDX-License-Identifier: MIT
 *
 * The synthetic trees of synth.h: scenarios, the tree itself, rules, views and notation.
 *
 * Payoffs at the leaves and what players learn on the way are hashes of the tree's seed and the place.
 * Siblings share the hash of their parent, which decides whether they are correlated.
 */
#include "game/synth/synth.h"

#include "base/bits.h"
#include "game/plain.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SYNTH_GUIDES = 256, SYNTH_RESULT_SIZE = 32 };

/* Probabilities are multiples of 1 / 2^32: random numbers of 32 bits are compared with them exactly, and the
 * rounding of the last bit of a normal distribution in a C library does not matter. */
#define SYNTH_CERTAIN (UINT64_C(1) << 32)

struct synth_scenario {
    struct scenario base; /* first member */
    struct synth_params params;
    int span;                             /* log2 of worlds */
    int shift;                            /* log2 of branching, or 0 when it is no power of two */
    uint64_t correlated, splits;          /* probabilities */
    uint64_t below[SYNTH_TOP_MAX + 1];    /* probability that a payoff is at most this */
    uint8_t guide[SYNTH_GUIDES];          /* the payoff for the smallest draw with these 8 leading bits */
    double payoffs[2][SYNTH_TOP_MAX + 1]; /* to each side, 0 … 1 */
    char results[SYNTH_TOP_MAX + 1][SYNTH_RESULT_SIZE];
};

static inline const struct synth_scenario *synth_scenario_of(const struct scenario *scenario) {
    return (const struct synth_scenario *)scenario;
}

/* The types a side may have: 2^span from `first`. */
struct synth_block {
    int first, span;
};

/* ---- hashes ---- */

/* Odd constants that spread small numbers over 64 bits, so that sums of them stay different. */
#define SYNTH_TREE  UINT64_C(0x9E3779B97F4A7C15)
#define SYNTH_ABOUT UINT64_C(0xC13FA9A902A6328F)
#define SYNTH_PATH  UINT64_C(0x91E10DA5C79E7B1D)
#define SYNTH_LANE  UINT64_C(0xD6E8FEB86659FD93)

/* Domains of hashes: the low byte separates leaves from cells. */
enum { SYNTH_ABOUT_LEAF = 1, SYNTH_ABOUT_CELL = 2 };

/* Not yet mixed: the caller may add a lane to get one of several numbers of a place. */
static inline uint64_t synth_sum(uint64_t tree, uint64_t about, uint64_t path) {
    return tree * SYNTH_TREE + about * SYNTH_ABOUT + path * SYNTH_PATH;
}

/* The lane-th random number of a place. */
static inline uint64_t synth_hash(uint64_t sum, uint64_t lane) {
    return rng_mix(sum + lane * SYNTH_LANE);
}

/* The payoff whose part of 0 … 2^32 contains the upper half of a hash. */
static inline int synth_draw(const struct synth_scenario *sc, uint64_t hash) {
    const uint64_t draw = hash >> 32;
    int r = sc->guide[draw >> 24];
    while (draw >= sc->below[r])
        r++;
    return r;
}

/* ---- payoffs at the leaves: a playout is one of these and little else ---- */

int synth_round(double draw, int top) {
    const double i = draw < 0 ? 0 : draw > 1 ? 1 : draw;
    int r = 0;
    while (!(i < (double)(2 * (r + 1) - 1) / (2 * top)) && r < top)
        r++;
    return r;
}

/* Draws for all siblings are repeated until they are not all equal; returns this child's. */
static int draw_different(const struct synth_scenario *sc, uint64_t sum, int child) {
    const int count = sc->params.branching;
    for (uint64_t lane = 1;; lane += (uint64_t)count) {
        const int first = synth_draw(sc, synth_hash(sum, lane));
        int mine = first;
        bool alike = true;
        for (int i = 1; i < count; i++) {
            const int r = synth_draw(sc, synth_hash(sum, lane + (uint64_t)i));
            alike = alike && r == first;
            mine = i == child ? r : mine;
        }
        if (!alike)
            return mine;
    }
}

/* The other readings of uncorrelated siblings. Lane 0 was already used to decide that they are uncorrelated,
 * so its lower half is not random any more. Inlined, it would slow down all other playouts by a fifth. */
__attribute__((noinline)) static int synth_draw_uncorrelated(const struct synth_scenario *sc, uint64_t sum,
                                                             int child) {
    const int top = sc->params.top;
    if (sc->params.uncorrelated == SYNTH_DIFFERENT)
        return draw_different(sc, sum, child);
    assert(sc->params.uncorrelated == SYNTH_MIRROR || sc->params.uncorrelated == SYNTH_EXTREME);
    const int r = sc->params.uncorrelated == SYNTH_MIRROR ? synth_draw(sc, synth_hash(sum, 2)) : top;
    /* A bit for each sibling, not all equal; all such patterns are equally likely. */
    const uint64_t all = UINT64_MAX >> (64 - sc->params.branching);
    uint64_t pattern = synth_hash(sum, 1);
    if (sc->params.branching == 2)
        pattern = 1 + (pattern >> 63);
    while ((pattern & all) == 0 || (pattern & all) == all)
        pattern = synth_hash(pattern, 1);
    return pattern >> child & 1 ? r : top - r;
}

/* The lower half of the parent's hash decides whether its children are correlated: then all have the draw of
 * the upper half, otherwise (independent ones) each has that of its own lane. Without a branch, because it
 * would be unpredictable. */
static inline int synth_leaf(const struct synth_state *s) {
    const struct synth_scenario *sc = s->scenario;
    const uint64_t branching = (uint64_t)sc->params.branching;
    const uint64_t parent = sc->shift > 0 ? s->path >> sc->shift : s->path / branching;
    const uint64_t child = s->path - parent * branching;
    const uint64_t world = (uint64_t)s->first[0] << 16 | s->first[1];
    const uint64_t sum = synth_sum(s->tree, world << 8 | SYNTH_ABOUT_LEAF, parent);
    const uint64_t common = synth_hash(sum, 0), own = synth_hash(sum, child);
    const uint64_t correlated = 0 - (uint64_t)((common & (SYNTH_CERTAIN - 1)) < sc->correlated);
    if (sc->params.uncorrelated != SYNTH_INDEPENDENT && correlated == 0)
        return synth_draw_uncorrelated(sc, sum, (int)child);
    return synth_draw(sc, (common & correlated) | (own & ~correlated));
}

/* ---- what players learn ---- */

/* The block of the other's types that `side` cannot distinguish, for its own type. The other's type is in
 * `within`: the answer is that block or a wider one. The block may be halved at each move of the side. */
static struct synth_block cell_of(const struct synth_state *s, int side, struct synth_block within) {
    const struct synth_scenario *sc = s->scenario;
    struct synth_block cell = {0, sc->span};
    for (int ply = side; ply <= s->ply && ply < sc->params.depth; ply += 2) {
        const uint64_t about = ((uint64_t)s->first[side] << 8 | (uint64_t)ply) << 8 | SYNTH_ABOUT_CELL;
        uint64_t path = s->path; /* after the first `ply` moves */
        for (int i = ply; i < s->ply; i++)
            path = sc->shift > 0 ? path >> sc->shift : path / (uint64_t)sc->params.branching;
        const uint64_t sum = synth_sum(s->tree, about, path);
        while (cell.span > within.span &&
               synth_hash(sum, (uint64_t)cell.first << 8 | (uint64_t)cell.span) >> 32 < sc->splits) {
            cell.span--;
            cell.first = within.first >> cell.span << cell.span;
        }
    }
    return cell;
}

/* ---- scenarios ---- */

/* Paths have at most 62 bits, which leaves room for arithmetic. */
#define PATHS_MAX (UINT64_C(1) << 62)

/* With uncorr=different draws are repeated while they are equal; a higher probability of that is refused. */
#define ALIKE_MAX 0.99

#define AT(field) offsetof(struct synth_scenario, params.field)

static const struct param synth_options[] = {
    {"worlds", PARAM_INT, AT(worlds), 1, SYNTH_WORLDS_MAX, 8, .help = "types of each player, a power of two"},
    {"depth", PARAM_INT, AT(depth), 1, SYNTH_DEPTH_MAX, 6,
     .help = "moves of a game, of both players together"},
    {"branching", PARAM_INT, AT(branching), 2, SYNTH_BRANCHING_MAX, 2, .help = "actions at each move"},
    {"payoffs", PARAM_CHOICE, AT(payoffs), .choices = "normal|signs",
     .help = "normal: 0 to r, normally distributed; signs: 1 or 0, Long's +1 and -1"},
    {"r", PARAM_INT, AT(top), 1, SYNTH_TOP_MAX, 4, .help = "the highest payoff"},
    {"lc", PARAM_REAL, AT(correlation), 0, 1, 0.3,
     .help = "leaf correlation: how often all leaves of one parent are made equal"},
    {"bias", PARAM_REAL, AT(bias), 0, 1, 0.75, .help = "towards the first player"},
    {"mu", PARAM_REAL, AT(mean), -1, 1, -1, .help = "mean of payoffs=normal; negative: the bias"},
    {"sd", PARAM_REAL, AT(deviation), -1, 10, -1,
     .help = "standard deviation of payoffs=normal; negative: 1/r"},
    {"uncorr", PARAM_CHOICE, AT(uncorrelated), .choices = "independent|mirror|extreme|different",
     .help = "what leaves get that are not made equal: draws of their own; x and r-x; r and 0 (the default "
             "with signs); draws until they differ"},
    {"df", PARAM_REAL, AT(disambiguation), 0, 1, 0.5,
     .help = "disambiguation factor: how readily the possible types are halved at a move"},
    {"tree", PARAM_INT, AT(tree), 0, 2147483647, 0,
     .help = "the tree's seed; 0: every game has a tree of its own"},
    {0},
};

/* True when the spec itself sets the option, in place of the table's default. */
static bool is_given(const struct spec *spec, const char *name) {
    for (int i = 0; spec != NULL && i < spec->count; i++)
        if (strcmp(spec->pairs[i].key, name) == 0)
            return true;
    return false;
}

/* What the ranges of the table cannot express: defaults that depend on `payoffs`, powers of two, and the
 * number of paths. Long's payoffs are 1 and 0, and siblings that are not equal are opposites unless the spec
 * sets `uncorr`. */
static bool resolve(const struct spec *spec, struct synth_params *p, struct err *e) {
    if (p->payoffs == SYNTH_SIGNS) {
        if (is_given(spec, "r") && p->top != 1)
            return err_set(e, "synth: r=%d and payoffs=signs contradict each other; with signs r is 1",
                           p->top);
        if ((is_given(spec, "mu") && p->mean >= 0) || (is_given(spec, "sd") && p->deviation >= 0))
            return err_set(e, "synth: mu and sd belong to payoffs=normal; with signs the bias decides alone");
        p->top = 1;
        p->uncorrelated = is_given(spec, "uncorr") ? p->uncorrelated : SYNTH_EXTREME;
    }
    if ((p->worlds & (p->worlds - 1)) != 0)
        return err_set(e, "synth: worlds=%d is no power of two; cells could not be halved", p->worlds);
    uint64_t most = PATHS_MAX - 1; /* divided, because the powers may not fit into 64 bits */
    for (int i = 0; i < p->depth; i++)
        most /= (uint64_t)p->branching;
    return most > 0 ||
           err_set(e,
                   "synth: branching=%d and depth=%d make too large a tree; expected fewer than 2^62 leaves",
                   p->branching, p->depth);
}

/* ---- scenarios: tables ---- */

static uint64_t probability(double p) {
    return (uint64_t)floor(p * (double)SYNTH_CERTAIN + 0.5);
}

/* The probability that a payoff is at most r (r below the top): that a normal draw is below (2 (r + 1) - 1) /
 * (2 top), equation (4). Clamping the draw to 0 … 1 first makes no difference there. */
static double at_most(const struct synth_params *p, int r) {
    if (p->payoffs == SYNTH_SIGNS)
        return 1 - p->bias;
    const double mean = p->mean < 0 ? p->bias : p->mean;
    const double deviation = p->deviation < 0 ? 1.0 / p->top : p->deviation;
    if (!(deviation > 0))
        return synth_round(mean, p->top) <= r ? 1 : 0;
    const double edge = (double)(2 * (r + 1) - 1) / (2 * p->top);
    return 0.5 * erfc((mean - edge) / deviation * 0x1.6a09e667f3bcdp-1); /* 1 / sqrt 2 */
}

/* Everything that a playout would otherwise compute again: thresholds, payoffs, result texts. */
static void fill_tables(struct synth_scenario *sc) {
    const struct synth_params *p = &sc->params;
    sc->span = bits_first((uint64_t)p->worlds); /* the logarithm of a power of two */
    sc->shift = (p->branching & (p->branching - 1)) == 0 ? bits_first((uint64_t)p->branching) : 0;
    sc->correlated = probability(p->correlation);
    sc->splits = probability(p->disambiguation);
    for (int r = 0; r < p->top; r++)
        sc->below[r] = probability(at_most(p, r));
    sc->below[p->top] = SYNTH_CERTAIN;
    for (uint64_t i = 0; i < SYNTH_GUIDES; i++)
        while (i << 24 >= sc->below[sc->guide[i]])
            sc->guide[i]++;
    for (int r = 0; r <= p->top; r++) {
        sc->payoffs[0][r] = (double)r / p->top;
        sc->payoffs[1][r] = 1 - sc->payoffs[0][r];
        snprintf(sc->results[r], sizeof sc->results[r], "%d of %d", r, p->top);
    }
}

/* The probability that independently drawn siblings are all equal. */
static double share_alike(const struct synth_scenario *sc) {
    double share = 0;
    for (int r = 0; r <= sc->params.top; r++) {
        const uint64_t before = r == 0 ? 0 : sc->below[r - 1];
        share += pow((double)(sc->below[r] - before) / (double)SYNTH_CERTAIN, sc->params.branching);
    }
    return share;
}

/* Combinations that cannot be played are refused here, so that states need no checks. */
static bool complete(struct scenario *scenario, const struct game_source *source, struct err *e) {
    struct synth_scenario *sc = (struct synth_scenario *)scenario;
    if (!resolve(source->options, &sc->params, e))
        return false;
    fill_tables(sc);
    return sc->params.uncorrelated != SYNTH_DIFFERENT || share_alike(sc) <= ALIKE_MAX ||
           err_set(e, "synth: uncorr=different cannot be had: with these payoffs siblings are nearly always "
                      "alike; expected a mean nearer to 0.5 or a larger sd");
}

const struct synth_params *synth_params_of(const struct scenario *scenario) {
    return &synth_scenario_of(scenario)->params;
}

/* ---- rules ---- */

/* Sides alternate, all actions are always available, and after `depth` moves the tree decides the payoffs. */

/* Both players know the tree's number. It must not reveal the generator's state, from which the types are
 * drawn next: 31 bits do not, and the option `tree` can name every tree. */
static void start(void *state, const struct scenario *scenario, struct rng *r) {
    const struct synth_params *p = synth_params_of(scenario);
    const uint64_t tree = p->tree != 0 ? (uint64_t)p->tree : 1 + (uint64_t)rng_below(r, INT32_MAX);
    struct synth_state *s = state;
    *s = (struct synth_state){.scenario = synth_scenario_of(scenario), .tree = tree};
    for (int side = 0; side < 2; side++)
        s->first[side] = (uint16_t)rng_below(r, (uint32_t)p->worlds);
}

/* The first player moves at even plies; a game has exactly `depth` of them. */
static int mover(const void *state) {
    const struct synth_state *s = state;
    return s->ply < s->scenario->params.depth ? s->ply % 2 : NOBODY;
}

/* 0, 1, 2 … */
static int actions(const void *state, action *out) {
    if (mover(state) == NOBODY)
        return 0;
    const int count = ((const struct synth_state *)state)->scenario->params.branching;
    for (int i = 0; i < count; i++)
        out[i] = (action)i;
    return count;
}

static bool is_legal(const void *state, action a) {
    return mover(state) != NOBODY &&
           a < (action)((const struct synth_state *)state)->scenario->params.branching;
}

/* The path is a number in base `branching`: a parent is a division, or a shift for powers of two. */
static void play(void *state, action a, struct rng *r) {
    (void)r;
    struct synth_state *s = state;
    s->path = s->path * (uint64_t)s->scenario->params.branching + a;
    s->ply++;
}

/* Only full states have payoffs; for a view this is the payoff of one of its worlds. */
static double payoff(const void *state, int side) {
    const struct synth_state *s = state;
    return s->scenario->payoffs[side][synth_leaf(s)];
}

static int turn(const void *state) {
    return ((const struct synth_state *)state)->ply;
}

/* Tree, known types and path: everything that distinguishes two states or views. */
static uint64_t key(const void *state) {
    const struct synth_state *s = state;
    const uint64_t known = (uint64_t)s->first[0] | (uint64_t)s->first[1] << 16 | (uint64_t)s->span[0] << 32 |
                           (uint64_t)s->span[1] << 40 | (uint64_t)s->ply << 48 | UINT64_C(1) << 56;
    return rng_mix(rng_mix(s->tree + known) + s->path);
}

static bool valid(const void *state) {
    const struct synth_state *s = state;
    const struct synth_scenario *sc = s->scenario;
    if (s->ply > sc->params.depth || s->unused != 0)
        return false;
    for (int side = 0; side < 2; side++)
        if (s->span[side] > sc->span || s->first[side] >= sc->params.worlds ||
            s->first[side] >> s->span[side] << s->span[side] != s->first[side])
            return false;
    uint64_t paths = 1;
    for (int i = 0; i < s->ply; i++)
        paths *= (uint64_t)sc->params.branching;
    return s->path < paths;
}

/* All remaining moves at once: with a power of two for branching they are the bits of one random number. */
static long rollout(void *state, struct rng *r, int turns_max) {
    struct synth_state *s = state;
    const struct synth_scenario *sc = s->scenario;
    int count = sc->params.depth - s->ply;
    if (turns_max > 0 && turns_max < count)
        count = turns_max;
    if (count == 0)
        return 0;
    const int bits = sc->shift * count;
    if (bits > 0)
        s->path = s->path << bits | rng_next(r) >> (64 - bits);
    for (int i = 0; i < count && bits == 0; i++)
        s->path = s->path * (uint64_t)sc->params.branching + rng_below(r, (uint32_t)sc->params.branching);
    s->ply = (uint8_t)(s->ply + count);
    return count;
}

/* ---- views ---- */

/* All types of the side are possible again. */
static void forget(struct synth_state *s, int side) {
    s->first[side] = 0;
    s->span[side] = (uint8_t)s->scenario->span;
}

/* What the side knows of the other depends on its own type; if that is unknown, so is the other's. */
static void hide(void *state, int side) {
    struct synth_state *s = state;
    const int other = side == 0 ? 1 : 0;
    if (side == NOBODY)
        forget(s, 1);
    if (side == NOBODY || s->span[side] > 0) {
        forget(s, other);
        return;
    }
    const struct synth_block cell = cell_of(s, side, (struct synth_block){s->first[other], s->span[other]});
    s->first[other] = (uint16_t)cell.first;
    s->span[other] = (uint8_t)cell.span;
}

/* Both spans are powers of two, so that the product is exact. */
static double worlds(const void *view) {
    const struct synth_state *s = view;
    return (double)(UINT64_C(1) << (s->span[0] + s->span[1]));
}

/* All types of the second player for the first type of the first player, and so on. */
static void world(void *view, uint64_t number) {
    struct synth_state *s = view;
    const uint64_t mask = (UINT64_C(1) << s->span[1]) - 1;
    s->first[1] = (uint16_t)(s->first[1] + (number & mask));
    s->first[0] = (uint16_t)(s->first[0] + (number >> s->span[1]));
    s->span[0] = s->span[1] = 0;
}

/* One random number gives both types: their spans are bits of it. */
static void determinize(void *view, struct rng *r) {
    const struct synth_state *s = view;
    const int bits = s->span[0] + s->span[1];
    if (bits > 0)
        world(view, rng_next(r) >> (64 - bits));
}

/* ---- notation ---- */

static const char letters[] = "LR";

/* Two actions have letters, more have numbers. */
static bool has_letters(const struct synth_scenario *sc) {
    return sc->params.branching == 2;
}

static void write_action(const void *state, action a, struct text *out) {
    if (has_letters(((const struct synth_state *)state)->scenario))
        text_add_bytes(out, &letters[a], 1);
    else
        text_add(out, "%d", (int)a);
}

static void write_state(const void *state, struct text *out) {
    const struct synth_state *s = state;
    const uint64_t branching = (uint64_t)s->scenario->params.branching;
    uint8_t moves[SYNTH_DEPTH_MAX];
    uint64_t path = s->path;
    for (int i = s->ply; i-- > 0; path /= branching)
        moves[i] = (uint8_t)(path % branching);
    text_add(out, "tree=%llu moves=%s", (unsigned long long)s->tree, s->ply == 0 ? "-" : "");
    for (int i = 0; i < s->ply; i++) {
        text_add_string(out, i > 0 && !has_letters(s->scenario) ? "." : "");
        write_action(state, moves[i], out);
    }
    text_add_string(out, " types=");
    for (int side = 0; side < 2; side++) {
        const int first = s->first[side], size = 1 << s->span[side];
        if (size == 1)
            text_add(out, "%d", first);
        else if (s->span[side] == s->scenario->span)
            text_add_string(out, "?");
        else
            text_add(out, "?%d-%d", first, first + size - 1);
        text_add_string(out, side == 0 ? "," : "\n");
    }
}

/* A number without sign or blanks, at most `most`. */
static bool to_number(const char *text, int most, int *out) {
    const size_t digits = strspn(text, "0123456789");
    long value;
    if (digits == 0 || digits > 9 || text[digits] != '\0' || !text_to_int(text, &value) || value > most)
        return false;
    *out = (int)value;
    return true;
}

static bool read_move(const struct synth_scenario *sc, const char *text, int *out, struct err *e) {
    if (has_letters(sc)) {
        const char *letter = text[0] != '\0' && text[1] == '\0' ? strchr(letters, text[0]) : NULL;
        *out = letter != NULL ? (int)(letter - letters) : 0;
        return letter != NULL || err_set(e, "'%.64s' is no action; expected L or R", text);
    }
    return to_number(text, sc->params.branching - 1, out) ||
           err_set(e, "'%.64s' is no action; expected 0 to %d", text, sc->params.branching - 1);
}

static bool read_action(const void *state, const char *text, action *out, struct err *e) {
    int move = 0;
    const bool is_read = read_move(((const struct synth_state *)state)->scenario, text, &move, e);
    *out = (action)move;
    return is_read && !plain_is_over(state, text, e);
}

/* Letters follow each other, numbers are separated by dots. */
static bool read_moves(struct synth_state *s, char *moves, struct err *e) {
    const struct synth_params *p = &s->scenario->params;
    const bool by_letter = has_letters(s->scenario);
    char *at = strcmp(moves, "-") == 0 ? NULL : moves;
    while (at != NULL && !(by_letter && *at == '\0')) {
        const char letter[2] = {*at}, *text = by_letter ? letter : at;
        int move;
        at = by_letter ? at + 1 : strchr(at, '.');
        if (!by_letter && at != NULL)
            *at++ = '\0';
        if (s->ply == p->depth)
            return err_set(e, "there are more than %d moves", p->depth);
        if (!read_move(s->scenario, text, &move, e))
            return err_prefix(e, "move %d: ", s->ply + 1);
        s->path = s->path * (uint64_t)p->branching + (uint64_t)move;
        s->ply++;
    }
    return true;
}

/* "4-7": aligned, and of a size that halving can give. */
static bool to_block(const char *range, int worlds, struct synth_block *out) {
    char first[16];
    const char *dash = strchr(range, '-');
    int last;
    if (dash == NULL)
        return false;
    snprintf(first, sizeof first, "%.*s", (int)(dash - range), range);
    if (!to_number(first, worlds - 1, &out->first) || !to_number(dash + 1, worlds - 1, &last))
        return false;
    const int size = last - out->first + 1;
    for (out->span = 0; 1 << out->span < size;)
        out->span++;
    return size > 1 && 1 << out->span == size && out->first % size == 0;
}

/* "3" a type, "?" any, "?4-7" an aligned block of them. */
static bool read_type(struct synth_state *s, int side, const char *text, struct err *e) {
    const int worlds = s->scenario->params.worlds;
    struct synth_block block = {0, 0};
    if (strcmp(text, "?") == 0)
        block.span = s->scenario->span;
    else if (text[0] == '?' ? !to_block(text + 1, worlds, &block)
                            : !to_number(text, worlds - 1, &block.first))
        return err_set(e, "type '%.64s': expected 0 to %d, ?, or a cell of them like ?0-%d", text, worlds - 1,
                       worlds / 2 > 1 ? worlds / 2 - 1 : 1);
    s->first[side] = (uint16_t)block.first;
    s->span[side] = (uint8_t)block.span;
    return true;
}

static bool read_state(void *state, const struct scenario *scenario, const char *text, struct err *e) {
    struct plain_fields fields;
    struct synth_state *s = state;
    unsigned long long tree;
    char *types[2];
    if (!plain_read_fields(text, (const char *const[]){"tree", "moves", "types", NULL}, &fields, e))
        return false;
    if (!text_to_u64(fields.values[0], &tree))
        return err_set(e, "tree=%.64s: expected a whole number", fields.values[0]);
    *s = (struct synth_state){.scenario = synth_scenario_of(scenario), .tree = tree};
    const int fixed = s->scenario->params.tree;
    if (fixed != 0 && tree != (unsigned long long)fixed)
        return err_set(e, "tree=%.64s: this game is played on tree %d", fields.values[0], fixed);
    if (!read_moves(s, fields.values[1], e))
        return false;
    if (text_split(fields.values[2], ',', types, 2) != 2)
        return err_set(e, "types=%.64s: expected two, parted by a comma", fields.values[2]);
    return read_type(s, 0, types[0], e) && read_type(s, 1, types[1], e);
}

static const char *result(const void *state) {
    const struct synth_state *s = state;
    if (s->ply < s->scenario->params.depth)
        return "none";
    if (s->span[0] > 0 || s->span[1] > 0)
        return "unknown";
    return s->scenario->results[synth_leaf(s)];
}

/* The default of `uncorr` depends on the payoffs, so with signs it is always written. */
static void write_options(const struct scenario *scenario, struct text *out) {
    const struct synth_params *p = synth_params_of(scenario);
    params_write(synth_options, scenario, out); /* with signs this is never empty */
    if (p->payoffs == SYNTH_SIGNS && p->uncorrelated == SYNTH_INDEPENDENT)
        text_add_string(out, ",uncorr=independent");
}

static void scale(const struct scenario *scenario, struct payoff_scale *out) {
    *out = (struct payoff_scale){0, synth_params_of(scenario)->top, ""};
}

static const struct notation notation = {
    PLAIN_NOTATION,
    .write_options = write_options,
    .scale = scale,
    .side_names = {"first", "second"},
};

/* ---- the table ---- */

static const struct rollout rollouts[] = {{"random", "every action is as likely as the others", rollout},
                                          {0}};
static const struct action_list lists[] = {{"all", "all actions, which are always the same", actions}, {0}};

const struct game synth_game = {
    .name = "synth",
    .help = "synthetic trees: each player has a type the other learns of bit by bit",
    .state_size = sizeof(struct synth_state),
    .actions_max = SYNTH_BRANCHING_MAX,
    .options = synth_options,
    .scenario_size = sizeof(struct synth_scenario),
    .complete = complete,
    PLAIN_SLOTS,
    PLAIN_VIEWS,
    .play = play,
    .determinize = determinize,
    .evals = plain_evals,
};
