/* SPDX-License-Identifier: MIT
 *
 * The external player against programs that behave and that do not: every way to misbehave has its ruling,
 * nothing is left of the program afterwards, and an honest one plays as if it were one of ours.
 */
#include "player/player.h"

#include "base/clock.h"
#include "game/tbs/tbs.h"
#include "link/link.h"
#include "outside_support.h"
#include "protocol/session.h"

#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

static struct clock clock_now;

static const char duel[] = "SIZEX[8];SIZEY[4];TURNLIMIT[12];HPTHRESHOLD[0];UNITNUMRED[2];UNITNUMBLUE[2];\n"
                           "UNIT[1,1,infantry,0,10,0];UNIT[1,2,panzer,0,10,0];\n"
                           "UNIT[6,1,infantry,1,10,0];UNIT[6,2,panzer,1,10,0];\n"
                           "MAP[0,0,0,0,0,0,0,0];MAP[0,1,1,1,1,1,1,0];MAP[0,1,1,1,1,1,1,0];"
                           "MAP[0,0,0,0,0,0,0,0];";

/* ---- a game as a referee would keep it ---- */

enum { GAME_MAX = 400 };

struct table {
    struct scenario *scenario;
    action played[GAME_MAX];
    int count, taken, turn;
    uint64_t id;
    struct rng rng[2];
    struct ask_time time;
    struct budget budget;
    _Alignas(16) unsigned char state[GAME_STATE_MAX];
};

static void sit_down(struct table *t, uint64_t id) {
    struct err e = {0};
    const struct game_source source = {.name = "duel", .text = duel, .size = strlen(duel)};
    if (t->scenario == NULL)
        t->scenario = tbs_game.load(&source, &e);
    assert_string_equal(e.text, "");
    t->id = id;
    t->count = t->taken = t->turn = 0;
    t->budget.clock = &clock_now;
    for (int side = 0; side < 2; side++)
        rng_seed_stream(&t->rng[side], id, (uint64_t)side + 1);
    t->scenario->game->start(t->state, t->scenario, &t->rng[0]);
}

static void get_up(struct table *t) {
    t->scenario->game->unload(t->scenario);
    t->scenario = NULL;
}

static action played_at(const void *from, int index) {
    return ((const struct table *)from)->played[index];
}

static struct answer ask_at(struct table *t, struct player *player) {
    const struct game *game = t->scenario->game;
    const int side = game->mover(t->state);
    const struct course course = {t->scenario, t->id, t->count, played_at, t};
    const struct ask ask = {.game = game,
                            .view = t->state,
                            .side = side,
                            .taken = t->taken,
                            .budget = t->budget,
                            .time = t->time,
                            .rng = &t->rng[side],
                            .course = &course};
    struct answer answer;
    player_choose(player, &ask, &answer);
    return answer;
}

static void play_at(struct table *t, action chosen) {
    const struct game *game = t->scenario->game;
    assert_true(t->count < GAME_MAX);
    assert_true(game->is_legal(t->state, chosen));
    t->played[t->count++] = chosen;
    game->play(t->state, chosen, NULL);
    t->taken = game->turn(t->state) == t->turn ? t->taken + 1 : 0;
    t->turn = game->turn(t->state);
}

/* A whole game; stops at the first fault and returns it. */
static struct answer play_game(struct table *t, struct player *red, struct player *blue) {
    struct answer answer = {0};
    for (int side; (side = t->scenario->game->mover(t->state)) != NOBODY;) {
        answer = ask_at(t, side == 0 ? red : blue);
        if (answer.fault != PLAYER_FAULT_NONE)
            break;
        play_at(t, answer.chosen);
    }
    return answer;
}

static struct player *open_spec(const char *spec) {
    struct err e = {0};
    struct player *player = player_open(spec, &tbs_game, &e);
    assert_string_equal(e.text, "");
    assert_non_null(player);
    return player;
}

/* "ext:cmd=saboteur MODE" with more options behind it. */
static struct player *open_saboteur(const char *mode, const char *more) {
    char spec[SPEC_TEXT_MAX];
    snprintf(spec, sizeof spec, "ext:cmd=[%s %s]%s", outside_saboteur(), mode, more);
    return open_spec(spec);
}

