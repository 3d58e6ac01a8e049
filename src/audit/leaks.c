/* SPDX-License-Identifier: MIT
 *
 * The player is asked about each position, then about states indistinguishable from it, then about all of
 * them once more in another order, so that a player that remembers earlier questions is detected.
 * Consecutive questions belong to different games: an external program, which draws its random numbers at
 * the start of a game, draws new ones.
 */
#include "audit/leaks.h"

#include "base/mem.h"
#include "match/clocked_game.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum {
    DRAWS_PER_STATE = 8,      /* attempts to draw one more state that is not in the list */
    VISITS_PER_POSITION = 50, /* positions visited per position wanted, before the search is given up */
    VIEWS_STORED = 256,       /* views of earlier positions to compare with */
    SECRETS_MAX = 64,         /* actions of one game that the other side does not see */
    PASTS_TRIED = 64,         /* attempts to replace them by other actions that lead to the same view */
    OPENING = 4,              /* first actions of a game, each of which is examined */
    EXAMINED_PER_GAME = 24,   /* about how many positions of a game are examined */
    STREAM_EXAMINE = 0,       /* random stream: which positions are examined */
    STREAM_PLAY = 1,          /* random actions; higher streams: players and indistinguishable states */
};

/* An answer, and the state of the generator after it: a player that draws more numbers in one state than
 * in another would differ in its next answer. */
struct reply {
    struct answer answer;
    struct rng after;
};

/* The view at an earlier position. The key of a view need not cover its history, so everything the side
 * saw before is compared too. */
struct seen {
    uint64_t key, path;
    int game, side;
    _Alignas(16) unsigned char view[GAME_STATE_MAX];
};

/* One search: the task, the random game under way and what is known of its past, and the states in which the
 * player was asked last. */
struct leak_search {
    const struct leaks_task *task;
    struct leaks_report *out;
    struct referee referee; /* of the random game */
    struct record record;
    uint64_t game_seed;
    struct rng play, look;
    uint64_t path[2];    /* hash of the keys of all views that each side had in the game */
    int secret_count[2]; /* the actions that each side did not see */
    int secrets[2][SECRETS_MAX];
    action *actions;
    unsigned char *states; /* the position and the states indistinguishable from it, state_size bytes each */
    struct reply *replies; /* replies in them: first time, and at offset `count` second time */
    int count;             /* of states */
    int seen_count;
    struct seen seen[VIEWS_STORED];
    struct err *e;
};

/* ---- indistinguishable states ---- */

static const struct game *game_of(const struct leak_search *h) {
    return h->task->scenario->game;
}

static void *state_at(const struct leak_search *h, int i) {
    return h->states + (size_t)i * GAME_STATE_MAX;
}

/* Two equal states would prove nothing. */
static bool is_new(const struct leak_search *h, const void *state) {
    for (int i = 0; i < h->count; i++)
        if (memcmp(state_at(h, i), state, game_of(h)->state_size) == 0)
            return false;
    return true;
}

/* Extends the hash of a side's history by one view. */
static uint64_t path_on(const struct game *game, uint64_t path, const void *state, int side) {
    _Alignas(16) unsigned char view[GAME_STATE_MAX];
    game_view(game, state, side, view);
    return rng_mix(path ^ game->key(view));
}

/* Replays the game with other actions where `side` could not see them. True when its views are the same. */
static bool replay_otherwise(const struct leak_search *h, int side, struct rng *r, void *out) {
    const struct game *game = game_of(h);
    struct rng chance = record_game_rng(h->record.seed, h->record.deal);
    uint64_t path = 0;
    int secret = 0;
    game->start(out, h->task->scenario, &chance);
    for (int i = 0; i < h->record.count; i++) {
        action a = h->record.actions[i].action;
        if (game->mover(out) == NOBODY || !game->is_legal(out, a))
            return false;
        if (secret < h->secret_count[side] && h->secrets[side][secret] == i) {
            const int count = secret_alike(game, out, a, side, h->actions);
            a = h->actions[rng_below(r, (uint32_t)count)];
            secret++;
        }
        game->play(out, a, &chance);
        path = path_on(game, path, out, side);
    }
    return path == h->path[side];
}

/* Adds a state with another history, if there is one: bytes that `hide` failed to erase differ there. Then
 * adds all worlds of the view when there are few, otherwise a random selection. */
