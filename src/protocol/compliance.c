/* SPDX-License-Identifier: MIT
 *
 * The compliance check: results, the conversation with the engine, positions from random games and judging
 * answers there; then the items themselves, their list and the run.
 */
#include "protocol/talk.h"

#include "base/mem.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Random games are cut at GAME_PLIES_MAX: a position is sent action by action, each an exchange. */
enum { LINE_SIZE = 512, WORD_SIZE = 64, PLACE_SIZE = 80, GAME_PLIES_MAX = 300 };

/* The conversation continues from item to item; after a failure the next item opens a new one. */
struct compliance_check {
    const struct compliance *setup;
    struct compliance_report *report;
    struct compliance_finding *finding; /* of the current item */
    struct talk talk;                   /* its link is NULL without a conversation */
    struct talk_answer answer;          /* the last one */
    struct talk_strays foreign; /* lines that the protocol does not allow in the answers they were in */
    bool has_seed;              /* it declares an option `seed` */
};

/* ---- results ---- */

/* Sets the item's result; the first failure is final. Returns false: an item can `return` the call. */
__attribute__((format(printf, 3, 4))) static bool
conclude(struct compliance_check *c, enum compliance_result result, const char *format, ...) {
    assert(c->finding != NULL);
    struct compliance_finding *f = c->finding;
    if (f->result == COMPLIANCE_FAIL)
        return false;
    va_list arguments;
    va_start(arguments, format);
    f->result = result;
    vsnprintf(f->message, sizeof f->message, format, arguments);
    va_end(arguments);
    charset_disarm(f->message); /* the message may quote the engine */
    return false;
}

#define pass(check, ...) conclude(check, COMPLIANCE_PASS, __VA_ARGS__)
#define fail(check, ...) conclude(check, COMPLIANCE_FAIL, __VA_ARGS__)
#define skip(check, ...) conclude(check, COMPLIANCE_SKIPPED, __VA_ARGS__)

/* Fails the item because the last answer is not a valid answer to `command`. */
static bool fail_answer(struct compliance_check *c, const char *command, const char *expected) {
    const struct talk_answer *a = &c->answer;
    char shown[TALK_LINE_SHOWN_MAX], said[TALK_LINE_SHOWN_MAX], first[LINE_SIZE];
    talk_show_line(command, shown);
    if (a->end == TALK_ERROR)
        return fail(c, "`%s` was answered with `error %s`; expected: %s", shown, a->message, expected);
    if (a->end != TALK_OK && a->end != TALK_LIST)
        return fail(c, "after `%s`: %s; expected: %s", shown, a->message, expected);
    const bool more = talk_next_line(text_string(&a->lines), first, sizeof first) != NULL;
    talk_show_line(more ? first : a->end == TALK_OK ? "ok" : "end", said);
    return fail(c, "`%s` was answered with `%s`; expected: %s", shown, said, expected);
}

/* ---- conversations ---- */

/* An `ok` must stand alone: lines before it belong to another answer, or to none. */
static bool is_ok(struct compliance_check *c, const char *command) {
    if (c->answer.end != TALK_OK)
        return fail_answer(c, command, "ok");
    return c->answer.lines.size == 0 || fail_answer(c, command, "ok alone");
}

/* Sends a line and expects `ok`; anything else fails the item. */
static bool ask_ok(struct compliance_check *c, const char *line) {
    talk_ask(&c->talk, line, &c->answer);
    return is_ok(c, line);
}

/* Sends the bytes of one command and expects `ok` alone; messages name it `what`. */
static bool send_ok(struct compliance_check *c, const struct text *bytes, const char *what) {
    if (talk_send(&c->talk, text_string(bytes), &c->answer))
        talk_answer(&c->talk, &c->answer);
    return is_ok(c, what);
}

/* Opens a new conversation; a failure fails the item. */
static bool open_talk(struct compliance_check *c) {
    struct err e;
    return talk_open(&c->talk, &e) || fail(c, "%s", e.text);
}

/* What an engine reports in its answer to `sjp 1`, besides its name. */
struct introduction {
    bool has_game;
    char games[128]; /* all games it named, for messages */
    bool has_bad_option;
    char bad_option[TALK_LINE_SHOWN_MAX]; /* the first that is not well-formed */
};

/* Reads one line before the `ok` of the handshake. Unknown lines are counted and fail `quiet` later, because
 * they do not disturb a game. */
