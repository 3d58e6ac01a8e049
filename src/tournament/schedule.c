/* SPDX-License-Identifier: MIT
 *
 * A batch is every game that can be scheduled without further results: all of a round robin or gauntlet
 * (round by round where players can be disqualified), one round of a Swiss, the undecided pairings of a
 * knock-out, one round of play-offs.
 *
 * Nothing is carried from batch to batch but the games themselves, the stage and the round: brackets,
 * standings and disqualifications are computed again from all games. That is fast enough, because it happens
 * once a batch, and it makes a resumed tournament and an uninterrupted one the same.
 */
#include "tournament/schedule.h"

#include "base/mem.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const char *const tournament_stage_names[STAGES] = {"main", "play-off", "final"};

/* ---- pairings: knock-out ---- */

/* Every place of a bracket becomes two: the seed that is there and the one that adds up with it to the same
 * sum everywhere. 1; 1 2; 1 4 2 3; 1 8 4 5 2 7 3 6; … Seeds count from 0 here. */
int knock_out_slots(const int *order, int count, int *slots) {
    assert(count > 0);
    int places = 1;
    slots[0] = 0;
    while (places < count) {
        places *= 2;
        for (int i = places / 2 - 1; i >= 0; i--) {
            const int seed = slots[i];
            slots[2 * i] = seed;
            slots[2 * i + 1] = places - 1 - seed;
        }
    }
    for (int i = 0; i < places; i++)
        slots[i] = slots[i] < count ? order[slots[i]] : -1;
    return places;
}

/* ---- disqualification ---- */

/* Games are in the order of stages and rounds, so the loop ends at the first later one. */
bool schedule_is_disqualified(const struct tournament *tournament, const struct games *games, int player,
                              int stage, int round) {
    assert(player >= 0);
    assert(player < tournament->player_count);
    const int limit = tournament->rules.disqualify_after;
    int faults = 0;
    for (int i = 0; limit > 0 && i < games->count; i++) {
        const struct scheduled_game *f = &games->scheduled[i];
        const struct outcome *o = &games->outcomes[i];
        if (f->stage > stage || (f->stage == stage && f->round >= round))
            break;
        faults += o->played && o->forfeiter != NOBODY && f->players[o->forfeiter] == player;
    }
    return limit > 0 && faults >= limit;
}

/* ---- maps ---- */

/* The maps that both may play on: the rules may exclude maps of a player's own author. `out` has room for all
 * maps of the tournament. */
static int eligible_maps(const struct tournament *tournament, const struct pairing *pairing, int *out) {
    assert(tournament->map_count <= TOURNAMENT_MAPS_MAX);
    int count = 0;
    for (int map = 0; map < tournament->map_count; map++) {
        bool may_play = true;
        for (int i = 0; i < 2 && tournament->rules.not_own_maps; i++) {
            const char *author = tournament->players[pairing->players[i]].author;
            may_play =
                may_play && (author[0] == '\0' || strcasecmp(author, tournament->maps[map].author) != 0);
        }
        if (may_play)
            out[count++] = map;
    }
    return count;
}

/* How many of so many maps a pairing plays on. */
static int maps_of_pairing(const struct tournament *tournament, int count) {
    const int wanted = tournament->rules.maps_per_pairing;
    return wanted > 0 && wanted < count ? wanted : count;
}

/* Draws `maps_per_pairing` of them and keeps their order. The choice depends on the seed, the round and the
 * two players, not on their order. */
static int draw_maps(const struct tournament *tournament, const struct round_plan *plan,
                     const struct pairing *pairing, int *maps, int count) {
    const int wanted = maps_of_pairing(tournament, count);
    if (wanted == count)
        return count;
    const int a = pairing->players[0], b = pairing->players[1];
    const uint64_t low = (uint64_t)(a < b ? a : b), high = (uint64_t)(a < b ? b : a);
    struct rng r;
    /* The constant ("maps") separates these numbers from the seeds of games. */
    rng_seed_stream(&r, rng_mix(tournament->seed ^ UINT64_C(0x6d617073)),
                    low << 48 | high << 32 | (uint64_t)plan->stage << 24 | (uint64_t)plan->round);
    int kept = 0;
    for (int i = 0; i < count; i++) /* every remaining map has the same probability */
        if (rng_below(&r, (uint32_t)(count - i)) < (uint32_t)(wanted - kept))
            maps[kept++] = maps[i];
    assert(kept == wanted);
    return kept;
}

