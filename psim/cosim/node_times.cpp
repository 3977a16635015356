// SPDX-License-Identifier: Apache-2.0
#include "psim/cosim/node_times.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/console.h"
#include "psim/commands/totals_json.h"
#include "ranks/job/rank_warnings.h"
#include "report/net/work_result.h"

namespace psim {

namespace {

std::string time_text(std::uint64_t ps) { return fmt::format("{:.3f} ns", static_cast<double>(ps) / 1000); }

}  // namespace

void print(const cosim::Operation& operation) {
  console::print("node {}: {} {} bytes {} node {}", operation.node, operation.put ? "put" : "get",
                 operation.bytes, operation.put ? "to" : "from", operation.peer);
  console::print("{}: {}\n", operation.ended ? "" : ", which no load has seen yet",
                 time_text(operation.at - operation.begun));
  for (const auto& [name, ps] : operation.parts) console::print("  {:<20} {:>14}\n", name, time_text(ps));
  if (operation.completed != 0)
    console::print("  complete at node {} after {}\n", operation.node,
                   time_text(operation.completed - operation.begun));
}

nlohmann::ordered_json json_of(const cosim::Operation& operation) {
  const auto seconds = [](std::uint64_t ps) { return static_cast<double>(ps) * 1e-12; };
  nlohmann::ordered_json parts = nlohmann::ordered_json::array();
  for (const auto& [name, ps] : operation.parts) parts.push_back({{"name", name}, {"ps", ps}});
  return {{"kind", operation.put ? "put" : "get"},
          {"node", operation.node},
          {"peer", operation.peer},
          {"bytes", operation.bytes},
          {"begin_seconds", seconds(operation.begun)},
          {"latency_ps", operation.at - operation.begun},
          {"seen", operation.ended},
          {"completed_ps", operation.completed == 0 ? 0 : operation.completed - operation.begun},
          {"parts", std::move(parts)}};
}
namespace {

using cosim::RankCounts;
using cosim::RankRegion;
using cosim::RankTime;
using cosim::RankUse;
using Json = nlohmann::ordered_json;

constexpr const char* kOutsideRegions = "(outside)";

/// A region of all ranks.
struct RegionOfRanks {
  RankRegion sum;
  std::vector<RankUse> own;  ///< by rank
  std::vector<WorkOfRank> work;
};

/// Returns the work of a rank in a part of its run. Ranks of a node have equal shares of the bytes that
/// memory carries meanwhile.
WorkOfRank work_of(const RankCounts& counts, std::size_t rank, const Scenario& scenario) {
  const std::uint32_t sharing = scenario.ranks();
  const auto period = CosimRun::core_period(scenario);
  WorkOfRank work{static_cast<std::uint32_t>(rank), sharing, counts.cycles * period, {}};
  work.work.flops = counts.flops;
  work.work.memory_bytes = counts.memory_bytes / sharing;
  work.work.sent_bytes = counts.sent_bytes;
  work.work.received_bytes = counts.received_bytes;
  return work;
}

class NodeTimes {
 public:
  explicit NodeTimes(double clock_hz) : clock_hz_(clock_hz) {}

  double seconds(std::uint64_t cycles) const { return static_cast<double>(cycles) / clock_hz_; }

  /// Adds the time, its parts and the counts.
  void add_use(Json& to, const RankUse& use) const {
    to["seconds"] = seconds(use.counts.cycles);
    to["compute"] = seconds(use.compute());
    to["overhead"] = seconds(use.overhead);
    to["wait"] = seconds(use.wait);
    to["cycles"] = use.counts.cycles;
    to["instructions"] = use.counts.instructions;
    to["flops"] = use.counts.flops;
    to["cpi_stack"] = commands::cpi_json(use.counts.cpi);
    to["cpi_stack"]["idle"] = use.counts.asleep;
  }

  /// Adds the time without waits, and the instructions, until each step.
  void add_steps(Json& to, const cosim::Steps& steps) const {
    for (const auto& [cycles, instructions] : steps.places) {
      to["seconds_at_steps"].push_back(seconds(cycles));
      to["instructions_at_steps"].push_back(instructions);
    }
  }

