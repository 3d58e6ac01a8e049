/* SPDX-License-Identifier: MIT
 *
 * All live games: their files in the data folder, the list of them, the tasks that look after all of them
 * (clocks, advisers), and what other parts of the workbench use.
 *
 * tables/ID.json is a game with its seats, keys and clocks; it is written after each change.
 * tables/ID.thoughts has the players' thoughts, one line a step; it is written at the end of the game. Both
 * are on the disk when the write returns. A game is loaded by playing its actions again. A file that is empty
 * or breaks the rules is reported and left alone.
 */
#include "serve/live_game.h"

#include "base/encode.h"
#include "base/mem.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define FORMAT "senjutsu-table"

enum { FILE_MAX = 8 << 20, THOUGHTS_FILE_MAX = 256 << 20 };

/* Files may have been edited by others: larger numbers are refused (nanoseconds, about thirty years). */
#define NUMBER_MAX INT64_C(1000000000000000000)

/* "DATA/tables/ID" with the ending. */
static bool path_of(const struct live_game *live, const char *ending, char out[SERVE_PATH_MAX],
                    struct err *e) {
    return file_path(out, e, "%s/tables/%s%s", live->games->bench->setup.data, live->id, ending);
}

/* ---- writing ---- */

/* [action, milliseconds, chance]. The chance is null when the adviser gave none, false when not asked yet. */
static json_t *actions_json(const struct live_game *live) {
    json_t *list = json_array();
    struct replay replay;
    struct text text = {0};
    clocked_game_replay(&live->game, 0, &replay, NULL);
    while (replay.next < live->record.count) {
        const struct record_action *played = &live->record.actions[replay.next];
        const double known = live->steps[replay.next].chance;
        json_t *chance = !isnan(known)                 ? json_real(known)
                         : replay.next < live->advised ? json_null()
                                                       : json_false();
        text_clear(&text);
        live->scenario->game->text->write_action(replay.state, played->action, &text);
        json_array_append_new(list,
                              json_pack("[sfo]", text_string(&text), (double)played->milliseconds, chance));
        replay_step(&replay, NULL);
    }
    text_done(&text);
    return list;
}

/* A generator's state as 64 hexadecimal digits: numbers of JSON have too few bits. */
static json_t *rng_json(const struct rng *r) {
    char digits[4 * 16 + 1];
    for (int i = 0; i < 4; i++)
        snprintf(digits + (size_t)i * 16, 17, "%016" PRIx64, r->s[i]);
    return json_string(digits);
}

/* The head has game, map and seed, as a record has them; the actions stand apart, since a game may begin
 * anywhere. The position is given where it is not that of the map. */
static json_t *file_json(const struct live_game *live) {
    const struct game *game = live->scenario->game;
    const struct referee *referee = &live->game.referee;
    const struct timing_clocks *clocks = &live->game.clocks;
    const struct live_game_seat *seat = live->seats;
    struct record head = live->record;
    struct text start = {0}, text = {0};
    struct replay replay;
    head.count = 0;
    head.comment[0] = '\0';
    replay_start(&replay, &head, live->scenario);
    snprintf(head.result, sizeof head.result, "%s",
             game->mover(replay.state) == NOBODY ? game->text->result(replay.state) : "none");
    json_t *head_json = record_write_json_of(&head, live->scenario, &text, NULL) ? jsontext_own(&text) : NULL;
    if (live->game.is_placed)
        game->text->write_state(live->game.start, &start);
    json_t *json = json_pack(
        "{ss si ss sI ss sO so ss? s[{sb ss ss ss}{sb ss ss ss}] ss s[II] s[II] s[II] s[oo] sb si sb si si "
        "ss ss so* so}",
        "format", FORMAT, "version", 1, "id", live->id, "number", (json_int_t)live->number, "created",
        live->created, "ground", live->start_json, "head", head_json, "position",
        live->game.is_placed ? text_string(&start) : NULL, "seats", "human", seat[0].is_human, "name",
        seat[0].name, "spec", seat[0].spec, "key", seat[0].key, "human", seat[1].is_human, "name",
        seat[1].name, "spec", seat[1].spec, "key", seat[1].key, "clock", live->clock, "game_left",
        (json_int_t)clocks->game_left_ns[0], (json_int_t)clocks->game_left_ns[1], "turn_used",
        (json_int_t)clocks->turn_used_ns[0], (json_int_t)clocks->turn_used_ns[1], "byoyomi_used",
        (json_int_t)clocks->byoyomi_used_ns[0], (json_int_t)clocks->byoyomi_used_ns[1], "streams",
        rng_json(&referee->seat_rng[0]), rng_json(&referee->seat_rng[1]), "wants_thoughts",
        live->wants_thoughts, "offer", live->offer, "ended", live->game.is_stopped, "forfeiter",
        referee->forfeiter, "fault", (int)referee->fault_kind, "result", live->record.result, "comment",
        live->record.comment, "comment_message", live_game_message_json(live), "actions", actions_json(live));
    text_done(&start);
    text_done(&text);
    return json;
}

