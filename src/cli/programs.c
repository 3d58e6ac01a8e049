/* SPDX-License-Identifier: MIT
 *
 * A mistyped command of an external player would lose every game as a crash. That is a ruling, not an error,
 * so it is only warned of: an event that goes on must not be stopped by a program that is gone.
 */
#include "cli/cli.h"

#include "base/spec.h"
#include "player/ext.h"
#include "protocol/talk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PROGRAM_MAX = 512, FOLDER_MAX = 4096 };

/* The first word of a command, when it is the name of a program as far as we can tell: the shell knows more
 * than we do. */
static bool program_of(const char *command, char *out, size_t out_size) {
    static const char *const shell_words[] = {"cd",   "exec", "if",     "for", "while",
                                              "case", "set",  "export", ".",   ":"};
    command += strspn(command, " \t");
    const size_t size = strcspn(command, " \t");
    if (size == 0 || size >= out_size)
        return false;
    memcpy(out, command, size);
    out[size] = '\0';
    for (size_t i = 0; i < sizeof shell_words / sizeof shell_words[0]; i++)
        if (strcmp(shell_words[i], out) == 0)
            return false;
    return strpbrk(out, "=;|&<>()`$'\"\\*?[~!{}") == NULL;
}

static bool is_in_path(const char *program) {
    const char *at = getenv("PATH");
    while (at != NULL && *at != '\0') {
        char file[FOLDER_MAX + PROGRAM_MAX + 1];
        const size_t size = strcspn(at, ":");
        snprintf(file, sizeof file, "%.*s%s%.*s", size < FOLDER_MAX ? (int)size : 0, at, size > 0 ? "/" : "",
                 PROGRAM_MAX, program);
        if (access(file, X_OK) == 0)
            return true;
        at += size + (at[size] == ':');
    }
    return false;
}

static bool is_there(const char *program) {
    return strchr(program, '/') != NULL ? access(program, X_OK) == 0 : is_in_path(program);
}

void cli_warn_of_player(const struct cli_command *command, const char *name, const char *player) {
    struct ext_options options;
    char program[PROGRAM_MAX];
    if (!talk_read_spec(player, &options, NULL) || !program_of(options.cmd, program, sizeof program) ||
        is_there(program))
        return;
    cli_fail(command, CLI_FAILED,
             "warning: %s: there is no program '%s' to start; all its games will be lost", name, program);
}
