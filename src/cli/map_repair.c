/* SPDX-License-Identifier: MIT
 *
 * `senjutsu map repair FILE`: the smallest changes that make a map fair.
 */
#include "cli/map_games.h"

#include "base/jsontext.h"
#include "evolve/judge.h"
#include "evolve/repair.h"
#include "game/tbs/map.h"
#include "game/tbs/show.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

struct repair {
    struct map_games games;
    struct mend_options options;
    const char *kinds, *out;
    bool json;

    struct map_file file;
    struct mend_result result;
    int cost, candidates; /* at which the search is, for the line on the terminal */
};

/* ---- text ---- */

static void add_both(const char *label, const struct share shares[2], bool both, struct text *out) {
    struct text columns[2] = {{0}, {0}};
    for (int i = 0; i < 2; i++)
        map_add_share(&shares[i], &columns[i]);
    if (both)
        text_add(out, "  %-26s%-28s%s\n", label, text_string(&columns[0]), text_string(&columns[1]));
    else
        text_add(out, "  %-26s%s\n", label, text_string(&columns[0]));
    text_done(&columns[0]);
    text_done(&columns[1]);
}

static const struct judgement *judgement_at(const struct mend_result *r, int when) {
    return when == 0 ? &r->before : &r->after;
}

/* Side by side, or alone when nothing was changed. */
static void add_judgements(const struct mend_result *r, struct text *out) {
    const bool both = r->change_count > 0;
    struct share red[2], strong[2], as_red[2], as_blue[2], decisive[2];
    for (int i = 0; i < 2; i++) {
        const struct judgement *j = judgement_at(r, i);
        red[i] = judgement_red(j);
        strong[i] = judgement_strength(j);
        as_red[i] = judgement_strong_with(j, TBS_RED);
        as_blue[i] = judgement_strong_with(j, TBS_BLUE);
        decisive[i] = judgement_decisive(j);
    }
    if (both)
        text_add(out, "  %-28s%-28s%s\n", "", "before", "after");
    add_both("red between equals", red, both, out);
    add_both("strong over weak", strong, both, out);
    add_both("  strong with red", as_red, both, out);
    add_both("  strong with blue", as_blue, both, out);
    add_both("games that were decided", decisive, both, out);
    text_add(out, "  %-26s%5.1f turns", "length of a game", judgement_turns(&r->before));
    if (both)
        text_add(out, "%17s%5.1f turns", "", judgement_turns(&r->after));
    text_add_string(out, "\n");
}

static const char *plural(int count) {
    return count == 1 ? "" : "s";
}

/* Why it was not repaired, and what could help. */
static void add_failure(const struct repair *a, struct text *out) {
    const struct mend_result *r = &a->result;
    const double score = judgement_red(&r->after).value;
    text_add(out, "%s: not repaired: ", a->file.path);
    if (r->change_count == 0)
        text_add_string(out, "no change that was tried makes it better\n");
    else if (score >= a->options.low && score <= a->options.high)
        text_add(out, "what was seen to balance it leaves too few games decided (--decided %g)\n",
                 a->options.decided);
    else if (r->out_of_reach)
        text_add(out, "no allowed change suffices, not even the HP of %d unit%s as far as it goes\n",
                 a->options.changes_max, plural(a->options.changes_max));
    else
        text_add_string(out, "nothing that suffices was found within the budget\n");
    if (r->change_count > 0)
        text_add(out, "The best that was seen, with cost %d:\n", r->cost);
    text_add_string(out, "\n");
}

static void add_heading(const struct repair *a, struct text *out) {
    const struct mend_result *r = &a->result;
    if (r->was_good)
        text_add(out, "%s: nothing to repair: red's score between equals lies within %g to %g already\n\n",
                 a->file.path, a->options.low, a->options.high);
    else if (r->found)
        text_add(out, "%s: repaired with %d change%s, cost %d\n\n", a->file.path, r->change_count,
                 plural(r->change_count), r->cost);
    else
        add_failure(a, out);
}

static void add_result(const struct repair *a, struct text *out) {
    const struct mend_result *r = &a->result;
    const struct tbs_show how = {.colour = cli_colour_out()};
    add_heading(a, out);
    for (int i = 0; i < r->change_count; i++)
        text_add(out, "  %s\n%s", r->changes[i], i == r->change_count - 1 ? "\n" : "");
    add_judgements(r, out);
    text_add_string(out, "\n");
    if (r->alike > 1)
        text_add(out,
                 "  Of %d sets of changes of that cost the one with the most decided games was taken.\n\n",
                 r->alike);
    if (r->change_count > 0) {
        tbs_show_map(&r->map, &how, out);
        text_add_string(out, "\n");
    }
    text_add(out, "%s is strong, %s is weak; between equals both are strong.\n",
             text_string(&a->games.specs[0]), text_string(&a->games.specs[1]));
    text_add(out, "Intervals are 95 %%. %d candidate%s, %d games, %.1f s.\n", r->candidates,
             plural(r->candidates), r->games, map_games_seconds(&a->games));
}

