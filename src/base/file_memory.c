/* SPDX-License-Identifier: MIT
 *
 * Files in memory, an implementation of base/file_system.h. All files and folders are one list, sorted by
 * path. The list is short (hundreds of maps, tables and jobs): binary search and moving the rest of the list
 * are cheaper than a tree.
 */
#include "base/file_system.h"

#include "base/mem.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>

enum { NODES_MAX = 1 << 16, NAME_SIZE_MAX = 255, PATH_SIZE = 4096 };

struct node {
    char *path;
    enum file_kind kind;
    struct text bytes;
    struct file_object object;
};

struct file_memory {
    struct file_system system;
    pthread_mutex_t lock;
    struct node *nodes;
    int count, room;
};

/* ---- the list ---- */

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

static void node_empty(struct node *node) {
    text_done(&node->bytes);
    if (node->object.object != NULL)
        node->object.drop(node->object.object);
    node->object = (struct file_object){0};
}

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

/* 0, or the disk's reason (errno) why nothing can be created there. */
static int find_parent(const struct file_memory *m, const char *path) {
    const char *slash = strrchr(path, '/');
    char parent[PATH_SIZE];
    const size_t size = slash != NULL ? (size_t)(slash - path) : 0;
    if (strcmp(path, m->system.root) == 0)
        return 0;
    if (size >= sizeof parent)
        return ENAMETOOLONG;
    memcpy(parent, path, size);
    parent[size] = '\0';
    const struct node *node = find(m, parent);
    return node == NULL ? ENOENT : node->kind != FILE_FOLDER ? ENOTDIR : 0;
}

/* The new node, or NULL and a reason. */
static struct node *add(struct file_memory *m, const char *path, enum file_kind kind, struct err *e) {
    int reason = is_good_path(path) ? find_parent(m, path) : EINVAL;
    if (reason == 0 && m->count == NODES_MAX)
        reason = ENOMEM;
    if (reason != 0) {
        err_set(e, "%s: cannot be %s: %s", path, kind == FILE_FOLDER ? "made" : "written", strerror(reason));
        return NULL;
    }
    char *copy = mem_copy_string(path);
    m->nodes = mem_grow(m->nodes, &m->room, m->count + 1, sizeof *m->nodes);
    const int at = place_of(m, path);
    memmove(&m->nodes[at + 1], &m->nodes[at], (size_t)(m->count - at) * sizeof m->nodes[0]);
    m->nodes[at] = (struct node){.path = copy, .kind = kind};
    m->count++;
    return &m->nodes[at];
}

static struct file_memory *lock(struct file_system *system) {
    struct file_memory *m = (struct file_memory *)system;
    pthread_mutex_lock(&m->lock);
    return m;
}

static bool unlock(struct file_memory *m, bool ok) {
    pthread_mutex_unlock(&m->lock);
    return ok;
}

/* ---- the interface ---- */

static bool memory_read(struct file_system *system, const char *path, size_t size_max, struct text *out,
                        struct err *e) {
    struct file_memory *m = lock(system);
    const struct node *node = find(m, path);
    if (node == NULL)
        return unlock(m, err_set(e, "%s: cannot be opened: %s", path, strerror(ENOENT)));
    if (node->kind != FILE_PLAIN)
        return unlock(m, err_set(e, "%s: cannot be read: %s", path, strerror(EISDIR)));
    if (node->bytes.size > size_max)
        return unlock(
            m, err_set(e, "%s: larger than %zu bytes, the most that is read of such a file", path, size_max));
    text_add_bytes(out, text_string(&node->bytes), node->bytes.size);
    return unlock(m, true);
}

static bool memory_write(struct file_system *system, const char *path, const char *bytes, size_t size,
                         struct err *e) {
    struct text text = {0};
    text_add_bytes(&text, bytes, size);
    struct file_memory *m = lock(system);
    struct node *node = find(m, path);
    if (node != NULL && node->kind != FILE_PLAIN)
        err_code(e, "refused.file", "%s: cannot be written: %s", path, strerror(EISDIR));
    else if (node != NULL || (node = add(m, path, FILE_PLAIN, e)) != NULL) {
        node_empty(node);
        node->bytes = text;
        return unlock(m, true);
    }
    text_done(&text);
    return unlock(m, false);
}

