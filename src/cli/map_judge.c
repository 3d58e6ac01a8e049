/* SPDX-License-Identifier: MIT
 *
 * `senjutsu map judge FILE…`: is a map fair, does strength tell on it, and what is odd about it?
 */
#include "cli/map_games.h"

#include "base/charset.h"
#include "base/jsontext.h"
#include "base/mem.h"
#include "evolve/judge.h"
#include "evolve/static_features.h"
#include "evolve/remarks.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

struct judging {
    struct map_games games;
    struct judge_limits limits;
    double fair;
    bool json;

    int count;
    struct map_file *files; /* those that could be read */
    struct judge_subject *subjects;
    bool complete;
};

/* A map's words. */
struct verdict {
    struct share strength, red;
    const char *fairness, *telling;
};

static struct verdict verdict_of(const struct judging *a, const struct judgement *j) {
    struct verdict v = {.strength = judgement_strength(j), .red = judgement_red(j)};
    v.fairness = remarks_fairness(&v.red, a->fair);
    v.telling = remarks_strength(&v.strength);
    return v;
}

/* ---- text ---- */

static void add_line(const char *label, const struct share *share, struct text *out) {
    struct text number = {0};
    map_add_share(share, &number);
    text_add(out, "  %-26s%-26s%5d games\n", label, text_string(&number), share->games);
    text_done(&number);
}

static void add_results(const struct judgement *j, const struct verdict *v, struct text *out) {
    const struct share as_red = judgement_strong_with(j, TBS_RED),
                       as_blue = judgement_strong_with(j, TBS_BLUE), decisive = judgement_decisive(j);
    add_line("strong over weak", &v->strength, out);
    add_line("  strong with red", &as_red, out);
    add_line("  strong with blue", &as_blue, out);
    add_line("red between equals", &v->red, out);
    add_line("games that were decided", &decisive, out);
    text_add(out, "  %-26s%5.1f turns\n", "length of a game", judgement_turns(j));
}

static void add_useless(const struct looks *looks, struct text *out) {
    const int useless[TBS_SIDES] = {looks->no_prey[TBS_RED] + looks->stranded[TBS_RED],
                                    looks->no_prey[TBS_BLUE] + looks->stranded[TBS_BLUE]};
    text_add(out, "  %-26s", "units without use");
    if (useless[TBS_RED] + useless[TBS_BLUE] == 0)
        text_add_string(out, " none\n");
    else
        text_add(out, " red %d, blue %d\n", useless[TBS_RED], useless[TBS_BLUE]);
}

static void add_looks(const struct looks *looks, struct text *out) {
    text_add(out, "  %-26s red %d (by %d of its units), blue %d (by %d)\n", "attacks in the first turn",
             looks->first_attacks[TBS_RED], looks->attackers[TBS_RED], looks->first_attacks[TBS_BLUE],
             looks->attackers[TBS_BLUE]);
    add_useless(looks, out);
    text_add(out, "  %-26s%5.2f of 1\n", "looks natural", looks->natural);
}

static void add_remarks(const struct remarks *remarks, struct text *out) {
    static const char *const bullets[] = {[REMARK_GOOD] = "+", [REMARK_NOTE] = "-", [REMARK_FAULT] = "!"};
    for (int i = 0; i < remarks->count; i++)
        text_add(out, "%s  %s %s\n", i == 0 ? "\n" : "", bullets[remarks->items[i].weight],
                 remarks->items[i].text);
}

static void add_map(const struct judging *a, int i, struct text *out) {
    const struct map_file *file = &a->files[i];
    const struct judge_subject *s = &a->subjects[i];
    const struct verdict v = verdict_of(a, &s->judgement);
    struct looks looks;
    struct remarks remarks;
    looks_of(&file->map, a->games.rules, &looks);
    remarks_make(&file->map, a->games.rules, &s->judgement, &remarks);
    text_add(out, "%s%s: %s; %s\n  ", out->size > 0 ? "\n" : "", file->path, v.fairness, v.telling);
    map_summary(&file->map, out);
    text_add_string(out, "\n\n");
    add_results(&s->judgement, &v, out);
    add_looks(&looks, out);
    add_remarks(&remarks, out);
    if (!s->tight && a->complete)
        text_add(out, "\n  After %d games the intervals are still wider than %g points to either side.\n",
                 judgement_games(&s->judgement), 100 * a->limits.width);
}

