/* SPDX-License-Identifier: MIT */
#include "net/tubstap.h"

#include "base/charset.h"
#include "game/tbs/tbs.h"

#include <string.h>

/* ---- writing actions ---- */

static void write_numbers(const long numbers[TUBSTAP_FIELDS], struct text *out) {
    for (int i = 0; i < TUBSTAP_FIELDS; i++)
        text_add(out, "%s%ld", i > 0 ? "," : "", numbers[i]);
}

/* The platform's numbers for a turn's end or a surrender: no unit, no target. */
static void numbers_without_unit(enum tubstap_type type, long out[TUBSTAP_FIELDS]) {
    memset(out, 0, TUBSTAP_FIELDS * sizeof *out);
    out[TUBSTAP_UNIT] = out[TUBSTAP_TO_X] = out[TUBSTAP_TO_Y] = out[TUBSTAP_TARGET] = -1;
    out[TUBSTAP_TYPE] = type;
}

static void numbers_of(const void *state, action a, long out[TUBSTAP_FIELDS]) {
    if (!tbs_is_unit_action(a)) {
        numbers_without_unit(a == TBS_PASS ? TUBSTAP_TURN_END : TUBSTAP_SURRENDER, out);
        return;
    }
    struct tbs_position p;
    tbs_position_of(state, &p);
    const struct tbs_exchange exchange = tbs_preview(state, a);
    const int unit = tbs_action_unit(a), target = tbs_action_target(a);
    const bool attacks = target != TBS_NO_TARGET;
    out[TUBSTAP_UNIT] = unit;
    out[TUBSTAP_TO_X] = tbs_action_x(a);
    out[TUBSTAP_TO_Y] = tbs_action_y(a);
    out[TUBSTAP_FROM_X] = p.units[unit].x;
    out[TUBSTAP_FROM_Y] = p.units[unit].y;
    out[TUBSTAP_TARGET] = target;
    out[TUBSTAP_TARGET_X] = attacks ? p.units[target].x : 0;
    out[TUBSTAP_TARGET_Y] = attacks ? p.units[target].y : 0;
    out[TUBSTAP_TYPE] = attacks ? TUBSTAP_ATTACK : TUBSTAP_MOVE;
    out[TUBSTAP_DAMAGE] = exchange.damage;
    out[TUBSTAP_COUNTER] = exchange.counter;
}

void tubstap_write_action(const void *state, action a, struct text *out) {
    long numbers[TUBSTAP_FIELDS];
    numbers_of(state, a, numbers);
    write_numbers(numbers, out);
}

/* ---- reading actions ---- */

bool tubstap_read_numbers(const char *text, long out[TUBSTAP_FIELDS], struct err *e) {
    char copy[256], quote[TUBSTAP_QUOTE_MAX];
    char *pieces[TUBSTAP_FIELDS];
    bool ok = strlen(text) < sizeof copy;
    if (ok) {
        memcpy(copy, text, strlen(text) + 1);
        ok = text_split(copy, ',', pieces, TUBSTAP_FIELDS) == TUBSTAP_FIELDS;
    }
    for (int i = 0; ok && i < TUBSTAP_FIELDS; i++)
        ok = text_to_int(pieces[i], &out[i]);
    if (ok)
        return true;
    tubstap_clean(text, quote, sizeof quote);
    return err_set(e, "'%s' is no action; expected %d numbers with commas between them", quote,
                   TUBSTAP_FIELDS);
}

static bool is_within(long value, long low, long high) {
    return value >= low && value <= high;
}

/* Packing needs numbers in range; the rules decide whether the action is legal. */
static bool pack(const long n[TUBSTAP_FIELDS], action *out, struct err *e) {
    const bool attacks = n[TUBSTAP_TYPE] == TUBSTAP_ATTACK;
    if (n[TUBSTAP_TYPE] == TUBSTAP_TURN_END || n[TUBSTAP_TYPE] == TUBSTAP_SURRENDER) {
        *out = n[TUBSTAP_TYPE] == TUBSTAP_TURN_END ? TBS_PASS : TBS_RESIGN;
        return true;
    }
    if (!attacks && n[TUBSTAP_TYPE] != TUBSTAP_MOVE)
        return err_set(e, "there is no type of action %ld; expected 0 to 3 as the ninth number",
                       n[TUBSTAP_TYPE]);
    if (!is_within(n[TUBSTAP_UNIT], 0, TBS_UNITS_MAX - 1))
        return err_set(e, "there is no unit %ld", n[TUBSTAP_UNIT]);
    if (!is_within(n[TUBSTAP_TO_X], 0, TBS_EDGE_MAX - 1) || !is_within(n[TUBSTAP_TO_Y], 0, TBS_EDGE_MAX - 1))
        return err_set(e, "%ld,%ld is outside the map", n[TUBSTAP_TO_X], n[TUBSTAP_TO_Y]);
    if (attacks && !is_within(n[TUBSTAP_TARGET], 0, TBS_UNITS_MAX - 1))
        return err_set(e, "there is no unit %ld to be attacked", n[TUBSTAP_TARGET]);
    *out = tbs_action((int)n[TUBSTAP_UNIT], (int)n[TUBSTAP_TO_X], (int)n[TUBSTAP_TO_Y],
                      attacks ? (int)n[TUBSTAP_TARGET] : TBS_NO_TARGET);
    return true;
}

