/* SPDX-License-Identifier: MIT */
#include "tbs_picture.h"

#include "game/tbs/tbs.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TOKEN_MAX = 12, PATHS = 2, DEFAULT_LIMIT = 20, MESSAGE_MAX = 2000, NAME_SIZE = 120 };

struct drawing {
    int width, height;
    char token[TBS_CELLS_MAX][TBS_CELLS_MAX][TOKEN_MAX]; /* [row][column] */
};

/* The content of one token of a board drawing. */
struct cell {
    int terrain, type, side, hp, id; /* type TBS_TYPES: no unit; id -1: not given */
    bool done;
};

struct script {
    const char *file;
    char *at; /* the next line */
    int line;
    char name[NAME_SIZE];
    bool in_case, case_failed;
    int checks;
    struct tbs_map map;
    const struct tbs_rules *rules;
    struct scenario *scenario[PATHS];
    _Alignas(16) unsigned char state[PATHS][GAME_STATE_MAX];
    struct picture_report *report;
};

static const char *const path_names[PATHS] = {"small", "wide"};

/* ---- failing ---- */

__attribute__((format(printf, 2, 3))) static bool wrong(struct script *s, const char *format, ...) {
    char message[MESSAGE_MAX];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    text_add(&s->report->text, "%s:%d: case '%s': %s\n", s->file, s->line, s->name, message);
    s->report->failed += !s->case_failed;
    s->case_failed = true;
    return false;
}

/* ---- drawings ---- */

static char *take_line(struct script *s) {
    char *line = s->at;
    const size_t length = strcspn(line, "\n");
    s->at = line + length + (line[length] == '\n');
    line[length] = '\0';
    s->line++;
    return line;
}

static bool add_row(struct script *s, struct drawing *d, char *line) {
    int width = 0;
    if (d->height == TBS_CELLS_MAX)
        return wrong(s, "a drawing has more than %d rows", TBS_CELLS_MAX);
    for (char *save, *word = strtok_r(line, " \t\r", &save); word != NULL;
         word = strtok_r(NULL, " \t\r", &save)) {
        if (width == TBS_CELLS_MAX || strlen(word) >= TOKEN_MAX)
            return wrong(s, "the row is too long at '%s'", word);
        memcpy(d->token[d->height][width++], word, strlen(word) + 1);
    }
    if (d->height > 0 && width != d->width)
        return wrong(s, "the row has %d cells, the first one %d", width, d->width);
    d->width = width;
    d->height++;
    return true;
}

/* The indented lines after it. */
static bool take_drawing(struct script *s, struct drawing *d) {
    d->width = d->height = 0;
    while (*s->at == ' ' || *s->at == '\t')
        if (!add_row(s, d, take_line(s)))
            return false;
    return d->height > 0 || wrong(s, "a drawing of indented rows is expected here");
}

static int terrain_of_mark(char mark) {
    int terrain = 0;
    while (terrain < TBS_TERRAINS && tbs_terrain_types[terrain].mark != mark)
        terrain++;
    return terrain;
}

static int type_of_mark(char mark) {
    int type = 0;
    while (type < TBS_TYPES && tbs_unit_types[type].mark != toupper((unsigned char)mark))
        type++;
    return type;
}

/* The number at *t, which moves behind it; `otherwise` when there is none. */
static int read_digits(const char **t, int otherwise) {
    if (!isdigit((unsigned char)**t))
        return otherwise;
    int value = 0;
    for (; isdigit((unsigned char)**t); ++*t)
        value = value < 1000 ? value * 10 + (**t - '0') : value;
    return value;
}

/* TERRAIN [LETTER [HP] [!] [/ID]]: "." or "*P7!/3". */
static bool read_cell(struct script *s, const char *token, struct cell *out) {
    const char *t = token + 1;
    *out =
        (struct cell){.terrain = terrain_of_mark(token[0]), .type = TBS_TYPES, .hp = TBS_HP_FULL, .id = -1};
    if (out->terrain == TBS_TERRAINS)
        return wrong(s, "'%s' does not begin with a terrain mark", token);
    if (*t == '\0')
        return true;
    out->type = type_of_mark(*t);
    out->side = islower((unsigned char)*t++) ? TBS_BLUE : TBS_RED;
    out->hp = read_digits(&t, TBS_HP_FULL);
    if ((out->done = *t == '!'))
        t++;
    if (*t == '/' && isdigit((unsigned char)*++t))
        out->id = read_digits(&t, -1);
    if (out->type == TBS_TYPES || *t != '\0' || out->hp < 1 || out->hp > TBS_HP_MAX ||
        out->id >= TBS_UNITS_MAX)
        return wrong(s, "'%s' is no cell; expected something like . or *P7 or .i10! or .U/3", token);
    return true;
}

