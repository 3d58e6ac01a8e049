/* SPDX-License-Identifier: MIT
 *
 * Which players a page may name. Options that are text could be anything, a file or a command among them:
 * each is classified here, and one that is not is refused, so that a new player's option is closed until
 * somebody has thought about it.
 */
#include "serve/ground.h"

#include "player/player.h"
#include "player/players.h"

#include <stddef.h>
#include <string.h>

enum { NESTED_MAX = 8 };

struct classified {
    const char *player, *option; /* NULL: of every player that has it */
    enum ground_option kind;
};

static const struct classified table[] = {
    {NULL, "policy", GROUND_OPTION_WORD},     {NULL, "values", GROUND_OPTION_WORD},
    {NULL, "setup", GROUND_OPTION_WORD},      {"minmax", "eval", GROUND_OPTION_WORD},
    {"minmax", "sort", GROUND_OPTION_WORD},   {"first", "player", GROUND_OPTION_PLAYER},
    {"first", "then", GROUND_OPTION_PLAYER},  {"split", "player", GROUND_OPTION_PLAYER},
    {"pg", "weights", GROUND_OPTION_FILE},    {"geist", "weights", GROUND_OPTION_FILE},
    {"ext", "cmd", GROUND_OPTION_PROGRAM},    {"ext", "host", GROUND_OPTION_PROGRAM},
    {"ext", "listen", GROUND_OPTION_PROGRAM}, {"ext", "options", GROUND_OPTION_PROGRAM},
};

enum ground_option ground_option_of(const char *player, const char *option) {
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if ((table[i].player == NULL || strcmp(table[i].player, player) == 0) &&
            strcmp(table[i].option, option) == 0)
            return table[i].kind;
    return GROUND_OPTION_UNKNOWN;
}

/* What the players of one spec want together. */
struct walk {
    const struct workbench *bench;
    int nested;
    long memory_mb;
};

/* Aligned for any options struct. */
union any_options {
    max_align_t alignment;
    unsigned char bytes[PLAYER_OPTIONS_MAX];
};

static bool look_at(struct walk *walk, const char *string, struct err *e);

static bool check_text(struct walk *walk, const char *player, const struct param *p, const char *value,
                       struct err *e) {
    switch (ground_option_of(player, p->name)) {
    case GROUND_OPTION_WORD: return true;
    case GROUND_OPTION_PLAYER: return look_at(walk, value, e) || err_prefix(e, "%s: %s: ", player, p->name);
    case GROUND_OPTION_FILE:
        return value[0] == '\0' || err_set(e, "%s: %s names a file, which a page must not", player, p->name);
    case GROUND_OPTION_PROGRAM:
        return value[0] == '\0' || walk->bench->setup.programs ||
               err_set(e,
                       "%s: programs of others are not allowed here; 'senjutsu serve --programs' allows them",
                       player);
    case GROUND_OPTION_UNKNOWN: break;
    }
    return err_set(e, "%s: %s is not for pages", player, p->name);
}

static bool check_number(struct walk *walk, const char *player, const struct param *p, int value,
                         struct err *e) {
    if (strcmp(p->name, "memory") == 0)
        walk->memory_mb += value;
    if (walk->memory_mb > GROUND_PLAYER_MB_MAX)
        return err_set(e, "%s: memory: more than %d megabytes, together; expected no more", player,
                       GROUND_PLAYER_MB_MAX);
    if (strcmp(p->name, "threads") == 0 && value > walk->bench->setup.cores)
        return err_set(e, "%s: threads=%d: expected no more than this machine has for it, %d", player, value,
                       walk->bench->setup.cores);
    return true;
}

static bool check_options(struct walk *walk, const struct player_type *type, const void *options,
                          struct err *e) {
    for (const struct param *p = type->params; p != NULL && p->name != NULL; p++) {
        const void *field = (const char *)options + p->offset;
        if (p->kind == PARAM_TEXT && !check_text(walk, type->name, p, field, e))
            return false;
        if (p->kind == PARAM_INT && !check_number(walk, type->name, p, *(const int *)field, e))
            return false;
    }
    return true;
}

/* Nothing is opened, and no player's own check is asked, before all of it was looked at. */
static bool look_at(struct walk *walk, const char *string, struct err *e) {
    struct spec spec;
    union any_options options = {0};
    if (++walk->nested > NESTED_MAX)
        return err_set(e, "more than %d players in one", NESTED_MAX);
    if (!spec_parse(string, &spec, e))
        return false;
    const struct player_type *type = player_type_find(spec.name);
    if (type == NULL)
        return err_set(e, "player '%s' is unknown; /api/players lists those there are", spec.name);
    if (type == &player_ext && !walk->bench->setup.programs)
        return err_set(
            e, "ext: programs of others are not allowed here; 'senjutsu serve --programs' allows them");
    return params_read(type->params, &spec, &options, e) && check_options(walk, type, &options, e);
}

bool ground_check_player(const struct workbench *bench, const char *spec, struct text *out, struct err *e) {
    struct walk walk = {.bench = bench};
    return look_at(&walk, spec, e) && player_check(spec, out, e);
}

/* Some options mean something only in one game: opening the player says whether they do. */
bool ground_try_player(const struct workbench *bench, const char *spec, const struct game *game,
                       struct text *out, struct err *e) {
    if (!ground_check_player(bench, spec, out, e))
        return false;
    struct player *player = player_open(spec, game, e);
    if (player == NULL)
        return false;
    player_close(player);
    return true;
}
