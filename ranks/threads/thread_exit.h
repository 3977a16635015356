// SPDX-License-Identifier: Apache-2.0
// How a thread of a rank ends before its function returns.
#pragma once

#include "ranks/threads/rank_threads.h"

namespace psim::net {

/// What pthread_exit and pthread_cancel do to the running thread: cleanup handlers and destructors of its
/// frames run, then it is over.
[[noreturn]] void exit_thread(RankThreads& threads, void* result);
/// RankThreads::wait in a call that pthread_cancel ends: false if the time is over.
inline bool wait_or_exit(RankThreads& threads, const void* what, const char* call,
                         std::uint64_t deadline = RankThreads::kNever) {
  const auto woken = threads.wait(what, call, deadline, true);
  if (woken == RankThreads::Woken::Cancelled) exit_thread(threads, PTHREAD_CANCELED);
  return woken == RankThreads::Woken::Called;
}

}  // namespace psim::net
