/* SPDX-License-Identifier: MIT
 *
 * What an event looks like from the outside: JSON, CSV, a cross-table as HTML, a page to print, a list of
 * highlights, a table for the terminal. All of it is text made from the same facts, and nothing but JSON's
 * "times", the CSV's milliseconds, the terminal's last line and how many games were void depends on how long
 * the games took.
 *
 * A function that returns nothing leaves out->failed set when memory ran out.
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
    const struct rating_fit *fit;     /* what else the ratings say: sides, superiority; may be NULL */
    double seconds;                   /* played so far; negative: not known */
    int games_untimed;                /* of those played: before the seconds began, in an earlier run */
    const char *date;                 /* ISO 8601; may be NULL */
    const char *store;                /* the file the games are in; may be NULL */
    bool complete;
};

/* {"standings":[{"player":…,"points":…,"wins":…,"draws":…,"losses":…,…},…],"games":…,…}: docs/tournaments.md.
 * Equal games give equal bytes but for the value of "times". */
bool report_json(const struct report *report, struct text *out, struct err *e);

/* The same as a new value; NULL when memory ran out. */
struct json_t;
struct json_t *report_json_value(const struct report *report);

/* One row a player in the table's order, and one row a game that was played; heads above. */
void report_standings_csv(const struct report *report, struct text *out);
void report_games_csv(const struct report *report, struct text *out);

/* Single files: no scripts, nothing from elsewhere. */
void report_cross_table_html(const struct report *report, struct text *out);
void report_print_html(const struct report *report, struct text *out);

enum highlight_kind {
    HIGHLIGHT_UPSET,        /* the winner is rated lower, beyond the error of that */
    HIGHLIGHT_LEAD_CHANGES, /* two or more */
    HIGHLIGHT_SHORT_WIN,    /* by turns, without a fault */
    HIGHLIGHT_FAULT,        /* one for each player and fault: the first of them */
    HIGHLIGHTS
};

/* "upset", "lead-changes", "short-win", "fault". */
extern const char *const highlight_names[HIGHLIGHTS];

struct highlight {
    enum highlight_kind kind;
    int game;       /* number */
    double weight;  /* the higher the more remarkable, within its kind */
    char text[400]; /* a sentence: "random beat uct:sims=60, rated 312 above it, in 14 turns on duel" */
};

enum { REPORT_HIGHLIGHTS_MAX = 64, REPORT_PER_KIND_MAX = REPORT_HIGHLIGHTS_MAX / HIGHLIGHTS };

/* The most remarkable of each kind, `per_kind` at most, kind after kind; of equals the earlier game. What the
 * same two did again (on the same map) is told once. Returns how many. */
int report_highlights(const struct report *report, int per_kind, struct highlight *out);

/* A table for a terminal of that width: at most `rows` players, one line each, a head above, how far the
 * event is below. What does not fit is left out, columns that matter less first; names are cut. */
struct report_style {
    int columns, rows; /* 0: no limit */
    bool colour;
};
void report_table(const struct report *report, const struct report_style *style, struct text *out);

/* Tables and pages into the folder, which is made if it is not there: results.json, standings.csv, games.csv,
 * cross-table.html, results.html and, from the store (may be NULL), faults/game-000012.json. */
struct store;
bool report_write_files(const struct report *report, const char *folder, struct store *store, struct err *e);

#endif
