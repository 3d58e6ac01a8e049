/* SPDX-License-Identifier: MIT
 *
 * The files of an experiment beside its result: folders, pictures of the boards, plots made by gnuplot.
 */
#ifndef REPRO_PICTURES_H
#define REPRO_PICTURES_H

#include "repro/repro.h"

/* FOLDER and, for those who store games, FOLDER/NAME-games. */
bool repro_make_folders(const struct repro_experiment *experiment, const char *folder, struct err *e);

/* For struct repro_options: one of our own maps; the context is the name of their folder. */
bool repro_read_map(void *maps_folder, const char *name, struct text *out, struct err *e);

/* Pictures that could not be made. A result is none the worse for it: data and scripts are in the folder. */
struct repro_missing {
    bool boards;     /* this build has no Cairo */
    bool gnuplot;    /* there is none on this machine */
    int plot;        /* the first plot without a picture; -1: all have one */
    int plot_status; /* of gnuplot on that plot, unless there is none */
};

/* Boards and plots of a finished result that was stored in the folder. False only when something went wrong
 * that the user must know of (a failed write). */
bool repro_draw(const struct repro_result *result, const char *folder, const char *maps_folder,
                struct repro_missing *missing, struct err *e);

#endif
