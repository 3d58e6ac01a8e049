/* SPDX-License-Identifier: MIT
 *
 * The engine protocol's session. The position is a record: `play` appends to it, `undo` shortens it and
 * replays, so undo cannot disagree with the rules. Sections: limits of one command, Geister for one side,
 * `go`, the other verbs, and the table of all verbs.
 */
#include "protocol/session.h"

#include "base/file.h"
#include "base/mem.h"
#include "game/geister/geister.h"
#include "game/tbs/tbs.h"
#include "match/clocked_game.h"
#include "match/record.h"
#include "player/player.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SESSION_SETUPS = 2 }; /* actions of a Geister game before its first move */

/* A game of Geister in which the engine plays one side. */
struct session_side {
    int plays;         /* the side, or NOBODY: the engine has the whole game */
    bool is_set;       /* its reds were sent or chosen */
    unsigned own_reds; /* one bit per piece, bit 0: A */
    unsigned their[2]; /* the other side's pieces known to be blue, and to be red */
};

struct session {
    struct session_setup setup;
    struct text player_spec;
    bool player_chosen;    /* with `setoption` */
    struct spec game_spec; /* points into itself: filled in place */
    const struct game *game;
    struct scenario *scenario; /* NULL before a map was sent, if the game needs one */
    struct player *player;     /* opened at the first go */
    struct record record;
    struct replay replay;
    bool placed;  /* the position was sent as text: the record begins there instead of at the game's start */
    bool partial; /* and it is the view of one side: actions cannot be played on it */
    _Alignas(16) unsigned char base[GAME_STATE_MAX]; /* that position */
    struct session_side one_side;
    action *actions;    /* room for every list of the game: actions_max */
    uint64_t decisions; /* selects the random stream of each `go` */
    uint64_t games;     /* number of games since the seed was set: selects the deal */
    bool in_map;
    bool map_too_large; /* the whole map, or one of its lines */
    struct text map_lines;
    const char *verb; /* of the current command */
    struct text *out; /* the answer to it */
};

static bool plays_one_side(const struct session *s) {
    return s->one_side.plays != NOBODY;
}

/* ---- limits of one command ---- */

/* The budget of one command: the setup's stop flag, and the time limit of a network peer. The limit holds for
 * all commands alike, so that perft cannot occupy a core for longer than a search may. */
static struct budget command_budget(const struct session *s) {
    struct budget budget = {.clock = s->setup.clock, .stop = s->setup.stop};
    if (s->setup.limits != NULL)
        budget.deadline_ns = clock_now_ns(s->setup.clock) + s->setup.limits->command_ns;
    return budget;
}

/* True when that time limit has passed. */
static bool time_is_over(const struct budget *budget) {
    return budget->deadline_ns > 0 && clock_now_ns(budget->clock) >= budget->deadline_ns;
}

/* ---- Geister for one side ---- */

/* `newgame geister side=0`: the game begins after the set-ups. The engine is sent its own set-up, and of the
 * other side's colours only those that its side sees. The position assumes the rest, in any way that makes
 * four pieces red: the side's view does not depend on it. When a colour turns out to differ, the actions are
 * replayed with another set-up. */

enum { BLUE, RED };

static const char colours[] = {[BLUE] = 'b', [RED] = 'r'};

/* The known reds, filled up to four with pieces of unknown colour; before the set-up the own ones too. */
static unsigned assumed_reds(const struct session_side *side, int owner) {
    if (owner == side->plays && side->is_set)
        return side->own_reds;
    unsigned reds = owner == side->plays ? 0 : side->their[RED];
    const unsigned blues = owner == side->plays ? 0 : side->their[BLUE];
    for (unsigned piece = 1; bits_count(reds) < GEISTER_REDS; piece <<= 1)
        reds |= piece & ~blues;
    return reds;
}

/* Replays the game from the start with the colours known now; false when they do not allow the actions. A
 * game has at most a few hundred actions, so this takes microseconds; changing the colours in place would
 * have to repeat what the rules derive from them. */
static bool replay_all(struct session *s, struct err *e) {
    for (int owner = 0; owner < 2; owner++)
        s->record.actions[owner].action = geister_setup(assumed_reds(&s->one_side, owner));
    return replay_to(&s->replay, &s->record, s->scenario, s->record.count, e);
}

