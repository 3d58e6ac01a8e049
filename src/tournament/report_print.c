/* SPDX-License-Identifier: MIT
 *
 * The result of an event on paper: A4, black on white, nothing said by colour. What would not fit a page is
 * said otherwise: a cross-table of many players becomes a list of pairings, and a long list of faults is cut
 * where the games as CSV go on.
 */
#include "tournament/report_html.h"

#include <string.h>

enum {
    CROSS_PLAYERS_MAX = 16,
    FAULTS_MAX = 100,
    HIGHLIGHTS_PER_KIND = 3,
    CROSS_NAME_COLUMNS = 40,
    PAIRING_NAME_COLUMNS = 32
};

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
    ".pairs ul{list-style:none;padding:0}.pairs li{display:flex;justify-content:space-between;gap:2mm}\n"
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

static const char *const style[] = {paper, NULL};

/* ---- what it is ---- */

static void add_fact(const char *name, const char *value, struct text *out) {
    text_add(out, "<dt>%s</dt><dd>", name);
    html_escape(value, out);
    text_add_string(out, "</dd>\n");
}

static void add_points_fact(const struct rules *rules, struct text *out) {
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
        report_date_words(report->date, date, sizeof date);
    if (date[0] != '\0')
        add_fact("Date", date, out);
    report_format_words(event, &words);
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

/* ---- the table ---- */

/* Wins and faults have columns of their own. */
static const char *tie_break_heading(enum rules_tie_break tie_break) {
    static const char *const headings[RULES_TIE_BREAKS] = {
        [RULES_TIE_HEAD_TO_HEAD] = "Head to head",
        [RULES_TIE_BUCHHOLZ] = "Buch­holz",
        [RULES_TIE_SONNEBORN] = "Sonneborn-Berger",
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

static void add_table_head(const struct rules *rules, struct table_shape shape, struct text *out) {
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
    const struct rules *rules = &report->event->rules;
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

/* ---- who met whom ---- */

static void add_cross_row(const struct report *report, const struct report_facts *facts, int row,
                          struct text *out) {
    const int player = report->standings[row].player;
    text_add(out, "<tr><th class=\"nr\">%d</th><th scope=\"row\" class=\"name\">", row + 1);
    html_short(report->event->players[player].name, CROSS_NAME_COLUMNS, out);
    text_add_string(out, "</th>");
    for (int i = 0; i < facts->player_count; i++) {
        const struct tally *tally = report_cross(facts, player, report->standings[i].player);
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

static void add_cross_table(const struct report *report, const struct report_facts *facts, struct text *out) {
    text_add_string(
        out,
        "<div class=\"scroll\"><table class=\"cross\">\n<caption>Rows against columns: points, and games "
        "won/drawn/lost.</caption>\n<thead><tr><th class=\"nr\"></th>"
        "<th scope=\"col\" class=\"name\">Player</th>");
    for (int i = 0; i < facts->player_count; i++) {
        text_add_string(out, "<th scope=\"col\"><abbr title=\"");
        html_escape(report->event->players[report->standings[i].player].name, out);
        text_add(out, "\">%d</abbr></th>", i + 1);
    }
    text_add_string(out, "</tr></thead>\n<tbody>\n");
    for (int i = 0; i < facts->player_count; i++)
        add_cross_row(report, facts, i, out);
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
static void add_pairings_of(const struct report *report, const struct report_facts *facts, int row,
                            struct text *out) {
    const int player = report->standings[row].player;
    int count = 0;
    for (int i = row + 1; i < facts->player_count; i++) {
        const int opponent = report->standings[i].player;
        const struct tally *tally = report_cross(facts, player, opponent);
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

static void add_pairings(const struct report *report, const struct report_facts *facts, struct text *out) {
    text_add_string(out, "<p class=\"note\">Each player against those below it in the table: points of both, "
                         "and games won/drawn/lost.</p>\n<div class=\"pairs\">\n");
    for (int i = 0; i < facts->player_count; i++)
        add_pairings_of(report, facts, i, out);
    text_add_string(out, "</div>\n");
}

static void add_who_met_whom(const struct report *report, const struct report_facts *facts,
                             struct text *out) {
    const bool fits = facts->player_count <= CROSS_PLAYERS_MAX;
    text_add(out, "<h2>%s</h2>\n", fits ? "Cross-table" : "Pairings");
    if (fits)
        add_cross_table(report, facts, out);
    else
        add_pairings(report, facts, out);
}

/* ---- faults ---- */

static void add_fault(const struct report *report, int game, struct text *out) {
    const struct fixture *f = &report->games->fixtures[game];
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

/* Nothing of them counts, so a number and the longest gap say enough; the JSON has all of them. */
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

/* ---- the end ---- */

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
    if (!rules_write(&report->event->rules, &rules, NULL) || rules.failed)
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

static void add_maps(const struct report *report, const struct report_facts *facts, struct text *out) {
    const bool maps = event_takes_maps(&report->event->rules);
    text_add(out,
             "<h2>%s</h2>\n<div class=\"scroll\"><table>\n<caption>What the first side made%s, "
             "in all stages.</caption>\n",
             maps ? "Maps" : "Sides", maps ? " on each map" : "");
    html_maps(report, facts, out);
    text_add_string(out, "</table></div>\n");
}

void report_print_html(const struct report *report, struct text *out) {
    struct report_facts facts;
    if (!report_facts_make(report, &facts)) {
        out->failed = true;
        return;
    }
    html_begin(report, style, out);
    add_facts(report, out);
    add_table(report, out);
    html_meetings(report, &facts, out);
    add_who_met_whom(report, &facts, out);
    add_faults(report, out);
    add_voids(report, out);
    html_highlights(report, HIGHLIGHTS_PER_KIND, false, out);
    add_maps(report, &facts, out);
    add_verification(report, out);
    add_entrants(report, out);
    add_rules(report, out);
    html_end(out);
    report_facts_done(&facts);
}
