/* SPDX-License-Identifier: MIT
 *
 * `senjutsu check --leaks PLAYER…`: does a player's answer depend on what its side cannot see?
 */
#include "cli/check.h"

#include "audit/leaks.h"
#include "base/jsontext.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

enum { GAMES_MAX = 32, WORK = 200 };

/* Games that hide more or less by an option are looked at more than once; the others as they are. */
static const char *const variants[] = {"synth:df=0.1", "synth:df=0.5", "synth:df=0.9"};

/* Unsteady: the same question gets different answers, so different answers show nothing. */
enum outcome { PASS, FAIL, UNSTEADY, SKIP, OUTCOMES };

static const char *const outcome_names[OUTCOMES] = {
    [PASS] = "pass", [FAIL] = "fail", [UNSTEADY] = "unsteady", [SKIP] = "skip"};

/* One player's. */
struct audit {
    const struct check_leaks *task;
    const char *player;
    uint64_t work;        /* 0: as the player's options say */
    int counts[OUTCOMES]; /* of games */
    bool stopped;
    json_t *rows; /* NULL: lines are printed */
};

/* ---- which games ---- */

static bool is_variant_of(const char *spec, const char *name) {
    const size_t length = strlen(name);
    return strncmp(spec, name, length) == 0 && spec[length] == ':';
}

/* Fills the specs of all games that hide something; returns how many there are. */
static int list_games(const char **out) {
    const int variant_count = (int)(sizeof variants / sizeof variants[0]);
    int count = 0;
    for (int i = 0; game_tables[i] != NULL; i++) {
        const int before = count;
        if (game_tables[i]->hide == NULL)
            continue;
        for (int k = 0; k < variant_count && count < GAMES_MAX; k++)
            if (is_variant_of(variants[k], game_tables[i]->name))
                out[count++] = variants[k];
        if (count == before && count < GAMES_MAX)
            out[count++] = game_tables[i]->name;
    }
    return count;
}

/* ---- one game ---- */

static void say(struct audit *a, enum outcome outcome, const char *game, const char *words) {
    static const char *const colours[OUTCOMES] = {
        [PASS] = "\033[32m", [FAIL] = "\033[31m", [UNSTEADY] = "\033[31m", [SKIP] = "\033[33m"};
    const bool colour = cli_colour_out();
    a->counts[outcome]++;
    if (a->rows == NULL) {
        printf("%s%s%s  %s: %s\n", colour ? colours[outcome] : "", outcome_names[outcome],
               colour ? "\033[0m" : "", game, words);
        fflush(stdout);
        return;
    }
    json_array_append_new(
        a->rows, json_pack("{ss ss ss}", "game", game, "result", outcome_names[outcome], "words", words));
}

static void describe(const struct leaks_report *r, struct text *out) {
    if (r->positions == 0) {
        text_add(out, "in none of %d positions was anything hidden from who is to move", r->alone);
        return;
    }
    if (r->views > 0)
        text_add(out, "the game shows too much in %d of %d states; ", r->views, r->twins);
    if (r->kept > 0)
        text_add(out, "views of %d positions differ from others that have the same key; ", r->kept);
    if (r->answers > 0 && r->unsteady == 0)
        text_add(out, "the player answers differently in %d of %d states that look alike to it; ", r->answers,
                 r->twins);
    if (r->unsteady > 0)
        text_add(out, "%d of %d questions got another answer the second time, so answers prove nothing; ",
                 r->unsteady, r->positions + r->twins);
    if (leaks_none(r))
        text_add(out, "%d positions, %d other states that look alike: the same views, the same answers",
                 r->positions, r->twins);
    else
        text_add(out, "first: %s", text_string(&r->first));
}

static void add_counts(struct audit *a, const struct leaks_report *r) {
    json_t *row = json_array_get(a->rows, json_array_size(a->rows) - 1);
    json_object_set_new(row, "games", json_integer(r->games));
    json_object_set_new(row, "positions", json_integer(r->positions));
    json_object_set_new(row, "twins", json_integer(r->twins));
    json_object_set_new(row, "alone", json_integer(r->alone));
    json_object_set_new(row, "views", json_integer(r->views));
    json_object_set_new(row, "kept", json_integer(r->kept));
    json_object_set_new(row, "answers", json_integer(r->answers));
    json_object_set_new(row, "unsteady", json_integer(r->unsteady));
}

static enum outcome outcome_of(const struct leaks_report *r) {
    if (leaks_none(r))
        return PASS;
    if (r->positions == 0)
        return SKIP;
    return r->unsteady > 0 && r->views + r->kept == 0 ? UNSTEADY : FAIL;
}

static void report(struct audit *a, const char *game, const struct leaks_report *r) {
    struct text words = {0};
    a->stopped = r->stopped;
    if (r->stopped)
        return;
    describe(r, &words);
    say(a, outcome_of(r), game, text_string(&words));
    if (a->rows != NULL)
        add_counts(a, r);
    text_done(&words);
}

