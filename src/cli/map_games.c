/* SPDX-License-Identifier: MIT
 *
 * The verbs of `senjutsu map` that play games. `map judge FILE…` measures how fair a map is, how much
 * strength matters on it, and what is unusual about it; `map repair FILE` finds the smallest changes that
 * make a map fair. Both share the players, the evaluator and the status line.
 */
#include "base/encode.h"
#include "base/mem.h"
#include "cli/cli.h"
#include "evolve/evaluator.h"
#include "evolve/judge.h"
#include "evolve/repair.h"
#include "game/tbs/map.h"
#include "player/player.h"
#include "store/store.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

/* First the options, then what is made from them. */
struct map_games {
    struct judge_options judge;
    const char *store_path; /* NULL: games are not stored */
    int jobs;               /* 0: one per core */
    bool quiet;
    /* Adds to the status line; called on any thread, one call at a time. The verb's struct begins with this
     * one. */
    void (*add_state)(const struct map_games *g, char *out, size_t out_size);

    struct text specs[2]; /* canonical: strong, weak */
    const struct tbs_rules *rules;
    struct store *store;
    struct evaluator *evaluator;
    int games; /* played so far */
};

/* Checks players and rules before maps are read: a mistake in an option is reported first, and as wrong
 * usage. */
static bool check_games(struct map_games *g, struct err *e) {
    const char *const given[] = {g->judge.strong, g->judge.weak};
    g->rules = tbs_read_rules(g->judge.rules, e);
    bool ok = g->rules != NULL;
    for (int i = 0; ok && i < 2; i++)
        ok = player_check(given[i], &g->specs[i], e) || err_prefix(e, "--%s: ", i == 0 ? "strong" : "weak");
    for (int i = 0; ok && i < 2; i++)
        cli_check_program(text_string(&g->specs[i]), text_string(&g->specs[i]));
    return ok;
}

/* The on_game callback of the evaluator. Games found in the store count as well: the line shows how much is
 * known, not how much was played. */
static void show_progress(void *context, const struct sample_game *sample, bool stored) {
    (void)sample, (void)stored;
    struct map_games *g = context;
    char state[120] = "";
    g->games++;
    if (g->quiet || !cli_status_is_due(CLI_REDRAW_MS))
        return;
    g->add_state(g, state, sizeof state);
    cli_status_draw("%d games, %.0f s%s", g->games, cli_seconds(), state);
}

/* ---- opening and closing ---- */

/* Opens the evaluator, and the store if there is one; from now on Ctrl-C stops the run. */
static bool open_games(struct map_games *g, struct err *e) {
    if (g->store_path != NULL)
        g->store = store_open(g->store_path, STORE_WRITE, e);
    const char *const specs[] = {text_string(&g->specs[0]), text_string(&g->specs[1])};
    const struct cli_programs programs = {specs, 2, EVALUATOR_COPIES_MAX, 0, NULL};
    const struct evaluator_setup setup = {
        .rules = g->rules,
        .strong = text_string(&g->specs[0]),
        .weak = text_string(&g->specs[1]),
        .seed = g->judge.seed,
        .workers = cli_parallel_games(g->jobs, &programs),
        .store = g->store,
        .clock = cli_clock(),
        .grant = cli_grant(),
        .stop = &cli_stop,
        .date = cli_date,
        .on_game = show_progress,
        .context = g,
    };
    cli_begin();
    cli_status_delay(); /* short runs draw nothing */
    if (g->store_path == NULL || g->store != NULL)
        g->evaluator = evaluator_open(&setup, e);
    return g->evaluator != NULL;
}

/* Releases what the struct of a verb begins with. The evaluator first: it still writes into the store. */
static void close_games(void *state) {
    struct map_games *g = state;
    evaluator_close(g->evaluator);
    store_close(g->store);
    text_done(&g->specs[0]);
    text_done(&g->specs[1]);
}

/* ---- results ---- */

enum { SHARE_TEXT_SIZE = 48 };

/* "71.5 %  (64.9 to 77.3)"; without games "-", because 0 % would be a result. */
static const char *share_text(const struct share *share, char out[SHARE_TEXT_SIZE]) {
    if (share->games == 0)
        return "-";
    snprintf(out, SHARE_TEXT_SIZE, "%5.1f %%  (%.1f to %.1f)", 100 * share->value, 100 * share->interval.low,
             100 * share->interval.high);
    return out;
}

