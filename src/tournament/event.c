/* SPDX-License-Identifier: MIT
 *
 * What is to be played next. A batch is everything that can be named without knowing more results: all of a
 * round robin or gauntlet (round by round where players can be disqualified), one round of a Swiss, the open
 * pairings of a knock-out, one round of play-offs.
 */
#include "tournament/event.h"

#include "base/mem.h"
#include "tournament/bracket.h"
#include "tournament/fixtures.h"
#include "tournament/standings.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

const char *const event_stage_names[STAGES] = {"main", "play-off", "final"};

struct batch {
    const struct event *event;
    struct games *games;
    struct err *e;
};

/* ---- pairings that may not be played ---- */

/* Who meets somebody disqualified wins without playing; two of them get nothing. */
static bool add_pairing(const struct batch *b, const struct fixture_plan *plan,
                        const struct pairing *pairing) {
    bool out[2];
    for (int i = 0; i < 2; i++)
        out[i] = fixtures_disqualified(b->event, b->games, pairing->players[i],
                                       (struct fixture_time){plan->stage, plan->round});
    if (!out[0] && !out[1])
        return fixtures_add(b->event, b->games, plan, pairing, b->e);
    if (out[0] != out[1] && plan->stage == STAGE_MAIN)
        b->games->walkovers[pairing->players[out[0] ? 1 : 0]] +=
            fixtures_count(b->event, pairing, plan->games);
    return true;
}

/* ---- everybody against everybody ---- */

/* The circle method: one player stands still, the others go round. With an odd number the one whose partner
 * does not exist has no game in that round. Sides alternate. */
static struct pairing circle_pair(int count, int round, int i) {
    const int places = count + count % 2;
    const int a = i == 0 ? places - 1 : (round + i) % (places - 1);
    const int b = (round + places - 1 - i) % (places - 1);
    const bool swap = i == 0 ? round % 2 == 1 : i % 2 == 1;
    return swap ? (struct pairing){{b, a}} : (struct pairing){{a, b}};
}

static int circle_rounds(int count) {
    return count < 2 ? 0 : count + count % 2 - 1;
}

static bool add_circle_round(const struct batch *b, int round) {
    const int count = b->event->player_count;
    const struct fixture_plan plan = {STAGE_MAIN, round, b->event->rules.games};
    bool ok = true;
    for (int i = 0; ok && i < (count + 1) / 2; i++) {
        const struct pairing p = circle_pair(count, round, i);
        if (p.players[0] < count && p.players[1] < count)
            ok = add_pairing(b, &plan, &p);
    }
    return ok;
}

/* All rounds that are left, or one where the next may depend on who is disqualified. */
static bool next_rounds(const struct batch *b, int round, int rounds,
                        bool (*add)(const struct batch *b, int round)) {
    const bool one = b->event->rules.disqualify_after > 0;
    const int end = one && round + 1 < rounds ? round + 1 : rounds;
    bool ok = true;
    for (; ok && round < end; round++)
        ok = add(b, round);
    b->games->round = round;
    return ok;
}

static bool next_round_robin(const struct batch *b, int round) {
    return next_rounds(b, round, circle_rounds(b->event->player_count), add_circle_round);
}

/* ---- some against all others ---- */

static bool add_gauntlet_round(const struct batch *b, int round) {
    const struct rules *rules = &b->event->rules;
    const struct fixture_plan plan = {STAGE_MAIN, round, rules->games};
    const int opponent = rules->challengers + round;
    bool ok = true;
    for (int c = 0; ok && c < rules->challengers; c++) {
        const bool swap = (c + opponent) % 2 == 1;
        ok = add_pairing(b, &plan, &(struct pairing){{swap ? opponent : c, swap ? c : opponent}});
    }
    return ok;
}

static bool next_gauntlet(const struct batch *b, int round) {
    return next_rounds(b, round, b->event->player_count - b->event->rules.challengers, add_gauntlet_round);
}

/* ---- Swiss ---- */

static int log2_above(int count) {
    int rounds = 0;
    while (1 << rounds < count)
        rounds++;
    return rounds < 1 ? 1 : rounds;
}

static int swiss_rounds(const struct event *event) {
    return event->player_count < 2   ? 0
           : event->rules.rounds > 0 ? event->rules.rounds
                                     : log2_above(event->player_count);
}

struct swiss_data {
    struct swiss_player players[EVENT_PLAYERS_MAX];
    struct standing standings[EVENT_PLAYERS_MAX];
    unsigned char met[EVENT_PLAYERS_MAX * EVENT_PLAYERS_MAX];
    struct pairing pairings[EVENT_PLAYERS_MAX / 2];
};

