/* SPDX-License-Identifier: MIT
 *
 * Hidden information in the engine protocol: what an engine shows, what its player is shown, and that an
 * external program receives nothing but what its side sees. The conversations of docs/protocol.md test the
 * rest.
 */
#include "game/geister/geister.h"
#include "match/batch.h"
#include "outside_support.h"
#include "protocol/session.h"
#include "player/player.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

static struct session *open_session(const char *player) {
    struct err e = {0};
    const struct session_setup setup = {.version = "0", .player = player, .seed = 3};
    struct session *session = session_open(&setup, &e);
    if (session == NULL)
        fail_msg("%s", e.text);
    return session;
}

/* The answer is valid until the next line. */
static const char *say(struct session *session, const char *line) {
    static struct text out;
    text_clear(&out);
    assert_true(session_line(session, line, &out));
    return text_string(&out);
}

static void expect(struct session *session, const char *line, const char *wanted) {
    const char *answer = say(session, line);
    if (strcmp(answer, wanted) != 0)
        fail_msg("to '%s' the answer is\n%snot\n%s", line, answer, wanted);
}

static void expect_error(struct session *session, const char *line, const char *why) {
    const char *answer = say(session, line);
    if (strncmp(answer, "error ", 6) != 0 || strstr(answer, why) == NULL)
        fail_msg("to '%s' the answer is\n%snot an error about '%s'", line, answer, why);
}

static void a_game_without_maps_begins_at_once(void **state) {
    (void)state;
    struct session *s = open_session("random");
    expect(s, "newgame synth depth=2 worlds=4 tree=9", "ok\n");
    expect(s, "legal", "L\nR\nend\n");
    expect(s, "perft 2", "nodes 4\nok\n");
    expect(s, "play L", "ok\n");
    expect(s, "play R", "ok\n");
    expect_error(s, "play L", "the game is over");
    expect_error(s, "undo", "showed something hidden"); /* all of it, at the end */
    expect(s, "newgame synth depth=2 worlds=1 tree=9", "ok\n");
    expect(s, "play L", "ok\n");
    expect(s, "play R", "ok\n");
    expect(s, "undo", "ok\n"); /* but here nothing is */
    expect(s, "undo", "ok\n");
    expect_error(s, "undo", "nothing to undo");
    expect_error(s, "newgame synth worlds=3", "no power of two");
    expect(s, "perft 2", "nodes 4\nok\n"); /* and nothing has changed */
    session_close(s);
}

/* ---- looking and taking back ---- */

/* Sends the lines of a Geister game, up to the last one; then first takes a piece in that column. */
static void take_a_piece(struct session *s, char piece) {
    char line[20];
    expect(s, "newgame geister", "ok\n");
    expect(s, "play BCFG", "ok\n");
    expect(s, "play ABEF", "ok\n");
    for (int i = 0; i < 3; i++) {
        snprintf(line, sizeof line, "play %cN", piece);
        expect(s, line, "ok\n");
        if (i < 2)
            expect(s, i == 0 ? "play HE" : "play HW", "ok\n");
    }
}

static void a_taken_piece_cannot_be_put_back(void **state) {
    (void)state;
    struct session *s = open_session("random");
    for (char piece = 'A'; piece <= 'D'; piece++) {
        char board[400], played[400];
        take_a_piece(s, piece);
        snprintf(board, sizeof board, "%s", say(s, "state all"));
        for (int i = 0; i < 3; i++)
            expect_error(s, "undo", "that action showed something hidden, so it cannot be taken back");
        expect(s, "state all", board);
        expect(s, "play HE", "ok\n");
        snprintf(played, sizeof played, "%s", say(s, "state all"));
        expect(s, "undo", "ok\n"); /* what showed nothing can be */
        expect(s, "state all", board);
        expect_error(s, "undo", "cannot be taken back");
        expect(s, "play HE", "ok\n");
        expect(s, "state all", played);
    }
    session_close(s);
}

static void a_position_is_no_way_around(void **state) {
    (void)state;
    struct session *s = open_session("random");
    expect(s, "newgame geister", "ok\n");
    expect(s,
           "position board=12B24R34R44B15B25R35R45B41r31r21b11b40r30r20b10b mover=first ply=0 from=- "
           "moves=-",
           "ok\n");
    expect(s, "play AN", "ok\n");
    expect_error(s, "undo", "showed something hidden");
    session_close(s);
}

