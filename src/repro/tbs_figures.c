/* SPDX-License-Identifier: MIT
 *
 * Figures 2, 4 and 5 of Sato, Fujiki and Ikeda, and their estimate of how many combinations a turn has.
 */
#include "game/tbs/tbs.h"
#include "repro/experiments.h"

#include <assert.h>
#include <math.h>
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

/* The paper draws the clusters by hand; the members follow its text. */
static const struct {
    const char *name;
    int cluster;
    char move; /* 1: one action a turn, m: many, r: real time, s: by speed */
    /* attack, HP, terrain, affinity, production, capture, scouting, domestic affairs, zone of control,
     * layered terrain, growth, characters */
    const char *rules;
} table[GAMES] = {
    {"[chess|Chess]", BOARD, '1', "............"},
    {"[shogi|Shogi]", BOARD, '1', "............"},
    {"[arimaa|Arimaa]", BOARD, 'm', "............"},
    {"[gunjin_shogi|Gunjin Shogi]", BOARD, '1', "...x........"},
    {"TUBSTAP", BASIC, 'm', "xxxx........"},
    {"[nectaris|Nectaris]", BASIC, 'm', "xxxx.x..x..."},
    {"[gendai_daisenryaku|Gendai Daisenryaku]", BASIC, 'm', "xxxxxx......"},
    {"[famicom_wars|Famicom Wars]", BASIC, 'm', "xxxxxx......"},
    {"[daisenryaku_ex|Daisenryaku EX]", COMPLEX, 'm', "xxxxxxx.xx.."},
    /* The scan has thirteen marks in this row, one "has" too many before "domestic affairs"; as the title
     * stands among those without domestic affairs, the surplus mark is one of the run before it. */
    {"[advanced_daisenryaku|Advanced Daisenryaku]", COMPLEX, 'm', "xxxxxxx.xxx."},
    {"Civilization V", AFFAIRS, 'm', "xxx.xxxx...."},
    {"[gihren_no_yabou|Gihren no Yabou]", AFFAIRS, 'm', "xxxxxxxx...."},
    {"[sangokushi_ix|Sangokushi IX]", AFFAIRS, 'r', "xxxxxx.x...."},
    {"Age of Empires 2", AFFAIRS, 'r', "xxxxx.xx...."},
    {"StarCraft 2", AFFAIRS, 'r', "xxxxx.xx...."},
    {"[final_fantasy_tactics|Final Fantasy Tactics]", SRPG, 's', "xxxx......xx"},
    {"[tactics_ogre|Tactics Ogre]", SRPG, 's', "xxxx......xx"},
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
 * them, as in the paper's table 1. */
static void make_picture(bool standardize, struct picture *out) {
    struct pca_table data = {.observations = GAMES, .variables = MOVE_BITS + RULES};
    struct pca pca;
    for (int g = 0; g < GAMES; g++) {
        assert(strlen(table[g].rules) == RULES);
        for (int i = 0; i < MOVE_BITS; i++)
            data.x[g][i] = table[g].move == "mrs"[i];
        for (int i = 0; i < RULES; i++)
            data.x[g][MOVE_BITS + i] = table[g].rules[i] == 'x';
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

/* ---- figure 2: the plot ---- */

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

/* A line of data for each game. Clusters are told apart by a column of numbers: gnuplot draws each in its
 * own colour. */
static void fig2_add_plot(const struct picture *p, struct repro_result *out) {
    struct repro_plot *plot = plot_add(out, "scatter", "Figure 2: games by their rules");
    text_add_string(&plot->data, "game,cluster,cluster_index,x,y,drawn_label\n");
    for (int g = 0; g < GAMES; g++) {
        text_add(&plot->data, "%s,%s,%d,%.6f,%.6f,", plot_text(plot, table[g].name).text,
                 rows_plain(cluster_names[table[g].cluster]).text, table[g].cluster, p->games[g].x,
                 p->games[g].y);
        add_names(p, g, plot);
        text_add_string(&plot->data, "\n");
    }
    /* In two statements: the plot numbers its texts in the order of these calls. */
    const struct rows_label x = plot_text(
        plot,
        rows_label("[first_component|first component ({%.0f}%% of the variance)]", 100 * p->share[0]).text);
    const struct rows_label y =
        plot_text(plot, rows_label("[second_component|second component ({%.0f}%%)]", 100 * p->share[1]).text);
    text_add(&plot->commands,
             "set xlabel \"%s\"\n"
             "set ylabel \"%s\"\n"
             "set key outside bottom center horizontal reverse Left\n"
             "set offsets graph 0.05, graph 0.22, graph 0.05, graph 0.05\n"
             "set zeroaxis lc rgb \"#bbbbbb\"\n",
             x.text, y.text);
    static const char *const colours[CLUSTERS] = {"#1b6ca8", "#2a9d4b", "#c77d0a", "#b5338a", "#c0392b"};
    for (int c = 0; c < CLUSTERS; c++)
        text_add(&plot->drawing,
                 "%s data skip 1 using (int(column(3)) == %d ? column(4) : NaN):5 with points pt %d ps 1.1 "
                 "lc rgb \"%s\" title \"%s\", \\\n",
                 c == 0 ? "plot" : "    ", c, c + 5, colours[c], plot_text(plot, cluster_names[c]).text);
    text_add_string(
        &plot->drawing,
        "     data skip 1 using 4:5:6 with labels left offset 1,0 font \",11\" noenhanced notitle\n");
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
    make_picture(task->unit.cell == 0, &p);
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
        make_picture(cell == 0, &pictures[cell]);
        for (int i = 0; i < CLAIMS; i++)
            rows_add_claim(out, rows_label("%s%s", claims[i], endings[cell]).text, pictures[cell].seen[i]);
        for (int i = 0; i < 2; i++)
            rows_add_exact(
                out, rows_label("[variance_of|variance of component {%d} (%%)]%s", i + 1, endings[cell]).text,
                REPRO_NONE, 100 * data->results[cell].values[VALUE_SHARE_1 + i]);
    }
    rows_add_finding(out, TESTS(test_claim(p->seen[TUBSTAP_TO_BOARD]), test_claim(p->seen[BASIC_CENTRAL])),
                     "finding.tactical_tbs_tubstap_lies",
                     "tactical TBS (TUBSTAP) lies between the classical board games and the basic turn-based "
                     "strategy games, which are in the centre");
    rows_add_finding(out, TESTS(test_claim(p->seen_count == CLAIMS)), "finding.all_five_clusters_lie",
                     "all five clusters lie where the paper describes them");
    fig2_add_plot(p, out);
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
 * Section 5.1 of Sato, Fujiki and Ikeda: a turn of r units with n actions each has about n^r * r!
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
    struct repro_plot *plot = plot_add(out, "counts", "Action combinations of the first turn");
    text_add_string(&plot->texts,
                    "[estimate|estimate]\n[exact|exact, in order]\n[different_ends|different ends]\n");
    text_add_string(&plot->data, "map,estimate,combinations,positions_at_end\n");
    for (int cell = 0; cell < BRANCHING_CELLS; cell++) {
        const double *v = data->results[cell].values;
        text_add(&plot->data, "%s,%.6g,%.6g,%.6g\n", branching_cells[cell].label, v[VALUE_ESTIMATE],
                 known(v[VALUE_EXACT]), known(v[VALUE_ENDS]));
    }
    text_add_string(&plot->commands, "set style fill solid 0.9 noborder\n"
                                     "set boxwidth 0.26\n"
                                     "set logscale y\n"
                                     "set format y \"10^%T\"\n"
                                     "set ytics enhanced\n"
                                     "set xrange [-0.6:3.6]\n"
                                     "set xtics noenhanced\n"
                                     "set key outside bottom center horizontal\n");
    text_add_string(
        &plot->drawing,
        "plot data skip 1 using ($0 - 0.27):2 with boxes lc rgb \"#9aa5b1\" title \"estimate\", \\\n"
        "     data skip 1 using 0:3:xtic(1) with boxes lc rgb \"#2f6db5\" title \"exact, in order\", \\\n"
        "     data skip 1 using ($0 + 0.27):4 with boxes lc rgb \"#2a9d4b\" title \"different ends\"\n");
    plot_script(plot);
}

/* The first three rows are the paper's own arithmetic, done again: 10^6 * 6!, the same in three parts, and
 * the actions that are evaluated when each is chosen by itself. */
static void branching_finish(const struct repro_data *data, struct repro_result *out) {
    rows_add_exact(out, "[actions|{10} actions], [units|{6} units]: n^r * r!", 720000000,
                   1e6 * (1 * 2 * 3 * 4 * 5 * 6));
    rows_add_exact(out, "[same_in_parts|the same in three parts of 2 units]", 600, 3 * 1e2 * (1 * 2));
    rows_add_exact(out, "[same|the same], [one_at_a_time|one action at a time]", 210,
                   10 * (6 + 5 + 4 + 3 + 2 + 1));
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
    .source = "Sato, Fujiki and Ikeda, section 5.1",
    .published = "10 actions, 6 units: 720,000,000",
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

enum { DEPTH_1, DEPTH_2, UCT_100, UCT_1000, UCT_2000, PLAIN_2, FIG4_CELLS, FIG4_PUBLISHED = 100 };
enum { VALUE_RIGHT, FIG4_VALUE_WORK };

/* Min-Max answers the same every time: a few times are enough to time it. */
static const struct repro_cell fig4_cells[FIG4_CELLS] = {
    [DEPTH_1] =
        {"Min-Max [depth|depth {1}]", 0, {"minmax:depth=1"}, .repetitions_max = 10, .is_deterministic = true},
    [DEPTH_2] =
        {"Min-Max [depth|depth {2}]", 0, {"minmax:depth=2"}, .repetitions_max = 10, .is_deterministic = true},
    [UCT_100] = {"UCT 100", 0, {"uct:sims=100"}},
    [UCT_1000] = {"UCT 1000", 0, {"uct:sims=1000"}},
    [UCT_2000] = {"UCT 2000", 0, {"uct:sims=2000"}},
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
    const struct rows_column times = {ROWS_TIME, CELL_TIME, "[time_of| ms]",
                                      .published = (const double[]){1.0, 503, 20.0, 226, 388, 503}};
    const struct proportion few = rows_share(data, UCT_100, VALUE_RIGHT),
                            middle = rows_share(data, UCT_1000, VALUE_RIGHT),
                            many = rows_share(data, UCT_2000, VALUE_RIGHT);
    const bool wrong_1 = rows_never(data, DEPTH_1, VALUE_RIGHT),
               right_2 = rows_always(data, DEPTH_2, VALUE_RIGHT),
               right_plain = rows_always(data, PLAIN_2, VALUE_RIGHT);
    rows_add_claim(out, "[depth_wrong|Min-Max depth {1} is wrong]", wrong_1);
    rows_add_claim(out, "[depth_right|Min-Max depth {2} is right]", right_2);
    rows_add_columns(data, out, (struct rows_span){UCT_100, PLAIN_2 - UCT_100}, &rights, 1);
    rows_add_columns(data, out, (struct rows_span){0, FIG4_CELLS}, &times, 1);
    rows_add_finding(out, TESTS(test_claim(wrong_1), test_claim(right_2)), "finding.full_width_search_linear",
                     "full-width search with the linear evaluation fails at depth 1 and succeeds at depth 2");
    rows_add_finding(out, TESTS(test_shares_greater(middle, few), test_shares_greater(many, middle)),
                     "finding.uct_finds_right_action",
                     "UCT finds the right action more often the more simulations it has");
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
