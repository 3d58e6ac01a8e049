/* SPDX-License-Identifier: MIT
 *
 * Live games: games that people and players play, or look at, on the page. The page and the HTTP API call
 * them "tables".
 *
 *     live_game.c         one game: its state, JSON and streams, every change, its players' thinking
 *     live_games.c        the list of all games, their files, clocks and advisers
 *     live_game_routes.c  requests under /api/tables
 *
 * All functions are called with the workbench's lock held.
 */
#ifndef SERVE_LIVE_GAME_H
#define SERVE_LIVE_GAME_H

#include "match/clocked_game.h"
#include "serve/inside.h"

enum {
    LIVE_GAME_ACTIONS_MAX = 4000,  /* a game that gets longer is stopped */
    LIVE_GAME_THOUGHTS_MAX = 1000, /* steps whose thoughts are stored */
    LIVE_GAME_CANDIDATES = 12,     /* candidates stored of a step's thoughts */
    LIVE_GAME_REASON_MAX = 160,    /* bytes of the reason why a game cannot be saved */
    LIVE_GAME_NAME_MAX = 81,       /* bytes of a name of a person or player, with its NUL */
};

/* Which sides' keys a reader holds, a bit each. All readers with the same keys are one audience. */
enum { SIDES_NONE = 0, SIDES_BOTH = 3, AUDIENCES };

/* Is that side one of these (bits)? NOBODY is none. */
static inline bool live_game_has_side(unsigned sides, int side) {
    return side != NOBODY && (sides >> side & 1) != 0;
}

struct live_game_seat {
    bool is_human;
    char name[LIVE_GAME_NAME_MAX];
    char spec[SPEC_TEXT_MAX]; /* "" for a person */
    char key[SERVE_ID_MAX];   /* "" for a player */
};

/* Data of one action that its record does not hold. */
struct live_game_step {
    char *thoughts; /* JSON; NULL: none */
    char *text;     /* cached JSON without chance and thoughts, with nothing hidden; NULL: not cached */
    double
        chance; /* side 0's chance to win after the step; NAN: the adviser gave none, or was not asked yet */
};

struct topic;
struct live_game_thinker;

/* What happens to a game: live_game_open makes it; the caller fills in seats and clock; live_game_start
 * begins it; live_games_add saves and lists it. From then on requests, its players and its clock change it,
 * and each change ends in live_game_update, which does what has become due. A finished game stays in the list
 * without tasks and streams, until it is deleted or newer games need its place. */

struct live_game {
    struct live_games *games;
    struct live_game *next; /* the next older one */
    int holders;            /* reference count: the list, and every task that works on the game */
    bool is_removed;        /* from the list; tasks may still hold it */
    char id[SERVE_ID_MAX], created[64];
    uint64_t number;    /* games are numbered in the order of creation */
    json_t *start_json; /* "game", "map", "map_text", "rules" of the request; owned */
    struct scenario *scenario;
    struct live_game_seat seats[2];
    bool wants_thoughts;

    json_t *loaded_message; /* of a game from a file: its live_game_message_json; owned, may be NULL */

    char clock[SPEC_TEXT_MAX]; /* the timing as the request gave it */
    struct record record;
    struct clocked_game game;     /* is_stopped: stopped, or loaded from a record */
    struct live_game_step *steps; /* one for each of the record's actions */
    int steps_capacity, advised;  /* advised: the adviser is done with all steps before this one */
    int version;                  /* changes when actions are taken back */
    bool has_thoughts;            /* thoughts are in memory; otherwise they are in their file */
    bool thoughts_saved;          /* the file exists */
    uint64_t thoughts_hash;       /* of the content last written or checked; 0: none was */
    int offer;                    /* the side that asks to take back, or NOBODY */

    struct live_game_thinker *thinker; /* the current one; NULL: no player is thinking */
    bool is_waiting, is_advised;       /* waiting for a thread; an adviser works on it now */
    struct topic *topics[AUDIENCES];
    size_t cached_bytes;                        /* of the steps' cached texts */
    int64_t touched_ns, saved_ns, published_ns; /* changed; attempted to save; shown */
    bool is_changed;                            /* since it was last written */
    bool is_urgent;                             /* changed, and no attempt was made to write that change */
    char unsaved[LIVE_GAME_REASON_MAX];         /* why the last attempt to write failed; "": it did not */
};

/* All live games. Lists are walked from the newest on: there are some hundred at most (live_games.c). */
struct live_games {
    struct workbench *bench;
    struct live_game *newest;
    uint64_t number_next;
    int advisers;                    /* running adviser tasks */
    size_t cached_bytes, cached_max; /* of all steps' cached texts */
    bool is_ticking;
};

/* ---- live_game.c: state ---- */

/* A new game, held once, in no list. Takes ownership of the scenario. The caller sets seats, seed and date
 * before live_game_start. */
struct live_game *live_game_open(struct live_games *games, struct scenario *scenario);

/* Begins the game with `clock`; `position` (may be NULL) is the text of the first position. */
bool live_game_start(struct live_game *live, uint64_t seed, const char *position, struct err *e);
/* Gives up a hold; the last one frees the game. Its files stay. */
void live_game_drop(struct live_game *live);

/* Plays a legal action in record, game and steps. Clocks stay as they are, and nothing is published. */
void live_game_add(struct live_game *live, action a, double milliseconds);

static inline const void *live_game_state(const struct live_game *live) {
    return live->game.referee.state;
}

static inline int live_game_mover(const struct live_game *live) { /* NOBODY: the game is over */
    return clocked_game_mover(&live->game);
}

