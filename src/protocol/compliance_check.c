/* SPDX-License-Identifier: MIT */
#include "protocol/compliance_check.h"

#include "base/charset.h"
#include "base/mem.h"
#include "game/tbs/tbs.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { WORDS_MAX = 64 };

/* ---- results ---- */

static void conclude(struct compliance_check *c, enum compliance_result result, const char *format,
                     va_list arguments) __attribute__((format(printf, 3, 0)));

/* The first failure is final. */
static void conclude(struct compliance_check *c, enum compliance_result result, const char *format,
                     va_list arguments) {
    assert(c->finding != NULL);
    struct compliance_finding *f = c->finding;
    if (f->result == COMPLIANCE_FAIL)
        return;
    f->result = result;
    vsnprintf(f->message, sizeof f->message, format, arguments);
    charset_disarm(f->message); /* the message may quote the engine */
}

bool compliance_pass(struct compliance_check *c, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    conclude(c, COMPLIANCE_PASS, format, arguments);
    va_end(arguments);
    return false;
}

bool compliance_skip(struct compliance_check *c, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    conclude(c, COMPLIANCE_SKIPPED, format, arguments);
    va_end(arguments);
    return false;
}

bool compliance_fail(struct compliance_check *c, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    conclude(c, COMPLIANCE_FAIL, format, arguments);
    va_end(arguments);
    return false;
}

bool compliance_fail_answer(struct compliance_check *c, const char *command, const char *expected) {
    const struct talk_answer *a = &c->answer;
    char shown[TALK_LINE_SHOWN_MAX], said[TALK_LINE_SHOWN_MAX];
    talk_show_line(command, shown);
    switch (a->end) {
    case TALK_OK:
    case TALK_LIST: {
        char first[COMPLIANCE_LINE_MAX];
        const bool more = talk_next_line(text_string(&a->lines), first, sizeof first) != NULL;
        talk_show_line(more ? first : a->end == TALK_OK ? "ok" : "end", said);
        return compliance_fail(c, "`%s` was answered with `%s`; expected: %s", shown, said, expected);
    }
    case TALK_ERROR:
        return compliance_fail(c, "`%s` was answered with `error %s`; expected: %s", shown, a->message,
                               expected);
    case TALK_SILENCE:
    case TALK_DEATH:
    case TALK_FLOOD:
    case TALK_STOPPED: break;
    }
    return compliance_fail(c, "after `%s`: %s; expected: %s", shown, a->message, expected);
}

bool compliance_ok(struct compliance_check *c, const char *line) {
    if (talk_ask(&c->talk, line, &c->answer) != TALK_OK)
        return compliance_fail_answer(c, line, "ok");
    return c->answer.lines.size == 0 || compliance_fail_answer(c, line, "ok alone");
}

/* ---- conversations ---- */

bool compliance_open(struct compliance_check *c) {
    const struct compliance *s = c->setup;
    struct err e;
    compliance_close(c, 0);
    const struct link_wait wait = {s->clock, clock_now_ns(s->clock) + (int64_t)(s->timeout_s * 1e9), s->stop};
    c->talk.link = talk_open(s->engine, s->grant, &wait, &e);
    if (c->talk.link == NULL && link_is_shortage(errno))
        c->talk.shortage = errno;
    return c->talk.link != NULL || compliance_fail(c, "%s", e.text);
}

void compliance_close(struct compliance_check *c, int grace_ms) {
    link_close(c->talk.link, grace_ms);
    c->talk.link = NULL;
}

/* ---- the handshake ---- */

struct introduction {
    bool has_game, has_bad_option;
    char games[128];                      /* all games it named, for messages */
    char bad_option[TALK_LINE_SHOWN_MAX]; /* the first that is not well-formed */
};

/* Tests for "NAME TYPE VALUE": a name, a type, and a numeric value if the type is a number. */
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

/* Counts a line that the protocol does not allow in this answer. */
static void note_foreign(struct compliance_check *c, const char *line) {
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
        note_foreign(c, line);
    }
}

static bool judge_introduction(struct compliance_check *c, const struct introduction *i) {
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

/* Sends the options it is configured with, "NAME=VALUE;NAME=VALUE". */
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
    return judge_introduction(c, &i) && set_options(c);
}

/* ---- positions ---- */

void compliance_describe(const struct compliance_position *p, char *out, size_t out_size) {
    snprintf(out, out_size, "%.40s after %d action%s", p->map, p->count, p->count == 1 ? "" : "s");
}

/* ---- positions: finding them ---- */

