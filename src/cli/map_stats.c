/* SPDX-License-Identifier: MIT
 *
 * `senjutsu map stats`: prints what tbs_map_stats finds.
 */
#include "cli/map.h"

#include "game/tbs/map_stats.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>

struct request {
    uint64_t positions_max;
    bool json;
};

/* ---- text ---- */

static const char *contact_text(int contact, char out[16]) {
    if (contact == 0)
        return "never";
    snprintf(out, 16, "turn %d", contact);
    return out;
}

static void add_material(const struct tbs_side_stats *s, struct text *out) {
    for (int type = 0; type < TBS_TYPES; type++)
        if (s->type_units[type] > 0)
            text_add(out, " %d %s (%d HP)", s->type_units[type], tbs_unit_types[type].name, s->type_hp[type]);
    text_add_string(out, "\n");
}

static void add_sides(const struct tbs_map_stats *stats, struct text *out) {
    for (int side = 0; side < TBS_SIDES; side++) {
        const struct tbs_side_stats *s = &stats->sides[side];
        text_add(out, "  %-5s %d units, %d HP:", tbs_side_names[side], s->units, s->hp);
        add_material(s, out);
    }
    text_add(out, "\n  %-5s %5s %5s %7s %8s %8s %10s  %s\n", "side", "ready", "moves", "attacks", "w. power",
             "w. damage", "attackers", "first attack");
    for (int side = 0; side < TBS_SIDES; side++) {
        const struct tbs_side_stats *s = &stats->sides[side];
        char contact[16];
        text_add(out, "  %-5s %5d %5d %7d %8d %8d %10d  %s\n", tbs_side_names[side], s->ready, s->moves,
                 s->attacks[0], s->attacks[1], s->attacks[2], s->attackers,
                 contact_text(s->contact, contact));
    }
}

static void add_units(const struct tbs_map *map, const struct tbs_map_stats *stats, struct text *out) {
    text_add(out, "\n  %3s %-5s %-9s %-6s %3s %5s %5s %7s %8s %8s  %s\n", "id", "side", "type", "cell", "HP",
             "reach", "moves", "attacks", "w. power", "w. damage", "first attack");
    for (int id = 0; id < map->unit_count; id++) {
        const struct tbs_map_unit *u = &map->units[id];
        const struct tbs_unit_stats *s = &stats->units[id];
        char cell[16], contact[16];
        snprintf(cell, sizeof cell, "%d,%d", u->x, u->y);
        text_add(out, "  %3d %-5s %-9s %-6s %3d %5d %5d %7d %8d %8d  %s\n", id, tbs_side_names[u->side],
                 tbs_unit_types[u->type].name, cell, u->hp, s->reach, s->moves, s->attacks[0], s->attacks[1],
                 s->attacks[2], contact_text(s->contact, contact));
    }
}

static void add_count(bool is_counted, uint64_t count, uint64_t positions_max, struct text *out) {
    if (is_counted)
        text_add(out, "%" PRIu64 " (exactly)\n", count);
    else if (positions_max == 0)
        text_add_string(out, "not counted\n");
    else
        text_add(out, "not feasible within %" PRIu64 " positions (--limit-positions raises that)\n",
                 positions_max);
}

static void add_turn(const struct tbs_turn_stats *t, uint64_t positions_max, struct text *out) {
    if (t->side == NOBODY) {
        text_add_string(out, "\n  the game is over before the first turn\n");
        return;
    }
    text_add(out, "\n  first turn: %s, %d units, %.2f actions each on average\n", tbs_side_names[t->side],
             t->units, t->actions_mean);
    text_add_string(out, "  combinations of actions: ");
    if (t->is_counted && !t->is_exact)
        text_add(out, "%.6g\n", t->combinations_real);
    else
        add_count(t->is_counted, t->combinations, positions_max, out);
    text_add(out, "  the papers' estimate:    %.6g (n^r r!)\n", t->estimate);
    text_add_string(out, "  positions at its end:    ");
    add_count(t->ends_are_counted, t->ends, positions_max, out);
}

static void add_stats(const struct map_file *file, const struct tbs_map_stats *stats, uint64_t positions_max,
                      struct text *out) {
    text_add(out, "%s%s: ", out->size > 0 ? "\n" : "", file->path);
    map_summary(&file->map, out);
    text_add_string(out, "\n");
    add_sides(stats, out);
    add_units(&file->map, stats, out);
    add_turn(&stats->turn, positions_max, out);
}

/* ---- JSON ---- */

static json_t *attacks_to_json(const int attacks[TBS_ATTACK_KINDS]) {
    return json_pack("{s:i, s:i, s:i}", "all", attacks[TBS_ATTACKS_ALL], "power", attacks[TBS_ATTACKS_POWER],
                     "damage", attacks[TBS_ATTACKS_DAMAGE]);
}

/* Turns are counted from 1; null says never. */
static json_t *contact_to_json(int contact) {
    return contact > 0 ? json_integer(contact) : json_null();
}

