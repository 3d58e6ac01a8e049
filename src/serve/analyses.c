/* SPDX-License-Identifier: MIT
 *
 * Positions and analyses, /api/positions and /api/analyses. An analysis is one background task: a player
 * thinks about a position, or the position is solved exactly, while readers follow its topic.
 *
 * The task reads the request without the lock, because the request never changes. It changes the findings
 * with the workbench's lock held, because handlers show them at any time. Finished analyses stay in memory
 * for pages that are loaded again; they are never written to the disk.
 */
#include "base/mem.h"
#include "net/message.h"
#include "player/player.h"
#include "search/solve.h"
#include "serve/inside.h"

#include <assert.h>
#include <string.h>

enum { RUNNING_MAX = 8, FINISHED_MAX = 64 }; /* analyses; the finished ones are stored */
enum { TOP_DEFAULT = 10, TOP_MAX = 4096 };   /* finished analyses keep all candidates in memory */
enum { MS = 1000000, TIME_MS_MAX = 3600000, SOLVE_MS_DEFAULT = 60000 };
enum { EVENTS_MAX = 64, BYTES_MAX = 4 << 20 }; /* of a topic */
enum { ANALYSIS_WATCH_NS = 200000000, ANALYSIS_SOLVE_MB = 256 };
enum { ANALYSIS_TURN_MAX = 256 }; /* actions of one turn */

enum analysis_state { ANALYSIS_RUNNING, ANALYSIS_DONE, ANALYSIS_STOPPED, ANALYSIS_FAILED, ANALYSIS_STATES };

/* The members of a request. */
struct analysis_request {
    const json_t *source; /* borrowed: valid until the request is answered */
    const char *player;   /* likewise */
    int solves;           /* index of "kind" */
    int sims, time_ms;    /* 0: no limit */
    int top;              /* candidates to show */
    uint64_t seed;
};

#define AT(field) offsetof(struct analysis_request, field)

const struct param analysis_params[] = {
    {"source", PARAM_JSON, AT(source), .help = "the position"},
    {"kind", PARAM_CHOICE, AT(solves), .choices = "think|solve", .help = "by a player, or exactly"},
    {"player", PARAM_STRING, AT(player), .help = "a spec; not read for solve"},
    {"sims", PARAM_INT, AT(sims), 1, 1000000000, 0, .help = "limit of work"},
    {"time_ms", PARAM_INT, AT(time_ms), 1, TIME_MS_MAX, 0, .help = "limit of time"},
    {PARAM_SEED_ROW(AT(seed))},
    {"top", PARAM_INT, AT(top), 1, TOP_MAX, TOP_DEFAULT, .help = "candidates"},
    {0},
};

/* What the task finds at the end; owned. NULL: none, or not yet. */
struct analysis_result {
    json_t *chosen, *turn, *solution;
};

struct analysis {
    struct workbench *bench;
    char id[SERVE_ID_MAX];
    struct analysis *next; /* in the list, newest first */
    int holders;           /* the list, the task */

    /* the request; constant */
    struct start_position position; /* a side is to move */
    int side;                       /* to move, whose view is shown */
    bool solves;                    /* exactly, in place of a player */
    struct text player;             /* canonical spec; "solve" */
    struct analysis_request request;

    /* shared by all threads */
    atomic_bool stop;
    struct topic *topic;

    /* findings so far; guarded by the lock */
    enum analysis_state state;
    struct err error;
    json_t *thoughts; /* the newest; NULL: none yet */
    struct analysis_result result;
};

static const char *const state_names[ANALYSIS_STATES] = {"running", "done", "stopped", "failed"};

/* Publishes thoughts to the readers; takes ownership of them. Takes the lock itself. */
static void publish_thoughts(struct analysis *a, json_t *thoughts) {
    char *text = json_dumps(thoughts, JSON_COMPACT);
    workbench_lock(a->bench);
    json_decref(a->thoughts);
    a->thoughts = thoughts;
    topic_set(a->topic, "thoughts", 0, text);
    workbench_unlock(a->bench);
    mem_free(text);
}

/* The work of a task, of either kind. It belongs to the task's thread. */
struct thinking {
    struct analysis *analysis;
    struct player *player;  /* NULL: it is solved */
    struct rng rng, chance; /* the player's random numbers, and the game's own */
    int64_t start_ns;       /* of the current decision */
    struct thoughts thoughts;
    struct answer answer;
    struct solution solution;
    int count; /* actions of the turn so far */
    action turn[ANALYSIS_TURN_MAX];
    _Alignas(16) unsigned char state[GAME_STATE_MAX]; /* after them */
    _Alignas(16) unsigned char view[GAME_STATE_MAX];  /* the player's view at the start */
};

