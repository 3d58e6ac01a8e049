/* SPDX-License-Identifier: MIT */
#include "base/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

/* The first outputs of xoshiro256** from the state {1, 2, 3, 4}, as published with its reference code. */
static void xoshiro_matches_published_vector(void **state) {
    (void)state;
    static const uint64_t expected[] = {11520, 0, 1509978240, 1215971899390074240U, 1216172134540287360U,
                                        607988272756665600U, 16172922978634559625U, 8476171486693032832U,
                                        10595114339597558777U, 2904607092377533576U};
    struct rng r = {{1, 2, 3, 4}};
    for (int i = 0; i < 10; i++)
        assert_true(rng_next(&r) == expected[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(xoshiro_matches_published_vector),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
