/* SPDX-License-Identifier: MIT
 *
 * The parts of `senjutsu bench` that measure searches: those of the tactical game, of games with hidden
 * information and of Geister. Every part prints lines, or adds to a JSON value.
 */
#include "base/mem.h"
#include "cli/bench.h"
#include "cli/cli.h"
#include "exact/strategy.h"
#include "geister/policy.h"
#include "geister/purple.h"
#include "player/player.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

/* Every measurement is repeated until its time is over or Ctrl-C ends it. */
static bool goes_on(int64_t begin, double seconds) {
    return clock_seconds_since(cli_clock(), begin) < seconds && !atomic_load(&cli_stop);
}

/* ---- the tactical game ---- */

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

struct search_speed {
    double work_per_second, ms;
};

/* Asks the player about the start repeatedly and takes the best slice. */
static struct search_speed measure_rate(struct player *player, const struct scenario *scenario,
                                        double seconds) {
    const struct game *game = scenario->game;
    struct search_speed best = {0};
    struct rng r;
    _Alignas(16) unsigned char state[GAME_STATE_MAX];
    game->start(state, scenario, NULL);
    const int64_t begin = clock_now_ns(cli_clock());
    do {
        rng_seed(&r, 1);
        struct answer answer;
        const struct position_ask ask = {
            .game = game, .state = state, .budget = {.stop = &cli_stop, .clock = cli_clock()}, .rng = &r};
        const int64_t start = clock_now_ns(cli_clock());
        player_choose_in(player, &ask, &answer);
        const double spent = clock_seconds_since(cli_clock(), start);
        if (answer.work_done > 0 && (double)answer.work_done / spent > best.work_per_second)
            best = (struct search_speed){(double)answer.work_done / spent, spent * 1e3};
    } while (goes_on(begin, seconds));
    return best;
}

/* Plays complete first turns and takes the fastest. */
static struct search_speed measure_turn(struct player *player, const struct scenario *scenario,
                                        double seconds) {
    const struct game *game = scenario->game;
    struct search_speed best = {.ms = 1e300};
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
        const double ms = clock_seconds_since(cli_clock(), start) * 1e3;
        if (ms < best.ms)
            best.ms = ms;
    } while (goes_on(begin, seconds));
    return best;
}

static void print_rate(const char *spec, struct search_speed f, double one_thread, json_t *json) {
    if (json != NULL) {
        json_array_append_new(json, json_pack("{ss ss sf}", "player", spec, "map", "standard8",
                                              "work_per_second", f.work_per_second));
        return;
    }
    printf("  %-36s %10.0f a second", spec, f.work_per_second);
    if (one_thread > 0)
        printf("  %.2f times one thread", f.work_per_second / one_thread);
    putchar('\n');
}

static void print_turn(const char *spec, struct search_speed f, json_t *json) {
    if (json != NULL)
        json_array_append_new(
            json, json_pack("{ss ss sf}", "player", spec, "map", "paper_fig8", "ms_per_turn", f.ms));
    else
        printf("  %-36s %10.3f ms a turn\n", spec, f.ms);
}

static bool bench_rates(const struct scenario *scenario, double seconds, json_t *json, struct err *e) {
    double before = 0;
    if (json == NULL)
        printf("simulations of the searching players, standard8\n");
    for (size_t i = 0; i < sizeof rate_players / sizeof rate_players[0] && !atomic_load(&cli_stop); i++) {
        struct player *player = player_open(rate_players[i], scenario->game, e);
        if (player == NULL)
            return false;
        const struct search_speed f = measure_rate(player, scenario, seconds);
        print_rate(rate_players[i], f, i % 2 == 1 ? before : 0, json);
        fflush(stdout);
        before = f.work_per_second;
        player_close(player);
    }
    return true;
}

static bool bench_turns(const struct scenario *scenario, double seconds, json_t *json, struct err *e) {
    if (json == NULL)
        printf("a whole turn, paper_fig8\n");
    for (size_t i = 0; i < sizeof turn_players / sizeof turn_players[0] && !atomic_load(&cli_stop); i++) {
        struct player *player = player_open(turn_players[i], scenario->game, e);
        if (player == NULL)
            return false;
        print_turn(turn_players[i], measure_turn(player, scenario, seconds), json);
        fflush(stdout);
        player_close(player);
    }
    return true;
}

/* ---- the tactical game: delays ---- */

enum { OVERRUN_LIMIT_MS = 50, OVERRUN_ASKS = 3 };

/* In addition to every player with default options: specs that need much more than the time limit. */
static const char *const slow_players[] = {"dlmc:sims=1000000", "muct:sims=1000000", "minmax:depth=4"};