/* The parts of a judgement that both verbs print. */
enum { RESULT_RED, RESULT_STRENGTH, RESULT_WITH_RED, RESULT_WITH_BLUE, RESULT_DECISIVE, RESULTS };

struct result {
    const char *label;
    struct share share;
};

static void results_of(const struct judgement *j, struct result out[RESULTS]) {
    out[RESULT_RED] = (struct result){"red between equals", judgement_red(j)};
    out[RESULT_STRENGTH] = (struct result){"strong over weak", judgement_strength(j)};
    out[RESULT_WITH_RED] = (struct result){"  strong with red", judgement_strong_with(j, TBS_RED)};
    out[RESULT_WITH_BLUE] = (struct result){"  strong with blue", judgement_strong_with(j, TBS_BLUE)};
    out[RESULT_DECISIVE] = (struct result){"games that were decided", judgement_decisive(j)};
}

/* ---- judge ---- */

struct judging {
    struct map_games games;
    bool json;

    int count;
    struct map_file *files; /* the files that could be read */
    struct judge_subject *subjects;
    bool complete;
};

/* Everything that is known about one map: figures with their intervals, the look of the first turn, and
 * remarks, each marked as good, neutral or a fault. */
static void add_map(const struct judging *a, int i, struct text *out) {
    static const int order[RESULTS] = {RESULT_STRENGTH, RESULT_WITH_RED, RESULT_WITH_BLUE, RESULT_RED,
                                       RESULT_DECISIVE};
    static const char *const bullets[] = {[REMARK_GOOD] = "+", [REMARK_NOTE] = "-", [REMARK_FAULT] = "!"};
    const struct map_file *file = &a->files[i];
    const struct judge_subject *s = &a->subjects[i];
    struct result results[RESULTS];
    struct static_features f;
    struct remarks remarks;
    static_features_of(&file->map, a->games.rules, &f);
    remarks_make(&file->map, a->games.rules, &s->judgement, &remarks);
    results_of(&s->judgement, results);
    text_add(out, "%s%s: %s; %s\n  ", out->size > 0 ? "\n" : "", file->path,
             remarks_fairness(&results[RESULT_RED].share, a->games.judge.fair),
             remarks_strength(&results[RESULT_STRENGTH].share));
    map_summary(&file->map, out);
    text_add_string(out, "\n\n");
    for (int k = 0; k < RESULTS; k++) {
        const struct result *r = &results[order[k]];
        char number[SHARE_TEXT_SIZE];
        text_add(out, "  %-26s%-26s%5d games\n", r->label, share_text(&r->share, number), r->share.games);
    }
    text_add(out, "  %-26s%5.1f turns\n", "length of a game", judgement_turns(&s->judgement));
    text_add(out, "  %-26s red %d (by %d of its units), blue %d (by %d)\n", "attacks in the first turn",
             f.first_attacks[TBS_RED], f.attackers[TBS_RED], f.first_attacks[TBS_BLUE],
             f.attackers[TBS_BLUE]);
    const int useless[TBS_SIDES] = {f.no_prey[TBS_RED] + f.stranded[TBS_RED],
                                    f.no_prey[TBS_BLUE] + f.stranded[TBS_BLUE]};
    text_add(out, "  %-26s", "units without use");
    if (useless[TBS_RED] + useless[TBS_BLUE] == 0)
        text_add_string(out, " none\n");
    else
        text_add(out, " red %d, blue %d\n", useless[TBS_RED], useless[TBS_BLUE]);
    text_add(out, "  %-26s%5.2f of 1\n", "looks natural", f.natural);
    for (int k = 0; k < remarks.count; k++)
        text_add(out, "%s  %s %s\n", k == 0 ? "\n" : "", bullets[remarks.items[k].weight],
                 remarks.items[k].text);
    if (!s->tight && a->complete)
        text_add(out, "\n  After %d games the intervals are still wider than %g points to either side.\n",
                 judgement_games(&s->judgement), 100 * a->games.judge.limits.width);
}

/* The last part of the path, for a table with names of different lengths. */
static const char *short_name(const struct map_file *file) {
    const char *slash = strrchr(file->path, '/');
    return slash != NULL ? slash + 1 : file->path;
}

/* One line a map, for comparing several. A star marks intervals that are wider than wanted: the games were
 * used up before they became narrow. */
