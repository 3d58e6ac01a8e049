/* SPDX-License-Identifier: MIT */
#include "tournament/bracket.h"

#include "tournament/fixtures.h"

#include <assert.h>

struct meeting {
    int games;
    double payoff; /* of the first, summed */
};

static struct meeting find_meeting(const struct games *games, int stage, int round, const int players[2]) {
    struct meeting m = {0};
    for (int i = 0; i < games->count; i++) {
        const struct fixture *f = &games->fixtures[i];
        const struct outcome *o = &games->outcomes[i];
        if (f->stage != stage || f->round != round || !o->played)
            continue;
        const bool same = f->players[0] == players[0] && f->players[1] == players[1];
        const bool mirrored = f->players[0] == players[1] && f->players[1] == players[0];
        m.games += same || mirrored;
        m.payoff += same ? o->payoff : mirrored ? 1 - o->payoff : 0;
    }
    return m;
}

static int better_seed(const struct bracket *bracket, const int players[2]) {
    for (int i = 0; i < bracket->count; i++)
        if (bracket->order[i] == players[0] || bracket->order[i] == players[1])
            return bracket->order[i];
    assert(false);
    return NOBODY;
}

/* The winner, or NOBODY while it is undecided (also in the middle of their games). Ties are played again so
 * often as the rules say; then the better seed goes on. Nobody who was disqualified by the end of the round
 * does, unless both were. */
static int winner_of(const struct event *event, const struct games *games, const struct bracket *bracket,
                     int round, const int players[2]) {
    if (players[0] < 0 || players[1] < 0)
        return players[players[0] < 0 ? 1 : 0];
    const struct fixture_time after = {bracket->stage, round + 1};
    const bool out[2] = {fixtures_disqualified(event, games, players[0], after),
                         fixtures_disqualified(event, games, players[1], after)};
    const struct meeting m = find_meeting(games, bracket->stage, round, players);
    const double ahead = m.payoff - 0.5 * m.games;
    const int once = fixtures_count(event, &(struct pairing){{players[0], players[1]}}, bracket->games);
    if (once > 0 && m.games % once != 0)
        return NOBODY;
    if (out[0] != out[1])
        return players[out[0] ? 1 : 0];
    if (ahead > 0.25 || ahead < -0.25)
        return players[ahead > 0 ? 0 : 1];
    if (out[0] || (once > 0 && m.games >= once * (1 + event->rules.playoff_repeats_max)))
        return better_seed(bracket, players);
    return NOBODY;
}

void bracket_walk(const struct event *event, const struct games *games, const struct bracket *bracket,
                  struct bracket_state *out) {
    int slots[2 * EVENT_PLAYERS_MAX];
    *out = (struct bracket_state){0};
    for (int i = 0; i < EVENT_PLAYERS_MAX; i++)
        out->level[i] = -1;
    for (int i = 0; i < bracket->count; i++)
        out->level[bracket->order[i]] = 0;
    for (int places = knock_out_slots(bracket->order, bracket->count, slots); places > 1; places /= 2) {
        for (int i = 0; i < places / 2; i++) {
            const int players[2] = {slots[2 * i], slots[2 * i + 1]};
            const int winner = winner_of(event, games, bracket, out->round, players);
            const bool open = winner == NOBODY && players[0] >= 0 && players[1] >= 0;
            if (open)
                out->open[out->open_count++] = (struct pairing){{players[0], players[1]}};
            slots[i] = winner;
        }
        if (out->open_count > 0)
            return;
        for (int i = 0; i < places / 2; i++)
            if (slots[i] >= 0)
                out->level[slots[i]]++;
        out->round++;
    }
}
