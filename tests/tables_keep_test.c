/* SPDX-License-Identifier: MIT
 *
 * Games on a disk that is full or broken, or was: actions of people are stored or refused, actions of players
 * are stored as soon as possible, and losses are reported.
 */
#include "tests/fake/disk.h"
#include "tests/follow_support.h"
#include "tests/seated_support.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static void fill_disk(void) {
    disk_fail(DISK_WRITE, ENOSPC, served.data);
}

static void empty_disk(void) {
    disk_fail(0, 0, NULL);
}

static int close_on_whole_disk(void **state) {
    empty_disk();
    return close_it(state);
}

/* The live game as both players see it together. */
static json_t *whole(const struct game_at *game) {
    char keys[100];
    snprintf(keys, sizeof keys, "%s,%s", game->keys[0], game->keys[1]);
    return look(game, game->keys[0][0] != '\0' ? keys : "");
}

/* Sends the request on a full disk: 507, and nothing has changed, here and after a restart. */
static void expect_refused(const struct game_at *game, const char *verb, const char *body) {
    char path[100];
    now_ns += INT64_C(5000000000); /* of thinking: a refusal neither charges nor forgives it */
    json_t *before = whole(game);
    fill_disk();
    snprintf(path, sizeof path, "/api/tables/%s/%s", game->id, verb);
    served_fail(&served, MESSAGE_POST, path, body, 507, NULL,
                "it was not done, because the game cannot be written: No space left on device");
    json_t *after = whole(game);
    if (!json_equal(before, after))
        fail_msg("'%s' was refused, and has changed something", verb);
    empty_disk();
    json_decref(after);
    now_ns += INT64_C(3000000000);
    disk_watch();
    json_decref(whole(game));
    assert_string_equal(disk_log(), ""); /* nothing waits for being saved */
    restart();
    after = whole(game);
    json_object_del(before, "clocks"); /* a decision begins anew then */
    json_object_del(after, "clocks");
    assert_true(json_equal(before, after));
    json_decref(before);
    json_decref(after);
}

static void refuse_with_key(const struct game_at *game, int side, const char *verb, const char *more) {
    char body[200];
    snprintf(body, sizeof body, "{\"key\":\"%s\"%s}", game->keys[side], more);
    expect_refused(game, verb, body);
}

/* ---- people ---- */

static void actions_of_people_are_stored_or_refused(void **unused) {
    (void)unused;
    const struct game_at game = sit("{\"map\":\"duel\",\"clock\":\"game=1000\"," TWO_PEOPLE "}");
    refuse_with_key(&game, 0, "action", ",\"ply\":0,\"action\":\"1:2,3x2\"");
    act(&game, 0, 0, "1:2,3x2");
    refuse_with_key(&game, 0, "undo", "");
    refuse_with_key(&game, 0, "take-back", "");
    act(&game, 0, 1, "pass");
    refuse_with_key(&game, 0, "take-back", "");
    post_to(&game, "take-back", 200, "{\"key\":\"%s\"}", game.keys[0]);
    refuse_with_key(&game, 1, "answer", ",\"accept\":true");
    refuse_with_key(&game, 1, "answer", ",\"accept\":false");
    refuse_with_key(&game, 0, "resign", ""); /* not its turn */
    refuse_with_key(&game, 1, "resign", "");
    act(&game, 1, 2, "pass"); /* and all of it is possible afterwards */
    post_to(&game, "resign", 200, "{\"key\":\"%s\"}", game.keys[1]);
    restart();
    json_t *table = look(&game, "");
    assert_string_equal(text_at(table, "result"), "red resignation");
    json_decref(table);
}

static void the_end_of_a_game_is_stored_or_refused(void **unused) {
    (void)unused;
    const struct game_at game = sit("{\"game\":\"geister\"," TWO_PEOPLE "}");
    refuse_with_key(&game, 0, "action", ",\"ply\":0,\"action\":\"ABCD\"");
    act(&game, 0, 0, "ABCD");
    refuse_with_key(&game, 1, "resign", "");
    post_to(&game, "resign", 200, "{\"key\":\"%s\"}", game.keys[1]);
    restart();
    json_t *table = look(&game, "");
    assert_true(is_true(table, "over"));
    json_decref(table);
}

static void a_game_that_cannot_be_stored_is_not_begun(void **unused) {
    (void)unused;
    fill_disk();
    served_fail(&served, MESSAGE_POST, "/api/tables", "{\"map\":\"duel\"," TWO_PEOPLE "}", 507, NULL,
                "the game was not begun, because it cannot be written: No space left");
    json_t *list = served_ask(&served, MESSAGE_GET, "/api/tables", NULL, 200);
    assert_int_equal(json_array_size(list), 0);
    json_decref(list);
}

