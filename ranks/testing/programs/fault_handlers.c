/* SPDX-License-Identifier: Apache-2.0
   Handlers of a program's own faults: rank 0 observes writes to several pages by one instruction, and allows others so late
   that psim meanwhile looks whether it waits in a loop; rank 1 fails in its handler. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>

#include "rank_library.h"

enum { kPages = 8, kPage = 4096, kLate = 100, kFaults = 900 };
static int written, faults;
static void allow(int signal, siginfo_t* fault, void* context) {
  (void)signal, (void)context;
  ++written;
  mprotect((void*)((uintptr_t)fault->si_addr / kPage * kPage), kPage, PROT_READ | PROT_WRITE);
}
static void allow_late(int signal, siginfo_t* fault, void* context) {
  if (++faults % kFaults == 0) allow(signal, fault, context);
}
static void broken(int signal) { *(volatile int*)16 = signal; }

int main(void) {
  if (rank_number() == 0) {
    struct sigaction action = {.sa_sigaction = allow, .sa_flags = SA_SIGINFO};
    sigaction(SIGSEGV, &action, 0);
    volatile char* area = mmap(0, kPages * kPage, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (int time = 0; time < 2; ++time) {
      for (int i = 0; i < kPages; ++i) area[i * kPage] = 1;
      mprotect((void*)area, kPages * kPage, PROT_READ);
    }
    action.sa_sigaction = allow_late;
    sigaction(SIGSEGV, &action, 0);
    volatile char* late = mmap(0, kLate * kPage, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (int i = 0; i < kLate; ++i) late[i * kPage] = 1;
    rank_sleep(1000);
    return written - 2 * kPages - kLate;
  }
  rank_sleep(2000);
  signal(SIGSEGV, broken);
  *(volatile int*)8 = 0;
  return 9;
}
