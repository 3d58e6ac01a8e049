/* SPDX-License-Identifier: MIT */
#include "game/weights.h"

#include <string.h>
#include <strings.h>

enum { WEIGHT_MAX = 1000000 };

void weights_default(const struct game *game, double *out) {
    for (int i = 0; i < GAME_WEIGHTS_MAX; i++)
        out[i] = 0;
    for (int i = 0; game->weights != NULL && game->weights[i].name != NULL; i++)
        out[i] = game->weights[i].fallback;
}

static int find_weight(const struct game *game, const char *name, size_t size) {
    for (int i = 0; game->weights != NULL && game->weights[i].name != NULL; i++)
        if (strlen(game->weights[i].name) == size && strncasecmp(game->weights[i].name, name, size) == 0)
            return i;
    return -1;
}

static bool unknown_weight(const struct game *game, const char *name, int size, struct err *e) {
    struct text known = {0};
    for (int i = 0; game->weights != NULL && game->weights[i].name != NULL; i++)
        text_add(&known, "%s%s", i > 0 ? ", " : "", game->weights[i].name);
    if (known.size > 0)
        err_set(e, "value '%.*s' is unknown; known are %s", size, name, text_string(&known));
    else
        err_set(e, "value '%.*s' is unknown; there is none", size, name);
    text_done(&known);
    return false;
}

/* One "NAME:NUMBER" of `size` characters. */
static bool read_one(const struct game *game, const char *part, size_t size, double *out, struct err *e) {
    char number[40];
    double value;
    const char *colon = memchr(part, ':', size);
    if (colon == NULL)
        return err_set(e, "'%.*s' is no value; expected NAME:NUMBER", (int)size, part);
    const int which = find_weight(game, part, (size_t)(colon - part));
    if (which < 0)
        return unknown_weight(game, part, (int)(colon - part), e);
    const size_t digits = size - (size_t)(colon - part) - 1;
    if (digits < sizeof number) {
        memcpy(number, colon + 1, digits);
        number[digits] = '\0';
        if (text_to_real(number, &value) && value >= -WEIGHT_MAX && value <= WEIGHT_MAX) {
            out[which] = value;
            return true;
        }
    }
    return err_set(e, "'%.*s': expected a number up to %d behind the colon", (int)size, part, WEIGHT_MAX);
}

bool weights_read(const struct game *game, const char *text, double *out, struct err *e) {
    while (*text != '\0') {
        const size_t size = strcspn(text, ",");
        if (!read_one(game, text, size, out, e))
            return false;
        text += size;
        if (*text == ',' && *++text == '\0')
            return err_set(e, "a value is missing behind the last comma");
    }
    return true;
}
