/* SPDX-License-Identifier: MIT
 *
 * `senjutsu analyze`: a player's view of a position, and the whole turn it would play there. The turn is
 * found as in a game: the player is asked again after each of its own actions. Output is a table, redrawn in
 * place on a terminal while the player thinks, or JSON. Values are printed on the player's own scale, except
 * payoffs of games that count them in their own units. Nothing that is hidden from the side to move is
 * printed.
 */
#include "base/encode.h"
#include "cli/cli.h"
#include "game/face.h"
#include "player/player.h"
#include "search/minmax.h"

#include <assert.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* One decision of the turn: question, answer and time. */
struct decision {
    int number; /* in the recommended turn, from 1 */
    const struct scenario *scenario;
    const struct game *game; /* the scenario's */
    const void *state;
    struct answer answer;
    struct thoughts thoughts;
    int64_t start_ns;                 /* on cli_clock */
    double seconds;                   /* that the answer took */
    const struct payoff_scale *scale; /* scale on which payoffs are shown; NULL: values are shown unchanged */
};

enum {
    ANALYSIS_TURN_MAX = 256, /* a side has at most TBS_SIDE_UNITS_MAX units, each acts once */
    ANALYSIS_LINE_SHOWN = 8, /* actions of an expected line in a table; JSON has all */
    WATCH_EVERY_MS = 250
};

struct analysis {
    struct position_source source;
    const char *spec;
    uint64_t seed, sims;
    int time_ms, top;
    bool json, watch, no_turn, no_colour;

    struct text player_name; /* the canonical spec */
    struct player *player;
    struct rng rng;
    struct cli_position position;
    bool single; /* turns are one action: no turn is recommended */
    struct payoff_scale scale;
    struct decision first;      /* the position itself: most of the output is about it */
    struct decision later;      /* of the recommended turn, one after the other */
    const struct decision *now; /* the current decision */

    int turn_count; /* recommended so far */
    action turn[ANALYSIS_TURN_MAX];
    double turn_seconds; /* of all decisions */
    bool stopped;        /* Ctrl-C cut the last decision short */
    int drawn;           /* lines on the terminal that the next refresh replaces */
    _Alignas(16) unsigned char state[GAME_STATE_MAX]; /* after the actions in `turn` */
};

/* ---- printing: lines of play ---- */

/* A position along a line of play; actions are written in the position in which they are played. */
struct walk {
    const struct game *game;
    struct rng rng;
    int turn, mover; /* before the last step */
    bool is_drawn;   /* the state is one of several outcomes */
    _Alignas(16) unsigned char state[GAME_STATE_MAX];
};

/* Views of games with hidden information cannot be played on, so a world is drawn. The fixed seed makes the
 * output repeatable. */
static void walk_start(struct walk *w, const struct game *game, const void *state) {
    w->game = game;
    w->is_drawn = false;
    rng_seed(&w->rng, 0);
    position_view(game, state, game->mover(state), w->state);
    if (game->hide != NULL) /* a line holds in every world; its last position is unknown in all of them */
        game->determinize(w->state, &w->rng);
}

/* False when the line cannot be continued: the game is over, the search assumed an illegal action, or the
 * last action had several outcomes. */
static bool walk_step(struct walk *w, action a) {
    w->turn = w->game->turn(w->state);
    w->mover = w->game->mover(w->state);
    if (w->is_drawn || w->mover == NOBODY || !w->game->is_legal(w->state, a))
        return false;
    w->is_drawn = game_outcomes(w->game, w->state, a) > 1;
    w->game->play(w->state, a, &w->rng);
    return true;
}

/* Appends "then 4:2,2 | 9:3,4x5 8:3,3": what follows the candidate, with a bar at each change of turn. */
static void add_line(const struct decision *d, const struct thought *t, struct text *out) {
    struct walk w;
    walk_start(&w, d->game, d->state);
    if (t->line_count < 2 || !walk_step(&w, t->action))
        return;
    text_add_string(out, "          then");
    for (int i = 1; i < t->line_count && d->game->is_legal(w.state, t->line[i]); i++) {
        if (w.game->turn(w.state) != w.turn || w.game->mover(w.state) != w.mover)
            text_add_string(out, " |");
        if (i > ANALYSIS_LINE_SHOWN) {
            text_add_string(out, " ...");
            break;
        }
        text_add_string(out, " ");
        d->game->text->write_action(w.state, t->line[i], out);
        walk_step(&w, t->line[i]);
    }
    if (d->game->mover(w.state) == NOBODY && d->game->hide == NULL) {
        text_add_string(out, ": ");
        position_add_end(d->scenario, w.state, POSITION_SEES_ALL, out);
    }
    text_add_string(out, "\n");
}

