/* SPDX-License-Identifier: MIT
 *
 * `guess`: colours guessed from how pieces move, a move chosen by rules, no search (geister/guess.h). Ties
 * are broken at random.
 */
#include "geister/guess.h"

#include "base/mem.h"
#include "player/common.h"
#include "player/players.h"

struct options {
    char setup[PARAM_TEXT_MAX];
};

static const struct param params[] = {
    GEISTER_SETUP(struct options, "random"),
    {0},
};

struct guess_player {
    struct player player; /* first member */
    struct setup_strategy setup;
};

static void close_guess(struct player *player) {
    mem_free(player);
}

static struct player *open_guess(const struct player_type *type, const struct game *game, const void *options,
                                 struct err *e) {
    struct guess_player *p = mem_alloc(sizeof *p);
    if (p == NULL) {
        err_set(e, "guess: not enough memory");
        return NULL;
    }
    p->player.type = type;
    if (geister_player_needs("guess", game, ((const struct options *)options)->setup, &p->setup, e))
        return &p->player;
    close_guess(&p->player);
    return NULL;
}

static int draw_best(const struct guess_verdict *verdict, struct rng *r) {
    int best = 0, equals = 0;
    for (int i = 0; i < verdict->count; i++) {
        const double lead = verdict->scores[i] - verdict->scores[best];
        if (i > 0 && lead < 0)
            continue;
        equals = lead > 0 ? 1 : equals + 1;
        if (lead > 0 || rng_below(r, (uint32_t)equals) == 0)
            best = i;
    }
    return best;
}

static void choose_guess(struct player *player, const struct ask *ask, struct answer *out) {
    struct guess_player *p = (struct guess_player *)player;
    if (geister_player_sets(&p->setup, ask, out))
        return;
    struct guess_verdict verdict;
    guess_moves(ask->view, ask->side, &verdict);
    const int best = draw_best(&verdict, ask->rng);
    out->chosen = geister_player_move(ask, verdict.moves[best]);
    out->value = verdict.scores[best];
    out->work_done = (uint64_t)verdict.count;
    for (int i = 0; i < verdict.count && ask->thoughts != NULL; i++) {
        const struct thought thought = {.action = geister_player_move(ask, verdict.moves[i]),
                                        .value = verdict.scores[i]};
        thoughts_add(ask->thoughts, &thought, false);
    }
}

const struct player_type player_guess = {
    .name = "guess",
    .help =
        "Geister: guesses colours from how pieces move, and plays by rules (after the champion of GAT2018)",
    .params = params,
    .options_size = sizeof(struct options),
    .open = open_guess,
    .choose = choose_guess,
    .close = close_guess,
};
