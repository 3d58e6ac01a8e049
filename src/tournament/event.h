/* SPDX-License-Identifier: MIT
 *
 * An event: its rules, entrants, maps and seed, and the games that follow from them. Everything here is a
 * pure function: what is to be played next depends only on the event and the results so far, so an event that
 * was interrupted goes on where it stopped, whoever plays the games and in whatever order they end.
 */
#ifndef TOURNAMENT_EVENT_H
#define TOURNAMENT_EVENT_H

#include "game/game.h"
#include "match/record.h"
#include "tournament/rules.h"

#include <stdint.h>

enum { EVENT_PLAYERS_MAX = 256, EVENT_MAPS_MAX = 1024, EVENT_GAMES_MAX = 10000000, EVENT_NAME_MAX = 256 };

struct entrant {
    char name[EVENT_NAME_MAX]; /* unique in the event */
    char spec[RECORD_NAME_MAX];
    char author[EVENT_NAME_MAX]; /* may be empty */
};

/* A game that is played without maps has one of these, with its spec for a name. */
struct event_map {
    char name[EVENT_NAME_MAX];
    char author[EVENT_NAME_MAX]; /* may be empty */
    struct scenario *scenario;   /* borrowed; NULL where nothing is played: only tables are made */
};

struct event {
    struct rules rules;
    int player_count, map_count;
    struct entrant *players;
    struct event_map *maps;
    uint64_t seed;
    bool owns_scenarios; /* event_done unloads them */
};

enum event_stage { STAGE_MAIN, STAGE_PLAYOFF, STAGE_FINAL, STAGES };

extern const char *const event_stage_names[STAGES];

/* One game that is to be played. Games come in pairs wherever their number allows: 2k and 2k+1 of a pairing
 * on a map are the same map from both sides. */
struct fixture {
    int number; /* in the event, from 0 */
    int stage, round;
    int players[2]; /* by side */
    int map;
    int pair; /* the same for a game and its mirror; -1: it has none */
    uint64_t seed;
    uint64_t deal; /* of what the game itself draws: a mirror's is that of the game before; 0: as the seed */
};

/* What became of it. */
struct outcome {
    bool played;
    double payoff; /* of side 0 */
    int forfeiter, fault;
    int actions, turns, lead_changes;
    int64_t think_ns[2], longest_ns[2];
    int decisions[2];
    char result[64];
};

/* A game with clocks in which this program was stopped: it says nothing, and was played again. */
struct void_game {
    int number;     /* the fixture's */
    int actions;    /* played until then */
    int64_t gap_ns; /* how long this program was stopped */
};

/* All fixtures known so far, by number, with their outcomes; grows batch by batch. */
struct games {
    int count, capacity;
    struct fixture *fixtures;
    struct outcome *outcomes;
    int stage, round;                 /* of the last batch */
    int walkovers[EVENT_PLAYERS_MAX]; /* games of the main stage won without being played: by a bye, or
                                         against somebody who was disqualified */
    int byes[EVENT_PLAYERS_MAX];
    int void_count, void_capacity;
    struct void_game *voids; /* in the order they came; one game may be there more than once */
};

void games_init(struct games *games);
void games_done(struct games *games);

/* Adds the fixtures of the next batch: those that can be named once all so far are played. *more is false
 * when there are none left: the event is over. All fixtures there must have been played. */
bool event_next_batch(const struct event *event, struct games *games, bool *more, struct err *e);

/* Is the rules' game played on maps? False (also) for one that is not known. */
bool event_takes_maps(const struct rules *rules);

/* Loads a map of the rules' game; NULL: what is played without one. The caller unloads it. */
struct scenario *event_load(const struct rules *rules, const struct game_source *map, struct err *e);

/* The event as JSON with everything in it, maps included, and back. The same event is the same text. */
bool event_write(const struct event *event, struct text *out, struct err *e);
bool event_read(const char *name, const char *text, size_t size, struct event *out, struct err *e);
void event_done(struct event *event);

/* False when the two texts are not the same event; the sentence says what `given` has and `kept` had. */
bool event_compare(const char *kept, const char *given, struct err *e);

/* How many games the event will have, as far as that is known now: what is known and, for rounds to come,
 * what they will have at least. */
int event_games_expected(const struct event *event, const struct games *games);

#endif
