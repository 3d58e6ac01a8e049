/* SPDX-License-Identifier: MIT
 *
 * Tournaments: their rules as one parameter table (the fields of an event file, options of `tournament`, and
 * members of a request) with presets and contradictions; entrants and maps; the tournament as JSON, and how
 * two of them differ.
 */
#include "tournament/tournament.h"

#include "base/encode.h"
#include "base/mem.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* ---- tables ---- */

/* Far above what real tournaments have. They keep products (games, points) within their types. */
enum { ROUNDS_MAX = 1000, POINTS_MAX = 1000, REPEATS_MAX = 100, FAULTS_MAX = 1000000 };

/* In the order of the enums. */
const char *const tournament_format_names[TOURNAMENT_FORMATS] = {"round-robin", "gauntlet", "swiss",
                                                                 "knock-out"};
const char *const tournament_tie_break_names[TOURNAMENT_TIE_BREAKS] = {"head-to-head", "buchholz",
                                                                       "sonneborn-berger", "wins", "faults"};

#define AT(field) offsetof(struct tournament_rules, field)

/* "3,1,0" on a command line; JSON has an object. */
static bool parse_points(const char *text, void *field, struct err *e) {
    struct tournament_rules *rules = field; /* the rows of the group lie in the rules themselves */
    char copy[64], *pieces[3];
    double *const targets[3] = {&rules->win, &rules->draw, &rules->loss};
    snprintf(copy, sizeof copy, "%s", text);
    bool ok = strlen(text) < sizeof copy && text_split(copy, ',', pieces, 3) == 3;
    for (int i = 0; ok && i < 3; i++)
        ok = text_to_real(pieces[i], targets[i]);
    return ok || err_set(e, "points %.64s: expected points for a win, a draw and a loss: 1,0.5,0", text);
}

/* The type that the row of a group expects. */
static bool parse_clock(const char *text, void *field, struct err *e) {
    return timing_read(text, field, e);
}

static const struct param point_fields[] = {
    {"win", PARAM_REAL, AT(win), -POINTS_MAX, POINTS_MAX, 1, .help = "for a win"},
    {"draw", PARAM_REAL, AT(draw), -POINTS_MAX, POINTS_MAX, 0.5, .help = "for a draw"},
    {"loss", PARAM_REAL, AT(loss), -POINTS_MAX, POINTS_MAX, 0, .help = "for a loss"},
    {0},
};

static const struct param map_fields[] = {
    {"per_pairing", PARAM_INT, AT(maps_per_pairing), 0, TOURNAMENT_MAPS_MAX, 0, .option = "maps-per-pairing",
     .is_explained = true, .help = "drawn from all (default: all)"},
    {"not_own", PARAM_FLAG, AT(not_own_maps), .option = "not-own-maps",
     .help = "players do not play on maps they authored"},
    {0},
};

/* Rows without `option` are set in event files only: on a command line their names have another meaning. */
static const struct param playoff_fields[] = {
    {"places", PARAM_INT, AT(playoff_places), 0, TOURNAMENT_PLAYERS_MAX, 0,
     .help = "ties for so many first places are played off"},
    {"games", PARAM_INT, AT(playoff_games), 1, TOURNAMENT_RULES_GAMES_MAX, 2, .help = "per pairing and map"},
    {"repeats", PARAM_INT, AT(playoff_repeats_max), 0, REPEATS_MAX, 3, .help = "while it is drawn"},
    {0},
};

static const struct param final_fields[] = {
    {"players", PARAM_INT, AT(final_players), 0, TOURNAMENT_PLAYERS_MAX, 0, .option = "final",
     .is_explained = true, .help = "a knock-out of the N best at the end (default: none)"},
    {"games", PARAM_INT, AT(final_games), 1, TOURNAMENT_RULES_GAMES_MAX, 2, .help = "per pairing and map"},
    {0},
};

_Static_assert(offsetof(struct tournament_rules, tie_breaks) ==
                       offsetof(struct tournament_rules, tie_break_count) + sizeof(int) &&
                   sizeof(enum tournament_tie_break) == sizeof(int),
               "PARAM_CHOICES is a count and its items");

