/* SPDX-License-Identifier: MIT
 *
 * Items about the end: of the engine, of its input, and of everything it started.
 */
#include "protocol/compliance_inside.h"

#include "base/mem.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ENVIRON_MAX = 1 << 17, PROCESSES_MS = 1000, NAP_MS = 20 };

/* ---- quit ---- */

/* Waits until it has ended, and counts what it still says as unasked for. */
static bool wait_for_end(struct compliance_check *c, int ms) {
    const int64_t start = clock_now_ns(c->setup->clock);
    while (!link_has_ended(c->talk.link)) {
        if (clock_seconds_since(c->setup->clock, start) * 1e3 > ms)
            return false;
        talk_listen(&c->talk, NAP_MS);
    }
    return true;
}

void compliance_test_quit(struct compliance_check *c) {
    if (!talk_send(&c->talk, "quit\n", &c->answer)) {
        compliance_fail_answer(c, "quit", "it ends");
        return;
    }
    if (!wait_for_end(c, COMPLIANCE_QUIT_MS)) {
        compliance_fail(c, "it has not ended %d s after `quit`; expected: it ends, without an answer",
                        COMPLIANCE_QUIT_MS / 1000);
        return;
    }
    const double after = clock_seconds_since(c->setup->clock, c->talk.sent_ns);
    char how[128];
    link_describe_end(c->talk.link, how, sizeof how);
    compliance_pass(c, "%s, %.0f ms after `quit`", how, after * 1e3);
}

/* ---- processes ---- */

static size_t read_file(const char *pid, const char *name, char *out, size_t size) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%.20s/%s", pid, name);
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

/* The mark, and not one that merely begins or ends like it. */
static bool contains(const char *bytes, size_t size, const char *mark) {
    const size_t length = strlen(mark);
    for (size_t i = 1; i + length < size; i++)
        if (memcmp(bytes + i, mark, length) == 0 && (bytes[i - 1] == '=' || bytes[i - 1] == ',') &&
            (bytes[i + length] == ',' || bytes[i + length] == '\0'))
            return true;
    return false;
}

static void add_name(const char *pid, char *names, size_t names_size) {
    char name[64];
    const size_t size = read_file(pid, "comm", name, sizeof name - 1);
    name[size] = '\0';
    name[strcspn(name, "\n")] = '\0';
    const size_t used = strlen(names);
    snprintf(names + used, names_size - used, "%s%s (%.20s)", used > 0 ? ", " : "", name, pid);
}

/* Dead ones that nobody has asked about yet have no environment any more. */
int compliance_carriers(const char *mark, char *names, size_t names_size) {
    int count = 0;
    names[0] = '\0';
    DIR *folder = opendir("/proc");
    char *bytes = mem_alloc(ENVIRON_MAX);
    if (folder == NULL || bytes == NULL) {
        mem_free(bytes);
        if (folder != NULL)
            closedir(folder);
        return -1;
    }
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        char *end;
        strtol(entry->d_name, &end, 10);
        if (*end != '\0' || entry->d_name[0] == '\0')
            continue;
        const size_t size = read_file(entry->d_name, "environ", bytes, ENVIRON_MAX);
        if (!contains(bytes, size, mark))
            continue;
        count++;
        add_name(entry->d_name, names, names_size);
    }
    closedir(folder);
    mem_free(bytes);
    return count;
}

void compliance_test_processes(struct compliance_check *c) {
    const int64_t start = clock_now_ns(c->setup->clock);
    const char *mark = link_mark(c->talk.link);
    char names[200];
    int count = 0;
    if (mark[0] == '\0') {
        compliance_close(c, 0);
        compliance_skip(c, "it was not started here");
        return;
    }
    while ((count = compliance_carriers(mark, names, sizeof names)) > 0 &&
           clock_seconds_since(c->setup->clock, start) * 1e3 < PROCESSES_MS)
        poll(NULL, 0, NAP_MS);
    if (count > 0)
        compliance_fail(c, "%d process%s still there a second after it ended: %s; expected: none", count,
                        count == 1 ? " is" : "es are", names);
    else if (count < 0)
        compliance_skip(c, "this system has no /proc to look into");
    else
        compliance_pass(c, "everything it started has ended");
    if (count <= 0)
        compliance_close(c, 0);
}

/* ---- the end of the input ---- */

/* Closing a link closes the engine's input, waits for it, and only then uses force. */
void compliance_test_input_end(struct compliance_check *c) {
    if (link_mark(c->talk.link)[0] == '\0') {
        compliance_skip(c, "it was not started here, so its end cannot be seen");
        return;
    }
    const int64_t start = clock_now_ns(c->setup->clock);
    compliance_close(c, COMPLIANCE_QUIT_MS);
    const double spent = clock_seconds_since(c->setup->clock, start);
    if (spent * 1e3 < COMPLIANCE_QUIT_MS)
        compliance_pass(c, "it ended %.0f ms after its input", spent * 1e3);
    else
        compliance_fail(c, "it has not ended %d s after its input; expected: as after `quit`",
                        COMPLIANCE_QUIT_MS / 1000);
}