/* Fills this side's view of the position, also at the end of the game. */
static void side_view(const struct session *s, void *out) {
    assert(plays_one_side(s));
    const int other = s->one_side.plays ^ 1;
    struct geister *view = out;
    memcpy(view, s->replay.state, sizeof *view);
    const uint8_t stage = view->stage;
    /* At the end `hide` erases nothing, but the colours are still unknown here. */
    view->stage = GEISTER_PLAYING;
    geister_game.hide(view, s->one_side.plays);
    if (!s->one_side.is_set)
        geister_game.hide(view, other);
    for (int piece = 0; piece < GEISTER_PIECES; piece++)
        if (view->where[other][piece] == GEISTER_ESCAPED)
            view->known[other] |= (uint8_t)(1U << piece);
    view->stage = stage;
}

static bool side_is_set(const struct session *s, struct err *e) {
    return s->one_side.is_set || err_set(e, "there is no set-up yet; send setup BCFG, say, or setup?");
}

/* The player is opened at its first decision: a session that only plays and counts needs none. */
static bool open_player(struct session *s, struct err *e) {
    if (s->player == NULL)
        s->player = player_open_granted(text_string(&s->player_spec), s->scenario->game, s->setup.grant, e);
    return s->player != NULL;
}

/* Asks the player for its set-up; for the second side after an arbitrary set-up of the first. */
static bool ask_setup(struct session *s, unsigned *reds, struct err *e) {
    struct geister start;
    struct answer answer;
    struct rng r;
    if (!open_player(s, e))
        return false;
    rng_seed_stream(&r, s->setup.seed, s->decisions++);
    geister_game.start(&start, s->scenario, NULL);
    if (s->one_side.plays == 1)
        geister_game.play(&start, geister_setup(geister_setup_reds(0)), NULL);
    const struct ask ask = {
        .game = s->scenario->game, .view = &start, .budget = command_budget(s), .rng = &r};
    player_choose_in(s->player, &ask, &answer);
    if (answer.fault != PLAYER_FAULT_NONE)
        return err_set(e, "%s", answer.reason);
    if (!geister_game.is_legal(&start, answer.chosen))
        return err_set(e, "the player chose a set-up that the rules forbid");
    *reds = answer.chosen & ~(action)GEISTER_SETUP_FLAG;
    return true;
}

/* `setup LETTERS`, or `setup?`: the player chooses. */
static bool do_setup(struct session *s, char *letters, struct err *e) {
    const bool chooses = strcmp(s->verb, "setup?") == 0;
    char chosen[GEISTER_REDS + 1];
    unsigned reds = 0;
    if (!plays_one_side(s))
        return err_set(e, "setup belongs to newgame geister side=0 or side=1; otherwise set-ups are actions");
    if (s->record.count != SESSION_SETUPS)
        return err_set(e, "the game is under way: the set-up is made");
    if (!(chooses ? ask_setup(s, &reds, e) : geister_read_reds(letters, &reds, e)))
        return false;
    assert(bits_count(reds) == GEISTER_REDS);
    s->one_side.own_reds = reds;
    s->one_side.is_set = true;
    const bool is_legal = replay_all(s, NULL);
    assert(is_legal); /* only set-ups were played so far */
    if (chooses) {
        geister_write_reds(reds, chosen);
        text_add(s->out, "setup %s\n", chosen);
    }
    return is_legal;
}

/* Does this side know the colour of the piece? It always knows its own. What the state knows cannot be asked
 * here: there the assumed colours are known as well. */
static bool is_known(const struct session_side *side, int owner, int piece) {
    return owner == side->plays || ((side->their[BLUE] | side->their[RED]) >> piece & 1) != 0;
}

/* Records the colour of a piece of the other side; false without a change when it contradicts others. */
static bool learn(struct session *s, int piece, int colour, struct err *e) {
    assert(piece >= 0 && piece < GEISTER_PIECES);
    assert(colour == BLUE || colour == RED);
    const struct session_side before = s->one_side;
    s->one_side.their[colour] |= 1U << piece;
    if (bits_count(s->one_side.their[colour]) <= GEISTER_REDS && replay_all(s, NULL))
        return true;
    s->one_side = before;
    replay_all(s, NULL);
    return err_set(e, "taken=%c: there are four of each colour, and the others are known", colours[colour]);
}

