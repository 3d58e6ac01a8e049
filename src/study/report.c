/* SPDX-License-Identifier: MIT */
#include "study/report.h"

#include "base/columns.h"
#include "base/encode.h"
#include "base/mem.h"
#include "evolve/judge.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct ratings_scale scale = {STUDY_RATING_LOW, STUDY_RATING_HIGH};

const char *const study_measure_names[STUDY_MEASURES] = {"fitness", "naturalness", "the other question"};

/* ---- fitness ---- */

static void name_fitness(int map, char out[32]) {
    snprintf(out, 32, "fitness/%02d", map);
}

bool study_put_fitness(struct study *study, int map, const struct judgement *j, const char *strong,
                       const char *weak, struct err *e) {
    const int contests = judgement_contests(j);
    const struct share strength = judgement_strength(j), red = judgement_red(j);
    char name[32];
    assert(contests > 0);
    json_t *root =
        json_pack("{ss ss si sf sf s[ff] so}", "strong", strong, "weak", weak, "games", judgement_games(j),
                  "fitness", judgement_fitness(judgement_points(j) * 10 / contests, 10), "strength",
                  strength.value, "interval", strength.interval.low, strength.interval.high, "red",
                  tally_games(&j->peers) > 0 ? json_real(red.value) : json_null());
    char *text = json_dumps(root, JSON_COMPACT);
    name_fitness(map, name);
    const bool ok = study_put_text(study, name, text, e);
    free(text);
    json_decref(root);
    return ok;
}

