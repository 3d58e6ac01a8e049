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
#include "player/player.h"
#include "pool/pool.h"
#include "store/store.h"
#include "tournament/schedule.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Adds a row to a part of the JSON result: as the next element of an array, or its members to an object.
 * Without JSON prints the line instead. Releases the row, which is NULL for a line of text alone. */
__attribute__((format(printf, 3, 4))) static void report(json_t *part, json_t *row, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    if (json_is_array(part))
        json_array_append(part, row);
    else if (part != NULL)
        json_object_update(part, row);
    else
        vprintf(format, arguments);
    fflush(stdout); /* measurements take long: each line is shown when it is known */
    va_end(arguments);
    json_decref(row);
}

/* False when the time of a measurement is over, or Ctrl-C ends it. `spent`: seconds since its begin. */
static bool goes_on(int64_t begin, double seconds, double *spent) {
    *spent = clock_seconds_since(cli_clock(), begin);
    return *spent < seconds && !atomic_load(&cli_stop);
}

/* A measurement in rounds. The best round counts, because other load only makes a round slower. */
struct rounds {
    double seconds; /* the time of all rounds together */
    int64_t begin, round_begin;
    double per_second, shortest; /* the most work per second; the seconds of the shortest round */
};

static struct rounds rounds_of(double seconds) {
    return (struct rounds){.seconds = seconds, .begin = clock_now_ns(cli_clock()), .shortest = 1e300};
}

static void round_begin(struct rounds *r) {
    r->round_begin = clock_now_ns(cli_clock());
}

/* Ends a round in which that much work was done; false after the last round. */
static bool round_end(struct rounds *r, double work) {
    double spent = clock_seconds_since(cli_clock(), r->round_begin);
    r->per_second = fmax(r->per_second, work / spent);
    r->shortest = fmin(r->shortest, spent);
    return goes_on(r->begin, r->seconds, &spent);
}

/* ---- searches ---- */

/* A player that is asked for one decision in that state, or for those of a whole turn. */
struct probe {
    const char *spec;
    const struct game *game;
    const void *state;
    bool whole_turn;
};

/* Repeats the question with the same seed, so that every round does the same work. `answer` gets the last
 * one. */
static bool measure_player(const struct probe *probe, struct rounds *rounds, struct answer *answer,
                           struct err *e) {
    const struct game *game = probe->game;
    struct player *player = player_open(probe->spec, game, e);
    if (player == NULL)
        return false;
    do {
        _Alignas(16) unsigned char state[GAME_STATE_MAX];
        struct rng r;
        int taken = 0;
        rng_seed(&r, 1);
        memcpy(state, probe->state, game->state_size);
        const int turn = game->turn(state);
        round_begin(rounds);
        do {
            const struct ask ask = {.game = game,
                                    .view = state,
                                    .taken = taken,
                                    .budget = {.stop = &cli_stop, .clock = cli_clock()},
                                    .rng = &r};
            player_choose_in(player, &ask, answer);
            taken++;
            if (probe->whole_turn)
                game->play(state, answer->chosen, &r);
        } while (probe->whole_turn && game->mover(state) != NOBODY && game->turn(state) == turn);
    } while (round_end(rounds, (double)answer->work_done));
    player_close(player);
    return true;
}

/* ---- searches: the tactical game ---- */

/* How much work a second, on the start of the 8 x 8 map; how long a whole turn takes on the position in which
 * one turn wins (see maps/paper_fig8.tbsmap); and how late answers come on the largest map when time is
 * short. */

static const struct search_part {
    const char *map, *heading;
    bool whole_turn;        /* the time of a whole turn is measured, otherwise work per second */
    const char *players[8]; /* ended by NULL; a spec with two threads stands behind the same with one */
} search_parts[] = {
    {"standard8",
     "simulations of the searching players",
     false,
     {"uct:sims=80000", "uct:sims=80000,threads=2", "pwuct:sims=80000", "pwuct:sims=80000,threads=2",
      "dlmc:turns=500,sims=100", "dlmc:turns=500,sims=100,threads=2", "muct:sims=2000", NULL}},
    /* A search of several turns would hide the cost of the first, so horizons end it. */
    {"paper_fig8",
     "a whole turn",
     true,
     {"uct:sims=20000,horizon=1,cut=loss", "pwuct:sims=20000,horizon=1,cut=loss", "aas", "dlmc:horizon=1",
      "minmax:depth=1", NULL}},
};

