// SPDX-License-Identifier: Apache-2.0
#include "psim/cosim/energy_result.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>

#include "cosim/machine_energy.h"
#include "energy/energy_account.h"

namespace psim {
namespace {

using cosim::MachineEnergy;
using cosim::PlaceEnergy;
using energy::joules;
using energy::MachineParts;
using Json = nlohmann::ordered_json;

/// Names of what is outside of all regions, of all calls, after the end of a program, and of no node.
constexpr const char* kNoRegion = "(no region)";
constexpr const char* kNoCall = "(no call)";
constexpr const char* kEnded = "(ended)";
constexpr const char* kShared = "(shared)";
constexpr const char* kLinks = "(links)";

double seconds(std::uint64_t ps) { return static_cast<double>(ps) * 1e-12; }

Json parts_json(const MachineParts& parts) {
  Json object = Json::object();
  for (std::size_t i = 0; i < energy::kParts; ++i) {
    const energy::PartEnergy& part = parts.parts[i];
    object[std::string(name(static_cast<energy::Part>(i)))] = {{"joules", joules(part.total())},
                                                               {"dynamic_joules", joules(part.dynamic)},
                                                               {"static_joules", joules(part.constant)}};
  }
  return object;
}

Json row_json(const std::string& name, const PlaceEnergy& spent) {
  return {{"name", name},
          {"joules", joules(spent.parts.total())},
          {"seconds", seconds(spent.time)},
          {"sleep_seconds", seconds(spent.sleep)},
          {"sleep_joules", joules(spent.while_asleep)}};
}

using Nodes = std::vector<const MachineEnergy::OfNode*>;

/// Adds rows for what belongs to no place: the machine's, or a node's without `links`.
void add_rest(Json& rows, const Nodes& nodes, const PlaceEnergy* links) {
  PlaceEnergy shared, ended;
  for (const MachineEnergy::OfNode* node : nodes) shared += node->shared, ended += node->after_end;
  if (nodes.front()->ranks.size() > 1) rows.push_back(row_json(kShared, shared));
  rows.push_back(row_json(kEnded, ended));
  if (links != nullptr) rows.push_back(row_json(kLinks, *links));
}

/// Returns rows by region, or by call, which sum to the whole machine, or to a node without `links`.
Json rows_json(const Nodes& nodes, bool by_call, const PlaceEnergy* links) {
  std::map<std::string, PlaceEnergy> sums;
  for (const MachineEnergy::OfNode* node : nodes)
    for (const auto& [place, spent] : node->places) sums[by_call ? place.second : place.first] += spent;
  Json rows = Json::array();
  for (const auto& [name, spent] : sums)
    rows.push_back(row_json(!name.empty() ? name : by_call ? kNoCall : kNoRegion, spent));
  add_rest(rows, nodes, links);
  return rows;
}

/// Returns rows by rank, in order, which sum to the whole machine.
Json ranks_json(const Nodes& nodes, const PlaceEnergy& links) {
  Json rows = Json::array();
  for (const MachineEnergy::OfNode* node : nodes)
    for (const PlaceEnergy& rank : node->ranks)
      rows.push_back(row_json(fmt::format("rank {}", rows.size()), rank));
  add_rest(rows, nodes, &links);
  return rows;
}

Json node_json(const MachineEnergy::OfNode& node, double node_seconds) {
  const PlaceEnergy all = node.all();
  Json row{{"joules", joules(node.parts.total())},
           {"average_watts", node_seconds == 0 ? 0 : joules(node.parts.total()) / node_seconds},
           {"sleep_seconds", seconds(all.sleep)},
           {"sleep_joules", joules(all.while_asleep)},
           {"parts", parts_json(node.parts)},
           {"cores_joules", joules(node.cores.total)}};
  add_components(row, node.cores);
  row["regions"] = rows_json({&node}, false, nullptr);
  row["calls"] = rows_json({&node}, true, nullptr);
  return row;
}

/// Returns the energy of each load: the jobs' links while awake, and nodes and links of the detailed nodes.
Json jobs_json(const energy::LinkEnergy& links, const std::vector<std::string>& owners, double nodes) {
  Json rows = Json::array();
  const auto add = [&](const std::string& name, double of_nodes, double of_links) {
    rows.push_back({{"name", name},
                    {"joules", of_nodes + of_links},
                    {"nodes_joules", of_nodes},
                    {"links_joules", of_links}});
  };
  for (std::size_t i = 1; i < links.shares().size() && i <= owners.size(); ++i)
    add(owners[i - 1], owners[i - 1] == kDetailedNodes ? nodes : 0, joules(links.shares()[i].energy));
  add("(no load)", 0, joules(links.shares().front().energy));
  return rows;
}

Json over_time_json(const MachineEnergy& energy) {
  Json end = Json::array(), total = Json::array();
  std::array<Json, energy::kParts> parts;
  parts.fill(Json::array());
  for (const cosim::EnergySlice& slice : energy.over_time) {
    end.push_back(seconds(slice.end));
    total.push_back(joules(slice.parts.total()));
    for (std::size_t i = 0; i < parts.size(); ++i) parts[i].push_back(joules(slice.parts.parts[i].total()));
  }
  Json series{{"end_seconds", std::move(end)}, {"joules", std::move(total)}};
  for (std::size_t i = 0; i < parts.size(); ++i)
    series[std::string(name(static_cast<energy::Part>(i)))] = std::move(parts[i]);
  return series;
}

}  // namespace

void add_machine_energy(Json& body, const Scenario& scenario, const CosimResult& run,
                        const net::Simulation& simulation, const std::vector<std::string>& owners) {
  if (run.energy.empty()) return;
  const energy::LinkEnergy links(*simulation.sleep(), simulation.graph(), scenario.fabric.link_power);
  const MachineEnergy machine(run.energy, scenario.power, links);
  const double time = seconds(machine.time);
  Json& to = body["energy"];
  to["total_joules"] = joules(machine.total.total());
  to["seconds"] = time;
  to["average_watts"] = time == 0 ? 0 : joules(machine.total.total()) / time;
  to["gating"] = scenario.node.schema.find("energy.gating")->text();
  to["cores"] = machine.nodes.size() * scenario.node.node.cores;
  to["parts"] = parts_json(machine.total);
  add_components(to, machine.cores);
  Nodes nodes;
  energy::Femtojoules of_nodes = 0;
  to["nodes"] = Json::array();
  for (const MachineEnergy::OfNode& node : machine.nodes) {
    nodes.push_back(&node);
    of_nodes += node.parts.total();
    to["nodes"].push_back(node_json(node, time));
  }
  PlaceEnergy of_links;
  of_links.parts[energy::Part::Links] = machine.total[energy::Part::Links];
  to["regions"] = rows_json(nodes, false, &of_links);
  to["calls"] = rows_json(nodes, true, &of_links);
  to["ranks"] = ranks_json(nodes, of_links);
  if (!links.shares().empty()) to["jobs"] = jobs_json(links, owners, joules(of_nodes));
  to["over_time"] = over_time_json(machine);
  if (scenario.node.node.cores > 1)
    body["assumptions"].push_back(
        "energy over time: while the first core of a node sleeps, what its cores share (L2, memory, "
        "interface) has its mean power");
}

std::string machine_energy_lines(const nlohmann::json& account) {
  const double total = account["total_joules"].get<double>();
  std::string lines = fmt::format("energy: {:.6g} J in {:.6g} s, {:.4g} W\n", total,
                                  account["seconds"].get<double>(), account["average_watts"].get<double>());
  for (std::size_t i = 0; i < energy::kParts; ++i) {
    const std::string name(energy::name(static_cast<energy::Part>(i)));
    const nlohmann::json& part = account["parts"][name];
    if (const double all = part["joules"].get<double>(); all != 0)
      lines += fmt::format("  {:<12} {:>12.6g} J {:>6.2f} %   dynamic {:.6g} J, static {:.6g} J\n", name, all,
                           100 * all / total, part["dynamic_joules"].get<double>(),
                           part["static_joules"].get<double>());
  }
  double sleep = 0, asleep = 0;
  for (const nlohmann::json& node : account["nodes"])
    sleep += node["sleep_seconds"].get<double>(), asleep += node["sleep_joules"].get<double>();
  const double all =
      account["seconds"].get<double>() * account.value("cores", double(account["nodes"].size()));
  if (sleep != 0)
    lines += fmt::format("  cores asleep {:.2f} % of the time; nodes took {:.6g} J meanwhile\n",
                         100 * sleep / all, asleep);
  return lines;
}

std::string machine_energy_rows(const nlohmann::json& account, bool all) {
  constexpr std::size_t kMost = 12;
  constexpr std::array<std::pair<const char*, const char*>, 5> kDivisions{{{"nodes", "by node"},
                                                                           {"ranks", "by rank"},
                                                                           {"regions", "by region"},
                                                                           {"calls", "by MPI function"},
                                                                           {"jobs", "by load"}}};
  const double total = account.at("total_joules").get<double>();
  std::string lines;
  for (const auto& [key, title] : kDivisions) {
    if (!account.contains(key)) continue;
    struct Row {
      std::string name;
      double joules, sleep;
    };
    std::vector<Row> rows;
    for (const nlohmann::json& row : account[key]) {
      const std::string name =
          row.contains("name") ? row["name"].get<std::string>() : fmt::format("node {}", rows.size());
      rows.push_back({name, row.at("joules").get<double>(), row.value("sleep_joules", 0.0)});
    }
    std::erase_if(rows, [](const Row& row) { return row.joules == 0; });
    if (!all) std::ranges::stable_sort(rows, std::greater<>(), &Row::joules);
    lines += fmt::format("  {}\n", title);
    for (std::size_t i = 0; i < rows.size() && (all || i < kMost); ++i)
      lines += fmt::format("    {:<20} {:>12.6g} J {:>6.2f} %{}\n", rows[i].name, rows[i].joules,
                           100 * rows[i].joules / total,
                           rows[i].sleep == 0 ? "" : fmt::format("   {:.4g} J while asleep", rows[i].sleep));
    if (!all && rows.size() > kMost)
      lines += fmt::format("    … and {} smaller ones (--all shows them)\n", rows.size() - kMost);
  }
  return lines;
}

}  // namespace psim
