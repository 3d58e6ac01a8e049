/* SPDX-License-Identifier: MIT
 *
 * A batch is every game that can be scheduled without further results: all of a round robin or gauntlet
 * (round by round where players can be disqualified), one round of a Swiss, the undecided pairings of a
 * knock-out, one round of play-offs.
 */
#include "tournament/schedule.h"

#include "base/mem.h"
#include "tournament/standings.h"

#include <assert.h>
#include <limits.h>
#include <string.h>
#include <strings.h>

const char *const event_stage_names[STAGES] = {"main", "play-off", "final"};

/* ---- disqualification ---- */

static bool is_before(const struct scheduled_game *f, struct schedule_time time) {
    return f->stage < time.stage || (f->stage == time.stage && f->round < time.round);
}

bool schedule_is_disqualified(const struct event *event, const struct games *games, int player,
                              struct schedule_time before) {
    assert(player >= 0);
    assert(player < event->player_count);
    const int limit = event->rules.disqualify_after;
    int faults = 0;
    for (int i = 0; limit > 0 && i < games->count && is_before(&games->scheduled[i], before); i++) {
        const struct outcome *o = &games->outcomes[i];
        faults += o->played && o->forfeiter != NOBODY && games->scheduled[i].players[o->forfeiter] == player;
    }
    return limit > 0 && faults >= limit;
}

/* ---- maps ---- */

bool schedule_may_play(const struct event *event, int player, int map) {
    const char *author = event->players[player].author;
    return !event->rules.not_own_maps || author[0] == '\0' ||
           strcasecmp(author, event->maps[map].author) != 0;
}

static int eligible_maps(const struct event *event, const struct pairing *pairing, int *out) {
    int count = 0;
    for (int map = 0; map < event->map_count; map++)
        if (schedule_may_play(event, pairing->players[0], map) &&
            schedule_may_play(event, pairing->players[1], map))
            out[count++] = map;
    return count;
}

/* Draws `maps_per_pairing` of them and keeps their order. The choice depends on the seed, the round and the
 * two players, not on their order. */
static int draw_maps(const struct event *event, const struct round_plan *plan, const struct pairing *pairing,
                     int *maps, int count) {
    const int wanted = event->rules.maps_per_pairing;
    if (wanted == 0 || wanted >= count)
        return count;
    const int a = pairing->players[0], b = pairing->players[1];
    const uint64_t low = (uint64_t)(a < b ? a : b), high = (uint64_t)(a < b ? b : a);
    struct rng r;
    rng_seed_stream(&r, rng_mix(event->seed ^ UINT64_C(0x6d617073)),
                    low << 48 | high << 32 | (uint64_t)plan->stage << 24 | (uint64_t)plan->round);
    int kept = 0;
    for (int i = 0; i < count; i++) /* every remaining map has the same probability */
        if (rng_below(&r, (uint32_t)(count - i)) < (uint32_t)(wanted - kept))
            maps[kept++] = maps[i];
    assert(kept == wanted);
    return kept;
}

static bool refuse_pairing(const struct event *event, int a, int b, struct err *e) {
    return err_set(e, "no map is left for %s against %s: each was authored by one of them",
                   event->players[a].name, event->players[b].name);
}

static bool has_map(const struct event *event, int a, int b) {
    for (int map = 0; map < event->map_count; map++)
        if (schedule_may_play(event, a, map) && schedule_may_play(event, b, map))
            return true;
    return false;
}

bool schedule_check(const struct event *event, struct err *e) {
    const bool gauntlet = event->rules.format == EVENT_GAUNTLET;
    const int first = gauntlet ? event->rules.challengers : event->player_count;
    for (int a = 0; event->rules.not_own_maps && a < first; a++)
        for (int b = gauntlet ? first : a + 1; b < event->player_count; b++)
            if (!has_map(event, a, b))
                return refuse_pairing(event, a, b, e);
    return true;
}

