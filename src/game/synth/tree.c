/* SPDX-License-Identifier: MIT
 *
 * The tree itself: payoffs at the leaves and what players learn on the way, each a hash of the tree's seed
 * and the place. Siblings share the hash of their parent, which says whether they are correlated.
 */
#include "game/synth/core.h"

#include <assert.h>

/* ---- payoffs ---- */

int synth_round(double draw, int top) {
    const double i = draw < 0 ? 0 : draw > 1 ? 1 : draw;
    int r = 0;
    while (!(i < (double)(2 * (r + 1) - 1) / (2 * top)) && r < top)
        r++;
    return r;
}

/* A bit for each sibling, not all alike, each such pattern as likely as the others. */
static uint64_t pattern(const struct synth_scenario *sc, uint64_t hash) {
    const int count = sc->params.branching;
    if (count == 2)
        return 1 + (hash >> 63);
    const uint64_t all = UINT64_MAX >> (64 - count);
    while ((hash & all) == 0 || (hash & all) == all)
        hash = synth_hash(hash, 1);
    return hash;
}

/* Of the first draws of all siblings that are not all alike. */
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

/* Lane 0 has said that they are uncorrelated, so that its lower half is no random number any more. */
int synth_draw_uncorrelated(const struct synth_scenario *sc, uint64_t sum, int child) {
    const int top = sc->params.top;
    if (sc->params.uncorrelated == SYNTH_DIFFERENT)
        return draw_different(sc, sum, child);
    assert(sc->params.uncorrelated == SYNTH_MIRROR || sc->params.uncorrelated == SYNTH_EXTREME);
    const int r = sc->params.uncorrelated == SYNTH_MIRROR ? synth_draw(sc, synth_hash(sum, 2)) : top;
    return pattern(sc, synth_hash(sum, 1)) >> child & 1 ? r : top - r;
}

int synth_leaf(const struct scenario *scenario, const struct synth_place *place, const int types[2]) {
    const uint16_t world[2] = {(uint16_t)types[0], (uint16_t)types[1]};
    return synth_leaf_at(synth_scenario_of(scenario), place->tree, place->path, world);
}

/* ---- what players learn ---- */

/* The place after the first `ply` moves: its path. */
static uint64_t path_at(const struct synth_scenario *sc, const struct synth_place *place, int ply) {
    uint64_t path = place->path;
    if (sc->shift > 0)
        return path >> sc->shift * (place->ply - ply);
    for (int i = ply; i < place->ply; i++)
        path /= (uint64_t)sc->params.branching;
    return path;
}

static bool is_split(const struct synth_scenario *sc, uint64_t sum, struct synth_block cell) {
    return synth_hash(sum, (uint64_t)cell.first << 8 | (uint64_t)cell.span) >> 32 < sc->splits;
}

struct synth_block synth_cell_block(const struct synth_scenario *sc, const struct synth_place *place,
                                    int side, int own, struct synth_block within) {
    struct synth_block cell = {0, sc->span};
    for (int ply = side; ply <= place->ply && ply < sc->params.depth; ply += 2) {
        const uint64_t about = ((uint64_t)own << 8 | (uint64_t)ply) << 8 | SYNTH_ABOUT_CELL;
        const uint64_t sum = synth_sum(place->tree, about, path_at(sc, place, ply));
        while (cell.span > within.span && is_split(sc, sum, cell)) {
            cell.span--;
            cell.first = within.first >> cell.span << cell.span;
        }
    }
    return cell;
}

struct synth_cell synth_cell(const struct scenario *scenario, const struct synth_place *place, int side,
                             const int types[2]) {
    const struct synth_block cell = synth_cell_block(synth_scenario_of(scenario), place, side, types[side],
                                                     (struct synth_block){types[side ^ 1], 0});
    return (struct synth_cell){cell.first, 1 << cell.span};
}
