/* SPDX-License-Identifier: Apache-2.0
 * Units of Fortran, per rank. libgfortran is one for all ranks of the host process, so each rank's units but the
 * standard ones (0, 5, 6) get numbers of their own there. psim-f90 links programs with --wrap for these functions. Every
 * parameter block of libgfortran begins with flags and the unit; NEWUNIT gives negative numbers, which are unlike all
 * others already. */
#include "mpi.h"

struct common {
  int flags, unit;
};

enum { kUnitsOfRank = 16384 };

static void make_own(struct common* block) {
  int rank = 0;
  if (block->unit <= 0 || block->unit == 5 || block->unit == 6 || block->unit >= kUnitsOfRank) return;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank < 131072) block->unit += rank * kUnitsOfRank;
}

#define OWN(name)                                \
  void __real__gfortran_st_##name(void* block);  \
  void __wrap__gfortran_st_##name(void* block) { \
    make_own(block);                             \
    __real__gfortran_st_##name(block);           \
  }
OWN(open)
OWN(close)
OWN(read)
OWN(write)
OWN(inquire)
OWN(rewind)
OWN(backspace)
OWN(endfile)
OWN(flush)
OWN(wait)
