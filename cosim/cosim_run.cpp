// SPDX-License-Identifier: Apache-2.0
#include "cosim/cosim_run.h"

#include <fmt/format.h>

#include <memory>
#include <span>

#include "base/rate.h"
#include "cosim/interconnect.h"
#include "cosim/nic_registers.h"
#include "cosim/node.h"
#include "guest/start_json.h"
#include "netsim/network_statistics.h"
#include "netsim/topology/topology.h"

namespace psim {

std::uint64_t CosimResult::instructions() const {
  std::uint64_t sum = 0;
  for (const NodeResult& node : nodes) sum += node.instructions;
  return sum;
}

namespace {

std::unique_ptr<isa::Process> start_program(const Scenario& scenario, std::uint32_t number,
                                            GuestOptions options, std::uint64_t seed, CosimResult& result) {
  options.environment.push_back(fmt::format("PSIM_NODE={}", number));
  options.environment.push_back(fmt::format("PSIM_NODES={}", scenario.nodes));
  GuestProgram guest = load_guest(scenario.words(), options, seed);
  guest.options.timed = true;
  guest.options.simd = scenario.node.simd;
  guest.options.cycles_per_second = static_cast<std::uint64_t>(scenario.node.core.clock_hz);
  result.program_sha256 = guest.sha256, result.program_bytes = guest.image.bytes.size();
  auto process = std::make_unique<isa::Process>(std::move(guest.image), guest.options);
  if (number == 0) result.start = start_json(process->start, guest.options);
  using cosim::kNicWindow, cosim::kNicWindowBytes;
  if (process->memory.permission(kNicWindow) != isa::kNone ||
      !process->memory.map(kNicWindow, kNicWindowBytes, isa::kRead | isa::kWrite))
    throw UserError(fmt::format("{}: occupies address {:#x}, where the network interface has its registers",
                                scenario.program_path, kNicWindow));
  const std::uint64_t period = __builtin_bswap64(pipeline::core_period(scenario.node).value());
  process->memory.copy_in(cosim::kNicPeriod, std::as_bytes(std::span(&period, 1)));
  return process;
}

/// Records the input that all nodes have read, and the files that they have opened.
void note_input(const std::vector<std::unique_ptr<isa::Process>>& programs, CosimResult& result) {
  Sha256 all;
  for (const auto& program : programs) {
    result.files.insert(program->seen_files.inputs().begin(), program->seen_files.inputs().end());
    const auto& consumed = program->files.standard_input();
    if (!consumed) continue;
    Sha256 hash = consumed->hash;
    all.update(hash.finish());
    result.input_bytes += consumed->bytes;
  }
  if (result.input_bytes != 0) result.input_sha256 = all.finish();
}

/// Returns the time on an interface's channel, including the header of every packet.
std::uint64_t channel_time(const net::NicConfig& nic, std::uint64_t bytes) {
  const std::uint64_t packets = (bytes + nic.payload.count - 1) / nic.payload.count;
  return net::Rate(nic.bandwidth).time(bytes + packets * nic.header.count);
}

/// Runs until no event is left; in slices if progress is shown.
void simulate(Progress& progress, const std::vector<std::unique_ptr<isa::Process>>& programs) {
  if (!progress.enabled()) return sc_core::sc_start();
  const sc_core::sc_time slice(10, sc_core::SC_US);
  do {
    sc_core::sc_start(slice, sc_core::SC_EXIT_ON_STARVATION);
    progress.update([&](double elapsed) {
      std::uint64_t instructions = 0;
      for (const auto& program : programs) instructions += program->instructions();
      return fmt::format("{}, {:.6g} us simulated", instructions_line(elapsed, instructions, 0, {}),
                         sc_core::sc_time_stamp().to_seconds() * 1e6);
    });
  } while (sc_core::sc_get_status() == sc_core::SC_PAUSED && sc_core::sc_pending_activity());
  progress.clear();
}

/// Of all nodes together, and of the network.
std::vector<statistics::Reading> statistics_of(const std::vector<std::unique_ptr<Node>>& nodes,
                                               const net::Simulation& network) {
  using Detail = statistics::Registry::Detail;
  std::vector<statistics::Registry> registries(nodes.size());
  statistics::Snapshot sum;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    nodes[i]->core().register_statistics(registries[i]);
    sum += registries[i].snapshot(Detail::Buckets);
  }
  std::vector<statistics::Reading> readings = registries.front().read(sum);
  const net::NetworkStatistics counted(network);
  statistics::Registry registry;
  counted.add_to(registry);
  for (statistics::Reading& reading : registry.read(registry.snapshot(Detail::Buckets)))
    readings.push_back(std::move(reading));
  return readings;
}

}  // namespace

CosimResult run_cosim(const Scenario& scenario, const GuestOptions& guest, std::uint64_t seed,
                      Progress& progress) {
  net::NetworkConfig config = scenario.fabric.network;
  // The node's own memory determines the time of DMA.
  config.nic.dma_bandwidth = {0}, config.nic.dma_startup = Picoseconds{0};
  const net::Network network = net::make_topology(config, scenario.nodes);
  const cosim::NicChannel channel{config.nic.payload.count,
                                  [&config](std::uint64_t bytes) { return channel_time(config.nic, bytes); }};
  cosim::OperationLog log(channel.time);
  cosim::Failure failure;

  CosimResult result;
  std::vector<std::unique_ptr<isa::Process>> programs;
  for (std::uint32_t number = 0; number < scenario.nodes; ++number)
    programs.push_back(start_program(scenario, number, guest, seed, result));
  cosim::Interconnect interconnect("network", config, network, scenario.nodes);
  std::vector<std::unique_ptr<Node>> nodes;
  for (std::uint32_t number = 0; number < scenario.nodes; ++number) {
    nodes.push_back(std::make_unique<Node>(fmt::format("node{}", number).c_str(), number, scenario,
                                           *programs[number], channel, log, failure));
    nodes.back()->interface().out_packets.bind(interconnect.in_messages[number]);
    interconnect.outlets[number].out_messages.bind(nodes.back()->interface().in_packets);
  }
  simulate(progress, programs);
  failure.check();

  note_input(programs, result);
  for (std::uint32_t number = 0; number < scenario.nodes; ++number) {
    const pipeline::Totals totals = nodes[number]->totals();
    result.nodes.push_back(
        {totals.instructions, totals.cycles, programs[number]->ending().value_or(isa::Ending{})});
  }
  result.operations = log.operations();
  result.statistics = statistics_of(nodes, interconnect.network());
  result.messages = interconnect.network().interfaces().messages();
  result.packets = interconnect.network().interfaces().received().packets;
  return result;
}

}  // namespace psim
