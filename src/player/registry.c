/* SPDX-License-Identifier: MIT
 *
 * The list of players, opening one from a spec string, and grants (player/player.h): lines of text, and the
 * lines that a spec and the specs nested in it need.
 *
 * Every player is opened here, also nested ones, so that no path around the grants exists. Specs come from
 * files and messages as well as from the command line: everything about them is checked before a program is
 * started or a file is read.
 */
#include "base/mem.h"
#include "player/player.h"

#include <assert.h>
#include <math.h>
#include <string.h>

const struct player_type *const player_types[] = {
    &player_random, &player_acteval, &player_uct,   &player_pwuct,  &player_muct,      &player_minmax,
    &player_dlmc,   &player_aas,     &player_split, &player_first,  &player_portfolio, &player_ext,
    &player_pimc,   &player_iimc,    &player_amcts, &player_ismcts, &player_pg,        &player_gst_a,
    &player_gst_b,  &player_gst_c,   &player_nissy, &player_purple, &player_march,     &player_eacp,
    &player_guess,  &player_geist,   NULL};

const char *const player_fault_names[PLAYER_FAULTS] = {"none", "illegal", "crash",   "hang",
                                                       "late", "garbage", "protocol"};

const struct player_type *player_type_find(const char *name) {
    for (int i = 0; player_types[i] != NULL; i++)
        if (strcmp(player_types[i]->name, name) == 0)
            return player_types[i];
    return NULL;
}

bool player_expects_payoffs(const char *text) {
    struct spec spec;
    const struct player_type *type = spec_parse(text, &spec, NULL) ? player_type_find(spec.name) : NULL;
    return type != NULL && type->expects_payoffs;
}

/* Finds the type and reads the options; NULL and a sentence when the spec is malformed or unknown. */
static const struct player_type *read_spec(const char *string, union player_options *options, struct err *e) {
    struct spec spec;
    if (!spec_parse(string, &spec, e))
        return NULL;
    const struct player_type *type = player_type_find(spec.name);
    if (type == NULL) {
        struct text known = {0};
        for (int i = 0; player_types[i] != NULL; i++)
            text_add(&known, "%s%s", i > 0 ? ", " : "", player_types[i]->name);
        err_set(e, "player '%s' is unknown; known are %s", spec.name, text_string(&known));
        text_done(&known);
        return NULL;
    }
    memset(options, 0, sizeof *options); /* players that share a struct have tables for parts of it */
    if (!params_read(type->params, &spec, options, e))
        return NULL;
    return type->check == NULL || type->check(type, options, e) ? type : NULL;
}

struct player *player_open(const char *spec, const struct game *game, struct err *e) {
    return player_open_granted(spec, game, NULL, e);
}

/* Refused before the player is opened, with the reason in the words of the game. */
static bool plays(const struct player_type *type, const struct game *game, struct err *e) {
    const char *name = game_public_name(game); /* the tactical game has several tables */
    if (type->games == PLAYER_OPEN_GAMES && game->hide != NULL)
        return err_code(e, "refused.hidden_game",
                        "%s needs a game in which nothing is hidden; %s hides something: use ismcts or pimc",
                        type->name, game->name);
    if (type->games == PLAYER_TBS && strcmp(name, "tbs") != 0)
        return err_code(e, "refused.tactical_only", "%s plays only the tactical game, not %s", type->name,
                        game->name);
    return type->games != PLAYER_GEISTER || strcmp(name, "geister") == 0 ||
           err_code(e, "refused.geister_only", "%s plays only Geister, not %s", type->name, game->name);
}

/* Options stand behind the common part of every player (see struct player), so they are copied there before
 * the player's own open. A failed open may have opened a part, which the player's close releases. */
struct player *player_open_granted(const char *spec, const struct game *game, const struct grant *grant,
                                   struct err *e) {
    union player_options options;
    const struct player_type *type = read_spec(spec, &options, e);
    if (type == NULL || !grant_allows_options(grant, type, &options, e) || !plays(type, game, e))
        return NULL;
    assert(type->size >= sizeof(struct player) + type->options_size);
    struct player *player = mem_alloc(type->size);
    memcpy(player + 1, &options, type->options_size);
    player->type = type;
    player->grant = grant;
    const bool opened = type->open == NULL || type->open(player, game, e);
    player->grant = NULL;
    if (opened)
        return player;
    player_close(player);
    return NULL;
}

/* Players fill only what they know: the value is unknown until then, and there is no fault. */
void player_choose(struct player *player, const struct ask *ask, struct answer *out) {
    *out = (struct answer){.value = (double)NAN};
    if (ask->thoughts != NULL)
        thoughts_start(ask->thoughts);
    player->type->choose(player, ask, out);
}

void player_choose_in(struct player *player, const struct ask *whole, struct answer *out) {
    _Alignas(16) unsigned char view[GAME_STATE_MAX];
    struct ask ask = *whole;
    ask.side = ask.game->mover(whole->view);
    assert(ask.side != NOBODY);
    game_view(ask.game, whole->view, ask.side, view);
    ask.view = view;
    player_choose(player, &ask, out);
}

/* Also called for a player whose open has failed. */
void player_close(struct player *player) {
    if (player == NULL)
        return;
    if (player->type->close != NULL)
        player->type->close(player);
    mem_free(player);
}

bool player_check(const char *spec, struct text *canonical, struct err *e) {
    union player_options options;
    const struct player_type *type = read_spec(spec, &options, e);
    if (type != NULL && canonical != NULL) {
        text_add_string(canonical, type->name);
        params_write(type->params, &options, canonical);
    }
    return type != NULL;
}

