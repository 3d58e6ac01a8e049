/* SPDX-License-Identifier: MIT
 *
 * What geist concludes about the other's colours: Bayes' rule against a plain computation, facts that leave
 * no doubt, and that remembering the last answer changes nothing.
 */
#include "base/mem.h"
#include "geist_support.h"
#include "geister/guess.h"
#include "geister_support.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

enum { PLIES = 24, WATCHED = 12, MOVES_MAX = 96 };

struct table {
    struct scenario *scenario;
    struct geister states[PLIES + 1]; /* before each move, and after the last */
    action actions[PLIES];
    int count;
};

static const struct belief_settings plain = {.models = false, .sharpness = 0.7, .doubt = 0.2};

static struct inference *open_inference(struct belief_settings settings) {
    struct err e = {""};
    settings.weights = geist_builtin();
    struct inference *in = inference_open(&settings, &e);
    if (in == NULL)
        fail_msg("%s", e.text);
    return in;
}

/* A random game of so many plies. */
static void set_table(struct table *t, uint64_t seed) {
    struct err e = {""};
    struct rng r;
    action list[MOVES_MAX];
    t->scenario = game_load_spec("geister", &e);
    assert_non_null(t->scenario);
    rng_seed(&r, seed);
    geister_begin(&t->states[0], t->scenario, "ACFH", "BDEG");
    for (t->count = 0; t->count < PLIES; t->count++) {
        struct geister *const s = &t->states[t->count];
        const int count = geister_game.actions(s, list);
        t->actions[t->count] = list[rng_below(&r, (uint32_t)count)];
        t->states[t->count + 1] = *s;
        geister_game.play(&t->states[t->count + 1], t->actions[t->count], &r);
        assert_int_equal(t->states[t->count + 1].stage, GEISTER_PLAYING);
    }
}

static void clear_table(struct table *t) {
    game_unload(t->scenario);
}

/* The chances of the moves that side 1 made if its reds were these: by chance, and by the policy. */
static void explain(const struct table *t, unsigned reds, double *chance, double *policy) {
    *chance = 0.1;
    *policy = 0.5;
    struct policy_weights *const weights = mem_alloc(sizeof *weights);
    assert_non_null(weights);
    memcpy(weights->move, geist_builtin()->move, sizeof weights->move);
    for (int i = 1; i < t->count; i += 2) {
        struct geister s = t->states[i];
        struct geister_observation seen;
        action list[MOVES_MAX], own[MOVES_MAX];
        float scores[MOVES_MAX];
        int made = -1;
        belief_fill(&s, 0, reds);
        geister_game.hide(&s, 1);
        geister_observe(&s, 1, &seen);
        const int count = geister_game.actions(&s, list);
        for (int k = 0; k < count; k++) {
            own[k] = geister_turned(list[k], 1);
            made = list[k] == t->actions[i] ? k : made;
        }
        assert_true(made >= 0);
        policy_scores(weights, &seen, own, count, scores);
        for (int k = 0; k < count; k++)
            scores[k] *= (float)plain.sharpness;
        policy_softmax(scores, count);
        *chance *= 1.0 / count;
        *policy *= plain.doubt / count + (1 - plain.doubt) * (double)scores[made];
    }
    mem_free(weights);
}

static void it_is_bayes_rule(void **unused) {
    (void)unused;
    struct table t;
    struct belief belief;
    set_table(&t, 3);
    struct geister view = t.states[t.count];
    geister_game.hide(&view, 0);
    struct inference *in = open_inference(plain);
    inference_conclude(in, &view, 0, &belief);
    double chance[GEISTER_SETUPS], policy[GEISTER_SETUPS], sum = 0;
    for (int i = 0; i < belief.count; i++) {
        explain(&t, belief.reds[i], &chance[i], &policy[i]);
        sum += chance[i] + policy[i];
    }
    for (int i = 0; i < belief.count; i++) {
        assert_true(fabs(belief.weight[i] - (chance[i] + policy[i]) / sum) < 1e-4 * belief.weight[i] + 1e-9);
        assert_true(fabs(belief.share[i][BELIEF_CHANCE] - chance[i] / sum) < 1e-4 * belief.weight[i] + 1e-9);
    }
    inference_close(in);
    clear_table(&t);
}

