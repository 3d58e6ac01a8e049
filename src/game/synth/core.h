/* SPDX-License-Identifier: MIT
 *
 * Private to the game: its scenario and its state.
 *
 * What is known of a side's type is an aligned block of 2^span types; a full state has spans of 0. A view is
 * the same with a wider block, so nothing says whose view it is, and a view in which nothing is unknown is
 * the state itself.
 */
#ifndef GAME_SYNTH_CORE_H
#define GAME_SYNTH_CORE_H

#include "game/synth/synth.h"

enum { SYNTH_GUIDES = 256, SYNTH_RESULT_SIZE = 32 };

/* Probabilities are whole numbers of 1 / 2^32: drawn numbers of 32 bits are compared with them exactly, and
 * how a C library rounds the last bit of a normal distribution does not matter. */
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

struct synth_state {
    const struct synth_scenario *scenario;
    uint64_t tree, path;
    uint16_t first[2]; /* of the types it may be … */
    uint8_t span[2];   /* … of which there are 2^span */
    uint8_t ply, unused;
};

static inline const struct synth_scenario *synth_scenario_of(const struct scenario *scenario) {
    return (const struct synth_scenario *)scenario;
}

/* The types a side may have: 2^span from `first`. */
struct synth_block {
    int first, span;
};

/* The block of the other's types that `side` cannot tell apart, for a type of its own. The other's type is
 * known to be in `within`: the answer is that block or a wider one. */
struct synth_block synth_cell_block(const struct synth_scenario *sc, const struct synth_place *place,
                                    int side, int own, struct synth_block within);

extern const struct notation synth_notation;
extern const struct param synth_options[];
struct scenario *synth_load(const struct game_source *source, struct err *e);

/* ---- leaves: a playout is one of these and little else ---- */

/* Odd numbers that spread small ones over 64 bits, so that what is added up stays apart. */
#define SYNTH_TREE  UINT64_C(0x9E3779B97F4A7C15)
#define SYNTH_ABOUT UINT64_C(0xC13FA9A902A6328F)
#define SYNTH_PATH  UINT64_C(0x91E10DA5C79E7B1D)
#define SYNTH_LANE  UINT64_C(0xD6E8FEB86659FD93)

/* What a hash is about: the low byte keeps leaves and cells apart. */
enum { SYNTH_ABOUT_LEAF = 1, SYNTH_ABOUT_CELL = 2 };

/* Not yet mixed: something may be added for one of several numbers wanted there. */
static inline uint64_t synth_sum(uint64_t tree, uint64_t about, uint64_t path) {
    return tree * SYNTH_TREE + about * SYNTH_ABOUT + path * SYNTH_PATH;
}

/* The lane-th random number of a place. */
static inline uint64_t synth_hash(uint64_t sum, uint64_t lane) {
    return rng_mix(sum + lane * SYNTH_LANE);
}

/* The payoff into whose share of 0 … 2^32 the upper half of a hash falls. */
static inline int synth_draw(const struct synth_scenario *sc, uint64_t hash) {
    const uint64_t draw = hash >> 32;
    int r = sc->guide[draw >> 24];
    while (draw >= sc->below[r])
        r++;
    return r;
}

/* For the other readings of what siblings get that are not correlated. */
int synth_draw_uncorrelated(const struct synth_scenario *sc, uint64_t sum, int child);

/* The parent's lower half says whether its children are correlated: then all have the draw of the upper half,
 * otherwise (independent ones) each that of its own lane. No branch: it could not be foreseen. */
static inline int synth_leaf_at(const struct synth_scenario *sc, uint64_t tree, uint64_t path,
                                const uint16_t types[2]) {
    const uint64_t branching = (uint64_t)sc->params.branching;
    const uint64_t parent = sc->shift > 0 ? path >> sc->shift : path / branching;
    const uint64_t child = path - parent * branching;
    const uint64_t world = (uint64_t)types[0] << 16 | types[1];
    const uint64_t sum = synth_sum(tree, world << 8 | SYNTH_ABOUT_LEAF, parent);
    const uint64_t common = synth_hash(sum, 0), own = synth_hash(sum, child);
    const uint64_t correlated = 0 - (uint64_t)((common & (SYNTH_CERTAIN - 1)) < sc->correlated);
    if (sc->params.uncorrelated != SYNTH_INDEPENDENT && correlated == 0)
        return synth_draw_uncorrelated(sc, sum, (int)child);
    return synth_draw(sc, (common & correlated) | (own & ~correlated));
}

#endif
