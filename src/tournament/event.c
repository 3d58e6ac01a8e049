/* SPDX-License-Identifier: MIT
 *
 * The game of an event (maps of the tactical game, or a game without maps), and events as JSON.
 */
#include "tournament/event.h"

#include "base/charset.h"
#include "base/jsontext.h"
#include "base/mem.h"
#include "game/tbs/tbs.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the game ---- */

static const struct game *find_game(const struct event_rules *rules, struct spec *spec, struct err *e) {
    if (!spec_parse(rules->game, spec, e))
        return NULL;
    const struct game *game = game_find(spec->name);
    if (game == NULL)
        err_set(e, "the event's game '%s' is unknown; 'senjutsu games' lists them", spec->name);
    return game;
}

bool event_takes_maps(const struct event_rules *rules) {
    struct spec spec;
    const struct game *game = find_game(rules, &spec, NULL);
    return game != NULL && game_offer(game)->takes_map;
}

struct scenario *event_load(const struct event_rules *rules, const struct game_source *map, struct err *e) {
    struct spec spec;
    const struct game *game = find_game(rules, &spec, e);
    if (game == NULL)
        return NULL;
    const char *set = rules->rule_set[0] != '\0' ? rules->rule_set : NULL;
    const bool maps = game_offer(game)->takes_map;
    if (maps && spec.count > 0)
        err_set(e, "\"game\": \"%s\": the tactical game has no options here; \"rule_set\" says its rules",
                rules->game);
    else if (maps && map == NULL)
        err_set(e, "%s is played on maps", rules->game);
    else if (!maps && (map != NULL || set != NULL))
        err_set(e, "%s is played without maps and rule sets", rules->game);
    else
        return maps ? game_load_map(game, set, map, e) : game_load_spec(rules->game, e);
    return NULL;
}

/* ---- JSON ----
 *
 *     {"format": "senjutsu-event", "version": 1, "seed": "1", "rules": {…},
 *      "players": [{"name": "uct", "spec": "uct:sims=60", "author": ""}, …],
 *      "maps": [{"name": "duel", "author": "", "map": "SIZEX[6];…"}, …]}
 *
 * It contains everything that the games depend on. A game without maps has one entry with an empty "map". */

#define FORMAT "senjutsu-event"

/* ---- writing JSON ---- */

static json_t *rules_of(const struct event *event, struct err *e) {
    struct text text = {0};
    json_t *rules = event_file_write(&event->rules, &text, e) ? jsontext_own(&text) : NULL;
    text_done(&text);
    return rules;
}

static json_t *players_of(const struct event *event) {
    json_t *list = json_array();
    for (int i = 0; i < event->player_count; i++) {
        const struct entrant *p = &event->players[i];
        json_array_append_new(list,
                              json_pack("{ss ss ss}", "name", p->name, "spec", p->spec, "author", p->author));
    }
    return list;
}

static json_t *maps_of(const struct event *event) {
    json_t *list = json_array();
    for (int i = 0; i < event->map_count; i++) {
        const struct event_map *m = &event->maps[i];
        struct text map = {0};
        assert(m->scenario != NULL);
        if (m->scenario->game->text->write_map != NULL)
            m->scenario->game->text->write_map(m->scenario, &map);
        json_array_append_new(
            list, json_pack("{ss ss ss}", "name", m->name, "author", m->author, "map", text_string(&map)));
        text_done(&map);
    }
    return list;
}

bool event_write(const struct event *event, struct text *out, struct err *e) {
    char seed[24];
    json_t *rules = rules_of(event, e);
    if (rules == NULL)
        return false;
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)event->seed);
    json_t *root = json_pack("{ss si ss so so so}", "format", FORMAT, "version", 1, "seed", seed, "rules",
                             rules, "players", players_of(event), "maps", maps_of(event));
    char *dump = root != NULL ? json_dumps(root, JSON_INDENT(1)) : NULL;
    const bool whole = root != NULL &&
                       json_array_size(json_object_get(root, "players")) == (size_t)event->player_count &&
                       json_array_size(json_object_get(root, "maps")) == (size_t)event->map_count;
    json_decref(root);
    if (dump == NULL || !whole) {
        free(dump);
        return err_set(e, "the event cannot be written as JSON: a name is not UTF-8");
    }
    text_add(out, "%s\n", dump);
    free(dump);
    return true;
}

