/* SPDX-License-Identifier: MIT
 *
 * `senjutsu bench`: how fast this build is on this machine, and the signature that pure speed must not
 * change. Every number is the best of several measurements, so that other load on the machine disturbs it
 * least. Every part prints lines, or adds to a JSON value.
 */
#include "base/mem.h"
#include "cli/cli.h"
#include "config.h"
#include "evolve/genome.h"
#include "evolve/judge.h"
#include "evolve/recipe.h"
#include "exact/form.h"
#include "game/tbs/tbs.h"
#include "geister/policy.h"
#include "geister/purple.h"
#include "match/signature.h"
#include "player/player.h"
#include "pool/pool.h"
#include "store/store.h"
#include "tournament/run.h"

#include <assert.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Every measurement is repeated until its time is over or Ctrl-C ends it. */
static bool goes_on(int64_t begin, double seconds) {
    return clock_seconds_since(cli_clock(), begin) < seconds && !atomic_load(&cli_stop);
}

/* ---- searches ---- */

/* The best of several searches from the same state with the same seed. */
struct search_speed {
    double work_per_second, leaf_ns;
};

static bool measure_player(const char *spec, const struct game *game, const void *state, double seconds,
                           struct search_speed *best, struct err *e) {
    struct player *player = player_open(spec, game, e);
    if (player == NULL)
        return false;
    *best = (struct search_speed){.leaf_ns = 1e300};
    const int64_t begin = clock_now_ns(cli_clock());
    do {
        struct rng r;
        struct answer answer;
        rng_seed(&r, 1);
        const struct position_ask ask = {
            .game = game, .state = state, .budget = {.stop = &cli_stop, .clock = cli_clock()}, .rng = &r};
        const int64_t start = clock_now_ns(cli_clock());
        player_choose_in(player, &ask, &answer);
        const double spent = clock_seconds_since(cli_clock(), start);
        best->work_per_second = fmax(best->work_per_second, (double)answer.work_done / spent);
        if (answer.leaves > 0)
            best->leaf_ns = fmin(best->leaf_ns, spent * 1e9 / (double)answer.leaves);
    } while (goes_on(begin, seconds));
    player_close(player);
    return true;
}

/* ---- searches: the tactical game ---- */

/* How much work a second, on the start of the 8 x 8 map; how long a whole turn takes on the position in which
 * one turn wins (see maps/paper_fig8.tbsmap); and how late answers come on the largest map when time is
 * short. */

/* Specs with one and two threads are adjacent, so that the second line can print the ratio. */
static const char *const rate_players[] = {
    "uct:sims=80000",          "uct:sims=80000,threads=2",
    "pwuct:sims=80000",        "pwuct:sims=80000,threads=2",
    "dlmc:turns=500,sims=100", "dlmc:turns=500,sims=100,threads=2",
    "muct:sims=2000",
};

static const char *const turn_players[] = {"uct:sims=20000,horizon=1,cut=loss",
                                           "pwuct:sims=20000,horizon=1,cut=loss", "aas", "dlmc:horizon=1",
                                           "minmax:depth=1"};

static bool bench_rates(const struct scenario *scenario, double seconds, json_t *json, struct err *e) {
    _Alignas(16) unsigned char state[GAME_STATE_MAX];
    double before = 0;
    scenario->game->start(state, scenario, NULL);
    if (json == NULL)
        printf("simulations of the searching players, standard8\n");
    for (size_t i = 0; i < sizeof rate_players / sizeof rate_players[0] && !atomic_load(&cli_stop); i++) {
        struct search_speed f;
        if (!measure_player(rate_players[i], scenario->game, state, seconds, &f, e))
            return false;
        if (json != NULL)
            json_array_append_new(json, json_pack("{ss ss sf}", "player", rate_players[i], "map", "standard8",
                                                  "work_per_second", f.work_per_second));
        else
            printf("  %-36s %10.0f a second", rate_players[i], f.work_per_second);
        if (json == NULL && i % 2 == 1 && before > 0)
            printf("  %.2f times one thread", f.work_per_second / before);
        if (json == NULL)
            puts("");
        fflush(stdout);
        before = f.work_per_second;
    }
    return true;
}

