/* SPDX-License-Identifier: MIT
 *
 * Bayesian inference of colours along the history of a game; and the search: the tree, how both sides choose
 * in a simulation, the search for forced wins, and the decision.
 *
 * Forced wins are searched first, because simulations with drawn colours cannot prove anything; what they
 * find is a preference among moves that lose nothing by force.
 */
#include "geister/geist.h"

#include "base/mem.h"
#include "geister/guess.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* ---- beliefs: sets of reds ---- */

/* All sets that agree with the taken pieces, equally likely; the other side plays at random. Bayes' rule
 * starts from here. */
static void belief_even(const struct geister *view, int side, struct belief *out) {
    const int other = 1 - side;
    out->count = 0;
    for (int i = 0; i < GEISTER_SETUPS; i++) {
        const unsigned reds = geister_setup_reds(i);
        if ((reds & view->known[other]) == view->reds[other])
            out->reds[out->count++] = (uint8_t)reds;
    }
    for (int i = 0; i < out->count; i++) {
        out->weight[i] = 1.0 / out->count;
        for (int m = 0; m < BELIEF_MODELS; m++)
            out->share[i][m] = m == BELIEF_CHANCE ? out->weight[i] : 0;
    }
    for (int i = 0; i < GEISTER_CELLS; i++)
        out->look[i] = 0.5;
}

unsigned belief_draw(const struct belief *belief, struct rng *r, enum belief_model *who) {
    double rest = rng_unit(r);
    int i = 0, model = BELIEF_CHANCE;
    assert(belief->count > 0);
    while (i < belief->count - 1 && rest >= belief->weight[i])
        rest -= belief->weight[i++];
    while (model < BELIEF_MODELS - 1 && rest >= belief->share[i][model])
        rest -= belief->share[i][model++];
    if (who != NULL) /* rounding may lead behind the last model that has a share */
        *who = belief->share[i][model] > 0 ? (enum belief_model)model : BELIEF_CHANCE;
    return belief->reds[i];
}

/* ---- beliefs: conclusions from the history ---- */

enum { PURPLE_TABLE_BYTES = 1 << 18 };

/* Prior weights of the models, not normalized; and the probability that a piece on its exit does not leave,
 * which no model does on purpose. */
static const double model_priors[BELIEF_MODELS] = {0.1, 0.5, 0.2, 0.2, 0.2};
static const double stayed_chance = 0.001, negligible = 1e-9, pg_sharpness = 6;

/* The game so far, as far as it was evaluated. */
struct replay {
    int side;  /* the side that concludes; -1: no game yet */
    int first; /* the side that moved first */
    int recorded;
    uint8_t from[2][GEISTER_PIECES];
    uint8_t moves[GEISTER_PLIES_MAX];
    struct history_step at;     /* the last move, as the other side sees it */
    uint8_t taken[2], reds[2];  /* taken pieces, and which of them were red */
    struct guess_evidence seen; /* collected by the other side about the pieces of the concluding side */
    double look[GEISTER_CELLS]; /* how blue those pieces look by that, as the other side sees the board */
    double likely[GEISTER_SETUPS][BELIEF_MODELS];
};

struct inference {
    struct belief_settings settings;
    struct purple *purple;
    struct replay replay;
};

struct inference *inference_open(const struct belief_settings *settings, struct err *e) {
    struct inference *in = mem_alloc(sizeof *in);
    in->settings = *settings;
    in->replay.side = -1;
    in->purple = purple_open(PURPLE_TABLE_BYTES, e);
    if (in->purple != NULL)
        return in;
    mem_free(in);
    return NULL;
}

void inference_close(struct inference *inference) {
    if (inference == NULL)
        return;
    purple_close(inference->purple);
    mem_free(inference);
}

/* ---- beliefs: probabilities of a move by model ---- */

/* One question: the position as the other side saw it (with that set of reds), and the move it made. */
struct question {
    struct geister_observation seen;
    action moves[POLICY_MOVES_MAX];
    int count, made; /* index of the move that was made */
};

static int index_of(action move, const action *moves, int count) {
    int i = 0;
    while (i < count - 1 && moves[i] != move)
        i++;
    return i;
}

/* Scores relative to the position before the move suffice: a constant cancels in the softmax. */
static double softmax_chance(const float (*weights)[POLICY_ROW], const struct question *q, double sharpness) {
    float scores[POLICY_MOVES_MAX];
    policy_changes(weights, &q->seen, q->moves, q->count, scores);
    for (int i = 0; i < q->count; i++)
        scores[i] = (float)sharpness * scores[i];
    policy_softmax(scores, q->count);
    return (double)scores[q->made];
}

