/* SPDX-License-Identifier: MIT
 *
 * What all reports are made from: the state of an event at some moment, counts of its games, texts and
 * numbers, highlights; and the report as files in a folder.
 */
#include "tournament/report_data.h"

#include "base/charset.h"
#include "base/file.h"
#include "base/mem.h"
#include "store/store.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- the state of an event as a report ---- */

enum { LIVE_RATINGS_MAX = 50000 };

void event_table_init(struct event_table *t, const struct event *event) {
    const size_t players = (size_t)event->player_count;
    *t = (struct event_table){
        .event = event,
        .standings = mem_alloc(players * sizeof *t->standings),
        .fit = {.player_count = event->player_count,
                .map_count = event->map_count,
                .ratings = mem_alloc(players * sizeof *t->fit.ratings),
                .sides = mem_alloc((size_t)event->map_count * sizeof *t->fit.sides),
                .superiority = mem_alloc(players * players * sizeof *t->fit.superiority)},
    };
}

void event_table_done(struct event_table *t) {
    mem_free(t->standings);
    mem_free(t->fit.ratings);
    mem_free(t->fit.sides);
    mem_free(t->fit.superiority);
    mem_free(t->rating_games);
}

static void rate(struct event_table *t, const struct games *games) {
    int count = 0;
    t->rating_games = mem_grow(t->rating_games, &t->rating_capacity, games->count, sizeof *t->rating_games);
    for (int i = 0; i < games->count; i++) {
        const struct scheduled_game *f = &games->scheduled[i];
        const struct outcome *o = &games->outcomes[i];
        if (o->played)
            t->rating_games[count++] =
                (struct rating_game){{f->players[0], f->players[1]}, f->map, f->pair, o->payoff};
    }
    rating_compute(t->rating_games, count, &t->fit);
}

void event_table_report(struct event_table *t, const struct games *games, const struct event_moment *moment,
                        struct report *out) {
    standings_compute(t->event, games, t->standings);
    *out = (struct report){
        .event = t->event,
        .games = games,
        .games_played = moment->played,
        .games_expected = event_games_expected(t->event, games),
        .standings = t->standings,
        .seconds = moment->seconds,
        .games_untimed = moment->resumed,
        .date = moment->date,
        .store = moment->store,
        .complete = moment->complete,
    };
    const bool rated = moment->played > 0 && (moment->complete || moment->played <= LIVE_RATINGS_MAX);
    if (rated)
        rate(t, games);
    out->ratings = rated ? t->fit.ratings : NULL;
    out->fit = rated ? &t->fit : NULL;
}

/* ---- counts ---- */

static void count_game(struct report_data *data, const struct scheduled_game *f, const struct outcome *o) {
    for (int side = 0; side < 2; side++) {
        const int player = f->players[side], opponent = f->players[1 - side];
        struct report_clock *clock = &data->clocks[player];
        clock->think_ns += o->think_ns[side];
        clock->decisions += o->decisions[side];
        if (o->longest_ns[side] > clock->longest_ns)
            clock->longest_ns = o->longest_ns[side];
        if (f->stage == STAGE_MAIN)
            tally_add(&data->cross[player * data->player_count + opponent],
                      side == 0 ? o->payoff : 1 - o->payoff);
    }
    tally_add(&data->by_map[f->map], o->payoff);
}

static bool is_meeting_of(const struct report_meeting *m, const struct scheduled_game *f) {
    const bool same = m->players[0] == f->players[0] && m->players[1] == f->players[1];
    const bool swapped = m->players[0] == f->players[1] && m->players[1] == f->players[0];
    return m->stage == f->stage && m->round == f->round && (same || swapped);
}

/* The games of a meeting follow each other closely: looking from the end finds it soon. */
static struct report_meeting *find_meeting(struct report_data *data, const struct scheduled_game *f) {
    for (int i = data->meeting_count - 1; i >= 0; i--)
        if (is_meeting_of(&data->meetings[i], f))
            return &data->meetings[i];
    data->meetings =
        mem_grow(data->meetings, &data->meeting_capacity, data->meeting_count + 1, sizeof *data->meetings);
    struct report_meeting *meeting = &data->meetings[data->meeting_count++];
    *meeting = (struct report_meeting){
        .stage = f->stage, .round = f->round, .players = {f->players[0], f->players[1]}};
    return meeting;
}

