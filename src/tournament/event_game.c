/* SPDX-License-Identifier: MIT
 *
 * What an event is played on: maps of the tactical game, or a game that has none.
 */
#include "tournament/event.h"

#include "game/tbs/tbs.h"

static const struct game *find_game(const struct rules *rules, struct spec *spec, struct err *e) {
    if (!spec_parse(rules->game, spec, e))
        return NULL;
    const struct game *game = game_find(spec->name);
    if (game == NULL)
        err_set(e, "the event's game '%s' is unknown; 'senjutsu games' lists them", spec->name);
    return game;
}

bool event_takes_maps(const struct rules *rules) {
    struct spec spec;
    const struct game *game = find_game(rules, &spec, NULL);
    return game != NULL && game_is_tbs(game);
}

struct scenario *event_load(const struct rules *rules, const struct game_source *map, struct err *e) {
    struct spec spec;
    const struct game *game = find_game(rules, &spec, e);
    if (game == NULL)
        return NULL;
    const char *set = rules->rule_set[0] != '\0' ? rules->rule_set : NULL;
    const bool maps = game_is_tbs(game);
    if (maps && spec.count > 0)
        err_set(e, "\"game\": \"%s\": the tactical game has no options here; \"rule_set\" says its rules",
                rules->game);
    else if (maps && map == NULL)
        err_set(e, "%s is played on maps", rules->game);
    else if (!maps && (map != NULL || set != NULL))
        err_set(e, "%s is played without maps and rule sets", rules->game);
    else
        return maps ? game_load_map(game, set, map, e) : game_load_spec(rules->game, e);
    return NULL;
}
