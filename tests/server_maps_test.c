/* SPDX-License-Identifier: MIT
 *
 * Maps of the workbench: listed, drawn, checked, saved, and nothing outside its folder.
 */
#include "tests/bench_support.h"

#include "game/tbs/map.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define MAP(units)                                                                                           \
    "{\"format\":\"senjutsu-map\",\"width\":6,\"height\":5,\"turn_limit\":8,\"threshold\":2,\"author\":\""   \
    "me\",\"comment\":\"小さい\",\"terrain\":[\"000000\",\"011110\",\"010520\",\"061140\",\"000000\"],"   \
    "\"units\":[" units "]}"
#define RED   "{\"x\":1,\"y\":1,\"type\":\"panzer\",\"side\":\"red\",\"hp\":10}"
#define BLUE  "{\"x\":4,\"y\":1,\"type\":\"panzer\",\"side\":\"blue\",\"hp\":9}"
#define DRAWN "{\"map\":" MAP(RED "," BLUE) "}"
#define TWICE "{\"map\":" MAP(RED "," RED "," BLUE) "}"

static json_t *ask(enum message_method method, const char *path, const char *body, int status) {
    return served_ask(&served, method, path, body, status);
}

static const char *text_of(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    if (text == NULL)
        fail_msg("\"%s\" is no text", key);
    return text;
}

static long number_of(const json_t *object, const char *key) {
    return (long)json_integer_value(json_object_get(object, key));
}

static const json_t *listed(const json_t *maps, const char *name) {
    size_t i;
    const json_t *item;
    json_array_foreach(maps, i, item) {
        if (strcmp(text_of(item, "name"), name) == 0)
            return item;
    }
    return NULL;
}

static void lists_ours(void **state) {
    (void)state;
    json_t *maps = ask(MESSAGE_GET, "/api/maps", NULL, 200);
    const json_t *duel = listed(maps, "duel");
    assert_non_null(duel);
    assert_non_null(listed(maps, "standard"));
    assert_true(json_is_false(json_object_get(duel, "mine")));
    assert_true(number_of(duel, "width") > 0);
    long before = 0;
    size_t i;
    const json_t *map;
    json_array_foreach(maps, i, map) {
        const long cells = number_of(map, "width") * number_of(map, "height");
        assert_true(cells >= before);
        before = cells;
    }
    json_decref(maps);
}

/* Every map that is sent can be read back as the same map. */
static void describes_one_completely(void **state) {
    (void)state;
    json_t *duel = ask(MESSAGE_GET, "/api/maps/duel", NULL, 200);
    json_t *body = json_pack("{sO}", "text", json_object_get(duel, "text"));
    char *dump = json_dumps(body, 0);
    json_t *check = ask(MESSAGE_POST, "/api/maps/check", dump, 200);
    assert_true(json_is_true(json_object_get(check, "playable")));
    assert_true(json_equal(json_object_get(check, "map"), json_object_get(duel, "map")));
    struct message_out file = served_raw(&served, MESSAGE_GET, "/api/maps/duel/file", NULL);
    assert_int_equal(file.status, 200);
    assert_string_equal(file.file_name, "duel.tbsmap");
    assert_non_null(strstr(text_string(&file.body), "SIZEX["));
    message_done(&file);
    free(dump);
    json_decref(body);
    json_decref(check);
    json_decref(duel);
}

