/* SPDX-License-Identifier: MIT
 *
 * Shared by the subcommands: the terminal, clock, cores, cluster, signals, records and maps as files; what
 * players may start, and how many games this machine can run in parallel; secrets and addresses of servers;
 * and option tables, which one function reads and one prints.
 */
#include "base/mem.h"
#include "cli/cli.h"
#include "config.h"
#include "game/tbs/map.h"
#include "game/tbs/tbs.h"
#include "link/link.h"
#include "player/ext.h"
#include "player/player.h"
#include "protocol/talk.h"
#include "pool/pool.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <jansson.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* ---- messages ---- */

/* A process runs one command, so messages need not be told its name. */
static const struct cli_command *running;

/* More than a struct err has: a sentence may quote several command lines. */
enum { SENTENCE_MAX = 8192 };

/* A message may quote foreign files or programs, so control characters are removed. If memory ran out, that
 * may be the reason for whatever the sentence complains about, and then also wrong usage is a failure: the
 * same command may be right another time. Standard output is flushed first, so that both streams in one file
 * keep their order. */
int cli_error(int status, const char *format, ...) {
    const bool is_short = errno == ENOMEM || mem_failures() > 0;
    const char *gap = running != NULL ? " " : "", *name = running != NULL ? running->name : "";
    char sentence[SENTENCE_MAX];
    struct text shown = {0};
    va_list args;
    va_start(args, format);
    vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    charset_show_sentence(sentence, strlen(sentence), &shown);
    fflush(stdout);
    fprintf(stderr, "senjutsu%s%s: %s\n", gap, name, text_string(&shown));
    text_done(&shown);
    if (is_short && strstr(sentence, "memory") == NULL)
        fputs("There was not enough memory, which may be the reason.\n", stderr);
    if (status == CLI_USAGE && is_short)
        return CLI_FAILED;
    if (status == CLI_USAGE)
        fprintf(stderr, "Try 'senjutsu%s%s --help'.\n", gap, name);
    return status;
}

/* For what can fail in the middle of any command: without its name. */
static void end_program(const char *what, int problem) {
    running = NULL;
    exit(cli_error(CLI_FAILED, "%s: %s", what, strerror(problem)));
}

/* ---- terminal ---- */

bool cli_colour(int file) {
    const char *no_colour = getenv("NO_COLOR");
    int columns, rows;
    return (no_colour == NULL || no_colour[0] == '\0') && cli_terminal(file, &columns, &rows);
}

bool cli_terminal(int file, int *columns, int *rows) {
    const char *term = getenv("TERM");
    if (!isatty(file) || term == NULL || strcmp(term, "dumb") == 0)
        return false;
    struct winsize size;
    const bool known = ioctl(file, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0;
    *columns = known ? size.ws_col : 80;
    *rows = known ? size.ws_row : 24;
    return true;
}

static int64_t begin_ns; /* of cli_begin */

static struct {
    int64_t drawn_ns; /* last drawing, on cli_clock; 0: the first one is due at once */
    bool is_drawn, is_dim;
} status_line;

bool cli_status_is_due(int every_ms) {
    int columns, rows;
    return cli_terminal(STDERR_FILENO, &columns, &rows) &&
           clock_now_ns(cli_clock()) - status_line.drawn_ns >= every_ms * INT64_C(1000000);
}

bool cli_status_is_drawn(void) {
    return status_line.is_drawn;
}

void cli_status_delay(void) {
    status_line.drawn_ns = begin_ns;
}

void cli_status_dim(void) {
    status_line.is_dim = true;
}

void cli_status_draw(const char *format, ...) {
    char line[512];
    va_list arguments;
    int columns, rows;
    if (!cli_terminal(STDERR_FILENO, &columns, &rows))
        return;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    const bool colour = status_line.is_dim && cli_colour(STDERR_FILENO);
    fprintf(stderr, "\r\033[K%s%.*s%s", colour ? "\033[2m" : "", columns - 1, line, colour ? "\033[0m" : "");
    fflush(stderr);
    status_line.drawn_ns = clock_now_ns(cli_clock());
    status_line.is_drawn = true;
}

void cli_status_clear(void) {
    if (status_line.is_drawn)
        fputs("\r\033[K", stderr);
    status_line.is_drawn = false;
}

bool cli_read_line(const char *prompt, char *line, int line_size) {
    assert(line_size > 2);
    for (;;) {
        fputs(prompt, stdout);
        fflush(stdout);
        if (fgets(line, line_size, stdin) == NULL)
            return false;
        if ((int)strlen(line) < line_size - 1 || line[line_size - 2] == '\n')
            return true;
        int c;
        do /* the rest must not be taken for further lines */
            c = getchar();
        while (c != '\n' && c != EOF);
        printf("A line of more than %d characters is not understood.\n", line_size - 2);
    }
}

/* ---- clock and machine ---- */

/* Attempts to start the clock's thread: many programs that start together may use up all threads for a
 * moment. */
enum { BEAT_TRIES = 100 };

/* A clock that misses beats was stopped together with the program (base/clock.h), for instance by Ctrl-Z or
 * because the machine slept. */
static void *beat(void *clock) {
    const struct timespec pause = {.tv_nsec = CLOCK_BEAT_MS * 1000000L};
    for (;;) {
        nanosleep(&pause, NULL);
        clock_steady_beat(clock);
    }
    return NULL;
}

/* Static because its thread uses it until the program ends: the thread is never joined. */
static struct clock_steady steady;
static struct clock clock_of_all;

/* Its thread starts with signals blocked, so that they interrupt the main thread, which may wait in poll. If
 * the machine has no thread available, it tries again a little later. */
static void start_clock(void) {
    const struct clock raw = clock_system(), boot = clock_boot();
    sigset_t all, before;
    pthread_t thread;
    int problem = EAGAIN;
    clock_steady_init(&steady, &raw, &boot);
    clock_of_all = clock_steady(&steady);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    for (int tries = 0; problem == EAGAIN && tries < BEAT_TRIES; tries++) {
        problem = pthread_create(&thread, NULL, beat, &steady);
        if (problem == EAGAIN)
            poll(NULL, 0, CLOCK_BEAT_MS);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (problem != 0)
        end_program("no thread for the clock can be started", problem);
    pthread_detach(thread);
}

const struct clock *cli_clock(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, start_clock);
    return &clock_of_all;
}

/* In UTC, so that stores and records from different machines can be compared. */
void cli_date(char *out, size_t out_size) {
    const time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc) == NULL || strftime(out, out_size, "%Y-%m-%dT%H:%M:%SZ", &utc) == 0)
        out[0] = '\0';
}

