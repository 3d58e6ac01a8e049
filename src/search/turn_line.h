/* SPDX-License-Identifier: MIT
 *
 * The actions of one whole turn of one side, as the searches over turns find them.
 */
#ifndef SEARCH_TURN_LINE_H
#define SEARCH_TURN_LINE_H

#include "search/thoughts.h"

/* More than any side of the tactical game has units. A longer turn is kept as far as it fits. */
enum { TURN_LINE_MAX = 128 };

struct turn_line {
    int count;
    action actions[TURN_LINE_MAX];
};

static inline void turn_line_add(struct turn_line *line, action a) {
    if (line->count < TURN_LINE_MAX)
        line->actions[line->count++] = a;
}

/* As much of the line as a thought has room for. */
static inline void turn_line_show(const struct turn_line *line, struct thought *out) {
    out->line_count = line->count < THOUGHTS_LINE_MAX ? line->count : THOUGHTS_LINE_MAX;
    for (int i = 0; i < out->line_count; i++)
        out->line[i] = line->actions[i];
}

/* Puts what will be played before all others: among equals it would otherwise stand anywhere. */
static inline void turn_line_lead(struct thoughts *thoughts, const struct thought *chosen) {
    const int room = thoughts_room(thoughts);
    const int last = thoughts->count < room ? thoughts->count++ : room - 1;
    for (int i = last; i > 0; i--)
        thoughts->candidates[i] = thoughts->candidates[i - 1];
    thoughts->candidates[0] = *chosen;
    thoughts->total++;
}

#endif
