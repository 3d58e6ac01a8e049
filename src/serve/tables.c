/* SPDX-License-Identifier: MIT
 *
 * All tables: which there are, how many there may be, and what other parts of the workbench want of them.
 */
#include "serve/tables.h"

#include "base/charset.h"
#include "base/mem.h"
#include "serve/ground.h"
#include "serve/table_show.h"
#include "serve/table_work.h"

#include <string.h>

enum {
    TABLES_MAX = 500, /* that are kept; then the oldest finished ones go */
    TABLES_UNFINISHED_MAX = 200,
    TABLES_PLAYERS_MAX = 24, /* unfinished ones where nobody but players sits */
};

/* Bytes of steps that are kept as text: the longest game on the largest map, or many usual ones. */
static const size_t told_max = (size_t)64 << 20;

/* A game that people have left for so long makes room for new ones when there is none. */
#define ABANDONED_NS (INT64_C(24) * 3600 * 1000000000)

/* ---- which there are ---- */

static int count_tables(const struct tables *tables) {
    int count = 0;
    for (const struct table *table = tables->newest; table != NULL; table = table->next)
        count++;
    return count;
}

static int count_unfinished(const struct tables *tables, bool players_only) {
    int count = 0;
    for (const struct table *table = tables->newest; table != NULL; table = table->next)
        count += !table_is_over(table) && !(players_only && table_has_people(table));
    return count;
}

/* The oldest that is finished, or (`unfinished`) that was left; NULL: there is none. */
static struct table *find_oldest(const struct tables *tables, bool unfinished) {
    struct table *oldest = NULL;
    for (struct table *table = tables->newest; table != NULL; table = table->next) {
        const bool is_left = table_now(table) - table->touched_ns > ABANDONED_NS && table_readers(table) == 0;
        if (unfinished ? !table_is_over(table) && is_left : table_is_over(table))
            oldest = table;
    }
    return oldest;
}

static void make_room(struct tables *tables) {
    for (int count = count_tables(tables); count > TABLES_MAX; count--) {
        struct table *oldest = find_oldest(tables, false);
        if (oldest == NULL)
            return;
        tables_remove(tables, oldest);
    }
}

bool tables_add(struct tables *tables, struct table *table, struct err *e) {
    table->number = tables->number_next;
    table->touched_ns = table_now(table);
    if (!table_save(table, e))
        return false;
    tables->number_next++;
    table->next = tables->newest;
    tables->newest = table;
    make_room(tables);
    return true;
}

void tables_remove(struct tables *tables, struct table *table) {
    struct table **at = &tables->newest;
    while (*at != table)
        at = &(*at)->next;
    *at = table->next;
    table->is_gone = true;
    table_forget(table);
    table_end_streams(table);
    table_remove_files(table, NULL);
    table_drop(table);
}

bool tables_has_room(struct tables *tables, bool has_people, struct message_out *out) {
    if (!has_people && count_unfinished(tables, true) >= TABLES_PLAYERS_MAX) {
        message_fail(out, 429, NULL, "%d games between players are under way; wait for one, or stop one",
                     TABLES_PLAYERS_MAX);
        return false;
    }
    if (count_unfinished(tables, false) < TABLES_UNFINISHED_MAX)
        return true;
    struct table *left = find_oldest(tables, true);
    if (left == NULL) {
        message_fail(out, 429, NULL, "%d games are under way; finish or delete one", TABLES_UNFINISHED_MAX);
        return false;
    }
    tables_remove(tables, left);
    return true;
}

struct table *tables_find(struct tables *tables, const char *id, struct message_out *out) {
    for (struct table *table = tables->newest; table != NULL; table = table->next)
        if (strcmp(table->id, id) == 0) {
            table_check_time(table);
            return table;
        }
    message_fail(out, 404, NULL, "there is no table '%.32s'", id);
    return NULL;
}

/* ---- opening and closing ---- */

struct tables *tables_open(struct workbench *bench, struct err *e) {
    struct tables *tables = mem_alloc(sizeof *tables);
    if (tables == NULL) {
        err_set(e, "not enough memory for the tables");
        return NULL;
    }
    tables->bench = bench;
    tables->number_next = 1;
    tables->told_max = told_max;
    if (!tables_load(tables, e)) {
        tables_close(tables);
        return NULL;
    }
    workbench_lock(bench);
    for (struct table *table = tables->newest; table != NULL; table = table->next) {
        table->touched_ns = table_now(table);
        if (!table_is_over(table)) {
            table_recall_thoughts(table);
            table_settle(table);
        }
    }
    make_room(tables);
    workbench_unlock(bench);
    return tables;
}

