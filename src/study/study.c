/* SPDX-License-Identifier: MIT */
#include "study/study.h"

#include "base/encode.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/numbers.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FORMAT      "senjutsu-study"
#define TEXT_NEXT   "next"
#define PERSON      "person/%04d/"
#define PERSON_GAME "map/%02d/game/%02d"

enum { NAME_MAX_SIZE = 64, NUMBER_LIMIT = 9999 };

static char *copy_text(const char *text) {
    return text != NULL ? mem_copy(text, strlen(text) + 1) : NULL;
}

/* ---- the plan ---- */

void study_plan_done(struct study_plan *plan) {
    for (int i = 0; i < STUDY_LANGUAGES; i++) {
        mem_free(plan->title[i]);
        mem_free(plan->consent[i]);
    }
    mem_free(plan->maps);
    *plan = (struct study_plan){0};
}

static json_t *texts_json(char *const texts[STUDY_LANGUAGES]) {
    return json_pack("{ss ss}", study_language_names[STUDY_ENGLISH], texts[STUDY_ENGLISH],
                     study_language_names[STUDY_JAPANESE], texts[STUDY_JAPANESE]);
}

static json_t *plan_json(const struct study_plan *plan) {
    json_t *maps = json_array();
    for (int i = 0; i < plan->map_count; i++) {
        const struct study_map *map = &plan->maps[i];
        struct text text = {0};
        tbs_map_write(&map->map, &text);
        json_array_append_new(
            maps, json_pack("{ss ss ss}", "name", map->name, "group", map->group, "map", text_string(&text)));
        text_done(&text);
    }
    return json_pack("{ss si so so ss ss so si ss so}", "format", FORMAT, "version", 1, "title",
                     texts_json(plan->title), "consent", texts_json(plan->consent), "player", plan->player,
                     "rules", plan->rules, "seed", jsontext_seed(plan->seed), "places", plan->places, "code",
                     plan->code, "maps", maps);
}

static bool damaged(const char *name, struct err *e) {
    return err_set(e, "the study is damaged: its text '%.60s' cannot be read", name);
}

/* Copies a string member; false when there is none, or it is too long. */
static bool read_string(const json_t *object, const char *key, char *out, size_t out_size) {
    const json_t *value = json_object_get(object, key);
    if (!json_is_string(value) || json_string_length(value) >= out_size)
        return false;
    memcpy(out, json_string_value(value), json_string_length(value) + 1);
    return true;
}

static bool read_texts(const json_t *root, const char *key, size_t size_max, char *out[STUDY_LANGUAGES]) {
    const json_t *texts = json_object_get(root, key);
    for (int i = 0; i < STUDY_LANGUAGES; i++) {
        const json_t *value = json_object_get(texts, study_language_names[i]);
        if (!json_is_string(value) || json_string_length(value) > size_max)
            return false;
        out[i] = copy_text(json_string_value(value));
    }
    return true;
}

static bool read_seed(const json_t *root, uint64_t *out) {
    const json_t *value = json_object_get(root, "seed");
    unsigned long long seed;
    const bool ok =
        json_is_integer(value) || (json_is_string(value) && text_to_u64(json_string_value(value), &seed));
    if (ok)
        *out = json_is_integer(value) ? (uint64_t)json_integer_value(value) : seed;
    return ok;
}

static bool read_map(const json_t *entry, struct study_map *out, struct err *e) {
    const char *text = json_string_value(json_object_get(entry, "map"));
    return read_string(entry, "name", out->name, sizeof out->name) &&
           read_string(entry, "group", out->group, sizeof out->group) && text != NULL &&
           tbs_map_load(out->name, text, strlen(text), &out->map, e);
}

