/* SPDX-License-Identifier: MIT */
#include "serve/job_games.h"

#include "base/file.h"
#include "base/mem.h"
#include "serve/job_store.h"
#include "store/store.h"
#include "tournament/run.h"

#include <stdio.h>
#include <string.h>

/* ---- the list ---- */

static bool grow(struct job_games *list, int count) {
    if (count <= list->capacity)
        return true;
    const int capacity = count > 2 * list->capacity ? count : 2 * list->capacity;
    void *grown = mem_resize(list->rows, (size_t)capacity * sizeof list->rows[0]);
    if (grown == NULL)
        return false;
    list->rows = grown;
    list->capacity = capacity;
    return true;
}

static void note_outcome(struct job_row *row, const struct outcome *outcome) {
    row->played = outcome->played;
    row->payoff = outcome->payoff;
    row->actions = outcome->actions;
    memcpy(row->result, outcome->result, sizeof row->result);
}

bool job_games_note(struct job_games *list, const struct games *games, int number) {
    if (!grow(list, games->count))
        return false;
    for (; list->count < games->count; list->count++) {
        struct job_row *row = &list->rows[list->count];
        *row = (struct job_row){.fixture = games->fixtures[list->count]};
    }
    if (number >= 0)
        note_outcome(&list->rows[number], &games->outcomes[number]);
    return true;
}

/* ---- from the folder ---- */

static bool read_event(const struct job *job, struct event *out, struct err *e) {
    json_t *work = job_read_work(job, e);
    const char *text = json_string_value(json_object_get(work, "event"));
    const bool ok = text != NULL ? event_read("the job's event", text, strlen(text), out, e)
                                 : work != NULL && err_set(e, "job %s has no event", job->id);
    json_decref(work);
    return ok;
}

static bool is_whole(const struct games *games, int first) {
    for (int i = first; i < games->count; i++)
        if (!games->outcomes[i].played)
            return false;
    return true;
}

/* Batch by batch, as far as all games of one are there. */
static bool recall(const struct event *event, struct store *store, struct games *games, struct err *e) {
    for (bool more = true;;) {
        const int first = games->count;
        int beyond;
        if (!event_next_batch(event, games, &more, e) ||
            (store != NULL && !tournament_recall(store, games, first, &beyond, e)))
            return false;
        if (!more || !is_whole(games, first))
            return true;
    }
}

/* NULL: nothing was played yet. */
static struct store *open_store(const struct job *job, struct err *e) {
    char path[SERVE_PATH_MAX];
    if (!job_path(job, "games.db", path, e) || !file_exists(path)) {
        err_set(e, "nothing was played yet");
        return NULL;
    }
    return store_open(path, STORE_READ, e);
}

static bool fill(const struct job *job, struct job_games *list, struct err *e) {
    struct games games;
    struct err unheard;
    struct store *store = open_store(job, &unheard);
    games_init(&games);
    bool ok = recall(&list->event, store, &games, e);
    if (ok && !job_games_note(list, &games, -1))
        ok = err_set(e, "not enough memory for the games");
    for (int i = 0; ok && i < games.count; i++)
        note_outcome(&list->rows[i], &games.outcomes[i]);
    games_done(&games);
    store_close(store);
    return ok;
}

static struct job_games *open_games(const struct job *job, struct err *e) {
    struct job_games *list = mem_alloc(sizeof *list);
    if (list == NULL) {
        err_set(e, "not enough memory for the games");
        return NULL;
    }
    if (!read_event(job, &list->event, e) || !fill(job, list, e)) {
        job_games_close(list);
        return NULL;
    }
    return list;
}

struct job_games *job_games_of(struct job *job, struct err *e) {
    if (job->games == NULL)
        job->games = open_games(job, e);
    return job->games;
}

/* Somebody may have asked meanwhile: whose list is there first stays. */
struct job_games *job_games_prepare(struct job *job, struct err *e) {
    struct workbench *bench = job->jobs->bench;
    workbench_lock(bench);
    struct job_games *list = job->games;
    workbench_unlock(bench);
    if (list != NULL)
        return list;
    struct job_games *mine = open_games(job, e);
    workbench_lock(bench);
    list = job->games != NULL ? job->games : mine;
    job->games = list;
    workbench_unlock(bench);
    if (list != mine)
        job_games_close(mine);
    return list;
}

void job_games_close(struct job_games *list) {
    if (list == NULL)
        return;
    event_done(&list->event);
    mem_free(list->rows);
    mem_free(list);
}

bool job_games_load(const struct job *job, int number, struct record *out, struct err *e) {
    record_init(out);
    struct store *store = open_store(job, e);
    const bool ok = store != NULL && tournament_load_record(store, number, out, e);
    store_close(store);
    return ok;
}

/* ---- JSON ---- */

static json_t *row_json(const struct event *event, const struct job_row *row) {
    const struct fixture *f = &row->fixture;
    return json_pack("{si s[ss] ss ss so si si ss}", "number", f->number, "players",
                     event->players[f->players[0]].name, event->players[f->players[1]].name, "map",
                     event->maps[f->map].name, "result", row->result, "payoff",
                     row->played ? json_real(row->payoff) : json_null(), "actions", row->actions, "round",
                     f->round, "stage", event_stage_names[f->stage]);
}

json_t *job_games_json(const struct job_games *list, int from, int count) {
    json_t *rows = json_array();
    for (int i = from; i < list->count && i - from < count; i++)
        json_array_append_new(rows, row_json(&list->event, &list->rows[i]));
    return rows;
}

const char *job_games_map(const struct job_games *list, int number) {
    return number < list->count ? list->event.maps[list->rows[number].fixture.map].name : NULL;
}
