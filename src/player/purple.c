/* SPDX-License-Identifier: MIT
 *
 * `purple`: the champion of GAT2020 as it was published (Kawakami and Hashimoto), only faster. It leaves with
 * a blue that can leave. Once a piece of the other side has shown that it is red, by not leaving from its
 * exit, that piece is treated as the only red and all others as blue, and the search has known colours.
 * Otherwise it searches with purple pieces.
 *
 * `eacp`: enumeration of all colour placements, an earlier attempt (Nishikori, Aoki and Hashimoto, section
 * 4.1): Min-Max in every world that the view allows, and the results combined. It assumes that it will learn
 * the colours later (strategy fusion) and misses forced wins.
 */
#include "base/bits.h"
#include "geister/purple.h"
#include "geister/guess.h"
#include "player/common.h"
#include "player/players.h"

#include <string.h>

enum { COMBINE_MEAN, COMBINE_WORST, COMBINE_VOTES };

struct options {
    struct common_options common;
    int depth, memory_mb, combine;
    char setup[PARAM_TEXT_MAX];
};

#define AT(field) offsetof(struct options, field)

static const char depth_help[] =
    "plies; with time= (or a time limit of the match) it deepens while there is time";

static const struct param purple_params[] = {
    {"depth", PARAM_INT, AT(depth), 1, PURPLE_DEPTH_MAX, 6, .help = depth_help},
    {"memory", PARAM_INT, AT(memory_mb), 1, 65536, 4, .help = "megabytes for the positions it remembers"},
    COMMON_TIME(struct options),
    GEISTER_SETUP(struct options, "random"),
    {0},
};

static const struct param eacp_params[] = {
    {"depth", PARAM_INT, AT(depth), 1, PURPLE_DEPTH_MAX, 4, .help = depth_help},
    {"combine", PARAM_CHOICE, AT(combine), .choices = "mean|worst|votes",
     .help = "a move's value over the worlds: the mean, the least, or in how many of them it is the best"},
    {"memory", PARAM_INT, AT(memory_mb), 1, 65536, 4, .help = "megabytes for the positions it remembers"},
    COMMON_TIME(struct options),
    GEISTER_SETUP(struct options, "random"),
    {0},
};

struct purple_player {
    struct player player; /* first member */
    struct options options;
    struct setup_strategy setup;
    struct purple *purple;
};

static void close_player(struct player *player) {
    purple_close(((struct purple_player *)player)->purple);
}

static bool open_player(struct player *player, const struct game *game, const struct grant *grant,
                        struct err *e) {
    (void)game, (void)grant;
    struct purple_player *p = (struct purple_player *)player;
    if (!geister_player_setup(player, p->options.setup, &p->setup, e))
        return false;
    p->purple = purple_open((size_t)p->options.memory_mb << 20, e);
    return p->purple != NULL || err_prefix(e, "%s: ", player->type->name);
}

/* ---- shared by both ---- */

/* The limits of a decision, and where its candidates are reported. */
struct decision {
    struct purple_player *p;
    const struct ask *ask;
    struct budget budget;
    struct purple_task task;
    struct purple_roots roots;
};

static void start(struct decision *d, struct purple_player *p, const struct ask *ask) {
    *d = (struct decision){.p = p, .ask = ask};
    d->budget = common_task(ask, &p->options.common, 0, NULL).budget;
    const bool timed = d->budget.time_ns_max > 0;
    d->task = (struct purple_task){.depth = timed ? PURPLE_DEPTH_MAX : p->options.depth,
                                   .nodes_max = d->budget.work_max,
                                   .cut = &d->budget,
                                   .roots = &d->roots};
    if (d->budget.clock != NULL)
        d->task.start_ns = clock_now_ns(d->budget.clock);
}

static void answer(const struct decision *d, const struct purple_result *best, struct answer *out) {
    out->chosen = geister_player_move(d->ask, best->move);
    out->value = best->value;
    out->work_done = best->nodes;
    struct thoughts *thoughts = d->ask->thoughts;
    if (thoughts == NULL)
        return;
    for (int i = 0; i < d->roots.count; i++) {
        const struct purple_root *root = &d->roots.moves[i];
        struct thought thought = {.action = geister_player_move(d->ask, root->move),
                                  .value = root->value,
                                  .at_most = root->at_most};
        /* The line of the best move: both sides' moves alternate. */
        for (int k = 0; root->move == best->move && k < d->roots.line_count && k < THOUGHTS_LINE_MAX; k++)
            thought.line[thought.line_count++] =
                k == 0 ? thought.action : geister_turned(d->roots.line[k], d->ask->side);
        thoughts_add(thoughts, &thought, false);
    }
    thoughts->depth = best->depth;
    thoughts->nodes = best->nodes;
}

/* ---- purple ---- */

/* One piece red, all others blue: with exactly one red, taking it loses and taking all the others wins. */
static void take_as_red(struct geister_observation *seen, const struct geister *view, int side, int piece) {
    const int where = view->where[1 - side][piece];
    const uint64_t red = UINT64_C(1) << (side == 0 ? where : GEISTER_CELLS - 1 - where);
    const uint64_t all = seen->unknown | seen->their_red | seen->their_blue;
    seen->unknown = 0;
    seen->their_red = red;
    seen->their_blue = all & ~red;
}

