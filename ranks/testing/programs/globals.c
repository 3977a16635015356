/* SPDX-License-Identifier: Apache-2.0
   Globals of -DBYTES=… bytes that begin with 1 (-DFIRST=0: all zero). Half of them are touched between calls. */
#include "rank_library.h"

#ifndef BYTES
#define BYTES 4096
#endif

#ifndef FIRST
#define FIRST 1
#endif

char block[BYTES] = {FIRST};

int main(void) {
  const int me = rank_number();
  for (int round = 0; round < 4; ++round) {
    for (long i = 0; i < BYTES / 2; i += 64) {
      if (round > 0 && block[i] != (char)(me + round - 1)) return 1;
      block[i] = (char)(me + round);
    }
    rank_sleep(1000);
  }
  return 0;
}
