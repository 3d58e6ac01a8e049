/* SPDX-License-Identifier: MIT
 *
 * What is wrong with a table shows before anything is played.
 */
#include "game/check.h"

#include <string.h>

static bool has_slots(const struct game *g, struct err *e) {
    const bool there = g->load != NULL && g->unload != NULL && g->start != NULL && g->mover != NULL &&
                       g->actions != NULL && g->is_legal != NULL && g->play != NULL && g->payoff != NULL &&
                       g->turn != NULL && g->progress != NULL && g->key != NULL &&
                       g->key_from_scratch != NULL && g->valid != NULL;
    if (!there)
        return err_set(e, "%s: a required function is missing", g->name);
    const int views = (g->hide != NULL) + (g->determinize != NULL) + (g->worlds != NULL) + (g->world != NULL);
    if (views != 0 && views != 4)
        return err_set(e, "%s: hide, determinize, worlds and world come together or not at all", g->name);
    return true;
}

static bool has_notation(const struct game *g, struct err *e) {
    const struct notation *n = g->text;
    if (n == NULL || n->write_state == NULL || n->read_state == NULL || n->write_action == NULL ||
        n->read_action == NULL || n->result == NULL || n->write_source == NULL || n->side_names[0] == NULL ||
        n->side_names[1] == NULL)
        return err_set(e, "%s: a part of the notation is missing", g->name);
    return true;
}

static bool has_rollouts(const struct game *g, struct err *e) {
    if (g->rollouts == NULL || g->rollouts[0].name == NULL)
        return err_set(e, "%s: there is no rollout", g->name);
    for (const struct rollout *p = g->rollouts; p->name != NULL; p++) {
        if (p->help == NULL || p->run == NULL)
            return err_set(e, "%s: rollout '%s' lacks its help or its function", g->name, p->name);
        for (const struct rollout *q = g->rollouts; q < p; q++)
            if (strcmp(p->name, q->name) == 0)
                return err_set(e, "%s: two rollouts are named '%s'", g->name, p->name);
    }
    return true;
}

/* Searches take the first of each as their default. */
static bool has_knowledge(const struct game *g, struct err *e) {
    if (g->evals == NULL || g->evals[0].name == NULL || g->priors == NULL || g->priors[0].name == NULL)
        return err_set(e, "%s: there is no evaluation or no prior", g->name);
    if (g->lists == NULL || g->lists[0].list != g->actions)
        return err_set(e, "%s: the first action list must be that of all actions", g->name);
    int weights = 0;
    while (g->weights != NULL && g->weights[weights].name != NULL)
        weights++;
    if (weights > GAME_WEIGHTS_MAX)
        return err_set(e, "%s: %d weights are too many; the limit is %d", g->name, weights, GAME_WEIGHTS_MAX);
    return true;
}

static bool has_limits(const struct game *g, struct err *e) {
    if (g->state_size == 0 || g->state_size > GAME_STATE_MAX)
        return err_set(e, "%s: a state has %zu bytes; expected 1 to %d", g->name, g->state_size,
                       GAME_STATE_MAX);
    if (g->actions_max <= 0)
        return err_set(e, "%s: actions_max is %d", g->name, g->actions_max);
    return true;
}

static bool has_name(const struct game *g, int index, struct err *e) {
    struct spec spec;
    if (g->name == NULL || g->help == NULL)
        return err_set(e, "game %d of the table lacks its name or its help", index);
    if (!spec_parse(g->name, &spec, e) || spec.count != 0)
        return err_set(e, "'%s' cannot be the name of a game", g->name);
    return true;
}

bool game_tables_check(const struct game *const *tables, struct err *e) {
    for (int i = 0; tables[i] != NULL; i++) {
        const struct game *g = tables[i];
        if (!has_name(g, i, e) || !has_slots(g, e) || !has_notation(g, e) || !has_rollouts(g, e) ||
            !has_knowledge(g, e) || !has_limits(g, e))
            return false;
        for (int k = 0; k < i; k++)
            if (strcmp(tables[k]->name, g->name) == 0)
                return err_set(e, "two games are named '%s'", g->name);
    }
    return true;
}

bool game_registry_check(struct err *e) {
    return game_tables_check(game_tables, e);
}
