/* SPDX-License-Identifier: MIT
 *
 * A tournament: its rules, entrants, maps and seed. Rules (format, number of games, clocks, points,
 * tie-breaks) come from an event file (JSON) or a preset: docs/tournaments.md. schedule.h derives the games
 * from a tournament; standings depend on the rules and the games alone.
 */
#ifndef TOURNAMENT_TOURNAMENT_H
#define TOURNAMENT_TOURNAMENT_H

#include "game/game.h"
#include "match/clocked_game.h"
#include "match/record.h"

#include <stdint.h>

/* ---- rules ---- */

enum { TOURNAMENT_TIE_BREAKS_MAX = 6, TOURNAMENT_RULES_GAMES_MAX = 100000 };
enum {
    TOURNAMENT_TITLE_MAX = 128,
    TOURNAMENT_RULE_SET_MAX = 32,
    TOURNAMENT_GAME_MAX = 256,
    EVENT_FILE_MAX = 1 << 20
};

enum tournament_format {
    TOURNAMENT_ROUND_ROBIN,
    TOURNAMENT_GAUNTLET,
    TOURNAMENT_SWISS,
    TOURNAMENT_KNOCK_OUT,
    TOURNAMENT_FORMATS
};

enum tournament_tie_break {
    TOURNAMENT_TIE_HEAD_TO_HEAD, /* points in the games of the tied among themselves */
    TOURNAMENT_TIE_BUCHHOLZ,     /* the sum of the opponents' points, one summand a game */
    TOURNAMENT_TIE_SONNEBORN,    /* the points of beaten opponents and half of those drawn with */
    TOURNAMENT_TIE_WINS,
    TOURNAMENT_TIE_FAULTS, /* fewer first. All tie-breaks count the main stage */
    TOURNAMENT_TIE_BREAKS,
};

struct tournament_rules {
    char title[TOURNAMENT_TITLE_MAX];       /* UTF-8 without control characters; may be empty */
    char game[TOURNAMENT_GAME_MAX];         /* a spec: "tbs", "synth:df=0.5" */
    char rule_set[TOURNAMENT_RULE_SET_MAX]; /* of the tactical game: "tubstap"; empty: its default */
    enum tournament_format format;
    int rounds;             /* of a Swiss; 0: as many as a knock-out would need */
    int challengers;        /* of a gauntlet: this many first entrants meet all others; otherwise 1 */
    int games;              /* per pairing and map; even numbers are played from both sides equally often */
    bool both_sides;        /* refuses an odd number of games */
    int maps_per_pairing;   /* 0: all; otherwise drawn for each pairing (Swiss, knock-out: each round) */
    bool not_own_maps;      /* no player plays on a map of its own author */
    double win, draw, loss; /* points */
    struct timing timing;
    int tie_break_count;
    enum tournament_tie_break tie_breaks[TOURNAMENT_TIE_BREAKS_MAX]; /* each at most once */
    int playoff_places;      /* ties for these places are played off; 0: none */
    int playoff_games;       /* per pairing and map */
    int playoff_repeats_max; /* how often a play-off, or a drawn pairing of a knock-out, is played again */
    int final_players;       /* a knock-out of this many best players follows; 0: none */
    int final_games;         /* per pairing and map */
    int disqualify_after;    /* faults; 0: never. Later games are then lost without being played */
};

/* As in the file: "round-robin", …; "head-to-head", … */
extern const char *const tournament_format_names[TOURNAMENT_FORMATS];
extern const char *const tournament_tie_break_names[TOURNAMENT_TIE_BREAKS];

extern const struct param tournament_params[]; /* over struct tournament_rules */

/* Rows that commands, files and requests have in their own structs: the preset, and the games of a match. */
enum { MATCH_GAMES_MAX = 100000000 };
#define TOURNAMENT_PRESET_ROW(at)                                                                            \
    "preset", PARAM_STRING, (at), .value = "NAME",                                                           \
                                  .help = "settings of a known tournament, as in gat-tactical"
#define MATCH_GAMES_ROW(at) "games", PARAM_INT, (at), 1, MATCH_GAMES_MAX, 100, .help = "how many games"

/* tbs, round robin, 2 games, 1/0.5/0, no clock, no tie-breaks */
void tournament_rules_default(struct tournament_rules *out);

