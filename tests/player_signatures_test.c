/* SPDX-License-Identifier: MIT
 *
 * Every player in every game under every kind of budget, beside tests/expected/players.txt: its choice, value
 * and work, the number of clock readings, its candidates, and what a watcher receives during the search. The
 * clock advances by a fixed step at each reading, so that times are as repeatable as results. A player that
 * refuses a game is there with its reason.
 */
#include "player/player.h"

#include "expected_support.h"
#include "geister_support.h"
#include "own_maps.h"
#include "player_support.h"
#include "search/search.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

enum { STEP_NS = 1000000, DECISIONS = 3 };

/* ---- a clock that counts ---- */

struct counting {
    struct clock clock;
    int reads, stop_at; /* the reading that sets the stop; 0: none */
    atomic_bool stop;
};

static int64_t count_reading(void *self) {
    struct counting *c = self;
    c->reads++;
    if (c->reads == c->stop_at)
        atomic_store(&c->stop, true);
    return (int64_t)c->reads * STEP_NS;
}

static void start_counting(struct counting *c, int stop_at) {
    *c = (struct counting){.clock = {.now_ns = count_reading, .self = c}, .stop_at = stop_at};
    atomic_init(&c->stop, stop_at < 0);
}

/* ---- budgets ---- */

struct limits {
    const char *name, *options; /* options that are added to the player's */
    struct budget budget;       /* the deadline is a time from the beginning */
    struct ask_time time;
    bool has_clock, is_turn; /* is_turn: asks for the decisions of one turn, and counts them */
    int stop_at;             /* the reading of the clock that sets the stop; -1: set from the beginning */
};

static const struct limits all_limits[] = {
    {.name = "own", .is_turn = true},
    {.name = "work", .budget.work_max = 37, .is_turn = true},
    {.name = "little work", .budget.work_max = 1},
    {.name = "time", .budget.time_ns_max = 9 * STEP_NS, .has_clock = true, .is_turn = true},
    {.name = "no time", .budget.time_ns_max = 1, .has_clock = true},
    {.name = "deadline",
     .budget.deadline_ns = 7 * STEP_NS,
     .has_clock = true,
     .time = {.limit_ns = 100 * STEP_NS, .share_ns = 3 * STEP_NS},
     .is_turn = true},
    {.name = "tight deadline",
     .budget.deadline_ns = 2 * STEP_NS,
     .has_clock = true,
     .time = {.limit_ns = 4 * STEP_NS, .share_ns = 3 * STEP_NS}},
    {.name = "often", .budget = {.time_ns_max = 40 * STEP_NS, .clock_every = 1}, .has_clock = true},
    {.name = "time option", .options = "time=12", .has_clock = true, .is_turn = true},
    {.name = "time option, no clock", .options = "time=12"},
    {.name = "seed", .options = "seed=77"},
    {.name = "stop", .has_clock = true, .stop_at = 5},
    {.name = "stopped", .has_clock = true, .stop_at = -1},
};
enum { LIMITS = sizeof all_limits / sizeof all_limits[0] };

/* ---- recorded results ---- */

static void add_thoughts(const struct thoughts *t, struct text *out) {
    text_add(out, "%d of %d, simulations %llu, nodes %llu, depth %d", t->count, t->total,
             (unsigned long long)t->simulations, (unsigned long long)t->nodes, t->depth);
    for (int i = 0; i < t->count; i++) {
        const struct thought *c = &t->candidates[i];
        text_add(out, "; %d %.6f%s %llu:", (int)c->action, c->value, c->at_most ? " at most" : "",
                 (unsigned long long)c->visits);
        for (int k = 0; k < c->line_count; k++)
            text_add(out, " %d", (int)c->line[k]);
    }
    text_add_string(out, "\n");
}

struct watcher {
    int shown;
    struct text all;
};

static void watch_thoughts(void *context, const struct thoughts *so_far) {
    struct watcher *w = context;
    w->shown++;
    add_thoughts(so_far, &w->all);
}

/* One line for budgets in a row that have the same result. */
struct results {
    struct text *out, names, last;
};

static void flush_results(struct results *r) {
    if (r->names.size > 0)
        text_add(r->out, "  %s: %s\n", text_string(&r->names), text_string(&r->last));
    text_done(&r->names);
    text_done(&r->last);
}

static void add_result(struct results *r, const char *name, const char *result) {
    if (r->names.size > 0 && strcmp(text_string(&r->last), result) != 0)
        flush_results(r);
    text_add(&r->names, "%s%s", r->names.size > 0 ? ", " : "", name);
    text_clear(&r->last);
    text_add_string(&r->last, result);
}

