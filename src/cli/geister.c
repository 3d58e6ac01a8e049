/* SPDX-License-Identifier: MIT
 *
 * `senjutsu geister serve` and `senjutsu geister join`: the two ends of the official Geister server's
 * protocol. `serve` holds games until it is stopped, prints their results and writes logs and records.
 * `join` plays with one of our players on a server. src/net has the protocol.
 *
 * Options are read directly into the structs of src/net (geister_join, geister_service); what needs another
 * unit or a check stays in the command's own struct. Clients are strangers: no message of a client ends the
 * server, and files of games are never overwritten.
 */
#include "base/encode.h"
#include "cli/cli.h"
#include "net/geister_client.h"
#include "net/geister_server.h"
#include "net/geister_session.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Loads the game with the rules of that name; the message names the option. NULL with a reason. */
static struct scenario *load_rules(const char *rules, struct err *e) {
    char spec[SPEC_TEXT_MAX];
    snprintf(spec, sizeof spec, "geister:rules=%.200s", rules);
    struct scenario *scenario = game_load_spec(spec, e);
    if (scenario == NULL)
        err_prefix(e, "--rules: ");
    return scenario;
}

/* ---- join ---- */

/* One run of `geister join`. */
struct joining {
    struct geister_join join; /* options are read into it */
    const char *side, *rules, *records;
    int port, time_ms;
    double budget_s;
    bool first, second, json;

    struct text spec; /* of the player, canonical */
    struct cli_place place;
    struct scenario *scenario;
    int files;          /* number of the last record file */
    int played, broken; /* games that reached their end, and others */
    int outcomes[GEISTER_DREW + 1];
    bool failed; /* a record or a line of output could not be written */
};

/* Shows how far the current game is, on a terminal. A refused move is printed, also without a terminal: the
 * rules of the server differ from those here, which --rules may correct. */
static void on_join_event(void *context, int index, enum geister_join_event event, const char *words) {
    static const char *const names[] = {
        [GEISTER_JOIN_CONNECTED] = "connected; waiting for SET? (another game may be going on)",
        [GEISTER_JOIN_WAITING] = "the reds are set; waiting for the other player",
        [GEISTER_JOIN_PLAYING] = "playing",
    };
    struct joining *j = context;
    if (event == GEISTER_JOIN_REFUSED) {
        cli_status_clear();
        cli_error(CLI_OK, "game %d: %s", index + 1, words);
    } else if (event == GEISTER_JOIN_TRYING) {
        cli_status_draw("game %d of %d: %s; trying again", index + 1, j->join.games, words);
    } else {
        cli_status_draw("game %d of %d: %s", index + 1, j->join.games, names[event]);
    }
}

/* Prints the result of a game as text or as a line of JSON. "Surprises" are lines of the server that
 * contradict the rules or the position here; the first of them is quoted on standard error. */
static void print_joined(struct joining *j, const struct geister_joined *game) {
    const struct geister_client *c = game->client;
    const char *side = geister_game.text->side_names[c->side];
    const int plies = (int)geister_client_state(c)->ply, number = game->index + 1;
    if (game->end == GEISTER_JOIN_OVER && !j->json) {
        printf("game %d: %s player: %s: %s (%d moves, longest %.0f ms)\n", number, side,
               geister_outcome_names[c->outcome], c->record.result, plies, game->longest_ms);
        fflush(stdout);
    }
    if (game->end != GEISTER_JOIN_OVER)
        cli_error(CLI_OK, "game %d: %s", number, game->reason);
    if (c->surprises > 0)
        cli_error(CLI_OK, "game %d: %s%s", number, c->first.text,
                  c->surprises > 1 ? " (and more of this kind)" : "");
    if (j->json &&
        !cli_print_row(json_pack("{si ss ss ss ss si sf si si ss so}", "game", number, "side", side, "player",
                                 text_string(&j->spec), "outcome", geister_outcome_names[c->outcome],
                                 "result", c->record.result, "plies", plies, "longest_ms", game->longest_ms,
                                 "surprises", c->surprises, "restarts", c->restarts, "reason", game->reason,
                                 "seed", jsontext_seed(c->record.seed))))
        j->failed = true;
}

