/* SPDX-License-Identifier: MIT
 *
 * Whole files: limits, missing and unwritable ones, and that a file is never half written. Files in memory
 * obey the same laws as those on the disk.
 */
#include "base/file.h"

#include "base/mem.h"
#include "base/numbers.h"
#include "fake/disk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

enum { NAME_LIMIT = 300 };

static char folder[NAME_LIMIT / 2];

static int make_folder(void **state) {
    (void)state;
    const char *parent = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/senjutsu-file-XXXXXX", parent != NULL ? parent : "/tmp");
    return mkdtemp(folder) != NULL ? 0 : -1;
}

static int make_memory(void **state) {
    snprintf(folder, sizeof folder, "memory");
    *state = file_memory_open(folder);
    return *state != NULL ? 0 : -1;
}

static int remove_memory(void **state) {
    file_memory_close(*state);
    return 0;
}

static const char *name_of(const char *file, char out[NAME_LIMIT]) {
    snprintf(out, NAME_LIMIT, "%s/%s", folder, file);
    return out;
}

/* How many entries the folder has; with `remove_all` they go. */
static int count_entries(bool remove_all) {
    int count = 0;
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    for (const struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        char name[NAME_LIMIT + 256];
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        count++;
        snprintf(name, sizeof name, "%s/%s", folder, entry->d_name);
        if (remove_all)
            remove(name);
    }
    closedir(dir);
    return count;
}

static int remove_folder(void **state) {
    (void)state;
    count_entries(true);
    return rmdir(folder);
}

static void expect_content(const char *name, const char *expected) {
    struct text t = {0};
    struct err e;
    if (!file_read(name, 1000, &t, &e))
        fail_msg("%s", e.text);
    assert_string_equal(text_string(&t), expected);
    text_done(&t);
}

static void expect_error(const struct err *e, const char *name, const char *words) {
    assert_memory_equal(e->text, name, strlen(name)); /* which file comes first */
    if (strstr(e->text, words) == NULL)
        fail_msg("got '%s', expected '%s'", e->text, words);
}

static void what_is_written_is_read(void **state) {
    (void)state;
    char name[NAME_LIMIT];
    struct text t = {0};
    name_of("plain", name);
    assert_true(file_write(name, "a\0b", 3, NULL));
    assert_true(file_read(name, 3, &t, NULL));
    assert_int_equal(t.size, 3);
    assert_memory_equal(t.data, "a\0b", 4);
    assert_true(file_read(name, 3, &t, NULL)); /* appends */
    assert_int_equal(t.size, 6);
    text_done(&t);
    assert_true(file_write(name, "", 0, NULL));
    expect_content(name, "");
}

static void the_old_content_is_replaced_and_nothing_else_left(void **state) {
    (void)state;
    char name[NAME_LIMIT];
    name_of("replaced", name);
    assert_true(file_write(name, "a long first content", 20, NULL));
    const int before = count_entries(false);
    assert_true(file_write(name, "short", 5, NULL));
    expect_content(name, "short");
    assert_true(file_write_soon(name, "sooner", 6, NULL));
    expect_content(name, "sooner");
    assert_int_equal(count_entries(false), before);
}

/* A reader that has the old file open still reads the old content: the new one is another file, renamed. */
static void readers_never_see_half_a_file(void **state) {
    (void)state;
    char name[NAME_LIMIT], old[4] = {0};
    name_of("atomic", name);
    assert_true(file_write(name, "old", 3, NULL));
    FILE *reader = fopen(name, "rb");
    assert_non_null(reader);
    assert_true(file_write(name, "new", 3, NULL));
    assert_int_equal(fread(old, 1, 3, reader), 3);
    fclose(reader);
    assert_string_equal(old, "old");
    expect_content(name, "new");
}

static void reading_has_a_limit(void **state) {
    (void)state;
    char name[NAME_LIMIT];
    struct text t = {0};
    struct err e;
    name_of("large", name);
    char *bytes = calloc(1, 200000);
    assert_non_null(bytes);
    memset(bytes, 'x', 200000);
    assert_true(file_write(name, bytes, 200000, NULL));
    assert_true(file_read(name, 200000, &t, NULL)); /* more than one piece of the buffer */
    assert_memory_equal(t.data, bytes, 200000);
    text_done(&t);
    assert_false(file_read(name, 199999, &t, &e));
    expect_error(&e, name, "larger than 199999 bytes");
    text_done(&t);
    free(bytes);
}

