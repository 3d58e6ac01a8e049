/* SPDX-License-Identifier: MIT
 *
 * `senjutsu tournament`: a tournament from its event file or options to its result pages, on threads or on
 * the ranks of a cluster. Three parts: the tournament that the options describe; progress and results (a
 * table redrawn in place on a terminal, otherwise plain lines; files at the end); and the run itself. And
 * `senjutsu verify STORE`, which checks that a store's games follow the rules and its tournament.
 *
 * A store holds the tournament with its games, so that a tournament can be shown and continued by the store
 * alone. Then its players come from a file and not from the command line, and need permission (cli_permit).
 * Under mpirun only rank 0 reads files, prints and stores; the others get the tournament from it
 * (cli_run_ranked).
 */
#include "base/mem.h"
#include "cli/cli.h"
#include "store/store.h"
#include "tournament/tournament.h"
#include "tournament/report.h"
#include "tournament/schedule.h"

#include <assert.h>
#include <dirent.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct tournament_command {
    /* The options; NULL or 0: not given. */
    const char *players, *entries, *maps, *preset, *event_file, *store_path, *out;
    struct tournament_rules
        rules; /* over the defaults; describe_rules applies the options to preset or file */
    uint64_t seed;
    int jobs;
    bool json, quiet, show_rules, go_on, programs;
    const struct cli_call *call; /* says which options were given */

    struct tournament tournament;
    struct store *store;     /* NULL: games are not stored */
    struct cluster *cluster; /* NULL: this program runs alone */
    bool has_players;        /* on the command line; otherwise they come from the store */
    bool shows;              /* only shows the store's content */

    int64_t shown_ns;    /* when the last table or line was printed */
    int played, resumed; /* games in all, and those of them found in the store */
    int lines;           /* lines on the terminal that the next drawing replaces */
    char date[64];
    struct tournament_table table;
};

/* ---- options ---- */

enum { ENTRIES_TEXT_MAX = 4 << 20 }; /* the file may be a collection of submissions */

/* Checks the game and the rule set, if they are options. */
static bool check_source(const struct tournament_command *t, struct err *e) {
    const struct params *given = &t->call->sections[1];
    const struct cli_source source = {
        .game = params_given(given, "game") ? t->rules.game : NULL,
        .rules = params_given(given, "rule_set") ? t->rules.rule_set : NULL,
    };
    return cli_check_source(&source, e);
}

/* Fills the rules: the defaults, over them a preset or an event file, over them the options. The command line
 * is read a second time for that (cli_apply), because it also names the file that lies below it. */
static bool describe_rules(const struct tournament_command *t, struct tournament_rules *out, struct err *e) {
    struct tournament_command unused;
    struct text text = {0};
    struct params sections[] = {{.table = t->call->sections[0].table, .options = &unused},
                                {.table = tournament_params, .options = out},
                                {0}};
    bool ok = check_source(t, e);
    tournament_rules_default(out);
    if (ok && t->preset != NULL)
        ok = tournament_rules_preset(t->preset, out, e);
    else if (ok && t->event_file != NULL)
        ok = file_read(t->event_file, EVENT_FILE_MAX, &text, e) &&
             event_file_read(t->event_file, text_string(&text), text.size, out, e);
    text_done(&text);
    if (!ok)
        return false;
    cli_apply(sections, t->call->argc, t->call->argv);
    return tournament_rules_check(out, e);
}

/* Checks the options without opening files: a mistake in them is wrong usage (exit status 2), a file that
 * cannot be used is a failure (exit status 1). The players of --players are the first of the tournament, and
 * are granted what they do. */
static bool check_options(struct tournament_command *t, struct err *e) {
    struct tournament_rules rules;
    if (t->preset != NULL && t->event_file != NULL)
        return err_set(e, "--preset and --event-file: give one; an event file can name a \"preset\" itself");
    if (!(t->event_file == NULL ? describe_rules(t, &rules, e) : check_source(t, e)) ||
        (t->players != NULL && !entrants_parse(t->players, &t->tournament, e)))
        return false;
    for (int i = 0; i < t->tournament.player_count; i++)
        cli_typed_player(t->tournament.players[i].spec);
    return true;
}

