/* SPDX-License-Identifier: Apache-2.0
   Crashes the rank given by the second argument, in the way given by the first. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "rank_library.h"
static int h(int* address);
volatile int zero;
int target, *volatile wild = &target;

__attribute__((noinline)) static void store_at(int* address) {
  *address = 1; /* line 16 */
}

__attribute__((noinline)) static int descend(int depth) {
  volatile char frame[1000];
  frame[0] = (char)depth;
  return depth < 0 ? 0 : descend(depth + 1) + frame[0];
}

/* Returns the host's processor time: clock() is simulated. */
static double host_seconds(void) {
  struct timespec now;
  syscall(SYS_clock_gettime, CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Skips a guard page and writes to another rank's stack, unless each page is touched. */
__attribute__((noinline)) static int large_frame(void) {
  volatile char frame[3000000];
  frame[0] = 1;
  return frame[0];
}

int main(int argc, char** argv) {
  const char* way = argc > 1 ? argv[1] : "";
  const int victim = argc > 2 ? atoi(argv[2]) : 0;
  rank_sleep(1000);
  if (rank_number() == victim) {
    printf("last words\n");
    if (!strcmp(way, "store")) store_at((int*)(16 + (long)zero));
    if (!strcmp(way, "divide")) return 7 / zero;
    if (!strcmp(way, "abort")) abort();
    if (!strcmp(way, "descend")) return descend(1);
    if (!strcmp(way, "call")) ((void (*)(void))(long)zero)();
    if (!strcmp(way, "free")) free(wild);
    if (!strcmp(way, "copy")) memcpy((void*)(long)zero, argv[1], (size_t)(100000 + zero));
    if (!strcmp(way, "job")) rank_abort(5);
    if (!strcmp(way, "wait")) rank_receive(0, NULL, 0);
    if (!strcmp(way, "spin"))
      for (double start = host_seconds(); host_seconds() - start < 3.5;) zero = 0;
    if (!strcmp(way, "frame")) return large_frame();
    if (!strcmp(way, "letter")) return h((int*)(16 + (long)zero));
    if (!strcmp(way, "overflow")) {
      // Overwrites the size of its own block. The block has a mapping to itself, because it is larger than
      // glibc's largest M_MMAP_THRESHOLD: no other block is damaged.
      volatile long* const block = malloc((size_t)64 << 20);
      block[-1] = 24 | 2;  // 2: IS_MMAPPED
      free((void*)block);
    }
  }
  rank_sleep(1000000);
  return 0;
}

/* Has a name of one letter, which a C++ demangler takes for a type. */
__attribute__((noinline)) static int h(int* address) { return *address; }