/* Plays complete first turns; the fastest counts. */
static bool bench_turns(const struct scenario *scenario, double seconds, json_t *json, struct err *e) {
    const struct game *game = scenario->game;
    if (json == NULL)
        printf("a whole turn, paper_fig8\n");
    for (size_t i = 0; i < sizeof turn_players / sizeof turn_players[0] && !atomic_load(&cli_stop); i++) {
        struct player *player = player_open(turn_players[i], game, e);
        if (player == NULL)
            return false;
        double best = 1e300; /* in milliseconds */
        const int64_t begin = clock_now_ns(cli_clock());
        do {
            struct rng r;
            struct answer answer;
            _Alignas(16) unsigned char state[GAME_STATE_MAX];
            rng_seed(&r, 1);
            game->start(state, scenario, NULL);
            const int turn = game->turn(state);
            const int64_t start = clock_now_ns(cli_clock());
            for (int taken = 0; game->mover(state) != NOBODY && game->turn(state) == turn; taken++) {
                const struct position_ask ask = {.game = game,
                                                 .state = state,
                                                 .taken = taken,
                                                 .budget = {.stop = &cli_stop, .clock = cli_clock()},
                                                 .rng = &r};
                player_choose_in(player, &ask, &answer);
                game->play(state, answer.chosen, &r);
            }
            best = fmin(best, clock_seconds_since(cli_clock(), start) * 1e3);
        } while (goes_on(begin, seconds));
        if (json != NULL)
            json_array_append_new(json, json_pack("{ss ss sf}", "player", turn_players[i], "map",
                                                  "paper_fig8", "ms_per_turn", best));
        else
            printf("  %-36s %10.3f ms a turn\n", turn_players[i], best);
        fflush(stdout);
        player_close(player);
    }
    return true;
}

/* ---- searches: delays ---- */

enum { OVERRUN_LIMIT_MS = 50, OVERRUN_ASKS = 3 };

/* In addition to every player with default options: specs that need much more than the time limit. */
static const char *const slow_players[] = {"dlmc:sims=1000000", "muct:sims=1000000", "minmax:depth=4"};

/* Asks about positions of a random game, each with the same limit, and reports the largest delay. */
static void bench_overrun(const char *spec, const struct scenario *scenario, json_t *json) {
    const struct game *game = scenario->game;
    struct player *player = player_open(spec, game, NULL);
    if (player == NULL)
        return;       /* plays other games, or is an external program */
    double worst = 0; /* in milliseconds */
    struct rng r;
    _Alignas(16) unsigned char state[GAME_STATE_MAX];
    rng_seed(&r, 1);
    game->start(state, scenario, &r);
    for (int i = 0; i < OVERRUN_ASKS && game->mover(state) != NOBODY && !atomic_load(&cli_stop); i++) {
        struct answer answer;
        const int64_t start = clock_now_ns(cli_clock()), limit = OVERRUN_LIMIT_MS * INT64_C(1000000);
        const struct budget budget = {
            .stop = &cli_stop, .clock = cli_clock(), .time_ns_max = limit, .deadline_ns = start + limit};
        player_choose_in(player,
                         &(struct position_ask){.game = game, .state = state, .budget = budget, .rng = &r},
                         &answer);
        worst = fmax(worst, clock_seconds_since(cli_clock(), start) * 1e3 - OVERRUN_LIMIT_MS);
        if (answer.fault != PLAYER_FAULT_NONE)
            break;
        const int turn = game->turn(state); /* finish the turn at random */
        while (game->mover(state) != NOBODY && game->turn(state) == turn)
            game->rollouts[0].run(state, &r, 1);
    }
    player_close(player);
    if (json != NULL)
        json_array_append_new(json, json_pack("{ss ss si sf}", "player", spec, "map", "largest", "limit_ms",
                                              OVERRUN_LIMIT_MS, "overrun_ms", worst));
    else
        printf("  %-36s %10.1f ms\n", spec, worst);
    fflush(stdout);
}

static bool bench_searches(double seconds, json_t *json, struct err *e) {
    static const char *const names[] = {"standard8", "paper_fig8", "largest"};
    bool ok = true;
    for (int i = 0; ok && i < 3; i++) {
        struct scenario *scenario = cli_load_map(names[i], NULL, e);
        if (scenario == NULL)
            return false;
        if (i < 2)
            ok = (i == 0 ? bench_rates : bench_turns)(scenario, seconds, json, e);
        else if (json == NULL)
            printf("latest answer beyond a limit of %d ms, largest\n", OVERRUN_LIMIT_MS);
        for (int p = 0; i == 2 && player_types[p] != NULL && !atomic_load(&cli_stop); p++)
            bench_overrun(player_types[p]->name, scenario, json);
        for (size_t p = 0;
             i == 2 && p < sizeof slow_players / sizeof slow_players[0] && !atomic_load(&cli_stop); p++)
            bench_overrun(slow_players[p], scenario, json);
        scenario->game->unload(scenario);
    }
    return ok;
}

/* ---- hidden information ---- */

/* Playouts of the synthetic trees, leaves and simulations of the players that search over worlds, and
 * iterations of the exact solver, on a tree of the standard size. */

enum { HIDDEN_BATCH = 1024, FORM_SEED = 1, ITERATIONS = 1000 };

static const char tree_spec[] = "synth:tree=1";

