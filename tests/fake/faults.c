/* SPDX-License-Identifier: MIT
 *
 * A library for LD_PRELOAD under which system calls fail as they do on a machine that is short of something:
 * a full disk, no descriptors, no processes, no memory, a clock that is set. It also writes down in which
 * order files are written, synced and renamed, so that a test can demand it. For glibc on Linux; it stands in
 * the way of sanitizers, which replace the same functions.
 *
 *   FAULTS          rules, separated by ';' or line ends: CALL[,CALL …] WHAT [KEY=VALUE …]
 *   FAULTS_SEED     of rules with a chance (1)
 *   FAULTS_LOG      a file that gets a line for each call on files, and for each fault
 *   FAULTS_PROGRAM  the name of the selected program, as a pattern; others only hand the variables on
 *
 * The selected program hands nothing on: the processes that it starts have no faults.
 *
 * Calls: open write sync rename truncate mkdir link unlink pipe socket accept dup poll wait fork thread
 * memory map, and groups of them: disk descriptors processes. WHAT is the name of an error (ENOSPC), or STOP:
 * the program stops itself there (SIGSTOP), so that a test can send it a signal at this moment, and the call
 * succeeds. Two more are clocks, realtime and monotonic, and WHAT is by how many seconds they jump; the
 * latter never goes back. The last is cores, and WHAT is how many there are.
 *
 *   path=PATTERN    only files of this name; * stands for any characters, / among them
 *   from=N count=N  the N-th matching call is the first that fails, and so many do (from=1, no end)
 *   chance=P        each of those fails with this probability
 *   seconds=A-B     only so long after the program's start
 *   while=FILE      only while this file exists
 *   min=BYTES       memory and map: only so large ones
 *   at=S every=S    clocks: when they jump, from the program's start
 *   each=S          monotonic: time stands still but for readings; each takes S to 8 S seconds
 *
 * Standard input, output and error are left alone, so that the program can always print an error message. A
 * full disk or a broken one (ENOSPC, EDQUOT, EIO, EROFS) fails no open for reading.
 */
#undef _FILE_OFFSET_BITS /* it would rename open to open64: both are wanted here */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { RULES_MAX = 32, SPEC_MAX = 4096, PATH_SIZE = PATH_MAX + 32 };

enum call {
    CALL_OPEN, /* for writing */
    CALL_OPEN_READ,
    CALL_WRITE,
    CALL_SYNC,
    CALL_RENAME,
    CALL_TRUNCATE,
    CALL_MKDIR,
    CALL_LINK,
    CALL_UNLINK,
    CALL_PIPE,
    CALL_SOCKET,
    CALL_ACCEPT,
    CALL_DUP,
    CALL_POLL, /* descriptors to wait with */
    CALL_WAIT,
    CALL_FORK,
    CALL_THREAD,
    CALL_MEMORY,
    CALL_MAP,
    CALL_REALTIME,
    CALL_MONOTONIC,
    CALL_CORES,
};

#define BIT(call) (1U << (call))

static const struct {
    const char *name;
    unsigned calls;
} call_names[] = {
    {"open", BIT(CALL_OPEN) | BIT(CALL_OPEN_READ)},
    {"write", BIT(CALL_WRITE)},
    {"sync", BIT(CALL_SYNC)},
    {"rename", BIT(CALL_RENAME)},
    {"truncate", BIT(CALL_TRUNCATE)},
    {"mkdir", BIT(CALL_MKDIR)},
    {"link", BIT(CALL_LINK)},
    {"unlink", BIT(CALL_UNLINK)},
    {"pipe", BIT(CALL_PIPE)},
    {"socket", BIT(CALL_SOCKET)},
    {"accept", BIT(CALL_ACCEPT)},
    {"dup", BIT(CALL_DUP)},
    {"poll", BIT(CALL_POLL)},
    {"wait", BIT(CALL_WAIT)},
    {"fork", BIT(CALL_FORK)},
    {"thread", BIT(CALL_THREAD)},
    {"memory", BIT(CALL_MEMORY)},
    {"map", BIT(CALL_MAP)},
    {"realtime", BIT(CALL_REALTIME)},
    {"monotonic", BIT(CALL_MONOTONIC)},
    {"cores", BIT(CALL_CORES)},
    {"disk", BIT(CALL_OPEN) | BIT(CALL_WRITE) | BIT(CALL_SYNC) | BIT(CALL_RENAME) | BIT(CALL_TRUNCATE) |
                 BIT(CALL_MKDIR) | BIT(CALL_LINK)},
    {"descriptors", BIT(CALL_OPEN) | BIT(CALL_OPEN_READ) | BIT(CALL_PIPE) | BIT(CALL_SOCKET) |
                        BIT(CALL_ACCEPT) | BIT(CALL_DUP) | BIT(CALL_POLL)},
    {"processes", BIT(CALL_FORK) | BIT(CALL_THREAD)},
};

