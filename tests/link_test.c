/* SPDX-License-Identifier: MIT
 *
 * Conversations with processes and peers, correct and faulty ones. Times are never asserted tightly: the
 * tests detect endless waiting.
 */
#define _DEFAULT_SOURCE /* syscall */
#include "link/link.c"  /* two tests inspect its timers */

#include "base/mem.h"
#include "tests/memory_support.h"
#include "outside_support.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

static struct clock clock_now;

/* ---- calls that fail on request ---- */

static int dup2_fails_at;       /* the number of the call from now on; 0: none */
static const int *accept_fails; /* the errors of the calls, the last one for all later calls; NULL: none */
static int64_t accept_ns;       /* a clock that goes on by a millisecond with each call that fails */

int dup2(int from, int to) {
    if (dup2_fails_at > 0 && --dup2_fails_at == 0) {
        errno = EMFILE;
        return -1;
    }
    return from == to ? to : (int)syscall(SYS_dup3, from, to, 0);
}

int accept(int listener, struct sockaddr *restrict peer, socklen_t *restrict size) {
    if (accept_fails == NULL)
        return (int)syscall(SYS_accept4, listener, peer, size, 0);
    accept_ns += 1000000;
    errno = *accept_fails;
    accept_fails += accept_fails[1] != 0;
    return -1;
}

static void nap_ms(long ms) {
    const struct timespec time = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&time, NULL);
}

/* Long enough for a machine under load; nothing here needs it. */
static struct link_wait within_ms(int64_t ms) {
    return (struct link_wait){.clock = &clock_now, .until_ns = clock_now_ns(&clock_now) + ms * 1000000};
}

static struct link *start(const char *command) {
    struct err e = {0};
    struct link *link = link_start_process(command, &e);
    assert_string_equal(e.text, "");
    assert_non_null(link);
    return link;
}

static struct link *start_saboteur(const char *mode) {
    char command[1024];
    snprintf(command, sizeof command, "%s %s", outside_saboteur(), mode);
    return start(command);
}

static void send_line(struct link *link, const char *line) {
    struct err e = {0};
    const struct link_wait wait = within_ms(60000);
    assert_true(link_send(link, line, strlen(line), &wait, &e));
}

static void expect_line(struct link *link, const char *expected) {
    const struct link_wait wait = within_ms(60000);
    const char *line = NULL;
    assert_int_equal(link_receive(link, &wait, &line), LINK_LINE);
    assert_string_equal(line, expected);
}

static enum link_event receive(struct link *link, int64_t ms) {
    const struct link_wait wait = within_ms(ms);
    const char *line;
    return link_receive(link, &wait, &line);
}

/* Closes it; nothing of it may be left. */
static void end(struct link *link, int grace_ms) {
    char mark[64];
    snprintf(mark, sizeof mark, "%s", link_mark(link));
    link_close(link, grace_ms);
    assert_int_equal(outside_carriers(mark), 0);
    assert_int_equal(outside_zombies(), 0);
}

static void expect_tail(const struct link *link, const char *expected) {
    struct text tail = {0};
    link_tail(link, &tail);
    assert_non_null(strstr(text_string(&tail), expected));
    text_done(&tail);
}

/* ---- lines ---- */

static void lines_go_both_ways(void **state) {
    (void)state;
    struct link *link = start("cat");
    send_line(link, "hello\nworld\n");
    expect_line(link, "hello");
    assert_true(link_has_line(link));
    expect_line(link, "world");
    assert_false(link_has_line(link));
    assert_int_equal(link_received_bytes(link), 12);
    send_line(link, "\n");
    expect_line(link, "");
    struct text text = {0};
    link_sent(link, &text);
    assert_string_equal(text_string(&text), "hello\nworld\n\n");
    text_clear(&text);
    link_tail(link, &text);
    assert_string_equal(text_string(&text), "> hello\n> world\n< hello\n< world\n> \n< \n");
    text_done(&text);
    assert_false(link_has_ended(link));
    end(link, 10000);
}

static void line_ends_and_odd_bytes(void **state) {
    (void)state;
    struct link *link = start("printf 'a\\r\\nb\\000c\\n\\377\\n\\r\\nlast'");
    expect_line(link, "a");
    expect_line(link, "b?c");
    expect_line(link, "\xff");
    expect_line(link, "");
    assert_int_equal(receive(link, 60000), LINK_ENDED);
    assert_int_equal(receive(link, 60000), LINK_ENDED);
    assert_true(link_has_ended(link));
    expect_tail(link, "< last\n");
    char how[100];
    link_describe_end(link, how, sizeof how);
    assert_string_equal(how, "exit status 0");
    end(link, 0);
}

/* A line of the greatest length is one, with either line end; one byte more is none, and the next is fine. */
static void longest_line(void **state) {
    (void)state;
    char command[300];
    snprintf(command, sizeof command,
             "blanks() { head -c %d /dev/zero | tr '\\0' ' '; }\n"
             "blanks; echo; blanks; printf '\\r\\n'; blanks; echo x; echo after",
             LINK_LINE_MAX);
    struct link *link = start(command);
    for (int i = 0; i < 2; i++) {
        const struct link_wait wait = within_ms(60000);
        const char *line = NULL;
        assert_int_equal(link_receive(link, &wait, &line), LINK_LINE);
        assert_int_equal(strlen(line), LINK_LINE_MAX);
    }
    assert_int_equal(receive(link, 60000), LINK_TOO_LONG);
    expect_line(link, "after");
    assert_int_equal(receive(link, 60000), LINK_ENDED);
    end(link, 0);
}