/* Devices have no size to ask for: the limit holds all the same. */
static void endless_files_have_a_limit_too(void **state) {
    (void)state;
    struct text t = {0};
    struct err e;
    assert_false(file_read("/dev/zero", 100000, &t, &e));
    expect_error(&e, "/dev/zero", "larger than 100000 bytes");
    text_done(&t);
}

static void missing_files_are_named(void **state) {
    (void)state;
    char name[NAME_LIMIT];
    struct text t = {0};
    struct err e;
    name_of("missing", name);
    assert_false(file_read(name, 10, &t, &e));
    expect_error(&e, name, "cannot be opened: No such file");
    assert_false(file_read(folder, 10, &t, &e));
    expect_error(&e, folder, "cannot be read: ");
    assert_false(file_read(name, 10, &t, NULL));
    text_done(&t);
}

static void unwritable_files_are_named(void **state) {
    (void)state;
    char name[NAME_LIMIT];
    struct err e;
    name_of("no/such/folder", name);
    assert_false(file_write(name, "x", 1, &e));
    expect_error(&e, name, "cannot be written: No such file");
    assert_false(file_write(folder, "x", 1, &e));
    expect_error(&e, folder, "cannot be written: Is a directory");
    assert_true(file_write(name_of("plain", name), "x", 1, NULL));
    assert_false(file_write(name_of("plain/below", name), "x", 1, &e));
    expect_error(&e, name, "cannot be written: Not a directory");
}

static void a_full_disk_is_reported(void **state) {
    (void)state;
    struct err e;
    if (access("/dev/full", W_OK) != 0) {
        print_message("There is no /dev/full here: a full disk is not tried.\n");
        skip();
    }
    assert_false(file_write("/dev/full", "x", 1, &e));
    expect_error(&e, "/dev/full", "cannot be written: No space left");
    assert_true(file_write("/dev/null", "x", 1, NULL));
}

static void names_have_a_limit(void **state) {
    (void)state;
    char name[5000];
    struct err e;
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    assert_false(file_write(name + sizeof name - 300, "x", 1, &e));
    assert_non_null(strstr(e.text, "cannot be written: File name too long"));
    name[3000] = '/';
    name[4500] = '/';
    assert_false(file_write(name, "x", 1, &e));
    assert_non_null(strstr(e.text, "the name is too long"));
}

/* As long as a name may be: the temporary one is not longer for it. */
static void the_longest_name_can_be_written(void **state) {
    (void)state;
    char file[256], name[NAME_LIMIT + 256];
    memset(file, 'n', 255);
    file[255] = '\0';
    snprintf(name, sizeof name, "%s/%s", folder, file);
    assert_true(file_write(name, "long", 4, NULL));
    expect_content(name, "long");
    unlink(name);
}

/* ---- folders ---- */

struct seen {
    int count, most;
    char names[200];
};

static bool see(void *context, const char *name) {
    struct seen *seen = context;
    strcat(strcat(seen->names, name), " ");
    return ++seen->count < seen->most;
}

static struct seen look_into(const char *path, int most) {
    struct seen seen = {.most = most};
    struct err e;
    if (!file_list(path, &(struct file_visit){see, &seen}, &e))
        fail_msg("%s", e.text);
    return seen;
}

static void a_folder_lists_what_is_directly_in_it(void **state) {
    (void)state;
    char top[NAME_LIMIT], name[NAME_LIMIT];
    struct seen unseen = {.most = 10};
    struct err e;
    assert_true(file_make_folder(name_of("top", top), &e));
    assert_true(file_make_folder(top, &e)); /* it is there */
    assert_int_equal(look_into(top, 10).count, 0);
    assert_true(file_make_folder(name_of("top/inner", name), &e));
    assert_true(file_write(name_of("top/inner/deep", name), "x", 1, &e));
    assert_true(file_write(name_of("top/one", name), "x", 1, &e));
    assert_true(file_write(name_of("top2", name), "x", 1, &e));
    const struct seen all = look_into(top, 10);
    assert_int_equal(all.count, 2);
    assert_non_null(strstr(all.names, "inner "));
    assert_non_null(strstr(all.names, "one "));
    assert_int_equal(look_into(top, 1).count, 1); /* ended by the visitor */
    assert_false(file_list(name_of("nowhere", name), &(struct file_visit){see, &unseen}, &e));
    expect_error(&e, name, "cannot be read: No such file");
    assert_false(file_list(name_of("top2", name), &(struct file_visit){see, &unseen}, &e));
    expect_error(&e, name, "cannot be read: Not a directory");
    assert_int_equal(unseen.count, 0);
    assert_false(file_make_folder(name_of("top2", name), &e));
    expect_error(&e, name, "is no folder");
    assert_false(file_make_folder(name_of("nowhere/inner", name), &e));
    expect_error(&e, name, "cannot be made: No such file");
    assert_true(file_remove_folder(top, &e));
}

