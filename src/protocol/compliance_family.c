/* SPDX-License-Identifier: MIT */
#include "protocol/compliance_family.h"

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

enum { ENVIRON_MAX = 1 << 17, NAP_MS = 5, REAP_MS = 1000 };

struct process {
    pid_t pid, parent;
    bool belongs;
};

struct census {
    struct process *list;
    size_t count, capacity;
    char *environment; /* ENVIRON_MAX bytes */
};

/* ---- /proc ---- */

static size_t read_file(pid_t pid, const char *name, char *out, size_t size) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/%s", (long)pid, name);
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    size_t used = 0;
    ssize_t got;
    if (fd < 0)
        return 0;
    while (used < size && (got = read(fd, out + used, size - used)) > 0)
        used += (size_t)got;
    close(fd);
    return used;
}

/* "PID (NAME) STATE PARENT …"; the name may contain anything. */
static bool read_stat(pid_t pid, char *name, size_t name_size, char *state, pid_t *parent) {
    char text[1024];
    long number;
    const size_t size = read_file(pid, "stat", text, sizeof text - 1);
    text[size] = '\0';
    char *begin = strchr(text, '('), *end = strrchr(text, ')');
    if (begin == NULL || end == NULL || sscanf(end, ") %c %ld", state, &number) != 2)
        return false;
    *end = '\0';
    snprintf(name, name_size, "%s", begin + 1);
    *parent = (pid_t)number;
    return true;
}

static bool is_alive(pid_t pid, char *name, size_t name_size) {
    char state;
    pid_t parent;
    return read_stat(pid, name, name_size, &state, &parent) && state != 'Z' && state != 'X';
}

/* The mark, and not one that merely begins or ends like it. */
static bool carries_mark(struct census *census, pid_t pid, const char *mark) {
    const char *bytes = census->environment;
    const size_t size = read_file(pid, "environ", census->environment, ENVIRON_MAX), length = strlen(mark);
    for (size_t i = 1; i + length < size; i++)
        if (memcmp(bytes + i, mark, length) == 0 && (bytes[i - 1] == '=' || bytes[i - 1] == ',') &&
            (bytes[i + length] == ',' || bytes[i + length] == '\0'))
            return true;
    return false;
}

static bool add(struct census *census, const struct process *p) {
    if (census->count == census->capacity) {
        const size_t wanted = census->capacity > 0 ? 2 * census->capacity : 256;
        struct process *list = mem_resize(census->list, wanted * sizeof *list);
        if (list == NULL)
            return false;
        census->list = list;
        census->capacity = wanted;
    }
    census->list[census->count++] = *p;
    return true;
}

static bool take_census(struct census *census, const char *mark) {
    DIR *folder = opendir("/proc");
    bool ok = folder != NULL;
    for (const struct dirent *entry; ok && (entry = readdir(folder)) != NULL;) {
        char *end, name[64], state;
        struct process p = {.pid = (pid_t)strtol(entry->d_name, &end, 10)};
        if (*end != '\0' || p.pid <= 1 || !read_stat(p.pid, name, sizeof name, &state, &p.parent))
            continue;
        p.belongs = carries_mark(census, p.pid, mark);
        ok = add(census, &p);
    }
    if (folder != NULL)
        closedir(folder);
    return ok;
}

/* ---- the family ---- */

static bool has_member(const struct census *census, pid_t pid) {
    for (size_t i = 0; i < census->count; i++)
        if (census->list[i].pid == pid)
            return census->list[i].belongs;
    return false;
}

/* Whose parent belongs, belongs. */
static void spread(struct census *census) {
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < census->count; i++) {
            struct process *p = &census->list[i];
            if (!p->belongs && has_member(census, p->parent))
                changed = p->belongs = true;
        }
    }
}

static void note(struct compliance_family *family, pid_t pid) {
    for (int i = 0; i < family->count; i++)
        if (family->pids[i] == pid)
            return;
    if (family->count < COMPLIANCE_FAMILY_MAX)
        family->pids[family->count++] = pid;
}

bool compliance_family_note(struct compliance_family *family, const char *mark) {
    struct census census = {.environment = mem_alloc(ENVIRON_MAX)};
    const bool ok = census.environment != NULL && take_census(&census, mark);
    if (ok)
        spread(&census);
    for (size_t i = 0; i < census.count; i++)
        if (census.list[i].belongs)
            note(family, census.list[i].pid);
    mem_free(census.list);
    mem_free(census.environment);
    return ok;
}

int compliance_family_alive(const struct compliance_family *family, char *names, size_t names_size) {
    int count = 0;
    size_t used = 0;
    names[0] = '\0';
    for (int i = 0; i < family->count; i++) {
        char name[64];
        if (!is_alive(family->pids[i], name, sizeof name))
            continue;
        count++;
        if (used < names_size)
            used += (size_t)snprintf(names + used, names_size - used, "%s%s (%ld)", used > 0 ? ", " : "",
                                     name, (long)family->pids[i]);
    }
    return count;
}

/* The orphans among them have become ours; whoever is somebody else's child is not waited for. */
void compliance_family_end(struct compliance_family *family) {
    char name[64];
    for (int i = 0; i < family->count; i++)
        if (is_alive(family->pids[i], name, sizeof name))
            kill(family->pids[i], SIGKILL);
    for (int i = 0; i < family->count; i++)
        for (int waited = 0; waited < REAP_MS && waitpid(family->pids[i], NULL, WNOHANG) == 0;
             waited += NAP_MS)
            poll(NULL, 0, NAP_MS);
    family->count = 0;
}
