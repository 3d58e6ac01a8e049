/* SPDX-License-Identifier: MIT
 *
 * `senjutsu study`: studies with people. `new` makes one, `links` shows the links of its participants,
 * `report` its results, `erase` removes data of participants. `serve` is in serve.c.
 */
#include "base/encode.h"
#include "base/mem.h"
#include "cli/cli.h"
#include "evolve/evaluator.h"
#include "evolve/judge.h"
#include "game/tbs/tbs.h"
#include "player/player.h"
#include "study/report.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* The file of a study is readable by its owner only: it has names, comments and the keys of participants. */
static void hide_files(void) {
    umask(S_IRWXG | S_IRWXO);
}

bool study_games_folder(const char *path, char out[FILE_PATH_MAX]) {
    return file_path(out, NULL, "%s.games", path);
}

/* 16 letters of five bits each: the same form as the keys of seats (serve/workbench.c). */
static void make_key(char out[STUDY_KEY_MAX]) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz234567";
    unsigned char bytes[16];
    cli_secret(bytes, sizeof bytes);
    for (size_t i = 0; i < sizeof bytes; i++)
        out[i] = letters[bytes[i] % 32];
    out[sizeof bytes] = '\0';
}

/* ---- new ---- */

struct making {
    const char *maps, *groups, *player, *rules, *titles[STUDY_LANGUAGES], *consents[STUDY_LANGUAGES];
    int participants, places;
    uint64_t seed;

    struct study_plan plan;
    struct study *study;
};

static char *copy(const char *text) {
    return mem_copy(text, strlen(text) + 1);
}

/* Copies a label of that size into a plan. */
static bool copy_label(const char *option, const char *label, size_t size, char out[STUDY_LABEL_MAX],
                       struct err *e) {
    if (size >= STUDY_LABEL_MAX || !charset_is_utf8(label, size))
        return err_set(e, "%s: '%.40s' is too long or not UTF-8; at most %d bytes", option, label,
                       STUDY_LABEL_MAX - 1);
    memcpy(out, label, size);
    out[size] = '\0';
    return true;
}

/* "maps/duel.tbsmap" is shown as "duel". */
static bool name_map(const char *path, char out[STUDY_LABEL_MAX], struct err *e) {
    const char *slash = strrchr(path, '/'), *base = slash != NULL ? slash + 1 : path;
    const char *dot = strrchr(base, '.');
    return copy_label("--maps", base, dot != NULL && dot > base ? (size_t)(dot - base) : strlen(base), out,
                      e);
}

/* What a map's notes say about its origin is not for participants. */
static bool load_map(const char *name, struct study_map *out, struct err *e) {
    struct map_file *file = mem_alloc(sizeof *file);
    const bool ok = map_file_load(name, file, e) && name_map(file->path, out->name, e);
    out->map = file->map;
    out->map.author[0] = out->map.comment[0] = '\0';
    mem_free(file);
    return ok;
}

static bool has_name(const struct study_plan *plan, const char *name) {
    for (int i = 0; i < plan->map_count; i++)
        if (strcmp(plan->maps[i].name, name) == 0)
            return true;
    return false;
}

static bool load_maps(struct making *m, struct err *e) {
    struct text list = {0}, group_list = {0};
    char *names[STUDY_MAPS_MAX], *groups[STUDY_MAPS_MAX];
    struct study_plan *plan = &m->plan;
    text_add_string(&list, m->maps);
    text_add_string(&group_list, m->groups != NULL ? m->groups : "");
    const int count = text_split(list.data, ',', names, STUDY_MAPS_MAX);
    const int group_count = m->groups != NULL ? text_split(group_list.data, ',', groups, STUDY_MAPS_MAX) : 0;
    bool ok =
        (count >= STUDY_MAPS_MIN && count <= STUDY_MAPS_MAX) ||
        err_set(e, "--maps: expected %d to %d maps with commas between them", STUDY_MAPS_MIN, STUDY_MAPS_MAX);
    ok = ok &&
         (m->groups == NULL || group_count == count ||
          err_set(e, "--groups: expected a group for each of the %d maps, with commas between them", count));
    plan->maps = mem_alloc(STUDY_MAPS_MAX * sizeof *plan->maps);
    for (; ok && plan->map_count < count; plan->map_count += ok) {
        struct study_map *map = &plan->maps[plan->map_count];
        const char *group = group_count > 0 ? text_trim(groups[plan->map_count]) : "";
        ok = load_map(text_trim(names[plan->map_count]), map, e) &&
             (!has_name(plan, map->name) ||
              err_set(e, "--maps: two maps are called %s; reports could not tell them apart", map->name)) &&
             copy_label("--groups", group, strlen(group), map->group, e);
    }
    text_done(&list);
    text_done(&group_list);
    return ok;
}

