/* SPDX-License-Identifier: MIT
 *
 * The participants' side of a study: /api/study (docs/studies.md), and the results of their games.
 *
 * A participant is known by the key of the link, which is as unguessable as the key of a seat; every request
 * gives it. Answers hold what this participant has entered and nothing of other participants, of the maps'
 * names or of their groups. Maps are named by their place in the participant's own order. Each step can be
 * sent again without effect, so that a reload, a second tab or a lost answer changes nothing.
 */
#include "serve/live_game.h"

#include "base/mem.h"
#include "study/study.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- answers ---- */

static json_t *texts_json(const struct study_texts *texts) {
    return json_pack("{ss ss}", study_language_names[STUDY_ENGLISH], texts->in[STUDY_ENGLISH],
                     study_language_names[STUDY_JAPANESE], texts->in[STUDY_JAPANESE]);
}

static json_t *plan_texts_json(char *const texts[STUDY_LANGUAGES]) {
    return texts_json(&(struct study_texts){{texts[STUDY_ENGLISH], texts[STUDY_JAPANESE]}});
}

static json_t *questions_json(void) {
    json_t *list = json_array();
    for (int i = 0; i < STUDY_QUESTIONS; i++) {
        const struct study_question_text *q = &study_questions[i];
        json_array_append_new(list, json_pack("{ss so so so}", "id", q->id, "text", texts_json(&q->text),
                                              "low", texts_json(&q->low), "high", texts_json(&q->high)));
    }
    return list;
}

static json_t *about_json(void) {
    json_t *list = json_array();
    for (int i = 0; i < STUDY_ABOUT; i++) {
        const struct study_about_text *about = &study_about[i];
        json_t *choices = json_array();
        for (int k = 0; k < STUDY_CHOICES_MAX && about->choices[k].id != NULL; k++)
            json_array_append_new(choices, json_pack("{ss so}", "id", about->choices[k].id, "text",
                                                     texts_json(&about->choices[k].text)));
        json_array_append_new(list, json_pack("{ss so so}", "id", about->id, "text", texts_json(&about->text),
                                              "choices", choices));
    }
    return list;
}

/* The number of a game among those of its side, from 1. */
static int number_of(const struct study_answer *answer, int index) {
    int number = 0;
    for (int i = 0; i <= index; i++)
        number += answer->games[i].side == answer->games[index].side;
    return number;
}

static json_t *game_json(const struct study_answer *answer, int position, int index) {
    const struct study_game *game = &answer->games[index];
    return json_pack("{si si si ss ss sb so}", "map", position, "side", game->side, "game",
                     number_of(answer, index), "id", game->table, "key", game->key, "over", game->is_over,
                     "won", game->is_over ? json_real(game->won) : json_null());
}

static json_t *map_json(const struct study *study, const struct study_person *person, int position) {
    static const char *const states[] = {
        [STUDY_WAITING] = "waiting", [STUDY_OPEN] = "open", [STUDY_DONE] = "done"};
    const struct study_answer *answer = study_answer(study, person, position);
    const int side = study_side_at(&study->plan, person->place, position);
    json_t *games = json_array(), *ratings = json_object();
    for (int i = 0; i < answer->game_count; i++)
        json_array_append_new(games, game_json(answer, position, i));
    for (int i = 0; i < STUDY_QUESTIONS; i++)
        if (answer->ratings[i] != 0)
            json_object_set_new(ratings, study_questions[i].id, json_integer(answer->ratings[i]));
    return json_pack("{si ss s[ii] so so ss}", "map", position, "state",
                     states[study_state(study, person, position)], "sides", side, side ^ 1, "games", games,
                     "ratings", ratings, "comment", answer->comment != NULL ? answer->comment : "");
}

/* The side that is still to be played on the map in that position; NOBODY: both were. */
static int missing_side(const struct study *study, const struct study_person *person, int position) {
    const struct study_answer *answer = study_answer(study, person, position);
    const int first = study_side_at(&study->plan, person->place, position);
    if (study_games_over(answer, first) == 0)
        return first;
    return study_games_over(answer, first ^ 1) == 0 ? first ^ 1 : NOBODY;
}