static void errors_are_received(void **state) {
    (void)state;
    struct link *link = start("echo trouble >&2; echo out; printf 'no end' >&2");
    expect_line(link, "out");
    assert_int_equal(receive(link, 60000), LINK_ENDED);
    expect_tail(link, "! trouble\n");
    expect_tail(link, "! no end\n");
    end(link, 0);
    /* Without CR, and cut where the log's lines end. */
    char command[100], longest[LINK_TAIL_LINE_MAX + 10];
    snprintf(command, sizeof command, "printf 'a\\r\\n\\nb%%0%dd\\nc\\n' 0 >&2", LINK_TAIL_LINE_MAX);
    link = start(command);
    assert_int_equal(receive(link, 60000), LINK_ENDED);
    snprintf(longest, sizeof longest, "! b%0*d\n", LINK_TAIL_LINE_MAX - 1, 0);
    struct text tail = {0}, whole = {0};
    text_add(&whole, "! a\n%s! c\n", longest);
    link_tail(link, &tail);
    assert_string_equal(text_string(&tail), text_string(&whole));
    text_done(&tail);
    text_done(&whole);
    end(link, 0);
}

/* Recorded output can be stored as text, whatever bytes it had. */
static void what_is_shown(void **state) {
    (void)state;
    char out[8];
    link_show(out, sizeof out, "a\tb\x01", 4);
    assert_string_equal(out, "a?b?");
    link_show(out, sizeof out, "\xff\xfe", 2);
    assert_string_equal(out, "?\?");
    link_show(out, sizeof out, "abcde\xe6\x88\xa6", 8); /* cut between characters */
    assert_string_equal(out, "abcde");
    link_show(out, sizeof out, "abcd\xe6\x88\xa6", 7);
    assert_string_equal(out, "abcd\xe6\x88\xa6");
    link_show(out, sizeof out, "0123456789", 10);
    assert_string_equal(out, "0123456");
}

static void tail_is_bounded(void **state) {
    (void)state;
    struct link *link = start("i=0; while [ $i -lt 100 ]; do echo $i; i=$((i + 1)); done");
    while (receive(link, 60000) == LINK_LINE)
        ;
    struct text tail = {0};
    link_tail(link, &tail);
    int lines = 0;
    for (size_t i = 0; i < tail.size; i++)
        lines += tail.data[i] == '\n';
    assert_int_equal(lines, LINK_TAIL_LINES);
    assert_memory_equal(tail.data, "< 60\n", 5);
    text_done(&tail);
    end(link, 0);
}

/* Sent data are recorded from the first byte, as far as they fit. */
static void sent_is_bounded(void **state) {
    (void)state;
    struct link *link = start("cat >/dev/null");
    static char block[1 << 16];
    memset(block, 'x', sizeof block);
    block[sizeof block - 1] = '\n';
    for (int i = 0; i < 20; i++) {
        const struct link_wait wait = within_ms(60000);
        assert_true(link_send(link, block, sizeof block, &wait, NULL));
    }
    struct text sent = {0};
    link_sent(link, &sent);
    assert_int_equal(sent.size, LINK_SENT_MAX);
    text_done(&sent);
    end(link, 10000);
    link = start("cat >/dev/null");
    static char much[LINK_SENT_MAX];
    memset(much, 'y', sizeof much);
    struct link_wait wait = within_ms(60000);
    assert_true(link_send(link, "first\n", 6, &wait, NULL));
    assert_true(link_send(link, much, sizeof much - 5, &wait, NULL)); /* one byte too much */
    assert_true(link_send(link, "last\n", 5, &wait, NULL));           /* would fit, but is not sent */
    link_sent(link, &sent);
    assert_string_equal(text_string(&sent), "first\n");
    text_done(&sent);
    end(link, 10000);
}

/* ---- ends of processes ---- */

static void expect_end(const char *command, const char *expected) {
    struct link *link = start(command);
    assert_int_equal(receive(link, 60000), LINK_ENDED);
    char how[100];
    link_describe_end(link, how, sizeof how);
    assert_string_equal(how, expected);
    end(link, 0);
}

static void ends_are_described(void **state) {
    (void)state;
    expect_end("exit 3", "exit status 3");
    expect_end("kill -SEGV $$", "signal 11, segmentation fault");
    expect_end("kill -KILL $$", "signal 9, killed");
    expect_end("sh -c 'kill -SEGV $$'; exit $?", "exit status 139 (signal 11, segmentation fault)");
    expect_end("/no/such/program", "exit status 127 (the command cannot be started)");
    expect_end("exec >&-; sleep 1000", "it closed its standard output");
    expect_end("/etc/passwd", "exit status 126 (the command cannot be started)");
    expect_end("exit 125", "exit status 125");
    expect_end("exit 128", "exit status 128");
    expect_end("exit 193", "exit status 193");
    expect_end("exit 192", "exit status 192 (signal 64, unknown to us)");
    static const struct {
        int number;
        const char *name;
    } signals[] = {
        {SIGABRT, "aborted"},      {SIGBUS, "bus error"},           {SIGFPE, "arithmetic error"},
        {SIGHUP, "hang-up"},       {SIGILL, "illegal instruction"}, {SIGINT, "interrupted"},
        {SIGPIPE, "broken pipe"},  {SIGTERM, "terminated"},         {SIGXCPU, "processor time used up"},
        {SIGUSR1, "unknown to us"}};
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        char command[40], expected[80];
        snprintf(command, sizeof command, "exit %d", 128 + signals[i].number);
        snprintf(expected, sizeof expected, "exit status %d (signal %d, %s)", 128 + signals[i].number,
                 signals[i].number, signals[i].name);
        expect_end(command, expected);
    }
}

