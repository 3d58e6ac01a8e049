/* SPDX-License-Identifier: MIT
 *
 * Shared by the subcommands: the frame in which a command runs, option tables, help, colours, the clock,
 * signals, maps and positions. A subcommand is thin: it describes its options, calls the library and prints.
 * Exit status: 0 success, 1 failure, 2 wrong usage, 128 plus the signal's number after a signal that asked
 * the program to end (129 SIGHUP, 130 SIGINT, 143 SIGTERM).
 */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include "base/file.h"
#include "game/tbs/map.h"
#include "match/record.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <unistd.h>

enum { CLI_OK = 0, CLI_FAILED = 1, CLI_USAGE = 2, CLI_SIGNALLED = 128, CLI_POSITIONAL_MAX = 256 };

/* ---- the frame of a command ---- */

struct cli_command;

/* What was typed. */
struct cli_arguments {
    int count;
    bool wants_help;
    const char *values[CLI_POSITIONAL_MAX]; /* arguments that are not options */
};

enum { CLI_SECTIONS_MAX = 2 };

/* A table of options, and where its struct is in the command's struct. */
struct cli_options {
    const struct param *table;
    size_t offset;
    bool has_values; /* `before` has filled the struct: the table's defaults are not wanted */
};

/* One call of a command: its arguments as they were typed, and where its options are. */
struct cli_call {
    const struct cli_body *body;
    struct cli_arguments arguments;
    struct params sections[CLI_SECTIONS_MAX + 1]; /* the options, and which of them were given */
    int argc;
    char **argv;
};

/* What a command does, apart from what all of them do. Its state is one struct of `size` bytes, which is zero
 * at first; the options are read into it. cli_execute reads the options, answers --help, reports errors,
 * flushes the output and returns the exit status. */
struct cli_body {
    size_t size;
    struct cli_options options[CLI_SECTIONS_MAX];
    bool takes_arguments;  /* otherwise an argument that is no option is refused */
    const char *takes_one; /* exactly one, and what it is: "store" */
    /* Fills what the options are read over; NULL: nothing. False is wrong usage. */
    bool (*before)(void *state, int argc, char **argv, struct err *e);
    /* Returns the exit status. If it is not CLI_OK, a sentence in `e` (empty at first) is printed: so `return
     * CLI_FAILED` is enough after a function that has failed. What cli_error has reported needs none; a
     * sentence that an earlier attempt left in `e` would be printed beside it, so attempts get a struct err
     * of their own. */
    int (*run)(void *state, const struct cli_call *call, struct err *e);
    void (*done)(void *state); /* releases what the state owns, in every case; NULL: nothing */
};

struct cli_command {
    const char *name, *summary;
    const char *usage;               /* the text after "senjutsu NAME": "A B [options]" */
    const char *examples;            /* whole lines, shown by --help */
    const struct cli_body *body;     /* NULL: the command has verbs */
    const struct cli_command *verbs; /* "NAME VERB" (`map show`), ended by a NULL name */
};

/* Runs a command; returns the program's exit status. argv[0] is its name. Messages name it from then on. */
int cli_execute(const struct cli_command *command, int argc, char **argv);

/* Prints "senjutsu NAME: sentence" on standard error; returns `status`. With CLI_OK it is a remark, with
 * CLI_USAGE it is followed by a hint at --help. */