enum { ERROR_STOP = 1000 }; /* no error of the system */

struct rule {
    unsigned calls;
    int error;
    double jump, at, every;  /* clocks, in seconds; jump is also the number of cores */
    const char *path, *gate; /* NULL: any */
    unsigned long from, count;
    double chance, begin, end;
    size_t min;
    atomic_ulong seen; /* calls that matched */
};

static char spec[SPEC_MAX];
static struct rule rules[RULES_MAX];
static int rule_count;
static unsigned long long seed = 1;
static char log_path[PATH_SIZE];
static int64_t start_ns;
static int64_t tick_ns; /* the time that a reading takes; 0: time passes by itself */

/* ---- evaluation of the rules ---- */

static int64_t true_ns(clockid_t clock) {
    struct timespec t;
    syscall(SYS_clock_gettime, clock, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static double age(void) {
    return (double)(true_ns(CLOCK_MONOTONIC) - start_ns) / 1e9;
}

/* A number in [0, 1) from the seed, the rule and the call's number (SplitMix64). */
static double chance_of(int rule, unsigned long n) {
    uint64_t x = seed * 0x9E3779B97F4A7C15U + (uint64_t)rule * 0xD1B54A32D192ED03U + n;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9U;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBU;
    return (double)((x ^ (x >> 31)) >> 11) / 9007199254740992.0;
}

static bool applies(const struct rule *r, enum call call, const char *path, size_t size) {
    if ((r->calls & BIT(call)) == 0 || r->error == 0 || size < r->min)
        return false;
    if (r->path != NULL && (path == NULL || fnmatch(r->path, path, 0) != 0))
        return false;
    if (r->end > 0 && (age() < r->begin || age() >= r->end))
        return false;
    return r->gate == NULL || syscall(SYS_faccessat, AT_FDCWD, r->gate, F_OK) == 0;
}

/* The error of this call, or 0. */
static int fault_of(enum call call, const char *path, size_t size) {
    const int before = errno;
    int error = 0;
    for (int i = 0; i < rule_count; i++) {
        struct rule *r = &rules[i];
        if (!applies(r, call, path, size))
            continue;
        const unsigned long n = atomic_fetch_add(&r->seen, 1) + 1;
        if (error == 0 && n >= r->from && n - r->from < r->count &&
            (r->chance >= 1 || chance_of(i, n) < r->chance))
            error = r->error;
    }
    if (error == ERROR_STOP) {
        kill(getpid(), SIGSTOP);
        error = 0;
    }
    errno = before;
    return error;
}

static bool is_of_disk(int error) {
    return error == ENOSPC || error == EDQUOT || error == EIO || error == EROFS;
}

/* ---- the log ---- */

/* By system calls, and without a descriptor that stays open: the log must not change what it observes. */
static void put_line(const char *line, size_t size) {
    const int before = errno;
    const long fd = syscall(SYS_openat, AT_FDCWD, log_path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (fd >= 0) {
        if (syscall(SYS_write, fd, line, size) < 0)
            syscall(SYS_write, STDERR_FILENO, "faults: the log cannot be written\n", 34);
        syscall(SYS_close, fd);
    }
    errno = before;
}

/* "CALL PATH [PATH] [ERROR]". A row of writes to the same file is one line. */
static void note(const char *name, const char *path, const char *second, int error) {
    static char last[2 * PATH_SIZE + 64];
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    char line[2 * PATH_SIZE + 64];
    if (log_path[0] == '\0')
        return;
    const char *word = error != 0 ? strerrorname_np(error) : NULL;
    const int size = snprintf(line, sizeof line, "%s %s%s%s%s%s\n", name, path != NULL ? path : "-",
                              second != NULL ? " " : "", second != NULL ? second : "",
                              word != NULL ? " " : "", word != NULL ? word : "");
    if (size < 0 || (size_t)size >= sizeof line)
        return;
    pthread_mutex_lock(&lock);
    if (strcmp(name, "write") != 0 || strcmp(line, last) != 0)
        put_line(line, (size_t)size);
    memcpy(last, line, (size_t)size + 1);
    pthread_mutex_unlock(&lock);
}

/* A call that fails: the error is noted and set. */
static int refuse(const char *name, const char *path, const char *second, int error) {
    note(name, path, second, error);
    errno = error;
    return -1;
}

/* A call that was made. */
static long noted(long result, const char *name, const char *path, const char *second) {
    note(name, path, second, result < 0 ? errno : 0);
    return result;
}

/* ---- names of files ---- */

static const char *name_of(int fd, char *out) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    const long size = syscall(SYS_readlinkat, AT_FDCWD, link, out, PATH_SIZE - 1);
    out[size > 0 ? size : 0] = '\0';
    return out;
}

/* The absolute name of `path` below `folder`. */
static const char *absolute(int folder, const char *path, char *out) {
    char base[PATH_SIZE] = "";
    const int before = errno;
    if (path[0] != '/' && folder != AT_FDCWD)
        name_of(folder, base);
    else if (path[0] != '/' && getcwd(base, sizeof base) == NULL)
        base[0] = '\0';
    snprintf(out, PATH_SIZE, "%s%s%s", base, base[0] != '\0' ? "/" : "", path);
    errno = before;
    return out;
}

static bool is_standard(int fd) {
    return fd >= 0 && fd <= STDERR_FILENO;
}

static mode_t kind_of(int fd) {
    struct stat info;
    const int before = errno;
    const mode_t kind = fstat(fd, &info) == 0 ? info.st_mode & S_IFMT : 0;
    errno = before;
    return kind;
}

/* ---- reading the rules ---- */

static void give_up(const char *what, const char *text) {
    fprintf(stderr, "faults: FAULTS: '%s' %s\n", text, what);
    _exit(125);
}

static unsigned read_calls(char *text) {
    unsigned calls = 0;
    char *rest = NULL;
    for (char *word = strtok_r(text, ",", &rest); word != NULL; word = strtok_r(NULL, ",", &rest)) {
        unsigned found = 0;
        for (size_t i = 0; i < sizeof call_names / sizeof call_names[0]; i++)
            if (strcmp(call_names[i].name, word) == 0)
                found = call_names[i].calls;
        if (found == 0)
            give_up("is no call", word);
        calls |= found;
    }
    return calls;
}

static double read_number(const char *text) {
    char *end;
    const double value = strtod(text, &end);
    if (end == text || *end != '\0')
        give_up("is no number", text);
    return value;
}

static int read_error(const char *text) {
    if (strcmp(text, "STOP") == 0)
        return ERROR_STOP;
    for (int error = 1; error < 134; error++) {
        const char *name = strerrorname_np(error);
        if (name != NULL && strcmp(name, text) == 0)
            return error;
    }
    give_up("is no error", text);
    return 0;
}

static bool is_key(const char *word, const char *key, const char **value) {
    const size_t size = strlen(key);
    *value = word + size + 1;
    return strncmp(word, key, size) == 0 && word[size] == '=';
}

static void read_key(struct rule *r, char *word) {
    const char *value;
    if (is_key(word, "path", &value)) {
        r->path = value;
    } else if (is_key(word, "while", &value)) {
        r->gate = value;
    } else if (is_key(word, "from", &value)) {
        r->from = (unsigned long)read_number(value);
    } else if (is_key(word, "count", &value)) {
        r->count = (unsigned long)read_number(value);
    } else if (is_key(word, "chance", &value)) {
        r->chance = read_number(value);
    } else if (is_key(word, "min", &value)) {
        r->min = (size_t)read_number(value);
    } else if (is_key(word, "at", &value)) {
        r->at = read_number(value);
    } else if (is_key(word, "every", &value)) {
        r->every = read_number(value);
    } else if (is_key(word, "each", &value)) {
        tick_ns = (int64_t)(read_number(value) * 1e9);
    } else if (is_key(word, "seconds", &value)) {
        if (sscanf(value, "%lf-%lf", &r->begin, &r->end) != 2 || r->end <= r->begin)
            give_up("is no span of seconds", value);
    } else {
        give_up("is no key", word);
    }
}

static void read_rule(char *text) {
    char *rest = NULL;
    char *calls = strtok_r(text, " \t", &rest), *what = strtok_r(NULL, " \t", &rest);
    if (calls == NULL)
        return;
    if (what == NULL || rule_count == RULES_MAX)
        give_up(what == NULL ? "has no error" : "is one rule too many", calls);
    struct rule *r = &rules[rule_count];
    *r = (struct rule){.from = 1, .count = ULONG_MAX, .chance = 1, .calls = read_calls(calls)};
    if ((r->calls & (BIT(CALL_REALTIME) | BIT(CALL_MONOTONIC) | BIT(CALL_CORES))) != 0)
        r->jump = read_number(what);
    else
        r->error = read_error(what);
    if (is_of_disk(r->error))
        r->calls &= ~BIT(CALL_OPEN_READ);
    for (char *word; (word = strtok_r(NULL, " \t", &rest)) != NULL;)
        read_key(r, word);
    rule_count++;
}

static bool is_meant(void) {
    const char *pattern = getenv("FAULTS_PROGRAM");
    char path[PATH_SIZE];
    const ssize_t size = readlink("/proc/self/exe", path, sizeof path - 1);
    if (pattern == NULL || size <= 0)
        return pattern == NULL;
    path[size] = '\0';
    const char *slash = strrchr(path, '/');
    return fnmatch(pattern, slash != NULL ? slash + 1 : path, 0) == 0;
}

static void take_environment(void) {
    static const char *const names[] = {"FAULTS", "FAULTS_SEED", "FAULTS_LOG", "FAULTS_PROGRAM",
                                        "LD_PRELOAD"};
    const char *text = getenv("FAULTS"), *number = getenv("FAULTS_SEED"), *path = getenv("FAULTS_LOG");
    if (text != NULL && strlen(text) >= sizeof spec)
        give_up("is too long", "FAULTS");
    snprintf(spec, sizeof spec, "%s", text != NULL ? text : "");
    if (number != NULL)
        seed = (unsigned long long)read_number(number);
    if (path != NULL)
        absolute(AT_FDCWD, path, log_path);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        unsetenv(names[i]);
}

__attribute__((constructor)) static void begin(void) {
    if (!is_meant())
        return;
    start_ns = true_ns(CLOCK_MONOTONIC);
    take_environment();
    char *rest = NULL;
    for (char *text = strtok_r(spec, ";\n", &rest); text != NULL; text = strtok_r(NULL, ";\n", &rest))
        read_rule(text);
}

/* ---- the calls ---- */

/* The function of the C library that ours stands in front of, found once. */
#define REAL(name)                                                                                           \
    static __typeof__(&name) real;                                                                           \
    if (real == NULL)                                                                                        \
    *(void **)&real = dlsym(RTLD_NEXT, #name)

static int open_fault(const char *path, int flags) {
    const bool may_write = (flags & O_ACCMODE) != O_RDONLY || (flags & O_CREAT) != 0;
    return fault_of(may_write ? CALL_OPEN : CALL_OPEN_READ, path, SIZE_MAX);
}

/* Opening for reading is not worth a line. */
static long open_noted(long fd, const char *path, int flags) {
    return (flags & O_ACCMODE) == O_RDONLY ? fd : noted(fd, "open", path, NULL);
}

#define OPEN_MODE(flags)                                                                                     \
    mode_t mode = 0;                                                                                         \
    if (((flags) & (O_CREAT | __O_TMPFILE)) != 0) {                                                          \
        va_list arguments;                                                                                   \
        va_start(arguments, flags);                                                                          \
        mode = va_arg(arguments, mode_t);                                                                    \
        va_end(arguments);                                                                                   \
    }

#define OPEN(folder, path, flags)                                                                            \
    char full[PATH_SIZE];                                                                                    \
    absolute(folder, path, full);                                                                            \
    const int error = open_fault(full, flags);                                                               \
    if (error != 0)                                                                                          \
    return refuse("open", full, NULL, error)

int open(const char *path, int flags, ...) {
    REAL(open);
    OPEN_MODE(flags)
    OPEN(AT_FDCWD, path, flags);
    return (int)open_noted(real(path, flags, mode), full, flags);
}

int open64(const char *path, int flags, ...) {
    REAL(open64);
    OPEN_MODE(flags)
    OPEN(AT_FDCWD, path, flags);
    return (int)open_noted(real(path, flags, mode), full, flags);
}

int openat(int folder, const char *path, int flags, ...) {
    REAL(openat);
    OPEN_MODE(flags)
    OPEN(folder, path, flags);
    return (int)open_noted(real(folder, path, flags, mode), full, flags);
}

int openat64(int folder, const char *path, int flags, ...) {
    REAL(openat64);
    OPEN_MODE(flags)
    OPEN(folder, path, flags);
    return (int)open_noted(real(folder, path, flags, mode), full, flags);
}

int creat(const char *path, mode_t mode) {
    return open(path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}

FILE *fopen(const char *path, const char *mode) {
    REAL(fopen);
    char full[PATH_SIZE];
    absolute(AT_FDCWD, path, full);
    const int error = open_fault(full, mode[0] == 'r' && strchr(mode, '+') == NULL ? O_RDONLY : O_RDWR);
    if (error == 0)
        return real(path, mode);
    refuse("open", full, NULL, error);
    return NULL;
}

DIR *opendir(const char *path) {
    REAL(opendir);
    char full[PATH_SIZE];
    absolute(AT_FDCWD, path, full);
    const int error = open_fault(full, O_RDONLY);
    if (error == 0)
        return real(path);
    refuse("open", full, NULL, error);
    return NULL;
}

/* Only files have faults and a line each; what goes to a socket is a line, too: what was promised to whom. */
static int write_fault(int fd, char *path, const char **name) {
    *name = NULL;
    if (is_standard(fd))
        return 0;
    const mode_t kind = kind_of(fd);
    *name = kind == S_IFREG ? "write" : kind == S_IFSOCK ? "send" : NULL;
    if (*name == NULL)
        return 0;
    name_of(fd, path);
    return kind == S_IFREG ? fault_of(CALL_WRITE, path, SIZE_MAX) : 0;
}

#define WRITE(function, ...)                                                                                 \
    REAL(function);                                                                                          \
    char path[PATH_SIZE];                                                                                    \
    const char *name;                                                                                        \
    const int error = write_fault(fd, path, &name);                                                          \
    if (error != 0)                                                                                          \
        return refuse("write", path, NULL, error);                                                           \
    const ssize_t put = real(__VA_ARGS__);                                                                   \
    return name == NULL ? put : noted(put, name, path, NULL)

ssize_t write(int fd, const void *bytes, size_t size) {
    WRITE(write, fd, bytes, size);
}

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t at) {
    WRITE(pwrite, fd, bytes, size, at);
}

ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t at) {
    WRITE(pwrite64, fd, bytes, size, at);
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
    WRITE(writev, fd, parts, count);
}

ssize_t send(int fd, const void *bytes, size_t size, int flags) {
    WRITE(send, fd, bytes, size, flags);
}

ssize_t sendmsg(int fd, const struct msghdr *message, int flags) {
    WRITE(sendmsg, fd, message, flags);
}

/* A call on the file of a descriptor. */
#define ON_FILE(function, call, word, ...)                                                                   \
    REAL(function);                                                                                          \
    char path[PATH_SIZE];                                                                                    \
    const int error = fault_of(call, name_of(fd, path), SIZE_MAX);                                           \
    if (error != 0)                                                                                          \
        return refuse(word, path, NULL, error);                                                              \
    return (int)noted(real(__VA_ARGS__), word, path, NULL)

int fsync(int fd) {
    ON_FILE(fsync, CALL_SYNC, "sync", fd);
}

int fdatasync(int fd) {
    ON_FILE(fdatasync, CALL_SYNC, "sync", fd);
}

int ftruncate(int fd, off_t size) {
    ON_FILE(ftruncate, CALL_TRUNCATE, "truncate", fd, size);
}

int ftruncate64(int fd, off64_t size) {
    ON_FILE(ftruncate64, CALL_TRUNCATE, "truncate", fd, size);
}

/* A call on a name. */
#define ON_NAME(function, call, word, folder, path, ...)                                                     \
    REAL(function);                                                                                          \
    char full[PATH_SIZE];                                                                                    \
    const int error = fault_of(call, absolute(folder, path, full), SIZE_MAX);                                \
    if (error != 0)                                                                                          \
        return refuse(word, full, NULL, error);                                                              \
    return (int)noted(real(__VA_ARGS__), word, full, NULL)

int mkdir(const char *path, mode_t mode) {
    ON_NAME(mkdir, CALL_MKDIR, "mkdir", AT_FDCWD, path, path, mode);
}

int mkdirat(int folder, const char *path, mode_t mode) {
    ON_NAME(mkdirat, CALL_MKDIR, "mkdir", folder, path, folder, path, mode);
}

int unlink(const char *path) {
    ON_NAME(unlink, CALL_UNLINK, "unlink", AT_FDCWD, path, path);
}

int unlinkat(int folder, const char *path, int flags) {
    ON_NAME(unlinkat, CALL_UNLINK, "unlink", folder, path, folder, path, flags);
}

/* A call that renames a file; rules match the new name. */
#define ON_NAMES(function, call, word, from_folder, to_folder, ...)                                          \
    REAL(function);                                                                                          \
    char old[PATH_SIZE], new[PATH_SIZE];                                                                     \
    absolute(from_folder, from, old);                                                                        \
    const int error = fault_of(call, absolute(to_folder, to, new), SIZE_MAX);                                \
    if (error != 0)                                                                                          \
        return refuse(word, old, new, error);                                                                \
    return (int)noted(real(__VA_ARGS__), word, old, new)

int rename(const char *from, const char *to) {
    ON_NAMES(rename, CALL_RENAME, "rename", AT_FDCWD, AT_FDCWD, from, to);
}

int renameat(int from_folder, const char *from, int to_folder, const char *to) {
    ON_NAMES(renameat, CALL_RENAME, "rename", from_folder, to_folder, from_folder, from, to_folder, to);
}

int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags) {
    ON_NAMES(renameat2, CALL_RENAME, "rename", from_folder, to_folder, from_folder, from, to_folder, to,
             flags);
}

int link(const char *from, const char *to) {
    ON_NAMES(link, CALL_LINK, "link", AT_FDCWD, AT_FDCWD, from, to);
}

int linkat(int from_folder, const char *from, int to_folder, const char *to, int flags) {
    ON_NAMES(linkat, CALL_LINK, "link", from_folder, to_folder, from_folder, from, to_folder, to, flags);
}

/* A call that has no file. */
#define NAMELESS(function, call, word, ...)                                                                  \
    REAL(function);                                                                                          \
    const int error = fault_of(call, NULL, SIZE_MAX);                                                        \
    if (error != 0)                                                                                          \
        return refuse(word, NULL, NULL, error);                                                              \
    return real(__VA_ARGS__)

int pipe(int ends[2]) {
    NAMELESS(pipe, CALL_PIPE, "pipe", ends);
}

int pipe2(int ends[2], int flags) {
    NAMELESS(pipe2, CALL_PIPE, "pipe", ends, flags);
}

int socket(int domain, int type, int protocol) {
    NAMELESS(socket, CALL_SOCKET, "socket", domain, type, protocol);
}

int socketpair(int domain, int type, int protocol, int ends[2]) {
    NAMELESS(socketpair, CALL_SOCKET, "socket", domain, type, protocol, ends);
}

int accept(int fd, __SOCKADDR_ARG address, socklen_t *restrict size) {
    NAMELESS(accept, CALL_ACCEPT, "accept", fd, address, size);
}

int accept4(int fd, __SOCKADDR_ARG address, socklen_t *restrict size, int flags) {
    NAMELESS(accept4, CALL_ACCEPT, "accept", fd, address, size, flags);
}

int dup(int fd) {
    NAMELESS(dup, CALL_DUP, "dup", fd);
}

int epoll_create1(int flags) {
    NAMELESS(epoll_create1, CALL_POLL, "poll", flags);
}

int eventfd(unsigned value, int flags) {
    NAMELESS(eventfd, CALL_POLL, "poll", value, flags);
}

int poll(struct pollfd *fds, nfds_t count, int ms) {
    NAMELESS(poll, CALL_WAIT, "wait", fds, count, ms);
}

pid_t fork(void) {
    REAL(fork);
    const int error = fault_of(CALL_FORK, NULL, SIZE_MAX);
    return error == 0 ? real() : refuse("fork", NULL, NULL, error);
}

/* Only its F_DUPFDs make descriptors. */
#define FCNTL(function)                                                                                      \
    REAL(function);                                                                                          \
    va_list arguments;                                                                                       \
    va_start(arguments, command);                                                                            \
    void *argument = va_arg(arguments, void *);                                                              \
    va_end(arguments);                                                                                       \
    const bool makes = command == F_DUPFD || command == F_DUPFD_CLOEXEC;                                     \
    const int error = makes ? fault_of(CALL_DUP, NULL, SIZE_MAX) : 0;                                        \
    if (error != 0)                                                                                          \
        return refuse("dup", NULL, NULL, error);                                                             \
    return real(fd, command, argument)

int fcntl(int fd, int command, ...) {
    FCNTL(fcntl);
}

int fcntl64(int fd, int command, ...) {
    FCNTL(fcntl64);
}

/* These return their error. */
static void wait_for_watcher(void);

int pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attributes,
                   void *(*run)(void *), void *restrict argument) {
    REAL(pthread_create);
    const int error = fault_of(CALL_THREAD, NULL, SIZE_MAX);
    if (error != 0) {
        note("thread", NULL, NULL, error);
        return error;
    }
    const int result = real(thread, attributes, run, argument);
    if (result == 0 && tick_ns > 0)
        wait_for_watcher();
    return result;
}