const struct param tournament_params[] = {
    {"title", PARAM_TEXT, AT(title), .high = TOURNAMENT_TITLE_MAX - 1, .help = "of the result pages"},
    {"game", PARAM_TEXT, AT(game), .high = TOURNAMENT_GAME_MAX - 1, .choices = "tbs", .value = "SPEC",
     .help = "what is played, as in synth:df=0.5 ('senjutsu games')"},
    {"rule_set", PARAM_TEXT, AT(rule_set), .high = TOURNAMENT_RULE_SET_MAX - 1, .value = "SET",
     .option = "rules", .help = "tubstap (default) or paper"},
    {"format", PARAM_CHOICE, AT(format), .fallback = TOURNAMENT_ROUND_ROBIN,
     .choices = "round-robin|gauntlet|swiss|knock-out", .help = "who meets whom"},
    {"rounds", PARAM_INT, AT(rounds), 0, ROUNDS_MAX, 0, .is_explained = true,
     .help = "of a Swiss (default: as many as a knock-out needs)"},
    {"challengers", PARAM_INT, AT(challengers), 1, TOURNAMENT_PLAYERS_MAX - 1, 1,
     .help = "gauntlet: the first N meet all others"},
    {"games", PARAM_INT, AT(games), 1, TOURNAMENT_RULES_GAMES_MAX, 2, .help = "per pairing and map"},
    {"both_sides", PARAM_SWITCH, AT(both_sides), .help = "refuse an odd number of games"},
    {"disqualify_after", PARAM_INT, AT(disqualify_after), 0, FAULTS_MAX, 0, .is_explained = true,
     .help = "faults (default: never)"},
    {"points", PARAM_GROUP, 0, .rows = point_fields, .parse = parse_points, .value = "W,D,L",
     .help = "for a win, a draw, a loss (default: 1,0.5,0)"},
    {"clock", PARAM_GROUP, AT(timing), .rows = timing_params, .parse = parse_clock, .value = "LIMITS",
     .help = "turn=10 or game=600,byoyomi=10 … in seconds (default: none)"},
    {"maps", PARAM_GROUP, 0, .rows = map_fields, .help = "which of the maps a pairing plays"},
    {"playoff", PARAM_GROUP, 0, .rows = playoff_fields, .help = "games between the tied"},
    {"final", PARAM_GROUP, 0, .rows = final_fields, .help = "a knock-out of the best"},
    {"tie_breaks", PARAM_CHOICES, AT(tie_break_count), .high = TOURNAMENT_TIE_BREAKS_MAX,
     .choices = "head-to-head|buchholz|sonneborn-berger|wins|faults",
     .help = "in this order, between players of equal points"},
    {0},
};

/* Zeroes first: equal rules have equal bytes behind the ends of their texts. */
void tournament_rules_default(struct tournament_rules *out) {
    memset(out, 0, sizeof *out);
    params_default(tournament_params, out);
}

/* ---- presets ---- */

/* The GAT competitions play both games as a round robin from both sides. The platform of the tactical game
 * counts 10 seconds a turn. The server of Geister gives each player 600 seconds a game and, when they are
 * used up, 10 seconds a move; an illegal move loses there, as it does under our referee. */
const struct tournament_rules_preset tournament_rules_presets[] = {
    {"quick", "round robin, both sides of every map, no clock: to see who is stronger",
     "{\"title\": \"Quick round robin\", \"games\": 2, \"both_sides\": true,\n"
     " \"tie_breaks\": [\"head-to-head\", \"sonneborn-berger\"]}\n"},
    {"swiss", "Swiss with as many rounds as a knock-out would have, then a knock-out of the best four",
     "{\"title\": \"Swiss with a final\", \"format\": \"swiss\", \"rounds\": 0, \"games\": 2, "
     "\"both_sides\": true,\n"
     " \"tie_breaks\": [\"buchholz\", \"sonneborn-berger\", \"head-to-head\", \"wins\"],\n"
     " \"final\": {\"players\": 4, \"games\": 2}}\n"},
    {"gat-tactical",
     "GAT, tactical game: 10 s a turn, both sides, no player on its own maps, play-offs for the first",
     "{\"title\": \"GAT tactical game\", \"game\": \"tbs\", \"rule_set\": \"tubstap\", \"format\": "
     "\"round-robin\",\n"
     " \"games\": 2, \"both_sides\": true, \"points\": {\"win\": 1, \"draw\": 0.5, \"loss\": 0},\n"
     " \"clock\": {\"turn\": 10}, \"maps\": {\"per_pairing\": 0, \"not_own\": true},\n"
     " \"playoff\": {\"places\": 1, \"games\": 2, \"repeats\": 3}}\n"},
    {"gat-geister", "GAT, Geister: 10 minutes a game, then 10 s a move, both sides, 3 points for a win",
     "{\"title\": \"GAT Geister\", \"game\": \"geister\", \"format\": \"round-robin\", \"games\": 2, "
     "\"both_sides\": true,\n"
     " \"points\": {\"win\": 3, \"draw\": 1, \"loss\": 0}, \"clock\": {\"game\": 600, \"byoyomi\": 10},\n"
     " \"tie_breaks\": [\"head-to-head\", \"wins\"]}\n"},
    {"gat-geister-multi", "GAT, Geister: the same clock and points, 50 games from each side in every pairing",
     "{\"preset\": \"gat-geister\", \"title\": \"GAT Geister, many games\", \"games\": 100}\n"},
    {0},
};

