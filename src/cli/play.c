/* SPDX-License-Identifier: MIT
 *
 * `senjutsu play`: a game in the terminal, between people and programs. The tactical game has a board on
 * which units are picked by number; other games show what the person may see, and actions are typed.
 */
#include "base/file.h"
#include "base/mem.h"
#include "cli/cli.h"
#include "cli/position.h"
#include "game/face.h"
#include "game/tbs/show.h"
#include "match/clocked_game.h"
#include "match/secret.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PLAY_LINE_MAX = 256, PLAY_NO_UNIT = -1 };

struct play {
    const struct cli_command *command;
    struct scenario *scenario;
    struct record record;
    struct clocked_game game;  /* without clocks */
    struct player *players[2]; /* NULL: a person */
    struct player *adviser;    /* for hints */
    bool colour;
    int turn_start; /* number of actions at the start of the person's turn: undo stops there */
    int selected;   /* the selected unit, or PLAY_NO_UNIT */
};

/* ---- shared ---- */

static const void *state_of(const struct play *play) {
    return play->game.referee.state;
}

/* Plays the action, which must be legal. */
static bool add_action(struct play *play, action a, double milliseconds) {
    const struct referee *referee = &play->game.referee;
    struct err e;
    if (!clocked_game_play(&play->game, a, milliseconds, &e))
        cli_fail(play->command, CLI_FAILED, "%s", e.text);
    else if (referee->fault_kind != PLAYER_FAULT_NONE)
        cli_fail(play->command, CLI_FAILED, "%s", referee->fault.text);
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
    *milliseconds = clock_seconds_since(cli_clock(), start) * 1e3;
    *out = answer.chosen;
    if (answer.fault != PLAYER_FAULT_NONE && !atomic_load(&cli_stop))
        cli_fail(play->command, CLI_FAILED, "%s", answer.reason);
    return answer.fault == PLAYER_FAULT_NONE;
}

/* Asks the adviser; the random numbers of the game stay as they are. */
static bool ask_adviser(struct play *play, action *out) {
    struct rng *streams = play->game.referee.seat_rng;
    const struct rng before[2] = {streams[0], streams[1]};
    double milliseconds;
    const bool is_known = ask_player(play, play->adviser, out, &milliseconds);
    memcpy(streams, before, sizeof before);
    return is_known;
}

/* What that side sees, or everything (POSITION_SEES_ALL). */
static void show(const struct play *play, int side) {
    position_print_view(play->scenario, state_of(play), side, play->colour);
}

/* A person sees its side's view; an observer of two programs sees everything. */
static int viewer_of(const struct play *play, int mover) {
    if (play->players[mover] == NULL)
        return mover;
    return play->players[mover ^ 1] == NULL ? mover ^ 1 : POSITION_SEES_ALL;
}

static bool program_turn(struct play *play, int side) {
    double milliseconds;
    action a;
    if (!ask_player(play, play->players[side], &a, &milliseconds) || atomic_load(&cli_stop))
        return false;
    struct text text = {0};
    position_add_action(play->scenario, state_of(play), a, viewer_of(play, side), &text);
    printf("%s\n", text_string(&text));
    text_done(&text);
    return add_action(play, a, milliseconds);
}

/* Saves as .sgf or JSON, by the file name, and reports it. */
static bool save_game(struct play *play, const char *path) {
    struct err e;
    const bool ok = cli_write_record(&play->record, path, &e);
    if (ok)
        printf("Saved to %s (%s).\n", path, cli_record_form(&play->record, path));
    else
        cli_fail(play->command, CLI_FAILED, "%s", e.text);
    return ok;
}

/* ---- the tactical game ---- */

/* A unit is picked by its number; then a cell moves it there and xTARGET attacks. Every action is described,
 * with damage and counter-attack, and confirmed before it is played. */

/* An empty answer means yes, the end of the input no. */
static bool confirm(const char *question) {
    char line[PLAY_LINE_MAX];
    if (!cli_read_line(question, line, sizeof line))
        return false;
    const char c = (char)tolower((unsigned char)text_trim(line)[0]);
    return c == '\0' || c == 'y';
}

