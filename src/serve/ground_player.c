/* SPDX-License-Identifier: MIT
 *
 * Which players a page may name: those whose options need no leave (player/grant.h) but for what the server
 * was told to allow, and that take no more of the machine than a page may.
 */
#include "serve/ground.h"

#include "player/players.h"

enum { NESTED_MAX = 8 };

/* Programs and connections where the server was told so, files never. */
const struct grant *ground_grant(const struct workbench *bench) {
    static const struct grant programs = {.powers = 1U << PARAM_STARTS | 1U << PARAM_CONNECTS};
    return bench->setup.programs ? &programs : NULL;
}

/* Through the players of one spec. */
struct walk {
    const struct workbench *bench;
    int nested;
};

static bool look_at(struct walk *walk, const char *string, struct err *e);

static bool refuse_programs(const struct player_type *type, struct err *e) {
    return err_set(e, "%s: programs of others are not allowed here; 'senjutsu serve --programs' allows them",
                   type->name);
}

/* The name of the option that reads or writes a file; NULL: none does. */
static const char *file_option(const struct player_type *type, const void *options) {
    const unsigned files = 1U << PARAM_READS | 1U << PARAM_WRITES;
    const struct param *p = type->params;
    while ((params_powers(type->params, options) & files) != 0 && (1U << p->power & files) == 0)
        p++;
    return (params_powers(type->params, options) & files) != 0 ? p->name : NULL;
}

static bool check_powers(const struct walk *walk, const struct player_type *type, const void *options,
                         struct err *e) {
    if (grant_allows_options(ground_grant(walk->bench), type, options, NULL))
        return true;
    const char *file = file_option(type, options);
    if (file != NULL)
        return err_set(e, "%s: %s names a file, which a page must not", type->name, file);
    return refuse_programs(type, e);
}

static bool check_nested(struct walk *walk, const struct player_type *type, const void *options,
                         struct err *e) {
    for (const struct param *p = type->params; p != NULL && p->name != NULL; p++)
        if (p->power == PARAM_SPEC && !look_at(walk, (const char *)options + p->offset, e))
            return err_prefix(e, "%s: %s: ", type->name, p->name);
    return true;
}

/* Nothing is opened, and no player's own check is asked, before all of it was looked at. */
static bool look_at(struct walk *walk, const char *string, struct err *e) {
    struct spec spec;
    union player_options options = {0};
    if (++walk->nested > NESTED_MAX)
        return err_set(e, "more than %d players in one", NESTED_MAX);
    if (!spec_parse(string, &spec, e))
        return false;
    const struct player_type *type = player_type_find(spec.name);
    if (type == NULL)
        return err_set(e, "player '%s' is unknown; /api/players lists those there are", spec.name);
    if (type == &player_ext && !walk->bench->setup.programs) /* also when it does not say which */
        return refuse_programs(type, e);
    return params_read(type->params, &spec, &options, e) && check_powers(walk, type, &options, e) &&
           check_nested(walk, type, &options, e);
}

bool ground_check_player(const struct workbench *bench, const char *spec, struct text *out, struct err *e) {
    struct walk walk = {.bench = bench};
    return look_at(&walk, spec, e) && player_check_needs(spec, GROUND_PLAYER_MB_MAX, bench->setup.cores, e) &&
           player_check(spec, out, e) &&
           (out == NULL || !out->failed || err_set(e, "not enough memory for the player"));
}

/* Some options mean something only in one game: opening the player says whether they do. */
bool ground_try_player(const struct workbench *bench, const char *spec, const struct game *game,
                       struct text *out, struct err *e) {
    if (!ground_check_player(bench, spec, out, e))
        return false;
    struct player *player = player_open_granted(spec, game, ground_grant(bench), e);
    if (player == NULL)
        return false;
    player_close(player);
    return true;
}
