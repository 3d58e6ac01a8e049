/* SPDX-License-Identifier: MIT
 *
 * The machine behind the Geister server: what the official server was recorded to say, byte for byte, and what
 * it is made to do otherwise. Where the two differ, the probe's name stands in `differences` below with what
 * we say in its place.
 */
#include "base/file.h"
#include "net/geister_log.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const int64_t second_ns = 1000000000, ms_ns = 1000000;

enum { HEARD_MAX = 64 << 10, SECTION_MAX = 128 };

/* A table with both sides here, and all that it has said and nobody has looked at yet. */
struct fixture {
    struct scenario *scenario;
    struct geister_terms terms;
    struct geister_table table;
    char heard[2][HEARD_MAX];
    size_t size[2];
    int64_t now;
};

static void collect(struct fixture *f) {
    for (int side = 0; side < 2; side++) {
        struct geister_say *said = &f->table.say[side];
        assert_true(f->size[side] + said->size < HEARD_MAX);
        memcpy(f->heard[side] + f->size[side], said->bytes, said->size);
        f->size[side] += said->size;
        f->heard[side][f->size[side]] = '\0';
        said->size = 0;
    }
}

static void open_fixture(struct fixture *f, int64_t budget_s, int64_t grace_s) {
    struct err e;
    memset(f, 0, sizeof *f);
    f->scenario = game_load_spec("geister", &e);
    assert_non_null(f->scenario);
    f->terms = (struct geister_terms){
        .scenario = f->scenario, .budget_ns = budget_s * second_ns, .grace_ns = grace_s * second_ns};
    geister_table_start(&f->table, &f->terms);
}

static void close_fixture(struct fixture *f) {
    geister_table_done(&f->table);
    f->scenario->game->unload(f->scenario);
}

static void again(struct fixture *f) {
    geister_table_done(&f->table);
    geister_table_start(&f->table, &f->terms);
    f->size[0] = f->size[1] = 0;
}

static void join(struct fixture *f) {
    for (int side = 0; side < 2; side++)
        geister_table_join(&f->table, side, f->now);
    collect(f);
}

static void send_bytes(struct fixture *f, int side, const char *bytes, size_t size) {
    while (size > 0) {
        const size_t taken = geister_table_receive(&f->table, side, bytes, size, f->now);
        assert_true(taken > 0 && taken <= size);
        bytes += taken;
        size -= taken;
        collect(f);
    }
}

static void send_line(struct fixture *f, int side, const char *line) {
    send_bytes(f, side, line, strlen(line));
    send_bytes(f, side, "\r\n", 2);
}

static void tick(struct fixture *f, int64_t now) {
    f->now = now;
    geister_table_tick(&f->table, now);
    collect(f);
}

/* The next thing this side hears; the first `size` bytes of it. */
static void expect_bytes(struct fixture *f, int side, const char *bytes, size_t size) {
    if (f->size[side] < size || memcmp(f->heard[side], bytes, size) != 0)
        fail_msg("side %d: expected '%.*s', heard '%s'", side, (int)size, bytes, f->heard[side]);
    f->size[side] -= size;
    memmove(f->heard[side], f->heard[side] + size, f->size[side] + 1);
}

static void expect(struct fixture *f, int side, const char *line) {
    expect_bytes(f, side, line, strlen(line));
    expect_bytes(f, side, "\r\n", 2);
}

static void expect_silence(struct fixture *f, int side) {
    if (f->size[side] > 0)
        fail_msg("side %d: expected nothing, heard '%s'", side, f->heard[side]);
}

/* Both have chosen ABCD, and the first player is prompted. */
static void begin(struct fixture *f) {
    join(f);
    send_line(f, 0, "SET:ABCD");
    send_line(f, 1, "SET:ABCD");
    for (int side = 0; side < 2; side++) {
        expect(f, side, "SET?");
        expect(f, side, "OK ");
    }
    expect(f, 0, "MOV?14R24R34R44R15B25B35B45B41u31u21u11u40u30u20u10u");
}

/* ---- the recordings ---- */