/* Is there a map for any two players that may meet? Checked before the first game, so that no tournament
 * fails in the middle. */
static bool check_maps(const struct tournament *tournament, struct err *e) {
    const bool gauntlet = tournament->rules.format == TOURNAMENT_GAUNTLET;
    const int first = gauntlet ? tournament->rules.challengers : tournament->player_count;
    int maps[TOURNAMENT_MAPS_MAX];
    for (int a = 0; tournament->rules.not_own_maps && a < first; a++)
        for (int b = gauntlet ? first : a + 1; b < tournament->player_count; b++)
            if (eligible_maps(tournament, &(struct pairing){{a, b}}, maps) == 0)
                return err_set(e, "no map is left for %s against %s: each was authored by one of them",
                               tournament->players[a].name, tournament->players[b].name);
    return true;
}

/* How many games a pairing has in all; 0 when there is no map for the two. */
static int count_games(const struct tournament *tournament, const struct pairing *pairing,
                       int games_per_map) {
    int maps[TOURNAMENT_MAPS_MAX];
    return maps_of_pairing(tournament, eligible_maps(tournament, pairing, maps)) * games_per_map;
}

/* ---- adding games ---- */

void games_init(struct games *games) {
    *games = (struct games){0};
}

/* The struct itself may be used again after games_init. */
void games_done(struct games *games) {
    mem_free(games->scheduled);
    mem_free(games->outcomes);
    mem_free(games->voids.games);
}

/* A game's seed follows from its number alone, so that a schedule can be made again from the results. */
bool schedule_add(const struct tournament *tournament, struct games *games, const struct round_plan *plan,
                  const struct pairing *pairing, struct err *e) {
    assert(plan->games > 0);
    assert(pairing->players[0] != pairing->players[1]);
    int maps[TOURNAMENT_MAPS_MAX];
    const int eligible = eligible_maps(tournament, pairing, maps);
    assert(eligible > 0); /* see check_maps */
    const int added = draw_maps(tournament, plan, pairing, maps, eligible) * plan->games;
    if (games->count + added > TOURNAMENT_GAMES_MAX)
        return err_set(e, "more than %d games", TOURNAMENT_GAMES_MAX);
    int capacity = games->capacity;
    games->outcomes = mem_grow(games->outcomes, &capacity, games->count + added, sizeof *games->outcomes);
    games->scheduled =
        mem_grow(games->scheduled, &games->capacity, games->count + added, sizeof *games->scheduled);
    /* Map by map; the two games of a pair are neighbours, and have the number of the first as their pair. */
    for (int i = 0; i < added; i++) {
        const int number = games->count, order = i / plan->games, g = i % plan->games;
        const struct scenario *scenario = tournament->maps[maps[order]].scenario;
        /* With an odd number of games a map, the players alternate from map to map in having side 0 once
         * more. */
        const int first = (g + (plan->games % 2 == 0 ? 0 : order)) % 2;
        const bool has_mirror = g % 2 == 1 || g + 1 < plan->games;
        const int pair = has_mirror ? number - g % 2 : -1;
        const bool has_deal = pair >= 0 && pair != number && scenario != NULL && record_deals(scenario);
        games->scheduled[number] = (struct scheduled_game){
            .number = number,
            .stage = plan->stage,
            .round = plan->round,
            .players = {pairing->players[first], pairing->players[first ^ 1]},
            .map = maps[order],
            .scenario = maps[order],
            .pair = pair,
            .seed = rng_job_seed(tournament->seed, (uint64_t)number),
            .deal = has_deal ? games->scheduled[pair].seed : 0,
        };
        games->outcomes[games->count++] = (struct outcome){.forfeiter = NOBODY};
    }
    return true;
}

/* ---- knock-out: the state of the bracket, computed from the games each time ---- */

struct bracket {
    int stage;
    int games; /* per pairing and map; a tie is played again */
    int count;
    const int *order; /* the players by seed, best first */
};

