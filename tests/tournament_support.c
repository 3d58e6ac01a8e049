/* SPDX-License-Identifier: MIT */
#include "tournament_support.h"

#include "own_maps.h"
#include "scratch_support.h"
#include "tournament/tournament.h"

#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

enum { MAPS = 3 };

/* Two small boards and one that needs the wide table. */
static const char *const map_names[MAPS] = {"duel", "duel_infantry", "lane"};

void build_tournament(struct tournament *out, int format) {
    struct err e = {{0}};
    *out = (struct tournament){.seed = 42, .owns_scenarios = true, .map_count = MAPS};
    tournament_rules_default(&out->rules);
    out->rules.format = (enum tournament_format)format;
    out->rules.maps_per_pairing = 2;
    if (format == TOURNAMENT_SWISS || format == TOURNAMENT_ROUND_ROBIN) {
        out->rules.playoff_places = 1;
        out->rules.final_players = 2;
    }
    if (!entrants_parse("acteval,random,random,acteval:style=sample,random", out, &e))
        fail_msg("%s", e.text);
    out->maps = mem_alloc(MAPS * sizeof out->maps[0]);
    assert_non_null(out->maps);
    for (int i = 0; i < MAPS; i++) {
        snprintf(out->maps[i].name, sizeof out->maps[i].name, "%s", map_names[i]);
        out->maps[i].scenario = own_map(map_names[i]);
    }
}

/* ---- files ---- */

static char folder[SCRATCH_PATH_MAX];
char store_file[600];

int tournament_make_folder(void **state) {
    (void)state;
    if (!scratch_folder("tournament", folder))
        return -1;
    snprintf(store_file, sizeof store_file, "%s/store.db", folder);
    return 0;
}

void drop_store(void) {
    static const char *const endings[] = {"", "-wal", "-shm", ".lock"};
    char name[700];
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        snprintf(name, sizeof name, "%s%s", store_file, endings[i]);
        remove(name);
    }
}

int tournament_drop_folder(void **state) {
    (void)state;
    drop_store();
    return rmdir(folder);
}

struct store *open_tournament_store(enum store_mode mode) {
    struct err e = {{0}};
    struct store *store = store_open(store_file, mode, &e);
    if (store == NULL)
        fail_msg("%s", e.text);
    return store;
}

/* ---- running ---- */

void note_game(void *context, const struct games *games, int number, bool resumed) {
    struct session *s = context;
    assert_in_range(number, 0, GAMES_MAX - 1);
    assert_true(games->outcomes[number].played);
    assert_int_equal(s->played_before[number], resumed); /* nothing is played twice, nothing is lost */
    s->played_before[number] = true;
    s->played += !resumed;
    s->resumed += resumed;
    if (s->stop_after > 0 && s->played >= s->stop_after)
        atomic_store(&s->stop, true);
    if (s->remove_store)
        remove(store_file);
}

void table_of(const struct tournament *tournament, const struct games *games, struct text *out) {
    text_clear(out);
    standings_text(tournament, games, out);
}
