/* SPDX-License-Identifier: MIT
 *
 * The client's machine: the recorded game of the official server from both sides, byte for byte; what it asks
 * its player is the view of the real state, in random games; lines that are missing, wrong or nonsense.
 */
#include "expected_support.h"
#include "geister_support.h"
#include "golden_support.h"

#include "net/geister_client.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { LINE_MAX_HERE = 128, GAMES = 60 };

static struct scenario *load_scenario(void) {
    struct err e;
    const struct game_source source = {"geister", NULL, 0, NULL};
    struct scenario *scenario = game_load(&geister_game, &source, &e);
    if (scenario == NULL)
        fail_msg("%s", e.text);
    return scenario;
}

/* The board does not show the direction of an escape. */
static void compare_actions(const struct record *a, const struct record *b, bool escaped) {
    assert_int_equal(a->count, b->count);
    for (int i = 0; i < a->count; i++) {
        const action one = a->actions[i].action, two = b->actions[i].action;
        if (escaped && i == a->count - 1)
            assert_int_equal(one / 4, two / 4);
        else
            assert_int_equal(one, two);
    }
}

/* ---- the client's output for each line ---- */

static struct text notes, all_notes; /* of the current game; of all games, one line for each stored step */

static void note(const struct geister_client *c, enum geister_step step, const struct err *e) {
    char board[GEISTER_BOARD_CHARS + 1] = "";
    if (geister_client_state(c)->stage >= GEISTER_PLAYING)
        geister_write_board(geister_client_state(c), c->side, true, board);
    text_add(&notes, "%d %d %d %d %d %d %x %x %x %d %d %d %d %s\n", (int)step, (int)c->wants, c->side,
             c->surprises, c->restarts, c->base_ply, c->their[0], c->their[1], c->reds, c->count,
             (int)geister_client_state(c)->ply, c->refused_count, c->awaits_answer, board);
    if (step == GEISTER_STEP_FAILED)
        text_add(&notes, "%s\n", e->text);
    if (step != GEISTER_STEP_FAILED && step != GEISTER_STEP_OVER)
        return;
    text_add(&notes, "'%s' '%s' '%s' %d %d\n", c->first.text, c->record.result, c->record.comment,
             (int)c->outcome, c->by_rules);
    for (int i = 0; i < c->record.count; i++)
        text_add(&notes, "%d %.1f,", (int)c->record.actions[i].action,
                 (double)c->record.actions[i].milliseconds);
    text_add(&notes, "\n");
}

/* Long games are stored as digests, short ones also as text. */
static void keep(const char *what, int number, bool whole) {
    text_add(&all_notes, "%s %d: %08x\n", what, number, expected_digest(&notes));
    if (whole)
        text_add_bytes(&all_notes, text_string(&notes), notes.size);
    text_clear(&notes);
}

static void the_same_was_made_of_all_lines(void **state) {
    (void)state;
    expected_compare("geister_client.txt", &all_notes);
    text_done(&all_notes);
    text_done(&notes);
}

/* ---- the recorded game ---- */

/* The next line of one side of the transcript: '<' from the server, '>' to it; 0 at the end. The text loses
 * its quotes and the written CR LF. */
static char next_entry(char **at, const char *who, char out[LINE_MAX_HERE]) {
    for (char *line; (line = golden_line(at)) != NULL;) {
        const char *entry = strstr(line, who);
        if (entry == NULL || entry - line > 12)
            continue;
        const char *arrow = entry + strlen(who) + 1;
        const char *quote = strchr(arrow, '\'');
        if (quote == NULL || arrow[1] == '-' ? arrow[0] == '-' : false)
            return 0;
        snprintf(out, LINE_MAX_HERE, "%s", quote + 1);
        char *end = strstr(out, "\\r\\n");
        assert_non_null(end);
        *end = '\0';
        return arrow[0];
    }
    return 0;
}

/* The action of ours that a recorded line stands for. */
static action recorded_action(const struct geister_client *c, const char *line) {
    struct geister_request request;
    struct geister view;
    action a = 0;
    game_view(&geister_game, geister_client_state(c), c->side, &view);
    geister_read_request(line, strlen(line), &request);
    if (!geister_request_action(&view, &request, &a))
        fail_msg("%s is not legal", line);
    return a;
}

