/* SPDX-License-Identifier: MIT
 *
 * `senjutsu tournament`: an event from its event file or options to its result pages, on threads or on the
 * ranks of a cluster. Three parts: the event that the options describe; progress and results (a table
 * redrawn in place on a terminal, otherwise plain lines; files at the end); and the run itself. And
 * `senjutsu verify STORE`, which checks that a store's games follow the rules and its event.
 *
 * A store holds the event with its games, so that a tournament can be shown and continued by the store
 * alone. Then its players come from a file and not from the command line, and need permission (cli_allow).
 * Under mpirun all ranks run this program with the same arguments; only rank 0 reads files, prints and
 * stores, and the others get the event from it.
 */
#include "base/charset.h"
#include "base/file.h"
#include "base/mem.h"
#include "cli/cli.h"
#include "game/tbs/map.h"
#include "pool/pool.h"
#include "store/store.h"
#include "tournament/event.h"
#include "tournament/run.h"
#include "tournament/report.h"
#include "evolve/evaluator.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <jansson.h>

/* The options; NULL or 0: not given. */
struct tournament_options {
    const char *players, *entries, *maps, *preset, *event_file, *store, *out;
    struct event_rules rules; /* over the defaults; describe_rules applies the options to preset or file */
    struct params given[3];   /* sections: these options and the rules */
    int argc;
    char **argv;
    uint64_t seed;
    int jobs;
    bool json, quiet, show_rules, go_on, programs;
};

struct tournament {
    const struct cli_command *command;
    struct tournament_options options;
    struct event event;
    struct store *store;     /* NULL: games are not stored */
    struct cluster *cluster; /* NULL: this program runs alone */
    bool shows;              /* only shows the store's content */

    int64_t start_ns, shown_ns; /* of the run; of the last table or line */
    int played, resumed;        /* games in all, and those of them found in the store */
    int lines;                  /* lines on the terminal that the next drawing replaces */
    char date[64];
    struct event_table table;
};

/* True on the rank that reads, stores and prints: rank 0, or the only one. */
static bool is_leader(const struct tournament *t) {
    return t->cluster == NULL || cluster_rank(t->cluster) == 0;
}

static bool has_players(const struct tournament_options *o) {
    return o->players != NULL || o->entries != NULL;
}

/* ---- options ---- */

enum { ENTRIES_TEXT_MAX = 4 << 20 };

/* Checks the game and the rule set, if they are options. */
static bool check_source(const struct tournament_options *o, struct err *e) {
    const struct params *rules = &o->given[1];
    const struct cli_source source = {
        .game = params_given(rules, "game") ? o->rules.game : NULL,
        .rules = params_given(rules, "rule_set") ? o->rules.rule_set : NULL,
    };
    return cli_check_source(&source, e);
}

/* Fills the rules: the defaults, over them a preset or an event file, over them the options. The command line
 * is read a second time for that (cli_apply), because it also names the file that lies below it. */
static bool describe_rules(const struct tournament_options *o, struct event_rules *out, struct err *e) {
    struct tournament_options unused;
    struct text text = {0};
    struct params sections[] = {
        {.table = o->given[0].table, .options = &unused}, {.table = event_params, .options = out}, {0}};
    bool ok = check_source(o, e);
    event_rules_default(out);
    if (ok && o->preset != NULL)
        ok = event_rules_preset(o->preset, out, e);
    else if (ok && o->event_file != NULL)
        ok = file_read(o->event_file, EVENT_FILE_MAX, &text, e) &&
             event_file_read(o->event_file, text_string(&text), text.size, out, e);
    text_done(&text);
    if (!ok)
        return false;
    cli_apply(sections, o->argc, o->argv);
    return event_rules_check(out, e);
}

/* Checks the options without opening files: a mistake in them is wrong usage (exit status 2), a file that
 * cannot be used is a failure (exit status 1). */