/* ---- printing: the table ---- */

/* Payoffs are 0 … 1 inside; the scale is the game's, for instance -2 … 2 chips in Kuhn poker. */
static double display_value(const struct decision *d, double value) {
    return d->scale == NULL ? value : d->scale->low + value * (d->scale->high - d->scale->low);
}

/* A search that has proved a result reports a value beyond every evaluation; the number means nothing. */
static void add_value(const struct decision *d, double own_value, struct text *out) {
    const double value = display_value(d, own_value);
    if (isnan(value))
        text_add_string(out, "unknown");
    else if (minmax_is_decided(value)) /* no evaluation reaches these values */
        text_add_string(out, value > 0 ? "won" : "lost");
    else
        text_add(out, d->scale != NULL && d->scale->low < 0 ? "%+.3f" : "%.3f",
                 fabs(value) < 0.0005 ? 0 : value); /* no "-0.000" */
}

/* Appends a description of an action as its mover sees it; nothing where the notation is enough. */
static void add_description(const struct decision *d, action a, bool is_short, struct text *out) {
    const struct game_face *face = game_face(d->game);
    const int mover = d->game->mover(d->state);
    _Alignas(16) unsigned char view[GAME_STATE_MAX];
    if (face->describe == NULL)
        return;
    game_view(d->game, d->state, mover, view);
    text_add_string(out, is_short ? "  " : ": ");
    (is_short && face->describe_short != NULL ? face->describe_short : face->describe)(view, a, mover, out);
}

/* One line: the choice is marked, because it need not be the first. "<=" stands before a bound: alpha-beta
 * search proves of most moves only that they are no better than the best. */
static void add_candidate(const struct decision *d, int rank, bool counted, struct text *out) {
    const struct thought *t = &d->thoughts.candidates[rank];
    struct text notation = {0}, value = {0};
    d->game->text->write_action(d->state, t->action, &notation);
    text_add_string(&value, t->at_most ? "<= " : "");
    add_value(d, t->value, &value);
    text_add(out, "%c%3d  %-13s %9s", t->action == d->answer.chosen ? '>' : ' ', rank + 1,
             text_string(&notation), text_string(&value));
    if (counted)
        text_add(out, " %9llu", (unsigned long long)t->visits);
    add_description(d, t->action, true, out);
    text_add_string(out, "\n");
    add_line(d, t, out);
    text_done(&notation);
    text_done(&value);
}

/* As many candidates as asked for, and the choice in any case. Visits have a column only where the player
 * counts them. */
static void add_table(const struct analysis *a, const struct decision *d, struct text *out) {
    const struct thoughts *t = &d->thoughts;
    const int shown = t->count < a->top ? t->count : a->top;
    bool counted = false;
    int chosen = 0; /* the choice may differ from the first candidate, for instance by lot among equals */
    for (int i = 0; i < t->count; i++) {
        counted = counted || t->candidates[i].visits > 0;
        if (t->candidates[i].action == d->answer.chosen)
            chosen = i;
    }
    text_add(out, "      %-13s %9s%s\n", "action", "value", counted ? "    visits" : "");
    for (int i = 0; i < shown; i++)
        add_candidate(d, i, counted, out);
    if (chosen >= shown)
        add_candidate(d, chosen, counted, out);
    if (shown < t->total)
        text_add(out, "      %d of %d candidates\n", shown + (chosen >= shown), t->total);
    if (t->simulations > 0 && t->simulations < 2 * (uint64_t)t->total)
        text_add_string(out,
                        "      most were tried once at best: more simulations (--sims, --time) say more\n");
}

