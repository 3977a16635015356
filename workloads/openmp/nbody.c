// SPDX-License-Identifier: Apache-2.0
// Accelerations of N bodies by gravity, softened: the sum of m d / (|d|² + e²)^(3/2) over all bodies.
// Usage: nbody [N = 512]
#include <math.h>

#include "kernel.h"

static const double softening = 0.015625;  // e²

static void accelerate(long n, const double* restrict x, const double* restrict y, const double* restrict z,
                       const double* restrict m, double* restrict ax, double* restrict ay,
                       double* restrict az) {
#pragma omp target teams distribute parallel for map(to: x[0:n], y[0:n], z[0:n], m[0:n]) map(from: ax[0:n], ay[0:n], az[0:n])
  for (long i = 0; i < n; ++i) {
    double sx = 0, sy = 0, sz = 0;
    for (long j = 0; j < n; ++j) {
      const double dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
      const double square = dx * dx + dy * dy + dz * dz + softening;
      const double force = m[j] / (square * sqrt(square));
      sx += force * dx, sy += force * dy, sz += force * dz;
    }
    ax[i] = sx, ay[i] = sy, az[i] = sz;
  }
}

int main(int argc, char** argv) {
  const long n = size_argument(argc, argv, 512, 1);
  double *const x = new_array(n), *const y = new_array(n), *const z = new_array(n), *const m = new_array(n);
  double *const ax = new_array(n), *const ay = new_array(n), *const az = new_array(n);
  for (long i = 0; i < n; ++i) {
    x[i] = 0.125 * (i % 8), y[i] = 0.125 * (i / 8 % 8), z[i] = 0.125 * (i / 64) + 0.015625 * (i % 3);
    m[i] = 1 + 0.25 * (i % 5);
  }
  accelerate(n, x, y, z, m, ax, ay, az);

  // Roundings differ with fused multiply-adds: sums of n terms agree to 1e-12 of the sum of their magnitudes.
  long wrong = 0;
  double sum = 0;
  for (long i = 0; i < n; ++i) {
    double sx = 0, sy = 0, sz = 0, size = 0;
    for (long j = 0; j < n; ++j) {
      const double dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
      const double square = dx * dx + dy * dy + dz * dz + softening;
      const double force = m[j] / (square * sqrt(square));
      sx += force * dx, sy += force * dy, sz += force * dz, size += force;
    }
    wrong += !(fabs(ax[i] - sx) + fabs(ay[i] - sy) + fabs(az[i] - sz) < 1e-12 * size);
    sum += fabs(ax[i]) + fabs(ay[i]) + fabs(az[i]);
  }
  return report("nbody", n, wrong, llround(1000 * sum));
}
