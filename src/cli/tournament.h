/* SPDX-License-Identifier: MIT
 *
 * What the parts of `senjutsu tournament` share: the command line's wishes, the event made from them, and how
 * it is shown.
 */
#ifndef CLI_TOURNAMENT_H
#define CLI_TOURNAMENT_H

#include "cli/cli.h"
#include "tournament/table.h"

struct store;
struct cluster;

/* What was asked for; NULL, 0 or negative where an option was not given. */
struct tournament_options {
    const char *players, *entries, *maps, *game;
    const char *preset, *rules_file, *format, *clock, *rules, *title, *points;
    const char *seed;
    int games, rounds, challengers, final, maps_per_pairing, disqualify_after;
    bool not_own_maps;
    const char *store, *out;
    int jobs;
    bool json, quiet, show_rules, go_on, programs;
};

/* Are the options right by themselves? What they name in files is not looked at. */
bool tournament_check_options(const struct tournament_options *options, struct err *e);

/* Grants what the players of --players do: they were typed. */
void tournament_grant_typed(const struct tournament_options *options);

/* The event that the options describe. `path` gets no event when neither players nor entries are given. */
bool tournament_make_event(const struct tournament_options *options, struct event *out, struct err *e);
bool tournament_make_rules(const struct tournament_options *options, struct rules *out, struct err *e);

/* Does any option describe an event (rather than how it is run and shown)? Names one of them. */
const char *tournament_event_option(const struct tournament_options *options);

/* ---- showing ---- */

struct tournament_view {
    const struct cli_command *command;
    const struct tournament_options *options;
    const struct event *event;
    bool through_mpirun; /* which gives its ranks a terminal, even when it writes to a file itself */
    int64_t start_ns, shown_ns;
    int played, recalled; /* games in all; of them found in the store */
    int lines;            /* drawn on the terminal, to be drawn over */
    char date[64];
    struct event_table table;
};

bool tournament_view_init(struct tournament_view *view, struct err *e);
void tournament_view_done(struct tournament_view *view);

/* Before the first game: is there a folder that the files can be written to at the end? */
bool tournament_view_prepare(const struct tournament_options *options, struct err *e);

/* The first table, so that a long first game does not look like nothing at all. */
void tournament_view_begin(struct tournament_view *view, const struct games *games);

/* A tournament_run's on_game. */
void tournament_view_game(void *view, const struct games *games, int number, bool recalled);

/* Fills a report of how things stand; it points into the view. */
bool tournament_view_report(struct tournament_view *view, const struct games *games, bool complete,
                            struct report *out, struct err *e);

/* The end: the live table goes, the result comes; with --out the files are written. False after a message. */
bool tournament_view_finish(struct tournament_view *view, const struct games *games, bool complete,
                            struct store *store);

#endif
