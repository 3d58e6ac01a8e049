/* SPDX-License-Identifier: MIT
 *
 * One game between two open players; workers that keep their players open; games as jobs of the pool, whose
 * results are stored as they come and taken in order; the ranks of a cluster; the games of a store; and the
 * match, a batch of many games between two players.
 *
 * The pool calls begin, run and end on the threads of its workers, and all functions about results one at a
 * time. So only the list of idle workers has a lock.
 */
#include "match/batch.h"

#include "base/encode.h"
#include "base/mem.h"
#include "pool/pool.h"
#include "store/store.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- one game ---- */

/* A game run under way. */
struct play {
    const struct game_run *game_run;
    struct game_run_result *result;
    struct clocked_game game;
    int leader; /* the side ahead at the end of the last turn; NOBODY: neither was ahead so far */
    int turn;
    double weights[GAME_WEIGHTS_MAX];
};

/* Evaluated once a turn: within a turn one side's losses are not answered yet. The last turn may end with the
 * game. */
static void note_lead(struct play *p) {
    const struct game *game = p->game_run->game.scenario->game;
    const struct referee *referee = &p->game.referee;
    const int turn = game->turn(referee->state);
    const bool goes_on = turn == p->turn && game->mover(referee->state) != NOBODY;
    if (goes_on || referee->forfeiter != NOBODY)
        return;
    p->turn = turn;
    const double ahead = game->evals[0].value(referee->state, 0, p->weights);
    const int leader = ahead > 0 ? 0 : ahead < 0 ? 1 : NOBODY;
    if (leader == NOBODY)
        return;
    p->result->outcome.lead_changes += p->leader != NOBODY && leader != p->leader;
    p->leader = leader;
}

/* 0 without a clock: then no times are measured. */
static int64_t now(const struct game_run *game_run) {
    return game_run->clock != NULL ? clock_now_ns(game_run->clock) : 0;
}

/* Looking for gaps takes a lock and several readings of the clock, so only games that can be void do it. */
static int64_t gap_ns(const struct game_run *game_run) {
    const bool matters = game_run->game.can_be_void && game_run->game.timing != NULL &&
                         timing_is_limited(game_run->game.timing);
    return matters ? clock_gap_ns(game_run->clock) : 0;
}

/* At the start of the game and after each decision. */
static void watch(const struct play *p) {
    if (p->game_run->watch != NULL)
        p->game_run->watch(p->game_run->context, p->game.referee.state, &p->result->record);
}

/* One decision of the mover: ask, answer or fault. True without a change of the game when it was stopped, or
 * is void by now. */
static bool decide(struct play *p, struct err *e) {
    const struct game_run *game_run = p->game_run;
    struct clocked_game *game = &p->game;
    const int side = clocked_game_mover(game);
    struct ask ask;
    struct answer answer;
    const int64_t start = now(game_run);
    clocked_game_begin_decision(game, start);
    clocked_game_ask(game, start, &ask);
    ask.budget.stop = game_run->stop;
    ask.budget.clock = game_run->clock;
    player_choose(game_run->players[side], &ask, &answer);
    if (budget_is_stopped(game_run->stop)) /* the search may have been cut short: the answer does not count */
        return true;
    p->result->gap_ns = clocked_game_void_ns(game, gap_ns(game_run));
    if (p->result->gap_ns > 0)
        return true;
    if (answer.fault == PLAYER_SHORTAGE)
        return err_set(e, "%.200s: %s", game_run->names[side], answer.reason);
    const int64_t end = now(game_run);
    clocked_game_excuse(game, answer.setup_ns);
    p->result->outcome.leaves[side] += answer.leaves;
    if (answer.fault != PLAYER_FAULT_NONE) {
        clocked_game_count_time(game, end);
        clocked_game_fault(game, side, answer.fault, answer.reason);
    } else if (!clocked_game_answer(game, answer.chosen, end, e)) {
        return false;
    }
    note_lead(p);
    watch(p);
    return true;
}

/* The transcript of an external program (what it was sent, and its last lines) goes into the report. */
static bool report_fault(struct play *p, struct err *e) {
    struct game_run_result *r = p->result;
    const struct clocked_game *game = &p->game;
    struct player *culprit = p->game_run->players[r->outcome.forfeiter];
    struct fault_report report = {.fault = (enum player_fault)r->outcome.fault,
                                  .side = r->outcome.forfeiter,
                                  .limit_ms = (double)game->time.limit_ns * 1e-6,
                                  .patience_ms = (double)game->time.patience_ns * 1e-6};
    charset_copy(report.reason, sizeof report.reason, r->record.comment, strlen(r->record.comment));
    timing_describe(&game->timing, &report.clock);
    if (culprit->type->transcript != NULL)
        culprit->type->transcript(culprit, &report.transcript);
    const bool ok = fault_report_write(&report, &r->record, &r->fault_report, e);
    fault_report_done(&report);
    return ok;
}

