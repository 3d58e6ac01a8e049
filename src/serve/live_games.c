/* SPDX-License-Identifier: MIT
 *
 * All live games: their files in the data folder, the list of them, and what other parts of the workbench
 * use.
 *
 * tables/ID.json is a game with its seats, keys and clocks; it is written after each change.
 * tables/ID.thoughts has the players' thoughts, one line a step; it is written at the end of the game. Both
 * are on the disk when the write returns. A game is loaded by playing its actions again. A file that is empty
 * or breaks the rules is reported and left alone.
 */
#include "serve/live_game.h"

#include "base/charset.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/jsontext.h"
#include "base/mem.h"
#include "serve/start_position.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FORMAT "senjutsu-table"

enum { FILE_MAX = 8 << 20, THOUGHTS_FILE_MAX = 256 << 20 };

/* Files may have been edited by others: larger numbers are refused (nanoseconds, about thirty years). */
#define NUMBER_MAX INT64_C(1000000000000000000)

static bool path_of(const struct live_game *live, const char *ending, char out[SERVE_PATH_MAX],
                    struct err *e) {
    char name[SERVE_ID_MAX + 16];
    snprintf(name, sizeof name, "%s%s", live->id, ending);
    return serve_path(live->games->bench, "tables", name, out, e);
}

/* ---- writing ---- */

static json_t *seat_json(const struct live_game_seat *seat) {
    return json_pack("{sb ss ss ss}", "human", seat->is_human, "name", seat->name, "spec", seat->spec, "key",
                     seat->key);
}

/* Game, map and seed, as a record has them; the actions stand apart, since a game may begin anywhere. */
static json_t *head_json(const struct live_game *live) {
    struct record head = live->record;
    struct text text = {0};
    head.count = 0;
    head.comment[0] = '\0';
    snprintf(head.result, sizeof head.result, "none");
    struct replay replay;
    replay_start(&replay, &head, live->scenario);
    if (live->scenario->game->mover(replay.state) == NOBODY)
        snprintf(head.result, sizeof head.result, "%s", live->scenario->game->text->result(replay.state));
    json_t *json = record_write_json_of(&head, live->scenario, &text, NULL) ? jsontext_own(&text) : NULL;
    text_done(&text);
    return json;
}

static json_t *position_json(const struct live_game *live) {
    if (!live->game.is_placed)
        return json_null();
    struct text text = {0};
    live->scenario->game->text->write_state(live->game.start, &text);
    json_t *string = json_string(text_string(&text));
    text_done(&text);
    return string;
}

/* The chance of a step: null when the adviser gave none, false when it was not asked yet. */
static json_t *chance_json(const struct live_game_step *step) {
    if (!step->is_asked)
        return json_false();
    return isnan(step->chance) ? json_null() : json_real(step->chance);
}

static json_t *actions_json(const struct live_game *live) {
    const struct game *game = live->scenario->game;
    json_t *list = json_array();
    struct replay replay;
    struct text text = {0};
    clocked_game_replay(&live->game, 0, &replay, NULL);
    while (replay.next < live->record.count) {
        const struct record_action *played = &live->record.actions[replay.next];
        text_clear(&text);
        game->text->write_action(replay.state, played->action, &text);
        json_array_append_new(list, json_pack("[sfo]", text_string(&text), (double)played->milliseconds,
                                              chance_json(&live->steps[replay.next])));
        replay_step(&replay, NULL);
    }
    text_done(&text);
    return list;
}

static json_t *numbers_json(const int64_t numbers[2]) {
    return json_pack("[II]", (json_int_t)numbers[0], (json_int_t)numbers[1]);
}

static json_t *rng_json(const struct rng *r) {
    char digits[4 * 16 + 1];
    for (int i = 0; i < 4; i++)
        snprintf(digits + (size_t)i * 16, 17, "%016" PRIx64, r->s[i]);
    return json_string(digits);
}

