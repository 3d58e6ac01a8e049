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
            return err_code(e, "spec.twice", "option '%s' is given twice", key);
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