static void find_indistinguishable(struct leak_search *h, const void *view, struct rng *r) {
    const struct game *game = game_of(h);
    const int side = referee_mover(&h->referee);
    const double worlds = game->worlds(view);
    const bool all = worlds <= h->task->alike + 1;
    const int tries = all ? (int)worlds : h->task->alike * DRAWS_PER_STATE;
    h->count = 1;
    for (int i = 0; h->secret_count[side] > 0 && i < PASTS_TRIED && h->count == 1; i++)
        h->count += replay_otherwise(h, side, r, state_at(h, 1)) && is_new(h, state_at(h, 1));
    for (int i = 0; i < tries && h->count <= h->task->alike; i++) {
        void *other = state_at(h, h->count);
        memcpy(other, view, game->state_size);
        if (all)
            game->world(other, (uint64_t)i);
        else
            game->determinize(other, r);
        h->count += is_new(h, other);
    }
}

/* ---- asking ---- */

/* Asks about state i as a referee does, in game `number`: 0 is the game that was played, others are
 * hypothetical games, with another seed and number and other random numbers of other participants. */
static bool ask(struct leak_search *h, int i, int number, struct reply *out) {
    const struct leaks_task *task = h->task;
    struct referee referee = h->referee;
    struct record record = h->record; /* shares the actions array */
    struct game_history history;
    struct ask question;
    referee.record = &record;
    memcpy(referee.state, state_at(h, i), game_of(h)->state_size);
    if (number > 0) {
        record.seed = rng_job_seed(record.seed, (uint64_t)number);
        referee.game_rng = record_game_rng(record.seed, record.deal);
        for (int side = 0; side < 2; side++)
            rng_seed_stream(&referee.seat_rng[side], record.seed, (uint64_t)(RECORD_STREAM_SEAT + side));
    }
    referee_ask(&referee, &question);
    rng_seed_stream(question.rng, task->seed, (uint64_t)h->out->positions + STREAM_PLAY + 1);
    referee_history(&referee, &history);
    question.history = &history;
    question.budget = (struct budget){.work_max = task->work, .clock = task->clock, .stop = task->stop};
    player_choose(task->player, &question, &out->answer);
    out->after = *question.rng;
    if (out->answer.fault == PLAYER_FAULT_NONE)
        return true;
    if (out->answer.fault == PLAYER_SHORTAGE)
        return err_set(h->e, "the player cannot be asked: %s", out->answer.reason);
    return err_set(h->e, "the player is at fault (%s): %s", player_fault_names[out->answer.fault],
                   out->answer.reason);
}

static bool is_same_value(double a, double b) {
    return a == b || (isnan(a) && isnan(b));
}

/* All that a player reports, and what it has drawn: a leak may show in the work first. */
static bool is_same(const struct reply *a, const struct reply *b) {
    return a->answer.chosen == b->answer.chosen && is_same_value(a->answer.value, b->answer.value) &&
           a->answer.work_done == b->answer.work_done && a->answer.leaves == b->answer.leaves &&
           memcmp(&a->after, &b->after, sizeof a->after) == 0;
}

/* ---- findings as text ---- */

/* Counts a finding. True when it is the first: the text begins with the place, and state i beside it. */
static bool note(struct leak_search *h, int *counter, int i) {
    const struct leaks_report *out = h->out;
    struct text *t = &h->out->first;
    const struct game *game = game_of(h);
    assert(i >= 0 && i < h->count);
    ++*counter;
    if (out->views + out->stored + out->answers + out->unsteady != 1)
        return false;
    text_add(t, "game %d after %d actions, %s to move: in '", out->games, h->referee.actions,
             game->text->side_names[referee_mover(&h->referee)]);
    game_write_line(game, state_at(h, 0), t);
    if (i > 0) {
        text_add_string(t, "' and in '");
        game_write_line(game, state_at(h, i), t);
    }
    text_add_string(t, "'");
    return true;
}

/* Only what differs is written beside the action. */
static void write_reply(struct leak_search *h, const struct reply *reply, const struct reply *other) {
    struct text *t = &h->out->first;
    const struct answer *a = &reply->answer, *b = &other->answer;
    game_of(h)->text->write_action(h->referee.state, a->chosen, t);
    const size_t start = t->size;
    if (!is_same_value(a->value, b->value))
        text_add(t, ", value %.17g", a->value);
    if (a->work_done != b->work_done || a->leaves != b->leaves)
        text_add(t, ", work %llu, leaves %llu", (unsigned long long)a->work_done,
                 (unsigned long long)a->leaves);
    if (memcmp(&reply->after, &other->after, sizeof reply->after) != 0)
        text_add(t, ", random numbers left at %016llx", (unsigned long long)reply->after.s[0]);
    if (t->size > start) {
        memcpy(t->data + start, " (", 2); /* in place of the first comma */
        text_add_string(t, ")");
    }
}