static json_t *file_json(const struct live_game *live) {
    const struct referee *referee = &live->game.referee;
    return json_pack("{ss si ss sI ss sO so so s[oo] ss so so so s[oo] sb si sb si si ss ss so}", "format",
                     FORMAT, "version", 1, "id", live->id, "number", (json_int_t)live->number, "created",
                     live->created, "ground", live->start_json, "head", head_json(live), "position",
                     position_json(live), "seats", seat_json(&live->seats[0]), seat_json(&live->seats[1]),
                     "clock", live->clock, "game_left", numbers_json(live->game.clocks.game_left_ns),
                     "turn_used", numbers_json(live->game.clocks.turn_used_ns), "byoyomi_used",
                     numbers_json(live->game.clocks.byoyomi_used_ns), "streams",
                     rng_json(&referee->seat_rng[0]), rng_json(&referee->seat_rng[1]), "wants_thoughts",
                     live->wants_thoughts, "offer", live->offer, "ended", live->game.is_stopped, "forfeiter",
                     referee->forfeiter, "fault", (int)referee->fault_kind, "result", live->record.result,
                     "comment", live->record.comment, "actions", actions_json(live));
}

bool live_game_save(struct live_game *live, struct err *e) {
    char path[SERVE_PATH_MAX];
    live->saved_ns = live_game_now(live);
    live->is_urgent = false;
    json_t *json = file_json(live);
    char *dump = json_dumps(json, JSON_COMPACT);
    json_decref(json);
    const bool ok = path_of(live, ".json", path, e) && file_write(path, dump, strlen(dump), e);
    free(dump);
    live->is_changed = live->is_changed && !ok;
    return ok;
}

void live_game_save_thoughts(struct live_game *live) {
    char path[SERVE_PATH_MAX];
    struct text text = {0};
    bool is_any = false;
    if (!live->has_thoughts)
        return;
    for (int i = 0; i < live->record.count; i++) {
        const char *thoughts = live->steps[i].thoughts;
        is_any = is_any || thoughts != NULL;
        text_add_string(&text, thoughts != NULL ? thoughts : "null");
        text_add_string(&text, "\n");
    }
    live->thoughts_saved = is_any && path_of(live, ".thoughts", path, NULL) &&
                           file_write(path, text_string(&text), text.size, NULL);
    live->thoughts_hash = hash_bytes(HASH_START, text_string(&text), text.size);
    text_done(&text);
}

/* The game last: while its file is there, the game is. */
bool live_game_remove_files(const struct live_game *live, struct err *e) {
    static const char *const endings[] = {".thoughts", ".json"};
    char path[SERVE_PATH_MAX];
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++)
        if (!path_of(live, endings[i], path, e) || !file_remove(path, e))
            return false;
    return true;
}

/* ---- thoughts that are in their file ---- */

void live_game_drop_thoughts(struct live_game *live) {
    if (!live->thoughts_saved || !live_game_is_over(live))
        return;
    for (int i = 0; i < live->record.count; i++) {
        mem_free(live->steps[i].thoughts);
        live->steps[i].thoughts = NULL;
    }
    live->has_thoughts = false;
}

/* The page receives the line unchanged, as one line of an event: it must be JSON without line ends. */
static bool is_object(const char *line, size_t size) {
    json_t *read = memchr(line, '\r', size) == NULL ? json_loadb(line, size, 0, NULL) : NULL;
    const bool is = json_is_object(read);
    json_decref(read);
    return is;
}

/* Lines that this program wrote or checked before (by the file's hash) are not checked again: that takes ten
 * times as long as reading them. */
static void take_thoughts(struct live_game *live, const struct text *text) {
    const char *at = text_string(text);
    const uint64_t hash = hash_bytes(HASH_START, at, text->size);
    const bool is_known = live->thoughts_hash != 0 && hash == live->thoughts_hash;
    bool is_good = true;
    for (int i = 0; i < live->record.count && *at != '\0'; i++) {
        const size_t size = strcspn(at, "\n");
        if (at[0] == '{' && (is_known || is_object(at, size))) {
            assert(live->steps[i].thoughts == NULL); /* read only while no thoughts are in memory */
            live->steps[i].thoughts = mem_alloc(size + 1);
            memcpy(live->steps[i].thoughts, at, size);
        } else {
            is_good = is_good && at[0] != '{';
        }
        at += size + (at[size] == '\n');
    }
    if (is_good)
        live->thoughts_hash = hash;
}

void live_game_load_thoughts(struct live_game *live) {
    char path[SERVE_PATH_MAX];
    struct text text = {0};
    if (live->has_thoughts || !path_of(live, ".thoughts", path, NULL))
        return;
    live->has_thoughts = true;
    if (file_is_plain(path) && file_read(path, THOUGHTS_FILE_MAX, &text, NULL))
        take_thoughts(live, &text);
    text_done(&text);
}

/* ---- reading ---- */

