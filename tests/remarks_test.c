/* SPDX-License-Identifier: MIT
 *
 * Every sentence about a map, word by word; and that no sentence appears without support in the games.
 */
#include "base/numbers.h"
#include "evolve/judge.h"
#include "map_support.h"
#include "space_support.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const struct tbs_rules *const rules = &tbs_rule_sets[0];

/* ---- maps and judgements ---- */

/* Nothing to remark: two infantry a side that reach each other in three turns, plain. */
#define OPEN_ROWS "........ ........ ........"
#define OPEN_UNITS                                                                                           \
    "UNIT[1,1,infantry,0,10,0];UNIT[1,3,infantry,0,10,0];UNIT[8,1,infantry,1,10,0];UNIT[8,3,infantry,1,10,"  \
    "0];"

/* Ordinary games: 60% of them have an attack, ends are mixed, nothing happens in the first turn. */
static struct judgement ordinary(int games) {
    struct judgement j = {0};
    j.turns = 9LL * games;
    j.annihilated = games * 6 / 10;
    for (int side = 0; side < 2; side++)
        j.first_kills[side][0] = games;
    for (int unit = 0; unit < SAMPLE_MASK_UNITS; unit++)
        j.attacked[unit] = games * 6 / 10;
    return j;
}

/* Strong against weak, `games` a side, seven of ten won by strong, none drawn. */
static struct judgement contests(int games) {
    struct judgement j = ordinary(2 * games);
    for (int side = 0; side < 2; side++)
        j.strong[side] = (struct tally){games * 7 / 10, 0, games - games * 7 / 10};
    return j;
}

static void make(const char *rows, const char *units, const struct judgement *j, struct remarks *out) {
    static const struct judgement nothing = {0};
    struct tbs_map map;
    map_of_rows(rows, units, &map);
    remarks_make(&map, rules, j != NULL ? j : &nothing, out);
    for (int i = 1; i < out->count; i++)
        assert_true(out->items[i - 1].weight >= out->items[i].weight);
}

static int find(const struct remarks *r, const char *text) {
    for (int i = 0; i < r->count; i++)
        if (strcmp(r->items[i].text, text) == 0)
            return i;
    return -1;
}

static void show(const struct remarks *r) {
    for (int i = 0; i < r->count; i++)
        print_message("  %d %s\n", (int)r->items[i].weight, r->items[i].text);
}

static void expect(const struct remarks *r, enum remark_weight weight, const char *text) {
    const int at = find(r, text);
    if (at < 0 || r->items[at].weight != weight) {
        show(r);
        fail_msg("expected \"%s\"", text);
    }
}

/* No remark holds these words. */
static void expect_no(const struct remarks *r, const char *words) {
    for (int i = 0; i < r->count; i++)
        if (strstr(r->items[i].text, words) != NULL)
            fail_msg("did not expect \"%s\"", r->items[i].text);
}

/* ---- visible properties ---- */

struct seen_case {
    const char *rows, *units;
    enum remark_weight weight;
    const char *text;
};

#define INFANTRY_DUEL "UNIT[1,1,infantry,0,10,0];UNIT[6,1,infantry,1,10,0];"

