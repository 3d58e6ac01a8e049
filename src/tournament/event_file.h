/* SPDX-License-Identifier: MIT
 *
 * The rules of an event: format, number of games, maps, clocks, points and tie-breaks. They are read from an
 * event file (JSON) or a preset (docs/tournaments.md). Standings depend on them and the games alone.
 */
#ifndef TOURNAMENT_EVENT_FILE_H
#define TOURNAMENT_EVENT_FILE_H

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
    RULES_TIE_BUCHHOLZ,     /* the sum of the opponents' points, one summand a game */
    RULES_TIE_SONNEBORN,    /* the points of beaten opponents and half of those drawn with */
    RULES_TIE_WINS,
    RULES_TIE_FAULTS, /* fewer first. All tie-breaks count the main stage */
    RULES_TIE_BREAKS,
};

struct rules {
    char title[RULES_TITLE_MAX];   /* UTF-8 without control characters; may be empty */
    char game[RULES_GAME_MAX];     /* a spec: "tbs", "synth:df=0.5" */
    char rule_set[RULES_NAME_MAX]; /* of the tactical game: "tubstap"; empty: its default */
    enum rules_format format;
    int rounds;             /* of a Swiss; 0: as many as a knock-out would need */
    int challengers;        /* of a gauntlet: the first entrants, who meet all others; otherwise 1 */
    int games;              /* per pairing and map; even numbers are played from both sides equally often */
    bool both_sides;        /* refuses an odd number of games */
    int maps_per_pairing;   /* 0: all; otherwise drawn for each pairing (Swiss, knock-out: each round) */
    bool not_own_maps;      /* no player plays on a map of its own author */
    double win, draw, loss; /* points */
    struct timing timing;
    int tie_break_count;
    enum rules_tie_break tie_breaks[RULES_TIE_BREAKS_MAX]; /* each at most once */
    int playoff_places;                                    /* ties for these places are played off; 0: none */
    int playoff_games;                                     /* per pairing and map */
    int playoff_repeats_max; /* how often a play-off, or a drawn pairing of a knock-out, is played again */
    int final_players;       /* a knock-out of this many best players follows; 0: none */
    int final_games;         /* per pairing and map */
    int disqualify_after;    /* faults; 0: never. Later games are then lost without being played */
};

/* As in the file: "round-robin", …; "head-to-head", … */
extern const char *const rules_format_names[RULES_FORMATS];
extern const char *const rules_tie_break_names[RULES_TIE_BREAKS];

void rules_default(struct rules *out); /* tbs, round robin, 2 games, 1/0.5/0, no clock, no tie-breaks */

/* Presets, ended by a NULL name. */
struct rules_preset {
    const char *name, *help, *json;
};
extern const struct rules_preset rules_presets[];

/* Starts from the defaults (or, with "preset", from that preset) and reads every field. Unknown and
 * contradictory fields are refused. Messages begin with `name` and, if known, the line; they name the field
 * and what was expected. On false *out is undefined. */
bool rules_read(const char *name, const char *text, size_t size, struct rules *out, struct err *e);
bool rules_preset(const char *name, struct rules *out, struct err *e);

/* Is every field in its range, and are they consistent? For rules that were changed after reading. */
bool rules_check(const struct rules *rules, struct err *e);

/* Writes all fields as JSON, always in the same order; rules_read restores the same rules. False only when
 * memory ran out. */
bool rules_write(const struct rules *rules, struct text *out, struct err *e);

/* `text` is a valid JSON object. Returns the line (from 1) of `key` in it, or in its member `group` when that
 * is not NULL; 0 when the key is missing (or written with escapes). */
int rules_line(const char *text, size_t size, const char *group, const char *key);

#endif
