/* SPDX-License-Identifier: MIT
 *
 * The searches over worlds: the bandit, the rules of AMCTS, simulations, exact values in one world, and the
 * search as a whole. Source: the paper on AMCTS, Algorithms 1 and 2 and equations (1) to (6), on top of Long,
 * Sturtevant, Buro and Furtak (PIMC) and of Furtak and Buro (IIMC).
 *
 * The loops are written for games with very short playouts: worlds are copied in blocks of 32 bytes,
 * logarithms come from a table, and the value function is a constant where the loop is inlined.
 */
#include "search/flat.h"

#include "base/bits.h"
#include "base/mem.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

enum {
    CHECK_NS = 10000, /* nanoseconds, about, between two reads of the clock */
    CHECK_EVERY = 64, /* leaves between two checks where there is no clock */
    CHECK_EVERY_MAX = 4096,
    AHEAD_MAX = 4096, /* positions visited at most to find out whether a thinker has a choice to come */
};

#define NO_LIMIT UINT64_MAX

uint64_t flat_equation_5(double worlds, int actions, double constant) {
    const double n = worlds * actions * constant + 0.5;
    return n < 1 ? 1 : n < 0x1p62 ? (uint64_t)n : UINT64_C(1) << 62;
}

/* ---- the bandit ---- */

/* ln n comes from a table, or beyond the table from a block that is computed at once. */

struct bandit {
    enum flat_root root;
    double c;                    /* of FLAT_UCB1 */
    const struct ln_table *logs; /* shared */
    struct flat_arm *arms;
    int count;
    uint64_t n;                 /* plays of all arms */
    uint64_t stretch_end;       /* beyond the table: end of the block of numbers … */
    double stretch[LN_STRETCH]; /* … whose logarithms are stored here */
};

/* Resets all statistics; the position has `count` actions. Arms keep their memory: a thinking playout clears
 * a bandit for every move. */
static void bandit_clear(struct bandit *bandit, int count) {
    bandit->count = count;
    bandit->n = bandit->stretch_end = 0;
    memset(bandit->arms, 0, (size_t)count * sizeof bandit->arms[0]);
}

/* `reward` is the payoff to the side that owns the bandit, 0 … 1. */
static inline void bandit_add(struct bandit *bandit, int index, double reward) {
    struct flat_arm *arm = &bandit->arms[index];
    arm->visits++;
    arm->sum += reward;
    arm->squares += reward * reward;
    arm->inverse = 1 / (double)(int64_t)arm->visits;
    bandit->n++;
}

/* Equation (1) with its constant as a setting, or equations (2) and (3). As long as an arm was played less
 * than 32 ln n times, the error term of V alone reaches the cap of 1/4; the comparison detects that, saves a
 * square root and leaves the result unchanged. `tuned` is a constant where this is inlined. */
BITS_INLINE double bound_of(const struct flat_arm *arm, double log_n, bool tuned, double c) {
    const double mean = arm->sum * arm->inverse, rate = log_n * arm->inverse;
    if (!tuned)
        return mean + c * sqrt(rate);
    double variance = 0.25;
    if (2 * rate < 0.0625) {
        const double spread = arm->squares * arm->inverse - mean * mean;
        const double v = (spread > 0 ? spread : 0) + sqrt(2 * rate);
        variance = v < 0.25 ? v : 0.25;
    }
    return mean + sqrt(rate * variance);
}

double flat_bound(const struct flat_arm *arm, uint64_t n, enum flat_root root, double c) {
    assert(arm->visits > 0);
    assert(root != FLAT_ROUND_ROBIN);
    struct flat_arm inside = *arm;
    inside.inverse = 1 / (double)arm->visits;
    return bound_of(&inside, ln_of((double)n), root == FLAT_TUNED, c);
}

/* The higher bound decides what is simulated next, which decides the next bound: the processor can only
 * advance in this chain by branch prediction. So this must be a branch (the empty statement keeps it one) and
 * not a conditional move, which waits for the data. */
