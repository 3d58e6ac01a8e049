/* SPDX-License-Identifier: MIT
 *
 * `senjutsu map VERB …`: the verbs that list, check, make, describe, show, draw and convert maps, and the
 * table of all verbs. Those that play games are in map_games.c.
 *
 * Verbs that take files differ only in what they do with one file, so one function parses their options,
 * visits the files and prints the output. Maps come from strangers: author and comment are shown without
 * control characters, and a file that cannot be read does not prevent the others from being processed.
 */
#include "cli/cli.h"
#include "base/mem.h"
#include "config.h"
#include "game/tbs/tbs.h"

#include <ctype.h>
#include <dirent.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char standard_input[] = "standard input"; /* shown as the path of standard input */

/* Without regard to case, unlike the endings of our own files: such files come from other programs and
 * systems. */
static bool ends_in_json(const char *path) {
    const size_t size = strlen(path), ending_size = strlen(".json");
    return size >= ending_size && strcasecmp(path + size - ending_size, ".json") == 0;
}

/* Reads a map, a .tbsmap or its JSON form: what begins with a brace is JSON, because standard input has no
 * name. `name` is a path, the bare name of a bundled map, or "-". False when it cannot be read; a map that
 * was read may still have problems. */
static bool map_file_read(const char *name, struct map_file *out, struct err *e) {
    struct text text = {0};
    const bool ok = cli_read_map(name, out->path, &text, e);
    const char *start = text_string(&text);
    if (strcmp(out->path, "-") == 0)
        snprintf(out->path, sizeof out->path, "%s", standard_input);
    while (isspace((unsigned char)*start))
        start++;
    if (ok && (*start == '{' || ends_in_json(out->path)))
        tbs_map_read_json(text_string(&text), text.size, &out->map, &out->problems);
    else if (ok)
        tbs_map_read(text_string(&text), text.size, &out->map, &out->problems);
    text_done(&text);
    return ok;
}

bool map_file_load(const char *name, struct map_file *out, struct err *e) {
    return map_file_read(name, out, e) && tbs_problems_explain(&out->problems, out->path, e);
}

void map_summary(const struct tbs_map *map, struct text *out) {
    text_add(out, "%d x %d cells, limit %d turns, threshold %d, %d red and %d blue units", map->width - 2,
             map->height - 2, map->turn_limit, map->threshold, tbs_map_side_units(map, TBS_RED),
             tbs_map_side_units(map, TBS_BLUE));
}

/* Appends foreign text without control characters, which could control the terminal. */
static void map_add_note(struct text *out, const char *note) {
    for (; *note != '\0'; note++) {
        const unsigned char c = (unsigned char)*note;
        /* U+0080 … U+009F are control characters as well; as UTF-8 they begin with C2. */
        const bool is_c1 = c == 0xC2 && (unsigned char)note[1] >= 0x80 && (unsigned char)note[1] < 0xA0;
        if (c < 0x20 || c == 0x7F || is_c1)
            text_add_string(out, "?");
        else
            text_add_bytes(out, note, 1);
        note += is_c1;
    }
}

bool map_write(const struct tbs_map *map, const char *path, bool json, struct err *e) {
    struct text out = {0};
    bool ok = true;
    if (json || ends_in_json(path))
        ok = tbs_map_write_json(map, &out, e);
    else
        tbs_map_write(map, &out);
    ok = ok && cli_write_text(path, &out, e);
    text_done(&out);
    return ok;
}

bool map_arguments(const struct cli_call *call, bool one) {
    const struct cli_arguments *a = &call->arguments;
    if (a->count == 0)
        cli_error(CLI_USAGE, "which map? name a file, or one of our maps ('senjutsu map list')");
    else if (one && a->count > 1)
        cli_error(CLI_USAGE, "one map at a time; '%s' is too many", a->values[1]);
    return a->count == 1 || (a->count > 1 && !one);
}

/* ---- verbs that take files ---- */

/* One run of such a verb: the options (each verb has some of them) and what its files have given so far. One
 * struct for all verbs lets one function visit the files. */
