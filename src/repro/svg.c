/* SPDX-License-Identifier: MIT */
#include "repro/svg.h"

#include <string.h>

/* What refers to a name inside the same file, up to the name itself. */
static const char *const references[] = {" id=\"", " id='",  "href=\"#", "href='#",
                                         "url(#",  "url('#", "url(\"#",  "clip-path=\"#"};

static const char *reference_at(const char *at) {
    for (size_t i = 0; i < sizeof references / sizeof references[0]; i++)
        if (strncmp(at, references[i], strlen(references[i])) == 0)
            return references[i];
    return NULL;
}

/* Our pictures come from gnuplot and Cairo and have none of this; whoever puts another file into the folder
 * does not get it onto the page. A reference must begin with '#', or with "data:image/" (embedded). */
static bool is_harmless(const char *from, const char *end) {
    static const char *const forbidden[] = {"<script",  "<foreignObject", "<iframe", " onload",
                                            " onclick", "javascript:",    "@import"};
    for (const char *at = from; at < end; at++) {
        for (size_t i = 0; i < sizeof forbidden / sizeof forbidden[0]; i++)
            if (strncmp(at, forbidden[i], strlen(forbidden[i])) == 0)
                return false;
        if ((strncmp(at, "href=", 5) == 0 && at[6] != '#' && strncmp(at + 6, "data:image/", 11) != 0) ||
            (strncmp(at, "url(", 4) == 0 && strchr("#'\"", at[4]) == NULL))
            return false;
    }
    return true;
}

bool svg_inline(const char *svg, const char *prefix, struct text *out) {
    const char *from = strstr(svg, "<svg");
    const char *end = NULL;
    for (const char *at = from; at != NULL && (at = strstr(at, "</svg>")) != NULL; at++)
        end = at + strlen("</svg>");
    if (end == NULL || !is_harmless(from, end))
        return false;
    for (const char *at = from; at < end;) {
        if (strncmp(at, "<!--", 4) == 0) {
            const char *close = strstr(at, "-->");
            at = close != NULL && close < end ? close + 3 : end;
            continue;
        }
        const char *reference = reference_at(at);
        if (reference == NULL) {
            text_add_bytes(out, at++, 1);
            continue;
        }
        text_add_string(out, reference);
        text_add_string(out, prefix);
        at += strlen(reference);
    }
    return true;
}