/* Names of different lengths in one column; the last part of the path is enough. */
static const char *short_name(const struct map_file *file) {
    const char *slash = strrchr(file->path, '/');
    return slash != NULL ? slash + 1 : file->path;
}

static void add_row(const struct judging *a, int i, int width, struct text *out) {
    const struct judgement *j = &a->subjects[i].judgement;
    const struct verdict v = verdict_of(a, j);
    const char *name = short_name(&a->files[i]);
    struct looks looks;
    looks_of(&a->files[i].map, a->games.rules, &looks);
    const struct share decisive = judgement_decisive(j);
    text_add(out, "  %s%*s  %5.1f ± %4.1f  %6.1f ± %4.1f  %5.1f  %7.1f  %5.2f  %5d  %s; %s%s\n", name,
             width - charset_width(name), "", 100 * v.red.value, 100 * judge_margin(&v.red),
             100 * v.strength.value, 100 * judge_margin(&v.strength), judgement_turns(j),
             100 * decisive.value, looks.natural, judgement_games(j), v.fairness, v.telling,
             a->subjects[i].tight ? "" : " *");
}

static void add_table(const struct judging *a, struct text *out) {
    int width = 4, wide = 0;
    for (int i = 0; i < a->count; i++) {
        const int own = charset_width(short_name(&a->files[i]));
        width = own > width ? own : width;
        wide += !a->subjects[i].tight;
    }
    text_add(out, "\n  %-*s  %12s  %13s  %5s  %7s  %5s  %5s  verdict\n", width, "map", "red %", "strong %",
             "turns", "decided", "looks", "games");
    for (int i = 0; i < a->count; i++)
        add_row(a, i, width, out);
    if (wide > 0)
        text_add(out, "\n  * the intervals are wider than %g points to either side\n", 100 * a->limits.width);
}

static void add_all(const struct judging *a, struct text *out) {
    for (int i = 0; i < a->count; i++)
        add_map(a, i, out);
    if (a->count > 1)
        add_table(a, out);
    text_add(out, "\n%s is strong, %s is weak; between equals both are strong.\n",
             text_string(&a->games.specs[0]), text_string(&a->games.specs[1]));
    text_add(out, "Intervals are 95 %%. %d games, %.1f s.\n", a->games.games, map_games_seconds(&a->games));
    if (!a->complete)
        text_add_string(out, "Interrupted: this is what was known by then.\n");
}

/* ---- JSON ---- */

static json_t *map_json(const struct judging *a, int i) {
    json_t *root = judge_json(&a->subjects[i], a->games.rules, a->fair);
    if (root != NULL)
        json_object_set_new(root, "file", json_string(a->files[i].path));
    return root;
}

static json_t *judging_json(const struct judging *a) {
    json_t *maps = json_array();
    for (int i = 0; i < a->count; i++)
        json_array_append_new(maps, map_json(a, i));
    return json_pack("{s:s, s:s, s:s, s:o, s:f, s:f, s:i, s:i, s:b, s:o}", "strong",
                     text_string(&a->games.specs[0]), "weak", text_string(&a->games.specs[1]), "rules",
                     a->games.rules->name, "seed", jsontext_seed(a->games.seed), "width", a->limits.width,
                     "fair", a->fair, "games_min", a->limits.games_min, "games_max", a->limits.games_max,
                     "complete", a->complete, "maps", maps);
}

/* ---- the verb ---- */

/* Reads what can be read; CLI_FAILED when that is not all. */
static int read_maps(struct judging *a, const struct cli_arguments *arguments) {
    int status = CLI_OK;
    struct err e;
    for (int i = 0; i < arguments->count; i++) {
        struct map_file *file = &a->files[a->count];
        if (!map_file_load(arguments->values[i], file, &e))
            status = cli_fail(a->games.command, CLI_FAILED, "%s", e.text);
        else
            a->subjects[a->count++] = (struct judge_subject){.map = &file->map};
    }
    return status;
}