/* An error of the disk at the sync, or at the rename, is also a reason. */
static void every_failure_of_the_disk_refuses(void **unused) {
    static const int calls[] = {DISK_WRITE, DISK_SYNC, DISK_RENAME};
    static const int reasons[] = {EIO, EDQUOT, EROFS};
    (void)unused;
    const struct game_at game = sit("{\"map\":\"duel\"," TWO_PEOPLE "}");
    for (int i = 0; i < 9; i++) {
        if (calls[i / 3] == DISK_SYNC && reasons[i % 3] == EROFS)
            continue; /* a file system without sync is not an error */
        disk_fail(calls[i / 3], reasons[i % 3], served.data);
        post_to(&game, "action", 507, "{\"key\":\"%s\",\"ply\":0,\"action\":\"pass\"}", game.keys[0]);
        empty_disk();
        assert_int_equal(ply_of(&game), 0);
    }
}

/* An answer of 200 comes after the move, and the name it has, is on the disk. */
static void a_move_is_on_the_disk_before_its_answer(void **unused) {
    char expected[200];
    (void)unused;
    const struct game_at game = sit("{\"map\":\"duel\"," TWO_PEOPLE "}");
    snprintf(expected, sizeof expected, "sync DRAFT\nrename DRAFT %s.json\nsync tables\n", game.id);
    disk_watch();
    act(&game, 0, 0, "pass");
    assert_string_equal(disk_log(), expected);
    json_decref(look(&game, ""));
    assert_string_equal(disk_log(), expected); /* once is enough */
}

static void a_game_between_players_is_stopped_or_not(void **unused) {
    (void)unused;
    const struct game_at game = sit("{\"map\":\"duel\"," PLAYERS("random", "random") "}");
    expect_refused(&game, "stop", "{}");
    post_to(&game, "stop", 200, "{}");
    restart();
    json_t *table = look(&game, "");
    assert_true(is_true(table, "over"));
    json_decref(table);
}

/* Space is what deleting makes. */
static void a_game_is_deleted_on_a_full_disk(void **unused) {
    char path[200];
    (void)unused;
    const struct game_at game = sit("{\"map\":\"duel\"," TWO_PEOPLE "}");
    snprintf(path, sizeof path, "/api/tables/%s?key=%s", game.id, game.keys[0]);
    fill_disk();
    served_ask(&served, MESSAGE_DELETE, path, NULL, 204);
    empty_disk();
    restart();
    json_t *list = served_ask(&served, MESSAGE_GET, "/api/tables", NULL, 200);
    assert_int_equal(json_array_size(list), 0);
    json_decref(list);
}

/* ---- players and clocks ---- */

/* The end of a clock cannot be refused: it is shown as unsaved, and saved as soon as possible. */
static void ends_of_clocks_are_stored_later(void **unused) {
    (void)unused;
    const struct game_at game = sit("{\"map\":\"duel\",\"clock\":\"turn=10\"," TWO_PEOPLE "}");
    fill_disk();
    now_ns += INT64_C(20000000000);
    json_t *table = look(&game, "");
    assert_string_equal(text_at(table, "result"), "blue late");
    json_decref(table);
    table = look(&game, "");
    assert_string_equal(text_at(table, "unsaved"), "No space left on device");
    json_decref(table);
    char warned[600];
    snprintf(warned, sizeof warned,
             "game %s is not saved: %s/tables/%s.json: cannot be written: No space left on device\n", game.id,
             served.data, game.id);
    assert_string_equal(served_warned, warned);
    now_ns += INT64_C(2000000000);
    json_decref(look(&game, "")); /* another attempt, and no other warning */
    assert_string_equal(served_warned, warned);
    empty_disk();
    now_ns += INT64_C(1000000000);
    json_decref(look(&game, "")); /* too early to try again */
    table = look(&game, "");
    assert_true(json_is_string(at(table, "unsaved")));
    json_decref(table);
    now_ns += INT64_C(1000000000);
    json_decref(look(&game, ""));
    table = look(&game, "");
    assert_true(json_is_null(at(table, "unsaved")));
    json_decref(table);
    const size_t used = strlen(warned);
    snprintf(warned + used, sizeof warned - used, "game %s is saved again\n", game.id);
    assert_string_equal(served_warned, warned);
    restart();
    table = look(&game, "");
    assert_string_equal(text_at(table, "result"), "blue late");
    json_decref(table);
}

