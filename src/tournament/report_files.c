/* SPDX-License-Identifier: MIT
 *
 * A report as files in a folder.
 */
#include "tournament/report.h"

#include "base/file.h"
#include "store/store.h"

#include <stdio.h>
#include <string.h>

static bool write_text(const char *folder, const char *name, const struct text *text, struct err *e) {
    char path[4096];
    const int n = snprintf(path, sizeof path, "%s/%s", folder, name);
    if (text->failed)
        return err_set(e, "not enough memory for %s", name);
    return ((size_t)n < sizeof path || err_set(e, "%s: the name is too long", folder)) &&
           file_write(path, text_string(text), text->size, e);
}

typedef void page_function(const struct report *report, struct text *out);

static bool write_pages(const char *folder, const struct report *report, struct err *e) {
    static const struct page {
        const char *name;
        page_function *write;
    } pages[] = {
        {"standings.csv", report_standings_csv},
        {"games.csv", report_games_csv},
        {"cross-table.html", report_cross_table_html},
        {"results.html", report_print_html},
    };
    struct text text = {0};
    bool ok = report_json(report, &text, e) && write_text(folder, "results.json", &text, e);
    for (size_t i = 0; ok && i < sizeof pages / sizeof pages[0]; i++) {
        text_clear(&text);
        pages[i].write(report, &text);
        ok = write_text(folder, pages[i].name, &text, e);
    }
    text_done(&text);
    return ok;
}

static bool write_bundle(void *context, const struct store_game *game, struct err *e) {
    const char *folder = context;
    char path[4096], name[64];
    if (game->bundle == NULL)
        return true;
    const struct text text = {.data = (char *)(uintptr_t)game->bundle, .size = strlen(game->bundle)};
    snprintf(path, sizeof path, "%s/faults", folder);
    snprintf(name, sizeof name, "game-%06d.json", game->number);
    return file_make_folder(path, e) && write_text(path, name, &text, e);
}

bool report_write_files(const struct report *report, const char *folder, struct store *store, struct err *e) {
    if (!file_make_folder(folder, e) || !write_pages(folder, report, e))
        return false;
    char copy[4096];
    snprintf(copy, sizeof copy, "%s", folder);
    const struct store_visit visit = {.game = write_bundle, .context = copy, .texts = true};
    return store == NULL || store_visit_games(store, &visit, e);
}
