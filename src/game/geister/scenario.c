/* SPDX-License-Identifier: MIT
 *
 * Rule sets: the official server's, and those of other programs that have played Geister. They differ in the
 * number of plies and in how a piece leaves.
 */
#include "game/geister/core.h"

#include "base/mem.h"
#include "game/plain.h"

enum exits { EXITS_BY_RULES, EXITS_BOTH, EXITS_FORWARD, EXITS_SIDEWAYS };

struct rule_set {
    int plies;
    enum exits exits;
};

/* ORDER RULES: as the choices of the option. */
static const struct rule_set rule_sets[] = {
    {300, EXITS_BOTH},     /* server: the official one */
    {300, EXITS_FORWARD},  /* uctgeister */
    {200, EXITS_SIDEWAYS}, /* geister-rl */
    {200, EXITS_SIDEWAYS}, /* cpp-lib */
    {200, EXITS_SIDEWAYS}, /* handyrl */
};

const struct param geister_options[] = {
    {"rules", PARAM_CHOICE, offsetof(struct geister_scenario, rules),
     .choices = "server|uctgeister|geister-rl|cpp-lib|handyrl",
     .help = "whose: server 300 plies and both ways out, uctgeister 300 and forward, the others 200 and "
             "sideways"},
    {"plies", PARAM_INT, offsetof(struct geister_scenario, plies_given), 0, GEISTER_PLIES_MAX, 0,
     .help = "moves of both sides together until the game is a draw; 0: as the rules say"},
    {"exits", PARAM_CHOICE, offsetof(struct geister_scenario, exits_given),
     .choices = "rules|both|forward|sideways", .help = "how a piece leaves its corner"},
    {0},
};

struct scenario *geister_load(const struct game_source *source, struct err *e) {
    struct geister_scenario *sc = mem_alloc(sizeof *sc);
    if (sc == NULL) {
        err_set(e, "not enough memory");
        return NULL;
    }
    *sc = (struct geister_scenario){.scenario.game = &geister_game};
    if (!plain_options(&geister_game, source, sc, e)) {
        mem_free(sc);
        return NULL;
    }
    const struct rule_set *rules = &rule_sets[sc->rules];
    const int exits = sc->exits_given != EXITS_BY_RULES ? sc->exits_given : (int)rules->exits;
    sc->plies = sc->plies_given > 0 ? sc->plies_given : rules->plies;
    sc->forward = exits != EXITS_SIDEWAYS;
    sc->sideways = exits != EXITS_FORWARD;
    sc->bmi2 = bits_have_bmi2();
    return &sc->scenario;
}

void geister_write_source(const struct scenario *scenario, struct text *map, struct text *options) {
    (void)map;
    plain_write_options(&geister_game, scenario, options);
}
