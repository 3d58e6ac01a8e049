/* SPDX-License-Identifier: MIT
 *
 * Reports of a tournament: JSON, CSV, a cross-table as HTML, a page to print, a list of highlights, a table
 * for the terminal. All are made from the same data. Only JSON's "times", the CSV's milliseconds, the
 * terminal's last line and the number of void games depend on the time the games took.
 */
#ifndef TOURNAMENT_REPORT_H
#define TOURNAMENT_REPORT_H

#include "match/statistics.h"
#include "tournament/schedule.h"

struct report {
    const struct tournament *tournament;
    const struct games *games;
    int games_played, games_expected;
    const struct standing *standings; /* tournament->player_count of them */
    const struct rating *ratings;     /* by player; NULL: not computed */
    const struct rating_fit *fit;     /* sides and superiority; may be NULL */
    double seconds;                   /* of play so far; negative: unknown */
    int games_untimed;                /* of those played: in an earlier run, not included in `seconds` */
    const char *date;                 /* ISO 8601; may be NULL */
    const char *store;                /* the file the games are in; may be NULL */
    bool complete;
};

/* Computes places and ratings of a tournament at some moment. */
struct tournament_table {
    const struct tournament *tournament;
    struct standing *standings;
    struct rating_fit fit;
};

void tournament_table_init(struct tournament_table *table, const struct tournament *tournament);
void tournament_table_done(struct tournament_table *table);

/* Fills what follows from the games; the caller has set the other fields: games_played, games_untimed,
 * seconds, date, store and complete. The report points into the table and is valid until the next call. It
 * has no ratings while a very long tournament goes on: they would take longer than the games. */
void tournament_table_report(struct tournament_table *table, const struct games *games,
                             struct report *report);

/* ---- forms of a report ---- */

/* {"standings":[{"player":…,"points":…,"wins":…,"draws":…,"losses":…,…},…],"games":…,…}: docs/tournaments.md.
 * Equal games give equal bytes except for the value of "times". */
void report_json(const struct report *report, struct text *out);

/* The same as a new JSON value. */
struct json_t;
struct json_t *report_json_value(const struct report *report);

/* One row a player in the table's order, and one row a game that was played; a line of column names above. */
void report_standings_csv(const struct report *report, struct text *out);
void report_games_csv(const struct report *report, struct text *out);

/* The columns of the standings for readers, as the page shows them (columns_describe). */
struct json_t *report_columns_json(const struct report *report);

/* Pages (base/encode.h): for a screen, and for print. */
void report_cross_table_html(const struct report *report, struct text *out);
void report_print_html(const struct report *report, struct text *out);

enum highlight_kind {
    HIGHLIGHT_UPSET,        /* the winner is rated lower, beyond the error of that */
    HIGHLIGHT_LEAD_CHANGES, /* two or more */
    HIGHLIGHT_SHORT_WIN,    /* by turns, without a fault */
    HIGHLIGHT_FAULT,        /* one for each player and fault: the first of them */
    HIGHLIGHTS
};

struct highlight {
    enum highlight_kind kind;
    int game;       /* number */
    double weight;  /* the higher the more remarkable, within its kind */
    int players[2]; /* the winner first; with a fault the loser; of a draw the first side */
    bool is_drawn;
    int map;          /* -1: a game without maps */
    int turns;        /* 0: not counted, or a fault */
    int lead_changes; /* HIGHLIGHT_LEAD_CHANGES; otherwise 0 */
    double above;     /* HIGHLIGHT_UPSET: by how much Elo the loser is rated above the winner, rounded */
    int fault;        /* HIGHLIGHT_FAULT: enum player_fault */
    int more;         /* the same: how often that player had the same fault in other games */
    char text[400];   /* a sentence: "random beat uct:sims=60, rated 312 above it, in 14 turns on duel" */
};

enum { REPORT_HIGHLIGHTS_MAX = 64, REPORT_PER_KIND_MAX = REPORT_HIGHLIGHTS_MAX / HIGHLIGHTS };

/* The most remarkable of each kind, `per_kind` at most, kind after kind; of equals the earlier game. A
 * repetition by the same two players (on the same map) is left out. Returns how many. */
int report_highlights(const struct report *report, int per_kind, struct highlight *out);

/* A table for a terminal of that width: column names, at most `rows` players, one line each, and the progress
 * of the tournament. What does not fit is left out, less important columns first; names are cut. */
struct report_style {
    int columns, rows; /* 0: no limit */
    bool colour;
};
void report_table(const struct report *report, const struct report_style *style, struct text *out);

/* Writes tables and pages into the folder, which is created if missing: results.json, standings.csv,
 * games.csv, cross-table.html, results.html and, from the store (may be NULL), faults/game-000012.json. */
struct store;
bool report_write_files(const struct report *report, const char *folder, struct store *store, struct err *e);

#endif
