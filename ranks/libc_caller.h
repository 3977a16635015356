// SPDX-License-Identifier: Apache-2.0
// For functions that stand before the C library's of the same name and do something else for ranks.
#pragma once

#include "ranks/libc_next.h"
#include "ranks/libc_state.h"

extern "C" const char __executable_start, etext;  // of the simulator

namespace psim::net {

/// Whether a rank asks: not the simulator on its behalf, nor another thread.
inline bool asked_by_rank(const void* caller) {
  const auto* at = static_cast<const char*>(caller);
  return running_rank != nullptr && rank_thread && (at < &__executable_start || at >= &etext);
}

/// The same for threads and locks, of which those of libraries of the system stay the host's.
inline bool program_asks(const void* caller) {
  return running_rank != nullptr && rank_thread && running_rank->threads_for(caller);
}

/// The threads of the rank whose program asks; null if somebody else does, or the rank has started none: then
/// only the C library knows whom it could wait for or wake.
inline RankThreads* threads_of(const void* caller) {
  return program_asks(caller) ? running_rank->threads() : nullptr;
}

}  // namespace psim::net

#define PSIM_THREADS psim::net::threads_of(__builtin_return_address(0))
#define PSIM_PROGRAM_ASKS psim::net::program_asks(__builtin_return_address(0))
#define PSIM_RANK_ASKS psim::net::asked_by_rank(__builtin_return_address(0))
