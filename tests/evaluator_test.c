/* SPDX-License-Identifier: MIT
 *
 * Batches of trials: the same judgements for any workers, after any interruption, with a store and without.
 */
#include "evolve/evaluator.c" /* keys, notes and stored games are internal */
#include "own_maps.h"
#include "sample.h"
#include "scratch_support.h"
#include "store/store.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

/* ---- maps and a folder ---- */

/* Two small boards and one that needs the wide table. */
static const char *const map_names[] = {"duel", "lane", "duel_infantry"};

enum { MAPS = sizeof map_names / sizeof map_names[0] };

static struct tbs_map maps[MAPS];
static char folder[SCRATCH_PATH_MAX];
static char store_file[100];

static int prepare(void **state) {
    (void)state;
    for (int i = 0; i < MAPS; i++) {
        struct scenario *scenario = own_map(map_names[i]);
        maps[i] = *tbs_scenario_map(scenario);
        game_unload(scenario);
    }
    if (!scratch_folder("evaluator", folder))
        return -1;
    snprintf(store_file, sizeof store_file, "%s/store.db", folder);
    return 0;
}

static int clean_up(void **state) {
    (void)state;
    return rmdir(folder);
}

static struct store *open_store(void) {
    struct err e = {{0}};
    struct store *store = store_open(store_file, STORE_WRITE, &e);
    if (store == NULL)
        fail_msg("%s", e.text);
    return store;
}

static void drop_store(void) {
    unlink(store_file);
    char lock[120];
    snprintf(lock, sizeof lock, "%s.lock", store_file);
    unlink(lock);
}

/* ---- a run that asks ---- */

struct session {
    atomic_bool stop;
    int stop_after; /* trials that were played; 0: never */
    int played, recalled;
};

static void note_trial(void *context, const struct sample_game *sample, bool recalled) {
    (void)sample;
    struct session *s = context;
    s->played += !recalled;
    s->recalled += recalled;
    if (s->stop_after > 0 && s->played == s->stop_after)
        atomic_store(&s->stop, true);
}

static struct evaluator_setup setup_of(struct session *session, struct store *store, int workers) {
    return (struct evaluator_setup){
        .rules = &tbs_rule_sets[0],
        .strong = "muct:sims=12,memory=1",
        .weak = "acteval:style=sample",
        .seed = 42,
        .workers = workers,
        .store = store,
        .stop = &session->stop,
        .on_game = note_trial,
        .context = session,
    };
}

static struct evaluator *open_evaluator(const struct evaluator_setup *setup) {
    struct err e = {{0}};
    struct evaluator *evaluator = evaluator_open(setup, &e);
    if (evaluator == NULL)
        fail_msg("%s", e.text);
    return evaluator;
}

static bool play(struct evaluator *evaluator, const struct request *requests, int count) {
    struct err e = {{0}};
    bool complete;
    if (!evaluator_play(evaluator, requests, count, &complete, &e))
        fail_msg("%s", e.text);
    return complete;
}

enum {
    FIRST_GAMES = SAMPLE(3, 2),
    MORE_GAMES = 4,
    ALL_TRIALS = MAPS * SAMPLE_KINDS * FIRST_GAMES + MORE_GAMES
};

/* First some games of every kind on every map, then more on the one where strong did best. */
static bool run(struct evaluator *evaluator, struct judgement judgements[MAPS]) {
    struct request requests[MAPS * SAMPLE_KINDS];
    int best = 0;
    memset(judgements, 0, MAPS * sizeof *judgements);
    for (int i = 0; i < MAPS * SAMPLE_KINDS; i++) {
        const int map = i / SAMPLE_KINDS;
        requests[i] = (struct request){.id = 10 + map,
                                       .map = &maps[map],
                                       .kind = (enum sample_kind)(i % SAMPLE_KINDS),
                                       .count = FIRST_GAMES,
                                       .into = &judgements[map]};
    }
    if (!play(evaluator, requests, MAPS * SAMPLE_KINDS))
        return false;
    for (int map = 1; map < MAPS; map++)
        if (judgement_points(&judgements[map]) > judgement_points(&judgements[best]))
            best = map;
    const struct request more = {10 + best,   &maps[best], SAMPLE_STRONG_RED,
                                 FIRST_GAMES, MORE_GAMES,  &judgements[best]};
    return play(evaluator, &more, 1);
}