struct map_job {
    const char *out; /* a file */
    int cell;        /* pixels along the edge of a cell */
    uint64_t positions_max;
    bool json, ids, no_colour, legend;

    int status;       /* of the program; a failed file does not stop the others */
    int faulty;       /* files that could be read and have problems */
    struct text text; /* printed after the last file */
    json_t *list;     /* with --json printed instead; otherwise NULL */
};

#define MAP_AT(field) offsetof(struct map_job, field)

/* Begins a map's part of the text, with a blank line between two maps. The path comes first, as in messages
 * of compilers: editors and terminals recognise it. */
static void job_add_heading(struct map_job *job, const struct map_file *file) {
    text_add(&job->text, "%s%s: ", job->text.size > 0 ? "\n" : "", file->path);
    map_summary(&file->map, &job->text);
}

/* ---- list ---- */

enum { LIST_MAX = 256 };

struct entry {
    char name[64];
    struct map_file file;
};

/* Small maps first: they are quickest to try. Equal sizes by name, so that the order does not depend on the
 * file system. */
static int by_size(const void *a, const void *b) {
    const struct entry *const *p = a, *const *q = b;
    const struct tbs_map *m = &(*p)->file.map, *n = &(*q)->file.map;
    const int difference = m->width * m->height - n->width * n->height;
    return difference != 0 ? difference : strcmp((*p)->name, (*q)->name);
}

/* A file that is no playable map is left out without a message: the folder may be one of an installation that
 * the user cannot repair. */
static int list_maps(void *state, const struct cli_call *call, struct err *e) {
    char folder[FILE_PATH_MAX], path[FILE_PATH_MAX];
    int count = 0;
    (void)state, (void)call;
    DIR *directory = cli_maps_folder(folder) ? opendir(folder) : NULL;
    if (directory == NULL)
        return cli_error(CLI_FAILED, "our own maps were not found beside the program");
    struct entry *entries[LIST_MAX];
    for (const struct dirent *d; count < LIST_MAX && (d = readdir(directory)) != NULL;) {
        struct entry *entry = entries[count] = mem_alloc(sizeof *entry);
        const size_t size = strlen(d->d_name) - strlen(".tbsmap");
        const bool is_map = cli_ends_in(d->d_name, ".tbsmap") && size < sizeof entry->name &&
                            file_path(path, e, "%s/%s", folder, d->d_name) &&
                            map_file_load(path, &entry->file, e);
        if (is_map)
            memcpy(entries[count++]->name, d->d_name, size);
        else
            mem_free(entry);
    }
    closedir(directory);
    qsort(entries, (size_t)count, sizeof entries[0], by_size);
    for (int i = 0; i < count; i++) {
        const struct tbs_map *map = &entries[i]->file.map;
        struct text note = {0};
        map_add_note(&note, map->comment);
        printf("%-18s %2d x %-2d  %2d and %-2d units  %s\n", entries[i]->name, map->width - 2,
               map->height - 2, tbs_map_side_units(map, TBS_RED), tbs_map_side_units(map, TBS_BLUE),
               text_string(&note));
        text_done(&note);
        mem_free(entries[i]);
    }
    return CLI_OK;
}

/* ---- check ---- */

static const struct param check_params[] = {
    {"json", PARAM_FLAG, MAP_AT(json), .help = "one JSON array, an object a file"},
    {0},
};

/* A file that cannot be read has no problems of its own; with --json the reason, which names the file, takes
 * the place of the list. */