static bool remove_seen(void *context, const char *name) {
    char path[NAME_LIMIT * 2];
    snprintf(path, sizeof path, "%s/%s", (const char *)context, name);
    return file_remove(path, NULL);
}

static void what_is_removed_is_gone(void **state) {
    (void)state;
    char top[NAME_LIMIT], name[NAME_LIMIT];
    struct err e;
    assert_true(file_make_folder(name_of("gone", top), &e));
    assert_true(file_make_folder(name_of("gone/inner", name), &e));
    assert_true(file_write(name_of("gone/inner/deep", name), "x", 1, &e));
    assert_true(file_write(name_of("gone.txt", name), "x", 1, &e));
    assert_int_equal(file_kind(top), FILE_FOLDER);
    assert_int_equal(file_kind(name), FILE_PLAIN);
    assert_true(file_exists(top));
    assert_true(file_remove_folder(top, &e));
    assert_true(file_remove_folder(top, &e)); /* it is not there */
    assert_int_equal(file_kind(top), FILE_NONE);
    assert_false(file_exists(top));
    assert_true(file_is_plain(name)); /* not below it */
    assert_true(file_remove(name, &e));
    assert_true(file_remove(name, &e));
    assert_false(file_exists(name));
    assert_true(file_make_folder(top, &e));
    assert_true(file_write(name_of("gone/a", name), "x", 1, &e));
    assert_true(file_write_soon(name_of("gone/b", name), "x", 1, &e) && file_sync(name, &e));
    assert_true(file_list(top, &(struct file_visit){remove_seen, top}, &e)); /* while it is listed */
    assert_int_equal(look_into(top, 10).count, 0);
    assert_true(file_remove_folder(top, &e));
}

/* Only paths below its root; no path leaves it. */
static void memory_leaves_the_disk_alone(void **state) {
    (void)state;
    struct err e;
    assert_false(file_exists("memory2"));
    assert_true(file_exists("/dev/null"));
    assert_false(file_write("memory/../escaped", "x", 1, &e));
    assert_non_null(strstr(e.text, "Invalid argument"));
    assert_false(file_write("memory//twice", "x", 1, &e));
    assert_int_not_equal(access("memory", F_OK), 0);
}

static void memory_takes_the_names_a_disk_takes(void **state) {
    (void)state;
    static const char *const wrong[] = {"memory/.", "memory/..", "memory/./x", "memory/x/", "memory//x"};
    char name[5000];
    struct err e;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_false(file_write(wrong[i], "x", 1, &e));
        expect_error(&e, wrong[i], ": cannot be written: Invalid argument");
        assert_false(file_make_folder(wrong[i], &e));
        expect_error(&e, wrong[i], ": cannot be made: Invalid argument");
    }
    assert_true(file_write("memory/.a", "x", 1, &e) && file_write("memory/...", "x", 1, &e));
    assert_true(file_remove("memory/.a", &e) && file_remove("memory/...", &e));
    memset(name, 'n', sizeof name);
    memcpy(name, "memory/", 7);
    name[7 + 256] = '\0';
    assert_false(file_write(name, "x", 1, &e));
    name[7 + 255] = '\0';
    assert_true(file_write(name, "x", 1, &e) && file_remove(name, &e));
    memset(name, 'n', sizeof name);
    memcpy(name, "memory", 6);
    for (int at = 6; at < 4900; at += 200)
        name[at] = '/';
    name[4900] = '\0';
    assert_false(file_write(name, "x", 1, &e));
}

/* Memory is limited in the number of its files, too. What is there stays usable. */
static void memory_holds_so_many_files(void **state) {
    (void)state;
    char name[NAME_LIMIT];
    struct err e;
    assert_true(file_make_folder("memory/many", &e));
    int count = 2; /* with the root */
    for (;; count++) {
        snprintf(name, sizeof name, "memory/many/%06d", count);
        if (!file_write(name, "x", 1, &e))
            break;
    }
    expect_error(&e, name, ": cannot be written: Cannot allocate memory");
    assert_int_equal(count, 65536);
    assert_true(file_remove("memory/many/000777", &e));
    assert_true(file_write(name, "y", 1, &e));
    expect_content(name, "y");
    expect_content("memory/many/000776", "x");
    expect_content("memory/many/000778", "x");
    assert_true(file_remove_folder("memory/many", &e));
    assert_int_equal(look_into("memory", 10).count, 0);
}

