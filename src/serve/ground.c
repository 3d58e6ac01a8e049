/* SPDX-License-Identifier: MIT */
#include "serve/ground.h"

#include "base/file.h"
#include "game/tbs/map.h"
#include "game/tbs/tbs.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { NAME_MAX_CHARS = 64 };

#define MINE         "mine/"
#define DEFAULT_MAP  "standard"
#define DEFAULT_GAME "tbs"

/* ---- members ---- */

/* NULL when it is not there. */
static const json_t *member(const json_t *object, const char *key) {
    const json_t *value = json_object_get(object, key);
    return json_is_null(value) ? NULL : value;
}

static bool refuse(struct message_out *out, const char *field, const char *sentence) {
    message_fail(out, 400, field, "%s", sentence);
    return false;
}

bool ground_text(const json_t *object, const char *key, const char *fallback, const char **text,
                 struct message_out *out) {
    const json_t *value = member(object, key);
    *text = value == NULL ? fallback : json_string_value(value);
    if (value == NULL || *text != NULL)
        return true;
    message_fail(out, 400, key, "\"%s\" is no text", key);
    return false;
}

bool ground_int(const json_t *object, const char *key, struct ground_range range, long *number,
                struct message_out *out) {
    const json_t *value = member(object, key);
    *number = range.fallback;
    if (value == NULL)
        return true;
    const json_int_t given = json_integer_value(value);
    if (json_is_integer(value) && given >= range.low && given <= range.high) {
        *number = (long)given;
        return true;
    }
    message_fail(out, 400, key, "\"%s\": expected a whole number from %ld to %ld", key, range.low,
                 range.high);
    return false;
}

bool ground_switch(const json_t *object, const char *key, bool fallback, bool *is, struct message_out *out) {
    const json_t *value = member(object, key);
    *is = value == NULL ? fallback : json_is_true(value);
    if (value == NULL || json_is_boolean(value))
        return true;
    message_fail(out, 400, key, "\"%s\": expected true or false", key);
    return false;
}

bool ground_seed(const json_t *body, const char *key, uint64_t fallback, uint64_t *seed,
                 struct message_out *out) {
    const json_t *value = member(body, key);
    unsigned long long number = fallback;
    bool ok = value == NULL;
    if (json_is_integer(value) && json_integer_value(value) >= 0) {
        number = (unsigned long long)json_integer_value(value);
        ok = true;
    } else if (json_is_string(value)) {
        const char *digits = json_string_value(value);
        ok = digits[strspn(digits, "0123456789")] == '\0' && text_to_u64(digits, &number);
    }
    *seed = number;
    if (!ok)
        message_fail(out, 400, key, "\"%s\": expected a whole number from 0 to %llu, or its digits as text",
                     key, ULLONG_MAX);
    return ok;
}

/* ---- maps ---- */

bool ground_is_name(const char *name) {
    const size_t size = strlen(name);
    return size >= 1 && size <= NAME_MAX_CHARS &&
           strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == size;
}

static bool is_mine(const char *name) {
    return strncmp(name, MINE, strlen(MINE)) == 0;
}

static const char *bare_name(const char *name) {
    return is_mine(name) ? name + strlen(MINE) : name;
}

static bool is_map_name(const char *name) {
    return ground_is_name(bare_name(name));
}

bool ground_map_path(const struct workbench *bench, const char *name, char *out, size_t out_size) {
    if (!is_map_name(name))
        return false;
    const int size = is_mine(name)
                         ? snprintf(out, out_size, "%s/maps/%s.tbsmap", bench->data, bare_name(name))
                         : snprintf(out, out_size, "%s/%s.tbsmap", bench->maps, name);
    return size > 0 && (size_t)size < out_size;
}

bool ground_read_map(struct workbench *bench, const char *name, struct text *text, struct message_out *out) {
    char path[SERVE_PATH_MAX];
    struct err e;
    if (!ground_map_path(bench, name, path, sizeof path) ||
        !(is_mine(name) ? file_is_plain(path) : file_exists(path))) {
        message_fail(out, 404, "map", "there is no map '%.80s'; /api/maps lists those there are", name);
        return false;
    }
    if (file_read(path, TBS_MAP_TEXT_MAX, text, &e))
        return true;
    message_fail(out, 500, "map", "%s", e.text);
    return false;
}

