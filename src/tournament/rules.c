/* SPDX-License-Identifier: MIT
 *
 * The fields of the rules as tables, defaults, and writing them.
 */
#include "tournament/rules_fields.h"

#include "tournament/event.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS_MAX = 1000, POINTS_MAX = 1000, REPEATS_MAX = 100, FAULTS_MAX = 1000000 };

const char *const rules_format_names[RULES_FORMATS] = {
    [RULES_ROUND_ROBIN] = "round-robin",
    [RULES_GAUNTLET] = "gauntlet",
    [RULES_SWISS] = "swiss",
    [RULES_KNOCK_OUT] = "knock-out",
};

const char *const rules_tie_break_names[RULES_TIE_BREAKS] = {
    [RULES_TIE_HEAD_TO_HEAD] = "head-to-head",
    [RULES_TIE_BUCHHOLZ] = "buchholz",
    [RULES_TIE_SONNEBORN] = "sonneborn-berger",
    [RULES_TIE_WINS] = "wins",
    [RULES_TIE_FAULTS] = "faults",
};

/* ---- tables ---- */

const struct rules_word rules_words[RULES_WORDS] = {
    {"title", offsetof(struct rules, title), RULES_TITLE_MAX, RULES_WORD_TEXT, true},
    {"game", offsetof(struct rules, game), RULES_GAME_MAX, RULES_WORD_SPEC, false},
    {"rule_set", offsetof(struct rules, rule_set), RULES_NAME_MAX, RULES_WORD_NAME, true},
};

#define WHOLE(key, field, low, high, fallback)                                                               \
    { key, PARAM_INT, offsetof(struct rules, field), low, high, fallback }
#define REAL(key, field, low, high, fallback)                                                                \
    { key, PARAM_REAL, offsetof(struct rules, field), low, high, fallback }
#define SWITCH(key, field)                                                                                   \
    { key, PARAM_SWITCH, offsetof(struct rules, field) }

static const struct param top_fields[] = {
    {"format", PARAM_CHOICE, offsetof(struct rules, format), 0, RULES_FORMATS - 1, RULES_ROUND_ROBIN},
    WHOLE("rounds", rounds, 0, ROUNDS_MAX, 0),
    WHOLE("challengers", challengers, 1, EVENT_PLAYERS_MAX - 1, 1),
    WHOLE("games", games, 1, RULES_GAMES_MAX, 2),
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
    WHOLE("games", playoff_games, 1, RULES_GAMES_MAX, 2),
    WHOLE("repeats", playoff_repeats_max, 0, REPEATS_MAX, 3),
    {0},
};

static const struct param final_fields[] = {
    WHOLE("players", final_players, 0, EVENT_PLAYERS_MAX, 0),
    WHOLE("games", final_games, 1, RULES_GAMES_MAX, 2),
    {0},
};

const struct rules_group rules_groups[RULES_GROUPS] = {
    {NULL, top_fields, 0},
    {"points", point_fields, 0},
    {"clock", timing_params, offsetof(struct rules, timing)},
    {"maps", map_fields, 0},
    {"playoff", playoff_fields, 0},
    {"final", final_fields, 0},
};

/* ---- values of fields ---- */

double rules_fetch(const struct rules_group *g, const struct param *p, const struct rules *rules) {
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

void rules_store(const struct rules_group *g, const struct param *p, struct rules *rules, double value) {
    void *at = (char *)rules + g->offset + p->offset;
    switch (p->kind) {
    case PARAM_INT:
    case PARAM_CHOICE: *(int *)at = (int)value; break;
    case PARAM_REAL: *(double *)at = value + 0.0; break; /* there is no -0 */
    case PARAM_SWITCH: *(bool *)at = value != 0; break;
    case PARAM_TEXT: break;
    }
}

void rules_default(struct rules *out) {
    memset(out, 0, sizeof *out);
    memcpy(out->game, "tbs", sizeof "tbs");
    for (int i = 0; i < RULES_GROUPS; i++)
        params_default(rules_groups[i].fields, (char *)out + rules_groups[i].offset);
}

/* ---- writing ---- */

/* The shortest decimals that mean the same number. */
static void add_real(double value, struct text *out) {
    char digits[32];
    for (int precision = 15; precision <= 17; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, value);
        if (!(strtod(digits, NULL) < value) && !(strtod(digits, NULL) > value))
            break;
    }
    text_add_string(out, digits);
}

static void add_value(const struct rules_group *g, const struct param *p, const struct rules *rules,
                      struct text *out) {
    const double value = rules_fetch(g, p, rules);
    text_add(out, "\"%s\": ", p->name);
    switch (p->kind) {
    case PARAM_INT:
    case PARAM_REAL: add_real(value, out); break;
    case PARAM_SWITCH: text_add_string(out, value != 0 ? "true" : "false"); break;
    case PARAM_CHOICE: text_add(out, "\"%s\"", rules_format_names[(int)value]); break;
    case PARAM_TEXT: break;
    }
}

static void add_group(const struct rules_group *g, const struct rules *rules, struct text *out) {
    text_add(out, ",\n  \"%s\": {", g->name);
    for (const struct param *p = g->fields; p->name != NULL; p++) {
        text_add_string(out, p != g->fields ? ", " : "");
        add_value(g, p, rules, out);
    }
    text_add_string(out, "}");
}

/* False: memory ran out, or it is no UTF-8. */
static bool add_word(const struct rules_word *w, const struct rules *rules, struct text *out) {
    json_t *string = json_string((const char *)rules + w->offset);
    char *quoted = string != NULL ? json_dumps(string, JSON_ENCODE_ANY) : NULL;
    if (quoted != NULL)
        text_add(out, "  \"%s\": %s,\n", w->key, quoted);
    json_decref(string);
    free(quoted);
    return quoted != NULL;
}

bool rules_write(const struct rules *rules, struct text *out, struct err *e) {
    bool ok = true;
    text_add_string(out, "{\n");
    for (int i = 0; i < RULES_WORDS; i++)
        ok = add_word(&rules_words[i], rules, out) && ok;
    for (const struct param *p = top_fields; p->name != NULL; p++) {
        text_add_string(out, p == top_fields ? "  " : ",\n  ");
        add_value(&rules_groups[0], p, rules, out);
    }
    for (int i = 1; i < RULES_GROUPS; i++)
        add_group(&rules_groups[i], rules, out);
    text_add_string(out, ",\n  \"" RULES_TIE_BREAKS_KEY "\": [");
    for (int i = 0; i < rules->tie_break_count; i++)
        text_add(out, "%s\"%s\"", i > 0 ? ", " : "", rules_tie_break_names[rules->tie_breaks[i]]);
    text_add_string(out, "]\n}\n");
    return (ok && !out->failed) || err_set(e, "not enough memory to write the rules");
}
