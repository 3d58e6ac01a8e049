/* SPDX-License-Identifier: MIT
 *
 * Everything a process of ours has started, found in /proc and killed: what carries its mark in the
 * environment, what descends from it, and what has become our own child because it gave up mark and session
 * and all its parents have ended (this program is a "subreaper" of its descendants). Where there is no /proc,
 * the process group must do.
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
    pid_t pid, parent, session;
    unsigned long long start; /* when it was: tells processes of the same number apart */
    char state;               /* as /proc says it: 'Z' is dead already */
    bool belongs;             /* to the family */
    char name[24];
};

struct relatives {
    struct relative *list;
    size_t count, capacity;
    bool failed; /* memory ran out, or this system does not say which processes there are */
};

/* Those whom a link remembers. */
struct link_family {
    struct relatives known;
};

/* All processes there are. */
struct census {
    struct relatives all;
    char *environment; /* ENVIRON_MAX bytes */
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
    const char *name = strchr(text, '('), *rest = strrchr(text, ')');
    int parent, group, session;
    if (name == NULL || rest == NULL ||
        sscanf(rest, ") %c %d %d %d", &out->state, &parent, &group, &session) != 4)
        return false;
    link_show(out->name, sizeof out->name, name + 1, (size_t)(rest - name - 1));
    for (int i = 0; i < STAT_TO_START && rest != NULL; i++)
        rest = strchr(rest + 1, ' ');
    out->start = rest != NULL ? strtoull(rest, NULL, 10) : 0;
    out->pid = (pid_t)pid;
    out->parent = (pid_t)parent;
    out->session = (pid_t)session;
    out->belongs = false;
    return true;
}

static void add(struct relatives *to, const struct relative *r) {
    if (to->count == to->capacity) {
        const size_t wanted = to->capacity > 0 ? 2 * to->capacity : 64;
        struct relative *list = mem_resize(to->list, wanted * sizeof *list);
        if (list == NULL) {
            to->failed = true;
            return;
        }
        to->list = list;
        to->capacity = wanted;
    }
    to->list[to->count++] = *r;
}

static int by_pid(const void *a, const void *b) {
    const pid_t x = ((const struct relative *)a)->pid, y = ((const struct relative *)b)->pid;
    return (x > y) - (x < y);
}

/* Was this very process known before? */
static bool is_known(const struct relatives *known, const struct relative *r) {
    for (size_t i = 0; i < known->count; i++)
        if (known->list[i].pid == r->pid && known->list[i].start == r->start)
            return true;
    return false;
}

/* Notes everybody, and who carries the mark or is known to belong. */
static void look_around(struct census *census, const struct link *link) {
    DIR *folder = opendir("/proc");
    census->all.count = 0;
    census->all.failed = census->all.failed || folder == NULL;
    for (const struct dirent *entry;
         folder != NULL && !census->all.failed && (entry = readdir(folder)) != NULL;) {
        char *end;
        const long pid = strtol(entry->d_name, &end, 10);
        struct relative r;
        if (*end != '\0' || pid <= 1 || !read_relative(pid, &r))
            continue;
        r.belongs = r.pid == link->pid || is_known(&link->family->known, &r) ||
                    (r.state != 'Z' && carries_mark(census, pid, link->mark));
        add(&census->all, &r);
    }
    if (folder != NULL)
        closedir(folder);
    if (census->all.count > 0)
        qsort(census->all.list, census->all.count, sizeof census->all.list[0], by_pid);
}

static const struct relative *parent_of(const struct relatives *all, const struct relative *r) {
    const struct relative key = {.pid = r->parent};
    return all->count == 0 ? NULL : bsearch(&key, all->list, all->count, sizeof key, by_pid);
}

/* Whose ancestor belongs, belongs. */
static bool is_family(const struct relatives *all, const struct relative *r) {
    for (int generation = 0; r != NULL && generation < GENERATIONS_MAX; generation++) {
        if (r->belongs)
            return true;
        r = parent_of(all, r);
    }
    return false;
}

/* Adds everybody of the family but its first ancestor, whom the others are found by, to what the link
 * remembers, each once; `now` (may be NULL) gets those who are alive. */
static void gather(const struct census *census, struct link *link, struct relatives *now) {
    for (size_t i = 0; i < census->all.count; i++) {
        const struct relative *r = &census->all.list[i];
        if (r->pid == link->pid || r->pid == getpid() || !is_family(&census->all, r))
            continue;
        if (now != NULL && r->state != 'Z')
            add(now, r);
        if (!is_known(&link->family->known, r))
            add(&link->family->known, r);
    }
}

/* False when nobody can be found here. */
static bool take_census(struct census *census, struct link *link, struct relatives *now) {
    if (link->family == NULL)
        link->family = mem_alloc(sizeof *link->family);
    if (census->environment == NULL)
        census->environment = mem_alloc(ENVIRON_MAX);
    if (link->family == NULL || census->environment == NULL)
        return false;
    look_around(census, link);
    gather(census, link, now);
    return !census->all.failed;
}

static void census_done(struct census *census) {
    mem_free(census->all.list);
    mem_free(census->environment);
}

