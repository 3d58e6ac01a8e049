/* SPDX-License-Identifier: MIT
 *
 * The fields of an event file as tables; presets; reading, checking and writing. Every key of a file is
 * looked up in the tables, and an unknown one is refused.
 */
#include "tournament/event_file.h"

#include "base/charset.h"
#include "tournament/event.h"

#include <assert.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- tables ---- */

/* A text field: free text, a name (of a rule set: lower-case letters, digits, '-' and '_'), or a spec (a
 * name, optionally with options behind it). */
enum word_kind { WORD_TEXT, WORD_NAME, WORD_SPEC };

struct word {
    const char *key;
    size_t offset, size;
    enum word_kind kind;
    bool may_be_empty;
};

/* Fields that are numbers, switches and choices, by the JSON object that contains them. */
struct group {
    const char *name; /* NULL: the outermost object */
    const struct param *fields;
    size_t offset; /* of the struct to which the fields' own offsets refer */
};

enum { WORDS = 3, GROUPS = 6 };

#define TIE_BREAKS_KEY "tie_breaks"

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

static const struct word words[WORDS] = {
    {"title", offsetof(struct event_rules, title), EVENT_TITLE_MAX, WORD_TEXT, true},
    {"game", offsetof(struct event_rules, game), EVENT_GAME_MAX, WORD_SPEC, false},
    {"rule_set", offsetof(struct event_rules, rule_set), EVENT_RULE_SET_MAX, WORD_NAME, true},
};

#define WHOLE(key, field, low, high, fallback)                                                               \
    { key, PARAM_INT, offsetof(struct event_rules, field), low, high, fallback }
#define REAL(key, field, low, high, fallback)                                                                \
    { key, PARAM_REAL, offsetof(struct event_rules, field), low, high, fallback }
#define SWITCH(key, field)                                                                                   \
    { key, PARAM_SWITCH, offsetof(struct event_rules, field) }

static const struct param top_fields[] = {
    {"format", PARAM_CHOICE, offsetof(struct event_rules, format), 0, EVENT_FORMATS - 1, EVENT_ROUND_ROBIN},
    WHOLE("rounds", rounds, 0, ROUNDS_MAX, 0),
    WHOLE("challengers", challengers, 1, EVENT_PLAYERS_MAX - 1, 1),
    WHOLE("games", games, 1, EVENT_RULES_GAMES_MAX, 2),
    SWITCH("both_sides", both_sides),
    WHOLE("disqualify_after", disqualify_after, 0, FAULTS_MAX, 0),
    {0},
};

static const struct param point_fields[] = {
    REAL("win", win, -POINTS_MAX, POINTS_MAX, 1),
    REAL("draw", draw, -POINTS_MAX, POINTS_MAX, 0.5),
    REAL("loss", loss, -POINTS_MAX, POINTS_MAX, 0),
    {0},
};

static const struct param map_fields[] = {
    WHOLE("per_pairing", maps_per_pairing, 0, EVENT_MAPS_MAX, 0),
    SWITCH("not_own", not_own_maps),
    {0},
};

static const struct param playoff_fields[] = {
    WHOLE("places", playoff_places, 0, EVENT_PLAYERS_MAX, 0),
    WHOLE("games", playoff_games, 1, EVENT_RULES_GAMES_MAX, 2),
    WHOLE("repeats", playoff_repeats_max, 0, REPEATS_MAX, 3),
    {0},
};

static const struct param final_fields[] = {
    WHOLE("players", final_players, 0, EVENT_PLAYERS_MAX, 0),
    WHOLE("games", final_games, 1, EVENT_RULES_GAMES_MAX, 2),
    {0},
};

static const struct group groups[GROUPS] = {
    {NULL, top_fields, 0},
    {"points", point_fields, 0},
    {"clock", timing_params, offsetof(struct event_rules, timing)},
    {"maps", map_fields, 0},
    {"playoff", playoff_fields, 0},
    {"final", final_fields, 0},
};

/* ---- values of fields ---- */

static double field_value(const struct group *g, const struct param *p, const struct event_rules *rules) {
    assert(p->kind != PARAM_TEXT);
    const void *at = (const char *)rules + g->offset + p->offset;
    switch (p->kind) {
    case PARAM_INT:
    case PARAM_CHOICE: return *(const int *)at;
    case PARAM_REAL: return *(const double *)at;
    case PARAM_SWITCH: return *(const bool *)at;
    case PARAM_TEXT: break;
    }
    return 0;
}

