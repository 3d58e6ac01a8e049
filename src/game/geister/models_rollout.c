/* SPDX-License-Identifier: MIT
 *
 * The playouts of `late` and `never`. A simulation is some hundred moves, so this is where their time goes:
 * boards stay in registers, and only a piece that is taken or steps on its exit is looked at closer. As the
 * game's own playouts, the loop is compiled twice, for every machine and for those with POPCNT and BMI2; both
 * give the same games from the same seed.
 */
#include "game/geister/models_inside.h"
#include "game/geister/steps.h"

enum colour { BLUE, RED, OPEN };

/* What the loop needs of a side. A piece that is neither blue nor open is red. */
struct camp {
    uint64_t pieces, blue, open;
};

/* The rest, which is looked at rarely. */
struct run {
    uint8_t at[GEISTER_CELLS]; /* which piece stands on a cell; of empty ones it does not matter */
    uint8_t gone[2];           /* pieces that were taken on the way, by bits */
    int left[2][2];            /* by side and colour: how many are to be taken until that ends it */
    struct models_open open;   /* of the hider */
    int hider, ply, stop;
    int count; /* of the hider's pieces on the board */
    enum geister_model model;
    struct geister *state; /* colours are noted there at once */
};

/* ---- what happens rarely ---- */

static bool end_run(struct run *g, enum geister_end end, int winner) {
    models_end(g->state, end, winner);
    return true;
}

/* Draws a hidden piece's colour: is it red? */
static bool draw(struct run *g, int piece, uint64_t luck) {
    const bool red = models_draw(g->open, luck);
    g->open.pieces--;
    g->open.reds -= red;
    models_note(g->state, g->hider, piece, red);
    return red;
}

/* C: a hidden piece stands on its exit. Is the game lost for sure? */
static bool stand(struct run *g, int piece) {
    struct geister *s = g->state;
    const bool again = g->model == GEISTER_AGAIN;
    if (!again && (s->seen_exit >> piece & 1) != 0)
        return false;
    s->alive *= models_survival(g->open, again ? 0 : bits_count(s->seen_exit));
    s->seen_exit |= (uint8_t)(1U << piece);
    return s->alive <= 0 && end_run(g, GEISTER_BY_ESCAPE, g->hider);
}

/* A piece was taken. Does that end the game? */
static bool take(struct run *g, int side, int piece, enum colour colour, uint64_t luck) {
    g->gone[side] |= (uint8_t)(1U << piece);
    if (colour == OPEN && g->model != GEISTER_LATE)
        return --g->count == 0 && end_run(g, GEISTER_BY_BLUES, 1 - side);
    if (colour == OPEN)
        colour = draw(g, piece, luck) ? RED : BLUE;
    g->count -= side == g->hider;
    if (--g->left[side][colour] > 0)
        return false;
    return end_run(g, colour == RED ? GEISTER_BY_REDS : GEISTER_BY_BLUES, colour == RED ? side : 1 - side);
}

/* Does a side that can leave? Always when it is eager (it has no other moves, so to speak), otherwise as
 * often as any other of its moves. `blue`: those of its pieces that stand on an exit. */
static bool leaves(struct run *g, int side, uint64_t blue, int steps, uint64_t luck) {
    const struct geister_scenario *sc = core_scenario(g->state);
    const int ways = sc->forward + sc->sideways;
    const int k = (int)((luck >> 32) * (uint64_t)(steps + ways * bits_count(blue)) >> 32);
    if (k < steps)
        return false;
    const int piece = g->at[bits_select_plain(blue, (k - steps) / ways)];
    g->state->where[side][piece] = GEISTER_ESCAPED;
    return end_run(g, GEISTER_BY_ESCAPE, side);
}

/* ---- the loop ---- */

/* Constants of a loop: whether a blue that can leave does, and what the machine can do. */
struct kind {
    enum geister_model model;
    bool eager, bmi2;
};

