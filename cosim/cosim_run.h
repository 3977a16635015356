// SPDX-License-Identifier: Apache-2.0
// Cycle-level nodes on the packet network, all on SystemC's time axis.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/abandoned.h"
#include "base/progress.h"
#include "base/statistics/registry.h"
#include "cosim/guest_output.h"
#include "cosim/message_choice.h"
#include "cosim/message_timeline.h"
#include "cosim/node_account.h"
#include "cosim/node_paths.h"
#include "cosim/operation_log.h"
#include "cosim/paces.h"
#include "cosim/rank_account.h"
#include "cosim/rank_stretches.h"
#include "cosim/scenario.h"
#include "guest/guest_program.h"
#include "guest/process.h"
#include "isa/table/analysed_words.h"
#include "netsim/load_group.h"
#include "netsim/parallel/host_processes.h"
#include "netsim/topology/topology.h"
#include "pipeline/cpi_account.h"
#include "pipeline/memo/stretch_table.h"

namespace psim::pipeline {
class CoreObserver;
class StepSchedule;
}  // namespace psim::pipeline
namespace psim::cosim {
class Failure;
class Interconnect;
class MessageTrace;
class NetworkModule;
struct NicChannel;
}  // namespace psim::cosim

namespace psim {

class Node;

struct NodeResult {
  std::uint64_t instructions = 0, cycles = 0;
  std::vector<isa::Ending> endings;             ///< by rank of the node
  std::vector<cosim::RankTime> times;           ///< likewise
  std::vector<cosim::RankStretches> histories;  ///< by core of the node, if they were recorded
  /// Returns that of the node: the first of a rank that is not good, or that of the first rank.
  const isa::Ending& ending() const;
};
struct CosimResult {
  std::optional<int> status;                ///< with which a program ended the run of all nodes
  bool aborted = false;                     ///< by MPI_Abort or a signal: nodes ended wherever they were
  std::deque<cosim::Operation> operations;  ///< in the order in which their doorbells rang
  std::vector<NodeResult> nodes;
  std::vector<cosim::NodeAccount> energy;       ///< of the nodes, if it was measured
  cosim::NodePath path;                         ///< if Surroundings::finds_path
  cosim::MessageTimeline timeline;              ///< of the messages that Surroundings::traced chooses
  std::vector<std::string> deadlock;            ///< where each program waits that can never continue
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
  /// Instructions that the cores of this host process have not simulated but repeated.
  std::uint64_t repeated_instructions = 0;
  std::uint64_t instructions() const;
};

/// A load on the same network in addition to the detailed nodes. All members outlive the run.
struct Neighbour {
  net::Load* load = nullptr;
  std::vector<std::uint32_t> nodes;  ///< of the network; its messages come from them
  std::uint32_t ranks = 0;           ///< numbers for its timers and resumptions
  net::LoadGroup::Kind kind = net::LoadGroup::Kind::Foreground;
  /// Called before the simulation, with the number of its first rank. The first neighbour's is 0.
  std::function<void(net::Simulation&, std::uint32_t first)> start;
};

/// A core whose pipeline is observed, and the message at whose ends `at_end` is called with the cycle in
/// which this core fetches the instruction. All members outlive the run.
struct ObservedCore {
  std::uint32_t node = 0, core = 0;
  pipeline::CoreObserver* observer = nullptr;
  std::uint32_t rank = 0;                     ///< of the message
  std::uint64_t number = 0;                   ///< of the message
  std::function<void(std::uint64_t)> at_end;  ///< empty: no message
};

/// The surroundings of the detailed nodes. The defaults are a network of their own, in one host process.
struct Surroundings {
  /// The nodes of the network that are simulated in detail, in ascending order; empty: the first ones.
  std::vector<std::uint32_t> places;
  std::vector<Neighbour> neighbours;
  std::uint32_t ranks = 0;   ///< of neighbours, whose output write_rank() takes
  std::uint32_t owners = 0;  ///< of messages, for the energy of links; 0: not distinguished
  std::uint8_t owner = 0;    ///< of the detailed nodes' messages
  std::optional<ObservedCore> observed = {};
  std::optional<cosim::MessageChoice> traced = {};  ///< messages to trace; empty: none
  bool finds_path = false;                          ///< records the critical path; in one host process
  net::LinkHistory* links = nullptr;                ///< records the links' load; null: not recorded
  std::function<bool()> interrupted = {};           ///< ends the run if it returns true; may be empty
  cosim::GuestOutput::Print print = {};             ///< empty: on psim's own standard output and error
};

/// Detailed nodes that run the scenario's program, with PSIM_NODE (the number of its rank; ranks are numbered
/// node by node) and PSIM_NODES (the number of ranks) in its environment, on a
/// network that other loads may share. With several host processes, each simulates the detailed nodes on its
/// routers. Node 0 alone reads standard input.
class CosimRun {
 public:
  /// Loads the programs and builds the nodes of this host process. Throws UserError. One object at a time:
  /// SystemC has one simulation. All arguments outlive the run, except `surroundings`.
  CosimRun(const Scenario& scenario, const net::Network& network, const GuestOptions& guest,
           std::uint64_t seed, net::HostProcesses& processes, Surroundings surroundings);
  ~CosimRun();