static const char *const hidden_players[] = {
    "pimc:sims=100000", "iimc:sims=2000", "amcts:constant=100,rule=always", "ismcts", "ismcts:sims=100000"};

/* Measures a playout: copy of the start, actions to the end, payoff. */
static double measure_playout(const struct game *game, const void *root, double seconds) {
    _Alignas(16) unsigned char state[GAME_STATE_MAX];
    struct rng r;
    double best = 1e300, sum = 0;
    rng_seed(&r, 1);
    const int64_t begin = clock_now_ns(cli_clock());
    do {
        const int64_t batch_begin = clock_now_ns(cli_clock());
        for (int i = 0; i < HIDDEN_BATCH; i++) {
            memcpy(state, root, game->state_size);
            game->rollouts[0].run(state, &r, 0);
            sum += game->payoff(state, 0);
        }
        best = fmin(best, clock_seconds_since(cli_clock(), batch_begin) * 1e9 / HIDDEN_BATCH);
    } while (goes_on(begin, seconds));
    return sum >= 0 ? best : 0; /* keeps the compiler from removing the payoffs */
}

/* Runs all iterations in one call; the gap is never small enough to stop. */
static bool bench_solver(const struct scenario *scenario, double seconds, json_t *json, struct err *e) {
    const struct cfr_options options = {.iterations_max = ITERATIONS, .gap = -1, .stop = &cli_stop};
    struct form form;
    struct cfr_result result;
    double per_second = 0, *strategy = NULL;
    bool ok = form_build(scenario, FORM_SEED, FORM_NODES_MAX, &cli_stop, &form, e) &&
              ((strategy = form_uniform(&form)) != NULL || err_set(e, "not enough memory"));
    const int64_t begin = clock_now_ns(cli_clock());
    do {
        const int64_t solve_begin = clock_now_ns(cli_clock());
        ok = ok && cfr_solve(&form, &options, strategy, &result, e);
        if (ok)
            per_second = fmax(per_second, result.iterations / clock_seconds_since(cli_clock(), solve_begin));
    } while (ok && goes_on(begin, seconds));
    mem_free(strategy);
    if (ok && json != NULL)
        json_object_set_new(json, "cfr_iterations_per_second", json_real(per_second));
    else if (ok)
        printf("  CFR+, %6u information sets         %10.0f iterations a second\n", form.set_count,
               per_second);
    form_done(&form);
    return ok || atomic_load(&cli_stop);
}

static bool bench_hidden(double seconds, json_t *json, struct err *e) {
    struct scenario *scenario = game_load_spec(tree_spec, e);
    if (scenario == NULL)
        return false;
    const struct game *game = scenario->game;
    _Alignas(16) unsigned char root[GAME_STATE_MAX];
    struct rng r;
    rng_seed(&r, FORM_SEED);
    game->start(root, scenario, &r);
    const double ns = measure_playout(game, root, seconds);
    if (json != NULL)
        json_object_set_new(json, "playout_ns", json_real(ns));
    else
        printf("hidden information, %s\n  %-36s %10.1f ns\n", tree_spec, "a random playout", ns);
    bool ok = true;
    for (size_t i = 0; ok && i < sizeof hidden_players / sizeof hidden_players[0] && !atomic_load(&cli_stop);
         i++) {
        const char *spec = hidden_players[i];
        struct search_speed f;
        ok = measure_player(spec, game, root, seconds, &f, e);
        if (ok && json != NULL)
            json_object_set_new(
                json, spec,
                json_pack("{sf sf}", "leaf_ns", f.leaf_ns, "simulations_per_second", f.work_per_second));
        else if (ok)
            printf("  %-36s %10.0f simulations a second  %7.1f ns a leaf\n", spec, f.work_per_second,
                   f.leaf_ns);
        fflush(stdout);
    }
    ok = ok && bench_solver(scenario, seconds, json, e);
    scenario->game->unload(scenario);
    return ok;
}

/* ---- Geister ---- */

/* Random games, playouts of UCT on the three models, the purple search on positions of random games, scoring
 * actions by the policy. Beside each stands the best figure measured with published programs on one core of a
 * Xeon at 2.8 GHz, where there is one. */

enum { GEISTER_BATCH = 256, POSITIONS = 64, PURPLE_DEPTH = 6, TABLE_BYTES = 4 << 20 };

/* The scenario, positions and output of the measurements. */
struct bed {
    const struct scenario *scenario;
    double seconds;
    json_t *json; /* NULL: print */
    struct geister start;
    struct geister positions[POSITIONS]; /* of random games, as views of the side to move */
};

/* One result, printed as a line or added to the object. */
struct line {
    const char *label, *name, *unit;
    double value, scale;
    const char *published; /* may be NULL */
};

