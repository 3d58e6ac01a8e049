/* SPDX-License-Identifier: MIT
 *
 * The workbench behind the HTTP API: whatever is asked, in whatever order, is answered, never by a 5xx, and
 * nothing appears outside the data folder. An input is a conversation:
 *
 *     POST /api/tables
 *     {"game": "geister", …}
 *     %%
 *     GET /api/tables/$0?key=$1
 *
 * Each request is a line with method, path and query, and its body up to a line "%%". What answers call "id",
 * and the keys in them, can be named later: $0 is the first of them.
 *
 * An input that begins with a line "STUDY" is sent to the server of a study: $0 is the key of a participant,
 * $1 the code of the open link.
 */
#include "fuzz.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/numbers.h"
#include "config.h"
#include "net/message.h"
#include "serve/workbench.h"
#include "study/study.h"

#include <jansson.h>

enum { NAMES_MAX = 10, NAME_MAX_BYTES = 64, REQUESTS_MAX = 24, TEXT_MAX = 1 << 16, LARGE = 4096 };

struct talk {
    struct workbench *bench;
    struct study *study; /* NULL: the workbench is asked */
    bool was_listed;     /* the players, in this talk */
    int name_count;
    char names[NAMES_MAX][NAME_MAX_BYTES];
};

#define ROOT "memory"
#define DATA ROOT "/data"
#define MAPS ROOT "/maps"

static struct file_memory *memory;

/* ---- the environment of the workbench ---- */

static unsigned secrets;
static int64_t now_ns;

static void same_date(char *out, size_t out_size) {
    snprintf(out, out_size, "2024-05-01T10:00:00Z");
}

/* Random bytes: the same in every run, all different within a run. */
static void next_secret(void *out, size_t size) {
    for (size_t i = 0; i < size; i++)
        ((unsigned char *)out)[i] = (unsigned char)(i < 4 ? secrets >> (5 * i) : 3 * i);
    secrets++;
}

static struct workbench *open_bench(struct study *study) {
    static struct clock clock;
    clock = clock_manual(&now_ns);
    const struct workbench_setup setup = {.data = DATA,
                                          .maps = MAPS,
                                          .cores = 2,
                                          .idle = true,
                                          .study = study,
                                          .clock = &clock,
                                          .date = same_date,
                                          .secret = next_secret};
    struct err e = {""};
    secrets = 0;
    struct workbench *bench = workbench_open(&setup, &e);
    if (bench == NULL)
        fprintf(stderr, "%s\n", e.text);
    REQUIRE(bench != NULL);
    return bench;
}

/* ---- studies ---- */

#define STUDY_KEY  "participantskeys"
#define STUDY_CODE "codeofopenlinkss"

static void load_map(const char *name, struct study_map *out) {
    char path[128];
    struct text text = {0};
    struct err e;
    snprintf(path, sizeof path, MAPS "/%s.tbsmap", name);
    REQUIRE(file_read(path, TBS_MAP_TEXT_MAX, &text, &e));
    REQUIRE(tbs_map_load(name, text_string(&text), text.size, &out->map, &e));
    text_done(&text);
}

/* Of two maps, with one participant and one place of the open link. */
static struct study *open_study(void) {
    struct study_plan plan = {.seed = 1,
                              .player = "random",
                              .rules = "tubstap",
                              .places = 1,
                              .code = STUDY_CODE,
                              .map_count = 2,
                              .maps = mem_alloc(2 * sizeof *plan.maps)};
    struct err e = {""};
    for (int i = 0; i < STUDY_LANGUAGES; i++) {
        plan.title[i] = mem_copy("A", 2);
        plan.consent[i] = mem_copy("B", 2);
    }
    load_map("duel", &plan.maps[0]);
    load_map("standard", &plan.maps[1]);
    REQUIRE(file_make_folder(DATA, NULL));
    struct study *study = study_create(DATA "/study", &plan, &e);
    if (study == NULL)
        fprintf(stderr, "%s\n", e.text);
    REQUIRE(study != NULL);
    REQUIRE(study_add_person(study, STUDY_KEY, "", &e) != NULL);
    return study;
}

/* ---- folders ---- */

