/* SPDX-License-Identifier: MIT
 *
 * Pictures of a result: scripts and data for gnuplot, boards, and running gnuplot.
 */
#include "repro/plot.h"

#include "base/encode.h"
#include "base/file.h"
#include "config.h"
#include "game/tbs/show.h"
#include "repro/output.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

/* ---- scripts and data ---- */

/* The name is that of the files, and unique because suffixes are within an experiment. */
struct repro_plot *plot_add(struct repro_result *out, const char *suffix, const char *title) {
    assert(out->plot_count < REPRO_PLOTS_MAX);
    struct repro_plot *plot = &out->plots[out->plot_count++];
    snprintf(plot->name, sizeof plot->name, "%s-%s", out->experiment->name, suffix);
    snprintf(plot->title, sizeof plot->title, "%.127s", rows_plain(title).text);
    return plot;
}

/* Text without a mark is the same in every language and needs no note. */
struct rows_label plot_text(struct repro_plot *plot, const char *label) {
    if (strchr(label, '[') != NULL)
        text_add(&plot->texts, "%s\n", label);
    return rows_plain(label);
}

/* In this order: texts of a plot are numbered as they are noted. */
void plot_axes(struct repro_plot *plot, const char *x, const char *y) {
    text_add(&plot->commands, "set xlabel \"%s\" noenhanced\n", plot_text(plot, x).text);
    text_add(&plot->commands, "set ylabel \"%s\" noenhanced\n", plot_text(plot, y).text);
}

/* The folder comes as an argument (`gnuplot -c NAME.gp FOLDER`) when the caller is not in it. The commands
 * may set another height. */
void plot_script(struct repro_plot *plot) {
    const char *drawing = text_string(&plot->drawing);
    text_add(&plot->script,
             "# Run 'gnuplot %s.gp' in this folder to make the pictures again.\n"
             "if (exists(\"ARGC\")) { if (ARGC > 0) { cd ARG1 } }\n"
             "data = \"%s.csv\"\n"
             "set encoding utf8\n"
             "set datafile separator comma\n"
             "set title \"%s\" noenhanced\n"
             "set grid ytics lc rgb \"#dddddd\"\n"
             "set border 3\n"
             "set tics nomirror out\n"
             "high = 500\n"
             "%s"
             "set terminal svg size 860,high dynamic noenhanced font \"sans-serif,14\" background \"white\"\n"
             "set output \"%s.svg\"\n"
             "%s"
             "set terminal pngcairo size 1290,1.5*high noenhanced font \"sans,13\"\n"
             "set output \"%s.png\"\n"
             "%s"
             "set output\n",
             plot->name, plot->name, plot->title, text_string(&plot->commands), plot->name, drawing,
             plot->name, drawing);
}

/* Lines of data begin with a label, so every number follows a comma. */
void plot_number(double number, struct text *out) {
    text_add_string(out, ",");
    if (isfinite(number))
        output_number(number, out);
    else
        text_add_string(out, "NaN");
}

/* More rows than these have steep labels, and a higher picture: labels must leave room for the bars. */
#define FEW_ROWS 12

/* Rows without an interval get one without width, which is drawn as a dash. Where no row has a published
 * figure there is one bar a row, and it is wider. */
void plot_rows(struct repro_result *out, const char *suffix, const char *title,
               const struct plot_bars *bars) {
    struct repro_plot *plot = plot_add(out, suffix, title);
    bool published = false;
    int count = 0;
    text_add_string(&plot->data, "label,published,ours,low,high\n");
    for (const struct repro_row *row = out->rows; row < out->rows + out->row_count; row++) {
        if (strcmp(row->unit, bars->unit) != 0)
            continue;
        csv_field(row->label, &plot->data);
        plot_number(row->published, &plot->data);
        plot_number(row->ours, &plot->data);
        plot_number(isnan(row->low) ? row->ours : row->low, &plot->data);
        plot_number(isnan(row->high) ? row->ours : row->high, &plot->data);
        text_add_string(&plot->data, "\n");
        published = published || !isnan(row->published);
        count++;
    }
    text_add(&plot->commands,
             "set style fill solid 0.9 noborder\n"
             "set boxwidth %s\n"
             "set key outside top center horizontal\n"
             "set ylabel \"%s\" noenhanced\n"
             "set xrange [-0.6:%d.6]\n"
             "set xtics rotate by %s left noenhanced\n"
             "%s%s",
             published ? "0.38" : "0.6", plot_text(plot, bars->axis).text, count - 1,
             count > FEW_ROWS ? "-60" : "-30", count > FEW_ROWS ? "high = 760\n" : "",
             bars->logarithmic ? "set logscale y\nset format y \"%g\"\n" : "set yrange [0:*]\n");
    text_add_string(&plot->drawing,
                    published ? "plot data skip 1 using ($0 - 0.2):2:xtic(1) with boxes lc rgb \"#9aa5b1\" "
                                "title \"published\", \\\n"
                                "     data skip 1 using ($0 + 0.2):3 with boxes lc rgb \"#2f6db5\" "
                                "title \"ours, with 95% interval\", \\\n"
                                "     data skip 1 using ($0 + 0.2):4:(0):($5 - $4) " PLOT_INTERVALS "\n"
                              : "plot data skip 1 using 0:3:xtic(1) with boxes lc rgb \"#2f6db5\" "
                                "title \"ours\", \\\n"
                                "     data skip 1 using 0:4:(0):($5 - $4) " PLOT_INTERVALS "\n");
    text_add_string(&plot->texts, published
                                      ? "[published|published]\n[ours_interval|ours, with 95% interval]\n"
                                      : "[ours|ours]\n");
    plot_script(plot);
}

