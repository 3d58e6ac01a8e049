/* SPDX-License-Identifier: MIT
 *
 * Option tables: one function reads them and one prints them, for every subcommand.
 */
#include "cli/cli.h"

#include "base/charset.h"
#include "base/mem.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { SENTENCE_MAX = 8192 };

/* A message may quote foreign files or programs, so control characters are removed. If memory ran out, that
 * may be the reason for whatever the sentence complains about. */
__attribute__((format(printf, 2, 0))) static void print_sentence(bool is_short, const char *format,
                                                                 va_list args) {
    char sentence[SENTENCE_MAX];
    struct text shown = {0};
    vsnprintf(sentence, sizeof sentence, format, args);
    charset_show_sentence(sentence, strlen(sentence), &shown);
    fprintf(stderr, "%s\n", text_string(&shown));
    if (is_short && strstr(sentence, "memory") == NULL)
        fputs("There was not enough memory, which may be the reason.\n", stderr);
    text_done(&shown);
}

int cli_fail(const struct cli_command *command, int status, const char *format, ...) {
    const bool is_short = errno == ENOMEM || mem_failures() > 0;
    fflush(stdout);
    fprintf(stderr, "senjutsu%s%s: ", command != NULL ? " " : "", command != NULL ? command->name : "");
    va_list args;
    va_start(args, format);
    print_sentence(is_short, format, args);
    va_end(args);
    if (status == CLI_USAGE && is_short)
        return CLI_FAILED;
    if (status == CLI_USAGE)
        fprintf(stderr, "Try 'senjutsu%s%s --help'.\n", command != NULL ? " " : "",
                command != NULL ? command->name : "");
    return status;
}

static void print_left(const struct param *p, const char *help, const char *fallback) {
    char name[SPEC_NAME_MAX], left[64];
    const char *value = param_value_name(p);
    param_option_name(p, name, sizeof name);
    snprintf(left, sizeof left, "--%s%s%s", name, value[0] != '\0' ? " " : "", value);
    printf("  %-24s %s", left, help);
    if (fallback[0] != '\0')
        printf(" [%s]", fallback);
    putchar('\n');
}

/* A default out of range, or 0 where the help explains it, stands for an option that is not given. */
static bool has_default(const struct param *p, const char *fallback) {
    double number;
    if (p->kind == PARAM_FLAG || p->kind == PARAM_CHOICES || p->kind == PARAM_GROUP ||
        p->help[strlen(p->help) - 1] == ']') /* the help names it */
        return false;
    return p->kind != PARAM_INT || (text_to_real(fallback, &number) && number >= p->low &&
                                    number <= p->high && (number > 0 || strstr(p->help, "default") == NULL));
}

static void print_row(const struct param *p, const void *options) {
    struct text value = {0}, help = {0};
    params_write_value(p, options, &value);
    if (!has_default(p, text_string(&value)))
        text_clear(&value);
    text_add(&help, "%s%s%s", p->kind == PARAM_CHOICE && p->value == NULL ? p->choices : "",
             p->kind == PARAM_CHOICE && p->value == NULL ? ": " : "", p->help);
    print_left(p, text_string(&help), text_string(&value));
    text_done(&value);
    text_done(&help);
}

static void print_section(const struct params *section) {
    for (const struct param *p = section->table; p->name != NULL; p++) {
        if (p->kind != PARAM_GROUP || p->parse != NULL)
            print_row(p, section->options);
        for (const struct param *row = p->rows; row != NULL && row->name != NULL; row++)
            if (row->option != NULL)
                print_row(row, (const char *)section->options + p->offset);
    }
}

static void print_help(const struct cli_command *command, const struct params *sections) {
    printf("usage: senjutsu %s %s\n\n%s\n", command->name, command->usage, command->summary);
    if (sections->table != NULL) {
        printf("\nOptions:\n");
        for (; sections->table != NULL; sections++)
            print_section(sections);
        printf("  %-24s %s\n", "--help", "this text");
    }
    if (command->examples != NULL)
        printf("\nExamples:\n%s", command->examples);
}

/* A command that has --rules but no --game answers --game with an explanation. */
static bool is_other_game(struct params *sections, const char *name, size_t length) {
    struct param_place place;
    return length == 4 && memcmp(name, "game", length) == 0 &&
           params_find_option(sections, "rules", 5, &place);
}