struct bracket_state {
    int round;      /* the current one, from 0 */
    int open_count; /* its undecided pairings; 0: the knock-out is over */
    struct pairing open[TOURNAMENT_PLAYERS_MAX / 2];
    int level[TOURNAMENT_PLAYERS_MAX]; /* by player: rounds won; -1: not in it */
};

/* The winner, or NOBODY while undecided (also in the middle of their games). A tie is played again as often
 * as the rules allow; then the better seed wins. A player that was disqualified by the end of the round
 * loses, unless both were. */
static int winner_of(const struct tournament *tournament, const struct games *games,
                     const struct bracket *bracket, int round, const int players[2]) {
    if (players[0] < 0 || players[1] < 0)
        return players[players[0] < 0 ? 1 : 0];
    int played = 0;
    double ahead = 0; /* payoffs of the first, above the mean */
    for (int i = 0; i < games->count; i++) {
        const struct scheduled_game *f = &games->scheduled[i];
        const struct outcome *o = &games->outcomes[i];
        if (f->stage != bracket->stage || f->round != round || !o->played)
            continue;
        const bool same = f->players[0] == players[0] && f->players[1] == players[1];
        const bool mirrored = f->players[0] == players[1] && f->players[1] == players[0];
        played += same || mirrored;
        ahead += same ? o->payoff : mirrored ? 1 - o->payoff : 0;
    }
    ahead -= 0.5 * played;
    const bool out[2] = {schedule_is_disqualified(tournament, games, players[0], bracket->stage, round + 1),
                         schedule_is_disqualified(tournament, games, players[1], bracket->stage, round + 1)};
    const int once = count_games(tournament, &(struct pairing){{players[0], players[1]}}, bracket->games);
    if (once > 0 && played % once != 0)
        return NOBODY;
    if (out[0] != out[1])
        return players[out[0] ? 1 : 0];
    /* Sums of halves are exact; graded payoffs less than a quarter apart count as a tie. */
    if (ahead > 0.25 || ahead < -0.25)
        return players[ahead > 0 ? 0 : 1];
    if (!out[0] && (once == 0 || played < once * (1 + tournament->rules.playoff_repeats_max)))
        return NOBODY;
    int seed = 0;
    while (bracket->order[seed] != players[0] && bracket->order[seed] != players[1])
        seed++;
    assert(seed < bracket->count);
    return bracket->order[seed];
}

/* `order` is the caller's and must live as long as the bracket. The main stage as a knock-out: players are
 * seeded in the order of entry. */
static struct bracket main_bracket(const struct tournament *tournament, int order[TOURNAMENT_PLAYERS_MAX]) {
    for (int i = 0; i < tournament->player_count; i++)
        order[i] = i;
    return (struct bracket){STAGE_MAIN, tournament->rules.games, tournament->player_count, order};
}

