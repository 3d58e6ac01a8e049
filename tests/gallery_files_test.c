/* SPDX-License-Identifier: MIT
 *
 * A gallery on the disk: what is written, what is left alone, what is removed.
 */
#include "fake/disk.h"
#include "gallery_support.h"

#include "base/file.h"
#include "base/mem.h"

#include <dirent.h>
#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

enum { NAME_LIMIT = 400 };

static struct gallery_sample sample;
static char folder[NAME_LIMIT / 2];
static int drawn;

static bool draw(const struct tbs_map *map, const char *path, struct err *e) {
    struct text text = {0};
    drawn++;
    tbs_map_write(map, &text);
    const bool ok = file_write(path, text.data, text.size, e);
    text_done(&text);
    return ok;
}

static bool draw_badly(const struct tbs_map *map, const char *path, struct err *e) {
    (void)map;
    return err_set(e, "%s: no paint", path);
}

static int make(void **state) {
    (void)state;
    const char *parent = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/senjutsu-gallery-XXXXXX", parent != NULL ? parent : "/tmp");
    gallery_sample_make(&sample, "designer");
    sample.gallery.folder = folder;
    sample.gallery.draw = draw;
    drawn = 0;
    return mkdtemp(folder) != NULL ? 0 : -1;
}

static const char *name_of(const char *file, char out[NAME_LIMIT]) {
    snprintf(out, NAME_LIMIT, "%s/%s", folder, file);
    return out;
}

static void empty_folder(const char *path) {
    DIR *dir = opendir(path);
    if (dir == NULL)
        return;
    for (const struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        char name[NAME_LIMIT + 256];
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        if (entry->d_name[0] != '.')
            remove(name);
    }
    closedir(dir);
}

static int drop(void **state) {
    (void)state;
    static const char *const folders[] = {"maps", "pictures", ""};
    char name[NAME_LIMIT];
    for (int i = 0; i < 3; i++) {
        empty_folder(name_of(folders[i], name));
        rmdir(name);
    }
    gallery_sample_done(&sample);
    return 0;
}

static void write_gallery(void) {
    struct err e;
    if (!gallery_write(&sample.gallery, &sample.ev, &e))
        fail_msg("%s", e.text);
}

static void put(const char *file) {
    char name[NAME_LIMIT];
    assert_true(file_write(name_of(file, name), "x", 1, NULL));
}

static bool is_there(const char *file) {
    char name[NAME_LIMIT];
    return access(name_of(file, name), F_OK) == 0;
}

static void read_file(const char *file, struct text *out) {
    char name[NAME_LIMIT];
    struct err e;
    if (!file_read(name_of(file, name), 1 << 20, out, &e))
        fail_msg("%s", e.text);
}

static const char *const files[] = {"index.html",        "results.json",     "fitness.csv",
                                    "fitness.svg",       "maps.csv",         "maps/0001.tbsmap",
                                    "maps/0002.tbsmap",  "maps/0003.tbsmap", "pictures/0001.svg",
                                    "pictures/0002.svg", "pictures/0003.svg"};
enum { FILES = sizeof files / sizeof files[0] };

