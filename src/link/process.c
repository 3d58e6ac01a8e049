/* SPDX-License-Identifier: MIT
 *
 * A child process as the other end of a link, and the end of everything it has started. The child gets a
 * session of its own, so that neither Ctrl-C nor its own signals cross the border, and pipes rather than
 * sockets, because some programs open /dev/stdin by name.
 *
 * Descendants are found in /proc by three signs. Their environment carries a mark that they inherit. Their
 * parents lead to the child, which is a "subreaper": its orphans stay below it. A descendant that gave up
 * mark and session and whose parents have all ended becomes a child of this program, which is a subreaper as
 * well. On a system without /proc only the process group is killed.
 *
 * One guardian process, a shell that waits for the end of this program, kills what carries our marks when
 * this program is killed. The kernel's own parent-death signal would not do: it is sent when the thread that
 * forked ends, and it reaches no grandchildren.
 */
#define _GNU_SOURCE /* pipe2 */
#include "base/mem.h"
#include "link/inside.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

enum {
    MARK_LENGTH_MAX = 1024,
    SIGNALS_MAX = 64,
    END_MS = 200, /* the longest wait for the exit status of a process that closed its output */
    NAP_MS = 5,
    ENVIRON_MAX = 1 << 20, /* bytes read of a process's environment */
    GENERATIONS_MAX = 4096,
    ROUNDS_MAX = 200,
    ROUND_MS_MAX = 20,
    REAP_MS = 2000,
    STAT_TO_START = 20, /* blanks in /proc/PID/stat between the name and the time of the start */
};

extern char **environ; /* handed on to the child, not read */

/* ---- descriptors ---- */

pthread_mutex_t link_fork_lock = PTHREAD_MUTEX_INITIALIZER;

/* The same pipe end, but none of 0, 1 and 2: a child's own would be overwritten while they are set up. */
static int raise_descriptor(int fd) {
    if (fd < 0 || fd > STDERR_FILENO)
        return fd;
    const int raised = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    link_close_descriptor(&fd);
    return raised;
}

/* Descriptors 0, 1 and 2 are raised first: a child's streams are put there. */
int link_own_descriptor(int fd) {
    fd = raise_descriptor(fd);
    if (fd < 0)
        return -1;
    const int flags = fcntl(fd, F_GETFL);
    if (flags >= 0 && fcntl(fd, F_SETFD, FD_CLOEXEC) == 0 && fcntl(fd, F_SETFL, flags | O_NONBLOCK) == 0)
        return fd;
    link_close_descriptor(&fd);
    return -1;
}

/* Both ends are -1 after a failure of the pipe itself; the caller closes what there is. */
static bool make_pipe(int ends[2]) {
#if defined(__linux__)
    const bool made = pipe2(ends, O_CLOEXEC) == 0; /* other code of this program may fork, too */
#else
    const bool made = pipe(ends) == 0 && fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0 &&
                      fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0;
#endif
    if (!made) {
        ends[0] = ends[1] = -1;
        return false;
    }
    for (int i = 0; i < 2; i++)
        ends[i] = raise_descriptor(ends[i]);
    return ends[0] >= 0 && ends[1] >= 0;
}

void link_close_pipe(int ends[2]) {
    link_close_descriptor(&ends[0]);
    link_close_descriptor(&ends[1]);
}

bool link_open_pipe(int ends[2]) {
    bool made = make_pipe(ends);
    for (int i = 0; i < 2 && made; i++)
        made = (ends[i] = link_own_descriptor(ends[i])) >= 0;
    if (!made)
        link_close_pipe(ends);
    return made;
}

/* ---- processes of open links ---- */

static struct link *started_links;
static pid_t guardian;

/* ---- the descendants of a process ---- */

/* A process as /proc shows it. */
struct relative {
    pid_t pid, parent, session;
    unsigned long long start; /* its start, in ticks: distinguishes processes of the same number */
    char state;               /* as in /proc; 'Z' is dead already */
    bool belongs;             /* to the family */
    char name[24];
};

/* A list of processes; for a link: the descendants that were seen. */
struct link_family {
    struct relative *list;
    int count, capacity;
};

/* -1: the process has ended, or is another user's. */
static ssize_t read_file(long pid, const char *name, char *out, size_t size) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/%s", pid, name);
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    size_t used = 0;
    ssize_t got;
    while (used < size && (got = read(fd, out + used, size - used)) > 0)
        used += (size_t)got;
    close(fd);
    return (ssize_t)used;
}

