/* SPDX-License-Identifier: MIT
 *
 * `senjutsu geister serve`: holds games until it is stopped, keeps them, says what came of them.
 */
#include "cli/geister.h"
#include "cli/place.h"
#include "cli/server.h"

#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
    ROUND_MS = 200, /* the longest without a look at Ctrl-C */
    STATUS_MS = 250,
    FILES_KEPT = 24, /* descriptors that are not for connections: ports, what is written, players */
};

struct serve {
    const struct cli_command *command;
    const char *bind, *rules, *token, *player, *side;
    int ports[2], viewer_port, games, wait_ms, waiting, per_address;
    double budget, grace, setup, linger;
    bool no_viewer, viewer_open, no_ng_terminate, whole_seconds, quiet, json;
    uint64_t seed;
    struct geister_keeper keeper;

    char own_token[CLI_TOKEN_SIZE];
    struct text spec; /* of our player, canonical */
    struct scenario *scenario;
    struct geister_server *server;
    int won[3], stopped, faults[PLAYER_FAULTS];
    bool failed;       /* some file could not be written */
    int64_t status_ns; /* when the line on the terminal was drawn; 0: it is not there */
};

/* ---- speaking ---- */

static void clear_status(struct serve *s) {
    if (s->status_ns != 0)
        fputs("\r\033[K", stderr);
    s->status_ns = 0;
}

