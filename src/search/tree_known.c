/* SPDX-License-Identifier: MIT
 *
 * What a tree knows about its root: which action to play, and what to say about it.
 */
#include "search/tree_grove.h"

enum { WATCH_EVERY = 256 }; /* simulations between two looks at the clock for a watcher */

double grove_mean(const struct grove *g, uint32_t entry) {
    return g->ground.visits[entry] > 0 ? g->ground.sums[entry] / g->ground.visits[entry] : 0;
}

/* Is entry a a better decision than entry b? The first of equals is as good as any. */
static bool is_better(const struct grove *g, uint32_t a, uint32_t b) {
    if (g->settings->choice == TREE_CHOOSE_VISITS && g->ground.visits[a] != g->ground.visits[b])
        return g->ground.visits[a] > g->ground.visits[b];
    return grove_mean(g, a) > grove_mean(g, b);
}

static uint32_t best_child(const struct grove *g, const struct tree_node *node) {
    uint32_t best = node->first;
    for (uint32_t i = node->first + 1; i < node->first + node->tried; i++)
        if (is_better(g, i, best))
            best = i;
    return best;
}

/* Does the root's child end the game? (Where something is hidden: in a world it may be.) */
static bool ends_game(struct grove *g, uint32_t child) {
    grove_draw_root(g);
    g->task.game->play(&g->state, g->ground.actions[child], &g->rng);
    return g->task.game->mover(&g->state) == NOBODY;
}

/* Where everything wins, means cannot tell the sooner win from the later. */
uint32_t grove_choose(struct grove *g) {
    const struct tree_node *root = &g->ground.nodes[0];
    const uint32_t best = best_child(g, root);
    const double sure = 1 - 1e-12;
    for (uint32_t i = root->first; g->settings->hurry && i < root->first + root->tried; i++)
        if (grove_mean(g, best) >= sure && g->ground.visits[i] > 0 && grove_mean(g, i) >= sure &&
            ends_game(g, i))
            return i;
    return best;
}

/* Follows the most visited children; where something is hidden what comes next depends on the world. */
static int expected_line(const struct grove *g, uint32_t entry, action *line) {
    int count = 0;
    line[count++] = g->ground.actions[entry];
    for (uint32_t number = g->ground.child_nodes[entry];
         number != GROUND_LEAF && count < THOUGHTS_LINE_MAX;) {
        const struct tree_node *node = &g->ground.nodes[number];
        uint32_t best = node->first;
        for (uint32_t i = node->first; i < node->first + node->tried; i++)
            if (g->ground.visits[i] > g->ground.visits[best])
                best = i;
        if (g->ground.visits[best] == 0)
            break;
        line[count++] = g->ground.actions[best];
        number = g->ground.child_nodes[best];
    }
    return count;
}

void grove_think_aloud(const struct grove *g, struct thoughts *out) {
    const struct tree_node *root = &g->ground.nodes[0];
    thoughts_start(out);
    for (uint32_t i = root->first; i < root->first + root->tried; i++) {
        if (g->ground.visits[i] == 0)
            continue; /* only another tree could have tried it, and none has */
        const struct thought candidate = {.action = g->ground.actions[i],
                                          .value = grove_mean(g, i),
                                          .visits = (uint64_t)g->ground.visits[i]};
        struct thought *kept = thoughts_add(out, &candidate, g->settings->choice == TREE_CHOOSE_VISITS);
        if (kept != NULL)
            kept->line_count = expected_line(g, i, kept->line);
    }
    out->total = (int)root->count;
    out->simulations = g->simulations;
    out->nodes = g->ground.child_count;
    out->depth = g->depth + 1;
}

void grove_show_to_watcher(struct grove *g) {
    const struct watch *watch = g->task.watch;
    if (watch == NULL || g->simulations % WATCH_EVERY != 0)
        return;
    const int64_t now = clock_now_ns(g->task.budget.clock);
    if (now - g->watched_at < watch->every_ns)
        return;
    g->watched_at = now;
    grove_think_aloud(g, g->task.thoughts);
    watch->show(watch->context, g->task.thoughts);
}
