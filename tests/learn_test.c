/* SPDX-License-Identifier: MIT
 *
 * Learning: its games are those of the rules, its slopes those of the policy, and what it learns does not
 * depend on threads or interruptions.
 */
/* The library has these, too. */
#define learn_params     own_learn_params
#define geist_recipe_own own_geist_recipe
#include "geister/learn.c" /* slopes are internal */

#include "base/mem.h"
#include "game/game.h"
#include "geist_support.h"
#include "sample.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void fill_randomly(struct policy_weights *w, uint64_t seed, float size) {
    struct rng r;
    rng_seed(&r, seed);
    for (int i = 0; i < POLICY_BITS; i++) {
        for (int j = 0; j <= i; j++) {
            w->move[i][j] = w->move[j][i] = ((float)rng_unit(&r) - 0.5F) * size;
            w->value[i][j] = w->value[j][i] = ((float)rng_unit(&r) - 0.5F) * size;
        }
    }
}

/* ---- the rules ---- */

static bool is_second_way_out(action move) {
    return move == geister_move(0, GEISTER_NORTH) || move == geister_move(5, GEISTER_NORTH);
}

/* The duel's list is the game's, turned to the mover, less the second way out of a corner. */
static void compare_moves(const struct geister *s, const struct duel_turn *turn) {
    action actions[GEISTER_SETUPS];
    const int count = geister_game.actions(s, actions);
    int found = 0;
    for (int i = 0; i < count; i++) {
        const action own = geister_turned(actions[i], s->mover);
        if (is_second_way_out(own))
            continue;
        assert_true(found < turn->count);
        assert_int_equal(turn->moves[found++], own);
    }
    assert_int_equal(found, turn->count);
}

static void compare_observations(const struct geister *s, const struct duel *duel) {
    struct geister view = *s;
    struct geister_observation seen;
    const struct geister_observation *own = &duel->observations[duel->board.mover];
    geister_game.hide(&view, s->mover);
    geister_observe(&view, s->mover, &seen);
    assert_true(seen.red == own->red && seen.blue == own->blue);
    assert_true((seen.unknown | seen.their_red | seen.their_blue) == own->unknown);
    assert_true(seen.taken_reds == own->taken_reds && seen.taken_blues == own->taken_blues);
    assert_true(seen.lost_reds == own->lost_reds && seen.lost_blues == own->lost_blues);
    assert_int_equal(seen.hidden_reds, own->hidden_reds);
}

/* One random game on both boards; its end. */
static int play_both(const struct scenario *scenario, const struct policy_weights *w, struct rng *r) {
    struct geister s;
    struct duel duel;
    unsigned reds[2];
    geister_game.start(&s, scenario, r);
    for (int side = 0; side < 2; side++) {
        reds[side] = geister_setup_reds((int)rng_below(r, GEISTER_SETUPS));
        geister_game.play(&s, geister_setup(reds[side]), r);
    }
    duel_start(&duel, (const struct policy_weights *const[2]){w, w}, reds);
    for (int end = DUEL_GOES_ON; end == DUEL_GOES_ON;) {
        struct duel_turn turn;
        struct geister_observation seen = duel.observations[duel.board.mover];
        float scores[POLICY_MOVES_MAX];
        duel_list(&duel, &turn);
        compare_moves(&s, &turn);
        compare_observations(&s, &duel);
        policy_scores(w, &seen, turn.moves, turn.count, scores);
        for (int i = 1; i < turn.count; i++) /* sums that go along are those made afresh */
            assert_true(fabsf(scores[i] - scores[0] - (turn.scores[i] - turn.scores[0])) < 1e-3F);
        const action move = turn.moves[rng_below(r, (uint32_t)turn.count)];
        geister_game.play(&s, geister_turned(move, duel.board.mover), r);
        end = duel_play(&duel, move);
        if (end == DUEL_GOES_ON && geister_game.mover(&s) < 0)
            end = DUEL_DRAWN;
        if (end != DUEL_GOES_ON) {
            assert_true(geister_game.mover(&s) < 0);
            assert_int_equal(s.winner, end);
        }
    }
    return s.end;
}

static void test_duel_follows_the_rules(void **state) {
    struct scenario *scenario = game_load_spec("geister", NULL);
    struct policy_weights *w = mem_alloc(sizeof *w);
    struct rng r;
    int ends[GEISTER_BY_LIMIT + 1] = {0};
    (void)state;
    assert_non_null(scenario);
    assert_non_null(w);
    fill_randomly(w, 4, 1);
    rng_seed(&r, 5);
    for (int i = 0; i < SAMPLE(100, 40); i++)
        ends[play_both(scenario, w, &r)]++;
    assert_true(ends[GEISTER_BY_ESCAPE] > 0 && ends[GEISTER_BY_BLUES] > 0 && ends[GEISTER_BY_REDS] > 0);
    mem_free(w);
    game_unload(scenario);
}

