/* SPDX-License-Identifier: MIT
 *
 * The engine protocol: the conversations of docs/protocol.md letter by letter; beyond the examples, errors
 * that change nothing, and the limits.
 */
#include "protocol/session.h"

#include "base/file.h"
#include "game/tbs/map.h"
#include "match/record.h"

#include "memory_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

enum { VERBS_MAX = 64 };

#define ROW_MAP                                                                                              \
    "SIZEX[6];SIZEY[3];TURNLIMIT[6];HPTHRESHOLD[3];UNITNUMRED[2];UNITNUMBLUE[1];UNIT[1,1,panzer,0,10,0];"    \
    "UNIT[2,1,infantry,0,8,1];UNIT[4,1,infantry,1,10,0];MAP[0,0,0,0,0,0];MAP[0,1,1,1,1,0];MAP[0,0,0,0,0,0];"

static int64_t now_ns;
static struct clock test_clock;
static atomic_bool stop;

static const struct session_setup default_setup = {
    .version = "0.1.0", .player = "acteval", .seed = 1, .clock = &test_clock, .stop = &stop, .files = true};

static struct session *open_session(const struct session_setup *setup) {
    struct err e = {0};
    test_clock = clock_manual(&now_ns);
    atomic_store(&stop, false);
    struct session *session = session_open(setup, &e);
    assert_string_equal(e.text, "");
    assert_non_null(session);
    return session;
}

static bool ends_with(const char *text, const char *end) {
    const size_t size = strlen(text), end_size = strlen(end);
    return size >= end_size && strcmp(text + size - end_size, end) == 0;
}

/* An answer is complete: ok, end, or one line of error. */
static bool is_answer(const char *text) {
    if (strncmp(text, "error ", 6) == 0)
        return strchr(text, '\n') == text + strlen(text) - 1 && strlen(text) > 10;
    return strcmp(text, "ok\n") == 0 || strcmp(text, "end\n") == 0 || ends_with(text, "\nok\n") ||
           ends_with(text, "\nend\n");
}

/* Sends one line; the answer is valid until the next. */
static const char *send(struct session *session, const char *line) {
    static struct text answer; /* belongs to the last of these calls: freed by the one with NULL */
    if (line == NULL) {
        text_done(&answer);
        return NULL;
    }
    text_clear(&answer);
    assert_true(session_line(session, line, &answer));
    return text_string(&answer);
}

static void expect(struct session *session, const char *line, const char *answer) {
    assert_string_equal(send(session, line), answer);
}

static void load_row(struct session *session) {
    expect(session, "map", "");
    expect(session, ROW_MAP, "");
    expect(session, "endmap", "ok\n");
}

static void finish(struct session *session) {
    session_close(session);
    send(NULL, NULL);
}

/* ---- the reference ---- */

static struct text read_reference(void) {
    struct text text = {0};
    struct err e = {0};
    const char *root = getenv("SENJUTSU_ROOT");
    if (root != NULL)
        assert_int_equal(chdir(root), 0); /* an example loads one of our maps */
    assert_true(file_read("docs/protocol.md", 1 << 20, &text, &e));
    return text;
}

/* The next line of the text, without its end; NULL behind the last. */
static char *next_line(char **at) {
    char *line = *at;
    if (*line == '\0')
        return NULL;
    *at += strcspn(line, "\n");
    if (**at == '\n')
        *(*at)++ = '\0';
    return line;
}

/* A list of games or players in the answer may be longer than in the example: additional ones need no change
 * of the example. */
static void drop_further_names(const char *expected, struct text *answered) {
    struct text kept = {0};
    const bool lists = strstr(expected, "game tbs\n") != NULL;
    char *at = answered->data;
    for (char *line; at != NULL && (line = next_line(&at)) != NULL;) {
        const char *known = strstr(line, "; known are ");
        const bool is_list =
            strncmp(line, "error game '", 12) == 0 || strncmp(line, "error player '", 14) == 0;
        if (known != NULL && is_list && strncmp(expected, line, (size_t)(known - line)) == 0)
            text_add_string(&kept, expected);
        else if (!lists || strncmp(line, "game ", 5) != 0 || strstr(expected, line) != NULL)
            text_add(&kept, "%s\n", line);
    }
    text_done(answered);
    *answered = kept;
}

