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

/* ---- SVG files as parts of a page ----
 *
 * Several on one page must not share names: every id gets a prefix. */

/* Appends the <svg> element of a file's text: without XML declaration, document type, comments and what comes
 * after it, each id and each reference to one prefixed. False (nothing added) when there is no such element,
 * or when it would load or run something: scripts, foreign references. */
bool svg_inline(const char *svg, const char *prefix, struct text *out);

#endif
