/* SPDX-License-Identifier: MIT
 *
 * A run as files in a folder: the best maps, their pictures, fitness.csv, a plot, and a page with
 * everything that was measured. The files are written again after each generation; each is always complete,
 * the new one or the one before.
 */
#ifndef EVOLVE_GALLERY_H
#define EVOLVE_GALLERY_H

#include "evolve/evolution.h"

struct gallery {
    const char *folder;  /* must exist */
    const char *title;   /* of the page */
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

/* The content of results.json; docs/map-generation.md explains every member. A new value. There a map's "map"
 * is its text; for the page (`is_view`) that is "text", and "map" the map as JSON. */
struct json_t *gallery_json(const struct evolution *ev, bool is_view);

/* ---- numbers ---- */

enum { GALLERY_NUMBER_MAX = 48 };

/* "12,345". These return `out`. */
char *gallery_count(long long count, char out[GALLERY_NUMBER_MAX]);
/* "0.873" where 1 is the most, otherwise "216" or "170.5"; "–" for NAN. */
char *gallery_fitness(const struct evolution *ev, double fitness, char out[GALLERY_NUMBER_MAX]);

/* "0123", the name of the map's files without ending. */
char *gallery_name(int id, char out[GALLERY_NUMBER_MAX]);

#endif
