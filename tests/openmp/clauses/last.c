// SPDX-License-Identifier: Apache-2.0
// Integers that the last iteration leaves, and private arrays of integers.
#include <stdbool.h>
#include <stdio.h>

enum { N = 1003, BLOCK = 4 };
static const int kLengths[] = {1, 2, 3, 7, 13, 16, 17, 31, 101, N};
static int a[N], b[N], c[N], m[68][68];
static short s[N];
static double x[N];

static void start(void) {
  for (int i = 0; i < N; ++i) a[i] = i % 13, b[i] = 3 * i % 7, c[i] = i % 5, s[i] = (short)(i % 23), x[i] = i % 17;
  for (int i = 0; i < 68; ++i)
    for (int j = 0; j < 68; ++j) m[i][j] = (5 * i + 3 * j) % 19;
}

static void show(const char *name, int n) {
  long sum = 0;
  for (int i = 0; i < N; ++i) sum += (i % 31 + 1) * (a[i] + 3L * b[i] + 5 * c[i] + 7 * s[i] + (long)x[i]);
  for (int i = 0; i < 68; ++i)
    for (int j = 0; j < 68; ++j) sum += (3 * i + j) * m[i][j];
  printf("%s %d: %ld\n", name, n, sum);
  start();
}

__attribute__((noinline)) static void values(int n) {
  int p = 7, pair[2] = {-1, -2}, index = 0;
  short small = 1;
  bool truth = false;
  double number = 0, triple[3] = {0, 0, 0};
#pragma omp target teams distribute parallel for lastprivate(p) map(tofrom : p, c) map(to : a, b)
  for (int i = 0; i < n; ++i) {
    p = a[i] + b[i];
    c[i] += p;
  }
  printf("%d\n", p);
  show("int", n);
#pragma omp target teams distribute parallel for lastprivate(p, small, truth, number, index) map(tofrom : p, small, truth, number, index, s)
  for (int i = 0; i < n; ++i) {
    p = a[i] - b[i];
    small = (short)(s[i] + 1);
    truth = x[i] > 5;
    number = 2 * x[i];
    index = 2 * i;
    s[i] = small;
  }
  printf("%d %d %d %g %d\n", p, small, truth, number, index);
  show("several", n);
#pragma omp target teams distribute parallel for lastprivate(pair, triple) map(tofrom : pair, triple, c)
  for (int i = 0; i < n; ++i) {
    pair[0] = a[i] + b[i];
    pair[1] = a[i] * b[i];
    triple[0] = x[i], triple[1] = 2 * x[i], triple[2] = a[i];
    c[i] += pair[0];
  }
  printf("%d %d %g %g %g\n", pair[0], pair[1], triple[0], triple[1], triple[2]);
  show("arrays", n);
#pragma omp target teams distribute parallel for lastprivate(pair) map(tofrom : pair, c)
  for (int i = 0; i < n; ++i) {  // the scalar core: gcc keeps the array in memory
    int *const at = pair;
    for (int k = 0; k < 2; ++k) at[(k + i) % 2] = a[i] + k;
    c[i] += at[0];
  }
  printf("%d %d\n", pair[0], pair[1]);
  show("an array in memory", n);
  int sum = 0;
#pragma omp target teams distribute parallel for reduction(+ : sum) lastprivate(p) map(tofrom : sum, p)
  for (int i = 0; i < n; ++i) {
    p = a[i];
    sum += p * b[i];
  }
  printf("%d %d\n", sum, p);
}

/* Blocks on a diagonal of a matrix, whose rows have a length that is known when the program runs. */
__attribute__((noinline)) static void blocks(int count, int *matrix, int row) {
#pragma omp target parallel for map(tofrom : matrix[0 : row * row])
  for (int x = 0; x < count; ++x) {
    const int y = count - 1 - x;
    int own[(BLOCK + 1) * (BLOCK + 1)];
    for (int i = 0; i < BLOCK + 1; ++i)
      for (int j = 0; j < BLOCK + 1; ++j) own[i * (BLOCK + 1) + j] = matrix[row * (y * BLOCK + i) + x * BLOCK + j];
    for (int i = 1; i < BLOCK + 1; ++i)
      for (int j = 1; j < BLOCK + 1; ++j) {
        const int left = own[i * (BLOCK + 1) + j - 1] - 1, above = own[(i - 1) * (BLOCK + 1) + j] - 1;
        own[i * (BLOCK + 1) + j] += left > above ? left : above;
      }
    for (int i = 0; i < BLOCK; ++i)
      for (int j = 0; j < BLOCK; ++j) matrix[row * (y * BLOCK + i + 1) + x * BLOCK + j + 1] = own[(i + 1) * (BLOCK + 1) + j + 1];
  }
  show("blocks", count);
}

int main(void) {
  start();
  for (unsigned i = 0; i < sizeof kLengths / sizeof *kLengths; ++i) values(kLengths[i]);
  for (int count = 0; count <= 16; ++count) blocks(count, &m[0][0], 68);
}
