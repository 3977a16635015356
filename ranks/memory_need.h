// SPDX-License-Identifier: Apache-2.0
// Whether a run can fit into memory, asked before it is built.
#pragma once

#include <cstdint>
#include <string>

namespace psim::net {

/// Bytes that this process may still take: the least of what the host has available and what the control
/// groups of the process leave.
std::uint64_t available_memory();

/// What a run takes at the least.
struct MemoryNeed {
  std::uint64_t ranks = 0;    ///< in this host process
  std::uint64_t globals = 0;  ///< bytes of each rank's own
  std::uint64_t nodes = 0;    ///< of the part of the network that is here

  /// Of each rank: the pages of its stack that any program touches, what the library and the simulator know
  /// of it, its globals.
  std::uint64_t bytes_per_rank() const { return 11 * 1024 + globals; }
  std::uint64_t bytes() const { return ranks * bytes_per_rank() + nodes * 2048; }
};

/// Throws UserError, beginning with `who`, if `need` exceeds `available`.
void check_memory(const std::string& who, const MemoryNeed& need, std::uint64_t available);

}  // namespace psim::net
