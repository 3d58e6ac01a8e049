/* SPDX-License-Identifier: MIT
 *
 * What the subcommands share: option tables, help, colours, the clock, and Ctrl-C. A subcommand is thin: it
 * parses, calls the library and prints. Exit status: 0 success, 1 failure, 2 wrong usage, 128 and the
 * signal's number after a signal that asked it to end (129 SIGHUP, 130 SIGINT, 143 SIGTERM).
 */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include "base/clock.h"
#include "base/err.h"
#include "base/text.h"
#include "game/game.h"

#include <stdatomic.h>
#include <stdbool.h>

enum { CLI_OK = 0, CLI_FAILED = 1, CLI_USAGE = 2, CLI_SIGNALLED = 128, CLI_POSITIONAL_MAX = 256 };

struct cli_command {
    const char *name, *summary;
    const char *usage;    /* what follows "senjutsu NAME": "A B [options]" */
    const char *examples; /* whole lines, shown by --help */
    int (*run)(const struct cli_command *self, int argc, char **argv); /* argv[0] is the subcommand's name */
};

extern const struct cli_command cli_commands[]; /* ended by a NULL name */

enum cli_kind {
    CLI_FLAG,   /* bool; no argument */
    CLI_TEXT,   /* const char * */
    CLI_PLAYER, /* likewise; a player's spec: what it does is granted, as it was typed (cli_grant) */
    CLI_INT,    /* int, within low..high */
    CLI_U64,    /* uint64_t */
    CLI_REAL,   /* double, within low..high */
};

struct cli_option {
    const char *name; /* without the dashes */
    enum cli_kind kind;
    void *target; /* holds the default before parsing */
    const char *value_name, *help;
    double low, high; /* of numbers, but for CLI_U64 */
    bool *given;      /* set when it is; may be NULL */
};

struct cli_arguments {
    int count;
    const char *values[CLI_POSITIONAL_MAX]; /* what was not an option */
};

/* Reads the options (`--name value`, `--name=value`, in any place; `--` ends them). Returns true to go on;
 * otherwise *status is what the subcommand must return (0 after --help, 2 after a message). */
bool cli_parse(const struct cli_command *command, const struct cli_option *options, int argc, char **argv,
               struct cli_arguments *out, int *status);

/* The same for subcommands that take only options: anything else is wrong usage. */
bool cli_parse_options(const struct cli_command *command, const struct cli_option *options, int argc,
                       char **argv, int *status);

/* For commands that have verbs (`map show`): runs the one that argv[1] names, with argv[0] the verb. The
 * table is ended by a NULL name; names are "COMMAND VERB". Explains itself with --help. */
int cli_run_verb(const struct cli_command *self, const struct cli_command *verbs, int argc, char **argv);

