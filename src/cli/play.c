/* SPDX-License-Identifier: MIT
 *
 * Games in the terminal. `senjutsu play`: a game between people and programs. People see what their side may
 * see, and type actions; games with a console (game/face.h) have commands of their own. `senjutsu replay
 * FILE`: steps through a record, or checks it against the rules.
 */
#include "base/mem.h"
#include "cli/cli.h"
#include "game/face.h"
#include "match/batch.h"
#include "match/clocked_game.h"
#include "store/store.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { PLAY_LINE_MAX = 256, ACTIONS_PROMPTED = 8 /* more would not fit into the prompt */ };

/* One run of `play`: options, then the game. */
struct play {
    struct cli_source source;
    const char *seats[2]; /* players' specs, or "human"; NULL: the game's default, known after loading */
    const char *save, *load;
    uint64_t seed;
    bool seed_given, no_colour;

    struct scenario *scenario;
    const struct face_console *console; /* of the game; NULL: none */
    struct record record;               /* of all actions, also for --save and undo */
    struct clocked_game game;           /* without clocks */
    struct player *players[2];          /* NULL: a person */
    struct player *adviser;             /* for hints */
    bool colour;
    int turn_start; /* number of actions at the start of the person's turn: undo stops there */
    int picked;     /* the console's picked piece, or FACE_NOTHING_PICKED */
};

/* ---- positions and actions ---- */

/* The full state: the printing functions hide what the viewer may not see. */
static const void *state_of(const struct play *play) {
    return play->game.referee.state;
}

/* Plays the action, which must be legal. */
static bool add_action(struct play *play, action a, double milliseconds) {
    const struct referee *referee = &play->game.referee;
    struct err e;
    if (!clocked_game_play(&play->game, a, milliseconds, &e))
        cli_error(CLI_FAILED, "%s", e.text);
    else if (referee->fault_kind != PLAYER_FAULT_NONE)
        cli_error(CLI_FAILED, "%s", referee->fault.text);
    else
        return true;
    return false;
}

/* Takes back all actions after the first `count`; false with a message when a person has learned something
 * hidden from them. */
static bool go_back(struct play *play, int count) {
    const unsigned people = (unsigned)(play->players[0] == NULL) | (unsigned)(play->players[1] == NULL) << 1;
    struct replay back;
    clocked_game_replay(&play->game, count, &back, NULL);
    if (secret_was_shown(&back, people)) {
        puts("That turn showed something hidden, so it cannot be taken back.");
        return false;
    }
    return clocked_game_go_back(&play->game, count, 0, NULL);
}

/* Asks a player for an action in the current position. */
static bool ask_player(struct play *play, struct player *player, action *out, double *milliseconds) {
    assert(player != NULL);
    struct answer answer;
    struct ask ask;
    const int64_t start = clock_now_ns(cli_clock());
    clocked_game_ask(&play->game, start, &ask);
    ask.budget.stop = &cli_stop;
    ask.budget.clock = cli_clock();
    player_choose(player, &ask, &answer);
    *milliseconds = clock_seconds_since(cli_clock(), start) * 1e3; /* for the record */
    *out = answer.chosen;
    if (answer.fault != PLAYER_FAULT_NONE && !atomic_load(&cli_stop))
        cli_error(CLI_FAILED, "%s", answer.reason);
    return answer.fault == PLAYER_FAULT_NONE;
}

/* What that side sees, or everything (POSITION_SEES_ALL). */
static void show(const struct play *play, int side) {
    position_print_view(play->scenario, state_of(play), side, play->colour);
}

/* Saves as .sgf or JSON, by the file name, and reports it. An earlier file of that name is replaced: people
 * save the same game several times. */
static bool save_game(struct play *play, const char *path) {
    struct err e;
    const bool ok = cli_write_record(&play->record, path, &e);
    if (ok)
        printf("Saved to %s (%s).\n", path, cli_record_form(&play->record, path, NULL)->title);
    else
        cli_error(CLI_FAILED, "%s", e.text);
    return ok;
}

/* ---- commands of a person ---- */