/* Takes an example from behind its opening line to its end; adds the lines sent to `sent`. */
static void run_example(char **at, struct text *sent) {
    struct session *session = open_session(&default_setup);
    struct text expected = {0}, answered = {0};
    bool going = true;
    for (;;) {
        const char *line = next_line(at);
        assert_non_null(line);
        const bool ends = strcmp(line, "```") == 0, sends = line[0] == '>';
        if (ends || sends) {
            drop_further_names(text_string(&expected), &answered);
            assert_string_equal(text_string(&answered), text_string(&expected));
            text_clear(&expected);
            text_clear(&answered);
        }
        if (ends)
            break;
        if (!sends) {
            text_add(&expected, "%s\n", line);
            continue;
        }
        assert_true(going); /* no line is answered after quit */
        const char *command = line + 1 + (line[1] == ' ');
        text_add(sent, "%s\n", command);
        going = session_line(session, command, &answered);
    }
    text_done(&expected);
    text_done(&answered);
    session_close(session);
}

/* Runs all examples; returns how many there are. */
static int run_examples(struct text *sent) {
    struct text reference = read_reference();
    int count = 0;
    char *at = reference.data;
    for (char *line; (line = next_line(&at)) != NULL;) {
        if (strcmp(line, "```session") == 0) {
            run_example(&at, sent);
            count++;
        }
    }
    text_done(&reference);
    return count;
}

static int list_verbs(char *storage, size_t size, char **verbs) {
    struct session *session = open_session(&default_setup);
    snprintf(storage, size, "%s", send(session, "help"));
    finish(session);
    storage[strcspn(storage, "\n")] = '\0';
    const int count = text_split(storage, ' ', verbs, VERBS_MAX);
    assert_true(count > 10);
    assert_string_equal(verbs[0], "commands");
    return count;
}

static void examples_are_true(void **state) {
    (void)state;
    struct text sent = {0};
    assert_true(run_examples(&sent) >= 8);
    text_done(&sent);
}

/* Every verb that `help` names is described, and sent in an example. */
static void examples_show_every_verb(void **state) {
    (void)state;
    struct text sent = {0}, reference = read_reference();
    char storage[1024], *verbs[VERBS_MAX];
    text_add_string(&sent, "\n");
    run_examples(&sent);
    const int count = list_verbs(storage, sizeof storage, verbs);
    for (int i = 1; i < count; i++) {
        char alone[80], with_arguments[80], described[80];
        snprintf(alone, sizeof alone, "\n%s\n", verbs[i]);
        snprintf(with_arguments, sizeof with_arguments, "\n%s ", verbs[i]);
        snprintf(described, sizeof described, "\n| `%s", verbs[i]);
        assert_true(strstr(text_string(&sent), alone) != NULL ||
                    strstr(text_string(&sent), with_arguments) != NULL);
        assert_non_null(strstr(text_string(&reference), described));
    }
    text_done(&sent);
    text_done(&reference);
}

static void reference_lists_the_limits(void **state) {
    (void)state;
    struct text reference = read_reference();
    static const struct {
        const char *row;
        long limit;
    } cases[] = {
        {"\n| a line | %ld bytes |", SESSION_LINE_MAX},
        {"\n| a map | %ld bytes |", TBS_MAP_TEXT_MAX},
        {"\n| actions of a game | %ld |", RECORD_ACTIONS_MAX},
        {"\n| depth of `perft` | %ld |", SESSION_PERFT_MAX},
        {"\n| a spec string | %ld bytes |", SPEC_TEXT_MAX - 1},
        {" milliseconds for one action (with `turn`, for all together), from 1 to %ld |", SESSION_TIME_MAX},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char row[120], number[24];
        snprintf(number, sizeof number, "%ld", cases[i].limit);
        const size_t before = strcspn(cases[i].row, "%");
        snprintf(row, sizeof row, "%.*s%s%s", (int)before, cases[i].row, number, cases[i].row + before + 3);
        assert_non_null(strstr(text_string(&reference), row));
    }
    text_done(&reference);
}

/* ---- errors ---- */

/* The state that a controller can see of a session. */
static struct text look(struct session *session) {
    static const char *const questions[] = {"sjp 1", "state", "legal all", "perft 2"};
    struct text seen = {0};
    for (size_t i = 0; i < sizeof questions / sizeof questions[0]; i++)
        text_add_string(&seen, send(session, questions[i]));
    return seen;
}

