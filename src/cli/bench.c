/* SPDX-License-Identifier: MIT
 *
 * `senjutsu bench`: how fast this build is on this machine, and the signature that pure speed must not
 * change. Every figure is the best of several slices, so that other load on the machine disturbs it least.
 * The searches are in bench_searches.c.
 */
#include "cli/bench.h"

#include "base/mem.h"
#include "cli/cli.h"
#include "config.h"
#include "evolve/evaluator.h"
#include "evolve/genome.h"
#include "evolve/recipe.h"
#include "evolve/sample_game.h"
#include "game/tbs/tbs.h"
#include "match/signature.h"
#include "pool/pool.h"
#include "store/store.h"
#include "tournament/event.h"
#include "tournament/run.h"

#include <assert.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- events ---- */

/* The cost of an event beside thinking: referee, records, store. And whether two workers are twice as fast as
 * one. */

/* Short runs play fewer games. */
enum { GAMES = 1000, GAMES_SHORT = 40, WORKERS_MAX = 2, REPEATS = 3 };

#define SHORT_SECONDS 0.2

static const char *const event_players[] = {"acteval,random", "uct:sims=60,acteval"};

struct event_speed {
    double games_per_second;
    double overhead_us; /* per action: everything except the players' thinking, with one worker */
};

static bool run_once(const struct event *event, const char *path, int workers, struct event_speed *out,
                     struct err *e) {
    struct store *store = store_open(path, STORE_WRITE, e);
    if (store == NULL)
        return false;
    struct games games;
    bool complete;
    const struct tournament_run run = {.event = event,
                                       .store = store,
                                       .workers = workers,
                                       .clock = cli_clock(),
                                       .stop = &cli_stop,
                                       .date = cli_date};
    games_init(&games);
    const int64_t begin = clock_now_ns(cli_clock());
    const bool ok = tournament_play(&run, &games, &complete, e);
    store_close(store);
    const double seconds = clock_seconds_since(cli_clock(), begin);
    double thinking = 0, actions = 0;
    for (int i = 0; ok && i < games.count; i++) {
        thinking += (double)(games.outcomes[i].think_ns[0] + games.outcomes[i].think_ns[1]) * 1e-9;
        actions += games.outcomes[i].actions;
    }
    *out = (struct event_speed){games.count / seconds, (seconds - thinking) * 1e6 / actions};
    games_done(&games);
    return ok;
}

/* Takes the best of several runs, which other load disturbs least. */
static bool measure_event(const struct event *event, const char *folder, int workers,
                          struct event_speed *best, struct err *e) {
    char path[4200];
    bool ok = true;
    *best = (struct event_speed){0};
    for (int i = 0; ok && i < REPEATS && !atomic_load(&cli_stop); i++) {
        struct event_speed f;
        snprintf(path, sizeof path, "%s/event-%d-%d.db", folder, workers, i);
        ok = run_once(event, path, workers, &f, e);
        unlink(path);
        if (ok && f.games_per_second > best->games_per_second)
            *best = f;
    }
    return ok;
}

static void print_event(const struct event *event, const char *players, const struct event_speed *f,
                        json_t *json) {
    const double ratio = f[0].games_per_second > 0 ? f[1].games_per_second / f[0].games_per_second : 0;
    if (json != NULL)
        json_array_append_new(json,
                              json_pack("{ss ss si sf sf sf}", "players", players, "map", "standard", "games",
                                        event->rules.games, "games_per_second", f[0].games_per_second,
                                        "overhead_us_per_action", f[0].overhead_us, "two_workers", ratio));
    else
        printf("  %-36s %10.0f games/s  %.1f us an action beside thinking, two workers %.2f times one\n",
               players, f[0].games_per_second, f[0].overhead_us, ratio);
}

struct place {
    struct event_map map;
    char folder[4096]; /* for stores */
    int games;
};

static bool bench_event(const char *players, struct place *place, json_t *json, struct err *e) {
    struct event event = {.maps = &place->map, .map_count = 1, .seed = 1};
    struct event_speed speeds[WORKERS_MAX];
    event_rules_default(&event.rules);
    event.rules.games = place->games;
    bool ok = entrants_parse(players, &event, e);
    for (int workers = 1; ok && workers <= WORKERS_MAX; workers++)
        ok = measure_event(&event, place->folder, workers, &speeds[workers - 1], e);
    if (ok && !atomic_load(&cli_stop))
        print_event(&event, players, speeds, json);
    event.maps = NULL; /* owned by the caller */
    event_done(&event);
    return ok;
}