static void everything_is_written(void **state) {
    (void)state;
    struct text text = {0};
    struct tbs_map map;
    write_gallery();
    for (int i = 0; i < FILES; i++)
        if (!is_there(files[i]))
            fail_msg("%s is missing", files[i]);
    read_file("maps/0003.tbsmap", &text);
    assert_true(tbs_map_load("map", text.data, text.size, &map, NULL));
    assert_non_null(strstr(map.comment, "map 3"));
    struct tbs_problems problems = {0};
    tbs_map_check(&map, &problems);
    assert_int_equal(problems.count, 0);
    text_clear(&text);
    read_file("results.json", &text);
    json_t *root = json_loadb(text.data, text.size, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(root);
    json_decref(root);
    assert_int_equal(strncmp(text.data, "{\n", 2), 0);
    text_done(&text);
}

/* A file that is written anew gets another inode. */
static void inodes(ino_t out[FILES]) {
    for (int i = 0; i < FILES; i++) {
        char name[NAME_LIMIT];
        struct stat info;
        assert_int_equal(stat(name_of(files[i], name), &info), 0);
        out[i] = info.st_ino;
    }
}

static void what_has_not_changed_is_left_alone(void **state) {
    (void)state;
    ino_t before[FILES], after[FILES];
    write_gallery();
    assert_int_equal(drawn, 3);
    inodes(before);
    write_gallery();
    inodes(after);
    assert_memory_equal(before, after, sizeof before);
    assert_int_equal(drawn, 3);
    /* More games change the notes of a map, not its picture. */
    sample.ev.individuals[0].judgement.strong[TBS_BLUE].wins += 10;
    write_gallery();
    assert_int_equal(drawn, 3);
    struct text text = {0};
    read_file("maps/0002.tbsmap", &text);
    assert_non_null(strstr(text.data, "87.5 %"));
    text_done(&text);
}

/* A run does not wait for the disk; at its end all files exist, including those written earlier. */
static void a_finished_gallery_is_on_the_disk(void **state) {
    (void)state;
    sample.gallery.finished = false;
    disk_watch();
    write_gallery();
    assert_null(strstr(disk_log(), "sync DRAFT\nrename DRAFT 0001.tbsmap"));
    sample.gallery.finished = true;
    disk_watch();
    write_gallery();
    for (int i = 0; i < FILES; i++) {
        const char *slash = strrchr(files[i], '/'), *name = slash != NULL ? slash + 1 : files[i];
        char unchanged[100], written[100];
        snprintf(unchanged, sizeof unchanged, "sync %s\n", name);
        snprintf(written, sizeof written, "sync DRAFT\nrename DRAFT %s\nsync ", name);
        if (strncmp(files[i], "pictures/", 9) != 0 && strstr(disk_log(), unchanged) == NULL &&
            strstr(disk_log(), written) == NULL)
            fail_msg("%s is not on the disk:\n%s", files[i], disk_log());
    }
}

/* States of files that a power failure may leave. */
static void emptied_files_are_made_again(void **state) {
    (void)state;
    struct text before[FILES] = {{0}}, after = {0};
    char name[NAME_LIMIT];
    write_gallery();
    const int drawn_before = drawn;
    for (int i = 0; i < FILES; i++) {
        read_file(files[i], &before[i]);
        assert_int_equal(truncate(name_of(files[i], name), 0), 0);
    }
    write_gallery();
    for (int i = 0; i < FILES; i++) {
        text_clear(&after);
        read_file(files[i], &after);
        assert_string_equal(text_string(&after), text_string(&before[i]));
        text_done(&before[i]);
    }
    text_done(&after);
    assert_int_equal(drawn, drawn_before + 3);
    assert_int_equal(truncate(name_of("pictures/0001.svg", name), 0), 0);
    write_gallery();
    assert_int_equal(drawn, drawn_before + 4);
}

static void another_map_of_that_number_is_drawn_anew(void **state) {
    (void)state;
    struct text map = {0}, picture = {0};
    write_gallery();
    struct cell *cell = &sample.ev.individuals[0].genome.cells[0];
    cell->terrain = cell->terrain == TBS_ROAD ? TBS_PLAIN : TBS_ROAD;
    cell->type = GENOME_EMPTY;
    cell->side = cell->hp = 0;
    write_gallery();
    assert_int_equal(drawn, 4);
    read_file("maps/0002.tbsmap", &map);
    read_file("pictures/0002.svg", &picture);
    assert_string_equal(map.data, picture.data);
    /* An unreadable map does not preserve its picture. */
    put("maps/0002.tbsmap");
    write_gallery();
    assert_int_equal(drawn, 5);
    text_done(&map);
    text_done(&picture);
}

static void maps_no_longer_shown_are_removed(void **state) {
    (void)state;
    static const char *const others[] = {
        "maps/notes.txt",       "maps/12.tbsmap",    "maps/0012.tbsmap.bak",
        "maps/00012.tbsmap",    "maps/0012.svg",     "pictures/0012.png",
        "maps/mine0012.tbsmap", "pictures/-012.svg", "maps/99999999999.tbsmap"};
    write_gallery();
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        put(others[i]);
    put("maps/0099.tbsmap");
    put("pictures/0099.svg");
    put("pictures/123456.svg");
    sample.ev.shown_count = 2;
    write_gallery();
    assert_false(is_there("maps/0099.tbsmap"));
    assert_false(is_there("pictures/0099.svg"));
    assert_false(is_there("pictures/123456.svg"));
    assert_false(is_there("maps/0001.tbsmap"));
    assert_false(is_there("pictures/0001.svg"));
    assert_true(is_there("maps/0002.tbsmap") && is_there("pictures/0003.svg"));
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (!is_there(others[i]))
            fail_msg("%s was not ours", others[i]);
}

static void nothing_to_show_is_a_gallery_too(void **state) {
    (void)state;
    struct gallery_sample nothing;
    gallery_sample_empty(&nothing, "paper");
    nothing.gallery.folder = folder;
    struct err e;
    if (!gallery_write(&nothing.gallery, &nothing.ev, &e))
        fail_msg("%s", e.text);
    assert_true(is_there("index.html") && is_there("maps"));
    assert_false(is_there("pictures"));
    gallery_sample_done(&nothing);
}

static void what_cannot_be_written_is_named(void **state) {
    (void)state;
    struct err e;
    sample.gallery.draw = draw_badly;
    assert_false(gallery_write(&sample.gallery, &sample.ev, &e));
    assert_non_null(strstr(e.text, "pictures/0002.svg: no paint"));
    sample.gallery.draw = NULL;
    put("index.html");
    char name[NAME_LIMIT], missing[NAME_LIMIT];
    unlink(name_of("index.html", name));
    assert_int_equal(mkdir(name, 0777), 0);
    assert_false(gallery_write(&sample.gallery, &sample.ev, &e));
    assert_non_null(strstr(e.text, "index.html"));
    rmdir(name);
    sample.gallery.folder = name_of("missing", missing);
    assert_false(gallery_write(&sample.gallery, &sample.ev, &e));
    assert_non_null(strstr(e.text, "missing/maps: cannot be made"));
}

static bool count_and_fail(const struct tbs_map *map, const char *path, struct err *e) {
    (void)map;
    (void)path;
    drawn++;
    return err_set(e, "drawn");
}

/* The length of the folder's name, with redundant slashes, is chosen so that this file's name has the given
 * length. */
static void lengthen(char out[8192], const char *file, size_t size) {
    const size_t length = strlen(folder), wanted = size - 1 - strlen(file);
    memcpy(out, folder, length);
    memset(out + length, '/', wanted - length);
    out[wanted] = '\0';
    sample.gallery.folder = out;
}

/* 4095 letters fit. */
static void names_may_be_too_long(void **state) {
    (void)state;
    static char longer[8192];
    struct err e = {""};
    sample.gallery.draw = count_and_fail;
    lengthen(longer, "pictures/0002.svg", 4095);
    assert_false(gallery_write(&sample.gallery, &sample.ev, &e));
    assert_string_equal(e.text, "drawn");
    assert_int_equal(drawn, 1);
    lengthen(longer, "pictures/0002.svg", 4096);
    assert_false(gallery_write(&sample.gallery, &sample.ev, &e));
    assert_int_equal(drawn, 1);
    sample.gallery.draw = NULL;
    assert_false(gallery_write(&sample.gallery, &sample.ev, &e));
    lengthen(longer, "maps", 4096);
    assert_false(gallery_write(&sample.gallery, &sample.ev, &e));
    assert_false(is_there("index.html"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(everything_is_written, make, drop),
        cmocka_unit_test_setup_teardown(what_has_not_changed_is_left_alone, make, drop),
        cmocka_unit_test_setup_teardown(a_finished_gallery_is_on_the_disk, make, drop),
        cmocka_unit_test_setup_teardown(emptied_files_are_made_again, make, drop),
        cmocka_unit_test_setup_teardown(another_map_of_that_number_is_drawn_anew, make, drop),
        cmocka_unit_test_setup_teardown(maps_no_longer_shown_are_removed, make, drop),
        cmocka_unit_test_setup_teardown(nothing_to_show_is_a_gallery_too, make, drop),
        cmocka_unit_test_setup_teardown(what_cannot_be_written_is_named, make, drop),
        cmocka_unit_test_setup_teardown(names_may_be_too_long, make, drop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
