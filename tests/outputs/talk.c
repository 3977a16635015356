// SPDX-License-Identifier: Apache-2.0
// Prints a line, and, with an argument, then runs for ever.
#include <stdio.h>

int main(int argc, char** argv) {
  FILE* temporary = fopen("/tmp/file", "w");  // makes psim create the private folder
  if (temporary) fclose(temporary);
  printf("from the guest\n");
  fflush(stdout);
  for (volatile unsigned long i = 0; argc > 1; ++i) {
  }
  (void)argv;
  return 0;
}
