/* SPDX-License-Identifier: MIT
 *
 * An engine that misbehaves, for tests: `saboteur MODE [N [MS]]`. It speaks the protocol without the rules
 * (it always passes, which is legal) until the N-th `go` (default: 1), and then commits the fault of its
 * mode. Faults of the start happen at once. Delays last MS milliseconds (700).
 */
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

enum { LINE_MAX_SIZE = 70000, SURVIVORS = 3 };

static void nap_ms(long ms) {
    const struct timespec time = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&time, NULL);
}

static void sleep_for_ever(void) {
    for (;;)
        nap_ms(1000);
}

static void say(const char *text) {
    fputs(text, stdout);
    fflush(stdout);
}

/* ---- faults in answer to a go ---- */

static void do_exit(void) {
    exit(3);
}

static void do_crash(void) {
    signal(SIGSEGV, SIG_DFL);
    raise(SIGSEGV);
}

static void do_sleep_ignoring(void) {
    static const int ignored[] = {SIGTERM, SIGHUP, SIGINT, SIGPIPE, SIGQUIT};
    for (size_t i = 0; i < sizeof ignored / sizeof ignored[0]; i++)
        signal(ignored[i], SIG_IGN);
    sleep_for_ever();
}

static void write_32_megabytes(FILE *out, const char *piece) {
    static char block[1 << 16];
    const size_t size = strlen(piece);
    for (size_t i = 0; i + size <= sizeof block; i += size)
        memcpy(block + i, piece, size);
    for (int i = 0; i < 512; i++)
        if (fwrite(block, 1, sizeof block / size * size, out) == 0)
            exit(4);
    fflush(out);
}

static void do_flood(void) {
    write_32_megabytes(stdout, "abcdefgh");
    sleep_for_ever();
}

static void do_flood_lines(void) {
    write_32_megabytes(stdout, "info work 1\n");
    say("best pass\nok\n");
}

static void do_stderr_flood(void) {
    write_32_megabytes(stderr, "thinking very hard about this one\n");
    say("best pass\nok\n");
}

static void do_half_line(void) {
    say("best pa");
    sleep_for_ever();
}

static void do_half_line_exit(void) {
    say("best pa");
    exit(0);
}

static void do_illegal(void) {
    say("best 0:9999,9999\nok\n");
}

static void do_wrong_game(void) {
    say("best e2e4\nok\n");
}

static void do_garbage(void) {
    say("\x01\x7f\xff hello, is anybody there?\nok\n");
}

static void do_banner(void) {
    say("saboteur 1.0, ready to play\n");
}

static void do_nul_bytes(void) {
    static const char bytes[] = "best pass\0\0\0\nok\n";
    fwrite(bytes, 1, sizeof bytes - 1, stdout);
    fflush(stdout);
}

static void do_silent_ok(void) {
    say("ok\n");
}

static void do_unsolicited(void) {
    say("best pass\nok\nbest pass\nok\n");
}

static void do_twice(void) {
    say("best pass\nbest pass\nok\n");
}

static void do_empty(void) {
    say("best\nok\n");
}

static long late_ms = 700;

static void do_late(void) {
    nap_ms(late_ms);
    say("best pass\nok\n");
}

static void do_error(void) {
    say("error I do not feel like playing\n");
}

static void do_close_streams(void) {
    fclose(stdout);
    sleep_for_ever();
}

/* Children that leave the group, forget the terminal, and never end; the last also forgets its environment.
 */
static void leave_survivors(void) {
    for (int i = 0; i < SURVIVORS; i++) {
        if (fork() != 0)
            continue;
        setsid();
        if (fork() != 0)
            _exit(0);
        signal(SIGTERM, SIG_IGN);
        signal(SIGHUP, SIG_IGN);
        if (i == SURVIVORS - 1)
            execle("/bin/sh", "sh", "-c", "sleep 1000000", (char *)NULL, (char *[]){NULL});
        sleep_for_ever();
    }
    nap_ms(100); /* until they are on their own */
}

static void do_fork_survivors(void) {
    leave_survivors();
    say("best pass\nok\n");
}

/* A process without the mark has no owner once its parent has ended: only marked ones stay. */
static void do_fork_exit(void) {
    for (int i = 0; i < SURVIVORS; i++) {
        if (fork() != 0)
            continue;
        setsid();
        sleep_for_ever();
    }
    nap_ms(100);
    exit(5);
}