static void add_table(const struct judging *a, struct text *out) {
    int width = 4, wide = 0;
    for (int i = 0; i < a->count; i++) {
        const int own = charset_width(short_name(&a->files[i]));
        width = own > width ? own : width;
        wide += !a->subjects[i].tight;
    }
    text_add(out, "\n  %-*s  %12s  %13s  %5s  %7s  %5s  %5s  verdict\n", width, "map", "red %", "strong %",
             "turns", "decided", "looks", "games");
    for (int i = 0; i < a->count; i++) {
        const struct judgement *j = &a->subjects[i].judgement;
        const struct share red = judgement_red(j), strength = judgement_strength(j);
        const char *name = short_name(&a->files[i]);
        struct static_features features;
        static_features_of(&a->files[i].map, a->games.rules, &features);
        text_add(out, "  %s%*s  %5.1f ± %4.1f  %6.1f ± %4.1f  %5.1f  %7.1f  %5.2f  %5d  %s; %s%s\n", name,
                 width - charset_width(name), "", 100 * red.value, 100 * judge_margin(&red),
                 100 * strength.value, 100 * judge_margin(&strength), judgement_turns(j),
                 100 * judgement_decisive(j).value, features.natural, judgement_games(j),
                 remarks_fairness(&red, a->games.judge.fair), remarks_strength(&strength),
                 a->subjects[i].tight ? "" : " *");
    }
    if (wide > 0)
        text_add(out, "\n  * the intervals are wider than %g points to either side\n",
                 100 * a->games.judge.limits.width);
}

/* For the status line: how many games are still missing is not known before. */
static void add_judge_state(const struct map_games *g, char *out, size_t out_size) {
    const struct judging *a = (const struct judging *)g;
    int tight = 0;
    for (int i = 0; i < a->count; i++)
        tight += a->subjects[i].tight;
    if (a->count > 1)
        snprintf(out, out_size, "; %d of %d maps are clear", tight, a->count);
}

/* As JSON everything is one object with the settings: figures of different settings cannot be compared. */
static int print_judgements(const struct judging *a) {
    const struct judge_options *o = &a->games.judge;
    const char *strong = text_string(&a->games.specs[0]), *weak = text_string(&a->games.specs[1]);
    struct text out = {0};
    json_t *maps = a->json ? json_array() : NULL;
    for (int i = 0; a->json && i < a->count; i++) {
        json_t *map = judge_json(&a->subjects[i], a->games.rules, o->fair);
        json_object_set_new(map, "file", json_string(a->files[i].path));
        json_array_append_new(maps, map);
    }
    if (a->json)
        return cli_show_json(json_pack("{s:s, s:s, s:s, s:o, s:f, s:f, s:i, s:i, s:b, s:o}", "strong", strong,
                                       "weak", weak, "rules", a->games.rules->name, "seed",
                                       jsontext_seed(o->seed), "width", o->limits.width, "fair", o->fair,
                                       "games_min", o->limits.games_min, "games_max", o->limits.games_max,
                                       "complete", a->complete, "maps", maps));
    for (int i = 0; i < a->count; i++)
        add_map(a, i, &out);
    if (a->count > 1)
        add_table(a, &out);
    text_add(&out,
             "\n%s is strong, %s is weak; between equals both are strong.\n"
             "Intervals are 95 %%. %d games, %.1f s.\n",
             strong, weak, a->games.games, cli_seconds());
    if (!a->complete)
        text_add_string(&out, "Interrupted: this is what was known by then.\n");
    return cli_show_text(&out);
}

static const struct param own_params[] = {
    {CLI_JOBS_ROW(offsetof(struct judging, games.jobs))},
    {"store", PARAM_STRING, offsetof(struct judging, games.store_path), .value = "FILE",
     .help = "store the games in FILE; stored games are not played again"},
    {"quiet", PARAM_FLAG, offsetof(struct judging, games.quiet), .help = "no progress line"},
    {"json", PARAM_FLAG, offsetof(struct judging, json), .help = "one JSON object"},
    {0},
};

/* Returns CLI_FAILED also when one of several maps could not be read, or when the work was interrupted:
 * scripts must not take a part for the whole. */