static int check_map(struct map_job *job, const char *name, struct err *e) {
    struct map_file file;
    const bool readable = map_file_read(name, &file, e);
    const struct tbs_problems *problems = &file.problems;
    if (!readable)
        file.problems = (struct tbs_problems){.fatal = true};
    const bool ok = readable && problems->count == 0;
    job->faulty += readable && !ok;
    if (job->json) {
        json_t *list = tbs_problems_json(problems);
        if (!readable)
            json_array_append_new(list,
                                  json_pack("{s:i, s:b, s:s}", "line", 0, "fatal", true, "text", e->text));
        if (problems->left_out > 0)
            json_array_remove(list, (size_t)problems->count); /* "left_out" is a number here */
        json_array_append_new(job->list,
                              json_pack("{s:s, s:b, s:b, s:o, s:i}", "file", file.path, "ok", ok, "playable",
                                        !problems->fatal, "problems", list, "left_out", problems->left_out));
        return ok ? CLI_OK : CLI_FAILED;
    }
    if (ok)
        text_add(&job->text, "%s: ok\n", file.path);
    for (const struct tbs_problem *p = problems->items; p < problems->items + problems->count; p++) {
        text_add(&job->text, "%s:", file.path);
        if (p->line > 0)
            text_add(&job->text, "%d:", p->line);
        text_add(&job->text, " %s%s\n", p->text, p->fatal ? " [cannot be played]" : "");
    }
    if (problems->left_out > 0)
        text_add(&job->text, "%s: and %d more problems\n", file.path, problems->left_out);
    return ok ? CLI_OK : CLI_FAILED;
}

/* ---- random ---- */

/* Reads "LOW-HIGH" or one number for both. A minus sign counts as the dash, so negative numbers lack their
 * LOW. */
static bool read_hp(const char *string, struct tbs_random_options *out, struct err *e) {
    char text[64];
    char *pieces[2];
    long low, high;
    snprintf(text, sizeof text, "%s", string);
    const int count = text_split(text, '-', pieces, 2);
    if (count < 1 || !text_to_int(pieces[0], &low) || !text_to_int(pieces[count - 1], &high) || low < 1 ||
        high < low || high > TBS_HP_FULL)
        return err_set(e, "expected LOW-HIGH within 1-%d, or one number", TBS_HP_FULL);
    out->hp_low = (int)low;
    out->hp_high = (int)high;
    return true;
}

/* Options that are given as text, and the numbers of units. --red and --blue are 0 where --units counts. */
struct random_request {
    struct tbs_random_options map;
    const char *terrain, *types, *hp, *out;
    int side_units[TBS_SIDES];
    uint64_t seed;
};

#define AT(field) offsetof(struct random_request, field)

static const struct param random_params[] = {
    {"red", PARAM_INT, AT(side_units[TBS_RED]), 1, TBS_SIDE_UNITS_MAX,
     .help = "red units, if other than --units"},
    {"blue", PARAM_INT, AT(side_units[TBS_BLUE]), 1, TBS_SIDE_UNITS_MAX,
     .help = "blue units, if other than --units"},
    {"terrain", PARAM_STRING, AT(terrain), .value = "WEIGHTS",
     .choices = "plain=60,wood=20,mountain=10,sea=0,road=5,fortress=5,wall=0",
     .help = "weight of each terrain; others do not occur"},
    {"types", PARAM_STRING, AT(types), .value = "LIST",
     .help = "names or letters of unit types, with commas [all six]"},
    {"hp", PARAM_STRING, AT(hp), .choices = "10-10", .value = "LOW-HIGH",
     .help = "the units' HP, within 1-10"},
    {"seed", PARAM_U64, AT(seed), .value = "S", .is_explained = true,
     .help = "the same seed, the same map [from the clock; written into the map's comment]"},
    {"out", PARAM_STRING, AT(out), .choices = "-", .value = "FILE", .help = "where to; - is standard output"},
    {0},
};

/* The seed is part of the comment, so that a map whose seed came from the clock can be made again. It has 32
 * bits then, to be short enough to type. */
