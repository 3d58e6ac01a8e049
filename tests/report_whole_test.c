/* SPDX-License-Identifier: MIT
 *
 * Whole reports of tournaments made by hand (report_support.c), compared byte for byte by their checksums:
 * numbers, order of rows and columns, words. The other tests of reports state what single parts mean. Every
 * list of a report has exactly the length that the tournament needs, so that the sanitizers find an index
 * behind its end.
 */
#include "html_support.h"
#include "report_support.h"

#include "base/columns.h"
#include "base/mem.h"
#include "base/numbers.h"
#include "game/game.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static struct sample sample; /* too large for a stack */

/* ---- the tournaments ---- */

static struct void_game voids[] = {{3, 5, 1250000000}, {3, 0, 7400000000}, {21, 40, 2000000}};

static void make_small(void) {
    sample_small(&sample);
}

/* Everything that only some tournaments have: byes, a disqualification, void games, other points and a clock.
 */
static void make_eventful(void) {
    sample_small(&sample);
    struct tournament_rules *rules = &sample.tournament.rules;
    rules->disqualify_after = 3;
    rules->win = 3;
    rules->draw = 1;
    rules->playoff_places = 2;
    rules->not_own_maps = true;
    rules->maps_per_pairing = 1;
    rules->timing.turn_s = 10;
    rules->tie_break_count = 4;
    rules->tie_breaks[0] = TOURNAMENT_TIE_BUCHHOLZ;
    rules->tie_breaks[2] = TOURNAMENT_TIE_WINS;
    rules->tie_breaks[3] = TOURNAMENT_TIE_FAULTS;
    for (int i = 0; i < 4; i++)
        sample.standings[i].tie_breaks[3] = -sample.standings[i].faults[PLAYER_FAULT_LATE];
    sample.games.byes[3] = 1;
    sample.games.walkovers[3] = 4;
    sample.standings[3].byes = 1;
    sample.games.voids.games = voids;
    sample.games.voids.count = 3;
    sample.standings[1].decided_by = STAGE_FINAL;
    sample.outcomes[21].fault = PLAYER_FAULT_HANG;
    sample.ratings[0] = (struct rating){0.25, 3};
    sample_count(&sample);
}

/* One void game, one remaining game of a final, date and time unknown. */
static void make_late(void) {
    sample_small(&sample);
    sample.tournament.rules.title[0] = '\0';
    sample.games.voids.games = voids + 1;
    sample.games.voids.count = 1;
    sample.outcomes[26] = sample.outcomes[24];
    sample.outcomes[26].payoff = 0;
    sample.outcomes[26].turns = 1;
    sample.report.games_played++;
    sample.report.date = NULL;
    sample.report.store = NULL;
    sample.report.seconds = -1;
    sample_count(&sample);
}

static void make_knock_out(void) {
    sample_small(&sample);
    sample.tournament.rules.format = TOURNAMENT_KNOCK_OUT;
    sample.tournament.rules.playoff_places = 0;
    sample.tournament.rules.final_players = 0;
    for (int i = 12; i < 24; i++)
        sample.scheduled[i].round = 1;
    for (int i = 22; i < 24; i++)
        sample.outcomes[i].played = false;
    sample.report.games_played -= 2;
    sample_count(&sample);
}

static void make_gauntlet(void) {
    sample_small(&sample);
    sample.tournament.rules.format = TOURNAMENT_GAUNTLET;
    sample.tournament.rules.challengers = 2;
    sample.tournament.rules.games = 1;
    sample.tournament.map_count = 1;
    sample.games.count = 2;
    sample.report.games_played = 2;
    sample.report.games_expected = 2;
    sample.report.complete = true;
    sample.report.date = "2024-12-31T23:59:59Z";
    sample_count(&sample);
}

static void make_swiss(void) {
    sample_small(&sample);
    sample.tournament.rules.format = TOURNAMENT_SWISS;
    sample.tournament.rules.rounds = 1;
    sample.tournament.rules.maps_per_pairing = 2; /* of two: nothing is drawn */
    sample.report.date = "2024-13-01T10:00:00Z";
}

static void make_unplayed(void) {
    sample_small(&sample);
    sample.games.count = 0;
    sample.report.games_played = 0;
    sample.report.ratings = NULL;
    sample.report.date = NULL;
    sample.report.seconds = -1;
    sample_count(&sample);
}

