/* SPDX-License-Identifier: MIT
 *
 * The rules as the official server has them, the other rule sets, set-ups, and views. A piece steps to one of
 * the four cells beside it, not onto an own piece; a piece of the other side there is taken, and its colour
 * shown. A blue piece that stands on an exit of its side may leave. The first of these ends the game, in this
 * order: a piece has left (its side wins), four blues of a side are taken (it loses), four reds are taken (it
 * wins), the limit of moves was reached (a draw).
 *
 * A view allows several states: which of the other's pieces are red. Unknown colours are drawn uniformly from
 * all sets with four reds a side.
 *
 * Boards are words of 36 bits by colour, and the place of every piece is stored beside them: rules and
 * playouts use the boards, notation and history need the pieces.
 */
#include "game/geister/core.h"
#include "game/plain.h"

#include <assert.h>

/* ---- sets of pieces and their numbers: which four are red ---- */

int core_choose(int n, int k) {
    static const uint8_t pascal[GEISTER_PIECES + 1][GEISTER_PIECES + 1] = {
        {1},
        {1, 1},
        {1, 2, 1},
        {1, 3, 3, 1},
        {1, 4, 6, 4, 1},
        {1, 5, 10, 10, 5, 1},
        {1, 6, 15, 20, 15, 6, 1},
        {1, 7, 21, 35, 35, 21, 7, 1},
        {1, 8, 28, 56, 70, 56, 28, 8, 1},
    };
    return n < 0 || k < 0 || k > n ? 0 : pascal[n][k];
}

/* The number-th set of k of n pieces, ordered by letters. */
static unsigned subset(int n, int k, int number) {
    unsigned set = 0;
    for (int i = 0; i < n && k > 0; i++) {
        const int with = core_choose(n - 1 - i, k - 1);
        if (number < with) {
            set |= 1U << i;
            k--;
        } else {
            number -= with;
        }
    }
    return set;
}

unsigned geister_setup_reds(int number) {
    assert(number >= 0);
    assert(number < GEISTER_SETUPS);
    return subset(GEISTER_PIECES, GEISTER_REDS, number);
}

int geister_setup_number(unsigned reds) {
    if (reds > CORE_ALL_PIECES || bits_count(reds) != GEISTER_REDS)
        return -1;
    int number = 0;
    for (int i = 0, left = GEISTER_REDS; i < GEISTER_PIECES && left > 0; i++)
        if ((reds >> i & 1) != 0)
            left--;
        else
            number += core_choose(GEISTER_PIECES - 1 - i, left - 1);
    return number;
}

bool geister_read_reds(const char *text, unsigned *reds, struct err *e) {
    static const char letters[] = "ABCDEFGHabcdefgh";
    *reds = 0;
    if (strlen(text) == GEISTER_REDS && strspn(text, letters) == GEISTER_REDS)
        for (int i = 0; i < GEISTER_REDS; i++)
            *reds |= 1U << (strchr(letters, text[i]) - letters) % GEISTER_PIECES;
    return bits_count(*reds) == GEISTER_REDS ||
           err_set(e, "'%.64s' does not name the reds; expected four different letters of A to H", text);
}

void geister_write_reds(unsigned reds, char out[GEISTER_REDS + 1]) {
    int count = 0;
    for (int i = 0; i < GEISTER_PIECES && count < GEISTER_REDS; i++)
        if ((reds >> i & 1) != 0)
            out[count++] = (char)('A' + i);
    out[count] = '\0';
}

/* ---- rule sets ---- */

/* The official server's, and those of other programs that have played Geister. They differ in the number of
 * plies and in how a piece leaves. */

enum exits { EXITS_BY_RULES, EXITS_BOTH, EXITS_FORWARD, EXITS_SIDEWAYS };

struct rule_set {
    int plies;
    enum exits exits;
};

/* ORDER RULES: as the choices of the option. */
static const struct rule_set rule_sets[] = {
    {300, EXITS_BOTH},     /* server: the official one */
    {300, EXITS_FORWARD},  /* uctgeister */
    {200, EXITS_SIDEWAYS}, /* geister-rl */
    {200, EXITS_SIDEWAYS}, /* cpp-lib */
    {200, EXITS_SIDEWAYS}, /* handyrl */
};

static const struct param geister_options[] = {
    {"rules", PARAM_CHOICE, offsetof(struct geister_scenario, rules),
     .choices = "server|uctgeister|geister-rl|cpp-lib|handyrl",
     .help = "whose: server 300 plies and both ways out, uctgeister 300 and forward, the others 200 and "
             "sideways"},
    {"plies", PARAM_INT, offsetof(struct geister_scenario, plies_given), 0, GEISTER_PLIES_MAX, 0,
     .help = "moves of both sides together until the game is a draw; 0: as the rules say"},
    {"exits", PARAM_CHOICE, offsetof(struct geister_scenario, exits_given),
     .choices = "rules|both|forward|sideways", .help = "how a piece leaves its corner"},
    {0},
};