/* Jansson keeps no line numbers, so the text is searched again for the line of a field. Strings are skipped
 * as a whole: brackets in them have no meaning. The text has been parsed before, so it is well-formed. */
int event_file_line(const char *text, size_t size, const char *group, const char *key) {
    const char *const end = text + size;
    const int wanted_depth = group != NULL ? 2 : 1;
    bool in_group = group == NULL;
    int line = 1, depth = 0;
    for (const char *at = text; at < end; at++) {
        line += *at == '\n';
        depth += *at == '{' || *at == '[' ? 1 : *at == '}' || *at == ']' ? -1 : 0;
        if (*at != '"')
            continue;
        const char *start = ++at;
        while (at < end && *at != '"')
            at += *at == '\\' ? 2 : 1;
        const size_t length = (size_t)(at - start);
        const char *next = at + 1;
        while (next < end && isspace((unsigned char)*next))
            next++;
        if (next >= end || *next != ':') /* a string that is a value */
            continue;
        if (depth == 1 && group != NULL)
            in_group = length == strlen(group) && memcmp(start, group, length) == 0;
        else if (in_group && depth == wanted_depth && length == strlen(key) &&
                 memcmp(start, key, length) == 0)
            return line;
    }
    return 0;
}

/* ---- checking ---- */

/* Of a game's spec only the part before its options is a name: the game checks those. */
static bool check_names(const struct tournament_rules *r, struct err *e) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789-_";
    if (r->game[0] == '\0')
        return err_set(e, "\"game\" is empty; expected a name") || err_field(e, "game");
    const bool wrong_game = strspn(r->game, letters) != strcspn(r->game, ":");
    const char *field = wrong_game ? "game" : "rule_set", *text = wrong_game ? r->game : r->rule_set;
    return (!wrong_game && text[strspn(text, letters)] == '\0') ||
           err_set(e, "\"%s\": \"%.48s\" is no name; expected lower-case letters, digits, '-' and '_'", field,
                   text) ||
           err_field(e, field);
}

#define ODD ": an odd number cannot be played from both sides equally often, which \"both_sides\" promises"

/* Each row is a pair of fields that would have no effect, or no meaning, together. */
static bool check_contradictions(const struct tournament_rules *r, struct err *e) {
    const bool unequal = r->format == TOURNAMENT_KNOCK_OUT || r->format == TOURNAMENT_GAUNTLET;
    const struct {
        bool holds;
        const char *field, *sentence;
        bool by_format; /* the message names the format */
    } contradictions[] = {
        {r->rounds > 0 && r->format != TOURNAMENT_SWISS, "rounds",
         ": only a Swiss has a given number of rounds; expected 0, or nothing", true},
        {r->challengers > 1 && r->format != TOURNAMENT_GAUNTLET, "challengers",
         ": only a gauntlet has challengers; expected 1, or nothing", true},
        {r->playoff_places > 0 && unequal, "playoff.places",
         ": there is no table of equal games in which places could be tied; expected 0", true},
        {r->final_players > 0 && r->format == TOURNAMENT_KNOCK_OUT, "final.players",
         ": a knock-out has its own final; expected 0", true},
        {r->final_players > 0 && r->format == TOURNAMENT_GAUNTLET, "final.players",
         ": players of a gauntlet have different numbers of games, so none is best; expected 0", true},
        {r->final_players == 1, "final.players",
         ": 1 player is no final; expected 0 (no final) or 2 and more", false},
        {r->win <= r->loss, "points.win", ": a win must be worth more than a loss", false},
        {r->draw > r->win || r->draw < r->loss, "points.draw",
         ": a draw must not be worth more than a win or less than a loss (\"win\", \"draw\" and \"loss\" of "
         "\"points\")",
         false},
        {r->timing.increment_s > 0 && r->timing.game_s <= 0, "clock.increment",
         ": it is added to the game's time, but there is none; expected \"game\" in \"clock\"", false},
        {r->timing.byoyomi_s > 0 && r->timing.game_s <= 0, "clock.byoyomi",
         ": it begins when the game's time is used up, but there is none; expected \"game\" in \"clock\"",
         false},
        {r->both_sides && r->games % 2 != 0, "games", ODD, false},
        {r->both_sides && r->playoff_places > 0 && r->playoff_games % 2 != 0, "playoff.games", ODD, false},
        {r->both_sides && r->final_players > 0 && r->final_games % 2 != 0, "final.games", ODD, false},
    };
    for (size_t i = 0; i < sizeof contradictions / sizeof contradictions[0]; i++) {
        if (!contradictions[i].holds)
            continue;
        const bool by_format = contradictions[i].by_format;
        err_set(e, "\"%s\"%s%s%s%s", contradictions[i].field, contradictions[i].sentence,
                by_format ? " (\"format\" is \"" : "", by_format ? tournament_format_names[r->format] : "",
                by_format ? "\")" : "");
        return err_field(e, contradictions[i].field);
    }
    return true;
}