/* Stores the record under the next unused name: earlier records are never overwritten. False ends the run. */
static bool on_joined(void *context, const struct geister_joined *game) {
    struct joining *j = context;
    struct record *record = &game->client->record;
    struct err e;
    char path[FILE_PATH_MAX];
    cli_status_clear();
    print_joined(j, game);
    j->played += game->end == GEISTER_JOIN_OVER;
    j->broken += game->end != GEISTER_JOIN_OVER;
    j->outcomes[game->client->outcome]++;
    if (j->records == NULL || !game->client->begun)
        return !j->failed;
    cli_date(record->date, sizeof record->date);
    bool named;
    do /* earlier runs may have left records in this folder */
        named = file_path(path, &e, "%s/game-%06d.json", j->records, ++j->files);
    while (named && access(path, F_OK) == 0);
    if (!named || !cli_write_record(record, path, &e)) {
        cli_error(CLI_FAILED, "%s", e.text);
        j->failed = true;
    }
    return !j->failed;
}

/* Each official port belongs to a side; on other ports the first board shows the side. */
static bool choose_join_side(struct joining *j, struct err *e) {
    const bool named_first = j->side != NULL && strcmp(j->side, "first") == 0;
    const bool named_second = j->side != NULL && strcmp(j->side, "second") == 0;
    const bool first = j->first || named_first, second = j->second || named_second;
    if (j->side != NULL && !named_first && !named_second)
        return err_set(e, "--side %s: expected first or second", j->side);
    if (first && second)
        return err_set(e, "one can be the first or the second player, not both");
    if (j->place.port != 0 && j->port != 0 && j->place.port != j->port)
        return err_set(e, "two ports are given: %d and %d", j->place.port, j->port);
    const int port = j->port != 0 ? j->port : j->place.port;
    const bool goes_second = second || (!first && port == GEISTER_PORT_SECOND);
    const bool is_known = goes_second || first || port == GEISTER_PORT_FIRST || port == 0;
    j->join.side = is_known ? goes_second : NOBODY;
    j->join.port = port != 0 ? port : goes_second ? GEISTER_PORT_SECOND : GEISTER_PORT_FIRST;
    return true;
}

/* The time of a move is cut to --time without grace: the way to the server and back has to fit into the
 * rest. The callbacks get the state itself as their context: it stays where it is until `done`. */
static int run_join(void *state, const struct cli_call *call, struct err *e) {
    struct joining *j = state;
    struct geister_join *join = &j->join;
    struct err reported; /* by on_joined, as every failure of a game */
    if (!cli_read_place(&call->arguments, &j->place, e) || !choose_join_side(j, e) ||
        !player_check(join->player, &j->spec, e) || (j->scenario = load_rules(j->rules, e)) == NULL)
        return CLI_USAGE;
    if (j->records != NULL && !file_make_folder(j->records, e))
        return CLI_FAILED;
    cli_check_program("--player", text_string(&j->spec));
    timing_default(&join->timing);
    join->timing.game_s = j->budget_s;
    join->timing.move_s = j->time_ms * 1e-3;
    join->timing.grace_s = 0;
    join->host = j->place.host;
    join->player = text_string(&j->spec);
    join->scenario = j->scenario;
    join->grant = cli_grant();
    join->stop = &cli_stop;
    join->clock = cli_clock();
    join->on_event = on_join_event;
    join->on_game = on_joined;
    join->context = j;
    cli_catch_interrupt();
    geister_join_run(join, &reported);
    if (!j->json && j->join.games > 1)
        printf("%d of %d games: %d won, %d drawn, %d lost%s\n", j->played, j->join.games,
               j->outcomes[GEISTER_WON], j->outcomes[GEISTER_DREW], j->outcomes[GEISTER_LOST],
               j->broken > 0 ? "; not all came to an end" : "");
    return cli_flush() == CLI_OK && !j->failed && j->played == j->join.games ? CLI_OK : CLI_FAILED;
}

