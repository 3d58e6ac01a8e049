/* SPDX-License-Identifier: MIT
 *
 * Spec strings, and parameter tables: values and defaults, the readers (spec, command line, JSON) and the
 * writers.
 */
#include "base/spec.h"

#include "base/mem.h"

#include <assert.h>
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* ---- spec strings ---- */

/* Names of players, games and options stand in file names, tables and addresses: the characters are few. */
size_t spec_key_size(const char *text) {
    return strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_");
}

static bool is_name(const char *s) {
    const size_t size = spec_key_size(s);
    return size > 0 && size < SPEC_NAME_MAX && s[size] == '\0';
}

/* Key and value are borrowed: they point into the storage of the spec. */
static bool add_pair(struct spec *spec, const char *key, const char *value, struct err *e) {
    if (!is_name(key))
        return err_code(
            e, "spec.key",
            "'%.64s' is no option name; expected key=value with letters, digits, - or _ in the key", key);
    for (int i = 0; i < spec->count; i++)
        if (strcmp(spec->pairs[i].key, key) == 0)
            return err_code(e, "spec.twice", "option '%s' is given twice", key);
    int depth = 0; /* only a value with balanced brackets can be written into another spec */
    for (const char *c = value; *c != '\0' && depth >= 0; c++)
        depth += *c == '[' ? 1 : *c == ']' ? -1 : 0;
    if (depth != 0)
        return err_code(e, "spec.bracket", "%s=%.64s: a bracket has no partner", key, value);
    if (spec->count == SPEC_PAIRS_MAX)
        return err_code(e, "spec.many", "more than %d options", SPEC_PAIRS_MAX);
    spec->pairs[spec->count++] = (struct spec_pair){.key = key, .value = value};
    return true;
}

/* The comma that ends this part (commas within brackets do not end it), or NULL. */
static char *part_end(char *part) {
    int depth = 0;
    for (; *part != '\0'; part++) {
        depth += *part == '[' ? 1 : *part == ']' ? -1 : 0;
        if (*part == ',' && depth <= 0)
            return part;
    }
    return NULL;
}

/* True when this part begins a new key=value; otherwise it continues the value before it. */
static bool begins_pair(const char *part) {
    return part[strcspn(part, "=[,")] == '=';
}

/* Strips the brackets around a whole value; those of "[a][b]" stay. */
static char *strip_brackets(char *value) {
    const size_t size = strlen(value);
    int depth = 0;
    for (size_t i = 0; i < size; i++) {
        depth += value[i] == '[' ? 1 : value[i] == ']' ? -1 : 0;
        if (depth <= 0 && i + 1 < size)
            return value;
    }
    if (size < 2 || value[0] != '[' || depth != 0)
        return value;
    value[size - 1] = '\0';
    return value + 1;
}

/* `rest` is the part behind the colon (NULL: there is none). It is cut into strings in place. */
static bool parse_pairs(char *rest, struct spec *out, struct err *e) {
    while (rest != NULL) {
        char *next = part_end(rest);
        /* Parts that begin no pair of their own belong to the value before them. */
        while (begins_pair(rest) && next != NULL && !begins_pair(next + 1) && next[1] != '\0')
            next = part_end(next + 1);
        if (next != NULL)
            *next++ = '\0';
        char *equals = strchr(rest, '=');
        if (equals == NULL)
            return err_code(e, "spec.value", "'%.64s' has no '='; expected key=value", rest);
        *equals = '\0';
        if (!add_pair(out, rest, strip_brackets(equals + 1), e))
            return false;
        rest = next;
    }
    return true;
}

bool spec_parse(const char *string, struct spec *out, struct err *e) {
    *out = (struct spec){0};
    size_t size = strlen(string);
    if (size >= sizeof out->storage)
        return err_code(e, "spec.long", "a spec of %zu characters is too long; the limit is %d", size,
                        SPEC_TEXT_MAX - 1);
    memcpy(out->storage, string, size + 1);
    char *rest = strchr(out->storage, ':');
    if (rest != NULL)
        *rest++ = '\0';
    out->name = out->storage;
    if (!is_name(out->name))
        return err_code(e, "spec.name", "'%.64s' is no name; expected name or name:key=value,key=value",
                        out->name);
    return parse_pairs(rest, out, e) || err_prefix(e, "%s: ", out->name);
}

bool spec_add(struct spec *spec, const char *key, const char *value, struct err *e) {
    /* The used part of the storage ends behind the last string. */
    const char *last = spec->count > 0 ? spec->pairs[spec->count - 1].value : spec->name;
    char *end = spec->storage + (last - spec->storage) + strlen(last) + 1;
    size_t room = sizeof spec->storage - (size_t)(end - spec->storage);
    size_t key_size = strlen(key) + 1, value_size = strlen(value) + 1;
    if (key_size + value_size > room)
        return err_set(e, "too many options; %d characters are the limit", SPEC_TEXT_MAX - 1);
    memcpy(end, key, key_size);
    memcpy(end + key_size, value, value_size);
    return add_pair(spec, end, end + key_size, e);
}