static void set_field(const struct group *g, const struct param *p, struct event_rules *rules, double value) {
    assert(p->kind != PARAM_TEXT);
    void *at = (char *)rules + g->offset + p->offset;
    switch (p->kind) {
    case PARAM_INT:
    case PARAM_CHOICE: *(int *)at = (int)value; break;
    case PARAM_REAL: *(double *)at = value + 0.0; break; /* no -0 */
    case PARAM_SWITCH: *(bool *)at = value != 0; break;
    case PARAM_TEXT: break;
    }
}

void event_rules_default(struct event_rules *out) {
    memset(out, 0, sizeof *out);
    memcpy(out->game, "tbs", sizeof "tbs");
    for (int i = 0; i < GROUPS; i++)
        params_default(groups[i].fields, (char *)out + groups[i].offset);
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

/* ---- messages ---- */

/* What is read, for messages. Without a text there are no line numbers, without a name no prefix. */
struct source {
    const char *name, *text;
    size_t size;
    struct err *e;
};

struct place {
    const char *group, *key; /* group may be NULL */
};

/* Outside text for a message: on one line, cut to `out_size`. */
static void quote(char *out, size_t out_size, const char *text) {
    charset_copy(out, out_size, text, strlen(text));
    for (unsigned char *c = (unsigned char *)out; *c != '\0'; c++)
        if (*c < ' ' || *c == 0x7f)
            *c = '?';
}

static bool refuse(const struct source *s, struct place place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Sets `name:line: "group.key"` followed by the sentence; false. */
static bool refuse(const struct source *s, struct place place, const char *format, ...) {
    char sentence[ERR_TEXT_MAX], key[48];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    quote(key, sizeof key, place.key);
    err_set(s->e, "\"%s%s%s\"%s", place.group != NULL ? place.group : "", place.group != NULL ? "." : "", key,
            sentence);
    if (s->name == NULL)
        return false;
    const int line = s->text != NULL ? event_file_line(s->text, s->size, place.group, place.key) : 0;
    return line > 0 ? err_prefix(s->e, "%s:%d: ", s->name, line) : err_prefix(s->e, "%s: ", s->name);
}

/* ---- checking ---- */

static bool has_control(const char *text) {
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0'; c++)
        if (*c < ' ' || *c == 0x7f || (*c == 0xc2 && c[1] < 0xa0))
            return true;
    return false;
}

#define NAME_LETTERS "abcdefghijklmnopqrstuvwxyz0123456789-_"

/* Of a spec, the part before its options: the game checks those. */
static size_t name_size(const struct word *w, const char *text, size_t size) {
    return w->kind == WORD_SPEC ? strcspn(text, ":") : size;
}

static bool check_word(const struct source *s, const struct word *w, const char *text, size_t size) {
    const struct place place = {NULL, w->key};
    if (size >= w->size)
        return refuse(s, place, ": %zu bytes are too long; expected %zu at most", size, w->size - 1);
    if (!charset_is_utf8(text, size) || has_control(text))
        return refuse(s, place, ": expected text without line ends and other control characters");
    if (w->kind != WORD_TEXT && strspn(text, NAME_LETTERS) != name_size(w, text, size))
        return refuse(s, place, ": \"%s\" is no name; expected lower-case letters, digits, '-' and '_'",
                      text);
    return size > 0 || w->may_be_empty || refuse(s, place, " is empty; expected a name");
}

static bool check_range(const struct source *s, struct place place, const struct param *p, double value) {
    if (p->kind == PARAM_SWITCH || (value >= p->low && value <= p->high))
        return true;
    return refuse(s, place, ": %.12g is out of range; expected %.12g to %.12g", value, p->low, p->high);
}

static bool check_tie_breaks(const struct source *s, const struct event_rules *r) {
    const struct place place = {NULL, TIE_BREAKS_KEY};
    bool seen[EVENT_TIE_BREAKS] = {false};
    if (r->tie_break_count < 0 || r->tie_break_count > EVENT_TIE_BREAKS_MAX)
        return refuse(s, place, ": %d are too many; expected %d at most", r->tie_break_count,
                      EVENT_TIE_BREAKS_MAX);
    for (int i = 0; i < r->tie_break_count; i++) {
        const int kind = (int)r->tie_breaks[i];
        if (kind < 0 || kind >= EVENT_TIE_BREAKS)
            return refuse(s, place, ": %d is no tie-break", kind);
        if (seen[kind])
            return refuse(s, place, ": \"%s\" is there twice", event_tie_break_names[kind]);
        seen[kind] = true;
    }
    return true;
}

static bool rounds_without_swiss(const struct event_rules *r) {
    return r->rounds > 0 && r->format != EVENT_SWISS;
}

static bool challengers_without_gauntlet(const struct event_rules *r) {
    return r->challengers > 1 && r->format != EVENT_GAUNTLET;
}

static bool playoff_without_table(const struct event_rules *r) {
    return r->playoff_places > 0 && (r->format == EVENT_KNOCK_OUT || r->format == EVENT_GAUNTLET);
}

static bool final_of_knock_out(const struct event_rules *r) {
    return r->final_players > 0 && r->format == EVENT_KNOCK_OUT;
}

static bool final_of_gauntlet(const struct event_rules *r) {
    return r->final_players > 0 && r->format == EVENT_GAUNTLET;
}

static bool final_alone(const struct event_rules *r) {
    return r->final_players == 1;
}

static bool win_not_best(const struct event_rules *r) {
    return r->win <= r->loss;
}

static bool draw_not_between(const struct event_rules *r) {
    return r->draw > r->win || r->draw < r->loss;
}

static bool increment_without_game(const struct event_rules *r) {
    return r->timing.increment_s > 0 && r->timing.game_s <= 0;
}

static bool byoyomi_without_game(const struct event_rules *r) {
    return r->timing.byoyomi_s > 0 && r->timing.game_s <= 0;
}

static bool odd_games(const struct event_rules *r) {
    return r->both_sides && r->games % 2 != 0;
}

static bool odd_playoff(const struct event_rules *r) {
    return r->both_sides && r->playoff_places > 0 && r->playoff_games % 2 != 0;
}

static bool odd_final(const struct event_rules *r) {
    return r->both_sides && r->final_players > 0 && r->final_games % 2 != 0;
}

#define ODD ": an odd number cannot be played from both sides equally often, which \"both_sides\" promises"

static const struct contradiction {
    const char *group, *key;
    bool (*holds)(const struct event_rules *r);
    const char *sentence;
    bool by_format; /* the message names the format */
} contradictions[] = {
    {NULL, "rounds", rounds_without_swiss,
     ": only a Swiss is told how many rounds it has; expected 0, or nothing", true},
    {NULL, "challengers", challengers_without_gauntlet,
     ": only a gauntlet has challengers; expected 1, or nothing", true},
    {"playoff", "places", playoff_without_table,
     ": there is no table of equal games in which places could be tied; expected 0", true},
    {"final", "players", final_of_knock_out, ": a knock-out has its own final; expected 0", true},
    {"final", "players", final_of_gauntlet,
     ": players of a gauntlet have different numbers of games, so nobody is best; expected 0", true},
    {"final", "players", final_alone, ": 1 player is no final; expected 0 (no final) or 2 and more", false},
    {"points", "win", win_not_best, ": a win must be worth more than a loss", false},
    {"points", "draw", draw_not_between,
     ": a draw must not be worth more than a win or less than a loss (\"win\", \"draw\" and \"loss\" of "
     "\"points\")",
     false},
    {"clock", "increment", increment_without_game,
     ": it is added to the game's time, but there is none; expected \"game\" in \"clock\"", false},
    {"clock", "byoyomi", byoyomi_without_game,
     ": it begins when the game's time is used up, but there is none; expected \"game\" in \"clock\"", false},
    {NULL, "games", odd_games, ODD, false},
    {"playoff", "games", odd_playoff, ODD, false},
    {"final", "games", odd_final, ODD, false},
};

static bool check_contradictions(const struct source *s, const struct event_rules *r) {
    for (size_t i = 0; i < sizeof contradictions / sizeof contradictions[0]; i++) {
        const struct contradiction *c = &contradictions[i];
        if (!c->holds(r))
            continue;
        const char *format = event_format_names[r->format];
        return refuse(s, (struct place){c->group, c->key}, "%s%s%s%s", c->sentence,
                      c->by_format ? " (\"format\" is \"" : "", c->by_format ? format : "",
                      c->by_format ? "\")" : "");
    }
    return true;
}

bool event_rules_check(const struct event_rules *rules, struct err *e) {
    const struct source s = {.e = e};
    for (int i = 0; i < WORDS; i++) {
        const char *text = (const char *)rules + words[i].offset;
        if (!check_word(&s, &words[i], text, strnlen(text, words[i].size)))
            return false;
    }
    for (int i = 0; i < GROUPS; i++)
        for (const struct param *p = groups[i].fields; p->name != NULL; p++)
            if (!check_range(&s, (struct place){groups[i].name, p->name}, p,
                             field_value(&groups[i], p, rules)))
                return false;
    return check_tie_breaks(&s, rules) && check_contradictions(&s, rules);
}

/* ---- values and keys in messages ---- */

static const char preset_key[] = "preset";

enum { VALUE_TEXT_MAX = 64 };

/* "a b", 3.5, true, an object, … */
static const char *value_text(const json_t *value, char out[VALUE_TEXT_MAX]) {
    if (json_is_object(value) || json_is_array(value)) {
        snprintf(out, VALUE_TEXT_MAX, "%s", json_is_object(value) ? "an object" : "a list");
    } else if (json_is_string(value)) {
        char part[48];
        quote(part, sizeof part, json_string_value(value));
        snprintf(out, VALUE_TEXT_MAX, "\"%s\"", part);
    } else {
        const size_t size =
            json_dumpb(value, out, VALUE_TEXT_MAX - 1, JSON_ENCODE_ANY | JSON_REAL_PRECISION(12));
        out[size < VALUE_TEXT_MAX ? size : 0] = '\0';
    }
    return out;
}

static const char *separator(int i, int count) {
    return i == 0 ? "" : i == count - 1 ? " or " : ", ";
}

static void list_names(const char *const *names, int count, char *out, size_t out_size) {
    size_t used = 0;
    for (int i = 0; i < count && used < out_size; i++)
        used += (size_t)snprintf(out + used, out_size - used, "%s%s", separator(i, count), names[i]);
}

enum { KEYS_MAX = 24, LIST_MAX = 320 };

/* The keys of a group; for the outermost object also the words, the groups and the rest. */
static void list_keys(const struct group *g, char out[LIST_MAX]) {
    const char *names[KEYS_MAX];
    int count = 0;
    if (g->name == NULL) {
        names[count++] = preset_key;
        for (int i = 0; i < WORDS; i++)
            names[count++] = words[i].key;
    }
    for (const struct param *p = g->fields; p->name != NULL; p++)
        names[count++] = p->name;
    if (g->name == NULL) {
        names[count++] = TIE_BREAKS_KEY;
        for (int i = 1; i < GROUPS; i++)
            names[count++] = groups[i].name;
    }
    assert(count <= KEYS_MAX);
    list_names(names, count, out, LIST_MAX);
}

/* ---- reading ---- */

static int find_name(const char *name, const char *const *names, int count) {
    for (int i = 0; i < count; i++)
        if (strcmp(name, names[i]) == 0)
            return i;
    return -1;
}

/* A string that is one of some names; its index, or -1 with a message. */
static int read_choice(const struct source *s, struct place place, const json_t *value,
                       const char *const *names, int count) {
    char shown[VALUE_TEXT_MAX], list[LIST_MAX];
    const int found = json_is_string(value) ? find_name(json_string_value(value), names, count) : -1;
    list_names(names, count, list, sizeof list);
    if (found < 0)
        refuse(s, place, ": %s is unknown; expected %s", value_text(value, shown), list);
    return found;
}

static bool read_number(const struct source *s, struct place place, const struct param *p,
                        const json_t *value, double *out) {
    char shown[VALUE_TEXT_MAX];
    const bool whole = p->kind == PARAM_INT;
    if (whole ? !json_is_integer(value) : !json_is_number(value))
        return refuse(s, place, ": %s is no %s; expected %.12g to %.12g", value_text(value, shown),
                      whole ? "whole number" : "number", p->low, p->high);
    *out = json_number_value(value);
    return check_range(s, place, p, *out);
}

static bool read_switch(const struct source *s, struct place place, const json_t *value, double *out) {
    char shown[VALUE_TEXT_MAX];
    *out = json_is_true(value);
    return json_is_boolean(value) ||
           refuse(s, place, ": %s is neither true nor false", value_text(value, shown));
}

static bool read_value(const struct source *s, struct place place, const struct param *p, const json_t *value,
                       double *out) {
    switch (p->kind) {
    case PARAM_INT:
    case PARAM_REAL: return read_number(s, place, p, value, out);
    case PARAM_SWITCH: return read_switch(s, place, value, out);
    case PARAM_CHOICE:
        *out = read_choice(s, place, value, event_format_names, EVENT_FORMATS);
        return *out >= 0;
    case PARAM_TEXT: break;
    }
    return false;
}

static bool read_word(const struct source *s, const struct word *w, const json_t *value,
                      struct event_rules *out) {
    char shown[VALUE_TEXT_MAX];
    if (!json_is_string(value))
        return refuse(s, (struct place){NULL, w->key}, ": %s is no text", value_text(value, shown));
    if (!check_word(s, w, json_string_value(value), json_string_length(value)))
        return false;
    char *to = (char *)out + w->offset;
    memset(to, 0, w->size);
    memcpy(to, json_string_value(value), json_string_length(value));
    return true;
}

static bool read_tie_breaks(const struct source *s, const json_t *value, struct event_rules *out) {
    const struct place place = {NULL, TIE_BREAKS_KEY};
    char shown[VALUE_TEXT_MAX];
    if (!json_is_array(value))
        return refuse(s, place, ": %s is no list", value_text(value, shown));
    if (json_array_size(value) > EVENT_TIE_BREAKS_MAX)
        return refuse(s, place, ": %zu are too many; expected %d at most", json_array_size(value),
                      EVENT_TIE_BREAKS_MAX);
    memset(out->tie_breaks, 0, sizeof out->tie_breaks);
    out->tie_break_count = (int)json_array_size(value);
    for (int i = 0; i < out->tie_break_count; i++) {
        const int kind =
            read_choice(s, place, json_array_get(value, (size_t)i), event_tie_break_names, EVENT_TIE_BREAKS);
        if (kind < 0)
            return false;
        out->tie_breaks[i] = (enum event_tie_break)kind;
    }
    return check_tie_breaks(s, out);
}

static const struct param *find_field(const struct group *g, const char *key) {
    const struct param *p = g->fields;
    while (p->name != NULL && strcmp(p->name, key) != 0)
        p++;
    return p->name != NULL ? p : NULL;
}

static bool read_field(const struct source *s, const struct group *g, const char *key, const json_t *value,
                       struct event_rules *out) {
    const struct param *p = find_field(g, key);
    const struct place place = {g->name, key};
    char list[LIST_MAX];
    double number = 0;
    if (p == NULL) {
        list_keys(g, list);
        return refuse(s, place, " is no field %s%s; expected %s", g->name != NULL ? "of " : "of the rules",
                      g->name != NULL ? g->name : "", list);
    }
    if (!read_value(s, place, p, value, &number))
        return false;
    set_field(g, p, out, number);
    return true;
}

static bool read_group(const struct source *s, const struct group *g, json_t *object,
                       struct event_rules *out) {
    char shown[VALUE_TEXT_MAX], list[LIST_MAX];
    const char *key;
    json_t *value;
    if (!json_is_object(object)) {
        list_keys(g, list);
        return refuse(s, (struct place){NULL, g->name}, ": %s is no object; expected one with %s",
                      value_text(object, shown), list);
    }
    json_object_foreach(object, key, value) {
        if (!read_field(s, g, key, value, out))
            return false;
    }
    return true;
}

static bool read_member(const struct source *s, const char *key, json_t *value, struct event_rules *out) {
    for (int i = 0; i < WORDS; i++)
        if (strcmp(words[i].key, key) == 0)
            return read_word(s, &words[i], value, out);
    for (int i = 1; i < GROUPS; i++)
        if (strcmp(groups[i].name, key) == 0)
            return read_group(s, &groups[i], value, out);
    if (strcmp(key, TIE_BREAKS_KEY) == 0)
        return read_tie_breaks(s, value, out);
    return strcmp(key, preset_key) == 0 || read_field(s, &groups[0], key, value, out);
}

static int preset_names(const char **names) {
    int count = 0;
    for (; event_rules_presets[count].name != NULL; count++)
        names[count] = event_rules_presets[count].name;
    return count;
}

enum { PRESETS_MAX = 32 };

static bool read_base(const struct source *s, const json_t *root, struct event_rules *out) {
    const char *names[PRESETS_MAX];
    const json_t *value = json_object_get(root, preset_key);
    if (value == NULL) {
        event_rules_default(out);
        return true;
    }
    const int found = read_choice(s, (struct place){NULL, preset_key}, value, names, preset_names(names));
    return found >= 0 && event_rules_preset(names[found], out, s->e);
}

static bool read_root(const struct source *s, json_t *root, struct event_rules *out) {
    const char *key;
    json_t *value;
    if (!json_is_object(root))
        return err_set(s->e, "%s: expected a JSON object: {\"format\": \"round-robin\", …}", s->name);
    if (!read_base(s, root, out))
        return false;
    json_object_foreach(root, key, value) {
        if (!read_member(s, key, value, out))
            return false;
    }
    return check_contradictions(s, out);
}

bool event_file_read(const char *name, const char *text, size_t size, struct event_rules *out,
                     struct err *e) {
    const struct source s = {name, text, size, e};
    json_error_t problem;
    if (size > EVENT_FILE_MAX)
        return err_set(e, "%s: %zu bytes are too much for rules; the limit is %d", name, size,
                       EVENT_FILE_MAX);
    json_t *root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &problem);
    if (root == NULL) {
        char what[JSON_ERROR_TEXT_LENGTH];
        quote(what, sizeof what, problem.text);
        return err_set(e, "%s:%d: %s", name, problem.line, what);
    }
    const bool ok = read_root(&s, root, out);
    json_decref(root);
    return ok;
}

bool event_rules_preset(const char *name, struct event_rules *out, struct err *e) {
    const char *names[PRESETS_MAX];
    char shown[48], list[LIST_MAX];
    const int count = preset_names(names), found = find_name(name, names, count);
    if (found >= 0)
        return event_file_read(name, event_rules_presets[found].json, strlen(event_rules_presets[found].json),
                               out, e);
    quote(shown, sizeof shown, name);
    list_names(names, count, list, sizeof list);
    return err_set(e, "there is no preset \"%s\"; expected %s", shown, list);
}

/* ---- writing ---- */

/* The shortest decimals that read back as the same number. */
static void add_real(double value, struct text *out) {
    char digits[32];
    for (int precision = 15; precision <= 17; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, value);
        if (!(strtod(digits, NULL) < value) && !(strtod(digits, NULL) > value))
            break;
    }
    text_add_string(out, digits);
}