BITS_INLINE int highest_bound(const struct bandit *bandit, double log_n, bool tuned) {
    double highest = 0;
    int best = 0;
    for (int i = 0; i < bandit->count; i++) {
        const double bound = bound_of(&bandit->arms[i], log_n, tuned, bandit->c);
        if (i == 0 || bound > highest) {
            __asm__ volatile("");
            highest = bound;
            best = i;
        }
    }
    return best;
}

/* n only grows until the bandit is cleared. */
static inline double log_of_plays(struct bandit *bandit) {
    const uint64_t n = bandit->n;
    if (n <= LN_TABLE_MAX)
        return bandit->logs->values[n];
    if (n >= bandit->stretch_end) {
        ln_of_stretch(n, bandit->stretch);
        bandit->stretch_end = n + LN_STRETCH;
    }
    return bandit->stretch[n + LN_STRETCH - bandit->stretch_end];
}

/* The arm to play now: first each once, then the highest bound (the first of equals), or all in turn. */
static int bandit_next(struct bandit *bandit) {
    const uint64_t n = bandit->n, count = (uint64_t)bandit->count;
    if (n < count)
        return (int)n;
    if (bandit->root == FLAT_ROUND_ROBIN)
        return (int)(n % count);
    const double log_n = log_of_plays(bandit);
    if (bandit->root == FLAT_TUNED)
        return highest_bound(bandit, log_n, true);
    return highest_bound(bandit, log_n, false);
}

/* 0 for an arm that was never played. */
static double bandit_mean(const struct flat_arm *arm) {
    return arm->visits > 0 ? arm->sum / (double)arm->visits : 0;
}

/* 1 when arm a is the better final choice, 0 when both are equal, -1 when b is better. It does not use
 * `inverse`: 3 of 3 and 5 of 5 must be equal. */
static int compare(const struct flat_arm *a, const struct flat_arm *b, bool by_sum) {
    if (a->visits == 0 || b->visits == 0)
        return (a->visits > 0) - (b->visits > 0);
    const double left = by_sum ? a->sum : bandit_mean(a), right = by_sum ? b->sum : bandit_mean(b);
    return (left > right) - (left < right);
}

/* The final choice among the arms that were played (among all when none was): the highest mean, or with
 * `by_sum` the highest sum. Ties are broken at random; without a tie no random number is drawn. */
static int bandit_best(const struct bandit *bandit, bool by_sum, struct rng *r) {
    const struct flat_arm *arms = bandit->arms;
    int best = 0, equals = 1;
    for (int i = 1; i < bandit->count; i++) {
        const int order = compare(&arms[i], &arms[best], by_sum);
        equals = order > 0 ? 1 : equals + (order == 0);
        best = order > 0 ? i : best;
    }
    const int first = best;
    uint32_t pass = equals > 1 ? rng_below(r, (uint32_t)equals) : 0; /* equals to pass over */
    for (int i = first + 1; pass > 0; i++) {
        if (compare(&arms[i], &arms[first], by_sum) == 0) {
            best = i;
            pass--;
        }
    }
    return best;
}

/* ---- when AMCTS searches again ---- */

static double variance_of(const struct flat_arm *arm) {
    const double mean = bandit_mean(arm), variance = arm->squares / (double)arm->visits - mean * mean;
    return variance > 0 ? variance : 0;
}

/* Standard deviation of one arm's rewards, and standard error of its mean. */
static double deviation(const struct flat_arm *arm) {
    return sqrt(variance_of(arm));
}

static double standard_error(const struct flat_arm *arm) {
    return sqrt(variance_of(arm) / (double)arm->visits);
}

/* The standard error of the difference of two means. */
static double joint_error(const struct flat_arm *a, const struct flat_arm *b) {
    return sqrt(variance_of(a) / (double)a->visits + variance_of(b) / (double)b->visits);
}