static bool read_plan(const json_t *root, struct study_plan *out, struct err *e) {
    const json_t *maps = json_object_get(root, "maps"), *places = json_object_get(root, "places");
    const size_t count = json_array_size(maps);
    if (!read_texts(root, "title", STUDY_TITLE_MAX, out->title) ||
        !read_texts(root, "consent", STUDY_CONSENT_MAX, out->consent) ||
        !read_string(root, "player", out->player, sizeof out->player) ||
        !read_string(root, "rules", out->rules, sizeof out->rules) || !read_seed(root, &out->seed) ||
        !read_string(root, "code", out->code, sizeof out->code) || !json_is_integer(places) ||
        json_integer_value(places) < 0 || json_integer_value(places) > STUDY_PERSONS_MAX ||
        count < STUDY_MAPS_MIN || count > STUDY_MAPS_MAX || tbs_read_rules(out->rules, e) == NULL)
        return false;
    out->places = (int)json_integer_value(places);
    out->maps = mem_alloc(count * sizeof *out->maps);
    bool ok = true;
    for (; ok && out->map_count < (int)count; out->map_count++)
        ok = read_map(json_array_get(maps, (size_t)out->map_count), &out->maps[out->map_count], e);
    return ok;
}

/* ---- participants in memory ---- */

static struct study_person *make_person(struct study *study, int number) {
    struct study_person *person = mem_alloc(sizeof *person);
    person->number = number;
    person->place = -1;
    for (int i = 0; i < STUDY_ABOUT; i++)
        person->about[i] = -1;
    person->answers = mem_alloc((size_t)study->plan.map_count * sizeof *person->answers);
    study->persons = mem_resize(study->persons, (size_t)(study->person_count + 1) * sizeof *study->persons);
    study->persons[study->person_count++] = person;
    if (study->number_next <= number)
        study->number_next = number + 1;
    return person;
}

static void free_person(const struct study *study, struct study_person *person) {
    for (int map = 0; map < study->plan.map_count; map++) {
        mem_free(person->answers[map].games);
        mem_free(person->answers[map].comment);
    }
    mem_free(person->answers);
    mem_free(person->comment);
    mem_free(person);
}

struct study_person *study_find_number(const struct study *study, int number) {
    for (int i = 0; i < study->person_count; i++)
        if (study->persons[i]->number == number)
            return study->persons[i];
    return NULL;
}

/* Takes as long for a wrong text as for a right one. */
static bool is_secret(const char *secret, const char *given) {
    const size_t length = strlen(given);
    unsigned differs = length != strlen(secret) || length == 0;
    for (size_t i = 0; i < length && secret[i] != '\0'; i++)
        differs |= (unsigned char)(secret[i] ^ given[i]);
    return differs == 0;
}

struct study_person *study_find(const struct study *study, const char *key) {
    struct study_person *found = NULL;
    for (int i = 0; i < study->person_count; i++)
        if (is_secret(study->persons[i]->key, key))
            found = study->persons[i];
    return found;
}

struct study_person *study_find_visit(const struct study *study, const char *visit) {
    struct study_person *found = NULL;
    for (int i = 0; i < study->person_count; i++)
        if (is_secret(study->persons[i]->visit, visit))
            found = study->persons[i];
    return found;
}

bool study_is_code(const struct study *study, const char *code) {
    return is_secret(study->plan.code, code);
}

int study_open_places(const struct study *study) {
    int left = study->plan.places;
    for (int i = 0; i < study->person_count; i++)
        left -= study->persons[i]->visit[0] != '\0';
    return left > 0 ? left : 0;
}

static struct study_game *push_game(struct study_answer *answer) {
    answer->games = mem_resize(answer->games, (size_t)(answer->game_count + 1) * sizeof *answer->games);
    struct study_game *game = &answer->games[answer->game_count++];
    *game = (struct study_game){0};
    return game;
}

/* ---- reading ---- */

static int choice_of(int about, const char *id) {
    for (int i = 0; id != NULL && i < STUDY_CHOICES_MAX && study_about[about].choices[i].id != NULL; i++)
        if (strcmp(study_about[about].choices[i].id, id) == 0)
            return i;
    return -1;
}

