/* SPDX-License-Identifier: MIT
 *
 * The platform's vectors lie beside the project ($SENJUTSU_ROOT/../shared) and are not part of it.
 */
#ifndef TESTS_GOLDEN_SUPPORT_H
#define TESTS_GOLDEN_SUPPORT_H

#include "base/text.h"
#include "game/game.h"

enum { GOLDEN_NAME_MAX = 600 };

void golden_name(const char *folder, const char *file, char out[GOLDEN_NAME_MAX]);

/* Without the vectors a test is skipped with a message, in a way that meson counts. */
bool golden_is_there(void);

void golden_load(const char *folder, const char *file, struct text *out);

/* A map of the platform on one of the tables. */
struct scenario *golden_scenario(const struct game *game, const char *map);

/* Takes the next line off *at, in place; NULL at the end. */
char *golden_line(char **at);

#endif