static void remembering_changes_nothing(void **unused) {
    (void)unused;
    const struct belief_settings settings = {.models = true, .depth = 2, .sharpness = 1, .doubt = 0.1};
    struct table t;
    struct belief step, fresh;
    set_table(&t, 5);
    struct inference *in = open_inference(settings);
    for (int i = 1; i <= t.count; i += 2) {
        struct geister view = t.states[i];
        memset(&step, 0, sizeof step);
        memset(&fresh, 0, sizeof fresh);
        geister_game.hide(&view, 0);
        inference_conclude(in, &view, 0, &step);
        struct inference *other = open_inference(settings);
        inference_conclude(other, &view, 0, &fresh);
        inference_close(other);
        assert_memory_equal(&step, &fresh, sizeof step);
    }
    inference_close(in);
    clear_table(&t);
}

static void a_piece_that_stays_on_the_exit_is_red(void **unused) {
    (void)unused;
    struct table t;
    struct belief belief;
    double redness[GEISTER_PIECES];
    set_table(&t, 1);
    struct geister s;
    /* Its piece D runs down the free column to the corner, where it could leave, and stays. */
    geister_begin(&s, t.scenario, "ABCD", "DEFG");
    geister_play_all(&s, "BN/DE/BS/DN/BN/DN/BS/DN/BN/DN/BS/HE/BN/HW");
    geister_game.hide(&s, 0);
    struct inference *in = open_inference(plain);
    inference_conclude(in, &s, 0, &belief);
    belief_redness(&belief, redness);
    assert_true(redness[3] > 0.99);
    double sum = 0;
    for (int i = 0; i < GEISTER_PIECES; i++)
        sum += redness[i];
    assert_true(fabs(sum - GEISTER_REDS) < 1e-9);
    inference_close(in);
    clear_table(&t);
}

static void without_history_all_is_even(void **unused) {
    (void)unused;
    struct table t;
    struct belief belief;
    struct rng r;
    set_table(&t, 7);
    struct geister view = t.states[t.count];
    geister_game.hide(&view, 1);
    view.recorded = 0;
    memcpy(view.from, view.where, sizeof view.from);
    memset(view.moves, 0, sizeof view.moves);
    struct inference *in = open_inference(plain);
    inference_conclude(in, &view, 1, &belief);
    assert_int_equal((int)geister_game.worlds(&view), belief.count);
    for (int i = 0; i < belief.count; i++)
        assert_true(fabs(belief.weight[i] * belief.count - 1) < 1e-12);
    rng_seed(&r, 2);
    for (int i = 0; i < 100; i++) {
        enum belief_model who;
        struct geister full = view;
        const unsigned reds = belief_draw(&belief, &r, &who);
        assert_int_equal(who, BELIEF_CHANCE);
        belief_fill(&full, 1, reds);
        assert_true(geister_game.valid(&full));
        geister_game.hide(&full, 1);
        assert_int_equal(geister_game.key(&full), geister_game.key(&view));
    }
    inference_close(in);
    clear_table(&t);
}

/* ---- the choosing player ---- */

typedef action chooser(const struct geister *view, struct purple *purple);

static action choose_as_purple(const struct geister *view, struct purple *purple) {
    struct geister_observation seen;
    struct purple_result result;
    geister_observe(view, 1, &seen);
    purple_search(purple, &seen, &(struct purple_task){.depth = 4}, &result);
    return result.move;
}

static action choose_as_guess(const struct geister *view, struct purple *purple) {
    struct guess_verdict verdict;
    int best = 0;
    (void)purple;
    guess_moves(view, 1, &verdict);
    for (int i = 1; i < verdict.count; i++)
        best = verdict.scores[i] > verdict.scores[best] ? i : best;
    return verdict.moves[best];
}

