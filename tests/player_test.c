/* SPDX-License-Identifier: MIT
 *
 * Players: the registry and its spec strings, the laws for every player (legal, repeatable, no memory), and
 * each player against its definition.
 */
#include "player/player.h"

#include "base/mem.h"
#include "game/geister/geister.h"
#include "player_support.h"
#include "sample.h"
#include "tests/memory_support.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { ACTIONS_MAX = 1 << 15, POSITIONS = SAMPLE(40, 8), GEISTER_POSITIONS = 8 };

static action legal[ACTIONS_MAX];

static bool same_answer(const struct answer *a, const struct answer *b) {
    return a->chosen == b->chosen && a->work_done == b->work_done &&
           memcmp(&a->value, &b->value, sizeof a->value) == 0;
}

/* ---- the registry ---- */

static int choices_count(const char *choices) {
    int count = 1;
    for (; *choices != '\0'; choices++)
        count += *choices == '|';
    return count;
}

static size_t param_size(enum param_kind kind) {
    static const size_t sizes[] = {[PARAM_INT] = sizeof(int),
                                   [PARAM_REAL] = sizeof(double),
                                   [PARAM_SWITCH] = sizeof(bool),
                                   [PARAM_CHOICE] = sizeof(int),
                                   [PARAM_TEXT] = PARAM_TEXT_MAX};
    return sizes[kind];
}

static void check_param(const struct param *p, size_t options_size) {
    assert_non_null(p->help);
    assert_true(p->help[0] != '\0');
    assert_true(p->offset + param_size(p->kind) <= options_size);
    if (p->kind != PARAM_REAL)
        assert_true(fabs(p->fallback - round(p->fallback)) < 1e-12);
    assert_true(p->kind <= PARAM_TEXT); /* the kinds of specs */
    if (p->kind == PARAM_INT || p->kind == PARAM_REAL) {
        assert_true(p->low < p->high);
        assert_true(p->low <= p->fallback && p->fallback <= p->high);
    } else if (p->kind == PARAM_SWITCH) {
        assert_true(p->fallback >= 0 && p->fallback <= 1);
    } else if (p->kind == PARAM_CHOICE) {
        assert_non_null(p->choices);
        assert_true(p->fallback >= 0 && p->fallback < choices_count(p->choices));
    } else {
        assert_true(p->choices == NULL || strlen(p->choices) < PARAM_TEXT_MAX);
    }
}

/* No two parameters of the same name or in the same bytes. */
static void check_params(const struct param *table, size_t options_size) {
    for (const struct param *p = table; p != NULL && p->name != NULL; p++) {
        check_param(p, options_size);
        for (const struct param *q = table; q != p; q++) {
            assert_string_not_equal(p->name, q->name);
            assert_true(q->offset + param_size(q->kind) <= p->offset ||
                        p->offset + param_size(p->kind) <= q->offset);
        }
    }
}

static void registry_is_sane(void **state) {
    (void)state;
    int count = 0;
    for (; player_types[count] != NULL; count++) {
        const struct player_type *type = player_types[count];
        assert_true(type->name != NULL && type->help != NULL);
        assert_true(type->choose != NULL);
        assert_true(type->size >= sizeof(struct player) + type->options_size);
        assert_true(type->options_size <= PLAYER_OPTIONS_MAX);
        assert_true(player_type_find(type->name) == type); /* so names are unique, too */
        check_params(type->params, type->options_size);
        struct spec spec;
        struct err e;
        assert_true(spec_parse(type->name, &spec, &e));
    }
    assert_true(count >= 2);
    assert_null(player_type_find("nobody"));
}

/* ---- spec strings ---- */