/* The player chooses one of its best-scored moves, all equally likely. */
static double guess_chance(const struct inference *in, const struct question *q) {
    struct guess_verdict verdict;
    double best, made;
    int equals = 0;
    guess_judge(&q->seen, in->replay.look, &verdict);
    best = made = verdict.scores[0];
    for (int i = 0; i < verdict.count; i++) {
        best = verdict.scores[i] > best ? verdict.scores[i] : best;
        made = verdict.moves[i] == q->moves[q->made] ? verdict.scores[i] : made;
    }
    for (int i = 0; i < verdict.count; i++)
        equals += verdict.scores[i] >= best;
    return made >= best ? 1.0 / equals : 0;
}

/* Part of every model's moves stays unexplained (`doubt`), so that no set becomes impossible by one move. */
static double chance_of(struct inference *in, enum belief_model model, const struct question *q) {
    const struct belief_settings *s = &in->settings;
    const double even = 1.0 / q->count;
    double doubt = s->doubt, chance = even;
    switch (model) {
    case BELIEF_POLICY: chance = softmax_chance(s->weights->move, q, s->sharpness); break;
    case BELIEF_PG: chance = softmax_chance(policy_builtin()->move, q, pg_sharpness); break;
    case BELIEF_GUESS: chance = guess_chance(in, q); break;
    case BELIEF_PURPLE: /* at other depths it plays other moves, too */
        doubt = doubt < 0.3 ? 0.3 : doubt;
        chance = purple_move(in->purple, &q->seen, s->depth) == q->moves[q->made] ? 1 : 0;
        break;
    case BELIEF_CHANCE:
    case BELIEF_MODELS: return even;
    }
    return doubt * even + (1 - doubt) * chance;
}

/* ---- beliefs: along the history ---- */

static bool is_possible(const struct replay *p, unsigned reds) {
    const int other = 1 - p->side;
    return (reds & p->taken[other]) == p->reds[other];
}

/* Starts where the history begins: at the start of the game, or in a position that was set up. */
static void start_replay(struct inference *in, const struct geister *view, int side) {
    struct replay *const p = &in->replay;
    const bool used[BELIEF_MODELS] = {true, true, in->settings.models, in->settings.models,
                                      in->settings.models && in->settings.depth > 0};
    *p = (struct replay){.side = side, .first = view->mover ^ (view->recorded & 1)};
    memcpy(p->from, view->from, sizeof p->from);
    history_start(view, 1 - side, &p->at);
    for (int loser = 0; loser < 2; loser++) {
        for (int i = 0; i < GEISTER_PIECES; i++)
            p->taken[loser] |= (uint8_t)(p->from[loser][i] >= GEISTER_CELLS ? 1U << i : 0);
        p->reds[loser] = view->reds[loser] & p->taken[loser];
    }
    for (int i = 0; i < GEISTER_SETUPS; i++)
        for (int m = 0; m < BELIEF_MODELS; m++)
            p->likely[i][m] = used[m] && is_possible(p, geister_setup_reds(i)) ? model_priors[m] : 0;
}

/* True when the stored game is the beginning of this one. */
static bool goes_on(const struct replay *p, const struct geister *view, int side) {
    return p->side == side && p->recorded <= view->recorded &&
           p->first == (view->mover ^ (view->recorded & 1)) &&
           memcmp(p->from, view->from, sizeof p->from) == 0 &&
           memcmp(p->moves, view->moves, (size_t)p->recorded) == 0 &&
           (view->reds[0] & p->taken[0]) == p->reds[0] && (view->reds[1] & p->taken[1]) == p->reds[1];
}

/* The position as the other side sees it with these reds. */
static void see(const struct replay *p, unsigned reds, struct geister_observation *out) {
    const int other = 1 - p->side;
    *out = (struct geister_observation){.taken_reds = bits_count(p->reds[p->side]),
                                        .taken_blues = bits_count(p->taken[p->side] & ~p->reds[p->side]),
                                        .lost_reds = bits_count(p->reds[other]),
                                        .lost_blues = bits_count(p->taken[other] & ~p->reds[other])};
    out->hidden_reds = GEISTER_REDS - out->taken_reds;
    for (int i = 0; i < GEISTER_PIECES; i++) {
        const int own = p->at.cells[0][i], theirs = p->at.cells[1][i];
        if (own < GEISTER_CELLS)
            *((reds >> i & 1) != 0 ? &out->red : &out->blue) |= UINT64_C(1) << own;
        if (theirs < GEISTER_CELLS)
            out->unknown |= UINT64_C(1) << theirs;
    }
}