static int make_random(void *state, const struct cli_call *call, struct err *e) {
    struct random_request *q = state;
    struct tbs_random_options *o = &q->map;
    if (call->arguments.count > 0)
        return cli_error(CLI_USAGE, "'%s' is too many: no arguments but options", call->arguments.values[0]);
    if (!params_given(&call->sections[1], "seed"))
        q->seed = (uint32_t)rng_mix((uint64_t)clock_now_ns(cli_clock()));
    o->units[TBS_BLUE] = o->units[TBS_RED];
    for (int side = 0; side < TBS_SIDES; side++)
        o->units[side] = q->side_units[side] > 0 ? q->side_units[side] : o->units[side];
    o->types = TBS_ALL_TYPES;
    const char *wrong = !tbs_read_weights(q->terrain, o->weight, e)                   ? "terrain"
                        : q->types != NULL && !tbs_read_types(q->types, &o->types, e) ? "types"
                        : !read_hp(q->hp, o, e)                                       ? "hp"
                                                                                      : NULL;
    if (wrong != NULL) {
        err_prefix(e, "--%s: ", wrong);
        return CLI_USAGE;
    }
    struct tbs_map map;
    struct rng rng;
    rng_seed(&rng, q->seed);
    if (!tbs_map_random(o, &rng, &map, e))
        return CLI_FAILED;
    snprintf(map.author, sizeof map.author, "senjutsu map random");
    snprintf(map.comment, sizeof map.comment, "%s%d x %d cells, seed %llu", o->symmetric ? "symmetric, " : "",
             o->width, o->height, (unsigned long long)q->seed);
    struct text out = {0};
    tbs_map_write(&map, &out);
    const bool ok = cli_write_text(q->out, &out, e);
    text_done(&out);
    return ok ? CLI_OK : CLI_FAILED;
}

static const struct cli_body random_body = {sizeof(struct random_request),
                                            {{tbs_random_params, AT(map)}, {random_params}},
                                            .takes_arguments = true,
                                            .run = make_random};

/* ---- stats ---- */

/* Appends the turn of the first attack; 0: never. */
static void add_contact(int contact, struct text *out) {
    if (contact > 0)
        text_add(out, "turn %d\n", contact);
    else
        text_add_string(out, "never\n");
}

/* Attacks are counted three times: all, weighted by power, and weighted by damage (game/tbs/tbs.h). */
static void add_sides(const struct tbs_map_stats *stats, struct text *out) {
    for (int side = 0; side < TBS_SIDES; side++) {
        const struct tbs_side_stats *s = &stats->sides[side];
        text_add(out, "  %-5s %d units, %d HP:", tbs_side_names[side], s->units, s->hp);
        for (int type = 0; type < TBS_TYPES; type++)
            if (s->type_units[type] > 0)
                text_add(out, " %d %s (%d HP)", s->type_units[type], tbs_unit_types[type].name,
                         s->type_hp[type]);
        text_add_string(out, "\n");
    }
    text_add(out, "\n  %-5s %5s %5s %7s %8s %8s %10s  %s\n", "side", "ready", "moves", "attacks", "w. power",
             "w. damage", "attackers", "first attack");
    for (int side = 0; side < TBS_SIDES; side++) {
        const struct tbs_side_stats *s = &stats->sides[side];
        text_add(out, "  %-5s %5d %5d %7d %8d %8d %10d  ", tbs_side_names[side], s->ready, s->moves,
                 s->attacks[0], s->attacks[1], s->attacks[2], s->attackers);
        add_contact(s->contact, out);
    }
}

static void add_units(const struct tbs_map *map, const struct tbs_map_stats *stats, struct text *out) {
    text_add(out, "\n  %3s %-5s %-9s %-6s %3s %5s %5s %7s %8s %8s  %s\n", "id", "side", "type", "cell", "HP",
             "reach", "moves", "attacks", "w. power", "w. damage", "first attack");
    for (int id = 0; id < map->unit_count; id++) {
        const struct tbs_map_unit *u = &map->units[id];
        const struct tbs_unit_stats *s = &stats->units[id];
        char cell[16];
        snprintf(cell, sizeof cell, "%d,%d", u->x, u->y);
        text_add(out, "  %3d %-5s %-9s %-6s %3d %5d %5d %7d %8d %8d  ", id, tbs_side_names[u->side],
                 tbs_unit_types[u->type].name, cell, u->hp, s->reach, s->moves, s->attacks[0], s->attacks[1],
                 s->attacks[2]);
        add_contact(s->contact, out);
    }
}