static json_t *next_json(const struct study *study, const struct study_person *person) {
    const enum study_stage stage = study_stage(study, person);
    static const char *const steps[] = {
        [STUDY_CONSENT] = "consent", [STUDY_CLOSING] = "finish", [STUDY_FINISHED] = "nothing"};
    if (stage != STUDY_MAPS)
        return json_pack("{ss}", "do", steps[stage]);
    int position = 0;
    while (study_state(study, person, position) != STUDY_OPEN)
        position++;
    const int side = missing_side(study, person, position);
    if (side == NOBODY)
        return json_pack("{ss si}", "do", "rate", "map", position);
    return json_pack("{ss si si si}", "do", "game", "map", position, "side", side, "game", 1);
}

/* Who comes through the open link, before the consent. */
static const struct study_person visitor = {.place = -1};

static bool answer_study(const struct study *study, const struct study_person *person,
                         struct message_out *out) {
    static const char *const stages[] = {[STUDY_CONSENT] = "consent",
                                         [STUDY_MAPS] = "maps",
                                         [STUDY_CLOSING] = "closing",
                                         [STUDY_FINISHED] = "finished"};
    const enum study_stage stage = study_stage(study, person);
    json_t *maps = json_array(), *about = json_object();
    for (int i = 0; stage != STUDY_CONSENT && i < study->plan.map_count; i++)
        json_array_append_new(maps, map_json(study, person, i));
    for (int i = 0; stage != STUDY_CONSENT && i < STUDY_ABOUT; i++)
        if (person->about[i] >= 0)
            json_object_set_new(about, study_about[i].id,
                                json_string(study_about[i].choices[person->about[i]].id));
    return message_json(
        out, 200,
        json_pack("{so so si si so so s[ii] ss ss* ss? ss so so ss so}", "title",
                  plan_texts_json(study->plan.title), "consent_text", plan_texts_json(study->plan.consent),
                  "name_max", STUDY_NAME_MAX, "comment_max", STUDY_COMMENT_MAX, "about_questions",
                  about_json(), "questions", questions_json(), "scale", STUDY_RATING_LOW, STUDY_RATING_HIGH,
                  "stage", stages[stage], "key", person != &visitor ? person->key : NULL, "language",
                  stage != STUDY_CONSENT ? study_language_names[person->language] : NULL, "name",
                  stage != STUDY_CONSENT ? person->name : "", "about", about, "maps", maps, "comment",
                  person->comment != NULL ? person->comment : "", "next", next_json(study, person)));
}

/* ---- who asks ---- */

static bool refuse_key(struct message_out *out, const char *field) {
    return message_fail_code(out, 403, field, "refused.study_key",
                             "that is not a link of this study, or its data was erased");
}

/* NULL after a 403 or a 400. */
static struct study_person *find_person(const struct call *call, struct message_out *out) {
    const char *key = message_query(call->in, "participant");
    if (call->body != NULL && !request_text(call->body, "participant", "", &key, out))
        return NULL;
    struct study_person *person = study_find(call->bench->setup.study, key != NULL ? key : "");
    if (person == NULL)
        refuse_key(out, "participant");
    return person;
}

/* The same for a change after the consent and before the end. */
static struct study_person *find_active(const struct call *call, struct message_out *out) {
    struct study_person *person = find_person(call, out);
    if (person == NULL)
        return NULL;
    const enum study_stage stage = study_stage(call->bench->setup.study, person);
    if (stage == STUDY_MAPS || stage == STUDY_CLOSING)
        return person;
    if (stage == STUDY_CONSENT)
        message_fail_code(out, 409, NULL, "refused.study_consent", "the consent comes first");
    else
        message_fail_code(out, 409, NULL, "refused.study_finished", "the study is finished");
    return NULL;
}

/* ---- texts of strangers ---- */

/* Is the text a valid one: no more characters than that, no control characters (line ends only with `lines`)?
 * It is shown on the page and in terminals and opened in spreadsheets, but never executed: nothing else is
 * refused. */