bool live_game_save(struct live_game *live, struct err *e) {
    assert(serve_is_id(live->id));
    char path[SERVE_PATH_MAX];
    live->saved_ns = live_game_now(live);
    live->is_urgent = false;
    const bool ok = path_of(live, ".json", path, e) && serve_save(path, file_json(live), e);
    live->is_changed = live->is_changed && !ok;
    return ok;
}

/* A game without thoughts has no file. A failure is not reported: the game itself is saved. */
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
    char path[SERVE_PATH_MAX];
    return path_of(live, ".thoughts", path, e) && file_remove(path, e) && path_of(live, ".json", path, e) &&
           file_remove(path, e);
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

/* The page receives a line unchanged, as one line of an event: it must be JSON without line ends. Lines that
 * this program wrote or checked before (by the file's hash) are not checked again: that takes ten times as
 * long as reading them. */
void live_game_load_thoughts(struct live_game *live) {
    char path[SERVE_PATH_MAX];
    struct text text = {0};
    if (live->has_thoughts || !path_of(live, ".thoughts", path, NULL))
        return;
    live->has_thoughts = true;
    bool is_good = file_is_plain(path) && file_read(path, THOUGHTS_FILE_MAX, &text, NULL);
    if (!is_good)
        text_clear(&text);
    const char *at = text_string(&text);
    const uint64_t hash = hash_bytes(HASH_START, at, text.size);
    const bool is_known = live->thoughts_hash != 0 && hash == live->thoughts_hash;
    for (int i = 0; i < live->record.count && *at != '\0'; i++) {
        const size_t size = strcspn(at, "\n");
        const bool is_checked = at[0] == '{' && !is_known && memchr(at, '\r', size) == NULL;
        json_t *read = is_checked ? json_loadb(at, size, 0, NULL) : NULL;
        if (at[0] == '{' && (is_known || json_is_object(read))) {
            assert(live->steps[i].thoughts == NULL); /* read only while no thoughts are in memory */
            live->steps[i].thoughts = mem_alloc(size + 1);
            memcpy(live->steps[i].thoughts, at, size);
        } else {
            is_good = is_good && at[0] != '{';
        }
        json_decref(read);
        at += size + (at[size] == '\n');
    }
    if (is_good)
        live->thoughts_hash = hash;
    text_done(&text);
}

/* ---- reading ---- */

/* False when it is no text, or longer than `out`. */
static bool copy_text(const json_t *root, const char *key, char *out, size_t out_size) {
    const json_t *value = json_object_get(root, key);
    if (!json_is_string(value) || json_string_length(value) >= out_size)
        return false;
    memcpy(out, json_string_value(value), json_string_length(value) + 1);
    return true;
}

/* The streams continue where they were, so that a game that was loaded goes on as it would have without a
 * restart. Four zero words are no state of this generator: it would give zeros for ever. */
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

