// SPDX-License-Identifier: Apache-2.0
// Functions on descriptors. A rank redirects and closes descriptors 1 and 2 without effect on other ranks.
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>

#include "ranks/libc/libc_caller.h"
#include "ranks/libc/linked.h"

const char psim::net::linked::descriptors = 0;

using psim::net::running_rank;
using psim::net::StandardDescriptors;

namespace {

StandardDescriptors::Target target_of(int descriptor) {
  return StandardDescriptors::used() ? running_rank->libc().descriptors.target(descriptor)
                                     : StandardDescriptors::plain(descriptor);
}

/// dup2() and, with `flags`, dup3() of a rank.
int duplicate(int from, int to, int flags) {
  StandardDescriptors& mine = running_rank->libc().descriptors;
  const StandardDescriptors::Target target = mine.target(from);
  if (from == to) return ::fcntl(target.descriptor(), F_GETFD) < 0 ? -1 : to;
  if (!StandardDescriptors::is_standard(to))
    return mine.note_copy(PSIM_REAL(dup3)(target.descriptor(), to, flags), target);
  psim::net::StandardStreams::flush();
  return mine.redirect(to, target) ? to : -1;
}

}  // namespace

/// Returns true if descriptors are the rank's; those of a copy made by fork() are its process's.
#define PSIM_RANKS_DESCRIPTORS (PSIM_CALLED_BY_RANK && !psim::net::child_process::here)

extern "C" {

ssize_t write(int descriptor, const void* data, size_t size) {
  if (!running_rank) return ::syscall(SYS_write, descriptor, data, size);
  const StandardDescriptors::Target target = target_of(descriptor);
  if (!target.is_output()) return ::syscall(SYS_write, target.file, data, size);
  running_rank->write(target.stream, {static_cast<const char*>(data), size});
  return static_cast<ssize_t>(size);
}

ssize_t writev(int descriptor, const iovec* pieces, int count) {
  if (!running_rank) return ::syscall(SYS_writev, descriptor, pieces, count);
  const StandardDescriptors::Target target = target_of(descriptor);
  if (!target.is_output()) return ::syscall(SYS_writev, target.file, pieces, count);
  ssize_t total = 0;
  for (int i = 0; i < count; ++i) total += write(descriptor, pieces[i].iov_base, pieces[i].iov_len);
  return total;
}

PSIM_SEES_CALLER int dup(int from) noexcept {
  if (!PSIM_RANKS_DESCRIPTORS) return PSIM_REAL(dup)(from);
  StandardDescriptors& mine = running_rank->libc().descriptors;
  if (const int closed = mine.lowest_closed(); closed >= 0) return duplicate(from, closed, 0);
  const StandardDescriptors::Target target = mine.target(from);
  return mine.note_copy(PSIM_REAL(dup)(target.descriptor()), target);
}

PSIM_SEES_CALLER int dup2(int from, int to) noexcept {
  if (!PSIM_RANKS_DESCRIPTORS) return PSIM_REAL(dup2)(from, to);
  return duplicate(from, to, 0);
}

PSIM_SEES_CALLER int dup3(int from, int to, int flags) noexcept {
  if (!PSIM_RANKS_DESCRIPTORS || from == to) return PSIM_REAL(dup3)(from, to, flags);
  return duplicate(from, to, flags);
}

PSIM_SEES_CALLER int close(int descriptor) {
  if (!PSIM_RANKS_DESCRIPTORS) return PSIM_REAL(close)(descriptor);
  if (StandardDescriptors::is_standard(descriptor)) {
    psim::net::StandardStreams::flush();
    return running_rank->libc().descriptors.close(descriptor) ? 0 : -1;
  }
  if (StandardDescriptors::used()) running_rank->libc().descriptors.forget_copy(descriptor);
  return PSIM_REAL(close)(descriptor);
}

}  // extern "C"
