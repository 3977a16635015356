// SPDX-License-Identifier: Apache-2.0
// Integers of 8 and 16 bits.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 1003 };
static signed char c[N + 8], d[N + 8];
static unsigned char u[N + 8], v[N + 8];
static short s[N + 8];
static unsigned short w[N + 8];
static int k[N];
static double x[N];
static struct {
  short a, b, c, d;
} p[N];

static void start(void) {
  for (int i = 0; i < N + 8; ++i) c[i] = i * 37, d[i] = 100 - i, u[i] = i * 91, v[i] = i * i, s[i] = i * 7919, w[i] = i * 13007;
  for (int i = 0; i < N; ++i) k[i] = i * 7 - 3000, x[i] = i * 0.5 - 200, p[i].a = i, p[i].b = -i, p[i].c = 3 * i, p[i].d = 9;
}

static void show(const char *name, double other) {
  long sum = 0;
  for (int i = 0; i < N + 8; ++i) sum += (i % 31 + 1) * (c[i] + 2 * d[i] + 3 * u[i] + 5 * v[i] + 7 * s[i] + 11 * w[i]);
  for (int i = 0; i < N; ++i) sum += (i % 29 + 1) * (k[i] + (long)(2 * x[i]) + p[i].a + 3 * p[i].b + 5 * p[i].c + 7 * p[i].d);
  printf("%s: %g %ld\n", name, other, sum);
  start();
}

int main(void) {
  start();
  const int from = 3, n = N;
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; ++i) c[i] = d[i];
  show("copies", 0);
#pragma omp target teams distribute parallel for
  for (int i = from; i < n; ++i) {
    c[i] = c[i] + d[i];
    u[i] = u[i] * v[i];
    s[i] = s[i] - 2 * c[i];
    w[i] = w[i] * 3 + i;
  }
  show("sums, products", 0);
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; ++i) {
    k[i] = s[i] * 3 + u[i];
    x[i] = x[i] + c[i] - w[i];
  }
  show("to int and double", 0);
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; ++i) {
    c[i] = k[i];
    v[i] = (int)x[i];
    w[i] = k[i] * 5;
  }
  show("from int and double", 0);
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; ++i) {
    u[i] = (u[i] & v[i]) ^ 0x5a;
    v[i] = ~v[i] | 3;
    s[i] = s[i] >> 3;
    w[i] = w[i] >> 2;
  }
  show("bits", 0);
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; ++i) {
    if (c[i] > d[i]) x[i] = c[i];
    k[i] = s[i] < 0 ? -s[i] : u[i];
    k[i] += w[i] % 7 + v[i] / 3;
  }
  show("conditions", 0);
#pragma omp target teams distribute parallel for
  for (int i = 1; i < n; ++i) k[i] = u[i - 1] + u[i] + u[i + 1];
  show("halo", 0);
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; ++i) u[i] = i, s[i] = 100 * i, c[i] = 7;
  show("counters and constants", 0);
#pragma omp target teams distribute parallel for
  for (int i = n - 1; i >= 0; --i) v[i] += 5;
  show("down", 0);
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; ++i) {
    p[i].a += p[i].b;
    p[i].d = p[i].c;
  }
  show("structures", 0);
  signed char sum = 3;
  unsigned char bits = 0, mask = 255;
  char all = 1, any = 0;
  short most = -32768;
  int total = 0;
#pragma omp target teams distribute parallel for reduction(+ : sum, total) map(tofrom : sum, total)
  for (int i = 0; i < n; ++i) {
    sum += c[i];
    total += u[i] * s[i] % 100;
  }
  show("reductions", sum + total);
#pragma omp target teams distribute parallel for reduction(| : bits) reduction(& : mask) map(tofrom : bits, mask)
  for (int i = 0; i < n; ++i) {
    bits |= u[i] & 0x51;
    mask &= v[i] | 0x81;
  }
  show("bits of all", bits + 1000 * mask);
#pragma omp target teams distribute reduction(&& : all) reduction(|| : any) map(tofrom : all, any)
  for (int i = 0; i < n; ++i) {
    all = all && d[i] > -129 + i % 2;
    any = any || u[i] == 255;
  }
  show("all, any", all + 10 * any);
#pragma omp target teams distribute parallel for reduction(max : most) map(tofrom : most)
  for (int i = 0; i < n; ++i) most = s[i] > most ? s[i] : most;
  show("largest", most);
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; ++i) {
    if (abs(c[i] - d[i]) > 40 || abs(c[i] - v[i]) > 50)
      u[i] = 255;
    else
      u[i] = 0;
    if (s[i] > 9000 && w[i] > 20000)
      s[i] = -1;
    else
      s[i] = w[i];
  }
  show("stores on both sides of several conditions", 0);
}
