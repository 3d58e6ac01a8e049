/* SPDX-License-Identifier: MIT
 *
 * `senjutsu tubstap serve` and `senjutsu tubstap join`: the two ends of the TUBSTAP platform's network
 * protocol. `serve` waits for clients, holds games and reports their results; `join` plays on a server.
 * src/net has the protocol.
 *
 * The protocol has one connection per game, so clients connect anew for each. A server holds one game at a
 * time: parallel games would take time from each other's clocks.
 */
#include "base/encode.h"
#include "cli/cli.h"
#include "match/batch.h"
#include "match/statistics.h"
#include "net/tubstap.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* ---- serve ---- */

/* One run of `tubstap serve`. A seat is a client ("net") or a player of ours. */
struct serve {
    const char *map, *bind, *seats[2], *clock, *records, *format;
    int port, games;
    double answer, wait; /* seconds: for an answer to anything but Genmove; for clients to come */
    uint64_t seed;
    bool json;

    struct text specs[2]; /* canonical; empty for a client's seat */
    bool is_net[2];
    struct timing timing;
    struct tubstap_limits limits;
    struct cli_maps maps;

    int played, forfeits; /* games, and those that ended by a fault */
    struct tally red;     /* red's wins, draws and losses */
    json_t *list;         /* of the games; NULL without --json */
};

/* With --json only the JSON is printed on standard output; messages go to standard error. */
#define print_message(s, ...) cli_message((s)->json, __VA_ARGS__)

/* Waits for the clients of one game, in the order of arrival. Clients that left while others were awaited are
 * removed; the rest move up. False when stopped or after a failure; then `came` owns nothing. */
static bool wait_for_clients(const struct serve *s, struct player *came[2], struct err *e) {
    const int wanted = s->is_net[0] + s->is_net[1];
    const struct link_wait wait = {
        cli_clock(), s->wait > 0 ? clock_now_ns(cli_clock()) + cli_seconds_ns(s->wait) : 0, &cli_stop};
    for (int count = 0; count < wanted;) {
        struct link *link = link_accept(s->bind, s->port, &wait, e);
        if (link == NULL) {
            player_close(came[0]); /* with two clients the wait would be over */
            return false;
        }
        came[count] = tubstap_seat_open(link, &s->limits, e);
        if (came[count] == NULL)
            print_message(s, "a connection was turned away: %s", e->text);
        else
            print_message(s, "%s is here", tubstap_seat_name(came[count++]));
        if (count < wanted)
            continue;
        count = 0;
        for (int i = 0; i < wanted; i++) {
            struct player *seat = came[i];
            came[i] = NULL;
            if (tubstap_seat_is_there(seat)) {
                came[count++] = seat;
            } else {
                print_message(s, "%s left before the game began", tubstap_seat_name(seat));
                player_close(seat);
            }
        }
    }
    return true;
}

/* Counts and prints a game; with --json it is also added to the list. The list is printed at the end, as one
 * value: scripts read the whole result at once. */
static void report(struct serve *s, const char *map, const struct game_run_result *r) {
    const struct outcome *o = &r->outcome;
    const struct record *record = &r->record;
    s->played++;
    s->forfeits += o->forfeiter != NOBODY;
    tally_add(&s->red, o->payoff);
    print_message(s, "game %d on %s: %s (red) - %s (blue): %s (%d turns, %d actions)", s->played, map,
                  record->players[0], record->players[1], record->result, o->turns, o->actions);
    if (o->forfeiter != NOBODY)
        print_message(s, "  %s", record->comment);
    /* Without --json there is no list, and this only releases the row. */
    json_array_append_new(s->list,
                          json_pack("{si ss s[ss] ss sf si si ss ss so s[ff]}", "game", s->played, "map", map,
                                    "players", record->players[0], record->players[1], "result",
                                    record->result, "payoff", o->payoff, "turns", o->turns, "actions",
                                    o->actions, "fault", player_fault_names[o->fault], "comment",
                                    record->comment, "seed", jsontext_seed(record->seed), "longest_ms",
                                    (double)o->longest_ns[0] * 1e-6, (double)o->longest_ns[1] * 1e-6));
}

/* Plays a game with the clients that came, closes them and writes the game's files; maps take turns. *stopped
 * is set when a signal ended the game, which then counts for nothing. False when a file or a player of ours
 * failed. */