static bool check_options(const struct tournament_options *o, struct err *e) {
    struct event_rules rules;
    struct event event = {0};
    if (o->preset != NULL && o->event_file != NULL)
        return err_set(e, "--preset and --event-file: give one; an event file can name a \"preset\" itself");
    bool ok = o->event_file == NULL ? describe_rules(o, &rules, e) : check_source(o, e);
    ok = ok && (o->players == NULL || entrants_parse(o->players, &event, e));
    event_done(&event);
    return ok;
}

/* ---- maps ---- */

/* The map's name in tables is the file name without folder and ending. */
static bool add_map(const char *path, struct event *event, struct err *e) {
    const char *slash = strrchr(path, '/'), *base = slash != NULL ? slash + 1 : path;
    const size_t size = strlen(base) - (cli_ends_in(base, ".tbsmap") ? strlen(".tbsmap") : 0);
    char found[4096], name[EVENT_NAME_MAX];
    struct text text = {0};
    cli_find_map(path, found, sizeof found); /* if there is none, opening `path` gives the reason */
    charset_copy(name, sizeof name, base, size);
    bool ok = file_read(found, TBS_MAP_TEXT_MAX, &text, e);
    if (ok) {
        const struct game_source source = {.name = found, .text = text_string(&text), .size = text.size};
        ok = event_add_map(event, name, &source, e);
    }
    text_done(&text);
    return ok;
}

static int is_map_file(const struct dirent *entry) {
    return cli_ends_in(entry->d_name, ".tbsmap");
}

/* Adds the files, bundled maps and folders of a list. Maps of a folder are sorted by name: the schedule
 * depends on their order, and the order of a folder differs between file systems. */
static bool add_maps(const char *list, struct event *event, struct err *e) {
    struct text copy = {0};
    text_add_string(&copy, list);
    bool ok = true;
    for (char *at = copy.data, *next; ok && at != NULL; at = next) {
        struct stat info;
        struct dirent **files = NULL;
        next = strchr(at, ',');
        if (next != NULL)
            *next++ = '\0';
        const char *path = text_trim(at);
        if (stat(path, &info) != 0 || !S_ISDIR(info.st_mode)) {
            ok = (*path != '\0' || err_set(e, "--maps has an empty name in it")) && add_map(path, event, e);
            continue;
        }
        const int count = scandir(path, &files, is_map_file, alphasort);
        if (count <= 0)
            ok =
                err_set(e, count < 0 ? "%s: cannot be read" : "%s: there is no .tbsmap in this folder", path);
        for (int i = 0; i < count; i++) {
            char file[FILE_PATH_MAX];
            ok = ok && file_path(file, e, "%s/%s", path, files[i]->d_name) && add_map(file, event, e);
            mem_free(files[i]);
        }
        mem_free(files);
    }
    text_done(&copy);
    return ok;
}

/* ---- the event ---- */

/* Makes the event that the options describe; reads the files that they name. The caller calls event_done,
 * also after a failure. */
static bool describe_event(const struct tournament_options *o, struct event *out, struct err *e) {
    *out = (struct event){.owns_scenarios = true, .seed = o->seed};
    const char *game = out->rules.game;
    struct text entries = {0};
    bool ok = describe_rules(o, &out->rules, e) && (o->players == NULL || entrants_parse(o->players, out, e));
    if (ok && o->entries != NULL)
        ok = file_read(o->entries, ENTRIES_TEXT_MAX, &entries, e) &&
             entrants_read(o->entries, text_string(&entries), entries.size, out, e);
    text_done(&entries);
    if (!ok || !event_check_players(out, e))
        return false;
    if (!event_takes_maps(&out->rules))
        return o->maps == NULL ? event_add_game(out, e)
                               : err_set(e, "--maps: %s is played without maps", game);
    if (strchr(game, ':') != NULL)
        return err_set(e, "game %s: the tactical game's rule set is said apart, by --rules or \"rule_set\"",
                       game);
    return add_maps(o->maps != NULL ? o->maps : "standard", out, e);
}

/* ---- view ---- */

/* A log gets a line every few seconds; a terminal is redrawn as often as an eye can follow. */
enum { REDRAW_NS = 250000000, LINE_EVERY_S = 5 };

