/* SPDX-License-Identifier: MIT
 *
 * One game of Geister as the official server runs it: a state machine without sockets and without a clock.
 * The caller feeds it with the bytes of each side and with the time; its output is bytes for each side, the
 * same as the official server's. It differs where the official server is broken:
 *
 *     an empty line             is ignored (there it blocks the connection for good)
 *     several lines at once     are executed one after the other (there the second waits for more bytes)
 *     SET:ABCZ, MOV:,N          are unacceptable like others (there they kill the reader)
 *     SET:AAAA                  is unacceptable (there it gives one red and seven blues)
 *     time                      a move after the limit loses at the limit, others never do
 *     choosing reds             has a limit of its own
 *     too many rejected lines   lose the game
 */
#ifndef NET_GEISTER_SESSION_H
#define NET_GEISTER_SESSION_H

#include "game/geister/geister.h"
#include "match/clocked_game.h"
#include "player/player.h"

/* ---- lines of both ends ----
 *
 * Lines end with CR LF in both directions; a client (geister_client.h) uses these functions, too.
 *
 *     SET?            SET:BCFG        OK | NG
 *     MOV?BOARD       MOV:A,N         OK | OKR | OKB | NG     (a blank follows OK and NG)
 *     WON:BOARD       LST:BOARD       DRW:BOARD
 */

enum {
    GEISTER_PORT_FIRST = 10000,
    GEISTER_PORT_SECOND = 10001,
    GEISTER_PORT_VIEWER = 8080,
    GEISTER_LINE_MAX = 256,  /* bytes of one line that is received, its end included */
    GEISTER_ANSWER_MAX = 16, /* bytes of a client's line to send, CR LF and NUL included */
};

/* A client's line, without its end. */
enum geister_command { GEISTER_COMMAND_SET, GEISTER_COMMAND_MOVE, GEISTER_COMMAND_BAD };

/* A client's line, parsed. */
struct geister_request {
    enum geister_command command;
    unsigned
        value; /* the reds; or piece * 4 + direction, as the sender sees it: see geister_recorded_action */
};

/* Accepts exactly what the official server accepts: SET and MOV in capitals, letters in any case, long
 * direction names, word characters after the piece's letter. GEISTER_COMMAND_BAD for everything else. */
void geister_read_request(const char *line, size_t size, struct geister_request *out);

/* Writes the line, with CR LF, that asks for this action of that side. */
void geister_write_request(const struct geister *s, int side, action a, char out[GEISTER_ANSWER_MAX]);

/* The action a request means in that state (for its mover), if it is legal. */
bool geister_request_action(const struct geister *s, const struct geister_request *request, action *out);

/* A server's line, for clients. */
enum geister_reply {
    GEISTER_REPLY_SET,
    GEISTER_REPLY_MOVE,
    GEISTER_REPLY_OK,
    GEISTER_REPLY_OK_RED,
    GEISTER_REPLY_OK_BLUE,
    GEISTER_REPLY_NG,
    GEISTER_REPLY_WON,
    GEISTER_REPLY_LOST,
    GEISTER_REPLY_DRAWN,
    GEISTER_REPLY_BAD,
};

enum geister_reply geister_read_reply(const char *line, const char **board);

/* ---- the session ---- */

enum {
    GEISTER_OUT_MAX = 256,          /* bytes for one side that come of one call */
    GEISTER_REJECTED_MAX = 1000,    /* lines of one side in a game that were NG or empty */
    GEISTER_SKIPPED_MAX = 64 << 10, /* bytes of one line before its sender is cut off */
    GEISTER_LABEL_CHARS = 4,        /* "MV0:" in front of a viewer's board */
    GEISTER_SPECTATOR_VIEW_MAX = GEISTER_LABEL_CHARS + GEISTER_BOARD_CHARS + 1,
};

struct geister_terms {
    const struct scenario *scenario;
    int64_t budget_ns, grace_ns; /* a move may take the remaining budget and the grace */
    int64_t setup_ns;            /* for choosing the reds once both are here; 0: no limit */
    int64_t wait_ns;             /* between an answer and the other side's prompt; not charged */
    bool go_on;                  /* an unacceptable line in turn does not lose */
    bool whole_seconds;          /* only whole seconds of a move are charged, like the official server */
};