/* Appends " it answers E4 (value 0.5) and D3 (value 0.25)": both answers with what differs. */
static void write_replies(struct leak_search *h, const char *what, const struct reply *one,
                          const struct reply *other) {
    text_add_string(&h->out->first, what);
    write_reply(h, one, other);
    text_add_string(&h->out->first, " and ");
    write_reply(h, other, one);
}

/* ---- comparing ---- */

/* An interrupted answer proves nothing, so this is tested before any comparison. */
static bool is_stopped(const struct leak_search *h) {
    return budget_is_stopped(h->task->stop);
}

/* Index of the first byte that differs; state_size when all are equal. */
static size_t differ_at(const struct leak_search *h, const unsigned char *one, const unsigned char *other) {
    size_t at = 0;
    while (at < game_of(h)->state_size && one[at] == other[at])
        at++;
    return at;
}

/* Indistinguishable states are made from the view, so bytes that `hide` failed to erase may be equal in
 * all of them. They differ in another game, dealt differently, that reached the same view. */
static void compare_with_earlier(struct leak_search *h, const unsigned char *view) {
    const struct game *game = game_of(h);
    const uint64_t key = game->key(view);
    const int side = referee_mover(&h->referee);
    for (int i = 0; i < h->seen_count; i++) {
        const struct seen *seen = &h->seen[i];
        if (seen->key != key || seen->side != side || seen->path != h->path[side])
            continue;
        const size_t at = differ_at(h, view, seen->view);
        if (at == game->state_size)
            continue;
        if (note(h, &h->out->stored, 0))
            text_add(&h->out->first,
                     " the view has the key of one in another game (%d), but not its bytes: byte %zu is %d "
                     "and %d",
                     seen->game, at, view[at], seen->view[at]);
        return;
    }
    if (h->seen_count == VIEWS_STORED)
        return;
    struct seen *seen = &h->seen[h->seen_count++];
    *seen = (struct seen){.key = key, .path = h->path[side], .game = h->out->games, .side = side};
    memcpy(seen->view, view, game->state_size);
}

/* Asks about the position itself under the other game's number: detects answers that depend on the game. */
static bool compare_answers(struct leak_search *h, int i) {
    const struct reply *one = &h->replies[0], *other = &h->replies[i];
    struct reply renumbered;
    if (is_same(one, other) || !note(h, &h->out->answers, i))
        return true;
    if (!ask(h, 0, i, &renumbered))
        return false;
    write_replies(h, " it answers ", one, other);
    if (!is_same(one, &renumbered))
        text_add_string(&h->out->first, ", and so it does in the first of them as soon as that is said to be "
                                        "another game: it goes by which game it is");
    return true;
}

/* Asks about the position and all states indistinguishable from it, twice. The second round runs backwards
 * from the last but one and ends with the last: no state is asked about twice in a row. */
static bool examine(struct leak_search *h) {
    const struct game *game = game_of(h);
    _Alignas(16) unsigned char view[GAME_STATE_MAX], other[GAME_STATE_MAX];
    struct rng r;
    memcpy(state_at(h, 0), h->referee.state, game->state_size);
    game_view(game, h->referee.state, referee_mover(&h->referee), view);
    rng_seed_stream(&r, h->game_seed, (uint64_t)h->referee.actions + STREAM_PLAY + 1);
    find_indistinguishable(h, view, &r);
    const int count = h->count, last = count - 1;
    if (count == 1) {
        h->out->alone++;
        return true;
    }
    for (int k = 0; k < 2 * count; k++) {
        const int i = k < count ? k : k == 2 * count - 1 ? last : last - 1 - (k - count);
        if (!ask(h, i, i, &h->replies[k < count ? i : count + i]))
            return false;
    }
    if (is_stopped(h))
        return true;
    compare_with_earlier(h, view);
    for (int i = 1; i < count; i++) {
        game_view(game, state_at(h, i), referee_mover(&h->referee), other);
        const size_t at = differ_at(h, view, other); /* `hide` must give the same bytes for both states */
        if (at < game->state_size && note(h, &h->out->views, i))
            text_add(
                &h->out->first,
                " the views differ, although each of these states can be taken for the other: byte %zu is "
                "%d and %d",
                at, view[at], other[at]);
        if (!compare_answers(h, i))
            return false;
    }
    for (int i = 0; i < count; i++)
        if (!is_same(&h->replies[i], &h->replies[count + i]) && note(h, &h->out->unsteady, 0))
            write_replies(h, " it answers the same question differently the second time: ", &h->replies[i],
                          &h->replies[count + i]);
    h->out->positions++;
    h->out->alike += count - 1;
    return true;
}