/* Fills a report of the current state; it points into the tournament. */
static void make_report(struct tournament *t, const struct games *games, bool complete, struct report *out) {
    *out = (struct report){
        .games_played = t->played,
        .games_untimed = t->resumed,
        .seconds = clock_seconds_since(cli_clock(), t->start_ns),
        .date = t->date,
        .store = t->options.store,
        .complete = complete,
    };
    event_table_report(&t->table, games, out);
}

/* Moves the cursor to the first line of the table and clears the screen from there. */
static void erase(struct tournament *t) {
    if (t->lines > 0)
        fprintf(stderr, "\r\033[%dA\033[J", t->lines);
    t->lines = 0;
}

/* Redraws the standings in place. A table with more lines than the terminal could not be erased again, so it
 * is cut to its height. */
static void draw(struct tournament *t, const struct games *games, int columns, int rows) {
    struct report report;
    struct text text = {0};
    const struct report_style style = {columns, rows > 8 ? rows - 4 : 4, cli_colour_error()};
    make_report(t, games, false, &report);
    report_table(&report, &style, &text);
    erase(t);
    fputs(text_string(&text), stderr);
    for (const char *at = text_string(&text); *at != '\0'; at++)
        t->lines += *at == '\n';
    fflush(stderr);
    text_done(&text);
}

/* The on_game callback of a tournament_run: called after each game, also for those found in the store, one
 * call at a time, on any thread. */
static void view_game(void *context, const struct games *games, int number, bool resumed) {
    struct tournament *t = context;
    (void)number;
    int columns, rows;
    t->played++;
    t->resumed += resumed;
    const int64_t now = clock_now_ns(cli_clock());
    const bool terminal = cli_terminal_error_size(&columns, &rows);
    const int64_t every = terminal ? REDRAW_NS : INT64_C(1000000000) * LINE_EVERY_S;
    if (t->options.quiet || now - t->shown_ns < every)
        return;
    if (terminal) {
        draw(t, games, columns, rows);
    } else {
        const struct standing *first = t->table.standings;
        standings_compute(&t->event, games, t->table.standings);
        fprintf(stderr, "%d of %d games; %s leads with %g points\n", t->played,
                event_games_expected(&t->event, games), t->event.players[first->player].name, first->points);
    }
    t->shown_ns = clock_now_ns(cli_clock());
}

/* ---- the command ---- */

/* Players from a store or a list of entries may do things that were not typed, so they need permission. Those
 * of --players were typed. False after a message. */
static bool allow_players(const struct tournament *t) {
    const struct tournament_options *o = &t->options;
    const char *specs[EVENT_PLAYERS_MAX];
    struct event typed = {0};
    for (int i = 0; i < t->event.player_count; i++)
        specs[i] = t->event.players[i].spec;
    if (o->players != NULL)
        entrants_parse(o->players, &typed, NULL);
    for (int i = 0; i < typed.player_count; i++)
        cli_typed_player(typed.players[i].spec);
    event_done(&typed);
    const struct cli_named named = {
        !has_players(o)      ? o->store
        : o->entries != NULL ? o->entries
                             : "--players",
        t->event.player_count,
        specs,
        o->programs,
    };
    return cli_allow(t->command, &named);
}

/* Also opens the store and creates the output folder, so that a failure shows before the first game. An event
 * that the command line does not describe may be any event. After a failure that was already reported `e` is
 * empty. */
static bool make_event(struct tournament *t, struct err *e) {
    const struct tournament_options *o = &t->options;
    t->shows = !has_players(o) && !o->go_on;
    if (has_players(o) && (!describe_event(o, &t->event, e) || !allow_players(t)))
        return false;
    if (o->store != NULL) {
        t->store = t->shows ? event_store_read(o->store, STORE_EVENT, &t->event, e)
                            : event_store_open(o->store, STORE_EVENT, &t->event, e);
        if (t->store == NULL)
            return false;
    }
    if ((!has_players(o) && !t->shows && !allow_players(t)) ||
        (!t->shows && !tournament_check(&t->event, cli_grant(), e)))
        return false;
    if (o->out == NULL)
        return true;
    if (o->out[0] == '\0')
        return err_set(e, "--out needs the name of a folder");
    return file_make_folder(o->out, e) &&
           (access(o->out, W_OK | X_OK) == 0 ||
            err_set(e, "%s: cannot be written to: %s", o->out, strerror(errno)));
}

