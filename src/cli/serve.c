/* SPDX-License-Identifier: MIT
 *
 * `senjutsu serve`: runs the workbench for browsers until it is stopped. `senjutsu study serve` runs the same
 * server for the participants of a study: another page, and nothing but the study behind it.
 *
 * The defaults are for one person on this machine: only loopback connections, no token. A server that other
 * machines can reach always has a token, a random one if none is given, because the page can start players
 * and write files. Participants have no token: each has a secret link. Files of the data folder are readable
 * by their owner only. src/net has the web server, src/serve the workbench behind it.
 */
#include "cli/cli.h"

#include "base/mem.h"
#include "config.h"
#include "link/link.h"
#include "match/batch.h"
#include "net/http.h"
#include "net/web.h"
#include "serve/workbench.h"
#include "store/store.h"
#include "study/study.h"

#include <assert.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    ROUND_MS = 200, /* longest time between two tests for Ctrl-C */
    NAME_SIZE = 256,
    TOKEN_CHARS_MIN = 8,
    FILES_RESERVED =
        128, /* descriptors for purposes other than connections: stores, players of live games, maps */
    FILES_ENDING = 2, /* and per job, in addition to its players' */
    RUN_BYTES = 6,
    HOSTS_MAX = WEB_HOSTS_MAX - 3, /* of --host; the name of this machine comes after them */
};

/* What one server owns. Strings that the setups refer to are stored here, so it lives as long as they. */
struct serve {
    struct web_setup setup; /* options are read into it and into `work`, apart from these */
    struct workbench_setup work;
    const char *hosts, *origins;
    bool open, quiet;
    const char *study_path; /* NULL: the workbench is served */
    struct study *study;

    char folder[FILE_PATH_MAX], maps[FILE_PATH_MAX];
    char own_token[CLI_TOKEN_SIZE], run[2 * RUN_BYTES + 1], machine[NAME_SIZE];
    struct text names, places; /* the parts of --host and --origin */
    struct store_lock lock;
    struct workbench *bench;
    struct web *web;
};

/* ---- the data folder ---- */

/* Finds the data folder, creates it with its parents, and locks it: two servers on one folder would overwrite
 * each other's games. The lock is held until the end of the program. The games of a study that are under way
 * lie beside it. */
