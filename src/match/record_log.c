/* SPDX-License-Identifier: MIT
 *
 * Records of Geister as the official server logs its games: every line that a player sent, also those that
 * were rejected, and who won.
 *
 *     player=0,SET:BCFG
 *     player=1,SET:ADEH
 *     player=0,MOV:A,W
 *     fault=1,hang: no move in time        our server's: a fault that ended the game
 *     winner=0                             2: drawn; missing where the official server ended it by a fault
 */
#include "match/record.h"

#include <stdio.h>
#include <string.h>

enum { LINE_MAX_BYTES = 512, DRAWN = 2 };

static const char game_name[] = "geister";

bool record_is_log(const char *text) {
    return strncmp(text, "player=", 7) == 0;
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
    out->failed = out->failed || text.failed;
    text_done(&text);
}

static void write_end(const struct replay *replay, struct text *out) {
    const struct game *game = replay->scenario->game;
    if (game->mover(replay->state) != NOBODY)
        return;
    const double payoff = game->payoff(replay->state, 0);
    text_add(out, "winner=%d\n", payoff > 0.5 ? 0 : payoff < 0.5 ? 1 : DRAWN);
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
    return ok && (!out->failed || err_set(e, "not enough memory for the log"));
}

/* ---- reading ---- */

struct reader {
    const char *name;
    int line;
    struct record *record;
    struct replay replay;
    char reds[2][8];                 /* of those who have set, in whatever order they did */
    char refused[PLAYER_REASON_MAX]; /* the mover's last line, when it was no legal move */
    int winner;                      /* as the log says, or NOBODY */
    bool ruled;                      /* a fault line was there */
    struct err *difference;
};

static bool add(struct reader *r, const char *word, struct err *e) {
    const struct game *game = r->replay.scenario->game;
    action a;
    return game->text->read_action(r->replay.state, word, &a, e) && record_add(r->record, a, -1, e) &&
           replay_step(&r->replay, e);
}

/* The first good set-up of each counts; both are played, the first player's first, once they are known. */
static bool take_set(struct reader *r, int player, const char *letters, struct err *e) {
    struct err refused;
    action a;
    if (r->record->count > 0 || r->reds[player][0] != '\0' ||
        !r->replay.scenario->game->text->read_action(r->replay.state, letters, &a, &refused))
        return true; /* was rejected */
    snprintf(r->reds[player], sizeof r->reds[player], "%s", letters);
    return r->reds[0][0] == '\0' || r->reds[1][0] == '\0' || (add(r, r->reds[0], e) && add(r, r->reds[1], e));
}

/* A line out of turn was rejected; one of the mover that is no move may have lost it the game: the end of the
 * log tells. */
static bool take_move(struct reader *r, int player, const char *move, struct err *e) {
    const struct game *game = r->replay.scenario->game;
    const char *comma = strchr(move, ',');
    const char word[3] = {move[0], comma != NULL ? comma[1] : '\0', '\0'};
    struct err why;
    action a;
    if (r->record->count == 0 || game->mover(r->replay.state) != player)
        return true;
    if (comma == NULL || !game->text->read_action(r->replay.state, word, &a, &why)) {
        snprintf(r->refused, sizeof r->refused, "MOV:%.40s is illegal", move);
        return true;
    }
    r->refused[0] = '\0';
    return add(r, word, e);
}

static void rule(struct reader *r, int side, const char *fault, const char *reason) {
    const char *const *names = r->replay.scenario->game->text->side_names;
    snprintf(r->record->result, sizeof r->record->result, "%s %s", names[side ^ 1], fault);
    snprintf(r->record->comment, sizeof r->record->comment, "%s forfeits: %s", names[side], reason);
    r->ruled = true;
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
    return err_set(e, "%s:%d: '%.64s' is no fault", r->name, r->line, text);
}

static bool take_line(struct reader *r, char *line, struct err *e) {
    static const char player[] = "player=", fault[] = "fault=", winner[] = "winner=";
    const char *digit = strchr(line, '=');
    const int who = digit != NULL && digit[1] >= '0' && digit[1] <= '2' ? digit[1] - '0' : NOBODY;
    if (line[0] == '\0')
        return true;
    if (who != NOBODY && strncmp(line, winner, strlen(winner)) == 0 && digit[2] == '\0') {
        r->winner = who;
        return true;
    }
    if (who != NOBODY && who != DRAWN && digit[2] == ',') {
        char *rest = line + (digit - line) + 3;
        if (strncmp(line, fault, strlen(fault)) == 0)
            return take_fault(r, who, rest, e);
        if (strncmp(line, player, strlen(player)) == 0)
            return strncmp(rest, "SET:", 4) == 0   ? take_set(r, who, rest + 4, e)
                   : strncmp(rest, "MOV:", 4) == 0 ? take_move(r, who, rest + 4, e)
                                                   : true; /* nonsense, rejected */
    }
    return err_set(
        e, "%s:%d: '%.64s' is no line of a log; expected player=0,SET:BCFG, player=1,MOV:A,N or winner=0",
        r->name, r->line, line);
}

/* What the game says of its end, and what the log says. */
static void settle(struct reader *r) {
    const struct game *game = r->replay.scenario->game;
    const int mover = game->mover(r->replay.state);
    if (r->ruled)
        return;
    if (mover != NOBODY && r->refused[0] != '\0' && r->winner == NOBODY)
        rule(r, mover, player_fault_names[PLAYER_FAULT_ILLEGAL], r->refused);
    else
        snprintf(r->record->result, sizeof r->record->result, "%s", game->text->result(r->replay.state));
    const double payoff = mover == NOBODY ? game->payoff(r->replay.state, 0) : 0.5;
    const int won = mover != NOBODY ? NOBODY : payoff > 0.5 ? 0 : payoff < 0.5 ? 1 : DRAWN;
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
                       .difference = difference != NULL ? difference : &unheard};
    struct scenario *scenario = game_load_spec(game_name, e);
    if (scenario == NULL)
        return false;
    r.difference->text[0] = '\0';
    record_describe(out, scenario, players);
    replay_start(&r.replay, out, scenario);
    const bool ok = (!out->options.failed || err_set(e, "not enough memory for the record")) &&
                    read_lines(&r, text, size, e);
    if (ok)
        settle(&r);
    scenario->game->unload(scenario);
    return ok;
}
