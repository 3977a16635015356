// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace psim::net {

/// Prefetches the cache line at `address`, which may be invalid.
inline void prefetch_line(const void* address) {
  __builtin_prefetch(address);
  // gcc considers a function that only prefetches to have no effect and drops calls of it.
  asm volatile("");
}

}  // namespace psim::net
