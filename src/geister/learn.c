/* SPDX-License-Identifier: MIT
 *
 * Learning by playing: the policy of pg, its recipes and the states of its runs as text, and the
 * policy and the values of geist.
 *
 * Both learners use only float operations that IEEE 754 defines, in a fixed order: the same seed gives the
 * same weights on every machine.
 */
#include "geister/learn.h"

#include "base/mem.h"
#include "geister/purple.h"
#include "pool/pool.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Number of earlier weights available as opponents. */
static int past_count(const struct learn *l) {
    return l->stored < LEARN_PAST_MAX ? (int)l->stored : LEARN_PAST_MAX;
}

/* ---- slopes ---- */

/* The score of a move is the sum of the weights of all pairs of the bits after it: with u the bits before and
 * d the change by the move (two to four bits by -1 or 1), the matrix (u + d)(u + d)'. Its gradient, the
 * chosen move's matrix less the mean over the policy, is u D' + D u' and a few products of d with itself,
 * where D is the chosen d less the mean one: one row is added for each bit of u, whatever the number of
 * moves. */

/* Adds the gradient of a decision: the probabilities of its moves change by `gain` (for the chosen one). */
static void learn_move_slope(const struct learn_note *note, float gain, float entropy,
                             struct learn_slope *out) {
    _Alignas(64) float change[POLICY_ROW] = {0};
    float slopes[POLICY_MOVES_MAX]; /* the gradient by score of each move: of the policy and of its entropy */
    const struct duel_turn *turn = &note->turn;
    for (int i = 0; i < turn->count; i++)
        slopes[i] = gain * ((i == note->chosen ? 1.0F : 0.0F) - turn->chances[i]);
    if (entropy > 0) {
        float mean = 0; /* of scores: logarithms of probabilities up to a constant, which cancels */
        for (int i = 0; i < turn->count; i++)
            mean += turn->chances[i] * turn->scores[i];
        for (int i = 0; i < turn->count; i++)
            slopes[i] -= entropy * turn->chances[i] * (turn->scores[i] - mean);
    }
    for (int i = 0; i < turn->count; i++) {
        const struct bit_step s = turn->steps[i];
        const float c = slopes[i];
        change[s.off] -= c;
        change[s.on] += c;
        out->move[s.off][s.on] -= c; /* the products of d with itself, each pair once */
        if (s.taken == BIT_NONE)
            continue;
        change[s.taken] -= c;
        change[BIT_TAKES] += c;
        out->move[s.off][s.taken] += c;
        out->move[s.on][s.taken] -= c;
        out->move[s.off][BIT_TAKES] -= c;
        out->move[s.on][BIT_TAKES] += c;
        out->move[s.taken][BIT_TAKES] -= c;
    }
    for (int i = 0; i < note->list.count; i++) {
        float *row = out->move[note->list.bits[i]];
        for (int j = 0; j < POLICY_ROW; j++)
            row[j] += change[j];
    }
}

/* The value is linear in pairs, so that its gradient is 1 for each pair of set bits. */
static void learn_value_slope(const struct learn_note *note, float gain, struct learn_slope *out) {
    const struct bit_list *list = &note->list;
    for (int i = 0; i < list->count; i++) {
        float *row = out->value[list->bits[i]];
        for (int j = 0; j <= i; j++)
            row[list->bits[j]] += gain;
    }
}

/* ---- self-play ---- */