/* The player must play on the boards of these maps. Servers open no files of players; a program is started
 * for the first game. */
static bool check_player(struct making *m, struct err *e) {
    static const struct grant programs = {.powers = 1U << PARAM_STARTS | 1U << PARAM_CONNECTS};
    static const struct game *const tables[] = {&tbs_game, &tbs_wide_game};
    struct text canonical = {0};
    bool ok = player_check(m->player, &canonical, e);
    if (ok && canonical.size >= sizeof m->plan.player)
        ok = err_set(e, "the spec is too long");
    if (ok)
        memcpy(m->plan.player, text_string(&canonical), canonical.size + 1);
    if (ok && !grant_allows(&programs, m->plan.player, e))
        ok = err_set(e, "a study's player reads no files");
    for (int i = 0; ok && i < 2 && grant_allows(NULL, m->plan.player, NULL); i++) {
        struct player *player = player_open(m->plan.player, tables[i], e);
        ok = player != NULL;
        player_close(player);
    }
    text_done(&canonical);
    return ok || err_prefix(e, "--player: ");
}

static bool is_plain_text(const char *text, size_t size) {
    for (size_t i = 0; i < size; i++)
        if ((unsigned char)text[i] < ' ' && text[i] != '\n')
            return false;
    return charset_is_utf8(text, size);
}

/* Titles: the one given stands for both languages. Consent texts come from files; a text of our own stands in
 * a language without one only if neither is given. */
static bool read_texts(struct making *m, struct err *e) {
    static const char *const options[] = {"--consent", "--consent-ja"};
    const char *title =
        m->titles[STUDY_ENGLISH] != NULL ? m->titles[STUDY_ENGLISH] : m->titles[STUDY_JAPANESE];
    const bool is_own = m->consents[STUDY_ENGLISH] != NULL || m->consents[STUDY_JAPANESE] != NULL;
    for (int i = 0; i < STUDY_LANGUAGES; i++) {
        static const char *const usual[] = {"Which maps are good?", "良いマップはどれか"};
        const char *own = m->titles[i] != NULL ? m->titles[i] : title != NULL ? title : usual[i];
        if (strlen(own) > STUDY_TITLE_MAX || !is_plain_text(own, strlen(own)))
            return err_set(e, "--title: expected plain text of at most %d bytes", STUDY_TITLE_MAX);
        m->plan.title[i] = copy(own);
        if (!is_own) {
            m->plan.consent[i] = copy(study_default_consent.in[i]);
            continue;
        }
        const int from = m->consents[i] != NULL ? i : 1 - i;
        struct text text = {0};
        const bool ok =
            file_read(m->consents[from], STUDY_CONSENT_MAX, &text, e) &&
            ((text.size > 0 && is_plain_text(text.data, text.size)) ||
             err_set(e, "%s: %s: expected plain text in UTF-8", options[from], m->consents[from]));
        if (ok)
            m->plan.consent[i] = copy(text_string(&text));
        text_done(&text);
        if (!ok)
            return false;
    }
    return true;
}

static bool add_participants(struct study *study, int count, struct err *e) {
    bool ok = true;
    for (int i = 0; ok && i < count; i++) {
        char key[STUDY_KEY_MAX];
        make_key(key);
        ok = study_add_person(study, key, "", e) != NULL;
    }
    return ok;
}

