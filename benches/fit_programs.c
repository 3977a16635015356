/* SPDX-License-Identifier: Apache-2.0
 * Twelve kernels whose time grows differently when their data outgrow a cache. benches/fit_trials.py fits
 * them from small sizes and predicts large ones.
 *
 *   fit_programs KERNEL N
 *
 * The region has the name of the kernel and the argument N: the order of a matrix, or the number of elements.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "psim.h"

static uint64_t state = 88172645463325252u;
static uint64_t next(void) {
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return state;
}
static double* doubles(size_t count) {
  double* x = malloc(count * sizeof *x);
  for (size_t i = 0; i < count; ++i) x[i] = (double)(next() % 1000) / 1000 + 0.5;
  return x;
}

static double stencil(long n) {
  double *a = doubles(n * n), *b = doubles(n * n);
  for (int step = 0; step < 2; ++step) {
    PSIM_REGION_BEGIN("stencil", n);
    for (long i = 1; i < n - 1; ++i)
      for (long j = 1; j < n - 1; ++j)
        b[i * n + j] = 0.2 * (a[i * n + j] + a[i * n + j - 1] + a[i * n + j + 1] + a[(i - 1) * n + j] +
                              a[(i + 1) * n + j]);
    PSIM_REGION_END("stencil");
    double* swap = a;
    a = b, b = swap;
  }
  return a[n + 1];
}

/* A matrix with five entries in each row, far from the diagonal, too. */
static double spmv(long n) {
  int* column = malloc(5 * n * sizeof *column);
  double *value = doubles(5 * n), *x = doubles(n), *y = doubles(n);
  for (long i = 0; i < n; ++i)
    for (int k = 0; k < 5; ++k) column[5 * i + k] = k < 3 ? (int)((i + k) % n) : (int)(next() % n);
  for (int repeat = 0; repeat < 2; ++repeat) {
    PSIM_REGION_BEGIN("spmv", n);
    for (long i = 0; i < n; ++i) {
      double sum = 0;
      for (int k = 0; k < 5; ++k) sum += value[5 * i + k] * x[column[5 * i + k]];
      y[i] = sum;
    }
    PSIM_REGION_END("spmv");
  }
  return y[n / 2];
}

static double fft(long n) {
  double *re = doubles(n), *im = doubles(n), *c = malloc(n / 2 * sizeof *c), *s = malloc(n / 2 * sizeof *s);
  for (long i = 0; i < n / 2; ++i) c[i] = cos(2 * M_PI * i / n), s[i] = sin(2 * M_PI * i / n);
  PSIM_REGION_BEGIN("fft", n);
  for (long half = n / 2; half >= 1; half /= 2)
    for (long first = 0; first < n; first += 2 * half)
      for (long k = 0; k < half; ++k) {
        const long a = first + k, b = a + half, w = k * (n / 2 / half);
        const double x = re[a] - re[b], y = im[a] - im[b];
        re[a] += re[b], im[a] += im[b];
        re[b] = x * c[w] + y * s[w], im[b] = y * c[w] - x * s[w];
      }
  PSIM_REGION_END("fft");
  return re[1];
}

static double lu(long n) {
  double* a = doubles(n * n);
  for (long i = 0; i < n; ++i) a[i * n + i] += n;
  PSIM_REGION_BEGIN("lu", n);
  for (long k = 0; k < n; ++k)
    for (long i = k + 1; i < n; ++i) {
      const double f = a[i * n + k] /= a[k * n + k];
      for (long j = k + 1; j < n; ++j) a[i * n + j] -= f * a[k * n + j];
    }
  PSIM_REGION_END("lu");
  return a[n * n - 1];
}

static double cholesky(long n) {
  double* a = doubles(n * n);
  for (long i = 0; i < n; ++i) a[i * n + i] += 2 * n;
  PSIM_REGION_BEGIN("cholesky", n);
  for (long j = 0; j < n; ++j)
    for (long i = j; i < n; ++i) {
      double sum = a[i * n + j];
      for (long k = 0; k < j; ++k) sum -= a[i * n + k] * a[j * n + k];
      a[i * n + j] = i == j ? sqrt(sum) : sum / a[j * n + j];
    }
  PSIM_REGION_END("cholesky");
  return a[n * n - 1];
}

static void sort(double* x, long low, long high) {
  while (low < high) {
    const double pivot = x[(low + high) / 2];
    long i = low, j = high;
    while (i <= j) {
      while (x[i] < pivot) ++i;
      while (x[j] > pivot) --j;
      if (i <= j) {
        const double swap = x[i];
        x[i++] = x[j], x[j--] = swap;
      }
    }
    sort(x, low, j);
    low = i;
  }
}
static double quicksort(long n) {
  double* x = malloc(n * sizeof *x);
  for (long i = 0; i < n; ++i) x[i] = (double)(next() >> 11);
  PSIM_REGION_BEGIN("quicksort", n);
  sort(x, 0, n - 1);
  PSIM_REGION_END("quicksort");
  return x[n / 2];
}

