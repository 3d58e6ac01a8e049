/* SPDX-License-Identifier: MIT */
#include "evolve/gallery_facts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- qualities ---- */

static struct share strong_red(const struct judgement *j) {
    return judgement_strong_with(j, TBS_RED);
}

static struct share strong_blue(const struct judgement *j) {
    return judgement_strong_with(j, TBS_BLUE);
}

const struct gallery_quality gallery_qualities[QUALITIES] = {
    [QUALITY_STRONG_RED] = {"strong_red", "Strong’s score with red", strong_red},
    [QUALITY_STRONG_BLUE] = {"strong_blue", "Strong’s score with blue", strong_blue},
    [QUALITY_STRENGTH] = {"strength", "Strength: both together", judgement_strength},
    [QUALITY_RED] = {"red", "Red’s score between equals", judgement_red},
    [QUALITY_DECISIVE] = {"decisive", "Games with a winner", judgement_decisive},
};

enum { MEASURE_MAX = 80 };

static char *measure(const char *what, const struct share *share, char out[MEASURE_MAX]) {
    out[0] = '\0';
    if (share->games > 0)
        snprintf(out, MEASURE_MAX, ", %s %.1f %% (%.1f to %.1f)", what, 100 * share->value,
                 100 * share->interval.low, 100 * share->interval.high);
    return out;
}

/* tbs_map_write would replace what must not stand in a comment; there is nothing of it in here. */
static void write_comment(const struct evolution *ev, struct gallery_facts *f) {
    const int games = judgement_games(f->judgement);
    char strength[MEASURE_MAX], red[MEASURE_MAX], count[MEASURE_MAX] = "";
    if (games > 0)
        snprintf(count, sizeof count, ", %d %sgames", games, f->is_fresh ? "fresh " : "");
    snprintf(f->map.comment, sizeof f->map.comment, "evolved by senjutsu, preset %s, seed %llu, map %d%s%s%s",
             recipe_presets[ev->plan->recipe.preset], (unsigned long long)ev->seed, f->individual->id,
             measure("strong beats weak", &f->qualities[QUALITY_STRENGTH], strength),
             measure("red between equals", &f->qualities[QUALITY_RED], red), count);
    snprintf(f->map.author, sizeof f->map.author, "senjutsu evolve");
}

void gallery_facts_make(const struct evolution *ev, int rank, struct gallery_facts *out) {
    const struct individual *individual = &ev->individuals[ev->shown[rank]];
    const bool is_fresh = judgement_games(&individual->fresh) > 0;
    memset(out, 0, sizeof *out);
    out->individual = individual;
    out->origin = &ev->origins[individual->id];
    out->is_fresh = is_fresh;
    out->judgement = is_fresh ? &individual->fresh : &individual->judgement;
    for (int i = 0; i < QUALITIES; i++)
        out->qualities[i] = gallery_qualities[i].measure(out->judgement);
    out->fitness_fresh = evolution_fitness_by(ev->plan, individual, &individual->fresh);
    genome_to_map(&ev->plan->space, &individual->genome, &out->map);
    remarks_make(&out->map, ev->plan->rules, out->judgement, &out->remarks);
    write_comment(ev, out);
}

/* ---- numbers ---- */

char *gallery_count(long long count, char out[GALLERY_NUMBER_MAX]) {
    char digits[24];
    const int length = snprintf(digits, sizeof digits, "%lld", count < 0 ? 0 : count);
    int size = 0;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            out[size++] = ',';
        out[size++] = digits[i];
    }
    out[size] = '\0';
    return out;
}

char *gallery_share(const struct share *share, char out[GALLERY_NUMBER_MAX]) {
    if (share->games > 0)
        snprintf(out, GALLERY_NUMBER_MAX, "%.1f %% (%.1f–%.1f)", 100 * share->value,
                 100 * share->interval.low, 100 * share->interval.high);
    else
        snprintf(out, GALLERY_NUMBER_MAX, "–");
    return out;
}

char *gallery_fitness(const struct evolution *ev, double fitness, char out[GALLERY_NUMBER_MAX]) {
    if (!isfinite(fitness))
        snprintf(out, GALLERY_NUMBER_MAX, "–");
    else if (ev->plan->recipe.method == METHOD_ARCHIVE)
        snprintf(out, GALLERY_NUMBER_MAX, "%.3f", fitness);
    else
        snprintf(out, GALLERY_NUMBER_MAX, fabs(fitness - round(fitness)) < 0.05 ? "%.0f" : "%.1f", fitness);
    return out;
}

double gallery_ceiling(const struct evolution *ev) {
    const struct recipe *recipe = &ev->plan->recipe;
    return recipe->method == METHOD_ARCHIVE ? 1 : judgement_fitness(recipe->games, recipe->games);
}

int gallery_games_fresh(const struct evolution *ev) {
    int games = 0;
    for (int i = 0; i < ev->shown_count; i++)
        games += judgement_games(&ev->individuals[ev->shown[i]].fresh);
    return games;
}

char *gallery_name(int id, char out[GALLERY_NUMBER_MAX]) {
    snprintf(out, GALLERY_NUMBER_MAX, "%04d", id);
    return out;
}