/* ---- objects in memory ---- */

struct counted {
    int held, dropped;
};

static void hold_counted(void *object) {
    ((struct counted *)object)->held++;
}

static void drop_counted(void *object) {
    ((struct counted *)object)->dropped++;
}

static struct file_object object_of(struct counted *c) {
    return (struct file_object){.object = c, .hold = hold_counted, .drop = drop_counted};
}

static void objects_are_held_and_dropped(void **state) {
    (void)state;
    struct counted one = {0}, two = {0}, three = {0};
    struct err e;
    assert_true(file_make_folder("memory/objects", &e));
    assert_true(file_memory_put("memory/objects/one", object_of(&one), &e));
    assert_true(file_memory_put("memory/objects/two", object_of(&two), &e));
    assert_false(file_memory_put("memory/objects/one", object_of(&three), &e));
    assert_string_equal(e.text, "memory/objects/one: is there already");
    assert_false(file_memory_put("memory/nowhere/one", object_of(&three), &e));
    assert_string_equal(e.text, "memory/nowhere/one: cannot be written: No such file or directory");
    assert_ptr_equal(file_memory_get("memory/objects/one"), &one);
    assert_ptr_equal(file_memory_get("memory/objects/one"), &one);
    assert_ptr_equal(file_memory_get("memory/objects/two"), &two);
    assert_null(file_memory_get("memory/objects/three"));
    assert_null(file_memory_get("memory/objects"));
    assert_true(one.held == 2 && two.held == 1 && one.dropped == 0 && two.dropped == 0);
    assert_true(file_is_plain("memory/objects/one"));
    expect_content("memory/objects/one", "");
    assert_true(file_write("memory/objects/one", "text", 4, &e)); /* takes the object's place */
    assert_true(one.dropped == 1 && two.dropped == 0);
    assert_null(file_memory_get("memory/objects/one"));
    expect_content("memory/objects/one", "text");
    assert_true(file_remove_folder("memory/objects", &e));
    assert_true(one.dropped == 1 && two.dropped == 1 && three.held == 0 && three.dropped == 0);
}

/* The sorted names in a folder, or the reason why there are none. */
static void list_sorted(const char *path, struct text *out) {
    struct seen seen = {.most = 100};
    struct err e;
    if (!file_list(path, &(struct file_visit){see, &seen}, &e)) {
        text_add_string(out, e.text + strlen(path));
        return;
    }
    char *words[100], *rest = NULL;
    int count = 0;
    for (char *word = strtok_r(seen.names, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest))
        words[count++] = word;
    for (int done = 0; done < count; done++) {
        int least = done;
        for (int i = done + 1; i < count; i++)
            least = strcmp(words[i], words[least]) < 0 ? i : least;
        char *word = words[least];
        words[least] = words[done];
        words[done] = word;
        text_add(out, " %s", word);
    }
}

/* One operation on a path below a root, and all that can be seen of it. */
static void operate(const char *root, const char *file, int what, struct text *out) {
    char path[NAME_LIMIT];
    struct err e = {0};
    struct text t = {0};
    bool ok = true;
    snprintf(path, sizeof path, "%s/%s", root, file);
    switch (what % 8) {
    case 0: ok = file_write_soon(path, "some bytes", (size_t)(what % 11), &e); break;
    case 1: ok = file_make_folder(path, &e); break;
    case 2: ok = file_read(path, (size_t)(what % 11), &t, &e); break;
    case 3: list_sorted(path, &t); break;
    case 4: ok = file_kind(path) == FILE_FOLDER || file_remove(path, &e); break;
    case 5: ok = file_remove_folder(path, &e); break;
    case 6: ok = file_write(path, "more bytes", (size_t)(what % 11), &e); break;
    default: ok = file_remove_leftovers(root, &e); break;
    }
    text_add(out, "%s: %d %s%s, then %d %d %d", file, ok, text_string(&t), ok ? "" : e.text + strlen(root),
             file_kind(path), file_exists(path), file_is_plain(path));
    text_done(&t);
}

