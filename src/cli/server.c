/* SPDX-License-Identifier: MIT */
#include "cli/server.h"

#include "cli/cli.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>

enum { TOKEN_BYTES = (CLI_TOKEN_SIZE - 1) / 2 };

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

void cli_make_token(char out[CLI_TOKEN_SIZE]) {
    unsigned char bytes[TOKEN_BYTES];
    cli_secret(bytes, sizeof bytes);
    for (int i = 0; i < TOKEN_BYTES; i++)
        snprintf(out + 2 * i, 3, "%02x", (unsigned)bytes[i]);
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
