/* SPDX-License-Identifier: MIT
 *
 * Linked into unit tests: standard input is closed before they begin. A program can be started like that, and
 * the first file it opens then has descriptor 0, which a check for less than 1 takes for a failure.
 */
#include <unistd.h>

__attribute__((constructor)) static void close_input(void) {
    close(STDIN_FILENO);
}