static bool read_shared(const char *name, struct text *out) {
    char path[4096];
    struct err e;
    const char *root = getenv("SENJUTSU_ROOT");
    snprintf(path, sizeof path, "%s/../shared/golden/geister/%s", root != NULL ? root : ".", name);
    if (file_read(path, 1 << 20, out, &e))
        return true;
    print_message("skipped: %s\n", e.text);
    return false;
}

/* The text of a Python string or bytes literal, from its quotation mark. */
static size_t read_literal(const char *from, char *out, size_t out_size) {
    const char mark = *from++;
    size_t size = 0;
    for (; *from != mark && *from != '\0'; from++) {
        char c = *from;
        if (c == '\\') {
            from++;
            c = *from == 'r' ? '\r' : *from == 'n' ? '\n' : *from;
            if (*from == 'x') {
                const char digits[3] = {from[1], from[2], '\0'};
                c = (char)strtol(digits, NULL, 16);
                from += 2;
            }
        }
        assert_true(size + 1 < out_size);
        out[size++] = c;
    }
    out[size] = '\0';
    return size;
}

struct probe_line {
    int side; /* -1: not a player's */
    int64_t at_ns;
    char kind; /* '>' sent, '<' heard, 'c' closed */
    char bytes[512];
    size_t size;
};

/* "   2.476 P0 -> b'…'"; false for what is no such line. */
static bool read_probe_line(const char *line, struct probe_line *out) {
    double at;
    char who[8], verb[16];
    int used = 0;
    if (sscanf(line, "%lf %7s %15s %n", &at, who, verb, &used) != 3)
        return false;
    *out = (struct probe_line){.side = strcmp(who, "P0") == 0 ? 0 : strcmp(who, "P1") == 0 ? 1 : -1,
                               .at_ns = (int64_t)(at * 1e3 + 0.5) * ms_ns};
    out->kind = strcmp(verb, "->") == 0 ? '>' : strcmp(verb, "<-") == 0 ? '<' : 'c';
    const char *literal = line + used;
    literal += *literal == 'b' ? 1 : 0;
    if (out->kind != 'c' && (*literal == '\'' || *literal == '"'))
        out->size = read_literal(literal, out->bytes, sizeof out->bytes);
    return true;
}

static char *next_line(char **at) {
    char *line = *at, *end = line != NULL ? strchr(line, '\n') : NULL;
    if (line == NULL || *line == '\0')
        return NULL;
    if (end != NULL)
        *end = '\0';
    *at = end != NULL ? end + 1 : NULL;
    return line;
}

/* A whole game: both clients, what viewers saw, and the server's log. */
static void plays_the_recorded_game(void **state) {
    (void)state;
    struct text file = {0}, log = {0};
    static struct fixture f;
    if (!read_shared("transcript_full_game.txt", &file)) {
        skip();
        return;
    }
    open_fixture(&f, 600, 10);
    join(&f);
    char *at = file.data, sight[GEISTER_SIGHT_MAX];
    int frames = 0;
    for (char *line; (line = next_line(&at)) != NULL && strncmp(line, "--- server log", 14) != 0;) {
        struct probe_line p;
        const char *payload = strstr(line, "payload ");
        if (payload != NULL && strstr(payload, "null") == NULL) {
            geister_table_show(&f.table, true, sight);
            assert_memory_equal(sight, payload + 8, sizeof sight - 1);
            frames++;
        }
        if (!read_probe_line(line, &p) || p.side < 0)
            continue;
        tick(&f, p.at_ns);
        if (p.kind == '>')
            send_bytes(&f, p.side, p.bytes, p.size);
        else if (p.kind == '<')
            expect_bytes(&f, p.side, p.bytes, p.size);
    }
    assert_int_equal(frames, 24);
    expect_silence(&f, 0);
    expect_silence(&f, 1);
    assert_true(geister_table_is_over(&f.table));
    assert_int_equal(f.table.winner, 0);
    geister_log_write(&f.table, true, &log);
    assert_non_null(at);
    assert_string_equal(text_string(&log), at);
    text_done(&log);
    text_done(&file);
    close_fixture(&f);
}

/* Where we say something else than the official server, and why. */
struct difference {
    const char *probe;  /* the beginning of its name */
    const char *sent;   /* after this, */
    int side;           /* to this side */
    const char *theirs; /* in place of this (NULL: of nothing) */
    const char *ours;
    const char *instead; /* sent in place of it, so that the probe can go on; NULL: nothing */
};

