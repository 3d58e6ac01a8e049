/* SPDX-License-Identifier: MIT
 *
 * The verbs of the engine protocol. The position is a record: `play` appends to it, `undo` shortens it and
 * replays, so there is no undo code that could disagree with the rules.
 */
#include "protocol/session_inside.h"

#include "base/file.h"
#include "base/mem.h"
#include "game/geister/geister.h"
#include "game/tbs/tbs.h"
#include "match/secret.h"
#include "player/grant.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* ---- answers ---- */

static void say_ok(struct text *out) {
    text_add_string(out, "ok\n");
}

void session_error(struct text *out, const struct err *e) {
    text_add(out, "error %s\n", e->text);
}

bool session_has_position(const struct session *s, struct text *out) {
    if (s->scenario != NULL)
        return true;
    text_add_string(out, "error no position yet; send map first\n");
    return false;
}

/* ---- games and maps ---- */

static void close_player(struct session *s) {
    player_close(s->player);
    s->player = NULL;
}

static void drop_position(struct session *s) {
    close_player(s);
    if (s->scenario != NULL)
        s->scenario->game->unload(s->scenario);
    s->scenario = NULL;
    mem_free(s->actions);
    s->actions = NULL;
    s->placed = s->partial = false;
    s->one_side = (struct session_side){.plays = NOBODY};
    record_done(&s->record);
    record_init(&s->record);
}

static bool takes_maps(const struct game *game) {
    return tbs_is_table_of(game);
}

/* To the record's beginning: the game's start, or the position that was sent. */
static void go_to_start(struct session *s) {
    replay_start(&s->replay, &s->record, s->scenario);
    if (!s->placed)
        return;
    memcpy(s->replay.state, s->base, s->scenario->game->state_size);
    turn_count_start(&s->replay.turn, s->scenario->game, s->replay.state);
}

/* Takes the scenario over, or drops it and fails. What is dealt follows from the session's seed and the
 * number of games since it was set, by numbers that no decision of a player gets to see: a new game is a new
 * deal, and not the last one with all that it has shown. */
static bool begin(struct session *s, struct scenario *scenario, struct err *e) {
    action *actions = mem_alloc((size_t)scenario->game->actions_max * sizeof *actions);
    if (actions == NULL) {
        scenario->game->unload(scenario);
        return err_set(e, "not enough memory");
    }
    drop_position(s);
    if (!s->player_chosen && s->setup.usual_player != NULL) {
        text_clear(&s->player_spec);
        text_add_string(&s->player_spec, s->setup.usual_player(scenario->game));
    }
    s->scenario = scenario;
    s->actions = actions;
    s->record.seed = rng_job_seed(s->setup.seed, s->games++);
    go_to_start(s);
    return true;
}

static bool load_map(struct session *s, const char *name, const struct text *text, struct err *e) {
    if (!takes_maps(s->game))
        return err_set(e, "%s is played without maps", s->game->name);
    const struct game_source source = {name, text_string(text), text->size, &s->game_spec};
    struct scenario *scenario = s->game->load(&source, e);
    return scenario != NULL && begin(s, scenario, e);
}

/* Options of the game, and in Geister `side`: the one that is played for, or NOBODY. */
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

static void say_unknown_game(const char *name, struct text *out) {
    text_add(out, "error game '%.64s' is unknown; known are", name);
    for (int i = 0; game_tables[i] != NULL; i++)
        text_add(out, "%s %s", i > 0 ? "," : "", game_tables[i]->name);
    text_add_string(out, "\n");
}

/* A map will follow. */
static bool leave_position(struct session *s) {
    drop_position(s);
    return true;
}

/* Without maps the game begins at once. */
static bool start_game(struct session *s, const struct game *game, const struct spec *spec, struct err *e) {
    struct scenario *scenario = game->load(&(struct game_source){.name = game->name, .options = spec}, e);
    return scenario != NULL && begin(s, scenario, e);
}

