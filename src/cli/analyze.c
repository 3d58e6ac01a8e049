/* SPDX-License-Identifier: MIT
 *
 * `senjutsu analyze`: what a player thinks of a position, and the whole turn it would play there. The turn is
 * found as in a game: the player is asked again after each of its own actions.
 */
#include "cli/analyze.h"

#include "player/usual.h"

#include <stdio.h>
#include <string.h>

enum { WATCH_EVERY_MS = 250 };

static bool answer_is_legal(const struct analysis *a, const struct decision *d) {
    if (d->answer.fault != PLAYER_FAULT_NONE) {
        cli_fail(a->command, CLI_FAILED, "%s: %s", text_string(&a->player_name), d->answer.reason);
        return false;
    }
    if (d->game->is_legal(d->state, d->answer.chosen))
        return true;
    struct text text = {0};
    d->game->text->write_action(d->state, d->answer.chosen, &text);
    cli_fail(a->command, CLI_FAILED, "%s chose %s, which is illegal", text_string(&a->player_name),
             text_string(&text));
    text_done(&text);
    return false;
}

/* Asks about `a->state`; false (and a sentence) when the answer breaks the rules. */
static bool decide(struct analysis *a, struct decision *d) {
    const struct watch watch = {analysis_refresh, a, (int64_t)WATCH_EVERY_MS * 1000000};
    d->number = a->turn_count + 1;
    d->game = a->position.scenario->game;
    d->scale = a->first.scale;
    d->state = a->turn_count == 0 ? a->position.replay.state : a->state;
    const struct record_line line = {&a->position.record, a->position.replay.next, a->turn, a->turn_count};
    const struct course course = record_course(&line, a->position.scenario);
    const struct position_ask ask = {
        .game = d->game,
        .state = d->state,
        .taken = a->position.replay.turn.taken + a->turn_count,
        .budget = {.work_max = a->sims,
                   .time_ns_max = (int64_t)a->time_ms * 1000000,
                   .clock = cli_clock(),
                   .stop = &cli_stop},
        .rng = &a->rng,
        .course = a->position.placed && d->game->hide == NULL ? NULL : &course,
        .thoughts = &d->thoughts,
        .watch = a->watch ? &watch : NULL,
    };
    a->now = d;
    d->start_ns = clock_now_ns(cli_clock());
    player_choose_in(a->player, &ask, &d->answer);
    d->seconds = clock_seconds_since(cli_clock(), d->start_ns);
    analysis_erase(a);
    a->turn_seconds += d->seconds;
    a->stopped = atomic_load(&cli_stop);
    return answer_is_legal(a, d);
}

static void take(struct analysis *a, const struct decision *d) {
    if (!a->json && !a->no_turn && !a->single)
        analysis_print_step(a, d->answer.chosen);
    a->turn[a->turn_count++] = d->answer.chosen;
    d->game->play(a->state, d->answer.chosen, &a->position.replay.rng);
}

/* Is the turn that was asked about still going on? */
static bool is_same_turn(const struct analysis *a) {
    const struct game *game = a->position.scenario->game;
    const void *before = a->position.replay.state;
    return turn_goes_on(game, a->state, game->mover(before), game->turn(before));
}

static bool recommend_turn(struct analysis *a) {
    if (a->position.partial)
        return true; /* what its choice leads to depends on what is not known */
    take(a, &a->first);
    while (!a->no_turn && !a->stopped && is_same_turn(a) && a->turn_count < ANALYSIS_TURN_MAX) {
        if (!decide(a, &a->later))
            return false;
        take(a, &a->later);
    }
    return true;
}

static int run(struct analysis *a) {
    const struct scenario *scenario = a->position.scenario;
    const void *state = a->position.replay.state;
    /* As the seat of a game has it: at a map's start the turn is that of a game with this seed. */
    rng_seed_stream(&a->rng, a->seed, (uint64_t)(RECORD_STREAM_SEAT + scenario->game->mover(state)));
    memcpy(a->state, state, scenario->game->state_size);
    cli_catch_interrupt();
    if (!a->json)
        position_tell(scenario, state, scenario->game->mover(state), cli_colour_out() && !a->no_colour);
    fflush(stdout);
    if (!decide(a, &a->first))
        return CLI_FAILED;
    if (!a->json)
        analysis_print_decision(a);
    if (!recommend_turn(a))
        return CLI_FAILED;
    if (a->json)
        return analysis_print_json(a) ? CLI_OK : CLI_FAILED;
    analysis_print_end(a);
    return cli_finish_output(a->command) ? CLI_OK : CLI_FAILED;
}