int cli_error(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Print and release a result; CLI_FAILED after a message when it cannot be written. A JSON value is NULL when
 * memory ran out while it was built. */
struct json_t;
int cli_show_json(struct json_t *root);
int cli_show_text(struct text *text);

/* Writes a file, or standard output for "-". */
bool cli_write_text(const char *path, const struct text *text, struct err *e);

/* Flushes standard output; CLI_FAILED after a message when a write failed. */
int cli_flush(void);

/* Reads the options of a command line that cli_execute has accepted once more, without defaults: over values
 * from a preset or a file, which the options name. */
void cli_apply(struct params *sections, int argc, char **argv);

/* True when the descriptor (STDOUT_FILENO, STDERR_FILENO) is a terminal that can be redrawn in place; fills
 * its size. TERM=dumb says that it cannot. */
bool cli_terminal(int file, int *columns, int *rows);

/* True when it also takes colours: NO_COLOR is not set. */
bool cli_colour(int file);

/* The status line: one line of standard error, redrawn in place while a command runs, and only on a terminal.
 * cli_execute, cli_show_json and cli_show_text remove it; other output that may come while it is there
 * removes it before. */

/* True when standard error is a terminal and `every_ms` have passed since the last drawing. */
enum { CLI_REDRAW_MS = 100 }; /* as often as an eye can follow */
bool cli_status_is_due(int every_ms);
bool cli_status_is_drawn(void);

/* Draws the line, cut to the terminal's width: a longer one could not be redrawn. Nothing without a
 * terminal. */
void cli_status_draw(const char *format, ...) __attribute__((format(printf, 1, 2)));
void cli_status_clear(void);

/* After cli_begin: the first drawing waits as long as the others; the line has a faint colour. */
void cli_status_delay(void);
void cli_status_dim(void);

/* ---- commands that serve or connect ---- */

enum { CLI_TOKEN_BYTES = 16, CLI_TOKEN_SIZE = 2 * CLI_TOKEN_BYTES + 1, CLI_TOKEN_MAX = 100 };

/* Fills cryptographically random bytes; ends the program when the system has none. */
void cli_secret(void *out, size_t size);

/* Random bytes as hexadecimal digits, two each. A token has CLI_TOKEN_BYTES. */
void cli_make_token(char *out, int bytes);

/* Checks that a chosen token can stand in an address without quoting. Messages name it `option`. */
bool cli_check_token(const char *option, const char *token, int length_min, struct err *e);

/* Raises the limit of descriptors to `wanted` if possible; returns the limit then, at most `wanted`. */
int cli_descriptors(int wanted);

/* Options give seconds, clocks count nanoseconds. */
static inline int64_t cli_seconds_ns(double seconds) {
    return (int64_t)(seconds * 1e9);
}

enum { CLI_HOST_MAX = 256 };

struct cli_place {
    char host[CLI_HOST_MAX];
    int port; /* 0: not given */
};

/* Reads the one argument: HOST, HOST:PORT or [HOST]:PORT (an address with colons and a port). */
bool cli_read_place(const struct cli_arguments *arguments, struct cli_place *out, struct err *e);

/* Limits of `senjutsu engine`: its queue of lines, and what one TCP connection may use. */
enum {
    ENGINE_QUEUE_MAX = 256,           /* waiting lines */
    ENGINE_QUEUE_BYTES_MAX = 1 << 20, /* bytes of waiting lines; one line is always accepted */
    ENGINE_CONNECTIONS_MAX = 64,
    /* Limits of one connection: */
    ENGINE_PEER_MEMORY_MB = 64, /* for the players it selects */
    ENGINE_PEER_SECONDS = 300,  /* longest go or perft, unless --longest is given */
    ENGINE_PEER_SECONDS_MAX = 86400,
    ENGINE_FAREWELL_MS = 3000,  /* time to answer it after the end of its input */
    ENGINE_PEER_SILENCE_S = 60, /* time without accepted data or keep-alive, after which it is closed */
};

/* Prints a line, `with_json` on standard error; removes the status line first. */
void cli_message(bool with_json, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Prints a JSON value on one line and releases it; false when it is NULL or cannot be printed. */
bool cli_print_row(struct json_t *row);

/* ---- the terminal and the machine ---- */

/* Prompts for a line of input. A line that is too long is dropped, and the prompt is repeated. False at
 * the end of the input. */
bool cli_read_line(const char *prompt, char *line, int line_size);

/* The one clock of the program, which does not count time in which the program was stopped. The first call
 * starts its thread and ends the program when that is impossible, so it is called after the options are read:
 * --help needs none. */
const struct clock *cli_clock(void);

/* The current time in UTC, as ISO 8601: "2024-05-01T10:00:00Z". */
void cli_date(char *out, size_t out_size);

/* Online processors, 1 to 1024. */
int cli_cores(void);

/* A command whose games are played on the ranks of a cluster, or in this program alone. Under mpirun all
 * ranks run this program with the same arguments, maybe on machines without the files: so only rank 0 reads
 * options and files, prints and stores, and the others get the task from it. */
struct cluster;
struct cli_ranked {
    int (*prepare)(void *state, struct err *e); /* on rank 0; if not CLI_OK, all ranks end */
    bool (*write)(const void *state, struct text *out, struct err *e); /* the task, on rank 0 */
    bool (*read)(void *state, const struct text *text, struct err *e); /* on the others */
    int (*play)(void *state, struct err *e);                           /* on all ranks */
};

/* Returns the exit status; only rank 0 reports errors. *cluster is NULL when mpirun did not start the
 * program; the caller calls cli_leave_cluster in every case. */
int cli_run_ranked(const struct cli_ranked *command, void *state, struct cluster **cluster, struct err *e);

/* True on the rank that reads, stores and prints: rank 0, or the only one. */
bool cli_is_leader(const struct cluster *cluster);

/* Waits until all ranks have called this, and reports on standard error if one of them died. NULL is
 * allowed. */
void cli_leave_cluster(struct cluster *cluster);

/* Called first by all commands: Ctrl-C, SIGTERM and SIGHUP end the program at once with their exit status. */
void cli_end_on_signals(void);

/* From now on the first of these signals sets cli_stop and the second ends the program at once. */
void cli_catch_interrupt(void);
extern atomic_bool cli_stop;

/* The same, and cli_seconds counts from now on; returns the time. */
int64_t cli_begin(void);
double cli_seconds(void);

/* Loads a map, by file or bundled name (NULL: standard), with a spec's options or, if NULL, a rule set. */
struct scenario *cli_load_map(const struct game *game, const char *name, const struct spec *options,
                              const char *rules, struct err *e);

/* The game to play: --game SPEC, or --map and --rules of the tactical game. NULL: option not given. */
struct cli_source {
    const char *game, *map, *rules;
};
#define CLI_PROGRAMS_HELP "allow programs, connections and files of players that a file names; they are shown"
#define CLI_JOBS_ROW(at)                                                                                     \
    "jobs", PARAM_INT, (at), 1, 256, .help = "games at a time (default: one a core); the result is the same"
#define CLI_GAME_HELP "what is played, as in synth:df=0.5 ('senjutsu games'; default: tbs)"

/* Checks that these options are known and can be combined. False means wrong usage. */
bool cli_check_source(const struct cli_source *source, struct err *e);

/* Loads the game, without a map the "standard" one. The caller unloads it; NULL with a reason. */
struct scenario *cli_load_source(const struct cli_source *source, struct err *e);

/* The maps of an option like `--map duel,standard`, or one game without maps, named by its spec. The
 * caller calls cli_unload_maps, also when loading failed. */
enum { CLI_MAPS_MAX = 64 };
struct cli_maps {
    struct text list; /* storage of the names */
    int count;
    char *names[CLI_MAPS_MAX];
    struct scenario *scenarios[CLI_MAPS_MAX];
};
bool cli_load_sources(struct cli_maps *maps, const struct cli_source *source, struct err *e);
void cli_unload_maps(struct cli_maps *maps);

/* The folder of bundled maps. False when it is not found or its name does not fit. */
bool cli_maps_folder(char out[FILE_PATH_MAX]);

/* Reads the text of a map: a file, a bundled map ("duel"), or standard input for "-". Fills its path, for
 * messages. */
bool cli_read_map(const char *name, char path[FILE_PATH_MAX], struct text *out, struct err *e);

/* Creates a folder for results, and tests that files can be created there: a failure is to show before hours
 * of work. */
bool cli_make_folder(const char *path, struct err *e);

/* The external programs of one game: these players, each `copies` times (for maps of different kinds, for
 * example), but at most `open_max` (0: no limit). */
struct cli_programs {
    const char *const *specs;
    int count, copies, open_max;
    const struct cluster *cluster; /* NULL: none */
};

/* The number of parallel games in this process: 1 on each of several ranks, otherwise `jobs` (0: one per
 * core), or as many as the limits on open files and
 * processes allow; reports a reduction on standard error. */
int cli_parallel_games(int jobs, const struct cli_programs *programs);

/* What players may do besides thinking (player/player.h): everything typed on this command line as a
 * player, and everything that cli_permit has permitted. */
struct grant;
const struct grant *cli_grant(void);

/* Grants what a typed player does. Values of CLI_PLAYER options are granted by cli_execute, other arguments
 * by this call. A text that is not a player's spec grants nothing. */
void cli_typed_player(const char *spec);

/* Players named in a file. False with a message when they would do something that was not typed, unless
 * `programs` (the option --programs) or a person at the terminal allows it. In either case all of it is
 * printed. */
bool cli_permit(const char *file, const char *const *specs, int count, bool programs);

/* Warns when the command of an external player names a missing program. */
void cli_check_program(const char *name, const char *player);

/* Writes a game: in the platform's format if the name ends in .sgf, as a Geister server's log for .txt,
 * otherwise as JSON. */
bool cli_write_record(const struct record *record, const char *path, struct err *e);
bool cli_ends_in(const char *path, const char *ending); /* with something before the ending */
const struct record_form *cli_record_form(const struct record *record, const char *path, struct err *e);

/* ---- maps (map.c) ---- */

/* A map file after reading. */
struct map_file {
    char path[FILE_PATH_MAX]; /* for messages */
    struct tbs_map map;
    struct tbs_problems problems;
};

/* Reads a map, a .tbsmap or its JSON form; `name` is a path, the bare name of a bundled map, or "-". False
 * when it cannot be read or has a fatal problem. */
bool map_file_load(const char *name, struct map_file *out, struct err *e);

/* "6 x 6 cells, limit 16 turns, threshold 5, 6 red and 6 blue units". */
void map_summary(const struct tbs_map *map, struct text *out);

/* Refuses a command line without a map, or with `one` of several. False after a message. */
bool map_arguments(const struct cli_call *call, bool one);

/* The folder beside a study in which the games of its participants are while they are played. False when the
 * name is too long. */
bool study_games_folder(const char *path, char out[FILE_PATH_MAX]);

/* Writes the map to the file, as JSON with `json` or when its name ends in .json. */
bool map_write(const struct tbs_map *map, const char *path, bool json, struct err *e);

/* ---- positions (position.c) ----
 *
 * A position for commands that examine it (`analyze`, `solve`, `play`, `replay`): its source, and
 * descriptions of it, its actions and its end for a person. A command reads its options into a `struct
 * position_source` and calls position_load, then position_done, also after a failure. */

/* NULL: option not given. */
struct position_source {
    const char *map;      /* default: the record's own, or "standard" without a record */
    const char *rules;    /* default: the record's own, or "tubstap" */
    const char *after;    /* RECORD or RECORD:N; default: the start of the map, or of the game */
    const char *game;     /* a spec; default: the record's own, or the tactical game */
    const char *position; /* as text, or in another notation of the game; default: as above */
    uint64_t seed;        /* of the deal, without a record */
};

struct cli_position {
    struct scenario *scenario;
    struct record record; /* without actions at a map's start */
    struct replay
        replay;   /* replay.state is the position, replay.turn.taken the actions already taken in its turn */
    bool placed;  /* the position was given as text: its history is unknown */
    bool partial; /* and a part of it is unknown, so that no action can be played */
};

/* Returns CLI_OK, or another status after the reason was printed. The game may be over in the position. */
int position_load(const struct position_source *source, struct cli_position *out);

/* False after a message when the game is over in the loaded position; `verb` as in "nothing to solve". */
bool position_is_open(const struct cli_position *position, const char *verb);
void position_done(struct cli_position *position);

/* Used instead of a side: an observer who sees everything. */
enum { POSITION_SEES_ALL = 2 };

/* Appends the view of a side, from its side of the board: a board, or the state's text. */
void position_draw(const struct scenario *scenario, const void *state, int side, bool colour,
                   struct text *out);

/* Prints the view of a side, from its side of the board. */
void position_print_view(const struct scenario *scenario, const void *state, int side, bool colour);

/* Appends "red infantry 3 moves …", "first plays L" or "first moves A north to 1,3", limited to what that
 * side may know: "second has chosen its reds". */
void position_add_action(const struct scenario *scenario, const void *state, action a, int side,
                         struct text *out);

/* Appends the result of a finished game as far as the side may know it: "red won by annihilation", "first
 * gets 3 of 4", "who gets what depends on what is hidden". */
void position_add_end(const struct scenario *scenario, const void *state, int side, struct text *out);

/* Copies the state and hides what that side cannot know. */
void position_view(const struct game *game, const void *state, int side, void *out);

/* ---- the commands ---- */

extern const struct cli_body cli_analyze, cli_bench, cli_check, cli_engine, cli_evolve, cli_exploit,
    cli_games, cli_match, cli_measure, cli_plan, cli_play, cli_players, cli_replay, cli_repro, cli_serve,
    cli_solve, cli_tournament, cli_verify;
extern const struct cli_body map_judge, map_repair; /* verbs of `map` in map_games.c */
extern const struct cli_body study_serve;           /* a verb of `study` in serve.c */
extern const struct cli_command cli_geister_verbs[], cli_map_verbs[], cli_study_verbs[], cli_train_verbs[],
    cli_tubstap_verbs[];

#endif