/* ---- slopes ---- */

/* A decision some way into a random game, with a capture among its moves. */
static void make_note(const struct policy_weights *w, struct duel *duel, struct learn_note *note) {
    struct rng r;
    rng_seed(&r, 11);
    const unsigned reds[2] = {0x0F, 0x5A};
    duel_start(duel, (const struct policy_weights *const[2]){w, w}, reds);
    for (bool found = false; !found;) {
        duel_list(duel, &note->turn);
        for (int i = 0; i < note->turn.count; i++)
            found = found || (duel->ply > 20 && note->turn.steps[i].taken != BIT_NONE);
        if (!found)
            assert_int_equal(duel_play(duel, note->turn.moves[rng_below(&r, (uint32_t)note->turn.count)]),
                             DUEL_GOES_ON);
    }
    duel_chances(&note->turn);
    bits_of(&duel->observations[duel->board.mover], &note->list);
    note->chosen = note->turn.count / 2;
    note->worth = duel_worth(duel, &note->list);
}

/* The logarithm of the chosen move's chance plus `entropy` times the entropy. */
static double objective(const struct policy_weights *w, const struct duel *duel,
                        const struct learn_note *note, double entropy) {
    float scores[POLICY_MOVES_MAX];
    double sum = 0, mean = 0, best = -1e9;
    policy_scores(w, &duel->observations[duel->board.mover], note->turn.moves, note->turn.count, scores);
    for (int i = 0; i < note->turn.count; i++)
        best = fmax(best, (double)scores[i]);
    for (int i = 0; i < note->turn.count; i++)
        sum += exp((double)scores[i] - best);
    for (int i = 0; i < note->turn.count; i++) {
        const double log_chance = (double)scores[i] - best - log(sum);
        mean += exp(log_chance) * log_chance;
    }
    return (double)scores[note->chosen] - best - log(sum) - entropy * mean;
}

static double pair_slope(float (*slope)[POLICY_ROW], int i, int j) {
    if (i == j) /* as the pair with the bit that is always set */
        return (double)(slope[BIT_ALWAYS][i] + slope[i][BIT_ALWAYS]);
    return (double)(slope[i][j] + slope[j][i]);
}

static void nudge(float (*square)[POLICY_ROW], int i, int j, float by) {
    square[i][j] += by;
    if (i != j)
        square[j][i] += by;
}

static void test_slopes(void **state) {
    static struct learn_slope slope;
    static struct learn_note note;
    struct policy_weights *w = mem_alloc(sizeof *w);
    struct duel duel;
    struct rng r;
    int moved = 0;
    (void)state;
    assert_non_null(w);
    fill_randomly(w, 6, 0.25F);
    make_note(w, &duel, &note);
    learn_move_slope(&note, 1, 0.5F, &slope);
    rng_seed(&r, 1);
    for (int n = 0; n < SAMPLE(3000, 600); n++) {
        const float step = 1.0F / 64;
        const int i = (int)rng_below(&r, BIT_ALWAYS), j = (int)rng_below(&r, POLICY_BITS);
        const double slopes = pair_slope(slope.move, i, j);
        nudge(w->move, i, j, step);
        const double above = objective(w, &duel, &note, 0.5);
        nudge(w->move, i, j, -2 * step);
        const double below = objective(w, &duel, &note, 0.5);
        nudge(w->move, i, j, step);
        assert_true(fabs((above - below) / (2 * (double)step) - slopes) < 2e-3);
        moved += fabs(slopes) > 0.01;
    }
    assert_true(moved > SAMPLE(20, 4));
    mem_free(w);
}

/* The value's slope is that of the log likelihood of the result. */
static void test_value_slope(void **state) {
    static struct learn_slope slope;
    static struct learn_note note;
    struct policy_weights *w = mem_alloc(sizeof *w);
    struct duel duel;
    (void)state;
    assert_non_null(w);
    fill_randomly(w, 7, 0.25F);
    make_note(w, &duel, &note);
    learn_value_slope(&note, 1 - note.worth, &slope);
    for (int a = 0; a < note.list.count; a++) {
        for (int b = 0; b < a; b++) {
            const int i = note.list.bits[a], j = note.list.bits[b];
            const float step = 1.0F / 64;
            nudge(w->value, i, j, step);
            const double above = log((1 + (double)policy_value(w, &duel.observations[duel.board.mover])) / 2);
            nudge(w->value, i, j, -2 * step);
            const double below = log((1 + (double)policy_value(w, &duel.observations[duel.board.mover])) / 2);
            nudge(w->value, i, j, step);
            /* (r - v) x is twice the slope of the log likelihood */
            assert_true(fabs(2 * (above - below) / (2 * (double)step) - pair_slope(slope.value, i, j)) <
                        5e-3);
        }
    }
    mem_free(w);
}