/* ---- parameters: rows and fields ---- */

/* Of each kind: its name in descriptions, the name of a value in help, and the size of its field (0: it
 * depends on the row). */
struct kind {
    const char *name, *value;
    size_t size;
};

static const struct kind kinds[] = {
    [PARAM_INT] = {"int", "N", sizeof(int)},
    [PARAM_REAL] = {"real", "X", sizeof(double)},
    [PARAM_SWITCH] = {"switch", "yes|no", sizeof(bool)},
    [PARAM_CHOICE] = {"choice", "NAME", sizeof(int)},
    [PARAM_TEXT] = {"text", "TEXT", 0},
    [PARAM_FLAG] = {"switch", "", sizeof(bool)},
    [PARAM_U64] = {"seed", "N", sizeof(uint64_t)},
    [PARAM_STRING] = {"text", "TEXT", sizeof(char *)},
    [PARAM_PLAYER] = {"player", "SPEC", sizeof(char *)},
    [PARAM_TEXTS] = {"texts", "", sizeof(json_t *)},
    [PARAM_JSON] = {"json", "", sizeof(json_t *)},
    [PARAM_CHOICES] = {"choices", "NAME,...", 0},
    [PARAM_GROUP] = {"group", "TEXT", 0},
};

/* A NULL table has no rows. */
static bool is_row(const struct param *p) {
    return p != NULL && p->name != NULL;
}

static void *field_of(const struct param *p, void *options) {
    return (char *)options + p->offset;
}

static const void *const_field_of(const struct param *p, const void *options) {
    return (const char *)options + p->offset;
}

/* Bytes of a PARAM_TEXT without its NUL. */
static size_t text_max(const struct param *p) {
    return p->high > 0 ? (size_t)p->high : PARAM_TEXT_MAX - 1;
}

static const char *text_default(const struct param *p) {
    return p->choices != NULL ? p->choices : "";
}

static void store_text(const struct param *p, void *field, const char *value) {
    assert(strlen(value) <= text_max(p));
    memset(field, 0, text_max(p) + 1); /* options are compared as bytes */
    memcpy(field, value, strlen(value));
}

/* They differ on a command line only: a flag has no value there. */
static bool is_bool(const struct param *p) {
    return p->kind == PARAM_SWITCH || p->kind == PARAM_FLAG;
}

/* A number, a switch or an index; the list of a PARAM_CHOICES becomes empty. */
static void store_number(const struct param *p, void *field, double value) {
    if (p->kind == PARAM_REAL)
        *(double *)field = value + 0.0; /* no -0 */
    else if (is_bool(p))
        *(bool *)field = value != 0;
    else if (p->kind == PARAM_U64)
        *(uint64_t *)field = (uint64_t)value;
    else
        *(int *)field = (int)value;
}

/* The value as a number; 0 for kinds that have none. */
static double fetch(const struct param *p, const void *options) {
    const void *field = const_field_of(p, options);
    if (p->kind == PARAM_INT || p->kind == PARAM_CHOICE || p->kind == PARAM_CHOICES)
        return *(const int *)field;
    return p->kind == PARAM_REAL  ? *(const double *)field
           : is_bool(p)           ? *(const bool *)field
           : p->kind == PARAM_U64 ? (double)*(const uint64_t *)field
                                  : 0;
}

/* The field is a pointer that is borrowed from the source of the value. */
static bool is_pointer(const struct param *p) {
    return p->kind == PARAM_STRING || p->kind == PARAM_PLAYER;
}

void params_default(const struct param *table, void *options) {
    for (const struct param *p = table; is_row(p); p++) {
        void *field = field_of(p, options);
        if (p->kind == PARAM_TEXT)
            store_text(p, field, text_default(p));
        else if (is_pointer(p))
            *(const char **)field = p->choices;
        else if (p->kind == PARAM_TEXTS || p->kind == PARAM_JSON)
            *(const json_t **)field = NULL;
        else if (p->kind == PARAM_GROUP)
            params_default(p->rows, field);
        else
            store_number(p, field, p->fallback);
    }
}

/* ---- choices ---- */

/* The index-th of "a|b|c" as start and length; false behind the last. */
static bool choice_at(const char *choices, int index, const char **start, int *length) {
    for (; index > 0; index--) {
        choices = strchr(choices, '|');
        if (choices == NULL)
            return false;
        choices++;
    }
    *start = choices;
    *length = (int)strcspn(choices, "|");
    return index == 0;
}

/* The index of a name of `size` bytes; -1: it is none of them. */
static int find_choice(const char *choices, const char *name, size_t size) {
    const char *start;
    int length;
    for (int i = 0; choice_at(choices, i, &start, &length); i++)
        if (size == (size_t)length && memcmp(start, name, size) == 0)
            return i;
    return -1;
}