/* Appends "pass, bet", or nothing when there are more than `most` actions. */
static void list_actions(const struct play *play, int most, struct text *out) {
    const struct game *game = play->scenario->game;
    action *list = mem_alloc((size_t)game->actions_max * sizeof *list);
    const int count = game->actions(state_of(play), list);
    for (int i = 0; i < count && count <= most; i++) {
        text_add_string(out, i > 0 ? ", " : "");
        game->text->write_action(state_of(play), list[i], out);
    }
    mem_free(list);
}

/* A game with a console has its own help, which contains the general commands. */
static void print_help(const struct play *play) {
    const char *how_to_type = game_face(play->scenario->game)->how_to_type;
    if (play->console != NULL)
        fputs(play->console->help, stdout);
    else
        printf("%s"
               "  actions      all that you can choose from\n"
               "  board        what you see, once more (or: state)\n"
               "  hint         what a player of ours would do, who sees no more than you do\n"
               "  undo         take back your last action, and what came after it, unless that showed\n"
               "               something that was hidden from you\n"
               "  save FILE    as .json: with all that is hidden;   quit\n",
               how_to_type != NULL ? how_to_type : "  Type the action you choose, as 'actions' lists it.\n");
}

/* The adviser is asked with this person's view; the random numbers of the game stay as they are. */
static void print_hint(struct play *play, int side) {
    const struct game *game = play->scenario->game;
    struct rng *streams = play->game.referee.seat_rng;
    const struct rng before[2] = {streams[0], streams[1]};
    double milliseconds;
    action a;
    const bool is_known = ask_player(play, play->adviser, &a, &milliseconds);
    memcpy(streams, before, sizeof before);
    if (!is_known)
        return;
    _Alignas(16) unsigned char view[GAME_STATE_MAX];
    struct text notation = {0}, description = {0};
    position_view(game, state_of(play), side, view);
    game->text->write_action(view, a, &notation);
    position_add_action(play->scenario, view, a, side, &description);
    if (play->console != NULL)
        printf("%s would play: %s\n  type: %s\n", game_offer(game)->adviser, text_string(&description),
               text_string(&notation));
    else
        printf("%s would play %s: %s\n", game_offer(game)->adviser, text_string(&notation),
               text_string(&description));
    text_done(&notation);
    text_done(&description);
}

/* Takes back the last action of this turn, where a turn has many. */
static void undo_in_turn(struct play *play, int side) {
    if (play->record.count <= play->turn_start) {
        puts("There is nothing to take back in this turn.");
    } else if (go_back(play, play->record.count - 1)) {
        play->picked = FACE_NOTHING_PICKED;
        show(play, side);
    }
}

/* Goes back to this person's last decision. From there programs draw other random numbers. */
static void undo(struct play *play, int side) {
    struct replay replay;
    int last = -1;
    clocked_game_replay(&play->game, 0, &replay, NULL);
    while (replay.next < play->record.count) {
        if (play->scenario->game->mover(replay.state) == side)
            last = replay.next;
        replay_step(&replay, NULL);
    }
    if (last < 0)
        puts("There is nothing to take back.");
    else
        go_back(play, last);
}

/* Commands have one alternative name each. */
static bool is_word(const char *word, const char *one, const char *other) {
    return strcmp(word, one) == 0 || strcmp(word, other) == 0;
}

/* Commands that all games have; false when the line is none of them. Changes `word`. */
static bool general_command(struct play *play, int side, char *word) {
    struct text actions = {0};
    const bool types = play->console == NULL;
    if (is_word(word, "help", "?"))
        print_help(play);
    else if (types && strcmp(word, "actions") == 0) {
        list_actions(play, play->scenario->game->actions_max, &actions);
        printf("%s\n", text_string(&actions));
        text_done(&actions);
    } else if (is_word(word, "board", types ? "state" : "board"))
        show(play, side);
    else if (strcmp(word, "hint") == 0)
        print_hint(play, side);
    else if (strcmp(word, "undo") == 0)
        (types ? undo : undo_in_turn)(play, side);
    else if (strncmp(word, "save", 4) == 0 && (word[4] == '\0' || isspace((unsigned char)word[4]))) {
        const char *path = text_trim(word + 4);
        if (path[0] == '\0')
            puts("Say where: save FILE.");
        else
            save_game(play, path);
    } else
        return false;
    return true;
}

