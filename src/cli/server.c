/* SPDX-License-Identifier: MIT */
#include "cli/server.h"

#include "base/mem.h"
#include "base/text.h"
#include "cli/cli.h"
#include "link/link.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- secrets and descriptors ---- */

enum { TOKEN_BYTES = (CLI_TOKEN_SIZE - 1) / 2 };

void cli_secret(void *out, size_t size) {
    unsigned char *bytes = out;
    while (size > 0) {
        const ssize_t got = getrandom(bytes, size, 0);
        if (got < 0 && errno != EINTR)
            exit(
                cli_fail(NULL, CLI_FAILED, "this system has no random numbers to give: %s", strerror(errno)));
        bytes += got > 0 ? got : 0;
        size -= got > 0 ? (size_t)got : 0;
    }
}

void cli_make_token(char out[CLI_TOKEN_SIZE]) {
    unsigned char bytes[TOKEN_BYTES];
    cli_secret(bytes, sizeof bytes);
    for (int i = 0; i < TOKEN_BYTES; i++)
        snprintf(out + 2 * i, 3, "%02x", (unsigned)bytes[i]);
}

bool cli_check_token(const char *option, const char *token, int length_min, struct err *e) {
    static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
    const size_t length = strlen(token);
    return (length >= (size_t)length_min && length <= CLI_TOKEN_MAX && strspn(token, allowed) == length) ||
           err_set(e, "%s: expected %d to %d letters, digits, '-', '.', '_' or '~'", option, length_min,
                   CLI_TOKEN_MAX);
}

int cli_descriptors(int wanted) {
    struct rlimit limit;
    const rlim_t all = (rlim_t)wanted;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return wanted;
    if (limit.rlim_cur < all) {
        const struct rlimit more = {limit.rlim_max < all ? limit.rlim_max : all, limit.rlim_max};
        if (setrlimit(RLIMIT_NOFILE, &more) == 0)
            limit = more;
    }
    return limit.rlim_cur < all ? (int)limit.rlim_cur : wanted;
}

/* ---- addresses ---- */

bool cli_read_place(const char *text, struct cli_place *out, struct err *e) {
    const char *end = text + strlen(text), *port = NULL;
    if (text[0] == '[') {
        const char *bracket = strchr(++text, ']');
        if (bracket == NULL || (bracket[1] != '\0' && bracket[1] != ':'))
            return err_set(e, "[%s: expected [ADDRESS] or [ADDRESS]:PORT", text);
        end = bracket;
        port = bracket[1] == ':' ? bracket + 2 : NULL;
    } else if (strchr(text, ':') != NULL && strchr(text, ':') == strrchr(text, ':')) {
        end = strchr(text, ':');
        port = end + 1;
    }
    long number = 0;
    if (port != NULL && (!text_to_int(port, &number) || number < 1 || number > 65535))
        return err_set(e, "%s: expected HOST or HOST:PORT, a port being a number from 1 to 65535", text);
    if (end == text || (size_t)(end - text) >= sizeof out->host)
        return err_set(e, "'%.100s': is no name of a host", text);
    memcpy(out->host, text, (size_t)(end - text));
    out->host[end - text] = '\0';
    out->port = (int)number;
    return true;
}

/* ---- the browser, started without a shell ---- */

enum { NAME_MAX_CHARS = 256 };

extern char **environ;

/* Starts the program with its output discarded. */
static bool start_browser(struct browser *browser, const char *program, const char *address) {
    char name[NAME_MAX_CHARS], url[1024];
    char *const arguments[] = {name, url, NULL};
    posix_spawn_file_actions_t quiet;
    snprintf(name, sizeof name, "%s", program);
    snprintf(url, sizeof url, "%s", address);
    if (posix_spawn_file_actions_init(&quiet) != 0)
        return false;
    posix_spawn_file_actions_addopen(&quiet, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&quiet, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&quiet, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    char exempt[] = LINK_EXEMPT;
    int count = 0;
    while (environ[count] != NULL)
        count++;
    char **environment = mem_alloc((size_t)(count + 2) * sizeof *environment);
    memcpy(environment, environ, (size_t)count * sizeof *environment);
    environment[count] = exempt;
    pid_t pid;
    const bool started = posix_spawnp(&pid, name, &quiet, NULL, arguments, environment) == 0;
    if (started)
        browser->pid = pid;
    mem_free(environment);
    posix_spawn_file_actions_destroy(&quiet);
    return started;
}

/* $BROWSER is a list of names separated by ':'. Names with arguments need a shell and are skipped. */
static bool start_own_choice(struct browser *browser, const char *list, const char *address) {
    while (list != NULL && *list != '\0') {
        char name[NAME_MAX_CHARS];
        const size_t size = strcspn(list, ":");
        snprintf(name, sizeof name, "%.*s", (int)(size < sizeof name ? size : 0), list);
        if (name[0] != '\0' && strpbrk(name, " %\t") == NULL && start_browser(browser, name, address))
            return true;
        list += size + (list[size] == ':');
    }
    return false;
}

bool browser_open(struct browser *browser, const char *address) {
    static const char *const programs[] = {"xdg-open", "sensible-browser"};
    if (start_own_choice(browser, getenv("BROWSER"), address))
        return true;
    if (getenv("DISPLAY") == NULL && getenv("WAYLAND_DISPLAY") == NULL)
        return false;
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++)
        if (start_browser(browser, programs[i], address))
            return true;
    return false;
}

void browser_look(struct browser *browser) {
    if (browser->pid > 0 && waitpid(browser->pid, NULL, WNOHANG) != 0)
        browser->pid = 0;
}
