/* SPDX-License-Identifier: MIT
 *
 * Questions that every game answers through its table: members by name, positions, views, payoffs, weights,
 * perft.
 */
#include "game/game.h"

#include "base/mem.h"

#include <assert.h>
#include <string.h>
#include <strings.h>

/* ---- members of a table ---- */

/* Finds a row of a table that ends with a NULL name. Rows begin with their name. */
static const void *find(const void *table, size_t row_size, const char *name) {
    for (const char *row = table; row != NULL && *(const char *const *)(const void *)row != NULL;
         row += row_size)
        if (strcmp(*(const char *const *)(const void *)row, name) == 0)
            return row;
    return NULL;
}

const struct rollout *game_rollout(const struct game *game, const char *name) {
    return find(game->rollouts, sizeof *game->rollouts, name);
}

const struct eval *game_eval(const struct game *game, const char *name) {
    return find(game->evals, sizeof *game->evals, name);
}

const struct prior *game_prior(const struct game *game, const char *name) {
    return find(game->priors, sizeof *game->priors, name);
}

const struct action_list *game_list(const struct game *game, const char *name) {
    return find(game->lists, sizeof *game->lists, name);
}

/* What a game without an offer of its own gets: players that play every game. */
const struct game_offer *game_offer(const struct game *game) {
    static const struct game_offer plain_offer = {
        .opponent = "ismcts", .adviser = "ismcts", .commentator = "ismcts", .commentator_work = 400};
    return game->offer != NULL ? game->offer : &plain_offer;
}

const char *game_public_name(const struct game *game) {
    const char *name = game_offer(game)->public_name;
    return name != NULL ? name : game->name;
}

/* The table is short and looked up only when a player is opened, so a linear search suffices. */
const char *game_default(const struct game *game, const char *player, const char *option) {
    for (const struct game_default *d = game->defaults; d != NULL && d->player != NULL; d++)
        if (strcmp(d->player, player) == 0 && strcmp(d->option, option) == 0)
            return d->value;
    return "";
}

/* ---- sources, positions, views, payoffs ---- */

/* The options are read into the scenario itself: its fields have the offsets of the parameter table. */
struct scenario *game_load(const struct game *game, const struct game_source *source, struct err *e) {
    if (game->load != NULL)
        return game->load(source, game, e);
    assert(game->scenario_size >= sizeof(struct scenario));
    struct scenario *scenario = mem_alloc(game->scenario_size);
    scenario->game = game;
    params_default(game->options, scenario);
    if (source->text != NULL && source->size > 0)
        err_set(e, "%s: %s is played without a map", source->name, game->name);
    else if ((source->options == NULL || params_read(game->options, source->options, scenario, e)) &&
             (game->complete == NULL || game->complete(scenario, source, e)))
        return scenario;
    game_unload(scenario);
    return NULL;
}

void game_unload(struct scenario *scenario) {
    mem_free(scenario);
}

/* Most games keep their options as fields of the scenario, in the layout of their parameter table. */
static void write_options(const struct scenario *scenario, struct text *out) {
    if (scenario->game->text->write_options != NULL)
        scenario->game->text->write_options(scenario, out);
    else
        params_write(scenario->game->options, scenario, out);
}

void game_write_spec(const struct scenario *scenario, struct text *out) {
    text_add_string(out, scenario->game->name);
    write_options(scenario, out);
}

/* No option of a game has a value with a comma or a colon in it. */
void game_write_newgame(const struct scenario *scenario, struct text *out) {
    text_add_string(out, game_public_name(scenario->game));
    const size_t start = out->size;
    write_options(scenario, out);
    for (size_t i = start; i < out->size; i++)
        if (out->data[i] == ':' || out->data[i] == ',')
            out->data[i] = ' ';
}

void game_write_line(const struct game *game, const void *state, struct text *out) {
    const size_t start = out->size;
    game->text->write_state(state, out);
    for (size_t i = start; i < out->size; i++)
        if (out->data[i] == '\n')
            out->data[i] = ' ';
    while (out->size > start && out->data[out->size - 1] == ' ')
        out->data[--out->size] = '\0';
}

bool game_read_position(const struct scenario *scenario, const char *text, void *state, struct err *e) {
    const struct notation *notation = scenario->game->text;
    return notation->read_foreign != NULL && strchr(text, '=') == NULL
               ? notation->read_foreign(state, scenario, text, e)
               : notation->read_state(state, scenario, text, e);
}

/* A view has the size and the type of a state, so searches need no second representation. */
void game_view(const struct game *game, const void *state, int side, void *out) {
    memcpy(out, state, game->state_size);
    if (game->hide != NULL)
        game->hide(out, side);
}

