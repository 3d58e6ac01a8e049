/* SPDX-License-Identifier: MIT
 *
 * `senjutsu check` in three modes. `check PLAYER` runs the protocol's compliance items on an external
 * program. `check --replay BUNDLE` repeats a stored fault. `check --leaks PLAYER…` tests whether a player's
 * answer depends on what its side cannot see.
 */
#include "audit/leaks.h"
#include "base/encode.h"
#include "cli/cli.h"
#include "game/tbs/tbs.h"
#include "protocol/talk.h"

#include <assert.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

struct check {
    const char *map_list, *fault_report; /* names of maps; the file of --replay */
    const char *game; /* spec; NULL: the tactical game; with --leaks: all that hide something */
    /* Options are read into it. --replay uses its `talk`, --leaks its number of positions and its seed. */
    struct compliance setup;
    int alike; /* of --leaks: states compared with each position */
    bool json, verbose, programs, wants_leaks;

    const char *player;        /* as typed, or the command of the fault report */
    struct ext_options engine; /* what setup.talk refers to */
    struct cli_maps maps;      /* without --replay and --leaks */
};

/* Prints "pass", "fail", … in its colour. */
static void print_label(const char *label) {
    const int colour = strcmp(label, "pass") == 0 ? 32 : strcmp(label, "skip") == 0 ? 33 : 31;
    if (cli_colour(STDOUT_FILENO))
        printf("\033[%dm%s\033[0m", colour, label);
    else
        fputs(label, stdout);
}

/* ---- leaks ---- */

/* Simulations in place of a time limit: enough for an answer that depends on the whole view. */
enum { GAMES_MAX = 32, WORK = 200 };

/* UNSTEADY: equal questions get different answers, so different answers prove nothing. */
enum outcome { PASS, FAIL, UNSTEADY, SKIP, OUTCOMES };

static const char *const outcome_names[OUTCOMES] = {
    [PASS] = "pass", [FAIL] = "fail", [UNSTEADY] = "unsteady", [SKIP] = "skip"};

/* The audit of one player. */
struct audit {
    const struct check *task;
    const char *player;
    uint64_t work;        /* 0: from the player's options */
    int counts[OUTCOMES]; /* of games */
    bool stopped;
    json_t *rows;
};

/* Fills the specs of all games that hide something; returns their number. */
static int list_games(const char **out) {
    /* The options of this one change how much is hidden, so it is tested in several variants. */
    static const char *const variants[] = {"synth:df=0.1", "synth:df=0.5", "synth:df=0.9"};
    int count = 0;
    for (int i = 0; game_tables[i] != NULL; i++) {
        const char *name = game_tables[i]->name;
        assert(count + 3 < GAMES_MAX);
        if (strcmp(name, "synth") == 0)
            for (int k = 0; k < 3; k++)
                out[count++] = variants[k];
        else if (game_tables[i]->hide != NULL)
            out[count++] = name;
    }
    return count;
}

/* Adds the result of one game to the rows, and prints it without --json; `r` is NULL for a game that was not
 * examined. */
static void report_game(struct audit *a, enum outcome outcome, const char *game, const char *message,
                        const struct leaks_report *r) {
    a->counts[outcome]++;
    if (!a->task->json) {
        print_label(outcome_names[outcome]);
        printf("  %s: %s\n", game, message);
        fflush(stdout);
    }
    json_t *row = json_pack("{ss ss ss}", "game", game, "result", outcome_names[outcome], "words", message);
    if (r != NULL)
        json_object_update_new(row, json_pack("{si si si si si si si si}", "games", r->games, "positions",
                                              r->positions, "twins", r->alike, "alone", r->alone, "views",
                                              r->views, "kept", r->stored, "answers", r->answers, "unsteady",
                                              r->unsteady));
    json_array_append_new(a->rows, row);
}

/* One sentence per kind of finding. An unsteady player answers the same question in two ways, so that
 * different answers in two states prove no leak; findings about the game's views still hold. */
