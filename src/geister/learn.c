/* SPDX-License-Identifier: MIT
 *
 * The learner of the policy: self-play with its gradient, the update of the weights, and recipes and run
 * states as text.
 */
#include "geister/learn.h"

#include "base/ln.h"
#include "base/mem.h"
#include "geister/learn_inside.h"
#include "pool/pool.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- self-play ---- */

/* Self-play and the gradient from its games.
 *
 * The score of a move is the sum of the weights of all pairs of the bits after it: with u the bits before and
 * d the change by the move (two to four bits by -1 or 1), the matrix (u + d)(u + d)'. Its gradient, the
 * chosen move's matrix less the mean over the policy, is u D' + D u' and a few products of d with itself,
 * where D is the chosen d less the mean one: one row is added for each bit of u, whatever the number of
 * moves. */

/* ---- slopes ---- */

/* The products of d with itself, each pair once. */
static void add_products(struct bit_step s, float c, struct learn_slope *out) {
    out->move[s.off][s.on] -= c;
    if (s.taken == BIT_NONE)
        return;
    out->move[s.off][s.taken] += c;
    out->move[s.on][s.taken] -= c;
    out->move[s.off][BIT_TAKES] -= c;
    out->move[s.on][BIT_TAKES] += c;
    out->move[s.taken][BIT_TAKES] -= c;
}

/* The gradient by score of each move: of the policy and of its entropy. */
static void score_slopes(const struct learn_note *note, float gain, float entropy, float *out) {
    const struct duel_turn *turn = &note->turn;
    for (int i = 0; i < turn->count; i++)
        out[i] = gain * ((i == note->chosen ? 1.0F : 0.0F) - turn->chances[i]);
    if (!(entropy > 0))
        return;
    float mean = 0; /* of scores: logarithms of probabilities up to a constant, which cancels */
    for (int i = 0; i < turn->count; i++)
        mean += turn->chances[i] * turn->scores[i];
    for (int i = 0; i < turn->count; i++)
        out[i] -= entropy * turn->chances[i] * (turn->scores[i] - mean);
}

void learn_move_slope(const struct learn_note *note, float gain, float entropy, struct learn_slope *out) {
    _Alignas(64) float change[POLICY_ROW] = {0};
    float slopes[POLICY_MOVES_MAX];
    const struct duel_turn *turn = &note->turn;
    score_slopes(note, gain, entropy, slopes);
    for (int i = 0; i < turn->count; i++) {
        const struct bit_step s = turn->steps[i];
        change[s.off] -= slopes[i];
        change[s.on] += slopes[i];
        add_products(s, slopes[i], out);
        if (s.taken != BIT_NONE) {
            change[s.taken] -= slopes[i];
            change[BIT_TAKES] += slopes[i];
        }
    }
    for (int i = 0; i < note->list.count; i++) {
        float *row = out->move[note->list.bits[i]];
        for (int j = 0; j < POLICY_ROW; j++)
            row[j] += change[j];
    }
}

void learn_value_slope(const struct learn_note *note, float gain, struct learn_slope *out) {
    const struct bit_list *list = &note->list;
    for (int i = 0; i < list->count; i++) {
        float *row = out->value[list->bits[i]];
        for (int j = 0; j <= i; j++)
            row[list->bits[j]] += gain;
    }
}

/* ---- games ---- */

/* Chooses the weights that each side plays with. */
static void choose_sides(const struct learn *l, struct learn_lane *lane, uint64_t game, struct rng *r,
                         const struct policy_weights *weights[2]) {
    weights[0] = weights[1] = &l->square;
    lane->past_side = -1;
    const int count = learn_past_count(l);
    if (count == 0 || !(rng_unit(r) < l->recipe.past))
        return;
    lane->past_side = l->recipe.sides == LEARN_FIRST ? 1 : (int)(game % 2);
    weights[lane->past_side] = &l->past[rng_below(r, (uint32_t)count)];
}