static bool copy_text(const json_t *root, const char *key, char *out, size_t out_size) {
    const json_t *value = json_object_get(root, key);
    if (!json_is_string(value) || json_string_length(value) >= out_size)
        return false;
    memcpy(out, json_string_value(value), json_string_length(value) + 1);
    return true;
}

static bool read_seats(const json_t *root, struct live_game *live) {
    const json_t *seats = json_object_get(root, "seats");
    bool ok = json_array_size(seats) == 2;
    for (size_t i = 0; ok && i < 2; i++) {
        struct live_game_seat *seat = &live->seats[i];
        const json_t *from = json_array_get(seats, i);
        seat->is_human = json_is_true(json_object_get(from, "human"));
        ok = copy_text(from, "name", seat->name, sizeof seat->name) &&
             copy_text(from, "spec", seat->spec, sizeof seat->spec) &&
             copy_text(from, "key", seat->key, sizeof seat->key);
    }
    return ok;
}

static bool read_numbers(const json_t *root, const char *key, int64_t out[2]) {
    const json_t *numbers = json_object_get(root, key);
    for (size_t i = 0; i < 2; i++) {
        const json_t *number = json_array_get(numbers, i);
        out[i] = json_integer_value(number);
        if (!json_is_integer(number) || out[i] < -NUMBER_MAX || out[i] > NUMBER_MAX)
            return false;
    }
    return true;
}

static bool read_rng(const json_t *value, struct rng *out) {
    const char *digits = json_string_value(value);
    if (digits == NULL || strlen(digits) != 64 || strspn(digits, "0123456789abcdef") != 64)
        return false;
    for (int i = 0; i < 4; i++) {
        char word[17] = {0};
        memcpy(word, digits + (size_t)i * 16, 16);
        out->s[i] = strtoull(word, NULL, 16);
    }
    return (out->s[0] | out->s[1] | out->s[2] | out->s[3]) != 0;
}

static bool read_action(const json_t *row, struct live_game *live, struct err *e) {
    const char *text = json_string_value(json_array_get(row, 0));
    const json_t *chance = json_array_get(row, 2);
    action a;
    if (text == NULL || !json_is_number(json_array_get(row, 1)) ||
        live->record.count >= LIVE_GAME_ACTIONS_MAX ||
        !live->scenario->game->text->read_action(live_game_state(live), text, &a, e))
        return false;
    live_game_add(live, a, json_number_value(json_array_get(row, 1)));
    struct live_game_step *step = &live->steps[live->record.count - 1];
    step->is_asked = step->is_asked || !json_is_false(chance);
    if (json_is_number(chance))
        step->chance = json_number_value(chance);
    if (step->is_asked && live->advised == live->record.count - 1)
        live->advised++;
    return true;
}

/* The parts that do not follow from the actions. */
static bool read_rest(const json_t *root, struct live_game *live) {
    struct referee *referee = &live->game.referee;
    const json_t *streams = json_object_get(root, "streams");
    const json_int_t forfeiter = json_integer_value(json_object_get(root, "forfeiter")),
                     fault = json_integer_value(json_object_get(root, "fault")),
                     offer = json_integer_value(json_object_get(root, "offer"));
    if (forfeiter < NOBODY || forfeiter > 1 || fault < 0 || fault >= PLAYER_FAULTS || offer < NOBODY ||
        offer > 1)
        return false;
    referee->forfeiter = (int)forfeiter;
    referee->fault_kind = (enum player_fault)fault;
    live->offer = (int)offer;
    live->game.is_stopped = json_is_true(json_object_get(root, "ended"));
    live->wants_thoughts = json_is_true(json_object_get(root, "wants_thoughts"));
    return read_numbers(root, "game_left", live->game.clocks.game_left_ns) &&
           read_numbers(root, "turn_used", live->game.clocks.turn_used_ns) &&
           read_numbers(root, "byoyomi_used", live->game.clocks.byoyomi_used_ns) &&
           read_rng(json_array_get(streams, 0), &referee->seat_rng[0]) &&
           read_rng(json_array_get(streams, 1), &referee->seat_rng[1]) &&
           copy_text(root, "result", live->record.result, sizeof live->record.result) &&
           copy_text(root, "comment", live->record.comment, sizeof live->record.comment);
}

