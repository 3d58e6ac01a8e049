/* SPDX-License-Identifier: MIT */
#include "evolve/trial.h"

#include "base/mem.h"
#include "match/game_run.h"

#include <stdio.h>
#include <string.h>

/* Who sits where. Strong against itself is two players: a plan that one of them made must not be found by the
 * other. */
enum role { STRONG, STRONG_AGAIN, WEAK, ROLES };

static const enum role seats[TRIAL_KINDS][2] = {
    [TRIAL_STRONG_RED] = {STRONG, WEAK},
    [TRIAL_STRONG_BLUE] = {WEAK, STRONG},
    [TRIAL_PEERS] = {STRONG, STRONG_AGAIN},
};

enum { TABLES = 2 };

struct trial_players {
    const struct grant *grant;
    char specs[ROLES][SPEC_TEXT_MAX];
    struct player *open[TABLES][ROLES]; /* small boards, then wide ones */
};

/* ---- the players ---- */

static bool check_spec(const char *role, const char *spec, struct err *e) {
    return player_check(spec, NULL, e) || err_prefix(e, "%s: ", role);
}

struct trial_players *trial_players_open(const char *strong, const char *weak, const struct grant *grant,
                                         struct err *e) {
    if (!check_spec("strong", strong, e) || !check_spec("weak", weak, e))
        return NULL;
    struct trial_players *p = mem_alloc(sizeof *p);
    if (p == NULL) {
        err_set(e, "not enough memory for the players");
        return NULL;
    }
    p->grant = grant;
    for (int role = 0; role < ROLES; role++)
        snprintf(p->specs[role], sizeof p->specs[role], "%s", role == WEAK ? weak : strong);
    return p;
}

void trial_players_close(struct trial_players *players) {
    if (players == NULL)
        return;
    for (int table = 0; table < TABLES; table++)
        for (int role = 0; role < ROLES; role++)
            player_close(players->open[table][role]);
    mem_free(players);
}

static struct player *take_player(struct trial_players *p, enum role role, const struct scenario *scenario,
                                  struct err *e) {
    struct player **open = &p->open[tbs_scenario_is_wide(scenario)][role];
    if (*open == NULL)
        *open = player_open_granted(p->specs[role], scenario->game, p->grant, e);
    return *open;
}

/* ---- what is seen of a game ---- */

struct witness {
    int seen;             /* actions so far */
    int turn, side;       /* before the action that is to come */
    int units[TBS_SIDES]; /* alive, also before it */
    int first_turn[2];    /* in which a side acted for the first time; -1 before */
    struct trial *trial;
};

static void count_units(const struct tbs_position *p, int units[TBS_SIDES]) {
    units[TBS_RED] = units[TBS_BLUE] = 0;
    for (int id = 0; id < p->unit_count; id++)
        units[p->units[id].side] += p->units[id].hp > 0;
}

static void note_action(struct witness *w, action a, const int units[TBS_SIDES]) {
    const int side = w->side;
    if (w->first_turn[side] < 0)
        w->first_turn[side] = w->turn;
    if (w->first_turn[side] == w->turn)
        w->trial->first_kills[side] += w->units[side ^ 1] - units[side ^ 1];
    if (tbs_is_unit_action(a) && tbs_action_target(a) != TBS_NO_TARGET &&
        tbs_action_unit(a) < TRIAL_MASK_UNITS)
        w->trial->attacked |= UINT64_C(1) << tbs_action_unit(a);
}

/* Called after each action, and also at the start and after a ruling, when there was none. */
static void watch(void *context, const void *state, const struct record *record) {
    struct witness *w = context;
    struct tbs_position p;
    int units[TBS_SIDES];
    tbs_position_of(state, &p);
    count_units(&p, units);
    if (record->count > w->seen)
        note_action(w, record->actions[record->count - 1].action, units);
    w->seen = record->count;
    w->turn = p.turn;
    w->side = p.side;
    memcpy(w->units, units, sizeof units);
    w->trial->annihilated = p.result == TBS_RED_ANNIHILATION || p.result == TBS_BLUE_ANNIHILATION;
}

/* ---- the game ---- */

static void note_result(const struct bout_result *bout, struct trial *out) {
    out->payoff = bout->payoff;
    out->actions = bout->actions;
    out->turns = bout->turns;
    out->fault = bout->fault;
    memcpy(out->think_ns, bout->think_ns, sizeof out->think_ns);
    snprintf(out->result, sizeof out->result, "%.*s", TRIAL_RESULT_MAX - 1, bout->record.result);
}

bool trial_play(struct trial_players *players, const struct trial_game *game, struct trial *out,
                bool *stopped, struct err *e) {
    struct witness witness = {.first_turn = {-1, -1}, .trial = out};
    struct bout bout = {
        .scenario = game->scenario,
        .seed = game->seed,
        .clock = game->clock,
        .stop = game->stop,
        .watch = watch,
        .context = &witness,
    };
    *out = (struct trial){.kind = game->kind};
    *stopped = false;
    for (int side = 0; side < 2; side++) {
        const enum role role = seats[game->kind][side];
        bout.names[side] = players->specs[role];
        bout.players[side] = take_player(players, role, game->scenario, e);
        if (bout.players[side] == NULL)
            return err_prefix(e, "%s: ", role == WEAK ? "weak" : "strong");
    }
    struct bout_result played;
    const bool ok = bout_play(&bout, &played, e);
    *stopped = ok && played.stopped;
    if (ok && !played.stopped)
        note_result(&played, out);
    bout_result_done(&played);
    return ok;
}
