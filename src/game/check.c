/* SPDX-License-Identifier: MIT
 *
 * The laws of games, one a function; `laws` lists them. A law checks the position in `c->state` (its listed
 * actions are in `c->list`) and never changes it.
 *
 * A broken law is reported with seed, game and ply, so that one call with the same arguments shows it again.
 */
#include "game/game.h"

#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PLIES_MAX = 100000, /* a longer game counts as endless */
    SAMPLE_MAX = 256,   /* of a longer list only so many actions are checked one by one */
    ROLLOUT_TURNS = 2,
    DETERMINIZATIONS = 4, /* of each view */
    WORLDS_LISTED = 256,  /* more worlds than this are not checked one by one */
};

/* A state of any game, with sufficient alignment. */
union buffer {
    max_align_t align;
    unsigned char bytes[GAME_STATE_MAX];
};

struct check {
    const struct scenario *scenario;
    const struct game *game;
    struct rng rng;
    struct err *e;
    union buffer state;
    /* Twice as long as actions_max, so that a list too long is detected before it overflows. */
    action *list, *other;
    int count, plies;
    struct text text, again;
    struct text last; /* the action that led here; empty at the start */
    /* Laws of hidden information: a view of the state, whose it is, and the keys of its worlds. */
    int side;
    const char *viewer; /* for sentences */
    union buffer view;
    uint64_t keys[WORLDS_LISTED];
};

/* Bytes behind the state are zeros, so that copies of equal states are equal as a whole. */
static union buffer copy_of(const struct check *c, const union buffer *from) {
    union buffer to = {0};
    memcpy(to.bytes, from->bytes, c->game->state_size);
    return to;
}

/* True when both are the same position in every visible respect: text, key, mover, turn. */
static bool is_same(struct check *c, const union buffer *a, const union buffer *b) {
    text_clear(&c->text);
    text_clear(&c->again);
    c->game->text->write_state(a, &c->text);
    c->game->text->write_state(b, &c->again);
    return strcmp(text_string(&c->text), text_string(&c->again)) == 0 && c->game->key(a) == c->game->key(b) &&
           c->game->mover(a) == c->game->mover(b) && c->game->turn(a) == c->game->turn(b);
}

/* True when `s` has the same action list as the current position. */
static bool has_same_actions(struct check *c, const union buffer *s) {
    const int count = c->game->actions(s, c->other);
    return count == c->count && memcmp(c->list, c->other, (size_t)count * sizeof(action)) == 0;
}

/* ---- laws of one position ---- */

/* The first law: all others assume a valid state, a known mover and a list that fits. */
static bool law_valid(struct check *c) {
    if (!c->game->valid(&c->state))
        return err_set(c->e, "the state is not valid");
    const int mover = c->game->mover(&c->state);
    const char *result = c->game->text->result(&c->state);
    if (mover != 0 && mover != 1 && mover != NOBODY)
        return err_set(c->e, "the mover is %d; expected 0, 1 or NOBODY", mover);
    if ((mover == NOBODY) == (strcmp(result, "none") == 0))
        return err_set(c->e, "the mover is %d while the result is '%s'", mover, result);
    if (c->count > c->game->actions_max)
        return err_set(c->e, "%d actions are listed; actions_max is %d", c->count, c->game->actions_max);
    if (mover == NOBODY && c->count != 0)
        return err_set(c->e, "%d actions are listed although the game is over", c->count);
    return mover == NOBODY || c->count > 0 ||
           err_set(c->e, "no action is listed although player %d moves", mover);
}

static int by_value(const void *a, const void *b) {
    const action x = *(const action *)a, y = *(const action *)b;
    return (x > y) - (x < y);
}

/* Listed actions are legal and different, and listing them again gives the same list in the same order. Short
 * lists are checked completely, long ones in strides from a random start. */
static bool law_list(struct check *c) {
    const int step = c->count / SAMPLE_MAX + 1;
    for (int i = (int)rng_below(&c->rng, (uint32_t)step); i < c->count; i += step)
        if (!c->game->is_legal(&c->state, c->list[i]))
            return err_set(c->e, "action %d of the list (%08x) is not legal", i, (unsigned)c->list[i]);
    memcpy(c->other, c->list, (size_t)c->count * sizeof(action));
    qsort(c->other, (size_t)c->count, sizeof(action), by_value);
    for (int i = 1; i < c->count; i++)
        if (c->other[i] == c->other[i - 1])
            return err_set(c->e, "action %08x is listed twice", (unsigned)c->other[i]);
    return has_same_actions(c, &c->state) ||
           err_set(c->e, "the list of actions differs when asked for again");
}