bool tournament_rules_check(const struct tournament_rules *rules, struct err *e) {
    return params_check_ranges(tournament_params, rules, e) && check_names(rules, e) &&
           check_contradictions(rules, e);
}

/* ---- reading and writing ---- */

/* Sentences about a field begin with "NAME:LINE: ", others with "NAME: ". */
bool event_file_read(const char *name, const char *text, size_t size, struct tournament_rules *out,
                     struct err *e) {
    static const struct param preset_params[] = {{TOURNAMENT_PRESET_ROW(0)}, {0}};
    if (size > EVENT_FILE_MAX)
        return err_set(e, "%s: %zu bytes are too much for rules; the limit is %d", name, size,
                       EVENT_FILE_MAX);
    json_t *root = jsontext_load(name, text, size, e);
    if (root == NULL)
        return false;
    const char *preset = json_string_value(json_object_get(root, preset_params[0].name));
    struct params sections[] = {
        {.table = preset_params, .options = &preset}, {.table = tournament_params, .options = out}, {0}};
    tournament_rules_default(out);
    bool ok = json_is_object(root) || err_set(e, "expected a JSON object: {\"format\": \"round-robin\", …}");
    if (ok && preset != NULL)
        ok = tournament_rules_preset(preset, out, e) || err_field(e, preset_params[0].name);
    ok = ok && params_read_json(sections, root, e) && check_names(out, e) && check_contradictions(out, e);
    json_decref(root);
    if (ok || e == NULL)
        return ok;
    char field[ERR_FIELD_MAX];
    memcpy(field, e->field, sizeof field);
    char *dot = strchr(field, '.');
    if (dot != NULL)
        *dot++ = '\0';
    const int line = event_file_line(text, size, dot != NULL ? field : NULL, dot != NULL ? dot : field);
    return line > 0 ? err_prefix(e, "%s:%d: ", name, line) : err_prefix(e, "%s: ", name);
}

/* A preset is an event file, read like any other: it has no fields that the file of a user lacks. */
bool tournament_rules_preset(const char *name, struct tournament_rules *out, struct err *e) {
    struct text known = {0};
    for (const struct tournament_rules_preset *p = tournament_rules_presets; p->name != NULL; p++) {
        if (strcmp(p->name, name) == 0) {
            text_done(&known);
            return event_file_read(name, p->json, strlen(p->json), out, e);
        }
        text_add(&known, "%s%s", known.size == 0 ? "" : p[1].name == NULL ? " or " : ", ", p->name);
    }
    char shown[48];
    charset_copy(shown, sizeof shown, name, strlen(name));
    charset_disarm(shown);
    err_set(e, "there is no preset \"%s\"; expected %s", shown, text_string(&known));
    text_done(&known);
    return false;
}

/* A text that is no UTF-8 is written as an empty one; the answer is then false. */
bool event_file_write(const struct tournament_rules *rules, struct text *out, struct err *e) {
    params_write_json(tournament_params, rules, out);
    return (charset_is_utf8(rules->title, strlen(rules->title)) &&
            charset_is_utf8(rules->game, strlen(rules->game))) ||
           err_set(e, "the title or the game is no UTF-8");
}

/* ---- the game ---- */

/* NULL and a reason for an unknown game; `spec` holds its options. */
static const struct game *find_game(const struct tournament_rules *rules, struct spec *spec, struct err *e) {
    if (!spec_parse(rules->game, spec, e))
        return NULL;
    const struct game *game = game_find(spec->name);
    if (game == NULL)
        err_code(e, "refused.game", "the tournament's game '%s' is unknown; 'senjutsu games' lists them",
                 spec->name);
    return game;
}

bool tournament_takes_maps(const struct tournament_rules *rules) {
    struct spec spec;
    const struct game *game = find_game(rules, &spec, NULL);
    return game != NULL && game_offer(game)->takes_map;
}

/* A map for a game without maps, and options in two places, are refused here for all callers. */
struct scenario *tournament_load(const struct tournament_rules *rules, const struct game_source *map,
                                 struct err *e) {
    struct spec spec;
    const struct game *game = find_game(rules, &spec, e);
    if (game == NULL)
        return NULL;
    const char *set = rules->rule_set[0] != '\0' ? rules->rule_set : NULL;
    const bool maps = game_offer(game)->takes_map;
    if (maps && spec.count > 0)
        err_set(e, "\"game\": \"%s\": the tactical game has no options here; \"rule_set\" names its rules",
                rules->game);
    else if (maps && map == NULL)
        err_set(e, "%s is played on maps", rules->game);
    else if (!maps && (map != NULL || set != NULL))
        err_set(e, "%s is played without maps and rule sets", rules->game);
    else
        return maps ? game_load_map(game, set, map, e) : game_load_spec(rules->game, e);
    return NULL;
}