/* One line per player. The ratio compares the work of two threads with that of one: both lines have the same
 * simulations, so it is below 2 where threads wait for each other. */
static bool bench_part(const struct search_part *part, double seconds, json_t *json, struct err *e) {
    struct scenario *scenario = cli_load_map(&tbs_game, part->map, NULL, NULL, e);
    _Alignas(16) unsigned char state[GAME_STATE_MAX];
    double before = 0;
    bool ok = scenario != NULL;
    if (!ok)
        return false;
    scenario->game->start(state, scenario, NULL);
    report(json, NULL, "%s, %s\n", part->heading, part->map);
    for (const char *const *spec = part->players; ok && *spec != NULL && !atomic_load(&cli_stop); spec++) {
        const struct probe probe = {*spec, scenario->game, state, part->whole_turn};
        struct rounds f = rounds_of(seconds);
        struct answer answer;
        char ratio[40] = "";
        ok = measure_player(&probe, &f, &answer, e);
        if (!ok)
            break;
        if (strstr(*spec, "threads=2") != NULL && before > 0)
            snprintf(ratio, sizeof ratio, "  %.2f times one thread", f.per_second / before);
        const bool whole = part->whole_turn;
        const double value = whole ? f.shortest * 1e3 : f.per_second;
        report(json,
               json_pack("{ss ss sf}", "player", *spec, "map", part->map,
                         whole ? "ms_per_turn" : "work_per_second", value),
               "  %-36s %10.*f %s%s\n", *spec, whole ? 3 : 0, value, whole ? "ms a turn" : "a second", ratio);
        before = f.per_second;
    }
    game_unload(scenario);
    return ok;
}

/* ---- searches: delays ---- */

enum { OVERRUN_LIMIT_MS = 50, OVERRUN_ASKS = 3 };

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
        player_choose_in(player, &(struct ask){.game = game, .view = state, .budget = budget, .rng = &r},
                         &answer);
        worst = fmax(worst, clock_seconds_since(cli_clock(), start) * 1e3 - OVERRUN_LIMIT_MS);
        if (answer.fault != PLAYER_FAULT_NONE)
            break;
        const int turn = game->turn(state); /* finish the turn at random */
        while (game->mover(state) != NOBODY && game->turn(state) == turn)
            game->rollouts[0].run(state, &r, 1);
    }
    player_close(player);
    report(json,
           json_pack("{ss ss si sf}", "player", spec, "map", "largest", "limit_ms", OVERRUN_LIMIT_MS,
                     "overrun_ms", worst),
           "  %-36s %10.1f ms\n", spec, worst);
}

static bool bench_searches(double seconds, json_t *json, struct err *e) {
    /* Beside every player with default options: specs that need much more than the time limit. */
    static const char *const slow[] = {"dlmc:sims=1000000", "muct:sims=1000000", "minmax:depth=4"};
    for (size_t i = 0; i < sizeof search_parts / sizeof search_parts[0]; i++)
        if (!bench_part(&search_parts[i], seconds, json, e))
            return false;
    struct scenario *scenario = cli_load_map(&tbs_game, "largest", NULL, NULL, e);
    if (scenario == NULL)
        return false;
    report(json, NULL, "latest answer beyond a limit of %d ms, largest\n", OVERRUN_LIMIT_MS);
    for (int i = 0; player_types[i] != NULL && !atomic_load(&cli_stop); i++)
        bench_overrun(player_types[i]->name, scenario, json);
    for (size_t i = 0; i < sizeof slow / sizeof slow[0] && !atomic_load(&cli_stop); i++)
        bench_overrun(slow[i], scenario, json);
    game_unload(scenario);
    return true;
}

/* ---- hidden information ---- */

/* Playouts of the synthetic trees, leaves and simulations of the players that search over worlds, and
 * iterations of the exact solver, on a tree of the standard size. */

enum { HIDDEN_BATCH = 1024, FORM_SEED = 1, ITERATIONS = 1000 };

static const char tree_spec[] = "synth:tree=1";

static const char *const hidden_players[] = {
    "pimc:sims=100000", "iimc:sims=2000",     "amcts:constant=100,rule=always",
    "ismcts",           "ismcts:sims=100000", NULL};

