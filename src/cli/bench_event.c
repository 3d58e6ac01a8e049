/* SPDX-License-Identifier: MIT
 *
 * What an event costs beside thinking: referee, records, store. And whether two workers are twice one.
 */
#include "cli/bench.h"

#include "cli/cli.h"
#include "store/store.h"
#include "tournament/entrants.h"
#include "tournament/run.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A run that is told to be short plays fewer games. */
enum { GAMES = 1000, GAMES_SHORT = 40, WORKERS_MAX = 2, REPEATS = 3 };

#define SHORT_SECONDS 0.2

static const char *const event_players[] = {"acteval,random", "uct:sims=60,acteval"};

struct event_figures {
    double games_per_second;
    double overhead_us; /* an action: all but the players' own time; of one worker */
};

static bool run_once(const struct event *event, const char *path, int workers, struct event_figures *out,
                     struct err *e) {
    struct store *store = store_open(path, STORE_WRITE, e);
    if (store == NULL)
        return false;
    struct games games;
    bool complete;
    const struct tournament_run run = {.event = event,
                                       .store = store,
                                       .workers = workers,
                                       .clock = cli_clock(),
                                       .stop = &cli_stop,
                                       .date = cli_date};
    games_init(&games);
    const int64_t begin = clock_now_ns(cli_clock());
    const bool ok = tournament_play(&run, &games, &complete, e);
    store_close(store);
    const double seconds = clock_seconds_since(cli_clock(), begin);
    double thinking = 0, actions = 0;
    for (int i = 0; ok && i < games.count; i++) {
        thinking += (double)(games.outcomes[i].think_ns[0] + games.outcomes[i].think_ns[1]) * 1e-9;
        actions += games.outcomes[i].actions;
    }
    *out = (struct event_figures){games.count / seconds, (seconds - thinking) * 1e6 / actions};
    games_done(&games);
    return ok;
}

/* The best of a few: other load disturbs that least. */
static bool measure(const struct event *event, const char *folder, int workers, struct event_figures *best,
                    struct err *e) {
    char path[4200];
    bool ok = true;
    *best = (struct event_figures){0};
    for (int i = 0; ok && i < REPEATS && !atomic_load(&cli_stop); i++) {
        struct event_figures f;
        snprintf(path, sizeof path, "%s/event-%d-%d.db", folder, workers, i);
        ok = run_once(event, path, workers, &f, e);
        unlink(path);
        if (ok && f.games_per_second > best->games_per_second)
            *best = f;
    }
    return ok;
}

static void print_figures(const struct event *event, const char *players, const struct event_figures *f,
                          json_t *json) {
    const double ratio = f[0].games_per_second > 0 ? f[1].games_per_second / f[0].games_per_second : 0;
    if (json != NULL)
        json_array_append_new(json,
                              json_pack("{ss ss si sf sf sf}", "players", players, "map", "standard", "games",
                                        event->rules.games, "games_per_second", f[0].games_per_second,
                                        "overhead_us_per_action", f[0].overhead_us, "two_workers", ratio));
    else
        printf("  %-36s %10.0f games/s  %.1f us an action beside thinking, two workers %.2f times one\n",
               players, f[0].games_per_second, f[0].overhead_us, ratio);
}

struct place {
    struct event_map map;
    char folder[4096]; /* for stores */
    int games;
};

static bool bench_players(const char *players, struct place *place, json_t *json, struct err *e) {
    struct event event = {.maps = &place->map, .map_count = 1, .seed = 1};
    struct event_figures figures[WORKERS_MAX];
    rules_default(&event.rules);
    event.rules.games = place->games;
    bool ok = entrants_parse(players, &event, e);
    for (int workers = 1; ok && workers <= WORKERS_MAX; workers++)
        ok = measure(&event, place->folder, workers, &figures[workers - 1], e);
    if (ok && !atomic_load(&cli_stop))
        print_figures(&event, players, figures, json);
    event.maps = NULL; /* the caller's */
    event_done(&event);
    return ok;
}

bool bench_events(double seconds, json_t *json, struct err *e) {
    const char *parent = getenv("TMPDIR");
    struct place place = {.map = {.name = "standard"},
                          .games = seconds < SHORT_SECONDS ? GAMES_SHORT : GAMES};
    snprintf(place.folder, sizeof place.folder, "%s/senjutsu-bench-XXXXXX", parent != NULL ? parent : "/tmp");
    if (mkdtemp(place.folder) == NULL)
        return err_set(e, "%s: cannot be made", place.folder);
    place.map.scenario = cli_load_map("standard", NULL, e);
    bool ok = place.map.scenario != NULL;
    if (ok && json == NULL)
        printf("events of %d games, standard, every game stored\n", place.games);
    for (size_t i = 0; ok && i < sizeof event_players / sizeof event_players[0] && !atomic_load(&cli_stop);
         i++) {
        ok = bench_players(event_players[i], &place, json, e);
        fflush(stdout);
    }
    if (place.map.scenario != NULL)
        place.map.scenario->game->unload(place.map.scenario);
    rmdir(place.folder);
    return ok;
}
