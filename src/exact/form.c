/* SPDX-License-Identifier: MIT
 *
 * Forms: writing a game out, and strategies on it (best responses, the exact strategy of PIMC, CFR+).
 *
 * The game tree is walked depth first with an explicit stack. Only the states on the stack exist at a time,
 * so memory is bounded by the form and not by the number of states.
 *
 * A form is the sequence form of Koller, Megiddo and von Stengel: the number of a sequence of own actions
 * identifies everything that a side has done before an information set. That is why a side must remember its
 * own actions, which is checked while the game is written out.
 */
#include "exact/form.h"

#include "base/mem.h"

#include <assert.h>
#include <math.h>
#include <stdalign.h>
#include <string.h>

enum { LOOK_EVERY = 4096, SLOTS_START = 1024 };

/* A node whose state has not been expanded. */
struct pending {
    uint32_t node, depth;
    uint32_t sequences[2];
};

struct builder {
    const struct game *game;
    struct form *form;
    uint32_t nodes_max;
    const atomic_bool *stop;
    struct rng rng; /* passed to `play`, although there is no chance after the deal */

    /* Capacities, in elements. */
    size_t nodes_room, sets_room, views_room, actions_room, leaves_room;

    /* The stack; states[i] belongs to stack[i]. */
    struct pending *stack;
    unsigned char *states;
    size_t stack_count, stack_room, states_room;

    /* Open addressing by key; a slot is 0 or 1 + the number of a set. */
    uint32_t *slots;
    size_t slot_count;

    action *list; /* of the node at hand */
};

/* Distance between states in an array: the state size rounded up to the strictest alignment. */
static size_t stride(const struct game *game) {
    const size_t unit = alignof(max_align_t);
    return (game->state_size + unit - 1) / unit * unit;
}

/* Gives the block capacity for `count` elements. `block` is the address of a pointer to any type; on false
 * the old block stays valid. */
static bool grow(void *block, size_t *room, size_t count, size_t size, struct err *e) {
    if (count <= *room)
        return true;
    size_t more = *room < 64 ? 64 : *room * 2;
    if (more < count)
        more = count;
    void *old;
    memcpy(&old, block, sizeof old);
    void *bigger = mem_try_resize(old, more * size);
    if (bigger == NULL)
        return err_set(e, "not enough memory to write the game out");
    memcpy(block, &bigger, sizeof bigger);
    *room = more;
    return true;
}

/* ---- information sets ---- */

/* The key is mixed with the side: both may have equal views, of different sets. */
static size_t slot_of(const struct builder *b, uint64_t key, int side) {
    return rng_mix(key + (uint64_t)side) & (b->slot_count - 1);
}

/* Grows the table so that it stays at most half full. */
static bool widen_slots(struct builder *b, struct err *e) {
    const struct form *f = b->form;
    if (b->slot_count > (size_t)f->set_count * 2)
        return true;
    const size_t count = b->slot_count == 0 ? SLOTS_START : b->slot_count * 2;
    uint32_t *slots = mem_try_alloc(count * sizeof *slots);
    if (slots == NULL)
        return err_set(e, "not enough memory to write the game out");
    mem_free(b->slots);
    b->slots = slots;
    b->slot_count = count;
    for (uint32_t i = 0; i < f->set_count; i++) {
        size_t slot = slot_of(b, f->sets[i].key, f->sets[i].side);
        while (slots[slot] != 0)
            slot = (slot + 1) & (count - 1);
        slots[slot] = i + 1;
    }
    return true;
}

/* Actions of all sets are in one array; a sequence is a place in it plus 1, and 0 is the empty one. */
static bool add_set(struct builder *b, const struct form_set *set, const void *view, struct err *e) {
    struct form *f = b->form;
    const size_t sets = (size_t)f->set_count + 1, actions = f->action_count + (size_t)set->count;
    if (!grow(&f->sets, &b->sets_room, sets, sizeof *f->sets, e) ||
        !grow(&f->views, &b->views_room, sets, stride(b->game), e) ||
        !grow(&f->actions, &b->actions_room, actions, sizeof *f->actions, e))
        return false;
    memcpy(f->views + f->set_count * stride(b->game), view, b->game->state_size);
    memcpy(f->actions + f->action_count, b->list, (size_t)set->count * sizeof *b->list);
    f->sets[f->set_count] = *set;
    f->sets[f->set_count].first = f->action_count;
    f->action_count += (uint32_t)set->count;
    f->set_count++;
    return true;
}

