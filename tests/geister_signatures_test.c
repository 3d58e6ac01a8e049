/* SPDX-License-Identifier: MIT
 *
 * Values computed by the players of Geister, in positions of random games and in short training runs, beside
 * tests/expected/geister.txt: digests of all numbers, to six digits.
 */
#include "base/mem.h"
#include "tests/memory_support.h"
#include "expected_support.h"
#include "game_support.h"
#include "geister/policy.h"
#include "geist_support.h"
#include "geister/guess.h"
#include "geister/learn.h"
#include "geister/purple.c" /* the evaluation is internal */
#include "geister/setup.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { GAMES = 4, PLY_FIRST = 2, PLY_STEP = 5, PLIES = 160 };

static void add_numbers(const double *numbers, int count, struct text *out) {
    for (int i = 0; i < count; i++)
        text_add(out, " %.6g", numbers[i]);
    text_add_string(out, "\n");
}

/* ---- positions ---- */

/* Questions about each position; `side` is to move, and sees its view. */
struct asked {
    struct purple *purple;
    struct inference *inference;
    struct geist *geists[2];
    struct text geist, policy, guess, belief, search, mate, open;
};

static void ask_policy(struct asked *a, const struct geister_observation *seen) {
    action moves[POLICY_MOVES_MAX];
    float scores[POLICY_MOVES_MAX];
    const int count = bits_moves(seen->red, seen->blue, true, moves);
    policy_scores(policy_builtin(), seen, moves, count, scores);
    text_add(&a->policy, "%.6g %d", (double)policy_value(policy_builtin(), seen), policy_best(scores, count));
    for (int i = 0; i < count; i++)
        text_add(&a->policy, " %u %.6g", (unsigned)moves[i], (double)scores[i]);
    policy_softmax(scores, count);
    for (int i = 0; i < count; i++)
        text_add(&a->policy, " %.5g", (double)scores[i]);
}

static void ask_guess(struct asked *a, const struct geister *view, int side) {
    double blueness[GEISTER_PIECES];
    struct guess_verdict verdict;
    int redness[GEISTER_PIECES];
    purple_redness(view, side, redness);
    for (int i = 0; i < GEISTER_PIECES; i++)
        text_add(&a->guess, " %d", redness[i]);
    text_add(&a->guess, " %d\n", purple_surely_red(view, side));
    guess_blueness(view, side, blueness);
    add_numbers(blueness, GEISTER_PIECES, &a->guess);
    guess_moves(view, side, &verdict);
    for (int i = 0; i < verdict.count; i++)
        text_add(&a->guess, " %u", (unsigned)verdict.moves[i]);
    add_numbers(verdict.scores, verdict.count, &a->guess);
}

/* Both searches, with the estimated colours; every move's value, visits and line. */
static void ask_geist(struct asked *a, const struct geister *view, const struct belief *belief,
                      struct rng *r) {
    static struct thoughts thoughts;
    for (int i = 0; i < 2; i++) {
        struct search_result result;
        const struct search_task task = {
            .game = &geister_game, .root = view, .budget = {.work_max = 24}, .rng = r, .thoughts = &thoughts};
        geist_search(a->geists[i], &task, belief, &result);
        text_add(&a->geist, "%u %.5g %llu %llu, %d:", (unsigned)result.chosen, result.value,
                 (unsigned long long)result.work, (unsigned long long)result.nodes, thoughts.depth);
        for (int k = 0; k < thoughts.count; k++) {
            const struct thought *const t = &thoughts.candidates[k];
            text_add(&a->geist, " %u %.5g %llu", (unsigned)t->action, t->value,
                     (unsigned long long)t->visits);
            for (int n = 0; n < t->line_count; n++)
                text_add(&a->geist, "/%u", (unsigned)t->line[n]);
        }
        text_add_string(&a->geist, "\n");
    }
}

