/* SPDX-License-Identifier: MIT
 *
 * Private to the reports: counts of the games, and the texts and numbers that all reports share.
 */
#ifndef TOURNAMENT_REPORT_DATA_H
#define TOURNAMENT_REPORT_DATA_H

#include "base/columns.h"
#include "tournament/report.h"

/* Two players in one round of a knock-out or a play-off. */
struct report_meeting {
    int stage, round;
    int players[2];
    struct tally tally; /* of players[0] */
    int games_open;     /* scheduled, but not played yet */
};

struct report_clock {
    int64_t think_ns, decisions, longest_ns;
};

struct report_data {
    int player_count;
    struct tally *cross;             /* main stage: [a * player_count + b] is a's result against b */
    struct tally *by_map;            /* by map: the first side's result in all stages */
    struct report_clock *clocks;     /* by player, all stages */
    struct report_meeting *meetings; /* in the order they were scheduled */
    int meeting_count, meeting_capacity;
};

void report_data_make(const struct report *report, struct report_data *out);
void report_data_done(struct report_data *data);

const struct tally *report_cross(const struct report_data *data, int player, int opponent);
double report_points(const struct report *report, const struct tally *tally);
struct interval report_interval(const struct tally *tally); /* 95% */

/* Does standings[row] share its place? Then *last is the last of the shared places. */
bool report_place_is_shared(const struct report *report, int row, int *last);

/* How many faults of all kinds a player had. */
int report_faults(const struct standing *standing);
bool report_is_disqualified(const struct report *report, const struct standing *standing);

/* The value of the rules' tie-break with that index; for faults their number. */
double report_tie_break(const struct report *report, const struct standing *standing, int index);

/* What the forfeiter did: "answered after its time was over". */
const char *report_ruling(const struct outcome *outcome);

/* The mean payoff of the main stage on the game's own scale, with its 95 % interval; false for games that are
 * only won, drawn or lost, and without games. */
struct report_payoff {
    double mean;
    struct interval interval;
    struct payoff_scale scale;
    int observations;
};
bool report_payoff(const struct report *report, const struct standing *standing, struct report_payoff *out);
bool report_has_payoffs(const struct report *report);

/* The standings as a table; `out` must not be moved. */
struct standing_table {
    struct columns table;
    struct column list[COLUMNS_MAX];
    char names[EVENT_TIE_BREAKS_MAX + PLAYER_FAULTS][40];
};
void report_standings(const struct report *report, struct standing_table *out);

#endif
