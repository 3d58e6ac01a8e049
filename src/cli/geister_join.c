/* SPDX-License-Identifier: MIT
 *
 * `senjutsu geister join`: one of our players on a Geister server.
 */
#include "cli/geister.h"

#include "base/file.h"
#include "base/jsontext.h"
#include "cli/place.h"
#include "net/geister_join.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PATH_SIZE = 4096 };

struct joining {
    const struct cli_command *command;
    const char *player, *side, *rules, *records;
    int port, games, time_ms;
    bool first, second, json;
    double budget, retry, silence;
    uint64_t seed;

    struct text spec; /* canonical */
    struct cli_place place;
    struct scenario *scenario;
    int files; /* of the records: the last one's number */
    int played, broken, outcomes[GEISTER_DREW + 1];
    bool failed, has_status;
};

/* ---- what is seen of it ---- */

static void clear_status(struct joining *j) {
    if (j->has_status)
        fprintf(stderr, "\r\033[K");
    j->has_status = false;
}

/* On one line of a terminal that is written over; nowhere else. */
static void show_status(struct joining *j, int index, const char *words) {
    int columns, rows;
    char line[400];
    if (!cli_terminal_error_size(&columns, &rows))
        return;
    snprintf(line, sizeof line, "game %d of %d: %s", index + 1, j->games, words);
    fprintf(stderr, "\r\033[K%.*s", columns - 1, line);
    fflush(stderr);
    j->has_status = true;
}

static void on_event(void *context, int index, enum geister_join_event event, const char *words) {
    static const char *const names[] = {
        [GEISTER_JOIN_CONNECTED] = "connected; waiting for SET? (another game may be going on)",
        [GEISTER_JOIN_WAITING] = "the reds are set; waiting for the other player",
        [GEISTER_JOIN_PLAYING] = "playing",
    };
    struct joining *j = context;
    char line[300];
    switch (event) {
    case GEISTER_JOIN_TRYING:
        snprintf(line, sizeof line, "%s; trying again", words);
        show_status(j, index, line);
        return;
    case GEISTER_JOIN_REFUSED:
        clear_status(j);
        cli_fail(j->command, CLI_OK, "game %d: %s", index + 1, words);
        return;
    case GEISTER_JOIN_CONNECTED:
    case GEISTER_JOIN_WAITING:
    case GEISTER_JOIN_PLAYING: show_status(j, index, names[event]); return;
    }
}

static void print_json(struct joining *j, const struct geister_joined *game) {
    const struct geister_client *c = game->client;
    json_t *row =
        json_pack("{si ss ss ss ss si sf si si ss so}", "game", game->index + 1, "side",
                  geister_game.text->side_names[c->side], "player", text_string(&j->spec), "outcome",
                  geister_outcome_names[c->outcome], "result", c->record.result, "plies", (int)c->state.ply,
                  "longest_ms", game->longest_ms, "surprises", c->surprises, "restarts", c->restarts,
                  "reason", game->reason, "seed", jsontext_seed(c->record.seed));
    if (row == NULL || json_dumpf(row, stdout, JSON_COMPACT | JSON_REAL_PRECISION(9)) != 0)
        j->failed = true;
    putchar('\n');
    fflush(stdout);
    json_decref(row);
}

static void print_game(struct joining *j, const struct geister_joined *game) {
    const struct geister_client *c = game->client;
    if (game->end == GEISTER_JOIN_OVER && !j->json) {
        printf("game %d: %s player: %s: %s (%d moves, longest %.0f ms)\n", game->index + 1,
               geister_game.text->side_names[c->side], geister_outcome_names[c->outcome], c->record.result,
               (int)c->state.ply, game->longest_ms);
        fflush(stdout);
    }
    if (game->end != GEISTER_JOIN_OVER)
        cli_fail(j->command, CLI_OK, "game %d: %s", game->index + 1, game->reason);
    if (c->surprises > 0)
        cli_fail(j->command, CLI_OK, "game %d: %s%s", game->index + 1, c->first.text,
                 c->surprises > 1 ? " (and more of this kind)" : "");
    if (j->json)
        print_json(j, game);
}

/* ---- what stays of it ---- */

/* The next name that no file has, so that what was played before stays. */
static bool next_path(struct joining *j, char out[PATH_SIZE], struct err *e) {
    do {
        const int n = snprintf(out, PATH_SIZE, "%s/game-%06d.json", j->records, ++j->files);
        if (n < 0 || n >= PATH_SIZE)
            return err_set(e, "%s: the name is too long", j->records);
    } while (access(out, F_OK) == 0);
    return true;
}

static bool keep(struct joining *j, const struct geister_joined *game, struct err *e) {
    struct record *record = &game->client->record;
    char path[PATH_SIZE];
    cli_date(record->date, sizeof record->date);
    return next_path(j, path, e) && cli_write_record(record, path, e);
}

static bool on_game(void *context, const struct geister_joined *game) {
    struct joining *j = context;
    struct err e;
    clear_status(j);
    print_game(j, game);
    j->played += game->end == GEISTER_JOIN_OVER;
    j->broken += game->end != GEISTER_JOIN_OVER;
    j->outcomes[game->client->outcome]++;
    if (j->records != NULL && game->client->begun && !keep(j, game, &e)) {
        cli_fail(j->command, CLI_FAILED, "%s", e.text);
        j->failed = true;
    }
    return !j->failed;
}

/* ---- the command ---- */

