/* SPDX-License-Identifier: MIT
 *
 * The state machine of the Geister server compared with recordings of the official server, byte for byte.
 * Where the two differ, `differences` below holds the probe's name and our output.
 */
#include "geister_table_support.h"

#include "base/file.h"
#include "net/geister_session.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SECTION_MAX = 128 };

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
    char kind; /* '>' sent, '<' received, 'c' closed */
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
    *out = (struct probe_line){.side = strcmp(who, "P0") == 0   ? 0
                                       : strcmp(who, "P1") == 0 ? 1
                                                                : -1,
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
    fixture_open(&f, 600, 10);
    table_join(&f);
    char *at = file.data, view[GEISTER_SPECTATOR_VIEW_MAX];
    int frames = 0;
    for (char *line; (line = next_line(&at)) != NULL && strncmp(line, "--- server log", 14) != 0;) {
        struct probe_line p;
        const char *payload = strstr(line, "payload ");
        if (payload != NULL && strstr(payload, "null") == NULL) {
            geister_session_spectator_view(&f.table, true, view);
            assert_memory_equal(view, payload + 8, sizeof view - 1);
            frames++;
        }
        if (!read_probe_line(line, &p) || p.side < 0)
            continue;
        table_tick(&f, p.at_ns);
        if (p.kind == '>')
            table_send_bytes(&f, p.side, p.bytes, p.size);
        else if (p.kind == '<')
            table_expect_bytes(&f, p.side, p.bytes, p.size);
    }
    assert_int_equal(frames, 24);
    table_expect_silence(&f, 0);
    table_expect_silence(&f, 1);
    assert_true(geister_session_is_over(&f.table));
    assert_int_equal(f.table.winner, 0);
    geister_session_write_log(&f.table, true, &log);
    assert_non_null(at);
    assert_string_equal(text_string(&log), at);
    text_done(&log);
    text_done(&file);
    table_close(&f);
}

/* Where our output differs from that of the official server, and the reason. */
struct difference {
    const char *probe;  /* the beginning of its name */
    const char *sent;   /* after this, */
    int side;           /* to this side */
    const char *theirs; /* in place of this (NULL: of nothing) */
    const char *ours;
    const char *instead; /* sent in place of it, so that the probe can go on; NULL: nothing */
};

static const struct difference differences[] = {
    /* a set-up with a letter twice: they give one red and seven blues */
    {"A.", "SET:AAAA\r\n", 1, NULL, "NG \r\n", "SET:ABCD\r\n"},
    /* a second line in the same segment: theirs waits for more bytes and is lost, ours is out of turn */
    {"A3.", "MOV:A,N\r\nMOV:A,S\r\n", 0, "OK \r\n", "OK \r\nNG \r\n", NULL},
    /* an empty line: their server ignores that connection from then on */
    {"C3.", "MOV:A,N\r\n", 0, "", "OK \r\n", NULL},
    {"C3.", "MOV:A,N\r\n", 1, "", "MOV?14R24R34R44R15B25B35B45B42u31u21u11u40u30u20u10u\r\n", NULL},
    /* a letter that is no piece's: they never answer that connection again */
    {"G.", "SET:ABCZ\r\n", 0, "", "NG \r\n", NULL},
    {"G.", "SET:ABCD\r\n", 0, "", "OK \r\n", NULL},
    {"G.", "SET:ABCD\r\n", 0, "", "MOV?14R24R34R44R15B25B35B45B41u31u21u11u40u30u20u10u\r\n", NULL},
    /* a move without a piece: likewise */
    {"G3.", "MOV:,N\r\n", 1, "", "NG \r\nLST:14R24R34R44R15B25B35B45B42r31r21r11r40b30b20b10b\r\n", NULL},
    {"G3.", "MOV:,N\r\n", 0, "", "WON:13R24R34R44R15B25B35B45B41r31r21r11r40b30b20b10b\r\n", NULL},
    /* a move after the limit: their server accepts it, prompts the other side, and then rules against the
     * first */
    {"J3. --budget", "MOV:A,N\r\n", 1, "OK \r\n", "LST:14R24R34R44R15B25B35B45B42r31r21r11r40b30b20b10b\r\n",
     NULL},
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
        const bool same =
            d->theirs == NULL ? theirs == NULL : theirs != NULL && strcmp(d->theirs, theirs) == 0;
        if (!probe->used[i] && d->side == side && same &&
            strncmp(probe->name, d->probe, strlen(d->probe)) == 0 && strcmp(probe->sent, d->sent) == 0) {
            probe->used[i] = true;
            return d;
        }
    }
    return NULL;
}

