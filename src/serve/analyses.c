/* SPDX-License-Identifier: MIT
 *
 * Positions and analyses, /api/positions and /api/analyses. An analysis is one background task: a player
 * thinks about a position, or the position is solved exactly, while readers follow its topic. The request
 * never changes; the task changes the findings with the workbench's lock held.
 */
#include "base/charset.h"
#include "base/mem.h"
#include "game/tbs/tbs.h"
#include "net/message.h"
#include "player/player.h"
#include "search/solve.h"
#include "serve/start_position.h"
#include "serve/json_view.h"

#include <assert.h>
#include <string.h>

enum { RUNNING_MAX = 8, FINISHED_MAX = 64 }; /* analyses; the finished ones are stored */
enum { TOP_DEFAULT = 10, TOP_MAX = 4096 };   /* finished analyses keep all candidates in memory */
enum { MS = 1000000, TIME_MS_MAX = 3600000, SOLVE_MS_DEFAULT = 60000 };
enum { EVENTS_MAX = 64, BYTES_MAX = 4 << 20 }; /* of a topic */
enum { ANALYSIS_WATCH_NS = 200000000, ANALYSIS_SOLVE_MB = 256 };
enum { ANALYSIS_TURN_MAX = 256 }; /* actions of one turn */

enum analysis_kind { ANALYSIS_THINK, ANALYSIS_SOLVE, ANALYSIS_KINDS };
enum analysis_state { ANALYSIS_RUNNING, ANALYSIS_DONE, ANALYSIS_STOPPED, ANALYSIS_FAILED, ANALYSIS_STATES };

struct analysis {
    struct workbench *bench;
    char id[SERVE_ID_MAX];
    struct analysis *next; /* in the list, newest first */
    int holders;           /* the list, the task */

    /* the request; constant */
    enum analysis_kind kind;
    struct start_position position; /* a side is to move */
    int side;
    struct text player; /* canonical spec; empty for ANALYSIS_SOLVE */
    uint64_t sims, seed;
    int64_t time_ns;
    int top;

    /* shared by all threads */
    atomic_bool stop;
    struct topic *topic;

    /* findings so far; guarded by the lock */
    bool begun; /* the task is at work */
    enum analysis_state state;
    struct err error;
    json_t *shown, *map;                         /* the position */
    json_t *thoughts, *chosen, *turn, *solution; /* NULL: not yet */
};

/* The task's work, without the lock: false and a sentence when it failed. They publish thoughts on the way,
 * and leave the rest in `out`. */
struct analysis_result {
    json_t *chosen, *turn, *solution; /* NULL: none */
};

static const char *const kind_names[ANALYSIS_KINDS] = {"think", "solve"};
static const char *const state_names[ANALYSIS_STATES] = {"running", "done", "stopped", "failed"};

/* Publishes thoughts to the readers; takes ownership of them. Takes the lock itself. */
static void publish_thoughts(struct analysis *a, json_t *thoughts) {
    char *text = json_dumps(thoughts, JSON_COMPACT);
    workbench_lock(a->bench);
    json_decref(a->thoughts);
    a->thoughts = thoughts;
    topic_set(a->topic, "thoughts", text);
    workbench_unlock(a->bench);
    free(text);
}

/* ---- a player's thinking ---- */

struct thinking {
    struct analysis *analysis;
    struct player *player;
    struct rng rng, chance;
    int64_t start_ns; /* of the current decision */
    struct thoughts thoughts;
    struct answer answer;
    int count; /* actions of the turn so far */
    action turn[ANALYSIS_TURN_MAX];
    _Alignas(16) unsigned char state[GAME_STATE_MAX]; /* after them */
    _Alignas(16) unsigned char view[GAME_STATE_MAX];  /* the player's view at the start */
};

static json_t *show_thoughts(const struct thinking *t, const struct thoughts *thoughts, int top) {
    const struct analysis *a = t->analysis;
    const struct json_view_thoughts of = {thoughts, text_string(&a->player),
                                          clock_seconds_since(a->bench->setup.clock, t->start_ns), top};
    return json_view_thoughts(a->position.scenario, t->view, &of);
}