int schedule_count(const struct event *event, const struct pairing *pairing, int games_per_map) {
    int maps[EVENT_MAPS_MAX];
    const int count = eligible_maps(event, pairing, maps), wanted = event->rules.maps_per_pairing;
    return (wanted > 0 && wanted < count ? wanted : count) * games_per_map;
}

/* ---- adding games ---- */

void games_init(struct games *games) {
    *games = (struct games){0};
}

void games_done(struct games *games) {
    mem_free(games->scheduled);
    mem_free(games->outcomes);
    mem_free(games->voids.games);
}

static bool add_game(const struct event *event, struct games *games, const struct scheduled_game *scheduled,
                     struct err *e) {
    if (games->count >= EVENT_GAMES_MAX)
        return err_set(e, "more than %d games", EVENT_GAMES_MAX);
    int capacity = games->capacity;
    games->outcomes = mem_grow(games->outcomes, &capacity, games->count + 1, sizeof games->outcomes[0]);
    games->scheduled =
        mem_grow(games->scheduled, &games->capacity, games->count + 1, sizeof games->scheduled[0]);
    struct scheduled_game *f = &games->scheduled[games->count];
    *f = *scheduled;
    f->number = games->count;
    f->seed = rng_job_seed(event->seed, (uint64_t)f->number);
    const bool mirrors = f->pair >= 0 && f->pair != f->number;
    const struct scenario *scenario = event->maps[f->map].scenario;
    if (mirrors && scenario != NULL && record_deals(scenario))
        f->deal = games->scheduled[f->pair].seed;
    games->outcomes[games->count++] = (struct outcome){.forfeiter = NOBODY};
    return true;
}

/* With an odd number of games a map, the players alternate from map to map in having side 0 once more. */
static bool add_map(const struct event *event, struct games *games, const struct round_plan *plan,
                    const struct pairing *pairing, int map, int order, struct err *e) {
    bool ok = true;
    for (int g = 0; ok && g < plan->games; g++) {
        const int first = (g + (plan->games % 2 == 0 ? 0 : order)) % 2;
        const bool has_mirror = g % 2 == 1 || g + 1 < plan->games;
        const struct scheduled_game f = {
            .stage = plan->stage,
            .round = plan->round,
            .players = {pairing->players[first], pairing->players[first ^ 1]},
            .map = map,
            .scenario = map,
            .pair = has_mirror ? games->count - g % 2 : -1,
        };
        ok = add_game(event, games, &f, e);
    }
    return ok;
}

bool schedule_add(const struct event *event, struct games *games, const struct round_plan *plan,
                  const struct pairing *pairing, struct err *e) {
    assert(plan->games > 0);
    assert(pairing->players[0] != pairing->players[1]);
    int maps[EVENT_MAPS_MAX];
    const int eligible = eligible_maps(event, pairing, maps);
    assert(eligible > 0); /* see schedule_check */
    const int count = draw_maps(event, plan, pairing, maps, eligible);
    bool ok = true;
    for (int i = 0; ok && i < count; i++)
        ok = add_map(event, games, plan, pairing, maps[i], i, e);
    return ok;
}

/* ---- knock-out: the state of the bracket ---- */

struct meeting {
    int games;
    double payoff; /* of the first, summed */
};