static void add_count(bool is_counted, uint64_t count, uint64_t positions_max, struct text *out) {
    if (is_counted)
        text_add(out, "%" PRIu64 " (exactly)\n", count);
    else if (positions_max == 0)
        text_add_string(out, "not counted\n");
    else
        text_add(out, "not feasible within %" PRIu64 " positions (--limit-positions raises that)\n",
                 positions_max);
}

/* The exact number of combinations is printed only where 64 bits hold it. */
static void add_stats(struct map_job *job, const struct map_file *file, const struct tbs_map_stats *stats) {
    const struct tbs_turn_stats *t = &stats->turn;
    struct text *out = &job->text;
    job_add_heading(job, file);
    text_add_string(out, "\n");
    add_sides(stats, out);
    add_units(&file->map, stats, out);
    if (t->side == NOBODY) {
        text_add_string(out, "\n  the game is over before the first turn\n");
        return;
    }
    text_add(out, "\n  first turn: %s, %d units, %.2f actions each on average\n", tbs_side_names[t->side],
             t->units, t->actions_mean);
    text_add_string(out, "  combinations of actions: ");
    if (t->is_counted && !t->is_exact)
        text_add(out, "%.6g\n", t->combinations_real);
    else
        add_count(t->is_counted, t->combinations, job->positions_max, out);
    text_add(out, "  the papers' estimate:    %.6g (n^r r!)\n", t->estimate);
    text_add_string(out, "  positions at its end:    ");
    add_count(t->ends_are_counted, t->ends, job->positions_max, out);
}

static json_t *attacks_to_json(const int attacks[TBS_ATTACK_KINDS]) {
    return json_pack("{s:i, s:i, s:i}", "all", attacks[TBS_ATTACKS_ALL], "power", attacks[TBS_ATTACKS_POWER],
                     "damage", attacks[TBS_ATTACKS_DAMAGE]);
}

/* "first_attack" counts turns from 1; null: never. */
static json_t *side_to_json(const struct tbs_side_stats *s) {
    json_t *types = json_object();
    for (int type = 0; type < TBS_TYPES; type++)
        if (s->type_units[type] > 0)
            json_object_set_new(
                types, tbs_unit_types[type].name,
                json_pack("{s:i, s:i}", "units", s->type_units[type], "hp", s->type_hp[type]));
    return json_pack("{s:i, s:i, s:i, s:o, s:i, s:o, s:i, s:o?}", "units", s->units, "ready", s->ready, "hp",
                     s->hp, "types", types, "moves", s->moves, "attacks", attacks_to_json(s->attacks),
                     "attackers", s->attackers, "first_attack",
                     s->contact > 0 ? json_integer(s->contact) : NULL);
}

