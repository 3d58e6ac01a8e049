/* SPDX-License-Identifier: MIT
 *
 * The bytes are the lines that a server of the platform's protocol sends to our client. For any lines, the
 * client's game stays within the rules, every answer is well-formed, and our server can read the client's
 * lines. The same lines are also read as a client's answers.
 */
#include "fuzz.h"

#include "net/tubstap.c" /* its messages are internal */

static bool is_answer(const struct text *said) {
    const char *text = text_string(said);
    return said->size >= 6 && strncmp(text, "= ", 2) == 0 && strcmp(text + said->size - 4, "\r\n\r\n") == 0 &&
           strcspn(text, "\r\n") == said->size - 4;
}

/* One of the listed actions, by the length of the line that asked. */
static action pick(const struct tubstap_client *client, size_t number) {
    static action list[1 << 16];
    const struct game *game = client->scenario->game;
    REQUIRE((size_t)game->actions_max <= sizeof list / sizeof list[0]);
    const int count = game->actions(client->game.referee.state, list);
    REQUIRE(count > 0);
    return number % 7 == 0 ? TBS_PASS : list[number % (size_t)count];
}

/* Reading back our own answer gives the action it was made from. */
static void choose_any(struct tubstap_client *client, size_t number, struct text *said) {
    union fuzz_state before;
    const struct game *game = client->scenario->game;
    const action a = pick(client, number);
    long numbers[TUBSTAP_FIELDS];
    action again;
    struct err e = {0};
    const char *text;
    memcpy(&before, client->game.referee.state, game->state_size);
    REQUIRE(client_decide(client, a, said, &e));
    REQUIRE(is_answer(said));
    said->data[said->size - 4] = '\0';
    REQUIRE(read_answer(said->data, &text) == TUBSTAP_ANSWER);
    REQUIRE(read_numbers(text, numbers, &e));
    REQUIRE(find_action(game, &before, numbers, &again, &e) && again == a);
    REQUIRE(agrees(&before, a, numbers, &e));
}

/* False when the client gives up. */
static bool say(struct tubstap_client *client, const char *line) {
    struct text said = {0};
    struct err e = {0};
    long numbers[TUBSTAP_FIELDS];
    const char *text;
    if (read_answer(line, &text) == TUBSTAP_ANSWER)
        read_numbers(text, numbers, &e);
    e.text[0] = '\0';
    const bool goes_on = client_take(client, line, &said, &e);
    REQUIRE(!goes_on || said.size == 0 || is_answer(&said));
    REQUIRE(goes_on || e.text[0] != '\0');
    REQUIRE(!client->is_asked || said.size == 0);
    if (client->is_asked)
        choose_any(client, strlen(line), &said);
    if (has_begun(client)) {
        union fuzz_state state;
        memcpy(&state, client->game.referee.state, client->scenario->game->state_size);
        fuzz_check_state(client->scenario->game, &state);
    }
    text_done(&said);
    return goes_on;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct tubstap_client client;
    char *text = malloc(size + 1);
    REQUIRE(text != NULL);
    memcpy(text, data, size);
    text[size] = '\0';
    tubstap_client_init(&client, "fuzz");
    bool more = true;
    for (char *line = text, *next; more && line != NULL; line = next) {
        next = strchr(line, '\n');
        if (next != NULL)
            *next++ = '\0';
        more = say(&client, line);
    }
    tubstap_client_done(&client);
    free(text);
    return 0;
}