/* Runs a command of the game's console: every action is described, with its effects, and confirmed before it
 * is played. Without a console the line is an action, which is played at once. */
static bool game_command(struct play *play, int side, char *word) {
    const struct game *game = play->scenario->game;
    struct text text = {0};
    struct err e;
    struct face_input in = {
        .state = state_of(play), .colour = play->colour, .picked = play->picked, .out = &text};
    if (play->console == NULL) {
        if (game_face(game)->typed != NULL)
            game_face(game)->typed(in.state, word);
        if (game->text->read_action(in.state, word, &in.action, &e))
            return add_action(play, in.action, -1);
        printf("%s. 'help' lists the commands.\n", e.text);
        return true;
    }
    const enum face_reply reply = play->console->run(&in, word);
    play->picked = in.picked;
    if (reply == FACE_PLAY) {
        position_add_action(play->scenario, in.state, in.action, side, &text);
        text_add_string(&text, ". Do it? [Y/n] ");
    }
    char line[PLAY_LINE_MAX];
    bool yes = reply != FACE_PRINT && cli_read_line(text_string(&text), line, sizeof line);
    if (yes) { /* an empty answer means yes, the end of the input no */
        const char c = (char)tolower((unsigned char)text_trim(line)[0]);
        yes = c == '\0' || c == 'y';
    }
    const bool ok = !yes || add_action(play, in.action, -1);
    if (reply == FACE_PRINT)
        fputs(text_string(&text), stdout);
    text_done(&text);
    if (reply == FACE_PLAY && !yes)
        puts("Not done.");
    if (reply == FACE_PLAY && yes && ok) {
        play->picked = FACE_NOTHING_PICKED;
        show(play, side);
    }
    return ok;
}

/* Reads and runs one command of the person to move. False when they leave, or at the end of the input.
 * Without a console the prompt lists the actions if there are few. */
static bool person_command(struct play *play, int side) {
    const struct game_face *face = game_face(play->scenario->game);
    char line[PLAY_LINE_MAX];
    struct text prompt = {0};
    text_add_string(&prompt, play->scenario->game->text->side_names[side]);
    if (play->console != NULL && play->picked != FACE_NOTHING_PICKED)
        text_add(&prompt, ", %s %d", play->console->picked, play->picked);
    if (play->console == NULL) {
        text_add_string(&prompt, " (");
        const size_t bare = prompt.size;
        if (face->question != NULL)
            text_add_string(&prompt, face->question(state_of(play)));
        else
            list_actions(play, ACTIONS_PROMPTED, &prompt);
        text_add_string(&prompt, prompt.size > bare ? ")" : "'actions' lists them)");
    }
    text_add_string(&prompt, "> ");
    const bool read = cli_read_line(text_string(&prompt), line, sizeof line);
    text_done(&prompt);
    char *word = read ? text_trim(line) : NULL;
    if (word == NULL || is_word(word, "quit", "q"))
        return false;
    return word[0] == '\0' || general_command(play, side, word) || game_command(play, side, word);
}

/* ---- the game ---- */

/* With two people at one terminal, hides one person's view from the other. */
static bool hand_over(const struct play *play, int side, int *seated) {
    char line[PLAY_LINE_MAX], question[120];
    int columns, rows;
    const bool both = play->players[0] == NULL && play->players[1] == NULL;
    if (*seated == side || !both || play->scenario->game->hide == NULL)
        return true;
    if (*seated != NOBODY && cli_terminal(STDOUT_FILENO, &columns, &rows))
        fputs("\033[H\033[2J\033[3J", stdout); /* with the scroll-back buffer */
    *seated = side;
    snprintf(question, sizeof question, "\nNow it is %s's turn; the other one looks away. [Enter] ",
             play->scenario->game->text->side_names[side]);
    return cli_read_line(question, line, sizeof line);
}

