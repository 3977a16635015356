// SPDX-License-Identifier: Apache-2.0
// Signals a program raises itself: faults, masks, timers, alternate stacks, contexts.
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

#include "check.h"

static sigjmp_buf back;
static volatile int count;
static char stack[65536];
static ucontext_t first, second;

static void on_fault(int number, siginfo_t* info, void* context) {
  (void)context;
  printf("signal %d code %d address %p\n", number, info->si_code,
         number == SIGSEGV || number == SIGBUS ? info->si_addr : 0);
  siglongjmp(back, 1);
}
static void on_count(int number) { (void)number, ++count; }
static void on_value(int number, siginfo_t* info, void* context) {
  (void)context;
  printf("signal %d value %d\n", number, info->si_value.sival_int);
}
static int deep(int n) {
  volatile int frame[10];
  frame[0] = n;
  if (n == 0) return raise(SIGUSR1), 1;
  return deep(n - 1) + (frame[0] != n) + 1;
}
static void coroutine(void) {
  puts("in the coroutine");
  swapcontext(&second, &first);
  puts("again");
  swapcontext(&second, &first);  // returning into uc_link is what qemu 7.2 does not do
}

int main(void) {
  setbuf(stdout, 0);
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO;
  for (int i = 0; i < 3; ++i) sigaction((int[]){SIGSEGV, SIGBUS, SIGILL}[i], &action, 0);
  if (!sigsetjmp(back, 1)) *(volatile int*)16 = 1;
  if (!sigsetjmp(back, 1)) *(volatile long*)(stack + 1) = 1;
  if (!sigsetjmp(back, 1)) __asm__ volatile(".word 0");
  if (!sigsetjmp(back, 1)) ((void (*)(void))0)();
  CALL(sigaction(SIGKILL, &action, 0));
  CALL(sigaction(99, &action, 0));

  signal(SIGUSR1, on_count);
  SHOW(deep(30)), SHOW(count);
  sigset_t set, pending;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigprocmask(SIG_BLOCK, &set, 0);
  raise(SIGUSR1), raise(SIGUSR1);
  sigpending(&pending);
  SHOW(sigismember(&pending, SIGUSR1)), SHOW(count);
  sigprocmask(SIG_UNBLOCK, &set, 0);
  SHOW(count);
  sigprocmask(SIG_BLOCK, &set, 0);
  raise(SIGUSR1);
  int number = 0;
  CALL(sigwait(&set, &number));
  SHOW(number);
  CALL(sigtimedwait(&set, 0, &(struct timespec){0, 1000}));

  action.sa_sigaction = on_value;
  sigaction(SIGRTMIN + 1, &action, 0);
  sigset_t rt;
  sigemptyset(&rt);
  sigaddset(&rt, SIGRTMIN + 1);
  sigprocmask(SIG_BLOCK, &rt, 0);
  for (int i = 0; i < 3; ++i) sigqueue(getpid(), SIGRTMIN + 1, (union sigval){.sival_int = i});
  sigprocmask(SIG_UNBLOCK, &rt, 0);

  count = 0;
  struct itimerval timer = {{0, 0}, {0, 1000}};
  signal(SIGALRM, on_count);
  CALL(setitimer(ITIMER_REAL, &timer, 0));
  while (count == 0) {
  }
  alarm(1);
  CALL(pause());
  sigemptyset(&set);
  alarm(1);
  CALL(sigsuspend(&set));

  getcontext(&second);
  second.uc_stack.ss_sp = stack;
  second.uc_stack.ss_size = sizeof stack;
  second.uc_link = &first;
  makecontext(&second, coroutine, 0);
  swapcontext(&first, &second);
  puts("back");
  swapcontext(&first, &second);

  stack_t alternate = {.ss_sp = malloc(65536), .ss_size = 65536};
  CALL(sigaltstack(&alternate, 0));
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigaction(SIGSEGV, &action, 0);
  if (!sigsetjmp(back, 1)) *(volatile int*)24 = 1;
  signal(SIGPIPE, SIG_IGN);
  int p[2];
  CALL(pipe(p));
  close(p[0]);
  CALL(write(p[1], "x", 1));
  signal(SIGTERM, SIG_DFL);
  raise(SIGTERM);
  return 0;
}
