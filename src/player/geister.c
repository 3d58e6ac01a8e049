/* SPDX-License-Identifier: MIT
 *
 * The players made for Geister (those over the tree search are in tree.c).
 *
 * `guess`: colours guessed from how pieces move, a move chosen by rules, no search (geister/guess.h). Ties
 * are broken at random.
 *
 * `pg`: no search. A policy learned by self-play scores every move and the best is played (the first of
 * equals), as the champion of GAT2021 did. style=sample draws moves by the softmax of the scores instead, as
 * in learning. recipe=published has weights learned as that champion's were.
 *
 * `purple`: the champion of GAT2020 as it was published (Kawakami and Hashimoto), only faster. It leaves with
 * a blue that can leave. Once a piece of the other side has shown that it is red, by not leaving from its
 * exit, that piece is treated as the only red and all others as blue, and the search has known colours.
 * Otherwise it searches with purple pieces.
 *
 * `march`: after the champion of GAT2022, of which only its strategy is published: it leads red and blue
 * pieces alike to the exits. Here the purple-piece search finds the moves that cost nothing, and of these the
 * one is played that brings all own pieces together nearest to the exits.
 *
 * `eacp`: enumeration of all colour placements, an earlier attempt (Nishikori, Aoki and Hashimoto, section
 * 4.1): Min-Max in every world that the view allows, and the results combined. It assumes that it will learn
 * the colours later (strategy fusion) and misses forced wins.
 *
 * `geist`, this project's own: forced wins first, then a search over its belief about the other's colours
 * (geister/geist.h), with a policy and values learned from games against itself and against
 * `purple` (geister/learn.h).
 */
#include "base/mem.h"
#include "geister/geist.h"
#include "geister/guess.h"
#include "player/common.h"

#include <assert.h>
#include <string.h>

enum { STYLE_BEST, STYLE_SAMPLE, ACTIONS_MAX = 96 };
enum { RECIPE_OWN, RECIPE_PUBLISHED };
enum { COMBINE_MEAN, COMBINE_WORST, COMBINE_VOTES };

struct options {
    struct common_options common;
    char setup[PARAM_TEXT_MAX], weights[PARAM_TEXT_MAX];
    int style, recipe;             /* pg */
    int depth, memory_mb, combine; /* purple, march and eacp; the memory also geist */
    int sims;                      /* geist */
    struct belief_settings belief;
    struct geist_settings search;
};

#define AT(field) offsetof(struct options, field)

static const struct param guess_params[] = {GEISTER_SETUP(struct options, "random"), {0}};

static const struct param pg_params[] = {
    {"style", PARAM_CHOICE, AT(style), .choices = "best|sample",
     .help = "the move with the highest score, or one drawn by the softmax of the scores"},
    {"recipe", PARAM_CHOICE, AT(recipe), .choices = "own|published",
     .help = "how its weights were learned: our own way, or as the champion of GAT2021, in 5 million games"},
    {"weights", PARAM_TEXT, AT(weights), .power = PARAM_READS,
     .help = "a file that 'senjutsu train geister-pg' has written, in place of those weights"},
    GEISTER_SETUP(struct options, "random"),
    {0},
};

#define DEPTH_HELP  "plies; with time= (or a time limit of the match) it deepens while there is time"
#define MEMORY_HELP "megabytes for the positions it remembers"

static const struct param purple_params[] = {
    {"depth", PARAM_INT, AT(depth), 1, PURPLE_DEPTH_MAX, 6, .help = DEPTH_HELP},
    {"memory", PARAM_INT, AT(memory_mb), 1, 65536, 4, .help = MEMORY_HELP},
    COMMON_TIME,
    GEISTER_SETUP(struct options, "random"),
    {0},
};

static const struct param eacp_params[] = {
    {"depth", PARAM_INT, AT(depth), 1, PURPLE_DEPTH_MAX, 4, .help = DEPTH_HELP},
    {"combine", PARAM_CHOICE, AT(combine), .choices = "mean|worst|votes",
     .help = "a move's value over the worlds: the mean, the least, or in how many of them it is the best"},
    {"memory", PARAM_INT, AT(memory_mb), 1, 65536, 4, .help = MEMORY_HELP},
    COMMON_TIME,
    GEISTER_SETUP(struct options, "random"),
    {0},
};