/* At most as many as --jobs of `serve` takes. */
int cli_cores(void) {
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores < 1 ? 1 : cores > 1024 ? 1024 : (int)cores;
}

/* mpirun sets environment variables; their names depend on the MPI implementation. */
static bool is_under_mpirun(void) {
    static const char *const marks[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"};
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
        if (getenv(marks[i]) != NULL)
            return true;
    return false;
}

bool cli_is_leader(const struct cluster *cluster) {
    return cluster == NULL || cluster_rank(cluster) == 0;
}

/* Rank 0 shares nothing after a failure, so that the others end, too. All ranks call cluster_share in every
 * case: one that did not would leave the others waiting for it. Afterwards only rank 0 has something to
 * report, because the others would only repeat it. */
int cli_run_ranked(const struct cli_ranked *command, void *state, struct cluster **cluster, struct err *e) {
    struct err ignored;
    struct text text = {0};
    *cluster = is_under_mpirun() ? cluster_open(e) : NULL;
    if (*cluster == NULL && is_under_mpirun())
        return CLI_FAILED;
    const bool leads = cli_is_leader(*cluster);
    int status = leads ? command->prepare(state, e) : CLI_OK;
    if (*cluster != NULL) {
        bool ok = status == CLI_OK && (!leads || command->write(state, &text, e));
        if (!ok)
            text_clear(&text);
        ok = cluster_share(*cluster, &text, ok ? e : &ignored) && ok;
        if (ok && !leads)
            ok = text.size > 0 && command->read(state, &text, e);
        status = ok || status != CLI_OK ? status : CLI_FAILED;
    }
    text_done(&text);
    if (status == CLI_OK)
        status = command->play(state, e);
    if (!leads)
        e->text[0] = '\0';
    return status;
}

void cli_leave_cluster(struct cluster *cluster) {
    const int lost = cluster != NULL ? cluster_lost(cluster) : 0;
    const int rank = lost > 0 ? cluster_rank(cluster) : 0;
    if (lost > 0 && rank == 0)
        cli_error(CLI_FAILED, "%d of %d ranks died; what they had in hand went to the others", lost,
                  cluster_size(cluster));
    else if (lost > 0 && rank == 1)
        cli_error(CLI_FAILED, "rank 0 died; the same command continues from what is stored");
    cluster_close(cluster);
}

/* ---- signals ---- */

atomic_bool cli_stop;
static atomic_int first_signal; /* the signal that asked the program to end; 0: none */

static const int ending_signals[] = {SIGHUP, SIGINT, SIGTERM};

/* The first signal is a request to stop; the second ends the program. A handler may run at any instruction,
 * so these two use atomic variables and _exit alone. */
static void on_request(int number) {
    int none = 0;
    if (!atomic_compare_exchange_strong(&first_signal, &none, number))
        _exit(CLI_SIGNALLED + number);
    atomic_store(&cli_stop, true);
}

static void on_order(int number) {
    _exit(CLI_SIGNALLED + number);
}

/* A signal that was ignored at the program's start, as nohup does with SIGHUP, stays ignored; except that
 * requests (SIGINT, SIGTERM) are always handled: shells start background programs of scripts with SIGINT
 * ignored, and the script has no other way to stop them cleanly. */
static void handle_signals(void (*handler)(int)) {
    for (size_t i = 0; i < sizeof ending_signals / sizeof ending_signals[0]; i++) {
        const int number = ending_signals[i];
        struct sigaction present, handling = {.sa_handler = handler};
        sigemptyset(&handling.sa_mask);
        const bool ignored = sigaction(number, NULL, &present) == 0 && present.sa_handler == SIG_IGN;
        if (!ignored || (handler == on_request && number != SIGHUP))
            sigaction(number, &handling, NULL);
    }
}

void cli_end_on_signals(void) {
    handle_signals(on_order);
}

void cli_catch_interrupt(void) {
    handle_signals(on_request);
}

int64_t cli_begin(void) {
    cli_catch_interrupt();
    return begin_ns = clock_now_ns(cli_clock());
}

double cli_seconds(void) {
    return clock_seconds_since(cli_clock(), begin_ns);
}

/* ---- records ---- */

bool cli_ends_in(const char *path, const char *ending) {
    const size_t size = strlen(path), ending_size = strlen(ending);
    return size > ending_size && strcmp(path + size - ending_size, ending) == 0;
}

const struct record_form *cli_record_form(const struct record *record, const char *path, struct err *e) {
    const struct game *game = game_find(record->game);
    const bool is_log = cli_ends_in(path, ".txt") && record_find_form(game, "log", NULL) != NULL;
    return record_find_form(game, cli_ends_in(path, ".sgf") ? "sgf" : is_log ? "log" : "json", e);
}

bool cli_write_record(const struct record *record, const char *path, struct err *e) {
    const struct record_form *form = cli_record_form(record, path, e);
    struct text text = {0};
    const bool ok =
        form != NULL && form->write(record, &text, e) && file_write(path, text_string(&text), text.size, e);
    text_done(&text);
    return ok;
}

/* ---- maps ---- */

/* Finds the folder of bundled maps: beside the build directory of the program, or installed. The program's
 * own path is used and not the current folder, so that bare names of maps work everywhere. */
bool cli_maps_folder(char out[FILE_PATH_MAX]) {
    static const char *const places[] = {"../maps", "../share/senjutsu/maps", "maps"};
    char program[FILE_PATH_MAX], known[FILE_PATH_MAX];
    const ssize_t size = readlink("/proc/self/exe", program, sizeof program - 1);
    program[size > 0 ? size : 0] = '\0';
    char *slash = strrchr(program, '/');
    if (slash == NULL)
        return false;
    *slash = '\0';
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) /* ours contains this map, others may not */
        if (file_path(known, NULL, "%s/%s/standard.tbsmap", program, places[i]) && access(known, R_OK) == 0)
            return file_path(out, NULL, "%s/%s", program, places[i]);
    snprintf(out, FILE_PATH_MAX, "%s", SENJUTSU_MAPS); /* a build folder outside the project */
    return access(out, R_OK) == 0;
}