/* An option that is given replaces the rule set's own number; the others stay. */
static struct scenario *geister_load(const struct game_source *source, struct err *e) {
    struct scenario *scenario = plain_load(&geister_game, sizeof(struct geister_scenario), source, e);
    struct geister_scenario *sc = (struct geister_scenario *)scenario;
    if (sc == NULL)
        return NULL;
    const struct rule_set *rules = &rule_sets[sc->rules];
    const int exits = sc->exits_given != EXITS_BY_RULES ? sc->exits_given : (int)rules->exits;
    sc->plies = sc->plies_given > 0 ? sc->plies_given : rules->plies;
    sc->forward = exits != EXITS_SIDEWAYS;
    sc->sideways = exits != EXITS_FORWARD;
    sc->bmi2 = bits_have_bmi2();
    return scenario;
}

/* ---- pieces and boards ---- */

void core_places(uint8_t where[2][GEISTER_PIECES]) {
    static const uint8_t places[GEISTER_PIECES] = {25, 26, 27, 28, 31, 32, 33, 34};
    for (int i = 0; i < GEISTER_PIECES; i++) {
        where[0][i] = places[i];
        where[1][i] = (uint8_t)(GEISTER_CELLS - 1 - places[i]);
    }
}

void core_boards(struct geister *s, int side) {
    uint64_t red = 0, blue = 0, unknown = 0;
    for (int i = 0; i < GEISTER_PIECES; i++) {
        if (s->where[side][i] >= GEISTER_CELLS)
            continue;
        const uint64_t bit = core_bit(s->where[side][i]);
        const uint64_t known = -(uint64_t)(s->known[side] >> i & 1),
                       is_red = -(uint64_t)(s->reds[side] >> i & 1);
        red |= bit & known & is_red;
        blue |= bit & known & ~is_red;
        unknown |= bit & ~known;
    }
    s->red[side] = red;
    s->blue[side] = blue;
    s->unknown[side] = unknown;
}

/* All eight bytes are compared at once: an equal byte becomes zero, and the lowest zero byte is found by the
 * usual bit trick. */
int geister_piece_at(const struct geister *s, int side, int cell) {
    const uint64_t ones = 0x0101010101010101;
    uint64_t bytes = 0;
    for (int i = 0; i < GEISTER_PIECES; i++) /* one load where bytes are in that order */
        bytes |= (uint64_t)s->where[side][i] << (8 * i);
    bytes ^= ones * (uint64_t)cell;
    const uint64_t zero = (bytes - ones) & ~bytes & ones << 7;
    return zero == 0 ? -1 : bits_first(zero) / 8;
}

int geister_target(action a) {
    return core_target(a);
}

static void start(void *state, const struct scenario *scenario, struct rng *r) {
    struct geister *s = state;
    (void)r;
    *s = (struct geister){.scenario = scenario, .stage = GEISTER_FIRST_SETS, .winner = CORE_NO_WINNER};
    core_places(s->where);
    core_places(s->from);
    core_boards(s, 0);
    core_boards(s, 1);
}

int geister_mover(const void *state) {
    const struct geister *s = state;
    return s->stage == GEISTER_OVER ? NOBODY : s->mover;
}

/* ---- actions ---- */

int core_moves(const struct geister *s, uint64_t leavers, action *out) {
    static const enum geister_direction order[] = {GEISTER_NORTH, GEISTER_EAST, GEISTER_SOUTH, GEISTER_WEST};
    const int side = s->mover;
    const uint64_t pieces = core_seen_by(side, core_pieces(s, side)), blue = core_seen_by(side, leavers);
    uint64_t can[4];
    for (int d = 0; d < 4; d++)
        can[d] = core_steppers(pieces, d) | (blue & core_ways_out(core_scenario(s), d));
    int count = 0;
    for (uint64_t left = pieces; left != 0; left = bits_without_first(left)) {
        const int cell = bits_first(left);
        for (int i = 0; i < 4; i++) {
            out[count] = geister_turned(geister_move(cell, order[i]), side);
            count += (int)(can[order[i]] >> cell & 1);
        }
    }
    return count;
}

