/* SPDX-License-Identifier: MIT
 *
 * `senjutsu train geister-pg`: learns, shows how it goes, and keeps what was learned. What is on disk is
 * always whole: weights and state are each written under another name first, and the state is that of the
 * weights beside it or of a later moment.
 */
#include "cli/train.h"

#include "base/file.h"
#include "base/mem.h"
#include "geister/duel.h"
#include "geister/learn.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PATH_SIZE = 4096, STATE_TEXT_MAX = 4 << 20, RULES_PLIES = 300 };
#define REDRAW_NS INT64_C(200000000)
#define STATE_END ".state"

struct options {
    const char *out, *resume, *recipe, *against;
    uint64_t games, seed, every;
    int threads, against_games;
    bool quiet, json, seed_given, recipes;
};

struct run {
    const struct cli_command *command;
    const struct options *options;
    struct learn *learn;
    char out[PATH_SIZE], state[PATH_SIZE];
    struct policy_weights *opponent; /* NULL: random */
    struct policy_weights *policy;   /* as it is now */
    int64_t start_ns, shown_ns;
    uint64_t begun; /* games that were there at the start */
    struct duel_score score;
    json_t *curve;
    bool drawn;
};

/* ---- showing ---- */

static double speed(const struct run *r) {
    const double seconds = clock_seconds_since(cli_clock(), r->start_ns);
    return seconds > 0 ? (double)(learn_games(r->learn) - r->begun) / seconds : 0;
}

static void clear_line(struct run *r) {
    if (r->drawn)
        fputs("\r\033[K", stderr);
    r->drawn = false;
}

static double score_of(const struct duel_score *s) {
    const int games = s->wins + s->draws + s->losses;
    return games > 0 ? (s->wins + 0.5 * s->draws) / games : 0;
}

static void show_progress(struct run *r) {
    const int64_t now = clock_now_ns(cli_clock());
    if (r->options->quiet || !cli_terminal_error() || now - r->shown_ns < REDRAW_NS)
        return;
    r->shown_ns = now;
    r->drawn = true;
    const uint64_t games = learn_games(r->learn);
    const double each = speed(r);
    fprintf(stderr, "\r\033[K%" PRIu64 " of %" PRIu64 " games  %.0f games/s  %.1f%% against %s  %.0f s left",
            games, r->options->games, each, 100 * score_of(&r->score), r->options->against,
            each > 0 ? (double)(r->options->games - games) / each : 0);
    fflush(stderr);
}

/* A line of the learning curve. */
static void show_check(struct run *r) {
    const struct learn_tally *t = learn_tally_of(r->learn);
    const double games = t->games > 0 ? (double)t->games : 1;
    json_array_append_new(r->curve,
                          json_pack("{sI sf si si si sf sf sf sf}", "games",
                                    (json_int_t)learn_games(r->learn), "score", score_of(&r->score), "wins",
                                    r->score.wins, "draws", r->score.draws, "losses", r->score.losses,
                                    "plies", (double)t->plies / games, "drawn", (double)t->ends[2] / games,
                                    "correlation", isnan(learn_correlation(t)) ? 0 : learn_correlation(t),
                                    "log_loss", isnan(learn_surprise(t)) ? 0 : learn_surprise(t)));
    if (r->options->quiet || r->options->json)
        return;
    clear_line(r);
    printf("%11" PRIu64 " %9.0f %7.1f%% %5d %5d %5d %8.1f %7.1f%% %8.3f %8.4f\n", learn_games(r->learn),
           speed(r), 100 * score_of(&r->score), r->score.wins, r->score.draws, r->score.losses,
           (double)t->plies / games, 100 * (double)t->ends[2] / games, learn_correlation(t),
           learn_surprise(t));
    fflush(stdout);
}

static void show_heading(const struct run *r) {
    if (r->options->quiet || r->options->json)
        return;
    struct text recipe = {0};
    params_write(learn_params, learn_recipe_of(r->learn), &recipe); /* what is unusual */
    printf("Recipe own%s, seed %" PRIu64 ", %d thread%s; best moves against %s, %d games\n\n",
           text_string(&recipe), learn_seed(r->learn), r->options->threads,
           r->options->threads == 1 ? "" : "s", r->options->against, r->options->against_games);
    printf("%11s %9s %8s %5s %5s %5s %8s %8s %8s %8s\n", "games", "games/s", "score", "won", "drawn", "lost",
           "plies", "drawn", "value r", "log loss");
    text_done(&recipe);
}

/* ---- keeping ---- */

static void add_comment(const struct run *r, struct text *out) {
    text_add(out, "weights of the Geister player pg, learned by self-play in %" PRIu64 " games\n",
             learn_games(r->learn));
    text_add(out, "senjutsu train geister-pg --seed %" PRIu64 " --games %" PRIu64 " --recipe ",
             learn_seed(r->learn), learn_games(r->learn));
    learn_recipe_write(learn_recipe_of(r->learn), out);
}

