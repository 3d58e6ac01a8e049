/* SPDX-License-Identifier: MIT
 *
 * A run's page: a plot, the archive as a table of small pictures, and a card for each map with everything
 * that was measured and the map's ancestors.
 *
 * Every element is closed and every value quoted, so that it is well-formed XML, too, except for its first
 * line. There are no scripts, and the page loads nothing but the maps' pictures in its folder.
 */
#include "base/encode.h"
#include "base/mem.h"
#include "evolve/archive.h"
#include "evolve/gallery.h"
#include "game/tbs/show.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- ancestors: ids are given in the order of birth, so parents always have lower ones ---- */

enum {
    GENERATIONS_FIRST = 10, /* limits of a list: the latest generations, … */
    GENERATIONS_LAST = 4,   /* … the earliest ones, … */
    OF_ONE_GENERATION = 4,  /* … and maps of one generation */
};

enum { MARK_ANCESTOR = 1, MARK_MAIN_LINE = 2 };

void gallery_mark_ancestors(const struct evolution *ev, int id, unsigned char *marks) {
    for (int at = id; at >= 0; at--) {
        if (at != id && marks[at] == 0)
            continue;
        for (int i = 0; i < 2; i++) {
            const int parent = ev->origins[at].parents[i];
            assert(parent < at);
            if (parent >= 0 && marks[parent] == 0)
                marks[parent] = MARK_ANCESTOR;
        }
    }
}

/* From each map to the fitter of its parents: of all ways back that one is shown first. */
static void mark_main_line(const struct evolution *ev, int id, unsigned char *marks) {
    while (id >= 0) {
        const int *parents = ev->origins[id].parents;
        const bool second = parents[0] < 0 || (parents[1] >= 0 && ev->origins[parents[1]].fitness >
                                                                      ev->origins[parents[0]].fitness);
        id = parents[second];
        if (id >= 0)
            marks[id] = MARK_MAIN_LINE;
    }
}

struct ancestor {
    int id, generation;
    int mark;
};

/* The latest generation first; within one the main line, then the youngest. */
static int compare(const void *left, const void *right) {
    const struct ancestor *a = left, *b = right;
    if (a->generation != b->generation)
        return a->generation > b->generation ? -1 : 1;
    if (a->mark != b->mark)
        return a->mark > b->mark ? -1 : 1;
    return a->id > b->id ? -1 : a->id < b->id;
}

/* NULL when memory ran out. */
static struct ancestor *list_ancestors(const struct evolution *ev, int id, int *count) {
    unsigned char *marks = mem_alloc((size_t)id + 1);
    *count = 0;
    if (marks == NULL)
        return NULL;
    gallery_mark_ancestors(ev, id, marks);
    mark_main_line(ev, id, marks);
    for (int i = 0; i < id; i++)
        *count += marks[i] != 0;
    struct ancestor *list = mem_alloc((size_t)(*count + 1) * sizeof *list);
    int at = 0;
    for (int i = 0; i < id && list != NULL; i++)
        if (marks[i] != 0)
            list[at++] = (struct ancestor){i, ev->origins[i].generation, marks[i]};
    mem_free(marks);
    if (list != NULL)
        qsort(list, (size_t)*count, sizeof *list, compare);
    return list;
}

/* ---- ancestors as a folded list, the latest first ---- */

static void add_ancestor(const struct evolution *ev, int id, struct text *out) {
    const struct origin *o = &ev->origins[id];
    char fitness[GALLERY_NUMBER_MAX];
    text_add(out, "<span class=\"one\"><b>#%d</b> %s <small>", id,
             gallery_fitness(ev, (double)o->fitness, fitness));
    html_escape(o->note, out);
    if (o->parents[0] >= 0)
        text_add(out, " of #%d", o->parents[0]);
    if (o->parents[1] >= 0)
        text_add(out, " × #%d", o->parents[1]);
    text_add_string(out, "</small></span>");
}

static void add_generation(const struct evolution *ev, const struct ancestor *list, int count,
                           struct text *out) {
    text_add(out, "<li><span class=\"g\">%d</span> ", list[0].generation);
    for (int i = 0; i < count && i < OF_ONE_GENERATION; i++) {
        text_add_string(out, i > 0 ? ", " : "");
        add_ancestor(ev, list[i].id, out);
    }
    if (count > OF_ONE_GENERATION)
        text_add(out, " <small>and %d more</small>", count - OF_ONE_GENERATION);
    text_add_string(out, "</li>\n");
}