static void make_large(void) {
    sample_large(&sample, 17);
}

static void make_brackets(void) {
    sample_large(&sample, 16);
    sample.tournament.rules.format = TOURNAMENT_KNOCK_OUT;
    for (int i = 0; i < sample.games.count; i++) {
        sample.outcomes[i].forfeiter = i < 101 ? i % 2 : NOBODY;
        sample.outcomes[i].fault = i < 101 ? 1 + i % (PLAYER_FAULTS - 1) : PLAYER_FAULT_NONE;
    }
}

static void make_maps(int count) {
    sample_small(&sample);
    for (; sample.tournament.map_count < count; sample.tournament.map_count++)
        snprintf(sample.maps[sample.tournament.map_count].name, sizeof sample.maps[0].name, "map %d",
                 sample.tournament.map_count);
}

static void make_few_maps(void) {
    make_maps(24);
}

static void make_many_maps(void) {
    make_maps(25);
}

/* A game whose payoffs have shades. */
static void make_kuhn(void) {
    sample_small(&sample);
    snprintf(sample.tournament.rules.game, sizeof sample.tournament.rules.game, "kuhn");
    struct err e;
    sample.tournament.map_count = 1;
    sample.maps[0].scenario = game_load_spec("kuhn", &e);
    assert_non_null(sample.maps[0].scenario);
    for (int i = 0; i < sample.games.count; i++)
        sample.scheduled[i].map = 0;
    for (int i = 0; i < 3; i++)
        for (int game = 0; game < 4 * i; game++)
            payoffs_add(&sample.standings[i].payoffs, 0.25 + 0.125 * (game % 5), game < 6);
}

/* ---- the same in lists of exact length ---- */

static void *exactly(const void *from, size_t count, size_t size) {
    void *copy = mem_alloc(count > 0 ? count * size : 1);
    assert_non_null(copy);
    return count > 0 ? memcpy(copy, from, count * size) : copy;
}

struct exact {
    struct tournament tournament;
    struct games games;
    struct rating_fit fit;
    struct report report;
};

static void make_exact(struct exact *x) {
    const size_t players = (size_t)sample.tournament.player_count, maps = (size_t)sample.tournament.map_count;
    const size_t games = (size_t)sample.games.count;
    *x = (struct exact){.tournament = sample.tournament, .games = sample.games, .report = sample.report};
    x->tournament.players = exactly(sample.players, players, sizeof *sample.players);
    x->tournament.maps = exactly(sample.maps, maps, sizeof *sample.maps);
    x->games.scheduled = exactly(sample.scheduled, games, sizeof *sample.scheduled);
    x->games.outcomes = exactly(sample.outcomes, games, sizeof *sample.outcomes);
    if (sample.games.voids.count > 0)
        x->games.voids.games =
            exactly(sample.games.voids.games, (size_t)sample.games.voids.count, sizeof *voids);
    x->report.tournament = &x->tournament;
    x->report.games = &x->games;
    x->report.standings = exactly(sample.standings, players, sizeof *sample.standings);
    if (sample.report.ratings == NULL)
        return;
    x->fit = (struct rating_fit){.player_count = (int)players,
                                 .map_count = (int)maps,
                                 .ratings = exactly(sample.ratings, players, sizeof *sample.ratings),
                                 .sides = mem_alloc(maps * sizeof(struct rating_side)),
                                 .superiority = mem_alloc(players * players * sizeof(double)),
                                 .connected = players < 10};
    assert_true(x->fit.sides != NULL && x->fit.superiority != NULL);
    for (size_t i = 0; i < maps; i++)
        x->fit.sides[i] = (struct rating_side){.elo = 12.344 - 50.0 * (double)i, .error = 30.5 + (double)i};
    for (size_t i = 0; i < players * players; i++)
        x->fit.superiority[i] = (double)(i + 1) / (double)(players * players + 1);
    x->report.ratings = x->fit.ratings;
    x->report.fit = &x->fit;
}

static void exact_done(struct exact *x) {
    mem_free(x->tournament.players);
    mem_free(x->tournament.maps);
    mem_free(x->games.scheduled);
    mem_free(x->games.outcomes);
    mem_free(x->games.voids.games);
    mem_free((void *)(uintptr_t)x->report.standings);
    mem_free(x->fit.ratings);
    mem_free(x->fit.sides);
    mem_free(x->fit.superiority);
    game_unload(sample.maps[0].scenario);
    sample.maps[0].scenario = NULL;
}

