// SPDX-License-Identifier: Apache-2.0
// A node: a program on one or more cores with caches and memory, and a network interface, wired.
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
#include "cosim/nic.h"
#include "cosim/node_cores.h"
#include "cosim/node_source.h"
#include "cosim/register_port.h"
#include "cosim/scenario.h"
#include "guest/live_source.h"
#include "guest/process.h"

namespace psim {

class Node : public sc_core::sc_module {
 public:
  /// Node `number` of the scenario runs `process`, in which the interface's registers are mapped. All
  /// arguments outlive the node.
  Node(sc_core::sc_module_name name, std::uint32_t number, const Scenario& scenario, isa::Process& process,
       cosim::NicChannel channel, cosim::OperationLog& log, cosim::Failure& failure);
  ~Node() override;

  cosim::Nic& interface() { return nic_; }
  cosim::NodeCores& cores() { return cores_; }
  const cosim::NodeCores& cores() const { return cores_; }
  /// Returns where the threads of the program are and what the interface holds, for reports of deadlock:
  /// lines.
  std::string describe(isa::Process& process) const;

 private:
  /// The parts between the program and one core.
  struct CoreLink;
  std::vector<std::unique_ptr<CoreLink>> make_links(const Scenario& scenario, isa::Process& process,
                                                    cosim::OperationLog& log, cosim::Failure& failure);
  std::vector<isa::InstructionSource*> sources() const;
  void program_ended(const isa::Process& process, cosim::Failure& failure);
  void event();

  const std::uint32_t number_;
  const sc_core::sc_time period_;
  isa::Process& process_;
  bool ended_ = false;
  cosim::FlagWatch flags_;
  std::vector<std::unique_ptr<CoreLink>> links_;
  cosim::NodeCores cores_;
  cosim::DmaPort dma_;
  cosim::Nic nic_;
};

}  // namespace psim