/* ---- setting up ---- */

static void close_case(struct script *s) {
    if (s->in_case && s->checks == 0 && !s->case_failed)
        wrong(s, "it checks nothing");
    for (int path = 0; path < PATHS; path++) {
        game_unload(s->scenario[path]);
        s->scenario[path] = NULL;
    }
    s->in_case = false;
}

static bool on_case(struct script *s, char *rest) {
    close_case(s);
    snprintf(s->name, sizeof s->name, "%s", rest);
    s->in_case = true;
    s->case_failed = false;
    s->checks = 0;
    s->map = (struct tbs_map){.turn_limit = DEFAULT_LIMIT};
    s->rules = &tbs_rule_sets[0];
    s->report->cases++;
    return *rest != '\0' || wrong(s, "a case needs a name");
}

static bool read_count(struct script *s, const char *word, int *out) {
    long value;
    if (!text_to_int(word, &value) || value < 0 || value > TBS_TURN_LIMIT_MAX)
        return wrong(s, "'%s' is no number", word);
    *out = (int)value;
    return true;
}

static bool on_limit(struct script *s, char *rest) {
    return read_count(s, rest, &s->map.turn_limit);
}

static bool on_threshold(struct script *s, char *rest) {
    return read_count(s, rest, &s->map.threshold);
}

static bool on_rules(struct script *s, char *rest) {
    for (s->rules = tbs_rule_sets; s->rules->name != NULL; s->rules++)
        if (strcmp(s->rules->name, rest) == 0)
            return true;
    return wrong(s, "there are no rules '%s'", rest);
}

/* Units with an id in the drawing get it; the others fill the gaps in reading order. */
static bool place_unit(struct script *s, const struct cell *c, int x, int y, bool taken[TBS_UNITS_MAX]) {
    int id = c->id;
    if (id < 0)
        for (id = 0; id < TBS_UNITS_MAX && taken[id]; id++) {
        }
    if (id >= TBS_UNITS_MAX || taken[id])
        return wrong(s, "unit %d is drawn twice", id);
    taken[id] = true;
    s->map.units[id] = (struct tbs_map_unit){.x = (uint8_t)x,
                                             .y = (uint8_t)y,
                                             .type = (uint8_t)c->type,
                                             .side = (uint8_t)c->side,
                                             .hp = (uint8_t)c->hp,
                                             .done = c->done};
    s->map.unit_count++;
    return true;
}

static bool place_units(struct script *s, const struct drawing *d, bool named, bool taken[TBS_UNITS_MAX]) {
    for (int y = 0; y < d->height; y++)
        for (int x = 0; x < d->width; x++) {
            struct cell c;
            if (!read_cell(s, d->token[y][x], &c))
                return false;
            s->map.terrain[x + 1][y + 1] = (uint8_t)c.terrain;
            if (c.type < TBS_TYPES && (c.id >= 0) == named && !place_unit(s, &c, x + 1, y + 1, taken))
                return false;
        }
    return true;
}

static bool open_paths(struct script *s) {
    for (int path = 0; path < PATHS; path++) {
        struct err e;
        s->scenario[path] =
            tbs_scenario_make(&s->map, s->rules, path == 0 ? TBS_PATH_SMALL : TBS_PATH_WIDE, &e);
        if (s->scenario[path] == NULL)
            return wrong(s, "%s", e.text);
        s->scenario[path]->game->start(s->state[path], s->scenario[path], NULL);
    }
    return true;
}

