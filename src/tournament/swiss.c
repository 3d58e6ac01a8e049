/* SPDX-License-Identifier: MIT
 *
 * The pairings of a Swiss round, and the cheapest perfect matching of a complete graph that finds them. It is
 * an exact one, because the pairings promise something.
 *
 * The matching is Edmonds' algorithm for weighted matching (J. Edmonds, "Maximum matching and a polyhedron
 * with 0,1-vertices", 1965) on a complete graph, in O(n^3).
 *
 * Every vertex v has a dual value y(v), every blossom (an odd set of vertices that is treated like one) a
 * dual value z >= 0. The slack of an edge between different outermost nodes is cost - y(u) - y(v), and never
 * below zero. A stage grows trees from all unmatched nodes along edges without slack: `outer` nodes lie at an
 * even distance from their root, `inner` ones at an odd distance. When nothing is without slack the duals of
 * outer nodes rise and those of inner ones fall by the same amount until something happens: a tree grows, two
 * outer nodes of one tree form a blossom, those of two trees an augmenting path, or an inner blossom, whose z
 * has come to zero, falls apart. Matched edges never have slack, so a matching that is perfect is a cheapest
 * one.
 *
 * Two facts shape the code. All vertices of a node move together, so the edge with the least slack between
 * two nodes stays the same as long as both exist: `best` holds it for each pair. And costs need only
 * addition, order and halving, so vectors in lexicographic order suffice; slack is counted double, so every
 * halved value is even in every level, because all outer vertices have duals of the same parity.
 */
#include "tournament/schedule.h"

#include "base/mem.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- matching: costs ---- */

/* The levels of a cost, the most important first: each counts only where all before it are equal. So the
 * criteria of a pairing hold exactly. */
enum { REMATCHES, MEETINGS, BYE, SIDES_BEYOND, POINTS, ORDER, SIDES, LEVELS };

/* What one level of one edge may cost at most (and with a minus sign, at least): sums do not overflow. */
#define COST_MAX (INT64_C(1) << 45)

struct matching_cost {
    int64_t level[LEVELS];
};

enum label { NONE, OUTER, INNER };

/* From a vertex of one node to a vertex of another; `from` is -1 for no edge. */
struct edge {
    int16_t from, to;
};

struct node {
    bool used;
    int parent;  /* -1: outermost */
    int base;    /* the vertex that is matched outside the node, or unmatched */
    int visited; /* the last visit that came here; numbers of visits only rise */
    enum label label;
    struct edge entry; /* of an inner node: from its outer parent in the tree */
    struct edge near;  /* the one with the least slack from an outer node; see make_outer */
    /* Blossoms only. Children form a cycle with the base in the first; link[i] goes from child i to the next.
     * Children 1 and 2, 3 and 4, … are matched. */
    struct matching_cost dual; /* z */
    int child_count;
    int16_t child[TOURNAMENT_PLAYERS_MAX];
    struct edge link[TOURNAMENT_PLAYERS_MAX];
};

struct matching {
    int count, node_count; /* node i < count is the vertex i alone */
    int visit;
    const struct matching_cost *costs;
    struct matching_cost *dual; /* y, doubled */
    struct node *nodes;
    struct edge *best; /* node_count * node_count */
    int *top;          /* by vertex: its outermost node */
    int *mate;
};

/* Less than, equal to or greater than 0, as the cost a is less than, equal to or greater than b. */
static int compare(const struct matching_cost *a, const struct matching_cost *b) {
    for (int i = 0; i < LEVELS; i++)
        if (a->level[i] != b->level[i])
            return a->level[i] < b->level[i] ? -1 : 1;
    return 0;
}

/* sum += sign * term. */
static void add(struct matching_cost *sum, const struct matching_cost *term, int sign) {
    for (int i = 0; i < LEVELS; i++)
        sum->level[i] += sign * term->level[i];
}