bool tubstap_find_action(const struct game *game, const void *state, const long numbers[TUBSTAP_FIELDS],
                         action *out, struct err *e) {
    if (!pack(numbers, out, e))
        return false;
    if (game->is_legal(state, *out))
        return true;
    struct text text = {0};
    action unused;
    game->text->write_action(state, *out, &text); /* reading it back gives the error as a sentence */
    game->text->read_action(state, text_string(&text), &unused, e);
    text_done(&text);
    return false;
}

struct difference {
    enum tubstap_field first, second; /* the numbers compared, always two */
    const char *what;
};

static const struct difference differences[] = {
    {TUBSTAP_FROM_X, TUBSTAP_FROM_Y, "the unit's cell"},
    {TUBSTAP_TARGET_X, TUBSTAP_TARGET_Y, "the target's cell"},
    {TUBSTAP_DAMAGE, TUBSTAP_COUNTER, "damage and counter-attack"},
};

bool tubstap_agrees(const void *state, action a, const long numbers[TUBSTAP_FIELDS], struct err *e) {
    if (!tbs_is_unit_action(a))
        return true; /* all that counts is the type */
    long ours[TUBSTAP_FIELDS];
    numbers_of(state, a, ours);
    for (size_t i = 0; i < sizeof differences / sizeof differences[0]; i++) {
        const struct difference *d = &differences[i];
        const bool means_nothing = d->first == TUBSTAP_TARGET_X && ours[TUBSTAP_TYPE] == TUBSTAP_MOVE;
        if (!means_nothing && (numbers[d->first] != ours[d->first] || numbers[d->second] != ours[d->second]))
            return err_set(e, "it says %ld,%ld for %s; by the rules it is %ld,%ld", numbers[d->first],
                           numbers[d->second], d->what, ours[d->first], ours[d->second]);
    }
    return true;
}

/* ---- commands and answers ---- */

const char *const tubstap_command_names[TUBSTAP_CALLS] = {
    [TUBSTAP_CALL_NAME] = "name",     [TUBSTAP_CALL_OPPONENT] = "opponent", [TUBSTAP_CALL_MAP] = "MAP",
    [TUBSTAP_CALL_COLOR] = "Color",   [TUBSTAP_CALL_GENMOVE] = "Genmove",   [TUBSTAP_CALL_PLAY] = "play",
    [TUBSTAP_CALL_STATUS] = "status", [TUBSTAP_CALL_GAMEOVER] = "gameover",
};

void tubstap_write_command(enum tubstap_command command, const char *arguments, struct text *out) {
    const bool has_any = arguments != NULL && arguments[0] != '\0';
    text_add(out, "%s%s%s\r\n", tubstap_command_names[command], has_any ? " " : "", has_any ? arguments : "");
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

static const char *skip_blanks(const char *at) {
    while (is_blank(*at))
        at++;
    return at;
}

/* Some programs send a byte-order mark first. */
static const char *skip_lead(const char *line) {
    return skip_blanks(strncmp(line, "\xEF\xBB\xBF", 3) == 0 ? line + 3 : line);
}

enum tubstap_command tubstap_read_command(const char *line, const char **arguments) {
    line = skip_lead(line);
    const size_t length = strcspn(line, " \t\r");
    *arguments = skip_blanks(line + length);
    for (int i = 0; i < TUBSTAP_CALLS; i++)
        if (strlen(tubstap_command_names[i]) == length &&
            strncmp(line, tubstap_command_names[i], length) == 0)
            return (enum tubstap_command)i;
    return TUBSTAP_CALLS;
}

void tubstap_write_answer(const char *text, struct text *out) {
    text_add(out, "= %s\r\n\r\n", text);
}

enum tubstap_line tubstap_read_answer(const char *line, const char **text) {
    line = skip_lead(line);
    *text = line;
    if (*line == '\0')
        return TUBSTAP_BLANK;
    if (*line != '=' && *line != '?')
        return TUBSTAP_GARBAGE;
    *text = skip_blanks(line + 1);
    return *line == '=' ? TUBSTAP_ANSWER : TUBSTAP_REFUSAL;
}

/* ---- the rest ---- */

void tubstap_write_map(const struct tbs_map *map, struct text *out) {
    struct text lines = {0};
    tbs_map_write(map, &lines);
    for (const char *at = text_string(&lines); *at != '\0';) {
        const size_t length = strcspn(at, "\r\n");
        text_add_bytes(out, at, length);
        at += length + strspn(at + length, "\r\n");
    }
    out->failed = out->failed || lines.failed;
    text_done(&lines);
}

void tubstap_clean(const char *text, char *out, size_t out_size) {
    struct text utf8 = {0}, clean = {0};
    charset_to_utf8(text, strlen(text), &utf8);
    const char *at = text_string(&utf8);
    for (size_t left = strlen(at), size; left > 0; at += size, left -= size) {
        bool harmless;
        size = charset_glyph(at, left, &harmless);
        text_add_bytes(&clean, harmless ? at : "?", harmless ? size : 1);
    }
    char *start = clean.data != NULL ? text_trim(clean.data) : NULL;
    charset_copy(out, out_size, start != NULL ? start : "", start != NULL ? strlen(start) : 0);
    text_done(&utf8);
    text_done(&clean);
}
