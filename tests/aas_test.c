/* SPDX-License-Identifier: MIT
 *
 * `aas`: sequences of attacks against a literal enumeration written a second time, and the player that plays
 * the best of them to the end of the turn.
 */
#include "search/turns.h"

#include "base/mem.h"
#include "game/game.h"
#include "player_support.h"
#include "sample.h"
#include "sequences_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

enum { POSITIONS = SAMPLE(300, 60) };

static struct sequences_settings settings_for(const struct game *game) {
    weights_default(game, literal_weights);
    return (struct sequences_settings){
        .list = game_list(game, "attacks"),
        .attacks = game_prior(game, "attacks"),
        .rest = SEQUENCES_STAY,
        .samples = 1,
        .order = game_prior(game, "damage"),
        .eval = game_eval(game, "linear"),
        .weights = literal_weights,
        .merge = true,
        .has_pass = true,
        .pass = TBS_PASS,
    };
}

static struct turns_result search(const struct position *p, const struct sequences_settings *settings,
                                  struct budget budget, struct thoughts *thoughts) {
    struct err e = {0};
    struct rng r;
    struct turns_result out;
    struct sequences *sequences =
        sequences_open(p->scenario->game, settings->merge ? (size_t)1 << 20 : 0, &e);
    assert_string_equal(e.text, "");
    rng_seed(&r, 7);
    const struct search_task task = {
        .game = p->scenario->game, .root = p->state, .budget = budget, .rng = &r, .thoughts = thoughts};
    if (thoughts != NULL)
        thoughts_start(thoughts);
    sequences_search(sequences, &task, settings, &out);
    sequences_close(sequences);
    return out;
}

/* ---- positions ---- */

/* The next position near contact, on the table asked for. */
static struct scenario *draw_position(uint64_t *seed, enum tbs_path path, struct position *p) {
    for (;; ++*seed) {
        struct rng r;
        struct tbs_map map;
        rng_seed(&r, *seed);
        draw_map(&r, &map);
        struct scenario *scenario = make_scenario(&map, path);
        if (walk(p, scenario, (int)rng_below(&r, 20), &r)) {
            ++*seed;
            return scenario;
        }
        game_unload(scenario);
    }
}

/* ---- the search ---- */

static void sequences_are_all_there(void **state) {
    (void)state;
    static struct literal l;
    int compared = 0, longer = 0, merged = 0, limited = 0;
    uint64_t seed = 1;
    while (compared < POSITIONS) {
        struct position p;
        struct scenario *scenario = draw_position(&seed, seed % 2 == 0 ? TBS_PATH_SMALL : TBS_PATH_WIDE, &p);
        for (int length = 0; length <= 3; length++) {
            struct sequences_settings s = settings_for(scenario->game);
            if (!literal_enumerate(&l, &p, length == 0 ? -1 : length))
                break;
            s.length = length;
            s.merge = false;
            const struct turns_result all = search(&p, &s, (struct budget){0}, NULL);
            assert_int_equal(all.sequences, l.sequences);
            assert_int_equal(all.positions, l.sequences);
            assert_int_equal(all.result.work, l.sequences);
            assert_true(same(all.result.value, l.best));
            assert_true(same(literal_realise(&l, &p, &all.line), l.best));
            s.merge = true;
            const struct turns_result once = search(&p, &s, (struct budget){0}, NULL);
            assert_int_equal(once.sequences, l.sequences); /* counted, though not walked */
            assert_int_equal(once.positions, literal_different_keys(&l));
            assert_true(same(once.result.value, l.best));
            assert_true(same(literal_realise(&l, &p, &once.line), l.best));
            assert_memory_equal(&once.line, &all.line, sizeof(int) + (size_t)all.line.count * sizeof(action));
            compared += length == 0;
            longer += length == 0 && l.sequences > 50;
            merged += once.positions < all.positions;
            limited += length > 0 && all.line.count > 1;
        }
        game_unload(scenario);
    }
    assert_true(longer >= POSITIONS / 15 && merged >= POSITIONS / 15 && limited >= POSITIONS / 15);
}