/* Twice the slack of an edge between two outermost nodes. */
static struct matching_cost slack(const struct matching *m, struct edge e) {
    const struct matching_cost *cost = &m->costs[e.from * m->count + e.to];
    struct matching_cost out;
    for (int i = 0; i < LEVELS; i++)
        out.level[i] = 2 * cost->level[i] - m->dual[e.from].level[i] - m->dual[e.to].level[i];
    return out;
}

/* An edge that does not exist has the most. */
static bool has_less_slack(const struct matching *m, struct edge a, struct edge b) {
    if (a.from < 0 || b.from < 0)
        return b.from < 0;
    const struct matching_cost slack_a = slack(m, a), slack_b = slack(m, b);
    return compare(&slack_a, &slack_b) < 0;
}

/* ---- matching: nodes ---- */

static const struct edge no_edge = {-1, -1};

static struct edge reversed(struct edge e) {
    return (struct edge){e.to, e.from};
}

static struct edge edge_of(int from, int to) {
    return (struct edge){(int16_t)from, (int16_t)to};
}

/* The entry for a pair of nodes; both directions are stored. */
static struct edge *best(const struct matching *m, int a, int b) {
    return &m->best[a * m->node_count + b];
}

/* Nodes inside a blossom take no part until it falls apart. */
static bool is_top(const struct matching *m, int x) {
    return m->nodes[x].used && m->nodes[x].parent < 0;
}

/* Notes for all vertices below a node which outermost node they are in now. */
static void set_top(struct matching *m, int x, int top) {
    if (x < m->count) {
        m->top[x] = top;
        return;
    }
    for (int i = 0; i < m->nodes[x].child_count; i++)
        set_top(m, m->nodes[x].child[i], top);
}

/* Keeps the edge if it has less slack than the one the node has. */
static void offer(struct matching *m, int x, struct edge e) {
    if (has_less_slack(m, e, m->nodes[x].near))
        m->nodes[x].near = e;
}

/* Updates all outermost nodes for a new outer node. Of two outer nodes only the older one holds their edge,
 * which suffices: a blossom is new to all others. */
static void make_outer(struct matching *m, int x) {
    m->nodes[x].label = OUTER;
    m->nodes[x].near = no_edge;
    for (int y = 0; y < m->node_count; y++)
        if (y != x && is_top(m, y) && m->nodes[y].label != INNER)
            offer(m, y, *best(m, x, y));
}

/* The inner node between an outer node and its parent; -1 for a root. */
static int inner_above(const struct matching *m, int outer) {
    const int partner = m->mate[m->nodes[outer].base];
    return partner < 0 ? -1 : m->top[partner];
}

/* The next outer node on the way to the root; -1 for a root. */
static int outer_above(const struct matching *m, int outer) {
    const int inner = inner_above(m, outer);
    return inner < 0 ? -1 : m->top[m->nodes[inner].entry.from];
}

/* Where the ways from two outer nodes to their roots meet; -1 when they never do. */
static int meeting_point(struct matching *m, int a, int b) {
    m->visit++;
    while (a >= 0 || b >= 0) {
        if (a >= 0) {
            if (m->nodes[a].visited == m->visit)
                return a;
            m->nodes[a].visited = m->visit;
            a = outer_above(m, a);
        }
        const int other = b;
        b = a;
        a = other;
    }
    return -1;
}

/* ---- matching: blossoms ---- */

/* The cycle that the edge closes: from the meeting point down to its beginning, and up again from its end. */
static void list_children(const struct matching *m, struct node *blossom, int meeting, struct edge closing) {
    int down = 0;
    for (int x = m->top[closing.from]; x != meeting; x = outer_above(m, x))
        down += 2;
    int at = down;
    for (int x = m->top[closing.from]; x != meeting; x = outer_above(m, x), at -= 2) {
        const int inner = inner_above(m, x), base = m->nodes[x].base;
        blossom->child[at] = (int16_t)x;
        blossom->child[at - 1] = (int16_t)inner;
        blossom->link[at - 1] = edge_of(m->mate[base], base);
        blossom->link[at - 2] = m->nodes[inner].entry;
    }
    blossom->child[0] = (int16_t)meeting;
    blossom->link[down] = closing;
    at = down + 1;
    for (int x = m->top[closing.to]; x != meeting; x = outer_above(m, x), at += 2) {
        const int inner = inner_above(m, x), base = m->nodes[x].base;
        blossom->child[at] = (int16_t)x;
        blossom->link[at] = edge_of(base, m->mate[base]);
        blossom->child[at + 1] = (int16_t)inner;
        blossom->link[at + 1] = reversed(m->nodes[inner].entry);
    }
    blossom->child_count = at;
}