/* What the moved piece of the other side finds where it goes; true when that ends the game. */
BITS_INLINE bool meet(struct run *g, struct camp *camp, int side, int target, uint64_t luck) {
    const uint64_t to = core_bit(target);
    const bool is_open = (camp->open & to) != 0, is_blue = (camp->blue & to) != 0;
    camp->pieces ^= to;
    camp->blue &= ~to;
    camp->open &= ~to;
    return take(g, side, g->at[target], is_open ? OPEN : is_blue ? BLUE : RED, luck);
}

/* A move; true when it ends the game. `side` is a constant, too: which exits are its own. */
BITS_INLINE bool move(struct run *g, struct camp camps[2], struct rng *r, int side, struct kind kind) {
    struct camp *mine = &camps[side];
    const struct steps all = steps_of(mine->pieces, kind.bmi2);
    bool ended = false;
    g->ply++;
    if (__builtin_expect((mine->blue & core_exits(side)) != 0, 0) &&
        leaves(g, side, mine->blue & core_exits(side), kind.eager ? 0 : all.total, rng_next(r)))
        return true;
    const struct steps_one step = steps_nth(&all, (int)rng_below(r, (uint32_t)all.total), kind.bmi2);
    const int target = step.cell + core_delta(step.direction);
    const uint64_t to = core_bit(target), both = core_bit(step.cell) | to;
    mine->blue ^= both & -(mine->blue >> step.cell & 1);
    mine->open ^= both & -(mine->open >> step.cell & 1);
    mine->pieces ^= both;
    if ((camps[1 - side].pieces & to) != 0)
        ended = meet(g, &camps[1 - side], 1 - side, target, rng_next(r));
    g->at[target] = g->at[step.cell];
    if ((mine->open & core_exits(side) & to) == 0 || ended)
        return ended;
    if (kind.model == GEISTER_NEVER)
        return g->ply < core_scenario(g->state)->plies && stand(g, g->at[target]);
    mine->open ^= to;
    mine->blue |= draw(g, g->at[target], rng_next(r)) ? 0 : to;
    return false;
}

BITS_INLINE void run_body(struct run *g, struct camp camps[2], struct rng *rng, struct kind kind) {
    struct camp local[2] = {camps[0], camps[1]};
    struct rng r = *rng; /* copies stay in registers */
    bool over = g->state->mover == 1 && move(g, local, &r, 1, kind);
    while (!over) {
        over = g->ply >= g->stop || move(g, local, &r, 0, kind);
        over = over || g->ply >= g->stop || move(g, local, &r, 1, kind);
    }
    camps[0] = local[0];
    camps[1] = local[1];
    *rng = r;
}

#define RUNNER(name, ...)                                                                                    \
    static void name##_plain(struct run *g, struct camp camps[2], struct rng *r) {                           \
        run_body(g, camps, r, (struct kind){__VA_ARGS__, false});                                            \
    }                                                                                                        \
    BITS_FOR_BMI2 static void name##_bmi2(struct run *g, struct camp camps[2], struct rng *r) {              \
        run_body(g, camps, r, (struct kind){__VA_ARGS__, true});                                             \
    }

RUNNER(late_leave, GEISTER_LATE, true)
RUNNER(late_random, GEISTER_LATE, false)
RUNNER(never_leave, GEISTER_NEVER, true)
RUNNER(never_random, GEISTER_NEVER, false)

typedef void (*runner)(struct run *g, struct camp camps[2], struct rng *r);

static const runner runners[2][2][2] = {
    {{late_random_plain, late_random_bmi2}, {late_leave_plain, late_leave_bmi2}},
    {{never_random_plain, never_random_bmi2}, {never_leave_plain, never_leave_bmi2}},
};

/* ---- in and out ---- */

static void add_piece(struct run *g, int side, int piece) {
    const struct geister *s = g->state;
    const int cell = s->where[side][piece];
    if (cell < GEISTER_CELLS)
        g->at[cell] = (uint8_t)piece;
    else if ((s->known[side] >> piece & 1) != 0)
        g->left[side][s->reds[side] >> piece & 1]--;
}