/* Asks about positions of a random game, each with the same limit. Returns the largest delay in
 * milliseconds. */
static double worst_overrun(struct player *player, const struct scenario *scenario) {
    const struct game *game = scenario->game;
    double worst = 0;
    struct rng r;
    _Alignas(16) unsigned char state[GAME_STATE_MAX];
    rng_seed(&r, 1);
    game->start(state, scenario, &r);
    for (int i = 0; i < OVERRUN_ASKS && game->mover(state) != NOBODY && !atomic_load(&cli_stop); i++) {
        struct answer answer;
        const int64_t start = clock_now_ns(cli_clock()), limit = OVERRUN_LIMIT_MS * INT64_C(1000000);
        const struct position_ask ask = {.game = game,
                                         .state = state,
                                         .budget = {.stop = &cli_stop,
                                                    .clock = cli_clock(),
                                                    .time_ns_max = limit,
                                                    .deadline_ns = start + limit},
                                         .rng = &r};
        player_choose_in(player, &ask, &answer);
        const double late = clock_seconds_since(cli_clock(), start) * 1e3 - OVERRUN_LIMIT_MS;
        worst = late > worst ? late : worst;
        if (answer.fault != PLAYER_FAULT_NONE)
            break;
        const int turn = game->turn(state); /* finish the turn at random */
        while (game->mover(state) != NOBODY && game->turn(state) == turn)
            game->rollouts[0].run(state, &r, 1);
    }
    return worst;
}

static void bench_overrun(const char *spec, const struct scenario *scenario, json_t *json) {
    struct player *player = player_open(spec, scenario->game, NULL);
    if (player == NULL)
        return; /* plays other games, or is an external program */
    const double worst = worst_overrun(player, scenario);
    player_close(player);
    if (json != NULL)
        json_array_append_new(json, json_pack("{ss ss si sf}", "player", spec, "map", "largest", "limit_ms",
                                              OVERRUN_LIMIT_MS, "overrun_ms", worst));
    else
        printf("  %-36s %10.1f ms\n", spec, worst);
    fflush(stdout);
}

static void bench_overruns(const struct scenario *scenario, json_t *json) {
    if (json == NULL)
        printf("latest answer beyond a limit of %d ms, largest\n", OVERRUN_LIMIT_MS);
    for (int i = 0; player_types[i] != NULL && !atomic_load(&cli_stop); i++)
        bench_overrun(player_types[i]->name, scenario, json);
    for (size_t i = 0; i < sizeof slow_players / sizeof slow_players[0] && !atomic_load(&cli_stop); i++)
        bench_overrun(slow_players[i], scenario, json);
}

bool bench_searches(double seconds, json_t *json, struct err *e) {
    struct scenario *large = cli_load_map("standard8", NULL, e), *puzzle = NULL;
    bool ok = large != NULL && bench_rates(large, seconds, json, e);
    if (ok)
        puzzle = cli_load_map("paper_fig8", NULL, e);
    ok = puzzle != NULL && bench_turns(puzzle, seconds, json, e);
    struct scenario *largest = ok ? cli_load_map("largest", NULL, e) : NULL;
    ok = largest != NULL;
    if (ok) {
        bench_overruns(largest, json);
        largest->game->unload(largest);
    }
    if (puzzle != NULL)
        puzzle->game->unload(puzzle);
    if (large != NULL)
        large->game->unload(large);
    return ok;
}

/* ---- hidden information ---- */

/* Playouts of the synthetic trees, leaves and simulations of the players that search over worlds, and
 * iterations of the exact solver, on a tree of the standard size. */

enum { HIDDEN_BATCH = 1024, FORM_SEED = 1, ITERATIONS = 1000 };

static const char tree_spec[] = "synth:tree=1";

static const char *const players[] = {"pimc:sims=100000", "iimc:sims=2000", "amcts:constant=100,rule=always",
                                      "ismcts", "ismcts:sims=100000"};

/* The best of several measurements. */
struct cost {
    double leaf_ns, work_per_second;
};

static void start(const struct scenario *scenario, void *state) {
    struct rng r;
    rng_seed(&r, FORM_SEED);
    scenario->game->start(state, scenario, &r);
}

