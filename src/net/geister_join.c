/* SPDX-License-Identifier: MIT */
#include "net/geister_join.h"

#include "base/mem.h"
#include "link/link.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#define NS_PER_S   INT64_C(1000000000)
#define TRY_NS     (10 * NS_PER_S) /* for one connection */
#define SENDING_NS (10 * NS_PER_S)
#define LONG_NS    NS_PER_S       /* so long a connection stands only where somebody serves */
#define VERDICT_NS (2 * NS_PER_S) /* after NG: the official server says at once that the game is lost */

/* Rests between two tries grow from the first to the last. */
enum { REST_FIRST_MS = 20, REST_LAST_MS = 1000, REST_SLICE_MS = 20 };

struct run {
    const struct geister_join *join;
    int index;
    struct geister_client client;
    struct link *link;
    struct player *player;
    struct rng rng;
    struct timing_clocks clocks;
    double longest_ms;
    int64_t
        connected_ns; /* since when this try has a connection that is good for something; 0: it has none */
    bool is_refused;  /* the server's verdict on a refused move is waited for */
};

static int64_t now(const struct run *run) {
    return clock_now_ns(run->join->clock);
}

static int64_t to_ns(double seconds) {
    return (int64_t)(seconds * 1e9);
}

static void tell(const struct run *run, enum geister_join_event event, const char *words) {
    if (run->join->on_event != NULL)
        run->join->on_event(run->join->context, run->index, event, words);
}

static enum geister_join_end stopped(struct err *e) {
    err_set(e, "stopped");
    return GEISTER_JOIN_STOPPED;
}

static enum geister_join_end short_of(struct err *e) {
    err_set(e, "this machine cannot talk to the server: %s", strerror(errno));
    return GEISTER_JOIN_FAILED;
}

/* ---- connecting ---- */

static void rest(const struct run *run, int *ms) {
    for (int left = *ms; left > 0 && !budget_is_stopped(run->join->stop); left -= REST_SLICE_MS)
        poll(NULL, 0, left < REST_SLICE_MS ? left : REST_SLICE_MS);
    *ms = *ms * 2 < REST_LAST_MS ? *ms * 2 : REST_LAST_MS;
}

static enum geister_join_end take_greeting(struct run *run, const char *line, struct err *e) {
    const enum geister_step step = geister_client_take(&run->client, line, e);
    if (run->client.wants == GEISTER_WANTS_REDS)
        return GEISTER_JOIN_OVER;
    if (step != GEISTER_STEP_FAILED)
        err_set(e, "'%.60s' from the server", line); /* a line of the protocol, so that it can be shown */
    err_prefix(e, "no SET? at the beginning: ");
    return GEISTER_JOIN_FAILED;
}

/* A connection on which the server has said SET?, so that it is a game's. */
static enum geister_join_end greet(struct run *run, struct err *e) {
    const struct geister_join *join = run->join;
    const struct link_wait connecting = {join->clock, now(run) + TRY_NS, join->stop};
    const char *line;
    run->link = link_connect(join->host, join->port, &connecting, e);
    if (run->link == NULL)
        return budget_is_stopped(join->stop) ? stopped(e) : GEISTER_JOIN_BROKEN;
    run->connected_ns = now(run);
    tell(run, GEISTER_JOIN_CONNECTED, "");
    const struct link_wait wait = {join->clock, join->silence_s > 0 ? now(run) + to_ns(join->silence_s) : 0,
                                   join->stop};
    switch (link_receive(run->link, &wait, &line)) {
    case LINK_LINE: return take_greeting(run, line, e);
    case LINK_STOPPED: return stopped(e);
    case LINK_SHORTAGE: return short_of(e);
    case LINK_TIME:
        run->connected_ns = 0; /* nobody to wait for */
        err_set(e, "%s:%d says nothing; expected SET? within %g seconds", join->host, join->port,
                join->silence_s);
        return GEISTER_JOIN_BROKEN;
    case LINK_TOO_LONG:
        err_set(e, "%s:%d: a line of more than %d bytes; expected SET?", join->host, join->port,
                LINK_LINE_MAX);
        return GEISTER_JOIN_FAILED;
    case LINK_ENDED: break;
    }
    err_set(e, "%s:%d closed the connection before SET?", join->host, join->port);
    return GEISTER_JOIN_BROKEN;
}

static void start_client(struct run *run) {
    const struct geister_join *join = run->join;
    geister_client_init(&run->client, join->scenario, join->side, join->player);
    run->client.record.seed = rng_job_seed(join->seed, (uint64_t)run->index);
}