/* ---- the reports ---- */

enum { JSON, STANDINGS, GAMES, CROSS_TABLE, PRINT, TABLE, OUTPUTS };

static const char *const output_names[OUTPUTS] = {"JSON",        "standings", "games",
                                                  "cross-table", "print",     "table"};

/* On terminals of all kinds. */
static void write_tables(const struct report *report, struct text *out) {
    for (int columns = 0; columns < 100; columns += 7)
        for (int rows = 0; rows < 5; rows += 2)
            report_table(report, &(struct report_style){columns, rows, rows == 2}, out);
}

static void write_output(const struct report *report, int output, struct text *out) {
    switch (output) {
    case JSON: report_json(report, out); break;
    case STANDINGS: report_standings_csv(report, out); break;
    case GAMES: report_games_csv(report, out); break;
    case CROSS_TABLE: report_cross_table_html(report, out); break;
    case PRINT: report_print_html(report, out); break;
    default: write_tables(report, out);
    }
}

static uint64_t checksum(struct text *text) {
    if (strncmp(text_string(text), "<!DOCTYPE", 9) == 0)
        remove_page_code(text);
    return hash_bytes(HASH_START, text_string(text), text->size);
}

/* After an intended change of a report: read it, then store the checksum that the failed test has printed. */
static const struct {
    const char *name;
    void (*make)(void);
    uint64_t checksums[OUTPUTS];
} cases[] = {
    {"small",
     make_small,
     {UINT64_C(0x3c937580e1055bc4), UINT64_C(0x86982892d7de8e90), UINT64_C(0xb409d15b63c6a9de),
      UINT64_C(0x6d515d2873f73f8e), UINT64_C(0xdff7fe51fb95bf8f), UINT64_C(0x78fc237e7b807235)}},
    {"eventful",
     make_eventful,
     {UINT64_C(0xc763e62056d1198c), UINT64_C(0x2d6b20190c74a39b), UINT64_C(0x1036a60687ca232a),
      UINT64_C(0x5e5fc89c3660f767), UINT64_C(0xa3e880c04f6c1e88), UINT64_C(0xff4019d0117d0989)}},
    {"late",
     make_late,
     {UINT64_C(0xb3ce68ff58b7bcb5), UINT64_C(0x86982892d7de8e90), UINT64_C(0x4379b42bdafe57a0),
      UINT64_C(0xf44c00dd4d482d2f), UINT64_C(0xd745c57d1209c6ea), UINT64_C(0x0a28fb530ffd7924)}},
    {"knock-out",
     make_knock_out,
     {UINT64_C(0x167e5f4613d5b390), UINT64_C(0x051d53d7035a64bd), UINT64_C(0xfd3a2d680ca53abd),
      UINT64_C(0xec66ce028edd3455), UINT64_C(0xe7a859abaa4a2684), UINT64_C(0xaa6c0beaafc63fe3)}},
    {"gauntlet",
     make_gauntlet,
     {UINT64_C(0xcbf5f8194d798055), UINT64_C(0xc43e335b878f3339), UINT64_C(0x82e64145552007fe),
      UINT64_C(0x012d69ef5c302016), UINT64_C(0x7957a602a51150bd), UINT64_C(0xc3f6ddec44428c5e)}},
    {"swiss",
     make_swiss,
     {UINT64_C(0xe0d3121e76a9a8e4), UINT64_C(0x86982892d7de8e90), UINT64_C(0xb409d15b63c6a9de),
      UINT64_C(0xa089b918e6f929f0), UINT64_C(0x694e074a4534f8b9), UINT64_C(0x78fc237e7b807235)}},
    {"unplayed",
     make_unplayed,
     {UINT64_C(0xed86bd7ed6a547fc), UINT64_C(0xb2829c0abe7ea3da), UINT64_C(0x4fad1a82b5a7a360),
      UINT64_C(0x0b6ae0ffcf5f8cfa), UINT64_C(0x98bc620a658aa379), UINT64_C(0xfbaffffbe9d502b6)}},
    {"large",
     make_large,
     {UINT64_C(0x0ced0957a16f9635), UINT64_C(0x7b9d5ad99234d775), UINT64_C(0x7d19dad9f423fd5b),
      UINT64_C(0x916652307d751f30), UINT64_C(0x08538c8a04507eb5), UINT64_C(0xaf8c889d55ae267f)}},
    {"brackets",
     make_brackets,
     {UINT64_C(0x4b957c4702fcb75f), UINT64_C(0x9d59ade71fd6c983), UINT64_C(0xe8bbfe0b03b7ddaf),
      UINT64_C(0x9acf81042da311d8), UINT64_C(0x0247de626451b601), UINT64_C(0xd8e0cf7d90a6379f)}},
    {"few maps",
     make_few_maps,
     {UINT64_C(0x3c4d167d9f177f71), UINT64_C(0x86982892d7de8e90), UINT64_C(0xb409d15b63c6a9de),
      UINT64_C(0xb97deaf5f37f2cd6), UINT64_C(0xf07225c83a614777), UINT64_C(0x78fc237e7b807235)}},
    {"many maps",
     make_many_maps,
     {UINT64_C(0x02bbeec7677a4c28), UINT64_C(0x86982892d7de8e90), UINT64_C(0xb409d15b63c6a9de),
      UINT64_C(0x79a00d3796e35475), UINT64_C(0x18a16d5bfa1595d6), UINT64_C(0x78fc237e7b807235)}},
    {"kuhn",
     make_kuhn,
     {UINT64_C(0x615c510f48a97eb1), UINT64_C(0x8c3368a0e473fcca), UINT64_C(0x966396a2f81769ca),
      UINT64_C(0x9debe0d9d9d74aea), UINT64_C(0x7b23b4851abd7683), UINT64_C(0xaea750e2fcd90841)}},
};

