/* SPDX-License-Identifier: MIT
 *
 * The analyses there are: each is a task of its own, and a topic for those who watch it.
 */
#include "serve/analysis.h"

#include "serve/positions.h"
#include "serve/shape.h"

#include "base/charset.h"
#include "base/mem.h"
#include "game/tbs/tbs.h"
#include "player/player.h"

#include <string.h>

enum {
    RUNNING_MAX = 8,
    FINISHED_MAX = 64, /* that are kept */
    TOP_USUAL = 10,
    TOP_MAX = 4096, /* finished analyses are kept, with all of it */
    MS = 1000000,
    TIME_MS_MAX = 3600000,
    SOLVE_MS_USUAL = 60000,
    EVENTS_MAX = 64,
    BYTES_MAX = 4 << 20,
};

static const char *const kind_names[ANALYSIS_KINDS] = {"think", "solve"};
static const char *const state_names[ANALYSIS_STATES] = {"running", "done", "stopped", "failed"};

struct analyses {
    struct workbench *bench;
    struct analysis *newest;
};

/* ---- life ---- */

/* With the lock. */
static void let_go(struct analysis *a) {
    if (a == NULL || --a->holders > 0)
        return;
    ground_position_done(&a->position);
    text_done(&a->player);
    topic_drop(a->topic);
    json_decref(a->shown);
    json_decref(a->map);
    json_decref(a->thoughts);
    json_decref(a->chosen);
    json_decref(a->turn);
    json_decref(a->solution);
    mem_free(a);
}

