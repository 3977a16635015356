// SPDX-License-Identifier: Apache-2.0
// Floating point: a filter of 16 taps, two biquads in series, a polynomial, divisions and square roots. The signal is of small
// integers, so that the taps' sums are exact.
#include <math.h>
#include <stdio.h>

#include "psim.h"

enum { N = 1024, TAPS = 16 };
static double signal_[N + TAPS], filtered[N], smooth[N];

int main(void) {
  for (int i = 0; i < N + TAPS; ++i) signal_[i] = (i * 37 + i / 5) % 101 - 50;
  double taps[TAPS];
  for (int t = 0; t < TAPS; ++t) taps[t] = t + 1;

  PSIM_REGION_BEGIN("taps", N, TAPS);
  for (int i = 0; i < N; ++i) {
    double sum = 0;
    for (int t = 0; t < TAPS; ++t) sum += taps[t] * signal_[i + t];
    filtered[i] = sum;
  }
  PSIM_REGION_END("taps");

  PSIM_REGION_BEGIN("biquads", N);
  double state[2][2] = {{0, 0}, {0, 0}};
  for (int i = 0; i < N; ++i) {
    double x = signal_[i];
    for (int s = 0; s < 2; ++s) {
      const double w = x + 1.25 * state[s][0] - 0.5 * state[s][1];
      x = 0.0625 * (w + 2 * state[s][0] + state[s][1]);
      state[s][1] = state[s][0];
      state[s][0] = w;
    }
    smooth[i] = x;
  }
  PSIM_REGION_END("biquads");

  PSIM_REGION_BEGIN("roots", N / 4);
  double roots = 0;
  for (int i = 0; i < N / 4; ++i) {
    const double x = i * 0.03125;
    const double polynomial = (((0.125 * x + 0.25) * x + 0.5) * x + 1) * x + 1;
    roots += sqrt(polynomial) / (1 + x);
  }
  PSIM_REGION_END("roots");

  long wrong = 0, exact = 0;
  for (int i = 0; i < N; ++i) {
    long sum = 0;
    for (int t = 0; t < TAPS; ++t) sum += (t + 1) * (((i + t) * 37 + (i + t) / 5) % 101 - 50);
    wrong += filtered[i] != (double)sum;
    exact += sum;
  }
  wrong += !(roots > 256 && roots < 1024) || !(smooth[N - 1] > -60 && smooth[N - 1] < 60);
  printf("filter: %ld, %.6f, %.6f, wrong=%ld\n", exact, smooth[N - 1], roots, wrong);
  return wrong != 0;
}
