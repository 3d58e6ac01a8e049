/* SPDX-License-Identifier: MIT
 *
 * Preconditions of callers: each case violates one, in a process of its own, and the assertion of that
 * precondition ends that process. At least one in ten assertions of match, serve, net and tournament is shown
 * to fire; the last test counts them in the sources.
 */
#include "game/game.h"
#include "match/batch.h"
#include "match/clocked_game.h"
#include "match/statistics.h"
#include "net/geister_session.h"
#include "net/message.h"
#include "net/web.h"
#include "serve/inside.h"
#include "serve/workbench.h"
#include "tournament/report.h"
#include "tournament/swiss.c" /* the matching is internal */

#include <dirent.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

/* ---- match ---- */

static void quantile_of_0(void) {
    stats_normal_quantile(0);
}

static void quantile_of_1(void) {
    stats_normal_quantile(1);
}

static void student_without_degrees(void) {
    stats_student(0);
}

static void elo_of_no_point(void) {
    elo_from_score(0);
}

static void elo_of_all_points(void) {
    elo_from_score(1);
}

static void error_without_games(void) {
    needed_error(&(struct needed){.alpha = 0.05, .power = 0.95}, 0);
}

static void payoff_below_0(void) {
    payoffs_add(&(struct payoffs){0}, -0.5, false);
}

static void payoff_above_1(void) {
    payoffs_add(&(struct payoffs){0}, 1.5, false);
}

static void sprt_without_beta(void) {
    sprt_lower(&(struct sprt){0, 5, 0.05, 0});
}

static void sprt_with_alpha_1(void) {
    sprt_lower(&(struct sprt){0, 5, 1, 0.05});
}

static void sprt_without_alpha(void) {
    sprt_upper(&(struct sprt){0, 5, 0, 0.05});
}

static void sprt_between_equals(void) {
    sprt_ratio(&(struct sprt){5, 5, 0.05, 0.05}, &(struct pairs){0});
}

static void time_of_a_third_side(void) {
    struct timing timing;
    struct timing_clocks clocks;
    timing_default(&timing);
    timing_start(&clocks, &timing);
    timing_allow(&clocks, &timing, 2, 1);
}

static void game_without_scenario(void) {
    struct clocked_game game;
    clocked_game_start(&game, &(struct clocked_setup){0}, 0);
}

/* The process ends: its scenario need not be unloaded. */
static struct clocked_game *start(struct record *record) {
    static struct clocked_game game;
    struct err e;
    struct scenario *scenario = game_load_spec("tictactoe", &e);
    clocked_game_start(&game, &(struct clocked_setup){.scenario = scenario, .record = record}, 0);
    return &game;
}

static void play_after_a_stop(void) {
    struct clocked_game *game = start(NULL);
    struct err e;
    clocked_game_stop(game, "");
    clocked_game_play(game, 0, 0, &e);
}

static void ask_after_the_end(void) {
    struct clocked_game *game = start(NULL);
    struct ask ask;
    clocked_game_fault(game, 0, PLAYER_FAULT_ILLEGAL, "broke a rule");
    referee_ask(&game->referee, &ask);
}

static void go_back_without_record(void) {
    struct err e;
    clocked_game_go_back(start(NULL), 0, 0, &e);
}

static void go_back_beyond_the_record(void) {
    struct record record;
    struct err e;
    record_init(&record);
    clocked_game_go_back(start(&record), 1, 0, &e);
}

static void payoff_of_an_unfinished_game(void) {
    referee_payoff(&start(NULL)->referee, 0);
}

static void fault_of_no_kind(void) {
    referee_rule(&start(NULL)->referee, 0, PLAYER_FAULT_NONE, "none");
}

static void step_behind_the_record(void) {
    struct record record;
    struct replay replay;
    struct err e;
    record_init(&record);
    replay_start(&replay, &record, start(NULL)->referee.scenario);
    replay_step(&replay, &e);
}

static void fault_report_of_a_third_side(void) {
    struct text text = {0};
    struct err e;
    fault_report_write(&(struct fault_report){.side = 2}, NULL, &text, &e);
}

