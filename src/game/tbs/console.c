/* SPDX-License-Identifier: MIT
 *
 * The tactical game's commands in the terminal. A unit is picked by its number; then a cell moves it there
 * and xTARGET attacks.
 */
#include "game/face.h"
#include "game/tbs/core.h"
#include "game/tbs/show.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const char *plural(int count) {
    return count == 1 ? "" : "s";
}

static enum face_reply list_units(struct face_input *in) {
    struct tbs_position p;
    tbs_position_of(in->state, &p);
    for (int id = 0; id < p.unit_count; id++) {
        const struct tbs_unit *u = &p.units[id];
        action actions[TBS_UNIT_ACTIONS_MAX];
        int attacks = 0, count = 0;
        if (u->hp == 0)
            continue;
        if (tbs_can_act(&p, id))
            count = tbs_unit_actions(in->state, id, TBS_ATTACKS_POWER, actions, &attacks);
        text_add(in->out, "  %3d  %-4s %-8s at %2d,%-2d  HP %2d", id, tbs_side_names[u->side],
                 tbs_unit_types[u->type].name, u->x, u->y, u->hp);
        if (u->side == p.side && u->done)
            text_add_string(in->out, "  has acted");
        else if (u->side == p.side)
            text_add(in->out, "  %d move%s, %d attack%s", count - attacks, plural(count - attacks), attacks,
                     plural(attacks));
        text_add_string(in->out, "\n");
    }
    return FACE_PRINT;
}

/* Marks the unit's destinations and targets, and lists the attacks with their effects. */
static enum face_reply pick_unit(struct face_input *in, int id) {
    struct tbs_position p;
    tbs_position_of(in->state, &p);
    if (id < 0 || id >= p.unit_count || p.units[id].hp == 0 || p.units[id].side != p.side) {
        text_add(in->out, "%d is none of your units; 'units' lists them.\n", id);
        return FACE_PRINT;
    }
    if (p.units[id].done) {
        text_add(in->out, "Unit %d has acted in this turn.\n", id);
        return FACE_PRINT;
    }
    action actions[TBS_UNIT_ACTIONS_MAX];
    int attacks;
    const int count = tbs_unit_actions(in->state, id, TBS_ATTACKS_POWER, actions, &attacks);
    struct tbs_show how = {.colour = in->colour, .ids = true};
    for (int i = count - 1; i >= 0; i--) {
        const struct tbs_unit *t = i < attacks ? &p.units[tbs_action_target(actions[i])] : NULL;
        if (t != NULL)
            how.marks[t->x][t->y] = TBS_MARK_TARGET;
        else
            how.marks[tbs_action_x(actions[i])][tbs_action_y(actions[i])] = TBS_MARK_END;
    }
    how.marks[p.units[id].x][p.units[id].y] = TBS_MARK_FROM;
    in->picked = id;
    text_add_string(in->out, "\n");
    core_face.heading(in->state, in->out);
    text_add_string(in->out, "\n");
    tbs_show_position(tbs_map_of(in->state), &p, &how, in->out);
    text_add(in->out,
             "%s %d: %d cell%s to go to, %d attack%s. Type X,Y to move, X,Y xTARGET or xTARGET to attack.\n",
             tbs_unit_types[p.units[id].type].name, id, count - attacks, plural(count - attacks), attacks,
             plural(attacks));
    for (int i = 0; i < attacks; i++) {
        const int x = tbs_action_x(actions[i]), y = tbs_action_y(actions[i]);
        const int target = tbs_action_target(actions[i]);
        const struct tbs_exchange fight = tbs_preview(in->state, actions[i]);
        text_add(in->out, "  %d,%d x%-3d  %s (HP %d) from %d,%d: damage %d, counter-attack %d\n", x, y,
                 target, tbs_unit_types[p.units[target].type].name, p.units[target].hp, x, y, fight.damage,
                 fight.counter);
    }
    return FACE_PRINT;
}

