// SPDX-License-Identifier: Apache-2.0
#include "cosim/node.h"

#include <fmt/format.h>

#include "base/console.h"
#include "cosim/nic_registers.h"
#include "guest/fault_report.h"
#include "guest/signal_numbers.h"

namespace psim {

using cosim::to_ps;

struct Node::CoreLink {
  CoreLink(isa::Process& process, std::uint32_t core, cosim::FlagWatch& flags, std::uint32_t node,
           sc_core::sc_time period, sc_core::sc_time doorbell, cosim::Failure& failure,
           cosim::NodeSource::Listener listener)
      : live(process, core),
        device(core == 0 ? "registers" : fmt::format("registers{}", core).c_str(), cosim::kNicWindow,
               cosim::kNicWindowBytes, period, doorbell, failure, fmt::format("node {}", node)),
        source(live, process, core, device, flags,
               cosim::kNicWindow + static_cast<std::uint64_t>(cosim::NicRegister::Doorbell), to_ps(period),
               std::move(listener)) {}

  isa::LiveSource live;
  cosim::RegisterPort device;
  cosim::NodeSource source;
};

std::vector<std::unique_ptr<Node::CoreLink>> Node::make_links(const Scenario& scenario, isa::Process& process,
                                                              cosim::OperationLog& log,
                                                              cosim::Failure& failure) {
  const auto doorbell = cosim::from_ps(static_cast<std::uint64_t>(scenario.interface.doorbell.count()));
  std::vector<std::unique_ptr<CoreLink>> links;
  for (std::uint32_t core = 0; core < scenario.node.node.cores; ++core)
    links.push_back(std::make_unique<CoreLink>(
        process, core, flags_, number_, period_, doorbell, failure,
        cosim::NodeSource::Listener{
            .doorbell_committed =
                [&log, number = number_](std::uint64_t time) { log.doorbell_committed(number, time); },
            .flag_seen = [&log](std::uint64_t operation,
                                std::uint64_t time) { log.end(operation, "poll", time); },
            .ended = [this, &process, &failure] { program_ended(process, failure); }}));
  return links;
}

std::vector<isa::InstructionSource*> Node::sources() const {
  std::vector<isa::InstructionSource*> sources;
  for (const auto& link : links_) sources.push_back(&link->source);
  return sources;
}

Node::Node(sc_core::sc_module_name name, std::uint32_t number, const Scenario& scenario,
           isa::Process& process, cosim::NicChannel channel, cosim::OperationLog& log,
           cosim::Failure& failure)
    : sc_core::sc_module(name),
      number_(number),
      period_(pipeline::core_period(scenario.node)),
      process_(process),
      links_(make_links(scenario, process, log, failure)),
      cores_(scenario.node, sources()),
      dma_("dma", process.memory, cores_.memory().l2, scenario.node.l2.line_bytes),
      nic_(
          "interface", number, scenario.nodes, scenario.interface, std::move(channel), log, failure,
          [this](std::uint64_t address, std::uint64_t operation) {
            flags_.push_back({address, operation});
          },
          [this] { event(); }) {
  for (std::size_t n = 0; n < links_.size(); ++n) {
    cores_.core(n).attach(links_[n]->source);
    cores_.core(n).connect(links_[n]->device);
    links_[n]->device.out_registers.bind(nic_.in_registers);
  }
  nic_.out_dma.bind(dma_.in_dma);
  dma_.out_memory.bind(cores_.memory().memory.in_requests);
  if (links_.size() > 1)
    process.threads.on_ready = [this](std::uint32_t core, std::uint64_t cycle) {
      links_[core]->source.end_pause(cycle);
      cores_.unpark(core, cycle);
    };
}

Node::~Node() { process_.threads.on_ready = nullptr; }

/// Ends the pauses of all threads after an event of the interface.
void Node::event() {
  for (std::uint32_t n = 0; n < links_.size(); ++n)
    if (links_[n]->source.signal()) cores_.wake(n);
}

void Node::program_ended(const isa::Process& process, cosim::Failure& failure) {
  const std::optional<isa::Ending>& ending = process.ending();
  if (ended_ || !ending) return;
  ended_ = true;
  if (!ending->by_signal) return;
  console::log("psim: node {}: the program was ended by {}; the run of all nodes ends\n", number_,
               isa::sig::name(ending->code));
  failure.end(128 + ending->code);
}

std::string Node::describe(isa::Process& process) const {
  const isa::SourceMap sources(process.program_path(), process.load_bias());
  const bool several = process.threads.live() > 1;
  std::string text;
  for (const auto& thread : process.threads.all()) {
    if (thread->state == isa::Thread::State::Ended) continue;
    process.switch_to(*thread);
    process.executor.flush_windows();
    const isa::CpuState& state = process.executor.state();
    if (!text.empty()) text += fmt::format("psim: node {}: waits at ", number_);
    text += fmt::format("PC {:#x}{}", state.pc, isa::describe_source(sources, state.pc));
    if (several) text += fmt::format(", thread {} on core {}", thread->id, thread->core);
    if (thread.get() == process.threads.all().front().get())
      text += "; network interface: " + nic_.queues().describe();
    text += "\n" + isa::describe_callers(sources, process.memory, state);
  }
  return text;
}

}  // namespace psim
