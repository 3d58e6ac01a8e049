/* SPDX-License-Identifier: MIT
 *
 * Text, a line each, so that people can read a journal and a torn line is recognised. Lines are written with
 * one call and not synced: losing the last repetitions of a crashed machine costs their time, nothing else.
 */
#include "repro/experiments.h"

#include "base/file.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { JOURNAL_SIZE_MAX = 1 << 30, LINE_MAX_SIZE = 2048, HEAD_MAX_SIZE = 512 };

/* ---- lines: "INDEX MS VALUE … CHECK NOTE" ---- */

/* Against torn and damaged lines, not against forgery. */
static unsigned check_of(const char *bytes, size_t size) {
    const uint64_t hash = hash_bytes(HASH_START, bytes, size);
    return (unsigned)(hash ^ hash >> 32);
}

/* 17 digits return every double exactly. The note stands last, since it may contain blanks; line ends in it
 * become blanks. */
void journal_write_line(int index, const struct repro_repetition *repetition, struct text *out) {
    const size_t start = out->size;
    text_add(out, "%d %.17g", index, repetition->ms);
    for (int i = 0; i < REPRO_VALUES_MAX; i++)
        text_add(out, " %.17g", repetition->values[i]);
    const unsigned numbers = check_of(out->data + start, out->size - start);
    char note[REPRO_NOTE_MAX];
    snprintf(note, sizeof note, "%s", repetition->note);
    for (char *c = note; *c != '\0'; c++)
        if (*c == '\n' || *c == '\r')
            *c = ' ';
    text_add(out, " %08x %s\n", numbers ^ check_of(note, strlen(note)) * 31U, note);
}

/* Works on a copy with a NUL at its end, for strtod. The digest comes after all numbers, so a line that was
 * cut anywhere fails. */
bool journal_read_line(const char *line, size_t size, int *index, struct repro_repetition *out) {
    char copy[LINE_MAX_SIZE];
    if (size == 0 || size >= sizeof copy || line[size - 1] != '\n' || memchr(line, '\0', size) != NULL)
        return false;
    memcpy(copy, line, size - 1);
    copy[size - 1] = '\0';
    memset(out, 0, sizeof *out);
    char *at = copy, *next;
    const long number = strtol(at, &next, 10);
    bool ok = next != at && number >= 0 && number <= INT32_MAX;
    for (int i = -1; ok && i < REPRO_VALUES_MAX; i++) { /* the time, then the values */
        at = next;
        *(i < 0 ? &out->ms : &out->values[i]) = strtod(at, &next);
        ok = next != at;
    }
    at = next;
    if (!ok || strlen(at) < 10 || at[0] != ' ' || at[9] != ' ')
        return false;
    const char *note = at + 10;
    const unsigned long check = strtoul(at + 1, &next, 16);
    if (next != at + 9 || strlen(note) >= sizeof out->note ||
        check != (check_of(copy, (size_t)(at - copy)) ^ check_of(note, strlen(note)) * 31U))
        return false;
    memcpy(out->note, note, strlen(note) + 1);
    *index = (int)number;
    return true;
}

/* ---- the first line: words "NAME=VALUE", so that a refusal names what differs ---- */

/* The sentence for a journal that belongs to another run, about the first of its words that differs. */
static bool refuse(const char *path, const char *found, const char *wanted, struct err *e) {
    size_t theirs = strcspn(found, " \n"), ours = strcspn(wanted, " \n");
    while (theirs == ours && memcmp(found, wanted, ours) == 0 && found[theirs] == ' ' &&
           wanted[ours] == ' ') {
        found += theirs + 1;
        wanted += ours + 1;
        theirs = strcspn(found, " \n");
        ours = strcspn(wanted, " \n");
    }
    const size_t name = strcspn(wanted, "=");
    const bool same = theirs == ours && memcmp(found, wanted, ours) == 0; /* but one of them goes on */
    if (same || name >= ours || strncmp(found, wanted, name + 1) != 0)
        return err_set(e, "%s: is no journal of an experiment", path);
    if (strncmp(wanted, "setup=", name + 1) == 0)
        return err_set(
            e,
            "%s: was made with other players, maps or rules; use another folder, or --fresh to start again",
            path);
    return err_set(e,
                   "%s: was made with %.*s %.*s, not %.*s; use the same to go on, or --fresh to start again",
                   path, (int)name, wanted, (int)(theirs - name) - 1, found + name + 1,
                   (int)(ours - name) - 1, wanted + name + 1);
}

/* ---- the file ---- */

/* Leaves room for ".old". */
bool journal_set_path(struct journal *journal, const char *folder, const char *name, struct err *e) {
    journal->file = -1;
    const int n = snprintf(journal->path, sizeof journal->path, "%s/%s.journal", folder, name);
    return (size_t)n < sizeof journal->path - sizeof ".old" ||
           err_set(e, "%.200s: the name is too long", folder);
}