/* "a, b or c" */
static void add_choices(const struct param *p, struct text *out) {
    const char *start;
    int length;
    for (int i = 0; choice_at(p->choices, i, &start, &length); i++)
        text_add(out, "%s%.*s", i == 0 ? "" : start[length] == '\0' ? " or " : ", ", length, start);
}

/* Adds an index to the list of a PARAM_CHOICES; false: it is there already, or the list is full. */
static bool add_index(const struct param *p, int *list, int index) {
    for (int i = 1; i <= list[0]; i++)
        if (list[i] == index)
            return false;
    if (index < 0 || list[0] >= (int)p->high)
        return false;
    list[++list[0]] = index;
    return true;
}

/* ---- values from text ---- */

/* "a,b": each name at most once. An empty text is an empty list. */
static bool parse_choices(const struct param *p, const char *value, int *list) {
    list[0] = 0;
    for (const char *at = value; *value != '\0'; at++) {
        const size_t size = strcspn(at, ",");
        if (!add_index(p, list, find_choice(p->choices, at, size)))
            return false;
        at += size;
        if (*at == '\0')
            break;
    }
    return true;
}

/* False for NAN. */
static bool is_in_range(const struct param *p, double value) {
    return value >= p->low && value <= p->high;
}

/* Reads a number, a switch or the index of a choice. */
static bool parse_number(const struct param *p, const char *value, double *out) {
    static const char *const words[] = {"no", "yes", "false", "true", "off", "on", "0", "1"};
    long whole = 0;
    if (p->kind == PARAM_CHOICE)
        return (*out = find_choice(p->choices, value, strlen(value))) >= 0;
    if (p->kind == PARAM_SWITCH) {
        int word = 0;
        while (word < 8 && strcasecmp(value, words[word]) != 0)
            word++;
        *out = word % 2;
        return word < 8;
    }
    if (p->kind == PARAM_REAL)
        return text_to_real(value, out) && is_in_range(p, *out);
    assert(p->kind == PARAM_INT);
    const bool ok = text_to_int(value, &whole);
    *out = (double)whole;
    return ok && is_in_range(p, *out);
}

/* Stores a value that is given as text. `field` may be NULL: then the value is only checked. */
static bool set_text(const struct param *p, const char *value, void *field) {
    unsigned long long big = 0;
    double number = 0;
    uint64_t unused;
    void *to = field != NULL ? field : &unused;
    bool ok = true;
    if (p->kind == PARAM_TEXT) {
        ok = strlen(value) <= text_max(p);
        if (ok && field != NULL)
            store_text(p, field, value);
    } else if (is_pointer(p)) {
        *(const char **)to = value;
    } else if (p->kind == PARAM_CHOICES) {
        ok = parse_choices(p, value, field);
    } else if (p->kind == PARAM_U64) {
        ok = text_to_u64(value, &big);
        if (ok)
            *(uint64_t *)to = big;
    } else {
        ok = parse_number(p, value, &number);
        if (ok)
            store_number(p, to, number);
    }
    return ok;
}

/* "a whole number from 1 to 9" */
static void add_expected(const struct param *p, struct text *out) {
    if (p->kind == PARAM_INT)
        text_add(out, "a whole number from %.0f to %.0f", p->low, p->high);
    else if (p->kind == PARAM_REAL)
        text_add(out, "a number from %g to %g", p->low, p->high);
    else if (p->kind == PARAM_U64)
        text_add(out, "a whole number from 0 to %llu", ULLONG_MAX);
    else if (p->kind == PARAM_SWITCH)
        text_add_string(out, "yes or no");
    else if (p->kind == PARAM_TEXT)
        text_add(out, "at most %zu bytes", text_max(p));
    if (p->kind == PARAM_CHOICES)
        text_add(out, "at most %.0f different ones of ", p->high);
    if (p->kind == PARAM_CHOICES || p->kind == PARAM_CHOICE)
        add_choices(p, out);
}

/* ---- specs ---- */

static bool refuse_in_spec(const struct param *p, const char *value, struct err *e) {
    if (p->kind == PARAM_CHOICE)
        err_code(e, "spec.choice", "%s=%.64s is unknown; expected one of %s", p->name, value, p->choices);
    else if (p->kind == PARAM_SWITCH)
        err_code(e, "spec.switch", "%s=%.64s is no switch; expected yes or no", p->name, value);
    else if (p->kind == PARAM_TEXT)
        err_code(e, "spec.text", "%s: a value of %zu characters is too long; the limit is %zu", p->name,
                 strlen(value), text_max(p));
    else if (p->kind == PARAM_INT)
        err_code(e, "spec.int", "%s=%.64s: expected a whole number from %.0f to %.0f", p->name, value, p->low,
                 p->high);
    else
        err_code(e, "spec.real", "%s=%.64s: expected a number from %g to %g", p->name, value, p->low,
                 p->high);
    return err_field(e, p->name);
}

