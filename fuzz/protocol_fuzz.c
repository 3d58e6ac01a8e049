/* SPDX-License-Identifier: MIT
 *
 * The bytes are a conversation of the engine protocol, line by line. Every answer must be well-formed, and
 * the session must still be usable afterwards.
 */
#include "fuzz.h"

#include "protocol/session.h"

static atomic_bool stop;

/* Is the last line of the answer one that ends answers? */
static bool is_complete(const char *answer) {
    const size_t size = strlen(answer);
    if (size == 0 || answer[size - 1] != '\n')
        return false;
    const char *last = answer + size - 1;
    while (last > answer && last[-1] != '\n')
        last--;
    return strcmp(last, "ok\n") == 0 || strcmp(last, "end\n") == 0 || strncmp(last, "error ", 6) == 0;
}

/* Commands that may take long are stopped at once, as by `stop`; a shallow perft may run. */
static bool runs_to_its_end(const char *line) {
    return strcmp(line, "perft 0") == 0 || strcmp(line, "perft 1") == 0;
}

/* False after `quit`. */
static bool say(struct session *session, const char *line, bool must_answer) {
    struct text answer = {0};
    atomic_store(&stop, !runs_to_its_end(line));
    const bool more = session_line(session, line, &answer);
    REQUIRE(answer.size == 0 || is_complete(text_string(&answer)));
    REQUIRE(!must_answer || answer.size > 0);
    text_done(&answer);
    return more;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const struct session_setup setup = {.version = "0", .player = "random", .seed = 1, .stop = &stop};
    struct err e;
    struct session *session = session_open(&setup, &e);
    char *text = malloc(size + 1);
    REQUIRE(session != NULL && text != NULL);
    memcpy(text, data, size);
    text[size] = '\0';
    bool more = true;
    for (char *line = text, *next; more && line != NULL; line = next) {
        next = strchr(line, '\n');
        if (next != NULL)
            *next++ = '\0';
        more = say(session, line, false);
    }
    if (more) {
        say(session, "endmap", true); /* leaves a map that was begun, or is an unknown command */
        say(session, "state", true);
        say(session, "legal all", true);
        say(session, "go turn", true);
    }
    session_close(session);
    free(text);
    return 0;
}