/* Processes that only tests start; all descend from this one. */
static int saboteurs(void) {
    return outside_processes_named("saboteur") + outside_processes_named("sleep");
}

static void expect_gone(void) {
    assert_int_equal(saboteurs(), 0);
    assert_int_equal(outside_zombies(), 0);
}

/* ---- spec strings ---- */

static void expect_refused(const char *spec, const char *why) {
    struct err e = {0};
    assert_false(player_check(spec, NULL, &e));
    if (strstr(e.text, why) == NULL)
        fail_msg("%s: '%s' does not say '%s'", spec, e.text, why);
}

static void specs(void **state) {
    (void)state;
    struct err e = {0};
    struct text canonical = {0};
    assert_true(player_check("ext:cmd=./bot --level 3", &canonical, &e));
    assert_string_equal(text_string(&canonical), "ext:cmd=./bot --level 3");
    text_clear(&canonical);
    assert_true(player_check("ext:cmd=[./bot a,b],turn=yes,timeout=60000", &canonical, &e));
    assert_string_equal(text_string(&canonical), "ext:cmd=[./bot a,b],turn=yes");
    text_done(&canonical);
    assert_true(player_check("ext:host=10.0.0.5,port=5000", NULL, &e));
    assert_true(player_check("ext:listen=5000,wait=3", NULL, &e));
    assert_true(player_check("ext:listen=127.0.0.1:5000", NULL, &e));
    assert_true(player_check("ext:cmd=bot,options=[level=3;name=a b]", NULL, &e));
    assert_true(player_check("first:player=[ext:cmd=bot],then=random", NULL, &e));
    expect_refused("ext", "expected one of cmd=COMMAND");
    expect_refused("ext:cmd=a,host=b,port=3", "not several");
    expect_refused("ext:host=b", "host and port");
    expect_refused("ext:cmd=a,port=4", "host and port");
    expect_refused("ext:listen=0", "expected a port");
    expect_refused("ext:listen=a:b", "expected a port");
    expect_refused("ext:cmd=a,options=[level]", "expected NAME=VALUE");
    expect_refused("ext:cmd=a,options=[=3]", "expected NAME=VALUE");
    char spec[SPEC_TEXT_MAX] = "ext:cmd=";
    memset(spec + 8, 'x', PARAM_TEXT_MAX);
    spec[8 + PARAM_TEXT_MAX] = '\0';
    expect_refused(spec, "too long");
}

/* Whoever talks to us over a network must not start programs here. */
static void strangers_start_nothing(void **state) {
    (void)state;
    struct session_setup setup = {.version = "0", .player = "random"};
    static const char *const lines[] = {"setoption player ext:cmd=true", "setoption player ext:host=a,port=1",
                                        "setoption player first:player=[ext:cmd=true],then=random",
                                        "setoption player first:player=ext:cmd=true,then=random"};
    for (int allowed = 0; allowed < 2; allowed++) {
        setup.outsiders = allowed;
        struct session *session = session_open(&setup, NULL);
        assert_non_null(session);
        struct text out = {0};
        for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
            text_clear(&out);
            session_line(session, lines[i], &out);
            assert_string_equal(text_string(&out),
                                allowed ? "ok\n" : "error external players are not allowed here\n");
        }
        text_done(&out);
        session_close(session);
    }
}

/* ---- faults ---- */

struct misdeed {
    const char *mode, *options;
    enum player_fault fault;
    const char *reason; /* a part of it */
};

