/* SPDX-License-Identifier: MIT
 *
 * Tables of results: every writer from one list of columns.
 */
#include "base/columns.h"

#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

struct player {
    const char *name;
    double points, share;
    int games;
};

static const struct player players[] = {
    {"first, <b>bold</b>", 2.5, 0.625, 4}, {"second", 10, (double)NAN, 0}, {"", -0.001, 0.001, 1000000}};

enum { NAME, POINTS, SHARE, GAMES, TWICE };

static void get(const void *source, int row, int index, struct column_cell *out) {
    const struct player *player = &((const struct player *)source)[row];
    switch (index) {
    case NAME:
        out->text = player->name;
        out->emphasis = row == 0 ? CELL_STRONG : CELL_PLAIN;
        break;
    case POINTS: out->number = player->points; break;
    case SHARE: out->number = player->share; break;
    case GAMES: out->number = player->games; break;
    case TWICE: out->number = 2 * player->games; break;
    default: out->json = json_pack("[ii]", row, row + 1);
    }
}

/* The last one is the column that a change adds: one line. */
static const struct column columns[] = {
    {"name", "player", COLUMN_TEXT, get, NAME, .is_left = true, .is_cut = true},
    {"points", "points", COLUMN_NUMBER, get, POINTS, .decimals = 2, .leaves = 2},
    {"share", "score", COLUMN_PERCENT, get, SHARE, .decimals = 4, .leaves = 1},
    {"games", "games", COLUMN_COUNT, get, GAMES, .where = IN_DATA},
    {"rows", "", COLUMN_JSON, get, 99, .where = IN_JSON},
    {"twice", "twice the games", COLUMN_COUNT, get, TWICE, .leaves = 3},
};

enum { OLD = 5, NEW = 6 };

static struct columns table(int count) {
    return (struct columns){columns, count, 3, players};
}

static void check(struct text *text, const char *expected) {
    assert_string_equal(text_string(text), expected);
    text_done(text);
}

static void one_line_adds_a_column_to_every_writer(void **state) {
    (void)state;
    struct text text = {0};
    const struct columns old = table(OLD), new = table(NEW);
    columns_csv(&old, &text);
    check(&text, "name,points,share,games\n\"first, <b>bold</b>\",2.50,0.6250,4\nsecond,10.00,,0\n,0.00,"
                 "0.0010,1000000\n");
    columns_csv(&new, &text);
    check(&text, "name,points,share,games,twice\n\"first, <b>bold</b>\",2.50,0.6250,4,8\nsecond,10.00,,0,0\n,"
                 "0.00,0.0010,1000000,2000000\n");
    columns_terminal(&old, &(struct columns_style){0}, &text);
    check(&text,
          "player              points  score\nfirst, <b>bold</b>     2.5  62.5%\nsecond                 "
          " 10      -\n                         0   0.1%\n");
    columns_terminal(&new, &(struct columns_style){.indent = 1}, &text);
    check(&text,
          " player              points  score  twice the games\n first, <b>bold</b>     2.5  62.5%      "
          "          8\n second                  10      -                0\n                         "
          " 0   0.1%          2000000\n");
    columns_html(&new, &text);
    check(&text, "<table>\n<thead><tr><th scope=\"col\">player</th><th scope=\"col\">points</th><th "
                 "scope=\"col\">score</th><th scope=\"col\">twice the games</th></tr></thead>\n<tbody>\n"
                 "<tr><td>first, &lt;b&gt;bold&lt;/b&gt;</td><td>2.5</td><td>62.5%</td><td>8</td></tr>\n"
                 "<tr><td>second</td><td>10</td><td>-</td><td>0</td></tr>\n"
                 "<tr><td></td><td>0</td><td>0.1%</td><td>2000000</td></tr>\n</tbody>\n</table>\n");
}

static void check_json(json_t *value, const char *expected) {
    char *dump = json_dumps(value, JSON_REAL_PRECISION(9));
    assert_string_equal(dump, expected);
    free(dump);
    json_decref(value);
}

static void json_preserves_the_order_of_fields(void **state) {
    (void)state;
    static const char *const order[] = {"games", "name", NULL};
    struct columns one = table(NEW);
    one.rows = 1;
    check_json(columns_json(&one, order),
               "[{\"games\": 4, \"name\": \"first, <b>bold</b>\", \"points\": 2.5, \"share\": 0.625, "
               "\"rows\": [0, 1], \"twice\": 8}]");
    one.source = &players[1];
    one.count = 4;
    check_json(columns_json(&one, NULL),
               "[{\"name\": \"second\", \"points\": 10.0, \"share\": null, \"games\": 0}]");
    const struct columns new = table(NEW);
    check_json(columns_describe(&new),
               "[{\"name\": \"name\", \"title\": \"player\", \"format\": \"text\"}, {\"name\": \"points\", "
               "\"title\": \"points\", \"format\": \"number\"}, {\"name\": \"share\", \"title\": \"score\", "
               "\"format\": \"share\"}, {\"name\": \"twice\", \"title\": \"twice the games\", \"format\": "
               "\"count\"}]");
}

static void optional_fields_without_a_value_are_omitted(void **state) {
    (void)state;
    static const struct column optional[] = {
        {"name", "", COLUMN_TEXT, get, NAME, .is_optional = true},
        {"share", "", COLUMN_GENERAL, get, SHARE, .is_optional = true},
        {"games", "", COLUMN_GENERAL, get, GAMES},
    };
    const struct columns rows = {optional, 3, 3, players};
    check_json(columns_json(&rows, NULL),
               "[{\"name\": \"first, <b>bold</b>\", \"share\": 0.625, \"games\": 4.0}, {\"name\": "
               "\"second\", \"games\": 0.0}, {\"share\": 0.001, \"games\": 1000000}]");
}

static void a_narrow_terminal_loses_columns_then_characters(void **state) {
    (void)state;
    struct text text = {0};
    const struct columns rows = {columns, NEW, 1, players};
    columns_terminal(&rows, &(struct columns_style){.columns_max = 40}, &text);
    check(&text, "player           points  twice the games\nfirst, <b…d</b>     2.5                8\n");
    columns_terminal(&rows, &(struct columns_style){.columns_max = 14, .colour = true}, &text);
    check(&text, "\033[2mplayer        \033[0m\n\033[1mfirst, <b…</b>\033[0m\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_line_adds_a_column_to_every_writer),
        cmocka_unit_test(json_preserves_the_order_of_fields),
        cmocka_unit_test(optional_fields_without_a_value_are_omitted),
        cmocka_unit_test(a_narrow_terminal_loses_columns_then_characters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
