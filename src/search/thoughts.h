/* SPDX-License-Identifier: MIT
 *
 * What a search can report about its decision beyond the action: candidates with values and visits, lines of
 * play, how much was done. A caller that wants it hands in an empty struct (zeros); a search fills it at the
 * end, and on the way for a watcher. There is room for THOUGHTS_MAX candidates, or for as many as the caller
 * has made room for.
 */
#ifndef SEARCH_THOUGHTS_H
#define SEARCH_THOUGHTS_H

#include "base/clock.h"
#include "game/game.h"

enum { THOUGHTS_MAX = 64, THOUGHTS_LINE_MAX = 32 };

struct thought {
    action action;
    double value;    /* to the mover; the scale is the search's own */
    bool at_most;    /* the value is an upper bound: alpha-beta did not search further */
    uint64_t visits; /* simulations or nodes spent on it; 0 when the search does not count them */
    int line_count;
    action line[THOUGHTS_LINE_MAX]; /* expected play, beginning with the action itself */
};

struct thoughts {
    int count;                   /* as many of the best as fit */
    int capacity;                /* of a list made by thoughts_widen; 0: none */
    struct thought *candidates;  /* best first: that list, or `few` */
    int total;                   /* how many candidates there were */
    uint64_t simulations, nodes; /* 0 where the search has none */
    int depth;                   /* of the tree, or completed; in the search's own plies */
    struct thought few[THOUGHTS_MAX];
};

/* A callback for a search in progress, called at most every `every_ns` nanoseconds. */
struct watch {
    void (*show)(void *context, const struct thoughts *so_far);
    void *context;
    int64_t every_ns;
};

/* Makes room for more than THOUGHTS_MAX candidates, until thoughts_done; what was there before is dropped. */
void thoughts_widen(struct thoughts *thoughts, int capacity);
void thoughts_done(struct thoughts *thoughts);

static inline int thoughts_room(const struct thoughts *thoughts) {
    return thoughts->capacity > 0 ? thoughts->capacity : THOUGHTS_MAX;
}

void thoughts_start(struct thoughts *thoughts);

/* Inserts a candidate behind those at least as good by (value, then visits); with `by_visits`, by (visits,
 * then value). A full list drops its worst. Returns the entry, whose line the caller fills, or NULL when it
 * was dropped. */
struct thought *thoughts_add(struct thoughts *thoughts, const struct thought *candidate, bool by_visits);

/* ---- the actions of one whole turn of one side, as the searches over turns find them ---- */

/* More than the units of any side of the tactical game. A longer turn is truncated. */
enum { TURN_LINE_MAX = 128 };

struct turn_line {
    int count;
    action actions[TURN_LINE_MAX];
};

static inline void turn_line_add(struct turn_line *line, action a) {
    if (line->count < TURN_LINE_MAX)
        line->actions[line->count++] = a;
}

/* Copies as much of the line as a thought can hold. */
static inline void turn_line_show(const struct turn_line *line, struct thought *out) {
    out->line_count = line->count < THOUGHTS_LINE_MAX ? line->count : THOUGHTS_LINE_MAX;
    for (int i = 0; i < out->line_count; i++)
        out->line[i] = line->actions[i];
}

/* Inserts the chosen candidate before all others: among equals its place would be arbitrary. */
static inline void turn_line_lead(struct thoughts *thoughts, const struct thought *chosen) {
    const int room = thoughts_room(thoughts);
    const int last = thoughts->count < room ? thoughts->count++ : room - 1;
    for (int i = last; i > 0; i--)
        thoughts->candidates[i] = thoughts->candidates[i - 1];
    thoughts->candidates[0] = *chosen;
    thoughts->total++;
}

#endif
