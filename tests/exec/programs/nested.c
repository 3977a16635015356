// SPDX-License-Identifier: Apache-2.0
// Code on the stack: a nested function whose address is taken is reached through a trampoline.
#include <stdio.h>

static int apply(int (*function)(int), int n) { return function(n); }

int main(void) {
  int total = 0;
  for (int i = 0; i < 5; ++i) {
    int scale = i * 10;
    int add(int x) { return total += x * scale; }
    printf("%d\n", apply(add, i + 1));
  }
  return total & 0x7F;
}