static void do_newgame(struct session *s, char *arguments, struct text *out) {
    struct err e;
    char *name = text_trim(arguments);
    char *words = name + strcspn(name, " \t");
    if (*words != '\0')
        *words++ = '\0';
    const struct game *game = game_find(name);
    if (game == NULL) {
        say_unknown_game(name, out);
        return;
    }
    struct spec spec;
    int side;
    /* The options are checked now, not only when a map comes. */
    if (!spec_parse(name, &spec, &e) || !read_game_options(words, game, &spec, &side, &e) ||
        !params_check(game->options, &spec, &e)) {
        session_error(out, &e);
        return;
    }
    if (!(takes_maps(game) ? leave_position(s) : start_game(s, game, &spec, &e)) ||
        (side != NOBODY && !session_side_begin(s, side, &e))) {
        session_error(out, &e);
        return;
    }
    s->game = game;
    spec_parse(game->name, &s->game_spec, NULL);
    for (int i = 0; i < spec.count; i++)
        spec_add(&s->game_spec, spec.pairs[i].key, spec.pairs[i].value, NULL);
    say_ok(out);
}

static void do_map(struct session *s, char *arguments, struct text *out) {
    const char *path = text_trim(arguments);
    if (path[0] == '\0') {
        s->in_map = true;
        s->map_too_large = false;
        text_clear(&s->map_lines);
        return; /* the answer comes after endmap */
    }
    struct err e;
    struct text text = {0};
    if (!s->setup.files)
        text_add_string(out, "error map PATH is not allowed here; send the map's lines\n");
    else if (!file_read(path, TBS_MAP_TEXT_MAX, &text, &e) || !load_map(s, path, &text, &e))
        session_error(out, &e);
    else
        say_ok(out);
    text_done(&text);
}

static void take_map_line(struct session *s, const char *line, struct text *out) {
    if (strcmp(line, "endmap") != 0) {
        if (s->map_lines.size + strlen(line) < TBS_MAP_TEXT_MAX)
            text_add(&s->map_lines, "%s\n", line);
        else
            s->map_too_large = true;
        return;
    }
    s->in_map = false;
    struct err e;
    if (s->map_too_large)
        text_add(out, "error the map is larger than %d bytes, or a line of it than %d\n", TBS_MAP_TEXT_MAX,
                 SESSION_LINE_MAX);
    else if (s->map_lines.failed)
        text_add_string(out, "error not enough memory\n");
    else if (!load_map(s, "map", &s->map_lines, &e))
        session_error(out, &e);
    else
        say_ok(out);
}

/* ---- position ---- */

/* Is it what that side sees, no more and no less? Then any world of it looks like this to that side. */
static bool is_seen_by(const struct game *game, const void *view, int side) {
    _Alignas(16) unsigned char again[GAME_STATE_MAX];
    struct rng any;
    rng_seed(&any, 0);
    memcpy(again, view, game->state_size);
    game->determinize(again, &any);
    game->hide(again, side);
    return memcmp(again, view, game->state_size) == 0;
}

/* A whole position, or what the side to move sees of it. What one side sees of the other's turn is no
 * question that could be asked here. */
static bool place(struct session *s, const char *text, struct err *e) {
    const struct game *game = s->scenario->game;
    _Alignas(16) unsigned char state[GAME_STATE_MAX] = {0};
    if (takes_maps(game))
        return err_set(e, "%s begins with a map; send map", game->name);
    if (!game->text->read_state(state, s->scenario, text, e))
        return false;
    const int mover = game->mover(state);
    const bool partial = game->hide != NULL && game->worlds(state) > 1;
    if (partial && mover != NOBODY && !is_seen_by(game, state, mover))
        return err_set(e, "that is neither a whole position nor what %s sees, who is to move",
                       game->text->side_names[mover]);
    s->placed = true;
    s->partial = partial;
    s->one_side.plays = NOBODY;
    s->record.count = 0;
    memcpy(s->base, state, game->state_size);
    go_to_start(s);
    return true;
}

static void do_position(struct session *s, char *arguments, struct text *out) {
    struct err e;
    if (!session_has_position(s, out))
        return;
    if (place(s, text_trim(arguments), &e))
        say_ok(out);
    else
        session_error(out, &e);
}

static bool is_whole(const struct session *s, struct text *out) {
    if (!s->partial)
        return true;
    text_add_string(out,
                    "error only a part of the position is known: it can be asked about, but not played on\n");
    return false;
}