static const struct misdeed misdeeds[] = {
    {"exit", "", PLAYER_FAULT_CRASH, "it ended: exit status 3"},
    {"exit-mid", "", PLAYER_FAULT_CRASH, "it ended: exit status 3"},
    {"crash", "", PLAYER_FAULT_CRASH, "signal 11, segmentation fault"},
    {"sleep", ",timeout=150", PLAYER_FAULT_HANG, "no answer within 0.15 s"},
    {"sleep-start", ",start=150", PLAYER_FAULT_HANG, "no answer within 0.15 s"},
    {"sleep-ignore-term", ",timeout=150", PLAYER_FAULT_HANG, "no answer within 0.15 s"},
    {"flood", "", PLAYER_FAULT_GARBAGE, "a line of more than 65536 bytes"},
    {"flood-lines", "", PLAYER_FAULT_GARBAGE, "more than 1048576 bytes in one answer"},
    {"half-line", ",timeout=150", PLAYER_FAULT_HANG, "no answer"},
    {"half-line-exit", "", PLAYER_FAULT_CRASH, "exit status 0"},
    {"illegal", "", PLAYER_FAULT_ILLEGAL, "'0:9999,9999'"},
    {"wrong-game", "", PLAYER_FAULT_ILLEGAL, "'e2e4'"},
    {"garbage", "", PLAYER_FAULT_GARBAGE, "'??? hello, is anybody there?' is no line of the protocol"},
    {"nul-bytes", "", PLAYER_FAULT_ILLEGAL, "'pass?\?\?'"},
    {"silent-ok", "", PLAYER_FAULT_PROTOCOL, "'ok' is no answer to 'go'"},
    {"unsolicited", "", PLAYER_FAULT_PROTOCOL, "'best pass'"},
    {"twice", "", PLAYER_FAULT_PROTOCOL, "'best pass' is no answer to 'go'"},
    {"empty", "", PLAYER_FAULT_PROTOCOL, "'best' is no answer to 'go'"},
    {"error", "", PLAYER_FAULT_PROTOCOL, "'error I do not feel like playing' is no answer to 'go'"},
    {"close", "", PLAYER_FAULT_CRASH, "it closed its standard output"},
    {"fork-exit", "", PLAYER_FAULT_CRASH, "exit status 5"},
    {"no-such-mode", "", PLAYER_FAULT_CRASH, "exit status 2; it said: saboteur: no such mode"},
};

static void misdeeds_have_names(void **state) {
    (void)state;
    struct table t = {0};
    struct player *blue = open_spec("acteval");
    for (size_t i = 0; i < sizeof misdeeds / sizeof misdeeds[0]; i++) {
        const struct misdeed *m = &misdeeds[i];
        struct player *red = open_saboteur(m->mode, m->options);
        for (int game = 0; game < 2; game++) { /* the second gets a fresh process and the same treatment */
            sit_down(&t, (uint64_t)game + 1);
            const struct answer answer = play_game(&t, red, blue);
            if (answer.fault != m->fault || strstr(answer.reason, m->reason) == NULL)
                fail_msg("%s: %s: %s", m->mode, player_fault_names[answer.fault], answer.reason);
            expect_gone();
        }
        player_close(red);
    }
    player_close(blue);
    get_up(&t);
}

/* What cannot be started or reached is a fault of the game, not of the run. */
static void nobody_there(void **state) {
    (void)state;
    static const struct misdeed cases[] = {
        {"ext:cmd=/no/such/program", "", PLAYER_FAULT_CRASH,
         "exit status 127 (the command cannot be started)"},
        {"ext:host=127.0.0.1,port=1", "", PLAYER_FAULT_CRASH, "it cannot be reached: 127.0.0.1:1: "},
        {"ext:host=256.1.1.1,port=1", "", PLAYER_FAULT_CRASH, "it cannot be reached: 256.1.1.1:1: "},
    };
    struct table t = {0};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct player *player = open_spec(cases[i].mode);
        sit_down(&t, 1);
        const struct answer answer = ask_at(&t, player);
        assert_int_equal(answer.fault, cases[i].fault);
        if (strstr(answer.reason, cases[i].reason) == NULL)
            fail_msg("%s", answer.reason);
        player_close(player);
    }
    get_up(&t);
    expect_gone();
}

static void needs_the_whole_game(void **state) {
    (void)state;
    struct table t = {0};
    sit_down(&t, 1);
    struct player *player = open_saboteur("pass", "");
    const struct ask ask = {.game = t.scenario->game, .view = t.state, .rng = &t.rng[0]};
    struct answer answer;
    player_choose(player, &ask, &answer);
    assert_int_equal(answer.fault, PLAYER_FAULT_PROTOCOL);
    assert_string_equal(answer.reason, "an external player needs the game from its beginning");
    player_close(player);
    get_up(&t);
}

