/* SPDX-License-Identifier: MIT
 *
 * The counts and games of the official server and other programs, compared with our rules. Without the
 * vectors these tests are skipped with a message.
 */
#include "geister_support.h"

#include "game_support.h"
#include "golden_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* ---- counting ---- */

struct tally {
    uint64_t sequences, escapes; /* of one length; escapes with the last move */
};

static void count(const struct geister *s, int depth, struct tally *t) {
    action list[GEISTER_SETUPS];
    struct rng no_chance = {{0}};
    const int actions = geister_game.actions(s, list);
    for (int i = 0; i < actions; i++) {
        struct geister next = *s;
        geister_game.play(&next, list[i], &no_chance);
        if (depth > 1) {
            count(&next, depth - 1, t);
            continue;
        }
        t->sequences++;
        t->escapes += next.end == GEISTER_BY_ESCAPE;
    }
}

enum { DEPTH_MAX = 7, DEPTH_ONCE = 6, WORDS_MAX = 10, POSITIONS = 14 };

static void compare_start(const struct scenario *scenario, char **words, int words_count) {
    static const char *const reds[] = {"ABCD", "EFGH", "BCFG"};
    for (int depth = 1; depth <= DEPTH_MAX && depth < words_count; depth++)
        for (int i = 0; i < (depth < DEPTH_ONCE ? 3 : 1); i++) { /* colours make no difference */
            struct geister s;
            uint64_t nodes = 0;
            geister_begin(&s, scenario, reds[i], reds[2 - i]);
            assert_true(game_perft(&geister_game, &s, depth, NULL, &nodes));
            assert_int_equal(nodes, strtoull(words[depth], NULL, 10));
        }
}

static int by_places(const void *a, const void *b) {
    const struct geister *x = a, *y = b;
    return memcmp(x->where, y->where, sizeof x->where);
}

enum { DISTINCT_MAX = 60000 };

/* All positions after one more ply, each once. */
static int expand(const struct geister *level, int size, struct geister *out) {
    struct rng no_chance = {{0}};
    int made = 0, kept = 0;
    for (int i = 0; i < size; i++) {
        action list[GEISTER_SETUPS];
        const int actions = geister_game.actions(&level[i], list);
        assert_true(made + actions <= DISTINCT_MAX);
        for (int k = 0; k < actions; k++) {
            out[made] = level[i];
            geister_game.play(&out[made++], list[k], &no_chance);
        }
    }
    qsort(out, (size_t)made, sizeof *out, by_places);
    for (int i = 0; i < made; i++)
        if (kept == 0 || by_places(&out[kept - 1], &out[i]) != 0)
            out[kept++] = out[i];
    return kept;
}

static void compare_distinct(const struct scenario *scenario, char **words, int words_count) {
    struct geister *level = malloc(sizeof *level * DISTINCT_MAX), *next = malloc(sizeof *next * DISTINCT_MAX);
    assert_non_null(level);
    assert_non_null(next);
    int size = 1;
    geister_begin(&level[0], scenario, "ABCD", "ABCD");
    for (int depth = 1; depth < words_count; depth++) {
        size = expand(level, size, next);
        assert_int_equal(size, strtoul(words[depth], NULL, 10));
        struct geister *other = level;
        level = next;
        next = other;
    }
    free(level);
    free(next);
}

static void compare_position(const struct scenario *scenario, char **words, int words_count) {
    struct geister s;
    geister_place(&s, scenario, words[0], 100, words[1][0] - '0');
    for (int depth = 1; depth + 1 < words_count; depth++) {
        struct tally t = {0};
        unsigned long long sequences, escapes;
        count(&s, depth, &t);
        assert_int_equal(sscanf(words[depth + 1], "%llu/%llu", &sequences, &escapes), 2);
        if (t.sequences != sequences || t.escapes != escapes)
            fail_msg("%s, %s to move, depth %d: %llu/%llu, expected %s", words[0], words[1], depth,
                     (unsigned long long)t.sequences, (unsigned long long)t.escapes, words[depth + 1]);
    }
}

static void move_sequences_are_as_many(void **state) {
    (void)state;
    struct text file = {0};
    assert_true(geister_golden("perft.txt", &file));
    struct scenario *scenario = support_load("geister");
    int positions = 0;
    char *at = file.data;
    for (char *line; (line = golden_line(&at)) != NULL;) {
        char *words[WORDS_MAX];
        if (*line == '#' || *line == '\0')
            continue;
        const int words_count = text_split(line, ' ', words, WORDS_MAX);
        assert_in_range(words_count, 2, WORDS_MAX);
        if (strcmp(words[0], "initial") == 0)
            compare_start(scenario, words, words_count);
        else if (strcmp(words[0], "initial_distinct") == 0)
            compare_distinct(scenario, words, words_count);
        else
            compare_position(scenario, words, words_count);
        positions++;
    }
    assert_true(positions >= POSITIONS);
    game_unload(scenario);
    text_done(&file);
}

/* ---- whole games ---- */

enum { GAME_WORDS = 8, GAMES = 110 };

struct ending {
    const char *reason;
    enum geister_end end;
};

static const struct ending endings[] = {
    {"escape", GEISTER_BY_ESCAPE},
    {"blues_captured", GEISTER_BY_BLUES},
    {"reds_taken", GEISTER_BY_REDS},
    {"limit", GEISTER_BY_LIMIT},
};

