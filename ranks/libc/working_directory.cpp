// SPDX-License-Identifier: Apache-2.0
#include "ranks/libc/working_directory.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>

#include "ranks/libc/libc_caller.h"

namespace psim::net {

namespace {

constexpr int kDirectory = O_PATH | O_DIRECTORY | O_CLOEXEC;

// The directory at the start, opened when a rank first changes its own.
int start = -1;

int real_change(int descriptor) { return PSIM_REAL(fchdir)(descriptor); }

// Each rank may hold one descriptor, up to the system's limit.
int open_directory(const char* path) {
  const int descriptor = ::open(path, kDirectory);
  rlimit files{};
  if (descriptor >= 0 || errno != EMFILE || ::getrlimit(RLIMIT_NOFILE, &files) != 0 ||
      files.rlim_cur >= files.rlim_max)
    return descriptor;
  files.rlim_cur = files.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &files);
  return ::open(path, kDirectory);
}

}  // namespace

WorkingDirectory::~WorkingDirectory() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

int WorkingDirectory::change(int descriptor) {
  if (descriptor < 0) return -1;
  if (start < 0) start = open_directory(".");
  if (start < 0 || real_change(descriptor) != 0) {
    const int why = errno;
    ::close(descriptor);
    errno = why;
    return -1;
  }
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = descriptor;
  return 0;
}

void WorkingDirectory::enter() const { real_change(descriptor_); }

void WorkingDirectory::leave() { real_change(start); }

}  // namespace psim::net

using psim::net::running_rank;

extern "C" {

PSIM_SEES_CALLER int chdir(const char* path) noexcept {
  if (PSIM_CALLED_BY_RANK) return running_rank->libc().directory.change(psim::net::open_directory(path));
  return PSIM_REAL(chdir)(path);
}

PSIM_SEES_CALLER int fchdir(int descriptor) noexcept {
  if (!PSIM_CALLED_BY_RANK) return psim::net::real_change(descriptor);
  const int own = ::fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
  return running_rank->libc().directory.change(own);
}

}  // extern "C"
