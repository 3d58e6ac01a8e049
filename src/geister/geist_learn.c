/* SPDX-License-Identifier: MIT */
#include "geister/geist_learn.h"

#include "base/mem.h"
#include "geister/learn_inside.h"
#include "geister/purple.h"

#include <string.h>

enum { BATCH = 8, PAST_MAX = 12, PLIES = 200, PURPLE_BYTES = 1 << 16 };

const struct geist_recipe geist_recipe_own = {.games = GEIST_GAMES,
                                              .value_games = GEIST_VALUE_GAMES,
                                              .rate = 0.0006,
                                              .rate_end = 0.0001,
                                              .value_rate = 0.01,
                                              .value_rate_end = 0.0005,
                                              .purple = 0.2,
                                              .past = 0.25};

static const double purple_slips = 0.04; /* share of its moves that are random, for variety */
static const float draw_gain = -0.2F;    /* a draw counts a little like a loss, for both */

enum opponent { SELF, PURPLE, PAST };

struct geist_learn {
    struct geist_recipe recipe;
    uint64_t seed;
    int done, past_count;
    struct geist_tally tally;
    struct purple *purple;
    struct policy_weights now, past[PAST_MAX]; /* `value` stays empty */
    struct geist_weights weights;
    struct learn_slope slope;
    int note_count, board_count;
    struct learn_note notes[PLIES];
    uint8_t note_sides[PLIES];
    struct geist_board boards[PLIES];
};

struct geist_learn *geist_learn_open(const struct geist_recipe *recipe, uint64_t seed, struct err *e) {
    struct geist_learn *l = mem_alloc(sizeof *l);
    l->recipe = *recipe;
    l->seed = seed;
    memcpy(l->now.move, policy_builtin()->move, sizeof l->now.move);
    l->past[l->past_count++] = l->now;
    l->purple = purple_open(PURPLE_BYTES, e);
    if (l->purple != NULL)
        return l;
    mem_free(l);
    return NULL;
}

void geist_learn_close(struct geist_learn *learn) {
    if (learn == NULL)
        return;
    purple_close(learn->purple);
    mem_free(learn);
}

int geist_learn_done(const struct geist_learn *learn) {
    return learn->done;
}

struct geist_tally *geist_learn_tally(struct geist_learn *learn) {
    return &learn->tally;
}

const struct geist_weights *geist_learn_weights(const struct geist_learn *learn) {
    return &learn->weights;
}

/* ---- a game ---- */

struct league_game {
    struct duel duel;
    struct rng rng;
    enum opponent opponent;
    int seat;  /* the opponent's side; -1: self-play */
    int depth; /* of purple */
    float sharpness;
    double slips;
};

static void pair_up(struct geist_learn *l, struct league_game *game) {
    struct rng *const r = &game->rng;
    const struct policy_weights *sides[2] = {&l->now, &l->now};
    const double kind = rng_unit(r), deep = rng_unit(r);
    const uint32_t seat = rng_below(r, 2), which = rng_below(r, PAST_MAX);
    game->opponent = kind >= l->recipe.purple + l->recipe.past ? SELF
                     : kind < l->recipe.purple                 ? PURPLE
                                                               : PAST;
    game->seat = game->opponent == SELF ? -1 : (int)seat;
    game->depth = deep < 0.6 ? 2 : deep < 0.9 ? 3 : 4;
    game->sharpness = deep < 0.5 ? 1 : 4;
    if (game->opponent == PAST)
        sides[seat] = &l->past[(int)which % l->past_count];
    const uint32_t first = rng_below(r, GEISTER_SETUPS), second = rng_below(r, GEISTER_SETUPS);
    const unsigned reds[2] = {geister_setup_reds((int)first), geister_setup_reds((int)second)};
    duel_start(&game->duel, sides, reds);
}

static action purple_answer(struct geist_learn *l, struct league_game *game, const struct duel_turn *turn) {
    struct purple_board board;
    struct purple_result result;
    if (rng_unit(&game->rng) < purple_slips)
        return turn->moves[rng_below(&game->rng, (uint32_t)turn->count)];
    purple_board_of(&game->duel.observations[game->duel.mover], &board);
    purple_search(l->purple, &board, &(struct purple_task){.depth = game->depth}, &result);
    return result.move;
}

/* The index of a way out, or -1. */
static int way_out(const struct duel_turn *turn) {
    for (int i = 0; i < turn->count; i++)
        if (turn->steps[i].on == BIT_ESCAPES)
            return i;
    return -1;
}

static action choose(struct geist_learn *l, struct league_game *game, struct duel_turn *turn) {
    const int mover = game->duel.mover, out = way_out(turn);
    const bool theirs = mover == game->seat;
    if (out >= 0)
        return turn->moves[out];
    if (game->slips > 0 && rng_unit(&game->rng) < game->slips)
        return turn->moves[rng_below(&game->rng, (uint32_t)turn->count)];
    if (theirs && game->opponent == PURPLE)
        return purple_answer(l, game, turn);
    for (int i = 0; theirs && i < turn->count; i++)
        turn->scores[i] *= game->sharpness;
    duel_chances(turn);
    const int chosen = policy_draw(turn->chances, turn->count, &game->rng);
    if (!theirs) {
        struct learn_note *const note = &l->notes[l->note_count];
        bits_of(&game->duel.observations[mover], &note->list);
        note->turn = *turn;
        note->chosen = chosen;
        l->note_sides[l->note_count++] = (uint8_t)mover;
    }
    return turn->moves[chosen];
}

