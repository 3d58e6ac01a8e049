/* SPDX-License-Identifier: MIT */
#include "tournament/make.h"

#include "base/charset.h"
#include "base/mem.h"
#include "game/tbs/map_random.h"
#include "game/tbs/tbs.h"

#include <stdio.h>
#include <string.h>

/* ---- rules ---- */

static bool set_format(const char *name, struct rules *out, struct err *e) {
    for (int i = 0; i < RULES_FORMATS; i++)
        if (strcmp(rules_format_names[i], name) == 0) {
            out->format = (enum rules_format)i;
            return true;
        }
    return err_set(e, "format %.64s: expected round-robin, gauntlet, swiss or knock-out", name);
}

static bool set_points(const char *text, struct rules *out, struct err *e) {
    char copy[64], *pieces[3];
    double *const targets[3] = {&out->win, &out->draw, &out->loss};
    snprintf(copy, sizeof copy, "%s", text);
    bool ok = strlen(text) < sizeof copy && text_split(copy, ',', pieces, 3) == 3;
    for (int i = 0; ok && i < 3; i++)
        ok = text_to_real(pieces[i], targets[i]);
    return ok || err_set(e, "points %.64s: expected points for a win, a draw and a loss: 1,0.5,0", text);
}

static bool set_title(const char *text, struct rules *out, struct err *e) {
    if (strlen(text) >= sizeof out->title)
        return err_set(e, "title: %zu bytes; expected %zu at most", strlen(text), sizeof out->title - 1);
    charset_copy(out->title, sizeof out->title, text, strlen(text));
    return true;
}

static bool set_game(const char *spec, struct rules *out, struct err *e) {
    if (strlen(spec) >= sizeof out->game)
        return err_set(e, "game: %zu bytes; expected %zu at most", strlen(spec), sizeof out->game - 1);
    snprintf(out->game, sizeof out->game, "%s", spec);
    return true;
}

static bool set_rule_set(const char *name, struct rules *out, struct err *e) {
    if (tbs_read_rules(name, e) == NULL)
        return false;
    snprintf(out->rule_set, sizeof out->rule_set, "%s", name);
    return true;
}

static bool set_clock(const char *text, struct rules *out, struct err *e) {
    return timing_read(text, &out->timing, e);
}

static void set_numbers(const struct rules_wish *wish, struct rules *out) {
    const int numbers[] = {wish->games, wish->rounds,           wish->challengers,
                           wish->final, wish->maps_per_pairing, wish->disqualify_after};
    int *const targets[] = {&out->games,         &out->rounds,           &out->challengers,
                            &out->final_players, &out->maps_per_pairing, &out->disqualify_after};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (numbers[i] > 0)
            *targets[i] = numbers[i];
    out->not_own_maps = out->not_own_maps || wish->not_own_maps;
}

bool rules_change(struct rules *rules, const struct rules_wish *wish, const char **field, struct err *e) {
    const struct word {
        const char *name, *text;
        bool (*set)(const char *text, struct rules *out, struct err *e);
    } words[] = {
        {"format", wish->format, set_format}, {"points", wish->points, set_points},
        {"title", wish->title, set_title},    {"game", wish->game, set_game},
        {"rules", wish->rules, set_rule_set}, {"clock", wish->clock, set_clock},
    };
    set_numbers(wish, rules);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        *field = words[i].name;
        if (words[i].text != NULL && !words[i].set(words[i].text, rules, e))
            return false;
    }
    *field = NULL;
    return true;
}

/* ---- what is played ---- */

static struct event_map *grow_maps(struct event *event, struct err *e) {
    if (event->map_count == EVENT_MAPS_MAX) {
        err_set(e, "more than %d maps", EVENT_MAPS_MAX);
        return NULL;
    }
    struct event_map *grown = mem_resize(event->maps, (size_t)(event->map_count + 1) * sizeof event->maps[0]);
    if (grown == NULL) {
        err_set(e, "not enough memory for the maps");
        return NULL;
    }
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
            return err_set(e, "%s: a map of that name is there already", source->name);
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
    if (event->player_count < 2)
        return err_set(e, "a tournament needs two players or more; given: %d", event->player_count);
    if (event->rules.format == RULES_GAUNTLET && event->rules.challengers >= event->player_count)
        return err_set(e, "with %d challengers of %d players nobody is left to meet them",
                       event->rules.challengers, event->player_count);
    return true;
}