static json_t *stats_to_json(const struct map_file *file, const struct tbs_map_stats *stats,
                             uint64_t positions_max) {
    const struct tbs_map *map = &file->map;
    json_t *units = json_array();
    for (int id = 0; id < map->unit_count; id++) {
        const struct tbs_map_unit *u = &map->units[id];
        const struct tbs_unit_stats *s = &stats->units[id];
        json_array_append_new(units,
                              json_pack("{s:i, s:s, s:s, s:i, s:i, s:i, s:i, s:i, s:o, s:o?}", "id", id,
                                        "side", tbs_side_names[u->side], "type", tbs_unit_types[u->type].name,
                                        "x", u->x, "y", u->y, "hp", u->hp, "reach", s->reach, "moves",
                                        s->moves, "attacks", attacks_to_json(s->attacks), "first_attack",
                                        s->contact > 0 ? json_integer(s->contact) : NULL));
    }
    const struct tbs_turn_stats *t = &stats->turn;
    json_t *turn = NULL;
    if (t->side != NOBODY) {
        /* JSON readers differ in their treatment of large integers, so the exact number of combinations is
         * added as a string. */
        char digits[24];
        snprintf(digits, sizeof digits, "%" PRIu64, t->combinations);
        turn = json_pack("{s:s, s:i, s:f, s:f, s:o?, s:s?, s:o?, s:I}", "side", tbs_side_names[t->side],
                         "units", t->units, "actions_mean", t->actions_mean, "estimate", t->estimate,
                         "combinations", t->is_counted ? json_real(t->combinations_real) : NULL,
                         "combinations_exact", t->is_counted && t->is_exact ? digits : NULL, "ends",
                         t->ends_are_counted ? json_integer((json_int_t)t->ends) : NULL, "limit_positions",
                         (json_int_t)positions_max);
    }
    return json_pack("{s:s, s:i, s:i, s:i, s:i, s:{s:o, s:o}, s:o, s:o?}", "file", file->path, "width",
                     map->width - 2, "height", map->height - 2, "turn_limit", map->turn_limit, "threshold",
                     map->threshold, "sides", tbs_side_names[TBS_RED], side_to_json(&stats->sides[TBS_RED]),
                     tbs_side_names[TBS_BLUE], side_to_json(&stats->sides[TBS_BLUE]), "units", units,
                     "first_turn", turn);
}

static const struct param stats_params[] = {
    {"limit-positions", PARAM_U64, MAP_AT(positions_max), .fallback = TBS_STATS_POSITIONS_DEFAULT,
     .help = "work allowed for counting the first turn; 0: none"},
    {"json", PARAM_FLAG, MAP_AT(json), .help = "one JSON array, an object a map"},
    {0},
};

/* The counts of the first turn can take long; --limit-positions bounds the work, not the time, so that the
 * answer is the same on every machine. */
static int describe_map(struct map_job *job, const char *name, struct err *e) {
    struct map_file file;
    struct tbs_map_stats stats;
    if (!map_file_load(name, &file, e) ||
        !(tbs_map_stats(&file.map, &tbs_rule_sets[0], job->positions_max, &stats, e) ||
          err_prefix(e, "%s: ", file.path)))
        return CLI_FAILED;
    if (job->json)
        json_array_append_new(job->list, stats_to_json(&file, &stats, job->positions_max));
    else
        add_stats(job, &file, &stats);
    return CLI_OK;
}

/* ---- show ---- */

static const struct param show_params[] = {
    {"ids", PARAM_FLAG, MAP_AT(ids), .help = "the units' ids beside letter and HP"},
    {"no-color", PARAM_FLAG, MAP_AT(no_colour), .help = "plain ASCII, also on a terminal"},
    {"legend", PARAM_FLAG, MAP_AT(legend), .help = "what letters and terrain marks mean"},
    {0},
};

/* A map with problems that is playable is shown; the problems are only counted, because they could hide the
 * board on a small terminal. */
static int show_map(struct map_job *job, const char *name, struct err *e) {
    const struct tbs_show how = {
        .colour = cli_colour(STDOUT_FILENO) && !job->no_colour, .ids = job->ids, .legend = job->legend};
    struct map_file file;
    if (!map_file_load(name, &file, e))
        return CLI_FAILED;
    job_add_heading(job, &file);
    const char *const notes[] = {file.map.author, file.map.comment};
    for (int k = 0; k < 2; k++)
        if (notes[k][0] != '\0') {
            text_add_string(&job->text, k == 0 ? "\nauthor: " : "\ncomment: ");
            map_add_note(&job->text, notes[k]);
        }
    const int problems = file.problems.count + file.problems.left_out;
    if (problems > 0)
        text_add(&job->text, "\n%d problem%s: 'senjutsu map check' lists %s", problems,
                 problems == 1 ? "" : "s", problems == 1 ? "it" : "them");
    text_add_string(&job->text, "\n");
    tbs_show_map(&file.map, &how, &job->text);
    return CLI_OK;
}

/* ---- draw ---- */

