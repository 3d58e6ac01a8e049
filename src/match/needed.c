/* SPDX-License-Identifier: MIT */
#include "match/needed.h"

#include "base/ln.h"
#include "match/elo.h"
#include "match/stats.h"

#include <assert.h>
#include <math.h>

/* The standard deviation of one game's score: wins w = s - d/2 and draws d give w + d/4 - s^2. */
static double deviation(double score, double draws) {
    return sqrt(fmax(score - draws / 4 - score * score, 0));
}

double needed_elo_max(const struct needed *needed) {
    const double score = 1 - fmax(needed->draws, 1e-6) / 2;
    return elo_from_score(score);
}

/* Unrounded: both kinds of error are as wanted when the difference is (z_alpha sd_0 + z_power sd_1) / sqrt n.
 */
static double games_for(const struct needed *needed, double elo) {
    const double z_alpha = stats_normal_quantile(1 - needed->alpha / (needed->two_sided ? 2 : 1));
    const double z_power = stats_normal_quantile(needed->power);
    const double score = elo_to_score(elo), root = (z_alpha * deviation(0.5, needed->draws) +
                                                    z_power * deviation(score, needed->draws)) /
                                                   (score - 0.5);
    return root * root;
}

bool needed_games(const struct needed *needed, double elo, int *out, struct err *e) {
    const double size = fabs(elo), most = needed_elo_max(needed);
    if (!(size > 0))
        return err_set(e, "a difference of 0 Elo cannot be shown");
    if (size > most)
        return err_set(e, "a difference of %g Elo leaves no room for %g%% draws; expected at most %.0f Elo",
                       elo, 100 * needed->draws, floor(most));
    const double games = games_for(needed, size);
    if (!(games <= NEEDED_GAMES_MAX))
        return err_set(e, "a difference of %g Elo needs more than %d games", elo, NEEDED_GAMES_MAX);
    *out = 2 * (int)ceil(games / 2 - 1e-9);
    if (*out < 2)
        *out = 2;
    return true;
}

bool needed_elo(const struct needed *needed, int games, double *out, struct err *e) {
    assert(games > 0);
    double low = 0, high = needed_elo_max(needed);
    if (games_for(needed, high) > games)
        return err_set(e, "%d games are too few to show any difference with that power", games);
    for (int i = 0; i < 100; i++) {
        const double middle = (low + high) / 2;
        if (games_for(needed, middle) > games)
            low = middle;
        else
            high = middle;
    }
    *out = high;
    return true;
}

double needed_error(const struct needed *needed, int games) {
    assert(games > 0);
    return STATS_Z95 * ELO_PER_LOGIT * deviation(0.5, needed->draws) / sqrt(games) / 0.25;
}

struct needed_sequential needed_sequential(const struct needed *needed, double elo) {
    const double alpha = needed->alpha, beta = 1 - needed->power;
    const double upper = ln_of((1 - beta) / alpha), lower = ln_of(beta / (1 - alpha));
    const double gap = elo_to_score(fabs(elo)) - 0.5;
    const double middle = deviation(0.5 + gap / 2, needed->draws), variance = middle * middle;
    const double drift =
        gap * gap / (2 * variance); /* of the log-likelihood ratio, a game; minus it if none */
    return (struct needed_sequential){
        .if_none = -(alpha * upper + (1 - alpha) * lower) / drift,
        .if_there = ((1 - beta) * upper + beta * lower) / drift,
        .halfway = -upper * lower / (2 * drift),
    };
}