int posix_spawn(pid_t *restrict pid, const char *restrict path, const posix_spawn_file_actions_t *actions,
                const posix_spawnattr_t *restrict attributes, char *const arguments[restrict],
                char *const variables[restrict]) {
    REAL(posix_spawn);
    const int error = fault_of(CALL_FORK, NULL, SIZE_MAX);
    if (error == 0)
        return real(pid, path, actions, attributes, arguments, variables);
    note("fork", NULL, NULL, error);
    return error;
}

int posix_spawnp(pid_t *restrict pid, const char *restrict path, const posix_spawn_file_actions_t *actions,
                 const posix_spawnattr_t *restrict attributes, char *const arguments[restrict],
                 char *const variables[restrict]) {
    REAL(posix_spawnp);
    const int error = fault_of(CALL_FORK, NULL, SIZE_MAX);
    if (error == 0)
        return real(pid, path, actions, attributes, arguments, variables);
    note("fork", NULL, NULL, error);
    return error;
}

/* ---- memory ---- */

/* dlsym allocates: these are called by the names that glibc has for them. */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);

static bool memory_fails(size_t size) {
    const int error = rule_count > 0 ? fault_of(CALL_MEMORY, NULL, size) : 0;
    if (error == 0)
        return false;
    refuse("memory", NULL, NULL, error);
    return true;
}

