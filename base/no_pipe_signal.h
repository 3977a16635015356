// SPDX-License-Identifier: Apache-2.0
// A write to a pipe without a reader is an error (EPIPE) instead of the end of the process.
#pragma once

#include <pthread.h>
#include <signal.h>

#include <cerrno>
#include <ctime>

namespace psim {

/// Blocks SIGPIPE in this thread and drops one that arrives meanwhile.
class NoPipeSignal {
 public:
  NoPipeSignal() {
    ::sigemptyset(&pipe_);
    ::sigaddset(&pipe_, SIGPIPE);
    sigset_t pending;
    ::sigemptyset(&pending);
    ::sigpending(&pending);
    was_pending_ = ::sigismember(&pending, SIGPIPE) == 1;
    ::pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~NoPipeSignal() {
    constexpr timespec kNow{};
    if (!was_pending_)
      while (::sigtimedwait(&pipe_, nullptr, &kNow) < 0 && errno == EINTR) {
      }
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  NoPipeSignal(const NoPipeSignal&) = delete;
  NoPipeSignal& operator=(const NoPipeSignal&) = delete;

 private:
  sigset_t pipe_{}, before_{};
  bool was_pending_ = false;
};

}  // namespace psim