/* Those that compare other quantities have thetas of their size. */
const double switching_thetas[SWITCH_RULES] = {
    [SWITCH_GAP_PER_WORLD] = 0.25, [SWITCH_GAP] = 0.1,      [SWITCH_GAP_BY_WORLDS] = 0.1,
    [SWITCH_ERRORS] = 1,           [SWITCH_RELATIVE] = 0.1, [SWITCH_REVERSED] = 0.1,
    [SWITCH_RANDOM] = 0.5,         [SWITCH_SQUARES] = 1.5,  [SWITCH_SPREAD] = 0.1,
    [SWITCH_GAIN] = 0.01,          [SWITCH_VISITS] = 0.5,   [SWITCH_OPEN] = 0.25,
    [SWITCH_BEHIND] = 0.5,         [SWITCH_MANY] = 0.1,     [SWITCH_COST] = 0.25,
    [SWITCH_LATER] = 0.25,
};

bool switching_needs_choices(enum switching_rule rule) {
    return rule == SWITCH_COST || rule == SWITCH_LATER;
}

bool switching_has_power(enum switching_rule rule) {
    return rule == SWITCH_GAP || rule == SWITCH_ERRORS || rule == SWITCH_SQUARES || rule == SWITCH_SPREAD ||
           rule == SWITCH_RELATIVE || rule == SWITCH_GAIN;
}

/* x to the power halves / 2. Only multiplications and square roots, which are the same on every machine. */
static double half_power(double x, int halves) {
    double power = halves % 2 != 0 ? sqrt(x) : 1;
    for (; halves >= 2; halves -= 2)
        power *= x;
    return power;
}

/* In one pass, without sorting. Of equal means the first is the best. NULL where fewer were played. */
static void find_leaders(const struct flat_arm *arms, int count, const struct flat_arm *leaders[2]) {
    leaders[0] = leaders[1] = NULL;
    for (int i = 0; i < count; i++) {
        const struct flat_arm *arm = &arms[i];
        if (arm->visits == 0)
            continue;
        if (leaders[0] == NULL || bandit_mean(arm) > bandit_mean(leaders[0])) {
            leaders[1] = leaders[0];
            leaders[0] = arm;
        } else if (leaders[1] == NULL || bandit_mean(arm) > bandit_mean(leaders[1])) {
            leaders[1] = arm;
        }
    }
}

bool switching_decide(enum switching_rule rule, double theta, const struct switching_case *c) {
    const struct flat_arm *leaders[2];
    assert(rule < SWITCH_RULES);
    assert(c->halves >= 0);
    assert(c->halves == 0 || switching_has_power(rule));
    find_leaders(c->arms, c->count, leaders);
    if (leaders[1] == NULL)
        return false;
    const struct flat_arm *best = leaders[0], *second = leaders[1];
    const double most = bandit_mean(best), gap = most - bandit_mean(second),
                 power = c->halves > 0 ? half_power(c->worlds, c->halves) : 1,
                 error = joint_error(best, second);
    switch (rule) {
    case SWITCH_GAP_PER_WORLD: return gap < theta / c->worlds;
    case SWITCH_GAP: return gap * power < theta;
    case SWITCH_GAP_BY_WORLDS: return gap < theta * c->worlds / c->worlds_at_start;
    case SWITCH_ERRORS: return gap * power < theta * (standard_error(best) + standard_error(second));
    /* The condition multiplied out. With a best mean of 0 the gap is 0, and so is the relative gap. */
    case SWITCH_RELATIVE: return most > 0 ? gap * power < theta * most : theta > 0;
    case SWITCH_REVERSED: return gap > theta;
    case SWITCH_RANDOM: return rng_unit(c->rng) < theta;
    case SWITCH_SQUARES: return gap * power < theta * error;
    case SWITCH_SPREAD: return gap * power < theta * (deviation(best) + deviation(second)) / 2;
    case SWITCH_GAIN: return error > 0 && error * error > theta * power * (error + gap);
    case SWITCH_VISITS: return (double)second->visits > theta * (double)best->visits;
    case SWITCH_OPEN: return fabs(most - 0.5) < theta;
    case SWITCH_BEHIND: return most < theta;
    case SWITCH_MANY: return gap < theta && c->worlds >= c->worlds_at_start;
    case SWITCH_COST: return gap * c->worlds * fmax(c->choices, 1) < theta;
    case SWITCH_LATER: return gap * c->worlds < theta * c->choices;
    case SWITCH_ALWAYS: return true;
    case SWITCH_NEVER:
    case SWITCH_RULES: break;
    }
    return false;
}

