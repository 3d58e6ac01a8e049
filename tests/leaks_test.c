/* SPDX-License-Identifier: MIT
 *
 * The leak audit: all players of ours on all games with hidden information. And that it finds existing leaks:
 * games that hide badly, players that read around their view, remember, or depend on the number of the game.
 */
#include "audit/leaks.h"

#include "game/plain.h"
#include "match/clocked_game.h"
#include "player/common.h"
#include "sample.h"
#include "tests/memory_support.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const char whole_reports[] =
    "17 games, 40 positions, 40 alike, 0 alone: 0 views, 0 stored, 0 answers, 0 unsteady\n"
    "17 games, 40 positions, 40 alike, 0 alone: 0 views, 0 stored, 11 answers, 0 unsteady\n"
    "game 1 after 1 actions, second to move: in 'cards=J,K moves=pass' and in 'cards=Q,K moves=pass'"
    " it answers pass and bet\n"
    "17 games, 40 positions, 40 alike, 0 alone: 0 views, 0 stored, 11 answers, 0 unsteady\n"
    "game 1 after 1 actions, second to move: in 'cards=J,K moves=pass' and in 'cards=Q,K moves=pass'"
    " it answers pass (value 0) and pass (value 1)\n"
    "17 games, 40 positions, 40 alike, 0 alone: 0 views, 0 stored, 11 answers, 0 unsteady\n"
    "game 1 after 1 actions, second to move: in 'cards=J,K moves=pass' and in 'cards=Q,K moves=pass'"
    " it answers pass (work 0, leaves 1) and pass (work 1, leaves 1)\n"
    "17 games, 40 positions, 40 alike, 0 alone: 0 views, 0 stored, 11 answers, 0 unsteady\n"
    "game 1 after 1 actions, second to move: in 'cards=J,K moves=pass' and in 'cards=Q,K moves=pass'"
    " it answers pass (work 1, leaves 0) and pass (work 1, leaves 1)\n"
    "17 games, 40 positions, 40 alike, 0 alone: 0 views, 0 stored, 11 answers, 0 unsteady\n"
    "game 1 after 1 actions, second to move: in 'cards=J,K moves=pass' and in 'cards=Q,K moves=pass'"
    " it answers pass (random numbers left at 27905af341f73f3d) and pass (random numbers left at d42"
    "7208fda08c2ee)\n"
    "17 games, 40 positions, 40 alike, 0 alone: 0 views, 0 stored, 11 answers, 0 unsteady\n"
    "game 1 after 1 actions, second to move: in 'cards=J,K moves=pass' and in 'cards=Q,K moves=pass'"
    " it answers pass and bet\n"
    "17 games, 40 positions, 40 alike, 0 alone: 0 views, 0 stored, 25 answers, 0 unsteady\n"
    "game 1 after 0 actions, first to move: in 'cards=J,K moves=-' and in 'cards=J,Q moves=-' it ans"
    "wers bet and pass, and so it does in the first of them as soon as that is said to be another ga"
    "me: it goes by which game it is\n"
    "17 games, 40 positions, 40 alike, 0 alone: 0 views, 0 stored, 21 answers, 0 unsteady\n"
    "game 2 after 0 actions, first to move: in 'cards=K,J moves=-' and in 'cards=K,Q moves=-' it ans"
    "wers pass and bet, and so it does in the first of them as soon as that is said to be another ga"
    "me: it goes by which game it is\n"
    "17 games, 40 positions, 40 alike, 0 alone: 0 views, 0 stored, 18 answers, 0 unsteady\n"
    "game 1 after 0 actions, first to move: in 'cards=J,K moves=-' and in 'cards=J,Q moves=-' it ans"
    "wers bet and pass, and so it does in the first of them as soon as that is said to be another ga"
    "me: it goes by which game it is\n"
    "17 games, 40 positions, 40 alike, 0 alone: 0 views, 0 stored, 17 answers, 33 unsteady\n"
    "game 1 after 0 actions, first to move: in 'cards=J,K moves=-' and in 'cards=J,Q moves=-' it ans"
    "wers bet and pass, and so it does in the first of them as soon as that is said to be another ga"
    "me: it goes by which game it is\n"
    "17 games, 40 positions, 40 alike, 0 alone: 0 views, 0 stored, 0 answers, 80 unsteady\n"
    "game 1 after 0 actions, first to move: in 'cards=J,K moves=-' it answers the same question diff"
    "erently the second time: pass and bet\n"
    "17 games, 40 positions, 80 alike, 0 alone: 40 views, 14 stored, 0 answers, 0 unsteady\n"
    "game 1 after 0 actions, first to move: in 'cards=J,K moves=-' and in 'cards=J,Q moves=-' the vi"
    "ews differ, although each of these states can be taken for the other: byte 15 is 52 and 71\n"
    "17 games, 40 positions, 40 alike, 0 alone: 0 views, 14 stored, 0 answers, 0 unsteady\n"
    "game 3 after 1 actions, second to move: in 'cards=Q,K moves=pass' the view has the key of one i"
    "n another game (1), but not its bytes: byte 16 is 173 and 52\n"
    "26 games, 60 positions, 60 alike, 0 alone: 0 views, 0 stored, 0 answers, 0 unsteady\n"
    "38 games, 60 positions, 60 alike, 0 alone: 0 views, 0 stored, 0 answers, 0 unsteady\n"
    "11 games, 60 positions, 148 alike, 3 alone: 0 views, 0 stored, 0 answers, 0 unsteady\n"
    "2 games, 60 positions, 180 alike, 2 alone: 0 views, 0 stored, 0 answers, 0 unsteady\n";