static bool run_once(struct session *session, struct store *store, int workers,
                     struct judgement judgements[MAPS]) {
    const struct evaluator_setup setup = setup_of(session, store, workers);
    struct evaluator *evaluator = open_evaluator(&setup);
    const bool complete = run(evaluator, judgements);
    assert_int_equal(evaluator_games(evaluator), session->played + session->recalled);
    evaluator_close(evaluator);
    return complete;
}

/* The reference result of all variants; played once for all tests. */
static void run_plainly(struct judgement judgements[MAPS]) {
    static struct judgement plain[MAPS];
    static bool is_known;
    struct session session = {0};
    if (!is_known) {
        assert_true(run_once(&session, NULL, 1, plain));
        assert_int_equal(session.played, ALL_TRIALS);
        is_known = true;
    }
    memcpy(judgements, plain, sizeof plain);
    for (int map = 0; map < MAPS; map++)
        assert_int_equal(judgement_games(&judgements[map]) % (SAMPLE_KINDS * FIRST_GAMES) % MORE_GAMES, 0);
}

static void assert_same(const struct judgement *a, const struct judgement *b) {
    for (int map = 0; map < MAPS; map++)
        assert_memory_equal(&a[map], &b[map], sizeof a[map]);
}

/* ---- asking ---- */

static void requests_go_on_behind_what_is_there(void **state) {
    (void)state;
    struct judgement judgement = {.strong = {{2, 1, 0}, {0, 0, 5}}, .peers = {1, 1, 2}};
    const struct request of = {.id = 7, .map = &maps[0], .first = 100, .into = &judgement};
    struct request out[SAMPLE_KINDS];
    static const int numbers[SAMPLE_KINDS] = {103, 105, 104};
    assert_int_equal(request_more(&of, (int[SAMPLE_KINDS]){10, 20, 30}, out), SAMPLE_KINDS);
    for (int kind = 0; kind < SAMPLE_KINDS; kind++) {
        assert_int_equal(out[kind].id, 7);
        assert_ptr_equal(out[kind].map, &maps[0]);
        assert_ptr_equal(out[kind].into, &judgement);
        assert_int_equal(out[kind].kind, kind);
        assert_int_equal(out[kind].first, numbers[kind]);
        assert_int_equal(out[kind].count, 10 * (kind + 1));
    }
    assert_int_equal(request_more(&of, (int[SAMPLE_KINDS]){0, -3, 1}, out), 1);
    assert_int_equal(out[0].kind, SAMPLE_PEERS);
    assert_int_equal(request_more(&of, (int[SAMPLE_KINDS]){0, 0, 0}, out), 0);
}

/* ---- the same result under any conditions ---- */

static void workers_do_not_matter(void **state) {
    (void)state;
    struct judgement one[MAPS], other[MAPS];
    run_plainly(one);
    assert_true(one[0].actions > 0);
    for (int workers = 2; workers <= 5; workers += 3) {
        struct session session = {0};
        assert_true(run_once(&session, NULL, workers, other));
        assert_int_equal(session.played, ALL_TRIALS);
        assert_same(one, other);
    }
}

static void seeds_matter(void **state) {
    (void)state;
    struct judgement one[MAPS], other[MAPS] = {{{{0}}}};
    struct session session = {0};
    struct evaluator_setup setup = setup_of(&session, NULL, 1);
    run_plainly(one);
    setup.seed = 43;
    struct evaluator *evaluator = open_evaluator(&setup);
    assert_true(run(evaluator, other));
    evaluator_close(evaluator);
    assert_memory_not_equal(one, other, sizeof one);
}

