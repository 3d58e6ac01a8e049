/* SPDX-License-Identifier: MIT
 *
 * Memory that runs out: each piece of work is done again and again, with its 1st, 2nd, 3rd … allocation
 * failing, until one run needs no more allocations. No run may crash or leak, and a failure must give a
 * message.
 */
#include "base/file.h"
#include "base/mem.h"
#include "base/text.h"
#include "game/game.h"
#include "game/tbs/tbs.h"
#include "tests/memory_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

enum { FAILURES_MAX = 1000 };

/* Long enough that texts must grow, Shift_JIS so that it must be converted. */
static const char map_text[] =
    "SIZEX[5];SIZEY[4];\nTURNLIMIT[4];HPTHRESHOLD[2];\nUNITNUMRED[1];UNITNUMBLUE[1];\n"
    "AUTHOR[\x90\xED\x8Fp];\n"
    "MAPCOM[a comment that is longer than the first piece of memory a text asks for, so that "
    "the segment must grow while it is read: one, two, three, four, five, six, seven, eight, "
    "nine, ten, eleven, twelve, thirteen, fourteen, fifteen, sixteen, seventeen];\n"
    "UNIT[1,1,panzer,0,10,0];\nUNIT[3,2,infantry,1,10,0];\n"
    "MAP[0,0,0,0,0];\nMAP[0,1,1,1,0];\nMAP[0,1,3,1,0];\nMAP[0,0,0,0,0];\n";

/* ---- the functions themselves ---- */

static void memory_is_zeroed_and_grows(void **state) {
    (void)state;
    unsigned char *block = mem_alloc(1000);
    assert_non_null(block);
    for (int i = 0; i < 1000; i++)
        assert_int_equal(block[i], 0);
    memset(block, 7, 1000);
    unsigned char *larger = mem_resize(block, 100000);
    assert_non_null(larger);
    assert_int_equal(larger[999], 7);
    mem_free(larger);
    mem_free(NULL);
    void *nothing = mem_alloc(0); /* a block of nothing is no failure */
    assert_non_null(nothing);
    mem_free(nothing);
}

static void the_nth_allocation_fails_once(void **state) {
    (void)state;
    mem_fail_at(2);
    void *first = mem_try_alloc(1);
    assert_non_null(first);
    assert_null(mem_try_resize(first, 2)); /* `first` is still there */
    first = mem_try_resize(first, 2);
    assert_non_null(first);
    mem_fail_at(0);
    mem_free(first);
}

static int hook_calls;
static jmp_buf behind_hook;

static void note_hook(void) {
    hook_calls++;
    longjmp(behind_hook, 1);
}

/* Without a scope the program's hook ends it. */
static void the_hook_is_called(void **state) {
    (void)state;
    mem_set_hook(note_hook);
    mem_fail_at(1);
    if (setjmp(behind_hook) == 0)
        mem_alloc(1);
    mem_fail_at(0);
    mem_set_hook(NULL);
    assert_int_equal(hook_calls, 1);
}

/* A scope frees its own blocks, also large ones and those that were moved; older ones stay. */
static void scopes_free_what_is_theirs(void **state) {
    (void)state;
    char *older = mem_copy("older", sizeof "older");
    struct mem_scope outer, inner;
    mem_scope_begin(&outer, MEM_LEAVES);
    if (setjmp(outer.escape) != 0)
        fail_msg("the inner scope escapes");
    mem_scope_begin(&inner, MEM_FREES);
    if (setjmp(inner.escape) == 0) {
        void *large = mem_try_alloc(100), *moved = mem_resize(mem_alloc(1), 1 << 20);
        older = mem_resize(older, 6);
        mem_free(mem_alloc(3));
        assert_true(large != NULL && moved != NULL);
        mem_exhausted();
    }
    assert_true(mem_scope_is_open());
    mem_scope_end(&outer);
    assert_false(mem_scope_is_open());
    assert_string_equal(older, "older");
    mem_free(older);
}

/* ---- work that must survive ---- */

/* A piece of work; false when it failed with a reason. */
struct work {
    bool (*run)(struct err *e);
    bool ok;
};

static void run_work(void *context) {
    struct work *w = context;
    struct err e = {{0}};
    w->ok = w->run(&e);
    if (!w->ok && strstr(e.text, "not enough memory") == NULL)
        fail_msg("the reason given is '%s'", e.text);
}

/* Returns how many failures the work met before it went through. */
static int fail_each_allocation(bool (*run)(struct err *e)) {
    struct work w = {.run = run};
    for (int n = 1; n < FAILURES_MAX; n++)
        if (!memory_runs_out(n, run_work, &w) && w.ok)
            return n - 1;
    fail_msg("the work never succeeds");
    return 0;
}

static bool load_map(struct err *e) {
    struct scenario *sc =
        game_load(&tbs_game, &(struct game_source){"a.tbsmap", map_text, sizeof map_text - 1, NULL}, e);
    if (sc == NULL)
        return false;
    assert_int_equal(tbs_scenario_map(sc)->unit_count, 2);
    assert_string_equal(tbs_scenario_map(sc)->author, "\xE6\x88\xA6\xE8\xA1\x93");
    game_unload(sc);
    return true;
}

static void loading_a_map_survives(void **state) {
    (void)state;
    assert_true(fail_each_allocation(load_map) >= 3);
}

static bool build_text(struct err *e) {
    (void)e;
    struct text t = {0};
    for (int i = 0; i < 500; i++)
        text_add(&t, "%d ", i);
    charset_to_utf8("\x90\xED", 2, &t);
    assert_true(t.size == 1893 && strlen(t.data) == t.size);
    text_done(&t);
    return true;
}

static void building_a_text_survives(void **state) {
    (void)state;
    assert_true(fail_each_allocation(build_text) >= 3);
}

static bool read_device(struct err *e) {
    struct text t = {0};
    const bool ok = file_read("/dev/null", 10, &t, e);
    text_done(&t);
    return ok;
}

/* From a map to text and back. */
static bool read_map_back(struct err *e) {
    struct text written = {0};
    struct tbs_map map = {.width = 3, .height = 3, .turn_limit = 1, .threshold = 1}, back;
    tbs_map_write(&map, &written);
    const bool ok = tbs_map_load("x", text_string(&written), written.size, &back, e);
    assert_true(!ok || (back.width == 3 && back.turn_limit == 1));
    text_done(&written);
    return ok;
}

static void writing_and_reading_survive(void **state) {
    (void)state;
    assert_int_equal(fail_each_allocation(read_device), 0);
    assert_true(fail_each_allocation(read_map_back) >= 3);
}

static bool check_game(struct err *e) {
    struct scenario *sc =
        game_load(&tbs_game, &(struct game_source){"a.tbsmap", map_text, sizeof map_text - 1, NULL}, e);
    if (sc == NULL)
        return false;
    const bool ok = game_check(sc, 1, 1, e);
    game_unload(sc);
    return ok;
}

static void checking_a_game_survives(void **state) {
    (void)state;
    assert_true(fail_each_allocation(check_game) >= 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_zeroed_and_grows),  cmocka_unit_test(the_nth_allocation_fails_once),
        cmocka_unit_test(the_hook_is_called),          cmocka_unit_test(scopes_free_what_is_theirs),
        cmocka_unit_test(loading_a_map_survives),      cmocka_unit_test(building_a_text_survives),
        cmocka_unit_test(writing_and_reading_survive), cmocka_unit_test(checking_a_game_survives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