/* ---- the tactical game: showing ---- */

static void list_units(struct play *play) {
    struct tbs_position p;
    tbs_position_of(state_of(play), &p);
    for (int id = 0; id < p.unit_count; id++) {
        const struct tbs_unit *u = &p.units[id];
        action actions[TBS_UNIT_ACTIONS_MAX];
        int attacks = 0, count = 0;
        if (u->hp == 0)
            continue;
        if (tbs_can_act(&p, id))
            count = tbs_unit_actions(state_of(play), id, TBS_ATTACKS_POWER, actions, &attacks);
        printf("  %3d  %-4s %-8s at %2d,%-2d  HP %2d", id, tbs_side_names[u->side],
               tbs_unit_types[u->type].name, u->x, u->y, u->hp);
        if (u->side != p.side)
            puts("");
        else if (u->done)
            puts("  has acted");
        else
            printf("  %d move%s, %d attack%s\n", count - attacks, count - attacks == 1 ? "" : "s", attacks,
                   attacks == 1 ? "" : "s");
    }
}

static void list_attacks(struct play *play, const action *actions, int attacks) {
    struct tbs_position p;
    tbs_position_of(state_of(play), &p);
    for (int i = 0; i < attacks; i++) {
        const int target = tbs_action_target(actions[i]);
        const struct tbs_exchange x = tbs_preview(state_of(play), actions[i]);
        printf("  %d,%d x%-3d  %s (HP %d) from %d,%d: damage %d, counter-attack %d\n",
               tbs_action_x(actions[i]), tbs_action_y(actions[i]), target,
               tbs_unit_types[p.units[target].type].name, p.units[target].hp, tbs_action_x(actions[i]),
               tbs_action_y(actions[i]), x.damage, x.counter);
    }
}

/* Marks the unit's destinations and targets, and lists the attacks with their effects. */
static void pick_unit(struct play *play, int id) {
    struct tbs_position p;
    tbs_position_of(state_of(play), &p);
    if (id < 0 || id >= p.unit_count || p.units[id].hp == 0 || p.units[id].side != p.side) {
        printf("%d is none of your units; 'units' lists them.\n", id);
        return;
    }
    if (p.units[id].done) {
        printf("Unit %d has acted in this turn.\n", id);
        return;
    }
    action actions[TBS_UNIT_ACTIONS_MAX];
    int attacks;
    const int count = tbs_unit_actions(state_of(play), id, TBS_ATTACKS_POWER, actions, &attacks);
    struct tbs_show how = {0};
    for (int i = attacks; i < count; i++)
        how.marks[tbs_action_x(actions[i])][tbs_action_y(actions[i])] = TBS_MARK_END;
    for (int i = 0; i < attacks; i++) {
        const struct tbs_unit *t = &p.units[tbs_action_target(actions[i])];
        how.marks[t->x][t->y] = TBS_MARK_TARGET;
    }
    how.marks[p.units[id].x][p.units[id].y] = TBS_MARK_FROM;
    play->selected = id;
    struct text text = {0};
    how.colour = play->colour;
    how.ids = true;
    text_add_string(&text, "\n");
    game_face(play->scenario->game)->heading(state_of(play), &text);
    text_add_string(&text, "\n");
    tbs_show_position(tbs_map_of(state_of(play)), &p, &how, &text);
    fputs(text_string(&text), stdout);
    text_done(&text);
    printf("%s %d: %d cell%s to go to, %d attack%s. Type X,Y to move, X,Y xTARGET or xTARGET to attack.\n",
           tbs_unit_types[p.units[id].type].name, id, count - attacks, count - attacks == 1 ? "" : "s",
           attacks, attacks == 1 ? "" : "s");
    list_attacks(play, actions, attacks);
}