/* Updates the chances of a set of reds by the move that the other side made. */
static void ask_set(struct inference *in, int set, action made) {
    struct replay *const p = &in->replay;
    struct question q;
    see(p, geister_setup_reds(set), &q.seen);
    const bool stayed = (q.seen.blue & GEIST_EXITS) != 0;
    q.count = bits_moves(q.seen.red | q.seen.blue, 0, false, q.moves);
    q.made = index_of(made, q.moves, q.count);
    for (int m = 0; m < BELIEF_MODELS; m++)
        if (p->likely[set][m] > 0)
            p->likely[set][m] *= stayed                           ? stayed_chance / q.count
                                 : p->likely[set][m] < negligible ? in->settings.doubt / q.count
                                                                  : chance_of(in, (enum belief_model)m, &q);
}

/* How blue the concluding side's pieces look to a guesser on the other side. */
static void look_at(struct replay *p) {
    double blueness[GEISTER_PIECES];
    guess_weigh(&p->seen, p->taken[p->side], p->reds[p->side], blueness);
    for (int i = 0; i < GEISTER_PIECES; i++)
        if (p->at.cells[1][i] < GEISTER_CELLS)
            p->look[p->at.cells[1][i]] = blueness[i];
}

/* Moves of the other side are evidence; our own show what it may believe about us. */
static void replay_move(struct inference *in, const struct geister *view) {
    struct replay *const p = &in->replay;
    const int other = 1 - p->side, move = view->moves[p->recorded];
    if ((p->first ^ (p->recorded & 1)) == other) {
        const action made = geister_move(p->at.cells[0][move / 4], (enum geister_direction)(move % 4));
        look_at(p);
        for (int i = 0; i < GEISTER_SETUPS; i++)
            if (is_possible(p, geister_setup_reds(i)))
                ask_set(in, i, made);
        /* Scaled to a sum of 1, so that they do not vanish. */
        double sum = 0;
        for (int i = 0; i < GEISTER_SETUPS * BELIEF_MODELS; i++)
            sum += p->likely[i / BELIEF_MODELS][i % BELIEF_MODELS];
        for (int i = 0; i < GEISTER_SETUPS * BELIEF_MODELS; i++)
            p->likely[i / BELIEF_MODELS][i % BELIEF_MODELS] /= sum;
    }
    history_next(view, other, p->recorded, &p->at);
    if (p->at.taken >= 0) { /* its colour is known in the view */
        const int loser = p->at.who == 0 ? p->side : other;
        p->taken[loser] |= (uint8_t)(1U << p->at.taken);
        p->reds[loser] |= (uint8_t)(view->reds[loser] & 1U << p->at.taken);
        for (int i = 0; i < GEISTER_SETUPS; i++)
            if (!is_possible(p, geister_setup_reds(i)))
                memset(p->likely[i], 0, sizeof p->likely[i]);
    }
    guess_note(&p->seen, &p->at); /* of our moves alone */
    p->moves[p->recorded++] = (uint8_t)move;
}

void inference_conclude(struct inference *inference, const struct geister *view, int side,
                        struct belief *out) {
    struct replay *const p = &inference->replay;
    belief_even(view, side, out);
    if (view->recorded == 0)
        return;
    if (!goes_on(p, view, side))
        start_replay(inference, view, side);
    while (p->recorded < view->recorded)
        replay_move(inference, view);
    look_at(p);
    memcpy(out->look, p->look, sizeof out->look);
    double sum = 0;
    for (int i = 0; i < out->count; i++) {
        const double *likely = p->likely[geister_setup_number(out->reds[i])];
        out->weight[i] = 0;
        for (int m = 0; m < BELIEF_MODELS; m++)
            out->weight[i] += out->share[i][m] = likely[m];
        sum += out->weight[i];
    }
    for (int i = 0; i < out->count; i++) {
        out->weight[i] /= sum;
        for (int m = 0; m < BELIEF_MODELS; m++)
            out->share[i][m] /= sum;
    }
}

/* ---- nodes, edges and simulations ---- */