/* ---- JSON ----
 *
 *     {"format": "senjutsu-tournament", "version": 1, "seed": "1", "rules": {…},
 *      "players": [{"name": "uct", "spec": "uct:sims=60", "author": ""}, …],
 *      "maps": [{"name": "duel", "author": "", "map": "SIZEX[6];…"}, …]}
 *
 * It contains everything that the games depend on. A game without maps has one entry with an empty "map". */

#define FORMAT "senjutsu-event" /* the texts of all stores have it: a change would make them unreadable */

/* Through the text, so that there is one writer of rules. */
json_t *tournament_rules_json(const struct tournament_rules *rules, struct err *e) {
    struct text text = {0};
    json_t *root = event_file_write(rules, &text, e) ? jsontext_own(&text) : NULL;
    text_done(&text);
    return root;
}

/* Members and their order are fixed: tournament_compare and stores need equal texts of equal tournaments. */
bool tournament_write(const struct tournament *tournament, struct text *out, struct err *e) {
    json_t *rules = tournament_rules_json(&tournament->rules, e);
    if (rules == NULL)
        return false;
    json_t *players = json_array(), *maps = json_array();
    for (int i = 0; i < tournament->player_count; i++) {
        const struct entrant *p = &tournament->players[i];
        json_array_append_new(players,
                              json_pack("{ss ss ss}", "name", p->name, "spec", p->spec, "author", p->author));
    }
    for (int i = 0; i < tournament->map_count; i++) {
        const struct tournament_map *m = &tournament->maps[i];
        struct text map = {0};
        assert(m->scenario != NULL);
        if (m->scenario->game->text->write_map != NULL)
            m->scenario->game->text->write_map(m->scenario, &map);
        json_array_append_new(
            maps, json_pack("{ss ss ss}", "name", m->name, "author", m->author, "map", text_string(&map)));
        text_done(&map);
    }
    /* Nothing is appended for a name that is no UTF-8. */
    const bool whole = json_array_size(players) == (size_t)tournament->player_count &&
                       json_array_size(maps) == (size_t)tournament->map_count;
    json_t *root = json_pack("{ss si so so so so}", "format", FORMAT, "version", 1, "seed",
                             json_sprintf("%llu", (unsigned long long)tournament->seed), "rules", rules,
                             "players", players, "maps", maps);
    const bool ok = whole && jsontext_add_line(root, JSON_INDENT(1), out);
    json_decref(root);
    return ok || err_set(e, "the tournament cannot be written as JSON: a name is not UTF-8");
}

/* ---- reading JSON ---- */

/* Borrowed scenarios stay: several tournaments may be played on the same maps. */
void tournament_done(struct tournament *tournament) {
    for (int i = 0; tournament->owns_scenarios && i < tournament->map_count; i++)
        game_unload(tournament->maps[i].scenario);
    mem_free(tournament->players);
    mem_free(tournament->maps);
    *tournament = (struct tournament){0};
}

/* False for a missing member and for one that is too long. */
static bool copy(const json_t *object, const char *key, char *out, size_t out_size) {
    const char *text = json_string_value(json_object_get(object, key));
    if (text == NULL || strlen(text) >= out_size)
        return false;
    memcpy(out, text, strlen(text) + 1);
    return true;
}

/* The text comes from a store, which other programs can write: lengths and numbers are checked. */
static bool read_players(const json_t *list, struct tournament *out, struct err *e) {
    const size_t count = json_array_size(list);
    if (count < 1 || count > TOURNAMENT_PLAYERS_MAX)
        return err_set(e, "\"players\" is no list of 1 to %d players", TOURNAMENT_PLAYERS_MAX);
    out->players = mem_alloc(count * sizeof out->players[0]);
    for (size_t i = 0; i < count; i++) {
        const json_t *row = json_array_get(list, i);
        struct entrant *p = &out->players[i];
        if (!copy(row, "name", p->name, sizeof p->name) || !copy(row, "spec", p->spec, sizeof p->spec) ||
            !copy(row, "author", p->author, sizeof p->author))
            return err_set(e, "\"players\": entry %zu has no name, spec and author", i + 1);
        out->player_count++;
    }
    return true;
}