/* Plays the bracket round by round on the results so far, until a round has an undecided pairing. */
static void bracket_walk(const struct tournament *tournament, const struct games *games,
                         const struct bracket *bracket, struct bracket_state *out) {
    assert(bracket->count <= TOURNAMENT_PLAYERS_MAX);
    int slots[2 * TOURNAMENT_PLAYERS_MAX];
    *out = (struct bracket_state){0};
    for (int i = 0; i < TOURNAMENT_PLAYERS_MAX; i++)
        out->level[i] = -1;
    for (int i = 0; i < bracket->count; i++)
        out->level[bracket->order[i]] = 0;
    for (int places = knock_out_slots(bracket->order, bracket->count, slots); places > 1; places /= 2) {
        for (int i = 0; i < places / 2; i++) {
            const int players[2] = {slots[2 * i], slots[2 * i + 1]};
            const int winner = winner_of(tournament, games, bracket, out->round, players);
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

/* ---- standings ----
 *
 * Players start as one group that shares the first place; each criterion in its turn orders the members of
 * every group that is left and splits it where they differ. */

struct table {
    const struct tournament *tournament;
    const struct games *games;
    struct standing *rows;
    double points[TOURNAMENT_PLAYERS_MAX]; /* by player */
    double value[TOURNAMENT_PLAYERS_MAX];  /* by player: of the current criterion */
    int group[TOURNAMENT_PLAYERS_MAX];     /* by player: the place its group begins at */
};

/* ---- standings: groups ---- */

/* Values are sums of a few halves and points: what is closer than this is equal. */
static bool is_less(double a, double b) {
    return a < b - 1e-9;
}

/* Within a group by value, higher first; a stable sort: the order of entry stays where all is equal. */
static void refine(struct table *t) {
    const int count = t->tournament->player_count;
    struct standing *rows = t->rows;
    for (int first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && rows[end].place == rows[first].place; end++)
            continue;
        for (int i = first + 1; i < end; i++) {
            const struct standing moved = rows[i];
            int to = i;
            for (; to > first && is_less(t->value[rows[to - 1].player], t->value[moved.player]); to--)
                rows[to] = rows[to - 1];
            rows[to] = moved;
        }
        for (int i = first, place = first + 1; i < end; i++) {
            if (i > first && is_less(t->value[rows[i].player], t->value[rows[i - 1].player]))
                place = i + 1;
            rows[i].place = place;
        }
    }
}

/* ---- standings: counting ---- */

/* Like a tally: above the middle is won, also with graded payoffs. */
static double points_for(const struct tournament_rules *rules, double payoff) {
    return payoff > 0.5 ? rules->win : payoff < 0.5 ? rules->loss : rules->draw;
}

/* While nothing is sorted yet row i is player i. */
static void count_all(struct table *t) {
    const struct games *games = t->games;
    for (int i = 0; i < t->tournament->player_count; i++) {
        t->rows[i] = (struct standing){.player = i, .place = 1, .byes = games->byes[i]};
        t->rows[i].points = games->walkovers[i] * t->tournament->rules.win;
    }
    for (int i = 0; i < games->count; i++) {
        const struct scheduled_game *f = &games->scheduled[i];
        const struct outcome *o = &games->outcomes[i];
        if (!o->played)
            continue;
        assert(o->forfeiter == NOBODY || o->forfeiter == 0 || o->forfeiter == 1);
        assert(o->fault >= 0);
        assert(o->fault < PLAYER_FAULTS);
        if (o->forfeiter != NOBODY)
            t->rows[f->players[o->forfeiter]].faults[o->fault]++;
        if (f->stage != STAGE_MAIN)
            continue;
        for (int side = 0; side < 2; side++) {
            struct standing *row = &t->rows[f->players[side]];
            const double payoff = side == 0 ? o->payoff : 1 - o->payoff;
            tally_add(&row->total, payoff);
            tally_add(&row->as_side[side], payoff);
            row->points += points_for(&t->tournament->rules, payoff);
        }
        /* A pair, whose games are neighbours, is one observation; it counts once both are played. */
        const bool alone = f->pair < 0;
        if (!alone && (i + 1 == games->count || f[1].pair != f->pair || !o[1].played))
            continue;
        const double mean = alone ? o->payoff : (o->payoff + 1 - o[1].payoff) / 2;
        payoffs_add(&t->rows[f->players[0]].payoffs, mean, false);
        payoffs_add(&t->rows[f->players[1]].payoffs, 1 - mean, false);
    }
    for (int i = 0; i < t->tournament->player_count; i++)
        t->points[i] = t->value[i] = t->rows[i].points;
}

/* ---- standings: criteria ---- */

/* What one game of the main stage adds for one of its players. */
static double tie_value(const struct table *t, enum tournament_tie_break kind, int me, int other,
                        double payoff) {
    switch (kind) {
    case TOURNAMENT_TIE_HEAD_TO_HEAD:
        return t->group[me] == t->group[other] ? points_for(&t->tournament->rules, payoff) : 0;
    case TOURNAMENT_TIE_BUCHHOLZ: return t->points[other];
    case TOURNAMENT_TIE_SONNEBORN: return payoff * t->points[other];
    case TOURNAMENT_TIE_WINS: return payoff > 0.5 ? 1 : 0;
    case TOURNAMENT_TIE_FAULTS: /* see below */
    case TOURNAMENT_TIE_BREAKS: break;
    }
    return 0;
}

/* Each tie-break splits only the groups that are left; its values are kept for the table. */
static void apply_tie_breaks(struct table *t) {
    const struct tournament_rules *rules = &t->tournament->rules;
    assert(rules->tie_break_count <= TOURNAMENT_TIE_BREAKS_MAX);
    for (int k = 0; k < rules->tie_break_count; k++) {
        const enum tournament_tie_break kind = rules->tie_breaks[k];
        memset(t->value, 0, sizeof t->value);
        for (int i = 0; i < t->tournament->player_count; i++)
            t->group[t->rows[i].player] = t->rows[i].place;
        for (int i = 0; i < t->games->count; i++) {
            const struct scheduled_game *f = &t->games->scheduled[i];
            const struct outcome *o = &t->games->outcomes[i];
            if (f->stage != STAGE_MAIN || !o->played)
                continue;
            const int a = f->players[0], b = f->players[1];
            t->value[a] += tie_value(t, kind, a, b, o->payoff);
            t->value[b] += tie_value(t, kind, b, a, 1 - o->payoff);
            if (kind == TOURNAMENT_TIE_FAULTS && o->forfeiter != NOBODY)
                t->value[f->players[o->forfeiter]]--;
        }
        for (int i = 0; i < t->tournament->player_count; i++)
            t->rows[i].tie_breaks[k] = t->value[t->rows[i].player];
        refine(t);
    }
}

/* Each round of play-offs is a criterion of its own: only those still tied took part in it. Disqualified
 * players are ranked behind those that can still play off a tie. */
static void apply_playoffs(struct table *t) {
    const struct tournament_rules *rules = &t->tournament->rules;
    bool any = rules->playoff_places > 0; /* the round before was played */
    for (int round = 0; any && round <= rules->playoff_repeats_max; round++) {
        for (int i = 0; i < t->tournament->player_count; i++)
            t->value[i] = schedule_is_disqualified(t->tournament, t->games, i, STAGE_PLAYOFF, round) ? -1 : 0;
        refine(t);
        any = false;
        memset(t->value, 0, sizeof t->value);
        for (int i = 0; i < t->games->count; i++) {
            const struct scheduled_game *f = &t->games->scheduled[i];
            const struct outcome *o = &t->games->outcomes[i];
            if (f->stage != STAGE_PLAYOFF || f->round != round || !o->played)
                continue;
            any = true;
            t->value[f->players[0]] += points_for(rules, o->payoff);
            t->value[f->players[1]] += points_for(rules, 1 - o->payoff);
        }
        if (any)
            refine(t);
    }
}

/* The number of rounds won in a knock-out is the first criterion; the previous order breaks ties. */
static void apply_bracket(struct table *t, const struct bracket *bracket) {
    struct bracket_state state;
    bracket_walk(t->tournament, t->games, bracket, &state);
    double before[TOURNAMENT_PLAYERS_MAX];
    for (int i = 0; i < t->tournament->player_count; i++) {
        before[t->rows[i].player] = -t->rows[i].place;
        t->value[t->rows[i].player] = state.level[t->rows[i].player];
        t->rows[i].place = 1;
    }
    refine(t);
    memcpy(t->value, before, sizeof t->value);
    refine(t);
}

/* The order that decides who plays the final: points, tie-breaks, the bracket of a knock-out, play-offs. */
static void before_final(struct table *t) {
    count_all(t);
    refine(t);
    apply_tie_breaks(t);
    if (t->tournament->rules.format == TOURNAMENT_KNOCK_OUT) {
        int order[TOURNAMENT_PLAYERS_MAX];
        const struct bracket bracket = main_bracket(t->tournament, order);
        apply_bracket(t, &bracket);
    }
    apply_playoffs(t);
}

/* A disqualified player does not play the final; the next one takes the place. One player alone is no
 * final. */
int standings_finalists(const struct tournament *tournament, const struct games *games,
                        struct standing *scratch, int *out) {
    assert(tournament->player_count <= TOURNAMENT_PLAYERS_MAX);
    struct table t = {.tournament = tournament, .games = games, .rows = scratch};
    int count = 0;
    before_final(&t);
    for (int i = 0; i < tournament->player_count && count < tournament->rules.final_players; i++)
        if (!schedule_is_disqualified(tournament, games, scratch[i].player, STAGE_FINAL, 0))
            out[count++] = scratch[i].player;
    return count > 1 ? count : 0;
}

void standings_compute(const struct tournament *tournament, const struct games *games, struct standing *out) {
    struct table t = {.tournament = tournament, .games = games, .rows = out};
    int order[TOURNAMENT_PLAYERS_MAX], finalists = 0;
    assert(tournament->player_count <= TOURNAMENT_PLAYERS_MAX);
    for (int i = games->count - 1; finalists == 0 && i >= 0; i--)
        if (games->scheduled[i].stage == STAGE_FINAL) /* it has begun */
            finalists = standings_finalists(tournament, games, out, order);
    if (finalists > 0)
        apply_bracket(&t, &(struct bracket){STAGE_FINAL, tournament->rules.final_games, finalists, order});
    else
        before_final(&t);
    for (int i = 0; i < games->count; i++) {
        const struct scheduled_game *f = &games->scheduled[i];
        for (int r = 0; f->stage == STAGE_PLAYOFF && r < tournament->player_count; r++)
            if (out[r].player == f->players[0] || out[r].player == f->players[1])
                out[r].decided_by = STAGE_PLAYOFF;
    }
    for (int i = 0; i < finalists; i++)
        out[i].decided_by = STAGE_FINAL;
}

/* The form that stores hold: ten digits of the points are the same on every machine. */
void standings_text(const struct tournament *tournament, const struct games *games, struct text *out) {
    struct standing *rows = mem_alloc((size_t)tournament->player_count * sizeof *rows);
    standings_compute(tournament, games, rows);
    for (int i = 0; i < tournament->player_count; i++) {
        const struct standing *s = &rows[i];
        text_add(out, "%d. %s: %.10g points, %d won, %d drawn, %d lost\n", s->place,
                 tournament->players[s->player].name, s->points, s->total.wins, s->total.draws,
                 s->total.losses);
    }
    mem_free(rows);
}

/* ---- batches ---- */

/* A player that meets a disqualified one wins without playing; two disqualified players get nothing. */
static bool add_pairing(const struct tournament *tournament, struct games *games,
                        const struct round_plan *plan, const struct pairing *pairing, struct err *e) {
    bool out[2];
    for (int i = 0; i < 2; i++)
        out[i] = schedule_is_disqualified(tournament, games, pairing->players[i], plan->stage, plan->round);
    if (!out[0] && !out[1])
        return schedule_add(tournament, games, plan, pairing, e);
    assert(plan->stage == STAGE_MAIN);
    if (out[0] != out[1])
        games->walkovers[pairing->players[out[0] ? 1 : 0]] += count_games(tournament, pairing, plan->games);
    return true;
}

/* ---- round robin and gauntlet ---- */

/* Adds all remaining rounds, or one when the next may depend on disqualifications. In round r of a gauntlet
 * the challengers meet the r-th of the others. A round robin is paired by the circle method: one player
 * stays, the others rotate. With an odd number of players one of them has no partner, and no game in that
 * round. Sides alternate. */
static bool next_round_robin(const struct tournament *tournament, struct games *games, int round,
                             struct err *e) {
    const struct tournament_rules *rules = &tournament->rules;
    const int count = tournament->player_count, challengers = rules->challengers, places = count + count % 2;
    const bool gauntlet = rules->format == TOURNAMENT_GAUNTLET;
    const int rounds = gauntlet ? count - challengers : count < 2 ? 0 : places - 1;
    const int pairings = gauntlet ? challengers : places / 2;
    const int end = rules->disqualify_after > 0 && round + 1 < rounds ? round + 1 : rounds;
    for (; round < end; round++)
        for (int i = 0; i < pairings; i++) {
            const struct round_plan plan = {STAGE_MAIN, round, rules->games};
            const int opponent = challengers + round;
            const int one = gauntlet ? i : i == 0 ? places - 1 : (round + i) % (places - 1);
            const int other = gauntlet ? opponent : (round + places - 1 - i) % (places - 1);
            const bool swap = (gauntlet ? i + opponent : i == 0 ? round : i) % 2 == 1;
            const struct pairing p = {{swap ? other : one, swap ? one : other}};
            if (one < count && other < count && !add_pairing(tournament, games, &plan, &p, e))
                return false;
        }
    games->round = round;
    return true;
}

/* ---- Swiss ---- */

/* As many rounds as a knock-out would need find the best of all, if the stronger always wins. */
static int swiss_rounds(const struct tournament *tournament) {
    int rounds = tournament->rules.rounds > 0 ? tournament->rules.rounds : 1;
    while (tournament->rules.rounds == 0 && 1 << rounds < tournament->player_count)
        rounds++;
    return tournament->player_count < 2 ? 0 : rounds;
}

/* Too large for the stack of a thread. */
struct swiss_data {
    struct swiss_player players[TOURNAMENT_PLAYERS_MAX];
    struct standing standings[TOURNAMENT_PLAYERS_MAX];
    unsigned char met[TOURNAMENT_PLAYERS_MAX * TOURNAMENT_PLAYERS_MAX];
    struct pairing pairings[TOURNAMENT_PLAYERS_MAX / 2];
};

/* Several games of a pairing in one round are one meeting; they are neighbours in the list. A count
 * that has reached 255 stays there: costs only compare counts. */
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
        unsigned char *one = &d->met[a * TOURNAMENT_PLAYERS_MAX + b],
                      *two = &d->met[b * TOURNAMENT_PLAYERS_MAX + a];
        *one = *two = (unsigned char)(*one < 255 ? *one + 1 : 255);
    }
}