/* ---- all players in all games ---- */

/* A game of Geister has many long lines of play: there few positions cost as much. */
enum { POSITIONS = SAMPLE(200, 40), POSITIONS_OF_GEISTER = SAMPLE(6, 3) };

struct cheap {
    const char *name, *spec;
};

/* Fast players. NULL: external, so it cannot be audited. A new player is judged with its defaults until it
 * has a row. */
static const struct cheap cheap[] = {
    {"random", "random"},
    {"acteval", "acteval"},
    {"uct", "uct:sims=30,policy=random"},
    {"pwuct", "pwuct:sims=30,policy=random"},
    {"muct", "muct:sims=30"},
    {"minmax", "minmax:depth=2"},
    {"dlmc", "dlmc:turns=5,sims=5"},
    {"aas", "aas"},
    {"split", "split:player=[uct:sims=20]"},
    {"first", "first:player=[pimc:sims=20],then=[ismcts:sims=20]"},
    {"ext", NULL},
    {"pimc", "pimc:sims=30"},
    {"iimc", "iimc:sims=20,inner=6"},
    {"amcts", "amcts:constant=1,inner=6"},
    {"ismcts", "ismcts:sims=30"},
    {"gst-a", "gst-a:sims=30"},
    {"gst-b", "gst-b:sims=30"},
    {"gst-c", "gst-c:sims=30"},
    {"nissy", "nissy:sims=30"},
    {"purple", "purple:depth=2,memory=1"},
    {"march", "march:depth=2,memory=1"},
    {"eacp", "eacp:depth=1,memory=1"},
    {"guess", "guess"},
    {"pg", "pg:style=sample"},
    {"geist", "geist:sims=30,mate=3,guard=1,depth=1"},
};

/* More ways to play of those that are made for hidden information. */
static const char *const variants[] = {
    "pimc:sims=30,evaluator=minimax",
    "pimc:sims=30,root=roundrobin",
    "pimc:sims=64,worlds=all",
    "pimc:sims=30,seed=7",
    "iimc:sims=20,inner=4,opponent=pimc",
    "amcts:constant=1,inner=4,rule=always",
    "amcts:constant=1,inner=4,rule=random",
    "amcts:constant=1,inner=4,rule=6c,keep=yes",
    "ismcts:sims=30,threads=2",
    "pimc:sims=20,time=5", /* without a clock: by its simulations */
    "first:player=[amcts:constant=1,inner=4],then=[first:player=[ismcts:sims=20],then=[iimc:sims=9,inner=4]]",
    "ismcts:sims=30,seed=7",
};

