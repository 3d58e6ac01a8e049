/* SPDX-License-Identifier: MIT
 *
 * Threads that have ended are joined by whoever comes next: the start of another task, or the end.
 */
#include "serve/crew.h"

#include "base/mem.h"

#include <pthread.h>
#include <string.h>

enum member_state { MEMBER_HELD, MEMBER_RUNNING, MEMBER_ENDED };

struct member {
    struct crew *crew;
    struct crew_task task;
    enum member_state state;
    pthread_t thread;
    struct member *next;
};

struct crew {
    pthread_mutex_t lock;
    pthread_cond_t ended;
    struct member *members;
    int running, tasks_max;
    bool idle, closing;
};

struct crew *crew_open(int tasks_max, bool idle, struct err *e) {
    struct crew *crew = mem_alloc(sizeof *crew);
    if (crew == NULL) {
        err_set(e, "not enough memory for the workbench's crew");
        return NULL;
    }
    pthread_mutex_init(&crew->lock, NULL);
    pthread_cond_init(&crew->ended, NULL);
    crew->tasks_max = tasks_max;
    crew->idle = idle;
    return crew;
}

static void *work(void *context) {
    struct member *member = context;
    struct crew *crew = member->crew;
    member->task.run(member->task.context);
    pthread_mutex_lock(&crew->lock);
    member->state = MEMBER_ENDED;
    crew->running--;
    pthread_cond_broadcast(&crew->ended);
    pthread_mutex_unlock(&crew->lock);
    return NULL;
}

/* Joins those that have ended: they have nothing more to do, so that nobody waits for long. */
static void sweep(struct crew *crew) {
    for (struct member **at = &crew->members; *at != NULL;) {
        struct member *member = *at;
        if (member->state != MEMBER_ENDED) {
            at = &member->next;
            continue;
        }
        *at = member->next;
        pthread_join(member->thread, NULL);
        mem_free(member);
    }
}

static bool begin(struct crew *crew, struct member *member, struct err *e) {
    if (!crew->idle) {
        const int problem = pthread_create(&member->thread, NULL, work, member);
        if (problem != 0)
            return err_set(e, "no thread could be started: %s", strerror(problem));
        member->state = MEMBER_RUNNING;
        crew->running++;
    }
    member->next = crew->members;
    crew->members = member;
    return true;
}

/* With the lock. */
static bool admit(struct crew *crew, const struct crew_task *task, struct err *e) {
    sweep(crew);
    if (crew->running >= crew->tasks_max)
        return err_set(e, "%d things are thought about at the moment; that is the most there may be",
                       crew->tasks_max);
    struct member *member = mem_alloc(sizeof *member);
    if (member == NULL)
        return err_set(e, "not enough memory for another task");
    member->crew = crew;
    member->task = *task;
    if (begin(crew, member, e))
        return true;
    mem_free(member);
    return false;
}

bool crew_start(struct crew *crew, const struct crew_task *task, struct err *e) {
    pthread_mutex_lock(&crew->lock);
    const bool drop = crew->closing;
    const bool ok = drop || admit(crew, task, e);
    pthread_mutex_unlock(&crew->lock);
    if (drop && task->dropped != NULL)
        task->dropped(task->context);
    return ok;
}

int crew_size(struct crew *crew) {
    pthread_mutex_lock(&crew->lock);
    const int size = crew->running;
    pthread_mutex_unlock(&crew->lock);
    return size;
}

/* Takes one of the owner's tasks that were held out of the list (with the lock); NULL: there is none. */
static struct member *take_held(struct crew *crew, const void *owner) {
    for (struct member **at = &crew->members; *at != NULL; at = &(*at)->next) {
        struct member *member = *at;
        if (member->state == MEMBER_HELD && (owner == NULL || member->task.owner == owner)) {
            *at = member->next;
            return member;
        }
    }
    return NULL;
}

static bool has_running(const struct crew *crew, const void *owner) {
    for (const struct member *member = crew->members; member != NULL; member = member->next)
        if (member->state == MEMBER_RUNNING && (owner == NULL || member->task.owner == owner))
            return true;
    return false;
}

/* What is dropped may look at the crew: the lock is not kept meanwhile. */
static void drop_held(struct crew *crew, const void *owner) {
    for (struct member *member; (member = take_held(crew, owner)) != NULL;) {
        pthread_mutex_unlock(&crew->lock);
        if (member->task.dropped != NULL)
            member->task.dropped(member->task.context);
        mem_free(member);
        pthread_mutex_lock(&crew->lock);
    }
}

/* A NULL owner: everybody's. */
static void finish(struct crew *crew, const void *owner) {
    pthread_mutex_lock(&crew->lock);
    crew->closing = crew->closing || owner == NULL;
    drop_held(crew, owner);
    while (has_running(crew, owner))
        pthread_cond_wait(&crew->ended, &crew->lock);
    sweep(crew);
    pthread_mutex_unlock(&crew->lock);
}

void crew_finish(struct crew *crew, const void *owner) {
    if (owner != NULL)
        finish(crew, owner);
}

void crew_close(struct crew *crew) {
    if (crew == NULL)
        return;
    finish(crew, NULL);
    pthread_cond_destroy(&crew->ended);
    pthread_mutex_destroy(&crew->lock);
    mem_free(crew);
}
