/* SPDX-License-Identifier: MIT
 *
 * A position in which enumerating the worlds fails, after figure 5 of Nishikori, Aoki and Hashimoto. The
 * first player is to move and sees
 *
 *         a b c d e f
 *       1 u . u B . .        one of the two pieces u is red, the other blue: taking the blue one wins
 *       2 . B . R . .        (four blues taken), taking the red one loses (four reds taken)
 *       3 R . . . . .
 *
 * The blue at d1 is attacked. It runs to e1, f1 and out, and cannot be stopped: a win in 5 plies with any
 * colours. But a3 to a2 wins in 3 plies in each of the two worlds, because the blue one can then be taken
 * whatever the other side does. The player does not know which one it is, and after c1 takes d1 there is no
 * win any more.
 */
#ifndef GEISTER_FUSION_POSITION_H
#define GEISTER_FUSION_POSITION_H

#include "geister/purple.h"

/* In the formats of geister_read_observation and geister_read_board. */
#define FUSION_OBSERVATION "u.uB...B.R..R......................."
#define FUSION_BOARD       "30B11B31R02R99r99r99b99b00u20u99r99r99r99b99b99b"

enum {
    FUSION_HIDDEN_REDS = 1,
    FUSION_WINNING_MOVE = 3 * 4 + GEISTER_EAST, /* the move of purple */
    FUSION_WINNING_VALUE = PURPLE_WIN - 4,      /* found at depth 4: out with the fifth ply */
    FUSION_FUSED_MOVE = 12 * 4 + GEISTER_NORTH, /* the move of eacp … */
    FUSION_FUSED_VALUE = PURPLE_WIN - 3,      /* … and its value for eacp: the last blue taken at depth 3 */
    FUSION_REFUTATION = 2 * 4 + GEISTER_EAST, /* of the fused move, as the first player sees it */
};

#endif
