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
#include <poll.h>
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

static pthread_mutex_t fork_lock = PTHREAD_MUTEX_INITIALIZER;

void link_fork_lock(void) {
    pthread_mutex_lock(&fork_lock);
}

void link_fork_unlock(void) {
    pthread_mutex_unlock(&fork_lock);
}

/* The same pipe end, but none of 0, 1 and 2: a child's own would be overwritten while they are set up. */
static int raise_descriptor(int fd) {
    if (fd < 0 || fd > STDERR_FILENO)
        return fd;
    const int raised = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1), cause = errno;
    close(fd);
    errno = cause;
    return raised;
}

int link_own_descriptor(int fd) {
    fd = raise_descriptor(fd);
    if (fd < 0)
        return -1;
    const int flags = fcntl(fd, F_GETFL);
    if (flags >= 0 && fcntl(fd, F_SETFD, FD_CLOEXEC) == 0 && fcntl(fd, F_SETFL, flags | O_NONBLOCK) == 0)
        return fd;
    const int cause = errno;
    close(fd);
    errno = cause;
    return -1;
}

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

static void close_pipe(int ends[2]) {
    link_close_descriptor(&ends[0]);
    link_close_descriptor(&ends[1]);
}

/* ---- processes of open links ---- */

static struct link *started_links;
static pid_t guardian;

/* The caller holds the fork lock. */
static void enlist(struct link *link) {
    assert(link->pid > 0 && link->next == NULL);
    link->next = started_links;
    started_links = link;
}

void link_delist(struct link *link) {
    link_fork_lock();
    for (struct link **at = &started_links; *at != NULL; at = &(*at)->next)
        if (*at == link) {
            *at = link->next;
            break;
        }
    link_fork_unlock();
}

/* Is it a process that this program started for a link, or the guardian? The caller holds the fork lock. */
static bool is_own_child(pid_t pid) {
    bool own = pid == guardian;
    for (const struct link *link = started_links; link != NULL && !own; link = link->next)
        own = link->pid == pid;
    return own;
}

/* May an orphan that was started then belong to another link, whose process has ended and which is not closed
 * yet? The caller holds the fork lock. */
static bool may_belong_to_another(const struct link *link, unsigned long long born) {
    bool may = false;
    for (struct link *other = started_links; other != NULL && !may; other = other->next)
        may = other != link && other->born <= born && other->kind->has_ended(other);
    return may;
}

/* ---- the descendants of a process ---- */

struct relative {
    pid_t pid, parent, session;
    unsigned long long start; /* its start, in ticks: distinguishes processes of the same number */
    char state;               /* as in /proc; 'Z' is dead already */
    bool belongs;             /* to the family */
    char name[24];
};

struct relatives {
    struct relative *list;
    int count, capacity;
};

/* The descendants that a link has seen. */
struct link_family {
    struct relatives known;
};

/* All processes of this machine. */
struct census {
    struct relatives all;
    char *environment; /* ENVIRON_MAX bytes */
};

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

static bool carries_mark(struct census *census, long pid, const char *mark) {
    const ssize_t size = read_file(pid, "environ", census->environment, ENVIRON_MAX - 1);
    if (size <= 0)
        return false;
    census->environment[size] = '\0';
    for (const char *entry = census->environment; entry < census->environment + size;
         entry += strlen(entry) + 1)
        if (strncmp(entry, LINK_MARK_NAME, strlen(LINK_MARK_NAME)) == 0 && lists_mark(entry, mark))
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

static void add(struct relatives *to, const struct relative *r) {
    to->list = mem_grow(to->list, &to->capacity, to->count + 1, sizeof *to->list);
    to->list[to->count++] = *r;
}

static int by_pid(const void *a, const void *b) {
    const pid_t x = ((const struct relative *)a)->pid, y = ((const struct relative *)b)->pid;
    return (x > y) - (x < y);
}

/* Is it the same process as one seen before? */
static bool is_known(const struct relatives *known, const struct relative *r) {
    for (int i = 0; i < known->count; i++)
        if (known->list[i].pid == r->pid && known->list[i].start == r->start)
            return true;
    return false;
}

/* Lists all processes, and which of them carry the mark or are known to belong. False when they cannot be
 * listed. */
static bool look_around(struct census *census, const struct link *link) {
    DIR *folder = opendir("/proc");
    census->all.count = 0;
    if (folder == NULL)
        return false;
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        char *end;
        const long pid = strtol(entry->d_name, &end, 10);
        struct relative r;
        if (*end != '\0' || pid <= 1 || !read_relative(pid, &r))
            continue;
        r.belongs = r.pid == link->pid || is_known(&link->family->known, &r) ||
                    (r.state != 'Z' && carries_mark(census, pid, link->mark));
        add(&census->all, &r);
    }
    closedir(folder);
    if (census->all.count > 0)
        qsort(census->all.list, (size_t)census->all.count, sizeof census->all.list[0], by_pid);
    return true;
}

