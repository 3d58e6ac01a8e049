/* SPDX-License-Identifier: MIT
 *
 * The rules of an event: who meets whom, on which maps, how long they may think, what a win is worth and how
 * ties are broken. They come from a JSON file or a preset (docs/tournaments.md); standings follow from them
 * and the games alone.
 */
#ifndef TOURNAMENT_RULES_H
#define TOURNAMENT_RULES_H

#include "base/err.h"
#include "base/text.h"
#include "match/timing.h"

enum {
    RULES_TIE_BREAKS_MAX = 6,
    RULES_TEXT_MAX = 1 << 20,
    RULES_TITLE_MAX = 128,
    RULES_NAME_MAX = 32,
    RULES_GAME_MAX = 256,
    RULES_GAMES_MAX = 10000
};

enum rules_format { RULES_ROUND_ROBIN, RULES_GAUNTLET, RULES_SWISS, RULES_KNOCK_OUT, RULES_FORMATS };

enum rules_tie_break {
    RULES_TIE_HEAD_TO_HEAD, /* points in the games of the tied among themselves */
    RULES_TIE_BUCHHOLZ,     /* the opponents' points, each as often as met */
    RULES_TIE_SONNEBORN,    /* points of those beaten, half of those drawn with */
    RULES_TIE_WINS,
    RULES_TIE_FAULTS, /* fewer first; like all of these, of the main stage */
    RULES_TIE_BREAKS,
};

struct rules {
    char title[RULES_TITLE_MAX];   /* UTF-8 without control characters; may be empty */
    char game[RULES_GAME_MAX];     /* a spec: "tbs", "synth:df=0.5" */
    char rule_set[RULES_NAME_MAX]; /* of the tactical game: "tubstap"; empty: its default */
    enum rules_format format;
    int rounds;           /* of a Swiss; 0: as many as a knock-out would need */
    int challengers;      /* gauntlet: the first so many meet all others; otherwise 1 */
    int games;            /* per pairing and map; even numbers are played from both sides equally often */
    bool both_sides;      /* promised: an odd number of games is refused */
    int maps_per_pairing; /* 0: all; otherwise so many, drawn for each pairing (Swiss, knock-out: each round)
                           */
    bool not_own_maps;    /* nobody plays on a map they authored */
    double win, draw, loss; /* points */
    struct timing timing;
    int tie_break_count;
    enum rules_tie_break tie_breaks[RULES_TIE_BREAKS_MAX]; /* each at most once */
    int playoff_places;                                    /* ties for these places are played off; 0: none */
    int playoff_games;                                     /* per pairing and map */
    int playoff_repeats_max; /* how often a play-off, or a drawn pairing of a knock-out, is played again */
    int final_players;       /* a knock-out of so many best follows; 0: none */
    int final_games;         /* per pairing and map */
    int disqualify_after;    /* faults; 0: never. Games not begun yet are then lost without being played */
};

/* "round-robin", …; "head-to-head", … as the file says them. */
extern const char *const rules_format_names[RULES_FORMATS];
extern const char *const rules_tie_break_names[RULES_TIE_BREAKS];

void rules_default(struct rules *out); /* tbs, round robin, 2 games, 1/0.5/0, no clock, no tie-breaks */

/* Presets, ended by a NULL name. */
struct rules_preset {
    const char *name, *help, *json;
};
extern const struct rules_preset rules_presets[];

/* Starts from the defaults (or, with "preset", from that preset) and reads every field, refusing unknown ones
 * and rules that contradict each other. Messages begin with `name` and, where it is known, the line; they say
 * which field is wrong and what was expected. On false *out holds nothing of use. */
bool rules_read(const char *name, const char *text, size_t size, struct rules *out, struct err *e);
bool rules_preset(const char *name, struct rules *out, struct err *e);

/* Is every field in its range, and do they agree? For rules that were changed after they were read. */
bool rules_check(const struct rules *rules, struct err *e);

/* The whole of it as JSON, every field, always in the same order; rules_read gives the same rules back.
 * False only when memory ran out. */
bool rules_write(const struct rules *rules, struct text *out, struct err *e);

#endif