/* On the way the best are enough: thousands of them, five times a second, would be all that it does. */
static void watch_thoughts(void *context, const struct thoughts *so_far) {
    const struct thinking *t = context;
    const int top = t->analysis->top;
    publish_thoughts(t->analysis, show_thoughts(t, so_far, top < THOUGHTS_MAX ? top : THOUGHTS_MAX));
}

static bool decide(struct thinking *t, const struct watch *watch, struct err *e) {
    const struct analysis *a = t->analysis;
    const struct start_position *position = &a->position;
    const struct game *game = position->scenario->game;
    const struct record_line line = {&position->record, position->replay.next, t->turn, t->count};
    const struct game_history history = record_history(&line, position->scenario);
    const struct position_ask ask = {
        .game = game,
        .state = t->state,
        .taken = position->replay.turn.taken + t->count,
        .budget = {.work_max = a->sims,
                   .time_ns_max = a->time_ns,
                   .clock = a->bench->setup.clock,
                   .stop = &a->stop},
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
    thoughts_widen(&t->thoughts, a->top < game->actions_max ? a->top : game->actions_max);
    memcpy(t->state, position->replay.state, game->state_size);
    game_view(game, t->state, a->side, t->view);
    t->chance = position->replay.rng;
    /* The seat's stream: from a map's start this gives the turn of a game with this seed. */
    rng_seed_stream(&t->rng, a->seed, (uint64_t)(RECORD_STREAM_SEAT + a->side));
    t->player = player_open_granted(text_string(&a->player), game, serve_grant(a->bench), e);
    if (t->player == NULL || !decide(t, &watch, e))
        return false;
    publish_thoughts(a, show_thoughts(t, &t->thoughts, a->top));
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

struct solving {
    struct analysis *analysis;
    int64_t start_ns;
    struct thoughts thoughts;
    struct solution solution;
};

static double seconds_of(const struct solving *s) {
    return clock_seconds_since(s->analysis->bench->setup.clock, s->start_ns);
}

/* The solver has no candidates until it ends, but it reports its depth. */
static void watch_progress(void *context, const struct thoughts *so_far) {
    const struct solving *s = context;
    const struct start_position *position = &s->analysis->position;
    const struct json_view_thoughts of = {so_far, "solve", seconds_of(s), s->analysis->top};
    publish_thoughts(s->analysis, json_view_thoughts(position->scenario, position->replay.state, &of));
}

static bool run_solve(struct analysis *a, struct analysis_result *out, struct err *e) {
    struct solving *s = mem_alloc(sizeof *s);
    const struct start_position *position = &a->position;
    const struct solution *found = &s->solution;
    const struct clock *clock = a->bench->setup.clock;
    const struct watch watch = {watch_progress, s, ANALYSIS_WATCH_NS};
    const struct search_task task = {
        .game = position->scenario->game,
        .root = position->replay.state,
        .budget = {.work_max = a->sims, .time_ns_max = a->time_ns, .clock = clock, .stop = &a->stop},
        .rng = &a->position.replay.rng,
        .thoughts = &s->thoughts,
        .watch = &watch,
    };
    const struct solve_settings settings = {.memory_bytes = (size_t)ANALYSIS_SOLVE_MB << 20};
    s->analysis = a;
    s->start_ns = clock_now_ns(clock);
    const bool ok = solve(&task, &settings, &s->solution, e);
    const char *value = found->low >= 1 ? "win" : found->low > 0 ? "draw" : "loss";
    if (ok)
        out->solution =
            json_pack("{sb si ss? sf sf si si si sI sf so}", "solved", found->solved, "side", a->side,
                      "value", found->solved ? value : NULL, "low", found->low, "high", found->high,
                      "turns_low", found->turns_low, "turns_high", found->turns_high, "depth", found->depth,
                      "nodes", (json_int_t)found->nodes, "seconds", seconds_of(s), "line",
                      json_view_line(position->scenario, position->replay.state, found->line,
                                     found->line_count, JSON_VIEWER_ALL));
    mem_free(s);
    return ok;
}

/* ---- all analyses ---- */

struct analyses {
    struct workbench *bench;
    struct analysis *newest;
};

/* With the lock. */
static void let_go(struct analysis *a) {
    assert(a->holders > 0);
    if (--a->holders > 0)
        return;
    start_position_done(&a->position);
    text_done(&a->player);
    topic_drop(a->topic);
    json_t *const owned[] = {a->shown, a->map, a->thoughts, a->chosen, a->turn, a->solution};
    for (size_t i = 0; i < sizeof owned / sizeof owned[0]; i++)
        json_decref(owned[i]);
    mem_free(a);
}

/* The oldest of those that are finished go. */
static void forget_old(struct analyses *analyses) {
    int finished = 0;
    for (struct analysis **at = &analyses->newest; *at != NULL;) {
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
    return json_pack("{ss ss ss ss sO? sO? sO? sO? so sO?}", "id", a->id, "kind", kind_names[a->kind],
                     "state", state_names[a->state], "error", a->error.text, "position", a->shown, "map",
                     a->map, "thoughts", a->thoughts, "chosen", a->chosen, "turn",
                     a->turn != NULL ? json_incref(a->turn) : json_array(), "solution", a->solution);
}

/* Publishes the complete analysis as a snapshot. With the lock. */
static void publish(struct analysis *a) {
    assert(workbench_is_locked(a->bench));
    assert(a->topic != NULL);
    char *text = serve_dump(show(a), 0);
    topic_add(a->topic, "analysis", text, true);
    free(text);
}

/* With the lock. */
static void finish(struct analysis *a, enum analysis_state state) {
    assert(state != ANALYSIS_RUNNING);
    a->state = state;
    charset_mend(a->error.text);
    publish(a);
    topic_end(a->topic);
}

/* The task. */
static void run(void *context) {
    struct analysis *a = context;
    struct workbench *bench = a->bench;
    struct analysis_result result = {0};
    struct err e = {""};
    workbench_lock(bench);
    a->begun = a->state == ANALYSIS_RUNNING;
    if (a->begun) {
        workbench_unlock(bench);
        struct thinking *t = mem_alloc(sizeof *t);
        t->analysis = a;
        const bool ok = a->kind == ANALYSIS_SOLVE ? run_solve(a, &result, &e) : think(t, &result, &e);
        player_close(t->player);
        thoughts_done(&t->thoughts);
        mem_free(t);
        workbench_lock(bench);
        a->chosen = result.chosen;
        a->turn = result.turn;
        a->solution = result.solution;
        if (!ok)
            a->error = e;
        finish(a, !ok ? ANALYSIS_FAILED : atomic_load(&a->stop) ? ANALYSIS_STOPPED : ANALYSIS_DONE);
        forget_old(bench->analyses);
    }
    let_go(a);
    workbench_unlock(bench);
}

static void drop(void *context) {
    struct analysis *a = context;
    struct workbench *bench = a->bench;
    workbench_lock(bench);
    let_go(a);
    workbench_unlock(bench);
}

/* ---- a new one ---- */

struct analysis_request {
    const json_t *source;
    const char *kind;
    const json_t *player;
    int sims, time_ms; /* 0: not given */
    int top;
    uint64_t seed;
};

#define AT(field) offsetof(struct analysis_request, field)

static const struct param analysis_params[] = {
    {"source", PARAM_JSON, AT(source), .help = "the position"},
    {"kind", PARAM_STRING, AT(kind), .choices = "think", .help = "think or solve"},
    {"player", PARAM_JSON, AT(player), .help = "a spec; not read for solve"},
    {"sims", PARAM_INT, AT(sims), 1, 1000000000, 0, .help = "limit of work"},
    {"time_ms", PARAM_INT, AT(time_ms), 1, TIME_MS_MAX, 0, .help = "limit of time"},
    {"seed", PARAM_U64, AT(seed), .fallback = 1, .help = "everything random follows from it"},
    {"top", PARAM_INT, AT(top), 1, TOP_MAX, TOP_DEFAULT, .help = "candidates"},
    {0},
};

#undef AT

static bool read_request(struct workbench *bench, const json_t *body, struct analysis *out,
                         struct message_out *failure) {
    struct analysis_request request;
    struct params sections[] = {{.table = analysis_params, .options = &request}, {0}};
    struct err e;
    params_default(analysis_params, &request);
    if (!serve_read(body, sections, failure))
        return false;
    int kind = 0;
    while (kind < ANALYSIS_KINDS && strcmp(kind_names[kind], request.kind) != 0)
        kind++;
    if (kind == ANALYSIS_KINDS)
        return message_fail(failure, 400, "kind", "\"kind\": expected \"think\" or \"solve\"");
    out->kind = (enum analysis_kind)kind;
    if (request.time_ms == 0 && kind == ANALYSIS_SOLVE)
        request.time_ms = SOLVE_MS_DEFAULT;
    out->time_ns = (int64_t)request.time_ms * MS;
    out->sims = (uint64_t)request.sims;
    out->top = request.top;
    out->seed = request.seed;
    if (!start_position_load(bench, request.source, &out->position, failure))
        return false;
    const struct game *game = out->position.scenario->game;
    out->side = game->mover(out->position.replay.state);
    if (out->side == NOBODY)
        return message_fail(failure, 400, "source", "the game is over in this position: %s",
                            game->text->result(out->position.replay.state));
    if (kind == ANALYSIS_SOLVE)
        return game->hide == NULL ||
               message_fail(failure, 400, "kind",
                            "\"solve\" needs a game in which nothing is hidden; in %s something is",
                            game->name);
    if (request.player != NULL && !json_is_string(request.player))
        return message_fail(failure, 400, "player", "\"player\" is no text");
    const char *player =
        request.player != NULL ? json_string_value(request.player) : game_offer(game)->adviser;
    return serve_try_player(bench, player, game, &out->player, &e) ||
           message_fail_err(failure, 400, "player", &e);
}

/* The task waits for the lock, which the caller holds. */
static bool start(struct workbench *bench, struct analysis *a, struct message_out *out) {
    const struct task task = {run, drop, a, bench->analyses};
    struct err e;
    serve_new_id(bench, a->id);
    a->topic = topic_open(&(struct topic_limits){EVENTS_MAX, BYTES_MAX});
    a->shown = json_view_state(a->position.scenario, a->position.replay.state, (enum json_viewer)a->side);
    a->map = json_view_map(a->position.scenario);
    publish(a);
    a->holders++;
    if (!task_pool_start(bench->task_pool, &task, &e)) {
        a->holders--;
        return message_fail_err(out, 429, NULL, &e);
    }
    a->holders++;
    a->next = bench->analyses->newest;
    bench->analyses->newest = a;
    return serve_answer(out, 201, json_pack("{ss}", "id", a->id));
}

static bool create(struct workbench *bench, const struct call *call, struct message_out *out) {
    int running = 0;
    for (const struct analysis *a = bench->analyses->newest; a != NULL; a = a->next)
        running += a->state == ANALYSIS_RUNNING;
    if (running >= RUNNING_MAX)
        return message_fail(out, 429, NULL,
                            "%d analyses are under way, which is the limit; stop one of them first",
                            RUNNING_MAX);
    struct analysis *a = mem_alloc(sizeof *a);
    a->bench = bench;
    a->holders = 1;
    const bool ok = read_request(bench, call->body, a, out) && start(bench, a, out);
    let_go(a);
    return ok;
}

/* ---- those there are ---- */

static struct analysis *find(struct workbench *bench, const struct call *call, struct message_out *out) {
    struct analysis *a = bench->analyses->newest;
    while (a != NULL && strcmp(a->id, call->parts[0]) != 0)
        a = a->next;
    if (a == NULL)
        message_fail(out, 404, NULL, "there is no analysis '%.64s' (any more)", call->parts[0]);
    return a;
}

static bool get(struct workbench *bench, const struct call *call, struct message_out *out) {
    const struct analysis *a = find(bench, call, out);
    return a != NULL && serve_answer(out, 200, show(a));
}

static bool follow(struct workbench *bench, const struct call *call, struct message_out *out) {
    const struct analysis *a = find(bench, call, out);
    return a != NULL && serve_stream(out, topic_hold(a->topic));
}

static bool stop(struct workbench *bench, const struct call *call, struct message_out *out) {
    struct analysis *a = find(bench, call, out);
    if (a == NULL)
        return false;
    atomic_store(&a->stop, true);
    if (!a->begun && a->state == ANALYSIS_RUNNING)
        finish(a, ANALYSIS_STOPPED);
    forget_old(bench->analyses);
    out->status = 204;
    return true;
}

/* ---- positions ---- */

enum { PLAYED_MAX = 512 }; /* actions in one request */

/* The position is complete or a view already: nothing more is hidden. */
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
    struct err e;
    action a;
    const int number = (int)json_array_size(steps) + 1;
    if (text == NULL || game->mover(p->replay.state) == NOBODY)
        return message_fail(out, 400, "actions",
                            text == NULL ? "action %d is no text" : "action %d: the game is over", number);
    if (!game->text->read_action(p->replay.state, text, &a, &e))
        return message_fail(out, 400, "actions", "action %d: %s", number, e.text);
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

static bool show_position(struct workbench *bench, const struct call *call, struct message_out *out) {
    struct start_position *position = mem_alloc(sizeof *position);
    const bool ok = start_position_load(bench, call->body, position, out) &&
                    serve_answer(out, 200, position_json(position));
    start_position_done(position);
    mem_free(position);
    return ok;
}

static bool play_position(struct workbench *bench, const struct call *call, struct message_out *out) {
    static const char *const members[] = {"source", "actions", NULL};
    const json_t *actions = json_object_get(call->body, "actions");
    struct start_position *p = mem_alloc(sizeof *p);
    json_t *steps = json_array();
    bool ok = serve_knows(call->body, members, out) &&
              start_position_load(bench, json_object_get(call->body, "source"), p, out);
    if (ok && (!json_is_array(actions) || json_array_size(actions) > PLAYED_MAX))
        ok = message_fail(out, 400, "actions", "\"actions\": expected a list of at most %d actions' texts",
                          PLAYED_MAX);
    else if (ok && p->partial)
        ok = message_fail(out, 400, "source",
                          "something is unknown in this position, so that nothing can be played in it");
    for (size_t i = 0; ok && i < json_array_size(actions); i++)
        ok = play_one(p, json_array_get(actions, i), steps, out);
    if (ok)
        serve_answer(out, 200, serve_join(position_json(p), json_pack("{sO}", "steps", steps)));
    json_decref(steps);
    start_position_done(p);
    mem_free(p);
    return ok;
}

const struct route analysis_routes[] = {
    {MESSAGE_POST, "/api/positions", show_position},
    {MESSAGE_POST, "/api/positions/play", play_position},
    {MESSAGE_POST, "/api/analyses", create},
    {MESSAGE_GET, "/api/analyses/*", get},
    {MESSAGE_DELETE, "/api/analyses/*", stop},
    {MESSAGE_GET, "/api/analyses/*/events", follow},
    {MESSAGE_GET, NULL, NULL},
};

/* ---- opening and closing ---- */

struct analyses *analyses_open(struct workbench *bench) {
    struct analyses *analyses = mem_alloc(sizeof *analyses);
    analyses->bench = bench;
    return analyses;
}

void analyses_close(struct analyses *analyses) {
    struct workbench *bench = analyses->bench;
    workbench_lock(bench);
    for (struct analysis *a = analyses->newest; a != NULL; a = a->next)
        atomic_store(&a->stop, true);
    workbench_unlock(bench);
    task_pool_finish(bench->task_pool, analyses);
    workbench_lock(bench);
    for (struct analysis *a = analyses->newest; a != NULL; a = analyses->newest) {
        analyses->newest = a->next;
        let_go(a);
    }
    workbench_unlock(bench);
    mem_free(analyses);
}