/* Memory does not distinguish what lies below a file from what is not there. */
static bool is_comparable(const char *file, int what) {
    char path[NAME_LIMIT];
    name_of(file, path);
    *strrchr(path, '/') = '\0';
    const bool in_folder = file_kind(path) == FILE_FOLDER;
    if (in_folder || strcmp(path, folder) == 0)
        return true;
    *strrchr(path, '/') = '\0';
    return file_kind(path) == FILE_FOLDER && what != 2 && what != 3 && what != 4 && what != 5;
}

/* The same operations, the same results. */
static void memory_does_what_the_disk_does(void **state) {
    (void)state;
    static const char *const files[] = {"a",   "b",  "a/a", "a/b",  "b/a",   "b/a/a", "a/b/b",
                                        "a/c", "aa", "a.b", "b/aa", "b/a/c", "a/a/a", "c"};
    struct file_memory *memory = file_memory_open("memory");
    struct rng r;
    rng_seed(&r, 1);
    for (int i = 0; i < 1500; i++) {
        const char *file = files[rng_below(&r, sizeof files / sizeof files[0])];
        const int what = (int)rng_below(&r, 1000);
        struct text disk = {0}, ram = {0};
        if (!is_comparable(file, what % 8))
            continue;
        operate(folder, file, what, &disk);
        operate("memory", file, what, &ram);
        assert_string_equal(text_string(&disk), text_string(&ram));
        text_done(&disk);
        text_done(&ram);
    }
    file_memory_close(memory);
    struct err e;
    char name[NAME_LIMIT];
    for (int i = 0; i < 4; i++)
        assert_true(file_remove_folder(name_of((const char *const[]){"a", "b", "c", "aa"}[i], name), &e));
}

/* ---- only on a disk ---- */

/* A folder of this program's is never deeper. */
static void deep_folders_are_not_removed(void **state) {
    (void)state;
    char name[NAME_LIMIT], deep[NAME_LIMIT];
    struct err e;
    for (int levels = 4; levels <= 5; levels++) {
        name_of("d", name);
        snprintf(deep, sizeof deep, "%s", name);
        for (int i = 0; i < levels; i++) {
            assert_int_equal(mkdir(deep, 0777), 0);
            strcat(deep, "/d");
        }
        assert_true(file_write_soon(deep, "x", 1, &e));
        assert_int_equal(file_remove_folder(name, &e), levels == 4);
        assert_int_equal(file_exists(deep), levels == 5);
    }
    expect_error(&e, name, ": cannot be removed: ");
    name_of("d/d", deep);
    assert_true(file_remove_folder(deep, &e) && file_remove_folder(name, &e));
}

static void what_is_no_file_has_its_kind(void **state) {
    (void)state;
    char name[NAME_LIMIT], link[NAME_LIMIT];
    struct err e;
    assert_int_equal(mkfifo(name_of("pipe", name), 0666), 0);
    assert_int_equal(symlink("nowhere", name_of("link", link)), 0);
    assert_int_equal(file_kind(name), FILE_OTHER);
    assert_int_equal(file_kind(link), FILE_OTHER);
    assert_true(file_exists(name) && !file_exists(link) && !file_is_plain(name));
    assert_false(file_sync(link, &e));
    expect_error(&e, link, ": cannot be written: No such file");
    unlink(name);
    unlink(link);
}

/* ---- the order of writes to the disk ---- */

static void a_file_is_on_the_disk_before_its_name_is(void **state) {
    (void)state;
    char name[NAME_LIMIT], expected[NAME_LIMIT];
    name_of("kept", name);
    snprintf(expected, sizeof expected, "sync DRAFT\nrename DRAFT kept\nsync %s\n", strrchr(folder, '/') + 1);
    disk_watch();
    assert_true(file_write(name, "kept", 4, NULL));
    assert_string_equal(disk_log(), expected);
    disk_watch();
    assert_true(file_write_soon(name, "soon", 4, NULL));
    assert_string_equal(disk_log(), "rename DRAFT kept\n");
    snprintf(expected, sizeof expected, "sync %s\n", strrchr(folder, '/') + 1);
    disk_watch();
    assert_true(file_remove(name, NULL));
    assert_string_equal(disk_log(), expected);
    assert_true(file_remove(name, NULL)); /* it is gone */
    disk_watch();
    assert_true(file_make_folder(name, NULL));
    assert_string_equal(disk_log(), expected);
    rmdir(name);
}