/* Players that must be able to play every game with hidden information. */
static const char *const able[] = {"random", "pimc", "iimc", "amcts", "ismcts"};

/* Beside each game with its defaults. */
static const char *const more_games[] = {"synth:df=0", "synth:df=0.3,tree=1", "synth:df=0.8",
                                         "synth:worlds=2,branching=3,depth=4,df=0.5"};

static const char *cheap_spec(const char *name) {
    for (size_t i = 0; i < sizeof cheap / sizeof cheap[0]; i++)
        if (strcmp(cheap[i].name, name) == 0)
            return cheap[i].spec;
    return name; /* a new player: its defaults may be slow, but are judged */
}

static struct scenario *load(const char *spec) {
    struct err e;
    struct scenario *scenario = game_load_spec(spec, &e);
    if (scenario == NULL)
        fail_msg("%s: %s", spec, e.text);
    return scenario;
}

static struct leaks_report find(const struct scenario *scenario, struct player *player, int positions) {
    struct err e = {""};
    struct leaks_report report;
    const struct leaks_task task = {
        .scenario = scenario, .player = player, .positions = positions, .alike = 3, .seed = 11};
    if (!leaks_find(&task, &report, &e))
        fail_msg("%s", e.text);
    return report;
}

static bool is_large(const char *game) {
    return strncmp(game, "geister", strlen("geister")) == 0;
}

/* Searches within searches take longest. */
static int positions_for(const char *player, const char *game) {
    const bool nested = strncmp(player, "iimc", 4) == 0 || strncmp(player, "amcts", 5) == 0;
    return !is_large(game) ? POSITIONS : nested ? 1 : POSITIONS_OF_GEISTER;
}

/* False when it cannot play that game. */
static bool audit(const char *player_spec, const char *game_spec) {
    struct err e;
    struct scenario *scenario = load(game_spec);
    struct player *player = player_open(player_spec, scenario->game, &e);
    if (player != NULL) {
        const int positions = positions_for(player_spec, game_spec);
        struct leaks_report report = find(scenario, player, positions);
        if (!leaks_none(&report))
            fail_msg("%s on %s: %s", player_spec, game_spec, text_string(&report.first));
        assert_int_equal(report.positions, positions);
        assert_true(report.alike >= report.positions);
        text_done(&report.first);
    }
    player_close(player);
    game_unload(scenario);
    return player != NULL;
}

/* Options of players for any game are tried in the small ones. */
static bool is_tried(const struct game *game, bool large_too) {
    return game->hide != NULL && (large_too || !is_large(game->name));
}

static int audit_everywhere(const char *player_spec, bool large_too) {
    int played = 0;
    for (int i = 0; game_tables[i] != NULL; i++)
        played += is_tried(game_tables[i], large_too) && audit(player_spec, game_tables[i]->name);
    for (size_t i = 0; i < sizeof more_games / sizeof more_games[0]; i++)
        played += audit(player_spec, more_games[i]);
    return played;
}

static int hidden_games(bool large_too) {
    int count = (int)(sizeof more_games / sizeof more_games[0]);
    for (int i = 0; game_tables[i] != NULL; i++)
        count += is_tried(game_tables[i], large_too);
    return count;
}

static void no_player_sees_too_much(void **unused) {
    (void)unused;
    int able_count = 0;
    assert_true(hidden_games(true) > 4);
    for (int i = 0; player_types[i] != NULL; i++) {
        const char *spec = cheap_spec(player_types[i]->name);
        const int played = spec != NULL ? audit_everywhere(spec, true) : 0; /* NULL: an outsider */
        for (size_t k = 0; k < sizeof able / sizeof able[0]; k++)
            if (strcmp(able[k], player_types[i]->name) == 0) {
                assert_int_equal(played, hidden_games(true));
                able_count++;
            }
    }
    assert_int_equal(able_count, sizeof able / sizeof able[0]);
}