static void sending_to_the_dead(void **state) {
    (void)state;
    struct link *link = start("exit 0");
    assert_int_equal(receive(link, 60000), LINK_ENDED);
    static char block[1 << 20];
    memset(block, 'x', sizeof block);
    struct err e = {0};
    const struct link_wait wait = within_ms(60000);
    assert_false(link_send(link, block, sizeof block, &wait, &e)); /* and SIGPIPE did not end us */
    assert_non_null(strstr(e.text, "nothing can be sent"));
    end(link, 0);
}

static void time_and_stop(void **state) {
    (void)state;
    struct link *link = start("sleep 1000");
    assert_int_equal(receive(link, 30), LINK_TIME);
    assert_int_equal(receive(link, -1000), LINK_TIME);
    atomic_bool stop = true;
    struct link_wait wait = {.clock = &clock_now, .stop = &stop};
    const char *line;
    assert_int_equal(link_receive(link, &wait, &line), LINK_STOPPED);
    /* Without a clock silence is counted. */
    wait = (struct link_wait){.until_ns = 120 * INT64_C(1000000)};
    assert_int_equal(link_receive(link, &wait, &line), LINK_TIME);
    /* It reads nothing, so what we send is stuck. */
    static char block[1 << 20];
    memset(block, '\n', sizeof block);
    struct err e = {0};
    wait = within_ms(100);
    assert_false(link_send(link, block, sizeof block, &wait, &e));
    assert_string_equal(e.text, "what was sent was not read in time");
    end(link, 20);
}

/* Both ends send more than the pipes can hold before they read. */
static void talkative_ends(void **state) {
    (void)state;
    struct link *link = start("head -c 100000 /dev/zero | tr '\\0' '\\n'; wc -c");
    static char block[300000];
    memset(block, '\n', sizeof block);
    struct link_wait wait = within_ms(60000);
    assert_true(link_send(link, block, sizeof block, &wait, NULL));
    for (int i = 0; i < 100000; i++)
        expect_line(link, "");
    end(link, 100);
}

static void memory_stays_flat(void **state) {
    (void)state;
    struct link *link = start_saboteur("flood");
    send_line(link, "go\n");
    const long before = outside_peak_kilobytes();
    const uint64_t all = 512 * UINT64_C(65536);
    const struct link_wait wait = within_ms(120000);
    const char *line;
    int too_long = 0;
    enum link_event event = LINK_TOO_LONG;
    /* It sends 32 megabytes and then nothing: read in short waits, as long as more comes. */
    while (link_received_bytes(link) < all && event != LINK_ENDED &&
           clock_now_ns(&clock_now) < wait.until_ns) {
        const struct link_wait soon = within_ms(50);
        event = link_receive(link, &soon, &line);
        too_long += event == LINK_TOO_LONG;
    }
    assert_int_equal(too_long, 1);
    assert_int_equal(link_received_bytes(link), all);
    if (before > 0)
        assert_true(outside_peak_kilobytes() - before < 16 << 10);
    end(link, 0);
}

/* ---- nothing is left ---- */

static void stubborn_processes_go(void **state) {
    (void)state;
    static const char *const commands[] = {
        "trap '' TERM INT HUP; while :; do sleep 1; done",
        "sleep 1000 & sleep 1000 & wait",
        "setsid sleep 1000 & setsid sleep 1000 & exec sleep 1000",
        "(setsid sleep 1000 &) & (setsid sleep 1000 &) & cat",
        "(setsid sleep 1000 &); exit 0",
        "env -i setsid sleep 1000 & exec cat",
        "while :; do (setsid sleep 1000 &); sleep 0.01; done",
    };
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        const int before = outside_processes_named("sleep");
        struct link *link = start(commands[i]);
        receive(link, 200);
        assert_true(outside_processes_named("sleep") > before || outside_carriers(link_mark(link)) > 0);
        end(link, 20);
        assert_int_equal(outside_processes_named("sleep"), before);
    }
}

/* Streams that descendants hold open do not hide the end of the process itself. */
static void end_is_seen_through_survivors(void **state) {
    (void)state;
    struct link *link = start("echo last words; setsid sleep 1000 & exit 7");
    expect_line(link, "last words");
    assert_int_equal(receive(link, 60000), LINK_ENDED);
    char how[100];
    link_describe_end(link, how, sizeof how);
    assert_string_equal(how, "exit status 7");
    end(link, 0);
}

static int count_descriptors(void) {
    struct link *link = start("ls /proc/self/fd | wc -l; cat");
    const struct link_wait wait = within_ms(60000);
    const char *line = "";
    assert_int_equal(link_receive(link, &wait, &line), LINK_LINE);
    const int count = atoi(line);
    end(link, 10000);
    return count;
}