/* Refuses options that contradict each other or have no effect: an option that describes the event without
 * players is almost always a forgotten --players. Returns CLI_OK, or the exit status after a message. */
static int check_usage(const struct tournament *t) {
    static const char *const own[] = {"maps", "preset", "event-file", "rules-file", "seed"};
    const struct tournament_options *o = &t->options;
    struct params rules[] = {o->given[1], {0}};
    struct param_place place;
    const char *given = NULL; /* an option that describes the event, other than its players */
    struct err e;
    if (!check_options(o, &e))
        return cli_fail(t->command, CLI_USAGE, "%s", e.text);
    if (o->go_on && (has_players(o) || o->store == NULL))
        return cli_fail(
            t->command, CLI_USAGE,
            "--continue belongs to --store alone; where players are given, the tournament continues anyway");
    if (has_players(o))
        return CLI_OK;
    if (o->programs && !o->go_on)
        return cli_fail(t->command, CLI_USAGE,
                        "--programs is given, but nothing is played without --continue");
    for (size_t i = 0; given == NULL && i < sizeof own / sizeof own[0]; i++)
        given = params_given(&o->given[0], own[i]) ? own[i] : NULL;
    for (int i = 1; given == NULL && i < o->argc; i++)
        if (strncmp(o->argv[i], "--", 2) == 0 &&
            params_find_option(rules, o->argv[i] + 2, strcspn(o->argv[i] + 2, "="), &place))
            given = o->argv[i] + 2;
    if (given != NULL)
        return cli_fail(t->command, CLI_USAGE, "--%.*s is given, but no players: --players or --entries",
                        (int)strcspn(given, "="), given);
    if (o->store == NULL)
        return cli_fail(
            t->command, CLI_USAGE,
            "who plays? --players A,B,… or --entries FILE, or --store FILE to look at a tournament");
    return access(o->store, F_OK) == 0
               ? CLI_OK
               : cli_fail(t->command, CLI_FAILED, "%s: there is no such store", o->store);
}

/* Removes the live table, prints the result and, with --out, writes the files. Without colours and limits
 * under mpirun: its ranks may have a terminal although its own output is a file. */
static int conclude(struct tournament *t, const struct games *games, bool complete) {
    struct err e;
    struct report report;
    struct text text = {0};
    struct highlight list[REPORT_HIGHLIGHTS_MAX];
    int columns = 0, rows, count = 0;
    const bool terminal = t->cluster == NULL && cli_terminal_out(&columns, &rows);
    const struct report_style style = {terminal ? columns : 0, 0, terminal && cli_colour_out()};
    if (complete && !t->shows && !tournament_store_standings(t->store, &t->event, games, &e))
        return cli_fail(t->command, CLI_FAILED, "%s", e.text);
    erase(t);
    make_report(t, games, complete, &report);
    if (t->options.json) {
        report_json(&report, &text);
    } else {
        report_table(&report, &style, &text);
        if (complete && report.fit != NULL && !report.fit->connected)
            text_add_string(
                &text,
                "Not all players can be compared: ratings between groups that never met are guesses.\n");
        count = report_highlights(&report, 3, list);
    }
    if (count > 0)
        text_add_string(&text, "\nHighlights:\n");
    for (int i = 0; i < count; i++)
        text_add(&text, "  %s (game %d)\n", list[i].text, list[i].game);
    fputs(text_string(&text), stdout);
    text_done(&text);
    if (t->options.out != NULL && !report_write_files(&report, t->options.out, t->store, &e))
        return cli_fail(t->command, CLI_FAILED, "%s", e.text);
    if (!complete && t->shows)
        fprintf(stderr, "senjutsu tournament: the tournament is not over; --continue continues it\n");
    else if (!complete)
        fprintf(stderr, "senjutsu tournament: stopped after %d games%s\n", t->played,
                t->store != NULL ? "; the same command continues" : "");
    return (complete || t->shows) && cli_finish_output(t->command) ? CLI_OK : CLI_FAILED;
}