static const struct seen_case seen_cases[] = {
    {"......", "UNIT[1,1,infantry,0,10,0];UNIT[2,1,fighter,1,10,0];UNIT[6,1,infantry,1,10,0];", REMARK_FAULT,
     "the blue fighter has no enemy it can attack"},
    {"...... ......",
     "UNIT[1,1,infantry,0,10,0];UNIT[3,2,fighter,1,10,0];UNIT[5,2,fighter,1,10,0];UNIT[6,1,infantry,1,10,0];",
     REMARK_FAULT, "the blue fighter at (3, 2) has no enemy it can attack"},
    {"......",
     "UNIT[1,1,infantry,0,10,0];UNIT[2,1,fighter,1,10,0];UNIT[3,1,fighter,1,10,0];UNIT[4,1,fighter,1,10,0];"
     "UNIT[5,1,fighter,1,10,0];UNIT[6,1,infantry,1,10,0];",
     REMARK_FAULT, "4 blue units have no enemy they can attack"},
    {"...... ...... ~~.... ..~... ..~... ..~...",
     "UNIT[1,1,infantry,0,10,0];UNIT[1,6,infantry,0,10,0];UNIT[6,1,infantry,1,10,0];", REMARK_FAULT,
     "the red infantry at (1, 6) can never reach an enemy"},
    {"...... ...... ^^.... .^....",
     "UNIT[1,1,infantry,0,10,0];UNIT[1,4,panzer,0,10,0];UNIT[6,1,infantry,1,10,0];", REMARK_FAULT,
     "the red panzer cannot leave its cell"},
    {"...... ...... ...... ..=... ......", INFANTRY_DUEL, REMARK_FAULT, "an isolated road at (3, 4)"},
    {"...... ...=.. ...... ..=... ......", INFANTRY_DUEL, REMARK_FAULT,
     "2 isolated roads at (4, 2) and (3, 4)"},
    {"...... ...=.. .=.... ..=... ......", INFANTRY_DUEL, REMARK_FAULT,
     "3 isolated roads at (4, 2), (2, 3) and (3, 4)"},
    {"..=.=. .=.=.. ......", INFANTRY_DUEL, REMARK_FAULT,
     "4 isolated roads at (3, 1), (5, 1), (2, 2) and (4, 2)"},
    {"..=.=. .=.=.= ......", INFANTRY_DUEL, REMARK_FAULT, "5 isolated roads"},
    {"...... ...... ====.. ......", INFANTRY_DUEL, REMARK_NOTE, "a road leads nowhere at (4, 3)"},
    {"...... ...... .===.. ......", INFANTRY_DUEL, REMARK_NOTE, "2 roads lead nowhere"},
    {"*^*^*^ ^*^*^* *^*^*^", INFANTRY_DUEL, REMARK_FAULT,
     "terrain is strewn: no woods or mountains hang together"},
    {"*^~**~ ~*^~^* ^~*^~* *^~~*^", INFANTRY_DUEL, REMARK_FAULT,
     "terrain is strewn: woods, mountains and sea hardly hang together"},
    {"...... .**... .*^^.. ..^^..", INFANTRY_DUEL, REMARK_GOOD, "woods and mountains lie in patches"},
    {"...... .~~... .~~... ......", INFANTRY_DUEL, REMARK_GOOD, "sea lies in patches"},
    {"..........", "UNIT[1,1,infantry,0,10,0];UNIT[10,1,infantry,1,10,0];", REMARK_GOOD,
     "no unit can attack in the first turn: there is time to take up positions"},
    {"...... ......",
     "UNIT[1,1,infantry,0,10,0];UNIT[2,1,infantry,0,10,0];UNIT[1,2,cannon,0,10,0];UNIT[3,1,panzer,1,10,0];",
     REMARK_NOTE, "3 of 3 red units can attack in the first turn"},
};

static void what_can_be_seen(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(seen_cases); i++) {
        const struct seen_case *c = &seen_cases[i];
        struct remarks r;
        make(c->rows, c->units, NULL, &r);
        expect(&r, c->weight, c->text);
    }
}

/* No attack in the first turn, nor later: a defect of the map. */
static void positions_without_attacks(void **state) {
    (void)state;
    struct remarks r;
    make("..~..", "UNIT[1,1,infantry,0,10,0];UNIT[5,1,infantry,1,10,0];", NULL, &r);
    assert_int_equal(r.count, 2);
    expect(&r, REMARK_FAULT, "the red infantry can never reach an enemy");
    expect(&r, REMARK_FAULT, "the blue infantry can never reach an enemy");
}

static void a_quiet_map_gets_no_fault(void **state) {
    (void)state;
    struct remarks r;
    make(OPEN_ROWS, OPEN_UNITS, NULL, &r);
    assert_int_equal(r.count, 1);
    expect(&r, REMARK_GOOD, "no unit can attack in the first turn: there is time to take up positions");
    const struct judgement j = contests(10);
    make(OPEN_ROWS, OPEN_UNITS, &j, &r);
    for (int i = 0; i < r.count; i++)
        assert_int_equal(r.items[i].weight, REMARK_GOOD);
}

/* ---- the winning side ---- */

static void whom_a_map_favours(void **state) {
    (void)state;
    struct remarks r;
    struct judgement j = ordinary(100);
    j.peers = (struct tally){91, 0, 9};
    make(OPEN_ROWS, OPEN_UNITS, &j, &r);
    expect(&r, REMARK_FAULT, "the side that moves first wins 91% of games between equals");
    j.peers = (struct tally){9, 0, 91};
    make(OPEN_ROWS, OPEN_UNITS, &j, &r);
    expect(&r, REMARK_FAULT, "the side that moves second wins 91% of games between equals");
    j.peers = (struct tally){72, 0, 28};
    make(OPEN_ROWS, OPEN_UNITS, &j, &r);
    expect(&r, REMARK_FAULT, "red is favoured: it scores 72% between equals");
    j.peers = (struct tally){34, 0, 66};
    make(OPEN_ROWS, OPEN_UNITS, &j, &r);
    expect(&r, REMARK_NOTE, "blue is favoured: it scores 66% between equals");
    j.peers = (struct tally){40, 20, 40};
    make(OPEN_ROWS, OPEN_UNITS, &j, &r);
    expect(&r, REMARK_GOOD, "neither side is favoured: red scores 50% between equals");
    j.peers = (struct tally){60, 0, 40}; /* 50% to 69%: nothing */
    make(OPEN_ROWS, OPEN_UNITS, &j, &r);
    expect_no(&r, "favoured");
}

