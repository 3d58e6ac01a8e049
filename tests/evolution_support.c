/* SPDX-License-Identifier: MIT */
#include "evolution_support.h"

#include "base/numbers.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

/* Member by member: the padding bytes between them are undefined. */
static void assert_same_generation(const struct generation *a, const struct generation *b) {
    assert_int_equal(a->number, b->number);
    assert_int_equal(a->evaluations, b->evaluations);
    assert_int_equal(a->games, b->games);
    assert_memory_equal(&a->best, &b->best, sizeof a->best);
    assert_memory_equal(&a->mean, &b->mean, sizeof a->mean);
    assert_int_equal(a->best_id, b->best_id);
    assert_int_equal(a->filled, b->filled);
}

static void assert_same_individual(const struct individual *a, const struct individual *b) {
    assert_int_equal(a->id, b->id);
    assert_memory_equal(&a->genome, &b->genome, sizeof a->genome);
    assert_memory_equal(&a->judgement, &b->judgement, sizeof a->judgement);
    assert_memory_equal(&a->fresh, &b->fresh, sizeof a->fresh);
    assert_memory_equal(&a->fitness, &b->fitness, sizeof a->fitness);
}

const char *origin_note(const struct origin *origin) {
    static char note[ORIGIN_NOTE_MAX];
    struct msg m;
    evolution_origin_note(origin, &m, note);
    return note;
}

void assert_same_evolution(const struct evolution *a, const struct evolution *b) {
    assert_int_equal(a->generation_count, b->generation_count);
    for (int i = 0; i < a->generation_count; i++)
        assert_same_generation(&a->generations[i], &b->generations[i]);
    assert_int_equal(a->origin_count, b->origin_count);
    for (int i = 0; i < a->origin_count; i++)
        assert_memory_equal(&a->origins[i], &b->origins[i], sizeof a->origins[i]);
    assert_int_equal(a->count, b->count);
    for (int i = 0; i < a->count; i++)
        assert_same_individual(&a->individuals[i], &b->individuals[i]);
    assert_int_equal(a->shown_count, b->shown_count);
    assert_memory_equal(a->shown, b->shown, (size_t)a->shown_count * sizeof a->shown[0]);
    assert_int_equal(a->evaluations, b->evaluations);
    assert_int_equal(a->verified, b->verified);
}

/* ---- a digest of the whole ---- */

static void write_judgement(const struct judgement *j, struct text *out) {
    const struct tally *const tallies[] = {&j->strong[0], &j->strong[1], &j->peers};
    for (int i = 0; i < 3; i++)
        text_add(out, " %d/%d/%d", tallies[i]->wins, tallies[i]->draws, tallies[i]->losses);
    text_add(out, " %lld %lld %d %d", (long long)j->turns, (long long)j->actions, j->annihilated,
             j->forfeits);
}

/* Unknown is -1: the sign of NAN differs between machines. */
static double known(double fitness) {
    return isnan(fitness) ? -1 : fitness;
}

static void write_individual(const struct individual *one, struct text *out) {
    text_add(out, "map %d %016llx %.6f at %d,%d%s:", one->id, (unsigned long long)genome_hash(&one->genome),
             known(one->fitness), one->place[0], one->place[1], one->raced_out ? " out" : "");
    write_judgement(&one->judgement, out);
    write_judgement(&one->fresh, out);
    text_add_string(out, "\n");
}

uint64_t evolution_hash(uint64_t hash, const struct evolution *ev) {
    struct text out = {0};
    for (int i = 0; i < ev->origin_count; i++) {
        const struct origin *o = &ev->origins[i];
        text_add(&out, "origin %d,%d %d %s %.4f\n", o->parents[0], o->parents[1], o->generation,
                 origin_note(o), known((double)o->fitness));
    }
    for (int i = 0; i < ev->generation_count; i++) {
        const struct generation *g = &ev->generations[i];
        text_add(&out, "generation %d %d %d %.6f %.6f %d %d\n", g->number, g->evaluations, g->games,
                 known(g->best), known(g->mean), g->best_id, g->filled);
    }
    for (int i = 0; i < ev->count; i++)
        write_individual(&ev->individuals[i], &out);
    for (int i = 0; i < ev->shown_count; i++)
        text_add(&out, "shown %d\n", ev->shown[i]);
    text_add(&out, "%d %d\n", ev->evaluations, ev->verified);
    hash = hash_bytes(hash, out.data, out.size);
    text_done(&out);
    return hash;
}
