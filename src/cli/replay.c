/* SPDX-License-Identifier: MIT
 *
 * `senjutsu replay FILE`: steps through a record in the terminal, or checks it against the rules.
 */
#include "cli/position.h"

#include "base/charset.h"
#include "cli/text_view.h"
#include "evolve/sample_game.h"
#include "match/secret.h"
#include "store/store.h"
#include "tournament/event_store.h"
#include "tournament/run.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct viewer {
    const struct cli_command *command;
    const char *path, *save;
    int game; /* number in a store; -1: not given */
    int view; /* viewing side: 0, 1, or POSITION_SEES_ALL */
    struct record record;
    struct err difference; /* first difference from the rules; empty: none */
    struct scenario *scenario;
    struct replay replay;
    bool colour;
};

/* Appends the last action as far as the viewer may know it: notation, and a description where that is not
 * enough. */
static void add_last(const struct viewer *v, struct text *out) {
    assert(v->replay.next > 0);
    const struct game *game = v->scenario->game;
    struct replay before; /* actions are written in the position in which they are played */
    replay_to(&before, &v->record, v->scenario, v->replay.next - 1, NULL);
    const action a = v->record.actions[before.next].action;
    const bool known = v->view == POSITION_SEES_ALL || !secret_is(game, before.state, a, v->view);
    text_add_string(out, "; last: ");
    if (known)
        game->text->write_action(before.state, a, out);
    if (known && text_view_of(game)->action == NULL)
        return;
    text_add_string(out, known ? ", " : "");
    position_add_action(v->scenario, before.state, a, v->view, out);
}

/* Shows games other than the tactical one. At the end everything that the game reveals is shown. */
static void show_plain(const struct viewer *v) {
    const struct game *game = v->scenario->game;
    const void *state = v->replay.state;
    struct text text = {0};
    text_add(&text, "\naction %d of %d", v->replay.next, v->record.count);
    if (game->mover(state) != NOBODY)
        text_add(&text, ", %s to move", game->text->side_names[game->mover(state)]);
    if (v->replay.next > 0)
        add_last(v, &text);
    text_add_string(&text, "\n");
    position_draw(v->scenario, state, v->view, v->colour, &text);
    if (game->mover(state) == NOBODY) {
        position_add_end(v->scenario, state, v->view, &text);
        text_add_string(&text, "\n");
    }
    fputs(text_string(&text), stdout);
    text_done(&text);
}

/* Shows the board after the actions so far, and describes the last one. */
static void show_board(const struct viewer *v) {
    struct text text = {0};
    struct tbs_position p;
    struct tbs_show how = {.colour = v->colour, .ids = true};
    tbs_position_of(v->replay.state, &p);
    text_add(&text, "\naction %d of %d", v->replay.next, v->record.count);
    if (p.result == TBS_RUNNING)
        text_add(&text, ", turn %d of %d, %s to move", p.turn + 1, tbs_map_of(v->replay.state)->turn_limit,
                 tbs_side_names[p.side]);
    if (v->replay.next > 0) {
        const action a = v->record.actions[v->replay.next - 1].action;
        text_add_string(&text, "; last: ");
        v->scenario->game->text->write_action(v->replay.state, a, &text);
        if (tbs_is_unit_action(a))
            how.marks[tbs_action_x(a)][tbs_action_y(a)] = TBS_MARK_FROM;
    }
    text_add(&text, "; HP %d : %d\n", p.hp_sum[TBS_RED], p.hp_sum[TBS_BLUE]);
    tbs_show_position(tbs_map_of(v->replay.state), &p, &how, &text);
    if (p.result != TBS_RUNNING)
        text_add(&text, "result: %s\n", tbs_result_names[p.result]);
    fputs(text_string(&text), stdout);
    text_done(&text);
}

static void show(const struct viewer *v) {
    if (game_is_tbs(v->scenario->game))
        show_board(v);
    else
        show_plain(v);
}

/* Enter and n: forward; b: back; a number: to that action; q or the end of the input: quit. */
static void step_through(struct viewer *v) {
    char line[64];
    for (;;) {
        show(v);
        if (!cli_read_line("[Enter next, b back, a number goes there, q quits] ", line, sizeof line))
            break;
        char *word = text_trim(line);
        long wanted = v->replay.next;
        if (word[0] == 'q')
            break;
        if (word[0] == '\0' || word[0] == 'n')
            wanted++;
        else if (word[0] == 'b')
            wanted--;
        else if (!text_to_int(word, &wanted))
            printf("'%s' is not understood.\n", word);
        if (wanted < 0 || wanted > v->record.count) {
            printf("There are actions 0 to %d.\n", v->record.count);
            continue;
        }
        replay_to(&v->replay, &v->record, v->scenario, (int)wanted,
                  NULL); /* cannot fail: every action was checked on reading */
    }
    putchar('\n');
}

static void print_all(struct viewer *v) {
    for (;;) {
        show(v);
        if (v->replay.next == v->record.count)
            break;
        replay_step(&v->replay, NULL);
    }
}

static int check(const struct viewer *v) {
    if (v->difference.text[0] != '\0') {
        printf("%s\n", v->difference.text);
        return CLI_FAILED;
    }
    printf("%s: ok, %d action%s, %s\n", v->path, v->record.count, v->record.count == 1 ? "" : "s",
           v->record.result);
    return cli_finish_output(v->command) ? CLI_OK : CLI_FAILED;
}