/* A pairing of several games is one meeting: the round tells. */
static void count_meetings(const struct games *games, struct swiss_data *d, int *balance) {
    int last_round = -1, last[2] = {-1, -1};
    for (int i = 0; i < games->count; i++) {
        const struct fixture *f = &games->fixtures[i];
        assert(f->stage == STAGE_MAIN); /* a Swiss is over when other stages begin */
        const int a = f->players[0], b = f->players[1];
        balance[a]++;
        balance[b]--;
        const int low = a < b ? a : b, high = a < b ? b : a;
        if (last_round == f->round && last[0] == low && last[1] == high)
            continue;
        last_round = f->round;
        last[0] = low;
        last[1] = high;
        unsigned char *one = &d->met[a * EVENT_PLAYERS_MAX + b], *two = &d->met[b * EVENT_PLAYERS_MAX + a];
        *one = *two = (unsigned char)(*one < 255 ? *one + 1 : 255);
    }
}

/* The players that are still in it, by rank. */
static int rank_players(const struct batch *b, struct swiss_data *d, int round, const int *balance) {
    int count = 0;
    standings_compute(b->event, b->games, d->standings);
    for (int i = 0; i < b->event->player_count; i++) {
        const struct standing *s = &d->standings[i];
        if (fixtures_disqualified(b->event, b->games, s->player, (struct fixture_time){STAGE_MAIN, round}))
            continue;
        d->players[count] = (struct swiss_player){.player = s->player,
                                                  .points = s->points,
                                                  .rank = count,
                                                  .side_balance = balance[s->player],
                                                  .byes = b->games->byes[s->player]};
        count++;
    }
    return count;
}

/* A bye is worth as much as winning all games of a pairing. */
static void give_bye(const struct batch *b, int player) {
    const int wanted = b->event->rules.maps_per_pairing;
    const int maps = wanted > 0 && wanted < b->event->map_count ? wanted : b->event->map_count;
    b->games->byes[player]++;
    b->games->walkovers[player] += maps * b->event->rules.games;
}

static bool pair_swiss(const struct batch *b, struct swiss_data *d, int round) {
    int balance[EVENT_PLAYERS_MAX] = {0}, bye;
    count_meetings(b->games, d, balance);
    const int count = rank_players(b, d, round, balance);
    const struct swiss swiss = {count, d->players, d->met, EVENT_PLAYERS_MAX};
    if (!swiss_pair(&swiss, d->pairings, &bye, b->e))
        return false;
    if (bye >= 0)
        give_bye(b, bye);
    const struct fixture_plan plan = {STAGE_MAIN, round, b->event->rules.games};
    bool ok = true;
    for (int i = 0; ok && i < count / 2; i++)
        ok = add_pairing(b, &plan, &d->pairings[i]);
    return ok;
}

static bool next_swiss(const struct batch *b, int round) {
    if (round >= swiss_rounds(b->event))
        return true;
    struct swiss_data *d = mem_alloc(sizeof *d);
    if (d == NULL)
        return err_set(b->e, "not enough memory for a round");
    b->games->round = round + 1;
    const bool ok = pair_swiss(b, d, round);
    mem_free(d);
    return ok;
}

/* ---- knock-out, as the main stage or as the final ---- */

static bool next_knock_out(const struct batch *b, const struct bracket *bracket) {
    struct bracket_state state;
    bracket_walk(b->event, b->games, bracket, &state);
    const struct fixture_plan plan = {bracket->stage, state.round, bracket->games};
    bool ok = true;
    for (int i = 0; ok && i < state.open_count; i++)
        ok = fixtures_add(b->event, b->games, &plan, &state.open[i], b->e);
    return ok;
}

static bool next_main_knock_out(const struct batch *b, int round) {
    (void)round; /* the games tell */
    int order[EVENT_PLAYERS_MAX];
    for (int i = 0; i < b->event->player_count; i++)
        order[i] = i;
    return next_knock_out(
        b, &(struct bracket){STAGE_MAIN, b->event->rules.games, b->event->player_count, order});
}

static bool next_final(const struct batch *b, int round) {
    (void)round;
    struct standing *standings = mem_alloc(EVENT_PLAYERS_MAX * sizeof *standings);
    if (standings == NULL)
        return err_set(b->e, "not enough memory for the final");
    int order[EVENT_PLAYERS_MAX];
    const int count = standings_finalists(b->event, b->games, standings, order);
    mem_free(standings);
    return count == 0 ||
           next_knock_out(b, &(struct bracket){STAGE_FINAL, b->event->rules.final_games, count, order});
}

/* ---- play-offs ---- */