/* ---- reading JSON ---- */

void event_done(struct event *event) {
    for (int i = 0; event->owns_scenarios && i < event->map_count; i++)
        if (event->maps[i].scenario != NULL)
            event->maps[i].scenario->game->unload(event->maps[i].scenario);
    mem_free(event->players);
    mem_free(event->maps);
    *event = (struct event){0};
}

static bool copy(const json_t *object, const char *key, char *out, size_t out_size) {
    const char *text = json_string_value(json_object_get(object, key));
    if (text == NULL || strlen(text) >= out_size)
        return false;
    memcpy(out, text, strlen(text) + 1);
    return true;
}

static bool read_players(const json_t *list, struct event *out, struct err *e) {
    const size_t count = json_array_size(list);
    if (count < 1 || count > EVENT_PLAYERS_MAX)
        return err_set(e, "\"players\" is no list of 1 to %d players", EVENT_PLAYERS_MAX);
    out->players = mem_alloc(count * sizeof out->players[0]);
    for (size_t i = 0; i < count; i++) {
        const json_t *row = json_array_get(list, i);
        struct entrant *p = &out->players[i];
        if (!copy(row, "name", p->name, sizeof p->name) || !copy(row, "spec", p->spec, sizeof p->spec) ||
            !copy(row, "author", p->author, sizeof p->author))
            return err_set(e, "\"players\": entry %zu has no name, spec and author", i + 1);
        out->player_count++;
    }
    return true;
}

static struct scenario *load_map(const struct event_rules *rules, const char *name, const char *text,
                                 struct err *e) {
    const struct game_source map = {name, text, strlen(text), NULL};
    return event_load(rules, event_takes_maps(rules) || text[0] != '\0' ? &map : NULL, e);
}

static bool read_maps(const json_t *list, struct event *out, struct err *e) {
    const size_t count = json_array_size(list);
    if (count < 1 || count > EVENT_MAPS_MAX)
        return err_set(e, "\"maps\" is no list of 1 to %d maps", EVENT_MAPS_MAX);
    out->maps = mem_alloc(count * sizeof out->maps[0]);
    out->owns_scenarios = true;
    for (size_t i = 0; i < count; i++) {
        const json_t *row = json_array_get(list, i);
        const char *text = json_string_value(json_object_get(row, "map"));
        struct event_map *m = &out->maps[i];
        if (text == NULL || !copy(row, "name", m->name, sizeof m->name) ||
            !copy(row, "author", m->author, sizeof m->author))
            return err_set(e, "\"maps\": entry %zu has no name, author and map", i + 1);
        m->scenario = load_map(&out->rules, m->name, text, e);
        if (m->scenario == NULL)
            return false;
        out->map_count++;
        if (count > 1 && !event_takes_maps(&out->rules))
            return err_set(e, "\"maps\": %s is played without maps; expected one entry", out->rules.game);
    }
    return true;
}

static bool read_rules(const json_t *root, struct event *out, struct err *e) {
    struct text text = {0};
    const bool ok = jsontext_member(root, "rules", &text, e) &&
                    event_file_read("rules", text_string(&text), text.size, &out->rules, e);
    text_done(&text);
    return ok;
}

static bool read_root(const json_t *root, struct event *out, struct err *e) {
    unsigned long long seed;
    const char *digits = json_string_value(json_object_get(root, "seed"));
    if (!jsontext_is(root, FORMAT, e))
        return false;
    if (digits == NULL || !text_to_u64(digits, &seed))
        return err_set(e, "\"seed\" is no whole number");
    out->seed = seed;
    return read_rules(root, out, e) && read_players(json_object_get(root, "players"), out, e) &&
           read_maps(json_object_get(root, "maps"), out, e);
}