enum { GEIST_GUARD_SETS = 8, GEIST_MOVES_MAX = POLICY_MOVES_MAX, GEIST_PATH_MAX = 128 };
#define GEIST_RISK 0.15 /* tolerated probability of a forced loss above that of the safest move */

struct geist_edge {
    float prior; /* our moves: the policy's probability */
    float sum;   /* of values to us */
    uint32_t visits;
    int32_t child[2];         /* by the colour of the taken piece: blue 1; -1: none yet */
    uint32_t their_visits[2]; /* the other's choices, by the colour of the moving piece: red 1 */
    float their_sum[2];       /* of values to the other side, in its own view */
    uint8_t move;             /* as the mover sees it */
};

struct geist_node {
    int32_t first, count; /* its edges; 0: none yet */
    uint32_t visits;
    float sum, their_sum;
};

struct geist {
    struct geist_settings settings;
    struct purple *purple;
    struct geist_node *nodes;
    struct geist_edge *edges;
    int nodes_max, edges_max, node_count, edge_count, depth;
    int side; /* the side that searches */
    double danger[GEIST_MOVES_MAX];
};

/* One simulation: the position with the drawn colours, and our colours as the other side may imagine them. */
struct geist_sim {
    struct geist_board board, imagined;
    enum belief_model who;
    double look[GEISTER_CELLS]; /* of our pieces, for BELIEF_GUESS; see struct belief */
    float vu, vo;               /* values to us and to the other side; negative: unknown */
};

/* ---- how sides choose in a simulation ---- */

/* In a simulation both sides choose by their own mean values and a policy's probabilities (PUCT). We choose
 * by what we see, which is the same for all drawn colours. The other side chooses by the colour of the piece
 * it moves, so that it may lead its blues out and put its reds in our way, and without our colours: what
 * happens to our pieces counts for it by the colours that were imagined for them. Alternatively (`follow`) it
 * plays the move of the player model that was drawn. */

static const float first_play = 0.1F; /* an untried move counts as this much worse than the mean */

/* ---- growing the tree ---- */

/* -1 when the tree is full: then the simulation ends in the node above. */
static int new_node(struct geist *g) {
    if (g->node_count >= g->nodes_max)
        return -1;
    g->nodes[g->node_count] = (struct geist_node){0};
    return g->node_count++;
}

/* Priors are stored for our moves only; those of the other side depend on the drawn colours. */
static void expand(struct geist *g, struct geist_node *n, const struct geist_board *b) {
    struct geister_observation seen;
    action moves[GEIST_MOVES_MAX];
    float chances[GEIST_MOVES_MAX] = {0};
    const int count = bits_moves(b->red[b->mover] | b->blue[b->mover], 0, false, moves);
    if (g->edge_count + count > g->edges_max)
        return;
    if (b->mover == g->side) {
        geist_observe(b, b->mover, &seen);
        policy_changes(g->settings.weights->move, &seen, moves, count, chances);
        policy_softmax(chances, count);
    }
    n->first = g->edge_count;
    n->count = count;
    for (int i = 0; i < count; i++)
        g->edges[g->edge_count++] =
            (struct geist_edge){.move = (uint8_t)moves[i], .prior = chances[i], .child = {-1, -1}};
}

/* ---- choices ---- */