static void describe(const struct position *p, const struct answer *answer, const struct thoughts *thoughts,
                     struct text *out) {
    struct text candidates = {0};
    p->scenario->game->text->write_action(p->state, answer->chosen, out);
    if (!isnan(answer->value))
        text_add(out, " %.6f", answer->value);
    text_add(out, " work %llu", (unsigned long long)answer->work_done);
    if (answer->leaves != answer->work_done)
        text_add(out, " leaves %llu", (unsigned long long)answer->leaves);
    add_thoughts(thoughts, &candidates);
    if (thoughts->count > 0)
        text_add(out, " of %d %08x", thoughts->count, expected_digest(&candidates));
    text_done(&candidates);
}

/* Asks once and adds the result; the answer's action is returned. */
static action add_answer(struct player *player, const struct position *p, const struct limits *limits,
                         int taken, struct results *results) {
    const struct game *game = p->scenario->game;
    struct counting counting;
    struct rng r;
    struct thoughts thoughts = {0};
    struct watcher watcher = {0};
    struct answer answer;
    struct text result = {0};
    _Alignas(16) unsigned char view[GAME_STATE_MAX];
    const struct watch watch = {watch_thoughts, &watcher, 2 * STEP_NS};
    start_counting(&counting, limits->stop_at);
    rng_seed(&r, 11);
    game_view(game, p->state, game->mover(p->state), view);
    struct ask ask = {.game = game,
                      .view = view,
                      .side = game->mover(p->state),
                      .taken = taken,
                      .budget = limits->budget,
                      .time = limits->time,
                      .rng = &r,
                      .thoughts = &thoughts};
    if (limits->has_clock) {
        ask.budget.clock = &counting.clock;
        ask.budget.stop = &counting.stop;
        ask.watch = &watch;
    }
    player_choose(player, &ask, &answer);
    assert_int_equal(answer.fault, PLAYER_FAULT_NONE);
    assert_true(game->is_legal(p->state, answer.chosen));
    describe(p, &answer, &thoughts, &result);
    text_add(&result, " random %04x", (unsigned)(rng_next(&r) >> 48));
    if (counting.reads > 0)
        text_add(&result, " clock %d", counting.reads);
    if (watcher.shown > 0)
        text_add(&result, " shown %d %08x", watcher.shown, expected_digest(&watcher.all));
    add_result(results, limits->name, text_string(&result));
    thoughts_done(&thoughts);
    text_done(&watcher.all);
    text_done(&result);
    return answer.chosen;
}

/* The decisions of one turn, by the same player: some decide the whole turn at its first. */
static void add_turn(struct player *player, const struct position *from, const struct limits *limits,
                     struct results *results) {
    const struct game *game = from->scenario->game;
    struct position p = *from;
    struct rng chance;
    const int side = game->mover(p.state), turn = game->turn(p.state);
    rng_seed(&chance, 5);
    for (int taken = 0; taken < (limits->is_turn ? DECISIONS : 1); taken++) {
        if (game->mover(p.state) != side || game->turn(p.state) != turn)
            return;
        game->play(p.state, add_answer(player, &p, limits, taken, results), &chance);
    }
}

static void add_player(const char *spec, const struct position *p, struct text *out) {
    struct results results = {.out = out};
    for (int i = 0; i < LIMITS; i++) {
        const struct limits *limits = &all_limits[i];
        const char *more = limits->options;
        char full[256];
        struct err e = {0};
        snprintf(full, sizeof full, "%s%s%s", spec,
                 more == NULL                ? ""
                 : strchr(spec, ':') == NULL ? ":"
                                             : ",",
                 more != NULL ? more : "");
        struct player *player = player_open_granted(full, p->scenario->game, NULL, &e);
        if (player != NULL)
            add_turn(player, p, limits, &results);
        else {
            char *list = strstr(e.text, "; known are random, ");
            if (list != NULL)
                *list = '\0'; /* it grows with each new player */
            add_result(&results, limits->name, e.text);
        }
        player_close(player);
        if (player == NULL && i == 0)
            break; /* it does not play this game */
    }
    flush_results(&results);
}

/* ---- players and games ---- */

