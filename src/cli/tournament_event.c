/* SPDX-License-Identifier: MIT
 *
 * From the command line to an event.
 */
#include "cli/tournament.h"

#include "base/charset.h"
#include "base/file.h"
#include "game/tbs/map.h"
#include "tournament/entrants.h"
#include "tournament/make.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { ENTRIES_TEXT_MAX = 4 << 20 };

/* ---- rules ---- */

static bool read_base(const struct tournament_options *o, struct rules *out, struct err *e) {
    if (o->preset != NULL)
        return rules_preset(o->preset, out, e);
    if (o->rules_file == NULL) {
        rules_default(out);
        return true;
    }
    struct text text = {0};
    const bool ok = file_read(o->rules_file, RULES_TEXT_MAX, &text, e) &&
                    rules_read(o->rules_file, text_string(&text), text.size, out, e);
    text_done(&text);
    return ok;
}

/* What the options change in the rules they are given with. */
static bool change_rules(const struct tournament_options *o, struct rules *out, struct err *e) {
    const struct cli_source source = {.game = o->game, .rules = o->rules};
    const struct rules_wish wish = {
        .format = o->format,
        .points = o->points,
        .title = o->title,
        .game = o->game,
        .rules = o->rules,
        .clock = o->clock,
        .games = o->games,
        .rounds = o->rounds,
        .challengers = o->challengers,
        .final = o->final,
        .maps_per_pairing = o->maps_per_pairing,
        .disqualify_after = o->disqualify_after,
        .not_own_maps = o->not_own_maps,
    };
    const char *option;
    return cli_check_source(&source, e) && (rules_change(out, &wish, &option, e) || err_prefix(e, "--"));
}

bool tournament_make_rules(const struct tournament_options *o, struct rules *out, struct err *e) {
    return read_base(o, out, e) && change_rules(o, out, e) && rules_check(out, e);
}

static bool read_seed(const struct tournament_options *o, uint64_t *out, struct err *e) {
    unsigned long long seed = 1;
    if (o->seed != NULL && !text_to_u64(o->seed, &seed))
        return err_set(e, "--seed %s: expected a whole number, 0 or more", o->seed);
    *out = seed;
    return true;
}

/* Whatever can be told without looking at a file. */
bool tournament_check_options(const struct tournament_options *o, struct err *e) {
    struct rules rules;
    struct event event = {0};
    rules_default(&rules);
    if (o->preset != NULL && o->rules_file != NULL)
        return err_set(e, "--preset and --rules-file: give one; a rules file can name a \"preset\" itself");
    bool ok = o->rules_file == NULL ? tournament_make_rules(o, &rules, e) : change_rules(o, &rules, e);
    ok = ok && read_seed(o, &event.seed, e);
    ok = ok && (o->players == NULL || entrants_parse(o->players, &event, e));
    event_done(&event);
    return ok;
}

const char *tournament_event_option(const struct tournament_options *o) {
    const struct {
        const char *name;
        bool given;
    } options[] = {
        {"players", o->players != NULL},
        {"entries", o->entries != NULL},
        {"maps", o->maps != NULL},
        {"game", o->game != NULL},
        {"preset", o->preset != NULL},
        {"rules-file", o->rules_file != NULL},
        {"format", o->format != NULL},
        {"clock", o->clock != NULL},
        {"rules", o->rules != NULL},
        {"title", o->title != NULL},
        {"points", o->points != NULL},
        {"seed", o->seed != NULL},
        {"games", o->games > 0},
        {"rounds", o->rounds > 0},
        {"challengers", o->challengers > 0},
        {"final", o->final > 0},
        {"maps-per-pairing", o->maps_per_pairing > 0},
        {"disqualify-after", o->disqualify_after > 0},
        {"not-own-maps", o->not_own_maps},
    };
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        if (options[i].given)
            return options[i].name;
    return NULL;
}

/* ---- maps ---- */

/* The map's name in tables: the file's name without folder and ending. */
static void name_map(const char *path, char *out, size_t out_size) {
    const char *slash = strrchr(path, '/'), *base = slash != NULL ? slash + 1 : path;
    const size_t size = strlen(base), ending = strlen(".tbsmap");
    const bool cut = size > ending && strcmp(base + size - ending, ".tbsmap") == 0;
    charset_copy(out, out_size, base, cut ? size - ending : size);
}

