// SPDX-License-Identifier: Apache-2.0
// PreparedRun makes everything that a run of `psim net` needs from the options.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/output_file.h"
#include "base/result_document.h"
#include "machines/network_machine.h"
#include "netsim/simulation.h"
#include "netsim/topology/topology.h"
#include "psim/net/compute_plan.h"
#include "psim/net/jobs_plan.h"
#include "psim/net/memory_by_use.h"
#include "psim/net/output_prefix.h"
#include "psim/net/program_options.h"
#include "ranks/job/rank_load.h"
#include "report/net/machine_map.h"
#include "report/net/net_tables.h"
#include "report/net/packet_order.h"
#include "report/net/watch_tables.h"
#include "report/timeline/timeline_file.h"

namespace psim {

/// Everything that a run needs. Construction opens the outputs, reads the inputs and loads the programs; it
/// throws UserError for bad input.
struct PreparedRun {
  std::optional<OutputFile> report;
  std::optional<OrderFile> order;
  std::optional<OutputFile> statistics, record, table;
  std::optional<ComputePlan> compute;
  std::vector<std::string> machines_of_models;  ///< assumptions
  std::optional<ResultDocument> result;
  std::unique_ptr<NetworkMachine> machine;
  std::optional<net::Network> network;
  std::unique_ptr<TimelineFile> timeline_file;
  std::optional<NetTables> tables;
  std::optional<WatchTables> watch_tables;
  std::optional<net::Watch> watch;
  std::optional<MachineMap> map;
  std::optional<net::LinkHistory> history;  ///< of the links of `map`
  std::optional<net::Timeline> timeline;
  std::optional<net::CriticalPath> path;
  std::optional<net::MessageTimes> message_times;
  std::optional<net::PairTimes> pairs;
  JobsPlan plan;
  std::optional<OutputPrefix> output;
  std::optional<net::RankLoad> load;
  std::vector<std::unique_ptr<net::RankLoad>> alone;  ///< each job a second time, for the comparison
  std::optional<net::Simulation> simulation;
  std::optional<MemoryByUse> memory;
  net::MpiConfig mpi;
  std::vector<std::uint64_t> carries;  ///< mpi.carry of each job

  PreparedRun(const ProgramOptions& options, net::HostProcesses& processes);

 private:
  void open_files(const ProgramOptions& options);
  void load_programs(net::HostProcesses& processes);
  void prepare_sleep(const ProgramOptions& options, const net::HostProcesses& processes);
  void describe(const ProgramOptions& options);
};

}  // namespace psim
