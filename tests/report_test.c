/* SPDX-License-Identifier: MIT
 *
 * Reports for other programs, of a tournament that was made by hand (report_support.c): every number in them
 * is known.
 */
#include "memory_support.h"
#include "report_support.h"

#include <jansson.h>
#include <math.h>
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

static int make_small(void **state) {
    (void)state;
    sample_small(&sample);
    return 0;
}

static bool is_near(double a, double b) {
    return fabs(a - b) < 1e-6;
}

/* ---- JSON ---- */

static json_t *json_of(const struct report *report) {
    struct text text = {0};
    json_error_t error;
    report_json(report, &text);
    json_t *root = json_loadb(text_string(&text), text.size, JSON_REJECT_DUPLICATES, &error);
    if (root == NULL)
        fail_msg("line %d: %s", error.line, error.text);
    text_done(&text);
    return root;
}

static double number_at(const json_t *object, const char *key) {
    const json_t *value = json_object_get(object, key);
    if (!json_is_number(value))
        fail_msg("%s is no number", key);
    return json_number_value(value);
}

static const char *string_at(const json_t *object, const char *key) {
    const char *string = json_string_value(json_object_get(object, key));
    if (string == NULL)
        fail_msg("%s is no string", key);
    return string;
}

static void assert_tally(const json_t *object, int wins, int draws, int losses) {
    const json_t *interval = json_object_get(object, "interval");
    const struct tally tally = {wins, draws, losses};
    const struct interval expected = stats_wilson(tally_score(&tally), tally_games(&tally), STATS_Z95);
    assert_int_equal(number_at(object, "wins"), wins);
    assert_int_equal(number_at(object, "draws"), draws);
    assert_int_equal(number_at(object, "losses"), losses);
    assert_int_equal(number_at(object, "games"), wins + draws + losses);
    assert_true(is_near(number_at(object, "score"), tally_score(&tally)));
    assert_true(is_near(json_number_value(json_array_get(interval, 0)), expected.low));
    assert_true(is_near(json_number_value(json_array_get(interval, 1)), expected.high));
}

static void json_has_the_tournament(void **state) {
    (void)state;
    json_t *root = json_of(&sample.report);
    assert_string_equal(string_at(root, "title"), "Spring <Cup> & \"Friends\"");
    assert_string_equal(string_at(root, "format"), tournament_format_names[TOURNAMENT_ROUND_ROBIN]);
    assert_int_equal(number_at(root, "seed"), 20240501);
    assert_true(json_is_integer(json_object_get(root, "games")));
    assert_int_equal(number_at(root, "games"), 26);
    assert_int_equal(number_at(root, "games_expected"), 28);
    assert_true(json_is_false(json_object_get(root, "complete")));
    assert_true(json_is_object(json_object_get(root, "rules")));
    assert_int_equal(json_array_size(json_object_get(root, "standings")), 4);
    assert_int_equal(json_array_size(json_object_get(root, "pairings")), 6);
    json_decref(root);
}

static void json_has_the_standings_in_order(void **state) {
    (void)state;
    json_t *root = json_of(&sample.report);
    const json_t *first = json_array_get(json_object_get(root, "standings"), 0);
    assert_string_equal(string_at(first, "player"), "uct, \"the\" <b>first</b>");
    assert_int_equal(number_at(first, "place"), 1);
    assert_true(json_is_false(json_object_get(first, "shared")));
    assert_true(is_near(number_at(first, "points"), 9));
    assert_tally(first, 8, 2, 2);
    assert_tally(json_object_get(first, "as_first"), 4, 1, 1);
    assert_tally(json_object_get(first, "as_second"), 4, 1, 1);
    assert_true(is_near(number_at(first, "elo"), 185.25));
    assert_true(is_near(number_at(first, "elo_error"), 88.5));
    const json_t *ties = json_object_get(first, "tie_breaks");
    assert_true(is_near(number_at(ties, tournament_tie_break_names[TOURNAMENT_TIE_HEAD_TO_HEAD]), 2));
    assert_true(is_near(number_at(ties, tournament_tie_break_names[TOURNAMENT_TIE_SONNEBORN]), 39));
    assert_int_equal(json_object_size(json_object_get(first, "faults")), 0);
    assert_int_equal(number_at(first, "byes"), 0);
    assert_string_equal(string_at(first, "spec"), "uct:sims=60");
    assert_string_equal(string_at(first, "author"), "Ada & Co.");
    assert_string_equal(string_at(first, "decided_by"), tournament_stage_names[STAGE_PLAYOFF]);
    json_decref(root);
}