/* The child's signals are the defaults, whatever ours are, and our own descriptors are not its. */
static void child_starts_clean(void **state) {
    (void)state;
    if (access("/proc/self/status", R_OK) != 0)
        skip();
    const int descriptors = count_descriptors();
    sigset_t set, before;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, &before);
    signal(SIGUSR2, SIG_IGN);
    struct link *other = start("cat");
    struct link *link =
        start("grep -E '^Sig(Blk|Ign)' /proc/self/status | grep -c -v '\t0000000000000000'; cat");
    expect_line(link, "0");
    assert_int_equal(count_descriptors(), descriptors);
    end(other, 10000);
    end(link, 10000);
    signal(SIGUSR2, SIG_DFL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* A killed program cannot close its links; the processes that it started must end all the same. */
static void our_own_violent_death(void **state) {
    (void)state;
    if (access("/proc/self/environ", R_OK) != 0)
        skip();
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    const int shells = outside_processes_named("sh");
    const pid_t pid = fork();
    if (pid == 0) {
        struct link *link = link_start_process("trap '' TERM HUP INT PIPE; sleep 1000 & "
                                               "(setsid sleep 1000 &); echo ready; while :; do sleep 1; done",
                                               NULL);
        const struct link_wait wait = within_ms(60000);
        const char *line;
        if (link == NULL || link_receive(link, &wait, &line) != LINK_LINE ||
            write(ends[1], link_mark(link), strlen(link_mark(link)) + 1) < 0)
            _exit(1);
        raise(SIGKILL);
    }
    char mark[64] = "";
    close(ends[1]);
    assert_true(read(ends[0], mark, sizeof mark) > 0);
    close(ends[0]);
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status));
    /* As a subreaper we are left with what the dead one leaves behind, its guardian above all. */
    for (int i = 0; i < 600 && (outside_carriers(mark) > 0 || outside_processes_named("sh") > shells); i++) {
        while (waitpid(-1, NULL, WNOHANG) > 0)
            ;
        nap_ms(50);
    }
    while (waitpid(-1, NULL, WNOHANG) > 0)
        ;
    assert_int_equal(outside_carriers(mark), 0);
    assert_int_equal(outside_processes_named("sh"), shells);
}

static void *converse(void *argument) {
    const int number = *(const int *)argument;
    struct link *link = link_start_process("cat", NULL);
    bool good = link != NULL;
    for (int i = 0; i < 30 && good; i++) {
        char text[40];
        const char *line = "";
        const struct link_wait wait = within_ms(60000);
        snprintf(text, sizeof text, "%d-%d\n", number, i);
        good = link_send(link, text, strlen(text), &wait, NULL) &&
               link_receive(link, &wait, &line) == LINK_LINE && strncmp(line, text, strlen(line)) == 0;
    }
    link_close(link, 10000);
    return good ? argument : NULL;
}

