/* SPDX-License-Identifier: MIT
 *
 * How many games at a time this machine's limits allow. Each external player is a process and a few
 * descriptors; a run that meets a limit in the middle has to stop, so it is made smaller before it begins.
 */
#include "cli/cli.h"

#include "cli/server.h"
#include "link/link.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    DESCRIPTORS_KEPT = 8,   /* for stores, records and pages that are written meanwhile */
    DESCRIPTORS_ENDING = 2, /* a worker that ends a program reads the list of processes */
    PROCESSES_EACH = 2,     /* a program and the shell that started it */
    PROCESSES_KEPT = 8,
    DESCRIPTORS_MAX = 1 << 20,
};

/* How many external players are in the spec, also inside of others ("split:player=[ext:…]"). */
static int external_players(const char *spec) {
    int count = 0;
    for (const char *at = spec; (at = strstr(at, "ext:")) != NULL; at++)
        count += at == spec || strchr("[=; ", at[-1]) != NULL;
    return count;
}

static int count_entries(const char *folder) {
    DIR *list = opendir(folder);
    int count = 0;
    while (list != NULL && readdir(list) != NULL)
        count++;
    if (list != NULL)
        closedir(list);
    return count;
}

/* Threads count, too: a folder has a link for each folder in it, and two of its own. */
static int tasks_of_user(uid_t user) {
    DIR *list = opendir("/proc");
    int count = 0;
    for (const struct dirent *entry; list != NULL && (entry = readdir(list)) != NULL;) {
        char path[300];
        struct stat about;
        snprintf(path, sizeof path, "/proc/%s/task", entry->d_name);
        if (strspn(entry->d_name, "0123456789") > 0 && stat(path, &about) == 0 && about.st_uid == user)
            count += about.st_nlink > 2 ? (int)about.st_nlink - 2 : 1;
    }
    if (list != NULL)
        closedir(list);
    return count;
}

struct jobs_limit {
    int jobs, each; /* so many, for each needs that many */
    long allowed;
    const char *what, *option; /* "open files", "ulimit -n" */
};

static void take_smaller(struct jobs_limit *smallest, const struct jobs_limit *other) {
    if (other->jobs < smallest->jobs)
        *smallest = *other;
}

static struct jobs_limit by_descriptors(int wanted, int players) {
    const int each = LINK_DESCRIPTORS * players + DESCRIPTORS_ENDING;
    const int open_now = count_entries("/proc/self/fd") + DESCRIPTORS_KEPT + LINK_DESCRIPTORS_STARTING;
    const int need = open_now + each * wanted;
    const int allowed = cli_descriptors(need < DESCRIPTORS_MAX ? need : DESCRIPTORS_MAX);
    return (struct jobs_limit){(allowed - open_now) / each, each, allowed, "open files", "ulimit -n"};
}

/* The kernel does not count root's. */
static struct jobs_limit by_processes(int wanted, int players) {
    const int each = 1 + PROCESSES_EACH * players;
    struct rlimit limit;
    struct jobs_limit out = {wanted, each, 0, "processes", "ulimit -u"};
    if (geteuid() == 0 || getrlimit(RLIMIT_NPROC, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
        limit.rlim_cur > DESCRIPTORS_MAX)
        return out;
    out.allowed = (long)limit.rlim_cur;
    out.jobs = (int)((out.allowed - tasks_of_user(geteuid()) - PROCESSES_KEPT) / each);
    return out;
}

int cli_limit_jobs(const struct cli_command *command, int jobs, const struct cli_programs *programs) {
    int players = 0;
    for (int i = 0; i < programs->count; i++)
        players += external_players(programs->specs[i]) * programs->copies;
    if (programs->open_max > 0 && players > programs->open_max)
        players = programs->open_max;
    const int wanted = jobs > 0 ? jobs : cli_cores();
    if (players == 0)
        return wanted;
    struct jobs_limit least = by_descriptors(wanted, players);
    const struct jobs_limit processes = by_processes(wanted, players);
    take_smaller(&least, &processes);
    if (least.jobs >= wanted)
        return wanted;
    const int fitting = least.jobs > 1 ? least.jobs : 1;
    if (fitting < wanted)
        cli_fail(command, CLI_OK,
                 "%d game%s at a time and not %d: %ld %s are allowed (%s), and a game needs %d", fitting,
                 fitting == 1 ? "" : "s", wanted, least.allowed, least.what, least.option, least.each);
    return fitting;
}