static void json_has_faults_and_shared_places(void **state) {
    (void)state;
    sample.tournament.rules.disqualify_after = 3;
    sample.games.byes[3] = 1;
    sample.games.walkovers[3] = 4;
    sample.standings[3].byes = 1;
    sample.tournament.rules.tie_breaks[1] = TOURNAMENT_TIE_FAULTS;
    sample.standings[2].tie_breaks[1] = -3;
    json_t *root = json_of(&sample.report);
    const json_t *tactics = json_array_get(json_object_get(root, "standings"), 2);
    const json_t *random = json_array_get(json_object_get(root, "standings"), 3);
    const json_t *faults = json_object_get(tactics, "faults");
    assert_true(json_is_true(json_object_get(tactics, "shared")));
    assert_int_equal(json_object_size(faults), 2);
    assert_int_equal(number_at(faults, "crash"), 1);
    assert_int_equal(number_at(faults, "late"), 2);
    assert_int_equal(
        number_at(json_object_get(tactics, "tie_breaks"), tournament_tie_break_names[TOURNAMENT_TIE_FAULTS]),
        3);
    assert_true(json_is_true(json_object_get(tactics, "disqualified")));
    assert_true(json_is_false(json_object_get(random, "disqualified")));
    assert_int_equal(number_at(random, "byes"), 1);
    assert_int_equal(number_at(random, "walkovers"), 4);
    assert_null(json_object_get(random, "author"));
    json_decref(root);
}

static void json_has_pairings_meetings_and_maps(void **state) {
    (void)state;
    json_t *root = json_of(&sample.report);
    const json_t *pair = json_array_get(json_object_get(root, "pairings"), 2);
    assert_string_equal(string_at(pair, "player"), "uct, \"the\" <b>first</b>");
    assert_string_equal(string_at(pair, "opponent"), "random");
    assert_tally(pair, 3, 0, 1);
    assert_true(is_near(json_number_value(json_array_get(json_object_get(pair, "points"), 1)), 1));
    const json_t *meetings = json_object_get(root, "meetings");
    assert_int_equal(json_array_size(meetings), 2);
    assert_string_equal(string_at(json_array_get(meetings, 0), "stage"),
                        tournament_stage_names[STAGE_PLAYOFF]);
    assert_tally(json_array_get(meetings, 0), 1, 1, 0);
    assert_int_equal(number_at(json_array_get(meetings, 1), "games_open"), 2);
    assert_true(json_is_null(json_object_get(json_array_get(meetings, 1), "score")));
    const json_t *maps = json_object_get(root, "maps");
    assert_string_equal(string_at(json_array_get(maps, 0), "map"), "duel");
    assert_tally(json_object_get(json_array_get(maps, 0), "first_side"), 9, 1, 4);
    assert_string_equal(string_at(json_array_get(maps, 1), "author"), "Linus");
    assert_tally(json_object_get(json_array_get(maps, 1), "first_side"), 4, 2, 6);
    json_decref(root);
}

static void json_has_times(void **state) {
    (void)state;
    json_t *root = json_of(&sample.report);
    const json_t *times = json_object_get(root, "times");
    assert_true(is_near(number_at(times, "seconds"), 6.5));
    assert_string_equal(string_at(times, "date"), "2024-05-01T10:00:00Z");
    const json_t *random = json_array_get(json_object_get(times, "players"), 3);
    /* 2 ms a turn for two decisions as the first side, 0.5 ms for one as the second. */
    int first = 0, second = 0;
    for (int i = 0; i < sample.games.count; i++) {
        first += sample.scheduled[i].players[0] == 3 ? sample.outcomes[i].turns : 0;
        second += sample.scheduled[i].players[1] == 3 ? sample.outcomes[i].turns : 0;
    }
    assert_string_equal(string_at(random, "player"), "random");
    assert_true(
        is_near(number_at(random, "ms_per_decision"), (2.0 * first + 0.5 * second) / (2 * first + second)));
    assert_true(is_near(number_at(random, "longest_ms"), 3.000023));
    json_decref(root);
}