/* ---- maps ---- */

/* The map's name in tables is the file name without folder and ending. */
static bool add_map(const char *path, struct tournament *tournament, struct err *e) {
    const char *slash = strrchr(path, '/'), *base = slash != NULL ? slash + 1 : path;
    const size_t size = strlen(base) - (cli_ends_in(base, ".tbsmap") ? strlen(".tbsmap") : 0);
    char found[FILE_PATH_MAX], name[TOURNAMENT_NAME_MAX];
    struct text text = {0};
    charset_copy(name, sizeof name, base, size);
    bool ok = cli_read_map(path, found, &text, e);
    if (ok) {
        const struct game_source source = {.name = found, .text = text_string(&text), .size = text.size};
        ok = tournament_add_map(tournament, name, &source, e);
    }
    text_done(&text);
    return ok;
}

/* Folders of maps may have a README, pictures and backups beside the maps. */
static int is_map_file(const struct dirent *entry) {
    return cli_ends_in(entry->d_name, ".tbsmap");
}

/* Adds the files, bundled maps and folders of a list. Maps of a folder are sorted by name: the schedule
 * depends on their order, and the order of a folder differs between file systems. */
static bool add_maps(const char *list, struct tournament *tournament, struct err *e) {
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
            ok = (*path != '\0' || err_set(e, "--maps has an empty name in it")) &&
                 add_map(path, tournament, e);
            continue;
        }
        const int count = scandir(path, &files, is_map_file, alphasort);
        if (count <= 0)
            ok =
                err_set(e, count < 0 ? "%s: cannot be read" : "%s: there is no .tbsmap in this folder", path);
        for (int i = 0; i < count; i++) {
            char file[FILE_PATH_MAX];
            ok = ok && file_path(file, e, "%s/%s", path, files[i]->d_name) && add_map(file, tournament, e);
            mem_free(files[i]);
        }
        mem_free(files);
    }
    text_done(&copy);
    return ok;
}

/* ---- the tournament ---- */

/* Completes the tournament that the options describe, after check_options; reads the files that they name. */
static bool describe_tournament(struct tournament_command *t, struct err *e) {
    struct tournament *tournament = &t->tournament;
    const char *game = tournament->rules.game;
    struct text entries = {0};
    tournament->owns_scenarios = true;
    tournament->seed = t->seed;
    bool ok = describe_rules(t, &tournament->rules, e);
    if (ok && t->entries != NULL)
        ok = file_read(t->entries, ENTRIES_TEXT_MAX, &entries, e) &&
             entrants_read(t->entries, text_string(&entries), entries.size, tournament, e);
    text_done(&entries);
    if (!ok || !tournament_check_players(tournament, e))
        return false;
    if (!tournament_takes_maps(&tournament->rules))
        return t->maps == NULL ? tournament_add_map(tournament, game, NULL, e)
                               : err_set(e, "--maps: %s is played without maps", game);
    if (strchr(game, ':') != NULL)
        return err_set(e, "game %s: the tactical game's rule set is said apart, by --rules or \"rule_set\"",
                       game);
    return add_maps(t->maps != NULL ? t->maps : "standard", tournament, e);
}

/* ---- view ---- */

/* A log gets a line every few seconds; a terminal is redrawn as often as an eye can follow. */
enum { REDRAW_NS = 250000000, LINE_EVERY_S = 5 };

/* Fills a report of the current state; it points into the tournament, which must not change meanwhile. */
static void make_report(struct tournament_command *t, const struct games *games, bool complete,
                        struct report *out) {
    *out = (struct report){
        .games_played = t->played,
        .games_untimed = t->resumed,
        .seconds = cli_seconds(),
        .date = t->date,
        .store = t->store_path,
        .complete = complete,
    };
    tournament_table_report(&t->table, games, out);
}

/* Moves the cursor to the first line of the table and clears the screen from there. */
static void erase(struct tournament_command *t) {
    if (t->lines > 0)
        fprintf(stderr, "\r\033[%dA\033[J", t->lines);
    t->lines = 0;
}

