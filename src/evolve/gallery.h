/* SPDX-License-Identifier: MIT
 *
 * A run as files in a folder: the best maps, their pictures, fitness.csv, a plot, and a page with everything
 * that was measured. Written again and again while the run goes on; each file is there whole or as before.
 */
#ifndef EVOLVE_GALLERY_H
#define EVOLVE_GALLERY_H

#include "evolve/evolution.h"

struct gallery {
    const char *folder; /* must exist */
    const char *title;
    const char *command; /* how to run it again; may be NULL */
    /* Draws a map's picture, or NULL: this build draws none. */
    bool (*draw)(const struct tbs_map *map, const char *path, struct err *e);
    bool finished; /* the run is over; otherwise the page loads itself again from time to time */
};

/* For `draw`: with Cairo, or NULL where the build has none. */
extern bool (*const gallery_draw)(const struct tbs_map *map, const char *path, struct err *e);

/* Folder/maps/ID.tbsmap, folder/pictures/ID.svg, fitness.csv, maps.csv, fitness.svg, results.json,
 * index.html. Maps that are no longer shown are removed again. */
bool gallery_write(const struct gallery *gallery, const struct evolution *ev, struct err *e);

/* ---- the parts, also for tests and other commands ---- */

void gallery_fitness_csv(const struct evolution *ev, struct text *out);
void gallery_maps_csv(const struct evolution *ev, struct text *out);
void gallery_plot_svg(const struct evolution *ev, struct text *out);
void gallery_html(const struct gallery *gallery, const struct evolution *ev, struct text *out);
struct json_t;
struct json_t *gallery_json(const struct evolution *ev); /* NULL: memory ran out */

#endif
