/* SPDX-License-Identifier: MIT
 *
 * What is said of a run in all files of its gallery, computed in one place, and numbers as people read them.
 * Of these, whoever else speaks of runs may use the numbers and names.
 */
#ifndef EVOLVE_GALLERY_FACTS_H
#define EVOLVE_GALLERY_FACTS_H

#include "evolve/gallery.h"
#include "evolve/remarks.h"

/* A quality of a map that is a share of games. */
struct gallery_quality {
    const char *key;   /* in CSV and JSON */
    const char *label; /* on the page */
    struct share (*measure)(const struct judgement *j);
};

enum { QUALITY_STRONG_RED, QUALITY_STRONG_BLUE, QUALITY_STRENGTH, QUALITY_RED, QUALITY_DECISIVE, QUALITIES };
extern const struct gallery_quality gallery_qualities[QUALITIES];

/* One of the maps that are shown. */
struct gallery_facts {
    const struct individual *individual;
    const struct origin *origin;
    const struct judgement *judgement; /* what its qualities come from: fresh games if there are any */
    bool is_fresh;
    struct share qualities[QUALITIES]; /* from `judgement` */
    double fitness_fresh;              /* like individual->fitness, from fresh games; NAN: there are none */
    struct tbs_map map;                /* its comment says where it comes from */
    struct remarks remarks;
};

/* The rank-th map that is shown, from 0. */
void gallery_facts_make(const struct evolution *ev, int rank, struct gallery_facts *out);

/* ---- numbers ---- */

enum { GALLERY_NUMBER_MAX = 48 };

/* "12,345". These return `out`. */
char *gallery_count(long long count, char out[GALLERY_NUMBER_MAX]);
/* "97.5 % (94.3–98.9)", or "–" without games. */
char *gallery_share(const struct share *share, char out[GALLERY_NUMBER_MAX]);
/* "0.873" where 1 is the most, otherwise "216" or "170.5"; "–" for NAN. */
char *gallery_fitness(const struct evolution *ev, double fitness, char out[GALLERY_NUMBER_MAX]);

/* The most that fitness can be. */
double gallery_ceiling(const struct evolution *ev);

/* Games of verification, of all maps that are shown. */
int gallery_games_fresh(const struct evolution *ev);

/* ---- files ---- */

/* "0123": what the map's files are called. */
char *gallery_name(int id, char out[GALLERY_NUMBER_MAX]);

/* ---- ancestors ---- */

/* marks[i] becomes 1 for each ancestor of the map, others stay; `marks` has a byte for every origin, all 0
 * or of earlier calls. */
void gallery_mark_ancestors(const struct evolution *ev, int id, unsigned char *marks);

/* The ancestors of a map as a folded list, latest first. */
void gallery_lineage_html(const struct evolution *ev, int id, struct text *out);

/* ---- parts of the page ---- */

void gallery_archive_html(const struct gallery *gallery, const struct evolution *ev, struct text *out);
void gallery_card_html(const struct gallery *gallery, const struct evolution *ev, int rank, struct text *out);

#endif
