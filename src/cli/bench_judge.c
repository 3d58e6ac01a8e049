/* SPDX-License-Identifier: MIT
 *
 * What judging a map costs, as published: ten games of M-UCT with 250 simulations against M-UCT with 10 on
 * random maps of 6 x 6 cells. And where the time goes beside thinking.
 */
#include "cli/bench.h"

#include "cli/cli.h"
#include "evolve/evaluator.h"
#include "evolve/genome.h"
#include "evolve/recipe.h"
#include "evolve/sample_game.h"
#include "store/store.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* A run that is told to be short judges fewer maps. */
enum { MAPS = 8, MAPS_SHORT = 2, ROUNDS = 3, STORED = 200 };

#define SHORT_SECONDS 0.2

/* What the platform itself needs for one map, on the machine of bench/README.md. */
#define PLATFORM_SECONDS 22.0

/* Seconds a map, but for `opening`. */
struct costs {
    double judging;   /* by an evaluator whose players are open */
    double thinking;  /* of its games */
    double beside;    /* rules, referee, record, what is noted of the game */
    double scenarios; /* tables made from the map */
    double storing;   /* when every game is kept */
    double opening;   /* both players, once a run */
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

/* ---- all of it ---- */

static bool judge_all(const struct judging *j, struct evaluator *evaluator, struct err *e) {
    const int half = j->plan.recipe.games / 2;
    bool ok = true, complete = true;
    for (int i = 0; ok && complete && i < j->count; i++) {
        struct judgement judgement = {0};
        struct request requests[TRIAL_KINDS];
        const struct request of = {.id = i, .map = &j->maps[i], .into = &judgement};
        const int count = request_more(&of, (int[TRIAL_KINDS]){half, half, 0}, requests);
        ok = evaluator_play(evaluator, requests, count, &complete, e);
    }
    return ok;
}

/* The best of a few: other load disturbs that least. The players are opened in a round that does not count.
 */
static bool time_judging(struct judging *j, struct err *e) {
    const struct evaluator_setup setup = {.rules = j->plan.rules,
                                          .strong = j->plan.recipe.strong,
                                          .weak = j->plan.recipe.weak,
                                          .seed = 1,
                                          .workers = 1,
                                          .clock = cli_clock(),
                                          .stop = &cli_stop};
    struct evaluator *evaluator = evaluator_open(&setup, e);
    bool ok = evaluator != NULL;
    for (int round = 0; ok && round <= ROUNDS; round++) {
        const int64_t begin = clock_now_ns(cli_clock());
        ok = judge_all(j, evaluator, e);
        const double seconds = clock_seconds_since(cli_clock(), begin) / j->count;
        if (round == 1 || (round > 1 && seconds < j->costs.judging))
            j->costs.judging = seconds;
    }
    evaluator_close(evaluator);
    return ok;
}

/* ---- its parts ---- */

static bool time_games(struct judging *j, struct trial_players *players, struct scenario *scenario, int map,
                       struct err *e) {
    struct trial_key key = {.map = map};
    bool ok = true, stopped = false;
    for (int i = 0; ok && !stopped && i < j->plan.recipe.games; i++) {
        struct trial trial;
        key.kind = i % 2 == 0 ? TRIAL_STRONG_RED : TRIAL_STRONG_BLUE;
        key.number = i / 2;
        const struct trial_game game = {.scenario = scenario,
                                        .kind = key.kind,
                                        .seed = trial_seed(1, &key),
                                        .clock = cli_clock(),
                                        .stop = &cli_stop};
        const int64_t begin = clock_now_ns(cli_clock());
        ok = trial_play(players, &game, &trial, &stopped, e);
        const double thinking = (double)(trial.think_ns[0] + trial.think_ns[1]) * 1e-9;
        j->costs.beside += (clock_seconds_since(cli_clock(), begin) - thinking) / j->count;
        j->costs.thinking += thinking / j->count;
    }
    return ok;
}

static bool time_parts(struct judging *j, struct trial_players *players, struct err *e) {
    bool ok = true;
    j->costs.thinking = j->costs.beside = j->costs.scenarios = 0;
    for (int i = 0; ok && i < j->count; i++) {
        const int64_t begin = clock_now_ns(cli_clock());
        struct scenario *scenario = tbs_scenario_make(&j->maps[i], j->plan.rules, TBS_PATH_AUTO, e);
        j->costs.scenarios += clock_seconds_since(cli_clock(), begin) / j->count;
        ok = scenario != NULL && time_games(j, players, scenario, i, e);
        if (scenario != NULL)
            scenario->game->unload(scenario);
    }
    return ok;
}

/* The first round opens the players; the second counts. */
static bool time_rounds(struct judging *j, struct err *e) {
    struct trial_players *players = trial_players_open(j->plan.recipe.strong, j->plan.recipe.weak, NULL, e);
    const bool ok = players != NULL && time_parts(j, players, e) && time_parts(j, players, e);
    trial_players_close(players);
    return ok;
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

static bool store_trials(struct judging *j, struct store *store, struct err *e) {
    struct trial_store trials;
    bool ok = trial_store_read(&trials, store, 1, e);
    const int64_t begin = clock_now_ns(cli_clock());
    for (int i = 0; ok && i < STORED; i++) {
        const struct kept_trial trial = {.key = {.map = i}, .trial = {.payoff = 1, .result = "red limit"}};
        ok = trial_store_add(&trials, &trial, "", e);
    }
    j->costs.storing = clock_seconds_since(cli_clock(), begin) * j->plan.recipe.games / STORED;
    trial_store_done(&trials);
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
    const bool ok = store != NULL && store_trials(j, store, e);
    store_close(store);
    unlink(path);
    rmdir(folder);
    return ok;
}

/* ---- output ---- */

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
    json_t *figures = json_pack("{ss ss si si sf sf sf sf sf sf sf}", "strong", r->strong, "weak", r->weak,
                                "games", r->games, "maps", j->count, "ms_per_map", c->judging * 1e3,
                                "times_platform", PLATFORM_SECONDS / c->judging, "thinking_ms",
                                c->thinking * 1e3, "beside_ms", c->beside * 1e3, "store_ms", c->storing * 1e3,
                                "scenario_ms", c->scenarios * 1e3, "opening_ms", c->opening * 1e3);
    json_object_update(out, figures);
    json_decref(figures);
}

bool bench_judging(double seconds, json_t *json, struct err *e) {
    struct judging j = {0};
    if (!make_maps(&j, seconds, e) || !time_opening(&j, e) || !time_judging(&j, e) || !time_rounds(&j, e) ||
        !time_storing(&j, e))
        return false;
    if (atomic_load(&cli_stop))
        return true;
    if (json != NULL)
        fill_json(&j, json);
    else
        print_costs(&j);
    return true;
}