/* Would hang, if one link's pipe were open in another's process: then closing is no end for it. */
static void many_at_once(void **state) {
    (void)state;
    enum { THREADS = 6 };
    pthread_t threads[THREADS];
    int numbers[THREADS];
    for (int i = 0; i < THREADS; i++) {
        numbers[i] = i;
        assert_int_equal(pthread_create(&threads[i], NULL, converse, &numbers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        void *result;
        pthread_join(threads[i], &result);
        assert_ptr_equal(result, &numbers[i]);
    }
    assert_int_equal(outside_zombies(), 0);
}

/* Other children of this program are not ours to reap. */
static void other_children_stay(void **state) {
    (void)state;
    const pid_t pid = fork();
    if (pid == 0)
        _exit(9);
    struct link *link = start("exit 1");
    assert_int_equal(receive(link, 60000), LINK_ENDED);
    link_close(link, 0);
    int status = 0;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(WEXITSTATUS(status), 9);
}

/* A child in a session of its own that sleeps, with that environment. */
static pid_t start_sleeper(char *const environment[]) {
    const pid_t pid = fork();
    if (pid == 0) {
        setsid();
        execle("/bin/sleep", "sleep", "1000", (char *)NULL, environment);
        _exit(1);
    }
    while (getsid(pid) != pid)
        nap_ms(1);
    nap_ms(50); /* until it has its program */
    return pid;
}

static void expect_killed_by_us(pid_t pid) {
    int status = 0;
    assert_int_equal(kill(pid, 0), 0);
    kill(pid, SIGTERM);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
}

/* Orphans of ended programs are killed; processes that other code of this program has started stay. */
static void only_orphans_are_ended(void **state) {
    (void)state;
    char exempt[] = LINK_EXEMPT;
    const pid_t older = start_sleeper((char *const[]){NULL});
    nap_ms(20); /* /proc counts in hundredths of a second */
    struct link *first = start("cat"), *link = start_saboteur("daemon");
    const pid_t browser = start_sleeper((char *const[]){exempt, NULL});
    send_line(link, "go\n");
    assert_int_equal(receive(link, 60000), LINK_ENDED);
    link_close(link, 0);
    assert_int_equal(outside_processes_named("sleep"), 2);
    assert_int_equal(outside_zombies(), 0);
    expect_killed_by_us(older);
    expect_killed_by_us(browser);
    send_line(first, "still here\n");
    expect_line(first, "still here");
    link_close(first, 0);
}

static void mistakes(void **state) {
    (void)state;
    struct err e = {0};
    char command[LINK_COMMAND_MAX + 1];
    memset(command, 'x', LINK_COMMAND_MAX);
    command[LINK_COMMAND_MAX] = '\0';
    assert_null(link_start_process(command, &e));
    assert_non_null(strstr(e.text, "too long"));
    link_close(NULL, 0);
}

static void start_and_end(void *context) {
    struct err e;
    struct link *link = link_start_process("cat", &e);
    assert_non_null(link);
    link_close(link, 0);
    (void)context;
}

/* Memory is taken before the process is started: after a failure neither exists. */
static void memory_runs_out_before_the_start(void **state) {
    (void)state;
    for (long n = 1; n <= 4; n++)
        assert_true(memory_runs_out(n, start_and_end, NULL));
    assert_int_equal(outside_zombies(), 0);
}

/* The environment that a process gets, from ours and for its descendants. */
static void marks_are_handed_on(void **state) {
    (void)state;
    char long_marks[600], expected[700];
    memset(long_marks, '1', sizeof long_marks);
    long_marks[512] = '\0';
    const char *const inherited[] = {NULL, "", "12-3", "1-2,3-4", long_marks, long_marks};
    for (int i = 0; i < 6; i++) {
        if (i == 5)
            long_marks[512] = '1', long_marks[513] = '\0'; /* too long to be handed on */
        if (inherited[i] != NULL)
            setenv("SENJUTSU_LINK", inherited[i], 1);
        struct link *link = start("echo $SENJUTSU_LINK; env | grep -c ^SENJUTSU_LINK=; cat");
        unsetenv("SENJUTSU_LINK");
        const bool has_more = i >= 2 && i <= 4;
        snprintf(expected, sizeof expected, "%s%s%s", has_more ? inherited[i] : "", has_more ? "," : "",
                 link_mark(link));
        expect_line(link, expected);
        expect_line(link, "1");
        char *rest;
        assert_int_equal(strtol(link_mark(link), &rest, 10), getpid());
        assert_int_equal(*rest, '-');
        end(link, 10000);
    }
}

extern char **environ; /* POSIX declares it in no header */

/* All of our environment, also when marks of other programs stand at its ends. */
static void the_environment_is_handed_on(void **state) {
    (void)state;
    char path[1024];
    const char *const all[] = {"FIRST=1", "SENJUTSU_LINK=7-7", "SECOND=2", path, "LAST=3"};
    char *some[6];
    char **const ours = environ;
    snprintf(path, sizeof path, "PATH=%s", getenv("PATH"));
    for (int first = 0; first < 2; first++) {
        int count = 0;
        for (int i = first; i < 5; i++)
            some[count++] = (char *)(uintptr_t)all[i];
        some[count] = NULL;
        environ = some;
        struct link *link = start("echo $FIRST $SECOND $LAST; cat");
        environ = ours;
        expect_line(link, first == 0 ? "1 2 3" : "2 3");
        end(link, 10000);
    }
}

/* Descendants are counted and named, including those found earlier. */
static void descendants_are_named(void **state) {
    (void)state;
    if (access("/proc/self/stat", R_OK) != 0)
        skip();
    struct link *link = start("sleep 1000 & echo $!; sleep 1000 & echo $!; exec cat");
    long pids[2];
    for (int i = 0; i < 2; i++) {
        const struct link_wait wait = within_ms(60000);
        const char *line = "";
        assert_int_equal(link_receive(link, &wait, &line), LINK_LINE);
        pids[i] = strtol(line, NULL, 10);
    }
    char names[100], expected[160], one[40];
    snprintf(one, sizeof one, "sleep (%ld)", pids[pids[0] > pids[1]]);
    snprintf(expected, sizeof expected, "%s, sleep (%ld)", one, pids[pids[0] < pids[1]]);
    assert_true(link_note_family(link));
    for (int i = 0; i < 2000 && (link_family_alive(link, names, sizeof names), strcmp(names, expected) != 0);
         i++)
        nap_ms(5); /* until they have their programs */
    assert_int_equal(link_family_alive(link, names, sizeof names), 2);
    assert_string_equal(names, expected);
    char little[8];
    assert_int_equal(link_family_alive(link, little, sizeof little), 2);
    assert_memory_equal(little, "sleep (", 8);
    kill((pid_t)pids[pids[0] < pids[1]], SIGKILL);
    for (int i = 0; i < 2000 && link_family_alive(link, names, sizeof names) > 1; i++)
        nap_ms(5);
    assert_int_equal(link_family_alive(link, names, sizeof names), 1);
    assert_string_equal(names, one);
    end(link, 0);
    int ends[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends), 0);
    link = link_from_socket(ends[0]);
    assert_false(link_note_family(link));
    assert_int_equal(link_family_alive(link, names, sizeof names), 0);
    assert_string_equal(names, "");
    link_close(link, 0);
    close(ends[1]);
}

/* ---- TCP ---- */

static int option_of(int fd, int level, int name) {
    int value = -1;
    socklen_t size = sizeof value;
    assert_int_equal(getsockopt(fd, level, name, &value, &size), 0);
    return value;
}

static void expect_prompt(int fd) {
    assert_true((fcntl(fd, F_GETFL) & O_NONBLOCK) != 0);
    assert_true((fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0);
    assert_int_equal(option_of(fd, IPPROTO_TCP, TCP_NODELAY), 1);
    assert_int_equal(option_of(fd, SOL_SOCKET, SO_KEEPALIVE), 1);
#if defined(__linux__)
    assert_int_equal(option_of(fd, IPPROTO_TCP, TCP_KEEPIDLE), 60);
    assert_int_equal(option_of(fd, IPPROTO_TCP, TCP_KEEPINTVL), 10);
    assert_int_equal(option_of(fd, IPPROTO_TCP, TCP_KEEPCNT), 3);
#endif
}

static int own_port(int fd) {
    union {
        struct sockaddr any;
        struct sockaddr_in v4;
        struct sockaddr_in6 v6;
    } name = {0};
    socklen_t size = sizeof name;
    assert_int_equal(getsockname(fd, &name.any, &size), 0);
    return ntohs(name.any.sa_family == AF_INET6 ? name.v6.sin6_port : name.v4.sin_port);
}

/* The address of a peer, with either protocol; without IPv6 that part is skipped. */
static void tcp_peers_have_addresses(void **state) {
    (void)state;
    static const struct {
        const char *listens, *calls, *shown;
    } cases[] = {
        {"127.0.0.1", "127.0.0.1", "127.0.0.1"}, {"::1", "::1", "::1"}, {"::", "127.0.0.1", "127.0.0.1"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct err e;
        struct link_peer peer = {"", 0};
        int port = 0;
        const int listener = link_listener(cases[i].listens, &port, &e);
        if (listener < 0 && i > 0)
            continue;
        assert_true(listener >= 0);
        assert_int_equal(own_port(listener), port);
        assert_int_equal(link_listener(cases[i].listens, &port, &e), listener); /* the same again */
        assert_int_equal(link_take(listener, &peer), -1);                       /* none yet */
        assert_int_equal(errno, EAGAIN);
        const struct link_wait wait = within_ms(60000);
        const int fd = link_connect_socket(cases[i].calls, port, &wait, &e);
        assert_true(fd >= 0);
        expect_prompt(fd);
        struct pollfd ready = {.fd = listener, .events = POLLIN};
        assert_int_equal(poll(&ready, 1, 60000), 1);
        const int taken = link_take(listener, &peer);
        assert_true(taken >= 0);
        expect_prompt(taken);
        assert_string_equal(peer.address, cases[i].shown);
        assert_int_equal(peer.port, own_port(fd));
        close(taken);
        const int again = link_connect_socket(cases[i].calls, port, &wait, &e);
        const int accepted = link_accept_socket(cases[i].listens, port, &wait, &e);
        assert_true(accepted >= 0);
        expect_prompt(accepted);
        close(accepted);
        close(again);
        close(fd);
    }
}

struct peer {
    int port;
    bool good;
};

static void *connect_and_echo(void *argument) {
    struct peer *peer = argument;
    const struct link_wait wait = within_ms(60000);
    struct link *link = link_connect("127.0.0.1", peer->port, &wait, NULL);
    const char *line;
    while (link != NULL && link_receive(link, &wait, &line) == LINK_LINE) {
        char answer[200];
        const int size = snprintf(answer, sizeof answer, "%s\r\n", line);
        peer->good = link_send(link, answer, (size_t)size, &wait, NULL);
    }
    link_close(link, 0);
    return NULL;
}

static void tcp_both_ways(void **state) {
    (void)state;
    struct err e = {0};
    struct peer peers[2] = {{0}, {0}};
    int port = 0;
    assert_true(link_listener("127.0.0.1", &port, &e) >= 0);
    assert_true(port > 0);
    pthread_t threads[2];
    struct link *links[2];
    for (int i = 0; i < 2; i++) {
        peers[i].port = port;
        assert_int_equal(pthread_create(&threads[i], NULL, connect_and_echo, &peers[i]), 0);
    }
    for (int i = 0; i < 2; i++) {
        const struct link_wait wait = within_ms(60000);
        links[i] = link_accept("127.0.0.1", port, &wait, &e);
        assert_non_null(links[i]);
    }
    for (int i = 0; i < 2; i++) {
        assert_string_equal(link_mark(links[i]), "");
        send_line(links[i], i == 0 ? "zero\n" : "one\n");
        expect_line(links[i], i == 0 ? "zero" : "one");
    }
    for (int i = 0; i < 2; i++)
        link_close(links[i], 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert_true(peers[0].good && peers[1].good);
}

static void tcp_ends(void **state) {
    (void)state;
    int ends[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends), 0);
    struct link *link = link_from_socket(ends[0]);
    assert_non_null(link);
    assert_int_equal(write(ends[1], "half", 4), 4);
    close(ends[1]);
    assert_int_equal(receive(link, 60000), LINK_ENDED);
    expect_tail(link, "< half\n");
    char how[100];
    link_describe_end(link, how, sizeof how);
    assert_string_equal(how, "the connection was closed");
    struct err e = {0};
    const struct link_wait wait = within_ms(1000);
    assert_false(link_send(link, "x\n", 2, &wait, &e));
    link_close(link, 0);
}

static void tcp_mistakes(void **state) {
    (void)state;
    struct err e = {0};
    int port = 0;
    assert_true(link_listener("127.0.0.1", &port, &e) >= 0);
    struct link_wait wait = within_ms(50);
    char expected[200];
    assert_null(link_accept("127.0.0.1", port, &wait, &e));
    assert_int_equal(errno, ETIMEDOUT);
    snprintf(expected, sizeof expected, "no client connected to 127.0.0.1:%d in time", port);
    assert_string_equal(e.text, expected);
    atomic_bool stop = true;
    wait.stop = &stop;
    assert_null(link_accept("127.0.0.1", port, &wait, &e));
    assert_int_equal(errno, ECANCELED);
    snprintf(expected, sizeof expected, "127.0.0.1:%d: stopped", port);
    assert_string_equal(e.text, expected);
    wait = within_ms(10000);
    assert_null(link_connect("127.0.0.1", 1, &wait, &e));
    assert_int_equal(errno, ECONNREFUSED);
    assert_string_equal(e.text, "127.0.0.1:1: Connection refused");
    int other = port;
    assert_true(link_listener("256.256.256.256", &other, &e) < 0);
    assert_int_equal(errno, EHOSTUNREACH);
    snprintf(expected, sizeof expected, "256.256.256.256:%d: ", port);
    assert_memory_equal(e.text, expected, strlen(expected));
    other = 0;
    assert_true(link_listener("192.0.2.1", &other, &e) < 0); /* an address of no machine */
    assert_int_equal(errno, EADDRNOTAVAIL);
    assert_string_equal(e.text, "192.0.2.1:0: Cannot assign requested address");
    assert_null(link_accept("192.0.2.1", 1, &wait, &e));
    assert_null(link_from_socket(-1));
}

/* A connection cannot be taken: in the end only a shortage that has lasted is the reason. */
static void tcp_shortages(void **state) {
    (void)state;
    static const struct {
        int causes[3], expected;
    } cases[] = {{{EMFILE}, EMFILE},
                 {{EAGAIN}, ETIMEDOUT}, /* another thread was faster */
                 {{ECONNABORTED}, ETIMEDOUT},
                 {{EMFILE, ECONNABORTED}, ETIMEDOUT},
                 {{EAGAIN, ENFILE}, ENFILE}};
    const struct clock clock = clock_manual(&accept_ns);
    struct err e = {0};
    int port = 0;
    assert_true(link_listener("127.0.0.1", &port, &e) >= 0);
    struct link_wait wait = within_ms(10000);
    const int peer = link_connect_socket("127.0.0.1", port, &wait, &e);
    assert_true(peer >= 0);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char expected[200];
        accept_fails = cases[i].causes;
        assert_null(
            link_accept("127.0.0.1", port, &(struct link_wait){&clock, accept_ns + 5000000, NULL}, &e));
        accept_fails = NULL;
        assert_int_equal(errno, cases[i].expected);
        if (cases[i].expected == ETIMEDOUT)
            snprintf(expected, sizeof expected, "no client connected to 127.0.0.1:%d in time", port);
        else
            snprintf(expected, sizeof expected, "127.0.0.1:%d: no connection can be taken: %s", port,
                     strerror(cases[i].expected));
        assert_string_equal(e.text, expected);
    }
    struct link *link = link_accept("127.0.0.1", port, &wait, &e);
    assert_non_null(link);
    link_close(link, 0);
    close(peer);
}

/* The table of listeners has an end: the last test of them, because they stay. */
static void listeners_have_a_number(void **state) {
    (void)state;
    struct err e = {0};
    char address[130];
    int port = 0, count = 0, first = 0;
    memset(address, '1', sizeof address - 1);
    address[sizeof address - 1] = '\0';
    assert_true(link_listener(address, &port, &e) < 0);
    assert_int_equal(errno, EINVAL);
    assert_memory_equal(e.text + 64, ":0: no more than 64 ports with addresses of fewer than 128 characters",
                        69);
    address[127] = '\0'; /* the longest name that is resolved */
    assert_true(link_listener(address, &port, &e) < 0);
    assert_int_not_equal(errno, EINVAL);
    while (port = 0, count <= 64 && link_listener("127.0.0.1", &port, &e) >= 0) {
        first = count++ == 0 ? port : first;
    }
    assert_in_range(count, 40, 63); /* others were opened before */
    assert_int_equal(errno, EINVAL);
    assert_string_equal(e.text,
                        "127.0.0.1:0: no more than 64 ports with addresses of fewer than 128 characters");
    assert_true(link_listener("127.0.0.1", &first, &e) >= 0); /* those that are open stay so */
}

/* ---- slices of a wait ---- */

static const int64_t ms_ns = 1000000;

static void waits_are_cut_into_slices(void **state) {
    (void)state;
    static const struct {
        int64_t left_ns;
        int slice_ms; /* 0: the time is over */
    } cases[] = {{0, 0},         {-5, 0},        {1, 1},
                 {1000000, 1},   {1000001, 2},   {49000001, 50},
                 {50000000, 50}, {50000001, 50}, {INT64_C(9000000000), 50},
                 {48999999, 49}};
    int64_t now = 7000 * ms_ns;
    const struct clock clock = clock_manual(&now);
    atomic_bool stop = false;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int gap = 0; gap < 2; gap++) {
            const int64_t extra = gap * 40 * ms_ns; /* gaps of this program prolong the wait */
            const struct link_wait wait = {&clock, now + cases[i].left_ns - extra, &stop};
            struct timer timer = {.wait = &wait, .gap_ns = extra};
            const enum link_event event = timer_check(&timer);
            assert_int_equal(event, cases[i].slice_ms > 0 ? LINK_LINE : LINK_TIME);
            if (event == LINK_LINE)
                assert_int_equal(timer.slice_ms, cases[i].slice_ms);
            assert_int_equal(timer.slept_at, now);
        }
    const struct link_wait endless = {&clock, 0, &stop};
    struct timer timer = {.wait = &endless};
    assert_int_equal(timer_check(&timer), LINK_LINE);
    assert_int_equal(timer.slice_ms, 50);
    stop = true;
    assert_int_equal(timer_check(&timer), LINK_STOPPED);
}

/* What is longer than the slice by ten milliseconds is a gap; what a shortage took is one whole. */
static void gaps_are_measured(void **state) {
    (void)state;
    static const struct {
        enum slice slice;
        int64_t slept_ns, gap_ns;
    } cases[] = {{SLICE_SLEPT, 50000000, 0},        {SLICE_SLEPT, 59999999, 0},
                 {SLICE_SLEPT, 60000000, 10000000}, {SLICE_SLEPT, 1050000000, 1000000000},
                 {SLICE_CAME, 3000000, 0},          {SLICE_CAME, 60000001, 10000001},
                 {SLICE_WASTED, 3000000, 3000000},  {SLICE_WASTED, 50000000, 50000000}};
    int64_t now = 7000 * ms_ns;
    const struct clock clock = clock_manual(&now);
    const struct link_wait wait = {&clock, 0, NULL};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct timer timer = {.wait = &wait, .gap_ns = 5};
        timer_check(&timer);
        now += cases[i].slept_ns;
        assert_int_equal(timer_slept(&timer, cases[i].slice), cases[i].gap_ns);
        assert_int_equal(timer.gap_ns, 5 + cases[i].gap_ns);
        assert_int_equal(timer.silent_ns, 0);
    }
    /* Without a clock silence alone is counted, in slices. */
    const struct link_wait silence = {NULL, 120 * ms_ns, NULL};
    struct timer timer = {.wait = &silence};
    assert_int_equal(timer_check(&timer), LINK_LINE);
    assert_int_equal(timer_slept(&timer, SLICE_CAME), 0);
    assert_int_equal(timer_slept(&timer, SLICE_WASTED), 0);
    assert_int_equal(timer.silent_ns, 0);
    static const int slices[] = {50, 50, 20};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(timer_check(&timer), LINK_LINE);
        assert_int_equal(timer.slice_ms, slices[i]);
        assert_int_equal(timer_slept(&timer, SLICE_SLEPT), 0);
    }
    assert_int_equal(timer_check(&timer), LINK_TIME);
    assert_int_equal(timer.silent_ns, 120 * ms_ns);
}

