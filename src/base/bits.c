/* SPDX-License-Identifier: MIT */
#include "base/bits.h"

bool bits_have_bmi2(void) {
#if defined(__x86_64__)
    return __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("popcnt");
#else
    return false;
#endif
}

bool bits_have_avx2(void) {
#if defined(__x86_64__)
    return bits_have_bmi2() && __builtin_cpu_supports("avx2");
#else
    return false;
#endif
}
