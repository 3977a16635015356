/* SPDX-License-Identifier: Apache-2.0
 * Inner loops whose length depends on the shared counter. All PEs execute them until the last is done. */
#include "check.h"

enum { N = 43, M = 37 };
static double a[N][N], b[N][N], c[N][N], x[2 * N], y[2 * N];
static float f[N][N + 1];

#define TARGET _Pragma("omp target teams distribute parallel for map(to : a, x) map(tofrom : b, c, y, f)")

static void show(const char *name) {
  printf("%s: ", name);
  SHOW("b", &b[0][0], N * N), SHOW("c", &c[0][0], N * N), SHOW("y", y, 2 * N);
  SHOW_FLOATS("f", &f[0][0], N * (N + 1));
  fill(&b[0][0], N * N, 2), fill(&c[0][0], N * N, 3), fill(y, 2 * N, 4), fill_floats(&f[0][0], N * (N + 1), 5);
}

static void longer(int n) { /* the next iteration has more steps */
  TARGET for (int i = 0; i < n; i++) {
    double s = 0;
    for (int k = 0; k <= i; k++) s += a[i][k];
    y[i] += s;
  }
  show("sum");
  TARGET for (int i = 0; i < n; i++) {
    double s = y[i];
    for (int k = 0; k < i; k++) s -= a[i][k] * x[k];
    y[i] = s * 0.5;
  }
  show("not in the first iteration");
  TARGET for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      double s = 0;
      for (int k = 0; k < n; k++) s += a[i][k] * a[j][k];
      c[i][j] = 2 * s + c[i][j];
    }
  show("product");
  TARGET for (int i = 0; i < n; i++)
    for (int j = 0; j < 2 * i + 1; j++) y[i] += x[j % 4] + j;
  show("two more");
  TARGET for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) f[i][j] = f[i][j] * 2 + 1;
  show("float");
  TARGET for (int i = 0; i < n; i++)
    for (int j = i; j >= 0; j--) c[i][j] += b[i][j] * x[j];
  show("down");
  TARGET for (int i = 0; i < n; i++)
    for (int j = i - 1; j >= 0; j -= 2) c[j][i] += x[j] + i;
  show("down by two");
}

static void shorter(int n) { /* and fewer */
  TARGET for (int i = 0; i < n; i++)
    for (int j = i; j < n; j++) b[i][j] += a[i][j] * x[j] + j;
  show("upper");
  TARGET for (int i = 0; i < n; i++) {
    double s = 0;
    for (int k = i + 1; k < n; k++) s += a[k][i] * x[k];
    y[i] = s;
  }
  show("columns");
  TARGET for (int i = 0; i < n; i++)
    for (int k = i + 1; k < n; k++) b[k][i] += a[k][i] * c[k][i];
  show("columns that are written");
  TARGET for (int i = 0; i < n; i++)
    for (int k = n - 1; k >= i; k--) b[k][i] -= x[k];
  show("columns, down");
  TARGET for (int i = 0; i < n; i++)
    for (int j = 0; j < n - i; j++) c[i][j] = a[i][j] + i * 0.5;
  show("from the left");
  TARGET for (int i = n - 1; i >= 0; i--)
    for (int j = 0; j <= i; j++) c[i][j] += j;
  show("shared loop down");
  TARGET for (int i = 1; i < n; i += 3)
    for (int j = i; j < n; j++) c[i][j] += b[i][j] * (j - i);
  show("in steps");
}

static void nested(int n) {
  TARGET for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double s = 0;
      for (int k = 0; k <= i; k++) s += a[i][k] * b[k][j];
      for (int k = i + 1; k < n; k++) s += a[k][i] * b[k][j];
      c[i][j] = s + c[i][j];
    }
  show("two in one");
  TARGET for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      for (int k = j; k <= i; k++) c[i][j] += x[k];
  show("one in one");
  TARGET for (int i = 0; i < n; i++)
    for (int j = 0; j < 3; j++)
      for (int k = j; k < i + 2; k++) y[i] += x[k] * j;
  show("of both counters");
  TARGET for (int i = 0; i < n; i++)
    for (int j = 0; j < i + 1; j++)
      if (a[i][j] > 0)
        c[i][j] = a[i][j];
      else
        y[i] -= 1;
  show("with a condition");
  double total = 0, most = -1e9;
#pragma omp target teams distribute parallel for map(to : a) reduction(+ : total) reduction(max : most)
  for (int i = 0; i < n; i++)
    for (int j = i; j < n; j++) {
      total += a[i][j];
      most = a[j][i] > most ? a[j][i] : most;
    }
  printf("reductions %g %g\n", total, most);
  TARGET for (int i = 0; i < n; i++) {
    double p = 1, q = 0;
    for (int k = 2 * i; k > i; k--) q = p + x[k], p = q - x[k] + 1;
    y[i] = p;
  }
  show("both ends move");
  TARGET for (int i = 0; i < n; i++)
    for (int j = i < 5 ? i : 5; j < i + 1; j++) c[i][j] += 1;
  show("a band");
}

int main(void) {
  fill(&a[0][0], N * N, 1), fill(x, 2 * N, 6);
  fill(&b[0][0], N * N, 2), fill(&c[0][0], N * N, 3), fill(y, 2 * N, 4), fill_floats(&f[0][0], N * (N + 1), 5);
  longer(N), shorter(N), nested(N);
  longer(17), shorter(M), nested(M);
  longer(1), shorter(1), nested(1), longer(0), shorter(2), nested(0);
  return 0;
}
