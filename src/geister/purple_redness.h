/* SPDX-License-Identifier: MIT
 *
 * The champion's bookkeeping beside the purple-piece search: how red each piece of the other side looks from
 * how it was moved. Only one thing tells much: who stands on its exit and does not leave cannot. Without
 * history nothing is concluded.
 */
#ifndef GEISTER_PURPLE_REDNESS_H
#define GEISTER_PURPLE_REDNESS_H

#include "game/geister/geister.h"

enum {
    PURPLE_CHASED = 5,         /* it stepped beside a piece of ours, having had none beside it … */
    PURPLE_CHASED_TROUBLE = 1, /* … while we had one red left: then it has to */
    PURPLE_STAYED = 1000,      /* it was on its exit and did not leave; again every turn */
};

/* By piece of the other side, A first; 0 for taken ones. */
void purple_redness(const struct geister *view, int side, int out[GEISTER_PIECES]);

/* The piece that is red for sure, the reddest one; -1 when there is none. */
int purple_surely_red(const struct geister *view, int side);

#endif