static bool open_folder(struct serve *s, struct err *e) {
    char lock[FILE_PATH_MAX + 16];
    struct stat info;
    struct err why;
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    bool is_named = false;
    if (s->study_path != NULL)
        is_named = study_games_folder(s->study_path, s->folder);
    else if (s->work.data != NULL)
        is_named = file_path(s->folder, NULL, "%s", s->work.data);
    else if (data != NULL && data[0] == '/') /* the XDG specification ignores relative paths */
        is_named = file_path(s->folder, NULL, "%s/senjutsu", data);
    else if (home != NULL && home[0] == '/')
        is_named = file_path(s->folder, NULL, "%s/.local/share/senjutsu", home);
    if (!is_named)
        return err_set(e, s->study_path != NULL ? "the name of the study is too long"
                          : s->work.data != NULL
                              ? "--data: the name is too long"
                              : "there is no home folder for games and maps; name a folder with --data");
    s->work.data = s->folder;
    snprintf(lock, sizeof lock, "%s/serve", s->folder);
    umask(S_IRWXG | S_IRWXO); /* files of games contain seat keys and hidden information */
    for (char *slash = strchr(s->folder + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        const bool ok = stat(s->folder, &info) == 0 || file_make_folder(s->folder, e);
        *slash = '/';
        if (!ok)
            return false;
    }
    if (!file_make_folder(s->folder, e))
        return false;
    return store_lock_take(&s->lock, lock, s->folder, &why) ||
           err_set(e, "%.400s (--data names another folder)", why.text);
}

/* ---- options ---- */

/* Splits a comma-separated list into `out`, which is empty at first and points into `storage`. */
static bool split_list(const char *list, struct text *storage, const char **out, int most, struct err *e) {
    char *pieces[WEB_HOSTS_MAX];
    assert(most <= WEB_HOSTS_MAX);
    if (list == NULL)
        return true;
    text_add_string(storage, list);
    const int count = text_split(storage->data, ',', pieces, most);
    for (int i = 0; i < count; i++)
        out[i] = pieces[i];
    return count >= 0 || err_set(e, "at most %d, with commas between them", most);
}

/* Checks the options and completes the token. Origins are checked by adding them to a guard that is then
 * dropped, so that a wrong one is wrong usage and not a failure of the network. */
static bool check(struct serve *s, struct err *e) {
    const bool is_loopback = web_guard_is_loopback(s->setup.bind);
    struct web_guard guard = {0};
    if (!cli_maps_folder(s->maps))
        return err_set(e, "the folder of our own maps is not where it should be: beside the program");
    if (is_loopback || gethostname(s->machine, sizeof s->machine) != 0)
        s->machine[0] = '\0';
    s->machine[sizeof s->machine - 1] = '\0';
    if (!split_list(s->hosts, &s->names, s->setup.hosts, HOSTS_MAX, e))
        return err_prefix(e, "--host: ");
    if (!split_list(s->origins, &s->places, s->setup.origins, WEB_ORIGINS_MAX, e))
        return err_prefix(e, "--origin: ");
    for (const char **place = s->setup.origins; *place != NULL; place++)
        if (!web_guard_add_origin(&guard, *place, e))
            return err_prefix(e, "--origin: ");
    if (s->setup.token != NULL)
        return cli_check_token("--token", s->setup.token, TOKEN_CHARS_MIN, e);
    if (s->study_path == NULL && (!is_loopback || s->origins != NULL)) { /* reachable from other machines */
        cli_make_token(s->own_token, CLI_TOKEN_BYTES);
        s->setup.token = s->own_token;
    }
    return true;
}

/* ---- the browser, started without a shell ---- */

/* The browser gets the environment of this program and the mark LINK_EXEMPT: it outlives the server, so it
 * must not be taken for a process that a player has left behind. */
extern char **environ;

/* Starts the program with its output discarded; 0 when it cannot be started. */
static pid_t start_program(char *program, char *address) {
    char exempt[] = LINK_EXEMPT;
    char *const arguments[] = {program, address, NULL};
    posix_spawn_file_actions_t quiet;
    if (posix_spawn_file_actions_init(&quiet) != 0)
        return 0;
    posix_spawn_file_actions_addopen(&quiet, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&quiet, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&quiet, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    int count = 0;
    while (environ[count] != NULL)
        count++;
    char **environment = mem_alloc((size_t)(count + 2) * sizeof *environment);
    memcpy(environment, environ, (size_t)count * sizeof *environment);
    environment[count] = exempt;
    pid_t pid;
    if (posix_spawnp(&pid, program, &quiet, NULL, arguments, environment) != 0)
        pid = 0;
    mem_free(environment);
    posix_spawn_file_actions_destroy(&quiet);
    return pid;
}

/* Opens the address; 0 without a display or a program that opens addresses. $BROWSER is a list of names
 * separated by ':'. Names with arguments need a shell and are skipped. */
static pid_t start_browser(char *address) {
    const char *own = getenv("BROWSER");
    const bool has_display = getenv("DISPLAY") != NULL || getenv("WAYLAND_DISPLAY") != NULL;
    struct text list = {0};
    char *rest = NULL;
    pid_t pid = 0;
    text_add(&list, "%s:%s", own != NULL ? own : "", has_display ? "xdg-open:sensible-browser" : "");
    for (char *name = strtok_r(list.data, ":", &rest); pid == 0 && name != NULL;
         name = strtok_r(NULL, ":", &rest))
        pid = strpbrk(name, " %\t") == NULL ? start_program(name, address) : 0;
    text_done(&list);
    return pid;
}

/* ---- serving ---- */

/* Called on any thread: prints a message with one write, so that two of them do not mix. */
static void warn(const char *sentence) {
    fprintf(stderr, "senjutsu serve: warning: %s\n", sentence);
}

/* The participants' page is a folder of its own. A program built without pages has one that says so. */
static const char *page_of_study(const struct serve *s) {
    const struct web_file *file = web_page;
    while (file->path != NULL && strcmp(file->path, "/study/index.html") != 0)
        file++;
    return s->setup.folder != NULL || file->path != NULL ? "/study" : NULL;
}

/* Opens the port. Names of this machine other than its addresses have to be known to the server: a page of
 * another site could otherwise reach it through a name of its own (DNS rebinding). Descriptors are shared:
 * what stores and players of jobs need is subtracted from the limit, the rest is for connections. */
static bool open_web(struct serve *s, struct err *e) {
    struct web_setup *setup = &s->setup;
    int count = 0;
    while (setup->hosts[count] != NULL)
        count++;
    if (s->machine[0] != '\0')
        setup->hosts[count] = s->machine;
    const int reserved =
        FILES_RESERVED + s->work.cores * (LINK_DESCRIPTORS * PLAYER_CACHE_MAX + FILES_ENDING);
    const int room = cli_descriptors(WEB_CONNECTIONS_MAX + reserved) - reserved;
    setup->limits.connections = room > 16 ? room : 16;
    cli_make_token(s->run, RUN_BYTES);
    setup->run = s->run;
    setup->context = s->bench;
    s->web = web_open(setup, e);
    return s->web != NULL;
}

/* The address of the page, with the token if there is one. IPv6 addresses need brackets. */
static void write_address(const struct serve *s, const char *host, char *out, size_t out_size) {
    const bool has_colon = strchr(host, ':') != NULL;
    snprintf(out, out_size, "http://%s%s%s:%d/%s%s", has_colon ? "[" : "", host, has_colon ? "]" : "",
             web_port(s->web), s->setup.token != NULL ? "?token=" : "",
             s->setup.token != NULL ? s->setup.token : "");
}

/* Prints the address, and opens it in a browser if that is asked for; returns the browser's process or 0.
 * With --quiet the first line is the bare address, which scripts read; it is flushed before a browser starts.
 */
static pid_t announce(const struct serve *s) {
    char address[NAME_SIZE + CLI_TOKEN_MAX + 64], other[sizeof address];
    /* A wildcard address cannot be opened on this machine. */
    const bool is_wildcard = strcmp(s->setup.bind, "0.0.0.0") == 0 || strcmp(s->setup.bind, "::") == 0;
    write_address(s, is_wildcard ? "localhost" : s->setup.bind, address, sizeof address);
    printf("%s%s\n", s->quiet ? "" : s->study_path != NULL ? "the study is at " : "senjutsu is at ", address);
    if (!s->quiet) {
        if (is_wildcard && s->machine[0] != '\0') {
            write_address(s, s->machine, other, sizeof other);
            printf("from other machines: %s\n", other);
        }
        for (const char *const *place = s->setup.origins; *place != NULL; place++) {
            const size_t size = strlen(*place);
            const int shown = (int)(size > 0 && (*place)[size - 1] == '/' ? size - 1 : size);
            printf("through your proxy: %.*s/%s%s\n", shown, *place, s->setup.token != NULL ? "?token=" : "",
                   s->setup.token != NULL ? s->setup.token : "");
        }
        if (s->study_path != NULL)
            printf("participants need their links: senjutsu study links %s; Ctrl-C stops the server\n",
                   s->study_path);
        else
            printf("games, maps and jobs are stored in %s; Ctrl-C stops the server\n", s->folder);
    }
    fflush(stdout);
    const pid_t browser = s->open ? start_browser(address) : 0;
    if (s->open && browser == 0 && !s->quiet) {
        printf("no browser could be started here: open the address yourself\n");
        fflush(stdout);
    }
    return browser;
}

/* Serves until a signal; returns the exit status. */
static int serve(struct serve *s, struct err *e) {
    if (!check(s, e))
        return CLI_USAGE;
    if (!open_folder(s, e) || (s->bench = workbench_open(&s->work, e)) == NULL || !open_web(s, e))
        return CLI_FAILED;
    cli_catch_interrupt();
    pid_t browser = announce(s);
    while (!atomic_load(&cli_stop)) {
        poll(NULL, 0, ROUND_MS);
        if (browser > 0 && waitpid(browser, NULL, WNOHANG) != 0)
            browser = 0; /* it has ended */
    }
    if (!s->quiet)
        printf("stopping: unfinished work continues after the next start\n");
    return cli_flush();
}

/* Whatever was opened is closed, also after a failure. */
static int run_all(struct serve *s, struct err *e) {
    s->lock.fd = -1;
    s->setup.files = web_page;
    s->setup.handle = workbench_handle;
    s->work.maps = s->maps;
    s->work.clock = cli_clock();
    s->work.cores = s->work.cores > 0 ? s->work.cores : cli_cores();
    s->work.date = cli_date;
    s->work.secret = cli_secret;
    s->work.warn = warn;
    const int status = serve(s, e);
    /* The network first: clients that follow a job must not take the server's end for the job's end. */
    web_close(s->web);
    const bool ok = workbench_close(s->bench);
    study_close(s->study);
    store_lock_drop(&s->lock);
    text_done(&s->names);
    text_done(&s->places);
    return ok ? status : CLI_FAILED;
}

static int run_serve(void *state, const struct cli_call *call, struct err *e) {
    (void)call;
    return run_all(state, e);
}

/* The study's player comes from its file, so it needs permission. */
static int run_study(void *state, const struct cli_call *call, struct err *e) {
    struct serve *s = state;
    s->study_path = call->arguments.values[0];
    s->study = study_open(s->study_path, STORE_WRITE, e);
    if (s->study == NULL)
        return CLI_FAILED;
    const char *const player = s->study->plan.player;
    if (!cli_permit(s->study_path, &player, 1, s->work.programs)) {
        study_close(s->study);
        return CLI_FAILED;
    }
    s->work.programs = true; /* of the study's player: participants name none */
    s->work.study = s->study;
    s->setup.below = page_of_study(s);
    return run_all(s, e);
}

#define AT(field) offsetof(struct serve, field)

static const struct param serve_params[] = {
    {"port", PARAM_INT, AT(setup.port), 0, 65535, 8080,
     .help = "where the page is; 0: any port that is free"},
    {"bind", PARAM_STRING, AT(setup.bind), .choices = "127.0.0.1", .value = "ADDRESS",
     .help = "which machines can reach it: 127.0.0.1 is this one, 0.0.0.0 all; others need a token"},
    {"open", PARAM_FLAG, AT(open), .help = "show the page in a browser"},
    {"token", PARAM_STRING, AT(setup.token),
     .help = "clients without it are refused (default: none for this machine, a random one for others)"},
    {"host", PARAM_STRING, AT(hosts), .value = "NAME,...",
     .help = "further names people reach it by, as in event.example.org"},
    {"origin", PARAM_STRING, AT(origins), .value = "URL,...",
     .help =
         "where the page is when a proxy with TLS is in front: https://bench.example; such a server asks for "
         "a token"},
    {"data", PARAM_STRING, AT(work.data), .value = "DIR",
     .help = "folder of games, maps and jobs (default: senjutsu in $XDG_DATA_HOME or ~/.local/share)"},
    {"page", PARAM_STRING, AT(setup.folder), .value = "DIR",
     .help = "read the page's files from DIR, to work on them"},
    {"programs", PARAM_FLAG, AT(work.programs),
     .help = "allow users of the page to run programs as players (ext:cmd=PROGRAM)"},
    {"jobs", PARAM_INT, AT(work.cores), 1, 1024,
     .help = "cores for tournaments and other long work (default: all)"},
    {"per-address", PARAM_INT, AT(setup.limits.per_address), 1, WEB_CONNECTIONS_MAX,
     .help = "connections from one address (default: 3 in 4 of all)"},
    {"quiet", PARAM_FLAG, AT(quiet), .help = "print only the address"},
    {0},
};

const struct cli_body cli_serve = {sizeof(struct serve), {{serve_params}}, .run = run_serve};

static const struct param study_params[] = {
    {"port", PARAM_INT, AT(setup.port), 0, 65535, 8080,
     .help = "where the page is; 0: any port that is free"},
    {"bind", PARAM_STRING, AT(setup.bind), .choices = "127.0.0.1", .value = "ADDRESS",
     .help = "which machines can reach it: 127.0.0.1 is this one, 0.0.0.0 all"},
    {"host", PARAM_STRING, AT(hosts), .value = "NAME,...",
     .help = "further names people reach it by, as in study.example.org"},
    {"origin", PARAM_STRING, AT(origins), .value = "URL,...",
     .help = "where the page is when a proxy with TLS is in front: https://study.example"},
    {"page", PARAM_STRING, AT(setup.folder), .value = "DIR",
     .help = "read the page's files from DIR, to work on them"},
    {"programs", PARAM_FLAG, AT(work.programs), .help = CLI_PROGRAMS_HELP},
    {"per-address", PARAM_INT, AT(setup.limits.per_address), 1, WEB_CONNECTIONS_MAX,
     .help = "connections from one address (default: 3 in 4 of all)"},
    {"quiet", PARAM_FLAG, AT(quiet), .help = "print only the address"},
    {0},
};

const struct cli_body study_serve = {
    sizeof(struct serve), {{study_params}}, .takes_arguments = true, .takes_one = "study", .run = run_study};