static bool bench_events(double seconds, json_t *json, struct err *e) {
    const char *parent = getenv("TMPDIR");
    struct place place = {.map = {.name = "standard"},
                          .games = seconds < SHORT_SECONDS ? GAMES_SHORT : GAMES};
    snprintf(place.folder, sizeof place.folder, "%s/senjutsu-bench-XXXXXX", parent != NULL ? parent : "/tmp");
    if (mkdtemp(place.folder) == NULL)
        return err_set(e, "%s: cannot be made", place.folder);
    place.map.scenario = cli_load_map("standard", NULL, e);
    bool ok = place.map.scenario != NULL;
    if (ok && json == NULL)
        printf("events of %d games, standard, every game stored\n", place.games);
    for (size_t i = 0; ok && i < sizeof event_players / sizeof event_players[0] && !atomic_load(&cli_stop);
         i++) {
        ok = bench_event(event_players[i], &place, json, e);
        fflush(stdout);
    }
    if (place.map.scenario != NULL)
        place.map.scenario->game->unload(place.map.scenario);
    rmdir(place.folder);
    return ok;
}

/* ---- judging maps ---- */

/* The cost of judging a map, as published: ten games of M-UCT with 250 simulations against M-UCT with 10 on
 * random maps of 6 x 6 cells. And where the time goes beside thinking. */

/* Short runs judge fewer maps. */
enum { MAPS = 8, MAPS_SHORT = 2, ROUNDS = 3, STORED = 200 };

/* Time of the platform for one map, on the machine of bench/README.md. */
#define PLATFORM_SECONDS 22.0

/* Seconds per map, except `opening`. */
struct costs {
    double judging;   /* by an evaluator with open players */
    double thinking;  /* of its games */
    double beside;    /* rules, referee, record, statistics of the game */
    double scenarios; /* tables made from the map */
    double storing;   /* when every game is stored */
    double opening;   /* of both players, once per run */
};

struct judging {
    struct plan plan;
    int count;
    struct tbs_map maps[MAPS];
    struct costs costs;
};

static bool make_maps(struct judging *j, double seconds, struct err *e) {
    struct recipe recipe;
    struct genome genome;
    struct rng r;
    if (!recipe_preset(&recipe, "paper", e) || !recipe_plan(&recipe, &j->plan, e))
        return false;
    j->count = seconds < SHORT_SECONDS ? MAPS_SHORT : MAPS;
    rng_seed(&r, 1);
    for (int i = 0; i < j->count; i++) {
        genome_random(&j->plan.space, &r, &genome);
        genome_to_map(&j->plan.space, &genome, &j->maps[i]);
    }
    return true;
}

/* ---- judging maps: total ---- */

static bool judge_all(const struct judging *j, struct evaluator *evaluator, struct err *e) {
    const int half = j->plan.recipe.games / 2;
    bool ok = true, complete = true;
    for (int i = 0; ok && complete && i < j->count; i++) {
        struct judgement judgement = {0};
        struct request requests[SAMPLE_KINDS];
        const struct request of = {.id = i, .map = &j->maps[i], .into = &judgement};
        const int count = request_more(&of, (int[SAMPLE_KINDS]){half, half, 0}, requests);
        ok = evaluator_play(evaluator, requests, count, &complete, e);
    }
    return ok;
}

static void add_thinking(void *context, const struct sample_game *sample) {
    double *thinking = context;
    *thinking += (double)(sample->outcome.think_ns[0] + sample->outcome.think_ns[1]) * 1e-9;
}

/* Takes the best of several rounds, which other load disturbs least. An extra round opens the players. */
static bool time_judging(struct judging *j, struct err *e) {
    double thinking = 0;
    const struct evaluator_setup setup = {.rules = j->plan.rules,
                                          .strong = j->plan.recipe.strong,
                                          .weak = j->plan.recipe.weak,
                                          .seed = 1,
                                          .workers = 1,
                                          .clock = cli_clock(),
                                          .stop = &cli_stop,
                                          .on_result = add_thinking,
                                          .context = &thinking};
    struct evaluator *evaluator = evaluator_open(&setup, e);
    bool ok = evaluator != NULL;
    for (int round = 0; ok && round <= ROUNDS; round++) {
        const int64_t begin = clock_now_ns(cli_clock());
        thinking = 0;
        ok = judge_all(j, evaluator, e);
        const double seconds = clock_seconds_since(cli_clock(), begin) / j->count;
        if (round == 1 || (round > 1 && seconds < j->costs.judging)) {
            j->costs.judging = seconds;
            j->costs.thinking = thinking / j->count;
        }
    }
    evaluator_close(evaluator);
    return ok;
}

/* ---- judging maps: its parts ---- */

static bool time_scenarios(struct judging *j, struct err *e) {
    const int64_t begin = clock_now_ns(cli_clock());
    for (int i = 0; i < j->count; i++) {
        struct scenario *scenario = tbs_scenario_make(&j->maps[i], j->plan.rules, TBS_PATH_AUTO, e);
        if (scenario == NULL)
            return false;
        scenario->game->unload(scenario);
    }
    j->costs.scenarios = clock_seconds_since(cli_clock(), begin) / j->count;
    j->costs.beside = fmax(0, j->costs.judging - j->costs.thinking - j->costs.scenarios);
    return true;
}