static void describe(const struct leaks_report *r, struct text *out) {
    if (r->positions == 0) {
        text_add(out, "in none of %d positions was anything hidden from who is to move", r->alone);
        return;
    }
    if (r->views > 0)
        text_add(out, "the game shows too much in %d of %d states; ", r->views, r->alike);
    if (r->stored > 0)
        text_add(out, "views of %d positions differ from others that have the same key; ", r->stored);
    if (r->answers > 0 && r->unsteady == 0)
        text_add(out, "the player answers differently in %d of %d states that look alike to it; ", r->answers,
                 r->alike);
    if (r->unsteady > 0)
        text_add(out, "%d of %d questions got another answer the second time, so answers prove nothing; ",
                 r->unsteady, r->positions + r->alike);
    if (leaks_none(r))
        text_add(out, "%d positions, %d other states that look alike: the same views, the same answers",
                 r->positions, r->alike);
    else
        text_add(out, "first: %s", text_string(&r->first));
}

/* A player that refuses a game cannot leak there. */
static bool audit_game(struct audit *a, const char *spec, const struct scenario *scenario, struct err *e) {
    struct leaks_report r;
    struct text message = {0};
    struct player *player = player_open_granted(a->player, scenario->game, cli_grant(), e);
    if (player == NULL) {
        text_add(&message, "cannot play it: %s", e->text);
        report_game(a, SKIP, spec, text_string(&message), NULL);
        text_done(&message);
        return true;
    }
    const struct leaks_task task = {
        .scenario = scenario,
        .player = player,
        .positions = a->task->setup.positions,
        .alike = a->task->alike,
        .seed = a->task->setup.seed,
        .work = a->work,
        .clock = cli_clock(),
        .stop = &cli_stop,
    };
    const bool ok = leaks_find(&task, &r, e);
    a->stopped = ok && r.stopped;
    if (ok && !r.stopped) {
        const bool is_unsteady = r.unsteady > 0 && r.views + r.stored == 0;
        describe(&r, &message);
        const enum outcome outcome = leaks_none(&r)     ? PASS
                                     : r.positions == 0 ? SKIP
                                     : is_unsteady      ? UNSTEADY
                                                        : FAIL;
        report_game(a, outcome, spec, text_string(&message), &r);
    }
    text_done(&message);
    text_done(&r.first);
    player_close(player);
    return ok;
}

/* A player with a time limit does not repeat the same work, so its answers cannot be compared. */
static bool goes_by_clock(const char *canonical) {
    for (const char *at = canonical; (at = strstr(at, "time=")) != NULL; at++)
        if (at > canonical && strchr(":,[", at[-1]) != NULL)
            return true;
    return false;
}

/* A player that could be asked in no game at all has proved nothing. */
static bool is_clean(const struct audit *a) {
    return !a->stopped && a->counts[FAIL] == 0 && a->counts[UNSTEADY] == 0 && a->counts[PASS] > 0;
}

/* Examines one player in all games and prints its lines. A stop by Ctrl-C ends the list of games, and the
 * player is not clean then: too little was seen. */
static int run_player(struct audit *a, const char *const *games, int count) {
    const bool json = a->task->json;
    struct err e;
    struct text canonical = {0};
    const bool ok = player_check(a->player, &canonical, &e);
    if (ok && goes_by_clock(text_string(&canonical)))
        a->work = WORK;
    text_done(&canonical);
    if (!ok)
        return cli_error(CLI_USAGE, "%s", e.text);
    if (a->work > 0 && !json)
        printf("note  answers under a clock differ by themselves: %s is asked for %d simulations instead\n",
               a->player, WORK);
    for (int i = 0; i < count && !a->stopped; i++) {
        struct scenario *scenario = game_load_spec(games[i], &e);
        const bool done = scenario != NULL && audit_game(a, games[i], scenario, &e);
        game_unload(scenario);
        if (!done)
            return cli_error(CLI_FAILED, "%s", e.text);
    }
    const int *counts = a->counts, looked_at = counts[PASS] + counts[FAIL] + counts[UNSTEADY];
    const char *name = looked_at == 1 ? "game" : "games";
    if (json)
        return is_clean(a) ? CLI_OK : CLI_FAILED;
    printf("%s: ", a->player);
    if (a->stopped)
        printf("stopped\n");
    else if (looked_at == 0)
        printf("there was no game to look at\n");
    else if (counts[FAIL] > 0)
        printf("leaks in %d of %d %s\n", counts[FAIL], looked_at, name);
    else if (counts[UNSTEADY] > 0)
        printf("nothing is known about %d of %d %s: its answers vary by themselves\n", counts[UNSTEADY],
               looked_at, name);
    else
        printf("no leaks in %d %s\n", looked_at, name);
    return is_clean(a) ? CLI_OK : CLI_FAILED;
}

