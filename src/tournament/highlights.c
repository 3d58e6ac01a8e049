/* SPDX-License-Identifier: MIT
 *
 * The remarkable games of an event, as sentences.
 */
#include "tournament/report.h"

#include "base/charset.h"
#include "base/columns.h"

#include <assert.h>
#include <math.h>

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

/* One pass over the games keeps the best of each kind in short sorted lists; then the sentences are written.
 * Deterministic players would fill a list with the same game, so repetitions by the same two players are kept
 * once. */

enum { NAME_COLUMNS = 60 };

const char *const highlight_names[HIGHLIGHTS] = {"upset", "lead-changes", "short-win", "fault"};

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

static void consider(struct list *list, const struct games *games, struct entry entry) {
    assert(list->count <= list->max);
    for (int i = 0; i < list->count; i++)
        if (is_repeated(games, list->kind, list->entries[i].game, entry.game)) {
            if (!is_better(entry, list->entries[i]))
                return;
            list->count--;
            for (; i < list->count; i++)
                list->entries[i] = list->entries[i + 1];
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

static void consider_game(const struct report *report, int game, struct list lists[HIGHLIGHTS]) {
    const struct games *games = report->games;
    const struct outcome *o = &games->outcomes[game];
    const int winner = winner_of(o);
    if (o->lead_changes >= 2)
        consider(&lists[HIGHLIGHT_LEAD_CHANGES], games, (struct entry){game, o->lead_changes});
    if (winner == NOBODY || o->forfeiter != NOBODY)
        return;
    if (report->ratings != NULL) { /* how much further than the error was the winner rated below the loser? */
        const struct rating *a = &report->ratings[games->scheduled[game].players[winner]],
                            *b = &report->ratings[games->scheduled[game].players[1 - winner]];
        const double upset = b->elo - a->elo - sqrt(a->error * a->error + b->error * b->error);
        if (upset > 0)
            consider(&lists[HIGHLIGHT_UPSET], games, (struct entry){game, upset});
    }
    if (o->turns > 0)
        consider(&lists[HIGHLIGHT_SHORT_WIN], games, (struct entry){game, 1.0 / o->turns});
}

/* Three sorts of sentences: a result, a result after lead changes, a fault. */
static void write_sentence(const struct report *report, enum highlight_kind kind, const struct entry *entry,
                           struct text *out) {
    const struct event *event = report->event;
    const struct scheduled_game *f = &report->games->scheduled[entry->game];
    const struct outcome *o = &report->games->outcomes[entry->game];
    const bool is_fault = kind == HIGHLIGHT_FAULT;
    const int winner = winner_of(o), side = is_fault ? o->forfeiter : winner == NOBODY ? 0 : winner;
    const int a = f->players[side], b = f->players[1 - side], count = (int)entry->weight;
    if (kind == HIGHLIGHT_LEAD_CHANGES)
        text_add(out, "The lead changed %d times before ", o->lead_changes);
    columns_fit(event->players[a].name, NAME_COLUMNS, out);
    if (is_fault)
        text_add(out, " %s: it lost to ", report_ruling(o));
    else
        text_add_string(out, winner == NOBODY ? " drew with " : " beat ");
    columns_fit(event->players[b].name, NAME_COLUMNS, out);
    if (kind == HIGHLIGHT_UPSET)
        text_add(out, ", rated %.0f above it,", report->ratings[b].elo - report->ratings[a].elo);
    if (!is_fault && o->turns > 0)
        text_add(out, " in %d turn%s", o->turns, o->turns == 1 ? "" : "s");
    if (event_takes_maps(&event->rules)) {
        text_add_string(out, " on ");
        columns_fit(event->maps[f->map].name, NAME_COLUMNS, out);
    }
    if (is_fault && count > 1)
        text_add(out, ", and the same way %d more time%s", count - 1, count == 2 ? "" : "s");
}

int report_highlights(const struct report *report, int per_kind, struct highlight *out) {
    const struct games *games = report->games;
    struct list lists[HIGHLIGHTS];
    struct entry faults[EVENT_PLAYERS_MAX][PLAYER_FAULTS] = {0}; /* the first of each; weight: how many */
    assert(report->event->player_count <= EVENT_PLAYERS_MAX);
    assert(per_kind >= 0);
    assert(per_kind <= REPORT_PER_KIND_MAX);
    for (int kind = 0; kind < HIGHLIGHTS; kind++)
        lists[kind] = (struct list){.kind = (enum highlight_kind)kind, .max = per_kind};
    for (int i = 0; i < games->count; i++) {
        const struct outcome *o = &games->outcomes[i];
        if (o->played)
            consider_game(report, i, lists);
        if (!o->played || o->forfeiter == NOBODY || o->fault == PLAYER_FAULT_NONE)
            continue;
        struct entry *entry = &faults[games->scheduled[i].players[o->forfeiter]][o->fault];
        if (entry->weight++ == 0)
            entry->game = i;
    }
    for (int p = 0; p < report->event->player_count; p++)
        for (int fault = 0; fault < PLAYER_FAULTS; fault++)
            if (faults[p][fault].weight > 0)
                consider(&lists[HIGHLIGHT_FAULT], games, faults[p][fault]);
    struct text sentence = {0};
    int count = 0;
    for (const struct list *list = lists; list < lists + HIGHLIGHTS; list++)
        for (int i = 0; i < list->count; i++) {
            const struct entry *entry = &list->entries[i];
            struct highlight *h = &out[count++];
            *h = (struct highlight){list->kind, report->games->scheduled[entry->game].number, entry->weight,
                                    ""};
            text_clear(&sentence);
            write_sentence(report, list->kind, entry, &sentence);
            charset_copy(h->text, sizeof h->text, text_string(&sentence), sentence.size);
            charset_disarm(h->text); /* names may come from a stranger's file */
        }
    text_done(&sentence);
    return count;
}