static bool fill(const json_t *root, struct live_game *live, struct err *e) {
    const json_t *actions = json_object_get(root, "actions");
    const json_int_t number = json_integer_value(json_object_get(root, "number"));
    if (number < 0 || number > NUMBER_MAX || !copy_text(root, "id", live->id, sizeof live->id) ||
        !serve_is_id(live->id) || !copy_text(root, "created", live->created, sizeof live->created) ||
        !read_seats(root, live) || !copy_text(root, "clock", live->clock, sizeof live->clock) ||
        !json_is_object(json_object_get(root, "ground")))
        return false;
    live->number = (uint64_t)number;
    live->start_json = json_incref(json_object_get(root, "ground"));
    if (!live_game_start(live, live->record.seed, json_string_value(json_object_get(root, "position")), e))
        return false;
    for (size_t i = 0; i < json_array_size(actions); i++)
        if (!read_action(json_array_get(actions, i), live, e))
            return false;
    return read_rest(root, live);
}

/* The game in a file, or NULL and a reason. */
static struct live_game *read_game(struct live_games *games, const json_t *root, struct err *e) {
    struct record head;
    struct text text = {0};
    record_init(&head);
    struct scenario *scenario = NULL;
    if (jsontext_is(root, FORMAT, e) && jsontext_member(root, "head", &text, e) &&
        record_read_json("head", text_string(&text), text.size, &head, e))
        scenario = record_scenario(&head, e);
    text_done(&text);
    struct live_game *live = scenario != NULL ? live_game_open(games, scenario) : NULL;
    if (live == NULL) {
        record_done(&head);
        return NULL;
    }
    live->record = head;
    live->has_thoughts = false;
    err_set(e, "a part of it is missing, or has no meaning");
    if (fill(root, live, e))
        return live;
    live_game_drop(live);
    return NULL;
}

static json_t *read_file(const char *path, struct err *e) {
    struct text text = {0};
    json_t *root = NULL;
    if (!file_is_plain(path))
        err_set(e, "it is no plain file");
    else if (file_read(path, FILE_MAX, &text, e))
        root = text.size == 0 ? (err_set(e, "it is empty"), NULL)
                              : jsontext_load("it", text_string(&text), text.size, e);
    text_done(&text);
    return root;
}

/* A thoughts file is written only when there are thoughts, so an empty file has lost some. */
static void check_thoughts(struct live_game *live) {
    char path[SERVE_PATH_MAX];
    struct text none = {0}; /* takes no memory: more than nothing is too much to read */
    const bool is_empty =
        path_of(live, ".thoughts", path, NULL) && file_is_plain(path) && file_read(path, 0, &none, NULL);
    if (is_empty)
        serve_note_damage(
            live->games->bench,
            "%s: what players thought in this game is lost: the file is empty; it is left as it is", path);
}

/* A damaged file is reported: a game that is silently missing would look as if it had never existed. */
static struct live_game *load_file(struct live_games *games, const char *name) {
    char path[SERVE_PATH_MAX];
    struct err e;
    if (!serve_path(games->bench, "tables", name, path, NULL))
        return NULL;
    json_t *root = read_file(path, &e);
    struct live_game *live = root != NULL ? read_game(games, root, &e) : NULL;
    json_decref(root);
    if (live != NULL && strncmp(live->id, name, strlen(live->id)) != 0) {
        err_set(&e, "it is a copy of game %s", live->id);
        live_game_drop(live);
        live = NULL;
    }
    if (live == NULL) {
        serve_note_damage(games->bench, "%s: this game cannot be read: %s; the file is left as it is", path,
                          e.text);
        return NULL;
    }
    live->thoughts_saved = live_game_is_over(live);
    check_thoughts(live);
    return live;
}

/* "ID.json"; other files are ignored. */
static bool is_game_file(const char *name) {
    char id[SERVE_ID_MAX];
    const char *ending = strrchr(name, '.');
    if (ending == NULL || strcmp(ending, ".json") != 0 || (size_t)(ending - name) >= sizeof id)
        return false;
    memcpy(id, name, (size_t)(ending - name));
    id[ending - name] = '\0';
    return serve_is_id(id);
}

/* Newest first, in whatever order the folder lists them. */
static bool take_entry(void *context, const char *name) {
    struct live_games *games = context;
    struct live_game *live = is_game_file(name) ? load_file(games, name) : NULL;
    if (live == NULL)
        return true;
    struct live_game **at = &games->newest;
    while (*at != NULL && (*at)->number > live->number)
        at = &(*at)->next;
    live->next = *at;
    *at = live;
    if (live->number >= games->number_next)
        games->number_next = live->number + 1;
    return true;
}

