/* SPDX-License-Identifier: Apache-2.0
 * What the Fortran module psim_simd.f90 calls: compile it beside the program, with the flags of psim_simd.h. */
#include "psim_simd.h"
#include "psim_simd_math.h"

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
double psim_select_gt_c(double x, double y, double a, double b) { return psim_select_gt(x, y, a, b); }
float psim_select_gtf_c(float x, float y, float a, float b) { return psim_select_gtf(x, y, a, b); }
double psim_select_ge_c(double x, double y, double a, double b) { return psim_select_ge(x, y, a, b); }
float psim_select_gef_c(float x, float y, float a, float b) { return psim_select_gef(x, y, a, b); }
double psim_select_lt_c(double x, double y, double a, double b) { return psim_select_lt(x, y, a, b); }
float psim_select_ltf_c(float x, float y, float a, float b) { return psim_select_ltf(x, y, a, b); }
double psim_select_le_c(double x, double y, double a, double b) { return psim_select_le(x, y, a, b); }
float psim_select_lef_c(float x, float y, float a, float b) { return psim_select_lef(x, y, a, b); }
double psim_select_eq_c(double x, double y, double a, double b) { return psim_select_eq(x, y, a, b); }
float psim_select_eqf_c(float x, float y, float a, float b) { return psim_select_eqf(x, y, a, b); }
double psim_select_ne_c(double x, double y, double a, double b) { return psim_select_ne(x, y, a, b); }
float psim_select_nef_c(float x, float y, float a, float b) { return psim_select_nef(x, y, a, b); }
double psim_simd_div_c(double x, double y) { return psim_simd_div(x, y); }
float psim_simd_divf_c(float x, float y) { return psim_simd_divf(x, y); }
double psim_simd_sqrt_c(double x) { return psim_simd_sqrt(x); }
float psim_simd_sqrtf_c(float x) { return psim_simd_sqrtf(x); }
