/* SPDX-License-Identifier: MIT */
#include "minmax_support.h"

#include "game/tbs/map.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

struct scenario *draw_tiny(struct rng *r, int units_max, enum tbs_path path, struct position *p) {
    struct tbs_random_options options;
    struct tbs_map map;
    struct err e;
    for (;;) {
        tbs_random_defaults(&options);
        options.width = 3 + (int)rng_below(r, 2);
        options.height = 3;
        options.units[TBS_RED] = 1 + (int)rng_below(r, (uint32_t)units_max);
        options.units[TBS_BLUE] = 1 + (int)rng_below(r, (uint32_t)units_max);
        options.hp_low = 1;
        options.turn_limit = 2 + (int)rng_below(r, 6);
        assert_true(tbs_map_random(&options, r, &map, &e));
        for (int id = 0; id < map.unit_count; id++)
            map.units[id].done = rng_below(r, 8) == 0;
        struct scenario *scenario = make_scenario(&map, path);
        if (walk(p, scenario, (int)rng_below(r, 5), r))
            return scenario;
        game_unload(scenario);
    }
}

#define HEAD(limit)                                                                                          \
    "SIZEX[8];SIZEY[5];TURNLIMIT[" limit "];HPTHRESHOLD[0];UNITNUMRED[2];UNITNUMBLUE[2];"                    \
    "MAP[0,0,0,0,0,0,0,0];MAP[0,1,1,1,1,1,1,0];MAP[0,1,1,1,1,1,1,0];MAP[0,1,1,1,1,1,1,0];"                   \
    "MAP[0,0,0,0,0,0,0,0];"

const char two_victims[] = HEAD("8") "UNIT[1,1,panzer,0,10,0];UNIT[1,3,infantry,0,1,0];"
                                     "UNIT[4,1,infantry,1,3,0];UNIT[4,3,cannon,1,3,0];";
