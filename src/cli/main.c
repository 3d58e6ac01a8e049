/* SPDX-License-Identifier: MIT
 *
 * `senjutsu SUBCOMMAND …`: finds the subcommand and runs it.
 */
#include "cli/cli.h"
#include "base/mem.h"
#include "config.h"
#include "evolve/gallery.h"
#include "pool/pool.h"

#ifdef __GLIBC__
#include <jansson.h>
#include <malloc.h>
#endif
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* In the order of --help: what a newcomer needs first. Each command has a row in docs/trust.md, which
 * tools/check-trust compares with this table. Examples are whole lines, as --help prints them; those of
 * commands with verbs are in the tables of the verbs. */
static const struct cli_command cli_commands[] = {
    {"serve", "the workbench in a browser: play, watch, analyse, draw maps, run tournaments", "[options]",
     "  senjutsu serve --open                         shows the page: http://127.0.0.1:8080/\n"
     "  senjutsu serve --port 9000 --data event/      another port, another folder for games, maps and jobs\n"
     "  senjutsu serve --bind 0.0.0.0                 other machines too; prints an address with a token\n"
     "  senjutsu serve --bind 0.0.0.0 --host event.example.org --token 5pring-event\n",
     .body = &cli_serve},
    {"play", "a game in the terminal, against any player or between two people", "[options]",
     "  senjutsu play                                 you (red) against acteval on the standard map\n"
     "  senjutsu play --map duel --red human --blue human\n"
     "  senjutsu play --red acteval --blue acteval    watch\n"
     "  senjutsu play --game geister                  you (first) against geist\n"
     "  senjutsu play --game kuhn                     cards: you see only yours\n",
     .body = &cli_play},
    {"match", "two players, many games, statistics", "PLAYER PLAYER [options]",
     "  senjutsu match random acteval --games 100\n"
     "  senjutsu match acteval acteval:style=sample --map standard8 --games 1000 --jobs 2 --json\n"
     "  senjutsu match random acteval --games 10 --records games/\n"
     "  senjutsu match acteval acteval:style=sample --games 100000 --sprt 0,20    until it is decided\n"
     "  senjutsu match amcts pimc --game synth:df=0.9 --games 2000    another game, both sides of every "
     "deal\n",
     .body = &cli_match},
    {"plan", "how many games does a difference need, and what can so many games show?", "[options]",
     "  senjutsu plan --elo 20                        games that show a difference of 20 Elo\n"
     "  senjutsu plan --elo 20 --draws 0.2 --alpha 0.01 --power 0.9\n"
     "  senjutsu plan --games 1000 --json             what 1000 games can show\n"
     "  senjutsu plan --published 35 --of 500 --power 0.8    trials beside a published share\n",
     .body = &cli_plan},
    {"tournament", "round robin, gauntlet, Swiss or knock-out; resumable", "[options]",
     "  senjutsu tournament --players uct:sims=60,acteval,random --maps standard,duel --games 10\n"
     "  senjutsu tournament --players acteval,random --store event.db --out results\n"
     "  senjutsu tournament --store event.db          shows it; --continue continues where it was stopped\n"
     "  senjutsu tournament --preset gat-tactical --entries players.json --maps maps/ --programs\n"
     "  senjutsu tournament --players 'ext:cmd=./mybot,acteval' --clock turn=10 --format swiss\n"
     "  senjutsu tournament --players geist,purple,pg --game geister --games 20\n"
     "  senjutsu tournament --preset gat-tactical --show-rules\n",
     .body = &cli_tournament},
    {"verify", "executes every game of a tournament's or match's store again", "STORE [options]",
     "  senjutsu verify event.db                      also that its standings follow from the games\n"
     "  senjutsu verify match.db --json\n",
     .body = &cli_verify},
    {"analyze", "what a player thinks of a position, and the turn it would play", "[options]",
     "  senjutsu analyze                              the standard map's first turn\n"
     "  senjutsu analyze --map duel --player uct:sims=20000 --watch\n"
     "  senjutsu analyze --after game.json:12         the position after twelve recorded actions\n"
     "  senjutsu analyze --after game.json:12 --time 500 --top 3 --json\n"
     "  senjutsu analyze --game fusion --player pimc:evaluator=minimax\n"
     "  senjutsu analyze --game geister --position MOV?14R24R34R44R15B25B35B45B41u31u21u11u40u30u20u10u\n",
     .body = &cli_analyze},
    {"solve", "the exact result of a small position with best play, or what can be proved about it",
     "[options]",
     "  senjutsu solve                                maps/duel.tbsmap: who wins, how soon, and how\n"
     "  senjutsu solve --game tictactoe               any game in which nothing is hidden\n"
     "  senjutsu solve --map small.tbsmap --time 600 --memory 1024\n"
     "  senjutsu solve --after game.json:20           the position after twenty recorded actions\n"
     "  senjutsu solve --after game.sgf:20 --wdl --json   only win, draw or loss, for a script\n",
     .body = &cli_solve},
    {"exploit", "the value of a small game, and what a player loses to a best response",
     "PLAYER... [options]",
     "  senjutsu exploit pimc:evaluator=minimax ismcts --game fusion    sure of a win it cannot find: "
     "gets 0, not 0.5\n"
     "  senjutsu exploit random pimc --game kuhn                        worth -1/18 chips to the first\n"
     "  senjutsu exploit --player pimc --game synth:tree=1,df=0.3       one tree\n"
     "  senjutsu exploit pimc iimc amcts --game synth:df=0.1 --trees 50 --json\n",
     .body = &cli_exploit},
    {"measure", "leaf correlation, bias and disambiguation factor of any game", "[options]",
     "  senjutsu measure --game kuhn                  by 20000 random games, with 95% intervals\n"
     "  senjutsu measure --game synth:payoffs=signs,lc=0.3,bias=0.75,df=0.5    its own parameters\n"
     "  senjutsu measure --game geister --last 20     disambiguation in the last 20 decisions only\n"
     "  senjutsu measure --map duel --games 2000 --json\n",
     .body = &cli_measure},
    {"map", "list, show, check, draw, convert, make and measure maps", "VERB [arguments]", NULL,
     .verbs = cli_map_verbs},
    {"evolve", "makes maps that are fair and on which the stronger player wins; resumable", "[options]",
     "  senjutsu evolve --preset designer --out maps-of-mine   a gallery that grows: "
     "maps-of-mine/index.html\n"
     "  senjutsu evolve --out maps-of-mine --continue  continues where it was stopped, or shows the result\n"
     "  senjutsu evolve --preset paper --seed 7        the published algorithm, shown here, nothing stored\n"
     "  senjutsu evolve --preset designer --width 8 --height 8 --symmetry turn --time 600 --out maps8\n"
     "  senjutsu evolve --preset designer --from standard --strong uct:sims=500 --weak uct:sims=50\n"
     "  senjutsu evolve --preset designer --show-recipe\n",
     .body = &cli_evolve},
    {"study", "people play and rate maps: links, their page, the results", "VERB [arguments]", NULL,
     .verbs = cli_study_verbs},
    {"replay", "step through a recorded game, or check it against the rules", "FILE [options]",
     "  senjutsu replay game.sgf                      Enter: next action, b: back, q: quit\n"
     "  senjutsu replay game.json --check             re-executes it, reports the first difference\n"
     "  senjutsu replay game.json --at 12             the board after twelve actions\n"
     "  senjutsu replay event.db --game 17            a game of a tournament's store\n"
     "  senjutsu replay event.db --game 17 --save game.sgf\n"
     "  senjutsu replay log-2024-05-01.txt --view second   a Geister server's log, as the second player saw "
     "it\n",
     .body = &cli_replay},
    {"train", "learns the weights of players and good set-ups by self-play", "VERB [arguments]", NULL,
     .verbs = cli_train_verbs},
    {"repro", "the papers' tables and figures, run again", "list | report DIR | NAME... [options]",
     "  senjutsu repro list                           what there is\n"
     "  senjutsu repro tbs-table6 --quick             one experiment, fewer repetitions\n"
     "  senjutsu repro tbs --out results              all tactical ones; run it again to continue\n"
     "  senjutsu repro synth-all --out results        AMCTS on synthetic trees: figures 2 to 9, and more\n"
     "  senjutsu repro report results                 one page over all results: results/report.html\n",
     .body = &cli_repro},
    {"engine", "speak the engine protocol, on standard input and output or over TCP", "[options]",
     "  printf 'sjp 1\\nmap maps/duel.tbsmap\\nlegal\\nquit\\n' | senjutsu engine\n"
     "  senjutsu engine --player acteval:style=sample\n"
     "  senjutsu engine --game geister --player purple\n"
     "  senjutsu engine --listen 5000\n",
     .body = &cli_engine},
    {"check", "is a program ready for a tournament? Does a fault happen again? Does a player see too much?",
     "PLAYER [options] | --replay REPORT [PLAYER] | --leaks PLAYER...",
     "  senjutsu check 'ext:cmd=python3 examples/bot.py'\n"
     "  senjutsu check 'ext:cmd=python3 examples/geister.py' --game geister\n"
     "  senjutsu check ext:cmd=./bot --map duel,standard8 --positions 200 --verbose\n"
     "  senjutsu check --replay faults/game-000017.json --programs    the same lines again: the same fault?\n"
     "  senjutsu check --replay faults/game-000017.json ext:cmd=./bot-repaired\n"
     "  senjutsu check --leaks pimc                        does it see what is hidden from it?\n"
     "  senjutsu check --leaks ismcts:sims=200 --game synth:df=0.5 --positions 500\n",
     .body = &cli_check},
    {"tubstap", "games over the platform's network protocol, as server or as client", "VERB [arguments]",
     NULL, .verbs = cli_tubstap_verbs},
    {"geister", "games over the official Geister server's protocol, as server or as client",
     "VERB [arguments]", NULL, .verbs = cli_geister_verbs},
    {"bench", "speed, and a signature that must not change", "[options]",
     "  senjutsu bench\n"
     "  senjutsu bench --map maps/standard8.tbsmap --seconds 2\n"
     "  senjutsu bench --json\n",
     .body = &cli_bench},
    {"players", "the players there are, with their options", "[NAME] [options]",
     "  senjutsu players\n"
     "  senjutsu players acteval\n",
     .body = &cli_players},
    {"games", "the games there are, with their options", "[NAME] [options]",
     "  senjutsu games\n"
     "  senjutsu games --check 200 --map standard     tests the laws of each game in random games\n"
     "  senjutsu games synth\n"
     "  senjutsu games --check 200 --game synth:df=0.3\n",
     .body = &cli_games},
    {0},
};