static const struct param geist_params[] = {
    {"sims", PARAM_INT, AT(sims), 1, 100000000, 10000, .help = "simulations a move"},
    COMMON_TIME,
    {"mate", PARAM_INT, AT(search.mate), 0, PURPLE_DEPTH_MAX, 11,
     .help = "forced wins within so many plies are looked for first; 0: not at all"},
    {"guard", PARAM_INT, AT(search.guard), 0, PURPLE_DEPTH_MAX, 7,
     .help = "moves after which the other has a likely forced win within so many plies are avoided; 0: not"},
    {"models", PARAM_SWITCH, AT(belief.models), .fallback = 1,
     .help = "conclude also which player the other is, of those it knows (guess, pg, purple)"},
    {"depth", PARAM_INT, AT(belief.depth), 0, 8, 4,
     .help = "depth of the purple it compares the other's moves with; 0: it does not"},
    {"known", PARAM_REAL, AT(search.known), 0, 1, 0.5,
     .help = "how often the other is taken to have guessed our colours rightly, from how we moved"},
    {"follow", PARAM_REAL, AT(search.follow), 0, 1, 0.95,
     .help = "how often the other does in a simulation what that player would do"},
    {"sharpness", PARAM_REAL, AT(belief.sharpness), 0, 100, 1,
     .help = "of the policy that the other's moves are explained with; 0: moves tell nothing"},
    {"doubt", PARAM_REAL, AT(belief.doubt), 0.001, 1, 0.1,
     .help = "share of the other's moves that need no explanation"},
    {"explore", PARAM_REAL, AT(search.explore), 0, 100, 0.7,
     .help = "how much the search trusts the policy and tries what was seldom tried"},
    {"draw", PARAM_REAL, AT(search.draw), 0, 1, 0.4, .help = "what a draw is worth to it"},
    {"weights", PARAM_TEXT, AT(weights), .power = PARAM_READS,
     .help = "a file that 'senjutsu train geister-geist' has written; otherwise our own weights"},
    GEISTER_SETUP(struct options, "strong"),
    {"memory", PARAM_INT, AT(memory_mb), 1, 65536, 64, .help = "megabytes for the tree"},
    COMMON_SEED,
    {0},
};

struct geister_player {
    struct player player; /* first member */
    struct options options;
    struct setup_strategy setup;
    void *own;                   /* weights from a file; NULL: those of this project */
    struct purple *purple;       /* purple, march and eacp */
    struct inference *inference; /* geist */
    struct geist *geist;
};

/* ---- opening ---- */

static void close_geister(struct player *player) {
    struct geister_player *p = (struct geister_player *)player;
    geist_close(p->geist);
    inference_close(p->inference);
    purple_close(p->purple);
    mem_free(p->own);
}

static bool check_setup(const struct player_type *type, const void *options, struct err *e) {
    struct setup_strategy setup;
    return setup_read(((const struct options *)options)->setup, &setup, e) ||
           err_prefix(e, "%s: ", type->name);
}

/* A file and a recipe would name two sets of weights. */
static bool check_pg(const struct player_type *type, const void *options, struct err *e) {
    const struct options *o = options;
    if (o->weights[0] != '\0' && o->recipe != RECIPE_OWN)
        return err_set(e, "pg: recipe=published and weights= exclude each other: both name weights");
    return check_setup(type, options, e);
}

/* guess and pg need no more than their setup and weights. Belief and search of geist share the learned
 * policy. */
static bool open_geister(struct player *player, const struct game *game, struct err *e) {
    (void)game;
    struct geister_player *p = (struct geister_player *)player;
    struct options *o = &p->options;
    const size_t bytes = (size_t)o->memory_mb << 20;
    if (!geister_player_setup(player, o->setup, &p->setup, e))
        return false;
    if (o->weights[0] != '\0')
        p->own = weight_file_load(player->type == &player_pg ? &policy_format : &geist_format, o->weights, e);
    if (o->weights[0] != '\0' && p->own == NULL)
        return false;
    if (player->type == &player_purple || player->type == &player_march || player->type == &player_eacp) {
        p->purple = purple_open(bytes, e);
        return p->purple != NULL || err_prefix(e, "%s: ", player->type->name);
    }
    if (player->type != &player_geist)
        return true;
    o->belief.weights = o->search.weights = p->own != NULL ? p->own : geist_builtin();
    o->search.model_depth = 2;
    o->search.mate_nodes_max = 100000;
    p->inference = inference_open(&o->belief, e);
    p->geist = p->inference != NULL ? geist_open(&o->search, bytes, e) : NULL;
    return p->geist != NULL || err_prefix(e, "geist: ");
}