/* Also to nodes within other blossoms, which may fall apart one day. */
static void find_best_edges(struct matching *m, int blossom) {
    const struct node *node = &m->nodes[blossom];
    for (int y = 0; y < m->node_count; y++) {
        if (!m->nodes[y].used || m->top[m->nodes[y].base] == blossom)
            continue;
        struct edge least = no_edge;
        for (int i = 0; i < node->child_count; i++)
            if (has_less_slack(m, *best(m, node->child[i], y), least))
                least = *best(m, node->child[i], y);
        *best(m, blossom, y) = least;
        *best(m, y, blossom) = reversed(least);
    }
}

/* A cycle of odd length between outer nodes becomes one node. Its dual begins at zero. */
static void shrink(struct matching *m, int meeting, struct edge closing) {
    int x = m->count; /* the first unused node */
    while (x < m->node_count && m->nodes[x].used)
        x++;
    assert(x < m->node_count);
    struct node *blossom = &m->nodes[x];
    list_children(m, blossom, meeting, closing);
    blossom->used = true;
    blossom->parent = -1;
    blossom->base = m->nodes[meeting].base;
    blossom->dual = (struct matching_cost){{0}};
    for (int i = 0; i < blossom->child_count; i++)
        m->nodes[blossom->child[i]].parent = x;
    set_top(m, x, x);
    find_best_edges(m, x);
    make_outer(m, x);
}

/* The child is one of them. */
static int child_index(const struct node *blossom, int child) {
    int i = 0;
    while (blossom->child[i] != child)
        i++;
    return i;
}

/* One of the two ways round the cycle from child i to the first has an even number of edges: the one that
 * begins with a matched edge. */
static int even_way(int i) {
    return i % 2 == 1 ? 1 : -1;
}

static int round_the_cycle(const struct node *blossom, int i, int steps) {
    return (i + steps + blossom->child_count) % blossom->child_count;
}

/* From child i to its neighbour. */
static struct edge link_to(const struct node *blossom, int i, int step) {
    return step > 0 ? blossom->link[i] : reversed(blossom->link[round_the_cycle(blossom, i, -1)]);
}

/* An inner blossom falls apart. The even way from where the tree enters it to its base stays in the tree. */
static void expand(struct matching *m, int x) {
    struct node *blossom = &m->nodes[x];
    blossom->used = false;
    for (int i = 0; i < blossom->child_count; i++) {
        struct node *child = &m->nodes[blossom->child[i]];
        child->parent = -1;
        child->label = NONE;
        child->near = no_edge;
        set_top(m, blossom->child[i], blossom->child[i]);
        for (int y = 0; y < m->node_count; y++)
            if (is_top(m, y) && m->nodes[y].label == OUTER)
                offer(m, blossom->child[i], *best(m, y, blossom->child[i]));
    }
    const int first = child_index(blossom, m->top[blossom->entry.to]), step = even_way(first);
    struct edge entry = blossom->entry;
    for (int i = first;; i = round_the_cycle(blossom, i, 2 * step)) {
        m->nodes[blossom->child[i]].label = INNER;
        m->nodes[blossom->child[i]].entry = entry;
        if (i == 0)
            break;
        entry = link_to(blossom, round_the_cycle(blossom, i, step), step);
    }
    for (int i = first + step; first != 0 && i > 0 && i < blossom->child_count; i += 2 * step)
        make_outer(m, blossom->child[i]);
}