/* NULL: no row has that name. */
static const struct param *find_param(const struct param *table, const char *name) {
    for (const struct param *p = table; is_row(p); p++)
        if (strcmp(p->name, name) == 0)
            return p;
    return NULL;
}

/* The sentence lists all options that exist, so that a misspelt name can be corrected without the manual. */
static bool unknown_name(const struct param *table, const char *name, struct err *e) {
    struct text known = {0};
    for (const struct param *p = table; is_row(p); p++)
        text_add(&known, "%s%s", p == table ? "" : ", ", p->name);
    err_code(e, "spec.unknown", "option '%.64s' is unknown; known are %s", name, text_string(&known));
    text_done(&known);
    return err_field(e, name);
}

/* Reads every pair; `options` may be NULL: then the values are only checked. */
static bool read_pairs(const struct param *table, const struct spec *spec, void *options, struct err *e) {
    for (int i = 0; i < spec->count; i++) {
        const struct spec_pair *pair = &spec->pairs[i];
        const struct param *p = find_param(table, pair->key);
        if (p == NULL && !is_row(table))
            return err_code(e, "spec.none", "%s: option '%s' is unknown; %s has no options", spec->name,
                            pair->key, spec->name);
        if (p == NULL ? !unknown_name(table, pair->key, e)
                      : !set_text(p, pair->value, options != NULL ? field_of(p, options) : NULL) &&
                            !refuse_in_spec(p, pair->value, e))
            return err_prefix(e, "%s: ", spec->name);
    }
    return true;
}

bool params_read(const struct param *table, const struct spec *spec, void *options, struct err *e) {
    params_default(table, options);
    return read_pairs(table, spec, options, e);
}

bool params_check(const struct param *table, const struct spec *spec, struct err *e) {
    return read_pairs(table, spec, NULL, e);
}

bool params_set(const struct param *table, const char *name, const char *value, void *options,
                struct err *e) {
    const struct param *p = find_param(table, name);
    if (p == NULL)
        return unknown_name(table, name, e);
    return set_text(p, value, field_of(p, options)) || refuse_in_spec(p, value, e);
}

/* ---- command lines ---- */

/* A row of a group is an option only if it has an option's name: "final.games" has none. */
void param_option_name(const struct param *p, char *out, size_t out_size) {
    snprintf(out, out_size, "%s", p->option != NULL ? p->option : p->name);
    for (char *c = out; *c != '\0'; c++)
        *c = *c == '_' ? '-' : *c;
}

/* The row's own name of the value, or one for its kind. */
const char *param_value_name(const struct param *p) {
    return p->value != NULL ? p->value : kinds[p->kind].value;
}

/* `name` need not end after `length` characters: on a command line "=value" may follow. */
static bool is_option(const struct param *p, const char *name, size_t length) {
    char own[SPEC_NAME_MAX];
    param_option_name(p, own, sizeof own);
    return strlen(own) == length && memcmp(own, name, length) == 0;
}

/* Options of a command line have other spellings, and some kinds only JSON has; a group is an option where a
 * text can describe it. A row of a group is found by its option's name. The first section that has it wins.
 */
static bool find_place(struct params *sections, const char *name, size_t length, bool in_json,
                       struct param_place *out) {
    for (struct params *s = sections; s->table != NULL; s++)
        for (const struct param *p = s->table; is_row(p); p++) {
            const bool takes_text =
                p->kind == PARAM_GROUP ? p->parse != NULL : p->kind != PARAM_TEXTS && p->kind != PARAM_JSON;
            const bool is_it =
                in_json ? strcmp(p->name, name) == 0 || (p->option != NULL && strcmp(p->option, name) == 0)
                        : takes_text && is_option(p, name, length);
            const struct param *row = is_it ? p : NULL;
            void *options = row != NULL ? s->options : field_of(p, s->options);
            for (const struct param *q = p->rows; row == NULL && p->kind == PARAM_GROUP && is_row(q); q++)
                row = q->option != NULL && is_option(q, name, length) ? q : NULL;
            if (row == NULL)
                continue;
            *out = (struct param_place){row, s, (int)(p - s->table), field_of(row, options)};
            return true;
        }
    return false;
}

bool params_find_option(struct params *sections, const char *name, size_t length, struct param_place *out) {
    return find_place(sections, name, length, false, out);
}

/* The bit of a row that comes twice stays set. */
static void note_given(struct params *section, int index) {
    assert(index < PARAMS_ROWS_MAX);
    section->given |= UINT64_C(1) << index;
}

