/* SPDX-License-Identifier: MIT */
#include "tournament/table.h"

#include "base/mem.h"

enum { LIVE_RATINGS_MAX = 50000 };

bool event_table_init(struct event_table *t, const struct event *event, struct err *e) {
    const size_t players = (size_t)event->player_count;
    *t = (struct event_table){
        .event = event,
        .standings = mem_alloc(players * sizeof *t->standings),
        .fit = {.player_count = event->player_count,
                .map_count = event->map_count,
                .ratings = mem_alloc(players * sizeof *t->fit.ratings),
                .sides = mem_alloc((size_t)event->map_count * sizeof *t->fit.sides),
                .superiority = mem_alloc(players * players * sizeof *t->fit.superiority)},
    };
    return (t->standings != NULL && t->fit.ratings != NULL && t->fit.sides != NULL &&
            t->fit.superiority != NULL) ||
           err_set(e, "not enough memory for the table");
}

void event_table_done(struct event_table *t) {
    mem_free(t->standings);
    mem_free(t->fit.ratings);
    mem_free(t->fit.sides);
    mem_free(t->fit.superiority);
    mem_free(t->rating_games);
    *t = (struct event_table){0};
}

static bool grow_ratings(struct event_table *t, int count, struct err *e) {
    if (count <= t->rating_capacity)
        return true;
    void *grown = mem_resize(t->rating_games, (size_t)count * sizeof *t->rating_games);
    if (grown == NULL)
        return err_set(e, "not enough memory for the ratings");
    t->rating_games = grown;
    t->rating_capacity = count;
    return true;
}

static bool rate(struct event_table *t, const struct games *games, struct err *e) {
    int count = 0;
    if (!grow_ratings(t, games->count, e))
        return false;
    for (int i = 0; i < games->count; i++) {
        const struct fixture *f = &games->fixtures[i];
        const struct outcome *o = &games->outcomes[i];
        if (o->played)
            t->rating_games[count++] =
                (struct rating_game){{f->players[0], f->players[1]}, f->map, f->pair, o->payoff};
    }
    return rating_compute(t->rating_games, count, &t->fit, e);
}

bool event_table_report(struct event_table *t, const struct games *games, const struct event_moment *moment,
                        struct report *out, struct err *e) {
    standings_compute(t->event, games, t->standings);
    *out = (struct report){
        .event = t->event,
        .games = games,
        .games_played = moment->played,
        .games_expected = event_games_expected(t->event, games),
        .standings = t->standings,
        .seconds = moment->seconds,
        .games_untimed = moment->recalled,
        .date = moment->date,
        .store = moment->store,
        .complete = moment->complete,
    };
    const bool rated = moment->played > 0 && (moment->complete || moment->played <= LIVE_RATINGS_MAX);
    if (rated && !rate(t, games, e))
        return false;
    out->ratings = rated ? t->fit.ratings : NULL;
    out->fit = rated ? &t->fit : NULL;
    return true;
}