static void saves_and_forgets(void **state) {
    (void)state;
    json_t *saved = ask(MESSAGE_PUT, "/api/maps/mine/first-try", DRAWN, 200);
    assert_string_equal(text_of(saved, "name"), "mine/first-try");
    assert_true(json_is_true(json_object_get(saved, "mine")));
    assert_string_equal(text_of(saved, "comment"), "小さい");
    served_close(&served);
    served_open(&served); /* it is on the disk */
    json_t *again = ask(MESSAGE_GET, "/api/maps/mine/first-try", NULL, 200);
    assert_true(json_equal(json_object_get(again, "map"), json_object_get(saved, "map")));
    json_t *maps = ask(MESSAGE_GET, "/api/maps", NULL, 200);
    const json_t *info = listed(maps, "mine/first-try");
    assert_non_null(info);
    assert_int_equal(number_of(info, "width"), 4);
    assert_int_equal(json_integer_value(json_array_get(json_object_get(info, "units"), 1)), 1);
    ask(MESSAGE_DELETE, "/api/maps/mine/first-try", NULL, 204);
    served_fail(&served, MESSAGE_DELETE, "/api/maps/mine/first-try", NULL, 404, "name", "no map");
    served_fail(&served, MESSAGE_GET, "/api/maps/mine/first-try", NULL, 404, "map", "no map");
    json_decref(saved);
    json_decref(again);
    json_decref(maps);
}

/* A position on a saved map, by its name; and one on a map that was never saved. */
static void plays_on_them(void **state) {
    (void)state;
    json_decref(ask(MESSAGE_PUT, "/api/maps/mine/arena", DRAWN, 200));
    json_t *position = ask(MESSAGE_POST, "/api/positions", "{\"game\":\"tbs\",\"map\":\"mine/arena\"}", 200);
    assert_int_equal(number_of(json_object_get(position, "map"), "width"), 6);
    assert_int_equal(json_array_size(json_object_get(json_object_get(position, "state"), "units")), 2);
    json_t *source = json_pack("{ss ss}", "game", "tbs", "map_text", MAP(RED "," BLUE));
    char *dump = json_dumps(source, 0);
    json_t *same = ask(MESSAGE_POST, "/api/positions", dump, 200);
    assert_true(json_equal(json_object_get(position, "state"), json_object_get(same, "state")));
    ask(MESSAGE_DELETE, "/api/maps/mine/arena", NULL, 204);
    free(dump);
    json_decref(source);
    json_decref(same);
    json_decref(position);
}

static void checks_as_one_draws(void **state) {
    (void)state;
    json_t *check = ask(MESSAGE_POST, "/api/maps/check", DRAWN, 200);
    assert_true(json_is_true(json_object_get(check, "playable")));
    assert_int_equal(json_array_size(json_object_get(check, "problems")), 0);
    const json_t *stats = json_object_get(check, "stats");
    assert_true(number_of(stats, "actions") > 5);
    assert_int_equal(number_of(stats, "contact"), 1);
    const json_t *remarks = json_object_get(stats, "remarks"), *sentences = json_object_get(stats, "unused");
    assert_true(json_array_size(remarks) > 0);
    assert_int_equal(json_array_size(remarks), json_array_size(sentences));
    assert_string_equal(text_of(json_array_get(remarks, 0), "text"),
                        json_string_value(json_array_get(sentences, 0)));
    assert_int_equal(strncmp(text_of(json_array_get(remarks, 0), "code"), "remark.", 7), 0);
    json_decref(check);
    check = ask(MESSAGE_POST, "/api/maps/check", TWICE, 200);
    assert_true(json_is_false(json_object_get(check, "playable")));
    assert_true(json_is_null(json_object_get(check, "map")));
    assert_true(json_is_null(json_object_get(check, "stats")));
    const json_t *problem = json_array_get(json_object_get(check, "problems"), 0);
    assert_true(json_is_true(json_object_get(problem, "fatal")));
    assert_true(strlen(text_of(problem, "text")) > 0);
    json_decref(check);
}

/* For text every problem is reported, with its line. */
static void checks_text(void **state) {
    (void)state;
    json_t *check = ask(MESSAGE_POST, "/api/maps/check", "{\"text\":\"SIZEX[x];\\nSIZEY[5];\\n\"}", 200);
    const json_t *problems = json_object_get(check, "problems");
    assert_true(json_array_size(problems) > 1);
    bool has_line = false;
    size_t i;
    const json_t *problem;
    json_array_foreach(problems, i, problem) {
        has_line = has_line || number_of(problem, "line") == 1;
    }
    assert_true(has_line);
    assert_string_equal(text_of(check, "text"), "");
    json_decref(check);
    json_decref(
        ask(MESSAGE_POST, "/api/maps/check", "{\"text\":\"ああああああああああああああああああ\"}", 200));
}