/* An action of the other side that only a blue piece can play shows that the piece is blue. */
static bool read_other(struct session *s, const char *text, action *out, struct err *e) {
    static const char letters[] = "ABCDEFGHabcdefgh";
    const char *letter = text[0] != '\0' ? strchr(letters, text[0]) : NULL;
    const struct session_side before = s->one_side;
    const int piece = letter != NULL ? (int)(letter - letters) % GEISTER_PIECES : 0;
    if (geister_game.text->read_action(s->replay.state, text, out, e))
        return true;
    if (letter == NULL || is_known(&s->one_side, s->one_side.plays ^ 1, piece) ||
        !learn(s, piece, BLUE, NULL))
        return false;
    if (geister_game.text->read_action(s->replay.state, text, out, NULL))
        return true;
    s->one_side = before;
    replay_all(s, NULL);
    return false;
}

/* Checks the given colour of the piece that the action takes from the side not to move: it must agree with
 * known colours, and must be given when this side sees it. */
static bool check_taken(struct session *s, action a, int colour, struct err *e) {
    const struct geister *board = (const void *)s->replay.state;
    const int owner = board->mover ^ 1, piece = geister_piece_at(board, owner, geister_target(a));
    if (piece < 0)
        return colour < 0 || err_set(e, "taken=%c: that takes nothing", colours[colour]);
    if (!is_known(&s->one_side, owner, piece))
        return colour >= 0 ? learn(s, piece, colour, e)
                           : err_set(e, "that takes a piece: say its colour, taken=r or taken=b");
    const int known = (board->reds[owner] >> piece & 1) != 0 ? RED : BLUE;
    return colour < 0 || colour == known ||
           err_set(e, "taken=%c: the piece is known to be %c", colours[colour], colours[known]);
}

/* Plays an action of either side, "AN taken=r" with the colour that is seen; changes `text`. */
static bool side_play(struct session *s, char *text, struct err *e) {
    char *taken = strstr(text, "taken=");
    int colour = -1; /* not given */
    action a;
    if (taken != NULL) {
        const char *given = taken + strlen("taken=");
        for (int i = BLUE; i <= RED; i++)
            if (given[0] == colours[i] && given[1] == '\0')
                colour = i;
        if (colour < 0)
            return err_set(e, "taken=%.16s: expected r or b", given);
        *taken = '\0';
    }
    const char *word = text_trim(text);
    const bool is_read = geister_game.mover(s->replay.state) != s->one_side.plays
                             ? read_other(s, word, &a, e)
                             : geister_game.text->read_action(s->replay.state, word, &a, e);
    return is_read && check_taken(s, a, colour, e) && record_add(&s->record, a, RECORD_NO_TIME, e) &&
           replay_step(&s->replay, e);
}

/* ---- go ---- */

/* A `go`: its limits, and the turn being searched with its current state and the actions chosen so far. */
struct go {
    struct budget budget;
    bool whole_turn;
    int decisions; /* decisions left in the turn, when a whole turn is asked for */
    _Alignas(16) unsigned char state[GAME_STATE_MAX];
    struct record_line line;
    action chosen[SESSION_TURN_MAX];
    struct text best;
    uint64_t work;
    double first_value;
};

/* Reads `sims N`, `time MS` and `turn`, in any order. The time limit of a network peer is checked here,
 * before the search begins. */
