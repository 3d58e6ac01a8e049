/* SPDX-License-Identifier: MIT
 *
 * Both pages of a report: the cross-table for a screen and the results for print, after what they share.
 * Every element is closed and every value quoted, so that the pages are well-formed XML, too, except their
 * first line.
 */
#include "base/encode.h"
#include "tournament/report_data.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { HIGHLIGHTS_PER_KIND = 3 };

/* ---- text ---- */

/* Escaped, and cut like report_fit. */
static void html_short(const char *string, int columns, struct text *out) {
    struct text fitted = {0};
    report_fit(string, columns, &fitted);
    html_escape(text_string(&fitted), out);
    out->failed = out->failed || fitted.failed;
    text_done(&fitted);
}

/* With a real minus sign. */
static void html_number(double value, struct text *out) {
    char number[REPORT_NUMBER_MAX];
    report_number(fabs(value), number);
    text_add(out, "%s%s", value < 0 && strcmp(number, "0") != 0 ? "−" : "", number);
}

/* "+23 ± 40", or a dash. */
static void html_elo(const struct report *report, int player, struct text *out) {
    if (report->ratings == NULL) {
        text_add_string(out, "–");
        return;
    }
    const struct rating *rating = &report->ratings[player];
    const double elo = round(rating->elo);
    text_add(out, "%s%.0f ± %.0f", elo > 0 ? "+" : elo < 0 ? "−" : "", fabs(elo), rating->error);
}

/* "3", or "3–4" when shared. */
static void html_place(const struct report *report, int row, struct text *out) {
    int last;
    if (report_place_is_shared(report, row, &last))
        text_add(out, "%d–%d", report->standings[row].place, last);
    else
        text_add(out, "%d", report->standings[row].place);
}

/* "62.5%", or a dash without games. */
static void html_score(const struct tally *tally, struct text *out) {
    if (tally_games(tally) > 0)
        text_add(out, "%.1f%%", 100 * tally_score(tally));
    else
        text_add_string(out, "–");
}

/* A cell of its own, only where payoffs have shades. */
static void html_payoff(const struct report *report, const struct standing *standing, struct text *out) {
    struct report_payoff payoff;
    if (!report_has_payoffs(report))
        return;
    if (report_payoff(report, standing, &payoff))
        text_add(out, "<td class=\"nowrap\" title=\"95%% interval %.3f to %.3f\">%.3f</td>",
                 payoff.interval.low, payoff.interval.high, payoff.mean);
    else
        text_add_string(out, "<td>–</td>");
}

/* The event's title, or what it is. */
static void html_title(const struct report *report, struct text *out) {
    html_escape(report->event->rules.title[0] != '\0' ? report->event->rules.title : "Tournament", out);
}

/* "12 won, 1 drawn, 3 lost; 78.1% (95% interval 56.8% to 90.7%)" */
static void html_tally_text(const struct tally *tally, struct text *out) {
    const struct interval interval = report_interval(tally);
    text_add(out, "%d won, %d drawn, %d lost; ", tally->wins, tally->draws, tally->losses);
    html_score(tally, out);
    text_add(out, " (95%% interval %.1f%% to %.1f%%)", 100 * interval.low, 100 * interval.high);
}

/* "24 of 60 games played" or "60 games" */
static void html_progress(const struct report *report, struct text *out) {
    if (report->complete)
        text_add(out, "%d games", report->games_played);
    else
        text_add(out, "%d of %d games played", report->games_played, report->games_expected);
}

/* ---- the page ---- */

