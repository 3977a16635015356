/* SPDX-License-Identifier: Apache-2.0
 * What the Fortran module psim.f90 calls: compile it beside the program. Names are C strings. */
#include "psim.h"

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
