/* SPDX-License-Identifier: MIT
 *
 * Figures 2, 4 and 5 of Sato, Fujiki and Ikeda, and their estimate of how many combinations a turn has.
 */
#include "game/tbs/tbs.h"
#include "repro/experiments.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- principal components of a small table, by Jacobi's eigenvalue method ---- */

enum { SWEEPS_MAX = 100 };

typedef double matrix[PCA_VARIABLES_MAX][PCA_VARIABLES_MAX];

/* Turns rows and columns p and q so that a[p][q] becomes 0, and the vectors with them. */
static void rotate(matrix a, matrix vectors, int n, int p, int q) {
    const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
    const double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
    const double c = 1 / sqrt(t * t + 1), s = t * c;
    for (int k = 0; k < n; k++) {
        const double kp = a[k][p], kq = a[k][q];
        a[k][p] = c * kp - s * kq;
        a[k][q] = s * kp + c * kq;
    }
    for (int k = 0; k < n; k++) {
        const double pk = a[p][k], qk = a[q][k];
        a[p][k] = c * pk - s * qk;
        a[q][k] = s * pk + c * qk;
        const double vp = vectors[p][k], vq = vectors[q][k];
        vectors[p][k] = c * vp - s * vq;
        vectors[q][k] = s * vp + c * vq;
    }
}

/* What is left to do: the sum of squares beside the diagonal. */
static double off_diagonal(matrix a, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            sum += a[i][j] * a[i][j];
    return sum;
}

/* A variable without variance has no correlation with anything: standardized it is 0 and not 0 / 0. */
static void centre(const struct pca_table *table, int standardize, struct pca_table *out) {
    *out = *table;
    for (int v = 0; v < table->variables; v++) {
        double mean = 0, squares = 0;
        for (int i = 0; i < table->observations; i++)
            mean += table->x[i][v] / table->observations;
        for (int i = 0; i < table->observations; i++) {
            out->x[i][v] = table->x[i][v] - mean;
            squares += out->x[i][v] * out->x[i][v];
        }
        const double deviation = sqrt(squares / (table->observations - 1));
        for (int i = 0; standardize && i < table->observations; i++)
            out->x[i][v] = deviation > 1e-12 ? out->x[i][v] / deviation : 0;
    }
}

/* The component's loadings with the sign that makes the largest of them positive. Loadings that differ by
 * less than rounding count as equal, so that the choice does not depend on it. */
static void copy_vector(const double *from, double *to, int n) {
    int largest = 0;
    for (int k = 1; k < n; k++)
        if (fabs(from[k]) > fabs(from[largest]) + 1e-9)
            largest = k;
    const double sign = from[largest] < 0 ? -1 : 1;
    for (int k = 0; k < n; k++)
        to[k] = sign * from[k];
}

/* Components are picked from the largest variance to the smallest; of equal ones the first comes first. */
void pca_compute(const struct pca_table *table, int standardize, struct pca *out) {
    const int n = table->variables;
    assert(n >= 1);
    assert(n <= PCA_VARIABLES_MAX);
    assert(table->observations >= 2);
    assert(table->observations <= PCA_OBSERVATIONS_MAX);
    struct pca_table centred;
    matrix a, vectors;
    memset(out, 0, sizeof *out);
    centre(table, standardize, &centred);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < centred.observations; k++)
                sum += centred.x[k][i] * centred.x[k][j];
            a[i][j] = sum / (centred.observations - 1);
            vectors[i][j] = i == j ? 1 : 0;
        }
    /* Jacobi's method: `a` becomes diagonal; row i of `vectors` is the eigenvector of a[i][i]. */
    for (int sweep = 0; sweep < SWEEPS_MAX && off_diagonal(a, n) > 1e-26; sweep++)
        for (int p = 0; p < n; p++)
            for (int q = p + 1; q < n; q++)
                if (fabs(a[p][q]) > 1e-300)
                    rotate(a, vectors, n, p, q);
    double total = 0;
    int taken[PCA_VARIABLES_MAX] = {0};
    for (int i = 0; i < n; i++)
        total += a[i][i];
    for (int c = 0; c < n; c++) {
        int best = -1;
        for (int i = 0; i < n; i++)
            if (!taken[i] && (best < 0 || a[i][i] > a[best][best]))
                best = i;
        assert(best >= 0); /* c of n are taken */
        taken[best] = 1;
        out->variance[c] = a[best][best];
        out->share[c] = total > 0 ? a[best][best] / total : 0;
        copy_vector(vectors[best], out->loading[c], n);
        for (int i = 0; i < table->observations; i++)
            for (int k = 0; k < n; k++)
                out->score[i][c] += centred.x[i][k] * out->loading[c][k];
    }
}

/* ---- figure 2 ----
 *
 * Figure 2 of Sato, Fujiki and Ikeda (section 3.2): principal components of the rules of 17 games. The data
 * is their table 1: the order of moves (one binary each for many actions a turn, real time, and turns by
 * speed; the half real time of one title counts as real time), then twelve rules that a game has or has
 * not. The paper does not state whether the variables were standardized. Both ways are computed; the
 * standardized one agrees with more of what the paper describes, so it is drawn, and the other stands
 * beside it. */

enum { GAMES = 17, MOVE_BITS = 3, RULES = 12, TUBSTAP = 4 };
enum { BOARD, BASIC, COMPLEX, SRPG, AFFAIRS, CLUSTERS };

static const char *const cluster_names[CLUSTERS] = {
    "[board_games|classical board games]", "[basic_strategy|basic turn-based strategy]",
    "[complex_rules|complex rules]", "SRPG", "[domestic_affairs|domestic affairs and RTS]"};

/* Half real time (both players decide in real time, then all actions are resolved at once) is a kind of its
 * own in the table and counts as real time in the analysis. */
static const struct {
    char mark;
    const char *name;
} moves[] = {{'1', "[move_one|one a turn]"},
             {'m', "[move_many|many a turn]"},
             {'r', "[move_real_time|real time]"},
             {'h', "[move_half_real_time|half real time]"},
             {'s', "[move_speed|by speed]"}};
enum { MOVES = sizeof moves / sizeof moves[0] };

