/* SPDX-License-Identifier: MIT
 *
 * `senjutsu train VERB`: learns what players of Geister use. `geister-pg` learns the weights of pg by self-
 * play, `geister-geist` those of geist from them, `geister-setups` computes which set-ups are good.
 * src/geister has the learning; here are options, progress and files.
 *
 * Learning takes hours. Therefore no file is ever overwritten that the run did not begin with, a file that
 * cannot be written is noticed before the first game, and an interrupted run of geister-pg continues from
 * its state file exactly where it was: the weights are those of a run without the interruption, with any
 * number of threads.
 */
#include "base/encode.h"
#include "base/mem.h"
#include "cli/cli.h"
#include "geister/learn.h"
#include "geister/policy.h"
#include "geister/setup.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- shared ---- */

/* Tests that the file does not exist: results of hours are never overwritten. `state` is the file from which
 * the run that wrote it can go on; NULL: none. */
static bool path_is_free(const char *path, const char *state, struct err *e) {
    const bool resumes = state != NULL;
    return !file_exists(path) ||
           err_set(e, "%s is there already and would be overwritten; %s%s%schoose another name, or remove it",
                   path, resumes ? "continue with --resume " : "", resumes ? state : "", resumes ? ", " : "");
}

/* Loads the weights that an option names: "builtin", or a file. The caller frees them with mem_free; NULL
 * with a reason. */
static struct policy_weights *load_weights(const char *option, const char *name, struct err *e) {
    struct policy_weights *weights = strcmp(name, "builtin") == 0
                                         ? mem_copy(policy_builtin(), sizeof *weights)
                                         : weight_file_load(&policy_format, name, e);
    if (weights == NULL)
        err_prefix(e, "--%s: ", option);
    return weights;
}

/* ---- geister-pg ---- */

/* STATE_TEXT_MAX limits what is read from a state file, which may come from elsewhere. RULES_PLIES limits a
 * game of a measurement: two cautious policies could otherwise play for ever. */
enum { STATE_TEXT_MAX = 4 << 20, RULES_PLIES = 300, REDRAW_MS = 200 };
#define STATE_END ".state"

/* One run of geister-pg. The files on disk are always complete: weights and state are each written under
 * another name first, and the state belongs to the weights beside it or to a later moment. */
struct pg_run {
    /* Options. */
    const char *given_out, *resume, *recipe, *against;
    uint64_t games, seed, every; /* every: games between two measurements */
    int threads, against_games;
    bool quiet, json, seed_given, recipes;

    struct learn *learn;
    char out[FILE_PATH_MAX], state[FILE_PATH_MAX]; /* files of the weights and of the state */
    struct policy_weights *opponent;               /* NULL: random */
    struct policy_weights *policy;                 /* the current weights */
    uint64_t begun;                                /* games learned before this run */
    struct duel_score score;
    json_t *curve;
};

/* Games per second of this run, for the remaining time; those before --resume took no time here. */
static double speed(const struct pg_run *r) {
    const double seconds = cli_seconds();
    return seconds > 0 ? (double)(r->learn->games - r->begun) / seconds : 0;
}

/* A draw counts one half, as in the tables of a match. */
static double score_of(const struct duel_score *s) {
    const int games = s->wins + s->draws + s->losses;
    return games > 0 ? (s->wins + 0.5 * s->draws) / games : 0;
}

/* Writes the state before the weights: when the program dies between them, --resume learns a few games again
 * and writes the same weights. The comment in the file is the command that makes the file again. */
static bool write_weights(struct pg_run *r, struct err *e) {
    struct text comment = {0}, weights = {0}, state = {0};
    text_add(&comment, "weights of the Geister player pg, learned by self-play in %" PRIu64 " games\n",
             r->learn->games);
    text_add(&comment, "senjutsu train geister-pg --seed %" PRIu64 " --games %" PRIu64 " --recipe ",
             r->learn->seed, r->learn->games);
    learn_recipe_write(&r->learn->recipe, &comment);
    learn_policy(r->learn, r->policy);
    weight_file_write(&policy_format, r->policy, text_string(&comment), &weights);
    learn_write(r->learn, &state);
    const bool ok = file_write(r->state, text_string(&state), state.size, e) &&
                    file_write(r->out, text_string(&weights), weights.size, e);
    text_done(&comment);
    text_done(&weights);
    text_done(&state);
    return ok;
}

/* Plays the current weights against the opponent (always the best move, a fixed seed, so that two points of
 * the curve differ only by what was learned), adds a point to the learning curve and prints it as a line. The
 * tally of training games begins anew after it. */