/* How many at the head of the list are of one generation. */
static int generation_size(const struct ancestor *list, int count) {
    int size = 1;
    while (size < count && list[size].generation == list[0].generation)
        size++;
    return size;
}

static int generation_count(const struct ancestor *list, int count) {
    int generations = 0;
    for (int i = 0; i < count; i += generation_size(list + i, count - i))
        generations++;
    return generations;
}

static void add_list(const struct evolution *ev, const struct ancestor *list, int count, struct text *out) {
    const int generations = generation_count(list, count);
    const int hidden = generations - GENERATIONS_FIRST - GENERATIONS_LAST;
    text_add_string(out, "<ol class=\"lineage\">\n");
    for (int i = 0, g = 0; i < count; g++) {
        const int size = generation_size(list + i, count - i);
        if (hidden <= 1 || g < GENERATIONS_FIRST || g >= GENERATIONS_FIRST + hidden)
            add_generation(ev, list + i, size, out);
        else if (g == GENERATIONS_FIRST)
            text_add(out, "<li><span class=\"g\">…</span> <small>%d generations more</small></li>\n", hidden);
        i += size;
    }
    text_add_string(out, "</ol>\n");
}

static void add_lineage(const struct evolution *ev, int id, struct text *out) {
    int count, founders = 0;
    struct ancestor *list = list_ancestors(ev, id, &count);
    if (list == NULL) {
        out->failed = true;
        return;
    }
    for (int i = 0; i < count; i++)
        founders += ev->origins[list[i].id].parents[0] < 0 && ev->origins[list[i].id].parents[1] < 0;
    if (count > 0) {
        text_add(
            out,
            "<details><summary>Lineage: %d ancestor%s in %d generation%s, %d without parents</summary>\n",
            count, count == 1 ? "" : "s", generation_count(list, count),
            generation_count(list, count) == 1 ? "" : "s", founders);
        add_list(ev, list, count, out);
        text_add_string(out, "</details>\n");
    }
    mem_free(list);
}

/* ---- pictures ---- */

/* A build without pictures shows the board as text. */
static void add_board(const struct tbs_map *map, struct text *out) {
    const struct tbs_show how = {0};
    struct text board = {0};
    tbs_show_map(map, &how, &board);
    text_add_string(out, "<pre class=\"board\">");
    html_escape(text_string(&board), out);
    text_add_string(out, "</pre>\n");
    out->failed = out->failed || board.failed;
    text_done(&board);
}

static void add_picture(const struct evolution *ev, int id, struct text *out) {
    char name[GALLERY_NUMBER_MAX];
    text_add(out, "<img src=\"pictures/%s.svg\" alt=\"map %d\" style=\"aspect-ratio:auto %d/%d\"/>",
             gallery_name(id, name), id, ev->plan->space.width, ev->plan->space.height);
}

/* ---- the archive ---- */

/* "under 4", "4–6", "15 and more" */
static void add_bin(const struct feature *f, int bin, struct text *out) {
    if (bin == 0)
        text_add(out, "under %g", f->edges[0]);
    else if (bin == f->bins - 1)
        text_add(out, "%g and more", f->edges[bin - 1]);
    else
        text_add(out, "%g–%g", f->edges[bin - 1], f->edges[bin]);
}

static bool is_at(const struct individual *one, int length, int mix) {
    return one->place[FEATURE_LENGTH] == length && one->place[FEATURE_MIX] == mix;
}

static void add_shown(const struct gallery *gallery, const struct evolution *ev, const struct individual *one,
                      struct text *out) {
    const struct judgement *j = judgement_games(&one->fresh) > 0 ? &one->fresh : &one->judgement;
    text_add(out, "<td%s><a href=\"#map-%d\">", archive_is_fair(ev->plan, j) ? "" : " class=\"unfair\"",
             one->id);
    if (gallery->draw != NULL)
        add_picture(ev, one->id, out);
    else
        text_add(out, "#%d ", one->id);
    text_add(out, "<b>%.0f %%</b> <small>red %.0f %%</small></a></td>", 100 * judgement_strength(j).value,
             100 * judgement_red(j).value);
}

