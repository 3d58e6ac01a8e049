/* SPDX-License-Identifier: MIT
 *
 * Clocks of tables. Players are judged by their answers; a person who does not answer at all is found by
 * whoever comes to the table, and by a task that looks at all clocks while there are any. It also saves what
 * was not saved yet.
 */
#include "serve/table_work.h"

#include <time.h>

enum { TICK_MS = 100 };

int64_t table_now(const struct table *table) {
    return clock_now_ns(table->tables->bench->setup.clock);
}

int64_t table_spent(const struct table *table) {
    const int64_t spent = table_now(table) - table->decision_ns;
    return spent > 0 ? spent : 0;
}

void table_book(struct table *table, int side, int64_t spent_ns) {
    timing_spend(&table->clocks, &table->timing, side, spent_ns, table->referee.turn.taken == 0);
}

bool table_rule_late(struct table *table, int64_t spent_ns) {
    const struct ask_time time = timing_allow(&table->clocks, &table->timing, table_mover(table), 1);
    if (time.limit_ns == 0 || spent_ns <= time.limit_ns)
        return false;
    struct text reason = {0};
    text_add(&reason, "late, after %.2f s of %.2f s", (double)spent_ns * 1e-9, (double)time.limit_ns * 1e-9);
    table_fault(table, PLAYER_FAULT_LATE, text_string(&reason));
    text_done(&reason);
    return true;
}

static bool is_persons_clock(const struct table *table) {
    const int mover = table_mover(table);
    return mover != NOBODY && table->seats[mover].is_human && timing_is_limited(&table->timing);
}

void table_check_time(struct table *table) {
    if (is_persons_clock(table))
        table_rule_late(table, table_spent(table));
}

/* ---- the task ---- */

static bool needs_ticks(const struct tables *tables) {
    for (const struct table *table = tables->newest; table != NULL; table = table->next)
        if (table->is_waiting || table->is_changed || is_persons_clock(table) ||
            (tables->advisers == 0 && table_wants_advice(table)))
            return true;
    return false;
}

static void look_at_all(struct tables *tables) {
    for (struct table *table = tables->newest; table != NULL; table = table->next) {
        table_check_time(table);
        if (table->is_waiting)
            table_think(table);
        if (table->is_changed)
            table_settle(table);
    }
    tables_advise(tables);
}

static void tick(void *context) {
    struct tables *tables = context;
    const struct timespec pause = {.tv_nsec = TICK_MS * 1000000L};
    workbench_lock(tables->bench);
    while (!tables->is_stopping && needs_ticks(tables)) {
        look_at_all(tables);
        workbench_unlock(tables->bench);
        nanosleep(&pause, NULL);
        workbench_lock(tables->bench);
    }
    tables->is_ticking = false;
    workbench_unlock(tables->bench);
}

void tables_tick(struct tables *tables) {
    const struct crew_task task = {.run = tick, .context = tables, .owner = tables};
    if (tables->is_ticking || tables->is_stopping || tables->bench->setup.idle || !needs_ticks(tables))
        return;
    tables->is_ticking = crew_start(tables->bench->crew, &task, NULL);
}