void *malloc(size_t size) {
    return memory_fails(size) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    return memory_fails(count * size) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *block, size_t size) {
    return size > 0 && memory_fails(size) ? NULL : __libc_realloc(block, size);
}

void *mmap(void *address, size_t size, int protection, int flags, int fd, off_t at) {
    REAL(mmap);
    const int error = fault_of(CALL_MAP, NULL, size);
    if (error == 0)
        return real(address, size, protection, flags, fd, at);
    refuse("map", NULL, NULL, error);
    return MAP_FAILED;
}

void *mmap64(void *address, size_t size, int protection, int flags, int fd, off64_t at) {
    return mmap(address, size, protection, flags, fd, at);
}

/* ---- clocks ---- */

/* By how many nanoseconds a clock is off at this moment. */
static int64_t shift_of(enum call clock) {
    double sum = 0;
    const double now = rule_count > 0 ? age() : 0;
    for (int i = 0; i < rule_count; i++) {
        const struct rule *r = &rules[i];
        if ((r->calls & BIT(clock)) == 0 || now < r->at)
            continue;
        const double times = r->every > 0 ? 1 + (double)(long)((now - r->at) / r->every) : 1;
        sum += r->jump * times;
    }
    return clock == CALL_MONOTONIC && sum < 0 ? 0 : (int64_t)(sum * 1e9);
}