/* Plays random actions to the end of the game, at most `max`, and stores them. Returns their number. */
static int play_randomly(struct compliance_position *p, int max, action *list) {
    const struct game *game = p->scenario->game;
    int count = 0;
    while (count < max && game->mover(p->state) != NOBODY) {
        const int choices = game->actions(p->state, list);
        const action a = list[rng_below(&p->rng, (uint32_t)choices)];
        game->play(p->state, a, &p->rng);
        p->actions[count++] = a;
    }
    return count;
}

/* Plays a random game to its end (or to the capacity) and chooses a random position of it. */
void compliance_find_position(struct compliance_check *c, int number, bool at_start,
                              struct compliance_position *p) {
    assert(number >= 0);
    const int map = number % c->setup->map_count;
    *p = (struct compliance_position){
        .scenario = c->setup->scenarios[map], .map = c->setup->map_names[map], .number = number};
    const struct game *game = p->scenario->game;
    rng_seed_stream(&p->rng, c->setup->seed, (uint64_t)number);
    game->start(p->state, p->scenario, &p->rng);
    if (at_start)
        return;
    action *list = mem_alloc((size_t)game->actions_max * sizeof *list);
    const int count = play_randomly(p, COMPLIANCE_PLIES_MAX, list);
    mem_free(list);
    /* The first position of each map is its start, because every game begins there. */
    p->count = number < c->setup->map_count || count == 0 ? 0 : (int)rng_below(&p->rng, (uint32_t)count);
    game->start(p->state, p->scenario, &p->rng);
    for (int i = 0; i < p->count; i++)
        game->play(p->state, p->actions[i], &p->rng);
}

/* ---- positions: sending them ---- */

static void add_lines(struct text *out, const char *lines, const char *line_end) {
    while (*lines != '\0') {
        const size_t length = strcspn(lines, "\r\n");
        text_add_bytes(out, lines, length);
        text_add_string(out, line_end);
        lines += length;
        lines += *lines == '\r';
        lines += *lines == '\n';
    }
}

bool compliance_hides(const struct compliance_check *c) {
    return !game_is_determined(c->setup->scenarios[0]->game);
}

bool compliance_has_map(const struct compliance_check *c) {
    return game_offer(c->setup->scenarios[0]->game)->takes_map;
}

/* Adds the view of the side to move, on one line: of the position, or of the game's start where nothing is
 * hidden and the actions follow. */
static void add_position(const struct compliance_position *p, const char *line_end, struct text *out) {
    const struct game *game = p->scenario->game;
    _Alignas(16) unsigned char view[GAME_STATE_MAX];
    struct rng r = p->rng;
    if (!game_is_determined(game))
        game_view(game, p->state, game->mover(p->state), view);
    else
        game->start(view, p->scenario, &r);
    text_add_string(out, "position ");
    const size_t start = out->size;
    game->text->write_state(view, out);
    for (size_t i = start; i < out->size; i++)
        if (out->data[i] == '\n')
            out->data[i] = ' ';
    while (out->size > start && out->data[out->size - 1] == ' ')
        out->data[--out->size] = '\0';
    text_add_string(out, line_end);
}

void compliance_opening(const struct compliance_position *p, const char *line_end, struct text *newgame,
                        struct text *map) {
    const struct scenario *scenario = p->scenario;
    text_add_string(newgame, "newgame ");
    game_write_newgame(scenario, newgame);
    text_add_string(newgame, line_end);
    if (!game_offer(scenario->game)->takes_map) {
        add_position(p, line_end, map);
        return;
    }
    struct text source = {0};
    scenario->game->text->write_map(scenario, &source);
    text_add(map, "map%s", line_end);
    add_lines(map, text_string(&source), line_end);
    text_add(map, "endmap%s", line_end);
    text_done(&source);
}

bool compliance_send(struct compliance_check *c, const struct text *bytes, const char *what) {
    if (!talk_send(&c->talk, text_string(bytes), &c->answer) || talk_answer(&c->talk, &c->answer) != TALK_OK)
        return compliance_fail_answer(c, what, "ok");
    return c->answer.lines.size == 0 || compliance_fail_answer(c, what, "ok alone");
}

static bool tell_action(struct compliance_check *c, const struct compliance_position *p, const void *state,
                        action a) {
    struct text line = {0};
    text_add_string(&line, "play ");
    p->scenario->game->text->write_action(state, a, &line);
    const bool ok = compliance_ok(c, text_string(&line));
    text_done(&line);
    return ok;
}

