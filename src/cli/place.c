/* SPDX-License-Identifier: MIT */
#include "cli/place.h"

#include "base/text.h"

#include <stddef.h>
#include <string.h>

bool cli_read_place(const char *text, struct cli_place *out, struct err *e) {
    const char *end = text + strlen(text), *port = NULL;
    if (text[0] == '[') {
        const char *bracket = strchr(++text, ']');
        if (bracket == NULL || (bracket[1] != '\0' && bracket[1] != ':'))
            return err_set(e, "[%s: expected [ADDRESS] or [ADDRESS]:PORT", text);
        end = bracket;
        port = bracket[1] == ':' ? bracket + 2 : NULL;
    } else if (strchr(text, ':') != NULL && strchr(text, ':') == strrchr(text, ':')) {
        end = strchr(text, ':');
        port = end + 1;
    }
    long number = 0;
    if (port != NULL && (!text_to_int(port, &number) || number < 1 || number > 65535))
        return err_set(e, "%s: expected HOST or HOST:PORT, a port being a number from 1 to 65535", text);
    if (end == text || (size_t)(end - text) >= sizeof out->host)
        return err_set(e, "'%.100s': is no name of a host", text);
    memcpy(out->host, text, (size_t)(end - text));
    out->host[end - text] = '\0';
    out->port = (int)number;
    return true;
}
