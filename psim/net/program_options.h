// SPDX-License-Identifier: Apache-2.0
// The options of `psim net PROGRAM` and `psim net --jobs`, and the meaning of their words.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "netsim/config/network_config.h"
#include "netsim/message/mpi_config.h"
#include "netsim/topology/graphs/graph.h"
#include "psim/commands/command.h"
#include "psim/net/what_if.h"
#include "ranks/processes.h"
#include "ranks/timeline/timeline.h"

namespace psim {

class PartialResults;
class Reruns;

/// The values that the models of --compute give: their own, or the ends of their intervals.
enum class ModelBound : std::uint8_t { Value, Low, High };

/// The options as given on the command line.
struct ProgramOptions {
  commands::CommonOptions common;
  std::uint32_t ranks = 0;
  std::string jobs;                  ///< --jobs FILE
  std::vector<std::string> compare;  ///< --compare BASE
  std::string base;                  ///< the result with links that are always on, if requested
  std::string replay;                ///< --replay FILE
  double compute_scale = 1, message_scale = 1;
  std::string table;  ///< --table FILE
  std::string table_bytes = "64 KiB";
  std::string order;       ///< --order FILE
  std::string statistics;  ///< --statistics FILE
  std::string stack;
  net::GlobalsMode globals = net::GlobalsMode::Automatic;
  net::StackMode stacks = net::StackMode::Automatic;
  bool memory = false;  ///< print the memory of a rank by use
  std::string data;
  std::string compute;                       ///< --compute
  std::vector<std::string> compute_factors;  ///< --compute-factor
  std::string record_compute;                ///< --record-compute FILE
  bool force_model = false;                  ///< --force-model
  bool skeleton = false;                     ///< --skeleton
  ModelBound bound = ModelBound::Value;
  bool efficiency = false;             ///< --efficiency
  std::string faster;                  ///< --faster REGION
  std::shared_ptr<Reruns> reruns;      ///< of --efficiency
  PartialResults* partials = nullptr;  ///< null: none
  WhatIf what_if;                      ///< the change of this run, as one of another's --efficiency
  std::string low, high;  ///< results of the run with the lower and the upper ends of all models; or empty
  std::string timeline, from, to, observed;  ///< --timeline, --observe-…
  std::string observe_routers, observe_links, observe_every;
  std::string csv;        ///< folder
  bool draws = false;     ///< a report draws the machine over time
  bool observes = false;  ///< some output shows the activity of ranks over time
  bool watches = false;   ///< some output shows the traffic of routers and links over time
  /// Returns the program and its arguments. Called once all host processes can report an error as one.
  std::function<std::vector<std::string>()> words;

  bool compares(std::string_view with) const {
    return std::find(compare.begin(), compare.end(), with) != compare.end();
  }
};

// All these functions throw UserError.

/// Returns mpi.carry for --data (`what` names it for errors): the user's choice; by default no data for
/// MGEN programs and skeletons, which pass no buffers or small ones, and all data for others.
std::uint64_t carry(const std::string& what, const std::string& data, bool sizes_only,
                    std::uint64_t configured);
/// Returns --stack, or the default for this number of ranks.
Bytes stack_of(const std::string& stack, std::uint32_t ranks);
net::Observation observation(const ProgramOptions& options, std::uint32_t ranks);
/// Returns the times of --observe-from and --observe-to, for all ranks.
net::Observation observed_times(const ProgramOptions& options);
/// Throws UserError if an observation is requested without an output for it.
void check_observation(const ProgramOptions& options);
/// Sets what hardware collectives have of the network: the number of nodes, and the tree of its switches.
void place_tree(net::HardwareConfig& hardware, const net::NetworkConfig& network, const net::Graph& graph);
/// Throws UserError if a network of hardware collectives is faster than routers reach each other (`lookahead`
/// ps). Host processes could not share such a run.
void check_hardware(const net::HardwareConfig& hardware, std::uint64_t lookahead);
/// Throws UserError if a line of the barrier network is faster than the network's lookahead, ps.
void check_barrier_network(const net::SyncCommConfig& sync, std::uint64_t lookahead);

}  // namespace psim
