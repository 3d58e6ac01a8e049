/* SPDX-License-Identifier: MIT
 *
 * `senjutsu map random`: reads the options of tbs_map_random.
 */
#include "cli/map.h"

#include "game/tbs/map_random.h"

#include <stdio.h>

/* "LOW-HIGH" or one number for both. */
static bool read_hp(const char *string, struct tbs_random_options *out, struct err *e) {
    char words[64];
    char *pieces[2];
    long low, high;
    snprintf(words, sizeof words, "%s", string);
    const int count = text_split(words, '-', pieces, 2);
    if (count < 1 || !text_to_int(pieces[0], &low) || !text_to_int(pieces[count - 1], &high) || low < 1 ||
        high < low || high > TBS_HP_USUAL)
        return err_set(e, "expected LOW-HIGH within 1-%d, or one number", TBS_HP_USUAL);
    out->hp_low = (int)low;
    out->hp_high = (int)high;
    return true;
}

/* What was given as text, and how many units. */
struct request {
    const char *terrain, *types, *hp, *out;
    int units, side_units[TBS_SIDES];
    uint64_t seed;
};

static bool read_request(const struct cli_command *self, const struct request *request,
                         struct tbs_random_options *options) {
    for (int side = 0; side < TBS_SIDES; side++)
        options->units[side] = request->side_units[side] > 0 ? request->side_units[side] : request->units;
    struct err e;
    const char *wrong = NULL;
    if (request->terrain != NULL && !tbs_read_weights(request->terrain, options->weight, &e))
        wrong = "terrain";
    else if (request->types != NULL && !tbs_read_types(request->types, &options->types, &e))
        wrong = "types";
    else if (request->hp != NULL && !read_hp(request->hp, options, &e))
        wrong = "hp";
    if (wrong != NULL)
        cli_fail(self, CLI_USAGE, "--%s: %s", wrong, e.text);
    return wrong == NULL;
}

static int make_and_write(const struct cli_command *self, const struct request *request,
                          const struct tbs_random_options *options) {
    struct tbs_map map;
    struct rng rng;
    struct err e;
    rng_seed(&rng, request->seed);
    if (!tbs_map_random(options, &rng, &map, &e))
        return cli_fail(self, CLI_FAILED, "%s", e.text);
    snprintf(map.author, sizeof map.author, "senjutsu map random");
    snprintf(map.comment, sizeof map.comment, "%s%d x %d cells, seed %llu",
             options->symmetric ? "symmetric, " : "", options->width, options->height,
             (unsigned long long)request->seed);
    struct text out = {0};
    tbs_map_write(&map, &out);
    const bool ok = cli_write(self, request->out, &out);
    text_done(&out);
    return ok ? CLI_OK : CLI_FAILED;
}

int map_random(const struct cli_command *self, int argc, char **argv) {
    struct tbs_random_options o;
    tbs_random_defaults(&o);
    struct request q = {.out = "-", .units = o.units[TBS_RED]};
    const char *seed = NULL;
    const struct cli_option options[] = {
        {"width", CLI_INT, &o.width, "N", "playable columns", 1, TBS_CELLS_MAX},
        {"height", CLI_INT, &o.height, "N", "playable rows", 1, TBS_CELLS_MAX},
        {"units", CLI_INT, &q.units, "N", "units a side", 1, TBS_SIDE_UNITS_MAX},
        {"red", CLI_INT, &q.side_units[TBS_RED], "N", "red units, if other than --units", 1,
         TBS_SIDE_UNITS_MAX},
        {"blue", CLI_INT, &q.side_units[TBS_BLUE], "N", "blue units, if other than --units", 1,
         TBS_SIDE_UNITS_MAX},
        {"symmetric", CLI_FLAG, &o.symmetric, NULL, "blue is red turned by 180 degrees"},
        {"terrain", CLI_TEXT, &q.terrain, "WEIGHTS",
         "how often each comes; what is not named does not "
         "[plain=60,wood=20,mountain=10,sea=0,road=5,fortress=5,wall=0]"},
        {"limit", CLI_INT, &o.turn_limit, "N", "turn limit", 1, TBS_TURN_LIMIT_MAX},
        {"threshold", CLI_INT, &o.threshold, "N", "HP lead that must be exceeded to win at the limit", 0,
         TBS_THRESHOLD_MAX},
        {"types", CLI_TEXT, &q.types, "LIST", "names or letters of unit types, with commas [all six]"},
        {"hp", CLI_TEXT, &q.hp, "LOW-HIGH", "the units' HP, within 1-10 [10-10]"},
        {"seed", CLI_TEXT, &seed, "S",
         "the same seed, the same map [from the clock; written into the map's comment]"},
        {"out", CLI_TEXT, &q.out, "FILE", "where to; - is standard output"},
        {0},
    };
    struct cli_arguments arguments;
    int status;
    if (!cli_parse(self, options, argc, argv, &arguments, &status))
        return status;
    if (arguments.count > 0)
        return cli_fail(self, CLI_USAGE, "'%s' is too many: no arguments but options", arguments.values[0]);
    unsigned long long number = (uint32_t)rng_mix((uint64_t)clock_now_ns(cli_clock()));
    if (seed != NULL && !text_to_u64(seed, &number))
        return cli_fail(self, CLI_USAGE, "--seed %s: expected a whole number, 0 or more", seed);
    q.seed = number;
    return read_request(self, &q, &o) ? make_and_write(self, &q, &o) : CLI_USAGE;
}