static void take_line(struct compliance_check *c, const char *line, struct introduction *i) {
    char shown[TALK_LINE_SHOWN_MAX], name[WORD_SIZE] = "", type[WORD_SIZE], value[WORD_SIZE] = "";
    double number;
    const char *rest;
    if ((rest = text_after_word(line, "id")) != NULL) {
        const char *id = text_after_word(rest, "name"), *version = text_after_word(rest, "version");
        talk_show_line(id != NULL ? id : version != NULL ? version : "", shown);
        if (id != NULL)
            snprintf(c->report->name, sizeof c->report->name, "%.63s", shown);
        else if (version != NULL)
            snprintf(c->report->version, sizeof c->report->version, "%.63s", shown);
    } else if ((rest = text_after_word(line, "game")) != NULL) {
        sscanf(rest, "%63s", name);
        i->has_game = i->has_game || game_find(name) != NULL;
        const size_t used = strlen(i->games);
        snprintf(i->games + used, sizeof i->games - used, "%s%s", used > 0 ? ", " : "", name);
    } else if ((rest = text_after_word(line, "option")) != NULL) {
        /* "NAME TYPE VALUE"; the value of a number is one. */
        const bool is_good =
            sscanf(rest, "%63s %63s %63s", name, type, value) >= 2 &&
            (strcmp(type, "number") != 0 || value[0] == '\0' || text_to_real(value, &number));
        if (!is_good && !i->has_bad_option) {
            i->has_bad_option = true;
            talk_show_line(rest, i->bad_option);
        }
        c->has_seed = c->has_seed || text_after_word(rest, "seed") != NULL;
    } else {
        talk_count_stray(&c->foreign, line);
    }
}

/* Sends `sjp 1` and checks the answer. */
static bool shake_hands(struct compliance_check *c) {
    struct introduction i = {0};
    char line[LINE_SIZE];
    if (talk_ask(&c->talk, "sjp 1", &c->answer) != TALK_OK)
        return fail_answer(c, "sjp 1", "id name, game, ok");
    c->report->name[0] = c->report->version[0] = '\0';
    for (const char *at = text_string(&c->answer.lines);
         (at = talk_next_line(at, line, sizeof line)) != NULL;)
        take_line(c, line, &i);
    if (c->report->name[0] == '\0')
        return fail(c, "`sjp 1` was answered without a name; expected a line: id name NAME");
    if (!i.has_game)
        return fail(c, "it plays %s; expected one of the games known here, say: game %s",
                    i.games[0] != '\0' ? i.games : "no game", c->setup->scenarios[0]->game->name);
    if (i.has_bad_option)
        return fail(c, "`option %s` is not well-formed; expected: option NAME TYPE VALUE", i.bad_option);
    /* Sends the options it is configured with, "NAME=VALUE;NAME=VALUE". */
    for (const char *at = c->setup->talk.engine->options; *at != '\0';) {
        const int size = (int)strcspn(at, ";"), name = (int)strcspn(at, "=");
        char command[PARAM_TEXT_MAX + 16];
        snprintf(command, sizeof command, "setoption %.*s %.*s", name, at, size - name - 1, at + name + 1);
        if (!ask_ok(c, command))
            return false;
        at += size + (at[size] == ';');
    }
    return true;
}

/* ---- positions ---- */

/* A position of a random game. */
struct position {
    const struct scenario *scenario;
    const char *map;
    struct rng rng;
    int count; /* actions from the start */
    action actions[GAME_PLIES_MAX];
    _Alignas(16) unsigned char state[GAME_STATE_MAX];
};

/* "standard after 17 actions" */
static void describe(const struct position *p, char out[PLACE_SIZE]) {
    snprintf(out, PLACE_SIZE, "%.40s after %d action%s", p->map, p->count, p->count == 1 ? "" : "s");
}

/* A legal action, each with the same chance. The game must not be over. The list may have thousands of
 * places, too many for the stack, and is needed only for a moment. */
static action draw_action(struct position *p) {
    const struct game *game = p->scenario->game;
    action *list = mem_alloc((size_t)game->actions_max * sizeof *list);
    const int count = game->actions(p->state, list);
    const action a = list[rng_below(&p->rng, (uint32_t)count)];
    mem_free(list);
    return a;
}

/* Fills position `number` of a random game; with `at_start` the map's start. It depends on the seed and the
 * number alone: the same check asks every engine in the same positions. */
static void find_position(struct compliance_check *c, int number, bool at_start, struct position *p) {
    assert(number >= 0);
    const int map = number % c->setup->map_count;
    *p = (struct position){.scenario = c->setup->scenarios[map], .map = c->setup->map_names[map]};
    const struct game *game = p->scenario->game;
    rng_seed_stream(&p->rng, c->setup->seed, (uint64_t)number);
    game->start(p->state, p->scenario, &p->rng);
    if (at_start)
        return;
    int count = 0;
    for (; count < GAME_PLIES_MAX && game->mover(p->state) != NOBODY; count++) {
        p->actions[count] = draw_action(p);
        game->play(p->state, p->actions[count], &p->rng);
    }
    /* The first position of each map is its start, because every game begins there. */
    p->count = number < c->setup->map_count || count == 0 ? 0 : (int)rng_below(&p->rng, (uint32_t)count);
    game->start(p->state, p->scenario, &p->rng);
    for (int i = 0; i < p->count; i++)
        game->play(p->state, p->actions[i], &p->rng);
}

/* Is the first command after `newgame` a map? Otherwise it is a position. */
static bool has_map(const struct compliance_check *c) {
    return game_offer(c->setup->scenarios[0]->game)->takes_map;
}

/* Adds the view of the side to move, on one line: of the position, or of the game's start where nothing is
 * hidden and the actions follow. */