static bool check_text(const json_t *value, const char *field, int most, bool lines,
                       struct message_out *out) {
    const char *text = json_string_value(value);
    int characters = 0;
    if (text == NULL)
        return message_fail_code(out, 400, field, "json.text", "\"%s\": expected a text", field);
    const size_t size = json_string_length(value);
    for (size_t i = 0; i < size; i++) {
        const unsigned char c = (unsigned char)text[i];
        characters += (c & 0xC0) != 0x80; /* each begins with a byte that does not continue one */
        if ((c < ' ' || c == 0x7F) && !(lines && c == '\n'))
            return message_fail_code(out, 400, field, "json.control",
                                     "\"%s\": expected a text without control characters", field);
    }
    return characters <= most ||
           message_fail_code(out, 400, field, "refused.study_long",
                             "the text has %d characters; at most %d are possible", characters, most);
}

/* ---- consent ---- */

/* Answers about the person: all of them optional, each one of the choices. */
static bool read_about(const json_t *given, int out_about[STUDY_ABOUT], struct message_out *out) {
    const char *name;
    json_t *value;
    for (int i = 0; i < STUDY_ABOUT; i++)
        out_about[i] = -1;
    if (given != NULL && !json_is_object(given))
        return message_fail(out, 400, "about", "\"about\": expected an object");
    json_object_foreach((json_t *)(uintptr_t)given, name, value) {
        int about = 0, choice = 0;
        while (about < STUDY_ABOUT && strcmp(name, study_about[about].id) != 0)
            about++;
        if (about == STUDY_ABOUT || !json_is_string(value))
            return message_fail(out, 400, "about", "\"about\" has a question that is not asked");
        const struct study_choice *choices = study_about[about].choices;
        while (choice < STUDY_CHOICES_MAX && choices[choice].id != NULL &&
               strcmp(json_string_value(value), choices[choice].id) != 0)
            choice++;
        if (choice == STUDY_CHOICES_MAX || choices[choice].id == NULL)
            return message_fail(out, 400, "about", "\"about\": \"%s\" has no such choice",
                                study_about[about].id);
        out_about[about] = choice;
    }
    return true;
}

static bool read_consent(const json_t *body, struct study_consent *consent, struct message_out *out) {
    const json_t *name = request_member(body, "name");
    const char *language;
    if (!json_is_true(json_object_get(body, "accept")))
        return message_fail_code(out, 400, "accept", "refused.study_accept",
                                 "\"accept\": taking part needs the consent, true");
    if (!request_text(body, "language", "", &language, out))
        return false;
    if (strcmp(language, "en") != 0 && strcmp(language, "ja") != 0)
        return message_fail(out, 400, "language", "\"language\": expected \"en\" or \"ja\"");
    if (name != NULL && !check_text(name, "name", STUDY_NAME_MAX, false, out))
        return false;
    consent->name = name != NULL ? json_string_value(name) : "";
    consent->language = strcmp(language, "ja") == 0 ? STUDY_JAPANESE : STUDY_ENGLISH;
    return read_about(request_member(body, "about"), consent->about, out);
}

static bool fail_write(struct message_out *out) {
    return message_fail_code(out, 507, NULL, "refused.study_unwritten",
                             "it was not done, because the study cannot be written");
}

/* The participant of a visit through the open link, who is made if the visit is new. */
static struct study_person *find_visitor(const struct call *call, struct message_out *out) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    struct study *study = call->bench->setup.study;
    const char *code, *visit;
    char key[SERVE_ID_MAX];
    if (!request_text(call->body, "open", "", &code, out) ||
        !request_text(call->body, "visit", "", &visit, out))
        return NULL;
    if (!study_is_code(study, code)) {
        refuse_key(out, "open");
        return NULL;
    }
    const size_t size = strlen(visit);
    if (size < STUDY_VISIT_MIN || size > STUDY_VISIT_MAX || strspn(visit, letters) != size) {
        message_fail(out, 400, "visit", "\"visit\": expected %d to %d letters and digits", STUDY_VISIT_MIN,
                     STUDY_VISIT_MAX);
        return NULL;
    }
    struct study_person *person = study_find_visit(study, visit);
    if (person != NULL)
        return person;
    if (study_was_erased(study, visit)) {
        message_fail_code(out, 409, NULL, "refused.study_erased", "the data of this visit was erased");
        return NULL;
    }
    if (study_open_places(study) == 0) {
        message_fail_code(out, 409, NULL, "refused.study_full", "all places of this study are taken");
        return NULL;
    }
    serve_new_id(call->bench, key);
    person = study_add_person(study, key, visit, &out->why);
    if (person == NULL)
        fail_write(out);
    return person;
}

