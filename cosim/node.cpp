// SPDX-License-Identifier: Apache-2.0
#include "cosim/node.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "base/console.h"
#include "cosim/address_spaces.h"
#include "cosim/nic_registers.h"
#include "guest/fault_report.h"
#include "guest/signal_numbers.h"
#include "pipeline/node_config.h"

namespace psim {

using cosim::to_ps;

struct Node::CoreLink {
  /// `core` is the number in the node, `own` that among the cores of the program.
  CoreLink(isa::Process& process, std::uint32_t core, std::uint32_t own, cosim::FlagWatch& flags,
           const std::string& name, sc_core::sc_time period, sc_core::sc_time doorbell,
           cosim::Failure& failure, cosim::NodeSource::Listener listener)
      : live(process, own),
        device(core == 0 ? "registers" : fmt::format("registers{}", core).c_str(), cosim::kNicWindow,
               cosim::kNicWindowBytes, period, doorbell, failure, name),
        source(live, process, own, device, flags,
               cosim::kNicWindow + static_cast<std::uint64_t>(cosim::NicRegister::Doorbell), to_ps(period),
               std::move(listener)) {}

  isa::LiveSource live;
  cosim::RegisterPort device;
  cosim::NodeSource source;
  cosim::QueueObserver::OfCore* observer = nullptr;  ///< between source and core; null: none is needed
};

namespace {

cosim::NicRanks ranks_of(const Scenario& scenario, std::uint32_t node) {
  return {.node = node,
          .of_node = scenario.ranks(),
          .all = scenario.nodes * scenario.ranks(),
          .cores = scenario.node.node.cores / scenario.ranks(),
          .loopback_channel = scenario.fabric.network.nic.loopback};
}

std::vector<isa::GuestMemory*> memories_of(const std::vector<isa::Process*>& programs) {
  std::vector<isa::GuestMemory*> memories;
  for (isa::Process* program : programs) memories.push_back(&program->memory);
  return memories;
}

}  // namespace

std::vector<std::unique_ptr<Node::CoreLink>> Node::make_links(const Scenario& scenario,
                                                              cosim::OperationLog& log,
                                                              cosim::MessageTrace* trace,
                                                              cosim::Failure& failure) {
  const auto doorbell = cosim::from_ps(static_cast<std::uint64_t>(scenario.interface.doorbell.count()));
  std::vector<std::unique_ptr<CoreLink>> links;
  for (std::uint32_t core = 0; core < scenario.node.node.cores; ++core) {
    const std::uint32_t local = core / numbers_.cores, rank = numbers_.first() + local;
    Rank& of = ranks_[local];
    links.push_back(std::make_unique<CoreLink>(
        *of.program, core, core % numbers_.cores, of.flags, numbers_.name(rank), period_, doorbell, failure,
        cosim::NodeSource::Listener{
            .doorbell_committed = [&log, rank](std::uint64_t time) { log.doorbell_committed(rank, time); },
            .flag_seen = [&log](std::uint64_t operation,
                                std::uint64_t time) { log.end(operation, "poll", time); },
            .ended = [this, local, &failure] { program_ended(local, failure); },
            .wake = [this, core](std::uint64_t cycle) { cores_.unpark(core, cycle); },
            .called_kernel = [this, local](std::uint64_t cycle) { end_waits(local, cycle + 1); }}));
    if (trace != nullptr)
      links.back()->observer = &trace->observer(rank, *of.program).add_core(links.back()->source);
  }
  return links;
}

std::vector<isa::InstructionSource*> Node::sources() const {
  std::vector<isa::InstructionSource*> sources;
  for (const auto& link : links_)
    sources.push_back(link->observer == nullptr ? static_cast<isa::InstructionSource*>(&link->source)
                                                : link->observer);
  return sources;
}

Node::Node(sc_core::sc_module_name name, std::uint32_t number, const Scenario& scenario,
           std::vector<isa::Process*> programs, cosim::NicChannel channel, cosim::OperationLog& log,
           cosim::MessageTrace* trace, cosim::NodePaths* paths, pipeline::StretchTable& stretches,
           cosim::Paces& paces, cosim::Failure& failure)
    : sc_core::sc_module(name),
      numbers_(ranks_of(scenario, number)),
      period_(pipeline::core_period(scenario.node)),
      paths_(paths),
      ranks_(make_ranks(programs)),
      pace_(paces.first()),
      links_(make_links(scenario, log, trace, failure)),
      cores_(scenario.node, sources(),
             {.interval = scenario.measures_energy   ? cosim::NodeEnergy::kInterval
                          : scenario.records_history ? cosim::RankHistory::kInterval
                                                     : 0,
              .memoize = scenario.memoize,
              .stretches = &stretches,
              .functional_pace = scenario.functional(number) ? &pace_ : nullptr}),
      dma_("dma", memories_of(programs), cores_.memory().l2, scenario.node.l2.line_bytes),
      nic_(
          "interface", numbers_, scenario.interface, std::move(channel), log, failure,
          [this](std::uint32_t local, std::uint64_t address, std::uint64_t operation) {
            ranks_[local].flags.push_back({address, operation});
          },
          [this](std::uint32_t local) { event(local); },
          [this](std::uint32_t local, std::uint64_t pc) { return pc_text(local, pc); }),
      traffic_(cores_.memory(), dma_, nic_, scenario.ranks()) {
  for (std::uint32_t n = 0; n < links_.size(); ++n) {
    links_[n]->source.connect(cores_.core(n), cores_.data_cache(n));
    if (links_[n]->observer != nullptr) cores_.core(n).attach(*links_[n]->observer);
    cores_.core(n).connect(links_[n]->device);
    cores_.shift_addresses(n, n / numbers_.cores * cosim::kAddressSpace);
    links_[n]->device.out_registers.bind(nic_.in_registers);
  }
  if (trace != nullptr) nic_.attach(*trace);
  nic_.out_dma.bind(dma_.in_dma);
  dma_.out_memory.bind(cores_.memory().memory->requests());
  follow_marks();
  if (paces.measured() && !scenario.detailed.empty()) follow_pace(scenario.functional(number), paces);
  if (scenario.measures_energy) measure_energy(scenario);
  if (scenario.records_history) record_history();
  if (paths != nullptr) follow_paths();
  if (links_.size() == 1) return;
  for (std::uint32_t local = 0; local < ranks_.size(); ++local)
    ranks_[local].program->threads.on_ready = [this, first = local * numbers_.cores](std::uint32_t core,
                                                                                     std::uint64_t cycle) {
      links_[first + core]->source.end_pause(cycle);
      cores_.unpark(first + core, cycle);
    };
}

/// Begins the accounts of the ranks' time.
void Node::follow_marks() {
  for (std::size_t n = 0; n < links_.size(); ++n) {
    isa::LiveSource& live = links_[n]->live;
    live.mark_calls();
    marks_.push_back(std::make_unique<cosim::CoreMarks>([&live] { return live.take_region(); }));
    cores_.core(n).set_region_listener(marks_.back().get());
  }
  for (std::uint32_t local = 0; local < ranks_.size(); ++local) {
    ranks_[local].account = std::make_unique<cosim::RankAccount>([this, local] { return counts_of(local); });
    for (std::uint32_t own = 0; own < numbers_.cores; ++own)
      marks_[local * numbers_.cores + own]->add(*ranks_[local].account);
  }
}

/// Measures the pace of a detailed node, or lets a functional one follow it.
void Node::follow_pace(bool functional, cosim::Paces& paces) {
  if (functional) {
    marks_.front()->add(pace_follower_.emplace(paces, pace_));
  } else {
    marks_.front()->add(pace_meter_.emplace(paces, [this] { return cores_.core(0).idle_cycles(); }));
  }
}

/// Begins the histories of the cores. The first core of a rank has its marks and messages.
void Node::record_history() {
  for (std::uint32_t n = 0; n < links_.size(); ++n) {
    histories_.push_back(std::make_unique<cosim::RankHistory>([this, n] { return counts_of_core(n); }));
    cores_.core(n).attach(*histories_.back());
    if (n % numbers_.cores == 0) marks_[n]->add(*histories_.back());
  }
}

/// Begins the critical paths of the ranks.
void Node::follow_paths() {
  nic_.attach(*paths_);
  for (std::uint32_t n = 0; n < links_.size(); ++n) {
    const std::uint32_t rank = numbers_.first() + n / numbers_.cores;
    if (n % numbers_.cores == 0)
      marks_[n]->add(paths_->marks(rank, [this, n] { return cores_.core(n).totals().cycles; }));
    links_[n]->device.on_store([this, rank](std::uint64_t address, std::uint64_t value, std::uint64_t time) {
      if (address == cosim::kNicWindow + static_cast<std::uint64_t>(cosim::NicRegister::SubmissionTail))
        paths_->rang(rank, value, time);
    });
  }
}

/// Begins the account of energy.
void Node::measure_energy(const Scenario& scenario) {
  std::vector<cosim::NodeEnergy::MarkedCore> marked;
  for (std::uint32_t n = 0; n < links_.size(); ++n)
    marked.push_back({n / numbers_.cores, cores_.core(n), cores_.data_cache(n), *marks_[n]});
  energy_.emplace(scenario.node, scenario.power, marked, cores_.memory(), dma_, nic_);
}

/// Returns the counts of a rank up to now.
cosim::RankCounts Node::counts_of(std::uint32_t local) {
  const std::uint32_t first = local * numbers_.cores;
  const pipeline::Totals totals = cores_.core(first).totals();
  const cosim::NodeTraffic::Bytes bytes = traffic_.before(local, totals.cycles * to_ps(period_));
  cosim::RankCounts counts{.cycles = totals.cycles,
                           .asleep = cores_.core(first).idle_cycles(),
                           .instructions = totals.instructions,
                           .flops = totals.flops,
                           .memory_bytes = bytes.memory,
                           .sent_bytes = bytes.sent,
                           .received_bytes = bytes.received,
                           .cpi = totals.cpi};
  for (std::uint32_t n = first + 1; n < first + numbers_.cores; ++n) {
    const pipeline::Totals other = cores_.core(n).totals();
    counts.instructions += other.instructions;
    counts.flops += other.flops;
  }
  return counts;
}

/// Returns the counts of a core up to now. Bytes are those of the rank, and of its first core only.
cosim::RankCounts Node::counts_of_core(std::uint32_t core) {
  const pipeline::Totals totals = cores_.core(core).totals();
  cosim::RankCounts counts{.cycles = totals.cycles,
                           .asleep = cores_.core(core).idle_cycles(),
                           .instructions = totals.instructions,
                           .flops = totals.flops,
                           .cpi = totals.cpi};
  if (core % numbers_.cores != 0) return counts;
  const cosim::NodeTraffic::Bytes bytes =
      traffic_.before(core / numbers_.cores, totals.cycles * to_ps(period_));
  counts.memory_bytes = bytes.memory;
  counts.sent_bytes = bytes.sent;
  counts.received_bytes = bytes.received;
  return counts;
}

Node::~Node() {
  for (Rank& rank : ranks_) rank.program->threads.on_ready = nullptr;
}

std::vector<Node::Rank> Node::make_ranks(const std::vector<isa::Process*>& programs) {
  std::vector<Rank> ranks(programs.size());
  for (std::size_t local = 0; local < programs.size(); ++local) ranks[local].program = programs[local];
  return ranks;
}

/// Ends the pauses of all threads of a rank after an event of the interface.
void Node::event(std::uint32_t local) {
  bool slept = false;
  for (std::uint32_t n = local * numbers_.cores; n < (local + 1) * numbers_.cores; ++n)
    if (links_[n]->source.signal()) {
      slept = true;
      cores_.wake(n);
    }
  if (paths_ != nullptr) paths_->signalled(numbers_.first() + local, slept, cosim::present_ps());
}

/// Ends the waits for writes of all threads of a rank.
void Node::end_waits(std::uint32_t local, std::uint64_t cycle) {
  for (std::uint32_t n = local * numbers_.cores; n < (local + 1) * numbers_.cores; ++n)
    links_[n]->source.end_wait(cycle);
}

void Node::program_ended(std::uint32_t local, cosim::Failure& failure) {
  const std::optional<isa::Ending>& ending = ranks_[local].program->ending();
  if (ranks_[local].ended || !ending) return;
  ranks_[local].ended = true;
  if (!ending->by_signal) {
    ranks_[local].left = ranks_[local].account->between_calls();
    if (!ranks_[local].left || ending->code == 0) return;
    // As on ranks of psim net: others may wait for ever for messages that this rank will not send.
    console::log("psim: rank {} ended with status {} without MPI_Finalize\n", numbers_.first() + local,
                 ending->code);
    return failure.end(ending->code);
  }
  const isa::Process& program = *ranks_[local].program;
  console::log("psim: {}: the program was ended by {} on core {}, {}; the run of all nodes ends\n",
               numbers_.name(numbers_.first() + local), isa::sig::name(ending->code),
               local * numbers_.cores + program.threads.current().core,
               pc_text(local, program.executor.state().pc));
  failure.end(128 + ending->code);
}

std::string Node::pc_text(std::uint32_t local, std::uint64_t pc) const {
  const isa::Process& program = *ranks_[local].program;
  const isa::SourceMap sources(program.program_path(), program.load_bias());
  return fmt::format("PC {:#x}{}", pc, isa::describe_source(sources, pc));
}

std::string Node::describe_end(std::uint32_t local) const {
  isa::Process& program = *ranks_[local].program;
  if (!program.ending()) return "";
  const isa::SourceMap sources(program.program_path(), program.load_bias());
  program.executor.flush_windows();
  const isa::CpuState& state = program.executor.state();
  return fmt::format("core {}, {}\n{}", local * numbers_.cores + program.threads.current().core,
                     pc_text(local, state.pc), isa::describe_callers(sources, program.memory, state));
}

std::string Node::describe(std::uint32_t local) const {
  isa::Process& program = *ranks_[local].program;
  const isa::SourceMap sources(program.program_path(), program.load_bias());
  const bool several = program.threads.live() > 1;
  std::string text;
  for (const auto& thread : program.threads.all()) {
    if (thread->state == isa::Thread::State::Ended) continue;
    program.switch_to(*thread);
    program.executor.flush_windows();
    const isa::CpuState& state = program.executor.state();
    if (!text.empty()) text += fmt::format("psim: {}: waits at ", numbers_.name(numbers_.first() + local));
    text += fmt::format("PC {:#x}{}", state.pc, isa::describe_source(sources, state.pc));
    if (several) text += fmt::format(", thread {}", thread->id);
    text += fmt::format("{} core {}", several ? " on" : ", on", local * numbers_.cores + thread->core);
    if (thread.get() == program.threads.all().front().get())
      text += "; network interface: " + nic_.queues(local).describe();
    text += "\n" + isa::describe_callers(sources, program.memory, state);
  }
  return text;
}

std::vector<cosim::RankTime> Node::times() {
  std::vector<cosim::RankTime> times;
  for (const Rank& rank : ranks_) {
    times.push_back(rank.account->finish());
    times.back().left = rank.left;
    if (std::string note = pipeline::shared_core_note(*rank.program); !note.empty())
      times.back().notes.push_back(std::move(note));
  }
  return times;
}

std::vector<cosim::RankStretches> Node::histories() {
  std::vector<cosim::RankStretches> histories;
  for (const auto& history : histories_) histories.push_back(history->finish());
  return histories;
}

std::optional<cosim::NodeAccount> Node::energy() {
  if (!energy_) return std::nullopt;
  return energy_->finish();
}

}  // namespace psim
