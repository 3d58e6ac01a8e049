/* SPDX-License-Identifier: MIT
 *
 * `senjutsu solve`: the exact result of a small position under best play, or the bounds that were proved.
 */
#include "cli/cli.h"
#include "search/solve.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { WATCH_EVERY_MS = 250, MEMORY_MAX_MB = 1 << 20 };

/* One run of the command: options, then the position and the solution. */
struct run {
    struct position_source source;
    uint64_t nodes;
    double seconds_max; /* 0: no limit */
    int memory_mb;      /* of the table; 0: without a table */
    bool wdl;           /* only win, draw or loss: the number of turns is not searched for */
    bool json, no_colour;

    struct cli_position position;
    const struct game *game;
    int side; /* side to move */
    double seconds;
    struct solution solution;
};

/* ---- progress ---- */

/* The struct watch's `show`. Only on a terminal: a log needs no status line. */
static void show_progress(void *context, const struct thoughts *t) {
    (void)context;
    const double seconds = cli_seconds();
    cli_status_draw("%.0f s: searched %d turn%s deep, %.1f million positions, %.2f million a second", seconds,
                    t->depth, t->depth == 1 ? "" : "s", (double)t->nodes * 1e-6,
                    (double)t->nodes * 1e-6 / (seconds > 0 ? seconds : 1));
}

/* ---- text ---- */

/* The name is a member of the JSON result, the text a part of the line. Both are NULL for an exact result. */
struct reason {
    const char *name, *text;
};

/* Why the search ended before the result was exact. Turns matter only in a won or lost position. */
static struct reason reason_of(const struct run *run) {
    const struct solution *s = &run->solution;
    const bool is_draw = s->low > 0 && s->high < 1;
    if (s->solved && (run->wdl || is_draw || s->distance_known))
        return (struct reason){0};
    if (s->too_deep)
        return (struct reason){"depth", "lines became too long to be followed"};
    if (atomic_load(&cli_stop))
        return (struct reason){"interrupt", "interrupted"};
    if (run->nodes > 0 && s->nodes >= run->nodes)
        return (struct reason){"nodes", "the limit of positions was reached"};
    return (struct reason){"time", "the time was used up"};
}

/* Appends who wins, how soon, or which bounds are proved, from the view of the side to move. Games with
 * chance have an expected score and no number of turns. */
static void add_result(struct text *out, const struct run *run) {
    const struct solution *s = &run->solution;
    const bool has_chance = run->game->outcomes != NULL;
    const char *self = run->game->text->side_names[run->side];
    text_add_string(out, s->solved ? "solved: " : "not solved: ");
    if (s->solved && has_chance)
        text_add(out, "%s wins %.6f of the games on average", self, s->low);
    else if (s->solved && s->low >= 1)
        text_add(out, "%s wins", self);
    else if (s->solved && s->low > 0)
        text_add_string(out, "a draw");
    else if (s->solved)
        text_add(out, "%s loses, %s wins", self, run->game->text->side_names[run->side ^ 1]);
    else if (s->low > 0)
        text_add(out, "%s at least draws", self);
    else if (s->high < 1)
        text_add(out, "%s at most draws", self);
    else
        text_add_string(out, "either side may still win");
    if (!s->solved && !has_chance)
        text_add(out, "; searched %d turn%s deep", s->depth, s->depth == 1 ? "" : "s");
    if (!s->solved && s->depth > 0)
        text_add_string(out, ", within which no side can force a win");
    if (s->solved && !has_chance && (s->low >= 1 || s->low <= 0)) {
        if (!s->distance_known && s->turns_high > 0)
            text_add(out, " in %d to %d turns", s->turns_low, s->turns_high);
        else
            text_add(out, " in %d turn%s%s", s->turns_low, s->turns_low == 1 ? "" : "s",
                     s->distance_known ? "" : " or more");
    }
    const struct reason reason = reason_of(run);
    if (reason.text != NULL)
        text_add(out, " (%s)", reason.text);
    text_add_string(out, "\n");
}