static void nor_with_other_options(void **unused) {
    (void)unused;
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++)
        assert_int_equal(audit_everywhere(variants[i], false), hidden_games(false));
}

/* ---- games that hide badly ---- */

static uint64_t truth; /* what the last state that was hidden was */

/* A byte without other use still holds what was hidden. */
static void hide_but_for_a_byte(void *state, int side) {
    const uint64_t key = kuhn_game.key(state);
    kuhn_game.hide(state, side);
    ((unsigned char *)state)[kuhn_game.state_size - 1] = (unsigned char)key;
}

/* The view is clean, but hidden data lie in memory that players can reach. */
static void hide_but_reveal(void *state, int side) {
    truth = kuhn_game.key(state);
    kuhn_game.hide(state, side);
}

/* A byte that no function erases: written when the cards are dealt, behind the state of the other functions.
 */
static void start_and_note(void *state, const struct scenario *scenario, struct rng *r) {
    kuhn_game.start(state, scenario, r);
    ((unsigned char *)state)[kuhn_game.state_size] = (unsigned char)kuhn_game.key(state);
}

/* Kuhn poker with another way to hide. The scenario selects the table of its states. */
struct bad_game {
    struct game game;
    struct scenario *scenario;
};

static void open_bad_game(struct bad_game *g, void (*hide)(void *, int)) {
    g->game = kuhn_game;
    g->game.hide = hide;
    g->scenario = load("kuhn");
    g->scenario->game = &g->game;
}

static void close_bad_game(struct bad_game *g) {
    game_unload(g->scenario);
}

/* ---- players that look ---- */

enum look {
    LOOK_AWAY,
    LOOK_ACTION,
    LOOK_VALUE,
    LOOK_WORK,
    LOOK_LEAVES,
    LOOK_DRAWS,
    LOOK_STATE,  /* behind the view: at the state it was made from … */
    LOOK_DEALER, /* … at the generator that dealt … */
    LOOK_RECORD, /* … and at the seed of the deal */
    LOOK_NUMBER,
    LOOK_BACK,
    LOOK_ROUND, /* another answer in the second round of questions about the two states of a position */
};

struct looker {
    struct player player; /* first member */
    enum look look;
    int asks;
};

/* The view lies inside the referee's state. C cannot prevent a player from reading around it. */
static unsigned read_behind_the_view(const struct ask *ask, enum look look) {
    const unsigned char *view = ask->view;
    const struct referee *referee = (const struct referee *)(view - offsetof(struct referee, view));
    const uint64_t found = look == LOOK_STATE    ? kuhn_game.key(referee->state)
                           : look == LOOK_DEALER ? referee->game_rng.s[0]
                                                 : referee->record->seed;
    return (unsigned)rng_mix(found) & 1;
}

static void choose_looking(struct player *player, const struct ask *ask, struct answer *out) {
    struct looker *p = (struct looker *)player;
    action list[2];
    ask->game->actions(ask->view, list);
    const unsigned odd = (unsigned)rng_mix(truth) & 1;
    const uint64_t number = ask->history != NULL ? ask->history->id : 0;
    out->chosen = list[p->look == LOOK_ACTION                            ? odd
                       : p->look >= LOOK_STATE && p->look <= LOOK_RECORD ? read_behind_the_view(ask, p->look)
                       : p->look == LOOK_NUMBER                          ? (unsigned)rng_mix(number) & 1
                       : p->look == LOOK_BACK && p->asks++ % 5 == 0      ? 1
                       : p->look == LOOK_ROUND && p->asks++ % 4 >= 2     ? 1
                                                                         : 0];
    out->value = p->look == LOOK_VALUE ? odd : (double)NAN;
    out->work_done = p->look == LOOK_WORK ? odd : 1;
    out->leaves = p->look == LOOK_LEAVES ? odd : 1;
    if (p->look == LOOK_DRAWS && odd)
        rng_next(ask->rng);
}

