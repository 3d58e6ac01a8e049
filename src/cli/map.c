/* SPDX-License-Identifier: MIT
 *
 * `senjutsu map VERB …`: finds the verb and runs it, and the verbs that turn a map into something to look at
 * or into another file. The other verbs have files of their own.
 */
#include "cli/map.h"

#include "base/file.h"
#include "config.h"
#include "game/tbs/show.h"
#include "game/tbs/map.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static const char standard_input[] = "standard input"; /* the path of what came from there, for messages */

/* ---- shared ---- */

bool map_path_ends_with(const char *path, const char *ending) {
    const size_t size = strlen(path), ending_size = strlen(ending);
    return size >= ending_size && strcasecmp(path + size - ending_size, ending) == 0;
}

static bool is_json(const char *path, const char *text) {
    while (isspace((unsigned char)*text))
        text++;
    return *text == '{' || map_path_ends_with(path, ".json");
}

bool map_file_read(const char *name, struct map_file *out, struct err *e) {
    cli_find_map(name, out->path,
                 sizeof out->path); /* when nothing is found, opening the name as given says why */
    struct text text = {0};
    bool ok = file_read(out->path, TBS_MAP_TEXT_MAX, &text, e);
    if (strcmp(out->path, "-") == 0)
        snprintf(out->path, sizeof out->path, "%s", standard_input);
    if (ok && is_json(out->path, text_string(&text)))
        tbs_map_read_json(text_string(&text), text.size, &out->map, &out->problems);
    else if (ok)
        tbs_map_read(text_string(&text), text.size, &out->map, &out->problems);
    text_done(&text);
    return ok;
}

bool map_file_load(const char *name, struct map_file *out, struct err *e) {
    if (!map_file_read(name, out, e))
        return false;
    return tbs_problems_explain(&out->problems, out->path, e);
}

void map_summary(const struct tbs_map *map, struct text *out) {
    text_add(out, "%d x %d cells, limit %d turns, threshold %d, %d red and %d blue units", map->width - 2,
             map->height - 2, map->turn_limit, map->threshold, tbs_map_side_units(map, TBS_RED),
             tbs_map_side_units(map, TBS_BLUE));
}