static int play_game(struct learn *l, struct learn_lane *lane, uint64_t game) {
    struct duel duel;
    struct rng r;
    unsigned reds[2];
    rng_seed_stream(&r, l->seed, game);
    for (int side = 0; side < 2; side++)
        reds[side] = geister_setup_reds((int)rng_below(&r, GEISTER_SETUPS));
    const struct policy_weights *weights[2];
    choose_sides(l, lane, game, &r, weights);
    duel_start(&duel, weights, reds);
    for (lane->note_count = 0; duel.ply < l->recipe.plies;) {
        struct learn_note *note = &lane->notes[lane->note_count++];
        bits_of(&duel.observations[duel.mover], &note->list);
        note->worth = duel_worth(&duel, &note->list);
        duel_list(&duel, &note->turn);
        duel_chances(&note->turn);
        note->chosen = policy_draw(note->turn.chances, note->turn.count, &r);
        const int end = duel_play(&duel, note->turn.moves[note->chosen]);
        if (end != DUEL_GOES_ON)
            return end;
    }
    return DUEL_DRAWN;
}

static float result_of(int end, int side) {
    return end == DUEL_DRAWN ? 0.0F : end == side ? 1.0F : -1.0F;
}

/* One side's decisions, the last first. */
static void learn_from(const struct learn *l, struct learn_lane *lane, int side, float result) {
    const struct learn_recipe *recipe = &l->recipe;
    const float lambda = (float)recipe->lambda, entropy = (float)recipe->entropy;
    float next = result, gain = 0;
    const int last = lane->note_count - 1;
    for (int i = last - (last % 2 != side); i >= 0; i -= 2) {
        const struct learn_note *note = &lane->notes[i];
        gain = next - note->worth + lambda * gain;
        next = note->worth;
        learn_move_slope(note, recipe->baseline ? gain : result, entropy, &lane->slope);
        learn_value_slope(note, result - note->worth, &lane->slope);
    }
}

/* Compares the values with the result. */
static void count_values(struct learn_lane *lane, int end) {
    struct learn_tally *t = &lane->tally;
    for (int i = 0; i < lane->note_count && end != DUEL_DRAWN; i++) {
        const double value = (double)lane->notes[i].worth, result = (double)result_of(end, i % 2);
        const double chance = (1 + result * value) / 2;
        t->positions++;
        t->sum_value += value;
        t->sum_result += result;
        t->sum_values += value * value;
        t->sum_results += result * result;
        t->sum_product += value * result;
        t->surprise -= ln_of(chance > 1e-6 ? chance : 1e-6);
    }
}

static bool is_learned_from(const struct learn *l, const struct learn_lane *lane, int side, int end) {
    return side != lane->past_side && (side == 0 || l->recipe.sides == LEARN_BOTH) &&
           (end != DUEL_DRAWN || l->recipe.draws);
}

static void learn_play(struct learn *l, int number, uint64_t first) {
    struct learn_lane *lane = &l->lanes[number];
    const int games = l->recipe.batch / LEARN_LANES;
    memset(&lane->slope, 0, sizeof lane->slope);
    lane->tally = (struct learn_tally){0};
    for (int i = 0; i < games; i++) {
        const int end = play_game(l, lane, first + (uint64_t)(number * games + i));
        lane->tally.games++;
        lane->tally.plies += (uint64_t)lane->note_count;
        lane->tally.ends[end]++;
        if (i == 0 && lane->past_side < 0) /* a sample is enough, and logarithms are slow */
            count_values(lane, end);
        for (int side = 0; side < 2; side++)
            if (is_learned_from(l, lane, side, end))
                learn_from(l, lane, side, result_of(end, side));
    }
}

/* ---- the step ---- */

/* A step of learning: games on all lanes, then the change of the weights. Sums are computed in a fixed order,
 * with operations whose rounding IEEE 754 defines. */

