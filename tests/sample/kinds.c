// SPDX-License-Identifier: Apache-2.0
// A long loop of additions, a short stretch of divisions, and additions again. Usage: kinds
#include <stdio.h>

__attribute__((noinline)) static unsigned long add(unsigned long sum, long times) {
  for (long i = 0; i < times; ++i) sum += sum >> 3 ^ i;
  return sum;
}

__attribute__((noinline)) static unsigned long divide(unsigned long sum, long times) {
  for (long i = 1; i <= times; ++i) sum = sum / i + (sum ^ 0x123456789ABCDEFUL);
  return sum;
}

int main(void) {
  unsigned long sum = add(1, 2000000);
  sum = divide(sum, 40000);
  printf("%lu\n", add(sum, 200000));
  return 0;
}
