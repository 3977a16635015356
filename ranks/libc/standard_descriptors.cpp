// SPDX-License-Identifier: Apache-2.0
#include "ranks/libc/standard_descriptors.h"

#include <fcntl.h>
#include <sys/resource.h>

#include <cerrno>
#include <utility>

namespace psim::net {

bool StandardDescriptors::used_ = false;

namespace {

/// Raises the limit of open files as far as the system allows: a process of the host has the files of all
/// ranks.
bool raise_limit() {
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) != 0) return false;
  files.rlim_cur = files.rlim_max;
  return ::setrlimit(RLIMIT_NOFILE, &files) == 0;
}

}  // namespace

StandardDescriptors::~StandardDescriptors() {
  for (const Target& target : targets_)
    if (target.file >= 0) ::close(target.file);
}

StandardDescriptors::Target StandardDescriptors::plain(int descriptor) {
  if (!is_standard(descriptor)) return {descriptor, Stream::Out};
  return {Target::kOutput, descriptor == STDOUT_FILENO ? Stream::Out : Stream::Error};
}

StandardDescriptors::Target StandardDescriptors::target(int descriptor) const {
  if (is_standard(descriptor)) return targets_[static_cast<std::size_t>(descriptor - 1)];
  const auto copy = copies_.find(descriptor);
  return copy == copies_.end() ? plain(descriptor) : Target{Target::kOutput, copy->second};
}

bool StandardDescriptors::redirect(int descriptor, const Target& target) {
  [[maybe_unused]] static const bool raised = raise_limit();
  Target next = target;
  if (!target.is_output()) next.file = ::fcntl(target.file, F_DUPFD_CLOEXEC, 3);
  if (next.file == -1 && !target.is_output()) return false;
  const Target before = std::exchange(targets_[static_cast<std::size_t>(descriptor - 1)], next);
  if (before.file >= 0) ::close(before.file);
  used_ = true;
  return true;
}

bool StandardDescriptors::close(int descriptor) {
  Target& target = targets_[static_cast<std::size_t>(descriptor - 1)];
  if (target.file == Target::kClosed) {
    errno = EBADF;
    return false;
  }
  if (target.file >= 0) ::close(target.file);
  target.file = Target::kClosed;
  used_ = true;
  return true;
}

int StandardDescriptors::lowest_closed() const {
  for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO})
    if (target(descriptor).file == Target::kClosed) return descriptor;
  return -1;
}

int StandardDescriptors::note_copy(int descriptor, const Target& target) {
  if (descriptor < 0) return descriptor;
  copies_.erase(descriptor);
  if (target.is_output()) {
    copies_[descriptor] = target.stream;
    used_ = true;
  }
  return descriptor;
}

void StandardDescriptors::become_process(int out, int error) {
  const auto give = [&](int descriptor, const Target& target) {
    if (target.file == Target::kClosed) ::close(descriptor);
    const int from = !target.is_output() ? target.file : target.stream == Stream::Out ? out : error;
    if (from >= 0) ::dup2(from, descriptor);
  };
  for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO}) give(descriptor, target(descriptor));
  for (const auto& [copy, stream] : copies_) give(copy, {Target::kOutput, stream});
  copies_.clear();
  for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO}) {
    Target& mine = targets_[static_cast<std::size_t>(descriptor - 1)];
    if (mine.file >= 0) ::close(mine.file);
    mine = plain(descriptor);
  }
}

}  // namespace psim::net
