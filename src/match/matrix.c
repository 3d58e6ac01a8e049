/* SPDX-License-Identifier: MIT */
#include "match/matrix.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

double matrix_dot(const double *x, const double *y, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

double matrix_form(const double *x, const double *a, const double *y, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        if (x[i] < 0 || x[i] > 0)
            sum += x[i] * matrix_dot(a + (size_t)i * n, y, n);
    return sum;
}

void matrix_factor(double *a, int n) {
    for (int i = 0; i < n; i++) {
        double *row = a + (size_t)i * n;
        for (int j = 0; j < i; j++) {
            const double *other = a + (size_t)j * n;
            row[j] = (row[j] - matrix_dot(row, other, j)) / other[j];
        }
        const double rest = row[i] - matrix_dot(row, row, i);
        assert(rest > 0); /* the prior makes it so */
        row[i] = sqrt(rest);
    }
}

void matrix_solve(const double *l, int n, double *x) {
    for (int i = 0; i < n; i++)
        x[i] = (x[i] - matrix_dot(l + (size_t)i * n, x, i)) / l[(size_t)i * n + i];
    for (int i = n - 1; i >= 0; i--) {
        const double *row = l + (size_t)i * n;
        x[i] /= row[i];
        for (int j = 0; j < i; j++)
            x[j] -= row[j] * x[i];
    }
}

void matrix_inverse(const double *l, int n, double *out) {
    memset(out, 0, sizeof *out * (size_t)n * n);
    for (int i = 0; i < n; i++) { /* symmetric: the rows are the columns */
        out[(size_t)i * n + i] = 1;
        matrix_solve(l, n, out + (size_t)i * n);
    }
}

void matrix_add_outer(double *a, int n, double factor, const double *x, const double *y) {
    for (int i = 0; i < n; i++) {
        if (!(x[i] < 0 || x[i] > 0))
            continue;
        const double f = factor * x[i];
        double *row = a + (size_t)i * n;
        for (int j = 0; j < n; j++)
            row[j] += f * y[j];
    }
}

static void multiply(const double *a, const double *b, int n, double *out) {
    memset(out, 0, sizeof *out * (size_t)n * n);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            const double f = a[(size_t)i * n + k];
            const double *from = b + (size_t)k * n;
            double *to = out + (size_t)i * n;
            for (int j = 0; j < n; j++)
                to[j] += f * from[j];
        }
}

void matrix_sandwich(const double *s, const double *b, int n, double *scratch, double *out) {
    multiply(s, b, n, scratch);
    multiply(scratch, s, n, out);
}

/* Elements of a line are `step` apart. */
static void centre_line(double *line, int n, size_t step) {
    double mean = 0;
    for (int i = 0; i < n; i++)
        mean += line[i * step] / n;
    for (int i = 0; i < n; i++)
        line[i * step] -= mean;
}

void matrix_centre(double *a, int n) {
    for (int row = 0; row < n; row++)
        centre_line(a + (size_t)row * n, n, 1);
    for (int column = 0; column < n; column++)
        centre_line(a + column, n, n);
}