#define START "14R24R34R44R15B25B35B45B41r31r21r11r40b30b20b10b"

static const struct difference differences[] = {
    /* a set-up with a letter twice: they give one red and seven blues */
    {"A.", "SET:AAAA\r\n", 1, NULL, "NG \r\n", "SET:ABCD\r\n"},
    /* a second line in the same segment: theirs waits for more bytes and is lost, ours is out of turn */
    {"A3.", "MOV:A,N\r\nMOV:A,S\r\n", 0, "OK \r\n", "OK \r\nNG \r\n", NULL},
    /* an empty line: they never listen to that connection again */
    {"C3.", "MOV:A,N\r\n", 0, "", "OK \r\n", NULL},
    {"C3.", "MOV:A,N\r\n", 1, "", "MOV?14R24R34R44R15B25B35B45B42u31u21u11u40u30u20u10u\r\n", NULL},
    /* a letter that is no piece's: they never answer that connection again */
    {"G.", "SET:ABCZ\r\n", 0, "", "NG \r\n", NULL},
    {"G.", "SET:ABCD\r\n", 0, "", "OK \r\n", NULL},
    {"G.", "SET:ABCD\r\n", 0, "", "MOV?14R24R34R44R15B25B35B45B41u31u21u11u40u30u20u10u\r\n", NULL},
    /* a move without a piece: likewise */
    {"G3.", "MOV:,N\r\n", 1, "", "NG \r\nLST:14R24R34R44R15B25B35B45B42r31r21r11r40b30b20b10b\r\n", NULL},
    {"G3.", "MOV:,N\r\n", 0, "", "WON:13R24R34R44R15B25B35B45B41r31r21r11r40b30b20b10b\r\n", NULL},
    /* a move after the limit: they take it, ask the other, and then rule against it */
    {"J3. --budget", "MOV:A,N\r\n", 1, "OK \r\n",
     "LST:14R24R34R44R15B25B35B45B42r31r21r11r40b30b20b10b\r\n", NULL},
    {"J3. --budget", "MOV:A,N\r\n", 0, "MOV?13R24R34R44R15B25B35B45B42u31u21u11u40u30u20u10u\r\n", "", NULL},
    {"J3. --budget", "MOV:A,N\r\n", 0, "WON:13R24R34R44R15B25B35B45B42r31r21r11r40b30b20b10b\r\n<EOF>",
     "WON:13R24R34R44R15B25B35B45B41r31r21r11r40b30b20b10b\r\n<EOF>", NULL},
    {"J3. --budget", "MOV:A,N\r\n", 1, "LST:13R24R34R44R15B25B35B45B42r31r21r11r40b30b20b10b\r\n<EOF>",
     "<EOF>", NULL},
};

enum { DIFFERENCES = sizeof differences / sizeof differences[0] };

struct probe {
    char name[SECTION_MAX], sent[512];
    bool used[DIFFERENCES];
};

static const struct difference *find_difference(struct probe *probe, int side, const char *theirs) {
    for (int i = 0; i < DIFFERENCES; i++) {
        const struct difference *d = &differences[i];
        const bool same = d->theirs == NULL ? theirs == NULL : theirs != NULL && strcmp(d->theirs, theirs) == 0;
        if (!probe->used[i] && d->side == side && same && strncmp(probe->name, d->probe, strlen(d->probe)) == 0 &&
            strcmp(probe->sent, d->sent) == 0) {
            probe->used[i] = true;
            return d;
        }
    }
    return NULL;
}

static void send_probe(struct fixture *f, struct probe *probe, const struct probe_line *p) {
    snprintf(probe->sent, sizeof probe->sent, "%s", p->bytes);
    send_bytes(f, p->side, p->bytes, p->size);
    const struct difference *d = find_difference(probe, p->side, NULL);
    if (d == NULL)
        return;
    expect_bytes(f, p->side, d->ours, strlen(d->ours));
    send_bytes(f, p->side, d->instead, strlen(d->instead));
}

