/* SPDX-License-Identifier: MIT */
#include "tournament/seats.h"

void seats_init(struct seats *seats, const struct event *event, const struct grant *grant) {
    *seats = (struct seats){.event = event, .grant = grant};
}

void seats_done(struct seats *seats) {
    for (int i = 0; i < SEATS_OPEN_MAX; i++)
        player_close(seats->seats[i].open);
    *seats = (struct seats){0};
}

struct player *seats_take(struct seats *seats, int player, const struct game *game, struct err *e) {
    struct seat *oldest = &seats->seats[0];
    seats->clock++;
    for (int i = 0; i < SEATS_OPEN_MAX; i++) {
        struct seat *s = &seats->seats[i];
        if (s->open != NULL && s->player == player && s->game == game) {
            s->used_at = seats->clock;
            return s->open;
        }
        if (oldest->open != NULL && (s->open == NULL || s->used_at < oldest->used_at))
            oldest = s;
    }
    player_close(oldest->open);
    const char *spec = seats->event->players[player].spec;
    *oldest = (struct seat){player, game, player_open_granted(spec, game, seats->grant, e), seats->clock};
    return oldest->open;
}
