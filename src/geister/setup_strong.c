/* SPDX-License-Identifier: MIT
 *
 * The weighted set of set-ups, by number.
 */
#include "geister/setup.h"

const float setup_strong_weights[GEISTER_SETUPS] = {
    [35] = 1.0F,
};
