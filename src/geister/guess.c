/* SPDX-License-Identifier: MIT
 *
 * Inference from movement: the walk through a game's history, the redness of the player `purple`, and the
 * blueness and rules of the player `guess`.
 *
 * All of it is read from the recorded moves of a view. A position that was set up has none, and then all
 * hidden pieces look alike.
 */
#include "geister/guess.h"

#include "geister/policy.h"
#include "geister/purple.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* ---- the game so far ---- */

void history_start(const struct geister *view, int side, struct history_step *step) {
    assert(view->stage == GEISTER_PLAYING);
    for (int who = 0; who < 2; who++)
        for (int piece = 0; piece < GEISTER_PIECES; piece++)
            step->cells[who][piece] = history_cell(side, view->from[who ^ side][piece]);
}

void history_next(const struct geister *view, int side, int index, struct history_step *s) {
    const int direction = purple_steps[view->moves[index] & 3]; /* as the mover sees it */
    s->who = (view->mover + view->recorded - index + side) & 1;
    s->piece = view->moves[index] >> 2;
    s->from = s->cells[s->who][s->piece];
    s->to = s->from + (s->who == 0 ? direction : -direction);
    s->cells[s->who][s->piece] = s->to;
    s->taken = GEISTER_PIECES - 1;
    while (s->taken >= 0 && s->cells[1 - s->who][s->taken] != s->to)
        s->taken--;
    if (s->taken >= 0)
        s->cells[1 - s->who][s->taken] = GEISTER_TAKEN;
}

/* The cells of pieces as a set. Only pieces on the board; no history reaches a piece that has left. */
static uint64_t history_set(const int cells[GEISTER_PIECES]) {
    uint64_t set = 0;
    for (int piece = 0; piece < GEISTER_PIECES; piece++)
        if (cells[piece] != GEISTER_TAKEN)
            set |= UINT64_C(1) << cells[piece];
    return set;
}

/* ---- how red pieces look to `purple` ---- */

/* Of the other side, as the concluding side sees the board. */
static bool is_on_exit(int cell) {
    return cell != GEISTER_TAKEN && (PURPLE_THEIR_EXITS >> cell & 1) != 0;
}

static bool is_near(int cell, uint64_t set) {
    return (purple_around(UINT64_C(1) << cell) & set) != 0;
}

/* The evidence of one move of the other side; `our_reds` are our own. */
static void judge(const struct history_step *step, unsigned our_reds, int redness[GEISTER_PIECES]) {
    if (step->who == 0)
        return;
    const uint64_t ours = history_set(step->cells[0]);
    int reds = 0; /* of ours on the board */
    for (int piece = 0; piece < GEISTER_PIECES; piece++)
        reds += (our_reds >> piece & 1) != 0 && step->cells[0][piece] != GEISTER_TAKEN;
    if (step->taken < 0 && !is_near(step->from, ours) && is_near(step->to, ours))
        redness[step->piece] += reds == 1 ? PURPLE_CHASED_TROUBLE : PURPLE_CHASED;
    if (is_on_exit(step->from))
        redness[step->piece] += PURPLE_STAYED;
    for (int other = 0; other < GEISTER_PIECES; other++)
        if (other != step->piece && is_on_exit(step->cells[1][other]))
            redness[other] += PURPLE_STAYED;
}

void purple_redness(const struct geister *view, int side, int out[GEISTER_PIECES]) {
    struct history_step step;
    memset(out, 0, GEISTER_PIECES * sizeof out[0]);
    history_start(view, side, &step);
    for (int i = 0; i < view->recorded; i++) {
        history_next(view, side, i, &step);
        judge(&step, view->reds[side], out);
    }
    for (int piece = 0; piece < GEISTER_PIECES; piece++)
        if (view->where[1 - side][piece] >= GEISTER_CELLS)
            out[piece] = 0;
}