/* ---- runs ---- */

static struct learn *begin(const char *recipe_text) {
    struct learn_recipe recipe;
    struct err e;
    if (!learn_recipe_read(recipe_text, &recipe, &e))
        fail_msg("%s", e.text);
    struct learn *l = learn_open(&recipe, 42);
    assert_non_null(l);
    return l;
}

static void go_on(struct learn *l, int steps, int threads) {
    struct err e;
    for (int i = 0; i < steps; i++)
        assert_true(learn_step(l, threads, &e));
}

static void finish(struct learn *l, struct text *out) {
    text_clear(out);
    learn_write(l, out);
    mem_free(l);
}

/* All at once; on three threads; written and read back in the middle. */
static void test_same_in_every_way(void **state) {
    static const char *const recipes[] = {"own:batch=32,past=0.5,keep=64", "published"};
    struct text whole = {0}, other = {0};
    struct err e;
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct learn *l = begin(recipes[i]);
        go_on(l, 8, 1);
        finish(l, &whole);

        l = begin(recipes[i]);
        go_on(l, 8, 3);
        finish(l, &other);
        assert_string_equal(text_string(&whole), text_string(&other));

        l = begin(recipes[i]);
        go_on(l, 5, 1);
        finish(l, &other);
        l = learn_read("state", text_string(&other), other.size, &e);
        assert_non_null(l);
        go_on(l, 3, 2);
        finish(l, &other);
        assert_string_equal(text_string(&whole), text_string(&other));
    }
    text_done(&whole);
    text_done(&other);
}

static double score_against_random(const struct learn *l) {
    struct policy_weights *w = mem_alloc(sizeof *w);
    assert_non_null(w);
    learn_policy(l, w);
    const struct duel_match match = {
        .policies = {w, NULL}, .style = DUEL_BEST, .games = 300, .plies = 300, .seed = 8};
    const struct duel_score score = duel_compare(&match);
    mem_free(w);
    assert_int_equal(score.wins + score.draws + score.losses, 300);
    return (score.wins + 0.5 * score.draws) / 300;
}

static void test_learns(void **state) {
    struct learn *l = begin("own:batch=64,rate=0.003,average=2000");
    (void)state;
    enum { BATCHES = SAMPLE(80, 4) };
    go_on(l, BATCHES, 1);
    const double score = score_against_random(l);
    const struct learn_tally *t = &l->tally;
    assert_int_equal(t->games, BATCHES * 64);
    if (!IS_SANITIZED) {
        assert_true(score > 0.8);
        assert_true(learn_correlation(t) > 0.1 && learn_surprise(t) < 0.69);
    }
    mem_free(l);
}

/* A step that finds no memory changes nothing and can be made again. */
static void test_memory(void **state) {
    struct learn *l = begin("own:batch=16"), *other = begin("own:batch=16");
    struct text one = {0}, two = {0};
    struct err e = {""};
    (void)state;
    mem_fail_at(1);
    assert_false(learn_step(l, 1, &e));
    mem_fail_at(0);
    assert_non_null(strstr(e.text, "not enough memory"));
    assert_int_equal(l->tally.games, 0);
    go_on(l, 2, 1);
    go_on(other, 2, 1);
    finish(l, &one);
    finish(other, &two);
    assert_string_equal(text_string(&one), text_string(&two));
    text_done(&one);
    text_done(&two);
}

/* Left and right have the same weights. */
static void test_mirror(void **state) {
    struct learn *l = begin("own:batch=16");
    struct policy_weights *w = mem_alloc(sizeof *w);
    (void)state;
    assert_non_null(w);
    go_on(l, 3, 1);
    learn_policy(l, w);
    for (int i = 0; i < POLICY_BITS; i++)
        for (int j = 0; j < POLICY_BITS; j++)
            assert_true(w->move[i][j] == w->move[bits_mirror(i)][bits_mirror(j)]);
    assert_int_equal(bits_mirror(0), 5);
    assert_int_equal(bits_mirror(84 + 32), 84 + 33);
    assert_int_equal(bits_mirror(42 + 36), 42 + 36);
    mem_free(w);
    mem_free(l);
}

/* ---- text ---- */

struct broken {
    const char *text, *says;
};