static void measure_strength(struct pg_run *r) {
    learn_policy(r->learn, r->policy);
    const struct duel_match match = {.policies = {r->policy, r->opponent},
                                     .style = DUEL_BEST,
                                     .games = r->against_games,
                                     .plies = RULES_PLIES,
                                     .seed = r->learn->seed};
    const struct duel_score s = r->score = duel_compare(&match);
    const struct learn_tally *t = &r->learn->tally;
    const double games = t->games > 0 ? (double)t->games : 1;
    const double plies = (double)t->plies / games, drawn = (double)t->ends[2] / games;
    const double correlation = learn_correlation(t), log_loss = learn_surprise(t);
    json_array_append_new(
        r->curve, json_pack("{sI sf si si si sf sf sf sf}", "games", (json_int_t)r->learn->games, "score",
                            score_of(&s), "wins", s.wins, "draws", s.draws, "losses", s.losses, "plies",
                            plies, "drawn", drawn, "correlation", isnan(correlation) ? 0 : correlation,
                            "log_loss", isnan(log_loss) ? 0 : log_loss));
    if (!r->quiet && !r->json) {
        cli_status_clear();
        printf("%11" PRIu64 " %9.0f %7.1f%% %5d %5d %5d %8.1f %7.1f%% %8.3f %8.4f\n", r->learn->games,
               speed(r), 100 * score_of(&s), s.wins, s.draws, s.losses, plies, 100 * drawn, correlation,
               log_loss);
        fflush(stdout);
    }
    r->learn->tally = (struct learn_tally){0};
}

/* Learns until the wanted number of games or a signal. The weights are also written before the first game, so
 * that a file that cannot be written is noticed at once. False with a reason when a file cannot be written or
 * memory ends. */
static bool learn_and_report(struct pg_run *r, struct err *e) {
    if (!write_weights(r, e))
        return false;
    if (!r->quiet && !r->json) {
        struct text recipe = {0};
        params_write(learn_params, &r->learn->recipe, &recipe); /* what differs from the default */
        printf("Recipe own%s, seed %" PRIu64 ", %d thread%s; best moves against %s, %d games\n\n",
               text_string(&recipe), r->learn->seed, r->threads, r->threads == 1 ? "" : "s", r->against,
               r->against_games);
        printf("%11s %9s %8s %5s %5s %5s %8s %8s %8s %8s\n", "games", "games/s", "score", "won", "drawn",
               "lost", "plies", "drawn", "value r", "log loss");
        text_done(&recipe);
    }
    while (r->learn->games < r->games && !atomic_load(&cli_stop)) {
        const uint64_t before = r->learn->games / r->every;
        if (!learn_step(r->learn, r->threads, e))
            return false;
        const uint64_t games = r->learn->games;
        if (!r->quiet && cli_status_is_due(REDRAW_MS)) {
            const double each = speed(r);
            cli_status_draw("%" PRIu64 " of %" PRIu64 " games  %.0f games/s  %.1f%% against %s  %.0f s left",
                            games, r->games, each, 100 * score_of(&r->score), r->against,
                            each > 0 ? (double)(r->games - games) / each : 0);
        }
        if (games / r->every == before)
            continue;
        measure_strength(r);
        if (!write_weights(r, e))
            return false;
    }
    if (r->learn->tally.games > 0)
        measure_strength(r);
    cli_status_clear();
    return write_weights(r, e);
}

/* Reads the state of an earlier run. Omitted options keep the stored value; given ones must match it, because
 * a run with another seed or recipe could not have been this one. */
static bool resume_state(struct pg_run *r, const struct learn_recipe *given, struct err *e) {
    struct text was = {0}, now = {0}, state = {0};
    if (file_read(r->resume, STATE_TEXT_MAX, &state, e))
        r->learn = learn_read(r->resume, text_string(&state), state.size, e);
    text_done(&state);
    if (r->learn == NULL)
        return false;
    if (r->seed_given && r->seed != r->learn->seed)
        return err_set(e, "%s was begun with seed %" PRIu64 "; leave --seed out", r->resume, r->learn->seed);
    learn_recipe_write(&r->learn->recipe, &was);
    learn_recipe_write(given, &now);
    const bool ok =
        r->recipe == NULL || strcmp(text_string(&was), text_string(&now)) == 0 ||
        err_set(e, "%s was begun with recipe %s; leave --recipe out", r->resume, text_string(&was));
    text_done(&was);
    text_done(&now);
    return ok;
}