/* The second player of the probes A … A4 had one red there and has four here. */
static void recolour(const struct probe *probe, int side, char *bytes) {
    if (probe->name[0] != 'A' || strlen(bytes) < 52)
        return;
    if (side == 1)
        for (int i = 0; i < 4; i++)
            bytes[4 + 3 * i + 2] = 'R';
}

static void hear_probe(struct fixture *f, struct probe *probe, struct probe_line *p) {
    static const char mark[] = "<EOF>";
    const struct difference *d = find_difference(probe, p->side, p->bytes);
    recolour(probe, p->side, p->bytes);
    char bytes[512];
    snprintf(bytes, sizeof bytes, "%s", d != NULL ? d->ours : p->bytes);
    char *end = strstr(bytes, mark);
    if (end != NULL) {
        *end = '\0';
        /* After a time-out the server closes, otherwise the clients do. */
        assert_true(f->table.cut || strcmp(bytes, "") == 0);
    }
    if (strlen(bytes) > 0)
        expect_bytes(f, p->side, bytes, strlen(bytes));
    else if (p->bytes[0] == '\0')
        expect_silence(f, p->side);
}

/* "after 298 plies": both have walked to and fro. */
static void walk(struct fixture *f) {
    char board[64];
    for (int ply = 0; ply < 298; ply++) {
        send_line(f, ply % 2, ply % 4 < 2 ? "MOV:A,N" : "MOV:A,S");
        expect(f, ply % 2, "OK ");
        memcpy(board, f->heard[(ply + 1) % 2], 54);
        assert_memory_equal(board, "MOV?", 4);
        if (ply < 297)
            expect_bytes(f, (ply + 1) % 2, board, 54);
    }
    expect(f, 0, "MOV?13R24R34R44R15B25B35B45B42u31u21u11u40u30u20u10u");
}

static void set_terms(struct fixture *f, const char *name) {
    const char *budget = strstr(name, "--budget="), *grace = strstr(name, "--timeout=");
    /* The probes J2, J3 and J4 were made with what J says. */
    const bool same = name[0] == 'J' && budget == NULL;
    f->terms.budget_ns = (budget != NULL ? atoi(budget + 9) : same ? 0 : 600) * second_ns;
    f->terms.grace_ns = (grace != NULL ? atoi(grace + 10) : same ? 2 : 10) * second_ns;
    f->terms.go_on = strstr(name, "--no_ng_terminate") != NULL;
    f->terms.whole_seconds = true;
}

/* A new connection begins a new table: those probes that go on have none. */
static void replay_probes(const char *name, int probes_wanted) {
    struct text file = {0};
    static struct fixture f;
    struct probe probe = {0};
    int probes = 0;
    if (!read_shared(name, &file)) {
        skip();
        return;
    }
    open_fixture(&f, 600, 10);
    char *at = file.data;
    for (char *line; at != NULL && (line = next_line(&at)) != NULL;) {
        struct probe_line p;
        if (strncmp(line, "### ", 4) == 0) {
            snprintf(probe.name, sizeof probe.name, "%s", line + 4);
            probes++;
        } else if (strstr(line, "after 298 plies") != NULL) {
            walk(&f);
        } else if (read_probe_line(line, &p) && p.side >= 0) {
            if (p.kind == '<' && strcmp(p.bytes, "SET?\r\n") == 0 && p.side == 0) {
                expect_silence(&f, 0);
                expect_silence(&f, 1);
                set_terms(&f, probe.name);
                again(&f);
                f.now = p.at_ns;
                join(&f);
            }
            tick(&f, p.at_ns);
            if (p.kind == '>')
                send_probe(&f, &probe, &p);
            else if (p.kind == '<')
                hear_probe(&f, &probe, &p);
            else if (!geister_table_is_over(&f.table)) {
                geister_table_leave(&f.table, p.side, f.now);
                collect(&f);
                /* Only one probe listens to what the other is told. */
                if (strncmp(probe.name, "A4.", 3) != 0)
                    f.size[p.side ^ 1] = 0;
            }
        }
    }
    assert_int_equal(probes, probes_wanted);
    for (int i = 0; i < DIFFERENCES; i++)
        if ((strncmp(differences[i].probe, "J3. --b", 7) == 0) == (probes_wanted == 3))
            if (!probe.used[i])
                fail_msg("the difference %d in probe %s was not met", i, differences[i].probe);
    text_done(&file);
    close_fixture(&f);
}