/* True when the game is over, false when it was left. The board is shown before each decision of a person
 * and, when two programs play, before every action; in a game with a console before each turn. */
static bool run_game(struct play *play) {
    const struct game *game = play->scenario->game;
    int shown = -1, seated = NOBODY;
    for (int side; (side = game->mover(state_of(play))) != NOBODY;) {
        const bool person = play->players[side] == NULL;
        if (person && !hand_over(play, side, &seated))
            return false;
        /* A person sees its side's view; an observer of two programs sees everything. */
        const int viewer = person ? side : play->players[side ^ 1] == NULL ? side ^ 1 : POSITION_SEES_ALL;
        const int now = play->console != NULL ? game->turn(state_of(play)) : play->record.count;
        if (now != shown && (play->console != NULL || person || viewer == POSITION_SEES_ALL)) {
            show(play, viewer);
            play->turn_start = play->record.count;
            play->picked = FACE_NOTHING_PICKED;
            shown = now;
        }
        double milliseconds;
        action a;
        bool on =
            person ? person_command(play, side) : ask_player(play, play->players[side], &a, &milliseconds);
        if (!on || atomic_load(&cli_stop))
            return false;
        if (!person) {
            struct text text = {0};
            position_add_action(play->scenario, state_of(play), a, viewer, &text);
            printf("%s\n", text_string(&text));
            text_done(&text);
            if (!add_action(play, a, milliseconds))
                return false;
        }
    }
    show(play, POSITION_SEES_ALL);
    return true;
}

/* Plays until the end or until a person leaves, and prints the result. */
static void run_whole(struct play *play) {
    const struct record *record = &play->record;
    const char *const players[2] = {record->players[0], record->players[1]};
    struct text result = {0};
    if (!run_game(play)) {
        printf("\nThe game was left after %d action%s.\n", record->count, record->count == 1 ? "" : "s");
    } else {
        if (play->console != NULL) {
            play->console->result(state_of(play), players, &result);
        } else {
            text_add_string(&result, ": ");
            position_add_end(play->scenario, state_of(play), POSITION_SEES_ALL, &result);
        }
        printf("\nThe game is over%s.\n", text_string(&result));
        text_done(&result);
    }
    if (!game_is_determined(play->scenario->game))
        printf("--seed %llu %s again.\n",
               (unsigned long long)(record->deal != 0 ? record->deal : record->seed),
               record_deals(play->scenario) ? "deals the same" : "gives the same random numbers");
}

/* ---- the command ---- */

/* Loads the game or the record, fills all seats, and starts or continues the game. */
static bool start_game(struct play *play, struct err *e) {
    struct record *record = &play->record;
    struct err difference;
    const bool is_new = play->load == NULL;
    if (!is_new && !record_load(play->load, record, &difference, e))
        return false;
    if (!is_new && difference.text[0] != '\0') /* a game cannot continue from an illegal action */
        return err_set(e, "%s", difference.text);
    play->scenario = is_new ? cli_load_source(&play->source, e) : record_scenario(record, e);
    if (play->scenario == NULL)
        return false;
    const struct game *game = play->scenario->game;
    play->console = game_face(game)->console;
    if (play->seats[0] == NULL)
        play->seats[0] = "human";
    if (play->seats[1] == NULL)
        play->seats[1] = game_offer(game)->opponent;
    if (is_new) {
        record_init(record);
        record_describe(record, play->scenario, play->seats);
        /* A new deal for each game with a person; the seed to repeat it is printed. */
        record->seed = play->seed_given || game_is_determined(game)
                           ? play->seed
                           : rng_mix((uint64_t)clock_now_ns(cli_clock()) + (uint64_t)time(NULL)) >> 40;
        cli_date(record->date, sizeof record->date);
    }
    const struct clocked_setup clocked = {
        .scenario = play->scenario, .seed = record->seed, .deal = record->deal, .record = record};
    clocked_game_start(&play->game, &clocked, 0);
    if (!clocked_game_go_back(&play->game, record->count, 0, e))
        return false;
    for (int side = 0; side < 2; side++) {
        if (strcmp(play->seats[side], "human") == 0)
            continue; /* a seat without a player is a person's */
        play->players[side] = player_open_granted(play->seats[side], game, cli_grant(), e);
        if (play->players[side] == NULL)
            return false;
    }
    /* Two programs need no hints. The adviser asks for no permission: the game names it, and it is one of
     * ours. */
    if (play->players[0] == NULL || play->players[1] == NULL) {
        play->adviser = player_open(game_offer(game)->adviser, game, e);
        return play->adviser != NULL;
    }
    return true;
}