/* Players are examined one after the other, because each is opened anew for every game. The exit status is 0
 * only if all of them are clean; a wrong spec ends the run at once. */
static int run_leaks(const struct check *k, const struct cli_arguments *players, struct err *e) {
    const struct cli_source source = {.game = k->game};
    const char *games[GAMES_MAX] = {k->game};
    struct spec spec;
    if (players->count == 0)
        return cli_error(CLI_USAGE, "--leaks: a player is needed");
    if (k->game != NULL && (!cli_check_source(&source, e) || !spec_parse(k->game, &spec, e)))
        return CLI_USAGE;
    if (k->game != NULL && game_find(spec.name)->hide == NULL)
        return cli_error(CLI_USAGE, "--game %s: it hides nothing, so there is nothing to leak", k->game);
    const int count = k->game != NULL ? 1 : list_games(games);
    json_t *all = json_array();
    int status = CLI_OK;
    bool stopped = false;
    cli_catch_interrupt();
    for (int i = 0; i < players->count && status != CLI_USAGE && !stopped; i++) {
        cli_typed_player(players->values[i]);
        struct audit a = {.task = k, .player = players->values[i], .rows = json_array()};
        const int own = run_player(&a, games, count);
        json_t *row = json_pack("{ss sb si si si si sb sI so}", "player", a.player, "clean", is_clean(&a),
                                "passed", a.counts[PASS], "failed", a.counts[FAIL], "unsteady",
                                a.counts[UNSTEADY], "skipped", a.counts[SKIP], "stopped", a.stopped,
                                "work_instead_of_time", (json_int_t)a.work, "games", a.rows);
        json_array_append_new(all, row); /* printed with --json only */
        status = own != CLI_OK ? own : status;
        stopped = a.stopped;
    }
    const bool printed =
        k->json && status != CLI_USAGE
            ? cli_show_json(json_pack("{si si so sO}", "positions", k->setup.positions, "twins", k->alike,
                                      "seed", jsontext_seed(k->setup.seed), "players", all)) == CLI_OK
            : cli_flush() == CLI_OK;
    json_decref(all);
    return printed ? status : CLI_FAILED;
}

/* ---- compliance ---- */

/* One of each size, and one that is long and narrow. */
#define DEFAULT_MAPS "duel,standard,standard8,lane,battle16,largest"