static void add_state(const void *context, char *out, size_t out_size) {
    const struct judging *a = context;
    int tight = 0;
    for (int i = 0; i < a->count; i++)
        tight += a->subjects[i].tight;
    if (a->count > 1)
        snprintf(out, out_size, "; %d of %d maps are clear", tight, a->count);
}

static bool print(const struct judging *a) {
    if (a->json)
        return cli_print_json(a->games.command, judging_json(a));
    struct text out = {0};
    add_all(a, &out);
    const bool ok = cli_write(a->games.command, "-", &out);
    text_done(&out);
    return ok;
}

static int judge(struct judging *a) {
    struct err e;
    for (int i = 0; i < a->count; i++)
        a->subjects[i].id = judge_id(&a->files[i].map, a->games.rules, text_string(&a->games.specs[0]),
                                     text_string(&a->games.specs[1]));
    if (!map_games_open(&a->games))
        return CLI_FAILED;
    const bool ok = judge_maps(a->games.evaluator, &a->limits, a->subjects, a->count, &a->complete, &e);
    map_games_hide(&a->games);
    if (!ok)
        return cli_fail(a->games.command, CLI_FAILED, "%s", e.text);
    return print(a) && a->complete ? CLI_OK : CLI_FAILED;
}

static int prepare_and_judge(struct judging *a, const struct cli_arguments *arguments) {
    const struct cli_command *self = a->games.command;
    if (!map_has_files(self, arguments, false))
        return CLI_USAGE;
    if (a->limits.games_min > a->limits.games_max)
        return cli_fail(self, CLI_USAGE, "--min-games %d is more than --games %d", a->limits.games_min,
                        a->limits.games_max);
    if (!map_games_check(&a->games))
        return CLI_USAGE;
    a->files = mem_alloc((size_t)arguments->count * sizeof *a->files);
    a->subjects = mem_alloc((size_t)arguments->count * sizeof *a->subjects);
    if (a->files == NULL || a->subjects == NULL)
        return cli_fail(self, CLI_FAILED, "not enough memory for %d maps", arguments->count);
    const int status = read_maps(a, arguments);
    const int judged = a->count > 0 ? judge(a) : CLI_FAILED;
    return judged != CLI_OK ? judged : status;
}

int map_judge(const struct cli_command *self, int argc, char **argv) {
    struct judging a = {.games = {.command = self,
                                  .strong = JUDGE_STRONG,
                                  .weak = JUDGE_WEAK,
                                  .rules_name = tbs_rule_sets[0].name,
                                  .seed = 1,
                                  .add_state = add_state},
                        .limits = JUDGE_LIMITS_USUAL,
                        .fair = JUDGE_FAIR_USUAL};
    a.games.context = &a;
    const struct cli_option options[] = {
        {"strong", CLI_PLAYER, &a.games.strong, "SPEC", "the stronger player"},
        {"weak", CLI_PLAYER, &a.games.weak, "SPEC", "the weaker one"},
        {"tight", CLI_REAL, &a.limits.width, "X", "play until the intervals are at most plus or minus this",
         0.005, 0.5},
        {"games", CLI_INT, &a.limits.games_max, "N", "at most so many a map", 2, 10000000},
        {"min-games", CLI_INT, &a.limits.games_min, "N", "at least so many a map", 0, 10000000},
        {"fair", CLI_REAL, &a.fair, "X", "how far from a half red's score may be on a fair map", 0.001, 0.5},
        {"rules", CLI_TEXT, &a.games.rules_name, "SET", "tubstap or paper"},
        {"seed", CLI_U64, &a.games.seed, "N", "everything random follows from it"},
        {"jobs", CLI_INT, &a.games.jobs, "N", "games at a time (default: one a core); the result is the same",
         1, 256},
        {"store", CLI_TEXT, &a.games.store_path, "FILE",
         "keep the games there; what it has is not played again"},
        {"quiet", CLI_FLAG, &a.games.quiet, NULL, "no progress line"},
        {"json", CLI_FLAG, &a.json, NULL, "one JSON object"},
        {0},
    };
    struct cli_arguments arguments;
    int status;
    if (!cli_parse(self, options, argc, argv, &arguments, &status))
        return status;
    status = prepare_and_judge(&a, &arguments);
    map_games_close(&a.games);
    mem_free(a.files);
    mem_free(a.subjects);
    return status;
}