/* Everything is checked before the file is made. */
static int run_new(void *state, const struct cli_call *call, struct err *e) {
    struct making *m = state;
    const char *path = call->arguments.values[0];
    if (m->maps == NULL)
        return cli_error(CLI_USAGE, "--maps is missing: the maps that participants play");
    const struct tbs_rules *rules = tbs_read_rules(m->rules, e);
    if (rules == NULL || !check_player(m, e) || !read_texts(m, e) || !load_maps(m, e))
        return CLI_USAGE;
    m->plan.seed = m->seed;
    m->plan.places = m->places;
    snprintf(m->plan.rules, sizeof m->plan.rules, "%s", rules->name);
    if (m->places > 0)
        make_key(m->plan.code);
    hide_files();
    m->study = study_create(path, &m->plan, e);
    if (m->study == NULL || !add_participants(m->study, m->participants, e))
        return CLI_FAILED;
    const int maps = m->study->plan.map_count;
    struct text out = {0};
    text_add(&out, "%s: a study of %d maps with %d links", path, maps, m->participants);
    if (m->places > 0)
        text_add(&out, " and an open link for %d more", m->places);
    text_add(&out, ".\nOrders and sides are balanced over %d participants (places of the maps over %d).\n\n",
             2 * maps, maps);
    text_add(&out, "  senjutsu study serve %s     the page for participants\n", path);
    text_add(&out, "  senjutsu study links %s     their links\n", path);
    return cli_show_text(&out);
}

static void end_new(void *state) {
    struct making *m = state;
    study_plan_done(&m->plan);
    study_close(m->study);
}

#define AT(field) offsetof(struct making, field)

static const struct param new_params[] = {
    {"maps", PARAM_STRING, AT(maps), .value = "FILE,...",
     .help = "what participants play and rate: 2 to 24 maps"},
    {"groups", PARAM_STRING, AT(groups), .value = "NAME,...",
     .help = "the kind of each map, for the report: low,low,high,high,human,human"},
    {"player", PARAM_PLAYER, AT(player), .choices = "muct:sims=250",
     .help = "whom participants play against"},
    {"participants", PARAM_INT, AT(participants), 0, STUDY_PERSONS_MAX, 0, .help = "links that are made now"},
    {"open", PARAM_INT, AT(places), 0, STUDY_PERSONS_MAX, 0,
     .help = "one link for all, which admits so many participants"},
    {"title", PARAM_STRING, AT(titles[STUDY_ENGLISH]), .value = "TEXT", .help = "on top of the page"},
    {"title-ja", PARAM_STRING, AT(titles[STUDY_JAPANESE]), .value = "TEXT", .help = "the same in Japanese"},
    {"consent", PARAM_STRING, AT(consents[STUDY_ENGLISH]), .value = "FILE",
     .help = "the text that participants agree to (default: a text of our own, in both languages)"},
    {"consent-ja", PARAM_STRING, AT(consents[STUDY_JAPANESE]), .value = "FILE",
     .help = "the same in Japanese"},
    {"rules", PARAM_STRING, AT(rules), .choices = "tubstap", .value = "SET", .help = "tubstap or paper"},
    {PARAM_SEED_ROW(AT(seed))},
    {0},
};

static const struct cli_body new_body = {
    .size = sizeof(struct making),
    .options = {{new_params}},
    .takes_one = "new file",
    .takes_arguments = true,
    .run = run_new,
    .done = end_new,
};

/* ---- links ---- */

struct linking {
    const char *address;
    int add;
    bool json, quiet;

    struct study *study;
};

/* "maps, 2 of 6" of the participant's progress. */
static void add_progress(const struct study *study, const struct study_person *person, struct text *out) {
    int done = 0;
    switch (study_stage(study, person)) {
    case STUDY_CONSENT: text_add_string(out, "not begun"); return;
    case STUDY_FINISHED: text_add_string(out, "finished"); return;
    case STUDY_CLOSING:
    case STUDY_MAPS: break;
    }
    while (done < study->plan.map_count && study_state(study, person, done) == STUDY_DONE)
        done++;
    text_add(out, "%d of %d maps", done, study->plan.map_count);
}