#define AT(field) offsetof(struct joining, field)

static const struct param join_params[] = {
    {"player", PARAM_PLAYER, AT(join.player), .choices = "geist",
     .help = "who plays ('senjutsu players' lists all)"},
    {"side", PARAM_STRING, AT(side), .value = "first|second",
     .help = "which port to go to: 10000 (default) or 10001"},
    {"first", PARAM_FLAG, AT(first), .help = "the same as --side first"},
    {"second", PARAM_FLAG, AT(second), .help = "the same as --side second"},
    {"port", PARAM_INT, AT(port), 1, 65535, .help = "the server's port, if it is another one"},
    {"games", PARAM_INT, AT(join.games), 1, 1000000, 1,
     .help = "how many games, each with a connection of its own"},
    {"time", PARAM_INT, AT(time_ms), 0, 86400000, 900, .value = "MS",
     .help = "longest time for a move (0: no limit)"},
    {"budget", PARAM_REAL, AT(budget_s), 0, 86400, .value = "SECONDS",
     .help = "time for all moves of a game (0: no limit)"},
    {"retry", PARAM_REAL, AT(join.retry_s), 0, 1e6, 60, .value = "SECONDS",
     .help = "how long to retry a connection, each time"},
    {"silence", PARAM_REAL, AT(join.silence_s), 0, 1e6, 900, .value = "SECONDS",
     .help = "how long the server may send nothing (0: for ever)"},
    {"rules", PARAM_STRING, AT(rules), .choices = "server", .value = "NAME",
     .help = "the server's rules, if they are others"},
    {"records", PARAM_STRING, AT(records), .value = "DIR",
     .help = "write every game to DIR, for 'senjutsu replay'"},
    {PARAM_SEED_ROW(AT(join.seed))},
    {"json", PARAM_FLAG, AT(json), .help = "one line of JSON a game; messages go to standard error"},
    {0},
};

static void end_join(void *state) {
    struct joining *j = state;
    game_unload(j->scenario);
    text_done(&j->spec);
}

static const struct cli_body join_body = {
    sizeof(struct joining), {{join_params}}, .takes_arguments = true, .run = run_join, .done = end_join};

/* ---- serve ---- */

enum {
    ROUND_MS = 200, /* longest time between two tests for Ctrl-C */
    STATUS_MS = 250,
    DATE_SIZE = 24,      /* in file names */
    FILES_RESERVED = 24, /* descriptors for purposes other than connections: ports, files, players */
};

/* One run of `geister serve`. */
struct serve {
    struct geister_service service; /* options are read into it, apart from these */
    const char *rules, *side;
    const char *logs, *records;                  /* folders for games; NULL: none */
    double budget_s, grace_s, setup_s, linger_s; /* seconds; the service takes nanoseconds */
    int wait_ms;
    bool official_log; /* logs do not mention faults */
    bool no_viewer, quiet, json;

    char own_token[CLI_TOKEN_SIZE]; /* without --viewer-token */
    struct text spec;               /* of our player, canonical */
    struct scenario *scenario;
    struct geister_server *server;
    int won[3]; /* first, second, drawn */
    int stopped, faults[PLAYER_FAULTS];
    bool failed; /* a file could not be written */
};

/* With --json only games are printed on standard output; messages go to standard error. */
#define print_message(s, ...) cli_message((s)->json, __VA_ARGS__)

/* ---- serve: files of finished games, named as the official server names its logs ---- */

/* Writes log-DATE.txt and geister-DATE.json. DATE is the time of the first command, plus milliseconds until
 * both are unused: another server may write into the same folder. */
