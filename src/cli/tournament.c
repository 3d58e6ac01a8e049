/* SPDX-License-Identifier: MIT
 *
 * `senjutsu tournament`: an event from its rules to its result pages, on threads or on the ranks of a
 * cluster.
 */
#include "cli/tournament.h"

#include "base/mem.h"
#include "pool/cluster.h"
#include "store/store.h"
#include "tournament/keep.h"
#include "tournament/run.h"
#include "tournament/seats.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct tournament {
    const struct cli_command *command;
    struct tournament_options options;
    struct event event;
    struct store *store;
    struct cluster *cluster;
    bool shows; /* what the store has, and plays nothing */
};

static bool is_leader(const struct tournament *t) {
    return t->cluster == NULL || cluster_rank(t->cluster) == 0;
}

/* ---- a cluster ---- */

/* Rank 0 made the event (or failed: then it shares nothing); the others take it over. */
static bool share_event(struct tournament *t, bool made, struct err *e) {
    struct text text = {0};
    struct err unheard;
    if (t->cluster == NULL)
        return made;
    bool ok = !is_leader(t) || (made && event_write(&t->event, &text, e));
    if (!ok)
        text_clear(&text);
    const bool shared = cluster_share(t->cluster, &text, ok ? e : &unheard);
    ok = ok && shared;
    if (ok && !is_leader(t))
        ok = text.size > 0 ? event_read("rank 0's event", text_string(&text), text.size, &t->event, e)
                           : err_set(e, "rank 0 has no event");
    for (int i = 0; ok && !is_leader(t) && i < t->event.player_count; i++)
        cli_typed_player(t->event.players[i].spec); /* rank 0 has looked at them */
    text_done(&text);
    return ok;
}

/* ---- the event ---- */

static bool has_players(const struct tournament *t) {
    return t->options.players != NULL || t->options.entries != NULL;
}

/* Players from a file, be it the store or the list of entries: what they do was perhaps not typed. */
static bool allow_players(const struct tournament *t) {
    const char *specs[EVENT_PLAYERS_MAX];
    const char *file = !has_players(t)              ? t->options.store
                       : t->options.entries != NULL ? t->options.entries
                                                    : "--players";
    for (int i = 0; i < t->event.player_count; i++)
        specs[i] = t->event.players[i].spec;
    tournament_grant_typed(&t->options);
    return cli_allow(t->command, &(struct cli_named){.file = file,
                                                     .count = t->event.player_count,
                                                     .specs = specs,
                                                     .programs = t->options.programs});
}

/* An event that the command line does not describe may be anybody's. */
static bool open_store(struct tournament *t, struct err *e) {
    const char *path = t->options.store;
    if (path == NULL)
        return true;
    t->store =
        t->shows ? tournament_read_store(path, &t->event, e) : tournament_open_store(path, &t->event, e);
    return t->store != NULL;
}

/* A failure that was told already leaves `e` empty. */
static bool make_event(struct tournament *t, struct err *e) {
    const struct tournament_options *o = &t->options;
    t->shows = !has_players(t) && !o->go_on;
    if (has_players(t) && (!tournament_make_event(o, &t->event, e) || !allow_players(t)))
        return false;
    if (!open_store(t, e) || (!has_players(t) && !t->shows && !allow_players(t)))
        return false;
    return (t->shows || tournament_check(&t->event, cli_grant(), e)) && tournament_view_prepare(o, e);
}

static int check_usage(const struct tournament *t) {
    const struct tournament_options *o = &t->options;
    const char *about_event = tournament_event_option(o);
    struct err e;
    if (!tournament_check_options(o, &e))
        return cli_fail(t->command, CLI_USAGE, "%s", e.text);
    if (o->go_on && (has_players(t) || o->store == NULL))
        return cli_fail(
            t->command, CLI_USAGE,
            "--continue belongs to --store alone; where players are given, the event goes on anyway");
    if (has_players(t))
        return CLI_OK;
    if (o->programs && !o->go_on)
        return cli_fail(t->command, CLI_USAGE,
                        "--programs is given, but nothing is played without --continue");
    if (about_event != NULL)
        return cli_fail(t->command, CLI_USAGE, "--%s is given, but no players: --players or --entries",
                        about_event);
    if (o->store == NULL)
        return cli_fail(t->command, CLI_USAGE,
                        "who plays? --players A,B,… or --entries FILE, or --store FILE to look at an event");
    return access(o->store, F_OK) == 0
               ? CLI_OK
               : cli_fail(t->command, CLI_FAILED, "%s: there is no such store", o->store);
}

