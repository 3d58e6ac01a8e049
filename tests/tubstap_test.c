/* SPDX-License-Identifier: MIT
 *
 * The messages of the platform's network protocol and the client that is fed with them: a game of the
 * platform's own server, random games sent as the protocol's text on both tables, and faulty lines of
 * servers.
 */
#include "net/tubstap.c" /* its messages are internal */
#include "tests/expected_support.h"

#include "tests/memory_support.h"
#include "game/tbs/tbs.h"
#include "golden_support.h"
#include "own_maps.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define TURN_END "-1,-1,-1,0,0,-1,0,0,3,0,0"

/* Four cells in a row: red panzer 0 and (weak) fighter 1, blue infantry 2 and cannon 3. */
#define ROW                                                                                                  \
    "SIZEX[6];SIZEY[3];TURNLIMIT[4];HPTHRESHOLD[3];UNITNUMRED[2];UNITNUMBLUE[2];UNIT[2,1,panzer,0,10,0];"    \
    "UNIT[1,1,fighter,0,2,0];UNIT[3,1,infantry,1,10,0];UNIT[4,1,cannon,1,10,0];MAP[0,0,0,0,0,0];"            \
    "MAP[0,1,1,1,1,0];MAP[0,0,0,0,0,0];"

/* ---- a client and its output ---- */

/* The request in a line of the server. */
enum step { TUBSTAP_ANSWERED, TUBSTAP_ASKED, TUBSTAP_NOTHING, TUBSTAP_FAILED };

static struct text notes,
    block; /* the clients' output for the lines of all tests; and for the last thousand */
static int notes_stored;
static bool is_noting = true;

/* As text for the first ones, of the others a digest for each thousand. */
static void note(const struct tubstap_client *c, const char *line, enum step step, const struct text *answer,
                 const struct err *e) {
    enum { IN_WORDS = 150, BLOCK = 1000 };
    if (!is_noting)
        return;
    struct text *out = notes_stored < IN_WORDS ? &notes : &block;
    text_add(out,
             "%.60s: %d '%.*s' '%s' side %d, asked %d, over %d, %d differences '%s', %d actions, %s, '%s' "
             "against '%s'\n",
             line, (int)step, (int)strcspn(text_string(answer), "\r"), text_string(answer), e->text, c->side,
             c->is_asked, c->told_over, c->differences, c->difference.text, c->record.count, c->record.result,
             c->name, c->opponent);
    if (++notes_stored % BLOCK == 0) {
        text_add(&notes, "%d: %08x\n", notes_stored, expected_digest(&block));
        text_done(&block);
    }
}

static void the_same_was_made_of_all_lines(void **unused) {
    (void)unused;
    text_add(&notes, "%d: %08x\n", notes_stored, expected_digest(&block));
    text_done(&block);
    expected_compare("tubstap_client.txt", &notes);
    text_done(&notes);
    is_noting = false; /* the later tests need memory or the platform's files */
}

static enum step take(struct tubstap_client *c, const char *line, struct text *answer, struct err *e) {
    text_clear(answer);
    e->text[0] = '\0';
    const enum step step = !client_take(c, line, answer, e) ? TUBSTAP_FAILED
                           : c->is_asked                    ? TUBSTAP_ASKED
                           : answer->size > 0               ? TUBSTAP_ANSWERED
                                                            : TUBSTAP_NOTHING;
    note(c, line, step, answer, e);
    return step;
}

static void expect_answer(struct tubstap_client *c, const char *line, const char *answer) {
    struct text said = {0};
    struct err e;
    const enum step step = take(c, line, &said, &e);
    if (step != TUBSTAP_ANSWERED)
        fail_msg("%.80s: %s", line, e.text);
    assert_string_equal(text_string(&said), answer);
    text_done(&said);
}

static void expect_failure(struct tubstap_client *c, const char *line, const char *part) {
    struct text said = {0};
    struct err e;
    const enum step step = take(c, line, &said, &e);
    if (step != TUBSTAP_FAILED || strstr(e.text, part) == NULL)
        fail_msg("'%.80s': step %d, '%s'; expected a failure with '%s'", line, (int)step, e.text, part);
    text_done(&said);
}