/* With a clock the limit and the patience count, and an answer between them is one: lateness is not ours. */
static void clocks(void **state) {
    (void)state;
    struct table t = {0};
    struct player *late = open_saboteur("late", "");
    sit_down(&t, 1);
    t.time = (struct ask_time){.limit_ns = 1000000, .share_ns = 500000, .patience_ns = INT64_C(60000000000)};
    struct answer answer = ask_at(&t, late);
    assert_int_equal(answer.fault, PLAYER_FAULT_NONE);
    assert_true(answer.setup_ns > 0);
    player_close(late);
    late = open_saboteur("late", "");
    t.time.patience_ns = 99000000;
    answer = ask_at(&t, late);
    assert_int_equal(answer.fault, PLAYER_FAULT_HANG);
    assert_string_equal(answer.reason, "no answer within 0.1 s");
    player_close(late);
    /* Without any clock the waits themselves are counted. */
    late = open_saboteur("sleep", ",timeout=200");
    t.time = (struct ask_time){0};
    t.budget.clock = NULL;
    answer = ask_at(&t, late);
    assert_int_equal(answer.fault, PLAYER_FAULT_HANG);
    player_close(late);
    get_up(&t);
    expect_gone();
}

static void *set_stop(void *argument) {
    const struct timespec time = {0, 100000000};
    nanosleep(&time, NULL);
    atomic_store((atomic_bool *)argument, true);
    return NULL;
}

static void stop_is_seen(void **state) {
    (void)state;
    struct table t = {0};
    sit_down(&t, 1);
    atomic_bool stop = false;
    t.budget.stop = &stop;
    struct player *player = open_saboteur("sleep", "");
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, set_stop, &stop), 0);
    const struct answer answer = ask_at(&t, player);
    pthread_join(thread, NULL);
    assert_int_equal(answer.fault, PLAYER_FAULT_NONE);
    expect_gone();
    player_close(player);
    get_up(&t);
}

static void survivors_go(void **state) {
    (void)state;
    struct table t = {0};
    sit_down(&t, 1);
    struct player *red = open_saboteur("fork-survivors", ""), *blue = open_spec("random");
    const struct answer answer = play_game(&t, red, blue);
    assert_int_equal(answer.fault, PLAYER_FAULT_NONE);
    assert_true(saboteurs() > 1);
    player_close(red);
    player_close(blue);
    get_up(&t);
    expect_gone();
}

static void memory_stays_flat(void **state) {
    (void)state;
    struct table t = {0};
    const long before = outside_peak_kilobytes();
    struct player *blue = open_spec("random");
    static const char *const modes[] = {"flood", "flood-lines", "stderr-flood"};
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        struct player *red = open_saboteur(modes[i], "");
        sit_down(&t, 1);
        const struct answer answer = play_game(&t, red, blue);
        assert_int_equal(answer.fault, i < 2 ? PLAYER_FAULT_GARBAGE : PLAYER_FAULT_NONE);
        player_close(red);
    }
    player_close(blue);
    get_up(&t);
    expect_gone();
    if (before > 0)
        assert_true(outside_peak_kilobytes() - before < 16 << 10);
}

/* ---- what it is told ---- */

static void expect_transcript(struct player *player, const char *const *parts) {
    struct player_transcript transcript = {0};
    player->type->transcript(player, &transcript);
    assert_non_null(strstr(text_string(&transcript.command), outside_saboteur()));
    const char *at = text_string(&transcript.sent);
    for (; *parts != NULL; parts++) {
        const char *found = strstr(at, *parts);
        if (found == NULL)
            fail_msg("'%s' is not in what follows:\n%s", *parts, at);
        at = found;
    }
    assert_non_null(strstr(text_string(&transcript.tail), "> go"));
    text_done(&transcript.command);
    text_done(&transcript.sent);
    text_done(&transcript.tail);
}