static void ask_belief(struct asked *a, const struct geister *view, int side, struct rng *r) {
    struct belief belief;
    double redness[GEISTER_PIECES];
    enum belief_model who;
    inference_conclude(a->inference, view, side, &belief);
    for (int i = 0; i < belief.count; i++)
        text_add(&a->belief, " %u %.5g %.5g", belief.reds[i], belief.weight[i],
                 belief.share[i][BELIEF_GUESS]);
    add_numbers(belief.look, GEISTER_CELLS, &a->belief);
    ask_geist(a, view, &belief, r);
    belief_redness(&belief, redness);
    add_numbers(redness, GEISTER_PIECES, &a->belief);
    for (int i = 0; i < 4; i++) {
        struct geister filled = *view;
        const unsigned reds = belief_draw(&belief, r, &who);
        belief_fill(&filled, side, reds);
        text_add(&a->belief, "%u %d %d\n", reds, who, geister_game.valid(&filled));
    }
}

static void add_result(const struct purple_result *result, const struct purple_roots *roots,
                       struct text *out) {
    text_add(out, "%u %d %llu %d %d:", (unsigned)result->move, result->value,
             (unsigned long long)result->nodes, result->depth, result->complete);
    for (int i = 0; roots != NULL && i < roots->count; i++)
        text_add(out, " %u %d %d", (unsigned)roots->moves[i].move, roots->moves[i].value,
                 roots->moves[i].at_most);
    for (int i = 0; roots != NULL && i < roots->line_count; i++)
        text_add(out, " %u", (unsigned)roots->line[i]);
    text_add_string(out, "\n");
}

static void ask_purple(struct asked *a, const struct geister_observation *seen) {
    struct purple_result result;
    struct purple_roots roots;
    struct purple_node node;
    purple_node_of(a->purple, seen, false, &node);
    text_add(&a->search, "%d %d %d\n", node.eval, purple_ended(&node, 0), purple_ended(&node, 1));
    for (int depth = 1; depth <= 4; depth++) {
        const struct purple_task task = {.depth = depth, .roots = &roots, .exact_roots = depth % 2 == 0};
        purple_search(a->purple, seen, &task, &result);
        add_result(&result, &roots, &a->search);
    }
    const struct purple_task few = {.depth = 6, .nodes_max = 300}, mate = {.depth = 8, .nodes_max = 20000},
                             open = {.depth = 3, .roots = &roots, .open = true};
    purple_search(a->purple, seen, &few, &result);
    add_result(&result, NULL, &a->search);
    text_add(&a->mate, "%d ", purple_mate(a->purple, seen, &mate, &result));
    add_result(&result, NULL, &a->mate);
    if (seen->their_red + seen->their_blue > 0 && seen->unknown == 0) {
        purple_search(a->purple, seen, &open, &result);
        add_result(&result, &roots, &a->open);
    }
}

static void ask(struct asked *a, const struct geister *state, struct rng *r) {
    struct geister view = *state;
    struct geister_observation seen;
    const int side = state->mover;
    geister_game.hide(&view, side);
    geister_observe(&view, side, &seen);
    ask_policy(a, &seen);
    ask_guess(a, &view, side);
    ask_belief(a, &view, side, r);
    ask_purple(a, &seen);
    geister_observe(state, side, &seen);
    ask_purple(a, &seen);
}

static void play_game(struct asked *a, const struct scenario *scenario, uint64_t seed) {
    struct geister state;
    struct rng r;
    memset(&state, 0, sizeof state);
    rng_seed(&r, seed);
    geister_game.start(&state, scenario, &r);
    for (int ply = 0; ply < PLIES && geister_game.mover(&state) != NOBODY; ply++) {
        action list[GEISTER_SETUPS];
        if (ply == PLY_FIRST || (ply > PLY_FIRST && ply % PLY_STEP == 0))
            ask(a, &state, &r);
        const int count = geister_game.actions(&state, list);
        geister_game.play(&state, list[rng_below(&r, (uint32_t)count)], &r);
    }
}

static void add_part(const char *name, struct text *part, struct text *out) {
    text_add(out, "%s %08x\n", name, expected_digest(part));
    text_done(part);
}