/* The best map of the cell, with or without a card; NULL when there is none. */
static const struct individual *find_best(const struct evolution *ev, int length, int mix) {
    const struct individual *best = NULL;
    for (int i = 0; i < ev->count; i++) {
        const struct individual *one = &ev->individuals[i];
        if (is_at(one, length, mix) && (best == NULL || one->fitness > best->fitness))
            best = one;
    }
    return best;
}

static void add_cell(const struct gallery *gallery, const struct evolution *ev, int length, int mix,
                     struct text *out) {
    const struct individual *kept = find_best(ev, length, mix);
    for (int i = 0; i < ev->shown_count; i++)
        if (is_at(&ev->individuals[ev->shown[i]], length, mix)) {
            add_shown(gallery, ev, &ev->individuals[ev->shown[i]], out);
            return;
        }
    if (kept != NULL)
        text_add(out, "<td class=\"dim\">#%d<br/>%.0f %%<br/><small>red %.0f %%</small></td>", kept->id,
                 100 * judgement_strength(&kept->judgement).value,
                 100 * judgement_red(&kept->judgement).value);
    else
        text_add_string(out, "<td class=\"empty\"></td>");
}

static void add_archive(const struct gallery *gallery, const struct evolution *ev, struct text *out) {
    const struct feature *length = &evolution_features[FEATURE_LENGTH];
    const struct feature *mix = &evolution_features[FEATURE_MIX];
    text_add(
        out,
        "<h2>Archive</h2>\n<p class=\"dim\">The best map of each kind: columns by %s (%s), rows by %s (%s). "
        "The number is the strong player’s score against the weak one, below it red’s between equals. "
        "Pale maps are not fair: red’s score is more than %g points away from 50 %%. Those without a picture "
        "have no card: they are not good enough, or much like one that has, or there were enough.</p>\n"
        "<div class=\"scroll\" role=\"region\" aria-label=\"Archive\" tabindex=\"0\">\n"
        "<table class=\"archive\">\n<thead><tr><td></td>",
        length->name, length->unit, mix->name, mix->unit, 100 * ev->plan->recipe.fair);
    for (int x = 0; x < length->bins; x++) {
        text_add_string(out, "<th scope=\"col\">");
        add_bin(length, x, out);
        text_add(out, "<small> %s</small></th>", length->unit);
    }
    text_add_string(out, "</tr></thead>\n<tbody>\n");
    for (int y = 0; y < mix->bins; y++) {
        text_add_string(out, "<tr><th scope=\"row\">");
        add_bin(mix, y, out);
        text_add(out, "<small> %s</small></th>", mix->unit);
        for (int x = 0; x < length->bins; x++)
            add_cell(gallery, ev, x, y, out);
        text_add_string(out, "</tr>\n");
    }
    text_add_string(out, "</tbody>\n</table>\n</div>\n");
}

/* ---- a card's numbers ---- */

static void add_bar(double low, double value, double high, struct text *out) {
    text_add(out,
             "<td class=\"bar\" aria-hidden=\"true\"><span><i style=\"left:%.1f%%;width:%.1f%%\"></i>"
             "<b style=\"left:%.1f%%\"></b></span></td></tr>\n",
             100 * low, 100 * (high - low), 100 * value);
}

static void begin_row(const char *label, struct text *out) {
    text_add(out, "<tr><th scope=\"row\">%s</th>", label);
}

static void add_share(const char *label, const struct share *share, struct text *out) {
    char number[GALLERY_NUMBER_MAX];
    begin_row(label, out);
    text_add(out, "<td>%s</td>", gallery_share(share, number));
    if (share->games > 0)
        add_bar(share->interval.low, share->value, share->interval.high, out);
    else
        text_add_string(out, "<td class=\"bar\"></td></tr>\n");
}

static void add_text_row(const char *label, const char *words, struct text *out) {
    begin_row(label, out);
    text_add(out, "<td colspan=\"2\">%s</td></tr>\n", words);
}