/* ---- guess ---- */

/* One of the best moves at random: the rules give many moves the same score. */
static void choose_guess(struct player *player, const struct ask *ask, struct answer *out) {
    struct geister_player *p = (struct geister_player *)player;
    if (geister_player_sets(&p->setup, ask, out))
        return;
    struct guess_verdict verdict;
    guess_moves(ask->view, ask->side, &verdict);
    int best = 0, equals = 0;
    for (int i = 0; i < verdict.count; i++) {
        const double lead = verdict.scores[i] - verdict.scores[best];
        if (i > 0 && lead < 0)
            continue;
        equals = lead > 0 ? 1 : equals + 1;
        if (lead > 0 || rng_below(ask->rng, (uint32_t)equals) == 0)
            best = i;
    }
    out->chosen = geister_player_move(ask, verdict.moves[best]);
    out->value = verdict.scores[best];
    out->work_done = (uint64_t)verdict.count;
    for (int i = 0; i < verdict.count && ask->thoughts != NULL; i++) {
        const struct thought thought = {.action = geister_player_move(ask, verdict.moves[i]),
                                        .value = verdict.scores[i]};
        thoughts_add(ask->thoughts, &thought, false);
    }
}

/* ---- pg ---- */

static const struct policy_weights *policy_of(const struct geister_player *p) {
    return p->own != NULL                          ? p->own
           : p->options.recipe == RECIPE_PUBLISHED ? policy_published()
                                                   : policy_builtin();
}

/* The value is the score of the move, on the policy's own scale. */
static void choose_pg(struct player *player, const struct ask *ask, struct answer *out) {
    const struct geister_player *p = (const struct geister_player *)player;
    if (geister_player_sets(&p->setup, ask, out))
        return;
    action actions[ACTIONS_MAX], moves[ACTIONS_MAX];
    float scores[ACTIONS_MAX], chances[ACTIONS_MAX];
    struct geister_observation seen;
    assert(ask->game->actions_max <= ACTIONS_MAX);
    const int count = ask->game->actions(ask->view, actions);
    for (int i = 0; i < count; i++)
        moves[i] = geister_turned(actions[i], ask->side);
    geister_observe(ask->view, ask->side, &seen);
    policy_scores(policy_of(p), &seen, moves, count, scores);
    int chosen = policy_best(scores, count);
    if (p->options.style == STYLE_SAMPLE) {
        memcpy(chances, scores, (size_t)count * sizeof *scores);
        policy_softmax(chances, count);
        chosen = policy_draw(chances, count, ask->rng);
    }
    out->chosen = actions[chosen];
    out->value = (double)scores[chosen];
    out->work_done = (uint64_t)count;
    for (int i = 0; i < count && ask->thoughts != NULL; i++) {
        const struct thought thought = {
            .action = actions[i], .value = (double)scores[i], .line_count = 1, .line = {actions[i]}};
        thoughts_add(ask->thoughts, &thought, false);
    }
}

/* ---- purple ---- */

/* A decision of purple, march or eacp: its limits, and where its candidates are reported. */
struct decision {
    struct geister_player *p;
    const struct ask *ask;
    struct budget budget;
    struct purple_task task;
    struct purple_roots roots;
    struct geister_observation seen;
};

/* With a clock the depth is open, and the search deepens until its time is over. */
static void start(struct decision *d, struct geister_player *p, const struct ask *ask) {
    *d = (struct decision){.p = p, .ask = ask};
    d->budget = common_task(ask, &p->options.common, 0, NULL).budget;
    const bool timed = d->budget.time_ns_max > 0;
    d->task = (struct purple_task){.depth = timed ? PURPLE_DEPTH_MAX : p->options.depth,
                                   .nodes_max = d->budget.work_max,
                                   .cut = &d->budget,
                                   .roots = &d->roots};
    if (d->budget.clock != NULL)
        d->task.start_ns = clock_now_ns(d->budget.clock);
    geister_observe(ask->view, ask->side, &d->seen);
}