/* Copies what the referee and the clocks have counted into the outcome. */
static bool conclude(struct play *p, struct err *e) {
    struct outcome *o = &p->result->outcome;
    const struct referee *referee = &p->game.referee;
    o->played = true;
    o->actions = referee->actions;
    o->turns = p->game_run->game.scenario->game->turn(referee->state);
    o->payoff = referee_payoff(referee, 0);
    assert(o->payoff >= 0);
    assert(o->payoff <= 1);
    o->forfeiter = referee->forfeiter;
    o->fault = (int)referee->fault_kind;
    memcpy(o->think_ns, p->game.think_ns, sizeof o->think_ns);
    memcpy(o->longest_ns, p->game.longest_ns, sizeof o->longest_ns);
    memcpy(o->decisions, p->game.decisions, sizeof o->decisions);
    memcpy(o->result, p->result->record.result, sizeof o->result);
    return o->fault == PLAYER_FAULT_NONE || report_fault(p, e);
}

/* On every way out the record has the actions so far: a void game's record is stored as well. */
bool game_run_play(const struct game_run *game_run, struct game_run_result *out, struct err *e) {
    assert(game_run->game.scenario != NULL);
    assert(game_run->players[0] != NULL);
    assert(game_run->players[1] != NULL);
    assert(game_run->names[0] != NULL);
    assert(game_run->names[1] != NULL);
    *out = (struct game_run_result){.outcome.forfeiter = NOBODY};
    struct play play = {.game_run = game_run, .result = out, .leader = NOBODY};
    struct clocked_setup setup = game_run->game;
    setup.record = &out->record;
    setup.is_untimed = game_run->clock == NULL;
    setup.gap_ns = gap_ns(game_run);
    record_init(&out->record);
    record_describe(&out->record, game_run->game.scenario, game_run->names);
    clocked_game_start(&play.game, &setup, 0); /* each decision sets its own beginning */
    weights_default(game_run->game.scenario->game, play.weights);
    play.turn = game_run->game.scenario->game->turn(play.game.referee.state);
    watch(&play);
    while (clocked_game_mover(&play.game) != NOBODY) {
        out->stopped = budget_is_stopped(game_run->stop); /* a stop is final */
        if (out->stopped)
            return true;
        if (!decide(&play, e))
            return false;
        if (out->gap_ns > 0)
            return true;
    }
    return conclude(&play, e);
}

void game_run_result_done(struct game_run_result *result) {
    record_done(&result->record);
    text_done(&result->fault_report);
}

/* ---- a worker's open players ---- */

struct cached_player {
    int player;
    const struct game *game; /* the table it was opened for */
    struct player *open;
    unsigned used_at;
};

struct player_cache {
    const struct batch_setup *setup; /* its players and their grant */
    struct cached_player entries[PLAYER_CACHE_MAX];
    unsigned clock;
};

/* Closes all players: their processes and connections end here. The cache can be used on. */
static void player_cache_close(struct player_cache *cache) {
    for (int i = 0; i < PLAYER_CACHE_MAX; i++) {
        player_close(cache->entries[i].open);
        cache->entries[i].open = NULL;
    }
}

/* Returns the player, opened if necessary; then the least recently used one is closed. The two players of one
 * game never displace each other. NULL and a reason when it cannot be opened. */
static struct player *player_cache_take(struct player_cache *cache, int player, const struct game *game,
                                        struct err *e) {
    assert(player >= 0);
    assert(player < cache->setup->player_count);
    struct cached_player *oldest = &cache->entries[0];
    cache->clock++;
    for (int i = 0; i < PLAYER_CACHE_MAX; i++) {
        struct cached_player *s = &cache->entries[i];
        if (s->open != NULL && s->player == player && s->game == game) {
            s->used_at = cache->clock;
            return s->open;
        }
        if (oldest->open != NULL && (s->open == NULL || s->used_at < oldest->used_at))
            oldest = s;
    }
    player_close(oldest->open);
    const struct batch_player *p = &cache->setup->players[player];
    *oldest = (struct cached_player){player, game, player_open_granted(p->spec, game, cache->setup->grant, e),
                                     cache->clock};
    if (oldest->open == NULL && p->role != NULL)
        err_prefix(e, "%s: ", p->role);
    return oldest->open;
}

/* ---- the batch ---- */

/* Opening players costs more than playing a quick game, so workers stay open from list to list. */
struct worker {
    struct batch *batch;
    struct player_cache cache;
    const struct scheduled_game *game; /* under way */
    struct worker *next;               /* in the list of the idle */
};