static void add_sides(const char *label, const int values[TBS_SIDES], const int units[TBS_SIDES],
                      struct text *out) {
    begin_row(label, out);
    text_add_string(out, "<td colspan=\"2\">");
    for (int side = 0; side < TBS_SIDES; side++)
        text_add(out, "%s%s %d <small>(by %d unit%s)</small>", side > 0 ? ", " : "", tbs_side_names[side],
                 values[side], units[side], units[side] == 1 ? "" : "s");
    text_add_string(out, "</td></tr>\n");
}

static void add_useless(const struct static_features *features, struct text *out) {
    struct text words = {0};
    for (int side = 0; side < TBS_SIDES; side++) {
        const int useless = features->no_prey[side] + features->stranded[side];
        if (useless > 0)
            text_add(&words, "%s%s %d", words.size > 0 ? ", " : "", tbs_side_names[side], useless);
    }
    add_text_row("Useless units", words.size > 0 ? text_string(&words) : "none", out);
    out->failed = out->failed || words.failed;
    text_done(&words);
}

static void add_length(const struct gallery_entry *f, struct text *out) {
    const struct judgement *j = f->judgement;
    const int games = judgement_games(j);
    const double turns = judgement_turns(j), share = fmin(1, turns / f->map.turn_limit);
    begin_row("Length of a game", out);
    if (games == 0) {
        text_add_string(out, "<td>–</td><td class=\"bar\"></td></tr>\n");
        return;
    }
    text_add(out, "<td>%.1f of %d turns</td>", turns, f->map.turn_limit);
    add_bar(0, share, share, out);
}

static void add_first_turn(const struct gallery_entry *f, struct text *out) {
    const struct static_features *features = &f->individual->static_features;
    add_sides("Attacks in the first turn", features->first_attacks, features->attackers, out);
    if (judgement_games(f->judgement) == 0)
        return;
    begin_row("Kills in the first turn", out);
    text_add(out, "<td colspan=\"2\">by red %.2f, by blue %.2f units a game</td></tr>\n",
             judgement_first_kills_mean(f->judgement, TBS_RED),
             judgement_first_kills_mean(f->judgement, TBS_BLUE));
}

static void add_numbers(const struct gallery_entry *f, struct text *out) {
    const struct static_features *features = &f->individual->static_features;
    const bool has_peers = tally_games(&f->judgement->peers) > 0;
    for (int i = 0; i < QUALITIES; i++)
        add_share(i == QUALITY_RED && !has_peers
                      ? "Red’s score between equals, estimated from the games above"
                      : gallery_qualities[i].label,
                  &f->qualities[i], out);
    add_length(f, out);
    begin_row("Naturalness", out);
    text_add(out, "<td>%.2f of 1</td>", features->natural);
    add_bar(0, features->natural, features->natural, out);
    add_first_turn(f, out);
    add_useless(features, out);
}

/* ---- what it was selected by ---- */

static void add_compared(const char *label, const char *before, const char *fresh, struct text *out) {
    begin_row(label, out);
    text_add(out, "<td colspan=\"2\">%s when selected", before);
    if (fresh != NULL)
        text_add(out, ", <strong>%s</strong> in fresh games", fresh);
    text_add_string(out, "</td></tr>\n");
}

static void add_selection(const struct evolution *ev, const struct gallery_entry *f, struct text *out) {
    const struct individual *one = f->individual;
    const struct share strength = judgement_strength(&one->judgement);
    const struct recipe *recipe = &ev->plan->recipe;
    char before[GALLERY_NUMBER_MAX], fresh[GALLERY_NUMBER_MAX];
    gallery_fitness(ev, one->fitness, before);
    gallery_fitness(ev, f->fitness_fresh, fresh);
    add_compared(recipe->method == METHOD_ARCHIVE ? "Quality (0–1)" : "Fitness", before,
                 f->is_fresh ? fresh : NULL, out);
    if (f->is_fresh) {
        gallery_share(&strength, before);
        gallery_share(&f->qualities[QUALITY_STRENGTH], fresh);
        add_compared("Strength", before, fresh, out);
    }
}

/* ---- the card ---- */

static void add_sentence(const char *text, struct text *out) {
    const char first[2] = {(char)toupper((unsigned char)text[0])};
    html_escape(first, out);
    html_escape(text[0] != '\0' ? text + 1 : "", out);
}