/* ---- a search ---- */

/* One position whose actions are compared: the root, or inside a playout the position of a thinker. */
struct flat_level {
    int side;      /* the side to move */
    double worlds; /* number of worlds that the view allows */
    bool in_order; /* all worlds in turn */
    action *list;
    struct bandit bandit;
    union search_state view;  /* where there is only one world: that world */
    union search_state world; /* of this round, in which each action is tried */
    union search_state state; /* of the current simulation */
};

enum { FLAT_OUTER, FLAT_INNER, FLAT_LEVELS };

/* Memory and the current search. The inner level is used by one thinker at a time: searches do not nest
 * deeper. */
struct flat {
    const struct game *game;
    size_t copy_size;            /* of a state, rounded up */
    size_t list_max;             /* actions in a list */
    union search_state *ply;     /* FLAT_DEPTH_MAX + 1 positions for the look ahead … */
    action *ply_lists;           /* … and as many lists of actions */
    struct flat_arm *spare_arms; /* of AMCTS's other search */
    struct ln_table logs;

    /* The current search. */
    const struct search_task *task;
    const struct flat_settings *settings;
    struct rng rng;
    unsigned thinkers; /* one bit a side */
    uint64_t leaves;
    uint64_t sims_before; /* of a first search whose statistics were dropped */
    bool over;            /* time, leaves or a stop: no further leaf is evaluated */

    uint64_t check_at, check_every; /* in leaves: when clock and stop are checked next, and the step */
    int64_t start_ns, checked_ns, watched_ns;

    struct flat_level levels[FLAT_LEVELS];
};

/* Finds the value of the action just played in the level's state; false when the search ended before that. */
typedef bool flat_value(struct flat *f, struct flat_level *level, double *out);

static flat_value flat_value_playout, flat_value_minimax, flat_value_thinking;

/* The value function of the settings where no side thinks. */
static inline flat_value *flat_plain_value(const struct flat *f) {
    return f->settings->leaf == FLAT_MINIMAX ? flat_value_minimax : flat_value_playout;
}

/* ---- storage ---- */

/* Memory for the largest list of actions; a search allocates nothing. */
struct flat *flat_open(const struct game *game) {
    struct flat *f = mem_alloc(sizeof *f);
    f->game = game;
    f->copy_size = (game->state_size + 31) / 32 * 32;
    f->list_max = (size_t)game->actions_max;
    f->ply = mem_alloc((FLAT_DEPTH_MAX + 1) * sizeof *f->ply);
    f->ply_lists = mem_alloc((FLAT_DEPTH_MAX + 1) * f->list_max * sizeof *f->ply_lists);
    f->spare_arms = mem_alloc(f->list_max * sizeof *f->spare_arms);
    ln_table_fill(&f->logs);
    for (int i = 0; i < FLAT_LEVELS; i++) {
        struct flat_level *level = &f->levels[i];
        level->list = mem_alloc(f->list_max * sizeof *level->list);
        level->bandit.arms = mem_alloc(f->list_max * sizeof *level->bandit.arms);
        level->bandit.logs = &f->logs;
    }
    return f;
}

void flat_close(struct flat *f) {
    if (f == NULL)
        return;
    for (int i = 0; i < FLAT_LEVELS; i++) {
        mem_free(f->levels[i].list);
        mem_free(f->levels[i].bandit.arms);
    }
    mem_free(f->ply);
    mem_free(f->ply_lists);
    mem_free(f->spare_arms);
    mem_free(f);
}

/* ---- thoughts ---- */

/* `first` (or -1) leads: arms that were never played are listed only when they are chosen. */
static void report_thoughts(const struct flat *f, int first) {
    const struct flat_level *level = &f->levels[FLAT_OUTER];
    struct thoughts *out = f->task->thoughts;
    thoughts_start(out);
    for (int i = 0; i < level->bandit.count; i++) {
        const struct flat_arm *arm = &level->bandit.arms[i];
        if (i != first && arm->visits == 0)
            continue;
        thoughts_add(out,
                     &(struct thought){.action = level->list[i],
                                       .value = bandit_mean(arm),
                                       .leads = i == first,
                                       .visits = arm->visits,
                                       .line_count = 1,
                                       .line = {level->list[i]}},
                     false);
    }
    out->total = level->bandit.count;
    out->simulations = f->sims_before + level->bandit.n;
    out->depth = 1;
}