/* "senjutsu NAME: sentence" on standard error; returns the status given. */
int cli_fail(const struct cli_command *command, int status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Is standard output (error) a terminal on which colour is wanted (NO_COLOR and TERM=dumb are respected)? */
bool cli_colour_out(void);
bool cli_colour_error(void);
bool cli_terminal_error(void);

/* Is standard output a terminal that can be redrawn in place? Then says how large it is. */
bool cli_terminal_out(int *columns, int *rows);
bool cli_terminal_error_size(int *columns, int *rows); /* the same of standard error */

/* Prompts for a typed line. One that is too long is dropped whole and asked for again; false at the end of
 * the input. */
bool cli_read_line(const char *prompt, char *line, int line_size);

const struct clock *cli_clock(void);

/* Now, in UTC, as ISO 8601: "2024-05-01T10:00:00Z". */
void cli_date(char *out, size_t out_size);
int cli_cores(void);

/* The ranks this program is one of; *out is NULL when mpirun did not start it. */
struct cluster;
bool cli_join_cluster(struct cluster **out, struct err *e);

/* Waits until all ranks have come here, and says on standard error whether one of them died. NULL is allowed.
 */
void cli_leave_cluster(const struct cli_command *command, struct cluster *cluster);

/* For all commands, at the very beginning: Ctrl-C, SIGTERM and SIGHUP end the program at once, with the
 * status that says so. */
void cli_end_on_signals(void);

/* After this, the first of them sets cli_stop and the second ends the program at once. */
void cli_catch_interrupt(void);
extern atomic_bool cli_stop;

/* What the program ends with when its command has returned `status`: that a signal asked it to end outweighs
 * what came of it, so that scripts find the same status after every command. */
int cli_exit_status(int status);

/* Loads a map file into a scenario of the tactical game. `path` may also be the bare name of one of our maps
 * ("duel" finds maps/duel.tbsmap beside the program). */
struct scenario *cli_load_map(const char *path, const char *rules, struct err *e);
bool cli_check_rules(const char *rules, struct err *e);

/* What is played: --game SPEC, or --map and --rules of the tactical game. NULL: the option was not given. */
struct cli_source {
    const char *game, *map, *rules;
};
#define CLI_GAME_HELP "what is played, as in synth:df=0.5 ('senjutsu games'; default: tbs)"

/* Can these options be given together, and are they known? Otherwise it is wrong usage. */
bool cli_check_source(const struct cli_source *source, struct err *e);
struct scenario *cli_load_source(const struct cli_source *source, struct err *e);

/* The maps of an option like `--map duel,standard`, or one game without maps under its spec's name. Unloaded
 * by the caller also when loading failed. */
enum { CLI_MAPS_MAX = 64 };
struct cli_maps {
    struct text list; /* what the names point into */
    int count;
    char *names[CLI_MAPS_MAX];
    struct scenario *scenarios[CLI_MAPS_MAX];
};
bool cli_load_maps(struct cli_maps *maps, const char *list, const char *rules, struct err *e);
bool cli_load_sources(struct cli_maps *maps, const struct cli_source *source, struct err *e);
void cli_unload_maps(struct cli_maps *maps);

bool cli_maps_folder(char *out, size_t out_size);
bool cli_find_map(const char *path, char *out, size_t out_size);

/* Writes a file, or standard output for "-"; reports failure like cli_fail. */
bool cli_write(const struct cli_command *command, const char *path, const struct text *text);

/* The programs that one of several games at a time has open: these players, each `copies` times (for maps of
 * different kinds, say), but no more than `open_max` (0: no such limit). */
struct cli_programs {
    const char *const *specs;
    int count, copies, open_max;
};

/* How many games at a time to play: as wanted (0: one a core), or as many as the limits on open files and
 * processes leave room for; then it says so on standard error. */
int cli_limit_jobs(const struct cli_command *command, int jobs, const struct cli_programs *programs);

/* What players may do beside thinking (player/grant.h): what was typed on this command line as a player, and
 * what cli_allow has got leave for. */
struct grant;
const struct grant *cli_grant(void);

/* Grants what a player does that was typed: an option's value is (CLI_PLAYER), other arguments are by this. A
 * text that is no player's spec grants nothing. */
void cli_typed_player(const char *spec);

/* Players that stand in a file. False after a message when they would do something that was not typed, unless
 * `programs` (the option --programs) allows it or a person at the terminal does; either way all of it is
 * shown. */
struct cli_named {
    const char *file;
    int count;
    const char *const *specs;
    bool programs;
};
bool cli_allow(const struct cli_command *command, const struct cli_named *named);

/* Did mpirun start it? */
bool cli_is_under_mpirun(void);

/* Warns when an external player's command names a program that is not there. */
void cli_warn_of_player(const struct cli_command *command, const char *name, const char *player);

/* Writes a game: the platform's format when the name ends in .sgf, the Geister server's log for .txt, JSON
 * otherwise. */
struct record;
bool cli_write_record(const struct record *record, const char *path, struct err *e);
bool cli_is_sgf(const char *path);
const char *cli_record_form(const struct record *record, const char *path); /* which of them, in a word */

/* Flushes standard output: false (and a sentence) when it could not all be written. */
bool cli_finish_output(const struct cli_command *command);

/* Prints a JSON value and drops it; NULL (memory ran out while it was built) and a failed write are reported.
 */
struct json_t;
bool cli_print_json(const struct cli_command *command, struct json_t *root);

/* One entry a subcommand. */
int cli_analyze(const struct cli_command *self, int argc, char **argv);
int cli_bench(const struct cli_command *self, int argc, char **argv);
int cli_check(const struct cli_command *self, int argc, char **argv);
int cli_engine(const struct cli_command *self, int argc, char **argv);
int cli_evolve(const struct cli_command *self, int argc, char **argv);
int cli_exploit(const struct cli_command *self, int argc, char **argv);
int cli_games(const struct cli_command *self, int argc, char **argv);
int cli_geister(const struct cli_command *self, int argc, char **argv);
int cli_map(const struct cli_command *self, int argc, char **argv);
int cli_match(const struct cli_command *self, int argc, char **argv);
int cli_plan(const struct cli_command *self, int argc, char **argv);
int cli_play(const struct cli_command *self, int argc, char **argv);
int cli_players(const struct cli_command *self, int argc, char **argv);
int cli_replay(const struct cli_command *self, int argc, char **argv);
int cli_repro(const struct cli_command *self, int argc, char **argv);
int cli_serve(const struct cli_command *self, int argc, char **argv);
int cli_solve(const struct cli_command *self, int argc, char **argv);
int cli_tournament(const struct cli_command *self, int argc, char **argv);
int cli_train(const struct cli_command *self, int argc, char **argv);
int cli_tubstap(const struct cli_command *self, int argc, char **argv);
int cli_verify(const struct cli_command *self, int argc, char **argv);

#endif