static void refuses_what_is_no_map(void **state) {
    (void)state;
    served_fail(&served, MESSAGE_PUT, "/api/maps/mine/twice", TWICE, 400, "map", "the map");
    served_fail(&served, MESSAGE_PUT, "/api/maps/mine/none", "{}", 400, NULL, "expected either");
    served_fail(&served, MESSAGE_PUT, "/api/maps/mine/both", "{\"map\":{},\"text\":\"\"}", 400, NULL,
                "expected either");
    served_fail(&served, MESSAGE_PUT, "/api/maps/mine/list", "{\"map\":[]}", 400, "map", "an object");
    served_fail(&served, MESSAGE_PUT, "/api/maps/mine/odd", "{\"map\":{},\"file\":\"x\"}", 400, "file",
                "not known");
    served_fail(&served, MESSAGE_PUT, "/api/maps/mine/number", "{\"text\":7}", 400, "text", "no text");
    served_fail(&served, MESSAGE_PUT, "/api/maps/duel", DRAWN, 405, NULL, "PUT");
}

/* No name leads out of the folder; it holds the saved maps and nothing more. */
static void stays_in_its_folder(void **state) {
    (void)state;
    const int before = served_count(served.root);
    const char *const names[] = {"..", ".", "a.b", "%2e%2e", "a b", "-/..", "ä", "x\\..\\y"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[100];
        snprintf(path, sizeof path, "/api/maps/mine/%s", names[i]);
        struct message_out out = served_raw(&served, MESSAGE_PUT, path, DRAWN);
        assert_true(out.status == 400 || out.status == 404 || out.status == 405);
        message_done(&out);
        out = served_raw(&served, MESSAGE_GET, path, NULL);
        assert_int_equal(out.status, 404);
        message_done(&out);
    }
    served_fail(&served, MESSAGE_GET, "/api/maps/../../etc/passwd", NULL, 404, NULL, "nothing");
    served_fail(&served, MESSAGE_GET, "/api/maps/..", NULL, 404, "map", "no map");
    assert_int_equal(served_count(served.root), before);
}

/* A special file in the folder is not a map: the server neither reads through it nor waits for it. */
static void takes_only_files_for_maps(void **state) {
    (void)state;
    char pipe[200], way[200], ours[200];
    json_decref(ask(MESSAGE_PUT, "/api/maps/mine/plain", DRAWN, 200));
    snprintf(pipe, sizeof pipe, "%s/maps/pipe.tbsmap", served.data);
    snprintf(way, sizeof way, "%s/maps/way.tbsmap", served.data);
    snprintf(ours, sizeof ours, "%s/secret", served.root);
    FILE *file = fopen(ours, "w");
    assert_non_null(file);
    fclose(file);
    assert_int_equal(mkfifo(pipe, 0600), 0);
    assert_int_equal(symlink(ours, way), 0);
    json_decref(ask(MESSAGE_GET, "/api/maps", NULL, 200));
    served_fail(&served, MESSAGE_GET, "/api/maps/mine/pipe", NULL, 404, "map", "no map");
    served_fail(&served, MESSAGE_GET, "/api/maps/mine/way/file", NULL, 404, "map", "no map");
    served_fail(&served, MESSAGE_PUT, "/api/maps/mine/pipe", DRAWN, 409, "name", "no map of ours");
    served_fail(&served, MESSAGE_PUT, "/api/maps/mine/way", DRAWN, 409, "name", "no map of ours");
    for (const char *const *name = (const char *const[]){"plain", "pipe", "way", NULL}; *name != NULL;
         name++) {
        char path[100];
        snprintf(path, sizeof path, "/api/maps/mine/%s", *name);
        assert_null(ask(MESSAGE_DELETE, path, NULL, 204));
    }
    assert_int_equal(unlink(ours), 0); /* it was left where it is */
}

