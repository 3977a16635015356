// SPDX-License-Identifier: Apache-2.0
// End of a rank's thread before its function returns.
#pragma once

#include "ranks/threads/rank_threads.h"

namespace psim::net {

/// Ends the running thread as pthread_exit and pthread_cancel do, after cleanup handlers and destructors of
/// its frames.
[[noreturn]] void exit_thread(RankThreads& threads, void* result);
/// As RankThreads::wait, in a call that pthread_cancel ends. Returns false at the deadline.
inline bool wait_or_exit(RankThreads& threads, const void* what, const char* call,
                         std::uint64_t deadline = RankThreads::kNever) {
  const auto woken = threads.wait(what, call, deadline, true);
  if (woken == RankThreads::Woken::Cancelled) exit_thread(threads, PTHREAD_CANCELED);
  return woken == RankThreads::Woken::Called;
}

}  // namespace psim::net
