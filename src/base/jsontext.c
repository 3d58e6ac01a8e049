/* SPDX-License-Identifier: MIT */
#include "base/jsontext.h"

#include "base/charset.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

json_t *jsontext_load(const char *name, const char *text, size_t size, struct err *e) {
    json_error_t problem;
    json_t *root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &problem);
    if (root == NULL)
        err_set(e, "%s:%d: %s", name, problem.line, problem.text);
    return root;
}

bool jsontext_is(const json_t *root, const char *format, struct err *e) {
    const char *said = json_string_value(json_object_get(root, "format"));
    if (said == NULL || strcmp(said, format) != 0)
        return err_set(e, "\"format\" is not \"%s\"", format);
    if (json_integer_value(json_object_get(root, "version")) != 1)
        return err_set(e, "\"version\" is not 1, the only one known");
    return true;
}

json_t *jsontext_seed(uint64_t seed) {
    char digits[24];
    snprintf(digits, sizeof digits, "%llu", (unsigned long long)seed);
    return seed <= INT64_MAX ? json_integer((json_int_t)seed) : json_string(digits);
}

json_t *jsontext_string(const char *bytes, size_t size) {
    struct text utf8 = {0};
    charset_to_utf8(bytes, size, &utf8);
    json_t *string = json_stringn(text_string(&utf8), utf8.size);
    text_done(&utf8);
    return string;
}

json_t *jsontext_append(json_t *list, json_t *value) {
    if (json_array_append_new(list, value) == 0)
        return list;
    json_decref(list);
    return NULL;
}

json_t *jsontext_own(const struct text *text) {
    return json_loadb(text_string(text), text->size, 0, NULL);
}

bool jsontext_member(const json_t *root, const char *key, struct text *out, struct err *e) {
    const json_t *member = json_object_get(root, key);
    char *dump = member != NULL ? json_dumps(member, JSON_ENCODE_ANY) : NULL;
    if (dump == NULL)
        return err_set(e, "\"%s\" is missing", key);
    text_add_string(out, dump);
    free(dump);
    return true;
}
