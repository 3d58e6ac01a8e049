/* SPDX-License-Identifier: MIT */
#include "uct_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

const char uct_field[] =
    "SIZEX[8];SIZEY[8];TURNLIMIT[40];HPTHRESHOLD[0];UNITNUMRED[4];UNITNUMBLUE[3];" EMPTY_ROWS
    "UNIT[2,3,infantry,0,1,0];UNIT[1,2,panzer,0,10,0];UNIT[1,4,infantry,0,9,0];UNIT[1,1,cannon,0,8,0];"
    "UNIT[3,3,panzer,1,10,0];UNIT[5,3,infantry,1,10,0];UNIT[5,5,antiair,1,10,0];";

struct answer ask_question(struct player *player, const struct position *p, const struct question *q) {
    const struct game *game = q->game != NULL ? q->game : p->scenario->game;
    struct rng r;
    struct answer answer;
    rng_seed(&r, q->seed);
    const struct ask in = {.game = game,
                           .view = p->state,
                           .taken = q->taken,
                           .budget = q->budget,
                           .rng = &r,
                           .thoughts = q->thoughts,
                           .watch = q->watch};
    player_choose_in(player, &in, &answer);
    return answer;
}

bool same_answer(const struct answer *a, const struct answer *b) {
    return a->chosen == b->chosen && a->work_done == b->work_done && same_number(a->value, b->value);
}

void assert_same_thoughts(const struct thoughts *a, const struct thoughts *b) {
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->total, b->total);
    assert_int_equal(a->simulations, b->simulations);
    assert_int_equal(a->nodes, b->nodes);
    assert_int_equal(a->depth, b->depth);
    for (int i = 0; i < a->count; i++) {
        const struct thought *x = &a->candidates[i], *y = &b->candidates[i];
        assert_int_equal(x->action, y->action);
        assert_int_equal(x->visits, y->visits);
        assert_true(same_number(x->value, y->value));
        assert_int_equal(x->line_count, y->line_count);
        assert_memory_equal(x->line, y->line, (size_t)x->line_count * sizeof x->line[0]);
    }
}

uint64_t sum_of_visits(const struct thoughts *t) {
    uint64_t sum = 0;
    for (int i = 0; i < t->count; i++)
        sum += t->candidates[i].visits;
    return sum;
}
