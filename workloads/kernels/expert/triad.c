// SPDX-License-Identifier: Apache-2.0
// a = b + s c, the stream triad. 24 bytes to and from memory for two flops; through caches 32, as a line of a
// is read before it is written.
//
// Usage: triad scalar|simd [N = 65536]. N is a multiple of 256 times the number of PEs.
#include "stream.h"

static __attribute__((noinline)) void triad(double s, const double* c, const double* b, double* a, long n) {
  stream(s, c, b, a, n, 1, 0);
}

int main(int argc, char** argv) {
  const int simd = want_simd(argc, argv);
  const long n = size_argument(argc, argv, 65536, PIECE * (simd ? psim_simd_pes() : 1), 1 << 28);
  const double s = 1.0 / 3;
  double *a, *b, *c;
  new_arrays(n, &c, &b, &a);
  fill(c, n, 7), fill(b, n, 5), memset(a, 0, 8 * n);

  PSIM_REGION_BEGIN("triad", n);
  if (simd)
    stream_on_pes(s, c, b, a, n);
  else
    triad(s, c, b, a, n);
  PSIM_REGION_END("triad");

  long wrong = 0;
  for (long i = 0; i < n; ++i) wrong += a[i] != b[i] + s * c[i];
  printf("triad %s n=%ld wrong=%ld\n", simd ? "simd" : "scalar", n, wrong);
  return wrong != 0;
}
