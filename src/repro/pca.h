/* SPDX-License-Identifier: MIT
 *
 * Principal components of a small table, by Jacobi's eigenvalue method. The sign of a component is arbitrary
 * in theory; here its largest loading (the first of those) is positive, so that results can be compared.
 */
#ifndef REPRO_PCA_H
#define REPRO_PCA_H

enum { PCA_VARIABLES_MAX = 20, PCA_OBSERVATIONS_MAX = 40 };

struct pca_table {
    int observations, variables;
    double x[PCA_OBSERVATIONS_MAX][PCA_VARIABLES_MAX];
};

struct pca {
    double variance[PCA_VARIABLES_MAX];                    /* of the components, largest first */
    double share[PCA_VARIABLES_MAX];                       /* of the whole variance */
    double loading[PCA_VARIABLES_MAX][PCA_VARIABLES_MAX];  /* [component][variable], unit length */
    double score[PCA_OBSERVATIONS_MAX][PCA_VARIABLES_MAX]; /* [observation][component] */
};

/* Of the covariance matrix, or with `standardize` of the correlation matrix (a variable that is the same in
 * all observations counts as zero then). At least two observations. */
void pca_compute(const struct pca_table *table, int standardize, struct pca *out);

#endif