/* With a material evaluation, random completions reach the value of staying, because every prefix is
 * enumerated; the announced line is the one that is played. */
static void completions_reach_their_value(void **state) {
    (void)state;
    static struct literal l;
    uint64_t seed = 1000;
    for (int i = 0; i < POSITIONS; i++) {
        struct position p;
        struct scenario *scenario = draw_position(&seed, TBS_PATH_SMALL, &p);
        struct sequences_settings s = settings_for(scenario->game);
        if (literal_enumerate(&l, &p, -1)) {
            double values[3];
            for (int rest = 0; rest < 3; rest++) {
                s.rest = (enum sequences_rest)rest;
                s.samples = rest == SEQUENCES_RANDOM ? 3 : 1;
                const struct turns_result found = search(&p, &s, (struct budget){0}, NULL);
                values[rest] = found.result.value;
                assert_true(same(literal_realise(&l, &p, &found.line), values[rest]));
            }
            assert_true(same(values[SEQUENCES_STAY], l.best));
            /* Greedy units may move out of the way and attack after all: never worse than staying. */
            assert_true(values[SEQUENCES_GREEDY] >= l.best);
        }
        game_unload(scenario);
    }
}

/* Without randomness merging changes nothing, also for evaluations in which moves matter. */
static void merging_changes_nothing(void **state) {
    (void)state;
    static struct literal l;
    uint64_t seed = 2000;
    for (int i = 0; i < 40; i++) {
        struct position p;
        struct scenario *scenario = draw_position(&seed, seed % 2 == 0 ? TBS_PATH_SMALL : TBS_PATH_WIDE, &p);
        struct sequences_settings s = settings_for(scenario->game);
        const bool few = literal_enumerate(&l, &p, -1) && l.sequences < 300;
        for (int k = 0; k < 4 && few; k++) {
            s.eval = game_eval(scenario->game, k < 2 ? "threat" : "linear");
            s.moves_matter = k < 2;
            s.rest = k % 2 == 0 ? SEQUENCES_GREEDY : SEQUENCES_STAY;
            s.merge = true;
            const struct turns_result merged = search(&p, &s, (struct budget){0}, NULL);
            s.merge = false;
            const struct turns_result all = search(&p, &s, (struct budget){0}, NULL);
            assert_true(same(merged.result.value, all.result.value));
            assert_int_equal(merged.sequences, all.sequences);
            assert_true(merged.result.work <= all.result.work);
            assert_int_equal(merged.line.count, all.line.count);
            assert_memory_equal(merged.line.actions, all.line.actions,
                                (size_t)all.line.count * sizeof(action));
        }
        game_unload(scenario);
    }
}

/* A table with a single place merges little, but the answer is the same. */
static void a_full_table_is_no_error(void **state) {
    (void)state;
    static struct literal l;
    uint64_t seed = 1;
    int checked = 0;
    while (checked < 10) {
        struct position p;
        struct scenario *scenario = draw_position(&seed, TBS_PATH_SMALL, &p);
        if (literal_enumerate(&l, &p, -1) && l.sequences > 200) {
            struct err e;
            struct rng r;
            struct turns_result out;
            const struct sequences_settings s = settings_for(scenario->game);
            struct sequences *tiny = sequences_open(scenario->game, 1, &e);
            rng_seed(&r, 1);
            const struct search_task task = {.game = scenario->game, .root = p.state, .rng = &r};
            for (int again = 0; again < 2; again++) { /* emptied between searches */
                sequences_search(tiny, &task, &s, &out);
                assert_int_equal(out.sequences, l.sequences);
                assert_true(out.positions <= (uint64_t)l.sequences);
                assert_true(same(out.result.value, l.best));
            }
            sequences_close(tiny);
            checked++;
        }
        game_unload(scenario);
    }
}