static void add_position(const struct position *p, const char *line_end, struct text *out) {
    const struct game *game = p->scenario->game;
    _Alignas(16) unsigned char view[GAME_STATE_MAX];
    struct rng r = p->rng;
    if (!game_is_determined(game))
        game_view(game, p->state, game->mover(p->state), view);
    else
        game->start(view, p->scenario, &r);
    text_add_string(out, "position ");
    game_write_line(game, view, out);
    text_add_string(out, line_end);
}

/* Writes the complete `newgame` and `map` (or `position`) commands. */
static void write_opening(const struct position *p, const char *line_end, struct text *newgame,
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
    for (const char *at = text_string(&source); *at != '\0';) {
        const int length = (int)strcspn(at, "\r\n");
        text_add(map, "%.*s%s", length, at, line_end);
        at += length;
        at += *at == '\r';
        at += *at == '\n';
    }
    text_add(map, "endmap%s", line_end);
    text_done(&source);
}

/* `state` is the position before the action, on which its text depends. */
static bool send_action(struct compliance_check *c, const struct position *p, const void *state, action a) {
    struct text line = {0};
    text_add_string(&line, "play ");
    p->scenario->game->text->write_action(state, a, &line);
    const bool ok = ask_ok(c, text_string(&line));
    text_done(&line);
    return ok;
}

/* Sends `newgame`, `map` and `play` …, or `newgame` and `position`. False after a failure. Every position is
 * reached from the start of a game, as in a match, where no engine is sent a position of a game with maps. */
static bool send_position(struct compliance_check *c, const struct position *p) {
    const struct game *game = p->scenario->game;
    struct text newgame = {0}, map = {0};
    char what[128] = "position …";
    assert(p->count >= 0 && p->count <= GAME_PLIES_MAX);
    write_opening(p, "\n", &newgame, &map);
    if (game_offer(game)->takes_map)
        snprintf(what, sizeof what, "map (%.60s) endmap", p->map);
    bool ok = send_ok(c, &newgame, "newgame") && send_ok(c, &map, what);
    _Alignas(16) unsigned char state[GAME_STATE_MAX];
    struct rng r = p->rng;
    game->start(state, p->scenario, &r);
    for (int i = 0; i < p->count && ok && game_is_determined(game); i++) {
        ok = send_action(c, p, state, p->actions[i]);
        game->play(state, p->actions[i], &r);
    }
    text_done(&newgame);
    text_done(&map);
    return ok;
}

/* Chooses a position and sends it to the engine. */
static bool set_up(struct compliance_check *c, int number, bool at_start, struct position *p) {
    find_position(c, number, at_start, p);
    return send_position(c, p);
}

/* Plays random actions (at most PLIES) until the other side is to move, but stops before the end of the
 * game, and sends them to the engine: one by one where it follows the game, and otherwise the view that they
 * lead to. Returns their number, -1 after a failure. */
static int play_on(struct compliance_check *c, struct position *p) {
    enum { PLIES = 40 };
    const struct game *game = p->scenario->game;
    const int side = game->mover(p->state);
    int played = 0;
    for (; played < PLIES && p->count < GAME_PLIES_MAX && game->mover(p->state) == side; played++) {
        const action a = draw_action(p);
        if (game_is_determined(game) && !send_action(c, p, p->state, a))
            return -1;
        game->play(p->state, a, &p->rng);
        p->actions[p->count++] = a;
    }
    if (!game_is_determined(game) && game->mover(p->state) != NOBODY && !send_position(c, p))
        return -1;
    return played;
}

/* ---- judging answers ---- */

/* Plays the actions of a whole turn; false after a failure was reported. Each is read in the position after
 * the ones before it, on which its text depends. */
static bool judge_turn(struct compliance_check *c, const struct position *p, const char *command,
                       const char *actions) {
    const struct game *game = p->scenario->game;
    const int side = game->mover(p->state), turn = game->turn(p->state);
    _Alignas(16) unsigned char state[GAME_STATE_MAX];
    memcpy(state, p->state, game->state_size);
    struct rng r = p->rng;
    char place[PLACE_SIZE], word[WORD_SIZE];
    describe(p, place);
    int count = 0, used = 0;
    for (; sscanf(actions, "%63s%n", word, &used) == 1; actions += used, count++) {
        struct err e;
        action a;
        if (game->mover(state) != side || game->turn(state) != turn)
            return fail(c, "%s: `%s` was answered with actions beyond the turn, `%s` …", place, command,
                        word);
        if (!game->text->read_action(state, word, &a, &e))
            return fail(c, "%s: `%s`: %s", place, command, e.text);
        game->play(state, a, &r);
    }
    return game->mover(state) != side || game->turn(state) != turn ||
           fail(c,
                "%s: `%s` was answered with %d action%s, after which the turn goes on; "
                "expected: actions that end it",
                place, command, count, count == 1 ? "" : "s");
}

/* Judges the last answer, to `command` (a `go …`): expects a legal action; with `turn`, legal actions that
 * end the turn. `best` (may be NULL) gets the actions. Lines that do not belong there are counted only: the
 * item `quiet` reports them once, and not each item again. */
