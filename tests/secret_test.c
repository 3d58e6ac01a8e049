/* SPDX-License-Identifier: MIT
 *
 * Hidden actions, in Geister the choice of the reds: they are detected without a function of the game,
 * histories do not contain them, and the audit finds a game that reveals them. Information that actions have
 * revealed. And Geister's records as logs.
 */

#include "audit/leaks.h"
#include "game/geister/geister.h"
#include "match/clocked_game.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct scenario *load(const char *spec) {
    struct err e;
    struct scenario *scenario = game_load_spec(spec, &e);
    if (scenario == NULL)
        fail_msg("%s", e.text);
    return scenario;
}

/* ---- which actions are secret ---- */

static void set_ups_are_secret_and_moves_are_not(void **unused) {
    (void)unused;
    struct scenario *scenario = load("geister");
    const struct game *game = scenario->game;
    struct geister s;
    struct rng r;
    action alike[GEISTER_SETUPS * 2];
    rng_seed(&r, 1);
    game->start(&s, scenario, &r);
    for (int mover = 0; mover < 2; mover++) {
        const action chosen = geister_setup(geister_setup_reds(33));
        assert_int_equal(secret_alike(game, &s, chosen, mover ^ 1, alike), GEISTER_SETUPS);
        assert_int_equal(alike[0], geister_setup(geister_setup_reds(0)));
        assert_int_equal(secret_alike(game, &s, chosen, mover, alike), 1);
        assert_int_equal(alike[0], chosen);
        assert_true(secret_is(game, &s, chosen, mover ^ 1));
        game->play(&s, chosen, &r);
    }
    action list[64];
    const int count = game->actions(&s, list);
    for (int i = 0; i < count; i++)
        for (int side = 0; side < 2; side++)
            assert_false(secret_is(game, &s, list[i], side));
    game_unload(scenario);
}

/* Both exits of a corner lead to the same board; the chosen exit is public all the same. */
static void ways_out_are_no_secret(void **unused) {
    (void)unused;
    struct scenario *scenario = load("geister");
    struct geister s;
    struct err e;
    action list[64];
    assert_true(
        geister_read_board(&s, scenario, 0, "00B24R34R44R15B25B35B45R41u31u21u11u40u30u20u10u", 0, 0, &e));
    const int count = scenario->game->actions(&s, list);
    assert_int_equal(list[0] / 4, list[1] / 4);
    for (int i = 0; i < count; i++)
        for (int side = 0; side < 2; side++)
            assert_false(secret_is(scenario->game, &s, list[i], side));
    game_unload(scenario);
}

/* ---- information in a history ---- */

static void histories_of_hidden_games_have_no_actions(void **unused) {
    (void)unused;
    static const char *const specs[] = {"geister", "kuhn", "synth"};
    for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++) {
        struct scenario *scenario = load(specs[i]);
        struct record record;
        struct referee referee;
        struct game_history history;
        struct err e;
        action list[GEISTER_SETUPS * 2];
        record_init(&record);
        referee_start(&referee, scenario, 5, &record);
        scenario->game->actions(referee.state, list);
        assert_true(referee_answer(&referee, list[0], -1, &e));
        assert_true(referee_history(&referee, &history));
        assert_int_equal(history.count, 1);
        assert_null(history.at);
        assert_null(history.from);
        assert_true(history.id != record.seed);
        record_done(&record);
        game_unload(scenario);
    }
}

/* ---- information shown by actions ---- */

enum { FIRST = 1, SECOND = 2 };

/* A game of those actions; it is taken back to the first `count` of them. */
static bool was_shown(const struct scenario *scenario, const char *const *actions, int count,
                      unsigned sides) {
    struct record record;
    struct replay replay;
    struct err e;
    record_init(&record);
    record.seed = 1;
    replay_start(&replay, &record, scenario);
    for (int i = 0; actions[i] != NULL; i++) {
        action a;
        if (!scenario->game->text->read_action(replay.state, actions[i], &a, &e))
            fail_msg("%s", e.text);
        assert_true(record_add(&record, a, -1, &e));
        assert_true(replay_step(&replay, &e));
    }
    assert_true(replay_to(&replay, &record, scenario, count, &e));
    const bool was = secret_was_shown(&replay, sides);
    assert_int_equal(replay.next, count);
    record_done(&record);
    return was;
}

