/* SPDX-License-Identifier: MIT
 *
 * All ranks are the same program on the same kind of machine, so structs travel as they are.
 */
#include "evolve/evaluator_slice.h"

#include "base/mem.h"
#include "pool/pool.h"

#include <string.h>

struct header {
    int map_first, map_count, job_count;
};

_Static_assert(SLICE_JOBS_MAX * sizeof(struct job) + SLICE_MAPS_MAX * sizeof(struct tbs_map) +
                       sizeof(struct header) <=
                   POOL_PACKED_MAX,
               "a slice can be shared");

void slice_pack(const struct slice *slice, struct text *out) {
    const struct header header = {slice->map_first, slice->map_count, slice->job_count};
    text_clear(out);
    text_add_bytes(out, (const char *)&header, sizeof header);
    for (int i = 0; i < slice->map_count; i++)
        text_add_bytes(out, (const char *)slice->maps[i], sizeof *slice->maps[i]);
    text_add_bytes(out, (const char *)slice->jobs, (size_t)slice->job_count * sizeof *slice->jobs);
}

static bool is_whole(const struct text *bytes, const struct header *h) {
    return h->map_first >= 0 && h->map_count >= 1 && h->map_count <= SLICE_MAPS_MAX && h->job_count >= 1 &&
           h->job_count <= SLICE_JOBS_MAX &&
           bytes->size == sizeof *h + (size_t)h->map_count * sizeof(struct tbs_map) +
                              (size_t)h->job_count * sizeof(struct job);
}

static bool have_maps(const struct own_slice *own) {
    const struct slice *s = &own->slice;
    for (int i = 0; i < s->job_count; i++) {
        const struct job *j = &s->jobs[i];
        if (j->map < s->map_first || j->map - s->map_first >= s->map_count || j->key.kind >= TRIAL_KINDS)
            return false;
    }
    return true;
}

bool slice_unpack(const struct text *bytes, struct own_slice *out, struct err *e) {
    struct header h = {0};
    *out = (struct own_slice){0};
    if (bytes->size >= sizeof h)
        memcpy(&h, bytes->data, sizeof h);
    if (!is_whole(bytes, &h))
        return err_set(e, "rank 0 sent %zu bytes in place of games to play", bytes->size);
    const size_t maps_size = (size_t)h.map_count * sizeof *out->maps;
    const size_t jobs_size = (size_t)h.job_count * sizeof *out->jobs;
    out->maps = mem_alloc(maps_size);
    out->map_list = mem_alloc((size_t)h.map_count * sizeof *out->map_list);
    out->jobs = mem_alloc(jobs_size);
    if (out->maps == NULL || out->map_list == NULL || out->jobs == NULL)
        return err_set(e, "not enough memory for %d maps", h.map_count);
    /* Copies, because text promises no alignment. */
    memcpy(out->maps, bytes->data + sizeof h, maps_size);
    memcpy(out->jobs, bytes->data + sizeof h + maps_size, jobs_size);
    for (int i = 0; i < h.map_count; i++)
        out->map_list[i] = &out->maps[i];
    out->slice = (struct slice){h.map_first, h.map_count, out->map_list, h.job_count, out->jobs};
    return have_maps(out) || err_set(e, "rank 0 sent games on maps that it did not send");
}

void own_slice_done(struct own_slice *own) {
    mem_free(own->maps);
    mem_free(own->map_list);
    mem_free(own->jobs);
    *own = (struct own_slice){0};
}
