// SPDX-License-Identifier: Apache-2.0
// For functions that stand before the C library's of the same name and do something else for ranks.
#pragma once

#include "netsim/ranks/libc_next.h"
#include "netsim/ranks/libc_state.h"

extern "C" const char __executable_start, etext;  // of the simulator

namespace psim::net {

/// Whether a rank asks: not the simulator on its behalf, nor another thread.
inline bool asked_by_rank(const void* caller) {
  const auto* at = static_cast<const char*>(caller);
  return running_rank != nullptr && rank_thread && (at < &__executable_start || at >= &etext);
}

}  // namespace psim::net

#define PSIM_RANK_ASKS psim::net::asked_by_rank(__builtin_return_address(0))