/* ---- a clock that only readings move ---- */

/* What is measured with it depends on the number of readings alone, and is the same in every run. The first
 * thread that the program starts watches its clock. It sleeps in this time, too: the reading that wakes it
 * waits until it has read the clock, or until it cannot because the reading thread holds its lock. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t change;
    int64_t now_ns, wake_ns; /* wake_ns: when the watcher wakes */
    uint32_t readings;       /* its bits, mixed, are how long the next one takes */
    bool is_watched, sleeps;
    _Atomic(pthread_mutex_t *) awaited; /* the lock that the watcher waits for */
} counted = {.lock = PTHREAD_MUTEX_INITIALIZER, .change = PTHREAD_COND_INITIALIZER};

static _Thread_local bool is_watcher;

/* Does this thread hold the lock that the watcher waits for? The C library writes down whose it is. */
static bool is_in_the_way(void) {
    pthread_mutex_t *lock = counted.awaited;
    return lock != NULL && lock->__data.__owner == (int)syscall(SYS_gettid);
}

/* Waits for the watcher. The caller has counted.lock. */
static void let_watch(void) {
    pthread_cond_broadcast(&counted.change);
    while (!is_in_the_way() && !(counted.sleeps && counted.now_ns < counted.wake_ns))
        pthread_cond_wait(&counted.change, &counted.lock);
}