static bool judge_go(struct compliance_check *c, const struct position *p, const char *command,
                     struct text *best) {
    char line[TALK_BEST_MAX], place[PLACE_SIZE];
    if (c->answer.end != TALK_OK)
        return fail_answer(c, command, "best ACTION, ok");
    const int count = talk_best(&c->answer, line, sizeof line, &c->foreign);
    if (count != 1)
        return fail(c, "`%s` was answered with %d `best` lines; expected: one, then ok", command, count);
    if (best != NULL) {
        text_clear(best);
        text_add_string(best, line);
    }
    if (strstr(command, " turn") != NULL)
        return judge_turn(c, p, command, line);
    struct err e;
    action a;
    describe(p, place);
    return p->scenario->game->text->read_action(p->state, text_trim(line), &a, &e) ||
           fail(c, "%s: `%s`: %s", place, command, e.text);
}

/* Sends a `go` and judges its answer. */
static bool ask_go(struct compliance_check *c, const struct position *p, const char *command,
                   struct text *best) {
    talk_ask(&c->talk, command, &c->answer);
    return judge_go(c, p, command, best);
}

/* ---- items about lines and answers ---- */

/* An item sets its result with pass, fail or skip; the value that it returns has no meaning. */

enum { START_MS = 200, LISTEN_MS = 100 };

/* An engine that ends at once is reported here. The handshake would only report that no answer came. */
static bool test_start(struct compliance_check *c) {
    char how[128];
    if (!open_talk(c))
        return false;
    talk_listen(&c->talk, START_MS);
    if (!link_has_ended(c->talk.link))
        return pass(c, "it runs");
    link_describe_end(c->talk.link, how, sizeof how);
    return fail(c, "it ended at once: %s; expected: it waits for commands", how);
}

/* Most items depend on it: results need the engine's name, and positions a game that both sides have. */
static bool test_handshake(struct compliance_check *c) {
    return shake_hands(c) && pass(c, "%s, after %.0f ms", c->report->name, c->answer.ms);
}

/* No other item depends on the version, but stored results should name it. */
static bool test_version(struct compliance_check *c) {
    return c->report->version[0] != '\0'
               ? pass(c, "%s", c->report->version)
               : fail(c, "`sjp 1` was answered without one; expected a line: id version VERSION");
}

/* A later version of the protocol may have commands that this engine does not have: it must refuse them. */
static bool test_unknown(struct compliance_check *c) {
    static const char command[] = "dance with me";
    char message[TALK_LINE_SHOWN_MAX];
    if (talk_ask(&c->talk, command, &c->answer) != TALK_ERROR)
        return fail_answer(c, command, "error unknown command …");
    talk_show_line(c->answer.message, message);
    return shake_hands(c) && pass(c, "`error %s`, and it goes on", message);
}

/* An answer to an empty line would be taken for the answer to the next command. */
static bool test_blank(struct compliance_check *c) {
    const long before = c->talk.unasked.count;
    if (!talk_send(&c->talk, "\n  \n\n", &c->answer))
        return fail_answer(c, "(empty lines)", "no answer");
    if (talk_listen(&c->talk, LISTEN_MS) > 0) {
        /* Count the fault only here: an answer to an empty line is not also an unasked line. */
        c->talk.unasked.count = before;
        return fail(c, "it answered an empty line; expected: no answer");
    }
    return shake_hands(c) && pass(c, "no answer, and it goes on");
}

/* Programs on other systems end lines with CR LF. */
static bool test_line_ends(struct compliance_check *c) {
    struct position p;
    struct text newgame = {0}, map = {0};
    const char *second = has_map(c) ? "map" : "position";
    const char *what = has_map(c) ? "map … endmap (CR LF)" : "position … (CR LF)";
    find_position(c, 0, true, &p);
    write_opening(&p, "\r\n", &newgame, &map);
    if (send_ok(c, &newgame, "newgame (CR LF)") && send_ok(c, &map, what))
        pass(c, "`newgame` and `%s` with CR LF were answered with `ok`", second);
    text_done(&newgame);
    text_done(&map);
    return true;
}

/* Sends all commands up to the first decision in one write: four answers are expected, in order. An engine
 * that reads one line and drops the rest of its input buffer loses commands. */
static bool test_queue(struct compliance_check *c) {
    const char *const commands[] = {"sjp 1", "newgame", has_map(c) ? "map … endmap" : "position …",
                                    "go time 50"};
    enum { COMMANDS = sizeof commands / sizeof commands[0] };
    struct position p;
    struct text all = {0}, map = {0};
    find_position(c, 0, true, &p);
    text_add_string(&all, "sjp 1\n");
    write_opening(&p, "\n", &all, &map);
    text_add(&all, "%s%s\n", text_string(&map), commands[COMMANDS - 1]);
    bool ok = talk_send(&c->talk, text_string(&all), &c->answer);
    for (int i = 0; i < COMMANDS && ok; i++)
        ok = talk_answer(&c->talk, &c->answer) == TALK_OK || fail_answer(c, commands[i], "ok");
    if (ok && judge_go(c, &p, commands[COMMANDS - 1], NULL))
        pass(c, "%d commands in one piece, %d answers", COMMANDS, COMMANDS);
    else if (!ok)
        fail_answer(c, "(several commands)", "their answers");
    text_done(&all);
    text_done(&map);
    return ok;
}