/* "6000 simulations, 4312 nodes, depth 9, 0.031 s: 193548 simulations/s, 139096 nodes/s" */
static void add_work(const struct decision *d, double seconds, struct text *out) {
    const struct thoughts *t = &d->thoughts;
    const char *const names[] = {"simulation", "leaf evaluation", "node"};
    const uint64_t counts[] = {t->simulations, game_offer(d->game)->takes_map ? 0 : d->answer.leaves,
                               t->nodes};
    for (int i = 0; i < 3; i++)
        if (counts[i] > 0)
            text_add(out, "%llu %s%s, ", (unsigned long long)counts[i], names[i], counts[i] == 1 ? "" : "s");
    if (t->depth > 0)
        text_add(out, "depth %d, ", t->depth);
    if (seconds < 0.001) { /* too short for a rate */
        text_add_string(out, "less than 1 ms");
        return;
    }
    text_add(out, "%.3f s", seconds);
    if (t->simulations > 0)
        text_add(out, ": %.0f simulations/s", (double)t->simulations / seconds);
    if (t->nodes > 0)
        text_add(out, "%s%.0f nodes/s", t->simulations > 0 ? ", " : ": ", (double)t->nodes / seconds);
}

/* ---- JSON ----
 *
 * json_real and json_string return NULL for what JSON cannot express (NAN; a file name that is not UTF-8).
 * With "o?" of json_pack such a member is null. */

/* The line in notation, from `state` on; ends at the first action that is not legal. */
static json_t *line_json(const struct decision *d, const action *line, int count) {
    struct walk w;
    json_t *array = json_array();
    walk_start(&w, d->game, d->state);
    for (int i = 0; i < count; i++) {
        json_t *notation = face_action_json(w.game, w.state, line[i]);
        if (!walk_step(&w, line[i])) {
            json_decref(notation);
            break;
        }
        json_array_append_new(array, notation);
    }
    return array;
}

/* Null where the player does not report a value. */
static json_t *value_json(const struct decision *d, double own_value) {
    return json_real(display_value(d, own_value) + 0.0); /* a sum is never -0 */
}

/* Unlike the table it has whole lines of play, but not the choice beyond --top: "chosen" names it. */
static json_t *candidates_json(const struct analysis *a, const struct decision *d) {
    json_t *array = json_array();
    for (int i = 0; i < d->thoughts.count && i < a->top; i++) {
        const struct thought *t = &d->thoughts.candidates[i];
        json_array_append_new(
            array, json_pack("{so so? sb sI so}", "action", face_action_json(d->game, d->state, t->action),
                             "value", value_json(d, t->value), "at_most", (int)t->at_most, "visits",
                             (json_int_t)t->visits, "line", line_json(d, t->line, t->line_count)));
    }
    return array;
}

/* ---- progress ---- */

/* Replaces the earlier drawing. Lines that do not fit are cut: wrapped ones could not be erased. */
static void draw(struct analysis *a, const char *text, int columns, int rows) {
    if (a->drawn > 0)
        printf("\033[%dA\r\033[J", a->drawn);
    a->drawn = 0;
    for (; *text != '\0' && a->drawn < rows - 1; a->drawn++) {
        const int length = (int)strcspn(text, "\n");
        printf("%.*s\n", length < columns ? length : columns - 1, text);
        text += length + (text[length] == '\n');
    }
    fflush(stdout);
}

/* Shows intermediate results; the struct watch's `show`, its context a struct analysis. Without a terminal
 * that can be redrawn, and for later decisions of a turn, that is one line with the best action so far. */
static void refresh(void *context, const struct thoughts *so_far) {
    struct analysis *a = context;
    struct decision d = *a->now;
    const double seconds = clock_seconds_since(cli_clock(), d.start_ns);
    int columns, rows;
    struct text text = {0};
    d.thoughts = *so_far;
    d.answer.leaves = 0; /* counted only at the end */
    d.answer.chosen = so_far->count > 0 ? so_far->candidates[0].action : ~(action)0;
    const bool redraws = !a->json && cli_terminal(STDOUT_FILENO, &columns, &rows);
    if (a->json) {
        cli_print_row(json_pack("{sb si sI sI si so sf}", "so_far", 1, "decision", d.number, "simulations",
                                (json_int_t)so_far->simulations, "nodes", (json_int_t)so_far->nodes, "depth",
                                so_far->depth, "candidates", candidates_json(a, &d), "seconds", seconds));
    } else {
        text_add(&text, "action %d of the turn: ", d.number);
        if (so_far->count > 0) {
            d.game->text->write_action(d.state, d.answer.chosen, &text);
            text_add_string(&text, ", value ");
            add_value(&d, so_far->candidates[0].value, &text);
            text_add_string(&text, "; ");
        }
        add_work(&d, seconds, &text);
        text_add_string(&text, "\n");
        if (redraws && d.number == 1)
            add_table(a, &d, &text);
    }
    if (redraws)
        draw(a, text_string(&text), columns, rows);
    else
        fputs(text_string(&text), stdout);
    fflush(stdout);
    text_done(&text);
    if (ferror(stdout)) /* the output is closed: a search that nothing reads is stopped */
        atomic_store(&cli_stop, true);
}