/* Is the mark one of those in "SENJUTSU_LINK=mark,mark"? */
static bool lists_mark(const char *entry, const char *mark) {
    const size_t size = strlen(mark);
    assert(size > 0);
    for (const char *at = entry; (at = strstr(at, mark)) != NULL; at++)
        if ((at[-1] == '=' || at[-1] == ',') && (at[size] == ',' || at[size] == '\0'))
            return true;
    return false;
}

/* Has its environment that mark, or (NULL) the exemption from being a descendant? */
static bool carries_mark(pid_t pid, const char *mark, char environment[ENVIRON_MAX]) {
    const ssize_t size = read_file(pid, "environ", environment, ENVIRON_MAX - 1);
    if (size <= 0)
        return false;
    environment[size] = '\0';
    for (const char *entry = environment; entry < environment + size; entry += strlen(entry) + 1)
        if (mark == NULL
                ? strcmp(entry, LINK_EXEMPT) == 0
                : strncmp(entry, LINK_MARK_NAME, strlen(LINK_MARK_NAME)) == 0 && lists_mark(entry, mark))
            return true;
    return false;
}

/* "PID (NAME) STATE PARENT …"; the name may contain anything. */
static bool read_relative(long pid, struct relative *out) {
    char text[1024];
    const ssize_t size = read_file(pid, "stat", text, sizeof text - 1);
    if (size <= 0)
        return false;
    text[size] = '\0';
    const char *name = strchr(text, '('), *rest = strrchr(text, ')');
    int parent, group, session;
    if (name == NULL || rest == NULL ||
        sscanf(rest, ") %c %d %d %d", &out->state, &parent, &group, &session) != 4)
        return false;
    link_show(out->name, sizeof out->name, name + 1, (size_t)(rest - name - 1));
    for (int i = 0; i < STAT_TO_START && rest != NULL; i++)
        rest = strchr(rest + 1, ' ');
    out->start = rest != NULL ? strtoull(rest, NULL, 10) : 0;
    out->pid = (pid_t)pid;
    out->parent = (pid_t)parent;
    out->session = (pid_t)session;
    out->belongs = false;
    return true;
}

/* The next process of the folder /proc (NULL: there is none). */
static bool next_process(DIR *folder, struct relative *out) {
    for (const struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
        char *end;
        const long pid = strtol(entry->d_name, &end, 10);
        if (*end == '\0' && pid > 1 && read_relative(pid, out))
            return true;
    }
    return false;
}

static void add(struct link_family *to, const struct relative *r) {
    to->list = mem_grow(to->list, &to->capacity, to->count + 1, sizeof *to->list);
    to->list[to->count++] = *r;
}

/* For qsort and bsearch. */
static int by_pid(const void *a, const void *b) {
    const pid_t x = ((const struct relative *)a)->pid, y = ((const struct relative *)b)->pid;
    return (x > y) - (x < y);
}

/* Is it the same process as one seen before? */
static bool is_known(const struct link_family *known, const struct relative *r) {
    for (int i = 0; i < known->count; i++)
        if (known->list[i].pid == r->pid && known->list[i].start == r->start)
            return true;
    return false;
}

/* A process belongs when one of its ancestors does. */
static bool is_family(const struct link_family *all, const struct relative *r) {
    for (int generation = 0; r != NULL && !r->belongs && generation < GENERATIONS_MAX; generation++) {
        const struct relative parent = {.pid = r->parent};
        r = bsearch(&parent, all->list, (size_t)all->count, sizeof parent, by_pid);
    }
    return r != NULL && r->belongs;
}

/* Lists all processes. Adds the descendants of the link's process, without that process itself, to those the
 * link has seen, each once; `now` (may be NULL) gets those that are alive. False when processes cannot be
 * listed. */