/* Plays what is missing of the event, on all ranks, and concludes on rank 0. External programs are kept
 * between games: the number of parallel games follows from how many of them this machine can run, twice as
 * many when maps are of both kinds, because a player is opened for one kind. */
static int play(struct tournament *t) {
    const struct event *event = &t->event;
    const char *specs[EVENT_PLAYERS_MAX];
    struct cli_programs programs = {specs, event->player_count, 1, PLAYER_CACHE_MAX}; /* kept between games */
    assert(event->player_count <= EVENT_PLAYERS_MAX);
    for (int i = 0; i < event->player_count; i++)
        specs[i] = event->players[i].spec;
    for (int i = 1; i < event->map_count; i++)
        if (event->maps[i].scenario->game != event->maps[0].scenario->game)
            programs.copies = 2;
    /* Each rank plays one game at a time, independent of --jobs. */
    const bool on_ranks = t->cluster != NULL && cluster_size(t->cluster) > 1;
    const struct tournament_run run = {
        .event = event,
        .batch.store = t->store,
        .batch.cluster = t->cluster,
        .batch.workers = on_ranks ? 1 : cli_limit_jobs(t->command, t->options.jobs, &programs),
        .batch.clock = cli_clock(),
        .batch.grant = cli_grant(),
        .batch.stored_only = t->shows,
        .batch.stop = &cli_stop,
        .batch.date = cli_date,
        .on_game = is_leader(t) ? view_game : NULL,
        .batch.context = t,
    };
    struct err e = {{0}};
    struct games games;
    bool complete;
    int status = CLI_OK, columns, rows;
    cli_catch_interrupt();
    games_init(&games);
    /* A first table, so that output starts before a long first game ends. */
    if (is_leader(t) && !t->options.quiet && cli_terminal_error_size(&columns, &rows))
        draw(t, &games, columns, rows);
    if (!tournament_play(&run, &games, &complete, &e))
        status = is_leader(t) ? cli_fail(t->command, CLI_FAILED, "%s", e.text) : CLI_FAILED;
    else if (is_leader(t))
        status = conclude(t, &games, complete);
    games_done(&games);
    return status;
}

/* Only rank 0 checks and reports errors; the other ranks may be on machines without the files. It sends them
 * the event, or nothing if it failed. */
static int run_tournament(struct tournament *t) {
    struct err e = {{0}}, unheard;
    struct text text = {0};
    if (!cli_join_cluster(&t->cluster, &e))
        return cli_fail(t->command, CLI_FAILED, "%s", e.text);
    const bool leads = is_leader(t);
    int status = leads ? check_usage(t) : CLI_OK;
    bool ok = !leads || (status == CLI_OK && make_event(t, &e));
    if (t->cluster != NULL) {
        ok = ok && (!leads || event_write(&t->event, &text, &e));
        if (!ok)
            text_clear(&text);
        ok = cluster_share(t->cluster, &text, ok ? &e : &unheard) && ok;
    }
    if (ok && !leads)
        ok = text.size > 0 ? event_read("rank 0's event", text_string(&text), text.size, &t->event, &e)
                           : err_set(&e, "rank 0 has no event");
    text_done(&text);
    for (int i = 0; ok && !leads && i < t->event.player_count; i++)
        cli_typed_player(t->event.players[i].spec); /* rank 0 has checked them */
    if (!ok && status == CLI_OK) {
        status = CLI_FAILED;
        if (leads && e.text[0] != '\0')
            cli_fail(t->command, CLI_FAILED, "%s", e.text);
    }
    if (ok) {
        for (int i = 0; leads && !t->shows && i < t->event.player_count; i++)
            cli_warn_of_player(t->command, t->event.players[i].name, t->event.players[i].spec);
        t->start_ns = t->shown_ns = clock_now_ns(cli_clock());
        cli_date(t->date, sizeof t->date);
        event_table_init(&t->table, &t->event);
        status = play(t);
        event_table_done(&t->table);
    }
    store_close(t->store);
    event_done(&t->event);
    cli_leave_cluster(t->command, t->cluster);
    return status;
}

