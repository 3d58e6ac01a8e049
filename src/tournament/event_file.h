/* SPDX-License-Identifier: MIT
 *
 * The rules of an event: format, number of games, maps, clocks, points and tie-breaks. They are read from an
 * event file (JSON) or a preset (docs/tournaments.md). Standings depend on them and the games alone.
 */
#ifndef TOURNAMENT_EVENT_FILE_H
#define TOURNAMENT_EVENT_FILE_H

#include "base/spec.h"
#include "base/text.h"
#include "match/timing.h"

enum {
    EVENT_TIE_BREAKS_MAX = 6,
    EVENT_FILE_MAX = 1 << 20,
    EVENT_TITLE_MAX = 128,
    EVENT_RULE_SET_MAX = 32,
    EVENT_GAME_MAX = 256,
    EVENT_RULES_GAMES_MAX = 10000
};

enum event_format { EVENT_ROUND_ROBIN, EVENT_GAUNTLET, EVENT_SWISS, EVENT_KNOCK_OUT, EVENT_FORMATS };

enum event_tie_break {
    EVENT_TIE_HEAD_TO_HEAD, /* points in the games of the tied among themselves */
    EVENT_TIE_BUCHHOLZ,     /* the sum of the opponents' points, one summand a game */
    EVENT_TIE_SONNEBORN,    /* the points of beaten opponents and half of those drawn with */
    EVENT_TIE_WINS,
    EVENT_TIE_FAULTS, /* fewer first. All tie-breaks count the main stage */
    EVENT_TIE_BREAKS,
};

struct event_rules {
    char title[EVENT_TITLE_MAX];       /* UTF-8 without control characters; may be empty */
    char game[EVENT_GAME_MAX];         /* a spec: "tbs", "synth:df=0.5" */
    char rule_set[EVENT_RULE_SET_MAX]; /* of the tactical game: "tubstap"; empty: its default */
    enum event_format format;
    int rounds;             /* of a Swiss; 0: as many as a knock-out would need */
    int challengers;        /* of a gauntlet: this many first entrants meet all others; otherwise 1 */
    int games;              /* per pairing and map; even numbers are played from both sides equally often */
    bool both_sides;        /* refuses an odd number of games */
    int maps_per_pairing;   /* 0: all; otherwise drawn for each pairing (Swiss, knock-out: each round) */
    bool not_own_maps;      /* no player plays on a map of its own author */
    double win, draw, loss; /* points */
    struct timing timing;
    int tie_break_count;
    enum event_tie_break tie_breaks[EVENT_TIE_BREAKS_MAX]; /* each at most once */
    int playoff_places;                                    /* ties for these places are played off; 0: none */
    int playoff_games;                                     /* per pairing and map */
    int playoff_repeats_max; /* how often a play-off, or a drawn pairing of a knock-out, is played again */
    int final_players;       /* a knock-out of this many best players follows; 0: none */
    int final_games;         /* per pairing and map */
    int disqualify_after;    /* faults; 0: never. Later games are then lost without being played */
};

/* As in the file: "round-robin", …; "head-to-head", … */
extern const char *const event_format_names[EVENT_FORMATS];
extern const char *const event_tie_break_names[EVENT_TIE_BREAKS];

extern const struct param event_params[]; /* over struct event_rules */

void event_rules_default(
    struct event_rules *out); /* tbs, round robin, 2 games, 1/0.5/0, no clock, no tie-breaks */

/* Presets, ended by a NULL name. */
struct event_rules_preset {
    const char *name, *help, *json;
};
extern const struct event_rules_preset event_rules_presets[];

/* Starts from the defaults (or, with "preset", from that preset) and reads every field. Unknown and
 * contradictory fields are refused. Messages begin with `name` and, if known, the line; they name the field
 * and what was expected. On false *out is undefined. */
bool event_file_read(const char *name, const char *text, size_t size, struct event_rules *out, struct err *e);
bool event_rules_preset(const char *name, struct event_rules *out, struct err *e);

/* Is every field in its range, and are they consistent? For rules that were changed after reading. */
bool event_rules_check(const struct event_rules *rules, struct err *e);

/* Writes all fields as JSON, always in the same order; event_file_read restores the same rules. False
 * when a text is no UTF-8. */
bool event_file_write(const struct event_rules *rules, struct text *out, struct err *e);

/* `text` is a valid JSON object. Returns the line (from 1) of `key` in it, or in its member `group` when that
 * is not NULL; 0 when the key is missing (or written with escapes). */
int event_file_line(const char *text, size_t size, const char *group, const char *key);

#endif
