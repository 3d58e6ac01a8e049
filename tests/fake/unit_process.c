/* SPDX-License-Identifier: MIT
 *
 * Linked into unit tests: how their processes begin.
 *
 * Standard input is closed. A program can be started like that, and the first file it opens then has
 * descriptor 0, which a check for less than 1 takes for a failure.
 *
 * A test that includes a source for its internals defines that source's public data a second time, beside
 * those of the library. AddressSanitizer reports this as an error by default.
 */
#include <unistd.h>

__attribute__((constructor)) static void close_input(void) {
    close(STDIN_FILENO);
}

const char *__asan_default_options(void);
const char *__asan_default_options(void) {
    return "detect_odr_violation=0";
}
