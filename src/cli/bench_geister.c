/* SPDX-License-Identifier: MIT
 *
 * How fast Geister is: random games, playouts of UCT on the three models, the purple search on positions of
 * random games, scoring moves by the policy. Beside each the best figure that was measured with published
 * programs on one core of a Xeon at 2.8 GHz, where there is one.
 */
#include "cli/bench.h"

#include "base/mem.h"
#include "cli/cli.h"
#include "geister/policy.h"
#include "geister/purple.h"
#include "player/player.h"

#include <jansson.h>
#include <stdio.h>

enum { BATCH = 256, POSITIONS = 64, PURPLE_DEPTH = 6, TABLE_BYTES = 4 << 20 };

/* Where the measurements are made. */
struct bed {
    const struct scenario *scenario;
    double seconds;
    json_t *json; /* NULL: print */
    struct geister start;
    struct geister positions[POSITIONS]; /* of random games, as who is to move sees them */
};

/* One figure as a line, or into the object. */
struct line {
    const char *label, *name, *unit;
    double value, scale;
    const char *published; /* may be NULL */
};

static void tell(const struct bed *bed, const struct line *line) {
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

/* ---- positions ---- */

static void set_up_start(struct bed *bed, struct rng *r) {
    geister_game.start(&bed->start, bed->scenario, r);
    for (int side = 0; side < 2; side++)
        geister_game.play(&bed->start, geister_setup(geister_setup_reds((int)rng_below(r, GEISTER_SETUPS))),
                          r);
}

/* From the 11th ply on, where games are neither new nor over. */
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

/* ---- random games ---- */

static void bench_games(const struct bed *bed, const char *policy_name) {
    const struct rollout *policy = game_rollout(&geister_game, policy_name);
    struct rng r;
    double moves_best = 0, games_best = 0;
    rng_seed(&r, 1);
    const int64_t begin = clock_now_ns(cli_clock());
    do {
        long moves = 0;
        const int64_t batch_begin = clock_now_ns(cli_clock());
        for (int i = 0; i < BATCH; i++) {
            struct geister s = bed->start;
            moves += policy->run(&s, &r, 0);
        }
        const double spent = clock_seconds_since(cli_clock(), batch_begin);
        moves_best = (double)moves / spent > moves_best ? (double)moves / spent : moves_best;
        games_best = BATCH / spent > games_best ? BATCH / spent : games_best;
    } while (clock_seconds_since(cli_clock(), begin) < bed->seconds && !atomic_load(&cli_stop));
    const bool leaves = policy_name[0] == 'l';
    tell(bed, &(struct line){leaves ? "random games that leave, moves" : "random games, moves",
                             leaves ? "leave_moves_per_second" : "random_moves_per_second",
                             "million a second", moves_best, 1e-6, leaves ? "15" : "6.9"});
    tell(bed, &(struct line){leaves ? "random games that leave, games" : "random games, games",
                             leaves ? "leave_games_per_second" : "random_games_per_second",
                             "thousand a second", games_best, 1e-3, leaves ? "125 to 138" : "46"});
}

/* ---- players ---- */

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
    } while (clock_seconds_since(cli_clock(), begin) < bed->seconds && !atomic_load(&cli_stop));
    char label[64];
    snprintf(label, sizeof label, "%s, 30,000 playouts from the start", probe->spec);
    tell(bed, &(struct line){label, probe->name, "thousand playouts a second", best, 1e-3, probe->published});
    player_close(player);
    return true;
}

/* ---- the purple search ---- */

static bool bench_purple(const struct bed *bed, struct err *e) {
    struct purple *purple = purple_open(TABLE_BYTES, e);
    if (purple == NULL)
        return false;
    double best = 1e300, nodes = 0;
    const int64_t begin = clock_now_ns(cli_clock());
    do { /* all positions in one go: they differ a lot */
        const int64_t round_begin = clock_now_ns(cli_clock());
        nodes = 0;
        for (int i = 0; i < POSITIONS && !atomic_load(&cli_stop); i++) {
            const struct geister *s = &bed->positions[i];
            struct geister_sight sight;
            struct purple_board board;
            struct purple_result result;
            geister_see(s, geister_game.mover(s), &sight);
            purple_board_of(&sight, &board);
            purple_search(purple, &board, &(struct purple_task){.depth = PURPLE_DEPTH, .stop = &cli_stop},
                          &result);
            nodes += (double)result.nodes / POSITIONS;
        }
        const double ms = clock_seconds_since(cli_clock(), round_begin) * 1e3 / POSITIONS;
        best = ms < best ? ms : best;
    } while (clock_seconds_since(cli_clock(), begin) < bed->seconds && !atomic_load(&cli_stop));
    tell(bed,
         &(struct line){"purple search, depth 6", "purple_ms", "ms a position", best, 1, "13.6 on others"});
    tell(bed, &(struct line){"purple search, nodes", "purple_nodes", "thousand a position", nodes, 1e-3,
                             "538 on others"});
    purple_close(purple);
    return true;
}

/* ---- the policy ---- */

static double score_all(const struct bed *bed, long *moves) {
    const struct policy_weights *weights = policy_builtin();
    double sum = 0;
    for (int i = 0; i < POSITIONS; i++) {
        const struct geister *s = &bed->positions[i];
        struct geister_sight sight;
        action list[POLICY_MOVES_MAX];
        float scores[POLICY_MOVES_MAX];
        geister_see(s, geister_game.mover(s), &sight);
        const int count = policy_moves(&sight, list);
        policy_scores(weights, &sight, list, count, scores);
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
        best = rate > best && sum < 1e300 ? rate : best; /* the scores are wanted */
    } while (clock_seconds_since(cli_clock(), begin) < bed->seconds && !atomic_load(&cli_stop));
    tell(bed, &(struct line){"moves scored by the policy", "policy_moves_per_second", "million a second",
                             best, 1e-6, NULL});
}

bool bench_geister(double seconds, json_t *json, struct err *e) {
    struct bed *bed = mem_alloc(sizeof *bed);
    struct scenario *scenario = bed != NULL ? game_load_spec("geister", e) : NULL;
    bool ok = scenario != NULL || (bed == NULL && err_set(e, "not enough memory"));
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