/* Red's units are all done at the start: blue moves first. */
static void who_moves_first(void **state) {
    (void)state;
    struct remarks r;
    struct judgement j = ordinary(100);
    j.peers = (struct tally){9, 0, 91};
    make(OPEN_ROWS, "UNIT[1,1,infantry,0,10,1];UNIT[8,1,infantry,1,10,0];", &j, &r);
    expect(&r, REMARK_FAULT, "the side that moves first wins 91% of games between equals");
}

static void sides_and_strength(void **state) {
    (void)state;
    struct remarks r;
    struct judgement j = contests(50);
    j.strong[TBS_RED] = (struct tally){50, 0, 0};
    j.strong[TBS_BLUE] = (struct tally){2, 1, 47};
    make(OPEN_ROWS, OPEN_UNITS, &j, &r);
    expect(&r, REMARK_FAULT,
           "the weak player wins 94% of its games with red: the side decides, not the player");
    expect(&r, REMARK_FAULT, "red is favoured: it scores 98% with either player");
    expect(&r, REMARK_FAULT, "the strong player scores only 53% against the weak one: thinking hardly pays");
    expect_no(&r, "thinking pays");
    j.strong[TBS_RED] = (struct tally){48, 1, 1};
    j.strong[TBS_BLUE] = (struct tally){47, 0, 3};
    make(OPEN_ROWS, OPEN_UNITS, &j, &r);
    expect(&r, REMARK_GOOD, "the strong player wins 96% with red and 94% with blue: thinking pays");
    expect_no(&r, "the side decides");
}

/* Neither 0% nor 100% unless it is exact. */
static void rare_games_count(void **state) {
    (void)state;
    struct remarks r;
    struct judgement j = ordinary(400);
    j.peers = (struct tally){399, 0, 1};
    make(OPEN_ROWS, OPEN_UNITS, &j, &r);
    expect(&r, REMARK_FAULT, "the side that moves first wins 99% of games between equals");
    j.peers = (struct tally){400, 0, 0};
    make(OPEN_ROWS, OPEN_UNITS, &j, &r);
    expect(&r, REMARK_FAULT, "the side that moves first wins 100% of games between equals");
    j = contests(200);
    j.strong[TBS_RED] = (struct tally){0, 1, 199};
    j.strong[TBS_BLUE] = (struct tally){0, 0, 200};
    make(OPEN_ROWS, OPEN_UNITS, &j, &r);
    expect(&r, REMARK_FAULT, "the strong player scores only 1% against the weak one: thinking hardly pays");
    j.strong[TBS_RED] = j.strong[TBS_BLUE];
    make(OPEN_ROWS, OPEN_UNITS, &j, &r);
    expect(&r, REMARK_FAULT, "the strong player scores only 0% against the weak one: thinking hardly pays");
}

/* A wounded unit makes the armies unequal: then the advantage may not come from the first move. */
static void unlike_armies(void **state) {
    (void)state;
    struct remarks r;
    struct judgement j = ordinary(100);
    j.peers = (struct tally){91, 0, 9};
    make(OPEN_ROWS, "UNIT[1,1,infantry,0,10,0];UNIT[8,1,infantry,1,9,0];", &j, &r);
    expect(&r, REMARK_FAULT, "red is favoured: it wins 91% of games between equals");
    expect_no(&r, "whoever");
}

/* ---- how games go ---- */

#define SIX_A_SIDE                                                                                           \
    "UNIT[1,1,infantry,0,10,0];UNIT[1,2,infantry,0,10,0];UNIT[1,3,infantry,0,10,0];UNIT[2,1,infantry,0,10,"  \
    "0];"                                                                                                    \
    "UNIT[2,2,infantry,0,10,0];UNIT[2,3,infantry,0,10,0];UNIT[8,1,infantry,1,10,0];UNIT[8,2,infantry,1,10,"  \
    "0];"                                                                                                    \
    "UNIT[8,3,infantry,1,10,0];UNIT[7,1,infantry,1,10,0];UNIT[7,2,infantry,1,10,0];UNIT[7,3,infantry,1,10,"  \
    "0];"

struct kills_case {
    const char *units;
    int games, side, kills[7]; /* how many games with that many */
    enum remark_weight weight;
    const char *text; /* NULL: nothing */
};

