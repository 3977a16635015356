/* SPDX-License-Identifier: Apache-2.0
 * Electron repulsion integrals of a chain of glycine, (Gly)n, in the basis 6-31G*: program and skeleton in one source
 * (paper 003, figures 3B and 4; its molecule is n = 15: 108 atoms, 1009 basis functions).
 *
 *     eri [glycines=15] [cutoff=12] [basis=631gs|sto3g] [each=0]
 *
 * With basis=sto3g the basis is STO-3G, as for the lysozyme of the paper's table 7; each=1 prints the times of each rank.
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
enum { kMostShells = 6 };
static const struct Basis {
  const char *name;
  int heavy_shells, hydrogen_shells; /* of an atom */
  struct Shell heavy[kMostShells], hydrogen[kMostShells];
} kBases[] = {{"631gs", 6, 2, {{6, 1}, {3, 1}, {3, 3}, {1, 1}, {1, 3}, {1, 6}}, {{3, 1}, {1, 1}}},
              {"sto3g", 3, 1, {{3, 1}, {3, 1}, {3, 3}}, {{3, 1}}}};

/* Atoms of a residue N-H-CA-H-H-C-O along the chain: place in Bohr radii, and whether it is hydrogen. */
static const struct {
  double place;
  int hydrogen;
} kResidue[] = {{0, 0}, {0.5, 1}, {2.7, 0}, {2.9, 1}, {3.1, 1}, {5.4, 0}, {5.9, 0}};
static const double kResidueLength = 6.9; /* 3.65 Angstrom */

struct Pair {
  int primitives;
  float exponent;
};
static struct Pair *pairs;
static long pair_count, basis;

/* Finds the pairs of shells less than `cutoff` apart, in the order of their shells. */
static void make_pairs(long glycines, double cutoff, const struct Basis *of) {
  const long atoms = glycines * 7 + 3; /* the ends are H and OH: three atoms of water */
  double *place = malloc((size_t)atoms * kMostShells * sizeof *place);
  int *primitives = malloc((size_t)atoms * kMostShells * sizeof *primitives);
  long *near = malloc((size_t)atoms * kMostShells * sizeof *near); /* the first shell that may be near enough */
  long *first = malloc((size_t)(glycines + 1) * sizeof *first);      /* the first shell of a residue */
  const long behind = (long)((cutoff + kResidueLength) / kResidueLength) + 1;
  long shells = 0;
  for (long atom = 0; atom < atoms; ++atom) {
    const int within = (int)(atom % 7), ends = atom >= glycines * 7;
    const int hydrogen = ends ? atom != glycines * 7 : kResidue[within].hydrogen;
    const double at = ends ? (atom == glycines * 7 + 1 ? -1.9 : (double)glycines * kResidueLength)
                           : (double)(atom / 7) * kResidueLength + kResidue[within].place;
    const struct Shell *shell = hydrogen ? of->hydrogen : of->heavy;
    if (within == 0 && !ends) first[atom / 7] = shells;
    for (int i = 0; i < (hydrogen ? of->hydrogen_shells : of->heavy_shells); ++i) {
      place[shells] = at;
      near[shells] = ends || atom / 7 < behind ? 0 : first[atom / 7 - behind];
      primitives[shells++] = shell[i].primitives;
      basis += shell[i].functions;
    }
  }
  for (int stored = 0; stored < 2; ++stored) {
    if (stored) pairs = malloc((size_t)pair_count * sizeof *pairs);
    pair_count = 0;
    for (long i = 0; i < shells; ++i)
      for (long j = near[i]; j <= i; ++j) {
        if (fabs(place[i] - place[j]) >= cutoff) continue;
        if (stored) pairs[pair_count] = (struct Pair){primitives[i] * primitives[j], (float)(0.5 + fabs(place[i] - place[j]))};
        ++pair_count;
      }
  }
  free(place);
  free(primitives);
  free(near);
  free(first);
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

/* Returns the text after NAME= if this is the word's name, else NULL. */
static const char *word(const char *text, const char *name) {
  const size_t length = strlen(name);
  return strncmp(text, name, length) == 0 && text[length] == '=' ? text + length + 1 : NULL;
}

int main(int argc, char **argv) {
  LMPI_Init(&argc, &argv);
  int rank, ranks;
  LMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  LMPI_Comm_size(MPI_COMM_WORLD, &ranks);
  long glycines = 15, cutoff = 12, each = 0;
  const struct Basis *of = kBases;
  int known = 1;
  for (int i = 1; i < argc; ++i) {
    const char *value;
    if ((value = word(argv[i], "glycines"))) glycines = atol(value);
    else if ((value = word(argv[i], "cutoff"))) cutoff = atol(value);
    else if ((value = word(argv[i], "each"))) each = atol(value);
    else if ((value = word(argv[i], "basis"))) {
      for (of = kBases; of < kBases + sizeof kBases / sizeof *kBases && strcmp(of->name, value) != 0; ++of) continue;
      if (of == kBases + sizeof kBases / sizeof *kBases) known = 0, of = kBases;
    } else known = 0;
  }
  if (!known || glycines < 1 || glycines > 1000 || cutoff < 1) {
    if (rank == 0) fprintf(stderr, "eri: expected glycines=1 to 1000, cutoff=1 or more, basis=631gs or sto3g, each=0 or 1\n");
    LMPI_Abort(MPI_COMM_WORLD, 2);
  }
  make_pairs(glycines, (double)cutoff, of);
  long long all = 0; /* primitives of the pairs up to this one */
  double fock = 0, integrals_of_primitives = 0, quartets = 0;
  LMPI_Barrier(MPI_COMM_WORLD);
  const double begin = LMPI_Wtime();
  for (long ij = 0; ij < pair_count; ++ij) {
    all += pairs[ij].primitives;
    integrals_of_primitives += (double)(all * pairs[ij].primitives);
    quartets += (double)(ij + 1);
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
  if (rank == 0) printf("ERI: %.0f integrals of primitives, %.0f quartets of shells\n", integrals_of_primitives, quartets);
  if (each) printf("rank %d: computed %.9f s of %.9f s\n", rank, computed, seconds);
  if (fock < 0) printf("%g\n", fock); /* the sum is used */
  free(pairs);
  LMPI_Finalize();
  return 0;
}