/* Finds the set of a node, or adds a new one. An existing set must have the same view, the same actions and
 * the same sequence before it. */
static bool find_set(struct builder *b, const struct form_set *found, const void *view, uint32_t *out,
                     struct err *e) {
    const char *name = b->game->name;
    *out = b->form->set_count;
    if (b->game->hide == NULL)
        return add_set(b, found, view, e);
    if (!widen_slots(b, e))
        return false;
    size_t slot = slot_of(b, found->key, found->side);
    for (; b->slots[slot] != 0; slot = (slot + 1) & (b->slot_count - 1)) {
        const uint32_t index = b->slots[slot] - 1;
        const struct form_set *set = &b->form->sets[index];
        if (set->key != found->key || set->side != found->side)
            continue;
        *out = index;
        if (memcmp(form_view(b->form, index), view, b->game->state_size) != 0)
            return err_set(e, "%s: two different views of side %d have the same key", name, set->side);
        if (set->count != found->count ||
            memcmp(b->form->actions + set->first, b->list, (size_t)set->count * sizeof *b->list) != 0)
            return err_set(e, "%s: two states that look alike to side %d allow it different actions", name,
                           set->side);
        return set->before == found->before ||
               err_set(e,
                       "%s: side %d forgets what it did: a view is reached by different actions of its own",
                       name, set->side);
    }
    b->slots[slot] = *out + 1;
    return add_set(b, found, view, e);
}

/* ---- nodes ---- */

/* Adds `count` nodes; the first has the number that node_count had before. */
static bool add_nodes(struct builder *b, size_t count, struct err *e) {
    struct form *f = b->form;
    if (count > b->nodes_max - f->node_count)
        return err_set(e, "%s: written out whole, the game has more than %u nodes", b->game->name,
                       b->nodes_max);
    if (!grow(&f->nodes, &b->nodes_room, f->node_count + count, sizeof *f->nodes, e))
        return false;
    f->node_count += (uint32_t)count;
    return true;
}

static void *state_at(const struct builder *b, size_t index) {
    return b->states + index * stride(b->game);
}

/* Pushes a node; the caller fills in its state. */
static bool push(struct builder *b, const struct pending *node, struct err *e) {
    if (node->depth > FORM_DEPTH_MAX)
        return err_set(e, "%s: a course of play is longer than %d actions", b->game->name, FORM_DEPTH_MAX);
    if (!grow(&b->stack, &b->stack_room, b->stack_count + 1, sizeof *b->stack, e) ||
        !grow(&b->states, &b->states_room, b->stack_count + 1, stride(b->game), e))
        return false;
    b->stack[b->stack_count++] = *node;
    return true;
}

/* Pops a node and makes it a leaf, or pushes its children, the first on top. */
static bool process_node(struct builder *b, struct err *e) {
    alignas(max_align_t) unsigned char state[GAME_STATE_MAX], view[GAME_STATE_MAX];
    const struct game *game = b->game;
    struct form *f = b->form;
    const struct pending node = b->stack[--b->stack_count];
    memcpy(state, state_at(b, b->stack_count), game->state_size);
    const int side = game->mover(state);
    if (side == NOBODY) {
        const double payoff = game->payoff(state, 0);
        f->nodes[node.node] = (struct form_node){.set = -1, .payoff = payoff};
        if (!(payoff > 0))
            return true;
        if (!grow(&f->leaves, &b->leaves_room, (size_t)f->leaf_count + 1, sizeof *f->leaves, e))
            return false;
        f->leaves[f->leaf_count++] =
            (struct form_leaf){.sequences = {node.sequences[0], node.sequences[1]}, .payoff = payoff};
        return true;
    }
    game_view(game, state, side, view);
    const struct form_set found = {.side = side,
                                   .count = game->actions(state, b->list),
                                   .before = node.sequences[side],
                                   .key = game->key(view)};
    assert(found.count > 0);
    uint32_t index = 0;
    if (!find_set(b, &found, view, &index, e))
        return false;
    const struct form_set set = f->sets[index];
    const uint32_t first = f->node_count;
    if (!add_nodes(b, (size_t)set.count, e))
        return false;
    f->nodes[node.node] = (struct form_node){.set = (int32_t)index, .first = first};
    for (int i = set.count - 1; i >= 0; i--) {
        struct pending child = node;
        child.node = first + (uint32_t)i;
        child.depth++;
        child.sequences[side] = set.first + (uint32_t)i + 1;
        if (!push(b, &child, e))
            return false;
        void *next = state_at(b, b->stack_count - 1);
        memcpy(next, state, game->state_size);
        game->play(next, f->actions[set.first + (uint32_t)i], &b->rng);
    }
    return true;
}

