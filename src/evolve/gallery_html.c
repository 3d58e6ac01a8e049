/* SPDX-License-Identifier: MIT
 *
 * The page. Every element is closed and every value quoted, so that it is well-formed XML, too, but for its
 * first line. No scripts; nothing is loaded but the maps' pictures that lie beside it.
 */
#include "base/encode.h"
#include "evolve/gallery_facts.h"

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

/* ---- head ---- */

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
static void add_generation(const struct gallery *gallery, const struct evolution *ev, struct text *out) {
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
    add_generation(gallery, ev, out);
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

/* ---- sections ---- */

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
        gallery_card_html(gallery, ev, i, out);
    text_add_string(out, "</div>\n");
}

void gallery_html(const struct gallery *gallery, const struct evolution *ev, struct text *out) {
    add_start(gallery, out);
    add_heading(gallery, ev, out);
    add_plot(ev, out);
    if (ev->plan->recipe.method == METHOD_ARCHIVE)
        gallery_archive_html(gallery, ev, out);
    add_maps(gallery, ev, out);
    text_add_string(out, "<footer>Strong is <code>");
    html_escape(ev->plan->recipe.strong, out);
    text_add_string(out, "</code>, weak is <code>");
    html_escape(ev->plan->recipe.weak, out);
    text_add_string(out, "</code>. Between equals the strong player plays both sides.</footer>\n"
                         "</body>\n</html>\n");
}