static void wrong_specs_are_explained(void **state) {
    (void)state;
    static const struct {
        const char *spec, *expected;
    } cases[] = {
        {"", "'' is no name; expected name or name:key=value,key=value"},
        {"random:sims=3", "random: option 'sims' is unknown; random has no options"},
        {"acteval:styl=paper",
         "acteval: option 'styl' is unknown; known are style, fighter, attacker, panzer, "
         "cannon, antiair, infantry, cover, approach"},
        {"acteval:style=papr", "acteval: style=papr is unknown; expected one of paper|sample"},
        {"acteval:cover=1.5", "acteval: cover=1.5: expected a number from 0 to 1"},
        {"acteval:panzer=-1", "acteval: panzer=-1: expected a number from 0 to 100"},
        {"acteval:panzer=nan", "acteval: panzer=nan: expected a number from 0 to 100"},
        {"acteval:panzer=", "acteval: panzer=: expected a number from 0 to 100"},
        {"acteval:panzer", "acteval: 'panzer' has no '='; expected key=value"},
        {"acteval:", "acteval: '' has no '='; expected key=value"},
        {"acteval:panzer=1,panzer=2", "acteval: option 'panzer' is given twice"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct err e = {0};
        assert_false(player_check(cases[i].spec, NULL, &e));
        assert_string_equal(e.text, cases[i].expected);
        e.text[0] = '\0';
        assert_null(player_open_granted(cases[i].spec, &tbs_game, &grant_everything, &e));
        assert_string_equal(e.text, cases[i].expected);
    }
}

static void unknown_players_are_answered_with_a_list(void **state) {
    (void)state;
    struct text expected = {0};
    struct err e = {0};
    text_add_string(&expected, "player 'acteva' is unknown; known are ");
    for (int i = 0; player_types[i] != NULL; i++)
        text_add(&expected, "%s%s", i > 0 ? ", " : "", player_types[i]->name);
    assert_false(player_check("acteva", NULL, &e));
    assert_string_equal(e.text, text_string(&expected));
    assert_null(player_open_granted("acteva", &tbs_game, &grant_everything, &e));
    assert_string_equal(e.text, text_string(&expected));
    text_done(&expected);
}

static void assert_canonical(const char *spec, const char *expected) {
    struct err e = {0};
    struct text canonical = {0};
    assert_true(player_check(spec, &canonical, &e));
    assert_string_equal(text_string(&canonical), expected);
    text_done(&canonical);
}

static void specs_have_a_canonical_form(void **state) {
    (void)state;
    assert_canonical("random", "random");
    assert_canonical("acteval:style=paper", "acteval");
    assert_canonical("acteval:infantry=0.50,panzer=1", "acteval");
    assert_canonical("acteval:cover=0.25,style=sample", "acteval:style=sample,cover=0.25");
    assert_canonical("acteval:approach=1e-3", "acteval:approach=0.001");
    assert_canonical("acteval:panzer=0.1000000000000000055", "acteval:panzer=0.1");
    assert_canonical("acteval:panzer=33.333333333333336", "acteval:panzer=33.333333333333336");
}

/* An external program: its command is required. Its own tests are in ext_test.c. */
static bool is_outsider(const struct player_type *type) {
    return type->transcript != NULL;
}

/* Each parameter at both ends of its range (each choice): the canonical form contains it and is its own
 * canonical form. */
static void canonical_specs_come_back(void **state) {
    (void)state;
    for (int i = 0; player_types[i] != NULL; i++) {
        if (is_outsider(player_types[i]))
            continue;
        for (const struct param *p = player_types[i]->params; p != NULL && p->name != NULL; p++) {
            for (int end = 0; end < 2; end++) {
                char spec[200];
                struct text first = {0};
                struct err e = {0};
                const int n = snprintf(spec, sizeof spec, "%s:%s=", player_types[i]->name, p->name);
                char *value = spec + n;
                if (p->kind == PARAM_CHOICE)
                    snprintf(value, 100, "%s", end == 0 ? p->choices : strrchr(p->choices, '|') + 1);
                else if (p->kind == PARAM_TEXT)
                    snprintf(value, 100, p->power == PARAM_SPEC ? "[%s]" : "%s",
                             p->choices != NULL ? p->choices : "");
                else
                    snprintf(value, 100, p->kind == PARAM_REAL ? "%g" : "%.0f",
                             p->kind == PARAM_SWITCH ? end
                             : end == 0              ? p->low
                                                     : p->high);
                value[strcspn(value, "|")] = '\0';
                assert_true(player_check(spec, &first, &e));
                assert_canonical(text_string(&first), text_string(&first));
                text_done(&first);
            }
        }
    }
}

/* ---- laws for all players ---- */

static const char *const law_specs[] = {"random",
                                        "acteval",
                                        "acteval:style=sample",
                                        "acteval:infantry=3,cover=1",
                                        "uct:sims=120,memory=1",
                                        "uct:sims=120,threads=2,transpositions=yes,policy=uniform,memory=1",
                                        "pwuct:sims=200,memory=1",
                                        "muct:sims=40,memory=1",
                                        "dlmc:turns=5,sims=4",
                                        "aas:nodes=300,memory=1",
                                        "minmax:nodes=500,memory=1",
                                        "minmax:plies=2,nodes=500,eval=threat,memory=1",
                                        "split:player=[minmax:nodes=300,memory=1]",
                                        "first:player=[dlmc:turns=3,sims=3],then=[pwuct:sims=30,memory=1]",
                                        "pimc:sims=40",
                                        "iimc:sims=6,inner=3,opponent=pimc",
                                        "amcts:sims=6,inner=3,rule=always",
                                        "ismcts:sims=60,memory=1",
                                        "ismcts:sims=60,threads=2,bound=tuned,memory=1"};
enum { LAW_SPECS = sizeof law_specs / sizeof law_specs[0] };

/* The players for Geister alone. */
static const char *const geister_specs[] = {"gst-a:sims=40,memory=1",
                                            "gst-b:sims=40,threads=2,memory=1",
                                            "gst-c:sims=40,memory=1",
                                            "nissy:sims=40,memory=1",
                                            "purple:depth=2,memory=1",
                                            "march:depth=2,memory=1",
                                            "eacp:depth=1,memory=1",
                                            "guess:setup=strong",
                                            "pg",
                                            "pg:style=sample",
                                            "geist:sims=30,mate=3,guard=1,depth=1"};
enum { GEISTER_SPECS = sizeof geister_specs / sizeof geister_specs[0] };

static bool is_among(const struct player_type *type, const char *const *specs, int count) {
    bool found = false;
    for (int i = 0; i < count; i++) {
        struct spec spec;
        assert_true(spec_parse(specs[i], &spec, NULL));
        found = found || strcmp(spec.name, type->name) == 0;
    }
    return found;
}

/* A player that no list above names is judged with its defaults, so that a new one cannot be forgotten. A
 * cheap spec in a list saves time. */
static bool is_unlisted(const struct player_type *type, const struct game *game) {
    struct player *player = NULL;
    if (!is_outsider(type) && !is_among(type, law_specs, LAW_SPECS) &&
        !is_among(type, geister_specs, GEISTER_SPECS))
        player = player_open(type->name, game, NULL);
    player_close(player);
    return player != NULL;
}

/* One that it plays. */
static const struct game *game_of(const struct player_type *type) {
    return is_among(type, geister_specs, GEISTER_SPECS) ? &geister_game : &tbs_game;
}

struct opening {
    const char *spec;
    const struct game *game;
    bool refused; /* with a sentence about a large block */
};

static void open_and_close(void *context) {
    struct opening *o = context;
    struct err e = {0};
    struct player *player = player_open_granted(o->spec, o->game, &grant_everything, &e);
    o->refused = player == NULL;
    if (o->refused) {
        assert_non_null(strstr(e.text, "not enough memory"));
        assert_memory_equal(e.text, o->spec, strcspn(o->spec, ":"));
    }
    player_close(player);
}

/* Every allocation fails once; nothing is left behind. */
static void check_memory(const char *spec, const struct game *game) {
    struct opening opening = {.spec = spec, .game = game};
    long n = 1;
    while (memory_runs_out(n, open_and_close, &opening) || opening.refused)
        n++;
    assert_true(n > 1);
}

static void lack_of_memory_is_reported(void **state) {
    (void)state;
    static const char *const others[] = {"uct:memory=1,threads=3", "uct:memory=1,reuse=yes", "dlmc:threads=2",
                                         "split:player=minmax", "first:player=random,then=minmax"};
    for (int i = 0; player_types[i] != NULL; i++)
        check_memory(is_outsider(player_types[i]) ? "ext:cmd=true" : player_types[i]->name,
                     game_of(player_types[i]));
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        check_memory(others[i], &tbs_game);
    player_close(NULL);
}

/* The same ask gives the same answer: by another player of the same spec, and by the same one after others.
 */
static void check_laws(const char *spec, struct position *positions, int count, struct answer *answers) {
    const struct game *game = positions[0].scenario->game;
    struct player *fresh = NULL, *used = open_player(spec, game);
    for (int i = 0; i < count; i++) {
        fresh = open_player(spec, game);
        answers[i] = ask_player(fresh, &positions[i], (uint64_t)i, NULL);
        player_close(fresh);
        assert_true(game->is_legal(positions[i].state, answers[i].chosen));
        assert_true(answers[i].work_done > 0);
        const struct answer first = ask_player(used, &positions[i], (uint64_t)i, NULL);
        assert_true(same_answer(&first, &answers[i]));
    }
    for (int i = count - 1; i >= 0; i--) { /* another order: earlier questions do not matter */
        const struct answer again = ask_player(used, &positions[i], (uint64_t)i, NULL);
        assert_true(same_answer(&again, &answers[i]));
    }
    player_close(used);
}

static void check_on_both_boards(const char *spec, struct position *small, struct position *wide, int count) {
    static struct answer answers[2][POSITIONS];
    check_laws(spec, small, count, answers[0]);
    check_laws(spec, wide, count, answers[1]);
    for (int i = 0; i < count; i++)
        assert_true(same_answer(&answers[0][i], &answers[1][i]));
}

/* Both tables list the same actions in the same order, so they also get the same answers. */
static void all_players_obey_the_laws(void **state) {
    (void)state;
    static struct position small[POSITIONS], wide[POSITIONS];
    struct scenario *scenarios[2][POSITIONS];
    int count = 0;
    for (uint64_t seed = 1; count < POSITIONS; seed++) {
        struct rng r, again;
        struct tbs_map map;
        rng_seed(&r, seed);
        draw_map(&r, &map);
        const int steps = (int)rng_below(&r, 30);
        again = r;
        scenarios[0][count] = make_scenario(&map, TBS_PATH_SMALL);
        scenarios[1][count] = make_scenario(&map, TBS_PATH_WIDE);
        const bool running = walk(&small[count], scenarios[0][count], steps, &r);
        assert_true(walk(&wide[count], scenarios[1][count], steps, &again) == running);
        if (running) {
            count++;
        } else {
            game_unload(scenarios[0][count]);
            game_unload(scenarios[1][count]);
        }
    }
    for (int k = 0; k < LAW_SPECS; k++)
        check_on_both_boards(law_specs[k], small, wide, count);
    for (int k = 0; player_types[k] != NULL; k++)
        if (is_unlisted(player_types[k], &tbs_game))
            check_on_both_boards(player_types[k]->name, small, wide, count);
    for (int i = 0; i < count; i++) {
        game_unload(scenarios[0][i]);
        game_unload(scenarios[1][i]);
    }
}

static void players_of_geister_obey_the_laws(void **state) {
    (void)state;
    static struct position positions[GEISTER_POSITIONS];
    static struct answer answers[GEISTER_POSITIONS];
    struct err e;
    struct scenario *scenario = game_load_spec("geister", &e);
    assert_non_null(scenario);
    for (int i = 0; i < GEISTER_POSITIONS; i++) { /* the first two: choosing the reds */
        struct rng r;
        rng_seed(&r, (uint64_t)i);
        assert_true(walk(&positions[i], scenario, i * i, &r));
    }
    for (int k = 0; k < GEISTER_SPECS; k++)
        check_laws(geister_specs[k], positions, GEISTER_POSITIONS, answers);
    for (int k = 0; player_types[k] != NULL; k++)
        if (is_unlisted(player_types[k], &geister_game) && !is_unlisted(player_types[k], &tbs_game))
            check_laws(player_types[k]->name, positions, GEISTER_POSITIONS, answers);
    game_unload(scenario);
}

/* ---- random ---- */

/* The chi-square quantile of `z` standard deviations (Wilson and Hilferty's approximation). */
static double chi_square(int freedom, double z) {
    const double part = 2.0 / (9.0 * freedom);
    return freedom * pow(1 - part + z * sqrt(part), 3);
}

static void random_is_uniform(void **state) {
    (void)state;
    static int seen[ACTIONS_MAX];
    struct position p;
    struct scenario *scenario =
        load_position("SIZEX[7];SIZEY[7];TURNLIMIT[9];HPTHRESHOLD[0];UNITNUMRED[3];UNITNUMBLUE[2];"
                      "UNIT[1,1,panzer,0,10,0];UNIT[2,1,infantry,0,9,0];UNIT[5,5,fighter,0,8,0];"
                      "UNIT[3,3,infantry,1,10,0];UNIT[5,3,attacker,1,10,0];"
                      "MAP[0,0,0,0,0,0,0];MAP[0,1,1,3,1,1,0];MAP[0,1,1,1,1,1,0];MAP[0,1,1,1,1,1,0];"
                      "MAP[0,1,4,1,1,1,0];MAP[0,1,1,1,1,1,0];MAP[0,0,0,0,0,0,0];",
                      &p);
    struct player *player = open_player("random", &tbs_game);
    struct rng r;
    rng_seed(&r, 20240229);
    const int count = tbs_game.actions(p.state, legal), each = 400;
    assert_true(count > 40);
    memset(seen, 0, sizeof seen);
    for (int i = 0; i < count * each; i++) {
        const struct ask question = {.game = &tbs_game, .view = p.state, .side = 0, .rng = &r};
        struct answer answer;
        player_choose(player, &question, &answer);
        assert_true(isnan(answer.value));
        int at = 0;
        while (at < count && legal[at] != answer.chosen)
            at++;
        assert_true(at < count); /* listed, so neither pass nor resign nor an attack without power */
        seen[at]++;
    }
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += (double)(seen[i] - each) * (seen[i] - each) / each;
    assert_true(sum < chi_square(count - 1, 3.1));
    assert_true(sum > chi_square(count - 1, -3.1)); /* too even would not be random either */
    player_close(player);
    game_unload(scenario);
}

static void expect_need(const char *spec, const char *sentence) {
    struct err e = {{0}};
    assert_int_equal(player_check_needs(spec, 100, 4, &e), sentence[0] == '\0');
    assert_string_equal(e.text, sentence);
}

/* Memory of the players of a spec adds up; they think one after the other, so threads do not. */
static void needs_are_counted_together(void **state) {
    (void)state;
    expect_need("random", "");
    expect_need("uct:memory=100,threads=4", "");
    expect_need("uct:memory=101", "uct:memory=101: memory of 101 megabytes; expected at most 100 here");
    expect_need("uct:memory=1,threads=5", "uct:memory=1,threads=5: threads=5; expected at most 4 here");
    expect_need("first:player=[uct:memory=60,threads=3],then=[uct:memory=40,threads=4]", "");
    expect_need("first:player=[uct:memory=61],then=[uct:memory=40]",
                "first:player=[uct:memory=61],then=[uct:memory=40]: memory of 101 megabytes, all players of "
                "the spec together; expected at most 100 here");
    expect_need("first:player=[uct:memory=1,threads=5],then=random",
                "first:player=[uct:memory=1,threads=5],then=random: threads=5; expected at most 4 here");
    expect_need("nonsense:memory=500", "");
    expect_need("uct:memory=x", "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(needs_are_counted_together),
        cmocka_unit_test(registry_is_sane),
        cmocka_unit_test(wrong_specs_are_explained),
        cmocka_unit_test(unknown_players_are_answered_with_a_list),
        cmocka_unit_test(specs_have_a_canonical_form),
        cmocka_unit_test(canonical_specs_come_back),
        cmocka_unit_test(lack_of_memory_is_reported),
        cmocka_unit_test(all_players_obey_the_laws),
        cmocka_unit_test(players_of_geister_obey_the_laws),
        cmocka_unit_test(random_is_uniform),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