/* Deal by deal, so that the stack never holds more than one course of play and its siblings. */
static bool build(struct builder *b, const struct scenario *scenario, uint64_t seed, struct err *e) {
    alignas(max_align_t) unsigned char root[GAME_STATE_MAX];
    if (b->game->outcomes != NULL)
        return err_set(e, "%s has chance after its start; expected a game whose only chance is the deal",
                       b->game->name);
    rng_seed(&b->rng, seed);
    b->game->start(root, scenario, &b->rng);
    if (b->game->hide != NULL)
        b->game->hide(root, NOBODY);
    b->list = mem_alloc((size_t)b->game->actions_max * sizeof *b->list);
    /* The deals are the worlds of the start as seen with everything hidden. */
    const double deals = b->game->hide != NULL ? b->game->worlds(root) : 1;
    if (deals > b->nodes_max || deals > GAME_WORLDS_MAX)
        return err_set(e, "%s: there are %.0f deals, too many to write the game out", b->game->name, deals);
    b->form->deal_count = (uint32_t)deals;
    if (!add_nodes(b, b->form->deal_count, e))
        return false;
    for (uint32_t deal = 0; deal < b->form->deal_count; deal++) {
        if (!push(b, &(struct pending){.node = deal}, e))
            return false;
        memcpy(state_at(b, 0), root, b->game->state_size);
        if (b->game->hide != NULL)
            b->game->world(state_at(b, 0), deal);
        for (uint32_t count = 0; b->stack_count > 0; count++) {
            if (count % LOOK_EVERY == 0 && budget_is_stopped(b->stop))
                return err_set(e, "stopped while the game was written out");
            if (!process_node(b, e))
                return false;
        }
    }
    return true;
}

bool form_build(const struct scenario *scenario, uint64_t seed, uint32_t nodes_max, const atomic_bool *stop,
                struct form *out, struct err *e) {
    assert(nodes_max > 0 && nodes_max <= FORM_NODES_MAX);
    *out = (struct form){.scenario = scenario};
    struct builder b = {.game = scenario->game, .form = out, .nodes_max = nodes_max, .stop = stop};
    const bool ok = build(&b, scenario, seed, e);
    mem_free(b.stack);
    mem_free(b.states);
    mem_free(b.slots);
    mem_free(b.list);
    return ok;
}

/* The form may be incomplete, after a build that failed. */
void form_done(struct form *form) {
    mem_free(form->nodes);
    mem_free(form->sets);
    mem_free(form->actions);
    mem_free(form->leaves);
    mem_free(form->views);
    *form = (struct form){0};
}

const void *form_view(const struct form *form, uint32_t set) {
    assert(set < form->set_count);
    return form->views + set * stride(form->scenario->game);
}

/* ---- strategies ---- */

/* The caller frees it; NULL when memory ran out. */
double *form_uniform(const struct form *form) {
    double *strategy = mem_try_alloc((form->action_count + 1) * sizeof *strategy);
    for (uint32_t s = 0; strategy != NULL && s < form->set_count; s++) {
        const struct form_set *set = &form->sets[s];
        for (int i = 0; i < set->count; i++)
            strategy[set->first + (uint32_t)i] = 1.0 / set->count;
    }
    return strategy;
}

/* Recursion depth is at most FORM_DEPTH_MAX. Actions of probability 0 are skipped. */
static double node_value(const struct form *form, uint32_t index, const double *const strategies[2]) {
    const struct form_node *node = &form->nodes[index];
    if (node->set < 0)
        return node->payoff;
    const struct form_set *set = &form->sets[node->set];
    const double *chances = strategies[set->side] + set->first;
    double sum = 0;
    for (int i = 0; i < set->count; i++)
        if (chances[i] > 0)
            sum += chances[i] * node_value(form, node->first + (uint32_t)i, strategies);
    return sum;
}

