/* SPDX-License-Identifier: MIT
 *
 * Matches and tournaments while they are played.
 */
#include "serve/ground.h"
#include "serve/job_boards.h"
#include "serve/job_event.h"
#include "serve/job_games.h"
#include "serve/job_run.h"
#include "serve/job_store.h"

#include "match/statistics.h"
#include "store/store.h"
#include "tournament/keep.h"
#include "tournament/run.h"
#include "tournament/table.h"

#include <stdio.h>

struct event_run {
    struct job_run *run;
    struct job_games *list;
    struct event *event; /* the list's */
    struct event_table table;
    struct job_boards boards;
    char date[JOB_DATE_MAX];
    int played, recalled;
};

/* ---- a match in figures ---- */

static double first_payoff(const struct games *games, int i) {
    const double payoff = games->outcomes[i].payoff;
    return games->fixtures[i].players[0] == 0 ? payoff : 1 - payoff;
}

/* Elo counts won, drawn and lost. */
static double first_points(const struct games *games, int i) {
    const double payoff = first_payoff(games, i);
    return payoff > 0.5 ? 1 : payoff < 0.5 ? 0 : 0.5;
}

static bool is_mirror(const struct games *games, int i) {
    return i + 1 < games->count && games->fixtures[i].pair >= 0 &&
           games->fixtures[i].pair == games->fixtures[i + 1].pair;
}

static void count_pairs(const struct games *games, struct pairs *out) {
    *out = (struct pairs){0};
    for (int i = 0; i < games->count; i++) {
        if (is_mirror(games, i) && games->outcomes[i].played && games->outcomes[i + 1].played) {
            pairs_add(out, first_points(games, i), first_points(games, i + 1));
            i++;
        } else if (games->outcomes[i].played) {
            pairs_add_single(out, first_points(games, i));
        }
    }
}

json_t *job_match_json(const struct event *event, const struct games *games) {
    struct tally total = {0}, as_side[2] = {{0}, {0}};
    struct pairs pairs;
    for (int i = 0; i < games->count; i++)
        if (games->outcomes[i].played) {
            tally_add(&total, first_payoff(games, i));
            tally_add(&as_side[games->fixtures[i].players[0] != 0], first_payoff(games, i));
        }
    count_pairs(games, &pairs);
    json_t *root = figures_tally(&total);
    json_t *more =
        json_pack("{s[ss] si si so so so so}", "players", event->players[0].name, event->players[1].name,
                  "games", tally_games(&total), "games_wanted", event_games_expected(event, games), "elo",
                  figures_elo(&pairs), "pairs", figures_pairs(&pairs), "as_first", figures_tally(&as_side[0]),
                  "as_second", figures_tally(&as_side[1]));
    if (root == NULL || more == NULL || json_object_update(root, more) != 0) {
        json_decref(root);
        root = NULL;
    }
    json_decref(more);
    return root;
}

/* ---- the result ---- */

static bool make_report(struct event_run *r, const struct games *games, bool complete, struct report *out,
                        struct err *e) {
    const struct event_moment moment = {
        .played = r->played,
        .recalled = r->recalled,
        .seconds = clock_seconds_since(r->run->bench->setup.clock, r->run->start_ns),
        .date = r->date,
        .complete = complete,
    };
    return event_table_report(&r->table, games, &moment, out, e);
}

static json_t *result_json(const struct event_run *r, const struct report *report) {
    json_t *result = report_json_value(report);
    if (result != NULL && r->run->job->kind == &job_match)
        json_object_set_new(result, "match", job_match_json(r->event, report->games));
    return result;
}

/* `at` is the game that was played last; NULL: all were. */
static void tell_step(struct event_run *r, const struct games *games, const struct fixture *at) {
    char note[JOB_NOTE_MAX] = "";
    const enum rules_format format = r->event->rules.format;
    if (at != NULL && at->stage != STAGE_MAIN)
        snprintf(note, sizeof note, "%s", event_stage_names[at->stage]);
    else if (at != NULL && (format == RULES_SWISS || format == RULES_KNOCK_OUT))
        snprintf(note, sizeof note, "round %d", at->round + 1);
    job_step(r->run, &(struct job_step){.done = r->played,
                                        .total = event_games_expected(r->event, games),
                                        .here = r->played - r->recalled,
                                        .note = note});
}