int purple_surely_red(const struct geister *view, int side) {
    int redness[GEISTER_PIECES], best = -1, most = PURPLE_STAYED - 1, best_cell = 0;
    purple_redness(view, side, redness);
    for (int piece = 0; piece < GEISTER_PIECES; piece++) {
        const int cell = history_cell(side, view->where[1 - side][piece]);
        /* Ties go to the first cell, as in the published program. */
        if (redness[piece] > most || (best >= 0 && redness[piece] == most && cell < best_cell)) {
            best = piece;
            most = redness[piece];
            best_cell = cell;
        }
    }
    return best;
}

/* ---- how blue pieces look to `guess` ---- */

enum evidence {
    POINTS_FLED = 5,      /* it could be taken, and went where it cannot */
    POINTS_OFFERED = -5,  /* it went where it can be taken */
    POINTS_STAYED = -4,   /* it can be taken, and another piece moved */
    POINTS_RAN = 1,       /* it went nearer to an exit … */
    POINTS_RAN_NEAR = 3,  /* … in our half of the board */
    POINTS_TURNED = -1,   /* it went away from it */
    POINTS_NO_EXIT = -60, /* it was on its exit and did not leave */
    POINTS_MAX = 60,
};

/* Points are added by rules of thumb; POINTS_MAX bounds how certain they can become. */
void guess_note(struct guess_evidence *all, const struct history_step *step) {
    if (step->who == 0)
        return;
    const uint64_t ours = history_set(step->cells[0]);
    const int gain = purple_distance[1][step->from] - purple_distance[1][step->to];
    const bool was_near = is_near(step->from, ours), is_now = is_near(step->to, ours);
    int *points = &all->points[step->piece];
    if (gain > 0)
        *points += step->to >= GEISTER_CELLS / 2 ? POINTS_RAN_NEAR : POINTS_RAN;
    else if (gain < 0)
        *points += POINTS_TURNED;
    if (was_near && !is_now)
        *points += POINTS_FLED;
    if (!was_near && is_now && step->taken < 0)
        *points += POINTS_OFFERED;
    if (is_on_exit(step->from))
        *points += POINTS_NO_EXIT;
    for (int other = 0; other < GEISTER_PIECES; other++) {
        const int cell = step->cells[1][other];
        if (other == step->piece || cell == GEISTER_TAKEN)
            continue;
        if (is_on_exit(cell))
            all->points[other] += POINTS_NO_EXIT;
        else if (is_near(cell, ours))
            all->points[other] += POINTS_STAYED;
    }
}

/* Sums the weights of all sets of reds that contain the known ones and no known blue. */
void guess_weigh(const struct guess_evidence *evidence, unsigned known, unsigned reds,
                 double out[GEISTER_PIECES]) {
    /* 2 to the power of points / 4, by multiplications that round the same on every machine. */
    static const double quarters[4] = {1, 1.189207115002721, 1.4142135623730951, 1.681792830507429};
    double odds[GEISTER_PIECES], all = 0;
    memset(out, 0, GEISTER_PIECES * sizeof out[0]);
    for (int i = 0; i < GEISTER_PIECES; i++) {
        const int points = evidence->points[i];
        const int p = points > POINTS_MAX ? POINTS_MAX : points < -POINTS_MAX ? -POINTS_MAX : points;
        odds[i] = (known >> i & 1) != 0 ? 1 : ldexp(quarters[p & 3], (p - (p & 3)) / 4);
    }
    for (int number = 0; number < GEISTER_SETUPS; number++) {
        const unsigned set = geister_setup_reds(number);
        if ((set & known) != reds)
            continue;
        double weight = 1;
        for (int i = 0; i < GEISTER_PIECES; i++)
            weight *= (set >> i & 1) == 0 ? odds[i] : 1;
        for (int i = 0; i < GEISTER_PIECES; i++)
            out[i] += (set >> i & 1) == 0 ? weight : 0;
        all += weight;
    }
    for (int i = 0; i < GEISTER_PIECES; i++)
        out[i] /= all;
}

