/* SPDX-License-Identifier: MIT
 *
 * Games without maps, played at random from fixed seeds: the results of all functions in their tables for
 * each state and each side's view of it is compared with tests/expected/games.txt, a digest for each part of
 * the table.
 */
#include "base/mem.h"
#include "exact/form.h"
#include "expected_support.h"
#include "game_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

enum { ACTIONS_MAX = 256, WORLDS_SHOWN = 5 };

enum part { STATES, BROKEN, VIEWS, WORLDS, ACTIONS, LISTS, ROLLOUTS, EVALS, BOUNDS, ENDS, PARTS };
static const char *const part_names[PARTS] = {"states", "broken",   "views", "worlds", "actions",
                                              "lists",  "rollouts", "evals", "bounds", "ends"};

struct told {
    struct scenario *scenario;
    struct text parts[PARTS];
};

static void describe_state(const struct told *told, const void *state, struct text *out) {
    const struct game *game = told->scenario->game;
    const struct turn_progress progress = game->progress(state);
    game->text->write_state(state, out);
    text_add(out, "%d %d %d/%d %llx %d %s\n", game->mover(state), game->turn(state), progress.taken,
             progress.left, (unsigned long long)game->key(state), game->valid(state),
             game->text->result(state));
}

/* Which bytes of a state can be another number; those in front are the pointer to the scenario. */
static void describe_broken(struct told *told, const void *state) {
    const struct game *game = told->scenario->game;
    for (size_t i = sizeof(void *); i < game->state_size; i++)
        for (int bit = 0; bit < 8; bit++) {
            union support_state broken;
            memcpy(&broken, state, game->state_size);
            broken.bytes[i] ^= (unsigned char)(1 << bit);
            text_add_string(&told->parts[BROKEN], game->valid(&broken) ? "+" : "-");
        }
}

static void describe_views(struct told *told, const void *state, struct rng *r) {
    const struct game *game = told->scenario->game;
    for (int side = NOBODY; side < 2; side++) {
        union support_state view, world;
        game_view(game, state, side, &view);
        describe_state(told, &view, &told->parts[VIEWS]);
        const double worlds = game->worlds(&view);
        text_add(&told->parts[WORLDS], "%.17g\n", worlds);
        for (int i = 0; i < WORLDS_SHOWN && worlds <= GAME_WORLDS_MAX; i++) {
            world = view;
            game->world(&world, (uint64_t)((worlds - 1) * i / (WORLDS_SHOWN - 1)));
            describe_state(told, &world, &told->parts[WORLDS]);
        }
        world = view;
        game->determinize(&world, r);
        describe_state(told, &world, &told->parts[WORLDS]);
    }
}

static int describe_actions(struct told *told, const void *state, action *list) {
    const struct game *game = told->scenario->game;
    const int count = game->actions(state, list);
    float scores[ACTIONS_MAX];
    for (int i = 0; i < count; i++)
        game->text->write_action(state, list[i], &told->parts[ACTIONS]);
    for (action a = 0; a < ACTIONS_MAX; a++)
        text_add(&told->parts[ACTIONS], "%d", game->is_legal(state, a));
    for (const struct action_list *l = game->lists; l->name != NULL; l++) {
        action few[ACTIONS_MAX];
        const int n = l->list(state, few);
        text_add(&told->parts[LISTS], "%s", l->name);
        for (int i = 0; i < n; i++)
            text_add(&told->parts[LISTS], " %u", (unsigned)few[i]);
    }
    for (const struct prior *p = game->priors; p->name != NULL; p++) {
        p->score(state, list, count, scores);
        for (int i = 0; i < count; i++)
            text_add(&told->parts[LISTS], " %.6g", (double)scores[i]);
    }
    return count;
}

static void describe_rollouts(struct told *told, const void *state, struct rng *r) {
    const struct game *game = told->scenario->game;
    for (const struct rollout *way = game->rollouts; way->name != NULL; way++)
        for (int turns = 0; turns <= 3; turns += 3) {
            union support_state copy;
            memcpy(&copy, state, game->state_size);
            const long count = way->run(&copy, r, turns);
            text_add(&told->parts[ROLLOUTS], "%s %d %ld ", way->name, turns, count);
            describe_state(told, &copy, &told->parts[ROLLOUTS]);
        }
}

static void describe_worth(struct told *told, const void *state) {
    const struct game *game = told->scenario->game;
    double weights[GAME_WEIGHTS_MAX] = {0}, low, high;
    for (int i = 0; game->weights != NULL && game->weights[i].name != NULL; i++)
        weights[i] = game->weights[i].fallback;
    for (const struct eval *eval = game->evals; eval->name != NULL; eval++)
        for (int side = 0; side < 2; side++)
            text_add(&told->parts[EVALS], "%s %.9g\n", eval->name, eval->value(state, side, weights));
    if (game->bounds != NULL) {
        game->bounds(state, &low, &high);
        text_add(&told->parts[BOUNDS], "%.9g %.9g\n", low, high);
    }
    if (game->secured != NULL) {
        game->secured(state, &low, &high);
        text_add(&told->parts[BOUNDS], "%.9g %.9g\n", low, high);
    }
}