struct batch {
    struct batch_setup setup;
    struct batch_list list; /* that is being played */
    int job_count;
    int *jobs;           /* indices of the list */
    int taken;           /* games that `take` has seen: a prefix of the list */
    bool ended;          /* later games do not count: how many are played depends on the workers */
    bool failed, broken; /* broken: the pool or the cluster failed for all ranks: nothing can be shared */
    struct err reason;
    struct text shared;
    pthread_mutex_t lock; /* of `idle` */
    struct worker *idle;
    atomic_bool over; /* no new game is begun. Apart from the flags above, which are read as one word */
};

/* Takes an idle worker with its open players, or makes a new one. */
static void *begin_worker(void *shared, struct err *e) {
    struct batch *b = shared;
    (void)e;
    pthread_mutex_lock(&b->lock);
    struct worker *w = b->idle;
    if (w != NULL)
        b->idle = w->next;
    pthread_mutex_unlock(&b->lock);
    if (w == NULL) {
        w = mem_alloc(sizeof *w);
        w->batch = b;
        w->cache.setup = &b->setup;
    }
    return w;
}

/* The worker goes back to the idle ones; batch_close frees it. */
static void end_worker(void *worker) {
    struct worker *w = worker;
    pthread_mutex_lock(&w->batch->lock);
    w->next = w->batch->idle;
    w->batch->idle = w;
    pthread_mutex_unlock(&w->batch->lock);
}

/* ---- a job: one game of the list ---- */

enum { TEXT_RECORD, TEXT_FAULT_REPORT, TEXT_NOTE, TEXT_VOIDS, TEXTS };

/* On a cluster it is sent as plain bytes followed by the texts. */
struct job_result {
    struct outcome outcome;
    bool stopped, failed;
    struct err reason;
    struct text texts[TEXTS];
};

/* In the form that the pool needs for results that are dropped. */
static void free_result(void *shared, int job, void *argument) {
    struct job_result *r = argument;
    (void)shared, (void)job;
    for (int i = 0; i < TEXTS; i++)
        text_done(&r->texts[i]);
}

static void watch_game(void *context, const void *state, const struct record *record) {
    const struct worker *w = context;
    w->batch->setup.watch(w->batch->setup.context, w->game, state, record);
}

/* Adds a line with the gap and the record so far of a void game. */
static bool note_void(const struct scheduled_game *game, struct game_run_result *played,
                      struct job_result *result) {
    struct text text = {0};
    json_t *record = record_write_json(&played->record, &text, &result->reason) ? jsontext_own(&text) : NULL;
    json_t *root =
        json_pack("{si sf si ss so*}", "game", game->number, "gap_s", (double)played->gap_ns * 1e-9,
                  "actions", played->record.count, "date", played->record.date, "record", record);
    if (record != NULL)
        jsontext_add_line(root, JSON_COMPACT, &result->texts[TEXT_VOIDS]);
    json_decref(root);
    text_done(&text);
    return record != NULL;
}

/* Texts are written here and not where they are stored: many workers write at once, one stores. */
static bool write_texts(const struct batch_setup *setup, const struct scheduled_game *game,
                        const struct scenario *scenario, struct game_run_result *played,
                        struct job_result *result) {
    result->outcome = played->outcome;
    result->texts[TEXT_FAULT_REPORT] = played->fault_report;
    played->fault_report = (struct text){0};
    if (setup->leaves)
        text_add(&result->texts[TEXT_NOTE], "{\"leaves\": [%" PRIu64 ", %" PRIu64 "]}",
                 played->outcome.leaves[0], played->outcome.leaves[1]);
    if (setup->annotate != NULL)
        setup->annotate(setup->context, game, scenario, &played->record, &result->texts[TEXT_NOTE]);
    return !setup->records ||
           record_write_json_of(&played->record, scenario, &result->texts[TEXT_RECORD], &result->reason);
}

/* *gap_ns is 0, or how long this program was stopped: then the game is void. */
static bool play_once(struct worker *w, const struct scheduled_game *game, struct job_result *result,
                      int64_t *gap_ns) {
    const struct batch_setup *setup = &w->batch->setup;
    const struct scenario *scenario = w->batch->list.scenarios[game->scenario];
    struct game_run game_run = {
        .game = {.scenario = scenario,
                 .seed = game->seed,
                 .deal = game->deal,
                 .timing = setup->timing,
                 .can_be_void = true},
        .clock = setup->clock,
        .stop = setup->stop,
        .watch = setup->watch != NULL ? watch_game : NULL,
        .context = w,
    };
    w->game = game;
    for (int side = 0; side < 2; side++) {
        game_run.names[side] = setup->players[game->players[side]].name;
        game_run.players[side] =
            player_cache_take(&w->cache, game->players[side], scenario->game, &result->reason);
        if (game_run.players[side] == NULL)
            return false;
    }
    struct game_run_result played;
    bool ok = game_run_play(&game_run, &played, &result->reason);
    result->stopped = played.stopped;
    *gap_ns = ok ? played.gap_ns : 0;
    if (ok && setup->date != NULL)
        setup->date(played.record.date, sizeof played.record.date);
    if (*gap_ns > 0)
        ok = note_void(game, &played, result);
    else if (ok && !played.stopped)
        ok = write_texts(setup, game, scenario, &played, result);
    game_run_result_done(&played);
    return ok;
}