bool game_scale(const struct scenario *scenario, struct payoff_scale *out) {
    const struct notation *text = scenario->game->text;
    *out = (struct payoff_scale){0, 1, ""};
    if (text->scale != NULL)
        text->scale(scenario, out);
    return text->scale != NULL;
}

/* Payoffs are linear on the scale: 0 of the interface is `low`, 1 is `high`. */
double game_payoff_scaled(const struct scenario *scenario, double payoff) {
    struct payoff_scale scale;
    game_scale(scenario, &scale);
    return scale.low + payoff * (scale.high - scale.low);
}

/* ---- weights ---- */

enum { WEIGHT_MAX = 1000000 };

void weights_default(const struct game *game, double *out) {
    memset(out, 0, GAME_WEIGHTS_MAX * sizeof *out);
    for (int i = 0; game->weights != NULL && game->weights[i].name != NULL; i++)
        out[i] = game->weights[i].fallback;
}

/* The index of the weight of that name; -1 and a sentence with the known ones where there is none. */
static int find_weight(const struct game *game, const char *name, size_t size, struct err *e) {
    struct text known = {0};
    int found = -1;
    for (int i = 0; game->weights != NULL && game->weights[i].name != NULL; i++) {
        text_add(&known, "%s%s", i > 0 ? ", " : "known are ", game->weights[i].name);
        if (strlen(game->weights[i].name) == size && strncasecmp(game->weights[i].name, name, size) == 0)
            found = i;
    }
    if (known.size == 0)
        text_add(&known, "%s has none", game->name);
    if (found < 0)
        err_set(e, "value '%.*s' is unknown; %s", (int)size, name, text_string(&known));
    text_done(&known);
    return found;
}

/* Input comes from a person or a spec: each fault has a sentence that quotes the faulty part. */
bool weights_read(const struct game *game, const char *text, double *out, struct err *e) {
    while (*text != '\0') {
        const size_t size = strcspn(text, ","); /* of one NAME:NUMBER */
        const char *colon = memchr(text, ':', size);
        if (colon == NULL)
            return err_set(e, "'%.*s' is no value; expected NAME:NUMBER", (int)size, text);
        const int which = find_weight(game, text, (size_t)(colon - text), e);
        if (which < 0)
            return false;
        char number[40] = "";
        double value;
        const size_t digits = size - (size_t)(colon - text) - 1;
        memcpy(number, colon + 1, digits < sizeof number ? digits : 0);
        if (!text_to_real(number, &value) || value < -WEIGHT_MAX || value > WEIGHT_MAX)
            return err_set(e, "'%.*s': expected a number up to %d behind the colon", (int)size, text,
                           WEIGHT_MAX);
        out[which] = value;
        text += size;
        if (*text == ',' && *++text == '\0')
            return err_set(e, "a value is missing behind the last comma");
    }
    return true;
}

/* ---- perft ---- */

struct walk {
    const struct game *game;
    struct budget_meter meter; /* a unit of work is a list of actions */
    action *actions;           /* one block of actions_max a level */
    uint64_t nodes;
};

/* Each level has a list of its own, because the levels above still iterate over theirs. */
static bool walk(struct walk *w, const void *state, int depth, int level) {
    if (!budget_spend(&w->meter, 1))
        return false;
    action *list = w->actions + (size_t)level * (size_t)w->game->actions_max;
    const int count = w->game->actions(state, list);
    if (depth <= 1) {
        w->nodes += (uint64_t)count;
        return true;
    }
    _Alignas(16) unsigned char next[GAME_STATE_MAX];
    for (int i = 0; i < count; i++)
        for (int outcome = game_outcomes(w->game, state, list[i]) - 1; outcome >= 0; outcome--) {
            memcpy(next, state, w->game->state_size);
            game_play_outcome(w->game, next, list[i], outcome);
            if (!walk(w, next, depth - 1, level + 1))
                return false;
        }
    return true;
}

bool game_perft(const struct game *game, const void *state, int depth, const struct budget *budget,
                uint64_t *nodes) {
    if (depth <= 0) {
        *nodes = 1;
        return true;
    }
    struct walk w = {.game = game};
    budget_start(&w.meter, budget != NULL ? budget : &(struct budget){0});
    w.actions = mem_alloc((size_t)depth * (size_t)game->actions_max * sizeof(action));
    const bool ok = walk(&w, state, depth, 0);
    mem_free(w.actions);
    *nodes = w.nodes;
    return ok;
}
