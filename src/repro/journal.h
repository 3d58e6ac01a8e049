/* SPDX-License-Identifier: MIT
 *
 * The finished repetitions of a run, a line each, appended and flushed as they finish. An interrupted run
 * reads the journal and does only the rest. The first line identifies the run; a journal of another run is
 * refused.
 */
#ifndef REPRO_JOURNAL_H
#define REPRO_JOURNAL_H

#include "repro/repro.h"

/* What must be the same for a run to go on. */
struct journal_head {
    const char *experiment, *program;
    int version, repetitions;
    uint64_t seed;
    uint64_t setup; /* digest of players, maps and rules */
};

struct journal {
    int file; /* descriptor, or -1 while closed */
    char path[4096];
};

/* Opens (or begins) the journal. Results that are in it are handed to `take` (index < count); a torn last
 * line is cut off. With `fresh` a journal that is there is renamed to PATH.old first. */
struct journal_reader {
    int count; /* units of the plan */
    bool (*take)(void *context, int index,
                 const struct repro_repetition *repetition); /* false: it has come before */
    void *context;
};

bool journal_open(struct journal *journal, const struct journal_head *head, bool fresh,
                  const struct journal_reader *reader, struct err *e);

/* The path is set before. */
bool journal_set_path(struct journal *journal, const char *folder, const char *name, struct err *e);

bool journal_add(struct journal *journal, int index, const struct repro_repetition *repetition,
                 struct err *e);
void journal_close(struct journal *journal);

/* One line with its line end; and back (false when it is not whole). Exact: doubles return as they were. */
void journal_write_line(int index, const struct repro_repetition *repetition, struct text *out);
bool journal_read_line(const char *line, size_t size, int *index, struct repro_repetition *out);

#endif