/* The maximum number of repetitions of a void game. */
enum { REPLAYS_MAX = 2 };

/* A void game is played again by newly opened players: connections may have been lost during the gap. */
static bool play_until_valid(struct worker *w, const struct scheduled_game *game, struct job_result *result) {
    const struct batch_setup *setup = &w->batch->setup;
    int voids = 0;
    for (int64_t gap_ns; play_once(w, game, result, &gap_ns); player_cache_close(&w->cache)) {
        if (gap_ns == 0)
            return true;
        if (++voids <= REPLAYS_MAX)
            continue;
        err_set(&result->reason,
                "a game with clocks was void %d times: this program was stopped in the middle of it, for "
                "%.1f s the last time (Ctrl-Z, SIGSTOP, or a machine that slept)",
                voids, (double)gap_ns * 1e-9);
        return setup->blame != NULL && setup->blame(setup->context, game, &result->reason);
    }
    return false;
}

/* On the thread of the worker. A game that was stopped from outside stops the batch, too. */
static void run_job(void *shared, void *worker, int job, void *argument) {
    struct batch *b = shared;
    struct job_result *result = argument;
    assert(job >= 0);
    assert(job < b->job_count);
    result->failed = !play_until_valid(worker, &b->list.games[b->jobs[job]], result);
    if (result->stopped)
        atomic_store(&b->over, true);
}

/* ---- results ---- */

/* Callers of a batch see NULL where a game has no such text. */
static const char *text_or_null(const struct text *text) {
    return text->size > 0 ? text_string(text) : NULL;
}

/* The lines are appended to those that the store has: a run that goes on keeps those of the runs before
 * it. */
bool batch_store_voids(struct store *store, const char *lines, struct err *e) {
    struct text all = {0};
    bool found;
    if (store == NULL || *lines == '\0')
        return true;
    bool ok = store_get(store, STORE_VOIDS, &all, &found, e);
    text_add_string(&all, lines);
    ok = ok && store_put(store, STORE_VOIDS, text_string(&all), e);
    text_done(&all);
    return ok;
}

/* `r` is NULL for a game that was not played now. */
static struct batch_result describe_result(const struct batch *b, int index, const struct job_result *r) {
    assert(index >= 0);
    assert(index < b->list.count);
    struct batch_result result = {.index = index,
                                  .game = &b->list.games[index],
                                  .outcome = &b->list.outcomes[index],
                                  .resumed = r == NULL};
    if (r != NULL) {
        result.record = text_or_null(&r->texts[TEXT_RECORD]);
        result.fault_report = text_or_null(&r->texts[TEXT_FAULT_REPORT]);
        result.note = text_or_null(&r->texts[TEXT_NOTE]);
    }
    return result;
}

/* Stores and reports a game that was played now: in this order, so that no game is reported that a crash
 * could still lose. Void games are kept also where the game failed or was stopped. */
static bool land(struct batch *b, int index, const struct job_result *r, struct err *e) {
    const struct batch_setup *setup = &b->setup;
    const struct scheduled_game *g = &b->list.games[index];
    const char *voids = text_or_null(&r->texts[TEXT_VOIDS]);
    char date[64] = "";
    if (voids != NULL && (!batch_store_voids(setup->store, voids, e) ||
                          (setup->voids != NULL && !batch_read_voids(voids, setup->voids, e))))
        return false;
    if (r->failed)
        *e = r->reason;
    if (r->failed || r->stopped)
        return !r->failed;
    const struct batch_result result = describe_result(b, index, r);
    if (setup->store != NULL && setup->date != NULL)
        setup->date(date, sizeof date);
    const struct store_game stored = {
        .number = g->number,
        .stage = g->stage,
        .round = g->round,
        .players = {g->players[0], g->players[1]},
        .map = g->map,
        .seed = g->seed,
        .outcome = r->outcome,
        .note = result.note,
        .record = result.record,
        .fault_report = result.fault_report,
        .finished = date,
    };
    if (setup->store != NULL && !store_add_game(setup->store, &stored, e))
        return false;
    b->list.outcomes[index] = r->outcome;
    return setup->on_game == NULL || setup->on_game(setup->context, &result, e);
}

