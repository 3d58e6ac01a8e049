/* SPDX-License-Identifier: MIT
 *
 * Geister for one side (`newgame geister side=0`): the game begins behind the set-ups, of which the engine is
 * told its own, and of the other's colours only those that its side sees. The position supposes the rest, in
 * any way that four are red: what this side sees does not depend on that. When a colour turns out to be
 * different, the actions are played again with another set-up.
 */
#include "protocol/session_inside.h"

#include "base/bits.h"
#include "game/geister/geister.h"
#include "match/secret.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { BLUE, RED };

static const char colours[] = {[BLUE] = 'b', [RED] = 'r'};

static const struct geister *board_of(const struct session *s) {
    return (const struct geister *)(const void *)s->replay.state;
}

/* ---- what is supposed ---- */

/* The reds that are known, and as many others as are missing; without a set-up, of one's own as well. */
static unsigned supposed_reds(const struct session_side *side, int owner) {
    if (owner == side->plays && side->is_set)
        return side->own_reds;
    unsigned reds = owner == side->plays ? 0 : side->their[RED];
    const unsigned blues = owner == side->plays ? 0 : side->their[BLUE];
    for (unsigned piece = 1; bits_count(reds) < GEISTER_REDS; piece <<= 1)
        reds |= piece & ~blues;
    return reds;
}

/* From the start, with the colours as they are known now; false when they do not allow the actions. */
static bool play_again(struct session *s, struct err *e) {
    for (int owner = 0; owner < 2; owner++)
        s->record.actions[owner].action = geister_setup(supposed_reds(&s->one_side, owner));
    return replay_to(&s->replay, &s->record, s->scenario, s->record.count, e);
}

bool session_side_begin(struct session *s, int plays, struct err *e) {
    s->one_side = (struct session_side){.plays = plays};
    for (int owner = 0; owner < 2; owner++)
        if (!record_add(&s->record, geister_setup(supposed_reds(&s->one_side, owner)), -1, e))
            return false;
    return play_again(s, e);
}

/* ---- what is shown ---- */

void session_side_view(const struct session *s, void *out) {
    const int other = s->one_side.plays ^ 1;
    struct geister *view = out;
    memcpy(view, s->replay.state, sizeof *view);
    const uint8_t stage = view->stage;
    view->stage = GEISTER_PLAYING; /* a game that is over hides nothing, but this one does not know more */
    geister_game.hide(view, s->one_side.plays);
    if (!s->one_side.is_set)
        geister_game.hide(view, other);
    for (int piece = 0; piece < GEISTER_PIECES; piece++)
        if (view->where[other][piece] == GEISTER_ESCAPED)
            view->known[other] |= (uint8_t)(1U << piece);
    view->stage = stage;
}

bool session_side_may_count(const struct session *s, int plies, struct text *out) {
    struct geister view;
    session_side_view(s, &view);
    const int most = geister_plies_alike(&view);
    if (plies <= most)
        return true;
    text_add(out, "error after %d plies colours decide that are not known here; expected a depth up to %d\n",
             most, most);
    return false;
}

bool session_side_is_set(const struct session *s, struct text *out) {
    if (s->one_side.is_set)
        return true;
    text_add_string(out, "error there is no set-up yet; send setup BCFG, say, or setup?\n");
    return false;
}

bool session_side_is_to_move(const struct session *s, struct text *out) {
    const int mover = s->scenario->game->mover(s->replay.state);
    if (mover == s->one_side.plays || mover == NOBODY)
        return true;
    text_add(out, "error it is not this side's turn: %s is to move\n",
             s->scenario->game->text->side_names[mover]);
    return false;
}

/* ---- setup ---- */

/* As a game asks for it: before anything is known, and of the second when the first has chosen something. */
static bool ask_setup(struct session *s, unsigned *reds, struct err *e) {
    struct geister start;
    struct answer answer;
    struct rng r;
    if (s->player == NULL)
        s->player = player_open_granted(text_string(&s->player_spec), s->scenario->game, s->setup.grant, e);
    if (s->player == NULL)
        return false;
    rng_seed_stream(&r, s->setup.seed, s->decisions++);
    geister_game.start(&start, s->scenario, NULL);
    if (s->one_side.plays == 1)
        geister_game.play(&start, geister_setup(geister_setup_reds(0)), NULL);
    const struct position_ask ask = {
        .game = s->scenario->game, .state = &start, .budget = session_budget(s), .rng = &r};
    player_choose_in(s->player, &ask, &answer);
    if (answer.fault != PLAYER_FAULT_NONE)
        return err_set(e, "%s", answer.reason);
    if (!geister_game.is_legal(&start, answer.chosen))
        return err_set(e, "the player chose a set-up that the rules forbid");
    *reds = answer.chosen & ~(action)GEISTER_SETUP_FLAG;
    return true;
}

static bool may_set_up(const struct session *s, struct err *e) {
    if (!session_plays_one_side(s))
        return err_set(e, "setup belongs to newgame geister side=0 or side=1; otherwise set-ups are actions");
    return s->record.count == SESSION_SETUPS || err_set(e, "the game is under way: the set-up is made");
}