static void count_meeting(struct report_data *data, const struct scheduled_game *f, const struct outcome *o) {
    struct report_meeting *meeting = find_meeting(data, f);
    if (!o->played)
        meeting->games_open++;
    else
        tally_add(&meeting->tally, meeting->players[0] == f->players[0] ? o->payoff : 1 - o->payoff);
}

void report_data_make(const struct report *report, struct report_data *out) {
    const struct event *event = report->event;
    const size_t players = (size_t)event->player_count, maps = (size_t)event->map_count;
    *out = (struct report_data){.player_count = event->player_count};
    out->cross = mem_alloc(players * players * sizeof *out->cross);
    out->by_map = mem_alloc(maps * sizeof *out->by_map);
    out->clocks = mem_alloc(players * sizeof *out->clocks);
    for (int i = 0; i < report->games->count; i++) {
        const struct scheduled_game *f = &report->games->scheduled[i];
        const struct outcome *o = &report->games->outcomes[i];
        if (o->played)
            count_game(out, f, o);
        if (f->stage != STAGE_MAIN || event->rules.format == EVENT_KNOCK_OUT)
            count_meeting(out, f, o);
    }
}

void report_data_done(struct report_data *data) {
    mem_free(data->cross);
    mem_free(data->by_map);
    mem_free(data->clocks);
    mem_free(data->meetings);
}

const struct tally *report_cross(const struct report_data *data, int player, int opponent) {
    assert(player >= 0);
    assert(player < data->player_count);
    assert(opponent >= 0);
    assert(opponent < data->player_count);
    return &data->cross[player * data->player_count + opponent];
}

double report_points(const struct report *report, const struct tally *tally) {
    const struct event_rules *rules = &report->event->rules;
    return tally->wins * rules->win + tally->draws * rules->draw + tally->losses * rules->loss;
}

struct interval report_interval(const struct tally *tally) {
    return stats_wilson(tally_score(tally), tally_games(tally), STATS_Z95);
}

bool report_place_is_shared(const struct report *report, int row, int *last) {
    assert(row >= 0);
    assert(row < report->event->player_count);
    const int place = report->standings[row].place;
    int count = 0;
    for (int i = 0; i < report->event->player_count; i++)
        count += report->standings[i].place == place;
    *last = place + count - 1;
    return count > 1;
}

int report_faults(const struct standing *standing) {
    int count = 0;
    for (int i = PLAYER_FAULT_NONE + 1; i < PLAYER_FAULTS; i++)
        count += standing->faults[i];
    return count;
}

bool report_is_disqualified(const struct report *report, const struct standing *standing) {
    const int limit = report->event->rules.disqualify_after;
    return limit > 0 && report_faults(standing) >= limit;
}

double report_tie_break(const struct report *report, const struct standing *standing, int index) {
    assert(index >= 0);
    assert(index < report->event->rules.tie_break_count);
    const double value = standing->tie_breaks[index];
    return report->event->rules.tie_breaks[index] == EVENT_TIE_FAULTS ? fabs(value) : value;
}

bool report_has_payoffs(const struct report *report) {
    const struct event *event = report->event;
    const struct scenario *scenario = event->map_count > 0 ? event->maps[0].scenario : NULL;
    return scenario != NULL && scenario->game->text->scale != NULL;
}

bool report_payoff(const struct report *report, const struct standing *standing, struct report_payoff *out) {
    const struct payoffs *p = &standing->payoffs;
    if (!report_has_payoffs(report))
        return false;
    const struct scenario *scenario = report->event->maps[0].scenario;
    const struct interval i = payoffs_interval(p);
    game_scale(scenario, &out->scale);
    out->mean = game_payoff_scaled(scenario, p->mean);
    out->interval.low = game_payoff_scaled(scenario, i.low);
    out->interval.high = game_payoff_scaled(scenario, i.high);
    out->observations = p->count;
    return p->count > 0;
}

