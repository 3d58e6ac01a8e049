/* SPDX-License-Identifier: MIT
 *
 * `senjutsu train geister-setups`: the matrix of all set-ups and the weighted set that follows from it.
 */
#include "cli/train.h"

#include "base/jsontext.h"
#include "base/mem.h"
#include "geister/setup_matrix.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>

struct options {
    const char *weights;
    uint64_t seed;
    int games, threads;
    double least;
    bool quiet, json, constants;
};

struct setups {
    const struct cli_command *command;
    const struct options *options;
    int64_t start_ns;
    struct setup_matrix matrix;
    struct setup_solution solution;
    double even[GEISTER_SETUPS]; /* what each wins against all others, evenly */
    int order[GEISTER_SETUPS];   /* the best first */
};

enum { PLIES = 200, SHOWN_MAX = 20 };

static void on_progress(void *context, int done) {
    const struct setups *s = context;
    if (s->options->quiet || !cli_terminal_error())
        return;
    const double spent = clock_seconds_since(cli_clock(), s->start_ns);
    const double games = (double)done * GEISTER_SETUPS * s->options->games;
    fprintf(stderr, "\r\033[K%d of %d set-ups  %.0f games/s  %.0f s left", done, GEISTER_SETUPS,
            spent > 0 ? games / spent : 0, spent / done * (GEISTER_SETUPS - done));
    if (done == GEISTER_SETUPS)
        fputs("\r\033[K", stderr);
    fflush(stderr);
}

/* By weight, then by what they win. */
static bool is_before(const struct setups *s, int a, int b) {
    const double *w = s->solution.weights;
    return w[a] > w[b] || (!(w[a] < w[b]) && s->even[a] > s->even[b]);
}

static void rank_setups(struct setups *s) {
    for (int i = 0; i < GEISTER_SETUPS; i++) {
        s->even[i] = 0;
        for (int j = 0; j < GEISTER_SETUPS; j++)
            s->even[i] += s->matrix.worth[i][j] / GEISTER_SETUPS;
    }
    for (int i = 0; i < GEISTER_SETUPS; i++) {
        int at = i;
        for (; at > 0 && is_before(s, i, s->order[at - 1]); at--)
            s->order[at] = s->order[at - 1];
        s->order[at] = i;
    }
}

static void print_table(const struct setups *s) {
    printf("%-6s %8s %15s\n", "reds", "weight", "against all");
    for (int i = 0; i < GEISTER_SETUPS && (i < SHOWN_MAX || s->solution.weights[s->order[i]] > 0); i++) {
        char reds[GEISTER_REDS + 1];
        geister_write_reds(geister_setup_reds(s->order[i]), reds);
        printf("%-6s %7.1f%% %14.1f%%\n", reds, 100 * s->solution.weights[s->order[i]],
               50 + 50 * s->even[s->order[i]]);
    }
    printf("\nThe weighted set scores %.1f%% against random set-ups; the best single answer to it %.1f%%.\n",
           50 + 50 * s->solution.gain, 50 + 50 * s->solution.regret);
}

static void print_constants(const struct setups *s) {
    for (int i = 0; i < GEISTER_SETUPS; i++) {
        char reds[GEISTER_REDS + 1];
        geister_write_reds(geister_setup_reds(i), reds);
        if (s->solution.weights[i] > 0)
            printf("    [%d] = %.4fF, /* %s */\n", i, s->solution.weights[i], reds);
    }
}

static json_t *make_json(const struct setups *s) {
    json_t *list = json_array();
    for (int i = 0; i < GEISTER_SETUPS; i++) {
        const int n = s->order[i];
        char reds[GEISTER_REDS + 1];
        geister_write_reds(geister_setup_reds(n), reds);
        json_t *row = json_array();
        for (int j = 0; j < GEISTER_SETUPS; j++)
            json_array_append_new(row, json_real(s->matrix.first[n][j]));
        json_array_append_new(list,
                              json_pack("{ss si sf sf so}", "reds", reds, "number", n, "weight",
                                        s->solution.weights[n], "against_all", s->even[n], "first", row));
    }
    return json_pack("{si so sf sf so}", "games_per_pair", s->options->games, "seed",
                     jsontext_seed(s->options->seed), "against_random", s->solution.gain, "best_answer",
                     s->solution.regret, "setups", list);
}

static bool print_result(const struct setups *s) {
    if (s->options->json)
        return cli_print_json(s->command, make_json(s));
    if (s->options->constants)
        print_constants(s);
    else
        print_table(s);
    return cli_finish_output(s->command);
}

static int find(struct setups *s) {
    const struct options *o = s->options;
    struct err e;
    struct policy_weights *weights = train_load_weights(o->weights, &e);
    if (weights == NULL)
        return cli_fail(s->command, CLI_FAILED, "--weights: %s", e.text);
    cli_catch_interrupt();
    s->start_ns = clock_now_ns(cli_clock());
    const struct setup_task task = {.policy = weights,
                                    .games = o->games,
                                    .plies = PLIES,
                                    .seed = o->seed,
                                    .threads = o->threads,
                                    .stop = &cli_stop,
                                    .progress = on_progress,
                                    .context = s};
    const bool ok = setup_matrix_play(&task, &s->matrix, &e);
    mem_free(weights);
    if (!ok)
        return cli_fail(s->command, CLI_FAILED, "%s", e.text);
    setup_matrix_solve(&s->matrix, o->least, &s->solution);
    rank_setups(s);
    return print_result(s) ? CLI_OK : CLI_FAILED;
}

int train_geister_setups(const struct cli_command *self, int argc, char **argv) {
    struct options o = {.weights = "builtin", .seed = 1, .games = 200, .threads = cli_cores(), .least = 0.01};
    const struct cli_option options[] = {
        {"games", CLI_INT, &o.games, "N", "of each of the 4,900 pairs", 1, 1000000},
        {"seed", CLI_U64, &o.seed, "S", "everything random follows from it"},
        {"weights", CLI_TEXT, &o.weights, "FILE", "the policy of both sides (default: builtin, our own)"},
        {"least", CLI_REAL, &o.least, "W", "weights below that are dropped", 0, 0.2},
        {"threads", CLI_INT, &o.threads, "T", "the result is the same", 1, 64},
        {"quiet", CLI_FLAG, &o.quiet, NULL, "say nothing while it runs"},
        {"json", CLI_FLAG, &o.json, NULL, "weights and the whole matrix as JSON"},
        {"constants", CLI_FLAG, &o.constants, NULL, "the weights as lines of C"},
        {0},
    };
    int status;
    if (!cli_parse_options(self, options, argc, argv, &status))
        return status;
    struct setups *s = mem_alloc(sizeof *s);
    if (s == NULL)
        return cli_fail(self, CLI_FAILED, "not enough memory");
    s->command = self;
    s->options = &o;
    status = find(s);
    mem_free(s);
    return status;
}
