/* SPDX-License-Identifier: MIT */
#include "cli/browser.h"

#include "base/mem.h"
#include "link/link.h"

#include <fcntl.h>
#include <spawn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NAME_MAX_CHARS = 256 };

extern char **environ;

/* Our environment with LINK_EXEMPT in it; NULL when memory ran out. The caller frees the list. */
static char **exempt_environment(char *exempt) {
    int count = 0;
    while (environ[count] != NULL)
        count++;
    char **out = mem_alloc((size_t)(count + 2) * sizeof *out);
    if (out == NULL)
        return NULL;
    memcpy(out, environ, (size_t)count * sizeof *out);
    out[count] = exempt;
    return out;
}

/* What it says is not for our terminal. */
static bool start(struct browser *browser, const char *program, const char *address) {
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
    char **environment = exempt_environment(exempt);
    const bool started =
        environment != NULL && posix_spawnp(&browser->pid, name, &quiet, NULL, arguments, environment) == 0;
    mem_free(environment);
    posix_spawn_file_actions_destroy(&quiet);
    if (!started)
        browser->pid = 0;
    return started;
}

/* $BROWSER is a list with ':' between names. Those with arguments are for a shell: we have none. */
static bool start_own_choice(struct browser *browser, const char *list, const char *address) {
    while (list != NULL && *list != '\0') {
        char name[NAME_MAX_CHARS];
        const size_t size = strcspn(list, ":");
        snprintf(name, sizeof name, "%.*s", (int)(size < sizeof name ? size : 0), list);
        if (name[0] != '\0' && strpbrk(name, " %\t") == NULL && start(browser, name, address))
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
        if (start(browser, programs[i], address))
            return true;
    return false;
}

void browser_look(struct browser *browser) {
    if (browser->pid > 0 && waitpid(browser->pid, NULL, WNOHANG) != 0)
        browser->pid = 0;
}
