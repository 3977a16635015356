// SPDX-License-Identifier: Apache-2.0
// The parameters that papers print, against the shipped machine files: every key as a number in SI units, and
// numbers that follow from several keys. papers/data/machines.toml has the papers' values.

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "machines/machine.h"
#include "machines/machine_kind.h"
#include "machines/network_machine.h"
#include "netsim/topology/topology.h"
#include "papers/experiment.h"
#include "papers/peak.h"

namespace psim::reproduce {
namespace {

using nlohmann::ordered_json;

/// Returns the factor from the base unit of a quantity (ps, fJ, uW) to the SI unit.
double si_factor(Dimension dimension) {
  switch (dimension) {
    case Dimension::Time:
      return 1e-12;
    case Dimension::Energy:
      return 1e-15;
    case Dimension::Power:
      return 1e-6;
    default:
      return 1;
  }
}

/// Returns the value of a key: quantities in SI units, cycles as their number.
ordered_json plain_value(const Field& field) {
  if (!field.quoted) return ordered_json::parse(field.text());
  if (field.form.kind != ValueForm::Kind::Quantity) return field.text();
  const ParsedQuantity parsed = parse_quantity(field.text(), field.form.dimension);
  return static_cast<double>(parsed.value.value()) * si_factor(field.form.dimension);
}

/// Returns the place of a key with dots in nested objects.
ordered_json& place_of(ordered_json& root, std::string_view key) {
  ordered_json* node = &root;
  for (std::size_t dot; (dot = key.find('.')) != std::string_view::npos; key.remove_prefix(dot + 1))
    node = &(*node)[std::string(key.substr(0, dot))];
  return (*node)[std::string(key)];
}

ordered_json plain_values(const Schema& schema) {
  ordered_json root = ordered_json::object();
  for (const Field& field : schema.fields()) place_of(root, field.key) = plain_value(field);
  return root;
}

/// Returns the greatest allowed count of each key that is a count.
ordered_json greatest_counts(const Schema& schema) {
  ordered_json root = ordered_json::object();
  for (const Field& field : schema.fields())
    if (field.form.kind == ValueForm::Kind::Quantity && field.form.dimension == Dimension::Count)
      place_of(root, field.key) = field.form.max;
  return root;
}

ordered_json core_json(const std::string& name) {
  MachineChoice choice;
  choice.machine = name;
  const std::unique_ptr<Machine> machine = load_machine(choice);
  ordered_json all = plain_values(machine->schema);
  all["follows"]["peak_flops_per_second"] =
      peak_flops_per_cycle(*machine) * static_cast<double>(machine->core.clock_hz);
  return all;
}

/// Returns the numbers of the network that the keys describe.
ordered_json graph_json(const NetworkMachine& machine) {
  const net::Network network = net::make_topology(machine.network, 0);
  const net::Graph& graph = network.graph;
  const std::uint32_t routers = graph.routers();
  std::uint32_t most_ports = 0, cables = 0;
  std::uint64_t cut = 0;
  std::vector<std::uint32_t> nodes(routers);  // of each router
  for (const std::uint32_t router : graph.node_router) ++nodes[router];
  for (std::uint32_t router = 0; router < routers; ++router) {
    std::uint32_t used = 0;
    for (std::uint32_t port = 0; port < graph.ports(router); ++port) {
      const net::Channel& channel = graph.channel(router, port);
      if (channel.to_router == net::Channel::kNowhere) continue;
      ++used;
      cut += (router < routers / 2) != (channel.to_router < routers / 2) ? 1 : 0;
    }
    cables = std::max(cables, used);
    most_ports = std::max(most_ports, used + nodes[router] * graph.node_ports);
  }
  const auto link = static_cast<double>(machine.network.link.bandwidth.count);
  return {{"routers", routers},
          {"nodes", graph.nodes()},
          {"nodes_of_first_router", routers == 0 ? 0 : nodes[0]},
          {"most_ports", most_ports},
          {"most_links", cables},
          {"links_bytes_per_second", 2 * cables * link},
          {"bisection_bytes_per_second", static_cast<double>(cut) * link}};
}

ordered_json network_json(const std::string& name) {
  MachineChoice choice;
  choice.machine = name;
  const std::unique_ptr<NetworkMachine> machine = load_network(choice);
  ordered_json all = plain_values(machine->schema);
  const ordered_json& router = all["router"];
  all["follows"]["router_seconds"] = router["routing"].get<double>() + router["vc_allocation"].get<double>() +
                                     router["switch_allocation"].get<double>() +
                                     router["traversal"].get<double>();
  all["follows"]["hop_seconds"] =
      all["follows"]["router_seconds"].get<double>() + all["link"]["delay"].get<double>();
  if (!all["topology"]["shape"].get<std::string>().empty()) all["follows"].update(graph_json(*machine));
  if (machine->mpi.sync.tick.count() != 0)
    all["follows"]["clock_hertz"] = 1e12 / static_cast<double>(machine->mpi.sync.tick.count());
  for (const NamedBandwidth& line : parse_links(machine->roofline.links))
    all["follows"]["lines"][line.name] = static_cast<double>(line.bandwidth.count);
  return all;
}

void run_machines(const ExperimentOptions&, ResultDocument& result) {
  ordered_json& body = result.body();
  for (const ShippedMachine& machine : shipped_machines()) {
    if (machine.is_base) continue;
    body["machines"][machine.name] =
        machine.kind == MachineKind::Core ? core_json(machine.name) : network_json(machine.name);
  }
  body["greatest"] = greatest_counts(Machine().schema);
}

}  // namespace

const Experiment kMachines{
    .name = "machines",
    .summary = "parameters that the papers print, against the shipped machine files",
    .run = run_machines,
    .one_at_a_time = true,
};

}  // namespace psim::reproduce