static bool keep(struct run *r, struct err *e) {
    struct text comment = {0}, weights = {0}, state = {0};
    add_comment(r, &comment);
    learn_policy(r->learn, r->policy);
    policy_write(r->policy, text_string(&comment), &weights);
    learn_write(r->learn, &state);
    const bool whole = !comment.failed && !weights.failed && !state.failed;
    const bool ok = (whole || err_set(e, "not enough memory")) &&
                    file_write(r->state, text_string(&state), state.size, e) &&
                    file_write(r->out, text_string(&weights), weights.size, e);
    text_done(&comment);
    text_done(&weights);
    text_done(&state);
    return ok;
}

static void measure(struct run *r) {
    learn_policy(r->learn, r->policy);
    const struct duel_match match = {.policies = {r->policy, r->opponent},
                                     .style = DUEL_BEST,
                                     .games = r->options->against_games,
                                     .plies = RULES_PLIES,
                                     .seed = learn_seed(r->learn)};
    r->score = duel_compare(&match);
    show_check(r);
    learn_forget(r->learn);
}

/* ---- running ---- */

/* Writes before the first game, too: a file that cannot be written is no news for the end of a long run. */
static bool go(struct run *r, struct err *e) {
    const struct options *o = r->options;
    if (!keep(r, e))
        return false;
    show_heading(r);
    while (learn_games(r->learn) < o->games && !atomic_load(&cli_stop)) {
        const uint64_t before = learn_games(r->learn) / o->every;
        if (!learn_step(r->learn, o->threads, e))
            return false;
        show_progress(r);
        if (learn_games(r->learn) / o->every == before)
            continue;
        measure(r);
        if (!keep(r, e))
            return false;
    }
    if (learn_tally_of(r->learn)->games > 0)
        measure(r);
    clear_line(r);
    return keep(r, e);
}

static bool set_paths(struct run *r, struct err *e) {
    const struct options *o = r->options;
    const char *name = o->out != NULL ? o->out : o->resume != NULL ? o->resume : "geister-pg.weights";
    int length = (int)strlen(name);
    const int end = (int)strlen(STATE_END);
    if (o->out == NULL && length > end && strcmp(name + length - end, STATE_END) == 0)
        length -= end;
    if (length + end >= PATH_SIZE)
        return err_set(e, "%.60s…: the name is too long", name);
    snprintf(r->out, sizeof r->out, "%.*s", length, name);
    snprintf(r->state, sizeof r->state, "%.*s%s", length, name, STATE_END);
    return true;
}

static struct learn *read_state(const char *path, struct err *e) {
    struct text text = {0};
    struct learn *learn = NULL;
    if (file_read(path, STATE_TEXT_MAX, &text, e))
        learn = learn_read(path, text_string(&text), text.size, e);
    text_done(&text);
    return learn;
}

/* What was said must be as it was. */
static bool agrees(const struct run *r, const struct learn_recipe *given, struct err *e) {
    const struct options *o = r->options;
    struct text was = {0}, now = {0};
    bool ok = true;
    learn_recipe_write(learn_recipe_of(r->learn), &was);
    learn_recipe_write(given, &now);
    if (o->seed_given && o->seed != learn_seed(r->learn))
        ok = err_set(e, "%s was begun with seed %" PRIu64 "; leave --seed out", o->resume,
                     learn_seed(r->learn));
    else if (o->recipe != NULL && strcmp(text_string(&was), text_string(&now)) != 0)
        ok = err_set(e, "%s was begun with recipe %s; leave --recipe out", o->resume, text_string(&was));
    text_done(&was);
    text_done(&now);
    return ok;
}

/* A run that goes on writes where it did, but nowhere else over what is there. */
static bool is_ours(const struct run *r, struct err *e) {
    const struct options *o = r->options;
    if (o->resume != NULL && strcmp(o->resume, r->state) == 0)
        return true;
    struct text instead = {0};
    text_add(&instead, "go on with --resume %s, choose another name, or remove it", r->state);
    const bool ok = train_is_free(r->state, text_string(&instead), e) &&
                    train_is_free(r->out, "choose another name, or remove it", e);
    text_done(&instead);
    return ok;
}

static bool prepare(struct run *r, const struct learn_recipe *recipe, struct err *e) {
    const struct options *o = r->options;
    r->policy = mem_alloc(sizeof *r->policy);
    r->curve = json_array();
    if (r->policy == NULL || r->curve == NULL)
        return err_set(e, "not enough memory");
    if (!set_paths(r, e))
        return false;
    if (strcmp(o->against, "random") != 0 && (r->opponent = train_load_weights(o->against, e)) == NULL)
        return err_prefix(e, "--against: ");
    r->learn = o->resume != NULL ? read_state(o->resume, e) : learn_open(recipe, o->seed, e);
    if (r->learn == NULL || (o->resume != NULL && !agrees(r, recipe, e)) || !is_ours(r, e))
        return false;
    r->begun = learn_games(r->learn);
    return r->begun <= o->games ||
           err_set(e, "%s has %" PRIu64 " games already: nothing to do for --games %" PRIu64, o->resume,
                   r->begun, o->games);
}