/* A new game has a new deal; its seed alone restores an old deal, and is as secret as the cards. */
static void cards_that_were_shown_are_dealt_anew(void **state) {
    (void)state;
    enum { DEALS = 12 };
    struct session *s = open_session("random");
    char deals[DEALS][40];
    int others = 0;
    for (int i = 0; i < DEALS; i++) {
        expect(s, "newgame kuhn", "ok\n");
        snprintf(deals[i], sizeof deals[i], "%s", say(s, "state all"));
        others += strcmp(deals[i], deals[0]) != 0;
        expect(s, "play bet", "ok\n");
        expect(s, "undo", "ok\n");
        expect(s, "play bet", "ok\n");
        expect(s, "play bet", "ok\n");
        expect_error(s, "undo", "showed something hidden");
    }
    assert_true(others >= DEALS / 3);
    expect(s, "setoption seed 3", "ok\n");
    for (int i = 0; i < DEALS; i++) {
        expect(s, "newgame kuhn", "ok\n");
        expect(s, "state all", deals[i]);
    }
    session_close(s);
}

/* The same seed deals the same; another one deals something else some time. */
static void deals_follow_from_the_seed(void **state) {
    (void)state;
    struct session *s = open_session("random");
    char first[200], line[40];
    int others = 0;
    snprintf(first, sizeof first, "%s", (say(s, "newgame synth"), say(s, "state all")));
    for (int seed = 3; seed < 7; seed++) {
        snprintf(line, sizeof line, "setoption seed %d", seed);
        expect(s, line, "ok\n");
        expect(s, "newgame synth", "ok\n");
        const bool same = strcmp(say(s, "state all"), first) == 0;
        assert_true(same || seed != 3);
        others += !same;
    }
    assert_int_equal(others, 3);
    session_close(s);
}

static void positions_can_be_played_on_and_taken_back(void **state) {
    (void)state;
    struct session *s = open_session("random");
    expect(s, "newgame kuhn", "ok\n");
    expect(s, "position cards=K,J moves=pass", "ok\n");
    expect(s, "play bet", "ok\n");
    expect(s, "state all", "cards=K,J moves=pass,bet\nend\n");
    expect(s, "undo", "ok\n");
    expect(s, "state", "cards=?,J moves=pass\nend\n");
    expect_error(s, "undo", "nothing to undo");
    expect_error(s, "position cards=K,Z moves=pass", "cards=K,Z");
    expect_error(s, "position", "is no state");
    expect(s, "state all", "cards=K,J moves=pass\nend\n");
    expect(s, "newgame tbs", "ok\n");
    expect_error(s, "position cards=K,J moves=-", "send map first");
    session_close(s);
}

static void what_a_side_could_not_know_is_no_position(void **state) {
    (void)state;
    struct session *s = open_session("pimc:sims=20");
    expect(s, "newgame kuhn", "ok\n");
    expect_error(s, "position cards=Q,? moves=bet", "the view of second, the side to move");
    expect_error(s, "position cards=?,? moves=-",
                 "the view of first, the side to move"); /* the side to move sees its own card */
    expect(s, "position cards=Q,? moves=-", "ok\n");
    expect_error(s, "play bet", "only a part");
    expect_error(s, "perft 1", "only a part");
    assert_non_null(strstr(say(s, "go"), "best "));
    assert_non_null(strstr(say(s, "go turn"), "best "));
    /* With df=0 no information is ever gained, so a cell of two types is more than the first could have. */
    expect(s, "newgame synth df=0 worlds=4 tree=1", "ok\n");
    expect_error(s, "position tree=1 moves=- types=2,?0-1", "the view of first, the side to move");
    expect(s, "position tree=1 moves=- types=2,?", "ok\n");
    expect_error(s, "position tree=1 moves=- types=?,?", "the view of first, the side to move");
    expect_error(s, "state al", "state takes nothing or all");
    expect(s, "state", "tree=1 moves=- types=2,?\nend\n");
    session_close(s);
}

/* Two positions that the side to move cannot distinguish get the same answer. */
static void answers_do_not_depend_on_what_is_hidden(void **state) {
    (void)state;
    static const char *const players[] = {"random", "pimc", "iimc:sims=40", "amcts",
                                          "pimc:evaluator=minimax"};
    for (size_t i = 0; i < sizeof players / sizeof players[0]; i++) {
        struct session *s = open_session(players[i]);
        char first[200];
        expect(s, "newgame kuhn", "ok\n");
        for (int seed = 0; seed < 8; seed++) {
            char line[40];
            snprintf(line, sizeof line, "setoption seed %d", seed);
            expect(s, "position cards=J,Q moves=pass", "ok\n");
            expect(s, line, "ok\n");
            snprintf(first, sizeof first, "%s", say(s, "go"));
            expect(s, "position cards=K,Q moves=pass", "ok\n");
            expect(s, line, "ok\n");
            expect(s, "go", first);
            expect(s, "position cards=?,Q moves=pass", "ok\n");
            expect(s, line, "ok\n");
            expect(s, "go", first);
        }
        session_close(s);
    }
}

