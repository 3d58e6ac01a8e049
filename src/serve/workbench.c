/* SPDX-License-Identifier: MIT
 *
 * The workbench as a whole: opens and closes its parts, routes requests to their handlers, and runs tasks in
 * the background.
 */
#include "serve/inside.h"

#include "base/encode.h"
#include "base/mem.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
    TASKS_MAX = 64,  /* threads of all parts together */
    DEPTH_MAX = 32,  /* brackets within brackets in a body */
    ID_LETTERS = 16, /* five bits each */
    DAMAGED_MAX = 100,
    SENTENCE_MAX = SERVE_PATH_MAX + 2 * ERR_TEXT_MAX,
};

static const char id_letters[] = "abcdefghijklmnopqrstuvwxyz234567";

void workbench_lock(struct workbench *bench) {
    pthread_mutex_lock(&bench->lock);
    bench->is_locked = true;
    bench->locker = pthread_self();
}

void workbench_unlock(struct workbench *bench) {
    assert(workbench_is_locked(bench));
    bench->is_locked = false;
    pthread_mutex_unlock(&bench->lock);
}

bool workbench_is_locked(const struct workbench *bench) {
    return bench->is_locked && pthread_equal(bench->locker, pthread_self());
}

/* ---- tasks ----
 *
 * A task may wait for a program or search for an hour, so each has a thread of its own: with a fixed set of
 * workers a few long jobs would keep all players of live games waiting. Threads that have ended are joined at
 * the start of the next task, or when the pool is closed: a detached thread could still use the pool's lock
 * after the pool was freed. */

enum worker_state { WORKER_HELD, WORKER_RUNNING, WORKER_ENDED };

/* One task that was started, and its thread. */
struct worker {
    struct task_pool *pool;
    struct task task;
    enum worker_state state;
    pthread_t thread;
    struct worker *next;
};

/* It has a lock of its own, because tasks are started with and without the workbench's lock. */
struct task_pool {
    pthread_mutex_t lock;
    pthread_cond_t ended;
    struct worker *workers;
    int running, tasks_max;
    bool idle, closing;
};

struct task_pool *task_pool_open(int tasks_max, bool idle) {
    assert(tasks_max > 0);
    struct task_pool *pool = mem_alloc(sizeof *pool);
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->ended, NULL);
    pool->tasks_max = tasks_max;
    pool->idle = idle;
    return pool;
}

