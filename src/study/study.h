/* SPDX-License-Identifier: MIT
 *
 * A study with people: maps that participants play and rate, as the map paper did it (section 6 and table 1).
 *
 * A study is a store (store/store.h). Its plan is fixed when it is made. Participants have numbers, which
 * reports show, and secret keys, which their links contain. Each step of a participant is one named text,
 * which is replaced and never added, so a step that is sent twice counts once:
 *
 *     person/0001/link         key, and what the browser of an open link chose to be recognised by
 *     person/0001/consent      place in the design, language, name, answers about the person
 *     person/0001/map/02/game/00    a game that was started: side, the live game and the key of its seat
 *     person/0001/map/02/handmade   a rating, 1 to 5
 *     person/0001/map/02/comment
 *     person/0001/comment      about the whole study
 *     person/0001/finish       when
 *
 * A finished game is a game of the store; its number follows from person, map and game, so it is stored once.
 * Nothing else about people is stored: no addresses, no times of single steps.
 */
#ifndef STUDY_STUDY_H
#define STUDY_STUDY_H

#include "game/tbs/map.h"
#include "store/store.h"

enum {
    STUDY_MAPS_MIN = 2,
    STUDY_MAPS_MAX = 24,
    STUDY_PERSONS_MAX = 2000,
    STUDY_GAMES_MAX = 32, /* of one participant on one map */
    STUDY_RATING_LOW = 1,
    STUDY_RATING_HIGH = 5,
    STUDY_KEY_MAX = 24,
    STUDY_VISIT_MIN = 16,
    STUDY_VISIT_MAX = 64, /* characters */
    STUDY_NAME_MAX = 80,  /* characters, of up to STUDY_CHARACTER bytes */
    STUDY_COMMENT_MAX = 2000,
    STUDY_CHARACTER = 4,
    STUDY_TITLE_MAX = 200,
    STUDY_CONSENT_MAX = 20000,
    STUDY_LABEL_MAX = 64, /* of a map or a group */
};

enum study_language { STUDY_ENGLISH, STUDY_JAPANESE, STUDY_LANGUAGES };
extern const char *const study_language_names[STUDY_LANGUAGES]; /* "en", "ja" */

/* The published questions: was the map made by a person, and is it worth playing? */
enum study_question { STUDY_HANDMADE, STUDY_FUN, STUDY_QUESTIONS };

struct study_texts {
    const char *in[STUDY_LANGUAGES];
};

struct study_question_text {
    const char *id;
    struct study_texts text, low, high; /* the meaning of the lowest and the highest rating */
};
extern const struct study_question_text study_questions[STUDY_QUESTIONS];

/* What the paper reports about its participants: how much they play, and how many games of this kind. */
enum { STUDY_ABOUT = 2, STUDY_CHOICES_MAX = 4 };

struct study_choice {
    const char *id; /* NULL: no more */
    struct study_texts text;
};

struct study_about_text {
    const char *id;
    struct study_texts text;
    struct study_choice choices[STUDY_CHOICES_MAX];
};
extern const struct study_about_text study_about[STUDY_ABOUT];

/* The consent text that a study has unless its plan gives another one. */
extern const struct study_texts study_default_consent;

/* ---- the plan ---- */

struct study_map {
    char name[STUDY_LABEL_MAX], group[STUDY_LABEL_MAX]; /* group "": none. Participants see neither */
    struct tbs_map map; /* without author and comment, which could reveal where it comes from */
};

struct study_plan {
    char *title[STUDY_LANGUAGES], *consent[STUDY_LANGUAGES]; /* owned */
    char player[PARAM_TEXT_MAX], rules[SPEC_NAME_MAX];
    uint64_t seed;            /* of the orders */
    int places;               /* participants that the open link admits; 0: there is none */
    char code[STUDY_KEY_MAX]; /* of the open link */
    int map_count;
    struct study_map *maps; /* owned */
};

void study_plan_done(struct study_plan *plan);

/* ---- participants ---- */

struct study_game {
    int side; /* the participant's */
    char table[STUDY_KEY_MAX], key[STUDY_KEY_MAX];
    bool is_over;
    double won; /* 1, 0.5, 0 of the participant, once it is over */
    int actions, turns;
    char result[OUTCOME_RESULT_MAX];
};

/* What a participant did with one map. */
struct study_answer {
    int game_count;
    struct study_game *games;
    int ratings[STUDY_QUESTIONS]; /* 0: not given */
    char *comment;                /* NULL: none */
};