static bool read_consent(const json_t *root, struct study_person *person) {
    const json_t *place = json_object_get(root, "place");
    const char *language = json_string_value(json_object_get(root, "language"));
    if (!json_is_integer(place) || json_integer_value(place) < 0 ||
        json_integer_value(place) > NUMBER_LIMIT || language == NULL ||
        !read_string(root, "name", person->name, sizeof person->name))
        return false;
    person->place = (int)json_integer_value(place);
    person->language =
        strcmp(language, study_language_names[STUDY_JAPANESE]) == 0 ? STUDY_JAPANESE : STUDY_ENGLISH;
    for (int i = 0; i < STUDY_ABOUT; i++)
        person->about[i] = choice_of(i, json_string_value(json_object_get(root, study_about[i].id)));
    return true;
}

static bool read_game(const json_t *root, struct study_game *game) {
    const json_t *side = json_object_get(root, "side");
    const bool ok = json_is_integer(side) && (unsigned long long)json_integer_value(side) <= 1 &&
                    read_string(root, "table", game->table, sizeof game->table) &&
                    read_string(root, "key", game->key, sizeof game->key);
    game->side = ok ? (int)json_integer_value(side) : 0;
    return ok;
}

/* A text "person/0001/map/02/REST". */
static bool take_map_text(struct study_answer *answer, const char *rest, const char *value) {
    int game, used = 0;
    long rating;
    if (strcmp(rest, "comment") == 0) {
        mem_free(answer->comment);
        answer->comment = copy_text(value);
        return true;
    }
    for (int i = 0; i < STUDY_QUESTIONS; i++)
        if (strcmp(rest, study_questions[i].id) == 0) {
            const bool ok =
                text_to_int(value, &rating) && rating >= STUDY_RATING_LOW && rating <= STUDY_RATING_HIGH;
            answer->ratings[i] = ok ? (int)rating : 0;
            return ok;
        }
    if (sscanf(rest, "game/%2d%n", &game, &used) != 1 || rest[used] != '\0' || game != answer->game_count ||
        game >= STUDY_GAMES_MAX)
        return false;
    json_t *root = json_loads(value, 0, NULL);
    const bool ok = read_game(root, push_game(answer));
    json_decref(root);
    return ok;
}

/* A text "person/0001/REST". Names come in alphabetical order, so games come in the order of their start. */
static bool take_person_text(const struct study *study, struct study_person *person, const char *rest,
                             const char *value) {
    int map, used = 0;
    bool ok = true;
    if (sscanf(rest, "map/%2d/%n", &map, &used) == 1 && used > 0)
        return map >= 0 && map < study->plan.map_count &&
               take_map_text(&person->answers[map], rest + used, value);
    json_t *root = json_loads(value, 0, NULL);
    if (strcmp(rest, "link") == 0) {
        ok = read_string(root, "key", person->key, sizeof person->key) &&
             read_string(root, "visit", person->visit, sizeof person->visit);
    } else if (strcmp(rest, "consent") == 0) {
        ok = read_consent(root, person);
    } else if (strcmp(rest, "comment") == 0) {
        mem_free(person->comment);
        person->comment = copy_text(value);
    } else {
        ok = person->is_finished = strcmp(rest, "finish") == 0;
    }
    json_decref(root);
    return ok;
}

static bool take_text(void *context, const char *name, const char *value, struct err *e) {
    struct study *study = context;
    int number, used = 0;
    if (sscanf(name, "person/%4d/%n", &number, &used) != 1 || used == 0 || number < 1 ||
        number > NUMBER_LIMIT)
        return damaged(name, e);
    struct study_person *person = study_find_number(study, number);
    if (person == NULL)
        person = make_person(study, number);
    return take_person_text(study, person, name + used, value) || damaged(name, e);
}

