// SPDX-License-Identifier: Apache-2.0
// Identity of a rank, for programs that distinguish processes and nodes by it. Node names are those of
// MPI_Get_processor_name; process ids are larger than any of the system's.
#include <pthread.h>
#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "ranks/libc/libc_caller.h"

// Defined here so that its users link these functions too. Linux assigns up to 2^22.
const std::int32_t psim::net::first_process = 1 << 23;

using psim::net::running_rank;

extern "C" {

PSIM_SEES_CALLER int gethostname(char* name, size_t size) noexcept {
  if (!PSIM_CALLED_BY_RANK) {
    return PSIM_REAL(gethostname)(name, size);
  }
  const int length = std::snprintf(name, size, "node%u", running_rank->node());
  if (static_cast<size_t>(length) < size) return 0;
  errno = ENAMETOOLONG;
  return -1;
}

PSIM_SEES_CALLER int uname(utsname* names) noexcept {
  PSIM_NEXT(uname);
  const int result = real(names);
  if (result == 0 && PSIM_CALLED_BY_RANK)
    std::snprintf(names->nodename, sizeof names->nodename, "node%u", running_rank->node());
  return result;
}

PSIM_SEES_CALLER pid_t getpid() noexcept {
  if (PSIM_CALLED_BY_RANK) return running_rank->process();
  return PSIM_REAL(getpid)();
}

// Ignores a rank's binding to a processor, which is one of its simulated node's. Bound to the host's
// processor of that number, all ranks and all psim processes would share one.
PSIM_SEES_CALLER int sched_setaffinity(pid_t process, size_t size, const cpu_set_t* set) noexcept {
  if (PSIM_CALLED_BY_RANK) return 0;
  return PSIM_REAL(sched_setaffinity)(process, size, set);
}

PSIM_SEES_CALLER int pthread_setaffinity_np(pthread_t thread, size_t size, const cpu_set_t* set) noexcept {
  if (PSIM_CALLED_BY_RANK) return 0;
  return PSIM_REAL(pthread_setaffinity_np)(thread, size, set);
}

}  // extern "C"