/* Plays one row of "actions". Its text is read in the position before it, so an illegal action is refused. */
static bool read_action(const json_t *row, struct live_game *live, struct err *e) {
    const char *text = json_string_value(json_array_get(row, 0));
    const json_t *chance = json_array_get(row, 2);
    action a;
    if (text == NULL || !json_is_number(json_array_get(row, 1)) ||
        fabs(json_number_value(json_array_get(row, 1))) > (double)NUMBER_MAX * 1e-6 ||
        live->record.count >= LIVE_GAME_ACTIONS_MAX ||
        !live->scenario->game->text->read_action(live_game_state(live), text, &a, e))
        return false;
    live_game_add(live, a, json_number_value(json_array_get(row, 1)));
    struct live_game_step *step = &live->steps[live->record.count - 1];
    if (json_is_number(chance))
        step->chance = json_number_value(chance);
    if (live->advised == live->record.count - 1 && (!isnan(step->chance) || !json_is_false(chance)))
        live->advised++;
    return true;
}

/* Fills the game from its file. The members that do not follow from the actions are set last, because playing
 * the actions changes them. "comment_message" is absent in files of earlier versions. */
static bool fill(const json_t *root, struct live_game *live, struct err *e) {
    struct referee *referee = &live->game.referee;
    struct timing_clocks *clocks = &live->game.clocks;
    int64_t *const times[] = {clocks->game_left_ns, clocks->turn_used_ns, clocks->byoyomi_used_ns};
    json_t *actions, *ground, *seats[2], *streams[2], *position = NULL, *message = NULL;
    json_int_t number, ns[3][2], forfeiter, fault, offer;
    int is_stopped, wants_thoughts;
    if (json_unpack((json_t *)(uintptr_t)root,
                    "{sI so so s[oo!] s[oo] s?o s?o s[II] s[II] s[II] sI sI sI sb sb}", "number", &number,
                    "ground", &ground, "actions", &actions, "seats", &seats[0], &seats[1], "streams",
                    &streams[0], &streams[1], "position", &position, "comment_message", &message, "game_left",
                    &ns[0][0], &ns[0][1], "turn_used", &ns[1][0], &ns[1][1], "byoyomi_used", &ns[2][0],
                    &ns[2][1], "forfeiter", &forfeiter, "fault", &fault, "offer", &offer, "ended",
                    &is_stopped, "wants_thoughts", &wants_thoughts) != 0)
        return false;
    for (int i = 0; i < 2; i++) {
        struct live_game_seat *seat = &live->seats[i];
        seat->is_human = json_is_true(json_object_get(seats[i], "human"));
        if (!copy_text(seats[i], "name", seat->name, sizeof seat->name) ||
            !copy_text(seats[i], "spec", seat->spec, sizeof seat->spec) ||
            !copy_text(seats[i], "key", seat->key, sizeof seat->key))
            return false;
    }
    if (number < 0 || number > NUMBER_MAX || !json_is_object(ground) || !json_is_array(actions) ||
        !copy_text(root, "id", live->id, sizeof live->id) || !serve_is_id(live->id) ||
        !copy_text(root, "created", live->created, sizeof live->created) ||
        !copy_text(root, "clock", live->clock, sizeof live->clock) || forfeiter < NOBODY || forfeiter > 1 ||
        fault < 0 || fault >= PLAYER_FAULTS || offer < NOBODY || offer > 1)
        return false;
    live->number = (uint64_t)number;
    live->start_json = json_incref(ground);
    if (!live_game_start(live, live->record.seed, json_string_value(position), e))
        return false;
    for (size_t i = 0; i < json_array_size(actions); i++)
        if (!read_action(json_array_get(actions, i), live, e))
            return false;
    for (int i = 0; i < 6; i++) {
        const json_int_t time = ns[i / 2][i % 2];
        if (time < -NUMBER_MAX || time > NUMBER_MAX)
            return false;
        times[i / 2][i % 2] = time;
    }
    referee->forfeiter = (int)forfeiter;
    referee->fault_kind = (enum player_fault)fault;
    if (offer != NOBODY && live_game_turn_start(live, 1U << offer, NULL) >= 0)
        live->offer = (int)offer; /* otherwise there is nothing to take back */
    live->game.is_stopped = is_stopped;
    live->wants_thoughts = wants_thoughts;
    if (json_is_string(json_object_get(message, "code")) && json_is_array(json_object_get(message, "args")))
        live->loaded_message = json_incref(message);
    return read_rng(streams[0], &referee->seat_rng[0]) && read_rng(streams[1], &referee->seat_rng[1]) &&
           copy_text(root, "result", live->record.result, sizeof live->record.result) &&
           copy_text(root, "comment", live->record.comment, sizeof live->record.comment);
}