static void shortages_are_numbers(void **state) {
    (void)state;
    static const int ours[] = {EMFILE, ENFILE, EAGAIN, ENOMEM, ENOBUFS, EADDRNOTAVAIL};
    static const int theirs[] = {0, EPIPE, ECONNREFUSED, ECONNRESET, ETIMEDOUT, EINTR, EINVAL, ECANCELED};
    for (size_t i = 0; i < sizeof ours / sizeof ours[0]; i++)
        assert_true(link_is_shortage(ours[i]));
    for (size_t i = 0; i < sizeof theirs / sizeof theirs[0]; i++)
        assert_false(link_is_shortage(theirs[i]));
}

/* ---- our own gaps and shortages ---- */

/* The machine's clock, which jumps by ten seconds at its third reading: while we slept. */
struct jumpy {
    int readings;
};

static int64_t jumpy_now(void *self) {
    struct jumpy *j = self;
    return clock_now_ns(&clock_now) + (j->readings++ >= 2 ? INT64_C(10000000000) : 0);
}

static void our_gaps_are_not_theirs(void **state) {
    (void)state;
    struct jumpy jumpy = {0};
    const struct clock clock = {.now_ns = jumpy_now, .self = &jumpy};
    struct link *link = start("read line; sleep 0.2; echo late; read line");
    send_line(link, "x\n");
    const struct link_wait wait = {.clock = &clock, .until_ns = clock_now_ns(&clock) + INT64_C(9000000000)};
    const char *line;
    assert_int_equal(link_receive(link, &wait, &line), LINK_LINE);
    assert_string_equal(line, "late");
    assert_true(jumpy.readings > 2);
    assert_true(link_gap_ns(link) > INT64_C(9500000000) && link_gap_ns(link) < INT64_C(20000000000));
    link_close(link, 0);
}

