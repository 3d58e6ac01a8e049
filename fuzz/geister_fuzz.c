/* SPDX-License-Identifier: MIT
 *
 * Everything that reads the network for Geister; the first byte selects the reader. The state machine of the
 * server receives lines of two clients: its answers must be lines of the protocol, and viewers without the
 * token must see no colour that is not public. HTTP requests and WebSocket frames must mean the same however
 * they are divided into pieces. The client receives any lines as from a server: its game must stay within the
 * rules, and our server must be able to read its answers.
 */
#include "fuzz.h"

#include "net/geister_client.h"
#include "net/geister_session.h"
#include "net/http.h"

static const struct scenario *scenario(void) {
    static struct scenario *loaded;
    struct err e;
    if (loaded == NULL)
        loaded = game_load_spec("geister", &e);
    REQUIRE(loaded != NULL);
    return loaded;
}

static void check_geister(const struct geister *s) {
    REQUIRE(geister_game.valid(s));
    REQUIRE(geister_game.key(s) == geister_game.key_from_scratch(s));
}

/* ---- the server's table ---- */

static void check_said(struct text *said) {
    const char *board;
    for (char *line = said->data, *end; said->size > 0 && *line != '\0'; line = end + 2) {
        end = strstr(line, "\r\n");
        REQUIRE(end != NULL);
        *end = '\0';
        REQUIRE(geister_read_reply(line, &board) != GEISTER_REPLY_BAD);
    }
    text_clear(said);
}

static void check_shown(const struct geister_session *t) {
    char view[GEISTER_SPECTATOR_VIEW_MAX];
    geister_session_spectator_view(t, false, view);
    REQUIRE(strlen(view) == GEISTER_SPECTATOR_VIEW_MAX - 1);
    for (int i = GEISTER_LABEL_CHARS; i < GEISTER_SPECTATOR_VIEW_MAX - 1 && !geister_session_is_over(t);
         i += 3)
        REQUIRE(view[i + 2] == 'u' || view[i] == '9');
}

/* A byte selects the sender and the number of bytes, or the time that passes. */
static void fuzz_table(struct bytes *in) {
    static struct geister_session table;
    const unsigned how = bytes_next(in);
    const struct geister_terms terms = {.scenario = scenario(),
                                        .budget_ns = (int64_t)(how & 3) * 1000000000,
                                        .grace_ns = 1000000000,
                                        .setup_ns = 2000000000,
                                        .wait_ns = (int64_t)(how >> 2 & 1) * 1000000,
                                        .go_on = (how & 8) != 0,
                                        .whole_seconds = (how & 16) != 0};
    int64_t now = 1;
    geister_session_start(&table, &terms);
    geister_session_join(&table, 0, now);
    geister_session_join(&table, 1, now);
    while (bytes_left(in)) {
        const unsigned op = bytes_next(in);
        const size_t left = (size_t)(in->end - in->at), size = op >> 2 < left ? op >> 2 : left;
        if ((op & 2) != 0) {
            now += (int64_t)(op >> 2) * 20000000;
            geister_session_tick(&table, now);
        } else {
            in->at += geister_session_receive(&table, (int)(op & 1), (const char *)in->at, size, now);
        }
        check_said(&table.out[0]);
        check_said(&table.out[1]);
        check_shown(&table);
        check_geister(geister_session_state(&table));
        REQUIRE(geister_session_is_over(&table) || geister_session_due(&table) > now);
    }
    geister_session_done(&table);
}

/* ---- viewers ---- */

static void fuzz_http(const char *bytes, size_t size) {
    struct http_request whole, part;
    struct text answer = {0};
    char value[HTTP_PATH_MAX];
    const enum http_step step = http_read(bytes, size, &whole);
    for (size_t i = 0; i < size; i += 1 + size / 64) {
        const enum http_step early = http_read(bytes, i, &part);
        REQUIRE(early == HTTP_MORE || (early == step && part.status == whole.status));
        REQUIRE(early != HTTP_READY || part.size == whole.size);
    }
    if (step == HTTP_BAD)
        http_write_error(whole.status, NULL, &answer);
    if (step == HTTP_READY) {
        REQUIRE(whole.size <= size && whole.path[0] == '/');
        http_query(&whole, "token", value, sizeof value);
        websocket_handshake(&whole, &answer);
    }
    REQUIRE((step == HTTP_MORE) == (answer.size == 0));
    REQUIRE(answer.size == 0 || strncmp(text_string(&answer), "HTTP/1.1 ", 9) == 0);
    text_done(&answer);
}

