/* SPDX-License-Identifier: MIT
 *
 * Files in memory, below the root of a mounted file system, and all others on the disk.
 */
#include "base/file.h"

#include "base/mem.h"
#include "base/numbers.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#define DRAFT_PREFIX ".senjutsu-"
#define DRAFT_ENDING ".tmp"

enum {
    DRAFT_DIGITS = 16,
    ATTEMPTS = 16,
    ENTRIES_MAX =
        2048, /* entries of a folder that are searched for leftovers before its first file is written */
    FOLDERS_SEEN = 64, /* folders whose leftovers were already removed */
};

static bool refuse_write(const char *path, int reason, struct err *e) {
    return err_code(e, "refused.file", "%s: cannot be written: %s", path, strerror(reason));
}

static bool refuse_removal(const char *path, struct err *e) {
    return err_code(e, "refused.file_removal", "%s: cannot be removed: %s", path, strerror(errno));
}

static bool refuse_size(const char *path, size_t size_max, struct err *e) {
    return err_set(e, "%s: larger than %zu bytes, the most that is read of such a file", path, size_max);
}

/* ---- files in memory ----
 *
 * All files and folders are one list, sorted by path. The list is short (hundreds of maps, tables and jobs):
 * binary search and moving the rest of the list are cheaper than a tree. */

enum { NODES_MAX = 1 << 16, NAME_SIZE_MAX = 255 };

struct node {
    char *path;
    enum file_kind kind;
    struct text bytes;
    struct file_object object;
};

struct file_memory {
    const char *root;
    pthread_mutex_t lock;
    struct node *nodes;
    int count, room;
};

/* At most one is mounted at a time. No other thread may use files while that changes. */
static struct file_memory *mounted;

struct file_memory *file_system_of(const char *path) {
    const size_t size = mounted != NULL ? strlen(mounted->root) : 0;
    return size > 0 && strncmp(path, mounted->root, size) == 0 && (path[size] == '/' || path[size] == '\0')
               ? mounted
               : NULL;
}