static void hang_up(struct run *run) {
    link_close(run->link, 0);
    run->link = NULL;
}

/* ---- deciding ---- */

static void fill_ask(struct run *run, int64_t start, const struct geister *view, struct ask *out) {
    const struct geister_join *join = run->join;
    const struct ask_time time = timing_allow(&run->clocks, &join->timing, run->client.side, 1);
    *out = (struct ask){
        .game = join->scenario->game,
        .view = view,
        .side = run->client.side,
        .budget = {.clock = join->clock,
                   .stop = join->stop,
                   .deadline_ns = time.limit_ns > 0 ? start + time.share_ns : 0},
        .time = time,
        .rng = &run->rng,
    };
}

/* Asks the player; what it says is what is sent. */
static enum geister_join_end decide(struct run *run, char line[GEISTER_ANSWER_MAX], struct err *e) {
    const struct geister_join *join = run->join;
    struct geister_client *c = &run->client;
    const struct record_line past = {.record = &c->record, .count = c->record.count};
    const struct game_history history = record_history(&past, join->scenario);
    const int64_t start = now(run);
    struct geister view;
    struct ask ask;
    struct answer answer;
    geister_client_view(c, &view);
    fill_ask(run, start, &view, &ask);
    ask.history = &history;
    player_choose(run->player, &ask, &answer);
    const int64_t spent = now(run) - start;
    if (budget_is_stopped(join->stop))
        return stopped(e);
    if (answer.fault != PLAYER_FAULT_NONE) {
        err_set(e, "%s: %s", join->player, answer.reason);
        return GEISTER_JOIN_FAILED;
    }
    if (c->wants == GEISTER_WANTS_MOVE) /* nobody is charged for choosing reds */
        timing_spend(&run->clocks, &join->timing, c->side, spent, true);
    if (!geister_client_decide(c, answer.chosen, (double)spent * 1e-6, line, e)) {
        err_prefix(e, "%s: ", join->player);
        return GEISTER_JOIN_FAILED;
    }
    run->longest_ms = (double)spent * 1e-6 > run->longest_ms ? (double)spent * 1e-6 : run->longest_ms;
    return GEISTER_JOIN_OVER;
}

/* A server that does not take it has left, and its last words may still be there: receiving shows it. */
static void send_line(struct run *run, const char *line) {
    const struct link_wait wait = {run->join->clock, now(run) + SENDING_NS, run->join->stop};
    link_send(run->link, line, strlen(line), &wait, NULL);
}

static enum geister_join_end answer_server(struct run *run, struct err *e) {
    char line[GEISTER_ANSWER_MAX];
    const bool is_first = !run->client.begun;
    const enum geister_join_end end = decide(run, line, e);
    if (end != GEISTER_JOIN_OVER)
        return end;
    send_line(run, line);
    if (is_first)
        tell(run, GEISTER_JOIN_WAITING, "");
    return GEISTER_JOIN_OVER;
}

/* Our move was NG and nothing follows: a server that lets us try again. */
static bool try_another(struct run *run, struct err *e) {
    char line[GEISTER_ANSWER_MAX];
    run->is_refused = false;
    if (!geister_client_again(&run->client, line))
        return err_set(e, "the server refuses every move");
    send_line(run, line);
    return true;
}

/* ---- a game ---- */

static enum geister_join_end explain_silence(struct run *run, enum link_event event, struct err *e) {
    const struct geister_client *c = &run->client;
    if (event == LINK_STOPPED)
        return stopped(e);
    if (event == LINK_SHORTAGE)
        return short_of(e);
    if (event == LINK_TOO_LONG)
        err_set(e, "a line of more than %d bytes from the server", LINK_LINE_MAX);
    else if (event == LINK_TIME) {
        run->connected_ns = 0;
        err_set(e, "the server has said nothing for %g seconds, after %d moves", run->join->silence_s,
                (int)c->state.ply);
    } else if (c->begun)
        err_set(e, "the server closed the connection in the middle of the game, after %d moves",
                (int)c->state.ply);
    else
        err_set(e, "the server closed the connection before the game began");
    return GEISTER_JOIN_BROKEN;
}