/* The game in the file of that id, or NULL and a reason. */
static struct live_game *read_game(struct live_games *games, const char *id, const char *path,
                                   struct err *e) {
    struct record head;
    struct text file = {0}, text = {0};
    struct scenario *scenario = NULL;
    json_t *root = NULL;
    record_init(&head);
    if (!file_is_plain(path))
        err_set(e, "it is no plain file");
    else if (file_read(path, FILE_MAX, &file, e) && (file.size > 0 || err_set(e, "it is empty")))
        root = jsontext_load("it", text_string(&file), file.size, e);
    if (root != NULL && jsontext_is(root, FORMAT, e) && jsontext_member(root, "head", &text, e) &&
        record_read_json("head", text_string(&text), text.size, &head, e))
        scenario = record_scenario(&head, e);
    text_done(&text);
    text_done(&file);
    struct live_game *live = scenario != NULL ? live_game_open(games, scenario) : NULL;
    if (live != NULL) {
        live->record = head;
        live->record.count = 0; /* the actions stand apart */
        live->has_thoughts = false;
        err_set(e, "a part of it is missing, or has no meaning");
        if (!fill(root, live, e) ||
            (strcmp(live->id, id) != 0 && !err_set(e, "it is a copy of game %s", live->id))) {
            live_game_drop(live);
            live = NULL;
        }
    } else {
        record_done(&head);
    }
    json_decref(root);
    return live;
}

/* "ID.json"; other files are ignored. A damaged file is reported: a game that is silently missing would look
 * as if it had never existed. A thoughts file is written only when there are thoughts, so an empty one has
 * lost some. Newest first, in whatever order the folder lists them. */
static bool take_entry(void *context, const char *name) {
    struct live_games *games = context;
    char id[SERVE_ID_MAX], path[SERVE_PATH_MAX];
    const char *ending = strrchr(name, '.');
    struct text none = {0}; /* takes no memory: more than nothing is too much to read */
    struct err e;
    if (ending == NULL || strcmp(ending, ".json") != 0 || (size_t)(ending - name) >= sizeof id)
        return true;
    snprintf(id, sizeof id, "%.*s", (int)(ending - name), name);
    if (!serve_is_id(id) || !serve_path(games->bench, "tables", name, path, NULL))
        return true;
    struct live_game *live = read_game(games, id, path, &e);
    if (live == NULL) {
        serve_warn(games->bench, SERVE_DAMAGED, "%s: this game cannot be read: %s; the file is left as it is",
                   path, e.text);
        return true;
    }
    live->thoughts_saved = live_game_is_over(live);
    if (path_of(live, ".thoughts", path, NULL) && file_is_plain(path) && file_read(path, 0, &none, NULL))
        serve_warn(games->bench, SERVE_DAMAGED,
                   "%s: what players thought in this game is lost: the file is empty; it is left as it is",
                   path);
    struct live_game **at = &games->newest;
    while (*at != NULL && (*at)->number > live->number)
        at = &(*at)->next;
    live->next = *at;
    *at = live;
    if (live->number >= games->number_next)
        games->number_next = live->number + 1;
    return true;
}

/* ---- clocks ----
 *
 * A player's time is checked when it answers. A person may never answer: every visitor of the game checks its
 * clock, and so does a task that runs while a clock runs. The task also saves games that were not saved yet.
 */

enum { TICK_MS = 100 };

static bool is_persons_clock(const struct live_game *live) {
    const int mover = live_game_mover(live);
    return mover != NOBODY && live->seats[mover].is_human && timing_is_limited(&live->game.timing);
}