/* A few maps of ours: with all of them the list of maps would take most of the time. */
static void copy_map(const char *name) {
    char from[512], to[128];
    struct text text = {0};
    struct err e;
    snprintf(from, sizeof from, "%s/%s.tbsmap", SENJUTSU_MAPS, name);
    snprintf(to, sizeof to, MAPS "/%s.tbsmap", name);
    REQUIRE(file_read(from, TBS_MAP_TEXT_MAX, &text, &e));
    REQUIRE(file_write(to, text_string(&text), text.size, &e));
    text_done(&text);
}

static void leave(void) {
    file_memory_close(memory);
}

/* All files lie in memory: a disk would take most of the time of an input. */
static void make_root(void) {
    static const char *const maps[] = {"standard", "duel", "battle16"};
    if (memory != NULL)
        return;
    memory = file_memory_open(ROOT);
    REQUIRE(memory != NULL);
    REQUIRE(file_make_folder(MAPS, NULL));
    for (size_t i = 0; i < sizeof maps / sizeof maps[0]; i++)
        copy_map(maps[i]);
    atexit(leave);
}

static bool is_known(void *context, const char *name) {
    (void)context;
    REQUIRE(strcmp(name, "data") == 0 || strcmp(name, "maps") == 0);
    return true;
}

/* The folders hold nothing but our maps and the data folder. */
static void check_root(void) {
    REQUIRE(file_list(ROOT, &(struct file_visit){is_known, NULL}, NULL));
}

/* ---- answers ---- */

static void store_name(struct talk *talk, const json_t *value) {
    const char *text = json_string_value(value);
    for (int i = 0; i < talk->name_count && text != NULL; i++)
        if (strcmp(talk->names[i], text) == 0)
            return;
    if (text != NULL && talk->name_count < NAMES_MAX && strlen(text) < NAME_MAX_BYTES)
        strcpy(talk->names[talk->name_count++], text);
}

static void store_names(struct talk *talk, const json_t *answer) {
    store_name(talk, json_object_get(answer, "id"));
    store_name(talk, json_object_get(answer, "key"));
    const json_t *keys = json_object_get(answer, "keys");
    for (size_t i = 0; i < json_array_size(keys); i++)
        store_name(talk, json_array_get(keys, i));
}

/* Was a large answer with these bytes read before? Lists of players, presets and maps are the same every
 * time, and reading them takes longer than making them. */
static bool was_read(const char *text, size_t size) {
    static uint64_t hashes[256];
    const uint64_t hash = hash_bytes(HASH_START, text, size);
    uint64_t *kept = &hashes[hash % 256];
    const bool is_same = *kept == hash;
    *kept = hash;
    return size >= LARGE && is_same;
}

static void check_json(struct talk *talk, const char *text, size_t size) {
    if (was_read(text, size))
        return;
    json_t *value = json_loadb(text, size, JSON_DECODE_ANY, NULL);
    REQUIRE(value != NULL);
    if (talk != NULL)
        store_names(talk, value);
    json_decref(value);
}

/* Every event's data is JSON. */
static void check_events(const struct text *stream) {
    for (const char *at = text_string(stream); (at = strstr(at, "data: ")) != NULL;) {
        at += strlen("data: ");
        const size_t size = strcspn(at, "\n");
        if (size > 0)
            check_json(NULL, at, size);
        at += size;
    }
}

static void read_stream(struct topic *topic) {
    struct topic_reader reader = {0};
    struct text stream = {0};
    char bytes[8192];
    topic_reader_start(&reader, topic, 0);
    for (long size; (size = topic_read(&reader, bytes, sizeof bytes)) > 0;)
        text_add_bytes(&stream, bytes, (size_t)size);
    topic_reader_done(&reader);
    check_events(&stream);
    text_done(&stream);
}

static void check_answer(struct talk *talk, const struct message_out *out) {
    static const int known[] = {200, 201, 204, 400, 403, 404, 405, 409, 413, 429};
    bool is_known = false;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        is_known = is_known || known[i] == out->status;
    if (!is_known)
        fprintf(stderr, "status %d: %s\n", out->status, text_string(&out->body));
    REQUIRE(is_known);
    if (out->stream != NULL)
        read_stream(out->stream);
    else if (out->status != 204 && (out->type == NULL || strcmp(out->type, "application/json") == 0))
        check_json(talk, text_string(&out->body), out->body.size);
    REQUIRE(out->status != 204 || out->body.size == 0);
    REQUIRE(strchr(out->file_name, '/') == NULL);
}

