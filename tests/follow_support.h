/* SPDX-License-Identifier: MIT
 *
 * A reader of a workbench's stream, as a browser is one.
 */
#ifndef TESTS_FOLLOW_SUPPORT_H
#define TESTS_FOLLOW_SUPPORT_H

#include "net/message.h"
#include "tests/served_support.h"

struct follower {
    struct topic_reader reader;
    struct text text; /* everything that came */
    bool has_ended;
};

/* Asks for the stream at that path and takes what is there already. */
void follow(struct follower *follower, struct served *served, const char *path);
void follow_more(struct follower *follower); /* takes what has come since */
void follow_done(struct follower *follower);

/* The data of the event with that name and number (from 0; -1: the last); the caller's. NULL: none. */
json_t *followed(const struct follower *follower, const char *name, int number);

#endif