static enum geister_end ending_named(const char *reason) {
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++)
        if (strcmp(endings[i].reason, reason) == 0)
            return endings[i].end;
    fail_msg("%s is no reason", reason);
    return GEISTER_NOT_ENDED;
}

/* id reds reds moves result reason plies board */
static void compare_game(const struct scenario *scenario, char **words) {
    struct geister s;
    char board[GEISTER_BOARD_CHARS + 1];
    geister_begin(&s, scenario, words[1], words[2]);
    geister_play_all(&s, words[3]);
    assert_int_equal(geister_game.mover(&s), NOBODY);
    assert_true(geister_game.valid(&s));
    assert_int_equal(s.winner, words[4][0] == 'D' ? 2 : words[4][0] - '0');
    assert_int_equal(s.end, ending_named(words[5]));
    assert_int_equal(s.ply, atoi(words[6]));
    geister_write_board(&s, 0, true, board);
    assert_string_equal(board, words[7]);
}

static void games_of_the_server_are_played(void **state) {
    (void)state;
    struct text file = {0};
    assert_true(geister_golden("random_games_200.txt", &file));
    struct scenario *scenario = support_load("geister");
    int games = 0;
    char *at = file.data;
    for (char *line; (line = golden_line(&at)) != NULL;) {
        char *words[GAME_WORDS];
        if (*line == '#')
            continue;
        assert_int_equal(text_split(line, ' ', words, GAME_WORDS), GAME_WORDS);
        compare_game(scenario, words);
        games++;
    }
    assert_true(games >= GAMES);
    game_unload(scenario);
    text_done(&file);
}

/* ---- every board string of ten games ---- */

/* Plays the next move of a game; the server's acknowledgement contains the taken piece. */
static void compare_answer(struct geister *s, char **moves, const char *line) {
    const int other = s->mover ^ 1, red = bits_count(s->red[other]), blue = bits_count(s->blue[other]);
    const char move[3] = {(*moves)[0], (*moves)[1], '\0'};
    *moves += 3;
    geister_play_all(s, move);
    const bool took_red = bits_count(s->red[other]) < red, took_blue = bits_count(s->blue[other]) < blue;
    assert_int_equal(line[2], took_red ? 'R' : took_blue ? 'B' : ' ');
}

/* The mover's view, which holds no more information than the server sends. */
static void compare_prompt(const struct geister *s, const char *board) {
    char own[GEISTER_BOARD_CHARS + 1];
    struct geister view = *s;
    geister_game.hide(&view, s->mover);
    geister_write_board(s, s->mover, false, own);
    assert_string_equal(own, board);
    geister_write_board(&view, s->mover, true, own);
    assert_string_equal(own, board);
}

/* "WIN0 0:BOARD 1:BOARD plies N": all is shown to both. */
static void compare_end(const struct geister *s, const char *line) {
    char board[GEISTER_BOARD_CHARS + 1];
    assert_int_equal(geister_game.mover(s), NOBODY);
    for (int side = 0; side < 2; side++) {
        const char *shown = strstr(line, side == 0 ? " 0:" : " 1:");
        assert_non_null(shown);
        geister_write_board(s, side, true, board);
        assert_memory_equal(board, shown + 3, GEISTER_BOARD_CHARS);
    }
}

/* One game of the file up to the next one; its moves are recorded. */
static void compare_plies(const struct scenario *scenario, char **words, char **at) {
    struct geister s;
    char *moves = words[3];
    int lines = 0;
    geister_begin(&s, scenario, words[1], words[2]);
    for (; **at != '\0' && strncmp(*at, "game ", 5) != 0; lines++) {
        char *line = golden_line(at);
        const char *prompt = strstr(line, "MOV?");
        if (lines > 0)
            compare_answer(&s, &moves, line);
        if (prompt != NULL)
            compare_prompt(&s, prompt + 4);
        else
            compare_end(&s, line);
    }
    assert_int_equal(lines, atoi(words[6]) + 1);
    assert_int_equal(geister_game.mover(&s), NOBODY);
}

static void boards_of_the_server_are_written(void **state) {
    (void)state;
    struct text games = {0}, plies = {0};
    assert_true(geister_golden("random_games_200.txt", &games));
    assert_true(geister_golden("plies_first_10_games.txt", &plies));
    struct scenario *scenario = support_load("geister");
    char *at = games.data, *plies_at = plies.data;
    int compared = 0;
    for (char *line; compared < 10 && (line = golden_line(&at)) != NULL;) {
        char *words[GAME_WORDS];
        if (*line == '#')
            continue;
        assert_int_equal(text_split(line, ' ', words, GAME_WORDS), GAME_WORDS);
        char *head = golden_line(&plies_at);
        while (head != NULL && strncmp(head, "game ", 5) != 0)
            head = golden_line(&plies_at);
        assert_non_null(head);
        assert_string_equal(head + 5, words[0]);
        compare_plies(scenario, words, &plies_at);
        compared++;
    }
    assert_int_equal(compared, 10);
    game_unload(scenario);
    text_done(&games);
    text_done(&plies);
}

int main(void) {
    enum { MESON_SKIPPED = 77 };
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(move_sequences_are_as_many),
        cmocka_unit_test(games_of_the_server_are_played),
        cmocka_unit_test(boards_of_the_server_are_written),
    };
    struct text file = {0};
    if (!geister_golden("perft.txt", &file))
        return MESON_SKIPPED;
    text_done(&file);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