/* Fills the path of an existing file, of a bundled map, or `name`: opening that gives the reason then. A file
 * in the current folder hides a bundled map of the same name, never the other way round. */
static void find_map(const char *name, char out[FILE_PATH_MAX]) {
    static const char *const endings[] = {".tbsmap", ""};
    char folder[FILE_PATH_MAX];
    if (strcmp(name, "-") != 0 && access(name, F_OK) != 0 && strchr(name, '/') == NULL &&
        cli_maps_folder(folder))
        for (int i = 0; i < 2; i++)
            if (file_path(out, NULL, "%s/%s%s", folder, name, endings[i]) && access(out, R_OK) == 0)
                return;
    snprintf(out, FILE_PATH_MAX, "%s", name);
}

bool cli_read_map(const char *name, char path[FILE_PATH_MAX], struct text *out, struct err *e) {
    find_map(name, path);
    const bool ok = file_read(path, TBS_MAP_TEXT_MAX, out, e);
    if (!ok && strpbrk(path, "./-") == NULL && access(path, F_OK) != 0) /* a word: the name of a map */
        err_set(e, "%s: there is neither a file nor a map of this name; see 'senjutsu map list'", path);
    return ok;
}

bool cli_make_folder(const char *path, struct err *e) {
    if (path[0] == '\0')
        return err_set(e, "--out needs the name of a folder");
    return file_make_folder(path, e) && (access(path, W_OK | X_OK) == 0 ||
                                         err_set(e, "%s: cannot be written to: %s", path, strerror(errno)));
}

/* ---- games from options ---- */

/* Reads the game's spec and adds --rules to it. */
static bool read_game(const struct cli_source *source, struct spec *out, struct err *e) {
    if (!spec_parse(source->game, out, e))
        return err_prefix(e, "--game ");
    const struct game *game = game_find(out->name);
    if (game == NULL)
        return err_set(e, "game '%s' is unknown; 'senjutsu games' lists them", out->name);
    const bool maps = game_offer(game)->takes_map;
    if (!maps && (source->map != NULL || source->rules != NULL))
        return err_set(e, "--%s does not go with --game %s, which is played without maps",
                       source->map != NULL ? "map" : "rules", out->name);
    return (source->rules == NULL || spec_add(out, "rules", source->rules, e)) &&
           params_check(game->options, out, e);
}

/* Files are not opened here: what fails there is no wrong usage. */
bool cli_check_source(const struct cli_source *source, struct err *e) {
    struct spec spec;
    if (source->game != NULL)
        return read_game(source, &spec, e);
    return source->rules == NULL || tbs_read_rules(source->rules, e) != NULL;
}

