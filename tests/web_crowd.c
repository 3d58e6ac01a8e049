/* SPDX-License-Identifier: MIT
 *
 * `senjutsu serve` as a process, with many browsers that watch one game. Each must get every step, in order,
 * at whatever time it joined; memory must not grow from game to game.
 *
 * Games alternate: a person (this program) against a player, where each of the person's actions is timed
 * until the last of the crowd has it; and two players, whom the crowd joins while they play.
 *
 *     web_crowd SENJUTSU [clients=20] [games=4] [growth_kb=65536]
 */
#include "base/clock.h"
#include "base/numbers.h"
#include "base/text.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CLIENTS_MAX = 900, TIMES_MAX = 20000, ROUND_MS = 5, LIFE_S = 120, ID_MAX = 32 };

static const char person_against_player[] =
    "{\"game\":\"tbs\",\"map\":\"standard\",\"seats\":[{\"kind\":\"human\"},{\"kind\":\"player\",\"spec\":"
    "\"acteval\"}],\"seed\":%ld}";
static const char two_players[] =
    "{\"game\":\"tbs\",\"map\":\"standard\",\"seats\":[{\"kind\":\"player\",\"spec\":\"uct:sims=10000\"},"
    "{\"kind\":\"player\",\"spec\":\"acteval\"}],\"seed\":%ld}";

/* One browser. */
struct watcher {
    int fd;
    struct text unread;
    bool begun, ended;
    int ply;
    uint64_t hash;   /* of all seen actions */
    int64_t came_ns; /* when its last bytes came */
};

struct crowd {
    const char *program;
    long clients, games, growth_kb;
    pid_t server;
    int port;
    char folder[32];
    struct clock clock;
    struct watcher *all;
    double times_ms[TIMES_MAX];
    int time_count;
    long steps, failures;
};

static void die(const char *what) {
    fprintf(stderr, "web_crowd: %s\n", what);
    exit(1);
}

static void fail(struct crowd *c, const char *why) {
    if (c->failures++ < 10)
        fprintf(stderr, "web_crowd: %s\n", why);
}

static int64_t now(const struct crowd *c) {
    return clock_now_ns(&c->clock);
}

/* ---- the server ---- */

static void become_server(const struct crowd *c, int out) {
    dup2(out, STDOUT_FILENO);
    execl(c->program, c->program, "serve", "--port", "0", "--quiet", "--data", c->folder, (char *)NULL);
    _exit(127);
}

static void start_server(struct crowd *c) {
    int out[2];
    char line[256] = "";
    strcpy(c->folder, "/tmp/web-crowd-XXXXXX");
    if (mkdtemp(c->folder) == NULL || pipe(out) != 0)
        die("no folder, or no pipe");
    c->server = fork();
    if (c->server < 0)
        die("no process");
    if (c->server == 0)
        become_server(c, out[1]);
    close(out[1]);
    FILE *said = fdopen(out[0], "r"); /* stays open: the server may send more */
    if (said == NULL || fgets(line, sizeof line, said) == NULL ||
        sscanf(line, "http://127.0.0.1:%d/", &c->port) != 1)
        die("the server does not say where it is");
}

static int stop_server(const struct crowd *c) {
    int status = -1;
    char command[64];
    kill(c->server, SIGTERM);
    waitpid(c->server, &status, 0);
    snprintf(command, sizeof command, "rm -rf '%s'", c->folder);
    if (system(command) != 0)
        die("the data folder cannot be removed");
    return status;
}

static long resident_kb(const struct crowd *c) {
    char path[64], line[256];
    long kb = 0;
    snprintf(path, sizeof path, "/proc/%d/status", (int)c->server);
    FILE *file = fopen(path, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "VmRSS: %ld", &kb) == 1)
            break;
    if (file != NULL)
        fclose(file);
    return kb;
}

/* ---- requests ---- */

static int connect_to(const struct crowd *c) {
    union {
        struct sockaddr any;
        struct sockaddr_in v4;
    } address = {.v4 = {.sin_family = AF_INET, .sin_port = htons((uint16_t)c->port)}};
    address.v4.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0 || connect(fd, &address.any, sizeof address.v4) != 0)
        die("the server does not take a connection");
    return fd;
}

static void send_request(int fd, const char *method, const char *path, const char *body) {
    struct text request = {0};
    text_add(&request, "%s %s HTTP/1.0\r\nHost: localhost\r\n", method, path);
    if (body[0] != '\0')
        text_add(&request, "Content-Type: application/json\r\nContent-Length: %zu\r\n", strlen(body));
    text_add(&request, "\r\n%s", body);
    if (send(fd, request.data, request.size, MSG_NOSIGNAL) != (ssize_t)request.size)
        die("the server does not take a request");
    text_done(&request);
}

