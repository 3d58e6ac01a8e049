/* SPDX-License-Identifier: MIT */
#include "match/figures.h"

#include "match/elo.h"

json_t *figures_tally(const struct tally *t) {
    const struct interval i = stats_wilson(tally_score(t), tally_games(t), STATS_Z95);
    return json_pack("{s[ii] si sf s[ff]}", "wins", t->wins, t->losses, "draws", t->draws, "score",
                     tally_score(t), "interval", i.low, i.high);
}

json_t *figures_elo(const struct pairs *pairs) {
    const struct elo_estimate e = elo_estimate(pairs);
    return json_pack("{sf sf s[ff] sf}", "difference", e.elo, "error", e.error, "interval", e.elo - e.error,
                     e.elo + e.error, "superiority", e.superiority);
}

json_t *figures_pairs(const struct pairs *pairs) {
    const int *n = pairs->counts;
    return json_pack("[iiiii]", n[0], n[1], n[2], n[3], n[4]);
}