/* A game's seed follows from its description and not from earlier requests: in parts, in another order and
 * beside another map, it is the same. */
static void the_way_of_asking_does_not_matter(void **state) {
    (void)state;
    struct session session = {0};
    const struct evaluator_setup setup = setup_of(&session, NULL, 2);
    struct judgement whole = {0}, parts = {0}, aside = {0};
    const struct request at_once = {3, &maps[0], SAMPLE_PEERS, 0, 9, &whole};
    const struct request pieces[] = {{3, &maps[0], SAMPLE_PEERS, 5, 4, &parts},
                                     {4, &maps[1], SAMPLE_PEERS, 0, 1, &aside},
                                     {3, &maps[0], SAMPLE_PEERS, 0, 0, &parts},
                                     {3, &maps[0], SAMPLE_PEERS, 0, 5, &parts}};
    struct evaluator *evaluator = open_evaluator(&setup);
    assert_true(play(evaluator, &at_once, 1));
    assert_true(play(evaluator, pieces, 4));
    evaluator_close(evaluator);
    assert_memory_equal(&whole, &parts, sizeof whole);
    assert_int_equal(judgement_games(&aside), 1);
}

static void a_store_changes_nothing_and_forgets_nothing(void **state) {
    (void)state;
    struct judgement plain[MAPS], stored[MAPS], recalled[MAPS];
    struct session first = {0}, second = {0};
    run_plainly(plain);
    struct store *store = open_store();
    assert_true(run_once(&first, store, 3, stored));
    assert_int_equal(first.played, ALL_TRIALS);
    assert_true(run_once(&second, store, 1, recalled));
    assert_int_equal(second.played, 0);
    assert_int_equal(second.recalled, ALL_TRIALS);
    store_close(store);
    assert_same(plain, stored);
    assert_same(plain, recalled);
    drop_store();
}

static void interrupted_runs_come_to_the_same(void **state) {
    (void)state;
    static const int steps[] = {4, 1, 11};
    struct judgement plain[MAPS], judgements[MAPS];
    run_plainly(plain);
    for (size_t i = 0; i < SAMPLE(sizeof steps / sizeof steps[0], 1); i++) {
        int played = 0, runs = 0;
        for (bool complete = false; !complete; runs++) {
            struct session session = {.stop_after = steps[i]};
            struct store *store = open_store();
            complete = run_once(&session, store, 1 + runs % 3, judgements);
            store_close(store);
            assert_int_equal(session.recalled, complete ? played : session.recalled);
            played += session.played;
        }
        assert_int_equal(played, ALL_TRIALS);
        assert_true(runs > ALL_TRIALS / (steps[i] + 4)); /* those under way are finished */
        assert_same(plain, judgements);
        drop_store();
    }
}

static void a_stop_leaves_judgements_alone(void **state) {
    (void)state;
    struct session session = {.stop_after = 5};
    const struct evaluator_setup setup = setup_of(&session, NULL, 1);
    struct judgement judgement = {.forfeits = 7};
    const struct judgement before = judgement;
    const struct request request = {0, &maps[0], SAMPLE_PEERS, 0, 20, &judgement};
    struct evaluator *evaluator = open_evaluator(&setup);
    assert_false(play(evaluator, &request, 1));
    assert_int_equal(session.played, 5);
    assert_memory_equal(&judgement, &before, sizeof judgement);
    atomic_store(&session.stop, false); /* too late: it is over */
    assert_false(play(evaluator, &request, 1));
    assert_int_equal(session.played, 5);
    evaluator_close(evaluator);
}