static const struct player_type looking = {.name = "looker", .choose = choose_looking};

static struct leaks_report watch(enum look look) {
    struct bad_game game;
    struct looker looker = {{&looking}, look, 0};
    open_bad_game(&game, hide_but_reveal);
    struct leaks_report report = find(game.scenario, &looker.player, 40);
    close_bad_game(&game);
    return report;
}

static void bad_views_are_found(void **unused) {
    (void)unused;
    struct bad_game game;
    struct err e;
    open_bad_game(&game, hide_but_for_a_byte);
    struct player *player = player_open("random", &game.game, &e);
    assert_non_null(player);
    struct leaks_report report = find(game.scenario, player, 40);
    /* Of the two worlds of each view one is the position itself, except for the byte; the byte reveals the
     * other one. */
    assert_int_equal(report.alike, 2 * report.positions);
    assert_int_equal(report.views, report.positions);
    assert_int_equal(report.answers, 0); /* this player does not look */
    assert_false(leaks_none(&report));
    assert_non_null(strstr(text_string(&report.first), "the views differ"));
    assert_non_null(strstr(text_string(&report.first), "cards="));
    text_done(&report.first);
    player_close(player);
    close_bad_game(&game);
}

/* Indistinguishable states made from a view share the byte that was left in it; games that were dealt
 * differently do not. */
static void what_was_never_erased_is_found(void **unused) {
    (void)unused;
    struct bad_game game;
    struct err e;
    open_bad_game(&game, kuhn_game.hide);
    game.game.start = start_and_note;
    game.game.state_size = kuhn_game.state_size + 8;
    struct player *player = player_open("random", &game.game, &e);
    assert_non_null(player);
    struct leaks_report report = find(game.scenario, player, 40);
    assert_true(report.stored > 0);
    assert_int_equal(report.views + report.answers + report.unsteady, 0);
    assert_false(leaks_none(&report));
    assert_non_null(strstr(text_string(&report.first), "another game"));
    text_done(&report.first);
    player_close(player);
    close_bad_game(&game);
}

static void a_player_that_reads_around_is_found(void **unused) {
    (void)unused;
    static const enum look looks[] = {LOOK_ACTION, LOOK_VALUE, LOOK_WORK,   LOOK_LEAVES,
                                      LOOK_DRAWS,  LOOK_STATE, LOOK_DEALER, LOOK_RECORD};
    for (size_t i = 0; i < sizeof looks / sizeof looks[0]; i++) {
        struct leaks_report report = watch(looks[i]);
        assert_int_equal(report.positions, 40);
        assert_int_equal(report.views, 0);
        assert_int_equal(report.unsteady, 0);
        assert_true(report.answers > 0);
        assert_false(leaks_none(&report));
        assert_non_null(strstr(text_string(&report.first), "it answers "));
        /* A player that reads the generator or the seed depends on something else that differs between games.
         */
        const bool by_game = looks[i] == LOOK_DEALER || looks[i] == LOOK_RECORD;
        assert_true((strstr(text_string(&report.first), "which game it is") != NULL) == by_game);
        text_done(&report.first);
    }
}

static void an_honest_player_is_not_found(void **unused) {
    (void)unused;
    struct leaks_report report = watch(LOOK_AWAY);
    assert_true(leaks_none(&report));
    assert_int_equal(report.first.size, 0);
    text_done(&report.first);
}

static void a_player_that_uses_the_number_is_found(void **unused) {
    (void)unused;
    struct leaks_report report = watch(LOOK_NUMBER);
    assert_int_equal(report.views, 0);
    assert_true(report.answers > 0);
    assert_non_null(strstr(text_string(&report.first), "which game it is"));
    text_done(&report.first);
}

static void a_player_that_remembers_is_found(void **unused) {
    (void)unused;
    struct leaks_report report = watch(LOOK_BACK);
    assert_true(report.unsteady > 0);
    assert_false(leaks_none(&report));
    text_done(&report.first);
}

/* ---- whole reports ---- */

