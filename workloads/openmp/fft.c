// SPDX-License-Identifier: Apache-2.0
// Eight transforms of N points, radix 2, decimation in time, in place. A number is its real and its imaginary
// part, side by side. The host puts the points in bit-reversed order; the transforms are distributed. Usage:
// fft [N = 1024]. N is a power of two from 8 on.
#include <math.h>

#include "kernel.h"

enum { TRANSFORMS = 8 };

// w[k] = exp(-2 pi i k / n)
static void transform(long n, double* restrict x, const double* restrict w) {
#pragma omp target teams distribute parallel for map(tofrom: x[0:TRANSFORMS * 2 * n]) map(to: w[0:2 * n])
  for (long t = 0; t < TRANSFORMS; ++t) {
    double* const p = x + t * 2 * n;
    for (long i = 0; i < 2 * n; i += 4) {  // The first pass multiplies by 1.
      const double re = p[i + 2], im = p[i + 3];
      p[i + 2] = p[i] - re, p[i + 3] = p[i + 1] - im;
      p[i] += re, p[i + 1] += im;
    }
    for (long half = 2; half < n; half *= 2)
      for (long i = 0; i < n; i += 2 * half)
        for (long k = 0; k < half; ++k) {
          double *const a = p + 2 * (i + k), *const b = a + 2 * half;
          const double* const u = w + 2 * (k * (n / (2 * half)));
          const double re = b[0] * u[0] - b[1] * u[1], im = b[0] * u[1] + b[1] * u[0];
          b[0] = a[0] - re, b[1] = a[1] - im;
          a[0] += re, a[1] += im;
        }
  }
}

int main(int argc, char** argv) {
  const long n = size_argument(argc, argv, 1024, 8);
  if (n & (n - 1)) {
    fprintf(stderr, "%s: N = %ld: expected a power of two\n", argv[0], n);
    return 2;
  }
  double* const first = new_array(TRANSFORMS * 2 * n);
  double* const x = new_array(TRANSFORMS * 2 * n);
  double* const w = new_array(2 * n);
  for (long i = 0; i < n; ++i) w[2 * i] = cos(2 * M_PI * i / n), w[2 * i + 1] = -sin(2 * M_PI * i / n);
  for (long i = 0; i < TRANSFORMS * n; ++i) first[2 * i] = i % 7 - 3, first[2 * i + 1] = i % 3 - 1;
  for (long i = 0; i < n; ++i) {
    long reversed = 0;
    for (long bit = 1, mirror = n / 2; mirror; bit *= 2, mirror /= 2)
      if (i & bit) reversed |= mirror;
    for (long t = 0; t < TRANSFORMS; ++t)
      for (int part = 0; part < 2; ++part) x[2 * (t * n + reversed) + part] = first[2 * (t * n + i) + part];
  }
  transform(n, x, w);

  // Every eighth point, from the definition. The checksum is the sum of all squares, whose digits beyond the
  // ninth may differ.
  long wrong = 0;
  double squares = 0;
  for (long t = 0; t < TRANSFORMS; ++t)
    for (long k = 0; k < n; ++k) {
      const double *const result = x + 2 * (t * n + k), *const from = first + 2 * t * n;
      squares += result[0] * result[0] + result[1] * result[1];
      if (k % 8 != t) continue;
      double re = 0, im = 0;
      for (long i = 0; i < n; ++i) {
        const double* const u = w + 2 * (i * k % n);
        re += from[2 * i] * u[0] - from[2 * i + 1] * u[1], im += from[2 * i] * u[1] + from[2 * i + 1] * u[0];
      }
      wrong += !(hypot(re - result[0], im - result[1]) < 1e-9);
    }
  return report("fft", n, wrong, llround(squares));
}
