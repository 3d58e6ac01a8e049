/* SPDX-License-Identifier: MIT
 *
 * Grants as lines of text, and the lines that a spec and the specs nested in it need.
 */
#include "player/grant.h"

#include "base/charset.h"
#include "player/players.h"

#include <assert.h>
#include <string.h>

const struct grant grant_everything = {.powers = ~0U};

static const char *const deeds[PARAM_POWERS] = {
    [PARAM_UNSAID] = "does what its table does not say", /* an error in a table of this program */
    [PARAM_STARTS] = "starts a program",
    [PARAM_CONNECTS] = "opens a connection",
    [PARAM_READS] = "reads a file",
    [PARAM_WRITES] = "writes a file",
};

static bool has_line(const struct text *lines, const char *line) {
    const size_t size = strlen(line);
    for (const char *at = text_string(lines); *at != '\0'; at = strchr(at, '\n') + 1)
        if (strncmp(at, line, size) == 0)
            return true;
    return false;
}

/* Appends the player's line to `out` when the grant lacks it: "ext:cmd=./bot (starts a program)" and a line
 * end. The values are written as in a spec and shown so that different values look different: comparing lines
 * compares everything. */
static bool lacks(const struct grant *grant, const struct player_type *type, const void *options,
                  struct text *out) {
    const unsigned powers = params_powers(type->params, options);
    struct text spec = {0}, line = {0};
    if (powers == 0 || (grant != NULL && (powers & ~grant->powers) == 0))
        return false;
    text_add_string(&spec, type->name);
    params_write_powers(type->params, options, &spec);
    charset_show(text_string(&spec), spec.size, &line);
    const char *before = " (";
    for (int i = 0; i < PARAM_POWERS; i++)
        if ((powers >> i & 1) != 0) {
            text_add(&line, "%s%s", before, deeds[i]);
            before = ", ";
        }
    text_add_string(&line, ")\n");
    const bool lacking = grant == NULL || !has_line(&grant->lines, text_string(&line));
    if (lacking && !has_line(out, text_string(&line)))
        text_add_string(out, text_string(&line));
    text_done(&spec);
    text_done(&line);
    return lacking;
}

static bool refuse(const struct text *lines, struct err *e) {
    const char *first = text_string(lines);
    return err_set(e, "needs leave, by the same player on the command line or by --programs: %.*s",
                   (int)strcspn(first, "\n"), first);
}

bool grant_allows_options(const struct grant *grant, const struct player_type *type, const void *options,
                          struct err *e) {
    struct text line = {0};
    const bool lacking = lacks(grant, type, options, &line);
    if (lacking)
        refuse(&line, e);
    text_done(&line);
    return !lacking;
}

bool grant_missing(const struct grant *grant, const char *spec, struct text *out, struct err *e) {
    union player_options options;
    const struct player_type *type = player_read(spec, &options, e);
    if (type == NULL)
        return false;
    lacks(grant, type, &options, out);
    for (const struct param *p = type->params; p != NULL && p->name != NULL; p++) {
        assert(p->power != PARAM_SPEC || p->kind == PARAM_TEXT);
        if (p->power == PARAM_SPEC && !grant_missing(grant, (const char *)options.bytes + p->offset, out, e))
            return false;
    }
    return true;
}

bool grant_allows(const struct grant *grant, const char *spec, struct err *e) {
    struct text missing = {0};
    bool ok = grant_missing(grant, spec, &missing, e);
    if (ok && missing.size > 0)
        ok = refuse(&missing, e);
    text_done(&missing);
    return ok;
}

bool grant_add(struct grant *grant, const char *spec, struct err *e) {
    struct text missing = {0};
    const bool ok = grant_missing(grant, spec, &missing, e);
    if (ok)
        text_add_bytes(&grant->lines, text_string(&missing), missing.size);
    text_done(&missing);
    return ok;
}

void grant_done(struct grant *grant) {
    text_done(&grant->lines);
    *grant = (struct grant){0};
}