/* Names were typed by strangers. */
static void add_link(const struct linking *l, const struct study_person *person, struct text *out) {
    struct text progress = {0};
    if (!l->quiet) {
        add_progress(l->study, person, &progress);
        text_add(out, "%4d  %-14s  ", person->number, text_string(&progress));
    }
    text_add(out, "%s/#/p/%s", l->address, person->key);
    if (!l->quiet && person->name[0] != '\0') {
        text_add_string(out, "  ");
        charset_show(person->name, strlen(person->name), out);
    }
    text_add_string(out, "\n");
    text_done(&progress);
}

static json_t *links_json(const struct linking *l) {
    const struct study_plan *plan = &l->study->plan;
    json_t *list = json_array();
    for (int i = 0; i < l->study->person_count; i++) {
        const struct study_person *person = l->study->persons[i];
        struct text progress = {0}, link = {0};
        add_progress(l->study, person, &progress);
        text_add(&link, "%s/#/p/%s", l->address, person->key);
        json_array_append_new(list, json_pack("{si ss ss ss}", "participant", person->number, "progress",
                                              text_string(&progress), "name", person->name, "link",
                                              text_string(&link)));
        text_done(&progress);
        text_done(&link);
    }
    struct text open = {0};
    text_add(&open, "%s/#/open/%s", l->address, plan->code);
    json_t *root = json_pack("{ss? si so}", "open", plan->places > 0 ? text_string(&open) : NULL,
                             "open_places", study_open_places(l->study), "participants", list);
    text_done(&open);
    return root;
}

static int run_links(void *state, const struct cli_call *call, struct err *e) {
    struct linking *l = state;
    const char *path = call->arguments.values[0];
    struct text address = {0}, out = {0};
    hide_files();
    l->study = study_open(path, l->add > 0 ? STORE_WRITE : STORE_READ, e);
    if (l->study == NULL || !add_participants(l->study, l->add, e))
        return CLI_FAILED;
    text_add_string(&address, l->address);
    while (address.size > 0 && address.data[address.size - 1] == '/')
        address.data[--address.size] = '\0';
    l->address = text_string(&address);
    int status = CLI_OK;
    if (l->json) {
        status = cli_show_json(links_json(l));
    } else {
        for (int i = 0; i < l->study->person_count; i++)
            add_link(l, l->study->persons[i], &out);
        if (l->study->plan.places > 0 && l->quiet)
            text_add(&out, "%s/#/open/%s\n", l->address, l->study->plan.code);
        else if (l->study->plan.places > 0)
            text_add(&out, "open  %3d places left  %s/#/open/%s\n", study_open_places(l->study), l->address,
                     l->study->plan.code);
        status = cli_show_text(&out);
    }
    text_done(&address);
    return status;
}

static void end_links(void *state) {
    study_close(((struct linking *)state)->study);
}

#undef AT
#define AT(field) offsetof(struct linking, field)

static const struct param links_params[] = {
    {"address", PARAM_STRING, AT(address), .choices = "http://127.0.0.1:8080", .value = "URL",
     .help = "where participants find the page"},
    {"add", PARAM_INT, AT(add), 0, STUDY_PERSONS_MAX, 0, .help = "make so many more links"},
    {"quiet", PARAM_FLAG, AT(quiet), .help = "only the links"},
    {"json", PARAM_FLAG, AT(json), .help = "one JSON object"},
    {0},
};

static const struct cli_body links_body = {
    .size = sizeof(struct linking),
    .options = {{links_params}},
    .takes_one = "study",
    .takes_arguments = true,
    .run = run_links,
    .done = end_links,
};

/* ---- report ---- */

struct reporting {
    const char *csv, *strong, *weak;
    bool judge, fit, json, quiet;
    int games, jobs;
    uint64_t seed;

    struct study *study;
    struct text specs[2]; /* canonical: strong, weak */
    struct evaluator *evaluator;
    int played;
};

