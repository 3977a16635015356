// SPDX-License-Identifier: Apache-2.0
// A node: a program, a core with its caches and memory, and a network interface, wired.
//
//   program ──► NodeSource ──► core ──► L1 ──► L2 ──► memory controller
//                               │ stores to registers        ▲ lines
//                               ▼                            │
//                          RegisterPort ──► Nic ──► DmaPort ─┘ (caches notified)
//                                            │ ▲
//                                            ▼ │ messages: out_packets, in_packets
#pragma once

#include <optional>
#include <string>
#include <systemc>

#include "cosim/dma_port.h"
#include "cosim/nic.h"
#include "cosim/node_source.h"
#include "cosim/register_port.h"
#include "cosim/scenario.h"
#include "guest/live_source.h"
#include "guest/process.h"
#include "pipeline/wired_core.h"

namespace psim {

class Node : public sc_core::sc_module {
 public:
  /// Node `number` of the scenario runs `process`, in which the interface's registers are mapped. All
  /// arguments outlive the node.
  Node(sc_core::sc_module_name name, std::uint32_t number, const Scenario& scenario, isa::Process& process,
       cosim::NicChannel channel, cosim::OperationLog& log, cosim::Failure& failure);

  cosim::Nic& interface() { return nic_; }
  const pipeline::WiredCore& core() const { return core_; }
  /// Returns where the program is and what the interface holds, for reports of deadlock: lines.
  std::string describe(isa::Process& process) const;
  /// Call after the simulation. Throws the error that ended the core early.
  pipeline::Totals totals();

 private:
  void program_ended(const isa::Process& process, cosim::Failure& failure) const;

  const std::uint32_t number_;
  const sc_core::sc_time period_;
  isa::LiveSource live_;
  cosim::RegisterPort device_;
  cosim::NodeSource source_;
  pipeline::WiredCore core_;
  cosim::DmaPort dma_;
  cosim::Nic nic_;
};

}  // namespace psim
