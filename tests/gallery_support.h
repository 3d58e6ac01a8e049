/* SPDX-License-Identifier: MIT
 *
 * A run that was made by hand, for the tests of its gallery: three shown maps, one of them with a long
 * lineage, and known numbers.
 */
#ifndef TESTS_GALLERY_SUPPORT_H
#define TESTS_GALLERY_SUPPORT_H

#include "evolve/gallery.h"

struct gallery_sample {
    struct plan plan;
    struct evolution ev;
    struct gallery gallery;
};

/* METHOD_GENERATIONS has 11 generations, METHOD_ARCHIVE 3 with one that has no best. */
void gallery_sample_make(struct gallery_sample *s, const char *preset);
/* Nothing was judged yet. */
void gallery_sample_empty(struct gallery_sample *s, const char *preset);
void gallery_sample_done(struct gallery_sample *s);

/* Adds one more generation. */
void gallery_sample_add(struct gallery_sample *s, const struct generation *generation);

/* Gives the shown maps fresh games. */
void gallery_sample_verify(struct gallery_sample *s);

/* A map with so many generations of ancestors, two each but for the first, which is one random map; it is
 * shown last. */
void gallery_sample_add_deep(struct gallery_sample *s, int generations);

#endif