static void send_probe(struct fixture *f, struct probe *probe, const struct probe_line *p) {
    snprintf(probe->sent, sizeof probe->sent, "%s", p->bytes);
    table_send_bytes(f, p->side, p->bytes, p->size);
    const struct difference *d = find_difference(probe, p->side, NULL);
    if (d == NULL)
        return;
    table_expect_bytes(f, p->side, d->ours, strlen(d->ours));
    table_send_bytes(f, p->side, d->instead, strlen(d->instead));
}

/* The second player of the probes A … A4 had one red there and has four here. */
static void recolour(const struct probe *probe, int side, char *bytes) {
    if (probe->name[0] != 'A' || strlen(bytes) < 52)
        return;
    if (side == 1)
        for (int i = 0; i < 4; i++)
            bytes[4 + 3 * i + 2] = 'R';
}

static void receive_probe(struct fixture *f, struct probe *probe, struct probe_line *p) {
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
        table_expect_bytes(f, p->side, bytes, strlen(bytes));
    else if (p->bytes[0] == '\0')
        table_expect_silence(f, p->side);
}

/* "after 298 plies": both have walked to and fro. */
static void walk(struct fixture *f) {
    char board[64];
    for (int ply = 0; ply < 298; ply++) {
        table_send_line(f, ply % 2, ply % 4 < 2 ? "MOV:A,N" : "MOV:A,S");
        table_expect(f, ply % 2, "OK ");
        memcpy(board, f->received_text[(ply + 1) % 2], 54);
        assert_memory_equal(board, "MOV?", 4);
        if (ply < 297)
            table_expect_bytes(f, (ply + 1) % 2, board, 54);
    }
    table_expect(f, 0, "MOV?13R24R34R44R15B25B35B45B42u31u21u11u40u30u20u10u");
}

static void set_terms(struct fixture *f, const char *name) {
    const char *budget = strstr(name, "--budget="), *grace = strstr(name, "--timeout=");
    /* The probes J2, J3 and J4 were recorded with the settings of J. */
    const bool same = name[0] == 'J' && budget == NULL;
    f->terms.budget_ns = (budget != NULL ? atoi(budget + 9) : same ? 0 : 600) * second_ns;
    f->terms.grace_ns = (grace != NULL ? atoi(grace + 10) : same ? 2 : 10) * second_ns;
    f->terms.go_on = strstr(name, "--no_ng_terminate") != NULL;
    f->terms.whole_seconds = true;
}

/* A new connection begins a new session: probes that continue a session have none. */
static void replay_probes(const char *name, int probes_wanted) {
    struct text file = {0};
    static struct fixture f;
    struct probe probe = {0};
    int probes = 0;
    if (!read_shared(name, &file)) {
        skip();
        return;
    }
    fixture_open(&f, 600, 10);
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
                table_expect_silence(&f, 0);
                table_expect_silence(&f, 1);
                set_terms(&f, probe.name);
                table_again(&f);
                f.now = p.at_ns;
                table_join(&f);
            }
            table_tick(&f, p.at_ns);
            if (p.kind == '>')
                send_probe(&f, &probe, &p);
            else if (p.kind == '<')
                receive_probe(&f, &probe, &p);
            else if (!geister_session_is_over(&f.table)) {
                geister_session_leave(&f.table, p.side, f.now);
                table_collect(&f);
                /* Only one probe reads the lines sent to the other side. */
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
    table_close(&f);
}

static void answers_the_first_probes(void **state) {
    (void)state;
    replay_probes("server_probes_1.txt", 29);
}

static void answers_the_second_probes(void **state) {
    (void)state;
    replay_probes("server_probes_2.txt", 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plays_the_recorded_game),
        cmocka_unit_test(answers_the_first_probes),
        cmocka_unit_test(answers_the_second_probes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