static int run_judge(void *state, const struct cli_call *call, struct err *e) {
    struct judging *a = state;
    struct map_games *g = &a->games;
    const struct judge_limits *limits = &g->judge.limits;
    const struct cli_arguments *names = &call->arguments;
    int status = CLI_OK;
    g->add_state = add_judge_state;
    if (!map_arguments(call, false))
        return CLI_USAGE;
    if (!judge_fit_limits(&call->sections[0]))
        return cli_error(CLI_USAGE, "--min-games %d is more than --games %d", limits->games_min,
                         limits->games_max);
    if (!check_games(g, e))
        return CLI_USAGE;
    a->files = mem_alloc((size_t)names->count * sizeof *a->files);
    a->subjects = mem_alloc((size_t)names->count * sizeof *a->subjects);
    for (int i = 0; i < names->count; i++) { /* what cannot be read is reported and left out */
        struct map_file *file = &a->files[a->count];
        struct judge_subject *subject = &a->subjects[a->count];
        struct err why;
        if (!map_file_load(names->values[i], file, &why)) {
            status = cli_error(CLI_FAILED, "%s", why.text);
            continue;
        }
        subject->map = &file->map;
        subject->id = judge_id(&file->map, g->rules, text_string(&g->specs[0]), text_string(&g->specs[1]));
        a->count++;
    }
    if (a->count == 0 || !open_games(g, e))
        return CLI_FAILED;
    const bool ok = judge_maps(g->evaluator, limits, a->subjects, a->count, &a->complete, e);
    return ok && print_judgements(a) == CLI_OK && a->complete ? status : CLI_FAILED;
}

static void end_judge(void *state) {
    struct judging *a = state;
    close_games(a);
    mem_free(a->files);
    mem_free(a->subjects);
}

const struct cli_body map_judge = {
    .size = sizeof(struct judging),
    .options = {{judge_params, offsetof(struct judging, games.judge)}, {own_params, 0}},
    .takes_arguments = true,
    .run = run_judge,
    .done = end_judge,
};

/* ---- repair ---- */

struct repair {
    struct map_games games;
    struct repair_options options;
    const char *kinds, *out;
    bool json;

    struct map_file file;
    struct repair_result result;
    int cost, candidates; /* current state of the search, for the status line */
};

static const char *plural(int count) {
    return count == 1 ? "" : "s";
}

/* Distinguishes why nothing was found: the user can raise a limit, allow more, or give the map up. */
static void add_heading(const struct repair *a, struct text *out) {
    const struct repair_result *r = &a->result;
    const double score = judgement_red(&r->after).value;
    if (r->was_good)
        text_add(out, "%s: nothing to repair: red's score between equals lies within %g to %g already\n",
                 a->file.path, a->options.low, a->options.high);
    else if (r->found)
        text_add(out, "%s: repaired with %d change%s, cost %d\n", a->file.path, r->change_count,
                 plural(r->change_count), r->cost);
    else if (r->change_count == 0)
        text_add(out, "%s: not repaired: no change that was tried makes it better\n", a->file.path);
    else if (score >= a->options.low && score <= a->options.high)
        text_add(
            out,
            "%s: not repaired: what was seen to balance it leaves too few games decided (--decided %g)\n",
            a->file.path, a->options.decided);
    else if (r->out_of_reach)
        text_add(out,
                 "%s: not repaired: no allowed change suffices, not even the HP of %d unit%s as far as it "
                 "goes\n",
                 a->file.path, a->options.changes_max, plural(a->options.changes_max));
    else
        text_add(out, "%s: not repaired: nothing that suffices was found within the budget\n", a->file.path);
    if (!r->was_good && !r->found && r->change_count > 0)
        text_add(out, "The best that was seen, with cost %d:\n", r->cost);
    text_add_string(out, "\n");
}

