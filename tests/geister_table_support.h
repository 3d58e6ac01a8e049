/* SPDX-License-Identifier: MIT
 *
 * A session of the Geister server for tests: both sides' line_buffers, and a clock that the test advances.
 */
#ifndef TESTS_GEISTER_TABLE_SUPPORT_H
#define TESTS_GEISTER_TABLE_SUPPORT_H

#include "net/geister_session.h"

static const int64_t second_ns = 1000000000, ms_ns = 1000000;

enum { RECEIVED_MAX = 64 << 10 };

/* A session with both sides connected, and its output that no test has checked yet. */
struct fixture {
    struct scenario *scenario;
    struct geister_terms terms;
    struct geister_session table;
    char received_text[2][RECEIVED_MAX];
    size_t size[2];
    int64_t now;
};

void fixture_open(struct fixture *f, int64_t budget_s, int64_t grace_s);
void table_close(struct fixture *f);

/* Collects the output of the session: after every call to it. */
void table_collect(struct fixture *f);

/* A new game on the same terms. */
void table_again(struct fixture *f);
void table_join(struct fixture *f);

/* Both have chosen ABCD, and the first player is prompted. */
void table_begin(struct fixture *f);

void table_send_bytes(struct fixture *f, int side, const char *bytes, size_t size);
void table_send_line(struct fixture *f, int side, const char *line);
void table_tick(struct fixture *f, int64_t now);

/* The next output for this side. */
void table_expect_bytes(struct fixture *f, int side, const char *bytes, size_t size);
void table_expect(struct fixture *f, int side, const char *line);
void table_expect_silence(struct fixture *f, int side);

#endif