/* ---- texts and numbers ---- */

const char *report_ruling(const struct outcome *outcome) {
    static const char *const rulings[PLAYER_FAULTS] = {
        [PLAYER_FAULT_NONE] = "forfeited",
        [PLAYER_FAULT_ILLEGAL] = "chose an action that the rules forbid",
        [PLAYER_FAULT_CRASH] = "stopped running, or the connection to it was lost",
        [PLAYER_FAULT_HANG] = "gave no answer long after its time was over, and was stopped",
        [PLAYER_FAULT_LATE] = "answered after its time was over",
        [PLAYER_FAULT_GARBAGE] = "answered with something that is no line of the protocol",
        [PLAYER_FAULT_PROTOCOL] = "answered with a line that is wrong at that point",
    };
    assert(outcome->fault >= 0);
    assert(outcome->fault < PLAYER_FAULTS);
    return rulings[outcome->fault];
}

/* ---- highlights ----
 *
 * One pass over the games keeps the best of each kind in short sorted lists; then the sentences are written.
 * Deterministic players would fill a list with the same game, so repetitions by the same two players are kept
 * once. */

enum { NAME_COLUMNS = 60 };

const char *const highlight_names[HIGHLIGHTS] = {
    [HIGHLIGHT_UPSET] = "upset",
    [HIGHLIGHT_LEAD_CHANGES] = "lead-changes",
    [HIGHLIGHT_SHORT_WIN] = "short-win",
    [HIGHLIGHT_FAULT] = "fault",
};

struct entry {
    int game;
    double weight;
};

struct list {
    enum highlight_kind kind;
    int count, max;
    struct entry entries[REPORT_PER_KIND_MAX];
};

static int winner_of(const struct outcome *o) {
    return o->payoff > 0.5 ? 0 : o->payoff < 0.5 ? 1 : NOBODY;
}

/* Is the second game a repetition of the first? For upsets the map does not matter. */
static bool is_repeated(const struct games *games, enum highlight_kind kind, int a, int b) {
    const struct scheduled_game *f = &games->scheduled[a], *g = &games->scheduled[b];
    const int first = winner_of(&games->outcomes[a]), second = winner_of(&games->outcomes[b]);
    if (kind == HIGHLIGHT_FAULT || (first == NOBODY) != (second == NOBODY))
        return false;
    const int i = first == NOBODY ? 0 : first, j = second == NOBODY ? 0 : second;
    return f->players[i] == g->players[j] && f->players[1 - i] == g->players[1 - j] &&
           (kind == HIGHLIGHT_UPSET || f->map == g->map);
}

static bool is_better(struct entry a, struct entry b) {
    return a.weight != b.weight ? a.weight > b.weight : a.game < b.game;
}

static void remove_entry(struct list *list, int index) {
    list->count--;
    for (int i = index; i < list->count; i++)
        list->entries[i] = list->entries[i + 1];
}

static void consider(struct list *list, const struct games *games, struct entry entry) {
    for (int i = 0; i < list->count; i++)
        if (is_repeated(games, list->kind, list->entries[i].game, entry.game)) {
            if (!is_better(entry, list->entries[i]))
                return;
            remove_entry(list, i);
            break;
        }
    int at = list->count;
    while (at > 0 && is_better(entry, list->entries[at - 1]))
        at--;
    if (at >= list->max)
        return;
    if (list->count == list->max)
        list->count--;
    for (int i = list->count; i > at; i--)
        list->entries[i] = list->entries[i - 1];
    list->entries[at] = entry;
    list->count++;
}

/* By how much more than the error of that the winner was rated below the loser. */
static double upset_weight(const struct report *report, const struct scheduled_game *f, int winner) {
    if (report->ratings == NULL)
        return 0;
    const struct rating *a = &report->ratings[f->players[winner]],
                        *b = &report->ratings[f->players[1 - winner]];
    return b->elo - a->elo - sqrt(a->error * a->error + b->error * b->error);
}