static void report(const struct bed *bed, const struct line *line) {
    if (bed->json != NULL) {
        json_object_set_new(bed->json, line->name, json_real(line->value));
        return;
    }
    printf("  %-38s %9.2f %s", line->label, line->value * line->scale, line->unit);
    if (line->published != NULL)
        printf("  (published: %s)", line->published);
    printf("\n");
    fflush(stdout);
}

/* From the 11th ply on, in the middle of games. The start is that of the last game. */
static void fill_positions(struct bed *bed) {
    const struct rollout *policy = game_rollout(&geister_game, "random");
    struct rng r;
    rng_seed(&r, 7);
    for (int i = 0; i < POSITIONS;) {
        struct geister *s = &bed->positions[i];
        geister_game.start(&bed->start, bed->scenario, &r);
        for (int side = 0; side < 2; side++)
            geister_game.play(&bed->start,
                              geister_setup(geister_setup_reds((int)rng_below(&r, GEISTER_SETUPS))), &r);
        *s = bed->start;
        policy->run(s, &r, 10 + (int)rng_below(&r, 80));
        if (geister_game.mover(s) == NOBODY)
            continue;
        geister_game.hide(s, geister_game.mover(s));
        i++;
    }
}

static void bench_games(const struct bed *bed, const char *policy_name) {
    const struct rollout *policy = game_rollout(&geister_game, policy_name);
    struct rng r;
    double moves_best = 0, games_best = 0;
    rng_seed(&r, 1);
    const int64_t begin = clock_now_ns(cli_clock());
    do {
        long moves = 0;
        const int64_t batch_begin = clock_now_ns(cli_clock());
        for (int i = 0; i < GEISTER_BATCH; i++) {
            struct geister s = bed->start;
            moves += policy->run(&s, &r, 0);
        }
        const double spent = clock_seconds_since(cli_clock(), batch_begin);
        moves_best = (double)moves / spent > moves_best ? (double)moves / spent : moves_best;
        games_best = GEISTER_BATCH / spent > games_best ? GEISTER_BATCH / spent : games_best;
    } while (goes_on(begin, bed->seconds));
    const bool leaves = policy_name[0] == 'l';
    report(bed, &(struct line){leaves ? "random games that leave, moves" : "random games, moves",
                               leaves ? "leave_moves_per_second" : "random_moves_per_second",
                               "million a second", moves_best, 1e-6, leaves ? "15" : "6.9"});
    report(bed, &(struct line){leaves ? "random games that leave, games" : "random games, games",
                               leaves ? "leave_games_per_second" : "random_games_per_second",
                               "thousand a second", games_best, 1e-3, leaves ? "125 to 138" : "46"});
}

static bool bench_purple(const struct bed *bed, struct err *e) {
    struct purple *purple = purple_open(TABLE_BYTES, e);
    if (purple == NULL)
        return false;
    double best = 1e300, nodes = 0;
    const int64_t begin = clock_now_ns(cli_clock());
    do { /* all positions together, because they differ much */
        const int64_t round_begin = clock_now_ns(cli_clock());
        nodes = 0;
        for (int i = 0; i < POSITIONS && !atomic_load(&cli_stop); i++) {
            const struct geister *s = &bed->positions[i];
            struct geister_observation seen;
            struct purple_board board;
            struct purple_result result;
            geister_observe(s, geister_game.mover(s), &seen);
            purple_board_of(&seen, &board);
            purple_search(purple, &board, &(struct purple_task){.depth = PURPLE_DEPTH, .stop = &cli_stop},
                          &result);
            nodes += (double)result.nodes / POSITIONS;
        }
        const double ms = clock_seconds_since(cli_clock(), round_begin) * 1e3 / POSITIONS;
        best = ms < best ? ms : best;
    } while (goes_on(begin, bed->seconds));
    report(bed,
           &(struct line){"purple search, depth 6", "purple_ms", "ms a position", best, 1, "13.6 on others"});
    report(bed, &(struct line){"purple search, nodes", "purple_nodes", "thousand a position", nodes, 1e-3,
                               "538 on others"});
    purple_close(purple);
    return true;
}

static void bench_policy(const struct bed *bed) {
    const struct policy_weights *weights = policy_builtin();
    double best = 0, sum = 0;
    const int64_t begin = clock_now_ns(cli_clock());
    do {
        long moves = 0;
        const int64_t round_begin = clock_now_ns(cli_clock());
        for (int i = 0; i < POSITIONS; i++) {
            const struct geister *s = &bed->positions[i];
            struct geister_observation seen;
            action list[POLICY_MOVES_MAX];
            float scores[POLICY_MOVES_MAX];
            geister_observe(s, geister_game.mover(s), &seen);
            const int count = policy_moves(&seen, list);
            policy_scores(weights, &seen, list, count, scores);
            sum += (double)scores[0];
            moves += count;
        }
        const double rate = (double)moves / clock_seconds_since(cli_clock(), round_begin);
        best = rate > best && sum < 1e300 ? rate : best; /* keeps the compiler from removing the scores */
    } while (goes_on(begin, bed->seconds));
    report(bed, &(struct line){"moves scored by the policy", "policy_moves_per_second", "million a second",
                               best, 1e-6, NULL});
}