/* ---- requests ---- */

/* Copies with $N replaced. */
static void put_names(const struct talk *talk, const char *text, size_t size, struct text *out) {
    for (size_t i = 0; i < size && out->size < TEXT_MAX; i++) {
        const int number = text[i] == '$' && i + 1 < size ? text[i + 1] - '0' : -1;
        if (number >= 0 && number < talk->name_count) {
            text_add_string(out, talk->names[number]);
            i++;
        } else {
            text_add_bytes(out, text + i, 1);
        }
    }
}

/* "?a=b&c=d" is cut off the line, in place. */
static void read_query(char *line, struct message_in *in) {
    char *at = strchr(line, '?');
    while (at != NULL && in->query_count < MESSAGE_QUERY_MAX) {
        *at++ = '\0';
        char *next = strchr(at, '&'), *equals = strchr(at, '=');
        if (equals == NULL || (next != NULL && equals > next))
            return;
        *equals = '\0';
        in->query[in->query_count++] = (struct message_query){at, equals + 1};
        at = next;
    }
}

static const char *read_method(const char *line, enum message_method *out) {
    static const char *const names[MESSAGE_METHODS] = {"GET ", "POST ", "PUT ", "DELETE "};
    for (int i = 0; i < MESSAGE_METHODS; i++)
        if (strncmp(line, names[i], strlen(names[i])) == 0) {
            *out = (enum message_method)i;
            return line + strlen(names[i]);
        }
    *out = MESSAGE_GET;
    return line;
}

/* The list of players takes as long as all other requests of an input together, and is always the same: it is
 * requested once. */
static bool is_worth_asking(struct talk *talk, const struct message_in *in) {
    const bool is_list = in->method == MESSAGE_GET && strcmp(in->path, "/api/players") == 0;
    const bool is_again = is_list && talk->was_listed;
    talk->was_listed = talk->was_listed || is_list;
    return !is_again;
}

static void ask(struct talk *talk, const char *text, size_t size) {
    struct text request = {0};
    put_names(talk, text, size, &request);
    text_add_bytes(&request, "", 1);
    char *line = request.data;
    const size_t length = strcspn(line, "\n");
    const bool has_body = length + 1 < request.size - 1;
    line[length] = '\0';
    struct message_in in = {0};
    struct message_out out = {0};
    in.path = read_method(line, &in.method);
    read_query(line, &in);
    if (has_body) {
        in.body = line + length + 1;
        in.body_size = request.size - 1 - length - 1;
    }
    if (is_worth_asking(talk, &in)) {
        workbench_handle(talk->bench, &in, &out);
        check_answer(talk, &out);
    }
    message_done(&out);
    text_done(&request);
}

/* Where the request ends: before a line "%%", or at the end. */
static size_t request_size(const char *text, size_t size) {
    for (size_t i = 0; i + 3 <= size; i++)
        if (memcmp(text + i, "\n%%", 3) == 0)
            return i;
    return size;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *at = (const char *)data;
    struct talk talk = {0};
    make_root();
    if (size >= 6 && memcmp(at, "STUDY\n", 6) == 0) {
        talk.study = open_study();
        strcpy(talk.names[talk.name_count++], STUDY_KEY);
        strcpy(talk.names[talk.name_count++], STUDY_CODE);
        at += 6;
        size -= 6;
    }
    talk.bench = open_bench(talk.study);
    for (int i = 0; i < REQUESTS_MAX && size > 0; i++) {
        const size_t length = request_size(at, size);
        ask(&talk, at, length);
        now_ns += 1000000000;
        const size_t taken = length + 4 < size ? length + 4 : size;
        at += taken;
        size -= taken;
    }
    workbench_close(talk.bench);
    study_close(talk.study);
    check_root();
    REQUIRE(file_remove_folder(DATA, NULL));
    return 0;
}