static bool read_go(const struct session *s, char *arguments, struct go *go, struct err *e) {
    go->budget = command_budget(s);
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

/* The share of one decision in a limit (0: none) for all remaining decisions of the turn. It is never 0 by
 * division: that would mean no limit. */
static uint64_t share(uint64_t limit, int decisions) {
    return limit == 0 || decisions < 2 ? limit : limit / (uint64_t)decisions + 1;
}

/* Asks the player for one more action of the turn; the limits of a whole turn are divided among its
 * decisions. False, with or without a fault in the answer, when it was the last. */
static bool choose_next(struct session *s, struct go *go, struct answer *answer) {
    assert(s->player != NULL);
    assert(go->line.further_count < SESSION_TURN_MAX);
    const struct game *game = s->scenario->game;
    const int side = game->mover(go->state), turn = game->turn(go->state);
    const int all = go->whole_turn ? go->decisions : 1;
    struct rng r;
    /* A stream of its own for each decision: how many numbers an earlier one has drawn does not matter. */
    rng_seed_stream(&r, s->setup.seed, s->decisions++);
    const struct game_history history = record_history(&go->line, s->scenario);
    struct ask ask = {.game = game,
                      .view = go->state,
                      .taken = s->replay.turn.taken + go->line.further_count,
                      .budget = go->budget,
                      .rng = &r,
                      .history = s->placed ? NULL : &history}; /* a sent position has no history */
    ask.budget.work_max = share(ask.budget.work_max, all);
    ask.budget.time_ns_max = (int64_t)share((uint64_t)ask.budget.time_ns_max, all);
    player_choose_in(s->player, &ask, answer);
    if (answer->fault != PLAYER_FAULT_NONE)
        return false;
    text_add_string(&go->best, " ");
    game->text->write_action(go->state, answer->chosen, &go->best);
    if (go->line.further_count == 0)
        go->first_value = answer->value;
    go->work += answer->work_done;
    go->chosen[go->line.further_count++] = answer->chosen;
    /* An illegal action is answered as it is: `play` will refuse it. After an action with several outcomes
     * the rest of the turn depends on chance, and is asked for again. */
    if (!go->whole_turn || !game->is_legal(go->state, answer->chosen) ||
        game_outcomes(game, go->state, answer->chosen) > 1 || go->line.further_count == SESSION_TURN_MAX)
        return false;
    game->play(go->state, answer->chosen, NULL);
    return turn_goes_on(game, go->state, side, turn);
}

/* The position stays as it is: the answer is played only when `play` sends it. */
static bool do_go(struct session *s, char *arguments, struct err *e) {
    const struct game *game = s->scenario->game;
    const int mover = game->mover(s->replay.state);
    struct go go = {0};
    if (mover == NOBODY)
        return err_set(e, "the game is over");
    if (plays_one_side(s) && !side_is_set(s, e))
        return false;
    if (plays_one_side(s) && mover != s->one_side.plays)
        return err_set(e, "it is not this side's turn: %s is to move", game->text->side_names[mover]);
    if (!open_player(s, e) || !read_go(s, arguments, &go, e))
        return false;
    go.decisions = game->progress(s->replay.state).left;
    if (go.whole_turn && s->partial && go.decisions > 1)
        return err_set(e, "only a part of the position is known; ask for one action at a time");
    go.whole_turn = go.whole_turn && !s->partial;

    struct answer answer;
    go.line = (struct record_line){.record = &s->record, .count = s->replay.next, .further = go.chosen};
    memcpy(go.state, s->replay.state, game->state_size);
    while (choose_next(s, &go, &answer))
        continue;
    const bool ok = answer.fault == PLAYER_FAULT_NONE || err_set(e, "%s", answer.reason);
    if (ok && !isnan(go.first_value))
        text_add(s->out, "info value %g\n", go.first_value);
    /* The controller did not ask for this limit: it learns why the search was shorter than wanted. */
    if (ok && time_is_over(&go.budget))
        text_add(s->out, "info limit %lld\n", (long long)(s->setup.limits->command_ns / 1000000));
    if (ok)
        text_add(s->out, "info work %llu\nbest%s\n", (unsigned long long)go.work, text_string(&go.best));
    text_done(&go.best);
    return ok;
}

/* ---- games and maps ---- */

/* Back to no position. The session's options stay. */
static void drop_position(struct session *s) {
    player_close(s->player);
    s->player = NULL;
    game_unload(s->scenario);
    s->scenario = NULL;
    mem_free(s->actions);
    s->actions = NULL;
    s->placed = s->partial = false;
    s->one_side = (struct session_side){.plays = NOBODY};
    record_done(&s->record);
    record_init(&s->record);
}

/* Goes to the record's beginning: the game's start, or the position that was sent. */
static void go_to_start(struct session *s) {
    replay_start(&s->replay, &s->record, s->scenario);
    if (!s->placed)
        return;
    memcpy(s->replay.state, s->base, s->scenario->game->state_size);
    turn_count_start(&s->replay.turn, s->scenario->game, s->replay.state);
}

/* Loads a game and begins it. The player is opened anew, because its type may depend on the game. The deal
 * depends on the session's seed and the number of games since it was
 * set, through a stream that no decision of a player uses: every new game is a new deal. */
static bool begin(struct session *s, const struct game *game, const struct game_source *source,
                  struct err *e) {
    struct scenario *scenario = game_load(game, source, e);
    if (scenario == NULL) /* the old game stays */
        return false;
    drop_position(s);
    if (!s->player_chosen && s->setup.plays_opponents) {
        text_clear(&s->player_spec);
        text_add_string(&s->player_spec, game_offer(game)->opponent);
    }
    s->scenario = scenario;
    s->actions = mem_alloc((size_t)game->actions_max * sizeof *s->actions);
    s->record.seed = rng_job_seed(s->setup.seed, s->games++);
    go_to_start(s);
    return true;
}

/* Begins the current game on this map. The name is for messages only. */
static bool load_map(struct session *s, const char *name, const struct text *text, struct err *e) {
    if (!game_offer(s->game)->takes_map)
        return err_set(e, "%s is played without maps", s->game->name);
    return begin(s, s->game, &(struct game_source){name, text_string(text), text->size, &s->game_spec}, e);
}

/* Reads the options of the game and, in Geister, `side`: the side to play for, or NOBODY. The side is no
 * option of the game: the scenario is the same for both. */
static bool read_game_options(char *words, const struct game *game, struct spec *spec, int *side,
                              struct err *e) {
    char *rest = NULL;
    *side = NOBODY;
    for (char *word = strtok_r(words, " \t", &rest); word != NULL; word = strtok_r(NULL, " \t", &rest)) {
        char *equals = strchr(word, '=');
        if (equals == NULL)
            return err_set(e, "'%.64s' has no '='; expected key=value", word);
        *equals = '\0';
        if (game == &geister_game && strcmp(word, "side") == 0) {
            if (*side != NOBODY || (strcmp(equals + 1, "0") != 0 && strcmp(equals + 1, "1") != 0))
                return err_set(e, "side=%.16s: expected 0 or 1, once", equals + 1);
            *side = equals[1] - '0';
        } else if (!spec_add(spec, word, equals + 1, e))
            return false;
    }
    return true;
}

/* A game with maps has no position until its map comes. After a wrong name or option the old game stays. */
static bool do_newgame(struct session *s, char *name, struct err *e) {
    char *words = name + strcspn(name, " \t");
    if (*words != '\0')
        *words++ = '\0';
    const struct game *game = game_find(name);
    if (game == NULL) {
        struct text known = {0};
        for (int i = 0; game_tables[i] != NULL; i++)
            text_add(&known, "%s %s", i > 0 ? "," : "", game_tables[i]->name);
        err_set(e, "game '%.64s' is unknown; known are%s", name, text_string(&known));
        text_done(&known);
        return false;
    }
    struct spec spec;
    int side;
    /* Options are checked now, before a map arrives. */
    if (!spec_parse(name, &spec, e) || !read_game_options(words, game, &spec, &side, e) ||
        !params_check(game->options, &spec, e))
        return false;
    if (game_offer(game)->takes_map)
        drop_position(s);
    else if (!begin(s, game, &(struct game_source){.name = game->name, .options = &spec}, e))
        return false;
    if (side != NOBODY) { /* the game begins after both set-ups */
        assert((side == 0 || side == 1) && s->record.count == 0);
        s->one_side = (struct session_side){.plays = side};
        for (int owner = 0; owner < 2; owner++)
            if (!record_add(&s->record, geister_setup(assumed_reds(&s->one_side, owner)), RECORD_NO_TIME, e))
                return false;
        if (!replay_all(s, e))
            return false;
    }
    s->game = game;
    /* A spec points into itself, so it is made again and not copied. Maps that follow need the options. */
    spec_parse(game->name, &s->game_spec, NULL);
    for (int i = 0; i < spec.count; i++)
        spec_add(&s->game_spec, spec.pairs[i].key, spec.pairs[i].value, NULL);
    return true;
}

/* Without a path the map's lines follow, and the answer after them. */
static bool do_map(struct session *s, char *path, struct err *e) {
    if (path[0] == '\0') {
        s->in_map = true;
        s->map_too_large = false;
        text_clear(&s->map_lines);
        return true;
    }
    if (!s->setup.files)
        return err_set(e, "map PATH is not allowed here; send the map's lines");
    struct text text = {0};
    const bool ok = file_read(path, TBS_MAP_TEXT_MAX, &text, e) && load_map(s, path, &text, e);
    text_add_string(s->out, ok ? "ok\n" : "");
    text_done(&text);
    return ok;
}

/* Lines are stored until `endmap`, which gets the answer. Text beyond the limit is dropped at once, so that a
 * peer cannot fill the memory. */
static bool take_map_line(struct session *s, const char *line, struct err *e) {
    if (strcmp(line, "endmap") != 0) {
        if (s->map_lines.size + strlen(line) < TBS_MAP_TEXT_MAX)
            text_add(&s->map_lines, "%s\n", line);
        else
            s->map_too_large = true;
        return true;
    }
    s->in_map = false;
    if (s->map_too_large)
        return err_set(e, "the map is larger than %d bytes, or a line of it than %d", TBS_MAP_TEXT_MAX,
                       SESSION_LINE_MAX);
    if (!load_map(s, "map", &s->map_lines, e))
        return false;
    text_add_string(s->out, "ok\n");
    return true;
}

/* ---- position ---- */

/* Places a complete position, or a view of the side to move. The view of the other side is refused. */
static bool do_position(struct session *s, char *arguments, struct err *e) {
    const struct game *game = s->scenario->game;
    _Alignas(16) unsigned char state[GAME_STATE_MAX] = {0}, view[GAME_STATE_MAX];
    struct rng any;
    if (game_offer(game)->takes_map)
        return err_set(e, "%s begins with a map; send map", game->name);
    if (!game->text->read_state(state, s->scenario, arguments, e))
        return false;
    const int mover = game->mover(state);
    const bool partial = game->hide != NULL && game->worlds(state) > 1;
    /* Is it exactly a view of that side? Then hiding any of its worlds gives the same bytes again. */
    if (partial && mover != NOBODY) {
        rng_seed(&any, 0);
        memcpy(view, state, game->state_size);
        game->determinize(view, &any);
        game->hide(view, mover);
        if (memcmp(view, state, game->state_size) != 0)
            return err_set(e, "that is neither a whole position nor the view of %s, the side to move",
                           game->text->side_names[mover]);
    }
    s->placed = true;
    s->partial = partial;
    s->one_side.plays = NOBODY;
    s->record.count = 0;
    memcpy(s->base, state, game->state_size);
    go_to_start(s);
    return true;
}

/* On a view the result of an action is unknown, because it may depend on hidden parts. */
static bool is_whole(const struct session *s, struct err *e) {
    return !s->partial ||
           err_set(e, "only a part of the position is known: it can be asked about, but not played on");
}

static bool do_play(struct session *s, char *arguments, struct err *e) {
    action a;
    if (!is_whole(s, e))
        return false;
    if (plays_one_side(s))
        return side_is_set(s, e) && side_play(s, arguments, e);
    return s->scenario->game->text->read_action(s->replay.state, arguments, &a, e) &&
           record_add(&s->record, a, RECORD_NO_TIME, e) && replay_step(&s->replay, e);
}

/* Refused where the action revealed something: the controller has seen it. The position before the action is
 * replayed from the record, since states keep nothing to go back with. */
static bool do_undo(struct session *s, char *arguments, struct err *e) {
    (void)arguments;
    const bool one_side = plays_one_side(s);
    if (s->record.count == (one_side ? SESSION_SETUPS : 0))
        return err_set(e, "nothing to undo");
    struct replay here = s->replay;
    go_to_start(s);
    while (s->replay.next < s->record.count - 1)
        replay_step(&s->replay, NULL); /* the action was legal when it was played */
    if (secret_was_shown(&s->replay, one_side ? 1U << s->one_side.plays : 1 | 2)) {
        s->replay = here;
        return err_set(e, "that action showed something hidden, so it cannot be taken back");
    }
    s->record.count--;
    return true;
}

/* `state` and `legal` take no argument, or `all`. Fills the position, or the view of the one side that the
 * engine plays. */
static bool read_view(struct session *s, const char *which, void *view, struct err *e) {
    if (which[0] != '\0' && strcmp(which, "all") != 0)
        return err_set(e, "%s takes nothing or all, not '%.64s'", s->verb, which);
    memcpy(view, s->replay.state, s->scenario->game->state_size);
    if (plays_one_side(s))
        side_view(s, view);
    return true;
}

/* Answers with the view of the side to move; with `all`, and at the end of the game, with everything. */
static bool do_state(struct session *s, char *which, struct err *e) {
    const struct game *game = s->scenario->game;
    const int mover = game->mover(s->replay.state);
    _Alignas(16) unsigned char view[GAME_STATE_MAX];
    if (!read_view(s, which, view, e))
        return false;
    if (!plays_one_side(s) && game->hide != NULL && mover != NOBODY && which[0] == '\0')
        game->hide(view, mover);
    game->text->write_state(view, s->out);
    return true;
}

/* Playing for one side, the list must not depend on unknown colours. */
static bool do_legal(struct session *s, char *which, struct err *e) {
    const struct game *game = s->scenario->game;
    _Alignas(16) unsigned char view[GAME_STATE_MAX];
    if (!read_view(s, which, view, e))
        return false;
    const int count = which[0] != '\0' && game->text->all_actions != NULL
                          ? game->text->all_actions(s->replay.state, s->actions)
                          : game->actions(view, s->actions);
    for (int i = 0; i < count; i++) {
        game->text->write_action(s->replay.state, s->actions[i], s->out);
        text_add_string(s->out, "\n");
    }
    return true;
}

/* Counts positions, to compare rules with another implementation. For one side, depths at which unknown
 * colours decide the count are refused. */
static bool do_perft(struct session *s, char *arguments, struct err *e) {
    long depth;
    uint64_t nodes;
    const struct budget budget = command_budget(s);
    if (!is_whole(s, e))
        return false;
    if (!text_to_int(arguments, &depth) || depth < 0 || depth > SESSION_PERFT_MAX)
        return err_set(e, "perft needs a depth from 0 to %d", SESSION_PERFT_MAX);
    if (plays_one_side(s)) {
        struct geister view;
        side_view(s, &view);
        const int most = geister_plies_alike(&view);
        if (depth > most)
            return err_set(e,
                           "after %d plies colours decide that are not known here; expected a depth up to %d",
                           most, most);
    }
    if (game_perft(s->scenario->game, s->replay.state, (int)depth, &budget, &nodes)) {
        text_add(s->out, "nodes %llu\n", (unsigned long long)nodes);
        return true;
    }
    if (time_is_over(&budget))
        return err_set(e, "perft was stopped after %lld ms, the longest that one command may take here",
                       (long long)(s->setup.limits->command_ns / 1000000));
    return err_set(e, "perft was stopped");
}

/* ---- about the engine ---- */

/* The handshake: name, version, games and options. */
static bool do_sjp(struct session *s, char *arguments, struct err *e) {
    if (strcmp(arguments, "1") != 0)
        return err_set(e, "only version 1 of the protocol is spoken here: sjp 1");
    text_add(s->out, "id name senjutsu\nid version %s\n", s->setup.version);
    for (int i = 0; game_tables[i] != NULL; i++)
        text_add(s->out, "game %s\n", game_tables[i]->name);
    text_add(s->out, "option player text %s\noption seed number %llu\n", text_string(&s->player_spec),
             (unsigned long long)s->setup.seed);
    return true;
}

/* A player is checked against the permissions and limits of this session before it replaces the old one. A
 * new seed begins the sequences of games and decisions again. */
static bool do_setoption(struct session *s, char *name, struct err *e) {
    const struct session_limits *limits = s->setup.limits;
    char *value = strchr(name, ' ');
    unsigned long long number;
    if (value != NULL)
        *value++ = '\0';
    if (value != NULL && strcmp(name, "player") == 0) {
        value = text_trim(value);
        if (!player_check(value, NULL, e) || !grant_allows(s->setup.grant, value, e) ||
            (limits != NULL && !player_check_needs(value, limits->memory_mb, limits->threads, e)))
            return false;
        text_clear(&s->player_spec);
        text_add_string(&s->player_spec, value);
        s->player_chosen = true;
        player_close(s->player);
        s->player = NULL;
        return true;
    }
    if (value == NULL || strcmp(name, "seed") != 0 || !text_to_u64(value, &number))
        return err_set(e, "option '%.64s' cannot be set so; known are player SPEC and seed NUMBER", name);
    s->setup.seed = number;
    s->decisions = s->games = 0;
    return true;
}

static bool do_help(struct session *s, char *arguments, struct err *e);

/* A verb appends the lines before the last one, which ends the answer; when it returns false the answer is
 * `error` and the reason. */
static const struct verb {
    const char *name;
    bool (*run)(struct session *s, char *arguments, struct err *e); /* NULL: only the last line */
    bool needs_position;
    const char *last;
} verbs[] = {
    {"sjp", do_sjp, false, "ok\n"},          {"setoption", do_setoption, false, "ok\n"},
    {"newgame", do_newgame, false, "ok\n"},  {"map", do_map, false, ""},
    {"position", do_position, true, "ok\n"}, {"setup", do_setup, false, "ok\n"},
    {"setup?", do_setup, false, "ok\n"},     {"play", do_play, true, "ok\n"},
    {"undo", do_undo, true, "ok\n"},         {"go", do_go, true, "ok\n"},
    {"stop", NULL, false, "ok\n"}, /* one that arrives during a go has ended it: see session_setup.stop */
    {"state", do_state, true, "end\n"},      {"legal", do_legal, true, "end\n"},
    {"perft", do_perft, true, "ok\n"},       {"help", do_help, false, "ok\n"},
};

static bool do_help(struct session *s, char *arguments, struct err *e) {
    (void)arguments;
    (void)e;
    text_add_string(s->out, "commands");
    for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; i++)
        text_add(s->out, " %s", verbs[i].name);
    text_add_string(s->out, " quit\n");
    return true;
}

