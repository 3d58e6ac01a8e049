/* SPDX-License-Identifier: MIT
 *
 * Recipes by name and options, and the state of a run as text. Weights are written as the bits of their
 * floats, eight hexadecimal digits: a run goes on from exactly where it was.
 */
#include "geister/learn_inside.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

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
    text_add(out, "kept %" PRIu64 "\n", l->kept);
    for (int past = 0; past < learn_past_count(l); past++)
        for (int i = 0; i < POLICY_BITS; i++)
            for (int j = 0; j <= i; j++)
                text_add(out, "%08" PRIx32 "%s", bits_of_float(l->past[past].move[i][j]), j < i ? " " : "\n");
    text_add_string(out, "end\n");
}

struct reader {
    const char *name, *at, *end;
    int line;
    char text[POLICY_BITS * 9 + SPEC_TEXT_MAX]; /* the line at hand */
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

/* "WORD rest": the rest, or NULL. */
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
    if (!number_line(r, "kept", &l->kept, e))
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
    struct learn *l = learn_open(&recipe, seed, e);
    if (l == NULL)
        return NULL;
    l->games = games;
    l->steps = steps;
    if (!read_weights(&r, l, e) || !read_past(&r, l, e)) {
        learn_close(l);
        return NULL;
    }
    learn_refresh(l);
    return l;
}