/* Redraws the standings in place, on standard error: standard output gets the final table alone. A table with
 * more lines than the terminal could not be erased again, so it is cut to its height. */
static void draw(struct tournament_command *t, const struct games *games, int columns, int rows) {
    struct report report;
    struct text text = {0};
    const struct report_style style = {columns, rows > 8 ? rows - 4 : 4, cli_colour(STDERR_FILENO)};
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
    struct tournament_command *t = context;
    (void)number;
    int columns, rows;
    t->played++;
    t->resumed += resumed;
    const int64_t now = clock_now_ns(cli_clock());
    const bool terminal = cli_terminal(STDERR_FILENO, &columns, &rows);
    const int64_t every = terminal ? REDRAW_NS : INT64_C(1000000000) * LINE_EVERY_S;
    if (t->quiet || now - t->shown_ns < every)
        return;
    if (terminal) {
        draw(t, games, columns, rows);
    } else {
        const struct standing *first = t->table.standings;
        standings_compute(&t->tournament, games, t->table.standings);
        fprintf(stderr, "%d of %d games; %s leads with %g points\n", t->played,
                tournament_games_expected(&t->tournament, games), t->tournament.players[first->player].name,
                first->points);
    }
    t->shown_ns = clock_now_ns(cli_clock());
}

/* ---- the command ---- */

/* Players from a store or a list of entries may do things that were not typed, so they need permission. False
 * after a message. */
static bool allow_players(const struct tournament_command *t) {
    const char *specs[TOURNAMENT_PLAYERS_MAX];
    for (int i = 0; i < t->tournament.player_count; i++)
        specs[i] = t->tournament.players[i].spec;
    const char *file = !t->has_players ? t->store_path : t->entries != NULL ? t->entries : "--players";
    return cli_permit(file, specs, t->tournament.player_count, t->programs);
}

/* The name of an option that describes the tournament, other than its players; NULL: none is given. Names are
 * cut from the command line where the option may have several. */
static const char *tournament_option(const struct tournament_command *t) {
    static const char *const own[] = {"maps", "preset", "event-file", "rules-file", "seed"};
    const struct cli_call *call = t->call;
    struct params rules[] = {call->sections[1], {0}};
    struct param_place place;
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        if (params_given(&call->sections[0], own[i]))
            return own[i];
    for (int i = 1; i < call->argc; i++)
        if (strncmp(call->argv[i], "--", 2) == 0 &&
            params_find_option(rules, call->argv[i] + 2, strcspn(call->argv[i] + 2, "="), &place))
            return call->argv[i] + 2;
    return NULL;
}

/* Refuses options that contradict each other or have no effect: an option that describes the tournament
 * without players is almost always a forgotten --players. Returns CLI_OK or another exit status. */
static int check_usage(struct tournament_command *t, struct err *e) {
    const char *given = tournament_option(t);
    t->has_players = t->players != NULL || t->entries != NULL;
    if (!check_options(t, e))
        return CLI_USAGE;
    if (t->go_on && (t->has_players || t->store_path == NULL))
        return cli_error(CLI_USAGE, "--continue belongs to --store alone; where players are given, the "
                                    "tournament continues anyway");
    if (t->has_players)
        return CLI_OK;
    if (t->programs && !t->go_on)
        return cli_error(CLI_USAGE, "--programs is given, but nothing is played without --continue");
    if (given != NULL)
        return cli_error(CLI_USAGE, "--%.*s is given, but no players: --players or --entries",
                         (int)strcspn(given, "="), given);
    if (t->store_path == NULL)
        return cli_error(CLI_USAGE,
                         "who plays? --players A,B,… or --entries FILE, or --store FILE to look at "
                         "a tournament");
    return access(t->store_path, F_OK) == 0
               ? CLI_OK
               : cli_error(CLI_FAILED, "%s: there is no such store", t->store_path);
}

/* Removes the live table, stores the standings of a complete tournament for `verify`, prints the result and,
 * with --out, writes the files. Without colours and limits under mpirun: its ranks may have a terminal
 * although its own output is a file. */