static void hint_unit(struct play *play) {
    struct text text = {0};
    action a;
    if (!ask_adviser(play, &a))
        return;
    position_add_action(play->scenario, state_of(play), a, POSITION_SEES_ALL, &text);
    text_add_string(&text, "\n  type: ");
    play->scenario->game->text->write_action(state_of(play), a, &text);
    printf("%s would play: %s\n", game_offer(play->scenario->game)->adviser, text_string(&text));
    text_done(&text);
}

static void print_unit_help(void) {
    puts("  3            pick unit 3: where it can go, whom it can attack\n"
         "  4,2          move the picked unit to column 4, row 2 (its own cell: stay)\n"
         "  4,2 x9       move there and attack unit 9;  x9 alone finds a cell to attack from\n"
         "  3:4,2x9      the same in one word, for any unit\n"
         "  end          end the turn (the remaining units stay)\n"
         "  undo         take back your last action of this turn\n"
         "  units  board  hint\n"
         "  save FILE    as .json or .sgf;   resign;   quit");
}

/* ---- the tactical game: actions and commands ---- */

static bool perform(struct play *play, action a) {
    struct text text = {0};
    position_add_action(play->scenario, state_of(play), a, POSITION_SEES_ALL, &text);
    text_add_string(&text, ". Do it? [Y/n] ");
    const bool yes = confirm(text_string(&text));
    text_done(&text);
    if (!yes) {
        puts("Not done.");
        return true;
    }
    play->selected = PLAY_NO_UNIT;
    if (!add_action(play, a, -1))
        return false;
    show(play, POSITION_SEES_ALL);
    return true;
}

static bool end_turn(struct play *play) {
    struct tbs_position p;
    tbs_position_of(state_of(play), &p);
    int left = 0;
    for (int id = 0; id < p.unit_count; id++)
        left += tbs_can_act(&p, id);
    char question[80];
    snprintf(question, sizeof question, "End the turn with %d unit%s that %s not acted? [Y/n] ", left,
             left == 1 ? "" : "s", left == 1 ? "has" : "have");
    return confirm(question) ? add_action(play, TBS_PASS, -1) : true;
}

static void undo_turn(struct play *play) {
    if (play->record.count <= play->turn_start) {
        puts("There is nothing to take back in this turn.");
        return;
    }
    if (!go_back(play, play->record.count - 1))
        return;
    play->selected = PLAY_NO_UNIT;
    show(play, POSITION_SEES_ALL);
}

/* For `xTARGET` alone: the stand cell with the best balance of damage and counter-attack. */
static bool find_attack(struct play *play, int target, action *out) {
    action actions[TBS_UNIT_ACTIONS_MAX];
    int attacks, best = -1000;
    tbs_unit_actions(state_of(play), play->selected, TBS_ATTACKS_ALL, actions, &attacks);
    for (int i = 0; i < attacks; i++) {
        const struct tbs_exchange x = tbs_preview(state_of(play), actions[i]);
        if (tbs_action_target(actions[i]) == target && x.damage - x.counter > best) {
            best = x.damage - x.counter;
            *out = actions[i];
        }
    }
    return best > -1000;
}

static bool attack_with_selected(struct play *play, const char *word) {
    long target;
    action a;
    if (play->selected == PLAY_NO_UNIT)
        puts("Pick one of your units first, by its number.");
    else if (!text_to_int(word + 1, &target) || !find_attack(play, (int)target, &a))
        printf("Unit %d cannot attack %s.\n", play->selected, word + 1);
    else
        return perform(play, a);
    return true;
}

/* Plays "4,2", "4,2 x9" or "4,2x9" for the selected unit, or a complete action in protocol notation. */
static bool try_unit_action(struct play *play, const char *line) {
    char text[PLAY_LINE_MAX];
    struct err e;
    action a;
    size_t n = 0;
    if (strchr(line, ':') == NULL && strchr(line, ',') != NULL) {
        if (play->selected == PLAY_NO_UNIT) {
            puts("Pick one of your units first, by its number.");
            return true;
        }
        n = (size_t)snprintf(text, sizeof text, "%d:", play->selected);
    }
    for (; *line != '\0' && n + 1 < sizeof text; line++)
        if (!isspace((unsigned char)*line))
            text[n++] = *line;
    text[n] = '\0';
    if (!play->scenario->game->text->read_action(state_of(play), text, &a, &e)) {
        printf("%s. 'help' lists the commands.\n", e.text);
        return true;
    }
    return perform(play, a);
}