static void write_report(const struct leaks_report *r, struct text *out) {
    text_add(out,
             "%d games, %d positions, %d alike, %d alone: %d views, %d stored, %d answers, %d unsteady%s\n",
             r->games, r->positions, r->alike, r->alone, r->views, r->stored, r->answers, r->unsteady,
             r->stopped ? ", stopped" : "");
    if (r->first.size > 0)
        text_add(out, "%s\n", text_string(&r->first));
}

/* All counters, and the whole text about the first finding. */
static void reports_are_whole(void **unused) {
    (void)unused;
    struct text out = {0};
    struct bad_game game;
    struct err e;
    for (int look = LOOK_AWAY; look <= LOOK_ROUND; look++) {
        struct leaks_report report = watch((enum look)look);
        write_report(&report, &out);
        text_done(&report.first);
    }
    for (int i = 0; i < 2; i++) {
        open_bad_game(&game, i == 0 ? hide_but_for_a_byte : kuhn_game.hide);
        game.game.start = i == 0 ? kuhn_game.start : start_and_note;
        game.game.state_size += i == 0 ? 0 : 8;
        struct player *player = player_open("random", &game.game, &e);
        struct leaks_report report = find(game.scenario, player, 40);
        write_report(&report, &out);
        text_done(&report.first);
        player_close(player);
        close_bad_game(&game);
    }
    static const char *const games[] = {"kuhn", "fusion", "synth:df=0.3,tree=1", "geister"};
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++) {
        struct scenario *scenario = load(games[i]);
        struct player *player = player_open("random", scenario->game, &e);
        struct leaks_report report = find(scenario, player, 60);
        write_report(&report, &out);
        text_done(&report.first);
        player_close(player);
        game_unload(scenario);
    }
    assert_string_equal(text_string(&out), whole_reports);
    text_done(&out);
}

/* Behaves like an external program: it draws its numbers once a game. */
struct drawer {
    struct player player; /* first member */
    uint64_t id, drawn;
};

static void choose_drawn(struct player *player, const struct ask *ask, struct answer *out) {
    struct drawer *p = (struct drawer *)player;
    action list[2];
    if (ask->history->id != p->id) {
        p->id = ask->history->id;
        p->drawn = rng_next(ask->rng);
    }
    ask->game->actions(ask->view, list);
    out->chosen = list[p->drawn & 1];
    out->value = (double)(p->drawn >> 32);
}

static void a_player_that_draws_once_a_game_is_not_found(void **unused) {
    (void)unused;
    static const struct player_type drawing = {.name = "drawer", .choose = choose_drawn};
    struct drawer drawer = {{&drawing}, 0, 0};
    struct scenario *scenario = load("kuhn");
    struct leaks_report report = find(scenario, &drawer.player, 40);
    if (!leaks_none(&report))
        fail_msg("%s", text_string(&report.first));
    text_done(&report.first);
    game_unload(scenario);
}

/* ---- budgets ---- */

/* A clock that jumps: a player that depends on it never does the same work twice. */
static int64_t jump(void *self) {
    int64_t *now = self;
    *now += 1000 + (int64_t)(rng_mix((uint64_t)*now) % 2000000);
    return *now;
}

static struct leaks_report find_by_clock(uint64_t work) {
    struct err e;
    int64_t now = 1;
    const struct clock clock = {.now_ns = jump, .self = &now};
    struct scenario *scenario = load("synth:df=0.3");
    struct player *player = player_open("pimc:time=20", scenario->game, &e);
    struct leaks_report report;
    assert_non_null(player);
    const struct leaks_task task = {.scenario = scenario,
                                    .player = player,
                                    .positions = 10,
                                    .alike = 2,
                                    .seed = 3,
                                    .work = work,
                                    .clock = &clock};
    assert_true(leaks_find(&task, &report, &e));
    player_close(player);
    game_unload(scenario);
    return report;
}

static void work_takes_the_place_of_time(void **unused) {
    (void)unused;
    struct leaks_report by_time = find_by_clock(0), by_work = find_by_clock(25);
    assert_true(by_time.unsteady > 0);
    assert_true(leaks_none(&by_work));
    text_done(&by_time.first);
    text_done(&by_work.first);
}

