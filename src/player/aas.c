/* SPDX-License-Identifier: MIT
 *
 * `aas`: attack action search (Sato, Fujiki and Ikeda, sections 4.3.4 and A.2.3). Enumerates the orders in
 * which units can attack in this turn, completes each to a whole turn, and plays the best to its end.
 */
#include "game/game.h"
#include "player/common.h"
#include "player/players.h"
#include "search/sequences.h"

enum { EVAL_LINEAR, EVAL_THREAT };

struct options {
    int length, rest, samples, eval, nodes, memory_mb;
    bool merge;
    char values[PARAM_TEXT_MAX];
    struct common_options common;
};

/* The choices of `rest` are in the order of enum sequences_rest. */
static const struct param params[] = {
    {"length", PARAM_INT, offsetof(struct options, length), 0, SEQUENCES_LENGTH_MAX, 0,
     .help = "attacks in a sequence at most; 0: as many as there are units"},
    {"rest", PARAM_CHOICE, offsetof(struct options, rest), .choices = "random|greedy|stay",
     .help = "what the other units do: any legal action, what gains most at once, or nothing"},
    {"samples", PARAM_INT, offsetof(struct options, samples), 1, 10000, 1,
     .help = "how many times each sequence is completed at random; the best counts"},
    {"eval", PARAM_CHOICE, offsetof(struct options, eval), .choices = "linear|threat",
     .help = "evaluation after the turn: HP, or also HP that may be lost in the enemy's next turn"},
    {"values", PARAM_TEXT, offsetof(struct options, values),
     .help =
         "weights of the evaluation, F:1,I:0.2 say: what one HP of each type is worth (default: the game's)",
     .power = PARAM_WORD},
    {"merge", PARAM_SWITCH, offsetof(struct options, merge), .fallback = 1,
     .help = "evaluate positions that several orders lead to only once"},
    {"memory", PARAM_INT, offsetof(struct options, memory_mb), 1, 4096, 16,
     .help = "megabytes for positions that were merged"},
    {"nodes", PARAM_INT, offsetof(struct options, nodes), 0, 2000000000, 1000000,
     .help = "positions evaluated in a turn at most; 0: no limit"},
    COMMON_TIME(struct options),
    COMMON_SEED(struct options),
    {0},
};

struct aas {
    struct player player; /* first member */
    struct options options;
    struct sequences_settings settings;
    double weights[GAME_WEIGHTS_MAX];
    struct sequences *sequences;
    struct plan plan;
};

/* In a game without a list of attacks every action counts as one: the sequences are whole turns. */
static void score_all(const void *state, const action *list, int count, float *out) {
    (void)state, (void)list;
    for (int i = 0; i < count; i++)
        out[i] = 1;
}

static const struct prior all_attack = {.name = "all", .score = score_all};

static bool prepare(struct aas *p, const struct game *game, struct err *e) {
    const struct options *o = &p->options;
    const bool names_attacks = game_list(game, "attacks") != NULL && game_prior(game, "attacks") != NULL;
    p->settings = (struct sequences_settings){
        .list = names_attacks ? game_list(game, "attacks") : game->lists,
        .attacks = names_attacks ? game_prior(game, "attacks") : &all_attack,
        .length = o->length,
        .rest = (enum sequences_rest)o->rest,
        .samples = o->samples,
        .order = game_prior(game, "damage"),
        .eval = o->eval == EVAL_THREAT ? game_eval(game, "threat") : common_eval(game, "linear"),
        .weights = p->weights,
        .moves_matter = o->eval == EVAL_THREAT || !names_attacks,
        .merge = o->merge,
        .has_pass = game_offer(game)->can_pass,
        .pass = game_offer(game)->pass,
    };
    if (p->settings.eval == NULL)
        return err_set(e, "%s has no evaluation%s", game->name, o->eval == EVAL_THREAT ? " threat" : "");
    if (p->settings.rest == SEQUENCES_STAY && !p->settings.has_pass)
        return err_set(e, "rest=stay: in %s a turn cannot be ended", game->name);
    plan_init(&p->plan, game);
    return common_weights("aas", game, o->values, p->weights, e) &&
           (p->sequences = sequences_open(game, o->merge ? (size_t)o->memory_mb << 20 : 0, e)) != NULL;
}

static bool open_aas(struct player *player, const struct game *game, const struct grant *grant,
                     struct err *e) {
    (void)grant;
    return prepare((struct aas *)player, game, e) || err_prefix(e, "aas: ");
}

static void close_aas(struct player *player) {
    struct aas *p = (struct aas *)player;
    sequences_close(p->sequences);
    plan_done(&p->plan);
}

static void choose_aas(struct player *player, const struct ask *ask, struct answer *out) {
    struct aas *p = (struct aas *)player;
    if (plan_answer(&p->plan, ask, out))
        return;
    struct rng own;
    struct sequences_result found;
    const struct search_task task = plan_task(ask, &p->options.common, (uint64_t)p->options.nodes, &own);
    sequences_search(p->sequences, &task, &p->settings, &found);
    plan_make(&p->plan, ask, &found.line, found.result.value);
    common_answer(&found.result, out);
}

const struct player_type player_aas = {
    .name = "aas",
    .help = "attack action search: every order of attacks in this turn, completed, evaluated; plays the best",
    .games = PLAYER_OPEN_GAMES,
    .size = sizeof(struct aas),
    .params = params,
    .options_size = sizeof(struct options),
    .open = open_aas,
    .choose = choose_aas,
    .close = close_aas,
};
