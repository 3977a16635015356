/* SPDX-License-Identifier: Apache-2.0
 * Mappings and sections of all shapes: parts of what is mapped already, sections of length 0, more arrays and results than the tables
 * of the runtime have, elements of odd sizes, and loops of few iterations. */
#include <stdlib.h>

#include "check.h"

enum { N = 240, ROWS = 20, COLUMNS = 12 };
static double a[ROWS][COLUMNS];

/* References that do not grow linearly: where the rows end follows from what is mapped. */
#define ROTATE(X, COUNT, LENGTH)                                                          \
  for (long i = 0; i < (COUNT); i++)                                                       \
    for (long k = 0, at = 0; k < (LENGTH); k++, at = (at * 2 + 1) % (LENGTH)) (X)[i * (LENGTH) + at] += k + 1

/* A section of `length` bytes is mapped around a region, which maps another one. */
__attribute__((noinline)) static void data_and_part(double *x, long whole, long first, long count, long rows, long length) {
#pragma omp target data map(tofrom : x[0 : whole])
  {
#pragma omp target teams distribute parallel for map(tofrom : x[first : count])
    for (long i = first; i < first + count; i++) x[i] = x[i] * 2 + 1;
    double *const y = x + first;
#pragma omp target teams distribute parallel for map(tofrom : y[0 : rows * length])
    ROTATE(y, rows, length);
#pragma omp target teams distribute parallel for
    ROTATE(x, whole / length, length);
#pragma omp target update from(x[first : count])
  }
}
/* A section is entered as one and leaves in parts; the next region maps less than it. */
__attribute__((noinline)) static void enter_and_leave(double *x, long whole, long part) {
#pragma omp target enter data map(to : x[0 : whole])
#pragma omp target enter data map(to : x[0 : part])
#pragma omp target teams distribute parallel for
  ROTATE(x, part / 5, 5);
#pragma omp target exit data map(from : x[0 : part])
#pragma omp target teams distribute parallel for
  ROTATE(x, whole / 5, 5);
#pragma omp target exit data map(from : x[5 : part])
#pragma omp target teams distribute parallel for map(tofrom : x[0 : part])
  ROTATE(x, part / 5, 5);
#pragma omp target teams distribute parallel for
  ROTATE(x, whole / 5, 5);
}
__attribute__((noinline)) static void empty_sections(double *x, const double *y, long n, long none) {
#pragma omp target teams distribute parallel for map(tofrom : x[0 : n]) map(to : y[0 : none])
  for (long i = 0; i < n; i++)
    for (long k = 0; k < none; k++) x[i] += y[k];
#pragma omp target teams distribute parallel for map(tofrom : x[0 : none]) map(to : y[0 : none])
  for (long i = 0; i < none; i++) x[i] = y[i];
#pragma omp target data map(tofrom : x[0 : none])
#pragma omp target teams distribute parallel for
  for (long i = 0; i < n; i++) x[i] += 1;
}
__attribute__((noinline)) static void block(long r, long rs, long s, long cs) {
#pragma omp target teams distribute parallel for map(tofrom : a[r : rs])
  for (long i = r; i < r + rs; i++)
    for (long j = s; j < s + cs; j++) a[i][j] = a[i][j] * 2 + i - j;
#pragma omp target teams distribute parallel for map(tofrom : a)
  for (long j = s; j < s + cs; j++)
    for (long i = r; i < r + rs; i++) a[i][j] += i;
#pragma omp target teams distribute parallel for collapse(2) map(tofrom : a[r : rs][0 : COLUMNS])
  for (long i = r; i < r + rs; i += 2)
    for (long j = s; j < s + cs; j += 3) a[i][j] -= 1;
}

struct pair {
  float x;
  char tag;
};
struct __attribute__((packed)) five {
  char tag;
  float x;
};
struct __attribute__((packed, aligned(4))) twelve {
  double x;
  float y;
};
struct six {
  short x[3];
};
__attribute__((noinline)) static void odd_sizes(struct pair *p, struct five *q, struct twelve *t, struct six *s, char *c, float *f, long n) {
#pragma omp target teams distribute parallel for map(tofrom : p[0 : n])
  for (long i = 0; i < n; i++) p[i].x += 1;
#pragma omp target teams distribute parallel for map(tofrom : q[0 : n])
  for (long i = 0; i < n; i++) q[i].x += 1;
#pragma omp target teams distribute parallel for map(tofrom : t[0 : n])
  for (long i = 0; i < n; i++) t[i].y += 1;
#pragma omp target teams distribute parallel for map(tofrom : s[0 : n])
  for (long i = 0; i < n; i++) s[i].x[1] += 1;
#pragma omp target teams distribute parallel for map(tofrom : c[0 : n])
  for (long i = 0; i < n; i++) c[i] = 'a';
#pragma omp target teams distribute parallel for map(tofrom : f[0 : n]) map(to : c[0 : n])
  for (long i = 0; i < n; i++) f[i] += c[i];
}
__attribute__((noinline)) static void unaligned(char *bytes, long n) {
  struct __attribute__((packed)) unaligned {
    double x;
  } *const u = (struct unaligned *)(bytes + 3);
#pragma omp target teams distribute parallel for map(tofrom : u[0 : n])
  for (long i = 0; i < n; i++) u[i].x = i;
  double s = 0;
#pragma omp target teams distribute parallel for map(to : u[0 : n]) reduction(+ : s)
  for (long i = 0; i < n; i++) s += u[i].x;
#pragma omp target teams distribute parallel for map(tofrom : u[0 : n])
  for (long i = 0; i < n; i++) {
    struct five own[3];
    for (int k = 0; k < 3; k++) own[k].x = i + k;
    u[i].x += own[i % 3].x + s;
  }
}

