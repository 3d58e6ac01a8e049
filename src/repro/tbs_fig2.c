/* SPDX-License-Identifier: MIT
 *
 * Figure 2 of Sato, Fujiki and Ikeda (section 3.2): principal components of the rules of 17 games. The data
 * is their table 1: who moves when (one binary each for many actions a turn, real time, and turns by speed;
 * the half real time of one title counts as real time), then twelve rules that a game has or has not. The
 * paper does not say whether the variables were standardized. Both ways are computed; the standardized one
 * agrees with more of what the paper says about its picture, so that one is drawn and the other stands beside
 * it.
 */
#include "repro/pca.h"
#include "repro/plot.h"
#include "repro/rows.h"
#include "repro/tbs.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { GAMES = 17, MOVE_BITS = 3, RULES = 12, TUBSTAP = 4 };
enum { BOARD, BASIC, COMPLEX, SRPG, AFFAIRS, CLUSTERS };

static const char *const cluster_names[CLUSTERS] = {"classical board games", "basic turn-based strategy",
                                                    "complex rules", "SRPG", "domestic affairs and RTS"};

/* The paper draws the clusters by hand; who belongs where follows its text. */
static const struct {
    const char *name;
    int cluster;
    char move; /* 1: one action a turn, m: many, r: real time, s: by speed */
    /* attack, HP, terrain, affinity, production, capture, scouting, domestic affairs, zone of control,
     * layered terrain, growth, characters */
    const char *rules;
} table[GAMES] = {
    {"Chess", BOARD, '1', "............"},
    {"Shogi", BOARD, '1', "............"},
    {"Arimaa", BOARD, 'm', "............"},
    {"Gunjin Shogi", BOARD, '1', "...x........"},
    {"TUBSTAP", BASIC, 'm', "xxxx........"},
    {"Nectaris", BASIC, 'm', "xxxx.x..x..."},
    {"Gendai Daisenryaku", BASIC, 'm', "xxxxxx......"},
    {"Famicom Wars", BASIC, 'm', "xxxxxx......"},
    {"Daisenryaku EX", COMPLEX, 'm', "xxxxxxx.xx.."},
    /* The scan has thirteen marks in this row, one "has" too many before "domestic affairs"; as the title
     * stands among those without domestic affairs, the surplus mark is one of the run before it. */
    {"Advanced Daisenryaku", COMPLEX, 'm', "xxxxxxx.xxx."},
    {"Civilization V", AFFAIRS, 'm', "xxx.xxxx...."},
    {"Gihren no Yabou", AFFAIRS, 'm', "xxxxxxxx...."},
    {"Sangokushi IX", AFFAIRS, 'r', "xxxxxx.x...."},
    {"Age of Empires 2", AFFAIRS, 'r', "xxxxx.xx...."},
    {"StarCraft 2", AFFAIRS, 'r', "xxxxx.xx...."},
    {"Final Fantasy Tactics", SRPG, 's', "xxxx......xx"},
    {"Tactics Ogre", SRPG, 's', "xxxx......xx"},
};

static void make_table(struct pca_table *out) {
    *out = (struct pca_table){.observations = GAMES, .variables = MOVE_BITS + RULES};
    for (int g = 0; g < GAMES; g++) {
        assert(strlen(table[g].rules) == RULES);
        for (int i = 0; i < MOVE_BITS; i++)
            out->x[g][i] = table[g].move == "mrs"[i];
        for (int i = 0; i < RULES; i++)
            out->x[g][MOVE_BITS + i] = table[g].rules[i] == 'x';
    }
}

/* ---- where things lie ---- */

struct point {
    double x, y;
};

struct picture {
    struct point games[GAMES], clusters[CLUSTERS], basic_without_tubstap;
    double share[2];
};

/* The figure's axes may be flipped: ours are turned so that board games are left and SRPG above. */
static void orient(struct picture *p) {
    const double fx = p->clusters[BOARD].x > 0 ? -1 : 1, fy = p->clusters[SRPG].y < 0 ? -1 : 1;
    for (int g = 0; g < GAMES; g++)
        p->games[g] = (struct point){fx * p->games[g].x, fy * p->games[g].y};
}

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