/* ---- what is played ---- */

struct wanted {
    const char *game, *map, *map_text, *rules;
    struct spec spec; /* of the game, with the rules in it */
    bool tactical;
};

/* The members, and that they go together. */
static bool read_wanted(const json_t *body, struct wanted *out, struct message_out *failure) {
    struct err e;
    if (!ground_text(body, "game", DEFAULT_GAME, &out->game, failure) ||
        !ground_text(body, "map", NULL, &out->map, failure) ||
        !ground_text(body, "map_text", NULL, &out->map_text, failure) ||
        !ground_text(body, "rules", NULL, &out->rules, failure))
        return false;
    if (!spec_parse(out->game, &out->spec, &e))
        return refuse(failure, "game", e.text);
    const struct game *game = game_find(out->spec.name);
    if (game == NULL) {
        message_fail(failure, 400, "game", "game '%s' is unknown; /api/games lists those there are",
                     out->spec.name);
        return false;
    }
    out->tactical = game_is_tbs(game);
    const char *odd = out->map != NULL ? "map" : out->map_text != NULL ? "map_text" : "rules";
    if (!out->tactical && (out->map != NULL || out->map_text != NULL || out->rules != NULL)) {
        message_fail(failure, 400, odd, "\"%s\" does not go with %s, which is played without maps", odd,
                     game->name);
        return false;
    }
    if (out->map != NULL && out->map_text != NULL && !is_map_name(out->map))
        return refuse(failure, "map", "\"map\" beside \"map_text\" is its name, as /api/maps has them");
    if ((out->rules != NULL && !spec_add(&out->spec, "rules", out->rules, &e)) ||
        !params_check(game->options, &out->spec, &e))
        return refuse(failure, out->rules != NULL ? "rules" : "game", e.text);
    return true;
}

/* A map that came as JSON, as the file that says the same. */
static bool write_map_text(const char *json, struct text *out, struct message_out *failure) {
    struct tbs_map map;
    struct tbs_problems problems = {0};
    struct err e;
    if (!tbs_map_read_json(json, strlen(json), &map, &problems)) {
        tbs_problems_explain(&problems, "map_text", &e);
        return refuse(failure, "map_text", e.text);
    }
    tbs_map_write(&map, out);
    return true;
}

/* The text of the map that is asked for. */
static bool find_map(struct workbench *bench, const struct wanted *wanted, struct text *out,
                     struct message_out *failure) {
    if (wanted->map_text == NULL)
        return ground_read_map(bench, wanted->map != NULL ? wanted->map : DEFAULT_MAP, out, failure);
    if (strlen(wanted->map_text) > TBS_MAP_TEXT_MAX)
        return refuse(failure, "map_text", "the map is too large; the limit is 1 MB");
    if (wanted->map_text[strspn(wanted->map_text, " \t\r\n")] == '{')
        return write_map_text(wanted->map_text, out, failure);
    text_add_string(out, wanted->map_text);
    return true;
}

static struct scenario *load_tactical(struct workbench *bench, const struct wanted *wanted,
                                      struct message_out *failure) {
    struct text text = {0};
    struct err e;
    struct scenario *scenario = NULL;
    const char *name = wanted->map_text != NULL ? "map_text"
                       : wanted->map != NULL    ? wanted->map
                                                : DEFAULT_MAP;
    if (find_map(bench, wanted, &text, failure)) {
        const struct game_source source = {name, text_string(&text), text.size, &wanted->spec};
        scenario = text.failed ? NULL : game_find(wanted->spec.name)->load(&source, &e);
        if (text.failed)
            message_fail(failure, 500, NULL, "not enough memory");
        else if (scenario == NULL)
            message_fail(failure, 400, wanted->map_text != NULL ? "map_text" : "map", "%s", e.text);
    }
    text_done(&text);
    return scenario;
}

struct scenario *ground_load(struct workbench *bench, const json_t *body, struct message_out *out) {
    struct wanted wanted = {0};
    struct err e;
    if (!read_wanted(body, &wanted, out))
        return NULL;
    if (wanted.tactical)
        return load_tactical(bench, &wanted, out);
    struct scenario *scenario = game_load_spec(wanted.game, &e);
    if (scenario == NULL)
        message_fail(out, 400, "game", "%s", e.text);
    return scenario;
}
