/* SPDX-License-Identifier: MIT
 *
 * `senjutsu play`: the course of a game in the terminal. The position is a record and its replay, so undo is
 * "one action less".
 */
#include "cli/play.h"

#include "base/file.h"
#include "cli/position.h"
#include "match/secret.h"
#include "player/usual.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

/* ---- what both kinds of player need ---- */

bool play_action(struct play *play, action a, double milliseconds) {
    struct err e;
    if (record_add(&play->record, a, milliseconds, &e) && replay_step(&play->replay, &e)) {
        snprintf(play->record.result, sizeof play->record.result, "%s",
                 play->scenario->game->text->result(play->replay.state));
        return true;
    }
    cli_fail(play->command, CLI_FAILED, "%s", e.text);
    return false;
}

bool play_go_back(struct play *play, int count) {
    const unsigned people = (unsigned)(play->players[0] == NULL) | (unsigned)(play->players[1] == NULL) << 1;
    struct replay back;
    replay_to(&back, &play->record, play->scenario, count, NULL);
    if (secret_was_shown(&back, people)) {
        puts("That turn showed something hidden, so it cannot be taken back.");
        return false;
    }
    play->replay = back;
    play->record.count = count;
    memcpy(play->record.result, "none", sizeof "none");
    return true;
}

bool play_ask(struct play *play, struct player *player, action *out, double *milliseconds) {
    const struct game *game = play->scenario->game;
    struct answer answer;
    const struct record_line line = {.record = &play->record, .count = play->replay.next};
    const struct course course = record_course(&line, play->scenario);
    const struct position_ask ask = {.game = game,
                                     .state = play->replay.state,
                                     .taken = play->replay.turn.taken,
                                     .budget = {.stop = &cli_stop, .clock = cli_clock()},
                                     .rng = &play->rng[game->mover(play->replay.state)],
                                     .course = &course};
    const int64_t start = clock_now_ns(cli_clock());
    player_choose_in(player, &ask, &answer);
    *milliseconds = clock_seconds_since(cli_clock(), start) * 1e3;
    *out = answer.chosen;
    if (answer.fault != PLAYER_FAULT_NONE && !atomic_load(&cli_stop))
        cli_fail(play->command, CLI_FAILED, "%s", answer.reason);
    return answer.fault == PLAYER_FAULT_NONE;
}

bool play_advise(struct play *play, action *out) {
    const struct rng before[2] = {play->rng[0], play->rng[1]};
    double milliseconds;
    const bool known = play_ask(play, play->adviser, out, &milliseconds);
    memcpy(play->rng, before, sizeof before);
    return known;
}

void play_describe(const struct play *play, action a, struct text *out) {
    position_describe(play->replay.state, a, out);
}

void play_show_board(const struct play *play, const struct tbs_show *marks) {
    position_show(play->replay.state, marks, play->colour);
}

bool play_save(struct play *play, const char *path) {
    struct err e;
    const bool ok = cli_write_record(&play->record, path, &e);
    if (ok)
        printf("Saved to %s (%s).\n", path, cli_record_form(&play->record, path));
    else
        cli_fail(play->command, CLI_FAILED, "%s", e.text);
    return ok;
}

/* ---- the course ---- */

static bool computer_turn(struct play *play, struct player *player) {
    double milliseconds;
    action a;
    if (!play_ask(play, player, &a, &milliseconds) || atomic_load(&cli_stop))
        return false;
    struct text text = {0};
    play_describe(play, a, &text);
    printf("%s\n", text_string(&text));
    text_done(&text);
    return play_action(play, a, milliseconds);
}

/* True when the game is over, false when it was left. */
static bool run_game(struct play *play) {
    const struct game *game = play->scenario->game;
    int shown_turn = -1;
    for (int side; (side = game->mover(play->replay.state)) != NOBODY;) {
        const int turn = game->turn(play->replay.state);
        if (turn != shown_turn) {
            play_show_board(play, NULL);
            play->turn_start = play->record.count;
            play->selected = PLAY_NO_UNIT;
            shown_turn = turn;
        }
        const bool on =
            play->players[side] != NULL ? computer_turn(play, play->players[side]) : play_human_command(play);
        if (!on || atomic_load(&cli_stop))
            return false;
    }
    play_show_board(play, NULL);
    return true;
}

