/* SPDX-License-Identifier: MIT
 *
 * From the command line to an event, and into a store.
 */
#include "cli/tournament.h"

#include "base/charset.h"
#include "base/file.h"
#include "base/mem.h"
#include "game/tbs/tbs.h"
#include "store/store.h"
#include "tournament/entrants.h"
#include "tournament/verify.h"

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

static bool set_format(const char *name, struct rules *out, struct err *e) {
    for (int i = 0; name != NULL && i < RULES_FORMATS; i++)
        if (strcmp(rules_format_names[i], name) == 0) {
            out->format = (enum rules_format)i;
            return true;
        }
    return name == NULL ||
           err_set(e, "--format %s: expected round-robin, gauntlet, swiss or knock-out", name);
}

static bool set_points(const char *text, struct rules *out, struct err *e) {
    char copy[64], *pieces[3];
    double *const targets[3] = {&out->win, &out->draw, &out->loss};
    if (text == NULL)
        return true;
    snprintf(copy, sizeof copy, "%s", text);
    bool ok = strlen(text) < sizeof copy && text_split(copy, ',', pieces, 3) == 3;
    for (int i = 0; ok && i < 3; i++)
        ok = text_to_real(pieces[i], targets[i]);
    return ok || err_set(e, "--points %s: expected points for a win, a draw and a loss: 1,0.5,0", text);
}

static void set_numbers(const struct tournament_options *o, struct rules *out) {
    if (o->games > 0)
        out->games = o->games;
    if (o->rounds > 0)
        out->rounds = o->rounds;
    if (o->challengers > 0)
        out->challengers = o->challengers;
    if (o->final > 0)
        out->final_players = o->final;
    if (o->maps_per_pairing > 0)
        out->maps_per_pairing = o->maps_per_pairing;
    if (o->disqualify_after > 0)
        out->disqualify_after = o->disqualify_after;
    out->not_own_maps = out->not_own_maps || o->not_own_maps;
}