static void test_errors(void **state) {
    static const struct broken recipes[] = {
        {"mine", "recipe 'mine' is unknown; expected own or published"},
        {"own:batch=9", "batch=9: expected a multiple of 8"},
        {"own:rates=1", "rates"},
    };
    static const struct broken states[] = {
        {"", "s:1: the line is cut off"},
        {"x\n", "s:1: expected 'senjutsu geister learning 1', not 'x'"},
        {"senjutsu geister learning 1\nrecipe mine\n", "s:2: recipe 'mine' is unknown"},
        {"senjutsu geister learning 1\nrecipe own\nseed x\n", "s:3: seed: expected a whole number, not 'x'"},
        {"senjutsu geister learning 1\nrecipe own\nseed 1\ngames 0\nsteps 0\n1 2\n", "s:6: expected four"},
    };
    struct learn_recipe recipe;
    struct err e;
    (void)state;
    for (size_t i = 0; i < sizeof recipes / sizeof *recipes; i++) {
        assert_false(learn_recipe_read(recipes[i].text, &recipe, &e));
        assert_non_null(strstr(e.text, recipes[i].says));
    }
    for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
        assert_null(learn_read("s", states[i].text, strlen(states[i].text), &e));
        assert_memory_equal(e.text, states[i].says, strlen(states[i].says));
    }
}

/* A state with one line changed is refused with that line's number. */
static void test_broken_states(void **state) {
    enum { WEIGHTS = 6, EARLIER = WEIGHTS + 2 * POLICY_PAIRS };
    static const struct {
        int line; /* counted from 1 */
        const char *text, *says;
    } cases[] = {
        {4, "game 8", "expected 'games …', not 'game 8'"},
        {5, "steps one", "steps: expected a whole number, not 'one'"},
        {WEIGHTS, "00000000 00000000 00000000 0000000x", "expected four numbers"},
        {WEIGHTS + 1, "00000000 00000000 00000000 00000000 0", "expected four numbers"},
        {EARLIER - 1, "00000000 00000000 00000000", "expected four numbers"},
        {EARLIER, "kep 1", "expected 'kept …'"},
        {EARLIER + 1, "x", "expected 1 numbers of eight hexadecimal digits"},
        {EARLIER + 2, "00000000", "expected 2 numbers of eight hexadecimal digits"},
        {EARLIER + 2, "00000000 00000000 00000000", "expected 2 numbers of eight hexadecimal digits"},
        {EARLIER + 1 + POLICY_BITS, "END", "expected the end"},
        {EARLIER + 1 + POLICY_BITS, "end\nmore", "expected the end"},
    };
    struct learn_recipe recipe;
    struct text whole = {0}, again = {0};
    struct err e;
    (void)state;
    assert_true(learn_recipe_read("own:batch=8,past=1,keep=1", &recipe, &e));
    struct learn *l = learn_open(&recipe, 1);
    go_on(l, 1, 1);
    learn_write(l, &whole);
    mem_free(l);
    l = learn_read("s", whole.data, whole.size, &e);
    assert_non_null(l);
    assert_int_equal(l->games, 8);
    assert_int_equal(l->seed, 1);
    assert_int_equal(l->recipe.keep, 1);
    learn_write(l, &again);
    assert_string_equal(text_string(&whole), text_string(&again));
    mem_free(l);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *at = whole.data;
        char says[128];
        for (int line = 1; line < cases[i].line; line++)
            at = strchr(at, '\n') + 1;
        text_clear(&again);
        text_add(&again, "%.*s%s%s", (int)(at - whole.data), whole.data, cases[i].text, strchr(at, '\n'));
        assert_null(learn_read("s", again.data, again.size, &e));
        snprintf(says, sizeof says, "s:%d: %s", cases[i].line, cases[i].says);
        assert_memory_equal(e.text, says, strlen(says));
    }
    assert_null(learn_read("s", whole.data, whole.size - 1, &e));
    assert_non_null(strstr(e.text, ": the line is cut off"));
    text_clear(&again);
    text_add(&again, "%04000d\n", 1);
    assert_null(learn_read("s", again.data, again.size, &e));
    assert_string_equal(e.text, "s:1: the line is too long");
    text_done(&whole);
    text_done(&again);
}

static void test_recipes(void **state) {
    struct learn_recipe recipe, back;
    struct text text = {0};
    struct err e;
    (void)state;
    assert_true(learn_recipe_read("published:rate=0.002", &recipe, &e));
    assert_true(recipe.rule == LEARN_PLAIN && recipe.sides == LEARN_FIRST && !recipe.baseline);
    learn_recipe_write(&recipe, &text);
    assert_true(learn_recipe_read(text_string(&text), &back, &e));
    assert_memory_equal(&recipe, &back, sizeof recipe);
    text_done(&text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_duel_follows_the_rules),
        cmocka_unit_test(test_slopes),
        cmocka_unit_test(test_value_slope),
        cmocka_unit_test(test_same_in_every_way),
        cmocka_unit_test(test_learns),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_mirror),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_broken_states),
        cmocka_unit_test(test_recipes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
