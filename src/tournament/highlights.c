/* SPDX-License-Identifier: MIT
 *
 * The remarkable games of an event, as data and as sentences.
 */
#include "tournament/report.h"

#include "base/columns.h"
#include "base/encode.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Verbs: sentences and tables put the player's name before them. */
const char *report_ruling(int fault) {
    static const char *const rulings[PLAYER_FAULTS] = {
        [PLAYER_FAULT_NONE] = "forfeited",
        [PLAYER_FAULT_ILLEGAL] = "chose an action that the rules forbid",
        [PLAYER_FAULT_CRASH] = "stopped running, or the connection to it was lost",
        [PLAYER_FAULT_HANG] = "gave no answer long after its time was over, and was stopped",
        [PLAYER_FAULT_LATE] = "answered after its time was over",
        [PLAYER_FAULT_GARBAGE] = "answered with something that is no line of the protocol",
        [PLAYER_FAULT_PROTOCOL] = "answered with a line that is wrong at that point",
    };
    assert(fault >= 0);
    assert(fault < PLAYER_FAULTS);
    return rulings[fault];
}

/* One pass over the games keeps the best of each kind in short sorted lists; then the sentences are written.
 * Deterministic players would fill a list with the same game, so repetitions by the same two players are kept
 * once. */

enum { NAME_COLUMNS = 60 }; /* a longer name is cut */

static const char *const kind_names[HIGHLIGHTS] = {"upset", "lead-changes", "short-win", "fault"};

struct entry {
    int game;
    double weight;
};

struct list {
    enum highlight_kind kind;
    int count, max;
    struct entry entries[REPORT_PER_KIND_MAX];
};

/* The side; NOBODY for a draw. */
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

/* Of equals the earlier game: the list does not depend on the order in which games ended. */
static bool is_better(struct entry a, struct entry b) {
    return a.weight != b.weight ? a.weight > b.weight : a.game < b.game;
}

/* Keeps the list sorted and free of repetitions. Lists are short, so insertion is enough. */
static void consider(struct list *list, const struct games *games, struct entry entry) {
    assert(list->count <= list->max);
    for (int i = 0; i < list->count; i++)
        if (is_repeated(games, list->kind, list->entries[i].game, entry.game)) {
            if (!is_better(entry, list->entries[i]))
                return;
            list->count--;
            memmove(&list->entries[i], &list->entries[i + 1], (size_t)(list->count - i) * sizeof entry);
            break;
        }
    int at = list->count;
    while (at > 0 && is_better(entry, list->entries[at - 1]))
        at--;
    if (at >= list->max)
        return;
    list->count += list->count < list->max;
    memmove(&list->entries[at + 1], &list->entries[at], (size_t)(list->count - 1 - at) * sizeof entry);
    list->entries[at] = entry;
}

/* Games that ended by a fault are neither upsets nor short wins: they do not show strength. */
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

/* The parts of the sentence, from which a page can make one in another language. */
static struct highlight describe(const struct report *report, enum highlight_kind kind,
                                 const struct entry *entry) {
    const struct scheduled_game *f = &report->games->scheduled[entry->game];
    const struct outcome *o = &report->games->outcomes[entry->game];
    const bool is_fault = kind == HIGHLIGHT_FAULT;
    const int winner = winner_of(o), side = is_fault ? o->forfeiter : winner == NOBODY ? 0 : winner;
    const int a = f->players[side], b = f->players[1 - side];
    return (struct highlight){
        .kind = kind,
        .game = f->number,
        .weight = entry->weight,
        .players = {a, b},
        .is_drawn = !is_fault && winner == NOBODY,
        .map = event_takes_maps(&report->event->rules) ? f->map : -1,
        .turns = is_fault ? 0 : o->turns,
        .lead_changes = kind == HIGHLIGHT_LEAD_CHANGES ? o->lead_changes : 0,
        .above = kind == HIGHLIGHT_UPSET ? rint(report->ratings[b].elo - report->ratings[a].elo) : 0,
        .fault = is_fault ? o->fault : PLAYER_FAULT_NONE,
        .more = is_fault ? (int)entry->weight - 1 : 0,
    };
}

/* Three sorts of sentences: a result, a result after lead changes, a fault. */
static void write_sentence(const struct report *report, const struct highlight *h, struct text *out) {
    const struct event *event = report->event;
    if (h->lead_changes > 0)
        text_add(out, "The lead changed %d times before ", h->lead_changes);
    columns_fit(event->players[h->players[0]].name, NAME_COLUMNS, out);
    if (h->kind == HIGHLIGHT_FAULT)
        text_add(out, " %s: it lost to ", report_ruling(h->fault));
    else
        text_add_string(out, h->is_drawn ? " drew with " : " beat ");
    columns_fit(event->players[h->players[1]].name, NAME_COLUMNS, out);
    if (h->kind == HIGHLIGHT_UPSET)
        text_add(out, ", rated %.0f above it,", h->above);
    if (h->turns > 0)
        text_add(out, " in %d turn%s", h->turns, h->turns == 1 ? "" : "s");
    if (h->map >= 0) {
        text_add_string(out, " on ");
        columns_fit(event->maps[h->map].name, NAME_COLUMNS, out);
    }
    if (h->more > 0)
        text_add(out, ", and the same way %d more time%s", h->more, h->more == 1 ? "" : "s");
}

/* Faults are counted first, because the number of repetitions is part of their sentence. */
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
            struct highlight *h = &out[count++];
            *h = describe(report, list->kind, &list->entries[i]);
            text_clear(&sentence);
            write_sentence(report, h, &sentence);
            charset_copy(h->text, sizeof h->text, text_string(&sentence), sentence.size);
            charset_disarm(h->text); /* names may come from a stranger's file */
        }
    text_done(&sentence);
    return count;
}

/* As in the sentence: cut, and with a question mark for each control character. */
static json_t *name_json(const char *name) {
    struct text fitted = {0};
    columns_fit(name, NAME_COLUMNS, &fitted);
    json_t *json = jsontext_string(text_string(&fitted), fitted.size);
    text_done(&fitted);
    return json;
}

/* NULL, which leaves out a member, for 0. */
static json_t *count_json(int count) {
    return count > 0 ? json_integer(count) : NULL;
}

json_t *highlight_json(const struct report *report, const struct highlight *h) {
    const struct event *event = report->event;
    return json_pack(
        "{ss si so so s[oo] sb so* so* so* so* ss* so*}", "kind", kind_names[h->kind], "game", h->game,
        "weight", columns_number_json(h->weight, 1e-4), "text", jsontext_string(h->text, strlen(h->text)),
        "players", name_json(event->players[h->players[0]].name),
        name_json(event->players[h->players[1]].name), "drawn", h->is_drawn, "map",
        h->map >= 0 ? name_json(event->maps[h->map].name) : NULL, "turns", count_json(h->turns),
        "lead_changes", count_json(h->lead_changes), "above",
        h->kind == HIGHLIGHT_UPSET ? columns_number_json(h->above, 1) : NULL, "fault",
        h->kind == HIGHLIGHT_FAULT ? player_fault_names[h->fault] : NULL, "more", count_json(h->more));
}