static void say_result(const struct play *play) {
    struct tbs_position p;
    tbs_position_of(play->replay.state, &p);
    const int winner = tbs_winner(p.result);
    printf("\nThe game is over after %d turns: ", p.turn);
    if (winner == NOBODY)
        printf("a draw, %d HP against %d.\n", p.hp_sum[0], p.hp_sum[1]);
    else
        printf("%s (%s) wins (%s).\n", tbs_side_names[winner], play->record.players[winner],
               strchr(tbs_result_names[p.result], ' ') + 1);
}

/* ---- the command ---- */

struct setup {
    struct cli_source source;
    const char *seats[2], *save, *load;
    uint64_t seed;
    bool seed_given, no_colour;
};

/* A person wants other cards every time; whoever wants the same again is told how. */
static uint64_t choose_deal(const struct game *game, const struct setup *setup) {
    if (setup->seed_given || game->hide == NULL)
        return setup->seed;
    return rng_mix((uint64_t)clock_now_ns(cli_clock()) + (uint64_t)time(NULL)) >> 40;
}

/* Who sits where nobody was named. */
static void seat_usual(const struct game *game, const char *seats[2]) {
    if (seats[0] == NULL)
        seats[0] = "human";
    if (seats[1] == NULL)
        seats[1] = usual_players_of(game)->opponent;
}

static bool new_record(struct play *play, struct setup *setup, struct err *e) {
    play->scenario = cli_load_source(&setup->source, e);
    if (play->scenario == NULL)
        return false;
    seat_usual(play->scenario->game, setup->seats);
    struct record *record = &play->record;
    record_init(record);
    record_describe(record, play->scenario, setup->seats);
    record->seed = choose_deal(play->scenario->game, setup);
    cli_date(record->date, sizeof record->date);
    return true;
}

static bool load_record(struct play *play, struct setup *setup, struct err *e) {
    struct err difference;
    if (!record_load(setup->load, &play->record, &difference, e))
        return false;
    if (difference.text[0] != '\0')
        return err_set(e, "%s", difference.text);
    play->scenario = record_scenario(&play->record, e);
    if (play->scenario == NULL)
        return false;
    seat_usual(play->scenario->game, setup->seats);
    return true;
}

static bool open_seats(struct play *play, const struct setup *setup, struct err *e) {
    const struct game *game = play->scenario->game;
    for (int side = 0; side < 2; side++) {
        rng_seed_stream(&play->rng[side], play->record.seed, (uint64_t)(RECORD_STREAM_SEAT + side));
        if (strcmp(setup->seats[side], "human") == 0)
            continue;
        play->players[side] = player_open_granted(setup->seats[side], game, cli_grant(), e);
        if (play->players[side] == NULL)
            return false;
    }
    if (play->players[0] != NULL && play->players[1] != NULL)
        return true; /* nobody will ask for hints */
    play->adviser = player_open(usual_players_of(game)->adviser, game, e);
    return play->adviser != NULL;
}

static bool is_person(const char *seat) {
    return seat == NULL || strcmp(seat, "human") == 0;
}

/* What was given though a record says it already; NULL: nothing. */
static const char *said_twice(const struct setup *setup) {
    const struct cli_source *source = &setup->source;
    if (setup->load == NULL)
        return NULL;
    return source->game != NULL    ? "game"
           : source->map != NULL   ? "map"
           : source->rules != NULL ? "rules"
           : setup->seed_given     ? "seed"
                                   : NULL;
}

static int check_setup(const struct play *play, const struct setup *setup) {
    struct err e;
    if (!cli_check_source(&setup->source, &e))
        return cli_fail(play->command, CLI_USAGE, "%s", e.text);
    const char *twice = said_twice(setup);
    if (twice != NULL)
        return cli_fail(play->command, CLI_USAGE,
                        "--%s does not go with --load: the record says what is played", twice);
    for (int side = 0; side < 2; side++)
        if (!is_person(setup->seats[side]) && !player_check(setup->seats[side], NULL, &e))
            return cli_fail(play->command, CLI_USAGE, "%s (or human)", e.text);
    return CLI_OK;
}