static void add_centroids(struct picture *p) {
    for (int c = 0; c < CLUSTERS; c++)
        p->clusters[c] = centroid(p, c, -1);
    p->basic_without_tubstap = centroid(p, BASIC, TUBSTAP);
}

static void make_picture(int standardize, struct picture *out) {
    struct pca_table data;
    struct pca pca;
    make_table(&data);
    pca_compute(&data, standardize, &pca);
    for (int g = 0; g < GAMES; g++)
        out->games[g] = (struct point){pca.score[g][0], pca.score[g][1]};
    out->share[0] = pca.share[0];
    out->share[1] = pca.share[1];
    add_centroids(out);
    orient(out);
    add_centroids(out);
}

/* ---- what the paper says about the picture ---- */

static double distance(struct point p) {
    return sqrt(p.x * p.x + p.y * p.y);
}

static bool board_is_lower_left(const struct picture *p) {
    for (int c = 0; c < CLUSTERS; c++)
        if (c != BOARD && p->clusters[c].x <= p->clusters[BOARD].x)
            return false;
    return p->clusters[BOARD].y < 0;
}

static bool basic_is_central(const struct picture *p) {
    for (int c = 0; c < CLUSTERS; c++)
        if (c != BASIC && distance(p->clusters[c]) <= distance(p->clusters[BASIC]))
            return false;
    return true;
}

static bool tubstap_leans_to_board(const struct picture *p) {
    const double x = p->games[TUBSTAP].x;
    return p->clusters[BOARD].x < x && x < p->basic_without_tubstap.x;
}

/* Left and right, upper and lower are meant of the picture, whose middle is the mean of all games. */
static bool complex_is_upper_right(const struct picture *p) {
    return p->clusters[COMPLEX].x > 0 && p->clusters[COMPLEX].y > 0;
}

static bool srpg_is_top(const struct picture *p) {
    for (int c = 0; c < CLUSTERS; c++)
        if (c != SRPG && p->clusters[c].y >= p->clusters[SRPG].y)
            return false;
    return true;
}

static bool affairs_are_lower_right(const struct picture *p) {
    return p->clusters[AFFAIRS].x > 0 && p->clusters[AFFAIRS].y < 0;
}

static const struct {
    const char *label;
    bool (*is_seen)(const struct picture *p);
} claims[] = {
    {"board games lie lower left", board_is_lower_left},
    {"basic strategy is nearest the centre", basic_is_central},
    {"TUBSTAP lies towards the board games", tubstap_leans_to_board},
    {"complex rules lie upper right", complex_is_upper_right},
    {"SRPG lie on top", srpg_is_top},
    {"domestic affairs and RTS lie lower right", affairs_are_lower_right},
};
enum { CLAIMS = sizeof claims / sizeof claims[0] };

/* ---- the plot ---- */

/* Games with (nearly) the same rules lie on each other: the first is labelled with all their names. */
static bool is_same_place(const struct picture *p, int a, int b) {
    return fabs(p->games[a].x - p->games[b].x) < 0.05 && fabs(p->games[a].y - p->games[b].y) < 0.05;
}

static void add_names(const struct picture *p, int game, struct text *out) {
    for (int g = 0; g < game; g++)
        if (is_same_place(p, g, game))
            return;
    text_add_string(out, "\"");
    for (int g = game; g < GAMES; g++)
        if (is_same_place(p, g, game))
            text_add(out, "%s%s", g > game ? ", " : "", table[g].name);
    text_add_string(out, "\"");
}