  /// Returns `regions` and `outside` of a rank.
  void add_rank(Json& to, const RankTime& rank) const {
    to["regions"] = Json::array();
    for (const RankRegion& region : rank.regions) {
      Json row{{"name", region.name},
               {"count", region.count},
               {"inclusive_seconds", seconds(region.inclusive.cycles)},
               {"inclusive_wait", seconds(region.inclusive_wait)},
               {"inclusive_instructions", region.inclusive.instructions}};
      add_use(row, region.own);
      add_steps(row, region.steps);

      to["regions"].push_back(std::move(row));
    }
    add_use(to["outside"], rank.outside);
    add_steps(to["outside"], rank.outside_steps);
  }

  Json region_json(const RegionOfRanks& region) const {
    Json row{{"name", region.sum.name}, {"arguments", Json::array()}, {"count", region.sum.count}};
    for (std::uint32_t i = 0; i < region.sum.arguments; ++i)
      row["arguments"].push_back(Json::array({region.sum.least[i], region.sum.most[i]}));
    row["inclusive_seconds"] = seconds(region.sum.inclusive.cycles);
    row["inclusive_wait"] = seconds(region.sum.inclusive_wait);
    add_use(row, region.sum.own);
    const auto over_ranks = [&](auto cycles_of) {
      const auto [least, most] = std::ranges::minmax(region.own, {}, cycles_of);
      return Json{{"mean", seconds(cycles_of(region.sum.own)) / static_cast<double>(region.own.size())},
                  {"min", seconds(cycles_of(least))},
                  {"max", seconds(cycles_of(most))}};
    };
    row["per_rank"] = {{"seconds", over_ranks([](const RankUse& use) { return use.counts.cycles; })},
                       {"compute", over_ranks([](const RankUse& use) { return use.compute(); })},
                       {"overhead", over_ranks([](const RankUse& use) { return use.overhead; })},
                       {"wait", over_ranks([](const RankUse& use) { return use.wait; })}};
    return row;
  }

 private:
  const double clock_hz_;
};

void add_region(RegionOfRanks& to, const RankRegion& region, std::size_t rank) {
  to.own[rank] += region.own;
  RankRegion& sum = to.sum;
  sum.name = region.name;
  sum.count += region.count;
  for (std::uint32_t i = 0; i < region.arguments; ++i) {
    const bool first = i >= sum.arguments;
    sum.least[i] = first ? region.least[i] : std::min(sum.least[i], region.least[i]);
    sum.most[i] = first ? region.most[i] : std::max(sum.most[i], region.most[i]);
  }
  sum.arguments = std::max(sum.arguments, region.arguments);
  sum.own += region.own;
  sum.inclusive += region.inclusive;
  sum.inclusive_wait += region.inclusive_wait;
}

/// Returns the regions of all ranks, those with the most time first.
std::vector<RegionOfRanks> regions_of(const CosimResult& run, const Scenario& scenario) {
  std::map<std::string, RegionOfRanks> by_name;
  const std::size_t ranks = run.nodes.size() * scenario.ranks();
  std::size_t rank = 0;
  for (const NodeResult& node : run.nodes)
    for (const RankTime& time : node.times) {
      for (const RankRegion& region : time.regions) {
        RegionOfRanks& sum = by_name[region.name];
        sum.own.resize(ranks);
        add_region(sum, region, rank);
        if (region.count != 0) sum.work.push_back(work_of(region.inclusive, rank, scenario));
      }
      ++rank;
    }
  std::vector<RegionOfRanks> regions;
  for (auto& [name, region] : by_name) regions.push_back(std::move(region));
  std::ranges::stable_sort(regions, std::greater{},
                           [](const RegionOfRanks& one) { return one.sum.own.counts.cycles; });
  return regions;
}

/// Notes of ranks for the user: equal notes of several ranks make one line.
class RankNotes {
 public:
  void add(std::size_t rank, const std::string& note) {
    const auto same = std::ranges::find(lines_, note, &Line::note);
    if (same == lines_.end())
      lines_.push_back({note, rank, 0});
    else
      ++same->others;
  }
  bool empty() const { return lines_.empty(); }
  void write(Json& assumptions) const {
    for (const Line& line : lines_)
      assumptions.push_back(line.others == 0
                                ? fmt::format("rank {}: {}", line.rank, line.note)
                                : fmt::format("rank {} and {} more: {}", line.rank, line.others, line.note));
  }