/* The first failure is the batch's. It also stops what the caller does beside this batch. */
static void land_result(void *shared, int job, void *argument) {
    struct batch *b = shared;
    struct err later; /* only the first reason is reported */
    if (!land(b, b->jobs[job], argument, b->failed ? &later : &b->reason)) {
        b->failed = true;
        atomic_store(&b->over, true);
        atomic_store(b->setup.stop, true);
    }
    if (b->setup.take == NULL)
        free_result(b, job, argument);
}

/* The games that count are a prefix. */
static void take_game(struct batch *b, int index, const struct job_result *r) {
    const struct batch_result result = describe_result(b, index, r);
    b->ended =
        b->ended || b->failed || !b->list.outcomes[index].played || !b->setup.take(b->setup.context, &result);
    b->taken = index + 1;
    if (b->ended)
        atomic_store(&b->over, true);
}

/* Games that need no playing (their outcomes were stored) are taken before the first played one behind
 * them. */
static void take_result(void *shared, int job, void *argument) {
    struct batch *b = shared;
    while (b->taken < b->jobs[job])
        take_game(b, b->taken, NULL);
    take_game(b, b->jobs[job], argument);
    free_result(b, job, argument);
}

/* ---- on a cluster ---- */

/* The receiver is the same program on a machine of the same kind (MPI), so structs travel as bytes. */
static void pack_result(void *shared, void *argument, struct text *out) {
    struct job_result *r = argument, plain = *r;
    for (int i = 0; i < TEXTS; i++)
        plain.texts[i] = (struct text){.size = r->texts[i].size};
    text_add_bytes(out, (const char *)&plain, sizeof plain);
    for (int i = 0; i < TEXTS; i++)
        text_add_bytes(out, text_string(&r->texts[i]), r->texts[i].size);
    free_result(shared, 0, r);
}

/* The sizes come from another process: they are added up and compared before any byte is read. */
static bool unpack_result(void *shared, const char *bytes, size_t size, void *argument, struct err *e) {
    (void)shared;
    struct job_result *r = argument;
    size_t sizes[TEXTS], all = sizeof *r;
    if (size < sizeof *r)
        return err_set(e, "a rank sent %zu bytes in place of a result", size);
    memcpy(r, bytes, sizeof *r);
    for (int i = 0; i < TEXTS; i++) {
        sizes[i] = r->texts[i].size;
        r->texts[i] = (struct text){0};
        all += sizes[i];
    }
    if (size != all)
        return err_set(e, "a rank sent a result of the wrong size");
    bytes += sizeof *r;
    for (int i = 0; i < TEXTS; bytes += sizes[i++])
        text_add_bytes(&r->texts[i], bytes, sizes[i]);
    return true;
}

/* Also the part of the ranks beside 0: there pool_run does jobs instead of handing them out. */
static bool play_jobs(struct batch *b, struct err *e) {
    const struct pool_work work = {
        .jobs = b->job_count,
        .workers = b->setup.workers,
        .shared = b,
        .result_size = sizeof(struct job_result),
        .begin = begin_worker,
        .end = end_worker,
        .run = run_job,
        .landed = land_result,
        .take = b->setup.take != NULL ? take_result : NULL,
        .drop = free_result,
        .stop = &b->over,
        .cluster = b->setup.cluster,
        .pack = pack_result,
        .unpack = unpack_result,
    };
    b->broken = pool_run(&work, e) < 0;
    if (!b->broken && b->failed)
        *e = b->reason;
    return !b->broken && !b->failed;
}

bool batch_is_whole(const struct outcome *outcomes, int first, int count) {
    for (int i = first; i < count; i++)
        if (!outcomes[i].played)
            return false;
    return true;
}