static void add_plot(const struct picture *p, struct repro_result *out) {
    struct repro_plot *plot = plot_add(out, "scatter", "Figure 2: games by their rules");
    text_add_string(&plot->data, "game,cluster,cluster_index,x,y,drawn_label\n");
    for (int g = 0; g < GAMES; g++) {
        text_add(&plot->data, "%s,%s,%d,%.6f,%.6f,", table[g].name, cluster_names[table[g].cluster],
                 table[g].cluster, p->games[g].x, p->games[g].y);
        add_names(p, g, &plot->data);
        text_add_string(&plot->data, "\n");
    }
    struct text commands = {0}, drawing = {0};
    text_add(&commands,
             "set xlabel \"first component (%.0f%% of the variance)\"\n"
             "set ylabel \"second component (%.0f%%)\"\n"
             "set key outside bottom center horizontal reverse Left\n"
             "set offsets graph 0.05, graph 0.22, graph 0.05, graph 0.05\n"
             "set zeroaxis lc rgb \"#bbbbbb\"\n",
             100 * p->share[0], 100 * p->share[1]);
    static const char *const colours[CLUSTERS] = {"#1b6ca8", "#2a9d4b", "#c77d0a", "#b5338a", "#c0392b"};
    for (int c = 0; c < CLUSTERS; c++)
        text_add(&drawing,
                 "%s data skip 1 using (int(column(3)) == %d ? column(4) : NaN):5 with points pt %d ps 1.1 "
                 "lc rgb \"%s\" title \"%s\", \\\n",
                 c == 0 ? "plot" : "    ", c, c + 5, colours[c], cluster_names[c]);
    text_add_string(
        &drawing,
        "     data skip 1 using 4:5:6 with labels left offset 1,0 font \",11\" noenhanced notitle\n");
    plot_script(plot, text_string(&commands), text_string(&drawing));
    plot->script.failed = plot->script.failed || commands.failed || drawing.failed;
    text_done(&commands);
    text_done(&drawing);
}

/* ---- the experiment ---- */

enum { VALUE_SHARE_1, VALUE_SHARE_2, VALUE_CLAIMS };
static const char *const value_names[] = {"share_1", "share_2", "claims_seen", NULL};
static const struct repro_cell cells[] = {{.label = "standardized"}, {.label = "not standardized"}};

static int claims_seen(const struct picture *p) {
    int seen = 0;
    for (int i = 0; i < CLAIMS; i++)
        seen += claims[i].is_seen(p);
    return seen;
}

static bool run(const struct repro_task *task, struct repro_trial *out, struct err *e) {
    (void)e;
    struct picture p;
    make_picture(task->unit.cell == 0, &p);
    out->values[VALUE_SHARE_1] = p.share[0];
    out->values[VALUE_SHARE_2] = p.share[1];
    out->values[VALUE_CLAIMS] = claims_seen(&p);
    return true;
}

/* Nothing in it is random. */
static int cell_trials(const struct repro_experiment *experiment, int cell, int trials) {
    (void)experiment;
    (void)cell;
    (void)trials;
    return 1;
}

static void add_rows(const struct repro_data *data, int cell, const struct picture *p,
                     struct repro_result *out) {
    const char *ending = cell == 0 ? "" : ", not standardized";
    const double *values = rows_first(data, cell)->values;
    char label[REPRO_NAME_MAX];
    for (int i = 0; i < CLAIMS; i++) {
        rows_label(label, claims[i].label, ending);
        rows_add_claim(out, label, claims[i].is_seen(p));
    }
    rows_label(label, "variance of component 1 (%)", ending);
    rows_add_exact(out, label, REPRO_NONE, 100 * values[VALUE_SHARE_1]);
    rows_label(label, "variance of component 2 (%)", ending);
    rows_add_exact(out, label, REPRO_NONE, 100 * values[VALUE_SHARE_2]);
}

static bool finish(const struct repro_data *data, struct repro_result *out, struct err *e) {
    (void)e;
    struct picture p, plain;
    make_picture(1, &p);
    make_picture(0, &plain);
    add_rows(data, 0, &p, out);
    add_rows(data, 1, &plain, out);
    rows_add_finding(out, tubstap_leans_to_board(&p) && basic_is_central(&p),
                     "tactical TBS (TUBSTAP) lies between the classical board games and the basic turn-based "
                     "strategy games, which are in the centre");
    rows_add_finding(out, claims_seen(&p) == CLAIMS, "all five clusters lie where the paper describes them");
    add_plot(&p, out);
    return true;
}

const struct repro_experiment repro_tbs_fig2 = {
    .name = "tbs-fig2",
    .group = "tbs",
    .title = "principal components of the rules of 17 games",
    .source = "Sato, Fujiki and Ikeda, section 3.2, figure 2 and table 1",
    .published = "board games lower left, basic strategy in the centre, TUBSTAP towards the board games",
    .duration = "at once",
    .version = 2,
    .trials = 1,
    .trials_quick = 1,
    .cells = cells,
    .cell_count = sizeof cells / sizeof cells[0],
    .value_names = value_names,
    .cell_trials = cell_trials,
    .run = run,
    .finish = finish,
};