/* Writes the head with the page's own style (pieces, ended by NULL), up to the opened body. */
static void html_begin(const struct report *report, const char *const *style, struct text *out) {
    text_add_string(out,
                    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
                    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>");
    html_title(report, out);
    text_add_string(out, "</title>\n<style>\n");
    for (; *style != NULL; style++)
        text_add_string(out, *style);
    text_add_string(out, "</style>\n</head>\n<body>\n");
}

static void html_end(struct text *out) {
    text_add_string(out, "</body>\n</html>\n");
}

/* ---- maps ---- */

/* A line from 0 to 100% with the interval on it; the numbers stand beside it. */
static void add_interval_bar(const struct tally *tally, struct text *out) {
    const struct interval interval = report_interval(tally);
    text_add(out,
             "<td class=\"bar\" aria-hidden=\"true\"><span><i style=\"left:%.1f%%;width:%.1f%%\"></i>"
             "<b style=\"left:%.1f%%\"></b></span></td>",
             100 * interval.low, 100 * (interval.high - interval.low), 100 * tally_score(tally));
}

static void add_map(const struct event_map *map, const struct tally *tally, struct text *out) {
    const struct interval interval = report_interval(tally);
    text_add_string(out, "<tr><th scope=\"row\" class=\"name\"><div>");
    html_escape(map->name, out);
    if (map->author[0] != '\0') {
        text_add_string(out, " <small>by ");
        html_escape(map->author, out);
        text_add_string(out, "</small>");
    }
    text_add(out, "</div></th><td>%d</td><td>%d</td><td>%d</td><td>%d</td><td>", tally_games(tally),
             tally->wins, tally->draws, tally->losses);
    html_score(tally, out);
    if (tally_games(tally) > 0) {
        text_add(out, "</td><td>%.1f–%.1f%%</td>", 100 * interval.low, 100 * interval.high);
        add_interval_bar(tally, out);
    } else {
        text_add_string(out, "</td><td>–</td><td class=\"bar\"></td>");
    }
    text_add_string(out, "</tr>\n");
}

/* The first side's results on each map, as the rows of a table with its head. */
static void html_maps(const struct report *report, const struct report_data *data, struct text *out) {
    text_add(out, "<thead><tr><th scope=\"col\" class=\"name\">%s</th>",
             event_takes_maps(&report->event->rules) ? "Map" : "Game");
    text_add_string(out, "<th scope=\"col\">Games</th>"
                         "<th scope=\"col\">Won</th><th scope=\"col\">Drawn</th><th scope=\"col\">Lost</th>"
                         "<th scope=\"col\">Score</th><th scope=\"col\">95% interval</th>"
                         "<td class=\"bar\" aria-hidden=\"true\"><div><small>0%</small><small>50%</small>"
                         "<small>100%</small></div></td></tr></thead>\n"
                         "<tbody>\n");
    for (int i = 0; i < report->event->map_count; i++)
        add_map(&report->event->maps[i], &data->by_map[i], out);
    text_add_string(out, "</tbody>\n");
}

/* ---- meetings ---- */

static void add_round_heading(const struct report_meeting *m, struct text *out) {
    static const char *const stages[STAGES] = {
        [STAGE_MAIN] = "Knock-out", [STAGE_PLAYOFF] = "Play-off", [STAGE_FINAL] = "Final stage"};
    text_add(out, "<h3>%s, round %d</h3>\n<ul class=\"meetings\">\n", stages[m->stage], m->round + 1);
}

static void add_meeting(const struct report *report, const struct report_meeting *m, struct text *out) {
    const struct tally turned = {m->tally.losses, m->tally.draws, m->tally.wins};
    const double points[2] = {report_points(report, &m->tally), report_points(report, &turned)};
    const int ahead = points[0] > points[1] ? 0 : points[1] > points[0] ? 1 : NOBODY;
    text_add_string(out, "<li>");
    for (int i = 0; i < 2; i++) {
        const char *mark = i == ahead && m->games_open == 0 ? "strong" : "span";
        text_add(out, "%s<%s>", i > 0 ? " – " : "", mark);
        html_escape(report->event->players[m->players[i]].name, out);
        text_add(out, "</%s>", mark);
    }
    if (tally_games(&m->tally) > 0) {
        text_add_string(out, " <span class=\"result\">");
        html_number(points[0], out);
        text_add_string(out, " : ");
        html_number(points[1], out);
        text_add_string(out, "</span>");
    }
    if (m->games_open > 0)
        text_add(out, " <small>%d game%s to be played</small>", m->games_open, m->games_open == 1 ? "" : "s");
    text_add_string(out, "</li>\n");
}

/* Play-offs and final (or a whole knock-out) under a heading, round by round; nothing when there were none.
 */
static void html_meetings(const struct report *report, const struct report_data *data, struct text *out) {
    if (data->meeting_count == 0)
        return;
    text_add(out, "<h2>%s</h2>\n",
             report->event->rules.format == EVENT_KNOCK_OUT ? "Round by round" : "Play-offs and final");
    for (int i = 0; i < data->meeting_count; i++) {
        const struct report_meeting *m = &data->meetings[i];
        const bool first = i == 0 || m[-1].stage != m->stage || m[-1].round != m->round;
        if (first && i > 0)
            text_add_string(out, "</ul>\n");
        if (first)
            add_round_heading(m, out);
        add_meeting(report, m, out);
    }
    text_add_string(out, "</ul>\n");
}

/* ---- highlights ---- */

/* Highlights under a heading, with or without the faults; nothing when there are none. */
static void html_highlights(const struct report *report, int per_kind, bool faults, struct text *out) {
    static const char *const labels[HIGHLIGHTS] = {[HIGHLIGHT_UPSET] = "Upsets",
                                                   [HIGHLIGHT_LEAD_CHANGES] = "Back and forth",
                                                   [HIGHLIGHT_SHORT_WIN] = "Shortest wins",
                                                   [HIGHLIGHT_FAULT] = "Faults"};
    struct highlight list[REPORT_HIGHLIGHTS_MAX];
    const int count = report_highlights(report, per_kind, list);
    int shown = 0, kind = HIGHLIGHTS;
    for (int i = 0; i < count; i++) {
        if (list[i].kind == HIGHLIGHT_FAULT && !faults)
            continue;
        if (shown++ == 0)
            text_add_string(out, "<h2>Highlights</h2>\n<dl class=\"highlights\">\n");
        if ((int)list[i].kind != kind)
            text_add(out, "<dt>%s</dt>\n", labels[list[i].kind]);
        kind = (int)list[i].kind;
        text_add_string(out, "<dd>");
        html_escape(list[i].text, out);
        text_add(out, " <small>game&#160;%d</small></dd>\n", list[i].game);
    }
    if (shown > 0)
        text_add_string(out, "</dl>\n");
}

/* ---- cross-table.html ----
 *
 * The cross-table for a screen. Shades go from orange over grey to blue, which people with any kind of colour
 * vision can distinguish; they only repeat the numbers. Wide tables scroll inside the page while the players'
 * names stay in view. */

enum { SHADES = 9, HEAD_COLUMNS = 20 };

static const char colours[] =
    ":root{color-scheme:light dark;--fg:#1b2026;--bg:#fdfdfc;--dim:#59636e;--line:#dde1e6;"
    "--mark:#2d6aa3;--s0:#f2b47a;--s1:#f5c697;--s2:#f8d8b7;--s3:#fae9d8;--s4:#f1f2f4;--s5:#dfeaf5;--s6:#"
    "c5daee;"
    "--s7:#a8c9e7;--s8:#8ab6de}\n"
    "@media (prefers-color-scheme:dark){:root{--fg:#e5e8eb;--bg:#15181c;--dim:#9aa5b0;--line:#31373e;"
    "--mark:#7db4e6;--s0:#7d4511;--s1:#683b13;--s2:#523116;--s3:#3b2919;--s4:#262a2f;"
    "--s5:#1e3146;--s6:#1d3f5f;--s7:#1b4c78;--s8:#195a92}}\n";

static const char layout[] =
    "*{box-sizing:border-box}\n"
    "body{font:16px/1.5 system-ui,-apple-system,\"Segoe UI\",\"Noto Sans\",\"Noto Sans JP\",sans-serif;"
    "color:var(--fg);background:var(--bg);margin:0 auto;padding:2rem 1.5rem 3rem;max-width:112rem}\n"
    "h1{font-size:1.6rem;line-height:1.25;margin:0 0 .25rem;overflow-wrap:anywhere}\n"
    "p,dl{max-width:64rem}h2{font-size:1.15rem;margin:2.5rem 0 .5rem}h3{font-size:1rem;margin:1.25rem 0 "
    ".25rem}\n"
    "p{margin:0 0 .5rem}.dim,caption,small{color:var(--dim)}small{font-weight:400;font-size:.8125rem}\n"
    ".scroll{overflow-x:auto;margin:1.5rem 0 .75rem;outline-offset:3px}\n"
    "table{border-collapse:separate;border-spacing:0;font-variant-numeric:tabular-nums}\n"
    "caption{text-align:left;padding:0 0 .75rem;font-size:.9375rem}\n"
    "caption span{position:sticky;left:0;display:block;max-width:min(44rem,calc(100vw - 2rem))}\n"
    "th,td{text-align:right;font-weight:400;padding:.35rem .7rem;border-bottom:1px solid var(--line);"
    "white-space:nowrap}\n"
    "thead th,thead "
    "td{vertical-align:bottom;line-height:1.3;color:var(--dim);font-size:.875rem;border-bottom-width:2px}\n"
    "tbody th{font-weight:600}\n"
    "th.name{text-align:left;white-space:normal}\n"
    "th.name div{width:max-content;max-width:17rem;overflow-wrap:anywhere;line-height:1.3;overflow:hidden;"
    "display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:3}\n"
    ".cross th.name{position:sticky;left:0;background:var(--bg);z-index:1;box-shadow:1px 0 0 var(--line)}\n"
    ".cross th.o{padding:.35rem .25rem;text-align:center}\n"
    ".cross th.o div{writing-mode:vertical-rl;transform:rotate(180deg);max-height:13rem;overflow:hidden;"
    "text-overflow:ellipsis;margin:0 auto;line-height:1.3}\n"
    ".cross td.c{text-align:center;padding:.3rem .45rem;min-width:3.4rem;line-height:1.25;"
    "border-left:1px solid var(--bg);border-bottom:1px solid var(--bg)}\n"
    ".cross td.c small{display:block;color:inherit;font-size:.75rem}\n"
    ".cross td.self{background:linear-gradient(to top right,transparent calc(50% - 1px),var(--line) 50%,"
    "transparent calc(50% + 1px))}\n"
    ".s0{background:var(--s0)}.s1{background:var(--s1)}.s2{background:var(--s2)}.s3{background:var(--s3)}"
    ".s4{background:var(--s4)}.s5{background:var(--s5)}.s6{background:var(--s6)}.s7{background:var(--s7)}"
    ".s8{background:var(--s8)}\n"
    ".legend{display:flex;flex-wrap:wrap;align-items:center;gap:.25rem .5rem;font-size:.875rem;"
    "color:var(--dim)}\n"
    ".legend .scale{display:inline-flex;align-items:center;white-space:pre}.legend "
    "i{width:1.5rem;height:.9rem}\n"
    "td.bar{width:11rem;min-width:9rem}td.bar div{display:flex;justify-content:space-between}\n"
    "td.bar span{position:relative;display:block;height:1rem;background:linear-gradient(var(--line),"
    "var(--line)) 50%/1px 100% no-repeat,linear-gradient(var(--line),var(--line)) 0 50%/100% 1px no-repeat}\n"
    "td.bar i{position:absolute;top:.375rem;height:.25rem;border-radius:.125rem;background:var(--mark);"
    "opacity:.55}\n"
    "td.bar b{position:absolute;top:.2rem;width:.6rem;height:.6rem;margin-left:-.3rem;border-radius:50%;"
    "background:var(--mark)}\n"
    "ul{margin:0;padding-left:1.25rem}li{margin:.2rem 0;overflow-wrap:anywhere}\n"
    ".result{font-variant-numeric:tabular-nums;white-space:nowrap}\n"
    ".highlights{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1.5rem;margin:0}\n"
    "dt{color:var(--dim)}dd{grid-column:2;margin:0;overflow-wrap:anywhere}\n"
    "footer{margin-top:2.5rem;border-top:1px solid var(--line);padding-top:.75rem;font-size:.875rem;"
    "color:var(--dim);overflow-wrap:anywhere}\n"
    "code{font-family:ui-monospace,\"DejaVu Sans Mono\",monospace;font-size:.9em}\n"
    "@media (max-width:40rem){body{padding:1.25rem 1rem 2rem}h1{font-size:1.35rem}"
    "th,td{padding:.35rem .5rem}th.name div{max-width:8rem;font-size:.9375rem}"
    ".highlights{display:block}dt{margin-top:.75rem}dd{margin:.2rem 0 .2rem 1rem}}\n"
    "@media print{body{max-width:none;padding:0;font-size:11px}.scroll{overflow:visible}"
    ".cross th.name{position:static}*{print-color-adjust:exact;-webkit-print-color-adjust:exact}"
    "tr,li{break-inside:avoid}}\n";

static const char *const screen_style[] = {colours, layout, NULL};

/* ---- its table ---- */

static void add_head(const struct report *report, struct text *out) {
    text_add_string(out, "<thead><tr><th scope=\"col\">Place</th>"
                         "<th scope=\"col\" class=\"name\">Player</th>"
                         "<th scope=\"col\">Points</th><th scope=\"col\">Score</th>");
    text_add(out, "%s<th scope=\"col\">Elo</th>\n",
             report_has_payoffs(report) ? "<th scope=\"col\">Payoff</th>" : "");
    for (int i = 0; i < report->event->player_count; i++) {
        const char *name = report->event->players[report->standings[i].player].name;
        text_add_string(out, "<th scope=\"col\" class=\"o\" title=\"");
        html_escape(name, out);
        text_add_string(out, "\"><div>");
        html_short(name, HEAD_COLUMNS, out);
        text_add_string(out, "</div></th>\n");
    }
    text_add_string(out, "</tr></thead>\n");
}

static void add_cell(const struct report *report, const struct tally *tally, const int players[2],
                     struct text *out) {
    const int shade = (int)(tally_score(tally) * (SHADES - 1) + 0.5);
    if (tally_games(tally) == 0) {
        text_add_string(out, "<td class=\"c dim\">–</td>\n");
        return;
    }
    text_add(out, "<td class=\"c s%d\" title=\"", shade);
    html_escape(report->event->players[players[0]].name, out);
    text_add_string(out, " against ");
    html_escape(report->event->players[players[1]].name, out);
    text_add_string(out, ": ");
    html_tally_text(tally, out);
    if (report->fit != NULL && report->fit->superiority != NULL)
        text_add(out, "; the stronger one with a likelihood of %.1f%%",
                 100 * report->fit->superiority[players[0] * report->fit->player_count + players[1]]);
    text_add_string(out, "\">");
    html_number(report_points(report, tally), out);
    text_add(out, " <small>%d/%d/%d</small></td>\n", tally->wins, tally->draws, tally->losses);
}

static void add_row(const struct report *report, const struct report_data *data, int row, struct text *out) {
    const struct standing *s = &report->standings[row];
    text_add_string(out, "<tr><td>");
    html_place(report, row, out);
    text_add_string(out, "</td><th scope=\"row\" class=\"name\" title=\"");
    html_escape(report->event->players[s->player].name, out);
    text_add_string(out, "\"><div>");
    html_escape(report->event->players[s->player].name, out);
    text_add_string(out, "</div></th><td>");
    html_number(s->points, out);
    text_add_string(out, "</td><td title=\"");
    html_tally_text(&s->total, out);
    text_add_string(out, "\">");
    html_score(&s->total, out);
    text_add_string(out, "</td>");
    html_payoff(report, s, out);
    text_add_string(out, "<td>");
    html_elo(report, s->player, out);
    text_add_string(out, "</td>\n");
    for (int i = 0; i < data->player_count; i++) {
        const int players[2] = {s->player, report->standings[i].player};
        if (i == row)
            text_add_string(out, "<td class=\"c self\"></td>\n");
        else
            add_cell(report, report_cross(data, players[0], players[1]), players, out);
    }
    text_add_string(out, "</tr>\n");
}

static void add_screen_table(const struct report *report, const struct report_data *data, struct text *out) {
    text_add_string(out, "<div class=\"scroll\" role=\"region\" aria-label=\"Cross-table\" tabindex=\"0\">\n"
                         "<table class=\"cross\">\n<caption><span>Rows against columns: points, and games "
                         "won/drawn/lost.</span></caption>\n");
    add_head(report, out);
    text_add_string(out, "<tbody>\n");
    for (int i = 0; i < data->player_count; i++)
        add_row(report, data, i, out);
    text_add_string(out,
                    "</tbody>\n</table>\n</div>\n"
                    "<p class=\"legend\">Score of the row against the column: <span class=\"scale\">0% ");
    for (int i = 0; i < SHADES; i++)
        text_add(out, "<i class=\"s%d\"></i>", i);
    text_add_string(out, " 100%</span></p>\n");
}

/* ---- its page ---- */

static void add_game_name(const struct report *report, struct text *out) {
    html_escape(report->event->rules.game, out);
    text_add_string(out, ", ");
}

static void add_heading(const struct report *report, struct text *out) {
    struct text format = {0};
    char date[64] = "";
    if (report->date != NULL)
        report_format_date(report->date, date, sizeof date);
    report_describe_format(report->event, &format);
    text_add_string(out, "<h1>");
    html_title(report, out);
    text_add_string(out, "</h1>\n<p class=\"dim\">");
    html_escape(text_string(&format), out);
    text_add(out, ".<br/>%d players, ", report->event->player_count);
    if (event_takes_maps(&report->event->rules))
        text_add(out, "%d map%s, ", report->event->map_count, report->event->map_count == 1 ? "" : "s");
    else
        add_game_name(report, out);
    html_progress(report, out);
    if (date[0] != '\0') {
        text_add_string(out, "; ");
        html_escape(date, out);
    }
    text_add_string(out, ".</p>\n");
    out->failed = out->failed || format.failed;
    text_done(&format);
}

static void add_screen_maps(const struct report *report, const struct report_data *data, struct text *out) {
    const bool maps = event_takes_maps(&report->event->rules);
    const char *heading = maps ? "Maps" : "Sides";
    text_add(out,
             "<h2>%s</h2>\n<div class=\"scroll\" role=\"region\" aria-label=\"%s\" "
             "tabindex=\"0\">\n<table>\n<caption><span>What the first side made%s: "
             "an interval that leaves out 50%% is a %s that favours one side.</span></caption>\n",
             heading, heading, maps ? " on each map" : "", maps ? "map" : "game");
    html_maps(report, data, out);
    text_add_string(out, "</table>\n</div>\n");
}

void report_cross_table_html(const struct report *report, struct text *out) {
    struct report_data data;
    if (!report_data_make(report, &data)) {
        out->failed = true;
        return;
    }
    html_begin(report, screen_style, out);
    add_heading(report, out);
    add_screen_table(report, &data, out);
    html_meetings(report, &data, out);
    add_screen_maps(report, &data, out);
    html_highlights(report, HIGHLIGHTS_PER_KIND, true, out);
    text_add(out, "<footer>Seed %llu. Intervals are Wilson’s, 95%%; Elo ± half of its 95%% interval.",
             (unsigned long long)report->event->seed);
    text_add_string(out, "</footer>\n");
    html_end(out);
    report_data_done(&data);
}

/* ---- results.html ----
 *
 * The result for print: A4, black on white, no information by colour alone. A cross-table of many players
 * becomes a list of pairings, and a long list of faults is cut; the CSV of the games has all of them. */

enum { CROSS_PLAYERS_MAX = 16, FAULTS_MAX = 100, CROSS_NAME_COLUMNS = 40, PAIRING_NAME_COLUMNS = 32 };

static const char paper[] =
    ":root{color-scheme:light;--line:#999;--mark:#000}\n"
    "@page{size:A4;margin:17mm 15mm}\n"
    "*{box-sizing:border-box}\n"
    "body{font:10pt/1.4 system-ui,\"Helvetica Neue\",\"Noto Sans\",\"Noto Sans "
    "JP\",Arial,sans-serif;color:#000;"
    "background:#fff;margin:0 auto;padding:17mm 15mm;max-width:210mm}\n"
    "h1{font-size:19pt;line-height:1.2;margin:0 0 1mm;overflow-wrap:anywhere}\n"
    "h2{font-size:12pt;margin:8mm 0 2mm;break-after:avoid}h3{font-size:10pt;margin:3mm 0 "
    "1mm;break-after:avoid}\n"
    "p{margin:0 0 "
    "2mm}small{font-size:8pt;font-weight:400}.note{font-size:8.5pt;margin-top:1.5mm}h2+.note{break-after:"
    "avoid}abbr{text-decoration:"
    "none}\n"
    "dl{display:grid;grid-template-columns:max-content 1fr;gap:.6mm 5mm;margin:0}\n"
    "dl.facts{margin-top:4mm;padding:3mm 0;border-top:.4mm solid #000;border-bottom:.2mm solid #000}\n"
    "dt{font-weight:600}dd{grid-column:2;margin:0;overflow-wrap:anywhere;break-inside:avoid}\n"
    "table{border-collapse:collapse;width:100%;font-size:9pt;font-variant-numeric:tabular-nums}\n"
    "caption{text-align:left;font-size:8.5pt;padding-bottom:1.5mm}\n"
    "th,td{text-align:right;padding:1mm 1.3mm;border-bottom:.2mm solid var(--line);font-weight:400;"
    "vertical-align:top}\n"
    "thead th,thead td{border-bottom:.3mm solid #000;font-size:8pt;vertical-align:bottom;line-height:1.2}\n"
    "tr,li{break-inside:avoid}tbody th{font-weight:600}\n"
    "th.name,td.name{text-align:left;overflow-wrap:anywhere}th.name{min-width:26mm}.final "
    "th.name{min-width:44mm}th.ruling{min-width:60mm}td.nowrap{white-space:nowrap}\n"
    ".cross{table-layout:fixed;font-size:8pt}.cross th,.cross td{padding:.8mm .2mm;text-align:center;"
    "line-height:1.2}\n"
    ".cross th.name{text-align:left;width:38mm;padding-right:1.5mm}.cross th.nr,.cross "
    "th.name{white-space:normal}\n"
    ".cross th.nr{width:7mm;text-align:left}.cross td small{display:block;font-size:6pt}\n"
    ".cross td{border-left:.2mm solid var(--line)}.cross td.self{background:linear-gradient(to top right,"
    "transparent calc(50% - .2mm),#999 50%,transparent calc(50% + .2mm))}\n"
    ".pairs{columns:2;column-gap:10mm;font-size:8.5pt}.pairs h3{font-size:9pt;overflow-wrap:anywhere}"
    ".pairs ul{list-style:none;padding:0}.pairs "
    "li{display:flex;justify-content:space-between;gap:2mm}\n"
    "ul{margin:0;padding-left:5mm}li{overflow-wrap:anywhere}\n"
    ".result{font-variant-numeric:tabular-nums;white-space:nowrap}\n"
    "td.bar{width:34mm}td.bar div{display:flex;justify-content:space-between}td.bar small{font-size:7pt}\n"
    "td.bar span{position:relative;display:block;height:3.5mm;border-left:.2mm solid #999;"
    "border-right:.2mm solid #999}\n"
    "td.bar span::before{content:\"\";position:absolute;left:50%;height:100%;border-left:.2mm dashed #999}\n"
    "td.bar i{position:absolute;top:1.6mm;border-top:.4mm solid #000}\n"
    "td.bar b{position:absolute;top:.8mm;height:2mm;margin-left:-.3mm;border-left:.6mm solid #000}\n"
    "pre{font:7.5pt/1.35 ui-monospace,\"DejaVu Sans "
    "Mono\",monospace;white-space:pre-wrap;overflow-wrap:anywhere;"
    "margin:0;padding:2mm 3mm;border:.2mm solid var(--line)}\n"
    "code{font-family:ui-monospace,\"DejaVu Sans Mono\",monospace;font-size:.9em;overflow-wrap:anywhere}\n"
    ".scroll{overflow-x:auto}\n"
    "@media screen and (max-width:50rem){body{padding:5mm 4mm}dl{display:block}"
    "dd{margin-bottom:1.5mm}.cross{min-width:150mm}.pairs{columns:1}}\n"
    "@media print{body{padding:0;max-width:none}.scroll{overflow:visible}}\n";

static const char *const paper_style[] = {paper, NULL};

/* ---- its data ---- */

static void add_fact(const char *name, const char *value, struct text *out) {
    text_add(out, "<dt>%s</dt><dd>", name);
    html_escape(value, out);
    text_add_string(out, "</dd>\n");
}

static void add_points_fact(const struct event_rules *rules, struct text *out) {
    char win[REPORT_NUMBER_MAX], draw[REPORT_NUMBER_MAX], loss[REPORT_NUMBER_MAX];
    text_add(out, "<dt>Points</dt><dd>%s for a win, %s for a draw, %s for a loss</dd>\n",
             report_number(rules->win, win), report_number(rules->draw, draw),
             report_number(rules->loss, loss));
}

static void add_maps_fact(const struct event *event, struct text *out) {
    if (!event_takes_maps(&event->rules)) {
        add_fact("Game", event->rules.game, out);
        return;
    }
    text_add(out, "<dt>Maps</dt><dd>%d: ", event->map_count);
    const int shown = event->map_count > 24 ? 20 : event->map_count;
    for (int i = 0; i < shown; i++) {
        text_add_string(out, i > 0 ? ", " : "");
        html_escape(event->maps[i].name, out);
    }
    if (shown < event->map_count)
        text_add(out, " and %d more", event->map_count - shown);
    text_add_string(out, "</dd>\n");
}

static void add_facts(const struct report *report, struct text *out) {
    const struct event *event = report->event;
    struct text words = {0};
    char date[64] = "";
    text_add_string(out, "<h1>");
    html_title(report, out);
    text_add(out, "</h1>\n<p>%s</p>\n<dl class=\"facts\">\n",
             report->complete ? "Final result" : "Result so far");
    if (report->date != NULL)
        report_format_date(report->date, date, sizeof date);
    if (date[0] != '\0')
        add_fact("Date", date, out);
    report_describe_format(event, &words);
    add_fact("Format", text_string(&words), out);
    text_add(out, "<dt>Players</dt><dd>%d</dd>\n", event->player_count);
    add_maps_fact(event, out);
    text_add(out, "<dt>Games</dt><dd>%d", report->games_played);
    if (!report->complete)
        text_add(out, " of %d played", report->games_expected);
    text_add_string(out, "</dd>\n");
    text_clear(&words);
    timing_describe(&event->rules.timing, &words);
    add_fact("Clock", text_string(&words), out);
    add_points_fact(&event->rules, out);
    text_add(out, "<dt>Seed</dt><dd>%llu</dd>\n</dl>\n", (unsigned long long)event->seed);
    out->failed = out->failed || words.failed;
    text_done(&words);
}

/* ---- its table ---- */

/* Wins and faults have columns of their own. */
static const char *tie_break_heading(enum event_tie_break tie_break) {
    static const char *const headings[EVENT_TIE_BREAKS] = {
        [EVENT_TIE_HEAD_TO_HEAD] = "Head to head",
        [EVENT_TIE_BUCHHOLZ] = "Buch­holz",
        [EVENT_TIE_SONNEBORN] = "Sonneborn-Berger",
    };
    return headings[tie_break];
}

struct table_shape {
    bool walkovers, faults, payoffs;
};

static struct table_shape shape_of(const struct report *report) {
    struct table_shape shape = {.payoffs = report_has_payoffs(report)};
    for (int i = 0; i < report->event->player_count; i++) {
        shape.walkovers = shape.walkovers || report->games->walkovers[i] > 0;
        shape.faults = shape.faults || report_faults(&report->standings[i]) > 0;
    }
    return shape;
}

static void add_table_head(const struct event_rules *rules, struct table_shape shape, struct text *out) {
    text_add_string(out, "<thead><tr><th scope=\"col\">Place</th><th scope=\"col\" class=\"name\">Player</th>"
                         "<th scope=\"col\">Points</th><th scope=\"col\">Games</th><th scope=\"col\">W</th>"
                         "<th scope=\"col\">D</th><th scope=\"col\">L</th>");
    if (shape.walkovers)
        text_add_string(out, "<th scope=\"col\">Walk-overs</th>");
    text_add(out, "<th scope=\"col\">Score</th>%s", shape.payoffs ? "<th scope=\"col\">Payoff</th>" : "");
    for (int i = 0; i < rules->tie_break_count; i++)
        if (tie_break_heading(rules->tie_breaks[i]) != NULL)
            text_add(out, "<th scope=\"col\">%s</th>", tie_break_heading(rules->tie_breaks[i]));
    text_add(out, "<th scope=\"col\">Elo</th>%s</tr></thead>\n",
             shape.faults ? "<th scope=\"col\">Faults</th>" : "");
}

static void add_player_cell(const struct report *report, const struct standing *s, struct text *out) {
    static const char *const marks[STAGES] = {
        [STAGE_MAIN] = "", [STAGE_PLAYOFF] = " *", [STAGE_FINAL] = " †"};
    const struct entrant *player = &report->event->players[s->player];
    text_add_string(out, "<th scope=\"row\" class=\"name\">");
    html_escape(player->name, out);
    text_add_string(out, marks[s->decided_by]);
    if (player->author[0] != '\0') {
        text_add_string(out, " <small>");
        html_escape(player->author, out);
        text_add_string(out, "</small>");
    }
    text_add(out, "%s</th>", report_is_disqualified(report, s) ? " <small>(disqualified)</small>" : "");
}

static void add_table_row(const struct report *report, int row, struct table_shape shape, struct text *out) {
    const struct standing *s = &report->standings[row];
    const struct event_rules *rules = &report->event->rules;
    text_add_string(out, "<tr><td class=\"nowrap\">");
    html_place(report, row, out);
    text_add_string(out, "</td>");
    add_player_cell(report, s, out);
    text_add_string(out, "<td><strong>");
    html_number(s->points, out);
    text_add(out, "</strong></td><td>%d</td><td>%d</td><td>%d</td><td>%d</td>", tally_games(&s->total),
             s->total.wins, s->total.draws, s->total.losses);
    if (shape.walkovers)
        text_add(out, "<td>%d</td>", report->games->walkovers[s->player]);
    text_add_string(out, "<td>");
    html_score(&s->total, out);
    text_add_string(out, "</td>");
    html_payoff(report, s, out);
    for (int i = 0; i < rules->tie_break_count; i++)
        if (tie_break_heading(rules->tie_breaks[i]) != NULL) {
            text_add_string(out, "<td>");
            html_number(report_tie_break(report, s, i), out);
            text_add_string(out, "</td>");
        }
    text_add_string(out, "<td class=\"nowrap\">");
    html_elo(report, s->player, out);
    text_add_string(out, "</td>");
    if (shape.faults)
        text_add(out, "<td>%d</td>", report_faults(s));
    text_add_string(out, "</tr>\n");
}

static void add_table_notes(const struct report *report, struct table_shape shape, struct text *out) {
    bool by_stage[STAGES] = {false};
    for (int i = 0; i < report->event->player_count; i++)
        by_stage[report->standings[i].decided_by] = true;
    text_add_string(out, "<p class=\"note\">");
    if (by_stage[STAGE_PLAYOFF])
        text_add_string(out, "* placed by a play-off. ");
    if (by_stage[STAGE_FINAL])
        text_add_string(out, "† placed by the final. ");
    if (shape.walkovers)
        text_add_string(out, "Walk-overs are games won without being played, by a bye or against somebody "
                             "disqualified. ");
    text_add_string(
        out, "W, D, L: games won, drawn, lost. Points, games and score are those of the main stage. Elo ± "
             "half of its 95% "
             "interval; the mean of all players is 0. Players whom nothing separates share a place.</p>\n");
}

static void add_table(const struct report *report, struct text *out) {
    const struct table_shape shape = shape_of(report);
    text_add(out, "<h2>%s</h2>\n<div class=\"scroll\"><table class=\"final\">\n",
             report->complete ? "Final table" : "Table");
    add_table_head(&report->event->rules, shape, out);
    text_add_string(out, "<tbody>\n");
    for (int i = 0; i < report->event->player_count; i++)
        add_table_row(report, i, shape, out);
    text_add_string(out, "</tbody>\n</table></div>\n");
    add_table_notes(report, shape, out);
}

/* ---- its results of pairings ---- */

static void add_cross_row(const struct report *report, const struct report_data *data, int row,
                          struct text *out) {
    const int player = report->standings[row].player;
    text_add(out, "<tr><th class=\"nr\">%d</th><th scope=\"row\" class=\"name\">", row + 1);
    html_short(report->event->players[player].name, CROSS_NAME_COLUMNS, out);
    text_add_string(out, "</th>");
    for (int i = 0; i < data->player_count; i++) {
        const struct tally *tally = report_cross(data, player, report->standings[i].player);
        if (i == row || tally_games(tally) == 0) {
            text_add(out, "<td%s</td>", i == row ? " class=\"self\">" : ">–");
            continue;
        }
        text_add_string(out, "<td>");
        html_number(report_points(report, tally), out);
        text_add(out, " <small>%d/%d/%d</small></td>", tally->wins, tally->draws, tally->losses);
    }
    text_add_string(out, "</tr>\n");
}

static void add_paper_cross_table(const struct report *report, const struct report_data *data,
                                  struct text *out) {
    text_add_string(
        out,
        "<div class=\"scroll\"><table class=\"cross\">\n<caption>Rows against columns: points, and games "
        "won/drawn/lost.</caption>\n<thead><tr><th class=\"nr\"></th>"
        "<th scope=\"col\" class=\"name\">Player</th>");
    for (int i = 0; i < data->player_count; i++) {
        text_add_string(out, "<th scope=\"col\"><abbr title=\"");
        html_escape(report->event->players[report->standings[i].player].name, out);
        text_add(out, "\">%d</abbr></th>", i + 1);
    }
    text_add_string(out, "</tr></thead>\n<tbody>\n");
    for (int i = 0; i < data->player_count; i++)
        add_cross_row(report, data, i, out);
    text_add_string(out, "</tbody>\n</table></div>\n");
}

static void add_pairing(const struct report *report, const struct tally *tally, int opponent,
                        struct text *out) {
    const struct tally turned = {tally->losses, tally->draws, tally->wins};
    text_add_string(out, "<li><span>");
    html_short(report->event->players[opponent].name, PAIRING_NAME_COLUMNS, out);
    text_add_string(out, "</span> <span class=\"result\">");
    html_number(report_points(report, tally), out);
    text_add_string(out, " : ");
    html_number(report_points(report, &turned), out);
    text_add(out, " <small>(%d/%d/%d)</small></span></li>\n", tally->wins, tally->draws, tally->losses);
}

/* A player's pairings with those below it in the table; nothing when it met none of them. */
static void add_pairings_of(const struct report *report, const struct report_data *data, int row,
                            struct text *out) {
    const int player = report->standings[row].player;
    int count = 0;
    for (int i = row + 1; i < data->player_count; i++) {
        const int opponent = report->standings[i].player;
        const struct tally *tally = report_cross(data, player, opponent);
        if (tally_games(tally) == 0)
            continue;
        if (count++ == 0) {
            text_add_string(out, "<h3>");
            html_escape(report->event->players[player].name, out);
            text_add_string(out, "</h3>\n<ul>\n");
        }
        add_pairing(report, tally, opponent, out);
    }
    if (count > 0)
        text_add_string(out, "</ul>\n");
}

static void add_pairings(const struct report *report, const struct report_data *data, struct text *out) {
    text_add_string(out, "<p class=\"note\">Each player against those below it in the table: points of both, "
                         "and games won/drawn/lost.</p>\n<div class=\"pairs\">\n");
    for (int i = 0; i < data->player_count; i++)
        add_pairings_of(report, data, i, out);
    text_add_string(out, "</div>\n");
}

static void add_who_met_whom(const struct report *report, const struct report_data *data, struct text *out) {
    const bool fits = data->player_count <= CROSS_PLAYERS_MAX;
    text_add(out, "<h2>%s</h2>\n", fits ? "Cross-table" : "Pairings");
    if (fits)
        add_paper_cross_table(report, data, out);
    else
        add_pairings(report, data, out);
}

/* ---- its faults ---- */

static void add_fault(const struct report *report, int game, struct text *out) {
    const struct scheduled_game *f = &report->games->scheduled[game];
    const struct outcome *o = &report->games->outcomes[game];
    text_add(out, "<tr><td>%d</td><td class=\"name\">", f->number);
    html_escape(report->event->players[f->players[o->forfeiter]].name, out);
    text_add_string(out, "</td><td class=\"name\">");
    html_escape(report->event->players[f->players[1 - o->forfeiter]].name, out);
    text_add_string(out, "</td><td class=\"name\">");
    html_escape(report->event->maps[f->map].name, out);
    text_add(out, "</td><td class=\"name\">%s</td><td class=\"name\">%s</td></tr>\n",
             player_fault_names[o->fault], report_ruling(o));
}

static bool is_forfeited(const struct outcome *o) {
    return o->played && o->forfeiter != NOBODY;
}

static void add_faults(const struct report *report, struct text *out) {
    const struct games *games = report->games;
    int count = 0, shown = 0;
    for (int i = 0; i < games->count; i++)
        count += is_forfeited(&games->outcomes[i]);
    text_add_string(out, "<h2>Faults and rulings</h2>\n");
    if (count == 0) {
        text_add_string(out, "<p>None: every game was played to its end by the rules.</p>\n");
        return;
    }
    text_add_string(out,
                    "<p class=\"note\">Whoever has a fault loses the game.</p>\n"
                    "<div class=\"scroll\"><table>\n<thead><tr><th scope=\"col\">Game</th>"
                    "<th scope=\"col\" class=\"name\">Player</th><th scope=\"col\" class=\"name\">Against"
                    "</th><th scope=\"col\" class=\"name\">Map</th><th scope=\"col\" class=\"name\">Fault"
                    "</th><th scope=\"col\" class=\"name ruling\">What it did</th></tr></thead>\n<tbody>\n");
    for (int i = 0; i < games->count && shown < FAULTS_MAX; i++)
        if (is_forfeited(&games->outcomes[i])) {
            add_fault(report, i, out);
            shown++;
        }
    text_add_string(out, "</tbody>\n</table></div>\n");
    if (shown < count)
        text_add(out, "<p class=\"note\">And %d more; the list of games (CSV) has all of them.</p>\n",
                 count - shown);
}

/* Void games do not count, so their number and the longest gap suffice; the JSON lists all of them. */
static void add_voids(const struct report *report, struct text *out) {
    const struct games *games = report->games;
    int64_t longest = 0;
    for (int i = 0; i < games->void_count; i++)
        longest = games->voids[i].gap_ns > longest ? games->voids[i].gap_ns : longest;
    if (games->void_count > 0)
        text_add(out,
                 "<p>%d game%s void and played again, because the program was stopped in the middle of %s, "
                 "for up to %.1f s.</p>\n",
                 games->void_count, games->void_count == 1 ? " was" : "s were",
                 games->void_count == 1 ? "it" : "them", (double)longest * 1e-9);
}

/* ---- its appendices ---- */

static void add_entrants(const struct report *report, struct text *out) {
    text_add_string(out, "<h2>Appendix: players</h2>\n<table>\n<thead><tr>"
                         "<th scope=\"col\" class=\"name\">Player</th>"
                         "<th scope=\"col\" class=\"name\">Configuration</th></tr></thead>\n<tbody>\n");
    for (int i = 0; i < report->event->player_count; i++) {
        const struct entrant *player = &report->event->players[report->standings[i].player];
        text_add_string(out, "<tr><th scope=\"row\" class=\"name\">");
        html_escape(player->name, out);
        text_add_string(out, "</th><td class=\"name\"><code>");
        html_escape(player->spec, out);
        text_add_string(out, "</code></td></tr>\n");
    }
    text_add_string(out, "</tbody>\n</table>\n");
}

static void add_rules(const struct report *report, struct text *out) {
    struct text rules = {0};
    if (!event_file_write(&report->event->rules, &rules, NULL) || rules.failed)
        out->failed = true;
    text_add_string(out, "<h2>Appendix: rules</h2>\n<pre>");
    html_escape(text_string(&rules), out);
    text_add_string(out, "</pre>\n");
    text_done(&rules);
}

static void add_verification(const struct report *report, struct text *out) {
    text_add_string(out, "<h2>How to verify this result</h2>\n<p><code>senjutsu verify ");
    html_escape(report->store != NULL ? report->store : "STORE", out);
    text_add(
        out,
        "</code> replays every game of the event’s store by the rules of the game and computes the table "
        "anew. Who met whom, where and on which side, and every random number follow from the rules, the "
        "players, the maps and the seed %llu.</p>\n",
        (unsigned long long)report->event->seed);
}

static void add_paper_maps(const struct report *report, const struct report_data *data, struct text *out) {
    const bool maps = event_takes_maps(&report->event->rules);
    text_add(out,
             "<h2>%s</h2>\n<div class=\"scroll\"><table>\n<caption>What the first side made%s, "
             "in all stages.</caption>\n",
             maps ? "Maps" : "Sides", maps ? " on each map" : "");
    html_maps(report, data, out);
    text_add_string(out, "</table></div>\n");
}

void report_print_html(const struct report *report, struct text *out) {
    struct report_data data;
    if (!report_data_make(report, &data)) {
        out->failed = true;
        return;
    }
    html_begin(report, paper_style, out);
    add_facts(report, out);
    add_table(report, out);
    html_meetings(report, &data, out);
    add_who_met_whom(report, &data, out);
    add_faults(report, out);
    add_voids(report, out);
    html_highlights(report, HIGHLIGHTS_PER_KIND, false, out);
    add_paper_maps(report, &data, out);
    add_verification(report, out);
    add_entrants(report, out);
    add_rules(report, out);
    html_end(out);
    report_data_done(&data);
}