/* Incremental keys go wrong in rare cases (captures, ends of turns); the full computation shows it. */
static bool law_key(struct check *c) {
    return c->game->key(&c->state) == c->game->key_from_scratch(&c->state) ||
           err_set(c->e, "the key differs from the key computed anew");
}

/* Records, the engine protocol and the page identify an action by its text alone. An illegal one must be
 * refused: the last action is tried again, which most games forbid. */
static bool law_action_text(struct check *c) {
    const int step = c->count / SAMPLE_MAX + 1;
    for (int i = (int)rng_below(&c->rng, (uint32_t)step); i < c->count; i += step) {
        action back = ~c->list[i];
        struct err why = {0};
        text_clear(&c->text);
        c->game->text->write_action(&c->state, c->list[i], &c->text);
        if (!c->game->text->read_action(&c->state, text_string(&c->text), &back, &why))
            return err_set(c->e, "action '%.64s' is written but not read: %.200s", text_string(&c->text),
                           why.text);
        if (back != c->list[i])
            return err_set(c->e, "action '%.64s' reads back as another one", text_string(&c->text));
    }
    action again;
    return c->last.size == 0 ||
           !c->game->text->read_action(&c->state, text_string(&c->last), &again, &(struct err){0}) ||
           c->game->is_legal(&c->state, again) ||
           err_set(c->e, "action '%.64s' is read, although it is not legal here", text_string(&c->last));
}

/* Writes a position and reads it again into `back`. */
static bool read_back(struct check *c, const union buffer *s, const char *what, union buffer *back) {
    struct err why = {0};
    *back = (union buffer){0};
    text_clear(&c->text);
    c->game->text->write_state(s, &c->text);
    return c->game->text->read_state(back, c->scenario, text_string(&c->text), &why) ||
           err_set(c->e, "%s is written but not read: %.300s", what, why.text);
}

/* A position read from its text has no history, and must not differ otherwise. */
static bool law_state_text(struct check *c) {
    union buffer back;
    if (!read_back(c, &c->state, "the state", &back))
        return false;
    if (!c->game->valid(&back))
        return err_set(c->e, "the state read back is not valid");
    if (!is_same(c, &c->state, &back))
        return err_set(c->e, "the state read back has another text, key, mover or turn");
    return has_same_actions(c, &back) || err_set(c->e, "the state read back has other actions");
}

/* Copies share nothing: playing on one leaves the other unchanged, and playing the same on both gives equal
 * states. */
static bool law_copy(struct check *c) {
    if (c->count == 0)
        return true;
    union buffer original = copy_of(c, &c->state), copy = original, second = original;
    const action a = c->list[rng_below(&c->rng, (uint32_t)c->count)];
    struct rng dice = c->rng, same_dice = c->rng;
    c->game->play(&copy, a, &dice);
    if (memcmp(original.bytes, c->state.bytes, c->game->state_size) != 0 || !has_same_actions(c, &original))
        return err_set(c->e, "playing on a copy changed the original");
    c->game->play(&second, a, &same_dice);
    return is_same(c, &copy, &second) || err_set(c->e, "the same action on two copies gave two positions");
}

/* A position that a rollout or an outcome has left must be as good as one reached by play. */
static bool has_sound_key(const struct check *c, const union buffer *s) {
    return c->game->valid(s) && c->game->key(s) == c->game->key_from_scratch(s);
}

/* All outcomes lead to positions of the game, and `play` to one of them. */
static bool law_outcomes(struct check *c) {
    if (c->count == 0 || c->game->outcomes == NULL)
        return true;
    const action a = c->list[rng_below(&c->rng, (uint32_t)c->count)];
    const int count = c->game->outcomes(&c->state, a);
    if (count < 1 || count > GAME_OUTCOMES_MAX)
        return err_set(c->e, "action %08x has %d outcomes; expected 1 to %d", (unsigned)a, count,
                       GAME_OUTCOMES_MAX);
    union buffer drawn = copy_of(c, &c->state);
    struct rng dice = c->rng;
    c->game->play(&drawn, a, &dice);
    bool found = false;
    for (int outcome = 0; outcome < count; outcome++) {
        union buffer next = copy_of(c, &c->state);
        c->game->play_outcome(&next, a, outcome);
        if (!has_sound_key(c, &next))
            return err_set(c->e, "outcome %d of action %08x gives a state that is not valid", outcome,
                           (unsigned)a);
        found = found || is_same(c, &drawn, &next);
    }
    return found || err_set(c->e, "playing action %08x gave none of its outcomes", (unsigned)a);
}