static bool give_consent(const struct call *call, struct message_out *out) {
    struct study *study = call->bench->setup.study;
    struct study_consent consent;
    char date[64];
    if (!read_consent(call->body, &consent, out))
        return false;
    struct study_person *person =
        request_member(call->body, "open") != NULL ? find_visitor(call, out) : find_person(call, out);
    if (person == NULL)
        return false;
    call->bench->setup.date(date, sizeof date);
    consent.date = date;
    if (person->place < 0 && !study_consent(study, person, &consent, &out->why))
        return fail_write(out);
    return answer_study(study, person, out);
}

static bool show_study(const struct call *call, struct message_out *out) {
    const struct study *study = call->bench->setup.study;
    const char *code = message_query(call->in, "open");
    if (code != NULL) {
        if (!study_is_code(study, code))
            return refuse_key(out, "open");
        return answer_study(study, &visitor, out);
    }
    const struct study_person *person = find_person(call, out);
    return person != NULL && answer_study(study, person, out);
}

/* ---- games ---- */

/* Reads a whole number of the body that must be there. */
static bool read_number(const struct call *call, const char *name, int low, int high, int *value,
                        struct message_out *out) {
    const struct param row = {name, PARAM_INT, .low = low, .high = high};
    *value = low - 1;
    if (!request_read(call->body, &row, value, out))
        return false;
    return *value >= low || message_fail(out, 400, name, "\"%s\" is missing", name);
}

/* The position that the body names, of a map that is not waiting. */
static bool read_position(const struct call *call, const struct study_person *person, int *position,
                          struct message_out *out) {
    const struct study *study = call->bench->setup.study;
    if (!read_number(call, "map", 0, study->plan.map_count - 1, position, out))
        return false;
    return study_state(study, person, *position) != STUDY_WAITING ||
           message_fail_code(out, 409, "map", "refused.study_order",
                             "the maps are played and rated one after the other");
}

/* A new live game of that map. The participant's page gets the map without a name, and the player with a
 * plain one. */
static struct live_game *begin_game(const struct call *call, const struct study_map *map, int side,
                                    struct message_out *out) {
    const struct study_plan *plan = &call->bench->setup.study->plan;
    struct text text = {0};
    tbs_map_write(&map->map, &text);
    json_t *seats = json_pack("[{ss}]", "kind", "human");
    json_array_insert_new(
        seats, side == TBS_RED ? 1 : 0,
        json_pack("{ss ss ss}", "kind", "player", "spec", plan->player, "name", "computer"));
    json_t *body = json_pack("{ss ss so sb}", "map_text", text_string(&text), "rules", plan->rules, "seats",
                             seats, "thoughts", 0);
    struct live_game *live = live_games_create(call->bench->live_games, body, out);
    json_decref(body);
    text_done(&text);
    return live;
}

/* The index of the `number`-th game of that side; the number of games if there is none. */
static int index_of(const struct study_answer *answer, int side, int number) {
    int i = 0;
    while (i < answer->game_count && (answer->games[i].side != side || number_of(answer, i) != number))
        i++;
    return i;
}

/* Is there a result that counts: the rules or a fault have ended the game? */
static bool has_result(const struct live_game *live) {
    return live_game_is_over(live) && (live->game.referee.forfeiter != NOBODY ||
                                       live->scenario->game->mover(live_game_state(live)) == NOBODY);
}

/* Is the game still to be had: over and stored, or on a table where it can go on? */
static bool is_there(const struct call *call, const struct study_game *game) {
    const struct live_game *live = live_games_get(call->bench->live_games, game->table);
    return game->is_over || (live != NULL && (!live_game_is_over(live) || has_result(live)));
}

