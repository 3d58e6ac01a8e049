/* SPDX-License-Identifier: MIT
 *
 * How an event is shown: a table that is drawn over itself while it runs (plain lines where there is no
 * terminal), the result at its end, and files.
 */
#include "cli/tournament.h"

#include "base/file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { REDRAW_NS = 250000000, LINE_EVERY_S = 5 };

bool tournament_view_init(struct tournament_view *v, struct err *e) {
    v->start_ns = v->shown_ns = clock_now_ns(cli_clock());
    cli_date(v->date, sizeof v->date);
    return event_table_init(&v->table, v->event, e);
}

void tournament_view_done(struct tournament_view *v) {
    event_table_done(&v->table);
}

bool tournament_view_report(struct tournament_view *v, const struct games *games, bool complete,
                            struct report *out, struct err *e) {
    const struct event_moment moment = {
        .played = v->played,
        .recalled = v->recalled,
        .seconds = clock_seconds_since(cli_clock(), v->start_ns),
        .date = v->date,
        .store = v->options->store,
        .complete = complete,
    };
    return event_table_report(&v->table, games, &moment, out, e);
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
    standings_compute(v->event, games, v->table.standings);
    const struct standing *first = &v->table.standings[0];
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

bool tournament_view_finish(struct tournament_view *v, const struct games *games, bool complete,
                            struct store *store) {
    struct err e;
    struct report report;
    erase(v);
    if (tournament_view_report(v, games, complete, &report, &e) && print_result(v, &report, &e) &&
        (v->options->out == NULL || report_write_files(&report, v->options->out, store, &e)))
        return true;
    cli_fail(v->command, CLI_FAILED, "%s", e.text);
    return false;
}