/* ---- printing: the result as text ---- */

/* Prints the first decision at once: the rest of the turn may take as long again for each action. */
static void print_decision(const struct analysis *a) {
    const struct decision *d = &a->first;
    const char *name = text_string(&a->player_name);
    struct text text = {0};
    text_add(&text, "\n%s chooses ", name);
    d->game->text->write_action(d->state, d->answer.chosen, &text);
    add_description(d, d->answer.chosen, false, &text);
    text_add_string(&text, "\nvalue ");
    add_value(d, d->answer.value, &text);
    if (d->scale != NULL)
        text_add(&text, " of %g..%g%s%s", d->scale->low, d->scale->high, d->scale->unit[0] != '\0' ? " " : "",
                 d->scale->unit);
    text_add_string(&text, "; ");
    add_work(d, d->seconds, &text);
    text_add_string(&text, "\n\n");
    if (d->thoughts.count > 0)
        add_table(a, d, &text);
    else
        text_add(&text, "%s lists no candidates: only its choice is known.\n", name);
    text_add_string(&text, !a->no_turn && !a->single ? "\nRecommended turn:\n" : "");
    fputs(text_string(&text), stdout);
    fflush(stdout);
    text_done(&text);
}

/* ---- printing: the result as JSON ---- */

/* Prints everything as one JSON object; returns the exit status. Games with maps have the members "map" and
 * "rules", others "game", "view", "scale" and "leaves". Times differ between runs and are a separate member,
 * so that scripts can compare the rest. */
static int print_json(const struct analysis *a) {
    const struct decision *d = &a->first;
    const struct game *game = d->game;
    const struct thoughts *t = &d->thoughts;
    const struct payoff_scale *s = d->scale;
    const bool maps = game_offer(game)->takes_map;
    const int mover = game->mover(d->state);
    const double seconds = d->seconds > 0 ? d->seconds : 1e-9;
    const char *map = a->source.map != NULL || a->source.after != NULL ? a->source.map : "standard";
    _Alignas(16) unsigned char before[GAME_STATE_MAX], after[GAME_STATE_MAX];
    position_view(game, d->state, mover, before);
    position_view(game, a->state, mover, after); /* the recommended turn, as far as its side may know it */
    struct text spec = {0}, view = {0};
    game_write_spec(a->position.scenario, &spec);
    text_add_string(&view, "");
    game->text->write_state(before, &view);
    json_t *scale = maps        ? NULL
                    : s == NULL ? json_null()
                                : json_pack("{sf sf ss}", "low", s->low, "high", s->high, "unit", s->unit);
    json_t *map_name = maps ? json_string(map) : NULL;
    if (maps && map_name == NULL)
        map_name = json_null();
    json_t *times = json_pack("{sf sf sf sf}", "seconds", d->seconds, "simulations_per_second",
                              (double)t->simulations / seconds, "nodes_per_second",
                              (double)t->nodes / seconds, "turn_seconds", a->turn_seconds);
    json_t *source = a->source.after != NULL ? json_pack("{so? si}", "record", json_string(a->source.after),
                                                         "actions", a->position.replay.next)
                                             : NULL;
    json_t *root = json_pack(
        "{ss* so* so? ss* so* ss so si ss so so? so* so si so? so? sI so* sI si sb so}", "game",
        maps ? NULL : text_string(&spec), "map", map_name, "after", source, "rules",
        maps ? game->text->rules(a->position.scenario) : NULL, "view",
        maps ? NULL : json_string(text_trim(view.data)), "player", text_string(&a->player_name), "seed",
        jsontext_seed(a->seed), "turn", game->turn(d->state), "side", game->text->side_names[mover], "chosen",
        face_action_json(game, d->state, d->answer.chosen), "value", value_json(d, d->answer.value), "scale",
        scale, "candidates", candidates_json(a, d), "candidates_total", t->total, "recommended_turn",
        a->no_turn ? NULL : line_json(d, a->turn, a->turn_count), "result_after_turn",
        json_string(a->no_turn ? NULL : game->text->result(after)), "simulations", (json_int_t)t->simulations,
        "leaves", maps ? NULL : json_integer((json_int_t)d->answer.leaves), "nodes", (json_int_t)t->nodes,
        "depth", t->depth, "stopped", a->stopped, "times", times);
    text_done(&spec);
    text_done(&view);
    if (!a->watch || root == NULL)
        return cli_show_json(root);
    cli_print_row(root);
    return CLI_OK;
}

