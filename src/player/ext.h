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
    EXT_QUOTE_MAX = 100,      /* of what it said, in a reason */
};

struct ext_options {
    char cmd[PARAM_TEXT_MAX], host[PARAM_TEXT_MAX], listen[PARAM_TEXT_MAX], options[PARAM_TEXT_MAX];
    int port, wait_s, timeout_ms, start_ms;
    bool turn;
};

/* Starts it, connects to it, or waits for it, as its options say. A shortage of ours is borne for a while
 * (LINK_SHORTAGE_MS). NULL, a reason and errno when it cannot be done. */
struct link *ext_open_link(const struct ext_options *options, const struct link_wait *wait,
                           const struct link_wait *guest_wait, struct err *e);

/* "PORT" or "ADDRESS:PORT". */
bool ext_read_listen(const char *text, char *address, size_t address_size, int *port, struct err *e);

#endif
