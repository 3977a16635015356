// SPDX-License-Identifier: Apache-2.0
// Waits for writes to a line (psim_wait.h). Each part ends only if no write is lost: all waits but those of "timeout" are for ever.
// Usage: wait_for_write threads | dma | kernel | timeout | sleep CYCLES
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "psim_nic.h"
#include "psim_wait.h"

enum { kRounds = 400, kWays = 64 };
typedef struct {
  volatile unsigned long value;
  char padding[120];
} Line;
static Line turn[2] __attribute__((aligned(128)));
static volatile char conflicts[kWays][1 << 16];  // lines of one set of L1

static void delay(int loops) {
  for (volatile int left = loops; left > 0; left--) {
  }
}
static void await(volatile unsigned long* word, unsigned long value, int evict) {
  while (psim_load_monitored(word) < value) {
    // The line may leave L1 between the load and the wait.
    if (evict)
      for (int way = 0; way < kWays; way++) conflicts[way][(unsigned long)word & 0xffff]++;
    psim_wait_for_write(PSIM_FOR_EVER);
  }
}

/// Two threads take turns; each writes after another number of loops, so that the write meets every place of the other's loop.
static void* take_turns(void* argument) {
  const long me = (long)argument;
  for (int round = 1; round <= kRounds; round++) {
    if (me == 0) delay(round % 29);
    if (me == 0) turn[0].value = round;
    await(&turn[!me].value, round, round % 16 == 0);
    if (me == 1) delay(round % 31);
    if (me == 1) turn[1].value = round;
  }
  return 0;
}
static void threads(void) {
  pthread_t other;
  pthread_create(&other, 0, take_turns, (void*)1);
  take_turns((void*)0);
  pthread_join(other, 0);
  printf("threads: %lu and %lu turns\n", turn[0].value, turn[1].value);
}

/// Two nodes take turns by puts of a word.
static unsigned long word;
static void dma(void) {
  const int me = psim_nic_node();
  for (int round = 1; round <= 40; round++) {
    if (me == 1) await(&turn[0].value, round, 0);
    delay(round * 7 % 43);
    word = round;
    volatile unsigned long done = 0;
    psim_nic_put(!me, &word, &turn[me].value, 8, 0, &done);
    while (psim_load_monitored(&done) == 0) psim_wait_for_write(PSIM_FOR_EVER);
    if (me == 0) await(&turn[1].value, round, 0);
  }
  printf("dma: node %d: %lu turns\n", me, turn[!me].value);
}

/// The kernel writes for another thread.
static void* read_file(void* argument) {
  const int file = open("word", O_RDWR | O_CREAT | O_TRUNC, 0600);
  const unsigned long one = 1;
  delay(5000);
  if (write(file, &one, 8) != 8 || pread(file, (void*)&turn[0].value, 8, 0) != 8) return argument;
  delay(5000);
  return 0;
}
static void kernel(void) {
  pthread_t other;
  pthread_create(&other, 0, read_file, 0);
  await(&turn[0].value, 1, 0);
  pthread_join(other, 0);
  printf("kernel: %lu\n", turn[0].value);
}

static unsigned long now(void) {
  unsigned long cycles;
  asm volatile("rd %%tick, %0" : "=r"(cycles));
  return cycles;
}
/// Prints whether a wait takes between `least` and 200 cycles more.
static void judge(const char* what, unsigned long begin, unsigned long end, unsigned long least) {
  const unsigned long took = end - begin;
  if (took >= least && took < least + 200)
    printf("%s: good\n", what);
  else
    printf("%s: %lu cycles, expected %lu and a few\n", what, took, least);
}
static void timeout(void) {
  for (int i = 0; i < 2; i++) {  // the first finds cold caches
    psim_load_monitored(&turn[0].value);
    unsigned long begin = now();
    psim_wait_for_write(2000);
    unsigned long end = now();
    if (i) judge("a wait that times out", begin, end, 2000);
    begin = now();
    psim_wait_for_write(2000);
    end = now();
    if (i) judge("a wait without a load", begin, end, 0);
    psim_load_monitored(&turn[0].value);
    turn[0].value++;
    begin = now();
    psim_wait_for_write(2000);
    end = now();
    if (i) judge("a wait after a write", begin, end, 0);
  }
}

int main(int argc, char** argv) {
  const char* const part = argc > 1 ? argv[1] : "";
  if (strcmp(part, "threads") == 0) threads();
  if (strcmp(part, "dma") == 0) dma();
  if (strcmp(part, "kernel") == 0) kernel();
  if (strcmp(part, "timeout") == 0) timeout();
  if (strcmp(part, "sleep") == 0) {
    const unsigned long cycles = strtoul(argv[2], 0, 10);
    psim_load_monitored(&turn[0].value);
    psim_wait_for_write(cycles);
  }
}