/* ---- asking ---- */

/* Asks about `a->state`; false when the answer is illegal. External players may break the rules; a faulty
 * player of ours is reported in the same way. */
static bool decide(struct analysis *a, struct decision *d, struct err *e) {
    const struct watch watch = {refresh, a, (int64_t)WATCH_EVERY_MS * 1000000};
    d->number = a->turn_count + 1;
    d->scenario = a->position.scenario;
    d->game = d->scenario->game;
    d->scale = a->first.scale;
    d->state = a->turn_count == 0 ? a->position.replay.state : a->state;
    const struct record_line line = {&a->position.record, a->position.replay.next, a->turn, a->turn_count};
    const struct game_history history = record_history(&line, a->position.scenario);
    /* A position that was given as text has no history. External players then refuse to answer; where
     * something is hidden or drawn they are sent the view alone, and the history only numbers the game. */
    const struct ask ask = {
        .game = d->game,
        .view = d->state,
        .taken = a->position.replay.turn.taken + a->turn_count,
        .budget = {.work_max = a->sims,
                   .time_ns_max = (int64_t)a->time_ms * 1000000,
                   .clock = cli_clock(),
                   .stop = &cli_stop},
        .rng = &a->rng,
        .history = a->position.placed && game_is_determined(d->game) ? NULL : &history,
        .thoughts = &d->thoughts,
        .watch = a->watch ? &watch : NULL,
    };
    a->now = d;
    d->start_ns = clock_now_ns(cli_clock());
    player_choose_in(a->player, &ask, &d->answer);
    d->seconds = clock_seconds_since(cli_clock(), d->start_ns);
    draw(a, "", 0, 0); /* erases the progress */
    a->turn_seconds += d->seconds;
    a->stopped = atomic_load(&cli_stop);
    if (d->answer.fault != PLAYER_FAULT_NONE)
        return err_set(e, "%s: %s", text_string(&a->player_name), d->answer.reason);
    if (d->game->is_legal(d->state, d->answer.chosen))
        return true;
    struct text text = {0};
    d->game->text->write_action(d->state, d->answer.chosen, &text);
    err_set(e, "%s chose %s, which is illegal", text_string(&a->player_name), text_string(&text));
    text_done(&text);
    return false;
}

/* Prints and plays the chosen action. */
static void take(struct analysis *a, const struct decision *d) {
    const action chosen = d->answer.chosen;
    assert(a->turn_count < ANALYSIS_TURN_MAX);
    if (!a->json && !a->no_turn && !a->single) {
        struct text notation = {0}, description = {0};
        d->game->text->write_action(a->state, chosen, &notation);
        position_add_action(d->scenario, a->state, chosen, d->game->mover(a->state), &description);
        printf("  %-13s%s\n", text_string(&notation), text_string(&description));
        fflush(stdout);
        text_done(&notation);
        text_done(&description);
    }
    a->turn[a->turn_count++] = chosen;
    d->game->play(a->state, chosen, &a->position.replay.rng);
}

/* Loads the position and opens the player. What depends on the game alone is decided here: the adviser in
 * place of --player, the scale of values, whether a turn is one action. */
static int prepare(struct analysis *a, struct err *e) {
    if (a->spec != NULL && !player_check(a->spec, NULL, e))
        return CLI_USAGE;
    a->source.seed = a->seed;
    const int status = position_load(&a->source, &a->position);
    if (status != CLI_OK)
        return status;
    const struct game *game = a->position.scenario->game;
    if (!position_is_open(&a->position, "analyze"))
        return CLI_FAILED;
    if (a->spec == NULL)
        a->spec = game_offer(game)->adviser;
    if (!player_check(a->spec, &a->player_name, e))
        return CLI_FAILED;
    a->single = !game_offer(game)->can_pass && game->progress(a->position.replay.state).left <= 1;
    const bool is_scaled = game_scale(a->position.scenario, &a->scale);
    a->first.scale = is_scaled && player_expects_payoffs(text_string(&a->player_name)) ? &a->scale : NULL;
    if (a->top == 0 || a->top > game->actions_max)
        a->top = game->actions_max; /* lists of thoughts are allocated for this many */
    thoughts_widen(&a->first.thoughts, a->top);
    thoughts_widen(&a->later.thoughts, a->top);
    a->player = player_open_granted(a->spec, game, cli_grant(), e);
    return a->player != NULL ? CLI_OK : CLI_FAILED;
}

