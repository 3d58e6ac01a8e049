/* SPDX-License-Identifier: MIT
 *
 * Random numbers, bits, hashes, errors, clocks and budgets. Text, specs, files and failing memory
 * have tests of their own.
 */
#include "base/bits.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/numbers.h"
#include "base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

/* ---- random numbers ---- */

/* The first outputs of xoshiro256** from the state {1, 2, 3, 4}, as published with its reference code. */
static void xoshiro_matches_published_vector(void **state) {
    (void)state;
    static const uint64_t expected[] = {11520,
                                        0,
                                        1509978240,
                                        1215971899390074240U,
                                        1216172134540287360U,
                                        607988272756665600U,
                                        16172922978634559625U,
                                        8476171486693032832U,
                                        10595114339597558777U,
                                        2904607092377533576U};
    struct rng r = {{1, 2, 3, 4}};
    for (int i = 0; i < 10; i++)
        assert_true(rng_next(&r) == expected[i]);
}

/* The first outputs of splitmix64 from the seed 1234567, as published. */
static void splitmix_matches_published_vector(void **state) {
    (void)state;
    static const uint64_t expected[] = {6457827717110365317U, 3203168211198807973U, 9817491932198370423U,
                                        4593380528125082431U, 16408922859458223821U};
    uint64_t seed = 1234567;
    for (int i = 0; i < 5; i++)
        assert_true(rng_splitmix(&seed) == expected[i]);
}

static void seeding_is_splitmix(void **state) {
    (void)state;
    uint64_t seed = 42;
    struct rng r;
    rng_seed(&r, seed);
    for (int i = 0; i < 4; i++)
        assert_true(r.s[i] == rng_splitmix(&seed));
}

static void below_stays_in_range(void **state) {
    (void)state;
    static const uint32_t limits[] = {1, 2, 3, 7, 64, 1000, 0x80000001U, UINT32_MAX};
    struct rng r;
    rng_seed(&r, 5);
    for (size_t k = 0; k < sizeof limits / sizeof limits[0]; k++) {
        uint32_t most = 0;
        for (int i = 0; i < 10000; i++) {
            const uint32_t drawn = rng_below(&r, limits[k]);
            assert_true(drawn < limits[k]);
            most = drawn > most ? drawn : most;
        }
        assert_true(most >= (limits[k] - 1) / 10 * 9); /* the upper end is reached */
    }
}

/* Chi-square over n boxes. The seed is fixed, so this either always passes or never; a plain remainder of a
 * biased source fails by a wide margin. */
static double chi_square(struct rng *r, uint32_t n, int draws) {
    int boxes[64] = {0};
    for (int i = 0; i < draws; i++)
        boxes[rng_below(r, n)]++;
    const double expected = (double)draws / n;
    double sum = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += (boxes[i] - expected) * (boxes[i] - expected) / expected;
    return sum;
}

static void below_is_even(void **state) {
    (void)state;
    /* The 99.9% points of the chi-square distribution with n - 1 degrees of freedom. */
    static const struct {
        uint32_t n;
        double limit;
    } cases[] = {{2, 10.83}, {3, 13.82}, {6, 20.52}, {10, 27.88}, {31, 59.70}, {64, 103.44}};
    struct rng r;
    rng_seed(&r, 2024);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_true(chi_square(&r, cases[i].n, 200000) < cases[i].limit);
}

/* Without rejection 3 * 2^30 would give every third number twice as often as its neighbours. */
static void below_rejects_what_would_be_uneven(void **state) {
    (void)state;
    const uint32_t n = UINT32_C(3) << 30;
    int thirds[3] = {0};
    struct rng r;
    rng_seed(&r, 9);
    for (int i = 0; i < 90000; i++)
        thirds[rng_below(&r, n) % 3]++;
    for (int i = 0; i < 3; i++)
        assert_in_range(thirds[i], 29400, 30600);
}