static int conclude(struct tournament_command *t, const struct games *games, bool complete, struct err *e) {
    struct report report;
    struct text text = {0};
    struct highlight list[REPORT_HIGHLIGHTS_MAX];
    int columns = 0, rows;
    const bool terminal = t->cluster == NULL && cli_terminal(STDOUT_FILENO, &columns, &rows);
    const struct report_style style = {terminal ? columns : 0, 0, terminal && cli_colour(STDOUT_FILENO)};
    if (complete && !t->shows && !tournament_store_standings(t->store, &t->tournament, games, e))
        return CLI_FAILED;
    erase(t);
    make_report(t, games, complete, &report);
    if (t->json) {
        report_json(&report, &text);
    } else {
        report_table(&report, &style, &text);
        if (complete && report.fit != NULL && !report.fit->connected)
            text_add_string(
                &text,
                "Not all players can be compared: ratings between groups that never met are guesses.\n");
        const int count = report_highlights(&report, 3, list);
        for (int i = 0; i < count; i++)
            text_add(&text, "%s  %s (game %d)\n", i == 0 ? "\nHighlights:\n" : "", list[i].text,
                     list[i].game);
    }
    fputs(text_string(&text), stdout);
    text_done(&text);
    if (t->out != NULL && !report_write_files(&report, t->out, t->store, e))
        return CLI_FAILED;
    if (!complete && t->shows)
        cli_error(CLI_OK, "the tournament is not over; --continue continues it");
    else if (!complete)
        cli_error(CLI_OK, "stopped after %d games%s", t->played,
                  t->store != NULL ? "; the same command continues" : "");
    return complete || t->shows ? CLI_OK : CLI_FAILED;
}

/* Plays what is missing of the tournament, on all ranks, and concludes on rank 0. External programs are kept
 * between games: the number of parallel games follows from how many of them this machine can run, twice as
 * many when maps are of both kinds, because a player is opened for one kind. */
static int play(void *state, struct err *e) {
    struct tournament_command *t = state;
    const struct tournament *tournament = &t->tournament;
    const bool leads = cli_is_leader(t->cluster);
    const char *specs[TOURNAMENT_PLAYERS_MAX];
    struct cli_programs programs = {specs, tournament->player_count, 1, PLAYER_CACHE_MAX, t->cluster};
    assert(tournament->player_count <= TOURNAMENT_PLAYERS_MAX);
    for (int i = 0; i < tournament->player_count; i++) {
        specs[i] = tournament->players[i].spec;
        if (!leads) /* rank 0 has checked them */
            cli_typed_player(specs[i]);
        else if (!t->shows)
            cli_check_program(tournament->players[i].name, specs[i]);
    }
    for (int i = 1; i < tournament->map_count; i++)
        if (tournament->maps[i].scenario->game != tournament->maps[0].scenario->game)
            programs.copies = 2;
    t->shown_ns = cli_begin();
    cli_date(t->date, sizeof t->date);
    tournament_table_init(&t->table, tournament);
    const struct tournament_run run = {
        .tournament = tournament,
        .batch.store = t->store,
        .batch.cluster = t->cluster,
        .batch.workers = cli_parallel_games(t->jobs, &programs),
        .batch.clock = cli_clock(),
        .batch.grant = cli_grant(),
        .batch.stored_only = t->shows,
        .batch.stop = &cli_stop,
        .batch.date = cli_date,
        .on_game = leads ? view_game : NULL,
        .batch.context = t,
    };
    struct games games;
    bool complete;
    int columns, rows;
    games_init(&games);
    /* A first table, so that output starts before a long first game ends. */
    if (leads && !t->quiet && cli_terminal(STDERR_FILENO, &columns, &rows))
        draw(t, &games, columns, rows);
    int status = tournament_play(&run, &games, &complete, e) ? CLI_OK : CLI_FAILED;
    if (status == CLI_OK && leads)
        status = conclude(t, &games, complete, e);
    games_done(&games);
    tournament_table_done(&t->table);
    return status;
}

/* On rank 0 alone: the tournament, the store and the folder of results, so that a failure shows before the
 * first game. A tournament that the command line does not describe may be any tournament. After a failure
 * that was already reported `e` is empty. */