static bool was_told(struct follower *follower, bool unsaved) {
    follow_more(follower);
    json_t *last = followed(follower, "unsaved", -1);
    const bool is = last != NULL && json_is_string(json_object_get(last, "unsaved")) == unsaved;
    json_decref(last);
    return is;
}

static void await_unsaved(struct follower *follower, bool unsaved) {
    for (int i = 0; i < 60000; i++) {
        if (was_told(follower, unsaved))
            return;
        nap();
    }
    fail_msg("no word that the game is %s", unsaved ? "not saved" : "saved");
}

static size_t kept_actions(const struct game_at *game) {
    char path[200];
    snprintf(path, sizeof path, "%s/tables/%s.json", served.data, game->id);
    json_t *root = json_load_file(path, 0, NULL);
    const size_t count = json_array_size(json_object_get(root, "actions"));
    json_decref(root);
    return count;
}

/* The computer's answer when the disk has become full: subscribers get an event that it is not saved, and
 * later that it is, without a request. */
static void the_computers_move_is_saved_later(void **unused) {
    struct follower follower;
    char path[200];
    (void)unused;
    const struct game_at game =
        sit("{\"map\":\"duel\",\"seats\":[{\"kind\":\"human\"},{\"kind\":\"player\",\"spec\":\"random\"}]}");
    snprintf(path, sizeof path, "/api/tables/%s/events?key=%s", game.id, game.keys[0]);
    follow(&follower, &served, path);
    disk_fail_later(DISK_RENAME, ENOSPC, served.data, 1); /* the person's action is stored */
    act(&game, 0, 0, "pass");
    await_unsaved(&follower, true);
    assert_int_equal(kept_actions(&game), 1);
    json_t *table = wait_for(&game, 2);
    while (json_integer_value(at(table, "mover")) != 0) {
        json_decref(table);
        nap();
        table = look(&game, "");
    }
    assert_true(json_is_string(at(table, "unsaved")));
    const int ply = number_at(table, "ply");
    json_decref(table);
    post_to(&game, "action", 507, "{\"key\":\"%s\",\"ply\":%d,\"action\":\"pass\"}", game.keys[0], ply);
    assert_int_equal(ply_of(&game), ply);
    empty_disk();
    await_unsaved(&follower, false);
    assert_int_equal(kept_actions(&game), ply); /* refused actions are not among them */
    follow_done(&follower);
}

/* The server ends before it could be saved: that is a failure. */
static void what_is_lost_in_the_end_is_a_failure(void **unused) {
    (void)unused;
    const struct game_at game = sit("{\"map\":\"duel\",\"clock\":\"turn=10\"," TWO_PEOPLE "}");
    fill_disk();
    now_ns += INT64_C(20000000000);
    json_decref(look(&game, "")); /* late */
    char lost[600];
    snprintf(
        lost, sizeof lost,
        "game %s: its last moves are lost: %s/tables/%s.json: cannot be written: No space left on device\n",
        game.id, served.data, game.id);
    assert_false(workbench_close(served.bench));
    assert_non_null(strstr(served_warned, lost));
    empty_disk();
    served_open(&served);
    json_t *table = look(&game, "");
    assert_string_equal(text_at(table, "result"), "none");
    json_decref(table);
    assert_true(workbench_close(served.bench));
    served_open(&served);
}

/* In a game with a person the answer is stored at once, not only at the next interval. */
static void the_computers_move_is_stored_at_once(void **unused) {
    (void)unused;
    const struct game_at game =
        sit("{\"map\":\"duel\",\"seats\":[{\"kind\":\"human\"},{\"kind\":\"player\",\"spec\":\"random\"}]}");
    act(&game, 0, 0, "pass");
    json_t *table = wait_for(&game, 2);
    assert_true(kept_actions(&game) >= 2);
    json_decref(table);
}

/* ---- files that were emptied ---- */