/* Without descriptors the program cannot be checked: errno reports the cause. */
static void shortages_are_ours(void **state) {
    (void)state;
    struct err e = {0};
    link_close(start("true"), 0); /* what is made once is there */
    struct rlimit before;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    const int input = open("/dev/null", O_RDONLY); /* the tests begin without standard input */
    const int next = dup(input);
    for (int room = 0; room < 8; room++) {
        const struct rlimit few = {(rlim_t)(next + room), before.rlim_max};
        assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
        struct link *link = link_start_process("true", &e);
        const int cause = errno;
        setrlimit(RLIMIT_NOFILE, &before);
        assert_null(link);
        assert_int_equal(cause, EMFILE);
        assert_true(link_is_shortage(cause));
        assert_non_null(strstr(e.text, "cannot be started"));
    }
    close(next);
    close(input);
    for (int stream = 1; stream <= 3; stream++) { /* in the new process */
        dup2_fails_at = stream;
        struct link *link = link_start_process("true", &e);
        const int cause = errno;
        dup2_fails_at = 0;
        assert_null(link);
        assert_int_equal(cause, EMFILE);
        assert_non_null(strstr(e.text, "cannot be started"));
    }
    assert_int_equal(outside_zombies(), 0);
    assert_null(link_connect("127.0.0.1", 1, &(struct link_wait){0}, &e));
    assert_false(link_is_shortage(errno));
}

