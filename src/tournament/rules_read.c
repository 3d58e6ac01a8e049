/* SPDX-License-Identifier: MIT
 *
 * Rules from JSON. Every field is looked up in the tables; what is in none of them is refused.
 */
#include "tournament/rules_fields.h"

#include <assert.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

static const char preset_key[] = "preset";

/* ---- messages ---- */

enum { VALUE_TEXT_MAX = 64 };

/* "a b", 3.5, true, an object, … */
static const char *value_text(const json_t *value, char out[VALUE_TEXT_MAX]) {
    if (json_is_object(value) || json_is_array(value)) {
        snprintf(out, VALUE_TEXT_MAX, "%s", json_is_object(value) ? "an object" : "a list");
    } else if (json_is_string(value)) {
        char part[48];
        rules_quote(part, sizeof part, json_string_value(value));
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

/* The keys of a group; of the rules themselves also those that are no numbers. */
static void list_keys(const struct rules_group *g, char out[LIST_MAX]) {
    const char *names[KEYS_MAX];
    int count = 0;
    if (g->name == NULL) {
        names[count++] = preset_key;
        for (int i = 0; i < RULES_WORDS; i++)
            names[count++] = rules_words[i].key;
    }
    for (const struct param *p = g->fields; p->name != NULL; p++)
        names[count++] = p->name;
    if (g->name == NULL) {
        names[count++] = RULES_TIE_BREAKS_KEY;
        for (int i = 1; i < RULES_GROUPS; i++)
            names[count++] = rules_groups[i].name;
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
static int read_choice(const struct rules_source *s, struct rules_place place, const json_t *value,
                       const char *const *names, int count) {
    char shown[VALUE_TEXT_MAX], list[LIST_MAX];
    const int found = json_is_string(value) ? find_name(json_string_value(value), names, count) : -1;
    list_names(names, count, list, sizeof list);
    if (found < 0)
        rules_refuse(s, place, ": %s is unknown; expected %s", value_text(value, shown), list);
    return found;
}

static bool read_number(const struct rules_source *s, struct rules_place place, const struct param *p,
                        const json_t *value, double *out) {
    char shown[VALUE_TEXT_MAX];
    const bool whole = p->kind == PARAM_INT;
    if (whole ? !json_is_integer(value) : !json_is_number(value))
        return rules_refuse(s, place, ": %s is no %s; expected %.12g to %.12g", value_text(value, shown),
                            whole ? "whole number" : "number", p->low, p->high);
    *out = json_number_value(value);
    return rules_check_range(s, place, p, *out);
}

static bool read_switch(const struct rules_source *s, struct rules_place place, const json_t *value,
                        double *out) {
    char shown[VALUE_TEXT_MAX];
    *out = json_is_true(value);
    return json_is_boolean(value) ||
           rules_refuse(s, place, ": %s is neither true nor false", value_text(value, shown));
}

static bool read_value(const struct rules_source *s, struct rules_place place, const struct param *p,
                       const json_t *value, double *out) {
    switch (p->kind) {
    case PARAM_INT:
    case PARAM_REAL: return read_number(s, place, p, value, out);
    case PARAM_SWITCH: return read_switch(s, place, value, out);
    case PARAM_CHOICE:
        *out = read_choice(s, place, value, rules_format_names, RULES_FORMATS);
        return *out >= 0;
    case PARAM_TEXT: break;
    }
    return false;
}

static bool read_word(const struct rules_source *s, const struct rules_word *w, const json_t *value,
                      struct rules *out) {
    char shown[VALUE_TEXT_MAX];
    if (!json_is_string(value))
        return rules_refuse(s, (struct rules_place){NULL, w->key}, ": %s is no text",
                            value_text(value, shown));
    if (!rules_check_word(s, w, json_string_value(value), json_string_length(value)))
        return false;
    char *to = (char *)out + w->offset;
    memset(to, 0, w->size);
    memcpy(to, json_string_value(value), json_string_length(value));
    return true;
}

static bool read_tie_breaks(const struct rules_source *s, const json_t *value, struct rules *out) {
    const struct rules_place place = {NULL, RULES_TIE_BREAKS_KEY};
    char shown[VALUE_TEXT_MAX];
    if (!json_is_array(value))
        return rules_refuse(s, place, ": %s is no list", value_text(value, shown));
    if (json_array_size(value) > RULES_TIE_BREAKS_MAX)
        return rules_refuse(s, place, ": %zu are too many; expected %d at most", json_array_size(value),
                            RULES_TIE_BREAKS_MAX);
    memset(out->tie_breaks, 0, sizeof out->tie_breaks);
    out->tie_break_count = (int)json_array_size(value);
    for (int i = 0; i < out->tie_break_count; i++) {
        const int kind =
            read_choice(s, place, json_array_get(value, (size_t)i), rules_tie_break_names, RULES_TIE_BREAKS);
        if (kind < 0)
            return false;
        out->tie_breaks[i] = (enum rules_tie_break)kind;
    }
    return rules_check_tie_breaks(s, out);
}

static const struct param *find_field(const struct rules_group *g, const char *key) {
    const struct param *p = g->fields;
    while (p->name != NULL && strcmp(p->name, key) != 0)
        p++;
    return p->name != NULL ? p : NULL;
}

static bool read_field(const struct rules_source *s, const struct rules_group *g, const char *key,
                       const json_t *value, struct rules *out) {
    const struct param *p = find_field(g, key);
    const struct rules_place place = {g->name, key};
    char list[LIST_MAX];
    double number = 0;
    if (p == NULL) {
        list_keys(g, list);
        return rules_refuse(s, place, " is no field %s%s; expected %s",
                            g->name != NULL ? "of " : "of the rules", g->name != NULL ? g->name : "", list);
    }
    if (!read_value(s, place, p, value, &number))
        return false;
    rules_store(g, p, out, number);
    return true;
}

static bool read_group(const struct rules_source *s, const struct rules_group *g, json_t *object,
                       struct rules *out) {
    char shown[VALUE_TEXT_MAX], list[LIST_MAX];
    const char *key;
    json_t *value;
    if (!json_is_object(object)) {
        list_keys(g, list);
        return rules_refuse(s, (struct rules_place){NULL, g->name}, ": %s is no object; expected one with %s",
                            value_text(object, shown), list);
    }
    json_object_foreach(object, key, value) {
        if (!read_field(s, g, key, value, out))
            return false;
    }
    return true;
}

static bool read_member(const struct rules_source *s, const char *key, json_t *value, struct rules *out) {
    for (int i = 0; i < RULES_WORDS; i++)
        if (strcmp(rules_words[i].key, key) == 0)
            return read_word(s, &rules_words[i], value, out);
    for (int i = 1; i < RULES_GROUPS; i++)
        if (strcmp(rules_groups[i].name, key) == 0)
            return read_group(s, &rules_groups[i], value, out);
    if (strcmp(key, RULES_TIE_BREAKS_KEY) == 0)
        return read_tie_breaks(s, value, out);
    return strcmp(key, preset_key) == 0 || read_field(s, &rules_groups[0], key, value, out);
}

static int preset_names(const char **names) {
    int count = 0;
    for (; rules_presets[count].name != NULL; count++)
        names[count] = rules_presets[count].name;
    return count;
}

enum { PRESETS_MAX = 32 };

static bool read_base(const struct rules_source *s, const json_t *root, struct rules *out) {
    const char *names[PRESETS_MAX];
    const json_t *value = json_object_get(root, preset_key);
    if (value == NULL) {
        rules_default(out);
        return true;
    }
    const int found =
        read_choice(s, (struct rules_place){NULL, preset_key}, value, names, preset_names(names));
    return found >= 0 && rules_preset(names[found], out, s->e);
}

static bool read_root(const struct rules_source *s, json_t *root, struct rules *out) {
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
    return rules_check_contradictions(s, out);
}

bool rules_read(const char *name, const char *text, size_t size, struct rules *out, struct err *e) {
    const struct rules_source s = {name, text, size, e};
    json_error_t problem;
    if (size > RULES_TEXT_MAX)
        return err_set(e, "%s: %zu bytes are too much for rules; the limit is %d", name, size,
                       RULES_TEXT_MAX);
    json_t *root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &problem);
    if (root == NULL) {
        char what[JSON_ERROR_TEXT_LENGTH];
        rules_quote(what, sizeof what, problem.text);
        return err_set(e, "%s:%d: %s", name, problem.line, what);
    }
    const bool ok = read_root(&s, root, out);
    json_decref(root);
    return ok;
}

bool rules_preset(const char *name, struct rules *out, struct err *e) {
    const char *names[PRESETS_MAX];
    char shown[48], list[LIST_MAX];
    const int count = preset_names(names), found = find_name(name, names, count);
    if (found >= 0)
        return rules_read(name, rules_presets[found].json, strlen(rules_presets[found].json), out, e);
    rules_quote(shown, sizeof shown, name);
    list_names(names, count, list, sizeof list);
    return err_set(e, "there is no preset \"%s\"; expected %s", shown, list);
}