/* Measures a playout: copy of the start, actions to the end, payoff. */
static double measure_playout(const struct scenario *scenario, double seconds) {
    const struct game *game = scenario->game;
    _Alignas(16) unsigned char root[GAME_STATE_MAX], state[GAME_STATE_MAX];
    struct rng r;
    double best = 1e300, sum = 0;
    rng_seed(&r, 1);
    start(scenario, root);
    const int64_t begin = clock_now_ns(cli_clock());
    do {
        const int64_t batch_begin = clock_now_ns(cli_clock());
        for (int i = 0; i < HIDDEN_BATCH; i++) {
            memcpy(state, root, game->state_size);
            game->rollouts[0].run(state, &r, 0);
            sum += game->payoff(state, 0);
        }
        const double ns = clock_seconds_since(cli_clock(), batch_begin) * 1e9 / HIDDEN_BATCH;
        if (ns < best)
            best = ns;
    } while (goes_on(begin, seconds));
    return sum >= 0 ? best : 0; /* keeps the compiler from removing the payoffs */
}

static struct cost measure_player(struct player *player, const struct scenario *scenario, double seconds) {
    _Alignas(16) unsigned char root[GAME_STATE_MAX];
    struct cost best = {.leaf_ns = 1e300};
    start(scenario, root);
    const int64_t begin = clock_now_ns(cli_clock());
    do {
        struct rng r;
        struct answer answer;
        rng_seed(&r, 1);
        const struct position_ask ask = {.game = scenario->game,
                                         .state = root,
                                         .budget = {.stop = &cli_stop, .clock = cli_clock()},
                                         .rng = &r};
        const int64_t ask_begin = clock_now_ns(cli_clock());
        player_choose_in(player, &ask, &answer);
        const double spent = clock_seconds_since(cli_clock(), ask_begin);
        if (answer.leaves > 0 && spent * 1e9 / (double)answer.leaves < best.leaf_ns)
            best = (struct cost){spent * 1e9 / (double)answer.leaves, (double)answer.work_done / spent};
    } while (goes_on(begin, seconds));
    return best;
}

static bool bench_hidden_players(const struct scenario *scenario, double seconds, json_t *json,
                                 struct err *e) {
    for (size_t i = 0; i < sizeof players / sizeof players[0] && !atomic_load(&cli_stop); i++) {
        struct player *player = player_open(players[i], scenario->game, e);
        if (player == NULL)
            return false;
        const struct cost c = measure_player(player, scenario, seconds);
        if (json != NULL)
            json_object_set_new(
                json, players[i],
                json_pack("{sf sf}", "leaf_ns", c.leaf_ns, "simulations_per_second", c.work_per_second));
        else
            printf("  %-36s %10.0f simulations a second  %7.1f ns a leaf\n", players[i], c.work_per_second,
                   c.leaf_ns);
        fflush(stdout);
        player_close(player);
    }
    return true;
}

/* Runs all iterations in one call; the gap is never small enough to stop. */
static bool measure_solver(const struct form *form, double seconds, double *per_second, struct err *e) {
    const struct cfr_options options = {.iterations_max = ITERATIONS, .gap = -1, .stop = &cli_stop};
    struct cfr_result result;
    double *strategy = form_uniform(form);
    bool ok = strategy != NULL || err_set(e, "not enough memory");
    const int64_t begin = clock_now_ns(cli_clock());
    *per_second = 0;
    do {
        const int64_t solve_begin = clock_now_ns(cli_clock());
        ok = ok && cfr_solve(form, &options, strategy, &result, e);
        const double spent = clock_seconds_since(cli_clock(), solve_begin);
        if (ok && result.iterations / spent > *per_second)
            *per_second = result.iterations / spent;
    } while (ok && goes_on(begin, seconds));
    mem_free(strategy);
    return ok;
}

static bool bench_solver(const struct scenario *scenario, double seconds, json_t *json, struct err *e) {
    struct form form;
    double per_second = 0;
    const bool ok = form_build(scenario, FORM_SEED, FORM_NODES_MAX, &cli_stop, &form, e) &&
                    measure_solver(&form, seconds, &per_second, e);
    if (ok && json != NULL)
        json_object_set_new(json, "cfr_iterations_per_second", json_real(per_second));
    else if (ok)
        printf("  CFR+, %6u information sets         %10.0f iterations a second\n", form.set_count,
               per_second);
    form_done(&form);
    return ok || atomic_load(&cli_stop);
}