/* Checks all options before the game is loaded, plays it and saves it. A game that was left is saved like a
 * finished one: --load continues it. */
static int run_play(void *state, const struct cli_call *call, struct err *e) {
    struct play *play = state;
    play->seed_given = params_given(call->sections, "seed");
    static const char *const of_record[] = {"game", "map", "rules", "seed"};
    struct err why;
    if (!cli_check_source(&play->source, e))
        return CLI_USAGE;
    for (size_t i = 0; play->load != NULL && i < sizeof of_record / sizeof of_record[0]; i++)
        if (params_given(call->sections, of_record[i]))
            return cli_error(CLI_USAGE, "--%s does not go with --load: the record says what is played",
                             of_record[i]);
    for (int side = 0; side < 2; side++)
        if (play->seats[side] != NULL && strcmp(play->seats[side], "human") != 0 &&
            !player_check(play->seats[side], NULL, &why))
            return cli_error(CLI_USAGE, "%s (or human)", why.text);
    const bool ready = start_game(play, e);
    if (play->scenario != NULL && play->save != NULL && cli_ends_in(play->save, ".sgf") &&
        record_find_form(play->scenario->game, "sgf", e) == NULL) {
        err_prefix(e, "--save %s: ", play->save);
        return CLI_USAGE;
    }
    if (!ready)
        return CLI_FAILED;
    play->colour = cli_colour(STDOUT_FILENO) && !play->no_colour;
    cli_catch_interrupt();
    if (play->players[0] == NULL || play->players[1] == NULL)
        printf("Type help for the commands.\n");
    run_whole(play);
    return play->save == NULL || save_game(play, play->save) ? CLI_OK : CLI_FAILED;
}

static void end_play(void *state) {
    struct play *play = state;
    player_close(play->players[0]);
    player_close(play->players[1]);
    player_close(play->adviser);
    game_unload(play->scenario);
    record_done(&play->record);
}

#define AT(field) offsetof(struct play, field)

static const struct param play_params[] = {
    {"map", PARAM_STRING, AT(source.map), .value = "FILE", .help = "the map (default: standard)"},
    {"game", PARAM_STRING, AT(source.game), .value = "SPEC", .help = CLI_GAME_HELP},
    {"red", PARAM_PLAYER, AT(seats[0]), .value = "PLAYER",
     .help = "who plays red: human (the default) or a player's spec"},
    {"blue", PARAM_PLAYER, AT(seats[1]), .value = "PLAYER", .help = "who plays blue (default: acteval)"},
    {"first", PARAM_PLAYER, AT(seats[0]), .value = "PLAYER",
     .help = "the same as --red, for games without colours"},
    {"second", PARAM_PLAYER, AT(seats[1]), .value = "PLAYER",
     .help = "the same as --blue (default then: ismcts, or the game's own: geist in Geister)"},
    {"rules", PARAM_STRING, AT(source.rules), .value = "SET", .help = "tubstap (the default) or paper"},
    {"seed", PARAM_U64, AT(seed), .fallback = 1, .is_explained = true,
     .help = "of the players' random numbers (default: 1) and of the deal (default: a new one)"},
    {"load", PARAM_STRING, AT(load), .value = "FILE", .help = "continue a saved game"},
    {"save", PARAM_STRING, AT(save), .value = "FILE",
     .help = "save the game when it ends or is left (.json, .sgf; of Geister .txt, a server's log)"},
    {"no-color", PARAM_FLAG, AT(no_colour), .help = "plain text"},
    {0},
};