  /// Returns the network's nodes of the detailed nodes: the given places, or the first ones. Throws UserError
  /// if there are too few nodes.
  static std::vector<std::uint32_t> places(const Scenario& scenario, const net::Graph& graph);
  /// Returns the ps of a cycle of the cores.
  static std::uint64_t core_period(const Scenario& scenario);
  /// Simulates to the end; `progress` shows the state. Throws UserError. Called in every process. Returns
  /// early, as if interrupted, if `ends_here` returns true; it may be empty.
  void simulate(Progress& progress, const std::function<bool()>& ends_here = {});
  /// Takes text of a rank at `time`, ps, for output in the order of time.
  void write_rank(std::uint64_t time, std::uint32_t rank, net::Stream stream, std::string_view text) {
    output_.write_rank(time, rank, stream, text);
  }
  /// Returns the results, in process 0 those of all processes. Prints the rest of the output. Called in every
  /// process after simulate(), and after the neighbours have ended.
  CosimResult finish();
  net::Simulation& simulation() { return simulation_; }
  /// Returns whether the run was interrupted.
  bool interrupted() const { return interrupted_; }

 private:
  std::vector<std::uint32_t> numbers_here() const;
  std::unique_ptr<isa::Process> start_program(std::uint32_t rank, GuestOptions options, std::uint64_t seed);
  void share_temporary();
  void join(std::uint32_t number);
  void trace_messages();
  /// Returns the program of rank `local` of the node with this index of here_.
  isa::Process& program(std::size_t slot, std::uint32_t local) const {
    return *programs_[slot * scenario_.ranks() + local];
  }
  void watch(Progress& progress) const;
  void check() const;
  std::optional<int> agreed_status() const;
  void report_deadlock();
  cosim::NodePath path_of(const CosimResult& result) const;
  void gather_nodes(CosimResult& result) const;
  void gather_energy(CosimResult& result) const;

  const Scenario& scenario_;
  const net::Network& network_;
  net::HostProcesses& processes_;
  const Surroundings surroundings_;
  const std::vector<std::uint32_t> places_;
  CosimResult result_;
  bool interrupted_ = false;
  const std::unique_ptr<cosim::Failure> failure_;
  const std::unique_ptr<const cosim::NicChannel> channel_;
  cosim::OperationLog log_;
  std::unique_ptr<cosim::MessageTrace> trace_;  ///< null: no message is traced
  std::unique_ptr<cosim::NodePaths> paths_;     ///< null: no critical path is recorded
  cosim::GuestOutput output_;
  net::LoadGroup loads_;
  net::Simulation simulation_;
  const std::vector<std::uint32_t> here_;     ///< numbers of the detailed nodes of this process
  std::optional<TemporaryFolder> temporary_;  ///< in process 0: /tmp of all programs
  std::string temporary_path_;                ///< empty: each program has its own
  std::unique_ptr<cosim::NetworkModule> engine_;
  std::unique_ptr<cosim::Interconnect> interconnect_;
  const std::shared_ptr<isa::AnalysedWords> words_;      ///< of all programs here
  std::vector<std::unique_ptr<isa::Process>> programs_;  ///< of the ranks of the nodes here_, in their order
  pipeline::StretchTable stretches_;                     ///< of all cores here
  cosim::Paces paces_;                                   ///< of functional nodes
  std::unique_ptr<pipeline::StepSchedule> schedule_;     ///< of the cores of all nodes here_
  std::vector<std::unique_ptr<Node>> nodes_;
};

/// Runs the scenario's nodes alone on their network, in one host process.
CosimResult run_cosim(const Scenario& scenario, const GuestOptions& guest, std::uint64_t seed,
                      Progress& progress);

}  // namespace psim
