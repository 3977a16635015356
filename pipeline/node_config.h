// SPDX-License-Identifier: Apache-2.0
// The parameters of a node with several cores: their number, and the costs of the operating system's threads.
#pragma once

#include <cstdint>
#include <string>

#include "base/config/schema.h"

namespace psim::isa {
class Process;
}

namespace psim::pipeline {

struct NodeConfig {
  static constexpr std::uint32_t kMostCores = 8;
  std::uint32_t cores = 1;             ///< with private first levels, and a shared second level
  std::uint32_t thread_wake = 2000;    ///< cycles from a wake of a thread to its fetch (assumption)
  std::uint32_t thread_switch = 2000;  ///< cycles of a core that changes to another thread (assumption)
  std::uint32_t time_slice = 2000000;  ///< cycles of a thread's turn while others of its core are ready
                                       ///< (assumption: 1 ms)
};

/// Adds the keys [node].
void describe(Schema& schema, NodeConfig& config);

/// Returns a line on a program whose threads share one core; empty for any other program.
std::string shared_core_note(const isa::Process& process);

}  // namespace psim::pipeline