static void start_row(struct tubstap_client *c, const char *color) {
    char line[32];
    tubstap_client_init(c, "tiger");
    expect_answer(c, "name", "= tiger\r\n\r\n");
    expect_answer(c, "opponent lion", "= \r\n\r\n");
    expect_answer(c, "MAP " ROW, "= \r\n\r\n");
    snprintf(line, sizeof line, "Color %s", color);
    expect_answer(c, line, "= \r\n\r\n");
}

/* ---- messages ---- */

static void reads_commands(void **unused) {
    (void)unused;
    static const struct {
        const char *line;
        enum command command;
        const char *arguments;
    } cases[] = {
        {"name", TUBSTAP_CALL_NAME, ""},
        {"opponent the other one", TUBSTAP_CALL_OPPONENT, "the other one"},
        {" Genmove \r", TUBSTAP_CALL_GENMOVE, ""},
        {"Color\t1", TUBSTAP_CALL_COLOR, "1"},
        {"play " TURN_END, TUBSTAP_CALL_PLAY, TURN_END},
        {"\xEF\xBB\xBFname", TUBSTAP_CALL_NAME, ""},
        {"status", TUBSTAP_CALL_STATUS, ""},
        {"gameover", TUBSTAP_CALL_GAMEOVER, ""},
        {"genmove", TUBSTAP_CALLS, ""},
        {"Genmoves", TUBSTAP_CALLS, ""},
        {"nam", TUBSTAP_CALLS, ""},
        {"MAPSIZEX[3];", TUBSTAP_CALLS, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *arguments;
        assert_int_equal(read_command(cases[i].line, &arguments), cases[i].command);
        assert_string_equal(arguments, cases[i].arguments);
    }
    for (int i = 0; i < TUBSTAP_CALLS; i++) {
        struct text line = {0};
        const char *arguments;
        write_command((enum command)i, "x y", &line);
        assert_string_equal(line.data + line.size - 2, "\r\n");
        line.data[line.size - 2] = '\0';
        assert_int_equal(read_command(line.data, &arguments), i);
        assert_string_equal(arguments, "x y");
        text_done(&line);
    }
}

static void reads_answers(void **unused) {
    (void)unused;
    static const struct {
        const char *line;
        enum line_kind kind;
        const char *text;
    } cases[] = {
        {"= tiger", TUBSTAP_ANSWER, "tiger"},
        {"=", TUBSTAP_ANSWER, ""},
        {"= ", TUBSTAP_ANSWER, ""},
        {"=1,2", TUBSTAP_ANSWER, "1,2"},
        {" \t= x", TUBSTAP_ANSWER, "x"},
        {"\xEF\xBB\xBF= x", TUBSTAP_ANSWER, "x"},
        {"", TUBSTAP_BLANK, ""},
        {" \r", TUBSTAP_BLANK, ""},
        {"? no", TUBSTAP_REFUSAL, "no"},
        {"1,2", TUBSTAP_GARBAGE, "1,2"},
        {"ok", TUBSTAP_GARBAGE, "ok"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *text;
        assert_int_equal(read_answer(cases[i].line, &text), cases[i].kind);
        assert_string_equal(text, cases[i].text);
    }
}

static void reads_eleven_numbers(void **unused) {
    (void)unused;
    long n[TUBSTAP_FIELDS];
    struct err e;
    assert_true(read_numbers(" 3, 7,1,5,1,-1,0,0,1,0,0 ", n, &e));
    assert_int_equal(n[TUBSTAP_UNIT], 3);
    assert_int_equal(n[TUBSTAP_TARGET], -1);
    assert_int_equal(n[TUBSTAP_TYPE], TUBSTAP_MOVE);
    static const char *const wrong[] = {
        "",
        "3,7,1,5,1,-1,0,0,1,0",
        "3,7,1,5,1,-1,0,0,1,0,0,0",
        "3,7,1,5,1,-1,0,0,1,0,",
        "hello",
        "3;7;1;5;1;-1;0;0;1;0;0",
        "3,7,1,5,1,-1,0,0,1,0,x",
        "3,7,1,5,1,-1,0,0,1,0,99999999999999999999",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_false(read_numbers(wrong[i], n, &e));
        assert_non_null(strstr(e.text, "expected 11 numbers"));
    }
    char flood[5000];
    memset(flood, '1', sizeof flood - 1);
    flood[sizeof flood - 1] = '\0';
    assert_false(read_numbers(flood, n, &e));
}

static void cleans_foreign_text(void **unused) {
    (void)unused;
    char out[TUBSTAP_NAME_MAX], small[4];
    clean("  a\x1B[2Jb\xC2\x9Bz\x7F ", out, sizeof out);
    assert_string_equal(out, "a?[2Jb?z?");
    clean("\x90\xE6\x8E\xE8", out, sizeof out); /* Shift_JIS */
    assert_string_equal(out, "\xE5\x85\x88\xE6\x89\x8B");
    clean("ab\xE5\x85\x88", small, sizeof small); /* no half characters */
    assert_string_equal(small, "ab");
    char flood[1000];
    for (int i = 0; i + 3 < (int)sizeof flood; i += 3)
        memcpy(flood + i, "\xE5\x85\x88", 4);
    clean(flood, out, sizeof out);
    assert_int_equal(strlen(out), 99);
    assert_memory_equal(out + 96, "\xE5\x85\x88", 3);
}

static const char *const map_names[] = {"standard", "duel", "late_start", "battle16", "islands", "largest"};
enum { MAPS = sizeof map_names / sizeof map_names[0] };

static void writes_maps_on_one_line(void **unused) {
    (void)unused;
    for (int i = 0; i < MAPS; i++) {
        struct scenario *scenario = own_map(map_names[i]);
        struct text line = {0}, ours = {0}, theirs = {0};
        struct tbs_map again;
        struct err e;
        write_map(tbs_scenario_map(scenario), &line);
        assert_null(strpbrk(text_string(&line), "\r\n"));
        assert_true(line.size + 8 < LINK_LINE_MAX);
        assert_true(tbs_map_load("the line", text_string(&line), line.size, &again, &e));
        tbs_map_write(tbs_scenario_map(scenario), &ours);
        tbs_map_write(&again, &theirs);
        assert_string_equal(text_string(&ours), text_string(&theirs));
        text_done(&line);
        text_done(&ours);
        text_done(&theirs);
        game_unload(scenario);
    }
}

/* ---- actions ---- */

static void finds_actions(void **unused) {
    (void)unused;
    static const struct {
        const char *numbers;
        action a;
        const char *problem; /* NULL: fine */
    } cases[] = {
        {"0,2,1,2,1,-1,0,0,1,0,0", 0, NULL},
        {"0,2,1,2,1,2,3,1,2,7,1", 0, NULL},
        {"0,2,1,9,9,2,9,9,2,99,99", 0, NULL}, /* other output beside the action does not matter here */
        {TURN_END, TBS_PASS, NULL},
        {"-1,-1,-1,0,0,-1,0,0,0,0,0", TBS_RESIGN, NULL},
        {"0,2,1,2,1,-1,0,0,2,0,0", 0, "there is no unit -1 to be attacked"},
        {"0,3,1,2,1,-1,0,0,1,0,0", 0, "'0:3,1' is illegal: unit 0 cannot end its move there"},
        {"0,2,1,2,1,3,4,1,2,0,0", 0, "'0:2,1x3' is illegal: unit 0 cannot attack unit 3 from there"},
        {"0,2,1,2,1,1,1,1,2,0,0", 0, "'0:2,1x1' is illegal: unit 1 is no enemy on the board"},
        {"2,3,1,3,1,-1,0,0,1,0,0", 0, "'2:3,1' is illegal: unit 2 is blue and it is red's turn"},
        {"9,2,1,2,1,-1,0,0,1,0,0", 0, "'9:2,1' is illegal: there is no unit 9"},
        {"-1,2,1,2,1,-1,0,0,1,0,0", 0, "there is no unit -1"},
        {"1000,2,1,2,1,-1,0,0,1,0,0", 0, "there is no unit 1000"},
        {"0,64,1,2,1,-1,0,0,1,0,0", 0, "64,1 is outside the map"},
        {"0,-1,1,2,1,-1,0,0,1,0,0", 0, "-1,1 is outside the map"},
        {"0,2,1,2,1,-1,0,0,4,0,0", 0, "there is no type of action 4; expected 0 to 3 as the ninth number"},
        {"0,2,1,2,1,256,0,0,2,0,0", 0, "there is no unit 256 to be attacked"},
        /* at the limits of packing: beyond them the rules decide */
        {"127,2,1,2,1,-1,0,0,1,0,0", 0, "'127:2,1' is illegal: there is no unit 127"},
        {"128,2,1,2,1,-1,0,0,1,0,0", 0, "there is no unit 128"},
        {"0,2,1,2,1,127,0,0,2,0,0", 0, "'0:2,1x127' is illegal: unit 127 is no enemy on the board"},
        {"0,2,1,2,1,128,0,0,2,0,0", 0, "there is no unit 128 to be attacked"},
        {"0,33,1,2,1,-1,0,0,1,0,0", 0, "'0:33,1' is illegal: unit 0 cannot end its move there"},
        {"0,34,1,2,1,-1,0,0,1,0,0", 0, "34,1 is outside the map"},
        {"0,1,33,2,1,-1,0,0,1,0,0", 0, "'0:1,33' is illegal: unit 0 cannot end its move there"},
        {"0,1,34,2,1,-1,0,0,1,0,0", 0, "1,34 is outside the map"},
    };
    struct tubstap_client c;
    start_row(&c, "0");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        long n[TUBSTAP_FIELDS];
        action a;
        struct err e;
        assert_true(read_numbers(cases[i].numbers, n, &e));
        const bool found = find_action(c.scenario->game, c.game.referee.state, n, &a, &e);
        if (found != (cases[i].problem == NULL) || (!found && strcmp(e.text, cases[i].problem) != 0))
            fail_msg("%s: %s", cases[i].numbers, found ? "was taken" : e.text);
        if (cases[i].a != 0)
            assert_int_equal(a, cases[i].a);
    }
    tubstap_client_done(&c);
}

/* A fighter has no power over infantry, but the platform lets it attack, and be shot at. */
static void knows_attacks_without_power(void **unused) {
    (void)unused;
    struct tubstap_client c;
    struct text out = {0};
    struct err e;
    start_row(&c, "0");
    assert_int_equal(take(&c, "Genmove", &out, &e), TUBSTAP_ASKED);
    assert_true(client_decide(&c, TBS_PASS, &out, &e));
    assert_string_equal(text_string(&out), "= " TURN_END "\r\n\r\n");
    expect_answer(&c, "play " TURN_END, "= \r\n\r\n");
    tubstap_client_done(&c);

    tubstap_client_init(&c, "x");
    expect_answer(&c,
                  "MAP SIZEX[4];SIZEY[3];TURNLIMIT[4];HPTHRESHOLD[3];UNIT[1,1,fighter,0,10,0];"
                  "UNIT[2,1,antiair,1,10,0];MAP[0,0,0,0];MAP[0,1,1,0];MAP[0,0,0,0];",
                  "= \r\n\r\n");
    expect_answer(&c, "Color 1", "= \r\n\r\n");
    expect_answer(&c, "play 0,1,1,1,1,1,2,1,2,0,7", "= \r\n\r\n");
    assert_int_equal(c.differences, 0);
    struct tbs_position p;
    tbs_position_of(c.game.referee.state, &p);
    assert_int_equal(p.units[0].hp, 3);
    tubstap_client_done(&c);
    text_done(&out);
}

/* ---- the client's game ---- */

static void refuses_what_the_rules_do_not_allow(void **unused) {
    (void)unused;
    static const struct {
        const char *color, *line, *part;
    } cases[] = {
        {"0", "play " TURN_END, "by the rules it is red's turn"},
        {"1", "Genmove", "by the rules it is red's turn"},
        {"0", "MAP " ROW, "a second map"},
        {"0", "Color 1", "a second colour"},
        {"0", "genmove", "'genmove' from the server: this command is unknown"},
        {"0", "= \x1B[2J", "'= ?[2J' from the server"},
        {"1", "play", "expected 11 numbers"},
        {"1", "play 1,2,3", "expected 11 numbers"},
        {"1", "play 0,4,1,2,1,-1,0,0,1,0,0", "'play 0,4,1,2,1,-1,0,0,1,0,0' from the server: "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct tubstap_client c;
        start_row(&c, cases[i].color);
        expect_failure(&c, cases[i].line, cases[i].part);
        tubstap_client_done(&c);
    }
    static const struct {
        const char *line, *part;
    } early[] = {
        {"Genmove", "has not begun"}, {"play " TURN_END, "has not begun"},
        {"status", "has not begun"},  {"Color 0", "a colour before the map"},
        {"MAP", "the server's map"},  {"MAP SIZEX[6];", "the server's map"},
    };
    for (size_t i = 0; i < sizeof early / sizeof early[0]; i++) {
        struct tubstap_client c;
        tubstap_client_init(&c, "x");
        expect_failure(&c, early[i].line, early[i].part);
        tubstap_client_done(&c);
    }
    struct tubstap_client c;
    tubstap_client_init(&c, "x");
    expect_answer(&c, "MAP " ROW, "= \r\n\r\n");
    expect_failure(&c, "Color 2", "expected Color 0 (red) or Color 1 (blue)");
    expect_failure(&c, "Color red", "expected Color 0 (red) or Color 1 (blue)");
    tubstap_client_done(&c);
}

static void notes_what_differs(void **unused) {
    (void)unused;
    struct tubstap_client c;
    start_row(&c, "1");
    expect_answer(&c, "play 0,2,1,2,1,2,3,1,2,0,0", "= \r\n\r\n");
    assert_int_equal(c.differences, 1);
    assert_non_null(strstr(c.difference.text, "play 0,2,1,2,1,2,3,1,2,0,0: it says 0,0 for damage and "
                                              "counter-attack; by the rules it is 7,"));
    expect_answer(&c, "play 1,1,1,1,2,-1,5,5,1,0,0", "= \r\n\r\n");
    assert_int_equal(c.differences, 2);
    expect_answer(&c, "status", "= 13 12\r\n\r\n");
    expect_answer(&c, "gameover", "= \r\n\r\n");
    assert_true(c.told_over);
    tubstap_client_done(&c);
}

static void never_announces_its_resignation(void **unused) {
    (void)unused;
    struct tubstap_client c;
    struct text out = {0};
    struct err e;
    start_row(&c, "0");
    assert_int_equal(take(&c, "Genmove", &out, &e), TUBSTAP_ASKED);
    assert_false(client_decide(&c, tbs_action(0, 4, 1, TBS_NO_TARGET), &out, &e));
    assert_string_equal(e.text, "0:4,1 is illegal");
    assert_true(client_decide(&c, TBS_RESIGN, &out, &e));
    assert_string_equal(text_string(&out), "= " TURN_END "\r\n\r\n");
    assert_false(is_over(&c));
    expect_answer(&c, "play -1,-1,-1,0,0,-1,0,0,0,0,0", "= \r\n\r\n"); /* the other side may */
    assert_true(is_over(&c));
    assert_string_equal(c.record.result, "red resignation");
    expect_failure(&c, "Genmove", "the game is over");
    text_done(&out);
    tubstap_client_done(&c);
}

struct short_talk {
    bool is_whole;
};

static void talk_a_little(void *context) {
    static const char *const lines[] = {"name", "opponent lion", "MAP " ROW, "Color 1",
                                        "play -1,-1,-1,0,0,-1,0,0,3,0,0"};
    struct short_talk *talk = context;
    struct tubstap_client c;
    struct text out = {0};
    struct err e = {{0}};
    talk->is_whole = true;
    tubstap_client_init(&c, "tiger");
    for (size_t i = 0; talk->is_whole && i < sizeof lines / sizeof lines[0]; i++) {
        talk->is_whole = take(&c, lines[i], &out, &e) == TUBSTAP_ANSWERED;
        assert_true(talk->is_whole || e.text[0] != '\0'); /* a map that does not fit is refused */
    }
    tubstap_client_done(&c);
    text_done(&out);
}

static void survives_want_of_memory(void **unused) {
    (void)unused;
    struct short_talk talk = {false};
    long n = 1, shortages = 0;
    for (; !talk.is_whole; n++) {
        assert_true(n < 1000);
        const bool was_short = memory_runs_out(n, talk_a_little, &talk);
        shortages += was_short;
        talk.is_whole = talk.is_whole && !was_short;
    }
    assert_true(shortages > 5);
}

/* ---- random games through the text ---- */

struct telling {
    const struct scenario *scenario; /* the server's */
    struct tubstap_client clients[2];
    struct rng rng;
    _Alignas(16) unsigned char state[GAME_STATE_MAX];
};

/* Any legal action: also without power, and now and then the turn's end. */
static action draw_action(struct telling *t) {
    struct tbs_position p;
    action list[TBS_UNIT_ACTIONS_MAX];
    int attacks, ready[TBS_UNITS_MAX], count = 0;
    if (rng_below(&t->rng, 25) == 0)
        return TBS_PASS;
    tbs_position_of(t->state, &p);
    for (int id = 0; id < p.unit_count; id++)
        if (tbs_can_act(&p, id))
            ready[count++] = id;
    const int unit = ready[rng_below(&t->rng, (uint32_t)count)];
    const int actions = tbs_unit_actions(t->state, unit, TBS_ATTACKS_ALL, list, &attacks);
    const bool attack = attacks > 0 && rng_below(&t->rng, 2) == 0;
    return list[rng_below(&t->rng, (uint32_t)(attack ? attacks : actions))];
}

static void assert_same_position(const struct telling *t) {
    for (int side = 0; side < 2; side++) {
        const struct tubstap_client *c = &t->clients[side];
        struct text ours = {0}, theirs = {0};
        t->scenario->game->text->write_state(t->state, &ours);
        c->scenario->game->text->write_state(c->game.referee.state, &theirs);
        assert_string_equal(text_string(&ours), text_string(&theirs));
        text_done(&ours);
        text_done(&theirs);
    }
}

/* The server's numbers, the mover's own numbers, and what is read from them are the same action. */
static void describe_action(struct telling *t, action a) {
    const struct game *game = t->scenario->game;
    const int side = game->mover(t->state);
    struct text numbers = {0}, answer = {0}, command = {0}, said = {0};
    long n[TUBSTAP_FIELDS];
    action found;
    struct err e;
    write_action(t->state, a, &numbers);
    assert_true(read_numbers(text_string(&numbers), n, &e));
    assert_true(find_action(game, t->state, n, &found, &e));
    assert_int_equal(found, a);
    assert_true(agrees(t->state, a, n, &e));
    assert_int_equal(take(&t->clients[side], "Genmove", &said, &e), TUBSTAP_ASKED);
    assert_true(client_decide(&t->clients[side], a, &said, &e));
    write_answer(text_string(&numbers), &answer);
    assert_string_equal(text_string(&said), text_string(&answer));
    text_add(&command, "play %s", text_string(&numbers));
    expect_answer(&t->clients[side ^ 1], text_string(&command), "= \r\n\r\n");
    game->play(t->state, a, NULL);
    text_done(&numbers);
    text_done(&answer);
    text_done(&command);
    text_done(&said);
}

static void play_telling(const struct game *table, const char *map_name, uint64_t seed) {
    struct telling t;
    struct scenario *own = own_map(map_name);
    struct text map = {0}, command = {0};
    struct err e;
    write_map(tbs_scenario_map(own), &map);
    struct scenario *scenario =
        game_load(table, &(struct game_source){map_name, text_string(&map), map.size, NULL}, &e);
    assert_non_null(scenario);
    t.scenario = scenario;
    rng_seed_stream(&t.rng, 7, seed);
    scenario->game->start(t.state, scenario, NULL);
    text_add(&command, "MAP %s", text_string(&map));
    for (int side = 0; side < 2; side++) {
        tubstap_client_init(&t.clients[side], "x");
        expect_answer(&t.clients[side], text_string(&command), "= \r\n\r\n");
        expect_answer(&t.clients[side], side == 0 ? "Color 0" : "Color 1", "= \r\n\r\n");
    }
    while (scenario->game->mover(t.state) != NOBODY) {
        assert_same_position(&t);
        describe_action(&t, draw_action(&t));
    }
    assert_same_position(&t);
    for (int side = 0; side < 2; side++) {
        assert_true(is_over(&t.clients[side]));
        assert_int_equal(t.clients[side].differences, 0);
        tubstap_client_done(&t.clients[side]);
    }
    text_done(&map);
    text_done(&command);
    game_unload(scenario);
    game_unload(own);
}

static void sends_random_games(void **unused) {
    (void)unused;
    for (int map = 0; map < MAPS; map++) {
        const int rounds = strcmp(map_names[map], "largest") == 0 ? 1 : 6;
        for (int i = 0; i < rounds; i++) {
            play_telling(&tbs_game, map_names[map], (uint64_t)(2 * i));
            play_telling(&tbs_wide_game, map_names[map], (uint64_t)(2 * i + 1));
        }
    }
}

/* ---- a game of the platform's own server ---- */

/* The transcript's map line is cut off: its text comes from the map file, its comment as the server sent it.
 */
static void load_map_line(const char *cut, struct text *out) {
    struct text map = {0};
    golden_load("maps", "block_A3.tbsmap", &map);
    size_t length;
    const char *comment = tbs_segment_value(cut, "MAPCOM", &length);
    const char *at = strstr(text_string(&map), "MAPCOM[");
    assert_non_null(comment);
    assert_non_null(at);
    const char *rest = strstr(at, "];");
    assert_non_null(rest);
    text_add_string(out, "MAP ");
    text_add_bytes(out, text_string(&map), (size_t)(at - map.data));
    text_add(out, "MAPCOM[%.*s%s", (int)length, comment, rest);
    for (size_t i = 0; i < out->size; i++) /* one line, with blanks where the platform has nothing */
        if (out->data[i] == '\n' || out->data[i] == '\r')
            out->data[i] = ' ';
    text_done(&map);
}

/* The client's output must equal the recorded answer, for the same choice. */
static void check_recorded(struct tubstap_client *c, enum step step, const char *recorded,
                           struct text *said) {
    char expected[300];
    struct err e;
    if (step == TUBSTAP_ASKED) {
        long n[TUBSTAP_FIELDS];
        action a;
        assert_true(read_numbers(recorded + 2, n, &e));
        if (!find_action(c->scenario->game, c->game.referee.state, n, &a, &e))
            fail_msg("%s: %s", recorded, e.text);
        assert_true(agrees(c->game.referee.state, a, n, &e));
        assert_true(client_decide(c, a, said, &e));
    }
    snprintf(expected, sizeof expected, "%s\r\n\r\n", recorded);
    assert_string_equal(text_string(said), expected);
}

static void check_end(const struct tubstap_client *c, const char *line) {
    struct tbs_position p;
    char expected[TUBSTAP_NAME_MAX + 64];
    tbs_position_of(c->game.referee.state, &p);
    snprintf(expected, sizeof expected, "FINAL %s turn %d hp %d %d", c->name, p.turn, p.hp_sum[0],
             p.hp_sum[1]);
    assert_string_equal(line, expected);
    assert_true(is_over(c));
    assert_int_equal(p.result, TBS_DRAW_LIMIT);
}

static void plays_the_platforms_game(void **unused) {
    (void)unused;
    if (!golden_is_there())
        skip();
    struct text transcript = {0}, said = {0}, map = {0};
    struct tubstap_client c;
    struct err e;
    golden_load("golden/tbs", "net_transcript_block_A3.txt", &transcript);
    tubstap_client_init(&c, "red-client");
    enum step step = TUBSTAP_NOTHING;
    int answers = 0, ends = 0;
    char *at = transcript.data;
    for (char *line; (line = golden_line(&at)) != NULL;) {
        if (strncmp(line, "S: MAP ", 7) == 0)
            load_map_line(line, &map);
        if (strncmp(line, "S: ", 3) == 0) {
            step = take(&c, strncmp(line, "S: MAP ", 7) == 0 ? text_string(&map) : line + 3, &said, &e);
            if (step == TUBSTAP_FAILED)
                fail_msg("%s", e.text);
        } else if (strncmp(line, "C: ", 3) == 0) {
            check_recorded(&c, step, line + 3, &said);
            answers++;
        } else if (strncmp(line, "FINAL red-client ", 17) == 0) {
            check_end(&c, line);
            ends++;
        }
    }
    assert_int_equal(answers, 18);
    assert_int_equal(ends, 1);
    assert_int_equal(c.differences, 0);
    assert_string_equal(c.opponent, "blue-client2");
    tubstap_client_done(&c);
    text_done(&transcript);
    text_done(&said);
    text_done(&map);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_commands),
        cmocka_unit_test(reads_answers),
        cmocka_unit_test(reads_eleven_numbers),
        cmocka_unit_test(cleans_foreign_text),
        cmocka_unit_test(writes_maps_on_one_line),
        cmocka_unit_test(finds_actions),
        cmocka_unit_test(knows_attacks_without_power),
        cmocka_unit_test(refuses_what_the_rules_do_not_allow),
        cmocka_unit_test(notes_what_differs),
        cmocka_unit_test(never_announces_its_resignation),
        cmocka_unit_test(sends_random_games),
        cmocka_unit_test(the_same_was_made_of_all_lines),
        cmocka_unit_test(survives_want_of_memory),
        cmocka_unit_test(plays_the_platforms_game),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