/* ---- games that cannot be checked ---- */

static void nothing_hidden_shows_nothing(void **unused) {
    (void)unused;
    struct err e;
    struct scenario *scenario = load("synth:df=1,worlds=2");
    struct player *player = player_open("random", scenario->game, &e);
    struct leaks_report report = find(scenario, player, 5);
    assert_int_equal(report.positions, 0);
    assert_true(report.alone > 0);
    assert_false(leaks_none(&report));
    text_done(&report.first);
    struct game open_game = *scenario->game;
    open_game.hide = NULL;
    scenario->game = &open_game;
    const struct leaks_task task = {.scenario = scenario, .player = player, .positions = 1, .alike = 1};
    assert_false(leaks_find(&task, &report, &e));
    assert_non_null(strstr(e.text, "hides nothing"));
    text_done(&report.first);
    player_close(player);
    game_unload(scenario);
}

static void choose_nothing(struct player *player, const struct ask *ask, struct answer *out) {
    (void)player, (void)ask;
    out->fault = PLAYER_FAULT_CRASH;
    snprintf(out->reason, sizeof out->reason, "it fell over");
}

static void a_fault_is_an_error(void **unused) {
    (void)unused;
    static const struct player_type falling = {.name = "falling", .choose = choose_nothing};
    struct err e;
    struct player player = {&falling};
    struct leaks_report report;
    struct scenario *scenario = load("kuhn");
    const struct leaks_task task = {.scenario = scenario, .player = &player, .positions = 1, .alike = 1};
    assert_false(leaks_find(&task, &report, &e));
    assert_string_equal(e.text, "the player is at fault (crash): it fell over");
    text_done(&report.first);
    game_unload(scenario);
}

static void it_can_be_stopped(void **unused) {
    (void)unused;
    struct err e;
    const atomic_bool stop = true;
    struct looker looker = {{&looking}, LOOK_ACTION, 0};
    struct scenario *scenario = load("kuhn");
    struct leaks_report report;
    const struct leaks_task task = {
        .scenario = scenario, .player = &looker.player, .positions = 5, .alike = 1, .stop = &stop};
    assert_true(leaks_find(&task, &report, &e));
    assert_true(report.stopped);
    assert_int_equal(report.positions, 0);
    text_done(&report.first);
    game_unload(scenario);
}

static void find_leaks(void *context) {
    struct leaks_report report;
    struct err e;
    assert_true(leaks_find(context, &report, &e));
    text_done(&report.first);
}

/* Every allocation may fail; nothing is left behind. */
static void memory_may_run_out(void **unused) {
    (void)unused;
    struct bad_game game;
    struct looker looker = {{&looking}, LOOK_ACTION, 0};
    open_bad_game(&game, hide_but_reveal);
    struct leaks_task task = {
        .scenario = game.scenario, .player = &looker.player, .positions = 20, .alike = 2, .seed = 11};
    long n = 1;
    while (memory_runs_out(n, find_leaks, &task))
        n++;
    assert_true(n > 5);
    close_bad_game(&game);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_player_sees_too_much),
        cmocka_unit_test(nor_with_other_options),
        cmocka_unit_test(bad_views_are_found),
        cmocka_unit_test(what_was_never_erased_is_found),
        cmocka_unit_test(a_player_that_reads_around_is_found),
        cmocka_unit_test(an_honest_player_is_not_found),
        cmocka_unit_test(a_player_that_uses_the_number_is_found),
        cmocka_unit_test(a_player_that_remembers_is_found),
        cmocka_unit_test(reports_are_whole),
        cmocka_unit_test(a_player_that_draws_once_a_game_is_not_found),
        cmocka_unit_test(work_takes_the_place_of_time),
        cmocka_unit_test(nothing_hidden_shows_nothing),
        cmocka_unit_test(a_fault_is_an_error),
        cmocka_unit_test(it_can_be_stopped),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