static void follow_recorded_side(const char *text, int side, const struct scenario *scenario,
                                 struct record *out) {
    struct geister_client c;
    struct err e = {{0}};
    char *copy = strdup(text), *at = copy, line[LINE_MAX_HERE], answer[GEISTER_ANSWER_MAX];
    enum geister_step step = GEISTER_STEP_NOTHING;
    int sent = 0;
    geister_client_init(&c, scenario, side, "recorded");
    for (char arrow; (arrow = next_entry(&at, side == 0 ? "P0" : "P1", line)) != 0;) {
        if (arrow == '<') {
            assert_int_equal(c.wants, GEISTER_WANTS_NOTHING);
            step = geister_client_take(&c, line, &e);
            assert_int_not_equal(step, GEISTER_STEP_FAILED);
            continue;
        }
        assert_int_not_equal(c.wants, GEISTER_WANTS_NOTHING);
        assert_true(geister_client_decide(&c, recorded_action(&c, line), 1, answer, &e));
        assert_memory_equal(answer, line, strlen(line));
        assert_string_equal(answer + strlen(line), "\r\n");
        sent++;
    }
    assert_int_equal(step, GEISTER_STEP_OVER);
    assert_int_equal(sent, side == 0 ? 13 : 12);
    assert_int_equal(c.surprises, 0);
    assert_true(c.by_rules);
    assert_int_equal(c.outcome, side == 0 ? GEISTER_WON : GEISTER_LOST);
    *out = c.record;
    free(copy);
}

/* Both clients see the same game: the same actions, the other's reds included, and the same end. */
static void the_recorded_game_is_followed(void **state) {
    (void)state;
    struct text text = {0};
    struct record records[2];
    struct scenario *scenario = load_scenario();
    if (geister_golden("transcript_full_game.txt", &text)) {
        for (int side = 0; side < 2; side++)
            follow_recorded_side(text.data, side, scenario, &records[side]);
        assert_int_equal(records[0].count, 2 + 23);
        compare_actions(&records[0], &records[1], true);
        assert_string_equal(records[0].result, "first escape");
        assert_string_equal(records[1].result, "first escape");
        assert_string_equal(records[0].players[0], "recorded");
        assert_string_equal(records[1].players[0], "opponent");
        record_done(&records[0]);
        record_done(&records[1]);
    }
    game_unload(scenario);
    text_done(&text);
}

/* ---- a server of one game, in a few lines ---- */

struct server {
    struct geister state;
    struct geister_client clients[2];
    struct rng rng;
    unsigned answers_missing; /* of 100 */
    bool may_restart;         /* views are not compared */
    int asked;                /* how often */
};

static enum geister_step feed(struct server *s, int side, const char *word, const char *board) {
    char line[LINE_MAX_HERE];
    struct err e = {{0}};
    snprintf(line, sizeof line, "%s%s", word, board);
    const enum geister_step step = geister_client_take(&s->clients[side], line, &e);
    note(&s->clients[side], step, &e);
    if (step == GEISTER_STEP_FAILED)
        fail_msg("%s", e.text);
    return step;
}

static void feed_board(struct server *s, int side, const char *word, bool reveal) {
    char board[GEISTER_BOARD_CHARS + 1];
    geister_write_board(&s->state, side, reveal, board);
    feed(s, side, word, board);
}

static void start_server(struct server *s, const struct scenario *scenario, uint64_t seed) {
    memset(s, 0, sizeof *s);
    rng_seed(&s->rng, seed);
    geister_game.start(&s->state, scenario, NULL);
    for (int side = 0; side < 2; side++) {
        geister_client_init(&s->clients[side], scenario, side, side == 0 ? "one" : "two");
        feed(s, side, "SET?", "");
    }
}

static void end_server(struct server *s) {
    static int games;
    keep("a game of two clients", ++games, false);
    record_done(&s->clients[0].record);
    record_done(&s->clients[1].record);
}

