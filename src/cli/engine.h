/* SPDX-License-Identifier: MIT
 *
 * Limits of `senjutsu engine`: its queue of lines, and what one TCP connection may use.
 */
#ifndef CLI_ENGINE_H
#define CLI_ENGINE_H

enum {
    ENGINE_QUEUE_MAX = 256,           /* waiting lines */
    ENGINE_QUEUE_BYTES_MAX = 1 << 20, /* bytes of waiting lines; one line is always accepted */
    ENGINE_CONNECTIONS_MAX = 64,
    /* Limits of one connection: */
    ENGINE_PEER_MEMORY_MB = 64, /* for the players it selects */
    ENGINE_PEER_SECONDS = 300,  /* longest go or perft, unless --longest is given */
    ENGINE_PEER_SECONDS_MAX = 86400,
    ENGINE_FAREWELL_MS = 3000,  /* time to answer it after the end of its input */
    ENGINE_PEER_SILENCE_S = 60, /* time without accepted data or keep-alive, after which it is closed */
};

#endif
