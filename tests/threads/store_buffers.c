// SPDX-License-Identifier: Apache-2.0
// Litmus test "store buffering": each of two threads stores to its own variable and loads that of the other. Prints how often both loads
// returned 0, without a barrier between and with membar #StoreLoad.
#include <pthread.h>
#include <stdio.h>

enum { kRounds = 60 };
static struct {
  volatile long value;
  char padding[120];
} variable[2][kRounds];
static volatile long seen[2][2][kRounds], ready[2][2];

static void* run(void* argument) {
  const long me = (long)argument;
  for (int barrier = 0; barrier < 2; barrier++) {
    for (int i = 0; i < kRounds; i++) {
      // Begin together, at varying distances.
      ready[me][barrier] = i + 1;
      while (ready[!me][barrier] < i + 1) {
      }
      for (volatile int delay = me ? i % 7 : 0; delay > 0; delay--) {
      }
      variable[me][i].value = barrier + 1;
      if (barrier) asm volatile("membar #StoreLoad" ::: "memory");
      seen[barrier][me][i] = variable[!me][i].value;
    }
  }
  return 0;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, 0, run, (void*)1);
  run((void*)0);
  pthread_join(other, 0);
  for (int barrier = 0; barrier < 2; barrier++) {
    int both = 0, one = 0;
    for (int i = 0; i < kRounds; i++) {
      const int first = seen[barrier][0][i] != barrier + 1, second = seen[barrier][1][i] != barrier + 1;
      both += first && second;
      one += first != second;
    }
    printf("%s: both old %d, one old %d\n", barrier ? "membar #StoreLoad" : "no barrier", both, one);
  }
}
