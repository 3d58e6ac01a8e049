/* SPDX-License-Identifier: MIT
 *
 * Memory: nodes and edges grow in two arrays; when either is full the tree stops growing and leaves are
 * evaluated where they are.
 */
#include "geister/geist.h"

#include "base/mem.h"
#include "geister/geist_tree.h"

#include <assert.h>
#include <string.h>

enum { MATE_TABLE_BYTES = 1 << 21, NODES_LEAST = 64, NODES_MOST = 1 << 26 };

/* ---- opening ---- */

struct geist *geist_open(const struct geist_settings *settings, size_t memory_bytes, struct err *e) {
    struct geist *g = mem_alloc(sizeof *g);
    if (g == NULL) {
        err_set(e, "not enough memory for a search");
        return NULL;
    }
    g->settings = *settings;
    /* A node has about sixteen edges. */
    const size_t group = sizeof(struct geist_node) + 16 * sizeof(struct geist_edge);
    const size_t fit = memory_bytes / group;
    g->nodes_max = fit < NODES_LEAST ? NODES_LEAST : fit > NODES_MOST ? NODES_MOST : (int)fit;
    g->edges_max = g->nodes_max * 16;
    g->nodes = mem_alloc((size_t)g->nodes_max * sizeof *g->nodes);
    g->edges = mem_alloc((size_t)g->edges_max * sizeof *g->edges);
    if (g->nodes == NULL || g->edges == NULL)
        err_set(e, "not enough memory for a tree of %zu bytes", memory_bytes);
    else
        g->purple = purple_open(MATE_TABLE_BYTES, e);
    if (g->purple != NULL)
        return g;
    geist_close(g);
    return NULL;
}

void geist_close(struct geist *geist) {
    if (geist == NULL)
        return;
    purple_close(geist->purple);
    mem_free(geist->nodes);
    mem_free(geist->edges);
    mem_free(geist);
}

/* ---- forced wins ---- */

/* A way out at once, or a forced win whatever the colours are. */
static bool win_by_force(struct geist *g, const struct geister_sight *sight, const struct budget_meter *meter,
                         struct search_result *out) {
    const uint64_t ready = sight->blue & GEIST_EXITS;
    struct purple_board board;
    struct purple_result result;
    if (ready != 0) {
        out->chosen =
            (ready & 1) != 0 ? geister_move(0, GEISTER_WEST) : geister_move(GEISTER_SIZE - 1, GEISTER_EAST);
        return true;
    }
    if (g->settings.mate == 0)
        return false;
    purple_board_of(sight, &board);
    const struct purple_task task = {.depth = g->settings.mate,
                                     .nodes_max = g->settings.mate_nodes_max,
                                     .cut = &meter->budget,
                                     .start_ns = meter->start_ns};
    const bool found = purple_mate(g->purple, &board, &task, &result);
    out->nodes += result.nodes;
    out->chosen = result.move;
    return found;
}

/* The likeliest sets first, at most GEIST_GUARD_SETS of them; returns how many. */
static int likeliest(const struct belief *belief, int *order) {
    int count = 0;
    for (int i = 0; i < belief->count; i++) {
        int at = count < GEIST_GUARD_SETS ? count++ : GEIST_GUARD_SETS;
        for (; at > 0 && belief->weight[order[at - 1]] < belief->weight[i]; at--)
            if (at < GEIST_GUARD_SETS)
                order[at] = order[at - 1];
        if (at < GEIST_GUARD_SETS)
            order[at] = i;
    }
    return count;
}

/* How likely the other side has a forced win after each of our moves, by the likeliest sets. */
static void guard_moves(struct geist *g, const struct geister *view, const struct belief *belief,
                        const struct budget_meter *meter) {
    const struct geist_edge *const edges = g->edges + g->nodes[0].first;
    int order[GEIST_GUARD_SETS];
    double whole = 0;
    const int looked = likeliest(belief, order);
    for (int i = 0; i < looked; i++)
        whole += belief->weight[order[i]];
    for (int k = 0; k < g->nodes[0].count; k++) {
        if (budget_is_cut(&meter->budget, meter->start_ns)) {
            memset(g->danger, 0, sizeof g->danger); /* half of it would be no comparison */
            return;
        }
        for (int i = 0; i < looked; i++)
            if (geist_loses(g, view, belief->reds[order[i]], edges[k].move))
                g->danger[k] += belief->weight[order[i]] / whole;
    }
}

/* ---- the search ---- */

static float mean_of(const struct geist_edge *e) {
    return e->visits > 0 ? e->sum / (float)e->visits : 0;
}

/* The move that was tried most; of those, the one with the better mean. Moves after which the other side has
 * a forced win are as bad as that is likely. */
static int best_edge(const struct geist *g) {
    const struct geist_edge *const edges = g->edges + g->nodes[0].first;
    double safest = 1;
    int best = -1;
    for (int i = 0; i < g->nodes[0].count; i++)
        safest = g->danger[i] < safest ? g->danger[i] : safest;
    for (int i = 0; i < g->nodes[0].count; i++) {
        if (g->danger[i] > safest + GEIST_RISK)
            continue;
        if (best < 0 || edges[i].visits > edges[best].visits ||
            (edges[i].visits == edges[best].visits && mean_of(&edges[i]) > mean_of(&edges[best])))
            best = i;
    }
    return best;
}

