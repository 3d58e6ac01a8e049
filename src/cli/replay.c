/* SPDX-License-Identifier: MIT
 *
 * `senjutsu replay FILE`: steps through a record in the terminal, or checks it against the rules.
 */
#include "cli/position.h"

#include "base/charset.h"
#include "game/face.h"
#include "match/batch.h"
#include "match/secret.h"
#include "store/store.h"

#include <stdio.h>
#include <string.h>

struct viewer {
    const char *path, *save;
    int game; /* number in a store; -1: not given */
    int view; /* viewing side: 0, 1, or POSITION_SEES_ALL */
    int at;   /* shows only the state after so many actions; -1: not given */
    struct record record;
    struct err difference; /* first difference from the rules; empty: none */
    struct scenario *scenario;
    struct replay replay;
    bool check_only, colour, no_colour;
};

/* At the end everything that the game reveals is shown. */
static void show(const struct viewer *v) {
    const struct game *game = v->scenario->game;
    const void *state = v->replay.state;
    const int next = v->replay.next, mover = game->mover(state);
    struct text text = {0};
    text_add(&text, "\naction %d of %d", next, v->record.count);
    if (game_face(game)->replay != NULL) {
        const action last = next > 0 ? v->record.actions[next - 1].action : 0;
        game_face(game)->replay(&(struct face_step){state, next > 0, last, v->colour}, &text);
    } else {
        if (mover != NOBODY)
            text_add(&text, ", %s to move", game->text->side_names[mover]);
        if (next >
            0) { /* the last action as far as the viewer may know it, with a description if it has one */
            struct replay before; /* actions are written in the position in which they are played */
            replay_to(&before, &v->record, v->scenario, next - 1, NULL);
            const action a = v->record.actions[before.next].action;
            const bool known = v->view == POSITION_SEES_ALL || !secret_is(game, before.state, a, v->view);
            text_add_string(&text, "; last: ");
            if (known)
                game->text->write_action(before.state, a, &text);
            if (!known || game_face(game)->describe != NULL) {
                text_add_string(&text, known ? ", " : "");
                position_add_action(v->scenario, before.state, a, v->view, &text);
            }
        }
        text_add_string(&text, "\n");
        position_draw(v->scenario, state, v->view, v->colour, &text);
        if (mover == NOBODY) {
            position_add_end(v->scenario, state, v->view, &text);
            text_add_string(&text, "\n");
        }
    }
    fputs(text_string(&text), stdout);
    text_done(&text);
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

/* Loads a file with one record, or game --game N of a store. */
static bool load(struct viewer *v, struct err *e) {
    static const char mark[] = "SQLite format 3";
    char bytes[sizeof mark] = "";
    const bool is_input = strcmp(v->path, "-") == 0;
    FILE *file = !is_input ? fopen(v->path, "rb") : NULL;
    const bool is_there = is_input || file != NULL; /* if not, record_load reports why */
    const bool is_store = file != NULL && fread(bytes, 1, sizeof bytes, file) == sizeof bytes &&
                          memcmp(bytes, mark, sizeof mark) == 0;
    if (file != NULL)
        fclose(file);
    if (!is_store && is_there && v->game >= 0)
        return err_set(e, "%s: is no store: --game does not go with it", v->path);
    if (!is_store)
        return record_load(v->path, &v->record, &v->difference, e);
    struct store *store = store_open(v->path, STORE_READ, e);
    bool ok = store != NULL;
    if (ok && v->game < 0)
        ok = err_set(e, "%s: is a store of many games; --game N says which", v->path);
    ok = ok && (batch_load_record(store, v->game, &v->record, NULL, e) || err_prefix(e, "%s: ", v->path));
    store_close(store);
    return ok;
}

static int run(struct viewer *v, struct err *e) {
    struct record *record = &v->record;
    const char *difference = v->difference.text;
    if (!load(v, e) || (v->save != NULL && !cli_write_record(record, v->save, e)))
        return CLI_FAILED;
    if (v->save != NULL)
        return CLI_OK;
    /* The record may come from a stranger, and is only shown from here on. */
    charset_disarm(record->players[0]);
    charset_disarm(record->players[1]);
    charset_disarm(record->date);
    charset_disarm(record->result);
    if (v->check_only) {
        if (difference[0] != '\0')
            printf("%s\n", difference);
        else
            printf("%s: ok, %d action%s, %s\n", v->path, record->count, record->count == 1 ? "" : "s",
                   record->result);
        return difference[0] == '\0' && cli_flush() == CLI_OK ? CLI_OK : CLI_FAILED;
    }
    v->scenario = record_scenario(record, e);
    if (v->scenario == NULL || !replay_to(&v->replay, record, v->scenario, v->at < 0 ? 0 : v->at, e)) {
        err_prefix(e, "%s: ", v->path);
        return CLI_FAILED;
    }
    if (v->at > record->count)
        return cli_error(CLI_FAILED, "%s: has %d actions, not %d", v->path, record->count, v->at);
    const char *const *sides = v->scenario->game->text->side_names;
    printf("%s (%s) against %s (%s)%s%s\n", record->players[0], sides[0], record->players[1], sides[1],
           record->date[0] != '\0' ? ", " : "", record->date);
    const bool steps = v->at < 0 && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
    if (steps)
        step_through(v);
    else
        show(v);
    while (!steps && v->at < 0 && v->replay.next < record->count) {
        replay_step(&v->replay, NULL);
        show(v);
    }
    if (difference[0] != '\0')
        return cli_error(CLI_FAILED, "from here on it differs from the rules: %s", difference);
    return cli_flush();
}

#define AT(field) offsetof(struct viewer, field)

static const struct param replay_params[] = {
    {"check", PARAM_FLAG, AT(check_only), .help = "only re-execute it and report the first difference"},
    {"at", PARAM_INT, AT(at), 0, RECORD_ACTIONS_MAX, -1, .help = "only the board (or state) after N actions"},
    {"game", PARAM_INT, AT(game), 0, 2147483647, -1, .help = "which game of a store"},
    {"view", PARAM_CHOICE, AT(view), .fallback = POSITION_SEES_ALL, .choices = "first|second|all",
     .value = "first|second|all", .help = "what that side could see, and from its place (default: all)"},
    {"save", PARAM_STRING, AT(save), .value = "FILE",
     .help = "only write it there: as JSON, .sgf (the tactical game) or .txt (a Geister server's log)"},
    {"no-color", PARAM_FLAG, AT(no_colour), .help = "plain text"},
    {0},
};

static int run_replay(void *state, const struct cli_call *call, struct err *e) {
    struct viewer *v = state;
    if (v->view != POSITION_SEES_ALL && (v->check_only || v->save != NULL))
        return cli_error(CLI_USAGE, "--view does not go with --%s, which takes the whole game",
                         v->check_only ? "check" : "save");
    v->path = call->arguments.values[0];
    v->colour = cli_colour(STDOUT_FILENO) && !v->no_colour;
    return run(v, e);
}

static void end_replay(void *state) {
    struct viewer *v = state;
    if (v->scenario != NULL)
        v->scenario->game->unload(v->scenario);
    record_done(&v->record);
}

const struct cli_body cli_replay = {
    sizeof(struct viewer), {{replay_params}}, .takes_one = "record", .run = run_replay, .done = end_replay};