static void add_positions(struct text *out) {
    struct err e;
    struct asked a = {.purple = purple_open(1 << 18, &e)};
    struct scenario *scenario = support_load("geister");
    a.inference = inference_open(&(struct belief_settings){geist_builtin(), true, 2, 3, 0.2}, &e);
    const struct geist_settings settings = {.weights = geist_builtin(),
                                            .explore = 1.5,
                                            .known = 0.3,
                                            .follow = 0.5,
                                            .model_depth = 2,
                                            .mate = 3,
                                            .mate_nodes_max = 2000,
                                            .guard = 3,
                                            .draw = 0.4},
                                other = {.weights = geist_builtin(), .explore = 3, .known = 1, .draw = 0.1};
    a.geists[0] = geist_open(&settings, 1 << 18, &e);
    a.geists[1] = geist_open(&other, 0, &e); /* a tree that is soon full */
    for (uint64_t seed = 1; seed <= GAMES; seed++)
        play_game(&a, scenario, seed);
    for (int i = 0; i < 2; i++)
        geist_close(a.geists[i]);
    add_part("geist", &a.geist, out);
    add_part("policy", &a.policy, out);
    add_part("guess", &a.guess, out);
    add_part("belief", &a.belief, out);
    add_part("purple", &a.search, out);
    add_part("mate", &a.mate, out);
    add_part("open", &a.open, out);
    inference_close(a.inference);
    purple_close(a.purple);
    game_unload(scenario);
}

/* ---- learning ---- */

static void add_policy(const char *recipe_text, int steps, struct text *out) {
    struct err e;
    struct learn_recipe recipe;
    struct text state = {0}, weights = {0}, tally = {0};
    static struct policy_weights policy;
    assert_true(learn_recipe_read(recipe_text, &recipe, &e));
    struct learn *learn = learn_open(&recipe, 3);
    for (int step = 0; step < steps; step++)
        assert_true(learn_step(learn, 1, &e));
    const struct learn_tally *const t = &learn->tally;
    learn_write(learn, &state);
    learn_policy(learn, &policy);
    weight_file_write(&policy_format, &policy, "learned\nin a test", &weights);
    text_add(&tally, "%llu games, %llu plies, %llu %llu %llu; %.9g %.9g", (unsigned long long)t->games,
             (unsigned long long)t->plies, (unsigned long long)t->ends[0], (unsigned long long)t->ends[1],
             (unsigned long long)t->ends[2], learn_correlation(t), learn_surprise(t));
    text_add(out, "%s: %s; state %08x, weights %08x\n", recipe_text, text_string(&tally),
             expected_digest(&state), expected_digest(&weights));
    text_done(&state);
    text_done(&weights);
    text_done(&tally);
    mem_free(learn);
}

static void add_geist(const struct geist_recipe *recipe, struct text *out) {
    struct err e;
    struct geist_learn *learn = geist_learn_open(recipe, 5, &e);
    struct text weights = {0};
    while (geist_learn_go(learn, 7))
        ;
    const struct geist_weights *const w = &learn->weights;
    const struct geist_tally *const t = &learn->tally;
    for (size_t i = 0; i < sizeof w->move / sizeof w->move[0][0]; i++)
        text_add(&weights, " %.5g", (double)(&w->move[0][0])[i]);
    for (size_t i = 0; i < sizeof w->value / sizeof w->value[0][0][0]; i++)
        text_add(&weights, " %.5g", (double)(&w->value[0][0][0])[i]);
    text_add(out, "geist: %d games, %llu plies, %llu drawn, %llu positions", learn->done,
             (unsigned long long)t->plies, (unsigned long long)t->drawn, (unsigned long long)t->positions);
    for (int i = 0; i < 3; i++)
        text_add(out, ", %llu %llu", (unsigned long long)t->purple[i], (unsigned long long)t->past[i]);
    add_numbers(t->surprise, VALUE_HEADS, out);
    add_part("weights", &weights, out);
    geist_learn_close(learn);
}

