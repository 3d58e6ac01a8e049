/* SPDX-License-Identifier: MIT
 *
 * A clock with gaps, for games that become void.
 */
#ifndef TESTS_CLOCK_SUPPORT_H
#define TESTS_CLOCK_SUPPORT_H

#include "base/clock.h"

/* Has a gap of `each_ns` at each of the readings of its gaps from number `first` to `last`, which count
 * from 1. Its time moves by a microsecond a reading. */
struct gap_clock {
    int64_t each_ns;
    int first, last;
    int64_t now_ns, gap_ns;
    int asked;
};

struct clock gap_clock(struct gap_clock *self);

#endif
