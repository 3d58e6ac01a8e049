/* SPDX-License-Identifier: MIT
 *
 * Position pictures: rule tests drawn as text, readable without C. The format is in tests/rules/README.md.
 * Every case runs on the small and on the wide path.
 */
#ifndef TESTS_TBS_PICTURE_H
#define TESTS_TBS_PICTURE_H

#include "base/text.h"

struct picture_report {
    int cases, failed;
    struct text text; /* one line a failed case: FILE:LINE: case 'NAME': what was wrong */
};

/* Runs the cases of one file (`text` is cut up on the way) and adds to the report. */
void picture_run(const char *file, char *text, struct picture_report *report);

#endif
