/* SPDX-License-Identifier: MIT
 *
 * `senjutsu check PLAYER`: does somebody's program speak the protocol well enough for a tournament? And
 * `senjutsu check --replay BUNDLE`: does a fault happen again? (--leaks is in check_leaks.c.)
 */
#include "cli/check.h"

#include "game/tbs/tbs.h"
#include "audit/leaks.h"
#include "base/charset.h"
#include "base/file.h"
#include "base/jsontext.h"
#include "protocol/compliance.h"
#include "protocol/reproduce.h"
#include "protocol/talk.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

enum { NAMES_MAX = 400 };

/* One of each size, and one that is long and narrow. */
#define DEFAULT_MAPS "duel,standard,standard8,lane,battle16,largest"

enum { DEFAULT_TIMEOUT_S = 10, DEFAULT_GRACE_MS = 100, DEFAULT_TWINS = 4 };

struct check {
    const struct cli_command *command;
    const char *map_list, *bundle, *game;
    int positions;
    double timeout_s;
    int grace_ms;
    uint64_t seed;
    bool json, verbose, programs;

    const char *player;
    struct ext_options engine;
    struct cli_maps maps;
};

/* ---- maps ---- */

/* Somebody must be to move in each: engines are asked there. */
static bool check_maps(const struct check *k, struct err *e) {
    for (int i = 0; i < k->maps.count; i++) {
        const struct scenario *scenario = k->maps.scenarios[i];
        _Alignas(16) unsigned char state[GAME_STATE_MAX];
        struct rng r;
        rng_seed(&r, k->seed);
        scenario->game->start(state, scenario, &r);
        if (scenario->game->mover(state) == NOBODY)
            return err_set(e, "%s: the game is over at its start", k->maps.names[i]);
    }
    return true;
}

/* ---- printing ---- */