/* Rank 0 looks at everything and is the one to complain; the others may be on machines without the files. */
static int prepare(struct tournament *t) {
    struct err e = {{0}};
    const int usage = is_leader(t) ? check_usage(t) : CLI_OK;
    const bool made = usage == CLI_OK && is_leader(t) && make_event(t, &e);
    const bool shared = share_event(t, made, &e);
    if (usage != CLI_OK || shared)
        return usage;
    return is_leader(t) && e.text[0] != '\0' ? cli_fail(t->command, CLI_FAILED, "%s", e.text) : CLI_FAILED;
}

/* ---- running ---- */

static int conclude(struct tournament *t, struct tournament_view *view, const struct games *games,
                    bool complete) {
    struct err e;
    if (complete && !t->shows && !tournament_keep_standings(t->store, &t->event, games, &e))
        return cli_fail(t->command, CLI_FAILED, "%s", e.text);
    if (!tournament_view_finish(view, games, complete, t->store))
        return CLI_FAILED;
    if (!complete && t->shows)
        fprintf(stderr, "senjutsu tournament: the event is not over; --continue plays on\n");
    else if (!complete)
        fprintf(stderr, "senjutsu tournament: stopped after %d games%s\n", view->played,
                t->store != NULL ? "; the same command goes on" : "");
    return (complete || t->shows) && cli_finish_output(t->command) ? CLI_OK : CLI_FAILED;
}

/* What a game leaves open is used by the next one. */
static bool limit_jobs(const struct tournament *t, int *out, struct err *e) {
    const struct event *event = &t->event;
    const char **specs = mem_alloc((size_t)event->player_count * sizeof *specs);
    if (specs == NULL)
        return err_set(e, "not enough memory");
    for (int i = 0; i < event->player_count; i++)
        specs[i] = event->players[i].spec;
    struct cli_programs programs = {specs, event->player_count, 1, SEATS_OPEN_MAX};
    for (int i = 1; i < event->map_count; i++)
        if (event->maps[i].scenario->game != event->maps[0].scenario->game)
            programs.copies = 2;
    /* A rank plays one game at a time, whatever was asked for. */
    *out = t->cluster != NULL && cluster_size(t->cluster) > 1
               ? 1
               : cli_limit_jobs(t->command, t->options.jobs, &programs);
    mem_free(specs);
    return true;
}

static int play(struct tournament *t, struct tournament_view *view) {
    struct err e = {{0}};
    int workers = 1;
    if (!limit_jobs(t, &workers, &e))
        return cli_fail(t->command, CLI_FAILED, "%s", e.text);
    struct games games;
    bool complete;
    const struct tournament_run run = {
        .event = &t->event,
        .store = t->store,
        .cluster = t->cluster,
        .workers = workers,
        .clock = cli_clock(),
        .grant = cli_grant(),
        .recall_only = t->shows,
        .stop = &cli_stop,
        .date = cli_date,
        .on_game = is_leader(t) ? tournament_view_game : NULL,
        .context = view,
    };
    cli_catch_interrupt();
    games_init(&games);
    if (is_leader(t))
        tournament_view_begin(view, &games);
    int status = CLI_OK;
    const bool played = tournament_play(&run, &games, &complete, &e);
    if (!played)
        status = is_leader(t) ? cli_fail(t->command, CLI_FAILED, "%s", e.text) : CLI_FAILED;
    else if (is_leader(t))
        status = conclude(t, view, &games, complete);
    games_done(&games);
    return status;
}

static int run_tournament(struct tournament *t) {
    struct err e;
    struct tournament_view view = {.command = t->command,
                                   .options = &t->options,
                                   .event = &t->event,
                                   .through_mpirun = t->cluster != NULL};
    int status = prepare(t);
    if (status != CLI_OK)
        return status;
    for (int i = 0; is_leader(t) && !t->shows && i < t->event.player_count; i++)
        cli_warn_of_player(t->command, t->event.players[i].name, t->event.players[i].spec);
    if (!tournament_view_init(&view, &e))
        return cli_fail(t->command, CLI_FAILED, "%s", e.text);
    status = play(t, &view);
    tournament_view_done(&view);
    return status;
}

