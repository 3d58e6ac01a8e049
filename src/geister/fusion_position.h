/* SPDX-License-Identifier: MIT
 *
 * The position of figure 5 of Nishikori, Aoki and Hashimoto, in which enumerating the worlds fails. The first
 * player is to move and sees
 *
 *         a b c d e f
 *       1 u u . B . .        one of the two pieces u is red, the other blue: taking the blue one wins
 *       2 . R . . . .        (four blues taken), taking the red one loses (four reds taken)
 *       3 R . . . . .
 *
 * The blue at d1 runs to e1, f1 and out, and cannot be stopped: a win in 5 plies with any colours. But a3 to
 * a2 wins in 3 plies in each of the two worlds, because the blue one can then be taken whatever the other
 * side does. The player does not know which one it is, so there is no win in 3 plies. After a3 to a2 the blue
 * can still run, and wins in 7.
 */
#ifndef GEISTER_FUSION_POSITION_H
#define GEISTER_FUSION_POSITION_H

#include "geister/purple.h"

/* In the formats of geister_read_observation and geister_read_board. */
#define FUSION_OBSERVATION "uu.B...R....R......................."
#define FUSION_BOARD       "30B02R11R99r99r99b99b99b00u10u99r99r99r99b99b99b"

enum {
    FUSION_HIDDEN_REDS = 1,
    FUSION_WINNING_MOVE = 3 * 4 + GEISTER_EAST, /* the move of purple */
    FUSION_WINNING_VALUE = PURPLE_WIN - 4,      /* found at depth 4: out with the fifth ply */
    FUSION_FUSED_MOVE = 12 * 4 + GEISTER_NORTH, /* the move of eacp … */
    FUSION_FUSED_VALUE = PURPLE_WIN - 3, /* … and its value for eacp: the last blue taken at depth 3 */
    FUSION_FUSED_PLIES = 7,              /* that the win takes after it, whatever the colours */
};

#endif
