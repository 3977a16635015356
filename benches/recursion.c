// SPDX-License-Identifier: Apache-2.0
// Calls, returns and window traps: the worst for a trace recorded from blocks.
#include <stdio.h>
#include <stdlib.h>

static unsigned __attribute__((noinline)) fibonacci(unsigned n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

int main(int argc, char** argv) {
  printf("%u\n", fibonacci(argc > 1 ? (unsigned)atoi(argv[1]) : 30));
  return 0;
}
