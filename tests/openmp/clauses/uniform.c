/* SPDX-License-Identifier: Apache-2.0
 * Arithmetic with the counters of inner loops, which are the same on all PEs. */
#include "check.h"

enum { N = 67, M = 24 };
static double a[N][M], b[N][M], c[N][M], weights[3] = {1, -2, 0.5};
static int order[M];

int main(void) {
  fill(&a[0][0], N * M, 1), fill(&b[0][0], N * M, 2);
  for (int k = 0; k < M; k++) order[k] = k * 7 % M;
#pragma omp target teams distribute parallel for map(to : a, weights) map(from : c)
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++) c[i][j] = a[i][j / 2] * weights[j % 3];
  SHOW("half, and modulo 3", &c[0][0], N * M);
#pragma omp target teams distribute parallel for map(to : a, b) map(tofrom : c)
  for (int i = 0; i < N; i++)
    for (unsigned j = 0; j < M; j++) c[i][j] += a[i][j & 7] - b[i][j >> 1] + a[i][(j * 3 + 1) % 5];
  SHOW("bits", &c[0][0], N * M);
#pragma omp target teams distribute parallel for map(to : a) map(tofrom : c)
  for (int i = 0; i < N; i++)
    for (int j = M - 1; j >= 0; j--) c[i][j] -= a[i][M - 1 - j / 3] * 2;
  SHOW("a third, downwards", &c[0][0], N * M);
#pragma omp target teams distribute parallel for map(to : a, order) map(tofrom : c)
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++) c[i][j] += a[i][order[j] & 15];
  SHOW("bits of a loaded integer", &c[0][0], N * M);
#pragma omp target teams distribute parallel for map(tofrom : c)
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++) c[i][j] += i + j % 4;
  SHOW("as a number", &c[0][0], N * M);
#pragma omp target teams distribute parallel for map(tofrom : c)
  for (int i = 0; i < N; i++)
    for (int j = 0; j < 2 * M; j++) c[i][j / 2] += j;
  SHOW("written twice", &c[0][0], N * M);
#pragma omp target teams distribute parallel for map(to : a) map(tofrom : c)
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++) c[i][j] += a[i / 2][j]; /* the shared counter: the scalar core */
  SHOW("half of the shared counter", &c[0][0], N * M);
  return 0;
}
