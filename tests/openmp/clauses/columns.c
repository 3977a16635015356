/* SPDX-License-Identifier: Apache-2.0
 * Columns of matrices that are stored by rows: each PE has its part of every row. */
#include "check.h"

enum { N = 200, M = 37 };
static double a[N][N], x[N], y[N], narrow[M][N];
static float f[N][N], g[N];

static void product(int rows, int columns, double m[restrict rows][columns], const double *restrict v, double *restrict to) {
#pragma omp target teams distribute parallel for map(to : m[0 : rows], v[0 : rows]) map(from : to[0 : columns])
  for (int j = 0; j < columns; j++) {
    double sum = 0;
    for (int i = 0; i < rows; i++) sum += m[i][j] * v[i];
    to[j] = sum;
  }
}

static void update(int rows, int columns, double m[restrict rows][columns], const double *restrict v) {
#pragma omp target teams distribute parallel for map(tofrom : m[0 : rows]) map(to : v[0 : columns])
  for (int j = 0; j < columns; j++)
    for (int i = 1; i < rows; i++) m[i][j] += v[j] * i;
}

int main(void) {
  fill(&a[0][0], N * N, 1), fill(x, N, 2), fill(&narrow[0][0], M * N, 4), fill_floats(&f[0][0], N * N, 3);
#pragma omp target teams distribute parallel for map(to : a, x) map(from : y)
  for (int j = 0; j < N; j++) {
    double sum = 0;
    for (int i = 0; i < N; i++) sum += a[i][j] * x[i];
    y[j] = sum;
  }
  SHOW("product with columns", y, N);
  product(M, N, narrow, x, y);
  SHOW("variable shape", y, N);
  update(M, N, narrow, x);
  SHOW("update", &narrow[0][0], M * N);
  for (int columns = 0; columns < N; columns += 33) {
    product(M, columns, narrow, x, y); /* a row stride that is not always a multiple of 8 elements */
    SHOW("some columns", y, N);
    update(M, columns, narrow, x);
    SHOW("some columns", &narrow[0][0], M * N);
  }
  product(0, N, narrow, x, y);
  SHOW("no rows", y, N);
  product(1, N, narrow, x, y);
  SHOW("one row", y, N);
  update(1, N, narrow, x);
  SHOW("no inner iterations", &narrow[0][0], M * N);
#pragma omp target teams distribute parallel for map(to : f) map(from : g)
  for (int j = 0; j < N; j++) {
    float sum = 0;
    for (int i = 0; i < N; i++) sum += f[i][j];
    g[j] = sum;
  }
  SHOW_FLOATS("floats", g, N);
#pragma omp target teams distribute parallel for map(tofrom : a)
  for (int j = 1; j < N - 1; j++)
    for (int i = 0; i < M; i++) a[i][j] = a[i + M][j - 1] + a[i + M][j + 1]; /* one array, two parts: the scalar core */
  SHOW("parts of one array", &a[0][0], N * N);
#pragma omp target teams distribute parallel for map(to : a) map(from : narrow)
  for (int j = 1; j < N - 1; j++)
    for (int i = 0; i < M; i++) narrow[i][j] = a[i][j - 1] + 2 * a[i][j] + a[i][j + 1];
  SHOW("neighbours in a row", &narrow[0][0], M * N);
#pragma omp target teams distribute parallel for map(to : a) map(from : narrow)
  for (int j = 0; j < N; j++)
    for (int i = 1; i < M - 1; i++) narrow[i][j] = a[i - 1][j] + a[i + 1][j];
  SHOW("neighbours in a column", &narrow[0][0], M * N);
#pragma omp target teams distribute parallel for map(tofrom : narrow)
  for (int j = N - 1; j >= 0; j--)
    for (int i = 0; i < M; i++) narrow[i][j] *= 2;
  SHOW("downwards", &narrow[0][0], M * N);
#pragma omp target teams distribute parallel for map(tofrom : narrow)
  for (int j = 0; j < N; j++)
    for (int i = M - 1; i >= 0; i--) narrow[i][j] -= 1;
  SHOW("rows from below", &narrow[0][0], M * N);
#pragma omp target teams distribute parallel for map(tofrom : a)
  for (int j = 0; j < N; j++)
    for (int i = 1; i < N; i++) a[i][j] = a[i - 1][j] * 0.5 + a[i][j]; /* each column by itself */
  SHOW("scan of columns", &a[0][0], N * N);
#pragma omp target teams distribute parallel for map(to : a) map(tofrom : narrow)
  for (int j = 0; j < N; j++) {
    for (int i = 0; i < M; i++) narrow[i][j] += a[i][j];
    for (int i = 0; i < M; i += 2) narrow[i][j] -= a[3][j];
    double least = 1e30;
    for (int i = 0; i < M; i++)
      if (narrow[i][j] < least) least = narrow[i][j];
    narrow[0][j] = least;
  }
  SHOW("several loops over rows", &narrow[0][0], M * N);
  return 0;
}