/* A bare name's folder is the current one. */
static void names_without_a_folder_are_synced_too(void **state) {
    (void)state;
    char back[1024], expected[NAME_LIMIT];
    assert_non_null(getcwd(back, sizeof back));
    assert_int_equal(chdir(folder), 0);
    snprintf(expected, sizeof expected, "sync DRAFT\nrename DRAFT bare\nsync %s\n", strrchr(folder, '/') + 1);
    disk_watch();
    assert_true(file_write("bare", "x", 1, NULL));
    assert_string_equal(disk_log(), expected);
    assert_int_equal(chdir(back), 0);
}

/* For each error of each call: a message, the old bytes, and no file left over. */
static void what_the_disk_refuses_is_reported(void **state) {
    (void)state;
    static const int reasons[] = {ENOSPC, EDQUOT, EIO};
    static const int calls[] = {DISK_WRITE, DISK_SYNC, DISK_RENAME};
    char name[NAME_LIMIT];
    struct err e;
    name_of("refused", name);
    assert_true(file_write(name, "before", 6, NULL));
    const int before = count_entries(false);
    for (size_t i = 0; i < 9; i++) {
        const int reason = reasons[i % 3], call = calls[i / 3];
        disk_fail(call, reason, folder);
        assert_false(file_write(name, "after", 5, &e));
        expect_error(&e, name, "cannot be written: ");
        assert_non_null(strstr(e.text, strerror(reason)));
        assert_int_equal(file_write_soon(name, "before", 6, &e), call == DISK_SYNC);
        disk_fail(0, 0, NULL);
        expect_content(name, "before");
        assert_int_equal(count_entries(false), before);
    }
}

/* ---- temporary files ---- */

static void plant_link(const char *name, const char *victim) {
    assert_true(file_write(victim, "precious", 8, NULL));
    assert_int_equal(symlink(victim, name), 0);
}

/* An attacker who can write to the folder creates links at our file names. */
static void links_are_not_followed(void **state) {
    (void)state;
    static const unsigned char foreseen[] = {0xab};
    char name[NAME_LIMIT], victim[NAME_LIMIT], trap[NAME_LIMIT + 50];
    struct err e;
    name_of("out.json", name);
    name_of("victim", victim);
    snprintf(trap, sizeof trap, "%s.%ld.tmp", name, (long)getpid());
    plant_link(trap, victim);
    assert_true(file_write(name, "new", 3, &e));
    expect_content(victim, "precious");
    expect_content(name, "new");
    unlink(trap);
    /* Even if every random number is foreseen. */
    snprintf(trap, sizeof trap, "%s/.senjutsu-abababababababab.tmp", folder);
    plant_link(trap, victim);
    disk_random(foreseen, sizeof foreseen);
    assert_false(file_write(name, "newer", 5, &e));
    disk_random(NULL, 0);
    expect_error(&e, name, "others take every temporary name");
    expect_content(victim, "precious");
    expect_content(name, "new");
    unlink(trap);
    /* The target is a link: it is replaced, and its own target stays unchanged. */
    unlink(name);
    plant_link(name, victim);
    assert_true(file_write(name, "ours", 4, &e));
    expect_content(victim, "precious");
    assert_true(file_is_plain(name));
}

static void temporary_names_differ(void **state) {
    (void)state;
    static const unsigned char some[] = {1, 2, 3, 4, 5, 6, 7, 8};
    char name[NAME_LIMIT], draft[NAME_LIMIT];
    struct err e;
    name_of(".senjutsu-0102030405060708.tmp", draft);
    const int fd = open(draft, O_WRONLY | O_CREAT | O_EXCL, 0600);
    assert_int_equal(flock(fd, LOCK_EX), 0);
    disk_random(some, sizeof some);
    assert_false(file_write(name_of("differs", name), "x", 1, &e));
    disk_random(NULL, 0);
    assert_true(file_write(name, "x", 1, &e)); /* and the name is not that */
    assert_int_equal(access(draft, F_OK), 0);
    close(fd);
    unlink(draft);
}

