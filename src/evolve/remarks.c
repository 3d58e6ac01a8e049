/* SPDX-License-Identifier: MIT
 *
 * The rules by which remarks are made, and verdicts on fairness and strength.
 */
#include "evolve/remarks.h"

#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* When a remark is made. Bounds are those of 95% intervals. */
enum {
    GAMES_FOR_LENGTH = 10, /* before a remark about the mean length */
    GAMES_FOR_UNITS = 20,  /* before a unit's attacks are */
    UNITS_NAMED_MAX = 3,   /* of a side with the same defect; more are only counted */
    PATCH_CELLS_MIN = 4,   /* of woods, mountains and sea, before a remark about their order */
};
#define SHORT_GAME      4.0  /* turns of both sides together: two each */
#define WINS_NEARLY_ALL 0.7  /* lower bound of a side's wins between equals */
#define FAVOURED        0.55 /* lower bound of a side's score */
#define FAVOURED_MUCH   0.6
#define EVEN            0.1  /* the interval of a fair map lies within 0.5 plus or minus this */
#define HARDLY_PAYS     0.6  /* upper bound of strong's score */
#define HARDLY_ATTACKS  0.2  /* upper bound of the share of games in which a unit attacks */
#define ALL_ATTACK      0.3  /* lower bound for the unit that attacks least */
#define STREWN          0.25 /* coherence below which terrain is called strewn */
#define STREWN_ALL      0.5  /* the same where no two cells hang together */
#define COHERENT        0.8

struct maker {
    const struct tbs_map *map;
    const struct judgement *judgement;
    struct static_features features;
    enum useless use[TBS_UNITS_MAX];
    int units[TBS_SIDES], games;
    int first; /* the side that moves first */
    struct remarks *out;
};

/* ---- adding ---- */

/* Behind all remarks that weigh as much or more. NULL when there is no room. */
static struct remark *add_remark(struct maker *m, enum remark_weight weight, const char *code,
                                 const char *format, ...) __attribute__((format(printf, 4, 5)));

static struct remark *add_remark(struct maker *m, enum remark_weight weight, const char *code,
                                 const char *format, ...) {
    struct remarks *out = m->out;
    int at = out->count;
    while (at > 0 && out->items[at - 1].weight < weight)
        at--;
    if (at == REMARKS_MAX)
        return NULL;
    out->count += out->count < REMARKS_MAX;
    struct remark *remark = &out->items[at];
    memmove(remark + 1, remark, (size_t)(out->count - 1 - at) * sizeof *remark);
    *remark = (struct remark){.weight = weight};
    va_list arguments;
    va_start(arguments, format);
    msg_format(&remark->msg, remark->text, sizeof remark->text, code, format, arguments);
    va_end(arguments);
    return remark;
}

static void add_cell(struct remark *remark, int x, int y) {
    if (remark != NULL && remark->cell_count < REMARK_CELLS_MAX)
        memcpy(remark->cells[remark->cell_count++], (uint8_t[2]){(uint8_t)x, (uint8_t)y}, 2);
}

/* In whole percents; 0 and 100 only when that is exact. */
static int percent(double share) {
    const int whole = (int)(100 * share + 0.5);
    if (whole == 0 && share > 0)
        return 1;
    return whole >= 100 && share < 1 ? 99 : whole;
}

enum { PHRASE_MAX = 96 };

struct phrase {
    char text[PHRASE_MAX];
};

/* " at (3, 4)" for a unit that is not the only one of its side and type. */
static struct phrase place_of(const struct maker *m, int unit) {
    const struct tbs_map_unit *u = &m->map->units[unit];
    struct phrase p = {""};
    int like = 0;
    for (int id = 0; id < m->map->unit_count; id++)
        like += m->map->units[id].side == u->side && m->map->units[id].type == u->type;
    if (like > 1)
        snprintf(p.text, sizeof p.text, " at (%d, %d)", u->x, u->y);
    return p;
}

static struct share counted(int count, int games) {
    const double value = games > 0 ? (double)count / games : 0.5;
    return (struct share){value, stats_wilson(value, games, STATS_Z95), games};
}