/* ---- Geister for one side ---- */

static void one_side_begins_behind_the_set_ups(void **state) {
    (void)state;
    static const unsigned long counts[] = {8, 64, 768, 9200, 118488};
    struct session *s = open_session("random");
    for (int set = 0; set < 2; set++) {
        expect(s, "newgame geister side=0", "ok\n");
        if (set == 1)
            expect(s, "setup gfbc", "ok\n");
        for (int depth = 1; depth <= 5; depth++) {
            char line[20], answer[40];
            snprintf(line, sizeof line, "perft %d", depth);
            snprintf(answer, sizeof answer, "nodes %lu\nok\n", counts[depth - 1]);
            expect(s, line, answer);
        }
        expect_error(s, "perft 8", "expected a depth up to 7");
        expect_error(s, "undo", "nothing to undo");
    }
    expect(s, "state",
           "board=14B24R34R44B15B25R35R45B41u31u21u11u40u30u20u10u mover=first ply=0 from=- moves=-\nend\n");
    expect(s, "newgame geister side=1 plies=20", "ok\n");
    assert_non_null(strstr(say(s, "setup?"), "setup "));
    expect(s, "play D,N", "ok\n");
    assert_non_null(strstr(say(s, "go"), "best "));
    session_close(s);
}

static void one_side_receives_its_view(void **state) {
    (void)state;
    struct session *s = open_session("random");
    expect_error(s, "newgame geister side=2", "expected 0 or 1");
    expect_error(s, "newgame geister side=0 side=0", "expected 0 or 1, once");
    expect_error(s, "newgame kuhn side=0", "unknown");
    expect(s, "newgame geister", "ok\n");
    expect_error(s, "setup BCFG", "newgame geister side=0");
    expect_error(s, "setup?", "newgame geister side=0");
    expect(s, "newgame geister side=0", "ok\n");
    expect_error(s, "play AN", "no set-up yet");
    expect_error(s, "go", "no set-up yet");
    expect_error(s, "setup AABC", "four different letters");
    expect(s, "setup ABCD", "ok\n");
    expect(s, "setup BCFG", "ok\n"); /* nothing was played */
    expect_error(s, "play AN taken=r", "takes nothing");
    expect(s, "play AN", "ok\n");
    expect_error(s, "setup ABCD", "under way");
    expect_error(s, "go", "second is to move");
    expect(s, "play HE", "ok\n");
    expect(s, "play AN", "ok\n");
    expect(s, "play HW", "ok\n");
    expect_error(s, "play AN", "say its colour");
    expect_error(s, "play AN taken=u", "expected r or b");
    expect(s, "play AN taken=b", "ok\n");
    expect_error(s, "undo", "showed something hidden");
    expect_error(s, "play HN taken=r", "known to be b"); /* its own A, which is blue */
    expect(s, "play HN taken=b", "ok\n");
    expect(s, "undo", "ok\n");
    session_close(s);
}

/* What that side sees of the position, as the session must show it; nothing more at the end. */
static void expect_observation(struct session *s, const struct geister *truth, int side) {
    struct geister view = *truth;
    struct text wanted = {0};
    view.stage = GEISTER_PLAYING;
    geister_game.hide(&view, side);
    for (int piece = 0; piece < GEISTER_PIECES; piece++)
        if (view.where[side ^ 1][piece] == GEISTER_ESCAPED)
            view.known[side ^ 1] |= (uint8_t)(1U << piece);
    view.stage = truth->stage;
    geister_game.text->write_state(&view, &wanted);
    text_add_string(&wanted, "end\n");
    expect(s, "state", text_string(&wanted));
    expect(s, "state all", text_string(&wanted));
    text_done(&wanted);
}

static void send_one_side(struct session *s, const struct geister *truth, action a, int side) {
    struct geister next = *truth;
    struct text line = {0};
    const int other = truth->mover ^ 1;
    geister_game.play(&next, a, NULL);
    text_add_string(&line, "play ");
    geister_game.text->write_action(truth, a, &line);
    for (int piece = 0; piece < GEISTER_PIECES && truth->mover == side; piece++)
        if (next.where[other][piece] != truth->where[other][piece])
            text_add(&line, " taken=%c", (next.reds[other] >> piece & 1) != 0 ? 'r' : 'b');
    expect(s, text_string(&line), "ok\n");
    text_done(&line);
}

