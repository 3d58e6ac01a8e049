/* SPDX-License-Identifier: MIT
 *
 * An event: its rules, entrants, maps and seed. Rules (format, number of games, clocks, points, tie-breaks)
 * come from an event file (JSON) or a preset: docs/tournaments.md. schedule.h derives the games from an
 * event; standings depend on the rules and the games alone.
 */
#ifndef TOURNAMENT_EVENT_H
#define TOURNAMENT_EVENT_H

#include "game/game.h"
#include "match/clocked_game.h"
#include "match/record.h"

#include <stdint.h>

/* ---- rules ---- */

enum { EVENT_TIE_BREAKS_MAX = 6, EVENT_RULES_GAMES_MAX = 10000 };
enum { EVENT_TITLE_MAX = 128, EVENT_RULE_SET_MAX = 32, EVENT_GAME_MAX = 256, EVENT_FILE_MAX = 1 << 20 };

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

/* tbs, round robin, 2 games, 1/0.5/0, no clock, no tie-breaks */
void event_rules_default(struct event_rules *out);

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

/* ---- events ---- */

enum { EVENT_PLAYERS_MAX = 256, EVENT_MAPS_MAX = 1024, EVENT_GAMES_MAX = 10000000, EVENT_NAME_MAX = 256 };

struct entrant {
    char name[EVENT_NAME_MAX]; /* unique in the event */
    char spec[RECORD_NAME_MAX];
    char author[EVENT_NAME_MAX]; /* may be empty */
};

/* A game without maps has one entry, named by its spec. */
struct event_map {
    char name[EVENT_NAME_MAX];
    char author[EVENT_NAME_MAX]; /* may be empty */
    struct scenario *scenario;   /* NULL in an event that is not played, only reported */
};

struct event {
    struct event_rules rules;
    int player_count, map_count;
    struct entrant *players;
    struct event_map *maps;
    uint64_t seed;
    bool owns_scenarios; /* event_done unloads them; otherwise they are borrowed */
};

/* Is the rules' game played on maps? False for an unknown game. */
bool event_takes_maps(const struct event_rules *rules);

/* Loads a map of the rules' game; `map` is NULL for a game without maps. The caller unloads it. */
struct scenario *event_load(const struct event_rules *rules, const struct game_source *map, struct err *e);

/* The rules as a new JSON value; NULL when a text is no UTF-8. */
struct json_t *event_rules_json(const struct event_rules *rules, struct err *e);

/* The whole event as JSON, maps included, and back. Equal events give equal texts. */
bool event_write(const struct event *event, struct text *out, struct err *e);
bool event_read(const char *name, const char *text, size_t size, struct event *out, struct err *e);
void event_done(struct event *event);

/* False when the two texts are different events; the sentence names the first difference. */
bool event_compare(const char *stored, const char *given, struct err *e);

/* ---- setting up: first the rules, then the entrants, then the maps or the game ---- */

/* Adds a map; `name` is unique and stands in tables, the source's name in messages. A game without maps has
 * one entry: its spec as the name, and no source. */
bool event_add_map(struct event *event, const char *name, const struct game_source *source, struct err *e);

/* Are there enough entrants for the rules? */
bool event_check_players(const struct event *event, struct err *e);

/* A list like `uct:sims=60,dlmc:turns=50;sims=20,random`. Commas separate players, except commas within [ ]
 * or " " and those before a part that begins with KEY=, which continues the player before it. Within a
 * player's options ; means a comma. Names are the specs as written; a second one of the same name gets " (2)"
 * behind it. */
bool entrants_parse(const char *list, struct event *event, struct err *e);

/* A JSON list: [{"spec": "uct:sims=60", "name": "Taro's bot", "author": "Taro"}, …]; name and author are
 * optional. */
bool entrants_read(const char *name, const char *text, size_t size, struct event *event, struct err *e);

#endif
