/* SPDX-License-Identifier: MIT
 *
 * The page that is part of the program: made of web/ by tools/build-page, or of src/net/no_page where that
 * was not possible.
 */
#ifndef NET_WEB_PAGE_H
#define NET_WEB_PAGE_H

#include "net/web.h"

extern const struct web_file web_page[]; /* ended by a NULL path */

#endif