/* The judgements before and after stand side by side; one if nothing was changed. */
static void add_result(const struct repair *a, struct text *out) {
    const struct repair_result *r = &a->result;
    const bool both = r->change_count > 0;
    add_heading(a, out);
    for (int i = 0; i < r->change_count; i++)
        text_add(out, "  %s\n%s", r->changes[i], i == r->change_count - 1 ? "\n" : "");
    if (both)
        text_add(out, "  %-28s%-28s%s\n", "", "before", "after");
    struct result before[RESULTS], after[RESULTS];
    results_of(&r->before, before);
    results_of(&r->after, after);
    for (int i = 0; i < RESULTS; i++) {
        char numbers[2][SHARE_TEXT_SIZE];
        text_add(out, "  %-26s%-*s%s\n", before[i].label, both ? 28 : 0,
                 share_text(&before[i].share, numbers[0]),
                 both ? share_text(&after[i].share, numbers[1]) : "");
    }
    text_add(out, "  %-26s%5.1f turns", "length of a game", judgement_turns(&r->before));
    if (both)
        text_add(out, "%17s%5.1f turns", "", judgement_turns(&r->after));
    text_add_string(out, "\n\n");
    if (r->alike > 1)
        text_add(out,
                 "  Of %d sets of changes of that cost the one with the most decided games was taken.\n\n",
                 r->alike);
    if (both) {
        tbs_show_map(&r->map, &(struct tbs_show){.colour = cli_colour(STDOUT_FILENO)}, out);
        text_add_string(out, "\n");
    }
    text_add(out,
             "%s is strong, %s is weak; between equals both are strong.\n"
             "Intervals are 95 %%. %d candidate%s, %d games, %.1f s.\n",
             text_string(&a->games.specs[0]), text_string(&a->games.specs[1]), r->candidates,
             plural(r->candidates), r->games, cli_seconds());
    if (a->out != NULL)
        text_add(out, "The map is in %s.\n", a->out);
}

/* The whole new map is a member, so that a script needs no file. */
static json_t *repair_json(const struct repair *a) {
    const struct repair_result *r = &a->result;
    json_t *changes = json_array();
    struct text map_text = {0};
    json_t *map = tbs_map_write_json(&r->map, &map_text, NULL) ? jsontext_own(&map_text) : NULL;
    text_done(&map_text);
    for (int i = 0; i < r->change_count; i++)
        json_array_append_new(changes, json_string(r->changes[i]));
    return json_pack(
        "{s:s, s:[f,f], s:f, s:b, s:b, s:b, s:i, s:i, s:o, s:o, s:o, s:o, s:i, s:i, s:s, s:s, s:s, "
        "s:o}",
        "file", a->file.path, "target", a->options.low, a->options.high, "decided", a->options.decided,
        "was_good", r->was_good, "found", r->found, "out_of_reach", r->out_of_reach, "alike", r->alike,
        "cost", r->cost, "changes", changes, "before", judge_judgement_json(&r->before), "after",
        judge_judgement_json(&r->after), "map", map, "candidates", r->candidates, "games", r->games, "strong",
        text_string(&a->games.specs[0]), "weak", text_string(&a->games.specs[1]), "rules",
        a->games.rules->name, "seed", jsontext_seed(a->games.judge.seed));
}

/* "hp,move" as a set of bits: 1 << REPAIR_… */
static bool read_kinds(const char *string, unsigned *out, struct err *e) {
    char text[128];
    char *pieces[2 * REPAIR_KINDS];
    const int size = snprintf(text, sizeof text, "%s", string);
    const int count =
        size >= 0 && (size_t)size < sizeof text ? text_split(text, ',', pieces, 2 * REPAIR_KINDS) : -1;
    if (count < 0)
        return err_set(e, "--kinds: the list is too long");
    *out = 0;
    for (int i = 0; i < count; i++) {
        const char *word = text_trim(pieces[i]);
        int kind = 0;
        while (kind < REPAIR_KINDS && strcmp(repair_kind_names[kind], word) != 0)
            kind++;
        if (kind == REPAIR_KINDS)
            return err_set(e, "--kinds: '%.40s' is unknown; expected hp, move, swap or terrain", word);
        *out |= 1U << kind;
    }
    return true;
}

/* Called when the search takes up changes of a higher cost; the status line shows how far it is. */
static void on_round(void *context, int cost, int candidates, int games) {
    struct repair *a = context;
    (void)games;
    a->cost = cost;
    a->candidates = candidates;
}

static void add_repair_state(const struct map_games *g, char *out, size_t out_size) {
    const struct repair *a = (const struct repair *)g;
    if (a->candidates == 0)
        snprintf(out, out_size, "; judging the map as it is");
    else if (a->cost == REPAIR_LARGE)
        snprintf(out, out_size, "; trying large changes");
    else
        snprintf(out, out_size, "; trying %d changes of cost %d", a->candidates, a->cost);
}