/* Index of the first node that does not come before the path. */
static int place_of(const struct file_memory *m, const char *path) {
    int low = 0, high = m->count;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (strcmp(m->nodes[middle].path, path) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static struct node *find(const struct file_memory *m, const char *path) {
    const int at = place_of(m, path);
    return at < m->count && strcmp(m->nodes[at].path, path) == 0 ? &m->nodes[at] : NULL;
}

/* A node holds bytes or an object; either goes. */
static void node_empty(struct node *node) {
    text_done(&node->bytes);
    if (node->object.object != NULL)
        node->object.drop(node->object.object);
    node->object = (struct file_object){0};
}

/* Removes the node at that index. */
static void cut(struct file_memory *m, int at) {
    node_empty(&m->nodes[at]);
    mem_free(m->nodes[at].path);
    memmove(&m->nodes[at], &m->nodes[at + 1], (size_t)(m->count - at - 1) * sizeof m->nodes[0]);
    m->count--;
}

/* True when a disk would accept every name of the path and none leads elsewhere. */
static bool is_good_path(const char *path) {
    for (const char *at = path;; at++) {
        const size_t size = strcspn(at, "/");
        if ((size == 0 && at != path) || size > NAME_SIZE_MAX || (size == 1 && at[0] == '.') ||
            (size == 2 && at[0] == '.' && at[1] == '.'))
            return false;
        at += size;
        if (*at == '\0')
            return true;
    }
}

/* The new node, or NULL and the reason that a disk would give. */
static struct node *add(struct file_memory *m, const char *path, enum file_kind kind, struct err *e) {
    char folder[FILE_PATH_MAX] = "";
    const char *slash = strrchr(path, '/');
    const size_t size = slash != NULL ? (size_t)(slash - path) : 0;
    if (size < sizeof folder)
        memcpy(folder, path, size);
    const struct node *parent = find(m, folder);
    const int reason = !is_good_path(path)           ? EINVAL
                       : strcmp(path, m->root) == 0  ? 0
                       : size >= sizeof folder       ? ENAMETOOLONG
                       : parent == NULL              ? ENOENT
                       : parent->kind != FILE_FOLDER ? ENOTDIR
                       : m->count == NODES_MAX       ? ENOMEM
                                                     : 0;
    if (reason != 0) {
        if (kind == FILE_FOLDER)
            err_set(e, "%s: cannot be made: %s", path, strerror(reason));
        else
            refuse_write(path, reason, e);
        return NULL;
    }
    char *copy = mem_copy(path, strlen(path) + 1);
    m->nodes = mem_grow(m->nodes, &m->room, m->count + 1, sizeof *m->nodes);
    const int at = place_of(m, path);
    memmove(&m->nodes[at + 1], &m->nodes[at], (size_t)(m->count - at) * sizeof m->nodes[0]);
    m->nodes[at] = (struct node){.path = copy, .kind = kind};
    m->count++;
    return &m->nodes[at];
}

/* Returns `ok`, so that every way out of a locked function is one line. */
static bool unlock(struct file_memory *m, bool ok) {
    pthread_mutex_unlock(&m->lock);
    return ok;
}

/* Messages are those of the disk, word for word: tests of callers hold for both. */
static bool memory_read(struct file_memory *m, const char *path, size_t size_max, struct text *out,
                        struct err *e) {
    pthread_mutex_lock(&m->lock);
    const struct node *node = find(m, path);
    if (node == NULL)
        return unlock(m, err_set(e, "%s: cannot be opened: %s", path, strerror(ENOENT)));
    if (node->kind != FILE_PLAIN)
        return unlock(m, err_set(e, "%s: cannot be read: %s", path, strerror(EISDIR)));
    if (node->bytes.size > size_max)
        return unlock(m, refuse_size(path, size_max, e));
    text_add_bytes(out, text_string(&node->bytes), node->bytes.size);
    return unlock(m, true);
}

/* The bytes are copied before the lock is taken: other threads wait less. */
static bool memory_write(struct file_memory *m, const char *path, const char *bytes, size_t size,
                         struct err *e) {
    struct text text = {0};
    text_add_bytes(&text, bytes, size);
    pthread_mutex_lock(&m->lock);
    struct node *node = find(m, path);
    if (node != NULL && node->kind != FILE_PLAIN)
        refuse_write(path, EISDIR, e);
    else if (node != NULL || (node = add(m, path, FILE_PLAIN, e)) != NULL) {
        node_empty(node);
        node->bytes = text;
        return unlock(m, true);
    }
    text_done(&text);
    return unlock(m, false);
}

/* True when the node's path is below the folder's. */
static bool is_below(const struct node *node, const char *folder, size_t size) {
    return strncmp(node->path, folder, size) == 0 && node->path[size] == '/';
}

/* Visits a copy of the names, because a visitor may change the folder. */
static bool memory_list(struct file_memory *m, const char *folder, const struct file_visit *visit,
                        struct err *e) {
    struct text names = {0}; /* each ended by a zero byte */
    const size_t size = strlen(folder);
    pthread_mutex_lock(&m->lock);
    const struct node *node = find(m, folder);
    if (node == NULL || node->kind != FILE_FOLDER)
        return unlock(
            m, err_set(e, "%s: cannot be read: %s", folder, strerror(node == NULL ? ENOENT : ENOTDIR)));
    for (int i = 0; i < m->count; i++) {
        const char *name = is_below(&m->nodes[i], folder, size) ? m->nodes[i].path + size + 1 : NULL;
        if (name != NULL && strchr(name, '/') == NULL)
            text_add_bytes(&names, name, strlen(name) + 1);
    }
    unlock(m, true);
    for (const char *at = names.data; at != NULL && at < names.data + names.size; at += strlen(at) + 1)
        if (!visit->entry(visit->context, at))
            break;
    text_done(&names);
    return true;
}

/* Removes a file, or a folder with everything below it. Backwards, because the list closes up. */
static bool memory_remove(struct file_memory *m, const char *path) {
    const size_t size = strlen(path);
    pthread_mutex_lock(&m->lock);
    for (int i = m->count - 1; i >= 0; i--)
        if (strcmp(m->nodes[i].path, path) == 0 || is_below(&m->nodes[i], path, size))
            cut(m, i);
    return unlock(m, true);
}

bool file_memory_put(const char *path, struct file_object object, struct err *e) {
    struct file_memory *m = file_system_of(path);
    assert(m != NULL);
    assert(object.object != NULL);
    pthread_mutex_lock(&m->lock);
    if (find(m, path) != NULL)
        return unlock(m, err_set(e, "%s: is there already", path));
    struct node *node = add(m, path, FILE_PLAIN, e);
    if (node != NULL)
        node->object = object;
    return unlock(m, node != NULL);
}

void *file_memory_get(const char *path) {
    struct file_memory *m = file_system_of(path);
    assert(m != NULL);
    pthread_mutex_lock(&m->lock);
    const struct node *node = find(m, path);
    void *object = node != NULL ? node->object.object : NULL;
    if (object != NULL)
        node->object.hold(object);
    unlock(m, true);
    return object;
}

struct file_memory *file_memory_open(const char *root) {
    struct file_memory *m = mem_alloc(sizeof *m);
    m->root = root;
    pthread_mutex_init(&m->lock, NULL);
    if (add(m, root, FILE_FOLDER, NULL) == NULL) {
        file_memory_close(m);
        return NULL;
    }
    assert(mounted == NULL);
    mounted = m;
    return m;
}

void file_memory_close(struct file_memory *memory) {
    if (memory == NULL)
        return;
    mounted = NULL;
    while (memory->count > 0)
        cut(memory, memory->count - 1);
    pthread_mutex_destroy(&memory->lock);
    mem_free(memory->nodes);
    mem_free(memory);
}

/* ---- reading from the disk ---- */

/* The limit holds for the bytes that are read, not for a size that the system reports: a device or a
 * growing file has none. */
static bool read_all(int fd, const char *path, size_t size_max, struct text *out, struct err *e) {
    char buffer[65536];
    size_t total = 0;
    for (;;) {
        ssize_t got = read(fd, buffer, sizeof buffer);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return err_set(e, "%s: cannot be read: %s", path, strerror(errno));
        if (got == 0)
            break;
        total += (size_t)got;
        if (total > size_max)
            return refuse_size(path, size_max, e);
        if (!text_reserve(out, (size_t)got))
            return err_set(e, "%s: not enough memory to read it", path);
        text_add_bytes(out, buffer, (size_t)got);
    }
    return true;
}

bool file_path(char out[FILE_PATH_MAX], struct err *e, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const int n = vsnprintf(out, FILE_PATH_MAX, format, args);
    va_end(args);
    return n < FILE_PATH_MAX || err_set(e, "%.200s: the name is too long", out);
}

bool file_read(const char *path, size_t size_max, struct text *out, struct err *e) {
    struct file_memory *memory = file_system_of(path);
    if (memory != NULL)
        return memory_read(memory, path, size_max, out, e);
    if (strcmp(path, "-") == 0)
        return read_all(STDIN_FILENO, "standard input", size_max, out, e);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return err_set(e, "%s: cannot be opened: %s", path, strerror(errno));
    struct stat info;
    const bool is_large =
        fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && (unsigned long long)info.st_size > size_max;
    const bool ok = is_large ? refuse_size(path, size_max, e) : read_all(fd, path, size_max, out, e);
    close(fd);
    return ok;
}

/* ---- folders ---- */

/* The folder that contains a path: "." for a bare name. */
static bool folder_of(const char *path, char out[FILE_PATH_MAX], struct err *e) {
    size_t size = strlen(path);
    while (size > 1 && path[size - 1] == '/')
        size--;
    while (size > 0 && path[size - 1] != '/')
        size--;
    while (size > 1 && path[size - 1] == '/')
        size--;
    if (size >= FILE_PATH_MAX)
        return err_set(e, "%.80s…: the name is too long", path);
    memcpy(out, size > 0 ? path : ".", size > 0 ? size : 1);
    out[size > 0 ? size : 1] = '\0';
    return true;
}

/* Some file systems do not support fsync; then there is nothing to wait for. */
static bool sync_file(int fd) {
    return fsync(fd) == 0 || errno == EINVAL || errno == EROFS;
}

/* A folder (O_DIRECTORY) that may not be read can still be written to, but not waited for. On false errno has
 * the reason. */
static bool sync_path(const char *path, int flags) {
    const int fd = open(path, O_RDONLY | O_CLOEXEC | flags);
    if (fd < 0)
        return flags == O_DIRECTORY && errno == EACCES;
    const bool ok = sync_file(fd);
    const int reason = errno;
    close(fd);
    errno = reason;
    return ok;
}

/* Waits until a new, changed or removed name in its folder is on the disk. */
static bool sync_name(const char *path, struct err *e) {
    char folder[FILE_PATH_MAX];
    if (!folder_of(path, folder, e))
        return false;
    return sync_path(folder, O_DIRECTORY) || refuse_write(path, errno, e);
}

/* ---- leftovers ---- */

/* The name of a temporary file of this version, and nothing else: the file may be deleted. */
static bool is_draft(const char *name) {
    const size_t size = strlen(name);
    return size == sizeof DRAFT_PREFIX - 1 + DRAFT_DIGITS + sizeof DRAFT_ENDING - 1 &&
           strncmp(name, DRAFT_PREFIX, sizeof DRAFT_PREFIX - 1) == 0 &&
           strspn(name + sizeof DRAFT_PREFIX - 1, "0123456789abcdef") == DRAFT_DIGITS &&
           strcmp(name + size - (sizeof DRAFT_ENDING - 1), DRAFT_ENDING) == 0;
}

/* "NAME.123.tmp", of earlier versions */
static bool is_old_draft(const char *name) {
    const char *end = name + strlen(name);
    if (end - name < 4 || strcmp(end - 4, ".tmp") != 0)
        return false;
    const char *digits = end - 4;
    while (digits > name && digits[-1] >= '0' && digits[-1] <= '9')
        digits--;
    return digits < end - 4 && digits - name >= 2 && digits[-1] == '.';
}

/* True for a temporary file of this program whose writer does not hold its lock any more. */
static bool is_left(int folder, const char *name) {
    const int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat info;
    const bool left = fd >= 0 && fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_uid == geteuid() &&
                      flock(fd, LOCK_EX | LOCK_NB) == 0;
    if (fd >= 0)
        close(fd);
    return left;
}

/* Looks at the first `entries_max` names of the folder. A file that cannot be removed stays; the first of
 * these is reported. */
static bool remove_left(const char *folder, int entries_max, bool old_too, struct err *e) {
    DIR *dir = opendir(folder);
    if (dir == NULL)
        return errno == ENOENT || err_set(e, "%s: cannot be read: %s", folder, strerror(errno));
    bool ok = true;
    const struct dirent *entry;
    for (int i = 0; i < entries_max && (entry = readdir(dir)) != NULL; i++) {
        const char *name = entry->d_name;
        if (!(old_too && is_old_draft(name)) && !(is_draft(name) && is_left(dirfd(dir), name)))
            continue;
        if (unlinkat(dirfd(dir), name, 0) != 0 && errno != ENOENT && ok)
            ok = err_set(e, "%s/%.100s: cannot be removed: %s", folder, name, strerror(errno));
    }
    closedir(dir);
    return ok;
}

bool file_remove_leftovers(const char *folder, struct err *e) {
    /* A folder in memory has no temporary names. */
    return file_system_of(folder) != NULL || remove_left(folder, INT_MAX, true, e);
}

/* ---- writing ---- */

/* Opens a temporary file for `path` in its folder; returns its descriptor, -1 on failure. The lock, if the
 * file system has locks, marks the file as being written; another writer may have removed the file as a
 * leftover just before it is taken.
 * Everywhere else randomness is an argument, so that results are repeatable. A temporary name is in no
 * result, and others could occupy a predictable name first: so it comes from the system. */
static int open_draft(const char *path, char draft[FILE_PATH_MAX], struct err *e) {
    char folder[FILE_PATH_MAX];
    struct stat info;
    unsigned char b[DRAFT_DIGITS / 2];
    if (!folder_of(path, folder, e))
        return -1;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        if (getrandom(b, sizeof b, 0) != (ssize_t)sizeof b) {
            err_set(e, "%s: no random numbers for a temporary name: %s", folder, strerror(errno));
            return -1;
        }
        if (!file_path(draft, e, "%s/" DRAFT_PREFIX "%02x%02x%02x%02x%02x%02x%02x%02x" DRAFT_ENDING, folder,
                       b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7]))
            return -1;
        const int fd = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (fd < 0 && errno == EEXIST)
            continue;
        if (fd < 0) {
            refuse_write(path, errno, e);
            return -1;
        }
        const bool is_locked = flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
        if (is_locked && fstat(fd, &info) == 0 && info.st_nlink > 0)
            return fd;
        close(fd);
    }
    err_code(e, "refused.file", "%s: cannot be written: %s", path,
             "others take every temporary name in its folder");
    return -1;
}