/* "> MAP[0,1,1,0];": a line of a map on its way to the engine. */
static bool is_map_line(const char *line) {
    const size_t letters = line[0] == '>' ? strspn(line + 2, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") : 0;
    return letters > 0 && line[2 + letters] == '[';
}

/* Maps, which are long and known, are left out. */
static void print_lines(const struct text *lines, const char *indent) {
    char line[LINK_TAIL_LINE_MAX + 8], shown[LINK_TAIL_LINE_MAX + 8];
    int left_out = 0;
    for (const char *at = text_string(lines); (at = talk_next_line(at, line, sizeof line)) != NULL;) {
        if (is_map_line(line)) {
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

static void print_finding(const struct compliance_finding *f) {
    static const char *const labels[] = {
        [COMPLIANCE_PASS] = "pass", [COMPLIANCE_FAIL] = "fail", [COMPLIANCE_SKIPPED] = "skip"};
    static const char *const colours[] = {
        [COMPLIANCE_PASS] = "\033[32m", [COMPLIANCE_FAIL] = "\033[31m", [COMPLIANCE_SKIPPED] = "\033[33m"};
    const bool colour = cli_colour_out();
    printf("%s%s%s  %s%s: %s\n", colour ? colours[f->result] : "", labels[f->result], colour ? "\033[0m" : "",
           f->item->name, f->result == COMPLIANCE_FAIL && !f->needed ? " (recommended)" : "", f->words);
}

/* On a terminal the item that runs stands in the last line until its result does. */
static void watch(void *watcher, const struct compliance_item *item,
                  const struct compliance_finding *finding) {
    const struct check *k = watcher;
    int columns, rows;
    const bool redraws = cli_terminal_out(&columns, &rows);
    if (k->json)
        return;
    if (finding == NULL && redraws)
        printf("...   %s: %s", item->name, item->description);
    if (finding != NULL) {
        if (redraws)
            printf("\r\033[K");
        print_finding(finding);
        if (k->verbose && finding->result == COMPLIANCE_FAIL) {
            printf("      An engine %s. What was said:\n", item->description);
            print_lines(&finding->conversation, "        ");
        }
    }
    fflush(stdout);
}

/* The needed items that failed, separated by commas. */
static const char *failed_names(const struct compliance_report *r, char *out) {
    size_t used = 0;
    out[0] = '\0';
    for (int i = 0; i < r->count && used < NAMES_MAX; i++)
        if (r->findings[i].needed && r->findings[i].result == COMPLIANCE_FAIL)
            used += (size_t)snprintf(out + used, NAMES_MAX - used, "%s%s", used > 0 ? ", " : "",
                                     r->findings[i].item->name);
    return out;
}

static void print_verdict(const struct compliance_report *r) {
    char names[NAMES_MAX];
    printf("%d of %d items passed", r->passed, r->passed + r->failed);
    if (r->skipped > 0)
        printf(", %d skipped", r->skipped);
    if (r->ready)
        printf(": ready for a tournament\n");
    else if (r->stopped)
        printf(": stopped\n");
    else
        printf(": not ready: %s\n", failed_names(r, names));
}

/* ---- JSON ---- */

static json_t *lines_json(const struct text *lines) {
    json_t *list = json_array();
    char line[LINK_TAIL_LINE_MAX + 8], shown[LINK_TAIL_LINE_MAX + 8];
    for (const char *at = text_string(lines); (at = talk_next_line(at, line, sizeof line)) != NULL;) {
        link_show(shown, sizeof shown, line, strlen(line));
        json_array_append_new(list, json_string(shown));
    }
    return list;
}

static json_t *finding_json(const struct compliance_finding *f) {
    json_t *row = json_pack("{ss ss sb ss ss sf}", "name", f->item->name, "description", f->item->description,
                            "needed", f->needed, "result", compliance_result_names[f->result], "words",
                            f->words, "seconds", f->seconds);
    if (f->result == COMPLIANCE_FAIL)
        json_object_set_new(row, "conversation", lines_json(&f->conversation));
    return row;
}

static bool print_report_json(const struct check *k, const struct compliance_report *r) {
    json_t *items = json_array(), *maps = json_array();
    for (int i = 0; i < r->count; i++)
        json_array_append_new(items, finding_json(&r->findings[i]));
    for (int i = 0; i < k->maps.count; i++)
        json_array_append_new(maps, json_string(k->maps.names[i]));
    return cli_print_json(k->command,
                          json_pack("{ss ss ss sb si si si si so so so}", "player", k->player, "name",
                                    r->name, "version", r->version, "ready", r->ready, "passed", r->passed,
                                    "failed", r->failed, "skipped", r->skipped, "positions", k->positions,
                                    "seed", jsontext_seed(k->seed), "maps", maps, "items", items));
}

/* ---- checking ---- */

static int run_check(struct check *k) {
    struct err e;
    struct compliance_report report;
    const struct compliance setup = {
        .engine = &k->engine,
        .grant = cli_grant(),
        .clock = cli_clock(),
        .stop = &cli_stop,
        .scenarios = k->maps.scenarios,
        .map_names = (const char *const *)k->maps.names,
        .map_count = k->maps.count,
        .positions = k->positions,
        .seed = k->seed,
        .timeout_s = k->timeout_s,
        .grace_ms = k->grace_ms,
        .watch = watch,
        .watcher = k,
    };
    cli_catch_interrupt();
    bool ok = compliance_run(&setup, &report, &e);
    const bool ready = report.ready;
    if (!ok)
        cli_fail(k->command, CLI_FAILED, "%s", e.text);
    else if (k->json)
        ok = print_report_json(k, &report);
    else
        print_verdict(&report);
    compliance_report_done(&report);
    return cli_finish_output(k->command) && ok && ready ? CLI_OK : CLI_FAILED;
}

/* The default list of maps is no wish for maps. */
static bool is_on_maps(const struct check *k) {
    struct spec spec;
    const struct game *game =
        k->game != NULL && spec_parse(k->game, &spec, NULL) ? game_find(spec.name) : NULL;
    return game == NULL || tbs_is_table_of(game) || strcmp(k->map_list, DEFAULT_MAPS) != 0;
}

static int prepare_check(struct check *k, const struct cli_arguments *arguments) {
    struct err e;
    if (arguments->count != 1)
        return cli_fail(k->command, CLI_USAGE, "one player is needed; given: %d", arguments->count);
    k->player = arguments->values[0];
    cli_typed_player(k->player);
    if (!talk_read_spec(k->player, &k->engine, &e))
        return cli_fail(k->command, CLI_USAGE, "%s", e.text);
    const struct cli_source source = {.game = k->game, .map = is_on_maps(k) ? k->map_list : NULL};
    if (!cli_check_source(&source, &e))
        return cli_fail(k->command, CLI_USAGE, "%s", e.text);
    if (!cli_load_sources(&k->maps, &source, &e) || !check_maps(k, &e))
        return cli_fail(k->command, CLI_FAILED, "%s", e.text);
    return CLI_OK;
}

static int check_player(struct check *k, const struct cli_arguments *arguments) {
    int status = prepare_check(k, arguments);
    if (status == CLI_OK)
        status = run_check(k);
    cli_unload_maps(&k->maps);
    return status;
}

/* ---- a fault once more ---- */

/* What stands in a file of others must not reach the terminal as it is. */
static void print_shown(const char *string) {
    struct text text = {0};
    charset_show(string, strlen(string), &text);
    fputs(text_string(&text), stdout);
    text_done(&text);
}

static void print_reproduction(const struct bundle *b, const struct check *k, const struct reproduction *r) {
    printf("bundle: %s: ", player_fault_names[b->fault]);
    print_shown(b->reason);
    printf("\nsent: %d of %d commands to ", r->commands_sent, r->commands_in_all);
    print_shown(k->player);
    putchar('\n');
    if (r->is_cut)
        printf("The bundle remembers only the first %d bytes of what was sent: the end was not played.\n",
               LINK_SENT_MAX);
    printf("last lines (> sent, < said, ! said on standard error):\n");
    print_lines(&r->tail, "  ");
    char place[TALK_LINE_SHOWN_MAX + 16] = "after the last command";
    if (r->command[0] != '\0')
        snprintf(place, sizeof place, "on `%.80s`", r->command);
    if (r->again)
        printf("reproduced: %s %s: %s\n", player_fault_names[r->fault], place, r->words);
    else if (r->fault != PLAYER_FAULT_NONE)
        printf("not reproduced: %s %s (%s), not %s\n", player_fault_names[r->fault], place, r->words,
               player_fault_names[b->fault]);
    else
        printf("not reproduced: no %s this time, all answers were as they should be\n",
               player_fault_names[b->fault]);
}

static bool print_reproduction_json(const struct bundle *b, const struct check *k,
                                    const struct reproduction *r) {
    return cli_print_json(k->command,
                          json_pack("{ss ss ss sb ss ss ss si si sb so}", "bundle", k->bundle, "player",
                                    k->player, "ruling", player_fault_names[b->fault], "reproduced", r->again,
                                    "fault", player_fault_names[r->fault], "words", r->words, "command",
                                    r->command, "commands_sent", r->commands_sent, "commands_in_all",
                                    r->commands_in_all, "is_cut", r->is_cut, "tail", lines_json(&r->tail)));
}

static int run_again(struct check *k, const struct bundle *bundle) {
    struct err e;
    struct reproduction r;
    const struct reproduce setup = {
        .bundle = bundle,
        .engine = &k->engine,
        .grant = cli_grant(),
        .clock = cli_clock(),
        .stop = &cli_stop,
        .timeout_s = k->timeout_s,
    };
    cli_catch_interrupt();
    bool ok = reproduce_run(&setup, &r, &e);
    if (!ok)
        cli_fail(k->command, CLI_FAILED, "%s: %s", k->bundle, e.text);
    else if (r.stopped)
        ok = cli_fail(k->command, CLI_FAILED, "stopped") == CLI_OK;
    else if (k->json)
        ok = print_reproduction_json(bundle, k, &r);
    else
        print_reproduction(bundle, k, &r);
    const bool again = r.again;
    reproduction_done(&r);
    return cli_finish_output(k->command) && ok && again ? CLI_OK : CLI_FAILED;
}

/* The bundle's own engine: a stranger may have written its command. */
static bool allow_engine(struct check *k) {
    struct text spec = {0};
    text_add_string(&spec, "ext");
    params_write(player_type_find("ext")->params, &k->engine, &spec);
    k->player = k->engine.cmd;
    const char *const specs[] = {text_string(&spec)};
    const bool ok = cli_allow(
        k->command,
        &(struct cli_named){.file = k->bundle, .count = 1, .specs = specs, .programs = k->programs});
    text_done(&spec);
    return ok;
}

static int replay_bundle(struct check *k, const struct cli_arguments *arguments) {
    struct err e;
    struct text text = {0};
    struct bundle bundle;
    if (arguments->count > 1)
        return cli_fail(k->command, CLI_USAGE, "at most one player; '%s' is too many", arguments->values[1]);
    k->player = arguments->count == 1 ? arguments->values[0] : NULL;
    if (k->player != NULL)
        cli_typed_player(k->player);
    if (k->player != NULL && !talk_read_spec(k->player, &k->engine, &e))
        return cli_fail(k->command, CLI_USAGE, "%s", e.text);
    bundle_init(&bundle);
    bool ok = file_read(k->bundle, BUNDLE_TEXT_MAX, &text, &e) &&
              bundle_read(k->bundle, text_string(&text), text.size, &bundle, &e);
    if (ok && k->player == NULL)
        ok = reproduce_engine(&bundle, &k->engine, &e) || err_prefix(&e, "%s: ", k->bundle);
    int status = ok ? CLI_OK : cli_fail(k->command, CLI_FAILED, "%s", e.text);
    if (status == CLI_OK && k->player == NULL && !allow_engine(k))
        status = CLI_FAILED;
    if (status == CLI_OK)
        status = run_again(k, &bundle);
    bundle_done(&bundle);
    text_done(&text);
    return status;
}

/* ---- the command ---- */

static int look_for_leaks(const struct check *k, struct check_leaks *leaks,
                          const struct cli_arguments *arguments) {
    leaks->command = k->command;
    leaks->players = arguments->values;
    leaks->player_count = arguments->count;
    leaks->positions = k->positions;
    leaks->seed = k->seed;
    leaks->json = k->json;
    return check_leaks_run(leaks);
}

struct placed {
    bool given, with_leaks; /* with_leaks: that is where it belongs */
    const char *name, *place;
};

/* Options of the other question would do nothing. */
static bool check_options(const struct check *k, const struct check_leaks *leaks, bool wants_leaks,
                          struct err *e) {
    static const char programs[] = "checking programs, not to --leaks", leaking[] = "--leaks";
    const struct placed placed[] = {
        {strcmp(k->map_list, DEFAULT_MAPS) != 0, false, "--map", programs},
        {k->grace_ms != DEFAULT_GRACE_MS, false, "--grace", programs},
        {k->timeout_s < DEFAULT_TIMEOUT_S || k->timeout_s > DEFAULT_TIMEOUT_S, false, "--timeout", programs},
        {k->verbose, false, "--verbose", programs},
        {leaks->twins != DEFAULT_TWINS, true, "--twins", leaking},
    };
    if (k->programs && k->bundle == NULL)
        return err_set(e, "--programs belongs to --replay");
    if (wants_leaks && k->bundle != NULL)
        return err_set(e, "--leaks and --replay ask different questions");
    for (size_t i = 0; i < sizeof placed / sizeof placed[0]; i++)
        if (placed[i].given && placed[i].with_leaks != wants_leaks)
            return err_set(e, "%s belongs to %s", placed[i].name, placed[i].place);
    return true;
}

int cli_check(const struct cli_command *self, int argc, char **argv) {
    struct check k = {.command = self,
                      .map_list = DEFAULT_MAPS,
                      .positions = 60,
                      .timeout_s = DEFAULT_TIMEOUT_S,
                      .grace_ms = DEFAULT_GRACE_MS,
                      .seed = 1};
    struct check_leaks leaks = {.twins = DEFAULT_TWINS};
    bool wants_leaks = false;
    const struct cli_option options[] = {
        {"map", CLI_TEXT, &k.map_list, "FILE,...", "the maps it is asked on"},
        {"positions", CLI_INT, &k.positions, "N", "random positions it is asked in", 1, 100000},
        {"seed", CLI_U64, &k.seed, "N", "of these positions"},
        {"grace", CLI_INT, &k.grace_ms, "MS", "forgiven beyond the time of a go", 0, 60000},
        {"timeout", CLI_REAL, &k.timeout_s, "S", "seconds for an answer that has no other limit", 0.1, 86400},
        {"verbose", CLI_FLAG, &k.verbose, NULL, "show what was said where something failed"},
        {"json", CLI_FLAG, &k.json, NULL, "the result as JSON"},
        {"replay", CLI_TEXT, &k.bundle, "BUNDLE",
         "make a fault happen again: the player (or another one) is sent the same lines"},
        {"programs", CLI_FLAG, &k.programs, NULL,
         "with --replay: start the program that BUNDLE names; it is shown"},
        {"leaks", CLI_FLAG, &wants_leaks, NULL,
         "does a player see what it must not? It is asked in states that look alike to it"},
        {"game", CLI_TEXT, &leaks.game, "SPEC",
         "the game it is asked about (default: tbs; with --leaks: all that hide something)"},
        {"twins", CLI_INT, &leaks.twins, "N", "with --leaks: states compared with each position", 1,
         LEAKS_TWINS_MAX},
        {0},
    };
    int status;
    struct err e;
    struct cli_arguments arguments;
    if (!cli_parse(self, options, argc, argv, &arguments, &status))
        return status;
    if (!check_options(&k, &leaks, wants_leaks, &e))
        return cli_fail(self, CLI_USAGE, "%s", e.text);
    if (wants_leaks)
        return look_for_leaks(&k, &leaks, &arguments);
    k.game = leaks.game;
    if (k.bundle != NULL && k.game != NULL)
        return cli_fail(self, CLI_USAGE, "--game does not go with --replay: the bundle says what was played");
    return k.bundle != NULL ? replay_bundle(&k, &arguments) : check_player(&k, &arguments);
}