/* One a line would fill a page. */
/* clang-format off */
static const char *const wrong_lines[] = {
    "sjp", "sjp 2", "sjp 1 2", "dance", "STATE", "play", "play 9:1,1", "play 2:3,1", "play 0:99,1",
    "play 0:3,1x7", "play 0:3,1x2 pass", "play 0:3,1x99999999999999999999", "play Pass", "legal some",
    "perft", "perft -1", "perft 33", "perft x", "perft 2 2", "perft 99999999999999999999", "go fast",
    "go sims", "go sims 0", "go sims -5", "go sims 5 sims", "go sims 99999999999999999999999", "go time 0",
    "go time 1000000001", "go turn time", "go a b c d e f g h i j k l m n o p", "setoption",
    "setoption player", "setoption player nobody", "setoption player acteval:cover=7", "setoption seed",
    "setoption seed -1", "setoption seed 1 2", "setoption seed 18446744073709551616", "newgame",
    "newgame chess", "newgame tbs rules", "newgame tbs rules=house", "newgame tbs rules=paper rules=paper",
    "newgame tbs colour=red", "map /no/such/map.tbsmap", "map .",
    "newgame tbs a=1 b=1 c=1 d=1 e=1 f=1 g=1 h=1 i=1 j=1 k=1 l=1 m=1 n=1 o=1 p=1 q=1 r=1 s=1 t=1 u=1 v=1 w=1 x=1 y=1",
};
/* clang-format on */

static void errors_change_nothing(void **state) {
    (void)state;
    struct session *session = open_session(&default_setup);
    load_row(session);
    expect(session, "play 0:3,1x2", "ok\n");
    expect(session, "play pass", "ok\n");
    struct text before = look(session);
    for (size_t i = 0; i < sizeof wrong_lines / sizeof wrong_lines[0]; i++) {
        const char *answer = send(session, wrong_lines[i]);
        assert_true(is_answer(answer));
        assert_memory_equal(answer, "error ", 6);
        struct text after = look(session);
        assert_string_equal(text_string(&before), text_string(&after));
        text_done(&after);
    }
    expect(session, "go", "info value 2.05\ninfo work 5\nbest 0:3,1x2\nok\n"); /* and play goes on */
    text_done(&before);
    finish(session);
}

static void wrong_maps_leave_the_position(void **state) {
    (void)state;
    static const char *const maps[] = {"", "nonsense", "SIZEX[6];SIZEY[3];", "state", "SIZEX[99999999999];"};
    struct session *session = open_session(&default_setup);
    load_row(session);
    expect(session, "play 0:1,1", "ok\n");
    struct text before = look(session);
    for (size_t i = 0; i < sizeof maps / sizeof maps[0]; i++) {
        expect(session, "map", "");
        expect(session, maps[i], "");
        const char *answer = send(session, "endmap");
        assert_true(is_answer(answer));
        assert_memory_equal(answer, "error map", 9);
        struct text after = look(session);
        assert_string_equal(text_string(&before), text_string(&after));
        text_done(&after);
    }
    expect(session, "undo", "ok\n"); /* the game before it, too */
    text_done(&before);
    finish(session);
}

static void nothing_works_without_a_position(void **state) {
    (void)state;
    static const char *const lines[] = {"play pass", "undo", "go", "state", "legal", "legal all", "perft 1"};
    struct session *session = open_session(&default_setup);
    for (int round = 0; round < 2; round++) {
        for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
            expect(session, lines[i], "error no position yet; send map first\n");
        load_row(session);
        expect(session, "newgame tbs", "ok\n"); /* takes it away again */
    }
    expect(session, "endmap", "error unknown command 'endmap'\n");
    finish(session);
}

static void wrong_players_open_no_session(void **state) {
    (void)state;
    struct session_setup setup = default_setup;
    struct err e = {0};
    setup.player = "nobody";
    assert_null(session_open(&setup, &e));
    assert_non_null(strstr(e.text, "player 'nobody' is unknown; known are random, "));
}

static void wrong_games_open_no_session(void **state) {
    (void)state;
    static const char *const games[] = {"kuhn:", "synth:depth", "chess", "synth:depth=x"};
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++) {
        struct session_setup setup = default_setup;
        struct err e = {0};
        setup.game = games[i];
        struct session *session = session_open(&setup, &e);
        if (session != NULL || e.text[0] == '\0')
            fail_msg("%s: '%s'", games[i], e.text);
    }
}

/* ---- positions ---- */

