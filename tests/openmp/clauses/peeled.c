/* SPDX-License-Identifier: Apache-2.0
 * Loops whose first or last iterations differ: neighbours that wrap around, conditions on the index, its minimum and maximum. */
#include "check.h"

enum { N = 203, R = 37, M = 24 };
static double x[N], y[N], t[R * R], p[R * R], o[R * R], rows[N][M];
static float f[N], g[N];

#define TARGET _Pragma("omp target teams distribute parallel for map(to : x, f, t, p) map(tofrom : y, g, o, rows)")

static void wrapped(int n, unsigned u, long m) {
  TARGET for (int i = 0; i < N; i++) y[i] = x[(i + 1) % N] - x[(i + N - 1) % N];
  SHOW("neighbours in a ring", y, N);
  TARGET for (int i = 0; i < n; i++) y[i] += x[(i + n - 2) % n] + x[(i + 3) % n];
  SHOW("a ring of a length that is a variable", y, N);
  TARGET for (unsigned i = 0; i < u; i++) y[i] -= x[(i + 1) % u];
  SHOW("an unsigned ring", y, N);
  TARGET for (long i = 0; i < m; i++) y[(i + 5) % m] += x[i];
  SHOW("written around the end", y, N);
  TARGET for (int i = 0; i < 128; i++) y[i] += x[(i + 4) & 127];
  SHOW("a ring of a power of two", y, N);
  TARGET for (int i = 0; i < n; i++) y[i] += x[(n - 1 - i + n / 2) % n];
  SHOW("half of a ring, backwards", y, N);
  TARGET for (int i = 0; i < N; i++) g[i] = f[(i + 1) % N] + f[(i + N - 1) % N];
  SHOW_FLOATS("a ring of floats", g, N);
  TARGET for (int i = 0; i < n; i++) y[i] += x[i % 3]; /* the scalar core */
  SHOW("remainders that change often", y, N);
  TARGET for (int i = 0; i < n; i++) y[i] += x[i % n] + (i + 2) % n; /* a remainder as a number: the scalar core */
  SHOW("a remainder as a number", y, N);
}

static void conditions(int n) {
  TARGET for (int i = 0; i < n; i++) y[i] = i > 0 ? x[i - 1] : x[n - 1];
  SHOW("the first differs", y, N);
  TARGET for (int i = 0; i < n; i++) y[i] = (i > 0 ? x[i - 1] : 0) + (i < n - 1 ? x[i + 1] : 7);
  SHOW("both ends differ", y, N);
  TARGET for (int i = 0; i < n; i++)
    if (i >= 2 && i < n - 2) y[i] = x[i - 2] + x[i + 2];
  SHOW("inside only", y, N);
  TARGET for (int i = 0; i < n; i++) {
    if (i == 0 || i == n - 1)
      y[i] = -1;
    else
      y[i] = x[i - 1] * x[i + 1];
  }
  SHOW("ends are set", y, N);
  TARGET for (int i = 0; i < n; i++)
    if (i != 3) y[i] += 1;
  SHOW("all but one", y, N);
  TARGET for (int i = n - 1; i >= 0; i--) y[i] += i < 5 ? 2 : x[i];
  SHOW("downwards", y, N);
  double s = 0;
#pragma omp target teams distribute parallel for map(to : x) reduction(+ : s)
  for (int i = 0; i < n; i++) s += i > 4 ? x[i] : 1;
  printf("a sum whose start differs %.17g\n", s);
  TARGET for (int i = 0; i < n; i++)
    for (int j = 0; j < M; j++) rows[i][j] = (i > 0 ? x[i - 1] : 3) * j + (j > 2 ? 1 : i);
  SHOW("around an inner loop", &rows[0][0], N * M);
  TARGET for (int i = 0; i < n; i++) y[i] = i < n / 2 ? x[i] : -x[i];
  SHOW("half and half", y, N);
  TARGET for (int i = 0; i < n; i++) y[i] = i % 2 ? x[i] : -x[i]; /* the scalar core */
  SHOW("every second", y, N);
}

static void extremes(int n) {
  TARGET for (int i = 0; i < n; i++) {
    const int before = i - 1 > 0 ? i - 1 : 0, after = i + 1 < n - 1 ? i + 1 : n - 1;
    y[i] = x[before] + 2 * x[after];
  }
  SHOW("indices that stop at the ends", y, N);
  TARGET for (int i = 0; i < n; i++) g[i] = f[i < 9 ? i : i]; 
  SHOW_FLOATS("no difference", g, N);
}

static void grid(void) {
#pragma omp target teams distribute parallel for collapse(2) map(to : t, p) map(from : o)
  for (int r = 0; r < R; r++)
    for (int c = 0; c < R; c++) {
      const double n = r > 0 ? t[(r - 1) * R + c] : t[r * R + c], s = r < R - 1 ? t[(r + 1) * R + c] : t[r * R + c];
      const double w = c > 0 ? t[r * R + c - 1] : t[r * R + c], e = c < R - 1 ? t[r * R + c + 1] : t[r * R + c];
      o[r * R + c] = t[r * R + c] + 0.5 * (p[r * R + c] + (n + s - 2 * t[r * R + c]) * 0.25 + (e + w - 2 * t[r * R + c]) * 0.25);
    }
  SHOW("a grid with borders", o, R * R);
}

int main(void) {
  fill(x, N, 3), fill(t, R * R, 4), fill(p, R * R, 5), fill_floats(f, N, 6), fill(y, N, 7);
  wrapped(150, 101, 120);
  for (int n = 0; n <= N; n += n < 20 ? 1 : 61) conditions(n), extremes(n);
  grid();
  return 0;
}