/* write may take a part of the bytes; a signal may interrupt it before any. */
static bool write_all(int fd, const char *bytes, size_t size, bool sync) {
    while (size > 0) {
        ssize_t put = write(fd, bytes, size);
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            return false;
        bytes += put;
        size -= (size_t)put;
    }
    if (sync)
        return sync_file(fd);
    /* A network file system may report a failed write only at close. So a copy of the descriptor is closed;
     * the file itself stays open, because its lock ends with it. */
    const int copy = dup(fd);
    return copy >= 0 && close(copy) == 0;
}

/* Renaming over a device, a pipe or a link like /dev/stdout would replace it. */
static bool is_special_file(const char *path) {
    struct stat info;
    if (stat(path, &info) != 0)
        return false;
    const bool is_system = strncmp(path, "/dev/", 5) == 0 || strncmp(path, "/proc/", 6) == 0;
    return !S_ISREG(info.st_mode) || (is_system && lstat(path, &info) == 0 && S_ISLNK(info.st_mode));
}

/* Devices and pipes are written directly. Otherwise the lock is held until the file has its final name. */
static bool write_file(const char *path, const char *bytes, size_t size, bool sync, struct err *e) {
    char draft[FILE_PATH_MAX];
    const bool is_special = is_special_file(path);
    const int fd = is_special ? open(path, O_WRONLY | O_APPEND | O_CLOEXEC) : open_draft(path, draft, e);
    if (fd < 0)
        return is_special && refuse_write(path, errno, e);
    const bool ok =
        write_all(fd, bytes, size, sync || is_special) && (is_special || rename(draft, path) == 0);
    const int reason = errno;
    if (!ok && !is_special)
        unlink(draft);
    close(fd);
    if (!ok)
        return refuse_write(path, reason, e);
    return is_special || !sync || sync_name(path, e);
}

