/* SPDX-License-Identifier: MIT
 *
 * Journals of trials: exact lines, torn ends, damage, and the refusal of another run's journal.
 */
#include "repro/experiments.h"

#include "base/numbers.h"
#include "repro_support.h"

#include <fcntl.h>
#include <float.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

/* ---- journal lines ---- */

static struct repro_repetition some_repetition(int i) {
    struct repro_repetition t = {
        .values = {i, 0.1 * i, -1e300, DBL_MIN, 1.0 / 3, 0, 1e-17, 12345678901234567.0}, .ms = 0.125 * i};
    snprintf(t.note, sizeof t.note, "trial %d: 3:4,2x9 pass", i);
    return t;
}

static void assert_same_repetition(const struct repro_repetition *a, const struct repro_repetition *b) {
    assert_memory_equal(a->values, b->values, sizeof a->values);
    assert_memory_equal(&a->ms, &b->ms, sizeof a->ms);
    assert_string_equal(a->note, b->note);
}

static void lines_return_exactly(void **state) {
    (void)state;
    for (int i = 0; i < 50; i++) {
        struct text line = {0};
        struct repro_repetition before = some_repetition(i), after;
        int index;
        memset(&after, 0x5A, sizeof after);
        if (i % 3 == 0)
            before.note[0] = '\0';
        if (i == 7) /* the longest note there is */
            memset(before.note, 'x', sizeof before.note - 1), before.note[sizeof before.note - 1] = '\0';
        journal_write_line(i * 1000, &before, &line);
        assert_true(journal_read_line(line.data, line.size, &index, &after));
        assert_int_equal(index, i * 1000);
        assert_same_repetition(&before, &after);
        assert_true(after.game.size == 0 && after.game.data == NULL); /* games have files of their own */
        text_done(&line);
    }
}

/* A line with a note and the digest that belongs to it, of eight digits; of seven and a blank where they
 * suffice. */
static void forge(const char *numbers, const char *note, int digits, struct text *out) {
    const uint64_t a = hash_bytes(HASH_START, numbers, strlen(numbers)),
                   b = hash_bytes(HASH_START, note, strlen(note));
    text_clear(out);
    const unsigned check = (unsigned)(a ^ a >> 32) ^ (unsigned)(b ^ b >> 32) * 31U;
    text_add(out, "%s %0*x%s %s\n", numbers, digits, check, digits < 8 ? " " : "", note);
}

/* So many values of 0 behind the number and the time. */
static const char *numbers_of(const char *index, const char *ms, int values) {
    static char numbers[512];
    snprintf(numbers, sizeof numbers, "%s %s", index, ms);
    for (int i = 0; i < values; i++)
        strcat(numbers, " 0");
    return numbers;
}

