// SPDX-License-Identifier: Apache-2.0
// A thread reads from a pipe what another writes; with an argument both read from empty pipes.
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int ends[2][2];

static void *other(void *both_read) {
  char text[8] = "";
  if (both_read) read(ends[1][0], text, 1);
  for (volatile int i = 0; i < 20000; i++) continue;
  write(ends[0][1], "hello", 6);
  return 0;
}

int main(int count, char **words) {
  char text[8];
  pthread_t thread;
  pipe(ends[0]);
  pipe(ends[1]);
  pthread_create(&thread, 0, other, count > 1 ? words : 0);
  read(ends[0][0], text, sizeof text);
  pthread_join(thread, 0);
  puts(text);
  return 0;
}
