/* SPDX-License-Identifier: MIT
 *
 * The playouts of `late` and `never`. A simulation is some hundred moves, so this is where their time goes:
 * pieces are in lists, a move is a piece and a direction drawn until one is found that is legal (every legal
 * move is as likely as the others), and only a piece that is taken or steps on its exit is looked at closer.
 */
#include "game/geister/models_inside.h"

enum { OFF = 63 }; /* in place of a cell: that bit of every board is set, so that nobody can go there */

enum kind { BLUE, RED, OPEN, STOOD }; /* STOOD: open, and was on its exit */

/* Both sides: [side][n], n below the side's count. */
struct run {
    uint64_t own[2];   /* the cells of its pieces, and OFF */
    uint64_t ready[2]; /* its exits that a blue of it stands on */
    uint8_t cell[2][GEISTER_PIECES], kind[2][GEISTER_PIECES], piece[2][GEISTER_PIECES];
    int count[2];
    int left[2][2]; /* by kind: how many of these are to be taken until that ends the game */
    struct models_open open;
    int hider, mover, plies, stood;
    float alive;
    enum geister_end end;
    int winner;
    struct geister *state; /* colours are noted there at once */
};

#define STEPS(y, x)                                                                                          \
    {                                                                                                        \
        [GEISTER_NORTH] = (y) > 0 ? (y)*6 + (x)-6 : OFF, [GEISTER_EAST] = (x) < 5 ? (y)*6 + (x) + 1 : OFF,   \
        [GEISTER_WEST] = (x) > 0 ? (y)*6 + (x)-1 : OFF, [GEISTER_SOUTH] = (y) < 5 ? (y)*6 + (x) + 6 : OFF    \
    }
#define ROW(y) STEPS(y, 0), STEPS(y, 1), STEPS(y, 2), STEPS(y, 3), STEPS(y, 4), STEPS(y, 5)

static const uint8_t steps[GEISTER_CELLS][4] = {ROW(0), ROW(1), ROW(2), ROW(3), ROW(4), ROW(5)};

/* ---- in and out ---- */

static enum kind kind_of(const struct geister *s, int side, int piece) {
    if ((s->known[side] >> piece & 1) == 0)
        return (s->seen_exit >> piece & 1) != 0 ? STOOD : OPEN;
    return (s->reds[side] >> piece & 1) != 0 ? RED : BLUE;
}

static void add_piece(struct run *g, const struct geister *s, int side, int piece) {
    const enum kind kind = kind_of(s, side, piece);
    const int cell = s->where[side][piece], n = g->count[side];
    if (cell >= GEISTER_CELLS) {
        if (kind <= RED)
            g->left[side][kind]--;
        return;
    }
    g->cell[side][n] = (uint8_t)cell;
    g->kind[side][n] = (uint8_t)kind;
    g->piece[side][n] = (uint8_t)piece;
    g->count[side]++;
    g->own[side] |= core_bit(cell);
    if (kind == BLUE)
        g->ready[side] |= core_bit(cell) & core_exits(side);
}

static void take_in(struct run *g, struct geister *s) {
    *g = (struct run){.own = {core_bit(OFF), core_bit(OFF)},
                      .left = {{4, 4}, {4, 4}},
                      .hider = models_hider(s),
                      .mover = s->mover,
                      .plies = core_scenario(s)->plies - s->ply,
                      .stood = bits_count(s->seen_exit),
                      .alive = s->alive,
                      .state = s};
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < GEISTER_PIECES; i++)
            add_piece(g, s, side, i);
    g->open = models_open(s, g->hider);
}

/* Colours and who has left were noted when that happened. */
static void hand_back(const struct run *g) {
    struct geister *s = g->state;
    for (int side = 0; side < 2; side++) {
        for (int i = 0; i < GEISTER_PIECES; i++)
            s->where[side][i] = s->where[side][i] == GEISTER_ESCAPED ? GEISTER_ESCAPED : GEISTER_TAKEN;
        for (int n = 0; n < g->count[side]; n++)
            s->where[side][g->piece[side][n]] = g->cell[side][n];
        core_boards(s, side);
    }
    s->alive = g->alive;
    s->mover = (uint8_t)g->mover;
    s->ply = (uint16_t)(core_scenario(s)->plies - g->plies);
    if (g->end != GEISTER_NOT_ENDED)
        models_end(s, g->end, g->winner);
}

/* ---- what happens rarely ---- */

static void end_run(struct run *g, enum geister_end end, int winner) {
    g->end = end;
    g->winner = winner;
}

/* Draws a hidden piece's colour. */
static enum kind draw(struct run *g, int n, struct rng *r) {
    struct geister *s = g->state;
    const bool red = models_draw(g->open, r);
    const uint8_t bit = (uint8_t)(1U << g->piece[g->hider][n]);
    g->open.pieces--;
    g->open.reds -= red;
    s->known[g->hider] |= bit;
    s->drawn[g->hider] |= bit;
    s->reds[g->hider] |= red ? bit : 0;
    return red ? RED : BLUE;
}

/* A side's n-th piece stands on its exit. */
static void arrive(struct run *g, enum geister_model model, int side, int n, struct rng *r) {
    uint8_t *kind = &g->kind[side][n];
    if (*kind == OPEN && model == GEISTER_LATE) {
        *kind = (uint8_t)draw(g, n, r);
    } else if (*kind == OPEN) {
        g->alive *= models_survival(g->open, g->stood++);
        g->state->seen_exit |= (uint8_t)(1U << g->piece[side][n]);
        *kind = STOOD;
        if (g->alive <= 0)
            end_run(g, GEISTER_BY_ESCAPE, side);
    }
    if (*kind == BLUE)
        g->ready[side] |= core_bit(g->cell[side][n]);
}

