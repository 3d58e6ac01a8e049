/* SPDX-License-Identifier: MIT
 *
 * Journals of trials: exact lines, torn ends, damage, and the refusal of another run's journal.
 */
#include "repro/journal.h"

#include "repro_support.h"

#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

/* ---- journal lines ---- */

static struct repro_trial some_trial(int i) {
    struct repro_trial t = {.values = {i, 0.1 * i, -1e300, DBL_MIN, 1.0 / 3, 0, 1e-17, 12345678901234567.0},
                            .ms = 0.125 * i};
    snprintf(t.note, sizeof t.note, "trial %d: 3:4,2x9 pass", i);
    return t;
}

static void assert_same_trial(const struct repro_trial *a, const struct repro_trial *b) {
    assert_memory_equal(a->values, b->values, sizeof a->values);
    assert_memory_equal(&a->ms, &b->ms, sizeof a->ms);
    assert_string_equal(a->note, b->note);
}

static void lines_return_exactly(void **state) {
    (void)state;
    for (int i = 0; i < 50; i++) {
        struct text line = {0};
        struct repro_trial before = some_trial(i), after;
        int index;
        if (i % 3 == 0)
            before.note[0] = '\0';
        if (i == 7) /* the longest note there is */
            memset(before.note, 'x', sizeof before.note - 1), before.note[sizeof before.note - 1] = '\0';
        journal_write_line(i * 1000, &before, &line);
        assert_true(journal_read_line(line.data, line.size, &index, &after));
        assert_int_equal(index, i * 1000);
        assert_same_trial(&before, &after);
        text_done(&line);
    }
}

static void broken_lines_are_seen(void **state) {
    (void)state;
    struct text line = {0};
    struct repro_trial trial = some_trial(5), out;
    int index;
    journal_write_line(17, &trial, &line);
    for (size_t cut = 0; cut < line.size; cut++)
        assert_false(journal_read_line(line.data, cut, &index, &out));
    for (size_t i = 0; i < line.size; i++) {
        const char kept = line.data[i];
        line.data[i] = kept == '7' ? '8' : '7';
        assert_false(journal_read_line(line.data, line.size, &index, &out));
        line.data[i] = kept;
    }
    assert_true(journal_read_line(line.data, line.size, &index, &out));
    text_done(&line);
}

static void a_line_end_in_a_note_does_no_harm(void **state) {
    (void)state;
    struct text line = {0};
    struct repro_trial trial = some_trial(1), out;
    int index;
    snprintf(trial.note, sizeof trial.note, "two\nlines");
    journal_write_line(1, &trial, &line);
    assert_true(journal_read_line(line.data, line.size, &index, &out));
    assert_string_equal(out.note, "two lines");
    text_done(&line);
}

/* ---- journal files ---- */

enum { UNITS = 10 };

struct taken {
    int count;
    bool seen[UNITS];
};

static bool take(void *context, int index, const struct repro_trial *trial) {
    struct taken *t = context;
    const struct repro_trial expected = some_trial(index);
    assert_same_trial(trial, &expected);
    if (t->seen[index])
        return false;
    t->seen[index] = true;
    t->count++;
    return true;
}

static const struct journal_head usual_head = {
    .experiment = "some-name", .program = "0.1", .version = 3, .trials = 5, .seed = 7, .setup = 0xABCDEF};

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
        const struct repro_trial trial = some_trial(i);
        assert_true(journal_add(&journal, i, &trial, e));
    }
    journal_close(&journal);
    return true;
}

static void begin_journal(int count) {
    struct err e;
    remove(repro_path("j.journal"));
    assert_true(use_journal(&usual_head, false, 0, 0, count, &e));
}

static void a_journal_goes_on(void **state) {
    (void)state;
    struct err e;
    begin_journal(3);
    assert_true(use_journal(&usual_head, false, 3, 3, 6, &e));
    assert_true(use_journal(&usual_head, false, 6, 6, 6, &e));
}

/* Whatever the last line was cut to, the others are kept and the journal can be continued. */
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
        assert_true(use_journal(&usual_head, false, 2, 2, 3, &e));
        struct text after = {0};
        repro_read(repro_path("j.journal"), &after);
        assert_int_equal(after.size, whole.size);
        assert_memory_equal(after.data, whole.data, whole.size);
        text_done(&after);
    }
    /* Also when not even the first line was written to its end. */
    for (size_t size = 0; size < 40; size += 13) {
        repro_write(repro_path("j.journal"), whole.data, size);
        assert_true(use_journal(&usual_head, false, 0, 0, 3, &e));
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
    assert_false(use_journal(&usual_head, false, 0, 0, 0, &e));
    assert_non_null(strstr(e.text, "j.journal:2: is damaged"));
    text_done(&whole);
}

static void a_trial_twice_is_refused(void **state) {
    (void)state;
    struct err e;
    begin_journal(2);
    assert_true(use_journal(&usual_head, false, 2, 1, 2, &e));
    assert_false(use_journal(&usual_head, false, 0, 0, 0, &e));
    assert_non_null(strstr(e.text, "trial 1 is not expected here"));
}

static void another_runs_journal_is_refused(void **state) {
    (void)state;
    struct err e;
    struct journal_head other[6];
    for (int i = 0; i < 6; i++)
        other[i] = usual_head;
    other[0].experiment = "other-name";
    other[1].program = "0.2";
    other[2].version = 4;
    other[3].trials = 6;
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
    assert_true(use_journal(&usual_head, false, 3, 3, 3, &e)); /* and is left alone */
    repro_write(repro_path("j.journal"), "a letter\n", 9);
    assert_false(use_journal(&usual_head, false, 0, 0, 0, &e));
    assert_non_null(strstr(e.text, "is no journal"));
}

static void fresh_sets_the_old_one_aside(void **state) {
    (void)state;
    struct err e;
    struct journal_head other = usual_head;
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

/* Also with --fresh: its lines would go on into the one that was set aside. */
static void a_journal_that_is_written_is_left_alone(void **state) {
    (void)state;
    struct err e;
    struct journal journal;
    struct taken taken = {0};
    const struct journal_reader reader = {UNITS, take, &taken};
    const struct repro_trial trial = some_trial(3);
    begin_journal(3);
    assert_true(journal_set_path(&journal, repro_folder, "j", &e));
    assert_true(journal_open(&journal, &usual_head, false, &reader, &e));
    for (int fresh = 0; fresh < 2; fresh++) {
        assert_false(use_journal(&usual_head, fresh == 1, 3, 0, 0, &e));
        assert_non_null(strstr(e.text, "j.journal: another run is writing it"));
    }
    assert_true(journal_add(&journal, 3, &trial, &e));
    journal_close(&journal);
    assert_true(use_journal(&usual_head, false, 4, 4, 4, &e));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_return_exactly),
        cmocka_unit_test(broken_lines_are_seen),
        cmocka_unit_test(a_line_end_in_a_note_does_no_harm),
        cmocka_unit_test(a_journal_goes_on),
        cmocka_unit_test(a_torn_end_is_cut_off),
        cmocka_unit_test(damage_in_the_middle_is_refused),
        cmocka_unit_test(a_trial_twice_is_refused),
        cmocka_unit_test(another_runs_journal_is_refused),
        cmocka_unit_test(fresh_sets_the_old_one_aside),
        cmocka_unit_test(a_journal_that_is_written_is_left_alone),
    };
    return cmocka_run_group_tests(tests, repro_make_folder, repro_drop_folder);
}