/* Everybody is told to stop; what is not finished is kept as it is. */
static void stop_all(struct tables *tables) {
    workbench_lock(tables->bench);
    tables->is_stopping = true;
    for (struct table *table = tables->newest; table != NULL; table = table->next)
        table_forget(table);
    workbench_unlock(tables->bench);
    crew_finish(tables->bench->crew, tables);
}

void tables_close(struct tables *tables) {
    stop_all(tables);
    for (struct table *table = tables->newest, *next; table != NULL; table = next) {
        next = table->next;
        struct err e;
        if (table->is_changed && !table_save(table, &e)) {
            serve_warn(tables->bench, "game %s: its last moves are lost: %s", table->id, e.text);
            tables->bench->has_lost = true;
        }
        if (!table->is_filed)
            table_save_thoughts(table);
        table_end_streams(table);
        table_drop(table);
    }
    mem_free(tables);
}

/* ---- for other parts ---- */

static bool copy_record(const struct record *from, struct record *to, struct err *e) {
    *to = *from;
    to->map = to->options = (struct text){0};
    to->actions = NULL;
    to->count = to->capacity = 0;
    text_add_bytes(&to->map, text_string(&from->map), from->map.size);
    text_add_bytes(&to->options, text_string(&from->options), from->options.size);
    bool ok = !to->map.failed && !to->options.failed;
    for (int i = 0; ok && i < from->count; i++)
        ok = record_add(to, from->actions[i].action, (double)from->actions[i].milliseconds, e);
    return ok || err_set(e, "not enough memory for the record");
}

bool tables_write_record(struct workbench *bench, const struct record *record, const struct tables_told *as,
                         struct text *out, struct err *e) {
    struct record copy;
    if (!copy_record(record, &copy, e)) {
        record_done(&copy);
        return false;
    }
    struct table *table = table_of_record(bench->tables, &copy, e);
    if (table == NULL)
        return false;
    charset_copy(table->id, sizeof table->id, as->id, strlen(as->id));
    if (as->map != NULL && json_object_get(table->ground, "map_text") != NULL)
        json_object_set_new(table->ground, "map", json_string(as->map));
    table_write(table, AUDIENCE_PUBLIC, out);
    table_drop(table);
    return !out->failed || err_set(e, "not enough memory to show the record");
}

/* The whole position, which may be more than the asker knows. */
static bool fill_position(const struct table *table, int count, struct ground_position *out, struct err *e) {
    record_done(&out->record);
    if (!copy_record(&table->record, &out->record, e))
        return false;
    out->record.count = count;
    out->scenario = record_scenario(&out->record, e);
    if (out->scenario == NULL)
        return false;
    replay_start(&out->replay, &out->record, out->scenario);
    out->placed = table->is_placed;
    if (table->is_placed) {
        struct text start = {0};
        table->scenario->game->text->write_state(table->start, &start);
        const bool ok = game_read_position(out->scenario, text_string(&start), out->replay.state, e);
        text_done(&start);
        if (!ok)
            return false;
        turn_count_start(&out->replay.turn, out->scenario->game, out->replay.state);
    }
    while (out->replay.next < count)
        if (!replay_step(&out->replay, e))
            return false;
    return true;
}

/* Leaves what the holder of those sides' keys knows; false when it is not their turn there. */
static bool hide_position(const struct table *table, int sides, struct ground_position *out) {
    const struct game *game = out->scenario->game;
    const int mover = game->mover(out->replay.state);
    if (!table_hides(table))
        return true;
    if (mover == NOBODY || (sides >> mover & 1) == 0 || !table->seats[mover].is_human)
        return false;
    game->hide(out->replay.state, mover);
    return true;
}

bool tables_position(struct workbench *bench, const struct tables_place *place, struct ground_position *out,
                     struct message_out *failure) {
    struct err e;
    const struct table *table = tables_find(bench->tables, place->id, failure);
    const int sides = table != NULL ? table_sides(table, place->key) : -1;
    if (table == NULL)
        return false;
    if (sides < 0) {
        message_fail(failure, 403, "key", "that is not a key of this table");
        return false;
    }
    const int played = table->record.count;
    if (place->after > played) {
        message_fail(failure, 409, "after", "%d actions were played, not %d", played, place->after);
        return false;
    }
    if (!fill_position(table, place->after < 0 ? played : place->after, out, &e)) {
        message_fail(failure, 500, NULL, "%s", e.text);
        return false;
    }
    if (hide_position(table, sides, out))
        return true;
    message_fail(failure, 403, "key",
                 "something is hidden there: only who is to move may look, with the key of its seat");
    return false;
}