static enum file_kind memory_kind(struct file_system *system, const char *path) {
    struct file_memory *m = lock(system);
    const struct node *node = find(m, path);
    const enum file_kind kind = node != NULL ? node->kind : FILE_NONE;
    unlock(m, true);
    return kind;
}

static bool memory_make_folder(struct file_system *system, const char *path, struct err *e) {
    struct file_memory *m = lock(system);
    const struct node *node = find(m, path);
    if (node != NULL)
        return unlock(m, node->kind == FILE_FOLDER || err_set(e, "%s: is no folder", path));
    return unlock(m, add(m, path, FILE_FOLDER, e) != NULL);
}

/* True when the node's path is below the folder's. */
static bool is_below(const struct node *node, const char *folder, size_t size) {
    return strncmp(node->path, folder, size) == 0 && node->path[size] == '/';
}

/* The folder's names, each ended by a zero byte: a copy, because a visitor may change the folder. */
static bool copy_names(struct file_memory *m, const char *folder, struct text *out, struct err *e) {
    const struct node *node = find(m, folder);
    const size_t size = strlen(folder);
    if (node == NULL || node->kind != FILE_FOLDER)
        return err_set(e, "%s: cannot be read: %s", folder, strerror(node == NULL ? ENOENT : ENOTDIR));
    for (int i = 0; i < m->count; i++) {
        const char *name = is_below(&m->nodes[i], folder, size) ? m->nodes[i].path + size + 1 : NULL;
        if (name != NULL && strchr(name, '/') == NULL)
            text_add_bytes(out, name, strlen(name) + 1);
    }
    return true;
}

static bool memory_list(struct file_system *system, const char *folder, const struct file_visit *visit,
                        struct err *e) {
    struct text names = {0};
    struct file_memory *m = lock(system);
    const bool ok = unlock(m, copy_names(m, folder, &names, e));
    for (const char *at = names.data; ok && at != NULL && at < names.data + names.size; at += strlen(at) + 1)
        if (!visit->entry(visit->context, at))
            break;
    text_done(&names);
    return ok;
}

static bool memory_remove(struct file_system *system, const char *path, struct err *e) {
    struct file_memory *m = lock(system);
    const size_t size = strlen(path);
    (void)e;
    for (int i = m->count - 1; i >= 0; i--)
        if (strcmp(m->nodes[i].path, path) == 0 || is_below(&m->nodes[i], path, size))
            cut(m, i);
    return unlock(m, true);
}

static const struct file_system_type memory_type = {.read = memory_read,
                                                    .write = memory_write,
                                                    .kind = memory_kind,
                                                    .make_folder = memory_make_folder,
                                                    .list = memory_list,
                                                    .remove = memory_remove};

/* ---- objects ---- */

bool file_memory_put(const char *path, struct file_object object, struct err *e) {
    struct file_system *system = file_system_of(path);
    assert(system != NULL && system->type == &memory_type);
    assert(object.object != NULL);
    struct file_memory *m = lock(system);
    if (find(m, path) != NULL)
        return unlock(m, err_set(e, "%s: is there already", path));
    struct node *node = add(m, path, FILE_PLAIN, e);
    if (node != NULL)
        node->object = object;
    return unlock(m, node != NULL);
}

void *file_memory_get(const char *path) {
    struct file_system *system = file_system_of(path);
    assert(system != NULL && system->type == &memory_type);
    struct file_memory *m = lock(system);
    const struct node *node = find(m, path);
    void *object = node != NULL ? node->object.object : NULL;
    if (object != NULL)
        node->object.hold(object);
    unlock(m, true);
    return object;
}

/* ---- opening and closing ---- */

struct file_memory *file_memory_open(const char *root) {
    struct file_memory *m = mem_alloc(sizeof *m);
    m->system = (struct file_system){&memory_type, root};
    pthread_mutex_init(&m->lock, NULL);
    if (add(m, root, FILE_FOLDER, NULL) == NULL) {
        file_memory_close(m);
        return NULL;
    }
    file_mount(&m->system);
    return m;
}

void file_memory_close(struct file_memory *memory) {
    if (memory == NULL)
        return;
    file_mount(NULL);
    while (memory->count > 0)
        cut(memory, memory->count - 1);
    pthread_mutex_destroy(&memory->lock);
    mem_free(memory->nodes);
    mem_free(memory);
}
