/* SPDX-License-Identifier: MIT
 *
 * The server's end of the TUBSTAP protocol: a connected client is a player, so that a match can be
 * played with it.
 */
#include "net/tubstap.h"

#include "base/charset.h"
#include "base/mem.h"
#include "game/tbs/tbs.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { BLANKS_MAX = 1000 /* lines with nothing in them before an answer */ };

struct seat {
    struct player player; /* first member */
    struct link *link;
    struct tubstap_limits manners;
    char name[TUBSTAP_NAME_MAX];
    enum player_fault fault; /* the first fault; nothing is sent after it */
    char reason[PLAYER_REASON_MAX];
    const struct scenario *scenario; /* NULL before the game */
    int side, told;                  /* number of the game's actions that were reported to the client */
    _Alignas(16) unsigned char state[GAME_STATE_MAX]; /* after those */
};

static struct seat *seat_of(struct player *player);

/* ---- faults ---- */

static bool blame(struct seat *seat, enum player_fault fault, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static bool blame(struct seat *seat, enum player_fault fault, const char *format, ...) {
    va_list args;
    char whole[ERR_TEXT_MAX];
    va_start(args, format);
    vsnprintf(whole, sizeof whole, format, args);
    va_end(args);
    seat->fault = fault;
    charset_copy(seat->reason, sizeof seat->reason, whole, strlen(whole));
    return false;
}

/* This machine could not talk to it. */
static bool blame_us(struct seat *seat, int cause) {
    return blame(seat, PLAYER_SHORTAGE, "this machine cannot talk to it: %s", strerror(cause));
}

static bool blame_silence(struct seat *seat, enum link_event event, const char *command) {
    char reason[120];
    if (event == LINK_SHORTAGE)
        return blame_us(seat, errno);
    if (event == LINK_TOO_LONG)
        return blame(seat, PLAYER_FAULT_GARBAGE, "a line of more than %d bytes after %s", LINK_LINE_MAX,
                     command);
    if (event == LINK_TIME)
        return blame(seat, PLAYER_FAULT_HANG, "no answer to %s", command);
    if (event == LINK_STOPPED)
        return blame(seat, PLAYER_FAULT_HANG, "stopped while waiting for the answer to %s", command);
    link_describe_end(seat->link, reason, sizeof reason);
    return blame(seat, PLAYER_FAULT_CRASH, "%s before it answered %s", reason, command);
}

/* ---- one command and its answer ---- */

/* Without a question only blank lines of earlier answers may arrive. */
static bool is_quiet(struct seat *seat) {
    const char *line, *text;
    while (link_has_line(seat->link)) {
        const struct link_wait wait = {seat->manners.clock, clock_now_ns(seat->manners.clock) + 1, NULL};
        const enum link_event event = link_receive(seat->link, &wait, &line);
        if (event != LINK_LINE)
            return blame_silence(seat, event, "an earlier command");
        if (tubstap_read_answer(line, &text) != TUBSTAP_BLANK) {
            char quote[TUBSTAP_QUOTE_MAX];
            tubstap_clean(line, quote, sizeof quote);
            return blame(seat, PLAYER_FAULT_PROTOCOL, "it said '%s' when nobody had asked", quote);
        }
    }
    return true;
}

static bool send_command(struct seat *seat, enum tubstap_command command, const char *arguments) {
    const struct tubstap_limits *m = &seat->manners;
    const struct link_wait wait = {m->clock, clock_now_ns(m->clock) + m->answer_ns, m->stop};
    struct text line = {0};
    struct err e;
    tubstap_write_command(command, arguments, &line);
    const bool ok = !line.failed && link_send(seat->link, text_string(&line), line.size, &wait, &e);
    const int cause = line.failed ? ENOMEM : errno;
    text_done(&line);
    if (!ok && link_is_shortage(cause))
        return blame_us(seat, cause);
    if (!ok && link_has_ended(seat->link))
        return blame_silence(seat, LINK_ENDED, tubstap_command_names[command]);
    return ok || blame(seat, PLAYER_FAULT_CRASH, "%s could not be sent: %.150s",
                       tubstap_command_names[command], e.text);
}

/* The text after '=', valid until the next line is received. */
static bool receive_answer(struct seat *seat, enum tubstap_command command, const struct link_wait *wait,
                           const char **answer) {
    const char *name = tubstap_command_names[command], *line;
    char quote[TUBSTAP_QUOTE_MAX];
    for (int blanks = 0; blanks < BLANKS_MAX; blanks++) {
        const enum link_event event = link_receive(seat->link, wait, &line);
        if (event != LINK_LINE)
            return blame_silence(seat, event, name);
        switch (tubstap_read_answer(line, answer)) {
        case TUBSTAP_BLANK: continue;
        case TUBSTAP_ANSWER: return true;
        case TUBSTAP_REFUSAL:
            tubstap_clean(line, quote, sizeof quote);
            return blame(seat, PLAYER_FAULT_PROTOCOL, "it refused %s: '%s'", name, quote);
        case TUBSTAP_GARBAGE:
            tubstap_clean(line, quote, sizeof quote);
            return blame(seat, PLAYER_FAULT_GARBAGE, "its answer to %s does not begin with '=': '%s'", name,
                         quote);
        }
    }
    return blame(seat, PLAYER_FAULT_GARBAGE, "%d blank lines in place of an answer to %s", BLANKS_MAX, name);
}

/* All commands but Genmove: their answers are short, so is their time limit. */
static bool call(struct seat *seat, enum tubstap_command command, const char *arguments,
                 const char **answer) {
    const struct tubstap_limits *m = &seat->manners;
    if (seat->fault != PLAYER_FAULT_NONE || !is_quiet(seat) || !send_command(seat, command, arguments))
        return false;
    const struct link_wait wait = {m->clock, clock_now_ns(m->clock) + m->answer_ns, m->stop};
    return receive_answer(seat, command, &wait, answer);
}

/* ---- reporting actions ---- */

static void report_action(struct seat *seat, action a) {
    const struct game *game = seat->scenario->game;
    /* Reports the other side's actions only. The protocol has no resignation. */
    if (game->mover(seat->state) != seat->side && a != TBS_RESIGN) {
        struct text numbers = {0};
        const char *unused;
        tubstap_write_action(seat->state, a, &numbers);
        if (numbers.failed)
            blame_us(seat, ENOMEM);
        else
            call(seat, TUBSTAP_CALL_PLAY, text_string(&numbers), &unused);
        text_done(&numbers);
    }
    game->play(seat->state, a, NULL);
    seat->told++;
}

static void report_actions(struct seat *seat, const struct game_history *history) {
    while (seat->fault == PLAYER_FAULT_NONE && seat->told < history->count)
        report_action(seat, history->at(history->from, seat->told));
}

void tubstap_watch(void *context, const void *state, const struct record *record) {
    (void)state;
    const struct tubstap_game *game = context;
    const struct record_line line = {.record = record, .count = record->count};
    for (int side = 0; side < 2; side++) {
        struct player *seat = game->seats[side];
        if (seat == NULL)
            continue;
        const struct game_history history = record_history(&line, seat_of(seat)->scenario);
        report_actions(seat_of(seat), &history);
    }
}

/* ---- the player ---- */

static void genmove(struct seat *seat, const struct ask *ask, struct answer *out) {
    const struct tubstap_limits *m = &seat->manners;
    const char *answer;
    long numbers[TUBSTAP_FIELDS];
    struct err e;
    if (!is_quiet(seat))
        return;
    const int64_t now = clock_now_ns(m->clock);
    const struct link_wait wait = {
        m->clock, ask->time.limit_ns > 0 ? now + ask->time.limit_ns + ask->time.patience_ns : 0, m->stop};
    if (!send_command(seat, TUBSTAP_CALL_GENMOVE, NULL) ||
        !receive_answer(seat, TUBSTAP_CALL_GENMOVE, &wait, &answer))
        return;
    if (!tubstap_read_numbers(answer, numbers, &e))
        blame(seat, PLAYER_FAULT_GARBAGE, "%s", e.text);
    else if (!tubstap_find_action(ask->game, ask->view, numbers, &out->chosen, &e))
        blame(seat, PLAYER_FAULT_ILLEGAL, "%s", e.text);
}

static void choose_remote(struct player *player, const struct ask *ask, struct answer *out) {
    struct seat *seat = seat_of(player);
    assert(seat->scenario != NULL);
    if (ask->history != NULL)
        report_actions(seat, ask->history);
    const int64_t gap_before = link_gap_ns(seat->link);
    if (seat->fault == PLAYER_FAULT_NONE)
        genmove(seat, ask, out);
    out->setup_ns = link_gap_ns(seat->link) - gap_before;
    out->fault = seat->fault;
    memcpy(out->reason, seat->reason, sizeof out->reason);
}

static void close_remote(struct player *player) {
    struct seat *seat = seat_of(player);
    link_close(seat->link, 0);
    mem_free(seat);
}

/* The stored text contains our line ends; a transcript has lines. */
static void transcribe_part(const struct link *link, void (*part)(const struct link *, struct text *),
                            struct text *out) {
    struct text whole = {0};
    part(link, &whole);
    for (const char *at = text_string(&whole); *at != '\0'; at += *at == '\r') {
        const size_t length = strcspn(at, "\r");
        text_add_bytes(out, at, length);
        at += length;
    }
    out->failed = out->failed || whole.failed;
    text_done(&whole);
}

static void transcribe_remote(const struct player *player, struct player_transcript *out) {
    const struct seat *seat = (const struct seat *)player;
    text_add(&out->command, "a client of the platform's protocol that calls itself %s", seat->name);
    transcribe_part(seat->link, link_sent, &out->sent);
    transcribe_part(seat->link, link_tail, &out->tail);
}

/* Not in the registry: only a connection makes one. */
static const struct player_type remote_type = {
    .name = "net",
    .help = "a client of the platform's network protocol",
    .choose = choose_remote,
    .close = close_remote,
    .transcript = transcribe_remote,
};

static struct seat *seat_of(struct player *player) {
    assert(player->type == &remote_type);
    return (struct seat *)player;
}

/* ---- taking a seat ---- */

struct player *tubstap_seat_open(struct link *link, const struct tubstap_limits *manners, struct err *e) {
    struct seat *seat = mem_alloc(sizeof *seat);
    const char *name;
    if (seat == NULL) {
        link_close(link, 0);
        err_set(e, "not enough memory for a seat");
        return NULL;
    }
    seat->player.type = &remote_type;
    seat->link = link;
    seat->manners = *manners;
    seat->side = NOBODY;
    if (!call(seat, TUBSTAP_CALL_NAME, NULL, &name)) {
        err_set(e, "%s", seat->reason);
        close_remote(&seat->player);
        return NULL;
    }
    tubstap_clean(name, seat->name, sizeof seat->name);
    if (seat->name[0] == '\0')
        snprintf(seat->name, sizeof seat->name, "nameless");
    return &seat->player;
}

const char *tubstap_seat_name(const struct player *seat) {
    return ((const struct seat *)seat)->name;
}

bool tubstap_seat_is_there(struct player *player) {
    struct seat *seat = seat_of(player);
    return is_quiet(seat) && !link_has_ended(seat->link);
}

/* ---- the beginning of a game ---- */

static void meet(struct seat *seat, const char *opponent) {
    const char *unused;
    char name[TUBSTAP_NAME_MAX];
    tubstap_clean(opponent, name, sizeof name);
    call(seat, TUBSTAP_CALL_OPPONENT, name, &unused);
}

static void sit_down(struct seat *seat, const struct scenario *scenario, int side) {
    const char *unused;
    struct text map = {0};
    seat->scenario = scenario;
    seat->side = side;
    seat->told = 0;
    scenario->game->start(seat->state, scenario, NULL);
    tubstap_write_map(tbs_scenario_map(scenario), &map);
    if (map.failed)
        blame_us(seat, ENOMEM);
    else if (call(seat, TUBSTAP_CALL_MAP, text_string(&map), &unused))
        call(seat, TUBSTAP_CALL_COLOR, side == 0 ? "0" : "1", &unused);
    text_done(&map);
}

void tubstap_begin(const struct tubstap_game *game, const struct scenario *scenario) {
    for (int side = 0; side < 2; side++)
        if (game->seats[side] != NULL)
            meet(seat_of(game->seats[side]), game->names[side ^ 1]);
    for (int side = 0; side < 2; side++)
        if (game->seats[side] != NULL)
            sit_down(seat_of(game->seats[side]), scenario, side);
}