static void unit_is_in_the_unit_interval(void **state) {
    (void)state;
    struct rng r;
    rng_seed(&r, 6);
    double sum = 0;
    for (int i = 0; i < 100000; i++) {
        const double u = rng_unit(&r);
        assert_true(u >= 0 && u < 1);
        sum += u;
    }
    assert_true(sum / 100000 > 0.495 && sum / 100000 < 0.505);
}

/* Streams of one seed, seeds of one stream, swapped pairs and the plain seed: all different generators. */
static void streams_are_different(void **state) {
    (void)state;
    enum { SIDE = 20, COUNT = SIDE * SIDE + SIDE };
    uint64_t first[COUNT];
    int count = 0;
    for (uint64_t seed = 0; seed < SIDE; seed++) {
        struct rng r;
        rng_seed(&r, seed);
        first[count++] = rng_next(&r);
        for (uint64_t stream = 0; stream < SIDE; stream++) {
            rng_seed_stream(&r, seed, stream);
            first[count++] = rng_next(&r);
        }
    }
    for (int i = 0; i < count; i++)
        for (int k = 0; k < i; k++)
            assert_true(first[i] != first[k]);
}

/* Neighbouring streams agree in half of their bits, as independent streams do. */
static void streams_are_not_correlated(void **state) {
    (void)state;
    for (uint64_t stream = 0; stream < 50; stream++) {
        struct rng a, b;
        rng_seed_stream(&a, 1, stream);
        rng_seed_stream(&b, 1, stream + 1);
        int equal_bits = 0;
        for (int i = 0; i < 1000; i++)
            equal_bits += bits_count(~(rng_next(&a) ^ rng_next(&b)));
        assert_in_range(equal_bits, 31400, 32600); /* 32000 and five standard deviations of 126 */
    }
}

static void a_stream_repeats(void **state) {
    (void)state;
    struct rng a, b;
    rng_seed_stream(&a, 7, 3);
    rng_seed_stream(&b, 7, 3);
    for (int i = 0; i < 100; i++)
        assert_true(rng_next(&a) == rng_next(&b));
}

/* ---- bits ---- */

static int nth_bit_by_counting(uint64_t word, int k) {
    for (int i = 0; i < 64; i++)
        if ((word >> i & 1) != 0 && k-- == 0)
            return i;
    return -1;
}

static void select_all(uint64_t word, bool bmi2) {
    int count = 0;
    for (uint64_t left = word; left != 0; left = bits_without_first(left), count++) {
        assert_int_equal(bits_first(left), nth_bit_by_counting(word, count));
        assert_int_equal(bits_select_plain(word, count), bits_first(left));
        assert_int_equal(bits_select(word, count, false), bits_first(left));
        if (bmi2)
            assert_int_equal(bits_select(word, count, true), bits_first(left));
    }
    assert_int_equal(count, bits_count(word));
}

static void select_finds_the_kth_bit(void **state) {
    (void)state;
    static const uint64_t words[] = {1,
                                     UINT64_C(1) << 63,
                                     UINT64_MAX,
                                     0x8000000000000001U,
                                     0x5555555555555555U,
                                     0xFFFFFFFF00000000U,
                                     0x00000000FFFFFFFFU};
    const bool bmi2 = bits_have_bmi2();
    if (!bmi2)
        print_message("This machine lacks BMI2: only the plain variant is tested.\n");
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        select_all(words[i], bmi2);
    struct rng r;
    rng_seed(&r, 3);
    for (int i = 0; i < 2000; i++)
        select_all(i % 2 == 0 ? rng_next(&r) : rng_next(&r) & rng_next(&r) & rng_next(&r), bmi2);
}

static void avx2_machines_have_bmi2(void **state) {
    (void)state;
    assert_true(!bits_have_avx2() || bits_have_bmi2());
    assert_int_equal(bits_have_bmi2(), bits_have_bmi2());
}

/* ---- hashes ---- */

