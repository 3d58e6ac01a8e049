/* SPDX-License-Identifier: MIT
 *
 * Private to the reports: what both pages have in common. Every element is closed and every value quoted, so
 * that the pages are well-formed XML, too, but for their first line.
 */
#ifndef TOURNAMENT_REPORT_HTML_H
#define TOURNAMENT_REPORT_HTML_H

#include "base/encode.h"
#include "tournament/report_facts.h"

/* The head with the page's own style (pieces, ended by NULL), up to the opened body. */
void html_begin(const struct report *report, const char *const *style, struct text *out);
void html_end(struct text *out);

void html_short(const char *string, int columns, struct text *out);       /* cut like report_fit */
void html_number(double value, struct text *out);                         /* with a real minus sign */
void html_elo(const struct report *report, int player, struct text *out); /* "+23 ± 40", or a dash */
void html_place(const struct report *report, int row, struct text *out);  /* "3", or "3–4" when shared */
void html_score(const struct tally *tally, struct text *out); /* "62.5%", or a dash without games */
void html_payoff(const struct report *report, const struct standing *standing, struct text *out);
void html_title(const struct report *report, struct text *out); /* of the event, or what it is */

/* "12 won, 1 drawn, 3 lost; 78.1% (95% interval 56.8% to 90.7%)" */
void html_tally_words(const struct tally *tally, struct text *out);

/* "24 of 60 games played" or "60 games" */
void html_progress(const struct report *report, struct text *out);

/* What the first side made on each map, as the rows of a table with its head. */
void html_maps(const struct report *report, const struct report_facts *facts, struct text *out);

/* Play-offs and final (or a knock-out as a whole) under a heading, round by round; nothing where there were
 * none. */
void html_meetings(const struct report *report, const struct report_facts *facts, struct text *out);

/* Highlights under a heading, with or without the faults; nothing when there are none. */
void html_highlights(const struct report *report, int per_kind, bool faults, struct text *out);

#endif
