// SPDX-License-Identifier: Apache-2.0
// What lockstep runs: a little of everything that static C programs do.
#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void* a, const void* b) { return *(const int*)a - *(const int*)b; }
static int depth(int n) { return n == 0 ? 0 : 1 + depth(n - 1); }

int main(void) {
  int numbers[40];
  for (int i = 0; i < 40; ++i) numbers[i] = (i * 7919) % 101;
  qsort(numbers, 40, sizeof numbers[0], compare);
  char text[200] = "";
  for (int i = 0; i < 40; i += 8) sprintf(text + strlen(text), "%d ", numbers[i]);
  jmp_buf here;
  const int jumped = setjmp(here);
  if (jumped == 0) longjmp(here, 5);
  char* copy = malloc(1000);
  memset(copy, 'x', 1000);
  memcpy(copy, text, strlen(text) + 1);
  printf("%s%d %d %.6f %Lg %s\n", copy, depth(30), jumped, sqrt(2.0) * pow(1.5, 3.25), 1.0L / 3,
         strstr("needle in hay", "in"));
  free(copy);
  return 0;
}