/* Published FNV-1a vectors. */
static void hashes_match_published_vectors(void **state) {
    (void)state;
    assert_true(hash_bytes(HASH_START, "", 0) == 0xcbf29ce484222325U);
    assert_true(hash_bytes(HASH_START, "a", 1) == 0xaf63dc4c8601ec8cU);
    assert_true(hash_bytes(HASH_START, "foobar", 6) == 0x85944171f73967e8U);
}

static void numbers_are_hashed_low_byte_first(void **state) {
    (void)state;
    static const unsigned char bytes[8] = {0xEF, 0xCD, 0xAB, 0x89, 0x67, 0x45, 0x23, 0x01};
    assert_true(hash_u64(HASH_START, 0x0123456789ABCDEFU) == hash_bytes(HASH_START, bytes, 8));
}

/* ---- errors ---- */

static void errors_are_sentences(void **state) {
    (void)state;
    struct err e;
    assert_false(err_set(&e, "unit %d is %s", 3, "lost"));
    assert_string_equal(e.text, "unit 3 is lost");
    assert_false(err_prefix(&e, "%s:%d: ", "a.tbsmap", 7));
    assert_string_equal(e.text, "a.tbsmap:7: unit 3 is lost");
    assert_false(err_set(NULL, "nobody listens"));
    assert_false(err_prefix(NULL, "nobody listens"));
}

static void long_errors_are_cut(void **state) {
    (void)state;
    char word[2 * ERR_TEXT_MAX];
    struct err e;
    memset(word, 'x', sizeof word - 1);
    word[sizeof word - 1] = '\0';
    err_set(&e, "%s", word);
    assert_int_equal(strlen(e.text), ERR_TEXT_MAX - 1);
    err_prefix(&e, "in front: ");
    assert_int_equal(strlen(e.text), ERR_TEXT_MAX - 1);
    assert_memory_equal(e.text, "in front: xxx", 13);
    err_prefix(&e, "%s", word);
    assert_int_equal(strlen(e.text), ERR_TEXT_MAX - 1);
}

/* ---- budgets ---- */

static void work_ends_a_budget(void **state) {
    (void)state;
    struct budget_meter m;
    budget_start(&m, &(struct budget){.work_max = 3});
    assert_true(budget_spend(&m, 1));
    assert_true(budget_spend(&m, 1));
    assert_false(budget_spend(&m, 1));
    assert_false(budget_spend(&m, 0)); /* and from then on */
    assert_int_equal(m.work_done, 3);
    budget_start(&m, &(struct budget){.work_max = 10});
    assert_false(budget_spend(&m, 11)); /* in one bite */
}

static void no_limit_is_no_limit(void **state) {
    (void)state;
    struct budget_meter m;
    budget_start(&m, &(struct budget){0});
    for (int i = 0; i < 1000; i++)
        assert_true(budget_spend(&m, 1000000));
}

/* A clock that counts its readings. */
struct counting_clock {
    int64_t now_ns;
    int asked;
};

static int64_t counting_now(void *self) {
    struct counting_clock *c = self;
    c->asked++;
    return c->now_ns;
}

static void time_ends_a_budget(void **state) {
    (void)state;
    int64_t now_ns = 1000;
    const struct clock clock = clock_manual(&now_ns);
    struct budget_meter m;
    budget_start(&m, &(struct budget){.time_ns_max = 500, .clock = &clock});
    assert_true(budget_spend(&m, BUDGET_CLOCK_EVERY));
    now_ns = 1499;
    assert_true(budget_spend(&m, BUDGET_CLOCK_EVERY));
    now_ns = 1500;
    assert_true(budget_spend(&m, BUDGET_CLOCK_EVERY - 1)); /* the clock has not been read yet */
    assert_false(budget_spend(&m, 1));
    now_ns = 0;
    assert_false(budget_spend(&m, BUDGET_CLOCK_EVERY)); /* over is over */
}

static void long_work_is_cut_short_in_time(void **state) {
    (void)state;
    int64_t now_ns = 1000;
    const struct clock clock = clock_manual(&now_ns);
    struct budget_meter m;
    budget_start(&m, &(struct budget){.time_ns_max = 500, .clock = &clock, .clock_every = 1});
    assert_true(budget_spend(&m, 1));
    now_ns = 1500;
    assert_false(budget_spend(&m, 1));
}

