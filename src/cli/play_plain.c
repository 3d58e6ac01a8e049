/* SPDX-License-Identifier: MIT
 *
 * `senjutsu play` in games beside the tactical one: the position is what the person may see, as a board or as
 * text, and an action is chosen by typing it. What was hidden is shown at the end.
 */
#include "cli/play.h"

#include "base/mem.h"
#include "cli/position.h"
#include "cli/shown.h"
#include "player/usual.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { ACTIONS_PROMPTED = 8 }; /* more of them would not fit into the prompt */

static bool is_person(const struct play *play, int side) {
    return play->players[side] == NULL;
}

/* A person sees what its side does; who only watches two programs sees all. */
static int viewer_of(const struct play *play, int mover) {
    if (is_person(play, mover))
        return mover;
    return is_person(play, mover ^ 1) ? mover ^ 1 : POSITION_SEES_ALL;
}

static void show(const struct play *play, int side) {
    position_tell(play->scenario, play->replay.state, side, play->colour);
}

/* "pass, bet", or nothing when there are more than that many. */
static void list_actions(const struct play *play, int most, struct text *out) {
    const struct game *game = play->scenario->game;
    action *list = mem_alloc((size_t)game->actions_max * sizeof *list);
    const int count = list != NULL ? game->actions(play->replay.state, list) : 0;
    for (int i = 0; i < count && count <= most; i++) {
        text_add_string(out, i > 0 ? ", " : "");
        game->text->write_action(play->replay.state, list[i], out);
    }
    mem_free(list);
}

static void print_actions(const struct play *play) {
    struct text text = {0};
    list_actions(play, play->scenario->game->actions_max, &text);
    printf("%s\n", text_string(&text));
    text_done(&text);
}

static void print_help(const struct play *play) {
    fputs(shown_of(play->scenario->game)->how_to_type, stdout);
    puts("  actions      all that you can choose from\n"
         "  board        what you see, once more (or: state)\n"
         "  hint         what a player of ours would do, who sees no more than you do\n"
         "  undo         take back your last action, and what came after it, unless that showed\n"
         "               something that was hidden from you\n"
         "  save FILE    as .json: with all that is hidden;   quit");
}

/* What the adviser is asked is what this person sees. */
static void give_hint(struct play *play, int side) {
    struct text text = {0};
    action a;
    if (!play_advise(play, &a))
        return;
    _Alignas(16) unsigned char view[GAME_STATE_MAX];
    position_view(play->scenario->game, play->replay.state, side, view);
    play->scenario->game->text->write_action(view, a, &text);
    text_add_string(&text, ": ");
    position_tell_action(play->scenario, view, a, side, &text);
    printf("%s would play %s\n", usual_players_of(play->scenario->game)->adviser, text_string(&text));
    text_done(&text);
}

/* Back to this person's last decision. Programs draw other random numbers from there on. */
static void undo(struct play *play, int side) {
    struct replay replay;
    int last = -1;
    replay_start(&replay, &play->record, play->scenario);
    while (replay.next < play->record.count) {
        if (play->scenario->game->mover(replay.state) == side)
            last = replay.next;
        replay_step(&replay, NULL);
    }
    if (last < 0)
        puts("There is nothing to take back.");
    else
        play_go_back(play, last);
}

static void save(struct play *play, const char *path) {
    if (path[0] == '\0')
        puts("Say where: save FILE.");
    else
        play_save(play, path);
}

static bool try_action(struct play *play, char *word) {
    const struct shown *shown = shown_of(play->scenario->game);
    struct err e;
    action a;
    if (shown->typed != NULL)
        shown->typed(play->replay.state, word);
    if (play->scenario->game->text->read_action(play->replay.state, word, &a, &e))
        return play_action(play, a, -1);
    printf("%s. 'help' lists the commands.\n", e.text);
    return true;
}

/* Commands that are one word; false when it is none of them. */
static bool word_command(struct play *play, int side, const char *word) {
    if (strcmp(word, "help") == 0 || strcmp(word, "?") == 0)
        print_help(play);
    else if (strcmp(word, "actions") == 0)
        print_actions(play);
    else if (strcmp(word, "state") == 0 || strcmp(word, "board") == 0)
        show(play, side);
    else if (strcmp(word, "hint") == 0)
        give_hint(play, side);
    else if (strcmp(word, "undo") == 0)
        undo(play, side);
    else
        return false;
    return true;
}

/* False when they want to leave. */
static bool person_command(struct play *play, int side) {
    char line[PLAY_LINE_MAX];
    struct text prompt = {0};
    text_add(&prompt, "%s (", play->scenario->game->text->side_names[side]);
    const size_t bare = prompt.size;
    const struct shown *shown = shown_of(play->scenario->game);
    if (shown->question != NULL)
        text_add_string(&prompt, shown->question(play->replay.state));
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
    if (word[0] == '\0' || word_command(play, side, word))
        return true;
    if (strncmp(word, "save", 4) == 0 && (word[4] == '\0' || isspace((unsigned char)word[4])))
        save(play, text_trim(word + 4));
    else
        return try_action(play, word);
    return true;
}

/* Wipes the terminal, with what has scrolled out of it. */
static void wipe(void) {
    int columns, rows;
    if (cli_terminal_out(&columns, &rows))
        fputs("\033[H\033[2J\033[3J", stdout);
}

/* Two people at one terminal: what one of them sees is not for the other. */
static bool hand_over(const struct play *play, int side, int *seated) {
    char line[PLAY_LINE_MAX], question[120];
    const bool both = is_person(play, 0) && is_person(play, 1);
    if (*seated == side || !both || play->scenario->game->hide == NULL)
        return true;
    if (*seated != NOBODY)
        wipe();
    *seated = side;
    snprintf(question, sizeof question, "\nNow it is %s's turn; the other one looks away. [Enter] ",
             play->scenario->game->text->side_names[side]);
    return cli_read_line(question, line, sizeof line);
}

static bool program_turn(struct play *play, int side) {
    double milliseconds;
    action a;
    if (!play_ask(play, play->players[side], &a, &milliseconds) || atomic_load(&cli_stop))
        return false;
    struct text text = {0};
    position_tell_action(play->scenario, play->replay.state, a, viewer_of(play, side), &text);
    printf("%s\n", text_string(&text));
    text_done(&text);
    return play_action(play, a, milliseconds);
}

bool play_plain_run(struct play *play) {
    const struct game *game = play->scenario->game;
    int shown = -1, seated = NOBODY;
    for (int side; (side = game->mover(play->replay.state)) != NOBODY;) {
        if (is_person(play, side) && !hand_over(play, side, &seated))
            return false;
        if (shown != play->record.count &&
            (is_person(play, side) || viewer_of(play, side) == POSITION_SEES_ALL)) {
            show(play, viewer_of(play, side));
            shown = play->record.count;
        }
        const bool on = is_person(play, side) ? person_command(play, side) : program_turn(play, side);
        if (!on || atomic_load(&cli_stop))
            return false;
    }
    show(play, POSITION_SEES_ALL);
    return true;
}

void play_plain_result(const struct play *play) {
    struct text text = {0};
    position_tell_end(play->scenario, play->replay.state, POSITION_SEES_ALL, &text);
    printf("\nThe game is over: %s.\n", text_string(&text));
    text_done(&text);
}
