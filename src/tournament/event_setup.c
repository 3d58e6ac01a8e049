/* SPDX-License-Identifier: MIT */
#include "tournament/event_setup.h"

#include "base/charset.h"
#include "base/jsontext.h"
#include "base/mem.h"
#include "game/tbs/map_random.h"
#include "game/tbs/tbs.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* ---- maps ---- */

static struct event_map *grow_maps(struct event *event, struct err *e) {
    if (event->map_count == EVENT_MAPS_MAX) {
        err_set(e, "more than %d maps", EVENT_MAPS_MAX);
        return NULL;
    }
    struct event_map *grown = mem_resize(event->maps, (size_t)(event->map_count + 1) * sizeof event->maps[0]);
    event->maps = grown;
    memset(&grown[event->map_count], 0, sizeof grown[0]);
    return &grown[event->map_count];
}

bool event_add_map(struct event *event, const char *name, const struct game_source *source, struct err *e) {
    struct event_map *m = grow_maps(event, e);
    if (m == NULL)
        return false;
    m->scenario = event_load(&event->rules, source, e);
    if (m->scenario == NULL)
        return false;
    event->map_count++;
    charset_copy(m->name, sizeof m->name, name, strlen(name));
    const char *author = tbs_scenario_map(m->scenario)->author;
    charset_copy(m->author, sizeof m->author, author, strlen(author));
    for (int i = 0; i + 1 < event->map_count; i++)
        if (strcmp(event->maps[i].name, m->name) == 0)
            return err_code(e, "refused.map_twice", "%s: a map of that name is there already", source->name);
    return true;
}

bool event_add_game(struct event *event, struct err *e) {
    struct event_map *m = grow_maps(event, e);
    if (m == NULL)
        return false;
    m->scenario = event_load(&event->rules, NULL, e);
    if (m->scenario == NULL)
        return false;
    event->map_count++;
    charset_copy(m->name, sizeof m->name, event->rules.game, strlen(event->rules.game));
    return true;
}

bool event_check_players(const struct event *event, struct err *e) {
    assert(event->player_count <= EVENT_PLAYERS_MAX);
    if (event->player_count < 2)
        return err_code(e, "refused.one_player", "a tournament needs two players or more; given: %d",
                        event->player_count);
    if (event->rules.format == EVENT_GAUNTLET && event->rules.challengers >= event->player_count)
        return err_set(e, "with %d challengers of %d players nobody is left to meet them",
                       event->rules.challengers, event->player_count);
    return true;
}

/* ---- entrants ---- */

static bool has_name(const struct event *event, const char *name) {
    for (int i = 0; i < event->player_count; i++)
        if (strcmp(event->players[i].name, name) == 0)
            return true;
    return false;
}

static void name_apart(const struct event *event, const char *wanted, char *out) {
    char base[EVENT_NAME_MAX - 16];
    charset_copy(base, sizeof base, wanted, strlen(wanted));
    snprintf(out, EVENT_NAME_MAX, "%s", base);
    for (int n = 2; has_name(event, out); n++) /* ends: at most EVENT_PLAYERS_MAX names exist */
        snprintf(out, EVENT_NAME_MAX, "%s (%d)", base, n);
}

/* Names stand in tables, lines and messages. */
static bool is_plain(const char *text) {
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0'; c++)
        if (*c < ' ' || *c == 0x7f)
            return false;
    return charset_is_utf8(text, strlen(text));
}

static bool add_entrant(struct event *event, const char *name, const char *spec, const char *author,
                        struct err *e) {
    if (event->player_count == EVENT_PLAYERS_MAX)
        return err_set(e, "more than %d players", EVENT_PLAYERS_MAX);
    if (strlen(spec) >= RECORD_NAME_MAX || strlen(author) >= EVENT_NAME_MAX)
        return err_set(e, "player '%.60s…': its spec or its author is too long", spec);
    if (!is_plain(name) || !is_plain(author))
        return err_set(e,
                       "player '%.60s': expected a name and an author in UTF-8 without line ends and other "
                       "control characters",
                       spec);
    if (!player_check(spec, NULL, e))
        return false;
    event->players = mem_resize(event->players, (size_t)(event->player_count + 1) * sizeof event->players[0]);
    struct entrant *p = &event->players[event->player_count];
    memset(p, 0, sizeof *p);
    name_apart(event, name, p->name);
    snprintf(p->spec, sizeof p->spec, "%s", spec);
    snprintf(p->author, sizeof p->author, "%s", author);
    event->player_count++;
    return true;
}

