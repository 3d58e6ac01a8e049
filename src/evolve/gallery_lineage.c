/* SPDX-License-Identifier: MIT
 *
 * Where a map comes from. Ids are given in the order of birth, so parents always have lower ones.
 */
#include "base/encode.h"
#include "base/mem.h"
#include "evolve/gallery_facts.h"

#include <assert.h>
#include <stdlib.h>

enum {
    GENERATIONS_FIRST = 10, /* what a list shows at most: so many of the latest generations, … */
    GENERATIONS_LAST = 4,   /* … so many of the earliest, … */
    OF_ONE_GENERATION = 4,  /* … and so many maps of each */
};

enum { MARK_ANCESTOR = 1, MARK_MAIN_LINE = 2 };

void gallery_mark_ancestors(const struct evolution *ev, int id, unsigned char *marks) {
    for (int at = id; at >= 0; at--) {
        if (at != id && marks[at] == 0)
            continue;
        for (int i = 0; i < 2; i++) {
            const int parent = ev->origins[at].parents[i];
            assert(parent < at);
            if (parent >= 0 && marks[parent] == 0)
                marks[parent] = MARK_ANCESTOR;
        }
    }
}

/* From each map to the fitter of its parents: of all ways back that one is shown first. */
static void mark_main_line(const struct evolution *ev, int id, unsigned char *marks) {
    while (id >= 0) {
        const int *parents = ev->origins[id].parents;
        const bool second = parents[0] < 0 || (parents[1] >= 0 && ev->origins[parents[1]].fitness >
                                                                      ev->origins[parents[0]].fitness);
        id = parents[second];
        if (id >= 0)
            marks[id] = MARK_MAIN_LINE;
    }
}

struct ancestor {
    int id, generation;
    int mark;
};

/* The latest generation first; within one the main line, then the youngest. */
static int compare(const void *left, const void *right) {
    const struct ancestor *a = left, *b = right;
    if (a->generation != b->generation)
        return a->generation > b->generation ? -1 : 1;
    if (a->mark != b->mark)
        return a->mark > b->mark ? -1 : 1;
    return a->id > b->id ? -1 : a->id < b->id;
}

/* NULL when memory ran out. */
static struct ancestor *list_ancestors(const struct evolution *ev, int id, int *count) {
    unsigned char *marks = mem_alloc((size_t)id + 1);
    *count = 0;
    if (marks == NULL)
        return NULL;
    gallery_mark_ancestors(ev, id, marks);
    mark_main_line(ev, id, marks);
    for (int i = 0; i < id; i++)
        *count += marks[i] != 0;
    struct ancestor *list = mem_alloc((size_t)(*count + 1) * sizeof *list);
    int at = 0;
    for (int i = 0; i < id && list != NULL; i++)
        if (marks[i] != 0)
            list[at++] = (struct ancestor){i, ev->origins[i].generation, marks[i]};
    mem_free(marks);
    if (list != NULL)
        qsort(list, (size_t)*count, sizeof *list, compare);
    return list;
}

/* ---- the page ---- */

static void add_ancestor(const struct evolution *ev, int id, struct text *out) {
    const struct origin *o = &ev->origins[id];
    char fitness[GALLERY_NUMBER_MAX];
    text_add(out, "<span class=\"one\"><b>#%d</b> %s <small>", id,
             gallery_fitness(ev, (double)o->fitness, fitness));
    html_escape(o->note, out);
    if (o->parents[0] >= 0)
        text_add(out, " of #%d", o->parents[0]);
    if (o->parents[1] >= 0)
        text_add(out, " × #%d", o->parents[1]);
    text_add_string(out, "</small></span>");
}

static void add_generation(const struct evolution *ev, const struct ancestor *list, int count,
                           struct text *out) {
    text_add(out, "<li><span class=\"g\">%d</span> ", list[0].generation);
    for (int i = 0; i < count && i < OF_ONE_GENERATION; i++) {
        text_add_string(out, i > 0 ? ", " : "");
        add_ancestor(ev, list[i].id, out);
    }
    if (count > OF_ONE_GENERATION)
        text_add(out, " <small>and %d more</small>", count - OF_ONE_GENERATION);
    text_add_string(out, "</li>\n");
}

/* How many at the head of the list are of one generation. */
static int generation_size(const struct ancestor *list, int count) {
    int size = 1;
    while (size < count && list[size].generation == list[0].generation)
        size++;
    return size;
}

static int generation_count(const struct ancestor *list, int count) {
    int generations = 0;
    for (int i = 0; i < count; i += generation_size(list + i, count - i))
        generations++;
    return generations;
}

static void add_list(const struct evolution *ev, const struct ancestor *list, int count, struct text *out) {
    const int generations = generation_count(list, count);
    const int hidden = generations - GENERATIONS_FIRST - GENERATIONS_LAST;
    text_add_string(out, "<ol class=\"lineage\">\n");
    for (int i = 0, g = 0; i < count; g++) {
        const int size = generation_size(list + i, count - i);
        if (hidden <= 1 || g < GENERATIONS_FIRST || g >= GENERATIONS_FIRST + hidden)
            add_generation(ev, list + i, size, out);
        else if (g == GENERATIONS_FIRST)
            text_add(out, "<li><span class=\"g\">…</span> <small>%d generations more</small></li>\n", hidden);
        i += size;
    }
    text_add_string(out, "</ol>\n");
}

void gallery_lineage_html(const struct evolution *ev, int id, struct text *out) {
    int count, founders = 0;
    struct ancestor *list = list_ancestors(ev, id, &count);
    if (list == NULL) {
        out->failed = true;
        return;
    }
    for (int i = 0; i < count; i++)
        founders += ev->origins[list[i].id].parents[0] < 0 && ev->origins[list[i].id].parents[1] < 0;
    if (count > 0) {
        text_add(
            out,
            "<details><summary>Lineage: %d ancestor%s in %d generation%s, %d without parents</summary>\n",
            count, count == 1 ? "" : "s", generation_count(list, count),
            generation_count(list, count) == 1 ? "" : "s", founders);
        add_list(ev, list, count, out);
        text_add_string(out, "</details>\n");
    }
    mem_free(list);
}