static bool load_all(struct live_games *games, struct err *e) {
    char path[SERVE_PATH_MAX];
    if (!serve_make_folder(games->bench, "tables", e) || !serve_path(games->bench, "tables", "", path, e) ||
        !file_remove_leftovers(path, e))
        return false;
    return file_list(path, &(struct file_visit){take_entry, games}, e);
}

/* ---- the list ---- */

enum {
    LIVE_GAMES_MAX = 500, /* stored games; beyond that the oldest finished ones are removed */
    LIVE_GAMES_UNFINISHED_MAX = 200,
    LIVE_GAMES_PLAYERS_MAX = 24, /* unfinished games between players */
};

/* Bytes of cached step texts: the longest game on the largest map, or many ordinary ones. */
static const size_t cached_max = (size_t)64 << 20;

/* An unfinished game without visitors for this long may be removed to make room for a new one. */
#define ABANDONED_NS (INT64_C(24) * 3600 * 1000000000)

/* ---- which there are ---- */

static int count_unfinished(const struct live_games *games, bool players_only) {
    int count = 0;
    for (const struct live_game *live = games->newest; live != NULL; live = live->next)
        count += !live_game_is_over(live) && !(players_only && live_game_has_people(live));
    return count;
}

/* The oldest that is finished, or (`unfinished`) that was left; NULL: there is none. */
static struct live_game *find_oldest(const struct live_games *games, bool unfinished) {
    struct live_game *oldest = NULL;
    for (struct live_game *live = games->newest; live != NULL; live = live->next) {
        const bool is_left =
            live_game_now(live) - live->touched_ns > ABANDONED_NS && live_game_readers(live) == 0;
        if (unfinished ? !live_game_is_over(live) && is_left : live_game_is_over(live))
            oldest = live;
    }
    return oldest;
}

static void make_room(struct live_games *games) {
    int count = 0;
    for (const struct live_game *live = games->newest; live != NULL; live = live->next)
        count++;
    for (; count > LIVE_GAMES_MAX; count--) {
        struct live_game *oldest = find_oldest(games, false);
        if (oldest == NULL)
            return;
        live_games_remove(games, oldest);
    }
}

bool live_games_add(struct live_games *games, struct live_game *live, struct err *e) {
    assert(live->next == NULL);
    assert(!live->is_removed);
    live->number = games->number_next;
    live->touched_ns = live_game_now(live);
    if (!live_game_save(live, e))
        return false;
    games->number_next++;
    live->next = games->newest;
    games->newest = live;
    make_room(games);
    return true;
}

void live_games_remove(struct live_games *games, struct live_game *live) {
    assert(!live->is_removed);
    struct live_game **at = &games->newest;
    while (*at != live)
        at = &(*at)->next;
    *at = live->next;
    live->is_removed = true;
    live_game_cancel_thinking(live);
    live_game_end_streams(live);
    live_game_remove_files(live, NULL);
    live_game_drop(live);
}

bool live_games_have_room(struct live_games *games, bool has_people, struct message_out *out) {
    if (!has_people && count_unfinished(games, true) >= LIVE_GAMES_PLAYERS_MAX) {
        message_fail(out, 429, NULL, "%d games between players are under way; wait for one, or stop one",
                     LIVE_GAMES_PLAYERS_MAX);
        return false;
    }
    if (count_unfinished(games, false) < LIVE_GAMES_UNFINISHED_MAX)
        return true;
    struct live_game *left = find_oldest(games, true);
    if (left == NULL) {
        message_fail(out, 429, NULL, "%d games are under way; finish or delete one",
                     LIVE_GAMES_UNFINISHED_MAX);
        return false;
    }
    live_games_remove(games, left);
    return true;
}

struct live_game *live_games_find(struct live_games *games, const char *id, struct message_out *out) {
    for (struct live_game *live = games->newest; live != NULL; live = live->next)
        if (strcmp(live->id, id) == 0) {
            live_game_check_time(live);
            return live;
        }
    message_fail_code(out, 404, NULL, "refused.no_table", "there is no table '%.32s'", id);
    return NULL;
}

/* ---- opening and closing ---- */

struct live_games *live_games_open(struct workbench *bench, struct err *e) {
    struct live_games *games = mem_alloc(sizeof *games);
    games->bench = bench;
    games->number_next = 1;
    games->cached_max = cached_max;
    if (!load_all(games, e)) {
        live_games_close(games);
        return NULL;
    }
    workbench_lock(bench);
    for (struct live_game *live = games->newest; live != NULL; live = live->next) {
        live->touched_ns = live_game_now(live);
        if (!live_game_is_over(live)) {
            live_game_load_thoughts(live);
            live_game_update(live);
        }
    }
    make_room(games);
    workbench_unlock(bench);
    return games;
}