static void match_of_fewer_than_no_games(void) {
    static struct match_totals result;
    struct err e;
    match_run(&(struct match){.players = {"random", "random"}, .games = -1, .map_count = 1}, &result, &e);
}

static void match_without_maps(void) {
    static struct match_totals result;
    struct err e;
    match_run(&(struct match){.players = {"random", "random"}, .games = 1}, &result, &e);
}

static void batch_that_cannot_be_stopped(void) {
    batch_open(&(struct batch_setup){0});
}

static void game_run_without_scenario(void) {
    struct game_run_result result = {0};
    struct err e;
    game_run_play(&(struct game_run){0}, &result, &e);
}

/* ---- tournament ---- */

static void matching_of_an_odd_number(void) {
    int mate[3];
    match_cheapest((struct matching_cost[9]){{{0}}}, 3, mate);
}

static void matching_with_unequal_costs(void) {
    int mate[2];
    struct matching_cost costs[4] = {{{0}}};
    costs[1].level[0] = 2;
    match_cheapest(costs, 2, mate);
}

static void too_many_highlights(void) {
    static struct tournament tournament;
    report_highlights(&(struct report){.tournament = &tournament}, -1, NULL);
}

static void table_of_less_than_no_columns(void) {
    struct text text = {0};
    report_table(&(struct report){0}, &(struct report_style){.columns = -1}, &text);
}

/* ---- net ---- */

static void failure_with_status_200(void) {
    struct message_out out = {0};
    message_fail(&out, 200, NULL, "fine");
}

static void failure_with_status_600(void) {
    struct message_out out = {0};
    message_fail(&out, 600, NULL, "strange");
}

static void topic_without_events(void) {
    topic_open(&(struct topic_limits){.bytes_max = 1000});
}

static void topic_without_bytes(void) {
    topic_open(&(struct topic_limits){.events_max = 10});
}

static void tournament_of_two_lines(void) {
    topic_add(topic_open(&(struct topic_limits){.events_max = 10, .bytes_max = 1000}), "step", "a\nb",
              TOPIC_EVENT);
}

static void web_without_handler(void) {
    struct err e;
    web_open(&(struct web_setup){.bind = "127.0.0.1"}, &e);
}

static void session_with_a_third_side(void) {
    static struct geister_session session;
    geister_session_blame(&session, 2, PLAYER_FAULT_ILLEGAL, "", 0);
}

static void answer_of_a_third_side(void) {
    static struct geister_session session;
    geister_session_receive(&session, -1, "", 0, 0);
}

/* ---- serve ---- */

static void pool_without_tasks(void) {
    task_pool_open(0, false);
}

static void task_without_function(void) {
    struct err e;
    task_pool_start(task_pool_open(1, true), &(struct task){0}, &e);
}

static void workbench_without_folder(void) {
    struct err e;
    workbench_open(&(struct workbench_setup){.maps = "."}, &e);
}

static void workbench_without_maps(void) {
    struct err e;
    workbench_open(&(struct workbench_setup){.data = "."}, &e);
}

static void workbench_without_clock(void) {
    struct err e;
    workbench_open(&(struct workbench_setup){.data = ".", .maps = "."}, &e);
}

/* ---- all of them ---- */