bool params_set_option(const struct param_place *place, const char *value, struct err *e) {
    const struct param *p = place->row;
    char name[SPEC_NAME_MAX];
    assert((value == NULL) == (p->kind == PARAM_FLAG));
    param_option_name(p, name, sizeof name);
    note_given(place->section, place->index);
    if (p->kind == PARAM_FLAG) {
        *(bool *)place->field = true;
        return true;
    }
    if (p->kind == PARAM_GROUP)
        return p->parse(value, place->field, e) || (err_prefix(e, "--"), err_field(e, name));
    if (set_text(p, value, place->field))
        return true;
    struct text expected = {0};
    add_expected(p, &expected);
    err_set(e, "--%s %s: expected %s", name, value, text_string(&expected));
    text_done(&expected);
    return err_field(e, name);
}

bool params_give(struct params *p, const char *name, const char *value, struct err *e) {
    const struct param *row = find_param(p->table, name);
    if (!params_set(p->table, name, value, p->options, e))
        return false;
    note_given(p, (int)(row - p->table));
    return true;
}

bool params_given(const struct params *p, const char *name) {
    const struct param *row = find_param(p->table, name);
    assert(row != NULL);
    return (p->given >> (row - p->table) & 1) != 0;
}

void params_copy_given(const struct params *p, void *to) {
    for (const struct param *row = p->table; is_row(row); row++) {
        const size_t size = row->kind == PARAM_TEXT      ? text_max(row) + 1
                            : row->kind == PARAM_CHOICES ? ((size_t)row->high + 1) * sizeof(int)
                                                         : kinds[row->kind].size;
        assert(row->kind != PARAM_GROUP);
        if ((p->given >> (row - p->table) & 1) != 0)
            memcpy(field_of(row, to), const_field_of(row, p->options), size);
    }
}

/* ---- JSON ---- */

/* A value of a JSON object and its name for messages: "games", or "points.win" in a group. */
struct member {
    const json_t *value;
    char name[ERR_FIELD_MAX];
};

static struct member name_member(const char *group, const char *key, const json_t *value) {
    struct member m = {.value = value};
    char own[44];
    charset_copy(own, sizeof own, key, strlen(key));
    charset_disarm(own); /* a key is outside text */
    snprintf(m.name, sizeof m.name, "%s%s%s", group != NULL ? group : "", group != NULL ? "." : "", own);
    return m;
}

/* Refuses a value of the wrong type or out of range. */
static bool refuse_value(const struct param *p, const struct member *m, struct err *e) {
    if (is_pointer(p) || (p->kind == PARAM_TEXT && m->value != NULL && !json_is_string(m->value)))
        err_code(e, "json.text", "\"%s\" is no text", m->name);
    else if (p->kind == PARAM_TEXT)
        err_code(e, "json.long", "\"%s\": expected at most %zu bytes", m->name, text_max(p));
    else if (is_bool(p))
        err_code(e, "json.switch", "\"%s\": expected true or false", m->name);
    else if (p->kind == PARAM_U64)
        err_code(e, "json.seed", "\"%s\": expected a whole number from 0 to %llu, or its digits as text",
                 m->name, ULLONG_MAX);
    else if (p->kind == PARAM_TEXTS)
        err_code(e, "json.texts", "\"%s\": expected a list of 1 to %.0f texts", m->name, p->high);
    else if (p->kind == PARAM_INT)
        err_code(e, "json.int", "\"%s\": expected a whole number from %.0f to %.0f", m->name, p->low,
                 p->high);
    else if (p->kind == PARAM_REAL)
        err_code(e, "json.real", "\"%s\": expected a number from %g to %g", m->name, p->low, p->high);
    else {
        struct text names = {0};
        add_choices(p, &names);
        if (p->kind == PARAM_CHOICE)
            err_code(e, "json.choice", "\"%s\": expected %s", m->name, text_string(&names));
        else
            err_code(e, "json.choices", "\"%s\": expected a list of at most %.0f different ones of %s",
                     m->name, p->high, text_string(&names));
        text_done(&names);
    }
    return err_field(e, m->name);
}

/* Large seeds come as text: readers of JSON in browsers round large numbers. */
static bool set_u64(const json_t *value, uint64_t *out) {
    unsigned long long number = json_is_integer(value) ? (unsigned long long)json_integer_value(value) : 0;
    const char *digits = json_string_value(value);
    const bool ok = digits != NULL
                        ? digits[strspn(digits, "0123456789")] == '\0' && text_to_u64(digits, &number)
                        : json_is_integer(value) && json_integer_value(value) >= 0;
    if (ok)
        *out = number;
    return ok;
}

/* The list of a PARAM_CHOICES from JSON: the same laws as in text. */
static bool set_choices(const struct param *p, const json_t *list, int *field) {
    field[0] = 0;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *name = json_array_get(list, i);
        if (!json_is_string(name) ||
            !add_index(p, field, find_choice(p->choices, json_string_value(name), json_string_length(name))))
            return false;
    }
    return json_is_array(list);
}