static int game_number(int person, int map, int game) {
    assert(person >= 1 && person <= NUMBER_LIMIT);
    assert(map >= 0 && map < STUDY_MAPS_MAX);
    assert(game >= 0 && game < STUDY_GAMES_MAX);
    return (person * STUDY_MAPS_MAX + map) * STUDY_GAMES_MAX + game;
}

static void take_outcome(struct study_game *game, const struct outcome *outcome) {
    game->is_over = true;
    game->won = game->side == TBS_RED ? outcome->payoff : 1 - outcome->payoff;
    game->actions = outcome->actions;
    game->turns = outcome->turns;
    memcpy(game->result, outcome->result, sizeof game->result);
}

static bool take_game(void *context, const struct store_game *stored, struct err *e) {
    struct study *study = context;
    const int index = stored->number % STUDY_GAMES_MAX,
              map = stored->number / STUDY_GAMES_MAX % STUDY_MAPS_MAX;
    struct study_person *person = study_find_number(study, stored->number / STUDY_GAMES_MAX / STUDY_MAPS_MAX);
    if (person == NULL || map >= study->plan.map_count || index >= person->answers[map].game_count)
        return err_set(e, "the study is damaged: game %d was never started", stored->number);
    take_outcome(&person->answers[map].games[index], &stored->outcome);
    return true;
}

/* Participants of a file that was cut in the middle of a step may lack their link: they have no way in. */
static bool load(struct study *study, struct err *e) {
    const struct store_text_visit texts = {take_text, study, "person/"};
    const struct store_visit games = {.game = take_game, .context = study};
    struct text text = {0}, next = {0};
    bool found = false;
    long number = 1;
    bool ok = store_get(study->store, STORE_STUDY, &text, &found, e) &&
              (found || err_set(e, "it is no study with people; 'senjutsu study new' makes one"));
    json_t *root = ok ? jsontext_load("its plan", text_string(&text), text.size, e) : NULL;
    ok = root != NULL && jsontext_is(root, FORMAT, e) &&
         (read_plan(root, &study->plan, e) || damaged(STORE_STUDY, e)) &&
         store_get(study->store, TEXT_NEXT, &next, &found, e);
    if (ok && found && (!text_to_int(text_string(&next), &number) || number < 1 || number > NUMBER_LIMIT + 1))
        ok = damaged(TEXT_NEXT, e);
    study->number_next = (int)number;
    ok = ok && store_visit_texts(study->store, &texts, e) && store_visit_games(study->store, &games, e);
    json_decref(root);
    text_done(&text);
    text_done(&next);
    return ok;
}

/* ---- opening and closing ---- */

struct study *study_open(const char *path, enum store_mode mode, struct err *e) {
    struct study *study = mem_alloc(sizeof *study);
    study->store = store_open(path, mode, e);
    if (study->store != NULL) {
        if (load(study, e))
            return study;
        err_prefix(e, "%s: ", path);
    }
    study_close(study);
    return NULL;
}

struct study *study_create(const char *path, struct study_plan *plan, struct err *e) {
    assert(plan->map_count >= STUDY_MAPS_MIN && plan->map_count <= STUDY_MAPS_MAX);
    struct study *study = mem_alloc(sizeof *study);
    study->plan = *plan;
    study->number_next = 1;
    *plan = (struct study_plan){0};
    json_t *root = plan_json(&study->plan);
    char *text = root != NULL ? json_dumps(root, JSON_COMPACT) : NULL;
    bool ok = (text != NULL || err_set(e, "a text of the study is not UTF-8")) &&
              (file_kind(path) == FILE_NONE ||
               err_set(e, "%s: is there already; a study is begun in a new file", path));
    study->store = ok ? store_open(path, STORE_WRITE, e) : NULL;
    ok = study->store != NULL && store_put(study->store, STORE_STUDY, text, e);
    free(text);
    json_decref(root);
    if (ok)
        return study;
    study_close(study);
    return NULL;
}

