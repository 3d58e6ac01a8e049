/* SPDX-License-Identifier: MIT
 *
 * The players that search whole turns and play the best to its end (Sato, Fujiki and Ikeda).
 *
 * `aas`: attack action search (sections 4.3.4 and A.2.3). Enumerates the orders in which units can attack in
 * this turn, and completes each to a whole turn.
 *
 * `dlmc`: depth-limited Monte Carlo (sections 4.3.3 and A.2.4). Draws whole turns at random and values each
 * by short simulations and the linear evaluation. In the paper's evaluation infantry counts for a fifth.
 *
 * A turn is decided once, at its first decision, and played from a plan: asking again after every action
 * would search the same turn with a smaller budget.
 */
#include "player/common.h"
#include "player/player.h"
#include "search/turns.h"

struct options {
    struct common_options common;
    struct sequences_settings sequences; /* aas */
    int eval, nodes, memory_mb;
    struct turns_settings turns; /* dlmc */
    char values[PARAM_TEXT_MAX], policy[PARAM_TEXT_MAX];
};

#define AT(field) offsetof(struct options, field)

/* The choices of `rest` are in the order of enum sequences_rest. */
static const struct param aas_params[] = {
    {"length", PARAM_INT, AT(sequences.length), 0, SEQUENCES_LENGTH_MAX, 0,
     .help = "attacks in a sequence at most; 0: as many as there are units"},
    {"rest", PARAM_CHOICE, AT(sequences.rest), .choices = "random|greedy|stay",
     .help = "what the other units do: any legal action, what gains most at once, or nothing"},
    {"samples", PARAM_INT, AT(sequences.samples), 1, 10000, 1,
     .help = "how many times each sequence is completed at random; the best counts"},
    {"eval", PARAM_CHOICE, AT(eval), .choices = "linear|threat",
     .help = "evaluation after the turn: HP, or also HP that may be lost in the enemy's next turn"},
    {"values", PARAM_TEXT, AT(values),
     .help =
         "weights of the evaluation, F:1,I:0.2 say: what one HP of each type is worth (default: the game's)",
     .power = PARAM_WORD},
    {"merge", PARAM_SWITCH, AT(sequences.merge), .fallback = 1,
     .help = "evaluate positions that several orders lead to only once"},
    {"memory", PARAM_INT, AT(memory_mb), 1, 4096, 16, .help = "megabytes for positions that were merged"},
    {"nodes", PARAM_INT, AT(nodes), 0, 2000000000, 1000000,
     .help = "positions evaluated in a turn at most; 0: no limit"},
    COMMON_TIME,
    COMMON_SEED,
    {0},
};

static const struct param dlmc_params[] = {
    {"turns", PARAM_INT, AT(turns.turns), 1, 1000000, 200,
     .help = "how many whole turns are drawn at random"},
    {"sims", PARAM_INT, AT(turns.sims), 1, 1000000, 100, .help = "random simulations from the end of each"},
    {"horizon", PARAM_INT, AT(turns.horizon), 0, 10000, 2,
     .help = "turns a simulation plays after the drawn one: 1 the enemy's, 2 the enemy's and one's own; 0: "
             "none, only the evaluation"},
    {"values", PARAM_TEXT, AT(values),
     .help =
         "weights of the evaluation at the end of a simulation, F:1,I:0.2 say: what one HP of each type is "
         "worth (default: the game's)",
     .power = PARAM_WORD},
    {"policy", PARAM_TEXT, AT(policy),
     .help = "how simulations are played ('senjutsu games' lists the ways; default: the game's)",
     .power = PARAM_WORD},
    COMMON_TIME,
    COMMON_SEED,
    COMMON_THREADS("threads for one decision; the answer is the same for any number"),
    {0},
};

struct turn_player {
    struct player player; /* first member */
    struct options options;
    double weights[GAME_WEIGHTS_MAX];
    struct sequences *sequences; /* aas */
    struct turns *turns;         /* dlmc */
    struct plan plan;
};

/* Also after an open that failed: what was not opened is NULL. */
static void close_turn(struct player *player) {
    struct turn_player *p = (struct turn_player *)player;
    sequences_close(p->sequences);
    turns_close(p->turns);
    plan_done(&p->plan);
}