static bool bench_geister(double seconds, json_t *json, struct err *e) {
    static const struct {
        const char *spec, *name, *published;
    } probes[] = {{"gst-a", "gst_a_playouts_per_second", "58 to 74"},
                  {"gst-b", "gst_b_playouts_per_second", NULL},
                  {"gst-c", "gst_c_playouts_per_second", NULL}};
    struct scenario *scenario = game_load_spec("geister", e);
    if (scenario == NULL)
        return false;
    struct bed *bed = mem_alloc(sizeof *bed);
    bed->scenario = scenario;
    bed->seconds = seconds;
    bed->json = json;
    fill_positions(bed);
    if (json == NULL)
        printf("Geister, one core\n");
    bench_games(bed, "random");
    bench_games(bed, "leave");
    bool ok = true;
    for (size_t i = 0; ok && i < sizeof probes / sizeof probes[0] && !atomic_load(&cli_stop); i++) {
        struct search_speed f;
        char label[64];
        snprintf(label, sizeof label, "%s, 30,000 playouts from the start", probes[i].spec);
        ok = measure_player(probes[i].spec, &geister_game, &bed->start, seconds, &f, e);
        if (ok)
            report(bed, &(struct line){label, probes[i].name, "thousand playouts a second", f.work_per_second,
                                       1e-3, probes[i].published});
    }
    ok = ok && bench_purple(bed, e);
    bench_policy(bed);
    scenario->game->unload(scenario);
    mem_free(bed);
    return ok;
}

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
                                       .batch.store = store,
                                       .batch.workers = workers,
                                       .batch.clock = cli_clock(),
                                       .batch.stop = &cli_stop,
                                       .batch.date = cli_date};
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
    unlink(path);
    return ok;
}

/* A folder for stores; the caller removes it. */
static bool make_folder(char out[4096], struct err *e) {
    const char *parent = getenv("TMPDIR");
    snprintf(out, 4096, "%s/senjutsu-bench-XXXXXX", parent != NULL ? parent : "/tmp");
    return mkdtemp(out) != NULL || err_set(e, "%s: cannot be made", out);
}

