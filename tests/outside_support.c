/* SPDX-License-Identifier: MIT */
#include "outside_support.h"

#include "sample.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

static const char *from_environment(const char *name) {
    const char *value = getenv(name);
    if (value == NULL)
        fail_msg("%s is not set: these tests are run by meson", name);
    return value;
}

const char *outside_saboteur(void) {
    return from_environment("SENJUTSU_SABOTEUR");
}

const char *outside_senjutsu(void) {
    return from_environment("SENJUTSU");
}

struct process {
    long pid, parent;
    char state, name[64];
};

/* The size of /proc/PID/NAME, whose first bytes `text` gets with a NUL behind them; -1: the process has
 * ended. */
static long read_proc(const char *pid, const char *name, char *text, size_t text_size) {
    char path[300];
    snprintf(path, sizeof path, "/proc/%s/%s", pid, name);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return -1;
    const size_t size = fread(text, 1, text_size - 1, file);
    fclose(file);
    text[size] = '\0';
    return (long)size;
}

static bool read_process(const char *pid, struct process *out) {
    char text[1024];
    if (read_proc(pid, "stat", text, sizeof text) < 0)
        return false;
    const char *name = strchr(text, '('), *rest = strrchr(text, ')');
    if (name == NULL || rest == NULL)
        return false;
    snprintf(out->name, sizeof out->name, "%.*s", (int)(rest - name - 1), name + 1);
    out->pid = atol(text);
    return sscanf(rest, ") %c %ld", &out->state, &out->parent) == 2;
}

static bool environment_has(const char *pid, const char *mark) {
    static char text[1 << 18];
    const long size = read_proc(pid, "environ", text, sizeof text);
    if (size < 0)
        return false;
    for (const char *entry = text; entry < text + size; entry += strlen(entry) + 1) {
        const char *found = strncmp(entry, "SENJUTSU_LINK=", 14) == 0 ? strstr(entry, mark) : NULL;
        if (found != NULL && (found[strlen(mark)] == '\0' || found[strlen(mark)] == ','))
            return true;
    }
    return false;
}

/* Counts those the question is true of. */
static int count_processes(bool (*is_meant)(const struct process *p, const char *pid, const char *what),
                           const char *what) {
    int count = 0;
    DIR *folder = opendir("/proc");
    for (const struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
        struct process p;
        if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9' && read_process(entry->d_name, &p))
            count += is_meant(&p, entry->d_name, what);
    }
    if (folder != NULL)
        closedir(folder);
    return count;
}

static bool is_carrier(const struct process *p, const char *pid, const char *mark) {
    return p->state != 'Z' && mark[0] != '\0' && environment_has(pid, mark);
}

static bool is_own_zombie(const struct process *p, const char *pid, const char *what) {
    (void)pid;
    (void)what;
    return p->state == 'Z' && p->parent == getpid();
}

/* The chain of parents reaches this process. */
static bool descends_from_us(const struct process *p) {
    struct process ancestor = *p;
    for (int i = 0; i < 100 && ancestor.parent > 1; i++) {
        char pid[24];
        if (ancestor.parent == getpid())
            return true;
        snprintf(pid, sizeof pid, "%ld", ancestor.parent);
        if (!read_process(pid, &ancestor))
            return false;
    }
    return false;
}

static bool is_named(const struct process *p, const char *pid, const char *name) {
    (void)pid;
    return p->state != 'Z' && strcmp(p->name, name) == 0 && descends_from_us(p);
}

int outside_carriers(const char *mark) {
    return count_processes(is_carrier, mark);
}

int outside_zombies(void) {
    return count_processes(is_own_zombie, NULL);
}

int outside_processes_named(const char *name) {
    return count_processes(is_named, name);
}

long outside_peak_kilobytes(void) {
#if IS_SANITIZED
    return 0; /* the sanitizer delays the reuse of freed memory */
#else
    char line[200];
    long peak = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "VmHWM: %ld", &peak) == 1)
            break;
    if (file != NULL)
        fclose(file);
    return peak;
#endif
}

int outside_open_files(void) {
    int count = 0;
    DIR *list = opendir("/proc/self/fd");
    for (; list != NULL && readdir(list) != NULL; count++)
        continue;
    if (list != NULL)
        closedir(list);
    return count;
}
