/* SPDX-License-Identifier: Apache-2.0
 * A 7-point stencil: each PE has a slab with its halo, taken out of a larger array by 2-D block transfers. */
#include <stdio.h>

#include "psim_simd.h"

enum { kX = 12, kY = 10, kZ = 2 * 16 + 2, kPlane = kX * kY, kSlab = 4 * kPlane };
static double from[kZ][kY][kX], to[kZ][kY][kX];

__attribute__((noinline)) static void stencil(const double *restrict u, double *restrict v, int nx, int ny, int nz,
                                              double c0, double c1) {
  for (int z = 1; z < nz - 1; z++)
    for (int y = 1; y < ny - 1; y++)
      for (int x = 1; x < nx - 1; x++) {
        const int at = (z * ny + y) * nx + x;
        v[at] = c0 * u[at] + c1 * (u[at - 1] + u[at + 1] + u[at - nx] + u[at + nx] + u[at - nx * ny] + u[at + nx * ny]);
      }
}

int main(void) {
  for (int z = 0; z < kZ; z++)
    for (int y = 0; y < kY; y++)
      for (int x = 0; x < kX; x++) from[z][y][x] = (x * 3 + y * 5 + z * 7) % 17;
  /* Four planes for each PE, two of them halo: neighbours overlap. */
  const struct psim_transfer get = {(unsigned long)from, 2 * kPlane * 8, kPlane * 8, 0,    kPlane * 8, kPlane * 8,
                                    4,                   psim_simd_all(), 0};
  psim_simd_get_tile(&get);
  psim_simd_sync(1);
  psim_simd_call(stencil, (const double *)psim_simd_data(0), (double *)psim_simd_data(kSlab * 8), (int)kX, (int)kY, 4,
                 0.5, 0.25);
  /* The inner points of each plane, row by row: a tile of a larger array. */
  for (int plane = 1; plane < 3; plane++) {
    const struct psim_transfer put = {(unsigned long)&to[plane][1][1],
                                      2 * kPlane * 8,
                                      kX * 8,
                                      (unsigned)(kSlab + plane * kPlane + kX + 1) * 8,
                                      kX * 8,
                                      (kX - 2) * 8,
                                      kY - 2,
                                      psim_simd_all(),
                                      (unsigned)plane};
    psim_simd_put_tile(&put);
  }
  psim_simd_sync(6);
  unsigned wrong = 0;
  for (int z = 1; z < kZ - 1; z++)
    for (int y = 1; y < kY - 1; y++)
      for (int x = 1; x < kX - 1; x++) {
        const double expected = 0.5 * from[z][y][x] + 0.25 * (from[z][y][x - 1] + from[z][y][x + 1] + from[z][y - 1][x] +
                                                              from[z][y + 1][x] + from[z - 1][y][x] + from[z + 1][y][x]);
        wrong += to[z][y][x] != expected;
      }
  for (int z = 0; z < kZ; z++) wrong += to[z][0][3] != 0;
  printf("stencil: %u wrong\n", wrong);
  return wrong != 0;
}