/* "save FILE"; false when it is another command. */
static bool save_command(struct play *play, char *word) {
    if (strncmp(word, "save", 4) != 0 || (word[4] != '\0' && !isspace((unsigned char)word[4])))
        return false;
    const char *path = text_trim(word + 4);
    if (path[0] == '\0')
        puts("Say where: save FILE.");
    else
        save_game(play, path);
    return true;
}

/* One-word commands; false when the word is none of them. *on is what the caller returns. */
static bool unit_word_command(struct play *play, const char *word, bool *on) {
    *on = true;
    if (strcmp(word, "help") == 0 || strcmp(word, "?") == 0)
        print_unit_help();
    else if (strcmp(word, "units") == 0)
        list_units(play);
    else if (strcmp(word, "board") == 0)
        show(play, POSITION_SEES_ALL);
    else if (strcmp(word, "hint") == 0)
        hint_unit(play);
    else if (strcmp(word, "undo") == 0)
        undo_turn(play);
    else if (strcmp(word, "end") == 0 || strcmp(word, "pass") == 0)
        *on = end_turn(play);
    else if (strcmp(word, "resign") == 0)
        *on = confirm("Resign the game? [Y/n] ") ? add_action(play, TBS_RESIGN, -1) : true;
    else if (strcmp(word, "quit") == 0 || strcmp(word, "q") == 0)
        *on = false;
    else
        return false;
    return true;
}

/* Reads and runs one command of the person to move. False when they leave. */
static bool human_command(struct play *play) {
    char line[PLAY_LINE_MAX], prompt[64];
    const int side = play->scenario->game->mover(state_of(play));
    if (play->selected == PLAY_NO_UNIT)
        snprintf(prompt, sizeof prompt, "%s> ", tbs_side_names[side]);
    else
        snprintf(prompt, sizeof prompt, "%s, unit %d> ", tbs_side_names[side], play->selected);
    if (!cli_read_line(prompt, line, sizeof line))
        return false;
    char *word = text_trim(line);
    long number;
    bool on;
    if (word[0] == '\0' || unit_word_command(play, word, &on))
        return word[0] == '\0' ? true : on;
    if (save_command(play, word))
        return true;
    if (text_to_int(word, &number)) {
        pick_unit(play, (int)number);
        return true;
    }
    if (word[0] == 'x')
        return attack_with_selected(play, word);
    return try_unit_action(play, word);
}

/* ---- the tactical game: turns ---- */

/* True when the game is over, false when it was left. */
static bool run_game(struct play *play) {
    const struct game *game = play->scenario->game;
    int shown_turn = -1;
    for (int side; (side = game->mover(state_of(play))) != NOBODY;) {
        const int turn = game->turn(state_of(play));
        if (turn != shown_turn) {
            show(play, POSITION_SEES_ALL);
            play->turn_start = play->record.count;
            play->selected = PLAY_NO_UNIT;
            shown_turn = turn;
        }
        const bool on = play->players[side] != NULL ? program_turn(play, side) : human_command(play);
        if (!on || atomic_load(&cli_stop))
            return false;
    }
    show(play, POSITION_SEES_ALL);
    return true;
}

static void print_result(const struct play *play) {
    struct text text = {0};
    struct tbs_position p;
    if (!game_is_tbs(play->scenario->game)) {
        position_add_end(play->scenario, state_of(play), POSITION_SEES_ALL, &text);
        printf("\nThe game is over: %s.\n", text_string(&text));
        text_done(&text);
        return;
    }
    tbs_position_of(state_of(play), &p);
    const int winner = tbs_winner(p.result);
    printf("\nThe game is over after %d turns: ", p.turn);
    if (winner == NOBODY)
        printf("a draw, %d HP against %d.\n", p.hp_sum[0], p.hp_sum[1]);
    else
        printf("%s (%s) wins (%s).\n", tbs_side_names[winner], play->record.players[winner],
               strchr(tbs_result_names[p.result], ' ') + 1);
}