static bool start_game(const struct call *call, struct message_out *out) {
    struct study *study = call->bench->setup.study;
    struct study_person *person = find_active(call, out);
    int position, side, number;
    if (person == NULL || !read_position(call, person, &position, out) ||
        !read_number(call, "side", 0, 1, &side, out) ||
        !read_number(call, "game", 1, STUDY_GAMES_MAX, &number, out))
        return false;
    const struct study_answer *answer = study_answer(study, person, position);
    const int index = index_of(answer, side, number);
    if (index < answer->game_count && is_there(call, &answer->games[index]))
        return message_json(out, 200, game_json(answer, position, index));
    const bool is_next = index < answer->game_count || (number == study_games(answer, side) + 1 &&
                                                        study_games_over(answer, side) == number - 1);
    if (!is_next || index >= STUDY_GAMES_MAX || study_state(study, person, position) != STUDY_OPEN)
        return message_fail_code(out, 409, "game", "refused.study_game",
                                 "another game can be begun on the current map when the one before is over");
    const int map = study_map_at(&study->plan, person->place, position);
    struct live_game *live = begin_game(call, &study->plan.maps[map], side, out);
    if (live == NULL)
        return false;
    struct study_game game = {.side = side};
    snprintf(game.table, sizeof game.table, "%s", live->id);
    snprintf(game.key, sizeof game.key, "%s", live->seats[side].key);
    if (!study_start_game(study, person, position, index, &game, &out->why)) {
        live_games_remove(call->bench->live_games, live);
        return fail_write(out);
    }
    return message_json(out, 200, game_json(answer, position, index));
}

/* ---- answers ---- */

/* Checks all ratings before one is stored. */
static bool read_ratings(const json_t *given, int ratings[STUDY_QUESTIONS], struct message_out *out) {
    const char *name;
    json_t *value;
    memset(ratings, 0, STUDY_QUESTIONS * sizeof *ratings);
    if (given != NULL && !json_is_object(given))
        return message_fail(out, 400, "ratings", "\"ratings\": expected an object");
    json_object_foreach((json_t *)(uintptr_t)given, name, value) {
        int question = 0;
        while (question < STUDY_QUESTIONS && strcmp(name, study_questions[question].id) != 0)
            question++;
        if (question == STUDY_QUESTIONS)
            return message_fail(out, 400, "ratings", "\"ratings\" has a question that is not asked");
        if (!json_is_integer(value) || json_integer_value(value) < STUDY_RATING_LOW ||
            json_integer_value(value) > STUDY_RATING_HIGH)
            return message_fail(out, 400, "ratings", "\"%s\": expected a whole number from %d to %d",
                                study_questions[question].id, STUDY_RATING_LOW, STUDY_RATING_HIGH);
        ratings[question] = (int)json_integer_value(value);
    }
    return true;
}

static bool give_answer(const struct call *call, struct message_out *out) {
    struct study *study = call->bench->setup.study;
    struct study_person *person = find_active(call, out);
    const json_t *comment = request_member(call->body, "comment");
    int position, ratings[STUDY_QUESTIONS];
    if (person == NULL || !read_position(call, person, &position, out) ||
        !read_ratings(request_member(call->body, "ratings"), ratings, out) ||
        (comment != NULL && !check_text(comment, "comment", STUDY_COMMENT_MAX, true, out)))
        return false;
    if (missing_side(study, person, position) != NOBODY)
        return message_fail_code(out, 409, "map", "refused.study_games",
                                 "a map is rated after a finished game from each side");
    bool ok = true;
    for (int i = 0; ok && i < STUDY_QUESTIONS; i++)
        ok = ratings[i] == 0 ||
             study_rate(study, person, position, (enum study_question)i, ratings[i], &out->why);
    if (ok && comment != NULL)
        ok = study_comment(study, person, position, json_string_value(comment), &out->why);
    return ok ? answer_study(study, person, out) : fail_write(out);
}

static bool finish(const struct call *call, struct message_out *out) {
    struct study *study = call->bench->setup.study;
    struct study_person *person = find_person(call, out);
    const json_t *comment = request_member(call->body, "comment");
    char date[64];
    if (person == NULL || (comment != NULL && !check_text(comment, "comment", STUDY_COMMENT_MAX, true, out)))
        return false;
    const enum study_stage stage = study_stage(study, person);
    if (stage == STUDY_FINISHED)
        return answer_study(study, person, out);
    if (stage != STUDY_CLOSING)
        return find_active(call, out) != NULL &&
               message_fail_code(out, 409, NULL, "refused.study_ratings",
                                 "all maps are played and rated before the study is finished");
    call->bench->setup.date(date, sizeof date);
    const bool ok =
        (comment == NULL || study_comment(study, person, -1, json_string_value(comment), &out->why)) &&
        study_finish(study, person, date, &out->why);
    return ok ? answer_study(study, person, out) : fail_write(out);
}

