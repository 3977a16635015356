// SPDX-License-Identifier: Apache-2.0
// Caller checks for functions that replace the C library's and behave differently for ranks.
#pragma once

#include "ranks/libc/libc_next.h"
#include "ranks/libc/libc_state.h"

extern "C" const char __executable_start, etext;  // of the simulator

namespace psim::net {

/// Returns true for a call by a rank: not by the simulator for it, and not by another thread.
inline bool called_by_rank(const void* caller) {
  const auto* at = static_cast<const char*>(caller);
  return running_rank != nullptr && rank_thread && (at < &__executable_start || at >= &etext);
}

/// Returns true for a call about threads or locks by the rank's program. System libraries use the host's.
inline bool belongs_to_program(const void* caller) {
  return running_rank != nullptr && rank_thread && running_rank->threads_for(caller);
}

/// Returns the threads of the rank whose program calls. Returns null for other callers, or if the rank has
/// started no thread: then the C library's function handles the call.
inline RankThreads* threads_of(const void* caller) {
  return belongs_to_program(caller) ? running_rank->threads() : nullptr;
}

}  // namespace psim::net

#define PSIM_THREADS psim::net::threads_of(__builtin_return_address(0))
#define PSIM_CALLED_BY_PROGRAM psim::net::belongs_to_program(__builtin_return_address(0))
#define PSIM_CALLED_BY_RANK psim::net::called_by_rank(__builtin_return_address(0))
