/* SPDX-License-Identifier: MIT
 *
 * The cross-table as a page. Shades go from orange over grey to blue, which people with any kind of colour
 * vision can tell apart; they only repeat what the numbers say. Wide tables scroll inside the page, with the
 * players' names staying in view.
 */
#include "tournament/report_html.h"

enum { SHADES = 9, HEAD_COLUMNS = 20, HIGHLIGHTS_PER_KIND = 3 };

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

static const char *const style[] = {colours, layout, NULL};

/* ---- the table ---- */

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
    html_tally_words(tally, out);
    if (report->fit != NULL && report->fit->superiority != NULL)
        text_add(out, "; the stronger one with a likelihood of %.1f%%",
                 100 * report->fit->superiority[players[0] * report->fit->player_count + players[1]]);
    text_add_string(out, "\">");
    html_number(report_points(report, tally), out);
    text_add(out, " <small>%d/%d/%d</small></td>\n", tally->wins, tally->draws, tally->losses);
}

static void add_row(const struct report *report, const struct report_facts *facts, int row,
                    struct text *out) {
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
    html_tally_words(&s->total, out);
    text_add_string(out, "\">");
    html_score(&s->total, out);
    text_add_string(out, "</td>");
    html_payoff(report, s, out);
    text_add_string(out, "<td>");
    html_elo(report, s->player, out);
    text_add_string(out, "</td>\n");
    for (int i = 0; i < facts->player_count; i++) {
        const int players[2] = {s->player, report->standings[i].player};
        if (i == row)
            text_add_string(out, "<td class=\"c self\"></td>\n");
        else
            add_cell(report, report_cross(facts, players[0], players[1]), players, out);
    }
    text_add_string(out, "</tr>\n");
}

static void add_cross_table(const struct report *report, const struct report_facts *facts, struct text *out) {
    text_add_string(out, "<div class=\"scroll\" role=\"region\" aria-label=\"Cross-table\" tabindex=\"0\">\n"
                         "<table class=\"cross\">\n<caption><span>Rows against columns: points, and games "
                         "won/drawn/lost.</span></caption>\n");
    add_head(report, out);
    text_add_string(out, "<tbody>\n");
    for (int i = 0; i < facts->player_count; i++)
        add_row(report, facts, i, out);
    text_add_string(out,
                    "</tbody>\n</table>\n</div>\n"
                    "<p class=\"legend\">Score of the row against the column: <span class=\"scale\">0% ");
    for (int i = 0; i < SHADES; i++)
        text_add(out, "<i class=\"s%d\"></i>", i);
    text_add_string(out, " 100%</span></p>\n");
}

/* ---- the page ---- */

static void add_game_name(const struct report *report, struct text *out) {
    html_escape(report->event->rules.game, out);
    text_add_string(out, ", ");
}

static void add_heading(const struct report *report, struct text *out) {
    struct text format = {0};
    char date[64] = "";
    if (report->date != NULL)
        report_date_words(report->date, date, sizeof date);
    report_format_words(report->event, &format);
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

static void add_maps(const struct report *report, const struct report_facts *facts, struct text *out) {
    const bool maps = event_takes_maps(&report->event->rules);
    const char *heading = maps ? "Maps" : "Sides";
    text_add(out,
             "<h2>%s</h2>\n<div class=\"scroll\" role=\"region\" aria-label=\"%s\" "
             "tabindex=\"0\">\n<table>\n<caption><span>What the first side made%s: "
             "an interval that leaves out 50%% is a %s that favours one side.</span></caption>\n",
             heading, heading, maps ? " on each map" : "", maps ? "map" : "game");
    html_maps(report, facts, out);
    text_add_string(out, "</table>\n</div>\n");
}

void report_cross_table_html(const struct report *report, struct text *out) {
    struct report_facts facts;
    if (!report_facts_make(report, &facts)) {
        out->failed = true;
        return;
    }
    html_begin(report, style, out);
    add_heading(report, out);
    add_cross_table(report, &facts, out);
    html_meetings(report, &facts, out);
    add_maps(report, &facts, out);
    html_highlights(report, HIGHLIGHTS_PER_KIND, true, out);
    text_add(out, "<footer>Seed %llu. Intervals are Wilson’s, 95%%; Elo ± half of its 95%% interval.",
             (unsigned long long)report->event->seed);
    text_add_string(out, "</footer>\n");
    html_end(out);
    report_facts_done(&facts);
}
