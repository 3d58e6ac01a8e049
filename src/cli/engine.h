/* SPDX-License-Identifier: MIT
 *
 * Limits of `senjutsu engine`: its queue of lines, and what one TCP connection may use.
 */
#ifndef CLI_ENGINE_H
#define CLI_ENGINE_H

enum {
    ENGINE_QUEUE_MAX = 256,           /* lines that wait */
    ENGINE_QUEUE_BYTES_MAX = 1 << 20, /* and their bytes; one line is always taken */
    ENGINE_CONNECTIONS_MAX = 64,
    /* Of one connection: */
    ENGINE_PEER_MEMORY_MB = 64, /* of the players it chooses */
    ENGINE_PEER_SECONDS = 300,  /* one go or perft, unless --longest says otherwise */
    ENGINE_PEER_SECONDS_MAX = 86400,
    ENGINE_FAREWELL_MS = 3000,  /* it is still answered after the end of what it sends */
    ENGINE_PEER_SILENCE_S = 60, /* it neither takes an answer nor says that it lives */
};

#endif
