/* SPDX-License-Identifier: MIT
 *
 * `senjutsu bench`: how fast this build is on this machine, and the signature that pure speed must not
 * change. Every figure is the best of several slices, so that other load on the machine disturbs it least.
 */
#include "cli/bench.h"

#include "base/mem.h"
#include "cli/cli.h"
#include "config.h"
#include "game/tbs/tbs.h"
#include "match/signature.h"
#include "pool/pool.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

enum { SLICES = 5, BATCH = 20, ROWS_MAX = 4 };

/* The maps of a plain run, and the fixed ones the signature is made of. */
static const struct {
    const char *label, *map;
} standard_rows[] = {{"small", "standard"}, {"medium", "standard8"}, {"large", "battle30"}};

static const char *const signature_maps[] = {"duel", "standard", "standard8", "battle30"};

/* The games without maps that it is made of, too: those in which something is hidden. */
static const char *const signature_games[] = {"synth", "synth:df=0.2,depth=5,branching=3,uncorr=mirror",
                                              "fusion", "kuhn", "geister"};

struct figures {
    double actions_per_second, games_per_second, ns_per_action;
};

struct row {
    const char *label, *map;
    struct scenario *scenario;
    struct figures one, all;
    double generation_ns; /* one call of `actions` */
    double actions_per_call;
    double copy_ns;
};

/* ---- playouts ---- */

/* Plays whole random games for `seconds`; returns unit actions and games. */
static void play_slice(const struct scenario *scenario, double seconds, struct rng *r, struct figures *out) {
    const struct game *game = scenario->game;
    _Alignas(64) unsigned char start[GAME_STATE_MAX], state[GAME_STATE_MAX];
    game->start(start, scenario, r);
    long actions = 0, played = 0;
    const int64_t begin = clock_now_ns(cli_clock());
    double spent;
    do {
        for (int i = 0; i < BATCH; i++) {
            memcpy(state, start, game->state_size);
            actions += game->rollouts[0].run(state, r, 0);
        }
        played += BATCH;
        spent = clock_seconds_since(cli_clock(), begin);
    } while (spent < seconds && !atomic_load(&cli_stop));
    *out = (struct figures){(double)actions / spent, (double)played / spent, spent * 1e9 / (double)actions};
}

static struct figures best_playouts(const struct scenario *scenario, double seconds, uint64_t stream) {
    struct rng r;
    struct figures best = {0}, slice;
    rng_seed_stream(&r, 1, stream);
    for (int i = 0; i < SLICES; i++) {
        play_slice(scenario, seconds / SLICES, &r, &slice);
        if (slice.actions_per_second > best.actions_per_second)
            best = slice;
    }
    return best;
}

/* All cores: one job a core, each with its own stream; their speeds are added up. */
struct together {
    const struct scenario *scenario;
    double seconds;
    struct figures sum;
};

static void run_worker(void *shared, void *worker, int job, void *result) {
    (void)worker;
    const struct together *t = shared;
    *(struct figures *)result = best_playouts(t->scenario, t->seconds, (uint64_t)job);
}

static void take_worker(void *shared, int job, void *result) {
    (void)job;
    struct together *t = shared;
    const struct figures *f = result;
    t->sum.actions_per_second += f->actions_per_second;
    t->sum.games_per_second += f->games_per_second;
}

static struct figures all_cores(const struct scenario *scenario, double seconds) {
    struct together t = {.scenario = scenario, .seconds = seconds};
    const struct pool_work work = {
        .jobs = cli_cores(),
        .workers = cli_cores(),
        .shared = &t,
        .result_size = sizeof(struct figures),
        .run = run_worker,
        .take = take_worker,
    };
    if (pool_run(&work, NULL) > 0 && t.sum.actions_per_second > 0)
        t.sum.ns_per_action = 1e9 / t.sum.actions_per_second;
    return t.sum;
}

/* ---- generation and copying ---- */

/* Positions of one random game, to generate actions in. */
enum { POSITIONS = 64 };

static void fill_positions(const struct scenario *scenario, unsigned char *positions) {
    const struct game *game = scenario->game;
    struct rng r;
    rng_seed(&r, 7);
    game->start(positions, scenario, &r);
    for (int i = 1; i < POSITIONS; i++) {
        unsigned char *next = positions + (size_t)i * GAME_STATE_MAX;
        memcpy(next, next - GAME_STATE_MAX, game->state_size);
        game->rollouts[0].run(next, &r, 1);
        if (game->mover(next) == NOBODY)
            game->start(next, scenario, &r);
    }
}

