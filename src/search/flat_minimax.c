/* SPDX-License-Identifier: MIT
 *
 * Looking ahead in one world, in which everybody sees everything: exact values by alpha-beta, and whether a
 * thinker has a choice to come. Positions and lists are on a stack of FLAT_DEPTH_MAX plies; a forced move is
 * played in place and takes none, so that only choices count.
 */
#include "search/flat_inside.h"

static action *list_of(const struct flat *f, int ply) {
    return f->ply_lists + (size_t)ply * f->list_max;
}

/* Plays on where there is no choice. The number of actions to choose from, 0 when the game is over. */
static int skip_forced(struct flat *f, int ply) {
    union search_state *state = &f->ply[ply];
    while (f->game->mover(state) != NOBODY) {
        const int count = f->game->actions(state, list_of(f, ply));
        if (count > 1)
            return count;
        f->game->play(state, list_of(f, ply)[0], &f->rng);
    }
    return 0;
}

static void go_down(struct flat *f, int ply, int index) {
    flat_copy(f, &f->ply[ply + 1], &f->ply[ply]);
    f->game->play(&f->ply[ply + 1], list_of(f, ply)[index], &f->rng);
}

/* ---- exact values ---- */

/* What both sides are sure of already, in payoffs of `side`. */
struct window {
    double low, high;
    int side;
};

/* The end, or as far as the search looks. */
static double leaf_value(struct flat *f, int ply, const struct window *w) {
    if (f->game->mover(&f->ply[ply]) != NOBODY)
        f->settings->rollout->run(&f->ply[ply], &f->rng, 0);
    flat_count_leaf(f);
    return f->game->payoff(&f->ply[ply], w->side);
}

/* Within the window, payoffs being all that a window begins with, the value is exact; *cut when the search
 * was over before it was found. */
static double exact_value(struct flat *f, int ply, struct window w, bool *cut) {
    const int count = skip_forced(f, ply);
    const int depth = f->settings->depth > 0 ? f->settings->depth : FLAT_DEPTH_MAX;
    *cut = *cut || f->over;
    if (*cut)
        return w.low;
    if (count == 0 || ply == depth)
        return leaf_value(f, ply, &w);
    const bool own = f->game->mover(&f->ply[ply]) == w.side;
    for (int i = 0; i < count && w.low < w.high && !*cut; i++) {
        go_down(f, ply, i);
        const double value = exact_value(f, ply + 1, w, cut);
        if (own && value > w.low)
            w.low = value;
        else if (!own && value < w.high)
            w.high = value;
    }
    return own ? w.low : w.high;
}

bool flat_value_minimax(struct flat *f, struct flat_level *level, double *out) {
    bool cut = false;
    flat_copy(f, &f->ply[0], &level->state);
    *out = exact_value(f, 0, (struct window){0, 1, level->side}, &cut);
    return !cut;
}

/* ---- choices to come ---- */

static bool choice_ahead(struct flat *f, int ply, uint64_t *left) {
    const int count = skip_forced(f, ply);
    if (count == 0)
        return false;
    if (*left == 0 || ply == FLAT_DEPTH_MAX || flat_thinks(f, f->game->mover(&f->ply[ply])))
        return true;
    bool found = false;
    for (int i = 0; i < count && !found; i++) {
        go_down(f, ply, i);
        *left -= *left > 0;
        found = choice_ahead(f, ply + 1, left);
    }
    return found;
}

bool flat_thinker_ahead(struct flat *f, uint64_t positions_max) {
    const struct flat_level *level = &f->levels[FLAT_OUTER];
    uint64_t left = positions_max;
    if (level->worlds * level->bandit.count > (double)positions_max || level->worlds > GAME_WORLDS_MAX)
        return true;
    for (uint64_t world = 0; world < (uint64_t)level->worlds; world++) {
        for (int i = 0; i < level->bandit.count; i++) {
            flat_copy(f, &f->ply[0], &level->view);
            if (level->worlds > 1)
                f->game->world(&f->ply[0], world);
            f->game->play(&f->ply[0], level->list[i], &f->rng);
            left -= left > 0;
            if (choice_ahead(f, 0, &left))
                return true;
        }
    }
    return false;
}