/* Thoughts are shown for the first decision only, in the view at its start. */
static json_t *show_thoughts(const struct thinking *t, const struct thoughts *thoughts, int top) {
    const struct analysis *a = t->analysis;
    const struct json_view_thoughts of = {thoughts, text_string(&a->player),
                                          clock_seconds_since(a->bench->setup.clock, t->start_ns), top};
    return json_view_thoughts(a->position.scenario, t->view, &of);
}

/* Only the best candidates are published while the player thinks: writing thousands of them, five times a
 * second, would take all of its time. The solver has no candidates until it ends, but it reports its depth.
 */
static void watch_thoughts(void *context, const struct thoughts *so_far) {
    const struct thinking *t = context;
    const int top = t->analysis->request.top;
    publish_thoughts(t->analysis, show_thoughts(t, so_far, top < THOUGHTS_MAX ? top : THOUGHTS_MAX));
}

/* The request's limits, for each decision anew, so that a turn may take longer. `stop` ends one early. */
static struct budget budget_of(const struct analysis *a) {
    return (struct budget){.work_max = (uint64_t)a->request.sims,
                           .time_ns_max = (int64_t)a->request.time_ms * MS,
                           .clock = a->bench->setup.clock,
                           .stop = &a->stop};
}

/* ---- a player's thinking ---- */

/* One decision, for the state after the actions of the turn so far. */
static bool decide(struct thinking *t, const struct watch *watch, struct err *e) {
    const struct analysis *a = t->analysis;
    const struct start_position *position = &a->position;
    const struct game *game = position->scenario->game;
    const struct record_line line = {&position->record, position->replay.next, t->turn, t->count};
    const struct game_history history = record_history(&line, position->scenario);
    const struct ask ask = {
        .game = game,
        .view = t->state,
        .taken = position->replay.turn.taken + t->count,
        .budget = budget_of(a),
        .rng = &t->rng,
        .history = position->placed && game_is_determined(game) ? NULL : &history,
        .thoughts = &t->thoughts,
        .watch = watch,
    };
    t->start_ns = clock_now_ns(a->bench->setup.clock);
    player_choose_in(t->player, &ask, &t->answer);
    if (t->answer.fault != PLAYER_FAULT_NONE)
        return err_set(e, "%s: %s", text_string(&a->player), t->answer.reason);
    return game->is_legal(t->state, t->answer.chosen) ||
           err_set(e, "%s chose an action that the rules forbid", text_string(&a->player));
}

/* Plays the chosen action and appends it to the turn. */
static void take(struct thinking *t, json_t *turn) {
    assert(t->count < ANALYSIS_TURN_MAX);
    const struct scenario *scenario = t->analysis->position.scenario;
    const enum json_viewer viewer = (enum json_viewer)t->analysis->side;
    const action chosen = t->answer.chosen;
    json_t *action_text = json_view_action(scenario, t->state, chosen, viewer);
    json_t *did = json_view_played(scenario, t->state, chosen, viewer);
    t->turn[t->count++] = chosen;
    scenario->game->play(t->state, chosen, &t->chance);
    json_array_append_new(turn, json_pack("{so so so}", "action", action_text, "did", did, "state",
                                          json_view_state(scenario, t->state, viewer)));
}

/* Decides on the whole turn. In a position with unknown parts the result of an action is unknown, too: there
 * only the first action is chosen. */
static bool think(struct thinking *t, struct analysis_result *out, struct err *e) {
    struct analysis *a = t->analysis;
    const struct start_position *position = &a->position;
    const struct game *game = position->scenario->game;
    const struct watch watch = {watch_thoughts, t, ANALYSIS_WATCH_NS};
    thoughts_widen(&t->thoughts, a->request.top < game->actions_max ? a->request.top : game->actions_max);
    t->chance = position->replay.rng;
    /* The seat's stream: from a map's start this gives the turn of a game with this seed. */
    rng_seed_stream(&t->rng, a->request.seed, (uint64_t)(RECORD_STREAM_SEAT + a->side));
    t->player = player_open_granted(text_string(&a->player), game, serve_grant(a->bench), e);
    if (t->player == NULL || !decide(t, &watch, e))
        return false;
    publish_thoughts(a, show_thoughts(t, &t->thoughts, a->request.top));
    if (atomic_load(&a->stop))
        return true;
    out->chosen = json_view_action(position->scenario, t->state, t->answer.chosen, (enum json_viewer)a->side);
    out->turn = json_array();
    if (position->partial)
        return true;
    take(t, out->turn);
    while (turn_goes_on(game, t->state, a->side, game->turn(position->replay.state)) &&
           t->count < ANALYSIS_TURN_MAX && !atomic_load(&a->stop)) {
        if (!decide(t, NULL, e))
            return false;
        take(t, out->turn);
    }
    return true;
}