static bool on_map(struct script *s, char *rest) {
    (void)rest;
    static struct drawing d;
    bool taken[TBS_UNITS_MAX] = {false};
    if (s->scenario[0] != NULL || !take_drawing(s, &d))
        return s->scenario[0] == NULL ? false : wrong(s, "a case has one map");
    s->map.width = d.width + 2;
    s->map.height = d.height + 2;
    if (!place_units(s, &d, true, taken) || !place_units(s, &d, false, taken))
        return false;
    for (int id = 0; id < s->map.unit_count; id++)
        if (!taken[id])
            return wrong(s, "there is no unit %d although there are %d units", id, s->map.unit_count);
    struct tbs_problems problems = {0};
    tbs_map_check(&s->map, &problems);
    if (problems.fatal)
        return wrong(s, "the map cannot be played: %s", problems.items[0].text);
    return open_paths(s);
}

/* ---- statements about the position ---- */

static bool has_map(struct script *s) {
    return s->scenario[0] != NULL || wrong(s, "the map must come first");
}

static bool parse_action(struct script *s, int path, const char *word, action *out) {
    struct err e;
    return s->scenario[path]->game->text->read_action(s->state[path], word, out, &e) ||
           wrong(s, "%s path: %s", path_names[path], e.text);
}

static bool on_do(struct script *s, char *rest) {
    for (char *save, *word = strtok_r(rest, " ", &save); word != NULL; word = strtok_r(NULL, " ", &save))
        for (int path = 0; path < PATHS; path++) {
            action a;
            if (!parse_action(s, path, word, &a))
                return false;
            s->scenario[path]->game->play(s->state[path], a, NULL);
            if (!s->scenario[path]->game->valid(s->state[path]))
                return wrong(s, "%s path: the state is not valid after %s", path_names[path], word);
        }
    return true;
}

/* "refuse ACTION" or "refuse ACTION: words of the reason". */
static bool on_refuse(struct script *s, char *rest) {
    char *reason = strstr(rest, ": ");
    if (reason != NULL) {
        *reason = '\0';
        reason += 2;
    }
    for (int path = 0; path < PATHS; path++) {
        action a;
        struct err e;
        if (s->scenario[path]->game->text->read_action(s->state[path], rest, &a, &e))
            return wrong(s, "%s path: %s was accepted", path_names[path], rest);
        if (reason != NULL && strstr(e.text, reason) == NULL)
            return wrong(s, "%s path: %s was refused for another reason: %s", path_names[path], rest, e.text);
    }
    return true;
}

static void write_list(const void *state, const struct game *game, const action *list, int count,
                       struct text *out) {
    text_clear(out);
    for (int i = 0; i < count; i++) {
        text_add_string(out, i > 0 ? " " : "");
        game->text->write_action(state, list[i], out);
    }
}

static bool compare_text(struct script *s, int path, const char *ours, const char *drawn) {
    return strcmp(ours, drawn) == 0 ||
           wrong(s, "%s path: expected '%s', got '%s'", path_names[path], drawn, ours);
}

/* All listed actions of the mover, in order. */
static bool on_list(struct script *s, char *rest) {
    static action list[TBS_SIDE_UNITS_MAX * TBS_UNIT_ACTIONS_MAX];
    struct text ours = {0};
    bool ok = true;
    for (int path = 0; path < PATHS && ok; path++) {
        const struct game *game = s->scenario[path]->game;
        write_list(s->state[path], game, list, game->actions(s->state[path], list), &ours);
        ok = compare_text(s, path, text_string(&ours), rest);
    }
    text_done(&ours);
    return ok;
}

/* Legal, but not among the listed actions. */
static bool on_unlisted(struct script *s, char *rest) {
    static action list[TBS_SIDE_UNITS_MAX * TBS_UNIT_ACTIONS_MAX];
    for (int path = 0; path < PATHS; path++) {
        action a;
        if (!parse_action(s, path, rest, &a))
            return false;
        for (int i = s->scenario[path]->game->actions(s->state[path], list) - 1; i >= 0; i--)
            if (list[i] == a)
                return wrong(s, "%s path: %s is listed", path_names[path], rest);
    }
    return true;
}

/* Takes the unit's id off *rest. */
static bool take_unit(struct script *s, char **rest, int *unit) {
    char *end;
    const long value = strtol(*rest, &end, 10);
    if (end == *rest || value < 0 || value >= s->map.unit_count)
        return wrong(s, "'%s' does not begin with a unit's number", *rest);
    *unit = (int)value;
    *rest = text_trim(end);
    return true;
}