/* ---- positions made by hand ---- */

#define FIELD                                                                                                \
    "SIZEX[7];SIZEY[5];TURNLIMIT[20];HPTHRESHOLD[0];"                                                        \
    "MAP[0,0,0,0,0,0,0];MAP[0,1,1,1,1,1,0];MAP[0,1,1,1,1,1,0];MAP[0,1,1,1,1,1,0];MAP[0,0,0,0,0,0,0];"

/* The last turn, 10 HP against 4 + 10. Killing the fighter is worth more by these values but only draws (10
 * to 10); hurting the cannon, 570 / 110 = 5 HP, wins (10 to 9). */
static void won_games_beat_all(void **state) {
    (void)state;
    struct position p;
    struct scenario *scenario =
        load_position("SIZEX[5];SIZEY[3];TURNLIMIT[1];HPTHRESHOLD[0];MAP[0,0,0,0,0];MAP[0,1,1,1,0];"
                      "MAP[0,0,0,0,0];UNIT[2,1,antiair,0,10,0];UNIT[1,1,fighter,1,4,0];"
                      "UNIT[3,1,cannon,1,10,0];",
                      &p);
    struct sequences_settings s = settings_for(scenario->game);
    literal_weights[TBS_CANNON] = 0.125;
    const struct turns_result found = search(&p, &s, (struct budget){0}, NULL);
    assert_int_equal(tbs_action_target(found.result.chosen), 2);
    assert_true(same(found.result.value, SEQUENCES_WIN + 10 - 4 - 5 * 0.125));
    game_unload(scenario);
}

/* The fighter, which cannot hurt the cannon, stands on the only cell from which the anti-air could attack it.
 * A greedy rest may move it away first and attack then; a random one only moves where no enemy could attack
 * it. */
static void greedy_units_may_make_way(void **state) {
    (void)state;
    static struct literal l;
    struct position p;
    struct scenario *scenario =
        load_position("SIZEX[6];SIZEY[4];TURNLIMIT[9];HPTHRESHOLD[0];MAP[0,0,0,0,0,0];MAP[0,1,1,1,1,0];"
                      "MAP[0,2,2,2,0,0];MAP[0,0,0,0,0,0];UNIT[2,1,antiair,0,10,0];UNIT[3,1,fighter,0,10,0];"
                      "UNIT[4,1,cannon,1,10,0];",
                      &p);
    int gained = 0, kept = 0;
    for (int seed = 1; seed <= 40; seed++) {
        for (int greedy = 0; greedy < 2; greedy++) {
            struct player *player = open_player(greedy ? "aas:rest=greedy" : "aas", &tbs_game);
            const double value = ask_player(player, &p, (uint64_t)seed, NULL).value;
            assert_true(greedy ? value >= 10 : same(value, 10));
            gained += value > 10;
            kept += greedy && same(value, 10);
            player_close(player);
        }
    }
    assert_true(gained > 5 && kept > 5);
    assert_true(literal_enumerate(&l, &p, -1));
    assert_int_equal(l.sequences, 1);
    game_unload(scenario);
}

static void without_attacks_there_is_one_sequence(void **state) {
    (void)state;
    struct position p;
    struct thoughts thoughts = {0};
    struct scenario *scenario = load_position(
        FIELD "UNIT[1,1,infantry,0,10,0];UNIT[1,2,infantry,0,5,0];UNIT[5,3,fighter,1,10,0];", &p);
    struct sequences_settings s = settings_for(scenario->game);
    s.rest = SEQUENCES_RANDOM;
    const struct turns_result found = search(&p, &s, (struct budget){0}, &thoughts);
    assert_int_equal(found.sequences, 1);
    assert_int_equal(found.result.work, 1);
    assert_int_equal(found.line.count, 2);
    assert_true(same(found.result.value, 5));
    assert_int_equal(thoughts.count, 1);
    assert_int_equal(thoughts.candidates[0].action, found.result.chosen);
    assert_int_equal(thoughts.candidates[0].line_count, 2);
    game_unload(scenario);
}

