// SPDX-License-Identifier: Apache-2.0
// Endless recursion: dies of a stack that has no more room.
#include <stdio.h>

static int down(int n) {
  volatile char frame[1000];
  frame[0] = (char)n;
  return down(n + 1) + frame[0];
}

int main(void) {
  puts("down"), fflush(stdout);
  return down(0);
}