static int64_t counted_ns(void) {
    pthread_mutex_lock(&counted.lock);
    if (!is_watcher)
        counted.now_ns += tick_ns * (1 + (counted.readings++ * 2654435769U >> 29));
    if (!is_watcher && counted.is_watched && counted.now_ns >= counted.wake_ns)
        let_watch();
    const int64_t now = counted.now_ns;
    pthread_mutex_unlock(&counted.lock);
    return now;
}

static void wait_for_watcher(void) {
    pthread_mutex_lock(&counted.lock);
    while (!counted.is_watched)
        pthread_cond_wait(&counted.change, &counted.lock);
    pthread_mutex_unlock(&counted.lock);
}

static void set_awaited(pthread_mutex_t *lock) {
    pthread_mutex_lock(&counted.lock);
    counted.awaited = lock;
    pthread_cond_broadcast(&counted.change);
    pthread_mutex_unlock(&counted.lock);
}

int pthread_mutex_lock(pthread_mutex_t *lock) {
    REAL(pthread_mutex_lock);
    if (!is_watcher || lock == &counted.lock)
        return real(lock);
    if (pthread_mutex_trylock(lock) == 0)
        return 0;
    set_awaited(lock);
    const int result = real(lock);
    set_awaited(NULL);
    return result;
}

