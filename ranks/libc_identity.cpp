// SPDX-License-Identifier: Apache-2.0
// Who and where a rank is, for programs that tell processes and nodes apart by it: the names of nodes are
// those of MPI_Get_processor_name, the numbers of processes are larger than any the system gives.
#include <pthread.h>
#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "ranks/libc_caller.h"

// Defined here so that who uses it links these functions, too. Linux gives up to 2^22.
const std::int32_t psim::net::first_process = 1 << 23;

using psim::net::running_rank;

extern "C" {

int gethostname(char* name, size_t size) noexcept {
  if (!PSIM_RANK_ASKS) {
    PSIM_NEXT(gethostname);
    return real(name, size);
  }
  const int length = std::snprintf(name, size, "node%u", running_rank->node());
  if (static_cast<size_t>(length) < size) return 0;
  errno = ENAMETOOLONG;
  return -1;
}

int uname(utsname* names) noexcept {
  PSIM_NEXT(uname);
  const int result = real(names);
  if (result == 0 && PSIM_RANK_ASKS)
    std::snprintf(names->nodename, sizeof names->nodename, "node%u", running_rank->node());
  return result;
}

pid_t getpid() noexcept {
  if (PSIM_RANK_ASKS) return running_rank->process();
  PSIM_NEXT(getpid);
  return real();
}

// A processor that a rank binds itself to is one of its simulated node's: bound to the host's of that number,
// all ranks of psim, and all processes of psim, would be on one.
int sched_setaffinity(pid_t process, size_t size, const cpu_set_t* set) noexcept {
  if (PSIM_RANK_ASKS) return 0;
  PSIM_NEXT(sched_setaffinity);
  return real(process, size, set);
}

int pthread_setaffinity_np(pthread_t thread, size_t size, const cpu_set_t* set) noexcept {
  if (PSIM_RANK_ASKS) return 0;
  PSIM_NEXT(pthread_setaffinity_np);
  return real(thread, size, set);
}

}  // extern "C"