/* ---- exact solutions ----
 *
 * The exact result of a position, or the bounds proved in the given time. */

static bool run_solve(struct thinking *t, struct analysis_result *out, struct err *e) {
    struct analysis *a = t->analysis;
    const struct scenario *scenario = a->position.scenario;
    const struct solution *found = &t->solution;
    const struct watch watch = {watch_thoughts, t, ANALYSIS_WATCH_NS};
    const struct search_task task = {
        .game = scenario->game,
        .root = t->state,
        .budget = budget_of(a),
        .rng = &a->position.replay.rng,
        .thoughts = &t->thoughts,
        .watch = &watch,
    };
    const struct solve_settings settings = {.memory_bytes = (size_t)ANALYSIS_SOLVE_MB << 20};
    t->start_ns = clock_now_ns(a->bench->setup.clock);
    if (!solve(&task, &settings, &t->solution, e))
        return false;
    const char *value = found->low >= 1 ? "win" : found->low > 0 ? "draw" : "loss";
    out->solution = json_pack(
        "{sb si ss? sf sf si si si sI sf so}", "solved", found->solved, "side", a->side, "value",
        found->solved ? value : NULL, "low", found->low, "high", found->high, "turns_low", found->turns_low,
        "turns_high", found->turns_high, "depth", found->depth, "nodes", (json_int_t)found->nodes, "seconds",
        clock_seconds_since(a->bench->setup.clock, t->start_ns), "line",
        json_view_line(scenario, t->state, found->line, found->line_count, JSON_VIEWER_ALL));
    return true;
}

/* ---- all analyses: the list of the workbench, newest first ---- */

/* With the lock, or after the last task. Gives up a hold; the last one frees the analysis. */
static void let_go(struct analysis *a) {
    assert(a->holders > 0);
    if (--a->holders > 0)
        return;
    start_position_done(&a->position);
    text_done(&a->player);
    topic_drop(a->topic);
    json_t *const owned[] = {a->thoughts, a->result.chosen, a->result.turn, a->result.solution};
    for (size_t i = 0; i < sizeof owned / sizeof owned[0]; i++)
        json_decref(owned[i]);
    mem_free(a);
}

/* The oldest of those that are finished go. Running ones never do: their readers wait for the end. */
static void forget_old(struct workbench *bench) {
    int finished = 0;
    for (struct analysis **at = &bench->analyses; *at != NULL;) {
        struct analysis *a = *at;
        finished += a->state != ANALYSIS_RUNNING;
        if (a->state == ANALYSIS_RUNNING || finished <= FINISHED_MAX) {
            at = &a->next;
            continue;
        }
        *at = a->next;
        let_go(a);
    }
}

/* ---- publishing ---- */

static json_t *show(const struct analysis *a) {
    const struct analysis_result *result = &a->result;
    const struct scenario *scenario = a->position.scenario;
    json_t *position = json_view_state(scenario, a->position.replay.state, (enum json_viewer)a->side);
    return json_pack("{ss ss ss ss so so sO? sO? so sO?}", "id", a->id, "kind", a->solves ? "solve" : "think",
                     "state", state_names[a->state], "error", a->error.text, "position", position, "map",
                     json_view_map(scenario), "thoughts", a->thoughts, "chosen", result->chosen, "turn",
                     result->turn != NULL ? json_incref(result->turn) : json_array(), "solution",
                     result->solution);
}

/* Publishes the complete analysis as a snapshot. With the lock. */
static void publish(struct analysis *a) {
    assert(workbench_is_locked(a->bench));
    assert(a->topic != NULL);
    char *text = serve_dump(show(a), 0);
    topic_add(a->topic, "analysis", text, TOPIC_SNAPSHOT);
    mem_free(text);
}

/* With the lock. */
static void finish(struct analysis *a, enum analysis_state state) {
    assert(state != ANALYSIS_RUNNING);
    a->state = state;
    charset_repair(a->error.text);
    publish(a);
    topic_end(a->topic);
}