/* A thread that releases the lock lets the waiting watcher read the clock at once. */
int pthread_mutex_unlock(pthread_mutex_t *lock) {
    REAL(pthread_mutex_unlock);
    const bool is_awaited = counted.awaited == lock;
    const int result = real(lock);
    if (!is_awaited)
        return result;
    pthread_mutex_lock(&counted.lock);
    while (!counted.sleeps)
        pthread_cond_wait(&counted.change, &counted.lock);
    real(&counted.lock);
    return result;
}

int nanosleep(const struct timespec *wanted, struct timespec *left) {
    REAL(nanosleep);
    if (tick_ns == 0 || (counted.is_watched && !is_watcher))
        return real(wanted, left);
    pthread_mutex_lock(&counted.lock);
    is_watcher = counted.is_watched = counted.sleeps = true;
    counted.wake_ns = counted.now_ns + (int64_t)wanted->tv_sec * 1000000000 + wanted->tv_nsec;
    pthread_cond_broadcast(&counted.change);
    while (counted.now_ns < counted.wake_ns)
        pthread_cond_wait(&counted.change, &counted.lock);
    counted.sleeps = false;
    pthread_mutex_unlock(&counted.lock);
    return 0;
}

long sysconf(int name) {
    REAL(sysconf);
    for (int i = 0; i < rule_count && name == _SC_NPROCESSORS_ONLN; i++)
        if ((rules[i].calls & BIT(CALL_CORES)) != 0)
            return (long)rules[i].jump;
    return real(name);
}

