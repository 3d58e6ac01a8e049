/* SPDX-License-Identifier: MIT
 *
 * How an event is shown: a table that is drawn over itself while it runs (plain lines where there is no
 * terminal), the result at its end, and files.
 */
#include "cli/tournament.h"

#include "base/file.h"
#include "base/mem.h"
#include "store/store.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { REDRAW_NS = 250000000, LINE_EVERY_S = 5, LIVE_RATINGS_MAX = 50000 };

bool tournament_view_init(struct tournament_view *v, struct err *e) {
    const size_t players = (size_t)v->event->player_count;
    v->start_ns = v->shown_ns = clock_now_ns(cli_clock());
    cli_date(v->date, sizeof v->date);
    v->standings = mem_alloc(players * sizeof *v->standings);
    v->fit = (struct rating_fit){.player_count = v->event->player_count,
                                 .map_count = v->event->map_count,
                                 .ratings = mem_alloc(players * sizeof *v->fit.ratings),
                                 .sides = mem_alloc((size_t)v->event->map_count * sizeof *v->fit.sides),
                                 .superiority = mem_alloc(players * players * sizeof *v->fit.superiority)};
    return (v->standings != NULL && v->fit.ratings != NULL && v->fit.sides != NULL &&
            v->fit.superiority != NULL) ||
           err_set(e, "not enough memory for the table");
}

void tournament_view_done(struct tournament_view *v) {
    mem_free(v->standings);
    mem_free(v->fit.ratings);
    mem_free(v->fit.sides);
    mem_free(v->fit.superiority);
    mem_free(v->rating_games);
}

/* ---- facts ---- */

static bool grow_ratings(struct tournament_view *v, int count, struct err *e) {
    if (count <= v->rating_capacity)
        return true;
    void *grown = mem_resize(v->rating_games, (size_t)count * sizeof *v->rating_games);
    if (grown == NULL)
        return err_set(e, "not enough memory for the ratings");
    v->rating_games = grown;
    v->rating_capacity = count;
    return true;
}

static bool rate(struct tournament_view *v, const struct games *games, struct err *e) {
    int count = 0;
    if (!grow_ratings(v, games->count, e))
        return false;
    for (int i = 0; i < games->count; i++) {
        const struct fixture *f = &games->fixtures[i];
        const struct outcome *o = &games->outcomes[i];
        if (o->played)
            v->rating_games[count++] =
                (struct rating_game){{f->players[0], f->players[1]}, f->map, f->pair, o->payoff};
    }
    return rating_compute(v->rating_games, count, &v->fit, e);
}

bool tournament_view_report(struct tournament_view *v, const struct games *games, bool complete,
                            struct report *out, struct err *e) {
    standings_compute(v->event, games, v->standings);
    *out = (struct report){
        .event = v->event,
        .games = games,
        .games_played = v->played,
        .games_expected = event_games_expected(v->event, games),
        .standings = v->standings,
        .seconds = clock_seconds_since(cli_clock(), v->start_ns),
        .games_untimed = v->recalled,
        .date = v->date,
        .store = v->options->store,
        .complete = complete,
    };
    const bool rated = v->played > 0 && (complete || v->played <= LIVE_RATINGS_MAX);
    if (rated && !rate(v, games, e))
        return false;
    out->ratings = rated ? v->fit.ratings : NULL;
    out->fit = rated ? &v->fit : NULL;
    return true;
}

/* ---- while it runs ---- */

static void erase(struct tournament_view *v) {
    if (v->lines > 0)
        fprintf(stderr, "\r\033[%dA\033[J", v->lines);
    v->lines = 0;
}

static int count_lines(const char *text) {
    int lines = 0;
    for (; *text != '\0'; text++)
        lines += *text == '\n';
    return lines;
}

static void draw(struct tournament_view *v, const struct games *games, int columns, int rows) {
    struct err e;
    struct report report;
    struct text text = {0};
    const struct report_style style = {columns, rows > 8 ? rows - 4 : 4, cli_colour_error()};
    if (tournament_view_report(v, games, false, &report, &e)) {
        report_table(&report, &style, &text);
        erase(v);
        fputs(text_string(&text), stderr);
        v->lines = count_lines(text_string(&text));
        fflush(stderr);
    }
    text_done(&text);
}

static void say_line(struct tournament_view *v, const struct games *games) {
    standings_compute(v->event, games, v->standings);
    const struct standing *first = &v->standings[0];
    fprintf(stderr, "%d of %d games; %s leads with %g points\n", v->played,
            event_games_expected(v->event, games), v->event->players[first->player].name, first->points);
}

void tournament_view_begin(struct tournament_view *v, const struct games *games) {
    int columns, rows;
    if (!v->options->quiet && cli_terminal_error_size(&columns, &rows))
        draw(v, games, columns, rows);
}