static bool play_one(struct serve *s, struct player *came[2], bool *stopped, struct err *e) {
    const int map = s->played % s->maps.count;
    const struct scenario *scenario = s->maps.scenarios[map];
    struct tubstap_game net_game = {0};
    struct game_run_result result = {0};
    struct game_run game_run = {.game.scenario = scenario,
                                .game.seed = rng_job_seed(s->seed, (uint64_t)s->played),
                                .game.timing = &s->timing,
                                .clock = cli_clock(),
                                .stop = &cli_stop,
                                .watch = tubstap_watch,
                                .context = &net_game};
    for (int side = 0, next = 0; side < 2; side++) {
        const char *spec = text_string(&s->specs[side]);
        if (s->is_net[side])
            net_game.seats[side] = came[next++];
        game_run.players[side] = s->is_net[side] ? net_game.seats[side]
                                                 : player_open_granted(spec, scenario->game, cli_grant(), e);
        game_run.names[side] = s->is_net[side] ? tubstap_seat_name(net_game.seats[side]) : spec;
        net_game.names[side] = game_run.names[side];
    }
    bool ok = game_run.players[0] != NULL && game_run.players[1] != NULL;
    if (ok) {
        tubstap_begin(&net_game, scenario);
        ok = game_run_play(&game_run, &result, e);
        *stopped = result.stopped;
        if (ok && !*stopped)
            report(s, s->maps.names[map], &result);
    }
    for (int side = 0; side < 2; side++)
        player_close(game_run.players[side]); /* clients get the result before files are written */
    if (ok && !*stopped && s->records != NULL) {
        const struct text *fault = &result.fault_report;
        char path[FILE_PATH_MAX];
        cli_date(result.record.date, sizeof result.record.date);
        ok = file_path(path, e, "%s/game-%06d.%s", s->records, s->played, s->format) &&
             cli_write_record(&result.record, path, e) &&
             (fault->size == 0 || (file_path(path, e, "%s/game-%06d.fault.json", s->records, s->played) &&
                                   file_write(path, text_string(fault), fault->size, e)));
    }
    game_run_result_done(&result);
    return ok;
}

/* Checks the options, loads the maps and opens the port; returns an exit status. What it has opened is
 * released by the caller. */
static int prepare(struct serve *s, struct err *e) {
    if (strcmp(s->format, "json") != 0 && strcmp(s->format, "sgf") != 0)
        return cli_error(CLI_USAGE, "--format %s: expected json or sgf", s->format);
    for (int side = 0; side < 2; side++) {
        s->is_net[side] = strcmp(s->seats[side], "net") == 0;
        if (!s->is_net[side] && !player_check(s->seats[side], &s->specs[side], e))
            return CLI_USAGE;
    }
    if (!s->is_net[0] && !s->is_net[1])
        return cli_error(CLI_USAGE,
                         "neither --red nor --blue is net; 'senjutsu match' plays without a network");
    if (!timing_read(s->clock, &s->timing, e))
        return CLI_USAGE;
    if (!cli_load_sources(&s->maps, &(struct cli_source){.map = s->map}, e) ||
        (s->records != NULL && !file_make_folder(s->records, e)))
        return CLI_FAILED;
    /* The players' own clocks are in `timing`; this limit is for the rest of the protocol. */
    s->limits = (struct tubstap_limits){cli_clock(), &cli_stop, cli_seconds_ns(s->answer)};
    s->list = s->json ? json_array() : NULL;
    cli_catch_interrupt();
    return link_listener(s->bind, &s->port, e) >= 0 ? CLI_OK : CLI_FAILED;
}

/* Holds the games and prints the summary. Exit status 1 when not all wanted games were played. */
static int run_serve(void *state, const struct cli_call *call, struct err *frame) {
    struct serve *s = state;
    struct err e = {0}; /* is reported before the summary */
    struct text clock = {0};
    const int status = prepare(s, frame);
    (void)call;
    if (status != CLI_OK)
        return status;
    timing_describe(&s->timing, &clock);
    print_message(s, "listening on %s port %d; clock: %s; %s", s->bind, s->port, text_string(&clock),
                  s->is_net[0] && s->is_net[1] ? "the first client to come is red, the second blue"
                  : s->is_net[0]               ? "clients are red"
                                               : "clients are blue");
    text_done(&clock);
    bool ok = true, stopped = false;
    /* A client that fails forfeits its game. Only the port, files and players of ours can end the run. */
    while (ok && s->played < s->games && !stopped) {
        struct player *came[2] = {NULL, NULL};
        if (wait_for_clients(s, came, &e))
            ok = play_one(s, came, &stopped, &e);
        else
            ok = stopped = atomic_load(&cli_stop);
    }
    if (!ok)
        cli_error(CLI_FAILED, "%s", e.text);
    if (s->json && cli_show_json(json_pack("{si si s[ii] si si sO}", "games", s->played, "games_wanted",
                                           s->games, "wins", s->red.wins, s->red.losses, "draws",
                                           s->red.draws, "forfeits", s->forfeits, "list", s->list)) != CLI_OK)
        return CLI_FAILED;
    if (!s->json)
        printf("%d of %d game%s: red won %d, blue %d, %d drawn, %d forfeited\n", s->played, s->games,
               s->games == 1 ? "" : "s", s->red.wins, s->red.losses, s->red.draws, s->forfeits);
    return cli_flush() == CLI_OK && ok && s->played == s->games ? CLI_OK : CLI_FAILED;
}