static const struct kills_case kills_cases[] = {
    {SIX_A_SIDE,
     100,
     TBS_RED,
     {5, 2, 5, 48, 40},
     REMARK_FAULT,
     "red's first turn destroys 3 of 6 blue units in 88% of games"},
    {SIX_A_SIDE,
     100,
     TBS_BLUE,
     {5, 2, 93},
     REMARK_FAULT,
     "blue's first turn destroys 2 of 6 red units in 93% of games"},
    {SIX_A_SIDE,
     100,
     TBS_RED,
     {3, 97},
     REMARK_NOTE,
     "red's first turn destroys 1 of 6 blue units in 97% of games"},
    {SIX_A_SIDE,
     100,
     TBS_RED,
     {0, 100},
     REMARK_NOTE,
     "red's first turn destroys 1 of 6 blue units in every game"},
    {SIX_A_SIDE,
     100,
     TBS_RED,
     {0, 0, 0, 0, 0, 0, 100},
     REMARK_FAULT,
     "red's first turn destroys all 6 blue units in every game"},
    {SIX_A_SIDE, 100, TBS_RED, {30, 70}, REMARK_NOTE, NULL},       /* one of six is nothing */
    {SIX_A_SIDE, 100, TBS_RED, {60, 0, 0, 40}, REMARK_NOTE, NULL}, /* not in half of them */
    {SIX_A_SIDE, 10, TBS_RED, {4, 0, 0, 6}, REMARK_NOTE, NULL},    /* not sure after ten games */
    {SIX_A_SIDE,
     10,
     TBS_RED,
     {1, 0, 0, 9},
     REMARK_FAULT,
     "red's first turn destroys 3 of 6 blue units in 90% of games"},
    {"UNIT[1,1,infantry,0,10,0];UNIT[8,1,infantry,1,10,0];",
     100,
     TBS_BLUE,
     {1, 99},
     REMARK_FAULT,
     "blue's first turn destroys the only red unit in 99% of games"},
};

static void first_turns(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(kills_cases); i++) {
        const struct kills_case *c = &kills_cases[i];
        struct judgement j = contests(c->games / 2);
        struct remarks r;
        for (int kills = 0; kills < 7; kills++)
            j.first_kills[c->side][kills] = c->kills[kills];
        make(OPEN_ROWS, c->units, &j, &r);
        if (c->text != NULL)
            expect(&r, c->weight, c->text);
        else
            expect_no(&r, "first turn destroys");
    }
}

static void lengths(void **state) {
    (void)state;
    struct remarks r;
    struct judgement j = contests(50);
    j.turns = 210;
    make(OPEN_ROWS, OPEN_UNITS, &j, &r);
    expect(&r, REMARK_FAULT, "games end in 2.1 turns on average: there is no time to think");
    j = contests(50);
    j.annihilated = 13;
    make(OPEN_ROWS, OPEN_UNITS, &j, &r);
    expect(&r, REMARK_NOTE, "87% of games go to the turn limit");
    expect_no(&r, "time to think");
    j.annihilated = 0;
    make(OPEN_ROWS, OPEN_UNITS, &j, &r);
    expect(&r, REMARK_FAULT, "every game goes to the turn limit");
    j.annihilated = 45; /* 55 go there: 45% to 64% */
    make(OPEN_ROWS, OPEN_UNITS, &j, &r);
    expect_no(&r, "turn limit");
    j = contests(5); /* just enough for a mean */
    j.turns = 39;
    make(OPEN_ROWS, OPEN_UNITS, &j, &r);
    expect(&r, REMARK_FAULT, "games end in 3.9 turns on average: there is no time to think");
    j = contests(4); /* too few for a mean */
    j.turns = 16;
    make(OPEN_ROWS, OPEN_UNITS, &j, &r);
    expect_no(&r, "turns on average");
}

static void drawn_and_forfeited(void **state) {
    (void)state;
    struct remarks r;
    struct judgement j = ordinary(100);
    j.peers = (struct tally){25, 50, 25};
    make(OPEN_ROWS, OPEN_UNITS, &j, &r);
    expect(&r, REMARK_FAULT, "half of the games are drawn");
    j.peers = (struct tally){14, 72, 14};
    make(OPEN_ROWS, OPEN_UNITS, &j, &r);
    expect(&r, REMARK_FAULT, "72% of games are drawn");
    j.peers = (struct tally){0, 100, 0};
    make(OPEN_ROWS, OPEN_UNITS, &j, &r);
    expect(&r, REMARK_FAULT, "every game is drawn");
    j.peers = (struct tally){35, 30, 35};
    j.forfeits = 3;
    make(OPEN_ROWS, OPEN_UNITS, &j, &r);
    expect(&r, REMARK_NOTE, "30% of games are drawn");
    expect(&r, REMARK_NOTE, "3 of 100 games were forfeited: a player broke the rules");
    j.peers = (struct tally){40, 20, 40};
    j.forfeits = 1;
    make(OPEN_ROWS, OPEN_UNITS, &j, &r);
    expect_no(&r, "drawn");
    expect(&r, REMARK_NOTE, "1 of 100 games was forfeited: a player broke the rules");
}