/* Lines of a map that was sent ("> MAP[0,1,1,0];") are omitted: they are long and known. */
static void print_lines(const struct text *lines, const char *indent) {
    char line[LINK_TAIL_LINE_MAX + 8], shown[LINK_TAIL_LINE_MAX + 8];
    int left_out = 0;
    for (const char *at = text_string(lines); (at = talk_next_line(at, line, sizeof line)) != NULL;) {
        const size_t letters = line[0] == '>' ? strspn(line + 2, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") : 0;
        if (letters > 0 && line[2 + letters] == '[') {
            left_out++;
            continue;
        }
        if (left_out > 0)
            printf("%s> … (%d lines)\n", indent, left_out);
        left_out = 0;
        link_show(shown, sizeof shown, line, strlen(line));
        printf("%s%s\n", indent, shown);
    }
}

/* On a terminal the current item is shown in the last line until it has a result. */
static void watch(void *watcher, const struct compliance_item *item, const struct compliance_finding *f) {
    const struct check *k = watcher;
    int columns, rows;
    const bool redraws = cli_terminal(STDOUT_FILENO, &columns, &rows),
               failed = f != NULL && f->result == COMPLIANCE_FAIL;
    if (k->json)
        return;
    if (f == NULL && redraws)
        printf("...   %s: %s", item->name, item->description);
    if (f != NULL) {
        if (redraws)
            printf("\r\033[K");
        print_label(f->result == COMPLIANCE_SKIPPED ? "skip" : compliance_result_names[f->result]);
        printf("  %s%s: %s\n", item->name, failed && !f->needed ? " (recommended)" : "", f->message);
    }
    if (k->verbose && failed) {
        printf("      An engine %s. What was said:\n", item->description);
        print_lines(&f->conversation, "        ");
    }
    fflush(stdout);
}

/* Recommended items do not count for readiness: the report names only those failures that keep an engine out
 * of a tournament. */
static void print_verdict(const struct compliance_report *r) {
    printf("%d of %d items passed", r->passed, r->passed + r->failed);
    if (r->skipped > 0)
        printf(", %d skipped", r->skipped);
    fputs(r->ready ? ": ready for a tournament" : r->stopped ? ": stopped" : ": not ready", stdout);
    const char *before = ": ";
    for (int i = 0; i < r->count && !r->stopped && !r->ready; i++)
        if (r->findings[i].needed && r->findings[i].result == COMPLIANCE_FAIL) {
            printf("%s%s", before, r->findings[i].item->name);
            before = ", ";
        }
    printf("\n");
}

/* All lines, with those of maps: readers of JSON have room, and can repeat the conversation. Control
 * characters are shown as in print_lines. */
static json_t *lines_json(const struct text *lines) {
    json_t *list = json_array();
    char line[LINK_TAIL_LINE_MAX + 8], shown[LINK_TAIL_LINE_MAX + 8];
    for (const char *at = text_string(lines); (at = talk_next_line(at, line, sizeof line)) != NULL;) {
        link_show(shown, sizeof shown, line, strlen(line));
        json_array_append_new(list, json_string(shown));
    }
    return list;
}

/* A conversation is long; it is added only to items that failed. */
static bool print_report_json(const struct check *k, const struct compliance_report *r) {
    json_t *items = json_array(), *maps = json_array();
    for (int i = 0; i < r->count; i++) {
        const struct compliance_finding *f = &r->findings[i];
        json_t *said = f->result == COMPLIANCE_FAIL ? lines_json(&f->conversation) : NULL;
        json_array_append_new(items, json_pack("{ss ss sb ss ss sf so*}", "name", f->item->name,
                                               "description", f->item->description, "needed", f->needed,
                                               "result", compliance_result_names[f->result], "words",
                                               f->message, "seconds", f->seconds, "conversation", said));
    }
    for (int i = 0; i < k->maps.count; i++)
        json_array_append_new(maps, json_string(k->maps.names[i]));
    return cli_show_json(json_pack("{ss ss ss sb si si si si so so so}", "player", k->player, "name", r->name,
                                   "version", r->version, "ready", r->ready, "passed", r->passed, "failed",
                                   r->failed, "skipped", r->skipped, "positions", k->setup.positions, "seed",
                                   jsontext_seed(k->setup.seed), "maps", maps, "items", items)) == CLI_OK;
}

/* Plays all items on all maps. Exit status 0: the engine is ready for a tournament. */
static int run_check(struct check *k, struct err *e) {
    struct compliance_report report;
    struct compliance *setup = &k->setup;
    setup->scenarios = k->maps.scenarios;
    setup->map_names = (const char *const *)k->maps.names;
    setup->map_count = k->maps.count;
    setup->watch = watch; /* results are printed when they are known, not at the end */
    setup->watcher = k;
    /* Every map must have a side to move: engines are asked there. */
    for (int i = 0; i < k->maps.count; i++) {
        const struct scenario *scenario = k->maps.scenarios[i];
        _Alignas(16) unsigned char state[GAME_STATE_MAX];
        struct rng r;
        rng_seed(&r, setup->seed);
        scenario->game->start(state, scenario, &r);
        if (scenario->game->mover(state) == NOBODY)
            return cli_error(CLI_FAILED, "%s: the game is over at its start", k->maps.names[i]);
    }
    cli_catch_interrupt(); /* the first Ctrl-C ends the run with a report of what is known */
    bool ok = compliance_run(setup, &report, e);
    const bool ready = report.ready; /* the report is released before the status is known */
    if (ok && k->json)
        ok = print_report_json(k, &report);
    else if (ok)
        print_verdict(&report);
    compliance_report_done(&report);
    return ok && cli_flush() == CLI_OK && ready ? CLI_OK : CLI_FAILED;
}

/* The spec is read here and not by player_open: the items talk to the program directly, with wrong commands
 * among them, which a player never sends. */
static int check_player(struct check *k, const struct cli_arguments *arguments, struct err *e) {
    struct spec spec;
    if (arguments->count != 1)
        return cli_error(CLI_USAGE, "one player is needed; given: %d", arguments->count);
    k->player = arguments->values[0];
    cli_typed_player(k->player);
    const struct game *game =
        k->game != NULL && spec_parse(k->game, &spec, NULL) ? game_find(spec.name) : NULL;
    /* The default list of maps does not count as a choice of maps. */
    const bool on_maps =
        game == NULL || game_offer(game)->takes_map || strcmp(k->map_list, DEFAULT_MAPS) != 0;
    const struct cli_source source = {.game = k->game, .map = on_maps ? k->map_list : NULL};
    if (!talk_read_spec(k->player, &k->engine, e) || !cli_check_source(&source, e))
        return CLI_USAGE;
    const int status = cli_load_sources(&k->maps, &source, e) ? run_check(k, e) : CLI_FAILED;
    cli_unload_maps(&k->maps);
    return status;
}

/* ---- repeating a fault ---- */

/* A fault counts as reproduced when it is of the same kind, whatever its words: times and quoted lines
 * differ from run to run. */
static void print_reproduction(const struct fault_report *b, const struct check *k,
                               const struct reproduction *r) {
    const char *wanted = player_fault_names[b->fault];
    struct text reason = {0}, player = {0};
    charset_show(b->reason, strlen(b->reason), &reason); /* both may come from a foreign file */
    charset_show(k->player, strlen(k->player), &player);
    printf("fault report: %s: %s\nsent: %d of %d commands to %s\n", wanted, text_string(&reason),
           r->commands_sent, r->commands_in_all, text_string(&player));
    text_done(&reason);
    text_done(&player);
    if (r->is_cut)
        printf("The fault report has only the first %d bytes of what was sent: the end was not played.\n",
               LINK_SENT_MAX);
    printf("last lines (> sent, < said, ! said on standard error):\n");
    print_lines(&r->tail, "  ");
    char place[TALK_LINE_SHOWN_MAX + 16] = "after the last command";
    if (r->command[0] != '\0')
        snprintf(place, sizeof place, "on `%.80s`", r->command);
    if (r->again)
        printf("reproduced: %s %s: %s\n", player_fault_names[r->fault], place, r->message);
    else if (r->fault != PLAYER_FAULT_NONE)
        printf("not reproduced: %s %s (%s), not %s\n", player_fault_names[r->fault], place, r->message,
               wanted);
    else
        printf("not reproduced: no %s this time, all answers were as they should be\n", wanted);
}

/* Sends what was stored. Exit status 0: the same fault happened again. */
static int run_again(struct check *k, const struct fault_report *b, struct err *e) {
    struct reproduction r;
    const struct reproduce setup = {.talk = k->setup.talk, .fault_report = b};
    cli_catch_interrupt();
    bool ok = reproduce_run(&setup, &r, e) ? !r.stopped || err_set(e, "stopped")
                                           : err_prefix(e, "%s: ", k->fault_report);
    if (ok && k->json)
        ok = cli_show_json(json_pack("{ss ss ss sb ss ss ss si si sb so}", "bundle", k->fault_report,
                                     "player", k->player, "ruling", player_fault_names[b->fault],
                                     "reproduced", r.again, "fault", player_fault_names[r.fault], "words",
                                     r.message, "command", r.command, "commands_sent", r.commands_sent,
                                     "commands_in_all", r.commands_in_all, "is_cut", r.is_cut, "tail",
                                     lines_json(&r.tail))) == CLI_OK;
    else if (ok)
        print_reproduction(b, k, &r);
    text_done(&r.tail);
    return ok && cli_flush() == CLI_OK && r.again ? CLI_OK : CLI_FAILED;
}

/* A player on the command line replaces the one in the report, for instance a corrected version of it. The
 * command in the report is foreign data: it is started only after a permission (--programs, or a yes at the
 * terminal). */
static int replay_fault(struct check *k, const struct cli_arguments *arguments, struct err *e) {
    struct text text = {0}, spec = {0};
    struct fault_report fault_report;
    if (arguments->count > 1)
        return cli_error(CLI_USAGE, "at most one player; '%s' is too many", arguments->values[1]);
    k->player = arguments->count == 1 ? arguments->values[0] : NULL;
    if (k->player != NULL)
        cli_typed_player(k->player);
    if (k->player != NULL && !talk_read_spec(k->player, &k->engine, e))
        return CLI_USAGE;
    fault_report_init(&fault_report);
    bool ok = file_read(k->fault_report, FAULT_REPORT_TEXT_MAX, &text, e) &&
              fault_report_read(k->fault_report, text_string(&text), text.size, &fault_report, e);
    if (ok && k->player == NULL)
        ok = reproduce_engine(&fault_report, &k->engine, e) || err_prefix(e, "%s: ", k->fault_report);
    if (ok && k->player == NULL) { /* the report may come from a stranger, and with it the engine's command */
        text_add_string(&spec, "ext");
        params_write(player_type_find("ext")->params, &k->engine, &spec);
        k->player = k->engine.cmd;
        const char *const specs[] = {text_string(&spec)};
        ok = cli_permit(k->fault_report, specs, 1, k->programs);
    }
    const int status = ok ? run_again(k, &fault_report, e) : CLI_FAILED;
    fault_report_done(&fault_report);
    text_done(&text);
    text_done(&spec);
    return status;
}

/* ---- the command ---- */

/* Refuses options that have no effect in the chosen mode. */
static bool check_options(const struct check *k, const struct params *options, struct err *e) {
    static const char *const of_programs[] = {"map", "grace", "timeout", "verbose"};
    if (k->programs && k->fault_report == NULL)
        return err_set(e, "--programs belongs to --replay");
    if (k->wants_leaks && k->fault_report != NULL)
        return err_set(e, "--leaks and --replay ask different questions");
    if (k->fault_report != NULL && k->game != NULL)
        return err_set(e, "--game does not go with --replay: the fault report names the game");
    for (size_t i = 0; k->wants_leaks && i < sizeof of_programs / sizeof of_programs[0]; i++)
        if (params_given(options, of_programs[i]))
            return err_set(e, "--%s belongs to checking programs, not to --leaks", of_programs[i]);
    return k->wants_leaks || !params_given(options, "twins") || err_set(e, "--twins belongs to --leaks");
}

#define AT(field) offsetof(struct check, field)

/* One table for three modes: check_options refuses options of another mode. Positions and the seed belong to
 * programs and to --leaks. */
static const struct param check_params[] = {
    {"map", PARAM_STRING, AT(map_list), .choices = DEFAULT_MAPS, .value = "FILE,...",
     .help = "the maps it is asked on"},
    {"positions", PARAM_INT, AT(setup.positions), 1, 100000, 60, .help = "random positions it is asked in"},
    {"seed", PARAM_U64, AT(setup.seed), .fallback = 1, .help = "of these positions"},
    {"grace", PARAM_INT, AT(setup.grace_ms), 0, 60000, 100, .value = "MS",
     .help = "allowed beyond the time of a go"},
    {"timeout", PARAM_REAL, AT(setup.talk.timeout_s), 0.1, 86400, 10, .value = "S",
     .help = "seconds for an answer that has no other limit"},
    {"verbose", PARAM_FLAG, AT(verbose), .help = "show the lines that were exchanged where a test failed"},
    {"json", PARAM_FLAG, AT(json), .help = "the result as JSON"},
    {"replay", PARAM_STRING, AT(fault_report), .value = "REPORT",
     .help = "repeat a fault from its report: the player (or another one) is sent the same lines"},
    {"programs", PARAM_FLAG, AT(programs),
     .help = "with --replay: start the program that REPORT names; it is shown"},
    {"leaks", PARAM_FLAG, AT(wants_leaks),
     .help = "does a player see what it must not? It is asked in states that look alike to it"},
    {"game", PARAM_STRING, AT(game), .value = "SPEC",
     .help = "the game it is asked about (default: tbs; with --leaks: all that hide something)"},
    {"twins", PARAM_INT, AT(alike), 1, LEAKS_ALIKE_MAX, 4,
     .help = "with --leaks: states compared with each position"},
    {0},
};

static int run(void *state, const struct cli_call *call, struct err *e) {
    struct check *k = state;
    const struct cli_arguments *arguments = &call->arguments;
    if (!check_options(k, call->sections, e))
        return CLI_USAGE;
    const double timeout_s = k->setup.talk.timeout_s;
    k->setup.talk = (struct talk_setup){&k->engine, cli_grant(), cli_clock(), &cli_stop, timeout_s};
    if (k->wants_leaks)
        return run_leaks(k, arguments, e);
    return k->fault_report != NULL ? replay_fault(k, arguments, e) : check_player(k, arguments, e);
}

const struct cli_body cli_check = {
    sizeof(struct check), {{check_params}}, .takes_arguments = true, .run = run};