static double number_of(const json_t *root, const char *key) {
    const json_t *value = json_object_get(root, key);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

bool study_get_fitness(const struct study *study, int map, struct study_fitness *out, struct err *e) {
    char name[32];
    struct text text = {0};
    bool found = false;
    *out = (struct study_fitness){.fitness = (double)NAN,
                                  .strength = (double)NAN,
                                  .red = (double)NAN,
                                  .interval = {(double)NAN, (double)NAN}};
    name_fitness(map, name);
    bool ok = study_get_text(study, name, &text, &found, e);
    json_t *root = ok && found ? jsontext_load(name, text_string(&text), text.size, e) : NULL;
    ok = ok && (!found || root != NULL);
    if (root != NULL) {
        const json_t *interval = json_object_get(root, "interval");
        const char *strong = json_string_value(json_object_get(root, "strong"));
        const char *weak = json_string_value(json_object_get(root, "weak"));
        out->is_known = true;
        out->games = (int)json_integer_value(json_object_get(root, "games"));
        out->fitness = number_of(root, "fitness");
        out->strength = number_of(root, "strength");
        out->red = number_of(root, "red");
        out->interval = (struct interval){json_number_value(json_array_get(interval, 0)),
                                          json_number_value(json_array_get(interval, 1))};
        snprintf(out->strong, sizeof out->strong, "%s", strong != NULL ? strong : "");
        snprintf(out->weak, sizeof out->weak, "%s", weak != NULL ? weak : "");
    }
    json_decref(root);
    text_done(&text);
    return ok;
}

/* ---- means ---- */

/* All ratings of a map, by participants; 0: not given. */
static int rating_of(const struct study *study, int person, int map, int question) {
    return study->persons[person]->answers[map].ratings[question];
}

static struct ratings_mean mean_of_map(const struct study *study, int map, int question) {
    double values[STUDY_PERSONS_MAX];
    int count = 0;
    for (int i = 0; i < study->person_count; i++)
        if (rating_of(study, i, map, question) != 0)
            values[count++] = rating_of(study, i, map, question);
    return ratings_mean(scale, values, count);
}

static struct ratings_mean mean_of_group(const struct study *study, const char *group, int question) {
    double values[STUDY_PERSONS_MAX];
    int count = 0;
    for (int i = 0; i < study->person_count; i++) {
        int sum = 0, given = 0;
        for (int map = 0; map < study->plan.map_count; map++)
            if (strcmp(study->plan.maps[map].group, group) == 0 && rating_of(study, i, map, question) != 0) {
                sum += rating_of(study, i, map, question);
                given++;
            }
        if (given > 0)
            values[count++] = (double)sum / given;
    }
    return ratings_mean(scale, values, count);
}

/* Groups in the order of their first maps. */
static void fill_groups(struct study_report *report) {
    const struct study_plan *plan = &report->study->plan;
    for (int map = 0; map < plan->map_count; map++) {
        const char *name = plan->maps[map].group;
        int known = 0;
        while (known < report->group_count && strcmp(report->groups[known].name, name) != 0)
            known++;
        if (name[0] == '\0' || known < report->group_count)
            continue;
        struct study_row *group = &report->groups[report->group_count++];
        strcpy(group->name, name);
        for (int q = 0; q < STUDY_QUESTIONS; q++)
            group->means[q] = mean_of_group(report->study, name, q);
    }
}

static bool fill_maps(struct study_report *report, struct err *e) {
    const struct study_plan *plan = &report->study->plan;
    const struct tbs_rules *rules = tbs_read_rules(plan->rules, e);
    bool ok = rules != NULL;
    report->map_count = plan->map_count;
    for (int map = 0; ok && map < plan->map_count; map++) {
        struct study_row *row = &report->maps[map];
        strcpy(row->name, plan->maps[map].name);
        strcpy(row->group, plan->maps[map].group);
        static_features_of(&plan->maps[map].map, rules, &row->features);
        for (int q = 0; q < STUDY_QUESTIONS; q++)
            row->means[q] = mean_of_map(report->study, map, q);
        ok = study_get_fitness(report->study, map, &row->fitness, e);
    }
    return ok;
}

/* ---- correlations and agreement ---- */

/* NAN: not known. */
static double measure_of(const struct study_row *map, int question, int measure) {
    switch ((enum study_measure)measure) {
    case STUDY_FITNESS: return map->fitness.fitness;
    case STUDY_NATURAL: return map->features.natural;
    case STUDY_OTHER_QUESTION: return map->means[1 - question].mean;
    case STUDY_MEASURES: break;
    }
    return (double)NAN;
}

static void fill_correlations(struct study_report *report) {
    for (int q = 0; q < STUDY_QUESTIONS; q++)
        for (int measure = 0; measure < STUDY_MEASURES; measure++) {
            double x[STUDY_MAPS_MAX], y[STUDY_MAPS_MAX];
            int count = 0;
            for (int map = 0; map < report->map_count; map++) {
                x[count] = report->maps[map].means[q].mean;
                y[count] = measure_of(&report->maps[map], q, measure);
                count += !isnan(x[count]) && !isnan(y[count]);
            }
            report->spearman[q][measure] = ratings_spearman(x, y, count);
            report->kendall[q][measure] = ratings_kendall(x, y, count);
        }
}

static void fill_agreement(struct study_report *report) {
    const struct study *study = report->study;
    const int units = study->plan.map_count;
    int *values = mem_alloc((size_t)(study->person_count * units + 1) * sizeof *values);
    for (int q = 0; q < STUDY_QUESTIONS; q++) {
        for (int i = 0; i < study->person_count; i++)
            for (int map = 0; map < units; map++)
                values[i * units + map] = rating_of(study, i, map, q);
        const struct ratings_table table = {scale, study->person_count, units, values};
        report->alpha[q] = ratings_alpha(&table, study->plan.seed);
        report->concordance[q] = ratings_concordance(&table);
    }
    mem_free(values);
}

bool study_report(const struct study *study, struct study_report *out, struct err *e) {
    *out = (struct study_report){.study = study, .participants = study->person_count};
    for (int i = 0; i < study->person_count; i++) {
        const struct study_person *person = study->persons[i];
        out->consents += person->place >= 0;
        out->finished += person->is_finished;
        for (int map = 0; map < study->plan.map_count; map++)
            for (int side = 0; side < TBS_SIDES; side++)
                out->games += study_games_over(&person->answers[map], side);
    }
    if (!fill_maps(out, e))
        return false;
    fill_groups(out);
    fill_correlations(out);
    fill_agreement(out);
    return true;
}

/* ---- tables ---- */

const char *const study_table_names[STUDY_TABLES] = {"maps",         "groups",  "correlations", "agreement",
                                                     "participants", "ratings", "games",        "comments"};

/* Columns of maps and groups; those of a question have its number times MEAN_COLUMNS added. */
enum { NAME, GROUP, FITNESS, FITNESS_GAMES, STRENGTH, NATURAL, PART, MEANS = PART + NATURAL_PARTS };
enum { RATERS, MEAN, LOW, HIGH, SHOWN, MEAN_COLUMNS };

static const struct study_row *rows_of(const struct study_report *report, bool groups) {
    return groups ? report->groups : report->maps;
}

/* "3.8 [2.1-4.9]" */
static void show_mean(const struct ratings_mean *mean, struct column_cell *out) {
    if (mean->count == 0)
        out->text = "-";
    else
        snprintf(out->buffer, sizeof out->buffer, "%.1f [%.1f-%.1f]", mean->mean, mean->interval.low,
                 mean->interval.high);
    out->text = mean->count == 0 ? "-" : out->buffer;
}

static void row_cell(const struct study_row *row, int index, struct column_cell *out) {
    if (index >= MEANS) {
        const struct ratings_mean *mean = &row->means[(index - MEANS) / MEAN_COLUMNS];
        switch ((index - MEANS) % MEAN_COLUMNS) {
        case RATERS: out->number = mean->count; break;
        case MEAN: out->number = mean->mean; break;
        case LOW: out->number = mean->interval.low; break;
        case HIGH: out->number = mean->interval.high; break;
        default: show_mean(mean, out); break;
        }
        return;
    }
    switch (index) {
    case NAME: out->text = row->name; break;
    case GROUP: out->text = row->group; break;
    case FITNESS: out->number = row->fitness.fitness; break;
    case FITNESS_GAMES: out->number = row->fitness.is_known ? row->fitness.games : (double)NAN; break;
    case STRENGTH: out->number = row->fitness.strength; break;
    case NATURAL: out->number = row->features.natural; break;
    default: out->number = row->features.parts[index - PART]; break;
    }
}

static void map_cell(const void *source, int row, int index, struct column_cell *out) {
    row_cell(&rows_of(source, false)[row], index, out);
}

static void group_cell(const void *source, int row, int index, struct column_cell *out) {
    row_cell(&rows_of(source, true)[row], index, out);
}

#define MEAN_CELLS(cell, question, id, words)                                                                 \
    {                                                                                                         \
        id,                                                                                                   \
        words,                                                                                                \
        COLUMN_FIXED,                                                                                         \
        cell,                                                                                                 \
        MEANS + (question)*MEAN_COLUMNS + MEAN,                                                               \
        .decimals = 3,                                                                                        \
        .where = IN_DATA},                                                                                    \
        {id "_low",       NULL, COLUMN_FIXED, cell, MEANS + (question)*MEAN_COLUMNS + LOW, .decimals = 3,     \
         .where = IN_DATA},                                                                                   \
        {id "_high",      NULL, COLUMN_FIXED, cell, MEANS + (question)*MEAN_COLUMNS + HIGH, .decimals = 3,    \
         .where = IN_DATA},                                                                                   \
        {id "_raters", NULL, COLUMN_COUNT, cell, MEANS + (question)*MEAN_COLUMNS + RATERS, .where = IN_DATA}, \
    {                                                                                                         \
        NULL, words, COLUMN_TEXT, cell, MEANS + (question)*MEAN_COLUMNS + SHOWN, .where = IN_TERMINAL         \
    }

#define PART_CELL(part, words)                                                                               \
    { words, NULL, COLUMN_FIXED, map_cell, PART + (part), .decimals = 4, .where = IN_DATA }

static const struct column map_columns[] = {
    {"map", "map", COLUMN_TEXT, map_cell, NAME, .is_left = true},
    {"group", "group", COLUMN_TEXT, map_cell, GROUP, .is_left = true},
    MEAN_CELLS(map_cell, STUDY_HANDMADE, "handmade", "handmade"),
    MEAN_CELLS(map_cell, STUDY_FUN, "fun", "fun"),
    {NULL, "raters", COLUMN_COUNT, map_cell, MEANS + RATERS, .where = IN_TERMINAL},
    {"fitness", "fitness", COLUMN_FIXED, map_cell, FITNESS, .decimals = 2, .places = 1},
    {"fitness_games", NULL, COLUMN_COUNT, map_cell, FITNESS_GAMES, .where = IN_DATA},
    {"strength", NULL, COLUMN_FIXED, map_cell, STRENGTH, .decimals = 4, .where = IN_DATA},
    {"natural", "natural", COLUMN_FIXED, map_cell, NATURAL, .decimals = 4, .places = 2},
    PART_CELL(NATURAL_ROADS, "roads"),
    PART_CELL(NATURAL_COHERENCE, "coherence"),
    PART_CELL(NATURAL_PREY, "prey"),
    PART_CELL(NATURAL_REACH, "reach"),
    PART_CELL(NATURAL_GATHERED, "gathered"),
    PART_CELL(NATURAL_CALM, "calm"),
};

static const struct column group_columns[] = {
    {"group", "group", COLUMN_TEXT, group_cell, NAME, .is_left = true},
    MEAN_CELLS(group_cell, STUDY_HANDMADE, "handmade", "handmade"),
    MEAN_CELLS(group_cell, STUDY_FUN, "fun", "fun"),
    {NULL, "raters", COLUMN_COUNT, group_cell, MEANS + RATERS, .where = IN_TERMINAL},
};

/* Two rows a correlation: Spearman's and Kendall's. The last one would repeat that of the questions. */
enum { CORRELATIONS = 2 * (STUDY_QUESTIONS * STUDY_MEASURES - 1) };
enum { QUESTION, MEASURE, KIND, MAPS, VALUE, VALUE_LOW, VALUE_HIGH, VALUE_SHOWN };

static void correlation_cell(const void *source, int row, int index, struct column_cell *out) {
    const struct study_report *report = source;
    const int question = row / 2 / STUDY_MEASURES, measure = row / 2 % STUDY_MEASURES;
    const struct ratings_correlation *c =
        row % 2 == 0 ? &report->spearman[question][measure] : &report->kendall[question][measure];
    switch (index) {
    case QUESTION: out->text = study_questions[question].id; break;
    case MEASURE:
        out->text =
            measure == STUDY_OTHER_QUESTION ? study_questions[1 - question].id : study_measure_names[measure];
        break;
    case KIND: out->text = row % 2 == 0 ? "spearman" : "kendall"; break;
    case MAPS: out->number = c->count; break;
    case VALUE: out->number = c->value; break;
    case VALUE_LOW: out->number = isnan(c->value) ? (double)NAN : c->interval.low; break;
    case VALUE_HIGH: out->number = isnan(c->value) ? (double)NAN : c->interval.high; break;
    default:
        if (!isnan(c->value))
            snprintf(out->buffer, sizeof out->buffer, "%+.2f [%+.2f to %+.2f]", c->value, c->interval.low,
                     c->interval.high);
        out->text = isnan(c->value) ? "-" : out->buffer;
    }
}

static const struct column correlation_columns[] = {
    {"question", "ratings of", COLUMN_TEXT, correlation_cell, QUESTION, .is_left = true},
    {"with", "with", COLUMN_TEXT, correlation_cell, MEASURE, .is_left = true},
    {"kind", "kind", COLUMN_TEXT, correlation_cell, KIND, .is_left = true},
    {"maps", "maps", COLUMN_COUNT, correlation_cell, MAPS},
    {"value", NULL, COLUMN_FIXED, correlation_cell, VALUE, .decimals = 4, .where = IN_DATA},
    {"low", NULL, COLUMN_FIXED, correlation_cell, VALUE_LOW, .decimals = 4, .where = IN_DATA},
    {"high", NULL, COLUMN_FIXED, correlation_cell, VALUE_HIGH, .decimals = 4, .where = IN_DATA},
    {NULL, "value", COLUMN_TEXT, correlation_cell, VALUE_SHOWN, .where = IN_TERMINAL},
};

enum { ALPHA = MAPS, ALPHA_LOW, ALPHA_HIGH, ALPHA_SHOWN, PAIRABLE, W, W_RATERS, W_CHI };

static void agreement_cell(const void *source, int row, int index, struct column_cell *out) {
    const struct study_report *report = source;
    const struct ratings_alpha *alpha = &report->alpha[row];
    const struct ratings_concordance *w = &report->concordance[row];
    switch (index) {
    case QUESTION: out->text = study_questions[row].id; break;
    case ALPHA: out->number = alpha->value; break;
    case ALPHA_LOW: out->number = isnan(alpha->value) ? (double)NAN : alpha->interval.low; break;
    case ALPHA_HIGH: out->number = isnan(alpha->value) ? (double)NAN : alpha->interval.high; break;
    case PAIRABLE: out->number = alpha->pairable; break;
    case W: out->number = w->value; break;
    case W_RATERS: out->number = w->raters; break;
    case W_CHI: out->number = w->chi_squared; break;
    default:
        if (!isnan(alpha->value))
            snprintf(out->buffer, sizeof out->buffer, "%.2f [%.2f to %.2f]", alpha->value,
                     alpha->interval.low, alpha->interval.high);
        out->text = isnan(alpha->value) ? "-" : out->buffer;
    }
}

static const struct column agreement_columns[] = {
    {"question", "ratings of", COLUMN_TEXT, agreement_cell, QUESTION, .is_left = true},
    {"alpha", NULL, COLUMN_FIXED, agreement_cell, ALPHA, .decimals = 4, .where = IN_DATA},
    {"alpha_low", NULL, COLUMN_FIXED, agreement_cell, ALPHA_LOW, .decimals = 4, .where = IN_DATA},
    {"alpha_high", NULL, COLUMN_FIXED, agreement_cell, ALPHA_HIGH, .decimals = 4, .where = IN_DATA},
    {NULL, "alpha", COLUMN_TEXT, agreement_cell, ALPHA_SHOWN, .where = IN_TERMINAL},
    {"ratings", "ratings", COLUMN_COUNT, agreement_cell, PAIRABLE},
    {"w", "W", COLUMN_FIXED, agreement_cell, W, .decimals = 4, .places = 2},
    {"chi_squared", "chi squared", COLUMN_FIXED, agreement_cell, W_CHI, .decimals = 4, .places = 1},
    {"complete_raters", "raters of all maps", COLUMN_COUNT, agreement_cell, W_RATERS},
};

#define TABLE(list, rows, report)                                                                            \
    (struct columns) {                                                                                       \
        (list), sizeof(list) / sizeof *(list), (rows), (report)                                              \
    }

/* ---- what participants gave, as CSV ---- */

static void add_participants(const struct study *study, struct text *out) {
    text_add_string(out, "participant,place,language,finished");
    for (int i = 0; i < STUDY_ABOUT; i++)
        text_add(out, ",%s", study_about[i].id);
    text_add_string(out, "\n");
    for (int i = 0; i < study->person_count; i++) {
        const struct study_person *person = study->persons[i];
        if (person->place < 0)
            continue;
        text_add(out, "%d,%d,%s,%s", person->number, person->place + 1,
                 study_language_names[person->language], person->is_finished ? "yes" : "no");
        for (int k = 0; k < STUDY_ABOUT; k++)
            text_add(out, ",%s", person->about[k] >= 0 ? study_about[k].choices[person->about[k]].id : "");
        text_add_string(out, "\n");
    }
}

/* "7,2,": participant and place of the map in the order; then the map and its group. */
static void add_place(const struct study *study, const struct study_person *person, int position,
                      struct text *out) {
    const struct study_map *map = &study->plan.maps[study_map_at(&study->plan, person->place, position)];
    text_add(out, "%d,%d,", person->number, position + 1);
    csv_field(map->name, out);
    text_add_string(out, ",");
    csv_field(map->group, out);
}

/* One line of what a participant did on one map; `table` is one of ratings, games and comments. */
static void add_answer(const struct study *study, const struct study_person *person, int position,
                       enum study_table table, struct text *out) {
    const struct study_answer *answer = study_answer(study, person, position);
    for (int q = 0; table == STUDY_TABLE_RATINGS && q < STUDY_QUESTIONS; q++)
        if (answer->ratings[q] != 0) {
            add_place(study, person, position, out);
            text_add(out, ",%s,%d\n", study_questions[q].id, answer->ratings[q]);
        }
    for (int i = 0; table == STUDY_TABLE_GAMES && i < answer->game_count; i++) {
        const struct study_game *game = &answer->games[i];
        add_place(study, person, position, out);
        text_add(out, ",%d,%s,", i + 1, tbs_side_names[game->side]);
        if (game->is_over)
            text_add(out, "%g,%s,%d,%d\n", game->won, game->result, game->actions, game->turns);
        else
            text_add_string(out, ",,,\n");
    }
    if (table == STUDY_TABLE_COMMENTS && answer->comment != NULL && answer->comment[0] != '\0') {
        add_place(study, person, position, out);
        text_add_string(out, ",");
        csv_field(answer->comment, out);
        text_add_string(out, "\n");
    }
}

static void add_answers(const struct study *study, enum study_table table, struct text *out) {
    text_add(out, "participant,position,map,group,%s\n",
             table == STUDY_TABLE_RATINGS ? "question,rating"
             : table == STUDY_TABLE_GAMES ? "game,side,won,result,actions,turns"
                                          : "comment");
    for (int i = 0; i < study->person_count; i++) {
        const struct study_person *person = study->persons[i];
        for (int position = 0; person->place >= 0 && position < study->plan.map_count; position++)
            add_answer(study, person, position, table, out);
        if (table == STUDY_TABLE_COMMENTS && person->comment != NULL && person->comment[0] != '\0') {
            text_add(out, "%d,,,,", person->number);
            csv_field(person->comment, out);
            text_add_string(out, "\n");
        }
    }
}

void study_report_csv(const struct study_report *report, enum study_table table, struct text *out) {
    switch (table) {
    case STUDY_TABLE_MAPS: columns_csv(&TABLE(map_columns, report->map_count, report), out); break;
    case STUDY_TABLE_GROUPS: columns_csv(&TABLE(group_columns, report->group_count, report), out); break;
    case STUDY_TABLE_CORRELATIONS: columns_csv(&TABLE(correlation_columns, CORRELATIONS, report), out); break;
    case STUDY_TABLE_AGREEMENT: columns_csv(&TABLE(agreement_columns, STUDY_QUESTIONS, report), out); break;
    case STUDY_TABLE_PARTICIPANTS: add_participants(report->study, out); break;
    case STUDY_TABLE_RATINGS:
    case STUDY_TABLE_GAMES:
    case STUDY_TABLE_COMMENTS: add_answers(report->study, table, out); break;
    case STUDY_TABLES: assert(false); break;
    }
}

/* ---- forms ---- */

static void add_table(const struct columns *table, const char *title, struct text *out) {
    if (table->rows == 0)
        return;
    text_add(out, "\n%s\n", title);
    columns_terminal(table, &(struct columns_style){.indent = 2}, out);
}

void study_report_write(const struct study_report *report, struct text *out) {
    const struct study_fitness *fitness = &report->maps[0].fitness;
    text_add_string(out, report->study->plan.title[STUDY_ENGLISH]);
    text_add(out, "\nparticipants: %d, consented: %d, finished: %d; games against %s: %d\n",
             report->participants, report->consents, report->finished, report->study->plan.player,
             report->games);
    for (int q = 0; q < STUDY_QUESTIONS; q++)
        text_add(out, "  %-9s %s (%d to %d)\n", study_questions[q].id,
                 study_questions[q].text.in[STUDY_ENGLISH], STUDY_RATING_LOW, STUDY_RATING_HIGH);
    add_table(&TABLE(map_columns, report->map_count, report), "Means with 95 % intervals", out);
    add_table(&TABLE(group_columns, report->group_count, report), "By group, each participant once", out);
    add_table(&TABLE(correlation_columns, CORRELATIONS, report),
              "Rank correlations over the maps, with 95 % intervals", out);
    add_table(&TABLE(agreement_columns, STUDY_QUESTIONS, report),
              "Agreement between participants: Krippendorff's alpha (ordinal), Kendall's W", out);
    if (fitness->is_known)
        text_add(out, "\nfitness: max(1, w - 4)^3 of %s against %s, from %d games a map\n", fitness->strong,
                 fitness->weak, fitness->games);
    else
        text_add_string(out,
                        "\nfitness is not measured yet: 'senjutsu study report STUDY --judge' does it\n");
}

json_t *study_report_json(const struct study_report *report) {
    const struct study_plan *plan = &report->study->plan;
    return json_pack("{ss ss so si si si si so so so so}", "title", plan->title[STUDY_ENGLISH], "player",
                     plan->player, "seed", jsontext_seed(plan->seed), "participants", report->participants,
                     "consented", report->consents, "finished", report->finished, "games", report->games,
                     "maps", columns_json(&TABLE(map_columns, report->map_count, report), NULL), "groups",
                     columns_json(&TABLE(group_columns, report->group_count, report), NULL), "correlations",
                     columns_json(&TABLE(correlation_columns, CORRELATIONS, report), NULL), "agreement",
                     columns_json(&TABLE(agreement_columns, STUDY_QUESTIONS, report), NULL));
}

/* ---- naturalness fitted to ratings ---- */

_Static_assert((int)NATURAL_PARTS <= (int)RATINGS_FEATURES_MAX, "all parts can be fitted");

/* In steps of the scale the fit is base + weights; naturalness goes from 0 to 1. */
static void to_naturalness(const struct ratings_fit *fit, struct naturalness *out) {
    const double steps = STUDY_RATING_HIGH - STUDY_RATING_LOW;
    struct text text = {0};
    *out = (struct naturalness){.base = (fit->base - STUDY_RATING_LOW) / steps};
    for (int part = 0; part < NATURAL_PARTS; part++)
        out->weights[part] = fit->weights[part] / steps;
    naturalness_write(out, &text); /* the text defines the weights: a run that is continued reads it */
    naturalness_read(text_string(&text), out, NULL);
    text_done(&text);
}

bool study_fit_naturalness(const struct study *study, struct study_fit *out, struct err *e) {
    double x[STUDY_MAPS_MAX * NATURAL_PARTS], y[STUDY_MAPS_MAX];
    const struct tbs_rules *rules = tbs_read_rules(study->plan.rules, e);
    *out = (struct study_fit){0};
    if (rules == NULL)
        return false;
    for (int map = 0; map < study->plan.map_count; map++) {
        struct static_features features;
        const struct ratings_mean mean = mean_of_map(study, map, STUDY_HANDMADE);
        if (mean.count < STUDY_FIT_RATERS)
            continue;
        static_features_of(&study->plan.maps[map].map, rules, &features);
        memcpy(&x[(size_t)out->maps * NATURAL_PARTS], features.parts, sizeof features.parts);
        y[out->maps++] = mean.mean;
        out->ratings += mean.count;
    }
    if (out->maps < STUDY_FIT_MAPS)
        return err_set(e,
                       "too few ratings to fit naturalness: %d maps were rated by at least %d participants, "
                       "%d such maps are needed",
                       out->maps, STUDY_FIT_RATERS, STUDY_FIT_MAPS);
    if (!ratings_fit(x, y, out->maps, NATURAL_PARTS, &out->fit, e))
        return err_prefix(e, "naturalness cannot be fitted: ");
    to_naturalness(&out->fit, &out->naturalness);
    return true;
}

void study_fit_write(const struct study_fit *fit, struct text *out) {
    text_add(out, "naturalness fitted to %d ratings of %d maps (ridge %g):", fit->ratings, fit->maps,
             fit->fit.penalty);
    for (int part = 0; part < NATURAL_PARTS; part++)
        text_add(out, " %s %+.2f", natural_part_names[part], fit->fit.standardized[part]);
    text_add(out,
             " steps of the scale per standard deviation\n"
             "cross-validated error %.2f steps, %.2f with the mean alone%s\n",
             fit->fit.error, fit->fit.error_mean,
             fit->fit.error < fit->fit.error_mean ? "" : ": the fit predicts no better than the mean");
}