void map_add_note(struct text *out, const char *note) {
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

bool map_has_files(const struct cli_command *verb, const struct cli_arguments *arguments, bool one) {
    if (arguments->count == 0)
        cli_fail(verb, CLI_USAGE, "which map? name a file, or one of our maps ('senjutsu map list')");
    else if (one && arguments->count > 1)
        cli_fail(verb, CLI_USAGE, "one map at a time; '%s' is too many", arguments->values[1]);
    return arguments->count == 1 || (arguments->count > 1 && !one);
}

/* ---- show ---- */

static void show_file(const struct map_file *file, const struct tbs_show *how, struct text *out) {
    text_add(out, "%s: ", file->path);
    map_summary(&file->map, out);
    text_add_string(out, "\n");
    const struct {
        const char *what, *note;
    } notes[] = {{"author", file->map.author}, {"comment", file->map.comment}};
    for (int i = 0; i < 2; i++) {
        if (notes[i].note[0] == '\0')
            continue;
        text_add(out, "%s: ", notes[i].what);
        map_add_note(out, notes[i].note);
        text_add_string(out, "\n");
    }
    const int problems = file->problems.count + file->problems.left_out;
    if (problems > 0)
        text_add(out, "%d problem%s: 'senjutsu map check' lists %s\n", problems, problems == 1 ? "" : "s",
                 problems == 1 ? "it" : "them");
    tbs_show_map(&file->map, how, out);
}

int map_show(const struct cli_command *self, int argc, char **argv) {
    bool ids = false, no_colour = false, legend = false;
    const struct cli_option options[] = {
        {"ids", CLI_FLAG, &ids, NULL, "the units' ids beside letter and HP"},
        {"no-color", CLI_FLAG, &no_colour, NULL, "plain ASCII, also on a terminal"},
        {"legend", CLI_FLAG, &legend, NULL, "what letters and terrain marks mean"},
        {0},
    };
    struct cli_arguments arguments;
    int status;
    if (!cli_parse(self, options, argc, argv, &arguments, &status))
        return status;
    if (!map_has_files(self, &arguments, false))
        return CLI_USAGE;
    const struct tbs_show how = {.colour = cli_colour_out() && !no_colour, .ids = ids, .legend = legend};
    struct text out = {0};
    for (int i = 0; i < arguments.count; i++) {
        struct map_file file;
        struct err e;
        if (!map_file_load(arguments.values[i], &file, &e)) {
            status = cli_fail(self, CLI_FAILED, "%s", e.text);
            continue;
        }
        if (out.size > 0)
            text_add_string(&out, "\n");
        show_file(&file, &how, &out);
    }
    if (!cli_write(self, "-", &out))
        status = CLI_FAILED;
    text_done(&out);
    return status;
}

/* ---- draw ---- */

#ifdef SENJUTSU_CAIRO

/* The map's name with .png, in the current folder. */
static void default_picture(const char *path, char *out, size_t out_size) {
    if (strcmp(path, standard_input) == 0)
        path = "map";
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    const int length = dot != NULL && dot != name ? (int)(dot - name) : (int)strlen(name);
    snprintf(out, out_size, "%.*s.png", length, name);
}

static int draw(const struct cli_command *self, const char *name, const char *picture, int cell) {
    struct map_file file;
    struct err e;
    if (picture != NULL && tbs_picture_of(picture) == TBS_PICTURES)
        return cli_fail(self, CLI_USAGE, "--out %s: expected a name that ends in .png, .svg or .pdf",
                        picture);
    if (!map_file_load(name, &file, &e))
        return cli_fail(self, CLI_FAILED, "%s", e.text);
    char from_name[MAP_PATH_MAX];
    default_picture(file.path, from_name, sizeof from_name);
    const char *path = picture != NULL ? picture : from_name;
    struct tbs_position position;
    tbs_map_position(&file.map, &position);
    if (!tbs_draw(&file.map, &position, path, tbs_picture_of(path), cell, &e))
        return cli_fail(self, CLI_FAILED, "%s", e.text);
    printf("%s\n", path);
    return cli_finish_output(self) ? CLI_OK : CLI_FAILED;
}

#else

static int draw(const struct cli_command *self, const char *name, const char *picture, int cell) {
    (void)name, (void)picture, (void)cell;
    return cli_fail(self, CLI_FAILED, "this program was built without Cairo and draws no pictures");
}

#endif

int map_draw(const struct cli_command *self, int argc, char **argv) {
    const char *picture = NULL;
    int cell = TBS_DRAW_CELL_USUAL;
    const struct cli_option options[] = {
        {"out", CLI_TEXT, &picture, "PICTURE",
         "ends in .png, .svg or .pdf; otherwise the map's name with .png, here"},
        {"cell", CLI_INT, &cell, "N", "pixels along the edge of a cell", TBS_DRAW_CELL_MIN,
         TBS_DRAW_CELL_MAX},
        {0},
    };
    struct cli_arguments arguments;
    int status;
    if (!cli_parse(self, options, argc, argv, &arguments, &status))
        return status;
    return map_has_files(self, &arguments, true) ? draw(self, arguments.values[0], picture, cell) : CLI_USAGE;
}

/* ---- convert ---- */

static bool write_map(const struct tbs_map *map, bool json, struct text *out, struct err *e) {
    if (json)
        return tbs_map_write_json(map, out, e);
    tbs_map_write(map, out);
    return true;
}

int map_convert(const struct cli_command *self, int argc, char **argv) {
    const char *path = "-";
    bool json = false;
    const struct cli_option options[] = {
        {"out", CLI_TEXT, &path, "FILE", "where to; JSON when it ends in .json; - is standard output"},
        {"json", CLI_FLAG, &json, NULL, "write the map as a JSON object"},
        {0},
    };
    struct cli_arguments arguments;
    int status;
    if (!cli_parse(self, options, argc, argv, &arguments, &status))
        return status;
    if (!map_has_files(self, &arguments, true))
        return CLI_USAGE;
    struct map_file file;
    struct err e;
    if (!map_file_load(arguments.values[0], &file, &e))
        return cli_fail(self, CLI_FAILED, "%s", e.text);
    const int problems = file.problems.count + file.problems.left_out;
    if (problems > 0)
        cli_fail(self, CLI_OK, "%s: converted with %d problem%s; 'senjutsu map check' lists them", file.path,
                 problems, problems == 1 ? "" : "s");
    struct text out = {0};
    if (!write_map(&file.map, json || map_path_ends_with(path, ".json"), &out, &e))
        status = cli_fail(self, CLI_FAILED, "%s", e.text);
    else if (!cli_write(self, path, &out))
        status = CLI_FAILED;
    text_done(&out);
    return status;
}

/* ---- the verbs ---- */

static const struct cli_command verbs[] = {
    {"map list", "Our own maps: name, size, units, what each is for.", "", "  senjutsu map list\n", map_list},
    {"map show", "Shows maps in the terminal.", "FILE... [options]",
     "  senjutsu map show duel --legend\n"
     "  senjutsu map show maps/*.tbsmap --ids --no-color\n",
     map_show},
    {"map check", "Lists everything that is wrong with maps; exit status 1 when there is anything.",
     "FILE... [options]",
     "  senjutsu map check mine.tbsmap          mine.tbsmap:7: unit 'panzr' is unknown; expected ...\n"
     "  senjutsu map check *.tbsmap --json\n",
     map_check},
    {"map draw", "Draws the start of a map as PNG, SVG or PDF.", "FILE [options]",
     "  senjutsu map draw duel                  writes duel.png\n"
     "  senjutsu map draw mine.tbsmap --out mine.pdf --cell 48\n",
     map_draw},
    {"map convert", "Rewrites a map in canonical layout (UTF-8, LF), or as JSON and back.", "FILE [options]",
     "  senjutsu map convert old.tbsmap --out new.tbsmap\n"
     "  senjutsu map convert duel --json | jq .units\n"
     "  senjutsu map convert made.json --out made.tbsmap\n",
     map_convert},
    {"map random", "Makes a legal random map: red on the left, blue on the right.", "[options]",
     "  senjutsu map random --seed 7 --out made.tbsmap\n"
     "  senjutsu map random --width 8 --height 8 --units 8 --symmetric --types panzer,cannon,infantry\n"
     "  senjutsu map random --terrain plain=50,sea=30,wall=20 --types F,A,I --hp 5-10 | senjutsu map show "
     "-\n",
     map_random},
    {"map stats", "What each unit can do at the start, how large the first turn is, how soon the sides meet.",
     "FILE... [options]",
     "  senjutsu map stats duel\n"
     "  senjutsu map stats maps/*.tbsmap --json --limit-positions 100000\n",
     map_stats},
    {"map judge",
     "Plays on maps until it is clear whether they are fair and whether strength tells; says what is odd.",
     "FILE... [options]",
     "  senjutsu map judge duel\n"
     "  senjutsu map judge maps/*.tbsmap --tight 0.03 --store judged.db\n"
     "  senjutsu map judge mine.tbsmap --strong pwuct:sims=2000 --weak acteval --json\n",
     map_judge},
    {"map repair", "Finds the smallest changes that make a map fair. Exit status 1 when there are none.",
     "FILE [options]",
     "  senjutsu map repair mine.tbsmap --out better.tbsmap\n"
     "  senjutsu map repair mine.tbsmap --low 0.45 --high 0.55 --kinds hp,move --games 10000\n",
     map_repair},
    {0},
};

int cli_map(const struct cli_command *self, int argc, char **argv) {
    return cli_run_verb(self, verbs, argc, argv);
}
