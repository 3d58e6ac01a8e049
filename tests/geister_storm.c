/* SPDX-License-Identifier: MIT
 *
 * The Geister server as a process under many simultaneous clients, half of which misbehave in all implemented
 * ways. Honest games must end by the rules, and as in the server's own report; memory and descriptors must
 * not grow.
 *
 *     geister_storm SENJUTSU [clients=40] [games=60] [growth_kb=65536] [timeout=30] [seed=1]
 */
#include "storm_client.h"

#include "base/clock.h"

#include <dirent.h>
#include <fcntl.h>
#include <jansson.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MS INT64_C(1000000)

enum { CLIENTS_MAX = 1000, RESULTS_MAX = 200000, PIPE_MAX = 1 << 16, ROUND_MS = 2, SAMPLES = 10 };
enum { HONEST_LIFE_S = 240, STORM_LIFE_S = 1200, QUIET_S = 60 };

/* What an honest client saw of a game, or the server reported of it. */
struct result {
    int ports[2]; /* of the clients; 0: unknown */
    int plies;
    char words[64];
};

struct storm {
    const char *program;
    long clients, games, growth_kb, timeout, seed;
    pid_t server;
    int out, err; /* its standard streams */
    int ports[3]; /* first, second, viewers */
    char said[2][PIPE_MAX];
    size_t said_room[2];
    struct clock clock;
    struct rng rng;
    struct scenario *scenario;
    struct storm_client *all;
    struct result *seen, *told; /* by clients, by the server */
    int seen_count, report_count;
    int next_mode[2]; /* of honest and of rude clients */
    long connections, failures;
    long samples_kb[SAMPLES + 1], peak_kb, peak_descriptors;
};

static void die(const char *what) {
    fprintf(stderr, "geister_storm: %s\n", what);
    exit(1);
}

static int64_t now(const struct storm *s) {
    return clock_now_ns(&s->clock);
}

/* ---- the server ---- */

static void become_server(const struct storm *s, int out, int err) {
    char timeout[32];
    snprintf(timeout, sizeof timeout, "%ld", s->timeout);
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    execl(s->program, s->program, "geister", "serve", "--first-port", "0", "--second-port", "0",
          "--viewer-port", "0", "--json", "--budget", "0", "--timeout", timeout, "--setup-time", timeout,
          "--per-address", "0", "--waiting", "1000", "--linger", "2", (char *)NULL);
    _exit(127);
}

static void start_server(struct storm *s) {
    int out[2], err[2];
    if (pipe(out) != 0 || pipe(err) != 0)
        die("no pipe");
    s->server = fork();
    if (s->server < 0)
        die("no process");
    if (s->server == 0)
        become_server(s, out[1], err[1]);
    close(out[1]);
    close(err[1]);
    s->out = out[0];
    s->err = err[0];
    fcntl(s->out, F_SETFL, O_NONBLOCK);
    fcntl(s->err, F_SETFL, O_NONBLOCK);
}

static void take_game(struct storm *s, const char *line) {
    json_t *row = json_loads(line, 0, NULL);
    const char *players[2] = {"", ""}, *words;
    struct result *r = &s->told[s->report_count];
    if (row == NULL || s->report_count == RESULTS_MAX ||
        json_unpack(row, "{s[ss] ss si}", "players", &players[0], &players[1], "result", &words, "plies",
                    &r->plies) != 0)
        die("a line of the server's report is not as expected");
    for (int side = 0; side < 2; side++) {
        const char *colon = strrchr(players[side], ':');
        r->ports[side] = colon != NULL ? atoi(colon + 1) : 0;
    }
    snprintf(r->words, sizeof r->words, "%s", words);
    s->report_count++;
    json_decref(row);
}

static void take_message(struct storm *s, const char *line) {
    int first, second;
    const char *at = strstr(line, "first player's port ");
    if (at != NULL && sscanf(at, "first player's port %d, second player's port %d", &first, &second) == 2) {
        s->ports[0] = first;
        s->ports[1] = second;
    }
    at = strstr(line, "viewers: http://");
    if (at != NULL && (at = strrchr(line, ':')) != NULL)
        s->ports[2] = atoi(at + 1);
    if (strstr(line, "Sanitizer") != NULL || strstr(line, "runtime error") != NULL) {
        fprintf(stderr, "server: %s\n", line);
        s->failures++;
    }
}

