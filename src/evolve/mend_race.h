/* SPDX-License-Identifier: MIT
 *
 * Candidates for a mended map, and the race between them: a few games each, then twice as many for those that
 * may still be good, ever fewer of them. Private to src/evolve/mend*.c.
 */
#ifndef EVOLVE_MEND_RACE_H
#define EVOLVE_MEND_RACE_H

#include "evolve/mend_sets.h"

enum {
    MEND_FIRST_GAMES = 3,  /* of each in a race */
    MEND_ROUND_MAX = 4096, /* candidates of one race */
};

struct candidate {
    int id;
    struct mend_set set;
    struct tbs_map map;
    struct judgement judgement;
};

struct mender {
    const struct mend_run *run;
    const struct mend_options *options;
    struct mend_result *out;
    struct mend_changes list;
    double base;    /* red's score at the start */
    double decided; /* so many of the games between equals must be */
    int next_id;
    int ray_round; /* how often rays were drawn */
    int reserve;   /* games that races must leave */
    bool stopped;

    struct request *requests; /* room for MEND_ROUND_MAX */
    struct candidate *round;
    int round_capacity, count; /* candidates of this race; after it the best come first */
    int survived;

    struct mend_sets sets;
    struct candidate best; /* of all that are known well enough; set.count 0: the map as it is */
};

/* ---- questions ---- */

static inline double mend_middle(const struct mender *m) {
    return (m->options->low + m->options->high) / 2;
}

/* Red's score is in the target, and enough games are decided. */
bool mend_is_good(const struct mender *m, const struct judgement *j);

/* How far from that: of the score from the middle, and how many decided games there are too few. */
double mend_distance(const struct mender *m, const struct judgement *j);

/* May it be good, as far as intervals of that width tell? */
bool mend_still_reaches(const struct mender *m, const struct judgement *j, double z);

/* The share of games between equals that are not drawn. */
double mend_decided(const struct judgement *j);

/* Log-odds of a score in that many games, half a game more on either side so that they are finite. */
double mend_log_odds(double score, int games);

/* What one map's judgement takes: before, and once more at the end. */
int mend_judgement_price(int games_sure);

/* What the search may still use; and what its races may, which leave enough to confirm something. */
int mend_games_left(const struct mender *m);
int mend_games_for_races(const struct mender *m);

/* ---- games: false also when it was stopped ---- */

/* So many of each kind on one map, numbered on from `first`. */
bool mend_play(struct mender *m, const struct candidate *c, int first, const int games[TRIAL_KINDS],
               struct judgement *into, struct err *e);

/* `games` more of peers for each candidate from `from` up to `to`. */
bool mend_play_peers(struct mender *m, int from, int to, int games, struct err *e);

/* ---- the race ---- */

/* A set that is not possible on this map is left out. */
bool mend_add_candidate(struct mender *m, const struct mend_set *set, struct err *e);

/* After it, `survived` candidates are left, the nearest first. It ends early when there are no games left for
 * it. All of them have had that many games already: 0, 3, 6 or 12. */
bool mend_race(struct mender *m, int had, struct err *e);

/* Notes what is known about a candidate: for sets that are built on it, and whether it is the best of all. */
void mend_remember(struct mender *m, const struct candidate *c);

#endif
