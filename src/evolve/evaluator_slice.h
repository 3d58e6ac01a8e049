/* SPDX-License-Identifier: MIT
 *
 * Private to the evaluator: some jobs with the maps they are played on, in one piece; and as bytes, which is
 * how the ranks of a cluster are told of them.
 */
#ifndef EVOLVE_EVALUATOR_SLICE_H
#define EVOLVE_EVALUATOR_SLICE_H

#include "base/text.h"
#include "evolve/trial_store.h"

/* So many at once: what travels stays far below POOL_PACKED_MAX. */
enum { SLICE_JOBS_MAX = 65536, SLICE_MAPS_MAX = 4096 };

struct job {
    struct trial_key key;
    int map;  /* counted over all maps of a call; those of a slice follow each other */
    int slot; /* where the result belongs on rank 0 */
};

struct slice {
    int map_first, map_count; /* jobs have maps map_first … map_first + map_count - 1 */
    const struct tbs_map *const *maps;
    int job_count;
    const struct job *jobs;
};

void slice_pack(const struct slice *slice, struct text *out);

/* A slice with memory of its own. False when memory ran out or the bytes are no slice. */
struct own_slice {
    struct slice slice;
    struct tbs_map *maps;
    const struct tbs_map **map_list;
    struct job *jobs;
};

bool slice_unpack(const struct text *bytes, struct own_slice *out, struct err *e);
void own_slice_done(struct own_slice *own); /* also after slice_unpack failed */

#endif
