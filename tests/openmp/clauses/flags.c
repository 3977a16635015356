// SPDX-License-Identifier: Apache-2.0
// Integers of 8 and 16 bits and truth values that iterations store under conditions on data, and flags that they set.
#include <stdbool.h>
#include <stdio.h>

enum { N = 1003 };
static const int kLengths[] = {0, 1, 2, 3, 7, 8, 13, 16, 17, 31, 101, N};
static unsigned char c[N];
static signed char d[N];
static short s[N];
static unsigned short u[N];
static bool b[N], v[N];
static double x[N];
static int k[N];

static void start(void) {
  for (int i = 0; i < N; ++i) {
    c[i] = (unsigned char)(i % 251), d[i] = (signed char)i, s[i] = (short)(i * 7), u[i] = (unsigned short)(60000 + i);
    b[i] = i % 3 == 0, v[i] = i % 7 == 0, x[i] = i % 17, k[i] = i % 5;
  }
}

static void show(const char *name, int n) {
  long sum = 0;
  for (int i = 0; i < N; ++i) sum += (i % 31 + 1) * (c[i] + 3L * s[i] + 5 * b[i] + 7 * d[i] + 11 * u[i] + 13 * v[i] + 17 * k[i] + (long)x[i]);
  printf("%s %d: %ld\n", name, n, sum);
  start();
}

static void conditions(int n) {
#pragma omp target teams distribute parallel for map(tofrom : c) map(to : x, k)
  for (int i = 0; i < n; ++i)
    if (x[i] > 8) c[i] = (unsigned char)(c[i] + k[i]);
  show("unsigned char", n);
#pragma omp target teams distribute parallel for map(tofrom : s, d, u) map(to : x, k)
  for (int i = 0; i < n; ++i)
    if (k[i] == 2) {
      s[i] = (short)(k[i] * 3 - s[i]);
      u[i] = 65535;
    } else if (x[i] < 3) {
      s[i] = -1;
      d[i] = (signed char)(d[i] + 1);
    }
  show("else", n);
#pragma omp target teams distribute parallel for map(tofrom : c, d, b)
  for (int i = 0; i < n; ++i)
    if (b[i]) b[i] = false, d[i] = 5, c[i] = 9;
  show("truth values", n);
#pragma omp target teams distribute parallel for map(tofrom : s) map(to : k)
  for (int i = 0; i < n; ++i) {
    s[i] = 3;
    if (k[i] > 1) s[i] = 5;
    if (k[i] > 3) s[i] = (short)(s[i] + k[i]);
  }
  show("one after the other", n);
}

static void flags(int n) {
  bool stop = false, all = true, none = true, never = false, old = true;
#pragma omp target parallel for map(tofrom : stop, b, v)
  for (int i = 0; i < n; ++i)
    if (b[i]) {
      v[i] = true;
      stop = true;
      b[i] = false;
    }
  printf("%d\n", stop);
  show("a flag", n);
#pragma omp target parallel for map(tofrom : all, none, never, old, x)
  for (int i = 0; i < n; ++i) {
    if (x[i] < 0) all = false, old = true;
    if (k[i] == 4) none = false;
    if (k[i] < 0) never = true;
    x[i] += 1;
  }
  printf("%d %d %d %d\n", all, none, never, old);
  show("flags", n);
#pragma omp target teams distribute parallel for map(tofrom : never, x)
  for (int i = 0; i < n; ++i) {
    x[i] += 1;
    if (i == 7) never = true;
  }
  printf("%d\n", never);
  show("of one iteration", n);
  stop = false;
#pragma omp target parallel for map(tofrom : stop, x)
  for (int i = 0; i < n; ++i) {  // two values: the scalar core
    if (x[i] > 12) stop = true;
    if (x[i] < 2) stop = false;
    x[i] += 1;
  }
  printf("%d\n", stop);
  show("two values", n);
}

int main(void) {
  start();
  for (unsigned i = 0; i < sizeof kLengths / sizeof *kLengths; ++i) conditions(kLengths[i]), flags(kLengths[i]);
}