static bool write_game(const struct serve *s, const struct geister_finished *game, struct err *e) {
    struct geister_session *t = game->session;
    struct timespec now;
    char log_path[FILE_PATH_MAX] = "", record_path[FILE_PATH_MAX] = "";
    clock_gettime(CLOCK_REALTIME, &now);
    /* The session has times of a clock that only measures differences: the date is counted back from now. */
    const int64_t first = t->spoke_ns != 0 ? t->spoke_ns : t->started_ns;
    const int64_t age_ms = (clock_now_ns(cli_clock()) - first) / 1000000;
    int64_t ms = (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000 - age_ms;
    do {
        const time_t seconds = (time_t)(ms / 1000);
        const int rest = (int)(ms++ % 1000);
        struct tm local;
        char date[DATE_SIZE]; /* "2024-05-01-10-00-00": in local time, like the official server's */
        if (localtime_r(&seconds, &local) == NULL ||
            strftime(date, sizeof date, "%Y-%m-%d-%H-%M-%S", &local) == 0)
            snprintf(date, sizeof date, "%lld", (long long)seconds); /* not representable as a date */
        if ((s->logs != NULL && !file_path(log_path, e, "%s/log-%s-%03d.txt", s->logs, date, rest)) ||
            (s->records != NULL &&
             !file_path(record_path, e, "%s/geister-%s-%03d.json", s->records, date, rest)))
            return false;
    } while (access(log_path, F_OK) == 0 || access(record_path, F_OK) == 0);

    struct text text = {0};
    bool ok = true;
    if (s->logs != NULL && t->spoke_ns != 0) { /* officially, too, there is no log before that */
        geister_session_write_log(t, s->official_log, &text);
        ok = file_write(log_path, text_string(&text), text.size, e);
    }
    if (ok && s->records != NULL) {
        struct record *record = geister_session_record(t, game->names);
        cli_date(record->date, sizeof record->date);
        ok = cli_write_record(record, record_path, e);
    }
    text_done(&text);
    return ok;
}

/* Counts and prints a finished game, then writes its files. A file that cannot be written is reported and
 * makes the exit status 1, but games go on: the clients cannot help it. */
static void on_finished(void *context, const struct geister_finished *game) {
    struct serve *s = context;
    const struct geister_session *t = game->session;
    const struct referee *referee = &t->game.referee;
    const char *result = t->record.result;
    const int plies = (int)geister_session_state(t)->ply, culprit = referee->forfeiter;
    const double seconds = (double)(t->ended_ns - t->started_ns) * 1e-9;
    struct err e;
    s->stopped += t->winner == NOBODY;
    if (t->winner != NOBODY)
        s->won[t->winner]++;
    s->faults[referee->fault_kind]++;
    if (s->json) {
        cli_status_clear();
        if (!cli_print_row(json_pack("{si s[ss] ss so? si ss ss sf s[ff] s[ii]}", "game", game->number,
                                     "players", game->names[0], game->names[1], "result", result, "winner",
                                     t->winner == NOBODY ? NULL : json_integer(t->winner), "plies", plies,
                                     "fault", player_fault_names[referee->fault_kind], "reason",
                                     referee->reason, "seconds", seconds, "used_ms",
                                     (double)t->game.think_ns[0] * 1e-6, (double)t->game.think_ns[1] * 1e-6,
                                     "rejected", t->rejected[0], t->rejected[1])))
            s->failed = true;
    } else if (!s->quiet) {
        print_message(s, "game %d: %s - %s: %s (%d moves, %.1f s)", game->number, game->names[0],
                      game->names[1], t->winner == NOBODY ? "stopped" : result, plies, seconds);
        if (culprit == 0 || culprit == 1)
            print_message(s, "  %s forfeits: %s", geister_game.text->side_names[culprit], referee->reason);
        else if (referee->reason[0] != '\0')
            print_message(s, "  %s", referee->reason);
    }
    if (!write_game(s, game, &e)) {
        cli_status_clear();
        cli_error(CLI_FAILED, "%s", e.text);
        s->failed = true;
    }
}

/* Prints where players and viewers connect. The address with the token shows all colours, so it is only for
 * the organiser. */
static void announce(struct serve *s) {
    struct geister_server_state state;
    char host[CLI_HOST_MAX];
    snprintf(host, sizeof host, strchr(s->service.address, ':') != NULL ? "[%s]" : "%s", s->service.address);
    geister_server_look(s->server, &state);
    print_message(s, "listening on %s: first player's port %d, second player's port %d", s->service.address,
                  state.ports[0], state.ports[1]);
    if (s->service.player != NULL)
        print_message(s, "%s plays %s in every game", text_string(&s->spec), s->side);
    if (state.viewer_port < 0)
        return;
    print_message(s, "viewers: http://%s:%d/", host, state.viewer_port);
    if (s->service.open_viewers)
        print_message(s, "all viewers at that port see all colours: players must not reach it");
    else if (s->service.token[0] != '\0')
        print_message(s, "with all colours: http://%s:%d/?token=%s", host, state.viewer_port,
                      s->service.token);
}

/* Serves until a signal, or until --games games are over and their clients are gone; viewers do not delay the
 * end. Then prints a summary. Games that a signal interrupts count as stopped. */
static int run_server(struct serve *s) {
    struct geister_server_state state;
    bool is_done = false;
    cli_catch_interrupt();
    announce(s);
    while (!is_done && !atomic_load(&cli_stop)) {
        geister_server_look(s->server, &state);
        is_done = s->service.games_max > 0 && state.finished >= (uint64_t)s->service.games_max &&
                  state.connections == state.viewers;
        if (is_done)
            break;
        if (!s->quiet && (!cli_status_is_drawn() || cli_status_is_due(STATUS_MS)))
            cli_status_draw("%d running, %d waiting, %llu finished, %d viewer%s", state.running,
                            state.waiting, (unsigned long long)state.finished, state.viewers,
                            state.viewers == 1 ? "" : "s");
        geister_server_round(s->server, ROUND_MS);
    }
    /* Games under way are reported as stopped, so the summary below contains them. */
    geister_server_stop(s->server);
    struct text faults = {0};
    const int games = s->won[0] + s->won[1] + s->won[2];
    geister_server_look(s->server, &state);
    for (int fault = PLAYER_FAULT_NONE + 1; fault < PLAYER_FAULTS; fault++)
        if (s->faults[fault] > 0)
            text_add(&faults, "%s%s %d", faults.size > 0 ? ", " : "", player_fault_names[fault],
                     s->faults[fault]);
    print_message(s, "%d game%s: first won %d, second %d, %d drawn; faults: %s", games, games == 1 ? "" : "s",
                  s->won[0], s->won[1], s->won[2], faults.size > 0 ? text_string(&faults) : "none");
    if (s->stopped > 0 || state.turned_away > 0)
        print_message(s, "%d stopped, %llu connections turned away", s->stopped,
                      (unsigned long long)state.turned_away);
    text_done(&faults);
    return cli_flush() == CLI_OK && !s->failed && (is_done || s->service.games_max == 0) ? CLI_OK
                                                                                         : CLI_FAILED;
}

/* Checks options and opens the own player once, so that a wrong spec or a missing program shows before the
 * first client connects. Also loads the rules. */
static bool check_options(struct serve *s, struct err *e) {
    if (s->service.token != NULL && !cli_check_token("--viewer-token", s->service.token, 1, e))
        return false;
    if (s->no_viewer && (s->service.token != NULL || s->service.open_viewers))
        return err_set(e, "--no-viewer and --viewer-token or --viewer-open contradict each other");
    if (s->official_log && s->logs == NULL)
        return err_set(e, "--official-log needs --log DIR");
    if (strcmp(s->side, "first") != 0 && strcmp(s->side, "second") != 0)
        return err_set(e, "--side %s: expected first or second", s->side);
    if (s->service.player != NULL) {
        struct player *player = NULL;
        if (player_check(s->service.player, &s->spec, e))
            player = player_open_granted(text_string(&s->spec), &geister_game, cli_grant(), e);
        if (player == NULL)
            return false;
        player_close(player); /* each game opens one of its own */
    }
    s->scenario = load_rules(s->rules, e);
    return s->scenario != NULL;
}

/* Creates the folders, completes the service that the options describe, and opens it. As many connections as
 * there are descriptors for, after raising the limit; half may wait, the rest is for their opponents. */
static bool open_server(struct serve *s, struct err *e) {
    struct geister_service *service = &s->service;
    const char *const folders[] = {s->logs, s->records};
    for (int i = 0; i < 2; i++) { /* a test before the first game: a folder that takes no files is refused */
        char path[FILE_PATH_MAX];
        if (folders[i] == NULL)
            continue;
        if (!file_make_folder(folders[i], e) || !file_path(path, e, "%s/.writable", folders[i]) ||
            !file_write_soon(path, "", 0, e))
            return false;
        remove(path);
    }
    /* Files of games and programs of our player need descriptors, too. */
    const int descriptors = cli_descriptors(GEISTER_CONNECTIONS_MAX + FILES_RESERVED) - FILES_RESERVED;
    const int connections = descriptors > 2 ? descriptors : 2;
    service->viewer_port = s->no_viewer ? -1 : service->viewer_port;
    service->terms.scenario = s->scenario;
    service->terms.budget_ns = cli_seconds_ns(s->budget_s);
    service->terms.grace_ns = cli_seconds_ns(s->grace_s);
    service->terms.setup_ns = cli_seconds_ns(s->setup_s);
    service->terms.wait_ns = s->wait_ms * INT64_C(1000000);
    service->connections_max = connections;
    if (service->waiting_max > connections / 2)
        service->waiting_max = connections / 2;
    service->linger_ns = cli_seconds_ns(s->linger_s);
    service->player = service->player != NULL ? text_string(&s->spec) : NULL;
    service->player_side = strcmp(s->side, "first") == 0 ? 0 : 1;
    s->server = geister_server_open(service, e);
    return s->server != NULL;
}

/* By default on the ports of the official server, whose clients need no changes; unlike there, viewers do not
 * see all colours. */
#undef AT
#define AT(field) offsetof(struct serve, field)

static const struct param serve_params[] = {
    {"bind", PARAM_STRING, AT(service.address), .choices = "127.0.0.1", .value = "ADDRESS",
     .help = "where to listen; 0.0.0.0 is everywhere"},
    {"first-port", PARAM_INT, AT(service.ports[0]), 0, 65535, GEISTER_PORT_FIRST,
     .help = "the first player's; 0: any that is free"},
    {"second-port", PARAM_INT, AT(service.ports[1]), 0, 65535, GEISTER_PORT_SECOND,
     .help = "the second player's"},
    {"games", PARAM_INT, AT(service.games_max), 0, 1000000000, .is_explained = true,
     .help = "stop after so many (default: until Ctrl-C)"},
    {"budget", PARAM_REAL, AT(budget_s), 0, 1e6, 600, .value = "SECONDS",
     .help = "a player's time for the game"},
    {"timeout", PARAM_REAL, AT(grace_s), 0, 1e6, 10, .value = "SECONDS",
     .help = "time for a move beyond the budget"},
    {"setup-time", PARAM_REAL, AT(setup_s), 0, 1e6, 60, .value = "SECONDS",
     .help = "time to choose the reds; 0: no limit"},
    {"wait", PARAM_INT, AT(wait_ms), 0, 3600000, .value = "MS",
     .help = "pause between a move and the next prompt, for viewers"},
    {"no-ng-terminate", PARAM_FLAG, AT(service.terms.go_on),
     .help = "after an illegal move its player may try again"},
    {"whole-seconds", PARAM_FLAG, AT(service.terms.whole_seconds),
     .help = "charge only whole seconds of a move, as the official server does"},
    {"rules", PARAM_STRING, AT(rules), .choices = "server", .value = "NAME",
     .help = "the rules' name ('senjutsu games geister')"},
    {"log", PARAM_STRING, AT(logs), .value = "DIR", .help = "write logs in the official format to DIR"},
    {"official-log", PARAM_FLAG, AT(official_log), .help = "logs without faults, as on the official server"},
    {"records", PARAM_STRING, AT(records), .value = "DIR",
     .help = "write every game to DIR, for 'senjutsu replay'"},
    {"viewer-port", PARAM_INT, AT(service.viewer_port), 0, 65535, GEISTER_PORT_VIEWER,
     .help = "of viewers, HTTP and WebSocket"},
    {"no-viewer", PARAM_FLAG, AT(no_viewer), .help = "no viewers"},
    {"viewer-token", PARAM_STRING, AT(service.token),
     .help = "viewers with this token see all colours (default: a random one)"},
    {"viewer-open", PARAM_FLAG, AT(service.open_viewers),
     .help = "all viewers see all colours, as on the official server"},
    {"player", PARAM_PLAYER, AT(service.player),
     .help = "a player of ours in every game ('senjutsu players')"},
    {"side", PARAM_STRING, AT(side), .choices = "second", .value = "first|second",
     .help = "the side it plays"},
    {"seed", PARAM_U64, AT(service.seed), .fallback = 1, .help = "of that player's random numbers"},
    {"linger", PARAM_REAL, AT(linger_s), 0, 3600, 2, .value = "SECONDS",
     .help = "how long clients may stay connected after their game"},
    {"waiting", PARAM_INT, AT(service.waiting_max), 1, GEISTER_CONNECTIONS_MAX, 256,
     .help = "clients that may wait for an opponent"},
    {"per-address", PARAM_INT, AT(service.address_max), 0, GEISTER_CONNECTIONS_MAX,
     .help = "connections from one address (0: any number)"},
    {"quiet", PARAM_FLAG, AT(quiet), .help = "only beginning and end, not every game"},
    {"json", PARAM_FLAG, AT(json), .help = "one line of JSON a game; messages go to standard error"},
    {0},
};

/* Without --viewer-token a random token protects the view with all colours. */
static int run_serve(void *state, const struct cli_call *call, struct err *e) {
    struct serve *s = state;
    (void)call;
    s->service.grant = cli_grant();
    s->service.finished = on_finished;
    s->service.context = s;
    s->service.clock = cli_clock();
    if (!check_options(s, e))
        return CLI_USAGE;
    if (s->service.token == NULL) {
        cli_make_token(s->own_token, CLI_TOKEN_BYTES);
        s->service.token = s->own_token;
    }
    return open_server(s, e) ? run_server(s) : CLI_FAILED;
}

static void end_serve(void *state) {
    struct serve *s = state;
    geister_server_close(s->server);
    game_unload(s->scenario);
    text_done(&s->spec);
}

static const struct cli_body serve_body = {
    sizeof(struct serve), {{serve_params}}, .run = run_serve, .done = end_serve};

/* ---- the verbs ---- */

const struct cli_command cli_geister_verbs[] = {
    {"geister serve", "Runs games between clients of the official protocol, any number at once.", "[options]",
     "  senjutsu geister serve                                  ports 10000 and 10001, viewers on 8080\n"
     "  senjutsu geister serve --bind 0.0.0.0 --log log --records records\n"
     "  senjutsu geister serve --budget 0 --timeout 1 --games 100 --json\n"
     "  senjutsu geister serve --player gst-a:sims=3000         clients (first player's port) against gst-a\n"
     "  senjutsu geister serve --player random --side first --no-viewer\n",
     .body = &serve_body},
    {"geister join", "Plays on a Geister server, the official one or ours.", "HOST[:PORT] [options]",
     "  senjutsu geister join 127.0.0.1 --player gst-a:sims=3000\n"
     "  senjutsu geister join arena.example --side second --player random --games 10\n",
     .body = &join_body},
    {0},
};