/* ---- JSON ---- */

static json_t *map_to_json(const struct tbs_map *map) {
    struct text text = {0};
    struct err e;
    json_t *root = tbs_map_write_json(map, &text, &e) ? jsontext_own(&text) : NULL;
    text_done(&text);
    return root;
}

static json_t *repair_json(const struct repair *a) {
    const struct mend_result *r = &a->result;
    json_t *changes = json_array();
    for (int i = 0; i < r->change_count; i++)
        json_array_append_new(changes, json_string(r->changes[i]));
    return json_pack(
        "{s:s, s:[f,f], s:f, s:b, s:b, s:b, s:i, s:i, s:o, s:o, s:o, s:o, s:i, s:i, s:s, s:s, s:s, "
        "s:o}",
        "file", a->file.path, "target", a->options.low, a->options.high, "decided", a->options.decided,
        "was_good", r->was_good, "found", r->found, "out_of_reach", r->out_of_reach, "alike", r->alike,
        "cost", r->cost, "changes", changes, "before", judge_judgement_json(&r->before), "after",
        judge_judgement_json(&r->after), "map", map_to_json(&r->map), "candidates", r->candidates, "games",
        r->games, "strong", text_string(&a->games.specs[0]), "weak", text_string(&a->games.specs[1]), "rules",
        a->games.rules->name, "seed", jsontext_seed(a->games.seed));
}

/* ---- the verb ---- */

static bool read_kinds(const char *string, unsigned *out, struct err *e) {
    char words[128];
    char *pieces[2 * MEND_KINDS];
    const int size = snprintf(words, sizeof words, "%s", string);
    const int count =
        size >= 0 && (size_t)size < sizeof words ? text_split(words, ',', pieces, 2 * MEND_KINDS) : -1;
    if (count < 0)
        return err_set(e, "--kinds: the list is too long");
    *out = 0;
    for (int i = 0; i < count; i++) {
        const char *word = text_trim(pieces[i]);
        int kind = 0;
        while (kind < MEND_KINDS && strcmp(mend_kind_names[kind], word) != 0)
            kind++;
        if (kind == MEND_KINDS)
            return err_set(e, "--kinds: '%.40s' is unknown; expected hp, move, swap or terrain", word);
        *out |= 1U << kind;
    }
    return true;
}

static void on_round(void *context, int cost, int candidates, int games) {
    struct repair *a = context;
    (void)games;
    a->cost = cost;
    a->candidates = candidates;
}

static void add_state(const void *context, char *out, size_t out_size) {
    const struct repair *a = context;
    if (a->candidates == 0)
        snprintf(out, out_size, "; judging the map as it is");
    else if (a->cost == MEND_LARGE)
        snprintf(out, out_size, "; trying large changes");
    else
        snprintf(out, out_size, "; trying %d changes of cost %d", a->candidates, a->cost);
}

static bool write_map(const struct repair *a) {
    struct text text = {0};
    struct err e;
    bool ok = true;
    if (!map_path_ends_with(a->out, ".json"))
        tbs_map_write(&a->result.map, &text);
    else if (!tbs_map_write_json(&a->result.map, &text, &e))
        ok = cli_fail(a->games.command, CLI_FAILED, "%s", e.text) == CLI_OK;
    ok = ok && cli_write(a->games.command, a->out, &text);
    text_done(&text);
    return ok;
}

static bool print(const struct repair *a) {
    if (a->json)
        return cli_print_json(a->games.command, repair_json(a));
    struct text out = {0};
    add_result(a, &out);
    if (a->out != NULL)
        text_add(&out, "The map is in %s.\n", a->out);
    const bool ok = cli_write(a->games.command, "-", &out);
    text_done(&out);
    return ok;
}

