/* SPDX-License-Identifier: Apache-2.0
 * Electron repulsion integrals of a chain of glycine, (Gly)n, in the basis 6-31G*: program and skeleton in one source
 * (paper 003, figures 3B and 4; its molecule is n = 15: 108 atoms, 1009 basis functions).
 *
 *     eri [glycines=15] [cutoff=12]
 *
 * Pairs of contracted shells whose atoms are less than `cutoff` Bohr radii apart remain. Pair i goes with all pairs up to i; ranks
 * take pairs in turn. At the end an allreduce sums the Fock matrix. The integrals of a pair are a region of two arguments:
 *
 *     eri(primitives, quartets)   integrals of primitive functions, and quartets of shells that they belong to
 *
 * With psim net --skeleton its body is left out. The body is our own loop over primitives with the usual operations of an
 * integral (products of exponents, a square root, an exponential), not a quantum-chemical code. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lmpi.h"

/* The shells of an atom: number of primitives, and of functions. */
struct Shell {
  int primitives, functions;
};
static const struct Shell kHeavy[] = {{6, 1}, {3, 1}, {3, 3}, {1, 1}, {1, 3}, {1, 6}}, kHydrogen[] = {{3, 1}, {1, 1}};

/* Atoms of a residue N-H-CA-H-H-C-O along the chain: place in Bohr radii, and whether it is hydrogen. */
static const struct {
  double place;
  int hydrogen;
} kResidue[] = {{0, 0}, {0.5, 1}, {2.7, 0}, {2.9, 1}, {3.1, 1}, {5.4, 0}, {5.9, 0}};
static const double kResidueLength = 6.9; /* 3.65 Angstrom */

struct Pair {
  int primitives;
  double exponent;
};
static struct Pair *pairs;
static long pair_count, basis;

static void make_pairs(long glycines, double cutoff) {
  const long atoms = glycines * 7 + 3; /* the ends are H and OH: three atoms of water */
  double *place = malloc((size_t)atoms * 6 * sizeof *place);
  int *primitives = malloc((size_t)atoms * 6 * sizeof *primitives);
  long shells = 0;
  for (long atom = 0; atom < atoms; ++atom) {
    const int within = (int)(atom % 7), ends = atom >= glycines * 7;
    const int hydrogen = ends ? atom != glycines * 7 : kResidue[within].hydrogen;
    const double at = ends ? (atom == glycines * 7 + 1 ? -1.9 : (double)glycines * kResidueLength)
                           : (double)(atom / 7) * kResidueLength + kResidue[within].place;
    const struct Shell *shell = hydrogen ? kHydrogen : kHeavy;
    for (int i = 0; i < (hydrogen ? 2 : 6); ++i) {
      place[shells] = at;
      primitives[shells++] = shell[i].primitives;
      basis += shell[i].functions;
    }
  }
  pairs = malloc((size_t)(shells * (shells + 1) / 2) * sizeof *pairs);
  for (long i = 0; i < shells; ++i)
    for (long j = 0; j <= i; ++j)
      if (fabs(place[i] - place[j]) < cutoff)
        pairs[pair_count++] = (struct Pair){primitives[i] * primitives[j], 0.5 + fabs(place[i] - place[j])};
  free(place);
  free(primitives);
}

/* Returns the sum of the integrals of a pair of shells with another one. */
static double integrals(const struct Pair *bra, const struct Pair *ket) {
  double sum = 0;
  for (int i = 0; i < bra->primitives; ++i)
    for (int k = 0; k < ket->primitives; ++k) {
      const double p = bra->exponent + i, q = ket->exponent + k, rho = p * q / (p + q);
      sum += exp(-rho * 1e-2) / (p * q * sqrt(p + q));
    }
  return sum;
}

static long word(const char *text, const char *name, long otherwise) {
  const size_t length = strlen(name);
  return strncmp(text, name, length) == 0 && text[length] == '=' ? atol(text + length + 1) : otherwise;
}

int main(int argc, char **argv) {
  LMPI_Init(&argc, &argv);
  int rank, ranks;
  LMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  LMPI_Comm_size(MPI_COMM_WORLD, &ranks);
  long glycines = 15, cutoff = 12;
  for (int i = 1; i < argc; ++i) glycines = word(argv[i], "glycines", glycines), cutoff = word(argv[i], "cutoff", cutoff);
  if (glycines < 1 || glycines > 1000 || cutoff < 1) {
    if (rank == 0) fprintf(stderr, "eri: expected glycines=1 to 1000 and cutoff=1 or more\n");
    LMPI_Abort(MPI_COMM_WORLD, 2);
  }
  make_pairs(glycines, (double)cutoff);
  long long all = 0; /* primitives of the pairs up to this one */
  double fock = 0;
  LMPI_Barrier(MPI_COMM_WORLD);
  const double begin = LMPI_Wtime();
  for (long ij = 0; ij < pair_count; ++ij) {
    all += pairs[ij].primitives;
    if (ij % ranks != rank) continue;
    PSIM_REGION_SKIP("eri", all * pairs[ij].primitives, ij + 1) {
      for (long kl = 0; kl <= ij; ++kl) fock += integrals(&pairs[ij], &pairs[kl]);
    }
  }
  const double computed = LMPI_Wtime() - begin;
  /* The whole Fock matrix crosses the network, though the sum of one element stands for it here. */
  LMPI_Allreduce(NULL, NULL, (int)(basis * basis), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  const double seconds = LMPI_Wtime() - begin;
  if (rank == 0)
    printf("ERI: %ld basis functions, %ld pairs of shells, %.6f s, of which rank 0 computed %.6f s\n", basis, pair_count, seconds, computed);
  if (fock < 0) printf("%g\n", fock); /* the sum is used */
  free(pairs);
  LMPI_Finalize();
  return 0;
}