/* It is the last item, because the lines of all conversations count. */
static bool test_quiet(struct compliance_check *c) {
    const struct talk_strays *unasked = &c->talk.unasked, *foreign = &c->foreign;
    if (unasked->count > 0)
        return fail(c,
                    "%ld line%s came while no command waited for an answer, the first of them `%s`; "
                    "expected: one answer for each command, and nothing else",
                    unasked->count, unasked->count == 1 ? "" : "s", unasked->first);
    if (foreign->count > 0)
        return fail(
            c,
            "%ld line%s in its answers that the protocol does not have there, the first of them `%s`; "
            "expected: nothing on standard output but the protocol",
            foreign->count, foreign->count == 1 ? "" : "s", foreign->first);
    return pass(c, "all its lines belong to answers");
}

/* ---- items about positions ---- */

/* The engine's position cannot be seen, so it is asked where an answer from a wrong position would be
 * illegal: after the other side came to move, for instance. */

/* `go` has a limit, so that a slow engine does not slow down the check. */
#define GO   "go time 50"
#define TURN "go turn time 50"

/* Number of positions for items that change the position: they ask several times in each. */
static int few(const struct compliance_check *c) {
    enum { FEW = 10 };
    return c->setup->positions < FEW ? c->setup->positions : FEW;
}

/* Sends each map once. Whether the engine has understood it is tested by later items. */
static bool test_map(struct compliance_check *c) {
    struct position p;
    const int maps = c->setup->map_count;
    for (int i = 0; i < maps; i++)
        if (!set_up(c, i, true, &p))
            return false;
    return has_map(c) ? pass(c, "%d map%s", maps, maps == 1 ? "" : "s")
                      : pass(c, "%s, and what a side sees at its start", c->setup->map_names[0]);
}

/* The time is only reported: `clock` tests limits. */
static bool test_legal(struct compliance_check *c) {
    struct position p;
    const int positions = c->setup->positions, maps = c->setup->map_count;
    double slowest = 0;
    for (int i = 0; i < positions; i++) {
        if (!set_up(c, i, false, &p) || !ask_go(c, &p, GO, NULL))
            return false;
        slowest = c->answer.ms > slowest ? c->answer.ms : slowest;
    }
    if (!has_map(c))
        return pass(c, "%d positions, all answers legal, the slowest after %.0f ms", positions, slowest);
    return pass(c, "%d positions on %d map%s, all answers legal, the slowest after %.0f ms", positions, maps,
                maps == 1 ? "" : "s", slowest);
}

/* In a game that hides something the engine is sent `position` with its side's view after every action, never
 * the history: `play` and `undo` are not used. */
static bool skip_hidden(struct compliance_check *c, const char *verb) {
    const struct game *game = c->setup->scenarios[0]->game;
    if (!game_is_determined(game))
        skip(c, "`%s` is not used in %s, which hides something: positions are sent", verb, game->name);
    return !game_is_determined(game);
}

/* Recommended; required when the engine is configured to play whole turns. */
static bool test_turn(struct compliance_check *c) {
    struct position p;
    if (skip_hidden(c, "go turn"))
        return false;
    for (int i = 0; i < c->setup->positions; i++) {
        if (!set_up(c, i, false, &p))
            return false;
        if (talk_ask(&c->talk, TURN, &c->answer) == TALK_ERROR && i == 0 && !c->finding->needed)
            return skip(c, "`go turn` is answered with `error`: it plays action by action");
        if (!judge_go(c, &p, TURN, NULL))
            return false;
    }
    return pass(c, "%d positions, all turns legal and whole", c->setup->positions);
}

/* An engine that plays its own answer will at some point answer for the other side. */
static bool test_still(struct compliance_check *c) {
    enum { GOES_MAX = 24 };
    struct position p;
    int asked = 0;
    for (int i = 0; i < few(c); i++) {
        if (!set_up(c, i, false, &p))
            return false;
        const int left = p.scenario->game->progress(p.state).left;
        const int goes = left + 1 < GOES_MAX ? left + 1 : GOES_MAX;
        for (int k = 0; k < goes; k++, asked++)
            if (!ask_go(c, &p, "go time 20", NULL))
                return false;
    }
    return pass(c, "`go` %d times in %d positions, all answers legal", asked, few(c));
}

/* Starts a new game on the same map after a game in which the other side was to move. */
static bool test_fresh(struct compliance_check *c) {
    struct position p, start;
    for (int i = 0; i < few(c); i++) {
        find_position(c, i, true, &start);
        p = start;
        if (!send_position(c, &p) || play_on(c, &p) < 0 || !send_position(c, &start) ||
            !ask_go(c, &start, GO, NULL))
            return false;
    }
    return pass(c, "%d games begun anew, all first answers legal", few(c));
}