/* Pairs one round by the standings so far; disqualified players are left out. The points of a bye are
 * walk-overs, so that the table shows them. */
static bool next_swiss(const struct tournament *tournament, struct games *games, int round, struct err *e) {
    if (round >= swiss_rounds(tournament))
        return true;
    struct swiss_data *d = mem_alloc(sizeof *d);
    int balance[TOURNAMENT_PLAYERS_MAX] = {0}, bye, count = 0;
    games->round = round + 1;
    count_meetings(games, d, balance);
    standings_compute(tournament, games, d->standings);
    for (int i = 0; i < tournament->player_count; i++) {
        const struct standing *s = &d->standings[i];
        if (schedule_is_disqualified(tournament, games, s->player, STAGE_MAIN, round))
            continue;
        d->players[count] = (struct swiss_player){.player = s->player,
                                                  .points = s->points,
                                                  .side_balance = balance[s->player],
                                                  .byes = games->byes[s->player]};
        count++;
    }
    swiss_pair(&(struct swiss){count, d->players, d->met}, d->pairings, &bye);
    if (bye >= 0) { /* counts as winning all games of a pairing */
        games->byes[bye]++;
        games->walkovers[bye] += maps_of_pairing(tournament, tournament->map_count) * tournament->rules.games;
    }
    bool ok = true;
    for (int i = 0; ok && i < count / 2; i++)
        ok = add_pairing(tournament, games, &(struct round_plan){STAGE_MAIN, round, tournament->rules.games},
                         &d->pairings[i], e);
    mem_free(d);
    return ok;
}