/* Those that stand there already: at the root, where the rules of the models have not looked yet. */
static void look_at_exits(struct run *g, enum geister_model model, struct rng *r) {
    for (int n = 0; n < g->count[g->hider] && g->end == GEISTER_NOT_ENDED; n++)
        if (g->kind[g->hider][n] == OPEN && (core_exits(g->hider) >> g->cell[g->hider][n] & 1) != 0)
            arrive(g, model, g->hider, n, r);
}

/* Takes the n-th piece of a side off its list; the last one takes its place. */
static void remove_piece(struct run *g, int side, int n) {
    const int last = --g->count[side];
    g->cell[side][n] = g->cell[side][last];
    g->kind[side][n] = g->kind[side][last];
    g->piece[side][n] = g->piece[side][last];
}

static void take(struct run *g, enum geister_model model, int cell, struct rng *r) {
    const int side = 1 - g->mover;
    int n = 0;
    while (g->cell[side][n] != cell)
        n++;
    enum kind kind = (enum kind)g->kind[side][n];
    if (kind == OPEN && model == GEISTER_LATE)
        kind = draw(g, n, r);
    g->own[side] ^= core_bit(cell);
    g->ready[side] &= ~core_bit(cell);
    remove_piece(g, side, n);
    if (kind <= RED && --g->left[side][kind] == 0)
        end_run(g, kind == RED ? GEISTER_BY_REDS : GEISTER_BY_BLUES, kind == RED ? side : 1 - side);
    else if (g->count[side] == 0)
        end_run(g, GEISTER_BY_BLUES, 1 - side);
}

/* Is stepping off the board with that piece a way out? */
static bool goes_out(const struct run *g, int n, unsigned direction) {
    const action own = geister_turned(g->cell[g->mover][n] * 4U + direction, g->mover);
    return g->kind[g->mover][n] == BLUE &&
           (core_ways_out(core_scenario(g->state), own & 3) >> (own >> 2) & 1) != 0;
}

static void go_out(struct run *g, int n) {
    const int side = g->mover;
    g->state->where[side][g->piece[side][n]] = GEISTER_ESCAPED;
    remove_piece(g, side, n);
    end_run(g, GEISTER_BY_ESCAPE, side);
}

static int on_cell(const struct run *g, uint64_t cells) {
    int n = 0;
    while ((cells >> g->cell[g->mover][n] & 1) == 0)
        n++;
    return n;
}

/* ---- the loop ---- */

/* One move of the mover. */
BITS_INLINE void move(struct run *g, enum geister_model model, bool leaves, struct rng *r) {
    const int side = g->mover;
    const uint32_t choices = (uint32_t)g->count[side] * 4;
    uint32_t drawn;
    unsigned to, from;
    if (leaves && g->ready[side] != 0) {
        go_out(g, on_cell(g, g->ready[side]));
        return;
    }
    for (;;) {
        drawn = rng_below(r, choices);
        from = g->cell[side][drawn / 4];
        to = steps[from][drawn % 4];
        if ((g->own[side] >> to & 1) == 0)
            break;
        if (!leaves && to == OFF && goes_out(g, (int)(drawn / 4), drawn % 4)) {
            go_out(g, (int)(drawn / 4));
            return;
        }
    }
    g->cell[side][drawn / 4] = (uint8_t)to;
    g->own[side] ^= core_bit((int)from) | core_bit((int)to);
    g->ready[side] &= ~core_bit((int)from);
    if ((g->own[1 - side] >> to & 1) != 0)
        take(g, model, (int)to, r);
    if ((core_exits(side) >> to & 1) != 0 && g->end == GEISTER_NOT_ENDED && g->plies > 1)
        arrive(g, model, side, (int)(drawn / 4), r);
}

BITS_INLINE long run(struct geister *s, enum geister_model model, bool leaves, struct rng *r, int turns_max) {
    struct run g;
    struct rng own = *r; /* in registers */
    take_in(&g, s);
    look_at_exits(&g, model, &own);
    const int plies = g.plies, rest = turns_max > 0 && turns_max < plies ? plies - turns_max : 0;
    while (g.plies > rest && g.end == GEISTER_NOT_ENDED) {
        move(&g, model, leaves, &own);
        g.mover = 1 - g.mover;
        g.plies--;
    }
    if (g.end == GEISTER_NOT_ENDED && g.plies == 0)
        end_run(&g, GEISTER_BY_LIMIT, CORE_NO_WINNER);
    hand_back(&g);
    *r = own;
    return plies - g.plies;
}

static long late_leave(void *state, struct rng *r, int turns_max) {
    return run(state, GEISTER_LATE, true, r, turns_max);
}

static long late_random(void *state, struct rng *r, int turns_max) {
    return run(state, GEISTER_LATE, false, r, turns_max);
}

static long never_leave(void *state, struct rng *r, int turns_max) {
    return run(state, GEISTER_NEVER, true, r, turns_max);
}

static long never_random(void *state, struct rng *r, int turns_max) {
    return run(state, GEISTER_NEVER, false, r, turns_max);
}

#define LEAVE_HELP  "a blue that can leave does; otherwise any move, evenly"
#define RANDOM_HELP "any move, evenly"

const struct rollout models_late_rollouts[] = {
    {"leave", LEAVE_HELP, late_leave}, {"random", RANDOM_HELP, late_random}, {NULL}};

const struct rollout models_never_rollouts[] = {
    {"leave", LEAVE_HELP, never_leave}, {"random", RANDOM_HELP, never_random}, {NULL}};