static void do_play(struct session *s, char *arguments, struct text *out) {
    struct err e;
    action a;
    if (!session_has_position(s, out) || !is_whole(s, out))
        return;
    const bool one_side = session_plays_one_side(s);
    if (one_side && !session_side_is_set(s, out))
        return;
    if (one_side ? !session_side_play(s, text_trim(arguments), &e)
                 : !s->scenario->game->text->read_action(s->replay.state, text_trim(arguments), &a, &e) ||
                       !record_add(&s->record, a, -1, &e) || !replay_step(&s->replay, &e))
        session_error(out, &e);
    else
        say_ok(out);
}

static void do_undo(struct session *s, char *arguments, struct text *out) {
    (void)arguments;
    if (!session_has_position(s, out))
        return;
    const bool one_side = session_plays_one_side(s);
    if (s->record.count == (one_side ? SESSION_SETUPS : 0)) {
        text_add_string(out, "error nothing to undo\n");
        return;
    }
    struct replay here = s->replay;
    go_to_start(s);
    while (s->replay.next < s->record.count - 1)
        replay_step(&s->replay, NULL); /* was legal when it was played */
    if (secret_was_shown(&s->replay, one_side ? 1U << s->one_side.plays : 1 | 2)) {
        s->replay = here;
        text_add_string(out, "error that action showed something hidden, so it cannot be taken back\n");
        return;
    }
    s->record.count--;
    say_ok(out);
}

/* `state` and `legal` take nothing, or `all`. */
static bool read_all(const char *verb, char *arguments, bool *all, struct text *out) {
    const char *which = text_trim(arguments);
    *all = strcmp(which, "all") == 0;
    if (*all || which[0] == '\0')
        return true;
    text_add(out, "error %s takes nothing or all, not '%.64s'\n", verb, which);
    return false;
}

/* What the side to move sees; with `all`, and at the end of the game, everything. */
static void do_state(struct session *s, char *arguments, struct text *out) {
    bool all;
    if (!session_has_position(s, out) || !read_all("state", arguments, &all, out))
        return;
    const struct game *game = s->scenario->game;
    const int mover = game->mover(s->replay.state);
    _Alignas(16) unsigned char view[GAME_STATE_MAX];
    memcpy(view, s->replay.state, game->state_size);
    if (session_plays_one_side(s))
        session_side_view(s, view);
    else if (game->hide != NULL && mover != NOBODY && !all)
        game->hide(view, mover);
    game->text->write_state(view, out);
    text_add_string(out, "end\n");
}

static void list_actions(struct session *s, const action *list, int count, struct text *out) {
    for (int i = 0; i < count; i++) {
        s->scenario->game->text->write_action(s->replay.state, list[i], out);
        text_add_string(out, "\n");
    }
}

/* What is listed where the engine plays for one side does not depend on colours it does not know. */
static void list_legal(struct session *s, struct text *out) {
    const struct game *game = s->scenario->game;
    _Alignas(16) unsigned char view[GAME_STATE_MAX];
    memcpy(view, s->replay.state, game->state_size);
    if (session_plays_one_side(s))
        session_side_view(s, view);
    const int count = game->actions(view, s->actions);
    list_actions(s, s->actions, count, out);
}

/* With zero-power attacks, as the platform's own generator lists them. */
static void list_all_tactical(struct session *s, struct text *out) {
    struct tbs_position p;
    tbs_position_of(s->replay.state, &p);
    for (int id = 0; id < p.unit_count && p.result == TBS_RUNNING; id++) {
        int attacks;
        if (tbs_can_act(&p, id))
            list_actions(s, s->actions,
                         tbs_unit_actions(s->replay.state, id, TBS_ATTACKS_ALL, s->actions, &attacks), out);
    }
}

static void do_legal(struct session *s, char *arguments, struct text *out) {
    bool all;
    if (!session_has_position(s, out) || !read_all("legal", arguments, &all, out))
        return;
    if (all && tbs_is_table_of(s->scenario->game))
        list_all_tactical(s, out);
    else
        list_legal(s, out);
    text_add_string(out, "end\n");
}