static void nothing_to_do_is_done(void **state) {
    (void)state;
    struct session session = {0};
    const struct evaluator_setup setup = setup_of(&session, NULL, 2);
    struct judgement judgement = {0};
    const struct request none = {0, &maps[0], SAMPLE_PEERS, 0, 0, &judgement};
    struct evaluator *evaluator = open_evaluator(&setup);
    assert_true(play(evaluator, NULL, 0));
    assert_true(play(evaluator, &none, 1));
    assert_int_equal(evaluator_games(evaluator), 0);
    assert_int_equal(judgement_games(&judgement), 0);
    evaluator_close(evaluator);
    evaluator_close(NULL);
}

/* ---- refusals ---- */

static void assert_not_opened(const struct evaluator_setup *setup, const char *sentence) {
    struct err e = {{0}};
    assert_null(evaluator_open(setup, &e));
    if (strstr(e.text, sentence) == NULL)
        fail_msg("'%s' has no '%s'", e.text, sentence);
}

static void assert_not_played(const struct evaluator_setup *setup, const struct request *request,
                              const char *sentence) {
    struct err e = {{0}};
    bool complete = true;
    struct evaluator *evaluator = open_evaluator(setup);
    assert_false(evaluator_play(evaluator, request, 1, &complete, &e));
    assert_false(complete);
    if (strstr(e.text, sentence) == NULL)
        fail_msg("'%s' has no '%s'", e.text, sentence);
    evaluator_close(evaluator);
}

static void unknown_players_are_refused(void **state) {
    (void)state;
    struct session session = {0};
    struct evaluator_setup setup = setup_of(&session, NULL, 1);
    setup.strong = "nosuch";
    assert_not_opened(&setup, "strong: player 'nosuch' is unknown");
    setup.strong = "random";
    setup.weak = "uct:sims=none";
    assert_not_opened(&setup, "weak: ");
}

/* A registered player that cannot be opened. */
static void players_that_do_not_open_end_the_call(void **state) {
    (void)state;
    struct session session = {0};
    struct evaluator_setup setup = setup_of(&session, NULL, 3);
    struct judgement judgement = {0};
    const struct request request = {0, &maps[0], SAMPLE_STRONG_RED, 0, 10, &judgement};
    setup.weak = "uct:policy=nosuch";
    assert_not_played(&setup, &request, "weak: ");
    assert_int_equal(judgement_games(&judgement), 0);
    assert_true(atomic_load(&session.stop));
}

static void stores_of_other_runs_are_refused(void **state) {
    (void)state;
    struct session session = {0};
    struct store *store = open_store();
    struct evaluator_setup setup = setup_of(&session, store, 1);
    struct judgement judgement = {0};
    struct request request = {7, &maps[0], SAMPLE_STRONG_RED, 0, 2, &judgement};
    struct evaluator *evaluator = open_evaluator(&setup);
    assert_true(play(evaluator, &request, 1));
    evaluator_close(evaluator);

    setup.seed = 41;
    assert_not_opened(&setup, "the store is another run's");
    setup.seed = 42;
    request.map = &maps[1];
    assert_not_played(&setup, &request, "map 7 in the store is another one");
    request.map = &maps[0];
    setup.strong = "muct:sims=13,memory=1";
    assert_not_played(&setup, &request, "the store is another run's");
    setup.strong = "muct:sims=12,memory=1";
    setup.rules = &tbs_rule_sets[1];
    assert_not_played(&setup, &request, "the store is another run's");
    assert_int_equal(judgement_games(&judgement), 2);
    store_close(store);
    drop_store();
}