static void add_remarks(const struct remarks *remarks, struct text *out) {
    static const char *const classes[] = {
        [REMARK_GOOD] = "good", [REMARK_NOTE] = "note", [REMARK_FAULT] = "fault"};
    if (remarks->count == 0)
        return;
    text_add_string(out, "<ul class=\"remarks\">\n");
    for (int i = 0; i < remarks->count; i++) {
        text_add(out, "<li class=\"%s\">", classes[remarks->items[i].weight]);
        add_sentence(remarks->items[i].text, out);
        text_add_string(out, ".</li>\n");
    }
    text_add_string(out, "</ul>\n");
}

static void add_origin(const struct gallery_entry *f, struct text *out) {
    text_add(out, "<p>Born in generation %d: ", f->origin->generation);
    html_escape(f->origin->note, out);
    for (int i = 0; i < 2; i++)
        if (f->origin->parents[i] >= 0)
            text_add(out, "%s #%d", i == 0 ? " of" : " ×", f->origin->parents[i]);
    text_add_string(out, ".</p>\n");
}

static void add_head(const struct gallery *gallery, const struct evolution *ev, const struct gallery_entry *f,
                     struct text *out) {
    const int games = judgement_games(f->judgement);
    char name[GALLERY_NUMBER_MAX], count[GALLERY_NUMBER_MAX];
    gallery_name(f->individual->id, name);
    text_add_string(out, "<div class=\"head\">\n");
    if (gallery->draw != NULL) {
        text_add(out, "<a class=\"picture\" href=\"pictures/%s.svg\">", name);
        add_picture(ev, f->individual->id, out);
        text_add_string(out, "</a>\n");
    } else {
        add_board(&f->map, out);
    }
    text_add(out, "<div>\n<h3>Map #%d</h3>\n", f->individual->id);
    if (games > 0)
        text_add(out, "<p class=\"verdict\">%s; %s.</p>\n", remarks_strength(&f->qualities[QUALITY_STRENGTH]),
                 remarks_fairness(&f->qualities[QUALITY_RED], ev->plan->recipe.fair));
    text_add(out, "<p>%d × %d cells, %d red and %d blue units.</p>\n", f->map.width - 2, f->map.height - 2,
             tbs_map_side_units(&f->map, TBS_RED), tbs_map_side_units(&f->map, TBS_BLUE));
    add_origin(f, out);
    text_add(out, "<p class=\"dim\">Numbers from %s %s.</p>\n", gallery_count(games, count),
             f->is_fresh ? "fresh games, played after it was selected" : "games that it was selected by");
    text_add(out, "<p><a href=\"maps/%s.tbsmap\">%s.tbsmap</a></p>\n</div>\n</div>\n", name, name);
}

static void add_card(const struct gallery *gallery, const struct evolution *ev, int rank, struct text *out) {
    struct gallery_entry entry;
    gallery_entry_make(ev, rank, &entry);
    text_add(out, "<article id=\"map-%d\">\n", entry.individual->id);
    add_head(gallery, ev, &entry, out);
    text_add_string(out, "<table class=\"numbers\">\n<tbody>\n");
    add_numbers(&entry, out);
    add_selection(ev, &entry, out);
    text_add_string(out, "</tbody>\n</table>\n");
    add_remarks(&entry.remarks, out);
    add_lineage(ev, entry.individual->id, out);
    text_add_string(out, "</article>\n");
}

/* ---- the page: style ---- */

static const char colours[] =
    ":root{color-scheme:light dark;--fg:#1b2026;--bg:#fdfdfc;--card:#fff;--dim:#59636e;--line:#dde1e6;"
    "--mark:#2d6aa3;--bad:#a3241c;--good:#17692f}\n"
    "@media (prefers-color-scheme:dark){:root{--fg:#e5e8eb;--bg:#15181c;--card:#1b1f24;--dim:#9aa5b0;"
    "--line:#31373e;--mark:#7db4e6;--bad:#ff8f85;--good:#6fce8b}}\n"
    "@media print{:root{color-scheme:light;--fg:#000;--bg:#fff;--card:#fff;--dim:#444;--line:#aaa;"
    "--mark:#000;--bad:#000;--good:#000}}\n";