/* A random action of the side to move, through its client; what it answers is checked. */
static action let_choose(struct server *s) {
    const int side = geister_game.mover(&s->state);
    struct geister_client *c = &s->clients[side];
    struct geister expected = s->state, view;
    struct err e = {{0}};
    char answer[GEISTER_ANSWER_MAX];
    struct geister_request request;
    action list[GEISTER_SETUPS], a;
    assert_int_equal(c->wants, s->state.stage == GEISTER_PLAYING ? GEISTER_WANTS_MOVE : GEISTER_WANTS_REDS);
    geister_game.hide(&expected, side);
    game_view(&geister_game, geister_client_state(c), c->side, &view);
    if (!s->may_restart)
        assert_memory_equal(&view, &expected, sizeof view);
    const int count = geister_game.actions(&view, list);
    if (!geister_client_decide(c, list[rng_below(&s->rng, (uint32_t)count)], 2, answer, &e))
        fail_msg("%s", e.text);
    const size_t size = strlen(answer);
    assert_string_equal(answer + size - 2, "\r\n");
    geister_read_request(answer, size - 2, &request);
    if (!geister_request_action(&s->state, &request, &a))
        fail_msg("%s: illegal after %d moves", answer, s->state.ply);
    s->asked++;
    return a;
}

static void choose_reds(struct server *s) {
    for (int side = 0; side < 2; side++) {
        geister_game.play(&s->state, let_choose(s), NULL);
        feed(s, side, "OK ", "");
    }
}

/* One move: chosen, played, acknowledged (or not). */
static void move(struct server *s) {
    const int side = geister_game.mover(&s->state), other = side ^ 1;
    const struct geister before = s->state;
    geister_game.play(&s->state, let_choose(s), NULL);
    const char *word = "OK ";
    for (int i = 0; i < GEISTER_PIECES; i++)
        if (s->state.where[other][i] != before.where[other][i])
            word = (s->state.reds[other] >> i & 1) != 0 ? "OKR" : "OKB";
    if (rng_below(&s->rng, 100) >= s->answers_missing)
        feed(s, side, word, "");
}

static void send_end(struct server *s) {
    static const char *const words[2][3] = {{"WON:", "LST:", "DRW:"}, {"LST:", "WON:", "DRW:"}};
    for (int side = 0; side < 2; side++)
        feed_board(s, side, words[side][s->state.winner], true);
}

static void check_end(struct server *s, bool whole) {
    for (int side = 0; side < 2; side++) {
        const struct geister_client *c = &s->clients[side];
        assert_true(c->by_rules || !whole);
        assert_int_equal(c->outcome, s->state.winner == 2      ? GEISTER_DREW
                                     : s->state.winner == side ? GEISTER_WON
                                                               : GEISTER_LOST);
        if (!whole)
            continue;
        assert_string_equal(c->record.result, geister_game.text->result(&s->state));
        assert_int_equal(c->record.count, 2 + s->state.ply);
        assert_int_equal(c->record.actions[0].action, geister_setup(s->state.reds[0]));
        assert_int_equal(c->record.actions[1].action, geister_setup(s->state.reds[1]));
        compare_actions(&c->record, &s->clients[0].record, s->state.end == GEISTER_BY_ESCAPE);
    }
}

/* Random games, whole. */
static void players_are_asked_about_views(void **state) {
    (void)state;
    static struct server s;
    struct scenario *scenario = load_scenario();
    int ends[GEISTER_BY_LIMIT + 1] = {0};
    for (int game = 0; game < GAMES; game++) {
        start_server(&s, scenario, (uint64_t)game);
        choose_reds(&s);
        while (geister_game.mover(&s.state) != NOBODY) {
            feed_board(&s, geister_game.mover(&s.state), "MOV?", false);
            move(&s);
        }
        send_end(&s);
        check_end(&s, true);
        assert_int_equal(s.clients[0].surprises + s.clients[1].surprises, 0);
        ends[s.state.end]++;
        end_server(&s);
    }
    for (int end = GEISTER_BY_ESCAPE; end <= GEISTER_BY_REDS; end++)
        assert_true(ends[end] > 0);
    game_unload(scenario);
}

/* A missing answer is visible in the next board. */
static void missing_answers_are_made_up_for(void **state) {
    (void)state;
    static struct server s;
    struct scenario *scenario = load_scenario();
    for (int game = 0; game < 20; game++) {
        start_server(&s, scenario, 100 + (uint64_t)game);
        choose_reds(&s);
        s.answers_missing = 30;
        while (geister_game.mover(&s.state) != NOBODY) {
            feed_board(&s, geister_game.mover(&s.state), "MOV?", false);
            move(&s);
        }
        send_end(&s);
        check_end(&s, true);
        assert_true(s.clients[0].surprises > 0);
        assert_int_equal(s.clients[0].restarts + s.clients[1].restarts, 0);
        end_server(&s);
    }
    game_unload(scenario);
}