/* Plays it to its end, or until somebody leaves, and says how it ended. */
static void run_whole(struct play *play) {
    const bool tactical = tbs_is_table_of(play->scenario->game);
    const bool over = tactical ? run_game(play) : play_plain_run(play);
    if (!over)
        printf("\nThe game was left after %d action%s.\n", play->record.count,
               play->record.count == 1 ? "" : "s");
    else if (tactical)
        say_result(play);
    else
        play_plain_result(play);
    if (play->scenario->game->hide != NULL)
        printf("--seed %llu %s again.\n",
               (unsigned long long)(play->record.deal != 0 ? play->record.deal : play->record.seed),
               record_deals(play->scenario) ? "deals the same" : "gives the same random numbers");
}

static int run_play(struct play *play, struct setup *setup) {
    struct err e;
    const int status = check_setup(play, setup);
    if (status != CLI_OK)
        return status;
    const bool ready = setup->load != NULL ? load_record(play, setup, &e) : new_record(play, setup, &e);
    if (ready && setup->save != NULL && cli_is_sgf(setup->save) && !tbs_is_table_of(play->scenario->game))
        return cli_fail(play->command, CLI_USAGE, "--save %s: only the tactical game has .sgf records",
                        setup->save);
    if (!ready || !replay_to(&play->replay, &play->record, play->scenario, RECORD_ACTIONS_MAX, &e) ||
        !open_seats(play, setup, &e))
        return cli_fail(play->command, CLI_FAILED, "%s", e.text);
    cli_catch_interrupt();
    if (play->players[0] == NULL || play->players[1] == NULL)
        printf("Type help for the commands.\n");
    run_whole(play);
    const bool saved = setup->save == NULL || play_save(play, setup->save);
    return saved && cli_finish_output(play->command) ? CLI_OK : CLI_FAILED;
}

int cli_play(const struct cli_command *self, int argc, char **argv) {
    struct setup setup = {.seed = 1};
    const struct cli_option options[] = {
        {"map", CLI_TEXT, &setup.source.map, "FILE", "the map (default: standard)"},
        {"game", CLI_TEXT, &setup.source.game, "SPEC", CLI_GAME_HELP},
        {"red", CLI_PLAYER, &setup.seats[0], "PLAYER",
         "who plays red: human (the default) or a player's spec"},
        {"blue", CLI_PLAYER, &setup.seats[1], "PLAYER", "who plays blue (default: acteval)"},
        {"first", CLI_PLAYER, &setup.seats[0], "PLAYER", "the same as --red, for games without colours"},
        {"second", CLI_PLAYER, &setup.seats[1], "PLAYER",
         "the same as --blue (default then: ismcts, or the game's own: geist in Geister)"},
        {"rules", CLI_TEXT, &setup.source.rules, "SET", "tubstap (the default) or paper"},
        {"seed", CLI_U64, &setup.seed, "N",
         "of the players' random numbers, and of what is dealt (without it: something new)",
         .given = &setup.seed_given},
        {"load", CLI_TEXT, &setup.load, "FILE", "go on with a saved game"},
        {"save", CLI_TEXT, &setup.save, "FILE",
         "save the game when it ends or is left (.json, .sgf; of Geister .txt, a server's log)"},
        {"no-color", CLI_FLAG, &setup.no_colour, NULL, "plain text"},
        {0},
    };
    int status;
    if (!cli_parse_options(self, options, argc, argv, &status))
        return status;
    struct play play = {.command = self, .colour = cli_colour_out() && !setup.no_colour};
    status = run_play(&play, &setup);
    player_close(play.players[0]);
    player_close(play.players[1]);
    player_close(play.adviser);
    if (play.scenario != NULL)
        play.scenario->game->unload(play.scenario);
    record_done(&play.record);
    return status;
}