/* In a game without a list of attacks every action counts as one: the sequences are whole turns. */
static void score_all(const void *state, const action *list, int count, float *out) {
    (void)state, (void)list;
    for (int i = 0; i < count; i++)
        out[i] = 1;
}

static const struct prior all_attack = {.name = "all", .score = score_all};

/* The game names its attacks by a list and a score of that name; other games have sequences of all
 * actions. */
static bool open_aas(struct player *player, const struct game *game, struct err *e) {
    struct turn_player *p = (struct turn_player *)player;
    struct sequences_settings *s = &p->options.sequences;
    const bool threat = p->options.eval == 1;
    const bool names_attacks = game_list(game, "attacks") != NULL && game_prior(game, "attacks") != NULL;
    s->list = names_attacks ? game_list(game, "attacks") : game->lists;
    s->attacks = names_attacks ? game_prior(game, "attacks") : &all_attack;
    s->order = game_prior(game, "damage");
    s->eval = threat ? game_eval(game, "threat") : common_eval(game, "linear");
    s->weights = p->weights;
    s->moves_matter = threat || !names_attacks;
    s->has_pass = game_offer(game)->can_pass;
    s->pass = game_offer(game)->pass;
    if (s->eval == NULL)
        return err_set(e, "aas: %s has no evaluation%s", game->name, threat ? " threat" : "");
    if (s->rest == SEQUENCES_STAY && !s->has_pass)
        return err_set(e, "aas: rest=stay: in %s a turn cannot be ended", game->name);
    plan_init(&p->plan, game);
    const size_t bytes = s->merge ? (size_t)p->options.memory_mb << 20 : 0;
    return (common_weights("aas", game, p->options.values, p->weights, e) &&
            (p->sequences = sequences_open(game, bytes, e)) != NULL) ||
           err_prefix(e, "aas: ");
}

static bool open_dlmc(struct player *player, const struct game *game, struct err *e) {
    struct turn_player *p = (struct turn_player *)player;
    struct turns_settings *s = &p->options.turns;
    s->rollout = common_rollout("dlmc", game, p->options.policy, e);
    s->eval = common_eval(game, "linear");
    s->weights = p->weights;
    if (s->rollout == NULL)
        return false;
    if (s->eval == NULL)
        return err_set(e, "dlmc: %s has no evaluation", game->name);
    if (!common_weights("dlmc", game, p->options.values, p->weights, e))
        return err_prefix(e, "dlmc: ");
    plan_init(&p->plan, game);
    p->turns = turns_open(game, p->options.common.threads);
    return true;
}

/* Decides the whole turn at its first decision; the plan answers for the others. */
static void choose_turn(struct player *player, const struct ask *ask, struct answer *out) {
    struct turn_player *p = (struct turn_player *)player;
    const struct options *o = &p->options;
    if (plan_answer(&p->plan, ask, out))
        return;
    struct rng own;
    struct turns_result found;
    const struct search_task task = plan_task(ask, &o->common, (uint64_t)o->nodes, &own);
    if (p->turns != NULL) /* dlmc, which has no limit of nodes */
        turns_search(p->turns, &task, &o->turns, &found);
    else
        sequences_search(p->sequences, &task, &o->sequences, &found);
    plan_make(&p->plan, ask, &found.line, found.result.value);
    common_answer(&found.result, out);
}

#define TURN_TYPE(own_name, own_params, own_open, own_help)                                                  \
    {                                                                                                        \
        .name = own_name, .help = own_help, .games = PLAYER_OPEN_GAMES, .size = sizeof(struct turn_player),  \
        .params = own_params, .options_size = sizeof(struct options), .open = own_open,                      \
        .choose = choose_turn, .close = close_turn                                                           \
    }

const struct player_type player_aas = TURN_TYPE(
    "aas", aas_params, open_aas,
    "attack action search: every order of attacks in this turn, completed, evaluated; plays the best");
const struct player_type player_dlmc = TURN_TYPE(
    "dlmc", dlmc_params, open_dlmc,
    "depth-limited Monte Carlo: draws whole turns, values each by short simulations, plays the best");