enum geister_phase {
    GEISTER_PHASE_SETTING, /* a side is missing or has not chosen */
    GEISTER_PHASE_WAITING, /* before a prompt */
    GEISTER_PHASE_MOVING,  /* a side was prompted */
    GEISTER_PHASE_OVER,
};

/* An incomplete line. */
struct geister_line_buffer {
    char line[GEISTER_LINE_MAX];
    size_t size; /* counts also bytes that did not fit */
    char last;
};

struct geister_session {
    const struct geister_terms *terms;
    struct clocked_game game; /* without reds until they may be played: the first player's come first */
    struct record record;     /* of the game; without names until geister_session_record */
    enum geister_phase phase;
    bool here[2], has_set[2];
    unsigned reds[2];
    double setup_ms[2];           /* time for choosing them; negative: not known */
    int64_t since_ns;             /* this phase; of choosing: since both were here */
    int rejected[2];              /* lines */
    char took[2][GEISTER_PIECES]; /* colour that each piece took with its last move: ' ', R or B */
    struct geister_line_buffer line_buffers[2];

    struct text out[2]; /* output for each side; the caller empties it before the next call */
    char label[GEISTER_LABEL_CHARS + 1];
    uint64_t changes; /* counts changes of the spectators' view */

    int winner; /* 0, 1, or 2 for a draw; NOBODY: the game was stopped */
    bool cut;   /* the connections must be shut down at once; otherwise clients may close them first */

    struct text log;  /* lines of the official log but for the end */
    int64_t spoke_ns; /* the first command's time; 0 before it */
    int64_t started_ns, ended_ns;
};

void geister_session_start(struct geister_session *t, const struct geister_terms *terms);
void geister_session_done(struct geister_session *t);

/* ---- events ---- */

/* A side has connected: it is asked for its reds. */
void geister_session_join(struct geister_session *t, int side, int64_t now_ns);

/* Bytes from a side: takes them up to the end of the first line and executes that; returns how many. */
size_t geister_session_receive(struct geister_session *t, int side, const char *bytes, size_t size,
                               int64_t now_ns);

/* The same for a player of ours: an action in place of a line. */
void geister_session_answer(struct geister_session *t, int side, action a, int64_t now_ns);

/* Time goes by. Must be called when it is due (INT64_MAX: never); earlier does no harm. */
void geister_session_tick(struct geister_session *t, int64_t now_ns);
int64_t geister_session_due(const struct geister_session *t);

/* A side ends its game: it disconnects, or breaks another rule. The reason follows "first forfeits: ". */
void geister_session_leave(struct geister_session *t, int side, int64_t now_ns);
void geister_session_blame(struct geister_session *t, int side, enum player_fault fault, const char *reason,
                           int64_t now_ns);

/* The end without a result; the reason may be empty. */
void geister_session_stop(struct geister_session *t, const char *reason, int64_t now_ns);

/* ---- views ---- */

static inline bool geister_session_is_over(const struct geister_session *t) {
    return t->phase == GEISTER_PHASE_OVER;
}

static inline const struct geister *geister_session_state(const struct geister_session *t) {
    return (const void *)t->game.referee.state;
}

/* The side that was prompted and has not answered; NOBODY while reds are chosen. */
int geister_session_asked(const struct geister_session *t);

/* The second player's view as viewers get it, LABEL:BOARD; colours that are not public only when `all`. */
void geister_session_spectator_view(const struct geister_session *t, bool all,
                                    char out[GEISTER_SPECTATOR_VIEW_MAX]);

/* ---- logs and records ----
 *
 * A finished game is stored as the official log, and as a record like any other game's.
 *
 *     player=0,SET:BCFG                    every line received, also rejected ones
 *     player=1,SET:ADEH
 *     player=0,MOV:A,W
 *     …
 *     fault=1,hang: no move in time        our addition: a fault ended the game
 *     winner=0                             2: drawn; the official server omits it after a fault
 */

/* `official`: the log contains neither a fault nor the winner after one. */
void geister_session_write_log(const struct geister_session *t, bool official, struct text *out);

/* The record of a finished game, with these names; the caller may add the date. */
struct record *geister_session_record(struct geister_session *t, const char *const players[2]);

#endif