/* Stored games are reported, and taken up to the first missing one; they may decide that none is played. */
bool batch_play(struct batch *b, const struct batch_list *list, struct err *e) {
    assert(!b->failed);
    b->list = *list;
    b->job_count = b->taken = 0;
    b->jobs = mem_resize(b->jobs, (size_t)(list->count + 1) * sizeof *b->jobs);
    atomic_store(&b->over, budget_is_stopped(b->setup.stop));
    for (int i = 0; i < list->count; i++) {
        const struct batch_result result = describe_result(b, i, NULL);
        if (!list->outcomes[i].played)
            b->jobs[b->job_count++] = i;
        else if (b->setup.on_game != NULL && !b->setup.on_game(b->setup.context, &result, e))
            return false;
        else if (b->setup.take != NULL && !b->ended && b->taken == i)
            take_game(b, i, NULL);
    }
    const bool any = b->job_count > 0 && !b->setup.stored_only && !atomic_load(&b->over);
    if (any && b->setup.cluster != NULL) { /* in the order in which batch_work reads it */
        text_clear(&b->shared);
        text_add_bytes(&b->shared, (const char *)&b->job_count, sizeof b->job_count);
        for (int i = 0; i < b->job_count; i++)
            text_add_bytes(&b->shared, (const char *)&list->games[b->jobs[i]], sizeof list->games[0]);
        if (list->shared != NULL)
            text_add_bytes(&b->shared, text_string(list->shared), list->shared->size);
        b->broken = !cluster_share(b->setup.cluster, &b->shared, e);
    }
    if (any && (b->broken || !play_jobs(b, e)))
        return false;
    while (b->setup.take != NULL && !b->ended && b->taken < list->count)
        take_game(b, b->taken, NULL);
    return true;
}

/* ---- the other ranks ---- */

/* Rank 0 shares the number of games, the games and what its caller adds (batch_play), for each list. Nothing
 * at all ends the loop (batch_close). */
bool batch_work(struct batch *b, struct err *e) {
    for (bool ok = true; ok;) {
        struct scheduled_game *games;
        size_t at = sizeof b->job_count;
        text_clear(&b->shared);
        if (!cluster_share(b->setup.cluster, &b->shared, e))
            return false;
        if (b->shared.size == 0)
            return true;
        if (b->shared.size >= at)
            memcpy(&b->job_count, b->shared.data, at);
        if (b->shared.size < at || b->job_count < 1 ||
            (size_t)b->job_count > (b->shared.size - at) / sizeof *games)
            return err_set(e, "rank 0 sent %zu bytes in place of games to play", b->shared.size);
        const size_t size = (size_t)b->job_count * sizeof *games;
        games = mem_copy(b->shared.data + at, size); /* a copy, because text promises no alignment */
        at += size;
        b->list = (struct batch_list){.count = b->job_count, .games = games, .scenarios = b->setup.scenarios};
        b->jobs = mem_resize(b->jobs, (size_t)b->job_count * sizeof *b->jobs);
        for (int i = 0; i < b->job_count; i++)
            b->jobs[i] = i;
        if (b->setup.receive != NULL)
            b->list.scenarios =
                b->setup.receive(b->setup.context, b->shared.data + at, b->shared.size - at, e);
        atomic_store(&b->over, false);
        ok = b->list.scenarios != NULL && play_jobs(b, e);
        mem_free(games);
    }
    return false;
}

/* ---- opening and closing ---- */

struct batch *batch_open(const struct batch_setup *setup) {
    assert(setup->stop != NULL);
    assert(setup->store == NULL || setup->records);
    struct batch *b = mem_alloc(sizeof *b);
    b->setup = *setup;
    pthread_mutex_init(&b->lock, NULL);
    return b;
}

/* An empty message ends the loop of the other ranks, unless nothing can be sent any more. */
bool batch_close(struct batch *b, struct err *e) {
    bool ok = true;
    if (b == NULL)
        return true;
    text_clear(&b->shared);
    if (b->setup.cluster != NULL && cluster_rank(b->setup.cluster) == 0 && !b->broken)
        ok = cluster_share(b->setup.cluster, &b->shared, e);
    for (struct worker *w; (w = b->idle) != NULL; mem_free(w)) {
        b->idle = w->next;
        player_cache_close(&w->cache);
    }
    text_done(&b->shared);
    mem_free(b->jobs);
    pthread_mutex_destroy(&b->lock);
    mem_free(b);
    return ok;
}

/* ---- in a store ---- */

struct resumption {
    const struct batch_list *list;
    int first, beyond;
};

/* Games behind the list are only counted: they are read once they are scheduled. */
static bool resume_game(void *context, const struct store_game *g, struct err *e) {
    struct resumption *r = context;
    const int index = g->number - r->first;
    if (index >= r->list->count) {
        r->beyond++;
        return true;
    }
    const struct scheduled_game *f = &r->list->games[index];
    const struct outcome *o = &g->outcome;
    if (f->stage != g->stage || f->round != g->round || f->players[0] != g->players[0] ||
        f->players[1] != g->players[1] || f->map != g->map || f->seed != g->seed)
        return err_set(e, "game %d in the store is not the one that the schedule has there", g->number);
    if ((o->forfeiter == NOBODY) != (o->fault == PLAYER_FAULT_NONE) || o->fault >= PLAYER_FAULTS)
        return err_set(e, "game %d in the store has a ruling that cannot be: fault %d of side %d", g->number,
                       o->fault, o->forfeiter);
    struct outcome *out = &r->list->outcomes[index];
    *out = *o;
    if (g->note != NULL)
        sscanf(g->note, "{\"leaves\": [%" SCNu64 ", %" SCNu64 "]}", &out->leaves[0], &out->leaves[1]);
    return true;
}