/* ---- other games ---- */

enum { ACTIONS_PROMPTED = 8 }; /* more would not fit into the prompt */

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

static void print_action_help(const struct play *play) {
    const char *how_to_type = game_face(play->scenario->game)->how_to_type;
    fputs(how_to_type != NULL ? how_to_type
                              : "  Type the action you choose, as it is written in the brackets.\n",
          stdout);
    puts("  actions      all that you can choose from\n"
         "  board        what you see, once more (or: state)\n"
         "  hint         what a player of ours would do, who sees no more than you do\n"
         "  undo         take back your last action, and what came after it, unless that showed\n"
         "               something that was hidden from you\n"
         "  save FILE    as .json: with all that is hidden;   quit");
}

/* The adviser is asked with this person's view. */
static void hint_action(struct play *play, int side) {
    struct text text = {0};
    action a;
    if (!ask_adviser(play, &a))
        return;
    _Alignas(16) unsigned char view[GAME_STATE_MAX];
    position_view(play->scenario->game, state_of(play), side, view);
    play->scenario->game->text->write_action(view, a, &text);
    text_add_string(&text, ": ");
    position_add_action(play->scenario, view, a, side, &text);
    printf("%s would play %s\n", game_offer(play->scenario->game)->adviser, text_string(&text));
    text_done(&text);
}