static const struct param draw_params[] = {
    {"out", PARAM_STRING, MAP_AT(out), .value = "PICTURE",
     .help = "ends in .png, .svg or .pdf; otherwise the map's name with .png, here"},
    {"cell", PARAM_INT, MAP_AT(cell), TBS_DRAW_CELL_MIN, TBS_DRAW_CELL_MAX, TBS_DRAW_CELL_DEFAULT,
     .help = "pixels along the edge of a cell"},
    {0},
};

/* Without --out the picture is called like the map and lies in the current folder: the map's own folder may
 * be that of the installed maps, which a user may have no right to write to. */
static int draw_map(struct map_job *job, const char *name, struct err *e) {
#ifdef SENJUTSU_CAIRO
    struct map_file file;
    if (job->out != NULL && tbs_picture_of(job->out) == TBS_PICTURES)
        return cli_error(CLI_USAGE, "--out %s: expected a name that ends in .png, .svg or .pdf", job->out);
    if (!map_file_load(name, &file, e))
        return CLI_FAILED;
    char from_name[FILE_PATH_MAX];
    const char *slash = strrchr(file.path, '/'), *base = slash != NULL ? slash + 1 : file.path;
    if (strcmp(file.path, standard_input) == 0)
        base = "map";
    const char *dot = strrchr(base, '.');
    const int length = dot != NULL && dot != base ? (int)(dot - base) : (int)strlen(base);
    snprintf(from_name, sizeof from_name, "%.*s.png", length, base);
    const char *path = job->out != NULL ? job->out : from_name;
    struct tbs_position position;
    tbs_map_position(&file.map, &position);
    if (!tbs_draw(&file.map, &position, path, tbs_picture_of(path), job->cell, e))
        return CLI_FAILED;
    text_add(&job->text, "%s\n", path);
    return CLI_OK;
#else
    (void)job, (void)name;
    err_set(e, "this program was built without Cairo and draws no pictures");
    return CLI_FAILED;
#endif
}

/* ---- convert ---- */

static const struct param convert_params[] = {
    {"out", PARAM_STRING, MAP_AT(out), .choices = "-", .value = "FILE",
     .help = "where to; JSON when it ends in .json; - is standard output"},
    {"json", PARAM_FLAG, MAP_AT(json), .help = "write the map as a JSON object"},
    {0},
};

/* Problems do not prevent a conversion, which often is the first step of a repair. */
static int convert_map(struct map_job *job, const char *name, struct err *e) {
    struct map_file file;
    if (!map_file_load(name, &file, e))
        return CLI_FAILED;
    const int problems = file.problems.count + file.problems.left_out;
    if (problems > 0)
        cli_error(CLI_OK, "%s: converted with %d problem%s; 'senjutsu map check' lists them", file.path,
                  problems, problems == 1 ? "" : "s");
    return map_write(&file.map, job->out, job->json, e) ? CLI_OK : CLI_FAILED;
}

/* ---- the verbs ---- */

struct file_verb {
    struct cli_body body; /* first: a call refers to it */
    /* Returns an exit status; the reason in `e`, empty at first, is printed. */
    int (*visit)(struct map_job *job, const char *name, struct err *e);
    bool takes_one; /* exactly one file; of others --json asks for a list with an object for each file */
};

/* Visits the files and prints what they have given. The output is printed at the end, so that with --json it
 * is one valid array even if a file fails. */
static int run_files(void *state, const struct cli_call *call, struct err *e) {
    const struct file_verb *verb = (const struct file_verb *)call->body;
    const struct cli_arguments *files = &call->arguments;
    struct map_job *job = state;
    (void)e;
    if (!map_arguments(call, verb->takes_one))
        return CLI_USAGE;
    job->list = job->json && !verb->takes_one ? json_array() : NULL;
    for (int i = 0; i < files->count; i++) {
        struct err why = {{0}};
        const int status = verb->visit(job, files->values[i], &why);
        if (why.text[0] != '\0')
            cli_error(status, "%s", why.text);
        job->status = status != CLI_OK ? status : job->status;
    }
    if (job->faulty > 0)
        cli_error(CLI_FAILED, "%d of %d maps %s problems", job->faulty, files->count,
                  job->faulty == 1 ? "has" : "have");
    /* Verbs that write a file themselves have collected nothing, and have reported what failed. */
    const int printed = job->list != NULL    ? cli_show_json(job->list)
                        : job->text.size > 0 ? cli_show_text(&job->text)
                                             : CLI_OK;
    return printed == CLI_OK ? job->status : printed;
}