/* Searches derive the other side's payoff as 1 - payoff, which is only right if both sum to 1. */
static bool law_payoff(struct check *c) {
    if (c->game->mover(&c->state) != NOBODY)
        return true;
    const double first = c->game->payoff(&c->state, 0), second = c->game->payoff(&c->state, 1);
    if (!(first >= 0 && first <= 1 && second >= 0 && second <= 1))
        return err_set(c->e, "the payoffs are %g and %g; expected 0 to 1", first, second);
    return (first + second >= 1 && first + second <= 1) ||
           err_set(c->e, "the payoffs are %g and %g; they must sum to 1", first, second);
}

/* ---- laws of rollouts ---- */

/* The same seed twice must give the same game: otherwise no experiment can be repeated. */
static bool rollout_ends(struct check *c, const struct rollout *policy) {
    union buffer end = copy_of(c, &c->state), again = end;
    struct rng dice = c->rng, same_dice = c->rng;
    const long plies = policy->run(&end, &dice, 0), plies_again = policy->run(&again, &same_dice, 0);
    if (c->game->mover(&end) != NOBODY)
        return err_set(c->e, "rollout '%s' stopped before the end of the game", policy->name);
    if (!has_sound_key(c, &end))
        return err_set(c->e, "rollout '%s' left a state that is not valid", policy->name);
    if ((plies == 0) != (c->count == 0) || plies < 0)
        return err_set(c->e, "rollout '%s' says that it played %ld actions", policy->name, plies);
    return (plies == plies_again && is_same(c, &end, &again)) ||
           err_set(c->e, "rollout '%s' gave two games from one seed", policy->name);
}

/* A turn in which a side can do nothing passes by itself, so one more turn than requested may be over. */
static bool rollout_stops(struct check *c, const struct rollout *policy, int turns_max) {
    union buffer end = copy_of(c, &c->state);
    struct rng dice = c->rng;
    policy->run(&end, &dice, turns_max);
    const int turns = c->game->turn(&end) - c->game->turn(&c->state);
    if (!c->game->valid(&end))
        return err_set(c->e, "rollout '%s' left a state that is not valid after %d turns", policy->name,
                       turns);
    if (c->game->mover(&end) != NOBODY && turns < turns_max)
        return err_set(c->e, "rollout '%s' stopped after %d turns; %d were asked for", policy->name, turns,
                       turns_max);
    return turns <= turns_max + 1 ||
           err_set(c->e, "rollout '%s' played %d turns; %d were asked for", policy->name, turns, turns_max);
}

/* Every policy of the table, to the end of the game and for short horizons. */
static bool law_rollouts(struct check *c) {
    for (const struct rollout *policy = c->game->rollouts; policy->name != NULL; policy++)
        for (int turns = 0; turns <= ROLLOUT_TURNS; turns++)
            if (!(turns == 0 ? rollout_ends(c, policy) : rollout_stops(c, policy, turns)))
                return false;
    return true;
}

/* ---- laws of evaluations, lists and bounds ---- */

/* A shorter list may drop actions, but must not add illegal ones, and must not become empty. */
static bool law_lists(struct check *c) {
    for (const struct action_list *l = c->game->lists; l != NULL && l->name != NULL; l++) {
        const int count = l->list(&c->state, c->other);
        if ((count == 0) != (c->count == 0) || count < 0 || count > c->game->actions_max)
            return err_set(c->e, "list '%s' has %d actions", l->name, count);
        for (int i = 0; i < count; i++)
            if (!c->game->is_legal(&c->state, c->other[i]))
                return err_set(c->e, "list '%s' has an illegal action at %d", l->name, i);
    }
    return true;
}

/* The two sides' values are negatives of each other. */
static bool law_evals(struct check *c) {
    double weights[GAME_WEIGHTS_MAX];
    weights_default(c->game, weights);
    for (const struct eval *v = c->game->evals; v != NULL && v->name != NULL; v++) {
        const double mine = v->value(&c->state, 0, weights), theirs = v->value(&c->state, 1, weights);
        if (!(mine + theirs < 1e-9) || !(mine + theirs > -1e-9))
            return err_set(c->e, "evaluation '%s' gives %g and %g, which do not cancel", v->name, mine,
                           theirs);
    }
    return true;
}