/* The body of a task's thread. */
static void *work(void *context) {
    struct worker *worker = context;
    struct task_pool *pool = worker->pool;
    worker->task.run(worker->task.context);
    pthread_mutex_lock(&pool->lock);
    worker->state = WORKER_ENDED;
    pool->running--;
    pthread_cond_broadcast(&pool->ended);
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

/* Joins threads that have ended: they return at once, so this does not block. With the pool's lock. */
static void sweep(struct task_pool *pool) {
    assert(pool->running >= 0);
    for (struct worker **at = &pool->workers; *at != NULL;) {
        struct worker *worker = *at;
        if (worker->state != WORKER_ENDED) {
            at = &worker->next;
            continue;
        }
        *at = worker->next;
        pthread_join(worker->thread, NULL);
        mem_free(worker);
    }
}

bool task_pool_start(struct task_pool *pool, const struct task *task, struct err *e) {
    assert(task->run != NULL);
    bool ok = true;
    pthread_mutex_lock(&pool->lock);
    const bool drop = pool->closing;
    if (!drop)
        sweep(pool);
    if (!drop && pool->running >= pool->tasks_max) {
        ok = err_code(e, "refused.tasks",
                      "%d things are thought about at the moment; that is the most there may be",
                      pool->tasks_max);
    } else if (!drop) {
        struct worker *worker = mem_alloc(sizeof *worker);
        *worker = (struct worker){.pool = pool,
                                  .task = *task,
                                  .state = pool->idle ? WORKER_HELD : WORKER_RUNNING,
                                  .next = pool->workers};
        const int problem = pool->idle ? 0 : pthread_create(&worker->thread, NULL, work, worker);
        if (problem == 0) {
            pool->running += !pool->idle;
            pool->workers = worker;
        } else {
            mem_free(worker);
            ok = err_set(e, "no thread could be started: %s", strerror(problem));
        }
    }
    pthread_mutex_unlock(&pool->lock);
    if (drop && task->dropped != NULL)
        task->dropped(task->context);
    return ok;
}

int task_pool_size(struct task_pool *pool) {
    pthread_mutex_lock(&pool->lock);
    const int size = pool->running;
    pthread_mutex_unlock(&pool->lock);
    return size;
}

/* A task in that state; with the lock. The place that points to it, or to the end of the list. */
static struct worker **find(struct task_pool *pool, enum worker_state state) {
    struct worker **at = &pool->workers;
    while (*at != NULL && (*at)->state != state)
        at = &(*at)->next;
    return at;
}

/* `dropped` may call the pool, so the lock is released for the call. */
void task_pool_close(struct task_pool *pool) {
    if (pool == NULL)
        return;
    pthread_mutex_lock(&pool->lock);
    pool->closing = true;
    for (struct worker **at; *(at = find(pool, WORKER_HELD)) != NULL;) {
        struct worker *worker = *at;
        *at = worker->next;
        pthread_mutex_unlock(&pool->lock);
        if (worker->task.dropped != NULL)
            worker->task.dropped(worker->task.context);
        mem_free(worker);
        pthread_mutex_lock(&pool->lock);
    }
    while (*find(pool, WORKER_RUNNING) != NULL)
        pthread_cond_wait(&pool->ended, &pool->lock);
    sweep(pool);
    pthread_mutex_unlock(&pool->lock);
    pthread_cond_destroy(&pool->ended);
    pthread_mutex_destroy(&pool->lock);
    mem_free(pool);
}

/* ---- names ---- */

/* 256 is a multiple of 32, so every letter is equally likely. */
void serve_new_id(const struct workbench *bench, char out[SERVE_ID_MAX]) {
    unsigned char bytes[ID_LETTERS];
    bench->setup.secret(bytes, sizeof bytes);
    for (int i = 0; i < ID_LETTERS; i++)
        out[i] = id_letters[bytes[i] % 32];
    out[ID_LETTERS] = '\0';
}

bool serve_is_id(const char *id) {
    return strlen(id) == ID_LETTERS && strspn(id, id_letters) == ID_LETTERS;
}

bool serve_path(const struct workbench *bench, const char *folder, const char *name, char out[SERVE_PATH_MAX],
                struct err *e) {
    return file_path(out, e, "%s/%s%s%s", bench->setup.data, folder, name[0] != '\0' ? "/" : "", name);
}

bool serve_make_folder(const struct workbench *bench, const char *folder, char path[SERVE_PATH_MAX],
                       struct err *e) {
    return serve_path(bench, folder, "", path, e) && file_make_folder(path, e);
}

/* ---- reports of problems ---- */

void serve_warn(struct workbench *bench, enum serve_problem problem, const char *format, ...) {
    char sentence[SENTENCE_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    charset_repair(sentence); /* a path in it need not be UTF-8 */
    if (bench->setup.warn != NULL)
        bench->setup.warn(sentence);
    if (problem == SERVE_DAMAGED && json_array_size(bench->damaged) < DAMAGED_MAX)
        json_array_append_new(bench->damaged, json_string(sentence));
}

bool serve_done(struct message_out *out, int status) {
    assert(status < 300);
    out->status = status;
    return true;
}

bool serve_stream(struct message_out *out, struct topic *topic) {
    assert(topic != NULL);
    out->stream = topic;
    return serve_done(out, 200);
}

void serve_end_stream(struct topic **topic) {
    if (*topic != NULL)
        topic_end(*topic);
    topic_drop(*topic);
    *topic = NULL;
}

/* ---- JSON ---- */

json_t *serve_join(json_t *object, json_t *more) {
    json_object_update(object, more);
    json_decref(more);
    return object;
}

char *serve_dump(json_t *value, int digits) {
    assert(digits >= 0);
    char *text =
        json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION((size_t)(unsigned)digits));
    json_decref(value);
    return text != NULL ? text : mem_copy("{}", sizeof "{}");
}

bool serve_save(const char *path, json_t *value, struct err *e) {
    if (value == NULL)
        return err_set(e, "%s: it has a text that is not UTF-8, or a number that is not finite", path);
    char *dump = serve_dump(value, 0);
    const bool ok = file_write(path, dump, strlen(dump), e);
    mem_free(dump);
    return ok;
}

/* ---- bodies of requests ---- */

bool serve_has_name(const char *names, const char *name) {
    while (*names != '\0' && text_after_word(names, name) == NULL) {
        names += strcspn(names, " ");
        names += strspn(names, " ");
    }
    return *names != '\0' && strchr(name, ' ') == NULL; /* else it would be two of them */
}

bool serve_knows(const json_t *body, const char *names, struct message_out *out) {
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)body, name, value) {
        struct text known = {0};
        if (serve_has_name(names, name))
            continue;
        for (const char *at = names; *at != '\0'; at += strspn(at, " ")) {
            const size_t size = strcspn(at, " ");
            text_add(&known, "%s\"%.*s\"", at > names ? ", " : "", (int)size, at);
            at += size;
        }
        params_refuse_name(name, text_string(&known), &out->why);
        text_done(&known);
        return false;
    }
    return true;
}

