/* SPDX-License-Identifier: MIT
 *
 * The guarantees of the pool on the ranks of a cluster; tests/cluster.sh starts this program under mpirun.
 * Every rank runs every test and checks its own side; the first failure is reported and ends the run.
 */
#include "base/mem.h"
#include "base/numbers.h"
#include "pool/lifeline.h"
#include "pool/pool.h"
#include "store/store.h"

#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { JOBS_MAX = 2000, WINDOW_PER_RANK_MAX = 16 };

static struct cluster *cluster;
static const char *scenario = "start";

static void require(bool holds, const char *what, int line) {
    if (holds)
        return;
    fprintf(stderr, "cluster_test.c:%d: %s, rank %d: %s\n", line, scenario,
            cluster == NULL ? -1 : cluster_rank(cluster), what);
    exit(1);
}

#define REQUIRE(condition) require(condition, #condition, __LINE__)

/* ---- the work ---- */

struct result {
    int job;
    uint64_t value;
    char *owned;
    size_t size;
};

struct work {
    int stop_at, stop_in_run; /* `take`, or `run`, of this job sets `stop`; -1: none */
    int fail_begin_on;        /* rank; -1: none */
    int bad_job;              /* cannot be unpacked; -1: none */
    int slow_job;             /* takes slow_ms; -1: none */
    int slow_ms, all_ms;
    size_t size; /* of a packed result's free part */
    const char *flag_file;
    int flag_at; /* so many have landed: the flag file is made, for which the slow job waits */

    atomic_bool stop;
    atomic_int begun, ended, runs;
    int landings, taken, dropped;
    int landed_before_slow;
    bool in_order, seen[JOBS_MAX];
    uint64_t digest;
    struct store *store;
};

/* Results that own something, on this rank. */
static atomic_int owners;

static void own_bytes(struct result *result) {
    result->owned = mem_alloc(result->size + 1);
    REQUIRE(result->owned != NULL);
    owners++;
}

static void free_result(struct result *result) {
    owners--;
    mem_free(result->owned);
    result->owned = NULL;
}

static void nap(int ms) {
    nanosleep(&(struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L}, NULL);
}

static void *begin(void *shared, struct err *e) {
    struct work *w = shared;
    if (cluster_rank(cluster) == w->fail_begin_on) {
        err_set(e, "has no tools");
        return NULL;
    }
    w->begun++;
    return w;
}

static void end(void *worker) {
    ((struct work *)worker)->ended++;
}

static void wait_for_flag(const struct work *w) {
    for (int i = 0; i < 3000 && access(w->flag_file, F_OK) != 0; i++)
        nap(10);
}

static void run(void *shared, void *worker, int job, void *out) {
    struct work *w = shared;
    struct result *result = out;
    struct rng r;
    REQUIRE(worker == shared);
    REQUIRE(result->job == 0 && result->owned == NULL);
    if (job == w->slow_job && w->flag_file != NULL)
        wait_for_flag(w);
    else
        nap(job == w->slow_job ? w->slow_ms : w->all_ms);
    rng_seed_stream(&r, 99, (uint64_t)job);
    result->job = job;
    result->value = rng_next(&r);
    result->size = w->size;
    own_bytes(result);
    memset(result->owned, 'a' + job % 26, w->size);
    w->runs++;
    if (job == w->stop_in_run)
        atomic_store(&w->stop, true);
}

static void landed(void *shared, int job, void *in) {
    struct work *w = shared;
    struct result *result = in;
    REQUIRE(cluster_rank(cluster) == 0);
    REQUIRE(result->job == job && !w->seen[job]);
    w->seen[job] = true;
    w->landings++;
    if (job == w->slow_job)
        w->landed_before_slow = w->landings - 1;
    if (w->landings == w->flag_at)
        fclose(fopen(w->flag_file, "w"));
    if (w->store != NULL) {
        struct err e;
        const struct store_game game = {.number = job, .outcome.result = "", .finished = ""};
        REQUIRE(store_add_game(w->store, &game, &e));
    }
}

static void landed_last(void *shared, int job, void *in) {
    landed(shared, job, in);
    free_result(in);
}