static void the_clock_is_looked_at_rarely(void **state) {
    (void)state;
    struct counting_clock counter = {.now_ns = 0};
    const struct clock clock = {.now_ns = counting_now, .self = &counter};
    struct budget_meter m;
    budget_start(&m, &(struct budget){.time_ns_max = 500, .clock = &clock});
    for (int i = 0; i < 10 * BUDGET_CLOCK_EVERY; i++)
        assert_true(budget_spend(&m, 1));
    assert_int_equal(counter.asked, 11); /* at the start, and once for each 32 */
}

static void another_thread_ends_a_budget(void **state) {
    (void)state;
    atomic_bool stop = false;
    struct budget_meter m;
    budget_start(&m, &(struct budget){.stop = &stop});
    assert_true(budget_spend(&m, BUDGET_CLOCK_EVERY));
    atomic_store(&stop, true);
    assert_false(budget_spend(&m, BUDGET_CLOCK_EVERY));
    atomic_store(&stop, false);
    assert_false(budget_spend(&m, BUDGET_CLOCK_EVERY));
}

static void clocks_measure_time(void **state) {
    (void)state;
    int64_t now_ns = 5000000000;
    const struct clock manual = clock_manual(&now_ns), machine = clock_system();
    assert_true(clock_now_ns(&manual) == 5000000000);
    now_ns += 1500000000;
    const double seconds = clock_seconds_since(&manual, 5000000000);
    assert_true(seconds > 1.4999999 && seconds < 1.5000001);
    const int64_t before = clock_now_ns(&machine);
    assert_true(before > 0 && clock_now_ns(&machine) >= before);
}

/* ---- the clock that stands still while the program is stopped ---- */

#define MS INT64_C(1000000)

struct stopped_clock {
    int64_t raw_ns, boot_ns;
    struct clock raw, boot, clock;
    struct clock_steady steady;
};

static void start_steady(struct stopped_clock *s) {
    s->raw_ns = 500 * MS;
    s->boot_ns = 900 * MS;
    s->raw = clock_manual(&s->raw_ns);
    s->boot = clock_manual(&s->boot_ns);
    clock_steady_init(&s->steady, &s->raw, &s->boot);
    s->clock = clock_steady(&s->steady);
}

static void pass(struct stopped_clock *s, int64_t ms) {
    s->raw_ns += ms * MS;
    s->boot_ns += ms * MS;
}

/* Simulates the owner's thread for that long. */
static void run_for(struct stopped_clock *s, int64_t ms) {
    for (; ms > 0; ms -= CLOCK_BEAT_MS) {
        pass(s, CLOCK_BEAT_MS);
        clock_steady_beat(&s->steady);
    }
}

static void stops_are_no_time(void **state) {
    (void)state;
    struct stopped_clock s;
    start_steady(&s);
    const int64_t start = clock_now_ns(&s.clock);
    run_for(&s, 2000);
    assert_true(clock_now_ns(&s.clock) - start == 2000 * MS);
    assert_true(clock_gap_ns(&s.clock) == 0);
    pass(&s, 249); /* the scheduler's noise counts as time */
    assert_true(clock_now_ns(&s.clock) - start == 2249 * MS);
    clock_steady_beat(&s.steady);
    pass(&s, 250); /* from here on it is a gap, but no disturbance */
    assert_true(clock_now_ns(&s.clock) - start == 2249 * MS);
    assert_true(clock_gap_ns(&s.clock) == 0);
    run_for(&s, 100);
    pass(&s, 999);
    assert_true(clock_gap_ns(&s.clock) == 0);
    pass(&s, 1000); /* the first reading detects it */
    assert_true(clock_gap_ns(&s.clock) == 1000 * MS);
    assert_true(clock_now_ns(&s.clock) - start == 2349 * MS);
    pass(&s, 86400000);
    clock_steady_beat(&s.steady);
    assert_true(clock_now_ns(&s.clock) - start == 2349 * MS);
    assert_true(clock_gap_ns(&s.clock) == 86401000 * MS);
    run_for(&s, 50);
    assert_true(clock_now_ns(&s.clock) - start == 2399 * MS);
}