int clock_gettime(clockid_t clock, struct timespec *out) {
    if (tick_ns > 0 && (clock == CLOCK_MONOTONIC || clock == CLOCK_BOOTTIME)) {
        const int64_t now = counted_ns();
        *out = (struct timespec){.tv_sec = now / 1000000000, .tv_nsec = now % 1000000000};
        return 0;
    }
    const long result = syscall(SYS_clock_gettime, clock, out);
    const bool is_real = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE;
    const bool is_monotonic =
        clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_COARSE || clock == CLOCK_BOOTTIME;
    if (result != 0 || (!is_real && !is_monotonic))
        return (int)result;
    const int64_t ns =
        (int64_t)out->tv_sec * 1000000000 + out->tv_nsec + shift_of(is_real ? CALL_REALTIME : CALL_MONOTONIC);
    out->tv_sec = ns / 1000000000;
    out->tv_nsec = ns % 1000000000;
    return 0;
}

int gettimeofday(struct timeval *restrict out, void *restrict zone) {
    (void)zone;
    const int64_t ns = true_ns(CLOCK_REALTIME) + shift_of(CALL_REALTIME);
    *out = (struct timeval){.tv_sec = ns / 1000000000, .tv_usec = ns % 1000000000 / 1000};
    return 0;
}

time_t time(time_t *out) {
    const time_t now = (true_ns(CLOCK_REALTIME) + shift_of(CALL_REALTIME)) / 1000000000;
    if (out != NULL)
        *out = now;
    return now;
}