/* The rest of the turn is played in the full position with the chosen actions, as a game would continue.
 * Chance draws from the record's stream, so that the same command gives the same turn. */
static int run_analyze(void *context, const struct cli_call *call, struct err *e) {
    struct analysis *a = context;
    const int status = prepare(a, e);
    (void)call;
    if (status != CLI_OK)
        return status;
    const struct scenario *scenario = a->position.scenario;
    const struct game *game = scenario->game;
    const void *state = a->position.replay.state;
    const int mover = game->mover(state);
    /* The stream of a game's seat: at a map's start the turn equals that of a game with this seed. */
    rng_seed_stream(&a->rng, a->seed, (uint64_t)(RECORD_STREAM_SEAT + mover));
    memcpy(a->state, state, game->state_size);
    cli_catch_interrupt();
    if (!a->json)
        position_print_view(scenario, state, mover, cli_colour(STDOUT_FILENO) && !a->no_colour);
    fflush(stdout);
    if (!decide(a, &a->first, e))
        return CLI_FAILED;
    if (!a->json)
        print_decision(a);
    if (!a->position.partial) /* otherwise the resulting position depends on hidden information */
        take(a, &a->first);
    while (!a->position.partial && !a->no_turn && !a->stopped && a->turn_count < ANALYSIS_TURN_MAX &&
           turn_goes_on(game, a->state, mover, game->turn(state))) {
        if (!decide(a, &a->later, e))
            return CLI_FAILED;
        take(a, &a->later);
    }
    if (a->json)
        return print_json(a);
    if (a->stopped)
        printf("Stopped early: the last decision was cut short%s.\n",
               a->no_turn ? "" : " and nothing after it was looked at");
    if (!a->no_turn && game->mover(a->state) == NOBODY) {
        struct text text = {0};
        position_add_end(scenario, a->state, mover, &text);
        printf("This ends the game: %s.\n", text_string(&text));
        text_done(&text);
    }
    return CLI_OK;
}

#define AT(field) offsetof(struct analysis, field)

static const struct param analyze_params[] = {
    {"map", PARAM_STRING, AT(source.map), .value = "FILE",
     .help = "the map (default: standard, or the record's)"},
    {"game", PARAM_STRING, AT(source.game), .value = "SPEC", .help = CLI_GAME_HELP},
    {"after", PARAM_STRING, AT(source.after), .value = "RECORD[:N]",
     .help = "after a recorded game's (first N) actions"},
    {"position", PARAM_STRING, AT(source.position),
     .help = "of a game without maps, as 'state' of the engine writes it; of Geister also a server's board"},
    {"rules", PARAM_STRING, AT(source.rules), .value = "SET",
     .help = "tubstap or paper (default: tubstap, or the record's)"},
    {"player", PARAM_PLAYER, AT(spec), .value = "PLAYER",
     .help = "who is asked (default: uct, ismcts where something is hidden, geist in Geister)"},
    {"top", PARAM_INT, AT(top), 0, INT32_MAX, 10, .help = "how many candidates are shown; 0: all"},
    {"sims", PARAM_U64, AT(sims),
     .help = "work for each decision, in place of the player's own budget; 0: its own"},
    {"time", PARAM_INT, AT(time_ms), 1, 86400000, .value = "MS",
     .help = "milliseconds for each decision, likewise"},
    {"seed", PARAM_U64, AT(seed), .fallback = 1,
     .help = "of the player's random numbers, and of what the game deals"},
    {"no-turn", PARAM_FLAG, AT(no_turn), .help = "only the decision at hand, not the rest of the turn"},
    {"watch", PARAM_FLAG, AT(watch), .help = "show the thoughts on the way"},
    {"json", PARAM_FLAG, AT(json), .help = "the result as JSON; with --watch, one object a line"},
    {"no-color", PARAM_FLAG, AT(no_colour), .help = "plain text"},
    {0},
};

static void end_analyze(void *state) {
    struct analysis *a = state;
    player_close(a->player);
    thoughts_done(&a->first.thoughts);
    thoughts_done(&a->later.thoughts);
    position_done(&a->position);
    text_done(&a->player_name);
}

const struct cli_body cli_analyze = {
    sizeof(struct analysis), {{analyze_params}}, .run = run_analyze, .done = end_analyze};