/* ---- knock-out, as the main stage or as the final ---- */

/* Adds the games of all undecided pairings of the current round; a tie adds its games again. */
static bool next_knock_out(const struct tournament *tournament, struct games *games, int round,
                           struct err *e) {
    (void)round; /* bracket_walk derives it from the games */
    const struct tournament_rules *rules = &tournament->rules;
    struct bracket_state state;
    int order[TOURNAMENT_PLAYERS_MAX];
    struct bracket bracket = main_bracket(tournament, order);
    if (games->stage == STAGE_FINAL) {
        struct standing *standings = mem_alloc(TOURNAMENT_PLAYERS_MAX * sizeof *standings);
        const int finalists = standings_finalists(tournament, games, standings, order);
        bracket = (struct bracket){STAGE_FINAL, rules->final_games, finalists, order};
        mem_free(standings);
    }
    if (bracket.count == 0)
        return true;
    bracket_walk(tournament, games, &bracket, &state);
    const struct round_plan plan = {bracket.stage, state.round, bracket.games};
    bool ok = true;
    for (int i = 0; ok && i < state.open_count; i++)
        ok = schedule_add(tournament, games, &plan, &state.open[i], e);
    return ok;
}

/* ---- play-offs ---- */

/* Adds games between players that share a place to be played off. Disqualified players are ranked behind the
 * others by then, and do not play. */