/* Loads each map: a tournament whose maps do not load cannot be played or verified. */
static bool read_maps(const json_t *list, struct tournament *out, struct err *e) {
    const size_t count = json_array_size(list);
    const bool takes_maps = tournament_takes_maps(&out->rules);
    if (count < 1 || count > TOURNAMENT_MAPS_MAX)
        return err_set(e, "\"maps\" is no list of 1 to %d maps", TOURNAMENT_MAPS_MAX);
    out->maps = mem_alloc(count * sizeof out->maps[0]);
    out->owns_scenarios = true;
    for (size_t i = 0; i < count; i++) {
        const json_t *row = json_array_get(list, i);
        const char *text = json_string_value(json_object_get(row, "map"));
        struct tournament_map *m = &out->maps[i];
        if (text == NULL || !copy(row, "name", m->name, sizeof m->name) ||
            !copy(row, "author", m->author, sizeof m->author))
            return err_set(e, "\"maps\": entry %zu has no name, author and map", i + 1);
        const struct game_source map = {m->name, text, strlen(text), NULL};
        m->scenario = tournament_load(&out->rules, takes_maps || text[0] != '\0' ? &map : NULL, e);
        if (m->scenario == NULL)
            return false;
        out->map_count++;
        if (count > 1 && !takes_maps)
            return err_set(e, "\"maps\": %s is played without maps; expected one entry", out->rules.game);
    }
    return true;
}

/* Frees what was read when it fails: on false `out` is empty. */
bool tournament_read(const char *name, const char *text, size_t size, struct tournament *out, struct err *e) {
    unsigned long long seed = 0;
    struct text rules = {0};
    *out = (struct tournament){0};
    json_t *root = jsontext_load(name, text, size, e);
    if (root == NULL)
        return false;
    const char *digits = json_string_value(json_object_get(root, "seed"));
    const bool ok =
        jsontext_is(root, FORMAT, e) &&
        ((digits != NULL && text_to_u64(digits, &seed)) || err_set(e, "\"seed\" is no whole number")) &&
        jsontext_member(root, "rules", &rules, e) &&
        event_file_read("rules", text_string(&rules), rules.size, &out->rules, e) &&
        read_players(json_object_get(root, "players"), out, e) &&
        read_maps(json_object_get(root, "maps"), out, e);
    out->seed = seed;
    text_done(&rules);
    json_decref(root);
    if (!ok)
        tournament_done(out);
    return ok || err_prefix(e, "%s: ", name);
}

/* ---- comparing ---- */

/* Values of rules are short; long ones (maps) are cut in the message. */
static bool differ(const char *what, const json_t *stored, const json_t *given, struct err *e) {
    const json_t *const values[2] = {stored, given};
    char texts[2][120]; /* the value, or the beginning of a longer one */
    for (int i = 0; i < 2; i++) {
        char *dump = json_dumps(values[i], JSON_ENCODE_ANY | JSON_COMPACT | JSON_REAL_PRECISION(12));
        const char *text = dump != NULL ? dump : "nothing";
        charset_copy(texts[i], sizeof texts[i], text, strlen(text));
        mem_free(dump);
    }
    return err_set(e, "%s was %s and is now %s", what, texts[0], texts[1]);
}

/* By the first field that differs, down to where the two are plain values. */
static bool compare_objects(const char *what, json_t *stored, json_t *given, struct err *e) {
    const char *key;
    json_t *value;
    char path[128];
    json_object_foreach(stored, key, value) {
        json_t *other = json_object_get(given, key);
        snprintf(path, sizeof path, "%s%s%s", what, what[0] != '\0' ? "." : "", key);
        if (json_equal(value, other))
            continue;
        return json_is_object(value) && json_is_object(other) ? compare_objects(path, value, other, e)
                                                              : differ(path, value, other, e);
    }
    return json_equal(stored, given) ||
           err_set(e, "the rules have more fields now%s%s", what[0] != '\0' ? " in " : "", what);
}

/* Names and authors come first: a map whose text alone differs has a file that has changed. */
static bool compare_lists(const char *what, const json_t *stored, const json_t *given, const char *key,
                          struct err *e) {
    const size_t before = json_array_size(stored), now = json_array_size(given);
    const struct {
        const char *label, *key;
    } fields[] = {{"", key}, {"the name of ", "name"}, {"the author of ", "author"}};
    char name[64];
    for (size_t i = 0; i < before && i < now; i++) {
        json_t *a = json_array_get(stored, i), *b = json_array_get(given, i);
        for (int f = 0; f < 3; f++) {
            json_t *was = json_object_get(a, fields[f].key), *is = json_object_get(b, fields[f].key);
            snprintf(name, sizeof name, "%s%s %zu", fields[f].label, what, i + 1);
            if (!json_equal(was, is))
                return differ(name, was, is, e);
        }
        if (!json_equal(a, b))
            return err_set(e, "%s %zu, %s, is not what it was: its file has changed", what, i + 1,
                           json_string_value(json_object_get(a, "name")));
    }
    return before == now || err_set(e, "there were %zu %ss and there are now %zu", before, what, now);
}

