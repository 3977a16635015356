/* SPDX-License-Identifier: Apache-2.0
   The first rank computes for 0.4 s of the host's processor time; the clocks of ranks do not include it. */
#include "rank_library.h"

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static double processor_time(void) {
  struct timespec time;
  syscall(SYS_clock_gettime, CLOCK_THREAD_CPUTIME_ID, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

int main(void) {
  volatile double sum = 0;
  if (rank_number() != 0) return 0;
  for (const double begin = processor_time(); processor_time() < begin + 0.4;)
    for (int i = 0; i < 1000000; ++i) sum += i;
  return 0;
}
