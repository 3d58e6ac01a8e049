/* SPDX-License-Identifier: MIT
 *
 * `senjutsu players` and `senjutsu games`: what there is, straight from the registries.
 */
#include "cli/cli.h"

#include "game/check.h"
#include "player/player.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

static bool has_options(const struct param *table) {
    return table != NULL && table->name != NULL;
}

static void print_options(const struct param *table) {
    struct text text = {0};
    params_help(table, "    ", &text);
    fputs(text_string(&text), stdout);
    text_done(&text);
}

static void print_player(const struct player_type *type, bool in_full) {
    printf("%-10s %s\n", type->name, type->help);
    if (!has_options(type->params))
        return;
    if (in_full)
        printf("  options, as in %s:%s=…  (name, range [default], meaning)\n", type->name, type->params->name);
    print_options(type->params);
}

static json_t *options_to_json(const struct param *table) {
    json_t *list = json_array();
    for (const struct param *p = table; p != NULL && p->name != NULL; p++)
        json_array_append_new(list, json_pack("{ss ss}", "name", p->name, "help", p->help));
    return list;
}

static int print_json(const struct cli_command *self, json_t *root) {
    char *dump = json_dumps(root, JSON_INDENT(2));
    json_decref(root);
    if (dump == NULL)
        return cli_fail(self, CLI_FAILED, "not enough memory");
    puts(dump);
    free(dump);
    return cli_finish_output(self) ? CLI_OK : CLI_FAILED;
}

int cli_players(const struct cli_command *self, int argc, char **argv) {
    bool json = false;
    int status;
    struct cli_arguments arguments;
    const struct cli_option options[] = {{"json", CLI_FLAG, &json, NULL, "for scripts", 0, 0}, {0}};
    if (!cli_parse(self, options, argc, argv, &arguments, &status))
        return status;
    if (json) {
        json_t *list = json_array();
        for (int i = 0; player_types[i] != NULL; i++)
            json_array_append_new(list, json_pack("{ss ss so}", "name", player_types[i]->name, "help",
                                                  player_types[i]->help, "options",
                                                  options_to_json(player_types[i]->params)));
        return print_json(self, list);
    }
    for (int i = 0; arguments.count == 0 && player_types[i] != NULL; i++)
        print_player(player_types[i], false);
    for (int i = 0; i < arguments.count; i++) {
        const struct player_type *type = player_type_find(arguments.values[i]);
        if (type == NULL)
            return cli_fail(self, CLI_FAILED, "player '%s' is unknown; 'senjutsu players' lists them",
                            arguments.values[i]);
        print_player(type, true);
    }
    return cli_finish_output(self) ? CLI_OK : CLI_FAILED;
}

/* ---- games ---- */

static int check_laws(const struct cli_command *self, const char *map, int count, uint64_t seed) {
    struct err e;
    struct scenario *scenario = cli_load_map(map, NULL, &e);
    if (scenario == NULL)
        return cli_fail(self, CLI_FAILED, "%s", e.text);
    const bool ok = game_check(scenario, count, seed, &e);
    if (ok)
        printf("%s: the laws hold over %d random games on %s\n", scenario->game->name, count, map);
    scenario->game->unload(scenario);
    return ok ? CLI_OK : cli_fail(self, CLI_FAILED, "%s", e.text);
}

int cli_games(const struct cli_command *self, int argc, char **argv) {
    bool json = false;
    int check = 0, status;
    uint64_t seed = 1;
    const char *map = "standard";
    struct cli_arguments arguments;
    const struct cli_option options[] = {
        {"check", CLI_INT, &check, "N", "prove the game's laws over N random games", 1, 1000000},
        {"map", CLI_TEXT, &map, "FILE", "on this map", 0, 0},
        {"seed", CLI_U64, &seed, "N", "of the random games", 0, 0},
        {"json", CLI_FLAG, &json, NULL, "for scripts", 0, 0},
        {0},
    };
    if (!cli_parse(self, options, argc, argv, &arguments, &status))
        return status;
    if (arguments.count > 0)
        return cli_fail(self, CLI_USAGE, "'%s' is not wanted here", arguments.values[0]);
    if (check > 0)
        return check_laws(self, map, check, seed);
    json_t *list = json_array();
    for (int i = 0; games[i] != NULL; i++) {
        json_array_append_new(list, json_pack("{ss ss si so}", "name", games[i]->name, "help", games[i]->help,
                                              "state_bytes", (int)games[i]->state_size, "options",
                                              options_to_json(games[i]->options)));
        if (json)
            continue;
        printf("%-10s %s\n", games[i]->name, games[i]->help);
        print_options(games[i]->options);
        for (const struct rollout *r = games[i]->rollouts; r->name != NULL; r++)
            printf("    playout %-12s %s\n", r->name, r->help);
    }
    if (json)
        return print_json(self, list);
    json_decref(list);
    return cli_finish_output(self) ? CLI_OK : CLI_FAILED;
}