static void the_mask_limits_the_readers(void **state) {
    (void)state;
    char name[NAME_LIMIT];
    struct stat info;
    const mode_t before = umask(S_IRWXG | S_IRWXO);
    assert_true(file_write(name_of("masked", name), "x", 1, NULL));
    umask(before);
    assert_int_equal(stat(name, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
}

/* A folder of its own, in which the process has written nothing. Its first file is "next". */
static void make_fresh(const char *name, char next[NAME_LIMIT]) {
    char path[NAME_LIMIT];
    assert_int_equal(mkdir(name_of(name, path), 0700), 0);
    assert_true(snprintf(next, NAME_LIMIT, "%s/next", path) < NAME_LIMIT);
}

static int plant_draft(const char *name, char out[NAME_LIMIT]) {
    return open(name_of(name, out), O_WRONLY | O_CREAT | O_EXCL, 0600);
}

/* The next writer in the folder removes what a killed one left, and leaves what is still written. */
static void leftovers_go_when_the_next_file_is_written(void **state) {
    (void)state;
    char next[NAME_LIMIT], left[NAME_LIMIT], other[NAME_LIMIT], held[NAME_LIMIT], link[NAME_LIMIT];
    make_fresh("next", next);
    close(plant_draft("next/.senjutsu-00000000000000aa.tmp", left));
    close(plant_draft("next/.senjutsu-00000000000000dd.tmp", other));
    const int fd = plant_draft("next/.senjutsu-00000000000000bb.tmp", held);
    assert_int_equal(flock(fd, LOCK_EX), 0);
    assert_int_equal(symlink("nowhere", name_of("next/.senjutsu-00000000000000cc.tmp", link)), 0);
    const bool is_root = geteuid() == 0;
    if (is_root)
        assert_int_equal(chown(other, 65534, (gid_t)-1), 0);
    assert_true(file_write(next, "x", 1, NULL));
    assert_int_not_equal(access(left, F_OK), 0);
    assert_int_equal(access(other, F_OK), is_root ? 0 : -1); /* another user's file stays */
    assert_int_equal(access(held, F_OK), 0);
    close(fd);
    assert_true(file_remove_folder(name_of("next", next), NULL));
}

/* Looking for leftovers takes time in a large folder: only the first write to it does. */
static void leftovers_are_looked_for_once(void **state) {
    (void)state;
    char once[NAME_LIMIT], again[NAME_LIMIT], left[NAME_LIMIT], next[NAME_LIMIT];
    make_fresh("once", once);
    assert_true(file_write(once, "x", 1, NULL));
    close(plant_draft("once/.senjutsu-00000000000000aa.tmp", left));
    assert_true(file_write(once, "x", 1, NULL));
    assert_int_equal(access(left, F_OK), 0);
    make_fresh("again", again);
    close(plant_draft("again/.senjutsu-00000000000000aa.tmp", left));
    assert_true(file_write(again, "x", 1, NULL));
    assert_int_not_equal(access(left, F_OK), 0);
    assert_true(file_remove_folder(name_of("once", next), NULL));
    assert_true(file_remove_folder(name_of("again", next), NULL));
}

/* /dev/stdout is a link: renaming over it would take it away from all programs. */
static void standard_output_is_written_as_it_is(void **state) {
    (void)state;
    char name[NAME_LIMIT];
    struct stat info;
    const int fd = open(name_of("output", name), O_WRONLY | O_CREAT | O_TRUNC, 0666), kept = dup(1);
    assert_int_equal(write(fd, "head\n", 5), 5);
    assert_int_equal(dup2(fd, 1), 1);
    const bool ok = file_write("/dev/stdout", "tail\n", 5, NULL);
    dup2(kept, 1);
    close(kept);
    close(fd);
    assert_true(ok);
    expect_content(name, "head\ntail\n");
    assert_int_equal(lstat("/dev/stdout", &info), 0);
    assert_true(S_ISLNK(info.st_mode));
}

static void folders_are_made_once(void **state) {
    (void)state;
    char name[NAME_LIMIT];
    struct err e;
    name_of("inner", name);
    assert_true(file_make_folder(name, &e));
    assert_true(file_make_folder(name, &e));
    rmdir(name);
    assert_true(file_write(name, "x", 1, &e));
    assert_false(file_make_folder(name, &e));
    assert_non_null(strstr(e.text, "inner: is no folder"));
    unlink(name);
    name_of("missing/made", name);
    assert_false(file_make_folder(name, &e));
    assert_non_null(strstr(e.text, "missing/made: cannot be made: "));
}

static void leftovers_are_removed_and_nothing_else(void **state) {
    (void)state;
    static const char *const kept[] = {"a.tmp",
                                       ".12.tmp",
                                       "a.b.tmp",
                                       "a.12.tmp.svg",
                                       "12.tmp",
                                       "page.html",
                                       ".senjutsu-0123456789abcdeg.tmp",
                                       ".senjutsu-0123456789abcde.tmp"};
    static const char *const left[] = {"page.html.12.tmp", "0001.svg.99999.tmp",
                                       ".senjutsu-0123456789abcdef.tmp"};
    char name[NAME_LIMIT];
    struct err e;
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++)
        assert_true(file_write(name_of(kept[i], name), "x", 1, &e));
    for (size_t i = 0; i < sizeof left / sizeof left[0]; i++)
        close(open(name_of(left[i], name), O_WRONLY | O_CREAT | O_EXCL, 0600));
    assert_true(file_remove_leftovers(folder, &e));
    for (size_t i = 0; i < sizeof left / sizeof left[0]; i++)
        assert_int_not_equal(access(name_of(left[i], name), F_OK), 0);
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++)
        assert_int_equal(access(name_of(kept[i], name), F_OK), 0);
    assert_true(file_remove_leftovers(name_of("nosuch", name), &e));
    assert_false(file_remove_leftovers(name_of("page.html", name), &e));
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++)
        assert_int_equal(unlink(name_of(kept[i], name)), 0);
}