static void measure_generation(struct row *row, double seconds, const unsigned char *positions,
                               action *list) {
    const struct game *game = row->scenario->game;
    long calls = 0, listed = 0;
    const int64_t begin = clock_now_ns(cli_clock());
    double spent;
    do {
        for (int i = 0; i < POSITIONS; i++)
            listed += game->actions(positions + (size_t)i * GAME_STATE_MAX, list);
        calls += POSITIONS;
        spent = clock_seconds_since(cli_clock(), begin);
    } while (spent < seconds && !atomic_load(&cli_stop));
    row->generation_ns = spent * 1e9 / (double)calls;
    row->actions_per_call = (double)listed / (double)calls;
}

static void measure_copying(struct row *row, double seconds, const unsigned char *positions) {
    const struct game *game = row->scenario->game;
    _Alignas(64) unsigned char state[GAME_STATE_MAX];
    long copies = 0;
    const int64_t begin = clock_now_ns(cli_clock());
    double spent;
    do {
        for (int i = 0; i < 16 * POSITIONS; i++) {
            memcpy(state, positions + (size_t)(i % POSITIONS) * GAME_STATE_MAX, game->state_size);
            __asm__ volatile("" : : "r"(state) : "memory"); /* the copy must happen */
        }
        copies += 16 * POSITIONS;
        spent = clock_seconds_since(cli_clock(), begin);
    } while (spent < seconds && !atomic_load(&cli_stop));
    row->copy_ns = spent * 1e9 / (double)copies;
}

static bool measure(struct row *row, double seconds) {
    unsigned char *positions = mem_alloc((size_t)POSITIONS * GAME_STATE_MAX);
    action *list = mem_alloc((size_t)row->scenario->game->actions_max * sizeof *list);
    const bool ok = positions != NULL && list != NULL;
    if (ok) {
        row->one = best_playouts(row->scenario, seconds, 0);
        row->all = all_cores(row->scenario, seconds);
        fill_positions(row->scenario, positions);
        measure_generation(row, seconds / SLICES, positions, list);
        measure_copying(row, seconds / SLICES, positions);
    }
    mem_free(positions);
    mem_free(list);
    return ok;
}

/* ---- signature ---- */

static struct scenario *load_for_signature(int i, struct err *e) {
    const int maps = sizeof signature_maps / sizeof signature_maps[0];
    return i < maps ? cli_load_map(signature_maps[i], NULL, e) : game_load_spec(signature_games[i - maps], e);
}

static bool compute_signature(uint64_t *out, struct err *e) {
    enum {
        COUNT = sizeof signature_maps / sizeof signature_maps[0] +
                sizeof signature_games / sizeof signature_games[0]
    };
    struct scenario *scenarios[COUNT];
    int loaded = 0;
    while (loaded < COUNT && (scenarios[loaded] = load_for_signature(loaded, e)) != NULL)
        loaded++;
    const bool ok = loaded == COUNT && signature_compute(scenarios, COUNT, out, e);
    while (loaded > 0) {
        loaded--;
        scenarios[loaded]->game->unload(scenarios[loaded]);
    }
    return ok;
}

struct bench {
    const char *map, *rules;
    double seconds;
    bool json, only_signature;
    int count;
    struct row rows[ROWS_MAX];
    json_t *searches, *events, *judging, *hidden, *geister; /* NULL without --json */
};

/* ---- output ---- */

static void print_row(const struct row *row) {
    const struct tbs_map *map = tbs_scenario_map(row->scenario);
    printf("%s: %s, %d x %d cells, %d and %d units, %zu bytes a state (%s)\n", row->label, row->map,
           map->width - 2, map->height - 2, tbs_map_side_units(map, TBS_RED),
           tbs_map_side_units(map, TBS_BLUE), row->scenario->game->state_size, row->scenario->game->name);
    printf("  random playouts, one core    %8.2f million actions/s  %10.0f games/s  %7.1f ns an action\n",
           row->one.actions_per_second * 1e-6, row->one.games_per_second, row->one.ns_per_action);
    printf("  random playouts, %d cores     %8.2f million actions/s  %10.0f games/s  %7.2f times one core\n",
           cli_cores(), row->all.actions_per_second * 1e-6, row->all.games_per_second,
           row->all.actions_per_second / row->one.actions_per_second);
    printf("  listing all legal actions    %8.1f ns for %.0f actions, %.2f ns each\n", row->generation_ns,
           row->actions_per_call, row->generation_ns / row->actions_per_call);
    printf("  copying a state              %8.1f ns\n", row->copy_ns);
}

static json_t *figures_json(const struct figures *f) {
    return json_pack("{sf sf sf}", "unit_actions_per_second", f->actions_per_second, "games_per_second",
                     f->games_per_second, "ns_per_action", f->ns_per_action);
}