/* The test moves for both sides for a while: the games continue from the boards that the server sends. */
static void a_lost_history_ends_no_game(void **state) {
    (void)state;
    static struct server s;
    struct scenario *scenario = load_scenario();
    int restarts = 0;
    for (int game = 0; game < 20; game++) {
        start_server(&s, scenario, 200 + (uint64_t)game);
        choose_reds(&s);
        s.may_restart = true;
        while (geister_game.mover(&s.state) != NOBODY) {
            for (uint32_t skip = rng_below(&s.rng, 10) == 0 ? 4 : 0; skip > 0; skip--) {
                action list[GEISTER_SETUPS];
                const int count = geister_game.actions(&s.state, list);
                struct geister next = s.state;
                geister_game.play(&next, list[rng_below(&s.rng, (uint32_t)count)], NULL);
                if (geister_game.mover(&next) != NOBODY)
                    s.state = next;
            }
            feed_board(&s, geister_game.mover(&s.state), "MOV?", false);
            move(&s);
        }
        send_end(&s);
        check_end(&s, false);
        restarts += s.clients[0].restarts + s.clients[1].restarts;
        end_server(&s);
    }
    assert_true(restarts > 20);
    game_unload(scenario);
}

/* ---- other messages of servers ---- */

#define START "14R24R34R44R15B25B35B45B41u31u21u11u40u30u20u10u"
#define ENDED "14R24R34R44R15B25B35B45B41r31r21r11r40b30b20b10b"

static enum geister_step take(struct geister_client *c, const char *line, struct err *e) {
    const enum geister_step step = geister_client_take(c, line, e);
    note(c, step, e);
    return step;
}

/* A client (first player) with its reds ABCD accepted. */
static void begin_with_reds(struct geister_client *c, const struct scenario *scenario, int side) {
    struct err e;
    char answer[GEISTER_ANSWER_MAX];
    geister_client_init(c, scenario, side, "me");
    assert_int_equal(take(c, "SET?", &e), GEISTER_STEP_NOTHING);
    assert_int_equal(c->wants, GEISTER_WANTS_REDS);
    assert_true(geister_client_decide(c, geister_setup(0x0F), 0, answer, &e));
    assert_string_equal(answer, "SET:ABCD\r\n");
    assert_int_equal(take(c, "OK ", &e), GEISTER_STEP_NOTHING);
}

/* Its reds are accepted as the first player's, and it is asked for the first move. The caller unloads the
 * scenario. */
static struct scenario *come_to_the_first_move(struct geister_client *c) {
    struct scenario *scenario = load_scenario();
    struct err e;
    begin_with_reds(c, scenario, 0);
    take(c, "MOV?" START, &e);
    return scenario;
}

static void the_first_board_shows_the_side(void **state) {
    (void)state;
    struct scenario *scenario = load_scenario();
    static struct geister_client c;
    struct err e;
    for (int told = 0; told < 2; told++) {
        begin_with_reds(&c, scenario, told);
        take(&c, "MOV?" START, &e);
        assert_int_equal(c.side, 0);
        assert_int_equal(c.surprises, told == 0 ? 0 : 1);
        record_done(&c.record);
        begin_with_reds(&c, scenario, told);
        take(&c, "MOV?14R24R34R44R15B25B35B45B51u31u21u11u40u30u20u10u", &e);
        assert_int_equal(c.side, 1);
        assert_int_equal(geister_client_state(&c)->ply, 1);
        assert_int_equal(c.restarts, 0);
        record_done(&c.record);
    }
    keep("the first board", 0, true);
    game_unload(scenario);
}

