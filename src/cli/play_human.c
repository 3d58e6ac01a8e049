/* SPDX-License-Identifier: MIT
 *
 * A person's commands in `senjutsu play`. A unit is picked by its number; then a cell moves it there and
 * xTARGET attacks. Nothing is done before it was described, with damage and counter-attack, and confirmed.
 */
#include "cli/play.h"

#include "player/usual.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An empty answer means yes; the end of the input means no. */
static bool confirm(const char *question) {
    char line[PLAY_LINE_MAX];
    if (!cli_read_line(question, line, sizeof line))
        return false;
    const char c = (char)tolower((unsigned char)text_trim(line)[0]);
    return c == '\0' || c == 'y';
}

/* ---- looking ---- */

static void list_units(struct play *play) {
    struct tbs_position p;
    tbs_position_of(play->replay.state, &p);
    for (int id = 0; id < p.unit_count; id++) {
        const struct tbs_unit *u = &p.units[id];
        action actions[TBS_UNIT_ACTIONS_MAX];
        int attacks = 0, count = 0;
        if (u->hp == 0)
            continue;
        if (tbs_can_act(&p, id))
            count = tbs_unit_actions(play->replay.state, id, TBS_ATTACKS_POWER, actions, &attacks);
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
    tbs_position_of(play->replay.state, &p);
    for (int i = 0; i < attacks; i++) {
        const int target = tbs_action_target(actions[i]);
        const struct tbs_exchange x = tbs_preview(play->replay.state, actions[i]);
        printf("  %d,%d x%-3d  %s (HP %d) from %d,%d: damage %d, counter-attack %d\n",
               tbs_action_x(actions[i]), tbs_action_y(actions[i]), target,
               tbs_unit_types[p.units[target].type].name, p.units[target].hp, tbs_action_x(actions[i]),
               tbs_action_y(actions[i]), x.damage, x.counter);
    }
}

/* Marks where the unit can go and whom it can attack, and lists the attacks with what they would do. */
static void pick_unit(struct play *play, int id) {
    struct tbs_position p;
    tbs_position_of(play->replay.state, &p);
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
    const int count = tbs_unit_actions(play->replay.state, id, TBS_ATTACKS_POWER, actions, &attacks);
    struct tbs_show how = {0};
    for (int i = attacks; i < count; i++)
        how.marks[tbs_action_x(actions[i])][tbs_action_y(actions[i])] = TBS_MARK_END;
    for (int i = 0; i < attacks; i++) {
        const struct tbs_unit *t = &p.units[tbs_action_target(actions[i])];
        how.marks[t->x][t->y] = TBS_MARK_TARGET;
    }
    how.marks[p.units[id].x][p.units[id].y] = TBS_MARK_FROM;
    play->selected = id;
    play_show_board(play, &how);
    printf("%s %d: %d cell%s to go to, %d attack%s. Type X,Y to move, X,Y xTARGET or xTARGET to attack.\n",
           tbs_unit_types[p.units[id].type].name, id, count - attacks, count - attacks == 1 ? "" : "s",
           attacks, attacks == 1 ? "" : "s");
    list_attacks(play, actions, attacks);
}

static void give_hint(struct play *play) {
    struct text text = {0};
    action a;
    if (!play_advise(play, &a))
        return;
    play_describe(play, a, &text);
    text_add_string(&text, "\n  type: ");
    play->scenario->game->text->write_action(play->replay.state, a, &text);
    printf("%s would play: %s\n", usual_players_of(play->scenario->game)->adviser, text_string(&text));
    text_done(&text);
}

static void print_help(void) {
    puts("  3            pick unit 3: where it can go, whom it can attack\n"
         "  4,2          move the picked unit to column 4, row 2 (its own cell: stay)\n"
         "  4,2 x9       move there and attack unit 9;  x9 alone finds a cell to attack from\n"
         "  3:4,2x9      the same in one word, for any unit\n"
         "  end          end the turn (the remaining units stay)\n"
         "  undo         take back your last action of this turn\n"
         "  units  board  hint\n"
         "  save FILE    as .json or .sgf;   resign;   quit");
}

/* ---- acting ---- */

static bool perform(struct play *play, action a) {
    struct text text = {0};
    play_describe(play, a, &text);
    text_add_string(&text, ". Do it? [Y/n] ");
    const bool yes = confirm(text_string(&text));
    text_done(&text);
    if (!yes) {
        puts("Not done.");
        return true;
    }
    play->selected = PLAY_NO_UNIT;
    if (!play_action(play, a, -1))
        return false;
    play_show_board(play, NULL);
    return true;
}

static bool end_turn(struct play *play) {
    struct tbs_position p;
    tbs_position_of(play->replay.state, &p);
    int left = 0;
    for (int id = 0; id < p.unit_count; id++)
        left += tbs_can_act(&p, id);
    char question[80];
    snprintf(question, sizeof question, "End the turn with %d unit%s that %s not acted? [Y/n] ", left,
             left == 1 ? "" : "s", left == 1 ? "has" : "have");
    return confirm(question) ? play_action(play, TBS_PASS, -1) : true;
}

static void undo(struct play *play) {
    if (play->record.count <= play->turn_start) {
        puts("There is nothing to take back in this turn.");
        return;
    }
    if (!play_go_back(play, play->record.count - 1))
        return;
    play->selected = PLAY_NO_UNIT;
    play_show_board(play, NULL);
}

/* `xTARGET` alone: the stand cell with the best balance of damage and counter-attack. */
static bool find_attack(struct play *play, int target, action *out) {
    action actions[TBS_UNIT_ACTIONS_MAX];
    int attacks, best = -1000;
    tbs_unit_actions(play->replay.state, play->selected, TBS_ATTACKS_ALL, actions, &attacks);
    for (int i = 0; i < attacks; i++) {
        const struct tbs_exchange x = tbs_preview(play->replay.state, actions[i]);
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

/* "4,2", "4,2 x9", "4,2x9" for the picked unit, or a whole action of the protocol. */
static bool try_action(struct play *play, const char *line) {
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
    if (!play->scenario->game->text->read_action(play->replay.state, text, &a, &e)) {
        printf("%s. 'help' lists the commands.\n", e.text);
        return true;
    }
    return perform(play, a);
}

static void save(struct play *play, const char *path) {
    if (path[0] == '\0')
        puts("Say where: save FILE.");
    else
        play_save(play, path);
}

/* Commands that are one word; false when it is none of them. *on is what the caller returns. */
static bool word_command(struct play *play, const char *word, bool *on) {
    *on = true;
    if (strcmp(word, "help") == 0 || strcmp(word, "?") == 0)
        print_help();
    else if (strcmp(word, "units") == 0)
        list_units(play);
    else if (strcmp(word, "board") == 0)
        play_show_board(play, NULL);
    else if (strcmp(word, "hint") == 0)
        give_hint(play);
    else if (strcmp(word, "undo") == 0)
        undo(play);
    else if (strcmp(word, "end") == 0 || strcmp(word, "pass") == 0)
        *on = end_turn(play);
    else if (strcmp(word, "resign") == 0)
        *on = confirm("Resign the game? [Y/n] ") ? play_action(play, TBS_RESIGN, -1) : true;
    else if (strcmp(word, "quit") == 0 || strcmp(word, "q") == 0)
        *on = false;
    else
        return false;
    return true;
}

bool play_human_command(struct play *play) {
    char line[PLAY_LINE_MAX], prompt[64];
    const int side = play->scenario->game->mover(play->replay.state);
    if (play->selected == PLAY_NO_UNIT)
        snprintf(prompt, sizeof prompt, "%s> ", tbs_side_names[side]);
    else
        snprintf(prompt, sizeof prompt, "%s, unit %d> ", tbs_side_names[side], play->selected);
    if (!cli_read_line(prompt, line, sizeof line))
        return false;
    char *word = text_trim(line);
    long number;
    bool on;
    if (word[0] == '\0' || word_command(play, word, &on))
        return word[0] == '\0' ? true : on;
    if (strncmp(word, "save", 4) == 0 && (word[4] == '\0' || isspace((unsigned char)word[4]))) {
        save(play, text_trim(word + 4));
        return true;
    }
    if (text_to_int(word, &number)) {
        pick_unit(play, (int)number);
        return true;
    }
    if (word[0] == 'x')
        return attack_with_selected(play, word);
    return try_action(play, word);
}