/* ---- the session ---- */

/* The first game is begun by the verb itself, so that the same checks apply. */
struct session *session_open(const struct session_setup *setup, struct err *e) {
    assert(setup->limits == NULL || (setup->clock != NULL && setup->limits->command_ns > 0));
    struct spec spec;
    struct text line = {0};
    if (!player_check(setup->player, NULL, e) || (setup->game != NULL && !spec_parse(setup->game, &spec, e)))
        return NULL;
    struct session *s = mem_alloc(sizeof *s);
    s->setup = *setup;
    s->game = &tbs_game;
    s->one_side.plays = NOBODY;
    text_add_string(&s->player_spec, setup->player);
    spec_parse(tbs_game.name, &s->game_spec, NULL);
    record_init(&s->record);
    if (setup->game == NULL)
        return s;
    /* The spec, rewritten as the verb's arguments: "synth df=0.5 depth=8". */
    text_add_string(&line, spec.name);
    for (int i = 0; i < spec.count; i++)
        text_add(&line, " %s=%s", spec.pairs[i].key, spec.pairs[i].value);
    const bool ok = do_newgame(s, line.data, e);
    text_done(&line);
    if (ok)
        return s;
    session_close(s);
    return NULL;
}

void session_close(struct session *s) {
    drop_position(s);
    record_done(&s->record);
    text_done(&s->player_spec);
    text_done(&s->map_lines);
    mem_free(s);
}