/* The answer as JSON (NULL: there is none); ends the program when it is a failure. */
static json_t *take_answer(int fd) {
    struct text answer = {0};
    char buffer[65536];
    for (ssize_t got; (got = recv(fd, buffer, sizeof buffer, 0)) > 0;)
        text_add_bytes(&answer, buffer, (size_t)got);
    close(fd);
    const char *content = strstr(text_string(&answer), "\r\n\r\n");
    const char *status = strchr(text_string(&answer), ' ');
    if (content == NULL || status == NULL || status[1] != '2') {
        fprintf(stderr, "%s\n", text_string(&answer));
        die("a request failed");
    }
    json_t *root = content[4] != '\0' ? json_loads(content + 4, 0, NULL) : NULL;
    text_done(&answer);
    return root;
}

static json_t *ask(const struct crowd *c, const char *method, const char *path, const char *body) {
    const int fd = connect_to(c);
    send_request(fd, method, path, body);
    return take_answer(fd);
}

/* ---- watchers ---- */

static void watcher_open(const struct crowd *c, struct watcher *w, const char *id) {
    char path[128];
    *w = (struct watcher){.fd = connect_to(c)};
    snprintf(path, sizeof path, "/api/tables/%s/events", id);
    send_request(w->fd, "GET", path, "");
    fcntl(w->fd, F_SETFL, O_NONBLOCK);
}

static void watcher_close(struct watcher *w) {
    if (w->fd >= 0)
        close(w->fd);
    w->fd = -1;
    text_done(&w->unread);
}

static void note_action(struct watcher *w, const char *text, size_t size) {
    w->hash = hash_bytes(hash_bytes(w->hash, text, size), ";", 1);
    w->ply++;
}

/* Everything that was played so far. */
static void take_table(struct crowd *c, struct watcher *w, const char *data, size_t size) {
    json_t *root = json_loadb(data, size, 0, NULL), *step;
    const json_t *steps = json_object_get(root, "steps");
    const int before = w->ply;
    size_t i;
    if (steps == NULL)
        fail(c, "a snapshot is not as expected");
    w->begun = true;
    w->ply = 0;
    w->hash = HASH_START;
    json_array_foreach(steps, i, step) {
        const char *action = json_string_value(json_object_get(step, "action"));
        note_action(w, action, strlen(action));
    }
    if (w->ply < before)
        fail(c, "a snapshot is older than an earlier event");
    json_decref(root);
}

/* A text search is enough: parsing all of it as JSON would take longer than the measured time. */
static void take_step(struct crowd *c, struct watcher *w, const char *data) {
    const char *ply = strstr(data, "\"ply\":"), *text = strstr(data, "\"action\":\"");
    if (!w->begun || ply == NULL || text == NULL || atoi(ply + 6) != w->ply + 1) {
        fail(c, "a step is missing, or there twice, or in the wrong place");
        return;
    }
    text += strlen("\"action\":\"");
    note_action(w, text, strcspn(text, "\""));
    c->steps++;
}

/* One event, "id: …\nevent: …\ndata: …" without the empty line behind it. */
static void take_event(struct crowd *c, struct watcher *w, char *event) {
    const char *name = strstr(event, "event: "), *data = strstr(event, "\ndata: ");
    if (name == NULL || data == NULL)
        return; /* a keep-alive comment, or the head of the answer */
    name += 7;
    data += 7;
    if (strncmp(name, "table\n", 6) == 0)
        take_table(c, w, data, strlen(data));
    else if (strncmp(name, "step\n", 5) == 0)
        take_step(c, w, data);
    else if (strncmp(name, "end\n", 4) == 0)
        w->ended = true;
}

static void take_events(struct crowd *c, struct watcher *w) {
    char *start = w->unread.data, *end;
    while (start != NULL && (end = strstr(start, "\n\n")) != NULL) {
        *end = '\0';
        take_event(c, w, start);
        start = end + 2;
    }
    if (start == NULL || start == w->unread.data)
        return;
    w->unread.size -= (size_t)(start - w->unread.data);
    memmove(w->unread.data, start, w->unread.size + 1);
}

static void receive(struct crowd *c, struct watcher *w) {
    char buffer[65536];
    ssize_t got;
    while ((got = recv(w->fd, buffer, sizeof buffer, 0)) > 0) {
        text_add_bytes(&w->unread, buffer, (size_t)got);
        w->came_ns = now(c);
    }
    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    take_events(c, w);
    if (!w->ended)
        fail(c, "a stream ended without its end");
    w->ended = true;
    watcher_close(w);
}

