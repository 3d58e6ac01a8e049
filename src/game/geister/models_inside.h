/* SPDX-License-Identifier: MIT
 *
 * Private to models.c and models_rollout.c: whose colours are unknown, and how many of them.
 */
#ifndef GAME_GEISTER_MODELS_INSIDE_H
#define GAME_GEISTER_MODELS_INSIDE_H

#include "game/geister/core.h"
#include "game/geister/models.h"

/* The side of which the root does not know all colours (the second, should it know them all). */
static inline int models_hider(const struct geister *s) {
    return (s->known[0] & ~s->drawn[0]) != CORE_ALL_PIECES ? 0 : 1;
}

/* Of that side: pieces without a colour, and how many of them are red. */
struct models_open {
    int pieces, reds;
};

static inline struct models_open models_open(const struct geister *s, int side) {
    return (struct models_open){GEISTER_PIECES - bits_count(s->known[side]),
                                GEISTER_REDS - bits_count((uint64_t)(s->reds[side] & s->known[side]))};
}

/* Draws whether one of them is red. */
static inline bool models_draw(struct models_open open, uint64_t luck) {
    return (luck >> 32) * (uint64_t)open.pieces >> 32 < (uint64_t)open.reds;
}

static inline void models_note(struct geister *s, int side, int piece, bool red) {
    const uint8_t bit = (uint8_t)(1U << piece);
    s->known[side] |= bit;
    s->drawn[side] |= bit;
    s->reds[side] |= red ? bit : 0;
}

/* What standing on the exit does to the chance to be alive, when `stood` others have before. */
static inline float models_survival(struct models_open open, int stood) {
    return open.reds <= stood ? 0 : (float)(open.reds - stood) / (float)(open.pieces - stood);
}

static inline void models_end(struct geister *s, enum geister_end end, int winner) {
    s->stage = GEISTER_OVER;
    s->end = (uint8_t)end;
    s->winner = (uint8_t)winner;
}

/* The playouts of `late`, `never` and `again`; `early` has the game's own. */
extern const struct rollout models_late_rollouts[], models_never_rollouts[], models_again_rollouts[];

#endif