static void keep_setup(struct session *s, unsigned reds) {
    s->one_side.own_reds = reds;
    s->one_side.is_set = true;
    const bool is_legal = play_again(s, NULL);
    assert(is_legal); /* nothing but set-ups was played */
    (void)is_legal;
}

void session_setup(struct session *s, char *arguments, struct text *out) {
    struct err e;
    unsigned reds = 0;
    if (!may_set_up(s, &e) || !geister_read_reds(text_trim(arguments), &reds, &e)) {
        session_error(out, &e);
        return;
    }
    keep_setup(s, reds);
    text_add_string(out, "ok\n");
}

void session_choose_setup(struct session *s, char *arguments, struct text *out) {
    struct err e;
    unsigned reds = 0;
    char letters[GEISTER_REDS + 1];
    (void)arguments;
    if (!may_set_up(s, &e) || !ask_setup(s, &reds, &e)) {
        session_error(out, &e);
        return;
    }
    keep_setup(s, reds);
    geister_write_reds(reds, letters);
    text_add(out, "setup %s\nok\n", letters);
}

/* ---- play ---- */

/* "AN taken=r": the colour is cut off; -1: none is given. */
static bool read_taken(char *text, int *colour, struct err *e) {
    char *word = strstr(text, "taken=");
    *colour = -1;
    if (word == NULL)
        return true;
    const char *given = word + strlen("taken=");
    for (int i = BLUE; i <= RED; i++)
        if (given[0] == colours[i] && given[1] == '\0')
            *colour = i;
    *word = '\0';
    return *colour >= 0 || err_set(e, "taken=%.16s: expected r or b", given);
}

/* The piece of who is not to move that the action takes, or -1. */
static int taken_piece(const struct session *s, action a) {
    const int other = board_of(s)->mover ^ 1;
    struct geister next = *board_of(s);
    geister_game.play(&next, a, NULL);
    int piece = 0;
    while (piece < GEISTER_PIECES && next.where[other][piece] == board_of(s)->where[other][piece])
        piece++;
    return piece < GEISTER_PIECES ? piece : -1;
}

static bool is_known(const struct session_side *side, int owner, int piece) {
    return owner == side->plays || ((side->their[BLUE] | side->their[RED]) >> piece & 1) != 0;
}

/* One of the other's pieces has that colour; false, and nothing changes, when that cannot be. */
static bool learn(struct session *s, int piece, int colour, struct err *e) {
    const struct session_side before = s->one_side;
    struct err why;
    s->one_side.their[colour] |= 1U << piece;
    if (bits_count(s->one_side.their[colour]) <= GEISTER_REDS && play_again(s, &why))
        return true;
    s->one_side = before;
    play_again(s, NULL);
    return err_set(e, "taken=%c: there are four of each colour, and the others are known", colours[colour]);
}

/* Who leaves is blue: an action of the other that only a blue piece can do says so. */
static bool read_other(struct session *s, const char *text, action *out, struct err *e) {
    static const char letters[] = "ABCDEFGHabcdefgh";
    const char *letter = text[0] != '\0' ? strchr(letters, text[0]) : NULL;
    const struct session_side before = s->one_side;
    const int piece = letter != NULL ? (int)(letter - letters) % GEISTER_PIECES : 0;
    if (geister_game.text->read_action(s->replay.state, text, out, e))
        return true;
    if (letter == NULL || is_known(&s->one_side, s->one_side.plays ^ 1, piece) ||
        !learn(s, piece, BLUE, NULL))
        return false;
    if (geister_game.text->read_action(s->replay.state, text, out, NULL))
        return true;
    s->one_side = before;
    play_again(s, NULL);
    return false;
}

/* Does what is said of a taken piece fit, and is all said that this side sees? */
static bool settle_taken(struct session *s, action a, int colour, struct err *e) {
    const int owner = board_of(s)->mover ^ 1, piece = taken_piece(s, a);
    if (piece < 0)
        return colour < 0 || err_set(e, "taken=%c: that takes nothing", colours[colour]);
    if (!is_known(&s->one_side, owner, piece))
        return colour >= 0 ? learn(s, piece, colour, e)
                           : err_set(e, "that takes a piece: say its colour, taken=r or taken=b");
    const int known = (board_of(s)->reds[owner] >> piece & 1) != 0 ? RED : BLUE;
    return colour < 0 || colour == known ||
           err_set(e, "taken=%c: the piece is known to be %c", colours[colour], colours[known]);
}

bool session_side_play(struct session *s, char *text, struct err *e) {
    int colour;
    action a;
    if (!read_taken(text, &colour, e))
        return false;
    const char *word = text_trim(text);
    const bool is_other = board_of(s)->mover != s->one_side.plays;
    const bool is_read =
        is_other ? read_other(s, word, &a, e) : geister_game.text->read_action(s->replay.state, word, &a, e);
    return is_read && settle_taken(s, a, colour, e) && record_add(&s->record, a, -1, e) &&
           replay_step(&s->replay, e);
}
