/* SPDX-License-Identifier: MIT
 *
 * The client's end of the TUBSTAP protocol: a state machine that is fed with the server's lines, and
 * games over a link.
 */
#include "net/tubstap.h"

#include "game/tbs/tbs.h"
#include "match/timing.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

/* The server closes when the game is over. One that does not is not waited for. */
#define GOODBYE_NS (INT64_C(5) * 1000000000)
#define SENDING_NS (INT64_C(10) * 1000000000)

/* ---- the machine ---- */

void tubstap_client_init(struct tubstap_client *c, const char *name) {
    memset(c, 0, sizeof *c);
    tubstap_clean(name, c->name, sizeof c->name);
    c->side = NOBODY;
    record_init(&c->record);
}

void tubstap_client_done(struct tubstap_client *c) {
    record_done(&c->record);
    if (c->scenario != NULL)
        c->scenario->game->unload(c->scenario);
    c->scenario = NULL;
}

bool tubstap_client_has_begun(const struct tubstap_client *c) {
    return c->scenario != NULL && c->side != NOBODY;
}

bool tubstap_client_is_over(const struct tubstap_client *c) {
    return tubstap_client_has_begun(c) && c->scenario->game->mover(c->state) == NOBODY;
}

static bool answer_name(struct tubstap_client *c, const char *arguments, struct text *answer, struct err *e) {
    (void)arguments;
    (void)e;
    tubstap_write_answer(c->name, answer);
    return true;
}

static bool take_opponent(struct tubstap_client *c, const char *arguments, struct text *answer,
                          struct err *e) {
    (void)e;
    tubstap_clean(arguments, c->opponent, sizeof c->opponent);
    tubstap_write_answer("", answer);
    return true;
}

static bool take_map(struct tubstap_client *c, const char *arguments, struct text *answer, struct err *e) {
    if (c->scenario != NULL)
        return err_set(e, "a second map in one game");
    const struct game_source source = {"the server's map", arguments, strlen(arguments), NULL};
    c->scenario = tbs_game.load(&source, e);
    if (c->scenario == NULL)
        return false;
    tubstap_write_answer("", answer);
    return true;
}

static bool take_color(struct tubstap_client *c, const char *arguments, struct text *answer, struct err *e) {
    long side;
    if (c->scenario == NULL)
        return err_set(e, "a colour before the map");
    if (c->side != NOBODY)
        return err_set(e, "a second colour in one game");
    if (!text_to_int(arguments, &side) || (side != 0 && side != 1))
        return err_set(e, "expected Color 0 (red) or Color 1 (blue)");
    c->side = (int)side;
    const char *const names[2] = {side == 0 ? c->name : c->opponent, side == 0 ? c->opponent : c->name};
    record_describe(&c->record, c->scenario, names);
    if (c->record.map.failed)
        return err_set(e, "not enough memory for the game");
    c->scenario->game->start(c->state, c->scenario, NULL);
    turn_count_start(&c->turn, c->scenario->game, c->state);
    tubstap_write_answer("", answer);
    return true;
}

/* Is it the turn of that side, by the rules? */
static bool is_turn_of(const struct tubstap_client *c, int side, struct err *e) {
    if (!tubstap_client_has_begun(c))
        return err_set(e, "the game has not begun: MAP and Color come first");
    const int mover = c->scenario->game->mover(c->state);
    if (mover == NOBODY)
        return err_set(e, "by the rules the game is over (%s)", c->scenario->game->text->result(c->state));
    if (mover != side)
        return err_set(e, "by the rules it is %s's turn", tbs_side_names[mover]);
    return true;
}

static bool apply(struct tubstap_client *c, action a, struct err *e) {
    const struct game *game = c->scenario->game;
    if (!record_add(&c->record, a, RECORD_NO_TIME, e))
        return false;
    game->play(c->state, a, NULL);
    turn_count_step(&c->turn, game, c->state);
    snprintf(c->record.result, sizeof c->record.result, "%s", game->text->result(c->state));
    return true;
}

static bool take_genmove(struct tubstap_client *c, const char *arguments, struct text *answer,
                         struct err *e) {
    (void)arguments;
    (void)answer;
    if (!is_turn_of(c, c->side, e))
        return false;
    c->is_asked = true;
    return true;
}

/* The platform repeats what the other client sent, so the damages may be wrong: that is only noted. */
static void note_difference(struct tubstap_client *c, const char *arguments, const struct err *what) {
    char quote[TUBSTAP_QUOTE_MAX];
    tubstap_clean(arguments, quote, sizeof quote);
    if (c->differences++ == 0)
        err_set(&c->difference, "play %s: %.300s", quote, what->text);
}

static bool take_play(struct tubstap_client *c, const char *arguments, struct text *answer, struct err *e) {
    long numbers[TUBSTAP_FIELDS];
    action a;
    struct err difference;
    if (!is_turn_of(c, c->side ^ 1, e) || !tubstap_read_numbers(arguments, numbers, e) ||
        !tubstap_find_action(c->scenario->game, c->state, numbers, &a, e))
        return false;
    if (!tubstap_agrees(c->state, a, numbers, &difference))
        note_difference(c, arguments, &difference);
    if (!apply(c, a, e))
        return false;
    tubstap_write_answer("", answer);
    return true;
}

