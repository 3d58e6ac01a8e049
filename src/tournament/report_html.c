/* SPDX-License-Identifier: MIT */
#include "tournament/report_html.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- text ---- */

void html_short(const char *string, int columns, struct text *out) {
    struct text fitted = {0};
    report_fit(string, columns, &fitted);
    html_escape(text_string(&fitted), out);
    out->failed = out->failed || fitted.failed;
    text_done(&fitted);
}

void html_number(double value, struct text *out) {
    char number[REPORT_NUMBER_MAX];
    report_number(fabs(value), number);
    text_add(out, "%s%s", value < 0 && strcmp(number, "0") != 0 ? "−" : "", number);
}

void html_elo(const struct report *report, int player, struct text *out) {
    if (report->ratings == NULL) {
        text_add_string(out, "–");
        return;
    }
    const struct rating *rating = &report->ratings[player];
    const double elo = round(rating->elo);
    text_add(out, "%s%.0f ± %.0f", elo > 0 ? "+" : elo < 0 ? "−" : "", fabs(elo), rating->error);
}

void html_place(const struct report *report, int row, struct text *out) {
    int last;
    if (report_place_is_shared(report, row, &last))
        text_add(out, "%d–%d", report->standings[row].place, last);
    else
        text_add(out, "%d", report->standings[row].place);
}

void html_score(const struct tally *tally, struct text *out) {
    if (tally_games(tally) > 0)
        text_add(out, "%.1f%%", 100 * tally_score(tally));
    else
        text_add_string(out, "–");
}

/* A cell of its own, only where payoffs have shades. */
void html_payoff(const struct report *report, const struct standing *standing, struct text *out) {
    struct report_payoff payoff;
    if (!report_has_payoffs(report))
        return;
    if (report_payoff(report, standing, &payoff))
        text_add(out, "<td class=\"nowrap\" title=\"95%% interval %.3f to %.3f\">%.3f</td>",
                 payoff.interval.low, payoff.interval.high, payoff.mean);
    else
        text_add_string(out, "<td>–</td>");
}

void html_title(const struct report *report, struct text *out) {
    html_escape(report->event->rules.title[0] != '\0' ? report->event->rules.title : "Tournament", out);
}

void html_tally_words(const struct tally *tally, struct text *out) {
    const struct interval interval = report_interval(tally);
    text_add(out, "%d won, %d drawn, %d lost; ", tally->wins, tally->draws, tally->losses);
    html_score(tally, out);
    text_add(out, " (95%% interval %.1f%% to %.1f%%)", 100 * interval.low, 100 * interval.high);
}

void html_progress(const struct report *report, struct text *out) {
    if (report->complete)
        text_add(out, "%d games", report->games_played);
    else
        text_add(out, "%d of %d games played", report->games_played, report->games_expected);
}

/* ---- the page ---- */

void html_begin(const struct report *report, const char *const *style, struct text *out) {
    text_add_string(out,
                    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
                    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>");
    html_title(report, out);
    text_add_string(out, "</title>\n<style>\n");
    for (; *style != NULL; style++)
        text_add_string(out, *style);
    text_add_string(out, "</style>\n</head>\n<body>\n");
}

void html_end(struct text *out) {
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

void html_maps(const struct report *report, const struct report_facts *facts, struct text *out) {
    text_add(out, "<thead><tr><th scope=\"col\" class=\"name\">%s</th>",
             event_takes_maps(&report->event->rules) ? "Map" : "Game");
    text_add_string(out, "<th scope=\"col\">Games</th>"
                         "<th scope=\"col\">Won</th><th scope=\"col\">Drawn</th><th scope=\"col\">Lost</th>"
                         "<th scope=\"col\">Score</th><th scope=\"col\">95% interval</th>"
                         "<td class=\"bar\" aria-hidden=\"true\"><div><small>0%</small><small>50%</small>"
                         "<small>100%</small></div></td></tr></thead>\n"
                         "<tbody>\n");
    for (int i = 0; i < report->event->map_count; i++)
        add_map(&report->event->maps[i], &facts->by_map[i], out);
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

void html_meetings(const struct report *report, const struct report_facts *facts, struct text *out) {
    if (facts->meeting_count == 0)
        return;
    text_add(out, "<h2>%s</h2>\n",
             report->event->rules.format == RULES_KNOCK_OUT ? "Round by round" : "Play-offs and final");
    for (int i = 0; i < facts->meeting_count; i++) {
        const struct report_meeting *m = &facts->meetings[i];
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

void html_highlights(const struct report *report, int per_kind, bool faults, struct text *out) {
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
