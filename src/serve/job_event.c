/* SPDX-License-Identifier: MIT
 *
 * From the params of a match or tournament to an event.
 */
#include "serve/job_event.h"

#include "base/charset.h"
#include "game/tbs/map.h"
#include "serve/ground.h"
#include "serve/job_params.h"
#include "tournament/entrants.h"
#include "tournament/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MATCH_GAMES_USUAL = 100 };

static bool refuse(struct message_out *out, const char *field, const struct err *e) {
    message_fail(out, 400, field, "%s", e->text);
    return false;
}

/* ---- rules ---- */

static bool read_texts(const json_t *params, struct rules_wish *wish, const char **preset,
                       struct message_out *out) {
    return ground_text(params, "format", NULL, &wish->format, out) &&
           ground_text(params, "title", NULL, &wish->title, out) &&
           ground_text(params, "game", NULL, &wish->game, out) &&
           ground_text(params, "rules", NULL, &wish->rules, out) &&
           ground_text(params, "clock", NULL, &wish->clock, out) &&
           ground_text(params, "preset", NULL, preset, out);
}

static bool read_numbers(const json_t *params, struct rules_wish *wish, uint64_t *seed,
                         struct message_out *out) {
    long games, rounds;
    if (!ground_int(params, "games", (struct ground_range){1, RULES_GAMES_MAX, 0}, &games, out) ||
        !ground_int(params, "rounds", (struct ground_range){1, 1000, 0}, &rounds, out) ||
        !ground_seed(params, "seed", JOB_SEED_USUAL, seed, out))
        return false;
    wish->games = (int)games;
    wish->rounds = (int)rounds;
    return true;
}

static bool make_rules(const json_t *params, struct event *event, struct message_out *out) {
    struct rules_wish wish = {0};
    struct err e;
    const char *preset, *field = NULL;
    if (!read_texts(params, &wish, &preset, out) || !read_numbers(params, &wish, &event->seed, out))
        return false;
    if (preset == NULL)
        rules_default(&event->rules);
    else if (!rules_preset(preset, &event->rules, &e))
        return refuse(out, "preset", &e);
    if (wish.clock != NULL && wish.clock[0] == '\0') /* no limits */
        wish.clock = NULL;
    if (!rules_change(&event->rules, &wish, &field, &e))
        return refuse(out, field, &e);
    return rules_check(&event->rules, &e) || refuse(out, NULL, &e);
}

/* ---- players ---- */

/* A spec, or an object with one. */
static bool check_entry(struct workbench *bench, const json_t *entry, json_t *list, struct message_out *out) {
    static const char *const known[] = {"spec", "name", "author", NULL};
    struct err e;
    const json_t *given = json_is_object(entry) ? json_object_get(entry, "spec") : entry;
    if (json_is_object(entry) && !serve_knows(entry, known, out))
        return false;
    if (!json_is_string(given)) {
        message_fail(out, 400, "players", "a player is its spec as text, or an object with a \"spec\"");
        return false;
    }
    if (!ground_check_player(bench, json_string_value(given), NULL, &e))
        return refuse(out, "players", &e);
    json_t *copy =
        json_is_object(entry) ? json_deep_copy(entry) : json_pack("{ss}", "spec", json_string_value(given));
    if (json_array_append_new(list, copy) == 0)
        return true;
    message_fail(out, 500, NULL, "not enough memory for the players");
    return false;
}

/* Through the reader of entries that files have, so that the same is right and wrong. */
static bool add_players(struct workbench *bench, const json_t *params, struct event *event,
                        struct message_out *out) {
    const json_t *players = json_object_get(params, "players");
    struct err e;
    if (!json_is_array(players) || json_array_size(players) > JOB_PLAYERS_MAX) {
        message_fail(out, 400, "players", "\"players\": expected a list of 2 to %d players", JOB_PLAYERS_MAX);
        return false;
    }
    json_t *list = json_array();
    bool ok = true;
    for (size_t i = 0; ok && i < json_array_size(players); i++)
        ok = check_entry(bench, json_array_get(players, i), list, out);
    char *text = ok ? json_dumps(list, JSON_COMPACT) : NULL;
    if (ok)
        ok = text != NULL && json_array_size(list) > 0
                 ? entrants_read("players", text, strlen(text), event, &e) || refuse(out, "players", &e)
                 : true;
    free(text);
    json_decref(list);
    return ok && (event_check_players(event, &e) || refuse(out, "players", &e));
}

/* ---- maps ---- */

static bool add_map(struct workbench *bench, const char *name, struct event *event, struct message_out *out) {
    struct text text = {0};
    struct err e;
    bool ok = ground_read_map(bench, name, &text, out);
    if (ok) {
        const struct game_source source = {.name = name, .text = text_string(&text), .size = text.size};
        ok = event_add_map(event, name, &source, &e) || refuse(out, "maps", &e);
    }
    text_done(&text);
    return ok;
}