/* An HTTP request line ends with the protocol's name; a header begins with a name and a colon. */
bool session_is_foreign(const char *line) {
    for (const char *c = line; *c != '\0'; c++)
        if (((unsigned char)*c < ' ' && *c != '\t' && *c != '\r' && *c != '\n') || *c == 0x7F)
            return true;
    const size_t word = strcspn(line, " \t");
    const char *last = strrchr(line, ' ');
    return (word > 0 && memchr(line, ':', word) != NULL) ||
           (last != NULL && strncmp(last + 1, "HTTP/", 5) == 0);
}

/* Runs a verb and appends its answer to s->out. On false its only line is `error` and the reason. */
static bool run_line(struct session *s, char *line, struct err *e) {
    char *arguments = line + strcspn(line, " \t");
    if (*arguments != '\0')
        *arguments++ = '\0';
    if (line[0] == '\0')
        return true;
    const struct verb *verb = verbs, *end = verbs + sizeof verbs / sizeof verbs[0];
    while (verb < end && strcmp(line, verb->name) != 0)
        verb++;
    if (verb == end)
        return err_set(e, "unknown command '%.64s'", line);
    if (verb->needs_position && s->scenario == NULL)
        return err_set(e, "no position yet; send map first");
    s->verb = verb->name;
    if (verb->run != NULL && !verb->run(s, text_trim(arguments), e))
        return false;
    text_add_string(s->out, verb->last);
    return true;
}