/* The store is read once from `first` on; see resume_game for what must agree. */
bool batch_resume(struct store *store, const struct batch_list *list, int first, int *beyond, struct err *e) {
    assert(first >= 0);
    assert(list->count == 0 || list->games[0].number == first);
    struct resumption resumption = {.list = list, .first = first};
    const struct store_visit visit = {.game = resume_game, .context = &resumption, .first = first};
    const bool ok = store_visit_games(store, &visit, e);
    *beyond = resumption.beyond;
    return ok;
}

struct wanted {
    int number;
    bool found, read;
    struct record *record;
    struct text *fault_report;
};

/* The first game from that number on, which need not be it. */
static bool read_wanted(void *context, const struct store_game *g, struct err *e) {
    struct wanted *w = context;
    char name[32];
    snprintf(name, sizeof name, "game %d", g->number);
    w->found = g->number == w->number && g->record != NULL;
    if (w->found && strncmp(g->record, "{\"trial\":", 9) == 0)
        return err_set(
            e,
            "game %d was played by an earlier version, which stored how games of an evolution ended and "
            "not their actions; games that this version plays can be replayed",
            g->number);
    w->read = w->found && record_read_json(name, g->record, strlen(g->record), w->record, e);
    if (w->read && w->fault_report != NULL && g->fault_report != NULL)
        text_add_string(w->fault_report, g->fault_report);
    return false; /* one is enough */
}

/* A visit from that number on, ended at the first game, is the store's only way to read one game. */
bool batch_load_record(struct store *store, int number, struct record *out, struct text *fault_report,
                       struct err *e) {
    struct wanted wanted = {.number = number, .record = out, .fault_report = fault_report};
    const struct store_visit visit = {
        .game = read_wanted, .context = &wanted, .first = number, .texts = true};
    record_init(out);
    store_visit_games(store, &visit, e);
    return wanted.read || (!wanted.found && err_set(e, "there is no game %d in it", number));
}

bool batch_read_voids(const char *lines, struct void_games *out, struct err *e) {
    for (size_t size; *lines != '\0'; lines += size + (lines[size] == '\n')) {
        size = strcspn(lines, "\n");
        if (size == 0)
            continue;
        json_t *root = jsontext_load("void games", lines, size, e);
        if (root == NULL)
            return false;
        struct void_game game;
        double gap_s;
        const bool fits = json_unpack(root, "{si sF si}", "game", &game.number, "gap_s", &gap_s, "actions",
                                      &game.actions) == 0 &&
                          game.number >= 0 && game.actions >= 0 && gap_s > 0 && gap_s < 1e9;
        json_decref(root);
        if (!fits)
            return err_set(e, "void games: expected game, actions and gap_s in each line");
        game.gap_ns = (int64_t)(gap_s * 1e9);
        out->games = mem_grow(out->games, &out->capacity, out->count + 1, sizeof *out->games);
        out->games[out->count++] = game;
    }
    return true;
}

/* A store without such a text has had no void games. */
bool batch_load_voids(struct store *store, struct void_games *out, struct err *e) {
    struct text all = {0};
    bool found;
    out->count = 0;
    const bool ok =
        store_get(store, STORE_VOIDS, &all, &found, e) && batch_read_voids(text_string(&all), out, e);
    text_done(&all);
    return ok;
}

/* ---- many games between two players ----
 *
 * A match is a list of games that follow from (seed, number), given to a batch in slices, and sums over their
 * results in the order of the list. */

/* Games that are scheduled at a time: a match may have more than fit in memory. */
enum { SLICE_GAMES = 16384 };

struct match_progress {
    const struct match *match;
    struct match_totals *totals;
    bool ended;
    struct void_games voids; /* the store's and those of this run */
    struct scheduled_game games[SLICE_GAMES];
    struct outcome outcomes[SLICE_GAMES];
};

/* Payoffs are those of side 0, which player 1 has in every second game. */
double match_payoff(const struct batch_result *game) {
    return game->game->players[0] == 0 ? game->outcome->payoff : 1 - game->outcome->payoff;
}

/* The result without the winner: "escape" of "first escape". */
static void count_end(struct match_totals *t, const char *result, double payoff) {
    const char *blank = strchr(result, ' '), *how = blank != NULL ? blank + 1 : result;
    int i = 0;
    while (i < t->end_count && strncmp(t->ends[i].how, how, MATCH_END_MAX - 1) != 0)
        i++;
    if (i == MATCH_ENDS_MAX)
        return;
    if (i == t->end_count) {
        charset_copy(t->ends[i].how, sizeof t->ends[i].how, how, strlen(how));
        t->end_count++;
    }
    tally_add(&t->ends[i].tally, payoff);
}

