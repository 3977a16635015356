// SPDX-License-Identifier: Apache-2.0
// Matrices as a compiler gets them, without blocks: integer and floating-point products, a transposition with a long stride,
// an elimination with pivots. All values are small integers or halves of such, so that sums are exact.
#include <stdio.h>

#include "psim.h"

enum { N = 24, M = 64 };
static int ia[N][N], ib[N][N], ic[N][N];
static float fa[N][N], fb[N][N], fc[N][N];
static double wide[M][M], tall[M][M], system_[N][N + 1];

int main(void) {
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) {
      ia[i][j] = (i * 7 + j * 3) % 11 - 5;
      ib[i][j] = (i * 5 + j) % 13 - 6;
      fa[i][j] = (float)ia[i][j];
      fb[i][j] = (float)ib[i][j];
    }
  PSIM_REGION_BEGIN("integers", N);
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j)
      for (int k = 0; k < N; ++k) ic[i][j] += ia[i][k] * ib[k][j];
  PSIM_REGION_END("integers");
  PSIM_REGION_BEGIN("floats", N);
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j)
      for (int k = 0; k < N; ++k) fc[i][j] += fa[i][k] * fb[k][j];
  PSIM_REGION_END("floats");

  for (int i = 0; i < M; ++i)
    for (int j = 0; j < M; ++j) wide[i][j] = i * M + j;
  PSIM_REGION_BEGIN("transpose", M);
  for (int i = 0; i < M; ++i)
    for (int j = 0; j < M; ++j) tall[j][i] = wide[i][j];
  PSIM_REGION_END("transpose");

  // Unit lower times upper triangle, times 1, 2, 3, …: its elimination stays in integers.
  for (int i = 0; i < N; ++i) {
    double right = 0;
    for (int j = 0; j < N; ++j) {
      double sum = 0;
      for (int k = 0; k <= (i < j ? i : j); ++k) sum += (k == i ? 1 : (i + k) % 2) * (k == j ? 1 : (j + 2 * k) % 3 == 0);
      system_[i][j] = sum;
      right += sum * (j + 1);
    }
    system_[i][N] = right;
  }
  PSIM_REGION_BEGIN("eliminate", N);
  for (int k = 0; k < N; ++k)
    for (int i = k + 1; i < N; ++i) {
      const double factor = system_[i][k] / system_[k][k];
      if (factor == 0) continue;
      for (int j = k; j <= N; ++j) system_[i][j] -= factor * system_[k][j];
    }
  for (int i = N; i-- > 0;) {
    for (int j = i + 1; j < N; ++j) system_[i][N] -= system_[i][j] * system_[j][N];
    system_[i][N] /= system_[i][i];
  }
  PSIM_REGION_END("eliminate");

  long wrong = 0, trace = 0;
  for (int i = 0; i < N; ++i) {
    trace += ic[i][i];
    wrong += system_[i][N] != i + 1;
    for (int j = 0; j < N; ++j) wrong += fc[i][j] != (float)ic[i][j];
  }
  for (int i = 0; i < M; ++i)
    for (int j = 0; j < M; ++j) wrong += tall[j][i] != i * M + j;
  printf("matrix: trace %ld, wrong=%ld\n", trace, wrong);
  return wrong != 0;
}
