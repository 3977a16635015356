// SPDX-License-Identifier: Apache-2.0
// Check of a run's memory, made before the run is built.
#pragma once

#include <cstdint>
#include <string>

namespace psim::net {

/// Returns the bytes that this process may still allocate: the least of the host's available memory and the
/// limits of the process's control groups.
std::uint64_t available_memory();

/// The least memory of a run.
struct MemoryNeed {
  std::uint64_t ranks = 0;    ///< in this host process
  std::uint64_t globals = 0;  ///< bytes of each rank's globals
  std::uint64_t nodes = 0;    ///< in the part of the network of this host process

  /// Returns the bytes of each rank: stack pages that any program touches, the records of library and
  /// simulator, globals.
  std::uint64_t bytes_per_rank() const { return 11 * 1024 + globals; }
  std::uint64_t bytes() const { return ranks * bytes_per_rank() + nodes * 2048; }
};

/// Throws UserError, beginning with `who`, if `need` exceeds `available`.
void check_memory(const std::string& who, const MemoryNeed& need, std::uint64_t available);

}  // namespace psim::net