/* Reads the available input of all browsers: first all bytes with their times, then their content. */
static void serve_all(struct crowd *c) {
    static struct pollfd fds[CLIENTS_MAX];
    for (long i = 0; i < c->clients; i++)
        fds[i] = (struct pollfd){.fd = c->all[i].fd, .events = POLLIN};
    poll(fds, (nfds_t)c->clients, ROUND_MS);
    for (long i = 0; i < c->clients; i++)
        if (c->all[i].fd >= 0 && fds[i].revents != 0)
            receive(c, &c->all[i]);
    for (long i = 0; i < c->clients; i++)
        if (c->all[i].fd >= 0)
            take_events(c, &c->all[i]);
}

static bool all_have(const struct crowd *c, int ply) {
    for (long i = 0; i < c->clients; i++)
        if (!c->all[i].begun || c->all[i].ply < ply)
            return false;
    return true;
}

static bool all_ended(const struct crowd *c) {
    for (long i = 0; i < c->clients; i++)
        if (c->all[i].fd >= 0)
            return false;
    return true;
}

static void wait_for_ply(struct crowd *c, int ply) {
    const int64_t until = now(c) + LIFE_S * INT64_C(1000000000);
    while (!all_have(c, ply) && c->failures == 0 && now(c) < until)
        serve_all(c);
    if (!all_have(c, ply))
        fail(c, "not all browsers got a step");
}

/* ---- games ---- */

static void start_table(struct crowd *c, const char *format, long seed, char id[ID_MAX], char key[ID_MAX]) {
    char body[512];
    /* The formats are ours, above. */
    if (format == person_against_player)
        snprintf(body, sizeof body, person_against_player, seed);
    else
        snprintf(body, sizeof body, two_players, seed);
    json_t *answer = ask(c, "POST", "/api/tables", body);
    const char *given = json_string_value(json_array_get(json_object_get(answer, "keys"), 0));
    snprintf(id, ID_MAX, "%s", json_string_value(json_object_get(answer, "id")));
    snprintf(key, ID_MAX, "%s", given != NULL ? given : "");
    json_decref(answer);
}

static json_t *get_table(const struct crowd *c, const char *id, const char *key) {
    char path[128];
    snprintf(path, sizeof path, "/api/tables/%s%s%s", id, key[0] != '\0' ? "?key=" : "", key);
    return ask(c, "GET", path, "");
}

/* An attack when there is one: games end sooner. False when nothing can be done. */
static bool choose(const json_t *actions, char *out, size_t out_size) {
    size_t i;
    json_t *unit;
    out[0] = '\0';
    json_array_foreach(json_object_get(actions, "units"), i, unit) {
        const int id = (int)json_integer_value(json_object_get(unit, "id"));
        const json_t *attack = json_array_get(json_object_get(unit, "attacks"), 0);
        const json_t *stay = json_array_get(json_object_get(unit, "stays"), 0),
                     *cell = attack ? attack : stay;
        const int x = (int)json_integer_value(json_array_get(cell, 0));
        const int y = (int)json_integer_value(json_array_get(cell, 1));
        if (attack != NULL) {
            snprintf(out, out_size, "%d:%d,%dx%d", id, x, y,
                     (int)json_integer_value(json_array_get(attack, 2)));
            return true;
        }
        if (stay != NULL)
            snprintf(out, out_size, "%d:%d,%d", id, x, y);
    }
    return out[0] != '\0';
}

static void note_time(struct crowd *c, int64_t since) {
    int64_t last = since;
    for (long i = 0; i < c->clients; i++)
        last = c->all[i].came_ns > last ? c->all[i].came_ns : last;
    if (c->time_count < TIMES_MAX)
        c->times_ms[c->time_count++] = (double)(last - since) * 1e-6;
}

/* The person's actions, each timed from its sending to the last of the crowd. */
static void play_person(struct crowd *c, const char *id, const char *key) {
    char text[64], path[128], body[256];
    snprintf(path, sizeof path, "/api/tables/%s/action", id);
    while (c->failures == 0) {
        json_t *table = get_table(c, id, key);
        const bool is_over = json_is_true(json_object_get(table, "over"));
        const int ply = (int)json_array_size(json_object_get(table, "steps"));
        const bool can = choose(json_object_get(table, "actions"), text, sizeof text);
        json_decref(table);
        if (is_over)
            return;
        if (!can) { /* the player's turn */
            serve_all(c);
            continue;
        }
        wait_for_ply(c, ply);
        snprintf(body, sizeof body, "{\"key\":\"%s\",\"ply\":%d,\"action\":\"%s\"}", key, ply, text);
        const int fd = connect_to(c);
        const int64_t since = now(c);
        send_request(fd, "POST", path, body);
        wait_for_ply(c, ply + 1);
        note_time(c, since);
        json_decref(take_answer(fd));
    }
}

