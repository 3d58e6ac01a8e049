/* SPDX-License-Identifier: MIT
 *
 * Strategy fusion as Nishikori, Aoki and Hashimoto show it (section 4): in the one-player game of two worlds
 * of their figures 2 and 3, and in a position of Geister like that of their figure 5. A trial is one
 * decision.
 */
#include "geister/fusion_position.h"
#include "match/referee.h"
#include "repro/geister.h"
#include "repro/play.h"
#include "repro/rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PER_WORLD, INFORMATION_SET, EACP, PURPLE, CELLS };
enum { VALUE_AS_TOLD, VALUE_BELIEVED };

static const char *const value_names[] = {"chose_as_told", "believed", NULL};

static const struct repro_cell cells[CELLS] = {
    [PER_WORLD] = {"two worlds: Min-Max in each", 0, {"pimc:evaluator=minimax,worlds=all"}, "fusion"},
    [INFORMATION_SET] = {"two worlds: information sets", 0, {"ismcts:sims=20000,c=4"}, "fusion"},
    [EACP] = {"Geister: all placements enumerated", 0, {"eacp:depth=6"}, "geister"},
    [PURPLE] = {"Geister: purple pieces", 0, {"purple:depth=6"}, "geister"},
};

/* What the paper says is chosen: actions of the two-world game by name, of Geister by number. */
static const char *const told_names[CELLS] = {[PER_WORLD] = "a1", [INFORMATION_SET] = "a2"};
static const action told_moves[CELLS] = {[EACP] = FUSION_FUSED_MOVE, [PURPLE] = FUSION_WINNING_MOVE};

static bool place(struct referee *referee, const struct scenario *scenario, int cell, struct err *e) {
    if (told_names[cell] != NULL)
        return true;
    return geister_read_board((struct geister *)referee->state, scenario, 0, FUSION_BOARD, 0, 0, e);
}

static bool is_told(const void *state, const struct game *game, int cell, action chosen, struct text *name) {
    game->text->write_action(state, chosen, name);
    return told_names[cell] != NULL ? strcmp(text_string(name), told_names[cell]) == 0
                                    : chosen == told_moves[cell];
}

static bool run(const struct repro_task *task, struct repro_trial *out, struct err *e) {
    const struct game *game = task->game->game;
    struct player *player = player_open(task->cell->players[0], game, e);
    struct referee referee;
    struct text name = {0};
    if (player == NULL)
        return false;
    referee_start(&referee, task->game, task->seed, NULL);
    const bool ok = place(&referee, task->game, task->unit.cell, e);
    if (ok) {
        const struct play_decision d = play_decide(task, &referee, player);
        out->values[VALUE_AS_TOLD] = is_told(referee.state, game, task->unit.cell, d.answer.chosen, &name);
        out->values[VALUE_BELIEVED] = told_names[task->unit.cell] != NULL
                                          ? game_payoff_shown(task->game, d.answer.value)
                                          : d.answer.value;
        out->ms = d.ms;
        snprintf(out->note, sizeof out->note, "%s", text_string(&name));
    }
    text_done(&name);
    player_close(player);
    return ok;
}

/* Is a win of ours still forced in the position of Geister after the move that enumeration picks and the best
 * answer to it? */
static bool look_for_win(const struct scenario *scenario, struct purple *purple, bool *wins, struct err *e) {
    struct geister_sight sight;
    struct purple_board board;
    struct purple_result result;
    struct geister s;
    if (!geister_read_board(&s, scenario, 0, FUSION_BOARD, 0, 0, e))
        return false;
    geister_game.play(&s, FUSION_FUSED_MOVE, NULL);
    geister_game.play(&s, FUSION_REFUTATION, NULL);
    geister_see(&s, 0, &sight);
    purple_board_of(&sight, &board);
    *wins = purple_mate(purple, &board, &(struct purple_task){.depth = 8}, &result);
    return true;
}

static bool find_win(bool *wins, struct err *e) {
    struct purple *purple = purple_open((size_t)1 << 20, e);
    struct scenario *scenario = purple != NULL ? game_load_spec("geister", e) : NULL;
    const bool ok = scenario != NULL && look_for_win(scenario, purple, wins, e);
    if (scenario != NULL)
        scenario->game->unload(scenario);
    purple_close(purple);
    return ok;
}

static void add_choice(const struct repro_data *data, struct repro_result *out, int cell) {
    const struct cell_sum told = rows_sum(data, cell, VALUE_AS_TOLD);
    rows_add_share(out, cells[cell].label, 100, told.sum, told.n);
}

static bool always(const struct repro_data *data, int cell) {
    const struct cell_sum told = rows_sum(data, cell, VALUE_AS_TOLD);
    return told.n > 0 && told.mean > 0.999;
}

static bool finish(const struct repro_data *data, struct repro_result *out, struct err *e) {
    bool wins;
    if (!find_win(&wins, e))
        return false;
    for (int cell = 0; cell < CELLS; cell++)
        add_choice(data, out, cell);
    const struct cell_sum fused = rows_sum(data, PER_WORLD, VALUE_BELIEVED),
                          sound = rows_sum(data, INFORMATION_SET, VALUE_BELIEVED),
                          eacp = rows_sum(data, EACP, VALUE_BELIEVED),
                          purple = rows_sum(data, PURPLE, VALUE_BELIEVED);
    rows_add_exact(out, "two worlds: what Min-Max in each believes", 1, fused.mean);
    rows_add_exact(out, "two worlds: what information sets say", 0.5, sound.mean);
    rows_add_exact(out, "Geister: plies to the win eacp believes in", 3, PURPLE_WIN - eacp.mean);
    rows_add_exact(out, "Geister: plies to the escape purple finds", 5, PURPLE_WIN - purple.mean + 1);
    rows_add_finding(out, always(data, PER_WORLD) && fused.mean > 0.999,
                     "searching each world picks a1 and believes in +1 (it is worth 0)");
    rows_add_finding(out, always(data, INFORMATION_SET) && fabs(sound.mean - 0.5) < 0.001,
                     "searching information sets picks a2, worth +0.5");
    rows_add_finding(out, always(data, EACP) && !wins,
                     "enumerating all colour placements picks a move after which nothing is forced any more");
    rows_add_finding(out, always(data, PURPLE),
                     "the purple-piece search finds the forced escape in the same position");
    return true;
}

const struct repro_experiment repro_geister_fusion = {
    .name = "geister-fusion",
    .group = "geister",
    .title = "strategy fusion: in a game of two worlds, and in a position of Geister",
    .source = GEISTER_SOURCE ", section 4, figures 2, 3 and 5",
    .published = "per world: a1, believed +1; information sets: a2, +0.5; placements enumerated: no win, "
                 "purple: escape in 5 plies",
    .duration = "seconds",
    .version = 1,
    .trials = 20,
    .trials_quick = 20,
    .cells = cells,
    .cell_count = CELLS,
    .value_names = value_names,
    .run = run,
    .finish = finish,
};