static const struct file_verb
    show_verb = {{sizeof(struct map_job), {{show_params}}, true, .run = run_files}, show_map},
    check_verb = {{sizeof(struct map_job), {{check_params}}, true, .run = run_files}, check_map},
    draw_verb = {{sizeof(struct map_job), {{draw_params}}, true, .run = run_files}, draw_map, true},
    convert_verb = {{sizeof(struct map_job), {{convert_params}}, true, .run = run_files}, convert_map, true},
    stats_verb = {{sizeof(struct map_job), {{stats_params}}, true, .run = run_files}, describe_map};
static const struct cli_body list_body = {.run = list_maps};

const struct cli_command cli_map_verbs[] = {
    {"map list", "Our own maps: name, size, units, what each is for.", "", "  senjutsu map list\n",
     .body = &list_body},
    {"map show", "Shows maps in the terminal.", "FILE... [options]",
     "  senjutsu map show duel --legend\n"
     "  senjutsu map show maps/*.tbsmap --ids --no-color\n",
     .body = &show_verb.body},
    {"map check", "Lists everything that is wrong with maps; exit status 1 when there is anything.",
     "FILE... [options]",
     "  senjutsu map check mine.tbsmap          mine.tbsmap:7: unit 'panzr' is unknown; expected ...\n"
     "  senjutsu map check *.tbsmap --json\n",
     .body = &check_verb.body},
    {"map draw", "Draws the start of a map as PNG, SVG or PDF.", "FILE [options]",
     "  senjutsu map draw duel                  writes duel.png\n"
     "  senjutsu map draw mine.tbsmap --out mine.pdf --cell 48\n",
     .body = &draw_verb.body},
    {"map convert", "Rewrites a map in canonical layout (UTF-8, LF), or as JSON and back.", "FILE [options]",
     "  senjutsu map convert old.tbsmap --out new.tbsmap\n"
     "  senjutsu map convert duel --json | jq .units\n"
     "  senjutsu map convert made.json --out made.tbsmap\n",
     .body = &convert_verb.body},
    {"map random", "Makes a legal random map: red on the left, blue on the right.", "[options]",
     "  senjutsu map random --seed 7 --out made.tbsmap\n"
     "  senjutsu map random --width 8 --height 8 --units 8 --symmetric --types panzer,cannon,infantry\n"
     "  senjutsu map random --terrain plain=50,sea=30,wall=20 --types F,A,I --hp 5-10 | senjutsu map show "
     "-\n",
     .body = &random_body},
    {"map stats", "What each unit can do at the start, how large the first turn is, how soon the sides meet.",
     "FILE... [options]",
     "  senjutsu map stats duel\n"
     "  senjutsu map stats maps/*.tbsmap --json --limit-positions 100000\n",
     .body = &stats_verb.body},
    {"map judge",
     "Plays on maps until it is clear whether they are fair and whether the stronger player wins; lists "
     "defects.",
     "FILE... [options]",
     "  senjutsu map judge duel\n"
     "  senjutsu map judge maps/*.tbsmap --tight 0.03 --store judged.db\n"
     "  senjutsu map judge mine.tbsmap --strong pwuct:sims=2000 --weak acteval --json\n",
     .body = &map_judge},
    {"map repair", "Finds the smallest changes that make a map fair. Exit status 1 when there are none.",
     "FILE [options]",
     "  senjutsu map repair mine.tbsmap --out better.tbsmap\n"
     "  senjutsu map repair mine.tbsmap --low 0.45 --high 0.55 --kinds hp,move --games 10000\n",
     .body = &map_repair},
    {0},
};