static void it_is_told_everything(void **state) {
    (void)state;
    struct table t = {0};
    struct player *red = open_saboteur("options", ",options=[level=3;name=a b]"),
                  *blue = open_spec("acteval");
    sit_down(&t, 7);
    t.time = (struct ask_time){.limit_ns = INT64_C(60000000000), .share_ns = 1500000000};
    struct answer answer = play_game(&t, red, blue);
    assert_int_equal(answer.fault, PLAYER_FAULT_NONE);
    t.time = (struct ask_time){0};
    t.budget.work_max = 250;
    sit_down(&t, 8);
    answer = ask_at(&t, red);
    assert_int_equal(answer.fault, PLAYER_FAULT_NONE);
    assert_true(fabs(answer.value - 0.25) < 1e-12);
    static const char *const parts[] = {"sjp 1\nsetoption level 3\nsetoption name a b\nsetoption seed ",
                                        "\nnewgame tbs\nmap\n",
                                        "\nendmap\ngo time 1500\n",
                                        "play pass\nplay ",
                                        "\ngo time 1500\n",
                                        "setoption seed ",
                                        "\nnewgame tbs\nmap\n",
                                        "\nendmap\ngo sims 250\n",
                                        NULL};
    expect_transcript(red, parts);
    player_close(red);
    player_close(blue);
    get_up(&t);
}

/* The seed it is sent depends on the game alone, not on what the process played before. */
static void seeds_follow_the_game(void **state) {
    (void)state;
    struct text seeds[2] = {{0}, {0}};
    struct table t = {0};
    for (int round = 0; round < 2; round++) {
        struct player *player = open_saboteur("pass", "");
        for (uint64_t id = round == 0 ? 5 : 6; id <= 6; id++) {
            sit_down(&t, id);
            assert_int_equal(ask_at(&t, player).fault, PLAYER_FAULT_NONE);
        }
        struct player_transcript transcript = {0};
        player->type->transcript(player, &transcript);
        const char *last = NULL;
        for (const char *at = text_string(&transcript.sent); (at = strstr(at, "setoption seed ")) != NULL;
             at++)
            last = at;
        assert_non_null(last);
        text_add(&seeds[round], "%.*s", (int)strcspn(last, "\n"), last);
        text_done(&transcript.command);
        text_done(&transcript.sent);
        text_done(&transcript.tail);
        player_close(player);
    }
    assert_string_equal(text_string(&seeds[0]), text_string(&seeds[1]));
    text_done(&seeds[0]);
    text_done(&seeds[1]);
    get_up(&t);
}

/* ---- honest games ---- */

/* The same player asked directly, with the random numbers an engine draws: its seed is the first of the
 * seat's generator, and every decision has a stream of its own. */
static struct answer ask_as_engine(struct table *t, struct player *player, uint64_t *seed,
                                   uint64_t *decisions) {
    const int side = t->scenario->game->mover(t->state);
    if (*decisions == 0)
        *seed = rng_next(&t->rng[side]) >> 33;
    const struct rng seat = t->rng[side];
    rng_seed_stream(&t->rng[side], *seed, (*decisions)++);
    const struct answer answer = ask_at(t, player);
    t->rng[side] = seat;
    return answer;
}

static void play_directly(struct table *t, struct player *inside, int inside_side, struct player *other) {
    uint64_t seed = 0, decisions = 0;
    for (int side; (side = t->scenario->game->mover(t->state)) != NOBODY;)
        play_at(t, side == inside_side ? ask_as_engine(t, inside, &seed, &decisions).chosen
                                       : ask_at(t, other).chosen);
}

