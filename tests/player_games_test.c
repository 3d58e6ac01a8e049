/* SPDX-License-Identifier: MIT
 *
 * Every player and every game: it plays legally, or it refuses with a sentence when it is opened.
 */
#include "game/tbs/tbs.h"
#include "player/player.h"

#include "player_support.h"
#include "tree_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

enum { DECISIONS = 12, GAMES = 3, WORK = 12, PLAYERS_MAX = 64 };

static bool is_tbs(const struct game *game) {
    return game == &tbs_game || game == &tbs_wide_game;
}

/* A small map for the tactical game's tables, and what is standard for the others. */
static struct scenario *load(const struct game *game) {
    struct err e = {0};
    struct scenario *scenario = NULL;
    if (is_tbs(game)) {
        struct tbs_map map;
        struct rng r;
        rng_seed(&r, 4);
        draw_map(&r, &map);
        return make_scenario(&map, game == &tbs_game ? TBS_PATH_SMALL : TBS_PATH_WIDE);
    }
    scenario = game_load_spec(game->name, &e);
    assert_string_equal(e.text, "");
    assert_non_null(scenario);
    return scenario;
}

static void play(struct player *player, const struct scenario *scenario, uint64_t seed) {
    const struct game *game = scenario->game;
    _Alignas(16) unsigned char state[GAME_STATE_MAX];
    struct rng r;
    rng_seed(&r, seed);
    game->start(state, scenario, &r);
    for (int i = 0; i < DECISIONS && game->mover(state) != NOBODY; i++) {
        const struct ask ask = {.game = game, .view = state, .budget = {.work_max = WORK}, .rng = &r};
        struct answer answer;
        player_choose_in(player, &ask, &answer);
        assert_int_equal(answer.fault, PLAYER_FAULT_NONE);
        assert_true(game->is_legal(state, answer.chosen));
        assert_true(answer.work_done >= 1 || i > 0); /* except for players that follow a plan */
        game->play(state, answer.chosen, &r);
        assert_true(game->valid(state));
    }
}

static bool says(const char *text, const char *part) {
    return strstr(text, part) != NULL;
}

/* A refusal names the player and what is missing. */
static void check_refusal(const struct player_type *type, const struct game *game, const char *text) {
    assert_true(says(text, type->name));
    assert_true(strlen(text) > strlen(type->name) + 20);
    assert_true(says(text, game->name) || strcmp(type->name, "ext") == 0);
}

/* Players are opened with their defaults, but for those whose playouts would take too long for a test. */
static const char *spec_of(const struct player_type *type) {
    return strcmp(type->name, "iimc") == 0    ? "iimc:inner=2"
           : strcmp(type->name, "amcts") == 0 ? "amcts:inner=2"
                                              : type->name;
}

/* What is never refused. */
static bool plays_everything(const struct player_type *type) {
    static const char *const names[] = {"random", "pimc", "iimc", "amcts", "ismcts"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(type->name, names[i]) == 0)
            return true;
    return false;
}

/* What plays every game in which nothing is hidden. */
static bool plays_open_games(const struct player_type *type) {
    static const char *const names[] = {"uct", "pwuct", "minmax", "dlmc", "aas", "first"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(type->name, names[i]) == 0)
            return true;
    return plays_everything(type);
}

/* Returns whether it plays that game. */
static bool try_player(const struct player_type *type, const struct scenario *scenario) {
    const struct game *game = scenario->game;
    struct err e = {0};
    struct player *player = player_open_granted(spec_of(type), game, &grant_everything, &e);
    if (player == NULL) {
        if (game->hide == NULL ? plays_open_games(type) : plays_everything(type))
            fail_msg("%s", e.text);
        assert_true(!is_tbs(game) || strcmp(type->name, "ext") == 0 ||
                    says(e.text, " plays only Geister, not "));
        check_refusal(type, game, e.text);
        return false;
    }
    for (uint64_t seed = 1; seed <= GAMES; seed++)
        play(player, scenario, seed);
    player_close(player);
    return true;
}

static void every_player_plays_or_gives_the_reason(void **state) {
    int games[PLAYERS_MAX] = {0};
    (void)state;
    for (int g = 0; game_tables[g] != NULL; g++) {
        struct scenario *scenario = load(game_tables[g]);
        for (int i = 0; player_types[i] != NULL; i++)
            games[i] += try_player(player_types[i], scenario);
        game_unload(scenario);
    }
    for (int i = 0; player_types[i] != NULL; i++) /* no player refuses all games */
        assert_true(games[i] > 0 || strcmp(player_types[i]->name, "ext") == 0);
}