/* A reader of JSON calls itself for each bracket: how many may be open is limited before it sees them.
 * Brackets within strings do not count, and a quotation mark behind a backslash does not end its string. */
static bool is_too_deep(const char *text, size_t size) {
    bool in_string = false;
    int depth = 0;
    for (size_t i = 0; i < size; i++) {
        const char c = text[i];
        if (in_string) {
            i += c == '\\';
            in_string = c != '"';
        } else if (c == '"') {
            in_string = true;
        } else if (c == '{' || c == '[') {
            if (++depth > DEPTH_MAX)
                return true;
        } else if (c == '}' || c == ']') {
            depth--;
        }
    }
    return false;
}

/* The body as an object, the caller's; none is an empty one. NULL and a reason. */
static json_t *read_body(const struct message_in *in, struct err *e) {
    json_t *body = NULL;
    if (in->body == NULL || in->body_size == 0)
        return json_object();
    if (is_too_deep(in->body, in->body_size))
        err_set(e, "the body has more than %d brackets within each other", DEPTH_MAX);
    else
        body = jsontext_load("the body", in->body, in->body_size, e);
    if (json_is_object(body))
        return body;
    if (body != NULL)
        err_set(e, "the body is not a JSON object");
    json_decref(body);
    return NULL;
}

/* ---- routes ---- */

/* The first route that fits is taken: one with a word stands before one with a "*" in the same place. */
struct part {
    const struct route *routes; /* NULL: no more */
    serve_find *find;
};

static const struct part workbench_parts[] = {
    {catalogue_routes, maps_find_call},
    {live_game_routes, live_games_find_call},
    {analysis_routes, analyses_find_call},
    {job_routes, jobs_find_call},
    {NULL, NULL},
};

/* All that participants of a study can reach. */
static const struct part study_parts[] = {
    {study_routes, NULL},
    {study_table_routes, live_games_find_seat},
    {study_catalogue_routes, NULL},
    {NULL, NULL},
};

/* Does the path fit? The parts that stand for something are copied into the call. A part is never empty: the
 * path "/api/jobs/" names no job. */
static bool fits(const struct route *route, const char *path, struct call *call) {
    char *storage = call->storage;
    int stars = 0;
    memset(call->parts, 0, sizeof call->parts); /* of a route that did not fit */
    for (const char *at = route->path; *at != '\0'; at++) {
        const size_t length = *at == '*' ? strcspn(path, "/") : 1;
        if (length == 0 || (*at != '*' && *at != *path))
            return false;
        if (*at == '*') {
            assert(stars < SERVE_PARTS_MAX);
            call->parts[stars++] = memcpy(storage, path, length);
            storage[length] = '\0';
            storage += length + 1; /* the '/' behind the part leaves room for the NUL */
        }
        path += length;
    }
    return *path == '\0';
}

/* Order of refusals: 404 or 405 for the path, 400 for the body and its members, then 403 or 404 for what the
 * path names, then the handler's own. Members are checked before names, because they need no lock. */