void link_forget_family(struct link *link) {
    if (link->family != NULL)
        mem_free(link->family->known.list);
    mem_free(link->family);
}

/* ---- asking ---- */

bool link_note_family(struct link *link) {
    struct census census = {0};
    const bool ok = link->pid > 0 && take_census(&census, link, NULL);
    census_done(&census);
    return ok;
}

int link_family_alive(struct link *link, char *names, size_t names_size) {
    struct census census = {0};
    struct relatives now = {0};
    size_t used = 0;
    names[0] = '\0';
    if (link->pid > 0)
        take_census(&census, link, &now);
    for (size_t i = 0; i < now.count && used < names_size; i++)
        used += (size_t)snprintf(names + used, names_size - used, "%s%s (%ld)", used > 0 ? ", " : "",
                                 now.list[i].name, (long)now.list[i].pid);
    const int count = (int)now.count;
    mem_free(now.list);
    census_done(&census);
    return count;
}

/* ---- ending ---- */

/* Until nobody is alive. */
static void kill_descendants(struct census *census, struct link *link) {
    for (int round = 0; round < ROUNDS_MAX; round++) {
        struct relatives now = {0};
        const bool ok = take_census(census, link, &now);
        for (size_t i = 0; i < now.count; i++)
            kill(now.list[i].pid, SIGKILL);
        const bool over = !ok || now.count == 0;
        mem_free(now.list);
        if (over)
            return;
        poll(NULL, 0, round < ROUND_MS_MAX ? round + 1 : ROUND_MS_MAX);
    }
}

/* ---- those that were left to us ---- */

unsigned long long link_born(pid_t pid) {
    struct relative r;
    return read_relative(pid, &r) ? r.start : 0;
}

/* Programs that are none of a link's (a browser) say so in their environment. */
static bool is_exempt(pid_t pid) {
    char *environment = mem_alloc(ENVIRON_MAX);
    bool exempt = environment == NULL;
    const ssize_t size =
        environment != NULL ? read_file((long)pid, "environ", environment, ENVIRON_MAX - 1) : 0;
    for (const char *entry = environment; !exempt && size > 0 && entry < environment + size;
         entry += strlen(entry) + 1)
        exempt = strcmp(entry, LINK_EXEMPT) == 0;
    mem_free(environment);
    return exempt;
}

/* A child of ours that we did not start, in a session that is not ours, is an orphan of a link's program that
 * has ended: one that runs keeps its own orphans. What is older than this link's program is none of its, and
 * what may be another link's is left until that one is closed. */
static bool is_left_to_us(const struct link *link, const struct relative *r) {
    return r->parent == getpid() && r->session != getsid(0) && r->start >= link->born &&
           !link_is_own_child(r->pid) && !link_may_be_anothers(link, r->start);
}

/* One look; how many are still alive. No other child of this program is reaped: the code that started it
 * waits for it. */
static int end_orphans_once(const struct link *link) {
    DIR *folder = opendir("/proc");
    int alive = 0;
    for (const struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
        char *end;
        const long pid = strtol(entry->d_name, &end, 10);
        struct relative r;
        if (*end != '\0' || pid <= 1 || !read_relative(pid, &r) || !is_left_to_us(link, &r))
            continue;
        if (r.state != 'Z' && is_exempt(r.pid))
            continue;
        if (r.state != 'Z')
            kill(r.pid, SIGKILL);
        alive += waitpid(r.pid, NULL, WNOHANG) == 0;
    }
    if (folder != NULL)
        closedir(folder);
    return alive;
}

/* With the lock: a process that is being started must not be taken for an orphan. Whose parent is killed is
 * left to us in its turn. */
static void end_orphans(const struct link *link) {
    for (int round = 0, alive = 1; round < ROUNDS_MAX && alive > 0 && link->born > 0; round++) {
        link_fork_lock();
        alive = end_orphans_once(link);
        link_fork_unlock();
        if (alive > 0)
            link_nap(round < ROUND_MS_MAX ? round + 1 : ROUND_MS_MAX);
    }
}

/* Waits, but not for ever, until it is gone; somebody else's child is not waited for. */
static void reap(pid_t pid) {
    for (int waited = 0; waited < REAP_MS && waitpid(pid, NULL, WNOHANG) == 0; waited += NAP_MS)
        poll(NULL, 0, NAP_MS);
}

void link_end_process(struct link *link, int grace_ms) {
    struct census census = {0};
    /* Who has no mark is found by its parents, and those may end now. */
    if (!link->kind->has_ended(link))
        take_census(&census, link, NULL);
    link_let_end(link, grace_ms);
    /* Where descriptors are short, looking for its descendants can use these. */
    link_close_descriptor(&link->out);
    link_close_descriptor(&link->err);
    kill(-link->pid, SIGSTOP); /* what it started must not lose the parent it is found by */
    kill_descendants(&census, link);
    kill(-link->pid, SIGKILL);
    reap(link->pid);
    while (waitpid(-link->pid, NULL, WNOHANG) > 0)
        ;
    for (size_t i = 0; link->family != NULL && i < link->family->known.count; i++)
        reap(link->family->known.list[i].pid); /* its orphans have become ours */
    census_done(&census);
    end_orphans(link);
}