/* ---- which side wins ---- */

/* Units of the same types with the same HP: then it is not the armies that make a difference. */
static bool armies_are_alike(const struct tbs_map *map) {
    int difference[TBS_TYPES][TBS_HP_MAX + 1] = {{0}};
    for (int id = 0; id < map->unit_count; id++) {
        const struct tbs_map_unit *u = &map->units[id];
        difference[u->type][u->hp] += u->side == TBS_RED ? 1 : -1;
    }
    for (int type = 0; type < TBS_TYPES; type++)
        for (int hp = 0; hp <= TBS_HP_MAX; hp++)
            if (difference[type][hp] != 0)
                return false;
    return true;
}

static void remark_favoured(struct maker *m) {
    const struct tally *peers = &m->judgement->peers;
    const struct share red = judgement_red(m->judgement);
    const int side = red.value >= 0.5 ? TBS_RED : TBS_BLUE;
    const bool is_red = side == TBS_RED;
    const double score = is_red ? red.value : 1 - red.value;
    const double low = is_red ? red.interval.low : 1 - red.interval.high;
    const double high = is_red ? red.interval.high : 1 - red.interval.low;
    const char *where = tally_games(peers) > 0 ? "between equals" : "with either player";
    const struct share wins = counted(is_red ? peers->wins : peers->losses, tally_games(peers));
    if (wins.games > 0 && wins.interval.low >= WINS_NEARLY_ALL && armies_are_alike(m->map))
        add_remark(m, REMARK_FAULT, "remark.mover_wins",
                   "the side that moves %s wins %d%% of games between equals",
                   side == m->first ? "first" : "second", percent(wins.value));
    else if (wins.games > 0 && wins.interval.low >= WINS_NEARLY_ALL)
        add_remark(m, REMARK_FAULT, "remark.favoured_wins",
                   "%s is favoured: it wins %d%% of games between equals", tbs_side_names[side],
                   percent(wins.value));
    else if (low >= FAVOURED)
        add_remark(m, low >= FAVOURED_MUCH ? REMARK_FAULT : REMARK_NOTE, "remark.favoured",
                   "%s is favoured: it scores %d%% %s", tbs_side_names[side], percent(score), where);
    else if (low >= 0.5 - EVEN && high <= 0.5 + EVEN)
        add_remark(m, REMARK_GOOD, "remark.even", "neither side is favoured: red scores %d%% %s",
                   percent(red.value), where);
}

static void remark_side_decides(struct maker *m) {
    for (int side = 0; side < TBS_SIDES; side++) {
        const struct tally *strong = &m->judgement->strong[1 - side];
        const struct share weak = counted(strong->losses, tally_games(strong));
        if (weak.interval.low > 0.5)
            add_remark(m, REMARK_FAULT, "remark.weak_wins",
                       "the weak player wins %d%% of its games with %s: the side decides, not the player",
                       percent(weak.value), tbs_side_names[side]);
    }
}

static void remark_strength(struct maker *m) {
    const struct tally *strong = m->judgement->strong;
    const struct share red = counted(strong[TBS_RED].wins, tally_games(&strong[TBS_RED]));
    const struct share blue = counted(strong[TBS_BLUE].wins, tally_games(&strong[TBS_BLUE]));
    const struct share both = judgement_strength(m->judgement);
    if (red.interval.low > 0.5 && blue.interval.low > 0.5)
        add_remark(m, REMARK_GOOD, "remark.strong_wins",
                   "the strong player wins %d%% with red and %d%% with blue: thinking pays",
                   percent(red.value), percent(blue.value));
    else if (both.interval.high < HARDLY_PAYS)
        add_remark(m, REMARK_FAULT, "remark.strong_hardly",
                   "the strong player scores only %d%% against the weak one: thinking hardly pays",
                   percent(both.value));
}

/* ---- how games go ---- */