void guess_blueness(const struct geister *view, int side, double out[GEISTER_PIECES]) {
    struct guess_evidence all = {{0}};
    struct history_step step;
    history_start(view, side, &step);
    for (int i = 0; i < view->recorded; i++) {
        history_next(view, side, i, &step);
        guess_note(&all, &step);
    }
    guess_weigh(&all, view->known[1 - side], view->reds[1 - side], out);
}

/* ---- the rules by which `guess` chooses a move ---- */

enum worth {
    WORTH_GAME = 10000,   /* won or lost immediately */
    WORTH_RUN = 3000,     /* a blue that cannot be stopped */
    WORTH_TAKE = 120,     /* a blue of theirs taken; more when fewer are left */
    WORTH_TAKE_RED = 90,  /* a red of theirs taken, negative for us; likewise */
    WORTH_LOSE = 130,     /* an own blue that can be taken; likewise */
    WORTH_OFFER = 6,      /* an own red that can be taken; more when fewer are left */
    WORTH_THREAT = 600,   /* theirs next to its exit and no piece of ours near … */
    WORTH_GUARDED = 40,   /* … or one is near */
    WORTH_NEAR = 30,      /* theirs two steps from it; half for each further step */
    WORTH_STEP = 4,       /* a step of the foremost own blue */
    WORTH_OTHER_STEP = 1, /* of any other own piece: reds advance, too, so that blues do not stand out */
};

/* A position after a move of ours, the other side to move. */
struct after {
    uint64_t red, blue, theirs;
    double blueness[GEISTER_CELLS]; /* of theirs, by cell */
    int reds_left, blues_left;      /* of theirs, hidden or not */
};

/* Steps on an empty board. */
static int steps_between(int a, int b) {
    const int x = a % GEISTER_SIZE - b % GEISTER_SIZE, y = a / GEISTER_SIZE - b / GEISTER_SIZE;
    return (x < 0 ? -x : x) + (y < 0 ? -y : y);
}

/* Distance from the nearest of a set to a cell. */
static int steps_to(uint64_t set, int cell) {
    int best = GEISTER_CELLS;
    for (; set != 0; set = bits_without_first(set)) {
        const int steps = steps_between(bits_first(set), cell);
        best = steps < best ? steps : best;
    }
    return best;
}

/* The weight of each piece of a colour when so many are left: the last ones count most. */
static double scarcity(int left) {
    return left < 1 ? 4.0 : 1.0 + 3.0 / (left * left);
}

/* Their pieces near their exits, weighted by how blue they look. */
static double score_threats(const struct after *a) {
    double score = 0;
    for (uint64_t set = a->theirs; set != 0; set = bits_without_first(set)) {
        const int cell = bits_first(set), steps = purple_distance[1][cell];
        const int exit = cell % GEISTER_SIZE < GEISTER_SIZE / 2 ? 30 : 35;
        const bool guarded = steps_to(a->red | a->blue, exit) <= steps;
        if (steps == 0)
            score -= a->blueness[cell] * WORTH_GAME;
        else if (steps == 1)
            score -= a->blueness[cell] * (guarded ? WORTH_GUARDED : WORTH_THREAT);
        else
            score -= a->blueness[cell] * WORTH_NEAR / (1 << (steps - 2)) * (guarded ? 0.3 : 1);
    }
    return score;
}

/* Own pieces that can be taken. Only one can be taken per move: the most valuable counts, the others a
 * little. */
static double score_exposed(const struct after *a) {
    const uint64_t reach = purple_around(a->theirs);
    const int blues = bits_count(a->blue), reds = bits_count(a->red);
    const int exposed = bits_count(a->blue & reach), offered = bits_count(a->red & reach);
    double score = offered > 0 ? WORTH_OFFER * scarcity(reds) : 0;
    if (exposed > 0)
        score -= (blues == 1 ? WORTH_GAME : WORTH_LOSE * scarcity(blues)) * (1 + 0.2 * (exposed - 1));
    return score;
}

