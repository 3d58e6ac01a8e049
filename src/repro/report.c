/* SPDX-License-Identifier: MIT
 *
 * The report over everything a folder holds as one page, with SVG files as parts of it.
 */
#include "repro/report.h"

#include "base/encode.h"
#include "base/file.h"
#include "repro/repro.h"

#include <assert.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- SVG files as parts of a page ---- */

/* What refers to a name inside the same file, up to the name itself. */
static const char *const references[] = {" id=\"", " id='",  "href=\"#", "href='#",
                                         "url(#",  "url('#", "url(\"#",  "clip-path=\"#"};

static const char *reference_at(const char *at) {
    for (size_t i = 0; i < sizeof references / sizeof references[0]; i++)
        if (strncmp(at, references[i], strlen(references[i])) == 0)
            return references[i];
    return NULL;
}

/* Our pictures come from gnuplot and Cairo and have none of this; another file in the folder must not get
 * scripts onto the page. A reference must begin with '#', or with "data:image/" (embedded). */
static bool is_harmless(const char *from, const char *end) {
    static const char *const forbidden[] = {"<script",  "<foreignObject", "<iframe", " onload",
                                            " onclick", "javascript:",    "@import"};
    for (const char *at = from; at < end; at++) {
        for (size_t i = 0; i < sizeof forbidden / sizeof forbidden[0]; i++)
            if (strncmp(at, forbidden[i], strlen(forbidden[i])) == 0)
                return false;
        if ((strncmp(at, "href=", 5) == 0 && at[6] != '#' && strncmp(at + 6, "data:image/", 11) != 0) ||
            (strncmp(at, "url(", 4) == 0 && strchr("#'\"", at[4]) == NULL))
            return false;
    }
    return true;
}

bool svg_inline(const char *svg, const char *prefix, struct text *out) {
    const char *from = strstr(svg, "<svg");
    const char *end = NULL;
    for (const char *at = from; at != NULL && (at = strstr(at, "</svg>")) != NULL; at++)
        end = at + strlen("</svg>");
    if (end == NULL || !is_harmless(from, end))
        return false;
    for (const char *at = from; at < end;) {
        if (strncmp(at, "<!--", 4) == 0) {
            const char *close = strstr(at, "-->");
            at = close != NULL && close < end ? close + 3 : end;
            continue;
        }
        const char *reference = reference_at(at);
        if (reference == NULL) {
            text_add_bytes(out, at++, 1);
            continue;
        }
        text_add_string(out, reference);
        text_add_string(out, prefix);
        at += strlen(reference);
    }
    return true;
}

/* ---- report ---- */

/* ---- the report ---- */

enum { FILE_SIZE_MAX = 16 << 20 };

struct report {
    const char *folder;
    struct text *out;
    int pictures; /* so far: makes their names differ */
};

static const char style[] =
    ":root{color-scheme:light dark;--fg:#1c1f23;--bg:#fdfdfc;--dim:#666c74;--line:#d8dbe0;--card:#f3f4f6;"
    "--yes:#17692f;--no:#a3241c}\n"
    "@media (prefers-color-scheme:dark){:root{--fg:#e4e6e9;--bg:#16181b;--dim:#9aa1aa;--line:#363b42;"
    "--card:#1f2327;--yes:#6fce8b;--no:#ff8f85}}\n"
    "@media print{:root{--fg:#000;--bg:#fff;--dim:#444;--line:#aaa;--card:#fff;--yes:#000;--no:#000}"
    "section,figure,tr{break-inside:avoid}nav{display:none}}\n"
    "body{font:16px/1.5 system-ui,sans-serif;color:var(--fg);background:var(--bg);max-width:62rem;"
    "margin:2rem auto;padding:0 1rem}\n"
    "h1,h2{line-height:1.2}h2{margin-top:3rem;border-top:1px solid var(--line);padding-top:1.5rem}\n"
    ".dim{color:var(--dim)}.yes{color:var(--yes)}.no{color:var(--no)}code{font-size:.9em}\n"
    ".wide{overflow-x:auto}table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}\n"
    "th,td{text-align:left;padding:.25rem .6rem;border-bottom:1px solid var(--line);vertical-align:top}\n"
    "th.n,td.n{text-align:right;white-space:nowrap}\n"
    "figure{margin:1.5rem 0;padding:.5rem;background:#fff;color:#000;border:1px solid var(--line)}\n"
    "figure svg{display:block;width:100%;height:auto;max-height:34rem}\n"
    ".boards{display:flex;flex-wrap:wrap;gap:1rem}.boards figure{flex:0 1 18rem;margin:0}\n"
    "figcaption{font-size:.9rem}.summary{background:var(--card);padding:.6rem .8rem;"
    "border-left:4px solid var(--dim)}\n";

