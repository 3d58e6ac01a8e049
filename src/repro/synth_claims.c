/* SPDX-License-Identifier: MIT */
#include "repro/synth_claims.h"

#include "repro/synth_plot.h"

#include <stdio.h>

enum { HALF = SYNTH_DFS / 2 };

static struct synth_span all_of(const struct synth_series *s) {
    return (struct synth_span){s->first, SYNTH_DFS};
}

static struct synth_span small_of(const struct synth_series *s) {
    return (struct synth_span){s->first, HALF};
}

static struct synth_span large_of(const struct synth_series *s) {
    return (struct synth_span){s->first + HALF, HALF};
}

/* ---- rows ---- */

static void add_pooled(const struct repro_data *data, struct repro_result *out,
                       const struct synth_series *s) {
    const struct cell_sum small = synth_pooled(data, small_of(s), SYNTH_MEAN);
    const struct cell_sum large = synth_pooled(data, large_of(s), SYNTH_MEAN);
    struct rows_term terms[SYNTH_DFS];
    for (int i = 0; i < SYNTH_DFS; i++)
        terms[i] = (struct rows_term){s->first + i, SYNTH_MEAN, (i < HALF ? -1.0 : 1.0) / HALF};
    const struct cell_sum growth = rows_contrast(data, terms, SYNTH_DFS);
    char label[REPRO_NAME_MAX];
    snprintf(label, sizeof label, "df 0.1 to 0.5%s: payoff", s->setting);
    rows_add_mean(out, label, "", 1, &small);
    snprintf(label, sizeof label, "df 0.6 to 1.0%s: payoff", s->setting);
    rows_add_mean(out, label, "", 1, &large);
    snprintf(label, sizeof label, "large df less small%s: payoff", s->setting);
    rows_add_mean(out, label, "", 1, &growth);
}

void synth_add_costs(const struct repro_data *data, struct repro_result *out, const struct synth_series *s) {
    char what[REPRO_NAME_MAX];
    synth_add_rows(data, out, all_of(s), SYNTH_MS_A, "ms a move, AMCTS");
    snprintf(what, sizeof what, "ms a move, %s", s->opponent);
    synth_add_rows(data, out, all_of(s), SYNTH_MS_B, what);
    synth_add_rows(data, out, all_of(s), SYNTH_LEAVES_A, "leaves a move, AMCTS");
    snprintf(what, sizeof what, "leaves a move, %s", s->opponent);
    synth_add_rows(data, out, all_of(s), SYNTH_LEAVES_B, what);
}

void synth_add_payoffs(const struct repro_data *data, struct repro_result *out,
                       const struct synth_series *s) {
    synth_add_rows(data, out, all_of(s), SYNTH_MEAN, "payoff");
    add_pooled(data, out, s);
}

/* ---- claims, each with its rule ---- */

/* What a finding's sentence begins with. */
static const char *under(const struct synth_series *s) {
    return s->setting[0] == ',' ? s->setting + 2 : "";
}

static const char *colon(const struct synth_series *s) {
    return s->setting[0] == ',' ? ": " : "";
}

/* Better: by the interval over all df, and behind at none. */
static void claim_better(const struct repro_data *data, struct repro_result *out,
                         const struct synth_series *s) {
    const struct cell_sum m = synth_pooled(data, all_of(s), SYNTH_MEAN);
    const struct synth_verdicts v = synth_judge(data, all_of(s));
    rows_add_finding(
        out, m.t95.low > SYNTH_EVEN && v.below == 0,
        "%s%sAMCTS gets more than %s: over all df %.3f (%.3f to %.3f); above 2.00 by its interval "
        "at %d of %d df, below at %d (at which df the paper sees it cannot be read)",
        under(s), colon(s), s->opponent, m.mean, m.t95.low, m.t95.high, v.above, SYNTH_DFS, v.below);
}

static void claim_equal(const struct repro_data *data, struct repro_result *out,
                        const struct synth_series *s) {
    const struct synth_verdicts v = synth_judge(data, all_of(s));
    rows_add_finding(out, fabs(v.farthest) <= SYNTH_AXIS,
                     "%s%sAMCTS and %s are about equal: each mean within %.2f of 2.00 (the farthest: %+.3f)",
                     under(s), colon(s), s->opponent, SYNTH_AXIS, v.farthest);
}