static bool answer_status(struct tubstap_client *c, const char *arguments, struct text *answer,
                          struct err *e) {
    (void)arguments;
    if (!tubstap_client_has_begun(c))
        return err_set(e, "the game has not begun: MAP and Color come first");
    struct tbs_position p;
    char sums[64];
    tbs_position_of(c->state, &p);
    snprintf(sums, sizeof sums, "%d %d", p.hp_sum[c->side], p.hp_sum[c->side ^ 1]);
    tubstap_write_answer(sums, answer);
    return true;
}

static bool take_gameover(struct tubstap_client *c, const char *arguments, struct text *answer,
                          struct err *e) {
    (void)arguments;
    (void)e;
    c->told_over = true;
    tubstap_write_answer("", answer);
    return true;
}

typedef bool (*take_function)(struct tubstap_client *c, const char *arguments, struct text *answer,
                              struct err *e);

static const take_function takers[TUBSTAP_CALLS] = {
    [TUBSTAP_CALL_NAME] = answer_name,     [TUBSTAP_CALL_OPPONENT] = take_opponent,
    [TUBSTAP_CALL_MAP] = take_map,         [TUBSTAP_CALL_COLOR] = take_color,
    [TUBSTAP_CALL_GENMOVE] = take_genmove, [TUBSTAP_CALL_PLAY] = take_play,
    [TUBSTAP_CALL_STATUS] = answer_status, [TUBSTAP_CALL_GAMEOVER] = take_gameover,
};

/* "'play 3,…' from the server: by the rules it is red's turn" */
static enum tubstap_step fail(const char *line, struct err *e) {
    char quote[TUBSTAP_QUOTE_MAX];
    tubstap_clean(line, quote, sizeof quote);
    err_prefix(e, "'%s' from the server: ", quote);
    return TUBSTAP_FAILED;
}

enum tubstap_step tubstap_client_take(struct tubstap_client *c, const char *line, struct text *answer,
                                      struct err *e) {
    const char *arguments;
    assert(!c->is_asked);
    if (line[strspn(line, " \t\r")] == '\0')
        return TUBSTAP_NOTHING;
    const enum tubstap_command command = tubstap_read_command(line, &arguments);
    if (command == TUBSTAP_CALLS) {
        err_set(e, "this command is unknown; expected name, opponent, MAP, Color, Genmove or play");
        return fail(line, e);
    }
    if (!takers[command](c, arguments, answer, e))
        return fail(line, e);
    if (c->is_asked)
        return TUBSTAP_ASKED;
    if (!answer->failed)
        return TUBSTAP_ANSWERED;
    err_set(e, "not enough memory for the answer");
    return fail(line, e);
}

bool tubstap_client_decide(struct tubstap_client *c, action a, struct text *answer, struct err *e) {
    assert(c->is_asked);
    struct text numbers = {0};
    if (a == TBS_RESIGN)
        a = TBS_PASS;
    if (!c->scenario->game->is_legal(c->state, a)) {
        c->scenario->game->text->write_action(c->state, a, &numbers);
        err_set(e, "%s is illegal", text_string(&numbers));
        text_done(&numbers);
        return false;
    }
    tubstap_write_action(c->state, a, &numbers);
    tubstap_write_answer(text_string(&numbers), answer);
    const bool ok = !numbers.failed && !answer->failed;
    text_done(&numbers);
    if (!ok)
        return err_set(e, "not enough memory for the answer");
    c->is_asked = false;
    return apply(c, a, e);
}

/* ---- a game over a link ---- */

struct run {
    struct tubstap_client *client;
    struct link *link;
    const struct tubstap_join *join;
    struct player *player; /* NULL until the game begins */
    struct rng rng;
    struct timing timing;
    struct timing_clocks clocks;
    struct text answer;
};

/* Opened as soon as the scenario is known, before the first question, so that no turn is charged for it. */
static bool open_player(struct run *run, struct err *e) {
    const struct tubstap_client *c = run->client;
    if (run->player != NULL || !tubstap_client_has_begun(c))
        return true;
    rng_seed_stream(&run->rng, run->join->seed, (uint64_t)(RECORD_STREAM_SEAT + c->side));
    timing_start(&run->clocks, &run->timing);
    run->player = player_open_granted(run->join->player, c->scenario->game, run->join->grant, e);
    return run->player != NULL;
}

static void fill_ask(struct run *run, int64_t now, const struct game_history *history, struct ask *out) {
    const struct tubstap_client *c = run->client;
    const struct game *game = c->scenario->game;
    const struct ask_time time =
        timing_allow(&run->clocks, &run->timing, c->side, game->progress(c->state).left);
    *out = (struct ask){
        .game = game,
        .view = c->state, /* nothing is hidden in the tactical game */
        .side = c->side,
        .taken = c->turn.taken,
        .budget = {.clock = run->join->clock,
                   .stop = run->join->stop,
                   .deadline_ns = time.limit_ns > 0 ? now + time.share_ns : 0},
        .time = time,
        .rng = &run->rng,
        .history = history,
    };
}

