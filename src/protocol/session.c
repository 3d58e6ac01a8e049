/* SPDX-License-Identifier: MIT
 *
 * The verbs of the engine protocol. The position is a record: `play` appends to it, `undo` shortens it and
 * replays, so there is no undo code that could disagree with the rules.
 */
#include "protocol/session.h"

#include "base/file.h"
#include "base/mem.h"
#include "game/tbs/tbs.h"
#include "match/record.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct session {
    struct session_setup setup;
    struct text player_spec;
    struct spec game_spec; /* points into itself: filled in place */
    const struct game *game;
    struct scenario *scenario; /* NULL before a map */
    struct player *player;     /* opened at the first go */
    struct record record;
    struct replay replay;
    action *actions;
    uint64_t decisions; /* numbers the random streams of `go` */
    bool in_map;
    bool map_too_large; /* as a whole, or a line of it */
    struct text map_lines;
};

/* ---- answers ---- */

static void say_ok(struct text *out) {
    text_add_string(out, "ok\n");
}

static void say_error(struct text *out, const struct err *e) {
    text_add(out, "error %s\n", e->text);
}

static bool has_position(const struct session *s, struct text *out) {
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
    record_done(&s->record);
    record_init(&s->record);
}

static bool load_map(struct session *s, const char *name, const struct text *text, struct err *e) {
    const struct game_source source = {name, text_string(text), text->size, &s->game_spec};
    struct scenario *scenario = s->game->load(&source, e);
    if (scenario == NULL)
        return false;
    action *actions = mem_alloc((size_t)scenario->game->actions_max * sizeof *actions);
    if (actions == NULL) {
        scenario->game->unload(scenario);
        return err_set(e, "not enough memory");
    }
    drop_position(s);
    s->scenario = scenario;
    s->actions = actions;
    replay_start(&s->replay, &s->record, scenario);
    return true;
}

static bool read_game_options(char *words, struct spec *spec, struct err *e) {
    char *rest = NULL;
    for (char *word = strtok_r(words, " \t", &rest); word != NULL; word = strtok_r(NULL, " \t", &rest)) {
        char *equals = strchr(word, '=');
        if (equals == NULL)
            return err_set(e, "'%.64s' has no '='; expected key=value", word);
        *equals = '\0';
        if (!spec_add(spec, word, equals + 1, e))
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
    /* The options are checked now, not only when a map comes. */
    if (!spec_parse(name, &spec, &e) || !read_game_options(words, &spec, &e) ||
        !params_check(game->options, &spec, &e)) {
        say_error(out, &e);
        return;
    }
    drop_position(s);
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
        say_error(out, &e);
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
        say_error(out, &e);
    else
        say_ok(out);
}

/* ---- position ---- */

static void do_play(struct session *s, char *arguments, struct text *out) {
    struct err e;
    action a;
    if (!has_position(s, out))
        return;
    if (!s->scenario->game->text->read_action(s->replay.state, text_trim(arguments), &a, &e) ||
        !record_add(&s->record, a, -1, &e) || !replay_step(&s->replay, &e))
        say_error(out, &e);
    else
        say_ok(out);
}

static void do_undo(struct session *s, char *arguments, struct text *out) {
    (void)arguments;
    if (!has_position(s, out))
        return;
    if (s->record.count == 0) {
        text_add_string(out, "error nothing to undo\n");
        return;
    }
    s->record.count--;
    replay_to(&s->replay, &s->record, s->scenario, s->record.count, NULL); /* was legal when it was played */
    say_ok(out);
}

static void do_state(struct session *s, char *arguments, struct text *out) {
    (void)arguments;
    if (!has_position(s, out))
        return;
    s->scenario->game->text->write_state(s->replay.state, out);
    text_add_string(out, "end\n");
}

static void list_actions(struct session *s, const action *list, int count, struct text *out) {
    for (int i = 0; i < count; i++) {
        s->scenario->game->text->write_action(s->replay.state, list[i], out);
        text_add_string(out, "\n");
    }
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
    const char *which = text_trim(arguments);
    if (!has_position(s, out))
        return;
    if (which[0] != '\0' && strcmp(which, "all") != 0) {
        text_add(out, "error legal takes nothing or all, not '%.64s'\n", which);
        return;
    }
    if (which[0] != '\0' && tbs_is_table_of(s->scenario->game))
        list_all_tactical(s, out);
    else
        list_actions(s, s->actions, s->scenario->game->actions(s->replay.state, s->actions), out);
    text_add_string(out, "end\n");
}

static void do_perft(struct session *s, char *arguments, struct text *out) {
    long depth;
    uint64_t nodes;
    if (!has_position(s, out))
        return;
    if (!text_to_int(arguments, &depth) || depth < 0 || depth > SESSION_PERFT_MAX)
        text_add(out, "error perft needs a depth from 0 to %d\n", SESSION_PERFT_MAX);
    else if (!game_perft(s->scenario->game, s->replay.state, (int)depth, s->setup.stop, &nodes))
        text_add_string(out, "error perft was stopped\n");
    else
        text_add(out, "nodes %llu\nok\n", (unsigned long long)nodes);
}

/* ---- go ---- */

struct go {
    struct budget budget;
    bool whole_turn;
    int decisions; /* the turn has left, when it is to be played whole */
};

static bool read_go(const struct session *s, char *arguments, struct go *go, struct err *e) {
    *go = (struct go){.budget = {.clock = s->setup.clock, .stop = s->setup.stop}};
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
                                     .course = &course};
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
        text_add(out, "info work %llu\nbest%s\nok\n", (unsigned long long)t.work, text_string(&t.best));
    }
    text_done(&t.best);
}