/* Finds the names of both files, loads the opponent and opens or resumes the learner. Everything that can be
 * wrong is tested here: learning takes hours, and its result must not be lost to a mistyped name at the end.
 * The caller releases what was opened, also after a failure. */
static bool prepare_pg(struct pg_run *r, const struct learn_recipe *recipe, struct err *e) {
    const char *name = r->given_out != NULL ? r->given_out
                       : r->resume != NULL  ? r->resume
                                            : "geister-pg.weights";
    const int end = (int)strlen(STATE_END);
    const int length = (int)strlen(name) - (r->given_out == NULL && cli_ends_in(name, STATE_END) ? end : 0);
    r->policy = mem_alloc(sizeof *r->policy);
    r->curve = json_array();
    if (length + end >= FILE_PATH_MAX)
        return err_set(e, "%.60s…: the name is too long", name);
    snprintf(r->out, sizeof r->out, "%.*s", length, name);
    snprintf(r->state, sizeof r->state, "%.*s%s", length, name, STATE_END);
    if (strcmp(r->against, "random") != 0 && (r->opponent = load_weights("against", r->against, e)) == NULL)
        return false;
    if (r->resume == NULL)
        r->learn = learn_open(recipe, r->seed);
    else if (!resume_state(r, recipe, e))
        return false;
    const bool is_own = r->resume != NULL && strcmp(r->resume, r->state) == 0; /* may be overwritten */
    if (!is_own && (!path_is_free(r->state, r->state, e) || !path_is_free(r->out, NULL, e)))
        return false;
    r->begun = r->learn->games;
    return r->begun <= r->games ||
           err_set(e, "%s has %" PRIu64 " games already: nothing to do for --games %" PRIu64, r->resume,
                   r->begun, r->games);
}

#define PG_AT(field) offsetof(struct pg_run, field)

static const struct param pg_params[] = {
    {"games", PARAM_U64, PG_AT(games), .fallback = 2000000,
     .help = "stop after so many, those before --resume included"},
    {PARAM_SEED_ROW(PG_AT(seed))},
    {"out", PARAM_STRING, PG_AT(given_out), .value = "FILE",
     .help = "the weights (default: geister-pg.weights); FILE.state beside it; nothing is overwritten"},
    {"resume", PARAM_STRING, PG_AT(resume), .value = "STATE",
     .help = "continue that run, as if it had not been interrupted"},
    {"recipe", PARAM_STRING, PG_AT(recipe), .value = "SPEC",
     .help = "own (default) or published, with options: own:rate=0.02 (--recipes)"},
    {"recipes", PARAM_FLAG, PG_AT(recipes), .help = "print recipes and their options, learn nothing"},
    {"every", PARAM_U64, PG_AT(every), .fallback = 100000, .help = "write and measure after so many games"},
    {"against", PARAM_STRING, PG_AT(against), .choices = "builtin", .value = "WHO",
     .help = "who it is measured against: builtin, random, or a weight file"},
    {"against-games", PARAM_INT, PG_AT(against_games), 2, 100000, 400, .help = "games of a measurement"},
    {"threads", PARAM_INT, PG_AT(threads), 1, 64, 1, .value = "T",
     .help = "up to 8 are of use; the result is the same"},
    {"quiet", PARAM_FLAG, PG_AT(quiet), .help = "no progress line"},
    {"json", PARAM_FLAG, PG_AT(json), .help = "a summary with the learning curve as JSON"},
    {0},
};

/* "published" is shown as options of "own": both are the same program with other values. */
static int print_recipes(void) {
    struct learn_recipe recipe;
    struct text text = {0};
    learn_recipe_read("published", &recipe, NULL);
    text_add_string(&text, "own, with these options (how much each is usually in brackets):\n");
    params_help(learn_params, "  ", &text);
    text_add_string(&text, "published, which is the same as\n  own");
    params_write(learn_params, &recipe, &text);
    text_add_string(&text, "\n");
    return cli_show_text(&text);
}

