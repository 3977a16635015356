/* SPDX-License-Identifier: Apache-2.0
 * A loop with several steady states that begins long after its code has run for the first time: entries PASSES. Its inner loop runs never, and then
 * once in each pass, so that it does not close. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  const long passes = atol(argv[1]);
  unsigned short *from = malloc(64), *to = malloc(64);
  for (long i = 0; i < 32; ++i) from[i] = 60 + i, to[i] = 0;
  for (long length = 0; length < argc; ++length) {
    printf("%ld\n", length);
    for (long pass = 0; pass < passes; ++pass)
      for (long i = 0; i < length; ++i) {
        const unsigned short c = from[i];
        to[i] = c | (c >= 'A' && c <= 'Z') << 5;
      }
  }
  printf("%d\n", to[0]);
}