static void add_square(float (*restrict sum)[POLICY_ROW], float (*restrict add)[POLICY_ROW]) {
    for (int i = 0; i < POLICY_BITS; i++)
        for (int j = 0; j < POLICY_ROW; j++)
            sum[i][j] += add[i][j];
}

/* Adds all lanes to the first. */
static void merge_lanes(struct learn *l) {
    struct learn_slope *sum = &l->lanes[0].slope;
    for (int lane = 1; lane < LEARN_LANES; lane++) {
        add_square(sum->move, l->lanes[lane].slope.move);
        add_square(sum->value, l->lanes[lane].slope.value);
    }
}

/* The gradient of each pair, and for a single bit that of its pair with the bit that is always set. */
static void gather(float (*slope)[POLICY_ROW], float *out) {
    for (int i = 0; i < POLICY_BITS; i++) {
        for (int j = 0; j < i; j++)
            out[learn_pair(i, j)] = slope[i][j] + slope[j][i];
    }
    for (int i = 0; i < BIT_ALWAYS; i++)
        out[learn_pair(i, i)] = out[learn_pair(BIT_ALWAYS, i)];
    out[learn_pair(BIT_ALWAYS, BIT_ALWAYS)] = slope[BIT_ALWAYS][BIT_ALWAYS];
}

struct pace {
    float rate, mean_scale, square_scale; /* Adam's bias corrections */
};

static const float mean_keeps = 0.9F, square_keeps = 0.999F;

/* Adam (Kingma and Ba): the mean gradient, relative to the usual size of this weight's gradients. */
static void change_adam(struct learn_weight *w, float slope, const struct pace *pace) {
    w->mean = mean_keeps * w->mean + (1 - mean_keeps) * slope;
    w->square = square_keeps * w->square + (1 - square_keeps) * (slope * slope);
    const float size = sqrtf(w->square * pace->square_scale) + 1e-7F;
    w->now += pace->rate * (w->mean * pace->mean_scale) / size;
}

/* By squaring, because libraries round `pow` differently. */
static double power(double base, uint64_t exponent) {
    double result = 1;
    for (; exponent > 0; exponent >>= 1, base *= base)
        result *= exponent & 1 ? base : 1;
    return result;
}

static void change_head(struct learn *l, int head, const float *slopes, double rate) {
    const struct learn_recipe *recipe = &l->recipe;
    const double slow = recipe->half > 0 ? 1 + (double)l->games / recipe->half : 1;
    const double powers[2] = {power((double)mean_keeps, l->steps), power((double)square_keeps, l->steps)};
    const struct pace pace = {(float)(rate / slow), (float)(1 / (1 - powers[0])),
                              (float)(1 / (1 - powers[1]))};
    const float share = recipe->rule == LEARN_ADAM ? 1 / (float)recipe->batch : 1;
    double keep = recipe->average > 0 ? (double)recipe->batch / recipe->average : 1;
    if (keep < 1.0 / (double)l->steps || keep > 1)
        keep = keep > 1 ? 1 : 1.0 / (double)l->steps; /* at first the mean of all weights so far */
    for (int p = 0; p < POLICY_PAIRS; p++) {
        struct learn_weight *w = &l->weights[head][p];
        const float slope = (recipe->mirror ? slopes[p] + slopes[l->mirrored[p]] : slopes[p]) * share;
        if (recipe->rule == LEARN_ADAM)
            change_adam(w, slope, &pace);
        else
            w->now += pace.rate * slope;
        w->average += (w->now - w->average) * (float)keep;
    }
}

static void spread(const struct learn *l, int head, bool average, float out[POLICY_BITS][POLICY_ROW]) {
    for (int i = 0; i < POLICY_BITS; i++) {
        for (int j = 0; j <= i; j++) {
            const struct learn_weight *w = &l->weights[head][learn_pair(i, j)];
            out[i][j] = out[j][i] = average ? policy_round(w->average) : w->now;
        }
    }
}

