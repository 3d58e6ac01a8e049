/* SPDX-License-Identifier: MIT
 *
 * `go`: asking the player for an action, or for a whole turn.
 */
#include "protocol/session_inside.h"

#include <math.h>
#include <string.h>

struct go {
    struct budget budget;
    bool whole_turn;
    int decisions; /* the turn has left, when it is to be played whole */
};

static bool read_go(const struct session *s, char *arguments, struct go *go, struct err *e) {
    *go = (struct go){.budget = session_budget(s)};
    const struct session_limits *limits = s->setup.limits;
    char *rest = NULL;
    for (char *word = strtok_r(arguments, " \t", &rest); word != NULL; word = strtok_r(NULL, " \t", &rest)) {
        if (strcmp(word, "turn") == 0) {
            go->whole_turn = true;
            continue;
        }
        unsigned long long number = 0;
        const char *value = strtok_r(NULL, " \t", &rest);
        const bool has_number = value != NULL && text_to_u64(value, &number) && number > 0;
        if (has_number && strcmp(word, "sims") == 0)
            go->budget.work_max = number;
        else if (has_number && strcmp(word, "time") == 0 && number <= SESSION_TIME_MAX &&
                 s->setup.clock != NULL)
            go->budget.time_ns_max = (int64_t)number * 1000000;
        else
            return err_set(e, "go takes sims N, time MS and turn");
        if (limits != NULL && go->budget.time_ns_max > limits->command_ns)
            return err_set(e, "go time %.20s: expected at most %lld here", value,
                           (long long)(limits->command_ns / 1000000));
    }
    return true;
}

/* What one decision may cost when the limit (0: none) is for all the turn's decisions that are left. */
static uint64_t share(uint64_t limit, int decisions) {
    return limit == 0 || decisions < 2 ? limit : limit / (uint64_t)decisions + 1;
}

/* A turn as it is thought of: where it stands and what was chosen so far. */
struct turn_ahead {
    _Alignas(16) unsigned char state[GAME_STATE_MAX];
    struct record_line line;
    action chosen[SESSION_TURN_MAX];
    struct text best;
    uint64_t work;
    double first_value;
};

/* Asks the player for the turn's next action. A whole turn's limits are shared by its decisions. */
static void choose(struct session *s, struct turn_ahead *t, const struct go *go, struct answer *answer) {
    struct rng r;
    rng_seed_stream(&r, s->setup.seed, s->decisions++);
    const int all = go->whole_turn ? go->decisions : 1;
    struct budget budget = go->budget;
    budget.work_max = share(budget.work_max, all);
    budget.time_ns_max = (int64_t)share((uint64_t)budget.time_ns_max, all);
    const struct course course = record_course(&t->line, s->scenario);
    const struct position_ask ask = {.game = s->scenario->game,
                                     .state = t->state,
                                     .taken = s->replay.turn.taken + t->line.further_count,
                                     .budget = budget,
                                     .rng = &r,
                                     .course = s->placed ? NULL : &course}; /* which begins elsewhere */
    player_choose_in(s->player, &ask, answer);
}

/* One more action of the turn; false (with a fault in the answer, or without) when it was the last. */
static bool go_on(struct session *s, struct turn_ahead *t, const struct go *go, struct answer *answer) {
    const struct game *game = s->scenario->game;
    const int side = game->mover(t->state), turn = game->turn(t->state);
    choose(s, t, go, answer);
    if (answer->fault != PLAYER_FAULT_NONE)
        return false;
    text_add_string(&t->best, " ");
    game->text->write_action(t->state, answer->chosen, &t->best);
    if (t->line.further_count == 0)
        t->first_value = answer->value;
    t->work += answer->work_done;
    t->chosen[t->line.further_count++] = answer->chosen;
    if (!go->whole_turn || !game->is_legal(t->state, answer->chosen) ||
        t->line.further_count == SESSION_TURN_MAX)
        return false;
    game->play(t->state, answer->chosen, NULL);
    return turn_goes_on(game, t->state, side, turn);
}

static void say_best(struct session *s, const struct go *go, struct text *out) {
    struct turn_ahead t = {.line = {.record = &s->record, .count = s->replay.next}};
    struct answer answer;
    t.line.further = t.chosen;
    memcpy(t.state, s->replay.state, s->scenario->game->state_size);
    while (go_on(s, &t, go, &answer))
        continue;
    if (answer.fault != PLAYER_FAULT_NONE) {
        text_add(out, "error %s\n", answer.reason);
    } else if (t.best.failed) {
        text_add_string(out, "error not enough memory\n");
    } else {
        if (!isnan(t.first_value))
            text_add(out, "info value %g\n", t.first_value);
        if (session_time_is_over(&go->budget))
            text_add(out, "info limit %lld\n", (long long)(s->setup.limits->command_ns / 1000000));
        text_add(out, "info work %llu\nbest%s\nok\n", (unsigned long long)t.work, text_string(&t.best));
    }
    text_done(&t.best);
}

void session_go(struct session *s, char *arguments, struct text *out) {
    struct err e;
    struct go go;
    if (!session_has_position(s, out))
        return;
    if (s->scenario->game->mover(s->replay.state) == NOBODY) {
        text_add_string(out, "error the game is over\n");
        return;
    }
    if (session_plays_one_side(s) && (!session_side_is_set(s, out) || !session_side_is_to_move(s, out)))
        return;
    if (s->player == NULL)
        s->player = player_open_granted(text_string(&s->player_spec), s->scenario->game, s->setup.grant, &e);
    if (s->player == NULL || !read_go(s, arguments, &go, &e)) {
        session_error(out, &e);
        return;
    }
    go.decisions = s->scenario->game->progress(s->replay.state).left;
    if (go.whole_turn && s->partial && go.decisions > 1) {
        text_add_string(out, "error only a part of the position is known; ask for one action at a time\n");
        return;
    }
    go.whole_turn = go.whole_turn && !s->partial;
    say_best(s, &go, out);
}
