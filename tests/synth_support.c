/* SPDX-License-Identifier: MIT */
#include "synth_support.h"

void synth_set(void *state, const struct scenario *scenario, const struct synth_place *place,
               const int types[2]) {
    *(struct synth_state *)state = (struct synth_state){
        .scenario = (const struct synth_scenario *)scenario,
        .tree = place->tree,
        .path = place->path,
        .first = {(uint16_t)types[0], (uint16_t)types[1]},
        .ply = (uint8_t)place->ply,
    };
}

int synth_leaf(const struct scenario *scenario, const struct synth_place *place, const int types[2]) {
    struct synth_state s;
    synth_set(&s, scenario, place, types);
    return (int)(synth_game.payoff(&s, 0) * synth_params_of(scenario)->top + 0.5);
}

struct synth_cell synth_cell(const struct scenario *scenario, const struct synth_place *place, int side,
                             const int types[2]) {
    struct synth_state s;
    synth_set(&s, scenario, place, types);
    synth_game.hide(&s, side);
    return (struct synth_cell){s.first[side ^ 1], 1 << s.span[side ^ 1]};
}