/* In this order: the seed, the players, the maps, the rules. The first difference is reported. */
bool tournament_compare(const char *stored, const char *given, struct err *e) {
    json_t *a = json_loads(stored, 0, NULL), *b = json_loads(given, 0, NULL);
    const char *was = json_string_value(json_object_get(a, "seed"));
    const char *is = json_string_value(json_object_get(b, "seed"));
    bool ok = (a != NULL && b != NULL) || err_set(e, "what it was begun with cannot be read");
    if (ok && !json_equal(json_object_get(a, "seed"), json_object_get(b, "seed")))
        ok = err_set(e, "the seed was %s and is now %s", was != NULL ? was : "no text",
                     is != NULL ? is : "no text");
    ok = ok &&
         compare_lists("player", json_object_get(a, "players"), json_object_get(b, "players"), "spec", e) &&
         compare_lists("map", json_object_get(a, "maps"), json_object_get(b, "maps"), "name", e) &&
         compare_objects("", json_object_get(a, "rules"), json_object_get(b, "rules"), e);
    json_decref(a);
    json_decref(b);
    return ok;
}

/* ---- setting up: maps ---- */

/* The scenario is loaded first: on failure the tournament is as before. The author comes from the map file:
 * the rules may keep players from maps of their own. */
bool tournament_add_map(struct tournament *tournament, const char *name, const struct game_source *source,
                        struct err *e) {
    if (tournament->map_count == TOURNAMENT_MAPS_MAX)
        return err_set(e, "more than %d maps", TOURNAMENT_MAPS_MAX);
    struct scenario *scenario = tournament_load(&tournament->rules, source, e);
    if (scenario == NULL)
        return false;
    tournament->maps =
        mem_resize(tournament->maps, (size_t)(tournament->map_count + 1) * sizeof tournament->maps[0]);
    struct tournament_map *m = &tournament->maps[tournament->map_count++];
    *m = (struct tournament_map){.scenario = scenario};
    charset_copy(m->name, sizeof m->name, name, strlen(name));
    if (source == NULL)
        return true;
    if (scenario->game->text->map_author != NULL) {
        const char *author = scenario->game->text->map_author(scenario);
        charset_copy(m->author, sizeof m->author, author, strlen(author));
    }
    for (int i = 0; i + 1 < tournament->map_count; i++)
        if (strcmp(tournament->maps[i].name, m->name) == 0)
            return err_code(e, "refused.map_twice", "%s: a map of that name is there already", source->name);
    return true;
}

/* The players and the rules come from different readers, so neither of these can compare their numbers. */
bool tournament_check_players(const struct tournament *tournament, struct err *e) {
    assert(tournament->player_count <= TOURNAMENT_PLAYERS_MAX);
    if (tournament->player_count < 2)
        return err_code(e, "refused.one_player", "a tournament needs two players or more; given: %d",
                        tournament->player_count);
    if (tournament->rules.format == TOURNAMENT_GAUNTLET &&
        tournament->rules.challengers >= tournament->player_count)
        return err_set(e, "with %d challengers of %d players no opponent is left for them",
                       tournament->rules.challengers, tournament->player_count);
    return true;
}

/* ---- setting up: entrants ---- */

/* Names identify players in tables and in records. */
static bool has_name(const struct tournament *tournament, const char *name) {
    for (int i = 0; i < tournament->player_count; i++)
        if (strcmp(tournament->players[i].name, name) == 0)
            return true;
    return false;
}

/* Names stand in tables, lines and messages, so control characters are refused. A name is cut a little below
 * its limit, so that a number fits behind it. */
static bool add_entrant(struct tournament *tournament, const char *name, const char *spec, const char *author,
                        struct err *e) {
    if (tournament->player_count == TOURNAMENT_PLAYERS_MAX)
        return err_set(e, "more than %d players", TOURNAMENT_PLAYERS_MAX);
    if (strlen(spec) >= RECORD_NAME_MAX || strlen(author) >= TOURNAMENT_NAME_MAX)
        return err_set(e, "player '%.60s…': its spec or its author is too long", spec);
    const char *const texts[2] = {name, author};
    bool plain = true;
    for (int i = 0; i < 2; i++) {
        plain = plain && charset_is_utf8(texts[i], strlen(texts[i]));
        for (const char *c = texts[i]; *c != '\0'; c++)
            plain = plain && !((unsigned char)*c < ' ' || *c == 0x7f);
    }
    if (!plain)
        return err_set(e,
                       "player '%.60s': expected a name and an author in UTF-8 without line ends and other "
                       "control characters",
                       spec);
    if (!player_check(spec, NULL, e))
        return false;
    struct entrant p = {0};
    char base[TOURNAMENT_NAME_MAX - 16];
    charset_copy(base, sizeof base, name, strlen(name));
    snprintf(p.name, sizeof p.name, "%s", base);
    for (int n = 2; has_name(tournament, p.name); n++) /* ends: at most EVENT_PLAYERS_MAX names exist */
        snprintf(p.name, sizeof p.name, "%s (%d)", base, n);
    snprintf(p.spec, sizeof p.spec, "%s", spec);
    snprintf(p.author, sizeof p.author, "%s", author);
    tournament->players = mem_resize(tournament->players,
                                     (size_t)(tournament->player_count + 1) * sizeof tournament->players[0]);
    tournament->players[tournament->player_count++] = p;
    return true;
}

