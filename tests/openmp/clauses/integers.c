/* SPDX-License-Identifier: Apache-2.0
 * Integers that each PE has of its own: arrays by the shared counter, conversions, counts and sums. */
#include <stdlib.h>

#include "check.h"

enum { N = 403 };
static int a[N], b[N], c[N];
static unsigned u[N], v[N];
static double x[N], y[N];
static float f[N];
static void show(const char* what, const int* of) {
  unsigned sum = 0;
  for (int i = 0; i < N; i++) sum = sum * 31 + (unsigned)of[i];
  printf("%s %08x\n", what, sum);
}
#define LOOP _Pragma("omp target teams distribute parallel for map(tofrom : a, b, c, u, v, x, y, f)") for (int i = 0; i < N; i++)

int main(void) {
  for (int i = 0; i < N; i++) {
    a[i] = (i * 7919) % 1001 - 500, b[i] = (i * 104729) % 97 - 48;
    u[i] = (unsigned)i * 2654435761u, v[i] = ((unsigned)i * 40503u) % 1000 + 1, x[i] = (i % 37) * 1.75 - 20;
  }
  LOOP c[i] = a[i] + b[i];
  show("sum", c);
  LOOP c[i] = a[i] * b[i] - 3 * a[i];
  show("product", c);
  LOOP c[i] = i;
  show("index", c);
  LOOP c[i] = i % 7 + (i * i) % 13 - i / 5;
  show("what is not linear in the index", c);
  LOOP c[i] = b[i] ? a[i] / b[i] : a[i];
  show("quotient", c);
  LOOP c[i] = a[i] % 17 + a[i] / -9 + a[i] % b[0];
  show("remainder", c);
  LOOP c[i] = (a[i] >> 3) + (a[i] << 4) + (a[i] & 0x55) + (a[i] | b[i]) + (a[i] ^ b[i]) + ~a[i];
  show("bits", c);
  LOOP v[i] = u[i] * 2246822519u + (u[i] >> 13) - v[i];
  show("unsigned", (int*)v);
  LOOP v[i] = u[i] % (v[i] | 1) + u[i] / 10u + u[i] * v[i];
  show("unsigned quotient", (int*)v);
  LOOP y[i] = a[i] * 0.5 + u[i];
  SHOW("to double", y, N);
  LOOP f[i] = (float)u[i] - 1;
  SHOW_FLOATS("to float", f, N);
  LOOP c[i] = (int)x[i];
  show("from double", c);
  LOOP c[i] = (int)(x[i] * a[i]) + (int)(unsigned)(y[i] + 20000);
  show("from products", c);
  LOOP c[i] = a[i] > b[i] ? a[i] : -b[i];
  show("selection", c);
  LOOP c[i] = (a[i] > 0) + (x[i] < 3) + (a[i] > 0 && b[i] < 0);
  show("booleans", c);
  LOOP y[i] = 1 / (double)(0 * -a[i]) > 0 ? 1 : 2;
  SHOW("no zero with a sign", y, N);
  LOOP {
    int s = 0;
    for (int k = 0; k < 10; k++)
      if (a[i] > k * 50) s += k;
    c[i] = s;
  }
  show("in an inner loop", c);
  LOOP {
    if (a[i] % 2 == 0) c[i] = a[i];
    else if (i % 3 == 1) c[i] = -1;
  }
  show("branches", c);
  LOOP x[i] = (i % 5) * 2.0 + (double)((i * 3 + 1) % 11) / 11;
  SHOW("initial values", x, N);
  LOOP c[i] = abs(a[i] - b[i]);
  show("abs", c);
  LOOP {
    int best = 0;
    for (int k = 1; k < 9; k++)
      if ((a[i] * k) % 31 > (a[i] * best) % 31) best = k;
    c[i] = best;
  }
  show("place of the largest", c);
  LOOP c[i] = (long)a[i] > 3L * b[0] ? a[i] : i;
  show("long between", c);
  int sum = 0, count = 0, least = 2147483647, most = -2147483647 - 1, product = 1, any = 0;
  unsigned whole = 3;
#define OVER for (int i = 0; i < N; i++)
#pragma omp target teams distribute parallel for map(to : a, b) reduction(+ : sum)
  OVER sum += a[i] * b[i];
#pragma omp target teams distribute parallel for map(to : a, x) reduction(+ : count)
  OVER if (x[i] > 4 && a[i] > 0) count++;
#pragma omp target teams distribute parallel for map(to : a, b) reduction(min : least) reduction(max : most)
  OVER {
    if (a[i] < least) least = a[i];
    most = most > b[i] ? most : b[i];
  }
#pragma omp target teams distribute parallel for map(to : u) reduction(+ : whole)
  OVER whole += u[i];
#pragma omp target teams distribute parallel for map(to : a) reduction(* : product)
  OVER product *= a[i] > 495 ? -2 : 1;
  printf("reductions %d %d %d %d %u %d\n", sum, count, least, most, whole, product);
  int none = 0, every = 1, some = 1, ors = 16, ands = -1, xors = 5;
#pragma omp target teams distribute parallel for map(to : a) reduction(|| : any, none)
  OVER any = any || a[i] == 7, none = none || a[i] > 600;
#pragma omp target teams distribute parallel for map(to : a) reduction(&& : every, some)
  OVER every = every && a[i] < 600, some = some && a[i] != 7;
#pragma omp target teams distribute parallel for map(to : a) reduction(| : ors)
  OVER ors |= a[i] & 0x25;
#pragma omp target teams distribute parallel for map(to : a, b) reduction(& : ands)
  OVER ands &= a[i] | 0x1003;
#pragma omp target teams distribute parallel for map(to : a) reduction(^ : xors)
  OVER xors ^= a[i];
  printf("bits %d %d %d %d %d %d %d\n", any, none, every, some, ors, ands, xors);
  return 0;
}
