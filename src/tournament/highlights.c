/* SPDX-License-Identifier: MIT
 *
 * The games somebody should look at. One pass over the games keeps the best of each kind in short sorted
 * lists; sentences are written at the end. Players that always play the same would fill a list with one and
 * the same game, so what two players repeat is kept once.
 */
#include "tournament/report_facts.h"

#include "base/charset.h"

#include <assert.h>
#include <math.h>

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

/* ---- what is remarkable ---- */

static int winner_of(const struct outcome *o) {
    return o->payoff > 0.5 ? 0 : o->payoff < 0.5 ? 1 : NOBODY;
}

/* Does the second tell nothing that the first did not? For upsets the map does not matter. */
static bool is_repeated(const struct games *games, enum highlight_kind kind, int a, int b) {
    const struct fixture *f = &games->fixtures[a], *g = &games->fixtures[b];
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
static double upset_weight(const struct report *report, const struct fixture *f, int winner) {
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
    const double upset = upset_weight(report, &games->fixtures[game], winner);
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
        struct entry *entry = &found[games->fixtures[i].players[o->forfeiter]][o->fault];
        if (entry->weight++ == 0)
            entry->game = i;
    }
    for (int p = 0; p < report->event->player_count; p++)
        for (int fault = 0; fault < PLAYER_FAULTS; fault++)
            if (found[p][fault].weight > 0)
                consider(list, games, found[p][fault]);
}

/* ---- sentences ---- */

static void add_name(const struct report *report, int player, struct text *out) {
    report_fit(report->event->players[player].name, NAME_COLUMNS, out);
}

static void add_map(const struct report *report, const struct entry *entry, struct text *out) {
    if (!event_takes_maps(&report->event->rules))
        return;
    text_add_string(out, " on ");
    report_fit(report->event->maps[report->games->fixtures[entry->game].map].name, NAME_COLUMNS, out);
}

static void add_turns(const struct outcome *o, struct text *out) {
    if (o->turns > 0)
        text_add(out, " in %d turn%s", o->turns, o->turns == 1 ? "" : "s");
}

static void say_win(const struct report *report, const struct entry *entry, struct text *out) {
    const struct fixture *f = &report->games->fixtures[entry->game];
    const struct outcome *o = &report->games->outcomes[entry->game];
    const int winner = winner_of(o);
    add_name(report, f->players[winner], out);
    text_add_string(out, " beat ");
    add_name(report, f->players[1 - winner], out);
    add_turns(o, out);
    add_map(report, entry, out);
}

static void say_upset(const struct report *report, const struct entry *entry, struct text *out) {
    const struct fixture *f = &report->games->fixtures[entry->game];
    const struct outcome *o = &report->games->outcomes[entry->game];
    const int winner = winner_of(o), a = f->players[winner], b = f->players[1 - winner];
    add_name(report, a, out);
    text_add_string(out, " beat ");
    add_name(report, b, out);
    text_add(out, ", rated %.0f above it,", report->ratings[b].elo - report->ratings[a].elo);
    add_turns(o, out);
    add_map(report, entry, out);
}

static void say_lead_changes(const struct report *report, const struct entry *entry, struct text *out) {
    const struct fixture *f = &report->games->fixtures[entry->game];
    const struct outcome *o = &report->games->outcomes[entry->game];
    const int winner = winner_of(o), first = winner == NOBODY ? 0 : winner;
    text_add(out, "The lead changed %d times before ", o->lead_changes);
    add_name(report, f->players[first], out);
    text_add_string(out, winner == NOBODY ? " drew with " : " beat ");
    add_name(report, f->players[1 - first], out);
    add_turns(o, out);
    add_map(report, entry, out);
}

static void say_fault(const struct report *report, const struct entry *entry, struct text *out) {
    const struct fixture *f = &report->games->fixtures[entry->game];
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
    [HIGHLIGHT_UPSET] = say_upset,
    [HIGHLIGHT_LEAD_CHANGES] = say_lead_changes,
    [HIGHLIGHT_SHORT_WIN] = say_win,
    [HIGHLIGHT_FAULT] = say_fault,
};

static void write_highlight(const struct report *report, const struct list *list, int index,
                            struct highlight *out) {
    struct text sentence = {0};
    const struct entry *entry = &list->entries[index];
    sentences[list->kind](report, entry, &sentence);
    *out = (struct highlight){
        .kind = list->kind, .game = report->games->fixtures[entry->game].number, .weight = entry->weight};
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
