/* SPDX-License-Identifier: MIT
 *
 * Results as JSON, CSV and text for a terminal, and the page over all results of a folder. Only output_store
 * writes files, and only report_make reads them.
 */
#ifndef REPRO_OUTPUT_H
#define REPRO_OUTPUT_H

#include "repro/repro.h"

struct json_t;

/* New values, the caller's: the whole result, and the two halves of its summary as messages. */
struct json_t *output_json(const struct repro_result *result);
struct json_t *output_summary_json(const struct repro_result *result);

/* Rows beside the published figures, findings, the summary. */
void output_text(const struct repro_result *result, struct text *out);

void output_rows_csv(const struct repro_result *result, struct text *out);
void output_repetitions_csv(const struct repro_data *data, struct text *out);

/* A number with at most six digits that count, and all of a whole number's. */
void output_number(double number, struct text *out);

/* NAME.json, NAME.csv, NAME-trials.csv and, for each plot, PLOT.csv and PLOT.gp. */
bool output_store(const struct repro_result *result, const char *folder, struct err *e);

/* One page over everything a folder holds: tables, findings, plots and boards. It loads nothing from
 * anywhere, follows the reader's choice of light or dark, and can be printed. Reads FOLDER/NAME.json of every
 * experiment there is, with its pictures; false when there is none, or one cannot be read. `date` is when the
 * folder was made, or "". */
bool report_make(const char *folder, const char *date, struct text *out, struct err *e);

#endif