struct study_person {
    int number; /* from 1; numbers of erased participants are not given again */
    char key[STUDY_KEY_MAX], visit[STUDY_VISIT_MAX + 1];
    int place; /* in the design; -1: no consent yet */
    enum study_language language;
    char name[STUDY_CHARACTER * STUDY_NAME_MAX + 1];
    int about[STUDY_ABOUT]; /* index of a choice; -1: not answered */
    bool is_finished;
    char *comment;                /* NULL: none */
    struct study_answer *answers; /* one for each map of the plan */
};

struct study {
    struct store *store;
    struct study_plan plan;
    int person_count;
    struct study_person **persons; /* by number */
    int number_next;
};

/* Makes the file; fails when it exists. Takes over what the plan owns, also after a failure. */
struct study *study_create(const char *path, struct study_plan *plan, struct err *e);
struct study *study_open(const char *path, enum store_mode mode, struct err *e);
void study_close(struct study *study); /* NULL is allowed */

/* A key or a visit is compared in the same time wherever it differs. NULL: there is no such participant. */
struct study_person *study_find(const struct study *study, const char *key);
struct study_person *study_find_visit(const struct study *study, const char *visit);
struct study_person *study_find_number(const struct study *study, int number);
bool study_is_code(const struct study *study, const char *code);
int study_open_places(const struct study *study); /* that are left of the open link */

/* NULL when it cannot be written, or there are STUDY_PERSONS_MAX. `visit` may be "". */
struct study_person *study_add_person(struct study *study, const char *key, const char *visit, struct err *e);

/* ---- the design ----
 *
 * Orders are rows of Williams' designs (1949): in each block of as many participants as there are maps, every
 * map comes once in every place; with an even number of maps it follows every other map once, with an odd
 * number it does so twice in two blocks. The sides
 * alternate within an order and from block to block, so that after two blocks each map began with red as
 * often as with blue, in every place. Seed and block determine how the maps are numbered and in which order
 * the rows are given out. */

/* The map in that position of the order of a place. */
int study_map_at(const struct study_plan *plan, int place, int position);
/* The side that a participant in that place plays first there. */
int study_side_at(const struct study_plan *plan, int place, int position);

/* ---- steps ----
 *
 * Positions are those in the participant's own order. Callers check first what may be
 * done (stage, state, numbers of games); steps fail only when the file cannot be written. */

enum study_stage { STUDY_CONSENT, STUDY_MAPS, STUDY_CLOSING, STUDY_FINISHED };
enum study_stage study_stage(const struct study *study, const struct study_person *person);

enum study_state { STUDY_WAITING, STUDY_OPEN, STUDY_DONE };
enum study_state study_state(const struct study *study, const struct study_person *person, int position);

struct study_answer *study_answer(const struct study *study, const struct study_person *person, int position);

/* Finished games of that side, and all games that were started. */
int study_games_over(const struct study_answer *answer, int side);
int study_games(const struct study_answer *answer, int side);
bool study_is_rated(const struct study_answer *answer);

struct study_consent {
    enum study_language language;
    const char *name;
    int about[STUDY_ABOUT];
    const char *date; /* ISO 8601 */
};

/* Gives the participant the first place of the design that is free. */
bool study_consent(struct study *study, struct study_person *person, const struct study_consent *consent,
                   struct err *e);

/* The `index`-th game on that map, counted from 0: a new one, or one that was lost before it was over. */
bool study_start_game(struct study *study, struct study_person *person, int position, int index,
                      const struct study_game *game, struct err *e);

/* The result of a game that was started; false also when it is stored already. `record` is JSON. */
struct study_result {
    const struct outcome *outcome;
    uint64_t seed;
    const char *record, *date;
};
bool study_end_game(struct study *study, struct study_person *person, int map, int game,
                    const struct study_result *result, struct err *e);

bool study_rate(struct study *study, struct study_person *person, int position, enum study_question question,
                int rating, struct err *e);
/* `position` -1: about the whole study. */
bool study_comment(struct study *study, struct study_person *person, int position, const char *comment,
                   struct err *e);
bool study_finish(struct study *study, struct study_person *person, const char *date, struct err *e);

/* Removes all that is stored about the participant, who is gone from memory, too. Of a visit through the open
 * link a digest stays, by which a late request of the same browser is recognised. *traces: the file could not
 * be written anew (store_shred), `e` has the reason. */
bool study_erase(struct study *study, struct study_person *person, bool *traces, struct err *e);
bool study_was_erased(const struct study *study, const char *visit);

/* ---- further texts of the store, for reports ---- */

/* "fitness/02" and the like: named texts about a map. */
bool study_put_text(struct study *study, const char *name, const char *value, struct err *e);
bool study_get_text(const struct study *study, const char *name, struct text *out, bool *found,
                    struct err *e);

#endif
