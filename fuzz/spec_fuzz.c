/* SPDX-License-Identifier: MIT
 *
 * The first line is a spec string, each further line a key=value that is added to it. An accepted spec is
 * read against a table with every kind of parameter, written out and read again: the same values must come
 * back.
 */
#include "fuzz.h"

struct options {
    int whole, choice;
    double real;
    bool on;
};

static const struct param table[] = {
    {"whole", PARAM_INT, offsetof(struct options, whole), .low = -5, .high = 1e6, .fallback = 3,
     .help = "a number"},
    {"real", PARAM_REAL, offsetof(struct options, real), .low = -1e9, .high = 1e9, .fallback = 0.15,
     .help = "real"},
    {"on", PARAM_SWITCH, offsetof(struct options, on), .fallback = 1, .help = "a switch"},
    {"choice", PARAM_CHOICE, offsetof(struct options, choice), .choices = "one|two|three",
     .help = "one of three"},
    {0},
};

static bool same_options(const struct options *a, const struct options *b) {
    return a->whole == b->whole && a->choice == b->choice && a->on == b->on && !(a->real < b->real) &&
           !(a->real > b->real);
}

static void check_ranges(const struct options *o) {
    REQUIRE(o->whole >= -5 && o->whole <= 1000000);
    REQUIRE(o->real >= -1e9 && o->real <= 1e9);
    REQUIRE(o->choice >= 0 && o->choice <= 2);
}

static void check_spec(const struct spec *spec) {
    REQUIRE(spec->count >= 0 && spec->count <= SPEC_PAIRS_MAX);
    REQUIRE(strlen(spec->name) < SPEC_NAME_MAX);
    for (int i = 0; i < spec->count; i++) {
        const struct spec_pair *p = &spec->pairs[i];
        REQUIRE(p->key >= spec->storage && p->key < spec->storage + SPEC_TEXT_MAX);
        REQUIRE(p->value >= spec->storage && p->value + strlen(p->value) < spec->storage + SPEC_TEXT_MAX);
    }
}

static void check_values(const struct spec *spec) {
    struct options first, second;
    struct err e = {0};
    if (!params_read(table, spec, &first, &e)) {
        REQUIRE(e.text[0] != '\0');
        return;
    }
    check_ranges(&first);
    struct text written = {0};
    struct spec again;
    text_add_string(&written, spec->name);
    params_write(table, &first, &written);
    REQUIRE(spec_parse(text_string(&written), &again, &e));
    REQUIRE(params_read(table, &again, &second, &e));
    REQUIRE(same_options(&first, &second));
    text_done(&written);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1);
    REQUIRE(text != NULL);
    memcpy(text, data, size);
    text[size] = '\0';
    char *rest = strchr(text, '\n');
    if (rest != NULL)
        *rest++ = '\0';
    static struct spec spec;
    struct err e = {0};
    bool ok = spec_parse(text, &spec, &e);
    REQUIRE(ok || e.text[0] != '\0');
    while (ok && rest != NULL) {
        char *key = rest, *equals = strchr(rest, '=');
        if ((rest = strchr(rest, '\n')) != NULL)
            *rest++ = '\0';
        if (equals == NULL || (rest != NULL && equals > rest))
            continue;
        *equals = '\0';
        spec_add(&spec, key, equals + 1, &e); /* a refused value must leave the others unchanged */
    }
    if (ok) {
        check_spec(&spec);
        check_values(&spec);
    }
    free(text);
    return 0;
}