/* The digest alone does not validate a line: each of its parts must be there. */
static void lines_have_all_their_parts(void **state) {
    (void)state;
    struct text line = {0};
    struct repro_repetition trial;
    char note[REPRO_NOTE_MAX + 1];
    int index;
    memset(note, 'n', sizeof note);
    note[REPRO_NOTE_MAX] = '\0';
    const struct {
        const char *numbers, *note;
        int digits;
        bool good;
    } cases[] = {
        {"0 1.5 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0", "a note", 8, true},
        {"2147483647 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0", "", 8, true},
        {"2147483648 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0", "", 8, false},
        {"-1 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0", "", 8, false},
        {"0 1.5 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0", note + 1, 8, true},
        {"0 1.5 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0", note, 8, false},
        {"0 1.5 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0", "a note", 7, false},
        {"0 1.5 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 ", "a note", 8, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        forge(cases[i].numbers, cases[i].note, cases[i].digits, &line);
        assert_int_equal(journal_read_line(line.data, line.size, &index, &trial), cases[i].good);
    }
    text_done(&line);
}

/* Lines without a value, or with a word in place of a number; number and digest may be anything. */
static void lines_have_all_their_numbers(void **state) {
    (void)state;
    struct text line = {0};
    struct repro_repetition trial;
    int index;
    for (int i = 0; i < 200; i++) {
        char number[16], digits[16];
        snprintf(number, sizeof number, "%d", i);
        forge(numbers_of(number, "1", REPRO_VALUES_MAX), "", 8, &line);
        assert_true(journal_read_line(line.data, line.size, &index, &trial));
        assert_int_equal(index, i);
        forge(numbers_of(number, "1", REPRO_VALUES_MAX - 1), "", 8, &line);
        assert_false(journal_read_line(line.data, line.size, &index, &trial));
        forge(numbers_of(number, "1", REPRO_VALUES_MAX), "", 7,
              &line); /* short by one where it begins with 0 */
        assert_false(journal_read_line(line.data, line.size, &index, &trial));
        snprintf(digits, sizeof digits, "x%d", i);
        forge(numbers_of(digits, "1", REPRO_VALUES_MAX), "", 8, &line);
        assert_false(journal_read_line(line.data, line.size, &index, &trial));
        forge(numbers_of(number, digits, REPRO_VALUES_MAX), "", 8, &line);
        assert_false(journal_read_line(line.data, line.size, &index, &trial));
    }
    text_done(&line);
}

static void broken_lines_are_seen(void **state) {
    (void)state;
    struct text line = {0};
    struct repro_repetition trial = some_repetition(5), out;
    int index;
    journal_write_line(17, &trial, &line);
    for (size_t cut = 0; cut < line.size; cut++)
        assert_false(journal_read_line(line.data, cut, &index, &out));
    for (size_t cut = 0; cut + 1 < line.size; cut++) {
        const char stored = line.data[cut];
        line.data[cut] = '\n';
        assert_false(journal_read_line(line.data, cut + 1, &index, &out));
        line.data[cut] = '\0';
        assert_false(journal_read_line(line.data, line.size, &index, &out));
        line.data[cut] = stored;
    }
    for (size_t i = 0; i < line.size; i++) {
        const char stored = line.data[i];
        line.data[i] = stored == '7' ? '8' : '7';
        assert_false(journal_read_line(line.data, line.size, &index, &out));
        line.data[i] = stored;
    }
    assert_true(journal_read_line(line.data, line.size, &index, &out));
    text_done(&line);
}

static void a_line_end_in_a_note_does_no_harm(void **state) {
    (void)state;
    struct text line = {0};
    struct repro_repetition trial = some_repetition(1), out;
    int index;
    snprintf(trial.note, sizeof trial.note, "three\nlines\rhere");
    journal_write_line(1, &trial, &line);
    assert_true(journal_read_line(line.data, line.size, &index, &out));
    assert_string_equal(out.note, "three lines here");
    text_done(&line);
}

/* ---- journal files ---- */

enum { UNITS = 10 };

struct taken {
    int count;
    bool seen[UNITS];
};

static bool take(void *context, int index, const struct repro_repetition *trial) {
    struct taken *t = context;
    const struct repro_repetition expected = some_repetition(index);
    assert_same_repetition(trial, &expected);
    if (t->seen[index])
        return false;
    t->seen[index] = true;
    t->count++;
    return true;
}

static const struct journal_head default_head = {.experiment = "some-name",
                                                 .program = "0.1",
                                                 .version = 3,
                                                 .repetitions = 5,
                                                 .seed = 7,
                                                 .setup = 0xABCDEF};

/* Opens, checks what is in it, adds the trials from `from` to `to`, closes. */
static bool use_journal(const struct journal_head *head, bool fresh, int expected, int from, int to,
                        struct err *e) {
    struct journal journal;
    struct taken taken = {0};
    const struct journal_reader reader = {UNITS, take, &taken};
    assert_true(journal_set_path(&journal, repro_folder, "j", e));
    if (!journal_open(&journal, head, fresh, &reader, e)) {
        journal_close(&journal);
        return false;
    }
    assert_int_equal(taken.count, expected);
    for (int i = from; i < to; i++) {
        const struct repro_repetition trial = some_repetition(i);
        assert_true(journal_add(&journal, i, &trial, e));
    }
    journal_close(&journal);
    return true;
}

static void begin_journal(int count) {
    struct err e;
    remove(repro_path("j.journal"));
    assert_true(use_journal(&default_head, false, 0, 0, count, &e));
}

static void a_journal_goes_on(void **state) {
    (void)state;
    struct err e;
    begin_journal(3);
    assert_true(use_journal(&default_head, false, 3, 3, 6, &e));
    assert_true(use_journal(&default_head, false, 6, 6, 6, &e));
}

/* The last line may be cut anywhere: the other lines are preserved and the journal can be continued. */
static void a_torn_end_is_cut_off(void **state) {
    (void)state;
    struct err e;
    struct text whole = {0}, two = {0};
    begin_journal(2);
    repro_read(repro_path("j.journal"), &two);
    begin_journal(3);
    repro_read(repro_path("j.journal"), &whole);
    for (size_t size = two.size; size < whole.size; size++) {
        repro_write(repro_path("j.journal"), whole.data, size);
        assert_true(use_journal(&default_head, false, 2, 2, 3, &e));
        struct text after = {0};
        repro_read(repro_path("j.journal"), &after);
        assert_int_equal(after.size, whole.size);
        assert_memory_equal(after.data, whole.data, whole.size);
        text_done(&after);
    }
    /* Also when even the first line is incomplete. */
    for (size_t size = 0; size < 40; size += 13) {
        repro_write(repro_path("j.journal"), whole.data, size);
        assert_true(use_journal(&default_head, false, 0, 0, 3, &e));
    }
    text_done(&whole);
    text_done(&two);
}

static void damage_in_the_middle_is_refused(void **state) {
    (void)state;
    struct err e;
    struct text whole = {0};
    begin_journal(4);
    repro_read(repro_path("j.journal"), &whole);
    char *second = strchr(whole.data, '\n') + 1;
    second[3] ^= 1;
    repro_write(repro_path("j.journal"), whole.data, whole.size);
    assert_false(use_journal(&default_head, false, 0, 0, 0, &e));
    assert_non_null(strstr(e.text, "j.journal:2: is damaged"));
    second[3] ^= 1;
    char *fourth = strchr(strchr(second, '\n') + 1, '\n') + 1;
    fourth[3] ^= 1;
    repro_write(repro_path("j.journal"), whole.data, whole.size);
    assert_false(use_journal(&default_head, false, 0, 0, 0, &e));
    assert_non_null(strstr(e.text, "j.journal:4: is damaged"));
    text_done(&whole);
}

static void a_trial_twice_is_refused(void **state) {
    (void)state;
    struct err e;
    begin_journal(2);
    assert_true(use_journal(&default_head, false, 2, 1, 2, &e));
    assert_false(use_journal(&default_head, false, 0, 0, 0, &e));
    assert_non_null(strstr(e.text, "j.journal:4: repetition 1 is not expected here"));
}

static void a_trial_beyond_the_plan_is_refused(void **state) {
    (void)state;
    struct err e;
    begin_journal(UNITS);
    assert_true(use_journal(&default_head, false, UNITS, UNITS, UNITS + 1, &e));
    assert_false(use_journal(&default_head, false, 0, 0, 0, &e));
    assert_non_null(strstr(e.text, "j.journal:12: repetition 10 is not expected here; --fresh starts again"));
}

static void another_runs_journal_is_refused(void **state) {
    (void)state;
    struct err e;
    struct journal_head other[6];
    for (int i = 0; i < 6; i++)
        other[i] = default_head;
    other[0].experiment = "other-name";
    other[1].program = "0.2";
    other[2].version = 4;
    other[3].repetitions = 6;
    other[4].seed = 8;
    other[5].setup = 1;
    static const char *const sentences[6] = {"was made with experiment some-name, not other-name",
                                             "was made with program 0.1, not 0.2",
                                             "was made with version 3, not 4",
                                             "was made with trials 5, not 6",
                                             "was made with seed 7, not 8",
                                             "was made with other players, maps or rules"};
    begin_journal(3);
    for (int i = 0; i < 6; i++) {
        assert_false(use_journal(&other[i], false, 0, 0, 0, &e));
        assert_non_null(strstr(e.text, sentences[i]));
        assert_non_null(strstr(e.text, "--fresh"));
    }
    assert_true(use_journal(&default_head, false, 3, 3, 3, &e)); /* and is left alone */
    repro_write(repro_path("j.journal"), "a letter\n", 9);
    assert_false(use_journal(&default_head, false, 0, 0, 0, &e));
    assert_non_null(strstr(e.text, "is no journal"));
    repro_write(repro_path("j.journal"), "a letter", 8);
    assert_false(use_journal(&default_head, false, 0, 0, 0, &e));
    assert_non_null(strstr(e.text, "j.journal: is no journal of an experiment"));
}

/* The words it should have, and one more. */
static void a_longer_first_line_is_refused(void **state) {
    (void)state;
    struct err e;
    struct text whole = {0}, longer = {0};
    begin_journal(1);
    repro_read(repro_path("j.journal"), &whole);
    const int first = (int)strcspn(whole.data, "\n");
    text_add(&longer, "%.*s more=1%s", first, whole.data, whole.data + first);
    repro_write(repro_path("j.journal"), longer.data, longer.size);
    assert_false(use_journal(&default_head, false, 0, 0, 0, &e));
    assert_non_null(strstr(e.text, "j.journal: is no journal of an experiment"));
    text_done(&whole);
    text_done(&longer);
}

static int count_descriptors(void) {
    int count = 0;
    for (int fd = 0; fd < 256; fd++)
        count += fcntl(fd, F_GETFD) >= 0;
    return count;
}

static void what_cannot_be_written_is_named(void **state) {
    (void)state;
    struct err e;
    struct journal journal;
    struct taken taken = {0};
    const struct journal_reader reader = {UNITS, take, &taken};
    const struct repro_repetition trial = some_repetition(0);
    const int before = count_descriptors();
    struct rlimit limit, old_limit;
    assert_true(journal_set_path(&journal, repro_path("nowhere"), "j", &e));
    assert_int_equal(journal.file, -1);
    assert_false(journal_open(&journal, &default_head, false, &reader, &e));
    assert_non_null(strstr(e.text, "nowhere/j.journal: cannot be written: No such file"));
    begin_journal(0);
    assert_true(journal_set_path(&journal, repro_folder, "j", &e));
    assert_true(journal_open(&journal, &default_head, false, &reader, &e));
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &old_limit);
    limit = old_limit;
    limit.rlim_cur = 150; /* in the middle of the first line after the head */
    setrlimit(RLIMIT_FSIZE, &limit);
    const bool added = journal_add(&journal, 0, &trial, &e);
    setrlimit(RLIMIT_FSIZE, &old_limit);
    assert_false(added);
    assert_non_null(strstr(e.text, "j.journal: cannot be written: File too large"));
    journal_close(&journal);
    assert_int_equal(journal.file, -1);
    journal_close(&journal);
    assert_int_equal(count_descriptors(), before);
    assert_true(use_journal(&default_head, false, 0, 0, 3, &e)); /* the torn line is cut off */
}

