/* SPDX-License-Identifier: MIT */
#include "audit/words.h"

void words_state(const struct game *game, const void *state, struct text *out) {
    struct text lines = {0};
    game->text->write_state(state, &lines);
    out->failed = out->failed || lines.failed;
    if (lines.size > 0) {
        char *line = text_trim(lines.data);
        for (char *at = line; *at != '\0'; at++)
            if (*at == '\n')
                *at = ' ';
        text_add_string(out, line);
    }
    text_done(&lines);
}
