/* SPDX-License-Identifier: MIT
 *
 * How soon a unit can attack if its enemies stand still: shortest paths over many turns, where the move power
 * that is left at the end of a turn is lost.
 */
#include "game/tbs/map_stats.h"

/* A label is the turn (from 1) times LABEL_TURN plus the move power used in it: comparing labels compares how
 * early a cell is reached, and being early is never worse, since a unit may always wait. */
enum { LABEL_TURN = 16, UNREACHED = INT32_MAX };

_Static_assert((int)TBS_MOVE_MAX < (int)LABEL_TURN, "the move power of one turn fits below the turn");

struct contact {
    const struct tbs_map *map;
    const struct tbs_map_unit *unit;
    const struct tbs_map_unit *target; /* who stands in the way; NULL: nobody */
    int label[TBS_EDGE_MAX][TBS_EDGE_MAX];
};

static int distance_to(const struct tbs_map_unit *target, int x, int y) {
    const int dx = x - target->x, dy = y - target->y;
    return (dx < 0 ? -dx : dx) + (dy < 0 ? -dy : dy);
}

/* The label of a cell entered from one with that label. */
static int label_after(int label, int cost, int move) {
    const int used = label % LABEL_TURN;
    if (cost > move)
        return UNREACHED;
    return used + cost <= move ? label + cost : (label / LABEL_TURN + 1) * LABEL_TURN + cost;
}

/* Cells to look at again; each is in the queue at most once, so it never holds more than the board. */
struct queue {
    uint16_t cells[TBS_EDGE_MAX * TBS_EDGE_MAX];
    bool waits[TBS_EDGE_MAX * TBS_EDGE_MAX];
    int first, count;
};

static void queue_push(struct queue *q, int x, int y) {
    const int cell = x * TBS_EDGE_MAX + y, room = TBS_EDGE_MAX * TBS_EDGE_MAX;
    if (q->waits[cell])
        return;
    q->waits[cell] = true;
    q->cells[(q->first + q->count++) % room] = (uint16_t)cell;
}

static int queue_pop(struct queue *q) {
    const int cell = q->cells[q->first];
    q->first = (q->first + 1) % (TBS_EDGE_MAX * TBS_EDGE_MAX);
    q->count--;
    q->waits[cell] = false;
    return cell;
}

/* The earliest label of every cell, with the target as the only obstacle. */
static void fill_labels(struct contact *c) {
    static const int dx[4] = {1, 0, -1, 0}, dy[4] = {0, -1, 0, 1};
    const struct tbs_unit_type *type = &tbs_unit_types[c->unit->type];
    struct queue q = {.first = 0};
    for (int x = 0; x < c->map->width; x++)
        for (int y = 0; y < c->map->height; y++)
            c->label[x][y] = UNREACHED;
    c->label[c->unit->x][c->unit->y] = (c->unit->done ? 2 : 1) * LABEL_TURN;
    queue_push(&q, c->unit->x, c->unit->y);
    while (q.count > 0) {
        const int cell = queue_pop(&q), x = cell / TBS_EDGE_MAX, y = cell % TBS_EDGE_MAX;
        for (int i = 0; i < 4; i++) {
            const int nx = x + dx[i], ny = y + dy[i];
            if (c->target != NULL && distance_to(c->target, nx, ny) == 0)
                continue;
            const int cost = tbs_terrain_types[c->map->terrain[nx][ny]].cost[type->class];
            const int label = label_after(c->label[x][y], cost, type->move);
            if (label < c->label[nx][ny]) {
                c->label[nx][ny] = label;
                queue_push(&q, nx, ny);
            }
        }
    }
}

/* The turn of the first attack on a target by these labels, or UNREACHED. A cannon that moved fires one turn
 * later. */
static int first_attack(const struct contact *c, const struct tbs_map_unit *target) {
    const bool direct = tbs_unit_types[c->unit->type].direct;
    const int low = direct ? 1 : TBS_RANGE_LOW, high = direct ? 1 : TBS_RANGE_HIGH;
    int best = UNREACHED;
    for (int x = target->x - high; x <= target->x + high; x++)
        for (int y = target->y - high; y <= target->y + high; y++) {
            const int distance = distance_to(target, x, y);
            if (!tbs_map_is_playable(c->map, x, y) || c->label[x][y] == UNREACHED || distance < low ||
                distance > high)
                continue;
            const bool moved = x != c->unit->x || y != c->unit->y;
            const int turn = c->label[x][y] / LABEL_TURN + (!direct && moved);
            best = turn < best ? turn : best;
        }
    return best;
}

/* With nobody in the way it is never later: only a target that looks sooner than the best so far is looked at
 * with itself as an obstacle. */
int tbs_unit_contact(const struct tbs_map *map, const struct tbs_rules *rules, int id) {
    struct contact clear = {.map = map, .unit = &map->units[id]}, c = clear;
    const int soonest = c.unit->done ? 2 : 1;
    int best = UNREACHED;
    fill_labels(&clear);
    for (int other = 0; other < map->unit_count && best > soonest; other++) {
        c.target = &map->units[other];
        if (c.target->side == c.unit->side || rules->power[c.unit->type][c.target->type] == 0 ||
            first_attack(&clear, c.target) >= best)
            continue;
        fill_labels(&c);
        const int turn = first_attack(&c, c.target);
        best = turn < best ? turn : best;
    }
    return best == UNREACHED ? 0 : best;
}
