/* SPDX-License-Identifier: MIT
 *
 * The referee and, around it, the game with clocks. The referee alone is what signatures and audits need: it
 * reads no time. The clocked game adds what a decision may take, charges it, and rules on late answers.
 * Clocks are plain numbers that decisions are booked on; fault reports are JSON.
 */
#include "match/clocked_game.h"

#include "base/encode.h"
#include "base/mem.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* ---- clocks: their parameters ---- */

enum {
    SECONDS_MAX = 86400,
    TURNS_AHEAD = 20 /* a game's time is divided as if this many turns were left */
};

/* The time reported to a player is less than its limit: the answer has to travel, too. */
#define USED_SHARE 0.95

#define FRESH_GRACE_SHARE 0.8

/* Minimum time reported to a player, except when its clock is nearly out. */
#define SHARE_LEAST_NS INT64_C(1000000)

#define SECONDS(field, fallback, text)                                                                       \
    { #field, PARAM_REAL, offsetof(struct timing, field##_s), 0, SECONDS_MAX, fallback, .help = text }

const struct param timing_params[] = {
    SECONDS(turn, 0, "seconds for each turn; 0: no limit"),
    SECONDS(move, 0, "seconds for each decision in a turn"),
    SECONDS(game, 0, "seconds for the whole game"),
    SECONDS(increment, 0, "seconds added to the game's time after each turn"),
    SECONDS(byoyomi, 0, "seconds for each turn once the game's time is used up"),
    SECONDS(grace, 0.1, "seconds forgiven beyond each limit, for the way there and back"),
    SECONDS(patience, 2, "seconds after that before a player that does not answer is killed"),
    {0},
};

bool timing_is_limited(const struct timing *t) {
    return t->turn_s > 0 || t->move_s > 0 || t->game_s > 0; /* byoyomi needs a game's time before it */
}

/* The defaults of the parameter table are "no limit". */
void timing_default(struct timing *out) {
    *out = (struct timing){0};
    params_default(timing_params, out);
}

/* The string is the option list of a spec without a name, so a name is put in front of it. */
bool timing_read(const char *string, struct timing *out, struct err *e) {
    char whole[SPEC_TEXT_MAX];
    struct spec spec;
    const int size = snprintf(whole, sizeof whole, "clock:%s", string);
    if (size < 0 || (size_t)size >= sizeof whole)
        return err_set(e, "clock: more than %zu bytes", sizeof whole - sizeof "clock:");
    *out = (struct timing){0};
    if (!spec_parse(whole, &spec, e) || !params_read(timing_params, &spec, out, e))
        return false;
    if ((out->increment_s > 0 || out->byoyomi_s > 0) && !(out->game_s > 0))
        return err_code(e, "refused.clock", "clock: increment and byoyomi need game=SECONDS");
    return true;
}

/* A limit of 0 is none and is not described. */
static void add_part(struct text *out, double seconds, const char *before, const char *after) {
    if (seconds > 0)
        text_add(out, "%s%s%g s%s", out->size > 0 ? ", " : "", before, seconds, after);
}

void timing_describe(const struct timing *t, struct text *out) {
    struct text parts = {0};
    add_part(&parts, t->turn_s, "", " a turn");
    add_part(&parts, t->move_s, "", " a move");
    add_part(&parts, t->game_s, "", " a game");
    add_part(&parts, t->increment_s, "plus ", " a turn");
    add_part(&parts, t->byoyomi_s, "then ", " a turn");
    text_add_string(out, parts.size > 0 ? text_string(&parts) : "no limit");
    text_done(&parts);
}

/* ---- clocks in a game ---- */

/* Limits are given in seconds and counted in nanoseconds. */
static int64_t ns(double seconds) {
    return (int64_t)(seconds * 1e9 + 0.5);
}

static int64_t least(int64_t a, int64_t b) {
    return a < b ? a : b;
}

static int64_t most(int64_t a, int64_t b) {
    return a > b ? a : b;
}

/* Both sides begin with the whole time of the game. */
void timing_start(struct timing_clocks *clocks, const struct timing *timing) {
    *clocks = (struct timing_clocks){0};
    for (int side = 0; side < 2; side++)
        clocks->game_left_ns[side] = ns(timing->game_s);
}

/* The limit ends the game. The share is advice: what a player should use so that the decisions of its
 * turn, and the turns of the game, all get time. */
struct ask_time timing_allow(const struct timing_clocks *c, const struct timing *t, int side, int left) {
    assert(side == 0 || side == 1);
    int64_t limit = INT64_MAX, share = INT64_MAX;
    const int decisions = left < 1 ? 1 : left;
    if (!timing_is_limited(t))
        return (struct ask_time){0};
    if (t->turn_s > 0) {
        limit = least(limit, ns(t->turn_s) - c->turn_used_ns[side]);
        share = least(share, limit / decisions);
    }
    if (t->game_s > 0) {
        /* Of the game's time and, once that is used up, of this turn's byoyomi. */
        const int64_t rest = c->game_left_ns[side] + ns(t->byoyomi_s) - c->byoyomi_used_ns[side];
        /* What this turn may reasonably take of it. A grace that each decision has anew is time to think
         * with, but for the way there and back. */
        const int64_t used = c->turn_used_ns[side];
        const int64_t at_start = c->game_left_ns[side] + used - c->byoyomi_used_ns[side];
        const int64_t turn = at_start / TURNS_AHEAD + ns(t->increment_s) + ns(t->byoyomi_s);
        const int64_t grace = t->is_grace_fresh ? ns(FRESH_GRACE_SHARE * t->grace_s) : 0;
        limit = least(limit, rest);
        share = least(share, (least(turn - used, rest) + grace) / decisions);
    }
    if (t->move_s > 0) {
        limit = least(limit, ns(t->move_s));
        share = least(share, ns(t->move_s));
    }
    limit = most(limit + ns(t->grace_s), 1);
    share = (int64_t)((double)share * USED_SHARE);
    share = most(share, least(SHARE_LEAST_NS, limit / decisions));
    return (struct ask_time){.limit_ns = limit, .share_ns = most(share, 1), .patience_ns = ns(t->patience_s)};
}

void timing_spend(struct timing_clocks *c, const struct timing *t, int side, int64_t spent_ns,
                  bool turn_over) {
    assert(side == 0 || side == 1);
    if (spent_ns < 0) /* the steady clock may step back a little where this program was stopped */
        spent_ns = 0;
    if (t->unit_s > 0)
        spent_ns -= spent_ns % ns(t->unit_s);
    /* Time beyond the game's time is byoyomi. Without byoyomi the clock becomes negative, so that the grace
     * of the game's limit is given once and not in each turn. */
    const int64_t of_game = t->byoyomi_s > 0 ? least(spent_ns, c->game_left_ns[side]) : spent_ns;
    c->turn_used_ns[side] += spent_ns;
    c->game_left_ns[side] -= of_game;
    c->byoyomi_used_ns[side] += spent_ns - of_game;
    if (t->is_grace_fresh)
        c->game_left_ns[side] = most(c->game_left_ns[side], 0);
    if (turn_over) {
        c->turn_used_ns[side] = 0;
        c->byoyomi_used_ns[side] = 0;
        c->game_left_ns[side] += ns(t->increment_s);
    }
}

/* ---- the referee ---- */

/* The record gets the seeds: with them and the actions the game can be replayed exactly. */
static void start(struct referee *referee, const struct clocked_setup *setup) {
    const struct game *game = setup->scenario->game;
    assert(game->state_size <= GAME_STATE_MAX);
    *referee = (struct referee){.scenario = setup->scenario, .record = setup->record, .forfeiter = NOBODY};
    referee->game_rng = record_game_rng(setup->seed, setup->deal);
    for (int side = 0; side < 2; side++)
        rng_seed_stream(&referee->seat_rng[side], setup->seed, (uint64_t)(RECORD_STREAM_SEAT + side));
    game->start(referee->state, setup->scenario, &referee->game_rng);
    turn_count_start(&referee->turn, game, referee->state);
    if (setup->record != NULL) {
        setup->record->seed = setup->seed;
        setup->record->deal = setup->deal;
    }
}

void referee_start(struct referee *referee, const struct scenario *scenario, uint64_t seed,
                   struct record *record) {
    start(referee, &(struct clocked_setup){.scenario = scenario, .seed = seed, .record = record});
}

int referee_mover(const struct referee *referee) {
    return referee->forfeiter != NOBODY ? NOBODY : referee->scenario->game->mover(referee->state);
}

/* The view is a copy from which the game has erased what the mover may not see: a player never has the
 * state itself. */
void referee_ask(struct referee *referee, struct ask *out) {
    const struct game *game = referee->scenario->game;
    const int side = referee_mover(referee);
    assert(side != NOBODY);
    game_view(game, referee->state, side, referee->view);
    *out = (struct ask){.game = game,
                        .view = referee->view,
                        .side = side,
                        .taken = referee->turn.taken,
                        .rng = &referee->seat_rng[side]};
}

/* The reason may quote an external program, so it is cut between two characters and never trusted to be
 * short. */
static void rule(struct referee *referee, int side, enum player_fault fault, const struct err *reason) {
    assert(referee_mover(referee) != NOBODY);
    assert(side >= 0 && side <= REFEREE_BOTH);
    assert(fault > PLAYER_FAULT_NONE);
    assert(fault < PLAYER_FAULTS);
    charset_copy(referee->reason, sizeof referee->reason, reason->text, strlen(reason->text));
    referee->fault = *reason;
    if (side != REFEREE_BOTH)
        err_prefix(&referee->fault, "%s forfeits: ", referee->scenario->game->text->side_names[side]);
    referee->forfeiter = side;
    referee->fault_kind = fault;
    if (referee->record != NULL) {
        struct record *record = referee->record;
        charset_copy(record->comment, sizeof record->comment, referee->fault.text,
                     strlen(referee->fault.text));
        referee_result(referee, record->result, sizeof record->result);
    }
}

void referee_rule(struct referee *referee, int side, enum player_fault fault, const char *reason) {
    struct err message;
    err_set(&message, "%s", reason);
    rule(referee, side, fault, &message);
}

/* An illegal action ends the game and is not recorded: a record contains only what the rules allow. */
bool referee_answer(struct referee *referee, action a, double milliseconds, struct err *e) {
    const struct game *game = referee->scenario->game;
    assert(referee_mover(referee) != NOBODY);
    if (!game->is_legal(referee->state, a)) {
        struct text text = {0};
        game->text->write_action(referee->state, a, &text);
        text_add_string(&text, " is illegal");
        referee_rule(referee, referee_mover(referee), PLAYER_FAULT_ILLEGAL, text_string(&text));
        text_done(&text);
    } else {
        if (referee->record != NULL && !record_add(referee->record, a, milliseconds, e))
            return false;
        game->play(referee->state, a, &referee->game_rng);
        referee->actions++;
        turn_count_step(&referee->turn, game, referee->state);
    }
    if (referee->record != NULL)
        referee_result(referee, referee->record->result, sizeof referee->record->result);
    return true;
}

bool referee_history(struct referee *referee, struct game_history *out) {
    const struct record *record = referee->record;
    if (record == NULL)
        return false;
    referee->line = (struct record_line){.record = record, .count = record->count};
    *out = record_history(&referee->line, referee->scenario);
    return true;
}

/* A forfeit counts as a loss, whatever the position was. */
double referee_payoff(const struct referee *referee, int side) {
    assert(side == 0 || side == 1);
    assert(referee_mover(referee) == NOBODY);
    if (referee->forfeiter == REFEREE_BOTH)
        return 0.5;
    if (referee->forfeiter != NOBODY)
        return side == referee->forfeiter ? 0.0 : 1.0;
    return referee->scenario->game->payoff(referee->state, side);
}

void referee_result(const struct referee *referee, char *out, size_t out_size) {
    const struct notation *text = referee->scenario->game->text;
    if (referee->forfeiter != NOBODY)
        snprintf(out, out_size, "%s %s",
                 referee->forfeiter == REFEREE_BOTH ? "draw" : text->side_names[referee->forfeiter ^ 1],
                 player_fault_names[referee->fault_kind]);
    else
        snprintf(out, out_size, "%s", text->result(referee->state));
}

/* ---- the game with its clocks ---- */

/* The setup is read here only; what it points to, except record and scenario, may go afterwards. */
void clocked_game_start(struct clocked_game *g, const struct clocked_setup *setup, int64_t now_ns) {
    assert(setup->scenario != NULL);
    *g = (struct clocked_game){.setup = *setup, .asked_ns = now_ns};
    g->setup.timing = NULL;
    if (setup->timing != NULL)
        g->timing = *setup->timing;
    else
        timing_default(&g->timing);
    assert(!g->setup.is_untimed || !timing_is_limited(&g->timing));
    start(&g->referee, setup);
    memcpy(g->start, g->referee.state, setup->scenario->game->state_size);
    timing_start(&g->clocks, &g->timing);
}

/* Worlds beyond one mean that something in the text is unknown: no referee could answer for it. */
bool clocked_game_place(struct clocked_game *g, const char *position, struct err *e) {
    const struct game *game = g->referee.scenario->game;
    void *state = g->referee.state;
    assert(g->referee.actions == 0);
    if (!game_read_position(g->referee.scenario, position, state, e))
        return false;
    if (game->hide != NULL && game->worlds(state) > 1)
        return err_set(e, "colours or cards in that position are not known: no game can go on from it");
    if (game->mover(state) == NOBODY)
        return err_set(e, "the game is over in that position");
    turn_count_start(&g->referee.turn, game, state);
    memcpy(g->start, state, game->state_size);
    g->is_placed = true;
    return true;
}

int clocked_game_mover(const struct clocked_game *g) {
    return g->is_stopped ? NOBODY : referee_mover(&g->referee);
}

/* ---- a decision ---- */

void clocked_game_ask(struct clocked_game *g, int64_t now_ns, struct ask *out) {
    assert(!g->is_stopped);
    referee_ask(&g->referee, out);
    g->time = timing_allow(&g->clocks, &g->timing, out->side, out->game->progress(out->view).left);
    out->time = g->time;
    out->budget.deadline_ns = g->time.limit_ns > 0 ? now_ns + g->time.share_ns : 0;
    /* A given position has no history, which players could not replay; where something is hidden the history
     * has no actions anyway. */
    if ((!g->is_placed || !game_is_determined(out->game)) && referee_history(&g->referee, &g->history))
        out->history = &g->history;
}

void clocked_game_begin_decision(struct clocked_game *g, int64_t now_ns) {
    g->asked_ns = now_ns;
}

void clocked_game_excuse(struct clocked_game *g, int64_t ns) {
    g->asked_ns += ns;
}

int64_t clocked_game_spent(const struct clocked_game *g, int64_t now_ns) {
    return now_ns > g->asked_ns ? now_ns - g->asked_ns : 0;
}

/* 0: no limit. */
static int64_t limit_of(const struct clocked_game *g) {
    const int mover = clocked_game_mover(g);
    return mover != NOBODY ? timing_allow(&g->clocks, &g->timing, mover, 1).limit_ns : 0;
}

int64_t clocked_game_due(const struct clocked_game *g) {
    const int64_t limit = limit_of(g);
    return limit > 0 ? g->asked_ns + limit : INT64_MAX;
}

void clocked_game_count_time(struct clocked_game *g, int64_t now_ns) {
    const int side = clocked_game_mover(g);
    const int64_t spent = clocked_game_spent(g, now_ns);
    assert(side != NOBODY);
    g->think_ns[side] += spent;
    g->decisions[side]++;
    if (spent > g->longest_ns[side])
        g->longest_ns[side] = spent;
}

/* The answer itself is not looked at: it may come later, or never. */
bool clocked_game_expire(struct clocked_game *g, int64_t now_ns) {
    const int64_t limit = limit_of(g), spent = clocked_game_spent(g, now_ns);
    if (limit == 0 || spent <= limit)
        return false;
    struct err reason;
    err_code(&reason, "ruling.late", "late, after %.2f s of %.2f s", (double)spent * 1e-9,
             (double)limit * 1e-9);
    rule(&g->referee, clocked_game_mover(g), PLAYER_FAULT_LATE, &reason);
    return true;
}

/* The time is counted before anything else, also for an answer that is late or illegal. */
bool clocked_game_answer(struct clocked_game *g, action a, int64_t now_ns, struct err *e) {
    const int side = clocked_game_mover(g);
    const double ms = g->setup.is_untimed ? RECORD_NO_TIME : (double)clocked_game_spent(g, now_ns) * 1e-6;
    const int actions = g->referee.actions;
    clocked_game_count_time(g, now_ns);
    if (!g->setup.is_guest && clocked_game_expire(g, now_ns))
        return true;
    if (!clocked_game_play(g, a, ms, e))
        return false;
    if (g->referee.actions > actions) /* otherwise it was illegal */
        clocked_game_charge(g, side, now_ns);
    return true;
}

bool clocked_game_play(struct clocked_game *g, action a, double milliseconds, struct err *e) {
    assert(!g->is_stopped);
    return referee_answer(&g->referee, a, milliseconds, e);
}

/* Playing the action has determined whether the turn is over. */
void clocked_game_charge(struct clocked_game *g, int side, int64_t now_ns) {
    timing_spend(&g->clocks, &g->timing, side, clocked_game_spent(g, now_ns), g->referee.turn.taken == 0);
    g->asked_ns = now_ns;
}

/* ---- other ends ---- */

void clocked_game_fault(struct clocked_game *g, int side, enum player_fault fault, const char *reason) {
    assert(clocked_game_mover(g) != NOBODY);
    referee_rule(&g->referee, side, fault, reason);
}

/* A resignation is no fault: it has a result of its own, and the fault stays PLAYER_FAULT_NONE. */
void clocked_game_resign(struct clocked_game *g, int side) {
    assert(side == 0 || side == 1);
    assert(clocked_game_mover(g) != NOBODY);
    const char *const *names = g->referee.scenario->game->text->side_names;
    struct record *record = g->referee.record;
    g->referee.forfeiter = side;
    if (record == NULL)
        return;
    snprintf(record->result, sizeof record->result, "%s resignation", names[side ^ 1]);
    snprintf(record->comment, sizeof record->comment, "%s resigns", names[side]);
}

void clocked_game_stop(struct clocked_game *g, const char *comment) {
    struct record *record = g->referee.record;
    g->is_stopped = true;
    if (record != NULL)
        snprintf(record->comment, sizeof record->comment, "%s", comment);
}

int64_t clocked_game_void_ns(const struct clocked_game *g, int64_t gap_ns) {
    return g->setup.can_be_void && timing_is_limited(&g->timing) ? gap_ns - g->setup.gap_ns : 0;
}

/* ---- going back ---- */

/* A game that began from a given position is replayed from it, not from the start of the scenario. */
bool clocked_game_replay(const struct clocked_game *g, int count, struct replay *out, struct err *e) {
    const struct game *game = g->referee.scenario->game;
    assert(g->referee.record != NULL);
    assert(count >= 0);
    assert(count <= g->referee.record->count);
    replay_start(out, g->referee.record, g->referee.scenario);
    if (g->is_placed) {
        memcpy(out->state, g->start, game->state_size);
        turn_count_start(&out->turn, game, out->state);
    }
    while (out->next < count)
        if (!replay_step(out, e))
            return false;
    return true;
}

/* No time is given back: otherwise taking moves back would be a way to think for free. */
bool clocked_game_go_back(struct clocked_game *g, int count, int64_t now_ns, struct err *e) {
    struct referee *referee = &g->referee;
    struct replay replay;
    if (!clocked_game_replay(g, count, &replay, e))
        return false;
    if (clocked_game_mover(g) != NOBODY)
        timing_spend(&g->clocks, &g->timing, clocked_game_mover(g), clocked_game_spent(g, now_ns), false);
    memcpy(referee->state, replay.state, sizeof referee->state);
    referee->game_rng = replay.rng;
    referee->turn = replay.turn;
    referee->actions = count;
    if (count < referee->record->count)
        referee_result(referee, referee->record->result, sizeof referee->record->result);
    referee->record->count = count;
    g->asked_ns = now_ns;
    return true;
}

/* ---- what actions hide and reveal ----
 *
 * Both questions are answered by trying: all actions that could have been played, in all worlds that a side
 * could have been in. No game has code for this, so no game can give a wrong answer. It is asked between
 * decisions, never within a search, so its cost does not matter. */

/* What a side sees after an action, and the random numbers the game draws for it. */
struct observation {
    const struct game *game;
    action played;
    int side;
    struct rng chance;
    _Alignas(16) unsigned char view[GAME_STATE_MAX];
};

/* What the side sees when this is played instead. Chance is the same for all that are compared: another
 * outcome of chance is no other action. */
static void see(const struct observation *seen, const void *state, action a, void *out) {
    struct rng chance = seen->chance;
    memcpy(out, state, seen->game->state_size);
    seen->game->play(out, a, &chance);
    seen->game->hide(out, seen->side);
}

int secret_alike(const struct game *game, const void *state, action played, int side, action *out) {
    out[0] = played;
    if (game->hide == NULL)
        return 1;
    _Alignas(16) unsigned char other[GAME_STATE_MAX];
    struct observation seen = {.game = game, .side = side};
    rng_seed(&seen.chance, 0);
    see(&seen, state, played, seen.view);
    const uint64_t key = game->key(seen.view);
    const int all = game->actions(state, out);
    struct text text = {0}, other_text = {0};
    int count = 0;
    game->text->write_state(seen.view, &text);
    for (int i = 0; i < all; i++) {
        bool is_alike = out[i] == played;
        if (!is_alike)
            see(&seen, state, out[i], other);
        if (!is_alike && game->key(other) == key) {
            /* Keys leave out how a position came about, which a side may see all the same. */
            text_clear(&other_text);
            game->text->write_state(other, &other_text);
            is_alike = strcmp(text_string(&text), text_string(&other_text)) == 0;
        }
        if (is_alike)
            out[count++] = out[i];
    }
    text_done(&text);
    text_done(&other_text);
    if (count == 0) /* legal, but not listed */
        out[count++] = played;
    return count;
}

/* The list is needed for the count only. */
bool secret_is(const struct game *game, const void *state, action played, int side) {
    if (game->hide == NULL)
        return false;
    action *alike = mem_alloc((size_t)game->actions_max * sizeof *alike);
    const int count = secret_alike(game, state, played, side, alike);
    mem_free(alike);
    return count > 1;
}

/* Would this action, played in this world, have given the side the view that it had? */
static bool looks_so(const struct observation *seen, const void *world, action a) {
    _Alignas(16) unsigned char state[GAME_STATE_MAX];
    if (!seen->game->is_legal(world, a))
        return false;
    see(seen, world, a, state);
    return memcmp(state, seen->view, seen->game->state_size) == 0;
}

/* Is this world consistent with the observation? A side's own action is fixed; the other's may be any action
 * with the same view. */
static bool is_possible(const struct observation *seen, const void *world, action *list) {
    if (looks_so(seen, world, seen->played))
        return true;
    if (seen->game->mover(world) == seen->side)
        return false;
    const int count = seen->game->actions(world, list);
    for (int i = 0; i < count; i++)
        if (looks_so(seen, world, list[i]))
            return true;
    return false;
}

/* All worlds of the view are compared by number when there are few, otherwise drawn ones. */
static bool shows(struct observation *seen, const void *state, action *list) {
    const struct game *game = seen->game;
    _Alignas(16) unsigned char view[GAME_STATE_MAX], world[GAME_STATE_MAX];
    game_view(game, state, seen->side, view);
    const double worlds = game->worlds(view);
    if (worlds <= 1)
        return false;
    see(seen, state, seen->played, seen->view);
    if (game->mover(seen->view) == NOBODY)
        return true;
    const bool are_few = worlds <= SECRET_WORLDS_MAX;
    const uint64_t count = are_few ? (uint64_t)worlds : SECRET_WORLDS_MAX;
    for (uint64_t i = 0; i < count; i++) {
        struct rng r;
        memcpy(world, view, game->state_size);
        rng_seed_stream(&r, 0, i);
        if (are_few)
            game->world(world, i);
        else
            game->determinize(world, &r);
        if (!is_possible(seen, world, list))
            return true;
    }
    return false;
}

/* Goes through the record once, from the point that is to be gone back to. */
bool secret_was_shown(const struct replay *back, unsigned sides) {
    const struct game *game = back->scenario->game;
    struct replay replay = *back;
    assert(replay.next <= replay.record->count);
    assert(sides < 4);
    if (game->outcomes != NULL) /* another action could be chosen with the outcome in mind */
        for (struct replay again = *back; again.next < again.record->count; replay_step(&again, NULL))
            if (game->outcomes(again.state, again.record->actions[again.next].action) > 1)
                return true;
    if (game->hide == NULL)
        return false;
    action *list = mem_alloc((size_t)game->actions_max * sizeof *list);
    struct observation seen = {.game = game};
    bool is_legal = true, was_shown = false; /* a record that leaves the rules ends there */
    while (is_legal && !was_shown && replay.next < replay.record->count) {
        seen.played = replay.record->actions[replay.next].action;
        seen.chance = replay.rng;
        for (seen.side = 0; seen.side < 2 && !was_shown; seen.side++)
            was_shown = (sides >> seen.side & 1) != 0 && shows(&seen, replay.state, list);
        is_legal = replay_step(&replay, NULL);
    }
    mem_free(list);
    return was_shown;
}

/* ---- fault reports ---- */

#define FORMAT "senjutsu-bundle"

void fault_report_init(struct fault_report *fault_report) {
    *fault_report = (struct fault_report){0};
    record_init(&fault_report->record);
}

void fault_report_done(struct fault_report *fault_report) {
    record_done(&fault_report->record);
    text_done(&fault_report->clock);
    text_done(&fault_report->transcript.command);
    text_done(&fault_report->transcript.sent);
    text_done(&fault_report->transcript.tail);
}

/* The lines of an external program may be invalid UTF-8; JSON must be valid. */
static json_t *lines_of(const struct text *text) {
    json_t *lines = json_array();
    const char *at = text_string(text), *const end = at + text->size;
    while (at < end) { /* lines of an external program may contain NUL */
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        json_array_append_new(lines, jsontext_string(at, (size_t)((stop != NULL ? stop : end) - at)));
        at = stop != NULL ? stop + 1 : end;
    }
    return lines;
}

bool fault_report_write(const struct fault_report *b, const struct record *record, struct text *out,
                        struct err *e) {
    assert(b->side == 0 || b->side == 1);
    assert(b->fault >= PLAYER_FAULT_NONE);
    assert(b->fault < PLAYER_FAULTS);
    struct text game = {0};
    json_t *record_json = record_write_json(record, &game, e) ? jsontext_own(&game) : NULL;
    text_done(&game);
    if (record_json == NULL)
        return false;
    json_t *root = json_pack(
        "{ss si ss si ss so sf sf ss so so so so}", "format", FORMAT, "version", 1, "ruling",
        player_fault_names[b->fault], "side", b->side, "player", record->players[b->side], "reason",
        jsontext_string(b->reason, strlen(b->reason)), "limit_ms", b->limit_ms, "patience_ms", b->patience_ms,
        "clock", text_string(&b->clock), "command",
        jsontext_string(text_string(&b->transcript.command), b->transcript.command.size), "sent",
        lines_of(&b->transcript.sent), "tail", lines_of(&b->transcript.tail), "record", record_json);
    const bool ok = jsontext_add_line(root, JSON_INDENT(1) | JSON_REAL_PRECISION(6), out);
    json_decref(root);
    return ok || err_set(e, "the fault report cannot be written as JSON: a text in it is not UTF-8");
}

/* Lines go back into one text, as a player's transcript holds them. */
static bool read_lines(const json_t *root, const char *key, struct text *out, struct err *e) {
    const json_t *lines = json_object_get(root, key);
    if (!json_is_array(lines))
        return err_set(e, "\"%s\" is no list of lines", key);
    for (size_t i = 0; i < json_array_size(lines); i++) {
        const char *line = json_string_value(json_array_get(lines, i));
        if (line == NULL)
            return err_set(e, "\"%s\": entry %zu is no text", key, i + 1);
        text_add(out, "%s\n", line);
    }
    return true;
}

/* Texts that are missing are empty, and numbers that are missing 0. */
static bool read_root(json_t *root, struct fault_report *out, struct err *e) {
    const char *ruling = NULL, *reason = "", *clock = "", *command = "";
    json_int_t side = -1;
    if (!jsontext_is(root, FORMAT, e))
        return false;
    json_unpack(root, "{sI ss}", "side", &side, "ruling", &ruling);
    if (side != 0 && side != 1)
        return err_set(e, "\"side\" is neither 0 nor 1");
    out->side = (int)side;
    for (int fault = PLAYER_FAULT_NONE + 1; ruling != NULL && fault < PLAYER_FAULTS; fault++)
        if (strcmp(ruling, player_fault_names[fault]) == 0)
            out->fault = (enum player_fault)fault;
    if (out->fault == PLAYER_FAULT_NONE)
        return err_set(e, "\"ruling\" is no ruling that is known");
    if (!read_lines(root, "sent", &out->transcript.sent, e) ||
        !read_lines(root, "tail", &out->transcript.tail, e))
        return false;
    json_unpack(root, "{s?s}", "reason", &reason);
    json_unpack(root, "{s?s}", "clock", &clock);
    json_unpack(root, "{s?s}", "command", &command);
    json_unpack(root, "{s?F}", "limit_ms", &out->limit_ms);
    json_unpack(root, "{s?F}", "patience_ms", &out->patience_ms);
    charset_copy(out->reason, sizeof out->reason, reason, strlen(reason));
    charset_disarm(out->reason); /* it is only shown */
    text_add_string(&out->clock, clock);
    text_add_string(&out->transcript.command, command);
    struct text text = {0};
    const bool ok = jsontext_member(root, "record", &text, e) &&
                    record_read_json("its record", text_string(&text), text.size, &out->record, e);
    text_done(&text);
    return ok;
}

/* The file may come from another person: every field is checked, and its texts are only shown. */
bool fault_report_read(const char *name, const char *text, size_t size, struct fault_report *out,
                       struct err *e) {
    json_t *root = jsontext_load(name, text, size, e);
    if (root == NULL)
        return false;
    const bool ok = read_root(root, out, e);
    json_decref(root);
    return ok || err_prefix(e, "%s: ", name);
}