static void store_board(struct geist_learn *l, const struct duel *d) {
    struct geist_board *const b = &l->boards[l->board_count++];
    *b = (struct geist_board){.mover = (uint8_t)d->mover};
    for (int side = 0; side < 2; side++) {
        b->red[side] = d->observations[side].red;
        b->blue[side] = d->observations[side].blue;
        b->their_red[1 - side] = geister_turn_board(b->red[side]);
        b->their_blue[1 - side] = geister_turn_board(b->blue[side]);
        b->lost_reds[side] = (uint8_t)d->observations[side].lost_reds;
        b->lost_blues[side] = (uint8_t)d->observations[side].lost_blues;
    }
}

/* Returns the winner or DUEL_DRAWN. */
static int play_game(struct geist_learn *l, struct league_game *game) {
    struct duel_turn turn;
    int end = DUEL_GOES_ON;
    l->note_count = l->board_count = 0;
    while (end == DUEL_GOES_ON && game->duel.ply < PLIES) {
        store_board(l, &game->duel);
        duel_list(&game->duel, &turn);
        end = duel_play(&game->duel, choose(l, game, &turn));
    }
    end = end == DUEL_GOES_ON ? DUEL_DRAWN : end;
    struct geist_tally *const t = &l->tally;
    t->games++;
    t->plies += (uint64_t)game->duel.ply;
    t->drawn += end == DUEL_DRAWN;
    if (game->opponent != SELF)
        (game->opponent == PURPLE ? t->purple : t->past)[end == DUEL_DRAWN ? 1 : end == game->seat ? 2 : 0]++;
    return end;
}

/* ---- the policy ---- */

/* Weights change by the result of a batch of games, and by that of its mirror image. */
static void apply(struct geist_learn *l, float rate) {
    const struct learn_slope *const s = &l->slope;
    for (int i = 0; i < POLICY_BITS; i++)
        for (int j = 0; j < i;
             j++) { /* the weight of a single bit is that of its pair with the bit that is always set */
            const int a = bits_mirror(i), b = bits_mirror(j);
            l->now.move[i][j] += rate * (s->move[i][j] + s->move[j][i] + s->move[a][b] + s->move[b][a]);
            l->now.move[j][i] = l->now.move[i][j];
        }
    memset(&l->slope.move, 0, sizeof l->slope.move);
}

static void learn_policy_game(struct geist_learn *l) {
    struct league_game game = {0};
    rng_seed_stream(&game.rng, l->seed, (uint64_t)l->done);
    pair_up(l, &game);
    const int end = play_game(l, &game);
    for (int i = 0; i < l->note_count; i++)
        learn_move_slope(&l->notes[i],
                         end == DUEL_DRAWN         ? draw_gain
                         : end == l->note_sides[i] ? 1
                                                   : -1,
                         0, &l->slope);
    l->done++;
    const int every = l->recipe.games / PAST_MAX > 0 ? l->recipe.games / PAST_MAX : 1;
    if (l->done % BATCH == 0 || l->done == l->recipe.games) {
        const double part = (double)l->done / l->recipe.games;
        apply(l, (float)(l->recipe.rate + part * (l->recipe.rate_end - l->recipe.rate)));
    }
    if (l->done % every == 0 && l->past_count < PAST_MAX)
        l->past[l->past_count++] = l->now;
    if (l->done == l->recipe.games)
        memcpy(l->weights.move, l->now.move, sizeof l->weights.move);
}

/* ---- the values ---- */

static void learn_value(struct geist_learn *l, enum value_head head, const struct bit_list *bits,
                        float target) {
    float(*const w)[VALUE_ROW] = l->weights.value[head];
    const double part = (double)(l->done - l->recipe.games) / l->recipe.value_games;
    const double rate = l->recipe.value_rate + part * (l->recipe.value_rate_end - l->recipe.value_rate);
    const float error = target - value_of(&l->weights, head, bits), change = (float)rate * error;
    for (int i = 0; i < bits->count; i++)
        for (int j = 0; j <= i; j++)
            w[bits->bits[i]][bits->bits[j]] += change;
    l->tally.surprise[head] += (double)(error * error);
}

static void learn_position(struct geist_learn *l, struct geist_board *b, float target) {
    const int mover = b->mover, other = 1 - mover;
    const uint8_t theirs[2] = {b->lost_blues[other], b->lost_reds[other]};
    const uint8_t ours[2] = {b->lost_blues[mover], b->lost_reds[mover]};
    struct bit_list bits;
    value_bits_open(b, mover, &bits);
    learn_value(l, VALUE_OPEN, &bits, target);
    value_bits_hidden(b, mover, theirs, &bits);
    learn_value(l, VALUE_MOVER, &bits, target);
    value_bits_hidden(b, other, ours, &bits);
    learn_value(l, VALUE_WAITING, &bits, 1 - target);
    l->tally.positions++;
}

/* A third of the positions, each mirrored with probability 1/2. */
static void learn_value_game(struct geist_learn *l) {
    struct league_game game = {.slips = 0.02};
    rng_seed_stream(&game.rng, l->seed, (uint64_t)l->done);
    pair_up(l, &game);
    const int end = play_game(l, &game);
    for (int k = 0; k <= l->board_count / 3; k++) {
        struct geist_board b = l->boards[rng_below(&game.rng, (uint32_t)l->board_count)];
        if (geist_can_leave(&b))
            continue;
        if (rng_below(&game.rng, 2) == 1)
            geist_mirror(&b);
        learn_position(l, &b, end == DUEL_DRAWN ? 0.5F : end == b.mover ? 1 : 0);
    }
    l->done++;
}

bool geist_learn_go(struct geist_learn *learn, int games) {
    const int all = learn->recipe.games + learn->recipe.value_games;
    for (int i = 0; i < games && learn->done < all; i++)
        if (learn->done < learn->recipe.games)
            learn_policy_game(learn);
        else
            learn_value_game(learn);
    return learn->done < all;
}
