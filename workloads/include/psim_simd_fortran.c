/* SPDX-License-Identifier: Apache-2.0
 * What the Fortran module psim_simd.f90 calls: compile it beside the program, with the flags of psim_simd.h. */
#include "psim_simd.h"

/* From scalar state. */
int psim_simd_pes_c(void) { return (int)psim_simd_pes(); }
int psim_simd_mask_c(void) { return (int)psim_simd_mask(); }
void psim_simd_set_mask_c(int mask) { psim_simd_set_mask((unsigned)mask); }
void *psim_simd_data_c(long offset) { return psim_simd_data((unsigned long)offset); }
void psim_simd_get_c(int offset, const void *memory, int bytes, long stride, int tag) {
  psim_simd_get((unsigned)offset, memory, (unsigned)bytes, stride, (unsigned)tag);
}
void psim_simd_put_c(int offset, void *memory, int bytes, long stride, int tag) {
  psim_simd_put((unsigned)offset, memory, (unsigned)bytes, stride, (unsigned)tag);
}
void psim_simd_get_tile_c(const struct psim_transfer *transfer) { psim_simd_get_tile(transfer); }
void psim_simd_put_tile_c(const struct psim_transfer *transfer) { psim_simd_put_tile(transfer); }
void psim_simd_sync_c(int tags) { psim_simd_sync((unsigned)tags); }

/* From SIMD functions. */
double psim_simd_sum_c(double x) { return psim_fsumd(x); }
double psim_simd_pe_c(void) { return psim_pe(); }
double psim_simd_partner_c(double x) { return psim_fxbmovd(x); }
double psim_fxmaddd_c(double a, double b, double c) { return psim_fxmaddd(a, b, c); }
double psim_fxcmaddd_c(double a, double b, double c) { return psim_fxcmaddd(a, b, c); }
double psim_fxjmaddd_c(double a, double b, double c) { return psim_fxjmaddd(a, b, c); }