bool event_read(const char *name, const char *text, size_t size, struct event *out, struct err *e) {
    *out = (struct event){0};
    json_t *root = jsontext_load(name, text, size, e);
    if (root == NULL)
        return false;
    const bool ok = read_root(root, out, e);
    json_decref(root);
    if (!ok)
        event_done(out);
    return ok || err_prefix(e, "%s: ", name);
}

/* ---- comparing ---- */

/* A value as a short text: "2", "\"duel\"", or the beginning of a longer one. */
static void describe(const json_t *value, char *out, size_t out_size) {
    char *dump =
        value != NULL ? json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT | JSON_REAL_PRECISION(12)) : NULL;
    const char *text = dump != NULL ? dump : "nothing";
    charset_copy(out, out_size, text, strlen(text));
    free(dump);
}

static bool differ(const char *what, const json_t *stored, const json_t *given, struct err *e) {
    char was[120], is[120];
    describe(stored, was, sizeof was);
    describe(given, is, sizeof is);
    return err_set(e, "%s was %s and is now %s", what, was, is);
}

/* By the first field that differs, down to where the two are plain values. */
static bool compare_objects(const char *what, json_t *stored, json_t *given, struct err *e) {
    const char *key;
    json_t *value;
    char path[128];
    json_object_foreach(stored, key, value) {
        json_t *other = json_object_get(given, key);
        snprintf(path, sizeof path, "%s%s%s", what, what[0] != '\0' ? "." : "", key);
        if (json_equal(value, other))
            continue;
        return json_is_object(value) && json_is_object(other) ? compare_objects(path, value, other, e)
                                                              : differ(path, value, other, e);
    }
    return json_equal(stored, given) ||
           err_set(e, "the rules have more fields now%s%s", what[0] != '\0' ? " in " : "", what);
}

static bool compare_lists(const char *what, const json_t *stored, const json_t *given, const char *key,
                          struct err *e) {
    const size_t before = json_array_size(stored), now = json_array_size(given);
    char name[64];
    for (size_t i = 0; i < before && i < now; i++) {
        json_t *a = json_array_get(stored, i), *b = json_array_get(given, i);
        snprintf(name, sizeof name, "%s %zu", what, i + 1);
        if (!json_equal(json_object_get(a, key), json_object_get(b, key)))
            return differ(name, json_object_get(a, key), json_object_get(b, key), e);
        snprintf(name, sizeof name, "the name of %s %zu", what, i + 1);
        if (!json_equal(json_object_get(a, "name"), json_object_get(b, "name")))
            return differ(name, json_object_get(a, "name"), json_object_get(b, "name"), e);
        snprintf(name, sizeof name, "the author of %s %zu", what, i + 1);
        if (!json_equal(json_object_get(a, "author"), json_object_get(b, "author")))
            return differ(name, json_object_get(a, "author"), json_object_get(b, "author"), e);
        snprintf(name, sizeof name, "%s %zu", what, i + 1);
        if (!json_equal(a, b))
            return err_set(e, "%s, %s, is not what it was: its file has changed", name,
                           json_string_value(json_object_get(a, "name")));
    }
    return before == now || err_set(e, "there were %zu %ss and there are now %zu", before, what, now);
}

static const char *words(const json_t *value) {
    return json_is_string(value) ? json_string_value(value) : "no text";
}

bool event_compare(const char *stored, const char *given, struct err *e) {
    json_t *a = json_loads(stored, 0, NULL), *b = json_loads(given, 0, NULL);
    bool ok = a != NULL && b != NULL;
    if (!ok)
        err_set(e, "what it was begun with cannot be read");
    if (ok && !json_equal(json_object_get(a, "seed"), json_object_get(b, "seed")))
        ok = err_set(e, "the seed was %s and is now %s", words(json_object_get(a, "seed")),
                     words(json_object_get(b, "seed")));
    ok = ok &&
         compare_lists("player", json_object_get(a, "players"), json_object_get(b, "players"), "spec", e) &&
         compare_lists("map", json_object_get(a, "maps"), json_object_get(b, "maps"), "name", e) &&
         compare_objects("", json_object_get(a, "rules"), json_object_get(b, "rules"), e);
    json_decref(a);
    json_decref(b);
    return ok;
}