static bool time_opening(struct judging *j, struct err *e) {
    const int64_t begin = clock_now_ns(cli_clock());
    struct player *strong = player_open(j->plan.recipe.strong, &tbs_game, e);
    struct player *weak = player_open(j->plan.recipe.weak, &tbs_game, e);
    j->costs.opening = clock_seconds_since(cli_clock(), begin);
    player_close(strong);
    player_close(weak);
    return strong != NULL && weak != NULL;
}

/* Games with a record of the usual size. */
static bool store_games(struct judging *j, struct store *store, struct err *e) {
    struct text record = {0};
    bool ok = true;
    text_add(&record, "%03000d", 0);
    const int64_t begin = clock_now_ns(cli_clock());
    for (int i = 0; ok && i < STORED; i++) {
        const struct store_game game = {.number = i,
                                        .map = i,
                                        .outcome = {.payoff = 1, .forfeiter = NOBODY, .result = "red limit"},
                                        .note = "{}",
                                        .record = text_string(&record),
                                        .finished = ""};
        ok = store_add_game(store, &game, e);
    }
    j->costs.storing = clock_seconds_since(cli_clock(), begin) * j->plan.recipe.games / STORED;
    text_done(&record);
    return ok;
}

static bool time_storing(struct judging *j, struct err *e) {
    const char *parent = getenv("TMPDIR");
    char folder[4096], path[4200];
    snprintf(folder, sizeof folder, "%s/senjutsu-bench-XXXXXX", parent != NULL ? parent : "/tmp");
    if (mkdtemp(folder) == NULL)
        return err_set(e, "%s: cannot be made", folder);
    snprintf(path, sizeof path, "%s/trials.db", folder);
    struct store *store = store_open(path, STORE_WRITE, e);
    const bool ok = store != NULL && store_games(j, store, e);
    store_close(store);
    unlink(path);
    rmdir(folder);
    return ok;
}

/* ---- judging maps: output ---- */

static void print_costs(const struct judging *j) {
    const struct costs *c = &j->costs;
    const struct recipe *r = &j->plan.recipe;
    const double all = c->thinking + c->beside + c->scenarios + c->storing;
    printf("judging a map as published: %d games of %s against %s, %d x %d cells, mean over %d random maps\n",
           r->games, r->strong, r->weak, r->width, r->height, j->count);
    printf("  one core                     %8.1f ms a map  %8.1f maps/s  %.0f times the platform's %.0f s\n",
           c->judging * 1e3, 1 / c->judging, PLATFORM_SECONDS / c->judging, PLATFORM_SECONDS);
    printf("  thinking %.2f%%, rules and records %.2f%%, store %.2f%%, tables of the map %.3f%%; opening the "
           "players %.2f ms once\n",
           100 * c->thinking / all, 100 * c->beside / all, 100 * c->storing / all, 100 * c->scenarios / all,
           c->opening * 1e3);
}

static void fill_json(const struct judging *j, json_t *out) {
    const struct costs *c = &j->costs;
    const struct recipe *r = &j->plan.recipe;
    json_t *object = json_pack("{ss ss si si sf sf sf sf sf sf sf}", "strong", r->strong, "weak", r->weak,
                               "games", r->games, "maps", j->count, "ms_per_map", c->judging * 1e3,
                               "times_platform", PLATFORM_SECONDS / c->judging, "thinking_ms",
                               c->thinking * 1e3, "beside_ms", c->beside * 1e3, "store_ms", c->storing * 1e3,
                               "scenario_ms", c->scenarios * 1e3, "opening_ms", c->opening * 1e3);
    json_object_update(out, object);
    json_decref(object);
}

static bool bench_judging(double seconds, json_t *json, struct err *e) {
    struct judging j = {0};
    if (!make_maps(&j, seconds, e) || !time_opening(&j, e) || !time_judging(&j, e) ||
        !time_scenarios(&j, e) || !time_storing(&j, e))
        return false;
    if (atomic_load(&cli_stop))
        return true;
    if (json != NULL)
        fill_json(&j, json);
    else
        print_costs(&j);
    return true;
}

/* ---- speed of the rules ---- */

enum { SLICES = 5, BATCH = 20, ROWS_MAX = 4 };

/* The maps that are measured by default, and those of the signature. */
static const struct {
    const char *label, *map;
} standard_rows[] = {{"small", "standard"}, {"medium", "standard8"}, {"large", "battle30"}};

static const char *const signature_maps[] = {"duel", "standard", "standard8", "battle30"};