static void expect_same_games(const char *player_spec, const char *extra) {
    char spec[SPEC_TEXT_MAX];
    snprintf(spec, sizeof spec, "ext:cmd=[%s engine --player %s]%s", outside_senjutsu(), player_spec, extra);
    struct player *outside = open_spec(spec), *inside = open_spec(player_spec), *other = open_spec("random");
    struct table direct = {0}, over = {0};
    for (uint64_t id = 1; id <= 3; id++) {
        sit_down(&direct, id);
        sit_down(&over, id);
        const bool is_red = id % 2 == 1;
        play_directly(&direct, inside, is_red ? 0 : 1, other);
        const struct answer answer = play_game(&over, is_red ? outside : other, is_red ? other : outside);
        if (answer.fault != PLAYER_FAULT_NONE)
            fail_msg("%s", answer.reason);
        if (over.count != direct.count ||
            memcmp(over.played, direct.played, (size_t)direct.count * sizeof over.played[0]) != 0)
            fail_msg("%s: game %d differs", spec, (int)id);
    }
    player_close(outside);
    player_close(inside);
    player_close(other);
    get_up(&direct);
    get_up(&over);
    expect_gone();
}

static void an_honest_one_plays_as_ours(void **state) {
    (void)state;
    expect_same_games("acteval", "");
    expect_same_games("acteval:style=sample", "");
    expect_same_games("uct:sims=60", "");
    expect_same_games("random", "");
    expect_same_games("acteval", ",turn=yes");
    expect_same_games("random", ",turn=yes");
}

/* Whole turns are asked for once each. */
static void whole_turns(void **state) {
    (void)state;
    char spec[SPEC_TEXT_MAX];
    snprintf(spec, sizeof spec, "ext:cmd=[%s engine --player acteval],turn=yes", outside_senjutsu());
    struct player *red = open_spec(spec), *blue = open_spec("random");
    struct table t = {0};
    sit_down(&t, 1);
    assert_int_equal(play_game(&t, red, blue).fault, PLAYER_FAULT_NONE);
    struct player_transcript transcript = {0};
    red->type->transcript(red, &transcript);
    int goes = 0;
    for (const char *at = text_string(&transcript.sent); (at = strstr(at, "go turn\n")) != NULL; at++)
        goes++;
    assert_int_equal(goes, (t.scenario->game->turn(t.state) + 1) / 2);
    text_done(&transcript.command);
    text_done(&transcript.sent);
    text_done(&transcript.tail);
    player_close(red);
    player_close(blue);
    get_up(&t);
}

/* With a clock a turn's time is all its decisions' shares, if the limit allows that. */
static void time_of_whole_turns(void **state) {
    (void)state;
    static const struct {
        int64_t limit_ms, share_ms;
        const char *go;
    } cases[] = {{60000, 1500, "\ngo time 3000 turn\n"}, /* two units */
                 {2000, 1500, "\ngo time 1500 turn\n"},
                 {60000, 0, "\ngo time 1 turn\n"}};
    struct table t = {0};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct player *red = open_saboteur("pass", ",turn=yes");
        sit_down(&t, 1);
        t.time = (struct ask_time){.limit_ns = cases[i].limit_ms * 1000000,
                                   .share_ns = cases[i].share_ms * 1000000,
                                   .patience_ns = INT64_C(60000000000)};
        assert_int_equal(ask_at(&t, red).fault, PLAYER_FAULT_NONE);
        const char *const parts[] = {cases[i].go, NULL};
        expect_transcript(red, parts);
        player_close(red);
    }
    get_up(&t);
}

static void carriage_returns_are_fine(void **state) {
    (void)state;
    struct table t = {0};
    struct player *red = open_saboteur("cr-lf", ""), *blue = open_saboteur("pass", "");
    sit_down(&t, 1);
    assert_int_equal(play_game(&t, red, blue).fault, PLAYER_FAULT_NONE);
    player_close(red);
    player_close(blue);
    get_up(&t);
    expect_gone();
}

/* ---- connections ---- */

/* A peer that passes. */
struct peer {
    int port;
    bool connects, stays; /* it or we open the connection */
    int goes;
};

static void serve(struct peer *peer, struct link *link) {
    const char *line;
    const struct link_wait wait = {.clock = &clock_now, .until_ns = clock_now_ns(&clock_now) + 60000000000};
    bool in_map = false;
    while (link != NULL && link_receive(link, &wait, &line) == LINK_LINE && strcmp(line, "quit") != 0) {
        in_map = (in_map || strcmp(line, "map") == 0) && strcmp(line, "endmap") != 0;
        const bool goes = strncmp(line, "go", 2) == 0;
        peer->goes += goes;
        const char *answer = goes ? "best pass\r\nok\r\n" : "ok\r\n";
        if (!in_map && !link_send(link, answer, strlen(answer), &wait, NULL))
            break;
    }
    link_close(link, 0);
}

