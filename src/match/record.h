/* SPDX-License-Identifier: MIT
 *
 * The record of one game: the map or options, the players, every action, the result. There are three file
 * formats: our JSON (any game), the platform's .sgf (the tactical game) and the official server's log
 * (Geister).
 */
#ifndef MATCH_RECORD_H
#define MATCH_RECORD_H

#include "game/game.h"
#include "player/player.h"

enum { RECORD_TEXT_MAX = 64 << 20, RECORD_ACTIONS_MAX = 1 << 20, RECORD_NAME_MAX = SPEC_TEXT_MAX };

/* The random streams of one game, derived from its seed: the game's own, then one a seat. */
enum { RECORD_STREAM_GAME, RECORD_STREAM_SEAT };

struct record_action {
    action action;
    float milliseconds; /* thinking time; negative (RECORD_NO_TIME): unknown */
};

struct record {
    char game[32], rules[32]; /* the tactical game's rule set; empty for other games */
    struct text map;          /* the map file's text; nothing for games without maps */
    struct text options;      /* of other games, as in a spec: "df=0.5,depth=8" */
    char players[2][RECORD_NAME_MAX];
    char date[64]; /* ISO 8601, or the platform's; may be empty */
    uint64_t seed;
    uint64_t deal; /* the seed of the game's own random numbers; 0: `seed` */
    int count, capacity;
    struct record_action *actions;
    char result[64];               /* in the game's notation, or "none" for an unfinished game */
    char comment[RECORD_NAME_MAX]; /* for example a ruling: "blue forfeits: illegal action …"; may be empty */
};

void record_init(struct record *record);
void record_done(struct record *record);

/* Fills game, map, options and players of a new record. */
void record_describe(struct record *record, const struct scenario *scenario, const char *const players[2]);

enum { RECORD_NO_TIME = -1 };
bool record_add(struct record *record, action a, double milliseconds, struct err *e);

/* The scenario the record was played on; the caller unloads it. */
struct scenario *record_scenario(const struct record *record, struct err *e);

/* The first `count` actions of a record followed by hypothetical ones, as the history of a game for players
 * that use it. It borrows all of them. (In games with hidden information the history has no actions.) */
struct record_line {
    const struct record *record;
    int count;
    const action *further; /* may be NULL when further_count is 0 */
    int further_count;
};

struct game_history record_history(const struct record_line *line, const struct scenario *scenario);

/* Does the game draw random numbers at its start (cards, a tree)? Then the games of a pair share the deal. */
bool record_deals(const struct scenario *scenario);

/* The generator of the game's own random numbers, at its start. */
struct rng record_game_rng(uint64_t seed, uint64_t deal);

/* Walks through a record, action by action, each checked against the rules. */
struct replay {
    const struct record *record;
    const struct scenario *scenario;
    int next; /* index of the action to be played next */
    struct rng rng;
    struct turn_count turn;
    _Alignas(16) unsigned char state[GAME_STATE_MAX];
};

void replay_start(struct replay *replay, const struct record *record, const struct scenario *scenario);

/* Plays the next action (there must be one); false when the rules forbid it. */
bool replay_step(struct replay *replay, struct err *e);

/* Starts and plays `count` actions, or all if the record has fewer. */
bool replay_to(struct replay *replay, const struct record *record, const struct scenario *scenario, int count,
               struct err *e);

/* JSON. */
bool record_write_json(const struct record *record, struct text *out, struct err *e);

/* The same, faster, for callers that have the scenario. */
bool record_write_json_of(const struct record *record, const struct scenario *scenario, struct text *out,
                          struct err *e);
bool record_read_json(const char *name, const char *text, size_t size, struct record *out, struct err *e);

/* The platform's .sgf. Reading re-executes the actions and compares: on the first difference from the rules
 * (damages, turn, an illegal action) it fills `difference` and keeps the actions before it. */
bool record_write_sgf(const struct record *record, struct text *out, struct err *e);
bool record_read_sgf(const char *name, const char *text, size_t size, struct record *out,
                     struct err *difference, struct err *e);

/* Logs of the official Geister server. Reading skips rejected lines. The winner is compared with the rules,
 * and `difference` (may be NULL) filled when they disagree. A log contains neither names nor times. */
bool record_is_log(const char *text);
bool record_write_log(const struct record *record, struct text *out, struct err *e);
bool record_read_log(const char *name, const char *text, size_t size, struct record *out,
                     struct err *difference, struct err *e);

/* A form of records; the ending decides which program opens the file where it is saved. */
struct record_form {
    const char *name, *title, *ending, *type;
    bool (*write)(const struct record *record, struct text *out, struct err *e);
};

/* The form of that name; NULL when records of the game do not have it: all have "json", and what game_offer
 * names. */
const struct record_form *record_find_form(const struct game *game, const char *name, struct err *e);

/* Any of the formats, recognised by the beginning ('{' is JSON; "player=", "fault=" and "winner=" a log). */
bool record_read(const char *name, const char *text, size_t size, struct record *out, struct err *difference,
                 struct err *e); /* NUL-terminated behind its size */
bool record_load(const char *path, struct record *out, struct err *difference, struct err *e);

#endif