/* Shown without arguments. It leads to the commands that need no preparation. */
static void print_welcome(void) {
    printf("senjutsu %s: a workbench for the AI of turn-based tactics games\n\n"
           "Try:\n"
           "  senjutsu serve --open                      everything, in a browser\n"
           "  senjutsu play                              play a game here, now\n"
           "  senjutsu play --red acteval --blue random  watch one\n"
           "  senjutsu play --game kuhn                  cards: you see yours, the program its own\n"
           "  senjutsu match random acteval --games 100  who is stronger, and how sure is that?\n"
           "  senjutsu tournament --players uct:sims=60,acteval,random   and who of many?\n"
           "  senjutsu map show standard --legend        look at a map\n"
           "  senjutsu bench                             how fast is this machine?\n\n"
           "Commands ('senjutsu COMMAND --help' says more):\n",
           SENJUTSU_VERSION);
}

/* The hook for exhausted memory (base/mem.h). Everything that was reported as stored is on the disk already,
 * and external programs end with this one: so nothing is left to do but to give the reason. */
static void end_without_memory(void) {
    static const char sentence[] = "senjutsu: not enough memory\n";
    const ssize_t written = write(STDERR_FILENO, sentence, sizeof sentence - 1);
    (void)written;
    _exit(CLI_FAILED);
}