/* ---- budgets, thoughts ---- */

/* A position with many sequences, by the literal count. */
static struct scenario *rich_position(struct position *p) {
    return load_position(
        "SIZEX[10];SIZEY[10];TURNLIMIT[20];HPTHRESHOLD[0];"
        "UNIT[3,3,panzer,0,10,0];UNIT[4,3,panzer,0,9,0];UNIT[5,3,antiair,0,10,0];UNIT[6,3,infantry,0,10,0];"
        "UNIT[3,2,cannon,0,10,0];UNIT[6,2,attacker,0,10,0];"
        "UNIT[3,5,panzer,1,10,0];UNIT[4,5,infantry,1,10,0];UNIT[6,5,antiair,1,10,0];"
        "MAP[0,0,0,0,0,0,0,0,0,0];MAP[0,1,1,1,1,1,1,1,1,0];MAP[0,1,1,1,1,1,1,1,1,0];"
        "MAP[0,1,1,1,1,1,1,1,1,0];MAP[0,1,3,1,1,4,1,1,1,0];MAP[0,1,1,1,1,1,1,1,1,0];"
        "MAP[0,1,1,1,1,1,1,1,1,0];MAP[0,1,1,1,1,1,1,1,1,0];MAP[0,1,1,1,1,1,1,1,1,0];"
        "MAP[0,0,0,0,0,0,0,0,0,0];",
        p);
}

static void budgets_are_not_exceeded(void **state) {
    (void)state;
    struct position p;
    struct scenario *scenario = rich_position(&p);
    struct sequences_settings s = settings_for(scenario->game);
    static const uint64_t works[] = {1, 2, 10, 1000};
    double before = -1e9;
    for (int i = 0; i < 4; i++) {
        const struct turns_result found = search(&p, &s, (struct budget){.work_max = works[i]}, NULL);
        assert_int_equal(found.result.work, works[i]);
        assert_true(found.result.value >= before); /* the same order, only longer */
        before = found.result.value;
    }
    const atomic_bool stop = true;
    const struct turns_result stopped = search(&p, &s, (struct budget){.stop = &stop}, NULL);
    assert_int_equal(stopped.result.work, BUDGET_CLOCK_EVERY);
    game_unload(scenario);
}

/* A clock that advances by one millisecond at each reading. */
static int64_t ticking(void *self) {
    int64_t *now = self;
    return *now += 1000000;
}

static void time_limits_hold(void **state) {
    (void)state;
    struct position p;
    int64_t now = 0;
    const struct clock clock = {.now_ns = ticking, .self = &now};
    struct scenario *scenario = rich_position(&p);
    struct sequences_settings s = settings_for(scenario->game);
    const struct turns_result found =
        search(&p, &s, (struct budget){.time_ns_max = 5000000, .clock = &clock}, NULL);
    assert_int_equal(found.result.work, 5 * BUDGET_CLOCK_EVERY); /* started at 1 ms, seen at 2, 3, 4, 5, 6 */
    game_unload(scenario);
}

