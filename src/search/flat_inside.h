/* SPDX-License-Identifier: MIT
 *
 * Private to the flat searches: what their parts share.
 */
#ifndef SEARCH_FLAT_INSIDE_H
#define SEARCH_FLAT_INSIDE_H

#include "search/flat.h"
#include "search/flat_bandit.h"

/* One position whose actions are compared: the root's, and inside of a playout a thinker's. */
struct flat_level {
    int side;      /* who is to move */
    double worlds; /* that the view can be */
    bool in_order; /* all worlds in turn */
    action *list;
    struct bandit bandit;
    union search_state view;  /* where there is one world only: that world */
    union search_state world; /* of this round, where each action is tried in it */
    union search_state state; /* of the simulation at hand */
};

enum { FLAT_OUTER, FLAT_INNER, FLAT_LEVELS };

struct flat {
    const struct game *game;
    size_t copy_size;              /* of a state, rounded up */
    size_t list_max;               /* actions in a list */
    union search_state *ply;       /* FLAT_DEPTH_MAX + 1 positions for looking ahead … */
    action *ply_lists;             /* … and as many lists of actions */
    struct bandit_arm *spare_arms; /* of AMCTS's other search */
    struct switching_arm *switching_arms;
    struct ln_table logs;

    /* The search at hand. */
    const struct search_task *task;
    const struct flat_settings *settings;
    struct rng rng;
    unsigned thinkers; /* a bit a side */
    uint64_t leaves;
    uint64_t sims_before; /* of a search whose statistics were thrown away */
    bool over;            /* time, leaves or a stop: no leaf is evaluated any more */

    uint64_t look_at, look_every; /* leaves: when clock and stop are looked at */
    int64_t start_ns, looked_ns, watched_ns;

    struct flat_level levels[FLAT_LEVELS];
};

/* Values the action just played in the level's state; false when the search was over before it came to that.
 */
typedef bool flat_value(struct flat *f, struct flat_level *level, double *out);

flat_value flat_value_playout, flat_value_minimax, flat_value_thinking;

/* How the settings have an action valued where nobody thinks. */
static inline flat_value *flat_plain_value(const struct flat *f) {
    return f->settings->leaf == FLAT_MINIMAX ? flat_value_minimax : flat_value_playout;
}

/* The level is about that state, of which its mover sees what it may; `is_view`: that is all there is. Then
 * simulations on it, at most `sims`, as far as the search goes; returns how many were finished. */
void flat_prepare(struct flat *f, struct flat_level *level, const union search_state *state, bool is_view);
uint64_t flat_simulate(struct flat *f, struct flat_level *level, uint64_t sims, flat_value *value);

/* Is it possible that a thinker gets a choice behind the outer level's actions? Looks at `positions_max` of
 * them; when that is not enough to tell: yes. */
bool flat_thinker_ahead(struct flat *f, uint64_t positions_max);

/* Looks at clock, stop and limits; done now and then. */
void flat_look(struct flat *f);

/* A leaf was evaluated. */
static inline void flat_count_leaf(struct flat *f) {
    if (++f->leaves >= f->look_at)
        flat_look(f);
}

static inline bool flat_thinks(const struct flat *f, int side) {
    return (f->thinkers >> side & 1) != 0;
}

/* Small states are what this is for: a call of memcpy with a size that only the game knows would cost as much
 * as the rest of drawing a world. Copies up to 31 bytes more than the state has. */
static inline void flat_copy(const struct flat *f, union search_state *to, const union search_state *from) {
    size_t i = 0;
    do {
        __builtin_memcpy(to->bytes + i, from->bytes + i, 32);
        i += 32;
    } while (i < f->copy_size);
}

#endif
