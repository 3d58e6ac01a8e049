/* SPDX-License-Identifier: MIT
 *
 * The options of an external player, which speaks the engine protocol (docs/protocol.md), and the connection
 * they describe.
 */
#ifndef PLAYER_EXT_H
#define PLAYER_EXT_H

#include "link/link.h"
#include "player/player.h"

enum {
    EXT_ANSWER_MAX = 1 << 20, /* bytes of one answer */
    EXT_QUOTE_MAX = 100,      /* of quoted output, in a reason */
};

struct ext_options {
    char cmd[PARAM_TEXT_MAX], host[PARAM_TEXT_MAX], listen[PARAM_TEXT_MAX], options[PARAM_TEXT_MAX];
    int port, wait_s, timeout_ms, start_ms;
    bool turn;
};

/* Starts the program, connects to it, or waits for its connection, as the options require. A shortage of
 * descriptors, processes or memory is retried for LINK_SHORTAGE_MS. On failure: NULL, a reason and errno. */
struct link *ext_open_link(const struct ext_options *options, const struct link_wait *wait,
                           const struct link_wait *guest_wait, struct err *e);

/* "PORT" or "ADDRESS:PORT". */
bool ext_read_listen(const char *text, char *address, size_t address_size, int *port, struct err *e);

#endif
