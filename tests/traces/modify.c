// SPDX-License-Identifier: Apache-2.0
// Code that changes: a function written again and again on an executable stack, a trampoline of gcc's, and pages
// that become executable and go away again.
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

static volatile int alarms;
static void on_alarm(int number) { alarms += number == SIGUSR1; }

static int twice(int (*f)(int), int x) { return f(f(x)); }

// mov value, %o0 in the delay slot of retl
static int (*written(uint32_t* at, int value))(void) {
  at[0] = 0x81c3e008;
  at[1] = 0x90102000 | (uint32_t)value;
  __asm__ volatile("flush %0\n\tflush %0 + 4" ::"r"(at) : "memory");
  return (int (*)(void))(uintptr_t)at;
}

int main(int argc, char** argv) {
  int sum = argc;
  int add(int x) { return x + sum; }
  signal(SIGUSR1, on_alarm);
  uint32_t* page = mmap(0, 8192, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  for (int i = 0; i < 100; ++i) {
    sum += twice(add, i) & 63;
    sum += written(page + 4 * (i % 3), i)();
    if (i % 20 == 0) raise(SIGUSR1);
    if (i % 25 == 24) {
      munmap(page, 8192);
      page = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      memset(page, 0, 8192);
      mprotect(page, 8192, PROT_READ | PROT_WRITE | PROT_EXEC);
    }
  }
  printf("%s %d %d\n", argv[0], sum, alarms);
  return 0;
}