/* Side 1 plays like that against chance; what side 0 then believes. */
static void watch_game(chooser *choose, struct belief *out) {
    const struct belief_settings settings = {.models = true, .depth = 4, .sharpness = 1, .doubt = 0.1};
    struct err e = {""};
    struct rng r;
    struct geister s;
    action list[MOVES_MAX];
    struct scenario *scenario = game_load_spec("geister", &e);
    struct purple *purple = purple_open(1 << 18, &e);
    assert_non_null(scenario);
    assert_non_null(purple);
    geister_begin(&s, scenario, "ABCD", "BDEG");
    rng_seed(&r, 11);
    for (int i = 0; i < WATCHED && s.stage == GEISTER_PLAYING; i++) {
        const int count = geister_game.actions(&s, list);
        action chosen = list[rng_below(&r, (uint32_t)count)];
        struct geister view = s;
        geister_game.hide(&view, 1);
        if (s.mover == 1)
            chosen = geister_turned(choose(&view, purple), 1);
        geister_game.play(&s, chosen, &r);
    }
    assert_int_equal(s.stage, GEISTER_PLAYING);
    geister_game.hide(&s, 0);
    struct inference *in = open_inference(settings);
    inference_conclude(in, &s, 0, out);
    inference_close(in);
    purple_close(purple);
    game_unload(scenario);
}

static double share_of(const struct belief *belief, enum belief_model who) {
    double share = 0;
    for (int i = 0; i < belief->count; i++)
        share += belief->share[i][who];
    return share;
}

/* A purple's moves give it away, and its colours with it. */
static void it_knows_a_purple(void **unused) {
    (void)unused;
    struct belief belief;
    watch_game(choose_as_purple, &belief);
    assert_true(share_of(&belief, BELIEF_PURPLE) > 0.9);
}

/* A purple that has taken three reds does not take what may be the fourth, for any gain. (The position was
 * set up: the history does not contain the losses.) */
static void it_knows_a_purple_after_losses(void **unused) {
    (void)unused;
    const struct belief_settings settings = {.models = true, .depth = 4, .sharpness = 1, .doubt = 0.1};
    struct err e = {""};
    struct geister s, view;
    struct belief belief;
    struct scenario *scenario = game_load_spec("geister", &e);
    struct purple *purple = purple_open(1 << 18, &e);
    assert_non_null(scenario);
    assert_non_null(purple);
    geister_place(&s, scenario, "99r99r99r44R55B99b99b99b43r99r99r99r34b20b99b99b", 10, 1);
    view = s;
    geister_game.hide(&view, 1);
    geister_game.play(&s, geister_turned(choose_as_purple(&view, purple), 1), NULL);
    geister_game.hide(&s, 0);
    struct inference *in = open_inference(settings);
    inference_conclude(in, &s, 0, &belief);
    assert_true(share_of(&belief, BELIEF_PURPLE) > 0.2);
    inference_close(in);
    purple_close(purple);
    game_unload(scenario);
}

static void it_knows_a_guesser(void **unused) {
    (void)unused;
    struct belief belief;
    watch_game(choose_as_guess, &belief);
    assert_true(share_of(&belief, BELIEF_GUESS) > 0.9);
}

/* Our pieces' estimated colours are those that an opponent's model gives. */
static void it_sees_itself_as_a_guesser_does(void **unused) {
    (void)unused;
    struct table t;
    struct belief belief;
    double blueness[GEISTER_PIECES];
    set_table(&t, 5);
    struct geister ours = t.states[t.count], theirs = ours;
    geister_game.hide(&ours, 0);
    geister_game.hide(&theirs, 1);
    guess_blueness(&theirs, 1, blueness);
    struct inference *in = open_inference(plain);
    inference_conclude(in, &ours, 0, &belief);
    for (int i = 0; i < GEISTER_PIECES; i++)
        if (ours.where[0][i] < GEISTER_CELLS)
            assert_true(fabs(belief.look[history_cell(1, ours.where[0][i])] - blueness[i]) < 1e-12);
    inference_close(in);
    clear_table(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_bayes_rule),
        cmocka_unit_test(remembering_changes_nothing),
        cmocka_unit_test(a_piece_that_stays_on_the_exit_is_red),
        cmocka_unit_test(without_history_all_is_even),
        cmocka_unit_test(it_knows_a_purple),
        cmocka_unit_test(it_knows_a_purple_after_losses),
        cmocka_unit_test(it_knows_a_guesser),
        cmocka_unit_test(it_sees_itself_as_a_guesser_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