/* Fills the square from the weights `now`. */
static void learn_refresh(struct learn *l) {
    spread(l, LEARN_MOVE, false, l->square.move);
    spread(l, LEARN_VALUE, false, l->square.value);
}

static void learn_apply(struct learn *l) {
    float slopes[POLICY_PAIRS];
    l->steps++;
    merge_lanes(l);
    gather(l->lanes[0].slope.move, slopes);
    change_head(l, LEARN_MOVE, slopes, l->recipe.rate);
    gather(l->lanes[0].slope.value, slopes);
    change_head(l, LEARN_VALUE, slopes, l->recipe.value_rate);
    learn_refresh(l);
}

static void add_tally(struct learn_tally *sum, const struct learn_tally *add) {
    sum->games += add->games;
    sum->plies += add->plies;
    for (int i = 0; i < 3; i++)
        sum->ends[i] += add->ends[i];
    sum->surprise += add->surprise;
    sum->positions += add->positions;
    sum->sum_value += add->sum_value;
    sum->sum_result += add->sum_result;
    sum->sum_values += add->sum_values;
    sum->sum_results += add->sum_results;
    sum->sum_product += add->sum_product;
}

/* Stores the current weights in place of random older ones, so that old ones become rare. */
static void store_weights(struct learn *l) {
    struct rng r;
    int place = (int)l->stored;
    rng_seed_stream(&r, ~l->seed, l->stored);
    if (l->stored >= LEARN_PAST_MAX)
        place = (int)rng_below(&r, LEARN_PAST_MAX);
    memcpy(l->past[place].move, l->square.move, sizeof l->square.move);
    l->stored++;
}

static void run_lane(void *shared, void *worker, int job, void *result) {
    struct learn *l = shared;
    (void)worker, (void)result;
    learn_play(l, job, l->games);
}

bool learn_step(struct learn *l, int threads, struct err *e) {
    const struct pool_work work = {
        .jobs = LEARN_LANES, .workers = threads, .shared = l, .result_size = 1, .run = run_lane};
    if (pool_run(&work, e) < 0)
        return false;
    for (int lane = 0; lane < LEARN_LANES; lane++)
        add_tally(&l->tally, &l->lanes[lane].tally);
    learn_apply(l);
    l->games += (uint64_t)l->recipe.batch;
    if (l->recipe.past > 0 && l->games / (uint64_t)l->recipe.keep > l->stored)
        store_weights(l);
    return true;
}

/* ---- the learner ---- */

struct learn *learn_open(const struct learn_recipe *recipe, uint64_t seed) {
    struct learn *l = mem_alloc(sizeof *l);
    l->recipe = *recipe;
    l->seed = seed;
    for (int i = 0; i < POLICY_BITS; i++)
        for (int j = 0; j <= i; j++)
            l->mirrored[learn_pair(i, j)] = (uint16_t)learn_pair(bits_mirror(i), bits_mirror(j));
    return l;
}

void learn_close(struct learn *l) {
    mem_free(l);
}

uint64_t learn_games(const struct learn *l) {
    return l->games;
}

uint64_t learn_seed(const struct learn *l) {
    return l->seed;
}

const struct learn_recipe *learn_recipe_of(const struct learn *l) {
    return &l->recipe;
}

const struct learn_tally *learn_tally_of(const struct learn *l) {
    return &l->tally;
}

void learn_forget(struct learn *l) {
    l->tally = (struct learn_tally){0};
}

double learn_correlation(const struct learn_tally *t) {
    const double n = t->positions;
    const double top = n * t->sum_product - t->sum_value * t->sum_result;
    const double values = n * t->sum_values - t->sum_value * t->sum_value;
    const double results = n * t->sum_results - t->sum_result * t->sum_result;
    return values > 0 && results > 0 ? top / sqrt(values * results) : (double)NAN;
}