/* Returns CLI_OK also after an interruption: the files are complete, and --resume continues. */
static int run_pg(void *state, const struct cli_call *call, struct err *e) {
    struct pg_run *r = state;
    struct learn_recipe recipe;
    if (r->recipes)
        return print_recipes();
    r->seed_given = params_given(call->sections, "seed");
    if (!learn_recipe_read(r->recipe != NULL ? r->recipe : "own", &recipe, e)) {
        err_prefix(e, "--recipe: ");
        return CLI_USAGE;
    }
    if (r->every == 0 || r->games == 0)
        return cli_error(CLI_USAGE, "--%s 0: expected at least 1", r->every == 0 ? "every" : "games");
    if (!prepare_pg(r, &recipe, e))
        return CLI_FAILED;
    cli_begin();
    if (!learn_and_report(r, e))
        return CLI_FAILED;
    const uint64_t games = r->learn->games;
    const bool stopped = games < r->games;
    if (r->json) {
        struct text of_recipe = {0};
        learn_recipe_write(&r->learn->recipe, &of_recipe);
        json_t *root = json_pack("{sI sI ss sb sf ss ss ss sO}", "games", (json_int_t)games, "seed",
                                 (json_int_t)r->learn->seed, "recipe", text_string(&of_recipe), "complete",
                                 !stopped, "games_per_second", speed(r), "weights", r->out, "state", r->state,
                                 "against", r->against, "curve", r->curve);
        text_done(&of_recipe);
        return cli_show_json(root);
    }
    if (!r->quiet)
        printf("\n%s%s: weights after %" PRIu64 " games; continue with --resume %s\n",
               stopped ? "Interrupted. " : "", r->out, games, r->state);
    return CLI_OK;
}

static void end_pg(void *state) {
    struct pg_run *r = state;
    mem_free(r->learn);
    json_decref(r->curve);
    mem_free(r->opponent);
    mem_free(r->policy);
}

static const struct cli_body pg_body = {sizeof(struct pg_run), {{pg_params}}, .run = run_pg, .done = end_pg};

/* ---- geister-geist ---- */

struct geist_options {
    const char *out;
    uint64_t seed;
    int games, value_games;
    bool quiet;
};

/* REPORTS lines are printed in a whole run. STRETCH games are learned between two looks at the stop flag. */
enum { REPORTS = 20, STRETCH = 500 };

/* Prints a line about the games since the last report and clears the tally. "Squared errors" are those of the
 * three value heads, once values are being learned. */
static void report_geist(const struct geist_options *o, struct geist_learn *learn) {
    struct geist_tally *const t = &learn->tally;
    const double games = (double)t->games, positions = (double)t->positions;
    const double purple = (double)(t->purple[0] + t->purple[1] + t->purple[2]);
    const double past = (double)(t->past[0] + t->past[1] + t->past[2]);
    if (!o->quiet && t->games > 0) {
        fprintf(stderr,
                "%9d games %6.0f s  %5.1f plies, %4.1f%% drawn; won against purple %4.1f%%, itself earlier "
                "%4.1f%%",
                learn->done, cli_seconds(), (double)t->plies / games, 100.0 * (double)t->drawn / games,
                purple > 0 ? 100.0 * (double)t->purple[0] / purple : 0,
                past > 0 ? 100.0 * (double)t->past[0] / past : 0);
        if (t->positions > 0)
            fprintf(stderr, "; squared errors %.4f %.4f %.4f", t->surprise[0] / positions,
                    t->surprise[1] / positions, t->surprise[2] / positions);
        fputc('\n', stderr);
    }
    memset(t, 0, sizeof *t);
}

#define GEIST_AT(field) offsetof(struct geist_options, field)

static const struct param geist_params[] = {
    {"games", PARAM_INT, GEIST_AT(games), 1, 1000000000, GEIST_GAMES, .help = "for the policy"},
    {"value-games", PARAM_INT, GEIST_AT(value_games), 1, 1000000000, GEIST_VALUE_GAMES,
     .help = "for the values, after them"},
    {PARAM_SEED_ROW(GEIST_AT(seed))},
    {"out", PARAM_STRING, GEIST_AT(out), .choices = "geister-geist.weights", .value = "FILE",
     .help = "where the weights go; nothing is overwritten"},
    {"quiet", PARAM_FLAG, GEIST_AT(quiet), .help = "no progress line"},
    {0},
};

/* Unlike geister-pg this verb has no state file. An interrupted run writes nothing: the values are learned
 * after the policy, so half a run gives no complete weights. */