static void consider_game(const struct report *report, int game, struct list lists[HIGHLIGHTS]) {
    const struct games *games = report->games;
    const struct outcome *o = &games->outcomes[game];
    const int winner = winner_of(o);
    if (o->lead_changes >= 2)
        consider(&lists[HIGHLIGHT_LEAD_CHANGES], games, (struct entry){game, o->lead_changes});
    if (winner == NOBODY || o->forfeiter != NOBODY)
        return;
    const double upset = upset_weight(report, &games->scheduled[game], winner);
    if (upset > 0)
        consider(&lists[HIGHLIGHT_UPSET], games, (struct entry){game, upset});
    if (o->turns > 0)
        consider(&lists[HIGHLIGHT_SHORT_WIN], games, (struct entry){game, 1.0 / o->turns});
}

/* The first fault of each kind that each player had, and how many there were. */
static void consider_faults(const struct report *report, struct list *list) {
    const struct games *games = report->games;
    struct entry found[EVENT_PLAYERS_MAX][PLAYER_FAULTS] = {0};
    assert(report->event->player_count <= EVENT_PLAYERS_MAX);
    for (int i = 0; i < games->count; i++) {
        const struct outcome *o = &games->outcomes[i];
        if (!o->played || o->forfeiter == NOBODY || o->fault == PLAYER_FAULT_NONE)
            continue;
        struct entry *entry = &found[games->scheduled[i].players[o->forfeiter]][o->fault];
        if (entry->weight++ == 0)
            entry->game = i;
    }
    for (int p = 0; p < report->event->player_count; p++)
        for (int fault = 0; fault < PLAYER_FAULTS; fault++)
            if (found[p][fault].weight > 0)
                consider(list, games, found[p][fault]);
}

/* ---- sentences of highlights ---- */

static void add_name(const struct report *report, int player, struct text *out) {
    columns_fit(report->event->players[player].name, NAME_COLUMNS, out);
}

static void add_map(const struct report *report, const struct entry *entry, struct text *out) {
    if (!event_takes_maps(&report->event->rules))
        return;
    text_add_string(out, " on ");
    columns_fit(report->event->maps[report->games->scheduled[entry->game].map].name, NAME_COLUMNS, out);
}

static void add_turns(const struct outcome *o, struct text *out) {
    if (o->turns > 0)
        text_add(out, " in %d turn%s", o->turns, o->turns == 1 ? "" : "s");
}

static void write_win(const struct report *report, const struct entry *entry, struct text *out) {
    const struct scheduled_game *f = &report->games->scheduled[entry->game];
    const struct outcome *o = &report->games->outcomes[entry->game];
    const int winner = winner_of(o);
    add_name(report, f->players[winner], out);
    text_add_string(out, " beat ");
    add_name(report, f->players[1 - winner], out);
    add_turns(o, out);
    add_map(report, entry, out);
}

static void write_upset(const struct report *report, const struct entry *entry, struct text *out) {
    const struct scheduled_game *f = &report->games->scheduled[entry->game];
    const struct outcome *o = &report->games->outcomes[entry->game];
    const int winner = winner_of(o), a = f->players[winner], b = f->players[1 - winner];
    add_name(report, a, out);
    text_add_string(out, " beat ");
    add_name(report, b, out);
    text_add(out, ", rated %.0f above it,", report->ratings[b].elo - report->ratings[a].elo);
    add_turns(o, out);
    add_map(report, entry, out);
}

static void write_lead_changes(const struct report *report, const struct entry *entry, struct text *out) {
    const struct scheduled_game *f = &report->games->scheduled[entry->game];
    const struct outcome *o = &report->games->outcomes[entry->game];
    const int winner = winner_of(o), first = winner == NOBODY ? 0 : winner;
    text_add(out, "The lead changed %d times before ", o->lead_changes);
    add_name(report, f->players[first], out);
    text_add_string(out, winner == NOBODY ? " drew with " : " beat ");
    add_name(report, f->players[1 - first], out);
    add_turns(o, out);
    add_map(report, entry, out);
}