/* Every position of the game is reached again by undo. */
static void undo_goes_back_to_the_start(void **state) {
    (void)state;
    static const char *const actions[] = {"0:3,1", "2:4,1x0", "1:1,1", "resign"};
    struct session *session = open_session(&default_setup);
    struct text positions[5] = {{0}};
    load_row(session);
    for (int i = 0; i < 4; i++) {
        char line[40];
        text_add_string(&positions[i], send(session, "state"));
        snprintf(line, sizeof line, "play %s", actions[i]);
        expect(session, line, "ok\n");
    }
    expect(session, "play pass", "error 'pass' is illegal: the game is over (blue resignation)\n");
    expect(session, "legal", "end\n");
    expect(session, "legal all", "end\n");
    expect(session, "perft 0", "nodes 1\nok\n");
    expect(session, "perft 1", "nodes 0\nok\n");
    expect(session, "go", "error the game is over\n");
    for (int i = 3; i >= 0; i--) {
        expect(session, "undo", "ok\n");
        expect(session, "state", text_string(&positions[i]));
        text_done(&positions[i]);
    }
    expect(session, "undo", "error nothing to undo\n");
    finish(session);
}

static void rule_sets_take_effect(void **state) {
    (void)state;
    static const char *const rules[2] = {"newgame tbs rules=tubstap", "newgame  tbs\t rules=paper "};
    static const char *const results[2] = {"result draw limit\n", "result red limit\n"};
    struct session *session = open_session(&default_setup);
    for (int i = 0; i < 2; i++) { /* a lead of 2 at a threshold of 2 */
        expect(session, rules[i], "ok\n");
        expect(session, "map", "");
        expect(session, "SIZEX[5];SIZEY[3];TURNLIMIT[1];HPTHRESHOLD[2];UNITNUMRED[1];UNITNUMBLUE[1];", "");
        expect(session, "UNIT[1,1,infantry,0,10,0];UNIT[3,1,infantry,1,8,0];", "");
        expect(session, "MAP[0,0,0,0,0];MAP[0,1,1,1,0];MAP[0,0,0,0,0];", "");
        expect(session, "endmap", "ok\n");
        expect(session, "play pass", "ok\n");
        assert_non_null(strstr(send(session, "state"), results[i]));
    }
    finish(session);
}

/* ---- go ---- */

/* The same seed, the same decisions; and the position stays as it is. */
static void go_repeats_with_the_seed(void **state) {
    (void)state;
    struct session *session = open_session(&default_setup);
    struct text first = {0}, again = {0};
    bool differs = false;
    expect(session, "setoption player random", "ok\n");
    load_row(session);
    for (int round = 0; round < 2; round++) {
        struct text *answers = round == 0 ? &first : &again;
        expect(session, "setoption seed 5", "ok\n");
        for (int i = 0; i < 12; i++) {
            const size_t before = answers->size;
            text_add_string(answers, send(session, i % 3 == 0 ? "go turn" : "go"));
            differs = differs ||
                      (i % 3 != 0 && strcmp(answers->data + before, "info work 1\nbest 0:1,1\nok\n") != 0);
        }
        expect(session, "undo", "error nothing to undo\n");
    }
    assert_string_equal(text_string(&first), text_string(&again));
    assert_true(differs);
    text_done(&first);
    text_done(&again);
    finish(session);
}

static void budgets_are_read(void **state) {
    (void)state;
    static const char *const lines[] = {"go",
                                        "go sims 1",
                                        "go  sims\t18446744073709551615 ",
                                        "go time 1",
                                        "go turn",
                                        "go time 1000000000 sims 3 turn",
                                        "go turn turn",
                                        "go sims 4 sims 5 time 6 turn time 7"};
    struct session_setup setup = default_setup;
    struct session *session = open_session(&setup);
    load_row(session);
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        expect(session, lines[i], "info value 4.05\ninfo work 3\nbest 0:3,1x2\nok\n");
    finish(session);
    setup.clock = NULL;
    session = open_session(&setup);
    load_row(session);
    expect(session, "go time 10", "error go takes sims N, time MS and turn\n");
    expect(session, "go sims 10", "info value 4.05\ninfo work 3\nbest 0:3,1x2\nok\n");
    finish(session);
}

static void a_stop_ends_perft(void **state) {
    (void)state;
    struct session *session = open_session(&default_setup);
    expect(session, "map maps/standard8.tbsmap", "ok\n");
    atomic_store(&stop, true);
    expect(session, "perft 12", "error perft was stopped\n");
    atomic_store(&stop, false);
    expect(session, "stop", "ok\n");
    assert_true(ends_with(send(session, "perft 1"), "\nok\n"));
    finish(session);
}

/* ---- limits ---- */