/* Ends the game when the person to move is late. */
static void check_time(struct live_game *live) {
    if (is_persons_clock(live) && clocked_game_expire(&live->game, live_game_now(live)))
        live_game_conclude(live);
}

/* Is there something that no request may come for? Otherwise the task ends and uses no time. */
static bool needs_ticks(const struct live_games *games) {
    for (const struct live_game *live = games->newest; live != NULL; live = live->next)
        if (live->is_waiting || live->is_changed || is_persons_clock(live) ||
            (games->advisers == 0 && live_game_needs_advice(live)))
            return true;
    return false;
}

/* The task. It holds the lock for one round at a time; the list may change between two rounds. */
static void tick(void *context) {
    struct live_games *games = context;
    const struct timespec pause = {.tv_nsec = TICK_MS * 1000000L};
    workbench_lock(games->bench);
    while (!games->bench->is_idle && needs_ticks(games)) {
        for (struct live_game *live = games->newest; live != NULL; live = live->next) {
            check_time(live);
            if (live->is_waiting)
                live_game_think(live);
            if (live->is_changed)
                live_game_update(live);
        }
        live_games_advise(games);
        workbench_unlock(games->bench);
        nanosleep(&pause, NULL);
        workbench_lock(games->bench);
    }
    games->is_ticking = false;
    workbench_unlock(games->bench);
}

void live_games_start_ticking(struct live_games *games) {
    assert(workbench_is_locked(games->bench));
    const struct task task = {.run = tick, .context = games};
    if (!games->is_ticking && !games->bench->is_idle && needs_ticks(games))
        games->is_ticking = task_pool_start(games->bench->task_pool, &task, NULL);
}

/* ---- the adviser ----
 *
 * Estimates side 0's chance to win after each step with a short search. It has threads of its own, so no game
 * waits for it. The adviser sees the mover's view; while something is hidden from people it is not asked,
 * because its estimates would reveal it. */

enum { ADVISERS_MAX = 2, ADVICE_STREAM = 1 << 16 /* beyond the streams of a game */ };

struct adviser {
    struct live_games *games;
    const struct game *game; /* its commentator is open */
    struct player *player;   /* NULL: none */

    /* The current question. */
    struct live_game *live; /* held */
    int ply, version;       /* of the game when it was asked; another version: the answer is out of date */
    struct thoughts thoughts;
    _Alignas(16) unsigned char state[GAME_STATE_MAX];
};

/* Participants of a study play without advice, and are not shown any. */
bool live_game_needs_advice(const struct live_game *live) {
    return live->games->bench->setup.study == NULL && !live->is_removed && !live->games->bench->is_idle &&
           !live_game_has_secrets(live) && live->advised < live->record.count;
}

/* Steps without a question: those whose chances the file has, and the end of a game. */
static void skip_known(struct live_game *live) {
    while (live->advised < live->record.count && !isnan(live->steps[live->advised].chance))
        live->advised++;
}

/* With the lock. Newest games first: they are the most likely to be watched. A game has one adviser at a
 * time, so its steps are answered in order. */
static bool next_question(struct adviser *a) {
    for (struct live_game *live = a->games->newest; live != NULL; live = live->next) {
        if (live->is_advised || !live_game_needs_advice(live))
            continue;
        skip_known(live);
        if (!live_game_needs_advice(live)) {
            live_game_update(live);
            continue;
        }
        struct replay replay;
        a->live = live;
        live->holders++;
        a->ply = live->advised + 1;
        a->version = live->version;
        clocked_game_replay(&live->game, a->ply, &replay, NULL);
        memcpy(a->state, replay.state, live->scenario->game->state_size);
        live->is_advised = true;
        return true;
    }
    return false;
}