#define EIGHT(M, A) M(A##0) M(A##1) M(A##2) M(A##3) M(A##4) M(A##5) M(A##6) M(A##7)
#define FORTY(M) EIGHT(M, v0) EIGHT(M, v1) EIGHT(M, v2) EIGHT(M, v3) EIGHT(M, v4)
#define FORTY_LIST(M) FORTY(M) M(v50)
/* 41 sums. */
__attribute__((noinline)) static double sums(const double *x, long n) {
#define DECLARE(V) double V = 0;
#define ADD(V) V += x[i];
#define TOTAL(V) +V
  FORTY_LIST(DECLARE)
#define P(TEXT) _Pragma(#TEXT)
  P(omp target teams distribute parallel for map(to : x[0 : n]) reduction(+ : v00, v01, v02, v03, v04, v05, v06, v07, v10, v11, v12, v13, v14,
    v15, v16, v17, v20, v21, v22, v23, v24, v25, v26, v27, v30, v31, v32, v33, v34, v35, v36, v37, v40, v41, v42, v43, v44, v45, v46, v47, v50))
  for (long i = 0; i < n; i++) {
    FORTY_LIST(ADD)
  }
  return 0 FORTY_LIST(TOTAL);
}
/* 41 arrays. */
__attribute__((noinline)) static void arrays(double **x, long n) {
#define POINTER(V) double *const V = *x++;
#define INCREASE(V) V[i] += 1;
  FORTY_LIST(POINTER)
#pragma omp target teams distribute parallel for
  for (long i = 0; i < n; i++) {
    FORTY_LIST(INCREASE)
  }
}

/* Clauses whose values come from the last or from no iteration. */
__attribute__((noinline)) static void few(double *x, float *f, const double *y, long n) {
  double last = -1, low = 1e9, high = -1e9, product = 3;
  float s = 0.5f;
  long at = -1;
#pragma omp target parallel for map(tofrom : x[0 : n], last) map(to : y[0 : n]) lastprivate(last)
  for (long i = 0; i < n; i++) last = y[i] + 1, x[i] = last;
#pragma omp target parallel for map(tofrom : at) map(tofrom : x[0 : n]) lastprivate(at)
  for (long i = 0; i < n; i++) at = i, x[i] += 1;
#pragma omp target teams distribute parallel for map(to : y[0 : n]) reduction(min : low) reduction(max : high) reduction(* : product)
  for (long i = 0; i < n; i++) {
    low = y[i] < low ? y[i] : low;
    high = y[i] > high ? y[i] : high;
    product *= y[i] > 0 ? 2 : -1;
  }
#pragma omp target teams distribute parallel for map(tofrom : f[0 : n]) map(to : y[0 : n]) reduction(+ : s)
  for (long i = 0; i < n; i++) f[i] += 2, s += f[i] * (float)y[i];
  if (n > 0) printf("%ld: %.17g %ld\n", n, last, at); /* undefined without an iteration */
  printf("%ld: %.17g %.17g %.17g %.9g\n", n, low, high, product, (double)s);
}

int main(void) {
  double *const x = malloc(sizeof(double) * N), *const y = malloc(sizeof(double) * N);
  fill(x, N, 1), fill(y, N, 2);
  data_and_part(x, N, 0, N, N / 5, 5);
  SHOW("all", x, N);
  data_and_part(x, N, 20, 100, 20, 5);
  SHOW("a part", x, N);
  data_and_part(x, N / 2, 30, N - 30, 6, 35);
  SHOW("more than is mapped", x, N);
  data_and_part(x, N, 0, 0, 0, 5);
  SHOW("none", x, N);
  enter_and_leave(x, N, 60);
  SHOW("entered and left", x, N);
  empty_sections(x, y, N, 0);
  SHOW("empty", x, N);
  empty_sections(x, y, 0, 0);
  SHOW("all empty", x, N);
  fill(&a[0][0], ROWS * COLUMNS, 3);
  for (long rows = 0; rows < 18; rows++) block(rows % 3, rows, rows % 5, rows % 7);
  SHOW("blocks", &a[0][0], ROWS * COLUMNS);

  static struct pair p[101];
  static struct five q[101];
  static struct twelve t[101];
  static struct six s[101];
  static char c[103], bytes[8 * 101 + 3];
  static float f[101];
  for (long n = 0; n <= 101; n = n * 2 + 1 + n / 50) odd_sizes(p, q, t, s, c + 1, f, n);
  double sum = 0;
  for (int i = 0; i < 101; i++) sum += p[i].x + q[i].x * 3 + t[i].x + t[i].y * 7 + s[i].x[1] * 11 + s[i].x[0] + c[i + 1] + c[0] + f[i];
  printf("odd sizes %.17g\n", sum);
  unaligned(bytes, 101);
  for (int i = 0; i < 101; i++) {
    double value;
    memcpy(&value, bytes + 3 + 8 * i, sizeof value);
    sum += value * i;
  }
  printf("unaligned %.17g\n", sum);
  printf("41 sums %.17g\n", sums(y, N));
  double *many[41];
  for (int i = 0; i < 41; i++) many[i] = calloc(N, sizeof(double)), fill(many[i], N, i);
  arrays(many, N - 1);
  for (int i = 0; i < 41; i++) SHOW("41 arrays", many[i], N);
  fill_floats(f, 101, 4);
  for (long n = 0; n < 36; n++) few(x, f, y, n), SHOW("few", x, N), SHOW_FLOATS("few", f, 101);
  return 0;
}
