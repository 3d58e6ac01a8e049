/* SPDX-License-Identifier: MIT
 *
 * A count that knows when it left 64 bits (private to map_turn.c and its test).
 */
#ifndef GAME_TBS_MAP_TALLY_H
#define GAME_TBS_MAP_TALLY_H

#include <stdint.h>

struct map_tally {
    uint64_t exact; /* UINT64_MAX: at least that, see `real` */
    double real;
};

static inline struct map_tally map_tally_of(int n) {
    return (struct map_tally){(uint64_t)n, n};
}

static inline struct map_tally map_tally_sum(struct map_tally a, struct map_tally b) {
    const uint64_t room = UINT64_MAX - a.exact;
    return (struct map_tally){b.exact < room ? a.exact + b.exact : UINT64_MAX, a.real + b.real};
}

#endif