/* Changes the matching inside a node so that `vertex` is its base. */
static void set_base(struct matching *m, int x, int vertex) {
    struct node *blossom = &m->nodes[x];
    if (blossom->base == vertex)
        return;
    int child = vertex;
    while (m->nodes[child].parent != x)
        child = m->nodes[child].parent;
    set_base(m, child, vertex);
    const int first = child_index(blossom, child), step = even_way(first), count = blossom->child_count;
    for (int i = first; i != 0; i = round_the_cycle(blossom, i, 2 * step)) {
        const int a = round_the_cycle(blossom, i, step), b = round_the_cycle(blossom, a, step);
        const struct edge e = link_to(blossom, a, step);
        set_base(m, blossom->child[a], e.from);
        set_base(m, blossom->child[b], e.to);
        m->mate[e.from] = e.to;
        m->mate[e.to] = e.from;
    }
    int16_t children[TOURNAMENT_PLAYERS_MAX]; /* turn the cycle, so that it begins with the base */
    struct edge links[TOURNAMENT_PLAYERS_MAX];
    memcpy(children, blossom->child, sizeof children[0] * (size_t)count);
    memcpy(links, blossom->link, sizeof links[0] * (size_t)count);
    for (int i = 0; i < count; i++) {
        blossom->child[i] = children[(first + i) % count];
        blossom->link[i] = links[(first + i) % count];
    }
    blossom->base = vertex;
}

/* The outer node of `vertex` is to be matched with `other`: what it was matched with looks to its own parent,
 * up to the root. */
static void rematch_upwards(struct matching *m, int vertex, int other) {
    for (;;) {
        const int outer = m->top[vertex], inner = inner_above(m, outer);
        set_base(m, outer, vertex);
        m->mate[vertex] = other;
        if (inner < 0)
            return;
        const struct edge entry = m->nodes[inner].entry;
        set_base(m, inner, entry.to);
        m->mate[entry.to] = entry.from;
        vertex = entry.from;
        other = entry.to;
    }
}

/* ---- matching: stages ---- */

/* How far the duals may move before something happens to an outermost node; false: it never limits them. */
static bool room(const struct matching *m, int x, struct matching_cost *out) {
    const struct node *node = &m->nodes[x];
    if (node->label == INNER) {
        *out = node->dual;
        return x >= m->count;
    }
    if (node->near.from < 0)
        return false;
    *out = slack(m, node->near);
    for (int i = 0; node->label == OUTER && i < LEVELS; i++) {
        assert(out->level[i] % 2 == 0);
        out->level[i] /= 2;
    }
    return true;
}

/* Ends with two vertices more that are matched. */
static void run_stage(struct matching *m) {
    static const int signs[] = {[NONE] = 0, [OUTER] = 1, [INNER] = -1};
    for (int x = 0; x < m->node_count; x++) {
        m->nodes[x].label = NONE;
        m->nodes[x].near = no_edge;
    }
    for (int x = 0; x < m->node_count; x++)
        if (is_top(m, x) && m->mate[m->nodes[x].base] < 0)
            make_outer(m, x);
    for (;;) {
        struct matching_cost least, its;
        int next = -1; /* the node that something happens to first */
        for (int x = 0; x < m->node_count; x++)
            if (is_top(m, x) && room(m, x, &its) && (next < 0 || compare(&its, &least) < 0)) {
                next = x;
                least = its;
            }
        assert(next >= 0); /* two unmatched nodes always have an edge */
        for (int v = 0; v < m->count; v++)
            add(&m->dual[v], &least, signs[m->nodes[m->top[v]].label]);
        for (int x = m->count; x < m->node_count; x++)
            if (is_top(m, x))
                add(&m->nodes[x].dual, &least, signs[m->nodes[x].label]);
        struct node *node = &m->nodes[next];
        const struct edge e = node->near;
        if (node->label == INNER) {
            expand(m, next);
        } else if (node->label == NONE) { /* the tree grows */
            node->label = INNER;
            node->entry = e;
            make_outer(m, m->top[m->mate[node->base]]);
        } else {
            const int meeting = meeting_point(m, m->top[e.from], m->top[e.to]);
            if (meeting < 0) {
                rematch_upwards(m, e.from, e.to);
                rematch_upwards(m, e.to, e.from);
                return;
            }
            shrink(m, meeting, e);
        }
    }
}

