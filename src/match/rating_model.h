/* SPDX-License-Identifier: MIT
 *
 * Private to ratings: the model, its most likely parameters, and the second derivatives there. Everything is
 * in log odds. Parameters of maps meet only their own games, so their part of the second derivatives is
 * diagonal, and they are eliminated (Schur complement): the matrices to be solved have a row a player.
 */
#ifndef MATCH_RATING_MODEL_H
#define MATCH_RATING_MODEL_H

#include "match/rating.h"

/* A symmetric matrix over players and maps whose block of maps is diagonal. */
struct rating_blocks {
    double *pp; /* players x players */
    double *mp; /* maps x players */
    double *mm; /* maps */
};

struct rating_model {
    const struct rating_game *games;
    int count, players, maps;
    double *strength, *side;          /* the parameters */
    double *moderation;               /* by map: the log odds are multiplied by it; at most 1 */
    double dispersion;                /* how much games vary, in units of p (1 - p); 1 without draws */
    double side_mean, side_precision; /* what is thought of sides before the games of one map */
    double *player_prior;             /* curvature of the prior at each strength */
    struct rating_blocks information; /* minus the second derivatives, priors included */
    double *reduced;                  /* players x players: the Cholesky factor after elimination */
    double *player_gradient, *map_gradient;
};

bool rating_model_init(struct rating_model *model, const struct rating_game *games, int count,
                       const struct rating_fit *sizes, struct err *e);
void rating_model_done(struct rating_model *model);

bool rating_blocks_init(struct rating_blocks *blocks, int players, int maps);
void rating_blocks_done(struct rating_blocks *blocks);

/* Finds the most likely parameters. */
void rating_model_fit(struct rating_model *model);

/* The expected payoff of side 0. */
double rating_model_expected(const struct rating_model *model, const struct rating_game *game);

#endif