static void reports_are_as_they_were(void **state) {
    (void)state;
    int differ = 0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct exact x;
        cases[i].make();
        make_exact(&x);
        for (int output = 0; output < OUTPUTS; output++) {
            struct text text = {0};
            write_output(&x.report, output, &text);
            const uint64_t found = checksum(&text);
            if (found != cases[i].checksums[output]) {
                differ++;
                fprintf(stderr, "%s\n%s of %s: the checksum is UINT64_C(0x%016llx)\n", text_string(&text),
                        output_names[output], cases[i].name, (unsigned long long)found);
            }
            text_done(&text);
        }
        exact_done(&x);
    }
    assert_int_equal(differ, 0);
}

/* ---- words and numbers ---- */

static void numbers_are_short(void **state) {
    (void)state;
    static const struct {
        double value;
        const char *text;
    } cases_of[] = {
        {0, "0"},     {-0.0049, "0"}, {0.0051, "0.01"}, {-0.0051, "-0.01"}, {10, "10"},
        {100, "100"}, {0.5, "0.5"},   {-1.25, "-1.25"}, {1e6, "1000000"},   {2.999, "3"},
    };
    for (size_t i = 0; i < sizeof cases_of / sizeof cases_of[0]; i++) {
        char number[COLUMNS_NUMBER_MAX];
        assert_string_equal(columns_number(cases_of[i].value, number), cases_of[i].text);
    }
}

/* A third of the width is for the end; a character that is two columns wide is not cut. */
static void names_are_cut_in_the_middle(void **state) {
    (void)state;
    static const struct {
        const char *name;
        int columns;
        const char *text;
        int used;
    } cases_of[] = {
        {"abcdefghij", 0, "", 0},
        {"abcdefghij", -1, "", 0},
        {"abcdefghij", 1, "…", 1},
        {"abcdefghij", 2, "a…", 2},
        {"abcdefghij", 3, "a…j", 3},
        {"abcdefghij", 9, "abcde…hij", 9},
        {"abcdefghij", 10, "abcdefghij", 10},
        {"木探索", 6, "木探索", 6},
        {"木探索", 5, "木…", 3},
        {"木探索", 4, "木…", 3},
        {"a\nb", 3, "a?b", 3},
    };
    for (size_t i = 0; i < sizeof cases_of / sizeof cases_of[0]; i++) {
        struct text text = {0};
        assert_int_equal(columns_fit(cases_of[i].name, cases_of[i].columns, &text), cases_of[i].used);
        assert_string_equal(text_string(&text), cases_of[i].text);
        text_done(&text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_short),
        cmocka_unit_test(names_are_cut_in_the_middle),
        cmocka_unit_test(reports_are_as_they_were),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