/* A line of a map that is too long is remembered: the map is refused at its end. */
bool session_line(struct session *s, const char *line, struct text *out) {
    assert(s != NULL && line != NULL && out != NULL);
    if (s->setup.limits != NULL && !s->in_map && session_is_foreign(line)) {
        text_add_string(out, "error this is senjutsu's engine protocol and no other; goodbye\n");
        return false;
    }
    if (strlen(line) > SESSION_LINE_MAX) {
        s->map_too_large = true;
        if (!s->in_map) /* a map gets one answer, at its end */
            text_add(out, "error a line of more than %d bytes\n", SESSION_LINE_MAX);
        return true;
    }
    char copy[SESSION_LINE_MAX + 1]; /* verbs cut their arguments into words, in place */
    snprintf(copy, sizeof copy, "%s", line);
    copy[strcspn(copy, "\r\n")] = '\0';
    char *trimmed = s->in_map ? copy : text_trim(copy); /* blanks of a map may belong to its comment */
    if (!s->in_map && text_after_word(trimmed, "quit") != NULL)
        return false;
    struct err e;
    s->out = out;
    if (!(s->in_map ? take_map_line(s, trimmed, &e) : run_line(s, trimmed, &e)))
        text_add(out, "error %s\n", e.text);
    return true;
}
