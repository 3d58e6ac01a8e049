/* SPDX-License-Identifier: MIT
 *
 * Cutting a map or record file into segments the way the platform does: all lines joined with nothing between
 * them, the whole split at ';', and a key found by plain substring search for "KEY[".
 */
#include "game/tbs/map.h"

#include <stdio.h>
#include <string.h>

void tbs_segments_start(struct tbs_segments *s, const char *utf8, size_t size) {
    *s = (struct tbs_segments){.at = utf8, .end = utf8 + size, .line_next = 1};
}

void tbs_segments_done(struct tbs_segments *s) {
    text_done(&s->segment);
}

bool tbs_segments_next(struct tbs_segments *s) {
    if (s->at >= s->end || s->segment.failed)
        return false;
    text_clear(&s->segment);
    s->line = 0;
    const char *run = s->at; /* bytes not yet copied */
    while (s->at < s->end && *s->at != ';') {
        const char c = *s->at;
        if (c == '\n' || c == '\r') {
            text_add_bytes(&s->segment, run, (size_t)(s->at - run));
            run = s->at + 1;
        } else if (s->line == 0 && c != ' ' && c != '\t') {
            s->line = s->line_next;
        }
        s->line_next += c == '\n';
        s->at++;
    }
    text_add_bytes(&s->segment, run, (size_t)(s->at - run));
    if (s->line == 0)
        s->line = s->line_next;
    s->at += s->at < s->end;
    return !s->segment.failed;
}

const char *tbs_segment_value(const char *segment, const char *key, size_t *length) {
    const size_t key_size = strlen(key);
    for (const char *at = segment; (at = strstr(at, key)) != NULL; at++) {
        if (at[key_size] != '[')
            continue;
        const char *value = at + key_size + 1;
        const char *close = strchr(value, ']');
        if (close == NULL)
            return NULL;
        *length = (size_t)(close - value);
        return value;
    }
    return NULL;
}