static void do_go(struct session *s, char *arguments, struct text *out) {
    struct err e;
    struct go go;
    if (!has_position(s, out))
        return;
    if (s->scenario->game->mover(s->replay.state) == NOBODY) {
        text_add_string(out, "error the game is over\n");
        return;
    }
    if (s->player == NULL)
        s->player = player_open(text_string(&s->player_spec), s->scenario->game, &e);
    if (s->player == NULL || !read_go(s, arguments, &go, &e)) {
        say_error(out, &e);
        return;
    }
    go.decisions = s->scenario->game->progress(s->replay.state).left;
    say_best(s, &go, out);
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

/* Is `ext` the player, or one within it? Without options it is no player; and no other spec has this in it.
 */
static bool names_outsider(const char *spec) {
    return strstr(spec, "ext:") != NULL;
}

static void set_player(struct session *s, const char *value, struct text *out) {
    struct err e;
    if (!player_check(value, NULL, &e)) {
        say_error(out, &e);
        return;
    }
    if (!s->setup.outsiders && names_outsider(value)) {
        text_add_string(out, "error external players are not allowed here\n");
        return;
    }
    text_clear(&s->player_spec);
    text_add_string(&s->player_spec, value);
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
        s->decisions = 0;
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
    {"sjp", do_sjp},     {"setoption", do_setoption}, {"newgame", do_newgame}, {"map", do_map},
    {"play", do_play},   {"undo", do_undo},           {"go", do_go},           {"stop", do_stop},
    {"state", do_state}, {"legal", do_legal},         {"perft", do_perft},     {"help", do_help},
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

struct session *session_open(const struct session_setup *setup, struct err *e) {
    if (!player_check(setup->player, NULL, e))
        return NULL;
    struct session *s = mem_alloc(sizeof *s);
    if (s == NULL) {
        err_set(e, "not enough memory");
        return NULL;
    }
    s->setup = *setup;
    s->game = &tbs_game;
    text_add_string(&s->player_spec, setup->player);
    spec_parse(tbs_game.name, &s->game_spec, NULL);
    record_init(&s->record);
    return s;
}

void session_close(struct session *s) {
    drop_position(s);
    record_done(&s->record);
    text_done(&s->player_spec);
    text_done(&s->map_lines);
    mem_free(s);
}

bool session_line(struct session *s, const char *line, struct text *out) {
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
