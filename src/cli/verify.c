/* SPDX-License-Identifier: MIT
 *
 * `senjutsu verify STORE`: checks that a store's games follow the rules and its event.
 */
#include "cli/cli.h"

#include "base/charset.h"
#include "evolve/sample_game.h"
#include "store/store.h"
#include "tournament/run.h"

#include <jansson.h>
#include <stdio.h>

enum { REDRAW_MS = 100 };

struct verify {
    const struct cli_command *command;
    bool json, quiet;
    struct cli_status status;
    json_t *problems;
};

static void note_problem(void *context, const char *sentence) {
    struct verify *v = context;
    cli_status_clear(&v->status);
    char shown[ERR_TEXT_MAX + 512];
    snprintf(shown, sizeof shown, "%s", sentence);
    charset_disarm(shown); /* the store may come from a stranger */
    if (v->json)
        json_array_append_new(v->problems, json_string(shown));
    else
        printf("%s\n", shown);
}

static bool show_progress(void *context, int games) {
    struct verify *v = context;
    if (!v->quiet && cli_status_is_due(&v->status, REDRAW_MS))
        cli_status_draw(&v->status, "%d games", games);
    return !atomic_load(&cli_stop);
}

static void print_result(const char *path, const struct verify_report *r, const struct games *games,
                         const struct text *table) {
    if (r->problems > 0) {
        printf("%s: %d problem%s in %d games\n", path, r->problems, r->problems == 1 ? "" : "s", r->games);
        return;
    }
    printf("%s: ok, %d game%s executed again, %s\n\n%s", path, r->games, r->games == 1 ? "" : "s",
           r->standings_compared ? "the standings follow from them"
           : r->complete         ? "complete, but no standings were kept"
                                 : "the event is not over yet; standings so far:",
           text_string(table));
    if (r->voids > 0)
        printf("\n%d game%s void, because the program was stopped in the middle, and played again:\n",
               r->voids, r->voids == 1 ? " was" : "s were");
    for (int i = 0; i < games->voids.count; i++)
        printf("game %d, stopped for %.1f s after %d actions\n", games->voids.games[i].number,
               (double)games->voids.games[i].gap_ns * 1e-9, games->voids.games[i].actions);
}

static int verify(struct verify *v, const char *path) {
    struct err e;
    struct event event = {0};
    struct games games;
    struct verify_report report;
    struct text table = {0};
    const struct verify_watch watch = {note_problem, show_progress, v};
    struct store *store = store_open(path, STORE_READ, &e);
    if (store == NULL || !sample_store_is_none(store, path, &e)) {
        store_close(store);
        return cli_fail(v->command, CLI_FAILED, "%s", e.text);
    }
    games_init(&games);
    cli_catch_interrupt();
    bool ok = verify_store(store, &watch, &event, &games, &report, &e);
    if (ok)
        standings_text(&event, &games, &table);
    if (table.data != NULL)
        charset_disarm(table.data);
    cli_status_clear(&v->status);
    if (!ok)
        cli_fail(v->command, CLI_FAILED, "%s: %s", path, e.text);
    else if (v->json)
        ok = cli_print_json(v->command,
                            json_pack("{sb si si sb sb sO ss}", "ok", report.problems == 0, "games",
                                      report.games, "voids", report.voids, "complete", report.complete,
                                      "standings_compared", report.standings_compared, "problems",
                                      v->problems, "standings", text_string(&table)));
    else
        print_result(path, &report, &games, &table);
    text_done(&table);
    games_done(&games);
    event_done(&event);
    store_close(store);
    return ok && cli_finish_output(v->command) && report.problems == 0 ? CLI_OK : CLI_FAILED;
}

#define AT(field) offsetof(struct verify, field)

static const struct param verify_params[] = {
    {"quiet", PARAM_FLAG, AT(quiet), .help = "no progress"},
    {"json", PARAM_FLAG, AT(json), .help = "the findings as JSON"},
    {0},
};

int cli_verify(const struct cli_command *self, int argc, char **argv) {
    struct verify v = {.command = self};
    int status;
    struct cli_arguments arguments;
    struct params options[] = {{verify_params, &v, 0}, {0}};
    if (!cli_parse(self, options, argc, argv, &arguments, &status))
        return status;
    if (arguments.count != 1)
        return cli_fail(self, CLI_USAGE, "one store is needed; given: %d", arguments.count);
    if (v.json)
        v.problems = json_array();
    status = verify(&v, arguments.values[0]);
    json_decref(v.problems);
    return status;
}