/* ---- words and numbers ---- */

static void add_escaped(struct report *r, const char *string) {
    html_escape(string, r->out);
}

static const char *string_of(const json_t *object, const char *key) {
    const char *string = json_string_value(json_object_get(object, key));
    return string != NULL ? string : "";
}

static void add_number(struct report *r, const json_t *value, const char *unit) {
    if (!json_is_number(value))
        return;
    const double number = json_number_value(value);
    if (fabs(number) >= 1000 && fabs(number) < 1e15)
        text_add(r->out, "%.0f", number);
    else
        text_add(r->out, strcmp(unit, "%") == 0 ? "%.1f" : "%.4g", number);
    text_add_string(r->out, strcmp(unit, "%") == 0 ? "&#160;%" : "");
}

/* ---- tables ---- */

static bool is_bad(const char *verdict) {
    return strncmp(verdict, "outside", 7) == 0 || strcmp(verdict, "does not hold") == 0;
}

static bool is_good(const char *verdict) {
    return strncmp(verdict, "inside", 6) == 0 || strcmp(verdict, "holds") == 0;
}

static void add_row(struct report *r, const json_t *row) {
    const char *unit = string_of(row, "unit"), *verdict = string_of(row, "verdict");
    const json_t *margin = json_object_get(row, "published_margin");
    const json_t *low = json_object_get(row, "low"), *high = json_object_get(row, "high");
    text_add_string(r->out, "<tr><td>");
    add_escaped(r, string_of(row, "label"));
    text_add_string(r->out, "</td><td class=\"n\">");
    add_number(r, json_object_get(row, "published"), unit);
    if (json_is_number(margin))
        text_add(r->out, " &#177; %.1f", json_number_value(margin));
    text_add_string(r->out, "</td><td class=\"n\">");
    add_number(r, json_object_get(row, "ours"), unit);
    text_add_string(r->out, "</td><td class=\"n\">");
    if (json_is_number(low) && json_number_value(low) < json_number_value(high)) {
        add_number(r, low, unit);
        text_add_string(r->out, " to ");
        add_number(r, high, unit);
    }
    text_add(r->out, "</td><td class=\"n\">%lld</td><td class=\"%s\">",
             (long long)json_integer_value(json_object_get(row, "trials")),
             is_bad(verdict)    ? "no"
             : is_good(verdict) ? "yes"
                                : "dim");
    add_escaped(r, verdict);
    text_add_string(r->out, "</td></tr>\n");
}

static void add_rows(struct report *r, const json_t *experiment) {
    text_add_string(r->out, "<div class=\"wide\"><table><thead><tr><th></th><th class=\"n\">published</th>"
                            "<th class=\"n\">ours</th><th class=\"n\">95 % interval</th>"
                            "<th class=\"n\">n</th><th>verdict</th></tr></thead><tbody>\n");
    const json_t *rows = json_object_get(experiment, "rows");
    for (size_t i = 0; i < json_array_size(rows); i++)
        add_row(r, json_array_get(rows, i));
    text_add_string(r->out, "</tbody></table></div>\n");
}

static void add_findings(struct report *r, const json_t *experiment) {
    text_add_string(r->out, "<ul>\n");
    const json_t *findings = json_object_get(experiment, "findings");
    for (size_t i = 0; i < json_array_size(findings); i++) {
        const json_t *finding = json_array_get(findings, i);
        const bool holds = json_is_true(json_object_get(finding, "holds"));
        text_add(r->out, "<li><strong class=\"%s\">%s:</strong> ", holds ? "yes" : "no",
                 holds ? "holds" : "does not hold");
        add_escaped(r, string_of(finding, "text"));
        text_add_string(r->out, "</li>\n");
    }
    text_add_string(r->out, "</ul>\n");
}

