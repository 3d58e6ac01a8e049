/* SPDX-License-Identifier: MIT
 *
 * Items about positions: does the engine know where it is, and is what it answers legal there? Its position
 * cannot be seen, so it is asked where an answer from a wrong position would be illegal: after the other side
 * came to move, say.
 */
#include "protocol/compliance_inside.h"

#include <stdio.h>
#include <string.h>

/* `go` has a limit, so that an engine which takes its time does not take ours. */
#define GO   "go time 50"
#define TURN "go turn time 50"

enum { FEW = 10, GOES_MAX = 24, PLIES = 40 };

/* Where the position-changing items look: beyond those of the items before. */
static int few(const struct compliance_check *c) {
    return c->setup->positions < FEW ? c->setup->positions : FEW;
}

void compliance_test_map(struct compliance_check *c) {
    struct compliance_position p;
    for (int i = 0; i < c->setup->map_count; i++)
        if (!compliance_find_position(c, i, true, &p) || !compliance_set_up(c, &p))
            return;
    if (compliance_hides(c))
        compliance_pass(c, "%s, and what a side sees at its start", c->setup->map_names[0]);
    else
        compliance_pass(c, "%d map%s", c->setup->map_count, c->setup->map_count == 1 ? "" : "s");
}

void compliance_test_legal(struct compliance_check *c) {
    struct compliance_position p;
    double slowest = 0;
    for (int i = 0; i < c->setup->positions; i++) {
        if (!compliance_find_position(c, i, false, &p) || !compliance_set_up(c, &p) ||
            !compliance_go(c, &p, GO, NULL))
            return;
        slowest = c->answer.ms > slowest ? c->answer.ms : slowest;
    }
    if (compliance_hides(c))
        compliance_pass(c, "%d positions, all answers legal, the slowest after %.0f ms", c->setup->positions,
                        slowest);
    else
        compliance_pass(c, "%d positions on %d map%s, all answers legal, the slowest after %.0f ms",
                        c->setup->positions, c->setup->map_count, c->setup->map_count == 1 ? "" : "s",
                        slowest);
}

/* Where something is hidden, what a side sees changes with every action, and it is sent anew each time. */
static bool skip_hidden(struct compliance_check *c, const char *verb) {
    if (compliance_hides(c))
        compliance_skip(c, "`%s` is not used in %s, which hides something: positions are sent", verb,
                        c->setup->scenarios[0]->game->name);
    return compliance_hides(c);
}

void compliance_test_turn(struct compliance_check *c) {
    struct compliance_position p;
    if (skip_hidden(c, "go turn"))
        return;
    for (int i = 0; i < c->setup->positions; i++) {
        if (!compliance_find_position(c, i, false, &p) || !compliance_set_up(c, &p))
            return;
        if (talk_ask(&c->talk, TURN, &c->answer) == TALK_ERROR && i == 0 && !c->finding->needed) {
            compliance_skip(c, "`go turn` is answered with `error`: it plays action by action");
            return;
        }
        if (!compliance_best(c, &p, TURN, NULL))
            return;
    }
    compliance_pass(c, "%d positions, all turns legal and whole", c->setup->positions);
}

/* An engine that played its own answer would sooner or later answer for the other side. */
void compliance_test_still(struct compliance_check *c) {
    struct compliance_position p;
    int asked = 0;
    for (int i = 0; i < few(c); i++) {
        if (!compliance_find_position(c, i, false, &p) || !compliance_set_up(c, &p))
            return;
        const int left = p.scenario->game->progress(p.state).left;
        const int goes = left + 1 < GOES_MAX ? left + 1 : GOES_MAX;
        for (int k = 0; k < goes; k++, asked++)
            if (!compliance_go(c, &p, "go time 20", NULL))
                return;
    }
    compliance_pass(c, "`go` %d times in %d positions, all answers legal", asked, few(c));
}

/* The same map again, when the other side was to move in the game before. */
void compliance_test_fresh(struct compliance_check *c) {
    struct compliance_position p, start;
    for (int i = 0; i < few(c); i++) {
        if (!compliance_find_position(c, i, true, &start))
            return;
        p = start;
        if (!compliance_set_up(c, &p) || compliance_play_on(c, &p, PLIES) < 0 ||
            !compliance_set_up(c, &start) || !compliance_go(c, &start, GO, NULL))
            return;
    }
    compliance_pass(c, "%d games begun anew, all first answers legal", few(c));
}

static bool take_back(struct compliance_check *c, int count) {
    for (int i = 0; i < count; i++)
        if (!compliance_ok(c, "undo"))
            return false;
    return true;
}

void compliance_test_undo(struct compliance_check *c) {
    struct compliance_position p, later;
    int undone = 0;
    if (skip_hidden(c, "undo"))
        return;
    for (int i = 0; i < few(c); i++) {
        if (!compliance_find_position(c, i, false, &p) || !compliance_set_up(c, &p))
            return;
        later = p;
        const int played = compliance_play_on(c, &later, PLIES);
        if (played < 0 || !take_back(c, played) || !compliance_go(c, &p, GO, NULL))
            return;
        undone += played;
    }
    compliance_pass(c, "%d actions taken back in %d positions, all answers legal", undone, few(c));
}

/* No unit has this number on any map, and no map this cell. */
void compliance_test_refuse(struct compliance_check *c) {
    static const char *const wrong[] = {"play 999:1,1", "play 0:99,99", "play nonsense"};
    struct compliance_position p;
    if (skip_hidden(c, "play"))
        return;
    for (int i = 0; i < few(c); i++) {
        if (!compliance_find_position(c, i, false, &p) || !compliance_set_up(c, &p))
            return;
        for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++)
            if (talk_ask(&c->talk, wrong[k], &c->answer) != TALK_ERROR) {
                compliance_fail_answer(c, wrong[k], "error …");
                return;
            }
        if (!compliance_go(c, &p, GO, NULL))
            return;
    }
    compliance_pass(c, "illegal actions refused in %d positions, all answers legal after it", few(c));
}