#define MIXED                                                                                                \
    "UNIT[1,1,infantry,0,10,0];UNIT[1,3,cannon,0,10,0];UNIT[8,1,infantry,1,10,0];UNIT[8,3,infantry,1,10,0];"

static void attacks_of_units(void **state) {
    (void)state;
    struct remarks r;
    struct judgement j = contests(50);
    make(OPEN_ROWS, MIXED, &j, &r);
    expect(&r, REMARK_GOOD, "every unit fights: each attacks in 60% of games or more");
    j.attacked[1] = 4;
    j.attacked[3] = 0;
    make(OPEN_ROWS, MIXED, &j, &r);
    expect(&r, REMARK_NOTE, "the red cannon attacks in only 4% of games");
    expect(&r, REMARK_NOTE, "the blue infantry at (8, 3) never attacks");
    expect_no(&r, "every unit fights");
    j.attacked[1] = 20; /* 13% to 29% */
    make(OPEN_ROWS, MIXED, &j, &r);
    expect_no(&r, "cannon");
    j = contests(9); /* eighteen games are not enough */
    j.attacked[1] = 0;
    make(OPEN_ROWS, MIXED, &j, &r);
    expect_no(&r, "attacks");
    j = contests(10);
    memset(j.attacked, 0, sizeof j.attacked);
    make(OPEN_ROWS, SIX_A_SIDE, &j, &r);
    expect(&r, REMARK_NOTE, "6 blue units hardly ever attack");
}

/* ---- where each sentence begins ---- */

/* One letter for each number of `what` from 0 to 100: the index of the first of the words that a remark
 * holds, or
 * '.'; capital where that remark is a fault. */
typedef void set_count(struct judgement *j, int count);

static void sweep(const char *units, set_count *set, const char *const *words, char out[102]) {
    for (int count = 0; count <= 100; count++) {
        struct judgement j = ordinary(100);
        struct remarks r;
        set(&j, count);
        make(OPEN_ROWS, units, &j, &r);
        out[count] = '.';
        for (int i = 0; i < r.count && out[count] == '.'; i++)
            for (int word = 0; words[word] != NULL && out[count] == '.'; word++)
                if (strstr(r.items[i].text, words[word]) != NULL)
                    out[count] = (char)((r.items[i].weight == REMARK_FAULT ? 'A' : 'a') + word);
    }
    out[101] = '\0';
}

/* "12a 3." for twelve a and three dots. */
static void assert_runs(const char *letters, const char *expected) {
    char runs[600] = "";
    for (size_t at = 0; letters[at] != '\0';) {
        size_t size = 1;
        while (letters[at + size] == letters[at])
            size++;
        const size_t length = strlen(runs);
        snprintf(runs + length, sizeof runs - length, "%s%zu%c", at > 0 ? " " : "", size, letters[at]);
        at += size;
    }
    assert_string_equal(runs, expected);
}

static void set_peer_wins(struct judgement *j, int count) {
    j->peers = (struct tally){count, 0, 100 - count};
}

static void set_peer_wins_and_draws(struct judgement *j, int count) {
    j->peers = (struct tally){count / 2, 100 - count, count - count / 2};
}

static void set_peer_lead(struct judgement *j, int count) {
    j->peers = (struct tally){count, 100 - count, 0};
}

static void set_strong(struct judgement *j, int count) {
    for (int side = 0; side < 2; side++)
        j->strong[side] = (struct tally){count / 2, 0, 50 - count / 2};
}

static void set_strong_red(struct judgement *j, int count) {
    j->strong[TBS_RED] = (struct tally){count, 0, 100 - count};
}

static void set_short(struct judgement *j, int count) {
    set_strong(j, 70);
    j->turns = 350 + count;
}

static void set_annihilated(struct judgement *j, int count) {
    set_strong(j, 70);
    j->annihilated = count;
}

static void set_one_kill(struct judgement *j, int count) {
    set_strong(j, 70);
    j->first_kills[TBS_RED][0] = 100 - count;
    j->first_kills[TBS_RED][1] = count;
}

static void set_two_kills(struct judgement *j, int count) {
    set_strong(j, 70);
    j->first_kills[TBS_RED][0] = 100 - count;
    j->first_kills[TBS_RED][2] = count;
}

static void set_attacks(struct judgement *j, int count) {
    set_strong(j, 70);
    j->attacked[2] = count;
}