/* True when no piece of theirs can reach its exit in time, and none that may be blue leaves before. */
static bool is_unstoppable(const struct after *a, int cell, int exit) {
    const int steps = steps_between(cell, exit);
    return steps_to(a->theirs, exit) > steps + 1 && purple_nearest(a->theirs, 1) > steps &&
           ((a->red >> exit & 1) == 0 || cell == exit);
}

/* All pieces advance a little; a blue that cannot be caught is worth most. */
static double score_running(const struct after *a) {
    double score = 0, run = 0;
    int foremost = GEISTER_CELLS;
    for (uint64_t set = a->blue | a->red; set != 0; set = bits_without_first(set)) {
        const int cell = bits_first(set), steps = purple_distance[0][cell];
        score -= WORTH_OTHER_STEP * steps;
        if ((a->blue >> cell & 1) == 0)
            continue;
        foremost = steps < foremost ? steps : foremost;
        for (int exit = 0; exit <= 5; exit += 5)
            if (is_unstoppable(a, cell, exit) && WORTH_RUN - 100 * steps_between(cell, exit) > run)
                run = WORTH_RUN - 100 * steps_between(cell, exit);
    }
    return score + run - WORTH_STEP * foremost;
}

static double score_move(const struct after *before, action move) {
    const int from = (int)move / 4, to = purple_to((int)move);
    const uint64_t off = UINT64_C(1) << from, on = UINT64_C(1) << to;
    struct after a = *before;
    double score = 0;
    uint64_t *moved = (a.blue & off) != 0 ? &a.blue : &a.red;
    *moved ^= off | on;
    if ((a.theirs & on) != 0) {
        const double blue = a.blueness[to], red = 1 - blue;
        const double gain = a.blues_left == 1 ? WORTH_GAME : WORTH_TAKE * scarcity(a.blues_left);
        const double loss = a.reds_left == 1 ? WORTH_GAME : WORTH_TAKE_RED * scarcity(a.reds_left);
        score += blue * gain - red * loss;
        a.theirs ^= on;
    }
    return score + score_threats(&a) + score_exposed(&a) + score_running(&a);
}

/* A way out decides at once: then it is the only move. */
void guess_judge(const struct geister_observation *seen, const double blueness[GEISTER_CELLS],
                 struct guess_verdict *out) {
    struct after before = {.red = seen->red,
                           .blue = seen->blue,
                           .theirs = seen->unknown | seen->their_red | seen->their_blue,
                           .reds_left = GEISTER_REDS - seen->taken_reds,
                           .blues_left = GEISTER_PIECES - GEISTER_REDS - seen->taken_blues};
    memcpy(before.blueness, blueness, sizeof before.blueness);
    if ((before.blue & PURPLE_OUR_EXITS) != 0) {
        out->count = 1;
        out->moves[0] = purple_way_out(before.blue);
        out->scores[0] = WORTH_GAME;
        return;
    }
    out->count = bits_moves(before.red | before.blue, 0, false, out->moves);
    for (int i = 0; i < out->count; i++)
        out->scores[i] = score_move(&before, out->moves[i]);
}

void guess_moves(const struct geister *view, int side, struct guess_verdict *out) {
    struct geister_observation seen;
    double blueness[GEISTER_PIECES], by_cell[GEISTER_CELLS] = {0};
    geister_observe(view, side, &seen);
    guess_blueness(view, side, blueness);
    for (int i = 0; i < GEISTER_PIECES; i++) {
        const int cell = history_cell(side, view->where[1 - side][i]);
        if (cell < GEISTER_CELLS)
            by_cell[cell] = blueness[i];
    }
    guess_judge(&seen, by_cell, out);
}
