/* SPDX-License-Identifier: MIT */
#include "serve/table_text.h"

#include "base/mem.h"
#include "serve/table_work.h"

#include <stdlib.h>
#include <string.h>

/* Shorter games are told anew each time, in a few milliseconds. */
enum { LONG_GAME = 256 };

/* ---- what is kept ---- */

void table_drop_text(struct table *table, int index) {
    struct table_step *step = &table->steps[index];
    if (step->told == NULL)
        return;
    const size_t size = strlen(step->told) + 1;
    table->told_bytes -= size;
    table->tables->told_bytes -= size;
    mem_free(step->told);
    step->told = NULL;
}

static void drop_texts(struct table *table) {
    for (int i = 0; i < table->record.count && table->told_bytes > 0; i++)
        table_drop_text(table, i);
}

/* The one with texts that was told longest ago, but for this one; NULL: there is none. */
static struct table *find_stale(const struct table *but) {
    struct table *stale = NULL;
    for (struct table *table = but->tables->newest; table != NULL; table = table->next)
        if (table != but && table->told_bytes > 0 && (stale == NULL || table->told_ns < stale->told_ns))
            stale = table;
    return stale;
}

static bool has_room(const struct table *table, size_t size) {
    return table->tables->told_bytes + size < table->tables->told_max;
}

static bool make_room(const struct table *table, size_t size) {
    struct table *stale = NULL;
    while (!has_room(table, size) && (stale = find_stale(table)) != NULL)
        drop_texts(stale);
    return has_room(table, size);
}

/* A table that is in no list is told once. */
static bool is_worth_while(const struct table *table, enum shape_viewer viewer) {
    return viewer == SHAPE_ALL && !table_hides(table) && table->record.count >= LONG_GAME &&
           table->number > 0;
}

static void keep(struct table *table, int index, const char *text, size_t size) {
    char *told = mem_alloc(size + 1);
    if (told == NULL)
        return;
    memcpy(told, text, size);
    table_drop_text(table, index);
    table->steps[index].told = told;
    table->told_bytes += size + 1;
    table->tables->told_bytes += size + 1;
}

/* ---- making it ---- */

/* A step between two states. */
struct moment {
    int index;
    enum shape_viewer viewer;
    const void *before, *after;
};

static void make(const struct table *table, const struct moment *m, struct text *out) {
    const struct scenario *scenario = table->scenario;
    const struct record_action played = table->record.actions[m->index];
    json_t *head =
        json_pack("{si si so so so}", "ply", m->index + 1, "side", scenario->game->mover(m->before), "action",
                  shape_action(scenario, m->before, played.action, m->viewer), "did",
                  shape_played(scenario, m->before, played.action, m->viewer), "ms",
                  played.milliseconds < 0 ? json_null() : json_real((double)played.milliseconds));
    char *dump = head != NULL ? json_dumps(head, JSON_COMPACT | JSON_REAL_PRECISION(6)) : NULL;
    json_decref(head);
    if (dump == NULL) {
        out->failed = true;
        return;
    }
    text_add_bytes(out, dump, strlen(dump) - 1); /* the object goes on */
    free(dump);
    text_add_string(out, ",\"state\":");
    shape_write_state(scenario, m->after, m->viewer, out);
}

void table_write_text(struct table *table, int index, enum shape_viewer viewer, struct replay *replay,
                      struct text *out) {
    const struct table_step *step = &table->steps[index];
    _Alignas(16) unsigned char before[GAME_STATE_MAX];
    const size_t start = out->size;
    if (viewer == SHAPE_ALL && step->told != NULL) {
        text_add_string(out, step->told);
        return;
    }
    while (replay->next < index)
        replay_step(replay, NULL);
    memcpy(before, replay->state, table->scenario->game->state_size);
    replay_step(replay, NULL);
    make(table, &(struct moment){index, viewer, before, replay->state}, out);
    if (is_worth_while(table, viewer) && !out->failed && make_room(table, out->size - start))
        keep(table, index, out->data + start, out->size - start);
}

/* Nobody may look for a long time yet: nothing that others have asked for goes for it. */
void table_keep_text(struct table *table, const void *before) {
    struct text text = {0};
    if (!is_worth_while(table, SHAPE_ALL) || !has_room(table, 0))
        return;
    make(table, &(struct moment){table->record.count - 1, SHAPE_ALL, before, table->referee.state}, &text);
    if (!text.failed && has_room(table, text.size))
        keep(table, table->record.count - 1, text_string(&text), text.size);
    text_done(&text);
}
