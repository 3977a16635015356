// SPDX-License-Identifier: Apache-2.0
// The interface between a first-level cache and the level below it. Plain C++: a cache can be tested without
// SystemC; in a machine the level below is an L1Port, which speaks TLM-2.0.
#pragma once

#include <cstdint>

namespace psim::pipeline {

/// The level in which an access found its line.
enum class Level : std::uint8_t { L1, L2, Memory };

enum class AccessKind : std::uint8_t {
  Fetch,          ///< instructions
  Load,           ///< reads
  Store,          ///< writes, atomics: the line becomes dirty
  PrefetchRead,   ///< fetches the line; no completion is reported
  PrefetchWrite,  ///< fetches the line for a later store; no completion is reported
};

constexpr bool is_prefetch(AccessKind kind) { return kind >= AccessKind::PrefetchRead; }

inline constexpr std::uint64_t kNever = ~std::uint64_t{0};

/// The level below a first-level cache.
class NextLevel {
 public:
  virtual ~NextLevel() = default;
  /// Called when the request for the line at `address` (a multiple of the line size) leaves L1 at `cycle`.
  /// Cycles never decrease from call to call. The level answers by L1Cache::fill(miss_register, …), within
  /// this call or later.
  virtual void read(std::uint64_t address, AccessKind kind, std::uint64_t cycle,
                    std::uint32_t miss_register) = 0;
  /// Called when a dirty line leaves L1 at `cycle`. There is no answer.
  virtual void write_back(std::uint64_t address, std::uint64_t cycle) = 0;
};

}  // namespace psim::pipeline