static void begin(struct run *g, struct geister *s, enum geister_model model, int turns_max) {
    const int plies = core_scenario(s)->plies, blues = GEISTER_PIECES - GEISTER_REDS;
    *g = (struct run){.left = {{blues, GEISTER_REDS}, {blues, GEISTER_REDS}},
                      .hider = models_hider(s),
                      .ply = s->ply,
                      .stop = turns_max > 0 && turns_max < plies - s->ply ? s->ply + turns_max : plies,
                      .model = model,
                      .state = s};
    g->open = models_open(s, g->hider);
    g->count = bits_count(core_pieces(s, g->hider));
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < GEISTER_PIECES; i++)
            add_piece(g, side, i);
}

static void hand_back(const struct run *g, int side, uint64_t pieces) {
    struct geister *s = g->state;
    for (unsigned left = g->gone[side]; left != 0; left &= left - 1)
        s->where[side][bits_first(left)] = GEISTER_TAKEN;
    for (uint64_t left = pieces; left != 0; left = bits_without_first(left)) {
        const int cell = bits_first(left), piece = g->at[cell];
        if (s->where[side][piece] != GEISTER_ESCAPED)
            s->where[side][piece] = (uint8_t)cell;
    }
    core_boards(s, side);
}

/* Hidden pieces on their exits that were not looked at are those of the root: a simulation looks at them when
 * it begins (B) or with its first move (C), so there are none here. */
static long run(struct geister *s, struct rng *r, int turns_max, enum geister_model model, bool eager) {
    if (s->stage != GEISTER_PLAYING)
        return 0;
    struct run g;
    struct camp camps[2];
    begin(&g, s, model, turns_max);
    for (int side = 0; side < 2; side++)
        camps[side] = (struct camp){core_pieces(s, side), s->blue[side], s->unknown[side]};
    runners[model != GEISTER_LATE][eager][bits_have_bmi2()](&g, camps, r);
    const int moves = g.ply - s->ply;
    s->ply = (uint16_t)g.ply;
    s->mover ^= moves & 1;
    for (int side = 0; side < 2; side++)
        hand_back(&g, side, camps[side].pieces);
    if (s->stage == GEISTER_PLAYING && g.ply == core_scenario(s)->plies)
        models_end(s, GEISTER_BY_LIMIT, CORE_NO_WINNER);
    return moves;
}

static long run_late_leave(void *state, struct rng *r, int turns_max) {
    return run(state, r, turns_max, GEISTER_LATE, true);
}

static long run_late_random(void *state, struct rng *r, int turns_max) {
    return run(state, r, turns_max, GEISTER_LATE, false);
}

static long run_never_leave(void *state, struct rng *r, int turns_max) {
    return run(state, r, turns_max, GEISTER_NEVER, true);
}

static long run_never_random(void *state, struct rng *r, int turns_max) {
    return run(state, r, turns_max, GEISTER_NEVER, false);
}

static long run_again_leave(void *state, struct rng *r, int turns_max) {
    return run(state, r, turns_max, GEISTER_AGAIN, true);
}

static long run_again_random(void *state, struct rng *r, int turns_max) {
    return run(state, r, turns_max, GEISTER_AGAIN, false);
}

#define LEAVE_HELP  "a blue piece that can leave does; otherwise every move is as likely as the others"
#define RANDOM_HELP "every move is as likely as the others"

const struct rollout models_late_rollouts[] = {
    {"random", RANDOM_HELP, run_late_random}, {"leave", LEAVE_HELP, run_late_leave}, {0}};

const struct rollout models_never_rollouts[] = {
    {"random", RANDOM_HELP, run_never_random}, {"leave", LEAVE_HELP, run_never_leave}, {0}};

const struct rollout models_again_rollouts[] = {
    {"random", RANDOM_HELP, run_again_random}, {"leave", LEAVE_HELP, run_again_leave}, {0}};