static bool compare_attacks(struct script *s, char *rest, enum tbs_attacks which) {
    int unit, attacks;
    if (!take_unit(s, &rest, &unit))
        return false;
    struct text ours = {0};
    bool ok = true;
    for (int path = 0; path < PATHS && ok; path++) {
        action list[TBS_UNIT_ACTIONS_MAX];
        tbs_unit_actions(s->state[path], unit, which, list, &attacks);
        write_list(s->state[path], s->scenario[path]->game, list, attacks, &ours);
        ok = compare_text(s, path, text_string(&ours), rest);
    }
    text_done(&ours);
    return ok;
}

static bool on_attacks(struct script *s, char *rest) {
    return compare_attacks(s, rest, TBS_ATTACKS_POWER);
}

static bool on_attacks_all(struct script *s, char *rest) {
    return compare_attacks(s, rest, TBS_ATTACKS_ALL);
}

static bool on_attacks_damage(struct script *s, char *rest) {
    return compare_attacks(s, rest, TBS_ATTACKS_DAMAGE);
}

/* Where one unit may end its move: a drawing of + and -. */
static bool on_reach(struct script *s, char *rest) {
    static struct drawing d;
    int unit, attacks;
    if (!take_unit(s, &rest, &unit) || !take_drawing(s, &d))
        return false;
    if (d.width != s->map.width - 2 || d.height != s->map.height - 2)
        return wrong(s, "the drawing has another size than the map");
    for (int path = 0; path < PATHS; path++) {
        action list[TBS_UNIT_ACTIONS_MAX];
        bool reached[TBS_EDGE_MAX][TBS_EDGE_MAX] = {{false}};
        const int count = tbs_unit_actions(s->state[path], unit, TBS_ATTACKS_ALL, list, &attacks);
        for (int i = attacks; i < count; i++)
            reached[tbs_action_x(list[i])][tbs_action_y(list[i])] = true;
        for (int y = 0; y < d.height; y++)
            for (int x = 0; x < d.width; x++)
                if (strcmp(d.token[y][x], reached[x + 1][y + 1] ? "+" : "-") != 0)
                    return wrong(s, "%s path: unit %d %s at %d,%d; the drawing says '%s'", path_names[path],
                                 unit, reached[x + 1][y + 1] ? "can end" : "cannot end", x + 1, y + 1,
                                 d.token[y][x]);
    }
    return true;
}

/* "fight ACTION DAMAGE COUNTER" */
static bool on_fight(struct script *s, char *rest) {
    char word[40];
    int damage, counter;
    if (sscanf(rest, "%39s %d %d", word, &damage, &counter) != 3)
        return wrong(s, "expected: fight ACTION DAMAGE COUNTER");
    for (int path = 0; path < PATHS; path++) {
        action a;
        if (!parse_action(s, path, word, &a))
            return false;
        const struct tbs_exchange x = tbs_preview(s->state[path], a);
        if (x.damage != damage || x.counter != counter)
            return wrong(s, "%s path: damage %d and counter %d; expected %d and %d", path_names[path],
                         x.damage, x.counter, damage, counter);
    }
    return true;
}

static bool on_turn(struct script *s, char *rest) {
    int turn = 0;
    if (!read_count(s, rest, &turn))
        return false;
    for (int path = 0; path < PATHS; path++)
        if (s->scenario[path]->game->turn(s->state[path]) != turn)
            return wrong(s, "%s path: the turn is %d", path_names[path],
                         s->scenario[path]->game->turn(s->state[path]));
    return true;
}

static bool on_mover(struct script *s, char *rest) {
    static const char *const names[] = {"nobody", "red", "blue"};
    for (int path = 0; path < PATHS; path++)
        if (!compare_text(s, path, names[s->scenario[path]->game->mover(s->state[path]) + 1], rest))
            return false;
    return true;
}

static bool on_result(struct script *s, char *rest) {
    for (int path = 0; path < PATHS; path++)
        if (!compare_text(s, path, s->scenario[path]->game->text->result(s->state[path]), rest))
            return false;
    return true;
}

/* The unit that stands at x,y, or -1. */
static int unit_at(const struct tbs_position *p, int x, int y) {
    for (int id = 0; id < p->unit_count; id++)
        if (p->units[id].hp > 0 && p->units[id].x == x && p->units[id].y == y)
            return id;
    return -1;
}