/* Prints what --event-file would read to play by the same rules. */
static int show_rules(struct tournament *t) {
    struct err e;
    struct event_rules rules;
    struct text text = {0};
    if (!check_options(&t->options, &e))
        return cli_fail(t->command, CLI_USAGE, "%s", e.text);
    if (!describe_rules(&t->options, &rules, &e) || !event_file_write(&rules, &text, &e))
        return cli_fail(t->command, CLI_FAILED, "%s", e.text);
    return cli_print_text(t->command, &text) ? CLI_OK : CLI_FAILED;
}

#define AT(field) offsetof(struct tournament_options, field)

static const struct param tournament_params[] = {
    {"players", PARAM_STRING, AT(players), .value = "A,B,...",
     .help = "who plays; ; stands for a comma in a player's options"},
    {"entries", PARAM_STRING, AT(entries), .value = "FILE",
     .help = "players with names and authors, as JSON"},
    {"maps", PARAM_STRING, AT(maps), .value = "M,...",
     .help = "files, names of our maps, or folders of them"},
    {"seed", PARAM_U64, AT(seed), .fallback = 1, .help = "everything random follows from it"},
    {"jobs", PARAM_INT, AT(jobs), 1, 256, .help = CLI_JOBS_HELP},
    {"store", PARAM_STRING, AT(store), .value = "FILE",
     .help = "store every game in FILE; the same command continues, --store alone shows the tournament"},
    {"continue", PARAM_FLAG, AT(go_on), .help = "with --store alone: continue"},
    {"programs", PARAM_FLAG, AT(programs),
     .help = "allow programs, connections and files of players that a file names; they are shown"},
    {"preset", PARAM_STRING, AT(preset), .value = "NAME",
     .help = "rules of a known tournament, as in gat-tactical"},
    {"event-file", PARAM_STRING, AT(event_file), .value = "FILE", .help = "the rules, as JSON"},
    {"rules-file", PARAM_STRING, AT(event_file), .value = "FILE", .help = "the same as --event-file"},
    {"show-rules", PARAM_FLAG, AT(show_rules), .help = "print the rules as an event file, play nothing"},
    {"out", PARAM_STRING, AT(out), .value = "DIR",
     .help = "write tables and pages there; with --store also fault reports"},
    {"quiet", PARAM_FLAG, AT(quiet), .help = "no live table"},
    {"json", PARAM_FLAG, AT(json), .help = "the result as JSON"},
    {0},
};

int cli_tournament(const struct cli_command *self, int argc, char **argv) {
    struct tournament t = {.command = self};
    struct tournament_options *o = &t.options;
    o->argc = argc;
    o->argv = argv;
    o->given[0] = (struct params){.table = tournament_params, .options = o};
    o->given[1] = (struct params){.table = event_params, .options = &o->rules};
    int status;
    if (!cli_parse(self, o->given, argc, argv, NULL, &status))
        return status;
    if (params_given(&o->given[0], "event-file") && params_given(&o->given[0], "rules-file"))
        return cli_fail(self, CLI_USAGE, "--event-file and --rules-file are the same option: give one");
    return o->show_rules ? show_rules(&t) : run_tournament(&t);
}

/* ---- senjutsu verify ---- */

/* Between two drawings of the status line of `verify`. */
enum { REDRAW_MS = 100 };

/* One run of `senjutsu verify`. With --json the problems are collected, otherwise each is printed as soon as
 * it is found: executing all games again may take minutes. */
struct verify {
    const struct cli_command *command;
    bool json, quiet;
    struct cli_status status;
    json_t *problems;
};

