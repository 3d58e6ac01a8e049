/* SPDX-License-Identifier: MIT
 *
 * Permissions of players: every row of every table declares its effect, and every row that starts a program,
 * connects or reads files is refused without permission, for every reader of the spec. (Bundles:
 * compliance_test.c.)
 */

#include "base/text.h"
#include "evolve/judge.h"
#include "evolve/recipe.h"
#include "game/tbs/tbs.h"
#include "geister/learn.h"
#include "match/batch.h"
#include "match/clocked_game.h"
#include "own_maps.h"
#include "player/player.h"
#include "protocol/session.h"
#include "serve/inside.h"
#include "tournament/tournament.h"
#include "tournament/schedule.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { SPEC_MAX = 300, CASES_MAX = 64 };

/* ---- all tables ---- */

typedef void row_function(const char *owner, const struct param *p);

static void visit_table(const char *owner, const struct param *table, row_function *visit) {
    for (const struct param *p = table; p != NULL && p->name != NULL; p++)
        visit(owner, p);
}

/* The tables of rules files have no texts: they cannot be read into them (tournament.c). */
static void visit_all(row_function *visit) {
    for (int i = 0; player_types[i] != NULL; i++)
        visit_table(player_types[i]->name, player_types[i]->params, visit);
    for (int i = 0; game_tables[i] != NULL; i++)
        visit_table(game_tables[i]->name, game_tables[i]->options, visit);
    visit_table("recipe", recipe_params, visit);
    visit_table("clock", timing_params, visit);
    visit_table("learning", learn_params, visit);
}

static int texts;

static void describes_its_work(const char *owner, const struct param *p) {
    texts += p->kind == PARAM_TEXT;
    if (p->kind == PARAM_TEXT && p->power == PARAM_UNSAID)
        fail_msg("%s: %s is text, and its row has no .power", owner, p->name);
    if (p->kind != PARAM_TEXT && (p->power == PARAM_WORD || p->power == PARAM_SPEC))
        fail_msg("%s: %s is no text", owner, p->name);
}

static void every_text_declares_its_effect(void **state) {
    (void)state;
    visit_all(describes_its_work);
    assert_true(texts >= 25);
}

static bool has_word(const char *text, const char *const *words) {
    for (; *words != NULL; words++) {
        const char *at = strstr(text, *words);
        const size_t size = strlen(*words);
        if (at != NULL && (at == text || at[-1] == ' ') && strchr(" ,;:()'", at[size]) != NULL)
            return true;
    }
    return false;
}

/* Checks its name and its help for signs of such an effect. */
static void looks_harmless(const char *owner, const struct param *p) {
    static const char *const names[] = {"cmd",     "command", "program", "host", "port", "listen", "connect",
                                        "address", "server",  "url",     "file", "path", "folder", "dir",
                                        "weights", "out",     "log",     "save", "load", NULL};
    static const char *const helps[] = {"file", "folder", "command", "program", "port", "machine", NULL};
    if (param_is_powerful(p) || p->kind == PARAM_CHOICE || p->kind == PARAM_SWITCH) /* those name nothing */
        return;
    if (has_word(p->name, names) || has_word(p->help, helps))
        fail_msg("%s: %s ('%s') has no power in its row", owner, p->name, p->help);
}

static void what_names_something_outside_is_marked(void **state) {
    (void)state;
    visit_all(looks_harmless);
}

/* ---- a spec for every row that needs leave ---- */

struct powerful {
    int count;
    char specs[CASES_MAX][SPEC_MAX];
};

static void add_case(struct powerful *out, const struct player_type *type, const struct param *p) {
    static const char *const ext[][2] = {{"cmd", "cmd=touch STARTED"},
                                         {"host", "host=127.0.0.1,port=9"},
                                         {"port", "port=9,host=127.0.0.1"},
                                         {"listen", "listen=127.0.0.1:9"},
                                         {"options", "options=[a=b],cmd=touch STARTED"}};
    const char *rest = NULL;
    for (size_t i = 0; type == &player_ext && i < sizeof ext / sizeof ext[0]; i++)
        if (strcmp(ext[i][0], p->name) == 0)
            rest = ext[i][1];
    if (type == &player_ext && rest == NULL)
        fail_msg("ext: %s is not in this test's table", p->name);
    assert_true(out->count + 3 <= CASES_MAX);
    char spec[SPEC_MAX];
    if (rest != NULL)
        snprintf(spec, SPEC_MAX, "%s:%s", type->name, rest);
    else
        snprintf(spec, SPEC_MAX, "%s:%s=/dev/zero", type->name, p->name);
    snprintf(out->specs[out->count++], SPEC_MAX, "%s", spec);
    snprintf(out->specs[out->count++], SPEC_MAX, "first:then=[%.200s]", spec);
    snprintf(out->specs[out->count++], SPEC_MAX, "first:player=[split:player=[%.200s]]", spec);
}