struct budget session_budget(const struct session *s) {
    struct budget budget = {.clock = s->setup.clock, .stop = s->setup.stop};
    if (s->setup.limits != NULL)
        budget.deadline_ns = clock_now_ns(s->setup.clock) + s->setup.limits->command_ns;
    return budget;
}

bool session_time_is_over(const struct budget *budget) {
    return budget->deadline_ns > 0 && clock_now_ns(budget->clock) >= budget->deadline_ns;
}

static void say_perft_ended(const struct session *s, const struct budget *budget, struct text *out) {
    if (session_time_is_over(budget))
        text_add(out, "error perft was stopped after %lld ms, the longest that one command may take here\n",
                 (long long)(s->setup.limits->command_ns / 1000000));
    else
        text_add_string(out, "error perft was stopped\n");
}

static void do_perft(struct session *s, char *arguments, struct text *out) {
    long depth;
    uint64_t nodes;
    const struct budget budget = session_budget(s);
    if (!session_has_position(s, out) || !is_whole(s, out))
        return;
    if (!text_to_int(arguments, &depth) || depth < 0 || depth > SESSION_PERFT_MAX)
        text_add(out, "error perft needs a depth from 0 to %d\n", SESSION_PERFT_MAX);
    else if (session_plays_one_side(s) && !session_side_may_count(s, (int)depth, out))
        return;
    else if (!game_perft(s->scenario->game, s->replay.state, (int)depth, &budget, &nodes))
        say_perft_ended(s, &budget, out);
    else
        text_add(out, "nodes %llu\nok\n", (unsigned long long)nodes);
}

/* ---- about the engine ---- */

static void do_sjp(struct session *s, char *arguments, struct text *out) {
    if (strcmp(text_trim(arguments), "1") != 0) {
        text_add_string(out, "error only version 1 of the protocol is spoken here: sjp 1\n");
        return;
    }
    text_add(out, "id name senjutsu\nid version %s\n", s->setup.version);
    for (int i = 0; game_tables[i] != NULL; i++)
        text_add(out, "game %s\n", game_tables[i]->name);
    text_add(out, "option player text %s\n", text_string(&s->player_spec));
    text_add(out, "option seed number %llu\n", (unsigned long long)s->setup.seed);
    say_ok(out);
}

static void set_player(struct session *s, const char *value, struct text *out) {
    struct err e;
    if (!player_check(value, NULL, &e) || !grant_allows(s->setup.grant, value, &e)) {
        session_error(out, &e);
        return;
    }
    const struct session_limits *limits = s->setup.limits;
    if (limits != NULL && !player_check_needs(value, limits->memory_mb, limits->threads, &e)) {
        session_error(out, &e);
        return;
    }
    text_clear(&s->player_spec);
    text_add_string(&s->player_spec, value);
    s->player_chosen = true;
    close_player(s);
    say_ok(out);
}

static void do_setoption(struct session *s, char *arguments, struct text *out) {
    char *name = text_trim(arguments);
    char *value = strchr(name, ' ');
    unsigned long long number;
    if (value != NULL)
        *value++ = '\0';
    if (value != NULL && strcmp(name, "player") == 0) {
        set_player(s, text_trim(value), out);
    } else if (value != NULL && strcmp(name, "seed") == 0 && text_to_u64(value, &number)) {
        s->setup.seed = number;
        s->decisions = s->games = 0;
        say_ok(out);
    } else {
        text_add(out, "error option '%.64s' cannot be set so; known are player SPEC and seed NUMBER\n", name);
    }
}

/* A stop that arrives during a go has ended it already (see session_setup.stop); here it only gets its
 * answer. */
static void do_stop(struct session *s, char *arguments, struct text *out) {
    (void)s;
    (void)arguments;
    say_ok(out);
}

static void do_help(struct session *s, char *arguments, struct text *out);