/* Resources of all players of one spec. */
struct needs {
    int players;
    long memory_mb, threads;
};

/* Nested players included; values that are no spec of a player count nothing. The recursion ends: a nested
 * spec is shorter, and no default names a player with nested defaults. */
static void add_needs(const char *string, struct needs *needs) {
    union player_options options;
    const struct player_type *type = read_spec(string, &options, NULL);
    if (type == NULL)
        return;
    long threads = 1;
    needs->players++;
    for (const struct param *p = type->params; p != NULL && p->name != NULL; p++) {
        const unsigned char *field = options.bytes + p->offset;
        if (p->power == PARAM_SPEC)
            add_needs((const char *)field, needs);
        else if (p->kind == PARAM_INT && strcmp(p->name, "memory") == 0)
            needs->memory_mb += *(const int *)(const void *)field;
        else if (p->kind == PARAM_INT && strcmp(p->name, "threads") == 0)
            threads = *(const int *)(const void *)field;
    }
    if (threads > needs->threads)
        needs->threads = threads;
}

/* Memory adds up, because nested players are open at the same time; threads do not, because they search one
 * after the other. */
bool player_check_needs(const char *spec, int memory_mb_max, int threads_max, struct err *e) {
    struct needs needs = {0};
    add_needs(spec, &needs);
    if (needs.memory_mb > memory_mb_max)
        return err_code(e, "refused.player_memory",
                        "%.64s: memory of %ld megabytes%s; expected at most %d here", spec, needs.memory_mb,
                        needs.players > 1 ? ", all players of the spec together" : "", memory_mb_max);
    if (needs.threads > threads_max)
        return err_code(e, "refused.player_threads", "%.64s: threads=%ld; expected at most %d here", spec,
                        needs.threads, threads_max);
    return true;
}

/* ---- grants ---- */

const struct grant grant_everything = {.powers = ~0U};

static const char *const deeds[PARAM_POWERS] = {
    [PARAM_UNSAID] = "does what its table does not say", /* an error in a table of this program */
    [PARAM_STARTS] = "starts a program",
    [PARAM_CONNECTS] = "opens a connection",
    [PARAM_READS] = "reads a file",
    [PARAM_WRITES] = "writes a file",
};

/* Lines end with a line end each; `line` brings its own. */
static bool has_line(const struct text *lines, const char *line) {
    const size_t size = strlen(line);
    for (const char *at = text_string(lines); *at != '\0'; at = strchr(at, '\n') + 1)
        if (strncmp(at, line, size) == 0)
            return true;
    return false;
}

/* Appends the player's line to `out` when the grant lacks it: "ext:cmd=./bot (starts a program)" and a line
 * end. The values are written as in a spec and shown so that different values look different: comparing lines
 * compares everything. */
static void add_lacking(const struct grant *grant, const struct player_type *type, const void *options,
                        struct text *out) {
    const unsigned powers = params_powers(type->params, options);
    struct text spec = {0}, line = {0};
    if (powers == 0 || (grant != NULL && (powers & ~grant->powers) == 0))
        return;
    text_add_string(&spec, type->name);
    params_write_powers(type->params, options, &spec);
    charset_show(text_string(&spec), spec.size, &line);
    const char *before = " (";
    for (int i = 0; i < PARAM_POWERS; i++)
        if ((powers >> i & 1) != 0) {
            text_add(&line, "%s%s", before, deeds[i]);
            before = ", ";
        }
    text_add_string(&line, ")\n");
    const bool granted = grant != NULL && has_line(&grant->lines, text_string(&line));
    if (!granted && !has_line(out, text_string(&line)))
        text_add_string(out, text_string(&line));
    text_done(&spec);
    text_done(&line);
}

/* False with the first of the missing lines as the reason, if there are any; releases them. */
static bool is_none(struct text *missing, struct err *e) {
    const char *first = text_string(missing);
    const bool none = first[0] == '\0' ||
                      err_set(e, "needs leave, by the same player on the command line or by --programs: %.*s",
                              (int)strcspn(first, "\n"), first);
    text_done(missing);
    return none;
}

bool grant_allows_options(const struct grant *grant, const struct player_type *type, const void *options,
                          struct err *e) {
    struct text missing = {0};
    add_lacking(grant, type, options, &missing);
    return is_none(&missing, e);
}

/* Nested players after the one that contains them: a person reads the list from the outside to the inside. */
bool grant_missing(const struct grant *grant, const char *spec, struct text *out, struct err *e) {
    union player_options options;
    const struct player_type *type = read_spec(spec, &options, e);
    if (type == NULL)
        return false;
    add_lacking(grant, type, &options, out);
    for (const struct param *p = type->params; p != NULL && p->name != NULL; p++) {
        assert(p->power != PARAM_SPEC || p->kind == PARAM_TEXT);
        if (p->power == PARAM_SPEC && !grant_missing(grant, (const char *)options.bytes + p->offset, out, e))
            return false;
    }
    return true;
}

bool grant_allows(const struct grant *grant, const char *spec, struct err *e) {
    struct text missing = {0};
    const bool known = grant_missing(grant, spec, &missing, e);
    return is_none(&missing, known ? e : NULL) && known; /* an unknown player has its own sentence */
}

bool grant_add(struct grant *grant, const char *spec, struct err *e) {
    struct text missing = {0};
    const bool ok = grant_missing(grant, spec, &missing, e);
    if (ok)
        text_add_bytes(&grant->lines, text_string(&missing), missing.size);
    text_done(&missing);
    return ok;
}