/* The first write to a folder removes leftovers. Folders that share a slot displace each other and are
 * searched again. Only the first entries are read, so that it takes no noticeable time. */
bool file_write(const char *path, const char *bytes, size_t size, struct err *e) {
    static _Atomic uint64_t seen[FOLDERS_SEEN];
    char folder[FILE_PATH_MAX];
    struct file_memory *memory = file_system_of(path);
    if (memory != NULL)
        return memory_write(memory, path, bytes, size, e);
    if (!folder_of(path, folder, e))
        return false;
    const uint64_t key = hash_bytes(HASH_START, folder, strlen(folder));
    if (atomic_exchange(&seen[key % FOLDERS_SEEN], key) != key)
        remove_left(folder, ENTRIES_MAX, false, NULL);
    return write_file(path, bytes, size, true, e);
}

bool file_write_soon(const char *path, const char *bytes, size_t size, struct err *e) {
    struct file_memory *memory = file_system_of(path);
    return memory != NULL ? memory_write(memory, path, bytes, size, e)
                          : write_file(path, bytes, size, false, e);
}

bool file_sync(const char *path, struct err *e) {
    if (file_system_of(path) != NULL)
        return true;
    return sync_path(path, 0) ? sync_name(path, e) : refuse_write(path, errno, e);
}