/* Up to the length at which the name of the one that is set aside still fits. */
static void a_long_path_is_refused(void **state) {
    (void)state;
    struct err e;
    struct journal journal;
    char folder[4096];
    memset(folder, 'f', sizeof folder);
    folder[sizeof journal.path - sizeof "/j.journal" - sizeof ".old"] = '\0';
    assert_true(journal_set_path(&journal, folder, "j", &e));
    assert_int_equal(strlen(journal.path), sizeof journal.path - 1 - sizeof ".old");
    assert_false(journal_set_path(&journal, folder, "jj", &e));
    assert_non_null(strstr(e.text, "fff: the name is too long"));
    assert_int_equal(strlen(e.text), 200 + strlen(": the name is too long"));
}

static void fresh_sets_the_old_one_aside(void **state) {
    (void)state;
    struct err e;
    struct journal_head other = default_head;
    other.seed = 99;
    begin_journal(3);
    struct text before = {0}, aside = {0};
    repro_read(repro_path("j.journal"), &before);
    assert_true(use_journal(&other, true, 0, 0, 1, &e));
    repro_read(repro_path("j.journal.old"), &aside);
    assert_int_equal(before.size, aside.size);
    assert_memory_equal(before.data, aside.data, before.size);
    assert_true(use_journal(&other, false, 1, 1, 1, &e));
    text_done(&before);
    text_done(&aside);
}