/* ---- positions ---- */

/* The search ends when most positions have no indistinguishable state: the game hides too little there. */
static bool wants_more(const struct leak_search *h) {
    const int met = h->out->positions + h->out->alone;
    return !is_stopped(h) && h->out->positions < h->task->positions &&
           met / VISITS_PER_POSITION < h->task->positions;
}

/* A random action of the mover. Notes whether each side could see which one it was. */
static bool play_on(struct leak_search *h) {
    const struct game *game = game_of(h);
    const int count = game->actions(h->referee.state, h->actions);
    const action played = h->actions[rng_below(&h->play, (uint32_t)count)];
    for (int side = 0; side < 2; side++)
        if (secret_alike(game, h->referee.state, played, side, h->actions) > 1 &&
            h->secret_count[side] < SECRETS_MAX)
            h->secrets[side][h->secret_count[side]++] = h->referee.actions;
    if (!referee_answer(&h->referee, played, -1, h->e))
        return false;
    for (int side = 0; side < 2; side++)
        h->path[side] = path_on(game, h->path[side], h->referee.state, side);
    return true;
}

/* Games follow from the task's seed and their number, so a finding can be repeated. */
static void start_game(struct leak_search *h, uint64_t number) {
    h->game_seed = rng_job_seed(h->task->seed, number);
    h->record.count = 0;
    referee_start(&h->referee, h->task->scenario, h->game_seed, &h->record);
    rng_seed_stream(&h->play, h->game_seed, STREAM_PLAY);
    rng_seed_stream(&h->look, h->game_seed, STREAM_EXAMINE);
    for (int side = 0; side < 2; side++) {
        h->path[side] = 0;
        h->secret_count[side] = 0;
    }
}

/* The first game is only played, not examined. Its actions depend on the seed alone, so the same command
 * finds the same leaks. */
static bool search_for_leaks(struct leak_search *h) {
    /* The length of a game decides how densely games are examined. */
    start_game(h, 0);
    while (referee_mover(&h->referee) != NOBODY && !is_stopped(h))
        if (!play_on(h))
            return false;
    const int length = h->referee.actions;
    const int stride = length > EXAMINED_PER_GAME ? length / EXAMINED_PER_GAME : 1;
    while (wants_more(h)) {
        const int met = h->out->positions + h->out->alone;
        start_game(h, (uint64_t)h->out->games++);
        while (referee_mover(&h->referee) != NOBODY && wants_more(h)) {
            /* Every position of the opening, where hidden choices are made, and then every stride-th. */
            const bool is_examined =
                stride == 1 || h->referee.actions < OPENING || rng_below(&h->look, (uint32_t)stride) == 0;
            if ((is_examined && !examine(h)) || !play_on(h))
                return false;
        }
        if (h->out->positions + h->out->alone == met)
            return is_stopped(h) || err_set(h->e, "the game is over at its start");
    }
    h->out->stopped = is_stopped(h) && h->out->positions < h->task->positions;
    return true;
}

/* The arrays are sized once for the largest list of states. */
bool leaks_find(const struct leaks_task *task, struct leaks_report *out, struct err *e) {
    const struct game *game = task->scenario->game;
    *out = (struct leaks_report){0};
    assert(task->positions > 0);
    assert(task->alike > 0 && task->alike <= LEAKS_ALIKE_MAX);
    if (game->hide == NULL)
        return err_set(e, "%s hides nothing: there is nothing to leak", game->name);
    struct leak_search *h = mem_alloc(sizeof *h);
    h->task = task;
    h->out = out;
    h->e = e;
    record_init(&h->record);
    h->actions = mem_alloc((size_t)game->actions_max * sizeof *h->actions);
    h->states = mem_alloc((size_t)(task->alike + 2) * GAME_STATE_MAX);
    h->replies = mem_alloc(2 * (size_t)(task->alike + 1) * sizeof *h->replies);
    const bool ok = search_for_leaks(h);
    record_done(&h->record);
    mem_free(h->actions);
    mem_free(h->states);
    mem_free(h->replies);
    mem_free(h);
    return ok;
}

void leaks_report_done(struct leaks_report *report) {
    text_done(&report->first);
}

bool leaks_none(const struct leaks_report *report) {
    return report->positions > 0 && report->views + report->stored + report->answers + report->unsteady == 0;
}