/* Walks along the line of best play: appends one line per action with a heading for each turn to `out`, or
 * an object per action to `list`; one of them is NULL. */
static void add_line(const struct run *run, struct text *out, json_t *list) {
    const struct solution *s = &run->solution;
    const struct game *game = run->game;
    _Alignas(16) unsigned char state[GAME_STATE_MAX];
    memcpy(state, run->position.replay.state, game->state_size);
    for (int i = 0, shown_turn = -1; i < s->line_count; i++) {
        const int turn = game->turn(state);
        const char *side = game->text->side_names[game->mover(state)];
        struct text name = {0}, text = {0};
        game->text->write_action(state, s->line[i], &name);
        position_add_action(run->position.scenario, state, s->line[i], POSITION_SEES_ALL, &text);
        if (out != NULL && turn != shown_turn)
            text_add(out, "turn %d, %s\n", turn + 1, side);
        if (out != NULL)
            text_add(out, "  %-9s %s\n", text_string(&name), text_string(&text));
        else
            json_array_append_new(list, json_pack("{si ss ss ss}", "turn", turn, "side", side, "action",
                                                  text_string(&name), "text", text_string(&text)));
        shown_turn = turn;
        text_done(&name);
        text_done(&text);
        if (game_outcomes(game, state, s->line[i]) == 1) /* otherwise it is the last action of the line */
            game_play_outcome(game, state, s->line[i], 0);
    }
    double low = 0, high = 1;
    if (out == NULL) /* the end is a part of the text only */
        return;
    if (game->bounds != NULL)
        game->bounds(state, &low, &high);
    if (game->mover(state) == NOBODY)
        position_add_end(run->position.scenario, state, POSITION_SEES_ALL, out);
    else
        text_add_string(out, low >= high ? "from here on the result cannot change" : "and so on");
    text_add_string(out, "\n");
}

/* From the number of positions a reader can estimate whether a larger position can be solved. */
static int print_text(const struct run *run) {
    const struct solution *s = &run->solution;
    struct text text = {0};
    text_add_string(&text, "\n");
    add_result(&text, run);
    if (s->line_count > 0) {
        text_add_string(&text, "\nbest play:\n");
        add_line(run, &text, NULL);
    }
    text_add(&text, "\n%llu positions in %.1f seconds (%.2f million a second)", (unsigned long long)s->nodes,
             run->seconds, run->seconds > 0 ? (double)s->nodes * 1e-6 / run->seconds : 0);
    if (s->transpositions > 0)
        text_add(&text, "; %llu of them were in the table, which saved at least %llu more",
                 (unsigned long long)s->transpositions, (unsigned long long)s->saved);
    text_add_string(&text, "\n");
    return cli_show_text(&text);
}

/* No solution takes 0 turns, so 0 stands for an unknown number. */
static json_t *turns_json(int turns) {
    return turns > 0 ? json_integer(turns) : json_null();
}

/* Unknown numbers of turns are null. "turns" is exact; "turns_low" and "turns_high" bound it. */
static int print_json(const struct run *run) {
    const struct solution *s = &run->solution;
    const bool has_turns = s->solved && s->turns_low > 0;
    const char *value = run->game->outcomes != NULL ? "expected"
                        : s->low >= 1               ? "win"
                        : s->low > 0                ? "draw"
                                                    : "loss";
    json_t *line = json_array();
    add_line(run, NULL, line);
    return cli_show_json(json_pack(
        "{sb ss ss? sf sf so so so si ss? sI sI sI sf so}", "solved", s->solved, "side",
        run->game->text->side_names[run->side], "value", s->solved ? value : NULL, "low", s->low, "high",
        s->high, "turns", turns_json(s->distance_known ? s->turns_low : 0), "turns_low",
        turns_json(has_turns ? s->turns_low : 0), "turns_high", turns_json(has_turns ? s->turns_high : 0),
        "depth", s->depth, "limit", reason_of(run).name, "nodes", (json_int_t)s->nodes, "transpositions",
        (json_int_t)s->transpositions, "saved", (json_int_t)s->saved, "seconds", run->seconds, "line", line));
}