static bool add_group(const struct batch *b, int round, const struct standing *group, int count) {
    const struct fixture_plan plan = {STAGE_PLAYOFF, round, b->event->rules.playoff_games};
    bool ok = true;
    for (int i = 0; ok && i < count; i++)
        for (int j = i + 1; ok && j < count; j++) {
            const bool swap = (i + j) % 2 == 0;
            const int a = group[i].player, c = group[j].player;
            ok = fixtures_add(b->event, b->games, &plan, &(struct pairing){{swap ? c : a, swap ? a : c}},
                              b->e);
        }
    return ok;
}

/* All who share one of the places that must not be shared. Those of them who are disqualified stand behind
 * the others by now, and do not play. */
static bool add_ties(const struct batch *b, int round, const struct standing *s) {
    const int places = b->event->rules.playoff_places, count = b->event->player_count;
    bool ok = true;
    for (int first = 0, end; ok && first < count && first < places; first = end) {
        for (end = first + 1; end < count && s[end].place == s[first].place; end++)
            continue;
        const bool out = fixtures_disqualified(b->event, b->games, s[first].player,
                                               (struct fixture_time){STAGE_PLAYOFF, round});
        if (end - first > 1 && !out)
            ok = add_group(b, round, &s[first], end - first);
    }
    return ok;
}

static bool next_playoff(const struct batch *b, int round) {
    const struct rules *rules = &b->event->rules;
    if (rules->playoff_places == 0 || round > rules->playoff_repeats_max)
        return true;
    struct standing *standings = mem_alloc(EVENT_PLAYERS_MAX * sizeof *standings);
    if (standings == NULL)
        return err_set(b->e, "not enough memory for the play-offs");
    standings_compute(b->event, b->games, standings);
    b->games->round = round + 1;
    const bool ok = add_ties(b, round, standings);
    mem_free(standings);
    return ok;
}

/* ---- all stages ---- */

typedef bool next_function(const struct batch *b, int round);

static next_function *const main_stage[RULES_FORMATS] = {
    [RULES_ROUND_ROBIN] = next_round_robin,
    [RULES_GAUNTLET] = next_gauntlet,
    [RULES_SWISS] = next_swiss,
    [RULES_KNOCK_OUT] = next_main_knock_out,
};

bool event_next_batch(const struct event *event, struct games *games, bool *more, struct err *e) {
    next_function *const stages[STAGES] = {
        [STAGE_MAIN] = main_stage[event->rules.format],
        [STAGE_PLAYOFF] = next_playoff,
        [STAGE_FINAL] = next_final,
    };
    const struct batch b = {event, games, e};
    const int before = games->count;
    if (before == 0 && !fixtures_check(event, e))
        return false;
    for (int i = 0; i < before; i++)
        assert(games->outcomes[i].played);
    while (games->count == before && games->stage < STAGES) {
        const int round = games->round;
        if (!stages[games->stage](&b, round))
            return false;
        /* A round may have no games (all its pairings are walkovers); a stage is over when its round does not
         * move on either. */
        if (games->count == before && games->round == round) {
            games->stage++;
            games->round = 0;
        }
    }
    *more = games->count > before;
    return true;
}

/* ---- how much there is to come ---- */

static int64_t pairings_of_stage(const struct event *event) {
    const int n = event->player_count, c = event->rules.challengers;
    switch (event->rules.format) {
    case RULES_ROUND_ROBIN: return n * (n - 1) / 2;
    case RULES_GAUNTLET: return c * (n - c);
    case RULES_SWISS: return swiss_rounds(event) * (n / 2);
    case RULES_KNOCK_OUT: return n - 1;
    case RULES_FORMATS: break;
    }
    return 0;
}

int event_games_expected(const struct event *event, const struct games *games) {
    const struct rules *rules = &event->rules;
    const int wanted = rules->maps_per_pairing;
    const int maps = wanted > 0 && wanted < event->map_count ? wanted : event->map_count;
    const int finalists =
        rules->final_players < event->player_count ? rules->final_players : event->player_count;
    const int64_t final = finalists > 1 ? (int64_t)(finalists - 1) * rules->final_games * maps : 0;
    const int64_t main = pairings_of_stage(event) * rules->games * maps;
    int there[STAGES] = {0};
    for (int i = 0; i < games->count; i++)
        there[games->fixtures[i].stage]++;
    const bool main_known =
        games->stage > STAGE_MAIN ||
        (games->count > 0 && rules->format == RULES_ROUND_ROBIN && rules->disqualify_after == 0);
    const int64_t of_main = main_known || there[STAGE_MAIN] > main ? there[STAGE_MAIN] : main;
    const int64_t of_final =
        games->stage >= STAGES || there[STAGE_FINAL] > final ? there[STAGE_FINAL] : final;
    const int64_t all = of_main + there[STAGE_PLAYOFF] + of_final;
    return all < INT_MAX ? (int)all : INT_MAX;
}
