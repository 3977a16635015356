// SPDX-License-Identifier: Apache-2.0
// threads ROUNDS: three threads work between barriers, so that cores wait for each other again and again.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_barrier_t barrier;
static long sums[3];
static int rounds;

static void *work(void *number) {
  const long mine = (long)number;
  for (int round = 0; round < rounds; ++round) {
    for (int i = 0; i < 2000 * (mine + 1); ++i) sums[mine] += i ^ round;
    pthread_barrier_wait(&barrier);
  }
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t threads[3];
  rounds = argc > 1 ? atoi(argv[1]) : 10;
  pthread_barrier_init(&barrier, NULL, 3);
  for (long i = 0; i < 3; ++i) pthread_create(&threads[i], NULL, work, (void *)i);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  printf("%ld\n", sums[0] + sums[1] + sums[2]);
  return 0;
}