void workbench_handle(void *context, const struct message_in *in, struct message_out *out) {
    assert(in->method < MESSAGE_METHODS);
    struct call call = {.bench = context, .in = in};
    const struct route *found = NULL;
    serve_find *find_named = NULL;
    unsigned allowed = 0; /* methods, a bit each; 0: no route has this path */
    if (in->path[0] != '/' || strlen(in->path) >= sizeof call.storage) {
        message_fail(out, 404, NULL, "there is nothing at that path");
        return;
    }
    const struct part *part = call.bench->setup.study != NULL ? study_parts : workbench_parts;
    for (; found == NULL && part->routes != NULL; part++)
        for (const struct route *route = part->routes; found == NULL && route->path != NULL; route++)
            if (fits(route, in->path, &call)) {
                allowed |= 1u << route->method;
                found = route->method == in->method ? route : NULL;
                find_named = call.parts[0] != NULL ? part->find : NULL;
            }
    if (found == NULL) {
        if (allowed == 0)
            message_fail(out, 404, NULL, "there is nothing at %s", in->path);
        else
            message_fail(out, 405, NULL, "%s is not for %s", in->path, message_method_names[in->method]);
        out->allowed = allowed;
        return;
    }
    const bool has_body = in->method == MESSAGE_POST || in->method == MESSAGE_PUT;
    json_t *body = has_body ? read_body(in, &out->why) : NULL;
    bool ok =
        !has_body || (body != NULL && (found->members == NULL || serve_knows(body, found->members, out)));
    if (ok) {
        call.body = body;
        workbench_lock(call.bench);
        ok = (find_named == NULL || find_named(&call, out)) && found->handler(&call, out);
        workbench_unlock(call.bench);
    }
    assert(ok || out->status != 0 || out->why.text[0] != '\0');
    if (!ok && out->status == 0)
        message_fail_err(out, 400, out->why.field[0] != '\0' ? out->why.field : NULL, &out->why);
    json_decref(body);
}

/* ---- opening and closing ---- */

/* The parts are opened without the lock: no request comes before this returns. Tasks of jobs may run. */
struct workbench *workbench_open(const struct workbench_setup *setup, struct err *e) {
    assert(setup->data != NULL);
    assert(setup->maps != NULL);
    assert(setup->clock != NULL);
    assert(setup->date != NULL);
    assert(setup->secret != NULL);
    const char *const folders[] = {setup->data, setup->maps};
    struct workbench *bench = mem_alloc(sizeof *bench);
    bench->setup = *setup;
    bench->is_idle = setup->idle;
    bench->damaged = json_array();
    pthread_mutex_init(&bench->lock, NULL);
    bool ok = true;
    for (int i = 0; i < 2 && ok; i++)
        ok = (folders[i][0] != '\0' && strlen(folders[i]) < SERVE_PATH_MAX) ||
             err_set(e, "'%.64s': a folder's name has 1 to %d bytes", folders[i], SERVE_PATH_MAX - 1);
    if (ok && file_make_folder(setup->data, e)) {
        bench->task_pool = task_pool_open(TASKS_MAX, setup->idle);
        bench->jobs = jobs_open(bench, e);
        bench->live_games = bench->jobs != NULL ? live_games_open(bench, e) : NULL;
    }
    if (bench->live_games != NULL) {
        study_site_take_results(bench);
        return bench;
    }
    workbench_close(bench);
    return NULL;
}

bool workbench_close(struct workbench *bench) {
    if (bench == NULL)
        return true;
    workbench_lock(bench);
    bench->is_idle = true;
    analyses_stop(bench);
    if (bench->live_games != NULL)
        live_games_stop(bench->live_games);
    if (bench->jobs != NULL)
        jobs_stop(bench->jobs);
    workbench_unlock(bench);
    task_pool_close(bench->task_pool);
    analyses_close(bench);
    if (bench->live_games != NULL)
        live_games_close(bench->live_games);
    if (bench->jobs != NULL)
        jobs_close(bench->jobs);
    pthread_mutex_destroy(&bench->lock);
    json_decref(bench->damaged);
    const bool ok = !bench->has_lost;
    mem_free(bench);
    return ok;
}
