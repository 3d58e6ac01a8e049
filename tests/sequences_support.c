/* SPDX-License-Identifier: MIT */
#include "sequences_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

double literal_weights[GAME_WEIGHTS_MAX];

double literal_value(const struct literal *l, const void *state) {
    struct tbs_position p;
    double value = 0;
    tbs_position_of(state, &p);
    for (int id = 0; id < p.unit_count; id++)
        value += literal_weights[p.units[id].type] * p.units[id].hp * (p.units[id].side == l->side ? 1 : -1);
    const int winner = tbs_winner(p.result);
    return p.result == TBS_RUNNING || winner == NOBODY ? value
           : winner == l->side                         ? value + SEQUENCES_WIN
                                                       : value - SEQUENCES_WIN;
}

/* All continuations of a sequence, by the units' own attacks; the rest of the units stay. */
static void literal_walk(struct literal *l, const struct position *p, int length) {
    struct tbs_position units;
    struct position end = *p;
    tbs_position_of(p->state, &units);
    const bool running = units.result == TBS_RUNNING && units.side == l->side && units.turn == l->turn;
    if (running)
        l->game->play(end.state, TBS_PASS, NULL);
    const double value = literal_value(l, end.state);
    l->best = l->sequences == 0 || value > l->best ? value : l->best;
    if (l->sequences++ < LITERAL_MAX)
        l->keys[l->key_count++] = l->game->key(p->state);
    if (!running || length == l->length || l->sequences > LITERAL_MAX)
        return;
    for (int id = 0; id < units.unit_count; id++) {
        action list[TBS_UNIT_ACTIONS_MAX];
        int attacks = 0;
        if (tbs_can_act(&units, id))
            tbs_unit_actions(p->state, id, TBS_ATTACKS_POWER, list, &attacks);
        for (int i = 0; i < attacks; i++) {
            struct position next = *p;
            l->game->play(next.state, list[i], NULL);
            literal_walk(l, &next, length + 1);
        }
    }
}

static int compare_keys(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

long literal_different_keys(struct literal *l) {
    long count = 0;
    qsort(l->keys, (size_t)l->key_count, sizeof l->keys[0], compare_keys);
    for (int i = 0; i < l->key_count; i++)
        count += i == 0 || l->keys[i] != l->keys[i - 1];
    return count;
}

bool literal_enumerate(struct literal *l, const struct position *p, int length) {
    l->game = p->scenario->game;
    l->side = l->game->mover(p->state);
    l->turn = l->game->turn(p->state);
    l->length = length;
    l->sequences = l->key_count = 0;
    literal_walk(l, p, 0);
    return l->sequences <= LITERAL_MAX;
}

double literal_realise(const struct literal *l, const struct position *p, const struct turn_line *line) {
    struct position end = *p;
    for (int i = 0; i < line->count; i++) {
        assert_int_equal(l->game->mover(end.state), l->side);
        assert_int_equal(l->game->turn(end.state), l->turn);
        assert_true(l->game->is_legal(end.state, line->actions[i]));
        l->game->play(end.state, line->actions[i], NULL);
    }
    assert_true(l->game->mover(end.state) != l->side || l->game->turn(end.state) != l->turn);
    return literal_value(l, end.state);
}