static void take(void *shared, int job, void *in) {
    struct work *w = shared;
    struct result *result = in;
    REQUIRE(cluster_size(cluster) == 1 || w->seen[job]);
    for (size_t i = 0; i < result->size; i += 4093)
        REQUIRE(result->owned[i] == 'a' + job % 26);
    w->in_order = w->in_order && job == w->taken && result->job == job;
    w->taken++;
    w->digest = rng_mix(w->digest + result->value + result->size);
    if (job == w->stop_at)
        atomic_store(&w->stop, true);
    free_result(result);
}

static void pack(void *shared, void *in, struct text *out) {
    (void)shared;
    struct result *result = in;
    text_add_bytes(out, (const char *)result, sizeof *result);
    text_add_bytes(out, result->owned, result->size);
    free_result(result);
}

static bool unpack(void *shared, const char *bytes, size_t size, void *out, struct err *e) {
    struct work *w = shared;
    struct result *result = out;
    REQUIRE(result->job == 0 && result->owned == NULL && result->size == 0);
    REQUIRE(size >= sizeof *result);
    memcpy(result, bytes, sizeof *result);
    REQUIRE(size == sizeof *result + result->size);
    result->owned = NULL;
    if (result->job == w->bad_job)
        return err_set(e, "job %d is garbled", result->job);
    own_bytes(result);
    memcpy(result->owned, bytes + sizeof *result, result->size);
    return true;
}

static void drop(void *shared, int job, void *in) {
    struct work *w = shared;
    struct result *result = in;
    REQUIRE(result->job == job);
    w->dropped++;
    free_result(result);
}

static struct work work;

static struct work *new_work(const char *name) {
    scenario = name;
    memset(&work, 0, sizeof work);
    work.stop_at = work.stop_in_run = work.fail_begin_on = work.bad_job = work.slow_job = -1;
    work.in_order = true;
    work.size = 100;
    return &work;
}

static struct pool_work describe(struct work *w, int jobs) {
    return (struct pool_work){.jobs = jobs,
                              .workers = 2,
                              .shared = w,
                              .result_size = sizeof(struct result),
                              .begin = begin,
                              .end = end,
                              .run = run,
                              .landed = landed,
                              .take = take,
                              .stop = &w->stop,
                              .cluster = cluster,
                              .pack = pack,
                              .unpack = unpack,
                              .drop = drop};
}

static bool is_leader(void) {
    return cluster_rank(cluster) == 0;
}

/* What holds on every rank after a run of which `done` jobs came back. */
static void require_clean(const struct work *w, int done) {
    REQUIRE(w->begun == w->ended);
    REQUIRE(owners == 0);
    if (is_leader()) {
        REQUIRE(w->taken == done && w->in_order);
        REQUIRE(w->landings == done);
        REQUIRE(cluster_size(cluster) == 1 || w->runs == 0);
    } else {
        REQUIRE(w->taken == 0 && w->landings == 0);
        REQUIRE(w->begun <= 1);
    }
}

/* Do all ranks have the same number? */
static void require_same(int number) {
    char mine[32];
    struct text theirs = {0};
    struct err e;
    snprintf(mine, sizeof mine, "%d", number);
    if (is_leader())
        text_add_string(&theirs, mine);
    REQUIRE(cluster_share(cluster, &theirs, &e));
    REQUIRE(strcmp(text_string(&theirs), mine) == 0);
    text_done(&theirs);
}

static uint64_t digest_without_cluster(int jobs, size_t size) {
    struct work *w = new_work(scenario);
    struct cluster *kept = cluster;
    struct err e;
    w->size = size;
    struct pool_work plain = describe(w, jobs);
    plain.cluster = NULL;
    plain.landed = NULL;
    memset(w->seen, true, sizeof w->seen);
    REQUIRE(pool_run(&plain, &e) == jobs);
    cluster = kept;
    return w->digest;
}

/* ---- scenarios ---- */