static int show_rules(struct tournament *t) {
    struct err e;
    struct rules rules;
    struct text text = {0};
    int status = CLI_OK;
    if (!tournament_check_options(&t->options, &e))
        return cli_fail(t->command, CLI_USAGE, "%s", e.text);
    if (!tournament_make_rules(&t->options, &rules, &e) || !rules_write(&rules, &text, &e))
        status = cli_fail(t->command, CLI_FAILED, "%s", e.text);
    else
        fputs(text_string(&text), stdout);
    text_done(&text);
    return status == CLI_OK && !cli_finish_output(t->command) ? CLI_FAILED : status;
}

static int run_checked(struct tournament *t) {
    struct err e;
    if (!cli_join_cluster(&t->cluster, &e))
        return cli_fail(t->command, CLI_FAILED, "%s", e.text);
    const int status = run_tournament(t);
    store_close(t->store);
    event_done(&t->event);
    cli_leave_cluster(t->command, t->cluster);
    return status;
}

int cli_tournament(const struct cli_command *self, int argc, char **argv) {
    struct tournament t = {.command = self};
    struct tournament_options *o = &t.options;
    const struct cli_option options[] = {
        {"players", CLI_TEXT, &o->players, "A,B,...",
         "who plays; ; stands for a comma in a player's options"},
        {"entries", CLI_TEXT, &o->entries, "FILE", "players with names and authors, as JSON"},
        {"maps", CLI_TEXT, &o->maps, "M,...", "files, names of our maps, or folders of them"},
        {"game", CLI_TEXT, &o->game, "SPEC", CLI_GAME_HELP},
        {"games", CLI_INT, &o->games, "N", "per pairing and map (default: 2, one from each side)", 1, 10000},
        {"seed", CLI_TEXT, &o->seed, "N", "everything random follows from it (default: 1)"},
        {"jobs", CLI_INT, &o->jobs, "N", "games at a time (default: one a core); the result is the same", 1,
         256},
        {"store", CLI_TEXT, &o->store, "FILE",
         "keep every game there; the same command again goes on, --store alone shows the event"},
        {"continue", CLI_FLAG, &o->go_on, NULL, "with --store alone: play on"},
        {"programs", CLI_FLAG, &o->programs, NULL,
         "allow what players start, connect to and read that a file names; it is shown"},
        {"format", CLI_TEXT, &o->format, "NAME", "round-robin (default), gauntlet, swiss or knock-out"},
        {"challengers", CLI_INT, &o->challengers, "N", "gauntlet: the first N meet all others", 1,
         EVENT_PLAYERS_MAX},
        {"rounds", CLI_INT, &o->rounds, "N", "of a Swiss (default: as many as a knock-out needs)", 1, 1000},
        {"final", CLI_INT, &o->final, "N", "a knock-out of the N best at the end", 2, EVENT_PLAYERS_MAX},
        {"maps-per-pairing", CLI_INT, &o->maps_per_pairing, "N", "drawn from all (default: all)", 1,
         EVENT_MAPS_MAX},
        {"not-own-maps", CLI_FLAG, &o->not_own_maps, NULL, "nobody plays on a map they authored"},
        {"points", CLI_TEXT, &o->points, "W,D,L", "for a win, a draw, a loss (default: 1,0.5,0)"},
        {"clock", CLI_TEXT, &o->clock, "LIMITS",
         "turn=10 or game=600,byoyomi=10 … in seconds (default: none)"},
        {"disqualify-after", CLI_INT, &o->disqualify_after, "N", "faults", 1, 10000},
        {"rules", CLI_TEXT, &o->rules, "SET", "tubstap (default) or paper"},
        {"preset", CLI_TEXT, &o->preset, "NAME", "rules of a known event; gat-tactical, say"},
        {"rules-file", CLI_TEXT, &o->rules_file, "FILE", "rules of the event, as JSON"},
        {"show-rules", CLI_FLAG, &o->show_rules, NULL, "print the rules as a rules file, play nothing"},
        {"title", CLI_TEXT, &o->title, "TEXT", "of the result pages"},
        {"out", CLI_TEXT, &o->out, "DIR",
         "write tables and pages there; with --store also bundles of faults"},
        {"quiet", CLI_FLAG, &o->quiet, NULL, "no live table"},
        {"json", CLI_FLAG, &o->json, NULL, "the result as JSON"},
        {0},
    };
    int status;
    if (!cli_parse_options(self, options, argc, argv, &status))
        return status;
    return o->show_rules ? show_rules(&t) : run_checked(&t);
}
