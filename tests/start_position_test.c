/* SPDX-License-Identifier: MIT
 *
 * Names that a page may use: players without files and programs, maps by names, positions of every kind.
 */
#include "serve/inside.h"

#include "player/player.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static struct workbench bench = {.setup = {.cores = 2}};

struct spec_case {
    const char *spec, *words; /* words NULL: allowed; then what it is called, NULL: as written */
    const char *canonical;
};

static void assert_spec(const struct spec_case *c) {
    struct text canonical = {0};
    struct err e = {""};
    const bool ok = serve_check_player(&bench, c->spec, &canonical, &e);
    if (c->words == NULL) {
        if (!ok)
            fail_msg("%s: %s", c->spec, e.text);
        assert_string_equal(text_string(&canonical), c->canonical != NULL ? c->canonical : c->spec);
    } else {
        if (ok || strstr(e.text, c->words) == NULL)
            fail_msg("%s: '%s' does not say '%s'", c->spec, e.text, c->words);
    }
    text_done(&canonical);
}

static void allows_what_is_harmless(void **state) {
    (void)state;
    const struct spec_case cases[] = {
        {"acteval"},
        {"uct:sims=6000", NULL, "uct"},
        {"uct:sims=100,memory=512,threads=2"},
        {"first:player=[uct:sims=10],then=[minmax:depth=2]"},
        {"split:player=[first:player=[dlmc:turns=5],then=acteval]"},
        {"minmax:values=[F:1,A:2],eval=threat,sort=attacks"},
        {"geist:setup=strong", NULL, "geist"},
        {"pg:setup=BCFG"},
        {"pimc:policy=random"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_spec(&cases[i]);
}

static void refuses_files_and_programs(void **state) {
    (void)state;
    const struct spec_case cases[] = {
        {"ext:cmd=true", "not allowed here"},
        {"ext:host=localhost,port=80", "not allowed here"},
        {"ext:listen=7000", "not allowed here"},
        {"ext", "not allowed here"},
        {"first:player=[ext:cmd=true],then=acteval", "not allowed here"},
        {"first:then=[ext:cmd=true]", "not allowed here"},
        {"split:player=[first:then=[ext:cmd=true]]", "not allowed here"},
        {"pg:weights=/etc/passwd", "names a file"},
        {"geist:weights=weights.json", "names a file"},
        {"first:player=[pg:weights=x],then=pg", "names a file"},
        {"uct:memory=1025", "megabytes"},
        {"first:player=[uct:memory=600],then=[uct:memory=600]", "megabytes"},
        {"split:player=[minmax:memory=65536]", "megabytes"},
        {"uct:threads=3", "threads=3"},
        {"first:player=[uct:threads=64],then=uct", "threads=64"},
        {"nobody", "unknown"},
        {"uct:wrong=1", "unknown"},
        {"first:player=nobody,then=uct", "unknown"},
        {"", "no name"},
        {"first:player=[first:player=[first:player=[first:player=[first:player=uct,then=uct],then=uct],then="
         "uct]"
         ",then=uct],then=uct",
         "more than 8 players"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_spec(&cases[i]);
}

static void allows_programs_on_request(void **state) {
    (void)state;
    bench.setup.programs = true;
    const struct spec_case cases[] = {
        {"ext:cmd=true"},
        {"first:player=[ext:cmd=true],then=acteval", NULL, "first:player=[ext:cmd=true],then=acteval"},
        {"ext", "expected one of"},
        {"pg:weights=x", "names a file"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_spec(&cases[i]);
    bench.setup.programs = false;
}

/* Options that take much memory or many threads have these names, by which they are counted. */
static void knows_what_is_large(void **state) {
    (void)state;
    for (int i = 0; player_types[i] != NULL; i++)
        for (const struct param *p = player_types[i]->params; p != NULL && p->name != NULL; p++) {
            const bool of_memory = p->help != NULL && strstr(p->help, "megabytes") != NULL;
            const bool of_threads = p->help != NULL && strstr(p->help, "threads") != NULL;
            if (of_memory)
                assert_string_equal(p->name, "memory");
            if (of_threads && p->kind == PARAM_INT)
                assert_string_equal(p->name, "threads");
        }
}

static void knows_names(void **state) {
    (void)state;
    char long_name[66];
    memset(long_name, 'a', 65);
    long_name[65] = '\0';
    const char *const wrong[] = {"",     ".", "..",   "a/b", "a.b",     "../x", "/etc", "a b",
                                 "a\nb", "ä", "a%2e", "~",   long_name, "a\\b", "nul:", "mine/a"};
    const char *const right[] = {"a", "A-b_9", "-", "standard", long_name + 1};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_false(serve_is_name(wrong[i]));
    for (size_t i = 0; i < sizeof right / sizeof right[0]; i++)
        assert_true(serve_is_name(right[i]));
}

static void stays_in_its_folders(void **state) {
    (void)state;
    char path[200];
    bench.setup.data = "/data";
    bench.setup.maps = "/ours";
    assert_true(serve_map_path(&bench, "duel", path, sizeof path));
    assert_string_equal(path, "/ours/duel.tbsmap");
    assert_true(serve_map_path(&bench, "mine/duel", path, sizeof path));
    assert_string_equal(path, "/data/maps/duel.tbsmap");
    const char *const wrong[] = {"mine/", "mine/../x", "mine/mine/x", "../x", "yours/x", "/duel", ""};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_false(serve_map_path(&bench, wrong[i], path, sizeof path));
    assert_false(serve_map_path(&bench, "duel", path, 10));
}

struct seed_case {
    const char *json;
    bool ok;
    uint64_t seed;
};

static void reads_seeds(void **state) {
    (void)state;
    const struct seed_case cases[] = {
        {"{}", true, 5},
        {"{\"seed\": null}", true, 5},
        {"{\"seed\": 7}", true, 7},
        {"{\"seed\": \"18446744073709551615\"}", true, UINT64_MAX},
        {"{\"seed\": \"18446744073709551616\"}", false, 0},
        {"{\"seed\": -1}", false, 0},
        {"{\"seed\": \"-1\"}", false, 0},
        {"{\"seed\": \"\"}", false, 0},
        {"{\"seed\": 1.5}", false, 0},
        {"{\"seed\": [7]}", false, 0},
        {"{\"seed\": \"7 \"}", false, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct message_out out = {0};
        uint64_t seed = 5;
        json_t *body = json_loads(cases[i].json, 0, NULL);
        if (request_read(body, &(struct param){"seed", PARAM_U64}, &seed, &out) != cases[i].ok)
            fail_msg("%s", cases[i].json);
        assert_int_equal(out.status, 0); /* the caller's message is built from the reason */
        assert_string_equal(out.why.field, cases[i].ok ? "" : "seed");
        if (cases[i].ok)
            assert_true(seed == cases[i].seed);
        message_done(&out);
        json_decref(body);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(allows_what_is_harmless),
        cmocka_unit_test(refuses_files_and_programs),
        cmocka_unit_test(allows_programs_on_request),
        cmocka_unit_test(knows_what_is_large),
        cmocka_unit_test(knows_names),
        cmocka_unit_test(stays_in_its_folders),
        cmocka_unit_test(reads_seeds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