static const char *const specs[] = {
    "random", "acteval", "acteval:style=sample,cover=0.5,approach=0.2", "uct:sims=150,memory=1",
    "uct:sims=150,memory=1,transpositions=yes,choose=visits,expand=3,horizon=2",
    "uct:sims=150,memory=1,horizon=0,cut=loss,first=any,c=0.3",
    "uct:sims=150,memory=1,first=attacks,reuse=yes",
    "pwuct:sims=200,memory=1,switch=20,scale=2,scale2=3,shift2=9,offset2=1",
    "muct:sims=120,memory=1,expand=2", "dlmc:turns=6,sims=5", "dlmc:turns=4,sims=3,horizon=0",
    "aas:nodes=400,memory=1", "aas:nodes=300,memory=1,length=2,rest=greedy,samples=2,eval=threat,merge=no",
    "minmax:nodes=600,memory=1", "minmax:plies=2,nodes=500,memory=1,ties=random,order=fixed",
    "minmax:depth=2,nodes=500,table=no,prune=attacks", "split:player=[minmax:nodes=300,memory=1],horizon=1",
    "first:player=[uct:sims=30,memory=1],then=random,turns=1", "pimc:sims=60",
    "iimc:sims=8,inner=3,opponent=pimc", "amcts:sims=12,inner=3,rule=always",
    "amcts:sims=24,inner=2,theta=0.1,keep=yes,skip=no", "ismcts:sims=120,memory=1",
    "ismcts:sims=90,memory=1,bound=tuned,choose=mean,expand=2", "gst-a:sims=60,memory=1",
    "gst-b:sims=60,memory=1,merge=yes,policy=random", "gst-c:sims=60,memory=1,reading=letter,choose=visits",
    "nissy:sims=60,memory=1,mate=3", "purple:depth=3,memory=1", "eacp:depth=2,memory=1",
    "eacp:depth=1,memory=1,combine=votes", "guess:setup=strong", "pg", "pg:style=sample",
    "geist:sims=40,mate=3,guard=1,depth=1,memory=1",
    "geist:sims=40,mate=2,guard=1,depth=0,models=no,memory=1",
    /* refused, each with its reason */
    "uct:policy=x,memory=1", "ismcts:policy=x,memory=1", "pimc:policy=x", "dlmc:values=x", "dlmc:policy=x",
    "aas:values=x,memory=1", "minmax:eval=x,memory=1", "minmax:sort=x,memory=1", "minmax:values=x,memory=1",
    "gst-b:setup=AABC,memory=1", "pg:weights=x", "geist:weights=x,memory=1", "split:player=nobody",
    "split:player=[ext:cmd=true]", "first:player=nobody", "first:then=nobody",
    "first:player=random,then=[ext:cmd=true]"};

static void add_position(const char *name, const struct position *p, struct text *out) {
    for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++) {
        text_add(out, "%s, side %d, %s\n", name, p->scenario->game->mover(p->state), specs[i]);
        add_player(specs[i], p, out);
    }
}

/* A position after some random actions. */
static void add_game(const char *name, struct scenario *scenario, int steps, struct text *out) {
    struct position p;
    struct rng r;
    char full[64];
    rng_seed(&r, 3);
    assert_non_null(scenario);
    assert_true(walk(&p, scenario, steps, &r));
    snprintf(full, sizeof full, "%s after %d", name, steps);
    add_position(full, &p, out);
    game_unload(scenario);
}

/* Ends of games of Geister, for the searches for a win: one that is won at once, one that is won in two
 * moves, one in which the enemy must be stopped before its exit. */
static void add_geister_ends(struct text *out) {
    static const char *const boards[] = {"24R34R44R13R00B25B35B32B40r31b30r21b11r20b10r41b",
                                         "24R34R44R13R01B25B35B33B40r31b30r32b22r50b43r41b",
                                         "24R34R44R13R22B25B35B04B40r31b30r41b05r51b11r10b"};
    struct err e;
    struct scenario *scenario = game_load_spec("geister", &e);
    assert_non_null(scenario);
    for (int i = 0; i < 3; i++) {
        struct position p = {.scenario = scenario};
        char name[32];
        geister_place((struct geister *)p.state, scenario, boards[i], 40, 0);
        snprintf(name, sizeof name, "geister, end %d", i + 1);
        add_position(name, &p, out);
    }
    game_unload(scenario);
}

static void answers_are_as_before(void **state) {
    (void)state;
    static const struct {
        const char *name;
        int steps;
    } games[] = {{"tictactoe", 1},     {"kuhn", 1},    {"fusion", 1},
                 {"synth:depth=6", 2}, {"geister", 0}, {"geister", 9}};
    static const struct {
        const char *name;
        int steps;
    } maps[] = {{"skirmish_open", 0}, {"duel", 3}, {"skirmish_air", 8}};
    struct text found = {0};
    struct err e;
    for (int i = 0; player_types[i] != NULL; i++)
        if (expected_is_registered("player", player_types[i]->name))
            text_add(&found, "%s: %s\n", player_types[i]->name,
                     player_expects_payoffs(player_types[i]->name) ? "expects payoffs"
                                                                   : "has a scale of its own");
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++)
        add_game(games[i].name, game_load_spec(games[i].name, &e), games[i].steps, &found);
    for (size_t i = 0; i < sizeof maps / sizeof maps[0]; i++)
        add_game(maps[i].name, own_map(maps[i].name), maps[i].steps, &found);
    add_geister_ends(&found);
    expected_compare("players.txt", &found);
    text_done(&found);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(answers_are_as_before)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