static bool take_census(struct link *link, struct link_family *now) {
    assert(link->pid > 0);
    if (link->family == NULL)
        link->family = mem_alloc(sizeof *link->family);
    char *environment = mem_alloc(ENVIRON_MAX);
    struct link_family all = {0};
    struct relative r;
    DIR *folder = opendir("/proc");
    while (next_process(folder, &r)) {
        r.belongs = r.pid == link->pid || is_known(link->family, &r) ||
                    (r.state != 'Z' && carries_mark(r.pid, link->mark, environment));
        add(&all, &r);
    }
    if (folder != NULL)
        closedir(folder);
    if (all.count > 0)
        qsort(all.list, (size_t)all.count, sizeof all.list[0], by_pid);
    for (int i = 0; i < all.count; i++) {
        const struct relative *at = &all.list[i];
        if (at->pid == link->pid || at->pid == getpid() || !is_family(&all, at))
            continue;
        if (now != NULL && at->state != 'Z')
            add(now, at);
        if (!is_known(link->family, at))
            add(link->family, at);
    }
    mem_free(all.list);
    mem_free(environment);
    return folder != NULL;
}

/* Not every link is on the list: its start may have failed. */
void link_process_forget(struct link *link) {
    pthread_mutex_lock(&link_fork_lock);
    LIST_REMOVE(started_links, link, next);
    pthread_mutex_unlock(&link_fork_lock);
    if (link->family != NULL)
        mem_free(link->family->list);
    mem_free(link->family);
}

bool link_note_family(struct link *link) {
    return link->pid > 0 && take_census(link, NULL);
}

/* Names are cut where they no longer fit; the count is complete. */
int link_family_alive(struct link *link, char *names, size_t names_size) {
    struct link_family now = {0};
    size_t used = 0;
    assert(names_size > 0);
    names[0] = '\0';
    if (link->pid > 0)
        take_census(link, &now);
    for (int i = 0; i < now.count && used < names_size; i++)
        used += (size_t)snprintf(names + used, names_size - used, "%s%s (%ld)", used > 0 ? ", " : "",
                                 now.list[i].name, (long)now.list[i].pid);
    const int count = now.count;
    mem_free(now.list);
    return count;
}

/* ---- orphans that became our children ---- */

/* A child of ours that we did not start, in a session that is not ours, is an orphan of a link's program that
 * has ended: one that runs keeps its own orphans. A process older than this link's program is not its
 * descendant, and one that may be another link's, whose process has ended and which is not closed yet, is
 * left until that one is closed. The caller holds the fork lock. */
static bool is_left_to_us(const struct link *link, const struct relative *r) {
    bool left =
        r->parent == getpid() && r->session != getsid(0) && r->start >= link->born && r->pid != guardian;
    for (struct link *other = started_links; other != NULL && left; other = other->next)
        left = other->pid != r->pid &&
               (other == link || other->born > r->start || !link_process_has_ended(other));
    return left;
}

/* Holds the lock, because a process that is being started must not be taken for an orphan. Killing a process
 * may turn its children into further orphans. No other child of this program is reaped: the code that started
 * it waits for it. */
static void end_orphans(const struct link *link) {
    char *environment = mem_alloc(ENVIRON_MAX);
    for (int round = 0, alive = 1; round < ROUNDS_MAX && alive > 0 && link->born > 0; round++) {
        pthread_mutex_lock(&link_fork_lock);
        DIR *folder = opendir("/proc");
        struct relative r;
        alive = 0;
        while (next_process(folder, &r)) {
            /* A program that belongs to no link (a browser) is marked in its environment. */
            if (!is_left_to_us(link, &r) || (r.state != 'Z' && carries_mark(r.pid, NULL, environment)))
                continue;
            if (r.state != 'Z')
                kill(r.pid, SIGKILL);
            alive += waitpid(r.pid, NULL, WNOHANG) == 0;
        }
        if (folder != NULL)
            closedir(folder);
        pthread_mutex_unlock(&link_fork_lock);
        if (alive > 0)
            link_nap(round < ROUND_MS_MAX ? round + 1 : ROUND_MS_MAX);
    }
    mem_free(environment);
}

/* Waits up to REAP_MS until it is gone; does not wait for a process that is no child of ours. */
static void reap(pid_t pid) {
    assert(pid > 0);
    for (int waited = 0; waited < REAP_MS && waitpid(pid, NULL, WNOHANG) == 0; waited += NAP_MS)
        link_nap(NAP_MS);
}

/* Has it ended? It is not reaped before the link is closed: until then no other process gets its
 * number, which is also its group's. */
