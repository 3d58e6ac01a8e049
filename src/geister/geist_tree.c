/* SPDX-License-Identifier: MIT
 *
 * One simulation of geist. Both sides choose by their own mean values and a policy's chances (PUCT): we by
 * what we see, which is the same for all colours that were drawn; the other by the colour of the piece it
 * moves, so that it may lead its blues out and its reds into our way, and without our colours: what happens
 * to pieces of ours counts for it by the colours that were imagined for them. Or (`follow`) it does what the
 * player it is believed to be would do.
 */
#include "geister/geist_tree.h"
#include "geister/guess.h"

#include <math.h>
#include <string.h>

static const float first_play =
    0.1F; /* a move not tried yet is thought to be that much worse than the mean */

/* ---- policies ---- */

static void policy_of(const float (*weights)[POLICY_ROW], const struct geist_board *b, const action *moves,
                      int count, float *out) {
    _Alignas(64) float sums[POLICY_ROW];
    struct geister_sight sight;
    struct bit_list list;
    geist_sight(b, b->mover, &sight);
    bits_of(&sight, &list);
    bits_sum(weights, &list, sums);
    for (int i = 0; i < count; i++)
        out[i] = bits_change(weights, sums, bits_step(sight.blue, sight.unknown, moves[i]));
}

/* What `purple` would do. */
static int purple_choice(struct geist *g, const struct geist_board *b, const action *moves, int count) {
    struct geister_sight sight;
    struct purple_board board;
    struct purple_result result;
    geist_sight(b, b->mover, &sight);
    purple_board_of(&sight, &board);
    purple_search(g->purple, &board, &(struct purple_task){.depth = g->settings.model_depth}, &result);
    int i = 0;
    while (i < count - 1 && moves[i] != result.move)
        i++;
    return i;
}

/* What `guess` would do, if it concluded nothing from the simulation itself. */
static int guess_choice(const struct geist_sim *sim, const action *moves, int count) {
    struct geister_sight sight;
    struct guess_verdict verdict;
    geist_sight(&sim->board, sim->board.mover, &sight);
    guess_judge(&sight, sim->look, &verdict);
    int best = 0, i = 0;
    for (int k = 1; k < verdict.count; k++)
        best = verdict.scores[k] > verdict.scores[best] ? k : best;
    while (i < count - 1 && moves[i] != verdict.moves[best])
        i++;
    return i;
}

/* ---- the tree ---- */

static int new_node(struct geist *g) {
    if (g->node_count >= g->nodes_max)
        return -1;
    g->nodes[g->node_count] = (struct geist_node){0};
    return g->node_count++;
}

static void expand(struct geist *g, struct geist_node *n, const struct geist_board *b) {
    action moves[GEIST_MOVES_MAX];
    float chances[GEIST_MOVES_MAX] = {0};
    const int count = geist_moves(b, moves);
    if (g->edge_count + count > g->edges_max)
        return;
    if (b->mover == g->side) {
        policy_of(g->settings.weights->move, b, moves, count, chances);
        policy_softmax(chances, count);
    }
    n->first = g->edge_count;
    n->count = count;
    for (int i = 0; i < count; i++)
        g->edges[g->edge_count++] =
            (struct geist_edge){.move = (uint8_t)moves[i], .prior = chances[i], .child = {-1, -1}};
}

void geist_plant(struct geist *g, const struct geister *view) {
    const unsigned reds[2] = {view->reds[0], view->reds[1]}; /* of ours all are known; theirs do not matter */
    struct geist_board b;
    geist_board_of(view, reds, &b);
    g->node_count = g->edge_count = g->depth = 0;
    new_node(g);
    expand(g, &g->nodes[0], &b);
}

/* ---- choices ---- */

static int choose_ours(const struct geist *g, const struct geist_node *n) {
    const struct geist_edge *const edges = g->edges + n->first;
    const float reach = (float)g->settings.explore * sqrtf((float)n->visits + 1);
    const float untried = n->visits > 0 ? n->sum / (float)n->visits - first_play : 0.5F;
    int best = 0;
    float best_bound = -1;
    for (int i = 0; i < n->count; i++) {
        const struct geist_edge *const e = &edges[i];
        const float mean = e->visits > 0 ? e->sum / (float)e->visits : untried;
        const float bound = mean + reach * e->prior / (float)(1 + e->visits);
        if (bound > best_bound) {
            best_bound = bound;
            best = i;
        }
    }
    return best;
}