/* Takes the best of several runs of each event, which other load disturbs least. */
static bool bench_events(double seconds, json_t *json, struct err *e) {
    struct event_map map = {.name = "standard"};
    const int games = seconds < SHORT_SECONDS ? GAMES_SHORT : GAMES;
    char folder[4096], path[4200];
    if (!make_folder(folder, e))
        return false;
    map.scenario = cli_load_map("standard", NULL, e);
    bool ok = map.scenario != NULL;
    if (ok && json == NULL)
        printf("events of %d games, standard, every game stored\n", games);
    for (size_t i = 0; ok && i < sizeof event_players / sizeof event_players[0] && !atomic_load(&cli_stop);
         i++) {
        const char *players = event_players[i];
        struct event event = {.maps = &map, .map_count = 1, .seed = 1};
        struct event_speed best[WORKERS_MAX] = {{0}}, one;
        event_rules_default(&event.rules);
        event.rules.games = games;
        ok = entrants_parse(players, &event, e);
        for (int run = 0; ok && run < WORKERS_MAX * REPEATS && !atomic_load(&cli_stop); run++) {
            const int workers = 1 + run / REPEATS;
            snprintf(path, sizeof path, "%s/event-%d.db", folder, run);
            ok = run_once(&event, path, workers, &one, e);
            if (ok && one.games_per_second > best[workers - 1].games_per_second)
                best[workers - 1] = one;
        }
        const double first = best[0].games_per_second;
        const double ratio = first > 0 ? best[1].games_per_second / first : 0;
        if (ok && !atomic_load(&cli_stop) && json != NULL)
            json_array_append_new(json, json_pack("{ss ss si sf sf sf}", "players", players, "map",
                                                  "standard", "games", games, "games_per_second", first,
                                                  "overhead_us_per_action", best[0].overhead_us,
                                                  "two_workers", ratio));
        else if (ok && !atomic_load(&cli_stop))
            printf("  %-36s %10.0f games/s  %.1f us an action beside thinking, two workers %.2f times one\n",
                   players, first, best[0].overhead_us, ratio);
        event.maps = NULL; /* used again */
        event_done(&event);
        fflush(stdout);
    }
    if (map.scenario != NULL)
        map.scenario->game->unload(map.scenario);
    rmdir(folder);
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

static void add_thinking(void *context, const struct sample_game *sample) {
    double *thinking = context;
    *thinking += (double)(sample->outcome.think_ns[0] + sample->outcome.think_ns[1]) * 1e-9;
}

/* Takes the best of several rounds, which other load disturbs least. An extra round opens the players. */
static bool time_judging(struct judging *j, struct err *e) {
    const int half = j->plan.recipe.games / 2;
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
    bool ok = evaluator != NULL, complete = true;
    for (int round = 0; ok && round <= ROUNDS; round++) {
        const int64_t begin = clock_now_ns(cli_clock());
        thinking = 0;
        for (int i = 0; ok && complete && i < j->count; i++) {
            struct judgement judgement = {0};
            struct request requests[SAMPLE_KINDS];
            const struct request of = {.id = i, .map = &j->maps[i], .into = &judgement};
            const int count = request_more(&of, (int[SAMPLE_KINDS]){half, half, 0}, requests);
            ok = evaluator_play(evaluator, requests, count, &complete, e);
        }
        const double seconds = clock_seconds_since(cli_clock(), begin) / j->count;
        if (round == 1 || (round > 1 && seconds < j->costs.judging)) {
            j->costs.judging = seconds;
            j->costs.thinking = thinking / j->count;
        }
    }
    evaluator_close(evaluator);
    return ok;
}

/* Stores games with a record of the usual size. */
static bool time_storing(struct judging *j, struct err *e) {
    char folder[4096], path[4200];
    if (!make_folder(folder, e))
        return false;
    snprintf(path, sizeof path, "%s/trials.db", folder);
    struct store *store = store_open(path, STORE_WRITE, e);
    struct text record = {0};
    bool ok = store != NULL;
    text_add(&record, "%03000d", 0);
    const int64_t begin = clock_now_ns(cli_clock());
    for (int i = 0; ok && i < STORED; i++)
        ok = store_add_game(
            store,
            &(struct store_game){.number = i,
                                 .map = i,
                                 .outcome = {.payoff = 1, .forfeiter = NOBODY, .result = "red limit"},
                                 .note = "{}",
                                 .record = text_string(&record),
                                 .finished = ""},
            e);
    j->costs.storing = clock_seconds_since(cli_clock(), begin) * j->plan.recipe.games / STORED;
    text_done(&record);
    store_close(store);
    unlink(path);
    rmdir(folder);
    return ok;
}

static bool bench_judging(double seconds, json_t *json, struct err *e) {
    struct judging j = {.count = seconds < SHORT_SECONDS ? MAPS_SHORT : MAPS};
    struct costs *c = &j.costs;
    struct recipe recipe;
    struct rng r;
    if (!recipe_preset(&recipe, "paper", e) || !recipe_plan(&recipe, &j.plan, e))
        return false;
    recipe = j.plan.recipe;
    rng_seed(&r, 1);
    for (int i = 0; i < j.count; i++) {
        struct genome genome;
        genome_random(&j.plan.space, &r, &genome);
        genome_to_map(&j.plan.space, &genome, &j.maps[i]);
    }
    int64_t begin = clock_now_ns(cli_clock());
    struct player *strong = player_open(recipe.strong, &tbs_game, e);
    struct player *weak = player_open(recipe.weak, &tbs_game, e);
    const bool opened = strong != NULL && weak != NULL;
    c->opening = clock_seconds_since(cli_clock(), begin);
    player_close(strong);
    player_close(weak);
    if (!opened || !time_judging(&j, e))
        return false;
    begin = clock_now_ns(cli_clock());
    for (int i = 0; i < j.count; i++) {
        struct scenario *scenario = tbs_scenario_make(&j.maps[i], j.plan.rules, TBS_PATH_AUTO, e);
        if (scenario == NULL)
            return false;
        scenario->game->unload(scenario);
    }
    c->scenarios = clock_seconds_since(cli_clock(), begin) / j.count;
    if (!time_storing(&j, e))
        return false;
    c->beside = fmax(0, c->judging - c->thinking - c->scenarios);
    const double all = c->thinking + c->beside + c->scenarios + c->storing;
    if (atomic_load(&cli_stop))
        return true;
    if (json != NULL) {
        json_object_update_new(
            json, json_pack("{ss ss si si sf sf sf sf sf sf sf}", "strong", recipe.strong, "weak",
                            recipe.weak, "games", recipe.games, "maps", j.count, "ms_per_map",
                            c->judging * 1e3, "times_platform", PLATFORM_SECONDS / c->judging, "thinking_ms",
                            c->thinking * 1e3, "beside_ms", c->beside * 1e3, "store_ms", c->storing * 1e3,
                            "scenario_ms", c->scenarios * 1e3, "opening_ms", c->opening * 1e3));
        return true;
    }
    printf("judging a map as published: %d games of %s against %s, %d x %d cells, mean over %d random maps\n",
           recipe.games, recipe.strong, recipe.weak, recipe.space.width, recipe.space.height, j.count);
    printf("  one core                     %8.1f ms a map  %8.1f maps/s  %.0f times the platform's %.0f s\n",
           c->judging * 1e3, 1 / c->judging, PLATFORM_SECONDS / c->judging, PLATFORM_SECONDS);
    printf("  thinking %.2f%%, rules and records %.2f%%, store %.2f%%, tables of the map %.3f%%; opening the "
           "players %.2f ms once\n",
           100 * c->thinking / all, 100 * c->beside / all, 100 * c->storing / all, 100 * c->scenarios / all,
           c->opening * 1e3);
    return true;
}

/* ---- speed of the rules ---- */

enum { SLICES = 5, BATCH = 20 };

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

/* Plays complete random games in slices; the best slice counts. */
static struct speed best_playouts(const struct scenario *scenario, double seconds, uint64_t stream) {
    const struct game *game = scenario->game;
    _Alignas(64) unsigned char start[GAME_STATE_MAX], state[GAME_STATE_MAX];
    struct rng r;
    struct speed best = {0};
    rng_seed_stream(&r, 1, stream);
    for (int slice = 0; slice < SLICES; slice++) {
        long actions = 0, played = 0;
        double spent;
        game->start(start, scenario, &r);
        const int64_t begin = clock_now_ns(cli_clock());
        do {
            for (int i = 0; i < BATCH; i++) {
                memcpy(state, start, game->state_size);
                actions += game->rollouts[0].run(state, &r, 0);
            }
            played += BATCH;
            spent = clock_seconds_since(cli_clock(), begin);
        } while (spent < seconds / SLICES && !atomic_load(&cli_stop));
        if ((double)actions / spent > best.actions_per_second)
            best = (struct speed){(double)actions / spent, (double)played / spent,
                                  spent * 1e9 / (double)actions};
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
    const size_t size = row->scenario->game->state_size;
    _Alignas(64) unsigned char state[GAME_STATE_MAX];
    long copies = 0;
    const int64_t begin = clock_now_ns(cli_clock());
    double spent;
    do {
        for (int i = 0; i < 16 * POSITIONS; i++) {
            memcpy(state, positions + (size_t)(i % POSITIONS) * GAME_STATE_MAX, size);
            __asm__ volatile("" : : "r"(state) : "memory"); /* keeps the compiler from removing the copy */
        }
        copies += 16 * POSITIONS;
        spent = clock_seconds_since(cli_clock(), begin);
    } while (spent < seconds && !atomic_load(&cli_stop));
    row->copy_ns = spent * 1e9 / (double)copies;
}

static void measure(struct row *row, double seconds) {
    const struct game *game = row->scenario->game;
    unsigned char *positions = mem_alloc((size_t)POSITIONS * GAME_STATE_MAX);
    action *list = mem_alloc((size_t)game->actions_max * sizeof *list);
    struct rng r;
    row->one = best_playouts(row->scenario, seconds, 0);
    row->all = all_cores(row->scenario, seconds);
    rng_seed(&r, 7);
    game->start(positions, row->scenario, &r);
    for (int i = 1; i < POSITIONS; i++) { /* of random games */
        unsigned char *next = positions + (size_t)i * GAME_STATE_MAX;
        memcpy(next, next - GAME_STATE_MAX, game->state_size);
        game->rollouts[0].run(next, &r, 1);
        if (game->mover(next) == NOBODY)
            game->start(next, row->scenario, &r);
    }
    measure_generation(row, seconds / SLICES, positions, list);
    measure_copying(row, seconds / SLICES, positions);
    mem_free(positions);
    mem_free(list);
}

/* ---- signature ---- */

static bool compute_signature(uint64_t *out, struct err *e) {
    enum { MAPS_SIGNED = sizeof signature_maps / sizeof signature_maps[0] };
    enum { COUNT = MAPS_SIGNED + sizeof signature_games / sizeof signature_games[0] };
    struct scenario *scenarios[COUNT];
    bool ok = true;
    int loaded = 0;
    for (; ok && loaded < COUNT; loaded += ok) {
        scenarios[loaded] = loaded < MAPS_SIGNED ? cli_load_map(signature_maps[loaded], NULL, e)
                                                 : game_load_spec(signature_games[loaded - MAPS_SIGNED], e);
        ok = scenarios[loaded] != NULL;
    }
    ok = ok && signature_compute(scenarios, COUNT, out, e);
    for (int i = 0; i < loaded; i++)
        scenarios[i]->game->unload(scenarios[i]);
    return ok;
}

struct bench {
    const char *map, *rules;
    double seconds;
    bool json, only_signature;
};

/* ---- the command ---- */

/* Measures one map, or the small, the medium and the large one. `root` is NULL without --json. */
static bool bench_rules(const struct bench *b, json_t *root, struct err *e) {
    const int count = b->map != NULL ? 1 : (int)(sizeof standard_rows / sizeof standard_rows[0]);
    for (int i = 0; i < count && !atomic_load(&cli_stop); i++) {
        struct row row = {.label = standard_rows[i].label,
                          .map = b->map != NULL ? b->map : standard_rows[i].map};
        const struct speed *one = &row.one, *all = &row.all;
        row.scenario = cli_load_map(row.map, b->rules, e);
        if (row.scenario == NULL)
            return false;
        const struct game *game = row.scenario->game;
        const struct tbs_map *map = tbs_scenario_map(row.scenario);
        if (b->map != NULL)
            row.label = tbs_scenario_is_wide(row.scenario) ? "large" : "small";
        measure(&row, b->seconds);
        if (root != NULL) {
            json_t *fields = json_pack(
                "{sf sf sf ss ss s{sf sf sf si} sf sf sf}", "unit_actions_per_second",
                one->actions_per_second, "games_per_second", one->games_per_second, "ns_per_action",
                one->ns_per_action, "map", row.map, "game", game->name, "all_cores",
                "unit_actions_per_second", all->actions_per_second, "games_per_second", all->games_per_second,
                "ns_per_action", all->ns_per_action, "threads", cli_cores(), "generation_ns",
                row.generation_ns, "actions_per_position", row.actions_per_call, "copy_ns", row.copy_ns);
            json_object_set_new(root, row.label, fields);
        } else {
            printf("%s: %s, %d x %d cells, %d and %d units, %zu bytes a state (%s)\n", row.label, row.map,
                   map->width - 2, map->height - 2, tbs_map_side_units(map, TBS_RED),
                   tbs_map_side_units(map, TBS_BLUE), game->state_size, game->name);
            printf("  random playouts, one core    %8.2f million actions/s  %10.0f games/s  %7.1f ns an "
                   "action\n",
                   one->actions_per_second * 1e-6, one->games_per_second, one->ns_per_action);
            printf("  random playouts, %d cores     %8.2f million actions/s  %10.0f games/s  %7.2f times one "
                   "core\n",
                   cli_cores(), all->actions_per_second * 1e-6, all->games_per_second,
                   all->actions_per_second / one->actions_per_second);
            printf("  listing all legal actions    %8.1f ns for %.0f actions, %.2f ns each\n",
                   row.generation_ns, row.actions_per_call, row.generation_ns / row.actions_per_call);
            printf("  copying a state              %8.1f ns\n", row.copy_ns);
            fflush(stdout);
        }
        row.scenario->game->unload(row.scenario);
    }
    return true;
}

static int run_bench(const struct cli_command *self, const struct bench *b, json_t *root) {
    static const struct {
        const char *name;
        bool (*run)(double seconds, json_t *json, struct err *e);
        bool is_list; /* in JSON an array; otherwise an object */
    } parts[] = {{"searches", bench_searches, true},
                 {"events", bench_events, true},
                 {"judging", bench_judging, false},
                 {"hidden", bench_hidden, false},
                 {"geister", bench_geister, false}};
    struct err e;
    uint64_t signature;
    bool ok = b->only_signature || bench_rules(b, root, &e);
    for (size_t i = 0; ok && i < sizeof parts / sizeof parts[0]; i++) {
        json_t *part = root == NULL ? NULL : parts[i].is_list ? json_array() : json_object();
        if (root != NULL)
            json_object_set_new(root, parts[i].name, part);
        ok = b->only_signature || b->map != NULL || parts[i].run(b->seconds, part, &e);
    }
    if (ok && atomic_load(&cli_stop))
        ok = err_set(&e, "stopped");
    if (!ok || !compute_signature(&signature, &e))
        return cli_fail(self, CLI_FAILED, "%s", e.text);
    if (root == NULL) {
        printf("signature %016" PRIx64 "\n", signature);
        return cli_finish_output(self) ? CLI_OK : CLI_FAILED;
    }
    char hex[24];
    snprintf(hex, sizeof hex, "%016" PRIx64, signature);
    json_object_update_new(root, json_pack("{ss ss ss ss}", "signature", hex, "version", SENJUTSU_VERSION,
                                           "compiler", SENJUTSU_COMPILER, "build", SENJUTSU_BUILD));
    return cli_print_json(self, json_incref(root)) ? CLI_OK : CLI_FAILED;
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
    if (tbs_read_rules(b.rules, &e) == NULL)
        return cli_fail(self, CLI_USAGE, "%s", e.text);
    cli_catch_interrupt();
    json_t *root = b.json ? json_object() : NULL;
    status = run_bench(self, &b, root);
    json_decref(root);
    return status;
}