static int run_geist(void *state, const struct cli_call *call, struct err *e) {
    const struct geist_options *o = state;
    struct geist_recipe recipe = geist_recipe_own;
    (void)call;
    if (!path_is_free(o->out, NULL, e))
        return CLI_FAILED;
    recipe.games = o->games;
    recipe.value_games = o->value_games;
    struct geist_learn *learn = geist_learn_open(&recipe, o->seed, e);
    if (learn == NULL)
        return CLI_FAILED;
    cli_begin();
    const int all = o->games + o->value_games, every = all / REPORTS > 0 ? all / REPORTS : 1;
    bool more = true;
    for (int next = every; more && !budget_is_stopped(&cli_stop);) {
        more = geist_learn_go(learn, STRETCH);
        if (learn->done >= next || !more) {
            report_geist(o, learn);
            next += every;
        }
    }
    char comment[160];
    struct text text = {0};
    snprintf(comment, sizeof comment,
             "senjutsu train geister-geist --games %d --value-games %d --seed %" PRIu64, o->games,
             o->value_games, o->seed);
    weight_file_write(&geist_format, &learn->weights, comment, &text);
    const bool ok = more ? err_set(e, "interrupted; nothing was written")
                         : file_write(o->out, text_string(&text), text.size, e);
    text_done(&text);
    geist_learn_close(learn);
    return ok ? CLI_OK : CLI_FAILED;
}

static const struct cli_body geist_body = {sizeof(struct geist_options), {{geist_params}}, .run = run_geist};

/* ---- geister-setups ---- */

/* One run of geister-setups. The weights are a mixed strategy of the game in which both players choose a
 * set-up: a solution of the matrix, after small weights were dropped. The matrix has an entry for each of the
 * 70 x 70 pairs of set-ups, so this is too large for the stack. */
struct setups {
    const char *weights;
    struct setup_task task; /* options are read into it, apart from these */
    double least;           /* smaller weights are dropped */
    bool quiet, json, constants;

    struct setup_matrix matrix;
    struct setup_solution solution;
    double even[GEISTER_SETUPS]; /* mean result of each set-up against all others */
    int order[GEISTER_SETUPS];   /* set-ups in order of strength */
};

/* Games longer than PLIES are drawn: two policies that avoid each other would not end. SHOWN_MAX set-ups are
 * printed, and all that have a weight. */
enum { PLIES = 200, SHOWN_MAX = 20 };

/* Called after each set-up has played all its games, in the order of their numbers. */
static void on_progress(void *context, int done) {
    struct setups *s = context;
    if (s->quiet)
        return;
    const double spent = cli_seconds();
    const double games = (double)done * GEISTER_SETUPS * s->task.games;
    cli_status_draw("%d of %d set-ups  %.0f games/s  %.0f s left", done, GEISTER_SETUPS,
                    spent > 0 ? games / spent : 0, spent / done * (GEISTER_SETUPS - done));
}

/* Orders the set-ups by weight, then by result: readers look for the set to play first, then for what is
 * nearly as good. An insertion sort keeps set-ups that are equal in both in the order of their numbers, so
 * that the output is the same everywhere. */
static void rank_setups(struct setups *s) {
    const double *w = s->solution.weights;
    for (int i = 0; i < GEISTER_SETUPS; i++) {
        s->even[i] = 0;
        for (int j = 0; j < GEISTER_SETUPS; j++)
            s->even[i] += s->matrix.worth[i][j] / GEISTER_SETUPS;
    }
    for (int i = 0; i < GEISTER_SETUPS; i++) {
        int at = i;
        for (; at > 0; at--) {
            const int other = s->order[at - 1];
            if (!(w[i] > w[other] || (!(w[i] < w[other]) && s->even[i] > s->even[other])))
                break;
            s->order[at] = other;
        }
        s->order[at] = i;
    }
}

/* With --constants prints lines for src/geister/setup.c, otherwise a table for readers. Values of
 * games lie between -1 and 1; readers get them as per cent of the points. */
static void print_setups(const struct setups *s) {
    const double *w = s->solution.weights;
    char reds[GEISTER_REDS + 1];
    for (int i = 0; s->constants && i < GEISTER_SETUPS; i++) {
        geister_write_reds(geister_setup_reds(i), reds);
        if (w[i] > 0)
            printf("    [%d] = %.4fF, /* %s */\n", i, w[i], reds);
    }
    if (s->constants)
        return;
    printf("%-6s %8s %15s\n", "reds", "weight", "against all");
    for (int i = 0; i < GEISTER_SETUPS && (i < SHOWN_MAX || w[s->order[i]] > 0); i++) {
        geister_write_reds(geister_setup_reds(s->order[i]), reds);
        printf("%-6s %7.1f%% %14.1f%%\n", reds, 100 * w[s->order[i]], 50 + 50 * s->even[s->order[i]]);
    }
    printf("\nThe weighted set scores %.1f%% against random set-ups; the best single answer to it %.1f%%.\n",
           50 + 50 * s->solution.gain, 50 + 50 * s->solution.regret);
}