static bool add_map(const char *path, struct event *event, struct err *e) {
    char found[4096], name[EVENT_NAME_MAX];
    struct text text = {0};
    cli_find_map(path, found, sizeof found); /* when nothing is found, opening the name as given says why */
    name_map(path, name, sizeof name);
    bool ok = file_read(found, TBS_MAP_TEXT_MAX, &text, e);
    if (ok) {
        const struct game_source source = {.name = found, .text = text_string(&text), .size = text.size};
        ok = event_add_map(event, name, &source, e);
    }
    text_done(&text);
    return ok;
}

static int is_map_file(const struct dirent *entry) {
    const size_t size = strlen(entry->d_name), ending = strlen(".tbsmap");
    return size > ending && strcmp(entry->d_name + size - ending, ".tbsmap") == 0;
}

/* All maps of a folder, by name. */
static bool add_folder(const char *path, struct event *event, struct err *e) {
    struct dirent **files;
    const int count = scandir(path, &files, is_map_file, alphasort);
    if (count < 0)
        return err_set(e, "%s: cannot be read", path);
    bool ok = count > 0 || err_set(e, "%s: there is no .tbsmap in this folder", path);
    for (int i = 0; i < count; i++) {
        char file[4096];
        const int n = snprintf(file, sizeof file, "%s/%s", path, files[i]->d_name);
        if (ok)
            ok = ((size_t)n < sizeof file || err_set(e, "%s: the name is too long", path)) &&
                 add_map(file, event, e);
        free(files[i]);
    }
    free(files);
    return ok;
}

static bool add_maps(const char *list, struct event *event, struct err *e) {
    struct text copy = {0};
    text_add_string(&copy, list);
    bool ok = !copy.failed || err_set(e, "not enough memory for the maps");
    for (char *at = copy.data, *next; ok && at != NULL; at = next) {
        struct stat info;
        next = strchr(at, ',');
        if (next != NULL)
            *next++ = '\0';
        const char *path = text_trim(at);
        if (*path == '\0')
            ok = err_set(e, "--maps has an empty name in it");
        else
            ok = stat(path, &info) == 0 && S_ISDIR(info.st_mode) ? add_folder(path, event, e)
                                                                 : add_map(path, event, e);
    }
    text_done(&copy);
    return ok;
}

/* ---- the event ---- */

static bool add_players(const struct tournament_options *o, struct event *event, struct err *e) {
    if (o->players != NULL && !entrants_parse(o->players, event, e))
        return false;
    if (o->entries == NULL)
        return true;
    struct text text = {0};
    const bool ok = file_read(o->entries, ENTRIES_TEXT_MAX, &text, e) &&
                    entrants_read(o->entries, text_string(&text), text.size, event, e);
    text_done(&text);
    return ok;
}

void tournament_grant_typed(const struct tournament_options *o) {
    struct event typed = {0};
    if (o->players != NULL)
        entrants_parse(o->players, &typed, NULL);
    for (int i = 0; i < typed.player_count; i++)
        cli_typed_player(typed.players[i].spec);
    event_done(&typed);
}

static bool add_what_is_played(const struct tournament_options *o, struct event *event, struct err *e) {
    const char *game = event->rules.game;
    if (!event_takes_maps(&event->rules))
        return o->maps == NULL ? event_add_game(event, e)
                               : err_set(e, "--maps: %s is played without maps", game);
    if (strchr(game, ':') != NULL)
        return err_set(e, "game %s: the tactical game's rule set is said apart, by --rules or \"rule_set\"",
                       game);
    return add_maps(o->maps != NULL ? o->maps : "standard", event, e);
}

bool tournament_make_event(const struct tournament_options *o, struct event *out, struct err *e) {
    *out = (struct event){.owns_scenarios = true};
    if (!read_seed(o, &out->seed, e) || !tournament_make_rules(o, &out->rules, e) || !add_players(o, out, e))
        return false;
    return event_check_players(out, e) && add_what_is_played(o, out, e);
}
