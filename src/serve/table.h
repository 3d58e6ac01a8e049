/* SPDX-License-Identifier: MIT
 *
 * Private to table*.c and tables.c: one game that is played or looked at, by people and players. Everything
 * here is reached with the workbench's lock held.
 */
#ifndef SERVE_TABLE_H
#define SERVE_TABLE_H

#include "serve/table_seat.h"

#include "match/referee.h"
#include "match/timing.h"

enum {
    TABLE_ACTIONS_MAX = 4000,  /* a game that gets longer is stopped */
    TABLE_THOUGHTS_MAX = 1000, /* steps whose thoughts are kept */
    TABLE_CANDIDATES = 12,     /* of a step's thoughts */
    TABLE_REASON_MAX = 160,    /* bytes of why a game cannot be saved */
};

/* What belongs to an action beside the record. */
struct table_step {
    char *thoughts; /* JSON; NULL: none */
    char *told;     /* all of it that stays as it is, as JSON for who sees everything; NULL: not kept */
    double chance;  /* side 0's afterwards; NAN: not known */
    bool is_asked;  /* the adviser has been asked, or need not be */
};

struct topic;
struct table_thinker;

struct table {
    struct tables *tables;
    struct table *next; /* an older one */
    int holders;        /* the list, and every task that works for it */
    bool is_gone;       /* not in the list any more */
    char id[SERVE_ID_MAX], created[64];
    uint64_t number; /* in the order of their making */
    json_t *ground;
    struct scenario *scenario;
    struct table_seat seats[2];
    bool wants_thoughts;

    struct timing timing;
    char clock[SPEC_TEXT_MAX]; /* the timing as it was given */
    struct timing_clocks clocks;
    int64_t decision_ns; /* when the decision at hand began */

    struct record record;
    struct referee referee;
    struct table_step *steps;    /* one for each of the record's actions */
    int steps_capacity, advised; /* the adviser need not look at those before */
    int version;                 /* another one after something was taken back */
    bool is_ended;               /* without the rules: stopped, or a record that somebody loaded */
    bool has_thoughts;           /* those that are kept are in memory; otherwise in their file */
    bool is_filed;               /* their file is there */
    uint64_t thoughts_hash;      /* of the file, if what is in it is right; 0: that is not known */
    int offer;                   /* the side that asks to take back, or NOBODY */

    struct table_thinker *thinker; /* the one that counts; NULL: nobody thinks */
    bool is_waiting, is_advised;   /* for a thread; somebody looks at it at the moment */
    struct topic *topics[AUDIENCES];
    size_t told_bytes;                     /* of the steps' texts that are kept */
    int64_t touched_ns, saved_ns, told_ns; /* saved: when that was tried last */
    bool is_changed;                       /* since it was written */
    bool is_urgent;                        /* a change that was not yet tried to be written */
    char unsaved[TABLE_REASON_MAX];        /* why what was changed is not written; "": it is, or will be */

    bool is_placed; /* it begins elsewhere than the game does */
    _Alignas(16) unsigned char start[GAME_STATE_MAX];
};

/* A new one, held once, not in the list: scenario (taken over), seats, seed and date are set by the caller
 * before table_start. NULL when memory ran out; then the scenario is gone, too. */
struct table *table_open(struct tables *tables, struct scenario *scenario);

/* The game begins; `position` (may be NULL) says where. */
bool table_start(struct table *table, uint64_t seed, const char *position, struct err *e);
struct table *table_hold(struct table *table);
void table_drop(struct table *table);

/* Plays an action that the rules allow, in record, referee and steps; no clocks, nobody is told. */
bool table_add(struct table *table, action a, double milliseconds, struct err *e);

/* Back to that many actions. Their steps stay until they are dropped, so that it can be undone. */
void table_rewind(struct table *table, int count);
void table_drop_steps(struct table *table, int from, int to);

int table_mover(const struct table *table); /* NOBODY: it is over */
bool table_is_over(const struct table *table);
bool table_has_people(const struct table *table);
bool table_is_thinking(const struct table *table); /* is a player to move? */

/* Is there something at the moment that not everybody may see? */
bool table_hides(const struct table *table);

/* The position after that many actions. */
void table_replay(const struct table *table, int count, struct replay *out);

/* Has something hidden been shown to one of these sides (bits) since that many actions were played? Then it
 * cannot go back there: a person has seen it all the same. */
bool table_has_shown(const struct table *table, int count, unsigned sides);

/* How many actions were played before the last turn in which that side acted began; -1: it never did. */
int table_turn_start(const struct table *table, int side);

/* The sides (bits) that a key, or several with commas between them, stands for; -1: a wrong key. */
int table_sides(const struct table *table, const char *key);

#endif