static void add_value(const struct group *g, const struct param *p, const struct event_rules *rules,
                      struct text *out) {
    const double value = field_value(g, p, rules);
    assert(p->kind != PARAM_CHOICE || (value >= 0 && value < EVENT_FORMATS));
    text_add(out, "\"%s\": ", p->name);
    switch (p->kind) {
    case PARAM_INT:
    case PARAM_REAL: add_real(value, out); break;
    case PARAM_SWITCH: text_add_string(out, value != 0 ? "true" : "false"); break;
    case PARAM_CHOICE: text_add(out, "\"%s\"", event_format_names[(int)value]); break;
    case PARAM_TEXT: break;
    }
}

static void add_group(const struct group *g, const struct event_rules *rules, struct text *out) {
    text_add(out, ",\n  \"%s\": {", g->name);
    for (const struct param *p = g->fields; p->name != NULL; p++) {
        text_add_string(out, p != g->fields ? ", " : "");
        add_value(g, p, rules, out);
    }
    text_add_string(out, "}");
}

/* False: memory ran out, or it is no UTF-8. */
static bool add_word(const struct word *w, const struct event_rules *rules, struct text *out) {
    json_t *string = json_string((const char *)rules + w->offset);
    char *quoted = string != NULL ? json_dumps(string, JSON_ENCODE_ANY) : NULL;
    if (quoted != NULL)
        text_add(out, "  \"%s\": %s,\n", w->key, quoted);
    json_decref(string);
    free(quoted);
    return quoted != NULL;
}

bool event_file_write(const struct event_rules *rules, struct text *out, struct err *e) {
    bool ok = true;
    text_add_string(out, "{\n");
    for (int i = 0; i < WORDS; i++)
        ok = add_word(&words[i], rules, out) && ok;
    for (const struct param *p = top_fields; p->name != NULL; p++) {
        text_add_string(out, p == top_fields ? "  " : ",\n  ");
        add_value(&groups[0], p, rules, out);
    }
    for (int i = 1; i < GROUPS; i++)
        add_group(&groups[i], rules, out);
    text_add_string(out, ",\n  \"" TIE_BREAKS_KEY "\": [");
    for (int i = 0; i < rules->tie_break_count; i++)
        text_add(out, "%s\"%s\"", i > 0 ? ", " : "", event_tie_break_names[rules->tie_breaks[i]]);
    text_add_string(out, "]\n}\n");
    return (ok && !out->failed) || err_set(e, "not enough memory to write the rules");
}