struct sweep_case {
    const char *units;
    set_count *set;
    const char *words[6], *runs;
};

static const struct sweep_case sweep_cases[] = {
    {OPEN_UNITS,
     set_peer_wins,
     {"the side that moves second", "blue is", "neither", "red is", "the side that moves first"},
     "22A 9B 5b 14. 1c 14. 5d 9D 22E"},
    {OPEN_UNITS,
     set_peer_lead,
     {"the side that moves second", "blue is", "neither", "red is", "the side that moves first"},
     "1c 29. 10d 39D 22E"},
    {OPEN_UNITS,
     set_peer_wins_and_draws,
     {"half of", "every game is drawn", "are drawn"},
     "1B 44C 10A 21c 25."},
    {OPEN_UNITS, set_strong, {"thinking pays", "hardly pays"}, "52B 12. 37a"},
    {OPEN_UNITS,
     set_strong_red,
     {"games with red: the", "games with blue: the", "thinking pays", "hardly pays"},
     "41B 60."},
    {OPEN_UNITS, set_short, {"turns on average"}, "50A 51."},
    {OPEN_UNITS, set_annihilated, {"every game goes", "to the turn limit"}, "1A 12B 28b 60."},
    {OPEN_UNITS, set_one_kill, {"turn destroys 1", "turn destroys"}, "50. 51A"},
    {SIX_A_SIDE, set_one_kill, {"turn destroys 1", "turn destroys"}, "90. 11a"},
    {SIX_A_SIDE, set_two_kills, {"turn destroys 1", "turn destroys"}, "50. 51B"},
    {OPEN_UNITS, set_attacks, {"never attacks", "attacks in only", "every unit fights"}, "1a 12b 26. 62c"},
};

static void where_each_sentence_begins(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(sweep_cases); i++) {
        const struct sweep_case *c = &sweep_cases[i];
        char letters[102];
        sweep(c->units, c->set, c->words, letters);
        assert_runs(letters, c->runs);
    }
}

/* A unit that can attack no enemy is not also reported as attacking seldom. */
static void one_remark_a_unit(void **state) {
    (void)state;
    struct remarks r;
    struct judgement j = contests(50);
    j.attacked[1] = 0;
    make(OPEN_ROWS, "UNIT[1,1,infantry,0,10,0];UNIT[1,3,fighter,0,10,0];UNIT[8,1,infantry,1,10,0];", &j, &r);
    expect(&r, REMARK_FAULT, "the red fighter has no enemy it can attack");
    expect_no(&r, "never attacks");
}

/* Ten games, five a side: a sentence appears only if all of them agree. */
static void ten_games_give_few_remarks(void **state) {
    (void)state;
    struct remarks r;
    struct judgement j = contests(5);
    j.strong[TBS_RED] = (struct tally){5, 0, 0};
    j.strong[TBS_BLUE] = (struct tally){4, 0, 1};
    make(OPEN_ROWS, OPEN_UNITS, &j, &r);
    assert_int_equal(r.count, 1); /* no unit can attack at once */
    j = ordinary(10);
    j.peers = (struct tally){7, 1, 2};
    make(OPEN_ROWS, OPEN_UNITS, &j, &r);
    assert_int_equal(r.count, 1);
    j.peers = (struct tally){10, 0, 0};
    make(OPEN_ROWS, OPEN_UNITS, &j, &r);
    expect(&r, REMARK_FAULT, "the side that moves first wins 100% of games between equals");
}

/* Remarks carry their arguments, and the cells they are about. */
static void remarks_are_data(void **state) {
    (void)state;
    static const char *const expected[] = {
        "{\"args\":[\"red\",\"fighter\",\"\",\"has no enemy it can "
        "attack\"],\"cells\":[[1,3]],\"code\":\"remark.no_prey\"",
        "{\"args\":[\"2\",\" at (3, 1) and (5, "
        "1)\"],\"cells\":[[3,1],[5,1]],\"code\":\"remark.isolated_roads\"",
    };
    struct remarks r;
    const struct judgement nothing_played = {0};
    make("..=.=... ........ ........",
         "UNIT[1,1,infantry,0,10,0];UNIT[1,3,fighter,0,10,0];UNIT[8,1,infantry,1,10,0];", &nothing_played,
         &r);
    json_t *list = remarks_json(&r);
    char *dump = json_dumps(list, JSON_COMPACT | JSON_SORT_KEYS);
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
        if (strstr(dump, expected[i]) == NULL)
            fail_msg("expected %s in %s", expected[i], dump);
    free(dump);
    json_decref(list);
}

