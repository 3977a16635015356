// SPDX-License-Identifier: Apache-2.0
// A node: a program for each of its ranks on one or more cores with caches and memory, and a network
// interface, wired. The cores are divided among the ranks: the first ones are those of the first rank.
//
//   program ──► NodeSource ──► core ──► L1 ──► L2 ──► memory controller
//      (one for each core)      │ stores to registers        ▲ lines
//                               ▼                            │
//                          RegisterPort ──► Nic ──► DmaPort ─┘ (caches notified)
//                                            │ ▲
//                                            ▼ │ messages: out_packets, in_packets
#pragma once

#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "cosim/dma_port.h"
#include "cosim/marks.h"
#include "cosim/message_trace.h"
#include "cosim/nic.h"
#include "cosim/node_cores.h"
#include "cosim/node_energy.h"
#include "cosim/node_paths.h"
#include "cosim/node_source.h"
#include "cosim/node_traffic.h"
#include "cosim/paces.h"
#include "cosim/rank_account.h"
#include "cosim/rank_history.h"
#include "cosim/register_port.h"
#include "cosim/scenario.h"
#include "guest/live_source.h"
#include "guest/process.h"

namespace psim {

class Node : public sc_core::sc_module {
 public:
  /// Node `number` of the scenario runs `programs`, its ranks, in which the interface's registers are mapped.
  /// `stretches`: those of all nodes of the scenario. All arguments outlive the node. `trace` and `paths` may
  /// be null. `paces`: of functional nodes.
  Node(sc_core::sc_module_name name, std::uint32_t number, const Scenario& scenario,
       std::vector<isa::Process*> programs, cosim::NicChannel channel, cosim::OperationLog& log,
       cosim::MessageTrace* trace, cosim::NodePaths* paths, pipeline::StretchTable& stretches,
       cosim::Paces& paces, cosim::Failure& failure);
  ~Node() override;

  cosim::Nic& interface() { return nic_; }
  cosim::NodeCores& cores() { return cores_; }
  const cosim::NodeCores& cores() const { return cores_; }
  /// Returns where the threads of rank `local` of the node are and what the interface holds for it, for
  /// reports of deadlock: lines.
  std::string describe(std::uint32_t local) const;
  /// Returns where the program of rank `local` of the node has ended: "core 0, PC 0x…, in f at a.c:12", and
  /// its callers on further lines; empty if it has not ended.
  std::string describe_end(std::uint32_t local) const;
  /// Returns true if the program of a rank has ended after MPI_Init and without MPI_Finalize.
  bool left(std::uint32_t local) const { return ranks_[local].left; }
  /// Call after the simulation. Returns the energy, if the scenario measures it.
  std::optional<cosim::NodeAccount> energy();
  /// Call once, after the simulation and before the clocks of the cores are aligned. Returns the time of each
  /// rank.
  std::vector<cosim::RankTime> times();
  /// Call once, likewise. Returns the history of each core, if the scenario records it.
  std::vector<cosim::RankStretches> histories();

 private:
  /// The parts between the program and one core.
  struct CoreLink;
  /// A program, and the flags for which it waits.
  struct Rank {
    isa::Process* program = nullptr;
    bool ended = false, left = false;  ///< left: after MPI_Init and without MPI_Finalize
    cosim::FlagWatch flags;
    std::unique_ptr<cosim::RankAccount> account;
  };
  std::vector<std::unique_ptr<CoreLink>> make_links(const Scenario& scenario, cosim::OperationLog& log,
                                                    cosim::MessageTrace* trace, cosim::Failure& failure);
  void follow_marks();
  void measure_energy(const Scenario& scenario);
  void record_history();
  void follow_pace(bool functional, cosim::Paces& paces);
  void follow_paths();
  cosim::RankCounts counts_of(std::uint32_t local);
  cosim::RankCounts counts_of_core(std::uint32_t core);
  std::vector<isa::InstructionSource*> sources() const;
  static std::vector<Rank> make_ranks(const std::vector<isa::Process*>& programs);
  void program_ended(std::uint32_t local, cosim::Failure& failure);
  std::string pc_text(std::uint32_t local, std::uint64_t pc) const;
  void event(std::uint32_t local);
  void end_waits(std::uint32_t local, std::uint64_t cycle);

  const cosim::NicRanks numbers_;
  const sc_core::sc_time period_;
  cosim::NodePaths* const paths_;
  std::vector<Rank> ranks_;
  std::uint64_t pace_;  ///< of a functional node
  std::vector<std::unique_ptr<CoreLink>> links_;
  cosim::NodeCores cores_;
  cosim::DmaPort dma_;
  cosim::Nic nic_;
  cosim::NodeTraffic traffic_;
  std::vector<std::unique_ptr<cosim::CoreMarks>> marks_;  ///< of the cores
  std::optional<cosim::PaceMeter> pace_meter_;            ///< of a node on a core, if paces are measured
  std::optional<cosim::PaceFollower> pace_follower_;      ///< of a functional node, likewise
  std::optional<cosim::NodeEnergy> energy_;
  std::vector<std::unique_ptr<cosim::RankHistory>> histories_;  ///< of the cores; empty: not recorded
};

}  // namespace psim