void study_close(struct study *study) {
    if (study == NULL)
        return;
    for (int i = 0; i < study->person_count; i++)
        free_person(study, study->persons[i]);
    mem_free(study->persons);
    study_plan_done(&study->plan);
    store_close(study->store);
    mem_free(study);
}

/* ---- the design ---- */

static void shuffle(struct rng *r, int *items, int count) {
    for (int i = count - 1; i > 0; i--) {
        const int other = (int)rng_below(r, (uint32_t)i + 1), item = items[i];
        items[i] = items[other];
        items[other] = item;
    }
}

/* Numbers 0 … count - 1 in an order that stream `stream` of the seed gives. */
static void draw_order(const struct study_plan *plan, uint64_t stream, int out[STUDY_MAPS_MAX]) {
    struct rng r;
    for (int i = 0; i < plan->map_count; i++)
        out[i] = i;
    rng_seed_stream(&r, plan->seed, stream);
    shuffle(&r, out, plan->map_count);
}

/* The row of the design that a place has: one of each in every block. */
static int row_of(const struct study_plan *plan, int place) {
    int rows[STUDY_MAPS_MAX];
    draw_order(plan, 1 + (uint64_t)(place / plan->map_count), rows);
    return rows[place % plan->map_count];
}

/* 0, 1, n-1, 2, n-2, …: neighbours differ by every number once (n even). */
static int zigzag(int position, int count) {
    return position % 2 == 1 ? (position + 1) / 2 : (count - position / 2) % count;
}

int study_map_at(const struct study_plan *plan, int place, int position) {
    assert(place >= 0);
    assert(position >= 0 && position < plan->map_count);
    const int count = plan->map_count, block = place / count;
    const bool is_mirrored = count % 2 == 1 && block % 2 == 1;
    int labels[STUDY_MAPS_MAX];
    draw_order(plan, 0, labels);
    const int from = is_mirrored ? count - 1 - position : position;
    return labels[(zigzag(from, count) + row_of(plan, place)) % count];
}

int study_side_at(const struct study_plan *plan, int place, int position) {
    return (position + row_of(plan, place) + place / plan->map_count) % 2;
}

/* ---- questions ---- */

struct study_answer *study_answer(const struct study *study, const struct study_person *person,
                                  int position) {
    assert(person->place >= 0);
    return &person->answers[study_map_at(&study->plan, person->place, position)];
}

int study_games(const struct study_answer *answer, int side) {
    int count = 0;
    for (int i = 0; i < answer->game_count; i++)
        count += answer->games[i].side == side;
    return count;
}

int study_games_over(const struct study_answer *answer, int side) {
    int count = 0;
    for (int i = 0; i < answer->game_count; i++)
        count += answer->games[i].side == side && answer->games[i].is_over;
    return count;
}

bool study_is_rated(const struct study_answer *answer) {
    bool all = true;
    for (int i = 0; i < STUDY_QUESTIONS; i++)
        all = all && answer->ratings[i] != 0;
    return all;
}

static bool is_done(const struct study_answer *answer) {
    return study_is_rated(answer) && study_games_over(answer, TBS_RED) > 0 &&
           study_games_over(answer, TBS_BLUE) > 0;
}

enum study_state study_state(const struct study *study, const struct study_person *person, int position) {
    for (int before = 0; before < position; before++)
        if (!is_done(study_answer(study, person, before)))
            return STUDY_WAITING;
    return is_done(study_answer(study, person, position)) ? STUDY_DONE : STUDY_OPEN;
}

enum study_stage study_stage(const struct study *study, const struct study_person *person) {
    if (person->place < 0)
        return STUDY_CONSENT;
    if (person->is_finished)
        return STUDY_FINISHED;
    return study_state(study, person, study->plan.map_count - 1) == STUDY_DONE ? STUDY_CLOSING : STUDY_MAPS;
}

/* ---- steps ---- */