/* All actions since the first position are taken back. An engine that is still at a later position would
 * answer for the other side. */
static bool test_undo(struct compliance_check *c) {
    struct position p, later;
    int undone = 0;
    if (skip_hidden(c, "undo"))
        return false;
    for (int i = 0; i < few(c); i++) {
        if (!set_up(c, i, false, &p))
            return false;
        later = p;
        const int played = play_on(c, &later);
        for (int k = 0; k < played; k++)
            if (!ask_ok(c, "undo"))
                return false;
        if (played < 0 || !ask_go(c, &p, GO, NULL))
            return false;
        undone += played;
    }
    return pass(c, "%d actions taken back in %d positions, all answers legal", undone, few(c));
}

/* No map has a unit with this number, or this cell. An engine that plays such an action, or loses its
 * position, answers wrongly at the next `go`. */
static bool test_refuse(struct compliance_check *c) {
    static const char *const wrong[] = {"play 999:1,1", "play 0:99,99", "play nonsense"};
    struct position p;
    if (skip_hidden(c, "play"))
        return false;
    for (int i = 0; i < few(c); i++) {
        if (!set_up(c, i, false, &p))
            return false;
        for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++)
            if (talk_ask(&c->talk, wrong[k], &c->answer) != TALK_ERROR)
                return fail_answer(c, wrong[k], "error …");
        if (!ask_go(c, &p, GO, NULL))
            return false;
    }
    return pass(c, "illegal actions refused in %d positions, all answers legal after it", few(c));
}

/* ---- items about time ---- */

/* AFTER_STOP_MS is generous: an engine looks for input between two steps of its search. */
enum { TRIES = 3, LONG_GO_MS = 10000, BEFORE_STOP_MS = 300, AFTER_STOP_MS = 2000, SEED_POSITIONS = 4 };

/* Asks up to TRIES times until an answer is in time: one late answer may be caused by the machine, three
 * are not. Each attempt opens a new conversation, so that an engine that is late only on its first `go` is
 * detected. */
static bool ask_in_time(struct compliance_check *c, int map, int ms, double *fastest) {
    struct position p;
    char command[32], place[PLACE_SIZE];
    snprintf(command, sizeof command, "go time %d", ms);
    find_position(c, map, true, &p);
    for (int i = 0; i < TRIES; i++) {
        if (!open_talk(c) || !shake_hands(c) || !send_position(c, &p) || !ask_go(c, &p, command, NULL))
            return false;
        if (i == 0 || c->answer.ms < *fastest)
            *fastest = c->answer.ms;
        if (*fastest <= ms + c->setup->grace_ms)
            return true;
    }
    describe(&p, place);
    return fail(c,
                "%s: `%s` was answered after %.0f ms at best in %d tries; expected: %d ms, and %d "
                "more for the way",
                place, command, *fastest, TRIES, ms, c->setup->grace_ms);
}

/* Long limits are tested once, the short one on every map: with many units, 100 ms is demanding. */
static bool test_clock(struct compliance_check *c) {
    static const int limits[] = {100, 300, 1000};
    enum { LIMITS = sizeof limits / sizeof limits[0] };
    double slowest[LIMITS] = {0};
    for (int map = 0; map < c->setup->map_count; map++)
        for (int i = 0; i < (map == 0 ? LIMITS : 1); i++) {
            double ms;
            if (!ask_in_time(c, map, limits[i], &ms))
                return false;
            slowest[i] = ms > slowest[i] ? ms : slowest[i];
        }
    return pass(c, "the slowest answers came after %.0f of %d ms, %.0f of %d ms and %.0f of %d ms",
                slowest[0], limits[0], slowest[1], limits[1], slowest[2], limits[2]);
}

/* The limit of the `go` is much longer than the wait before `stop`: an engine that uses it is cut short. */
static bool test_stop(struct compliance_check *c) {
    struct position p;
    char command[32], bytes[40];
    snprintf(command, sizeof command, "go time %d", LONG_GO_MS);
    snprintf(bytes, sizeof bytes, "%s\n", command);
    if (!set_up(c, 0, true, &p))
        return false;
    if (!talk_send(&c->talk, bytes, &c->answer))
        return fail_answer(c, command, "best ACTION, ok");
    /* An engine that answers earlier leaves nothing to stop. */
    if (talk_answer_within(&c->talk, BEFORE_STOP_MS, &c->answer) != TALK_SILENCE)
        return judge_go(c, &p, command, NULL) && ask_ok(c, "stop") &&
               pass(c, "`%s` was answered before `stop` was sent", command);
    if (!talk_send_more(&c->talk, "stop\n", &c->answer))
        return fail_answer(c, "stop", "ok");
    talk_answer_within(&c->talk, LONG_GO_MS - BEFORE_STOP_MS + c->setup->talk.timeout_s * 1e3, &c->answer);
    const double after = c->answer.ms;
    if (!judge_go(c, &p, command, NULL))
        return false;
    if (talk_answer(&c->talk, &c->answer) != TALK_OK)
        return fail_answer(c, "stop", "ok, after the answer to `go`");
    if (after > AFTER_STOP_MS)
        return fail(c, "`%s` was answered %.1f s after `stop`; expected: %.0f s at most", command,
                    after * 1e-3, AFTER_STOP_MS * 1e-3);
    return pass(c, "`%s` was answered %.0f ms after `stop`", command, after);
}