static void claim_not_above(const struct repro_data *data, struct repro_result *out,
                            const struct synth_series *s) {
    const struct synth_verdicts v = synth_judge(data, all_of(s));
    rows_add_finding(out, v.above == 0,
                     "%s%sAMCTS does not exceed %s: above 2.00 by its interval at %d of %d df, below at %d",
                     under(s), colon(s), s->opponent, v.above, SYNTH_DFS, v.below);
}

/* The axes' surviving labels end there. */
static void claim_axis(const struct repro_data *data, struct repro_result *out,
                       const struct synth_series *s) {
    const struct synth_verdicts v = synth_judge(data, all_of(s));
    rows_add_finding(
        out, fabs(v.farthest) <= SYNTH_AXIS,
        "%s%sno side is more than %.2f above 2.00, as far as the axis shows (the farthest: %.3f)", under(s),
        colon(s), SYNTH_AXIS, fabs(v.farthest));
}

static void claim_falls(const struct repro_data *data, struct repro_result *out,
                        const struct synth_series *s) {
    const struct cell_sum low = rows_sum(data, s->first, SYNTH_MS_A);
    const struct cell_sum high = rows_sum(data, s->first + SYNTH_DFS - 1, SYNTH_MS_A);
    const struct cell_sum change = synth_difference(data, SYNTH_MS_A, s->first + SYNTH_DFS - 1, s->first);
    int rises = 0;
    for (int i = s->first + 1; i < s->first + SYNTH_DFS; i++)
        rises += synth_difference(data, SYNTH_LEAVES_A, i, i - 1).t95.low > 0;
    rows_add_finding(
        out, change.t95.high < 0 && rises == 0,
        "%s%sAMCTS's time falls as df grows: from %.3g ms a move at df 0.1 to %.3g at 1.0; its leaves "
        "rise at %d of %d steps of df",
        under(s), colon(s), low.mean, high.mean, rises, SYNTH_DFS - 1);
}

/* At how many df A takes more time than B (sign 1) or less (-1), by the interval of the difference. */
static int count_times(const struct repro_data *data, const struct synth_series *s, int sign) {
    int count = 0;
    for (int i = 0; i < SYNTH_DFS; i++) {
        const struct rows_term terms[] = {{s->first + i, SYNTH_MS_A, sign},
                                          {s->first + i, SYNTH_MS_B, -sign}};
        count += rows_contrast(data, terms, 2).t95.low > 0;
    }
    return count;
}

/* How many times as much of a value the one that costs more needs, at the df where it is nearest and where it
 * is farthest. */
static struct interval ratios(const struct repro_data *data, const struct synth_series *s, int more,
                              int less) {
    struct interval r = {(double)INFINITY, 0};
    for (int i = 0; i < SYNTH_DFS; i++) {
        const double below = rows_sum(data, s->first + i, less).mean;
        const double ratio = below > 0 ? rows_sum(data, s->first + i, more).mean / below : 0;
        r.low = fmin(r.low, ratio);
        r.high = fmax(r.high, ratio);
    }
    return r;
}

static void claim_longer(const struct repro_data *data, struct repro_result *out,
                         const struct synth_series *s) {
    const int count = count_times(data, s, 1);
    const struct interval ms = ratios(data, s, SYNTH_MS_A, SYNTH_MS_B);
    const struct interval leaves = ratios(data, s, SYNTH_LEAVES_A, SYNTH_LEAVES_B);
    rows_add_finding(
        out, count == SYNTH_DFS,
        "%s%sAMCTS takes longer than %s, at %d of %d df: %.3g to %.3g times the time, %.3g to %.3g "
        "times the leaves",
        under(s), colon(s), s->opponent, count, SYNTH_DFS, ms.low, ms.high, leaves.low, leaves.high);
}

static void claim_cheaper(const struct repro_data *data, struct repro_result *out,
                          const struct synth_series *s) {
    const int count = count_times(data, s, -1);
    const struct interval ms = ratios(data, s, SYNTH_MS_B, SYNTH_MS_A);
    const struct interval leaves = ratios(data, s, SYNTH_LEAVES_B, SYNTH_LEAVES_A);
    rows_add_finding(out, count == SYNTH_DFS,
                     "%s%sAMCTS takes far less time than %s, at %d of %d df: %s needs %.3g to %.3g times the "
                     "time, %.3g to %.3g times the leaves",
                     under(s), colon(s), s->opponent, count, SYNTH_DFS, s->opponent, ms.low, ms.high,
                     leaves.low, leaves.high);
}