static void remark_first_turn(struct maker *m, int side) {
    const int enemies = m->units[1 - side];
    const char *whom = tbs_side_names[1 - side], *who = tbs_side_names[side];
    double share = 0;
    /* The most that are destroyed in about half of the games or more. */
    int kills = enemies < JUDGEMENT_KILLS_MAX ? enemies : JUDGEMENT_KILLS_MAX;
    for (; kills > 0; kills--) {
        share = judgement_first_kills(m->judgement, side, kills);
        if (share >= 0.5 && stats_wilson(share, m->games, STATS_Z95).low >= 0.35)
            break;
    }
    const bool is_large = 3 * kills >= enemies;
    const bool is_sure = share >= 0.9 && stats_wilson(share, m->games, STATS_Z95).low >= 0.7;
    if (kills == 0 || !(kills >= 2 || is_large || is_sure))
        return;
    const enum remark_weight weight = is_large ? REMARK_FAULT : REMARK_NOTE;
    const bool always = share >= 1;
    if (enemies == 1 && always)
        add_remark(m, weight, "remark.first_only_always",
                   "%s's first turn destroys the only %s unit in every game", who, whom);
    else if (enemies == 1)
        add_remark(m, weight, "remark.first_only",
                   "%s's first turn destroys the only %s unit in %d%% of games", who, whom, percent(share));
    else if (kills == enemies && always)
        add_remark(m, weight, "remark.first_all_always",
                   "%s's first turn destroys all %d %s units in every game", who, kills, whom);
    else if (kills == enemies)
        add_remark(m, weight, "remark.first_all", "%s's first turn destroys all %d %s units in %d%% of games",
                   who, kills, whom, percent(share));
    else if (always)
        add_remark(m, weight, "remark.first_some_always",
                   "%s's first turn destroys %d of %d %s units in every game", who, kills, enemies, whom);
    else
        add_remark(m, weight, "remark.first_some",
                   "%s's first turn destroys %d of %d %s units in %d%% of games", who, kills, enemies, whom,
                   percent(share));
}

static void remark_length(struct maker *m) {
    const struct judgement *j = m->judgement;
    const struct share limit = counted(m->games - j->annihilated - j->forfeits, m->games);
    const double turns = judgement_turns(j);
    if (m->games >= GAMES_FOR_LENGTH && turns < SHORT_GAME)
        add_remark(m, REMARK_FAULT, "remark.short",
                   "games end in %.1f turns on average: there is no time to think", turns);
    const enum remark_weight weight = limit.interval.low >= 0.8 ? REMARK_FAULT : REMARK_NOTE;
    if (limit.interval.low >= 0.5 && limit.value >= 1)
        add_remark(m, weight, "remark.limit_always", "every game goes to the turn limit");
    else if (limit.interval.low >= 0.5)
        add_remark(m, weight, "remark.limit", "%d%% of games go to the turn limit", percent(limit.value));
}

static void remark_results(struct maker *m) {
    const int forfeits = m->judgement->forfeits;
    const struct share decisive = judgement_decisive(m->judgement);
    const double drawn = 1 - decisive.value, low = 1 - decisive.interval.high;
    const bool many = drawn >= 0.45 && low >= 0.3;
    if (many && drawn <= 0.55)
        add_remark(m, REMARK_FAULT, "remark.drawn_half", "half of the games are drawn");
    else if (many && drawn >= 1)
        add_remark(m, REMARK_FAULT, "remark.drawn_always", "every game is drawn");
    else if (many || (drawn >= 0.25 && low >= 0.15))
        add_remark(m, many ? REMARK_FAULT : REMARK_NOTE, "remark.drawn", "%d%% of games are drawn",
                   percent(drawn));
    if (forfeits > 0)
        add_remark(m, REMARK_NOTE, "remark.forfeits", "%d of %d games %s forfeited: a player broke the rules",
                   forfeits, m->games, forfeits == 1 ? "was" : "were");
}

/* ---- units ---- */

/* A defect of units: the remark about one, and about several of a side. */
struct defect {
    const char *one, *several, *one_code, *several_code;
};

static const struct defect defects[] = {
    [USELESS_NO_PREY] = {"has no enemy it can attack", "have no enemy they can attack", "remark.no_prey",
                         "remark.no_prey_units"},
    [USELESS_STRANDED] = {"can never reach an enemy", "can never reach an enemy", "remark.stranded",
                          "remark.stranded_units"},
    [USELESS_STUCK] = {"cannot leave its cell", "cannot leave their cells", "remark.stuck",
                       "remark.stuck_units"},
};

