/* SPDX-License-Identifier: MIT */
#include "base/spec.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* ---- spec strings ---- */

static bool is_name(const char *s) {
    if (*s == '\0' || strlen(s) >= SPEC_NAME_MAX)
        return false;
    for (; *s != '\0'; s++)
        if (!isalnum((unsigned char)*s) && *s != '-' && *s != '_')
            return false;
    return true;
}

/* True when every bracket has its partner: only then can the value be written into another spec. */
static bool is_balanced(const char *value) {
    int depth = 0;
    for (; *value != '\0' && depth >= 0; value++)
        depth += *value == '[' ? 1 : *value == ']' ? -1 : 0;
    return depth == 0;
}

static bool add_pair(struct spec *spec, const char *key, const char *value, struct err *e) {
    if (!is_name(key))
        return err_set(
            e, "'%.64s' is no option name; expected key=value with letters, digits, - or _ in the key", key);
    for (int i = 0; i < spec->count; i++)
        if (strcmp(spec->pairs[i].key, key) == 0)
            return err_set(e, "option '%s' is given twice", key);
    if (!is_balanced(value))
        return err_set(e, "%s=%.64s: a bracket has no partner", key, value);
    if (spec->count == SPEC_PAIRS_MAX)
        return err_set(e, "more than %d options", SPEC_PAIRS_MAX);
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

/* The comma that ends a pair: parts that begin no pair of their own belong to its value. */
static char *pair_end(char *pair) {
    char *end = part_end(pair);
    if (!begins_pair(pair))
        return end;
    while (end != NULL && !begins_pair(end + 1) && end[1] != '\0')
        end = part_end(end + 1);
    return end;
}

static bool parse_pairs(char *rest, struct spec *out, struct err *e) {
    while (rest != NULL) {
        char *next = pair_end(rest);
        if (next != NULL)
            *next++ = '\0';
        char *equals = strchr(rest, '=');
        if (equals == NULL)
            return err_set(e, "'%.64s' has no '='; expected key=value", rest);
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
        return err_set(e, "a spec of %zu characters is too long; the limit is %d", size, SPEC_TEXT_MAX - 1);
    memcpy(out->storage, string, size + 1);
    char *rest = strchr(out->storage, ':');
    if (rest != NULL)
        *rest++ = '\0';
    out->name = out->storage;
    if (!is_name(out->name))
        return err_set(e, "'%.64s' is no name; expected name or name:key=value,key=value", out->name);
    if (!parse_pairs(rest, out, e))
        return err_prefix(e, "%s: ", out->name);
    return true;
}

/* The end of the used part of the storage, behind the last string. */
static char *storage_end(struct spec *spec) {
    const char *last = spec->count > 0 ? spec->pairs[spec->count - 1].value : spec->name;
    return spec->storage + (last - spec->storage) + strlen(last) + 1;
}

bool spec_add(struct spec *spec, const char *key, const char *value, struct err *e) {
    char *end = storage_end(spec);
    size_t room = sizeof spec->storage - (size_t)(end - spec->storage);
    size_t key_size = strlen(key) + 1, value_size = strlen(value) + 1;
    if (key_size + value_size > room)
        return err_set(e, "too many options; %d characters are the limit", SPEC_TEXT_MAX - 1);
    memcpy(end, key, key_size);
    memcpy(end + key_size, value, value_size);
    return add_pair(spec, end, end + key_size, e);
}

/* ---- parameter tables ---- */

static void *field(const struct param *p, void *options) {
    return (char *)options + p->offset;
}

static const void *const_field(const struct param *p, const void *options) {
    return (const char *)options + p->offset;
}

static void store(const struct param *p, void *options, double value) {
    switch (p->kind) {
    case PARAM_INT:
    case PARAM_CHOICE: *(int *)field(p, options) = (int)value; break;
    case PARAM_REAL: *(double *)field(p, options) = value; break;
    case PARAM_SWITCH: *(bool *)field(p, options) = value != 0; break;
    case PARAM_TEXT: break;
    }
}

static const char *text_fallback(const struct param *p) {
    return p->choices != NULL ? p->choices : "";
}

static void store_text(const struct param *p, void *options, const char *value) {
    char *out = field(p, options);
    memset(out, 0, PARAM_TEXT_MAX); /* options are compared as bytes */
    memcpy(out, value, strlen(value));
}

static double fetch(const struct param *p, const void *options) {
    switch (p->kind) {
    case PARAM_INT:
    case PARAM_CHOICE: return *(const int *)const_field(p, options);
    case PARAM_REAL: return *(const double *)const_field(p, options);
    case PARAM_SWITCH: return *(const bool *)const_field(p, options);
    case PARAM_TEXT: break;
    }
    return 0;
}

void params_default(const struct param *table, void *options) {
    for (const struct param *p = table; p != NULL && p->name != NULL; p++)
        p->kind == PARAM_TEXT ? store_text(p, options, text_fallback(p)) : store(p, options, p->fallback);
}

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
    return true;
}

static bool read_choice(const struct param *p, const char *value, double *out, struct err *e) {
    const char *start;
    int length;
    for (int i = 0; choice_at(p->choices, i, &start, &length); i++) {
        if ((int)strlen(value) == length && strncmp(start, value, (size_t)length) == 0) {
            *out = i;
            return true;
        }
    }
    return err_set(e, "%s=%.64s is unknown; expected one of %s", p->name, value, p->choices);
}

static bool read_switch(const struct param *p, const char *value, double *out, struct err *e) {
    static const char *const words[] = {"no", "yes", "false", "true", "off", "on", "0", "1"};
    for (int i = 0; i < 8; i++) {
        if (strcasecmp(value, words[i]) == 0) {
            *out = i % 2;
            return true;
        }
    }
    return err_set(e, "%s=%.64s is no switch; expected yes or no", p->name, value);
}

static bool read_number(const struct param *p, const char *value, double *out, struct err *e) {
    long whole = 0;
    bool ok = p->kind == PARAM_INT ? text_to_int(value, &whole) : text_to_real(value, out);
    if (ok && p->kind == PARAM_INT)
        *out = (double)whole;
    if (!ok || *out < p->low || *out > p->high)
        return err_set(e,
                       p->kind == PARAM_INT ? "%s=%.64s: expected a whole number from %.0f to %.0f"
                                            : "%s=%.64s: expected a number from %g to %g",
                       p->name, value, p->low, p->high);
    return true;
}

static bool read_value(const struct param *p, const char *value, double *out, struct err *e) {
    switch (p->kind) {
    case PARAM_CHOICE: return read_choice(p, value, out, e);
    case PARAM_SWITCH: return read_switch(p, value, out, e);
    case PARAM_INT:
    case PARAM_REAL: return read_number(p, value, out, e);
    case PARAM_TEXT:
        return strlen(value) < PARAM_TEXT_MAX ||
               err_set(e, "%s: a value of %zu characters is too long; the limit is %d", p->name,
                       strlen(value), PARAM_TEXT_MAX - 1);
    }
    return false;
}

static const struct param *find_param(const struct param *table, const char *name) {
    for (const struct param *p = table; p != NULL && p->name != NULL; p++)
        if (strcmp(p->name, name) == 0)
            return p;
    return NULL;
}

static bool unknown_name(const struct param *table, const char *name, struct err *e) {
    struct text known = {0};
    for (const struct param *p = table; p != NULL && p->name != NULL; p++)
        text_add(&known, "%s%s", p == table ? "" : ", ", p->name);
    err_set(e, "option '%.64s' is unknown; known are %s", name, text_string(&known));
    text_done(&known);
    return false;
}

static bool unknown_key(const struct param *table, const struct spec *spec, const char *key, struct err *e) {
    if (table == NULL || table->name == NULL)
        return err_set(e, "%s: option '%s' is unknown; %s has no options", spec->name, key, spec->name);
    unknown_name(table, key, e);
    return err_prefix(e, "%s: ", spec->name);
}

/* `options` may be NULL: then the value is only checked. */
static bool read_param(const struct param *p, const char *string, void *options, struct err *e) {
    double value = 0;
    if (!read_value(p, string, &value, e))
        return false;
    if (options != NULL && p->kind == PARAM_TEXT)
        store_text(p, options, string);
    else if (options != NULL)
        store(p, options, value);
    return true;
}

/* Reads every pair; `options` may be NULL: then the values are only checked. */
static bool read_pairs(const struct param *table, const struct spec *spec, void *options, struct err *e) {
    for (int i = 0; i < spec->count; i++) {
        const struct spec_pair *pair = &spec->pairs[i];
        const struct param *p = find_param(table, pair->key);
        if (p == NULL)
            return unknown_key(table, spec, pair->key, e);
        if (!read_param(p, pair->value, options, e))
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
    return p != NULL ? read_param(p, value, options, e) : unknown_name(table, name, e);
}

/* Writes the shortest decimal that reads back as the same double. */
static void add_real(struct text *out, double value) {
    char digits[40];
    for (int precision = 6; precision <= 17; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, value);
        double back = 0;
        if (text_to_real(digits, &back) && !(back < value) && !(back > value))
            break;
    }
    text_add_string(out, digits);
}

static void add_value(const struct param *p, double value, struct text *out) {
    const char *start;
    int length;
    switch (p->kind) {
    case PARAM_INT: text_add(out, "%d", (int)value); break;
    case PARAM_REAL: add_real(out, value); break;
    case PARAM_SWITCH: text_add_string(out, value != 0 ? "yes" : "no"); break;
    case PARAM_CHOICE:
        if (choice_at(p->choices, (int)value, &start, &length))
            text_add_bytes(out, start, (size_t)length);
        break;
    case PARAM_TEXT: break;
    }
}

/* A text that could be read as more than one value goes into brackets. */
static void add_text(const char *value, struct text *out) {
    const bool plain = value[strcspn(value, ",=[]")] == '\0';
    text_add(out, plain ? "%s" : "[%s]", value);
}

/* True when this option differs from its default. */
static bool is_changed(const struct param *p, const void *options) {
    if (p->kind == PARAM_TEXT)
        return strcmp(const_field(p, options), text_fallback(p)) != 0;
    const double value = fetch(p, options);
    return value < p->fallback || value > p->fallback;
}

bool param_is_powerful(const struct param *p) {
    return p->power == PARAM_UNSAID ? p->kind == PARAM_TEXT : p->power >= PARAM_STARTS;
}

unsigned params_powers(const struct param *table, const void *options) {
    unsigned powers = 0;
    for (const struct param *p = table; p != NULL && p->name != NULL; p++)
        if (param_is_powerful(p) && is_changed(p, options))
            powers |= 1U << p->power;
    return powers;
}

static void write_changed(const struct param *table, const void *options, bool powerful, struct text *out) {
    char separator = ':';
    for (const struct param *p = table; p != NULL && p->name != NULL; p++) {
        if (!is_changed(p, options) || (powerful && !param_is_powerful(p)))
            continue;
        text_add(out, "%c%s=", separator, p->name);
        if (p->kind == PARAM_TEXT)
            add_text(const_field(p, options), out);
        else
            add_value(p, fetch(p, options), out);
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
    if (p->kind == PARAM_TEXT)
        text_add_string(out, const_field(p, options));
    else
        add_value(p, fetch(p, options), out);
}

void params_write_default(const struct param *p, struct text *out) {
    if (p->kind == PARAM_TEXT)
        text_add_string(out, text_fallback(p));
    else
        add_value(p, p->fallback, out);
}

void params_write_all(const struct param *table, const void *options, struct text *out) {
    for (const struct param *p = table; p != NULL && p->name != NULL; p++) {
        text_add(out, "%s=", p->name);
        params_write_value(p, options, out);
        text_add_string(out, "\n");
    }
}

void params_help(const struct param *table, const char *indent, struct text *out) {
    for (const struct param *p = table; p != NULL && p->name != NULL; p++) {
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
        params_write_default(p, out);
        text_add(out, "]  %s\n", p->help);
    }
}