static const char *const rule_names[RULES] = {
    "[rule_attack|attack]",         "HP",
    "[rule_terrain|terrain]",       "[rule_affinity|affinity]",
    "[rule_production|production]", "[rule_capture|capture]",
    "[rule_scouting|scouting]",     "[rule_affairs|domestic affairs]",
    "[rule_zoc|zone of control]",   "[rule_layers|layered terrain]",
    "[rule_growth|growth]",         "[rule_characters|characters]",
};

/* The scan has thirteen marks in one row, where there are twelve columns: "has" eight times, "has not",
 * "has" three times, "has not". As the title stands among those without domestic affairs, the surplus mark
 * is read as one of the first eight. Other readings differ in the three doubtful cells and in no other. */
#define SURPLUS_READ    "xxxxxxx.xxx."
#define SURPLUS_DOUBTED ".......??..?"

static const char *const readings[] = {SURPLUS_READ, "xxxxxxxxxxx.", "xxxxxxxx.xx.", "xxxxxxxx.xxx"};
enum { READINGS = sizeof readings / sizeof readings[0] };
#define CLEAR "............"

/* The paper draws the clusters by hand; the members follow its text. */
static const struct {
    const char *name;
    int cluster;
    char move;            /* of moves[] */
    const char *rules;    /* x: the game has it; in the order of rule_names */
    const char *doubtful; /* ?: the mark cannot be read for certain */
    double beside, above; /* where the name is drawn in the picture: left (-1) or right (1) of the point, and
                           * how much higher, in units of the axis */
} table[GAMES] = {
    {"[chess|Chess]", BOARD, '1', CLEAR, CLEAR, 1, 0},
    {"[shogi|Shogi]", BOARD, '1', CLEAR, CLEAR, 1, 0},
    {"[arimaa|Arimaa]", BOARD, 'm', CLEAR, CLEAR, 1, 0},
    {"[gunjin_shogi|Gunjin Shogi]", BOARD, '1', "...x........", CLEAR, 1, 0},
    {"TUBSTAP", BASIC, 'm', "xxxx........", CLEAR, -1, 0},
    {"[nectaris|Nectaris]", BASIC, 'm', "xxxx.x..x...", CLEAR, -1, 0},
    {"[gendai_daisenryaku|Gendai Daisenryaku]", BASIC, 'm', "xxxxxx......", CLEAR, -1, 0},
    {"[famicom_wars|Famicom Wars]", BASIC, 'm', "xxxxxx......", CLEAR, -1, 0},
    {"[daisenryaku_ex|Daisenryaku EX]", COMPLEX, 'm', "xxxxxxx.xx..", CLEAR, 1, 0},
    {"[advanced_daisenryaku|Advanced Daisenryaku]", COMPLEX, 'm', SURPLUS_READ, SURPLUS_DOUBTED, 1, 0},
    {"Civilization V", AFFAIRS, 'm', "xxx.xxxx....", CLEAR, -1, 0},
    {"[gihren_no_yabou|Gihren no Yabou]", AFFAIRS, 'm', "xxxxxxxx....", CLEAR, 1, -0.12},
    {"[sangokushi_ix|Sangokushi IX]", AFFAIRS, 'h', "xxxxxx.x....", CLEAR, -1, -0.18},
    {"Age of Empires 2", AFFAIRS, 'r', "xxxxx.xx....", CLEAR, -1, -0.18},
    {"StarCraft 2", AFFAIRS, 'r', "xxxxx.xx....", CLEAR, -1, -0.18},
    {"[final_fantasy_tactics|Final Fantasy Tactics]", SRPG, 's', "xxxx......xx", CLEAR, 1, 0},
    {"[tactics_ogre|Tactics Ogre]", SRPG, 's', "xxxx......xx", CLEAR, 1, 0},
};

/* ---- figure 2: where things lie, and what the paper describes ---- */

enum {
    BOARD_LOWER_LEFT,
    BASIC_CENTRAL,
    TUBSTAP_TO_BOARD,
    COMPLEX_UPPER_RIGHT,
    SRPG_TOP,
    AFFAIRS_LOWER_RIGHT,
    CLAIMS
};

static const char *const claims[CLAIMS] = {
    [BOARD_LOWER_LEFT] = "[board_lower_left|board games lie lower left]",
    [BASIC_CENTRAL] = "[basic_central|basic strategy is nearest the centre]",
    [TUBSTAP_TO_BOARD] = "[tubstap_to_board|TUBSTAP lies towards the board games]",
    [COMPLEX_UPPER_RIGHT] = "[complex_upper_right|complex rules lie upper right]",
    [SRPG_TOP] = "[srpg_top|SRPG lie on top]",
    [AFFAIRS_LOWER_RIGHT] = "[affairs_lower_right|domestic affairs and RTS lie lower right]",
};

/* A game in the plane of the first two components. */
struct point {
    double x, y;
};

struct picture {
    struct point games[GAMES];
    double share[2];
    bool seen[CLAIMS];
    int seen_count;
};

/* `without`: a game that does not count, or -1. */
static struct point centroid(const struct picture *p, int cluster, int without) {
    struct point sum = {0, 0};
    int n = 0;
    for (int g = 0; g < GAMES; g++)
        if (table[g].cluster == cluster && g != without) {
            sum.x += p->games[g].x;
            sum.y += p->games[g].y;
            n++;
        }
    return (struct point){sum.x / n, sum.y / n};
}

/* From the middle of the picture. */
static double distance(struct point p) {
    return sqrt(p.x * p.x + p.y * p.y);
}

/* Left and right, upper and lower are meant of the picture, whose middle is the mean of all games. */
static void look_for_claims(struct picture *p) {
    struct point at[CLUSTERS];
    for (int c = 0; c < CLUSTERS; c++)
        at[c] = centroid(p, c, -1);
    bool left = true, central = true, top = true;
    for (int c = 0; c < CLUSTERS; c++) {
        left = left && (c == BOARD || at[c].x > at[BOARD].x);
        central = central && (c == BASIC || distance(at[c]) > distance(at[BASIC]));
        top = top && (c == SRPG || at[c].y < at[SRPG].y);
    }
    const double tubstap = p->games[TUBSTAP].x;
    p->seen[BOARD_LOWER_LEFT] = left && at[BOARD].y < 0;
    p->seen[BASIC_CENTRAL] = central;
    p->seen[TUBSTAP_TO_BOARD] = at[BOARD].x < tubstap && tubstap < centroid(p, BASIC, TUBSTAP).x;
    p->seen[COMPLEX_UPPER_RIGHT] = at[COMPLEX].x > 0 && at[COMPLEX].y > 0;
    p->seen[SRPG_TOP] = top;
    p->seen[AFFAIRS_LOWER_RIGHT] = at[AFFAIRS].x > 0 && at[AFFAIRS].y < 0;
    p->seen_count = 0;
    for (int i = 0; i < CLAIMS; i++)
        p->seen_count += p->seen[i];
}