static void *peer_main(void *argument) {
    struct peer *peer = argument;
    const struct link_wait wait = {.clock = &clock_now, .until_ns = clock_now_ns(&clock_now) + 60000000000};
    serve(peer, peer->connects ? link_connect("127.0.0.1", peer->port, &wait, NULL)
                               : link_accept("127.0.0.1", peer->port, &wait, NULL));
    return NULL;
}

static void play_over_tcp(bool connects) {
    struct peer peer = {.connects = connects};
    struct err e = {0};
    assert_true(link_listen("127.0.0.1", &peer.port, &e));
    char spec[100];
    snprintf(spec, sizeof spec, connects ? "ext:listen=127.0.0.1:%d,wait=60" : "ext:host=127.0.0.1,port=%d",
             peer.port);
    struct player *red = open_spec(spec), *blue = open_spec("random");
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, peer_main, &peer), 0);
    struct table t = {0};
    sit_down(&t, 1);
    const struct answer answer = play_game(&t, red, blue);
    if (answer.fault != PLAYER_FAULT_NONE)
        fail_msg("%s", answer.reason);
    player_close(red);
    player_close(blue);
    pthread_join(thread, NULL);
    assert_true(peer.goes > 1);
    get_up(&t);
}

static void tcp(void **state) {
    (void)state;
    play_over_tcp(false);
    play_over_tcp(true);
    struct table t = {0};
    sit_down(&t, 1);
    int port = 0;
    assert_true(link_listen("127.0.0.1", &port, NULL));
    char spec[100];
    snprintf(spec, sizeof spec, "ext:listen=127.0.0.1:%d,wait=1", port);
    struct player *player = open_spec(spec);
    const struct answer answer = ask_at(&t, player);
    assert_int_equal(answer.fault, PLAYER_FAULT_CRASH);
    assert_non_null(strstr(answer.reason, "nobody connected to"));
    player_close(player);
    get_up(&t);
}

/* ---- several at once ---- */

static void *play_in_thread(void *argument) {
    struct player *red = open_saboteur("honest", ""), *blue = open_saboteur("exit-mid", "");
    struct table t = {0};
    sit_down(&t, *(const uint64_t *)argument);
    const struct answer answer = play_game(&t, red, blue);
    player_close(red);
    player_close(blue);
    get_up(&t);
    return answer.fault == PLAYER_FAULT_CRASH ? argument : NULL;
}

static void several_at_once(void **state) {
    (void)state;
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    uint64_t ids[THREADS];
    for (int i = 0; i < THREADS; i++) {
        ids[i] = (uint64_t)i;
        assert_int_equal(pthread_create(&threads[i], NULL, play_in_thread, &ids[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        void *result;
        pthread_join(threads[i], &result);
        assert_ptr_equal(result, &ids[i]);
    }
    expect_gone();
}

int main(void) {
    clock_now = clock_system();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(specs),
        cmocka_unit_test(strangers_start_nothing),
        cmocka_unit_test(misdeeds_have_names),
        cmocka_unit_test(nobody_there),
        cmocka_unit_test(needs_the_whole_game),
        cmocka_unit_test(clocks),
        cmocka_unit_test(stop_is_seen),
        cmocka_unit_test(survivors_go),
        cmocka_unit_test(memory_stays_flat),
        cmocka_unit_test(it_is_told_everything),
        cmocka_unit_test(seeds_follow_the_game),
        cmocka_unit_test(an_honest_one_plays_as_ours),
        cmocka_unit_test(whole_turns),
        cmocka_unit_test(time_of_whole_turns),
        cmocka_unit_test(carriage_returns_are_fine),
        cmocka_unit_test(tcp),
        cmocka_unit_test(several_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