static void note_problem(void *context, const char *sentence) {
    struct verify *v = context;
    cli_status_clear(&v->status);
    char shown[ERR_TEXT_MAX + 512];
    snprintf(shown, sizeof shown, "%s", sentence);
    charset_disarm(shown); /* the store may come from a stranger */
    if (v->json)
        json_array_append_new(v->problems, json_string(shown));
    else
        printf("%s\n", shown);
}

/* Called after each game that was executed again; false ends the work. */
static bool show_progress(void *context, int games) {
    struct verify *v = context;
    if (!v->quiet && cli_status_is_due(&v->status, REDRAW_MS))
        cli_status_draw(&v->status, "%d games", games);
    return !atomic_load(&cli_stop);
}

/* Executes the games of a store again and prints the findings with the standings that follow from the games.
 * The store may come from a stranger: names in the table are shown without control characters. */
static int verify_path(struct verify *v, const char *path) {
    struct err e;
    struct event event = {0};
    struct games games;
    struct verify_report r;
    struct text table = {0};
    const struct verify_watch watch = {note_problem, show_progress, v};
    struct store *store = store_open(path, STORE_READ, &e);
    if (store == NULL || !sample_store_is_none(store, path, &e)) {
        store_close(store);
        return cli_fail(v->command, CLI_FAILED, "%s", e.text);
    }
    games_init(&games);
    cli_catch_interrupt();
    bool ok = verify_store(store, &watch, &event, &games, &r, &e);
    if (ok)
        standings_text(&event, &games, &table);
    if (table.data != NULL)
        charset_disarm(table.data);
    cli_status_clear(&v->status);
    if (!ok) {
        cli_fail(v->command, CLI_FAILED, "%s: %s", path, e.text);
    } else if (v->json) {
        ok = cli_print_json(v->command, json_pack("{sb si si sb sb sO ss}", "ok", r.problems == 0, "games",
                                                  r.games, "voids", r.voids, "complete", r.complete,
                                                  "standings_compared", r.standings_compared, "problems",
                                                  v->problems, "standings", text_string(&table)));
    } else if (r.problems > 0) {
        printf("%s: %d problem%s in %d games\n", path, r.problems, r.problems == 1 ? "" : "s", r.games);
    } else {
        printf("%s: ok, %d game%s executed again, %s\n\n%s", path, r.games, r.games == 1 ? "" : "s",
               r.standings_compared ? "the standings follow from them"
               : r.complete         ? "complete, but no standings are stored"
                                    : "the tournament is not over yet; standings so far:",
               text_string(&table));
        if (r.voids > 0)
            printf("\n%d game%s void, because the program was stopped in the middle, and played again:\n",
                   r.voids, r.voids == 1 ? " was" : "s were");
        for (const struct void_game *g = games.voids.games; g < games.voids.games + games.voids.count; g++)
            printf("game %d, stopped for %.1f s after %d actions\n", g->number, (double)g->gap_ns * 1e-9,
                   g->actions);
    }
    text_done(&table);
    games_done(&games);
    event_done(&event);
    store_close(store);
    return ok && cli_finish_output(v->command) && r.problems == 0 ? CLI_OK : CLI_FAILED;
}

#define VERIFY_AT(field) offsetof(struct verify, field)

static const struct param verify_params[] = {
    {"quiet", PARAM_FLAG, VERIFY_AT(quiet), .help = "no progress"},
    {"json", PARAM_FLAG, VERIFY_AT(json), .help = "the findings as JSON"},
    {0},
};

int cli_verify(const struct cli_command *self, int argc, char **argv) {
    struct verify v = {.command = self};
    int status;
    struct cli_arguments arguments;
    struct params options[] = {{verify_params, &v, 0}, {0}};
    if (!cli_parse(self, options, argc, argv, &arguments, &status))
        return status;
    if (arguments.count != 1)
        return cli_fail(self, CLI_USAGE, "one store is needed; given: %d", arguments.count);
    if (v.json)
        v.problems = json_array();
    status = verify_path(&v, arguments.values[0]);
    json_decref(v.problems);
    return status;
}