/* Writes the text "person/NUMBER/REST". */
static bool put(struct study *study, const struct study_person *person, const char *rest, const char *value,
                struct err *e) {
    char name[2 * NAME_MAX_SIZE];
    snprintf(name, sizeof name, PERSON "%s", person->number, rest);
    return store_put(study->store, name, value, e);
}

/* The same with a JSON object, which it drops. */
static bool put_json(struct study *study, const struct study_person *person, const char *rest, json_t *value,
                     struct err *e) {
    char *text = json_dumps(value, JSON_COMPACT);
    const bool ok = (text != NULL || err_set(e, "a text is not UTF-8")) && put(study, person, rest, text, e);
    free(text);
    json_decref(value);
    return ok;
}

/* The number is taken before it is used: a participant who is erased later leaves it unused. */
struct study_person *study_add_person(struct study *study, const char *key, const char *visit,
                                      struct err *e) {
    assert(key[0] != '\0' && strlen(key) < STUDY_KEY_MAX);
    assert(strlen(visit) <= STUDY_VISIT_MAX);
    char next[16];
    if (study->person_count >= STUDY_PERSONS_MAX || study->number_next > NUMBER_LIMIT) {
        err_set(e, "a study has at most %d participants", STUDY_PERSONS_MAX);
        return NULL;
    }
    struct study_person probe = {.number = study->number_next};
    snprintf(next, sizeof next, "%d", study->number_next + 1);
    if (!store_put(study->store, TEXT_NEXT, next, e) ||
        !put_json(study, &probe, "link", json_pack("{ss ss}", "key", key, "visit", visit), e))
        return NULL;
    struct study_person *person = make_person(study, study->number_next);
    strcpy(person->key, key);
    strcpy(person->visit, visit);
    return person;
}

/* The first place of the design without a participant: who was erased is replaced. */
static int free_place(const struct study *study) {
    int place = 0;
    for (int i = 0; i < study->person_count;)
        if (study->persons[i++]->place == place) {
            place++;
            i = 0;
        }
    return place;
}

bool study_consent(struct study *study, struct study_person *person, const struct study_consent *consent,
                   struct err *e) {
    assert(person->place < 0);
    assert(strlen(consent->name) < sizeof person->name);
    const int place = free_place(study);
    json_t *root =
        json_pack("{si ss ss ss}", "place", place, "language", study_language_names[consent->language],
                  "name", consent->name, "date", consent->date);
    for (int i = 0; i < STUDY_ABOUT; i++)
        if (consent->about[i] >= 0)
            json_object_set_new(root, study_about[i].id,
                                json_string(study_about[i].choices[consent->about[i]].id));
    if (!put_json(study, person, "consent", root, e))
        return false;
    person->place = place;
    person->language = consent->language;
    strcpy(person->name, consent->name);
    memcpy(person->about, consent->about, sizeof person->about);
    return true;
}

bool study_start_game(struct study *study, struct study_person *person, int position, int index,
                      const struct study_game *game, struct err *e) {
    const int map = study_map_at(&study->plan, person->place, position);
    struct study_answer *answer = &person->answers[map];
    assert(index <= answer->game_count && index < STUDY_GAMES_MAX);
    assert(index == answer->game_count || !answer->games[index].is_over);
    char rest[NAME_MAX_SIZE];
    snprintf(rest, sizeof rest, PERSON_GAME, map, index);
    if (!put_json(study, person, rest,
                  json_pack("{si ss ss}", "side", game->side, "table", game->table, "key", game->key), e))
        return false;
    if (index == answer->game_count)
        push_game(answer);
    answer->games[index] = *game;
    return true;
}

