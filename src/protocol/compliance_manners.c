/* SPDX-License-Identifier: MIT
 *
 * Items about lines and answers, whatever the game.
 */
#include "protocol/compliance_inside.h"

#include <stdio.h>
#include <string.h>

enum { START_MS = 200, WORDS_MAX = 64 };

void compliance_test_start(struct compliance_check *c) {
    if (!compliance_open(c))
        return;
    talk_listen(&c->talk, START_MS);
    if (!link_has_ended(c->talk.link)) {
        compliance_pass(c, "it runs");
        return;
    }
    char how[128];
    link_describe_end(c->talk.link, how, sizeof how);
    compliance_fail(c, "it ended at once: %s; expected: it waits for commands", how);
}

/* ---- the handshake ---- */

struct introduction {
    bool has_game, has_bad_option;
    char games[128];                      /* all it named, for messages */
    char bad_option[TALK_LINE_SHOWN_MAX]; /* the first that is not well-formed */
};

/* "NAME TYPE VALUE": a name and a type, and a number where that is the type. */
static bool is_option(const char *line) {
    char name[WORDS_MAX], type[WORDS_MAX], value[WORDS_MAX] = "";
    double number;
    if (sscanf(line, "%63s %63s %63s", name, type, value) < 2)
        return false;
    return strcmp(type, "number") != 0 || value[0] == '\0' || text_to_real(value, &number);
}

static void take_option(struct compliance_check *c, const char *line, struct introduction *i) {
    if (!is_option(line) && !i->has_bad_option) {
        i->has_bad_option = true;
        talk_show_line(line, i->bad_option);
    }
    if (text_after_word(line, "seed") != NULL)
        c->has_seed = true;
}

static void take_game(const char *name, struct introduction *i) {
    char word[WORDS_MAX] = "";
    sscanf(name, "%63s", word);
    i->has_game = i->has_game || game_find(word) != NULL;
    const size_t used = strlen(i->games);
    snprintf(i->games + used, sizeof i->games - used, "%s%s", used > 0 ? ", " : "", word);
}

void compliance_note_foreign(struct compliance_check *c, const char *line) {
    if (c->foreign.count++ == 0)
        talk_show_line(line, c->foreign.first);
}

static void take_line(struct compliance_check *c, const char *line, struct introduction *i) {
    const char *rest;
    char shown[TALK_LINE_SHOWN_MAX];
    if ((rest = text_after_word(line, "id")) != NULL) {
        const char *name = text_after_word(rest, "name"), *version = text_after_word(rest, "version");
        talk_show_line(name != NULL ? name : version != NULL ? version : "", shown);
        if (name != NULL)
            snprintf(c->report->name, sizeof c->report->name, "%.63s", shown);
        else if (version != NULL)
            snprintf(c->report->version, sizeof c->report->version, "%.63s", shown);
    } else if ((rest = text_after_word(line, "game")) != NULL) {
        take_game(rest, i);
    } else if ((rest = text_after_word(line, "option")) != NULL) {
        take_option(c, rest, i);
    } else {
        compliance_note_foreign(c, line);
    }
}

static bool judge(struct compliance_check *c, const struct introduction *i) {
    if (c->report->name[0] == '\0')
        return compliance_fail(c, "`sjp 1` was answered without a name; expected a line: id name NAME");
    if (!i->has_game)
        return compliance_fail(c, "it plays %s; expected one of the games known here, say: game %s",
                               i->games[0] != '\0' ? i->games : "no game",
                               c->setup->scenarios[0]->game->name);
    if (i->has_bad_option)
        return compliance_fail(c, "`option %s` is not well-formed; expected: option NAME TYPE VALUE",
                               i->bad_option);
    return true;
}

/* The options it is to be used with: "NAME=VALUE;NAME=VALUE". */
static bool set_options(struct compliance_check *c) {
    for (const char *at = c->setup->engine->options; *at != '\0';) {
        const int size = (int)strcspn(at, ";"), name = (int)strcspn(at, "=");
        char command[PARAM_TEXT_MAX + 16];
        snprintf(command, sizeof command, "setoption %.*s %.*s", name, at, size - name - 1, at + name + 1);
        if (!compliance_ok(c, command))
            return false;
        at += size + (at[size] == ';');
    }
    return true;
}

bool compliance_handshake(struct compliance_check *c) {
    if (talk_ask(&c->talk, "sjp 1", &c->answer) != TALK_OK)
        return compliance_fail_answer(c, "sjp 1", "id name, game, ok");
    struct introduction i = {0};
    c->report->name[0] = c->report->version[0] = '\0';
    char line[COMPLIANCE_LINE_MAX];
    for (const char *at = text_string(&c->answer.lines);
         (at = talk_next_line(at, line, sizeof line)) != NULL;)
        take_line(c, line, &i);
    return judge(c, &i) && set_options(c);
}

