/* SPDX-License-Identifier: MIT
 *
 * `senjutsu train geister-geist`: the weights of geist, from those of pg.
 */
#include "cli/train.h"

#include "base/budget.h"
#include "base/file.h"
#include "geister/geist_learn.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct options {
    const char *out;
    uint64_t seed;
    int games, value_games;
    bool quiet;
};

enum { REPORTS = 20, STRETCH = 500 };

static double share(uint64_t part, uint64_t whole) {
    return whole > 0 ? 100.0 * (double)part / (double)whole : 0;
}

static void report(const struct options *o, struct geist_learn *learn, int64_t start_ns) {
    struct geist_tally *const t = geist_learn_tally(learn);
    const double games = (double)t->games, positions = (double)t->positions;
    const uint64_t purple = t->purple[0] + t->purple[1] + t->purple[2];
    const uint64_t past = t->past[0] + t->past[1] + t->past[2];
    if (!o->quiet && t->games > 0) {
        fprintf(stderr,
                "%9d games %6.0f s  %5.1f plies, %4.1f%% drawn; won against purple %4.1f%%, itself earlier "
                "%4.1f%%",
                geist_learn_done(learn), clock_seconds_since(cli_clock(), start_ns), (double)t->plies / games,
                share(t->drawn, t->games), share(t->purple[0], purple), share(t->past[0], past));
        if (t->positions > 0)
            fprintf(stderr, "; squared errors %.4f %.4f %.4f", t->surprise[0] / positions,
                    t->surprise[1] / positions, t->surprise[2] / positions);
        fputc('\n', stderr);
    }
    memset(t, 0, sizeof *t);
}

/* False: it was interrupted. */
static bool run(const struct options *o, struct geist_learn *learn) {
    const int all = o->games + o->value_games, every = all / REPORTS > 0 ? all / REPORTS : 1;
    const int64_t start_ns = clock_now_ns(cli_clock());
    int next = every;
    bool more = true;
    while (more && !budget_is_stopped(&cli_stop)) {
        more = geist_learn_go(learn, STRETCH);
        if (geist_learn_done(learn) >= next || !more) {
            report(o, learn, start_ns);
            next += every;
        }
    }
    return !more;
}

static bool save(const struct options *o, const struct geist_learn *learn, struct err *e) {
    char comment[160];
    struct text text = {0};
    snprintf(comment, sizeof comment,
             "senjutsu train geister-geist --games %d --value-games %d --seed %" PRIu64, o->games,
             o->value_games, o->seed);
    geist_weights_write(geist_learn_weights(learn), comment, &text);
    const bool ok = (!text.failed || err_set(e, "not enough memory")) &&
                    file_write(o->out, text_string(&text), text.size, e);
    text_done(&text);
    return ok;
}

int train_geister_geist(const struct cli_command *self, int argc, char **argv) {
    struct options o = {.out = "geister-geist.weights",
                        .seed = 1,
                        .games = geist_recipe_own.games,
                        .value_games = geist_recipe_own.value_games};
    const struct cli_option options[] = {
        {"games", CLI_INT, &o.games, "N", "for the policy", 1, 1000000000},
        {"value-games", CLI_INT, &o.value_games, "N", "for the values, after them", 1, 1000000000},
        {"seed", CLI_U64, &o.seed, "S", "everything random follows from it"},
        {"out", CLI_TEXT, &o.out, "FILE", "where the weights go; nothing is overwritten"},
        {"quiet", CLI_FLAG, &o.quiet, NULL, "say nothing while it runs"},
        {0},
    };
    int status;
    struct err e;
    if (!cli_parse_options(self, options, argc, argv, &status))
        return status;
    if (!train_is_free(o.out, "choose another name, or remove it", &e))
        return cli_fail(self, CLI_FAILED, "%s", e.text);
    struct geist_recipe recipe = geist_recipe_own;
    recipe.games = o.games;
    recipe.value_games = o.value_games;
    struct geist_learn *learn = geist_learn_open(&recipe, o.seed, &e);
    if (learn == NULL)
        return cli_fail(self, CLI_FAILED, "%s", e.text);
    cli_catch_interrupt();
    bool ok = run(&o, learn) || err_set(&e, "interrupted; nothing was written");
    ok = ok && save(&o, learn, &e);
    geist_learn_close(learn);
    return ok ? CLI_OK : cli_fail(self, CLI_FAILED, "%s", e.text);
}