/* ---- the command ---- */

/* Exit status 1 also when only bounds were proved. Games with hidden information are refused: their positions
 * have no single value, and `exploit` solves them as a whole. */
static int run_solve(void *state, const struct cli_call *call, struct err *e) {
    static struct thoughts thoughts;
    struct run *run = state;
    (void)call;
    /* The standard map of other commands is far too large to be solved. */
    if (run->source.map == NULL && run->source.after == NULL && run->source.game == NULL)
        run->source.map = "duel";
    const int loaded = position_load(&run->source, &run->position);
    if (loaded != CLI_OK)
        return loaded;
    const struct scenario *scenario = run->position.scenario;
    const void *root = run->position.replay.state;
    run->game = scenario->game;
    run->side = run->game->mover(root);
    if (run->game->hide != NULL)
        return cli_error(
            CLI_FAILED,
            "%s hides something: see 'senjutsu exploit'; expected a game in which nothing is hidden",
            run->game->name);
    if (!position_is_open(&run->position, "solve"))
        return CLI_FAILED;
    if (!run->json)
        position_print_view(scenario, root, POSITION_SEES_ALL, cli_colour(STDOUT_FILENO) && !run->no_colour);
    fflush(stdout);
    const bool progress = isatty(STDERR_FILENO); /* thoughts cost time: without a reader there are none */
    const struct watch watch = {show_progress, run, (int64_t)WATCH_EVERY_MS * 1000000};
    const struct search_task task = {
        .game = run->game,
        .root = root,
        .budget = {.work_max = run->nodes,
                   .time_ns_max = (int64_t)(run->seconds_max * 1e9),
                   .clock = cli_clock(),
                   .stop = &cli_stop},
        .rng = &run->position.replay.rng,
        .thoughts = progress ? &thoughts : NULL,
        .watch = progress ? &watch : NULL,
    };
    const struct solve_settings settings = {(size_t)run->memory_mb << 20, run->wdl};
    cli_begin();
    if (!solve(&task, &settings, &run->solution, e))
        return CLI_FAILED;
    run->seconds = cli_seconds();
    const int printed = run->json ? print_json(run) : print_text(run);
    return run->solution.solved ? printed : CLI_FAILED;
}

#define AT(field) offsetof(struct run, field)

/* The table is on by default: without it most positions take many times as long. A time limit is, too,
 * because the time of a solution cannot be foreseen. */
static const struct param solve_params[] = {
    {"map", PARAM_STRING, AT(source.map), .value = "FILE",
     .help = "the map (default: duel, or the record's)"},
    {"game", PARAM_STRING, AT(source.game), .value = "SPEC", .help = CLI_GAME_HELP},
    {"position", PARAM_STRING, AT(source.position),
     .help = "of a game without maps, as 'state' of the engine writes it"},
    {"after", PARAM_STRING, AT(source.after), .value = "RECORD[:N]",
     .help = "after a recorded game's (first N) actions"},
    {"rules", PARAM_STRING, AT(source.rules), .value = "SET",
     .help = "tubstap or paper (default: tubstap, or the record's)"},
    {"nodes", PARAM_U64, AT(nodes), .help = "stop after so many positions; 0: no limit"},
    {"time", PARAM_REAL, AT(seconds_max), 0, 1e7, 60, .value = "SECONDS",
     .help = "stop after so many seconds; 0: no limit"},
    {"memory", PARAM_INT, AT(memory_mb), 0, MEMORY_MAX_MB, 256, .value = "MB",
     .help = "of the table of known positions; 0: no table"},
    {"wdl", PARAM_FLAG, AT(wdl), .help = "only win, draw or loss: do not look for the number of turns"},
    {"json", PARAM_FLAG, AT(json), .help = "the result as JSON"},
    {"no-color", PARAM_FLAG, AT(no_colour), .help = "plain text"},
    {0},
};

static void end_solve(void *state) {
    struct run *run = state;
    position_done(&run->position);
}

const struct cli_body cli_solve = {sizeof(struct run), {{solve_params}}, .run = run_solve, .done = end_solve};