int geister_actions(const void *state, action *out) {
    const struct geister *s = state;
    if (s->stage == GEISTER_OVER)
        return 0;
    for (int i = 0; s->stage != GEISTER_PLAYING && i < GEISTER_SETUPS; i++)
        out[i] = geister_setup(geister_setup_reds(i));
    if (s->stage != GEISTER_PLAYING)
        return GEISTER_SETUPS;
    return core_moves(s, s->blue[s->mover], out);
}

bool geister_is_legal(const void *state, action a) {
    const struct geister *s = state;
    if (s->stage == GEISTER_OVER)
        return false;
    if (s->stage != GEISTER_PLAYING)
        return geister_is_setup(a) && geister_setup_number(a & ~(action)GEISTER_SETUP_FLAG) >= 0;
    if (a >= GEISTER_CELLS * 4)
        return false;
    const uint64_t from = core_bit((int)a / 4);
    const action own = geister_turned(a, s->mover);
    return ((core_steppers(core_pieces(s, s->mover), (int)a % 4) & from) != 0) ||
           ((s->blue[s->mover] & from) != 0 &&
            (core_ways_out(core_scenario(s), (int)own % 4) & core_bit((int)own / 4)) != 0);
}

/* ---- how a game ends ---- */

void core_resolve_end(struct geister *s) {
    for (int side = 0; side < 2; side++)
        if (core_has_escaped(s, side)) {
            core_end(s, GEISTER_BY_ESCAPE, side);
            return;
        } else if (core_has_lost_blues(s, side)) {
            core_end(s, GEISTER_BY_BLUES, side ^ 1);
            return;
        } else if (core_has_lost_reds(s, side)) {
            core_end(s, GEISTER_BY_REDS, side);
            return;
        }
    if (s->ply >= core_scenario(s)->plies)
        core_end(s, GEISTER_BY_LIMIT, CORE_NO_WINNER);
}

double geister_payoff(const void *state, int side) {
    const struct geister *s = state;
    return s->winner == CORE_NO_WINNER ? 0.5 : s->winner == side ? 1 : 0;
}

/* True when this side has chosen its reds. */
static bool has_chosen(const struct geister *s, int side) {
    return s->stage >= GEISTER_PLAYING || (s->stage == GEISTER_SECOND_SETS && side == 0);
}

static struct core_hidden hidden_of(const struct geister *s, int side) {
    return has_chosen(s, side) ? (struct core_hidden){GEISTER_PIECES - bits_count(s->known[side]),
                                                      GEISTER_REDS - bits_count(s->reds[side])}
                               : (struct core_hidden){0, 0};
}

/* ---- playing ---- */

/* Where a colour is unknown (in a view) it is drawn when the piece is taken, with the probability (unknown
 * reds) / (unknown pieces). Callers whose games have no chance pass a generator that only gives zeros: no
 * draw is repeated here. The end of the game is only looked for after a move that can cause it. */
static void step(struct geister *s, action a, struct rng *r) {
    const int side = s->mover, cell = (int)a / 4, piece = geister_piece_at(s, side, cell);
    const int target = core_target(a);
    const bool leaves = target == GEISTER_ESCAPED;
    const bool takes = !leaves && (core_pieces(s, side ^ 1) & core_bit(target)) != 0;
    if (takes) {
        const int other = side ^ 1, victim = geister_piece_at(s, other, target);
        if ((s->known[other] >> victim & 1) == 0) {
            const bool red = core_draws_red(hidden_of(s, other), rng_next(r));
            s->known[other] |= (uint8_t)(1U << victim);
            s->reds[other] |= (uint8_t)((unsigned)red << victim);
        }
        core_put(s, other, victim, target, GEISTER_TAKEN);
    }
    core_put(s, side, piece, cell, target);
    s->moves[s->recorded++] = (uint8_t)(piece * 4 + (int)geister_turned(a, side) % 4);
    s->ply++;
    s->mover ^= 1;
    if (takes || leaves || s->ply >= core_scenario(s)->plies)
        core_resolve_end(s);
}

void geister_play(void *state, action a, struct rng *r) {
    struct geister *s = state;
    assert(geister_is_legal(state, a));
    if (s->stage == GEISTER_PLAYING) {
        step(s, a, r);
        return;
    }
    s->known[s->mover] = CORE_ALL_PIECES;
    s->reds[s->mover] = (uint8_t)(a & ~(action)GEISTER_SETUP_FLAG);
    core_boards(s, s->mover);
    s->stage++;
    s->mover ^= 1;
}

/* ---- history ---- */