/* The most visited way down; what it takes is of the colour that was seen more often. */
static void tell_line(const struct geist *g, const struct geist_edge *e, struct thought *out) {
    int side = 1;
    out->line_count = 0;
    while (e != NULL && out->line_count < THOUGHTS_LINE_MAX) {
        out->line[out->line_count++] = geister_turned(e->move, side == 1 ? g->side : 1 - g->side);
        side = 1 - side;
        int next = -1;
        for (int i = 0; i < 2; i++)
            if (e->child[i] >= 0 && (next < 0 || g->nodes[e->child[i]].visits > g->nodes[next].visits))
                next = e->child[i];
        e = NULL;
        for (int i = 0; next >= 0 && i < g->nodes[next].count; i++) {
            const struct geist_edge *const c = g->edges + g->nodes[next].first + i;
            if (c->visits > 0 && (e == NULL || c->visits > e->visits))
                e = c;
        }
    }
}

static void tell(const struct geist *g, uint64_t sims, struct thoughts *out) {
    thoughts_start(out);
    for (int i = 0; i < g->nodes[0].count; i++) {
        const struct geist_edge *const e = g->edges + g->nodes[0].first + i;
        struct thought t = {
            .action = geister_turned(e->move, g->side), .value = (double)mean_of(e), .visits = e->visits};
        tell_line(g, e, &t);
        thoughts_add(out, &t, true);
    }
    out->simulations = sims;
    out->nodes = (uint64_t)g->node_count;
    out->depth = g->depth;
}

/* To a watcher, now and then. */
static void show(const struct geist *g, const struct search_task *task, uint64_t sims, int64_t *shown_ns) {
    const int64_t now_ns = clock_now_ns(task->budget.clock);
    if (now_ns - *shown_ns < task->watch->every_ns)
        return;
    *shown_ns = now_ns;
    tell(g, sims, task->thoughts);
    task->watch->show(task->watch->context, task->thoughts);
}

static void simulate_once(struct geist *g, const struct search_task *task, const struct belief *belief,
                          const struct belief *ours) {
    const struct geister *const view = task->root;
    struct geist_sim sim = {.vo = -1};
    unsigned reds[2], imagined[2];
    enum belief_model who = BELIEF_CHANCE;
    reds[g->side] = view->reds[g->side];
    reds[1 - g->side] = belief_draw(belief, task->rng, &who);
    imagined[1 - g->side] = reds[1 - g->side];
    imagined[g->side] =
        rng_unit(task->rng) < g->settings.known ? view->reds[g->side] : belief_draw(ours, task->rng, NULL);
    struct geist_board other;
    geist_board_of(view, reds, &sim.board);
    geist_board_of(view, imagined, &other);
    sim.red = other.red[g->side];
    sim.blue = other.blue[g->side];
    sim.counts[0] = other.lost_blues[g->side];
    sim.counts[1] = other.lost_reds[g->side];
    sim.who = who;
    memcpy(sim.look, belief->look, sizeof sim.look);
    geist_simulate(g, &sim, task->rng);
}

static void answer_forced(const struct geist *g, const struct search_task *task, struct search_result *out) {
    out->value = 1;
    if (task->thoughts == NULL)
        return;
    struct thought t = {.action = geister_turned(out->chosen, g->side), .value = 1, .line_count = 1};
    t.line[0] = t.action;
    thoughts_start(task->thoughts);
    thoughts_add(task->thoughts, &t, true);
    task->thoughts->nodes = out->nodes;
}

void geist_search(struct geist *geist, const struct search_task *task, const struct belief *belief,
                  struct search_result *out) {
    const struct geister *const view = task->root;
    struct geister_sight sight;
    struct belief ours; /* what the other side may think of our colours: nothing is concluded there */
    struct geister blind = *view;
    struct budget_meter meter;
    *out = (struct search_result){0};
    assert(view->stage == GEISTER_PLAYING);
    geist->side = view->mover;
    geister_see(view, geist->side, &sight);
    budget_start(&meter, &task->budget);
    if (win_by_force(geist, &sight, &meter, out)) {
        answer_forced(geist, task, out);
        return;
    }
    geister_game.hide(&blind, 1 - geist->side);
    belief_even(&blind, 1 - geist->side, &ours);
    geist_plant(geist, view);
    memset(geist->danger, 0, sizeof geist->danger);
    if (geist->settings.guard > 0)
        guard_moves(geist, view, belief, &meter);
    uint64_t sims = 0;
    int64_t shown_ns = meter.start_ns;
    do {
        simulate_once(geist, task, belief, &ours);
        sims++;
        if (task->watch != NULL && sims % BUDGET_CLOCK_EVERY == 0)
            show(geist, task, sims, &shown_ns);
    } while (budget_spend(&meter, 1));
    const int best = best_edge(geist);
    out->chosen = geist->edges[geist->nodes[0].first + best].move;
    out->value = (double)mean_of(&geist->edges[geist->nodes[0].first + best]);
    out->work = out->leaves = sims;
    out->nodes += (uint64_t)geist->node_count;
    if (task->thoughts != NULL)
        tell(geist, sims, task->thoughts);
}