/* Texts are shown in tables and lines: UTF-8 without line ends and other control characters. */
static bool is_plain(const char *text, size_t size) {
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0'; c++)
        if (*c < ' ' || *c == 0x7f || (*c == 0xc2 && c[1] < 0xa0))
            return false;
    return strlen(text) == size && charset_is_utf8(text, size);
}

static bool refuse_control(const struct member *m, struct err *e) {
    err_code(e, "json.control", "\"%s\": expected text without line ends and other control characters",
             m->name);
    return err_field(e, m->name);
}

/* Stores the value of one member, except of a group. The type in JSON must be that of the row (a seed may
 * also be digits in a text): a program that sends "1" for a number has a defect. */
static bool set_json(const struct param *p, const json_t *value, void *field) {
    if (p->kind == PARAM_INT || p->kind == PARAM_REAL) {
        const bool ok = (p->kind == PARAM_INT ? json_is_integer(value) : json_is_number(value)) &&
                        is_in_range(p, json_number_value(value));
        if (ok)
            store_number(p, field, json_number_value(value));
        return ok;
    }
    if (p->kind == PARAM_U64)
        return set_u64(value, field);
    if (p->kind == PARAM_CHOICES)
        return set_choices(p, value, field);
    if (is_bool(p)) {
        *(bool *)field = json_is_true(value);
        return json_is_boolean(value);
    }
    if (p->kind == PARAM_TEXTS || p->kind == PARAM_JSON) {
        const size_t count = json_array_size(value);
        bool ok = p->kind == PARAM_JSON || (count > 0 && (double)count <= p->high);
        for (size_t i = 0; p->kind == PARAM_TEXTS && i < count; i++)
            ok = ok && json_is_string(json_array_get(value, i));
        *(const json_t **)field = value;
        return ok;
    }
    return json_is_string(value) && set_text(p, json_string_value(value), field);
}

static bool read_object(struct params *sections, const char *group, const json_t *object, struct err *e);

/* A group comes as an object, or as a text where the row can parse one (the clock of a tournament). */
static bool read_group(const struct param *p, const struct member *m, void *field, struct err *e) {
    struct params rows[] = {{.table = p->rows, .options = field}, {0}};
    if (json_is_object(m->value))
        return read_object(rows, p->name, m->value, e);
    if (p->parse == NULL || !json_is_string(m->value))
        return err_code(e, "json.object", "\"%s\": expected an object%s", m->name,
                        p->parse != NULL ? " or a text" : "") ||
               err_field(e, m->name);
    /* An empty field of a form leaves the group as it is. */
    return json_string_length(m->value) == 0 || p->parse(json_string_value(m->value), field, e) ||
           err_field(e, m->name);
}

bool params_refuse_name(const char *name, const char *known, struct err *e) {
    if (known[0] != '\0')
        err_code(e, "json.unknown", "\"%.64s\" is not known here; expected %s", name, known);
    else
        err_code(e, "json.no_members", "\"%.64s\" is not known here; expected no members at all", name);
    return err_field(e, name);
}

/* As unknown_name, for members of JSON: all sections are listed. */
static bool refuse_unknown(const struct params *sections, const struct member *m, struct err *e) {
    struct text known = {0};
    for (const struct params *s = sections; s->table != NULL; s++)
        for (const struct param *p = s->table; is_row(p); p++)
            text_add(&known, "%s\"%s\"", known.size > 0 ? ", " : "", p->name);
    params_refuse_name(m->name, text_string(&known), e);
    text_done(&known);
    return false;
}

static bool read_member(struct params *sections, const char *key, const struct member *m, struct err *e) {
    struct param_place place;
    if (!find_place(sections, key, strlen(key), true, &place))
        return refuse_unknown(sections, m, e);
    if (json_is_null(m->value))
        return true;
    note_given(place.section, place.index);
    if (place.row->kind == PARAM_GROUP)
        return read_group(place.row, m, place.field, e);
    if (!set_json(place.row, m->value, place.field))
        return refuse_value(place.row, m, e);
    return place.row->kind != PARAM_TEXT ||
           is_plain(json_string_value(m->value), json_string_length(m->value)) || refuse_control(m, e);
}

static bool read_object(struct params *sections, const char *group, const json_t *object, struct err *e) {
    json_t *members = (json_t *)(uintptr_t)object; /* Jansson iterates only over what may be changed */
    const char *key;
    json_t *value;
    json_object_foreach(members, key, value) {
        const struct member m = name_member(group, key, value);
        if (!read_member(sections, key, &m, e))
            return false;
    }
    return true;
}

bool params_read_json(struct params *sections, const json_t *object, struct err *e) {
    return object == NULL || read_object(sections, NULL, object, e);
}

/* ---- checking ---- */

static bool is_choice(const struct param *p, int index) {
    const char *start;
    int length;
    return index >= 0 && choice_at(p->choices, index, &start, &length);
}