void tournament_view_game(void *context, const struct games *games, int number, bool recalled) {
    struct tournament_view *v = context;
    (void)number;
    int columns, rows;
    v->played++;
    v->recalled += recalled;
    const int64_t now = clock_now_ns(cli_clock());
    const bool terminal = cli_terminal_error_size(&columns, &rows);
    const int64_t every = terminal ? REDRAW_NS : INT64_C(1000000000) * LINE_EVERY_S;
    if (v->options->quiet || now - v->shown_ns < every)
        return;
    if (terminal)
        draw(v, games, columns, rows);
    else
        say_line(v, games);
    v->shown_ns = clock_now_ns(cli_clock());
}

/* ---- at the end ---- */

static void print_highlights(const struct report *report) {
    struct highlight list[REPORT_HIGHLIGHTS_MAX];
    const int count = report_highlights(report, 3, list);
    if (count > 0)
        printf("\nHighlights:\n");
    for (int i = 0; i < count; i++)
        printf("  %s (game %d)\n", list[i].text, list[i].game);
}

static bool print_result(struct tournament_view *v, const struct report *report, struct err *e) {
    struct text text = {0};
    int columns = 0, rows;
    const bool terminal = !v->through_mpirun && cli_terminal_out(&columns, &rows);
    if (v->options->json) {
        const bool ok = report_json(report, &text, e);
        fputs(text_string(&text), stdout);
        text_done(&text);
        return ok;
    }
    const struct report_style style = {terminal ? columns : 0, 0, terminal && cli_colour_out()};
    report_table(report, &style, &text);
    fputs(text_string(&text), stdout);
    if (report->complete && report->fit != NULL && !report->fit->connected)
        printf(
            "Not everybody can be compared with everybody: ratings of groups that never met are guesses.\n");
    print_highlights(report);
    text_done(&text);
    return true;
}

static bool write_text(const char *folder, const char *name, const struct text *text, struct err *e) {
    char path[4096];
    const int n = snprintf(path, sizeof path, "%s/%s", folder, name);
    if (text->failed)
        return err_set(e, "not enough memory for %s", name);
    return ((size_t)n < sizeof path || err_set(e, "%s: the name is too long", folder)) &&
           file_write(path, text_string(text), text->size, e);
}

typedef void page_function(const struct report *report, struct text *out);

static bool write_pages(const char *folder, const struct report *report, struct err *e) {
    static const struct page {
        const char *name;
        page_function *write;
    } pages[] = {
        {"standings.csv", report_standings_csv},
        {"games.csv", report_games_csv},
        {"cross-table.html", report_cross_table_html},
        {"results.html", report_print_html},
    };
    struct text text = {0};
    bool ok = report_json(report, &text, e) && write_text(folder, "results.json", &text, e);
    for (size_t i = 0; ok && i < sizeof pages / sizeof pages[0]; i++) {
        text_clear(&text);
        pages[i].write(report, &text);
        ok = write_text(folder, pages[i].name, &text, e);
    }
    text_done(&text);
    return ok;
}

static bool write_bundle(void *context, const struct store_game *game, struct err *e) {
    const char *folder = context;
    char path[4096], name[64];
    if (game->bundle == NULL)
        return true;
    const struct text text = {.data = (char *)(uintptr_t)game->bundle, .size = strlen(game->bundle)};
    snprintf(path, sizeof path, "%s/faults", folder);
    snprintf(name, sizeof name, "game-%06d.json", game->number);
    return file_make_folder(path, e) && write_text(path, name, &text, e);
}

bool tournament_view_prepare(const struct tournament_options *o, struct err *e) {
    if (o->out == NULL)
        return true;
    if (o->out[0] == '\0')
        return err_set(e, "--out needs the name of a folder");
    if (!file_make_folder(o->out, e))
        return false;
    return access(o->out, W_OK | X_OK) == 0 ||
           err_set(e, "%s: cannot be written to: %s", o->out, strerror(errno));
}

static bool write_files(struct tournament_view *v, const struct report *report, struct store *store,
                        struct err *e) {
    const char *folder = v->options->out;
    if (folder == NULL)
        return true;
    if (!file_make_folder(folder, e) || !write_pages(folder, report, e))
        return false;
    char copy[4096];
    snprintf(copy, sizeof copy, "%s", folder);
    const struct store_visit visit = {.game = write_bundle, .context = copy, .texts = true};
    return store == NULL || store_visit_games(store, &visit, e);
}

bool tournament_view_finish(struct tournament_view *v, const struct games *games, bool complete,
                            struct store *store) {
    struct err e;
    struct report report;
    erase(v);
    if (tournament_view_report(v, games, complete, &report, &e) && print_result(v, &report, &e) &&
        write_files(v, &report, store, &e))
        return true;
    cli_fail(v->command, CLI_FAILED, "%s", e.text);
    return false;
}