/* Collects its answers in a few positions of a new conversation, one per line. The limit is work and not
 * time: no engine can repeat what a clock has cut short. */
static bool collect(struct compliance_check *c, struct text *out) {
    struct position p;
    struct text best = {0};
    bool ok = open_talk(c) && shake_hands(c) && ask_ok(c, "setoption seed 7");
    for (int i = 0; i < SEED_POSITIONS && ok; i++) {
        ok = set_up(c, i, false, &p) && ask_go(c, &p, "go sims 100", &best);
        text_add(out, "%s\n", text_string(&best));
    }
    text_done(&best);
    return ok;
}

/* Different answers are no failure, but games with this engine cannot be repeated. */
static bool test_seed(struct compliance_check *c) {
    struct text first = {0}, second = {0};
    if (!c->has_seed)
        return skip(c, "it declares no option `seed`");
    const bool ok = collect(c, &first) && collect(c, &second);
    if (ok && strcmp(text_string(&first), text_string(&second)) == 0)
        pass(c, "two runs gave the same answers");
    else if (ok)
        skip(c, "two runs with `setoption seed 7` and `go sims 100` gave different answers: "
                "its games cannot be repeated");
    text_done(&first);
    text_done(&second);
    return ok;
}

/* ---- items about the end ---- */

enum { PROCESSES_MS = 1000, NAP_MS = 20 };

/* An engine that stays after `quit` would take memory and cores from the next game. */
static bool test_quit(struct compliance_check *c) {
    const struct clock *clock = c->setup->talk.clock;
    assert(c->talk.link != NULL);
    link_note_family(c->talk.link); /* its children would lose the parent by which they are found */
    if (!talk_send(&c->talk, "quit\n", &c->answer))
        return fail_answer(c, "quit", "it ends");
    const int64_t start = clock_now_ns(clock);
    while (!link_has_ended(c->talk.link)) {
        if (clock_seconds_since(clock, start) * 1e3 > COMPLIANCE_QUIT_MS)
            return fail(c, "it has not ended %d s after `quit`; expected: it ends, without an answer",
                        COMPLIANCE_QUIT_MS / 1000);
        talk_listen(&c->talk, NAP_MS); /* lines that it still sends count as unasked */
    }
    const double after = clock_seconds_since(clock, c->talk.sent_ns);
    char how[128];
    link_describe_end(c->talk.link, how, sizeof how);
    return pass(c, "%s, %.0f ms after `quit`", how, after * 1e3);
}

/* link_note_family has noted the engine's processes while it ran. They get a second to end. */
static bool test_processes(struct compliance_check *c) {
    const int64_t start = clock_now_ns(c->setup->talk.clock);
    char names[200];
    int count = 0;
    if (link_mark(c->talk.link)[0] == '\0') {
        talk_close(&c->talk, 0);
        return skip(c, "it was not started here");
    }
    const bool known = link_note_family(c->talk.link);
    while ((count = link_family_alive(c->talk.link, names, sizeof names)) > 0 &&
           clock_seconds_since(c->setup->talk.clock, start) * 1e3 < PROCESSES_MS)
        link_nap(NAP_MS);
    if (known && count > 0)
        return fail(c, "%d process%s still there a second after it ended: %s; expected: none", count,
                    count == 1 ? " is" : "es are", names);
    talk_close(&c->talk, 0);
    return known ? pass(c, "everything it started has ended")
                 : skip(c, "this system does not say which processes there are");
}

/* link_close closes the engine's input, waits for its end, and only then uses force. */
static bool test_input_end(struct compliance_check *c) {
    if (link_mark(c->talk.link)[0] == '\0')
        return skip(c, "it was not started here, so its end cannot be seen");
    const int64_t start = clock_now_ns(c->setup->talk.clock);
    talk_close(&c->talk, COMPLIANCE_QUIT_MS);
    const double spent = clock_seconds_since(c->setup->talk.clock, start);
    if (spent * 1e3 < COMPLIANCE_QUIT_MS)
        return pass(c, "it ended %.0f ms after its input", spent * 1e3);
    return fail(c, "it has not ended %d s after its input; expected: as after `quit`",
                COMPLIANCE_QUIT_MS / 1000);
}

/* ---- the list ---- */

