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
    fprintf(stderr, "%s\n", shown.failed ? "not enough memory" : text_string(&shown));
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

static void print_option(const struct cli_option *o) {
    char left[64];
    snprintf(left, sizeof left, "--%s%s%s", o->name, o->kind == CLI_FLAG ? "" : " ",
             o->kind == CLI_FLAG ? "" : o->value_name);
    printf("  %-24s %s", left, o->help);
    if (o->kind == CLI_INT && *(int *)o->target > 0)
        printf(" [%d]", *(int *)o->target);
    else if (o->kind == CLI_U64)
        printf(" [%llu]", (unsigned long long)*(uint64_t *)o->target);
    else if (o->kind == CLI_REAL)
        printf(" [%g]", *(double *)o->target);
    else if ((o->kind == CLI_TEXT || o->kind == CLI_PLAYER) && *(const char **)o->target != NULL)
        printf(" [%s]", *(const char **)o->target);
    putchar('\n');
}

static void print_help(const struct cli_command *command, const struct cli_option *options) {
    printf("usage: senjutsu %s %s\n\n%s\n", command->name, command->usage, command->summary);
    if (options != NULL && options->name != NULL) {
        printf("\nOptions:\n");
        for (const struct cli_option *o = options; o->name != NULL; o++)
            print_option(o);
        printf("  %-24s %s\n", "--help", "this text");
    }
    if (command->examples != NULL)
        printf("\nExamples:\n%s", command->examples);
}

static bool store_int(const struct cli_option *o, const char *value) {
    long number;
    if (!text_to_int(value, &number) || (double)number < o->low || (double)number > o->high)
        return false;
    *(int *)o->target = (int)number;
    return true;
}

static bool store_u64(const struct cli_option *o, const char *value) {
    unsigned long long number;
    if (!text_to_u64(value, &number))
        return false;
    *(uint64_t *)o->target = number;
    return true;
}

static bool store_real(const struct cli_option *o, const char *value) {
    double number;
    if (!text_to_real(value, &number) || number < o->low || number > o->high)
        return false;
    *(double *)o->target = number;
    return true;
}

static bool store(const struct cli_command *command, const struct cli_option *o, const char *value) {
    if (o->given != NULL)
        *o->given = true;
    switch (o->kind) {
    case CLI_FLAG: *(bool *)o->target = true; return true;
    case CLI_PLAYER: cli_typed_player(value); /* fall through */
    case CLI_TEXT: *(const char **)o->target = value; return true;
    case CLI_INT:
        if (store_int(o, value))
            return true;
        cli_fail(command, CLI_USAGE, "--%s %s: expected a whole number from %.0f to %.0f", o->name, value,
                 o->low, o->high);
        return false;
    case CLI_U64:
        if (store_u64(o, value))
            return true;
        cli_fail(command, CLI_USAGE, "--%s %s: expected a whole number, 0 or more", o->name, value);
        return false;
    case CLI_REAL:
        if (store_real(o, value))
            return true;
        cli_fail(command, CLI_USAGE, "--%s %s: expected a number from %g to %g", o->name, value, o->low,
                 o->high);
        return false;
    }
    return false;
}

static const struct cli_option *find(const struct cli_option *options, const char *name, size_t length) {
    for (const struct cli_option *o = options; o != NULL && o->name != NULL; o++)
        if (strlen(o->name) == length && strncmp(o->name, name, length) == 0)
            return o;
    return NULL;
}

/* A command that has --rules but no --game answers --game with an explanation. */
static bool is_other_game(const struct cli_option *options, const char *name, size_t length) {
    return length == 4 && memcmp(name, "game", length) == 0 && find(options, "rules", 5) != NULL;
}

/* Handles argv[*i], which begins with "--"; may take argv[*i + 1] as its value. */
static bool parse_one(const struct cli_command *command, const struct cli_option *options, int argc,
                      char **argv, int *i) {
    const char *name = argv[*i] + 2;
    const char *equals = strchr(name, '=');
    const size_t length = equals != NULL ? (size_t)(equals - name) : strlen(name);
    const struct cli_option *o = find(options, name, length);
    if (o == NULL) {
        cli_fail(command, CLI_USAGE, "--%.*s is unknown%s", (int)length, name,
                 is_other_game(options, name, length) ? ": only the tactical game is understood here" : "");
        return false;
    }
    if (o->kind == CLI_FLAG) {
        if (equals == NULL)
            return store(command, o, NULL);
        cli_fail(command, CLI_USAGE, "--%s takes no value", o->name);
        return false;
    }
    if (equals != NULL)
        return store(command, o, equals + 1);
    if (*i + 1 >= argc) {
        cli_fail(command, CLI_USAGE, "--%s needs a value: %s", o->name, o->value_name);
        return false;
    }
    *i += 1;
    return store(command, o, argv[*i]);
}

bool cli_parse(const struct cli_command *command, const struct cli_option *options, int argc, char **argv,
               struct cli_arguments *out, int *status) {
    assert(argc > 0);
    out->count = 0;
    *status = CLI_USAGE;
    bool options_over = false;
    for (int i = 1; i < argc; i++) {
        if (!options_over && strcmp(argv[i], "--") == 0) {
            options_over = true;
        } else if (!options_over && (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)) {
            print_help(command, options);
            *status = cli_finish_output(command) ? CLI_OK : CLI_FAILED;
            return false;
        } else if (!options_over && strncmp(argv[i], "--", 2) == 0) {
            if (!parse_one(command, options, argc, argv, &i))
                return false;
        } else if (!options_over && argv[i][0] == '-' && argv[i][1] != '\0') {
            cli_fail(command, CLI_USAGE, "%s is unknown; options begin with two dashes", argv[i]);
            return false;
        } else if (out->count == CLI_POSITIONAL_MAX) {
            cli_fail(command, CLI_USAGE, "more than %d arguments", CLI_POSITIONAL_MAX);
            return false;
        } else {
            out->values[out->count++] = argv[i];
        }
    }
    *status = CLI_OK;
    return true;
}

bool cli_parse_options(const struct cli_command *command, const struct cli_option *options, int argc,
                       char **argv, int *status) {
    struct cli_arguments arguments;
    if (!cli_parse(command, options, argc, argv, &arguments, status))
        return false;
    if (arguments.count == 0)
        return true;
    *status = cli_fail(command, CLI_USAGE, "'%s' is not wanted here", arguments.values[0]);
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