static void json_is_the_same_but_for_times(void **state) {
    (void)state;
    json_t *before = json_of(&sample.report);
    sample_change_times(&sample);
    json_t *after = json_of(&sample.report);
    assert_false(json_equal(before, after));
    json_object_del(before, "times");
    json_object_del(after, "times");
    /* Order and digits, too. */
    char *one = json_dumps(before, 0), *two = json_dumps(after, 0);
    assert_string_equal(one, two);
    free(one);
    free(two);
    json_decref(before);
    json_decref(after);
}

/* Row against column, by player: each pairing must find its own. */
static void json_has_the_other_ratings(void **state) {
    (void)state;
    double superiority[16];
    struct rating_side sides[3] = {{.elo = 12.344, .error = 30}, {.elo = -80, .error = 41.5}};
    for (int i = 0; i < 16; i++)
        superiority[i] = i / 100.0;
    const struct rating_fit fit = {.player_count = 4,
                                   .map_count = 2,
                                   .ratings = sample.ratings,
                                   .sides = sides,
                                   .superiority = superiority,
                                   .connected = true};
    assert_int_equal(sample.tournament.player_count, 4);
    sample.report.fit = &fit;
    json_t *root = json_of(&sample.report);
    assert_true(json_is_true(json_object_get(root, "ratings_connected")));
    const json_t *pair = json_array_get(json_object_get(root, "pairings"), 0);
    const int row = sample.standings[0].player, column = sample.standings[1].player;
    assert_true(is_near(number_at(pair, "superiority"), superiority[4 * row + column]));
    const json_t *map = json_array_get(json_object_get(root, "maps"), 1);
    assert_true(is_near(number_at(map, "first_side_elo"), -80));
    assert_true(is_near(number_at(map, "first_side_elo_error"), 41.5));
    json_decref(root);
}

static void json_has_no_numbers_that_are_none(void **state) {
    (void)state;
    const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    for (int i = 0; i < 3; i++) {
        sample.ratings[i].elo = bad[i];
        sample.ratings[i].error = bad[2 - i];
        sample.standings[i].tie_breaks[0] = bad[i];
    }
    sample.report.seconds = (double)NAN;
    json_t *root = json_of(&sample.report);
    const json_t *first = json_array_get(json_object_get(root, "standings"), 0);
    assert_true(json_is_null(json_object_get(first, "elo")));
    assert_true(json_is_null(json_object_get(json_object_get(root, "times"), "seconds")));
    json_decref(root);
}

static void json_before_the_first_game(void **state) {
    (void)state;
    sample.games.count = 0;
    sample.report.games_played = 0;
    sample.report.ratings = NULL;
    sample.report.date = NULL;
    sample.report.seconds = -1;
    sample_count(&sample);
    json_t *root = json_of(&sample.report);
    const json_t *first = json_array_get(json_object_get(root, "standings"), 0);
    assert_true(json_is_null(json_object_get(first, "score")));
    assert_true(json_is_null(json_object_get(first, "elo")));
    assert_int_equal(json_array_size(json_object_get(root, "pairings")), 0);
    assert_int_equal(json_array_size(json_object_get(root, "highlights")), 0);
    json_decref(root);
}