static json_t *side_to_json(const struct tbs_side_stats *s) {
    json_t *types = json_object();
    for (int type = 0; type < TBS_TYPES; type++)
        if (s->type_units[type] > 0)
            json_object_set_new(
                types, tbs_unit_types[type].name,
                json_pack("{s:i, s:i}", "units", s->type_units[type], "hp", s->type_hp[type]));
    return json_pack("{s:i, s:i, s:i, s:o, s:i, s:o, s:i, s:o}", "units", s->units, "ready", s->ready, "hp",
                     s->hp, "types", types, "moves", s->moves, "attacks", attacks_to_json(s->attacks),
                     "attackers", s->attackers, "first_attack", contact_to_json(s->contact));
}

static json_t *units_to_json(const struct tbs_map *map, const struct tbs_map_stats *stats) {
    json_t *list = json_array();
    for (int id = 0; id < map->unit_count; id++) {
        const struct tbs_map_unit *u = &map->units[id];
        const struct tbs_unit_stats *s = &stats->units[id];
        json_array_append_new(
            list, json_pack("{s:i, s:s, s:s, s:i, s:i, s:i, s:i, s:i, s:o, s:o}", "id", id, "side",
                            tbs_side_names[u->side], "type", tbs_unit_types[u->type].name, "x", u->x, "y",
                            u->y, "hp", u->hp, "reach", s->reach, "moves", s->moves, "attacks",
                            attacks_to_json(s->attacks), "first_attack", contact_to_json(s->contact)));
    }
    return list;
}

/* JSON readers differ in how they treat large integers, so the exact number is also there as a string. */
static json_t *combinations_to_json(const struct tbs_turn_stats *t, bool exact) {
    char digits[24];
    snprintf(digits, sizeof digits, "%" PRIu64, t->combinations);
    if (!t->is_counted || (exact && !t->is_exact))
        return json_null();
    return exact ? json_string(digits) : json_real(t->combinations_real);
}

static json_t *turn_to_json(const struct tbs_turn_stats *t, uint64_t positions_max) {
    if (t->side == NOBODY)
        return json_null();
    return json_pack("{s:s, s:i, s:f, s:f, s:o, s:o, s:o, s:I}", "side", tbs_side_names[t->side], "units",
                     t->units, "actions_mean", t->actions_mean, "estimate", t->estimate, "combinations",
                     combinations_to_json(t, false), "combinations_exact", combinations_to_json(t, true),
                     "ends", t->ends_are_counted ? json_integer((json_int_t)t->ends) : json_null(),
                     "limit_positions", (json_int_t)positions_max);
}

static json_t *stats_to_json(const struct map_file *file, const struct tbs_map_stats *stats,
                             uint64_t positions_max) {
    const struct tbs_map *map = &file->map;
    return json_pack("{s:s, s:i, s:i, s:i, s:i, s:{s:o, s:o}, s:o, s:o}", "file", file->path, "width",
                     map->width - 2, "height", map->height - 2, "turn_limit", map->turn_limit, "threshold",
                     map->threshold, "sides", tbs_side_names[TBS_RED], side_to_json(&stats->sides[TBS_RED]),
                     tbs_side_names[TBS_BLUE], side_to_json(&stats->sides[TBS_BLUE]), "units",
                     units_to_json(map, stats), "first_turn", turn_to_json(&stats->turn, positions_max));
}

/* ---- the verb ---- */

static int measure_file(const struct cli_command *self, const char *name, const struct request *request,
                        json_t *list, struct text *out) {
    struct map_file file;
    struct tbs_map_stats stats;
    struct err e;
    if (!map_file_load(name, &file, &e))
        return cli_fail(self, CLI_FAILED, "%s", e.text);
    if (!tbs_map_stats(&file.map, &tbs_rule_sets[0], request->positions_max, &stats, &e))
        return cli_fail(self, CLI_FAILED, "%s: %s", file.path, e.text);
    if (request->json)
        json_array_append_new(list, stats_to_json(&file, &stats, request->positions_max));
    else
        add_stats(&file, &stats, request->positions_max, out);
    return CLI_OK;
}

int map_stats(const struct cli_command *self, int argc, char **argv) {
    struct request request = {.positions_max = TBS_STATS_POSITIONS_USUAL};
    const struct cli_option options[] = {
        {"limit-positions", CLI_U64, &request.positions_max, "N",
         "work allowed for counting the first turn; 0: none"},
        {"json", CLI_FLAG, &request.json, NULL, "one JSON array, an object a map"},
        {0},
    };
    struct cli_arguments arguments;
    int status;
    if (!cli_parse(self, options, argc, argv, &arguments, &status))
        return status;
    if (!map_has_files(self, &arguments, false))
        return CLI_USAGE;
    json_t *list = json_array();
    struct text out = {0};
    for (int i = 0; i < arguments.count; i++)
        if (measure_file(self, arguments.values[i], &request, list, &out) != CLI_OK)
            status = CLI_FAILED;
    if (request.json) {
        status = cli_print_json(self, json_incref(list)) ? status : CLI_FAILED;
    } else if (!cli_write(self, "-", &out)) {
        status = CLI_FAILED;
    }
    text_done(&out);
    json_decref(list);
    return status;
}
