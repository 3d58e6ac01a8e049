/* SPDX-License-Identifier: MIT
 *
 * States and actions as text:
 *
 *     tree=123 moves=LRL types=3,?4-7
 *
 * Moves are L and R, or with more than two actions numbers from 0, parted by dots (0.2.1); none are `-`. A
 * type is a number, `?` when it can be any, `?4-7` when it is one of these.
 */
#include "game/plain.h"
#include "game/synth/core.h"

#include <string.h>

static const char letters[] = "LR";

static bool has_letters(const struct synth_scenario *sc) {
    return sc->params.branching == 2;
}

/* ---- writing ---- */

static void add_move(const struct synth_scenario *sc, uint64_t move, struct text *out) {
    if (has_letters(sc))
        text_add_bytes(out, &letters[move], 1);
    else
        text_add(out, "%d", (int)move);
}

static void write_action(const void *state, action a, struct text *out) {
    add_move(((const struct synth_state *)state)->scenario, a, out);
}

static void write_moves(const struct synth_state *s, struct text *out) {
    const uint64_t branching = (uint64_t)s->scenario->params.branching;
    uint8_t moves[SYNTH_DEPTH_MAX];
    uint64_t path = s->path;
    for (int i = s->ply; i-- > 0; path /= branching)
        moves[i] = (uint8_t)(path % branching);
    for (int i = 0; i < s->ply; i++) {
        text_add_string(out, i > 0 && !has_letters(s->scenario) ? "." : "");
        add_move(s->scenario, moves[i], out);
    }
    text_add_string(out, s->ply == 0 ? "-" : "");
}

static void write_type(const struct synth_state *s, int side, struct text *out) {
    const int first = s->first[side], size = 1 << s->span[side];
    if (s->span[side] == 0)
        text_add(out, "%d", first);
    else if (s->span[side] == s->scenario->span)
        text_add_string(out, "?");
    else
        text_add(out, "?%d-%d", first, first + size - 1);
}

static void write_state(const void *state, struct text *out) {
    const struct synth_state *s = state;
    text_add(out, "tree=%llu moves=", (unsigned long long)s->tree);
    write_moves(s, out);
    text_add_string(out, " types=");
    write_type(s, 0, out);
    text_add_string(out, ",");
    write_type(s, 1, out);
    text_add_string(out, "\n");
}

/* ---- reading ---- */

/* A number without sign or blanks, at most `most`. */
static bool to_number(const char *text, int most, int *out) {
    const size_t digits = strspn(text, "0123456789");
    long value;
    if (digits == 0 || digits > 9 || text[digits] != '\0' || !text_to_int(text, &value) || value > most)
        return false;
    *out = (int)value;
    return true;
}

static bool read_move(const struct synth_scenario *sc, const char *text, int *out, struct err *e) {
    if (has_letters(sc)) {
        const char *letter = text[0] != '\0' && text[1] == '\0' ? strchr(letters, text[0]) : NULL;
        *out = letter != NULL ? (int)(letter - letters) : 0;
        return letter != NULL || err_set(e, "'%.64s' is no action; expected L or R", text);
    }
    return to_number(text, sc->params.branching - 1, out) ||
           err_set(e, "'%.64s' is no action; expected 0 to %d", text, sc->params.branching - 1);
}

static bool read_action(const void *state, const char *text, action *out, struct err *e) {
    const struct synth_state *s = state;
    int move;
    if (!read_move(s->scenario, text, &move, e))
        return false;
    *out = (action)move;
    return s->ply < s->scenario->params.depth || err_set(e, "'%s' is illegal: the game is over", text);
}

/* Cuts the first move off; NULL behind the last one. */
static char *next_move(const struct synth_scenario *sc, char **rest, char letter[2]) {
    char *move = *rest;
    if (move == NULL || (has_letters(sc) && *move == '\0'))
        return NULL;
    if (has_letters(sc)) {
        letter[0] = *move;
        letter[1] = '\0';
        *rest = move + 1;
        return letter;
    }
    char *dot = strchr(move, '.');
    *rest = dot != NULL ? dot + 1 : NULL;
    if (dot != NULL)
        *dot = '\0';
    return move;
}