static void a_path_is_as_long_as_paths_can_be(void **state) {
    (void)state;
    struct err e;
    char path[FILE_PATH_MAX], part[FILE_PATH_MAX];
    memset(part, 'p', sizeof part);
    part[sizeof part - sizeof "/7.json"] = '\0';
    assert_true(file_path(path, &e, "%s/%d.json", part, 7));
    assert_int_equal(strlen(path), FILE_PATH_MAX - 1);
    assert_string_equal(path + FILE_PATH_MAX - sizeof "p/7.json", "p/7.json");
    assert_false(file_path(path, &e, "%s/%d.json", part, 10));
    assert_int_equal(strlen(e.text), 200 + strlen(": the name is too long"));
    assert_string_equal(e.text + 199, "p: the name is too long");
}

int main(void) {
    const struct CMUnitTest both[] = {
        cmocka_unit_test(a_path_is_as_long_as_paths_can_be),
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(reading_has_a_limit),
        cmocka_unit_test(missing_files_are_named),
        cmocka_unit_test(unwritable_files_are_named),
        cmocka_unit_test(a_folder_lists_what_is_directly_in_it),
        cmocka_unit_test(what_is_removed_is_gone),
    };
    const struct CMUnitTest in_memory[] = {
        cmocka_unit_test(memory_leaves_the_disk_alone),
        cmocka_unit_test(memory_takes_the_names_a_disk_takes),
        cmocka_unit_test(memory_holds_so_many_files),
        cmocka_unit_test(objects_are_held_and_dropped),
    };
    const struct CMUnitTest on_disk[] = {
        cmocka_unit_test(the_old_content_is_replaced_and_nothing_else_left),
        cmocka_unit_test(readers_never_see_half_a_file),
        cmocka_unit_test(endless_files_have_a_limit_too),
        cmocka_unit_test(a_full_disk_is_reported),
        cmocka_unit_test(names_have_a_limit),
        cmocka_unit_test(the_longest_name_can_be_written),
        cmocka_unit_test(a_file_is_on_the_disk_before_its_name_is),
        cmocka_unit_test(names_without_a_folder_are_synced_too),
        cmocka_unit_test(what_the_disk_refuses_is_reported),
        cmocka_unit_test(links_are_not_followed),
        cmocka_unit_test(temporary_names_differ),
        cmocka_unit_test(the_mask_limits_the_readers),
        cmocka_unit_test(leftovers_go_when_the_next_file_is_written),
        cmocka_unit_test(leftovers_are_looked_for_once),
        cmocka_unit_test(standard_output_is_written_as_it_is),
        cmocka_unit_test(leftovers_are_removed_and_nothing_else),
        cmocka_unit_test(folders_are_made_once),
        cmocka_unit_test(memory_does_what_the_disk_does),
        cmocka_unit_test(deep_folders_are_not_removed),
        cmocka_unit_test(what_is_no_file_has_its_kind),
    };
    return cmocka_run_group_tests_name("disk and memory: the disk", both, make_folder, remove_folder) +
           cmocka_run_group_tests_name("disk and memory: memory", both, make_memory, remove_memory) +
           cmocka_run_group_tests_name("disk", on_disk, make_folder, remove_folder) +
           cmocka_run_group_tests_name("memory", in_memory, make_memory, remove_memory);
}
