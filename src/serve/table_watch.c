/* SPDX-License-Identifier: MIT
 *
 * The streams of a table: one for each audience that somebody belongs to. A stream is opened when its first
 * reader comes and lives as long as the game; that of a finished game tells all at once, and ends.
 */
#include "serve/table_work.h"

#include "net/topic.h"
#include "serve/table_show.h"

#include <stdlib.h>

static const struct topic_limits limits = {.events_max = 2048, .bytes_max = 32 << 20};

static void add_table(struct table *table, enum table_audience audience, struct topic *topic, bool is_base) {
    struct text text = {0};
    table_write(table, audience, &text);
    if (text.failed)
        topic_end(topic); /* whoever follows it comes again */
    else if (is_base)
        topic_add_base(topic, "table", text_string(&text));
    else
        topic_add(topic, "table", text_string(&text), true);
    text_done(&text);
}

struct topic *table_stream(struct table *table, enum table_audience audience) {
    if (table->topics[audience] != NULL)
        return topic_hold(table->topics[audience]);
    struct topic *topic = topic_open(&limits);
    if (topic == NULL)
        return NULL;
    add_table(table, audience, topic, false);
    table->topics[audience] = topic;
    return topic_hold(topic);
}

void table_end_streams(struct table *table) {
    for (int i = 0; i < AUDIENCES; i++) {
        if (table->topics[i] != NULL)
            topic_end(table->topics[i]);
        topic_drop(table->topics[i]);
        table->topics[i] = NULL;
    }
}

int table_readers(const struct table *table) {
    int count = 0;
    for (int i = 0; i < AUDIENCES; i++)
        count += table->topics[i] != NULL ? topic_readers(table->topics[i]) : 0;
    return count;
}

void table_tell_all(struct table *table) {
    for (int i = 0; i < AUDIENCES; i++)
        if (table->topics[i] != NULL)
            add_table(table, (enum table_audience)i, table->topics[i], false);
}

/* Newcomers do not have to go through a whole long game. */
static void shorten(struct table *table, enum table_audience audience) {
    if (topic_wants_base(table->topics[audience]))
        add_table(table, audience, table->topics[audience], true);
}

static void tell_step_to(struct table *table, enum table_audience audience) {
    struct topic *topic = table->topics[audience];
    struct text text = {0};
    table_write_step(table, audience, &text);
    if (text.failed)
        topic_end(topic);
    else
        topic_add(topic, "step", text_string(&text), false);
    text_done(&text);
    shorten(table, audience);
}

/* Two people at one screen: what may be seen changes with who is to move, of the past as well. */
void table_tell_step(struct table *table) {
    for (int i = 0; i < AUDIENCES; i++) {
        if (table->topics[i] == NULL)
            continue;
        if (i == AUDIENCE_BOTH && table_hides(table))
            add_table(table, AUDIENCE_BOTH, table->topics[i], false);
        else
            tell_step_to(table, (enum table_audience)i);
    }
}

/* Something that is the same for all audiences; drops the data. */
static void tell(struct table *table, const char *name, json_t *data, bool is_status) {
    char *dump = data != NULL ? json_dumps(data, JSON_COMPACT | JSON_REAL_PRECISION(6)) : NULL;
    json_decref(data);
    for (int i = 0; i < AUDIENCES && dump != NULL; i++) {
        if (table->topics[i] == NULL)
            continue;
        if (is_status)
            topic_set(table->topics[i], name, dump);
        else
            topic_add(table->topics[i], name, dump, false);
        shorten(table, (enum table_audience)i);
    }
    free(dump);
}

void table_tell_chance(struct table *table, int ply) {
    tell(table, "chance", json_pack("{si sf}", "ply", ply, "chance", table->steps[ply - 1].chance), false);
}

void table_tell_offer(struct table *table) {
    tell(table, "offer",
         json_pack("{so}", "side", table->offer == NOBODY ? json_null() : json_integer(table->offer)), false);
}

void table_tell_unsaved(struct table *table) {
    tell(table, "unsaved", json_pack("{so}", "unsaved", table_unsaved_json(table)), false);
}

void table_tell_thinking(struct table *table, json_t *thoughts) {
    tell(table, "thinking",
         json_pack("{si so so}", "side", table_mover(table), "thoughts", thoughts, "clocks",
                   table_clocks_json(table)),
         true);
}