/* Everything that was measured, with all rows of the matrix, in the order of strength. NULL when memory ran
 * out. */
static json_t *setups_json(const struct setups *s) {
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
    return json_pack("{si so sf sf so}", "games_per_pair", s->task.games, "seed", jsontext_seed(s->task.seed),
                     "against_random", s->solution.gain, "best_answer", s->solution.regret, "setups", list);
}

#define SETUPS_AT(field) offsetof(struct setups, field)

static const struct param setups_params[] = {
    {"games", PARAM_INT, SETUPS_AT(task.games), 1, 1000000, 200, .help = "of each of the 4,900 pairs"},
    {PARAM_SEED_ROW(SETUPS_AT(task.seed))},
    {"weights", PARAM_STRING, SETUPS_AT(weights), .choices = "builtin", .value = "FILE",
     .help = "the policy of both sides; builtin: our own"},
    {"least", PARAM_REAL, SETUPS_AT(least), 0, 0.2, 0.01, .value = "W",
     .help = "weights below that are dropped"},
    {"threads", PARAM_INT, SETUPS_AT(task.threads), 1, 64, .value = "T",
     .help = "the result is the same (default: one a core)"},
    {"quiet", PARAM_FLAG, SETUPS_AT(quiet), .help = "no progress line"},
    {"json", PARAM_FLAG, SETUPS_AT(json), .help = "weights and the whole matrix as JSON"},
    {"constants", PARAM_FLAG, SETUPS_AT(constants), .help = "the weights as lines of C"},
    {0},
};

/* All games are played before the first result, so there is nothing to keep after an interruption. */
static int run_setups(void *state, const struct cli_call *call, struct err *e) {
    struct setups *s = state;
    (void)call;
    struct policy_weights *weights = load_weights("weights", s->weights, e);
    if (weights == NULL)
        return CLI_FAILED;
    cli_begin();
    s->task.policy = weights;
    s->task.plies = PLIES;
    s->task.threads = s->task.threads > 0 ? s->task.threads : cli_cores();
    s->task.stop = &cli_stop;
    s->task.progress = on_progress;
    s->task.context = s;
    const bool ok = setup_matrix_play(&s->task, &s->matrix, e);
    mem_free(weights);
    if (!ok)
        return CLI_FAILED;
    setup_matrix_solve(&s->matrix, s->least, &s->solution);
    rank_setups(s);
    if (s->json)
        return cli_show_json(setups_json(s));
    cli_status_clear();
    print_setups(s);
    return CLI_OK;
}

static const struct cli_body setups_body = {sizeof(struct setups), {{setups_params}}, .run = run_setups};

/* ---- the verbs ---- */

const struct cli_command cli_train_verbs[] = {
    {"train geister-pg",
     "Learns the weights of the Geister player pg by self-play, from nothing. Writes them every so many "
     "games, "
     "and beside them (FILE.state) what a run needs to continue exactly where it stopped.",
     "[options]",
     "  senjutsu train geister-pg --games 1000000 --out mine.weights\n"
     "  senjutsu train geister-pg --resume mine.weights.state --games 5000000\n"
     "  senjutsu train geister-pg --recipe published --games 500000 --out shiga.weights\n"
     "  senjutsu train geister-pg --recipe own:rate=0.02,lambda=0.7 --out other.weights --threads 4\n"
     "  senjutsu match pg:weights=mine.weights pg --game geister --games 400\n",
     .body = &pg_body},
    {"train geister-geist",
     "Learns the weights of the Geister player geist: the policy of pg goes on learning in games against "
     "itself, "
     "what it was earlier and purple, then values of positions are learned from nothing.",
     "[options]",
     "  senjutsu train geister-geist --out mine.weights\n"
     "  senjutsu match geist:weights=mine.weights geist --game geister --games 400\n",
     .body = &geist_body},
    {"train geister-setups",
     "Finds which set-ups of Geister are good: all 70 play all 70, moves drawn by a policy, and the weighted "
     "set that no set-up does better against is computed.",
     "[options]",
     "  senjutsu train geister-setups --games 100\n"
     "  senjutsu train geister-setups --weights mine.weights --games 1000 --json\n"
     "  senjutsu train geister-setups --games 400 --constants          lines of src/geister/setup.c\n",
     .body = &setups_body},
    {0},
};