/* Only kinds that have a range or a list can be wrong. Texts are checked by the caller, which reports two
 * kinds of faults. */
static bool is_valid(const struct param *p, const void *options) {
    const int *list = const_field_of(p, options);
    if (p->kind == PARAM_INT || p->kind == PARAM_REAL)
        return is_in_range(p, fetch(p, options));
    if (p->kind == PARAM_CHOICE)
        return is_choice(p, list[0]);
    if (p->kind != PARAM_CHOICES)
        return true;
    bool ok = list[0] >= 0 && list[0] <= (int)p->high;
    for (int i = 1; ok && i <= list[0]; i++) {
        ok = is_choice(p, list[i]);
        for (int k = 1; ok && k < i; k++)
            ok = list[k] != list[i];
    }
    return ok;
}

/* `group` is the prefix of names in messages; NULL at the top. */
static bool check_rows(const struct param *table, const char *group, const void *options, struct err *e) {
    for (const struct param *p = table; is_row(p); p++) {
        const struct member m = name_member(group, p->name, NULL);
        const char *text = const_field_of(p, options);
        if (p->kind == PARAM_GROUP ? !check_rows(p->rows, p->name, text, e)
                                   : !is_valid(p, options) && !refuse_value(p, &m, e))
            return false;
        if (p->kind == PARAM_TEXT && strnlen(text, text_max(p) + 1) > text_max(p))
            return refuse_value(p, &m, e);
        if (p->kind == PARAM_TEXT && !is_plain(text, strlen(text)))
            return refuse_control(&m, e);
    }
    return true;
}

bool params_check_ranges(const struct param *table, const void *options, struct err *e) {
    return check_rows(table, NULL, options, e);
}

/* ---- writing ---- */

/* Writes the shortest decimal of at least `precision` digits that reads back as the same double. */
static void add_real(struct text *out, double value, int precision) {
    char digits[40];
    for (; precision <= 17; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, value);
        double back = 0;
        if (text_to_real(digits, &back) && !(back < value) && !(back > value))
            break;
    }
    text_add_string(out, digits);
}

/* The value of a kind that `fetch` returns as a number, as a user would type it. */
static void add_number(const struct param *p, double value, struct text *out) {
    const char *start;
    int length;
    if (p->kind == PARAM_INT || p->kind == PARAM_U64)
        text_add(out, "%.0f", value);
    else if (p->kind == PARAM_REAL)
        add_real(out, value, 6);
    else if (is_bool(p))
        text_add_string(out, value != 0 ? "yes" : "no");
    else if (p->kind == PARAM_CHOICE && choice_at(p->choices, (int)value, &start, &length))
        text_add_bytes(out, start, (size_t)length);
}

/* True when this option differs from its default. */
static bool is_changed(const struct param *p, const void *options) {
    if (p->kind == PARAM_TEXT)
        return strcmp(const_field_of(p, options), text_default(p)) != 0;
    const double value = fetch(p, options);
    return value < p->fallback || value > p->fallback;
}

bool param_is_powerful(const struct param *p) {
    return p->power == PARAM_UNSAID ? p->kind == PARAM_TEXT : p->power >= PARAM_STARTS;
}

unsigned params_powers(const struct param *table, const void *options) {
    unsigned powers = 0;
    for (const struct param *p = table; is_row(p); p++)
        if (param_is_powerful(p) && is_changed(p, options))
            powers |= 1U << p->power;
    return powers;
}

/* A row that has its default is left out, so that equal players have equal specs. */
static void write_changed(const struct param *table, const void *options, bool powerful, struct text *out) {
    char separator = ':';
    for (const struct param *p = table; is_row(p); p++) {
        if (!is_changed(p, options) || (powerful && !param_is_powerful(p)))
            continue;
        text_add(out, "%c%s=", separator, p->name);
        const char *value = p->kind == PARAM_TEXT ? const_field_of(p, options) : NULL;
        if (value != NULL) /* one that could be read as more than one value goes into brackets */
            text_add(out, value[strcspn(value, ",=[]")] == '\0' ? "%s" : "[%s]", value);
        else
            add_number(p, fetch(p, options), out);
        separator = ',';
    }
}

void params_write(const struct param *table, const void *options, struct text *out) {
    write_changed(table, options, false, out);
}

void params_write_powers(const struct param *table, const void *options, struct text *out) {
    write_changed(table, options, true, out);
}

void params_write_value(const struct param *p, const void *options, struct text *out) {
    const void *field = const_field_of(p, options);
    if (p->kind == PARAM_TEXT)
        text_add_string(out, field);
    else if (is_pointer(p))
        text_add_string(out, *(const char *const *)field != NULL ? *(const char *const *)field : "");
    else if (p->kind == PARAM_U64)
        text_add(out, "%llu", (unsigned long long)*(const uint64_t *)field);
    else
        add_number(p, fetch(p, options), out);
}

