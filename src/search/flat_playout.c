/* SPDX-License-Identifier: MIT
 *
 * Simulations: drawing worlds, and playouts with and without thinkers.
 */
#include "search/flat_inside.h"

#include <assert.h>

/* ---- positions ---- */

void flat_prepare(struct flat *f, struct flat_level *level, const union search_state *state, bool is_view) {
    const struct game *game = f->game;
    flat_copy(f, &level->view, state);
    level->side = game->mover(state);
    level->worlds = 1;
    level->in_order = false;
    if (game->hide == NULL)
        return;
    if (!is_view)
        game->hide(&level->view, level->side);
    level->worlds = game->worlds(&level->view);
    if (!(level->worlds > 1))
        game->world(&level->view, 0);
}

static void draw_world(struct flat *f, const struct flat_level *level, union search_state *out) {
    const struct bandit *bandit = &level->bandit;
    flat_copy(f, out, &level->view);
    if (level->in_order)
        f->game->world(out, bandit->n / (uint64_t)bandit->count % (uint64_t)level->worlds);
    else
        f->game->determinize(out, &f->rng);
}

static void draw_state(struct flat *f, struct flat_level *level, int arm) {
    if (!(level->worlds > 1)) {
        flat_copy(f, &level->state, &level->view);
    } else if (level->bandit.root != FLAT_ROUND_ROBIN) {
        draw_world(f, level, &level->state);
    } else {
        if (arm == 0)
            draw_world(f, level, &level->world);
        flat_copy(f, &level->state, &level->world);
    }
}

/* ---- playouts ---- */

/* Where the game is over already a rollout plays nothing. */
bool flat_value_playout(struct flat *f, struct flat_level *level, double *out) {
    f->settings->rollout->run(&level->state, &f->rng, 0);
    *out = f->game->payoff(&level->state, level->side);
    flat_count_leaf(f);
    return true;
}

static inline __attribute__((always_inline)) uint64_t simulate(struct flat *f, struct flat_level *level,
                                                               uint64_t sims, flat_value *value) {
    for (uint64_t done = 0; done < sims; done++) {
        double worth;
        const int arm = bandit_next(&level->bandit);
        if (f->over)
            return done;
        draw_state(f, level, arm);
        f->game->play(&level->state, level->list[arm], &f->rng);
        if (!value(f, level, &worth))
            return done;
        bandit_add(&level->bandit, arm, worth);
    }
    return sims;
}

/* The loop once more for playouts, which are so short that calling them through a pointer would show. */
uint64_t flat_simulate(struct flat *f, struct flat_level *level, uint64_t sims, flat_value *value) {
    return value == flat_value_playout ? simulate(f, level, sims, flat_value_playout)
                                       : simulate(f, level, sims, value);
}

/* M: what a search inside a playout may cost. */
static uint64_t inner_sims(const struct flat *f, const struct flat_level *inner) {
    const struct flat_settings *s = f->settings;
    return s->inner_sims > 0 ? (uint64_t)s->inner_sims
                             : flat_equation_5(inner->worlds, inner->bandit.count, s->inner_constant);
}

/* The mover plays what a search of its own says; false when the search at hand was over before that. */
static bool think(struct flat *f, union search_state *state) {
    struct flat_level *inner = &f->levels[FLAT_INNER];
    const int count = f->game->actions(state, inner->list);
    int best = 0;
    assert(count > 0);
    if (count > 1) {
        flat_prepare(f, inner, state, false);
        bandit_clear(&inner->bandit, count);
        search_shuffle(&f->rng, inner->list, count);
        flat_simulate(f, inner, inner_sims(f, inner), flat_plain_value(f));
        if (f->over)
            return false;
        best = bandit_best(&inner->bandit, f->settings->by_sum, &f->rng);
    }
    f->game->play(state, inner->list[best], &f->rng);
    return true;
}

bool flat_value_thinking(struct flat *f, struct flat_level *level, double *out) {
    union search_state *state = &level->state;
    int mover = f->game->mover(state);
    while (mover != NOBODY) {
        if (!flat_thinks(f, mover)) {
            const long played = f->settings->rollout->run(state, &f->rng, 1);
            assert(played > 0);
        } else if (!think(f, state)) {
            return false;
        }
        mover = f->game->mover(state);
    }
    *out = f->game->payoff(state, level->side);
    flat_count_leaf(f);
    return true;
}