/* Bounds are valid for any play, so also for a random game. Best play can only narrow them. */
static bool law_bounds(struct check *c) {
    if (c->game->bounds == NULL)
        return true;
    double low, high, sure_low, sure_high;
    union buffer end = copy_of(c, &c->state);
    c->game->bounds(&c->state, &low, &high);
    struct rng dice = c->rng;
    c->game->rollouts[0].run(&end, &dice, 0);
    const double payoff = c->game->payoff(&end, 0);
    if (payoff < low || payoff > high)
        return err_set(c->e, "the bounds %g..%g do not hold: a game ended with %g", low, high, payoff);
    if (c->game->secured == NULL)
        return true;
    c->game->secured(&c->state, &sure_low, &sure_high);
    return (low <= sure_low && sure_low <= sure_high && sure_high <= high) ||
           err_set(c->e, "best play is bounded to %g..%g, any play to %g..%g", sure_low, sure_high, low,
                   high);
}

/* Budgets of a turn are divided by these counts: a wrong one gives a decision no time at all. */
static bool law_progress(struct check *c) {
    const struct turn_progress p = c->game->progress(&c->state);
    return (p.taken >= 0 && (p.left > 0) == (c->count > 0)) ||
           err_set(c->e, "the turn has %d decisions taken and %d left", p.taken, p.left);
}

/* ---- laws of hidden information ---- */

/* Views depend only on what the side sees: views of indistinguishable states are equal bytes. */
static bool is_same_view(struct check *c, const union buffer *a, const union buffer *b) {
    return memcmp(a->bytes, b->bytes, c->game->state_size) == 0 && is_same(c, a, b);
}

/* True when `full` looks like that view to the side. */
static bool has_view(struct check *c, const union buffer *full, const union buffer *view, int side) {
    union buffer hidden = copy_of(c, full);
    c->game->hide(&hidden, side);
    return is_same_view(c, view, &hidden);
}

/* Is a state that was filled in for the view a state of the game that has this view? */
static bool is_possible(struct check *c, const union buffer *full) {
    if (!c->game->valid(full))
        return err_set(c->e, "a world of the view of %s is not valid", c->viewer);
    if (c->game->worlds(full) > 1)
        return err_set(c->e, "a world of the view of %s still hides something", c->viewer);
    if (!has_view(c, full, &c->view, c->side))
        return err_set(c->e, "a world of the view of %s has another view", c->viewer);
    return c->game->mover(&c->state) != c->side || has_same_actions(c, full) ||
           err_set(c->e, "%s has other actions in a world of its view", c->viewer);
}

/* Stores the keys of all worlds. */
static bool worlds_are_possible(struct check *c, uint64_t count) {
    bool found = false;
    for (uint64_t i = 0; i < count; i++) {
        union buffer full = copy_of(c, &c->view);
        c->game->world(&full, i);
        if (!is_possible(c, &full))
            return false;
        c->keys[i] = c->game->key(&full);
        found = found || is_same(c, &full, &c->state);
        for (uint64_t k = 0; k < i; k++)
            if (c->keys[k] == c->keys[i])
                return err_set(c->e, "worlds %d and %d of the view of %s are the same", (int)k, (int)i,
                               c->viewer);
    }
    return found || err_set(c->e, "the state is none of the worlds of the view of %s", c->viewer);
}

/* Few worlds are listed and compared; of many only some are drawn. */
static bool view_has_worlds(struct check *c) {
    const double count = c->game->worlds(&c->view);
    if (!(count >= 1 && count < 0x1p53 && !((double)(uint64_t)count < count)))
        return err_set(c->e, "the view of %s has %g worlds; expected a whole number from 1", c->viewer,
                       count);
    const uint64_t listed = count <= WORLDS_LISTED ? (uint64_t)count : 0;
    if (listed > 0 && !worlds_are_possible(c, listed))
        return false;
    for (int i = 0; i < DETERMINIZATIONS; i++) {
        union buffer full = copy_of(c, &c->view);
        c->game->determinize(&full, &c->rng);
        if (!is_possible(c, &full))
            return err_prefix(c->e, "determinized: ");
        const uint64_t key = c->game->key(&full);
        bool known = listed == 0;
        for (uint64_t k = 0; k < listed; k++)
            known = known || c->keys[k] == key;
        if (!known)
            return err_set(c->e, "determinizing the view of %s gave none of its worlds", c->viewer);
    }
    return true;
}