#define AT(field) offsetof(struct serve, field)

static const struct param serve_params[] = {
    {"map", PARAM_STRING, AT(map), .choices = "standard", .value = "FILE,...",
     .help = "the maps, each played in turn"},
    {"red", PARAM_PLAYER, AT(seats[0]), .choices = "net", .value = "net|SPEC",
     .help = "a client, or a player of ours"},
    {"blue", PARAM_PLAYER, AT(seats[1]), .choices = "net", .value = "net|SPEC", .help = "likewise"},
    {"games", PARAM_INT, AT(games), 1, 1000000, 1, .help = "how many games; clients connect anew for each"},
    {"bind", PARAM_STRING, AT(bind), .choices = "127.0.0.1", .value = "ADDRESS",
     .help = "where to listen; 0.0.0.0 is everywhere"},
    {"port", PARAM_INT, AT(port), 0, 65535, TUBSTAP_PORT, .help = "0: any that is free"},
    {"clock", PARAM_STRING, AT(clock), .choices = "turn=10", .value = "LIMITS",
     .help = "turn=, move=, game=, ... in seconds"},
    {"answer", PARAM_REAL, AT(answer), 0.001, 86400, 10, .value = "SECONDS",
     .help = "for an answer to anything but Genmove"},
    {"wait", PARAM_REAL, AT(wait), 0, 1e6, .value = "SECONDS",
     .help = "longest wait for the clients of each game; 0: no limit"},
    {PARAM_SEED_ROW(AT(seed))},
    {"records", PARAM_STRING, AT(records), .value = "DIR",
     .help = "write every game to DIR, with a report of each fault"},
    {"format", PARAM_STRING, AT(format), .choices = "json", .value = "json|sgf", .help = "of the records"},
    {"json", PARAM_FLAG, AT(json), .help = "the result as JSON; messages go to standard error"},
    {0},
};

/* Releases what prepare has opened, also after a failure; the port stays open until the program ends. */
static void end_serve(void *state) {
    struct serve *s = state;
    cli_unload_maps(&s->maps);
    text_done(&s->specs[0]);
    text_done(&s->specs[1]);
    json_decref(s->list);
}

static const struct cli_body serve_body = {
    sizeof(struct serve), {{serve_params}}, .run = run_serve, .done = end_serve};

/* ---- join ---- */

/* Limit of one attempt to connect, and pause before the next. */
#define TRY_SECONDS 10.0
#define REST_NS     200000000L

/* One run of `tubstap join`. */
struct join {
    const char *player, *name;
    int games, time_ms;
    double retry;
    uint64_t seed;

    struct text spec; /* canonical */
    struct cli_place place;
};

/* Plays one game, from connecting to its end. A server may listen only between two games, so connecting is
 * tried again for --retry seconds. "Differences" are positions of the server that this program
 * did not expect. */
