/* SPDX-License-Identifier: MIT */
#include "cli/server.h"

#include "base/text.h"
#include "cli/cli.h"

#include <errno.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>

/* ---- secrets and descriptors ---- */

void cli_secret(void *out, size_t size) {
    unsigned char *bytes = out;
    while (size > 0) {
        const ssize_t got = getrandom(bytes, size, 0);
        if (got < 0 && errno != EINTR)
            exit(
                cli_fail(NULL, CLI_FAILED, "this system has no random numbers to give: %s", strerror(errno)));
        bytes += got > 0 ? got : 0;
        size -= got > 0 ? (size_t)got : 0;
    }
}

void cli_make_token(char *out, int bytes) {
    for (int i = 0; i < bytes; i++) {
        unsigned char byte;
        cli_secret(&byte, 1);
        snprintf(out + 2 * i, 3, "%02x", (unsigned)byte);
    }
}

bool cli_check_token(const char *option, const char *token, int length_min, struct err *e) {
    static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
    const size_t length = strlen(token);
    return (length >= (size_t)length_min && length <= CLI_TOKEN_MAX && strspn(token, allowed) == length) ||
           err_set(e, "%s: expected %d to %d letters, digits, '-', '.', '_' or '~'", option, length_min,
                   CLI_TOKEN_MAX);
}

int cli_descriptors(int wanted) {
    struct rlimit limit;
    const rlim_t all = (rlim_t)wanted;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return wanted;
    if (limit.rlim_cur < all) {
        const struct rlimit more = {limit.rlim_max < all ? limit.rlim_max : all, limit.rlim_max};
        if (setrlimit(RLIMIT_NOFILE, &more) == 0)
            limit = more;
    }
    return limit.rlim_cur < all ? (int)limit.rlim_cur : wanted;
}

/* ---- addresses ---- */

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

/* ---- output ---- */

void cli_message(bool with_json, struct cli_status *status, const char *format, ...) {
    FILE *to = with_json ? stderr : stdout;
    va_list args;
    if (status != NULL)
        cli_status_clear(status);
    va_start(args, format);
    vfprintf(to, format, args);
    va_end(args);
    fputc('\n', to);
    fflush(to);
}

bool cli_print_row(json_t *row) {
    const bool ok = row != NULL && json_dumpf(row, stdout, JSON_COMPACT | JSON_REAL_PRECISION(9)) == 0;
    putchar('\n');
    fflush(stdout);
    json_decref(row);
    return ok;
}
