// SPDX-License-Identifier: Apache-2.0
// 7-point stencil on N × N × N points with a border: out = far × (sum of the six neighbours) + near × the
// point itself. The planes follow each other; the rows of a plane are distributed. Usage: stencil [N = 64]
#include "kernel.h"

static const double near = -1.5, far = 0.375;

// Writes the inner points of a plane of the result from the plane `in` and the planes on either side.
static void relax(long n, const double* restrict below, const double* restrict in,
                  const double* restrict above, double* restrict out) {
  const long pitch = n + 2, plane = pitch * pitch;
#pragma omp target teams distribute parallel for map(to: below[0:plane], in[0:plane], above[0:plane]) map(tofrom: out[0:plane])
  for (long y = 1; y <= n; ++y)
    for (long x = 1; x <= n; ++x) {
      const long p = y * pitch + x;
      out[p] =
          far * (in[p - 1] + in[p + 1] + in[p - pitch] + in[p + pitch] + below[p] + above[p]) + near * in[p];
    }
}

int main(int argc, char** argv) {
  const long n = size_argument(argc, argv, 64, 1), pitch = n + 2, plane = pitch * pitch,
             points = plane * pitch;
  double* const in = new_numbers(points, 7);
  double* const out = new_array(points);
  for (long z = 1; z <= n; ++z)
    relax(n, in + (z - 1) * plane, in + z * plane, in + (z + 1) * plane, out + z * plane);

  long wrong = 0;
  for (long z = 0; z < pitch; ++z)
    for (long y = 0; y < pitch; ++y)
      for (long x = 0; x < pitch; ++x) {
        const double* const p = in + z * plane + y * pitch + x;
        const int inner = z >= 1 && z <= n && y >= 1 && y <= n && x >= 1 && x <= n;
        const double expected =
            inner ? far * (p[-1] + p[1] + p[-pitch] + p[pitch] + p[-plane] + p[plane]) + near * p[0] : 0;
        wrong += out[z * plane + y * pitch + x] != expected;
      }
  return report("stencil", n, wrong, checksum(out, points));
}
