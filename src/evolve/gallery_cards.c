/* SPDX-License-Identifier: MIT
 *
 * Maps on the page: the archive as a table of small pictures, and a card for each map with everything that
 * was measured.
 */
#include "base/encode.h"
#include "evolve/archive.h"
#include "evolve/gallery_facts.h"
#include "game/tbs/show.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

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

/* The best of those that were kept but have no card; NULL when there is none. */
static const struct individual *find_kept(const struct evolution *ev, int length, int mix) {
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
    const struct individual *kept = find_kept(ev, length, mix);
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

void gallery_archive_html(const struct gallery *gallery, const struct evolution *ev, struct text *out) {
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

static void add_words(const char *label, const char *words, struct text *out) {
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

static void add_useless(const struct looks *looks, struct text *out) {
    struct text words = {0};
    for (int side = 0; side < TBS_SIDES; side++) {
        const int useless = looks->no_prey[side] + looks->stranded[side];
        if (useless > 0)
            text_add(&words, "%s%s %d", words.size > 0 ? ", " : "", tbs_side_names[side], useless);
    }
    add_words("Useless units", words.size > 0 ? text_string(&words) : "none", out);
    out->failed = out->failed || words.failed;
    text_done(&words);
}

static void add_length(const struct gallery_facts *f, struct text *out) {
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

static void add_first_turn(const struct gallery_facts *f, struct text *out) {
    const struct looks *looks = &f->individual->looks;
    add_sides("Attacks in the first turn", looks->first_attacks, looks->attackers, out);
    if (judgement_games(f->judgement) == 0)
        return;
    begin_row("Kills in the first turn", out);
    text_add(out, "<td colspan=\"2\">by red %.2f, by blue %.2f units a game</td></tr>\n",
             judgement_first_kills_mean(f->judgement, TBS_RED),
             judgement_first_kills_mean(f->judgement, TBS_BLUE));
}

static void add_numbers(const struct gallery_facts *f, struct text *out) {
    const struct looks *looks = &f->individual->looks;
    const bool has_peers = tally_games(&f->judgement->peers) > 0;
    for (int i = 0; i < QUALITIES; i++)
        add_share(i == QUALITY_RED && !has_peers
                      ? "Red’s score between equals, estimated from the games above"
                      : gallery_qualities[i].label,
                  &f->qualities[i], out);
    add_length(f, out);
    begin_row("Naturalness", out);
    text_add(out, "<td>%.2f of 1</td>", looks->natural);
    add_bar(0, looks->natural, looks->natural, out);
    add_first_turn(f, out);
    add_useless(looks, out);
}

/* ---- what it was selected by ---- */

static void add_compared(const char *label, const char *before, const char *fresh, struct text *out) {
    begin_row(label, out);
    text_add(out, "<td colspan=\"2\">%s when selected", before);
    if (fresh != NULL)
        text_add(out, ", <strong>%s</strong> in fresh games", fresh);
    text_add_string(out, "</td></tr>\n");
}

static void add_selection(const struct evolution *ev, const struct gallery_facts *f, struct text *out) {
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

static void add_origin(const struct gallery_facts *f, struct text *out) {
    text_add(out, "<p>Born in generation %d: ", f->origin->generation);
    html_escape(f->origin->note, out);
    for (int i = 0; i < 2; i++)
        if (f->origin->parents[i] >= 0)
            text_add(out, "%s #%d", i == 0 ? " of" : " ×", f->origin->parents[i]);
    text_add_string(out, ".</p>\n");
}

static void add_head(const struct gallery *gallery, const struct evolution *ev, const struct gallery_facts *f,
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

void gallery_card_html(const struct gallery *gallery, const struct evolution *ev, int rank,
                       struct text *out) {
    struct gallery_facts facts;
    gallery_facts_make(ev, rank, &facts);
    text_add(out, "<article id=\"map-%d\">\n", facts.individual->id);
    add_head(gallery, ev, &facts, out);
    text_add_string(out, "<table class=\"numbers\">\n<tbody>\n");
    add_numbers(&facts, out);
    add_selection(ev, &facts, out);
    text_add_string(out, "</tbody>\n</table>\n");
    add_remarks(&facts.remarks, out);
    gallery_lineage_html(ev, facts.individual->id, out);
    text_add_string(out, "</article>\n");
}