/* costs[a * count + b] is the symmetric cost of joining a and b; `count` is even and may be 0. mate[a] gets
 * the vertex that a is joined with. The sum of all costs is minimal; the same costs give the same matching.
 */
static void match_cheapest(const struct matching_cost *costs, int count, int *mate) {
    assert(count >= 0 && count % 2 == 0 && count <= TOURNAMENT_PLAYERS_MAX);
    if (count == 0)
        return;
    const int node_count = count + count / 2; /* blossoms are nested or apart, and have 3 children or more */
    const size_t n = (size_t)node_count;
    struct matching m = {.count = count, .node_count = node_count, .costs = costs, .mate = mate};
    m.dual = mem_alloc((size_t)count * sizeof *m.dual);
    m.nodes = mem_alloc(n * sizeof *m.nodes);
    m.best = mem_alloc(n * n * sizeof *m.best);
    m.top = mem_alloc((size_t)count * sizeof *m.top);
    const struct matching_cost *least = &costs[1];
    for (int a = 0; a < count; a++) {
        m.nodes[a].used = true;
        m.nodes[a].parent = -1;
        m.nodes[a].base = m.top[a] = a;
        mate[a] = -1;
        for (int b = 0; b < count; b++) {
            const struct matching_cost *cost = &costs[a * count + b];
            *best(&m, a, b) = edge_of(a, b);
            if (a == b)
                continue;
            assert(compare(cost, &costs[b * count + a]) == 0);
            for (int i = 0; i < LEVELS; i++) {
                assert(cost->level[i] <= COST_MAX);
                assert(cost->level[i] >= -COST_MAX);
            }
            if (compare(cost, least) < 0)
                least = cost;
        }
    }
    for (int a = 0; a < count; a++) /* so no slack is below zero, and all have the same parity */
        m.dual[a] = *least;
    for (int i = 0; i < count / 2; i++)
        run_stage(&m);
    mem_free(m.dual);
    mem_free(m.nodes);
    mem_free(m.best);
    mem_free(m.top);
}

/* ---- the pairings of a round ----
 *
 * A Swiss round is a matching of least cost. An odd player is matched with an additional vertex, the bye.
 *
 * By Dirac's theorem: after r rounds without a rematch every player has count - 1 - r opponents left (the bye
 * counts as one when the number is odd). While that is at least half of all, there is a pairing without a
 * rematch and without a second bye. */

enum {
    POINT_BITS = 20,   /* the resolution of differences in points, as a part of the largest one */
    BALANCE_CAP = 1000 /* larger than any real balance; keeps squares small */
};

/* Smaller differences are rounding errors. */
#define POINT_UNIT_MIN 0x1p-26

/* A player as the costs see it. */
struct seat {
    int64_t points; /* in units of the resolution */
    int group_size; /* how many have the same points */
    int in_group;   /* 0: the first of them */
    int balance;
    int bye_turn; /* the order of byes: 0 has the next one */
};

