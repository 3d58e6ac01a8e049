/* SPDX-License-Identifier: MIT */
#include "geister_table_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

void table_collect(struct fixture *f) {
    for (int side = 0; side < 2; side++) {
        struct text *said = &f->table.out[side];
        assert_true(f->size[side] + said->size < RECEIVED_MAX);
        memcpy(f->received_text[side] + f->size[side], text_string(said), said->size);
        f->size[side] += said->size;
        f->received_text[side][f->size[side]] = '\0';
        text_clear(said);
    }
}

void fixture_open(struct fixture *f, int64_t budget_s, int64_t grace_s) {
    struct err e;
    memset(f, 0, sizeof *f);
    f->scenario = game_load_spec("geister", &e);
    assert_non_null(f->scenario);
    f->terms = (struct geister_terms){
        .scenario = f->scenario, .budget_ns = budget_s * second_ns, .grace_ns = grace_s * second_ns};
    geister_session_start(&f->table, &f->terms);
}

void table_close(struct fixture *f) {
    geister_session_done(&f->table);
    game_unload(f->scenario);
}

void table_again(struct fixture *f) {
    geister_session_done(&f->table);
    geister_session_start(&f->table, &f->terms);
    f->size[0] = f->size[1] = 0;
}

void table_join(struct fixture *f) {
    for (int side = 0; side < 2; side++)
        geister_session_join(&f->table, side, f->now);
    table_collect(f);
}

void table_send_bytes(struct fixture *f, int side, const char *bytes, size_t size) {
    while (size > 0) {
        const size_t taken = geister_session_receive(&f->table, side, bytes, size, f->now);
        assert_true(taken > 0 && taken <= size);
        bytes += taken;
        size -= taken;
        table_collect(f);
    }
}

void table_send_line(struct fixture *f, int side, const char *line) {
    table_send_bytes(f, side, line, strlen(line));
    table_send_bytes(f, side, "\r\n", 2);
}

void table_tick(struct fixture *f, int64_t now) {
    f->now = now;
    geister_session_tick(&f->table, now);
    table_collect(f);
}

/* The next output for this side; the first `size` bytes of it. */
void table_expect_bytes(struct fixture *f, int side, const char *bytes, size_t size) {
    if (f->size[side] < size || memcmp(f->received_text[side], bytes, size) != 0)
        fail_msg("side %d: expected '%.*s', received '%s'", side, (int)size, bytes, f->received_text[side]);
    f->size[side] -= size;
    memmove(f->received_text[side], f->received_text[side] + size, f->size[side] + 1);
}

void table_expect(struct fixture *f, int side, const char *line) {
    table_expect_bytes(f, side, line, strlen(line));
    table_expect_bytes(f, side, "\r\n", 2);
}

void table_expect_silence(struct fixture *f, int side) {
    if (f->size[side] > 0)
        fail_msg("side %d: expected nothing, received '%s'", side, f->received_text[side]);
}

/* Both have chosen ABCD, and the first player is prompted. */
void table_begin(struct fixture *f) {
    table_join(f);
    table_send_line(f, 0, "SET:ABCD");
    table_send_line(f, 1, "SET:ABCD");
    for (int side = 0; side < 2; side++) {
        table_expect(f, side, "SET?");
        table_expect(f, side, "OK ");
    }
    table_expect(f, 0, "MOV?14R24R34R44R15B25B35B45B41u31u21u11u40u30u20u10u");
}