/* Whole games: the session of one side shows at each ply what that side sees of the true game. */
static void one_side_follows_whole_games(void **state) {
    (void)state;
    enum { GAMES = 60 };
    struct session *s = open_session("random");
    struct scenario *scenario = game_load_spec("geister", NULL);
    struct rng r;
    int ends[GEISTER_BY_LIMIT + 1] = {0};
    rng_seed(&r, 4);
    for (int game = 0; game < GAMES; game++) {
        const int side = game % 2;
        struct geister truth;
        char line[30], letters[GEISTER_REDS + 1];
        geister_game.start(&truth, scenario, NULL);
        snprintf(line, sizeof line, "newgame geister side=%d", side);
        expect(s, line, "ok\n");
        for (int owner = 0; owner < 2; owner++) {
            const unsigned reds = geister_setup_reds((int)rng_below(&r, GEISTER_SETUPS));
            geister_game.play(&truth, geister_setup(reds), NULL);
            geister_write_reds(reds, letters);
            snprintf(line, sizeof line, "setup %s", letters);
            if (owner == side)
                expect(s, line, "ok\n");
        }
        while (geister_game.mover(&truth) != NOBODY) {
            action list[GEISTER_SETUPS];
            const int count = geister_game.actions(&truth, list);
            const action a = list[rng_below(&r, (uint32_t)count)];
            send_one_side(s, &truth, a, side);
            geister_game.play(&truth, a, NULL);
            expect_observation(s, &truth, side);
        }
        ends[truth.end]++;
        expect_error(s, "go", "the game is over");
    }
    assert_true(ends[GEISTER_BY_ESCAPE] > 3 && ends[GEISTER_BY_BLUES] + ends[GEISTER_BY_REDS] > 3);
    game_unload(scenario);
    session_close(s);
}

/* ---- a program outside ---- */

/* Every line it was sent about the position: with its own card, and never with the other's. */
static int count_views(const char *sent, int side) {
    int views = 0;
    assert_null(strstr(sent, "\nplay "));
    for (const char *at = sent; (at = strstr(at, "position cards=")) != NULL; views++) {
        at += strlen("position cards=");
        assert_int_equal(at[side == 0 ? 2 : 0], '?');
        assert_int_not_equal(at[side == 0 ? 0 : 2], '?');
    }
    return views;
}

static void an_outsider_is_sent_its_view_alone(void **state) {
    (void)state;
    struct err e = {0};
    char spec[400];
    snprintf(spec, sizeof spec, "ext:cmd=%s engine --player pimc", outside_senjutsu());
    const struct clock clock = clock_system();
    struct scenario *scenario = game_load_spec("kuhn", &e);
    assert_non_null(scenario);
    for (int side = 0; side < 2; side++) {
        struct player *players[2] = {
            player_open_granted(side == 0 ? spec : "random", scenario->game, &grant_everything, &e),
            player_open_granted(side == 1 ? spec : "random", scenario->game, &grant_everything, &e)};
        int asked = 0;
        for (uint64_t seed = 0; seed < 12; seed++) {
            struct game_run_result result;
            const struct game_run game_run = {.game.scenario = scenario,
                                              .names = {"a", "b"},
                                              .players = {players[0], players[1]},
                                              .game.seed = seed,
                                              .clock = &clock};
            assert_true(game_run_play(&game_run, &result, &e));
            if (result.outcome.fault != PLAYER_FAULT_NONE)
                fail_msg("%s", result.record.comment);
            asked += result.outcome.decisions[side];
            game_run_result_done(&result);
        }
        struct player_transcript t = {0};
        players[side]->type->transcript(players[side], &t);
        assert_int_equal(count_views(text_string(&t.sent), side), asked);
        assert_non_null(strstr(text_string(&t.sent), "\nnewgame kuhn\n"));
        text_done(&t.command);
        text_done(&t.sent);
        text_done(&t.tail);
        player_close(players[0]);
        player_close(players[1]);
    }
    game_unload(scenario);
}

static void whole_turns_are_refused(void **state) {
    (void)state;
    struct err e = {0};
    assert_null(player_open_granted("ext:cmd=true,turn=yes", game_find("kuhn"), &grant_everything, &e));
    assert_non_null(strstr(e.text, "turn=yes"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_game_without_maps_begins_at_once),
        cmocka_unit_test(a_taken_piece_cannot_be_put_back),
        cmocka_unit_test(a_position_is_no_way_around),
        cmocka_unit_test(cards_that_were_shown_are_dealt_anew),
        cmocka_unit_test(deals_follow_from_the_seed),
        cmocka_unit_test(positions_can_be_played_on_and_taken_back),
        cmocka_unit_test(what_a_side_could_not_know_is_no_position),
        cmocka_unit_test(answers_do_not_depend_on_what_is_hidden),
        cmocka_unit_test(one_side_begins_behind_the_set_ups),
        cmocka_unit_test(one_side_receives_its_view),
        cmocka_unit_test(one_side_follows_whole_games),
        cmocka_unit_test(an_outsider_is_sent_its_view_alone),
        cmocka_unit_test(whole_turns_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
