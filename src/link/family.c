/* SPDX-License-Identifier: MIT
 *
 * Everything a process of ours has started, found in /proc and killed: what carries its mark in the
 * environment, and what descends from it. Where there is no /proc, the process group must do.
 *
 * One way out is left: who gives up mark and session and whose parents have all ended before we look cannot
 * be told from a stranger.
 */
#include "link/inside.h"

#include "base/mem.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    ENVIRON_MAX = 1 << 20,
    GENERATIONS_MAX = 4096,
    ROUNDS_MAX = 200,
    ROUND_MS_MAX = 20,
    REAP_MS = 2000,
    NAP_MS = 5,
    STAT_TO_START = 20, /* blanks between the name and the time of the start */
};

struct relative {
    pid_t pid, parent;
    unsigned long long start; /* when it was: tells processes of the same number apart */
    char state;               /* as /proc says it: 'Z' is dead already */
    bool belongs;             /* to the family */
};

struct census {
    struct relative *list;
    size_t count, capacity;
    char *environment; /* ENVIRON_MAX bytes */
    bool failed;
};

static ssize_t read_file(long pid, const char *name, char *out, size_t size) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/%s", pid, name);
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    size_t used = 0;
    ssize_t got;
    while (used < size && (got = read(fd, out + used, size - used)) > 0)
        used += (size_t)got;
    close(fd);
    return (ssize_t)used;
}

/* Is the mark one of those in "SENJUTSU_LINK=mark,mark"? */
static bool lists_mark(const char *entry, const char *mark) {
    const size_t size = strlen(mark);
    for (const char *at = entry; (at = strstr(at, mark)) != NULL; at++)
        if ((at[-1] == '=' || at[-1] == ',') && (at[size] == ',' || at[size] == '\0'))
            return true;
    return false;
}

static bool carries_mark(struct census *census, long pid, const char *mark) {
    const ssize_t size = read_file(pid, "environ", census->environment, ENVIRON_MAX - 1);
    if (size <= 0)
        return false;
    census->environment[size] = '\0';
    for (const char *entry = census->environment; entry < census->environment + size;
         entry += strlen(entry) + 1)
        if (strncmp(entry, LINK_MARK_NAME, strlen(LINK_MARK_NAME)) == 0 && lists_mark(entry, mark))
            return true;
    return false;
}

/* "PID (NAME) STATE PARENT …"; the name may contain anything. */
static bool read_relative(long pid, struct relative *out) {
    char text[1024];
    const ssize_t size = read_file(pid, "stat", text, sizeof text - 1);
    if (size <= 0)
        return false;
    text[size] = '\0';
    const char *rest = strrchr(text, ')');
    int parent;
    if (rest == NULL || sscanf(rest, ") %c %d", &out->state, &parent) != 2)
        return false;
    for (int i = 0; i < STAT_TO_START && rest != NULL; i++)
        rest = strchr(rest + 1, ' ');
    out->start = rest != NULL ? strtoull(rest, NULL, 10) : 0;
    out->pid = (pid_t)pid;
    out->parent = (pid_t)parent;
    out->belongs = false;
    return true;
}

static void add(struct census *census, const struct relative *r) {
    if (census->count == census->capacity) {
        const size_t wanted = census->capacity > 0 ? 2 * census->capacity : 256;
        struct relative *list = mem_resize(census->list, wanted * sizeof *list);
        if (list == NULL) {
            census->failed = true;
            return;
        }
        census->list = list;
        census->capacity = wanted;
    }
    census->list[census->count++] = *r;
}

static int by_pid(const void *a, const void *b) {
    const pid_t x = ((const struct relative *)a)->pid, y = ((const struct relative *)b)->pid;
    return (x > y) - (x < y);
}

/* Was this very process known before? */
static bool is_known(const struct census *known, const struct relative *r) {
    for (size_t i = 0; i < known->count; i++)
        if (known->list[i].pid == r->pid && known->list[i].start == r->start)
            return true;
    return false;
}