static int count_of(const struct analyses *analyses, bool running) {
    int count = 0;
    for (const struct analysis *a = analyses->newest; a != NULL; a = a->next)
        count += (a->state == ANALYSIS_RUNNING) == running;
    return count;
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

static struct analysis *find(const struct analyses *analyses, const char *id) {
    struct analysis *a = analyses->newest;
    while (a != NULL && strcmp(a->id, id) != 0)
        a = a->next;
    return a;
}

/* ---- telling ---- */

static json_t *or_null(json_t *value) {
    return value != NULL ? json_incref(value) : json_null();
}

static json_t *show(const struct analysis *a) {
    return json_pack("{ss ss ss ss so so so so so so}", "id", a->id, "kind", kind_names[a->kind], "state",
                     state_names[a->state], "error", a->error.text, "position", or_null(a->shown), "map",
                     or_null(a->map), "thoughts", or_null(a->thoughts), "chosen", or_null(a->chosen), "turn",
                     a->turn != NULL ? json_incref(a->turn) : json_array(), "solution", or_null(a->solution));
}

/* The whole of it as a snapshot. With the lock. */
static void publish(struct analysis *a) {
    json_t *all = show(a);
    char *text = all != NULL ? json_dumps(all, JSON_COMPACT) : NULL;
    if (text != NULL)
        topic_add(a->topic, "analysis", text, true);
    free(text);
    json_decref(all);
}

void analysis_tell(struct analysis *a, json_t *thoughts) {
    char *text = thoughts != NULL ? json_dumps(thoughts, JSON_COMPACT) : NULL;
    workbench_lock(a->bench);
    if (text != NULL) {
        json_decref(a->thoughts);
        a->thoughts = thoughts;
        topic_set(a->topic, "thoughts", text);
    } else {
        json_decref(thoughts);
    }
    workbench_unlock(a->bench);
    free(text);
}

/* With the lock. */
static void finish(struct analysis *a, enum analysis_state state) {
    a->state = state;
    charset_mend(a->error.text);
    publish(a);
    topic_end(a->topic);
}

/* ---- the task ---- */

static void keep_result(struct analysis *a, const struct analysis_result *result) {
    a->chosen = result->chosen;
    a->turn = result->turn;
    a->solution = result->solution;
}

static void work(struct analysis *a) {
    struct workbench *bench = a->bench;
    struct analysis_result result = {0};
    struct err e = {""};
    const bool ok =
        a->kind == ANALYSIS_SOLVE ? analysis_solve(a, &result, &e) : analysis_think(a, &result, &e);
    workbench_lock(bench);
    keep_result(a, &result);
    if (!ok)
        a->error = e;
    finish(a, !ok ? ANALYSIS_FAILED : atomic_load(&a->stop) ? ANALYSIS_STOPPED : ANALYSIS_DONE);
    forget_old(bench->analyses);
    let_go(a);
    workbench_unlock(bench);
}

static void run(void *context) {
    struct analysis *a = context;
    struct workbench *bench = a->bench;
    workbench_lock(bench);
    const bool wanted = a->state == ANALYSIS_RUNNING;
    a->begun = wanted;
    if (!wanted)
        let_go(a);
    workbench_unlock(bench);
    if (wanted)
        work(a);
}

static void drop(void *context) {
    struct analysis *a = context;
    struct workbench *bench = a->bench;
    workbench_lock(bench);
    let_go(a);
    workbench_unlock(bench);
}

/* ---- a new one ---- */

static bool read_kind(const json_t *body, struct analysis *out, struct message_out *failure) {
    const char *name;
    if (!ground_text(body, "kind", kind_names[ANALYSIS_THINK], &name, failure))
        return false;
    int kind = 0;
    while (kind < ANALYSIS_KINDS && strcmp(kind_names[kind], name) != 0)
        kind++;
    out->kind = (enum analysis_kind)kind;
    if (kind == ANALYSIS_KINDS)
        message_fail(failure, 400, "kind", "\"kind\": expected \"think\" or \"solve\"");
    return kind < ANALYSIS_KINDS;
}

/* How much; for both kinds. */
static bool read_limits(const json_t *body, struct analysis *out, struct message_out *failure) {
    const struct ground_range time = {1, TIME_MS_MAX, out->kind == ANALYSIS_SOLVE ? SOLVE_MS_USUAL : 0},
                              sims = {1, 1000000000, 0}, top = {1, TOP_MAX, TOP_USUAL};
    long time_ms, work, candidates;
    if (!ground_int(body, "time_ms", time, &time_ms, failure) ||
        !ground_int(body, "sims", sims, &work, failure) ||
        !ground_int(body, "top", top, &candidates, failure) ||
        !ground_seed(body, "seed", 1, &out->seed, failure))
        return false;
    out->time_ns = (int64_t)time_ms * MS;
    out->sims = (uint64_t)work;
    out->top = (int)candidates;
    return true;
}

static bool read_player(struct workbench *bench, const json_t *body, struct analysis *out,
                        struct message_out *failure) {
    const struct game *game = out->position.scenario->game;
    const char *usual = default_players_of(game)->adviser, *spec;
    struct err e;
    if (!ground_text(body, "player", usual, &spec, failure))
        return false;
    if (ground_try_player(bench, spec, game, &out->player, &e))
        return true;
    message_fail(failure, 400, "player", "%s", e.text);
    return false;
}

/* What the position allows. */
static bool check_position(struct analysis *a, struct message_out *failure) {
    const struct game *game = a->position.scenario->game;
    a->side = game->mover(a->position.replay.state);
    if (a->side == NOBODY)
        message_fail(failure, 400, "source", "the game is over in this position: %s",
                     game->text->result(a->position.replay.state));
    else if (a->kind == ANALYSIS_SOLVE && !game_is_tbs(game))
        message_fail(failure, 400, "kind", "\"solve\" is for the tactical game; in %s something is hidden",
                     game->name);
    return failure->status == 0;
}

static bool read_request(struct workbench *bench, const json_t *body, struct analysis *out,
                         struct message_out *failure) {
    static const char *const members[] = {"source", "kind", "player", "sims", "time_ms", "seed", "top", NULL};
    if (!serve_knows(body, members, failure) || !read_kind(body, out, failure) ||
        !read_limits(body, out, failure) ||
        !ground_position_load(bench, json_object_get(body, "source"), &out->position, failure) ||
        !check_position(out, failure))
        return false;
    return out->kind == ANALYSIS_SOLVE || read_player(bench, body, out, failure);
}

static bool prepare(struct workbench *bench, struct analysis *a) {
    const struct topic_limits limits = {EVENTS_MAX, BYTES_MAX};
    serve_new_id(bench, a->id);
    a->topic = topic_open(&limits);
    a->shown = shape_state(a->position.scenario, a->position.replay.state, (enum shape_viewer)a->side);
    a->map = shape_map(a->position.scenario);
    if (a->topic == NULL || a->shown == NULL || a->map == NULL)
        return false;
    publish(a);
    return true;
}

/* The task begins when the lock is free again. */
static void start(struct workbench *bench, struct analysis *a, struct message_out *out) {
    const struct crew_task task = {run, drop, a, bench->analyses};
    struct err e;
    if (!prepare(bench, a)) {
        message_fail(out, 500, NULL, "not enough memory");
        return;
    }
    a->holders++;
    if (!crew_start(bench->crew, &task, &e)) {
        a->holders--;
        message_fail(out, 429, NULL, "%s", e.text);
        return;
    }
    a->holders++;
    a->next = bench->analyses->newest;
    bench->analyses->newest = a;
    forget_old(bench->analyses);
    message_json(out, 201, json_pack("{ss}", "id", a->id));
}

static void create(struct workbench *bench, const struct call *call, struct message_out *out) {
    if (count_of(bench->analyses, true) >= RUNNING_MAX) {
        message_fail(out, 429, NULL, "%d analyses are under way, which is the limit; stop one of them first",
                     RUNNING_MAX);
        return;
    }
    struct analysis *a = mem_alloc(sizeof *a);
    if (a == NULL) {
        message_fail(out, 500, NULL, "not enough memory");
        return;
    }
    a->bench = bench;
    a->holders = 1;
    if (read_request(bench, call->body, a, out))
        start(bench, a, out);
    let_go(a);
}

/* ---- those there are ---- */

static struct analysis *find_or_fail(struct workbench *bench, const struct call *call,
                                     struct message_out *out) {
    struct analysis *a = find(bench->analyses, call->parts[0]);
    if (a == NULL)
        message_fail(out, 404, NULL, "there is no analysis '%.64s' (any more)", call->parts[0]);
    return a;
}

static void get(struct workbench *bench, const struct call *call, struct message_out *out) {
    const struct analysis *a = find_or_fail(bench, call, out);
    if (a != NULL)
        message_json(out, 200, show(a));
}

static void follow(struct workbench *bench, const struct call *call, struct message_out *out) {
    const struct analysis *a = find_or_fail(bench, call, out);
    if (a == NULL)
        return;
    out->status = 200;
    out->stream = topic_hold(a->topic);
}

static void stop(struct workbench *bench, const struct call *call, struct message_out *out) {
    struct analysis *a = find_or_fail(bench, call, out);
    if (a == NULL)
        return;
    atomic_store(&a->stop, true);
    if (!a->begun && a->state == ANALYSIS_RUNNING)
        finish(a, ANALYSIS_STOPPED);
    forget_old(bench->analyses);
    out->status = 204;
}

const struct route analysis_routes[] = {
    {MESSAGE_POST, "/api/positions", positions_show},
    {MESSAGE_POST, "/api/positions/play", positions_play},
    {MESSAGE_POST, "/api/analyses", create},
    {MESSAGE_GET, "/api/analyses/*", get},
    {MESSAGE_DELETE, "/api/analyses/*", stop},
    {MESSAGE_GET, "/api/analyses/*/events", follow},
    {MESSAGE_GET, NULL, NULL},
};

/* ---- opening and closing ---- */

struct analyses *analyses_open(struct workbench *bench, struct err *e) {
    struct analyses *analyses = mem_alloc(sizeof *analyses);
    if (analyses == NULL) {
        err_set(e, "not enough memory for analyses");
        return NULL;
    }
    analyses->bench = bench;
    return analyses;
}

void analyses_close(struct analyses *analyses) {
    struct workbench *bench = analyses->bench;
    workbench_lock(bench);
    for (struct analysis *a = analyses->newest; a != NULL; a = a->next)
        atomic_store(&a->stop, true);
    workbench_unlock(bench);
    crew_finish(bench->crew, analyses);
    workbench_lock(bench);
    for (struct analysis *a = analyses->newest; a != NULL; a = analyses->newest) {
        analyses->newest = a->next;
        let_go(a);
    }
    workbench_unlock(bench);
    mem_free(analyses);
}