void geister_rewind(const struct geister *s, struct geister *out) {
    *out = *s;
    out->ply = (uint16_t)(s->ply - s->recorded);
    out->recorded = 0;
    memset(out->moves, 0, sizeof out->moves);
    memcpy(out->where, s->from, sizeof out->where);
    out->stage = s->stage == GEISTER_OVER ? GEISTER_PLAYING : s->stage;
    out->end = GEISTER_NOT_ENDED;
    out->winner = CORE_NO_WINNER;
    out->mover = s->mover ^ (s->recorded & 1);
    core_boards(out, 0);
    core_boards(out, 1);
}

action geister_recorded_action(const struct geister *at, uint8_t recorded) {
    const int side = at->mover, cell = at->where[side][recorded / 4], d = recorded % 4;
    return geister_move(cell, (enum geister_direction)(side == 0 ? d : 3 - d));
}

/* ---- views: hiding ---- */

/* When the game is over everything is public. */
static void hide(void *state, int side) {
    struct geister *s = state;
    for (int other = 0; other < 2 && s->stage != GEISTER_OVER; other++)
        if (other != side) {
            s->known[other] &= (uint8_t)core_taken(s, other);
            s->reds[other] &= s->known[other];
            s->unknown[other] = core_pieces(s, other);
            s->red[other] = s->blue[other] = 0;
        }
}

/* ---- views: worlds ---- */

/* Sets of reds of one side that agree with what is known: n over k. */
static int worlds_of(const struct geister *s, int side) {
    const struct core_hidden h = hidden_of(s, side);
    return core_choose(h.pieces, h.reds);
}

static double worlds(const void *view) {
    return worlds_of(view, 0) * worlds_of(view, 1);
}

/* Fills in the number-th possible set of reds. */
static void fill(struct geister *s, int side, int number) {
    const struct core_hidden h = hidden_of(s, side);
    if (h.pieces == 0)
        return;
    unsigned set = subset(h.pieces, h.reds, number);
    for (unsigned left = ~(unsigned)s->known[side] & CORE_ALL_PIECES; left != 0; left &= left - 1, set >>= 1)
        s->reds[side] |= (uint8_t)((set & 1) << bits_first(left));
    s->known[side] = CORE_ALL_PIECES;
    core_boards(s, side);
}

static void world(void *view, uint64_t number) {
    struct geister *s = view;
    const int first = worlds_of(s, 0);
    assert(number < (uint64_t)(first * worlds_of(s, 1)));
    fill(s, 0, (int)number % first);
    fill(s, 1, (int)number / first);
}

void geister_determinize(void *view, struct rng *r) {
    for (int side = 0; side < 2; side++) {
        const int count = worlds_of(view, side);
        fill(view, side, count > 1 ? (int)rng_below(r, (uint32_t)count) : 0);
    }
}

/* A side can lose by taken pieces only with the last of a colour, which affects what follows. The n-th move
 * of a side from here is ply 2 n, or 2 n - 1 if it is to move. */
int geister_plies_alike(const struct geister *view) {
    int least = GEISTER_PLIES_MAX;
    for (int side = 0; side < 2; side++) {
        const unsigned taken = core_taken(view, side);
        const int reds = bits_count(taken & view->reds[side]), blues = bits_count(taken) - reds;
        const int steps = core_steps_out(core_seen_by(side, view->unknown[side]));
        const int leaves = 2 * (steps + 1) - (view->mover == side) - 1;
        const int ends = 2 * (GEISTER_REDS - (reds > blues ? reds : blues)) - (view->mover != side);
        if (view->unknown[side] == 0)
            continue;
        least = leaves < least ? leaves : least;
        least = ends < least ? ends : least;
    }
    return least;
}

/* ---- views: observations ---- */

void geister_observe(const struct geister *s, int side, struct geister_observation *out) {
    const int other = side ^ 1;
    const unsigned taken = core_taken(s, other), lost = core_taken(s, side);
    *out = (struct geister_observation){
        .red = core_seen_by(side, s->red[side]),
        .blue = core_seen_by(side, s->blue[side]),
        .unknown = core_seen_by(side, s->unknown[other]),
        .their_red = core_seen_by(side, s->red[other]),
        .their_blue = core_seen_by(side, s->blue[other]),
        .taken_reds = bits_count(taken & s->reds[other]),
        .taken_blues = bits_count(taken & ~(unsigned)s->reds[other]),
        .lost_reds = bits_count(lost & s->reds[side]),
        .lost_blues = bits_count(lost & ~(unsigned)s->reds[side]),
    };
    out->hidden_reds = GEISTER_REDS - out->taken_reds;
}

/* ---- the rest of the interface ---- */

/* A set-up is a turn, too, so that the two choices of reds count as turns 0 and 1. */
static int turn(const void *state) {
    const struct geister *s = state;
    return (s->stage < GEISTER_PLAYING ? (int)s->stage : 2) + s->ply;
}