static int choose_theirs(const struct geist *g, const struct geist_node *n, const struct geist_board *b,
                         const float *chances) {
    const struct geist_edge *const edges = g->edges + n->first;
    const float reach = (float)g->settings.explore * sqrtf((float)n->visits + 1);
    const float untried = n->visits > 0 ? n->their_sum / (float)n->visits - first_play : 0.5F;
    int best = 0;
    float best_bound = -1;
    for (int i = 0; i < n->count; i++) {
        const struct geist_edge *const e = &edges[i];
        const int red = (int)(b->red[b->mover] >> (e->move / 4) & 1);
        const float mean =
            e->their_visits[red] > 0 ? e->their_sum[red] / (float)e->their_visits[red] : untried;
        const float bound = mean + reach * chances[i] / (float)(1 + e->their_visits[red]);
        if (bound > best_bound) {
            best_bound = bound;
            best = i;
        }
    }
    return best;
}

static int their_move(struct geist *g, const struct geist_node *n, const struct geist_sim *sim,
                      struct rng *r) {
    const struct geist_board *const b = &sim->board;
    action moves[GEIST_MOVES_MAX];
    float chances[GEIST_MOVES_MAX];
    for (int i = 0; i < n->count; i++)
        moves[i] = g->edges[n->first + i].move;
    if (sim->who >= BELIEF_GUESS && rng_unit(r) < g->settings.follow) {
        if (sim->who == BELIEF_PURPLE)
            return purple_choice(g, b, moves, n->count);
        if (sim->who == BELIEF_GUESS)
            return guess_choice(sim, moves, n->count);
        policy_of(policy_builtin()->move, b, moves, n->count, chances);
        return policy_best(chances, n->count);
    }
    policy_of(g->settings.weights->move, b, moves, n->count, chances);
    policy_softmax(chances, n->count);
    return choose_theirs(g, n, b, chances);
}

/* ---- values ---- */

static float value_to_us(const struct geist *g, const struct geist_board *b) {
    struct value_bits bits;
    value_bits_open(b, b->mover, &bits);
    const float value = value_of(g->settings.weights, VALUE_OPEN, &bits);
    return b->mover == g->side ? value : 1 - value;
}

static float value_to_them(const struct geist *g, const struct geist_sim *sim) {
    const struct geist_board *const b = &sim->board;
    const int other = 1 - g->side;
    struct value_bits bits;
    value_bits_hidden(b, other, sim->counts, &bits);
    return value_of(g->settings.weights, b->mover == other ? VALUE_MOVER : VALUE_WAITING, &bits);
}

/* Looks whether somebody leaves the board before anything is played; true: the simulation is over. */
static bool leaves(const struct geist *g, struct geist_sim *sim) {
    const bool ours = sim->board.mover == g->side;
    if (ours && sim->vo < 0 && (sim->blue & GEIST_EXITS) != 0)
        sim->vo = 0; /* for all the other side knows, it has lost */
    if (!geist_can_leave(&sim->board))
        return false;
    sim->vu = ours ? 1 : 0;
    if (sim->vo < 0 && !ours)
        sim->vo = 1;
    return true;
}

/* The imagined colours go along with the pieces. */
static void imagine(struct geist_sim *sim, action move, bool ours) {
    const int from = (int)move / 4, to = bits_targets[move];
    if (ours) {
        const uint64_t step = UINT64_C(1) << from | UINT64_C(1) << to;
        sim->look[geist_turned_cell(to)] = sim->look[geist_turned_cell(from)];
        if ((sim->red >> from & 1) != 0)
            sim->red ^= step;
        else
            sim->blue ^= step;
        return;
    }
    const uint64_t at = UINT64_C(1) << geist_turned_cell(to);
    if ((sim->red & at) != 0) {
        sim->red ^= at;
        if (++sim->counts[1] == GEISTER_REDS && sim->vo < 0)
            sim->vo = 0;
    } else if ((sim->blue & at) != 0) {
        sim->blue ^= at;
        if (++sim->counts[0] == GEISTER_PIECES - GEISTER_REDS && sim->vo < 0)
            sim->vo = 1;
    }
}

