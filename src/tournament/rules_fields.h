/* SPDX-License-Identifier: MIT
 *
 * Private to rules*.c: the fields of the rules as tables, and how messages about them begin.
 */
#ifndef TOURNAMENT_RULES_FIELDS_H
#define TOURNAMENT_RULES_FIELDS_H

#include "tournament/rules.h"

/* A field that is text, a name (of a rule set: lower-case letters, digits, '-' and '_'), or a spec (a name,
 * perhaps with options behind it). */
enum rules_word_kind { RULES_WORD_TEXT, RULES_WORD_NAME, RULES_WORD_SPEC };

struct rules_word {
    const char *key;
    size_t offset, size;
    enum rules_word_kind kind;
    bool may_be_empty;
};

/* Fields that are numbers, switches and choices, by the object they stand in. */
struct rules_group {
    const char *name; /* NULL: the rules themselves */
    const struct param *fields;
    size_t offset; /* of what the fields' own offsets count from */
};

enum { RULES_WORDS = 3, RULES_GROUPS = 6 };

extern const struct rules_word rules_words[RULES_WORDS];
extern const struct rules_group rules_groups[RULES_GROUPS]; /* the rules themselves first */

#define RULES_TIE_BREAKS_KEY "tie_breaks"

double rules_fetch(const struct rules_group *g, const struct param *p, const struct rules *rules);
void rules_store(const struct rules_group *g, const struct param *p, struct rules *rules, double value);

/* What is read, for messages. Without a text there are no lines, without a name nothing is put in front. */
struct rules_source {
    const char *name, *text;
    size_t size;
    struct err *e;
};

struct rules_place {
    const char *group, *key; /* group may be NULL */
};

/* Writes `name:line: "group.key"` and behind it the sentence; always false. */
bool rules_refuse(const struct rules_source *s, struct rules_place place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Somebody else's text for a message: on one line, and not too much of it. */
void rules_quote(char *out, size_t out_size, const char *text);

bool rules_check_word(const struct rules_source *s, const struct rules_word *w, const char *text,
                      size_t size);
bool rules_check_range(const struct rules_source *s, struct rules_place place, const struct param *p,
                       double value);
bool rules_check_tie_breaks(const struct rules_source *s, const struct rules *rules);
bool rules_check_contradictions(const struct rules_source *s, const struct rules *rules);

#endif