double learn_surprise(const struct learn_tally *t) {
    return t->positions > 0 ? t->surprise / t->positions : (double)NAN;
}

void learn_policy(const struct learn *l, struct policy_weights *out) {
    memset(out, 0, sizeof *out);
    spread(l, LEARN_MOVE, true, out->move);
    spread(l, LEARN_VALUE, true, out->value);
}

/* ---- recipes and states as text ---- */

/* Recipes by name and options, and the state of a run as text. Weights are written as the bits of their
 * floats, eight hexadecimal digits: a run continues exactly where it was. */

/* ---- recipes ---- */

const struct param learn_params[] = {
    {"rule", PARAM_CHOICE, offsetof(struct learn_recipe, rule), .choices = "plain|adam",
     .fallback = LEARN_ADAM, .help = "how slopes become changes: times the rate, or by Adam"},
    {"sides", PARAM_CHOICE, offsetof(struct learn_recipe, sides), .choices = "first|both",
     .fallback = LEARN_BOTH, .help = "whose moves are learned from"},
    {"rate", PARAM_REAL, offsetof(struct learn_recipe, rate), 0, 1, 0.01,
     .help = "learning rate of the moves"},
    {"value_rate", PARAM_REAL, offsetof(struct learn_recipe, value_rate), 0, 1, 0.005,
     .help = "learning rate of the value"},
    {"half", PARAM_INT, offsetof(struct learn_recipe, half), 0, 2000000000, 500000,
     .help = "games after which the rates are a half, after twice as many a third; 0: never"},
    {"batch", PARAM_INT, offsetof(struct learn_recipe, batch), LEARN_LANES, 65536, 256,
     .help = "games a step; a multiple of 8"},
    {"plies", PARAM_INT, offsetof(struct learn_recipe, plies), 20, LEARN_PLIES_MAX, 200,
     .help = "a game that is longer is drawn"},
    {"mirror", PARAM_SWITCH, offsetof(struct learn_recipe, mirror), .fallback = 1,
     .help = "learn from every game in a mirror too"},
    {"baseline", PARAM_SWITCH, offsetof(struct learn_recipe, baseline), .fallback = 1,
     .help = "results count by how much better they are than the value said"},
    {"draws", PARAM_SWITCH, offsetof(struct learn_recipe, draws), .fallback = 1,
     .help = "learn from drawn games too, as worth 0"},
    {"lambda", PARAM_REAL, offsetof(struct learn_recipe, lambda), 0, 1, 0.9,
     .help = "with a baseline: 1 only the result counts, 0 only the next value"},
    {"entropy", PARAM_REAL, offsetof(struct learn_recipe, entropy), 0, 1, 0.01,
     .help = "how much is done for variety"},
    {"past", PARAM_REAL, offsetof(struct learn_recipe, past), 0, 1, 0.3,
     .help = "the part of the games that is played against earlier weights"},
    {"keep", PARAM_INT, offsetof(struct learn_recipe, keep), 1, 2000000000, 20000,
     .help = "games after which the weights of the moment are kept for those (the last 16 or so)"},
    {"average", PARAM_INT, offsetof(struct learn_recipe, average), 0, 2000000000, 300000,
     .help = "games over which the weights that are written are averaged; 0: none"},
    {0},
};

/* Shiga's: alpha 0.001, beta 0.0001, only the first player's moves, one game at a time (here eight, one a
 * lane), games of 100 moves each. */
static const char published[] =
    "rule=plain,sides=first,rate=0.001,value_rate=0.0001,half=0,batch=8,plies=200,"
    "mirror=no,baseline=no,draws=no,entropy=0,past=0,average=0";

