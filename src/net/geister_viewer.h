/* SPDX-License-Identifier: MIT
 *
 * The page that shows a Geister server's games (geister_viewer.html), a part of the program: the build turns
 * the file into this array (tools/embed-file).
 */
#ifndef NET_GEISTER_VIEWER_H
#define NET_GEISTER_VIEWER_H

#include <stddef.h>

extern const char geister_viewer_page[]; /* HTML in UTF-8, with a NUL behind */
extern const size_t geister_viewer_page_size;

#endif