/* The official server declares the game lost at once; another server allows a second attempt. */
static void refused_moves(void **state) {
    (void)state;
    static struct geister_client c;
    struct scenario *scenario = come_to_the_first_move(&c);
    struct err e;
    char answer[GEISTER_ANSWER_MAX];
    assert_true(geister_client_decide(&c, geister_move(25, GEISTER_NORTH), 0, answer, &e));
    assert_string_equal(answer, "MOV:A,N\r\n");
    assert_int_equal(take(&c, "NG ", &e), GEISTER_STEP_REFUSED);
    int again = 0;
    while (geister_client_again(&c, answer)) {
        assert_string_not_equal(answer, "MOV:A,N\r\n");
        assert_int_equal(take(&c, "NG ", &e), GEISTER_STEP_REFUSED);
        again++;
    }
    assert_int_equal(again, 7); /* A, D: N and outwards; B, C: N; E, H: outwards */
    assert_int_equal(take(&c, "LST:" ENDED, &e), GEISTER_STEP_OVER);
    assert_string_equal(c.record.result, "second illegal");
    assert_false(c.by_rules);
    assert_int_equal(c.record.count, 2);
    assert_int_equal(c.record.actions[1].action, geister_setup(0x0F));
    keep("refused moves", 0, true);
    record_done(&c.record);
    game_unload(scenario);
}

/* There is no second try: the server was sent four different letters. */
static void refused_reds(void **state) {
    (void)state;
    static struct geister_client c;
    struct scenario *scenario = load_scenario();
    struct err e = {{0}};
    char answer[GEISTER_ANSWER_MAX];
    geister_client_init(&c, scenario, 0, "me");
    assert_int_equal(take(&c, "SET?", &e), GEISTER_STEP_NOTHING);
    assert_true(geister_client_decide(&c, geister_setup(0x0F), 0, answer, &e));
    assert_int_equal(take(&c, "NG ", &e), GEISTER_STEP_FAILED);
    assert_string_equal(e.text,
                        "'NG ' from the server: our reds were refused; four different letters were sent");
    keep("refused reds", 0, true);
    record_done(&c.record);
    game_unload(scenario);
}

static void illegal_decisions_are_not_sent(void **state) {
    (void)state;
    static struct geister_client c;
    struct scenario *scenario = come_to_the_first_move(&c);
    struct err e;
    char answer[GEISTER_ANSWER_MAX];
    assert_false(geister_client_decide(&c, geister_move(25, GEISTER_SOUTH), 0, answer, &e));
    assert_string_equal(e.text, "AS is illegal");
    assert_int_equal(c.wants, GEISTER_WANTS_MOVE);
    keep("an illegal decision", 0, true);
    record_done(&c.record);
    game_unload(scenario);
}

struct end_case {
    const char *line, *result;
    enum geister_outcome outcome;
};

/* Ends that no move explains: a player left, or a time limit. */
static void ends_without_a_move(void **state) {
    (void)state;
    static const struct end_case cases[] = {
        {"WON:" ENDED, "first forfeit", GEISTER_WON},
        {"LST:" ENDED, "second forfeit", GEISTER_LOST},
        {"DRW:" ENDED, "draw", GEISTER_DREW},
    };
    struct scenario *scenario = load_scenario();
    for (size_t i = 0; i < 2 * sizeof cases / sizeof cases[0]; i++) {
        static struct geister_client c;
        const struct end_case *expected = &cases[i / 2];
        struct err e;
        begin_with_reds(&c, scenario, 0);
        if (i % 2 == 0) { /* in the game, while we think: then our answer goes nowhere */
            char answer[GEISTER_ANSWER_MAX];
            take(&c, "MOV?" START, &e);
            assert_true(geister_client_decide(&c, geister_move(25, GEISTER_NORTH), 0, answer, &e));
        }
        assert_int_equal(take(&c, expected->line, &e), GEISTER_STEP_OVER);
        assert_int_equal(c.outcome, expected->outcome);
        assert_string_equal(c.record.result, expected->result);
        assert_true(c.record.comment[0] != '\0');
        assert_int_equal(c.surprises, 0);
        assert_int_equal(c.record.count, i % 2 == 0 ? 2 : 0);
        assert_int_equal(c.their[1], i % 2 == 0 ? 0x0F : 0);
        keep("an end without a move", (int)i, true);
        record_done(&c.record);
    }
    game_unload(scenario);
}

static const char *const nonsense[] = {
    "",
    "HTTP/1.1 400 Bad Request",
    "SET",
    "SET? ",
    "OK",
    "MOV?",
    "MOV?14R",
    "WON:",
    "mov?" START,
    "OKX",
    "NG",
    "WON:hello",
    "\x01\xff",
    "MOV?" START " ",
    "MOV?14R24R34R44R15B25B35B45B41u31u21u11u40u30u20u1",
};