/* The on_game callback of the evaluator. */
static void show_game(void *context, const struct sample_game *sample, bool stored) {
    (void)sample, (void)stored;
    struct reporting *r = context;
    r->played++;
    if (!r->quiet && cli_status_is_due(CLI_REDRAW_MS))
        cli_status_draw("judging the maps: %d of %d games", r->played, r->games * r->study->plan.map_count);
}

static bool open_evaluator(struct reporting *r, const struct tbs_rules *rules, struct err *e) {
    const char *const specs[] = {text_string(&r->specs[0]), text_string(&r->specs[1])};
    const struct cli_programs programs = {specs, 2, EVALUATOR_COPIES_MAX, 0, NULL};
    const struct evaluator_setup setup = {.rules = rules,
                                          .strong = specs[0],
                                          .weak = specs[1],
                                          .seed = r->seed,
                                          .workers = cli_parallel_games(r->jobs, &programs),
                                          .clock = cli_clock(),
                                          .grant = cli_grant(),
                                          .stop = &cli_stop,
                                          .on_game = show_game,
                                          .context = r};
    cli_begin();
    cli_status_delay();
    r->evaluator = evaluator_open(&setup, e);
    return r->evaluator != NULL;
}

/* Plays the same number of games on every map, and stores what they say: they are played once for all
 * reports. An interruption stores nothing. */
static bool judge_study(struct reporting *r, struct err *e) {
    const struct study_plan *plan = &r->study->plan;
    const struct tbs_rules *rules = tbs_read_rules(plan->rules, e);
    const struct judge_limits limits = {0.005, r->games, r->games};
    const char *strong = text_string(&r->specs[0]), *weak = text_string(&r->specs[1]);
    bool complete = false;
    if (rules == NULL || !open_evaluator(r, rules, e))
        return false;
    struct judge_subject *subjects = mem_alloc((size_t)plan->map_count * sizeof *subjects);
    for (int i = 0; i < plan->map_count; i++) {
        subjects[i].map = &plan->maps[i].map;
        subjects[i].id = judge_id(subjects[i].map, rules, strong, weak);
    }
    bool ok = judge_maps(r->evaluator, &limits, subjects, plan->map_count, &complete, e);
    cli_status_clear();
    if (ok && !complete)
        ok = err_set(e, "interrupted; nothing was stored");
    for (int i = 0; ok && i < plan->map_count; i++)
        ok = study_put_fitness(r->study, i, &subjects[i].judgement, strong, weak, e);
    mem_free(subjects);
    return ok;
}

static bool write_tables(const struct reporting *r, const struct study_report *report, struct err *e) {
    char path[FILE_PATH_MAX];
    bool ok = r->csv == NULL || (r->csv[0] != '\0' ? cli_make_folder(r->csv, e)
                                                   : err_set(e, "--csv needs the name of a folder"));
    for (int i = 0; ok && r->csv != NULL && i < STUDY_TABLES; i++) {
        struct text text = {0};
        study_report_csv(report, (enum study_table)i, &text);
        ok = file_path(path, e, "%s/%s.csv", r->csv, study_table_names[i]) &&
             file_write(path, text_string(&text), text.size, e);
        text_done(&text);
    }
    return ok;
}

/* The fit that `evolve --natural-from` would use. */
static bool add_fit(const struct reporting *r, json_t *root, struct text *out, struct err *e) {
    struct study_fit fit;
    struct text weights = {0};
    if (!study_fit_naturalness(r->study, &fit, e))
        return false;
    naturalness_write(&fit.naturalness, &weights);
    if (root != NULL)
        json_object_set_new(root, "naturalness",
                            json_pack("{ss si si sf sf sf}", "weights", text_string(&weights), "maps",
                                      fit.maps, "ratings", fit.ratings, "ridge", fit.fit.penalty, "error",
                                      fit.fit.error, "error_of_mean", fit.fit.error_mean));
    text_add_string(out, "\n");
    study_fit_write(&fit, out);
    text_add(out, "natural_by=%s\n", text_string(&weights));
    text_done(&weights);
    return true;
}