static void results_are_those_of_threads(void) {
    static const int jobs[] = {0, 1, 2, 3, 5, 300, JOBS_MAX};
    for (size_t i = 0; i < sizeof jobs / sizeof jobs[0]; i++) {
        struct err e;
        struct work *w = new_work("results_are_those_of_threads");
        const struct pool_work described = describe(w, jobs[i]);
        REQUIRE(pool_run(&described, &e) == jobs[i]);
        require_clean(w, jobs[i]);
        const uint64_t digest = w->digest;
        if (is_leader())
            REQUIRE(digest == digest_without_cluster(jobs[i], 100));
    }
}

/* As for a Swiss tournament: the list of jobs is shared, then done, round after round, until no job is left.
 */
static void rounds_follow_each_other(void) {
    for (int round = 20; round >= 0; round--) {
        struct err e;
        struct text plan = {0};
        struct work *w = new_work("rounds_follow_each_other");
        if (is_leader())
            for (int i = 0; i < round; i++)
                text_add(&plan, "%d,", i);
        else
            text_add_string(&plan, "1,2,3,");
        REQUIRE(cluster_share(cluster, &plan, &e));
        int count = 0;
        for (size_t i = 0; i < plan.size; i++)
            count += plan.data[i] == ',';
        REQUIRE(count == round);
        const struct pool_work described = describe(w, count);
        REQUIRE(pool_run(&described, &e) == count);
        require_clean(w, count);
        text_done(&plan);
    }
}

static void a_stop_on_rank_0_stops_all(void) {
    struct err e;
    struct work *w = new_work("a_stop_on_rank_0_stops_all");
    w->stop_at = 40;
    const struct pool_work described = describe(w, JOBS_MAX);
    const int done = pool_run(&described, &e);
    REQUIRE(done > 40 && done <= 41 + WINDOW_PER_RANK_MAX * cluster_size(cluster));
    require_clean(w, done);
    require_same(done);
}

/* The stop comes from whichever rank does that job. */
static void a_stop_on_any_rank_stops_all(void) {
    struct err e;
    struct work *w = new_work("a_stop_on_any_rank_stops_all");
    w->stop_in_run = 40;
    const struct pool_work described = describe(w, JOBS_MAX);
    const int done = pool_run(&described, &e);
    REQUIRE(done > 40 && done <= 41 + WINDOW_PER_RANK_MAX * cluster_size(cluster));
    require_clean(w, done);
    require_same(done);

    w = new_work("a_stop_on_all_but_rank_0_stops_all");
    atomic_store(&w->stop, !is_leader());
    REQUIRE(pool_run(&described, &e) == 0);
    require_clean(w, 0);
}

static void a_stop_before_the_start_does_nothing(void) {
    struct err e;
    struct work *w = new_work("a_stop_before_the_start_does_nothing");
    atomic_store(&w->stop, is_leader());
    const struct pool_work described = describe(w, 50);
    REQUIRE(pool_run(&described, &e) == 0);
    require_clean(w, 0);
}

static void a_rank_that_cannot_begin_fails_all(void) {
    struct err e;
    struct work *w = new_work("a_rank_that_cannot_begin_fails_all");
    w->fail_begin_on = cluster_size(cluster) - 1;
    char expected[64];
    snprintf(expected, sizeof expected, "rank %d: has no tools", w->fail_begin_on);
    const struct pool_work described = describe(w, JOBS_MAX);
    REQUIRE(pool_run(&described, &e) == -1);
    REQUIRE(strcmp(e.text, expected) == 0);
    REQUIRE(!is_leader() || w->landings == w->taken + w->dropped); /* finished jobs are handed over */
    REQUIRE(w->begun == w->ended && owners == 0);
}

static void a_garbled_result_fails_all(void) {
    struct err e;
    struct work *w = new_work("a_garbled_result_fails_all");
    w->bad_job = 30;
    const struct pool_work described = describe(w, JOBS_MAX);
    REQUIRE(pool_run(&described, &e) == -1);
    REQUIRE(strstr(e.text, ": job 30 is garbled") != NULL);
    if (is_leader()) {
        REQUIRE(w->taken == 30 && w->in_order);
        REQUIRE(w->landings == w->taken + w->dropped);
    }
    REQUIRE(owners == 0);
}