/* Cells, known colours, those of taken pieces, the side to move, and the ply. */
static uint64_t key(const void *state) {
    const struct geister *s = state;
    uint64_t hash = (uint64_t)s->mover | (uint64_t)s->stage << 1 | (uint64_t)s->winner << 4 |
                    (uint64_t)s->end << 8 | (uint64_t)s->ply << 16;
    for (int side = 0; side < 2; side++) {
        const int gone_reds = bits_count(s->reds[side]) - bits_count(s->red[side]);
        hash = rng_mix(hash * 16 + (uint64_t)gone_reds + UINT64_C(0x9E3779B97F4A7C15));
        hash = rng_mix(hash ^ s->red[side]);
        hash = rng_mix(hash ^ s->blue[side]);
        hash = rng_mix(hash ^ s->unknown[side]);
    }
    return hash;
}

/* ---- invariants ---- */

/* Places, known colours and boards of a side agree, and no piece is in an impossible place. */
static bool has_sound_pieces(const struct geister *s, int side) {
    for (int i = 0; i < GEISTER_PIECES; i++) {
        const int cell = s->where[side][i];
        const unsigned bit = 1U << i;
        if (cell > GEISTER_ESCAPED || (cell == GEISTER_TAKEN && (s->known[side] & bit) == 0) ||
            (cell == GEISTER_ESCAPED && (s->known[side] & ~s->reds[side] & bit) == 0))
            return false;
    }
    /* No colour is known before it is chosen. */
    if ((s->reds[side] & ~s->known[side]) != 0 || (!has_chosen(s, side) && s->known[side] != 0))
        return false;
    struct geister copy = *s;
    core_boards(&copy, side);
    return copy.red[side] == s->red[side] && copy.blue[side] == s->blue[side] &&
           copy.unknown[side] == s->unknown[side];
}

bool core_history_fits(const struct geister *s) {
    struct geister at;
    struct rng no_chance = {{0}};
    geister_rewind(s, &at);
    for (int i = 0; i < s->recorded; i++) {
        if (s->moves[i] >= GEISTER_PIECES * 4 || at.where[at.mover][s->moves[i] / 4] >= GEISTER_CELLS)
            return false;
        const action a = geister_recorded_action(&at, s->moves[i]);
        if (!geister_is_legal(&at, a))
            return false;
        geister_play(&at, a, &no_chance);
    }
    return memcmp(at.where, s->where, sizeof at.where) == 0;
}

static bool geister_valid(const void *state) {
    const struct geister *s = state;
    if (s->stage > GEISTER_OVER || s->mover > 1 || s->recorded > s->ply || s->ply > core_scenario(s)->plies)
        return false;
    if (s->stage < GEISTER_PLAYING && (s->ply != 0 || s->mover != s->stage))
        return false;
    if (!has_sound_pieces(s, 0) || !has_sound_pieces(s, 1) || !core_check_board(s, 0, NULL))
        return false;
    struct geister copy = *s;
    copy.stage = s->stage == GEISTER_OVER ? GEISTER_PLAYING : s->stage;
    copy.end = GEISTER_NOT_ENDED;
    copy.winner = CORE_NO_WINNER;
    if (copy.stage == GEISTER_PLAYING)
        core_resolve_end(&copy);
    return copy.stage == s->stage && copy.end == s->end && copy.winner == s->winner && core_history_fits(s);
}

/* ---- the table ---- */

static const struct game_offer offer = {.record_form = "log",
                                        .opponent = "geist",
                                        .adviser = "geist",
                                        .commentator = "geist",
                                        .commentator_work = 400};

const struct game geister_game = {
    .name = "geister",
    .help = "Geister: eight pieces each on 6 x 6, four of them red, and only their owner knows which",
    .state_size = sizeof(struct geister),
    .actions_max = GEISTER_SETUPS,
    .options = geister_options,
    .load = geister_load,
    .unload = plain_unload,
    .start = start,
    .mover = geister_mover,
    .actions = geister_actions,
    .is_legal = geister_is_legal,
    .play = geister_play,
    .payoff = geister_payoff,
    .turn = turn,
    .progress = plain_progress,
    .key = key,
    .key_from_scratch = key,
    .valid = geister_valid,
    .hide = hide,
    .determinize = geister_determinize,
    .worlds = worlds,
    .world = world,
    .rollouts = geister_rollouts,
    .evals = geister_evals,
    .weights = geister_weights,
    .priors = geister_priors,
    .lists = geister_lists,
    .offer = &offer,
    .face = &geister_face,
    .text = &geister_notation,
};
