/* SPDX-License-Identifier: MIT
 *
 * An event: its rules, entrants, maps and seed, and the event as JSON. schedule.h derives the games from it.
 */
#ifndef TOURNAMENT_EVENT_H
#define TOURNAMENT_EVENT_H

#include "game/game.h"
#include "match/record.h"
#include "tournament/event_file.h"

#include <stdint.h>

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

/* The whole event as JSON, maps included, and back. Equal events give equal texts. */
bool event_write(const struct event *event, struct text *out, struct err *e);
bool event_read(const char *name, const char *text, size_t size, struct event *out, struct err *e);
void event_done(struct event *event);

/* False when the two texts are different events; the sentence names the first difference. */
bool event_compare(const char *stored, const char *given, struct err *e);

#endif
