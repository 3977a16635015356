// SPDX-License-Identifier: Apache-2.0
#include "report/net/link_energy_result.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace psim {
namespace {

using nlohmann::ordered_json;

/// Returns the share of low power in the time of all directions.
double low_share(const energy::LinkGroup& group, std::uint64_t time) {
  const double all = static_cast<double>(group.directions) * static_cast<double>(time);
  return all == 0 ? 0 : static_cast<double>(group.low) / all;
}

ordered_json json_of(const energy::LinkGroup& group, std::uint64_t time) {
  return {{"directions", group.directions},
          {"joules", energy::joules(group.energy)},
          {"low_share", low_share(group, time)},
          {"wakes", group.wakes}};
}

double ratio(const ordered_json& ours, const ordered_json& base) {
  return base.get<double>() == 0 ? 1 : ours.get<double>() / base.get<double>();
}

/// Returns seconds, exact to the picosecond.
std::string energy_seconds(std::uint64_t ps) {
  return fmt::format("{}.{:012}", ps / 1'000'000'000'000, ps % 1'000'000'000'000);
}

}  // namespace

void add_link_energy(ordered_json& body, const energy::LinkEnergy& links) {
  ordered_json& result = body["link_energy"];
  result = json_of(links.total(), links.time());
  result["watts"] = links.watts();
  result["always_on_watts"] = links.always_on_watts();
  for (const energy::LinkGroup& kind : links.kinds())
    result["kinds"][kind.name] = json_of(kind, links.time());
  double least = 0, most = 0, sum = 0;
  for (std::size_t i = 0; i < links.routers().size(); ++i) {
    const double joules = energy::joules(links.routers()[i].energy);
    least = i == 0 ? joules : std::min(least, joules);
    most = std::max(most, joules);
    sum += joules;
  }
  result["routers"] = {{"mean_joules", sum / static_cast<double>(links.routers().size())},
                       {"min_joules", least},
                       {"max_joules", most}};
  result["over_time"] = {{"bin_seconds", static_cast<double>(links.bin_width()) * 1e-12},
                         {"watts", links.watts_over_time()}};
}

void add_link_shares(ordered_json& body, const energy::LinkEnergy& links,
                     const std::vector<std::string>& jobs) {
  const std::vector<energy::LinkShare>& shares = links.shares();
  if (shares.empty()) return;
  const auto add = [](ordered_json& to, const energy::LinkShare& share) {
    to["joules"] = energy::joules(share.energy);
    to["awake_seconds"] = static_cast<double>(share.awake) * 1e-12;
  };
  ordered_json& result = body["link_energy"];
  for (std::size_t i = 1; i < shares.size(); ++i) {
    ordered_json one;
    const bool further = i + 1 == shares.size() && jobs.size() > i;
    one["name"] = further ? fmt::format("{} and {} more", jobs[i - 1], jobs.size() - i) : jobs[i - 1];
    add(one, shares[i]);
    one["wakes"] = shares[i].wakes;
    result["jobs"].push_back(std::move(one));
  }
  add(result["nobody"], shares[0]);
}

void compare_with_always_on(ordered_json& body, const ordered_json& base) {
  ordered_json& links = body["link_energy"];
  const ordered_json& theirs = base["link_energy"];
  links["compare"] = {{"base", "always-on"},
                      {"seconds", base["seconds"]},
                      {"joules", theirs["joules"]},
                      {"watts", theirs["watts"]},
                      {"normalized_power", ratio(links["watts"], theirs["watts"])},
                      {"normalized_energy", ratio(links["joules"], theirs["joules"])},
                      {"normalized_time", ratio(body["seconds"], base["seconds"])}};
}

std::string link_energy_lines(const ordered_json& body) {
  const ordered_json& links = body["link_energy"];
  std::string lines = fmt::format(
      "links: {:.4g} J, {:.4g} W (always on {:.4g} W), in low power {:.1f} % of the time, woken {} times\n",
      links["joules"].get<double>(), links["watts"].get<double>(), links["always_on_watts"].get<double>(),
      100 * links["low_share"].get<double>(), links["wakes"].get<std::uint64_t>());
  if (links.contains("jobs")) {
    lines += "awake for";
    for (const ordered_json& job : links["jobs"])
      lines += fmt::format(" {}: {:.4g} J,", job["name"].get<std::string>(), job["joules"].get<double>());
    lines += fmt::format(" no job, or in low power: {:.4g} J\n", links["nobody"]["joules"].get<double>());
  }
  if (links.contains("compare")) {
    const ordered_json& compare = links["compare"];
    lines += fmt::format(
        "against links always on ({:.9f} s, {:.4g} J): power {:.4f}, energy {:.4f}, time {:.4f}\n",
        compare["seconds"].get<double>(), compare["joules"].get<double>(),
        compare["normalized_power"].get<double>(), compare["normalized_energy"].get<double>(),
        compare["normalized_time"].get<double>());
  }
  return lines;
}

std::string link_energy_table(const net::LinkSleep& sleep, const net::Graph& graph,
                              const energy::LinkEnergy& energy) {
  std::string table = "from,number,port,kind,low_s,wakes,joules\n";
  const auto add = [&](const char* from, std::uint32_t number, std::uint32_t port, std::size_t index) {
    const net::LinkSleep::Direction& direction = sleep.directions()[index];
    if (direction.kind == net::LinkSleep::kNotThere) return;
    table +=
        fmt::format("{},{},{},{},{},{},{:.9g}\n", from, number, port, sleep.kinds()[direction.kind],
                    energy_seconds(direction.low), direction.wakes, energy::joules(energy.of(direction)));
  };
  for (std::uint32_t router = 0; router < graph.routers(); ++router)
    for (std::uint32_t port = 0; port < graph.ports(router); ++port)
      add("router", router, port, sleep.of_router(router, port));
  for (std::uint32_t node = 0; node < graph.nodes(); ++node)
    for (std::uint32_t port = 0; port < graph.node_ports; ++port)
      add("node", node, port, sleep.of_node(node, port));
  return table;
}

}  // namespace psim
