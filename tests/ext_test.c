/* SPDX-License-Identifier: MIT
 *
 * The external player: the names it may have, what it receives, and that an honest one plays like an internal
 * player over any transport. Dishonest ones are in ext_faults_test.c.
 */
#include "base/file.h"
#include "expected_support.h"
#include "link/link.h"
#include "outside_support.h"
#include "protocol/session.h"
#include "scratch_support.h"
#include "table_support.h"
#include "game/geister/geister.h"
#include "game/tbs/tbs.h"
#include "player/ext.h"
#include "player/player.h"

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

/* ---- spec strings ---- */

static void expect_refused(const char *spec, const char *why) {
    struct err e = {0};
    assert_false(player_check(spec, NULL, &e));
    assert_string_equal(e.text, why);
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
    assert_true(player_check("ext:listen=1", NULL, &e) && player_check("ext:listen=65535", NULL, &e));
    assert_true(player_check("ext:cmd=a,options=[b=;c==;]", NULL, &e));
    static const char one[] = "ext: expected one of cmd=COMMAND, host=NAME,port=N and listen=PORT";
    static const char several[] =
        "ext: expected one of cmd=COMMAND, host=NAME,port=N and listen=PORT, not several";
    static const char both[] = "ext: host and port belong together: host=NAME,port=N";
    expect_refused("ext", one);
    expect_refused("ext:port=4", one);
    expect_refused("ext:cmd=a,host=b,port=3", several);
    expect_refused("ext:host=b,port=3,listen=4", several);
    expect_refused("ext:cmd=a,listen=4", several);
    expect_refused("ext:host=b", both);
    expect_refused("ext:cmd=a,port=4", both);
    expect_refused("ext:listen=4,port=4", both);
    expect_refused("ext:listen=0", "ext: listen=0: expected a port from 1 to 65535, or ADDRESS:PORT");
    expect_refused("ext:listen=65536", "ext: listen=65536: expected a port from 1 to 65535, or ADDRESS:PORT");
    expect_refused("ext:listen=a:b", "ext: listen=a:b: expected a port from 1 to 65535, or ADDRESS:PORT");
    expect_refused("ext:cmd=a,options=[level]", "ext: options=[level]: expected NAME=VALUE;NAME=VALUE");
    expect_refused("ext:cmd=a,options=[=3]", "ext: options=[=3]: expected NAME=VALUE;NAME=VALUE");
    expect_refused("ext:cmd=a,options=[b=1;c]", "ext: options=[c]: expected NAME=VALUE;NAME=VALUE");
    expect_refused("ext:cmd=a,options=[b=1;;c=2]", "ext: options=[;c=2]: expected NAME=VALUE;NAME=VALUE");
    expect_refused("ext:cmd=a,options=[b c=1]", "ext: options=[b c=1]: expected NAME=VALUE;NAME=VALUE");
    expect_refused("ext:cmd=a,options=[b;c=1]", "ext: options=[b;c=1]: expected NAME=VALUE;NAME=VALUE");
    expect_refused("ext:cmd=a\nb", "ext: a line end within an option");
    expect_refused("ext:cmd=a,options=[b=1\r]", "ext: a line end within an option");
    char spec[SPEC_TEXT_MAX] = "ext:cmd=";
    memset(spec + 8, 'x', PARAM_TEXT_MAX);
    spec[8 + PARAM_TEXT_MAX] = '\0';
    struct err too_long = {0};
    assert_false(player_check(spec, NULL, &too_long));
    assert_non_null(strstr(too_long.text, "too long"));
}

/* An address of 127 characters is the longest. */
static void addresses_have_a_limit(void **state) {
    (void)state;
    char text[160], address[128];
    int port = 0;
    struct err e = {0};
    memset(text, 'a', sizeof text);
    strcpy(text + 127, ":5000");
    assert_true(ext_read_listen(text, address, sizeof address, &port, &e));
    assert_int_equal(port, 5000);
    assert_int_equal(strlen(address), 127);
    strcpy(text + 127, "a:5000");
    assert_false(ext_read_listen(text, address, sizeof address, &port, &e));
    assert_true(ext_read_listen("7", address, sizeof address, &port, &e));
    assert_int_equal(port, 7);
    assert_string_equal(address, "0.0.0.0");
    assert_true(ext_read_listen("::1:80", address, sizeof address, &port, &e));
    assert_int_equal(port, 80);
    assert_string_equal(address, "::1");
    assert_true(ext_read_listen(":80", address, sizeof address, &port, &e));
    assert_string_equal(address, "0.0.0.0");
}

