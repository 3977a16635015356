/* SPDX-License-Identifier: Apache-2.0
   Rank 1 redirects its standard output to a file, rank 2 closes its own; their signal dispositions are separate too. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "rank_library.h"

static sigjmp_buf before_fault;
static void jump(int signal) { siglongjmp(before_fault, signal); }
static void ignore(int signal) { (void)signal; }
static void take(int signal) {
  if (signal == SIGUSR1) puts("taken");
}

int main(int argc, char** argv) {
  const int mine = rank_number();
  char line[32] = "";
  if (argc != 2) return 1;
  if (signal(SIGSEGV, ignore) != SIG_DFL || signal(SIGSEGV, SIG_DFL) != ignore) return 2;
  rank_sleep(1000);
  if (mine == 1 && !freopen(argv[1], "w", stdout)) return 3;
  if (mine == 2 && fclose(stdout) != 0) return 4;
  if (mine == 0 && freopen(0, "w", stdout) != stdout) return 8;
  if (mine != 2) printf("rank %d\n", mine);
  rank_sleep(1000);
  if (mine != 2) printf("again %d\n", mine);
  rank_sleep(1000);
  if (mine == 1) {
    if (freopen(argv[1], "a", stdout) != stdout || freopen("/no/such/folder", "w", stdout)) return 9;
    FILE* file = fopen(argv[1], "r");
    if (!file || fread(line, 1, sizeof line, file) != 15 || strcmp(line, "rank 1\nagain 1\n") != 0) return 5;
    fclose(file);
  }
  if (signal(SIGUSR1, take) != SIG_DFL || signal(SIGUSR1, take) != take) return 10;
  rank_sleep(1000);
  if (mine == 0 && kill(getpid(), SIGUSR1) != 0) return 6;
  rank_sleep(1000);
  signal(SIGUSR1, SIG_DFL);
  signal(SIGBUS, jump);
  signal(SIGSEGV, jump);
  for (int time = 0; time < 3; ++time)
    if (sigsetjmp(before_fault, 1) == 0) *(volatile int*)8 = 0;
  if (mine != 3) return 0;
  signal(SIGSEGV, ignore);
  *(volatile int*)0 = 0;
  return 7;
}
