/* SPDX-License-Identifier: MIT */
#include "serve/job_boards.h"

#include "base/mem.h"
#include "serve/shape.h"

#include <stdlib.h>

/* A board is told of so often; one that nobody has heard of yet only so long after another one. */
#define TOLD_NS  INT64_C(250000000)
#define BEGUN_NS INT64_C(100000000)

/* Quick players act millions of times a second: whether somebody listens is asked only now and then. */
#define ASKED_NS INT64_C(100000000)

bool job_boards_init(struct job_boards *b, struct job_run *run, const struct event *event, struct err *e) {
    *b = (struct job_boards){.run = run, .event = event, .count = run->bench->setup.cores};
    atomic_init(&b->asked_ns, clock_now_ns(run->bench->setup.clock) - ASKED_NS);
    pthread_mutex_init(&b->lock, NULL);
    b->boards = mem_alloc((size_t)b->count * sizeof b->boards[0]);
    if (b->boards == NULL) {
        b->count = 0;
        return err_set(e, "not enough memory for the boards");
    }
    for (int i = 0; i < b->count; i++)
        b->boards[i].game = -1;
    return true;
}

void job_boards_done(struct job_boards *b) {
    for (int i = 0; i < b->count; i++)
        json_decref(b->boards[i].state);
    mem_free(b->boards);
    pthread_mutex_destroy(&b->lock);
}

/* ---- who listens ---- */

/* Held; NULL when nobody does. */
static struct topic *find_listeners(const struct job_boards *b) {
    workbench_lock(b->run->bench);
    struct topic *topic = b->run->job->topic;
    topic = topic != NULL && topic_readers(topic) > 0 ? topic_hold(topic) : NULL;
    workbench_unlock(b->run->bench);
    return topic;
}

static bool has_listeners(struct job_boards *b) {
    const int64_t now = clock_now_ns(b->run->bench->setup.clock);
    if (now - atomic_load(&b->asked_ns) >= ASKED_NS) {
        atomic_store(&b->asked_ns, now);
        struct topic *topic = find_listeners(b);
        atomic_store(&b->has_listeners, topic != NULL);
        topic_drop(topic);
    }
    return atomic_load(&b->has_listeners);
}

/* Every event has the map, so that whoever comes in the middle of a game sees it, too. */
static json_t *board_json(const struct job_boards *b, const struct fixture *f,
                          const struct job_board *board) {
    const struct event *event = b->event;
    return json_pack("{si s[ss] ss so si sO sb}", "game", f->number, "players",
                     event->players[f->players[0]].name, event->players[f->players[1]].name, "map",
                     event->maps[f->map].name, "board", shape_map(event->maps[f->map].scenario), "ply",
                     board->ply, "state", board->state, "over", board->is_over);
}

static void tell(const struct job_boards *b, const struct fixture *f, const struct job_board *board) {
    struct topic *topic = find_listeners(b);
    if (topic == NULL)
        return;
    json_t *value = board_json(b, f, board);
    char *dump = value != NULL ? json_dumps(value, JSON_COMPACT) : NULL;
    if (dump != NULL)
        topic_set_keyed(topic, "board", (uint64_t)f->number, dump);
    free(dump);
    json_decref(value);
    topic_drop(topic);
}

/* ---- boards ---- */

/* That of the game or, if it has none yet, a free one. */
static struct job_board *find_board(struct job_boards *b, int game) {
    struct job_board *found = NULL;
    for (int i = 0; i < b->count; i++) {
        if (b->boards[i].game == game)
            return &b->boards[i];
        if (b->boards[i].game < 0)
            found = &b->boards[i];
    }
    return found;
}

static bool is_due(struct job_boards *b, const struct job_board *board, int64_t now) {
    return board->game >= 0 ? now - board->told_ns >= TOLD_NS : now - b->begun_ns >= BEGUN_NS;
}

/* NULL when there is nothing to be told now; a board belongs to the thread that plays its game. */
static struct job_board *take_board(struct job_boards *b, int game, bool is_over) {
    const int64_t now = clock_now_ns(b->run->bench->setup.clock);
    pthread_mutex_lock(&b->lock);
    struct job_board *board = find_board(b, game);
    const bool is_known = board != NULL && board->game == game;
    if (board != NULL && !(is_known && is_over) && !is_due(b, board, now))
        board = NULL;
    if (board != NULL) {
        b->begun_ns = is_known ? b->begun_ns : now;
        board->game = game;
        board->told_ns = now;
    }
    pthread_mutex_unlock(&b->lock);
    return board;
}

static void free_board(struct job_boards *b, struct job_board *board) {
    pthread_mutex_lock(&b->lock);
    json_decref(board->state);
    *board = (struct job_board){.game = -1};
    pthread_mutex_unlock(&b->lock);
}

void job_boards_watch(struct job_boards *b, const struct fixture *f, const void *state,
                      const struct record *record) {
    const struct scenario *scenario = b->event->maps[f->map].scenario;
    const bool is_over = scenario->game->mover(state) == NOBODY;
    struct job_board *board = has_listeners(b) ? take_board(b, f->number, is_over) : NULL;
    if (board == NULL)
        return;
    json_t *shown = shape_state(scenario, state, SHAPE_ALL);
    json_decref(board->state);
    board->state = shown;
    board->ply = record->count;
    board->is_over = is_over;
    if (shown != NULL)
        tell(b, f, board);
}

/* A forfeit has no last state: it is over in the one that was told last. */
void job_boards_over(struct job_boards *b, const struct fixture *f) {
    pthread_mutex_lock(&b->lock);
    struct job_board *board = find_board(b, f->number);
    const bool is_known = board != NULL && board->game == f->number;
    pthread_mutex_unlock(&b->lock);
    if (!is_known)
        return;
    if (board->state != NULL && !board->is_over) {
        board->is_over = true;
        tell(b, f, board);
    }
    free_board(b, board);
}
