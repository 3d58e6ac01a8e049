/* SPDX-License-Identifier: MIT */
#include "tournament/report_facts.h"

#include "base/charset.h"
#include "base/mem.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- counting ---- */

static void count_game(struct report_facts *facts, const struct fixture *f, const struct outcome *o) {
    for (int side = 0; side < 2; side++) {
        const int player = f->players[side], opponent = f->players[1 - side];
        struct report_clock *clock = &facts->clocks[player];
        clock->think_ns += o->think_ns[side];
        clock->decisions += o->decisions[side];
        if (o->longest_ns[side] > clock->longest_ns)
            clock->longest_ns = o->longest_ns[side];
        if (f->stage == STAGE_MAIN)
            tally_add(&facts->cross[player * facts->player_count + opponent],
                      side == 0 ? o->payoff : 1 - o->payoff);
    }
    tally_add(&facts->by_map[f->map], o->payoff);
}

static bool is_meeting_of(const struct report_meeting *m, const struct fixture *f) {
    const bool same = m->players[0] == f->players[0] && m->players[1] == f->players[1];
    const bool swapped = m->players[0] == f->players[1] && m->players[1] == f->players[0];
    return m->stage == f->stage && m->round == f->round && (same || swapped);
}

/* The games of a meeting follow each other closely: looking from the end finds it soon. */
static struct report_meeting *find_meeting(struct report_facts *facts, const struct fixture *f) {
    for (int i = facts->meeting_count - 1; i >= 0; i--)
        if (is_meeting_of(&facts->meetings[i], f))
            return &facts->meetings[i];
    if (facts->meeting_count == facts->meeting_room) {
        const int room = facts->meeting_room > 0 ? 2 * facts->meeting_room : 64;
        struct report_meeting *more = mem_resize(facts->meetings, (size_t)room * sizeof *more);
        if (more == NULL)
            return NULL;
        facts->meetings = more;
        facts->meeting_room = room;
    }
    struct report_meeting *meeting = &facts->meetings[facts->meeting_count++];
    *meeting = (struct report_meeting){
        .stage = f->stage, .round = f->round, .players = {f->players[0], f->players[1]}};
    return meeting;
}

static bool count_meeting(struct report_facts *facts, const struct fixture *f, const struct outcome *o) {
    struct report_meeting *meeting = find_meeting(facts, f);
    if (meeting == NULL)
        return false;
    if (!o->played)
        meeting->games_open++;
    else
        tally_add(&meeting->tally, meeting->players[0] == f->players[0] ? o->payoff : 1 - o->payoff);
    return true;
}

bool report_facts_make(const struct report *report, struct report_facts *out) {
    const struct event *event = report->event;
    const size_t players = (size_t)event->player_count, maps = (size_t)event->map_count;
    *out = (struct report_facts){.player_count = event->player_count};
    out->cross = mem_alloc((players * players + 1) * sizeof *out->cross);
    out->by_map = mem_alloc((maps + 1) * sizeof *out->by_map);
    out->clocks = mem_alloc((players + 1) * sizeof *out->clocks);
    bool ok = out->cross != NULL && out->by_map != NULL && out->clocks != NULL;
    for (int i = 0; ok && i < report->games->count; i++) {
        const struct fixture *f = &report->games->fixtures[i];
        const struct outcome *o = &report->games->outcomes[i];
        if (o->played)
            count_game(out, f, o);
        if (f->stage != STAGE_MAIN || event->rules.format == RULES_KNOCK_OUT)
            ok = count_meeting(out, f, o);
    }
    if (!ok)
        report_facts_done(out);
    return ok;
}

void report_facts_done(struct report_facts *facts) {
    mem_free(facts->cross);
    mem_free(facts->by_map);
    mem_free(facts->clocks);
    mem_free(facts->meetings);
    *facts = (struct report_facts){0};
}

const struct tally *report_cross(const struct report_facts *facts, int player, int opponent) {
    return &facts->cross[player * facts->player_count + opponent];
}

double report_points(const struct report *report, const struct tally *tally) {
    const struct rules *rules = &report->event->rules;
    return tally->wins * rules->win + tally->draws * rules->draw + tally->losses * rules->loss;
}

struct interval report_interval(const struct tally *tally) {
    return stats_wilson(tally_score(tally), tally_games(tally), STATS_Z95);
}

bool report_place_is_shared(const struct report *report, int row, int *last) {
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
    const double value = standing->tie_breaks[index];
    return report->event->rules.tie_breaks[index] == RULES_TIE_FAULTS ? fabs(value) : value;
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
    out->mean = game_payoff_shown(scenario, p->mean);
    out->interval.low = game_payoff_shown(scenario, i.low);
    out->interval.high = game_payoff_shown(scenario, i.high);
    out->observations = p->count;
    return p->count > 0;
}

/* ---- words and numbers ---- */

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

