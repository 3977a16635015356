/* SPDX-License-Identifier: Apache-2.0
 * Units of Fortran, per rank. libgfortran is one for all ranks of the host process, so each rank's units get numbers of
 * their own there, but for the standard ones (0, 5, 6), as long as nobody opens them. psim-f90 links programs with --wrap for
 * these functions. Every parameter block of libgfortran begins with flags and the unit; NEWUNIT gives negative numbers, which
 * are unlike all others already.
 *
 * libgfortran holds a unit from the beginning to the end of a statement. If a function among its items calls MPI, other ranks run
 * meanwhile: one that finds 0 or 6 held gets a unit of its own for it, which psim takes for standard output or error, too. */
#include <stdio.h>
#include <sys/resource.h>

#include "mpi.h"
#include "netsim/mpi/fortran/units.h"

struct common {
  int flags, unit;
};

enum { kUnitsOfRank = 16384, kMostRanks = 131072, kStandard = 7 };

static int own[kStandard]; /* numbers that stand for 0, 5 and 6, once they are the rank's own; else 0 */

extern void psim_open_unit(const int* number, int* status);
extern int _gfortran_fnum_i4(const int* unit);
extern void _gfortran_flush_i4(const int* unit);

static int is_standard(int unit) { return unit == 0 || unit == 5 || unit == 6; }

/* The last numbers of the rank's. */
static int own_number(int unit) { return psim_rank() * kUnitsOfRank + kUnitsOfRank - kStandard + unit; }

static void open_own(int unit) {
  const int number = own_number(unit);
  int status = 0;
  struct rlimit files;
  if (getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur < files.rlim_max) {
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
  }
  psim_open_unit(&number, &status);
  if (status != 0) {
    fprintf(stderr, "psim: no descriptor is left for what rank %d prints while others are in the middle of a print\n", psim_rank());
    PMPI_Abort(MPI_COMM_WORLD, 1);
  }
  if (psim_output_descriptor) psim_output_descriptor(_gfortran_fnum_i4(&number), unit == 0 ? 2 : 1);
  own[unit] = number;
}

static int own_unit(int unit) {
  if (is_standard(unit) && own[unit]) return own[unit];
  if (unit < 0 || is_standard(unit) || unit >= kUnitsOfRank || psim_rank() >= kMostRanks) return unit;
  return unit + psim_rank() * kUnitsOfRank;
}

/* Of statements without items. */
#define OWN(name)                                \
  void __real__gfortran_st_##name(void* block);  \
  void __wrap__gfortran_st_##name(void* block) { \
    struct common* common = block;               \
    common->unit = own_unit(common->unit);       \
    __real__gfortran_st_##name(block);           \
  }
OWN(close)
OWN(inquire)
OWN(rewind)
OWN(backspace)
OWN(endfile)
OWN(wait)

void __real__gfortran_st_flush(void* block);
void __wrap__gfortran_st_flush(void* block) {
  struct common* common = block;
  common->unit = own_unit(common->unit);
  if (!is_standard(common->unit) || psim_unit_free(common->unit)) __real__gfortran_st_flush(block);
}

/* A standard unit that is opened is another file from then on. */
void __real__gfortran_st_open(void* block);
void __wrap__gfortran_st_open(void* block) {
  struct common* common = block;
  if (is_standard(common->unit)) own[common->unit] = own_number(common->unit);
  common->unit = own_unit(common->unit);
  __real__gfortran_st_open(block);
}

void __real__gfortran_st_write(void* block);
void __wrap__gfortran_st_write(void* block) {
  struct common* common = block;
  if (is_standard(common->unit) && !own[common->unit] && !psim_unit_enter(common->unit)) open_own(common->unit);
  common->unit = own_unit(common->unit);
  __real__gfortran_st_write(block);
}
void __real__gfortran_st_write_done(void* block);
void __wrap__gfortran_st_write_done(void* block) {
  const int unit = ((struct common*)block)->unit;
  __real__gfortran_st_write_done(block);
  if (is_standard(unit))
    psim_unit_leave(unit);
  else if (unit > 0 && (unit == own[0] || unit == own[6]))
    _gfortran_flush_i4(&unit);
}

/* There is one standard input, so there is no way around who is in the middle of reading it. */
void __real__gfortran_st_read(void* block);
void __wrap__gfortran_st_read(void* block) {
  struct common* common = block;
  if (is_standard(common->unit) && !own[common->unit] && !psim_unit_enter(common->unit)) {
    fprintf(stderr, "psim: rank %d reads standard input while another rank is in the middle of a read that calls MPI\n", psim_rank());
    PMPI_Abort(MPI_COMM_WORLD, 1);
  }
  common->unit = own_unit(common->unit);
  __real__gfortran_st_read(block);
}
void __real__gfortran_st_read_done(void* block);
void __wrap__gfortran_st_read_done(void* block) {
  const int unit = ((struct common*)block)->unit;
  __real__gfortran_st_read_done(block);
  if (is_standard(unit)) psim_unit_leave(unit);
}
