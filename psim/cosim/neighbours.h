// SPDX-License-Identifier: Apache-2.0
// The loads of a scenario in addition to its detailed nodes, and the network of all: jobs of ranks, as `psim
// net
// --jobs` runs them, and background traffic.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <vector>

#include "base/result_document.h"
#include "cosim/cosim_run.h"
#include "cosim/scenario.h"
#include "netsim/parallel/host_processes.h"
#include "netsim/topology/topology.h"
#include "netsim/traffic/background_traffic.h"
#include "psim/net/compute_plan.h"
#include "psim/net/interruption.h"
#include "psim/net/jobs_plan.h"
#include "psim/net/output_prefix.h"
#include "ranks/job/rank_load.h"

namespace psim {

class Neighbours {
 public:
  /// Builds the network, and loads the programs of ranks. Throws UserError. All arguments outlive this.
  Neighbours(Scenario& scenario, std::uint64_t seed, net::HostProcesses& processes);
  Neighbours(const Neighbours&) = delete;

  const net::Network& network() const { return network_; }
  /// Returns the node of the network of each detailed node.
  const std::vector<std::uint32_t>& places() const { return places_; }
  /// Returns the surroundings for a CosimRun, which lives as long as this.
  Surroundings surroundings();
  /// Names the run to which text of ranks goes, before the simulation.
  void attach(CosimRun& run) { run_ = &run; }
  /// Ends the ranks after the simulation, which was `cut` off or came to its end. Called in every process,
  /// before CosimRun::finish().
  void finish(bool cut);
  /// Returns the names of Message::owner from 1 on.
  std::vector<std::string> owners() const;
  /// Adds the inputs of jobs.
  void describe(ResultDocument& result) const;
  /// Adds `net`, the network's side of the run: keys as of a result of psim net. Nothing without other loads
  /// and with links that never sleep. Returns psim's exit status for the ranks.
  int add_results(ResultDocument& result, const net::Simulation& simulation) const;

 private:
  net::Network make_network() const;
  std::vector<std::uint32_t> find_places() const;
  void load_jobs();
  void make_traffic();
  void print(std::uint32_t source, net::Stream stream, std::string_view text);

  Scenario& scenario_;
  const std::uint64_t seed_;
  net::HostProcesses& processes_;
  ProgramOptions options_;
  std::optional<ComputePlan> compute_;
  std::vector<std::string> machines_of_models_;  ///< assumptions
  JobsPlan plan_;
  net::Network network_;
  std::vector<std::uint32_t> places_;
  std::optional<OutputPrefix> prefix_;
  std::optional<net::RankLoad> load_;
  net::MpiConfig mpi_;
  std::vector<std::uint64_t> carries_;
  std::optional<net::BackgroundTraffic> traffic_;
  std::optional<Interruption> interruption_;
  CosimRun* run_ = nullptr;
  net::Ending ending_;
};

/// Prints the network's side on standard error, from the keys of Neighbours::add_results(). After finish() of
/// the result.
void print_neighbours(const nlohmann::ordered_json& body, const nlohmann::ordered_json& host);

}  // namespace psim