static void note_games(struct event_run *r, const struct games *games, int number) {
    workbench_lock(r->run->bench);
    job_games_note(r->list, games, number); /* if memory runs out, the list is short */
    workbench_unlock(r->run->bench);
}

static void on_game(void *context, const struct games *games, int number, bool recalled) {
    struct event_run *r = context;
    struct report report;
    struct err e;
    r->played++;
    r->recalled += recalled;
    note_games(r, games, number);
    if (!recalled)
        job_boards_over(&r->boards, &games->fixtures[number]);
    tell_step(r, games, &games->fixtures[number]);
    if (job_may_grow(r->run) && make_report(r, games, false, &report, &e))
        job_grow(r->run, result_json(r, &report));
}

static void watch(void *context, const struct fixture *fixture, const void *state,
                  const struct record *record) {
    struct event_run *r = context;
    job_boards_watch(&r->boards, fixture, state, record);
}

/* ---- running ---- */

static bool conclude(struct event_run *r, struct store *store, const struct games *games, bool complete,
                     struct err *e) {
    struct report report;
    if (complete && !tournament_keep_standings(store, r->event, games, e))
        return false;
    if (!make_report(r, games, complete, &report, e))
        return false;
    tell_step(r, games, NULL);
    const bool ok = report_write_files(&report, r->run->files, store, e);
    job_grow(r->run, result_json(r, &report));
    return ok;
}

static enum job_outcome play(struct event_run *r, struct store *store, struct err *e) {
    const struct workbench_setup *setup = &r->run->bench->setup;
    struct games games;
    bool complete = false;
    const struct tournament_run run = {
        .event = r->event,
        .store = store,
        .workers = setup->cores,
        .clock = setup->clock,
        .stop = r->run->stop,
        .grant = ground_grant(r->run->bench),
        .date = setup->date,
        .on_game = on_game,
        .watch = watch,
        .context = r,
    };
    games_init(&games);
    const bool ok = tournament_play(&run, &games, &complete, e) && conclude(r, store, &games, complete, e);
    games_done(&games);
    return !ok ? JOB_HAS_FAILED : complete ? JOB_IS_DONE : JOB_WAS_STOPPED;
}

/* What was allowed when it was asked for may not be so any more. */
static bool are_allowed(const struct event_run *r, struct err *e) {
    for (int i = 0; i < r->event->player_count; i++)
        if (!ground_check_player(r->run->bench, r->event->players[i].spec, NULL, e))
            return false;
    return true;
}

static enum job_outcome run_event(struct event_run *r, struct err *e) {
    char path[SERVE_PATH_MAX];
    if (!are_allowed(r, e) || !tournament_check(r->event, ground_grant(r->run->bench), e) ||
        !job_path(r->run->job, "games.db", path, e))
        return JOB_HAS_FAILED;
    struct store *store = tournament_open_store(path, r->event, e);
    const enum job_outcome outcome = store != NULL ? play(r, store, e) : JOB_HAS_FAILED;
    store_close(store);
    return outcome;
}

enum job_outcome job_event_run(struct job_run *run, struct err *e) {
    struct event_run r = {.run = run, .list = job_games_prepare(run->job, e)};
    if (r.list == NULL)
        return JOB_HAS_FAILED;
    r.event = &r.list->event;
    run->bench->setup.date(r.date, sizeof r.date);
    enum job_outcome outcome = JOB_HAS_FAILED;
    const bool has_table = event_table_init(&r.table, r.event, e);
    const bool has_boards = job_boards_init(&r.boards, run, r.event, e);
    if (has_table && has_boards)
        outcome = run_event(&r, e);
    job_boards_done(&r.boards);
    event_table_done(&r.table);
    return outcome;
}
