/* SPDX-License-Identifier: MIT
 *
 * Records of Geister as the official server logs its games: every line that a player sent, including rejected
 * ones, and the winner.
 *
 *     player=0,SET:BCFG
 *     player=1,SET:ADEH
 *     player=0,MOV:A,W
 *     fault=1,hang: no move in time        our server's: a fault that ended the game; 2: of both
 *     winner=0                             2: drawn; missing where the official server ended it by a fault
 */
#include "match/record.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { LINE_MAX_BYTES = 512, DRAWN = 2 };

static const char game_name[] = "geister";
static const char player_is[] = "player=", fault_is[] = "fault=", winner_is[] = "winner=";

static bool begins(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

bool record_is_log(const char *text) {
    return begins(text, player_is) || begins(text, fault_is) || begins(text, winner_is);
}

/* "second hang": the winner by a fault (0, 1 or DRAWN) and the fault; NOBODY for other results. */
static int won_by_fault(const struct record *record, const struct game *game, const char **fault) {
    const char *const winners[] = {game->text->side_names[0], game->text->side_names[1], "draw"};
    const char *blank = strchr(record->result, ' ');
    for (int i = PLAYER_FAULT_NONE + 1; blank != NULL && i < PLAYER_FAULTS; i++)
        for (int who = 0; who <= DRAWN && strcmp(blank + 1, player_fault_names[i]) == 0; who++)
            if (strlen(winners[who]) == (size_t)(blank - record->result) &&
                begins(record->result, winners[who])) {
                *fault = player_fault_names[i];
                return who;
            }
    return NOBODY;
}

/* ---- writing ---- */

static void write_line(const struct replay *replay, action a, struct text *out) {
    const struct game *game = replay->scenario->game;
    struct text text = {0};
    game->text->write_action(replay->state, a, &text);
    const char *word = text_string(&text);
    text_add(out, "player=%d,", game->mover(replay->state));
    if (text.size == 2) /* a piece and its direction */
        text_add(out, "MOV:%c,%c\n", word[0], word[1]);
    else
        text_add(out, "SET:%s\n", word);
    text_done(&text);
}

/* The winner by the rules: 0, 1, DRAWN, or NOBODY while the game goes on. */
static int winner_of(const struct replay *replay) {
    const struct game *game = replay->scenario->game;
    if (game->mover(replay->state) != NOBODY)
        return NOBODY;
    const double payoff = game->payoff(replay->state, 0);
    return payoff > 0.5 ? 0 : payoff < 0.5 ? 1 : DRAWN;
}

static void write_fault(const struct record *record, int winner, const char *fault, struct text *out) {
    static const char forfeits[] = " forfeits: ";
    const char *at = strstr(record->comment, forfeits);
    const char *reason = at != NULL ? at + strlen(forfeits) : record->comment;
    text_add(out, "fault=%d,%s: ", winner == DRAWN ? DRAWN : winner ^ 1, fault);
    for (; *reason != '\0'; reason++) /* the reason may be any text; here it is one line */
        text_add(out, "%c", iscntrl((unsigned char)*reason) ? ' ' : *reason);
    text_add_string(out, "\n");
}

static void write_end(const struct replay *replay, struct text *out) {
    const char *fault;
    int winner = winner_of(replay);
    if (winner == NOBODY) {
        winner = won_by_fault(replay->record, replay->scenario->game, &fault);
        if (winner != NOBODY)
            write_fault(replay->record, winner, fault, out);
    }
    if (winner != NOBODY)
        text_add(out, "winner=%d\n", winner);
}

bool record_write_log(const struct record *record, struct text *out, struct err *e) {
    if (strcmp(record->game, game_name) != 0)
        return err_set(e, "only Geister has server logs; this is a game of %s", record->game);
    struct scenario *scenario = record_scenario(record, e);
    if (scenario == NULL)
        return false;
    struct replay replay;
    bool ok = true;
    replay_start(&replay, record, scenario);
    while (ok && replay.next < record->count) {
        write_line(&replay, record->actions[replay.next].action, out);
        ok = replay_step(&replay, e);
    }
    write_end(&replay, out);
    scenario->game->unload(scenario);
    return ok;
}

/* ---- reading ---- */

struct reader {
    const char *name;
    int line;
    struct record *record;
    struct replay replay;
    char reds[2][8];                 /* of the players that have set up, in any order */
    char refused[PLAYER_REASON_MAX]; /* the mover's last line, when it was no legal move */
    int winner;                      /* from the log, or NOBODY */
    int ruled;                       /* the winner by a fault: 0, 1, DRAWN; NOBODY: no fault */
    struct err *difference;
};

static bool add(struct reader *r, const char *word, struct err *e) {
    const struct game *game = r->replay.scenario->game;
    action a;
    return game->text->read_action(r->replay.state, word, &a, e) &&
           record_add(r->record, a, RECORD_NO_TIME, e) && replay_step(&r->replay, e);
}

/* The first valid set-up of each player counts. Once both are there they are played, the first player's
 * first. */
static bool take_set(struct reader *r, int player, const char *letters, struct err *e) {
    struct err refused;
    action a;
    if (r->record->count > 0 || r->reds[player][0] != '\0' ||
        !r->replay.scenario->game->text->read_action(r->replay.state, letters, &a, &refused))
        return true; /* was rejected */
    snprintf(r->reds[player], sizeof r->reds[player], "%s", letters);
    return r->reds[0][0] == '\0' || r->reds[1][0] == '\0' || (add(r, r->reds[0], e) && add(r, r->reds[1], e));
}

/* "A,N", "a,north": the first letter and the direction's, or nothing. */
static void read_move(const char *move, char word[3]) {
    static const char *const ways[] = {"NORTH", "EAST", "SOUTH", "WEST"};
    char way[8] = "";
    const char *comma = strchr(move, ',');
    word[0] = '\0';
    if (comma == NULL || strlen(comma + 1) >= sizeof way)
        return;
    for (size_t i = 0; comma[1 + i] != '\0'; i++)
        way[i] = (char)toupper((unsigned char)comma[1 + i]);
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++)
        if (strcmp(way, ways[i]) == 0 || (way[0] == ways[i][0] && way[1] == '\0'))
            memcpy(word, (char[]){move[0], way[0], '\0'}, 3);
}