/* With --json standard output is for the games alone. */
static void say(struct serve *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void say(struct serve *s, const char *format, ...) {
    FILE *to = s->json ? stderr : stdout;
    va_list args;
    clear_status(s);
    va_start(args, format);
    vfprintf(to, format, args);
    va_end(args);
    fputc('\n', to);
    fflush(to);
}

static void draw_status(struct serve *s) {
    int columns, rows;
    const int64_t now = clock_now_ns(cli_clock());
    if (s->quiet || !cli_terminal_error_size(&columns, &rows) ||
        (s->status_ns != 0 && now - s->status_ns < STATUS_MS * INT64_C(1000000)))
        return;
    struct geister_server_state state;
    char line[160];
    geister_server_look(s->server, &state);
    snprintf(line, sizeof line, "%d running, %d waiting, %llu finished, %d viewer%s", state.running,
             state.waiting, (unsigned long long)state.finished, state.viewers, state.viewers == 1 ? "" : "s");
    fprintf(stderr, "\r\033[K%.*s", columns - 1, line);
    fflush(stderr);
    s->status_ns = now;
}

/* ---- what came of a game ---- */

static void print_json(struct serve *s, const struct geister_finished *game, const char *result) {
    const struct geister_table *t = game->table;
    json_t *row =
        json_pack("{si s[ss] ss so si ss ss sf s[ff] s[ii]}", "game", game->number, "players", game->names[0],
                  game->names[1], "result", result, "winner",
                  t->winner == NOBODY ? json_null() : json_integer(t->winner), "plies", (int)t->state.ply,
                  "fault", player_fault_names[t->fault], "reason", t->reason, "seconds",
                  (double)(t->ended_ns - t->started_ns) * 1e-9, "used_ms", (double)t->used_ns[0] * 1e-6,
                  (double)t->used_ns[1] * 1e-6, "rejected", t->rejected[0], t->rejected[1]);
    clear_status(s);
    if (row == NULL || json_dumpf(row, stdout, JSON_COMPACT | JSON_REAL_PRECISION(9)) != 0)
        s->failed = true;
    putchar('\n');
    fflush(stdout);
    json_decref(row);
}

static void print_game(struct serve *s, const struct geister_finished *game, const char *result) {
    const struct geister_table *t = game->table;
    say(s, "game %d: %s - %s: %s (%d moves, %.1f s)", game->number, game->names[0], game->names[1],
        t->winner == NOBODY ? "stopped" : result, (int)t->state.ply,
        (double)(t->ended_ns - t->started_ns) * 1e-9);
    if (t->culprit != NOBODY)
        say(s, "  %s forfeits: %s", geister_game.text->side_names[t->culprit], t->reason);
    else if (t->reason[0] != '\0')
        say(s, "  %s", t->reason);
}

static void on_finished(void *context, const struct geister_finished *game) {
    struct serve *s = context;
    const struct geister_table *t = game->table;
    struct err e;
    char result[64];
    geister_table_result(t, result, sizeof result);
    s->stopped += t->winner == NOBODY;
    if (t->winner != NOBODY)
        s->won[t->winner]++;
    s->faults[t->fault]++;
    if (s->json)
        print_json(s, game, result);
    else if (!s->quiet)
        print_game(s, game, result);
    if (!geister_keep_game(&s->keeper, game, &e)) {
        clear_status(s);
        cli_fail(s->command, CLI_FAILED, "%s", e.text);
        s->failed = true;
    }
}

static void print_totals(struct serve *s) {
    struct geister_server_state state;
    struct text faults = {0};
    const int games = s->won[0] + s->won[1] + s->won[2];
    geister_server_look(s->server, &state);
    for (int fault = PLAYER_FAULT_NONE + 1; fault < PLAYER_FAULTS; fault++)
        if (s->faults[fault] > 0)
            text_add(&faults, "%s%s %d", faults.size > 0 ? ", " : "", player_fault_names[fault],
                     s->faults[fault]);
    say(s, "%d game%s: first won %d, second %d, %d drawn; faults: %s", games, games == 1 ? "" : "s",
        s->won[0], s->won[1], s->won[2], faults.size > 0 ? text_string(&faults) : "none");
    if (s->stopped > 0 || state.turned_away > 0)
        say(s, "%d stopped, %llu connections turned away", s->stopped, (unsigned long long)state.turned_away);
    text_done(&faults);
}

/* ---- serving ---- */

static void announce(struct serve *s) {
    struct geister_server_state state;
    char host[CLI_HOST_MAX];
    snprintf(host, sizeof host, strchr(s->bind, ':') != NULL ? "[%s]" : "%s", s->bind);
    geister_server_look(s->server, &state);
    say(s, "listening on %s: first player's port %d, second player's port %d", s->bind, state.ports[0],
        state.ports[1]);
    if (s->player != NULL)
        say(s, "%s plays %s in every game", text_string(&s->spec), s->side);
    if (state.viewer_port < 0)
        return;
    say(s, "viewers: http://%s:%d/", host, state.viewer_port);
    if (s->viewer_open)
        say(s, "everybody who can reach that port sees all colours: keep it from the players");
    else if (s->token[0] != '\0')
        say(s, "with all colours: http://%s:%d/?token=%s", host, state.viewer_port, s->token);
}

static bool is_done(const struct serve *s) {
    struct geister_server_state state;
    geister_server_look(s->server, &state);
    return s->games > 0 && state.finished >= (uint64_t)s->games && state.wires == state.viewers;
}

static int run_server(struct serve *s) {
    cli_catch_interrupt();
    announce(s);
    while (!atomic_load(&cli_stop) && !is_done(s)) {
        draw_status(s);
        geister_server_round(s->server, ROUND_MS);
    }
    const bool all = is_done(s) || s->games == 0;
    geister_server_stop(s->server);
    print_totals(s);
    return cli_finish_output(s->command) && !s->failed && all ? CLI_OK : CLI_FAILED;
}

/* ---- options ---- */

static bool load_rules(struct serve *s, struct err *e) {
    char spec[SPEC_TEXT_MAX];
    snprintf(spec, sizeof spec, "geister:rules=%.200s", s->rules);
    s->scenario = game_load_spec(spec, e);
    return s->scenario != NULL || err_prefix(e, "--rules: ");
}

static bool check_player(struct serve *s, struct err *e) {
    if (strcmp(s->side, "first") != 0 && strcmp(s->side, "second") != 0)
        return err_set(e, "--side %s: expected first or second", s->side);
    if (s->player == NULL)
        return true;
    if (!player_check(s->player, &s->spec, e))
        return false;
    struct player *player = player_open_granted(text_string(&s->spec), &geister_game, cli_grant(), e);
    player_close(player);
    return player != NULL;
}

static bool check(struct serve *s, struct err *e) {
    if (s->token != NULL && !cli_check_token("--viewer-token", s->token, 1, e))
        return false;
    if (s->no_viewer && (s->token != NULL || s->viewer_open))
        return err_set(e, "--no-viewer and --viewer-token or --viewer-open contradict each other");
    if (s->keeper.official && s->keeper.logs == NULL)
        return err_set(e, "--official-log needs --log DIR");
    return check_player(s, e) && load_rules(s, e);
}

/* As many connections as there are descriptors for, once we have asked for more of them. */
static int wires_allowed(void) {
    const int wires = cli_descriptors(GEISTER_WIRES_MAX + FILES_KEPT) - FILES_KEPT;
    return wires > 2 ? wires : 2;
}

static bool open_server(struct serve *s, struct err *e) {
    const int wires = wires_allowed();
    const struct geister_service service = {
        .address = s->bind,
        .ports = {s->ports[0], s->ports[1]},
        .viewer_port = s->no_viewer ? -1 : s->viewer_port,
        .terms = {.scenario = s->scenario,
                  .budget_ns = geister_ns(s->budget),
                  .grace_ns = geister_ns(s->grace),
                  .setup_ns = geister_ns(s->setup),
                  .wait_ns = s->wait_ms * INT64_C(1000000),
                  .go_on = s->no_ng_terminate,
                  .whole_seconds = s->whole_seconds},
        .wires_max = wires,
        .games_max = s->games,
        .waiting_max = s->waiting < wires / 2 ? s->waiting : wires / 2, /* the rest is for opponents */
        .address_max = s->per_address,
        .linger_ns = geister_ns(s->linger),
        .token = s->token,
        .open_viewers = s->viewer_open,
        .player = s->player != NULL ? text_string(&s->spec) : NULL,
        .grant = cli_grant(),
        .player_side = strcmp(s->side, "first") == 0 ? 0 : 1,
        .seed = s->seed,
        .clock = cli_clock(),
        .finished = on_finished,
        .context = s,
    };
    s->server = geister_server_open(&service, e);
    return s->server != NULL;
}

static int start(struct serve *s) {
    struct err e;
    if (!check(s, &e))
        return cli_fail(s->command, CLI_USAGE, "%s", e.text);
    if (s->token == NULL) {
        cli_make_token(s->own_token);
        s->token = s->own_token;
    }
    if (!geister_keep_start(&s->keeper, &e) || !open_server(s, &e))
        return cli_fail(s->command, CLI_FAILED, "%s", e.text);
    return run_server(s);
}

int cli_geister_serve(const struct cli_command *self, int argc, char **argv) {
    struct serve s = {.command = self,
                      .bind = "127.0.0.1",
                      .rules = "server",
                      .side = "second",
                      .ports = {GEISTER_PORT_FIRST, GEISTER_PORT_SECOND},
                      .viewer_port = GEISTER_PORT_VIEWER,
                      .waiting = 256,
                      .budget = 600,
                      .grace = 10,
                      .setup = 60,
                      .linger = 2,
                      .seed = 1};
    const struct cli_option options[] = {
        {"bind", CLI_TEXT, &s.bind, "ADDRESS", "where to listen; 0.0.0.0 is everywhere"},
        {"first-port", CLI_INT, &s.ports[0], "N", "the first player's; 0: any that is free", 0, 65535},
        {"second-port", CLI_INT, &s.ports[1], "N", "the second player's", 0, 65535},
        {"games", CLI_INT, &s.games, "N", "stop after so many (default: go on until Ctrl-C)", 0, 1000000000},
        {"budget", CLI_REAL, &s.budget, "SECONDS", "a player's for the game", 0, 1e6},
        {"timeout", CLI_REAL, &s.grace, "SECONDS", "that a move may take beyond the budget", 0, 1e6},
        {"setup-time", CLI_REAL, &s.setup, "SECONDS", "for choosing the reds; 0: no limit", 0, 1e6},
        {"wait", CLI_INT, &s.wait_ms, "MS", "between a move and the next prompt, for those who watch", 0,
         3600000},
        {"no-ng-terminate", CLI_FLAG, &s.no_ng_terminate, NULL,
         "after an illegal move its player may try again"},
        {"whole-seconds", CLI_FLAG, &s.whole_seconds, NULL,
         "charge only whole seconds of a move, as the official server does"},
        {"rules", CLI_TEXT, &s.rules, "NAME", "the rules' name ('senjutsu games geister')"},
        {"log", CLI_TEXT, &s.keeper.logs, "DIR", "keep logs in the official format there"},
        {"official-log", CLI_FLAG, &s.keeper.official, NULL, "logs say nothing about faults, as officially"},
        {"records", CLI_TEXT, &s.keeper.records, "DIR", "keep every game there, for 'senjutsu replay'"},
        {"viewer-port", CLI_INT, &s.viewer_port, "N", "of viewers, HTTP and WebSocket", 0, 65535},
        {"no-viewer", CLI_FLAG, &s.no_viewer, NULL, "nobody can watch"},
        {"viewer-token", CLI_TEXT, &s.token, "TEXT", "who gives it sees all colours (default: a random one)"},
        {"viewer-open", CLI_FLAG, &s.viewer_open, NULL, "everybody sees all colours, as officially"},
        {"player", CLI_PLAYER, &s.player, "SPEC", "a player of ours in every game ('senjutsu players')"},
        {"side", CLI_TEXT, &s.side, "first|second", "where it sits"},
        {"seed", CLI_U64, &s.seed, "N", "everything random in it follows from this"},
        {"linger", CLI_REAL, &s.linger, "SECONDS", "until clients are closed that do not close", 0, 3600},
        {"waiting", CLI_INT, &s.waiting, "N", "clients that may wait for an opponent", 1, GEISTER_WIRES_MAX},
        {"per-address", CLI_INT, &s.per_address, "N", "connections from one address (0: any number)", 0,
         GEISTER_WIRES_MAX},
        {"quiet", CLI_FLAG, &s.quiet, NULL, "only beginning and end, not every game"},
        {"json", CLI_FLAG, &s.json, NULL, "one line of JSON a game; messages go to standard error"},
        {0},
    };
    int status;
    if (!cli_parse_options(self, options, argc, argv, &status))
        return status;
    status = start(&s);
    geister_server_close(s.server);
    if (s.scenario != NULL)
        s.scenario->game->unload(s.scenario);
    text_done(&s.spec);
    return status;
}