/* Frames as they come `piece` bytes at a time; returns how many bytes were understood. */
static size_t read_frames(const char *bytes, size_t size, size_t piece, struct text *answer) {
    struct websocket_reader reader = {0};
    enum websocket_step step = WEBSOCKET_MORE;
    char buffer[HTTP_HEAD_MAX];
    size_t held = 0, understood = 0, taken;
    for (size_t at = 0; at < size && step != WEBSOCKET_CLOSED;) {
        size_t more = size - at < piece ? size - at : piece;
        more = more < sizeof buffer - held ? more : sizeof buffer - held;
        REQUIRE(more > 0);
        memcpy(buffer + held, bytes + at, more);
        held += more;
        at += more;
        while ((step = websocket_read(&reader, buffer, held, &taken, answer)) == WEBSOCKET_TAKEN) {
            REQUIRE(taken > 0 && taken <= held);
            understood += taken;
            held -= taken;
            memmove(buffer, buffer + taken, held);
        }
    }
    return understood;
}

static void fuzz_websocket(const char *bytes, size_t size) {
    struct text once = {0}, slowly = {0};
    const size_t whole = read_frames(bytes, size, size, &once);
    REQUIRE(read_frames(bytes, size, 1, &slowly) == whole);
    REQUIRE(once.size == slowly.size && memcmp(text_string(&once), text_string(&slowly), once.size) == 0);
    text_done(&once);
    text_done(&slowly);
}

/* ---- the client ---- */

static void check_answer(const struct geister_client *c, const struct geister *before, action a,
                         const char *answer) {
    struct geister_request request;
    action again;
    const size_t size = strcspn(answer, "\r");
    REQUIRE(strcmp(answer + size, "\r\n") == 0);
    geister_read_request(answer, size, &request);
    REQUIRE(request.command != GEISTER_COMMAND_BAD);
    REQUIRE(geister_is_setup(a) || (geister_request_action(before, &request, &again) && again == a));
    REQUIRE(c->awaits_answer);
}

/* Decides by the length of the line that asked; false when the client gives up. */
static bool send_to_client(struct geister_client *c, const char *line) {
    action list[GEISTER_SETUPS];
    char answer[GEISTER_ANSWER_MAX];
    struct geister view;
    struct err e = {0};
    const enum geister_step step = geister_client_take(c, line, &e);
    REQUIRE((step == GEISTER_STEP_FAILED) == (e.text[0] != '\0'));
    if (step == GEISTER_STEP_FAILED || step == GEISTER_STEP_OVER)
        return false;
    check_geister(geister_client_state(c));
    if (step == GEISTER_STEP_REFUSED)
        return geister_client_again(c, answer);
    if (c->wants == GEISTER_WANTS_NOTHING)
        return true;
    game_view(&geister_game, geister_client_state(c), c->side, &view);
    const struct geister before = *geister_client_state(c);
    const int count = geister_game.actions(geister_client_state(c), list);
    REQUIRE(count > 0);
    const action a = list[strlen(line) * 7 % (size_t)count];
    REQUIRE(geister_client_decide(c, a, 1, answer, &e));
    check_answer(c, &before, a, answer);
    return true;
}

static void fuzz_client(const char *bytes, size_t size) {
    static struct geister_client client;
    char *text = malloc(size + 1);
    REQUIRE(text != NULL);
    memcpy(text, bytes, size);
    text[size] = '\0';
    geister_client_init(&client, scenario(), NOBODY, "fuzz");
    bool more = true;
    for (char *line = text, *next; more && line != NULL; line = next) {
        next = strchr(line, '\n');
        if (next != NULL)
            *next++ = '\0';
        more = send_to_client(&client, line);
    }
    record_done(&client.record);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct bytes in = {data, data + size};
    const unsigned which = bytes_below(&in, 4);
    const char *rest = (const char *)in.at;
    const size_t rest_size = (size_t)(in.end - in.at);
    if (which == 0)
        fuzz_table(&in);
    else if (which == 1)
        fuzz_http(rest, rest_size);
    else if (which == 2)
        fuzz_websocket(rest, rest_size < HTTP_HEAD_MAX ? rest_size : HTTP_HEAD_MAX);
    else
        fuzz_client(rest, rest_size);
    return 0;
}