static const struct powerful *powerful(void) {
    static struct powerful all;
    const bool is_filled = all.count > 0;
    for (int i = 0; !is_filled && player_types[i] != NULL; i++)
        for (const struct param *p = player_types[i]->params; p != NULL && p->name != NULL; p++)
            if (param_is_powerful(p))
                add_case(&all, player_types[i], p);
    return &all;
}

/* Each row alone is refused, also where the player's own check accepts it. */
static void every_row_needs_leave(void **state) {
    (void)state;
    for (int i = 0; player_types[i] != NULL; i++)
        for (const struct param *p = player_types[i]->params; p != NULL && p->name != NULL; p++) {
            union player_options options = {0};
            struct grant others = {.powers = ~(1U << p->power)}, own = {.powers = 1U << p->power};
            struct err e;
            params_default(player_types[i]->params, &options);
            assert_true(grant_allows_options(NULL, player_types[i], &options, &e));
            if (!param_is_powerful(p))
                continue;
            assert_true(params_set(player_types[i]->params, p->name, "7", &options, &e));
            assert_false(grant_allows_options(NULL, player_types[i], &options, &e));
            assert_true(strstr(e.text, "needs leave") != NULL && strstr(e.text, p->name) != NULL);
            assert_false(grant_allows_options(&others, player_types[i], &options, &e));
            assert_true(grant_allows_options(&own, player_types[i], &options, &e));
        }
}

static const struct param unsaid[] = {{"new", PARAM_TEXT, 0, .help = "of a player that is to come"}, {0}};

/* A new player's text parameter is refused until its row declares its effect. */
static void undeclared_effects_are_refused(void **state) {
    (void)state;
    const struct player_type type = {.name = "new", .params = unsaid};
    union player_options options = {0};
    struct err e;
    assert_true(grant_allows_options(NULL, &type, &options, &e));
    assert_true(params_set(unsaid, "new", "x", &options, &e));
    assert_false(grant_allows_options(NULL, &type, &options, &e));
}

/* ---- every reader ---- */

static void expect_refused(bool ok, const struct err *e, const char *spec, const char *reader) {
    if (ok)
        fail_msg("%s takes %s", reader, spec);
    if (strstr(e->text, "needs leave") == NULL)
        fail_msg("%s, %s: '%s' does not say what it needs", reader, spec, e->text);
    assert_true(access("STARTED", F_OK) != 0);
}

static void players_are_not_opened(void **state) {
    (void)state;
    const struct powerful *all = powerful();
    assert_true(all->count >= 3 * 7);
    for (int i = 0; i < all->count; i++) {
        static const struct grant files = {.powers = 1U << PARAM_WRITES};
        struct err e = {{0}};
        assert_true(player_check(all->specs[i], NULL, &e)); /* there is nothing else wrong with it */
        expect_refused(player_open(all->specs[i], &tbs_game, &e) != NULL, &e, all->specs[i], "player_open");
        expect_refused(player_open_granted(all->specs[i], &tbs_game, &files, &e) != NULL, &e, all->specs[i],
                       "player_open_granted");
        expect_refused(grant_allows(NULL, all->specs[i], &e), &e, all->specs[i], "grant_allows");
    }
}

