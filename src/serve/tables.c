/* SPDX-License-Identifier: MIT */
#include "serve/inside.h"

#include "base/mem.h"

struct tables {
    struct workbench *bench;
};

struct tables *tables_open(struct workbench *bench, struct err *e) {
    struct tables *tables = mem_alloc(sizeof *tables);
    if (tables == NULL) {
        err_set(e, "not enough memory");
        return NULL;
    }
    tables->bench = bench;
    return tables;
}

void tables_close(struct tables *tables) {
    mem_free(tables);
}

const struct route table_routes[] = {{MESSAGE_GET, NULL, NULL}};