/* The three ways of moving are one binary variable each, and "one action a turn" is the absence of all of
 * them, as in the paper's table 1. `doubtful` are the rules of the game with doubtful marks. */
static void make_picture(bool standardize, const char *doubtful, struct picture *out) {
    struct pca_table data = {.observations = GAMES, .variables = MOVE_BITS + RULES};
    struct pca pca;
    for (int g = 0; g < GAMES; g++) {
        const char *rules = strchr(table[g].doubtful, '?') != NULL ? doubtful : table[g].rules;
        assert(strlen(rules) == RULES);
        for (int i = 0; i < MOVE_BITS; i++)
            data.x[g][i] = (table[g].move == 'h' ? 'r' : table[g].move) == "mrs"[i];
        for (int i = 0; i < RULES; i++)
            data.x[g][MOVE_BITS + i] = rules[i] == 'x';
    }
    pca_compute(&data, standardize, &pca);
    out->share[0] = pca.share[0];
    out->share[1] = pca.share[1];
    for (int g = 0; g < GAMES; g++)
        out->games[g] = (struct point){pca.score[g][0], pca.score[g][1]};
    /* The figure's axes may be flipped: ours are turned so that board games are left and SRPG above. */
    const double fx = centroid(out, BOARD, -1).x > 0 ? -1 : 1, fy = centroid(out, SRPG, -1).y < 0 ? -1 : 1;
    for (int g = 0; g < GAMES; g++)
        out->games[g] = (struct point){fx * out->games[g].x, fy * out->games[g].y};
    look_for_claims(out);
}

/* ---- figure 2: the picture of the clusters ---- */

static const char *const colours[CLUSTERS] = {"#1b6ca8", "#2a9d4b", "#c77d0a", "#b5338a", "#c0392b"};

/* Games with (nearly) the same rules lie on each other: the first is labelled with all their names. */
static bool is_same_place(const struct picture *p, int a, int b) {
    return fabs(p->games[a].x - p->games[b].x) < 0.05 && fabs(p->games[a].y - p->games[b].y) < 0.05;
}

/* Only the first of the games at a place draws a label. */
static void add_names(const struct picture *p, int game, struct repro_plot *plot) {
    struct rows_label names = {""};
    for (int g = 0; g < game; g++)
        if (is_same_place(p, g, game))
            return;
    for (int g = game; g < GAMES; g++)
        if (is_same_place(p, g, game))
            names = rows_label("%s%s%s", names.text, g > game ? ", " : "", table[g].name);
    text_add(&plot->data, "\"%s\"", plot_text(plot, names.text).text);
}

/* The outline of a cluster is the convex hull of small ellipses around its games, and its name stands above
 * it, or below it where other games are above. */
enum { ARC = 16, OUTLINE_MAX = GAMES * ARC };
#define MARGIN_X 0.22
#define MARGIN_Y 0.26