/* Without unknowns there is one world, the state itself. */
static bool law_full_state(struct check *c) {
    if (c->game->hide == NULL)
        return true;
    union buffer drawn = copy_of(c, &c->state), numbered = drawn;
    const double count = c->game->worlds(&c->state);
    if (count < 1 || count > 1)
        return err_set(c->e, "a state in which nothing is unknown has %g worlds", count);
    c->game->determinize(&drawn, &c->rng);
    c->game->world(&numbered, 0);
    return (is_same_view(c, &c->state, &drawn) && is_same_view(c, &c->state, &numbered)) ||
           err_set(c->e, "filling in what is unknown changed a state in which nothing is");
}

/* The view itself: it can be moved in, written and read by its side. */
static bool check_view(struct check *c) {
    const bool moves = c->game->mover(&c->state) == c->side;
    char what[32];
    union buffer back, common = copy_of(c, &c->state);
    if (!has_view(c, &c->view, &c->view, c->side))
        return err_set(c->e, "hiding twice from %s differs from hiding once", c->viewer);
    if (moves && c->game->mover(&c->view) != c->side)
        return err_set(c->e, "%s is to move, but not in its own view", c->viewer);
    if (moves && !has_same_actions(c, &c->view))
        return err_set(c->e, "%s has other actions in its own view", c->viewer);
    snprintf(what, sizeof what, "the view of %s", c->viewer);
    if (!read_back(c, &c->view, what, &back))
        return false;
    if (!is_same(c, &c->view, &back))
        return err_set(c->e, "%s reads back as another one", what);
    /* Hiding from one side and then from both must equal hiding from both. */
    c->game->hide(&common, NOBODY);
    return has_view(c, &c->view, &common, NOBODY) ||
           err_set(c->e, "what both know is not part of what %s knows", c->viewer);
}

/* Views of both sides, and of an observer to whom everything hidden stays hidden. */
static bool law_views(struct check *c) {
    static const char *const viewers[] = {"no player", "player 0", "player 1"};
    for (c->side = NOBODY; c->game->hide != NULL && c->side < 2; c->side++) {
        c->viewer = viewers[c->side + 1];
        c->view = copy_of(c, &c->state);
        c->game->hide(&c->view, c->side);
        if (!check_view(c) || !view_has_worlds(c))
            return false;
    }
    return true;
}

/* In this order: later laws rely on earlier ones. */
static bool (*const laws[])(struct check *) = {
    law_valid, law_list,     law_key,      law_action_text, law_state_text,
    law_copy,  law_outcomes, law_payoff,   law_rollouts,    law_lists,
    law_evals, law_bounds,   law_progress, law_full_state,  law_views,
};

/* ---- games ---- */

/* Plays a random game and checks all laws at every position. */
static bool check_game(struct check *c) {
    const struct game *g = c->game;
    g->start(&c->state, c->scenario, &c->rng);
    text_clear(&c->last);
    for (c->plies = 0; c->plies < PLIES_MAX; c->plies++) {
        c->count = g->actions(&c->state, c->list);
        for (size_t i = 0; i < sizeof laws / sizeof laws[0]; i++)
            if (!laws[i](c))
                return false;
        if (g->mover(&c->state) == NOBODY)
            return true;
        const int turn = g->turn(&c->state);
        const action next = c->list[rng_below(&c->rng, (uint32_t)c->count)];
        text_clear(&c->last);
        g->text->write_action(&c->state, next, &c->last);
        g->play(&c->state, next, &c->rng);
        if (g->turn(&c->state) < turn) {
            c->plies++;
            return err_set(c->e, "the turn went back from %d to %d", turn, g->turn(&c->state));
        }
    }
    return err_set(c->e, "the game does not end");
}

/* Game i has its own stream of the seed: a failure is repeated without playing the games before it. */
bool game_check(const struct scenario *scenario, int games_count, uint64_t seed, struct err *e) {
    struct check c = {.scenario = scenario, .game = scenario->game, .e = e};
    const size_t list_size = (size_t)c.game->actions_max * 2 * sizeof(action);
    c.list = mem_alloc(list_size);
    c.other = mem_alloc(list_size);
    bool ok = true;
    for (int i = 0; ok && i < games_count; i++) {
        rng_seed_stream(&c.rng, seed, (uint64_t)i);
        ok = check_game(&c);
        if (!ok)
            err_prefix(e, "%s, seed %llu, game %d, ply %d: ", c.game->name, (unsigned long long)seed, i,
                       c.plies);
    }
    text_done(&c.text);
    text_done(&c.again);
    text_done(&c.last);
    mem_free(c.list);
    mem_free(c.other);
    return ok;
}