void compliance_test_handshake(struct compliance_check *c) {
    if (compliance_handshake(c))
        compliance_pass(c, "%s, after %.0f ms", c->report->name, c->answer.ms);
}

/* Nothing depends on it, but who looks at a result next year will want to know. */
void compliance_test_version(struct compliance_check *c) {
    if (c->report->version[0] != '\0')
        compliance_pass(c, "%s", c->report->version);
    else
        compliance_fail(c, "`sjp 1` was answered without one; expected a line: id version VERSION");
}

/* ---- lines ---- */

void compliance_test_unknown(struct compliance_check *c) {
    static const char command[] = "dance with me";
    if (talk_ask(&c->talk, command, &c->answer) != TALK_ERROR) {
        compliance_fail_answer(c, command, "error unknown command …");
        return;
    }
    char words[TALK_LINE_SHOWN_MAX];
    talk_show_line(c->answer.words, words);
    if (compliance_handshake(c))
        compliance_pass(c, "`error %s`, and it goes on", words);
}

void compliance_test_blank(struct compliance_check *c) {
    const long before = c->talk.unasked.count;
    if (!talk_send(&c->talk, "\n  \n\n", &c->answer)) {
        compliance_fail_answer(c, "(empty lines)", "no answer");
        return;
    }
    if (talk_listen(&c->talk, COMPLIANCE_LISTEN_MS) > 0) {
        /* One fault, one item: what follows an empty line is not unasked for besides. */
        c->talk.unasked.count = before;
        compliance_fail(c, "it answered an empty line; expected: no answer");
        return;
    }
    if (compliance_handshake(c))
        compliance_pass(c, "no answer, and it goes on");
}

void compliance_test_line_ends(struct compliance_check *c) {
    struct compliance_position p;
    struct text newgame = {0}, map = {0};
    const char *second = compliance_hides(c) ? "position" : "map";
    const char *what = compliance_hides(c) ? "position … (CR LF)" : "map … endmap (CR LF)";
    if (!compliance_find_position(c, 0, true, &p))
        return;
    compliance_opening(&p, "\r\n", &newgame, &map);
    if (compliance_tell(c, &newgame, "newgame (CR LF)") && compliance_tell(c, &map, what))
        compliance_pass(c, "`newgame` and `%s` with CR LF were answered with `ok`", second);
    text_done(&newgame);
    text_done(&map);
}

/* Everything up to the first decision in one piece: four answers, in this order. */
void compliance_test_queue(struct compliance_check *c) {
    const char *const commands[] = {"sjp 1", "newgame", compliance_hides(c) ? "position …" : "map … endmap",
                                    "go time 50"};
    enum { COMMANDS = sizeof commands / sizeof commands[0] };
    struct compliance_position p;
    struct text all = {0}, map = {0};
    if (!compliance_find_position(c, 0, true, &p))
        return;
    text_add_string(&all, "sjp 1\n");
    compliance_opening(&p, "\n", &all, &map);
    text_add(&all, "%s%s\n", text_string(&map), commands[COMMANDS - 1]);
    bool ok = talk_send(&c->talk, text_string(&all), &c->answer);
    for (int i = 0; i < COMMANDS && ok; i++)
        ok = talk_answer(&c->talk, &c->answer) == TALK_OK || compliance_fail_answer(c, commands[i], "ok");
    if (ok && compliance_best(c, &p, commands[COMMANDS - 1], NULL))
        compliance_pass(c, "%d commands in one piece, %d answers", COMMANDS, COMMANDS);
    else if (!ok)
        compliance_fail_answer(c, "(several commands)", "their answers");
    text_done(&all);
    text_done(&map);
}

/* ---- what was not asked for ---- */

void compliance_test_quiet(struct compliance_check *c) {
    const struct talk_strays *unasked = &c->talk.unasked, *foreign = &c->foreign;
    if (unasked->count > 0)
        compliance_fail(c,
                        "%ld line%s came while no command waited for an answer, the first of them `%s`; "
                        "expected: one answer for each command, and nothing else",
                        unasked->count, unasked->count == 1 ? "" : "s", unasked->first);
    else if (foreign->count > 0)
        compliance_fail(
            c,
            "%ld line%s in its answers that the protocol does not have there, the first of them `%s`; "
            "expected: nothing on standard output but the protocol",
            foreign->count, foreign->count == 1 ? "" : "s", foreign->first);
    else
        compliance_pass(c, "all its lines belong to answers");
}
