/* SPDX-License-Identifier: Apache-2.0
   Messages into an array of zeros that begins in the page of the initialised variables and ends far after it. */
#include <string.h>

#include "rank_library.h"

static volatile int initialised = 5;
static char array[100000];
static char out[100000];

int main(void) {
  const int me = rank_number(), n = rank_count();
  for (int round = 0; round < 3; ++round) {
    memset(out, 10 * round + me, sizeof out);
    rank_send((me + 1) % n, out, sizeof out);
    rank_sleep(1000);
    rank_receive((me + n - 1) % n, array, sizeof array);
    const int want = 10 * round + (me + n - 1) % n;
    for (unsigned long i = 0; i < sizeof array; ++i)
      if (array[i] != want) return 1;
    initialised += me;
  }
  return initialised != 5 + 3 * me;
}