static void play_game(struct told *told, uint64_t seed, bool is_small) {
    const struct game *game = told->scenario->game;
    union support_state state = {0};
    struct rng r;
    rng_seed(&r, seed);
    game->start(&state, told->scenario, &r);
    while (true) {
        action list[ACTIONS_MAX];
        describe_state(told, &state, &told->parts[STATES]);
        if (is_small || game->turn(&state) == 20)
            describe_broken(told, &state);
        describe_views(told, &state, &r);
        describe_rollouts(told, &state, &r);
        describe_worth(told, &state);
        const int count = describe_actions(told, &state, list);
        if (game->mover(&state) == NOBODY)
            break;
        game->play(&state, list[rng_below(&r, (uint32_t)count)], &r);
    }
    text_add(&told->parts[ENDS], "%.9g %.9g %.9g\n", game->payoff(&state, 0), game->payoff(&state, 1),
             game_payoff_scaled(told->scenario, game->payoff(&state, 0)));
}

/* The options that differ from their defaults, as words. */
static void add_source(const struct scenario *scenario, struct text *out) {
    struct text words = {0};
    if (scenario->game->text->write_map != NULL)
        scenario->game->text->write_map(scenario, out);
    game_write_newgame(scenario, &words);
    const char *blank = strchr(text_string(&words), ' ');
    text_add_string(out, blank != NULL ? blank + 1 : "");
    text_done(&words);
}

static void add_game(const char *spec, uint64_t games, struct text *out) {
    struct told told = {.scenario = support_load(spec)};
    assert_true(told.scenario->game->actions_max <= ACTIONS_MAX);
    for (uint64_t seed = 1; seed <= games; seed++)
        play_game(&told, seed, games > 10);
    add_source(told.scenario, &told.parts[ENDS]);
    text_add(out, "%s:", spec);
    for (int part = 0; part < PARTS; part++) {
        text_add(out, " %s %08x", part_names[part], expected_digest(&told.parts[part]));
        text_done(&told.parts[part]);
    }
    text_add_string(out, "\n");
    game_unload(told.scenario);
}

/* ---- written out whole ---- */

static void add_strategy(const char *name, const struct form *form, const double *strategy,
                         struct text *out) {
    struct text chances = {0};
    for (uint32_t i = 0; i < form->action_count; i++)
        text_add(&chances, " %.6f", strategy[i]);
    text_add(out, ", %s %08x", name, expected_digest(&chances));
    text_done(&chances);
}

static void add_solution(const char *spec, struct text *out) {
    struct err e;
    struct form form;
    struct cfr_result result;
    double gap = 0;
    struct scenario *scenario = support_load(spec);
    assert_true(form_build(scenario, 7, FORM_NODES_MAX, NULL, &form, &e));
    double *optimal = form_uniform(&form), *pimc = form_uniform(&form);
    const struct cfr_options options = {.gap = 1e-3, .iterations_max = 60};
    assert_true(cfr_solve(&form, &options, optimal, &result, &e));
    assert_true(pimc_strategy(&form, pimc, &e));
    assert_true(response_gap(&form, (const double *const[2]){pimc, pimc}, &gap, &e));
    text_add(out,
             "%s: %u deals, %u nodes, %u sets, %u actions, %u leaves; %d iterations, value %.6f, gap %.6f",
             spec, form.deal_count, form.node_count, form.set_count, form.action_count, form.leaf_count,
             result.iterations, result.value, result.gap);
    add_strategy("optimal", &form, optimal, out);
    add_strategy("pimc", &form, pimc, out);
    text_add(out, ", exploited by %.6f\n", gap);
    mem_free(optimal);
    mem_free(pimc);
    form_done(&form);
    game_unload(scenario);
}

static void solutions_are_as_before(void **state) {
    (void)state;
    struct text found = {0};
    add_solution("kuhn", &found);
    add_solution("fusion", &found);
    add_solution("synth:depth=5,worlds=4", &found);
    add_solution("synth:depth=4,branching=3,worlds=2,df=0.2", &found);
    expected_compare("solutions.txt", &found);
    text_done(&found);
}

static void games_are_as_before(void **state) {
    (void)state;
    static const struct {
        const char *spec;
        uint64_t games;
    } cases[] = {{"kuhn", 40},
                 {"fusion", 40},
                 {"synth", 12},
                 {"synth:worlds=16,depth=7,df=0.3,lc=0.8,bias=0.4", 12},
                 {"synth:branching=3,depth=5,df=0.7,uncorr=different,r=7", 12},
                 {"synth:branching=4,depth=4,worlds=4,uncorr=mirror,mu=0.3,sd=0.5", 12},
                 {"synth:payoffs=signs,depth=8,lc=0.25,bias=0.25,df=0.1", 12},
                 {"synth:payoffs=signs,uncorr=independent,tree=77,df=1", 12},
                 {"synth:branching=3,uncorr=extreme,sd=0,worlds=1", 12},
                 {"geister", 4},
                 {"geister:rules=uctgeister,plies=60", 4},
                 {"geister:rules=geister-rl", 4},
                 {"geister:rules=cpp-lib,plies=31", 4},
                 {"geister:rules=handyrl,exits=both", 4}};
    struct text found = {0};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        add_game(cases[i].spec, cases[i].games, &found);
    expected_compare("games.txt", &found);
    text_done(&found);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(games_are_as_before),
                                       cmocka_unit_test(solutions_are_as_before)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
