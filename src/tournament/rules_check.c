/* SPDX-License-Identifier: MIT
 *
 * What is wrong with rules, in words: fields out of their range, and fields that contradict each other.
 */
#include "tournament/rules_fields.h"

#include "base/charset.h"
#include "tournament/rules_line.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- messages ---- */

void rules_quote(char *out, size_t out_size, const char *text) {
    charset_copy(out, out_size, text, strlen(text));
    for (unsigned char *c = (unsigned char *)out; *c != '\0'; c++)
        if (*c < ' ' || *c == 0x7f)
            *c = '?';
}

bool rules_refuse(const struct rules_source *s, struct rules_place place, const char *format, ...) {
    char sentence[ERR_TEXT_MAX], key[48];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    rules_quote(key, sizeof key, place.key);
    err_set(s->e, "\"%s%s%s\"%s", place.group != NULL ? place.group : "", place.group != NULL ? "." : "", key,
            sentence);
    if (s->name == NULL)
        return false;
    const int line = s->text != NULL ? rules_line(s->text, s->size, place.group, place.key) : 0;
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

/* Of a spec, what stands before its options: those are the game's to judge. */
static size_t name_size(const struct rules_word *w, const char *text, size_t size) {
    return w->kind == RULES_WORD_SPEC ? strcspn(text, ":") : size;
}

bool rules_check_word(const struct rules_source *s, const struct rules_word *w, const char *text,
                      size_t size) {
    const struct rules_place place = {NULL, w->key};
    if (size >= w->size)
        return rules_refuse(s, place, ": %zu bytes are too long; expected %zu at most", size, w->size - 1);
    if (!charset_is_utf8(text, size) || has_control(text))
        return rules_refuse(s, place, ": expected text without line ends and other control characters");
    if (w->kind != RULES_WORD_TEXT && strspn(text, NAME_LETTERS) != name_size(w, text, size))
        return rules_refuse(s, place, ": \"%s\" is no name; expected lower-case letters, digits, '-' and '_'",
                            text);
    return size > 0 || w->may_be_empty || rules_refuse(s, place, " is empty; expected a name");
}

bool rules_check_range(const struct rules_source *s, struct rules_place place, const struct param *p,
                       double value) {
    if (p->kind == PARAM_SWITCH || (value >= p->low && value <= p->high))
        return true;
    return rules_refuse(s, place, ": %.12g is out of range; expected %.12g to %.12g", value, p->low, p->high);
}

bool rules_check_tie_breaks(const struct rules_source *s, const struct rules *r) {
    const struct rules_place place = {NULL, RULES_TIE_BREAKS_KEY};
    bool seen[RULES_TIE_BREAKS] = {false};
    if (r->tie_break_count < 0 || r->tie_break_count > RULES_TIE_BREAKS_MAX)
        return rules_refuse(s, place, ": %d are too many; expected %d at most", r->tie_break_count,
                            RULES_TIE_BREAKS_MAX);
    for (int i = 0; i < r->tie_break_count; i++) {
        const int kind = (int)r->tie_breaks[i];
        if (kind < 0 || kind >= RULES_TIE_BREAKS)
            return rules_refuse(s, place, ": %d is no tie-break", kind);
        if (seen[kind])
            return rules_refuse(s, place, ": \"%s\" is there twice", rules_tie_break_names[kind]);
        seen[kind] = true;
    }
    return true;
}

static bool rounds_without_swiss(const struct rules *r) {
    return r->rounds > 0 && r->format != RULES_SWISS;
}

static bool challengers_without_gauntlet(const struct rules *r) {
    return r->challengers > 1 && r->format != RULES_GAUNTLET;
}

static bool playoff_without_table(const struct rules *r) {
    return r->playoff_places > 0 && (r->format == RULES_KNOCK_OUT || r->format == RULES_GAUNTLET);
}

static bool final_of_knock_out(const struct rules *r) {
    return r->final_players > 0 && r->format == RULES_KNOCK_OUT;
}

static bool final_of_gauntlet(const struct rules *r) {
    return r->final_players > 0 && r->format == RULES_GAUNTLET;
}

static bool final_alone(const struct rules *r) {
    return r->final_players == 1;
}

static bool win_not_best(const struct rules *r) {
    return r->win <= r->loss;
}

static bool draw_not_between(const struct rules *r) {
    return r->draw > r->win || r->draw < r->loss;
}

static bool increment_without_game(const struct rules *r) {
    return r->timing.increment_s > 0 && r->timing.game_s <= 0;
}

static bool byoyomi_without_game(const struct rules *r) {
    return r->timing.byoyomi_s > 0 && r->timing.game_s <= 0;
}

static bool odd_games(const struct rules *r) {
    return r->both_sides && r->games % 2 != 0;
}

static bool odd_playoff(const struct rules *r) {
    return r->both_sides && r->playoff_places > 0 && r->playoff_games % 2 != 0;
}

static bool odd_final(const struct rules *r) {
    return r->both_sides && r->final_players > 0 && r->final_games % 2 != 0;
}

#define ODD ": an odd number cannot be played from both sides equally often, which \"both_sides\" promises"

static const struct contradiction {
    const char *group, *key;
    bool (*holds)(const struct rules *r);
    const char *sentence;
    bool by_format; /* the message says which format that is */
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

bool rules_check_contradictions(const struct rules_source *s, const struct rules *r) {
    for (size_t i = 0; i < sizeof contradictions / sizeof contradictions[0]; i++) {
        const struct contradiction *c = &contradictions[i];
        if (!c->holds(r))
            continue;
        const char *format = rules_format_names[r->format];
        return rules_refuse(s, (struct rules_place){c->group, c->key}, "%s%s%s%s", c->sentence,
                            c->by_format ? " (\"format\" is \"" : "", c->by_format ? format : "",
                            c->by_format ? "\")" : "");
    }
    return true;
}

bool rules_check(const struct rules *rules, struct err *e) {
    const struct rules_source s = {.e = e};
    for (int i = 0; i < RULES_WORDS; i++) {
        const char *text = (const char *)rules + rules_words[i].offset;
        if (!rules_check_word(&s, &rules_words[i], text, strnlen(text, rules_words[i].size)))
            return false;
    }
    for (int i = 0; i < RULES_GROUPS; i++)
        for (const struct param *p = rules_groups[i].fields; p->name != NULL; p++)
            if (!rules_check_range(&s, (struct rules_place){rules_groups[i].name, p->name}, p,
                                   rules_fetch(&rules_groups[i], p, rules)))
                return false;
    return rules_check_tie_breaks(&s, rules) && rules_check_contradictions(&s, rules);
}
