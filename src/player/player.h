/* SPDX-License-Identifier: MIT
 *
 * A player chooses an action from what it may see. Players keep no secret state between decisions: any
 * position can be asked of any player, and the same ask with the same random stream gives the same answer.
 */
#ifndef PLAYER_PLAYER_H
#define PLAYER_PLAYER_H

#include "base/budget.h"
#include "game/game.h"
#include "search/thoughts.h"

struct ask {
    const struct game *game;
    const void *view; /* the state less what this side cannot know */
    int side;
    int taken; /* decisions this side has taken in its turn so far; 0 when that is not known */
    struct budget budget;
    struct rng *rng;
    struct thoughts *thoughts; /* filled when not NULL, by players that have any */
    const struct watch *watch; /* may be NULL; needs `thoughts` and a clock in the budget */
};

struct answer {
    action chosen;
    double value;       /* what the player thinks of it, or NAN; its scale is the player's own */
    uint64_t work_done; /* simulations, nodes or actions scored */
};

struct player;

struct player_type {
    const char *name, *help;
    const struct param *params;
    size_t options_size; /* of the struct the params fill */

    /* What the params cannot see: are nested specs well-formed and known? NULL: nothing more to ask. */
    bool (*check)(const void *options, struct err *e);

    /* NULL and a reason when it cannot play that game; `options` has options_size bytes, read already. */
    struct player *(*open)(const struct player_type *type, const struct game *game, const void *options,
                           struct err *e);
    void (*choose)(struct player *player, const struct ask *ask, struct answer *out);
    void (*close)(struct player *player);
};

/* Concrete players begin with this. */
struct player {
    const struct player_type *type;
};

extern const struct player_type *const player_types[]; /* ended by NULL */
const struct player_type *player_type_find(const char *name);

/* Opens a player from a spec string like "acteval:style=sample". */
struct player *player_open(const char *spec, const struct game *game, struct err *e);
void player_choose(struct player *player, const struct ask *ask, struct answer *out);
void player_close(struct player *player);

/* Asks a player about a whole state: shows it only what the side to move may see. */
struct position_ask {
    const struct game *game;
    const void *state; /* somebody must be to move */
    int taken;         /* as in an ask */
    struct budget budget;
    struct rng *rng;
    struct thoughts *thoughts;
    const struct watch *watch;
};

void player_choose_in(struct player *player, const struct position_ask *ask, struct answer *out);

/* Is the spec well-formed and known? `canonical` (may be NULL) gets the spec with defaults left out. */
bool player_check(const char *spec, struct text *canonical, struct err *e);

#endif