static enum tubstap_end decide(struct run *run, struct err *e) {
    struct tubstap_client *c = run->client;
    const struct tubstap_join *join = run->join;
    const struct record_line line = {.record = &c->record, .count = c->record.count};
    const struct game_history history = record_history(&line, c->scenario);
    const int64_t start = clock_now_ns(join->clock);
    struct ask ask;
    struct answer answer;
    fill_ask(run, start, &history, &ask);
    player_choose(run->player, &ask, &answer);
    if (budget_is_stopped(join->stop)) {
        err_set(e, "stopped");
        return TUBSTAP_END_STOPPED;
    }
    if (answer.fault != PLAYER_FAULT_NONE) {
        err_set(e, "%s: %s", join->player, answer.reason);
        return TUBSTAP_END_FAILED;
    }
    if (!tubstap_client_decide(c, answer.chosen, &run->answer, e)) {
        err_prefix(e, "%s: ", join->player);
        return TUBSTAP_END_FAILED;
    }
    timing_spend(&run->clocks, &run->timing, c->side, clock_now_ns(join->clock) - start, c->turn.taken == 0);
    return TUBSTAP_END_OVER;
}

static enum tubstap_end send_answer(struct run *run, struct err *e) {
    const struct tubstap_join *join = run->join;
    const struct link_wait wait = {join->clock, clock_now_ns(join->clock) + SENDING_NS, join->stop};
    const bool sent = link_send(run->link, text_string(&run->answer), run->answer.size, &wait, e);
    text_clear(&run->answer);
    /* A peer may disconnect after the last action. */
    return sent || tubstap_client_is_over(run->client) ? TUBSTAP_END_OVER
           : budget_is_stopped(join->stop)             ? TUBSTAP_END_STOPPED
                                                       : TUBSTAP_END_CLOSED;
}

/* One line of the server; TUBSTAP_END_OVER when it was dealt with. */
static enum tubstap_end take_line(struct run *run, const char *line, struct err *e) {
    enum tubstap_end end = TUBSTAP_END_OVER;
    switch (tubstap_client_take(run->client, line, &run->answer, e)) {
    case TUBSTAP_NOTHING: return TUBSTAP_END_OVER;
    case TUBSTAP_FAILED: return TUBSTAP_END_FAILED;
    case TUBSTAP_ASKED: end = decide(run, e); break;
    case TUBSTAP_ANSWERED: end = open_player(run, e) ? TUBSTAP_END_OVER : TUBSTAP_END_FAILED; break;
    }
    return end == TUBSTAP_END_OVER ? send_answer(run, e) : end;
}

/* The server sends nothing more: finds the reason. */
static enum tubstap_end explain_silence(struct run *run, enum link_event event, struct err *e) {
    const struct tubstap_client *c = run->client;
    char reason[200];
    if (event == LINK_STOPPED) {
        err_set(e, "stopped");
        return TUBSTAP_END_STOPPED;
    }
    if (event == LINK_SHORTAGE) {
        err_set(e, "this machine cannot talk to the server: %s", strerror(errno));
        return TUBSTAP_END_FAILED;
    }
    if (event == LINK_TOO_LONG) {
        err_set(e, "a line of more than %d bytes from the server", LINK_LINE_MAX);
        return TUBSTAP_END_FAILED;
    }
    if (tubstap_client_is_over(c))
        return TUBSTAP_END_OVER;
    link_describe_end(run->link, reason, sizeof reason);
    const int turns = tubstap_client_has_begun(c) ? c->scenario->game->turn(c->state) : 0;
    if (tubstap_client_has_begun(c))
        err_set(e, "%s in the middle of the game, after %d turn%s; %s", reason, turns, turns == 1 ? "" : "s",
                c->told_over ? "the server said that it is over" : "why, the server did not say");
    else
        err_set(e, "%s before the game began", reason);
    return TUBSTAP_END_CLOSED;
}

static enum tubstap_end converse(struct run *run, struct err *e) {
    const struct tubstap_join *join = run->join;
    for (;;) {
        const char *line;
        const bool over = tubstap_client_is_over(run->client);
        const struct link_wait wait = {join->clock, over ? clock_now_ns(join->clock) + GOODBYE_NS : 0,
                                       join->stop};
        const enum link_event event = link_receive(run->link, &wait, &line);
        if (event != LINK_LINE)
            return explain_silence(run, event, e);
        const enum tubstap_end end = take_line(run, line, e);
        if (end != TUBSTAP_END_OVER)
            return end;
    }
}

enum tubstap_end tubstap_client_run(struct tubstap_client *client, struct link *link,
                                    const struct tubstap_join *join, struct err *e) {
    struct run run = {.client = client, .link = link, .join = join};
    params_default(timing_params, &run.timing);
    run.timing.turn_s = join->turn_seconds;
    run.timing.grace_s = 0;
    client->record.seed = join->seed;
    const enum tubstap_end end = converse(&run, e);
    player_close(run.player);
    text_done(&run.answer);
    return end;
}