static int prepare(void *state, struct err *e) {
    struct tournament_command *t = state;
    const char *path = t->store_path;
    const int status = check_usage(t, e);
    if (status != CLI_OK)
        return status;
    t->shows = !t->has_players && !t->go_on;
    if (t->has_players && (!describe_tournament(t, e) || !allow_players(t)))
        return CLI_FAILED;
    if (path != NULL)
        t->store = t->shows ? tournament_store_read(path, STORE_TOURNAMENT, &t->tournament, e)
                            : tournament_store_open(path, STORE_TOURNAMENT, &t->tournament, e);
    if (path != NULL && t->store == NULL)
        return CLI_FAILED;
    if (!t->shows &&
        ((!t->has_players && !allow_players(t)) || !tournament_check(&t->tournament, cli_grant(), e)))
        return CLI_FAILED;
    return t->out == NULL || cli_make_folder(t->out, e) ? CLI_OK : CLI_FAILED;
}

/* The tournament travels as JSON with its maps, in the form of the store. */
static bool write_tournament(const void *state, struct text *out, struct err *e) {
    const struct tournament_command *t = state;
    return tournament_write(&t->tournament, out, e);
}

static bool read_tournament(void *state, const struct text *text, struct err *e) {
    struct tournament_command *t = state;
    return tournament_read("rank 0's tournament", text_string(text), text->size, &t->tournament, e);
}

/* --show-rules needs no players and no cluster: it reads the rules and nothing else. */
static int run_tournament(void *state, const struct cli_call *call, struct err *e) {
    static const struct cli_ranked ranked = {prepare, write_tournament, read_tournament, play};
    struct tournament_command *t = state;
    t->call = call;
    if (params_given(&call->sections[0], "event-file") && params_given(&call->sections[0], "rules-file"))
        return cli_error(CLI_USAGE, "--event-file and --rules-file are the same option: give one");
    if (!t->show_rules)
        return cli_run_ranked(&ranked, t, &t->cluster, e);
    struct tournament_rules rules;
    struct text text = {0};
    if (!check_options(t, e))
        return CLI_USAGE;
    if (!describe_rules(t, &rules, e) || !event_file_write(&rules, &text, e))
        return CLI_FAILED;
    return cli_show_text(&text);
}

static void end_tournament(void *state) {
    struct tournament_command *t = state;
    store_close(t->store);
    tournament_done(&t->tournament);
    cli_leave_cluster(t->cluster);
}

#define AT(field) offsetof(struct tournament_command, field)

static const struct param command_params[] = {
    {"players", PARAM_STRING, AT(players), .value = "A,B,...",
     .help = "players; ; stands for a comma in a player's options"},
    {"entries", PARAM_STRING, AT(entries), .value = "FILE",
     .help = "players with names and authors, as JSON"},
    {"maps", PARAM_STRING, AT(maps), .value = "M,...",
     .help = "files, names of our maps, or folders of them"},
    {PARAM_SEED_ROW(AT(seed))},
    {CLI_JOBS_ROW(AT(jobs))},
    {"store", PARAM_STRING, AT(store_path), .value = "FILE",
     .help = "store every game in FILE; the same command continues, --store alone shows the tournament"},
    {"continue", PARAM_FLAG, AT(go_on), .help = "with --store alone: play the games that are missing"},
    {"programs", PARAM_FLAG, AT(programs), .help = CLI_PROGRAMS_HELP},
    {TOURNAMENT_PRESET_ROW(AT(preset))},
    {"event-file", PARAM_STRING, AT(event_file), .value = "FILE",
     .help = "settings of the tournament, as JSON"},
    {"rules-file", PARAM_STRING, AT(event_file), .value = "FILE", .help = "the same as --event-file"},
    {"show-rules", PARAM_FLAG, AT(show_rules), .help = "print all settings as an event file, play nothing"},
    {"out", PARAM_STRING, AT(out), .value = "DIR",
     .help = "write tables and pages to DIR; with --store also fault reports"},
    {"quiet", PARAM_FLAG, AT(quiet), .help = "no live table"},
    {"json", PARAM_FLAG, AT(json), .help = "the result as JSON"},
    {0},
};

