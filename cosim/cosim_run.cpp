// SPDX-License-Identifier: Apache-2.0
#include "cosim/cosim_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <span>
#include <string>
#include <utility>

#include "base/console.h"
#include "base/error.h"
#include "base/rate.h"
#include "base/result_document.h"
#include "cosim/interconnect.h"
#include "cosim/network_module.h"
#include "cosim/nic_registers.h"
#include "cosim/node.h"
#include "cosim/present.h"
#include "cosim/program_stamp.h"
#include "guest/elf/debug_info.h"
#include "guest/elf/elf_image.h"
#include "guest/elf/notes.h"
#include "guest/start_json.h"
#include "netsim/network_statistics.h"
#include "pipeline/step_schedule.h"

namespace psim {

namespace {

/// Checks that the program, if it is linked with the MPI library for nodes, was built for this psim and its
/// network interface. Throws UserError. A program without the library has no stamp.
void check_stamp(const isa::ElfImage& image) {
  const auto note = isa::find_note(image, cosim::ProgramStamp::kName, cosim::ProgramStamp::kType);
  if (!note) return;
  std::uint64_t interface = 0;
  std::string library;
  if (note->size() >= 4)
    for (int i = 0; i < 4; ++i)
      interface = interface << 8 | static_cast<std::uint8_t>((*note)[static_cast<std::size_t>(i)]);
  for (std::size_t i = 4; i < note->size() && (*note)[i] != std::byte{0}; ++i)
    library += static_cast<char>((*note)[i]);
  if (interface == cosim::queue::kVersion && library == version()) return;
  throw UserError(fmt::format(
      "{}: linked with the MPI library of psim {} for version {} of the network interface; expected the one "
      "of this psim, {}, for version {}: link the program again with its psim-sparc-cc, psim-sparc-cxx or "
      "psim-sparc-f90",
      image.path, library, interface, version(), cosim::queue::kVersion));
}

/// Returns the time on an interface's channel, including the header of every packet; none on an ideal
/// network.
std::uint64_t channel_time(const net::NetworkConfig& network, std::uint64_t bytes) {
  if (network.model == net::NetworkModel::Analytic && network.analytic.ideal) return 0;
  const net::NicConfig& nic = network.nic;
  const std::uint64_t packets = (bytes + nic.payload.count - 1) / nic.payload.count;
  return net::Rate(nic.bandwidth).time(bytes + packets * nic.header.count);
}

/// Returns the time by which a node announces what reaches others: messages by the time of setup, an S-flag
/// by a lookahead.
std::uint64_t notice_of(const Scenario& scenario, net::Simulation& simulation) {
  return scenario.fabric.mpi.sync.kind != net::BarrierNetwork::None
             ? simulation.engine().lookahead()
             : static_cast<std::uint64_t>(scenario.interface.setup.count());
}

void print_directly(std::uint32_t, net::Stream stream, std::string_view text) {
  console::pass_on(stream == net::Stream::Out ? 1 : 2, text);
}

}  // namespace

std::vector<std::uint32_t> CosimRun::places(const Scenario& scenario, const net::Graph& graph) {
  if (scenario.nodes > graph.nodes())
    throw UserError(fmt::format("{}: nodes = {}: the network has {} nodes", scenario.file, scenario.nodes,
                                graph.nodes()));
  std::vector<std::uint32_t> first(scenario.nodes);
  std::iota(first.begin(), first.end(), 0u);
  return first;
}

CosimRun::CosimRun(const Scenario& scenario, const net::Network& network, const GuestOptions& guest,
                   std::uint64_t seed, net::HostProcesses& processes, Surroundings surroundings)
    : scenario_(scenario),
      network_(network),
      processes_(processes),
      surroundings_(std::move(surroundings)),
      places_(surroundings_.places.empty() ? places(scenario, network.graph) : surroundings_.places),
      failure_(std::make_unique<cosim::Failure>()),
      channel_(new cosim::NicChannel{
          scenario.fabric.network.nic.payload.count,
          [&fabric = scenario.fabric.network](std::uint64_t bytes) { return channel_time(fabric, bytes); }}),
      log_(channel_->time),
      output_(surroundings_.ranks, processes, surroundings_.print ? surroundings_.print : print_directly),
      loads_(network.graph.nodes(), surroundings_.owners,
             [this] {
               return failure_->failed() || (surroundings_.interrupted && surroundings_.interrupted());
             }),
      simulation_(scenario.fabric.network, network.graph, *network.routing, loads_, seed, &processes,
                  places_),
      here_(numbers_here()),
      words_(std::make_shared<isa::AnalysedWords>()),
      paces_(scenario.functional_cpi, notice_of(scenario, simulation_) / core_period(scenario)) {
  // "Simulation stopped by user.", on standard output
  sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
  const std::uint64_t notice = notice_of(scenario, simulation_);
  engine_ = processes.size() == 1 ? std::make_unique<cosim::NetworkModule>("engine", simulation_)
                                  : std::make_unique<cosim::NetworkModule>("engine", simulation_, notice);
  interconnect_ = std::make_unique<cosim::Interconnect>("network", simulation_, *engine_, places_, here_,
                                                        surroundings_.owner, scenario.fabric.mpi.sync);
  trace_messages();
  if (surroundings_.finds_path) {
    paths_ = std::make_unique<cosim::NodePaths>(scenario.fabric.network, network, places_, scenario.ranks(),
                                                core_period(scenario), channel_->time);
    interconnect_->attach(*paths_);
  }
  // A node's core reaches other nodes by messages only, which leave after interface.setup.
  schedule_ =
      std::make_unique<pipeline::StepSchedule>("cores", notice, [this] { return failure_->failed(); });
  share_temporary();
  for (const std::uint32_t number : here_) {
    for (std::uint32_t local = 0; local < scenario.ranks(); ++local)
      programs_.push_back(start_program(number * scenario.ranks() + local, guest, seed));
    join(number);
  }
  std::vector<std::uint32_t> firsts;
  for (const Neighbour& neighbour : surroundings_.neighbours)
    firsts.push_back(loads_.add(*neighbour.load, neighbour.nodes, neighbour.ranks, neighbour.kind));
  interconnect_->number_from(
      loads_.add(*interconnect_, places_, scenario.nodes, net::LoadGroup::Kind::Foreground));
  loads_.add(output_, {}, 0, net::LoadGroup::Kind::Foreground);
  for (std::size_t i = 0; i < firsts.size(); ++i) surroundings_.neighbours[i].start(simulation_, firsts[i]);
  engine_->scheduled();
  if (surroundings_.links != nullptr) simulation_.attach(*surroundings_.links);
}

CosimRun::~CosimRun() = default;

/// Makes the trace of messages, if any is to be recorded or observed.
void CosimRun::trace_messages() {
  const std::optional<ObservedCore>& observed = surroundings_.observed;
  const bool ends = observed && observed->at_end;
  if (!surroundings_.traced && !ends) return;
  cosim::MessageChoice none;
  none.most = 0;
  trace_ = std::make_unique<cosim::MessageTrace>(surroundings_.traced.value_or(none),
                                                 scenario_.nodes * scenario_.ranks(),
                                                 cosim::to_ps(pipeline::core_period(scenario_.node)));
  simulation_.attach(*trace_);
  interconnect_->attach(*trace_);
  if (!ends) return;
  const std::uint32_t ranks = scenario_.ranks(), cores = scenario_.node.node.cores / ranks;
  trace_->watch_ends(
      observed->rank, observed->number,
      [observed = *observed, ranks, cores](std::uint32_t rank, std::uint32_t core, std::uint64_t cycle) {
        if (rank / ranks == observed.node && rank % ranks * cores + core == observed.core)
          observed.at_end(cycle);
      });
}

/// Returns the detailed nodes of this process. Throws UserError if a process has none.
std::vector<std::uint32_t> CosimRun::numbers_here() const {
  const net::Partition& partition = simulation_.partition();
  std::vector<std::uint32_t> of_process(partition.processes()), here;
  for (std::uint32_t number = 0; number < places_.size(); ++number) {
    const std::uint32_t process = partition.owner(network_.graph.node_router[places_[number]]);
    ++of_process[process];
    if (process == processes_.rank()) here.push_back(number);
  }
  const auto busy = of_process.size() - static_cast<std::size_t>(std::ranges::count(of_process, 0u));
  if (busy < of_process.size())
    throw UserError(
        fmt::format("mpirun: {} host processes: only {} of them would have detailed nodes, which are on {} "
                    "routers; expected at "
                    "most {} host processes",
                    of_process.size(), busy, busy, busy));
  return here;
}

/// Creates the directory that is /tmp on all nodes, as ranks of one machine would have it.
void CosimRun::share_temporary() {
  if (processes_.first()) {
    const char* const parent = std::getenv("TMPDIR");
    temporary_ = TemporaryFolder::make(parent != nullptr && *parent != '\0' ? parent : "/tmp", "psim-guest-");
    if (temporary_) temporary_path_ = temporary_->path();
  }
  if (processes_.size() == 1) return;
  std::vector<net::Parcel> mine(processes_.size()), theirs(processes_.size());
  for (net::Parcel& parcel : mine) parcel.put_text(temporary_path_);
  processes_.exchange(mine, theirs);
  if (!processes_.first()) temporary_path_ = theirs[0].take_text();
}

std::unique_ptr<isa::Process> CosimRun::start_program(std::uint32_t rank, GuestOptions options,
                                                      std::uint64_t seed) {
  const std::uint32_t ranks = scenario_.ranks();
  options.environment.push_back(fmt::format("PSIM_NODE={}", rank));
  options.environment.push_back(fmt::format("PSIM_NODES={}", scenario_.nodes * ranks));
  if (ranks > 1) options.environment.push_back(fmt::format("PSIM_NODE_RANKS={}", ranks));
  if (const net::SyncCommConfig& sync = scenario_.fabric.mpi.sync; sync.kind != net::BarrierNetwork::None)
    options.environment.push_back(fmt::format("PSIM_BARRIER={} {} {} {} {} {} {}", sync.micro_cluster,
                                              sync.flag_set.count(), sync.flag_access.count(),
                                              sync.tick.count(), sync.oscillator_ppm, sync.stamps, seed));
  if (!scenario_.fabric.rules_of_messages.empty())
    options.environment.push_back(fmt::format("PSIM_ALGORITHMS={}", scenario_.fabric.rules_of_messages));
  if (const net::ClockConfig& clock = scenario_.fabric.mpi.clock; clock.stated())
    options.environment.push_back(fmt::format("PSIM_CLOCK={} {} {} {}", static_cast<unsigned>(clock.wtime),
                                              clock.offset.count(), clock.drift_ppm, seed));
  GuestProgram guest = load_guest(scenario_.words(), options, seed);
  check_stamp(guest.image);
  guest.options.timed = true;
  guest.options.simd = scenario_.node.simd;
  guest.options.memory_flags = pipeline::memory_flags(scenario_.node);
  guest.options.words = words_;
  const pipeline::NodeConfig& node = scenario_.node.node;
  guest.options.threads = {node.cores / ranks, node.thread_wake, node.thread_switch, node.time_slice};
  guest.options.sandbox.temporary = temporary_path_;
  guest.options.cycles_per_second = static_cast<std::uint64_t>(scenario_.node.core.clock_hz);
  result_.program_sha256 = guest.sha256, result_.program_bytes = guest.image.bytes.size();
  auto process = std::make_unique<isa::Process>(std::move(guest.image), guest.options);
  if (rank == 0) result_.start = start_json(process->start, guest.options);
  if (const auto input = process->files.get(0); rank != 0 && input) input->host = isa::UniqueFd();  // empty
  const std::uint64_t period = cosim::to_ps(pipeline::core_period(scenario_.node));
  process->output = [this, rank, period, &clock = process->clock](int descriptor, std::string_view text) {
    output_.write_node(clock.core_cycles() * period, rank,
                       descriptor == 1 ? net::Stream::Out : net::Stream::Error, text);
    output_.flush();
  };
  using cosim::kNicWindow, cosim::kNicWindowBytes;
  if (process->memory.permission(kNicWindow) != isa::kNone ||
      !process->memory.map(kNicWindow, kNicWindowBytes, isa::kRead | isa::kWrite))
    throw UserError(fmt::format("{}: occupies address {:#x}, where the network interface has its registers",
                                scenario_.program_path, kNicWindow));
  process->executor.set_device(kNicWindow, kNicWindowBytes);
  const std::uint64_t readable = __builtin_bswap64(period);
  process->memory.copy_in(cosim::kNicPeriod, std::as_bytes(std::span(&readable, 1)));
  return process;
}

/// Builds the node of the last programs, and connects it to the network.
void CosimRun::join(std::uint32_t number) {
  const std::size_t slot = nodes_.size();
  std::vector<isa::Process*> programs;
  for (std::uint32_t local = 0; local < scenario_.ranks(); ++local) programs.push_back(&program(slot, local));
  nodes_.push_back(std::make_unique<Node>(fmt::format("node{}", number).c_str(), number, scenario_,
                                          std::move(programs), *channel_, log_, trace_.get(), paths_.get(),
                                          stretches_, paces_, *failure_));
  if (const auto& observed = surroundings_.observed; observed && observed->node == number)
    nodes_[slot]->cores().core(observed->core).attach(*observed->observer);
  nodes_[slot]->cores().join(*schedule_);
  nodes_[slot]->interface().out_packets.bind(interconnect_->in_messages[slot]);
  interconnect_->outlets[slot].out_messages.bind(nodes_[slot]->interface().in_packets);
}

std::uint64_t CosimRun::core_period(const Scenario& scenario) {
  return cosim::to_ps(pipeline::core_period(scenario.node));
}

/// Runs until no event is left, in slices of simulated time after which output and progress are shown.
void CosimRun::simulate(Progress& progress, const std::function<bool()>& ends_here) {
  const sc_core::sc_time slice(progress.enabled() || ends_here ? 10 : 100, sc_core::SC_US);
  do {
    sc_core::sc_start(slice);
    output_.flush();
    watch(progress);
    if (ends_here && ends_here()) {
      interrupted_ = true;
      return;
    }
  } while (sc_core::sc_get_status() == sc_core::SC_PAUSED && sc_core::sc_pending_activity());
  progress.clear();
  // Processes that have not failed wait for the vote of one that has.
  if (failure_->failed() && processes_.size() > 1 &&
      simulation_.agree_on_window(net::EventWheel::kNever) != net::EventWheel::kNever)
    simulation_.serve_window();
  processes_.together([this] { check(); });
  result_.status = agreed_status();
  result_.aborted = result_.status.has_value();
  interrupted_ = loads_.ended() && !result_.status;
  if (!result_.status && !interrupted_) report_deadlock();
  processes_.together([this] { check(); });
}

/// Returns the exit status with which a program of any host process has ended the run; of several, that of
/// the first process.
std::optional<int> CosimRun::agreed_status() const {
  if (processes_.size() == 1) return failure_->status();
  std::vector<net::Parcel> mine(processes_.size()), theirs(processes_.size());
  for (net::Parcel& parcel : mine) {
    parcel.put(failure_->status().has_value());
    parcel.put(failure_->status().value_or(0));
  }
  processes_.exchange(mine, theirs);
  for (std::uint32_t process = 0; process < processes_.size(); ++process) {
    if (process == processes_.rank()) {
      if (failure_->status()) return failure_->status();
      continue;
    }
    const bool ended = theirs[process].take<bool>();
    if (const int status = theirs[process].take<int>(); ended) return status;
  }
  return std::nullopt;
}

void CosimRun::watch(Progress& progress) const {
  progress.update([&](double elapsed) {
    std::uint64_t instructions = 0;
    for (const auto& program : programs_) instructions += program->instructions();
    return fmt::format("{}, {:.6g} us simulated", instructions_line(elapsed, instructions, 0, {}),
                       sc_core::sc_time_stamp().to_seconds() * 1e6);
  });
}

/// Throws the error that ended the run here.
void CosimRun::check() const {
  failure_->check();
  for (std::size_t slot = 0; slot < nodes_.size(); ++slot) try {
      nodes_[slot]->cores().check();
    } catch (const std::exception& problem) {
      if (processes_.size() == 1) throw;
      throw UserError(
          fmt::format("node {}: {}", here_[slot], problem.what()));  // the first process reports it
    }
}

}  // namespace psim
