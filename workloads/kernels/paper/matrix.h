/* SPDX-License-Identifier: Apache-2.0
 * What dgemm.c and zgemm.c share: matrices of order N by rows, of `parts` doubles an element, and how the PEs
 * multiply them.
 *
 * Every PE owns columns of B and C; A is read through the scalar part's cache and goes to all PEs. Half of an
 * SBM holds a tile of B, DEPTH (64) rows of all columns that fit, a quarter a tile of C. Each tile is
 * brought, waited for, worked on and taken back, one after the other: the plain form. */
#ifndef PSIM_PAPER_MATRIX_H
#define PSIM_PAPER_MATRIX_H

#include <stdlib.h>
#include <string.h>

#include "psim.h"
#include "psim_simd.h"

#ifndef DEPTH
#define DEPTH 64 /* rows of a tile of B: divides 64 */
#endif
enum { B_BYTES = 32 << 10, C_BYTES = 16 << 10 };

typedef void multiply_function(const double* a, long lda, const double* b, long ldb, double* c, long ldc,
                               long rows, long columns, long depth);

static int want_simd(int argc, char** argv) {
  if (argc > 1 && (!strcmp(argv[1], "scalar") || !strcmp(argv[1], "simd"))) return !strcmp(argv[1], "simd");
  fprintf(stderr, "usage: %s scalar|simd [N]\n", argv[0]);
  exit(2);
}

static long order_of(int argc, char** argv) {
  const long n = argc > 2 ? atol(argv[2]) : 128;
  if (n > 0 && n % 64 == 0) return n;
  fprintf(stderr, "%s: N = %ld: expected a multiple of 64\n", argv[0], n);
  exit(2);
}

static double* new_matrix(long n, int parts) {
  double* const matrix = malloc(sizeof(double) * parts * n * n);
  if (matrix) return matrix;
  fprintf(stderr, "no memory for a matrix of order %ld\n", n);
  exit(1);
}

static void fill(double* x, long count, int period) {
  for (long i = 0; i < count; ++i) x[i] = (double)(i % period) - period / 2 + 0.125 * (i % 3);
}

/* `rows` rows of a tile between memory, whose rows have n elements, and SBM; each PE has `columns` columns.
 */
static void move_tile(int put, double* memory, long n, int parts, long columns, unsigned offset, long rows) {
  const long element = sizeof(double) * parts;
  const struct psim_transfer transfer = {(unsigned long)memory,
                                         element * columns,
                                         element * n,
                                         offset,
                                         element * columns,
                                         element * columns,
                                         rows,
                                         psim_simd_all(),
                                         0};
  if (put)
    psim_simd_put_tile(&transfer);
  else
    psim_simd_get_tile(&transfer);
  psim_simd_sync(1u << 0);
}

static void on_pes(multiply_function* multiply, long n, int parts, double* a, double* b, double* c) {
  const long pes = psim_simd_pes(), element = sizeof(double) * parts;
  const long widest = B_BYTES / (DEPTH * element);
  if (n % (4 * pes)) {
    fprintf(stderr, "N = %ld: expected a multiple of 4 columns for each of %ld PEs\n", n, pes);
    exit(2);
  }
  const long columns = n / pes < widest ? n / pes : widest;
  long rows = C_BYTES / (columns * element) / 8 * 8;  // whole blocks
  if (rows > n) rows = n;
  double* const tile_b = psim_simd_data(0);
  double* const tile_c = psim_simd_data(B_BYTES);
  for (long j = 0; j < n; j += columns * pes)
    for (long k = 0; k < n; k += DEPTH) {
      move_tile(0, b + parts * (k * n + j), n, parts, columns, 0, DEPTH);
      for (long i = 0; i < n; i += rows) {
        double* const here = c + parts * (i * n + j);
        const long height = n - i < rows ? n - i : rows;
        move_tile(0, here, n, parts, columns, B_BYTES, height);
        psim_simd_call(*multiply, a + parts * (i * n + k), n, tile_b, columns, tile_c, columns, height,
                       columns, (long)DEPTH);
        move_tile(1, here, n, parts, columns, B_BYTES, height);
      }
    }
}

#endif