static bool peek(struct link *link, siginfo_t *info) {
    *info = (siginfo_t){0};
    return link->pid > 0 && waitid(P_PID, (id_t)link->pid, info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info->si_pid == link->pid;
}

/* Also false when there is no process. */
bool link_process_has_ended(struct link *link) {
    siginfo_t info;
    return peek(link, &info);
}

/* Lets the process end, then kills it, its group and all its descendants, and reaps them. */
void link_process_end(struct link *link, int grace_ms) {
    assert(link->pid > 1); /* kill(-1) would reach every process */
    /* A descendant without the mark is found by its parents, and those may end now. */
    if (!link_process_has_ended(link))
        take_census(link, NULL);
    link_close_descriptor(&link->in);
    for (int waited = 0; waited < grace_ms && !link_process_has_ended(link); waited += NAP_MS) {
        link->start = link->end = 0; /* what it still sends is read and dropped */
        link_pump(link, 0, false);
        link_nap(NAP_MS);
    }
    /* Where descriptors are short, looking for its descendants can use these. */
    link_close_descriptor(&link->out);
    link_close_descriptor(&link->err);
    kill(-link->pid, SIGSTOP); /* what it started must not lose the parent it is found by */
    for (int round = 0, alive = 1; round < ROUNDS_MAX && alive > 0; round++) {
        struct link_family now = {0};
        alive = take_census(link, &now) ? now.count : 0;
        for (int i = 0; i < now.count; i++)
            kill(now.list[i].pid, SIGKILL);
        mem_free(now.list);
        if (alive > 0)
            link_nap(round < ROUND_MS_MAX ? round + 1 : ROUND_MS_MAX);
    }
    kill(-link->pid, SIGKILL);
    reap(link->pid);
    while (waitpid(-link->pid, NULL, WNOHANG) > 0)
        ;
    for (int i = 0; link->family != NULL && i < link->family->count; i++)
        reap(link->family->list[i].pid); /* its orphans have become ours */
    end_orphans(link);
}

/* ---- the child's side, between fork and exec: only what is safe in a signal handler ---- */

/* What a child needs after the fork, prepared before it: memory cannot be allocated there. */
struct child {
    int in, out, err; /* its standard streams */
    int started;      /* closed by a successful exec; otherwise gets the error's number */
    const char *const *arguments;
    char *const *environment;
    bool is_subreaper;
};

/* The parent waits for the number of the error. Nothing can be done if it cannot be written. */
static void give_up(const struct child *child) {
    const int cause = errno;
    if (write(child->started, &cause, sizeof cause) < 0)
        _exit(126);
    _exit(127);
}

/* Signals that this program handles or blocks must be plain for the child; a shell starts with them as it
 * finds them. */
static void become_child(const struct child *child) {
    const struct sigaction plain = {.sa_handler = SIG_DFL};
    for (int i = 1; i <= SIGNALS_MAX; i++)
        sigaction(i, &plain, NULL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    setsid();
#if defined(__linux__)
    if (child->is_subreaper)
        prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); /* exec keeps it */
#endif
    if (dup2(child->in, STDIN_FILENO) < 0 || dup2(child->out, STDOUT_FILENO) < 0 ||
        dup2(child->err, STDERR_FILENO) < 0)
        give_up(child);
#if defined(__linux__) && defined(SYS_close_range)
    syscall(SYS_close_range, STDERR_FILENO + 1, ~0U, 4U); /* CLOSE_RANGE_CLOEXEC: strangers' descriptors */
#endif
    /* execve does not change its arguments: its type is older than const. */
    union {
        const char *const *promised;
        char *const *wanted;
    } arguments = {child->arguments};
    execve("/bin/sh", arguments.wanted, child->environment);
    give_up(child);
}

/* Forks with the lock held and waits until the child has its session and its program; -1 and errno. */
static pid_t fork_child(struct child *child) {
    int started[2] = {-1, -1};
    assert(child->in > STDERR_FILENO && child->out > STDERR_FILENO && child->err > STDERR_FILENO);
    if (!make_pipe(started)) {
        link_close_pipe(started);
        return -1;
    }
    child->started = started[1];
    pid_t pid = fork();
    int cause = pid < 0 ? errno : 0;
    if (pid == 0)
        become_child(child);
    link_close_descriptor(&started[1]);
    /* The child's error number; nothing comes when its exec succeeded. */
    while (pid > 0 && read(started[0], &cause, sizeof cause) < 0 && errno == EINTR)
        ;
    link_close_descriptor(&started[0]);
    if (pid > 0 && cause != 0) {
        while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
            ;
        pid = -1;
    }
    errno = cause;
    return pid;
}

/* ---- the guardian ---- */

/* Reads until this program ends, then kills processes that carry our marks until none is left. */
static const char guardian_script[] =
    "cd /\n"
    "while read -r line; do :; done\n"
    "rounds=0\n"
    "while [ $rounds -lt 100 ]; do\n"
    "    found=$(grep -l -s -E \"SENJUTSU_LINK=([0-9]+-[0-9]+,)*$1-\" /proc/[0-9]*/environ)\n"
    "    [ -n \"$found\" ] || exit 0\n"
    "    for file in $found; do\n"
    "        file=${file#/proc/}\n"
    "        kill -KILL \"${file%/environ}\"\n"
    "    done\n"
    "    rounds=$((rounds + 1))\n"
    "    sleep 0.1\n"
    "done\n";

/* The caller holds the lock. A process is started only with a guardian, which ends it when this program is
 * killed; false and errno when the guardian cannot be started. */
static bool start_guardian(void) {
#if defined(__linux__)
    static pid_t guarded; /* another one after a fork of the whole program */
    if (guarded == getpid())
        return true;
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    char own_pid[24];
    snprintf(own_pid, sizeof own_pid, "%ld", (long)getpid());
    int ends[2] = {-1, -1};
    int null = raise_descriptor(open("/dev/null", O_RDWR | O_CLOEXEC));
    if (null >= 0 && make_pipe(ends)) {
        const char *const arguments[] = {"sh", "-c", guardian_script, "senjutsu-guardian", own_pid, NULL};
        struct child child = {
            .in = ends[0], .out = null, .err = null, .arguments = arguments, .environment = environ};
        const pid_t pid = fork_child(&child);
        if (pid > 0) {
            guardian = pid;
            guarded = getpid();
            ends[1] = -1; /* stays open as long as we live */
        }
    }
    link_close_pipe(ends);
    link_close_descriptor(&null);
    return guarded == getpid();
#else
    return true;
#endif
}

/* ---- starting ---- */

/* Our environment with the link's mark added to marks that this program carries itself: a senjutsu that ends
 * this one also ends what it started. */
static char **marked_environment(const char *mark, char *entry) {
    int count = 0;
    while (environ != NULL && environ[count] != NULL)
        count++;
    char **out = mem_alloc((size_t)(count + 2) * sizeof *out);
    const size_t name_size = strlen(LINK_MARK_NAME);
    const char *inherited = "";
    int kept = 1;
    for (int i = 0; i < count; i++) {
        if (strncmp(environ[i], LINK_MARK_NAME, name_size) == 0)
            inherited = environ[i] + name_size;
        else
            out[kept++] = environ[i];
    }
    if (strlen(inherited) > MARK_LENGTH_MAX / 2)
        inherited = "";
    snprintf(entry, MARK_LENGTH_MAX, LINK_MARK_NAME "%s%s%s", inherited, inherited[0] != '\0' ? "," : "",
             mark);
    out[0] = entry;
    return out;
}

/* The lock is held until our ends of the pipes are close-on-exec: no other child may inherit them, or the
 * end of this one would not be seen. */
static bool start(struct link *link, const char *command, char **environment) {
    int in[2] = {-1, -1}, out[2] = {-1, -1}, error[2] = {-1, -1};
    pthread_mutex_lock(&link_fork_lock);
    if (start_guardian() && make_pipe(in) && make_pipe(out) && make_pipe(error)) {
        /* A program named by its path replaces the shell, which would hide how it ends. Other commands are
         * left to the shell. */
        const size_t word = strcspn(command, " \t");
        const bool is_path = memchr(command, '/', word) != NULL && memchr(command, '=', word) == NULL &&
                             strpbrk(command, ";|&<>()`\n#{}") == NULL;
        char script[LINK_COMMAND_MAX + 8];
        snprintf(script, sizeof script, "%s%s", is_path ? "exec " : "", command);
        const char *const arguments[] = {"sh", "-c", script, NULL};
        struct child child = {.in = in[0],
                              .out = out[1],
                              .err = error[1],
                              .arguments = arguments,
                              .environment = environment,
                              .is_subreaper = true};
        const pid_t pid = fork_child(&child);
        link->pid = pid > 0 ? pid : 0;
    }
    if (link->pid > 0) {
        assert(link->next == NULL);
        struct relative r;
        link->born = read_relative(link->pid, &r) ? r.start : 0;
        link->next = started_links;
        started_links = link;
    }
    bool started = link->pid > 0;
    int *const theirs[] = {&in[1], &out[0], &error[0]}, *const ours[] = {&link->in, &link->out, &link->err};
    for (int i = 0; i < 3 && started; i++) { /* takes over our ends of the pipes */
        *ours[i] = link_own_descriptor(*theirs[i]);
        *theirs[i] = -1; /* taken over, or closed in the attempt */
        started = *ours[i] >= 0;
    }
    link_close_pipe(in);
    link_close_pipe(out);
    link_close_pipe(error);
    pthread_mutex_unlock(&link_fork_lock);
    return started;
}

/* ---- its end ---- */

/* Our own words: those of strsignal depend on the system and its language. */
static const char *signal_name(int number) {
    static const struct {
        int number;
        const char *name;
    } known[] = {{SIGABRT, "aborted"},
                 {SIGBUS, "bus error"},
                 {SIGFPE, "arithmetic error"},
                 {SIGHUP, "hang-up"},
                 {SIGILL, "illegal instruction"},
                 {SIGINT, "interrupted"},
                 {SIGKILL, "killed"},
                 {SIGPIPE, "broken pipe"},
                 {SIGSEGV, "segmentation fault"},
                 {SIGTERM, "terminated"},
                 {SIGXCPU, "processor time used up"}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (known[i].number == number)
            return known[i].name;
    return "unknown to us";
}

/* A process that has closed its output usually ends at once: its exit status is worth a short wait. */
void link_describe_end(struct link *link, char *out, size_t out_size) {
    siginfo_t info;
    bool ended;
    if (!link->is_process) {
        snprintf(out, out_size, "the connection was closed");
        return;
    }
    for (int waited = 0; !(ended = peek(link, &info)) && waited < END_MS; waited += NAP_MS)
        link_nap(NAP_MS);
    if (!ended)
        snprintf(out, out_size, "it closed its standard output");
    else if (info.si_code != CLD_EXITED)
        snprintf(out, out_size, "signal %d, %s", info.si_status, signal_name(info.si_status));
    else if (info.si_status > 128 &&
             info.si_status <= 128 + SIGNALS_MAX) /* the shell reports a signal like this */
        snprintf(out, out_size, "exit status %d (signal %d, %s)", info.si_status, info.si_status - 128,
                 signal_name(info.si_status - 128));
    else if (info.si_status == 127 || info.si_status == 126)
        snprintf(out, out_size, "exit status %d (the command cannot be started)", info.si_status);
    else
        snprintf(out, out_size, "exit status %d", info.si_status);
}

/* A broken pipe is an error number, not a signal: it is held back for this thread and taken away again. */
ssize_t link_process_write(int fd, const char *bytes, size_t size) {
    sigset_t pipe_signal, before, pending;
    sigemptyset(&pipe_signal);
    sigaddset(&pipe_signal, SIGPIPE);
    sigpending(&pending);
    const bool was_pending = sigismember(&pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &pipe_signal, &before);
    const ssize_t put = write(fd, bytes, size);
    const int cause = errno;
    sigpending(&pending);
    if (put < 0 && cause == EPIPE && !was_pending && sigismember(&pending, SIGPIPE) == 1) {
        int number;
        sigwait(&pipe_signal, &number);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = cause;
    return put;
}

/* The mark is unique on this machine while this program runs: its process id and a serial number. */
struct link *link_start_process(const char *command, struct err *e) {
    if (strlen(command) >= LINK_COMMAND_MAX) {
        err_set(e, "a command of %zu characters is too long; the limit is %d", strlen(command),
                LINK_COMMAND_MAX - 1);
        errno = EINVAL;
        return NULL;
    }
    struct link *link = link_make(true);
    static atomic_ulong serial;
    snprintf(link->mark, sizeof link->mark, "%ld-%lu", (long)getpid(), atomic_fetch_add(&serial, 1));
    char entry[MARK_LENGTH_MAX];
    char **environment = marked_environment(link->mark, entry);
    const bool started = start(link, command, environment);
    const int cause = errno;
    mem_free(environment);
    if (started)
        return link;
    if (link->pid > 0)
        link_close(link, 0);
    else
        link_free(link);
    err_set(e, "'%.200s' cannot be started: %s", command, strerror(cause));
    errno = cause;
    return NULL;
}
