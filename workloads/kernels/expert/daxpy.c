// SPDX-License-Identifier: Apache-2.0
// y += s x. 24 bytes to and from memory for two flops.
// Usage: daxpy scalar|simd [N = 65536]. N is a multiple of 256 times the number of PEs.
#include "stream.h"

static __attribute__((noinline)) void daxpy(double s, const double* x, double* y, long n) {
  stream(s, x, y, y, n, 1, 1);
}

int main(int argc, char** argv) {
  const int simd = want_simd(argc, argv);
  const long n = size_argument(argc, argv, 65536, PIECE * (simd ? psim_simd_pes() : 1), 1 << 28);
  const double s = 1.0 / 3;
  double *x, *y, *before;
  new_arrays(n, &x, &y, &before);
  fill(x, n, 7), fill(y, n, 5), fill(before, n, 5);

  PSIM_REGION_BEGIN("daxpy", n);
  if (simd)
    stream_on_pes(s, x, y, y, n);
  else
    daxpy(s, x, y, n);
  PSIM_REGION_END("daxpy");

  long wrong = 0;
  for (long i = 0; i < n; ++i) wrong += y[i] != before[i] + s * x[i];
  printf("daxpy %s n=%ld wrong=%ld\n", simd ? "simd" : "scalar", n, wrong);
  return wrong != 0;
}