/* Cancels all thinking; unfinished games stay stored as they are. */
void live_games_close(struct live_games *games) {
    workbench_lock(games->bench);
    games->is_stopping = true;
    for (struct live_game *live = games->newest; live != NULL; live = live->next)
        live_game_cancel_thinking(live);
    workbench_unlock(games->bench);
    task_pool_finish(games->bench->task_pool, games);
    for (struct live_game *live = games->newest, *next; live != NULL; live = next) {
        next = live->next;
        struct err e;
        if (live->is_changed && !live_game_save(live, &e)) {
            serve_warn(games->bench, "game %s: its last moves are lost: %s", live->id, e.text);
            games->bench->has_lost = true;
        }
        if (!live->thoughts_saved)
            live_game_save_thoughts(live);
        live_game_end_streams(live);
        live_game_drop(live);
    }
    mem_free(games);
}

/* ---- for other parts ---- */

static void copy_record(const struct record *from, struct record *to) {
    *to = *from;
    to->map = to->options = (struct text){0};
    text_add_bytes(&to->map, text_string(&from->map), from->map.size);
    text_add_bytes(&to->options, text_string(&from->options), from->options.size);
    to->capacity = from->count;
    to->actions =
        from->count > 0 ? mem_copy(from->actions, (size_t)from->count * sizeof from->actions[0]) : NULL;
}

bool live_games_write_record(struct workbench *bench, const struct record *record,
                             const struct live_game_label *as, struct text *out, struct err *e) {
    struct record copy;
    copy_record(record, &copy);
    struct live_game *live = live_game_from_record(bench->live_games, &copy, e);
    if (live == NULL)
        return false;
    charset_copy(live->id, sizeof live->id, as->id, strlen(as->id));
    if (as->map != NULL && json_object_get(live->start_json, "map_text") != NULL)
        json_object_set_new(live->start_json, "map", json_string(as->map));
    live_game_write(live, AUDIENCE_PUBLIC, out);
    live_game_drop(live);
    return true;
}

/* The complete position, which may show more than the caller may see. */
static bool fill_position(const struct live_game *live, int count, struct start_position *out,
                          struct err *e) {
    record_done(&out->record);
    copy_record(&live->record, &out->record);
    out->record.count = count;
    out->scenario = record_scenario(&out->record, e);
    if (out->scenario == NULL)
        return false;
    replay_start(&out->replay, &out->record, out->scenario);
    out->placed = live->game.is_placed;
    if (live->game.is_placed) {
        struct text start = {0};
        live->scenario->game->text->write_state(live->game.start, &start);
        const bool ok = game_read_position(out->scenario, text_string(&start), out->replay.state, e);
        text_done(&start);
        if (!ok)
            return false;
        turn_count_start(&out->replay.turn, out->scenario->game, out->replay.state);
    }
    while (out->replay.next < count)
        if (!replay_step(&out->replay, e))
            return false;
    return true;
}

/* Reduces the position to what the holder of those sides' keys may see; false when none of them is to move.
 */
static bool hide_position(const struct live_game *live, int sides, struct start_position *out) {
    const struct game *game = out->scenario->game;
    const int mover = game->mover(out->replay.state);
    if (!live_game_has_secrets(live))
        return true;
    assert(mover != NOBODY); /* the game goes on */
    if ((sides >> mover & 1) == 0)
        return false;
    game->hide(out->replay.state, mover);
    return true;
}

bool live_games_position(struct workbench *bench, const struct live_game_place *place,
                         struct start_position *out, struct message_out *failure) {
    struct err e;
    const struct live_game *live = live_games_find(bench->live_games, place->id, failure);
    const int sides = live != NULL ? live_game_sides(live, place->key) : -1;
    if (live == NULL)
        return false;
    if (sides < 0)
        return message_fail(failure, 403, "key", "that is not a key of this table");
    const int played = live->record.count;
    if (place->after > played)
        return message_fail(failure, 409, "after", "%d actions were played, not %d", played, place->after);
    if (!fill_position(live, place->after < 0 ? played : place->after, out, &e))
        return message_fail_err(failure, 500, NULL, &e);
    if (hide_position(live, sides, out))
        return true;
    return message_fail(failure, 403, "key",
                        "something is hidden there: only who is to move may look, with the key of its seat");
}
