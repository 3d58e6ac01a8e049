/* SPDX-License-Identifier: MIT */
#include "net/geister_log.h"

#include <stdio.h>

void geister_log_write(const struct geister_table *t, bool official, struct text *out) {
    text_add_bytes(out, text_string(&t->log), t->log.size);
    out->failed = out->failed || t->log.failed;
    if (t->fault != PLAYER_FAULT_NONE && official)
        return;
    if (t->fault != PLAYER_FAULT_NONE)
        text_add(out, "fault=%d,%s: %s\n", t->culprit == NOBODY ? 2 : t->culprit,
                 player_fault_names[t->fault], t->reason);
    if (t->winner != NOBODY)
        text_add(out, "winner=%d\n", t->winner);
}

/* Reds that were chosen before the other's, and stayed alone, are no action yet: the first player's come
 * first. */
static int actions_known(const struct geister_table *t) {
    return t->count > 0 ? t->count : t->has_set[0] ? 1 : 0;
}

bool geister_log_record(const struct geister_table *t, const char *const players[2], struct record *out,
                        struct err *e) {
    const char *const *names = geister_game.text->side_names;
    record_describe(out, t->terms->scenario, players);
    for (int i = 0; i < actions_known(t); i++)
        if (!record_add(out, t->played[i], (double)t->milliseconds[i], e))
            return false;
    geister_table_result(t, out->result, sizeof out->result);
    if (t->culprit != NOBODY)
        snprintf(out->comment, sizeof out->comment, "%s forfeits: %s", names[t->culprit], t->reason);
    else if (t->fault != PLAYER_FAULT_NONE)
        snprintf(out->comment, sizeof out->comment, "%s", t->reason);
    else if (t->winner == NOBODY)
        snprintf(out->comment, sizeof out->comment, "the server was stopped");
    return !out->map.failed || err_set(e, "not enough memory for the record");
}