/* The task. */
static void run(void *context) {
    struct analysis *a = context;
    struct workbench *bench = a->bench;
    const struct game *game = a->position.scenario->game;
    struct analysis_result result = {0};
    struct err e = {""};
    struct thinking *t = mem_alloc(sizeof *t);
    t->analysis = a;
    memcpy(t->state, a->position.replay.state, game->state_size);
    game_view(game, t->state, a->side, t->view);
    const bool ok = a->solves ? run_solve(t, &result, &e) : think(t, &result, &e);
    player_close(t->player);
    thoughts_done(&t->thoughts);
    mem_free(t);
    workbench_lock(bench);
    a->result = result;
    if (!ok)
        a->error = e;
    finish(a, !ok ? ANALYSIS_FAILED : atomic_load(&a->stop) ? ANALYSIS_STOPPED : ANALYSIS_DONE);
    forget_old(bench);
    let_go(a);
    workbench_unlock(bench);
}

/* The task does not run. */
static void drop(void *context) {
    struct workbench *bench = ((struct analysis *)context)->bench;
    workbench_lock(bench);
    let_go(context);
    workbench_unlock(bench);
}

/* ---- a new one ---- */

/* Fills the constant part of the analysis; false after a 400, 403, 404, 409 or 500. */
static bool read_request(struct analysis *out, const json_t *body, struct message_out *failure) {
    struct analysis_request *request = &out->request;
    struct params sections[] = {{.table = analysis_params, .options = request}, {0}};
    params_default(analysis_params, request);
    if (!params_read_json(sections, body, &failure->why))
        return false;
    out->solves = request->solves != 0;
    if (request->time_ms == 0 && out->solves)
        request->time_ms = SOLVE_MS_DEFAULT;
    if (!start_position_load(out->bench, request->source, &out->position, failure))
        return false;
    const struct game *game = out->position.scenario->game;
    out->side = game->mover(out->position.replay.state);
    if (out->side == NOBODY)
        return message_fail_code(failure, 400, "source", "refused.position_over",
                                 "the game is over in this position: %s",
                                 game->text->result(out->position.replay.state));
    if (out->solves) {
        text_add_string(&out->player, "solve");
        return game->hide == NULL ||
               message_fail_code(failure, 400, "kind", "refused.solve_hidden",
                                 "\"solve\" needs a game in which nothing is hidden; in %s something is",
                                 game->name);
    }
    const char *player = request->player != NULL ? request->player : game_offer(game)->adviser;
    return serve_try_player(out->bench, player, game, &out->player, &failure->why) ||
           err_field(&failure->why, "player");
}

/* Running analyses are limited because each uses a processor for as long as its limits allow. 201 with the
 * id; the findings come with GET, or with the stream. 429 when too many run. The task waits for the lock,
 * which the caller holds. */
static bool create(const struct call *call, struct message_out *out) {
    struct workbench *bench = call->bench;
    int running = 0;
    for (const struct analysis *a = bench->analyses; a != NULL; a = a->next)
        running += a->state == ANALYSIS_RUNNING;
    if (running >= RUNNING_MAX)
        return message_fail_code(out, 429, NULL, "refused.analyses",
                                 "%d analyses are under way, which is the limit; stop one of them first",
                                 RUNNING_MAX);
    struct analysis *a = mem_alloc(sizeof *a);
    a->bench = bench;
    a->holders = 1;
    if (!read_request(a, call->body, out)) {
        let_go(a);
        return false;
    }
    const struct task task = {run, drop, a};
    serve_new_id(bench, a->id);
    a->topic = topic_open(&(struct topic_limits){EVENTS_MAX, BYTES_MAX});
    publish(a);
    if (!task_pool_start(bench->task_pool, &task, &out->why)) {
        let_go(a);
        return message_fail_err(out, 429, NULL, &out->why);
    }
    a->holders = 2; /* the list, the task */
    a->next = bench->analyses;
    bench->analyses = a;
    return message_json(out, 201, json_pack("{ss}", "id", a->id));
}

/* ---- those there are ---- */

/* The oldest finished ones are forgotten, so an id that was valid may be gone. */
bool analyses_find_call(struct call *call, struct message_out *out) {
    call->analysis = call->bench->analyses;
    while (call->analysis != NULL && strcmp(call->analysis->id, call->parts[0]) != 0)
        call->analysis = call->analysis->next;
    return call->analysis != NULL ||
           message_fail_code(out, 404, NULL, "refused.no_analysis", "there is no analysis '%.64s' (any more)",
                             call->parts[0]);
}

static bool get(const struct call *call, struct message_out *out) {
    return message_json(out, 200, show(call->analysis));
}

static bool follow(const struct call *call, struct message_out *out) {
    return serve_stream(out, topic_hold(call->analysis->topic));
}

