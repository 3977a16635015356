// SPDX-License-Identifier: Apache-2.0
// Reads the regions on nodes from the results of the runs of `psim predict`, and checks that those at a
// number of ranks are the same.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "predict/measured_models.h"
#include "psim/commands/fit_grid.h"

namespace psim::commands {

/// The nodes of the measured runs.
struct MeasuredNodes {
  static constexpr std::uint32_t kMostChosen = 8;

  std::uint32_t nodes = 0;    ///< 0: not chosen yet
  std::string detailed = {};  ///< those on cycle-level cores, as the user lists them; empty: all

  /// Chooses what the user has not: nodes for `ranks`, the first and the middle one on cycle-level cores, if
  /// there are kMostChosen at most, and `possible` says that the program runs on them as it stands; else one
  /// node.
  void choose(std::uint32_t ranks, bool possible);

  /// Returns the number of those on cycle-level cores. Throws UserError.
  std::uint32_t cycle_level() const;
  /// Returns the beginning of the command of a measured run.
  std::vector<std::string> command() const;
  std::string text() const;  ///< "one node", "0,7 of 8 nodes"
  std::string note() const;  ///< the assumption, if some are functional
};

/// Reads a run on nodes. Waits for messages are left out: the network gives them at each number of ranks.
/// Adds `notes` on what the models do not show. Throws UserError.
predict::MeasuredRun measured_of(const nlohmann::json& result, const GridPoint& grid,
                                 std::vector<std::string>& notes);
/// Checks that the regions at a number of ranks are those that were measured on `nodes`. Throws UserError.
void check_regions(const nlohmann::json& result, std::uint32_t ranks,
                   const std::vector<predict::MeasuredRun>& runs, std::uint32_t nodes,
                   std::vector<std::string>& notes);

}  // namespace psim::commands
