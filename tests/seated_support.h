/* SPDX-License-Identifier: MIT
 *
 * Live games of a workbench for tests: they begin games, read them and play in them.
 */
#ifndef TESTS_SEATED_SUPPORT_H
#define TESTS_SEATED_SUPPORT_H

#include "tests/bench_support.h"

#define TABLE_MEMBERS                                                                                        \
    "id ground seats ply mover over result created you map start steps state actions clocks thinking may "   \
    "offer comment sees_all record_forms unsaved"
#define STEP_MEMBERS "ply side action did state ms chance thoughts"

#define TWO_PEOPLE "\"seats\":[{\"kind\":\"human\",\"name\":\"Ann\"},{\"kind\":\"human\"}]"
#define PLAYERS(a, b)                                                                                        \
    "\"seats\":[{\"kind\":\"player\",\"spec\":\"" a "\"},{\"kind\":\"player\",\"spec\":\"" b "\"}]"

/* Two units that never meet: nothing ends it but the turn limit, and that is far. */
#define APART                                                                                                \
    "{\\\"format\\\":\\\"senjutsu-map\\\",\\\"width\\\":5,\\\"height\\\":3,\\\"turn_limit\\\":9999,"         \
    "\\\"threshold\\\":1,"                                                                                   \
    "\\\"terrain\\\":[\\\"00000\\\",\\\"01010\\\",\\\"00000\\\"],\\\"units\\\":[{\\\"x\\\":1,\\\"y\\\":1,"   \
    "\\\"type\\\":"                                                                                          \
    "\\\"infantry\\\",\\\"side\\\":\\\"red\\\",\\\"hp\\\":10},{\\\"x\\\":3,\\\"y\\\":1,\\\"type\\\":"        \
    "\\\"infantry\\\","                                                                                      \
    "\\\"side\\\":\\\"blue\\\",\\\"hp\\\":10}]}"

/* ---- JSON: members that must be there ---- */

const json_t *at(const json_t *object, const char *key);
const char *text_at(const json_t *object, const char *key);
int number_at(const json_t *object, const char *key);
bool is_true(const json_t *object, const char *key);

/* Has the object these members (blanks between them) and no others? */
void check_members(const json_t *object, const char *names);

/* ---- live games ---- */

struct game_at {
    char id[32], keys[2][32];
};

struct game_at sit(const char *body);
json_t *look(const struct game_at *game, const char *key);

/* POST /api/tables/ID/VERB; expects that status. */
void post_to(const struct game_at *game, const char *verb, int status, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void act(const struct game_at *game, int side, int ply, const char *text);
int ply_of(const struct game_at *game);
bool may(const struct game_at *game, const char *key, const char *what);
void nap(void);

/* Polls until the game is over, or that many actions were played. */
json_t *wait_for(const struct game_at *game, int ply);
enum { TO_THE_END = -1 };

#endif
