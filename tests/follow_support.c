/* SPDX-License-Identifier: MIT */
#include "tests/follow_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

void follow(struct follower *follower, struct served *served, const char *path) {
    struct message_out out = served_raw(served, MESSAGE_GET, path, NULL);
    *follower = (struct follower){0};
    if (out.stream == NULL)
        fail_msg("%s: no stream: %s", path, text_string(&out.body));
    topic_reader_start(&follower->reader, out.stream, 0);
    message_done(&out);
    follow_more(follower);
}

void follow_more(struct follower *follower) {
    char bytes[4096];
    long size = 0;
    while (!follower->has_ended && (size = topic_read(&follower->reader, bytes, sizeof bytes)) > 0)
        text_add_bytes(&follower->text, bytes, (size_t)size);
    follower->has_ended = follower->has_ended || size < 0;
}

void follow_done(struct follower *follower) {
    topic_reader_done(&follower->reader);
    text_done(&follower->text);
}

json_t *followed(const struct follower *follower, const char *name, int number) {
    char wanted[64];
    const char *found = NULL;
    int count = 0;
    const int size = snprintf(wanted, sizeof wanted, "event: %s\ndata: ", name);
    for (const char *at = text_string(&follower->text); (at = strstr(at, wanted)) != NULL; at += size)
        if (number < 0 || count++ == number)
            found = at + size;
    if (found == NULL || strchr(found, '\n') == NULL)
        return NULL;
    json_t *data = json_loadb(found, (size_t)(strchr(found, '\n') - found), 0, NULL);
    assert_non_null(data);
    return data;
}