static void events_are_not_played(void **state) {
    (void)state;
    const struct powerful *all = powerful();
    for (int i = 0; i < all->count; i++) {
        struct tournament tournament = {.owns_scenarios = true}, again = {0};
        struct text text = {0};
        struct err e = {{0}};
        char json[2 * SPEC_MAX];
        tournament_rules_default(&tournament.rules);
        snprintf(json, sizeof json, "[{\"spec\": \"random\"}, {\"spec\": \"%s\"}]", all->specs[i]);
        assert_true(entrants_read("entries", json, strlen(json), &tournament, &e));
        tournament.maps = calloc(1, sizeof *tournament.maps);
        tournament.map_count = 1;
        snprintf(tournament.maps[0].name, sizeof tournament.maps[0].name, "duel");
        tournament.maps[0].scenario = own_map("duel");
        expect_refused(tournament_check(&tournament, NULL, &e), &e, all->specs[i], "a list of entries");
        /* The text in a store, which rank 0 also sends to the other ranks. */
        assert_true(tournament_write(&tournament, &text, &e));
        assert_true(tournament_read("store", text_string(&text), text.size, &again, &e));
        expect_refused(tournament_check(&again, NULL, &e), &e, all->specs[i], "a store");
        tournament_done(&again);
        tournament_done(&tournament);
        text_done(&text);
    }
}

static void matches_are_not_played(void **state) {
    (void)state;
    const struct powerful *all = powerful();
    struct scenario *scenario = own_map("duel");
    for (int i = 0; i < all->count; i++) {
        struct match_totals totals;
        struct err e = {{0}};
        const struct match match = {.map_count = 1,
                                    .scenarios = &scenario,
                                    .players = {"random", all->specs[i]},
                                    .games = 1,
                                    .batch.workers = 1};
        expect_refused(match_run(&match, &totals, &e), &e, all->specs[i], "a match");
    }
    game_unload(scenario);
}

static void recipes_are_not_followed(void **state) {
    (void)state;
    const struct powerful *all = powerful();
    struct scenario *scenario = own_map("duel");
    const struct tbs_map *map = tbs_scenario_map(scenario);
    for (int i = 0; i < all->count; i++) {
        struct recipe recipe, again;
        struct plan plan;
        struct text text = {0};
        struct err e = {{0}};
        bool complete;
        assert_true(recipe_preset(&recipe, NULL, &e));
        assert_true(recipe_set(&recipe, "strong", "random", &e));
        assert_true(recipe_set(&recipe, "weak", all->specs[i], &e));
        params_write_all(recipe_params, &recipe, &text);
        assert_true(recipe_read(text_string(&text), &again, &e)); /* from a store, or from rank 0 */
        assert_true(recipe_plan(&again, &plan, &e));              /* which opens nothing of that kind */
        atomic_bool stop = false;
        const struct evaluator_setup setup = {
            .rules = plan.rules, .strong = again.strong, .weak = again.weak, .workers = 1, .stop = &stop};
        struct judgement judgement = {0};
        const struct request request = {0, map, SAMPLE_STRONG_RED, 0, 1, &judgement};
        struct evaluator *evaluator = evaluator_open(&setup, &e);
        assert_non_null(evaluator);
        expect_refused(evaluator_play(evaluator, &request, 1, &complete, &e), &e, all->specs[i], "a recipe");
        evaluator_close(evaluator);
        text_done(&text);
    }
    game_unload(scenario);
}

static void conversations_choose_nothing(void **state) {
    (void)state;
    const struct powerful *all = powerful();
    const struct session_setup setup = {.version = "0", .player = "random"};
    struct session *session = session_open(&setup, NULL);
    assert_non_null(session);
    for (int i = 0; i < all->count; i++) {
        char line[SPEC_MAX + 40];
        struct text out = {0};
        struct err e;
        snprintf(line, sizeof line, "setoption player %s", all->specs[i]);
        session_line(session, line, &out);
        snprintf(e.text, sizeof e.text, "%s", text_string(&out));
        expect_refused(strncmp(text_string(&out), "error ", 6) != 0, &e, all->specs[i],
                       "the engine protocol");
        text_done(&out);
    }
    session_close(session);
}

static void pages_name_nothing(void **state) {
    (void)state;
    const struct powerful *all = powerful();
    static struct workbench bench = {.setup.cores = 2};
    for (int i = 0; i < all->count; i++) {
        struct err e;
        if (serve_check_player(&bench, all->specs[i], NULL, &e))
            fail_msg("a page may name %s", all->specs[i]);
        assert_true(strstr(e.text, "not allowed here") != NULL || strstr(e.text, "names a file") != NULL);
        /* Programs may be allowed, files are not. */
        bench.setup.programs = true;
        assert_int_equal(serve_check_player(&bench, all->specs[i], NULL, &e),
                         strstr(all->specs[i], "ext:") != NULL);
        bench.setup.programs = false;
    }
}