/* Room for all candidates that are to be shown, of which a game has no more than actions. */
static bool make_room(struct analysis *a) {
    const int most = a->position.scenario->game->actions_max;
    if (a->top == 0)
        a->top = most;
    const int wanted = a->top < most ? a->top : most;
    return thoughts_widen(&a->first.thoughts, wanted) && thoughts_widen(&a->later.thoughts, wanted);
}

/* How its values are told; NULL: as they are. */
static const struct payoff_scale *find_scale(struct analysis *a) {
    const struct scenario *scenario = a->position.scenario;
    const bool has_shades = game_scale(scenario, &a->scale);
    return has_shades && player_expects_payoffs(text_string(&a->player_name)) ? &a->scale : NULL;
}

static int prepare(struct analysis *a) {
    struct err e;
    if (a->spec != NULL && !player_check(a->spec, NULL, &e))
        return cli_fail(a->command, CLI_USAGE, "%s", e.text);
    a->source.seed = a->seed;
    const int status = position_load(a->command, &a->source, &a->position);
    if (status != CLI_OK)
        return status;
    const struct game *game = a->position.scenario->game;
    if (game->mover(a->position.replay.state) == NOBODY) {
        struct text end = {0};
        position_tell_end(a->position.scenario, a->position.replay.state, POSITION_SEES_ALL, &end);
        cli_fail(a->command, CLI_FAILED, "nothing to analyze: the game is over, %s", text_string(&end));
        text_done(&end);
        return CLI_FAILED;
    }
    a->tactical = tbs_is_table_of(game);
    if (a->spec == NULL)
        a->spec = usual_players_of(game)->adviser;
    if (!player_check(a->spec, &a->player_name, &e))
        return cli_fail(a->command, CLI_FAILED, "%s", e.text);
    a->single = !a->tactical && game->progress(a->position.replay.state).left <= 1;
    a->first.scale = find_scale(a);
    if (!make_room(a))
        return cli_fail(a->command, CLI_FAILED, "not enough memory for %d candidates", a->top);
    a->player = player_open_granted(a->spec, game, cli_grant(), &e);
    return a->player != NULL ? CLI_OK : cli_fail(a->command, CLI_FAILED, "%s", e.text);
}

int cli_analyze(const struct cli_command *self, int argc, char **argv) {
    struct analysis a = {.command = self, .source = {.any_game = true}, .seed = 1, .top = 10};
    const struct cli_option options[] = {
        {"map", CLI_TEXT, &a.source.map, "FILE", "the map (default: standard, or the record's)"},
        {"game", CLI_TEXT, &a.source.game, "SPEC", CLI_GAME_HELP},
        {"after", CLI_TEXT, &a.source.after, "RECORD[:N]", "after a recorded game's (first N) actions"},
        {"position", CLI_TEXT, &a.source.position, "TEXT",
         "of a game without maps, as 'state' of the engine writes it; of Geister also a server's board"},
        {"rules", CLI_TEXT, &a.source.rules, "SET", "tubstap or paper (default: tubstap, or the record's)"},
        {"player", CLI_PLAYER, &a.spec, "PLAYER",
         "who is asked (default: uct, ismcts where something is hidden, geist in Geister)"},
        {"top", CLI_INT, &a.top, "N", "how many candidates are shown; 0: all", 0, INT32_MAX},
        {"sims", CLI_U64, &a.sims, "N",
         "work for each decision, in place of the player's own budget; 0: its own"},
        {"time", CLI_INT, &a.time_ms, "MS", "milliseconds for each decision, likewise", 1, 86400000},
        {"seed", CLI_U64, &a.seed, "N", "of the player's random numbers, and of what the game deals"},
        {"no-turn", CLI_FLAG, &a.no_turn, NULL, "only the decision at hand, not the rest of the turn"},
        {"watch", CLI_FLAG, &a.watch, NULL, "show the thoughts on the way"},
        {"json", CLI_FLAG, &a.json, NULL, "the result as JSON; with --watch, one object a line"},
        {"no-color", CLI_FLAG, &a.no_colour, NULL, "plain text"},
        {0},
    };
    int status;
    if (!cli_parse_options(self, options, argc, argv, &status))
        return status;
    status = prepare(&a);
    if (status == CLI_OK)
        status = run(&a);
    player_close(a.player);
    thoughts_done(&a.first.thoughts);
    thoughts_done(&a.later.thoughts);
    position_done(&a.position);
    text_done(&a.player_name);
    return status;
}
