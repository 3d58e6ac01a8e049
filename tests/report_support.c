/* SPDX-License-Identifier: MIT */
#include "report_support.h"

#include <assert.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

/* ---- games ---- */

/* One game: "first-second map result", as in the tables below. */
struct line {
    int stage, players[2], map;
    double payoff;
    int turns, lead_changes;
    int fault; /* of the loser */
};

static void add_game(struct sample *s, const struct line *line) {
    const int number = s->games.count++;
    const int loser = line->payoff > 0.5 ? 1 : 0;
    const bool is_fault = line->fault != PLAYER_FAULT_NONE;
    s->scheduled[number] = (struct scheduled_game){.number = number,
                                                   .stage = line->stage,
                                                   .players = {line->players[0], line->players[1]},
                                                   .map = line->map,
                                                   .pair = number / 2,
                                                   .seed = 1000 + (uint64_t)number};
    struct outcome *o = &s->outcomes[number];
    *o = (struct outcome){.played = line->turns > 0,
                          .payoff = line->payoff,
                          .forfeiter = is_fault ? loser : NOBODY,
                          .fault = line->fault,
                          .actions = 3 * line->turns,
                          .turns = line->turns,
                          .lead_changes = line->lead_changes,
                          .think_ns = {2000000 * (int64_t)line->turns, 500000 * (int64_t)line->turns},
                          .longest_ns = {3000000 + number, 1250000},
                          .decisions = {2 * line->turns, line->turns}};
    const char *winner = line->payoff > 0.5 ? "red" : "blue";
    if (line->payoff < 0.5 || line->payoff > 0.5)
        snprintf(o->result, sizeof o->result, "%s %s", winner,
                 is_fault ? player_fault_names[line->fault] : "annihilation");
    else
        snprintf(o->result, sizeof o->result, "draw turn limit");
    s->report.games_played += o->played;
}

static void count_into(struct tally *t, double payoff) {
    t->wins += payoff > 0.5;
    t->losses += payoff < 0.5;
    t->draws += !(payoff > 0.5) && !(payoff < 0.5);
}

static struct standing *standing_of(struct sample *s, int player) {
    for (int i = 0; i < s->tournament.player_count; i++)
        if (s->standings[i].player == player)
            return &s->standings[i];
    return NULL;
}

void sample_count(struct sample *s) {
    for (int i = 0; i < s->tournament.player_count; i++) {
        struct standing *row = &s->standings[i];
        row->total = row->as_side[0] = row->as_side[1] = (struct tally){0};
        row->points = s->games.walkovers[row->player] * s->tournament.rules.win;
        memset(row->faults, 0, sizeof row->faults);
    }
    for (int i = 0; i < s->games.count; i++) {
        const struct scheduled_game *f = &s->scheduled[i];
        const struct outcome *o = &s->outcomes[i];
        for (int side = 0; o->played && side < 2; side++) {
            struct standing *row = standing_of(s, f->players[side]);
            const double payoff = side == 0 ? o->payoff : 1 - o->payoff;
            if (o->forfeiter == side)
                row->faults[o->fault]++;
            if (f->stage != STAGE_MAIN)
                continue;
            count_into(&row->total, payoff);
            count_into(&row->as_side[side], payoff);
            row->points += payoff > 0.5   ? s->tournament.rules.win
                           : payoff < 0.5 ? 0
                                          : s->tournament.rules.draw;
        }
    }
}

/* ---- tournaments ---- */

static void begin(struct sample *s, const char *title) {
    memset(s, 0, sizeof *s);
    tournament_rules_default(&s->tournament.rules);
    snprintf(s->tournament.rules.title, sizeof s->tournament.rules.title, "%s", title);
    s->tournament.players = s->players;
    s->tournament.maps = s->maps;
    s->tournament.seed = 20240501;
    s->games.scheduled = s->scheduled;
    s->games.outcomes = s->outcomes;
    s->games.capacity = SAMPLE_GAMES_MAX;
    s->report = (struct report){.tournament = &s->tournament,
                                .games = &s->games,
                                .standings = s->standings,
                                .ratings = s->ratings,
                                .seconds = 6.5,
                                .date = "2024-05-01T10:00:00Z",
                                .store = "spring.db"};
}

static void add_player(struct sample *s, const char *name, const char *spec, const char *author) {
    struct entrant *player = &s->players[s->tournament.player_count++];
    snprintf(player->name, sizeof player->name, "%s", name);
    snprintf(player->spec, sizeof player->spec, "%s", spec);
    snprintf(player->author, sizeof player->author, "%s", author);
}

