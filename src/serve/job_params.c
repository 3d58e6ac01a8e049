/* SPDX-License-Identifier: MIT */
#include "serve/job_params.h"

#include "serve/ground.h"

bool job_real(const json_t *params, const char *key, struct job_range range, double *number,
              struct message_out *out) {
    const json_t *value = json_object_get(params, key);
    *number = range.fallback;
    if (value == NULL || json_is_null(value))
        return true;
    const double given = json_number_value(value);
    if (json_is_number(value) && given >= range.low && given <= range.high) {
        *number = given;
        return true;
    }
    message_fail(out, 400, key, "\"%s\": expected a number from %g to %g", key, range.low, range.high);
    return false;
}

bool job_player(struct workbench *bench, const json_t *params, struct job_role role, struct text *out,
                struct message_out *failure) {
    const char *spec;
    struct err e;
    if (!ground_text(params, role.key, role.usual, &spec, failure))
        return false;
    if (ground_check_player(bench, spec, out, &e))
        return true;
    message_fail(failure, 400, role.key, "%s", e.text);
    return false;
}

void job_take_failure(const struct message_out *failure, struct err *e) {
    json_t *body = json_loadb(text_string(&failure->body), failure->body.size, 0, NULL);
    const char *sentence = json_string_value(json_object_get(body, "error"));
    err_set(e, "%s", sentence != NULL ? sentence : "not enough memory");
    json_decref(body);
}

bool job_texts(const json_t *params, const char *key, int count_max, const json_t **list,
               struct message_out *out) {
    const json_t *given = json_object_get(params, key);
    *list = json_is_null(given) ? NULL : given;
    bool ok = *list == NULL || (json_is_array(given) && json_array_size(given) > 0 &&
                                json_array_size(given) <= (size_t)count_max);
    for (size_t i = 0; ok && i < json_array_size(*list); i++)
        ok = json_is_string(json_array_get(*list, i));
    if (!ok)
        message_fail(out, 400, key, "\"%s\": expected a list of 1 to %d texts", key, count_max);
    return ok;
}