static void add_cell(struct report *r, const json_t *cell) {
    const json_t *players = json_object_get(cell, "players");
    text_add_string(r->out, "<tr><td>");
    add_escaped(r, string_of(cell, "label"));
    text_add_string(r->out, "</td><td>");
    for (size_t i = 0; i < json_array_size(players); i++) {
        const char *player = json_string_value(json_array_get(players, i));
        text_add_string(r->out, i > 0 ? " against <code>" : "<code>");
        add_escaped(r, player != NULL ? player : "");
        text_add_string(r->out, "</code>");
    }
    text_add_string(r->out, "</td><td>");
    add_escaped(r, string_of(cell, json_object_get(cell, "game") != NULL ? "game" : "map"));
    text_add_string(r->out, "</td></tr>\n");
}

/* A large one is text. */
static void add_seed(struct report *r, const json_t *seed) {
    if (json_is_string(seed))
        add_escaped(r, json_string_value(seed));
    else
        text_add(r->out, "%lld", (long long)json_integer_value(seed));
}

static void add_parameters(struct report *r, const json_t *experiment) {
    const json_t *parameters = json_object_get(experiment, "parameters");
    const json_t *cells = json_object_get(parameters, "cells");
    text_add_string(r->out,
                    "<details><summary>Parameters</summary><div class=\"wide\"><table><thead><tr><th>cell"
                    "</th><th>players</th><th>map or game</th></tr></thead><tbody>\n");
    for (size_t i = 0; i < json_array_size(cells); i++)
        add_cell(r, json_array_get(cells, i));
    text_add_string(r->out, "</tbody></table></div></details>\n<p class=\"dim\">Rules: ");
    add_escaped(r, *string_of(parameters, "rules") != '\0' ? string_of(parameters, "rules") : "none");
    text_add_string(r->out, "; seed ");
    add_seed(r, json_object_get(experiment, "seed"));
    text_add(r->out, "; %lld trials of a cell at most, %lld in all; %.0f s. Raw trials: <code>",
             (long long)json_integer_value(json_object_get(experiment, "trials")),
             (long long)json_integer_value(json_object_get(experiment, "trials_all")),
             json_number_value(json_object_get(experiment, "seconds")));
    add_escaped(r, string_of(experiment, "name"));
    text_add_string(r->out, "-trials.csv</code>.</p>\n");
}

/* ---- pictures ---- */

/* Names come from files in the folder; one that could lead out of it is no name of ours. */
static bool add_picture(struct report *r, const char *name, const char *caption) {
    char path[FILE_PATH_MAX], prefix[32];
    struct text svg = {0};
    bool ok = strchr(name, '/') == NULL && file_path(path, NULL, "%s/%s.svg", r->folder, name) &&
              file_read(path, FILE_SIZE_MAX, &svg, NULL);
    if (ok) {
        struct text part = {0};
        snprintf(prefix, sizeof prefix, "p%d-", ++r->pictures);
        ok = svg_inline(text_string(&svg), prefix, &part) && !part.failed;
        if (ok) {
            text_add_string(r->out, "<figure>");
            text_add_bytes(r->out, text_string(&part), part.size);
            text_add_string(r->out, "<figcaption>");
            add_escaped(r, caption);
            text_add_string(r->out, "</figcaption></figure>\n");
        }
        text_done(&part);
    }
    text_done(&svg);
    return ok;
}

static void add_plots(struct report *r, const json_t *experiment) {
    const json_t *plots = json_object_get(experiment, "plots");
    for (size_t i = 0; i < json_array_size(plots); i++) {
        const json_t *plot = json_array_get(plots, i);
        if (add_picture(r, string_of(plot, "name"), string_of(plot, "title")))
            continue;
        text_add_string(r->out, "<p class=\"dim\">No picture of <code>");
        add_escaped(r, string_of(plot, "name"));
        text_add_string(r->out, ".csv</code>: gnuplot was not there. Its script lies beside the data.</p>\n");
    }
}

static void add_boards(struct report *r, const json_t *experiment) {
    const json_t *maps = json_object_get(json_object_get(experiment, "parameters"), "maps");
    if (json_array_size(maps) == 0)
        return;
    text_add_string(r->out, "<div class=\"boards\">\n");
    for (size_t i = 0; i < json_array_size(maps); i++) {
        char name[128];
        const char *map = json_string_value(json_array_get(maps, i));
        snprintf(name, sizeof name, "map-%.100s", map != NULL ? map : "");
        add_picture(r, name, map != NULL ? map : "");
    }
    text_add_string(r->out, "</div>\n");
}