static enum tubstap_end join_game(const struct join *j, int index) {
    struct err e = {0};
    struct tubstap_client c;
    const struct tubstap_join join = {.player = text_string(&j->spec),
                                      .grant = cli_grant(),
                                      .seed = rng_job_seed(j->seed, (uint64_t)index),
                                      .turn_seconds = j->time_ms * 1e-3,
                                      .clock = cli_clock(),
                                      .stop = &cli_stop};
    const int64_t until = clock_now_ns(cli_clock()) + cli_seconds_ns(j->retry);
    struct link *link;
    for (;;) {
        const int64_t try_until = clock_now_ns(cli_clock()) + cli_seconds_ns(TRY_SECONDS);
        const struct link_wait wait = {cli_clock(), try_until, &cli_stop};
        link = link_connect(j->place.host, j->place.port, &wait, &e);
        if (link != NULL || atomic_load(&cli_stop) || clock_now_ns(cli_clock()) >= until)
            break;
        nanosleep(&(struct timespec){0, REST_NS}, NULL);
    }
    if (link == NULL) { /* the last attempt's reason */
        cli_error(CLI_FAILED, "%s", e.text);
        return atomic_load(&cli_stop) ? TUBSTAP_END_STOPPED : TUBSTAP_END_FAILED;
    }
    tubstap_client_init(&c, j->name != NULL ? j->name : text_string(&j->spec));
    const enum tubstap_end end = tubstap_client_run(&c, link, &join, &e);
    link_close(link, 0);
    if (c.differences > 0)
        cli_error(CLI_OK, "%s", c.difference.text);
    if (c.differences > 1)
        cli_error(CLI_OK, "%d more of this kind in that game", c.differences - 1);
    if (end == TUBSTAP_END_OVER) {
        const struct game *game = c.scenario->game;
        const void *state = c.game.referee.state;
        const double payoff = game->payoff(state, c.side);
        printf("game %d: %s against %s: %s: %s (%d turns, %d actions)\n", index + 1,
               game->text->side_names[c.side], c.opponent[0] != '\0' ? c.opponent : "an unnamed player",
               payoff > 0.5   ? "won"
               : payoff < 0.5 ? "lost"
                              : "drawn",
               game->text->result(state), game->turn(state), c.record.count);
        fflush(stdout);
    } else {
        cli_error(CLI_FAILED, "game %d: %s", index + 1, e.text);
    }
    tubstap_client_done(&c);
    return end;
}

#undef AT
#define AT(field) offsetof(struct join, field)

static const struct param join_params[] = {
    {"player", PARAM_PLAYER, AT(player), .help = "who plays ('senjutsu players' lists all)"},
    {"name", PARAM_STRING, AT(name), .value = "NAME",
     .help = "name sent to the server (default: the player's spec)"},
    {"games", PARAM_INT, AT(games), 1, 1000000, 1,
     .help = "how many games, each with a connection of its own"},
    {"retry", PARAM_REAL, AT(retry), 0, 86400, 10, .value = "SECONDS",
     .help = "how long to retry a connection"},
    {"time", PARAM_INT, AT(time_ms), 0, 86400000, .value = "MS", .is_explained = true,
     .help = "longest time for each of our turns (default: no limit)"},
    {PARAM_SEED_ROW(AT(seed))},
    {0},
};

/* Games are independent: one that the server breaks off does not end the run, but the exit status is 1. */
static int run_join(void *state, const struct cli_call *call, struct err *e) {
    struct join *j = state;
    if (j->player == NULL && call->arguments.count == 1)
        return cli_error(CLI_USAGE, "who is to play? --player SPEC says so");
    if (!cli_read_place(&call->arguments, &j->place, e) || !player_check(j->player, &j->spec, e))
        return CLI_USAGE;
    cli_catch_interrupt();
    j->place.port = j->place.port == 0 ? TUBSTAP_PORT : j->place.port;
    /* A server that closes during a game may have ruled against the other side, so the next game is tried. */
    enum tubstap_end end = TUBSTAP_END_OVER;
    int status = CLI_OK;
    for (int i = 0; i < j->games && end != TUBSTAP_END_STOPPED && end != TUBSTAP_END_FAILED; i++) {
        end = join_game(j, i);
        status = end != TUBSTAP_END_OVER ? CLI_FAILED : status;
    }
    return cli_flush() == CLI_OK ? status : CLI_FAILED;
}

static void end_join(void *state) {
    struct join *j = state;
    text_done(&j->spec);
}

static const struct cli_body join_body = {
    sizeof(struct join), {{join_params}}, .takes_arguments = true, .run = run_join, .done = end_join};

/* ---- the verbs ---- */

const struct cli_command cli_tubstap_verbs[] = {
    {"tubstap serve", "Runs games between clients that connect, or between one and a player of ours.",
     "[options]",
     "  senjutsu tubstap serve --map standard8 --games 10        two clients play ten games\n"
     "  senjutsu tubstap serve --map duel --blue uct:sims=5000   one client (red) against uct\n"
     "  senjutsu tubstap serve --map duel,bridge --games 2 --clock turn=5 --records games --json\n",
     .body = &serve_body},
    {"tubstap join", "Plays on a server of the platform, or on one of ours.", "HOST[:PORT] [options]",
     "  senjutsu tubstap join 127.0.0.1 --player muct\n"
     "  senjutsu tubstap join arena.example:7777 --player pwuct:time=9000 --name tiger --games 10\n",
     .body = &join_body},
    {0},
};