static const struct relative *parent_of(const struct relatives *all, const struct relative *r) {
    const struct relative key = {.pid = r->parent};
    return all->count == 0 ? NULL : bsearch(&key, all->list, (size_t)all->count, sizeof key, by_pid);
}

/* A process belongs when one of its ancestors does. */
static bool is_family(const struct relatives *all, const struct relative *r) {
    for (int generation = 0; r != NULL && generation < GENERATIONS_MAX; generation++) {
        if (r->belongs)
            return true;
        r = parent_of(all, r);
    }
    return false;
}

/* Adds the descendants of the link's process, without that process itself, to those the link has seen, each
 * once; `now` (may be NULL) gets those that are alive. */
static void gather(const struct census *census, struct link *link, struct relatives *now) {
    for (int i = 0; i < census->all.count; i++) {
        const struct relative *r = &census->all.list[i];
        if (r->pid == link->pid || r->pid == getpid() || !is_family(&census->all, r))
            continue;
        if (now != NULL && r->state != 'Z')
            add(now, r);
        if (!is_known(&link->family->known, r))
            add(&link->family->known, r);
    }
}

/* False when descendants cannot be found. */
static bool take_census(struct census *census, struct link *link, struct relatives *now) {
    assert(link->pid > 0);
    if (link->family == NULL)
        link->family = mem_alloc(sizeof *link->family);
    if (census->environment == NULL)
        census->environment = mem_alloc(ENVIRON_MAX);
    const bool listed = look_around(census, link);
    gather(census, link, now);
    return listed;
}

static void census_done(struct census *census) {
    mem_free(census->all.list);
    mem_free(census->environment);
}

void link_forget_family(struct link *link) {
    if (link->family != NULL)
        mem_free(link->family->known.list);
    mem_free(link->family);
}

bool link_note_family(struct link *link) {
    struct census census = {0};
    const bool ok = link->pid > 0 && take_census(&census, link, NULL);
    census_done(&census);
    return ok;
}

int link_family_alive(struct link *link, char *names, size_t names_size) {
    struct census census = {0};
    struct relatives now = {0};
    size_t used = 0;
    assert(names_size > 0);
    names[0] = '\0';
    if (link->pid > 0)
        take_census(&census, link, &now);
    for (int i = 0; i < now.count && used < names_size; i++)
        used += (size_t)snprintf(names + used, names_size - used, "%s%s (%ld)", used > 0 ? ", " : "",
                                 now.list[i].name, (long)now.list[i].pid);
    const int count = now.count;
    mem_free(now.list);
    census_done(&census);
    return count;
}

/* ---- killing ---- */

/* Repeats until none is alive. */
static void kill_descendants(struct census *census, struct link *link) {
    for (int round = 0; round < ROUNDS_MAX; round++) {
        struct relatives now = {0};
        const bool ok = take_census(census, link, &now);
        for (int i = 0; i < now.count; i++)
            kill(now.list[i].pid, SIGKILL);
        const bool over = !ok || now.count == 0;
        mem_free(now.list);
        if (over)
            return;
        poll(NULL, 0, round < ROUND_MS_MAX ? round + 1 : ROUND_MS_MAX);
    }
}

/* ---- orphans that became our children ---- */

/* When the process was started, in ticks as /proc counts; 0: unknown. */
static unsigned long long start_time_of(pid_t pid) {
    struct relative r;
    return read_relative(pid, &r) ? r.start : 0;
}

/* A program that belongs to no link (a browser) is marked in its environment. */
static bool is_exempt(pid_t pid) {
    char *environment = mem_alloc(ENVIRON_MAX);
    bool exempt = false;
    const ssize_t size = read_file((long)pid, "environ", environment, ENVIRON_MAX - 1);
    for (const char *entry = environment; !exempt && size > 0 && entry < environment + size;
         entry += strlen(entry) + 1)
        exempt = strcmp(entry, LINK_EXEMPT) == 0;
    mem_free(environment);
    return exempt;
}