/* ---- loading ---- */

static bool is_store(const char *path) {
    static const char mark[] = "SQLite format 3";
    char bytes[sizeof mark] = "";
    FILE *file = strcmp(path, "-") != 0 ? fopen(path, "rb") : NULL;
    if (file == NULL)
        return false;
    const bool is =
        fread(bytes, 1, sizeof bytes, file) == sizeof bytes && memcmp(bytes, mark, sizeof mark) == 0;
    fclose(file);
    return is;
}

static bool load_from_store(struct viewer *v, struct err *e) {
    struct store *store = store_open(v->path, STORE_READ, e);
    bool ok = store != NULL && sample_store_is_none(store, v->path, e);
    if (ok && v->game < 0)
        ok = err_set(e, "%s: is a store of many games; --game N says which", v->path);
    ok = ok && (tournament_load_record(store, v->game, &v->record, e) || err_prefix(e, "%s: ", v->path));
    store_close(store);
    return ok;
}

static bool load(struct viewer *v, struct err *e) {
    if (is_store(v->path))
        return load_from_store(v, e);
    if (v->game >= 0)
        return err_set(e, "%s: is no store: --game does not go with it", v->path);
    return record_load(v->path, &v->record, &v->difference, e);
}

/* Removes control characters: the record may come from a stranger and is only shown from here on. */
static void disarm(struct record *record) {
    for (int side = 0; side < 2; side++)
        charset_disarm(record->players[side]);
    charset_disarm(record->date);
    charset_disarm(record->result);
}

/* Reads the viewing side: a side's name, first or second, or all. */
static bool read_view(struct viewer *v, const char *name) {
    static const char *const seats[] = {"first", "second"};
    if (strcmp(name, "all") == 0) {
        v->view = POSITION_SEES_ALL;
        return true;
    }
    for (v->view = 0; v->view < 2; v->view++)
        if (strcmp(name, seats[v->view]) == 0)
            return true;
    return false;
}

static int run(struct viewer *v, bool check_only, int at) {
    struct err e;
    if (!load(v, &e) || (v->save != NULL && !cli_write_record(&v->record, v->save, &e)))
        return cli_fail(v->command, CLI_FAILED, "%s", e.text);
    if (v->save != NULL)
        return CLI_OK;
    disarm(&v->record);
    if (check_only)
        return check(v);
    v->scenario = record_scenario(&v->record, &e);
    if (v->scenario == NULL || !replay_to(&v->replay, &v->record, v->scenario, at < 0 ? 0 : at, &e))
        return cli_fail(v->command, CLI_FAILED, "%s: %s", v->path, e.text);
    if (at > v->record.count)
        return cli_fail(v->command, CLI_FAILED, "%s: has %d actions, not %d", v->path, v->record.count, at);
    const char *const *sides = v->scenario->game->text->side_names;
    printf("%s (%s) against %s (%s)%s%s\n", v->record.players[0], sides[0], v->record.players[1], sides[1],
           v->record.date[0] != '\0' ? ", " : "", v->record.date);
    if (at >= 0)
        show(v);
    else if (isatty(STDIN_FILENO) && isatty(STDOUT_FILENO))
        step_through(v);
    else
        print_all(v);
    if (v->difference.text[0] != '\0')
        return cli_fail(v->command, CLI_FAILED, "from here on it differs from the rules: %s",
                        v->difference.text);
    return cli_finish_output(v->command) ? CLI_OK : CLI_FAILED;
}

int cli_replay(const struct cli_command *self, int argc, char **argv) {
    struct viewer v = {.command = self, .game = -1};
    bool check_only = false, no_colour = false;
    const char *view = "all";
    int at = -1, status;
    struct cli_arguments arguments;
    const struct cli_option options[] = {
        {"check", CLI_FLAG, &check_only, NULL, "only re-execute it and report the first difference"},
        {"at", CLI_INT, &at, "N", "only the board (or state) after N actions", 0, RECORD_ACTIONS_MAX},
        {"game", CLI_INT, &v.game, "N", "which game of a store", 0, 2147483647},
        {"view", CLI_TEXT, &view, "first|second|all",
         "what that side could see, and from its place (default: all)"},
        {"save", CLI_TEXT, &v.save, "FILE",
         "only write it there: as JSON, .sgf (the tactical game) or .txt (a Geister server's log)"},
        {"no-color", CLI_FLAG, &no_colour, NULL, "plain text"},
        {0},
    };
    if (!cli_parse(self, options, argc, argv, &arguments, &status))
        return status;
    if (arguments.count != 1)
        return cli_fail(self, CLI_USAGE, "one record is needed; given: %d", arguments.count);
    if (!read_view(&v, view))
        return cli_fail(self, CLI_USAGE, "--view %s: expected first, second or all", view);
    if (v.view != POSITION_SEES_ALL && (check_only || v.save != NULL))
        return cli_fail(self, CLI_USAGE, "--view does not go with --%s, which takes the whole game",
                        check_only ? "check" : "save");
    v.path = arguments.values[0];
    v.colour = cli_colour_out() && !no_colour;
    status = run(&v, check_only, at);
    if (v.scenario != NULL)
        v.scenario->game->unload(v.scenario);
    record_done(&v.record);
    return status;
}
