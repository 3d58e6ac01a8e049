/* SPDX-License-Identifier: MIT
 *
 * The first line is the spec of a game without a map, the rest a state of it. Accepted input is a state or a
 * view: it reads back from its own text, hiding and filling in keep it valid, and it can be played to the
 * end.
 */
#include "fuzz.h"

static void check_text(const struct scenario *scenario, const union fuzz_state *state) {
    const struct game *game = scenario->game;
    struct text text = {0};
    union fuzz_state again = {0};
    struct err e = {0};
    game->text->write_state(state, &text);
    REQUIRE(game->text->read_state(&again, scenario, text_string(&text), &e));
    REQUIRE(memcmp(again.bytes, state->bytes, game->state_size) == 0);
    text_done(&text);
}

static void check_views(const struct scenario *scenario, const union fuzz_state *state, struct rng *r) {
    const struct game *game = scenario->game;
    for (int side = NOBODY; side < 2; side++) {
        union fuzz_state view = *state, full;
        game->hide(&view, side);
        fuzz_check_state(game, &view);
        check_text(scenario, &view);
        REQUIRE(game->worlds(&view) >= game->worlds(state));
        full = view;
        game->determinize(&full, r);
        fuzz_check_state(game, &full);
        REQUIRE(game->worlds(&full) <= 1);
    }
}

static void check_play(const struct scenario *scenario, union fuzz_state state, struct rng *r) {
    const struct game *game = scenario->game;
    game->determinize(&state, r);
    game->rollouts[0].run(&state, r, 1);
    fuzz_check_state(game, &state);
    game->rollouts[0].run(&state, r, 0);
    REQUIRE(game->mover(&state) == NOBODY);
    REQUIRE(strcmp(game->text->result(&state), "none") != 0 &&
            strcmp(game->text->result(&state), "unknown") != 0);
    REQUIRE(game->payoff(&state, 0) >= 0 && game->payoff(&state, 0) <= 1);
}

static void check_scenario(const struct scenario *scenario, const char *text) {
    union fuzz_state state = {0};
    struct err e = {0};
    struct rng r;
    rng_seed(&r, 1);
    if (!scenario->game->text->read_state(&state, scenario, text, &e)) {
        REQUIRE(e.text[0] != '\0');
        return;
    }
    fuzz_check_state(scenario->game, &state);
    check_text(scenario, &state);
    check_views(scenario, &state, &r);
    check_play(scenario, state, &r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1);
    REQUIRE(text != NULL);
    memcpy(text, data, size);
    text[size] = '\0';
    char *rest = strchr(text, '\n');
    if (rest != NULL)
        *rest++ = '\0';
    struct err e = {0};
    struct scenario *scenario = game_load_spec(text, &e);
    REQUIRE(scenario != NULL || e.text[0] != '\0');
    if (scenario != NULL) {
        if (scenario->game->hide != NULL && rest != NULL)
            check_scenario(scenario, rest);
        game_unload(scenario);
    }
    free(text);
    return 0;
}