static void report_roots(const struct decision *d, const struct purple_result *best, struct thoughts *out) {
    for (int i = 0; i < d->roots.count; i++) {
        const struct purple_root *root = &d->roots.moves[i];
        struct thought thought = {.action = geister_player_move(d->ask, root->move),
                                  .value = root->value,
                                  .at_most = root->at_most};
        /* The line of the best move: both sides' moves alternate. */
        for (int k = 0; root->move == best->move && k < d->roots.line_count && k < THOUGHTS_LINE_MAX; k++)
            thought.line[thought.line_count++] =
                k == 0 ? thought.action : geister_turned(d->roots.line[k], d->ask->side);
        thoughts_add(out, &thought, false);
    }
    out->depth = best->depth;
    out->nodes = best->nodes;
}

/* What the search found, with the move that is made of it. */
static void answer(const struct decision *d, const struct purple_result *result, action move,
                   struct answer *out) {
    out->chosen = geister_player_move(d->ask, move);
    out->value = result->value;
    out->work_done = result->nodes;
    if (d->ask->thoughts != NULL)
        report_roots(d, result, d->ask->thoughts);
}

static void choose_purple(struct player *player, const struct ask *ask, struct answer *out) {
    struct geister_player *p = (struct geister_player *)player;
    if (geister_player_sets(&p->setup, ask, out))
        return;
    struct decision d;
    struct purple_result result;
    start(&d, p, ask);
    const int red = purple_surely_red(ask->view, ask->side);
    if (red >= 0) {
        /* One piece red, all others blue: with exactly one red, taking it loses and taking all the others
         * wins. */
        const int where =
            history_cell(ask->side, ((const struct geister *)ask->view)->where[1 - ask->side][red]);
        const uint64_t all = d.seen.unknown | d.seen.their_red | d.seen.their_blue;
        d.seen.unknown = 0;
        d.seen.their_red = UINT64_C(1) << where;
        d.seen.their_blue = all & ~d.seen.their_red;
        d.task.open = true;
    }
    purple_search(p->purple, &d.seen, &d.task, &result);
    answer(&d, &result, result.move, out);
}

/* ---- march ---- */

/* In steps, as the search counts them: a move within it of the best one costs no own blue (1000), and does
 * not let the other side run. Without this limit UCT escapes from march as often as it loses. */
enum { MARCH_MARGIN = 4 };

/* The steps of all own pieces to their exits after the move, of both colours alike. */
static int march_steps(const struct geister_observation *seen, action move) {
    const uint64_t own = seen->red | seen->blue;
    const uint64_t off = UINT64_C(1) << move / 4, on = UINT64_C(1) << purple_to((int)move);
    int steps = 0;
    for (uint64_t set = (own & ~off) | on; set != 0; set = bits_without_first(set))
        steps += purple_distance[0][bits_first(set)];
    return steps;
}

/* Which of these moves is a step forward does not depend on the colour of the piece. */
static action march_on(const struct decision *d, const struct purple_result *result) {
    action best = result->move;
    int least = INT32_MAX;
    for (int i = 0; i < d->roots.count; i++) {
        const struct purple_root *root = &d->roots.moves[i];
        const int steps = march_steps(&d->seen, root->move);
        if (root->value >= result->value - MARCH_MARGIN && steps < least) {
            best = root->move;
            least = steps;
        }
    }
    return best;
}

/* A win is played at once, and a loss is delayed. */
static void choose_march(struct player *player, const struct ask *ask, struct answer *out) {
    struct geister_player *p = (struct geister_player *)player;
    if (geister_player_sets(&p->setup, ask, out))
        return;
    struct decision d;
    struct purple_result result;
    start(&d, p, ask);
    d.task.exact_roots = true;
    purple_search(p->purple, &d.seen, &d.task, &result);
    const bool decided = result.value > PURPLE_MATE || result.value < -PURPLE_MATE;
    answer(&d, &result, decided ? result.move : march_on(&d, &result), out);
}

/* ---- eacp ---- */

/* The combined results of all worlds so far, by move. */
struct verdict {
    int worlds;
    double values[PURPLE_MOVES_MAX];
};