static void remark_defect(struct maker *m, int side, enum useless use) {
    const struct defect *defect = &defects[use];
    int with[UNITS_NAMED_MAX], count = 0;
    for (int id = 0; id < m->map->unit_count; id++)
        if (m->map->units[id].side == side && m->use[id] == use) {
            if (count < UNITS_NAMED_MAX)
                with[count] = id;
            count++;
        }
    if (count > UNITS_NAMED_MAX)
        add_remark(m, REMARK_FAULT, defect->several_code, "%d %s units %s", count, tbs_side_names[side],
                   defect->several);
    for (int i = 0; i < count && count <= UNITS_NAMED_MAX; i++) {
        const struct tbs_map_unit *u = &m->map->units[with[i]];
        add_cell(add_remark(m, REMARK_FAULT, defect->one_code, "the %s %s%s %s", tbs_side_names[side],
                            tbs_unit_types[u->type].name, place_of(m, with[i]).text, defect->one),
                 u->x, u->y);
    }
}

/* Units with another remark do not count here, nor do those with ids beyond the mask of sample games. */
static bool hardly_attacks(const struct maker *m, int unit, struct share *attacks) {
    if (unit >= SAMPLE_MASK_UNITS || m->use[unit] != USELESS_NOT)
        return false;
    *attacks = counted(m->judgement->attacked[unit], m->games);
    return attacks->interval.high < HARDLY_ATTACKS;
}

static void remark_idle(struct maker *m, int side) {
    struct share attacks;
    int count = 0;
    for (int id = 0; id < m->map->unit_count; id++)
        count += m->map->units[id].side == side && hardly_attacks(m, id, &attacks);
    if (count > UNITS_NAMED_MAX) {
        add_remark(m, REMARK_NOTE, "remark.idle_units", "%d %s units hardly ever attack", count,
                   tbs_side_names[side]);
        return;
    }
    for (int id = 0; id < m->map->unit_count; id++) {
        if (m->map->units[id].side != side || !hardly_attacks(m, id, &attacks))
            continue;
        const struct tbs_map_unit *u = &m->map->units[id];
        const char *who = tbs_side_names[side], *type = tbs_unit_types[u->type].name;
        const struct phrase place = place_of(m, id);
        add_cell(attacks.value > 0
                     ? add_remark(m, REMARK_NOTE, "remark.idle", "the %s %s%s attacks in only %d%% of games",
                                  who, type, place.text, percent(attacks.value))
                     : add_remark(m, REMARK_NOTE, "remark.never_attacks", "the %s %s%s never attacks", who,
                                  type, place.text),
                 u->x, u->y);
    }
}

static void remark_all_attack(struct maker *m) {
    int least = m->games;
    for (int id = 0; id < m->map->unit_count && id < SAMPLE_MASK_UNITS; id++)
        least = m->judgement->attacked[id] < least ? m->judgement->attacked[id] : least;
    const struct share share = counted(least, m->games);
    if (m->map->unit_count <= SAMPLE_MASK_UNITS && share.interval.low >= ALL_ATTACK)
        add_remark(m, REMARK_GOOD, "remark.all_attack",
                   "every unit fights: each attacks in %d%% of games or more", percent(share.value));
}

/* Without games: which side can attack at once. */
static void remark_first_attacks(struct maker *m) {
    const struct static_features *f = &m->features;
    const int attackers = f->attackers[m->first], units = m->units[m->first];
    bool are_useful = true; /* on both sides at least one unit */
    for (int side = 0; side < TBS_SIDES; side++)
        are_useful = are_useful && f->no_prey[side] + f->stranded[side] < m->units[side];
    if (units > 1 && 2 * attackers > units)
        add_remark(m, REMARK_NOTE, "remark.first_attacks", "%d of %d %s units can attack in the first turn",
                   attackers, units, tbs_side_names[m->first]);
    else if (f->attackers[TBS_RED] + f->attackers[TBS_BLUE] == 0 && are_useful)
        add_remark(m, REMARK_GOOD, "remark.no_first_attack",
                   "no unit can attack in the first turn: there is time to take up positions");
}

