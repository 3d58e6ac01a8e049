/* SPDX-License-Identifier: MIT
 *
 * What the verbs of `senjutsu map` that play games share: who plays, the evaluator, the line that shows how
 * far it is, and numbers with their intervals. Private to src/cli/map*.c.
 */
#ifndef CLI_MAP_GAMES_H
#define CLI_MAP_GAMES_H

#include "cli/map.h"
#include "evolve/evaluator.h"

enum { MAP_GAMES_STATE_MAX = 120 };

/* What was asked for, then what was made of it. */
struct map_games {
    const struct cli_command *command;
    const char *strong, *weak, *rules_name;
    const char *store_path; /* NULL: games are not kept */
    uint64_t seed;
    int jobs; /* 0: one a core */
    bool quiet;
    /* What else to say while games are played; called on any thread, one at a time. May be NULL. */
    void (*add_state)(const void *context, char *out, size_t out_size);
    const void *context;

    struct text specs[2]; /* canonical: strong, weak */
    const struct tbs_rules *rules;
    struct store *store;
    struct evaluator *evaluator;
    int64_t start_ns, shown_ns;
    int games; /* so far */
};

/* Checks players and rules; wrong usage is reported. */
bool map_games_check(struct map_games *g);

/* Opens the evaluator, and the store if there is one; from now on Ctrl-C stops it. Failure is reported. */
bool map_games_open(struct map_games *g);

/* Takes the line off the terminal, before something else is printed. */
void map_games_hide(const struct map_games *g);

/* Also after a failure. */
void map_games_close(struct map_games *g);

/* Seconds since it was opened. */
double map_games_seconds(const struct map_games *g);

/* "71.5 %  (64.9 to 77.3)"; without games "-". */
void map_add_share(const struct share *share, struct text *out);

#endif
