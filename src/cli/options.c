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
int cli_fail(const struct cli_command *command, int status, const char *format, ...) {
    const bool is_short = errno == ENOMEM || mem_failures() > 0;
    const char *gap = command != NULL ? " " : "", *name = command != NULL ? command->name : "";
    char sentence[SENTENCE_MAX];
    struct text shown = {0};
    va_list args;
    va_start(args, format);
    vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    charset_show_sentence(sentence, strlen(sentence), &shown);
    fflush(stdout);
    fprintf(stderr, "senjutsu%s%s: %s\n", gap, name, text_string(&shown));
    text_done(&shown);
    if (is_short && strstr(sentence, "memory") == NULL)
        fputs("There was not enough memory, which may be the reason.\n", stderr);
    if (status == CLI_USAGE && is_short)
        return CLI_FAILED;
    if (status == CLI_USAGE)
        fprintf(stderr, "Try 'senjutsu%s%s --help'.\n", gap, name);
    return status;
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
    char name[SPEC_NAME_MAX], left[64];
    const char *of_value = param_value_name(p);
    const bool lists_choices = p->kind == PARAM_CHOICE && p->value == NULL;
    struct text value = {0};
    params_write_value(p, options, &value);
    param_option_name(p, name, sizeof name);
    snprintf(left, sizeof left, "--%s%s%s", name, of_value[0] != '\0' ? " " : "", of_value);
    printf("  %-24s %s%s%s", left, lists_choices ? p->choices : "", lists_choices ? ": " : "", p->help);
    if (value.size > 0 && has_default(p, text_string(&value)))
        printf(" [%s]", text_string(&value));
    putchar('\n');
    text_done(&value);
}

static void print_help(const struct cli_command *command, const struct params *sections) {
    printf("usage: senjutsu %s %s\n\n%s\n", command->name, command->usage, command->summary);
    if (sections->table != NULL)
        printf("\nOptions:\n");
    for (const struct params *s = sections; s->table != NULL; s++)
        for (const struct param *p = s->table; p->name != NULL; p++) {
            if (p->kind != PARAM_GROUP || p->parse != NULL)
                print_row(p, s->options);
            for (const struct param *row = p->rows; row != NULL && row->name != NULL; row++)
                if (row->option != NULL)
                    print_row(row, (const char *)s->options + p->offset);
        }
    if (sections->table != NULL)
        printf("  %-24s %s\n", "--help", "this text");
    if (command->examples != NULL)
        printf("\nExamples:\n%s", command->examples);
}

/* Handles argv[*i], which begins with "--"; may take argv[*i + 1] as its value. */
static bool read_option(struct params *sections, int argc, char **argv, int *i, struct err *e) {
    const char *name = argv[*i] + 2, *equals = strchr(name, '=');
    const size_t length = equals != NULL ? (size_t)(equals - name) : strlen(name);
    struct param_place place, rules;
    if (!params_find_option(sections, name, length, &place)) {
        /* A command that has --rules but no --game answers --game with an explanation. */
        const bool is_other_game = length == 4 && memcmp(name, "game", length) == 0 &&
                                   params_find_option(sections, "rules", 5, &rules);
        return err_set(e, "--%.*s is unknown%s", (int)length, name,
                       is_other_game ? ": only the tactical game is understood here" : "");
    }
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

/* Reads the arguments up to --help, where there is one. */
static bool read_arguments(struct params *sections, int argc, char **argv, struct cli_arguments *out,
                           struct err *e) {
    bool options_over = false;
    for (int i = 1; i < argc; i++) {
        const char *argument = argv[i];
        if (!options_over && strcmp(argument, "--") == 0) {
            options_over = true;
        } else if (!options_over && (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0)) {
            out->wants_help = true;
            return true;
        } else if (!options_over && strncmp(argument, "--", 2) == 0) {
            if (!read_option(sections, argc, argv, &i, e))
                return false;
        } else if (!options_over && argument[0] == '-' && argument[1] != '\0') {
            return err_set(e, "%s is unknown; options begin with two dashes", argument);
        } else if (out->count == CLI_POSITIONAL_MAX) {
            return err_set(e, "more than %d arguments", CLI_POSITIONAL_MAX);
        } else {
            out->values[out->count++] = argument;
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

int cli_run_verb(const struct cli_command *self, const struct cli_command *verbs, int argc, char **argv) {
    assert(argc > 0);
    if (argc >= 2 &&
        (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0))
        return print_verbs(self, verbs);
    for (const struct cli_command *v = verbs; argc >= 2 && v->name != NULL; v++)
        if (strcmp(verb_name(v), argv[1]) == 0)
            return v->run(v, argc - 1, argv + 1);
    struct text names = {0}; /* "list, show or draw" */
    for (const struct cli_command *v = verbs; v->name != NULL; v++)
        text_add(&names, "%s%s", v == verbs ? "" : v[1].name == NULL ? " or " : ", ", verb_name(v));
    const int status =
        argc < 2 ? cli_fail(self, CLI_USAGE, "needs a verb: %s", text_string(&names))
                 : cli_fail(self, CLI_USAGE, "'%s' is no verb; expected %s", argv[1], text_string(&names));
    text_done(&names);
    return status;
}
