/* SPDX-License-Identifier: MIT */
#include "serve/inside.h"

#include "base/mem.h"

struct analyses {
    struct workbench *bench;
};

struct analyses *analyses_open(struct workbench *bench, struct err *e) {
    struct analyses *analyses = mem_alloc(sizeof *analyses);
    if (analyses == NULL) {
        err_set(e, "not enough memory");
        return NULL;
    }
    analyses->bench = bench;
    return analyses;
}

void analyses_close(struct analyses *analyses) {
    mem_free(analyses);
}

const struct route analysis_routes[] = {{MESSAGE_GET, NULL, NULL}};