/* In the order of execution: items that others depend on come first, items that end the engine last. */
const struct compliance_item compliance_items[] = {
    {"start", "starts, and does not end by itself", test_start, NULL, true, true},
    {"handshake", "answers `sjp 1` with its name and a game known here", test_handshake, "start", true},
    {"version", "says in its answer to `sjp 1` which version it is", test_version, "handshake"},
    {"map", "takes `newgame` and the maps, or positions where something is hidden", test_map, "handshake",
     true},
    {"legal", "answers `go` with a legal action, in positions from random games", test_legal, "map", true},
    {"queue", "answers commands that were sent together, one after the other", test_queue, "legal", true},
    {"still", "does not change the position when it answers `go`", test_still, "legal", true},
    {"fresh", "forgets the old game when a new one begins", test_fresh, "legal", true},
    {"clock", "answers `go time MS` in that time", test_clock, "legal", true},
    {"turn", "answers `go turn` with actions that end the turn", test_turn, "legal"},
    {"undo", "takes actions back on `undo`", test_undo, "legal"},
    {"refuse", "refuses an illegal `play` and keeps its position", test_refuse, "legal"},
    {"stop", "ends a long `go` early on `stop`", test_stop, "legal"},
    {"unknown", "answers a command it does not know with `error …`, and goes on", test_unknown, "handshake"},
    {"blank", "says nothing to empty lines", test_blank, "handshake"},
    {"line-ends", "takes lines that end with CR LF", test_line_ends, "handshake"},
    {"seed", "gives the same answers with the same `seed`", test_seed, "legal"},
    {"quit", "ends within 2 s of `quit`", test_quit, "handshake", true},
    {"processes", "leaves no process behind", test_processes, "quit", true, true},
    {"input-end", "ends within 2 s when its input ends", test_input_end, "handshake"},
    {"quiet", "says nothing that the protocol does not ask for", test_quiet, "handshake", true, true},
    {0},
};

const char *const compliance_result_names[] = {
    [COMPLIANCE_PASS] = "pass", [COMPLIANCE_FAIL] = "fail", [COMPLIANCE_SKIPPED] = "skipped"};

/* ---- the run ---- */

/* Runs one item and adds its finding to the report. False after a stop, or when this machine is short of a
 * resource: then the item has no finding. */
static bool run_next(struct compliance_check *c, const struct compliance_item *item) {
    const struct compliance *s = c->setup;
    struct compliance_report *report = c->report;
    assert(report->count < COMPLIANCE_ITEMS_MAX);
    struct compliance_finding *f = c->finding = &report->findings[report->count];
    const bool whole_turns = s->talk.engine->turn && item->run == test_turn;
    *f = (struct compliance_finding){
        .item = item, .needed = item->needed || whole_turns, .result = COMPLIANCE_SKIPPED};
    const int64_t start = clock_now_ns(s->talk.clock);
    if (s->watch != NULL)
        s->watch(s->watcher, item, NULL);
    /* The first item of those it depends on that failed: an author has to repair that one first. */
    const struct compliance_item *obstacle = NULL;
    for (const struct compliance_item *i = item; i->after != NULL;) {
        const struct compliance_finding *before = report->findings;
        while (before < f && strcmp(before->item->name, i->after) != 0)
            before++;
        assert(before < f);
        if (before->result == COMPLIANCE_PASS)
            break;
        obstacle = i = before->item;
    }
    /* Items that do not run alone get a conversation in which the handshake is complete. It is the one of the
     * item before, unless that has failed: starting some engines takes seconds. */
    if (obstacle != NULL)
        skip(c, "needs `%s`, which did not pass", obstacle->name);
    else if (item->alone || c->talk.link != NULL || (open_talk(c) && shake_hands(c)))
        item->run(c);
    if (budget_is_stopped(s->talk.stop) || c->talk.shortage != 0)
        return false;
    if (f->result == COMPLIANCE_FAIL) { /* the conversation is in an unknown state */
        if (c->talk.link != NULL)
            link_tail(c->talk.link, &f->conversation);
        talk_close(&c->talk, 0);
    }
    f->seconds = clock_seconds_since(s->talk.clock, start);
    report->count++;
    report->passed += f->result == COMPLIANCE_PASS;
    report->failed += f->result == COMPLIANCE_FAIL;
    report->skipped += f->result == COMPLIANCE_SKIPPED;
    report->ready = report->ready && !(f->needed && f->result == COMPLIANCE_FAIL);
    if (s->watch != NULL)
        s->watch(s->watcher, item, f);
    return true;
}

/* A stopped check is not ready: items that did not run may have failed. */
bool compliance_run(const struct compliance *setup, struct compliance_report *out, struct err *e) {
    assert(setup->talk.clock != NULL && setup->talk.engine != NULL);
    assert(setup->map_count > 0 && setup->positions > 0 && setup->grace_ms >= 0);
    *out = (struct compliance_report){.ready = true};
    struct compliance_check c = {.setup = setup, .report = out, .talk = {.setup = &setup->talk}};
    const struct compliance_item *item = compliance_items;
    while (item->name != NULL && run_next(&c, item))
        item++;
    out->stopped = budget_is_stopped(setup->talk.stop);
    out->ready = out->ready && !out->stopped;
    talk_close(&c.talk, 0);
    text_done(&c.answer.lines);
    return talk_was_possible(&c.talk, e);
}

void compliance_report_done(struct compliance_report *report) {
    for (int i = 0; i < COMPLIANCE_ITEMS_MAX; i++)
        text_done(&report->findings[i].conversation);
}