/* By the statistics of our side; with `chances` by those of the other for the moving piece's colour. */
static int choose_edge(const struct geist *g, const struct geist_node *n, const struct geist_board *b,
                       const float *chances) {
    const bool ours = chances == NULL;
    const float reach = (float)g->settings.explore * sqrtf((float)n->visits + 1);
    const float untried =
        n->visits > 0 ? (ours ? n->sum : n->their_sum) / (float)n->visits - first_play : 0.5F;
    int best = 0;
    float best_bound = -1;
    for (int i = 0; i < n->count; i++) {
        const struct geist_edge *const e = &g->edges[n->first + i];
        const int red = (int)(b->red[b->mover] >> (e->move / 4) & 1);
        const uint32_t visits = ours ? e->visits : e->their_visits[red];
        const float sum = ours ? e->sum : e->their_sum[red], prior = chances == NULL ? e->prior : chances[i];
        const float mean = visits > 0 ? sum / (float)visits : untried;
        const float bound = mean + reach * prior / (float)(1 + visits);
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
    struct geister_observation seen;
    struct guess_verdict verdict;
    action moves[GEIST_MOVES_MAX];
    float chances[GEIST_MOVES_MAX];
    for (int i = 0; i < n->count; i++)
        moves[i] = g->edges[n->first + i].move;
    geist_observe(b, b->mover, &seen);
    if (sim->who >= BELIEF_GUESS && rng_unit(r) < g->settings.follow) {
        if (sim->who == BELIEF_PURPLE)
            return index_of(purple_move(g->purple, &seen, g->settings.model_depth), moves, n->count);
        if (sim->who == BELIEF_GUESS) { /* without evidence from the simulation itself */
            guess_judge(&seen, sim->look, &verdict);
            int best = 0;
            for (int k = 1; k < verdict.count; k++)
                best = verdict.scores[k] > verdict.scores[best] ? k : best;
            return index_of(verdict.moves[best], moves, n->count);
        }
        policy_changes(policy_builtin()->move, &seen, moves, n->count, chances);
        return policy_best(chances, n->count);
    }
    policy_changes(g->settings.weights->move, &seen, moves, n->count, chances);
    policy_softmax(chances, n->count);
    return choose_edge(g, n, b, chances);
}

/* True when a side can leave the board at once: the simulation is over. */
static bool leaves(const struct geist *g, struct geist_sim *sim) {
    const bool ours = sim->board.mover == g->side;
    if (ours && sim->vo < 0 && (sim->imagined.blue[g->side] & GEIST_EXITS) != 0)
        sim->vo = 0; /* as far as the other side can know, it has lost */
    if (!geist_can_leave(&sim->board))
        return false;
    sim->vu = ours ? 1 : 0;
    if (sim->vo < 0 && !ours)
        sim->vo = 1;
    return true;
}

/* Plays the move with our colours as they are imagined: by these the other side sees whether it has won or
 * lost. */
static void imagine(const struct geist *g, struct geist_sim *sim, action move) {
    const bool ours = sim->imagined.mover == g->side;
    const int won = geist_play(&sim->imagined, move);
    if (ours)
        sim->look[geist_turned_cell(bits_targets[move])] = sim->look[geist_turned_cell((int)move / 4)];
    else if (sim->vo < 0 && won < GEIST_DRAWN)
        sim->vo = won == g->side ? 0 : 1;
}

/* ---- a simulation ---- */

struct way {
    int count;
    int32_t nodes[GEIST_PATH_MAX + 1]; /* one more than edges */
    int32_t edges[GEIST_PATH_MAX];
    uint8_t red[GEIST_PATH_MAX]; /* the moving piece, if it is the other side's */
};

/* Plays one move; true: the simulation is over. Nodes are told apart by the colour of a taken piece, which
 * both sides see. */
static bool go_down(struct geist *g, struct geist_sim *sim, struct way *way, struct rng *r) {
    struct geist_board *const b = &sim->board;
    const int side = b->mover, here = way->nodes[way->count];
    const struct geist_node *const n = &g->nodes[here];
    const bool ours = side == g->side;
    const int index = n->first + (ours ? choose_edge(g, n, b, NULL) : their_move(g, n, sim, r));
    struct geist_edge *const e = &g->edges[index];
    const int to = bits_targets[e->move], blue = (int)(b->their_blue[side] >> to & 1);
    way->red[way->count] = !ours && (b->red[side] >> (e->move / 4) & 1) != 0;
    way->edges[way->count] = index;
    imagine(g, sim, e->move);
    const int won = geist_play(b, e->move);
    if (e->child[blue] < 0)
        e->child[blue] = new_node(g);
    way->nodes[++way->count] = e->child[blue];
    if (won != GEIST_GOES_ON)
        sim->vu = won == GEIST_DRAWN ? (float)g->settings.draw : won == g->side ? 1 : 0;
    return won != GEIST_GOES_ON;
}

/* Both sides' values of one simulation: they do not sum to 1, since the other side has its own view. */
static void store_values(struct geist *g, const struct geist_sim *sim, const struct way *way) {
    for (int i = 0; i <= way->count && way->nodes[i] >= 0; i++) { /* only the last may be missing */
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

/* Plays a simulation from the root, with colours and a model drawn from the beliefs about the other side's
 * colours and about ours, and stores its result. */
static void simulate(struct geist *g, const struct search_task *task, const struct belief *belief,
                     const struct belief *ours) {
    const struct geister *const view = task->root;
    struct geist_sim sim = {.who = BELIEF_CHANCE, .vu = -1, .vo = -1};
    struct geist_board *const b = &sim.board;
    unsigned reds[2] = {view->reds[0], view->reds[1]};
    struct bit_list bits;
    struct way way;
    reds[1 - g->side] = belief_draw(belief, task->rng, &sim.who);
    geist_board_of(view, reds, b);
    if (!(rng_unit(task->rng) < g->settings.known))
        reds[g->side] = belief_draw(ours, task->rng, NULL);
    geist_board_of(view, reds, &sim.imagined);
    memcpy(sim.look, belief->look, sizeof sim.look);
    way.count = way.nodes[0] = 0;
    while (!leaves(g, &sim)) {
        const int here = way.nodes[way.count];
        if (here < 0 || way.count >= GEIST_PATH_MAX || g->nodes[here].count == 0) {
            if (here >= 0 && g->nodes[here].count == 0)
                expand(g, &g->nodes[here], b);
            value_bits(b, b->mover, NULL, &bits);
            sim.vu = value_of(g->settings.weights, VALUE_OPEN, &bits);
            sim.vu = b->mover == g->side ? sim.vu : 1 - sim.vu;
            break;
        }
        if (go_down(g, &sim, &way, task->rng))
            break;
    }
    if (sim.vo < 0) {
        const int other = 1 - g->side;
        const struct geist_board *const i = &sim.imagined;
        value_bits(b, other, (const uint8_t[2]){i->lost_blues[g->side], i->lost_reds[g->side]}, &bits);
        sim.vo = value_of(g->settings.weights, b->mover == other ? VALUE_MOVER : VALUE_WAITING, &bits);
    }
    store_values(g, &sim, &way);
}

/* True when the other side, with these reds, has a forced win after that move of ours. */
static bool geist_loses(struct geist *g, const struct geister *view, unsigned their_reds, action move) {
    unsigned reds[2] = {view->reds[0], view->reds[1]};
    struct geist_board b;
    struct geister_observation seen;
    struct purple_result result;
    reds[1 - g->side] = their_reds;
    geist_board_of(view, reds, &b);
    if (geist_play(&b, move) != GEIST_GOES_ON)
        return false;
    geist_observe(&b, b.mover, &seen);
    if ((seen.blue & GEIST_EXITS) != 0)
        return true;
    const struct purple_task task = {.depth = g->settings.guard, .nodes_max = g->settings.mate_nodes_max};
    return purple_mate(g->purple, &seen, &task, &result);
}

enum {
    MATE_TABLE_BYTES = 1 << 21,
    NODES_LEAST = 64,
    NODES_MOST = 1 << 26,
    EDGES_PER_NODE = 16, /* about as many as there are moves */
};

/* ---- opening ---- */

/* Nodes and edges are two arrays. When either is full the tree stops growing and leaves are evaluated where
 * they are. */

struct geist *geist_open(const struct geist_settings *settings, size_t memory_bytes, struct err *e) {
    struct geist *g = mem_alloc(sizeof *g);
    g->settings = *settings;
    const size_t group = sizeof(struct geist_node) + EDGES_PER_NODE * sizeof(struct geist_edge);
    const size_t fit = memory_bytes / group;
    g->nodes_max = fit < NODES_LEAST ? NODES_LEAST : fit > NODES_MOST ? NODES_MOST : (int)fit;
    g->edges_max = g->nodes_max * EDGES_PER_NODE;
    g->nodes = mem_try_alloc((size_t)g->nodes_max * sizeof *g->nodes);
    g->edges = mem_try_alloc((size_t)g->edges_max * sizeof *g->edges);
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

/* An immediate way out, or a win forced against all colours. */
static bool win_by_force(struct geist *g, const struct geister_observation *seen,
                         const struct budget_meter *meter, struct search_result *out) {
    struct purple_result result;
    const struct purple_task task = {.depth = g->settings.mate,
                                     .nodes_max = g->settings.mate_nodes_max,
                                     .cut = &meter->budget,
                                     .start_ns = meter->start_ns};
    if ((seen->blue & GEIST_EXITS) == 0 && g->settings.mate == 0)
        return false;
    const bool found = purple_mate(g->purple, seen, &task, &result);
    out->nodes += result.nodes;
    out->chosen = result.move;
    return found;
}

/* For each of our moves, the probability of a forced win of the other side, over the likeliest sets. */
static void guard_moves(struct geist *g, const struct geister *view, const struct belief *belief,
                        const struct budget_meter *meter) {
    const struct geist_edge *const edges = g->edges + g->nodes[0].first;
    int order[GEIST_GUARD_SETS];
    double whole = 0;
    int looked = 0; /* the likeliest sets come first */
    for (int i = 0; i < belief->count; i++) {
        int at = looked < GEIST_GUARD_SETS ? looked++ : GEIST_GUARD_SETS;
        for (; at > 0 && belief->weight[order[at - 1]] < belief->weight[i]; at--)
            if (at < GEIST_GUARD_SETS)
                order[at] = order[at - 1];
        if (at < GEIST_GUARD_SETS)
            order[at] = i;
    }
    for (int i = 0; i < looked; i++)
        whole += belief->weight[order[i]];
    for (int k = 0; k < g->nodes[0].count; k++) {
        if (budget_is_cut(&meter->budget, meter->start_ns)) {
            memset(g->danger, 0, sizeof g->danger); /* partial results cannot be compared */
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

/* The most visited move; among equals the one with the better mean. A move after which the other side may
 * have a forced win counts less by that probability. */
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

/* The most visited line; a taken piece has the colour that was drawn more often. */
static void fill_line(const struct geist *g, const struct geist_edge *e, struct thought *out) {
    out->line_count = 0;
    while (e != NULL && out->line_count < THOUGHTS_LINE_MAX) {
        const int side = g->side ^ (out->line_count & 1);
        out->line[out->line_count++] = geister_turned(e->move, side);
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

static void fill_thoughts(const struct geist *g, uint64_t sims, struct thoughts *out) {
    thoughts_start(out);
    for (int i = 0; i < g->nodes[0].count; i++) {
        const struct geist_edge *const e = g->edges + g->nodes[0].first + i;
        struct thought t = {
            .action = geister_turned(e->move, g->side), .value = (double)mean_of(e), .visits = e->visits};
        fill_line(g, e, &t);
        thoughts_add(out, &t, true);
    }
    out->simulations = sims;
    out->nodes = (uint64_t)g->node_count;
    out->depth = g->depth;
}

void geist_search(struct geist *geist, const struct search_task *task, const struct belief *belief,
                  struct search_result *out) {
    const struct geister *const view = task->root;
    struct geister_observation seen;
    struct belief ours; /* what the other side may believe about our colours: without inference */
    struct geister blind = *view;
    struct geist_board root;
    struct budget_meter meter;
    *out = (struct search_result){0};
    assert(view->stage == GEISTER_PLAYING);
    geist->side = view->mover;
    geister_observe(view, geist->side, &seen);
    budget_start(&meter, &task->budget);
    if (win_by_force(geist, &seen, &meter, out)) {
        const action move = geister_turned(out->chosen, geist->side);
        const struct thought t = {.action = move, .value = 1, .line_count = 1, .line = {move}};
        out->value = 1;
        if (task->thoughts != NULL) {
            thoughts_start(task->thoughts);
            thoughts_add(task->thoughts, &t, true);
            task->thoughts->nodes = out->nodes;
        }
        return;
    }
    geister_game.hide(&blind, 1 - geist->side);
    belief_even(&blind, 1 - geist->side, &ours);
    /* The tree is reset to its root. All of our reds are known; the other's do not matter. */
    geist_board_of(view, (const unsigned[2]){view->reds[0], view->reds[1]}, &root);
    geist->node_count = geist->edge_count = geist->depth = 0;
    new_node(geist);
    expand(geist, &geist->nodes[0], &root);
    memset(geist->danger, 0, sizeof geist->danger);
    if (geist->settings.guard > 0)
        guard_moves(geist, view, belief, &meter);
    uint64_t sims = 0;
    int64_t reported_ns = meter.start_ns;
    do {
        simulate(geist, task, belief, &ours);
        sims++;
        if (sims % BUDGET_CLOCK_EVERY == 0 && search_shows(task, &reported_ns)) {
            fill_thoughts(geist, sims, task->thoughts);
            search_show(task);
        }
    } while (budget_spend(&meter, 1));
    const int best = best_edge(geist);
    out->chosen = geist->edges[geist->nodes[0].first + best].move;
    out->value = (double)mean_of(&geist->edges[geist->nodes[0].first + best]);
    out->work = out->leaves = sims;
    out->nodes += (uint64_t)geist->node_count;
    if (task->thoughts != NULL)
        fill_thoughts(geist, sims, task->thoughts);
}