/* The games without maps in the signature: those with hidden information. */
static const char *const signature_games[] = {"synth", "synth:df=0.2,depth=5,branching=3,uncorr=mirror",
                                              "fusion", "kuhn", "geister"};

struct speed {
    double actions_per_second, games_per_second, ns_per_action;
};

struct row {
    const char *label, *map;
    struct scenario *scenario;
    struct speed one, all;
    double generation_ns; /* one call of `actions` */
    double actions_per_call;
    double copy_ns;
};

/* ---- playouts ---- */

/* Plays complete random games for `seconds`; fills actions and games per second. */
static void play_slice(const struct scenario *scenario, double seconds, struct rng *r, struct speed *out) {
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
    *out = (struct speed){(double)actions / spent, (double)played / spent, spent * 1e9 / (double)actions};
}

static struct speed best_playouts(const struct scenario *scenario, double seconds, uint64_t stream) {
    struct rng r;
    struct speed best = {0}, slice;
    rng_seed_stream(&r, 1, stream);
    for (int i = 0; i < SLICES; i++) {
        play_slice(scenario, seconds / SLICES, &r, &slice);
        if (slice.actions_per_second > best.actions_per_second)
            best = slice;
    }
    return best;
}

/* Runs one job per core, each with its own stream; their speeds are summed. */
struct together {
    const struct scenario *scenario;
    double seconds;
    struct speed sum;
};

static void run_worker(void *shared, void *worker, int job, void *result) {
    (void)worker;
    const struct together *t = shared;
    *(struct speed *)result = best_playouts(t->scenario, t->seconds, (uint64_t)job);
}

static void take_worker(void *shared, int job, void *result) {
    (void)job;
    struct together *t = shared;
    const struct speed *f = result;
    t->sum.actions_per_second += f->actions_per_second;
    t->sum.games_per_second += f->games_per_second;
}

static struct speed all_cores(const struct scenario *scenario, double seconds) {
    struct together t = {.scenario = scenario, .seconds = seconds};
    const struct pool_work work = {
        .jobs = cli_cores(),
        .workers = cli_cores(),
        .shared = &t,
        .result_size = sizeof(struct speed),
        .run = run_worker,
        .take = take_worker,
    };
    if (pool_run(&work, NULL) > 0 && t.sum.actions_per_second > 0)
        t.sum.ns_per_action = 1e9 / t.sum.actions_per_second;
    return t.sum;
}

/* ---- generation and copying ---- */

/* Positions of one random game in which actions are generated. */
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
            __asm__ volatile("" : : "r"(state) : "memory"); /* keeps the compiler from removing the copy */
        }
        copies += 16 * POSITIONS;
        spent = clock_seconds_since(cli_clock(), begin);
    } while (spent < seconds && !atomic_load(&cli_stop));
    row->copy_ns = spent * 1e9 / (double)copies;
}

static void measure(struct row *row, double seconds) {
    unsigned char *positions = mem_alloc((size_t)POSITIONS * GAME_STATE_MAX);
    action *list = mem_alloc((size_t)row->scenario->game->actions_max * sizeof *list);
    row->one = best_playouts(row->scenario, seconds, 0);
    row->all = all_cores(row->scenario, seconds);
    fill_positions(row->scenario, positions);
    measure_generation(row, seconds / SLICES, positions, list);
    measure_copying(row, seconds / SLICES, positions);
    mem_free(positions);
    mem_free(list);
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

static json_t *speed_json(const struct speed *f) {
    return json_pack("{sf sf sf}", "unit_actions_per_second", f->actions_per_second, "games_per_second",
                     f->games_per_second, "ns_per_action", f->ns_per_action);
}

static json_t *row_json(const struct row *row) {
    json_t *object = speed_json(&row->one);
    json_t *all = speed_json(&row->all);
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
    assert(b->count == 0);
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
        measure(&b->rows[i], b->seconds);
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

#define AT(field) offsetof(struct bench, field)

static const struct param bench_params[] = {
    {"map", PARAM_STRING, AT(map), .value = "FILE",
     .help = "this map alone, instead of a small, a medium and a large one"},
    {"rules", PARAM_STRING, AT(rules), .choices = "tubstap", .value = "SET", .help = "tubstap or paper"},
    {"seconds", PARAM_REAL, AT(seconds), 0.01, 3600, 1, .value = "S", .help = "for each measurement"},
    {"signature", PARAM_FLAG, AT(only_signature), .help = "only the signature, no timing"},
    {"json", PARAM_FLAG, AT(json), .help = "for scripts"},
    {0},
};

int cli_bench(const struct cli_command *self, int argc, char **argv) {
    struct bench b = {0};
    int status;
    struct params options[] = {{bench_params, &b, 0}, {0}};
    if (!cli_parse(self, options, argc, argv, NULL, &status))
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