/* With the lock. */
static void take_answer(struct adviser *a, double chance) {
    assert(a->live != NULL);
    assert(a->live->is_advised);
    struct live_game *live = a->live;
    const bool counts = !a->games->bench->is_idle && !live->is_removed;
    live->is_advised = false;
    if (counts && live->version == a->version) {
        assert(a->ply >= 1);
        assert(a->ply <= live->record.count);
        live->steps[a->ply - 1].chance = chance;
        live->advised = a->ply;
        live->is_changed = true;
        if (!isnan(chance))
            live_game_publish(live, "chance", json_pack("{si sf}", "ply", a->ply, "chance", chance), false);
        skip_known(live);
    }
    if (counts) /* the game may have ended during the search */
        live_game_update(live);
    a->live = NULL;
    live_game_drop(live);
}

/* Without the lock. The random numbers follow from the game's seed and the ply, so that a position has the
 * same estimate whenever it is asked for. The mean over all simulations; without simulations (a forced win),
 * the player's own value. NAN if the player gives none. */
static double ask(struct adviser *a) {
    const struct game *game = a->live->scenario->game;
    struct answer answer = {.fault = PLAYER_SHORTAGE};
    struct rng rng;
    double sum = 0, visits = 0;
    if (a->player == NULL || a->game != game) {
        player_close(a->player);
        a->game = game;
        a->player = player_open(game_offer(game)->commentator, game, NULL);
    }
    rng_seed_stream(&rng, a->live->record.seed, (uint64_t)ADVICE_STREAM + (uint64_t)a->ply);
    const struct ask question = {
        .game = game,
        .view = a->state,
        .budget = {.work_max = game_offer(game)->commentator_work, .clock = a->games->bench->setup.clock},
        .rng = &rng,
        .thoughts = &a->thoughts};
    if (a->player != NULL)
        player_choose_in(a->player, &question, &answer);
    if (answer.fault != PLAYER_FAULT_NONE)
        return (double)NAN;
    for (int i = 0; i < a->thoughts.count; i++) {
        sum += a->thoughts.candidates[i].value * (double)a->thoughts.candidates[i].visits;
        visits += (double)a->thoughts.candidates[i].visits;
    }
    double chance = visits > 0 ? sum / visits : answer.value;
    chance = chance < 0 ? 0 : chance > 1 ? 1 : chance; /* NAN stays NAN */
    return game->mover(a->state) == 0 ? chance : 1 - chance;
}

/* The task: one question after another, until no game needs advice. */
static void advise(void *context) {
    struct adviser *a = context;
    struct live_games *games = a->games;
    workbench_lock(games->bench);
    while (!games->bench->is_idle && next_question(a)) {
        workbench_unlock(games->bench);
        const double chance = ask(a);
        workbench_lock(games->bench);
        take_answer(a, chance);
    }
    assert(games->advisers > 0);
    games->advisers--;
    workbench_unlock(games->bench);
    player_close(a->player);
    mem_free(a);
}

/* No more tasks than games that wait, because an adviser works on one game at a time. In an idle workbench no
 * game needs advice, so a task is never dropped. */
void live_games_advise(struct live_games *games) {
    int wanted = 0;
    for (const struct live_game *live = games->newest; live != NULL; live = live->next)
        wanted += !live->is_advised && live_game_needs_advice(live);
    while (games->advisers < ADVISERS_MAX && games->advisers < wanted) {
        struct adviser *a = mem_alloc(sizeof *a);
        const struct task task = {.run = advise, .context = a};
        a->games = games;
        if (!task_pool_start(games->bench->task_pool, &task, NULL)) {
            mem_free(a);
            return;
        }
        games->advisers++;
    }
}

/* ---- the list ---- */

enum {
    LIVE_GAMES_MAX = 500, /* stored games; beyond that the oldest finished ones are removed */
    LIVE_GAMES_UNFINISHED_MAX = 200,
    LIVE_GAMES_PLAYERS_MAX = 24, /* unfinished games between players */
};

/* Bytes of cached step texts: the longest game on the largest map, or many ordinary ones. */
#define CACHED_MAX ((size_t)64 << 20)

/* An unfinished game without visitors for this long may be removed to make room for a new one. */
#define ABANDONED_NS (INT64_C(24) * 3600 * 1000000000)

/* The oldest game that is finished, or (`unfinished`) abandoned; NULL: there is none. The list is newest
 * first, so the last game that fits is the oldest. */
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

