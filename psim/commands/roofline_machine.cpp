// SPDX-License-Identifier: Apache-2.0
#include "psim/commands/roofline_machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "machines/machine.h"
#include "machines/network_machine.h"

namespace psim::commands {
namespace {

using predict::Limit;
using predict::Roofline;

/// Adds the lines of a core: all pipes do a multiply-add in each cycle.
void add_core(Roofline& to, const Machine& machine) {
  const double clock = static_cast<double>(machine.core.clock_hz);
  const double scalar = 2.0 * machine.core.pipes.fp * clock;
  const double pes = 2.0 * machine.simd.pes * machine.core.simd.arithmetic_pipes * clock;
  const double peak = std::max(scalar, pes);
  to.lines.push_back({"peak", Limit::Flops, peak});
  to.lines.push_back({"without multiply-add", Limit::Flops, peak / 2, true});
  if (pes > 0) to.lines.push_back({"scalar part", Limit::Flops, scalar, true});
  to.lines.push_back({"memory", Limit::Memory, static_cast<double>(machine.memory.bytes_per_second)});
}

void add_links(Roofline& to, const NetworkMachine& machine) {
  for (const NamedBandwidth& link : parse_links(machine.roofline.links))
    to.lines.push_back({link.name, Limit::Messages, static_cast<double>(link.bandwidth.count)});
  if (!machine.roofline.links.empty()) return;
  const net::NetworkConfig& network = machine.network;
  if (network.model == net::NetworkModel::Analytic && network.analytic.bandwidth.count != 0) {
    to.lines.push_back(
        {"analytic network", Limit::Messages, static_cast<double>(network.analytic.bandwidth.count)});
    return;
  }
  const double port = static_cast<double>(network.nic.bandwidth.count);
  double node = port * network.nic.ports;
  if (network.nic.dma_bandwidth.count != 0)
    node = std::min(node, static_cast<double>(network.nic.dma_bandwidth.count) * network.nic.dma_engines);
  to.lines.push_back({network.nic.ports == 1 ? "interface" : fmt::format("{} ports", network.nic.ports),
                      Limit::Messages, node});
  if (port < node) to.lines.push_back({"one port", Limit::Messages, port});
}

Roofline network_roofs(const NetworkMachine& machine) {
  Roofline to{machine.name, {}, {}};
  const std::unique_ptr<Machine> core = core_of(machine);
  if (core != nullptr) add_core(to, *core);
  if (machine.roofline.peak.count != 0) {
    std::erase_if(to.lines, [](const predict::RoofLine& line) { return line.limit == Limit::Flops; });
    to.lines.insert(to.lines.begin(),
                    {"peak", Limit::Flops, static_cast<double>(machine.roofline.peak.count)});
  }
  if (machine.roofline.memory_bandwidth.count != 0) {
    std::erase_if(to.lines, [](const predict::RoofLine& line) { return line.limit == Limit::Memory; });
    to.lines.push_back(
        {"memory", Limit::Memory, static_cast<double>(machine.roofline.memory_bandwidth.count)});
  }
  if (to.peak() == 0)
    throw UserError(
        fmt::format("machine {}: roofline.peak: not stated; expected a machine with the peak of its nodes: "
                    "--machine FILE, or "
                    "--machine {} --set roofline.peak='64 GFlop/s'",
                    machine.name, machine.name));
  add_links(to, machine);
  return to;
}

Roofline core_roofs(const Machine& machine) {
  Roofline to{machine.name, {}, {}};
  add_core(to, machine);
  return to;
}

/// Returns the lines of a cycle-level node: its cores, their memory, and the interface.
Roofline node_roofs(const Machine& machine, const NetworkMachine& network) {
  Roofline to{machine.name, {}, {}};
  add_core(to, machine);
  for (predict::RoofLine& line : to.lines)
    if (line.limit == Limit::Flops) line.rate *= machine.node.cores;
  add_links(to, network);
  return to;
}

/// Appends the values of a configuration as settings.
void flatten(const nlohmann::json& from, const std::string& prefix, std::vector<Setting>& settings) {
  for (const auto& [key, value] : from.items()) {
    if (prefix.empty() && key == "name") continue;
    if (value.is_object())
      flatten(value, prefix + key + ".", settings);
    else
      settings.push_back(
          parse_override(prefix + key + "=" + (value.is_string() ? value.get<std::string>() : value.dump())));
  }
}

/// Applies the configuration in a result.
template <class Configured>
std::unique_ptr<Configured> configured(const nlohmann::json& configuration) {
  auto machine = std::make_unique<Configured>();
  machine->name = configuration.value("name", "");
  std::vector<Setting> settings;
  flatten(configuration, "", settings);
  Problems problems;
  machine->schema.apply(settings, problems);
  problems.throw_if_any();
  return machine;
}

}  // namespace

Roofline roofs_of(const MachineChoice& choice) {
  return is_network(choice) ? network_roofs(*load_network(choice)) : core_roofs(*load_machine(choice));
}

Roofline roofs_of(const nlohmann::json& result) {
  if (!result.contains("machine")) throw UserError("machine: missing; expected --machine FILE");
  const std::string command = result.value("command", "");
  if (command == "net") return network_roofs(*configured<NetworkMachine>(result["machine"]));
  if (command != "cosim") return core_roofs(*configured<Machine>(result["machine"]));
  const auto node = configured<Machine>(result.at("node"));
  node->name = result["machine"].value("machine", "");
  return node_roofs(*node, *configured<NetworkMachine>(result.at("network")));
}

}  // namespace psim::commands