/* A start can be read after a gap has begun and before it is long enough to be one. */
static void no_time_since_is_negative(void **state) {
    (void)state;
    struct stopped_clock s;
    start_steady(&s);
    pass(&s, 200);
    const int64_t start = clock_now_ns(&s.clock);
    assert_true(clock_seconds_since(&s.clock, start) >= 0);
    pass(&s, 50);
    assert_true(clock_now_ns(&s.clock) < start);
    assert_true(clock_seconds_since(&s.clock, start) >= 0);
    run_for(&s, 1200);
    assert_float_equal(clock_seconds_since(&s.clock, start), 1, 1e-9);
}

static void jumps_back_are_no_time(void **state) {
    (void)state;
    struct stopped_clock s;
    start_steady(&s);
    run_for(&s, 5000);
    const int64_t start = clock_now_ns(&s.clock);
    pass(&s, -3000);
    assert_true(clock_now_ns(&s.clock) == start);
    assert_true(clock_gap_ns(&s.clock) == 3000 * MS);
    run_for(&s, 1000);
    assert_true(clock_now_ns(&s.clock) == start + 1000 * MS);
}

/* While the machine sleeps the clock below stands still: the pause is charged to no player, but counts as a
 * disturbance. */
static void sleep_of_the_machine_is_noticed(void **state) {
    (void)state;
    struct stopped_clock s;
    start_steady(&s);
    run_for(&s, 1000);
    const int64_t start = clock_now_ns(&s.clock);
    s.boot_ns += 999 * MS;
    assert_true(clock_gap_ns(&s.clock) == 0);
    s.boot_ns += 3600000 * MS;
    assert_true(clock_gap_ns(&s.clock) == 3600000 * MS);
    assert_true(clock_gap_ns(&s.clock) == 3600000 * MS); /* once */
    run_for(&s, 1000);
    assert_true(clock_now_ns(&s.clock) == start + 1000 * MS);
    assert_true(clock_gap_ns(&s.clock) == 3600000 * MS);
    const struct clock plain = clock_system();
    assert_true(clock_gap_ns(&plain) == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(xoshiro_matches_published_vector),
        cmocka_unit_test(splitmix_matches_published_vector),
        cmocka_unit_test(seeding_is_splitmix),
        cmocka_unit_test(below_stays_in_range),
        cmocka_unit_test(below_is_even),
        cmocka_unit_test(below_rejects_what_would_be_uneven),
        cmocka_unit_test(unit_is_in_the_unit_interval),
        cmocka_unit_test(streams_are_different),
        cmocka_unit_test(streams_are_not_correlated),
        cmocka_unit_test(a_stream_repeats),
        cmocka_unit_test(select_finds_the_kth_bit),
        cmocka_unit_test(avx2_machines_have_bmi2),
        cmocka_unit_test(hashes_match_published_vectors),
        cmocka_unit_test(numbers_are_hashed_low_byte_first),
        cmocka_unit_test(errors_are_sentences),
        cmocka_unit_test(long_errors_are_cut),
        cmocka_unit_test(work_ends_a_budget),
        cmocka_unit_test(no_limit_is_no_limit),
        cmocka_unit_test(time_ends_a_budget),
        cmocka_unit_test(long_work_is_cut_short_in_time),
        cmocka_unit_test(the_clock_is_looked_at_rarely),
        cmocka_unit_test(another_thread_ends_a_budget),
        cmocka_unit_test(clocks_measure_time),
        cmocka_unit_test(stops_are_no_time),
        cmocka_unit_test(no_time_since_is_negative),
        cmocka_unit_test(jumps_back_are_no_time),
        cmocka_unit_test(sleep_of_the_machine_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