static const char layout[] =
    "*{box-sizing:border-box}\n"
    "body{font:16px/1.5 system-ui,-apple-system,\"Segoe UI\",\"Noto Sans\",\"Noto Sans JP\",sans-serif;"
    "color:var(--fg);background:var(--bg);margin:0 auto;padding:2rem 1.5rem 3rem;max-width:76rem}\n"
    "h1{font-size:1.6rem;line-height:1.25;margin:0 0 .25rem;overflow-wrap:anywhere}\n"
    "h2{font-size:1.2rem;margin:2.5rem 0 .5rem}h3{font-size:1.1rem;margin:0 0 .25rem}\n"
    "p{margin:0 0 .5rem;max-width:48rem}.dim,small{color:var(--dim)}small{font-size:.8125rem}\n"
    "a{color:var(--mark)}code,pre{font-family:ui-monospace,\"DejaVu Sans "
    "Mono\",monospace;font-size:.875rem}\n"
    "pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:.5rem 0;padding:.5rem .75rem;"
    "border:1px solid var(--line);border-radius:.375rem}\n"
    ".state{display:inline-block;font-size:.8125rem;padding:0 .6rem;border:1px solid currentColor;"
    "border-radius:1rem;color:var(--dim)}.state.running{color:var(--mark)}\n"
    "details{margin:.5rem 0}summary{cursor:pointer;color:var(--dim)}\n"
    ".scroll{overflow-x:auto;margin:.5rem 0;outline-offset:3px}\n"
    "table{border-collapse:collapse;font-variant-numeric:tabular-nums}\n"
    "th,td{text-align:left;font-weight:400;padding:.25rem .6rem .25rem 0;vertical-align:top}\n"
    ".recipe th,.recipe td{border-bottom:1px solid var(--line);padding-right:1rem}.recipe "
    "td{overflow-wrap:anywhere}\n"
    "figure{margin:0;max-width:46rem}figure svg{display:block;width:100%;height:auto}\n"
    "figcaption{font-size:.875rem;color:var(--dim)}\n";

static const char cards[] =
    ".archive{table-layout:fixed}.archive th,.archive td{padding:.25rem;text-align:center;"
    "vertical-align:middle}\n"
    ".archive th{font-size:.875rem;line-height:1.2;min-width:4.5rem}.archive thead "
    "th{vertical-align:bottom}\n"
    ".archive td{width:8.5rem;min-width:5.5rem;border:1px solid var(--line)}.archive td.empty{height:3rem}\n"
    ".archive thead td{border:0;width:auto;min-width:0}\n"
    ".archive a{display:block;text-decoration:none;color:inherit;line-height:1.3}\n"
    ".archive tbody th{position:sticky;left:0;background:var(--bg)}.archive a small{display:block}\n"
    ".archive img{display:block;width:100%;height:auto}.archive .unfair img{opacity:.35}"
    ".archive .unfair a{color:var(--dim)}\n"
    ".cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(30rem,100%),1fr));gap:1.25rem;"
    "align-items:start;margin-top:1rem}\n"
    "article{border:1px solid var(--line);border-radius:.5rem;background:var(--card);padding:1rem;"
    "min-width:0;scroll-margin-top:1rem}article:target{border-color:var(--mark)}\n"
    ".head{display:flex;gap:1rem;margin-bottom:.75rem}.head>div{min-width:0;flex:1}\n"
    ".head p{font-size:.9375rem;margin:0 0 .3rem}.verdict{font-weight:600}\n"
    ".verdict::first-letter{text-transform:uppercase}\n"
    ".picture{flex:0 0 min(14rem,45%)}.picture img{display:block;width:100%;height:auto}\n"
    ".board{margin:0;padding:.25rem .5rem;line-height:1.2;white-space:pre;overflow-x:auto}\n"
    ".numbers{width:100%;font-size:.9375rem}.numbers th,.numbers td{padding:.2rem .5rem .2rem 0;"
    "border-top:1px solid var(--line)}.numbers th{width:42%}\n"
    ".numbers td:not([colspan]){white-space:nowrap}.numbers "
    "td.bar{width:24%;min-width:5rem;padding-right:0}\n"
    "td.bar span{position:relative;display:block;height:1.4rem;background:linear-gradient(var(--line),"
    "var(--line)) 50%/1px 100% no-repeat,linear-gradient(var(--line),var(--line)) 0 50%/100% 1px no-repeat}\n"
    "td.bar i{position:absolute;top:.575rem;height:.25rem;border-radius:.125rem;background:var(--mark);"
    "opacity:.55}\n"
    "td.bar b{position:absolute;top:.4rem;width:.6rem;height:.6rem;margin-left:-.3rem;border-radius:50%;"
    "background:var(--mark)}\n"
    ".remarks{margin:.75rem 0 0;padding:0;list-style:none;font-size:.9375rem}\n"
    ".remarks li{padding-left:1.4rem;position:relative;margin:.15rem 0}\n"
    ".remarks li::before{position:absolute;left:.1rem;font-weight:700;content:\"·\"}\n"
    ".remarks .good::before{content:\"✓\";color:var(--good)}"
    ".remarks .fault::before{content:\"!\";color:var(--bad)}\n"
    ".lineage{list-style:none;margin:.25rem 0 0;padding:0;font-size:.875rem}\n"
    ".lineage li{padding-left:2.5rem;position:relative;margin:.1rem 0;overflow-wrap:anywhere}\n"
    ".lineage .g{position:absolute;left:0;width:1.9rem;text-align:right;color:var(--dim)}\n";