/* One line of the server; *over when it was the last. */
static enum geister_join_end take_line(struct run *run, const char *line, bool *over, struct err *e) {
    const bool had_begun = run->client.begun;
    const enum geister_step step = geister_client_take(&run->client, line, e);
    run->is_refused = step == GEISTER_STEP_REFUSED;
    if (!had_begun && run->client.begun)
        tell(run, GEISTER_JOIN_PLAYING, "");
    if (run->is_refused)
        tell(run, GEISTER_JOIN_REFUSED, run->client.first.text);
    *over = step == GEISTER_STEP_OVER;
    return step == GEISTER_STEP_FAILED ? GEISTER_JOIN_BROKEN : GEISTER_JOIN_OVER;
}

/* From SET? to the end. */
static enum geister_join_end converse(struct run *run, struct err *e) {
    const struct geister_join *join = run->join;
    const double patience = join->silence_s;
    for (bool over = false; !over;) {
        const char *line;
        enum geister_join_end end = GEISTER_JOIN_OVER;
        if (run->client.wants != GEISTER_WANTS_NOTHING)
            end = answer_server(run, e);
        if (end != GEISTER_JOIN_OVER)
            return end;
        const struct link_wait wait = {join->clock,
                                       run->is_refused ? now(run) + VERDICT_NS
                                       : patience > 0  ? now(run) + to_ns(patience)
                                                       : 0,
                                       join->stop};
        const enum link_event event = link_receive(run->link, &wait, &line);
        if (event == LINK_LINE)
            end = take_line(run, line, &over, e);
        else if (event == LINK_TIME && run->is_refused)
            end = try_another(run, e) ? GEISTER_JOIN_OVER : GEISTER_JOIN_BROKEN;
        else
            end = explain_silence(run, event, e);
        if (end != GEISTER_JOIN_OVER)
            return end;
    }
    return GEISTER_JOIN_OVER;
}

/* How long this try had a connection. */
static int64_t time_connected(const struct run *run) {
    return run->connected_ns != 0 ? now(run) - run->connected_ns : 0;
}

/* Tries until a game has begun or the time for trying is over. Who has a connection waits, for another game's
 * end or for an opponent, and does not try: however long that was, being cut off then is no reason to give
 * up. */
static enum geister_join_end connect_and_play(struct run *run, struct err *e) {
    int64_t until = now(run) + to_ns(run->join->retry_s);
    int rest_ms = REST_FIRST_MS;
    for (;;) {
        run->connected_ns = 0;
        enum geister_join_end end = greet(run, e);
        if (end == GEISTER_JOIN_OVER)
            end = converse(run, e);
        hang_up(run);
        if (end != GEISTER_JOIN_BROKEN || run->client.begun)
            return end;
        const int64_t waited = time_connected(run);
        until += waited;
        if (waited > LONG_NS)
            rest_ms = REST_FIRST_MS;
        if (now(run) >= until)
            return run->client.greeted ? GEISTER_JOIN_BROKEN : GEISTER_JOIN_FAILED;
        tell(run, GEISTER_JOIN_TRYING, e->text);
        rest(run, &rest_ms);
        geister_client_done(&run->client);
        start_client(run);
    }
}

static enum geister_join_end play_game(struct run *run, struct err *e) {
    const struct geister_join *join = run->join;
    run->longest_ms = 0;
    run->is_refused = false;
    start_client(run);
    rng_seed_stream(&run->rng, run->client.record.seed, (uint64_t)(RECORD_STREAM_SEAT + run->client.side));
    timing_start(&run->clocks, &join->timing);
    run->player = player_open_granted(join->player, join->scenario->game, join->grant, e);
    const enum geister_join_end end = run->player != NULL ? connect_and_play(run, e) : GEISTER_JOIN_FAILED;
    player_close(run->player);
    return end;
}

enum geister_join_end geister_join_run(const struct geister_join *join, struct err *e) {
    struct run *run = mem_alloc(sizeof *run);
    enum geister_join_end end = GEISTER_JOIN_FAILED;
    bool goes_on = true;
    if (run == NULL) {
        err_set(e, "not enough memory for a game");
        return end;
    }
    run->join = join;
    for (int i = 0; i < join->games && goes_on; i++) {
        run->index = i;
        end = play_game(run, e);
        if (end != GEISTER_JOIN_OVER)
            geister_client_break_off(&run->client, e->text);
        const struct geister_joined game = {i, end, &run->client, end == GEISTER_JOIN_OVER ? "" : e->text,
                                            run->longest_ms};
        goes_on = (join->on_game == NULL || join->on_game(join->context, &game)) &&
                  (end == GEISTER_JOIN_OVER || end == GEISTER_JOIN_BROKEN);
        geister_client_done(&run->client);
    }
    mem_free(run);
    return end;
}