/* A child of ours that we did not start, in a session that is not ours, is an orphan of a link's program that
 * has ended: one that runs keeps its own orphans. A process older than this link's program is not its
 * descendant, and one that may be another link's is left until that one is closed. */
static bool is_left_to_us(const struct link *link, const struct relative *r) {
    return r->parent == getpid() && r->session != getsid(0) && r->start >= link->born &&
           !is_own_child(r->pid) && !may_belong_to_another(link, r->start);
}

/* One look; how many are still alive. No other child of this program is reaped: the code that started it
 * waits for it. */
static int end_orphans_once(const struct link *link) {
    DIR *folder = opendir("/proc");
    int alive = 0;
    for (const struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
        char *end;
        const long pid = strtol(entry->d_name, &end, 10);
        struct relative r;
        if (*end != '\0' || pid <= 1 || !read_relative(pid, &r) || !is_left_to_us(link, &r))
            continue;
        if (r.state != 'Z' && is_exempt(r.pid))
            continue;
        if (r.state != 'Z')
            kill(r.pid, SIGKILL);
        alive += waitpid(r.pid, NULL, WNOHANG) == 0;
    }
    if (folder != NULL)
        closedir(folder);
    return alive;
}

/* Holds the lock, because a process that is being started must not be taken for an orphan. Killing a process
 * may turn its children into further orphans. */
static void end_orphans(const struct link *link) {
    for (int round = 0, alive = 1; round < ROUNDS_MAX && alive > 0 && link->born > 0; round++) {
        link_fork_lock();
        alive = end_orphans_once(link);
        link_fork_unlock();
        if (alive > 0)
            link_nap(round < ROUND_MS_MAX ? round + 1 : ROUND_MS_MAX);
    }
}

/* Waits up to REAP_MS until it is gone; does not wait for a process that is no child of ours. */
static void reap(pid_t pid) {
    assert(pid > 0);
    for (int waited = 0; waited < REAP_MS && waitpid(pid, NULL, WNOHANG) == 0; waited += NAP_MS)
        poll(NULL, 0, NAP_MS);
}

/* Has it ended? It is not reaped before the link is closed: until then no other process gets its
 * number, which is also its group's. */