/* The official ports have a side each; at others the first board shows which it is. */
static bool choose_side(struct joining *j, int *side, struct err *e) {
    const bool named_first = j->side != NULL && strcmp(j->side, "first") == 0;
    const bool named_second = j->side != NULL && strcmp(j->side, "second") == 0;
    if (j->side != NULL && !named_first && !named_second)
        return err_set(e, "--side %s: expected first or second", j->side);
    if ((j->first || named_first) && (j->second || named_second))
        return err_set(e, "one can be the first or the second player, not both");
    if (j->place.port != 0 && j->port != 0 && j->place.port != j->port)
        return err_set(e, "two ports are given: %d and %d", j->place.port, j->port);
    const int port = j->port != 0 ? j->port : j->place.port;
    *side = j->first || named_first || port == GEISTER_PORT_FIRST || port == 0 ? 0 : NOBODY;
    if (j->second || named_second || (port == GEISTER_PORT_SECOND && *side == NOBODY))
        *side = 1;
    j->place.port = port != 0 ? port : *side == 1 ? GEISTER_PORT_SECOND : GEISTER_PORT_FIRST;
    return true;
}

static bool load_rules(struct joining *j, struct err *e) {
    char spec[128];
    const int n = snprintf(spec, sizeof spec, "geister:rules=%s", j->rules);
    if (n < 0 || (size_t)n >= sizeof spec)
        return err_set(e, "--rules: '%.40s…' is too long", j->rules);
    j->scenario = game_load_spec(spec, e);
    return j->scenario != NULL || err_prefix(e, "--rules: ");
}

static int play(struct joining *j, int side) {
    struct err e = {{0}};
    struct geister_join join = {
        .host = j->place.host,
        .port = j->place.port,
        .side = side,
        .player = text_string(&j->spec),
        .grant = cli_grant(),
        .scenario = j->scenario,
        .games = j->games,
        .retry_s = j->retry,
        .silence_s = j->silence,
        .seed = j->seed,
        .clock = cli_clock(),
        .stop = &cli_stop,
        .on_event = on_event,
        .on_game = on_game,
        .context = j,
    };
    params_default(timing_params, &join.timing);
    join.timing.move_s = j->time_ms * 1e-3;
    join.timing.game_s = j->budget;
    join.timing.grace_s = 0;
    cli_catch_interrupt();
    geister_join_run(&join, &e);
    if (!j->json && j->games > 1)
        printf("%d of %d games: %d won, %d drawn, %d lost%s\n", j->played, j->games, j->outcomes[GEISTER_WON],
               j->outcomes[GEISTER_DREW], j->outcomes[GEISTER_LOST],
               j->broken > 0 ? "; not all came to an end" : "");
    return cli_finish_output(j->command) && !j->failed && j->played == j->games ? CLI_OK : CLI_FAILED;
}

static int start(struct joining *j, const struct cli_arguments *arguments) {
    struct err e;
    int side = 0;
    if (arguments->count != 1)
        return cli_fail(j->command, CLI_USAGE, "one server is needed, as HOST or HOST:PORT; given: %d",
                        arguments->count);
    if (!cli_read_place(arguments->values[0], &j->place, &e) || !choose_side(j, &side, &e) ||
        !player_check(j->player, &j->spec, &e) || !load_rules(j, &e))
        return cli_fail(j->command, CLI_USAGE, "%s", e.text);
    if (j->records != NULL && !file_make_folder(j->records, &e))
        return cli_fail(j->command, CLI_FAILED, "%s", e.text);
    cli_warn_of_player(j->command, "--player", text_string(&j->spec));
    return play(j, side);
}

int cli_geister_join(const struct cli_command *self, int argc, char **argv) {
    struct joining j = {.command = self,
                        .player = "geist",
                        .rules = "server",
                        .games = 1,
                        .time_ms = 900,
                        .retry = 60,
                        .silence = 900,
                        .seed = 1};
    const struct cli_option options[] = {
        {"player", CLI_PLAYER, &j.player, "SPEC", "who plays ('senjutsu players' lists all)"},
        {"side", CLI_TEXT, &j.side, "first|second", "which port to go to: 10000 (default) or 10001"},
        {"first", CLI_FLAG, &j.first, NULL, "the same as --side first"},
        {"second", CLI_FLAG, &j.second, NULL, "the same as --side second"},
        {"port", CLI_INT, &j.port, "N", "the server's port, if it is another one", 1, 65535},
        {"games", CLI_INT, &j.games, "N", "how many games, each with a connection of its own", 1, 1000000},
        {"time", CLI_INT, &j.time_ms, "MS", "at most so long for a move (0: as long as the player likes)", 0,
         86400000},
        {"budget", CLI_REAL, &j.budget, "SECONDS", "to share out over the whole game (0: no limit)", 0,
         86400},
        {"retry", CLI_REAL, &j.retry, "SECONDS", "how long to go on trying to connect, each time", 0, 1e6},
        {"silence", CLI_REAL, &j.silence, "SECONDS", "how long the server may say nothing (0: for ever)", 0,
         1e6},
        {"rules", CLI_TEXT, &j.rules, "NAME", "the server's rules, if they are others"},
        {"records", CLI_TEXT, &j.records, "DIR", "keep every game there, for 'senjutsu replay'"},
        {"seed", CLI_U64, &j.seed, "N", "everything random follows from it"},
        {"json", CLI_FLAG, &j.json, NULL, "one line of JSON a game; messages go to standard error"},
        {0},
    };
    struct cli_arguments arguments;
    int status;
    if (!cli_parse(self, options, argc, argv, &arguments, &status))
        return status;
    status = start(&j, &arguments);
    if (j.scenario != NULL)
        j.scenario->game->unload(j.scenario);
    text_done(&j.spec);
    return status;
}