/* Nanoseconds of a playout: copy of the start, actions to the end, payoff. One takes less than a microsecond,
 * so that a round is a batch. */
static double measure_playout(const struct game *game, const void *root, double seconds) {
    _Alignas(16) unsigned char state[GAME_STATE_MAX];
    struct rng r;
    double sum = 0;
    rng_seed(&r, 1);
    struct rounds f = rounds_of(seconds);
    do {
        round_begin(&f);
        for (int i = 0; i < HIDDEN_BATCH; i++) {
            memcpy(state, root, game->state_size);
            game->rollouts[0].run(state, &r, 0);
            sum += game->payoff(state, 0);
        }
    } while (round_end(&f, HIDDEN_BATCH));
    /* Using the sum keeps the compiler from removing the payoffs. */
    return sum >= 0 ? f.shortest * 1e9 / HIDDEN_BATCH : 0;
}

/* Runs all iterations in one call; the gap is never small enough to stop. */
static bool bench_solver(const struct scenario *scenario, double seconds, json_t *json, struct err *e) {
    const struct cfr_options options = {.iterations_max = ITERATIONS, .gap = -1, .stop = &cli_stop};
    struct form form;
    struct cfr_result result = {0};
    double *strategy = NULL;
    bool ok = form_build(scenario, FORM_SEED, FORM_NODES_MAX, &cli_stop, &form, e) &&
              ((strategy = form_uniform(&form)) != NULL || err_set(e, "not enough memory"));
    struct rounds f = rounds_of(seconds);
    do {
        round_begin(&f);
        ok = ok && cfr_solve(&form, &options, strategy, &result, e);
    } while (ok && round_end(&f, result.iterations));
    mem_free(strategy);
    if (ok)
        report(json, json_pack("{sf}", "cfr_iterations_per_second", f.per_second),
               "  CFR+, %6u information sets         %10.0f iterations a second\n", form.set_count,
               f.per_second);
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
    report(json, json_pack("{sf}", "playout_ns", ns), "hidden information, %s\n  %-36s %10.1f ns\n",
           tree_spec, "a random playout", ns);
    bool ok = true;
    for (const char *const *spec = hidden_players; *spec != NULL && !atomic_load(&cli_stop); spec++) {
        struct rounds f = rounds_of(seconds);
        struct answer answer;
        ok = measure_player(&(struct probe){*spec, game, root, false}, &f, &answer, e);
        if (!ok)
            break;
        const double leaf_ns = f.shortest * 1e9 / (double)answer.leaves;
        report(json,
               json_pack("{s{sf sf}}", *spec, "leaf_ns", leaf_ns, "simulations_per_second", f.per_second),
               "  %-36s %10.0f simulations a second  %7.1f ns a leaf\n", *spec, f.per_second, leaf_ns);
    }
    ok = ok && bench_solver(scenario, seconds, json, e);
    game_unload(scenario);
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

/* Rows of the table below: games have two each, of moves and of games, and the models of gst one each. */
enum { RANDOM_GAMES, LEAVE_GAMES = 2, GST_A = 4, PURPLE_MS = 7, PURPLE_NODES, POLICY };

/* Values are multiplied by `scale` for the line, not for JSON. */
static const struct figure {
    const char *label, *name, *unit;
    double scale;
    const char *published; /* NULL: unknown */
} figures[] = {
    {"random games, moves", "random_moves_per_second", "million a second", 1e-6, "6.9"},
    {"random games, games", "random_games_per_second", "thousand a second", 1e-3, "46"},
    {"random games that leave, moves", "leave_moves_per_second", "million a second", 1e-6, "15"},
    {"random games that leave, games", "leave_games_per_second", "thousand a second", 1e-3, "125 to 138"},
    {"gst-a, 30,000 playouts from the start", "gst_a_playouts_per_second", "thousand playouts a second", 1e-3,
     "58 to 74"},
    {"gst-b, 30,000 playouts from the start", "gst_b_playouts_per_second", "thousand playouts a second", 1e-3,
     NULL},
    {"gst-c, 30,000 playouts from the start", "gst_c_playouts_per_second", "thousand playouts a second", 1e-3,
     NULL},
    {"purple search, depth 6", "purple_ms", "ms a position", 1, "13.6 on others"},
    {"purple search, nodes", "purple_nodes", "thousand a position", 1e-3, "538 on others"},
    {"moves scored by the policy", "policy_moves_per_second", "million a second", 1e-6, NULL},
};

/* JSON has the plain figure in units per second or milliseconds; the line has a readable multiple of it. */
static void report_figure(const struct bed *bed, int figure, double value) {
    const struct figure *f = &figures[figure];
    const char *published = f->published != NULL ? f->published : "";
    report(bed->json, json_pack("{sf}", f->name, value), "  %-38s %9.2f %s%s%s%s\n", f->label,
           value * f->scale, f->unit, published[0] != '\0' ? "  (published: " : "", published,
           published[0] != '\0' ? ")" : "");
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

/* Moves differ between rounds, so the best rates of moves and of games may be those of different rounds. */
static void bench_games(const struct bed *bed, const char *policy_name, int figure) {
    const struct rollout *policy = game_rollout(&geister_game, policy_name);
    struct rng r;
    long moves;
    rng_seed(&r, 1);
    struct rounds f = rounds_of(bed->seconds);
    do {
        moves = 0;
        round_begin(&f);
        for (int i = 0; i < GEISTER_BATCH; i++) {
            struct geister s = bed->start;
            moves += policy->run(&s, &r, 0);
        }
    } while (round_end(&f, (double)moves));
    report_figure(bed, figure, f.per_second);
    report_figure(bed, figure + 1, GEISTER_BATCH / f.shortest);
}

/* A round is one search of each position, because they differ much. */
static bool bench_purple(const struct bed *bed, struct err *e) {
    struct purple *purple = purple_open(TABLE_BYTES, e);
    if (purple == NULL)
        return false;
    double nodes;
    struct rounds f = rounds_of(bed->seconds);
    do {
        nodes = 0;
        round_begin(&f);
        for (int i = 0; i < POSITIONS && !atomic_load(&cli_stop); i++) {
            const struct geister *s = &bed->positions[i];
            struct geister_observation seen;
            struct purple_result result;
            geister_observe(s, geister_game.mover(s), &seen);
            purple_search(purple, &seen, &(struct purple_task){.depth = PURPLE_DEPTH, .stop = &cli_stop},
                          &result);
            nodes += (double)result.nodes / POSITIONS;
        }
    } while (round_end(&f, nodes));
    report_figure(bed, PURPLE_MS, f.shortest * 1e3 / POSITIONS);
    report_figure(bed, PURPLE_NODES, nodes);
    purple_close(purple);
    return true;
}

/* The policy's network scores all moves of a position at once. */
static void bench_policy(const struct bed *bed) {
    const struct policy_weights *weights = policy_builtin();
    double sum = 0;
    long moves;
    struct rounds f = rounds_of(bed->seconds);
    do {
        moves = 0;
        round_begin(&f);
        for (int i = 0; i < POSITIONS; i++) {
            const struct geister *s = &bed->positions[i];
            struct geister_observation seen;
            action list[POLICY_MOVES_MAX];
            float scores[POLICY_MOVES_MAX];
            geister_observe(s, geister_game.mover(s), &seen);
            const int count = bits_moves(seen.red, seen.blue, true, list);
            policy_scores(weights, &seen, list, count, scores);
            sum += (double)scores[0];
            moves += count;
        }
        if (!(sum < 1e300)) /* always less: keeps the compiler from removing the scores */
            moves = 0;
    } while (round_end(&f, (double)moves));
    report_figure(bed, POLICY, f.per_second);
}

static bool bench_geister(double seconds, json_t *json, struct err *e) {
    static const char *const probes[] = {"gst-a", "gst-b", "gst-c"};
    struct scenario *scenario = game_load_spec("geister", e);
    if (scenario == NULL)
        return false;
    struct bed *bed = mem_alloc(sizeof *bed);
    bed->scenario = scenario;
    bed->seconds = seconds;
    bed->json = json;
    fill_positions(bed);
    report(json, NULL, "Geister, one core\n");
    bench_games(bed, "random", RANDOM_GAMES);
    bench_games(bed, "leave", LEAVE_GAMES);
    bool ok = true;
    for (int i = 0; ok && i < 3 && !atomic_load(&cli_stop); i++) {
        struct rounds f = rounds_of(seconds);
        struct answer answer;
        ok = measure_player(&(struct probe){probes[i], &geister_game, &bed->start, false}, &f, &answer, e);
        if (ok)
            report_figure(bed, GST_A + i, f.per_second);
    }
    ok = ok && bench_purple(bed, e);
    bench_policy(bed);
    game_unload(scenario);
    mem_free(bed);
    return ok;
}

/* ---- tournaments ---- */

/* The cost of a tournament beside thinking: referee, records, store. And whether two workers are twice as
 * fast as one. */

/* Short runs play fewer games. */
enum { GAMES = 1000, GAMES_SHORT = 40, WORKERS_MAX = 2, REPEATS = 3 };

#define SHORT_SECONDS 0.2

static const char *const tournament_players[] = {"acteval,random", "uct:sims=60,acteval", NULL};

struct tournament_speed {
    double games_per_second;
    double overhead_us; /* per action: everything except the players' thinking, with one worker */
};

/* Plays the whole tournament into a new store, which is removed again: every run writes the same. Time in
 * which players think is measured by the referee and subtracted. */
static bool run_once(const struct tournament *tournament, const char *path, int workers,
                     struct tournament_speed *out, struct err *e) {
    struct store *store = store_open(path, STORE_WRITE, e);
    if (store == NULL)
        return false;
    struct games games;
    bool complete;
    const struct tournament_run run = {.tournament = tournament,
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
    *out = (struct tournament_speed){games.count / seconds, (seconds - thinking) * 1e6 / actions};
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

/* Takes the best of several runs of each tournament, which other load disturbs least. */
static bool bench_tournaments(double seconds, json_t *json, struct err *e) {
    struct tournament_map map = {.name = "standard"};
    const int games = seconds < SHORT_SECONDS ? GAMES_SHORT : GAMES;
    char folder[4096], path[4200];
    if (!make_folder(folder, e))
        return false;
    map.scenario = cli_load_map(&tbs_game, "standard", NULL, NULL, e);
    bool ok = map.scenario != NULL;
    if (ok)
        report(json, NULL, "tournaments of %d games, standard, every game stored\n", games);
    for (const char *const *players = tournament_players; ok && *players != NULL && !atomic_load(&cli_stop);
         players++) {
        struct tournament tournament = {.maps = &map, .map_count = 1, .seed = 1};
        struct tournament_speed best[WORKERS_MAX] = {{0}}, one;
        tournament_rules_default(&tournament.rules);
        tournament.rules.games = games;
        ok = entrants_parse(*players, &tournament, e);
        for (int run = 0; ok && run < WORKERS_MAX * REPEATS && !atomic_load(&cli_stop); run++) {
            const int workers = 1 + run / REPEATS;
            snprintf(path, sizeof path, "%s/event-%d.db", folder, run);
            ok = run_once(&tournament, path, workers, &one, e);
            if (ok && one.games_per_second > best[workers - 1].games_per_second)
                best[workers - 1] = one;
        }
        const double first = best[0].games_per_second;
        const double ratio = first > 0 ? best[1].games_per_second / first : 0;
        if (ok && !atomic_load(&cli_stop))
            report(json,
                   json_pack("{ss ss si sf sf sf}", "players", *players, "map", "standard", "games", games,
                             "games_per_second", first, "overhead_us_per_action", best[0].overhead_us,
                             "two_workers", ratio),
                   "  %-36s %10.0f games/s  %.1f us an action beside thinking, two workers %.2f times one\n",
                   *players, first, best[0].overhead_us, ratio);
        tournament.maps = NULL; /* used again */
        tournament_done(&tournament);
    }
    game_unload(map.scenario);
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

struct judging {
    struct plan plan;
    int count;
    struct tbs_map maps[MAPS];

    /* Seconds per map, except `opening`: */
    double judging_s;   /* by an evaluator with open players */
    double thinking_s;  /* of its games */
    double beside_s;    /* rules, referee, record, statistics of the game */
    double scenarios_s; /* tables made from the map */
    double storing_s;   /* when every game is stored */
    double opening_s;   /* of both players, once per run */
};

static void add_thinking(void *context, const struct sample_game *sample, bool stored) {
    (void)stored;
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
                                          .on_game = add_thinking,
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
        if (round == 1 || (round > 1 && seconds < j->judging_s)) {
            j->judging_s = seconds;
            j->thinking_s = thinking / j->count;
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
    struct store_game game = {.outcome = {.payoff = 1, .forfeiter = NOBODY, .result = "red limit"},
                              .note = "{}",
                              .record = text_string(&record),
                              .finished = ""};
    const int64_t begin = clock_now_ns(cli_clock());
    for (int i = 0; ok && i < STORED; i++) {
        game.number = game.map = i;
        ok = store_add_game(store, &game, e);
    }
    j->storing_s = clock_seconds_since(cli_clock(), begin) * j->plan.recipe.games / STORED;
    text_done(&record);
    store_close(store);
    unlink(path);
    rmdir(folder);
    return ok;
}

/* What the evaluator does beside thinking cannot be timed from outside. It is the rest: the time of a
 * judgement less thinking and the tables of the map. */
static bool bench_judging(double seconds, json_t *json, struct err *e) {
    struct judging j = {.count = seconds < SHORT_SECONDS ? MAPS_SHORT : MAPS};
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
    j.opening_s = clock_seconds_since(cli_clock(), begin);
    player_close(strong);
    player_close(weak);
    if (!opened || !time_judging(&j, e))
        return false;
    begin = clock_now_ns(cli_clock());
    for (int i = 0; i < j.count; i++) {
        struct scenario *scenario = tbs_scenario_make(&j.maps[i], j.plan.rules, TBS_PATH_AUTO, e);
        if (scenario == NULL)
            return false;
        game_unload(scenario);
    }
    j.scenarios_s = clock_seconds_since(cli_clock(), begin) / j.count;
    if (!time_storing(&j, e))
        return false;
    j.beside_s = fmax(0, j.judging_s - j.thinking_s - j.scenarios_s);
    const double all = j.thinking_s + j.beside_s + j.scenarios_s + j.storing_s;
    if (atomic_load(&cli_stop))
        return true;
    report(json,
           json_pack("{ss ss si si sf sf sf sf sf sf sf}", "strong", recipe.strong, "weak", recipe.weak,
                     "games", recipe.games, "maps", j.count, "ms_per_map", j.judging_s * 1e3,
                     "times_platform", PLATFORM_SECONDS / j.judging_s, "thinking_ms", j.thinking_s * 1e3,
                     "beside_ms", j.beside_s * 1e3, "store_ms", j.storing_s * 1e3, "scenario_ms",
                     j.scenarios_s * 1e3, "opening_ms", j.opening_s * 1e3),
           "judging a map as published: %d games of %s against %s, %d x %d cells, mean over %d random maps\n"
           "  one core                     %8.1f ms a map  %8.1f maps/s  %.0f times the platform's %.0f s\n"
           "  thinking %.2f%%, rules and records %.2f%%, store %.2f%%, tables of the map %.3f%%; opening the "
           "players %.2f ms once\n",
           recipe.games, recipe.strong, recipe.weak, recipe.space.width, recipe.space.height, j.count,
           j.judging_s * 1e3, 1 / j.judging_s, PLATFORM_SECONDS / j.judging_s, PLATFORM_SECONDS,
           100 * j.thinking_s / all, 100 * j.beside_s / all, 100 * j.storing_s / all,
           100 * j.scenarios_s / all, j.opening_s * 1e3);
    return true;
}

/* ---- speed of the rules ---- */

enum { SLICES = 5, BATCH = 20 };

/* The maps that are measured by default. */
static const struct {
    const char *label, *map;
} standard_rows[] = {{"small", "standard"}, {"medium", "standard8"}, {"large", "battle30"}};

struct speed {
    double actions_per_second, games_per_second;
};

/* The figures of one map. */
struct row {
    struct scenario *scenario;
    double seconds; /* of each measurement */
    struct speed one, all;
    double generation_ns; /* one call of `actions` */
    double actions_per_call;
    double copy_ns;
};

/* Plays complete random games in slices; the best slice counts. */
static struct speed best_playouts(const struct row *row, uint64_t stream) {
    const struct game *game = row->scenario->game;
    _Alignas(64) unsigned char start[GAME_STATE_MAX], state[GAME_STATE_MAX];
    struct rng r;
    struct speed best = {0};
    rng_seed_stream(&r, 1, stream);
    for (int slice = 0; slice < SLICES; slice++) {
        long actions = 0, played = 0;
        double spent;
        game->start(start, row->scenario, &r);
        const int64_t begin = clock_now_ns(cli_clock());
        do { /* in batches: reading the clock after each game would be a part of the measurement */
            for (int i = 0; i < BATCH; i++) {
                memcpy(state, start, game->state_size);
                actions += game->rollouts[0].run(state, &r, 0);
            }
            played += BATCH;
        } while (goes_on(begin, row->seconds / SLICES, &spent));
        if ((double)actions / spent > best.actions_per_second)
            best = (struct speed){(double)actions / spent, (double)played / spent};
    }
    return best;
}

/* One job per core, each with its own stream; their speeds are summed. */
static void run_worker(void *shared, void *worker, int job, void *result) {
    (void)worker;
    *(struct speed *)result = best_playouts(shared, (uint64_t)job);
}

/* Called by one thread at a time, so the sums need no lock. */
static void take_worker(void *shared, int job, void *result) {
    (void)job;
    struct row *row = shared;
    const struct speed *f = result;
    row->all.actions_per_second += f->actions_per_second;
    row->all.games_per_second += f->games_per_second;
}

/* Playouts, then lists of actions and copies of the positions of random games. */
static void measure(struct row *row) {
    const struct pool_work all_cores = {
        .jobs = cli_cores(),
        .workers = cli_cores(),
        .shared = row,
        .result_size = sizeof(struct speed),
        .run = run_worker,
        .take = take_worker,
    };
    const struct game *game = row->scenario->game;
    const size_t size = game->state_size;
    unsigned char *positions = mem_alloc((size_t)POSITIONS * GAME_STATE_MAX);
    action *list = mem_alloc((size_t)game->actions_max * sizeof *list);
    _Alignas(64) unsigned char state[GAME_STATE_MAX];
    struct rng r;
    row->one = best_playouts(row, 0);
    pool_run(&all_cores, NULL);
    rng_seed(&r, 7);
    game->start(positions, row->scenario, &r);
    for (int i = 1; i < POSITIONS; i++) {
        unsigned char *next = positions + (size_t)i * GAME_STATE_MAX;
        memcpy(next, next - GAME_STATE_MAX, size);
        game->rollouts[0].run(next, &r, 1);
        if (game->mover(next) == NOBODY)
            game->start(next, row->scenario, &r);
    }
    long calls = 0, listed = 0, copies = 0;
    double spent;
    int64_t begin = clock_now_ns(cli_clock());
    do {
        for (int i = 0; i < POSITIONS; i++)
            listed += game->actions(positions + (size_t)i * GAME_STATE_MAX, list);
        calls += POSITIONS;
    } while (goes_on(begin, row->seconds / SLICES, &spent));
    row->generation_ns = spent * 1e9 / (double)calls;
    row->actions_per_call = (double)listed / (double)calls;
    begin = clock_now_ns(cli_clock());
    do {
        for (int i = 0; i < 16 * POSITIONS; i++) {
            memcpy(state, positions + (size_t)(i % POSITIONS) * GAME_STATE_MAX, size);
            __asm__ volatile("" : : "r"(state) : "memory"); /* keeps the compiler from removing the copy */
        }
        copies += 16 * POSITIONS;
    } while (goes_on(begin, row->seconds / SLICES, &spent));
    row->copy_ns = spent * 1e9 / (double)copies;
    mem_free(positions);
    mem_free(list);
}

/* ---- signature ---- */

static bool compute_signature(uint64_t *out, struct err *e) {
    /* Maps of both sizes of state, and the games with hidden information. A change of the list changes the
     * signature. */
    static const struct cli_source sources[] = {
        {.map = "duel"},     {.map = "standard"}, {.map = "standard8"},
        {.map = "battle30"}, {.game = "synth"},   {.game = "synth:df=0.2,depth=5,branching=3,uncorr=mirror"},
        {.game = "fusion"},  {.game = "kuhn"},    {.game = "geister"}};
    enum { COUNT = sizeof sources / sizeof sources[0] };
    struct scenario *scenarios[COUNT];
    int loaded = 0;
    while (loaded < COUNT && (scenarios[loaded] = cli_load_source(&sources[loaded], e)) != NULL)
        loaded++;
    const bool ok = loaded == COUNT && signature_compute(scenarios, COUNT, out, e);
    for (int i = 0; i < loaded; i++)
        game_unload(scenarios[i]);
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
        const char *label = standard_rows[i].label, *name = b->map != NULL ? b->map : standard_rows[i].map;
        struct row row = {.scenario = cli_load_map(&tbs_game, name, NULL, b->rules, e),
                          .seconds = b->seconds};
        if (row.scenario == NULL)
            return false;
        const struct game *game = row.scenario->game;
        const struct tbs_map *map = tbs_scenario_map(row.scenario);
        if (b->map != NULL)
            label = row.scenario->game == &tbs_wide_game ? "large" : "small";
        measure(&row);
        const struct speed *one = &row.one, *all = &row.all;
        const double ns_one = 1e9 / one->actions_per_second, ns_all = 1e9 / all->actions_per_second;
        report(root,
               json_pack("{s{sf sf sf so* ss s{sf sf sf si} sf sf sf}}", label, "unit_actions_per_second",
                         one->actions_per_second, "games_per_second", one->games_per_second, "ns_per_action",
                         ns_one, "map", json_string(name), "game", game->name, "all_cores",
                         "unit_actions_per_second", all->actions_per_second, "games_per_second",
                         all->games_per_second, "ns_per_action", ns_all, "threads", cli_cores(),
                         "generation_ns", row.generation_ns, "actions_per_position", row.actions_per_call,
                         "copy_ns", row.copy_ns),
               "%s: %s, %d x %d cells, %d and %d units, %zu bytes a state (%s)\n"
               "  random playouts, one core    %8.2f million actions/s  %10.0f games/s  %7.1f ns an action\n"
               "  random playouts, %d cores     %8.2f million actions/s  %10.0f games/s  %7.2f times one "
               "core\n"
               "  listing all legal actions    %8.1f ns for %.0f actions, %.2f ns each\n"
               "  copying a state              %8.1f ns\n",
               label, name, map->width - 2, map->height - 2, tbs_map_side_units(map, TBS_RED),
               tbs_map_side_units(map, TBS_BLUE), game->state_size, game->name,
               one->actions_per_second * 1e-6, one->games_per_second, ns_one, cli_cores(),
               all->actions_per_second * 1e-6, all->games_per_second,
               all->actions_per_second / one->actions_per_second, row.generation_ns, row.actions_per_call,
               row.generation_ns / row.actions_per_call, row.copy_ns);
        game_unload(row.scenario);
    }
    return true;
}

/* The signature comes last and is computed also without measurements: a script that only compares signatures
 * uses --signature, which takes seconds. With --map the parts with maps of their own are left out, but their
 * members stay in the JSON. */
static int run_bench(void *state, const struct cli_call *call, struct err *e) {
    static const struct {
        const char *name;
        bool (*run)(double seconds, json_t *json, struct err *e);
        bool is_list; /* in JSON an array; otherwise an object */
    } parts[] = {{"searches", bench_searches, true},
                 {"events", bench_tournaments, true},
                 {"judging", bench_judging, false},
                 {"hidden", bench_hidden, false},
                 {"geister", bench_geister, false}};
    const struct bench *b = state;
    uint64_t signature;
    (void)call;
    if (tbs_read_rules(b->rules, e) == NULL)
        return CLI_USAGE;
    cli_catch_interrupt();
    json_t *root = b->json ? json_object() : NULL;
    bool ok = b->only_signature || bench_rules(b, root, e);
    for (size_t i = 0; ok && i < sizeof parts / sizeof parts[0]; i++) {
        json_t *part = root == NULL ? NULL : parts[i].is_list ? json_array() : json_object();
        if (root != NULL)
            json_object_set_new(root, parts[i].name, part);
        ok = b->only_signature || b->map != NULL || parts[i].run(b->seconds, part, e);
    }
    if (ok && atomic_load(&cli_stop))
        ok = err_set(e, "stopped");
    if (!ok || !compute_signature(&signature, e)) {
        json_decref(root);
        return CLI_FAILED;
    }
    char hex[24];
    snprintf(hex, sizeof hex, "%016" PRIx64, signature);
    if (root == NULL) {
        printf("signature %s\n", hex);
        return CLI_OK;
    }
    json_object_update_new(root, json_pack("{ss ss ss ss}", "signature", hex, "version", SENJUTSU_VERSION,
                                           "compiler", SENJUTSU_COMPILER, "build", SENJUTSU_BUILD));
    return cli_show_json(root);
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

const struct cli_body cli_bench = {sizeof(struct bench), {{bench_params}}, .run = run_bench};