/* ---- pictures ---- */

extern char **environ; /* handed on to gnuplot, not read */

enum { NO_PROGRAM = 127, PICTURE_SIZE_MAX = 64 << 20 };

/* ---- folders ---- */

/* Experiments whose repetitions are not games store none. */
bool repro_make_folders(const struct repro_experiment *experiment, const char *folder, struct err *e) {
    char games[FILE_PATH_MAX];
    return file_path(games, e, "%s/%s-games", folder, experiment->name) && file_make_folder(folder, e) &&
           (experiment->run != NULL || file_make_folder(games, e));
}

bool repro_read_map(void *maps_folder, const char *name, struct text *out, struct err *e) {
    char path[FILE_PATH_MAX];
    return file_path(path, e, "%s/%s.tbsmap", (const char *)maps_folder, name) &&
           file_read(path, TBS_MAP_TEXT_MAX, out, e);
}

/* ---- boards ---- */

#ifdef SENJUTSU_CAIRO
static bool draw_board(const char *folder, const char *maps_folder, const char *name, struct err *e) {
    static const char *const endings[] = {"svg", "png"};
    static const enum tbs_picture formats[] = {TBS_PICTURE_SVG, TBS_PICTURE_PNG};
    char path[FILE_PATH_MAX];
    struct text text = {0};
    struct tbs_map map;
    struct tbs_position position;
    bool ok = file_path(path, e, "%s", maps_folder) && repro_read_map(path, name, &text, e) &&
              tbs_map_load(name, text_string(&text), text.size, &map, e);
    if (ok)
        tbs_map_position(&map, &position);
    for (int i = 0; ok && i < 2; i++)
        ok = file_path(path, e, "%s/map-%s.%s", folder, name, endings[i]) &&
             tbs_draw(&map, &position, path, formats[i], TBS_DRAW_CELL_DEFAULT, e);
    text_done(&text);
    return ok;
}
#endif

/* ---- plots ---- */

/* gnuplot's messages do not reach the user's terminal: it warns about fonts. */
static int run_gnuplot(const char *script, const char *folder) {
    const char *const words[] = {"gnuplot", "-c", script, folder, NULL};
    char *arguments[5];
    memcpy(arguments, words,
           sizeof arguments); /* posix_spawn takes them without const and does not change them */
    posix_spawn_file_actions_t files;
    pid_t child;
    int status = NO_PROGRAM << 8;
    if (posix_spawn_file_actions_init(&files) != 0)
        return NO_PROGRAM;
    for (int fd = 0; fd <= 2; fd++)
        posix_spawn_file_actions_addopen(&files, fd, "/dev/null", fd == 0 ? O_RDONLY : O_WRONLY, 0);
    if (posix_spawnp(&child, "gnuplot", &files, NULL, arguments, environ) == 0)
        while (waitpid(child, &status, 0) < 0 && errno == EINTR)
            ;
    posix_spawn_file_actions_destroy(&files);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 126;
}

/* gnuplot reports no error when the disk is full; an incomplete picture shows it. */
static bool check_picture(const char *folder, const char *name, const char *ending, const char *end,
                          struct err *e) {
    char path[FILE_PATH_MAX];
    struct text picture = {0};
    if (!file_path(path, e, "%s/%s%s", folder, name, ending))
        return false;
    if (!file_is_plain(path))
        return true;
    bool ok = file_read(path, PICTURE_SIZE_MAX, &picture, e);
    while (picture.size > 0 && picture.data[picture.size - 1] == '\n')
        picture.size--;
    if (ok && (picture.size < strlen(end) ||
               memcmp(picture.data + picture.size - strlen(end), end, strlen(end)) != 0))
        ok = err_set(e, "%s: gnuplot could not finish it; is the disk full?", path);
    text_done(&picture);
    return ok || (file_remove(path, NULL), false); /* half a picture is none */
}

/* Boards need Cairo in this build, plots need gnuplot on this machine. Without gnuplot the first plot is
 * tried and the others are not. */
bool repro_draw(const struct repro_result *result, const char *folder, const char *maps_folder,
                struct repro_missing *missing, struct err *e) {
    *missing = (struct repro_missing){.plot = -1};
    const char *const *maps = result->experiment->maps;
#ifdef SENJUTSU_CAIRO
    for (int i = 0; maps != NULL && maps[i] != NULL; i++)
        if (!draw_board(folder, maps_folder, maps[i], e))
            return false;
#else
    (void)maps_folder;
    missing->boards = maps != NULL;
#endif
    for (int i = 0; !missing->gnuplot && i < result->plot_count; i++) {
        const char *name = result->plots[i].name;
        char script[FILE_PATH_MAX];
        if (!file_path(script, e, "%s/%s.gp", folder, name))
            return false;
        const int status = run_gnuplot(script, folder);
        missing->gnuplot = status == NO_PROGRAM;
        if (status == 0 && !(check_picture(folder, name, ".svg", "</svg>", e) &&
                             check_picture(folder, name, ".png", "IEND\xae\x42\x60\x82", e)))
            return false;
        if (status != 0 && missing->plot < 0) {
            missing->plot = i;
            missing->plot_status = status;
        }
    }
    return true;
}