/* ---- a simulation ---- */

struct way {
    int count;
    int32_t nodes[GEIST_PATH_MAX + 1]; /* one more than edges */
    int32_t edges[GEIST_PATH_MAX];
    uint8_t red[GEIST_PATH_MAX]; /* the piece that moved, when it was the other's */
};

/* Plays one move; true: the simulation is over. */
static bool go_down(struct geist *g, struct geist_sim *sim, struct way *way, struct rng *r) {
    struct geist_board *const b = &sim->board;
    const int side = b->mover, here = way->nodes[way->count];
    const struct geist_node *const n = &g->nodes[here];
    const bool ours = side == g->side;
    const int index = n->first + (ours ? choose_ours(g, n) : their_move(g, n, sim, r));
    struct geist_edge *const e = &g->edges[index];
    const int to = bits_targets[e->move], blue = (int)(b->their_blue[side] >> to & 1);
    way->red[way->count] = !ours && (b->red[side] >> (e->move / 4) & 1) != 0;
    way->edges[way->count] = index;
    imagine(sim, e->move, ours);
    const int won = geist_play(b, e->move);
    if (e->child[blue] < 0)
        e->child[blue] = new_node(g);
    way->nodes[++way->count] = e->child[blue];
    if (won != GEIST_GOES_ON)
        sim->vu = won == GEIST_DRAWN ? (float)g->settings.draw : won == g->side ? 1 : 0;
    return won != GEIST_GOES_ON;
}

static void keep(struct geist *g, const struct geist_sim *sim, const struct way *way) {
    for (int i = 0; i <= way->count; i++) {
        if (way->nodes[i] < 0)
            continue;
        struct geist_node *const n = &g->nodes[way->nodes[i]];
        n->visits++;
        n->sum += sim->vu;
        n->their_sum += sim->vo;
    }
    for (int i = 0; i < way->count; i++) {
        struct geist_edge *const e = &g->edges[way->edges[i]];
        e->visits++;
        e->sum += sim->vu;
        e->their_visits[way->red[i]]++;
        e->their_sum[way->red[i]] += sim->vo;
    }
    g->depth = way->count > g->depth ? way->count : g->depth;
}

void geist_simulate(struct geist *g, struct geist_sim *sim, struct rng *r) {
    struct way way;
    way.count = 0;
    way.nodes[0] = 0;
    sim->vu = sim->vo = -1;
    for (;;) {
        if (leaves(g, sim))
            break;
        const int here = way.nodes[way.count];
        if (here < 0 || way.count >= GEIST_PATH_MAX || g->nodes[here].count == 0) {
            if (here >= 0 && g->nodes[here].count == 0)
                expand(g, &g->nodes[here], &sim->board);
            sim->vu = value_to_us(g, &sim->board);
            break;
        }
        if (go_down(g, sim, &way, r))
            break;
    }
    if (sim->vo < 0)
        sim->vo = value_to_them(g, sim);
    keep(g, sim, &way);
}

bool geist_loses(struct geist *g, const struct geister *view, unsigned their_reds, action move) {
    unsigned reds[2];
    struct geist_board b;
    struct geister_sight sight;
    struct purple_board board;
    struct purple_result result;
    reds[g->side] = view->reds[g->side];
    reds[1 - g->side] = their_reds;
    geist_board_of(view, reds, &b);
    if (geist_play(&b, move) != GEIST_GOES_ON)
        return false;
    geist_sight(&b, b.mover, &sight);
    if ((sight.blue & GEIST_EXITS) != 0)
        return true;
    purple_board_of(&sight, &board);
    const struct purple_task task = {.depth = g->settings.guard, .nodes_max = g->settings.mate_nodes_max};
    return purple_mate(g->purple, &board, &task, &result);
}