static const struct verb {
    const char *name;
    void (*run)(struct session *s, char *arguments, struct text *out);
} verbs[] = {
    {"sjp", do_sjp},
    {"setoption", do_setoption},
    {"newgame", do_newgame},
    {"map", do_map},
    {"position", do_position},
    {"setup", session_setup},
    {"setup?", session_choose_setup},
    {"play", do_play},
    {"undo", do_undo},
    {"go", session_go},
    {"stop", do_stop},
    {"state", do_state},
    {"legal", do_legal},
    {"perft", do_perft},
    {"help", do_help},
};

static void do_help(struct session *s, char *arguments, struct text *out) {
    (void)s;
    (void)arguments;
    text_add_string(out, "commands");
    for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; i++)
        text_add(out, " %s", verbs[i].name);
    text_add_string(out, " quit\nok\n");
}

/* ---- the whole ---- */

/* A spec as the verb takes it: "synth df=0.5 depth=8". */
static bool begin_with(struct session *s, const char *game, struct err *e) {
    struct spec spec;
    struct text line = {0}, answer = {0};
    if (!spec_parse(game, &spec, e))
        return false;
    text_add_string(&line, spec.name);
    for (int i = 0; i < spec.count; i++)
        text_add(&line, " %s=%s", spec.pairs[i].key, spec.pairs[i].value);
    bool ok = !line.failed || err_set(e, "not enough memory");
    if (ok) {
        do_newgame(s, line.data, &answer);
        ok = strncmp(text_string(&answer), "ok", 2) == 0 || err_set(e, "%s", text_string(&answer));
    }
    text_done(&line);
    text_done(&answer);
    return ok;
}

struct session *session_open(const struct session_setup *setup, struct err *e) {
    assert(setup->limits == NULL || (setup->clock != NULL && setup->limits->command_ns > 0));
    if (!player_check(setup->player, NULL, e))
        return NULL;
    struct session *s = mem_alloc(sizeof *s);
    if (s == NULL) {
        err_set(e, "not enough memory");
        return NULL;
    }
    s->setup = *setup;
    s->game = &tbs_game;
    s->one_side.plays = NOBODY;
    text_add_string(&s->player_spec, setup->player);
    spec_parse(tbs_game.name, &s->game_spec, NULL);
    record_init(&s->record);
    if (setup->game == NULL || begin_with(s, setup->game, e))
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

/* A request line ends with the protocol's name; a header begins with a name and a colon, which no verb has.
 */
static bool is_http(const char *line) {
    const size_t word = strcspn(line, " \t");
    const char *last = strrchr(line, ' ');
    return (word > 0 && memchr(line, ':', word) != NULL) ||
           (last != NULL && strncmp(last + 1, "HTTP/", 5) == 0);
}

static bool is_text(const char *line) {
    for (const char *c = line; *c != '\0'; c++)
        if (((unsigned char)*c < ' ' && *c != '\t' && *c != '\r' && *c != '\n') || *c == 0x7F)
            return false;
    return true;
}

bool session_is_foreign(const char *line) {
    return !is_text(line) || is_http(line);
}

bool session_line(struct session *s, const char *line, struct text *out) {
    if (s->setup.limits != NULL && !s->in_map && session_is_foreign(line)) {
        text_add_string(out, "error this is senjutsu's engine protocol and no other; goodbye\n");
        return false;
    }
    if (strlen(line) > SESSION_LINE_MAX) {
        s->map_too_large = true;
        if (!s->in_map) /* a map has one answer, at its end */
            text_add(out, "error a line of more than %d bytes\n", SESSION_LINE_MAX);
        return true;
    }
    char copy[SESSION_LINE_MAX + 1];
    snprintf(copy, sizeof copy, "%s", line);
    copy[strcspn(copy, "\r\n")] = '\0';
    if (s->in_map) {
        take_map_line(s, copy, out);
        return true;
    }
    char *verb = text_trim(copy);
    char *arguments = verb + strcspn(verb, " \t");
    if (*arguments != '\0')
        *arguments++ = '\0';
    if (verb[0] == '\0')
        return true;
    if (strcmp(verb, "quit") == 0)
        return false;
    for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; i++) {
        if (strcmp(verb, verbs[i].name) == 0) {
            verbs[i].run(s, arguments, out);
            return true;
        }
    }
    text_add(out, "error unknown command '%.64s'\n", verb);
    return true;
}
