/* SPDX-License-Identifier: MIT
 *
 * The games there are.
 */
#include "game/fusion/fusion.h"
#include "game/game.h"
#include "game/geister/geister.h"
#include "game/kuhn/kuhn.h"
#include "game/synth/synth.h"
#include "game/tbs/tbs.h"

#include <string.h>

const struct game *const game_tables[] = {&tbs_game,  &tbs_wide_game, &synth_game, &fusion_game,
                                          &kuhn_game, &geister_game,  NULL};

const struct game *game_find(const char *name) {
    for (int i = 0; game_tables[i] != NULL; i++)
        if (strcmp(game_tables[i]->name, name) == 0)
            return game_tables[i];
    return NULL;
}

/* The named members of a table that ends with a NULL name. */
#define FIND(table, wanted)                                                                                  \
    for (; (table) != NULL && (table)->name != NULL; (table)++)                                              \
        if (strcmp((table)->name, (wanted)) == 0)                                                            \
            return (table);                                                                                  \
    return NULL

const struct rollout *game_rollout(const struct game *game, const char *name) {
    const struct rollout *table = game->rollouts;
    FIND(table, name);
}

const struct eval *game_eval(const struct game *game, const char *name) {
    const struct eval *table = game->evals;
    FIND(table, name);
}

const struct prior *game_prior(const struct game *game, const char *name) {
    const struct prior *table = game->priors;
    FIND(table, name);
}

const struct action_list *game_list(const struct game *game, const char *name) {
    const struct action_list *table = game->lists;
    FIND(table, name);
}

struct scenario *game_load_map(const struct game *game, const char *rules, const struct game_source *map,
                               struct err *e) {
    struct spec options;
    if (!spec_parse(game->name, &options, e) || (rules != NULL && !spec_add(&options, "rules", rules, e)))
        return NULL;
    return game->load(&(struct game_source){map->name, map->text, map->size, &options}, e);
}

struct scenario *game_load_spec(const char *spec, struct err *e) {
    struct spec options;
    if (!spec_parse(spec, &options, e))
        return NULL;
    const struct game *game = game_find(options.name);
    if (game == NULL) {
        err_set(e, "game '%s' is unknown; 'senjutsu games' lists them", options.name);
        return NULL;
    }
    return game->load(&(struct game_source){.name = options.name, .options = &options}, e);
}

bool game_read_position(const struct scenario *scenario, const char *text, void *state, struct err *e) {
    const struct notation *notation = scenario->game->text;
    return notation->read_foreign != NULL && strchr(text, '=') == NULL
               ? notation->read_foreign(state, scenario, text, e)
               : notation->read_state(state, scenario, text, e);
}

void game_view(const struct game *game, const void *state, int side, void *out) {
    memcpy(out, state, game->state_size);
    if (game->hide != NULL)
        game->hide(out, side);
}

bool game_scale(const struct scenario *scenario, struct payoff_scale *out) {
    const struct notation *text = scenario->game->text;
    *out = (struct payoff_scale){0, 1, ""};
    if (text->scale != NULL)
        text->scale(scenario, out);
    return text->scale != NULL;
}

double game_payoff_shown(const struct scenario *scenario, double payoff) {
    struct payoff_scale scale;
    game_scale(scenario, &scale);
    return scale.low + payoff * (scale.high - scale.low);
}