/* The sentence of a highlight, and what it is made of. */
static void json_has_the_parts_of_highlights(void **state) {
    (void)state;
    static const struct {
        const char *text, *json;
    } expected[] = {
        {"random beat uct, \"the\" <b>first</b>, rated 515 above it, in 17 turns on island <2>",
         "{\"kind\":\"upset\",\"players\":[\"random\",\"uct, \\\"the\\\" <b>first</b>\"],\"drawn\":false,"
         "\"map\":\"island <2>\",\"turns\":17,\"above\":515.0}"},
        {"The lead changed 5 times before 木探索プログラム beat uct, \"the\" <b>first</b> in 12 turns on "
         "duel",
         "{\"kind\":\"lead-changes\",\"players\":[\"木探索プログラム\",\"uct, \\\"the\\\" <b>first</b>\"],"
         "\"drawn\":false,\"map\":\"duel\",\"turns\":12,\"lead_changes\":5}"},
        {"tactics answered after its time was over: it lost to random on duel, and the same way 1 more time",
         "{\"kind\":\"fault\",\"players\":[\"tactics\",\"random\"],\"drawn\":false,\"map\":\"duel\","
         "\"fault\":\"late\",\"more\":1}"},
    };
    json_t *root = json_of(&sample.report);
    const json_t *list = json_object_get(root, "highlights");
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        json_t *found = NULL, *wanted = json_loads(expected[i].json, 0, NULL);
        for (size_t j = 0; j < json_array_size(list); j++)
            if (strcmp(string_at(json_array_get(list, j), "text"), expected[i].text) == 0)
                found = json_array_get(list, j);
        assert_non_null(found);
        const char *key;
        json_t *value;
        json_object_foreach(wanted, key, value) assert_true(json_equal(json_object_get(found, key), value));
        assert_int_equal(json_object_size(found), json_object_size(wanted) + 3); /* game, weight, text */
        json_decref(wanted);
    }
    json_decref(root);
}

/* Names in the parts are cut, and without control characters, as in the sentence. */
static void names_in_highlights_are_safe(void **state) {
    (void)state;
    for (int p = 0; p < 4; p++)
        snprintf(sample.players[p].name, sizeof sample.players[p].name, "%d\x1b[2J\xff%0100d", p, 1);
    json_t *root = json_of(&sample.report);
    const json_t *first = json_array_get(json_object_get(root, "highlights"), 0);
    for (size_t i = 0; i < 2; i++) {
        const char *name = json_string_value(json_array_get(json_object_get(first, "players"), i));
        assert_non_null(strstr(string_at(first, "text"), name));
        assert_non_null(strstr(name, "?[2J?000"));
        assert_non_null(strstr(name, "…"));
    }
    json_decref(root);
}

static void json_takes_any_name_and_seed(void **state) {
    (void)state;
    snprintf(sample.players[0].name, sizeof sample.players[0].name, "\x83\x65\x83\x58\x83\x67\x01\x1b[2J");
    sample.tournament.seed = UINT64_MAX;
    json_t *root = json_of(&sample.report);
    assert_string_equal(string_at(root, "seed"), "18446744073709551615");
    assert_string_equal(string_at(json_array_get(json_object_get(root, "standings"), 0), "player"),
                        "テスト\x01\x1b[2J");
    json_decref(root);
}

/* ---- CSV ---- */

enum { FIELDS_MAX = 40, FIELD_MAX = 256 };

struct row {
    int count;
    char fields[FIELDS_MAX][FIELD_MAX];
};

/* Reads a row by RFC 4180; returns the start of the next row. */
static const char *read_row(const char *at, struct row *row) {
    size_t length = 0;
    bool quoted = false;
    row->count = 0;
    for (;; at++) {
        assert_true(row->count < FIELDS_MAX);
        char *field = row->fields[row->count];
        if (quoted && *at == '"' && at[1] == '"') {
            field[length++] = *at++;
        } else if (*at == '"') {
            assert_true(quoted || length == 0);
            quoted = !quoted;
        } else if (!quoted && (*at == ',' || *at == '\n')) {
            field[length] = '\0';
            length = 0;
            row->count++;
            if (*at == '\n')
                return at + 1;
        } else {
            assert_int_not_equal(*at, '\0');
            field[length++] = *at;
        }
        assert_true(length < FIELD_MAX);
    }
}

static const char *field_of(const struct row *head, const struct row *row, const char *name) {
    assert_int_equal(head->count, row->count);
    for (int i = 0; i < head->count; i++)
        if (strcmp(head->fields[i], name) == 0)
            return row->fields[i];
    fail_msg("no column %s", name);
    return NULL;
}