/* Goes back to this person's last decision. From there programs draw other random numbers. */
static void undo_action(struct play *play, int side) {
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

static bool try_typed_action(struct play *play, char *word) {
    const struct game_face *face = game_face(play->scenario->game);
    struct err e;
    action a;
    if (face->typed != NULL)
        face->typed(state_of(play), word);
    if (play->scenario->game->text->read_action(state_of(play), word, &a, &e))
        return add_action(play, a, -1);
    printf("%s. 'help' lists the commands.\n", e.text);
    return true;
}

/* One-word commands; false when the word is none of them. */
static bool action_word_command(struct play *play, int side, const char *word) {
    struct text actions = {0};
    if (strcmp(word, "help") == 0 || strcmp(word, "?") == 0)
        print_action_help(play);
    else if (strcmp(word, "actions") == 0) {
        list_actions(play, play->scenario->game->actions_max, &actions);
        printf("%s\n", text_string(&actions));
        text_done(&actions);
    } else if (strcmp(word, "state") == 0 || strcmp(word, "board") == 0)
        show(play, side);
    else if (strcmp(word, "hint") == 0)
        hint_action(play, side);
    else if (strcmp(word, "undo") == 0)
        undo_action(play, side);
    else
        return false;
    return true;
}

/* False when they leave. */
static bool person_command(struct play *play, int side) {
    char line[PLAY_LINE_MAX];
    struct text prompt = {0};
    text_add(&prompt, "%s (", play->scenario->game->text->side_names[side]);
    const size_t bare = prompt.size;
    const struct game_face *face = game_face(play->scenario->game);
    if (face->question != NULL)
        text_add_string(&prompt, face->question(state_of(play)));
    else
        list_actions(play, ACTIONS_PROMPTED, &prompt);
    text_add_string(&prompt, prompt.size > bare ? ")> " : "'actions' lists them)> ");
    const bool read = cli_read_line(text_string(&prompt), line, sizeof line);
    text_done(&prompt);
    if (!read)
        return false;
    char *word = text_trim(line);
    if (strcmp(word, "quit") == 0 || strcmp(word, "q") == 0)
        return false;
    return word[0] == '\0' || action_word_command(play, side, word) || save_command(play, word) ||
           try_typed_action(play, word);
}

/* With two people at one terminal, hides one person's view from the other. */
static bool hand_over(const struct play *play, int side, int *seated) {
    char line[PLAY_LINE_MAX], question[120];
    int columns, rows;
    const bool both = play->players[0] == NULL && play->players[1] == NULL;
    if (*seated == side || !both || play->scenario->game->hide == NULL)
        return true;
    if (*seated != NOBODY && cli_terminal_out(&columns, &rows))
        fputs("\033[H\033[2J\033[3J", stdout); /* with the scroll-back buffer */
    *seated = side;
    snprintf(question, sizeof question, "\nNow it is %s's turn; the other one looks away. [Enter] ",
             play->scenario->game->text->side_names[side]);
    return cli_read_line(question, line, sizeof line);
}

/* Plays a game other than the tactical one: true when it is over, false when it was left. */
static bool run_plain_game(struct play *play) {
    const struct game *game = play->scenario->game;
    int shown = -1, seated = NOBODY;
    for (int side; (side = game->mover(state_of(play))) != NOBODY;) {
        if (play->players[side] == NULL && !hand_over(play, side, &seated))
            return false;
        if (shown != play->record.count &&
            (play->players[side] == NULL || viewer_of(play, side) == POSITION_SEES_ALL)) {
            show(play, viewer_of(play, side));
            shown = play->record.count;
        }
        const bool on = play->players[side] == NULL ? person_command(play, side) : program_turn(play, side);
        if (!on || atomic_load(&cli_stop))
            return false;
    }
    show(play, POSITION_SEES_ALL);
    return true;
}

/* ---- the command ---- */

struct setup {
    struct cli_source source;
    const char *seats[2], *save, *load;
    uint64_t seed;
    bool seed_given, no_colour;
};

/* Chooses a new deal for each game with a person; the seed to repeat it is printed. */
static uint64_t choose_deal(const struct game *game, const struct setup *setup) {
    if (setup->seed_given || game_is_determined(game))
        return setup->seed;
    return rng_mix((uint64_t)clock_now_ns(cli_clock()) + (uint64_t)time(NULL)) >> 40;
}

/* Fills seats that no option names. */
static void fill_default_seats(const struct game *game, const char *seats[2]) {
    if (seats[0] == NULL)
        seats[0] = "human";
    if (seats[1] == NULL)
        seats[1] = game_offer(game)->opponent;
}

static bool new_record(struct play *play, struct setup *setup, struct err *e) {
    play->scenario = cli_load_source(&setup->source, e);
    if (play->scenario == NULL)
        return false;
    fill_default_seats(play->scenario->game, setup->seats);
    struct record *record = &play->record;
    record_init(record);
    record_describe(record, play->scenario, setup->seats);
    record->seed = choose_deal(play->scenario->game, setup);
    cli_date(record->date, sizeof record->date);
    return true;
}

static bool load_record(struct play *play, struct setup *setup, struct err *e) {
    struct err difference;
    if (!record_load(setup->load, &play->record, &difference, e))
        return false;
    if (difference.text[0] != '\0')
        return err_set(e, "%s", difference.text);
    play->scenario = record_scenario(&play->record, e);
    if (play->scenario == NULL)
        return false;
    fill_default_seats(play->scenario->game, setup->seats);
    return true;
}

/* Starts the game, or goes on with the loaded record. */
static bool start_game(struct play *play, struct err *e) {
    const struct clocked_setup setup = {.scenario = play->scenario,
                                        .seed = play->record.seed,
                                        .deal = play->record.deal,
                                        .record = &play->record};
    clocked_game_start(&play->game, &setup, 0);
    return clocked_game_go_back(&play->game, play->record.count, 0, e);
}

static bool open_seats(struct play *play, const struct setup *setup, struct err *e) {
    const struct game *game = play->scenario->game;
    for (int side = 0; side < 2; side++) {
        if (strcmp(setup->seats[side], "human") == 0)
            continue;
        play->players[side] = player_open_granted(setup->seats[side], game, cli_grant(), e);
        if (play->players[side] == NULL)
            return false;
    }
    if (play->players[0] != NULL && play->players[1] != NULL)
        return true; /* two programs need no hints */
    play->adviser = player_open(game_offer(game)->adviser, game, e);
    return play->adviser != NULL;
}

/* Names an option that contradicts a loaded record; NULL: none. */
static const char *contradicting_option(const struct setup *setup) {
    const struct cli_source *source = &setup->source;
    if (setup->load == NULL)
        return NULL;
    return source->game != NULL    ? "game"
           : source->map != NULL   ? "map"
           : source->rules != NULL ? "rules"
           : setup->seed_given     ? "seed"
                                   : NULL;
}

static int check_setup(const struct play *play, const struct setup *setup) {
    struct err e;
    if (!cli_check_source(&setup->source, &e))
        return cli_fail(play->command, CLI_USAGE, "%s", e.text);
    const char *twice = contradicting_option(setup);
    if (twice != NULL)
        return cli_fail(play->command, CLI_USAGE,
                        "--%s does not go with --load: the record says what is played", twice);
    for (int side = 0; side < 2; side++)
        if (setup->seats[side] != NULL && strcmp(setup->seats[side], "human") != 0 &&
            !player_check(setup->seats[side], NULL, &e))
            return cli_fail(play->command, CLI_USAGE, "%s (or human)", e.text);
    return CLI_OK;
}

/* Plays until the end or until a person leaves, and prints the result. */
static void run_whole(struct play *play) {
    const bool over = game_is_tbs(play->scenario->game) ? run_game(play) : run_plain_game(play);
    if (!over)
        printf("\nThe game was left after %d action%s.\n", play->record.count,
               play->record.count == 1 ? "" : "s");
    else
        print_result(play);
    if (!game_is_determined(play->scenario->game))
        printf("--seed %llu %s again.\n",
               (unsigned long long)(play->record.deal != 0 ? play->record.deal : play->record.seed),
               record_deals(play->scenario) ? "deals the same" : "gives the same random numbers");
}

static int run_play(struct play *play, struct setup *setup) {
    struct err e;
    const int status = check_setup(play, setup);
    if (status != CLI_OK)
        return status;
    const bool ready = setup->load != NULL ? load_record(play, setup, &e) : new_record(play, setup, &e);
    if (ready && setup->save != NULL && cli_is_sgf(setup->save) &&
        !game_has_record_form(play->scenario->game, "sgf"))
        return cli_fail(play->command, CLI_USAGE, "--save %s: only the tactical game has .sgf records",
                        setup->save);
    if (!ready || !start_game(play, &e) || !open_seats(play, setup, &e))
        return cli_fail(play->command, CLI_FAILED, "%s", e.text);
    cli_catch_interrupt();
    if (play->players[0] == NULL || play->players[1] == NULL)
        printf("Type help for the commands.\n");
    run_whole(play);
    const bool saved = setup->save == NULL || save_game(play, setup->save);
    return saved && cli_finish_output(play->command) ? CLI_OK : CLI_FAILED;
}

#define AT(field) offsetof(struct setup, field)

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
    {"seed", PARAM_U64, AT(seed), .fallback = 1,
     .help = "of the players' random numbers, and of what is dealt (without it: something new)"},
    {"load", PARAM_STRING, AT(load), .value = "FILE", .help = "go on with a saved game"},
    {"save", PARAM_STRING, AT(save), .value = "FILE",
     .help = "save the game when it ends or is left (.json, .sgf; of Geister .txt, a server's log)"},
    {"no-color", PARAM_FLAG, AT(no_colour), .help = "plain text"},
    {0},
};

int cli_play(const struct cli_command *self, int argc, char **argv) {
    struct setup setup = {0};
    int status;
    struct params options[] = {{play_params, &setup, 0}, {0}};
    if (!cli_parse(self, options, argc, argv, NULL, &status))
        return status;
    setup.seed_given = params_given(options, "seed");
    struct play play = {.command = self, .colour = cli_colour_out() && !setup.no_colour};
    status = run_play(&play, &setup);
    player_close(play.players[0]);
    player_close(play.players[1]);
    player_close(play.adviser);
    if (play.scenario != NULL)
        play.scenario->game->unload(play.scenario);
    record_done(&play.record);
    return status;
}