static void add_map(struct sample *s, const char *name, const char *author) {
    struct tournament_map *map = &s->maps[s->tournament.map_count++];
    snprintf(map->name, sizeof map->name, "%s", name);
    snprintf(map->author, sizeof map->author, "%s", author);
}

static void set_standing(struct sample *s, int row, int player, int place) {
    s->standings[row].player = player;
    s->standings[row].place = place;
}

/* Head to head, Sonneborn-Berger. */
static void set_ties(struct sample *s, int row, double head_to_head, double sonneborn) {
    s->standings[row].tie_breaks[0] = head_to_head;
    s->standings[row].tie_breaks[1] = sonneborn;
}

static void set_tie_breaks(struct tournament_rules *rules) {
    rules->tie_break_count = 2;
    rules->tie_breaks[0] = TOURNAMENT_TIE_HEAD_TO_HEAD;
    rules->tie_breaks[1] = TOURNAMENT_TIE_SONNEBORN;
}

enum { UCT, TREE, TACTICS, RANDOM };

static const struct line small_games[] = {
    {STAGE_MAIN, {UCT, TREE}, 0, 1, 14, 2, 0},
    {STAGE_MAIN, {TREE, UCT}, 0, 1, 12, 5, 0},
    {STAGE_MAIN, {UCT, TREE}, 1, 0.5, 30, 1, 0},
    {STAGE_MAIN, {TREE, UCT}, 1, 0.5, 30, 0, 0},
    {STAGE_MAIN, {UCT, TACTICS}, 0, 1, 9, 0, 0},
    {STAGE_MAIN, {TACTICS, UCT}, 0, 0, 11, 0, 0},
    {STAGE_MAIN, {UCT, TACTICS}, 1, 1, 8, 1, 0},
    {STAGE_MAIN, {TACTICS, UCT}, 1, 0, 3, 0, PLAYER_FAULT_CRASH},
    {STAGE_MAIN, {UCT, RANDOM}, 0, 1, 4, 0, 0},
    {STAGE_MAIN, {RANDOM, UCT}, 0, 0, 4, 0, 0},
    {STAGE_MAIN, {UCT, RANDOM}, 1, 0, 17, 7, 0}, /* 10: an upset */
    {STAGE_MAIN, {RANDOM, UCT}, 1, 0, 6, 0, 0},
    {STAGE_MAIN, {TREE, TACTICS}, 0, 1, 10, 0, 0},
    {STAGE_MAIN, {TACTICS, TREE}, 0, 0, 12, 3, 0},
    {STAGE_MAIN, {TREE, TACTICS}, 1, 1, 13, 0, 0},
    {STAGE_MAIN, {TACTICS, TREE}, 1, 1, 15, 2, 0},
    {STAGE_MAIN, {TREE, RANDOM}, 0, 1, 4, 0, 0},
    {STAGE_MAIN, {RANDOM, TREE}, 0, 0, 5, 0, 0},
    {STAGE_MAIN, {TREE, RANDOM}, 1, 1, 5, 0, 0},
    {STAGE_MAIN, {RANDOM, TREE}, 1, 0, 7, 0, 0},
    {STAGE_MAIN, {TACTICS, RANDOM}, 0, 1, 6, 0, 0},
    {STAGE_MAIN, {RANDOM, TACTICS}, 0, 1, 2, 0, PLAYER_FAULT_LATE},
    {STAGE_MAIN, {TACTICS, RANDOM}, 1, 0, 1, 0, PLAYER_FAULT_LATE},
    {STAGE_MAIN, {RANDOM, TACTICS}, 1, 0, 9, 0, 0},
    {STAGE_PLAYOFF, {UCT, TREE}, 0, 1, 20, 2, 0},
    {STAGE_PLAYOFF, {TREE, UCT}, 0, 0.5, 30, 0, 0},
    {STAGE_FINAL, {UCT, TREE}, 1, 0, 0, 0, 0}, /* not played yet */
    {STAGE_FINAL, {TREE, UCT}, 1, 0, 0, 0, 0},
};