static const struct {
    void (*breach)(void);
    const char *promise;
} cases[] = {
    {quantile_of_0, "p > 0"},
    {quantile_of_1, "p < 1"},
    {student_without_degrees, "degrees >= 1"},
    {elo_of_no_point, "score > 0"},
    {elo_of_all_points, "score < 1"},
    {error_without_games, "games > 0"},
    {payoff_below_0, "payoff >= 0"},
    {payoff_above_1, "payoff <= 1"},
    {sprt_without_beta, "sprt->beta > 0"},
    {sprt_with_alpha_1, "sprt->alpha < 1"},
    {sprt_without_alpha, "sprt->alpha > 0"},
    {sprt_between_equals, "sprt->elo0 < sprt->elo1"},
    {time_of_a_third_side, "side == 0 || side == 1"},
    {game_without_scenario, "setup->scenario != NULL"},
    {play_after_a_stop, "is_stopped"},
    {ask_after_the_end, "side != NOBODY"},
    {go_back_without_record, "record != NULL"},
    {go_back_beyond_the_record, "count <= "},
    {payoff_of_an_unfinished_game, "referee_mover(referee) == NOBODY"},
    {fault_of_no_kind, "fault > PLAYER_FAULT_NONE"},
    {step_behind_the_record, "replay->next < replay->record->count"},
    {fault_report_of_a_third_side, "side == 0 || b->side == 1"},
    {match_of_fewer_than_no_games, "match->games >= 0"},
    {match_without_maps, "match->map_count >= 1"},
    {batch_that_cannot_be_stopped, "setup->stop != NULL"},
    {game_run_without_scenario, "scenario != NULL"},
    {matching_of_an_odd_number, "count % 2 == 0"},
    {matching_with_unequal_costs, "compare(cost, "},
    {too_many_highlights, "per_kind >= 0"},
    {table_of_less_than_no_columns, "style->columns >= 0"},
    {failure_with_status_200, "status >= 400"},
    {failure_with_status_600, "status < 600"},
    {topic_without_events, "limits->events_max > 0"},
    {topic_without_bytes, "limits->bytes_max > 0"},
    {tournament_of_two_lines, "strpbrk(data"},
    {web_without_handler, "setup->handle != NULL"},
    {session_with_a_third_side, "side == 0 || side == 1"},
    {answer_of_a_third_side, "side == 0 || side == 1"},
    {pool_without_tasks, "tasks_max > 0"},
    {task_without_function, "task->run != NULL"},
    {workbench_without_folder, "setup->data != NULL"},
    {workbench_without_maps, "setup->maps != NULL"},
    {workbench_without_clock, "setup->clock != NULL"},
};

enum { CASES = sizeof cases / sizeof cases[0] };

static void each_broken_promise_ends_its_process(void **state) {
    (void)state;
    for (int i = 0; i < CASES; i++) {
        int ends[2];
        assert_int_equal(pipe(ends), 0);
        const pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
            signal(SIGABRT, SIG_DFL);
            dup2(ends[1], STDERR_FILENO);
            cases[i].breach();
            _exit(0);
        }
        close(ends[1]);
        char said[4096] = "";
        size_t size = 0;
        for (ssize_t n;
             size < sizeof said - 1 && (n = read(ends[0], said + size, sizeof said - 1 - size)) > 0;)
            size += (size_t)n;
        close(ends[0]);
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGABRT || strstr(said, "Assertion") == NULL ||
            strstr(said, cases[i].promise) == NULL)
            fail_msg("case %d, \"%s\": status %d: %s", i, cases[i].promise, status, said);
    }
}

static int assertions_in(const char *folder) {
    char path[1024], line[1024];
    int count = 0;
    snprintf(path, sizeof path, "%s/src/%s", getenv("SENJUTSU_ROOT"), folder);
    DIR *directory = opendir(path);
    assert_non_null(directory);
    for (const struct dirent *d; (d = readdir(directory)) != NULL;) {
        const char *ending = strrchr(d->d_name, '.');
        if (ending == NULL || strcmp(ending, ".c") != 0)
            continue;
        snprintf(path, sizeof path, "%s/src/%s/%s", getenv("SENJUTSU_ROOT"), folder, d->d_name);
        FILE *file = fopen(path, "r");
        assert_non_null(file);
        while (fgets(line, sizeof line, file) != NULL)
            count += strstr(line, " assert(") != NULL;
        fclose(file);
    }
    closedir(directory);
    return count;
}

static void one_in_ten_is_shown(void **state) {
    (void)state;
    const int all =
        assertions_in("match") + assertions_in("serve") + assertions_in("net") + assertions_in("tournament");
    assert_true(all > 200);
    if (10 * CASES < all)
        fail_msg("%d of %d assertions are shown to fire; add cases for new ones here", (int)CASES, all);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_broken_promise_ends_its_process),
        cmocka_unit_test(one_in_ten_is_shown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