char *report_number(double value, char out[REPORT_NUMBER_MAX]) {
    int n = snprintf(out, REPORT_NUMBER_MAX, "%.2f", fabs(value) < 0.005 ? 0 : value);
    while (n > 0 && n < REPORT_NUMBER_MAX && out[n - 1] == '0')
        out[--n] = '\0';
    if (n > 0 && n < REPORT_NUMBER_MAX && out[n - 1] == '.')
        out[--n] = '\0';
    return out;
}

void report_date_words(const char *date, char *out, size_t out_size) {
    static const char *const months[] = {"January",   "February", "March",    "April",
                                         "May",       "June",     "July",     "August",
                                         "September", "October",  "November", "December"};
    static const char shape[] = "dddd-dd-ddTdd:dd:ddZ";
    const size_t size = strlen(date);
    bool ok = size == strlen(shape);
    for (size_t i = 0; ok && i < size; i++)
        ok = shape[i] == 'd' ? date[i] >= '0' && date[i] <= '9' : date[i] == shape[i];
    const int month = ok ? (date[5] - '0') * 10 + date[6] - '0' : 0;
    if (month < 1 || month > 12) {
        charset_copy(out, out_size, date, size);
        return;
    }
    const int day = (date[8] - '0') * 10 + date[9] - '0';
    snprintf(out, out_size, "%d %s %.4s, %.5s UTC", day, months[month - 1], date, date + 11);
}

static void add_format(const struct rules *rules, struct text *out) {
    switch (rules->format) {
    case RULES_ROUND_ROBIN: text_add_string(out, "Round robin"); break;
    case RULES_GAUNTLET:
        if (rules->challengers == 1)
            text_add_string(out, "Gauntlet, the first player against all others");
        else
            text_add(out, "Gauntlet, the first %d players against all others", rules->challengers);
        break;
    case RULES_SWISS:
        text_add_string(out, "Swiss system");
        if (rules->rounds > 0)
            text_add(out, ", %d round%s", rules->rounds, rules->rounds == 1 ? "" : "s");
        break;
    case RULES_KNOCK_OUT: text_add_string(out, "Knock-out"); break;
    case RULES_FORMATS: break;
    }
}

void report_format_words(const struct event *event, struct text *out) {
    const struct rules *rules = &event->rules;
    add_format(rules, out);
    text_add(out, ", %d game%s a pairing%s", rules->games, rules->games == 1 ? "" : "s",
             event_takes_maps(rules) ? " and map" : "");
    if (rules->maps_per_pairing > 0 && rules->maps_per_pairing < event->map_count)
        text_add(out, " on %d map%s drawn for each pairing", rules->maps_per_pairing,
                 rules->maps_per_pairing == 1 ? "" : "s");
    if (rules->not_own_maps)
        text_add_string(out, ", nobody on their own maps");
    if (rules->playoff_places == 1)
        text_add_string(out, "; a tie for the first place is played off");
    else if (rules->playoff_places > 1)
        text_add(out, "; ties for the first %d places are played off", rules->playoff_places);
    if (rules->final_players > 0)
        text_add(out, "; then a knock-out of the best %d", rules->final_players);
}

/* One character of a string: its bytes, or "?" for what a terminal should not be shown. */
struct glyph {
    char bytes[5];
    size_t size; /* in the string */
    int width;
};

static struct glyph glyph_at(const char *s) {
    struct glyph g = {.bytes = "?", .width = 1};
    bool harmless;
    g.size = charset_glyph(s, strnlen(s, sizeof g.bytes - 1), &harmless);
    if (!harmless)
        return g;
    memcpy(g.bytes, s, g.size);
    g.bytes[g.size] = '\0';
    g.width = charset_width(g.bytes);
    return g;
}

static int width_of(const char *start, const char *end) {
    int width = 0;
    for (const char *s = start; s < end;) {
        const struct glyph g = glyph_at(s);
        width += g.width;
        s += g.size;
    }
    return width;
}

static int add_glyphs(const char *start, const char *end, int columns, struct text *out) {
    int used = 0;
    for (const char *s = start; s < end;) {
        const struct glyph g = glyph_at(s);
        if (used + g.width > columns)
            break;
        text_add_string(out, g.bytes);
        used += g.width;
        s += g.size;
    }
    return used;
}

int report_fit(const char *string, int columns, struct text *out) {
    const char *end = string + strlen(string), *tail = string;
    const int whole = width_of(string, end);
    if (columns <= 0)
        return 0;
    if (whole <= columns)
        return add_glyphs(string, end, columns, out);
    /* Specs often begin alike and differ in what comes last: a third is kept of the end. */
    const int back = columns / 3, front = columns - 1 - back;
    while (width_of(tail, end) > back)
        tail += glyph_at(tail).size;
    int used = add_glyphs(string, end, front, out) + 1;
    text_add_string(out, "…");
    used += add_glyphs(tail, end, back, out);
    return used;
}
