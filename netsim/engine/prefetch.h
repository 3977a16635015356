// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace psim::net {

/// Asks for the cache line at `address`, which may be any.
inline void prefetch_line(const void* address) {
  __builtin_prefetch(address);
  // gcc takes a function that only prefetches for one without effect and drops calls of it.
  asm volatile("");
}

}  // namespace psim::net