static void take_census(struct census *census, const struct link *link, const struct census *known) {
    census->count = 0;
    DIR *folder = opendir("/proc");
    if (folder == NULL) {
        census->failed = true;
        return;
    }
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL && !census->failed;) {
        char *end;
        const long pid = strtol(entry->d_name, &end, 10);
        struct relative r;
        if (*end != '\0' || pid <= 1 || !read_relative(pid, &r))
            continue;
        r.belongs = r.pid == link->pid || is_known(known, &r) ||
                    (r.state != 'Z' && carries_mark(census, pid, link->mark));
        add(census, &r);
    }
    closedir(folder);
    if (census->count > 0)
        qsort(census->list, census->count, sizeof census->list[0], by_pid);
}

static const struct relative *parent_of(const struct census *census, const struct relative *r) {
    const struct relative key = {.pid = r->parent};
    return census->count == 0 ? NULL : bsearch(&key, census->list, census->count, sizeof key, by_pid);
}

/* Whose ancestor belongs, belongs. */
static bool is_family(const struct census *census, const struct relative *r) {
    for (int generation = 0; r != NULL && generation < GENERATIONS_MAX; generation++) {
        if (r->belongs)
            return true;
        r = parent_of(census, r);
    }
    return false;
}

/* Adds everybody of the family but its first ancestor, whom the others are found by, to `out`, each once.
 * Returns how many of them are alive. */
static int gather(const struct census *census, const struct link *link, struct census *out) {
    int alive = 0;
    for (size_t i = 0; i < census->count; i++) {
        const struct relative *r = &census->list[i];
        if (r->pid == link->pid || r->pid == getpid() || !is_family(census, r))
            continue;
        alive += r->state != 'Z';
        if (!is_known(out, r))
            add(out, r);
    }
    return alive;
}

static void kill_all(const struct census *found) {
    for (size_t i = 0; i < found->count; i++)
        kill(found->list[i].pid, SIGKILL);
}

/* Until nobody is alive. `found` knows some already and gets to know all. */
static void kill_descendants(struct census *census, const struct link *link, struct census *found) {
    for (int round = 0; round < ROUNDS_MAX && !census->failed; round++) {
        struct census now = {0};
        take_census(census, link, found);
        const int alive = gather(census, link, &now);
        kill_all(&now);
        for (size_t i = 0; i < now.count; i++)
            if (!is_known(found, &now.list[i]))
                add(found, &now.list[i]);
        mem_free(now.list);
        if (alive == 0)
            return;
        poll(NULL, 0, round < ROUND_MS_MAX ? round + 1 : ROUND_MS_MAX);
    }
}

/* Waits, but not for ever, until it is gone; somebody else's child is not waited for. */
static void reap(pid_t pid) {
    for (int waited = 0; waited < REAP_MS && waitpid(pid, NULL, WNOHANG) == 0; waited += NAP_MS)
        poll(NULL, 0, NAP_MS);
}

void link_end_process(struct link *link, int grace_ms) {
    struct census census = {.environment = mem_alloc(ENVIRON_MAX)}, found = {0};
    census.failed = census.environment == NULL;
    /* Who has no mark is found by its parents, and those may end now. */
    if (!census.failed && !link->kind->has_ended(link)) {
        take_census(&census, link, &found);
        gather(&census, link, &found);
    }
    link_let_end(link, grace_ms);
    kill(-link->pid, SIGSTOP); /* what it started must not lose the parent it is found by */
    kill_descendants(&census, link, &found);
    kill(-link->pid, SIGKILL);
    reap(link->pid);
    while (waitpid(-link->pid, NULL, WNOHANG) > 0)
        ;
    for (size_t i = 0; i < found.count; i++) /* its orphans have become ours */
        reap(found.list[i].pid);
    mem_free(found.list);
    mem_free(census.list);
    mem_free(census.environment);
}