/* Everything the server has printed so far; false once it has ended. */
static bool receive_line(struct storm *s, int stream) {
    const int fd = stream == 0 ? s->out : s->err;
    char *said = s->said[stream];
    for (;;) {
        const ssize_t n = read(fd, said + s->said_room[stream], PIPE_MAX - 1 - s->said_room[stream]);
        if (n <= 0)
            return n != 0;
        s->said_room[stream] += (size_t)n;
        char *start = said, *end;
        while ((end = memchr(start, '\n', s->said_room[stream] - (size_t)(start - said))) != NULL) {
            *end = '\0';
            if (stream == 0)
                take_game(s, start);
            else
                take_message(s, start);
            start = end + 1;
        }
        s->said_room[stream] -= (size_t)(start - said);
        memmove(said, start, s->said_room[stream]);
    }
}

static void wait_for_ports(struct storm *s) {
    for (int i = 0; i < 3000 && (s->ports[0] == 0 || s->ports[2] == 0); i++) {
        if (!receive_line(s, 1))
            die("the server ended at once");
        poll(NULL, 0, 10);
    }
    if (s->ports[0] == 0 || s->ports[2] == 0)
        die("the server does not say where it listens");
}

/* ---- memory and descriptors ---- */

static long resident_kb(const struct storm *s) {
    char path[64];
    long size = 0, resident = 0;
    snprintf(path, sizeof path, "/proc/%d/statm", (int)s->server);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return 0;
    if (fscanf(file, "%ld %ld", &size, &resident) != 2)
        resident = 0;
    fclose(file);
    return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

static long descriptors(const struct storm *s) {
    char path[64];
    long count = 0;
    snprintf(path, sizeof path, "/proc/%d/fd", (int)s->server);
    DIR *folder = opendir(path);
    if (folder == NULL)
        return 0;
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;)
        count += entry->d_name[0] != '.';
    closedir(folder);
    return count;
}

/* The most at any time of each tenth of the games. */
static void measure(struct storm *s) {
    const long kb = resident_kb(s), open = descriptors(s);
    const long tenth = (long)s->report_count * SAMPLES / s->games;
    long *most = &s->samples_kb[tenth < SAMPLES ? tenth : SAMPLES];
    *most = kb > *most ? kb : *most;
    s->peak_kb = kb > s->peak_kb ? kb : s->peak_kb;
    s->peak_descriptors = open > s->peak_descriptors ? open : s->peak_descriptors;
}

/* ---- the clients ---- */

static int count_modes(bool honest) {
    int count = 0;
    for (const struct storm_mode *mode = storm_modes; mode->name != NULL; mode++)
        count += mode->is_honest == honest;
    return count;
}

/* All kinds of misbehaviour in turn; most of the honest clients are plain. */
static const struct storm_mode *choose_mode(struct storm *s, bool honest) {
    const int honest_count = count_modes(true);
    if (!honest)
        return &storm_modes[honest_count + s->next_mode[0]++ % count_modes(false)];
    const int number = s->next_mode[1]++ % 10;
    return &storm_modes[number < honest_count ? number : 0];
}

static void fail(struct storm *s, const char *why) {
    if (s->failures++ < 10)
        fprintf(stderr, "geister_storm: %s\n", why);
}

static void finish(struct storm *s, struct storm_client *c) {
    if (c->end == STORM_FAILED)
        fail(s, c->reason.text);
    if (c->end == STORM_OVER && c->mode->is_honest && s->seen_count < RESULTS_MAX) {
        struct result *r = &s->seen[s->seen_count++];
        r->ports[c->game.side] = c->local_port;
        r->ports[c->game.side ^ 1] = 0;
        r->plies = geister_client_state(&c->game)->ply;
        snprintf(r->words, sizeof r->words, "%s", c->game.by_rules ? c->game.record.result : "");
    }
    storm_client_close(c);
}

