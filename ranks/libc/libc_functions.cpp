// SPDX-License-Identifier: Apache-2.0
// Functions of the C library that keep state, separately for each rank. Outside of ranks they behave as
// always.
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "ranks/libc/libc_next.h"
#include "ranks/libc/libc_state.h"

// Defined here so that its users link these functions too.
psim::net::RunningRank* psim::net::running_rank = nullptr;

using psim::net::running_rank;

extern "C" {

void exit(int status) {
  if (running_rank) running_rank->exit(status, true);
  PSIM_REAL(exit)(status);
  __builtin_unreachable();
}

void _exit(int status) {
  if (running_rank) running_rank->exit(status, false);
  ::syscall(SYS_exit_group, status);
  __builtin_unreachable();
}

void _Exit(int status) noexcept { _exit(status); }

void quick_exit(int status) noexcept {
  if (running_rank) running_rank->exit(status, false);
  PSIM_REAL(quick_exit)(status);
  __builtin_unreachable();
}

int __cxa_atexit(void (*function)(void*), void* argument, void* object) {
  if (running_rank && running_rank->in_program(object)) {
    running_rank->libc().at_exit.push_back({function, argument});
    return 0;
  }
  return PSIM_REAL(__cxa_atexit)(function, argument, object);
}

char* strtok(char* text, const char* separators) noexcept {
  PSIM_OUTSIDE_RANKS(strtok, text, separators)
  return ::strtok_r(text, separators, &running_rank->libc().strtok);
}

}  // extern "C"