/* A signal may interrupt a write; a full disk shows as an error, or a short write and then an error. */
static bool write_all(struct journal *journal, const char *bytes, size_t size, struct err *e) {
    for (size_t done = 0; done < size;) {
        const ssize_t n = write(journal->file, bytes + done, size - done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return err_code(e, "refused.file", "%s: cannot be written: %s", journal->path, strerror(errno));
        done += (size_t)n;
    }
    return true;
}

/* Passes every whole line after the head to the reader and sets *good to where the last of them ends. Only
 * the end of the file may be torn: an interruption damages nothing before it. */
static bool read_lines(const struct journal *journal, const struct text *text, size_t from,
                       const struct journal_reader *reader, size_t *good, struct err *e) {
    int line = 2;
    for (size_t at = from; at < text->size; line++) {
        const char *start = text->data + at;
        const char *end = memchr(start, '\n', text->size - at);
        const size_t size = end != NULL ? (size_t)(end - start) + 1 : text->size - at;
        int index;
        struct repro_repetition repetition;
        if (!journal_read_line(start, size, &index, &repetition)) {
            if (at + size == text->size)
                return true;
            return err_set(e, "%s:%d: is damaged; --fresh starts again", journal->path, line);
        }
        if (index >= reader->count || !reader->take(reader->context, index, &repetition))
            return err_set(e, "%s:%d: repetition %d is not expected here; --fresh starts again",
                           journal->path, line, index);
        at += size;
        *good = at;
    }
    return true;
}

/* *good is 0 before, and stays so where the file has no whole head. The head ends with a line end, so a file
 * that begins with it has exactly this first line. */
static bool read_journal(struct journal *journal, const char *head, const struct journal_reader *reader,
                         size_t *good, struct err *e) {
    struct text text = {0};
    const size_t head_size = strlen(head);
    bool ok = file_read(journal->path, JOURNAL_SIZE_MAX, &text, e);
    const bool is_torn = memchr(text_string(&text), '\n', text.size) == NULL;
    if (ok && strncmp(text_string(&text), head, is_torn ? text.size : head_size) != 0) {
        ok = refuse(journal->path, text.data, head, e);
    } else if (ok && !is_torn) {
        *good = head_size;
        ok = read_lines(journal, &text, head_size, reader, good, e);
    }
    text_done(&text);
    return ok;
}

/* flock, because the journal is read by another descriptor meanwhile: closing that one would release a
 * POSIX lock. */
static bool open_locked(struct journal *journal, struct err *e) {
    struct stat held, there;
    journal->file = open(journal->path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (journal->file < 0)
        return err_code(e, "refused.file", "%s: cannot be written: %s", journal->path, strerror(errno));
    /* Another run may have set it aside in this moment. */
    return (flock(journal->file, LOCK_EX | LOCK_NB) == 0 && fstat(journal->file, &held) == 0 &&
            stat(journal->path, &there) == 0 && held.st_ino == there.st_ino) ||
           err_set(e, "%s: another run is writing it", journal->path);
}

/* The first line, which a journal of the same run begins with. */
static int write_head(const struct journal_head *h, char first[HEAD_MAX_SIZE]) {
    const int n = snprintf(first, HEAD_MAX_SIZE,
                           "senjutsu-journal experiment=%s program=%s version=%d seed=%" PRIu64
                           " trials=%d setup=%016" PRIx64 "\n",
                           h->experiment, h->program, h->version, h->seed, h->repetitions, h->setup);
    assert(n > 0);
    assert(n < HEAD_MAX_SIZE);
    return n;
}

/* Not locked: whole lines do not change, and a torn last one is not read. What is not this run's is no error
 * here, because nothing is going to be written. */
bool journal_read(const char *folder, const struct journal_head *h, const struct journal_reader *reader,
                  struct err *e) {
    char first[HEAD_MAX_SIZE];
    struct journal journal;
    struct text text = {0};
    size_t good = 0;
    write_head(h, first);
    const size_t size = strlen(first);
    if (!journal_set_path(&journal, folder, h->experiment, e))
        return false;
    const bool is_ours = file_read(journal.path, JOURNAL_SIZE_MAX, &text, NULL) && text.size >= size &&
                         memcmp(text.data, first, size) == 0;
    const bool ok = !is_ours || read_lines(&journal, &text, size, reader, &good, e);
    text_done(&text);
    return ok;
}

/* Locked before anything is read, and cut to its whole lines before anything is appended. */
bool journal_open(struct journal *journal, const struct journal_head *h, bool fresh,
                  const struct journal_reader *reader, struct err *e) {
    char first[HEAD_MAX_SIZE], old[sizeof journal->path + sizeof ".old"];
    struct stat info;
    size_t good = 0;
    const int n = write_head(h, first);
    if (!open_locked(journal, e))
        return false;
    /* A journal that another run is writing is not set aside, and an empty one need not be. */
    if (fresh && (fstat(journal->file, &info) != 0 || info.st_size > 0)) {
        snprintf(old, sizeof old, "%s.old", journal->path);
        if (rename(journal->path, old) != 0)
            return err_set(e, "%s: cannot be set aside: %s", journal->path, strerror(errno));
        journal_close(journal);
        if (!open_locked(journal, e))
            return false;
    }
    if (!read_journal(journal, first, reader, &good, e))
        return false;
    if (ftruncate(journal->file, (off_t)good) != 0 || lseek(journal->file, 0, SEEK_END) < 0)
        return err_set(e, "%s: cannot be continued: %s", journal->path, strerror(errno));
    return good > 0 || write_all(journal, first, (size_t)n, e);
}

bool journal_add(struct journal *journal, int index, const struct repro_repetition *repetition,
                 struct err *e) {
    struct text line = {0};
    journal_write_line(index, repetition, &line);
    const bool ok = write_all(journal, line.data, line.size, e);
    text_done(&line);
    return ok;
}

void journal_close(struct journal *journal) {
    if (journal->file >= 0)
        close(journal->file);
    journal->file = -1;
}
