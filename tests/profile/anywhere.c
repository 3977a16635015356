// SPDX-License-Identifier: Apache-2.0
// A position-independent program without a library, for tests of the names in profiles.
__attribute__((noinline)) static int work(int steps) {
  int sum = 0;
  for (int i = 0; i < steps; ++i) {
    sum += i;
    __asm__ volatile("" : "+r"(sum));
  }
  return sum & 0;
}

void _start(void) {
  register long status __asm__("o0") = work(1000);
  register long call __asm__("g1") = 1;  // exit
  __asm__ volatile("ta 0x6d" : : "r"(status), "r"(call));
}