/* ---- limits ---- */

/* Without a clock the stop flag is looked at after a fixed number of leaves. */
static bool has_clock(const struct flat *f) {
    const struct budget *b = &f->task->budget;
    return b->clock != NULL && (b->time_ns_max > 0 || b->deadline_ns > 0 || f->task->watch != NULL);
}

/* Checks clock, stop and limits. A leaf may cost nanoseconds or milliseconds: the number of leaves between
 * two checks adapts to the clock. */
static void flat_check_limits(struct flat *f) {
    const uint64_t leaves_max = f->settings->leaves_max;
    const struct watch *watch = f->task->watch;
    if (budget_is_cut(&f->task->budget, f->start_ns) || (leaves_max > 0 && f->leaves >= leaves_max))
        f->over = true;
    if (has_clock(f)) {
        const int64_t now = clock_now_ns(f->task->budget.clock), passed = now - f->checked_ns;
        f->checked_ns = now;
        if (passed < CHECK_NS / 2 && f->check_every < CHECK_EVERY_MAX)
            f->check_every *= 2;
        else if (passed > CHECK_NS && f->check_every > 1)
            f->check_every = f->check_every * CHECK_NS / (uint64_t)passed + 1;
        if (watch != NULL && now - f->watched_ns >= watch->every_ns) {
            f->watched_ns = now;
            report_thoughts(f, -1);
            search_show(f->task);
        }
    }
    f->check_at = f->leaves + f->check_every;
    if (leaves_max > 0 && f->check_at > leaves_max)
        f->check_at = leaves_max;
}

/* Counts an evaluated leaf. */
static inline void flat_count_leaf(struct flat *f) {
    if (++f->leaves >= f->check_at)
        flat_check_limits(f);
}

/* A bit for each side, so that the test costs nothing in a playout. */
static inline bool flat_thinks(const struct flat *f, int side) {
    return (f->thinkers >> side & 1) != 0;
}

/* Meant for small states: a call of memcpy with a variable size would cost as much as the rest of drawing a
 * world. Copies up to 31 bytes beyond the state. */
static inline void flat_copy(const struct flat *f, union search_state *to, const union search_state *from) {
    size_t i = 0;
    do {
        __builtin_memcpy(to->bytes + i, from->bytes + i, 32);
        i += 32;
    } while (i < f->copy_size);
}

/* ---- worlds ---- */

