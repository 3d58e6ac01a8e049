/* SPDX-License-Identifier: MIT
 *
 * The external player's inside: a conversation in the engine protocol (docs/protocol.md) with a program or a
 * peer, and what it was told so far. For ext.c, which decides what is said, and ext_talk.c, which says it.
 */
#ifndef PLAYER_EXT_H
#define PLAYER_EXT_H

#include "link/link.h"
#include "player/plan.h"
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

struct ext {
    struct player player; /* first member */
    struct ext_options options;
    const struct game *game;

    struct link *link;      /* NULL: nobody is there */
    bool takes_seed;        /* it has an option of that name */
    struct text commands;   /* to be sent together, each of which is answered with ok */
    struct text sent, tail; /* of the last one that is gone */

    bool in_game; /* what it was told: */
    const struct scenario *scenario;
    uint64_t id;
    int side;
    action *told;
    int told_count, told_capacity;
    _Alignas(16) unsigned char state[GAME_STATE_MAX]; /* after all of that */

    struct plan plan; /* the rest of a turn it has decided on */
};

/* One decision under way. */
struct ext_ask {
    struct ext *ext;
    const struct ask *ask;
    struct answer *out;
    struct link_wait wait; /* until when */
    int64_t allowed_ms;    /* which is that long */
    uint64_t bytes_before; /* received before this answer */
    bool stopped;          /* somebody here does not want the answer any more */
};

/* Gives it `ms` milliseconds from now. */
void ext_allow(struct ext_ask *a, int64_t ms);

/* Names the fault and returns false. */
bool ext_fault(struct ext_ask *a, enum player_fault fault, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Says that it is not the player who failed, and returns false. */
bool ext_shortage(struct ext_ask *a, int cause);

/* Starts it, or finds it, and makes its acquaintance. */
bool ext_meet(struct ext_ask *a);

/* Sends the commands that are collected and wants an ok to each. */
bool ext_tell(struct ext_ask *a);

/* Sends a go; `best` gets what is behind the word. */
bool ext_go(struct ext_ask *a, const char *command, struct text *best);

/* Starts it, connects to it, or waits for it, as its options say. A shortage of ours is borne for a while
 * (LINK_SHORTAGE_MS). NULL, a reason and errno when it cannot be done. */
struct link *ext_open_link(const struct ext_options *options, const struct link_wait *wait,
                           const struct link_wait *guest_wait, struct err *e);

/* "PORT" or "ADDRESS:PORT". */
bool ext_read_listen(const char *text, char *address, size_t address_size, int *port, struct err *e);

/* Ends it, with `grace_ms` for a farewell; what was said is kept. */
void ext_drop(struct ext *p, int grace_ms);

#endif
