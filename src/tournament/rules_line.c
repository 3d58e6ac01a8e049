/* SPDX-License-Identifier: MIT */
#include "tournament/rules_line.h"

#include <stdbool.h>
#include <string.h>

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

/* From a quotation mark to behind the other one; is `word` between them? */
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

/* To the comma or bracket behind a value. */
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

/* From the bracket that opens an object to the value of its member `key`; *line is the key's. */
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

int rules_line(const char *text, size_t size, const char *group, const char *key) {
    struct scan s = {text, text + size, 1};
    int line = 0;
    if (group != NULL && !find_member(&s, group, &line))
        return 0;
    return find_member(&s, key, &line) ? line : 0;
}
