/* SPDX-License-Identifier: MIT */
#include "serve/inside.h"

#include "base/mem.h"

struct jobs {
    struct workbench *bench;
};

struct jobs *jobs_open(struct workbench *bench, struct err *e) {
    struct jobs *jobs = mem_alloc(sizeof *jobs);
    if (jobs == NULL) {
        err_set(e, "not enough memory");
        return NULL;
    }
    jobs->bench = bench;
    return jobs;
}

void jobs_close(struct jobs *jobs) {
    mem_free(jobs);
}

const struct route job_routes[] = {{MESSAGE_GET, NULL, NULL}};