/* Breadth-first search in a random graph with four edges a node. */
static double bfs(long n) {
  int *edge = malloc(4 * n * sizeof *edge), *level = malloc(n * sizeof *level),
      *queue = malloc(n * sizeof *queue);
  for (long i = 0; i < 4 * n; ++i) edge[i] = (int)(next() % n);
  for (long i = 0; i < n; ++i) level[i] = -1;
  long head = 0, tail = 0;
  PSIM_REGION_BEGIN("bfs", n);
  level[0] = 0, queue[tail++] = 0;
  while (head < tail) {
    const int node = queue[head++];
    for (int k = 0; k < 4; ++k) {
      const int to = edge[4 * (long)node + k];
      if (level[to] < 0) level[to] = level[node] + 1, queue[tail++] = to;
    }
  }
  PSIM_REGION_END("bfs");
  return tail;
}

static double hashjoin(long n) {
  const long size = 2 * n + 1;
  uint64_t *table = calloc(size, sizeof *table), *left = malloc(n * sizeof *left),
           *right = malloc(n * sizeof *right);
  for (long i = 0; i < n; ++i) left[i] = next() % (4 * n) + 1, right[i] = next() % (4 * n) + 1;
  long found = 0;
  PSIM_REGION_BEGIN("hashjoin", n);
  for (long i = 0; i < n; ++i) {
    long at = (long)(left[i] * 0x9e3779b97f4a7c15u >> 16) % size;
    while (table[at] != 0 && table[at] != left[i]) at = at + 1 == size ? 0 : at + 1;
    table[at] = left[i];
  }
  for (long i = 0; i < n; ++i) {
    long at = (long)(right[i] * 0x9e3779b97f4a7c15u >> 16) % size;
    while (table[at] != 0 && table[at] != right[i]) at = at + 1 == size ? 0 : at + 1;
    found += table[at] != 0;
  }
  PSIM_REGION_END("hashjoin");
  return found;
}

static double nbody(long n) {
  double *x = doubles(n), *y = doubles(n), *fx = doubles(n), *fy = doubles(n);
  PSIM_REGION_BEGIN("nbody", n);
  for (long i = 0; i < n; ++i) {
    double sx = 0, sy = 0;
    for (long j = 0; j < n; ++j) {
      const double dx = x[j] - x[i], dy = y[j] - y[i], r = dx * dx + dy * dy + 1e-3, f = 1 / (r * sqrt(r));
      sx += f * dx, sy += f * dy;
    }
    fx[i] = sx, fy[i] = sy;
  }
  PSIM_REGION_END("nbody");
  return fx[0] + fy[n - 1];
}

static double montecarlo(long n) {
  long inside = 0;
  PSIM_REGION_BEGIN("montecarlo", n);
  for (long i = 0; i < n; ++i) {
    const double x = (double)(next() >> 11) * 0x1p-53, y = (double)(next() >> 11) * 0x1p-53;
    inside += x * x + y * y < 1;
  }
  PSIM_REGION_END("montecarlo");
  return 4.0 * inside / n;
}

/* As many bins as elements: the counters outgrow the caches with the elements. */
static double histogram(long n) {
  uint32_t *bin = calloc(n, sizeof *bin), *x = malloc(n * sizeof *x);
  for (long i = 0; i < n; ++i) x[i] = (uint32_t)next();
  PSIM_REGION_BEGIN("histogram", n);
  for (long i = 0; i < n; ++i) ++bin[x[i] % (uint32_t)n];
  PSIM_REGION_END("histogram");
  return bin[0];
}

static double transpose(long n) {
  double *a = doubles(n * n), *b = doubles(n * n);
  PSIM_REGION_BEGIN("transpose", n);
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < n; ++j) b[j * n + i] = a[i * n + j];
  PSIM_REGION_END("transpose");
  return b[1];
}

int main(int argc, char** argv) {
  static const struct {
    const char* name;
    double (*run)(long);
  } kernels[] = {{"stencil", stencil},
                 {"spmv", spmv},
                 {"fft", fft},
                 {"lu", lu},
                 {"cholesky", cholesky},
                 {"quicksort", quicksort},
                 {"bfs", bfs},
                 {"hashjoin", hashjoin},
                 {"nbody", nbody},
                 {"montecarlo", montecarlo},
                 {"histogram", histogram},
                 {"transpose", transpose}};
  if (argc != 3) return 2;
  for (size_t i = 0; i < sizeof kernels / sizeof *kernels; ++i)
    if (strcmp(argv[1], kernels[i].name) == 0) {
      printf("%g\n", kernels[i].run(atol(argv[2])));
      return 0;
    }
  return 2;
}