/* For `xTARGET` alone: the stand cell with the best balance of damage and counter-attack. */
static enum face_reply attack(struct face_input *in, const char *word) {
    action actions[TBS_UNIT_ACTIONS_MAX];
    long target;
    int attacks, best = -1000;
    if (text_to_int(word, &target)) {
        tbs_unit_actions(in->state, in->picked, TBS_ATTACKS_ALL, actions, &attacks);
        for (int i = 0; i < attacks; i++) {
            const struct tbs_exchange x = tbs_preview(in->state, actions[i]);
            if (tbs_action_target(actions[i]) == (int)target && x.damage - x.counter > best) {
                best = x.damage - x.counter;
                in->action = actions[i];
            }
        }
    }
    if (best > -1000)
        return FACE_PLAY;
    text_add(in->out, "Unit %d cannot attack %s.\n", in->picked, word);
    return FACE_PRINT;
}

static enum face_reply ask_end(struct face_input *in) {
    struct tbs_position p;
    int left = 0;
    tbs_position_of(in->state, &p);
    for (int id = 0; id < p.unit_count; id++)
        left += tbs_can_act(&p, id);
    text_add(in->out, "End the turn with %d unit%s that %s not acted? [Y/n] ", left, plural(left),
             left == 1 ? "has" : "have");
    in->action = TBS_PASS;
    return FACE_ASK;
}

/* Reads "4,2", "4,2 x9" or "4,2x9" for the picked unit, or a complete action in protocol notation. */
static enum face_reply run_command(struct face_input *in, const char *line) {
    char text[256];
    struct err e;
    long number;
    size_t n = 0;
    const bool is_cell = strchr(line, ':') == NULL && strchr(line, ',') != NULL;
    if (strcmp(line, "units") == 0)
        return list_units(in);
    if (strcmp(line, "end") == 0 || strcmp(line, "pass") == 0)
        return ask_end(in);
    if (strcmp(line, "resign") == 0) {
        text_add_string(in->out, "Resign the game? [Y/n] ");
        in->action = TBS_RESIGN;
        return FACE_ASK;
    }
    if (text_to_int(line, &number))
        return pick_unit(in, (int)number);
    if ((line[0] == 'x' || is_cell) && in->picked == FACE_NOTHING_PICKED) {
        text_add_string(in->out, "Pick one of your units first, by its number.\n");
        return FACE_PRINT;
    }
    if (line[0] == 'x')
        return attack(in, line + 1);
    if (is_cell)
        n = (size_t)snprintf(text, sizeof text, "%d:", in->picked);
    for (; *line != '\0' && n + 1 < sizeof text; line++)
        if (!isspace((unsigned char)*line))
            text[n++] = *line;
    text[n] = '\0';
    if (core_notation.read_action(in->state, text, &in->action, &e))
        return FACE_PLAY;
    text_add(in->out, "%s. 'help' lists the commands.\n", e.text);
    return FACE_PRINT;
}

static void write_result(const void *state, const char *const players[2], struct text *out) {
    struct tbs_position p;
    tbs_position_of(state, &p);
    const int winner = tbs_winner(p.result);
    text_add(out, " after %d turns: ", p.turn);
    if (winner == NOBODY)
        text_add(out, "a draw, %d HP against %d", p.hp_sum[0], p.hp_sum[1]);
    else
        text_add(out, "%s (%s) wins (%s)", tbs_side_names[winner], players[winner],
                 strchr(tbs_result_names[p.result], ' ') + 1);
}

const struct face_console core_console = {
    .help = "  3            pick unit 3: where it can go, whom it can attack\n"
            "  4,2          move the picked unit to column 4, row 2 (its own cell: stay)\n"
            "  4,2 x9       move there and attack unit 9;  x9 alone finds a cell to attack from\n"
            "  3:4,2x9      the same in one word, for any unit\n"
            "  end          end the turn (the remaining units stay)\n"
            "  undo         take back your last action of this turn\n"
            "  units  board  hint\n"
            "  save FILE    as .json or .sgf;   resign;   quit\n",
    .picked = "unit",
    .run = run_command,
    .result = write_result,
};
