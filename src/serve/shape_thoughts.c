/* SPDX-License-Identifier: MIT
 *
 * Thoughts. The values of players that expect payoffs are chances to win.
 */
#include "serve/shape_inside.h"

#include "player/player.h"

static double clamp(double chance) {
    return chance < 0 ? 0 : chance > 1 ? 1 : chance;
}

static json_t *candidate_json(const struct scenario *scenario, const void *view, const struct thought *t,
                              bool is_chance) {
    const enum shape_viewer mover = (enum shape_viewer)scenario->game->mover(view);
    const bool has_chance = is_chance && t->value == t->value;
    return json_pack("{so so so so sb sI so}", "action", shape_notation(scenario->game, view, t->action),
                     "did", shape_did(scenario, view, t->action, mover), "value", shape_number(t->value),
                     "chance", has_chance ? json_real(clamp(t->value)) : json_null(), "at_most", t->at_most,
                     "visits", (json_int_t)t->visits, "line",
                     shape_line(scenario, view, t->line, t->line_count, mover));
}

json_t *shape_thoughts(const struct scenario *scenario, const void *state, const struct shape_thoughts *of) {
    const struct thoughts *thoughts = of->thoughts;
    const bool is_chance = player_expects_payoffs(of->player);
    json_t *candidates = json_array();
    for (int i = 0; i < thoughts->count && i < of->top; i++)
        if (scenario->game->is_legal(state, thoughts->candidates[i].action))
            json_array_append_new(candidates,
                                  candidate_json(scenario, state, &thoughts->candidates[i], is_chance));
    return json_pack("{si ss so si sI sI si so}", "side", scenario->game->mover(state), "player", of->player,
                     "candidates", candidates, "total", thoughts->total, "simulations",
                     (json_int_t)thoughts->simulations, "nodes", (json_int_t)thoughts->nodes, "depth",
                     thoughts->depth, "seconds", shape_number(of->seconds));
}