bool bench_hidden(double seconds, json_t *json, struct err *e) {
    struct scenario *scenario = game_load_spec(tree_spec, e);
    if (scenario == NULL)
        return false;
    const double ns = measure_playout(scenario, seconds);
    if (json != NULL)
        json_object_set_new(json, "playout_ns", json_real(ns));
    else
        printf("hidden information, %s\n  %-36s %10.1f ns\n", tree_spec, "a random playout", ns);
    const bool ok =
        bench_hidden_players(scenario, seconds, json, e) && bench_solver(scenario, seconds, json, e);
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

/* ---- Geister: positions ---- */

static void set_up_start(struct bed *bed, struct rng *r) {
    geister_game.start(&bed->start, bed->scenario, r);
    for (int side = 0; side < 2; side++)
        geister_game.play(&bed->start, geister_setup(geister_setup_reds((int)rng_below(r, GEISTER_SETUPS))),
                          r);
}

/* From the 11th ply on, in the middle of games. */
static void fill_positions(struct bed *bed) {
    const struct rollout *policy = game_rollout(&geister_game, "random");
    struct rng r;
    rng_seed(&r, 7);
    for (int i = 0; i < POSITIONS;) {
        struct geister *s = &bed->positions[i];
        set_up_start(bed, &r);
        *s = bed->start;
        const int plies = 10 + (int)rng_below(&r, 80);
        policy->run(s, &r, plies);
        if (geister_game.mover(s) == NOBODY)
            continue;
        geister_game.hide(s, geister_game.mover(s));
        i++;
    }
}

/* ---- Geister: random games ---- */

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

/* ---- Geister: players ---- */

struct probe {
    const char *spec, *name, *published;
};

static const struct probe probes[] = {{"gst-a", "gst_a_playouts_per_second", "58 to 74"},
                                      {"gst-b", "gst_b_playouts_per_second", NULL},
                                      {"gst-c", "gst_c_playouts_per_second", NULL}};

static bool bench_player(const struct bed *bed, const struct probe *probe, struct err *e) {
    struct player *player = player_open(probe->spec, &geister_game, e);
    if (player == NULL)
        return false;
    double best = 0;
    const int64_t begin = clock_now_ns(cli_clock());
    do {
        struct rng r;
        struct answer answer;
        rng_seed(&r, 1);
        const struct position_ask ask = {.game = &geister_game,
                                         .state = &bed->start,
                                         .budget = {.stop = &cli_stop, .clock = cli_clock()},
                                         .rng = &r};
        const int64_t ask_begin = clock_now_ns(cli_clock());
        player_choose_in(player, &ask, &answer);
        const double rate = (double)answer.work_done / clock_seconds_since(cli_clock(), ask_begin);
        best = rate > best ? rate : best;
    } while (goes_on(begin, bed->seconds));
    char label[64];
    snprintf(label, sizeof label, "%s, 30,000 playouts from the start", probe->spec);
    report(bed,
           &(struct line){label, probe->name, "thousand playouts a second", best, 1e-3, probe->published});
    player_close(player);
    return true;
}

/* ---- Geister: the purple search ---- */

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

/* ---- Geister: the policy ---- */

static double score_all(const struct bed *bed, long *moves) {
    const struct policy_weights *weights = policy_builtin();
    double sum = 0;
    for (int i = 0; i < POSITIONS; i++) {
        const struct geister *s = &bed->positions[i];
        struct geister_observation seen;
        action list[POLICY_MOVES_MAX];
        float scores[POLICY_MOVES_MAX];
        geister_observe(s, geister_game.mover(s), &seen);
        const int count = policy_moves(&seen, list);
        policy_scores(weights, &seen, list, count, scores);
        sum += (double)scores[0];
        *moves += count;
    }
    return sum;
}

static void bench_policy(const struct bed *bed) {
    double best = 0, sum = 0;
    const int64_t begin = clock_now_ns(cli_clock());
    do {
        long moves = 0;
        const int64_t round_begin = clock_now_ns(cli_clock());
        sum += score_all(bed, &moves);
        const double rate = (double)moves / clock_seconds_since(cli_clock(), round_begin);
        best = rate > best && sum < 1e300 ? rate : best; /* keeps the compiler from removing the scores */
    } while (goes_on(begin, bed->seconds));
    report(bed, &(struct line){"moves scored by the policy", "policy_moves_per_second", "million a second",
                               best, 1e-6, NULL});
}

bool bench_geister(double seconds, json_t *json, struct err *e) {
    struct bed *bed = mem_alloc(sizeof *bed);
    struct scenario *scenario = game_load_spec("geister", e);
    bool ok = scenario != NULL;
    if (ok) {
        bed->scenario = scenario;
        bed->seconds = seconds;
        bed->json = json;
        fill_positions(bed);
        if (json == NULL)
            printf("Geister, one core\n");
        bench_games(bed, "random");
        bench_games(bed, "leave");
        for (size_t i = 0; ok && i < sizeof probes / sizeof probes[0] && !atomic_load(&cli_stop); i++)
            ok = bench_player(bed, &probes[i], e);
        ok = ok && bench_purple(bed, e);
        bench_policy(bed);
        scenario->game->unload(scenario);
    }
    mem_free(bed);
    return ok;
}