/* To side 0, 0 … 1; all deals are equally likely. */
double form_value(const struct form *form, const double *const strategies[2]) {
    double sum = 0;
    for (uint32_t deal = 0; deal < form->deal_count; deal++)
        sum += node_value(form, deal, strategies);
    return sum / form->deal_count;
}

/* ---- the size of a game that has not been written out ---- */

enum { WALKS = 100, PLIES_MAX = 1 << 16 };

/* The nodes of a deal by a random walk: siblings of a visited node count as large as it (Knuth 1975). */
static double walk(const struct game *game, void *state, action *list, struct rng *r) {
    double nodes = 1, level = 1;
    for (int ply = 0; ply < PLIES_MAX; ply++) {
        if (game->mover(state) == NOBODY)
            return nodes;
        const int count = game->actions(state, list);
        level *= count;
        nodes += level;
        game->play(state, list[rng_below(r, (uint32_t)count)], r);
    }
    return (double)INFINITY;
}

/* A warning before a long computation: the estimate is unbiased, but may be far off for uneven trees. */
struct form_size form_estimate_size(const struct scenario *scenario, uint64_t seed) {
    const struct game *game = scenario->game;
    _Alignas(16) unsigned char root[GAME_STATE_MAX], state[GAME_STATE_MAX];
    struct rng r;
    action *list = mem_alloc((size_t)game->actions_max * sizeof *list);
    rng_seed(&r, seed);
    game->start(root, scenario, &r);
    if (game->hide != NULL)
        game->hide(root, NOBODY);
    double sum = 0;
    for (int i = 0; i < WALKS; i++) {
        memcpy(state, root, game->state_size);
        if (game->hide != NULL)
            game->determinize(state, &r);
        sum += walk(game, state, list, &r);
    }
    mem_free(list);
    const double deals = game->hide != NULL ? game->worlds(root) : 1;
    return (struct form_size){.deals = deals, .nodes = deals * sum / WALKS};
}

/* ---- plans ----
 *
 * The sequence form (von Stengel 1996): a plan holds, for every sequence of a side, the probability that the
 * side plays all its actions if the other side allows it. A side's expected payoff is linear in its plan, so
 * the ends of games are visited once and everything else works on information sets alone.
 *
 * Plans and gains have action_count + 1 numbers. Apart from 0, the empty sequence, the sequences of the two
 * sides differ, so one array can hold the plans of both. */

/* All 0; NULL when memory ran out. Free with mem_free. */
static double *plan_alloc(const struct form *form) {
    return mem_try_alloc(((size_t)form->action_count + 1) * sizeof(double));
}

/* Fills the gains of each sequence of `side`: its payoff from leaves that follow without another action of
 * `side`, while the other side follows its plan. Payoffs are those of side 0, negated for side 1. Other
 * gains become 0. */
static void plan_gains(const struct form *form, const double *plan, int side, double *gains) {
    assert(side == 0 || side == 1);
    memset(gains, 0, ((size_t)form->action_count + 1) * sizeof *gains);
    const double unit = (side == 0 ? 1.0 : -1.0) / form->deal_count;
    for (uint32_t i = 0; i < form->leaf_count; i++) {
        const struct form_leaf *leaf = &form->leaves[i];
        gains[leaf->sequences[side]] += unit * leaf->payoff * plan[leaf->sequences[1 - side]];
    }
}

/* Returns the largest total that `side` can reach with these gains, in the units of plan_gains. Afterwards
 * the gain of a sequence includes the best continuation. `best` (a strategy; may be NULL) gets that
 * continuation in the sets of `side`, the first of equal actions. Sets come after those their mover passed
 * before: in reverse order, all deeper sets are finished. */
static double plan_best(const struct form *form, int side, double *gains, double *best) {
    assert(side == 0 || side == 1);
    for (uint32_t s = form->set_count; s-- > 0;) {
        const struct form_set *set = &form->sets[s];
        if (set->side != side)
            continue;
        const double *options = gains + set->first + 1;
        int chosen = 0;
        for (int i = 1; i < set->count; i++)
            if (options[i] > options[chosen])
                chosen = i;
        gains[set->before] += options[chosen];
        for (int i = 0; best != NULL && i < set->count; i++)
            best[set->first + (uint32_t)i] = i == chosen ? 1 : 0;
    }
    return gains[0];
}

/* ---- best responses ---- */