const struct cli_body cli_play = {sizeof(struct play), {{play_params}}, .run = run_play, .done = end_play};

/* ---- replay ---- */

/* One run of `replay`: options, then the record and the current step. */
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
static void show_step(const struct viewer *v) {
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
        if (next > 0) { /* the last action as far as the viewer may know it, described if there are words */
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
        show_step(v);
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
        /* This cannot fail: every action was checked on reading. */
        replay_to(&v->replay, &v->record, v->scenario, (int)wanted, NULL);
    }
    putchar('\n');
}

/* Loads a file with one record, or game --game N of a store. */
static bool load_viewed(struct viewer *v, struct err *e) {
    /* The content decides and not the name: stores have no fixed ending. */
    static const char mark[] = "SQLite format 3"; /* the first 16 bytes of every store, with the NUL */
    char bytes[sizeof mark] = "";
    const bool is_input = strcmp(v->path, "-") == 0;
    FILE *file = !is_input ? fopen(v->path, "rb") : NULL;
    const bool is_store = file != NULL && fread(bytes, 1, sizeof bytes, file) == sizeof bytes &&
                          memcmp(bytes, mark, sizeof mark) == 0;
    const bool is_there = is_input || (file != NULL && ferror(file) == 0); /* else record_load says why */
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

/* A record that differs from the rules is shown up to the difference, which is reported at the end; --check
 * prints only this. */
static int run_replay(void *state, const struct cli_call *call, struct err *e) {
    struct viewer *v = state;
    struct record *record = &v->record;
    const char *difference = v->difference.text;
    if (v->view != POSITION_SEES_ALL && (v->check_only || v->save != NULL))
        return cli_error(CLI_USAGE, "--view does not go with --%s, which takes the whole game",
                         v->check_only ? "check" : "save");
    v->path = call->arguments.values[0];
    v->colour = cli_colour(STDOUT_FILENO) && !v->no_colour;
    if (!load_viewed(v, e) || (v->save != NULL && !cli_write_record(record, v->save, e)))
        return CLI_FAILED;
    if (v->save != NULL)
        return CLI_OK;
    /* The record may come from a stranger, and is only shown from here on: nothing in it may reach the
     * terminal as a command. */
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
        return difference[0] == '\0' ? CLI_OK : CLI_FAILED;
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
    /* Without a terminal at both ends, all steps are printed one after the other. */
    const bool steps = v->at < 0 && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
    if (steps)
        step_through(v);
    else
        for (show_step(v); v->at < 0 && v->replay.next < record->count; show_step(v))
            replay_step(&v->replay, NULL);
    if (difference[0] != '\0')
        return cli_error(CLI_FAILED, "from here on it differs from the rules: %s", difference);
    return CLI_OK;
}

#undef AT
#define AT(field) offsetof(struct viewer, field)

static const struct param replay_params[] = {
    {"check", PARAM_FLAG, AT(check_only), .help = "only re-execute it and report the first difference"},
    {"at", PARAM_INT, AT(at), 0, RECORD_ACTIONS_MAX, -1, .help = "only the board (or state) after N actions"},
    {"game", PARAM_INT, AT(game), 0, 2147483647, -1, .help = "which game of a store"},
    {"view", PARAM_CHOICE, AT(view), .fallback = POSITION_SEES_ALL, .choices = "first|second|all",
     .value = "first|second|all", .help = "what that side could see, from its side of the board"},
    {"save", PARAM_STRING, AT(save), .value = "FILE",
     .help = "only write it there: as JSON, .sgf (the tactical game) or .txt (a Geister server's log)"},
    {"no-color", PARAM_FLAG, AT(no_colour), .help = "plain text"},
    {0},
};

static void end_replay(void *state) {
    struct viewer *v = state;
    game_unload(v->scenario);
    record_done(&v->record);
}

const struct cli_body cli_replay = {
    sizeof(struct viewer), {{replay_params}}, .takes_one = "record", .run = run_replay, .done = end_replay};
