/* SPDX-License-Identifier: MIT
 *
 * One page over everything a folder holds: tables, findings, plots and boards. It loads nothing from
 * anywhere, follows the reader's choice of light or dark, and can be printed.
 */
#ifndef REPRO_REPORT_H
#define REPRO_REPORT_H

#include "base/err.h"
#include "base/text.h"

/* Reads FOLDER/NAME.json of every experiment there is, with its pictures; false when there is none, or one
 * cannot be read. `date` is when the folder was made, or "". */
bool report_make(const char *folder, const char *date, struct text *out, struct err *e);

#endif
