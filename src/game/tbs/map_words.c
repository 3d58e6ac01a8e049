/* SPDX-License-Identifier: MIT */
#include "game/tbs/map_words.h"

#include "base/spec.h"
#include "game/tbs/map_random.h"

#include <string.h>

#define WEIGHT(key, terrain)                                                                                 \
    { .name = key, .kind = PARAM_INT, .offset = (terrain) * sizeof(int), .high = TBS_WEIGHT_MAX }

/* Terrain that is not named does not come: its fallback is 0. */
static const struct param terrain_weights[] = {
    WEIGHT("plain", TBS_PLAIN),       WEIGHT("wood", TBS_WOOD),
    WEIGHT("mountain", TBS_MOUNTAIN), WEIGHT("sea", TBS_SEA),
    WEIGHT("road", TBS_ROAD),         WEIGHT("fortress", TBS_FORTRESS),
    WEIGHT("wall", TBS_NO_ENTRY),     {0},
};

bool tbs_read_weights(const char *string, int weight[TBS_TERRAINS], struct err *e) {
    struct text whole = {0};
    text_add(&whole, "terrain:%s", string);
    struct spec spec;
    const bool ok =
        spec_parse(text_string(&whole), &spec, e) && params_read(terrain_weights, &spec, weight, e);
    text_done(&whole);
    return ok;
}

/* A type by its name or its letter; TBS_TYPES when there is none. */
static int find_type(const char *word) {
    for (int type = 0; type < TBS_TYPES; type++)
        if (word[0] == tbs_unit_types[type].mark && word[1] == '\0')
            return type;
    return tbs_type_find(word);
}

bool tbs_read_types(const char *string, unsigned *out, struct err *e) {
    char words[256];
    if (strlen(string) >= sizeof words)
        return err_set(e, "the list of types is too long");
    memcpy(words, string, strlen(string) + 1);
    char *pieces[4 * TBS_TYPES];
    const int count = text_split(words, ',', pieces, 4 * TBS_TYPES);
    if (count < 0)
        return err_set(e, "the list of types is too long");
    *out = 0;
    for (int i = 0; i < count; i++) {
        const int type = find_type(text_trim(pieces[i]));
        if (type == TBS_TYPES)
            return err_set(
                e,
                "unit '%.40s' is unknown; expected fighter (F), attacker (A), panzer (P), cannon (U), "
                "antiair (R) or infantry (I)",
                pieces[i]);
        *out |= 1U << type;
    }
    return true;
}

const struct tbs_rules *tbs_read_rules(const char *name, struct err *e) {
    struct text known = {0};
    const struct tbs_rules *found = NULL;
    for (const struct tbs_rules *r = tbs_rule_sets; r->name != NULL; r++) {
        if (strcmp(r->name, name) == 0)
            found = r;
        text_add(&known, "%s%s", r == tbs_rule_sets ? "" : ", ", r->name);
    }
    if (found == NULL)
        err_set(e, "rule set '%.64s' is unknown; known are %s", name, text_string(&known));
    text_done(&known);
    return found;
}