/* ---- a list of entrants ---- */

/* Does the part begin with KEY=, so that it continues the options of the player before it? */
static bool goes_on(const char *part) {
    part += strspn(part, " ");
    const size_t size = spec_key_size(part);
    return size > 0 && part[size] == '=';
}

/* Copies one player's text: quotes are left out, ; becomes a comma outside of brackets and quotes. Returns
 * where it ends: at the comma before the next player, or at the end. */
static const char *copy_player(const char *at, char *out, size_t out_size, bool *whole) {
    size_t size = 0;
    int depth = 0;
    bool quoted = false;
    for (; *at != '\0'; at++) {
        const bool plain = !quoted && depth == 0;
        if (plain && *at == ',' && !goes_on(at + 1))
            break;
        if (*at == '"') {
            quoted = !quoted;
            continue;
        }
        depth += quoted ? 0 : *at == '[' ? 1 : *at == ']' ? -1 : 0;
        if (size + 1 < out_size)
            out[size] = plain && *at == ';' ? ',' : *at;
        size++;
        if (plain && (*at == ',' || *at == ';')) /* blanks before a key are no part of it */
            at += strspn(at + 1, " ");
    }
    *whole = size < out_size && !quoted && depth == 0;
    out[size < out_size ? size : out_size - 1] = '\0';
    return at;
}

/* Each round reads one player; the comma behind it is skipped by the loop. */
bool entrants_parse(const char *list, struct tournament *tournament, struct err *e) {
    for (const char *at = list;; at++) {
        char copy[RECORD_NAME_MAX];
        bool whole;
        at = copy_player(at, copy, sizeof copy, &whole);
        if (!whole)
            return err_set(e, "player '%.60s…' is too long, or a bracket or quote in it has no partner",
                           copy);
        const char *spec = text_trim(copy);
        if (*spec == '\0')
            return err_set(e, "the list of players has an empty place in it");
        if (!add_entrant(tournament, spec, spec, "", e))
            return false;
        if (*at == '\0')
            return true;
    }
}

/* ---- a file of entrants ---- */

/* A name that is given must be new; names that are made from specs get a number instead. */
static bool read_entry(json_t *entry, size_t number, struct tournament *tournament, struct err *e) {
    static const char *const known[] = {"spec", "name", "author"};
    const char *key, *texts[3] = {NULL, NULL, ""};
    json_t *value;
    json_object_foreach(entry, key, value) {
        int field = 0;
        while (field < 3 && strcmp(known[field], key) != 0)
            field++;
        if (field == 3)
            return err_set(e, "entry %zu: \"%.64s\" is no field; expected spec, name, author", number, key);
        texts[field] = json_string_value(value);
        if (texts[field] == NULL)
            return err_set(e, "entry %zu: \"%s\" is no text", number, key);
        if (field < 2 && texts[field][0] == '\0') /* an author may be unknown */
            return err_set(e, "entry %zu: \"%s\" is empty", number, key);
    }
    if (texts[0] == NULL)
        return err_set(e, "entry %zu has no \"spec\"", number);
    if (texts[1] != NULL && has_name(tournament, texts[1]))
        return err_code(e, "refused.name_twice", "entry %zu: the name \"%s\" is there already", number,
                        texts[1]);
    return add_entrant(tournament, texts[1] != NULL ? texts[1] : texts[0], texts[0], texts[2], e) ||
           err_prefix(e, "entry %zu: ", number);
}

/* An empty list is refused: it is more likely the wrong file than a tournament without players. */
bool entrants_read(const char *name, const char *text, size_t size, struct tournament *tournament,
                   struct err *e) {
    json_t *list = jsontext_load(name, text, size, e);
    if (list == NULL)
        return false;
    bool ok = (json_is_array(list) && json_array_size(list) > 0) ||
              err_set(e, "expected a list of players: [{\"spec\": …, \"name\": …, \"author\": …}, …]");
    for (size_t i = 0; ok && i < json_array_size(list); i++)
        ok = json_is_object(json_array_get(list, i))
                 ? read_entry(json_array_get(list, i), i + 1, tournament, e)
                 : err_set(e, "entry %zu is no object with a \"spec\"", i + 1);
    json_decref(list);
    return ok || err_prefix(e, "%s: ", name);
}