static int mend(struct repair *a) {
    struct err e;
    bool complete;
    const struct mend_run run = {.map = &a->file.map,
                                 .options = &a->options,
                                 .evaluator = a->games.evaluator,
                                 .seed = a->games.seed,
                                 .on_round = on_round,
                                 .context = a};
    const bool ok = mend_map(&run, &a->result, &complete, &e);
    map_games_hide(&a->games);
    if (!ok)
        return cli_fail(a->games.command, CLI_FAILED, "%s: %s", a->file.path, e.text);
    if (!complete)
        return cli_fail(a->games.command, CLI_FAILED, "interrupted; nothing was written");
    if ((a->out != NULL && !write_map(a)) || !print(a))
        return CLI_FAILED;
    return a->result.found ? CLI_OK : CLI_FAILED;
}

static int prepare_and_mend(struct repair *a, const struct cli_arguments *arguments) {
    const struct cli_command *self = a->games.command;
    struct err e;
    if (!map_has_files(self, arguments, true))
        return CLI_USAGE;
    if (!read_kinds(a->kinds, &a->options.kinds, &e))
        return cli_fail(self, CLI_USAGE, "%s", e.text);
    if (a->options.low >= a->options.high)
        return cli_fail(self, CLI_USAGE, "--low %g is not below --high %g", a->options.low, a->options.high);
    if (a->options.games_max < mend_games_least(a->options.games_sure))
        return cli_fail(self, CLI_USAGE, "--games %d is too small: with --sure %d it takes at least %d",
                        a->options.games_max, a->options.games_sure, mend_games_least(a->options.games_sure));
    if (a->out != NULL && strcmp(a->out, "-") == 0)
        return cli_fail(self, CLI_USAGE, "--out: standard output is taken by the result; name a file");
    if (!map_games_check(&a->games))
        return CLI_USAGE;
    if (!map_file_load(arguments->values[0], &a->file, &e))
        return cli_fail(self, CLI_FAILED, "%s", e.text);
    if (!mend_check(&a->file.map, &e))
        return cli_fail(self, CLI_FAILED, "%s: %s", a->file.path, e.text);
    return map_games_open(&a->games) ? mend(a) : CLI_FAILED;
}

int map_repair(const struct cli_command *self, int argc, char **argv) {
    struct repair a = {
        .games = {.command = self,
                  .strong = JUDGE_STRONG,
                  .weak = JUDGE_WEAK,
                  .rules_name = tbs_rule_sets[0].name,
                  .seed = 1,
                  .add_state = add_state},
        .options =
            {.low = 0.4, .high = 0.6, .decided = 0.5, .changes_max = 6, .games_max = 4000, .games_sure = 200},
        .kinds = "hp,move,swap,terrain"};
    a.games.context = &a;
    const struct cli_option options[] = {
        {"low", CLI_REAL, &a.options.low, "X", "red's score between equals shall be at least this", 0, 1},
        {"high", CLI_REAL, &a.options.high, "X", "and at most this", 0, 1},
        {"decided", CLI_REAL, &a.options.decided, "X",
         "so many of the games between equals shall be decided, or as many as before if that is less", 0, 1},
        {"changes", CLI_INT, &a.options.changes_max, "N", "at most so many changes", 1, MEND_CHANGES_MAX},
        {"kinds", CLI_TEXT, &a.kinds, "LIST",
         "which changes are allowed: HP, moving a unit by one or two cells, two units swapping places or "
         "types, a cell's terrain"},
        {"games", CLI_INT, &a.options.games_max, "N", "budget of games", 1, 100000000},
        {"sure", CLI_INT, &a.options.games_sure, "N", "fresh games before a change is believed",
         MEND_SURE_MIN, 1000000},
        {"out", CLI_TEXT, &a.out, "FILE", "write the new map there; JSON when it ends in .json"},
        {"strong", CLI_PLAYER, &a.games.strong, "SPEC", "who plays itself to see whom the map favours"},
        {"weak", CLI_PLAYER, &a.games.weak, "SPEC", "who shows whether strength tells"},
        {"rules", CLI_TEXT, &a.games.rules_name, "SET", "tubstap or paper"},
        {"seed", CLI_U64, &a.games.seed, "N", "everything random follows from it"},
        {"jobs", CLI_INT, &a.games.jobs, "N", "games at a time (default: one a core); the result is the same",
         1, 256},
        {"quiet", CLI_FLAG, &a.games.quiet, NULL, "no progress line"},
        {"json", CLI_FLAG, &a.json, NULL, "one JSON object, with the new map"},
        {0},
    };
    struct cli_arguments arguments;
    int status;
    if (!cli_parse(self, options, argc, argv, &arguments, &status))
        return status;
    status = prepare_and_mend(&a, &arguments);
    map_games_close(&a.games);
    return status;
}
