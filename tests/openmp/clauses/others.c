/* SPDX-License-Identifier: Apache-2.0
 * Clauses and constructs that few programs use: scans, device pointers, structures, declare target, linear,
 * safelen, loops without iterations, reductions of other types. */
#include <omp.h>
#include <stdlib.h>

#include "check.h"

enum { N = 203 };
static double a[N], b[N], c[N];
#pragma omp declare target
static double table[8] = {1, 2, 3, 4, 5, 6, 7, 8};
static double scale = 3;
static double twice(double x) { return 2 * x; }
__attribute__((noinline)) static double far(double x) { return x + scale; }
#pragma omp end declare target
struct s {
  double x, y;
  int n;
};
struct v {
  double* p;
  int n;
};
int main(void) {
  for (int i = 0; i < N; i++) a[i] = i % 13 - 4, b[i] = i % 7, c[i] = 1;
  double s = 0;
#pragma omp target map(tofrom : s) map(to : a) map(from : c)
#pragma omp parallel for reduction(inscan, + : s)
  for (int i = 0; i < N; i++) {
    s += a[i];
#pragma omp scan inclusive(s)
    c[i] = s;
  }
  SHOW("scan", c, N);
  double* d = omp_target_alloc(N * 8, omp_get_default_device());
#pragma omp target teams distribute parallel for is_device_ptr(d)
  for (int i = 0; i < N; i++) d[i] = a[i] * 2;
#pragma omp target teams distribute parallel for is_device_ptr(d) map(from : c)
  for (int i = 0; i < N; i++) c[i] = d[i] + b[i];
  SHOW("device pointer", c, N);
  double* h = malloc(N * 8);
  omp_target_memcpy(h, d, N * 8, 0, 0, omp_get_initial_device(), omp_get_default_device());
  printf("%g\n", h[17]);
  omp_target_free(d, omp_get_default_device());
  struct s st = {2, 3, 5};
#pragma omp target teams distribute parallel for map(tofrom : c) firstprivate(st)
  for (int i = 0; i < N; i++) c[i] += st.x * i + st.y;
  SHOW("struct firstprivate", c, N);
  struct v vv = {h, N};
#pragma omp target teams distribute parallel for map(tofrom : c, vv, vv.p [0:N])
  for (int i = 0; i < vv.n; i++) c[i] += vv.p[i];
  SHOW("struct pointer", c, N);
#pragma omp target teams distribute parallel for map(always, tofrom : c) defaultmap(tofrom : scalar)
  for (int i = 0; i < N; i++) c[i] += scale + table[3] + twice(a[i]);
  SHOW("declare target", c, N);
  scale = 7;
#pragma omp target update to(scale)
#pragma omp target teams distribute parallel for map(tofrom : c)
  for (int i = 0; i < N; i++) c[i] = far(c[i]);
  SHOW("declare target far", c, N);
  int l = 5;
#pragma omp target parallel for map(tofrom : c) linear(l : 2)
  for (int i = 0; i < N; i++) {
    c[i] += l;
    l += 2;
  }
  SHOW("linear", c, N);
#pragma omp target parallel for simd map(tofrom : c) safelen(4) aligned(h : 8)
  for (int i = 0; i < N; i++) c[i] += h[i];
  SHOW("safelen", c, N);
#pragma omp target teams distribute parallel for map(tofrom : c) private(s)
  for (int i = 0; i < N; i++) {
    s = a[i];
    for (int k = 0; k < 3; k++) s = s * 0.5 + k;
    c[i] += s;
  }
  SHOW("private", c, N);
  int neg = -1, x = 0;
#pragma omp target parallel for map(tofrom : c, x)
  for (int i = 10; i < neg; i++) c[i] = 99, x = 1;
  const unsigned long below = x;
#pragma omp target parallel for map(tofrom : c)
  for (unsigned long i = 10; i < below; i++) c[i] = 99;
  SHOW("negative count", c, N);
#pragma omp target parallel for map(tofrom : c)
  for (unsigned char i = 0; i < 200; i += 3) c[i] += i;
  SHOW("unsigned char", c, N);
#pragma omp target teams
#pragma omp distribute
  for (int k = 0; k < 3; k++) {
#pragma omp parallel for
    for (int i = 0; i < N; i++) c[i] += k * a[i];
  }
  SHOW("distribute around parallel", c, N);
#pragma omp target
  for (int k = 0; k < 3; k++) {
#pragma omp parallel for
    for (int i = 1; i < N; i++) c[i] += k * a[i - 1];
  }
  SHOW("sequential around parallel", c, N);
#pragma omp target parallel for collapse(2) map(tofrom : c)
  for (int i = 0; i < 10; i++)
    for (int j = i; j < 20; j++) c[i * 20 + j] += 1;
  SHOW("triangle", c, N);
  double m = 1e9;
  int at = -1;
#pragma omp target parallel for map(tofrom : m, at)
  for (int i = 0; i < N; i++) {
#pragma omp critical
    if (c[i] < m) m = c[i], at = i;
  }
  printf("%g %d\n", m, at);
  _Complex double z = 0;
#pragma omp target parallel for reduction(+ : z)
  for (int i = 0; i < N; i++) z += a[i] + 1.0i * b[i];
  printf("%g %g\n", __real__ z, __imag__ z);
  long cnt = 0;
  unsigned bits = ~0u;
#pragma omp target parallel for reduction(+ : cnt) reduction(& : bits)
  for (int i = 0; i < N; i++) {
    if (a[i] > 2) cnt++;
    bits &= ~(1u << (i % 3));
  }
  printf("%ld %x\n", cnt, bits);
#pragma omp target parallel for map(tofrom : c) schedule(static) nowait
  for (int i = 0; i < N; i++) c[i] += 1;
#pragma omp taskwait
  SHOW("nowait", c, N);
  double w[3] = {1, 2, 3}, (*pw)[3] = &w;
#pragma omp target parallel for map(tofrom : c) map(to : pw [0:1])
  for (int i = 0; i < N; i++) c[i] += (*pw)[i % 3];
  SHOW("modulo index", c, N);
  return 0;
}
