// SPDX-License-Identifier: Apache-2.0
// Switches on integers of the PEs, of the counter, and of all iterations.
#include <stdio.h>

enum { N = 1003 };
static const int kLengths[] = {0, 1, 2, 3, 7, 13, 16, 17, 31, 101, N};
static int k[N], r[N];
static unsigned u[N];
static unsigned char c[N];
static double x[N];

static void start(void) {
  for (int i = 0; i < N; ++i) k[i] = i * 7 % 11 - 2, u[i] = 4294967290u + (unsigned)(i % 9), c[i] = (unsigned char)(i % 200), x[i] = i % 17, r[i] = i;
}

static void show(const char *name, int n) {
  double sum = 0;
  for (int i = 0; i < N; ++i) sum += (x[i] + 3 * r[i] + 5 * k[i] + 7 * c[i]) * (i % 13 + 1);
  printf("%s %d: %.17g\n", name, n, sum);
  start();
}

#pragma omp declare target
__attribute__((noinline)) static double chosen(int which, double of) {
  switch (which) {
    case 0:
      return of;
    case 1:
    case 5:
      return of * of;
    default:
      return -of;
    case 2:
      return of + 1;
    case 3:
      return 2 * of;
    case -1:
      return 4;
  }
}
#pragma omp end declare target

static void by_data(int n) {
#pragma omp target teams distribute parallel for map(tofrom : r) map(to : k)
  for (int i = 0; i < n; ++i) switch (k[i]) {
      case -1:
        r[i] = 5;
        break;
      case 0:
      case 7:
        r[i] = -r[i];
        break;
      case 2:
        r[i] += 3;  // and on
      case 3:
        r[i] *= 2;
        break;
      case 4 ... 6:
        r[i] = 9;
    }
  show("int", n);
#pragma omp target teams distribute parallel for map(tofrom : r) map(to : k)
  for (int i = 0; i < n; ++i) {
    int value;
    switch (k[i]) {
      case 0:
        value = 10;
        break;
      case 1:
        value = 33;
        break;
      case 2:
        value = -4;
        break;
      case 3:
        value = 8;
        break;
      case 5:
        value = 71;
        break;
      default:
        value = 2;
    }
    r[i] += value;
  }
  show("a table", n);
#pragma omp target teams distribute parallel for map(tofrom : x) map(to : k)
  for (int i = 0; i < n; ++i) x[i] += chosen(k[i], x[i] - 3);
  show("in a function", n);
#pragma omp target teams distribute parallel for map(tofrom : r) map(to : u)
  for (int i = 0; i < n; ++i) switch (u[i]) {
      case 0 ... 1:
        r[i] = 7;
        break;
      case 4294967291u ... 4294967294u:
        r[i] = 8;
        break;
      case 4294967295u:
        r[i] = 9;
    }
  show("unsigned", n);
#pragma omp target teams distribute parallel for map(tofrom : x, c)
  for (int i = 0; i < n; ++i) {
    double own = x[i];
    for (int j = 0; j < 3; ++j) switch (c[i]) {
        case 10 ... 50:
          own += j;
          break;
        case 100:
        case 103:
          own = -own;
          break;
        case 150:
          switch (k[i]) {
            case 1:
              own *= 2;
              break;
            case 2 ... 3:
              own *= 3;
          }
      }
    x[i] = own;
  }
  show("in loops, unsigned char", n);
#pragma omp target teams distribute parallel for map(tofrom : r) map(to : k)
  for (int i = 0; i < n; ++i) {
    if (k[i] == 0)
      r[i] = 3;
    else if (k[i] == 1)
      r[i] = 1;
    else if (k[i] == 2)
      r[i] = 4;
    else if (k[i] == 3)
      r[i] = 15;
    else if (k[i] == 4)
      r[i] = 92;
    else if (k[i] == 5)
      r[i] = 65;
  }
  show("comparisons", n);
}

static void alike(int n, int which) {
#pragma omp target teams distribute parallel for map(tofrom : x)
  for (int i = 0; i < n; ++i) switch (which) {
      case 0:
        x[i] += 1;
        break;
      case 1:
        x[i] *= 2;
        break;
      case 2:
        x[i] -= 3;
        break;
      case 3:
        x[i] = 4;
        break;
      case 4:
        x[i] = i;
    }
  show("of all iterations", n);
#pragma omp target teams distribute parallel for map(tofrom : x)
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < 6; ++j) switch (j) {
        case 0:
          x[i] += 1;
          break;
        case 1:
          x[i] *= 2;
          break;
        case 3:
          x[i] -= 3;
          break;
        case 4 ... 5:
          x[i] += 4;
      }
  show("of an inner loop", n);
#pragma omp target teams distribute parallel for map(tofrom : x)
  for (int i = 0; i < n; ++i) switch (i) {  // the scalar core: gcc makes it x[0], x[1] and x[1002]
      case 0:
        x[i] += 1;
        break;
      case 1:
        x[i] *= 2;
        break;
      case 1002:
        x[i] -= 3;
        break;
      default:
        x[i] += 4;
    }
  show("of the counter", n);
}

int main(void) {
  start();
  for (unsigned i = 0; i < sizeof kLengths / sizeof *kLengths; ++i) by_data(kLengths[i]), alike(kLengths[i], (int)i % 6);
  double sum = 0;
  for (int i = 0; i < N; ++i) sum += chosen(k[i], x[i]);
  printf("%g\n", sum);
}