/* Above 0: from a over b to c is a turn to the left. */
static double turn(struct point a, struct point b, struct point c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

static int compare_points(const void *a, const void *b) {
    const struct point *p = a, *q = b;
    return p->x != q->x ? (p->x > q->x) - (p->x < q->x) : (p->y > q->y) - (p->y < q->y);
}

/* Andrew's monotone chain: the lower border from left to right, then the upper one back. `hull` has room for
 * twice the points; the number of corners is returned. */
static int convex_hull(struct point *points, int count, struct point *hull) {
    int size = 0;
    qsort(points, (size_t)count, sizeof *points, compare_points);
    for (int pass = 0; pass < 2; pass++) {
        const int start = size;
        for (int i = 0; i < count; i++) {
            const struct point next = points[pass == 0 ? i : count - 1 - i];
            while (size >= start + 2 && turn(hull[size - 2], hull[size - 1], next) <= 0)
                size--;
            hull[size++] = next;
        }
        size--; /* the last corner begins the next border */
    }
    return size;
}

static void add_outline(const struct picture *p, int cluster, struct repro_plot *plot) {
    struct point around[OUTLINE_MAX], hull[2 * OUTLINE_MAX];
    struct point low = {(double)INFINITY, (double)INFINITY}, high = {-(double)INFINITY, -(double)INFINITY};
    int count = 0;
    for (int g = 0; g < GAMES; g++)
        for (int i = 0; table[g].cluster == cluster && i < ARC; i++) {
            const double angle = 2 * acos(-1) * i / ARC;
            const struct point at = {p->games[g].x + MARGIN_X * cos(angle),
                                     p->games[g].y + MARGIN_Y * sin(angle)};
            low = (struct point){fmin(low.x, at.x), fmin(low.y, at.y)};
            high = (struct point){fmax(high.x, at.x), fmax(high.y, at.y)};
            around[count++] = at;
        }
    const int corners = convex_hull(around, count, hull);
    text_add(&plot->commands, "set object %d polygon from ", cluster + 1);
    for (int i = 0; i <= corners; i++)
        text_add(&plot->commands, "%s%.4f,%.4f", i > 0 ? " to " : "", hull[i % corners].x,
                 hull[i % corners].y);
    text_add(&plot->commands,
             " behind fc rgb \"%s\" fs transparent solid 0.1 border lc rgb \"%s\"\n"
             "set label %d \"%s\" at %.4f,%.4f center textcolor rgb \"%s\" noenhanced\n",
             colours[cluster], colours[cluster], cluster + 1, plot_text(plot, cluster_names[cluster]).text,
             (low.x + high.x) / 2, cluster == AFFAIRS ? low.y - 0.2 : high.y + 0.2, colours[cluster]);
}

/* A line of data for each game. Clusters are told apart by a column of numbers: gnuplot draws each in its
 * own colour. */
static void add_positions(const struct picture *p, struct repro_plot *plot) {
    text_add_string(&plot->data, "game,cluster,cluster_index,x,y,drawn_label,label_beside,label_y\n");
    for (int g = 0; g < GAMES; g++) {
        text_add(&plot->data, "%s,%s,%d,%.6f,%.6f,", plot_text(plot, table[g].name).text,
                 rows_plain(cluster_names[table[g].cluster]).text, table[g].cluster, p->games[g].x,
                 p->games[g].y);
        add_names(p, g, plot);
        text_add(&plot->data, ",%g,%.6f\n", table[g].beside, p->games[g].y + table[g].above);
    }
}

static void fig2_add_plot(const struct picture *p, struct repro_result *out) {
    struct repro_plot *plot = plot_add(out, "scatter", "Figure 2: games by their rules");
    add_positions(p, plot);
    /* In two statements: the plot numbers its texts in the order of these calls. */
    const struct rows_label x = plot_text(
        plot,
        rows_label("[first_component|first component ({%.0f}%% of the variance)]", 100 * p->share[0]).text);
    const struct rows_label y =
        plot_text(plot, rows_label("[second_component|second component ({%.0f}%%)]", 100 * p->share[1]).text);
    text_add(&plot->commands,
             "set xlabel \"%s\"\n"
             "set ylabel \"%s\"\n"
             "high = 600\n"
             "unset key\n"
             "set offsets graph 0.05, graph 0.2, graph 0.08, graph 0.12\n"
             "set zeroaxis lc rgb \"#bbbbbb\"\n",
             x.text, y.text);
    for (int c = 0; c < CLUSTERS; c++)
        add_outline(p, c, plot);
    for (int c = 0; c < CLUSTERS; c++)
        text_add(&plot->drawing,
                 "%s data skip 1 using (int(column(3)) == %d ? column(4) : NaN):5 with points pt %d ps 0.7 "
                 "lc rgb \"%s\", \\\n",
                 c == 0 ? "plot" : "    ", c, c + 5, colours[c]);
    text_add_string(&plot->drawing,
                    "     data skip 1 using ($7 > 0 ? $4 : NaN):8:6 with labels left offset 1,0 "
                    "font \",11\" noenhanced, \\\n"
                    "     data skip 1 using ($7 < 0 ? $4 : NaN):8:6 with labels right offset "
                    "-1,0 font \",11\" noenhanced\n");
    plot_script(plot);
}

/* ---- figure 2: table 1 as data and as a picture ---- */

static const char *move_name(char mark) {
    int i = 0;
    while (moves[i].mark != mark) {
        i++;
        assert(i < MOVES);
    }
    return moves[i].name;
}

/* The table itself: a line for each game, 1 or 0 for each rule, with "?" behind a doubtful mark. */
static void add_table(struct repro_plot *plot) {
    text_add_string(&plot->data, "game,cluster,order of moves");
    for (int i = 0; i < RULES; i++)
        text_add(&plot->data, ",%s", plot_text(plot, rule_names[i]).text);
    text_add_string(&plot->data, "\n");
    for (int g = 0; g < GAMES; g++) {
        /* Texts are noted in this order: arguments of one call have none. */
        const struct rows_label game = plot_text(plot, table[g].name),
                                cluster = plot_text(plot, cluster_names[table[g].cluster]),
                                ways = plot_text(plot, move_name(table[g].move));
        text_add(&plot->data, "%s,%s,%s", game.text, cluster.text, ways.text);
        for (int i = 0; i < RULES; i++)
            text_add(&plot->data, ",%s%s", table[g].rules[i] == 'x' ? "1" : "0",
                     table[g].doubtful[i] == '?' ? "?" : "");
        text_add_string(&plot->data, "\n");
    }
}

/* Names of columns stand level, in three rows by turns, so that neighbours do not touch. */
static void add_heading(struct repro_plot *plot, int number, double x, const char *name) {
    text_add(&plot->commands, "set label %d \"%s\" at %g,%g center font \",11\" noenhanced\n", number + 1,
             rows_plain(name).text, x, -0.9 - 0.75 * (number % 3));
}

/* Games from the top, rules from the left. */
static void fig2_add_table(struct repro_result *out) {
    static const double move_x = -1.9; /* the column of words, left of the first rule */
    static const char order[] = "[order_of_moves|order of moves]";
    struct repro_plot *plot = plot_add(out, "table", "Table 1: which rules each game has");
    add_table(plot);
    add_heading(plot, 0, move_x, plot_text(plot, order).text);
    for (int i = 0; i < RULES; i++)
        add_heading(plot, i + 1, i, rule_names[i]);
    text_add(&plot->commands,
             "high = 640\n"
             "set xrange [-3:%d.9]\n"
             "set yrange [%d.5:-0.5]\n"
             "unset xtics\n"
             "set ytics scale 0 noenhanced\n"
             "set border 0\n"
             "set grid ytics " PLOT_GRID "\n"
             "set tmargin 8\n"
             "set lmargin 26\n"
             "set rmargin 4\n"
             "starts(i, mark) = strcol(4 + i)[1:1] eq mark\n"
             "is_doubtful(i) = strstrt(strcol(4 + i), \"?\") > 0\n",
             RULES - 1, GAMES - 1);
    plot_key(plot, 3);
    plot_middle_title(plot);
    const struct rows_label has = plot_text(plot, "[has|has]"),
                            has_not = plot_text(plot, "[has_not|has not]"),
                            doubtful = plot_text(plot, "[doubtful_mark|doubtful]");
    text_add(
        &plot->drawing,
        "plot data skip 1 using (%g):0:3:ytic(1) with labels font \",11\" noenhanced notitle, \\\n"
        "     for [i=0:%d] data skip 1 using (starts(i, \"1\") ? i : NaN):0 with points pt 7 ps 0.8 lc rgb "
        "\"#1b6ca8\" notitle, \\\n"
        "     for [i=0:%d] data skip 1 using (starts(i, \"0\") ? i : NaN):0 with points pt 6 ps 0.5 lc rgb "
        "\"#9aa5b1\" notitle, \\\n"
        "     for [i=0:%d] data skip 1 using (is_doubtful(i) ? i : NaN):0 with points pt 4 ps 1.3 lw 1.5 lc "
        "rgb \"#c0392b\" notitle, \\\n"
        "     NaN with points pt 7 ps 0.8 lc rgb \"#1b6ca8\" title \"%s\", \\\n"
        "     NaN with points pt 6 ps 0.5 lc rgb \"#9aa5b1\" title \"%s\", \\\n"
        "     NaN with points pt 4 ps 1.2 lw 1.5 lc rgb \"#c0392b\" title \"%s\"\n",
        move_x, RULES - 1, RULES - 1, RULES - 1, has.text, has_not.text, doubtful.text);
    plot_script(plot);
}

/* ---- figure 2: the experiment ---- */

enum { VALUE_SHARE_1, VALUE_SHARE_2, VALUE_CLAIMS };
static const struct repro_cell fig2_cells[] = {
    {.label = "[standardized|standardized]", .repetitions_max = 1},
    {.label = "[not_standardized|not standardized]", .repetitions_max = 1}};

/* Nothing is random, so a repetition has only the figures; the positions are computed again for the rows. */
static bool fig2_run(const struct repro_task *task, struct repro_repetition *out, struct err *e) {
    (void)e;
    struct picture p;
    make_picture(task->unit.cell == 0, SURPLUS_READ, &p);
    out->values[VALUE_SHARE_1] = p.share[0];
    out->values[VALUE_SHARE_2] = p.share[1];
    out->values[VALUE_CLAIMS] = p.seen_count;
    return true;
}

/* Claims are facts of the picture; shares of the variance are numbers without spread. */
static void fig2_finish(const struct repro_data *data, struct repro_result *out) {
    static const char *const endings[] = {"", ", [not_standardized|not standardized]"};
    struct picture pictures[2];
    const struct picture *p = &pictures[0];
    for (int cell = 0; cell < 2; cell++) {
        make_picture(cell == 0, SURPLUS_READ, &pictures[cell]);
        for (int i = 0; i < CLAIMS; i++)
            rows_add_claim(out, rows_label("%s%s", claims[i], endings[cell]).text, pictures[cell].seen[i]);
        for (int i = 0; i < 2; i++)
            rows_add_exact(
                out, rows_label("[variance_of|variance of component {%d} (%%)]%s", i + 1, endings[cell]).text,
                REPRO_NONE, 100 * data->results[cell].values[VALUE_SHARE_1 + i]);
    }
    for (int cell = 0; cell < 2; cell++)
        for (int i = 0; i < READINGS; i++) {
            struct picture read;
            make_picture(cell == 0, readings[i], &read);
            rows_add_exact(
                out,
                rows_label("[statements_read|statements that hold, reading {%d}]%s", i + 1, endings[cell])
                    .text,
                REPRO_NONE, read.seen_count);
        }
    rows_add_finding(out, TESTS(test_claim(p->seen[TUBSTAP_TO_BOARD]), test_claim(p->seen[BASIC_CENTRAL])),
                     "finding.tactical_tbs_tubstap_lies",
                     "tactical TBS (TUBSTAP) lies between the classical board games and the basic turn-based "
                     "strategy games, which are in the centre");
    rows_add_finding(out, TESTS(test_claim(p->seen_count == CLAIMS)), "finding.all_five_clusters_lie",
                     "all five clusters lie where the paper describes them");
    fig2_add_plot(p, out);
    fig2_add_table(out);
}

const struct repro_experiment repro_tbs_fig2 = {
    REPRO_EXPERIMENT("tbs", "fig2", fig2_cells),
    .title = "principal components of the rules of 17 games",
    .source = "Sato, Fujiki and Ikeda, section 3.2, figure 2 and table 1",
    .published = "board games lower left, basic strategy in the centre, TUBSTAP towards the board games",
    .duration = "at once",
    .version = 2,
    .repetitions = 1,
    .repetitions_quick = 1,
    .value_names = (const char *const[]){"share_1", "share_2", "claims_seen", NULL},
    .run = fig2_run,
    .finish = fig2_finish,
};

/* ---- combinations of a turn ----
 *
 * Sections 5.1 to 5.3 of Sato, Fujiki and Ikeda: a turn of r units with n actions each has about n^r * r!
 * combinations. The exact numbers on a few maps stand beside that estimate: sequences of actions (the order
 * counts), and different positions at the turn's end (it does not). */

enum { BRANCHING_CELLS = 4, CHESS = 35, GO = 250, POSITIONS_MAX = 100000000 };

static const struct repro_cell branching_cells[BRANCHING_CELLS] = {
    {.label = "duel", .map = 0, .repetitions_max = 1},
    {.label = "rooms", .map = 1, .repetitions_max = 1},
    {.label = "lane", .map = 2, .repetitions_max = 1},
    {.label = "standard", .map = 3, .repetitions_max = 1},
};

enum { VALUE_UNITS, VALUE_MEAN, VALUE_ESTIMATE, VALUE_EXACT, VALUE_ENDS };

/* -1: the number could not be counted within the limit. */
static bool branching_run(const struct repro_task *task, struct repro_repetition *out, struct err *e) {
    const struct scenario *map = task->maps[task->cell->map];
    _Alignas(16) unsigned char state[GAME_STATE_MAX];
    struct rng r;
    struct tbs_turn_stats stats;
    rng_seed(&r, task->seed);
    map->game->start(state, map, &r);
    if (!tbs_turn_stats(map->game, state, POSITIONS_MAX, &stats, e))
        return false;
    out->values[VALUE_UNITS] = stats.units;
    out->values[VALUE_MEAN] = stats.actions_mean;
    out->values[VALUE_ESTIMATE] = stats.estimate;
    out->values[VALUE_EXACT] = !stats.is_counted ? -1
                               : stats.is_exact  ? (double)stats.combinations
                                                 : stats.combinations_real;
    out->values[VALUE_ENDS] = stats.ends_are_counted ? (double)stats.ends : -1;
    return true;
}

/* What could not be counted leaves a gap. */
static double known(double count) {
    return count > 0 ? count : REPRO_NONE;
}

/* Counts differ by many powers of ten, so the axis is logarithmic. */
static void branching_add_plot(const struct repro_data *data, struct repro_result *out) {
    static const struct {
        const char *key, *colour;
        int shape;
    } kinds[] = {{"[estimate|estimate]", "#c0392b", 12},
                 {"[exact|exact, in order]", "#2f6db5", 7},
                 {"[different_ends|different ends]", "#2a9d4b", 5}};
    struct repro_plot *plot = plot_add(out, "counts", "Action combinations of the first turn");
    text_add_string(&plot->data, "map,estimate,combinations,positions_at_end\n");
    for (int cell = 0; cell < BRANCHING_CELLS; cell++) {
        const double *v = data->results[cell].values;
        text_add(&plot->data, "%s,%.6g,%.6g,%.6g\n", branching_cells[cell].label, v[VALUE_ESTIMATE],
                 known(v[VALUE_EXACT]), known(v[VALUE_ENDS]));
    }
    text_add(&plot->commands,
             "set logscale y\n"
             "set format y \"10^%%T\"\n"
             "set xrange [-0.6:%d.6]\n"
             "set xtics noenhanced\n",
             BRANCHING_CELLS - 1);
    plot_key(plot, 3);
    for (int i = 0; i < 3; i++)
        text_add(&plot->drawing,
                 "%s data skip 1 using ($0 + %g):%d%s with points pt %d ps 0.8 lw 1.5 lc rgb \"%s\" title "
                 "\"%s\"%s\n",
                 i == 0 ? "plot" : "    ", 0.12 * (i - 1), i + 2, i == 1 ? ":xtic(1)" : "", kinds[i].shape,
                 kinds[i].colour, plot_text(plot, kinds[i].key).text, i < 2 ? ", \\" : "");
    plot_script(plot);
}

/* n^r * r! for r units with n actions each. */
static double turn_count(int units, int actions) {
    double count = pow(actions, units);
    for (int i = 2; i <= units; i++)
        count *= i;
    return count;
}

/* How the paper states a number: as it is, rounded to one digit, as a power of ten, or as what it is below.
 */
enum statement { EXACTLY, ROUNDED, POWER_OF_TEN, BELOW };

static bool is_as_stated(enum statement statement, double published, double ours) {
    const double unit = pow(10, floor(log10(ours)));
    switch (statement) {
    case EXACTLY: return ours == published;
    case ROUNDED: return round(ours / unit) * unit == published;
    case POWER_OF_TEN: return unit == published;
    case BELOW: return ours < published;
    }
    assert(false);
    return false;
}

/* The verdict is about the statement, and not about the number that stands in it. */
static void add_arithmetic(struct repro_result *out, const char *label, enum statement statement,
                           double published, double ours) {
    struct repro_row *row = rows_add_exact(out, label, published, ours);
    if (is_as_stated(statement, published, ours))
        rows_set_verdict(row, VERDICT_SAME, "verdict.same", "as published (no chance in it)");
}

/* The paper's own arithmetic (sections 5.1 to 5.3), computed from its parts: 10 actions and 6 units, 10^5
 * positions a second, and search of alpha-beta, which at best visits b^2 + b - 1 leaves of b^3 (D. E. Knuth
 * and R. W. Moore, "An analysis of alpha-beta pruning", 1975). */
static void add_all_arithmetic(struct repro_result *out) {
    const double all = turn_count(6, 10), rate = 1e5, in_time = 10 * rate;
    add_arithmetic(out, "[actions|{10} actions], [units|{6} units]: n^r * r!", EXACTLY, 720000000, all);
    add_arithmetic(out, "[same_in_parts|the same in three parts of 2 units]", EXACTLY, 600,
                   3 * turn_count(2, 10));
    add_arithmetic(out, "[same|the same], [one_at_a_time|one action at a time]", EXACTLY, 210,
                   10 * (6 + 5 + 4 + 3 + 2 + 1));
    add_arithmetic(out, "[seconds_for_all|seconds for all at {10^5} positions a second]", ROUNDED, 7000,
                   all / rate);
    add_arithmetic(out, "[candidates|candidates for three turns in {10} s]", EXACTLY, 100,
                   round(cbrt(in_time)));
    add_arithmetic(out, "[candidates_at_best|the same with alpha-beta at its best (about)]", ROUNDED, 1000,
                   floor((sqrt(4 * (in_time + 1) + 1) - 1) / 2));
    add_arithmetic(out, "[fig|fig. {4}], [depth|depth {2}]: 1! 10^1 3! 10^3 [below|(below)]", BELOW, 1e5,
                   turn_count(1, 10) * turn_count(3, 10));
    add_arithmetic(out, "[attacks_only|attacks only], [one_order|one order]: 3^6 3^6 [below|(below)]", BELOW,
                   1e6, pow(3, 6) * pow(3, 6));
    add_arithmetic(out,
                   "[attacks_only|attacks only], [any_order|any order]: 6! 3^6 6! 3^6 [power|(power of ten)]",
                   POWER_OF_TEN, 1e11, turn_count(6, 3) * turn_count(6, 3));
    add_arithmetic(out, "[one_order|one order]: [times_fewer|r! times fewer turns of {6} units]", EXACTLY,
                   720, all / pow(10, 6));
}

static void branching_finish(const struct repro_data *data, struct repro_result *out) {
    add_all_arithmetic(out);
    bool large = true, near = true;
    for (int cell = 0; cell < BRANCHING_CELLS; cell++) {
        const double *v = data->results[cell].values;
        const char *map = branching_cells[cell].label;
        rows_add_exact(
            out,
            rows_label("%s: [units|{%d} units], [actions_each|actions each]", map, (int)v[VALUE_UNITS]).text,
            REPRO_NONE, v[VALUE_MEAN]);
        rows_add_exact(out, rows_label("%s: [estimate|estimate]", map).text, REPRO_NONE, v[VALUE_ESTIMATE]);
        rows_add_exact(out, rows_label("%s: [exact|exact, in order]", map).text, REPRO_NONE,
                       known(v[VALUE_EXACT]));
        rows_add_exact(out, rows_label("%s: [different_ends|different ends]", map).text, REPRO_NONE,
                       known(v[VALUE_ENDS]));
        const double ratio = v[VALUE_EXACT] / v[VALUE_ESTIMATE];
        large = large && (v[VALUE_UNITS] < 6 || v[VALUE_EXACT] > GO);
        near = near && ratio > 0.1 && ratio < 10;
    }
    rows_add_finding(out, TESTS(test_claim(large)), "finding.turn_six_units_far",
                     "a turn of six units has far more combinations than a move in chess (%d) or Go (%d)",
                     CHESS, GO);
    rows_add_finding(out, TESTS(test_claim(near)), "finding.estimate_right_factor_ten",
                     "the estimate is right to a factor of ten on every map");
    branching_add_plot(data, out);
}

const struct repro_experiment repro_tbs_branching = {
    REPRO_EXPERIMENT("tbs", "branching", branching_cells),
    .title = "how many combinations of actions a turn has",
    .source = "Sato, Fujiki and Ikeda, sections 5.1 to 5.3",
    .published = "10 actions, 6 units: 720,000,000; and nine numbers computed from it",
    .duration = "seconds",
    .version = 2,
    .repetitions = 1,
    .repetitions_quick = 1,
    .maps = (const char *const[]){"duel", "rooms", "lane", "standard", NULL},
    .value_names = (const char *const[]){"units", "actions_per_unit", "estimate", "combinations",
                                         "positions_at_end", NULL},
    .run = branching_run,
    .finish = branching_finish,
};

/* ---- figure 4 ----
 *
 * Figure 4 of Sato, Fujiki and Ikeda (section 5.3): red may destroy either of two fighters. The one with more
 * HP looks better to a search of one turn; only a search that sees blue's answer takes the other. */

enum { DEPTH_1, DEPTH_2, UCT_100, UCT_1000, UCT_2000, UCT_6000, UCT_20000, UCT_60000, PLAIN_2, FIG4_CELLS };
enum { FIG4_COUNTS = UCT_6000 - UCT_100, FIG4_PUBLISHED = 100 };
enum { VALUE_RIGHT, FIG4_VALUE_WORK };

/* Where nearly all answers are right, so much less would be no growth. */
#define GROWS 0.05

/* The share of right answers that counts as staying right where the paper has no figure any more. */
#define STAYS_RIGHT 0.95

/* Min-Max answers the same every time: a few times are enough to time it. */
static const struct repro_cell fig4_cells[FIG4_CELLS] = {
    [DEPTH_1] =
        {"Min-Max [depth|depth {1}]", 0, {"minmax:depth=1"}, .repetitions_max = 10, .is_deterministic = true},
    [DEPTH_2] =
        {"Min-Max [depth|depth {2}]", 0, {"minmax:depth=2"}, .repetitions_max = 10, .is_deterministic = true},
    [UCT_100] = {"UCT 100", 0, {"uct:sims=100"}},
    [UCT_1000] = {"UCT 1000", 0, {"uct:sims=1000"}},
    [UCT_2000] = {"UCT 2000", 0, {"uct:sims=2000"}},
    [UCT_6000] = {"UCT 6000", 0, {"uct:sims=6000"}, .repetitions_max = 500},
    [UCT_20000] = {"UCT 20000", 0, {"uct:sims=20000"}, .repetitions_max = 500},
    [UCT_60000] = {"UCT 60000", 0, {"uct:sims=60000"}, .repetitions_max = 100},
    [PLAIN_2] = {"[plain_minmax|plain Min-Max], [depth|depth {2}]",
                 0,
                 {"minmax:depth=2,alphabeta=no,table=no,sort=none,nodes=100000000"},
                 .repetitions_max = 3,
                 .is_deterministic = true},
};

/* The right action destroys the weakest enemy fighter among units first … first + count - 1. */
bool fig4_is_right(const struct tbs_position *p, action a, int first, int count) {
    int weakest = -1;
    for (int id = first; id < first + count; id++) {
        const struct tbs_unit *u = &p->units[id];
        if (u->hp > 0 && u->side != p->side && u->type == TBS_FIGHTER &&
            (weakest < 0 || u->hp < p->units[weakest].hp))
            weakest = id;
    }
    return weakest >= 0 && tbs_is_unit_action(a) && tbs_action_target(a) == weakest;
}

/* The first action decides: it attacks, and the weaker fighter is gone at the end of the turn. */
static bool fig4_run(const struct repro_task *task, struct repro_repetition *out, struct err *e) {
    struct play_turn turn;
    if (!play_first_turn(task, task->maps[0], &turn, out, e))
        return false;
    const int target = turn.count > 0 && tbs_is_unit_action(turn.actions[0])
                           ? tbs_action_target(turn.actions[0])
                           : TBS_NO_TARGET;
    out->values[VALUE_RIGHT] = turn.count > 0 &&
                               fig4_is_right(&turn.before, turn.actions[0], 0, turn.before.unit_count) &&
                               turn.after.units[target].hp == 0;
    out->values[FIG4_VALUE_WORK] = (double)turn.work;
    return true;
}

/* The paper's times are another machine's, so the finding compares two of our own. */
static void fig4_finish(const struct repro_data *data, struct repro_result *out) {
    const struct rows_column rights = {ROWS_SHARE, VALUE_RIGHT, .published = (const double[]){13, 69, 100},
                                       .published_n = FIG4_PUBLISHED};
    const struct rows_column more_rights = {ROWS_SHARE, VALUE_RIGHT};
    const struct rows_column times = {ROWS_TIME, CELL_TIME, "[time_of| ms]",
                                      .published = (const double[]){1.0, 503, 20.0, 226, 388}};
    const struct rows_column plain_time = {ROWS_TIME, CELL_TIME, "[time_of| ms]",
                                           .published = (const double[]){503}};
    const struct rows_column more_times = {ROWS_TIME, CELL_TIME, "[time_of| ms]"};
    const struct rows_span more = {UCT_6000, PLAIN_2 - UCT_6000};
    const struct proportion few = rows_share(data, UCT_100, VALUE_RIGHT),
                            middle = rows_share(data, UCT_1000, VALUE_RIGHT),
                            many = rows_share(data, UCT_2000, VALUE_RIGHT);
    const bool wrong_1 = rows_never(data, DEPTH_1, VALUE_RIGHT),
               right_2 = rows_always(data, DEPTH_2, VALUE_RIGHT),
               right_plain = rows_always(data, PLAIN_2, VALUE_RIGHT);
    rows_add_claim(out, "[depth_wrong|Min-Max depth {1} is wrong]", wrong_1);
    rows_add_claim(out, "[depth_right|Min-Max depth {2} is right]", right_2);
    rows_add_columns(data, out, (struct rows_span){UCT_100, FIG4_COUNTS}, &rights, 1);
    rows_add_columns(data, out, more, &more_rights, 1);
    rows_add_columns(data, out, (struct rows_span){0, UCT_6000}, &times, 1);
    rows_add_columns(data, out, more, &more_times, 1);
    rows_add_columns(data, out, (struct rows_span){PLAIN_2, 1}, &plain_time, 1);
    rows_add_finding(out, TESTS(test_claim(wrong_1), test_claim(right_2)), "finding.full_width_search_linear",
                     "full-width search with the linear evaluation fails at depth 1 and succeeds at depth 2");
    rows_add_finding(out,
                     TESTS(test_shares_greater(middle, few), test_shares_greater(many, few),
                           test_shares_not_less(many, middle, GROWS)),
                     "finding.uct_finds_right_action",
                     "UCT finds the right action more often the more simulations it has");
    rows_add_finding(out,
                     TESTS(test_share_above(rows_share(data, UCT_6000, VALUE_RIGHT), STAYS_RIGHT),
                           test_share_above(rows_share(data, UCT_20000, VALUE_RIGHT), STAYS_RIGHT),
                           test_share_above(rows_share(data, UCT_60000, VALUE_RIGHT), STAYS_RIGHT)),
                     "finding.uct_stays_right",
                     "UCT stays right with more simulations than the paper's: more than %.0f of 100 times",
                     100 * STAYS_RIGHT);
    rows_add_finding(
        out,
        TESTS(rows_is_above(
            rows_difference(rows_sum(data, DEPTH_2, CELL_TIME), rows_sum(data, UCT_2000, CELL_TIME)), 0)),
        "finding.uct_2000_simulations_needs",
        "UCT with 2000 simulations needs less time than full-width search of depth 2");
    rows_add_claim(out, "[plain_depth_right|plain Min-Max depth {2} is right]", right_plain);
    rows_add_finding(
        out,
        TESTS(rows_is_above(
            rows_difference(rows_sum(data, PLAIN_2, CELL_TIME), rows_sum(data, UCT_2000, CELL_TIME)), 0)),
        "finding.uct_2000_simulations_plain",
        "UCT with 2000 simulations needs less time than plain Min-Max of depth 2, which was timed");
}

const struct repro_experiment repro_tbs_fig4 = {
    REPRO_EXPERIMENT("tbs", "fig4", fig4_cells),
    .title = "depth 1 takes the wrong fighter; depth 2 and UCT take the right one",
    .source = "Sato, Fujiki and Ikeda, section 5.3, figure 4",
    .published = "Min-Max wrong at depth 1, right at depth 2; UCT 100/1000/2000: 13/69/100 of 100",
    .duration = "seconds",
    .version = 3,
    .repetitions = 2500,
    .repetitions_quick = 100,
    .maps = (const char *const[]){"paper_fig4", NULL},
    .value_names = (const char *const[]){"right", "work", NULL},
    .run = fig4_run,
    .finish = fig4_finish,
    .bars = {{"right", "Figure 4: how often UCT is right", "%", "[axis_right_actions|right actions (%)]"},
             {"time", "Figure 4: thinking time", "ms", "[axis_ms|milliseconds]", true}},
};

/* ---- figure 5 ----
 *
 * Figure 5 of Sato, Fujiki and Ikeda (section 5.3): red's cannon must first move out of the way, or the other
 * units cannot remove the blue infantry. A search that leaves out plain moves cannot see it. */

enum { FULL, ATTACKS, FIG5_CELLS };
enum { VALUE_FOUND, FIG5_VALUE_WORK, VALUE_FIRST_IS_MOVE };

static const struct repro_cell fig5_cells[FIG5_CELLS] = {
    [FULL] = {"[full_width|full width]", 0, {"minmax:depth=1"}, .is_deterministic = true},
    [ATTACKS] = {"[attacks_only|attacks only]",
                 0,
                 {"minmax:depth=1,prune=attacks"},
                 .is_deterministic = true},
};

/* Found is a turn that leaves no blue infantry. The first action of a cannon shows whether it made room. */
static bool fig5_run(const struct repro_task *task, struct repro_repetition *out, struct err *e) {
    struct play_turn turn;
    if (!play_first_turn(task, task->maps[0], &turn, out, e))
        return false;
    out->values[VALUE_FOUND] = play_removes_infantry(&turn);
    out->values[FIG5_VALUE_WORK] = (double)turn.work;
    for (int i = 0; i < turn.count; i++) {
        const action a = turn.actions[i];
        if (tbs_is_unit_action(a) && turn.before.units[tbs_action_unit(a)].type == TBS_CANNON) {
            out->values[VALUE_FIRST_IS_MOVE] = tbs_action_target(a) == TBS_NO_TARGET;
            break;
        }
    }
    return true;
}

static void fig5_finish(const struct repro_data *data, struct repro_result *out) {
    static const struct rows_column columns[] = {{ROWS_TIME, CELL_TIME, "[time_of| ms]"},
                                                 {ROWS_EXACT, FIG5_VALUE_WORK, "[positions_of| positions]"}};
    const bool finds = rows_always(data, FULL, VALUE_FOUND), misses = rows_never(data, ATTACKS, VALUE_FOUND);
    rows_add_claim(out, "[full_width_finds|full width finds the turn]", finds);
    rows_add_claim(out, "[attacks_miss|attacks only misses it]", misses);
    rows_add_claim(out, "[cannon_moves|the cannon moves without attacking]",
                   rows_always(data, FULL, VALUE_FIRST_IS_MOVE));
    rows_add_columns(data, out, (struct rows_span){0, FIG5_CELLS}, columns, 2);
    rows_add_finding(out, TESTS(test_claim(finds), test_claim(misses)), "finding.search_leaves_out_plain",
                     "search that leaves out plain moves misses the turn that removes the blue infantry; "
                     "full-width search finds it");
}

const struct repro_experiment repro_tbs_fig5 = {
    REPRO_EXPERIMENT("tbs", "fig5", fig5_cells),
    .title = "pruning plain moves misses the turn that needs one",
    .source = "Sato, Fujiki and Ikeda, section 5.3, figure 5",
    .published = "attacks-only search misses the turn that removes the infantry; full width finds it",
    .duration = "seconds",
    .version = 2,
    .repetitions = 10,
    .repetitions_quick = 3,
    .maps = (const char *const[]){"paper_fig5", NULL},
    .value_names = (const char *const[]){"infantry_removed", "work", "first_is_cannon_move", NULL},
    .run = fig5_run,
    .finish = fig5_finish,
};
