/* SPDX-License-Identifier: MIT */
#include "cli/map_games.h"

#include "player/player.h"
#include "store/store.h"

#include <stdio.h>
#include <string.h>

enum { REDRAW_NS = 100000000 };

/* ---- who plays ---- */

static const struct tbs_rules *find_rules(const char *name) {
    const struct tbs_rules *r = tbs_rule_sets;
    while (strcmp(r->name, name) != 0)
        r++;
    return r;
}

bool map_games_check(struct map_games *g) {
    const char *const given[] = {g->strong, g->weak};
    struct err e;
    bool ok = cli_check_rules(g->rules_name, &e);
    for (int i = 0; ok && i < 2; i++)
        ok = player_check(given[i], &g->specs[i], &e) || err_prefix(&e, "--%s: ", i == 0 ? "strong" : "weak");
    if (!ok) {
        cli_fail(g->command, CLI_USAGE, "%s", e.text);
        return false;
    }
    g->rules = find_rules(g->rules_name);
    for (int i = 0; i < 2; i++)
        cli_warn_of_player(g->command, text_string(&g->specs[i]), text_string(&g->specs[i]));
    return true;
}

/* ---- the line on the terminal ---- */

static bool is_shown(const struct map_games *g) {
    return !g->quiet && cli_terminal_error();
}

static void show_progress(void *context, bool recalled) {
    (void)recalled;
    struct map_games *g = context;
    char state[MAP_GAMES_STATE_MAX] = "";
    g->games++;
    const int64_t now = clock_now_ns(cli_clock());
    if (!is_shown(g) || now - g->shown_ns < REDRAW_NS)
        return;
    g->shown_ns = now;
    if (g->add_state != NULL)
        g->add_state(g->context, state, sizeof state);
    fprintf(stderr, "\r\033[K%d games, %.0f s%s", g->games, map_games_seconds(g), state);
    fflush(stderr);
}

void map_games_hide(const struct map_games *g) {
    if (g->games > 0 && is_shown(g))
        fputs("\r\033[K", stderr);
}

double map_games_seconds(const struct map_games *g) {
    return clock_seconds_since(cli_clock(), g->start_ns);
}

/* ---- opening and closing ---- */

bool map_games_open(struct map_games *g) {
    struct err e;
    cli_catch_interrupt();
    if (g->store_path != NULL)
        g->store = store_open(g->store_path, STORE_WRITE, &e);
    const char *const specs[] = {text_string(&g->specs[0]), text_string(&g->specs[1])};
    const struct cli_programs programs = {specs, 2, EVALUATOR_COPIES_MAX, 0};
    const struct evaluator_setup setup = {
        .rules = g->rules,
        .strong = text_string(&g->specs[0]),
        .weak = text_string(&g->specs[1]),
        .seed = g->seed,
        .workers = cli_limit_jobs(g->command, g->jobs, &programs),
        .store = g->store,
        .clock = cli_clock(),
        .grant = cli_grant(),
        .stop = &cli_stop,
        .date = cli_date,
        .on_trial = show_progress,
        .context = g,
    };
    g->start_ns = g->shown_ns = clock_now_ns(cli_clock());
    if (g->store_path == NULL || g->store != NULL)
        g->evaluator = evaluator_open(&setup, &e);
    if (g->evaluator == NULL)
        cli_fail(g->command, CLI_FAILED, "%s", e.text);
    return g->evaluator != NULL;
}

void map_games_close(struct map_games *g) {
    evaluator_close(g->evaluator);
    store_close(g->store);
    g->evaluator = NULL;
    g->store = NULL;
    text_done(&g->specs[0]);
    text_done(&g->specs[1]);
}

/* ---- numbers ---- */

void map_add_share(const struct share *share, struct text *out) {
    if (share->games == 0)
        text_add_string(out, "-");
    else
        text_add(out, "%5.1f %%  (%.1f to %.1f)", 100 * share->value, 100 * share->interval.low,
                 100 * share->interval.high);
}