/* ---- a list of entrants ---- */

/* Does the part begin with KEY=, so that it continues the options of the player before it? */
static bool goes_on(const char *part) {
    while (*part == ' ')
        part++;
    const char *at = part;
    while (isalnum((unsigned char)*at) || *at == '-' || *at == '_')
        at++;
    return at > part && *at == '=';
}

/* Copies one player's text: quotes are left out, ; becomes a comma outside of brackets and quotes. Returns
 * where it ends: at the comma before the next player, or at the end. */
static const char *copy_player(const char *at, char *out, size_t out_size, bool *whole) {
    size_t size = 0;
    int depth = 0;
    bool quoted = false;
    for (; *at != '\0'; at++) {
        const bool plain = !quoted && depth == 0;
        if (plain && *at == ',' && !goes_on(at + 1))
            break;
        if (*at == '"') {
            quoted = !quoted;
            continue;
        }
        depth += quoted ? 0 : *at == '[' ? 1 : *at == ']' ? -1 : 0;
        if (size + 1 < out_size)
            out[size] = plain && *at == ';' ? ',' : *at;
        size++;
        if (plain && (*at == ',' || *at == ';')) /* blanks before a key are no part of it */
            at += strspn(at + 1, " ");
    }
    *whole = size < out_size && !quoted && depth == 0;
    out[size < out_size ? size : out_size - 1] = '\0';
    return at;
}

bool entrants_parse(const char *list, struct event *event, struct err *e) {
    for (const char *at = list;; at++) {
        char copy[RECORD_NAME_MAX];
        bool whole;
        at = copy_player(at, copy, sizeof copy, &whole);
        if (!whole)
            return err_set(e, "player '%.60s…' is too long, or a bracket or quote in it has no partner",
                           copy);
        const char *spec = text_trim(copy);
        if (*spec == '\0')
            return err_set(e, "the list of players has an empty place in it");
        if (!add_entrant(event, spec, spec, "", e))
            return false;
        if (*at == '\0')
            return true;
    }
}

/* ---- a file of entrants ---- */

static bool read_entry(json_t *entry, size_t number, struct event *event, struct err *e) {
    static const char *const known[] = {"spec", "name", "author"};
    const char *key, *texts[3] = {NULL, NULL, ""};
    json_t *value;
    json_object_foreach(entry, key, value) {
        int field = 0;
        while (field < 3 && strcmp(known[field], key) != 0)
            field++;
        if (field == 3)
            return err_set(e, "entry %zu: \"%.64s\" is no field; expected spec, name, author", number, key);
        texts[field] = json_string_value(value);
        if (texts[field] == NULL)
            return err_set(e, "entry %zu: \"%s\" is no text", number, key);
        if (field < 2 && texts[field][0] == '\0') /* an author may be unknown */
            return err_set(e, "entry %zu: \"%s\" is empty", number, key);
    }
    if (texts[0] == NULL)
        return err_set(e, "entry %zu has no \"spec\"", number);
    if (texts[1] != NULL && has_name(event, texts[1]))
        return err_code(e, "refused.name_twice", "entry %zu: the name \"%s\" is there already", number,
                        texts[1]);
    return add_entrant(event, texts[1] != NULL ? texts[1] : texts[0], texts[0], texts[2], e) ||
           err_prefix(e, "entry %zu: ", number);
}

bool entrants_read(const char *name, const char *text, size_t size, struct event *event, struct err *e) {
    json_t *list = jsontext_load(name, text, size, e);
    if (list == NULL)
        return false;
    bool ok = (json_is_array(list) && json_array_size(list) > 0) ||
              err_set(e, "expected a list of players: [{\"spec\": …, \"name\": …, \"author\": …}, …]");
    for (size_t i = 0; ok && i < json_array_size(list); i++)
        ok = json_is_object(json_array_get(list, i))
                 ? read_entry(json_array_get(list, i), i + 1, event, e)
                 : err_set(e, "entry %zu is no object with a \"spec\"", i + 1);
    json_decref(list);
    return ok || err_prefix(e, "%s: ", name);
}
