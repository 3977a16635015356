/* SPDX-License-Identifier: Apache-2.0
   The first thread of each rank's team waits for messages while the team's other threads wait for it. Its status is the
   number of iterations that were lost, or executed by a thread outside of the team. */
#include <omp.h>

#include "rank_library.h"

int main(void) {
  const int mine = rank_number(), ranks = rank_count(), threads = 2 + mine % 2;
  int wrong = 0, sum = 0;
#pragma omp parallel num_threads(threads) reduction(+ : sum, wrong)
  for (int step = 1; step <= 4; ++step) {
#pragma omp master
    {
      rank_send((mine + 1) % ranks, &step, sizeof step);
      rank_sleep(1000000 * (1 + (mine + step) % 3));
      int got = 0;
      rank_receive((mine + ranks - 1) % ranks, &got, sizeof got);
      wrong += got != step;
    }
#pragma omp barrier
#pragma omp for
    for (int i = 0; i < 12; ++i) {
      sum += 1;
      wrong += omp_get_num_threads() != threads;
    }
  }
  rank_sleep(1000000);
#pragma omp parallel num_threads(threads) reduction(+ : sum)
  sum += 1;
  return wrong + (sum != 4 * 12 + threads);
}