static void write_over(const char *name, const char *text) {
    char path[200];
    snprintf(path, sizeof path, "%s/tables/%s", served.data, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void expect_damaged(const char *file, const char *words) {
    json_t *about = served_ask(&served, MESSAGE_GET, "/api/about", NULL, 200);
    const json_t *list = json_object_get(about, "damaged");
    bool found = false;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *sentence = json_string_value(json_array_get(list, i));
        found = found || (strstr(sentence, file) != NULL && strstr(sentence, words) != NULL);
    }
    if (!found)
        fail_msg("no sentence says that %s '%s'", file, words);
    json_decref(about);
}

/* They are reported, and stay unchanged. */
static void an_emptied_game_is_named(void **unused) {
    static const struct {
        const char *text, *words;
    } cases[] = {{"", "it is empty"},
                 {"{\"format\":\"senjutsu-table\",\"vers", "cannot be read: it"},
                 {"{\"format\":\"senjutsu-table\",\"version\":1}", "cannot be read: "}};
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct game_at game = sit("{\"map\":\"duel\"," TWO_PEOPLE "}");
        char name[40], path[200];
        snprintf(name, sizeof name, "%s.json", game.id);
        snprintf(path, sizeof path, "%s/tables/%s", served.data, name);
        served_close(&served);
        write_over(name, cases[i].text);
        served_open(&served);
        expect_damaged(name, cases[i].words);
        served_close(&served);
        FILE *file = fopen(path, "r");
        assert_non_null(file);
        char line[200] = "";
        if (fgets(line, sizeof line, file) == NULL)
            line[0] = '\0';
        fclose(file);
        assert_string_equal(line, cases[i].text);
        unlink(path);
        served_open(&served);
    }
    json_t *about = served_ask(&served, MESSAGE_GET, "/api/about", NULL, 200);
    assert_int_equal(json_array_size(json_object_get(about, "damaged")), 0);
    json_decref(about);
}

/* Opened without its actions, the game would be overwritten at the next move. */
static void a_game_without_a_list_of_actions_is_named(void **unused) {
    (void)unused;
    const struct game_at game = sit("{\"map\":\"duel\"," TWO_PEOPLE "}");
    char name[40], path[200];
    snprintf(name, sizeof name, "%s.json", game.id);
    snprintf(path, sizeof path, "%s/tables/%s", served.data, name);
    served_close(&served);
    json_t *root = json_load_file(path, 0, NULL);
    assert_int_equal(json_object_set_new(root, "actions", json_object()), 0);
    assert_int_equal(json_dump_file(root, path, 0), 0);
    json_decref(root);
    served_open(&served);
    expect_damaged(name, "a part of it is missing");
    served_close(&served);
    unlink(path);
    served_open(&served);
}

static void emptied_thoughts_are_named(void **unused) {
    (void)unused;
    const struct game_at game = sit("{\"map\":\"duel\"," TWO_PEOPLE "}");
    char name[64];
    snprintf(name, sizeof name, "%s.thoughts", game.id);
    write_over(name, "");
    restart();
    expect_damaged(name, "the file is empty");
    assert_int_equal(ply_of(&game), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(actions_of_people_are_stored_or_refused, open_idle,
                                        close_on_whole_disk),
        cmocka_unit_test_setup_teardown(the_end_of_a_game_is_stored_or_refused, open_idle,
                                        close_on_whole_disk),
        cmocka_unit_test_setup_teardown(a_game_that_cannot_be_stored_is_not_begun, open_idle,
                                        close_on_whole_disk),
        cmocka_unit_test_setup_teardown(every_failure_of_the_disk_refuses, open_idle, close_on_whole_disk),
        cmocka_unit_test_setup_teardown(a_move_is_on_the_disk_before_its_answer, open_idle,
                                        close_on_whole_disk),
        cmocka_unit_test_setup_teardown(a_game_is_deleted_on_a_full_disk, open_idle, close_on_whole_disk),
        cmocka_unit_test_setup_teardown(a_game_between_players_is_stopped_or_not, open_idle,
                                        close_on_whole_disk),
        cmocka_unit_test_setup_teardown(what_is_lost_in_the_end_is_a_failure, open_idle, close_on_whole_disk),
        cmocka_unit_test_setup_teardown(the_computers_move_is_stored_at_once, open_frozen,
                                        close_on_whole_disk),
        cmocka_unit_test_setup_teardown(ends_of_clocks_are_stored_later, open_idle, close_on_whole_disk),
        cmocka_unit_test_setup_teardown(the_computers_move_is_saved_later, open_busy, close_on_whole_disk),
        cmocka_unit_test_setup_teardown(an_emptied_game_is_named, open_idle, close_on_whole_disk),
        cmocka_unit_test_setup_teardown(a_game_without_a_list_of_actions_is_named, open_idle,
                                        close_on_whole_disk),
        cmocka_unit_test_setup_teardown(emptied_thoughts_are_named, open_idle, close_on_whole_disk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