/* A player that refuses a game leaks nothing there. */
static bool audit_game(struct audit *a, const char *spec, const struct scenario *scenario, struct err *e) {
    struct leaks_report found;
    struct player *player = player_open_granted(a->player, scenario->game, cli_grant(), e);
    if (player == NULL) {
        struct text words = {0};
        text_add(&words, "cannot play it: %s", e->text);
        say(a, SKIP, spec, text_string(&words));
        text_done(&words);
        return true;
    }
    const struct leaks_task task = {
        .scenario = scenario,
        .player = player,
        .positions = a->task->positions,
        .twins = a->task->twins,
        .seed = a->task->seed,
        .work = a->work,
        .clock = cli_clock(),
        .stop = &cli_stop,
    };
    const bool ok = leaks_find(&task, &found, e);
    if (ok)
        report(a, spec, &found);
    leaks_report_done(&found);
    player_close(player);
    return ok;
}

/* ---- one player ---- */

/* Who thinks by the clock does not do the same work twice; then nothing could be compared. */
static bool goes_by_clock(const char *canonical) {
    for (const char *at = canonical; (at = strstr(at, "time=")) != NULL; at++)
        if (at > canonical && strchr(":,[", at[-1]) != NULL)
            return true;
    return false;
}

static bool audit_player(struct audit *a, const char *const *games, int count, struct err *e) {
    bool ok = true;
    for (int i = 0; ok && i < count && !a->stopped; i++) {
        struct scenario *scenario = game_load_spec(games[i], e);
        ok = scenario != NULL && audit_game(a, games[i], scenario, e);
        if (scenario != NULL)
            scenario->game->unload(scenario);
    }
    return ok;
}

static bool is_clean(const struct audit *a) {
    return !a->stopped && a->counts[FAIL] == 0 && a->counts[UNSTEADY] == 0 && a->counts[PASS] > 0;
}

static void print_verdict(const struct audit *a) {
    printf("%s: ", a->player);
    const int looked_at = a->counts[PASS] + a->counts[FAIL] + a->counts[UNSTEADY];
    const char *games = looked_at == 1 ? "game" : "games";
    if (a->stopped)
        printf("stopped\n");
    else if (looked_at == 0)
        printf("there was no game to look at\n");
    else if (a->counts[FAIL] > 0)
        printf("leaks in %d of %d %s\n", a->counts[FAIL], looked_at, games);
    else if (a->counts[UNSTEADY] > 0)
        printf("nothing is known about %d of %d %s: its answers vary by themselves\n", a->counts[UNSTEADY],
               looked_at, games);
    else
        printf("no leaks in %d %s\n", looked_at, games);
}

static json_t *player_json(struct audit *a) {
    json_t *rows = a->rows;
    a->rows = NULL;
    return json_pack("{ss sb si si si si sb sI so}", "player", a->player, "clean", is_clean(a), "passed",
                     a->counts[PASS], "failed", a->counts[FAIL], "unsteady", a->counts[UNSTEADY], "skipped",
                     a->counts[SKIP], "stopped", a->stopped, "work_instead_of_time", (json_int_t)a->work,
                     "games", rows);
}

/* ---- the command ---- */

static int run_player(const struct check_leaks *k, struct audit *a, const char *const *games, int count) {
    struct err e;
    struct text canonical = {0};
    if (!player_check(a->player, &canonical, &e)) {
        text_done(&canonical);
        return cli_fail(k->command, CLI_USAGE, "%s", e.text);
    }
    if (goes_by_clock(text_string(&canonical)))
        a->work = WORK;
    text_done(&canonical);
    if (a->work > 0 && !k->json)
        printf("note  answers under a clock differ by themselves: %s is asked for %d simulations instead\n",
               a->player, WORK);
    if (!audit_player(a, games, count, &e))
        return cli_fail(k->command, CLI_FAILED, "%s", e.text);
    if (!k->json)
        print_verdict(a);
    return is_clean(a) ? CLI_OK : CLI_FAILED;
}

static int run_players(const struct check_leaks *k, const char *const *games, int count) {
    json_t *all = json_array();
    int status = CLI_OK;
    for (int i = 0; i < k->player_count && status != CLI_USAGE; i++) {
        cli_typed_player(k->players[i]);
        struct audit a = {.task = k, .player = k->players[i], .rows = k->json ? json_array() : NULL};
        const int own = run_player(k, &a, games, count);
        if (k->json)
            json_array_append_new(all, player_json(&a));
        status = own != CLI_OK ? own : status;
        if (a.stopped)
            break;
    }
    if (k->json && status != CLI_USAGE &&
        !cli_print_json(k->command, json_pack("{si si so sO}", "positions", k->positions, "twins", k->twins,
                                              "seed", jsontext_seed(k->seed), "players", all)))
        status = CLI_FAILED;
    json_decref(all);
    return cli_finish_output(k->command) ? status : CLI_FAILED;
}

static bool check_game(const char *game, struct err *e) {
    struct spec spec;
    const struct cli_source source = {.game = game};
    if (!cli_check_source(&source, e) || !spec_parse(game, &spec, e))
        return false;
    return game_find(spec.name)->hide != NULL ||
           err_set(e, "--game %s: it hides nothing, so there is nothing to leak", game);
}

int check_leaks_run(const struct check_leaks *k) {
    struct err e;
    const char *games[GAMES_MAX];
    if (k->player_count == 0)
        return cli_fail(k->command, CLI_USAGE, "--leaks: a player is needed");
    if (k->game != NULL && !check_game(k->game, &e))
        return cli_fail(k->command, CLI_USAGE, "%s", e.text);
    games[0] = k->game;
    const int count = k->game != NULL ? 1 : list_games(games);
    cli_catch_interrupt();
    return run_players(k, games, count);
}