/* 17 faults, 8 notes and two good things are one note and both good things too many. */
static void too_many_remarks(void **state) {
    (void)state;
    struct remarks r;
    struct judgement j = {.peers = {0, 100, 0}, .turns = 300, .forfeits = 1};
    j.strong[TBS_RED] = (struct tally){25, 0, 0};
    j.strong[TBS_BLUE] = (struct tally){0, 0, 25};
    j.first_kills[TBS_RED][6] = j.first_kills[TBS_BLUE][6] = 150;
    make("............ ............ =.=.=.=.=.=. ............ ...===...... ~~~~~~~~~~~~ ..~..~..~..~ "
         "~~~~~~~~~~~~ ..~..~..~..~",
         "UNIT[1,1,fighter,0,10,0];UNIT[2,1,fighter,0,10,0];UNIT[3,1,fighter,0,10,0];"
         "UNIT[4,1,infantry,0,10,0];UNIT[5,1,infantry,0,10,0];UNIT[6,1,infantry,0,10,0];"
         "UNIT[1,7,infantry,0,10,0];UNIT[4,7,infantry,0,10,0];UNIT[7,7,infantry,0,10,0];"
         "UNIT[4,3,infantry,1,10,0];UNIT[5,3,infantry,1,10,0];UNIT[6,3,infantry,1,10,0];"
         "UNIT[1,9,infantry,1,10,0];UNIT[4,9,infantry,1,10,0];UNIT[7,9,infantry,1,10,0];",
         &j, &r);
    assert_int_equal(r.count, REMARKS_MAX);
    for (int i = 0; i < r.count; i++)
        assert_int_equal(r.items[i].weight, i < 17 ? REMARK_FAULT : REMARK_NOTE);
    expect(&r, REMARK_FAULT,
           "the weak player wins 100% of its games with red: the side decides, not the player");
    expect(&r, REMARK_FAULT, "the blue infantry at (7, 9) can never reach an enemy");
    expect(&r, REMARK_FAULT, "6 isolated roads");
    expect(&r, REMARK_NOTE, "the red infantry at (6, 1) never attacks");
    expect_no(&r, "lead nowhere");
}

/* Few of `most`, or any number of them. */
static int draw_count(struct rng *r, int most) {
    return (int)rng_below(r, (uint32_t)(rng_below(r, 2) == 0 ? most / 8 + 1 : most + 1));
}

static void draw_tally(struct rng *r, int games, struct tally *out) {
    out->draws = draw_count(r, games);
    out->wins = draw_count(r, games - out->draws);
    out->losses = games - out->draws - out->wins;
}

static void draw_judgement(struct rng *r, struct judgement *j) {
    *j = (struct judgement){0};
    draw_tally(r, (int)rng_below(r, 3) * 40, &j->peers);
    for (int side = 0; side < 2; side++)
        draw_tally(r, (int)rng_below(r, 3) * 20, &j->strong[side]);
    const int games = judgement_games(j);
    j->turns = (long long)games * (2 + (int)rng_below(r, 16));
    j->annihilated = draw_count(r, games);
    j->forfeits = draw_count(r, games - j->annihilated);
    for (int side = 0; side < 2; side++)
        for (int kills = 0, left = games; kills <= JUDGEMENT_KILLS_MAX; kills++) {
            j->first_kills[side][kills] = kills < JUDGEMENT_KILLS_MAX ? draw_count(r, left) : left;
            left -= j->first_kills[side][kills];
        }
    for (int unit = 0; unit < SAMPLE_MASK_UNITS; unit++)
        j->attacked[unit] = draw_count(r, games);
}

/* All remarks about some hundred maps: the digest is the same with every compiler on every machine, and
 * changes only with an intended change of the remarks. */
static void remarks_of_many_maps(void **state) {
    (void)state;
    uint64_t digest = HASH_START;
    struct rng r;
    rng_seed(&r, 5);
    for (int i = 0; i < 400; i++) {
        struct space space = *space_named(i % 2 == 0 ? "patches" : "published");
        struct genome genome;
        struct tbs_map map;
        struct judgement j;
        struct remarks remarks;
        space.patches = i % 3 / 2.0;
        space.weight[TBS_PLAIN] += i % 5;
        genome_random(&space, &r, &genome);
        genome_to_map(&space, &genome, &map);
        draw_judgement(&r, &j);
        remarks_make(&map, rules, &j, &remarks);
        for (int k = 0; k < remarks.count; k++) {
            digest = hash_u64(digest, (uint64_t)remarks.items[k].weight);
            digest = hash_bytes(digest, remarks.items[k].text, strlen(remarks.items[k].text));
        }
    }
    if (digest != UINT64_C(0xd50b429c7df6c34c))
        fail_msg("the digest is 0x%016llx", (unsigned long long)digest);
}