/* 204 in any case: stopping one that has ended changes nothing. In an idle workbench it is finished here,
 * because its task will never run. */
static bool stop(const struct call *call, struct message_out *out) {
    struct analysis *a = call->analysis;
    atomic_store(&a->stop, true);
    if (call->bench->is_idle && a->state == ANALYSIS_RUNNING)
        finish(a, ANALYSIS_STOPPED);
    forget_old(call->bench);
    return serve_done(out, 204);
}

/* ---- positions ---- */

enum { PLAYED_MAX = 512 }; /* actions in one request */

/* The position is complete or a view already (start_position_load): nothing more is hidden. */
static json_t *position_json(const struct start_position *p) {
    return json_pack("{so so so}", "state", json_view_state(p->scenario, p->replay.state, JSON_VIEWER_ALL),
                     "map", json_view_map(p->scenario), "actions",
                     json_view_actions(p->scenario, p->replay.state));
}

/* Plays one action and appends its step; false after the answer was written. */
static bool play_one(struct start_position *p, const json_t *given, json_t *steps, struct message_out *out) {
    const struct game *game = p->scenario->game;
    const char *text = json_string_value(given);
    _Alignas(16) unsigned char before[GAME_STATE_MAX];
    action a;
    const int number = (int)json_array_size(steps) + 1;
    if (text == NULL || game->mover(p->replay.state) == NOBODY)
        return message_fail(out, 400, "actions",
                            text == NULL ? "action %d is no text" : "action %d: the game is over", number);
    if (!game->text->read_action(p->replay.state, text, &a, &out->why))
        return message_fail(out, 400, "actions", "action %d: %s", number, out->why.text);
    memcpy(before, p->replay.state, game->state_size);
    game->play(p->replay.state, a, &p->replay.rng);
    p->replay.next++;
    json_array_append_new(steps, json_pack("{si si so so so sn sn sn}", "ply", p->replay.next, "side",
                                           game->mover(before), "action",
                                           json_view_action(p->scenario, before, a, JSON_VIEWER_ALL), "did",
                                           json_view_played(p->scenario, before, a, JSON_VIEWER_ALL), "state",
                                           json_view_state(p->scenario, p->replay.state, JSON_VIEWER_ALL),
                                           "ms", "chance", "thoughts"));
    return true;
}

/* 200 with the state, the map and the legal actions. */
static bool show_position(const struct call *call, struct message_out *out) {
    struct start_position position;
    const bool ok = start_position_load(call->bench, call->body, &position, out) &&
                    message_json(out, 200, position_json(&position));
    start_position_done(&position);
    return ok;
}

/* Plays actions from a position and shows each step. Nothing is stored. */
static bool play_position(const struct call *call, struct message_out *out) {
    const json_t *actions = json_object_get(call->body, "actions");
    struct start_position p;
    json_t *steps = json_array();
    bool ok = start_position_load(call->bench, json_object_get(call->body, "source"), &p, out);
    if (ok && (!json_is_array(actions) || json_array_size(actions) > PLAYED_MAX))
        ok = message_fail(out, 400, "actions", "\"actions\": expected a list of at most %d actions' texts",
                          PLAYED_MAX);
    else if (ok && p.partial)
        ok = message_fail_code(out, 400, "source", "refused.unknown_parts",
                               "something is unknown in this position, so that nothing can be played in it");
    for (size_t i = 0; ok && i < json_array_size(actions); i++)
        ok = play_one(&p, json_array_get(actions, i), steps, out);
    if (ok)
        message_json(out, 200, serve_join(position_json(&p), json_pack("{sO}", "steps", steps)));
    json_decref(steps);
    start_position_done(&p);
    return ok;
}

const struct route analysis_routes[] = {
    {MESSAGE_POST, "/api/positions", show_position},
    {MESSAGE_POST, "/api/positions/play", play_position, "source actions"},
    {MESSAGE_POST, "/api/analyses", create},
    {MESSAGE_GET, "/api/analyses/*", get},
    {MESSAGE_DELETE, "/api/analyses/*", stop},
    {MESSAGE_GET, "/api/analyses/*/events", follow},
    {MESSAGE_GET, NULL, NULL},
};

/* ---- closing ---- */

void analyses_stop(struct workbench *bench) {
    for (struct analysis *a = bench->analyses; a != NULL; a = a->next)
        atomic_store(&a->stop, true);
}

void analyses_close(struct workbench *bench) {
    for (struct analysis *a = bench->analyses; a != NULL; a = bench->analyses) {
        bench->analyses = a->next;
        let_go(a);
    }
}