void sample_small(struct sample *s) {
    static const struct rating ratings[] = {
        [UCT] = {185.25, 88.5},
        [TREE] = {185.25, 90},
        [TACTICS] = {-40.5, 95},
        [RANDOM] = {-330, 110},
    };
    begin(s, "Spring <Cup> & \"Friends\"");
    s->tournament.rules.playoff_places = 1;
    s->tournament.rules.final_players = 2;
    s->tournament.rules.final_games = 2;
    set_tie_breaks(&s->tournament.rules);
    add_player(s, "uct, \"the\" <b>first</b>", "uct:sims=60", "Ada & Co.");
    add_player(s, "木探索プログラム", "ext:cmd=./tree --fast", "");
    add_player(s, "tactics", "acteval", "Grace");
    add_player(s, "random", "random", "");
    add_map(s, "duel", "");
    add_map(s, "island <2>", "Linus");
    for (size_t i = 0; i < sizeof small_games / sizeof small_games[0]; i++)
        add_game(s, &small_games[i]);
    memcpy(s->ratings, ratings, sizeof ratings);
    set_standing(s, 0, UCT, 1);
    set_standing(s, 1, TREE, 2);
    set_standing(s, 2, TACTICS, 3);
    set_standing(s, 3, RANDOM, 3);
    for (int row = 0; row < 4; row++)
        set_ties(s, row, 2, row < 2 ? 39 : 15);
    s->standings[0].decided_by = s->standings[1].decided_by = STAGE_PLAYOFF;
    sample_count(s);
    s->report.games_expected = s->games.count;
}

/* The lower number is the stronger and wins more often, by a rule that needs no chance. */
static void add_large_game(struct sample *s, int a, int b, int map) {
    const int mix = (a * 31 + b * 17 + map * 7 + s->games.count * 13) % 20;
    const bool a_is_better = a < b;
    const int gap = a_is_better ? b - a : a - b;
    const double payoff = mix < 2 ? 0.5 : (mix < 8 - gap / 3) ? !a_is_better : a_is_better;
    const int fault = s->games.count % 97 == 5 && mix >= 2 ? 1 + s->games.count % (PLAYER_FAULTS - 1) : 0;
    add_game(s, &(struct line){STAGE_MAIN, {a, b}, map, payoff, 4 + mix, mix / 3, fault});
}

/* By points; players with equal points share places. */
static void sort_table(struct sample *s) {
    for (int i = 1; i < s->tournament.player_count; i++)
        for (int j = i; j > 0 && s->standings[j].points > s->standings[j - 1].points; j--) {
            const struct standing moved = s->standings[j];
            s->standings[j] = s->standings[j - 1];
            s->standings[j - 1] = moved;
        }
    for (int i = 0; i < s->tournament.player_count; i++) {
        const bool is_equal = i > 0 && !(s->standings[i].points < s->standings[i - 1].points);
        s->standings[i].place = is_equal ? s->standings[i - 1].place : i + 1;
    }
}

void sample_large(struct sample *s, int players) {
    char name[128];
    assert(players <= SAMPLE_PLAYERS_MAX);
    begin(s, "Autumn league of tactics programs, division of those with long names");
    set_tie_breaks(&s->tournament.rules);
    for (int i = 0; i < players; i++) {
        snprintf(name, sizeof name, "%s-%d",
                 i % 3 == 0 ? "a-program-with-a-rather-long-name:sims=100000,depth" : "engine", i + 1);
        add_player(s, name, name, "");
    }
    add_map(s, "duel", "");
    add_map(s, "archipelago24", "");
    add_map(s, "the-map-with-the-very-long-name-that-goes-on", "");
    for (int a = 0; a < players; a++)
        for (int b = 0; b < players; b++)
            for (int map = 0; a != b && map < 3; map++)
                add_large_game(s, a, b, map);
    for (int i = 0; i < players; i++) {
        set_standing(s, i, i, i + 1);
        s->ratings[i] = (struct rating){190 - 20.0 * i, 34 + i};
    }
    sample_count(s);
    sort_table(s);
    s->report.games_expected = s->games.count;
    s->report.complete = true;
}

void sample_change_times(struct sample *s) {
    for (int i = 0; i < s->games.count; i++)
        for (int side = 0; side < 2; side++) {
            s->outcomes[i].think_ns[side] *= 3;
            s->outcomes[i].longest_ns[side] += 12345;
        }
    s->report.seconds = 99;
    s->report.date = "2031-12-24T00:00:00Z";
}

/* ---- looking at texts ---- */

void sample_has(const struct text *text, const char *part) {
    if (strstr(text_string(text), part) == NULL)
        fail_msg("\"%s\" is not in the text", part);
}

void sample_lacks(const struct text *text, const char *part) {
    if (strstr(text_string(text), part) != NULL)
        fail_msg("\"%s\" is in the text", part);
}

int sample_parts(const struct text *text, const char *part) {
    int count = 0;
    for (const char *at = text_string(text); (at = strstr(at, part)) != NULL; at++)
        count++;
    return count;
}