/* JSON values consist of small allocations: a missing member would go unnoticed. */
static void *allocate_piece(size_t size) {
    void *piece = malloc(size);
    if (piece == NULL)
        mem_exhausted();
    return piece;
}

/* Searching players allocate many megabytes and touch few of them. After repeated opening the C library
 * starts to reuse such blocks and has to clear them each time, which costs a hundred times a short search.
 * So large blocks always come from the system. */
static void prepare_memory(void) {
    mem_set_hook(end_without_memory);
    json_set_alloc_funcs(allocate_piece, free);
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 1 << 20);
    mallopt(M_TRIM_THRESHOLD, 32 << 20); /* blocks freed after one game are reused in the next */
#endif
}

/* A descriptor that is closed at the start would be given to the first file or connection that is opened, and
 * messages would be written there. Input is empty then, messages are lost, and writing a result fails. */
static void keep_standard_descriptors(void) {
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
            if (open("/dev/null", fd == STDERR_FILENO ? O_WRONLY : O_RDONLY) != fd)
                _exit(CLI_FAILED);
}

int main(int argc, char **argv) {
    keep_standard_descriptors();
    prepare_memory();
    cli_end_on_signals();
    /* A closed output shows as a failed write with a message instead of a silent end of the program. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* the same for a file at its size limit */
    const char *name = argc > 1 ? argv[1] : NULL;
    for (const struct cli_command *c = cli_commands; name != NULL && c->name != NULL; c++)
        if (strcmp(c->name, name) == 0)
            return cli_execute(c, argc - 1, argv + 1);
    const bool help =
        name != NULL && (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0);
    const bool version = name != NULL && (strcmp(name, "--version") == 0 || strcmp(name, "version") == 0);
    if (name != NULL && !help && !version)
        return cli_error(CLI_USAGE, "'%s' is no command", name);
    if (name == NULL)
        print_welcome();
    else if (help)
        printf("usage: senjutsu COMMAND [arguments]\n"
               "       senjutsu --help | --version\n\n"
               "Commands:\n");
    else
        printf("senjutsu %s (%s, %s build, %s Cairo, %s MPI)\n", SENJUTSU_VERSION, SENJUTSU_COMPILER,
               SENJUTSU_BUILD, gallery_draw != NULL ? "with" : "without",
               cluster_is_built() ? "with" : "without");
    for (const struct cli_command *c = cli_commands; !version && c->name != NULL; c++)
        printf("  %-10s %s\n", c->name, c->summary);
    if (help)
        printf("\nExit status: 0 success, 1 failure, 2 wrong usage;\n129, 130 and 143 after SIGHUP, SIGINT "
               "(Ctrl-C) and SIGTERM.\n");
    return cli_flush();
}
