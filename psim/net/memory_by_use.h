// SPDX-License-Identifier: Apache-2.0
// The memory of a run by use, for users who look for what to shrink.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

namespace psim {

/// Takes the growth of the process's resident memory between the steps of a run.
class MemoryByUse {
 public:
  MemoryByUse() : last_(resident()) { uses_.emplace_back("psim itself", last_); }
  /// Assigns the growth since the last call to `use`.
  void mark(const std::string& use);
  /// Ends the run: of the growth up to its peak, `stacks` bytes are of stacks, the rest of messages, packets,
  /// events and variables.
  void finish(std::uint64_t stacks);

  /// Returns a line for each use, per rank.
  std::string text(std::uint32_t ranks) const;
  /// Adds host.memory: bytes by use.
  void add_to(nlohmann::ordered_json& host) const;

 private:
  static std::uint64_t resident();

  std::vector<std::pair<std::string, std::uint64_t>> uses_;
  std::uint64_t last_;
};

}  // namespace psim
