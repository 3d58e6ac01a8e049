/* SPDX-License-Identifier: MIT
 *
 * Sets of reds with their weights, and Bayesian inference over them along the history of a game.
 */
#include "geister/belief.h"

#include "base/bits.h"
#include "base/mem.h"
#include "geister/guess.h"

#include <assert.h>
#include <string.h>

/* ---- sets of reds ---- */

void belief_even(const struct geister *view, int side, struct belief *out) {
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

void belief_redness(const struct belief *belief, double out[GEISTER_PIECES]) {
    for (int piece = 0; piece < GEISTER_PIECES; piece++) {
        out[piece] = 0;
        for (int i = 0; i < belief->count; i++)
            out[piece] += (belief->reds[i] >> piece & 1) != 0 ? belief->weight[i] : 0;
    }
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

void belief_fill(struct geister *view, int side, unsigned reds) {
    const int other = 1 - side;
    view->known[other] = (1U << GEISTER_PIECES) - 1;
    view->reds[other] = (uint8_t)reds;
    view->red[other] = view->blue[other] = view->unknown[other] = 0;
    for (int i = 0; i < GEISTER_PIECES; i++)
        if (view->where[other][i] < GEISTER_CELLS)
            ((reds >> i & 1) != 0 ? view->red : view->blue)[other] |= UINT64_C(1) << view->where[other][i];
}

/* ---- conclusions from the history ---- */

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
    uint8_t where[2][GEISTER_PIECES];
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

/* ---- probabilities of a move by model ---- */

/* One question: the position as the other side saw it (with that set of reds), and the move it made. */
struct question {
    struct geister_observation seen;
    action moves[POLICY_MOVES_MAX];
    int count, made; /* index of the move that was made */
};

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

/* ---- along the history ---- */

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
    memcpy(p->where, view->from, sizeof p->where);
    for (int loser = 0; loser < 2; loser++)
        for (int i = 0; i < GEISTER_PIECES; i++)
            p->taken[loser] |= (uint8_t)(p->from[loser][i] >= GEISTER_CELLS ? 1U << i : 0);
    for (int loser = 0; loser < 2; loser++)
        p->reds[loser] = view->reds[loser] & p->taken[loser];
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
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < GEISTER_PIECES; i++) {
            const int cell = p->where[side][i];
            if (cell >= GEISTER_CELLS)
                continue;
            const uint64_t at = UINT64_C(1) << history_cell(other, cell);
            *(side != other ? &out->unknown : (reds >> i & 1) != 0 ? &out->red : &out->blue) |= at;
        }
}

/* Updates the chances of a set of reds by the move that the other side made. */
static void ask_set(struct inference *in, int set, action made) {
    struct replay *const p = &in->replay;
    struct question q = {.made = 0};
    see(p, geister_setup_reds(set), &q.seen);
    const bool stayed = (q.seen.blue & GEIST_EXITS) != 0;
    q.count = bits_moves(q.seen.red | q.seen.blue, 0, false, q.moves);
    while (q.made < q.count - 1 && q.moves[q.made] != made)
        q.made++;
    for (int m = 0; m < BELIEF_MODELS; m++)
        if (p->likely[set][m] > 0)
            p->likely[set][m] *= stayed                           ? stayed_chance / q.count
                                 : p->likely[set][m] < negligible ? in->settings.doubt / q.count
                                                                  : chance_of(in, (enum belief_model)m, &q);
}

/* Takes the piece on the cell that was moved to (-1: none); its colour is known in the view. */
static int take(struct replay *p, const struct geister *view, int loser, int cell) {
    int taken = -1;
    for (int i = 0; i < GEISTER_PIECES; i++)
        if (p->where[loser][i] == cell) {
            taken = i;
            p->where[loser][i] = GEISTER_TAKEN;
            p->taken[loser] |= (uint8_t)(1U << i);
            p->reds[loser] |= (uint8_t)(view->reds[loser] & 1U << i);
        }
    for (int i = 0; i < GEISTER_SETUPS; i++)
        if (!is_possible(p, geister_setup_reds(i)))
            for (int m = 0; m < BELIEF_MODELS; m++)
                p->likely[i][m] = 0;
    return taken;
}

/* How blue the concluding side's pieces look to a guesser on the other side. */
static void look_at(struct replay *p) {
    const int other = 1 - p->side;
    double blueness[GEISTER_PIECES];
    guess_weigh(&p->seen, p->taken[p->side], p->reds[p->side], blueness);
    for (int i = 0; i < GEISTER_PIECES; i++)
        if (p->where[p->side][i] < GEISTER_CELLS)
            p->look[history_cell(other, p->where[p->side][i])] = blueness[i];
}

static void replay_move(struct inference *in, const struct geister *view) {
    struct replay *const p = &in->replay;
    const int mover = p->first ^ (p->recorded & 1), piece = view->moves[p->recorded] / 4;
    const int from = p->where[mover][piece];
    const action made =
        geister_move(history_cell(mover, from), (enum geister_direction)(view->moves[p->recorded] % 4));
    if (mover != p->side) {
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
    const int target = history_cell(mover, bits_targets[made]), taken = take(p, view, 1 - mover, target);
    p->where[mover][piece] = (uint8_t)target;
    if (mover == p->side) { /* evidence for the other side */
        const int other = 1 - mover;
        struct history_step step = {.who = 1,
                                    .piece = piece,
                                    .from = history_cell(other, from),
                                    .to = history_cell(other, p->where[mover][piece]),
                                    .taken = taken};
        for (int i = 0; i < GEISTER_PIECES; i++) {
            step.cells[0][i] = history_cell(other, p->where[other][i]);
            step.cells[1][i] = history_cell(other, p->where[mover][i]);
        }
        guess_note(&p->seen, &step);
    }
    p->moves[p->recorded] = view->moves[p->recorded];
    p->recorded++;
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