bool response_find(const struct form *form, const double *strategy, int side, double *best, double *value,
                   struct err *e) {
    assert(best != strategy);
    double *plan = plan_alloc(form), *gains = plan_alloc(form);
    const bool ok = plan != NULL && gains != NULL;
    if (ok) {
        plan[0] = 1;
        for (uint32_t i = 0; i < form->set_count; i++) { /* of the other side's strategy */
            const struct form_set *set = &form->sets[i];
            for (uint32_t k = set->first; set->side != side && k < set->first + (uint32_t)set->count; k++)
                plan[k + 1] = plan[set->before] * strategy[k];
        }
        plan_gains(form, plan, side, gains);
        /* Payoffs of both sides sum to 1. */
        *value = (side == 0 ? 0 : 1) + plan_best(form, side, gains, best);
    }
    mem_free(plan);
    mem_free(gains);
    return ok || err_set(e, "not enough memory to answer a strategy");
}

bool response_gap(const struct form *form, const double *const strategies[2], double *gap, struct err *e) {
    double sum = -1;
    for (int side = 0; side < 2; side++) {
        double value = 0;
        if (!response_find(form, strategies[1 - side], side, NULL, &value, e))
            return false;
        sum += value;
    }
    *gap = sum;
    return true;
}

/* ---- the exact strategy of PIMC ---- */

/* Sums of the same payoffs in different orders may differ in their last bits; such sums count as equal. */
#define EQUAL 1e-9

bool pimc_strategy(const struct form *form, double *strategy, struct err *e) {
    double *values = mem_try_alloc(form->node_count * sizeof *values);
    if (values == NULL)
        return err_set(e, "not enough memory for the values of a game's nodes");
    memset(strategy, 0, form->action_count * sizeof *strategy);
    /* The value of every node to side 0 under perfect information. Parents come before their children, so in
     * reverse order all children are computed first. */
    for (uint32_t i = form->node_count; i-- > 0;) {
        const struct form_node *node = &form->nodes[i];
        values[i] = node->payoff;
        if (node->set < 0)
            continue;
        const struct form_set *set = &form->sets[node->set];
        const double *children = values + node->first;
        double best = children[0];
        for (int k = 1; k < set->count; k++)
            if (set->side == 0 ? children[k] > best : children[k] < best)
                best = children[k];
        values[i] = best;
    }
    /* Sums the values of each action over all nodes of its set, from the mover's point of view. */
    for (uint32_t i = 0; i < form->node_count; i++) {
        const struct form_node *node = &form->nodes[i];
        const struct form_set *set = node->set >= 0 ? &form->sets[node->set] : NULL;
        for (uint32_t k = 0; set != NULL && k < (uint32_t)set->count; k++)
            strategy[set->first + k] += set->side == 0 ? values[node->first + k] : -values[node->first + k];
    }
    for (uint32_t i = 0; i < form->set_count; i++) {
        double *sums = strategy + form->sets[i].first, best = sums[0];
        const int count = form->sets[i].count;
        int equals = 0;
        for (int k = 1; k < count; k++)
            best = sums[k] > best ? sums[k] : best;
        for (int k = 0; k < count; k++)
            equals += sums[k] >= best - EQUAL;
        for (int k = 0; k < count; k++)
            sums[k] = sums[k] >= best - EQUAL ? 1.0 / equals : 0;
    }
    mem_free(values);
    return true;
}

/* ---- equilibria: CFR+ ---- */

enum { GAP_FIRST = 8 }; /* iterations before the gap is first computed */

/* The data of one information set that an iteration reads; the sets of one side are contiguous. */
struct step {
    uint32_t first, before; /* sequences: of the first action, and before the set */
    int count;
};

/* Plans, gains, strategies and regrets are indexed by sequence. */
struct solver {
    const struct form *form;
    struct step *steps; /* of side 0, then of side 1, in the form's order */
    uint32_t step_from[2], step_to[2];
    double *strategy, *regrets;
    double *plan, *average; /* of both sides; the average is a plan */
    double *gains;
};

/* Probabilities in proportion to the numbers; uniform where all are 0. */
static void normalise(const double *numbers, int count, double *strategy) {
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += numbers[i];
    for (int i = 0; i < count; i++)
        strategy[i] = sum > 0 ? numbers[i] / sum : 1.0 / count;
}

/* Updates the regrets of one side, from its last set to its first, against the other side's plan. Regret
 * matching: an action's probability is in proportion to its regret, the payoff it would have added so far. */