/* What the options change in the rules they are given with. */
static bool change_rules(const struct tournament_options *o, struct rules *out, struct err *e) {
    if (!set_format(o->format, out, e) || !set_points(o->points, out, e))
        return false;
    set_numbers(o, out);
    if (o->title != NULL && strlen(o->title) >= sizeof out->title)
        return err_set(e, "--title: %zu bytes; expected %zu at most", strlen(o->title),
                       sizeof out->title - 1);
    if (o->title != NULL)
        charset_copy(out->title, sizeof out->title, o->title, strlen(o->title));
    if (o->game != NULL) {
        const struct cli_source source = {.game = o->game, .rules = o->rules};
        if (!cli_check_source(&source, e))
            return false;
        if (strlen(o->game) >= sizeof out->game)
            return err_set(e, "--game: %zu bytes; expected %zu at most", strlen(o->game),
                           sizeof out->game - 1);
        snprintf(out->game, sizeof out->game, "%s", o->game);
    }
    if (o->rules != NULL) {
        if (!cli_check_rules(o->rules, e))
            return false;
        snprintf(out->rule_set, sizeof out->rule_set, "%s", o->rules);
    }
    return o->clock == NULL || timing_read(o->clock, &out->timing, e) || err_prefix(e, "--");
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
    if (event->map_count == EVENT_MAPS_MAX)
        return err_set(e, "more than %d maps", EVENT_MAPS_MAX);
    void *grown = mem_resize(event->maps, (size_t)(event->map_count + 1) * sizeof event->maps[0]);
    if (grown == NULL)
        return err_set(e, "not enough memory for the maps");
    event->maps = grown;
    struct event_map *m = &event->maps[event->map_count];
    memset(m, 0, sizeof *m);
    const char *set = event->rules.rule_set;
    m->scenario = cli_load_map(path, set[0] != '\0' ? set : NULL, e);
    if (m->scenario == NULL)
        return false;
    event->map_count++;
    name_map(path, m->name, sizeof m->name);
    const char *author = tbs_scenario_map(m->scenario)->author;
    charset_copy(m->author, sizeof m->author, author, strlen(author));
    for (int i = 0; i + 1 < event->map_count; i++)
        if (strcmp(event->maps[i].name, m->name) == 0)
            return err_set(e, "%s: a map of that name is there already", path);
    return true;
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

/* A game without maps takes the place of the only one. */
static bool add_game(struct event *event, struct err *e) {
    event->maps = mem_alloc(sizeof event->maps[0]);
    if (event->maps == NULL)
        return err_set(e, "not enough memory for the event");
    memset(event->maps, 0, sizeof event->maps[0]);
    struct event_map *m = &event->maps[0];
    m->scenario = event_load(&event->rules, NULL, e);
    if (m->scenario == NULL)
        return false;
    event->map_count = 1;
    charset_copy(m->name, sizeof m->name, event->rules.game, strlen(event->rules.game));
    return true;
}

static bool add_what_is_played(const struct tournament_options *o, struct event *event, struct err *e) {
    const char *game = event->rules.game;
    if (!event_takes_maps(&event->rules))
        return o->maps == NULL ? add_game(event, e) : err_set(e, "--maps: %s is played without maps", game);
    if (strchr(game, ':') != NULL)
        return err_set(e, "game %s: the tactical game's rule set is said apart, by --rules or \"rule_set\"",
                       game);
    return add_maps(o->maps != NULL ? o->maps : "standard", event, e);
}

bool tournament_make_event(const struct tournament_options *o, struct event *out, struct err *e) {
    *out = (struct event){.owns_scenarios = true};
    if (!read_seed(o, &out->seed, e) || !tournament_make_rules(o, &out->rules, e) || !add_players(o, out, e))
        return false;
    if (out->player_count < 2)
        return err_set(e, "a tournament needs two players or more; given: %d", out->player_count);
    if (out->rules.format == RULES_GAUNTLET && out->rules.challengers >= out->player_count)
        return err_set(e, "with %d challengers of %d players nobody is left to meet them",
                       out->rules.challengers, out->player_count);
    return add_what_is_played(o, out, e);
}

/* ---- the store ---- */

static bool note_game(void *context, const struct store_game *game, struct err *e) {
    (void)game;
    *(bool *)context = true;
    return err_set(e, "one is enough");
}

static bool has_games(struct store *store) {
    bool found = false;
    struct err unheard;
    const struct store_visit visit = {.game = note_game, .context = &found};
    return !store_visit_games(store, &visit, &unheard) || found;
}

/* A store without games is not bound to the event in it: that may have been refused before its first game.
 * `kept` is NULL in a new store. */
static bool keep_event(struct store *store, const char *path, const struct event *event, const char *kept,
                       struct err *e) {
    struct text given = {0};
    bool ok = event_write(event, &given, e);
    if (ok && kept == NULL && has_games(store))
        ok = err_set(e, "%s holds the games of something else; choose another file", path);
    const bool same = ok && kept != NULL && event_compare(kept, text_string(&given), e);
    if (ok && kept != NULL && !same && has_games(store))
        ok = err_prefix(e, "%s was begun with other arguments: ", path);
    else if (ok && !same)
        ok = store_put(store, STORE_EVENT, text_string(&given), e);
    text_done(&given);
    return ok;
}

struct store *tournament_open_store(const char *path, struct event *event, struct err *e) {
    struct store *store = store_open(path, STORE_WRITE, e);
    if (store == NULL)
        return NULL;
    struct text kept = {0};
    bool found = false, ok = store_get(store, STORE_EVENT, &kept, &found, e);
    if (ok && event->player_count == 0)
        ok = found ? event_read(path, text_string(&kept), kept.size, event, e)
                   : err_set(e, "%s: has no event in it yet; --players and --maps make one", path);
    else if (ok)
        ok = keep_event(store, path, event, found ? text_string(&kept) : NULL, e);
    text_done(&kept);
    if (!ok)
        store_close(store);
    return ok ? store : NULL;
}