static bool apply(const char *list, struct learn_recipe *out, struct err *e) {
    struct spec spec;
    char whole[SPEC_TEXT_MAX];
    snprintf(whole, sizeof whole, "own:%s", list);
    if (!spec_parse(whole, &spec, e))
        return false;
    for (int i = 0; i < spec.count; i++)
        if (!params_set(learn_params, spec.pairs[i].key, spec.pairs[i].value, out, e))
            return false;
    return true;
}

bool learn_recipe_read(const char *text, struct learn_recipe *out, struct err *e) {
    struct spec spec;
    memset(out, 0, sizeof *out);
    params_default(learn_params, out);
    if (!spec_parse(text, &spec, e))
        return false;
    const bool is_published = strcmp(spec.name, "published") == 0;
    if (!is_published && strcmp(spec.name, "own") != 0)
        return err_set(e, "recipe '%s' is unknown; expected own or published", spec.name);
    if (is_published && !apply(published, out, e))
        return false;
    for (int i = 0; i < spec.count; i++)
        if (!params_set(learn_params, spec.pairs[i].key, spec.pairs[i].value, out, e))
            return false;
    return out->batch % LEARN_LANES == 0 ||
           err_set(e, "batch=%d: expected a multiple of %d", out->batch, LEARN_LANES);
}

void learn_recipe_write(const struct learn_recipe *recipe, struct text *out) {
    for (const struct param *p = learn_params; p->name != NULL; p++) {
        text_add(out, "%s%s=", p == learn_params ? "own:" : ",", p->name);
        params_write_value(p, recipe, out);
    }
}

/* ---- states ---- */

#define HEADER "senjutsu geister learning 1"