static void answers_the_first_probes(void **state) {
    (void)state;
    replay_probes("server_probes_1.txt", 29);
}

static void answers_the_second_probes(void **state) {
    (void)state;
    replay_probes("server_probes_2.txt", 3);
}

/* ---- requests ---- */

struct request_case {
    const char *line;
    enum geister_command command;
    int value; /* reds, or piece * 4 + direction */
};

static void reads_requests(void **state) {
    (void)state;
    static const struct request_case cases[] = {
        {"SET:ABCD", GEISTER_COMMAND_SET, 0x0F},      {"SET:hgfe", GEISTER_COMMAND_SET, 0xF0},
        {"SET:ABC", GEISTER_COMMAND_BAD, 0},          {"SET:ABCDE", GEISTER_COMMAND_BAD, 0},
        {"SET:AABC", GEISTER_COMMAND_BAD, 0},         {"SET:ABCI", GEISTER_COMMAND_BAD, 0},
        {"SET:AB D", GEISTER_COMMAND_BAD, 0},         {"set:ABCD", GEISTER_COMMAND_BAD, 0},
        {"SET?ABCD", GEISTER_COMMAND_BAD, 0},         {"", GEISTER_COMMAND_BAD, 0},
        {"MOV:A,N", GEISTER_COMMAND_MOVE, 0},         {"MOV:h,south", GEISTER_COMMAND_MOVE, 31},
        {"MOV:B_1,WeSt", GEISTER_COMMAND_MOVE, 6},    {"MOV:A,E ", GEISTER_COMMAND_BAD, 0},
        {"MOV:A,", GEISTER_COMMAND_BAD, 0},           {"MOV:,N", GEISTER_COMMAND_BAD, 0},
        {"MOV:A N", GEISTER_COMMAND_BAD, 0},          {"MOV:A,NO", GEISTER_COMMAND_BAD, 0},
        {"MOV:A,N,N", GEISTER_COMMAND_BAD, 0},        {"MOV:I,N", GEISTER_COMMAND_BAD, 0},
        {"MOV:A\xC3\xA9,N", GEISTER_COMMAND_BAD, 0},  {"MOV:A", GEISTER_COMMAND_BAD, 0},
        {" MOV:A,N", GEISTER_COMMAND_BAD, 0},         {"MOV:A,NORTHWEST", GEISTER_COMMAND_BAD, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct geister_request r;
        geister_read_request(cases[i].line, strlen(cases[i].line), &r);
        assert_int_equal(r.command, cases[i].command);
        if (r.command == GEISTER_COMMAND_SET)
            assert_int_equal(r.reds, cases[i].value);
        if (r.command == GEISTER_COMMAND_MOVE)
            assert_int_equal(r.piece * 4 + (int)r.direction, cases[i].value);
    }
}

static void reads_replies(void **state) {
    (void)state;
    const char *board;
    assert_int_equal(geister_read_reply("SET?", &board), GEISTER_REPLY_SET);
    assert_int_equal(geister_read_reply("OK ", &board), GEISTER_REPLY_OK);
    assert_int_equal(geister_read_reply("OKR", &board), GEISTER_REPLY_OK_RED);
    assert_int_equal(geister_read_reply("OKB", &board), GEISTER_REPLY_OK_BLUE);
    assert_int_equal(geister_read_reply("NG ", &board), GEISTER_REPLY_NG);
    assert_null(board);
    assert_int_equal(geister_read_reply("LST:" START, &board), GEISTER_REPLY_LOST);
    assert_string_equal(board, START);
    assert_int_equal(geister_read_reply("MOV?" START, &board), GEISTER_REPLY_MOVE);
    static const char *const wrong[] = {"", "OK", "OKX", "NG", "SET? ", "MOV?", "WON:1", "DRW:" START "x"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_int_equal(geister_read_reply(wrong[i], &board), GEISTER_REPLY_BAD);
}

/* ---- clocks ---- */

/* Milliseconds are charged exactly, then the grace is all there is; loss comes at the limit, not before. */
static void charges_milliseconds(void **state) {
    (void)state;
    static struct fixture f;
    open_fixture(&f, 3, 1);
    begin(&f);
    tick(&f, 2500 * ms_ns);
    send_line(&f, 0, "MOV:A,N");
    expect(&f, 0, "OK ");
    assert_int_equal(f.table.left_ns[0], 500 * ms_ns);
    assert_int_equal(f.table.left_ns[1], 3 * second_ns);
    send_line(&f, 1, "MOV:A,N");
    f.now += 1499 * ms_ns; /* 500 of the budget and less than the grace */
    send_line(&f, 0, "MOV:A,N");
    assert_int_equal(f.table.left_ns[0], 0);
    send_line(&f, 1, "MOV:A,S");
    assert_int_equal(geister_table_due(&f.table), f.now + second_ns);
    tick(&f, f.now + second_ns - 1);
    assert_false(geister_table_is_over(&f.table));
    tick(&f, f.now + 1);
    assert_true(geister_table_is_over(&f.table));
    assert_true(f.table.cut);
    assert_int_equal(f.table.winner, 1);
    assert_int_equal(f.table.culprit, 0);
    assert_int_equal(f.table.fault, PLAYER_FAULT_HANG);
    assert_int_equal(geister_table_due(&f.table), INT64_MAX);
    close_fixture(&f);
}

static void charges_whole_seconds(void **state) {
    (void)state;
    static struct fixture f;
    open_fixture(&f, 3, 1);
    f.terms.whole_seconds = true;
    begin(&f);
    for (int i = 0; i < 8; i++) {
        f.now += 999 * ms_ns;
        send_line(&f, i % 2, i % 4 < 2 ? "MOV:A,N" : "MOV:A,S");
    }
    assert_int_equal(f.table.left_ns[0], 3 * second_ns);
    f.now += 1001 * ms_ns;
    send_line(&f, 0, "MOV:A,N");
    assert_int_equal(f.table.left_ns[0], 2 * second_ns);
    close_fixture(&f);
}

/* A line that comes at the limit is late, even when nobody ticked; the clock goes on after an NG. */
static void loses_at_the_limit(void **state) {
    (void)state;
    static struct fixture f;
    open_fixture(&f, 0, 2);
    f.terms.go_on = true;
    begin(&f);
    f.now = 2 * second_ns - 1;
    send_line(&f, 0, "MOV:E,N");
    expect(&f, 0, "NG ");
    f.now++;
    send_line(&f, 0, "MOV:A,N");
    expect(&f, 0, "LST:" START);
    expect(&f, 1, "WON:" START);
    close_fixture(&f);
}

static void limits_the_setup(void **state) {
    (void)state;
    static struct fixture f;
    char result[64];
    open_fixture(&f, 600, 10);
    f.terms.setup_ns = 60 * second_ns;
    geister_table_join(&f.table, 0, 0);
    collect(&f);
    assert_int_equal(geister_table_due(&f.table), INT64_MAX); /* alone it may take for ever */
    send_line(&f, 0, "SET:ABCD");
    f.now = 1000 * second_ns;
    geister_table_join(&f.table, 1, f.now);
    collect(&f);
    assert_int_equal(geister_table_due(&f.table), f.now + 60 * second_ns);
    tick(&f, f.now + 60 * second_ns);
    expect(&f, 0, "SET?");
    expect(&f, 0, "OK ");
    expect(&f, 0, "WON:14R24R34R44R15B25B35B45B41b31b21b11b40b30b20b10b");
    geister_table_result(&f.table, result, sizeof result);
    assert_string_equal(result, "first hang");
    again(&f);
    f.now = 0;
    join(&f);
    tick(&f, 60 * second_ns);
    expect(&f, 0, "SET?");
    expect_bytes(&f, 0, "DRW:", 4);
    assert_int_equal(f.table.winner, 2);
    assert_int_equal(f.table.culprit, NOBODY);
    close_fixture(&f);
}

/* --wait: the other is prompted later, and only then its clock runs; before that its lines are out of turn. */
static void waits_before_a_prompt(void **state) {
    (void)state;
    static struct fixture f;
    open_fixture(&f, 600, 10);
    f.terms.wait_ns = 600 * ms_ns;
    begin(&f);
    send_line(&f, 0, "MOV:A,N");
    expect(&f, 0, "OK ");
    expect_silence(&f, 1);
    assert_int_equal(geister_table_asked(&f.table), NOBODY);
    tick(&f, 599 * ms_ns);
    send_line(&f, 1, "MOV:A,N");
    expect(&f, 1, "NG ");
    tick(&f, 600 * ms_ns);
    expect(&f, 1, "MOV?14R24R34R44R15B25B35B45B42u31u21u11u40u30u20u10u");
    assert_int_equal(geister_table_asked(&f.table), 1);
    tick(&f, 700 * ms_ns);
    send_line(&f, 1, "MOV:A,N");
    assert_int_equal(f.table.used_ns[1], 100 * ms_ns);
    close_fixture(&f);
}

/* ---- those who misbehave ---- */

static void cuts_off_floods(void **state) {
    (void)state;
    static struct fixture f;
    open_fixture(&f, 600, 10);
    begin(&f);
    for (int i = 0; i < GEISTER_REJECTED_MAX; i++) {
        send_line(&f, 1, i % 2 == 0 ? "x" : "");
        assert_false(geister_table_is_over(&f.table));
    }
    f.size[1] = 0;
    send_line(&f, 1, "x");
    expect(&f, 1, "LST:" START);
    expect(&f, 0, "WON:" START);
    assert_true(f.table.cut);
    assert_int_equal(f.table.fault, PLAYER_FAULT_PROTOCOL);
    close_fixture(&f);
}

static void judges_long_lines(void **state) {
    (void)state;
    static struct fixture f;
    char line[GEISTER_LINE_MAX + 1];
    open_fixture(&f, 600, 10);
    begin(&f);
    /* The longest line that is looked at, its end included, and one more. */
    memset(line, 'A', sizeof line);
    memcpy(line, "MOV:", 4);
    memcpy(line + GEISTER_LINE_MAX - 4, ",N\r\n", 4);
    send_bytes(&f, 0, line, GEISTER_LINE_MAX);
    expect(&f, 0, "OK ");
    f.size[1] = 0;
    memset(line + GEISTER_LINE_MAX - 4, 'A', 4);
    memcpy(line + GEISTER_LINE_MAX - 3, ",N\r\n", 4);
    send_bytes(&f, 1, line, GEISTER_LINE_MAX + 1);
    expect(&f, 1, "NG ");
    assert_int_equal(f.table.culprit, 1);
    /* One without an end. */
    again(&f);
    begin(&f);
    memset(line, 'A', sizeof line);
    for (size_t sent = 0; sent <= GEISTER_SKIPPED_MAX && !geister_table_is_over(&f.table); sent += 256)
        send_bytes(&f, 1, line, 256);
    assert_true(f.table.cut);
    assert_int_equal(f.table.culprit, 1);
    assert_int_equal(f.table.fault, PLAYER_FAULT_GARBAGE);
    close_fixture(&f);
}

/* Every byte alone, and all at once: the same. */
static void does_not_care_about_segments(void **state) {
    (void)state;
    static struct fixture f, g;
    static const char all[] = "SET:ABCD\r\nMOV:A,N\r\n\r\nMOV:A,N\r\nMOV:B\nMOV\r:\r\r\n";
    open_fixture(&f, 600, 10);
    open_fixture(&g, 600, 10);
    join(&f);
    join(&g);
    send_line(&f, 1, "SET:EFGH");
    send_line(&g, 1, "SET:EFGH");
    send_bytes(&f, 0, all, sizeof all - 1);
    for (size_t i = 0; i + 1 < sizeof all; i++)
        send_bytes(&g, 0, all + i, 1);
    for (int side = 0; side < 2; side++)
        assert_string_equal(f.heard[side], g.heard[side]);
    expect(&f, 0, "SET?");
    expect(&f, 0, "OK ");
    expect_bytes(&f, 0, "MOV?", 4);
    expect_bytes(&f, 0, "14R24R34R44R15B25B35B45B41u31u21u11u40u30u20u10u\r\n", 50);
    expect(&f, 0, "OK ");
    expect(&f, 0, "NG ");
    expect(&f, 0, "NG ");
    expect_silence(&f, 0);
    close_fixture(&f);
    close_fixture(&g);
}

/* ---- what is seen and kept ---- */

static void shows_viewers_only_what_is_public(void **state) {
    (void)state;
    static struct fixture f;
    char sight[GEISTER_SIGHT_MAX];
    open_fixture(&f, 600, 10);
    join(&f);
    send_line(&f, 1, "SET:ABCD");
    geister_table_show(&f.table, true, sight);
    assert_string_equal(sight, "MOV:14R24R34R44R15B25B35B45B41u31u21u11u40u30u20u10u");
    geister_table_show(&f.table, false, sight);
    assert_string_equal(sight, "MOV:14u24u34u44u15u25u35u45u41u31u21u11u40u30u20u10u");
    send_line(&f, 0, "SET:EFGH");
    geister_table_show(&f.table, true, sight);
    assert_string_equal(sight, "MV0:14R24R34R44R15B25B35B45B41b31b21b11b40r30r20r10r");
    geister_table_show(&f.table, false, sight);
    assert_string_equal(sight, "MV0:14u24u34u44u15u25u35u45u41u31u21u11u40u30u20u10u");
    send_line(&f, 0, "MOV:D,N");
    send_line(&f, 1, "MOV:A,N");
    send_line(&f, 0, "MOV:D,N"); /* takes a red */
    geister_table_show(&f.table, false, sight);
    assert_string_equal(sight, "MV1:99r24u34u44u15u25u35u45u41u31u21u13u40u30u20u10u");
    geister_table_leave(&f.table, 0, f.now);
    geister_table_show(&f.table, false, sight);
    assert_string_equal(sight, "WI1:99r24R34R44R15B25B35B45B41b31b21b13b40r30r20r10r");
    close_fixture(&f);
}

static void keeps_logs_and_records(void **state) {
    (void)state;
    static struct fixture f;
    struct text log = {0}, json = {0};
    struct record record, again_read;
    struct err e = {0};
    const char *const players[2] = {"here", "there"};
    open_fixture(&f, 600, 10);
    begin(&f);
    tick(&f, 7 * ms_ns);
    send_line(&f, 0, "MOV:A,N");
    send_line(&f, 0, "what\n\x01?");
    send_line(&f, 1, "MOV:E,N");
    geister_log_write(&f.table, false, &log);
    assert_string_equal(text_string(&log), "player=0,SET:ABCD\nplayer=1,SET:ABCD\nplayer=0,MOV:A,N\n"
                                           "player=0,what???\nplayer=1,MOV:E,N\n"
                                           "fault=1,illegal: an illegal move\nwinner=0\n");
    text_clear(&log);
    geister_log_write(&f.table, true, &log);
    assert_null(strstr(text_string(&log), "winner"));
    record_init(&record);
    assert_true(geister_log_record(&f.table, players, &record, &e));
    assert_string_equal(record.result, "first illegal");
    assert_string_equal(record.comment, "second forfeits: an illegal move");
    assert_int_equal(record.count, 3);
    assert_true(record_write_json(&record, &json, &e));
    record_init(&again_read);
    if (!record_read_json("record", text_string(&json), json.size, &again_read, &e))
        fail_msg("%s", e.text);
    assert_int_equal(again_read.count, 3);
    assert_int_equal((int)again_read.actions[2].milliseconds, 7);
    record_done(&again_read);
    record_done(&record);
    text_done(&json);
    text_done(&log);
    close_fixture(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plays_the_recorded_game),
        cmocka_unit_test(answers_the_first_probes),
        cmocka_unit_test(answers_the_second_probes),
        cmocka_unit_test(reads_requests),
        cmocka_unit_test(reads_replies),
        cmocka_unit_test(charges_milliseconds),
        cmocka_unit_test(charges_whole_seconds),
        cmocka_unit_test(loses_at_the_limit),
        cmocka_unit_test(limits_the_setup),
        cmocka_unit_test(waits_before_a_prompt),
        cmocka_unit_test(cuts_off_floods),
        cmocka_unit_test(judges_long_lines),
        cmocka_unit_test(does_not_care_about_segments),
        cmocka_unit_test(shows_viewers_only_what_is_public),
        cmocka_unit_test(keeps_logs_and_records),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
