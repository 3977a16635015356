/* SPDX-License-Identifier: Apache-2.0
 * Inner loops whose length depends on another inner counter, loops that count down or in steps with unsigned counters, and
 * several planes of one array. */
#include "check.h"

enum { N = 41, M = 35, Q = 9 };
static double l[N][N], b[N][M], c[M][N], u[Q][M][N], v[Q][M][N], x[7 * N + 5];

#define TARGET _Pragma("omp target teams distribute parallel for map(to : l, u) map(tofrom : b, c, v, x)")

static void triangles(int n) {
  TARGET for (int j = 0; j < M; j++)
    for (int i = 0; i < n; i++) {
      double t = b[i][j];
      for (int k = 0; k < i; k++) t -= l[i][k] * b[k][j];
      b[i][j] = t * 0.5;
    }
  SHOW("forward", &b[0][0], N * M);
  TARGET for (int j = 0; j < M; j++)
    for (int i = n - 1; i >= 0; i--) {
      double t = b[i][j];
      for (int k = i + 1; k < n; k++) t -= l[k][i] * b[k][j];
      b[i][j] = t - 1;
    }
  SHOW("backward", &b[0][0], N * M);
  TARGET for (int i = 0; i < M; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k <= j; k++) c[i][j] += l[j][k] * c[i][k];
  SHOW("rows", &c[0][0], N * M);
  TARGET for (int i = 0; i < M; i++)
    for (int j = 0; j < n; j += 2)
      for (int k = j; k < n; k++) c[i][k] -= l[j][k];
  SHOW("upper", &c[0][0], N * M);
  TARGET for (int i = 0; i < M; i++)
    for (int j = 0; j < n; j++) {
      double s = 0;
      for (int k = j; k >= 0; k--)
        for (int m = 0; m < k; m++) s += l[k][m];
      c[i][j] += s;
    }
  SHOW("three deep", &c[0][0], N * M);
  TARGET for (int i = 0; i < n; i++) {
    double s = 0;
    for (int k = 0; k <= i; k++) s += l[i][k];
    x[i] += s;
  }
  SHOW("by the shared counter", x, 7 * N + 5);
}

static void counters(unsigned n) {
  TARGET for (unsigned i = 3; i < 7 * N + 5u; i += 7) x[i] *= -1;
  SHOW("unsigned, in steps", x, 7 * N + 5);
  TARGET for (unsigned i = n; i > 0; i--) x[i - 1] += 2;
  SHOW("unsigned, down", x, 7 * N + 5);
  TARGET for (unsigned i = n; i > 4; i -= 4) x[i] = x[i] * 3 - 1;
  SHOW("unsigned, down in steps", x, 7 * N + 5);
  TARGET for (unsigned i = 2; i < n; i++) x[2 * i + (0u - 3u)] = i * 0.5;
  SHOW("unsigned, with a number that wraps around", x, 7 * N + 5);
}

static void planes(void) {
  TARGET for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      double s = 0;
      for (int q = 0; q < Q; q++) s += u[q][i][j];
      for (int q = 0; q < Q; q++) v[q][i][j] = u[q][i][j] - s;
    }
  SHOW("planes", &v[0][0][0], Q * M * N);
  TARGET for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) v[0][i][j] = v[3][i][j] + v[5][i][N - 1 - j];
  SHOW("planes of one array", &v[0][0][0], Q * M * N);
}

int main(void) {
  fill(&l[0][0], N * N, 1), fill(&b[0][0], N * M, 2), fill(&c[0][0], N * M, 3), fill(&u[0][0][0], Q * M * N, 4);
  fill(&v[0][0][0], Q * M * N, 5), fill(x, 7 * N + 5, 6);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) l[i][j] = (i + j) % 16 == 0;
  triangles(N), triangles(1), triangles(0), triangles(2), counters(100), counters(3), counters(0), planes();
  return 0;
}