/* The largest results there may be, and one byte more. */
static void large_results_travel(void) {
    const size_t room = POOL_PACKED_MAX - sizeof(struct result);
    for (size_t more = 0; more < 2; more++) {
        struct err e;
        struct work *w = new_work("large_results_travel");
        w->size = room + more;
        const struct pool_work described = describe(w, 2);
        const int done = pool_run(&described, &e);
        REQUIRE(done == (more == 0 ? 2 : -1));
        if (more == 1)
            REQUIRE(strstr(e.text, "has 67108865 bytes; at most 67108864 can be sent") != NULL);
        else
            require_clean(w, 2);
    }
}

static void large_texts_are_shared(void) {
    struct err e;
    struct text bytes = {0};
    scenario = "large_texts_are_shared";
    if (is_leader())
        for (int i = 0; i < 64; i++) {
            char *piece = mem_alloc(1 << 20);
            memset(piece, 'a' + i % 26, 1 << 20);
            text_add_bytes(&bytes, piece, 1 << 20);
            mem_free(piece);
        }
    REQUIRE(cluster_share(cluster, &bytes, &e));
    REQUIRE(bytes.size == POOL_PACKED_MAX && bytes.data[63 << 20] == 'a' + 63 % 26);
    if (is_leader()) { /* refused before anything is sent */
        text_add_string(&bytes, "x");
        REQUIRE(!cluster_share(cluster, &bytes, &e));
        REQUIRE(strstr(e.text, "at most 67108864 bytes") != NULL);
    }
    text_done(&bytes);
}

/* While a job takes long the others go on: without end when nothing has to be taken in order, and as far as
 * there is room for results when it has. */
static void a_slow_job_is_not_waited_for(const char *flag_file) {
    struct err e;
    struct work *w = new_work("a_slow_job_is_not_waited_for");
    w->slow_job = 0;
    w->flag_file = flag_file;
    w->flag_at = 399;
    struct pool_work described = describe(w, 400);
    described.landed = landed_last;
    described.take = NULL;
    REQUIRE(pool_run(&described, &e) == 400);
    if (is_leader())
        REQUIRE(w->landings == 400 && w->landed_before_slow == 399);

    w = new_work("a_slow_job_bounds_the_rest");
    w->slow_job = 0;
    w->slow_ms = 300;
    described = describe(w, 400);
    REQUIRE(pool_run(&described, &e) == 400);
    require_clean(w, 400);
    REQUIRE(w->landed_before_slow < WINDOW_PER_RANK_MAX * cluster_size(cluster));
}