static void stores_of_something_else_are_refused(void **state) {
    (void)state;
    static const struct {
        int stage, fault;
        const char *record;
    } cases[] = {
        {0, 0, NULL},
        {0, 0, "{}"},
        {0, 0, "{\"trial\": \"12\", \"first_kills\": [1], \"attacked\": \"0\"}"},
        {0, 0, "{\"trial\": \"12\", \"first_kills\": [1, -2], \"attacked\": \"0\"}"},
        {0, 0, "{\"trial\": \"12\", \"first_kills\": [1, 2], \"attacked\": \"x\"}"},
        {0, 0, "{\"trial\": \"-12\", \"first_kills\": [1, 2], \"attacked\": \"0\"}"},
        {0, 0, "{\"trial\": \"12345678901234567\", \"first_kills\": [1, 2], \"attacked\": \"0\"}"},
        {SAMPLE_KINDS, 0, "{\"trial\": \"12\", \"first_kills\": [1, 2], \"attacked\": \"0\"}"},
        {0, PLAYER_FAULTS, "{\"trial\": \"12\", \"first_kills\": [1, 2], \"attacked\": \"0\"}"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct session session = {0};
        struct err e = {{0}};
        struct store *store = open_store();
        const struct evaluator_setup setup = setup_of(&session, store, 1);
        const struct store_game game = {.stage = cases[i].stage,
                                        .outcome.fault = cases[i].fault,
                                        .record = cases[i].record,
                                        .outcome.forfeiter = NOBODY,
                                        .finished = ""};
        assert_true(store_add_game(store, &game, &e));
        assert_not_opened(&setup, i < 2 ? "holds the games of something else; choose another file or folder"
                                        : "game 0 in the store is not one that judges a map");
        store_close(store);
        drop_store();
    }
}

/* ---- games in a store ---- */

enum { STORE_SEED = 5 };

/* As a batch stores it. `as_record`: as an earlier version did, in place of the record. */
static void add_sample(struct store *store, int number, const struct stored_sample *s, bool as_record) {
    struct err e = {{0}};
    char note[120];
    const struct scheduled_game g = sample_schedule(STORE_SEED, &s->key);
    snprintf(note, sizeof note, "{\"trial\": \"%016llx\", \"first_kills\": [%d, %d], \"attacked\": \"%llx\"}",
             (unsigned long long)s->key.digest, s->sample.first_kills[0], s->sample.first_kills[1],
             (unsigned long long)s->sample.attacked);
    const struct store_game game = {.number = number,
                                    .stage = g.stage,
                                    .round = g.round,
                                    .players = {g.players[0], g.players[1]},
                                    .map = g.map,
                                    .seed = g.seed,
                                    .outcome = s->sample.outcome,
                                    .note = as_record ? NULL : note,
                                    .record = as_record ? note : "{}",
                                    .finished = ""};
    if (!store_add_game(store, &game, &e))
        fail_msg("%s", e.text);
}

static void everything_of_a_game_is_stored(void **state) {
    (void)state;
    const struct stored_sample kept = {
        .key = {.map = 3, .kind = SAMPLE_STRONG_BLUE, .number = 9, .digest = UINT64_MAX - 5},
        .sample = {.kind = SAMPLE_STRONG_BLUE,
                   .outcome = {.payoff = 1,
                               .actions = 31,
                               .turns = 6,
                               .fault = PLAYER_FAULT_HANG,
                               .forfeiter = TBS_BLUE,
                               .think_ns = {12, 3000000000},
                               .result = "red hang"},
                   .first_kills = {3, 1},
                   .attacked = UINT64_C(0x8000000000000001)},
    };
    for (int as_record = 0; as_record < 2; as_record++) {
        struct err e = {{0}};
        struct store *store = open_store();
        struct sample_store trials;
        add_sample(store, 0, &kept, as_record);
        assert_true(sample_store_read(&trials, store, STORE_SEED, &e));
        assert_int_equal(trials.count, 1);
        assert_int_equal(trials.number_next, 1);
        const struct sample_game *found;
        assert_true(sample_store_find(&trials, &kept.key, &found, &e));
        assert_non_null(found);
        assert_int_equal(found->kind, SAMPLE_STRONG_BLUE);
        assert_true(found->outcome.payoff == 1);
        assert_int_equal(found->outcome.actions, 31);
        assert_int_equal(found->outcome.turns, 6);
        assert_false(sample_is_annihilation(found));
        assert_int_equal(found->first_kills[0], 3);
        assert_int_equal(found->first_kills[1], 1);
        assert_true(found->attacked == kept.sample.attacked);
        assert_int_equal(found->outcome.fault, PLAYER_FAULT_HANG);
        assert_true(found->outcome.think_ns[0] == 12 && found->outcome.think_ns[1] == 3000000000);
        assert_string_equal(found->outcome.result, "red hang");
        const struct sample_key other = {.map = 3, .kind = SAMPLE_STRONG_BLUE, .number = 8};
        assert_true(sample_store_find(&trials, &other, &found, &e));
        assert_null(found);
        sample_store_done(&trials);
        store_close(store);
        drop_store();
    }
}

struct replayed {
    int games, differences;
};

/* The record is complete, and replays to the result in the columns and the note. */
static bool replay_game(void *context, const struct store_game *g, struct err *e) {
    struct replayed *r = context;
    struct record record;
    struct replay replay;
    struct text note = {0};
    uint64_t digest = 0;
    struct sample_game observed;
    record_init(&record);
    assert_true(record_read_json("its record", g->record, strlen(g->record), &record, e));
    struct scenario *scenario = record_scenario(&record, e);
    assert_non_null(scenario);
    assert_true(sample_read_note(g->note, &digest, &observed));
    sample_write_note(digest, scenario, &record, &note);
    r->games++;
    r->differences +=
        !replay_to(&replay, &record, scenario, record.count, e) || strcmp(text_string(&note), g->note) != 0 ||
        record.seed != g->seed ||
        strcmp(scenario->game->text->result(replay.state), g->outcome.result) != 0 ||
        strcmp(record.players[0],
               g->stage == SAMPLE_STRONG_BLUE ? "acteval:style=sample" : "muct:sims=12,memory=1") != 0;
    game_unload(scenario);
    record_done(&record);
    text_done(&note);
    return true;
}

static void stored_games_can_be_replayed(void **state) {
    (void)state;
    struct session session = {0};
    struct store *store = open_store();
    struct judgement judgements[MAPS];
    struct replayed replayed = {0};
    struct err e = {{0}};
    assert_true(run_once(&session, store, 2, judgements));
    const struct store_visit visit = {.game = replay_game, .context = &replayed, .texts = true};
    assert_true(store_visit_games(store, &visit, &e));
    assert_int_equal(replayed.games, ALL_TRIALS);
    assert_int_equal(replayed.differences, 0);
    store_close(store);
    drop_store();
}

static void add_stored_trial(struct store *store, int store_number, int map, enum sample_kind kind,
                             int number) {
    const struct stored_sample kept = {
        .key = {.map = map, .kind = kind, .number = number, .digest = 7},
        .sample = {.kind = kind,
                   .outcome = {.forfeiter = NOBODY, .turns = 100 * map + 10 * (int)kind + number}}};
    add_sample(store, store_number, &kept, false);
}

/* A store that an earlier version has written is one that this version reads. */
static void seeds_and_digests_stay(void **state) {
    (void)state;
    const struct sample_key key = {.map = 3, .kind = SAMPLE_STRONG_BLUE, .number = 9};
    const uint64_t players = sample_digest_players(&tbs_rule_sets[0], "acteval", "random");
    const uint64_t found[] = {sample_seed(5, &key), players, sample_digest(players, &maps[0])};
    static const uint64_t expected[] = {UINT64_C(0xe3643bb8193c1c22), UINT64_C(0xe4a89dcc5da5b4d5),
                                        UINT64_C(0x4b2ed576f44e14ac)};
    for (int i = 0; i < 3; i++)
        if (found[i] != expected[i])
            fail_msg("number %d is 0x%016llx", i, (unsigned long long)found[i]);
}

/* More entries than the initial capacity, in another order. */
static void many_games_are_found(void **state) {
    (void)state;
    struct err e = {{0}};
    struct store *store = open_store();
    struct sample_store trials;
    for (int i = 299; i >= 0; i--)
        add_stored_trial(store, 299 - i, i / 30, (enum sample_kind)(i / 10 % 3), i % 10);
    assert_true(sample_store_read(&trials, store, STORE_SEED, &e));
    assert_int_equal(trials.count, 300);
    assert_int_equal(trials.number_next, 300);
    for (int i = 0; i < 300; i++) {
        const struct sample_key key = {
            .map = i / 30, .kind = (enum sample_kind)(i / 10 % 3), .number = i % 10, .digest = 7};
        const struct sample_game *found;
        assert_true(sample_store_find(&trials, &key, &found, &e));
        assert_non_null(found);
        assert_int_equal(found->outcome.turns, 100 * key.map + 10 * (int)key.kind + key.number);
    }
    sample_store_done(&trials);
    store_close(store);
    drop_store();
}

/* The last possible number of a game has no successor. */
static void a_full_store_is_refused(void **state) {
    (void)state;
    struct err e = {{0}};
    struct session session = {0};
    struct judgement judgement = {0};
    const struct request request = {7, &maps[0], SAMPLE_STRONG_RED, 0, 2, &judgement};
    struct store *store = open_store();
    struct evaluator_setup setup = setup_of(&session, store, 1);
    struct sample_store trials;
    setup.seed = STORE_SEED;
    add_stored_trial(store, INT_MAX - 1, 1, SAMPLE_PEERS, 0);
    assert_not_played(&setup, &request, "the store is full");
    store_close(store);
    drop_store();
    store = open_store();
    struct store_game game = {.number = INT_MAX, .outcome.forfeiter = NOBODY, .finished = ""};
    assert_true(store_add_game(store, &game, &e));
    assert_false(sample_store_read(&trials, store, STORE_SEED, &e));
    assert_string_equal(e.text, "the store is full: there is a game 2147483647");
    sample_store_done(&trials);
    store_close(store);
    drop_store();
}

static void maps_have_different_digests(void **state) {
    (void)state;
    const uint64_t players = sample_digest_players(&tbs_rule_sets[0], "a", "b");
    assert_true(players != sample_digest_players(&tbs_rule_sets[0], "ab", ""));
    assert_true(players != sample_digest_players(&tbs_rule_sets[1], "a", "b"));
    struct tbs_map map = maps[0];
    const uint64_t digest = sample_digest(players, &map);
    strcpy(map.comment, "another note");
    map.units[0].line = 77;
    assert_true(digest == sample_digest(players, &map));
    map.terrain[2][2] = TBS_SEA;
    assert_true(digest != sample_digest(players, &map));
    map.terrain[2][2] = maps[0].terrain[2][2];
    map.units[1].hp--;
    assert_true(digest != sample_digest(players, &map));
    map = maps[0];
    map.turn_limit++;
    assert_true(digest != sample_digest(players, &map));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(requests_go_on_behind_what_is_there),
        cmocka_unit_test(workers_do_not_matter),
        cmocka_unit_test(seeds_matter),
        cmocka_unit_test(the_way_of_asking_does_not_matter),
        cmocka_unit_test(a_store_changes_nothing_and_forgets_nothing),
        cmocka_unit_test(interrupted_runs_come_to_the_same),
        cmocka_unit_test(a_stop_leaves_judgements_alone),
        cmocka_unit_test(nothing_to_do_is_done),
        cmocka_unit_test(unknown_players_are_refused),
        cmocka_unit_test(players_that_do_not_open_end_the_call),
        cmocka_unit_test(stores_of_other_runs_are_refused),
        cmocka_unit_test(stores_of_something_else_are_refused),
        cmocka_unit_test(everything_of_a_game_is_stored),
        cmocka_unit_test(stored_games_can_be_replayed),
        cmocka_unit_test(many_games_are_found),
        cmocka_unit_test(a_full_store_is_refused),
        cmocka_unit_test(seeds_and_digests_stay),
        cmocka_unit_test(maps_have_different_digests),
    };
    return cmocka_run_group_tests(tests, prepare, clean_up);
}
