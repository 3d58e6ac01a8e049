/* SPDX-License-Identifier: MIT
 *
 * What players may start, connect to and read (docs/trust.md): everything typed on this command line, and
 * what a file names once a person has allowed it. Also a warning about commands that name no program.
 */
#include "cli/cli.h"

#include "player/grant.h"
#include "protocol/talk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROGRAM_MAX = 512, FOLDER_MAX = 4096 };

/* ---- permissions ---- */

static struct grant granted; /* for the rest of the process */

const struct grant *cli_grant(void) {
    return &granted;
}

void cli_typed_player(const char *spec) {
    grant_add(&granted, spec, NULL);
}

/* Asks a person at a terminal, unless --programs allows it. The terminal of mpirun is not interactive. */
static bool get_leave(const struct cli_named *named, const struct text *missing) {
    char line[16];
    cli_error(CLI_FAILED,
              named->programs ? "%s names players that do this, and --programs allows it:"
                              : "%s names players that do what was not typed on this command line:",
              named->file);
    for (const char *at = text_string(missing); *at != '\0'; at = strchr(at, '\n') + 1)
        fprintf(stderr, "  %.*s\n", (int)strcspn(at, "\n"), at);
    if (named->programs)
        return true;
    if (!isatty(STDIN_FILENO) || !isatty(STDERR_FILENO) || cli_is_under_mpirun()) {
        fprintf(stderr, "Nothing of that was done. If you trust it, --programs allows it.\n");
        return false;
    }
    fputs("Allow this? [y/N] ", stderr);
    fflush(stderr);
    const bool read = fgets(line, sizeof line, stdin) != NULL;
    if (!read)
        fputc('\n', stderr);
    return read && (strcmp(line, "y\n") == 0 || strcmp(line, "yes\n") == 0);
}

bool cli_permit(const struct cli_named *named) {
    struct text missing = {0};
    struct err e;
    bool ok = true;
    for (int i = 0; ok && i < named->count; i++)
        ok = grant_missing(&granted, named->specs[i], &missing, &e);
    if (!ok)
        cli_error(CLI_FAILED, "%s: %s", named->file, e.text);
    ok = ok && (missing.size == 0 || get_leave(named, &missing));
    for (int i = 0; ok && i < named->count; i++)
        cli_typed_player(named->specs[i]); /* from now on they count as typed */
    text_done(&missing);
    return ok;
}

/* ---- missing programs ----
 *
 * A mistyped command of an external player would lose every game as a crash. That is a ruling, not an
 * error, so it only causes a warning: a running tournament must not stop because a program is missing. */

/* The first word of a command, if it is evidently a program. Other commands are left to the shell. */
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

/* Follows execvp: a name with a slash is a path, others are looked for in $PATH, whose empty parts are the
 * current folder. */
static bool is_there(const char *program) {
    if (strchr(program, '/') != NULL)
        return access(program, X_OK) == 0;
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

/* Only the outer program of a player is looked for; what a script starts is not known here. */
void cli_check_program(const char *name, const char *player) {
    struct ext_options options;
    char program[PROGRAM_MAX];
    if (!talk_read_spec(player, &options, NULL) || !program_of(options.cmd, program, sizeof program) ||
        is_there(program))
        return;
    cli_error(CLI_FAILED, "warning: %s: there is no program '%s' to start; all its games will be lost", name,
              program);
}