static void nonsense_is_named(void **state) {
    (void)state;
    struct scenario *scenario = load_scenario();
    static struct geister_client c;
    for (size_t i = 0; i < sizeof nonsense / sizeof nonsense[0]; i++) {
        struct err e = {{0}};
        begin_with_reds(&c, scenario, 0);
        if (take(&c, nonsense[i], &e) != GEISTER_STEP_FAILED)
            fail_msg("'%s' was taken", nonsense[i]);
        assert_non_null(strstr(e.text, "expected SET?"));
        record_done(&c.record);
    }
    struct err e = {{0}};
    geister_client_init(&c, scenario, 0, "me");
    assert_int_equal(take(&c, "MOV?" START, &e), GEISTER_STEP_FAILED);
    assert_non_null(strstr(e.text, "a board before SET?"));
    record_done(&c.record);
    begin_with_reds(&c, scenario, 0);
    assert_int_equal(take(&c, "MOV?14R14R34R44R15B25B35B45B41u31u21u11u40u30u20u10u", &e),
                     GEISTER_STEP_FAILED);
    assert_non_null(strstr(e.text, "the same cell"));
    keep("nonsense", 0, true);
    record_done(&c.record);
    game_unload(scenario);
}

/* Boards that are well-formed and wrong, and false answers, in any order: the client can only fail with a
 * message. */
static void lies_do_no_harm(void **state) {
    (void)state;
    static const char *const lines[] = {"SET?", "OK ", "OKR", "OKB", "NG "};
    static const char *const words[] = {"MOV?", "MOV?", "MOV?", "MOV?", "WON:", "LST:", "DRW:"};
    static const char places[] = "0123459 8", marks[] = "rbuRB";
    struct scenario *scenario = load_scenario();
    struct rng r;
    rng_seed(&r, 7);
    for (int game = 0; game < 3000; game++) {
        static struct geister_client c;
        char line[LINE_MAX_HERE] = "MOV?" START, answer[GEISTER_ANSWER_MAX];
        struct err e;
        enum geister_step step = GEISTER_STEP_NOTHING;
        begin_with_reds(&c, scenario, (int)rng_below(&r, 2));
        for (int i = 0; i < 40 && step != GEISTER_STEP_OVER && step != GEISTER_STEP_FAILED; i++) {
            if (rng_below(&r, 2) == 0) {
                step = take(&c, lines[rng_below(&r, 5)], &e);
            } else {
                memcpy(line, words[rng_below(&r, 7)], 4);
                for (uint32_t left = rng_below(&r, 3); left > 0; left--) {
                    const uint32_t piece = rng_below(&r, 16), x = rng_below(&r, 7), y = rng_below(&r, 7);
                    char *triple = line + 4 + 3 * piece;
                    triple[0] = places[x];
                    triple[1] = x == 6 ? '9' : places[y];
                    triple[2] = marks[rng_below(&r, 3)];
                }
                step = take(&c, line, &e);
            }
            if (c.wants != GEISTER_WANTS_NOTHING && step == GEISTER_STEP_NOTHING) {
                struct geister view;
                action list[GEISTER_SETUPS];
                game_view(&geister_game, geister_client_state(&c), c.side, &view);
                assert_true(geister_game.valid(&view));
                const int count = geister_game.actions(&view, list);
                if (count == 0)
                    break;
                assert_true(geister_client_decide(&c, list[rng_below(&r, (uint32_t)count)], 0, answer, &e));
            }
        }
        if (game % 100 == 99)
            keep("lies", game, false);
        record_done(&c.record);
    }
    game_unload(scenario);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_recorded_game_is_followed),
        cmocka_unit_test(players_are_asked_about_views),
        cmocka_unit_test(missing_answers_are_made_up_for),
        cmocka_unit_test(a_lost_history_ends_no_game),
        cmocka_unit_test(the_first_board_shows_the_side),
        cmocka_unit_test(refused_moves),
        cmocka_unit_test(refused_reds),
        cmocka_unit_test(illegal_decisions_are_not_sent),
        cmocka_unit_test(ends_without_a_move),
        cmocka_unit_test(nonsense_is_named),
        cmocka_unit_test(lies_do_no_harm),
        cmocka_unit_test(the_same_was_made_of_all_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
