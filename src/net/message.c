/* SPDX-License-Identifier: MIT */
#include "net/message.h"

#include "base/charset.h"
#include "net/topic.h"

#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *message_query(const struct message_in *in, const char *name) {
    for (int i = 0; i < in->query_count; i++)
        if (strcmp(in->query[i].name, name) == 0)
            return in->query[i].value;
    return NULL;
}

void message_json(struct message_out *out, int status, json_t *value) {
    char *text = value == NULL ? NULL : json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
    json_decref(value);
    text_clear(&out->body);
    topic_drop(out->stream);
    out->stream = NULL;
    out->type = NULL;
    out->status = text == NULL ? 500 : status;
    text_add_string(&out->body, text == NULL ? "{\"error\":\"not enough memory\"}" : text);
    free(text);
}

void message_fail(struct message_out *out, int status, const char *field, const char *format, ...) {
    char sentence[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    charset_mend(sentence); /* it may quote a part of what was asked */
    json_t *body = json_pack("{s:s}", "error", sentence);
    if (body != NULL && field != NULL)
        json_object_set_new(body, "field", json_string(field));
    out->file_name[0] = '\0';
    message_json(out, status, body);
}

void message_done(struct message_out *out) {
    text_done(&out->body);
    topic_drop(out->stream);
    out->stream = NULL;
}