static double seconds(clockid_t which) {
    struct timespec now;
    clock_gettime(which, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void waiting_costs_little(void) {
    struct err e;
    struct work *w = new_work("waiting_costs_little");
    w->all_ms = 400;
    const double wall = seconds(CLOCK_MONOTONIC), cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
    const struct pool_work described = describe(w, 2);
    REQUIRE(pool_run(&described, &e) == 2);
    /* A busy loop would give nearly 1 on an idle machine. */
    REQUIRE(seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu < 0.25 * (seconds(CLOCK_MONOTONIC) - wall));
}

static void all(const char *flag_file) {
    struct {
        void (*test)(void);
    } const tests[] = {
        {results_are_those_of_threads},
        {rounds_follow_each_other},
        {a_stop_on_rank_0_stops_all},
        {a_stop_on_any_rank_stops_all},
        {a_stop_before_the_start_does_nothing},
        {a_rank_that_cannot_begin_fails_all},
        {rounds_follow_each_other}, /* after a failure too */
        {a_garbled_result_fails_all},
        {large_results_travel},
        {large_texts_are_shared},
        {waiting_costs_little},
    };
    REQUIRE(cluster_size(cluster) == 3);
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++)
        tests[i].test();
    a_slow_job_is_not_waited_for(flag_file);
}

/* ---- runs of their own ---- */

/* One rank alone: threads. */
static void alone(const char *argument) {
    (void)argument;
    REQUIRE(cluster_size(cluster) == 1);
    rounds_follow_each_other();
    a_stop_on_rank_0_stops_all();
}

/* A rank closes while the others do something else. They fail, and none hangs. */
static void leave(const char *who) {
    struct err e;
    struct work *w = new_work("leave");
    const int rank = atoi(who);
    if (cluster_rank(cluster) == rank)
        return;
    if (cluster_rank(cluster) == 2 && rank == 0) {
        struct text bytes = {0};
        REQUIRE(!cluster_share(cluster, &bytes, &e));
        REQUIRE(strcmp(e.text, "rank 0 has given up") == 0);
    }
    const struct pool_work described = describe(w, JOBS_MAX);
    for (int i = 0; i < 2; i++) { /* a second try fails as well */
        REQUIRE(pool_run(&described, &e) == -1);
        REQUIRE(strstr(e.text, rank == 0 ? "rank 0 has given up" : "rank 1: has given up") != NULL);
    }
}

/* Ranks that die once jobs have this number; -1: none. */
static int dying[2] = {-1, -1};
static const int death_at = 100;

static void die(void *shared, void *worker, int job, void *result) {
    for (int i = 0; i < 2; i++)
        if (job >= death_at && cluster_rank(cluster) == dying[i])
            kill(getpid(), SIGKILL);
    run(shared, worker, job, result);
}

static void leader_dies(void *shared, int job, void *result) {
    landed(shared, job, result);
    if (job >= death_at)
        kill(getpid(), SIGKILL);
}

/* A rank dies in the middle: the others do its jobs, and go on without it. */
static void death(const char *path) {
    struct err e;
    struct work *w = new_work("death");
    dying[0] = 1;
    if (is_leader())
        w->store = store_open(path, STORE_WRITE, &e);
    struct pool_work described = describe(w, JOBS_MAX);
    described.run = die;
    REQUIRE(pool_run(&described, &e) == JOBS_MAX);
    require_clean(w, JOBS_MAX);
    REQUIRE(!is_leader() || cluster_lost(cluster) == 1);
    store_close(w->store);
    rounds_follow_each_other();
    a_stop_on_rank_0_stops_all();
}

/* All that work die. */
static void deaths(const char *argument) {
    (void)argument;
    struct err e;
    struct work *w = new_work("deaths");
    dying[0] = 1;
    dying[1] = 2;
    struct pool_work described = describe(w, JOBS_MAX);
    described.run = die;
    REQUIRE(pool_run(&described, &e) == -1);
    REQUIRE(strstr(e.text, "has died, as have all others but rank 0") != NULL);
    REQUIRE(cluster_lost(cluster) == 2);
}

/* Rank 0 dies: the others fail, and none waits for ever. */
static void leaderless(const char *argument) {
    (void)argument;
    struct err e;
    struct work *w = new_work("leaderless");
    struct pool_work described = describe(w, JOBS_MAX);
    described.landed = leader_dies;
    for (int i = 0; i < 2; i++) {
        REQUIRE(pool_run(&described, &e) == -1);
        REQUIRE(strcmp(e.text, "rank 0 has died") == 0);
    }
}

/* ---- lifelines ---- */

/* Polls until that rank's end is closed; false after `ms`. */
static bool gets_cut(struct lifeline *line, int rank, int ms) {
    for (int waited = 0; waited <= ms; waited += 5) {
        lifeline_look(line);
        if (lifeline_is_cut(line, rank))
            return true;
        nap(5);
    }
    return false;
}

/* Connects and disconnects; rank 0 has time to see both. */
static void visit(struct lifeline *hub, int rank, const struct text *address) {
    struct lifeline *visitor = lifeline_connect(rank, address);
    REQUIRE(visitor != NULL);
    REQUIRE(!gets_cut(hub, 3, 50));
    lifeline_close(visitor);
}

/* The end of a rank is detected; the end of a stranger, or of a program with a forged rank, is not. */
static void lifelines(const char *argument) {
    (void)argument;
    scenario = "lifelines";
    struct text address = {0}, forged = {0};
    struct lifeline *hub = lifeline_listen(4, true, &address);
    struct lifeline *one = lifeline_connect(1, &address), *two = lifeline_connect(2, &address);
    REQUIRE(hub != NULL && one != NULL && two != NULL);
    REQUIRE(!gets_cut(hub, 1, 50) && !gets_cut(two, 0, 0));
    lifeline_close(one);
    REQUIRE(gets_cut(hub, 1, 10000));
    text_add_bytes(&forged, address.data, address.size);
    forged.data[0] ^= 1; /* of the token */
    visit(hub, 3, &forged);
    visit(hub, 2, &address);
    visit(hub, 4, &address);
    visit(hub, -1, &address);
    REQUIRE(!gets_cut(hub, 2, 200) && !lifeline_is_cut(hub, 3) && !lifeline_is_cut(hub, 0));
    text_add_string(&forged, "x");
    REQUIRE(lifeline_connect(3, &forged) == NULL);
    lifeline_close(hub);
    REQUIRE(gets_cut(two, 0, 10000));
    lifeline_close(two);
    REQUIRE(!lifeline_is_cut(NULL, 1));
    text_done(&address);
    text_done(&forged);
}

/* A rank without memory for a message cannot continue, nor leave in order: it ends all ranks. */
static void shortage(const char *argument) {
    (void)argument;
    scenario = "shortage";
    enum { SIZE = 1 << 20 };
    struct text bytes = {0};
    struct err e;
    if (cluster_rank(cluster) == 0) {
        for (int i = 0; i < SIZE; i++)
            text_add_bytes(&bytes, "x", 1);
        cluster_share(cluster, &bytes, &e);
    } else {
        mem_fail_at(1);
        REQUIRE(!cluster_share(cluster, &bytes, &e));
        REQUIRE(strcmp(e.text, "not enough memory for a message of 1048576 bytes from rank 0") == 0);
        printf("rank 1 lacks memory\n");
        fflush(stdout);
    }
    text_done(&bytes);
}

static bool count_game(void *context, const struct store_game *game, struct err *e) {
    (void)game, (void)e;
    ++*(int *)context;
    return true;
}

/* A killed rank may still hold the store's lock for a moment after mpirun has ended. */
static struct store *open_after_death(const char *path) {
    struct err e;
    struct store *store = store_open(path, STORE_WRITE, &e);
    for (int tries = 0; store == NULL && tries < 1000; tries++) {
        const struct timespec pause = {.tv_nsec = 20000000};
        nanosleep(&pause, NULL);
        store = store_open(path, STORE_WRITE, &e);
    }
    if (store == NULL)
        fprintf(stderr, "%s\n", e.text);
    return store;
}

/* Checks the store that is left, without a cluster. */
static int autopsy(const char *path) {
    struct err e;
    int count = 0;
    const struct store_visit visit = {.game = count_game, .context = &count};
    struct store *store = open_after_death(path);
    REQUIRE(store != NULL);
    REQUIRE(store_check(store, &e));
    REQUIRE(store_visit_games(store, &visit, &e));
    store_close(store);
    printf("%d games are safe\n", count);
    return count == JOBS_MAX ? 0 : count >= 50 ? 3 : 1;
}

/* The same check as the program's own hook. */
static void end_without_memory(void) {
    _exit(1);
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        void (*run)(const char *argument);
    } runs[] = {{"all", all},     {"alone", alone},   {"leave", leave},           {"lifelines", lifelines},
                {"death", death}, {"deaths", deaths}, {"leaderless", leaderless}, {"shortage", shortage}};
    struct err e = {0};
    REQUIRE(argc == 3);
    if (strcmp(argv[1], "autopsy") == 0)
        return autopsy(argv[2]);
    REQUIRE(cluster_is_built());
    mem_set_hook(end_without_memory);
    mem_fail_at(strcmp(argv[2], "at once") == 0 ? 1 : 0);
    cluster = cluster_open(&e);
    REQUIRE(cluster != NULL);
    bool found = false;
    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++)
        if (strcmp(argv[1], runs[i].name) == 0) {
            runs[i].run(argv[2]);
            found = true;
        }
    REQUIRE(found);
    cluster_close(cluster);
    printf("%s is done\n", argv[1]);
    return 0;
}
