/* SPDX-License-Identifier: MIT
 *
 * What a study has shown: means of the ratings of maps and of groups of maps, their rank correlations with
 * our fitness and naturalness, and how far the participants agree. And naturalness fitted to the ratings.
 */
#ifndef STUDY_REPORT_H
#define STUDY_REPORT_H

#include "evolve/genome.h"
#include "study/ratings.h"
#include "study/study.h"

struct json_t;

/* ---- fitness of the maps ----
 *
 * From games of a strong against a weak player (evolve/judge.h), once for all reports: the study stores it.
 */

struct study_fitness {
    bool is_known;
    int games;
    double fitness;  /* of the published formula, 1 … 216 */
    double strength; /* strong's score, 0 … 1 */
    struct interval interval;
    double red; /* red's score between equals; NAN: no such games */
    char strong[PARAM_TEXT_MAX], weak[PARAM_TEXT_MAX];
};

struct judgement;

/* Stores the fitness of a map that was judged. */
bool study_put_fitness(struct study *study, int map, const struct judgement *judgement, const char *strong,
                       const char *weak, struct err *e);
bool study_get_fitness(const struct study *study, int map, struct study_fitness *out, struct err *e);

/* ---- the report ---- */

struct study_row { /* a map, or a group of maps */
    char name[STUDY_LABEL_MAX], group[STUDY_LABEL_MAX];
    struct ratings_mean means[STUDY_QUESTIONS];
    struct static_features features; /* of a map */
    struct study_fitness fitness;
};

/* The ratings of a question are correlated with these, map by map. */
enum study_measure { STUDY_FITNESS, STUDY_NATURAL, STUDY_OTHER_QUESTION, STUDY_MEASURES };
extern const char *const study_measure_names[STUDY_MEASURES];

struct study_report {
    const struct study *study;
    int participants, consents, finished, games;
    int map_count, group_count; /* no groups: 0 */
    struct study_row maps[STUDY_MAPS_MAX], groups[STUDY_MAPS_MAX];
    struct ratings_correlation spearman[STUDY_QUESTIONS][STUDY_MEASURES],
        kendall[STUDY_QUESTIONS][STUDY_MEASURES];
    struct ratings_alpha alpha[STUDY_QUESTIONS];
    struct ratings_concordance concordance[STUDY_QUESTIONS];
};

/* The mean of a map counts every rating. That of a group counts each participant once, with the mean of the
 * ratings of its maps: several ratings of one person are not independent. */
bool study_report(const struct study *study, struct study_report *out, struct err *e);

void study_report_write(const struct study_report *report, struct text *out);
struct json_t *study_report_json(const struct study_report *report); /* a new value */

/* The report's tables as CSV: maps, groups, correlations, agreement; then what participants gave:
 * participants (without names), ratings, games, comments. */
enum study_table {
    STUDY_TABLE_MAPS,
    STUDY_TABLE_GROUPS,
    STUDY_TABLE_CORRELATIONS,
    STUDY_TABLE_AGREEMENT,
    STUDY_TABLE_PARTICIPANTS,
    STUDY_TABLE_RATINGS,
    STUDY_TABLE_GAMES,
    STUDY_TABLE_COMMENTS,
    STUDY_TABLES,
};
extern const char *const study_table_names[STUDY_TABLES];
void study_report_csv(const struct study_report *report, enum study_table table, struct text *out);

/* ---- naturalness fitted to ratings ---- */

enum { STUDY_FIT_RATERS = 3, STUDY_FIT_MAPS = 4 };

struct study_fit {
    struct naturalness naturalness;
    struct ratings_fit fit; /* in steps of the scale */
    int maps, ratings;
};

/* Fits the parts of naturalness to the mean ratings of the first question, of maps that at least
 * STUDY_FIT_RATERS participants have rated. False with a sentence when there are fewer than STUDY_FIT_MAPS of
 * them, or nothing differs. */
bool study_fit_naturalness(const struct study *study, struct study_fit *out, struct err *e);

/* Sentences about the fit: how many ratings, the weights, the error beside that of the plain mean. */
void study_fit_write(const struct study_fit *fit, struct text *out);

#endif