/* ---- terrain ---- */

/* The names of the cells of a kind, if they are few: " at (3, 4)", " at (3, 4) and (5, 1)", … With a remark
 * they become its cells, too. */
static struct phrase name_cells(const struct tbs_map *map, int count,
                                bool (*is)(const struct tbs_map *map, int x, int y), struct remark *remark) {
    struct phrase p = {""};
    int named = 0;
    size_t length = 0;
    for (int y = 1; y < map->height - 1 && count <= REMARK_CELLS_MAX; y++)
        for (int x = 1; x < map->width - 1; x++) {
            if (!is(map, x, y))
                continue;
            const char *link = named == 0 ? " at" : named + 1 == count ? " and" : ",";
            length += (size_t)snprintf(p.text + length, sizeof p.text - length, "%s (%d, %d)", link, x, y);
            named++;
            add_cell(remark, x, y);
        }
    return p;
}

static void remark_roads(struct maker *m) {
    const int isolated = m->features.isolated_roads, ends = m->features.road_ends;
    const struct phrase alone = name_cells(m->map, isolated, static_features_is_isolated_road, NULL),
                        last = name_cells(m->map, ends, static_features_is_road_end, NULL);
    struct remark *remark = NULL;
    if (isolated == 1)
        remark = add_remark(m, REMARK_FAULT, "remark.isolated_road", "an isolated road%s", alone.text);
    else if (isolated > 1)
        remark =
            add_remark(m, REMARK_FAULT, "remark.isolated_roads", "%d isolated roads%s", isolated, alone.text);
    name_cells(m->map, isolated, static_features_is_isolated_road, remark);
    remark = NULL;
    if (ends == 1)
        remark = add_remark(m, REMARK_NOTE, "remark.road_end", "a road leads nowhere%s", last.text);
    else if (ends > 1)
        remark = add_remark(m, REMARK_NOTE, "remark.road_ends", "%d roads lead nowhere", ends);
    name_cells(m->map, ends, static_features_is_road_end, remark);
}

/* Kinds of rough terrain on the map and what links them: "woods", ", ", "mountains", " and ", "sea"; with
 * `last` in place of " and ", and "" behind the last of them. */
static void rough_kinds(const struct maker *m, const char *last, const char *out[5]) {
    static const uint8_t kinds[] = {TBS_WOOD, TBS_MOUNTAIN, TBS_SEA};
    static const char *const names[] = {"woods", "mountains", "sea"};
    bool there[TBS_TERRAINS] = {false};
    for (int x = 1; x < m->map->width - 1; x++)
        for (int y = 1; y < m->map->height - 1; y++)
            there[m->map->terrain[x][y]] = true;
    const int count = there[TBS_WOOD] + there[TBS_MOUNTAIN] + there[TBS_SEA];
    int named = 0;
    for (int i = 0; i < 5; i++)
        out[i] = "";
    for (int i = 0; i < 3; i++)
        if (there[kinds[i]]) {
            if (named > 0)
                out[2 * named - 1] = named + 1 == count ? last : ", ";
            out[2 * named++] = names[i];
        }
}

static void remark_terrain(struct maker *m) {
    const struct static_features *l = &m->features;
    const bool none = l->coherence < STREWN_ALL && l->gathered == 0;
    const char *k[5];
    if (l->rough < PATCH_CELLS_MIN)
        return;
    rough_kinds(m, none ? " or " : " and ", k);
    const char *s = strcmp(k[0], "sea") == 0 ? "s" : "";
    if (none)
        add_remark(m, REMARK_FAULT, "remark.strewn_all", "terrain is strewn: no %s%s%s%s%s hang%s together",
                   k[0], k[1], k[2], k[3], k[4], s);
    else if (l->coherence < STREWN)
        add_remark(m, REMARK_FAULT, "remark.strewn", "terrain is strewn: %s%s%s%s%s hardly hang%s together",
                   k[0], k[1], k[2], k[3], k[4], s);
    else if (l->coherence >= COHERENT && 2 * l->gathered >= l->rough)
        add_remark(m, REMARK_GOOD, "remark.patches", "%s%s%s%s%s lie%s in patches", k[0], k[1], k[2], k[3],
                   k[4], s);
}

