/* SPDX-License-Identifier: MIT
 *
 * The course of a run and its maps as comma-separated values. What is not known is empty.
 */
#include "base/encode.h"
#include "evolve/gallery_facts.h"

static void add_number(double value, int decimals, struct text *out) {
    text_add_string(out, ",");
    csv_number(value, decimals, out);
}

static void add_id(int id, struct text *out) {
    text_add_string(out, ",");
    if (id >= 0)
        text_add(out, "%d", id);
}

void gallery_fitness_csv(const struct evolution *ev, struct text *out) {
    text_add_string(out, "generation,evaluations,games,best,mean,best_id,filled\n");
    for (int i = 0; i < ev->generation_count; i++) {
        const struct generation *g = &ev->generations[i];
        text_add(out, "%d,%d,%d", g->number, g->evaluations, g->games);
        add_number(g->best, 6, out);
        add_number(g->mean, 6, out);
        add_id(g->best_id, out);
        text_add(out, ",%d\n", g->filled);
    }
}

/* ---- maps ---- */

static void add_head(struct text *out) {
    text_add_string(out, "rank,id,generation,note,parent,other_parent,place_length,place_mix,fitness,"
                         "fitness_fresh,games_from,games,forfeits");
    for (int i = 0; i < QUALITIES; i++) {
        const char *key = gallery_qualities[i].key;
        text_add(out, ",%s,%s_low,%s_high,%s_games", key, key, key, key);
    }
    text_add_string(out, ",turns,actions,annihilated,first_kills_red,first_kills_blue,first_attacks_red,"
                         "first_attacks_blue,attackers_red,attackers_blue,no_prey_red,no_prey_blue,"
                         "stranded_red,stranded_blue,roads,isolated_roads,road_ends,rough,gathered,strewn,"
                         "coherence,natural\n");
}

static void add_selection(const struct gallery_facts *f, struct text *out) {
    const struct individual *one = f->individual;
    text_add(out, ",%d,%d,", one->id, f->origin->generation);
    csv_field(f->origin->note, out);
    for (int i = 0; i < 2; i++)
        add_id(f->origin->parents[i], out);
    for (int i = 0; i < FEATURES; i++)
        add_id(one->place[i], out);
    add_number(one->fitness, 6, out);
    add_number(f->fitness_fresh, 6, out);
}

static void add_qualities(const struct gallery_facts *f, struct text *out) {
    const struct judgement *j = f->judgement;
    text_add(out, ",%s,%d,%d", f->is_fresh ? "fresh" : "selection", judgement_games(j), j->forfeits);
    for (int i = 0; i < QUALITIES; i++) {
        const struct share *share = &f->qualities[i];
        if (share->games == 0) {
            text_add_string(out, ",,,,0");
            continue;
        }
        add_number(share->value, 6, out);
        add_number(share->interval.low, 6, out);
        add_number(share->interval.high, 6, out);
        text_add(out, ",%d", share->games);
    }
}

static void add_course(const struct judgement *j, struct text *out) {
    const int games = judgement_games(j);
    if (games == 0) {
        text_add_string(out, ",,,,,");
        return;
    }
    add_number(judgement_turns(j), 4, out);
    add_number((double)j->actions / games, 4, out);
    add_number((double)j->annihilated / games, 6, out);
    for (int side = 0; side < TBS_SIDES; side++)
        add_number(judgement_first_kills_mean(j, side), 4, out);
}

static void add_looks(const struct looks *looks, struct text *out) {
    const int *const pairs[] = {looks->first_attacks, looks->attackers, looks->no_prey, looks->stranded};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        text_add(out, ",%d,%d", pairs[i][TBS_RED], pairs[i][TBS_BLUE]);
    text_add(out, ",%d,%d,%d,%d,%d,%d", looks->roads, looks->isolated_roads, looks->road_ends, looks->rough,
             looks->gathered, looks->strewn);
    add_number(looks->coherence, 4, out);
    add_number(looks->natural, 4, out);
}

void gallery_maps_csv(const struct evolution *ev, struct text *out) {
    add_head(out);
    for (int i = 0; i < ev->shown_count; i++) {
        struct gallery_facts facts;
        gallery_facts_make(ev, i, &facts);
        text_add(out, "%d", i + 1);
        add_selection(&facts, out);
        add_qualities(&facts, out);
        add_course(facts.judgement, out);
        add_looks(&facts.individual->looks, out);
        text_add_string(out, "\n");
    }
}
