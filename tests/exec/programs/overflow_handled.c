// SPDX-License-Identifier: Apache-2.0
// Handlers on an alternate stack while the stack proper has run out: the register windows that could not be
// written must not stand in the way of a handler that leaves by siglongjmp.
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static sigjmp_buf back;
static volatile int depth, on_alternate, mended;

static void leave(int number, siginfo_t* info, void* context) {
  stack_t now;
  sigaltstack(0, &now);
  on_alternate = now.ss_flags;
  siglongjmp(back, number);
}

static int down(int n) {
  volatile char frame[1000];
  frame[0] = (char)n, depth = n;
  return down(n + 1) + frame[0];
}

int main(void) {
  stack_t alternate = {.ss_sp = malloc(65536), .ss_size = 65536};
  sigaltstack(&alternate, 0);
  struct sigaction action = {.sa_sigaction = leave, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  sigaction(SIGSEGV, &action, 0);
  for (int i = 0; i < 3; ++i) {
    const int number = sigsetjmp(back, 1);
    if (number == 0) down(0);
    printf("signal %d, on the alternate stack: %d, deep enough: %d\n", number, on_alternate, depth > 6000);
  }
  return 0;
}