/* Only finished games are removed here: an unfinished one may still be played. There is always one, since far
 * fewer may be unfinished (live_games_have_room). */
static void make_room(struct live_games *games) {
    struct live_game *oldest;
    int count = 0;
    for (const struct live_game *live = games->newest; live != NULL; live = live->next)
        count++;
    while (count-- > LIVE_GAMES_MAX && (oldest = find_oldest(games, false)) != NULL)
        live_games_remove(games, oldest);
}

/* The game is saved before it is listed, so that one that was begun exists after a crash. */
bool live_games_add(struct live_games *games, struct live_game *live, struct err *e) {
    assert(workbench_is_locked(games->bench));
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

/* Tasks may still hold the game: they find is_removed and drop their work. A file that
 * cannot be removed stays, and its game is listed again at the next start. */
void live_games_remove(struct live_games *games, struct live_game *live) {
    assert(workbench_is_locked(games->bench));
    assert(!live->is_removed);
    LIST_REMOVE(games->newest, live, next);
    live->is_removed = true;
    live_game_cancel_thinking(live);
    live_game_end_streams(live);
    live_game_remove_files(live, NULL);
    live_game_drop(live);
}

bool live_games_have_room(struct live_games *games, bool has_people, struct message_out *out) {
    int unfinished = 0, between_players = 0;
    for (const struct live_game *live = games->newest; live != NULL; live = live->next) {
        unfinished += !live_game_is_over(live);
        between_players += !live_game_is_over(live) && !live_game_has_people(live);
    }
    if (!has_people && between_players >= LIVE_GAMES_PLAYERS_MAX)
        return message_fail_code(out, 429, NULL, "refused.player_games",
                                 "%d games between players are under way; wait for one, or stop one",
                                 LIVE_GAMES_PLAYERS_MAX);
    if (unfinished < LIVE_GAMES_UNFINISHED_MAX)
        return true;
    struct live_game *left = find_oldest(games, true);
    if (left == NULL)
        return message_fail_code(out, 429, NULL, "refused.live_games",
                                 "%d games are under way; finish or delete one", LIVE_GAMES_UNFINISHED_MAX);
    live_games_remove(games, left);
    return true;
}

struct live_game *live_games_get(struct live_games *games, const char *id) {
    assert(workbench_is_locked(games->bench));
    struct live_game *live = games->newest;
    while (live != NULL && strcmp(live->id, id) != 0)
        live = live->next;
    return live;
}

struct live_game *live_games_find(struct live_games *games, const char *id, struct message_out *out) {
    struct live_game *live = live_games_get(games, id);
    if (live != NULL) {
        check_time(live);
        return live;
    }
    message_fail_code(out, 404, NULL, "refused.no_table", "there is no table '%.32s'", id);
    return NULL;
}

/* ---- opening and closing ---- */

struct live_games *live_games_open(struct workbench *bench, struct err *e) {
    char path[SERVE_PATH_MAX];
    struct live_games *games = mem_alloc(sizeof *games);
    games->bench = bench;
    games->number_next = 1;
    games->cached_max = CACHED_MAX;
    if (!serve_make_folder(bench, "tables", path, e) || !file_remove_leftovers(path, e) ||
        !file_list(path, &(struct file_visit){take_entry, games}, e)) {
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

void live_games_stop(struct live_games *games) {
    for (struct live_game *live = games->newest; live != NULL; live = live->next)
        live_game_cancel_thinking(live);
}

/* Unfinished games stay stored as they are. */
void live_games_close(struct live_games *games) {
    for (struct live_game *live = games->newest, *next; live != NULL; live = next) {
        next = live->next;
        struct err e;
        if (live->is_changed && !live_game_save(live, &e)) {
            serve_warn(games->bench, SERVE_UNSAVED, "game %s: its last moves are lost: %s", live->id, e.text);
            games->bench->has_lost = true;
        }
        if (!live->thoughts_saved)
            live_game_save_thoughts(live);
        live_game_end_streams(live);
        live_game_drop(live);
    }
    mem_free(games);
}
