/* SPDX-License-Identifier: MIT
 *
 * Are pages that were written by hand well-formed?
 */
#ifndef TESTS_HTML_SUPPORT_H
#define TESTS_HTML_SUPPORT_H

/* Removes the page's own script and style, which are built from web/ and may be missing; the other content
 * stays. */
struct text;
void remove_page_code(struct text *page);

/* Fails the test unless every element is closed in its turn; a document type may come first. */
void assert_elements_close(const char *page);

#endif