/* ---- removing ---- */

bool file_remove(const char *path, struct err *e) {
    struct file_memory *memory = file_system_of(path);
    if (memory != NULL)
        return memory_remove(memory, path);
    if (unlink(path) != 0)
        return errno == ENOENT || refuse_removal(path, e);
    return sync_name(path, e);
}

enum { DEPTH_MAX = 4 };

/* "." and ".." */
static bool is_self_or_parent(const char *name) {
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

static bool empty_folder(int fd, int depth);

/* A file, a link, or a folder with its contents. AT_FDCWD and a path serve as well. */
static bool remove_entry(int parent, const char *name, int depth) {
    if (unlinkat(parent, name, 0) == 0)
        return true;
    const int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    return fd >= 0 && empty_folder(fd, depth + 1) && unlinkat(parent, name, AT_REMOVEDIR) == 0;
}

/* Closes the descriptor. */
static bool empty_folder(int fd, int depth) {
    DIR *folder = depth <= DEPTH_MAX ? fdopendir(fd) : NULL;
    if (folder == NULL) {
        close(fd);
        return false;
    }
    bool ok = true;
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;)
        if (!is_self_or_parent(entry->d_name))
            ok = remove_entry(dirfd(folder), entry->d_name, depth) && ok;
    closedir(folder);
    return ok;
}