/* All browsers have the same game as the server. */
static void compare(struct crowd *c, const char *id) {
    struct watcher whole = {.fd = -1};
    json_t *table = get_table(c, id, "");
    char *text = json_dumps(table, 0);
    take_table(c, &whole, text, strlen(text));
    for (long i = 0; i < c->clients; i++)
        if (c->all[i].ply != whole.ply || c->all[i].hash != whole.hash)
            fail(c, "a browser has another game than was played");
    free(text);
    json_decref(table);
}

/* Half of the browsers join at the beginning; in a game between players the others join during the game. */
static void play_game(struct crowd *c, long number) {
    char id[ID_MAX], key[ID_MAX], path[128];
    const bool has_person = number % 2 == 0;
    const int64_t until = now(c) + LIFE_S * INT64_C(1000000000);
    start_table(c, has_person ? person_against_player : two_players, number + 1, id, key);
    for (long i = 0; i < c->clients; i++) {
        watcher_open(c, &c->all[i], id);
        if (!has_person && i % 4 == 3)
            serve_all(c);
    }
    wait_for_ply(c, 0);
    if (has_person)
        play_person(c, id, key);
    while (!all_ended(c) && c->failures == 0 && now(c) < until)
        serve_all(c);
    if (!all_ended(c))
        fail(c, "a stream did not end with its game");
    compare(c, id);
    for (long i = 0; i < c->clients; i++)
        watcher_close(&c->all[i]);
    snprintf(path, sizeof path, "/api/tables/%s%s%s", id, key[0] != '\0' ? "?key=" : "", key);
    json_decref(ask(c, "DELETE", path, ""));
}

/* ---- the whole ---- */

static void read_options(struct crowd *c, int argc, char **argv) {
    for (int i = 2; i < argc; i++)
        if (sscanf(argv[i], "clients=%ld", &c->clients) != 1 &&
            sscanf(argv[i], "games=%ld", &c->games) != 1 &&
            sscanf(argv[i], "growth_kb=%ld", &c->growth_kb) != 1)
            die("unknown option");
    if (c->clients < 1 || c->clients > CLIENTS_MAX || c->games < 2)
        die("expected 1 to 900 clients and 2 games or more");
}

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void report(struct crowd *c, const long *kb) {
    qsort(c->times_ms, (size_t)c->time_count, sizeof c->times_ms[0], by_size);
    printf("%ld clients, %ld games: %ld steps received, each client every one in order\n", c->clients,
           c->games, c->steps);
    if (c->time_count > 0)
        printf("from an action's sending to the last client: median %.2f ms, 99%% %.2f ms, most %.2f ms "
               "(%d actions)\n",
               c->times_ms[c->time_count / 2], c->times_ms[c->time_count * 99 / 100],
               c->times_ms[c->time_count - 1], c->time_count);
    printf("resident memory: %ld kB before, %ld kB after half of them, %ld kB at the end\n", kb[0], kb[1],
           kb[2]);
}

int main(int argc, char **argv) {
    static struct crowd c = {.clients = 20, .games = 4, .growth_kb = 65536};
    long kb[3];
    if (argc < 2)
        die("expected SENJUTSU [clients=N] [games=N] [growth_kb=N]");
    c.program = argv[1];
    c.clock = clock_system();
    read_options(&c, argc, argv);
    c.all = calloc((size_t)c.clients, sizeof *c.all);
    if (c.all == NULL)
        die("not enough memory");
    start_server(&c);
    kb[0] = kb[1] = resident_kb(&c);
    for (long i = 0; i < c.games && c.failures == 0; i++) {
        play_game(&c, i);
        if (i + 1 == c.games / 2) /* by then the allocator has reached its final size */
            kb[1] = resident_kb(&c);
    }
    kb[2] = resident_kb(&c);
    if (kb[2] > kb[1] + c.growth_kb)
        fail(&c, "the server's memory grows");
    const int status = stop_server(&c);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 128 + SIGTERM)
        fail(&c, "the server did not end well");
    if (c.failures == 0)
        report(&c, kb);
    free(c.all);
    return c.failures == 0 ? 0 : 1;
}