/* In the form that params_write_value gives the value in. */
static void write_default(const struct param *p, struct text *out) {
    if (p->kind == PARAM_TEXT || is_pointer(p))
        text_add_string(out, text_default(p));
    else
        add_number(p, p->fallback, out);
}

void params_write_all(const struct param *table, const void *options, struct text *out) {
    for (const struct param *p = table; is_row(p); p++) {
        text_add(out, "%s=", p->name);
        params_write_value(p, options, out);
        text_add_string(out, "\n");
    }
}

/* Names are padded to ten columns; a longer one moves its own line only. */
void params_help(const struct param *table, const char *indent, struct text *out) {
    for (const struct param *p = table; is_row(p); p++) {
        text_add(out, "%s%-10s ", indent, p->name);
        if (p->kind == PARAM_CHOICE)
            text_add_string(out, p->choices);
        else if (p->kind == PARAM_SWITCH)
            text_add_string(out, "yes|no");
        else if (p->kind == PARAM_TEXT)
            text_add_string(out, "text");
        else
            text_add(out, p->kind == PARAM_INT ? "%.0f..%.0f" : "%g..%g", p->low, p->high);
        text_add_string(out, " [");
        write_default(p, out);
        text_add(out, "]  %s\n", p->help);
    }
}

/* ---- writing JSON ---- */

/* Names of choices need no escapes in JSON: tables are our own. */
static void add_choice_name(const struct param *p, int index, struct text *out) {
    const char *start;
    int length;
    if (choice_at(p->choices, index, &start, &length))
        text_add(out, "\"%.*s\"", length, start);
}

/* The value of one row. Numbers have 15 digits at least, so that they read back as they were. */
static void add_json(const struct param *p, const void *options, struct text *out) {
    const void *field = const_field_of(p, options);
    const int *list = field;
    assert(!is_pointer(p) && p->kind != PARAM_TEXTS &&
           p->kind != PARAM_JSON); /* the struct owns none of them */
    if (p->kind == PARAM_REAL)
        add_real(out, *(const double *)field, 15);
    else if (is_bool(p))
        text_add_string(out, *(const bool *)field ? "true" : "false");
    else if (p->kind == PARAM_TEXT) {
        json_t *string = json_string(field);
        char *quoted = json_dumps(string, JSON_ENCODE_ANY);
        text_add_string(out, quoted != NULL ? quoted : "\"\""); /* NULL: it is no UTF-8 */
        mem_free(quoted);
        json_decref(string);
    } else if (p->kind == PARAM_CHOICE)
        add_choice_name(p, list[0], out);
    else if (p->kind == PARAM_CHOICES) {
        for (int i = 1; i <= list[0]; i++) {
            text_add_string(out, i > 1 ? ", " : "[");
            add_choice_name(p, list[i], out);
        }
        text_add_string(out, list[0] > 0 ? "]" : "[]");
    } else if (p->kind == PARAM_GROUP) {
        for (const struct param *row = p->rows; is_row(row); row++) {
            text_add(out, "%s\"%s\": ", row != p->rows ? ", " : "{", row->name);
            add_json(row, field, out);
        }
        text_add_string(out, "}");
    } else
        params_write_value(p, options, out);
}

void params_write_json(const struct param *table, const void *options, struct text *out) {
    for (const struct param *p = table; is_row(p); p++) {
        text_add(out, "%s\"%s\": ", p == table ? "{\n  " : ",\n  ", p->name);
        add_json(p, options, out);
    }
    text_add_string(out, "\n}\n");
}

/* ---- description ---- */

/* Defaults and values are texts, in the form that a user would type: pages put them into fields of forms. */
json_t *params_describe(const struct param *table, const void *options) {
    json_t *list = json_array();
    for (const struct param *p = table; is_row(p); p++) {
        const bool has_range = p->kind == PARAM_INT || p->kind == PARAM_REAL;
        struct text value = {0};
        if (options != NULL)
            params_write_value(p, options, &value);
        else
            write_default(p, &value);
        json_t *choices = p->kind == PARAM_CHOICE || p->kind == PARAM_CHOICES ? json_array() : NULL;
        const char *start;
        int length;
        for (int i = 0; choices != NULL && choice_at(p->choices, i, &start, &length); i++)
            json_array_append_new(choices, json_stringn(start, (size_t)length));
        json_t *rows = p->kind == PARAM_GROUP
                           ? params_describe(p->rows, options != NULL ? const_field_of(p, options) : NULL)
                           : NULL;
        json_array_append_new(list, json_pack("{ss ss ss ss so* so* so* so*}", "name", p->name, "kind",
                                              kinds[p->kind].name, "default", text_string(&value), "help",
                                              p->help != NULL ? p->help : "", "choices", choices, "low",
                                              has_range ? json_real(p->low) : NULL, "high",
                                              has_range ? json_real(p->high) : NULL, "rows", rows));
        text_done(&value);
    }
    return list;
}