/* ---- all of it ---- */

void remarks_make(const struct tbs_map *map, const struct tbs_rules *rules, const struct judgement *judgement,
                  struct remarks *out) {
    struct maker m = {.map = map,
                      .judgement = judgement,
                      .games = judgement_games(judgement),
                      .first = TBS_BLUE,
                      .out = out};
    out->count = 0;
    static_features_of(map, rules, &m.features);
    for (int id = 0; id < map->unit_count; id++) {
        m.use[id] = static_features_of_unit(map, rules, id);
        m.units[map->units[id].side]++;
        if (map->units[id].side == TBS_RED && !map->units[id].done)
            m.first = TBS_RED;
    }
    if (m.games > 0) {
        remark_side_decides(&m);
        remark_favoured(&m);
        remark_strength(&m);
        for (int side = 0; side < TBS_SIDES; side++)
            remark_first_turn(&m, side);
        remark_length(&m);
        remark_results(&m);
    }
    for (int use = USELESS_NO_PREY; use <= USELESS_STUCK; use++)
        for (int side = 0; side < TBS_SIDES; side++)
            remark_defect(&m, side, (enum useless)use);
    if (m.games >= GAMES_FOR_UNITS) {
        for (int side = 0; side < TBS_SIDES; side++)
            remark_idle(&m, side);
        remark_all_attack(&m);
    }
    remark_first_attacks(&m);
    remark_terrain(&m);
    remark_roads(&m);
}

/* ---- verdicts ---- */

static const char *const leanings[][TBS_SIDES] = {
    {"leans to red", "leans to blue"},
    {"favours red", "favours blue"},
    {"favours red strongly", "favours blue strongly"},
};

const char *remarks_fairness(const struct share *red, double tolerance) {
    const double low = red->interval.low - 0.5, high = red->interval.high - 0.5, value = red->value - 0.5;
    if (red->games == 0)
        return "fairness not measured";
    if (low >= -tolerance && high <= tolerance)
        return "fair";
    if (value >= -tolerance && value <= tolerance && low >= -2 * tolerance && high <= 2 * tolerance)
        return "about fair";
    const int side = low > 0 ? TBS_RED : TBS_BLUE;
    const double beyond = side == TBS_RED ? low : -high;
    if (beyond <= 0)
        return "not clear yet whether it is fair";
    return leanings[beyond > 2 * tolerance ? 2 : beyond > tolerance ? 1 : 0][side];
}

const char *remarks_strength(const struct share *strong) {
    const double low = strong->interval.low, high = strong->interval.high;
    if (strong->games == 0)
        return "strength not measured";
    if (low > 0.5)
        return low > 0.8 ? "strength decides" : low > 0.6 ? "strength tells" : "strength tells a little";
    if (high < 0.6)
        return high < 0.5 ? "the weaker player is better off" : "strength hardly tells";
    return "not clear yet whether strength tells";
}

/* ---- as JSON ---- */

struct json_t *remarks_json(const struct remarks *remarks) {
    static const char *const weights[] = {
        [REMARK_GOOD] = "good", [REMARK_NOTE] = "note", [REMARK_FAULT] = "fault"};
    json_t *array = json_array();
    for (int i = 0; i < remarks->count; i++) {
        const struct remark *remark = &remarks->items[i];
        json_t *object = json_pack("{s:s, s:s}", "weight", weights[remark->weight], "text", remark->text);
        json_t *cells = json_array();
        msg_add_json(object, &remark->msg, remark->text);
        for (int k = 0; k < remark->cell_count; k++)
            json_array_append_new(cells, json_pack("[ii]", remark->cells[k][0], remark->cells[k][1]));
        json_object_set_new(object, "cells", cells);
        json_array_append_new(array, object);
    }
    return array;
}
