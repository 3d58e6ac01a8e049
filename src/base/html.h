/* SPDX-License-Identifier: MIT
 *
 * Text that goes into a page.
 */
#ifndef BASE_HTML_H
#define BASE_HTML_H

#include "base/text.h"

/* Appends the string so that it means only itself, in an element or in a quoted attribute. Control characters
 * but line ends are left out; what is no UTF-8 is converted (see charset_to_utf8). */
void html_escape(const char *string, struct text *out);

#endif