/* Presets, ended by a NULL name. */
struct tournament_rules_preset {
    const char *name, *help, *json;
};
extern const struct tournament_rules_preset tournament_rules_presets[];

/* Starts from the defaults (or, with "preset", from that preset) and reads every field. Unknown and
 * contradictory fields are refused. Messages begin with `name` and, if known, the line; they name the field
 * and what was expected. On false *out is undefined. */
bool event_file_read(const char *name, const char *text, size_t size, struct tournament_rules *out,
                     struct err *e);
bool tournament_rules_preset(const char *name, struct tournament_rules *out, struct err *e);

/* Is every field in its range, and are they consistent? For rules that were changed after reading. */
bool tournament_rules_check(const struct tournament_rules *rules, struct err *e);

/* Writes all fields as JSON, always in the same order; event_file_read restores the same rules. False
 * when a text is no UTF-8. */
bool event_file_write(const struct tournament_rules *rules, struct text *out, struct err *e);

/* `text` is a valid JSON object. Returns the line (from 1) of `key` in it, or in its member `group` when that
 * is not NULL; 0 when the key is missing (or written with escapes). */
int event_file_line(const char *text, size_t size, const char *group, const char *key);

/* ---- tournaments ---- */

enum {
    TOURNAMENT_PLAYERS_MAX = 256,
    TOURNAMENT_MAPS_MAX = 1024,
    TOURNAMENT_GAMES_MAX = 10000000,
    TOURNAMENT_NAME_MAX = 256
};

struct entrant {
    char name[TOURNAMENT_NAME_MAX]; /* unique in the tournament */
    char spec[RECORD_NAME_MAX];
    char author[TOURNAMENT_NAME_MAX]; /* may be empty */
};

/* A game without maps has one entry, named by its spec. */
struct tournament_map {
    char name[TOURNAMENT_NAME_MAX];
    char author[TOURNAMENT_NAME_MAX]; /* may be empty */
    struct scenario *scenario;        /* NULL in a tournament that is not played, only reported */
};

struct tournament {
    struct tournament_rules rules;
    int player_count, map_count;
    struct entrant *players;
    struct tournament_map *maps;
    uint64_t seed;
    bool owns_scenarios; /* tournament_done unloads them; otherwise they are borrowed */
};

/* Is the rules' game played on maps? False for an unknown game. */
bool tournament_takes_maps(const struct tournament_rules *rules);

/* Loads a map of the rules' game; `map` is NULL for a game without maps. The caller unloads it. */
struct scenario *tournament_load(const struct tournament_rules *rules, const struct game_source *map,
                                 struct err *e);

/* The rules as a new JSON value; NULL when a text is no UTF-8. */
struct json_t *tournament_rules_json(const struct tournament_rules *rules, struct err *e);

/* The whole tournament as JSON, maps included, and back. Equal tournaments give equal texts. */
bool tournament_write(const struct tournament *tournament, struct text *out, struct err *e);
bool tournament_read(const char *name, const char *text, size_t size, struct tournament *out, struct err *e);
void tournament_done(struct tournament *tournament);

/* False when the two texts are different tournaments; the sentence names the first difference. */
bool tournament_compare(const char *stored, const char *given, struct err *e);

/* ---- setting up: first the rules, then the entrants, then the maps or the game ---- */

/* Adds a map; `name` is unique and stands in tables, the source's name in messages. A game without maps has
 * one entry: its spec as the name, and no source. */
bool tournament_add_map(struct tournament *tournament, const char *name, const struct game_source *source,
                        struct err *e);

/* Are there enough entrants for the rules? */
bool tournament_check_players(const struct tournament *tournament, struct err *e);

/* A list like `uct:sims=60,dlmc:turns=50;sims=20,random`. Commas separate players, except commas within [ ]
 * or " " and those before a part that begins with KEY=, which continues the player before it. Within a
 * player's options ; means a comma. Names are the specs as written; a second one of the same name gets " (2)"
 * behind it. */
bool entrants_parse(const char *list, struct tournament *tournament, struct err *e);

/* A JSON list: [{"spec": "uct:sims=60", "name": "Taro's bot", "author": "Taro"}, …]; name and author are
 * optional. */
bool entrants_read(const char *name, const char *text, size_t size, struct tournament *tournament,
                   struct err *e);

#endif