/* The budget must allow at least one complete test of a change, otherwise no result could be found. */
static bool check_repair(struct repair *a, struct err *e) {
    struct repair_options *o = &a->options;
    if (!read_kinds(a->kinds, &o->kinds, e))
        return false;
    if (o->low >= o->high)
        return err_set(e, "--low %g is not below --high %g", o->low, o->high);
    if (o->games_max < repair_games_least(o->games_sure))
        return err_set(e, "--games %d is too small: with --sure %d it takes at least %d", o->games_max,
                       o->games_sure, repair_games_least(o->games_sure));
    if (a->out != NULL && strcmp(a->out, "-") == 0)
        return err_set(e, "--out: standard output is taken by the result; name a file");
    return check_games(&a->games, e);
}

/* The map is written only after a complete search: a half repaired map would look like a result. Exit status
 * 1 when no sufficient changes were found; the best attempt is printed and written nevertheless. */
static int run_repair(void *state, const struct cli_call *call, struct err *e) {
    struct repair *a = state;
    struct map_games *g = &a->games;
    bool complete;
    g->add_state = add_repair_state;
    if (!map_arguments(call, true) || !check_repair(a, e))
        return CLI_USAGE;
    if (!map_file_load(call->arguments.values[0], &a->file, e))
        return CLI_FAILED;
    if (!(repair_check(&a->file.map, e) || err_prefix(e, "%s: ", a->file.path)) || !open_games(g, e))
        return CLI_FAILED;
    const struct repair_run run = {.map = &a->file.map,
                                   .options = &a->options,
                                   .evaluator = g->evaluator,
                                   .seed = g->judge.seed,
                                   .on_round = on_round,
                                   .context = a};
    bool ok = repair_map(&run, &a->result, &complete, e) || err_prefix(e, "%s: ", a->file.path);
    if (ok && !complete)
        ok = err_set(e, "interrupted; nothing was written");
    if (!ok || (a->out != NULL && !map_write(&a->result.map, a->out, false, e)))
        return CLI_FAILED;
    struct text out = {0};
    if (!a->json)
        add_result(a, &out);
    const int printed = a->json ? cli_show_json(repair_json(a)) : cli_show_text(&out);
    return printed == CLI_OK && a->result.found ? CLI_OK : CLI_FAILED;
}

#define AT(field) offsetof(struct repair, field)

static const struct param repair_params[] = {
    {"low", PARAM_REAL, AT(options.low), 0, 1, 0.4,
     .help = "red's score between equals shall be at least this"},
    {"high", PARAM_REAL, AT(options.high), 0, 1, 0.6, .help = "and at most this"},
    {"decided", PARAM_REAL, AT(options.decided), 0, 1, 0.5,
     .help = "so many of the games between equals shall be decided, or as many as before if that is less"},
    {"changes", PARAM_INT, AT(options.changes_max), 1, REPAIR_CHANGES_MAX, 6,
     .help = "at most so many changes"},
    {"kinds", PARAM_STRING, AT(kinds), .choices = "hp,move,swap,terrain", .value = "LIST",
     .help = "which changes are allowed: HP, moving a unit by one or two cells, two units swapping places or "
             "types, a cell's terrain"},
    {"games", PARAM_INT, AT(options.games_max), 1, 100000000, 4000, .help = "budget of games"},
    {"sure", PARAM_INT, AT(options.games_sure), REPAIR_SURE_MIN, 1000000, 200,
     .help = "fresh games before a change is accepted"},
    {"out", PARAM_STRING, AT(out), .value = "FILE",
     .help = "write the new map there; JSON when it ends in .json"},
    {"strong", PARAM_PLAYER, AT(games.judge.strong), .choices = JUDGE_STRONG,
     .help = "who plays itself to see whom the map favours"},
    {"weak", PARAM_PLAYER, AT(games.judge.weak), .choices = JUDGE_WEAK,
     .help = "the opponent of the strong player"},
    {"rules", PARAM_STRING, AT(games.judge.rules), .choices = "tubstap", .value = "SET",
     .help = "tubstap or paper"},
    {PARAM_SEED_ROW(AT(games.judge.seed))},
    {CLI_JOBS_ROW(AT(games.jobs))},
    {"quiet", PARAM_FLAG, AT(games.quiet), .help = "no progress line"},
    {"json", PARAM_FLAG, AT(json), .help = "one JSON object, with the new map"},
    {0},
};

const struct cli_body map_repair = {sizeof(struct repair),
                                    {{repair_params}},
                                    .takes_arguments = true,
                                    .run = run_repair,
                                    .done = close_games};