static void csv_has_the_standings(void **state) {
    (void)state;
    struct text text = {0};
    struct row head, row;
    snprintf(sample.players[0].author, sizeof sample.players[0].author, "two\nlines");
    report_standings_csv(&sample.report, &text);
    const char *at = read_row(text_string(&text), &head);
    at = read_row(at, &row);
    assert_string_equal(field_of(&head, &row, "player"), "uct, \"the\" <b>first</b>");
    assert_string_equal(field_of(&head, &row, "points"), "9.00");
    assert_string_equal(field_of(&head, &row, "wins"), "8");
    assert_string_equal(field_of(&head, &row, "score"), "0.750000");
    assert_string_equal(field_of(&head, &row, "elo"), "185.25");
    assert_string_equal(field_of(&head, &row, "author"), "two\nlines");
    at = read_row(read_row(at, &row), &row);
    assert_string_equal(field_of(&head, &row, "place"), "3");
    assert_string_equal(field_of(&head, &row, "fault_late"), "2");
    assert_string_equal(field_of(&head, &row, "second_losses"), "5");
    at = read_row(at, &row);
    assert_int_equal(*at, '\0');
    text_done(&text);
}

static void csv_has_the_games(void **state) {
    (void)state;
    struct text text = {0};
    struct row head, row;
    int count = 0;
    report_games_csv(&sample.report, &text);
    for (const char *at = read_row(text_string(&text), &head); *at != '\0'; count++) {
        at = read_row(at, &row);
        if (count != 21)
            continue;
        assert_string_equal(field_of(&head, &row, "number"), "21");
        assert_string_equal(field_of(&head, &row, "first"), "random");
        assert_string_equal(field_of(&head, &row, "second"), "tactics");
        assert_string_equal(field_of(&head, &row, "result"), "red late");
        assert_string_equal(field_of(&head, &row, "payoff"), "1.0");
        assert_string_equal(field_of(&head, &row, "fault"), "late");
        assert_string_equal(field_of(&head, &row, "forfeiter"), "tactics");
        assert_string_equal(field_of(&head, &row, "turns"), "2");
        assert_string_equal(field_of(&head, &row, "seed"), "1021");
        assert_string_equal(field_of(&head, &row, "first_ms"), "1.000");
        assert_string_equal(field_of(&head, &row, "second_longest_ms"), "1.250");
    }
    assert_int_equal(count, 26); /* two are not played yet */
    text_done(&text);
}

/* ---- memory ---- */

static void write_all(void *context) {
    struct text text = {0};
    (void)context;
    report_json(&sample.report, &text);
    report_standings_csv(&sample.report, &text);
    report_games_csv(&sample.report, &text);
    report_cross_table_html(&sample.report, &text);
    report_print_html(&sample.report, &text);
    report_table(&sample.report, &(struct report_style){0}, &text);
    text_done(&text);
}

/* Whichever allocation fails, nothing is left behind. JSON has an allocator of its own. */
static void memory_may_run_out(void **state) {
    (void)state;
    long n = 1;
    while (memory_runs_out(n, write_all, NULL))
        n++;
    assert_true(n > 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(json_has_the_tournament, make_small),
        cmocka_unit_test_setup(json_has_the_standings_in_order, make_small),
        cmocka_unit_test_setup(json_has_faults_and_shared_places, make_small),
        cmocka_unit_test_setup(json_has_pairings_meetings_and_maps, make_small),
        cmocka_unit_test_setup(json_has_times, make_small),
        cmocka_unit_test_setup(json_is_the_same_but_for_times, make_small),
        cmocka_unit_test_setup(json_has_the_other_ratings, make_small),
        cmocka_unit_test_setup(json_has_no_numbers_that_are_none, make_small),
        cmocka_unit_test_setup(json_before_the_first_game, make_small),
        cmocka_unit_test_setup(json_has_the_parts_of_highlights, make_small),
        cmocka_unit_test_setup(names_in_highlights_are_safe, make_small),
        cmocka_unit_test_setup(json_takes_any_name_and_seed, make_small),
        cmocka_unit_test_setup(csv_has_the_standings, make_small),
        cmocka_unit_test_setup(csv_has_the_games, make_small),
        cmocka_unit_test_setup(memory_may_run_out, make_small),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
