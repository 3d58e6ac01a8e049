/* SPDX-License-Identifier: MIT
 *
 * `guess`: colours guessed from how pieces move, a move chosen by rules, no search (geister/guess.h). Ties
 * are broken at random.
 */
#include "geister/guess.h"

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
    struct options options;
    struct setup_strategy setup;
};

static bool open_guess(struct player *player, const struct game *game, const struct grant *grant,
                       struct err *e) {
    (void)game, (void)grant;
    struct guess_player *p = (struct guess_player *)player;
    return geister_player_setup(player, p->options.setup, &p->setup, e);
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
    .games = PLAYER_GEISTER,
    .size = sizeof(struct guess_player),
    .params = params,
    .options_size = sizeof(struct options),
    .open = open_guess,
    .choose = choose_guess,
};
