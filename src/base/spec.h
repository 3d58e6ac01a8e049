/* SPDX-License-Identifier: MIT
 *
 * Spec strings: `name` or `name:key=value,key=value`. Players and games are named by them everywhere.
 *
 * Parameter tables: a row of `struct param` is the only description of an option. The same table is
 * read from a spec, from a command line and from JSON, prints help, describes itself to the page, and writes
 * the exact configuration into results.
 *
 * A value may be a list: a part without '=' continues the value before it (`values=A:100,F:1,depth=2`). It
 * may be a spec of its own in brackets: `player=[dlmc:turns=50,sims=20],then=pwuct`; the outermost brackets
 * are not part of the value.
 */
#ifndef BASE_SPEC_H
#define BASE_SPEC_H

#include "base/text.h"

#include <stddef.h>
#include <stdint.h>

struct json_t;

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

/* The number of characters at the beginning of the text that a name or a key may consist of. */
size_t spec_key_size(const char *text);

/* Adds one key=value to a parsed spec (used by the protocol's `newgame GAME key=value …`). */
bool spec_add(struct spec *spec, const char *key, const char *value, struct err *e);

/* The field that a row fills has the type in brackets. */
enum param_kind {
    PARAM_INT,    /* (int) a whole number from `low` to `high` */
    PARAM_REAL,   /* (double) a number from `low` to `high` */
    PARAM_SWITCH, /* (bool) yes/no, true/false, on/off, 1/0 */
    PARAM_CHOICE, /* (int) the index of one of `choices` */
    PARAM_TEXT,   /* (char[PARAM_TEXT_MAX], or char[high + 1] where `high` is set) a copy */
    PARAM_FLAG,   /* (bool) on a command line an option without a value */
    PARAM_U64,    /* (uint64_t) a seed, an amount of work */
    PARAM_STRING, /* (const char *) borrowed from argv or JSON; NULL: none */
    PARAM_PLAYER, /* the same: a player's spec. Typed on a command line, the player is granted what it does */
    PARAM_TEXTS,  /* (const json_t *) borrowed: a list of 1 to `high` texts; from JSON only */
    PARAM_JSON,   /* (const json_t *) borrowed: any value; from JSON only */
    PARAM_CHOICES, /* (int count, then int[high]) indices of different `choices`; "a,b" in text */
    PARAM_GROUP,   /* (a struct with the table `rows`) an object in JSON, a text for `parse` elsewhere */
};

/* What a value can make the program do besides computing. Code that reads the value from a file, a message or
 * a command line must not decide this alone: see player/player.h. */
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
    size_t offset;    /* of the field in the options struct */
    double low, high; /* both ends allowed */
    double
        fallback; /* default value (0/1 for a switch, index for a choice); may be out of range: not given */
    const char *choices; /* PARAM_CHOICE(S): "a|b|c"; texts: the default, NULL for none */
    const char *help;
    enum param_power power;
    bool is_explained;        /* the help text says what the default stands for: --help adds no value */
    const char *value;        /* the value's name in help: "FILE"; NULL: a name for its kind */
    const char *option;       /* the name on a command line and in requests, where it is not `name` */
    const struct param *rows; /* PARAM_GROUP; those with an `option` are options of the command line, too */
    bool (*parse)(const char *text, void *field,
                  struct err *e); /* PARAM_GROUP: reads the whole from a text */
};

/* The seed of a command or a request. */
#define PARAM_SEED_ROW(at) "seed", PARAM_U64, (at), .fallback = 1, .help = "everything random follows from it"

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

/* One "name=value" a line, every parameter. */
void params_write_all(const struct param *table, const void *options, struct text *out);

/* One line a parameter: name, kind and range, default, help. */
void params_help(const struct param *table, const char *indent, struct text *out);

/* A list with the description of each row for scripts and the page ("Param" in docs/http-api.md): name, kind,
 * default (or the value in `options`, when that is not NULL), help, choices, low and high. */
struct json_t *params_describe(const struct param *table, const void *options);

/* ---- readers of command lines and of JSON ---- */

enum { PARAMS_ROWS_MAX = 64 };

/* A table with the struct that it fills. Readers take a list of these, ended by a NULL table, and look a name
 * up in each of them. They store what is given, and leave the other fields alone: params_default first. */
struct params {
    const struct param *table;
    void *options;
    uint64_t given;  /* bit i: row i was given; of a group: one of its rows */
    bool has_values; /* `options` hold values already: the command line sets no defaults */
};

/* Was the row of this name given? */
bool params_given(const struct params *p, const char *name);

/* Sets one parameter by name from text, as params_set does, and notes that it was given. */
bool params_give(struct params *p, const char *name, const char *value, struct err *e);

/* Copies the given fields to another struct of the same table, which has no groups. */
void params_copy_given(const struct params *p, void *to);

/* A row that was found by its name, and its field. */
struct param_place {
    const struct param *row;
    struct params *section;
    int index; /* of the row, or of its group, in the section's table */
    void *field;
};

/* Finds an option by the name without dashes, `length` characters of it. */
bool params_find_option(struct params *sections, const char *name, size_t length, struct param_place *out);

/* Sets an option; `value` is NULL for PARAM_FLAG. On false the sentence begins with the option. */
bool params_set_option(const struct param_place *place, const char *value, struct err *e);

/* The name of a row on a command line, and of its value in help: "maps-per-pairing", "N". */
void param_option_name(const struct param *p, char *out, size_t out_size);
const char *param_value_name(const struct param *p);

/* Reads the members of an object; NULL and null count as missing. Unknown members are refused. On false the
 * sentence and e->field name the member ("points.win" in a group). */
bool params_read_json(struct params *sections, const struct json_t *object, struct err *e);

/* The refusal of a member that no row has; `known` are the names it could have, for the sentence. */
bool params_refuse_name(const char *name, const char *known, struct err *e);

/* Writes all fields as a JSON object that params_read_json reads: a member a line, groups on one line. */
void params_write_json(const struct param *table, const void *options, struct text *out);

/* Is every number in its range, every index one of the choices, every text UTF-8 without control characters?
 * For options that were changed after reading. The sentence is params_read_json's. */
bool params_check_ranges(const struct param *table, const void *options, struct err *e);

#endif