/* ---- erasing ---- */

/* The tables of the participant's games go with their files. What cannot be shredded now is shredded with the
 * next erasure. */
static bool erase(const struct call *call, struct message_out *out) {
    struct study *study = call->bench->setup.study;
    struct study_person *person = find_person(call, out);
    bool traces;
    if (person == NULL)
        return false;
    for (int map = 0; map < study->plan.map_count; map++)
        for (int i = 0; i < person->answers[map].game_count; i++) {
            struct live_game *live =
                live_games_get(call->bench->live_games, person->answers[map].games[i].table);
            if (live != NULL && !live_game_remove_files(live, &out->why))
                return fail_write(out);
            if (live != NULL)
                live_games_remove(call->bench->live_games, live);
        }
    if (!study_erase(study, person, &traces, &out->why))
        return fail_write(out);
    if (traces)
        serve_warn(call->bench, SERVE_UNSAVED, "traces of erased data may be left in the study's file: %s",
                   out->why.text);
    return serve_done(out, 204);
}

const struct route study_routes[] = {
    {MESSAGE_GET, "/api/study", show_study},
    {MESSAGE_POST, "/api/study/consent", give_consent, "participant open visit accept language name about"},
    {MESSAGE_POST, "/api/study/game", start_game, "participant map side game"},
    {MESSAGE_POST, "/api/study/answer", give_answer, "participant map ratings comment"},
    {MESSAGE_POST, "/api/study/finish", finish, "participant comment"},
    {MESSAGE_POST, "/api/study/erase", erase, "participant"},
    {MESSAGE_GET, NULL, NULL},
};

/* ---- results ---- */

static int count_turns(const struct live_game *live) {
    struct replay replay;
    int turns = 0;
    clocked_game_replay(&live->game, 0, &replay, NULL);
    while (replay.next < live->record.count) {
        turns += replay.turn.taken == 0;
        replay_step(&replay, NULL);
    }
    return turns;
}

/* A result that cannot be written is tried again at the game's next visit, and when the server starts. */
static void store_result(struct live_game *live, struct study_person *person, int map, int index) {
    struct study *study = live->games->bench->setup.study;
    const struct referee *referee = &live->game.referee;
    struct outcome outcome = {.played = true,
                              .payoff = referee_payoff(referee, TBS_RED),
                              .forfeiter = referee->forfeiter,
                              .fault = (int)referee->fault_kind,
                              .actions = live->record.count,
                              .turns = count_turns(live)};
    struct text record = {0};
    struct err e = {{0}};
    char date[64];
    memcpy(outcome.result, live->record.result, sizeof outcome.result);
    live->games->bench->setup.date(date, sizeof date);
    const bool ok = record_write_json_of(&live->record, live->scenario, &record, &e) &&
                    study_end_game(study, person, map, index,
                                   &(struct study_result){.outcome = &outcome,
                                                          .seed = live->record.seed,
                                                          .record = text_string(&record),
                                                          .date = date},
                                   &e);
    if (!ok)
        serve_warn(live->games->bench, SERVE_UNSAVED, "game %s: its result is not in the study: %s", live->id,
                   e.text);
    text_done(&record);
}

void study_site_note(struct live_game *live) {
    struct study *study = live->games->bench->setup.study;
    if (study == NULL || !has_result(live))
        return;
    for (int i = 0; i < study->person_count; i++)
        for (int map = 0; map < study->plan.map_count; map++) {
            const struct study_answer *answer = &study->persons[i]->answers[map];
            for (int k = 0; k < answer->game_count; k++)
                if (!answer->games[k].is_over && strcmp(answer->games[k].table, live->id) == 0)
                    store_result(live, study->persons[i], map, k);
        }
}

void study_site_take_results(struct workbench *bench) {
    if (bench->setup.study == NULL)
        return;
    workbench_lock(bench);
    for (struct live_game *live = bench->live_games->newest; live != NULL; live = live->next)
        study_site_note(live);
    workbench_unlock(bench);
}
