/* SPDX-License-Identifier: MIT
 *
 * `senjutsu geister serve`: the files that stay of its games, named as the official server names its logs.
 */
#include "cli/geister.h"

#include "base/file.h"
#include "net/geister_log.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { PATH_SIZE = 4096, STAMP_SIZE = 32 };

/* Whether files can be written there shows when one is; better now than at the end of the first game. */
static bool prepare_folder(const char *folder, struct err *e) {
    char path[PATH_SIZE];
    if (folder == NULL)
        return true;
    if (!file_make_folder(folder, e))
        return false;
    const int n = snprintf(path, sizeof path, "%s/.writable", folder);
    if (n < 0 || n >= PATH_SIZE)
        return err_set(e, "%s: the name is too long", folder);
    if (!file_write_soon(path, "", 0, e))
        return false;
    remove(path);
    return true;
}

bool geister_keep_start(const struct geister_keeper *keeper, struct err *e) {
    return prepare_folder(keeper->logs, e) && prepare_folder(keeper->records, e);
}

/* "2024-05-01-10-00-00-123", local time as officially. */
static void write_stamp(int64_t ms, char out[STAMP_SIZE]) {
    const time_t seconds = (time_t)(ms / 1000);
    struct tm local;
    char date[STAMP_SIZE - 8];
    if (localtime_r(&seconds, &local) == NULL ||
        strftime(date, sizeof date, "%Y-%m-%d-%H-%M-%S", &local) == 0)
        snprintf(date, sizeof date, "%lld", (long long)seconds); /* a date beyond all calendars */
    snprintf(out, STAMP_SIZE, "%s-%03d", date, (int)(ms % 1000));
}

static bool log_path(const struct geister_keeper *keeper, const char *stamp, char out[PATH_SIZE]) {
    const int n = snprintf(out, PATH_SIZE, "%s/log-%s.txt", keeper->logs, stamp);
    return n > 0 && n < PATH_SIZE;
}

static bool record_path(const struct geister_keeper *keeper, const char *stamp, char out[PATH_SIZE]) {
    const int n = snprintf(out, PATH_SIZE, "%s/geister-%s.json", keeper->records, stamp);
    return n > 0 && n < PATH_SIZE;
}

/* Is there a file of that name already, from another server, say? */
static bool is_taken(const struct geister_keeper *keeper, const char *stamp) {
    char path[PATH_SIZE];
    return (keeper->logs != NULL && log_path(keeper, stamp, path) && access(path, F_OK) == 0) ||
           (keeper->records != NULL && record_path(keeper, stamp, path) && access(path, F_OK) == 0);
}

/* The time of the first command; a millisecond later when another game has that name. */
static void choose_stamp(const struct geister_keeper *keeper, const struct geister_table *t,
                         char out[STAMP_SIZE]) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    const int64_t first = t->spoke_ns != 0 ? t->spoke_ns : t->started_ns;
    const int64_t age_ms = (clock_now_ns(cli_clock()) - first) / 1000000;
    int64_t ms = (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000 - age_ms;
    do
        write_stamp(ms++, out);
    while (is_taken(keeper, out));
}

static bool write_log(const struct geister_keeper *keeper, const struct geister_table *t, const char *stamp,
                      struct err *e) {
    char path[PATH_SIZE];
    struct text text = {0};
    if (!log_path(keeper, stamp, path))
        return err_set(e, "%s: the name is too long", keeper->logs);
    geister_log_write(t, keeper->official, &text);
    const bool ok = text.failed ? err_set(e, "%s: not enough memory for the log", path)
                                : file_write(path, text_string(&text), text.size, e);
    text_done(&text);
    return ok;
}

static bool write_record(const struct geister_keeper *keeper, const struct geister_finished *game,
                         const char *stamp, struct err *e) {
    char path[PATH_SIZE];
    struct text text = {0};
    struct record record;
    if (!record_path(keeper, stamp, path))
        return err_set(e, "%s: the name is too long", keeper->records);
    record_init(&record);
    cli_date(record.date, sizeof record.date);
    const bool ok = geister_log_record(game->table, game->names, &record, e) &&
                    record_write_json_of(&record, game->table->terms->scenario, &text, e) &&
                    file_write(path, text_string(&text), text.size, e);
    record_done(&record);
    text_done(&text);
    return ok;
}

bool geister_keep_game(const struct geister_keeper *keeper, const struct geister_finished *game,
                       struct err *e) {
    char stamp[STAMP_SIZE];
    if (keeper->logs == NULL && keeper->records == NULL)
        return true;
    choose_stamp(keeper, game->table, stamp);
    /* As officially, there is no log before the first command. */
    const bool logged = keeper->logs != NULL && game->table->spoke_ns != 0;
    return (!logged || write_log(keeper, game->table, stamp, e)) &&
           (keeper->records == NULL || write_record(keeper, game, stamp, e));
}