static inline bool live_game_is_over(const struct live_game *live) {
    return live_game_mover(live) == NOBODY;
}

static inline bool live_game_has_people(const struct live_game *live) {
    return live->seats[0].is_human || live->seats[1].is_human;
}

/* Does the game hide something from a reader at the moment? */
bool live_game_has_secrets(const struct live_game *live);

/* Can its record be had now? Its seed determines further outcomes of chance, and its actions are replayed
 * from the start of the game. */
bool live_game_has_record(const struct live_game *live);

/* Have the actions after the first `count` revealed something hidden to one of these sides (bits)? Then they
 * cannot be taken back: a person has seen it. */
bool live_game_has_revealed(const struct live_game *live, int count, unsigned sides);

/* The number of actions before the last turn in which one of these sides (bits) acted; -1: none has. *side
 * (may be NULL) is the one that acted last. */
int live_game_turn_start(const struct live_game *live, unsigned sides, int *side);

/* The sides (bits) of a key, or of several keys separated by commas; -1: a wrong key. */
int live_game_sides(const struct live_game *live, const char *key);

/* Nanoseconds of the workbench's clock; only differences have a meaning. */
int64_t live_game_now(const struct live_game *live);

/* ---- live_game.c: changes ---- */

/* Changes by people. They are on the disk before they are published. A change that cannot be written is
 * undone: false and a reason. */
bool live_game_act(struct live_game *live, action a, struct err *e);
bool live_game_make_offer(struct live_game *live, int side, struct err *e); /* NOBODY: withdraws it */

/* That side resigns. NOBODY: stops a game between players. */
bool live_game_end(struct live_game *live, int side, struct err *e);

/* To the position after `count` actions. A whole turn that starts again has its full time per turn. */
bool live_game_go_back(struct live_game *live, int count, bool is_whole_turn, struct err *e);

/* After the game has ended otherwise: publishes that, and saves it as soon as possible. */
void live_game_conclude(struct live_game *live);

/* Called after every change and on every visit: saves the game, starts players and advisers, and ends the
 * streams of a finished game. */
void live_game_update(struct live_game *live);

/* The reason why a file cannot be written or removed, the second argument of base/file.h's messages. Paths of
 * the server are not shown on the page. */
const char *live_game_save_error(const struct err *e);

/* Starts a thinker if a player is to move and none is running. After _cancel_thinking the running thinker's
 * answer will be discarded. */
void live_game_think(struct live_game *live);
void live_game_cancel_thinking(struct live_game *live);

/* ---- live_game.c: JSON and streams ---- */

/* "comment" as data: {"code": …, "args": […], "prefix": …}; NULL where there is only the text. */
json_t *live_game_message_json(const struct live_game *live);

/* The entry of the list of games. */
json_t *live_game_info_json(const struct live_game *live);

/* The whole game as the audience may see it: *Table* in docs/http-api.md. Marks the game as shown now, so
 * that its cached texts are the last to be dropped. */
void live_game_write(struct live_game *live, unsigned sides, struct text *out);

/* Has the side to move, which is one of these, acted in this turn? Does not check live_game_has_revealed. */
bool live_game_may_undo(const struct live_game *live, unsigned sides);

/* A stream for that audience, held for the caller. It is opened with a snapshot for the first reader; all
 * readers of one audience share it. */
struct topic *live_game_stream(struct live_game *live, unsigned sides);
void live_game_end_streams(struct live_game *live);
int live_game_readers(const struct live_game *live);

/* Publishes something that is the same for all audiences, and drops it. A status replaces the last one. */
void live_game_publish(struct live_game *live, const char *name, json_t *data, bool is_status);

/* ---- live_games.c: files ---- */

/* Returns true once the file is on the disk. is_changed is cleared then; is_urgent is cleared in any case,
 * because an attempt was made. */
bool live_game_save(struct live_game *live, struct err *e);
void live_game_save_thoughts(struct live_game *live);
void live_game_load_thoughts(struct live_game *live); /* from their file, unless they are in memory */
void live_game_drop_thoughts(struct live_game *live); /* those of a finished game that are in their file */
bool live_game_remove_files(const struct live_game *live, struct err *e);

/* ---- live_games.c: the list, and the tasks for all games ---- */

/* Are there steps whose chance to win is not estimated yet, and may it be estimated now? */
bool live_game_needs_advice(const struct live_game *live);
/* Starts adviser tasks, up to their limit, for games that need advice. */
void live_games_advise(struct live_games *games);
/* Starts the task that watches clocks and saves games, if it is needed and not running. */
void live_games_start_ticking(struct live_games *games);

/* Saves the game and adds it to the list, which takes the caller's hold; old games may be removed. False when
 * the game cannot be saved: then the caller still holds it. */
bool live_games_add(struct live_games *games, struct live_game *live, struct err *e);
void live_games_remove(struct live_games *games, struct live_game *live); /* with its files and streams */

/* Is there room for another unfinished game? If not, 429 in `out`. One left for a day may be removed. */
bool live_games_have_room(struct live_games *games, bool has_people, struct message_out *out);

/* A new game of the request POST /api/tables, in the list; NULL after an answer or a reason in out->why. */
struct live_game *live_games_create(struct live_games *games, const json_t *body, struct message_out *out);

/* NULL when there is none. */
struct live_game *live_games_get(struct live_games *games, const char *id);

/* NULL after a 404. Ends the game first if the clock of the person to move has run out, so that no request
 * sees it as one that goes on. */
struct live_game *live_games_find(struct live_games *games, const char *id, struct message_out *out);

#endif