struct scenario *cli_load_map(const struct game *game, const char *name, const struct spec *options,
                              const char *rules, struct err *e) {
    char path[FILE_PATH_MAX];
    struct text text = {0};
    struct scenario *scenario = NULL;
    if (cli_read_map(name != NULL ? name : "standard", path, &text, e)) {
        const struct game_source map = {path, text_string(&text), text.size, options};
        scenario = options != NULL ? game_load(game, &map, e) : game_load_map(game, rules, &map, e);
    }
    text_done(&text);
    return scenario;
}

/* Without --game the tactical game is played; the map decides whether on the small or on the wide board. */
struct scenario *cli_load_source(const struct cli_source *source, struct err *e) {
    struct spec spec;
    if (source->game == NULL)
        return cli_load_map(&tbs_game, source->map, NULL, source->rules, e);
    if (!read_game(source, &spec, e))
        return NULL;
    const struct game *game = game_find(spec.name);
    return game_offer(game)->takes_map ? cli_load_map(game, source->map, &spec, NULL, e)
                                       : game_load_spec(source->game, e);
}

/* Loads every map of the list, or one game without maps. A spec contains commas, so it is not split. */
bool cli_load_sources(struct cli_maps *maps, const struct cli_source *source, struct err *e) {
    struct spec spec;
    *maps = (struct cli_maps){0};
    if (source->game != NULL && !read_game(source, &spec, e))
        return false;
    const bool single = source->game != NULL && !game_offer(game_find(spec.name))->takes_map;
    text_add_string(&maps->list, single ? source->game : source->map != NULL ? source->map : "standard");
    const int count = single ? 1 : text_split(maps->list.data, ',', maps->names, CLI_MAPS_MAX);
    if (single)
        maps->names[0] = maps->list.data;
    if (count < 0)
        return err_set(e, "more than %d maps", CLI_MAPS_MAX);
    for (; maps->count < count; maps->count++) {
        const char *name = maps->names[maps->count];
        if (name[0] == '\0')
            return err_set(e, "--map has an empty name in it");
        const struct cli_source one = {source->game, single ? NULL : name, source->rules};
        maps->scenarios[maps->count] = cli_load_source(&one, e);
        if (maps->scenarios[maps->count] == NULL)
            return false;
    }
    return true;
}

void cli_unload_maps(struct cli_maps *maps) {
    for (int i = 0; i < maps->count; i++)
        game_unload(maps->scenarios[i]);
    text_done(&maps->list);
    *maps = (struct cli_maps){0};
}

/* ---- permissions ----
 *
 * What players may start, connect to and read (docs/trust.md): everything typed on this command line, and
 * what a file names once a person has allowed it. */

static struct grant granted; /* for the rest of the process */

const struct grant *cli_grant(void) {
    return &granted;
}

void cli_typed_player(const char *spec) {
    grant_add(&granted, spec, NULL);
}

/* Asks a person at a terminal, unless --programs allows it. The terminal of mpirun is not interactive. */
static bool get_leave(const char *file, bool programs, const struct text *missing) {
    char line[16];
    cli_error(CLI_FAILED,
              programs ? "%s names players that do this, and --programs allows it:"
                       : "%s names players that do what was not typed on this command line:",
              file);
    for (const char *at = text_string(missing); *at != '\0'; at = strchr(at, '\n') + 1)
        fprintf(stderr, "  %.*s\n", (int)strcspn(at, "\n"), at);
    if (programs)
        return true;
    if (!isatty(STDIN_FILENO) || !isatty(STDERR_FILENO) || is_under_mpirun()) {
        fprintf(stderr, "Nothing of that was done. If you trust it, --programs allows it.\n");
        return false;
    }
    fputs("Allow this? [y/N] ", stderr);
    fflush(stderr);
    const bool read = fgets(line, sizeof line, stdin) != NULL;
    if (!read)
        fputc('\n', stderr);
    return read && (strcmp(line, "y\n") == 0 || strcmp(line, "yes\n") == 0);
}

bool cli_permit(const char *file, const char *const *specs, int count, bool programs) {
    struct text missing = {0};
    struct err e;
    bool ok = true;
    for (int i = 0; ok && i < count; i++)
        ok = grant_missing(&granted, specs[i], &missing, &e);
    if (!ok)
        cli_error(CLI_FAILED, "%s: %s", file, e.text);
    ok = ok && (missing.size == 0 || get_leave(file, programs, &missing));
    for (int i = 0; ok && i < count; i++)
        cli_typed_player(specs[i]); /* from now on they count as typed */
    text_done(&missing);
    return ok;
}

/* ---- missing programs ----
 *
 * A mistyped command of an external player would lose every game as a crash. That is a ruling, not an
 * error, so it only causes a warning: a running tournament must not stop because a program is missing. */

enum { PROGRAM_MAX = 512, FOLDER_MAX = 4096 };