/* The side that takes a piece learns its colour; its owner had it before. */
static void a_taken_piece_shows_its_colour_to_the_taker(void **unused) {
    (void)unused;
    static const char *const game[] = {"BCFG", "ABEF", "AN", "HE", "AN", "HW", "AN", "HE", NULL};
    struct scenario *scenario = load("geister");
    assert_false(was_shown(scenario, game, 8, FIRST | SECOND)); /* nothing was played since */
    assert_false(was_shown(scenario, game, 7, FIRST | SECOND));
    for (int count = 0; count <= 6; count++) {
        assert_true(was_shown(scenario, game, count, FIRST));
        assert_false(was_shown(scenario, game, count, SECOND));
        assert_false(was_shown(scenario, game, count, 0));
    }
    game_unload(scenario);
}

/* In a tree types are revealed by df; the end of any game shows all. */
static void other_games_show_what_they_do(void **unused) {
    (void)unused;
    static const struct {
        const char *spec, *actions[7];
        bool after_two, to_the_start;
    } cases[] = {
        {"synth:df=0", {"L", "R", "L", NULL}, false, false},
        {"synth:df=1", {"L", "R", "L", NULL}, false, true}, /* all, at the first move of each */
        {"synth:df=0", {"L", "R", "L", "L", "R", "L", NULL}, true, true},
        {"synth:df=0,worlds=1", {"L", "R", "L", "L", "R", "L", NULL}, false, false},
        {"synth:df=0,worlds=4096", {"L", "R", "L", NULL}, false, false}, /* more than are gone through */
        {"synth:df=1,worlds=4096", {"L", "R", "L", NULL}, false, true},
        {"kuhn", {"pass", "bet", NULL}, false, false},
        {"kuhn", {"pass", "bet", "bet", NULL}, true, true},
        {"kuhn", {"bet", "pass", NULL}, false, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct scenario *scenario = load(cases[i].spec);
        assert_int_equal(was_shown(scenario, cases[i].actions, 2, FIRST | SECOND), cases[i].after_two);
        assert_int_equal(was_shown(scenario, cases[i].actions, 0, FIRST | SECOND), cases[i].to_the_start);
        game_unload(scenario);
    }
}

/* A game for one case: the second has a hidden coin, and with tails another action than with heads, which the
 * first does not see. Then it may reveal the coin. */
struct coin {
    uint8_t tails, is_known, ply, is_shown;
};

enum { HEADS_ACTS, TAILS_ACTS, SHOWS };

static int coin_mover(const void *state) {
    return ((const struct coin *)state)->ply < 3 ? 1 : NOBODY;
}

static int coin_actions(const void *state, action *out) {
    out[0] = ((const struct coin *)state)->tails != 0 ? TAILS_ACTS : HEADS_ACTS;
    out[1] = SHOWS;
    return 2;
}

static bool coin_is_legal(const void *state, action a) {
    action list[2];
    coin_actions(state, list);
    return a == list[0] || a == list[1];
}

static void coin_play(void *state, action a, struct rng *r) {
    struct coin *s = state;
    (void)r;
    s->ply++;
    s->is_shown = s->is_shown != 0 || a == SHOWS;
}

static void coin_hide(void *state, int side) {
    struct coin *s = state;
    if (side != 1 && s->is_shown == 0)
        s->tails = s->is_known = 0;
}

static double coin_worlds(const void *view) {
    return ((const struct coin *)view)->is_known != 0 ? 1 : 2;
}

static void coin_world(void *view, uint64_t number) {
    struct coin *s = view;
    s->tails = (uint8_t)number;
    s->is_known = 1;
}

static void coin_start(void *state, const struct scenario *scenario, struct rng *r) {
    (void)scenario;
    (void)r;
    *(struct coin *)state = (struct coin){.is_known = 1};
}

static int coin_turn(const void *state) {
    return ((const struct coin *)state)->ply;
}

/* An action that is impossible in other worlds reveals nothing to a side that cannot see the action. */
static void secret_actions_show_nothing(void **unused) {
    (void)unused;
    const struct game game = {.state_size = sizeof(struct coin),
                              .actions_max = 2,
                              .start = coin_start,
                              .mover = coin_mover,
                              .actions = coin_actions,
                              .is_legal = coin_is_legal,
                              .play = coin_play,
                              .turn = coin_turn,
                              .hide = coin_hide,
                              .worlds = coin_worlds,
                              .world = coin_world};
    const struct scenario scenario = {&game};
    static const action played[] = {HEADS_ACTS, SHOWS};
    struct record record;
    struct err e;
    record_init(&record);
    for (int i = 0; i < 2; i++) {
        struct replay replay;
        assert_true(record_add(&record, played[i], -1, &e));
        replay_start(&replay, &record, &scenario);
        assert_int_equal(secret_was_shown(&replay, FIRST), i == 1);
        assert_false(secret_was_shown(&replay, SECOND));
    }
    record_done(&record);
}

/* ---- the audit ---- */

/* The unused byte of a view holds the colour of the other side's first piece. */
static void hide_but_for_a_byte(void *state, int side) {
    struct geister *s = state;
    const uint8_t kept = side == NOBODY ? 0 : s->unused | (uint8_t)(s->reds[side ^ 1] & 1);
    geister_game.hide(state, side);
    if (s->stage != GEISTER_OVER)
        s->unused = kept;
}

/* Indistinguishable states made from the view share that byte; one with another history has its own. */
static void other_pasts_show_what_stays_in_views(void **unused) {
    (void)unused;
    struct err e;
    struct game bad = geister_game;
    struct scenario *scenario = load("geister");
    scenario->game = &bad;
    bad.hide = hide_but_for_a_byte;
    struct player *player = player_open("random", &bad, &e);
    assert_non_null(player);
    const struct leaks_task task = {
        .scenario = scenario, .player = player, .positions = 30, .alike = 3, .seed = 2};
    struct leaks_report report;
    assert_true(leaks_find(&task, &report, &e));
    assert_int_equal(report.positions, 30);
    assert_true(report.views > 0);
    assert_false(leaks_none(&report));
    text_done(&report.first);
    player_close(player);
    game_unload(scenario);
}

/* ---- logs ---- */

static bool read_log(const char *text, struct record *out, struct err *difference, struct err *e) {
    record_init(out);
    return record_read_log("log", text, strlen(text), out, difference, e);
}

static void logs_are_read_as_the_server_played(void **unused) {
    (void)unused;
    /* The second player sets first; an action out of turn, a malformed one or a second set-up was rejected.
     */
    static const char text[] =
        "player=1,SET:adeh\r\nplayer=0,MOV:A,N\r\nplayer=0,SET:AAAA\r\nplayer=0,SET:BCFG\r\n"
        "player=0,SET:ABCD\r\nplayer=1,MOV:A,N\r\nplayer=0,MOV:A,NORTH\r\nplayer=1,MOV:d,n\r\n";
    struct record record;
    struct err e, difference;
    struct text out = {0};
    assert_true(read_log(text, &record, &difference, &e));
    assert_string_equal(difference.text, "");
    assert_string_equal(record.result, "none");
    assert_int_equal(record.count, 4);
    assert_true(record_write_log(&record, &out, &e));
    assert_string_equal(text_string(&out),
                        "player=0,SET:BCFG\nplayer=1,SET:ADEH\nplayer=0,MOV:A,N\nplayer=1,MOV:D,N\n");
    text_done(&out);
    record_done(&record);
}

static void rulings_come_from_the_end_of_a_log(void **unused) {
    (void)unused;
    static const char head[] = "player=0,SET:ABCD\nplayer=1,SET:ABCD\n";
    static const char *const cases[][3] = {
        {"player=0,MOV:A,S\n", "second illegal", "first forfeits: MOV:A,S is illegal"},
        {"player=0,MOV:A,S\nplayer=0,MOV:A,N\n", "none", ""}, /* it could try again */
        {"player=0,MOV:A,N\nfault=1,hang: no move in time\nwinner=0\n", "first hang",
         "second forfeits: no move in time"},
        {"player=0,MOV:B,NE\n", "second illegal", "first forfeits: MOV:B,NE is illegal"}, /* no direction */
        {"fault=2,hang: nobody moves\nplayer=0,MOV:B,N\nwinner=2\n", "draw hang", "nobody moves"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[256];
        struct record record;
        struct err e, difference;
        snprintf(text, sizeof text, "%s%s", head, cases[i][0]);
        assert_true(read_log(text, &record, &difference, &e));
        assert_string_equal(record.result, cases[i][1]);
        assert_string_equal(record.comment, cases[i][2]);
        record_done(&record);
    }
}

/* Also a ruling as the first entry: neither player has answered before it. */
static void rulings_are_written_as_they_were_read(void **unused) {
    (void)unused;
    static const char *const texts[] = {
        "player=0,SET:ABCD\nplayer=1,SET:ABCD\nplayer=0,MOV:A,N\nfault=1,hang: no move in time\nwinner=0\n",
        "player=0,SET:ABCD\nplayer=1,SET:ABCD\nfault=0,crash: it left\nwinner=1\n",
        "fault=2,hang: neither chose its reds\nwinner=2\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct record record;
        struct err e, difference;
        struct text out = {0};
        assert_true(record_is_log(texts[i]));
        assert_true(read_log(texts[i], &record, &difference, &e));
        assert_string_equal(difference.text, "");
        assert_true(record_write_log(&record, &out, &e));
        assert_string_equal(text_string(&out), texts[i]);
        text_done(&out);
        record_done(&record);
    }
}

static void logs_that_cannot_be_are_refused(void **unused) {
    (void)unused;
    static const char *const wrong[] = {"player=2,SET:ABCD\n", "player=0;SET:ABCD\n", "winner=3\n",
                                        "fault=0,cold: x\n", "hello\n"};
    struct record record;
    struct err e, difference;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_false(read_log(wrong[i], &record, &difference, &e));
        assert_non_null(strstr(e.text, "log:1: "));
        record_done(&record);
    }
    assert_true(read_log("player=0,SET:ABCD\nplayer=1,SET:ABCD\nwinner=1\n", &record, &difference, &e));
    assert_non_null(strstr(difference.text, "the log says winner=1"));
    record_done(&record);
    assert_true(read_log("player=0,SET:ABCD\nplayer=1,SET:ABCD\nfault=1,hang: x\nwinner=1\n", &record,
                         &difference, &e));
    assert_non_null(strstr(difference.text, "the log says winner=1; its moves end with 'first hang'"));
    record_done(&record);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(set_ups_are_secret_and_moves_are_not),
        cmocka_unit_test(ways_out_are_no_secret),
        cmocka_unit_test(histories_of_hidden_games_have_no_actions),
        cmocka_unit_test(a_taken_piece_shows_its_colour_to_the_taker),
        cmocka_unit_test(other_games_show_what_they_do),
        cmocka_unit_test(secret_actions_show_nothing),
        cmocka_unit_test(other_pasts_show_what_stays_in_views),
        cmocka_unit_test(logs_are_read_as_the_server_played),
        cmocka_unit_test(rulings_come_from_the_end_of_a_log),
        cmocka_unit_test(rulings_are_written_as_they_were_read),
        cmocka_unit_test(logs_that_cannot_be_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