static void write_fault(const struct report *report, const struct entry *entry, struct text *out) {
    const struct scheduled_game *f = &report->games->scheduled[entry->game];
    const struct outcome *o = &report->games->outcomes[entry->game];
    const int count = (int)entry->weight;
    add_name(report, f->players[o->forfeiter], out);
    text_add(out, " %s: it lost to ", report_ruling(o));
    add_name(report, f->players[1 - o->forfeiter], out);
    add_map(report, entry, out);
    if (count > 1)
        text_add(out, ", and the same way %d more time%s", count - 1, count == 2 ? "" : "s");
}

static void (*const sentences[HIGHLIGHTS])(const struct report *, const struct entry *, struct text *) = {
    [HIGHLIGHT_UPSET] = write_upset,
    [HIGHLIGHT_LEAD_CHANGES] = write_lead_changes,
    [HIGHLIGHT_SHORT_WIN] = write_win,
    [HIGHLIGHT_FAULT] = write_fault,
};

static void write_highlight(const struct report *report, const struct list *list, int index,
                            struct highlight *out) {
    struct text sentence = {0};
    const struct entry *entry = &list->entries[index];
    sentences[list->kind](report, entry, &sentence);
    *out = (struct highlight){
        .kind = list->kind, .game = report->games->scheduled[entry->game].number, .weight = entry->weight};
    charset_copy(out->text, sizeof out->text, text_string(&sentence), sentence.size);
    charset_disarm(out->text); /* names may come from a stranger's file */
    text_done(&sentence);
}

int report_highlights(const struct report *report, int per_kind, struct highlight *out) {
    struct list lists[HIGHLIGHTS];
    assert(per_kind >= 0);
    assert(per_kind <= REPORT_PER_KIND_MAX);
    for (int kind = 0; kind < HIGHLIGHTS; kind++)
        lists[kind] = (struct list){.kind = (enum highlight_kind)kind, .max = per_kind};
    for (int i = 0; i < report->games->count; i++)
        if (report->games->outcomes[i].played)
            consider_game(report, i, lists);
    consider_faults(report, &lists[HIGHLIGHT_FAULT]);
    int count = 0;
    for (int kind = 0; kind < HIGHLIGHTS; kind++)
        for (int i = 0; i < lists[kind].count; i++)
            write_highlight(report, &lists[kind], i, &out[count++]);
    return count;
}

/* ---- files ---- */

static bool write_text(const char *folder, const char *name, const struct text *text, struct err *e) {
    char path[4096];
    const int n = snprintf(path, sizeof path, "%s/%s", folder, name);
    return ((size_t)n < sizeof path || err_set(e, "%s: the name is too long", folder)) &&
           file_write(path, text_string(text), text->size, e);
}

typedef void page_function(const struct report *report, struct text *out);

static bool write_pages(const char *folder, const struct report *report, struct err *e) {
    static const struct page {
        const char *name;
        page_function *write;
    } pages[] = {
        {"results.json", report_json},       {"standings.csv", report_standings_csv},
        {"games.csv", report_games_csv},     {"cross-table.html", report_cross_table_html},
        {"results.html", report_print_html},
    };
    struct text text = {0};
    bool ok = true;
    for (size_t i = 0; ok && i < sizeof pages / sizeof pages[0]; i++) {
        text_clear(&text);
        pages[i].write(report, &text);
        ok = write_text(folder, pages[i].name, &text, e);
    }
    text_done(&text);
    return ok;
}

static bool write_bundle(void *context, const struct store_game *game, struct err *e) {
    const char *folder = context;
    char path[4096], name[64];
    if (game->fault_report == NULL)
        return true;
    const struct text text = {.data = (char *)(uintptr_t)game->fault_report,
                              .size = strlen(game->fault_report)};
    snprintf(path, sizeof path, "%s/faults", folder);
    snprintf(name, sizeof name, "game-%06d.json", game->number);
    return file_make_folder(path, e) && write_text(path, name, &text, e);
}

bool report_write_files(const struct report *report, const char *folder, struct store *store, struct err *e) {
    if (!file_make_folder(folder, e) || !write_pages(folder, report, e))
        return false;
    char copy[4096];
    snprintf(copy, sizeof copy, "%s", folder);
    const struct store_visit visit = {.game = write_bundle, .context = copy, .texts = true};
    return store == NULL || store_visit_games(store, &visit, e);
}