static void fresh_without_an_old_one(void **state) {
    (void)state;
    struct err e;
    remove(repro_path("j.journal"));
    remove(repro_path("j.journal.old"));
    assert_true(use_journal(&default_head, true, 0, 0, 2, &e));
    assert_int_not_equal(access(repro_path("j.journal.old"), F_OK), 0);
    assert_true(use_journal(&default_head, false, 2, 0, 0, &e));
    assert_int_equal(mkdir(repro_path("j.journal.old"), 0777), 0); /* no file can have that name now */
    assert_false(use_journal(&default_head, true, 0, 0, 0, &e));
    assert_non_null(strstr(e.text, "j.journal: cannot be set aside: Is a directory"));
    assert_true(use_journal(&default_head, false, 2, 0, 0, &e));
    rmdir(repro_path("j.journal.old"));
}

/* Also with --fresh: otherwise its lines would continue the journal that was set aside. */
static void a_journal_that_is_written_is_left_alone(void **state) {
    (void)state;
    struct err e;
    struct journal journal;
    struct taken taken = {0};
    const struct journal_reader reader = {UNITS, take, &taken};
    const struct repro_repetition trial = some_repetition(3);
    begin_journal(3);
    assert_true(journal_set_path(&journal, repro_folder, "j", &e));
    assert_true(journal_open(&journal, &default_head, false, &reader, &e));
    for (int fresh = 0; fresh < 2; fresh++) {
        assert_false(use_journal(&default_head, fresh == 1, 3, 0, 0, &e));
        assert_non_null(strstr(e.text, "j.journal: another run is writing it"));
    }
    assert_true(journal_add(&journal, 3, &trial, &e));
    journal_close(&journal);
    assert_true(use_journal(&default_head, false, 4, 4, 4, &e));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_return_exactly),
        cmocka_unit_test(lines_have_all_their_parts),
        cmocka_unit_test(lines_have_all_their_numbers),
        cmocka_unit_test(broken_lines_are_seen),
        cmocka_unit_test(a_line_end_in_a_note_does_no_harm),
        cmocka_unit_test(a_journal_goes_on),
        cmocka_unit_test(a_torn_end_is_cut_off),
        cmocka_unit_test(damage_in_the_middle_is_refused),
        cmocka_unit_test(a_trial_twice_is_refused),
        cmocka_unit_test(a_trial_beyond_the_plan_is_refused),
        cmocka_unit_test(another_runs_journal_is_refused),
        cmocka_unit_test(a_longer_first_line_is_refused),
        cmocka_unit_test(what_cannot_be_written_is_named),
        cmocka_unit_test(a_long_path_is_refused),
        cmocka_unit_test(fresh_sets_the_old_one_aside),
        cmocka_unit_test(fresh_without_an_old_one),
        cmocka_unit_test(a_journal_that_is_written_is_left_alone),
    };
    return cmocka_run_group_tests(tests, repro_make_folder, repro_drop_folder);
}