/* Sets the level to that state as its mover sees it; `is_view`: the state is already a view. */
static void flat_prepare(struct flat *f, struct flat_level *level, const union search_state *state,
                         bool is_view) {
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

/* In order, the number of finished rounds is the number of the world. */
static void draw_world(struct flat *f, const struct flat_level *level, union search_state *out) {
    const struct bandit *bandit = &level->bandit;
    flat_copy(f, out, &level->view);
    if (level->in_order)
        f->game->world(out, bandit->n / (uint64_t)bandit->count % (uint64_t)level->worlds);
    else
        f->game->determinize(out, &f->rng);
}

/* With round robin all actions of a round are tried in the same world (Algorithm 1). */
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

/* If the game is already over the rollout plays nothing. */
BITS_INLINE bool flat_value_playout(struct flat *f, struct flat_level *level, double *out) {
    f->settings->rollout->run(&level->state, &f->rng, 0);
    *out = f->game->payoff(&level->state, level->side);
    flat_count_leaf(f);
    return true;
}

BITS_INLINE uint64_t simulate(struct flat *f, struct flat_level *level, uint64_t sims, flat_value *value) {
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

/* Runs up to `sims` simulations on a level until the search ends; returns how many were finished. Playouts
 * have their own copy of the loop: they are so short that a call through a pointer would cost noticeable
 * time. */
static uint64_t flat_simulate(struct flat *f, struct flat_level *level, uint64_t sims, flat_value *value) {
    return value == flat_value_playout ? simulate(f, level, sims, flat_value_playout)
                                       : simulate(f, level, sims, value);
}

/* The mover plays the result of its own search; false when the outer search ended before that. */
static bool think(struct flat *f, union search_state *state) {
    struct flat_level *inner = &f->levels[FLAT_INNER];
    const int count = f->game->actions(state, inner->list);
    int best = 0;
    assert(count > 0);
    if (count > 1) {
        flat_prepare(f, inner, state, false);
        bandit_clear(&inner->bandit, count);
        search_shuffle(&f->rng, inner->list, count);
        const struct flat_settings *s = f->settings;
        const uint64_t sims = s->inner_sims > 0 ? (uint64_t)s->inner_sims /* M */
                                                : flat_equation_5(inner->worlds, count, s->inner_constant);
        flat_simulate(f, inner, sims, flat_plain_value(f));
        if (f->over)
            return false;
        best = bandit_best(&inner->bandit, f->settings->by_sum, &f->rng);
    }
    f->game->play(state, inner->list[best], &f->rng);
    return true;
}

/* IIMC (Furtak and Buro 2013): the thinkers see only their own view of the simulated state. */
static bool flat_value_thinking(struct flat *f, struct flat_level *level, double *out) {
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

/* ---- one world ---- */

/* Look ahead in one world with perfect information: exact values by alpha-beta, and whether a thinker has a
 * choice to come. Positions and lists are on a stack of FLAT_DEPTH_MAX plies; a forced move is played in
 * place and takes no ply, so only choices count. */

/* The list of the moves at that ply, which stays valid while the plies below are tried. */
static action *list_of(const struct flat *f, int ply) {
    return f->ply_lists + (size_t)ply * f->list_max;
}

/* Plays forced moves. Returns the number of actions to choose from, 0 when the game is over. */
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

/* Each ply has its own copy, so that going up again costs nothing. */
static void go_down(struct flat *f, int ply, int index) {
    flat_copy(f, &f->ply[ply + 1], &f->ply[ply]);
    f->game->play(&f->ply[ply + 1], list_of(f, ply)[index], &f->rng);
}

/* Alpha-beta window in payoffs of `side`. */
struct window {
    double low, high;
    int side;
};

/* Exact within the window, which begins with all possible payoffs. Sets *cut when the search ended before the
 * value was found. */
static double exact_value(struct flat *f, int ply, struct window w, bool *cut) {
    const int count = skip_forced(f, ply);
    const int depth = f->settings->depth > 0 ? f->settings->depth : FLAT_DEPTH_MAX;
    *cut = *cut || f->over;
    if (*cut)
        return w.low;
    if (count == 0 || ply == depth) {
        if (f->game->mover(&f->ply[ply]) != NOBODY)
            f->settings->rollout->run(&f->ply[ply], &f->rng, 0);
        flat_count_leaf(f);
        return f->game->payoff(&f->ply[ply], w.side);
    }
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

/* The payoff to the level's mover with all colours, cards or types known. */
static bool flat_value_minimax(struct flat *f, struct flat_level *level, double *out) {
    bool cut = false;
    flat_copy(f, &f->ply[0], &level->state);
    *out = exact_value(f, 0, (struct window){0, 1, level->side}, &cut);
    return !cut;
}

/* `left` counts down; at 0 the answer is true, which is the safe one: a search more. */
static bool choice_ahead(struct flat *f, int ply, uint64_t *left) {
    const int count = skip_forced(f, ply);
    if (count == 0)
        return false;
    if (*left == 0 || ply == FLAT_DEPTH_MAX || flat_thinks(f, f->game->mover(&f->ply[ply])))
        return true;
    for (int i = 0; i < count; i++) {
        go_down(f, ply, i);
        *left -= *left > 0;
        if (choice_ahead(f, ply + 1, left))
            return true;
    }
    return false;
}

/* True when a thinker may get a choice behind the outer level's actions. Visits at most `positions_max`
 * positions; when they do not suffice the answer is true. */
static bool flat_thinker_ahead(struct flat *f, uint64_t positions_max) {
    const struct flat_level *level = &f->levels[FLAT_OUTER];
    uint64_t left = positions_max;
    assert(positions_max <= GAME_WORLDS_MAX);
    if (level->worlds * level->bandit.count > (double)positions_max)
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

/* ---- how many simulations ---- */

/* Rounds down to whole rounds, if there is at least one. */
static uint64_t whole_rounds(uint64_t sims, uint64_t round) {
    return sims == NO_LIMIT || sims < round ? sims : sims / round * round;
}

/* Decides whether the worlds are enumerated in order, and returns the number of simulations. */
static uint64_t resolve_rounds(struct flat *f, uint64_t sims, bool plain) {
    const struct flat_settings *s = f->settings;
    struct flat_level *level = &f->levels[FLAT_OUTER];
    const double all = level->worlds * level->bandit.count;
    level->in_order = s->all_worlds && level->worlds <= GAME_WORLDS_MAX && all <= (double)sims;
    level->bandit.root = level->in_order ? FLAT_ROUND_ROBIN : s->root;
    if (level->bandit.root != FLAT_ROUND_ROBIN)
        return sims;
    if (!level->in_order)
        return whole_rounds(sims, (uint64_t)level->bandit.count);
    const bool exact = plain && s->leaf == FLAT_MINIMAX && s->depth == 0;
    return exact ? (uint64_t)all : whole_rounds(sims, (uint64_t)all);
}

/* N by the settings. */
static uint64_t own_sims(const struct flat *f) {
    const struct flat_settings *s = f->settings;
    const struct flat_level *level = &f->levels[FLAT_OUTER];
    if (s->sims > 0)
        return s->sims;
    return s->constant > 0 ? flat_equation_5(level->worlds, level->bandit.count, s->constant) : NO_LIMIT;
}

/* The limit of the current search; `last`: no other search follows. */
static uint64_t sims_limit(const struct flat *f, bool last) {
    const struct budget *b = &f->task->budget;
    if (b->work_max > 0)
        return b->work_max;
    if (last && b->time_ns_max > 0)
        return NO_LIMIT;
    return last && f->settings->leaves_max > 0 ? f->settings->leaves_max : own_sims(f);
}

/* ---- AMCTS ---- */

/* How many choices the thinkers have behind the action, on average over some random games from here. Not
 * counted as leaves: their results are not used. */
static double choices_to_come(struct flat *f, struct rng *r) {
    enum { GAMES = 8, ACTIONS = 1000 }; /* a game is cut off after so many actions */
    const struct flat_level *level = &f->levels[FLAT_OUTER];
    union search_state *state = &f->ply[0];
    int choices = 0;
    for (int i = 0; i < GAMES; i++) {
        flat_copy(f, state, &level->view);
        if (level->worlds > 1)
            f->game->determinize(state, r);
        f->game->play(state, level->list[i % level->bandit.count], r);
        for (int played = 0; played < ACTIONS && f->game->mover(state) != NOBODY; played++) {
            const int count = f->game->actions(state, list_of(f, 0));
            choices += count > 1 && flat_thinks(f, f->game->mover(state));
            f->game->play(state, list_of(f, 0)[rng_below(r, (uint32_t)count)], r);
        }
    }
    return (double)choices / GAMES;
}

/* Equation (6) in the chosen reading. The random rule and the games that count choices have generators of
 * their own, so that they change no other random number. `out` is for reports. */
static bool needs_second_search(struct flat *f, uint64_t seed, struct flat_report *out) {
    const struct flat_settings *s = f->settings;
    const struct flat_level *level = &f->levels[FLAT_OUTER];
    const struct flat_arm *leaders[2];
    struct rng lot, games;
    rng_seed_stream(&lot, seed, 2);
    rng_seed_stream(&games, seed, 3);
    find_leaders(level->bandit.arms, level->bandit.count, leaders);
    for (int i = 0; i < 2 && leaders[i] != NULL; i++)
        out->leaders[i] = *leaders[i];
    out->worlds = level->worlds;
    out->choices = switching_needs_choices(s->rule) ? choices_to_come(f, &games) : 0;
    const struct switching_case c = {.arms = level->bandit.arms,
                                     .count = level->bandit.count,
                                     .worlds = level->worlds,
                                     .worlds_at_start = s->worlds_at_start,
                                     .choices = out->choices,
                                     .halves = s->halves,
                                     .rng = &lot};
    return switching_decide(s->rule, s->theta, &c);
}

/* Searches again from the beginning, with thinkers; the first search's statistics are dropped unless `keep`
 * is set. Returns the number of simulations. */
static uint64_t search_again(struct flat *f, uint64_t seed) {
    struct flat_level *level = &f->levels[FLAT_OUTER];
    const struct bandit first = level->bandit;
    rng_seed_stream(&f->rng, seed, 1);
    if (!f->settings->keep) {
        level->bandit.arms = f->spare_arms;
        f->spare_arms = first.arms;
        bandit_clear(&level->bandit, first.count);
        f->sims_before = first.n;
    }
    const uint64_t sims = resolve_rounds(f, sims_limit(f, true), false);
    const uint64_t done = flat_simulate(f, level, sims, flat_value_thinking);
    if (!f->settings->keep && done == 0) {
        f->spare_arms = level->bandit.arms;
        level->bandit = first;
        f->sims_before = 0;
    }
    return done;
}

/* ---- the whole search ---- */

/* All limits and counters begin anew; only memory is kept from search to search. */
void flat_search(struct flat *f, const struct search_task *task, const struct flat_settings *settings,
                 struct search_result *out, struct flat_report *report) {
    const uint64_t seed = rng_next(task->rng);
    const bool plain = settings->adaptive || settings->thinkers == FLAT_NO_ONE;
    struct flat_level *level = &f->levels[FLAT_OUTER];
    struct flat_report done = {0};
    union search_state root;
    assert(task->game == f->game);
    assert(settings->rollout != NULL);
    assert(!settings->adaptive || settings->thinkers != FLAT_NO_ONE);
    assert(settings->depth >= 0 && settings->depth <= FLAT_DEPTH_MAX);
    rng_seed_stream(&f->rng, seed, 0);
    f->task = task;
    f->settings = settings;
    f->sims_before = f->leaves = 0;
    f->over = false;
    search_copy(f->game, &root, task->root);
    flat_prepare(f, level, &root, true);
    assert(level->side != NOBODY);
    bandit_clear(&level->bandit, f->game->actions(task->root, level->list));
    search_shuffle(&f->rng, level->list, level->bandit.count);
    level->bandit.c = f->levels[FLAT_INNER].bandit.c = settings->c;
    f->levels[FLAT_INNER].bandit.root = settings->root;
    f->thinkers = settings->thinkers == FLAT_BOTH  ? 3
                  : settings->thinkers == FLAT_OWN ? 1u << level->side
                                                   : 0;
    f->start_ns = f->checked_ns = f->watched_ns =
        task->budget.clock != NULL ? clock_now_ns(task->budget.clock) : 0;
    f->check_every = has_clock(f) ? 1 : CHECK_EVERY;
    f->check_at = has_clock(f) || settings->leaves_max > 0 ? 1 : CHECK_EVERY;

    const uint64_t sims = resolve_rounds(f, sims_limit(f, !settings->adaptive), plain);
    done.sims[0] = flat_simulate(f, level, sims, plain ? flat_plain_value(f) : flat_value_thinking);
    if (settings->adaptive) {
        const uint64_t n = own_sims(f);
        done.first_leaves = f->leaves;
        done.switched = !f->over && needs_second_search(f, seed, &done) &&
                        (!settings->skip_last || flat_thinker_ahead(f, n < AHEAD_MAX ? n : AHEAD_MAX));
        done.sims[1] = done.switched ? search_again(f, seed) : 0;
    }
    const int best = bandit_best(&level->bandit, settings->by_sum, &f->rng);
    *out = (struct search_result){.chosen = level->list[best],
                                  .value = bandit_mean(&level->bandit.arms[best]),
                                  .work = done.sims[0] + done.sims[1],
                                  .leaves = f->leaves};
    if (task->thoughts != NULL)
        report_thoughts(f, best);
    if (report != NULL)
        *report = done;
}