const struct cli_body cli_tournament = {
    .size = sizeof(struct tournament_command),
    .options = {{command_params, 0}, {tournament_params, offsetof(struct tournament_command, rules)}},
    .run = run_tournament,
    .done = end_tournament,
};

/* ---- senjutsu verify ---- */

/* One run of `senjutsu verify`. With --json the problems are collected, otherwise each is printed as soon as
 * it is found: executing all games again may take minutes. */
struct verify {
    bool json, quiet;

    json_t *problems;
    struct store *store;
    struct tournament tournament;
    struct games games;
    struct text table;
};

/* Called for each problem. It may come while the status line is drawn, and quotes names from the store. */
static void note_problem(void *context, const char *sentence) {
    struct verify *v = context;
    cli_status_clear();
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
    if (!v->quiet && cli_status_is_due(CLI_REDRAW_MS))
        cli_status_draw("%d games", games);
    return !atomic_load(&cli_stop);
}

/* Executes the games of a store again and prints the findings with the standings that follow from the games.
 * The store may come from a stranger: names in the table are shown without control characters. */
static int run_verify(void *state, const struct cli_call *call, struct err *e) {
    struct verify *v = state;
    const char *path = call->arguments.values[0];
    struct verify_report r;
    struct err ignored;
    const struct verify_watch watch = {note_problem, show_progress, v};
    v->problems = json_array();
    games_init(&v->games);
    v->store = store_open(path, STORE_READ, e);
    if (v->store == NULL ||
        (!store_is_of(v->store, STORE_MATCH, &ignored) && !store_is_of(v->store, STORE_TOURNAMENT, e)))
        return CLI_FAILED;
    cli_catch_interrupt();
    if (!verify_store(v->store, &watch, &v->tournament, &v->games, &r, e)) {
        err_prefix(e, "%s: ", path);
        return CLI_FAILED;
    }
    standings_text(&v->tournament, &v->games, &v->table);
    if (v->table.data != NULL)
        charset_disarm(v->table.data);
    cli_status_clear();
    if (v->json) {
        const int printed = cli_show_json(json_pack("{sb si si sb sb sO ss}", "ok", r.problems == 0, "games",
                                                    r.games, "voids", r.voids, "complete", r.complete,
                                                    "standings_compared", r.standings_compared, "problems",
                                                    v->problems, "standings", text_string(&v->table)));
        return r.problems == 0 ? printed : CLI_FAILED;
    }
    if (r.problems > 0) {
        printf("%s: %d problem%s in %d games\n", path, r.problems, r.problems == 1 ? "" : "s", r.games);
        cli_flush();
        return CLI_FAILED;
    }
    printf("%s: ok, %d game%s executed again, %s\n\n%s", path, r.games, r.games == 1 ? "" : "s",
           r.is_match             ? r.complete ? "the match is complete"
                                               : "not all games of the match: stopped, or decided by a test"
           : r.standings_compared ? "the standings follow from them"
           : r.complete           ? "complete, but no standings are stored"
                                  : "the tournament is not over yet; standings so far:",
           text_string(&v->table));
    if (r.voids > 0)
        printf("\n%d game%s void, because the program was stopped in the middle, and played again:\n",
               r.voids, r.voids == 1 ? " was" : "s were");
    for (const struct void_game *g = v->games.voids.games; g < v->games.voids.games + v->games.voids.count;
         g++)
        printf("game %d, stopped for %.1f s after %d actions\n", g->number, (double)g->gap_ns * 1e-9,
               g->actions);
    return CLI_OK;
}

#define VERIFY_AT(field) offsetof(struct verify, field)

static const struct param verify_params[] = {
    {"quiet", PARAM_FLAG, VERIFY_AT(quiet), .help = "no progress"},
    {"json", PARAM_FLAG, VERIFY_AT(json), .help = "the findings as JSON"},
    {0},
};

static void end_verify(void *state) {
    struct verify *v = state;
    json_decref(v->problems);
    text_done(&v->table);
    games_done(&v->games);
    tournament_done(&v->tournament);
    store_close(v->store);
}

const struct cli_body cli_verify = {
    sizeof(struct verify), {{verify_params}}, .takes_one = "store", .run = run_verify, .done = end_verify};