/* ---- the page ---- */

static json_t *load(const char *folder, const char *name, struct err *e) {
    char path[FILE_PATH_MAX];
    struct text text = {0};
    json_error_t error;
    json_t *root = NULL;
    err_set(e, "%s", "");
    if (file_path(path, e, "%s/%s.json", folder, name) && file_exists(path) &&
        file_read(path, FILE_SIZE_MAX, &text, e)) {
        root = json_loadb(text_string(&text), text.size, 0, &error);
        if (root == NULL)
            err_set(e, "%s:%d: %s", path, error.line, error.text);
        else if (strcmp(string_of(root, "name"), name) != 0) {
            err_set(e, "%s: is no result of %s", path, name);
            json_decref(root);
            root = NULL;
        }
    }
    text_done(&text);
    return root;
}

static void add_experiment(struct report *r, const json_t *experiment) {
    text_add_string(r->out, "<section id=\"");
    add_escaped(r, string_of(experiment, "name"));
    text_add_string(r->out, "\"><h2>");
    add_escaped(r, string_of(experiment, "name"));
    text_add_string(r->out, ": ");
    add_escaped(r, string_of(experiment, "title"));
    text_add_string(r->out, "</h2>\n<p class=\"dim\">");
    add_escaped(r, string_of(experiment, "source"));
    text_add_string(r->out, ". Published: ");
    add_escaped(r, string_of(experiment, "published"));
    text_add_string(r->out, ".</p>\n<p class=\"summary\">");
    add_escaped(r, string_of(experiment, "summary"));
    text_add_string(r->out, "</p>\n");
    add_findings(r, experiment);
    add_rows(r, experiment);
    add_plots(r, experiment);
    add_boards(r, experiment);
    add_parameters(r, experiment);
    text_add_string(r->out, "</section>\n");
}

static void add_overview(struct report *r, json_t *const *experiments, int count) {
    text_add_string(r->out, "<table><thead><tr><th>experiment</th><th>result</th></tr></thead><tbody>\n");
    for (int i = 0; i < count; i++) {
        text_add_string(r->out, "<tr><td><a href=\"#");
        add_escaped(r, string_of(experiments[i], "name"));
        text_add_string(r->out, "\">");
        add_escaped(r, string_of(experiments[i], "name"));
        text_add_string(r->out, "</a></td><td>");
        add_escaped(r, string_of(experiments[i], "summary"));
        text_add_string(r->out, "</td></tr>\n");
    }
    text_add_string(r->out, "</tbody></table>\n");
}

static void add_page(struct report *r, const char *date, json_t *const *experiments, int count) {
    text_add(r->out,
             "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>"
             "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>"
             "<title>Published experiments, run again</title><style>\n%s</style></head><body>\n"
             "<h1>Published experiments, run again</h1>\n"
             "<p class=\"dim\">senjutsu repro%s",
             style, *date != '\0' ? ", " : "");
    add_escaped(r, date);
    text_add_string(
        r->out, "</p>\n<p>Each published figure stands beside ours with a 95 % interval (Wilson's for "
                "shares, Student's t for means). A finding is what the paper concludes; whether it holds "
                "is tested on our numbers. Times come from a different machine and are only compared.</p>\n");
    add_overview(r, experiments, count);
    for (int i = 0; i < count; i++)
        add_experiment(r, experiments[i]);
    text_add_string(r->out, "</body></html>\n");
}

bool report_make(const char *folder, const char *date, struct text *out, struct err *e) {
    enum { EXPERIMENTS_MAX = 128 };
    json_t *found[EXPERIMENTS_MAX];
    struct report report = {.folder = folder, .out = out};
    int count = 0;
    bool ok = true;
    for (int i = 0; ok && repro_experiments[i] != NULL; i++) {
        assert(count < EXPERIMENTS_MAX);
        found[count] = load(folder, repro_experiments[i]->name, e);
        ok = found[count] != NULL || e->text[0] == '\0';
        count += found[count] != NULL;
    }
    if (ok && count == 0)
        ok = err_set(e, "%s: holds no result of an experiment; 'senjutsu repro NAME --out %s' makes one",
                     folder, folder);
    if (ok)
        add_page(&report, date, found, count);
    for (int i = 0; i < count; i++)
        json_decref(found[i]);
    return ok && (!out->failed || err_set(e, "not enough memory for the report"));
}