static struct meeting find_meeting(const struct games *games, int stage, int round, const int players[2]) {
    struct meeting m = {0};
    for (int i = 0; i < games->count; i++) {
        const struct scheduled_game *f = &games->scheduled[i];
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

/* The winner, or NOBODY while undecided (also in the middle of their games). A tie is played again as often
 * as the rules allow; then the better seed wins. A player that was disqualified by the end of the round
 * loses, unless both were. */
static int winner_of(const struct event *event, const struct games *games, const struct bracket *bracket,
                     int round, const int players[2]) {
    if (players[0] < 0 || players[1] < 0)
        return players[players[0] < 0 ? 1 : 0];
    const struct schedule_time after = {bracket->stage, round + 1};
    const bool out[2] = {schedule_is_disqualified(event, games, players[0], after),
                         schedule_is_disqualified(event, games, players[1], after)};
    const struct meeting m = find_meeting(games, bracket->stage, round, players);
    const double ahead = m.payoff - 0.5 * m.games;
    const int once = schedule_count(event, &(struct pairing){{players[0], players[1]}}, bracket->games);
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
    assert(bracket->count <= EVENT_PLAYERS_MAX);
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

/* ---- batches ---- */

struct scheduling {
    const struct event *event;
    struct games *games;
    struct err *e;
};

/* A player that meets a disqualified one wins without playing; two disqualified players get nothing. */
static bool add_pairing(const struct scheduling *b, const struct round_plan *plan,
                        const struct pairing *pairing) {
    bool out[2];
    for (int i = 0; i < 2; i++)
        out[i] = schedule_is_disqualified(b->event, b->games, pairing->players[i],
                                          (struct schedule_time){plan->stage, plan->round});
    if (!out[0] && !out[1])
        return schedule_add(b->event, b->games, plan, pairing, b->e);
    if (out[0] != out[1] && plan->stage == STAGE_MAIN)
        b->games->walkovers[pairing->players[out[0] ? 1 : 0]] +=
            schedule_count(b->event, pairing, plan->games);
    return true;
}

/* ---- round robin ---- */

/* The circle method: one player stays, the others rotate. With an odd number of players one of them has no
 * partner, and no game in that round. Sides alternate. */
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

static bool add_circle_round(const struct scheduling *b, int round) {
    const int count = b->event->player_count;
    const struct round_plan plan = {STAGE_MAIN, round, b->event->rules.games};
    bool ok = true;
    for (int i = 0; ok && i < (count + 1) / 2; i++) {
        const struct pairing p = circle_pair(count, round, i);
        if (p.players[0] < count && p.players[1] < count)
            ok = add_pairing(b, &plan, &p);
    }
    return ok;
}

/* All remaining rounds, or one when the next may depend on disqualifications. */
static bool next_rounds(const struct scheduling *b, int round, int rounds,
                        bool (*add)(const struct scheduling *b, int round)) {
    const bool one = b->event->rules.disqualify_after > 0;
    const int end = one && round + 1 < rounds ? round + 1 : rounds;
    bool ok = true;
    for (; ok && round < end; round++)
        ok = add(b, round);
    b->games->round = round;
    return ok;
}

static bool next_round_robin(const struct scheduling *b, int round) {
    return next_rounds(b, round, circle_rounds(b->event->player_count), add_circle_round);
}

/* ---- gauntlet ---- */

static bool add_gauntlet_round(const struct scheduling *b, int round) {
    const struct event_rules *rules = &b->event->rules;
    const struct round_plan plan = {STAGE_MAIN, round, rules->games};
    const int opponent = rules->challengers + round;
    bool ok = true;
    for (int c = 0; ok && c < rules->challengers; c++) {
        const bool swap = (c + opponent) % 2 == 1;
        ok = add_pairing(b, &plan, &(struct pairing){{swap ? opponent : c, swap ? c : opponent}});
    }
    return ok;
}

static bool next_gauntlet(const struct scheduling *b, int round) {
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

/* Several games of a pairing in one round are one meeting. */
static void count_meetings(const struct games *games, struct swiss_data *d, int *balance) {
    int last_round = -1, last[2] = {-1, -1};
    for (int i = 0; i < games->count; i++) {
        const struct scheduled_game *f = &games->scheduled[i];
        assert(f->stage == STAGE_MAIN); /* later stages begin after the Swiss */
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

/* The players that are not disqualified, by rank. */
static int rank_players(const struct scheduling *b, struct swiss_data *d, int round, const int *balance) {
    int count = 0;
    standings_compute(b->event, b->games, d->standings);
    for (int i = 0; i < b->event->player_count; i++) {
        const struct standing *s = &d->standings[i];
        if (schedule_is_disqualified(b->event, b->games, s->player,
                                     (struct schedule_time){STAGE_MAIN, round}))
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

/* A bye counts as winning all games of a pairing. */
static void give_bye(const struct scheduling *b, int player) {
    const int wanted = b->event->rules.maps_per_pairing;
    const int maps = wanted > 0 && wanted < b->event->map_count ? wanted : b->event->map_count;
    b->games->byes[player]++;
    b->games->walkovers[player] += maps * b->event->rules.games;
}

static bool pair_swiss(const struct scheduling *b, struct swiss_data *d, int round) {
    int balance[EVENT_PLAYERS_MAX] = {0}, bye;
    count_meetings(b->games, d, balance);
    const int count = rank_players(b, d, round, balance);
    const struct swiss swiss = {count, d->players, d->met, EVENT_PLAYERS_MAX};
    swiss_pair(&swiss, d->pairings, &bye);
    if (bye >= 0)
        give_bye(b, bye);
    const struct round_plan plan = {STAGE_MAIN, round, b->event->rules.games};
    bool ok = true;
    for (int i = 0; ok && i < count / 2; i++)
        ok = add_pairing(b, &plan, &d->pairings[i]);
    return ok;
}

static bool next_swiss(const struct scheduling *b, int round) {
    if (round >= swiss_rounds(b->event))
        return true;
    struct swiss_data *d = mem_alloc(sizeof *d);
    b->games->round = round + 1;
    const bool ok = pair_swiss(b, d, round);
    mem_free(d);
    return ok;
}

/* ---- knock-out, as the main stage or as the final ---- */

static bool next_knock_out(const struct scheduling *b, const struct bracket *bracket) {
    struct bracket_state state;
    bracket_walk(b->event, b->games, bracket, &state);
    const struct round_plan plan = {bracket->stage, state.round, bracket->games};
    bool ok = true;
    for (int i = 0; ok && i < state.open_count; i++)
        ok = schedule_add(b->event, b->games, &plan, &state.open[i], b->e);
    return ok;
}

static bool next_main_knock_out(const struct scheduling *b, int round) {
    (void)round; /* bracket_walk derives it from the games */
    int order[EVENT_PLAYERS_MAX];
    for (int i = 0; i < b->event->player_count; i++)
        order[i] = i;
    return next_knock_out(
        b, &(struct bracket){STAGE_MAIN, b->event->rules.games, b->event->player_count, order});
}

static bool next_final(const struct scheduling *b, int round) {
    (void)round;
    struct standing *standings = mem_alloc(EVENT_PLAYERS_MAX * sizeof *standings);
    int order[EVENT_PLAYERS_MAX];
    const int count = standings_finalists(b->event, b->games, standings, order);
    mem_free(standings);
    return count == 0 ||
           next_knock_out(b, &(struct bracket){STAGE_FINAL, b->event->rules.final_games, count, order});
}

/* ---- play-offs ---- */

static bool add_group(const struct scheduling *b, int round, const struct standing *group, int count) {
    const struct round_plan plan = {STAGE_PLAYOFF, round, b->event->rules.playoff_games};
    bool ok = true;
    for (int i = 0; ok && i < count; i++)
        for (int j = i + 1; ok && j < count; j++) {
            const bool swap = (i + j) % 2 == 0;
            const int a = group[i].player, c = group[j].player;
            ok = schedule_add(b->event, b->games, &plan, &(struct pairing){{swap ? c : a, swap ? a : c}},
                              b->e);
        }
    return ok;
}

/* Adds games between players that share a place to be played off. Disqualified players are ranked behind the
 * others by then, and do not play. */
static bool add_ties(const struct scheduling *b, int round, const struct standing *s) {
    const int places = b->event->rules.playoff_places, count = b->event->player_count;
    bool ok = true;
    for (int first = 0, end; ok && first < count && first < places; first = end) {
        for (end = first + 1; end < count && s[end].place == s[first].place; end++)
            continue;
        const bool out = schedule_is_disqualified(b->event, b->games, s[first].player,
                                                  (struct schedule_time){STAGE_PLAYOFF, round});
        if (end - first > 1 && !out)
            ok = add_group(b, round, &s[first], end - first);
    }
    return ok;
}

static bool next_playoff(const struct scheduling *b, int round) {
    const struct event_rules *rules = &b->event->rules;
    if (rules->playoff_places == 0 || round > rules->playoff_repeats_max)
        return true;
    struct standing *standings = mem_alloc(EVENT_PLAYERS_MAX * sizeof *standings);
    standings_compute(b->event, b->games, standings);
    b->games->round = round + 1;
    const bool ok = add_ties(b, round, standings);
    mem_free(standings);
    return ok;
}

/* ---- all stages ---- */

typedef bool next_function(const struct scheduling *b, int round);

static next_function *const main_stage[EVENT_FORMATS] = {
    [EVENT_ROUND_ROBIN] = next_round_robin,
    [EVENT_GAUNTLET] = next_gauntlet,
    [EVENT_SWISS] = next_swiss,
    [EVENT_KNOCK_OUT] = next_main_knock_out,
};

bool event_next_batch(const struct event *event, struct games *games, bool *more, struct err *e) {
    assert(event->player_count <= EVENT_PLAYERS_MAX);
    assert(games->stage <= STAGES);
    next_function *const stages[STAGES] = {
        [STAGE_MAIN] = main_stage[event->rules.format],
        [STAGE_PLAYOFF] = next_playoff,
        [STAGE_FINAL] = next_final,
    };
    const struct scheduling b = {event, games, e};
    const int before = games->count;
    if (before == 0 && !schedule_check(event, e))
        return false;
    for (int i = 0; i < before; i++)
        assert(games->outcomes[i].played);
    while (games->count == before && games->stage < STAGES) {
        const int round = games->round;
        if (!stages[games->stage](&b, round))
            return false;
        /* A round may have no games (all its pairings are walkovers); a stage is over when its round number
         * does not change either. */
        if (games->count == before && games->round == round) {
            games->stage++;
            games->round = 0;
        }
    }
    *more = games->count > before;
    return true;
}

/* ---- the expected number of games ---- */

static int64_t pairings_of_stage(const struct event *event) {
    const int n = event->player_count, c = event->rules.challengers;
    switch (event->rules.format) {
    case EVENT_ROUND_ROBIN: return n * (n - 1) / 2;
    case EVENT_GAUNTLET: return c * (n - c);
    case EVENT_SWISS: return swiss_rounds(event) * (n / 2);
    case EVENT_KNOCK_OUT: return n - 1;
    case EVENT_FORMATS: break;
    }
    return 0;
}

int event_games_expected(const struct event *event, const struct games *games) {
    const struct event_rules *rules = &event->rules;
    const int wanted = rules->maps_per_pairing;
    const int maps = wanted > 0 && wanted < event->map_count ? wanted : event->map_count;
    const int finalists =
        rules->final_players < event->player_count ? rules->final_players : event->player_count;
    const int64_t final = finalists > 1 ? (int64_t)(finalists - 1) * rules->final_games * maps : 0;
    const int64_t main = pairings_of_stage(event) * rules->games * maps;
    int there[STAGES] = {0};
    for (int i = 0; i < games->count; i++)
        there[games->scheduled[i].stage]++;
    const bool main_known =
        games->stage > STAGE_MAIN ||
        (games->count > 0 && rules->format == EVENT_ROUND_ROBIN && rules->disqualify_after == 0);
    const int64_t of_main = main_known || there[STAGE_MAIN] > main ? there[STAGE_MAIN] : main;
    const int64_t of_final =
        games->stage >= STAGES || there[STAGE_FINAL] > final ? there[STAGE_FINAL] : final;
    const int64_t all = of_main + there[STAGE_PLAYOFF] + of_final;
    return all < INT_MAX ? (int)all : INT_MAX;
}
