/* SPDX-License-Identifier: Apache-2.0
 * Skeleton of the kernels of PHASE, a first-principles program for solids, distributed over bands and wave numbers (paper 003,
 * figure 3A and 3.5.2):
 *
 *     phase bands=N waves=M p=P q=Q [grid=G] [block=64] [steps=1]
 *
 * P x Q processes hold N / P bands of M / Q plane waves each. A step has three kernels, between which data change their order:
 *     pseudo-potential product   block by block of bands: each block comes by a broadcast from the processes with the same waves,
 *                                and is multiplied with all bands; the products are summed over the wave numbers
 *     Gram-Schmidt               block by block of bands: inner products with all bands below are summed, then subtracted
 *     3-D FFT                    bands change from shares of waves to whole planes of a grid of G^3 points by an all-to-all, and back
 * Computing is in the regions zgemm(n, m, blocks), with the paper's expression for its n x n results of m waves in phase.toml, and
 * fft(points). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lmpi.h"

static struct {
  long bands, waves, p, q, grid, block, steps;
} o = {.p = 1, .q = 1, .grid = 64, .block = 64, .steps = 1};
static int me;

static void wrong(const char *what, const char *expected) {
  if (me == 0) fprintf(stderr, "phase: %s: expected %s\n", what, expected);
  LMPI_Abort(MPI_COMM_WORLD, 2);
}

static void take_words(int count, char **words) {
  const struct {
    const char *name;
    long *value;
  } kKeys[] = {{"bands", &o.bands}, {"waves", &o.waves}, {"p", &o.p}, {"q", &o.q}, {"grid", &o.grid}, {"block", &o.block}, {"steps", &o.steps}};
  for (int i = 1; i < count; ++i) {
    const char *equals = strchr(words[i], '=');
    size_t key = 0;
    while (key < sizeof kKeys / sizeof *kKeys &&
           (!equals || strlen(kKeys[key].name) != (size_t)(equals - words[i]) ||
            strncmp(kKeys[key].name, words[i], (size_t)(equals - words[i])) != 0))
      ++key;
    char *end;
    if (key == sizeof kKeys / sizeof *kKeys) wrong(words[i], "bands=, waves=, p=, q=, grid=, block= or steps=");
    *kKeys[key].value = strtol(equals + 1, &end, 10);
    if (end == equals + 1 || *end != 0 || *kKeys[key].value < 1 || *kKeys[key].value > 1L << 31) wrong(words[i], "a whole number from 1 to 2^31");
  }
  int ranks;
  LMPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (o.p * o.q != ranks) wrong("p and q", "p times q equal to the number of ranks");
  if (o.bands < 1 || o.bands % (o.p * o.block) != 0) wrong("bands", "a multiple of p times block");
  if (o.waves < 1 || o.waves % o.q != 0) wrong("waves", "a multiple of q");
}

static int elements(double count) {
  if (count > 2147483647.0) wrong("bands and waves", "smaller messages than 2^31 numbers");
  return count < 1 ? 1 : (int)count;
}

/* Products of n x n results over m waves, `blocks` times. */
static void zgemm(long n, long m, long blocks) {
  if (blocks > 0) BSIM_Add_model("zgemm", n, m, blocks);
}

int main(int argc, char **argv) {
  LMPI_Init(&argc, &argv);
  LMPI_Comm_rank(MPI_COMM_WORLD, &me);
  take_words(argc, argv);
  MPI_Comm same_bands, same_waves; /* processes that differ in their waves, and in their bands */
  LMPI_Comm_split(MPI_COMM_WORLD, (int)(me / o.q), (int)(me % o.q), &same_bands);
  LMPI_Comm_split(MPI_COMM_WORLD, (int)(me % o.q), (int)(me / o.q), &same_waves);
  const long row = me / o.q, my_bands = o.bands / o.p, my_waves = o.waves / o.q, my_blocks = my_bands / o.block;
  LMPI_Barrier(MPI_COMM_WORLD);
  const double begin = LMPI_Wtime();
  double product = 0, orthogonal = 0, transform = 0;
  for (long step = 0; step < o.steps; ++step) {
    double last = LMPI_Wtime();
    for (long block = 0; block < o.bands / o.block; ++block) {
      LMPI_Bcast(NULL, elements((double)o.block * (double)my_waves), MPI_C_DOUBLE_COMPLEX, (int)(block % o.p), same_waves);
      zgemm(o.block, my_waves, my_blocks);
      LMPI_Allreduce(NULL, NULL, elements((double)o.block * (double)o.block * (double)my_blocks), MPI_C_DOUBLE_COMPLEX, MPI_SUM, same_bands);
    }
    product += LMPI_Wtime() - last, last = LMPI_Wtime();
    for (long block = 0; block < o.bands / o.block; ++block) {
      const long owner = block % o.p, after = my_blocks - block / o.p - (row <= owner);
      if (row == owner) {
        zgemm(o.block, my_waves, 1); /* within the block */
        LMPI_Allreduce(NULL, NULL, elements((double)o.block * (double)o.block), MPI_C_DOUBLE_COMPLEX, MPI_SUM, same_bands);
      }
      LMPI_Bcast(NULL, elements((double)o.block * (double)my_waves), MPI_C_DOUBLE_COMPLEX, (int)owner, same_waves);
      zgemm(o.block, my_waves, after); /* inner products with the bands above */
      if (after > 0)
        LMPI_Allreduce(NULL, NULL, elements((double)o.block * (double)o.block * (double)after), MPI_C_DOUBLE_COMPLEX, MPI_SUM, same_bands);
      zgemm(o.block, my_waves, after); /* and their subtraction */
    }
    orthogonal += LMPI_Wtime() - last, last = LMPI_Wtime();
    /* Each process gets whole bands, my_bands / q of them, as shares of waves from the processes with the same bands. */
    const long whole = (my_bands + o.q - 1) / o.q;
    const double share = (double)whole * (double)my_waves;
    for (int way = 0; way < 2; ++way) {
      LMPI_Alltoall(NULL, elements(share), MPI_C_DOUBLE_COMPLEX, NULL, elements(share), MPI_C_DOUBLE_COMPLEX, same_bands);
      for (long band = 0; band < whole; ++band) BSIM_Add_model("fft", o.grid * o.grid * o.grid);
    }
    transform += LMPI_Wtime() - last;
  }
  LMPI_Barrier(MPI_COMM_WORLD);
  if (me == 0)
    printf("PHASE: %ld bands, %ld waves, %ld x %ld: %.6f s; product %.6f s, Gram-Schmidt %.6f s, FFT %.6f s\n", o.bands, o.waves, o.p, o.q,
           LMPI_Wtime() - begin, product, orthogonal, transform);
  LMPI_Comm_free(&same_bands);
  LMPI_Comm_free(&same_waves);
  LMPI_Finalize();
  return 0;
}
