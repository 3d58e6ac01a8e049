/* SPDX-License-Identifier: MIT
 *
 * The rules of an event as one parameter table: the fields of an event file, options of `tournament`, and
 * members of a request. Presets, contradictions, and the lines of fields in a file.
 */
#include "tournament/event_file.h"

#include "base/charset.h"
#include "base/jsontext.h"
#include "tournament/event.h"

#include <assert.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

/* ---- tables ---- */

enum { ROUNDS_MAX = 1000, POINTS_MAX = 1000, REPEATS_MAX = 100, FAULTS_MAX = 1000000 };

const char *const event_format_names[EVENT_FORMATS] = {
    [EVENT_ROUND_ROBIN] = "round-robin",
    [EVENT_GAUNTLET] = "gauntlet",
    [EVENT_SWISS] = "swiss",
    [EVENT_KNOCK_OUT] = "knock-out",
};

const char *const event_tie_break_names[EVENT_TIE_BREAKS] = {
    [EVENT_TIE_HEAD_TO_HEAD] = "head-to-head",
    [EVENT_TIE_BUCHHOLZ] = "buchholz",
    [EVENT_TIE_SONNEBORN] = "sonneborn-berger",
    [EVENT_TIE_WINS] = "wins",
    [EVENT_TIE_FAULTS] = "faults",
};

#define AT(field) offsetof(struct event_rules, field)

static bool parse_points(const char *text, void *field, struct err *e) {
    struct event_rules *rules = field; /* the rows of the group lie in the rules themselves */
    char copy[64], *pieces[3];
    double *const targets[3] = {&rules->win, &rules->draw, &rules->loss};
    snprintf(copy, sizeof copy, "%s", text);
    bool ok = strlen(text) < sizeof copy && text_split(copy, ',', pieces, 3) == 3;
    for (int i = 0; ok && i < 3; i++)
        ok = text_to_real(pieces[i], targets[i]);
    return ok || err_set(e, "points %.64s: expected points for a win, a draw and a loss: 1,0.5,0", text);
}

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
    {"per_pairing", PARAM_INT, AT(maps_per_pairing), 0, EVENT_MAPS_MAX, 0, .option = "maps-per-pairing",
     .help = "drawn from all (default: all)"},
    {"not_own", PARAM_FLAG, AT(not_own_maps), .option = "not-own-maps",
     .help = "nobody plays on a map they authored"},
    {0},
};

static const struct param playoff_fields[] = {
    {"places", PARAM_INT, AT(playoff_places), 0, EVENT_PLAYERS_MAX, 0,
     .help = "ties for so many first places are played off"},
    {"games", PARAM_INT, AT(playoff_games), 1, EVENT_RULES_GAMES_MAX, 2, .help = "per pairing and map"},
    {"repeats", PARAM_INT, AT(playoff_repeats_max), 0, REPEATS_MAX, 3, .help = "while it is drawn"},
    {0},
};

static const struct param final_fields[] = {
    {"players", PARAM_INT, AT(final_players), 0, EVENT_PLAYERS_MAX, 0, .option = "final",
     .help = "a knock-out of the N best at the end (default: none)"},
    {"games", PARAM_INT, AT(final_games), 1, EVENT_RULES_GAMES_MAX, 2, .help = "per pairing and map"},
    {0},
};

_Static_assert(offsetof(struct event_rules, tie_breaks) ==
                       offsetof(struct event_rules, tie_break_count) + sizeof(int) &&
                   sizeof(enum event_tie_break) == sizeof(int),
               "PARAM_CHOICES is a count and its items");

const struct param event_params[] = {
    {"title", PARAM_TEXT, AT(title), .high = EVENT_TITLE_MAX - 1, .help = "of the result pages"},
    {"game", PARAM_TEXT, AT(game), .high = EVENT_GAME_MAX - 1, .choices = "tbs", .value = "SPEC",
     .help = "what is played, as in synth:df=0.5 ('senjutsu games')"},
    {"rule_set", PARAM_TEXT, AT(rule_set), .high = EVENT_RULE_SET_MAX - 1, .value = "SET", .option = "rules",
     .help = "tubstap (default) or paper"},
    {"format", PARAM_CHOICE, AT(format), .fallback = EVENT_ROUND_ROBIN,
     .choices = "round-robin|gauntlet|swiss|knock-out", .help = "who meets whom"},
    {"rounds", PARAM_INT, AT(rounds), 0, ROUNDS_MAX, 0,
     .help = "of a Swiss (default: as many as a knock-out needs)"},
    {"challengers", PARAM_INT, AT(challengers), 1, EVENT_PLAYERS_MAX - 1, 1,
     .help = "gauntlet: the first N meet all others"},
    {"games", PARAM_INT, AT(games), 1, EVENT_RULES_GAMES_MAX, 2, .help = "per pairing and map"},
    {"both_sides", PARAM_SWITCH, AT(both_sides), .help = "refuse an odd number of games"},
    {"disqualify_after", PARAM_INT, AT(disqualify_after), 0, FAULTS_MAX, 0,
     .help = "faults (default: never)"},
    {"points", PARAM_GROUP, 0, .rows = point_fields, .parse = parse_points, .value = "W,D,L",
     .help = "for a win, a draw, a loss (default: 1,0.5,0)"},
    {"clock", PARAM_GROUP, AT(timing), .rows = timing_params, .parse = parse_clock, .value = "LIMITS",
     .help = "turn=10 or game=600,byoyomi=10 … in seconds (default: none)"},
    {"maps", PARAM_GROUP, 0, .rows = map_fields, .help = "which of the maps a pairing plays"},
    {"playoff", PARAM_GROUP, 0, .rows = playoff_fields, .help = "games between the tied"},
    {"final", PARAM_GROUP, 0, .rows = final_fields, .help = "a knock-out of the best"},
    {"tie_breaks", PARAM_CHOICES, AT(tie_break_count), .high = EVENT_TIE_BREAKS_MAX,
     .choices = "head-to-head|buchholz|sonneborn-berger|wins|faults",
     .help = "in this order, between players of equal points"},
    {0},
};