/* A line out of turn was rejected. An invalid move of the mover may have lost the game; the end of the log
 * decides. */
static bool take_move(struct reader *r, int player, const char *move, struct err *e) {
    const struct game *game = r->replay.scenario->game;
    char word[3];
    struct err why;
    action a;
    if (r->record->count == 0 || game->mover(r->replay.state) != player)
        return true;
    read_move(move, word);
    if (!game->text->read_action(r->replay.state, word, &a, &why)) {
        snprintf(r->refused, sizeof r->refused, "MOV:%.40s is illegal", move);
        return true;
    }
    r->refused[0] = '\0';
    return add(r, word, e);
}

/* A fault of one side (0, 1) or of both (DRAWN). */
static void rule(struct reader *r, int side, const char *fault, const char *reason) {
    const char *const *names = r->replay.scenario->game->text->side_names;
    struct record *record = r->record;
    r->ruled = side == DRAWN ? DRAWN : side ^ 1;
    snprintf(record->result, sizeof record->result, "%s %s", side == DRAWN ? "draw" : names[side ^ 1], fault);
    if (side == DRAWN)
        snprintf(record->comment, sizeof record->comment, "%s", reason);
    else
        snprintf(record->comment, sizeof record->comment, "%s forfeits: %s", names[side], reason);
}