static bool check_report(struct reporting *r, const struct params *given, struct err *e) {
    const char *const specs[] = {r->strong, r->weak};
    static const char *const names[] = {"strong", "weak"};
    if (!r->judge &&
        (params_given(given, "strong") || params_given(given, "weak") || params_given(given, "games")))
        return err_set(e, "--strong, --weak and --games belong to --judge");
    for (int i = 0; r->judge && i < 2; i++)
        if (!player_check(specs[i], &r->specs[i], e))
            return err_prefix(e, "--%s: ", names[i]);
    return true;
}

static int run_report(void *state, const struct cli_call *call, struct err *e) {
    struct reporting *r = state;
    struct study_report report;
    struct text out = {0};
    if (!check_report(r, &call->sections[0], e))
        return CLI_USAGE;
    hide_files();
    r->study = study_open(call->arguments.values[0], r->judge ? STORE_WRITE : STORE_READ, e);
    if (r->study == NULL || (r->judge && !judge_study(r, e)) || !study_report(r->study, &report, e) ||
        !write_tables(r, &report, e))
        return CLI_FAILED;
    json_t *root = r->json ? study_report_json(&report) : NULL;
    if (!r->json)
        study_report_write(&report, &out);
    const bool ok = !r->fit || add_fit(r, root, &out, e);
    int status = ok ? CLI_OK : CLI_FAILED;
    if (ok)
        status = r->json ? cli_show_json(root) : cli_show_text(&out);
    else
        json_decref(root);
    if (!r->json || !ok)
        text_done(&out);
    return status;
}

static void end_report(void *state) {
    struct reporting *r = state;
    evaluator_close(r->evaluator);
    study_close(r->study);
    text_done(&r->specs[0]);
    text_done(&r->specs[1]);
}

#undef AT
#define AT(field) offsetof(struct reporting, field)

static const struct param report_params[] = {
    {"csv", PARAM_STRING, AT(csv), .value = "DIR",
     .help = "write all tables there: maps, groups, correlations, agreement, participants, ratings, games, "
             "comments"},
    {"judge", PARAM_FLAG, AT(judge), .help = "measure the fitness of the maps by games, and store it"},
    {"games", PARAM_INT, AT(games), 20, 1000000, 120, .help = "of --judge, a map"},
    {"strong", PARAM_PLAYER, AT(strong), .choices = JUDGE_STRONG, .help = "of --judge: the stronger player"},
    {"weak", PARAM_PLAYER, AT(weak), .choices = JUDGE_WEAK, .help = "of --judge: the weaker one"},
    {"fit", PARAM_FLAG, AT(fit), .help = "fit naturalness to the ratings, as evolve --natural-from does"},
    {PARAM_SEED_ROW(AT(seed))},
    {CLI_JOBS_ROW(AT(jobs))},
    {"quiet", PARAM_FLAG, AT(quiet), .help = "no progress line"},
    {"json", PARAM_FLAG, AT(json), .help = "one JSON object"},
    {0},
};

static const struct cli_body report_body = {
    .size = sizeof(struct reporting),
    .options = {{report_params}},
    .takes_one = "study",
    .takes_arguments = true,
    .run = run_report,
    .done = end_report,
};

/* ---- erase ---- */

struct erasing {
    int participant;
    bool all;

    struct study *study;
};

/* The files of the participant's games on the tables of the server. */
static bool remove_games(const char *path, const struct study *study, const struct study_person *person,
                         struct err *e) {
    static const char *const endings[] = {".thoughts", ".json"};
    char folder[FILE_PATH_MAX], file[FILE_PATH_MAX];
    if (!study_games_folder(path, folder))
        return err_set(e, "%s: the name is too long", path);
    for (int map = 0; map < study->plan.map_count; map++)
        for (int i = 0; i < person->answers[map].game_count; i++)
            for (size_t k = 0; k < sizeof endings / sizeof endings[0]; k++) {
                const char *table = person->answers[map].games[i].table;
                if (strspn(table, "abcdefghijklmnopqrstuvwxyz234567") != strlen(table) ||
                    !file_path(file, e, "%s/tables/%s%s", folder, table, endings[k]) || !file_remove(file, e))
                    return false;
            }
    return true;
}

