/* SPDX-License-Identifier: MIT
 *
 * `repro`: folders, board pictures, and running gnuplot.
 */
#include "cli/repro.h"

#include "base/file.h"
#include "config.h"
#include "game/tbs/draw.h"
#include "game/tbs/tbs.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

extern char **environ;

/* ---- folders ---- */

bool repro_make_folders(const struct repro_command *c, const struct repro_experiment *experiment,
                        struct err *e) {
    char folder[4096];
    if (c->out == NULL)
        return true;
    const int n = snprintf(folder, sizeof folder, "%s/%s-games", c->out, experiment->name);
    if (n < 0 || (size_t)n >= sizeof folder)
        return err_set(e, "%.200s: the name is too long", c->out);
    return file_make_folder(c->out, e) && (!experiment->stores_games || file_make_folder(folder, e));
}

bool repro_map_path(const char *name, char *out, size_t out_size, struct err *e) {
    char folder[4096];
    if (!cli_maps_folder(folder, sizeof folder))
        return err_set(e, "the folder with our own maps is not to be found");
    const int n = snprintf(out, out_size, "%s/%s.tbsmap", folder, name);
    return (n > 0 && (size_t)n < out_size) || err_set(e, "%.200s: the name is too long", folder);
}

/* ---- boards ---- */

#ifdef SENJUTSU_CAIRO
static bool draw_board(const struct repro_command *c, const char *name, struct err *e) {
    char file[4096];
    struct scenario *scenario = NULL;
    if (repro_map_path(name, file, sizeof file, e))
        scenario = cli_load_map(file, NULL, e);
    if (scenario == NULL)
        return false;
    const struct tbs_map *map = tbs_scenario_map(scenario);
    struct tbs_position position;
    tbs_map_position(map, &position);
    static const char *const endings[] = {"svg", "png"};
    static const enum tbs_picture formats[] = {TBS_PICTURE_SVG, TBS_PICTURE_PNG};
    bool ok = true;
    for (int i = 0; ok && i < 2; i++) {
        char path[4096];
        const int n = snprintf(path, sizeof path, "%s/map-%s.%s", c->out, name, endings[i]);
        ok = n > 0 && (size_t)n < sizeof path
                 ? tbs_draw(map, &position, path, formats[i], TBS_DRAW_CELL_USUAL, e)
                 : err_set(e, "%.200s: the name is too long", c->out);
    }
    scenario->game->unload(scenario);
    return ok;
}

static bool draw_boards(const struct repro_command *c, const struct repro_experiment *x) {
    struct err e;
    for (int i = 0; x->maps != NULL && x->maps[i] != NULL; i++)
        if (!draw_board(c, x->maps[i], &e)) {
            cli_fail(c->command, CLI_FAILED, "%s", e.text);
            return false;
        }
    return true;
}
#else
static bool draw_boards(const struct repro_command *c, const struct repro_experiment *x) {
    if (!c->quiet && x->maps != NULL)
        fprintf(stderr, "no pictures of the boards: this build has no Cairo\n");
    return true;
}
#endif

/* ---- plots ---- */

/* 127: there is no gnuplot. Its own messages are kept away from the user's terminal: it warns about fonts. */
static int run_gnuplot(const char *script, const char *folder) {
    const char *const words[] = {"gnuplot", "-c", script, folder, NULL};
    char *arguments[5];
    memcpy(arguments, words, sizeof arguments); /* posix_spawn wants them not const, and leaves them alone */
    posix_spawn_file_actions_t files;
    pid_t child;
    int status = 127 << 8;
    if (posix_spawn_file_actions_init(&files) != 0)
        return 127;
    for (int fd = 0; fd <= 2; fd++)
        posix_spawn_file_actions_addopen(&files, fd, "/dev/null", fd == 0 ? O_RDONLY : O_WRONLY, 0);
    if (posix_spawnp(&child, "gnuplot", &files, NULL, arguments, environ) == 0)
        while (waitpid(child, &status, 0) < 0 && errno == EINTR)
            ;
    posix_spawn_file_actions_destroy(&files);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 126;
}

bool repro_draw(const struct repro_command *c, const struct repro_result *result) {
    if (!draw_boards(c, result->experiment))
        return false;
    for (int i = 0; i < result->plot_count; i++) {
        char script[4096];
        const int n = snprintf(script, sizeof script, "%s/%s.gp", c->out, result->plots[i].name);
        if (n < 0 || (size_t)n >= sizeof script)
            return false; /* it was written under that name just now */
        const int status = run_gnuplot(script, c->out);
        if (status == 127) {
            if (!c->quiet)
                fprintf(stderr,
                        "no picture was made: there is no gnuplot (package gnuplot-nox); the data and the "
                        "script are %s/%s.csv and .gp\n",
                        c->out, result->plots[i].name);
            return true;
        }
        if (status != 0 && !c->quiet)
            fprintf(stderr, "no picture was made: gnuplot failed on %s (status %d)\n", script, status);
    }
    return true;
}
