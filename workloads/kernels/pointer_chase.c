// SPDX-License-Identifier: Apache-2.0
// Follows a random cycle through memory, one 64-byte line a step. Usage: pointer_chase [lines = 65536] [steps = 1000000]
#include <stdio.h>
#include <stdlib.h>

struct line {
  struct line* next;
  long value[7];
};

int main(int argc, char** argv) {
  const long lines = argc > 1 ? atol(argv[1]) : 65536, steps = argc > 2 ? atol(argv[2]) : 1000000;
  struct line* const memory = aligned_alloc(64, lines * sizeof(struct line));
  long* const order = malloc(lines * sizeof(long));
  if (!memory || !order) return 1;
  unsigned long random = 88172645463325252ul;
  for (long i = 0; i < lines; ++i) order[i] = i, memory[i].value[0] = i;
  for (long i = lines - 1; i > 0; --i) {  // one cycle through all lines (Sattolo)
    random ^= random << 13, random ^= random >> 7, random ^= random << 17;
    const long j = (long)(random % (unsigned long)i), swapped = order[i];
    order[i] = order[j], order[j] = swapped;
  }
  for (long i = 0; i < lines; ++i) memory[order[i]].next = &memory[order[(i + 1) % lines]];
  const struct line* at = memory;
  long sum = 0;
  for (long i = 0; i < steps; ++i) at = at->next, sum += at->value[0];
  printf("pointer_chase lines=%ld steps=%ld sum=%ld\n", lines, steps, sum);
  free(order), free(memory);
  return 0;
}