bool file_remove_folder(const char *path, struct err *e) {
    struct file_memory *memory = file_system_of(path);
    if (memory != NULL)
        return memory_remove(memory, path);
    return remove_entry(AT_FDCWD, path, 0) || errno == ENOENT || refuse_removal(path, e);
}

/* ---- names and folders ---- */

/* A link is not followed: callers that read or remove plain files only must not be led elsewhere. */
enum file_kind file_kind(const char *path) {
    struct file_memory *memory = file_system_of(path);
    struct stat info;
    if (memory != NULL) {
        pthread_mutex_lock(&memory->lock);
        const struct node *node = find(memory, path);
        const enum file_kind kind = node != NULL ? node->kind : FILE_NONE;
        unlock(memory, true);
        return kind;
    }
    if (lstat(path, &info) != 0)
        return FILE_NONE;
    return S_ISREG(info.st_mode) ? FILE_PLAIN : S_ISDIR(info.st_mode) ? FILE_FOLDER : FILE_OTHER;
}

bool file_is_plain(const char *path) {
    return file_kind(path) == FILE_PLAIN;
}

bool file_exists(const char *path) {
    return file_system_of(path) != NULL ? file_kind(path) != FILE_NONE : access(path, F_OK) == 0;
}

/* The visitor may remove the entry it is shown: readdir allows it. */
bool file_list(const char *folder, const struct file_visit *visit, struct err *e) {
    struct file_memory *memory = file_system_of(folder);
    if (memory != NULL)
        return memory_list(memory, folder, visit, e);
    DIR *dir = opendir(folder);
    if (dir == NULL)
        return err_set(e, "%s: cannot be read: %s", folder, strerror(errno));
    for (const struct dirent *entry; (entry = readdir(dir)) != NULL;)
        if (!is_self_or_parent(entry->d_name) && !visit->entry(visit->context, entry->d_name))
            break;
    closedir(dir);
    return true;
}

bool file_make_folder(const char *path, struct err *e) {
    struct file_memory *memory = file_system_of(path);
    struct stat info;
    if (memory != NULL) {
        pthread_mutex_lock(&memory->lock);
        const struct node *node = find(memory, path);
        return unlock(memory, node != NULL ? node->kind == FILE_FOLDER || err_set(e, "%s: is no folder", path)
                                           : add(memory, path, FILE_FOLDER, e) != NULL);
    }
    if (mkdir(path, 0777) == 0)
        return sync_name(path, e);
    if (errno != EEXIST)
        return err_set(e, "%s: cannot be made: %s", path, strerror(errno));
    return (stat(path, &info) == 0 && S_ISDIR(info.st_mode)) || err_set(e, "%s: is no folder", path);
}
