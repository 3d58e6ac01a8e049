/* SPDX-License-Identifier: MIT */
#include "evolve/progress.h"

void evolution_progress_init(struct evolution_progress *p, const struct plan *plan) {
    *p = (struct evolution_progress){.plan = plan, .last.number = -1};
}

static bool is_archive(const struct evolution_progress *p) {
    return p->plan->recipe.method == METHOD_ARCHIVE;
}

void evolution_progress_trial(struct evolution_progress *p, bool recalled) {
    p->trials++;
    p->recalled += recalled;
}

/* Verification shows itself by fresh games; then it is no new generation. */
bool evolution_progress_generation(struct evolution_progress *p, const struct evolution *ev) {
    if (ev->generation_count == 0 || ev->verified)
        return false;
    const struct recipe *r = &p->plan->recipe;
    /* With a budget its reserve ends the generations; it judges no new maps. */
    const struct generation *now = &ev->generations[ev->generation_count - 1];
    p->finals =
        is_archive(p) &&
        (p->ending || (r->budget > 0 && p->last.number >= 0 && p->last.evaluations == now->evaluations));
    p->last = *now;
    p->shown = ev->shown_count;
    p->ending = p->ending || p->finals || p->last.number >= r->generations ||
                (r->budget > 0 && p->last.games >= r->budget);
    return true;
}

double evolution_progress_fresh(const struct evolution_progress *p) {
    const struct recipe *r = &p->plan->recipe;
    const int shown = p->ending ? p->shown : r->show;
    return (double)shown * (r->verify / 2) * TRIAL_KINDS;
}

/* What one map took so far tells what the others will take. */
double evolution_progress_planned(const struct evolution_progress *p) {
    const struct recipe *r = &p->plan->recipe;
    if (p->ending)
        return is_archive(p) && !p->finals ? 0 : p->last.games + evolution_progress_fresh(p);
    double planned = evolution_trials_planned(p->plan);
    if (!(planned > 0) && p->last.number >= 0 && p->last.evaluations > 0)
        planned =
            (double)p->last.games / p->last.evaluations * (r->born + (double)r->generations * r->population);
    return planned > 0 ? planned + evolution_progress_fresh(p) : 0;
}

void evolution_progress_stage(const struct evolution_progress *p, struct text *out) {
    if (p->last.number < 0)
        text_add_string(out, "birth");
    else if (p->ending)
        text_add_string(out, is_archive(p) && !p->finals ? "judging the best again" : "verifying");
    else
        text_add(out, "generation %d of %d", p->last.number + 1, p->plan->recipe.generations);
}