static void expect_command(const char *spec, const char *command) {
    struct err e = {0};
    struct player_transcript transcript = {0};
    struct player *player = player_open_granted(spec, &tbs_game, &grant_everything, &e);
    assert_non_null(player);
    player->type->transcript(player, &transcript);
    assert_string_equal(text_string(&transcript.command), command);
    assert_string_equal(text_string(&transcript.sent), "");
    assert_string_equal(text_string(&transcript.tail), "");
    text_done(&transcript.command);
    text_done(&transcript.sent);
    text_done(&transcript.tail);
    player_close(player);
}

static void the_other_end_has_a_name(void **state) {
    (void)state;
    expect_command("ext:cmd=./bot 3", "./bot 3");
    expect_command("ext:host=10.0.0.5,port=5000", "(a connection to 10.0.0.5:5000)");
    expect_command("ext:listen=127.0.0.1:5000", "(a connection from outside to 127.0.0.1:5000)");
    struct err e = {0};
    assert_null(player_open_granted("ext:cmd=bot,turn=yes", &geister_game, &grant_everything, &e));
    assert_string_equal(e.text, "ext: turn=yes: in geister something is hidden, and what a side sees changes "
                                "with every action");
}

/* A peer on the network must not start programs here. */
static void strangers_start_nothing(void **state) {
    (void)state;
    struct session_setup setup = {.version = "0", .player = "random"};
    static const char *const lines[] = {"setoption player ext:cmd=true", "setoption player ext:host=a,port=1",
                                        "setoption player first:player=[ext:cmd=true],then=random",
                                        "setoption player first:player=ext:cmd=true,then=random"};
    for (int allowed = 0; allowed < 2; allowed++) {
        setup.grant = allowed ? &grant_everything : NULL;
        struct session *session = session_open(&setup, NULL);
        assert_non_null(session);
        struct text out = {0};
        for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
            text_clear(&out);
            session_line(session, lines[i], &out);
            assert_true(allowed ? strcmp(text_string(&out), "ok\n") == 0
                                : strncmp(text_string(&out), "error needs leave", 17) == 0);
        }
        text_done(&out);
        session_close(session);
    }
}

/* ---- what the program receives ---- */

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

