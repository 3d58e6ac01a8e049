/* SPDX-License-Identifier: MIT */
#include "tests/served_support.h"

#include "net/message.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

static void fixed_date(char *out, size_t out_size) {
    snprintf(out, out_size, "2024-05-01T10:00:00Z");
}

char served_warned[16384];

static void note_warning(const char *sentence) {
    const size_t used = strlen(served_warned);
    snprintf(served_warned + used, sizeof served_warned - used, "%s\n", sentence);
}

/* Never the same twice, which suffices for tests. */
static void count_up(void *out, size_t size) {
    static unsigned counter;
    unsigned char *bytes = out;
    for (size_t i = 0; i < size; i++)
        bytes[i] = (unsigned char)(i < 4 ? counter >> 5 * i : 7 * i);
    counter++;
}

void served_open(struct served *served) {
    static struct clock clock;
    clock = clock_system();
    if (served->root[0] == '\0') {
        assert_true(scratch_folder("served", served->root));
        snprintf(served->data, sizeof served->data, "%s/data", served->root);
    }
    static char maps[4096];
    const char *root = getenv("SENJUTSU_ROOT");
    snprintf(maps, sizeof maps, "%s/maps", root != NULL ? root : ".");
    const struct workbench_setup setup = {.data = served->data,
                                          .maps = maps,
                                          .cores = served->cores > 0 ? served->cores : 2,
                                          .programs = served->programs,
                                          .idle = served->idle,
                                          .clock = served->clock != NULL ? served->clock : &clock,
                                          .date = fixed_date,
                                          .secret = count_up,
                                          .warn = note_warning};
    served_warned[0] = '\0';
    struct err e = {""};
    served->bench = workbench_open(&setup, &e);
    if (served->bench == NULL)
        fail_msg("%s", e.text);
}

void served_close(struct served *served) {
    workbench_close(served->bench);
    served->bench = NULL;
}

/* ---- folders ---- */

static int visit(const char *folder, bool remove_all) {
    int count = 0;
    DIR *directory = opendir(folder);
    for (const struct dirent *d; directory != NULL && (d = readdir(directory)) != NULL;) {
        char path[4096];
        struct stat status;
        if (strcmp(d->d_name, ".") == 0 || strcmp(d->d_name, "..") == 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, d->d_name);
        count++;
        if (lstat(path, &status) == 0 && S_ISDIR(status.st_mode))
            count += visit(path, remove_all);
        if (remove_all)
            remove(path);
    }
    if (directory != NULL)
        closedir(directory);
    return count;
}

int served_count(const char *folder) {
    return visit(folder, false);
}

void served_remove(struct served *served) {
    if (served->bench != NULL)
        served_close(served);
    visit(served->root, true);
    rmdir(served->root);
    served->root[0] = '\0';
}

/* ---- asking ---- */

/* Cuts "?a=b&c=d" off a copy of the path. */
static void read_query(char *path, struct message_in *in) {
    char *at = strchr(path, '?');
    while (at != NULL && in->query_count < MESSAGE_QUERY_MAX) {
        *at++ = '\0';
        char *equals = strchr(at, '=');
        assert_non_null(equals);
        *equals = '\0';
        in->query[in->query_count++] = (struct message_query){at, equals + 1};
        at = strchr(equals + 1, '&');
    }
}

struct message_out served_raw(struct served *served, enum message_method method, const char *path,
                              const char *body) {
    char copy[1024];
    struct message_out out = {0};
    struct message_in in = {
        .method = method, .path = copy, .body = body, .body_size = body != NULL ? strlen(body) : 0};
    snprintf(copy, sizeof copy, "%s", path);
    read_query(copy, &in);
    workbench_handle(served->bench, &in, &out);
    return out;
}

json_t *served_ask(struct served *served, enum message_method method, const char *path, const char *body,
                   int status) {
    struct message_out out = served_raw(served, method, path, body);
    if (out.status != status)
        fail_msg("%s: status %d, not %d: %s", path, out.status, status, text_string(&out.body));
    json_t *answer = NULL;
    if (status != 204 && out.stream == NULL) {
        answer = json_loadb(text_string(&out.body), out.body.size, JSON_DECODE_ANY, NULL);
        assert_non_null(answer);
    }
    message_done(&out);
    return answer;
}

void served_fail(struct served *served, enum message_method method, const char *path, const char *body,
                 int status, const char *field, const char *words) {
    json_t *answer = served_ask(served, method, path, body, status);
    const char *error = json_string_value(json_object_get(answer, "error"));
    const char *named = json_string_value(json_object_get(answer, "field"));
    if (error == NULL || strstr(error, words) == NULL)
        fail_msg("%s: '%s' does not say '%s'", path, error != NULL ? error : "nothing", words);
    if (strcmp(named != NULL ? named : "-", field != NULL ? field : "-") != 0)
        fail_msg("%s: names '%s', not '%s' (%s)", path, named != NULL ? named : "-",
                 field != NULL ? field : "-", error);
    json_decref(answer);
}

json_t *served_wait(struct served *served, const char *path) {
    const struct timespec moment = {.tv_nsec = 5000000};
    for (int i = 0; i < 60000; i++) {
        json_t *answer = served_ask(served, MESSAGE_GET, path, NULL, 200);
        if (strcmp(json_string_value(json_object_get(answer, "state")), "running") != 0)
            return answer;
        json_decref(answer);
        nanosleep(&moment, NULL);
    }
    return NULL;
}