/* Roots are in the same order in all worlds: moves do not depend on the other side's colours. */
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
static bool ask_worlds(struct decision *d, int depth, struct verdict *v, uint64_t *nodes) {
    const int hidden = bits_count(d->seen.unknown);
    const int hidden_reds = d->seen.hidden_reds - bits_count(d->seen.their_red);
    *v = (struct verdict){0};
    for (unsigned reds = 0; reds < 1U << hidden; reds++) {
        if (bits_count(reds) != hidden_reds)
            continue;
        struct purple_task task = d->task;
        struct purple_result result;
        struct geister_observation world = d->seen; /* in which those of the hidden pieces are red */
        int i = 0;
        for (uint64_t set = d->seen.unknown; set != 0; set = bits_without_first(set))
            *((reds >> i++ & 1) != 0 ? &world.their_red : &world.their_blue) |= set & -set;
        world.unknown = 0;
        task.depth = depth;
        task.exact_roots = task.open = true;
        if (task.nodes_max > 0 && *nodes >= task.nodes_max)
            return false;
        task.nodes_max -= task.nodes_max > 0 ? *nodes : 0;
        purple_search(d->p->purple, &world, &task, &result);
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

/* Depth grows while all worlds can be searched to it; an incomplete depth is dropped. */
static void choose_eacp(struct player *player, const struct ask *ask, struct answer *out) {
    struct geister_player *p = (struct geister_player *)player;
    if (geister_player_sets(&p->setup, ask, out))
        return;
    struct decision d;
    struct verdict verdict;
    action list[PURPLE_MOVES_MAX];
    start(&d, p, ask);
    /* The answer when there is no time at all. */
    ask->game->actions(ask->view, list);
    out->chosen = list[0];
    for (int depth = 1; depth <= d.task.depth && ask_worlds(&d, depth, &verdict, &out->work_done); depth++)
        judge(&d, &verdict, depth, out);
    if (ask->thoughts != NULL)
        ask->thoughts->nodes = out->work_done;
}

/* ---- geist ---- */

static void choose_geist(struct player *player, const struct ask *ask, struct answer *out) {
    struct geister_player *p = (struct geister_player *)player;
    if (geister_player_sets(&p->setup, ask, out))
        return;
    struct rng own;
    struct belief belief;
    struct search_result result;
    struct search_task task = common_task(ask, &p->options.common, (uint64_t)p->options.sims, &own);
    const struct clock *clock = task.budget.clock;
    const int64_t start_ns = clock != NULL ? clock_now_ns(clock) : 0;
    inference_conclude(p->inference, ask->view, ask->side, &belief);
    common_take_time(&task.budget, start_ns); /* the inference costs time, too */
    geist_search(p->geist, &task, &belief, &result);
    common_answer(&result, out);
    out->chosen = geister_player_move(ask, result.chosen);
}

#define GEISTER_TYPE(own_name, own_params, own_choose, own_help)                                             \
    .name = own_name, .help = own_help, .games = PLAYER_GEISTER, .size = sizeof(struct geister_player),      \
    .params = own_params, .options_size = sizeof(struct options), .open = open_geister,                      \
    .choose = own_choose, .close = close_geister

const struct player_type player_guess = {GEISTER_TYPE(
    "guess", guess_params, choose_guess,
    "Geister: guesses colours from how pieces move, and plays by rules (after the champion of GAT2018)")};
const struct player_type player_pg = {
    GEISTER_TYPE("pg", pg_params, choose_pg,
                 "no search: plays the move that a policy learned by self-play scores highest (Geister)"),
    .check = check_pg};
const struct player_type player_purple = {GEISTER_TYPE(
    "purple", purple_params, choose_purple,
    "Geister: Min-Max in which hidden pieces are whatever is worse (Naotti-2020, GAT2020's champion)")};
const struct player_type player_march = {GEISTER_TYPE(
    "march", purple_params, choose_march,
    "Geister: leads reds and blues alike to the exits, beside the purple-piece search (after GAT2022's "
    "champion)")};
const struct player_type player_eacp = {GEISTER_TYPE(
    "eacp", eacp_params, choose_eacp,
    "Geister: Min-Max in every world that is possible, put together; falls for strategy fusion")};
const struct player_type player_geist = {
    GEISTER_TYPE("geist", geist_params, choose_geist,
                 "our own: forced wins, beliefs about the other's colours, a search over them with learned "
                 "policy and values (Geister)"),
    .expects_payoffs = true, .check = check_setup};
