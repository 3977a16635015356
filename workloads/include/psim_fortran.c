/* SPDX-License-Identifier: Apache-2.0
 * Functions that the Fortran module psim.f90 calls. Compile this file with the program; psim-f90 links both by itself. Names are
 * C strings. */
#include "psim.h"

#if defined(PSIM_RANKS) && !defined(__sparc__)

/* Without a line: psim finds the caller's, in the Fortran program. */
void psim_region_begin_c(const char *name, int count, const long long *arguments) {
  psim_region_begin_at(name, count, arguments, 0, 0);
}

void psim_region_end_c(const char *name) { psim_region_end_at(name, 0, 0); }

int psim_region_runs_c(const char *name, int count, const long long *arguments) {
  return psim_region_runs_at(name, count, arguments, 0, 0);
}

#else

void psim_region_begin_c(const char *name, int count, const long long *arguments) {
  switch (count) {
    case 0:
      PSIM_REGION_BEGIN(name);
      break;
    case 1:
      PSIM_REGION_BEGIN(name, arguments[0]);
      break;
    case 2:
      PSIM_REGION_BEGIN(name, arguments[0], arguments[1]);
      break;
    case 3:
      PSIM_REGION_BEGIN(name, arguments[0], arguments[1], arguments[2]);
      break;
    default:
      PSIM_REGION_BEGIN(name, arguments[0], arguments[1], arguments[2], arguments[3]);
      break;
  }
}

void psim_region_end_c(const char *name) { PSIM_REGION_END(name); }

int psim_region_runs_c(const char *name, int count, const long long *arguments) {
  psim_region_begin_c(name, count, arguments);
  return 1;
}

#endif

void psim_work_c(long long flops, long long memory_bytes) { PSIM_WORK(flops, memory_bytes); }