 private:
  struct Line {
    std::string note;
    std::size_t rank;  // the first
    std::size_t others;
  };
  std::vector<Line> lines_;
};

}  // namespace

void add_node_times(Json& body, const Scenario& scenario, const CosimResult& run) {
  const NodeTimes times(scenario.node.core.clock_hz);
  const std::size_t of_node = scenario.ranks(), ranks = run.nodes.size() * of_node;
  RankUse outside, total;
  std::uint64_t cycles = 0;
  std::vector<WorkOfRank> work;
  RankNotes notes;
  for (std::size_t node = 0; node < run.nodes.size(); ++node) {
    cycles = std::max(cycles, run.nodes[node].cycles);
    for (std::size_t local = 0; local < of_node; ++local) {
      const RankTime& time = run.nodes[node].times[local];
      Json& row = body["nodes"][node];
      times.add_rank(of_node == 1 ? row : row["ranks"][local], time);
      outside += time.outside;
      total += time.total();
      work.push_back(work_of(time.total().counts, node * of_node + local, scenario));
      for (const std::string& note : time.notes) notes.add(node * of_node + local, note);
    }
  }
  if (!notes.empty()) notes.write(body["assumptions"]);
  body["seconds"] = times.seconds(cycles);
  body["ranks"] = ranks;
  Json& compute = body["compute"];
  compute["mode"] = fmt::format("cycle-level nodes {}", scenario.machine);
  compute["regions"] = Json::array();
  for (RegionOfRanks& region : regions_of(run, scenario)) {
    compute["regions"].push_back(times.region_json(region));
    if (!region.work.empty()) compute["regions"].back()["work"] = work_json(std::move(region.work));
  }
  times.add_use(compute["outside"], outside);
  times.add_use(compute["total"], total);
  body["work"] = work_json(std::move(work));
}

void add_warnings(Json& body, const CosimResult& run) {
  net::RankWarnings warnings;
  std::uint32_t number = 0;
  for (const NodeResult& node : run.nodes)
    for (const RankTime& rank : node.times) {
      if (rank.left) warnings.add("ended without MPI_Finalize", number);
      ++number;
    }
  for (const std::string& line : warnings.lines("")) {
    console::log("psim: warning: {}\n", line);
    body["warnings"].push_back(line);
  }
}

void print_node_times(const Json& body) {
  if (body.contains("assumptions"))
    for (const Json& line : body["assumptions"]) console::log("psim: {}\n", line.get<std::string>());
  const Json& compute = body["compute"];
  if (compute["regions"].empty()) return;
  std::size_t width = std::string_view(kOutsideRegions).size();
  for (const Json& region : compute["regions"])
    width = std::max(width, region["name"].get<std::string>().size());
  console::log("{:<{}} {:>10} {:>14} {:>12} {:>14} {:>6} {:>10} {:>7}\n", "region", width, "count",
               "compute us", "overhead us", "wait us", "IPC", "GFlop/s", "share");
  const auto total = compute["total"]["seconds"].get<double>();
  const auto print = [&](const std::string& name, const std::string& count, const Json& row) {
    const auto number = [&](const char* key) { return row[key].get<double>(); };
    const double cycles = number("cycles"), seconds = number("seconds");
    console::log("{:<{}} {:>10} {:>14.3f} {:>12.3f} {:>14.3f} {:>6.2f} {:>10.4g} {:>5.1f} %\n", name, width,
                 count, number("compute") * 1e6, number("overhead") * 1e6, number("wait") * 1e6,
                 cycles == 0 ? 0 : number("instructions") / cycles,
                 seconds == 0 ? 0 : number("flops") / seconds * 1e-9, total == 0 ? 0 : 100 * seconds / total);
  };
  constexpr std::size_t kMostRows = 20;
  const std::size_t rows = std::min(kMostRows, compute["regions"].size());
  for (std::size_t i = 0; i < rows; ++i) {
    const Json& region = compute["regions"][i];
    print(region["name"].get<std::string>(), fmt::format("{}", region["count"].get<std::uint64_t>()), region);
  }
  if (compute["regions"].size() > rows)
    console::log("… and {} more regions, with less time\n", compute["regions"].size() - rows);
  print(kOutsideRegions, "", compute["outside"]);
}

}  // namespace psim