/* Handles argv[*i], which begins with "--"; may take argv[*i + 1] as its value. */
static bool read_option(struct params *sections, int argc, char **argv, int *i, struct err *e) {
    const char *name = argv[*i] + 2, *equals = strchr(name, '=');
    const size_t length = equals != NULL ? (size_t)(equals - name) : strlen(name);
    struct param_place place;
    if (!params_find_option(sections, name, length, &place))
        return err_set(e, "--%.*s is unknown%s", (int)length, name,
                       is_other_game(sections, name, length) ? ": only the tactical game is understood here"
                                                             : "");
    const struct param *p = place.row;
    if (p->kind == PARAM_FLAG)
        return equals == NULL ? params_set_option(&place, NULL, e)
                              : err_set(e, "--%.*s takes no value", (int)length, name);
    if (equals == NULL && *i + 1 >= argc)
        return err_set(e, "--%s needs a value: %s", name, param_value_name(p));
    const char *value = equals != NULL ? equals + 1 : argv[++*i];
    if (p->kind == PARAM_PLAYER || p->power == PARAM_SPEC)
        cli_typed_player(value);
    return params_set_option(&place, value, e);
}

static bool is_help(const char *argument) {
    return strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0;
}

/* Reads the arguments up to --help, where there is one. */
static bool read_arguments(struct params *sections, int argc, char **argv, struct cli_arguments *out,
                           struct err *e) {
    bool options_over = false;
    for (int i = 1; i < argc; i++) {
        if (!options_over && strcmp(argv[i], "--") == 0) {
            options_over = true;
        } else if (!options_over && is_help(argv[i])) {
            out->wants_help = true;
            return true;
        } else if (!options_over && strncmp(argv[i], "--", 2) == 0) {
            if (!read_option(sections, argc, argv, &i, e))
                return false;
        } else if (!options_over && argv[i][0] == '-' && argv[i][1] != '\0') {
            return err_set(e, "%s is unknown; options begin with two dashes", argv[i]);
        } else if (out->count == CLI_POSITIONAL_MAX) {
            return err_set(e, "more than %d arguments", CLI_POSITIONAL_MAX);
        } else {
            out->values[out->count++] = argv[i];
        }
    }
    return true;
}

void cli_apply(struct params *sections, int argc, char **argv) {
    struct cli_arguments unused = {0};
    const bool ok = read_arguments(sections, argc, argv, &unused, NULL);
    assert(ok);
    (void)ok;
}

bool cli_parse(const struct cli_command *command, struct params *sections, int argc, char **argv,
               struct cli_arguments *out, int *status) {
    struct cli_arguments read = {0};
    struct err e;
    assert(argc > 0);
    for (struct params *s = sections; s->table != NULL; s++)
        if (!s->has_values)
            params_default(s->table, s->options);
    *status = CLI_USAGE;
    if (!read_arguments(sections, argc, argv, &read, &e)) {
        cli_fail(command, CLI_USAGE, "%s", e.text);
    } else if (read.wants_help) {
        print_help(command, sections);
        *status = cli_finish_output(command) ? CLI_OK : CLI_FAILED;
    } else if (out == NULL && read.count > 0) {
        cli_fail(command, CLI_USAGE, "'%s' is not wanted here", read.values[0]);
    } else {
        *status = CLI_OK;
        if (out != NULL)
            *out = read;
        return true;
    }
    return false;
}

/* ---- verbs ---- */

static const char *verb_name(const struct cli_command *verb) {
    return strchr(verb->name, ' ') + 1;
}

static int print_verbs(const struct cli_command *self, const struct cli_command *verbs) {
    printf("usage: senjutsu %s %s\n\n%s\n\nVerbs ('senjutsu %s VERB --help' says more):\n", self->name,
           self->usage, self->summary, self->name);
    for (const struct cli_command *v = verbs; v->name != NULL; v++)
        printf("  %-8s %s\n", verb_name(v), v->summary);
    printf("\nExamples:\n");
    for (const struct cli_command *v = verbs; v->name != NULL; v++)
        printf("%.*s\n", (int)strcspn(v->examples, "\n"), v->examples);
    return cli_finish_output(self) ? CLI_OK : CLI_FAILED;
}

/* "list, show or draw" */
static void name_verbs(const struct cli_command *verbs, struct text *out) {
    for (const struct cli_command *v = verbs; v->name != NULL; v++) {
        const bool last = v > verbs && v[1].name == NULL;
        text_add(out, "%s%s", v == verbs ? "" : last ? " or " : ", ", verb_name(v));
    }
}

int cli_run_verb(const struct cli_command *self, const struct cli_command *verbs, int argc, char **argv) {
    assert(argc > 0);
    if (argc >= 2 &&
        (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0))
        return print_verbs(self, verbs);
    for (const struct cli_command *v = verbs; argc >= 2 && v->name != NULL; v++)
        if (strcmp(verb_name(v), argv[1]) == 0)
            return v->run(v, argc - 1, argv + 1);
    struct text names = {0};
    name_verbs(verbs, &names);
    const int status =
        argc < 2 ? cli_fail(self, CLI_USAGE, "needs a verb: %s", text_string(&names))
                 : cli_fail(self, CLI_USAGE, "'%s' is no verb; expected %s", argv[1], text_string(&names));
    text_done(&names);
    return status;
}