static void open_client(struct storm *s, int i) {
    struct storm_client *c = &s->all[i];
    const bool honest = i % 4 < 2; /* both ports get as many of each */
    const struct storm_mode *mode = choose_mode(s, honest);
    c->rng = &s->rng;
    s->connections++;
    storm_client_open(c, mode, s->ports[mode->is_viewer ? 2 : i % 2], i % 2, s->scenario, now(s));
}

/* Serves all for a moment. While `goes_on`, a client that is done begins anew; otherwise misbehaving ones are
 * closed. */
static int serve_clients(struct storm *s, bool goes_on) {
    static struct pollfd fds[CLIENTS_MAX + 2];
    int open = 0;
    for (int i = 0; i < s->clients; i++) {
        struct storm_client *c = &s->all[i];
        if (c->fd < 0 && goes_on)
            open_client(s, i);
        fds[i] = (struct pollfd){.fd = c->fd, .events = c->fd < 0 ? 0 : storm_client_events(c, now(s))};
    }
    fds[s->clients] = (struct pollfd){.fd = s->out, .events = POLLIN};
    fds[s->clients + 1] = (struct pollfd){.fd = s->err, .events = POLLIN};
    poll(fds, (nfds_t)s->clients + 2, ROUND_MS);
    for (int i = 0; i < s->clients; i++) {
        struct storm_client *c = &s->all[i];
        if (c->fd < 0)
            continue;
        storm_client_serve(c, fds[i].revents, now(s));
        if (c->mode->is_honest && c->end == STORM_GOES_ON &&
            now(s) - c->since_ns > HONEST_LIFE_S * 1000 * MS) {
            fail(s, "an honest client waits for ever");
            c->end = STORM_GONE;
        }
        /* Waiting clients get no further opponent. */
        const bool send_home = !goes_on && (!c->mode->is_honest || !c->game.begun);
        if (c->end != STORM_GOES_ON || send_home)
            finish(s, c);
        open += c->fd >= 0;
    }
    if (!receive_line(s, 0) || !receive_line(s, 1))
        die("the server is gone");
    return open;
}

static void blow(struct storm *s) {
    const int64_t until = now(s) + INT64_C(1000) * STORM_LIFE_S * MS;
    int64_t measured = 0;
    while (s->report_count < s->games && now(s) < until && s->failures == 0) {
        serve_clients(s, true);
        if (now(s) - measured > 20 * MS) {
            measured = now(s);
            measure(s);
        }
    }
    if (s->report_count < s->games && s->failures == 0)
        fail(s, "the games take too long");
    while (serve_clients(s, false) > 0 && now(s) < until)
        ;
}

/* ---- judgement ---- */

/* Each honest client's account is one of the server's games. */
static void compare_results(struct storm *s) {
    int by_rules = 0;
    for (int i = 0; i < s->seen_count; i++) {
        const struct result *seen = &s->seen[i];
        const int side = seen->ports[0] != 0 ? 0 : 1;
        bool found = false;
        for (int j = 0; j < s->report_count && !found; j++) {
            const struct result *told = &s->told[j];
            found = told->ports[side] == seen->ports[side] && told->plies == seen->plies &&
                    (seen->words[0] == '\0' || strcmp(told->words, seen->words) == 0);
        }
        by_rules += seen->words[0] != '\0';
        if (!found)
            fail(s, "what a client saw of its game is not what the server reports");
    }
    printf("honest clients played %d games, %d of them to an end by the rules; all as the server reports\n",
           s->seen_count, by_rules);
    if (by_rules == 0)
        fail(s, "no game came to an end by the rules");
}

/* After all clients have left the server is in its initial state. */
static long wait_for_close(struct storm *s, long at_first) {
    const int64_t until = now(s) + INT64_C(1000) * QUIET_S * MS;
    while (descriptors(s) > at_first && now(s) < until) {
        receive_line(s, 0);
        receive_line(s, 1);
        poll(NULL, 0, 20);
    }
    return descriptors(s);
}