static void claim_better_at_large(const struct repro_data *data, struct repro_result *out,
                                  const struct synth_series *s) {
    const struct cell_sum m = synth_pooled(data, large_of(s), SYNTH_MEAN);
    const struct synth_verdicts v = synth_judge(data, large_of(s));
    rows_add_finding(out, m.t95.low > SYNTH_EVEN,
                     "%s%sAMCTS gets more than %s where df is large (a reading, not certain): %.3f (%.3f to "
                     "%.3f) over df 0.6 to 1.0, above 2.00 at %d of %d",
                     under(s), colon(s), s->opponent, m.mean, m.t95.low, m.t95.high, v.above, HALF);
}

static void claim_behind_at_small(const struct repro_data *data, struct repro_result *out,
                                  const struct synth_series *s) {
    const struct cell_sum m = synth_pooled(data, small_of(s), SYNTH_MEAN);
    const struct synth_verdicts v = synth_judge(data, small_of(s));
    rows_add_finding(
        out, m.t95.high < SYNTH_EVEN,
        "%s%sAMCTS is behind %s where df is small: %.3f (%.3f to %.3f) over df 0.1 to 0.5, below "
        "2.00 at %d of %d",
        under(s), colon(s), s->opponent, m.mean, m.t95.low, m.t95.high, v.below, HALF);
}

void synth_claim_more_than(const struct repro_data *data, struct repro_result *out,
                           const struct synth_series *s, int others) {
    struct rows_term terms[2 * HALF];
    for (int i = 0; i < HALF; i++) {
        terms[i] = (struct rows_term){s->first + HALF + i, SYNTH_MEAN, 1.0 / HALF};
        terms[HALF + i] = (struct rows_term){others + i, SYNTH_MEAN, -1.0 / HALF};
    }
    const struct cell_sum d = rows_contrast(data, terms, 2 * HALF);
    rows_add_finding(
        out, d.t95.low > 0,
        "%s%swhere df is large AMCTS does better against %s than with counted playouts: by %+.3f "
        "(%+.3f to %+.3f) over df 0.6 to 1.0",
        under(s), colon(s), s->opponent, d.mean, d.t95.low, d.t95.high);
}

static void (*const claims[SYNTH_CLAIMS])(const struct repro_data *, struct repro_result *,
                                          const struct synth_series *) = {
    [SYNTH_BETTER] = claim_better,
    [SYNTH_EQUAL] = claim_equal,
    [SYNTH_NOT_ABOVE] = claim_not_above,
    [SYNTH_WITHIN_AXIS] = claim_axis,
    [SYNTH_FALLS] = claim_falls,
    [SYNTH_LONGER] = claim_longer,
    [SYNTH_CHEAPER] = claim_cheaper,
    [SYNTH_BETTER_AT_LARGE] = claim_better_at_large,
    [SYNTH_BEHIND_AT_SMALL] = claim_behind_at_small,
};

void synth_add_claim(const struct repro_data *data, struct repro_result *out, const struct synth_series *s,
                     enum synth_claim claim) {
    claims[claim](data, out, s);
}

/* ---- pictures ---- */

void synth_draw_payoffs(const struct repro_data *data, struct repro_result *out, const char *suffix,
                        const char *title, const struct synth_series *s) {
    synth_plot_payoffs(data, out, suffix, title,
                       &(struct synth_bars){.first = s->first,
                                            .names = {"AMCTS", s->opponent},
                                            .axis = "mean payoff (the axis does not begin at 0)"});
}

void synth_draw_costs(const struct repro_data *data, struct repro_result *out, const char *suffix,
                      const char *title, const struct synth_series *s) {
    char name[REPRO_NAME_MAX];
    struct synth_bars bars = {.first = s->first,
                              .names = {"AMCTS", s->opponent},
                              .axis = "time a move (s)",
                              .values = {SYNTH_MS_A, SYNTH_MS_B},
                              .factor = 1e-3,
                              .format = "%g"};
    snprintf(name, sizeof name, "time%s", suffix);
    synth_plot_bars(data, out, name, title, &bars);
    bars.axis = "leaf evaluations a move";
    bars.values[0] = SYNTH_LEAVES_A;
    bars.values[1] = SYNTH_LEAVES_B;
    bars.factor = 1;
    bars.format = "%.0f";
    snprintf(name, sizeof name, "leaves%s", suffix);
    synth_plot_bars(data, out, name, title, &bars);
}