static uint32_t bits_of_float(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

void learn_write(const struct learn *l, struct text *out) {
    text_add_string(out, HEADER "\nrecipe ");
    learn_recipe_write(&l->recipe, out);
    text_add(out, "\nseed %" PRIu64 "\ngames %" PRIu64 "\nsteps %" PRIu64 "\n", l->seed, l->games, l->steps);
    for (int head = 0; head < LEARN_HEADS; head++) {
        for (int p = 0; p < POLICY_PAIRS; p++) {
            const struct learn_weight *w = &l->weights[head][p];
            text_add(out, "%08" PRIx32 " %08" PRIx32 " %08" PRIx32 " %08" PRIx32 "\n", bits_of_float(w->now),
                     bits_of_float(w->mean), bits_of_float(w->square), bits_of_float(w->average));
        }
    }
    text_add(out, "kept %" PRIu64 "\n", l->stored);
    for (int past = 0; past < learn_past_count(l); past++)
        for (int i = 0; i < POLICY_BITS; i++)
            for (int j = 0; j <= i; j++)
                text_add(out, "%08" PRIx32 "%s", bits_of_float(l->past[past].move[i][j]), j < i ? " " : "\n");
    text_add_string(out, "end\n");
}

struct reader {
    const char *name, *at, *end;
    int line;
    char text[POLICY_BITS * 9 + SPEC_TEXT_MAX]; /* the current line */
};

static bool next_line(struct reader *r, struct err *e) {
    const char *stop = r->at < r->end ? memchr(r->at, '\n', (size_t)(r->end - r->at)) : NULL;
    r->line++;
    if (stop == NULL || (size_t)(stop - r->at) >= sizeof r->text)
        return err_set(e, "%s:%d: the line is %s", r->name, r->line, stop == NULL ? "cut off" : "too long");
    memcpy(r->text, r->at, (size_t)(stop - r->at));
    r->text[stop - r->at] = '\0';
    r->at = stop + 1;
    return true;
}

/* "WORD rest": returns the rest, or NULL. */
static const char *word_line(struct reader *r, const char *word, struct err *e) {
    if (!next_line(r, e))
        return NULL;
    const char *rest = text_after_word(r->text, word);
    if (rest == NULL)
        err_set(e, "%s:%d: expected '%s …', not '%.60s'", r->name, r->line, word, r->text);
    return rest;
}

static bool number_line(struct reader *r, const char *word, uint64_t *out, struct err *e) {
    unsigned long long n;
    const char *rest = word_line(r, word, e);
    if (rest == NULL)
        return false;
    if (!text_to_u64(rest, &n))
        return err_set(e, "%s:%d: %s: expected a whole number, not '%.60s'", r->name, r->line, word, rest);
    *out = n;
    return true;
}

static bool weight_line(struct reader *r, struct learn_weight *out, struct err *e) {
    uint32_t bits[4];
    int used = 0;
    if (!next_line(r, e))
        return false;
    if (sscanf(r->text, "%8" SCNx32 " %8" SCNx32 " %8" SCNx32 " %8" SCNx32 "%n", &bits[0], &bits[1], &bits[2],
               &bits[3], &used) != 4 ||
        r->text[used] != '\0')
        return err_set(e, "%s:%d: expected four numbers of eight hexadecimal digits", r->name, r->line);
    memcpy(&out->now, &bits[0], sizeof out->now);
    memcpy(&out->mean, &bits[1], sizeof out->mean);
    memcpy(&out->square, &bits[2], sizeof out->square);
    memcpy(&out->average, &bits[3], sizeof out->average);
    return true;
}

static bool read_weights(struct reader *r, struct learn *l, struct err *e) {
    for (int head = 0; head < LEARN_HEADS; head++)
        for (int p = 0; p < POLICY_PAIRS; p++)
            if (!weight_line(r, &l->weights[head][p], e))
                return false;
    return true;
}

static bool read_past_row(struct reader *r, int bit, struct policy_weights *out, struct err *e) {
    if (!next_line(r, e))
        return false;
    const char *at = r->text;
    for (int j = 0; j <= bit; j++) {
        uint32_t bits;
        int used = 0;
        if (sscanf(at, "%8" SCNx32 "%n", &bits, &used) != 1)
            return err_set(e, "%s:%d: expected %d numbers of eight hexadecimal digits", r->name, r->line,
                           bit + 1);
        memcpy(&out->move[bit][j], &bits, sizeof bits);
        out->move[j][bit] = out->move[bit][j];
        at += used;
    }
    return *at == '\0' ||
           err_set(e, "%s:%d: expected %d numbers of eight hexadecimal digits", r->name, r->line, bit + 1);
}

static bool read_past(struct reader *r, struct learn *l, struct err *e) {
    if (!number_line(r, "kept", &l->stored, e))
        return false;
    for (int past = 0; past < learn_past_count(l); past++)
        for (int bit = 0; bit < POLICY_BITS; bit++)
            if (!read_past_row(r, bit, &l->past[past], e))
                return false;
    return next_line(r, e) && ((strcmp(r->text, "end") == 0 && r->at == r->end) ||
                               err_set(e, "%s:%d: expected the end", r->name, r->line));
}

struct learn *learn_read(const char *name, const char *text, size_t size, struct err *e) {
    struct reader r = {.name = name, .at = text, .end = text + size};
    struct learn_recipe recipe;
    uint64_t seed, games, steps;
    if (!next_line(&r, e))
        return NULL;
    if (strcmp(r.text, HEADER) != 0) {
        err_set(e, "%s:1: expected '" HEADER "', not '%.60s'", name, r.text);
        return NULL;
    }
    const char *rest = word_line(&r, "recipe", e);
    if (rest == NULL || (!learn_recipe_read(rest, &recipe, e) && !err_prefix(e, "%s:%d: ", name, r.line)))
        return NULL;
    if (!number_line(&r, "seed", &seed, e) || !number_line(&r, "games", &games, e) ||
        !number_line(&r, "steps", &steps, e))
        return NULL;
    struct learn *l = learn_open(&recipe, seed);
    l->games = games;
    l->steps = steps;
    if (!read_weights(&r, l, e) || !read_past(&r, l, e)) {
        learn_close(l);
        return NULL;
    }
    learn_refresh(l);
    return l;
}