static void lines_have_a_limit(void **state) {
    (void)state;
    struct session *session = open_session(&default_setup);
    struct text line = {0};
    text_add(&line, "perft%*s", SESSION_LINE_MAX - 5, "1");
    assert_int_equal(line.size, SESSION_LINE_MAX);
    load_row(session);
    expect(session, text_string(&line), "nodes 3\nok\n");
    text_add_string(&line, " ");
    expect(session, text_string(&line), "error a line of more than 65536 bytes\n");
    /* Within a map there is one answer, at the end; a faulty line is not just skipped. */
    struct text before = look(session);
    expect(session, "map", "");
    expect(session, ROW_MAP, "");
    expect(session, text_string(&line), "");
    expect(session, "endmap", "error the map is larger than 1048576 bytes, or a line of it than 65536\n");
    struct text after = look(session);
    assert_string_equal(text_string(&before), text_string(&after));
    load_row(session); /* the next map is a new one */
    text_done(&before);
    text_done(&after);
    text_done(&line);
    finish(session);
}

static void maps_have_a_limit(void **state) {
    (void)state;
    struct session *session = open_session(&default_setup);
    struct text line = {0};
    text_add(&line, "%*s", 65535, "");
    load_row(session);
    expect(session, "map", "");
    expect(session, ROW_MAP, "");
    for (int i = 0; i < 16; i++)
        expect(session, text_string(&line), "");
    expect(session, "endmap", "error the map is larger than 1048576 bytes, or a line of it than 65536\n");
    expect(session, "map", "");
    expect(session, ROW_MAP, "");
    for (int i = 0; i < 15; i++)
        expect(session, text_string(&line), "");
    expect(session, "endmap", "ok\n");
    text_done(&line);
    finish(session);
}

/* Everything is the map's until endmap; nothing is lost or leaked when that never comes. */
static void a_map_without_an_end(void **state) {
    (void)state;
    struct session *session = open_session(&default_setup);
    expect(session, "map", "");
    expect(session, ROW_MAP, "");
    expect(session, "state", "");
    expect(session, "quit", "");
    expect(session, " endmap", "");
    expect(session, "", "");
    finish(session);
    session = open_session(&default_setup);
    expect(session, "map", "");
    expect(session, ROW_MAP "\r", "");
    expect(session, "endmap\r\n", "ok\n");
    finish(session);
}

static void files_can_be_forbidden(void **state) {
    (void)state;
    struct session_setup setup = default_setup;
    setup.files = false;
    struct session *session = open_session(&setup);
    expect(session, "map maps/duel.tbsmap", "error map PATH is not allowed here; send the map's lines\n");
    load_row(session);
    finish(session);
}

/* ---- peers over the network ---- */

static const struct session_limits peer_limits = {.memory_mb = 64, .threads = 2, .command_ns = 1000000};

static void peers_may_use_so_much(void **state) {
    (void)state;
    struct session_setup setup = default_setup;
    setup.limits = &peer_limits;
    struct session *session = open_session(&setup);
    expect(session, "setoption player uct:memory=64,threads=2", "ok\n");
    expect(session, "setoption player uct:memory=65",
           "error uct:memory=65: memory of 65 megabytes; expected at most 64 here\n");
    expect(session, "setoption player uct:threads=3",
           "error uct:threads=3: threads=3; expected at most 2 here\n");
    expect(session, "setoption player first:player=[uct:memory=40],then=[split:player=[muct:memory=25]]",
           "error first:player=[uct:memory=40],then=[split:player=[muct:memory=25]: memory of 65 megabytes, "
           "all players of the spec together; expected at most 64 here\n");
    expect(session, "setoption player first:player=[uct:memory=39],then=[split:player=[muct:memory=25]]",
           "ok\n");
    expect(session, "setoption player split:player=[uct:memory=1,threads=3]",
           "error split:player=[uct:memory=1,threads=3]: threads=3; expected at most 2 here\n");
    load_row(session);
    expect(session, "go time 2", "error go time 2: expected at most 1 here\n");
    finish(session);
    session = open_session(&default_setup); /* our own users may */
    expect(session, "setoption player uct:memory=65536,threads=64", "ok\n");
    finish(session);
}

static int64_t hurry(void *self) {
    return *(int64_t *)self += 100000; /* every reading takes a tenth of a millisecond */
}