/* The first word of a command, if it is evidently a program. Other commands are left to the shell. */
static bool program_of(const char *command, char *out, size_t out_size) {
    static const char *const shell_words[] = {"cd",   "exec", "if",     "for", "while",
                                              "case", "set",  "export", ".",   ":"};
    command += strspn(command, " \t");
    const size_t size = strcspn(command, " \t");
    if (size == 0 || size >= out_size)
        return false;
    memcpy(out, command, size);
    out[size] = '\0';
    for (size_t i = 0; i < sizeof shell_words / sizeof shell_words[0]; i++)
        if (strcmp(shell_words[i], out) == 0)
            return false;
    return strpbrk(out, "=;|&<>()`$'\"\\*?[~!{}") == NULL;
}

/* Follows execvp: a name with a slash is a path, others are looked for in $PATH, whose empty parts are the
 * current folder. */
static bool is_there(const char *program) {
    if (strchr(program, '/') != NULL)
        return access(program, X_OK) == 0;
    const char *at = getenv("PATH");
    while (at != NULL && *at != '\0') {
        char file[FOLDER_MAX + PROGRAM_MAX + 1];
        const size_t size = strcspn(at, ":");
        snprintf(file, sizeof file, "%.*s%s%.*s", size < FOLDER_MAX ? (int)size : 0, at, size > 0 ? "/" : "",
                 PROGRAM_MAX, program);
        if (access(file, X_OK) == 0)
            return true;
        at += size + (at[size] == ':');
    }
    return false;
}

/* Only the outer program of a player is looked for; what a script starts is not known here. */
void cli_check_program(const char *name, const char *player) {
    struct ext_options options;
    char program[PROGRAM_MAX];
    if (!talk_read_spec(player, &options, NULL) || !program_of(options.cmd, program, sizeof program) ||
        is_there(program))
        return;
    cli_error(CLI_FAILED, "warning: %s: there is no program '%s' to start; all its games will be lost", name,
              program);
}

/* ---- number of parallel games ---- */

/* Each external player needs a process and a few descriptors (link/link.h). A run that meets a limit cannot
 * continue, so the number of parallel games is reduced at the start. */

enum {
    DESCRIPTORS_KEPT = 8,   /* for stores, records and pages written during the run */
    DESCRIPTORS_ENDING = 2, /* a worker that ends a program reads the list of processes */
    PROCESSES_EACH = 2,     /* a program and the shell that started it */
    PROCESSES_KEPT = 8,
    DESCRIPTORS_MAX = 1 << 20,
};

struct jobs_limit {
    int jobs, each; /* possible jobs, and the resource units that each needs */
    long allowed;
    const char *what, *option; /* "open files", "ulimit -n" */
};

/* Descriptors that are open already count, because a shell or a job scheduler may have handed some on. The
 * folder that is being read is one of them, which errs on the safe side. */
static struct jobs_limit by_descriptors(int wanted, int players) {
    const int each = LINK_DESCRIPTORS * players + DESCRIPTORS_ENDING;
    int open_now = DESCRIPTORS_KEPT + LINK_DESCRIPTORS_STARTING;
    DIR *list = opendir("/proc/self/fd");
    while (list != NULL && readdir(list) != NULL)
        open_now++;
    if (list != NULL)
        closedir(list);
    const int need = open_now + each * wanted;
    const int allowed = cli_descriptors(need < DESCRIPTORS_MAX ? need : DESCRIPTORS_MAX);
    return (struct jobs_limit){(allowed - open_now) / each, each, allowed, "open files", "ulimit -n"};
}

/* The kernel does not limit root. Threads count too: a directory has one link per subdirectory, and two of
 * its own. */