static void it_receives_everything(void **state) {
    (void)state;
    struct table t = {0};
    struct player *red = open_saboteur("options", ",options=[level=3;name=a b]"),
                  *blue = open_spec("acteval");
    sit_down(&t, 7);
    t.time = (struct ask_time){.limit_ns = INT64_C(60000000000), .share_ns = 1500000000};
    struct answer answer = play_at_table(&t, red, blue);
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

/* The seed that it receives depends on the game alone, not on earlier games of the process. */
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

/* ---- whole conversations ---- */

/* An engine without rules: answers `go` with its arguments behind the greeting, one after the other ("hang"
 * never answers, "die" ends with some lines on standard error). STALL is the number of a new game that is
 * never answered, DENY a word of a command that is answered with an error, MORE its additional output after
 * its answer to a map. */
static const char script[] =
    "greeting=$1; shift; games=0\n"
    "while read -r line; do\n"
    "  case $line in\n"
    "  sjp*) printf \"$greeting\" ;;\n"
    "  ${DENY:-none}*) echo 'error not this' ;;\n"
    "  newgame*) games=$((games + 1)); [ $games = \"$STALL\" ] && exec sleep 60; echo ok ;;\n"
    "  map) while read -r line && [ \"$line\" != endmap ]; do :; done; printf \"ok\\n$MORE\" ;;\n"
    "  go*) case $1 in\n"
    "    hang) exec sleep 60 ;;\n"
    "    die) printf 'first\\nlast \\033[2J words\\n' >&2; exit 4 ;;\n"
    "    *) printf \"$1\" ;;\n"
    "    esac; shift ;;\n"
    "  *) echo ok ;;\n"
    "  esac\n"
    "done\n";

struct conversation {
    const char *variables, *arguments; /* of the engine */
    const char *options;               /* of the player */
    /* n: in a new game; t: in a new game, and time passes; +: after both sides have passed */
    const char *questions;
    struct ask_time time;
    struct budget budget;
};

#define OPTIONS "'id name a b\\ngame tbs\\noption seed int\\noption seedling int\\nok\\n'"
#define BEST    " 'info depth 3\\ninfo value 0.5\\ninfo work 7\\nbest pass\\nok\\n'"
#define PASS    " 'best pass\\nok\\n'"

static const struct conversation conversations[] = {
    {"", "" OPTIONS BEST PASS PASS, "", "n+n", {0}, {0}},
    {"", "'option seedling int\\nok\\n'" PASS PASS, ",options=[a=1;b=;c==;]", "nn", {0}, {0}},
    {"", "'ok\\n' 'info value x\\ninfo work -3\\nbest  pass \\nok\\n'", "", "n", {0}, {0}},
    {"", "'ok \\n' 'best pass\\ninfo work 3\\nok\\n'" PASS, "", "nn", {0}, {0}},
    {"", "'ok\\n' 'ok\\n'", "", "n", {0}, {0}},
    {"", "'ok\\n' 'best\\nok\\n'", "", "n", {0}, {0}},
    {"", "'ok\\n' 'okay\\n'", "", "n", {0}, {0}},
    {"", "'ok\\n' 'best 9:9,9\\nok\\n'", "", "n", {0}, {0}},
    {"", "'ok\\n' 'best pass pass\\nok\\n'", ",turn=yes", "n", {0}, {0}},
    {"", "'ok\\n' die", "", "nn", {0}, {0}},
    {"", "'ok\\n'" PASS " die", "", "n+n", {0}, {0}},
    {"", "'hello \\033X\\n'", "", "n", {0}, {0}},
    {"", "'best pass\\nok\\n'", "", "n", {0}, {0}},
    {"DENY=play ", "'ok\\n'" PASS PASS, "", "n+n", {0}, {0}},
    {"DENY=newgame ", "'ok\\n'" PASS, "", "nn", {0}, {0}},
    {"DENY=setoption ", "'ok\\n'" PASS, ",options=[a=1]", "nn", {0}, {0}},
    {"MORE='best pass\\n' ", "'ok\\n'" PASS, "", "n", {0}, {0}},
    {"MORE='hello\\n' ", "'ok\\n'" PASS, ",turn=yes", "n", {0}, {0}},
    {"STALL=2 ", "'ok\\n'" PASS PASS PASS, ",start=300", "ntn", {0}, {0}},
    {"", "'ok\\n' hang", ",timeout=20", "t", {0}, {0}},
    {"", "'ok\\n' hang", "", "t", {.limit_ns = 1}, {0}},
    {"", "'ok\\n' hang", "", "t", {.limit_ns = 1999999}, {0}},
    {"", "'ok\\n' hang", "", "t", {.limit_ns = 2000000}, {0}},
    {"", "'ok\\n' hang", "", "t", {.limit_ns = 2000000, .share_ns = 1999999, .patience_ns = 1000000}, {0}},
    {"", "'ok\\n'" PASS, "", "n", {0}, {.work_max = 1, .time_ns_max = 1}},
    {"", "'ok\\n'" PASS, ",turn=yes", "n", {0}, {.time_ns_max = 1000000}},
    {"", "'ok\\n'" PASS, "", "n", {0}, {.time_ns_max = 2500000}},
};

/* Without the lines of the map. */
static void add_without_map(const char *title, const char *text, struct text *out) {
    bool in_map = false;
    text_add(out, "  %s\n", title);
    for (size_t size; *text != '\0'; text += size) {
        size = strcspn(text, "\n") + 1;
        in_map = in_map && strncmp(text, "endmap\n", 7) != 0 && strncmp(text, "> endmap\n", 9) != 0;
        if (!in_map)
            text_add(out, "    %.*s", (int)size, text);
        in_map = in_map || strncmp(text, "map\n", 4) == 0 || strncmp(text, "> map\n", 6) == 0;
    }
}

static void add_transcript(struct player *player, struct text *out) {
    struct player_transcript transcript = {0};
    player->type->transcript(player, &transcript);
    add_without_map("sent:", text_string(&transcript.sent), out);
    add_without_map("last lines:", text_string(&transcript.tail), out);
    text_done(&transcript.command);
    text_done(&transcript.sent);
    text_done(&transcript.tail);
}

static void add_answer(const struct answer *answer, struct text *out) {
    if (answer->fault != PLAYER_FAULT_NONE)
        text_add(out, "  %s: %s\n", player_fault_names[answer->fault], answer->reason);
    else
        text_add(out, "  action %d, value %g, work %llu\n", (int)answer->chosen,
                 isnan(answer->value) ? -1 : answer->value, (unsigned long long)answer->work_done);
}

/* The clock stands still while an engine answers, which may take long on a busy machine. */
static bool time_passes;

static int64_t now_or_never(void *self) {
    (void)self;
    return time_passes ? clock_now_ns(table_clock()) : 0;
}

static void converse(const struct conversation *c, const char *path, struct text *out) {
    char spec[SPEC_TEXT_MAX];
    struct table t = {.time = c->time, .budget = c->budget};
    const struct clock clock = {.now_ns = now_or_never};
    uint64_t games = 0;
    snprintf(spec, sizeof spec, "ext:cmd=[%ssh %s %s]%s", c->variables, path, c->arguments, c->options);
    text_add(out, "%s%s%s\n", c->variables, c->arguments, c->options);
    struct player *player = open_spec(spec);
    for (const char *q = c->questions; *q != '\0'; q++) {
        if (*q == '+')
            play_at(&t, TBS_PASS), play_at(&t, TBS_PASS);
        else
            sit_down(&t, ++games);
        time_passes = *q == 't';
        t.budget.clock = &clock;
        const struct answer answer = ask_at(&t, player);
        add_answer(&answer, out);
    }
    add_transcript(player, out);
    player_close(player);
    get_up(&t);
}

static void conversations_are_as_before(void **state) {
    (void)state;
    struct text found = {0};
    struct err e;
    char folder[SCRATCH_PATH_MAX], path[SCRATCH_PATH_MAX + 16];
    assert_true(scratch_folder("ext", folder));
    snprintf(path, sizeof path, "%s/engine", folder);
    assert_true(file_write(path, script, strlen(script), &e));
    for (size_t i = 0; i < sizeof conversations / sizeof conversations[0]; i++)
        converse(&conversations[i], path, &found);
    expected_compare("conversations.txt", &found);
    text_done(&found);
    assert_true(file_remove_folder(folder, &e));
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
        const struct answer answer = play_at_table(&over, is_red ? outside : other, is_red ? other : outside);
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
    assert_int_equal(play_at_table(&t, red, blue).fault, PLAYER_FAULT_NONE);
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
    assert_int_equal(play_at_table(&t, red, blue).fault, PLAYER_FAULT_NONE);
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
    const struct link_wait wait = {.clock = table_clock(),
                                   .until_ns = clock_now_ns(table_clock()) + 60000000000};
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
    const struct link_wait wait = {.clock = table_clock(),
                                   .until_ns = clock_now_ns(table_clock()) + 60000000000};
    serve(peer, peer->connects ? link_connect("127.0.0.1", peer->port, &wait, NULL)
                               : link_accept("127.0.0.1", peer->port, &wait, NULL));
    return NULL;
}

static void play_over_tcp(bool connects) {
    struct peer peer = {.connects = connects};
    struct err e = {0};
    assert_true(link_listener("127.0.0.1", &peer.port, &e) >= 0);
    char spec[100];
    snprintf(spec, sizeof spec, connects ? "ext:listen=127.0.0.1:%d,wait=60" : "ext:host=127.0.0.1,port=%d",
             peer.port);
    struct player *red = open_spec(spec), *blue = open_spec("random");
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, peer_main, &peer), 0);
    struct table t = {0};
    sit_down(&t, 1);
    const struct answer answer = play_at_table(&t, red, blue);
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
    assert_true(link_listener("127.0.0.1", &port, NULL) >= 0);
    char spec[100];
    snprintf(spec, sizeof spec, "ext:listen=127.0.0.1:%d,wait=1", port);
    struct player *player = open_spec(spec);
    const struct answer answer = ask_at(&t, player);
    assert_int_equal(answer.fault, PLAYER_FAULT_CRASH);
    assert_non_null(strstr(answer.reason, "no client connected to"));
    player_close(player);
    get_up(&t);
}

/* ---- several at once ---- */

static void *play_in_thread(void *argument) {
    struct player *red = open_saboteur("honest", ""), *blue = open_saboteur("exit-mid", "");
    struct table t = {0};
    sit_down(&t, *(const uint64_t *)argument);
    const struct answer answer = play_at_table(&t, red, blue);
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
    table_clock();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(specs),
        cmocka_unit_test(addresses_have_a_limit),
        cmocka_unit_test(the_other_end_has_a_name),
        cmocka_unit_test(strangers_start_nothing),
        cmocka_unit_test(it_receives_everything),
        cmocka_unit_test(conversations_are_as_before),
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