static const char narrow[] =
    "footer{margin-top:2.5rem;border-top:1px solid var(--line);padding-top:.75rem;font-size:.875rem;"
    "color:var(--dim)}\n"
    "@media (max-width:40rem){body{padding:1.25rem 1rem 2rem}h1{font-size:1.35rem}article{padding:.75rem}"
    "figure "
    ".evoplot{font-size:18px}.head{display:block}.picture{display:block;max-width:20rem;margin-bottom:.5rem}"
    ".numbers{font-size:.875rem}.numbers th{width:36%}.numbers td.bar{min-width:4rem}}\n"
    "@media print{body{max-width:none;padding:0;font-size:11px}.scroll{overflow:visible}"
    "*{print-color-adjust:exact;-webkit-print-color-adjust:exact}article,tr,figure{break-inside:avoid}"
    ".cards{display:block}article{margin-bottom:1rem}details:not([open]){display:none}}\n";

static const char *const style[] = {colours, layout, cards, narrow};

static const struct generation *last_generation(const struct evolution *ev) {
    return ev->generation_count > 0 ? &ev->generations[ev->generation_count - 1] : NULL;
}

/* ---- the page: head ---- */

static void add_start(const struct gallery *gallery, struct text *out) {
    text_add_string(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
                         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n");
    if (!gallery->finished)
        text_add_string(out, "<meta http-equiv=\"refresh\" content=\"5\"/>\n");
    text_add_string(out, "<title>");
    html_escape(gallery->title, out);
    text_add_string(out, "</title>\n<style>\n");
    for (size_t i = 0; i < sizeof style / sizeof style[0]; i++)
        text_add_string(out, style[i]);
    text_add_string(out, "</style>\n</head>\n<body>\n");
}

/* A budget of games or of time may end a run before its last generation. */
static void add_reached_generation(const struct gallery *gallery, const struct evolution *ev,
                                   struct text *out) {
    const struct generation *last = last_generation(ev);
    const int planned = ev->plan->recipe.generations;
    if (last != NULL && last->number > planned)
        text_add(out, "; %d generations, then the best judged again", planned);
    else if (last != NULL)
        text_add(out, "; generation %d of %s%d", last->number,
                 gallery->finished && last->number < planned ? "at most " : "", planned);
}

static void add_progress(const struct gallery *gallery, const struct evolution *ev, struct text *out) {
    const struct generation *last = last_generation(ev);
    const int fresh = gallery_games_fresh(ev);
    char number[GALLERY_NUMBER_MAX];
    text_add(out, "preset %s, seed %llu", recipe_presets[ev->plan->recipe.preset],
             (unsigned long long)ev->seed);
    add_reached_generation(gallery, ev, out);
    text_add(out, "; %s maps judged", gallery_count(ev->evaluations, number));
    text_add(out, " by %s games", gallery_count(last != NULL ? last->games : 0, number));
    if (fresh > 0)
        text_add(out, ", the best by %s fresh ones", gallery_count(fresh, number));
    text_add_string(out, ".");
}

static void add_recipe(const struct recipe *recipe, struct text *out) {
    struct text value = {0};
    text_add_string(out, "<details>\n<summary>The recipe: every parameter</summary>\n<div class=\"scroll\">"
                         "<table class=\"recipe\">\n<tbody>\n");
    for (const struct param *p = recipe_params; p->name != NULL; p++) {
        text_clear(&value);
        params_write_value(p, recipe, &value);
        text_add(out, "<tr><th scope=\"row\"><code>%s</code></th><td>", p->name);
        html_escape(text_string(&value), out);
        text_add_string(out, "</td><td class=\"dim\">");
        html_escape(p->help, out);
        text_add_string(out, "</td></tr>\n");
        out->failed = out->failed || value.failed;
    }
    text_add_string(out, "</tbody>\n</table></div>\n</details>\n");
    text_done(&value);
}

static void add_heading(const struct gallery *gallery, const struct evolution *ev, struct text *out) {
    text_add_string(out, "<h1>");
    html_escape(gallery->title, out);
    text_add(out, "</h1>\n<p class=\"dim\"><span class=\"state%s\">%s</span> ",
             gallery->finished ? "" : " running", gallery->finished ? "finished" : "running");
    add_progress(gallery, ev, out);
    text_add_string(out, "</p>\n");
    if (gallery->command != NULL) {
        text_add_string(out, "<pre>");
        html_escape(gallery->command, out);
        text_add_string(out, "</pre>\n");
    }
    add_recipe(&ev->plan->recipe, out);
}

/* ---- the page: sections ---- */

static void add_plot(const struct evolution *ev, struct text *out) {
    const bool has_archive = ev->plan->recipe.method == METHOD_ARCHIVE;
    text_add(out, "<h2>%s by generation</h2>\n<figure>\n", has_archive ? "Quality" : "Fitness");
    gallery_plot_svg(ev, out);
    text_add(out,
             "<figcaption>%s As data: <a href=\"fitness.csv\">fitness.csv</a>; as a picture: "
             "<a href=\"fitness.svg\">fitness.svg</a>.</figcaption>\n</figure>\n",
             has_archive
                 ? "Quality is a cautious estimate from the games played so far: how often the strong "
                   "player wins, less what the map is unfair by, and how natural it looks."
                 : "In the population after selection, by the games that selected it.");
}

static void add_source(const struct evolution *ev, struct text *out) {
    if (ev->verified && gallery_games_fresh(ev) > 0)
        text_add_string(
            out, "<p>Selection flatters: of many maps that were judged by few games, those come first that "
                 "were lucky, too. So each map below was judged again by fresh games that decided nothing. "
                 "Its numbers are from those; what it was selected by stands beside them.</p>\n");
    else
        text_add_string(
            out, "<p>The numbers are from the games that the maps were selected by. Selection flatters: of "
                 "many maps that were judged by few games, those come first that were lucky, too.</p>\n");
    text_add_string(out,
                    "<p class=\"dim\">Intervals are 95 %. All maps as data: <a href=\"maps.csv\">maps.csv"
                    "</a>; everything: <a href=\"results.json\">results.json</a>.</p>\n");
}

static void add_maps(const struct gallery *gallery, const struct evolution *ev, struct text *out) {
    text_add_string(out, "<h2>Maps</h2>\n");
    if (ev->shown_count == 0) {
        text_add(out, "<p>%s</p>\n",
                 gallery->finished ? "There are none." : "None yet: the first generation is being judged.");
        return;
    }
    add_source(ev, out);
    text_add_string(out, "<div class=\"cards\">\n");
    for (int i = 0; i < ev->shown_count; i++)
        add_card(gallery, ev, i, out);
    text_add_string(out, "</div>\n");
}

void gallery_html(const struct gallery *gallery, const struct evolution *ev, struct text *out) {
    add_start(gallery, out);
    add_heading(gallery, ev, out);
    add_plot(ev, out);
    if (ev->plan->recipe.method == METHOD_ARCHIVE)
        add_archive(gallery, ev, out);
    add_maps(gallery, ev, out);
    text_add_string(out, "<footer>Strong is <code>");
    html_escape(ev->plan->recipe.strong, out);
    text_add_string(out, "</code>, weak is <code>");
    html_escape(ev->plan->recipe.weak, out);
    text_add_string(out, "</code>. Between equals the strong player plays both sides.</footer>\n"
                         "</body>\n</html>\n");
}