/* A daemon as they come: no terminal, no session, no environment, and all its parents gone. */
static void do_daemon(void) {
    if (fork() == 0) {
        setsid();
        if (fork() != 0)
            _exit(0);
        setsid();
        execle("/bin/sh", "sh", "-c", "sleep 1000000 & sleep 1000000", (char *)NULL, (char *[]){NULL});
        _exit(1);
    }
    nap_ms(300);
    _exit(6);
}

static const struct mode {
    const char *name;
    void (*run)(void);
    int at; /* the number of the go it acts on, 1 by default; 0: the start */
} modes[] = {
    {"exit", do_exit, 0},
    {"exit-mid", do_exit, 3},
    {"crash", do_crash, 1},
    {"sleep", sleep_for_ever, 1},
    {"sleep-start", sleep_for_ever, 0},
    {"sleep-ignore-term", do_sleep_ignoring, 1},
    {"flood", do_flood, 1},
    {"flood-lines", do_flood_lines, 1},
    {"stderr-flood", do_stderr_flood, 1},
    {"half-line", do_half_line, 1},
    {"half-line-exit", do_half_line_exit, 1},
    {"illegal", do_illegal, 1},
    {"wrong-game", do_wrong_game, 1},
    {"garbage", do_garbage, 1},
    {"banner", do_banner, 0},
    {"nul-bytes", do_nul_bytes, 1},
    {"silent-ok", do_silent_ok, 1},
    {"unsolicited", do_unsolicited, 1},
    {"twice", do_twice, 1},
    {"empty", do_empty, 1},
    {"late", do_late, 1},
    {"error", do_error, 1},
    {"close", do_close_streams, 1},
    {"fork-survivors", do_fork_survivors, 1},
    {"fork-exit", do_fork_exit, 1},
    {"daemon", do_daemon, 1},
    {"pass", NULL, 1},    /* never misbehaves */
    {"honest", NULL, 1},  /* neither, and plays by the rules: $SENJUTSU engine */
    {"cr-lf", NULL, 1},   /* ends its lines with CR LF */
    {"options", NULL, 1}, /* prints on standard error what it received */
};

/* ---- the conversation ---- */

static const char *line_end = "\n";

static void answer(const char *text) {
    printf("%s%s", text, line_end);
    fflush(stdout);
}

static void greet(void) {
    printf("id name saboteur%s", line_end);
    printf("game tbs%s", line_end);
    printf("option seed number 1%s", line_end);
    printf("option level number 1%s", line_end);
    answer("ok");
}

static bool starts_with(const char *line, const char *word) {
    const size_t size = strlen(word);
    return strncmp(line, word, size) == 0 && (line[size] == '\0' || line[size] == ' ');
}

static void converse(const struct mode *mode, int at) {
    static char line[LINE_MAX_SIZE];
    bool in_map = false;
    int goes = 0;
    while (fgets(line, sizeof line, stdin) != NULL) {
        line[strcspn(line, "\r\n")] = '\0';
        if (strcmp(mode->name, "options") == 0 && !in_map)
            fprintf(stderr, "%s\n", line);
        if (starts_with(line, "quit"))
            return;
        if (starts_with(line, "map"))
            in_map = true;
        if (starts_with(line, "endmap"))
            in_map = false;
        if (in_map)
            continue;
        if (starts_with(line, "sjp")) {
            greet();
        } else if (!starts_with(line, "go")) {
            answer("ok");
        } else if (++goes == at && mode->run != NULL) {
            mode->run();
        } else {
            answer("info value 0.25");
            answer("best pass");
            answer("ok");
        }
    }
}

int main(int argc, char **argv) {
    for (size_t i = 0; argc > 1 && i < sizeof modes / sizeof modes[0]; i++) {
        const struct mode *mode = &modes[i];
        if (strcmp(mode->name, argv[1]) != 0)
            continue;
        const char *engine = getenv("SENJUTSU");
        if (strcmp(mode->name, "honest") == 0 && engine != NULL)
            execl(engine, "senjutsu", "engine", "--player", "random", (char *)NULL);
        if (strcmp(mode->name, "cr-lf") == 0)
            line_end = "\r\n";
        const int at = argc > 2 ? atoi(argv[2]) : mode->at;
        if (argc > 3)
            late_ms = atol(argv[3]);
        if (at == 0 && mode->run != NULL)
            mode->run();
        converse(mode, at);
        return 0;
    }
    fprintf(stderr, "saboteur: no such mode; expected one of");
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++)
        fprintf(stderr, " %s", modes[i].name);
    fprintf(stderr, "\n");
    return 2;
}
