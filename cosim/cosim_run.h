// SPDX-License-Identifier: Apache-2.0
// Cycle-level nodes on the packet network, all on SystemC's time axis.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "base/progress.h"
#include "base/statistics/registry.h"
#include "cosim/operation_log.h"
#include "cosim/scenario.h"
#include "guest/guest_program.h"
#include "guest/process.h"
#include "pipeline/cpi_account.h"

namespace psim {

struct NodeResult {
  std::uint64_t instructions = 0, cycles = 0;
  isa::Ending ending;
};
struct CosimResult {
  std::deque<cosim::Operation> operations;  ///< in the order in which their doorbells rang
  std::vector<NodeResult> nodes;
  std::uint64_t messages = 0, packets = 0;      ///< that crossed the network
  std::vector<statistics::Reading> statistics;  ///< of all nodes together, and of the network
  /// `inputs` of the result: the program, what it can see when it starts, and what was read from standard
  /// input.
  std::string program_sha256;
  std::uint64_t program_bytes = 0;
  nlohmann::ordered_json start;  ///< of node 0
  std::string input_sha256;      ///< of the digests of all nodes; empty if nothing was read
  std::uint64_t input_bytes = 0;
  std::map<std::string, isa::SeenFiles::Input>
      files;  ///< files that any node has read; the first node's version where they differ
  std::uint64_t instructions() const;
};

/// Runs the scenario's program on every node, with PSIM_NODE and PSIM_NODES in its environment, to its end.
/// `progress` shows the state of the run. Throws UserError.
CosimResult run_cosim(const Scenario& scenario, const GuestOptions& guest, std::uint64_t seed,
                      Progress& progress);

}  // namespace psim