static void judge_memory(struct storm *s, long first_descriptors) {
    const long last = wait_for_close(s, first_descriptors), kb = resident_kb(s);
    printf("memory: most in each tenth of the games (kB):");
    for (int i = 0; i < SAMPLES; i++)
        printf(" %ld", s->samples_kb[i]);
    printf("; at the end %ld\n", kb);
    printf("descriptors: %ld before, %ld at most, %ld after\n", first_descriptors, s->peak_descriptors, last);
    if (last > first_descriptors)
        fail(s, "descriptors were not closed");
    long early = 0, late = 0;
    for (int i = 0; i < SAMPLES; i++)
        if (i < SAMPLES / 2)
            early = s->samples_kb[i] > early ? s->samples_kb[i] : early;
        else
            late = s->samples_kb[i] > late ? s->samples_kb[i] : late;
    if (late - early > s->growth_kb)
        fail(s, "memory has grown");
}

static void end_server(struct storm *s) {
    int status = -1;
    kill(s->server, SIGTERM);
    for (int i = 0; i < 3000 && waitpid(s->server, &status, WNOHANG) == 0; i++) {
        receive_line(s, 0);
        receive_line(s, 1);
        poll(NULL, 0, 10);
    }
    receive_line(s, 1);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 128 + SIGTERM) {
        kill(s->server, SIGKILL);
        fail(s, "the server did not end well when it was asked to");
    }
}

/* ---- the program ---- */

static void read_options(struct storm *s, int argc, char **argv) {
    struct named {
        const char *name;
        long *value;
    };
    const struct named options[] = {{"clients", &s->clients},
                                    {"games", &s->games},
                                    {"growth_kb", &s->growth_kb},
                                    {"timeout", &s->timeout},
                                    {"seed", &s->seed}};
    for (int i = 2; i < argc; i++) {
        char *equals = strchr(argv[i], '=');
        bool known = false;
        for (size_t j = 0; equals != NULL && j < sizeof options / sizeof options[0]; j++)
            if (strlen(options[j].name) == (size_t)(equals - argv[i]) &&
                strncmp(argv[i], options[j].name, (size_t)(equals - argv[i])) == 0)
                known = text_to_int(equals + 1, options[j].value);
        if (!known)
            die("usage: geister_storm SENJUTSU [clients=N] [games=N] [growth_kb=N] [timeout=S] [seed=N]");
    }
    if (s->clients < 4 || s->clients > CLIENTS_MAX || s->games < SAMPLES)
        die("expected 4 to 1000 clients and at least 10 games");
}

static void prepare(struct storm *s) {
    struct err e;
    s->clock = clock_system();
    rng_seed(&s->rng, (uint64_t)s->seed);
    s->scenario = game_load_spec("geister", &e);
    s->all = calloc((size_t)s->clients, sizeof *s->all);
    s->seen = calloc(RESULTS_MAX, sizeof *s->seen);
    s->told = calloc(RESULTS_MAX, sizeof *s->told);
    if (s->scenario == NULL || s->all == NULL || s->seen == NULL || s->told == NULL)
        die("not enough memory");
    for (int i = 0; i < s->clients; i++)
        s->all[i].fd = -1;
    signal(SIGPIPE, SIG_IGN);
}

static void clean_up(struct storm *s) {
    for (int i = 0; i < s->clients; i++) {
        storm_client_close(&s->all[i]);
        text_done(&s->all[i].out);
    }
    free(s->all);
    free(s->seen);
    free(s->told);
    game_unload(s->scenario);
}

int main(int argc, char **argv) {
    static struct storm s = {.clients = 40, .games = 60, .growth_kb = 65536, .timeout = 30, .seed = 1};
    if (argc < 2)
        die("which program? expected the path of senjutsu");
    s.program = argv[1];
    read_options(&s, argc, argv);
    prepare(&s);
    start_server(&s);
    wait_for_ports(&s);
    const long first_descriptors = descriptors(&s);
    const int64_t start = now(&s);
    blow(&s);
    printf("%ld clients at once, %ld connections, %d games in %.1f s\n", s.clients, s.connections,
           s.report_count, (double)(now(&s) - start) * 1e-9);
    wait_for_close(&s, first_descriptors);
    receive_line(&s, 0);
    compare_results(&s);
    judge_memory(&s, first_descriptors);
    end_server(&s);
    clean_up(&s);
    if (s.failures > 0)
        printf("%ld failures\n", s.failures);
    return s.failures == 0 ? 0 : 1;
}