static void choose_purple(struct player *player, const struct ask *ask, struct answer *out) {
    struct purple_player *p = (struct purple_player *)player;
    if (geister_player_sets(&p->setup, ask, out))
        return;
    struct decision d;
    struct geister_observation seen;
    struct purple_result result;
    start(&d, p, ask);
    geister_observe(ask->view, ask->side, &seen);
    const int red = purple_surely_red(ask->view, ask->side);
    if (red >= 0) {
        take_as_red(&seen, ask->view, ask->side, red);
        purple_search_open(p->purple, &seen, &d.task, &result);
    } else {
        struct purple_board board;
        purple_board_of(&seen, &board);
        purple_search(p->purple, &board, &d.task, &result);
    }
    answer(&d, &result, out);
}

/* ---- eacp ---- */

struct worlds {
    int count, hidden; /* of all worlds; cells whose colour is unknown */
    uint64_t cells[GEISTER_PIECES];
    int reds; /* of those cells */
};

static void list_worlds(const struct geister_observation *seen, struct worlds *out) {
    *out = (struct worlds){.reds = seen->hidden_reds - bits_count(seen->their_red)};
    for (uint64_t set = seen->unknown; set != 0; set = bits_without_first(set))
        out->cells[out->hidden++] = set & -set;
}

/* The position in the world in which those of the hidden pieces are red. */
static struct geister_observation world(const struct geister_observation *seen, const struct worlds *worlds,
                                        unsigned reds) {
    struct geister_observation out = *seen;
    for (int i = 0; i < worlds->hidden; i++)
        *((reds >> i & 1) != 0 ? &out.their_red : &out.their_blue) |= worlds->cells[i];
    out.unknown = 0;
    return out;
}

/* The combined results of all worlds so far, by move. */
struct verdict {
    int worlds;
    double values[PURPLE_MOVES_MAX];
};

static void add_world(struct verdict *v, const struct purple_roots *roots, action best, int combine) {
    for (int i = 0; i < roots->count; i++) {
        const double value = roots->moves[i].value;
        if (combine == COMBINE_MEAN)
            v->values[i] += value;
        else if (combine == COMBINE_VOTES)
            v->values[i] += roots->moves[i].move == best;
        else if (v->worlds == 0 || value < v->values[i])
            v->values[i] = value;
    }
    v->worlds++;
}

/* Searches every world to that depth; false when the time did not suffice. */
static bool ask_worlds(struct decision *d, const struct geister_observation *seen, int depth,
                       struct verdict *v, uint64_t *nodes) {
    struct worlds worlds;
    list_worlds(seen, &worlds);
    *v = (struct verdict){0};
    for (unsigned reds = 0; reds < 1U << worlds.hidden; reds++) {
        if (bits_count(reds) != worlds.reds)
            continue;
        struct purple_task task = d->task;
        struct purple_result result;
        const struct geister_observation one = world(seen, &worlds, reds);
        task.depth = depth;
        task.exact_roots = true;
        if (task.nodes_max > 0 && *nodes >= task.nodes_max)
            return false;
        task.nodes_max -= task.nodes_max > 0 ? *nodes : 0;
        purple_search_open(d->p->purple, &one, &task, &result);
        *nodes += result.nodes;
        if (!result.complete)
            return false;
        add_world(v, &d->roots, result.move, d->p->options.combine);
    }
    return true;
}

/* The first of the best moves. */
static void judge(const struct decision *d, const struct verdict *v, int depth, struct answer *out) {
    struct thoughts *thoughts = d->ask->thoughts;
    const double divisor = d->p->options.combine == COMBINE_MEAN ? v->worlds : 1;
    if (thoughts != NULL)
        thoughts_start(thoughts);
    for (int i = 0; i < d->roots.count; i++) {
        const struct thought thought = {.action = geister_player_move(d->ask, d->roots.moves[i].move),
                                        .value = v->values[i] / divisor};
        if (i == 0 || thought.value > out->value) {
            out->chosen = thought.action;
            out->value = thought.value;
        }
        if (thoughts != NULL)
            thoughts_add(thoughts, &thought, false);
    }
    if (thoughts != NULL)
        thoughts->depth = depth;
}

static void choose_eacp(struct player *player, const struct ask *ask, struct answer *out) {
    struct purple_player *p = (struct purple_player *)player;
    if (geister_player_sets(&p->setup, ask, out))
        return;
    struct decision d;
    struct geister_observation seen;
    struct verdict verdict;
    uint64_t nodes = 0;
    action list[PURPLE_MOVES_MAX];
    start(&d, p, ask);
    geister_observe(ask->view, ask->side, &seen);
    /* The answer when there is no time at all. */
    ask->game->actions(ask->view, list);
    out->chosen = list[0];
    for (int depth = 1; depth <= d.task.depth; depth++) {
        if (!ask_worlds(&d, &seen, depth, &verdict, &nodes))
            break;
        judge(&d, &verdict, depth, out);
    }
    out->work_done = nodes;
    if (ask->thoughts != NULL)
        ask->thoughts->nodes = nodes;
}

const struct player_type player_purple = {
    .name = "purple",
    .help = "Geister: Min-Max in which hidden pieces are whatever is worse (Naotti-2020, GAT2020's champion)",
    .games = PLAYER_GEISTER,
    .size = sizeof(struct purple_player),
    .params = purple_params,
    .options_size = sizeof(struct options),
    .open = open_player,
    .choose = choose_purple,
    .close = close_player,
};

const struct player_type player_eacp = {
    .name = "eacp",
    .help = "Geister: Min-Max in every world that is possible, put together; falls for strategy fusion",
    .games = PLAYER_GEISTER,
    .size = sizeof(struct purple_player),
    .params = eacp_params,
    .options_size = sizeof(struct options),
    .open = open_player,
    .choose = choose_eacp,
    .close = close_player,
};
