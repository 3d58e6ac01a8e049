/* SPDX-License-Identifier: MIT
 *
 * SVG files as parts of an HTML page. Several on one page must not share names: every id gets a prefix.
 */
#ifndef REPRO_SVG_H
#define REPRO_SVG_H

#include "base/text.h"

/* Appends the <svg> element of a file's text: without XML declaration, document type, comments and what comes
 * after it, each id and each reference to one prefixed. False (nothing added) when there is no such element,
 * or when it would load or run something: scripts, foreign references. */
bool svg_inline(const char *svg, const char *prefix, struct text *out);

#endif