/* The file's lock keeps a server away, which would write what it has in memory. */
static int run_erase(void *state, const struct cli_call *call, struct err *e) {
    struct erasing *erasing = state;
    const char *path = call->arguments.values[0];
    int erased = 0;
    if (erasing->all == (erasing->participant > 0))
        return cli_error(CLI_USAGE, "what is to be erased? Give --participant N or --all");
    hide_files();
    struct study *study = erasing->study = study_open(path, STORE_WRITE, e);
    if (study == NULL)
        return CLI_FAILED;
    if (!erasing->all && study_find_number(study, erasing->participant) == NULL)
        return cli_error(CLI_FAILED, "%s: there is no participant %d", path, erasing->participant);
    for (int i = study->person_count - 1; i >= 0; i--) {
        struct study_person *person = study->persons[i];
        if (!erasing->all && person->number != erasing->participant)
            continue;
        bool traces;
        if (!remove_games(path, study, person, e) || !study_erase(study, person, &traces, e))
            return CLI_FAILED;
        if (traces) {
            err_prefix(e, "the data was deleted, but traces may be left in the file: ");
            return CLI_FAILED;
        }
        erased++;
    }
    printf("%s: erased the data of %d participant%s; %d left\n", path, erased, erased == 1 ? "" : "s",
           study->person_count);
    return cli_flush();
}

static void end_erase(void *state) {
    study_close(((struct erasing *)state)->study);
}

#undef AT
#define AT(field) offsetof(struct erasing, field)

static const struct param erase_params[] = {
    {"participant", PARAM_INT, AT(participant), 1, 9999, 0, .help = "the number, as 'study links' shows it"},
    {"all", PARAM_FLAG, AT(all), .help = "all participants; the study itself stays"},
    {0},
};

static const struct cli_body erase_body = {
    .size = sizeof(struct erasing),
    .options = {{erase_params}},
    .takes_one = "study",
    .takes_arguments = true,
    .run = run_erase,
    .done = end_erase,
};

/* ---- the verbs ---- */

const struct cli_command cli_study_verbs[] = {
    {"study new", "Makes a study: maps, the player against whom they are played, links for participants.",
     "FILE --maps FILE,... [options]",
     "  senjutsu study new maps.study --maps a.tbsmap,b.tbsmap,duel,standard --participants 20\n"
     "  senjutsu study new maps.study --maps a,b,c,d --groups low,low,high,high --player muct:sims=250\n"
     "  senjutsu study new maps.study --maps a,b,c,d --open 100 --consent en.txt --consent-ja ja.txt\n",
     .body = &new_body},
    {"study links", "Shows the links of the participants and how far they are.", "STUDY [options]",
     "  senjutsu study links maps.study --address https://study.example\n"
     "  senjutsu study links maps.study --add 5 --quiet\n",
     .body = &links_body},
    {"study serve", "Runs the page for participants until it is stopped.", "STUDY [options]",
     "  senjutsu study serve maps.study               this machine only: http://127.0.0.1:8080/\n"
     "  senjutsu study serve maps.study --bind 0.0.0.0 --host study.example.org\n"
     "  senjutsu study serve maps.study --origin https://study.example   behind a proxy with TLS\n",
     .body = &study_serve},
    {"study report", "Means of the ratings, correlations with fitness and naturalness, agreement.",
     "STUDY [options]",
     "  senjutsu study report maps.study --judge      measures the maps first: once\n"
     "  senjutsu study report maps.study --csv results --json\n"
     "  senjutsu study report maps.study --fit        what evolve --natural-from maps.study would use\n",
     .body = &report_body},
    {"study erase", "Removes all data of a participant, or of all, from the file.", "STUDY [options]",
     "  senjutsu study erase maps.study --participant 7\n"
     "  senjutsu study erase maps.study --all\n",
     .body = &erase_body},
    {0},
};
