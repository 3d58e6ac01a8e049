/* SPDX-License-Identifier: MIT
 *
 * `senjutsu tubstap VERB`: the platform's network protocol. Here are the verbs and the client; the server is
 * tubstap_serve.c.
 */
#include "cli/tubstap.h"

#include "cli/place.h"
#include "net/tubstap_client.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

/* How long one try to connect may take, and how long to rest before the next. */
#define TRY_SECONDS 10.0
#define REST_NS     200000000L

struct join {
    const struct cli_command *command;
    const char *player, *name;
    int games, time_ms;
    double retry;
    uint64_t seed;

    struct text spec; /* canonical */
    struct cli_place place;
};

/* ---- connecting ---- */

static struct link *connect_patiently(const struct join *j, struct err *e) {
    const int64_t start = clock_now_ns(cli_clock()), until = start + tubstap_ns(j->retry);
    for (;;) {
        const struct link_wait wait = {cli_clock(), clock_now_ns(cli_clock()) + tubstap_ns(TRY_SECONDS),
                                       &cli_stop};
        struct link *link = link_connect(j->place.host, j->place.port, &wait, e);
        if (link != NULL || atomic_load(&cli_stop) || clock_now_ns(cli_clock()) >= until)
            return link;
        const struct timespec rest = {0, REST_NS};
        nanosleep(&rest, NULL);
    }
}

/* ---- games ---- */

static void print_game(const struct tubstap_client *c, int index) {
    const struct game *game = c->scenario->game;
    const double payoff = game->payoff(c->state, c->side);
    printf("game %d: %s against %s: %s: %s (%d turns, %d actions)\n", index + 1,
           game->text->side_names[c->side], c->opponent[0] != '\0' ? c->opponent : "somebody",
           payoff > 0.5   ? "won"
           : payoff < 0.5 ? "lost"
                          : "drawn",
           game->text->result(c->state), game->turn(c->state), c->record.count);
    fflush(stdout);
}

static void print_difference(const struct join *j, const struct tubstap_client *c) {
    if (c->differences == 0)
        return;
    cli_fail(j->command, CLI_OK, "%s", c->difference.text);
    if (c->differences > 1)
        cli_fail(j->command, CLI_OK, "%d more of this kind in that game", c->differences - 1);
}

/* One game, from connecting to the end. */
static enum tubstap_end play_game(const struct join *j, int index) {
    struct err e = {0};
    struct tubstap_client client;
    const struct tubstap_join join = {.player = text_string(&j->spec),
                                      .grant = cli_grant(),
                                      .seed = rng_job_seed(j->seed, (uint64_t)index),
                                      .turn_seconds = j->time_ms * 1e-3,
                                      .clock = cli_clock(),
                                      .stop = &cli_stop};
    struct link *link = connect_patiently(j, &e);
    if (link == NULL) {
        cli_fail(j->command, CLI_FAILED, "%s", e.text);
        return atomic_load(&cli_stop) ? TUBSTAP_END_STOPPED : TUBSTAP_END_FAILED;
    }
    tubstap_client_init(&client, j->name != NULL ? j->name : text_string(&j->spec));
    const enum tubstap_end end = tubstap_client_run(&client, link, &join, &e);
    link_close(link, 0);
    print_difference(j, &client);
    if (end == TUBSTAP_END_OVER)
        print_game(&client, index);
    else
        cli_fail(j->command, CLI_FAILED, "game %d: %s", index + 1, e.text);
    tubstap_client_done(&client);
    return end;
}

/* A server that leaves in the middle may have ruled against the other side: the next game may be played. */
static int play_games(const struct join *j) {
    int status = CLI_OK;
    cli_catch_interrupt();
    for (int i = 0; i < j->games; i++) {
        const enum tubstap_end end = play_game(j, i);
        if (end != TUBSTAP_END_OVER)
            status = CLI_FAILED;
        if (end == TUBSTAP_END_STOPPED || end == TUBSTAP_END_FAILED)
            break;
    }
    return cli_finish_output(j->command) ? status : CLI_FAILED;
}

int tubstap_join(const struct cli_command *self, int argc, char **argv) {
    struct join j = {.command = self, .games = 1, .retry = 10, .seed = 1};
    const struct cli_option options[] = {
        {"player", CLI_PLAYER, &j.player, "SPEC", "who plays ('senjutsu players' lists all)"},
        {"name", CLI_TEXT, &j.name, "NAME", "what the server is told (default: the player's spec)"},
        {"games", CLI_INT, &j.games, "N", "how many games, each with a connection of its own", 1, 1000000},
        {"retry", CLI_REAL, &j.retry, "SECONDS", "how long to go on trying to connect", 0, 86400},
        {"time", CLI_INT, &j.time_ms, "MS", "at most so long for each of our turns (default: no limit)", 0,
         86400000},
        {"seed", CLI_U64, &j.seed, "N", "everything random follows from it"},
        {0},
    };
    struct cli_arguments arguments;
    struct err e;
    int status;
    if (!cli_parse(self, options, argc, argv, &arguments, &status))
        return status;
    if (arguments.count != 1)
        return cli_fail(self, CLI_USAGE, "one server is needed, as HOST or HOST:PORT; given: %d",
                        arguments.count);
    if (j.player == NULL)
        return cli_fail(self, CLI_USAGE, "who is to play? --player SPEC says so");
    if (!cli_read_place(arguments.values[0], &j.place, &e) || !player_check(j.player, &j.spec, &e)) {
        status = cli_fail(self, CLI_USAGE, "%s", e.text);
    } else {
        j.place.port = j.place.port == 0 ? TUBSTAP_PORT : j.place.port;
        status = play_games(&j);
    }
    text_done(&j.spec);
    return status;
}

/* ---- the verbs ---- */

static const struct cli_command verbs[] = {
    {"tubstap serve", "Holds games between clients that connect, or between one and a player of ours.",
     "[options]",
     "  senjutsu tubstap serve --map standard8 --games 10        two clients play ten games\n"
     "  senjutsu tubstap serve --map duel --blue uct:sims=5000   one client (red) against uct\n"
     "  senjutsu tubstap serve --map duel,bridge --games 2 --clock turn=5 --records games --json\n",
     tubstap_serve},
    {"tubstap join", "Plays on a server of the platform, or on one of ours.", "HOST[:PORT] [options]",
     "  senjutsu tubstap join 127.0.0.1 --player muct\n"
     "  senjutsu tubstap join arena.example:7777 --player pwuct:time=9000 --name tiger --games 10\n",
     tubstap_join},
    {0},
};

int cli_tubstap(const struct cli_command *self, int argc, char **argv) {
    return cli_run_verb(self, verbs, argc, argv);
}