static void thoughts_are_sorted_and_whole(void **state) {
    (void)state;
    struct position p;
    static struct thoughts merged, all;
    struct scenario *scenario = rich_position(&p);
    struct sequences_settings s = settings_for(scenario->game);
    s.length = 3;
    const struct turns_result found = search(&p, &s, (struct budget){0}, &merged);
    assert_int_equal(merged.candidates[0].action, found.result.chosen);
    assert_true(same(merged.candidates[0].value, found.result.value));
    assert_int_equal(merged.candidates[0].line_count, found.line.count);
    assert_int_equal(merged.nodes, found.result.work);
    assert_true(merged.count > 5);
    s.merge = false;
    search(&p, &s, (struct budget){0}, &all);
    uint64_t visits = 1; /* the empty sequence */
    assert_int_equal(all.count, merged.count);
    for (int i = 0; i < merged.count; i++) {
        const struct thought *t = &merged.candidates[i];
        assert_true(i == 0 || t->value <= merged.candidates[i - 1].value);
        assert_int_equal(t->line[0], t->action);
        visits += t->visits;
        bool found_again = false; /* merging credits each first attack with all its continuations */
        for (int k = 0; k < all.count; k++)
            found_again = found_again ||
                          (all.candidates[k].action == t->action && all.candidates[k].visits == t->visits &&
                           same(all.candidates[k].value, t->value));
        assert_true(found_again);
    }
    assert_int_equal(visits, found.sequences);
    game_unload(scenario);
}

struct shown {
    int times;
    uint64_t nodes;
};

static void note(void *context, const struct thoughts *so_far) {
    struct shown *shown = context;
    shown->times++;
    assert_true(so_far->nodes > shown->nodes);
    assert_true(so_far->count > 0);
    shown->nodes = so_far->nodes;
}

static void watchers_get_reports(void **state) {
    (void)state;
    struct position p;
    static struct thoughts thoughts;
    struct shown shown = {0};
    int64_t now = 0;
    const struct clock clock = {.now_ns = ticking, .self = &now};
    const struct watch watch = {.show = note, .context = &shown, .every_ns = 10000000};
    struct scenario *scenario = rich_position(&p);
    const struct sequences_settings s = settings_for(scenario->game);
    struct err e;
    struct rng r;
    struct turns_result out;
    struct sequences *sequences = sequences_open(scenario->game, 1 << 20, &e);
    rng_seed(&r, 1);
    const struct search_task task = {.game = scenario->game,
                                     .root = p.state,
                                     .budget = {.work_max = 2000, .clock = &clock},
                                     .rng = &r,
                                     .thoughts = &thoughts,
                                     .watch = &watch};
    sequences_search(sequences, &task, &s, &out);
    assert_true(shown.times >= 2 && shown.times <= (int)(now / watch.every_ns));
    sequences_close(sequences);
    game_unload(scenario);
}

/* ---- the player ---- */

/* Asks again as a referee does: one generator for the game, decisions counted. */
static struct answer ask_in_turn(struct player *player, const struct position *p, int taken, struct rng *r) {
    const struct game *game = p->scenario->game;
    const struct ask ask = {.game = game, .view = p->state, .taken = taken, .rng = r};
    struct answer answer;
    player_choose_in(player, &ask, &answer);
    return answer;
}

static void turns_are_played_to_the_end(void **state) {
    (void)state;
    static struct literal l;
    static const char *const specs[] = {"aas", "aas:rest=stay", "aas:rest=greedy,merge=no", "aas:samples=4",
                                        "aas:length=2,rest=stay"};
    uint64_t seed = 3000;
    for (int i = 0; i < 100; i++) {
        struct position p;
        struct scenario *scenario = draw_position(&seed, seed % 2 == 0 ? TBS_PATH_SMALL : TBS_PATH_WIDE, &p);
        const struct game *game = scenario->game;
        weights_default(game, literal_weights);
        const char *spec = specs[i % 5];
        if (literal_enumerate(&l, &p, i % 5 == 4 ? 2 : -1)) {
            struct player *player = open_player(spec, game);
            struct position now = p;
            struct rng r;
            rng_seed(&r, seed);
            double promised = 0;
            for (int taken = 0; game->mover(now.state) == l.side && game->turn(now.state) == l.turn;
                 taken++) {
                const struct answer answer = ask_in_turn(player, &now, taken, &r);
                promised = taken == 0 ? answer.value : promised;
                assert_true(same(answer.value, promised));
                assert_true(taken == 0 ? answer.work_done > 0 : answer.work_done == 0);
                assert_true(game->is_legal(now.state, answer.chosen));
                game->play(now.state, answer.chosen, &r);
            }
            assert_true(same(literal_value(&l, now.state), promised));
            assert_true(promised >= l.best);
            player_close(player);
        }
        game_unload(scenario);
    }
}

