/* SPDX-License-Identifier: MIT */
#include "repro_support.h"

#include "base/file.h"
#include "base/text.h"
#include "repro/experiments.h"
#include "scratch_support.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

char repro_folder[SCRATCH_PATH_MAX];

int repro_make_folder(void **state) {
    (void)state;
    return scratch_folder("repro", repro_folder) ? 0 : -1;
}

int repro_drop_folder(void **state) {
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", repro_folder);
    return system(command);
}

const char *repro_path(const char *name) {
    static char paths[4][256];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", repro_folder, name);
    return path;
}

void repro_read(const char *path, struct text *out) {
    struct err e;
    if (!file_read(path, 1 << 24, out, &e))
        fail_msg("%s", e.text);
}

void repro_write(const char *path, const char *bytes, size_t size) {
    struct err e;
    if (!file_write(path, bytes, size, &e))
        fail_msg("%s", e.text);
}

bool repro_is_near(double a, double b, double tolerance) {
    return fabs(a - b) <= tolerance;
}

void repro_check_result(const struct repro_result *r) {
    assert_true(r->row_count > 0 && r->finding_count > 0);
    for (int i = 0; i < r->row_count; i++) {
        const struct repro_row *row = &r->rows[i];
        assert_false(isinf(row->low) || isinf(row->high)); /* JSON has no infinity */
        assert_true(isnan(row->low) || (row->low <= row->ours && row->ours <= row->high));
        assert_true(strlen(row->label) < REPRO_NAME_MAX - 1); /* not cut off */
        for (int k = 0; k < i; k++)
            assert_string_not_equal(row->label, r->rows[k].label);
    }
    for (int i = 0; i < r->finding_count; i++)
        assert_true(strlen(r->findings[i].text) < sizeof r->findings[i].text - 1);
    for (int i = 0; i < r->plot_count; i++) {
        assert_non_null(strstr(text_string(&r->plots[i].script), "plot data"));
        assert_null(strstr(text_string(&r->plots[i].data), "inf"));
    }
}

int repro_plan_units(const struct repro_experiment *x, int each, struct repro_unit *units, int most) {
    int count = 0;
    for (int rep = 0; rep < each; rep++)
        for (int cell = 0; cell < x->cell_count; cell++)
            if (rep < repro_cell_repetitions(&x->cells[cell], each)) {
                assert_true(count < most);
                units[count++] = (struct repro_unit){cell, rep};
            }
    return count;
}