/* "hang: no move in time" */
static bool take_fault(struct reader *r, int side, char *text, struct err *e) {
    char *colon = strstr(text, ": ");
    if (colon != NULL)
        *colon = '\0';
    for (int i = PLAYER_FAULT_NONE + 1; colon != NULL && i < PLAYER_FAULTS; i++)
        if (strcmp(text, player_fault_names[i]) == 0) {
            rule(r, side, text, colon + 2);
            return true;
        }
    return err_set(e, "%s:%d: '%.64s' is no fault; expected one as in hang: no move in time", r->name,
                   r->line, text);
}

/* After a fault only the winner counts. */
static bool take_said(struct reader *r, int who, const char *line, struct err *e) {
    if (r->ruled == NOBODY && begins(line, "SET:"))
        return take_set(r, who, line + 4, e);
    if (r->ruled == NOBODY && begins(line, "MOV:"))
        return take_move(r, who, line + 4, e);
    return true; /* nonsense, rejected */
}

static bool take_line(struct reader *r, char *line, struct err *e) {
    char *equals = strchr(line, '=');
    const int who = equals != NULL && equals[1] >= '0' && equals[1] <= '2' ? equals[1] - '0' : NOBODY;
    if (line[0] == '\0')
        return true;
    if (who != NOBODY && begins(line, winner_is) && equals[2] == '\0') {
        r->winner = who;
        return true;
    }
    if (who != NOBODY && begins(line, fault_is) && equals[2] == ',')
        return take_fault(r, who, equals + 3, e);
    if (who != NOBODY && who != DRAWN && begins(line, player_is) && equals[2] == ',')
        return take_said(r, who, equals + 3, e);
    return err_set(
        e, "%s:%d: '%.64s' is no line of a log; expected player=0,SET:BCFG, player=1,MOV:A,N or winner=0",
        r->name, r->line, line);
}

/* Compares the end by the rules with the end in the log. */
static void settle(struct reader *r) {
    const struct game *game = r->replay.scenario->game;
    const int mover = game->mover(r->replay.state);
    if (r->ruled == NOBODY && mover != NOBODY && r->refused[0] != '\0' && r->winner == NOBODY)
        rule(r, mover, player_fault_names[PLAYER_FAULT_ILLEGAL], r->refused);
    else if (r->ruled == NOBODY)
        snprintf(r->record->result, sizeof r->record->result, "%s", game->text->result(r->replay.state));
    const int won = r->ruled != NOBODY ? r->ruled : winner_of(&r->replay);
    if (r->winner != NOBODY && r->winner != won)
        err_set(r->difference, "%s: the log says winner=%d; its moves end with '%s'", r->name, r->winner,
                r->record->result);
}

static bool read_lines(struct reader *r, const char *text, size_t size, struct err *e) {
    const char *end = text + size;
    for (const char *at = text; at < end;) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        const size_t length = stop != NULL ? (size_t)(stop - at) : (size_t)(end - at);
        char line[LINE_MAX_BYTES];
        r->line++;
        if (length >= sizeof line || memchr(at, '\0', length) != NULL)
            return err_set(e, "%s:%d: is no line of a log", r->name, r->line);
        memcpy(line, at, length);
        line[length] = '\0';
        line[strcspn(line, "\r")] = '\0';
        if (!take_line(r, line, e))
            return false;
        at += length + 1;
    }
    return true;
}

bool record_read_log(const char *name, const char *text, size_t size, struct record *out,
                     struct err *difference, struct err *e) {
    static const char *const players[2] = {"player 0", "player 1"};
    struct err unheard;
    struct reader r = {.name = name,
                       .record = out,
                       .winner = NOBODY,
                       .ruled = NOBODY,
                       .difference = difference != NULL ? difference : &unheard};
    struct scenario *scenario = game_load_spec(game_name, e);
    if (scenario == NULL)
        return false;
    r.difference->text[0] = '\0';
    record_describe(out, scenario, players);
    replay_start(&r.replay, out, scenario);
    const bool ok = read_lines(&r, text, size, e);
    if (ok)
        settle(&r);
    scenario->game->unload(scenario);
    return ok;
}
