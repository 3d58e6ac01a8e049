/* SPDX-License-Identifier: MIT */
#include "repro_support.h"

#include "base/file.h"
#include "base/text.h"
#include "scratch_support.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
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