/* ---- verdicts ---- */

struct verdict_case {
    double value, low, high;
    int games;
    const char *words;
};

static const struct verdict_case fairness_cases[] = {
    {0.50, 0.00, 1.00, 0, "fairness not measured"},
    {0.51, 0.46, 0.54, 400, "fair"},
    {0.51, 0.44, 0.58, 200, "about fair"},
    {0.54, 0.51, 0.57, 900, "about fair"},
    {0.50, 0.24, 0.76, 10, "not clear yet whether it is fair"},
    {0.60, 0.49, 0.70, 80, "not clear yet whether it is fair"},
    {0.58, 0.53, 0.63, 400, "leans to red"},
    {0.42, 0.37, 0.47, 400, "leans to blue"},
    {0.62, 0.57, 0.67, 400, "favours red"},
    {0.38, 0.33, 0.43, 400, "favours blue"},
    {0.90, 0.80, 0.95, 60, "favours red strongly"},
    {0.10, 0.05, 0.20, 60, "favours blue strongly"},
};

/* Values exactly on a bound: with a tolerance of 1/16 all arithmetic here is exact. */
static const struct verdict_case bound_cases[] = {
    {0.5, 0.4375, 0.5625, 400, "fair"},
    {0.5, 0.4375, 0.625, 400, "about fair"},
    {0.5, 0.375, 0.5625, 400, "about fair"},
    {0.4375, 0.375, 0.625, 400, "about fair"},
    {0.5625, 0.375, 0.625, 400, "about fair"},
    {0.625, 0.5, 0.625, 400, "not clear yet whether it is fair"},
    {0.375, 0.375, 0.5, 400, "not clear yet whether it is fair"},
    {0.625, 0.5625, 0.75, 400, "leans to red"},
    {0.375, 0.25, 0.4375, 400, "leans to blue"},
    {0.75, 0.625, 0.875, 400, "favours red"},
    {0.25, 0.125, 0.375, 400, "favours blue"},
};

static const struct verdict_case strength_cases[] = {
    {0.75, 0.5, 1.00, 1, "not clear yet whether strength tells"},
    {0.25, 0.00, 0.5, 1, "strength hardly tells"},
    {0.70, 0.60, 0.80, 90, "strength tells a little"},
    {0.90, 0.80, 0.95, 90, "strength tells"},
    {0.50, 0.40, 0.60, 90, "not clear yet whether strength tells"},
    {0.50, 0.00, 1.00, 0, "strength not measured"},
    {0.90, 0.82, 0.95, 60, "strength decides"},
    {0.75, 0.65, 0.82, 90, "strength tells"},
    {0.60, 0.52, 0.68, 120, "strength tells a little"},
    {0.52, 0.47, 0.57, 400, "strength hardly tells"},
    {0.40, 0.32, 0.48, 150, "the weaker player is better off"},
    {0.60, 0.31, 0.83, 10, "not clear yet whether strength tells"},
};

static void verdicts(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(fairness_cases); i++) {
        const struct verdict_case *c = &fairness_cases[i];
        const struct share share = {c->value, {c->low, c->high}, c->games};
        assert_string_equal(remarks_fairness(&share, 0.05), c->words);
    }
    for (size_t i = 0; i < COUNT(bound_cases); i++) {
        const struct verdict_case *c = &bound_cases[i];
        const struct share share = {c->value, {c->low, c->high}, c->games};
        assert_string_equal(remarks_fairness(&share, 0.0625), c->words);
    }
    for (size_t i = 0; i < COUNT(strength_cases); i++) {
        const struct verdict_case *c = &strength_cases[i];
        const struct share share = {c->value, {c->low, c->high}, c->games};
        assert_string_equal(remarks_strength(&share), c->words);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_can_be_seen),
        cmocka_unit_test(positions_without_attacks),
        cmocka_unit_test(a_quiet_map_gets_no_fault),
        cmocka_unit_test(whom_a_map_favours),
        cmocka_unit_test(who_moves_first),
        cmocka_unit_test(rare_games_count),
        cmocka_unit_test(unlike_armies),
        cmocka_unit_test(sides_and_strength),
        cmocka_unit_test(first_turns),
        cmocka_unit_test(lengths),
        cmocka_unit_test(drawn_and_forfeited),
        cmocka_unit_test(attacks_of_units),
        cmocka_unit_test(where_each_sentence_begins),
        cmocka_unit_test(one_remark_a_unit),
        cmocka_unit_test(ten_games_give_few_remarks),
        cmocka_unit_test(remarks_are_data),
        cmocka_unit_test(too_many_remarks),
        cmocka_unit_test(remarks_of_many_maps),
        cmocka_unit_test(verdicts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