static void makes_random_ones(void **state) {
    (void)state;
    const char *body = "{\"seed\":7,\"width\":8,\"height\":5,\"units\":3}";
    json_t *one = ask(MESSAGE_POST, "/api/maps/random", body, 200);
    json_t *same = ask(MESSAGE_POST, "/api/maps/random", body, 200);
    json_t *other = ask(MESSAGE_POST, "/api/maps/random", "{\"seed\":8,\"width\":8,\"height\":5}", 200);
    assert_true(json_is_true(json_object_get(one, "playable")));
    assert_int_equal(number_of(json_object_get(one, "map"), "width"), 10);
    assert_int_equal(json_array_size(json_object_get(json_object_get(one, "map"), "units")), 6);
    assert_true(json_equal(one, same));
    assert_false(json_equal(one, other));
    served_fail(&served, MESSAGE_POST, "/api/maps/random", "{\"width\":33}", 400, "width", "from 1 to 32");
    served_fail(&served, MESSAGE_POST, "/api/maps/random", "{\"width\":1,\"height\":1,\"units\":9}", 400,
                "units", "");
    json_decref(one);
    json_decref(same);
    json_decref(other);
}

/* Every number of a random map has its limits. */
static void refuses_random_ones(void **state) {
    static const struct {
        const char *body, *field, *words;
    } cases[] = {
        {"{\"width\":0}", "width", "\"width\": expected a whole number from 1 to 32"},
        {"{\"height\":0}", "height", "\"height\": expected a whole number from 1 to 32"},
        {"{\"height\":33}", "height", "from 1 to 32"},
        {"{\"height\":8.0}", "height", "from 1 to 32"},
        {"{\"units\":0}", "units", "from 1 to "},
        {"{\"units\":1000}", "units", "from 1 to "},
        {"{\"symmetric\":1}", "symmetric", "\"symmetric\": expected true or false"},
        {"{\"seed\":-1}", "seed", "from 0 to 18446744073709551615"},
        {"{\"more\":1}", "more", "expected \"seed\", \"width\", \"height\", \"units\", \"symmetric\""},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        served_fail(&served, MESSAGE_POST, "/api/maps/random", cases[i].body, 400, cases[i].field,
                    cases[i].words);
    json_t *plain = ask(MESSAGE_POST, "/api/maps/random", "{}", 200);
    json_t *first =
        ask(MESSAGE_POST, "/api/maps/random", "{\"seed\":1,\"symmetric\":false,\"width\":null}", 200);
    json_t *symmetric = ask(MESSAGE_POST, "/api/maps/random", "{\"symmetric\":true}", 200);
    assert_true(json_equal(plain, first));
    assert_false(json_equal(plain, symmetric));
    json_decref(plain);
    json_decref(first);
    json_decref(symmetric);
    json_t *tall = ask(MESSAGE_POST, "/api/maps/random", "{\"width\":4,\"height\":32,\"units\":1}", 200);
    assert_int_equal(number_of(json_object_get(tall, "map"), "width"), 6);
    assert_int_equal(number_of(json_object_get(tall, "map"), "height"), 34);
    assert_int_equal(json_array_size(json_object_get(json_object_get(tall, "map"), "units")), 2);
    json_decref(tall);
}

static void write_map(const char *name, size_t size) {
    char path[200];
    snprintf(path, sizeof path, "%s/maps/%s.tbsmap", served.data, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (size_t i = 0; i < size; i++)
        putc(' ', file);
    fclose(file);
}

/* A map has at most a megabyte, in a request and in a file. */
static void limits_sizes(void **state) {
    enum { LIMIT = 1 << 20 };
    (void)state;
    char *text = malloc(LIMIT + 40);
    assert_non_null(text);
    for (int more = 0; more < 2; more++) {
        memset(text, ' ', LIMIT + 40);
        memcpy(text, "{\"text\":\"", 9);
        strcpy(text + 9 + LIMIT + more, "\"}");
        if (more == 0)
            json_decref(ask(MESSAGE_POST, "/api/maps/check", text, 200));
        else
            served_fail(&served, MESSAGE_POST, "/api/maps/check", text, 400, "text",
                        "the map is too large; the limit is 1048576 bytes");
        memset(text, ' ', LIMIT + 40);
        memcpy(text, "{\"map_text\":\"", 13);
        strcpy(text + 13 + LIMIT + more, "\"}");
        struct message_out out = served_raw(&served, MESSAGE_POST, "/api/positions", text);
        assert_int_equal(out.status, 400);
        assert_int_equal(
            strstr(text_string(&out.body), "the map is too large; the limit is 1048576 bytes") != NULL, more);
        message_done(&out);
        json_decref(ask(MESSAGE_PUT, "/api/maps/mine/any", DRAWN, 200));
        write_map("large", (size_t)(LIMIT + more));
        served_fail(&served, MESSAGE_GET, "/api/maps/mine/large", NULL, more ? 500 : 404, "map",
                    more ? "large.tbsmap" : "the file of 'mine/large' is no map that can be played");
    }
    free(text);
    ask(MESSAGE_DELETE, "/api/maps/mine/large", NULL, 204);
    ask(MESSAGE_DELETE, "/api/maps/mine/any", NULL, 204);
}

/* Names of 64 letters are the longest. */
static void limits_names(void **state) {
    (void)state;
    char path[120] = "/api/maps/mine/";
    memset(path + 15, 'n', 65);
    path[15 + 65] = '\0';
    served_fail(&served, MESSAGE_PUT, path, DRAWN, 400, "name",
                "is no name for a map; expected 1 to 64 letters, digits, _ or -");
    path[15 + 64] = '\0';
    json_t *saved = ask(MESSAGE_PUT, path, DRAWN, 200), *maps = ask(MESSAGE_GET, "/api/maps", NULL, 200);
    assert_string_equal(text_of(saved, "name"), path + 10);
    assert_non_null(listed(maps, path + 10));
    ask(MESSAGE_DELETE, path, NULL, 204);
    json_decref(saved);
    json_decref(maps);
}

static void has_room_for_many_but_not_all(void **state) {
    (void)state;
    char path[60];
    for (int i = 0; i < 500; i++) {
        snprintf(path, sizeof path, "/api/maps/mine/map-%d", i);
        json_decref(ask(MESSAGE_PUT, path, DRAWN, 200));
    }
    served_fail(&served, MESSAGE_PUT, "/api/maps/mine/one-more", DRAWN, 409, NULL, "limit");
    json_decref(ask(MESSAGE_PUT, "/api/maps/mine/map-7", DRAWN, 200)); /* in place of itself */
    ask(MESSAGE_DELETE, "/api/maps/mine/map-8", NULL, 204);
    json_decref(ask(MESSAGE_PUT, "/api/maps/mine/one-more", DRAWN, 200));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_ours),
        cmocka_unit_test(describes_one_completely),
        cmocka_unit_test(saves_and_forgets),
        cmocka_unit_test(plays_on_them),
        cmocka_unit_test(checks_as_one_draws),
        cmocka_unit_test(checks_text),
        cmocka_unit_test(refuses_what_is_no_map),
        cmocka_unit_test(stays_in_its_folder),
        cmocka_unit_test(takes_only_files_for_maps),
        cmocka_unit_test(makes_random_ones),
        cmocka_unit_test(refuses_random_ones),
        cmocka_unit_test(limits_sizes),
        cmocka_unit_test(limits_names),
        cmocka_unit_test(has_room_for_many_but_not_all),
    };
    return cmocka_run_group_tests(tests, open_idle, close_it);
}