int main(void) {
    clock_now = clock_system();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_go_both_ways),
        cmocka_unit_test(line_ends_and_odd_bytes),
        cmocka_unit_test(longest_line),
        cmocka_unit_test(errors_are_received),
        cmocka_unit_test(what_is_shown),
        cmocka_unit_test(tail_is_bounded),
        cmocka_unit_test(sent_is_bounded),
        cmocka_unit_test(ends_are_described),
        cmocka_unit_test(sending_to_the_dead),
        cmocka_unit_test(time_and_stop),
        cmocka_unit_test(talkative_ends),
        cmocka_unit_test(memory_stays_flat),
        cmocka_unit_test(stubborn_processes_go),
        cmocka_unit_test(end_is_seen_through_survivors),
        cmocka_unit_test(child_starts_clean),
        cmocka_unit_test(our_own_violent_death),
        cmocka_unit_test(many_at_once),
        cmocka_unit_test(other_children_stay),
        cmocka_unit_test(only_orphans_are_ended),
        cmocka_unit_test(mistakes),
        cmocka_unit_test(memory_runs_out_before_the_start),
        cmocka_unit_test(tcp_both_ways),
        cmocka_unit_test(tcp_ends),
        cmocka_unit_test(tcp_mistakes),
        cmocka_unit_test(tcp_shortages),
        cmocka_unit_test(our_gaps_are_not_theirs),
        cmocka_unit_test(shortages_are_ours),
        cmocka_unit_test(marks_are_handed_on),
        cmocka_unit_test(the_environment_is_handed_on),
        cmocka_unit_test(descendants_are_named),
        cmocka_unit_test(tcp_peers_have_addresses),
        cmocka_unit_test(waits_are_cut_into_slices),
        cmocka_unit_test(gaps_are_measured),
        cmocka_unit_test(shortages_are_numbers),
        cmocka_unit_test(listeners_have_a_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
