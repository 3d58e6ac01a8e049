/* SPDX-License-Identifier: MIT
 *
 * The bracket of a knock-out.
 */
#include "tournament/pairing.h"

#include <assert.h>

/* Every place of a bracket becomes two: the seed that is there and the one that adds up with it to the same
 * sum everywhere. 1; 1 2; 1 4 2 3; 1 8 4 5 2 7 3 6; … Seeds count from 0 here. */
int knock_out_slots(const int *order, int count, int *slots) {
    assert(count > 0);
    int places = 1;
    slots[0] = 0;
    while (places < count) {
        places *= 2;
        for (int i = places / 2 - 1; i >= 0; i--) {
            const int seed = slots[i];
            slots[2 * i] = seed;
            slots[2 * i + 1] = places - 1 - seed;
        }
    }
    for (int i = 0; i < places; i++)
        slots[i] = slots[i] < count ? order[slots[i]] : -1;
    return places;
}
