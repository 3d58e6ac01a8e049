/* SPDX-License-Identifier: MIT
 *
 * Spec strings: `name` or `name:key=value,key=value`. Players and games are named by them everywhere. A table
 * of `struct param` defines the keys: it reads values into a struct, checks ranges, prints help and writes
 * the exact configuration into results.
 *
 * A value may be a list: a part without '=' continues the value before it (`values=A:100,F:1,depth=2`). It
 * may be a spec of its own in brackets: `player=[dlmc:turns=50,sims=20],then=pwuct`; the outermost brackets
 * are not part of the value.
 */
#ifndef BASE_SPEC_H
#define BASE_SPEC_H

#include "base/err.h"
#include "base/text.h"

#include <stddef.h>

enum { SPEC_NAME_MAX = 32, SPEC_TEXT_MAX = 512, SPEC_PAIRS_MAX = 24, PARAM_TEXT_MAX = 400 };

struct spec_pair {
    const char *key, *value; /* point into the spec's own storage */
};

struct spec {
    const char *name;
    int count;
    struct spec_pair pairs[SPEC_PAIRS_MAX];
    char storage[SPEC_TEXT_MAX];
};

/* A spec points into itself: fill it in place, never copy it by assignment. */
bool spec_parse(const char *string, struct spec *out, struct err *e);

/* Adds one key=value to a parsed spec (used by the protocol's `newgame GAME key=value …`). */
bool spec_add(struct spec *spec, const char *key, const char *value, struct err *e);

enum param_kind {
    PARAM_INT,    /* int */
    PARAM_REAL,   /* double */
    PARAM_SWITCH, /* bool; yes/no, true/false, on/off, 1/0 */
    PARAM_CHOICE, /* int: index into `choices` */
    PARAM_TEXT,   /* char[PARAM_TEXT_MAX] */
};

/* What a value can make the program do besides computing. Code that reads the value from a file, a message or
 * a command line must not decide this alone: see player/grant.h. */
enum param_power {
    PARAM_UNSAID,   /* nothing; a row for a text must name one of the others, otherwise it is refused */
    PARAM_WORD,     /* nothing: a word, a list of words or numbers */
    PARAM_SPEC,     /* a spec of its own: whatever the player that it names does */
    PARAM_STARTS,   /* starts a program, or is a part of its command */
    PARAM_CONNECTS, /* opens a connection, or waits for one */
    PARAM_READS,    /* reads a file */
    PARAM_WRITES,   /* writes a file */
    PARAM_POWERS,
};

struct param {
    const char *name;
    enum param_kind kind;
    size_t offset;       /* of the field in the options struct */
    double low, high;    /* PARAM_INT and PARAM_REAL: both ends allowed */
    double fallback;     /* default value (0/1 for a switch, index for a choice) */
    const char *choices; /* PARAM_CHOICE: "a|b|c"; PARAM_TEXT: the default, NULL for none */
    const char *help;
    enum param_power power;
};

/* Tables end with an entry whose name is NULL; a NULL table means "no options". */
void params_default(const struct param *table, void *options);
bool params_read(const struct param *table, const struct spec *spec, void *options, struct err *e);

/* Checks the spec as params_read would, without storing values. */
bool params_check(const struct param *table, const struct spec *spec, struct err *e);

/* Sets one parameter by name; on false the sentence names it and what was expected. */
bool params_set(const struct param *table, const char *name, const char *value, void *options, struct err *e);

/* Writes ":key=value,…" for all parameters that differ from their defaults (nothing when none does). */
void params_write(const struct param *table, const void *options, struct text *out);

/* True when the parameter needs a grant if it differs from its default. */
bool param_is_powerful(const struct param *p);

/* The powers that these options use, a bit each: 1 << PARAM_STARTS and so on. 0: none. */
unsigned params_powers(const struct param *table, const void *options);

/* As params_write, but only parameters that need a grant. */
void params_write_powers(const struct param *table, const void *options, struct text *out);

/* The value of one parameter in the form that params_set reads. */
void params_write_value(const struct param *p, const void *options, struct text *out);

/* Its default, in the same form. */
void params_write_default(const struct param *p, struct text *out);

/* One "name=value" a line, every parameter. */
void params_write_all(const struct param *table, const void *options, struct text *out);

/* One line a parameter: name, kind and range, default, help. */
void params_help(const struct param *table, const char *indent, struct text *out);

#endif