/* Called in the order of the games, so that the totals do not depend on the workers. */
static bool count_game(void *context, const struct batch_result *game) {
    struct match_progress *run = context;
    const struct match *match = run->match;
    struct match_totals *t = run->totals;
    const struct outcome *o = game->outcome;
    const int *players = game->game->players, map = game->game->map;
    const double payoff = match_payoff(game);
    payoffs_add(&t->payoffs, payoff, !match->one_sided);
    tally_add(&t->total, payoff);
    tally_add(&t->as_side[players[0]], payoff); /* player 0 has side 0 when it is the first */
    tally_add(&t->by_map[map], payoff);
    t->games++;
    for (int i = 0; i < run->voids.count; i++)
        if (run->voids.games[i].number == game->game->number) {
            t->voids++;
            t->gap_ns += run->voids.games[i].gap_ns;
        }
    if (o->forfeiter != NOBODY) {
        t->forfeits++;
        t->faults[players[o->forfeiter]][o->fault]++;
    }
    t->actions += o->actions;
    t->turns += o->turns;
    for (int side = 0; side < 2; side++) {
        t->think_ns[players[side]] += o->think_ns[side];
        t->decisions[players[side]] += o->decisions[side];
        t->leaves[players[side]] += o->leaves[side];
    }
    if (match->scenarios[map]->game->text->scale == NULL)
        count_end(t, o->result, payoff);
    run->ended = match->on_game != NULL && !match->on_game(match->batch.context, game, t);
    return !run->ended;
}

void match_schedule(const struct match *match, int first, int count, struct scheduled_game *games,
                    struct outcome *outcomes) {
    bool deals[MATCH_MAPS_MAX]; /* does the game draw something at its start? */
    for (int map = 0; map < match->map_count; map++)
        deals[map] = record_deals(match->scenarios[map]);
    for (int i = 0; i < count; i++) {
        const int number = first + i, map = (match->one_sided ? number : number / 2) % match->map_count;
        const int red = match->one_sided ? 0 : number % 2;
        outcomes[i] = (struct outcome){.forfeiter = NOBODY};
        games[i] = (struct scheduled_game){
            .number = number,
            .players = {red, red ^ 1},
            .map = map,
            .scenario = map,
            .pair = match->one_sided ? -1 : number - red,
            .seed = rng_job_seed(match->seed, (uint64_t)number),
            .deal = red == 1 && deals[map] ? rng_job_seed(match->seed, (uint64_t)number - 1) : 0,
        };
    }
}

static bool play_slice(struct match_progress *run, struct batch *batch, int first, int count, struct err *e) {
    const struct match *match = run->match;
    const struct batch_list list = {count, run->games, run->outcomes, match->scenarios, NULL};
    int beyond;
    match_schedule(match, first, count, run->games, run->outcomes);
    struct store *store = match->batch.store;
    if (store != NULL && !batch_resume(store, &list, first, &beyond, e))
        return false;
    return batch_play(batch, &list, e);
}

/* In slices: a match of millions of games needs the memory of one slice. */
bool match_run(const struct match *match, struct match_totals *out, struct err *e) {
    assert(match->players[0] != NULL);
    assert(match->players[1] != NULL);
    assert(match->games >= 0);
    assert(match->map_count >= 1);
    assert(match->map_count <= MATCH_MAPS_MAX);
    atomic_bool own_stop = false;
    struct match_progress *run = mem_alloc(sizeof *run);
    *out = (struct match_totals){0};
    run->match = match;
    run->totals = out;
    const struct batch_player players[2] = {{match->players[0], match->players[0], NULL},
                                            {match->players[1], match->players[1], NULL}};
    struct batch_setup setup = match->batch;
    setup.players = players;
    setup.player_count = 2;
    setup.leaves = true;
    setup.stop = setup.stop != NULL ? setup.stop : &own_stop;
    setup.voids = &run->voids;
    setup.take = count_game;
    setup.context = run;
    bool ok = setup.store == NULL || batch_load_voids(setup.store, &run->voids, e);
    struct batch *batch = batch_open(&setup);
    for (int first = 0; ok && first < match->games && !run->ended; first += SLICE_GAMES) {
        const int rest = match->games - first, count = rest < SLICE_GAMES ? rest : SLICE_GAMES;
        ok = play_slice(run, batch, first, count, e);
        run->ended = run->ended || !batch_is_whole(run->outcomes, 0, count);
    }
    ok = batch_close(batch, e) && ok;
    mem_free(run->voids.games);
    mem_free(run);
    return ok;
}
