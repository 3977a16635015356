/* SPDX-License-Identifier: Apache-2.0
 * Random swaps in an array, which fill the reorder buffer some thousand instructions after a unit begins: swaps ELEMENTS ROUNDS. */
#include <stdio.h>
#include <stdlib.h>

static unsigned long state = 1;
static unsigned long next(void) { return state = state * 1103515245 + 12345; }
int main(int argc, char **argv) {
  const unsigned long count = strtoul(argv[1], NULL, 0), rounds = strtoul(argv[argc - 1], NULL, 0);
  long *const a = malloc(count * sizeof *a);
  long sum = 0;
  for (unsigned long i = 0; i < count; ++i) a[i] = i;
  for (unsigned long round = 0; round < rounds; ++round)
    for (unsigned long i = 0; i < count; ++i) {
      const unsigned long other = next() % count;
      const long kept = a[i];
      a[i] = a[other], a[other] = kept;
    }
  for (unsigned long i = 0; i < count; ++i) sum += a[i] * (i & 7);
  printf("%ld\n", sum);
}