static bool peek(struct link *link, siginfo_t *info) {
    *info = (siginfo_t){0};
    return link->pid > 0 && waitid(P_PID, (id_t)link->pid, info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info->si_pid == link->pid;
}

static bool process_has_ended(struct link *link) {
    siginfo_t info;
    return peek(link, &info);
}

/* Gives the process time to end by itself: closes its input and reads on. */
static void let_end(struct link *link, int grace_ms) {
    link_close_descriptor(&link->in);
    for (int waited = 0; waited < grace_ms && !process_has_ended(link); waited += NAP_MS) {
        link->start = link->end = 0; /* the bytes are not needed any more */
        link_pump(link, 0, false);
        link_nap(NAP_MS);
    }
}

/* Lets the process end, then kills it, its group and all its descendants, and reaps them. */
static void end_process(struct link *link, int grace_ms) {
    struct census census = {0};
    assert(link->pid > 1); /* kill(-1) would reach every process */
    /* A descendant without the mark is found by its parents, and those may end now. */
    if (!link->kind->has_ended(link))
        take_census(&census, link, NULL);
    let_end(link, grace_ms);
    /* Where descriptors are short, looking for its descendants can use these. */
    link_close_descriptor(&link->out);
    link_close_descriptor(&link->err);
    kill(-link->pid, SIGSTOP); /* what it started must not lose the parent it is found by */
    kill_descendants(&census, link);
    kill(-link->pid, SIGKILL);
    reap(link->pid);
    while (waitpid(-link->pid, NULL, WNOHANG) > 0)
        ;
    for (int i = 0; link->family != NULL && i < link->family->known.count; i++)
        reap(link->family->known.list[i].pid); /* its orphans have become ours */
    census_done(&census);
    end_orphans(link);
}

/* ---- the child's side, between fork and exec: only what is safe in a signal handler ---- */

struct child {
    int in, out, err; /* its standard streams */
    int started;      /* closed by a successful exec; otherwise gets the error's number */
    const char *const *arguments;
    char *const *environment;
    bool is_subreaper;
};

static void forget_signals(void) {
    const struct sigaction plain = {.sa_handler = SIG_DFL};
    for (int i = 1; i <= SIGNALS_MAX; i++)
        sigaction(i, &plain, NULL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

static void give_up(const struct child *child) {
    const int cause = errno;
    if (write(child->started, &cause, sizeof cause) < 0)
        _exit(126);
    _exit(127);
}

static void become_child(const struct child *child) {
    forget_signals();
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

/* Reads the child's error number; nothing comes when its exec succeeded. */
static int read_cause(int started) {
    int cause = 0;
    ssize_t got;
    while ((got = read(started, &cause, sizeof cause)) < 0 && errno == EINTR)
        ;
    return got == (ssize_t)sizeof cause ? cause : 0;
}

/* Forks with the lock held and waits until the child has its session and its program; -1 and errno. */
static pid_t fork_child(struct child *child) {
    int started[2] = {-1, -1};
    assert(child->in > STDERR_FILENO && child->out > STDERR_FILENO && child->err > STDERR_FILENO);
    if (!make_pipe(started)) {
        const int cause = errno;
        close_pipe(started);
        errno = cause;
        return -1;
    }
    child->started = started[1];
    pid_t pid = fork();
    int cause = pid < 0 ? errno : 0;
    if (pid == 0)
        become_child(child);
    link_close_descriptor(&started[1]);
    if (pid > 0)
        cause = read_cause(started[0]);
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
    const int cause = errno;
    close_pipe(ends);
    link_close_descriptor(&null);
    errno = cause;
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

/* A program named by its path replaces the shell, which would hide how it ends. Other commands are left to
 * the shell. */
static const char *shell_script(const char *command, char *out, size_t out_size) {
    const size_t word = strcspn(command, " \t");
    const bool is_path = memchr(command, '/', word) != NULL && memchr(command, '=', word) == NULL;
    if (!is_path || strpbrk(command, ";|&<>()`\n#{}") != NULL)
        return command;
    snprintf(out, out_size, "exec %s", command);
    return out;
}

/* Takes over our ends of the pipes; false and errno when one of them cannot be made our own. */
static bool own_ends(struct link *link, int *in, int *out, int *error) {
    link->in = link_own_descriptor(*in);
    link->out = link->in >= 0 ? link_own_descriptor(*out) : -1;
    link->err = link->out >= 0 ? link_own_descriptor(*error) : -1;
    const int cause = errno;
    *in = -1; /* taken over, or closed in the attempt */
    *out = link->in >= 0 ? -1 : *out;
    *error = link->out >= 0 ? -1 : *error;
    errno = cause;
    return link->err >= 0;
}

static bool start(struct link *link, const char *command, char **environment) {
    int in[2] = {-1, -1}, out[2] = {-1, -1}, error[2] = {-1, -1};
    link_fork_lock();
    if (start_guardian() && make_pipe(in) && make_pipe(out) && make_pipe(error)) {
        char script[LINK_COMMAND_MAX + 8];
        const char *const arguments[] = {"sh", "-c", shell_script(command, script, sizeof script), NULL};
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
        link->born = start_time_of(link->pid);
        enlist(link);
    }
    const bool started = link->pid > 0 && own_ends(link, &in[1], &out[0], &error[0]);
    const int cause = errno;
    close_pipe(in);
    close_pipe(out);
    close_pipe(error);
    link_fork_unlock();
    errno = cause;
    return started;
}

/* ---- its end ---- */

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

static void process_describe_end(struct link *link, char *out, size_t out_size) {
    siginfo_t info;
    bool ended = peek(link, &info);
    for (int waited = 0; !ended && waited < END_MS; waited += NAP_MS) {
        link_nap(NAP_MS);
        ended = peek(link, &info);
    }
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
static ssize_t write_quietly(int fd, const char *bytes, size_t size) {
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

static const struct link_kind process_kind = {
    .write = write_quietly,
    .has_ended = process_has_ended,
    .describe_end = process_describe_end,
    .end = end_process,
};

struct link *link_start_process(const char *command, struct err *e) {
    if (strlen(command) >= LINK_COMMAND_MAX) {
        err_set(e, "a command of %zu characters is too long; the limit is %d", strlen(command),
                LINK_COMMAND_MAX - 1);
        errno = EINVAL;
        return NULL;
    }
    struct link *link = link_make(&process_kind);
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