static void add_setups(struct text *out) {
    struct err e;
    static struct setup_matrix matrix;
    struct setup_solution solution;
    const struct setup_task task = {
        .policy = policy_builtin(), .games = 1, .plies = 40, .seed = 9, .threads = 2};
    assert_true(setup_matrix_play(&task, &matrix, &e));
    setup_matrix_solve(&matrix, 0.01, &solution);
    text_add_string(out, "set-ups");
    add_numbers(solution.weights, GEISTER_SETUPS, out);
    text_add(out, "regret %.4f, gain %.6g\n", solution.regret, solution.gain);
}

static void add_duels(struct text *out) {
    for (int style = DUEL_BEST; style <= DUEL_SAMPLE; style++)
        for (int random = 0; random < 2; random++) {
            const struct duel_match match = {
                .policies = {policy_builtin(), random == 1 ? NULL : policy_builtin()},
                .style = (enum duel_style)style,
                .games = 40,
                .plies = 80,
                .seed = 11};
            const struct duel_score score = duel_compare(&match);
            text_add(out, "duels: %d won, %d drawn, %d lost\n", score.wins, score.draws, score.losses);
        }
}

static void numbers_are_as_before(void **state) {
    (void)state;
    struct text found = {0};
    struct geist_recipe recipe = geist_recipe_own;
    recipe.games = 30;
    recipe.value_games = 20;
    add_positions(&found);
    add_policy("own:batch=16,keep=16,average=32", 3, &found);
    add_policy("published", 3, &found);
    add_policy("own:batch=8,plies=150,mirror=no,baseline=no,entropy=0,past=0,half=20,average=0", 3, &found);
    add_policy("own:rule=plain,sides=first,batch=8,draws=no,lambda=0.5,past=1,keep=1,half=0", 20, &found);
    add_geist(&recipe, &found);
    add_setups(&found);
    add_duels(&found);
    expected_compare("geister.txt", &found);
    text_done(&found);
}

/* ---- memory ---- */

/* Opens something and closes it again. */
static bool open_learn(struct err *e) {
    struct learn_recipe recipe;
    struct learn *learn = learn_recipe_read("own", &recipe, e) ? learn_open(&recipe, 1) : NULL;
    mem_free(learn);
    return learn != NULL;
}

static bool open_geist_learn(struct err *e) {
    struct geist_learn *learn = geist_learn_open(&geist_recipe_own, 1, e);
    geist_learn_close(learn);
    return learn != NULL;
}

static bool open_geist(struct err *e) {
    struct geist *geist = geist_open(&(struct geist_settings){0}, 1 << 16, e);
    geist_close(geist);
    return geist != NULL;
}

static bool open_inference(struct err *e) {
    struct inference *inference = inference_open(&(struct belief_settings){0}, e);
    inference_close(inference);
    return inference != NULL;
}

static bool load_geister(struct err *e) {
    struct scenario *scenario = game_load_spec("geister", e);
    if (scenario != NULL)
        game_unload(scenario);
    return scenario != NULL;
}

static bool load_synth(struct err *e) {
    struct scenario *scenario = game_load_spec("synth", e);
    if (scenario != NULL)
        game_unload(scenario);
    return scenario != NULL;
}

struct opening {
    bool (*open)(struct err *e);
    bool ok;
};

static void open_it(void *context) {
    struct opening *o = context;
    struct err e = {""};
    o->ok = o->open(&e);
    assert_true(o->ok || strstr(e.text, "memory") != NULL);
}

static void too_little_memory_is_reported(void **state) {
    (void)state;
    static bool (*const openers[])(struct err *) = {open_learn,     open_geist_learn, open_geist,
                                                    open_inference, load_geister,     load_synth};
    for (size_t i = 0; i < sizeof openers / sizeof openers[0]; i++) {
        struct opening o = {.open = openers[i]};
        long n = 1;
        while (memory_runs_out(n, open_it, &o) || !o.ok)
            n++;
        assert_true(n > 1);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(numbers_are_as_before),
                                       cmocka_unit_test(too_little_memory_is_reported)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