static bool print_summary(struct run *r) {
    const struct learn *l = r->learn;
    const bool stopped = learn_games(l) < r->options->games;
    if (r->options->json) {
        struct text recipe = {0};
        learn_recipe_write(learn_recipe_of(l), &recipe);
        json_t *root = json_pack("{sI sI ss sb sf ss ss ss sO}", "games", (json_int_t)learn_games(l), "seed",
                                 (json_int_t)learn_seed(l), "recipe", text_string(&recipe), "complete",
                                 !stopped, "games_per_second", speed(r), "weights", r->out, "state", r->state,
                                 "against", r->options->against, "curve", r->curve);
        text_done(&recipe);
        return cli_print_json(r->command, root);
    }
    if (!r->options->quiet)
        printf("\n%s%s: weights after %" PRIu64 " games; go on with --resume %s\n",
               stopped ? "Interrupted. " : "", r->out, learn_games(l), r->state);
    return cli_finish_output(r->command);
}

static int train(struct run *r, const struct learn_recipe *recipe) {
    struct err e;
    int status = CLI_FAILED;
    if (prepare(r, recipe, &e)) {
        cli_catch_interrupt();
        r->start_ns = clock_now_ns(cli_clock());
        if (!go(r, &e))
            cli_fail(r->command, CLI_FAILED, "%s", e.text);
        else
            status = print_summary(r) ? CLI_OK : CLI_FAILED;
    } else {
        cli_fail(r->command, CLI_FAILED, "%s", e.text);
    }
    learn_close(r->learn);
    json_decref(r->curve);
    mem_free(r->opponent);
    mem_free(r->policy);
    return status;
}

static int print_recipes(const struct cli_command *self) {
    struct learn_recipe recipe;
    struct text text = {0};
    learn_recipe_read("published", &recipe, NULL);
    text_add_string(&text, "own, with these options (how much each is usually in brackets):\n");
    params_help(learn_params, "  ", &text);
    text_add_string(&text, "published, which is the same as\n  ");
    text_add_string(&text, "own");
    params_write(learn_params, &recipe, &text);
    text_add_string(&text, "\n");
    const bool ok = cli_write(self, "-", &text);
    text_done(&text);
    return ok ? CLI_OK : CLI_FAILED;
}

int train_geister_pg(const struct cli_command *self, int argc, char **argv) {
    struct options o = {.games = 2000000,
                        .seed = 1,
                        .every = 100000,
                        .threads = 1,
                        .against = "builtin",
                        .against_games = 400};
    const struct cli_option options[] = {
        {"games", CLI_U64, &o.games, "N", "stop after so many, those before --resume included"},
        {"seed", CLI_U64, &o.seed, "S", "everything random follows from it", .given = &o.seed_given},
        {"out", CLI_TEXT, &o.out, "FILE",
         "the weights (default: geister-pg.weights); FILE.state beside it; nothing is overwritten"},
        {"resume", CLI_TEXT, &o.resume, "STATE",
         "go on where that run was, as if it had not been interrupted"},
        {"recipe", CLI_TEXT, &o.recipe, "SPEC",
         "own (default) or published, with options: own:rate=0.02 (--recipes)"},
        {"recipes", CLI_FLAG, &o.recipes, NULL, "print recipes and their options, learn nothing"},
        {"every", CLI_U64, &o.every, "N", "write and measure after so many games"},
        {"against", CLI_TEXT, &o.against, "WHO",
         "who it is measured against: builtin, random, or a weight file"},
        {"against-games", CLI_INT, &o.against_games, "N", "games of a measurement", 2, 100000},
        {"threads", CLI_INT, &o.threads, "T", "up to 8 are of use; the result is the same", 1, 64},
        {"quiet", CLI_FLAG, &o.quiet, NULL, "say nothing while it runs"},
        {"json", CLI_FLAG, &o.json, NULL, "a summary with the learning curve as JSON"},
        {0},
    };
    int status;
    struct learn_recipe recipe;
    struct err e;
    if (!cli_parse_options(self, options, argc, argv, &status))
        return status;
    if (o.recipes)
        return print_recipes(self);
    if (!learn_recipe_read(o.recipe != NULL ? o.recipe : "own", &recipe, &e))
        return cli_fail(self, CLI_USAGE, "--recipe: %s", e.text);
    if (o.every == 0 || o.games == 0)
        return cli_fail(self, CLI_USAGE, "--%s 0: expected at least 1", o.every == 0 ? "every" : "games");
    struct run run = {.command = self, .options = &o};
    return train(&run, &recipe);
}
