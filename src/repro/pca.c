/* SPDX-License-Identifier: MIT */
#include "repro/pca.h"

#include <assert.h>
#include <math.h>
#include <string.h>

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

static double off_diagonal(matrix a, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            sum += a[i][j] * a[i][j];
    return sum;
}

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
        int best = 0;
        while (taken[best])
            best++;
        for (int i = best + 1; i < n; i++)
            if (!taken[i] && a[i][i] > a[best][best])
                best = i;
        taken[best] = 1;
        out->variance[c] = a[best][best];
        out->share[c] = total > 0 ? a[best][best] / total : 0;
        copy_vector(vectors[best], out->loading[c], n);
        for (int i = 0; i < table->observations; i++)
            for (int k = 0; k < n; k++)
                out->score[i][c] += centred.x[i][k] * out->loading[c][k];
    }
}
