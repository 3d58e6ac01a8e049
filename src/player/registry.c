/* SPDX-License-Identifier: MIT
 *
 * The list of players, and opening one from a spec string.
 */
#include "base/mem.h"
#include "player/grant.h"
#include "player/player.h"
#include "player/players.h"

#include <assert.h>
#include <math.h>
#include <string.h>

const struct player_type *const player_types[] = {
    &player_random, &player_acteval, &player_uct,   &player_pwuct, &player_muct,
    &player_minmax, &player_dlmc,    &player_aas,   &player_split, &player_first,
    &player_ext,    &player_pimc,    &player_iimc,  &player_amcts, &player_ismcts,
    &player_pg,     &player_gst_a,   &player_gst_b, &player_gst_c, &player_nissy,
    &player_purple, &player_eacp,    &player_guess, &player_geist, NULL};

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

const struct player_type *player_read(const char *string, union player_options *options, struct err *e) {
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
    return type->check == NULL || type->check(options, e) ? type : NULL;
}

struct player *player_open(const char *spec, const struct game *game, struct err *e) {
    return player_open_granted(spec, game, NULL, e);
}

static bool plays(const struct player_type *type, const struct game *game, struct err *e) {
    const char *name = game_public_name(game); /* the tactical game has several tables */
    switch (type->games) {
    case PLAYER_ANY_GAME: break;
    case PLAYER_OPEN_GAMES:
        return game->hide == NULL ||
               err_set(e,
                       "%s needs a game in which nothing is hidden; %s hides something: use ismcts or pimc",
                       type->name, game->name);
    case PLAYER_TBS:
        return strcmp(name, "tbs") == 0 ||
               err_code(e, "refused.tactical_only", "%s plays only the tactical game, not %s", type->name,
                        game->name);
    case PLAYER_GEISTER:
        return strcmp(name, "geister") == 0 ||
               err_code(e, "refused.geister_only", "%s plays only Geister, not %s", type->name, game->name);
    }
    return true;
}

struct player *player_open_granted(const char *spec, const struct game *game, const struct grant *grant,
                                   struct err *e) {
    union player_options options;
    const struct player_type *type = player_read(spec, &options, e);
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

void player_choose(struct player *player, const struct ask *ask, struct answer *out) {
    *out = (struct answer){.value = (double)NAN};
    if (ask->thoughts != NULL)
        thoughts_start(ask->thoughts);
    player->type->choose(player, ask, out);
}

void player_choose_in(struct player *player, const struct position_ask *in, struct answer *out) {
    const struct game *game = in->game;
    const int side = game->mover(in->state);
    assert(side != NOBODY);
    _Alignas(16) unsigned char view[GAME_STATE_MAX];
    game_view(game, in->state, side, view);
    const struct ask ask = {.game = game,
                            .view = view,
                            .side = side,
                            .taken = in->taken,
                            .budget = in->budget,
                            .rng = in->rng,
                            .history = in->history,
                            .thoughts = in->thoughts,
                            .watch = in->watch};
    player_choose(player, &ask, out);
}

void player_close(struct player *player) {
    if (player == NULL)
        return;
    if (player->type->close != NULL)
        player->type->close(player);
    mem_free(player);
}

bool player_check(const char *spec, struct text *canonical, struct err *e) {
    union player_options options;
    const struct player_type *type = player_read(spec, &options, e);
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
    struct spec spec;
    union player_options options = {0};
    const struct player_type *type = spec_parse(string, &spec, NULL) ? player_type_find(spec.name) : NULL;
    if (type == NULL || !params_read(type->params, &spec, &options, NULL))
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
    if (threads > needs->threads) /* they search one after the other */
        needs->threads = threads;
}

bool player_check_needs(const char *spec, int memory_mb_max, int threads_max, struct err *e) {
    struct needs needs = {0};
    add_needs(spec, &needs);
    if (needs.memory_mb > memory_mb_max)
        return err_set(e, "%.64s: memory of %ld megabytes%s; expected at most %d here", spec, needs.memory_mb,
                       needs.players > 1 ? ", all players of the spec together" : "", memory_mb_max);
    if (needs.threads > threads_max)
        return err_set(e, "%.64s: threads=%ld; expected at most %d here", spec, needs.threads, threads_max);
    return true;
}
