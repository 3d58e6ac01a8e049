/* SPDX-License-Identifier: MIT
 *
 * The weighted set of set-ups, by number, found with the weights of pg in data/ by
 *
 *     senjutsu train geister-setups --games 200 --constants
 */
#include "geister/setup.h"

const float setup_strong_weights[GEISTER_SETUPS] = {
    [0] = 0.0315F,  /* ABCD */
    [1] = 0.0137F,  /* ABCE */
    [4] = 0.1771F,  /* ABCH */
    [14] = 0.0264F, /* ABGH */
    [24] = 0.1285F, /* ACGH */
    [35] = 0.1771F, /* BCDE */
    [38] = 0.0137F, /* BCDH */
    [39] = 0.1385F, /* BCEF */
    [44] = 0.1385F, /* BCGH */
    [45] = 0.1285F, /* BDEF */
    [55] = 0.0264F, /* CDEF */
};