static json_t *row_json(const struct row *row) {
    json_t *object = figures_json(&row->one);
    json_t *all = figures_json(&row->all);
    json_object_set_new(all, "threads", json_integer(cli_cores()));
    json_object_set_new(object, "map", json_string(row->map));
    json_object_set_new(object, "game", json_string(row->scenario->game->name));
    json_object_set_new(object, "all_cores", all);
    json_object_set_new(object, "generation_ns", json_real(row->generation_ns));
    json_object_set_new(object, "actions_per_position", json_real(row->actions_per_call));
    json_object_set_new(object, "copy_ns", json_real(row->copy_ns));
    return object;
}

static bool print_json(const struct cli_command *self, const struct bench *b, uint64_t signature) {
    char hex[24];
    snprintf(hex, sizeof hex, "%016" PRIx64, signature);
    json_t *root = json_object();
    for (int i = 0; i < b->count; i++)
        json_object_set_new(root, b->rows[i].label, row_json(&b->rows[i]));
    json_object_set(root, "searches", b->searches);
    json_object_set(root, "events", b->events);
    json_object_set(root, "judging", b->judging);
    json_object_set(root, "hidden", b->hidden);
    json_object_set(root, "geister", b->geister);
    json_object_set_new(root, "signature", json_string(hex));
    json_object_set_new(root, "version", json_string(SENJUTSU_VERSION));
    json_object_set_new(root, "compiler", json_string(SENJUTSU_COMPILER));
    json_object_set_new(root, "build", json_string(SENJUTSU_BUILD));
    return cli_print_json(self, root);
}

/* ---- the command ---- */

static bool load_rows(struct bench *b, struct err *e) {
    const int wanted = b->map != NULL ? 1 : (int)(sizeof standard_rows / sizeof standard_rows[0]);
    for (int i = 0; i < wanted; i++) {
        struct row *row = &b->rows[b->count];
        row->map = b->map != NULL ? b->map : standard_rows[i].map;
        row->scenario = cli_load_map(row->map, b->rules, e);
        if (row->scenario == NULL)
            return false;
        row->label = b->map == NULL                        ? standard_rows[i].label
                     : tbs_scenario_is_wide(row->scenario) ? "large"
                                                           : "small";
        b->count++;
    }
    return true;
}

static int run_bench(const struct cli_command *self, struct bench *b) {
    struct err e;
    uint64_t signature;
    if (!b->only_signature && !load_rows(b, &e))
        return cli_fail(self, CLI_FAILED, "%s", e.text);
    for (int i = 0; i < b->count && !atomic_load(&cli_stop); i++) {
        if (!measure(&b->rows[i], b->seconds))
            return cli_fail(self, CLI_FAILED, "not enough memory");
        if (!b->json)
            print_row(&b->rows[i]);
        fflush(stdout);
    }
    bool ok = b->only_signature || b->map != NULL ||
              (bench_searches(b->seconds, b->searches, &e) && bench_events(b->seconds, b->events, &e) &&
               bench_judging(b->seconds, b->judging, &e) && bench_hidden(b->seconds, b->hidden, &e) &&
               bench_geister(b->seconds, b->geister, &e));
    if (ok && atomic_load(&cli_stop))
        ok = err_set(&e, "stopped");
    if (!ok || !compute_signature(&signature, &e))
        return cli_fail(self, CLI_FAILED, "%s", e.text);
    if (b->json)
        return print_json(self, b, signature) ? CLI_OK : CLI_FAILED;
    printf("signature %016" PRIx64 "\n", signature);
    return cli_finish_output(self) ? CLI_OK : CLI_FAILED;
}

int cli_bench(const struct cli_command *self, int argc, char **argv) {
    struct bench b = {.rules = "tubstap", .seconds = 1};
    const struct cli_option options[] = {
        {"map", CLI_TEXT, &b.map, "FILE", "this map alone, instead of a small, a medium and a large one"},
        {"rules", CLI_TEXT, &b.rules, "SET", "tubstap or paper"},
        {"seconds", CLI_REAL, &b.seconds, "S", "for each measurement", 0.01, 3600},
        {"signature", CLI_FLAG, &b.only_signature, NULL, "only the signature, no timing"},
        {"json", CLI_FLAG, &b.json, NULL, "for scripts"},
        {0},
    };
    int status;
    if (!cli_parse_options(self, options, argc, argv, &status))
        return status;
    struct err e;
    if (!cli_check_rules(b.rules, &e))
        return cli_fail(self, CLI_USAGE, "%s", e.text);
    cli_catch_interrupt();
    if (b.json) {
        b.searches = json_array();
        b.events = json_array();
        b.judging = json_object();
        b.hidden = json_object();
        b.geister = json_object();
    }
    status = run_bench(self, &b);
    json_decref(b.searches);
    json_decref(b.events);
    json_decref(b.judging);
    json_decref(b.hidden);
    json_decref(b.geister);
    for (int i = 0; i < b.count; i++)
        b.rows[i].scenario->game->unload(b.rows[i].scenario);
    return status;
}
