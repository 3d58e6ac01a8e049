/* SPDX-License-Identifier: MIT
 *
 * `pg`: no search. A policy learned by self-play scores every move and the best is played (the first of
 * equals), as the champion of GAT2021 did. style=sample draws moves by the softmax of the scores instead, as
 * in learning.
 */
#include "base/file.h"
#include "base/mem.h"
#include "geister/policy.h"
#include "player/common.h"
#include "player/players.h"

#include <assert.h>
#include <string.h>

enum { STYLE_BEST, STYLE_SAMPLE, ACTIONS_MAX = 96 };

struct options {
    int style;
    char weights[PARAM_TEXT_MAX], setup[PARAM_TEXT_MAX];
};

static const struct param params[] = {
    {"style", PARAM_CHOICE, offsetof(struct options, style), .choices = "best|sample",
     .help = "the move with the highest score, or one drawn by the softmax of the scores"},
    {"weights", PARAM_TEXT, offsetof(struct options, weights),
     .help = "a file that 'senjutsu train geister-pg' has written; otherwise our own weights",
     .power = PARAM_READS},
    GEISTER_SETUP(struct options, "random"),
    {0},
};

struct pg {
    struct player player; /* first member */
    struct options options;
    struct setup_strategy setup;
    const struct policy_weights *weights;
    struct policy_weights *own; /* from a file; NULL otherwise */
};

/* ---- opening ---- */

static void close_pg(struct player *player) {
    mem_free(((struct pg *)player)->own);
}

static bool load_weights(struct pg *p, const char *path, struct err *e) {
    struct text text = {0};
    p->own = mem_alloc(sizeof *p->own);
    p->weights = p->own;
    const bool ok = file_read(path, POLICY_TEXT_MAX, &text, e) &&
                    policy_read(path, text_string(&text), text.size, p->own, e);
    text_done(&text);
    return ok;
}

static bool check_pg(const void *options, struct err *e) {
    struct setup_strategy setup;
    return setup_read(((const struct options *)options)->setup, &setup, e) || err_prefix(e, "pg: ");
}

static bool open_pg(struct player *player, const struct game *game, const struct grant *grant,
                    struct err *e) {
    (void)game, (void)grant;
    struct pg *p = (struct pg *)player;
    p->weights = policy_builtin();
    return geister_player_setup(player, p->options.setup, &p->setup, e) &&
           (p->options.weights[0] == '\0' || load_weights(p, p->options.weights, e));
}

/* ---- choosing ---- */

static int draw(const float *scores, int count, struct rng *r) {
    float chances[ACTIONS_MAX];
    memcpy(chances, scores, (size_t)count * sizeof *scores);
    policy_softmax(chances, count);
    return policy_draw(chances, count, r);
}

static void tell(const action *actions, const float *scores, int count, struct thoughts *out) {
    thoughts_start(out);
    for (int i = 0; i < count; i++)
        thoughts_add(
            out,
            &(struct thought){
                .action = actions[i], .value = (double)scores[i], .line_count = 1, .line = {actions[i]}},
            false);
}

static void choose_pg(struct player *player, const struct ask *ask, struct answer *out) {
    const struct pg *p = (const struct pg *)player;
    if (geister_player_sets(&p->setup, ask, out))
        return;
    action actions[ACTIONS_MAX], moves[ACTIONS_MAX];
    float scores[ACTIONS_MAX];
    struct geister_observation seen;
    assert(ask->game->actions_max <= ACTIONS_MAX);
    const int count = ask->game->actions(ask->view, actions);
    for (int i = 0; i < count; i++)
        moves[i] = geister_turned(actions[i], ask->side);
    geister_observe(ask->view, ask->side, &seen);
    policy_scores(p->weights, &seen, moves, count, scores);
    const int chosen =
        p->options.style == STYLE_SAMPLE ? draw(scores, count, ask->rng) : policy_best(scores, count);
    out->chosen = actions[chosen];
    out->value = (double)scores[chosen];
    out->work_done = (uint64_t)count;
    if (ask->thoughts != NULL)
        tell(actions, scores, count, ask->thoughts);
}

const struct player_type player_pg = {
    .name = "pg",
    .help = "no search: plays the move that a policy learned by self-play scores highest (Geister)",
    .games = PLAYER_GEISTER,
    .size = sizeof(struct pg),
    .params = params,
    .options_size = sizeof(struct options),
    .check = check_pg,
    .open = open_pg,
    .choose = choose_pg,
    .close = close_pg,
};