bool compliance_set_up(struct compliance_check *c, const struct compliance_position *p) {
    const struct game *game = p->scenario->game;
    struct text newgame = {0}, map = {0};
    char what[128];
    assert(p->count >= 0 && p->count <= COMPLIANCE_PLIES_MAX);
    compliance_opening(p, "\n", &newgame, &map);
    if (!game_offer(game)->takes_map)
        snprintf(what, sizeof what, "position …");
    else
        snprintf(what, sizeof what, "map (%.60s) endmap", p->map);
    bool ok = compliance_send(c, &newgame, "newgame") && compliance_send(c, &map, what);
    _Alignas(16) unsigned char state[GAME_STATE_MAX];
    struct rng r = p->rng;
    game->start(state, p->scenario, &r);
    for (int i = 0; i < p->count && ok && game_is_determined(game); i++) {
        ok = tell_action(c, p, state, p->actions[i]);
        game->play(state, p->actions[i], &r);
    }
    text_done(&newgame);
    text_done(&map);
    return ok;
}

int compliance_play_on(struct compliance_check *c, struct compliance_position *p, int plies) {
    const struct game *game = p->scenario->game;
    const int side = game->mover(p->state);
    assert(plies >= 0);
    action *list = mem_alloc((size_t)game->actions_max * sizeof *list);
    int played = 0;
    while (played < plies && p->count < COMPLIANCE_PLIES_MAX && game->mover(p->state) == side) {
        const int choices = game->actions(p->state, list);
        const action a = list[rng_below(&p->rng, (uint32_t)choices)];
        if (game_is_determined(game) && !tell_action(c, p, p->state, a)) {
            played = -1;
            break;
        }
        game->play(p->state, a, &p->rng);
        p->actions[p->count++] = a;
        played++;
    }
    mem_free(list);
    if (!game_is_determined(game) && game->mover(p->state) != NOBODY && !compliance_set_up(c, p))
        return -1;
    return played;
}

/* ---- positions: judging answers ---- */

/* Plays the actions of a whole turn; false after a failure was reported. */
static bool judge_turn(struct compliance_check *c, const struct compliance_position *p, const char *command,
                       const char *actions) {
    const struct game *game = p->scenario->game;
    const int side = game->mover(p->state), turn = game->turn(p->state);
    _Alignas(16) unsigned char state[GAME_STATE_MAX];
    memcpy(state, p->state, game->state_size);
    struct rng r = p->rng;
    char place[80], word[64];
    compliance_describe(p, place, sizeof place);
    int count = 0, used = 0;
    for (; sscanf(actions, "%63s%n", word, &used) == 1; actions += used, count++) {
        struct err e;
        action a;
        if (game->mover(state) != side || game->turn(state) != turn)
            return compliance_fail(c, "%s: `%s` was answered with actions beyond the turn, `%s` …", place,
                                   command, word);
        if (!game->text->read_action(state, word, &a, &e))
            return compliance_fail(c, "%s: `%s`: %s", place, command, e.text);
        game->play(state, a, &r);
    }
    if (game->mover(state) == side && game->turn(state) == turn)
        return compliance_fail(c,
                               "%s: `%s` was answered with %d action%s, after which the turn goes on; "
                               "expected: actions that end it",
                               place, command, count, count == 1 ? "" : "s");
    return true;
}

static bool judge_action(struct compliance_check *c, const struct compliance_position *p, const char *command,
                         const char *word) {
    struct err e;
    action a;
    char place[80];
    if (p->scenario->game->text->read_action(p->state, word, &a, &e))
        return true;
    compliance_describe(p, place, sizeof place);
    return compliance_fail(c, "%s: `%s`: %s", place, command, e.text);
}

/* Finds the `best` line after all `info` lines; returns the number of `best` lines. */
static int find_best(struct compliance_check *c, char *line, size_t line_size) {
    int count = 0;
    char next[COMPLIANCE_LINE_MAX * 8];
    for (const char *at = text_string(&c->answer.lines);
         (at = talk_next_line(at, next, sizeof next)) != NULL;) {
        const char *rest = text_after_word(next, "best");
        if (rest != NULL && count++ == 0)
            snprintf(line, line_size, "%s", rest);
        if (rest == NULL && (count > 0 || text_after_word(next, "info") == NULL))
            note_foreign(c, next);
    }
    return count;
}

bool compliance_best(struct compliance_check *c, const struct compliance_position *p, const char *command,
                     struct text *best) {
    char line[COMPLIANCE_LINE_MAX * 8] = "";
    if (c->answer.end != TALK_OK)
        return compliance_fail_answer(c, command, "best ACTION, ok");
    const int count = find_best(c, line, sizeof line);
    if (count != 1)
        return compliance_fail(c, "`%s` was answered with %d `best` lines; expected: one, then ok", command,
                               count);
    if (best != NULL) {
        text_clear(best);
        text_add_string(best, line);
    }
    return strstr(command, " turn") != NULL ? judge_turn(c, p, command, line)
                                            : judge_action(c, p, command, text_trim(line));
}

bool compliance_go(struct compliance_check *c, const struct compliance_position *p, const char *command,
                   struct text *best) {
    talk_ask(&c->talk, command, &c->answer);
    return compliance_best(c, p, command, best);
}
