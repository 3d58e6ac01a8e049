/* SPDX-License-Identifier: MIT
 *
 * The few operations on square matrices that ratings need. Matrices are arrays, row after row.
 */
#ifndef MATCH_MATRIX_H
#define MATCH_MATRIX_H

/* Turns the lower triangle of a positive definite matrix into its Cholesky factor. The upper triangle is not
 * looked at. */
void matrix_factor(double *a, int n);

/* Solves (L L^T) x = b in place, L from matrix_factor. */
void matrix_solve(const double *l, int n, double *x);

/* The inverse of L L^T. */
void matrix_inverse(const double *l, int n, double *out);

/* a += factor * x y^T, skipping zeros of x. */
void matrix_add_outer(double *a, int n, double factor, const double *x, const double *y);

/* out = s b s for a symmetric s; `scratch` has room for one matrix. */
void matrix_sandwich(const double *s, const double *b, int n, double *scratch, double *out);

/* Takes the mean of each row and of each column out: (I - 11^T/n) a (I - 11^T/n). */
void matrix_centre(double *a, int n);

double matrix_dot(const double *x, const double *y, int n);

/* x^T a y. */
double matrix_form(const double *x, const double *a, const double *y, int n);

#endif
