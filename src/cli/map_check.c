/* SPDX-License-Identifier: MIT
 *
 * `senjutsu map check`: every problem of every file, one a line, in a form editors can jump to.
 */
#include "cli/map.h"

#include <jansson.h>
#include <stdio.h>

/* A file that cannot be read has one problem, the reason; it names the file itself. */
struct checked {
    struct map_file file;
    bool readable;
    struct err reason;
};

static void check_file(const char *name, struct checked *out) {
    out->readable = map_file_read(name, &out->file, &out->reason);
    if (!out->readable)
        out->file.problems = (struct tbs_problems){.fatal = true};
}

static bool is_ok(const struct checked *c) {
    return c->readable && c->file.problems.count == 0;
}

static void print_problem(const char *path, const struct tbs_problem *p) {
    const char *mark = p->fatal ? " [cannot be played]" : "";
    if (p->line > 0)
        printf("%s:%d: %s%s\n", path, p->line, p->text, mark);
    else
        printf("%s: %s%s\n", path, p->text, mark);
}

static void print_checked(const struct checked *c) {
    const struct tbs_problems *problems = &c->file.problems;
    if (is_ok(c))
        printf("%s: ok\n", c->file.path);
    for (int i = 0; i < problems->count; i++)
        print_problem(c->file.path, &problems->items[i]);
    if (problems->left_out > 0)
        printf("%s: and %d more problems\n", c->file.path, problems->left_out);
}

static json_t *problem_to_json(int line, bool fatal, const char *text) {
    return json_pack("{s:i, s:b, s:s}", "line", line, "fatal", fatal, "text", text);
}

static json_t *checked_to_json(const struct checked *c) {
    const struct tbs_problems *problems = &c->file.problems;
    json_t *list = json_array();
    if (!c->readable)
        json_array_append_new(list, problem_to_json(0, true, c->reason.text));
    for (int i = 0; i < problems->count; i++) {
        const struct tbs_problem *p = &problems->items[i];
        json_array_append_new(list, problem_to_json(p->line, p->fatal, p->text));
    }
    return json_pack("{s:s, s:b, s:b, s:o, s:i}", "file", c->file.path, "ok", is_ok(c), "playable",
                     !problems->fatal, "problems", list, "left_out", problems->left_out);
}

int map_check(const struct cli_command *self, int argc, char **argv) {
    bool json = false;
    const struct cli_option options[] = {
        {"json", CLI_FLAG, &json, NULL, "one JSON array, an object a file"},
        {0},
    };
    struct cli_arguments arguments;
    int status;
    if (!cli_parse(self, options, argc, argv, &arguments, &status))
        return status;
    if (!map_has_files(self, &arguments, false))
        return CLI_USAGE;
    json_t *files = json_array();
    int faulty = 0;
    for (int i = 0; i < arguments.count; i++) {
        struct checked checked;
        check_file(arguments.values[i], &checked);
        if (!checked.readable)
            cli_fail(self, CLI_FAILED, "%s", checked.reason.text);
        faulty += checked.readable && !is_ok(&checked);
        if (json)
            json_array_append_new(files, checked_to_json(&checked));
        else
            print_checked(&checked);
        if (!is_ok(&checked))
            status = CLI_FAILED;
    }
    if (faulty > 0)
        cli_fail(self, CLI_FAILED, "%d of %d maps %s problems", faulty, arguments.count,
                 faulty == 1 ? "has" : "have");
    const bool written = json ? cli_print_json(self, json_incref(files)) : cli_finish_output(self);
    json_decref(files);
    return written ? status : CLI_FAILED;
}