/* ---- granted permissions ---- */

static void leave_is_for_exactly_that(void **state) {
    (void)state;
    static const struct {
        const char *spec;
        bool allowed;
    } cases[] = {
        {"ext:cmd=./bot", true},
        {"ext:cmd=./bot,turn=yes,timeout=100", true}, /* what the program never sees */
        {"ext:turn=no,cmd=[./bot]", true},
        {"first:then=[ext:cmd=./bot]", true},
        {"ext:cmd=./bot ", false},
        {"ext:cmd=./bo", false},
        {"ext:cmd=./bott", false},
        {"ext:cmd=./bot,options=[a=b]", false},
        {"ext:cmd=./bot (starts a program)", false},
        {"ext:host=a,port=1", true},
        {"ext:host=a,port=2", false},
        {"ext:host=b,port=1", false},
        {"ext:listen=1", false},
        {"pg:weights=w", true},
        {"geist:weights=w", false},
        {"pg:weights=v", false},
        {"random", true},
    };
    struct grant grant = {0};
    struct err e;
    assert_true(grant_add(&grant, "split:player=[ext:cmd=./bot]", &e));
    assert_true(grant_add(&grant, "ext:host=a,port=1", &e));
    assert_true(grant_add(&grant, "pg:weights=w", &e));
    assert_false(grant_add(&grant, "nosuch:cmd=x", &e));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (grant_allows(&grant, cases[i].spec, &e) != cases[i].allowed)
            fail_msg("%s is %sallowed", cases[i].spec, cases[i].allowed ? "not " : "");
    text_done(&grant.lines);
    assert_false(grant_allows(&grant, "ext:cmd=./bot", &e));
}

/* The list shows all permissions, one line for each, and without control sequences. */
static void what_is_missing_is_shown(void **state) {
    (void)state;
    struct text out = {0};
    struct err e;
    assert_true(grant_missing(NULL, "first:player=[ext:cmd=a\033[0;]b\\x1B\t],then=[ext:cmd=c]", &out, &e));
    assert_true(grant_missing(NULL, "ext:cmd=c", &out, &e));
    assert_string_equal(text_string(&out), "ext:cmd=[a\\x1B[0;]b\\\\x1B\\x09] (starts a program)\n"
                                           "ext:cmd=c (starts a program)\n");
    text_done(&out);
}

static void texts_are_shown_as_they_are(void **state) {
    (void)state;
    static const struct {
        const char *text, *shown;
    } cases[] = {
        {"plain 日本 ä", "plain 日本 ä"},
        {"\033[2J\a\n\r\t\x7f", "\\x1B[2J\\x07\\x0A\\x0D\\x09\\x7F"},
        {"\\x1B", "\\\\x1B"},
        {"\xC2\x9B", "\\u{009B}"}, /* CSI in one character */
        {"a\xE2\x80\xAE"
         "b",
         "a\\u{202E}b"}, /* right to left */
        {"a\xE2\x80\x8B"
         "b",
         "a\\u{200B}b"},                    /* a blank without width */
        {"\xF3\xA0\x80\xA1", "\\u{E0021}"}, /* a tag */
        {"\xFF\xC3", "\\xFF\\xC3"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct text out = {0};
        charset_show(cases[i].text, strlen(cases[i].text), &out);
        assert_string_equal(text_string(&out), cases[i].shown);
        text_done(&out);
    }
    struct text out = {0};
    charset_show_sentence("a\\b\033c", 5, &out);
    assert_string_equal(text_string(&out), "a\\b\\x1Bc");
    text_done(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_text_declares_its_effect),
        cmocka_unit_test(what_names_something_outside_is_marked),
        cmocka_unit_test(every_row_needs_leave),
        cmocka_unit_test(undeclared_effects_are_refused),
        cmocka_unit_test(players_are_not_opened),
        cmocka_unit_test(events_are_not_played),
        cmocka_unit_test(matches_are_not_played),
        cmocka_unit_test(recipes_are_not_followed),
        cmocka_unit_test(conversations_choose_nothing),
        cmocka_unit_test(pages_name_nothing),
        cmocka_unit_test(leave_is_for_exactly_that),
        cmocka_unit_test(what_is_missing_is_shown),
        cmocka_unit_test(texts_are_shown_as_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