static void fill_seats(const struct swiss *swiss, struct seat *seats) {
    const double origin = swiss->players[0].points;
    double low = origin, high = origin;
    int exponent;
    for (int i = 1; i < swiss->count; i++) {
        low = fmin(low, swiss->players[i].points);
        high = fmax(high, swiss->players[i].points);
    }
    assert(isfinite(high - low));
    frexp(high - low, &exponent);
    /* A power of two, so that whole and half points are exact. */
    const double unit = fmax(ldexp(1, exponent - POINT_BITS), POINT_UNIT_MIN);
    for (int i = 0; i < swiss->count; i++) {
        const struct swiss_player *p = &swiss->players[i];
        struct seat *seat = &seats[i];
        seat->points = llround((p->points - origin) / unit);
        seat->balance = p->side_balance > BALANCE_CAP    ? BALANCE_CAP
                        : p->side_balance < -BALANCE_CAP ? -BALANCE_CAP
                                                         : p->side_balance;
        for (int j = 0; j < swiss->count; j++) {
            const int more = p->byes - swiss->players[j].byes;
            seat->bye_turn += more > 0 || (more == 0 && j > i);
        }
    }
    for (int i = 0; i < swiss->count; i++)
        for (int j = 0; j < swiss->count; j++)
            if (seats[j].points == seats[i].points) {
                seats[i].group_size++;
                seats[i].in_group += j < i;
            }
}

/* Squares prefer several small deviations to one large one. */
static int64_t squared(int64_t x) {
    return x * x;
}

/* By how many games a balance exceeds the limit. */
static int beyond(int balance) {
    const int excess = abs(balance) - SWISS_BALANCE_MAX;
    return excess > 0 ? excess : 0;
}

/* The lower balance gets side 0; between equals it goes in turn. `upper` is the better-ranked. */
static bool upper_has_side_0(const struct seat *seats, int upper, int lower) {
    const int a = seats[upper].balance, b = seats[lower].balance;
    return a != b ? a < b : upper % 2 == 0;
}

/* In a group of 2m the k-th of the upper half meets the k-th of the lower half, m places below. A player that
 * is paired outside its group should be the last of it, and meet the first of the other group. */
static struct matching_cost pair_cost(const struct swiss *swiss, const struct seat *seats, int upper,
                                      int lower) {
    const struct seat *a = &seats[upper], *b = &seats[lower];
    const int a_player = swiss->players[upper].player, b_player = swiss->players[lower].player;
    const int met = swiss->met[a_player * TOURNAMENT_PLAYERS_MAX + b_player];
    const int change = upper_has_side_0(seats, upper, lower) ? 1 : -1;
    return (struct matching_cost){{
        [REMATCHES] = met > 0,
        [MEETINGS] = met,
        [SIDES_BEYOND] = beyond(a->balance + change) + beyond(b->balance - change),
        [POINTS] = squared(a->points - b->points),
        [ORDER] = a->points == b->points
                      ? squared(2 * (b->in_group - a->in_group) - a->group_size)
                      : 4 * (squared(a->group_size - 1 - a->in_group) + squared(b->in_group)),
        [SIDES] = squared(a->balance + change) + squared(b->balance - change),
    }};
}

/* The matching is the cheapest one over all levels; mates are then turned into pairings by rank. */
void swiss_pair(const struct swiss *swiss, struct pairing *out, int *bye) {
    assert(swiss->count >= 0 && swiss->count <= TOURNAMENT_PLAYERS_MAX);
    *bye = -1;
    if (swiss->count == 0)
        return;
    const int places = swiss->count + swiss->count % 2;
    struct seat *seats = mem_alloc((size_t)places * sizeof *seats);
    struct matching_cost *costs = mem_alloc((size_t)places * (size_t)places * sizeof *costs);
    int mate[TOURNAMENT_PLAYERS_MAX + 1];
    fill_seats(swiss, seats);
    for (int i = 0; i < places; i++)
        for (int j = i + 1; j < places; j++)
            costs[i * places + j] = costs[j * places + i] =
                j < swiss->count ? pair_cost(swiss, seats, i, j)
                                 : (struct matching_cost){{[BYE] = seats[i].bye_turn}};
    match_cheapest(costs, places, mate);
    for (int i = 0; i < swiss->count; i++) {
        if (mate[i] == swiss->count) {
            *bye = swiss->players[i].player;
        } else if (mate[i] > i) {
            const int side = upper_has_side_0(seats, i, mate[i]) ? 0 : 1;
            out->players[side] = swiss->players[i].player;
            out->players[1 - side] = swiss->players[mate[i]].player;
            out++;
        }
    }
    mem_free(seats);
    mem_free(costs);
}
