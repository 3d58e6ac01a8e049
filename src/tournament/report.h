/* SPDX-License-Identifier: MIT
 *
 * What an event looks like from the outside: JSON, CSV, a cross-table as HTML, a page to print, a list of
 * highlights, a table for the terminal. All of it is text made from the same facts.
 */
#ifndef TOURNAMENT_REPORT_H
#define TOURNAMENT_REPORT_H

#include "base/err.h"
#include "base/text.h"
#include "match/rating.h"
#include "tournament/standings.h"

struct report {
    const struct event *event;
    const struct games *games;
    int games_played, games_expected;
    const struct standing *standings; /* event->player_count of them */
    const struct rating *ratings;     /* by player; NULL while there are too few games */
    double seconds;                   /* played so far; negative: not known */
    const char *date;
    bool complete;
};

/* {"standings":[{"player":…,"points":…,"wins":…,"draws":…,"losses":…,…},…],"games":…,…} */
bool report_json(const struct report *report, struct text *out, struct err *e);

void report_standings_csv(const struct report *report, struct text *out);
void report_games_csv(const struct report *report, struct text *out);
void report_cross_table_html(const struct report *report, struct text *out);
void report_print_html(const struct report *report, struct text *out);

enum highlight_kind {
    HIGHLIGHT_UPSET,
    HIGHLIGHT_LEAD_CHANGES,
    HIGHLIGHT_SHORT_WIN,
    HIGHLIGHT_FAULT,
    HIGHLIGHTS
};

struct highlight {
    enum highlight_kind kind;
    int game;       /* number */
    double weight;  /* the higher the more remarkable, within its kind */
    char text[400]; /* a sentence: "random beat uct:sims=60, rated 312 above it, in 14 turns on duel" */
};

enum { REPORT_HIGHLIGHTS_MAX = 64 };

/* The most remarkable of each kind, `per_kind` at most; returns how many. */
int report_highlights(const struct report *report, int per_kind, struct highlight *out);

/* A table for a terminal of that width: at most `rows` players, one line each, a head above. */
struct report_style {
    int columns, rows;
    bool colour;
};
void report_table(const struct report *report, const struct report_style *style, struct text *out);

#endif
