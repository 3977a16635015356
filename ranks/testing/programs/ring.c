/* SPDX-License-Identifier: Apache-2.0
   Passes a token around a ring, between globals. */
#include <stdio.h>
#include <stdlib.h>

#include "rank_library.h"

static int counter = 100;
int token;

int main(int argc, char** argv) {
  const int me = rank_number(), n = rank_count();
  const int laps = argc > 1 ? atoi(argv[1]) : 1;
  for (int lap = 0; lap < laps; ++lap) {
    counter += me;
    if (me == 0) {
      token = lap;
      rank_send(1 % n, &token, sizeof token);
      rank_receive(n - 1, &token, sizeof token);
    } else {
      rank_receive(me - 1, &token, sizeof token);
      ++token;
      rank_send((me + 1) % n, &token, sizeof token);
    }
  }
  if (counter != 100 + laps * me) return 1;
  if (me < 4) printf("rank %d of %d: token %d counter %d at %ld\n", me, n, token, counter, rank_time());
  return 0;
}