static void peers_get_so_much_time(void **state) {
    (void)state;
    struct clock hurrying = {.now_ns = hurry, .self = &now_ns};
    struct session_setup setup = default_setup;
    setup.limits = &peer_limits;
    setup.player = "uct:sims=1000000000";
    setup.clock = &hurrying;
    struct session *session = open_session(&setup);
    expect(session, "newgame synth depth=60", "ok\n");
    expect(session, "perft 32",
           "error perft was stopped after 1 ms, the longest that one command may take here\n");
    expect(session, "perft 2", "nodes 4\nok\n");
    expect(session, "newgame tbs", "ok\n");
    load_row(session);
    assert_non_null(strstr(send(session, "go"), "info limit 1\n"));
    finish(session);
}

static void foreign_lines_are_recognised(void **state) {
    (void)state;
    static const char *const foreign[] = {
        "GET / HTTP/1.1", "POST /a%20b?c HTTP/1.1\r", "PRI * HTTP/2.0\r", "Host: localhost",
        "host:x",         "Content-Length:\t3",       "\x16\x03\x01",     "\x01\x03",
        "sjp 1\x7F"};
    static const char *const own[] = {"",
                                      "sjp 1",
                                      "play 3:4,2x9",
                                      "go turn",
                                      "stop\r",
                                      " go\ttime 3",
                                      "setoption player uct:c=2",
                                      "\xE6\x88\xA6\xE8\xA1\x93"};
    for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; i++)
        assert_true(session_is_foreign(foreign[i]));
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        assert_false(session_is_foreign(own[i]));
}

/* A peer's conversation ends there; a script on our own machine is answered. */
static void foreign_lines_end_conversations(void **state) {
    (void)state;
    struct session_setup setup = default_setup;
    setup.limits = &peer_limits;
    struct session *session = open_session(&setup);
    struct text out = {0};
    load_row(session); /* lines within a map belong to the map */
    assert_false(session_line(session, "POST / HTTP/1.1", &out));
    assert_string_equal(text_string(&out),
                        "error this is senjutsu's engine protocol and no other; goodbye\n");
    text_done(&out);
    finish(session);
    session = open_session(&default_setup);
    expect(session, "POST / HTTP/1.1", "error unknown command 'POST'\n");
    finish(session);
}

static void quit_ends(void **state) {
    (void)state;
    struct session *session = open_session(&default_setup);
    struct text out = {0};
    assert_true(session_line(session, "   ", &out));
    assert_true(session_line(session, "\r\n", &out));
    assert_false(session_line(session, " quit \r", &out));
    assert_int_equal(out.size, 0);
    text_done(&out);
    finish(session);
}

/* ---- memory ---- */

static void converse(void *context) {
    static const char *const lines[] = {"map", ROW_MAP, "endmap", "play 0:3,1x2", "go"};
    struct text answer = {0};
    (void)context;
    struct session *session = open_session(&default_setup);
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        assert_true(session_line(session, lines[i], &answer));
    text_done(&answer);
    session_close(session);
}

/* Wherever memory runs out, the call is left and no allocation stays behind. */
static void memory_may_run_out_anywhere(void **state) {
    (void)state;
    int left = 0;
    for (long n = 1; n <= 40; n++)
        left += memory_runs_out(n, converse, NULL);
    assert_true(left > 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(examples_are_true),
        cmocka_unit_test(examples_show_every_verb),
        cmocka_unit_test(reference_lists_the_limits),
        cmocka_unit_test(errors_change_nothing),
        cmocka_unit_test(wrong_maps_leave_the_position),
        cmocka_unit_test(nothing_works_without_a_position),
        cmocka_unit_test(wrong_players_open_no_session),
        cmocka_unit_test(wrong_games_open_no_session),
        cmocka_unit_test(undo_goes_back_to_the_start),
        cmocka_unit_test(rule_sets_take_effect),
        cmocka_unit_test(go_repeats_with_the_seed),
        cmocka_unit_test(budgets_are_read),
        cmocka_unit_test(a_stop_ends_perft),
        cmocka_unit_test(lines_have_a_limit),
        cmocka_unit_test(maps_have_a_limit),
        cmocka_unit_test(a_map_without_an_end),
        cmocka_unit_test(files_can_be_forbidden),
        cmocka_unit_test(peers_may_use_so_much),
        cmocka_unit_test(peers_get_so_much_time),
        cmocka_unit_test(foreign_lines_are_recognised),
        cmocka_unit_test(foreign_lines_end_conversations),
        cmocka_unit_test(quit_ends),
        cmocka_unit_test(memory_may_run_out_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