static bool next_playoff(const struct tournament *tournament, struct games *games, int round, struct err *e) {
    const struct tournament_rules *rules = &tournament->rules;
    const int places = rules->playoff_places, count = tournament->player_count;
    if (places == 0 || round > rules->playoff_repeats_max)
        return true;
    const struct round_plan plan = {STAGE_PLAYOFF, round, rules->playoff_games};
    struct standing *s = mem_alloc(TOURNAMENT_PLAYERS_MAX * sizeof *s);
    standings_compute(tournament, games, s);
    games->round = round + 1;
    bool ok = true;
    for (int first = 0, end; ok && first < count && first < places; first = end) {
        for (end = first + 1; end < count && s[end].place == s[first].place; end++)
            continue;
        const bool out = schedule_is_disqualified(tournament, games, s[first].player, STAGE_PLAYOFF, round);
        for (int i = first; ok && !out && i < end; i++)
            for (int j = i + 1; ok && j < end; j++) {
                const bool swap = (i + j) % 2 == 0;
                const int one = s[swap ? j : i].player, other = s[swap ? i : j].player;
                ok = schedule_add(tournament, games, &plan, &(struct pairing){{one, other}}, e);
            }
    }
    mem_free(s);
    return ok;
}

/* ---- all stages ---- */

bool tournament_next_batch(const struct tournament *tournament, struct games *games, bool *more,
                           struct err *e) {
    static bool (*const main_stage[TOURNAMENT_FORMATS])(const struct tournament *tournament,
                                                        struct games *games, int round, struct err *e) = {
        [TOURNAMENT_ROUND_ROBIN] = next_round_robin,
        [TOURNAMENT_GAUNTLET] = next_round_robin,
        [TOURNAMENT_SWISS] = next_swiss,
        [TOURNAMENT_KNOCK_OUT] = next_knock_out,
    };
    assert(tournament->player_count <= TOURNAMENT_PLAYERS_MAX);
    assert(games->stage <= STAGES);
    const int before = games->count;
    if (before == 0 && !check_maps(tournament, e))
        return false;
    for (int i = 0; i < before; i++)
        assert(games->outcomes[i].played);
    while (games->count == before && games->stage < STAGES) {
        const int round = games->round;
        if (!(games->stage == STAGE_MAIN ? main_stage[tournament->rules.format](tournament, games, round, e)
              : games->stage == STAGE_PLAYOFF ? next_playoff(tournament, games, round, e)
                                              : next_knock_out(tournament, games, round, e)))
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

/* Later stages count with the least number of games that they can have: no tie in a knock-out, and no
 * play-off beyond those that are scheduled. The main stage is known in full once a later stage has begun, or
 * when all of it was scheduled at once. */
int tournament_games_expected(const struct tournament *tournament, const struct games *games) {
    const struct tournament_rules *rules = &tournament->rules;
    const int n = tournament->player_count, c = rules->challengers;
    const int pairings = rules->format == TOURNAMENT_ROUND_ROBIN ? n * (n - 1) / 2
                         : rules->format == TOURNAMENT_GAUNTLET  ? c * (n - c)
                         : rules->format == TOURNAMENT_SWISS     ? swiss_rounds(tournament) * (n / 2)
                                                                 : n - 1;
    const int maps = maps_of_pairing(tournament, tournament->map_count);
    const int finalists = rules->final_players < n ? rules->final_players : n;
    const int64_t final = finalists > 1 ? (int64_t)(finalists - 1) * rules->final_games * maps : 0;
    const int64_t main = (int64_t)pairings * rules->games * maps;
    int there[STAGES] = {0}; /* games scheduled so far */
    for (int i = 0; i < games->count; i++)
        there[games->scheduled[i].stage]++;
    const bool main_known =
        games->stage > STAGE_MAIN ||
        (games->count > 0 && rules->format == TOURNAMENT_ROUND_ROBIN && rules->disqualify_after == 0);
    const int64_t of_main = main_known || there[STAGE_MAIN] > main ? there[STAGE_MAIN] : main;
    const int64_t of_final =
        games->stage >= STAGES || there[STAGE_FINAL] > final ? there[STAGE_FINAL] : final;
    const int64_t all = of_main + there[STAGE_PLAYOFF] + of_final;
    return all < INT_MAX ? (int)all : INT_MAX;
}
