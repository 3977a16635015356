/* SPDX-License-Identifier: Apache-2.0
 * Branches on data, minima, maxima, division, square root and other functions, with NaN and infinity among the data. */
#include <math.h>

#include "check.h"

enum { N = 517 };
static double a[N], b[N], c[N], d[N];
static float f[N], g[N], h[N];

/* NaN counts as one value. */
static void show(const char *name, const double *x) {
  double sum = 0;
  long nans = 0, infinities = 0, minus = 0;
  for (long i = 0; i < N; i++) {
    if (isnan(x[i])) nans += i;
    else if (isinf(x[i])) infinities += x[i] > 0 ? i : -2 * i;
    else sum = add(sum, x[i], (double)(i % 13 + 1)), minus += signbit(x[i]) ? i : 0;
  }
  printf("%s %.17g nan %ld inf %ld minus %ld\n", name, sum, nans, infinities, minus);
}
static void show_floats(const char *name, const float *x) {
  for (long i = 0; i < N; i++) d[i] = x[i];
  show(name, d);
}
#define LOOP _Pragma("omp target teams distribute parallel for map(to : a, b, f, g) map(tofrom : c, h)") for (int i = 0; i < N; i++)

static void all(void) {
  LOOP c[i] = a[i] > 0 ? a[i] : b[i];
  show("select", c);
  LOOP c[i] = a[i] >= b[i] ? 1.0 : -1.0;
  show("select constants", c);
  LOOP {
    if (a[i] < b[i]) c[i] = a[i];
    else c[i] = b[i] * 2;
  }
  show("if else", c);
  LOOP {
    if (a[i] != b[i]) c[i] = 100;
  }
  show("conditional store", c);
  LOOP {
    if (a[i] > 0 && b[i] > 0) c[i] = 1;
    else if (a[i] < 0 || b[i] == 3) c[i] = 2;
    else c[i] = 3;
  }
  show("and, or", c);
  LOOP {
    double t = 0;
    if (a[i] > 0) {
      if (b[i] > 0) t = a[i] * b[i];
      else if (b[i] < -20) t = a[i] - b[i];
      else t = -1;
      if (t > 100) t -= 100;
    } else {
      t = b[i] <= a[i] ? b[i] : 5;
    }
    c[i] = t;
  }
  show("nested", c);
  LOOP {
    if (!(a[i] < b[i])) c[i] = -a[i];
    if (!(a[i] <= b[i]) || !(a[i] > -10)) c[i] += 3;
  }
  show("not", c);
  LOOP {
    if (a[i] > 10) continue;
    c[i] = a[i];
  }
  show("continue", c);
  LOOP {
    const int one = a[i] > 0, two = b[i] > 0;
    c[i] = one && two ? 1 : one || two ? 2 : 3;
  }
  show("booleans", c);
  LOOP {
    const int one = a[i] > 0;
    c[i] = one ^ (b[i] > 0) ? 4 : 5;
  }
  show("exclusive or", c);
  LOOP c[i] = (a[i] > 0) + 2.0 * (b[i] > 0);
  show("booleans as numbers", c);
  LOOP c[i] = (a[i] > 0) - (a[i] < 0);
  show("sign by hand", c);
  LOOP {
    double t = a[i];
    for (int k = 0; k < 5; k++) {
      if (t > b[i]) t -= 3;
      else t += 2;
    }
    c[i] = t;
  }
  show("in an inner loop", c);
  LOOP {
    double t = a[i];
    for (int k = 0; k < 9; k++) {
      if (t > 20) break;
      t += 2;
    }
    c[i] = t;
  }
  show("break", c);
  LOOP {
    double t = a[i] > 0 ? a[i] : 1 - a[i];
    while (t > 1 && t < 1e6) t *= 0.5;
    c[i] = t;
  }
  show("while", c);
  LOOP {
    switch (i % 3) {
      case 0: c[i] = 1; break;
      case 1: c[i] = 2; break;
      default: c[i] = 3;
    }
  }
  show("switch", c);
  LOOP c[i] = fmax(a[i], b[i]) + fmin(a[i], 3);
  show("fmax, fmin", c);
  LOOP c[i] = fabs(a[i]) + copysign(2.0, b[i]);
  show("fabs, copysign", c);
  LOOP c[i] = isnan(a[i]) ? 1 : 2;
  show("isnan", c);
  LOOP c[i] = isinf(a[i]) ? 1 : 2;
  show("isinf", c);
  LOOP c[i] = signbit(a[i]) ? 1 : 2;
  show("signbit", c);
  LOOP c[i] = isgreater(a[i], b[i]) ? 1 : isunordered(a[i], b[i]) ? 3 : 2;
  show("isgreater", c);
  LOOP c[i] = a[i] == a[i] ? 1 : 2;
  show("equal to itself", c);
  LOOP c[i] = -a[i];
  show("minus", c);
  LOOP c[i] = a[i] / b[i];
  show("division", c);
  LOOP c[i] = 1 / a[i] + a[i] / 4;
  show("reciprocal", c);
  LOOP c[i] = sqrt(b[i]);
  show("sqrt", c);
  LOOP c[i] = a[i] > 0 ? sqrt(a[i]) / b[i] : 0;
  show("guarded sqrt", c);
  LOOP c[i] = floor(a[i] * 0.25) + ceil(b[i] * 0.25) + trunc(a[i] * 0.125) + rint(b[i] * 0.125) + round(a[i] * 0.0625);
  show("rounding", c);
  LOOP c[i] = fma(a[i], 3, b[i]);
  show("fma", c);
  LOOP c[i] = exp2(a[i] > 0 ? 3 : 2) + pow(2, 3) + fmod(b[i], 7);
  show("functions", c);
  LOOP c[i] = (int)(fabs(a[i]) < 1e3 ? a[i] * 0.3 + 100 : 0);
  show("to an integer and back", c);
  LOOP c[i] = (float)(a[i] * 0.1) == (float)(b[i] * 0.1) ? 1 : 0;
  show("rounded to float", c);
  LOOP c[i] = i < 100 ? a[i] : b[i];
  show("by the index", c);
  LOOP c[i] = i % 2 ? a[i] : b[i];
  show("by parity", c);
  LOOP c[i] = i == 0 || i == N - 1 ? 0 : a[i];
  show("edges", c);

  LOOP h[i] = f[i] > g[i] ? f[i] : g[i] * 2;
  show_floats("float select", h);
  LOOP {
    if (f[i] > 0 && g[i] < 10) h[i] = 7;
  }
  show_floats("float store", h);
  LOOP h[i] = f[i] / g[i] + sqrtf(g[i]);
  show_floats("float division, root", h);
  LOOP h[i] = fmaxf(f[i], g[i]) - fminf(f[i], 2) + fabsf(g[i]);
  show_floats("float extremes", h);
  LOOP h[i] = a[i] > 0 ? f[i] : (float)b[i];
  show_floats("double decides on float", h);
  LOOP c[i] = f[i] > g[i] ? a[i] : (double)f[i];
  show("float decides on double", c);
}

int main(void) {
  fill(a, N, 1), fill(b, N, 2), fill_floats(f, N, 3), fill_floats(g, N, 4);
  for (int i = 0; i < N; i++) c[i] = i, h[i] = (float)i;
  all();
  puts("with NaN and infinity");
  for (int i = 0; i < N; i += 7) a[i] = i % 2 ? NAN : INFINITY, f[i] = (float)a[i];
  for (int i = 3; i < N; i += 5) b[i] = i % 2 ? NAN : i % 4 ? -INFINITY : -0.0, g[i] = (float)b[i];
  all();
  return 0;
}