static bool add_maps(struct workbench *bench, const json_t *params, struct event *event,
                     struct message_out *out) {
    const json_t *names;
    struct err e;
    if (!job_texts(params, "maps", JOB_MAPS_MAX, &names, out))
        return false;
    if (!event_takes_maps(&event->rules)) {
        if (names == NULL)
            return event_add_game(event, &e) || refuse(out, "game", &e);
        message_fail(out, 400, "maps", "%s is played without maps", event->rules.game);
        return false;
    }
    bool ok = names != NULL || add_map(bench, "standard", event, out);
    for (size_t i = 0; ok && i < json_array_size(names); i++)
        ok = add_map(bench, json_string_value(json_array_get(names, i)), event, out);
    return ok;
}

bool job_event_make(struct workbench *bench, const json_t *params, struct event *event,
                    struct message_out *failure) {
    *event = (struct event){.owns_scenarios = true};
    return make_rules(params, event, failure) && add_players(bench, params, event, failure) &&
           add_maps(bench, params, event, failure);
}

/* ---- the draft ---- */

/* Pairings of the main stage, or more. */
static double meetings(const struct event *event) {
    const double players = event->player_count;
    if (event->rules.format != RULES_SWISS)
        return players * (players - 1) / 2;
    return players / 2 * (event->rules.rounds > 0 ? event->rules.rounds : 8);
}

static bool check_amount(const struct event *event, struct message_out *out) {
    const struct rules *rules = &event->rules;
    const int maps = rules->maps_per_pairing > 0 && rules->maps_per_pairing < event->map_count
                         ? rules->maps_per_pairing
                         : event->map_count;
    const double games = meetings(event) * maps * rules->games;
    if (games <= JOB_GAMES_MAX)
        return true;
    message_fail(out, 400, "games", "about %.0f games; expected %d at most", games, JOB_GAMES_MAX);
    return false;
}

/* Opening players says whether they can play this; no program is started by that. */
static bool check_players(const struct workbench *bench, const struct event *event, struct message_out *out) {
    struct err e;
    return tournament_check(event, ground_grant(bench), &e) || refuse(out, "players", &e);
}

bool job_event_draft(const struct workbench *bench, const struct event *event, struct job_draft *out,
                     struct message_out *failure) {
    struct text text = {0};
    struct err e;
    struct games none;
    if (!check_amount(event, failure) || !check_players(bench, event, failure))
        return false;
    games_init(&none);
    out->total = event_games_expected(event, &none);
    const bool ok = event_write(event, &text, &e);
    out->work = ok ? json_pack("{ss}", "event", text_string(&text)) : NULL;
    text_done(&text);
    if (out->work == NULL)
        message_fail(failure, 500, NULL, "not enough memory for the event");
    return out->work != NULL;
}

/* ---- kinds ---- */

static void list_players(const struct event *event, const char *between, char out[JOB_TITLE_MAX]) {
    struct text text = {0};
    for (int i = 0; i < event->player_count; i++)
        text_add(&text, "%s%s", i > 0 ? between : "", event->players[i].name);
    charset_copy(out, JOB_TITLE_MAX, text_string(&text), text.size);
    text_done(&text);
}

static void set_title(const struct event *event, const char *between, struct job_draft *out) {
    if (event->rules.title[0] != '\0')
        snprintf(out->title, sizeof out->title, "%s", event->rules.title);
    else
        list_players(event, between, out->title);
}

static bool draft_tournament(struct workbench *bench, const json_t *params, struct job_draft *out,
                             struct message_out *failure) {
    static const char *const known[] = {"players", "game", "maps",  "format", "games", "rounds",
                                        "preset",  "seed", "clock", "rules",  "title", NULL};
    struct event event = {0};
    const bool ok = serve_knows(params, known, failure) && job_event_make(bench, params, &event, failure) &&
                    job_event_draft(bench, &event, out, failure);
    if (ok)
        set_title(&event, ", ", out);
    event_done(&event);
    return ok;
}

/* "games" are those of the whole match: each map gets as many, the last ones too. */
static bool draft_match(struct workbench *bench, const json_t *params, struct job_draft *out,
                        struct message_out *failure) {
    static const char *const known[] = {"players", "game",  "maps",  "games", "seed",
                                        "clock",   "rules", "title", NULL};
    struct event event = {0};
    bool ok = serve_knows(params, known, failure) && job_event_make(bench, params, &event, failure);
    if (ok && event.player_count != 2) {
        message_fail(failure, 400, "players", "a match has two players; given: %d", event.player_count);
        ok = false;
    }
    if (ok) {
        const bool given = json_is_integer(json_object_get(params, "games"));
        const int games = given ? event.rules.games : MATCH_GAMES_USUAL;
        event.rules.games = (games + event.map_count - 1) / event.map_count;
    }
    ok = ok && job_event_draft(bench, &event, out, failure);
    if (ok)
        set_title(&event, " – ", out);
    event_done(&event);
    return ok;
}

const struct job_kind job_match = {
    .name = "match", .unit = "games", .has_games = true, .draft = draft_match, .run = job_event_run};
const struct job_kind job_tournament = {.name = "tournament",
                                        .unit = "games",
                                        .has_games = true,
                                        .draft = draft_tournament,
                                        .run = job_event_run};