static bool compare_cell(struct script *s, const struct tbs_position *p, const char *token, int x, int y) {
    struct cell c;
    if (!read_cell(s, token, &c))
        return false;
    if (c.terrain != s->map.terrain[x][y])
        return wrong(s, "the terrain at %d,%d is drawn differently in the map", x, y);
    const int id = unit_at(p, x, y);
    if (id < 0)
        return c.type == TBS_TYPES || wrong(s, "there is no unit at %d,%d; expected '%s'", x, y, token);
    const struct tbs_unit *u = &p->units[id];
    if (u->type != c.type || u->side != c.side || u->hp != c.hp || u->done != c.done ||
        (c.id >= 0 && c.id != id))
        return wrong(s, "at %d,%d is unit %d (%s %s, HP %d, %s); expected '%s'", x, y, id,
                     tbs_side_names[u->side], tbs_unit_types[u->type].name, u->hp, u->done ? "done" : "ready",
                     token);
    return true;
}

static bool on_expect(struct script *s, char *rest) {
    (void)rest;
    static struct drawing d;
    if (!take_drawing(s, &d))
        return false;
    if (d.width != s->map.width - 2 || d.height != s->map.height - 2)
        return wrong(s, "the drawing has another size than the map");
    for (int path = 0; path < PATHS; path++) {
        struct tbs_position p;
        tbs_position_of(s->state[path], &p);
        for (int y = 0; y < d.height; y++)
            for (int x = 0; x < d.width; x++)
                if (!compare_cell(s, &p, d.token[y][x], x + 1, y + 1))
                    return false;
    }
    return true;
}

/* ---- the whole ---- */

enum kind { SET_UP, DEED, CHECK };

static const struct statement {
    const char *word;
    enum kind kind;
    bool (*run)(struct script *s, char *rest);
} statements[] = {
    {"rules", SET_UP, on_rules},
    {"limit", SET_UP, on_limit},
    {"threshold", SET_UP, on_threshold},
    {"map", SET_UP, on_map},
    {"do", DEED, on_do},
    {"refuse", CHECK, on_refuse},
    {"list", CHECK, on_list},
    {"unlisted", CHECK, on_unlisted},
    {"attacks", CHECK, on_attacks},
    {"attacks-all", CHECK, on_attacks_all},
    {"attacks-damage", CHECK, on_attacks_damage},
    {"reach", CHECK, on_reach},
    {"fight", CHECK, on_fight},
    {"turn", CHECK, on_turn},
    {"mover", CHECK, on_mover},
    {"result", CHECK, on_result},
    {"expect", CHECK, on_expect},
};

static bool run_statement(struct script *s, const char *word, char *rest) {
    for (size_t i = 0; i < sizeof statements / sizeof statements[0]; i++) {
        const struct statement *st = &statements[i];
        if (strcmp(st->word, word) != 0)
            continue;
        if (st->kind == SET_UP && s->scenario[0] != NULL)
            return wrong(s, "'%s' comes too late: the map is drawn already", word);
        if (st->kind != SET_UP && !has_map(s))
            return false;
        s->checks += st->kind == CHECK;
        return st->run(s, rest);
    }
    return wrong(s, "'%s' is no statement", word);
}

static void run_line(struct script *s, char *line) {
    char *rest = line + strcspn(line, " \t");
    if (*rest != '\0')
        *rest++ = '\0';
    rest = text_trim(rest);
    if (strcmp(line, "case") == 0)
        on_case(s, rest);
    else if (!s->in_case)
        wrong(s, "'%s' stands before the first case", line);
    else
        run_statement(s, line, rest);
}

void picture_run(const char *file, char *text, struct picture_report *report) {
    static struct script s;
    s = (struct script){.file = file, .at = text, .report = report};
    while (*s.at != '\0') {
        char *line = take_line(&s);
        const bool indented = *line == ' ' || *line == '\t';
        line = text_trim(line);
        if (*line == '\0' || (*line == '#' && !indented))
            continue;
        if (s.case_failed && strncmp(line, "case ", 5) != 0)
            continue; /* one report a case */
        if (indented)
            wrong(&s, "a drawing is not expected here");
        else
            run_line(&s, line);
    }
    close_case(&s);
}