/* A game without maps or hidden information, as an author may add one: each existing game, with all hidden
 * parts in the open. */
static void so_it_does_in_games_that_are_new(void **state) {
    int tried = 0;
    (void)state;
    for (int g = 0; game_tables[g] != NULL; g++) {
        if (game_tables[g]->hide == NULL)
            continue;
        struct game open = *game_tables[g];
        open.name = "quite-new";
        open.hide = NULL;
        open.determinize = NULL;
        open.worlds = NULL;
        open.world = NULL;
        struct scenario *scenario = load(game_tables[g]);
        scenario->game = &open;
        for (int i = 0; player_types[i] != NULL; i++)
            tried += try_player(player_types[i], scenario);
        game_unload(scenario);
    }
    assert_true(tried > 0);
}

/* ---- the sentences ---- */

static void hidden_information_is_refused(void **state) {
    (void)state;
    static const char *const specs[] = {"uct",    "pwuct", "uct:horizon=0,policy=random",
                                        "minmax", "dlmc",  "aas"};
    for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++) {
        struct err e = {0}, nested = {0};
        struct text expected = {0}, spec = {0};
        assert_null(player_open_granted(specs[i], game_find("synth"), &grant_everything, &e));
        text_add(&expected,
                 "%.*s needs a game in which nothing is hidden; synth hides something: use ismcts or pimc",
                 (int)strcspn(specs[i], ":"), specs[i]);
        assert_string_equal(e.text, text_string(&expected));
        text_add(&spec, "first:player=[%s]", specs[i]);
        assert_null(player_open_granted(text_string(&spec), game_find("synth"), &grant_everything, &nested));
        assert_true(says(nested.text, e.text));
        text_done(&spec);
        text_done(&expected);
    }
}

struct refusal {
    const char *spec, *text;
};

/* A game with open information but few functions: no playouts, evaluation, prior or weights. */
static void what_is_missing_is_named(void **state) {
    (void)state;
    static const struct rollout playouts[] = {{.name = "random"}, {0}};
    static const struct refusal bare[] = {
        {"uct", "uct: hash has no evaluation for simulations that are cut: use horizon=0 or cut=loss"},
        {"uct:horizon=0", "uct needs playouts, and hash has none"},
        {"pwuct", "pwuct: hash has no evaluation for simulations that are cut: use horizon=0 or cut=loss"},
        {"uct:first=attacks", "uct: hash does not say which actions are attacks: use first=any"},
        {"minmax", "minmax needs an evaluation, and hash has none"},
        {"aas", "aas: hash has no evaluation"},
        {"aas:eval=threat", "aas: hash has no evaluation threat"},
        {"acteval", "acteval plays only the tactical game, not hash"},
        {"muct", "muct plays only the tactical game, not hash"},
        {"split", "split plays only the tactical game, not hash"},
        {"ismcts", "ismcts needs playouts, and hash has none"},
    };
    static const struct refusal with_playouts[] = {
        {"uct:horizon=0,policy=attack",
         "uct: policy=attack is unknown; 'senjutsu games hash' lists the playouts"},
        {"dlmc:policy=attack", "dlmc: policy=attack is unknown; 'senjutsu games hash' lists the playouts"},
        {"dlmc", "dlmc: hash has no evaluation"},
    };
    struct game game = toy_game;
    struct err e;
    for (size_t i = 0; i < sizeof bare / sizeof bare[0]; i++) {
        assert_null(player_open_granted(bare[i].spec, &game, &grant_everything, &e));
        assert_string_equal(e.text, bare[i].text);
    }
    game.rollouts = playouts;
    for (size_t i = 0; i < sizeof with_playouts / sizeof with_playouts[0]; i++) {
        assert_null(player_open_granted(with_playouts[i].spec, &game, &grant_everything, &e));
        assert_string_equal(e.text, with_playouts[i].text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_player_plays_or_gives_the_reason),
        cmocka_unit_test(so_it_does_in_games_that_are_new),
        cmocka_unit_test(hidden_information_is_refused),
        cmocka_unit_test(what_is_missing_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