static void values_and_evaluations_matter(void **state) {
    (void)state;
    struct position p;
    /* An anti-air between a fighter and an infantry, both with few HP: it kills the one with the higher
     * value. */
    struct scenario *scenario =
        load_position(FIELD "UNIT[3,2,antiair,0,10,0];UNIT[1,2,fighter,1,3,0];UNIT[5,2,infantry,1,4,0];", &p);
    struct player *infantry = open_player("aas", &tbs_game),
                  *fighter = open_player("aas:values=I:0.2", &tbs_game),
                  *threat = open_player("aas:eval=threat", &tbs_game);
    assert_int_equal(tbs_action_target(ask_player(infantry, &p, 1, NULL).chosen), 2);
    assert_int_equal(tbs_action_target(ask_player(fighter, &p, 1, NULL).chosen), 1);
    assert_true(same(ask_player(infantry, &p, 1, NULL).value, 7));
    assert_true(same(ask_player(threat, &p, 1, NULL).value, 7)); /* the fighter cannot hurt it */
    player_close(infantry);
    player_close(fighter);
    player_close(threat);
    game_unload(scenario);
}

static void options_are_explained(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"aas:values=X:1", "aas: value 'X' is unknown; known are F, A, P, U, R, I, threat"},
        {"aas:eval=best", "aas: eval=best is unknown; expected one of linear|threat"},
        {"aas:length=65", "aas: length=65: expected a whole number from 0 to 64"},
    };
    struct err e;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_null(player_open(cases[i][0], &tbs_game, &e));
        assert_string_equal(e.text, cases[i][1]);
    }
    struct game other = tbs_game;
    other.name = "other";
    other.offer = NULL;
    assert_null(player_open("aas:rest=stay", &other, &e));
    assert_string_equal(e.text, "aas: rest=stay: in other a turn cannot be ended");
    other = tbs_game;
    other.evals = NULL;
    assert_null(player_open("aas", &other, &e));
    assert_string_equal(e.text, "aas: tbs has no evaluation");
}

/* Games without an action that ends the turn are completed by moves. */
static void a_pass_is_not_needed(void **state) {
    (void)state;
    static struct literal l;
    uint64_t seed = 4000;
    for (int i = 0; i < 50; i++) {
        struct position p;
        struct scenario *scenario = draw_position(&seed, TBS_PATH_SMALL, &p);
        struct sequences_settings s = settings_for(scenario->game);
        s.rest = SEQUENCES_RANDOM;
        s.has_pass = false;
        if (literal_enumerate(&l, &p, -1) && l.turn + 1 < tbs_map_of(p.state)->turn_limit) {
            const struct turns_result found = search(&p, &s, (struct budget){0}, NULL);
            assert_true(same(literal_realise(&l, &p, &found.line), found.result.value));
        }
        game_unload(scenario);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sequences_are_all_there),
        cmocka_unit_test(completions_reach_their_value),
        cmocka_unit_test(merging_changes_nothing),
        cmocka_unit_test(a_full_table_is_no_error),
        cmocka_unit_test(won_games_beat_all),
        cmocka_unit_test(greedy_units_may_make_way),
        cmocka_unit_test(without_attacks_there_is_one_sequence),
        cmocka_unit_test(budgets_are_not_exceeded),
        cmocka_unit_test(time_limits_hold),
        cmocka_unit_test(thoughts_are_sorted_and_whole),
        cmocka_unit_test(watchers_get_reports),
        cmocka_unit_test(turns_are_played_to_the_end),
        cmocka_unit_test(values_and_evaluations_matter),
        cmocka_unit_test(options_are_explained),
        cmocka_unit_test(a_pass_is_not_needed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