static bool read_moves(struct synth_state *s, char *moves, struct err *e) {
    const struct synth_params *p = &s->scenario->params;
    char letter[2], *rest = strcmp(moves, "-") == 0 ? NULL : moves;
    for (char *text; (text = next_move(s->scenario, &rest, letter)) != NULL;) {
        int move;
        if (s->ply == p->depth)
            return err_set(e, "there are more than %d moves", p->depth);
        if (!read_move(s->scenario, text, &move, e))
            return err_prefix(e, "move %d: ", s->ply + 1);
        s->path = s->path * (uint64_t)p->branching + (uint64_t)move;
        s->ply++;
    }
    return true;
}

/* "?4-7": aligned, of a size that halving can lead to. */
static bool to_block(char *range, int worlds, struct synth_block *out) {
    char *dash = strchr(range, '-');
    int first, last;
    if (dash == NULL)
        return false;
    *dash = '\0';
    const bool ok = to_number(range, worlds - 1, &first) && to_number(dash + 1, worlds - 1, &last);
    *dash = '-';
    if (!ok || last < first)
        return false;
    const int size = last - first + 1;
    *out = (struct synth_block){.first = first};
    while (1 << out->span < size)
        out->span++;
    return size > 1 && 1 << out->span == size && first % size == 0;
}

static bool read_type(struct synth_state *s, int side, char *text, struct err *e) {
    const int worlds = s->scenario->params.worlds;
    struct synth_block block = {0, 0};
    if (strcmp(text, "?") == 0)
        block.span = s->scenario->span;
    else if (text[0] == '?' ? !to_block(text + 1, worlds, &block)
                            : !to_number(text, worlds - 1, &block.first))
        return err_set(e, "type '%.64s': expected 0 to %d, ?, or a cell of them like ?0-%d", text, worlds - 1,
                       worlds / 2 > 1 ? worlds / 2 - 1 : 1);
    s->first[side] = (uint16_t)block.first;
    s->span[side] = (uint8_t)block.span;
    return true;
}

static bool read_tree(struct synth_state *s, const char *text, struct err *e) {
    const int fixed = s->scenario->params.tree;
    unsigned long long tree;
    if (!text_to_u64(text, &tree))
        return err_set(e, "tree=%.64s: expected a whole number", text);
    s->tree = tree;
    return fixed == 0 || tree == (unsigned long long)fixed ||
           err_set(e, "tree=%.64s: this game is played on tree %d", text, fixed);
}

static bool read_state(void *state, const struct scenario *scenario, const char *text, struct err *e) {
    static const char *const names[] = {"tree", "moves", "types", NULL};
    struct plain_fields fields;
    struct synth_state *s = state;
    *s = (struct synth_state){.scenario = synth_scenario_of(scenario)};
    if (!plain_read_fields(text, names, &fields, e) || !read_tree(s, fields.values[0], e) ||
        !read_moves(s, fields.values[1], e))
        return false;
    char *types[2];
    if (text_split(fields.values[2], ',', types, 2) != 2)
        return err_set(e, "types=%.64s: expected two, parted by a comma", fields.values[2]);
    return read_type(s, 0, types[0], e) && read_type(s, 1, types[1], e);
}

/* ---- the rest ---- */

static const char *result(const void *state) {
    const struct synth_state *s = state;
    if (s->ply < s->scenario->params.depth)
        return "none";
    if (s->span[0] > 0 || s->span[1] > 0)
        return "unknown";
    return s->scenario->results[synth_leaf_at(s->scenario, s->tree, s->path, s->first)];
}

/* What is usual for `uncorr` depends on the payoffs, so that with signs it is always said. */
static void write_source(const struct scenario *scenario, struct text *map, struct text *options) {
    (void)map;
    const struct synth_params *p = synth_params_of(scenario);
    plain_write_options(&synth_game, p, options);
    if (p->payoffs == SYNTH_SIGNS && p->uncorrelated == SYNTH_INDEPENDENT)
        text_add_string(options, " uncorr=independent");
}

static void scale(const struct scenario *scenario, struct payoff_scale *out) {
    *out = (struct payoff_scale){0, synth_params_of(scenario)->top, ""};
}

const struct notation synth_notation = {
    .write_state = write_state,
    .read_state = read_state,
    .write_action = write_action,
    .read_action = read_action,
    .result = result,
    .write_source = write_source,
    .scale = scale,
    .side_names = {"first", "second"},
};
