// SPDX-License-Identifier: Apache-2.0
#include "cosim/node.h"

#include <fmt/format.h>

#include "base/console.h"
#include "cosim/nic_registers.h"
#include "guest/fault_report.h"
#include "guest/signal_numbers.h"

namespace psim {

using cosim::to_ps;

Node::Node(sc_core::sc_module_name name, std::uint32_t number, const Scenario& scenario,
           isa::Process& process, cosim::NicChannel channel, cosim::OperationLog& log,
           cosim::Failure& failure)
    : sc_core::sc_module(name),
      number_(number),
      period_(pipeline::core_period(scenario.node)),
      live_(process),
      device_("registers", cosim::kNicWindow, cosim::kNicWindowBytes, period_,
              cosim::from_ps(static_cast<std::uint64_t>(scenario.interface.doorbell.count())), failure,
              fmt::format("node {}", number)),
      source_(
          live_, process.executor.state(), process.memory, device_,
          cosim::kNicWindow + static_cast<std::uint64_t>(cosim::NicRegister::Doorbell), to_ps(period_),
          {.doorbell_committed = [&log, number](std::uint64_t time) { log.doorbell_committed(number, time); },
           .flag_seen = [&log](std::uint64_t operation,
                               std::uint64_t time) { log.end(operation, "poll", time); },
           .ended = [this, &process, &failure] { program_ended(process, failure); }}),
      core_(scenario.node, source_, {}),
      dma_("dma", process.memory, core_.memory.l2, scenario.node.l2.line_bytes),
      nic_(
          "interface", number, scenario.nodes, scenario.interface, std::move(channel), log, failure,
          [this](std::uint64_t address, std::uint64_t operation) { source_.watch(address, operation); },
          [this] {
            if (source_.signal()) core_.core.wake();
          }) {
  core_.core.attach(source_);
  core_.core.connect(device_);
  device_.out_registers.bind(nic_.in_registers);
  nic_.out_dma.bind(dma_.in_dma);
  dma_.out_memory.bind(core_.memory.memory.in_requests);
}

void Node::program_ended(const isa::Process& process, cosim::Failure& failure) const {
  const std::optional<isa::Ending>& ending = process.ending();
  if (!ending || !ending->by_signal) return;
  console::log("psim: node {}: the program was ended by {}; the run of all nodes ends\n", number_,
               isa::sig::name(ending->code));
  failure.end(128 + ending->code);
}

std::string Node::describe(isa::Process& process) const {
  process.executor.flush_windows();
  const isa::CpuState& state = process.executor.state();
  const isa::SourceMap sources(process.program_path(), process.load_bias());
  return fmt::format("PC {:#x}{}; network interface: {}\n{}", state.pc,
                     isa::describe_source(sources, state.pc), nic_.queues().describe(),
                     isa::describe_callers(sources, process.memory, state));
}

pipeline::Totals Node::totals() {
  core_.core.check();
  return core_.core.totals();
}

}  // namespace psim