bool study_end_game(struct study *study, struct study_person *person, int map, int game,
                    const struct study_result *result, struct err *e) {
    struct study_game *own = &person->answers[map].games[game];
    char note[64];
    assert(!own->is_over);
    snprintf(note, sizeof note, "{\"person\":%d,\"side\":%d}", person->number, own->side);
    const struct store_game stored = {.number = game_number(person->number, map, game),
                                      .players = {own->side, own->side ^ 1}, /* 0: the participant */
                                      .map = map,
                                      .seed = result->seed,
                                      .outcome = *result->outcome,
                                      .note = note,
                                      .record = result->record,
                                      .finished = result->date};
    if (!store_add_game(study->store, &stored, e))
        return false;
    take_outcome(own, result->outcome);
    return true;
}

bool study_rate(struct study *study, struct study_person *person, int position, enum study_question question,
                int rating, struct err *e) {
    assert(rating >= STUDY_RATING_LOW && rating <= STUDY_RATING_HIGH);
    const int map = study_map_at(&study->plan, person->place, position);
    char rest[NAME_MAX_SIZE], value[16];
    if (person->answers[map].ratings[question] == rating)
        return true;
    snprintf(rest, sizeof rest, "map/%02d/%s", map, study_questions[question].id);
    snprintf(value, sizeof value, "%d", rating);
    if (!put(study, person, rest, value, e))
        return false;
    person->answers[map].ratings[question] = rating;
    return true;
}

bool study_comment(struct study *study, struct study_person *person, int position, const char *comment,
                   struct err *e) {
    assert(strlen(comment) <= STUDY_CHARACTER * STUDY_COMMENT_MAX);
    char rest[NAME_MAX_SIZE] = "comment";
    char **own = &person->comment;
    if (position >= 0) {
        const int map = study_map_at(&study->plan, person->place, position);
        snprintf(rest, sizeof rest, "map/%02d/comment", map);
        own = &person->answers[map].comment;
    }
    if (*own != NULL ? strcmp(*own, comment) == 0 : comment[0] == '\0')
        return true;
    if (!put(study, person, rest, comment, e))
        return false;
    mem_free(*own);
    *own = copy_text(comment);
    return true;
}

bool study_finish(struct study *study, struct study_person *person, const char *date, struct err *e) {
    if (person->is_finished)
        return true;
    person->is_finished = put_json(study, person, "finish", json_pack("{ss}", "date", date), e);
    return person->is_finished;
}

static void name_erased(const char *visit, char out[NAME_MAX_SIZE]) {
    snprintf(out, NAME_MAX_SIZE, "erased/%016" PRIx64, hash_bytes(HASH_START, visit, strlen(visit)));
}

bool study_was_erased(const struct study *study, const char *visit) {
    char name[NAME_MAX_SIZE];
    struct text text = {0};
    struct err ignored;
    bool found = false;
    name_erased(visit, name);
    store_get(study->store, name, &text, &found, &ignored);
    text_done(&text);
    return found;
}

bool study_erase(struct study *study, struct study_person *person, bool *traces, struct err *e) {
    char prefix[NAME_MAX_SIZE], erased[NAME_MAX_SIZE];
    snprintf(prefix, sizeof prefix, PERSON, person->number);
    const struct store_erasure what = {prefix, game_number(person->number, 0, 0),
                                       game_number(person->number, STUDY_MAPS_MAX - 1, STUDY_GAMES_MAX - 1)};
    name_erased(person->visit, erased);
    if ((person->visit[0] != '\0' && !store_put(study->store, erased, "", e)) ||
        !store_erase(study->store, &what, e))
        return false;
    int i = 0;
    while (study->persons[i] != person)
        i++;
    study->person_count--;
    memmove(&study->persons[i], &study->persons[i + 1],
            (size_t)(study->person_count - i) * sizeof *study->persons);
    free_person(study, person);
    *traces = !store_shred(study->store, e);
    return true;
}

/* ---- further texts ---- */

bool study_put_text(struct study *study, const char *name, const char *value, struct err *e) {
    return store_put(study->store, name, value, e);
}

bool study_get_text(const struct study *study, const char *name, struct text *out, bool *found,
                    struct err *e) {
    return store_get(study->store, name, out, found, e);
}