static void regret(struct solver *s, int side) {
    plan_gains(s->form, s->plan, side, s->gains);
    for (uint32_t i = s->step_to[side]; i-- > s->step_from[side];) {
        const struct step *step = &s->steps[i];
        const double *gains = s->gains + step->first;
        double *strategy = s->strategy + step->first, *regrets = s->regrets + step->first;
        double mean = 0;
        for (int k = 0; k < step->count; k++)
            mean += strategy[k] * gains[k];
        for (int k = 0; k < step->count; k++) {
            const double sum = regrets[k] + gains[k] - mean;
            regrets[k] = sum > 0 ? sum : 0;
        }
        normalise(regrets, step->count, strategy);
        s->gains[step->before] += mean;
    }
}

/* Computes the plan of the current strategy, first set to last, and adds its share to the average. */
static void plan_ahead(struct solver *s, int side, double share) {
    for (uint32_t i = s->step_from[side]; i < s->step_to[side]; i++) {
        const struct step *step = &s->steps[i];
        const double reach = s->plan[step->before];
        for (uint32_t k = step->first; k < step->first + (uint32_t)step->count; k++) {
            s->plan[k] = reach * s->strategy[k];
            s->average[k] += share * (s->plan[k] - s->average[k]);
        }
    }
}

/* Lists the steps. Both sides start uniformly; the first iteration replaces that in the average. */
static void begin(struct solver *s) {
    uint32_t count = 0;
    s->plan[0] = s->average[0] = 1;
    for (int side = 0; side < 2; side++) {
        s->step_from[side] = count;
        for (uint32_t i = 0; i < s->form->set_count; i++) {
            const struct form_set *set = &s->form->sets[i];
            if (set->side != side)
                continue;
            s->steps[count] =
                (struct step){.first = set->first + 1, .before = set->before, .count = set->count};
            count++;
            for (int k = 0; k < set->count; k++)
                s->strategy[set->first + 1 + (uint32_t)k] = 1.0 / set->count;
        }
        s->step_to[side] = count;
        plan_ahead(s, side, 1);
    }
}

/* Computing the gap costs about as much as an iteration, so it is computed less often later. */
static void solve(struct solver *s, const struct cfr_options *options, struct cfr_result *out) {
    const int last = options->iterations_max > 0 ? options->iterations_max : CFR_ITERATIONS_DEFAULT;
    int next = GAP_FIRST;
    double weights = 0; /* of all strategies in the average */
    out->iterations = 0;
    begin(s);
    while (true) {
        out->stopped = budget_is_stopped(options->stop);
        if (out->stopped || out->iterations >= next || out->iterations >= last) {
            /* The most and the least that side 0 gets while one side plays its average strategy. */
            plan_gains(s->form, s->average, 0, s->gains);
            const double high = plan_best(s->form, 0, s->gains, NULL);
            plan_gains(s->form, s->average, 1, s->gains);
            const double low = -plan_best(s->form, 1, s->gains, NULL);
            out->value = (low + high) / 2;
            out->gap = high - low;
            if (options->on_gap != NULL)
                options->on_gap(options->context, out->iterations, out->gap);
            if (out->stopped || out->iterations >= last || out->gap <= options->gap)
                break;
            next = out->iterations + 1 + out->iterations / 6;
        }
        const double number = ++out->iterations, weight = number * number;
        weights += weight;
        for (int side = 0; side < 2; side++) {
            regret(s, side);
            plan_ahead(s, side, weight / weights);
        }
    }
}

bool cfr_solve(const struct form *form, const struct cfr_options *options, double *strategy,
               struct cfr_result *out, struct err *e) {
    assert(options->iterations_max >= 0);
    struct solver s = {.form = form, .steps = mem_try_alloc(form->set_count * sizeof *s.steps)};
    double **const arrays[] = {&s.strategy, &s.regrets, &s.plan, &s.average, &s.gains};
    bool ok = s.steps != NULL;
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        ok = (*arrays[i] = plan_alloc(form)) != NULL && ok;
    if (ok) {
        solve(&s, options, out);
        for (uint32_t i = 0; i < form->set_count; i++) { /* sets that are never reached become uniform */
            const struct form_set *set = &form->sets[i];
            normalise(s.average + set->first + 1, set->count, strategy + set->first);
        }
    }
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        mem_free(*arrays[i]);
    mem_free(s.steps);
    return ok || err_set(e, "not enough memory to solve the game");
}