static struct jobs_limit by_processes(int wanted, int players) {
    const int each = 1 + PROCESSES_EACH * players;
    const uid_t user = geteuid();
    struct rlimit limit;
    struct jobs_limit out = {wanted, each, 0, "processes", "ulimit -u"};
    if (user == 0 || getrlimit(RLIMIT_NPROC, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
        limit.rlim_cur > DESCRIPTORS_MAX)
        return out;
    out.allowed = (long)limit.rlim_cur;
    long free_tasks = out.allowed - PROCESSES_KEPT;
    DIR *list = opendir("/proc");
    for (const struct dirent *entry; list != NULL && (entry = readdir(list)) != NULL;) {
        char path[300];
        struct stat about;
        snprintf(path, sizeof path, "/proc/%s/task", entry->d_name);
        if (strspn(entry->d_name, "0123456789") > 0 && stat(path, &about) == 0 && about.st_uid == user)
            free_tasks -= about.st_nlink > 2 ? (long)about.st_nlink - 2 : 1;
    }
    if (list != NULL)
        closedir(list);
    out.jobs = (int)(free_tasks / each);
    return out;
}

int cli_parallel_games(int jobs, const struct cli_programs *programs) {
    assert(jobs >= 0 && programs->count >= 0 && programs->copies > 0 && programs->open_max >= 0);
    const int wanted = jobs > 0 ? jobs : cli_cores();
    int players = 0;
    if (programs->cluster != NULL && cluster_size(programs->cluster) > 1)
        return 1;                             /* mpirun was told how many processes this machine takes */
    for (int i = 0; i < programs->count; i++) /* also nested ones: "split:player=[ext:…]" */
        for (const char *spec = programs->specs[i], *at = spec; (at = strstr(at, "ext:")) != NULL; at++)
            players += at == spec || strchr("[=; ", at[-1]) != NULL ? programs->copies : 0;
    if (programs->open_max > 0 && players > programs->open_max)
        players = programs->open_max;
    if (players == 0)
        return wanted;
    const struct jobs_limit descriptors = by_descriptors(wanted, players);
    const struct jobs_limit processes = by_processes(wanted, players);
    const struct jobs_limit *least = processes.jobs < descriptors.jobs ? &processes : &descriptors;
    const int fitting = least->jobs > 1 ? least->jobs : 1;
    if (fitting >= wanted)
        return wanted;
    cli_error(CLI_OK, "%d game%s at a time and not %d: %ld %s are allowed (%s), and a game needs %d", fitting,
              fitting == 1 ? "" : "s", wanted, least->allowed, least->what, least->option, least->each);
    return fitting;
}

/* ---- secrets and descriptors ---- */

void cli_secret(void *out, size_t size) {
    unsigned char *bytes = out;
    while (size > 0) {
        const ssize_t got = getrandom(bytes, size, 0);
        if (got < 0 && errno != EINTR)
            end_program("this system has no random numbers to give", errno);
        bytes += got > 0 ? got : 0;
        size -= got > 0 ? (size_t)got : 0;
    }
}

/* Tokens stand in addresses and on command lines: hexadecimal digits need no quoting there. */
void cli_make_token(char *out, int bytes) {
    for (int i = 0; i < bytes; i++) {
        unsigned char byte;
        cli_secret(&byte, 1);
        snprintf(out + 2 * i, 3, "%02x", (unsigned)byte);
    }
}

/* Characters that are unreserved in addresses (RFC 3986, section 2.3). */
bool cli_check_token(const char *option, const char *token, int length_min, struct err *e) {
    static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
    const size_t length = strlen(token);
    return (length >= (size_t)length_min && length <= CLI_TOKEN_MAX && strspn(token, allowed) == length) ||
           err_set(e, "%s: expected %d to %d letters, digits, '-', '.', '_' or '~'", option, length_min,
                   CLI_TOKEN_MAX);
}

/* Programs without privileges may raise the soft limit up to the hard one, and not beyond. */
int cli_descriptors(int wanted) {
    struct rlimit limit;
    const rlim_t all = (rlim_t)wanted;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return wanted;
    if (limit.rlim_cur < all) {
        const struct rlimit more = {limit.rlim_max < all ? limit.rlim_max : all, limit.rlim_max};
        if (setrlimit(RLIMIT_NOFILE, &more) == 0)
            limit = more;
    }
    return limit.rlim_cur < all ? (int)limit.rlim_cur : wanted;
}

/* ---- addresses ---- */

bool cli_read_place(const struct cli_arguments *arguments, struct cli_place *out, struct err *e) {
    if (arguments->count != 1)
        return err_set(e, "one server is needed, as HOST or HOST:PORT; given: %d", arguments->count);
    const char *text = arguments->values[0], *end = text + strlen(text), *port = NULL;
    if (text[0] == '[') {
        const char *bracket = strchr(++text, ']');
        if (bracket == NULL || (bracket[1] != '\0' && bracket[1] != ':'))
            return err_set(e, "[%s: expected [ADDRESS] or [ADDRESS]:PORT", text);
        end = bracket;
        port = bracket[1] == ':' ? bracket + 2 : NULL;
    } else if (strchr(text, ':') != NULL && strchr(text, ':') == strrchr(text, ':')) {
        end = strchr(text, ':');
        port = end + 1;
    }
    long number = 0;
    if (port != NULL && (!text_to_int(port, &number) || number < 1 || number > 65535))
        return err_set(e, "%s: expected HOST or HOST:PORT, a port being a number from 1 to 65535", text);
    if (end == text || (size_t)(end - text) >= sizeof out->host)
        return err_set(e, "'%.100s': is no name of a host", text);
    memcpy(out->host, text, (size_t)(end - text));
    out->host[end - text] = '\0';
    out->port = (int)number;
    return true;
}

/* ---- output ---- */

int cli_flush(void) {
    if (fflush(stdout) == 0 && ferror(stdout) == 0)
        return CLI_OK;
    return cli_error(CLI_FAILED, "standard output cannot be written: %s", strerror(errno));
}

bool cli_write_text(const char *path, const struct text *text, struct err *e) {
    if (strcmp(path, "-") != 0)
        return file_write(path, text_string(text), text->size, e);
    fwrite(text_string(text), 1, text->size, stdout);
    return (fflush(stdout) == 0 && ferror(stdout) == 0) ||
           err_set(e, "standard output cannot be written: %s", strerror(errno));
}

int cli_show_json(json_t *root) {
    cli_status_clear();
    const bool ok = root != NULL && json_dumpf(root, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(9)) == 0;
    json_decref(root);
    if (root == NULL)
        return cli_error(CLI_FAILED, "the result has a text that is not UTF-8");
    putchar('\n');
    const int status = cli_flush();
    return ok ? status : CLI_FAILED;
}

int cli_show_text(struct text *text) {
    cli_status_clear();
    fwrite(text_string(text), 1, text->size, stdout);
    text_done(text);
    return cli_flush();
}

/* With JSON standard output holds nothing else, so that a script can read it as it is. */
void cli_message(bool with_json, const char *format, ...) {
    FILE *to = with_json ? stderr : stdout;
    va_list args;
    cli_status_clear();
    va_start(args, format);
    vfprintf(to, format, args);
    va_end(args);
    fputc('\n', to);
    fflush(to);
}

/* Flushed at once: rows come while the command runs, and a script may wait for the next one. */
bool cli_print_row(json_t *row) {
    const bool ok = row != NULL && json_dumpf(row, stdout, JSON_COMPACT | JSON_REAL_PRECISION(9)) == 0;
    putchar('\n');
    fflush(stdout);
    json_decref(row);
    return ok;
}

/* ---- options ---- */

/* A default out of range stands for an option that is not given. */
static bool has_default(const struct param *p, const char *fallback) {
    double number;
    if (p->is_explained || p->kind == PARAM_FLAG || p->kind == PARAM_CHOICES || p->kind == PARAM_GROUP)
        return false;
    return p->kind != PARAM_INT || (text_to_real(fallback, &number) && number >= p->low && number <= p->high);
}

/* Defaults come from the options and not from the table: a preset may have changed them (cli_body.before). */
static void print_row(const struct param *p, const void *options) {
    char name[SPEC_NAME_MAX], left[64];
    const char *of_value = param_value_name(p);
    const bool lists_choices = p->kind == PARAM_CHOICE && p->value == NULL;
    struct text value = {0};
    params_write_value(p, options, &value);
    param_option_name(p, name, sizeof name);
    snprintf(left, sizeof left, "--%s%s%s", name, of_value[0] != '\0' ? " " : "", of_value);
    printf("  %-24s %s%s%s", left, lists_choices ? p->choices : "", lists_choices ? ": " : "", p->help);
    if (value.size > 0 && has_default(p, text_string(&value)))
        printf(" [%s]", text_string(&value));
    putchar('\n');
    text_done(&value);
}

static void print_help(const struct cli_command *command, const struct params *sections) {
    printf("usage: senjutsu %s %s\n\n%s\n", command->name, command->usage, command->summary);
    if (sections->table != NULL)
        printf("\nOptions:\n");
    for (const struct params *s = sections; s->table != NULL; s++)
        for (const struct param *p = s->table; p->name != NULL; p++) {
            if (p->kind != PARAM_GROUP || p->parse != NULL)
                print_row(p, s->options);
            for (const struct param *row = p->rows; row != NULL && row->name != NULL; row++)
                if (row->option != NULL)
                    print_row(row, (const char *)s->options + p->offset);
        }
    if (sections->table != NULL)
        printf("  %-24s %s\n", "--help", "this text");
    if (command->examples != NULL)
        printf("\nExamples:\n%s", command->examples);
}

/* Handles argv[*i], which begins with "--"; may take argv[*i + 1] as its value. Whatever was typed as a
 * player is granted what it does (player/player.h): the person who types a command line could start the
 * program anyway. */
static bool read_option(struct params *sections, int argc, char **argv, int *i, struct err *e) {
    const char *name = argv[*i] + 2, *equals = strchr(name, '=');
    const size_t length = equals != NULL ? (size_t)(equals - name) : strlen(name);
    struct param_place place, rules;
    if (!params_find_option(sections, name, length, &place)) {
        /* A command that has --rules but no --game answers --game with an explanation. */
        const bool is_other_game = length == 4 && memcmp(name, "game", length) == 0 &&
                                   params_find_option(sections, "rules", 5, &rules);
        return err_set(e, "--%.*s is unknown%s", (int)length, name,
                       is_other_game ? ": only the tactical game is understood here" : "");
    }
    const struct param *p = place.row;
    if (p->kind == PARAM_FLAG)
        return equals == NULL ? params_set_option(&place, NULL, e)
                              : err_set(e, "--%.*s takes no value", (int)length, name);
    if (equals == NULL && *i + 1 >= argc)
        return err_set(e, "--%s needs a value: %s", name, param_value_name(p));
    const char *value = equals != NULL ? equals + 1 : argv[++*i];
    if (p->kind == PARAM_PLAYER || p->power == PARAM_SPEC)
        cli_typed_player(value);
    return params_set_option(&place, value, e);
}

/* Reads the arguments up to --help, where there is one. "-" alone is an argument: it stands for standard
 * input or output. */
static bool read_arguments(struct params *sections, int argc, char **argv, struct cli_arguments *out,
                           struct err *e) {
    bool options_over = false;
    for (int i = 1; i < argc; i++) {
        const char *argument = argv[i];
        if (options_over || argument[0] != '-' || argument[1] == '\0') {
            if (out->count == CLI_POSITIONAL_MAX)
                return err_set(e, "more than %d arguments", CLI_POSITIONAL_MAX);
            out->values[out->count++] = argument;
        } else if (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0) {
            out->wants_help = true;
            return true;
        } else if (argument[1] != '-') {
            return err_set(e, "%s is unknown; options begin with two dashes", argument);
        } else if (argument[2] == '\0') {
            options_over = true;
        } else if (!read_option(sections, argc, argv, &i, e)) {
            return false;
        }
    }
    return true;
}

void cli_apply(struct params *sections, int argc, char **argv) {
    struct cli_arguments unused = {0};
    const bool ok = read_arguments(sections, argc, argv, &unused, NULL);
    assert(ok);
    (void)ok;
}

/* ---- commands ---- */

static const char *verb_name(const struct cli_command *verb) {
    return strchr(verb->name, ' ') + 1;
}

/* Only the first example of each verb is shown; `COMMAND VERB --help` has all. */
static int print_verbs(const struct cli_command *self, const struct cli_command *verbs) {
    printf("usage: senjutsu %s %s\n\n%s\n\nVerbs ('senjutsu %s VERB --help' says more):\n", self->name,
           self->usage, self->summary, self->name);
    for (const struct cli_command *v = verbs; v->name != NULL; v++)
        printf("  %-8s %s\n", verb_name(v), v->summary);
    printf("\nExamples:\n");
    for (const struct cli_command *v = verbs; v->name != NULL; v++)
        printf("%.*s\n", (int)strcspn(v->examples, "\n"), v->examples);
    return cli_flush();
}

/* Reads the arguments and runs the command; returns the exit status. Only a command that has succeeded is
 * tested for lost output: after a failure there is a message already. */
static int run_call(const struct cli_command *self, struct cli_call *call, void *state) {
    const struct cli_body *body = self->body;
    const struct cli_arguments *arguments = &call->arguments;
    struct err e = {{0}};
    if (body->before != NULL && !body->before(state, call->argc, call->argv, &e))
        return cli_error(CLI_USAGE, "%s", e.text);
    for (struct params *s = call->sections; s->table != NULL; s++)
        if (!s->has_values)
            params_default(s->table, s->options);
    if (!read_arguments(call->sections, call->argc, call->argv, &call->arguments, &e))
        return cli_error(CLI_USAGE, "%s", e.text);
    if (arguments->wants_help) {
        print_help(self, call->sections);
        return cli_flush();
    }
    if (!body->takes_arguments && body->takes_one == NULL && arguments->count > 0)
        return cli_error(CLI_USAGE, "'%s' is not wanted here", arguments->values[0]);
    if (body->takes_one != NULL && arguments->count != 1)
        return cli_error(CLI_USAGE, "one %s is needed; given: %d", body->takes_one, arguments->count);
    const int status = body->run(state, call, &e);
    cli_status_clear();
    if (status == CLI_OK)
        return cli_flush();
    return e.text[0] != '\0' ? cli_error(status, "%s", e.text) : status;
}

/* The state is on the heap because some are too large for a stack. */
static int run_body(const struct cli_command *self, int argc, char **argv) {
    const struct cli_body *body = self->body;
    struct cli_call call = {.body = body, .argc = argc, .argv = argv};
    char *state = mem_alloc(body->size);
    assert(argc > 0);
    for (int i = 0; i < CLI_SECTIONS_MAX && body->options[i].table != NULL; i++)
        call.sections[i] = (struct params){.table = body->options[i].table,
                                           .options = state + body->options[i].offset,
                                           .has_values = body->options[i].has_values};
    const int status = run_call(self, &call, state);
    if (body->done != NULL)
        body->done(state);
    mem_free(state);
    return status;
}

static int run_verb(const struct cli_command *self, int argc, char **argv) {
    const struct cli_command *verbs = self->verbs;
    const char *name = argc >= 2 ? argv[1] : NULL;
    struct text names = {0}; /* "list, show or draw" */
    assert(argc > 0);
    for (const struct cli_command *v = verbs; name != NULL && v->name != NULL; v++)
        if (strcmp(verb_name(v), name) == 0) {
            running = v;
            return run_body(v, argc - 1, argv + 1);
        }
    if (name != NULL && (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0))
        return print_verbs(self, verbs);
    for (const struct cli_command *v = verbs; v->name != NULL; v++)
        text_add(&names, "%s%s", v == verbs ? "" : v[1].name == NULL ? " or " : ", ", verb_name(v));
    const int status = name == NULL
                           ? cli_error(CLI_USAGE, "needs a verb: %s", text_string(&names))
                           : cli_error(CLI_USAGE, "'%s' is no verb; expected %s", name, text_string(&names));
    text_done(&names);
    return status;
}

/* A signal has precedence: a command that was asked to stop has often done its work all the same, or has
 * failed because of the request, and neither status would tell a script what happened. Where a large block
 * cannot be allocated a result may only be incomplete, so a command that was short of memory has not
 * succeeded. */
int cli_execute(const struct cli_command *command, int argc, char **argv) {
    running = command;
    const int status = command->verbs != NULL ? run_verb(command, argc, argv) : run_body(command, argc, argv);
    const int number = atomic_load(&first_signal);
    if (number != 0)
        return CLI_SIGNALLED + number;
    if (status != CLI_OK || mem_failures() == 0)
        return status;
    running = command; /* and not its verb */
    return cli_error(CLI_FAILED, "there was not enough memory: the result may be incomplete");
}
