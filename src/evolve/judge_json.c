/* SPDX-License-Identifier: MIT
 *
 * What was found out about a map, for programs. docs/map-generation.md explains every member.
 */
#include "evolve/judge.h"

#include "evolve/looks.h"
#include "evolve/remarks.h"
#include "evolve/trial_store.h"

#include <jansson.h>

int judge_id(const struct tbs_map *map, const struct tbs_rules *rules, const char *strong, const char *weak) {
    const uint64_t players = trial_digest_players(rules, strong, weak);
    return (int)(trial_digest(players, map) & INT32_MAX);
}

/* null: it was not measured. What a judgement guesses then is for searches, not for people. */
static json_t *share_json(const struct share *share, bool is_measured) {
    if (!is_measured || share->games == 0)
        return json_null();
    return json_pack("{s:f, s:[f,f], s:i}", "value", share->value, "interval", share->interval.low,
                     share->interval.high, "games", share->games);
}

/* Of all games: the mean, and in which share of them there was one at least. */
static json_t *first_kills_json(const struct judgement *j) {
    json_t *sides = json_object();
    for (int side = 0; side < TBS_SIDES; side++)
        json_object_set_new(sides, tbs_side_names[side],
                            json_pack("{s:f, s:f}", "mean", judgement_first_kills_mean(j, side), "any",
                                      judgement_first_kills(j, side, 1)));
    return sides;
}

static bool has_both(const struct judgement *j) {
    return tally_games(&j->strong[TBS_RED]) > 0 && tally_games(&j->strong[TBS_BLUE]) > 0;
}

static bool has_peers(const struct judgement *j) {
    return tally_games(&j->peers) > 0;
}

json_t *judge_judgement_json(const struct judgement *j) {
    const struct share strength = judgement_strength(j), red = judgement_red(j),
                       decisive = judgement_decisive(j), with_red = judgement_strong_with(j, TBS_RED),
                       with_blue = judgement_strong_with(j, TBS_BLUE);
    return json_pack("{s:i, s:{s:o, s:o, s:o}, s:o, s:o, s:f, s:o, s:i, s:i}", "games", judgement_games(j),
                     "strong", "both", share_json(&strength, has_both(j)), "as_red",
                     share_json(&with_red, true), "as_blue", share_json(&with_blue, true),
                     "red_between_equals", share_json(&red, has_peers(j)), "decisive",
                     share_json(&decisive, true), "turns", judgement_turns(j), "first_turn_kills",
                     first_kills_json(j), "annihilations", j->annihilated, "forfeits", j->forfeits);
}

static json_t *looks_json(const struct looks *l) {
    json_t *root =
        json_pack("{s:f, s:f, s:i, s:i, s:i}", "natural", l->natural, "coherence", l->coherence, "roads",
                  l->roads, "isolated_roads", l->isolated_roads, "road_ends", l->road_ends);
    for (int side = 0; side < TBS_SIDES; side++)
        json_object_set_new(root, tbs_side_names[side],
                            json_pack("{s:i, s:i, s:i, s:i}", "first_attacks", l->first_attacks[side],
                                      "attackers", l->attackers[side], "no_prey", l->no_prey[side],
                                      "stranded", l->stranded[side]));
    return root;
}

json_t *judge_json(const struct judge_subject *s, const struct tbs_rules *rules, double fair) {
    const struct share unknown = {0},
                       strength = has_both(&s->judgement) ? judgement_strength(&s->judgement) : unknown,
                       red = has_peers(&s->judgement) ? judgement_red(&s->judgement) : unknown;
    struct looks looks;
    struct remarks remarks;
    looks_of(s->map, rules, &looks);
    remarks_make(s->map, rules, &s->judgement, &remarks);
    json_t *root = judge_judgement_json(&s->judgement);
    json_t *more = json_pack("{s:s, s:s, s:b, s:o, s:o}", "fairness", remarks_fairness(&red, fair),
                             "strength", remarks_strength(&strength), "tight", s->tight, "looks",
                             looks_json(&looks), "remarks", remarks_json(&remarks));
    if (root != NULL)
        json_object_update(root, more);
    json_decref(more);
    return root;
}
