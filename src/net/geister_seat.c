/* SPDX-License-Identifier: MIT */
#include "net/geister_seat.h"

#include "base/mem.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Of the budget that is left, a move may take this part, and of the grace most. */
#define BUDGET_SHARE 0.04
#define GRACE_SHARE  0.8

enum stage { SEAT_IDLE, SEAT_ASKED, SEAT_ANSWERED, SEAT_CLOSING, SEAT_ENDED };

struct geister_seat {
    struct geister_seat_terms terms;
    struct player *player;
    struct rng rng;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t asked;
    enum stage stage;    /* under the lock; the rest belongs to whose turn it is by it */
    atomic_bool stop;    /* ends a search early */
    struct geister view; /* what is asked about */
    struct ask ask;
    struct answer answer;
};

/* ---- the thread ---- */

static void think(struct geister_seat *seat) {
    seat->answer = (struct answer){0};
    player_choose(seat->player, &seat->ask, &seat->answer);
}

static void *run(void *context) {
    struct geister_seat *seat = context;
    pthread_mutex_lock(&seat->lock);
    while (seat->stage != SEAT_CLOSING) {
        if (seat->stage != SEAT_ASKED) {
            pthread_cond_wait(&seat->asked, &seat->lock);
            continue;
        }
        pthread_mutex_unlock(&seat->lock);
        think(seat);
        pthread_mutex_lock(&seat->lock);
        if (seat->stage == SEAT_ASKED)
            seat->stage = SEAT_ANSWERED;
        /* A full pipe has woken the reader already. */
        if (write(seat->terms.wake, "", 1) < 0)
            continue;
    }
    seat->stage = SEAT_ENDED;
    pthread_mutex_unlock(&seat->lock);
    return NULL;
}

/* ---- asking ---- */

/* While the reds are chosen there is no state to look at: the other's may be chosen already, and to this side
 * it looks the same as if they were any others. */
static bool make_view(struct geister_seat *seat, const struct geister_table *t) {
    const int side = seat->terms.side;
    struct geister state = t->state;
    if (t->phase == GEISTER_TABLE_SETTING && !t->has_set[side]) {
        if (side == 1)
            geister_game.play(&state, geister_setup(geister_setup_reds(0)), NULL);
    } else if (geister_table_asked(t) != side) {
        return false;
    }
    game_view(&geister_game, &state, side, &seat->view);
    return true;
}

static int64_t share_of(const struct geister_table *t, int side) {
    return (int64_t)(BUDGET_SHARE * (double)t->left_ns[side] + GRACE_SHARE * (double)t->terms->grace_ns);
}

static void set_time(struct geister_seat *seat, const struct geister_table *t, int64_t now_ns) {
    const int side = seat->terms.side;
    const bool moving = t->phase == GEISTER_TABLE_MOVING;
    const int64_t since = moving ? t->since_ns : now_ns;
    const int64_t limit = moving ? geister_table_limit_ns(t, side) : t->terms->setup_ns;
    const int64_t share = moving ? share_of(t, side) : limit / 2;
    seat->ask.time = (struct ask_time){.limit_ns = limit, .share_ns = share};
    seat->ask.budget = (struct budget){
        .deadline_ns = limit > 0 ? since + share : 0, .clock = seat->terms.clock, .stop = &seat->stop};
}

void geister_seat_ask(struct geister_seat *seat, const struct geister_table *t, int64_t now_ns) {
    pthread_mutex_lock(&seat->lock);
    if (seat->stage == SEAT_IDLE && make_view(seat, t)) {
        seat->ask = (struct ask){
            .game = &geister_game, .view = &seat->view, .side = seat->terms.side, .rng = &seat->rng};
        set_time(seat, t, now_ns);
        seat->stage = SEAT_ASKED;
        pthread_cond_signal(&seat->asked);
    }
    pthread_mutex_unlock(&seat->lock);
}

static void write_line(const struct geister_table *t, int side, action a, char line[GEISTER_LINE_MAX]) {
    static const char directions[] = "NEWS";
    char reds[GEISTER_REDS + 1];
    if (geister_is_setup(a)) {
        geister_write_reds(a & ~(action)GEISTER_SETUP_FLAG, reds);
        snprintf(line, GEISTER_LINE_MAX, "SET:%s\r\n", reds);
        return;
    }
    const int piece = geister_piece_at(&t->state, side, (int)(a / 4));
    snprintf(line, GEISTER_LINE_MAX, "MOV:%c,%c\r\n", piece < 0 ? '-' : 'A' + piece,
             directions[geister_turned(a, side) % 4]);
}

bool geister_seat_answer(struct geister_seat *seat, const struct geister_table *t, struct answer *answer,
                         char line[GEISTER_LINE_MAX]) {
    pthread_mutex_lock(&seat->lock);
    const bool answered = seat->stage == SEAT_ANSWERED;
    if (answered) {
        *answer = seat->answer;
        seat->stage = SEAT_IDLE;
    }
    pthread_mutex_unlock(&seat->lock);
    if (answered)
        write_line(t, seat->terms.side, answer->chosen, line);
    return answered;
}

/* ---- opening and closing ---- */

struct geister_seat *geister_seat_open(const struct geister_seat_terms *terms, struct err *e) {
    struct geister_seat *seat = mem_alloc(sizeof *seat);
    if (seat == NULL) {
        err_set(e, "not enough memory for a player");
        return NULL;
    }
    seat->terms = *terms;
    rng_seed(&seat->rng, terms->seed);
    seat->player = player_open_granted(terms->spec, &geister_game, terms->grant, e);
    if (seat->player != NULL) {
        pthread_mutex_init(&seat->lock, NULL);
        pthread_cond_init(&seat->asked, NULL);
        if (pthread_create(&seat->thread, NULL, run, seat) == 0)
            return seat;
        err_set(e, "no thread for a player could be started");
        player_close(seat->player);
        pthread_cond_destroy(&seat->asked);
        pthread_mutex_destroy(&seat->lock);
    }
    mem_free(seat);
    return NULL;
}

void geister_seat_end(struct geister_seat *seat) {
    if (seat == NULL)
        return;
    atomic_store(&seat->stop, true);
    pthread_mutex_lock(&seat->lock);
    if (seat->stage != SEAT_ENDED)
        seat->stage = SEAT_CLOSING;
    pthread_cond_signal(&seat->asked);
    pthread_mutex_unlock(&seat->lock);
}

bool geister_seat_has_ended(struct geister_seat *seat) {
    pthread_mutex_lock(&seat->lock);
    const bool ended = seat->stage == SEAT_ENDED;
    pthread_mutex_unlock(&seat->lock);
    return ended;
}

void geister_seat_close(struct geister_seat *seat) {
    if (seat == NULL)
        return;
    geister_seat_end(seat);
    pthread_join(seat->thread, NULL);
    player_close(seat->player);
    pthread_cond_destroy(&seat->asked);
    pthread_mutex_destroy(&seat->lock);
    mem_free(seat);
}