/* Game `game` depends on the seed and its number alone, whichever thread plays it. */
static int play_game(struct learn *l, struct learn_lane *lane, uint64_t game) {
    struct duel duel;
    struct rng r;
    unsigned reds[2];
    rng_seed_stream(&r, l->seed, game);
    for (int side = 0; side < 2; side++)
        reds[side] = geister_setup_reds((int)rng_below(&r, GEISTER_SETUPS));
    const struct policy_weights *weights[2] = {&l->square, &l->square};
    const int count = past_count(l);
    lane->past_side = -1;
    if (count > 0 && rng_unit(&r) < l->recipe.past) {
        lane->past_side = l->recipe.sides == LEARN_FIRST ? 1 : (int)(game % 2);
        weights[lane->past_side] = &l->past[rng_below(&r, (uint32_t)count)];
    }
    duel_start(&duel, weights, reds);
    for (lane->note_count = 0; duel.ply < l->recipe.plies;) {
        struct learn_note *note = &lane->notes[lane->note_count++];
        bits_of(&duel.observations[duel.board.mover], &note->list);
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

/* 1, 0 or -1 to that side. */
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

/* The games of one lane. */
static void run_lane(void *shared, void *worker, int job, void *unused) {
    (void)worker, (void)unused;
    struct learn *l = shared;
    const struct learn_recipe *recipe = &l->recipe;
    struct learn_lane *lane = &l->lanes[job];
    const int games = recipe->batch / LEARN_LANES;
    memset(&lane->slope, 0, sizeof lane->slope);
    lane->tally = (struct learn_tally){0};
    for (int i = 0; i < games; i++) {
        const int end = play_game(l, lane, l->games + (uint64_t)(job * games + i));
        lane->tally.games++;
        lane->tally.plies += (uint64_t)lane->note_count;
        lane->tally.ends[end]++;
        if (i == 0 && lane->past_side < 0) /* a sample is enough, and logarithms are slow */
            count_values(lane, end);
        for (int side = 0; side < 2 && (end != DUEL_DRAWN || recipe->draws); side++)
            if (side != lane->past_side && (side == 0 || recipe->sides == LEARN_BOTH))
                learn_from(l, lane, side, result_of(end, side));
    }
}

/* ---- the step ---- */

/* Games on all lanes, then the change of the weights. Sums are computed in a fixed order, with operations
 * whose rounding IEEE 754 defines. */

/* Row by row over the padding, too: loops of constant length are vectorized. */
static void add_square(float (*restrict sum)[POLICY_ROW], float (*restrict add)[POLICY_ROW]) {
    for (int i = 0; i < POLICY_BITS; i++)
        for (int j = 0; j < POLICY_ROW; j++)
            sum[i][j] += add[i][j];
}

static const float mean_keeps = 0.9F, square_keeps = 0.999F;

/* By squaring, because libraries round `pow` differently. */
static double power(double base, uint64_t exponent) {
    double result = 1;
    for (; exponent > 0; exponent >>= 1, base *= base)
        result *= exponent & 1 ? base : 1;
    return result;
}

/* The gradient of a pair; of a single bit it is that of its pair with BIT_ALWAYS. */
static float slope_of(float (*slope)[POLICY_ROW], int i, int j) {
    if (i == j && i == BIT_ALWAYS)
        return slope[i][i];
    const int other = i == j ? BIT_ALWAYS : j;
    return slope[i][other] + slope[other][i];
}

/* The sum over the lanes changes each weight once; with `mirror` a pair and its mirror image alike. */
static void change_head(struct learn *l, int head, float (*slope)[POLICY_ROW], double rate) {
    const struct learn_recipe *recipe = &l->recipe;
    const double slow = recipe->half > 0 ? 1 + (double)l->games / recipe->half : 1;
    const float pace = (float)(rate / slow),
                share = recipe->rule == LEARN_ADAM ? 1 / (float)recipe->batch : 1;
    const float mean_scale = (float)(1 / (1 - power((double)mean_keeps, l->steps))),
                square_scale = (float)(1 / (1 - power((double)square_keeps, l->steps)));
    const double part = recipe->average > 0 ? (double)recipe->batch / recipe->average : 1;
    const double keep = fmin(fmax(part, 1.0 / (double)l->steps), 1); /* at first the mean of all so far */
    struct learn_weight *w = l->weights[head];
    for (int i = 0; i < POLICY_BITS; i++)
        for (int j = 0; j <= i; j++, w++) {
            const float own = slope_of(slope, i, j);
            const float image = recipe->mirror ? slope_of(slope, bits_mirror(i), bits_mirror(j)) : 0;
            const float s = (own + image) * share;
            if (recipe->rule == LEARN_ADAM) {
                /* Kingma and Ba: the mean gradient, relative to the usual size of this weight's gradients,
                 * both with their bias corrections. */
                w->mean = mean_keeps * w->mean + (1 - mean_keeps) * s;
                w->square = square_keeps * w->square + (1 - square_keeps) * (s * s);
                w->now += pace * (w->mean * mean_scale) / (sqrtf(w->square * square_scale) + 1e-7F);
            } else {
                w->now += pace * s;
            }
            w->average += (w->now - w->average) * (float)keep;
        }
}

/* The weights as squares: those of the moment, or the rounded average. */
static void spread(const struct learn *l, bool average, struct policy_weights *out) {
    for (int head = 0; head < LEARN_HEADS; head++) {
        float(*square)[POLICY_ROW] = head == LEARN_MOVE ? out->move : out->value;
        const struct learn_weight *w = l->weights[head];
        for (int i = 0; i < POLICY_BITS; i++)
            for (int j = 0; j <= i; j++, w++)
                square[i][j] = square[j][i] = average ? policy_round(w->average) : w->now;
    }
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

/* Lanes are added in order, because sums of floats depend on it. */
bool learn_step(struct learn *l, int threads, struct err *e) {
    const struct pool_work work = {
        .jobs = LEARN_LANES, .workers = threads, .shared = l, .result_size = 1, .run = run_lane};
    if (pool_run(&work, e) < 0)
        return false;
    struct learn_slope *sum = &l->lanes[0].slope;
    for (int lane = 0; lane < LEARN_LANES; lane++) {
        add_tally(&l->tally, &l->lanes[lane].tally);
        if (lane > 0) {
            add_square(sum->move, l->lanes[lane].slope.move);
            add_square(sum->value, l->lanes[lane].slope.value);
        }
    }
    l->steps++;
    change_head(l, LEARN_MOVE, sum->move, l->recipe.rate);
    change_head(l, LEARN_VALUE, sum->value, l->recipe.value_rate);
    spread(l, false, &l->square);
    l->games += (uint64_t)l->recipe.batch;
    if (l->recipe.past > 0 && l->games / (uint64_t)l->recipe.keep > l->stored) {
        /* Stored in place of random older ones, so that old ones become rare. */
        struct rng r;
        rng_seed_stream(&r, ~l->seed, l->stored);
        const int place = l->stored >= LEARN_PAST_MAX ? (int)rng_below(&r, LEARN_PAST_MAX) : (int)l->stored;
        memcpy(l->past[place].move, l->square.move, sizeof l->square.move);
        l->stored++;
    }
    return true;
}

/* ---- the learner ---- */

struct learn *learn_open(const struct learn_recipe *recipe, uint64_t seed) {
    struct learn *l = mem_alloc(sizeof *l);
    l->recipe = *recipe;
    l->seed = seed;
    return l;
}

/* Pearson's; undefined when all values or all results are equal. */
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
    spread(l, true, out);
}

/* ---- recipes ---- */

#define AT(field) offsetof(struct learn_recipe, field)

const struct param learn_params[] = {
    {"rule", PARAM_CHOICE, AT(rule), .choices = "plain|adam", .fallback = LEARN_ADAM,
     .help = "how slopes become changes: times the rate, or by Adam"},
    {"sides", PARAM_CHOICE, AT(sides), .choices = "first|both", .fallback = LEARN_BOTH,
     .help = "whose moves are learned from"},
    {"rate", PARAM_REAL, AT(rate), 0, 1, 0.01, .help = "learning rate of the moves"},
    {"value_rate", PARAM_REAL, AT(value_rate), 0, 1, 0.005, .help = "learning rate of the value"},
    {"half", PARAM_INT, AT(half), 0, 2000000000, 500000,
     .help = "games after which the rates are a half, after twice as many a third; 0: never"},
    {"batch", PARAM_INT, AT(batch), LEARN_LANES, 65536, 256, .help = "games a step; a multiple of 8"},
    {"plies", PARAM_INT, AT(plies), 20, LEARN_PLIES_MAX, 200, .help = "a game that is longer is drawn"},
    {"mirror", PARAM_SWITCH, AT(mirror), .fallback = 1, .help = "learn from every game in a mirror too"},
    {"baseline", PARAM_SWITCH, AT(baseline), .fallback = 1,
     .help = "results count by how much better they are than the value said"},
    {"draws", PARAM_SWITCH, AT(draws), .fallback = 1, .help = "learn from drawn games too, as worth 0"},
    {"lambda", PARAM_REAL, AT(lambda), 0, 1, 0.9,
     .help = "with a baseline: 1 only the result counts, 0 only the next value"},
    {"entropy", PARAM_REAL, AT(entropy), 0, 1, 0.01, .help = "how much is done for variety"},
    {"past", PARAM_REAL, AT(past), 0, 1, 0.3,
     .help = "the part of the games that is played against earlier weights"},
    {"keep", PARAM_INT, AT(keep), 1, 2000000000, 20000,
     .help = "games after which the weights of the moment are kept for those (the last 16 or so)"},
    {"average", PARAM_INT, AT(average), 0, 2000000000, 300000,
     .help = "games over which the weights that are written are averaged; 0: none"},
    {0},
};

/* Shiga's: alpha 0.001, beta 0.0001, only the first player's moves, one game at a time (here eight, one a
 * lane), games of 100 moves each. */
static const char published[] =
    "own:rule=plain,sides=first,rate=0.001,value_rate=0.0001,half=0,batch=8,plies=200,"
    "mirror=no,baseline=no,draws=no,entropy=0,past=0,average=0";

/* Sets the options that the spec names. Later texts overwrite: a recipe is its base, then the options of the
 * spec. */
static bool apply(const char *text, struct spec *spec, struct learn_recipe *out, struct err *e) {
    if (!spec_parse(text, spec, e))
        return false;
    for (int i = 0; i < spec->count; i++)
        if (!params_set(learn_params, spec->pairs[i].key, spec->pairs[i].value, out, e))
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
    return (!is_published || apply(published, &spec, out, e)) && apply(text, &spec, out, e) &&
           (out->batch % LEARN_LANES == 0 ||
            err_set(e, "batch=%d: expected a multiple of %d", out->batch, LEARN_LANES));
}

void learn_recipe_write(const struct learn_recipe *recipe, struct text *out) {
    for (const struct param *p = learn_params; p->name != NULL; p++) {
        text_add(out, "%s%s=", p == learn_params ? "own:" : ",", p->name);
        params_write_value(p, recipe, out);
    }
}

/* ---- states ---- */

/* The state of a run as text. Weights are written as the bits of their floats, eight hexadecimal digits: a
 * run continues exactly where it was. */

#define HEADER "senjutsu geister learning 1"

static void write_floats(const float *values, int count, struct text *out) {
    for (int i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        text_add(out, "%08" PRIx32 "%s", bits, i < count - 1 ? " " : "\n");
    }
}

/* Every line is checked when it is read: a file that was cut off must not continue a run. */
void learn_write(const struct learn *l, struct text *out) {
    text_add_string(out, HEADER "\nrecipe ");
    learn_recipe_write(&l->recipe, out);
    text_add(out, "\nseed %" PRIu64 "\ngames %" PRIu64 "\nsteps %" PRIu64 "\n", l->seed, l->games, l->steps);
    for (int head = 0; head < LEARN_HEADS; head++)
        for (int p = 0; p < POLICY_PAIRS; p++) {
            const struct learn_weight *w = &l->weights[head][p];
            write_floats((const float[4]){w->now, w->mean, w->square, w->average}, 4, out);
        }
    text_add(out, "kept %" PRIu64 "\n", l->stored);
    for (int past = 0; past < past_count(l); past++)
        for (int i = 0; i < POLICY_BITS; i++)
            write_floats(l->past[past].move[i], i + 1, out);
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

/* A line of exactly that many floats; `words` is the number in the sentence. */
static bool float_line(struct reader *r, int count, const char *words, float *out, struct err *e) {
    if (!next_line(r, e))
        return false;
    const char *at = r->text;
    uint32_t bits;
    int used = 0, read = 0;
    for (; read < count && sscanf(at, "%8" SCNx32 "%n", &bits, &used) == 1; at += used)
        memcpy(&out[read++], &bits, sizeof bits);
    return (read == count && *at == '\0') ||
           err_set(e, "%s:%d: expected %s numbers of eight hexadecimal digits", r->name, r->line, words);
}

/* Earlier weights are stored as triangles and completed to squares here. */
static bool read_weights(struct reader *r, struct learn *l, struct err *e) {
    for (int i = 0; i < LEARN_HEADS * POLICY_PAIRS; i++) {
        struct learn_weight *w = &l->weights[i / POLICY_PAIRS][i % POLICY_PAIRS];
        float floats[4];
        if (!float_line(r, 4, "four", floats, e))
            return false;
        *w = (struct learn_weight){floats[0], floats[1], floats[2], floats[3]};
    }
    if (!number_line(r, "kept", &l->stored, e))
        return false;
    for (int i = 0; i < past_count(l) * POLICY_BITS; i++) {
        float(*move)[POLICY_ROW] = l->past[i / POLICY_BITS].move;
        const int bit = i % POLICY_BITS;
        char words[16];
        snprintf(words, sizeof words, "%d", bit + 1);
        if (!float_line(r, bit + 1, words, move[bit], e))
            return false;
        for (int j = 0; j < bit; j++)
            move[j][bit] = move[bit][j];
    }
    return next_line(r, e) && ((strcmp(r->text, "end") == 0 && r->at == r->end) ||
                               err_set(e, "%s:%d: expected the end", r->name, r->line));
}

struct learn *learn_read(const char *name, const char *text, size_t size, struct err *e) {
    struct reader r = {.name = name, .at = text, .end = text + size};
    struct learn_recipe recipe;
    if (!next_line(&r, e))
        return NULL;
    if (strcmp(r.text, HEADER) != 0) {
        err_set(e, "%s:1: expected '" HEADER "', not '%.60s'", name, r.text);
        return NULL;
    }
    const char *rest = word_line(&r, "recipe", e);
    if (rest == NULL || (!learn_recipe_read(rest, &recipe, e) && !err_prefix(e, "%s:%d: ", name, r.line)))
        return NULL;
    struct learn *l = learn_open(&recipe, 0);
    if (!number_line(&r, "seed", &l->seed, e) || !number_line(&r, "games", &l->games, e) ||
        !number_line(&r, "steps", &l->steps, e) || !read_weights(&r, l, e)) {
        mem_free(l);
        return NULL;
    }
    spread(l, false, &l->square);
    return l;
}

/* ---- geist: the learner ---- */

enum { BATCH = 8, PURPLE_BYTES = 1 << 16 };

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

/* ---- geist: a game ---- */

struct league_game {
    struct duel duel;
    struct rng rng;
    enum opponent opponent;
    int seat;  /* the opponent's side; -1: self-play */
    int depth; /* of purple */
    float sharpness;
    double slips;
};

/* All random numbers are drawn in any case, so that recipes with other shares see the same games. */
static void pair_up(struct geist_learn *l, struct league_game *game) {
    struct rng *const r = &game->rng;
    rng_seed_stream(r, l->seed, (uint64_t)l->done);
    const struct policy_weights *sides[2] = {&l->now, &l->now};
    const double kind = rng_unit(r), deep = rng_unit(r);
    const uint32_t seat = rng_below(r, 2), which = rng_below(r, GEIST_PAST_MAX);
    game->opponent = kind >= l->recipe.purple + l->recipe.past ? SELF
                     : kind < l->recipe.purple                 ? PURPLE
                                                               : PAST;
    game->seat = game->opponent == SELF ? -1 : (int)seat;
    game->depth = deep < 0.6 ? 2 : deep < 0.9 ? 3 : 4;
    game->sharpness = deep < 0.5 ? 1 : 4;
    if (game->opponent == PAST)
        sides[seat] = &l->past[(int)which % l->past_count];
    duel_start_random(&game->duel, sides, r);
}

/* A side that can leave does; only our own decisions are learned from. */
static action choose(struct geist_learn *l, struct league_game *game, struct duel_turn *turn) {
    const int mover = game->duel.board.mover;
    const bool theirs = mover == game->seat, is_purple = theirs && game->opponent == PURPLE;
    struct geister_observation *const seen = &game->duel.observations[mover];
    for (int i = 0; i < turn->count; i++)
        if (turn->steps[i].on == BIT_ESCAPES)
            return turn->moves[i];
    if ((game->slips > 0 && rng_unit(&game->rng) < game->slips) ||
        (is_purple && rng_unit(&game->rng) < purple_slips))
        return turn->moves[rng_below(&game->rng, (uint32_t)turn->count)];
    if (is_purple)
        return purple_move(l->purple, seen, game->depth);
    for (int i = 0; theirs && i < turn->count; i++)
        turn->scores[i] *= game->sharpness;
    duel_chances(turn);
    const int chosen = policy_draw(turn->chances, turn->count, &game->rng);
    if (!theirs) {
        struct learn_note *const note = &l->notes[l->note_count];
        bits_of(seen, &note->list);
        note->turn = *turn;
        note->chosen = chosen;
        l->note_sides[l->note_count++] = (uint8_t)mover;
    }
    return turn->moves[chosen];
}

/* Returns the winner or DUEL_DRAWN. */
static int play_league_game(struct geist_learn *l, struct league_game *game) {
    struct duel_turn turn;
    int end = DUEL_GOES_ON;
    l->note_count = l->board_count = 0;
    pair_up(l, game);
    while (end == DUEL_GOES_ON && game->duel.ply < GEIST_PLIES) {
        l->boards[l->board_count++] = game->duel.board;
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

/* ---- geist: the policy ---- */

/* REINFORCE (Williams 1992) without a baseline: a game counts by its result alone. */
static void learn_policy_game(struct geist_learn *l) {
    struct league_game game = {0};
    const int end = play_league_game(l, &game);
    for (int i = 0; i < l->note_count; i++)
        learn_move_slope(&l->notes[i], end == DUEL_DRAWN ? draw_gain : result_of(end, l->note_sides[i]), 0,
                         &l->slope);
    l->done++;
    const int every = l->recipe.games / GEIST_PAST_MAX > 0 ? l->recipe.games / GEIST_PAST_MAX : 1;
    if (l->done % BATCH == 0 || l->done == l->recipe.games) {
        /* Weights change by the result of a batch of games, and by that of its mirror image. The weight of a
         * single bit is that of its pair with the bit that is always set. */
        const double part = (double)l->done / l->recipe.games;
        const float rate = (float)(l->recipe.rate + part * (l->recipe.rate_end - l->recipe.rate));
        float(*const s)[POLICY_ROW] = l->slope.move, (*const w)[POLICY_ROW] = l->now.move;
        for (int i = 0; i < POLICY_BITS; i++)
            for (int j = 0; j < i; j++) {
                const int a = bits_mirror(i), b = bits_mirror(j);
                w[i][j] += rate * (s[i][j] + s[j][i] + s[a][b] + s[b][a]);
                w[j][i] = w[i][j];
            }
        memset(&l->slope.move, 0, sizeof l->slope.move);
    }
    if (l->done % every == 0 && l->past_count < GEIST_PAST_MAX)
        l->past[l->past_count++] = l->now;
    if (l->done == l->recipe.games)
        memcpy(l->weights.move, l->now.move, sizeof l->weights.move);
}

/* ---- geist: the values ---- */

/* One step of gradient descent on the squared error; the rate falls linearly. */
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

/* A third of the positions, each mirrored with probability 1/2. */
static void learn_value_game(struct geist_learn *l) {
    struct league_game game = {.slips = 0.02};
    const int end = play_league_game(l, &game);
    for (int k = 0; k <= l->board_count / 3; k++) {
        struct geist_board b = l->boards[rng_below(&game.rng, (uint32_t)l->board_count)];
        if (geist_can_leave(&b))
            continue;
        if (rng_below(&game.rng, 2) == 1)
            geist_mirror(&b);
        const int mover = b.mover, other = 1 - mover;
        const float target = end == DUEL_DRAWN ? 0.5F : end == mover ? 1 : 0;
        struct bit_list bits;
        value_bits(&b, mover, NULL, &bits);
        learn_value(l, VALUE_OPEN, &bits, target);
        value_bits(&b, mover, (const uint8_t[2]){b.lost_blues[other], b.lost_reds[other]}, &bits);
        learn_value(l, VALUE_MOVER, &bits, target);
        value_bits(&b, other, (const uint8_t[2]){b.lost_blues[mover], b.lost_reds[mover]}, &bits);
        learn_value(l, VALUE_WAITING, &bits, 1 - target);
        l->tally.positions++;
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
