/* SPDX-License-Identifier: MIT
 *
 * Progressive widening: how many children of a node may be visited, by the number of its simulations (Sato,
 * Fujiki and Ikeda, A.2.2). Two branches of the form floor(log_base((n + shift) / scale) + offset), the
 * second from `switch_at` on; at least one child is always open.
 */
#ifndef SEARCH_WIDENING_H
#define SEARCH_WIDENING_H

enum { WIDENING_STEPS = 256 };

struct widening_branch {
    double base, shift, scale, offset;
};

struct widening {
    int steps;
    int needs[WIDENING_STEPS]; /* the k-th further child opens at this many simulations; ascending. Beyond the
                                  last step all are open: nobody widens to hundreds one by one */
};

/* The paper's numbers: log_1.4(n / 40) + 2 up to 3000, log_1.2((n + 2000) / 45) - 11 beyond. */
extern const struct widening_branch widening_paper[2];
enum { WIDENING_PAPER_SWITCH = 3000 };

/* The formula itself; at least 1. */
int widening_count(const struct widening_branch branches[2], int switch_at, int simulations);

/* Tabulates it, so that a search needs no logarithm. */
void widening_init(struct widening *out, const struct widening_branch branches[2], int switch_at);

#endif