void event_rules_default(struct event_rules *out) {
    memset(out, 0, sizeof *out);
    params_default(event_params, out);
}

/* ---- presets ---- */

/* The GAT competitions play both games as a round robin from both sides. The platform of the tactical game
 * counts 10 seconds a turn. The server of Geister gives each player 600 seconds a game and, when they are
 * used up, 10 seconds a move; an illegal move loses there, as it does under our referee. */
const struct event_rules_preset event_rules_presets[] = {
    {"quick", "round robin, both sides of every map, no clock: to see who is stronger",
     "{\"title\": \"Quick round robin\", \"games\": 2, \"both_sides\": true,\n"
     " \"tie_breaks\": [\"head-to-head\", \"sonneborn-berger\"]}\n"},
    {"swiss", "Swiss with as many rounds as a knock-out would have, then a knock-out of the best four",
     "{\"title\": \"Swiss with a final\", \"format\": \"swiss\", \"rounds\": 0, \"games\": 2, "
     "\"both_sides\": true,\n"
     " \"tie_breaks\": [\"buchholz\", \"sonneborn-berger\", \"head-to-head\", \"wins\"],\n"
     " \"final\": {\"players\": 4, \"games\": 2}}\n"},
    {"gat-tactical",
     "GAT, tactical game: 10 s a turn, both sides, nobody on their own maps, play-offs for the first",
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

/* ---- lines of fields ----
 *
 * Jansson keeps no line numbers, so the text is searched again for the line of a field. */

struct scan {
    const char *at, *end;
    int line;
};

static char peek(const struct scan *s) {
    return s->at < s->end ? *s->at : '\0';
}

static void step(struct scan *s) {
    if (s->at < s->end)
        s->line += *s->at++ == '\n';
}

static void skip_blanks(struct scan *s) {
    while (s->at < s->end && strchr(" \t\r\n", *s->at) != NULL)
        step(s);
}

/* Moves from a quotation mark behind the closing one; is `word` between them? */
static bool skip_string(struct scan *s, const char *word) {
    step(s);
    const char *start = s->at;
    while (s->at < s->end && *s->at != '"') {
        if (*s->at == '\\')
            step(s);
        step(s);
    }
    const size_t size = (size_t)(s->at - start);
    step(s);
    return word != NULL && size == strlen(word) && memcmp(start, word, size) == 0;
}

/* Moves to the comma or bracket behind a value. */
static void skip_value(struct scan *s) {
    int depth = 0;
    while (s->at < s->end) {
        const char c = peek(s);
        if (depth == 0 && (c == ',' || c == '}' || c == ']'))
            return;
        depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
        if (c == '"')
            skip_string(s, NULL);
        else
            step(s);
    }
}

/* Moves from the bracket that opens an object to the value of its member `key`; *line is the key's. */
static bool find_member(struct scan *s, const char *key, int *line) {
    skip_blanks(s);
    if (peek(s) != '{')
        return false;
    do {
        step(s);
        skip_blanks(s);
        if (peek(s) != '"')
            return false;
        *line = s->line;
        const bool found = skip_string(s, key);
        skip_blanks(s);
        step(s); /* the colon */
        if (found)
            return true;
        skip_value(s);
    } while (peek(s) == ',');
    return false;
}

int event_file_line(const char *text, size_t size, const char *group, const char *key) {
    struct scan s = {text, text + size, 1};
    int line = 0;
    if (group != NULL && !find_member(&s, group, &line))
        return 0;
    return find_member(&s, key, &line) ? line : 0;
}

/* ---- checking ---- */

#define NAME_LETTERS "abcdefghijklmnopqrstuvwxyz0123456789-_"

/* Of a game's spec only the part before its options is a name: the game checks those. */
static bool check_name(const char *field, const char *text, size_t size, struct err *e) {
    if (strspn(text, NAME_LETTERS) == size)
        return true;
    err_set(e, "\"%s\": \"%.48s\" is no name; expected lower-case letters, digits, '-' and '_'", field, text);
    return err_field(e, field);
}

static bool check_names(const struct event_rules *r, struct err *e) {
    if (r->game[0] == '\0')
        return err_set(e, "\"game\" is empty; expected a name") || err_field(e, "game");
    return check_name("game", r->game, strcspn(r->game, ":"), e) &&
           check_name("rule_set", r->rule_set, strlen(r->rule_set), e);
}

#define ODD ": an odd number cannot be played from both sides equally often, which \"both_sides\" promises"

static bool check_contradictions(const struct event_rules *r, struct err *e) {
    const bool unequal = r->format == EVENT_KNOCK_OUT || r->format == EVENT_GAUNTLET;
    const struct {
        bool holds;
        const char *field, *sentence;
        bool by_format; /* the message names the format */
    } contradictions[] = {
        {r->rounds > 0 && r->format != EVENT_SWISS, "rounds",
         ": only a Swiss is told how many rounds it has; expected 0, or nothing", true},
        {r->challengers > 1 && r->format != EVENT_GAUNTLET, "challengers",
         ": only a gauntlet has challengers; expected 1, or nothing", true},
        {r->playoff_places > 0 && unequal, "playoff.places",
         ": there is no table of equal games in which places could be tied; expected 0", true},
        {r->final_players > 0 && r->format == EVENT_KNOCK_OUT, "final.players",
         ": a knock-out has its own final; expected 0", true},
        {r->final_players > 0 && r->format == EVENT_GAUNTLET, "final.players",
         ": players of a gauntlet have different numbers of games, so nobody is best; expected 0", true},
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
                by_format ? " (\"format\" is \"" : "", by_format ? event_format_names[r->format] : "",
                by_format ? "\")" : "");
        return err_field(e, contradictions[i].field);
    }
    return true;
}

bool event_rules_check(const struct event_rules *rules, struct err *e) {
    return params_check_ranges(event_params, rules, e) && check_names(rules, e) &&
           check_contradictions(rules, e);
}

/* ---- reading and writing ---- */

static bool read_root(json_t *root, struct event_rules *out, struct err *e) {
    static const struct param preset_params[] = {
        {"preset", PARAM_STRING, 0, .help = "where the other fields' defaults come from"}, {0}};
    const char *preset = json_string_value(json_object_get(root, preset_params[0].name));
    struct params sections[] = {
        {.table = preset_params, .options = &preset}, {.table = event_params, .options = out}, {0}};
    if (!json_is_object(root))
        return err_set(e, "expected a JSON object: {\"format\": \"round-robin\", …}");
    event_rules_default(out);
    if (preset != NULL && !event_rules_preset(preset, out, e))
        return err_field(e, preset_params[0].name);
    return params_read_json(sections, root, e) && check_names(out, e) && check_contradictions(out, e);
}

/* "NAME:LINE: " before a sentence about a field, "NAME: " before any other. */
static bool name_line(const char *name, const char *text, size_t size, struct err *e) {
    char field[ERR_FIELD_MAX];
    if (e == NULL)
        return false;
    memcpy(field, e->field, sizeof field);
    char *dot = strchr(field, '.');
    if (dot != NULL)
        *dot++ = '\0';
    const int line = event_file_line(text, size, dot != NULL ? field : NULL, dot != NULL ? dot : field);
    return line > 0 ? err_prefix(e, "%s:%d: ", name, line) : err_prefix(e, "%s: ", name);
}

bool event_file_read(const char *name, const char *text, size_t size, struct event_rules *out,
                     struct err *e) {
    if (size > EVENT_FILE_MAX)
        return err_set(e, "%s: %zu bytes are too much for rules; the limit is %d", name, size,
                       EVENT_FILE_MAX);
    json_t *root = jsontext_load(name, text, size, e);
    if (root == NULL)
        return false;
    const bool ok = read_root(root, out, e) || name_line(name, text, size, e);
    json_decref(root);
    return ok;
}

bool event_rules_preset(const char *name, struct event_rules *out, struct err *e) {
    struct text known = {0};
    for (const struct event_rules_preset *p = event_rules_presets; p->name != NULL; p++) {
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

bool event_file_write(const struct event_rules *rules, struct text *out, struct err *e) {
    params_write_json(event_params, rules, out);
    return (charset_is_utf8(rules->title, strlen(rules->title)) &&
            charset_is_utf8(rules->game, strlen(rules->game))) ||
           err_set(e, "the title or the game is no UTF-8");
}
