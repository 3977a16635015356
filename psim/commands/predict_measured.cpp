// SPDX-License-Identifier: Apache-2.0
#include "psim/commands/predict_measured.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "report/timeline/timeline_file.h"

namespace psim::commands {
namespace {

using nlohmann::json;
using predict::MeasuredRegion;
using predict::MeasuredRun;

constexpr double kUneven = 1.2;  // ranks that compute longer than the mean are worth a note

/// Returns the share of the software of MPI calls in a time.
double share_of_calls(const json& part, double seconds) {
  return seconds > 0 ? std::min(1.0, part.at("overhead").get<double>() / seconds) : 0;
}

/// Sums over ranks of one part of the program: of all, and of those on cycle-level nodes (`measured`).
struct PartOfRanks {
  double seconds = 0, calls = 0;  ///< without waits, and of these in MPI calls; measured
  double measured_count = 0, measured_instructions = 0;
  double count = 0, instructions = 0;
  std::vector<double> of_ranks;  ///< instructions of an execution on each rank; 0: none

  explicit PartOfRanks(std::size_t ranks) : of_ranks(ranks) {}
  /// Adds a rank's row, of which `seconds_of_row` pass without waits for `executed` instructions.
  void add(std::size_t rank, const json& row, double seconds_of_row, double executed, double executions,
           bool functional) {
    of_ranks[rank] = executions > 0 ? executed / executions : 0;
    count += executions, instructions += executed;
    if (functional) return;
    seconds += seconds_of_row, calls += row.at("overhead").get<double>();
    measured_count += executions, measured_instructions += executed;
  }
  double mean() const { return count > 0 ? instructions / count : 0; }
  /// Returns the seconds of an execution on the mean rank: ranks take time by their instructions.
  double seconds_of_mean() const {
    const double of_measured = measured_instructions / measured_count;
    return seconds / measured_count * (of_measured > 0 ? mean() / of_measured : 1);
  }
  double share_of_calls() const { return seconds > 0 ? std::min(1.0, calls / seconds) : 0; }
  /// Returns the factors of the time on the ranks.
  std::vector<double> factors() const {
    std::vector<double> all;
    for (const double each : of_ranks) all.push_back(mean() > 0 && each > 0 ? each / mean() : 1);
    return all;
  }
};

/// Replaces the times of a run in which some nodes are functional: those of the others count, and each rank
/// has its own instructions.
void take_measured_nodes(const json& result, MeasuredRun& run, std::vector<std::string>& notes) {
  std::map<std::string, PartOfRanks> regions;
  const json& nodes = result.at("nodes");
  PartOfRanks outside(nodes.size());
  for (std::size_t rank = 0; rank < nodes.size(); ++rank) {
    const json& node = nodes[rank];
    const bool functional = node.value("functional", false);
    const auto number = [](const json& row, const char* key) { return row.at(key).get<double>(); };
    // A region's model is the time with its inner regions, so its instructions are those with them, too.
    for (const json& row : node.at("regions"))
      regions.try_emplace(row.at("name"), nodes.size())
          .first->second.add(rank, row,
                             std::max(0.0, number(row, "inclusive_seconds") - number(row, "inclusive_wait")),
                             number(row, "inclusive_instructions"), number(row, "count"), functional);
    const json& rest = node.at("outside");
    outside.add(rank, rest, number(rest, "compute") + number(rest, "overhead"), number(rest, "instructions"),
                1, functional);
  }
  for (auto& [name, to] : run.regions) {
    const PartOfRanks& part = regions.at(name);
    if (part.measured_count == 0)
      throw UserError(fmt::format(
          "region {}: only functional nodes execute it; expected --detailed with a node that does", name));
    to.seconds = part.seconds_of_mean();
    to.calls = part.share_of_calls();
    to.of_ranks = part.factors();
    const auto [least, most] = std::ranges::minmax(to.of_ranks);
    to.spread = std::max(most - 1, 1 - least) / predict::kNormal95;
    if (most > kUneven)
      notes.push_back(
          fmt::format("region {}: its {} ranks execute from {:.2f} to {:.2f} times the mean number of "
                      "instructions; rank r "
                      "of a prediction has the time of rank r modulo {}",
                      name, to.of_ranks.size(), least, most, to.of_ranks.size()));
  }
  run.outside = outside.seconds_of_mean();
  run.outside_calls = outside.share_of_calls();
  run.outside_of_ranks = outside.factors();
}

}  // namespace

void MeasuredNodes::choose(std::uint32_t ranks, bool possible) {
  if (nodes != 0) return;
  nodes = possible && ranks <= kMostChosen ? ranks : 1;
  if (nodes > 1 && detailed.empty()) detailed = "0";
}

std::uint32_t MeasuredNodes::cycle_level() const {
  if (detailed.empty()) return nodes;
  std::uint32_t count = 0;
  for (const auto& [first, last] : parse_numbers("--detailed", detailed, "node", nodes))
    count += last - first + 1;
  return count;
}

std::vector<std::string> MeasuredNodes::command() const {
  std::vector<std::string> words{"psim", "cosim", "-n", std::to_string(nodes)};
  if (!detailed.empty()) words.insert(words.end(), {"--detailed", detailed});
  return words;
}

std::string MeasuredNodes::text() const {
  if (nodes == 1) return "one node";
  return detailed.empty() ? fmt::format("{} nodes", nodes) : fmt::format("{} of {} nodes", detailed, nodes);
}

std::string MeasuredNodes::note() const {
  return fmt::format(
      "of {} nodes, {} ran cycle by cycle and the others functionally: times of regions are for the "
      "instructions of the mean node; software of MPI calls has a standard error of {:g} %",
      nodes, detailed, 100 * predict::kPartnerError);
}

MeasuredRun measured_of(const json& result, const GridPoint& grid, std::vector<std::string>& notes) {
  MeasuredRun run{.label = grid.label, .size = grid.values.empty() ? "" : grid.values[0].second};
  const json& compute = result.at("compute");
  const auto ranks = result.at("ranks").get<double>();
  const bool partners = std::ranges::any_of(result.at("nodes"),
                                            [](const json& node) { return node.value("functional", false); });
  for (const json& region : compute.at("regions")) {
    const auto name = region.at("name").get<std::string>();
    const auto count = region.at("count").get<double>();
    if (count == 0)
      throw UserError(fmt::format("region {}: never ends; expected PSIM_REGION_END(\"{}\")", name, name));
    MeasuredRegion& to = run.regions[name];
    for (const json& range : region.at("arguments"))
      to.arguments.push_back({range.at(0).get<double>(), range.at(1).get<double>()});
    const double inclusive =
        region.at("inclusive_seconds").get<double>() - region.at("inclusive_wait").get<double>();
    to.seconds = std::max(inclusive, 0.0) / count;
    to.calls = share_of_calls(region, inclusive);
    const json& of_rank = region.at("per_rank").at("compute");
    if (const auto mean = of_rank.at("mean").get<double>(); mean > 0 && !partners) {
      const auto least = of_rank.at("min").get<double>(), most = of_rank.at("max").get<double>();
      to.spread = std::max(most - mean, mean - least) / mean / predict::kNormal95;
      if (most > kUneven * mean)
        notes.push_back(fmt::format(
            "region {}: its ranks compute from {:.3g} to {:.3g} s, and the model has the mean; arguments "
            "that determine its work would make a better one",
            name, least, most));
    }
  }
  const json& outside = compute.at("outside");
  run.outside_calls =
      share_of_calls(outside, outside.at("compute").get<double>() + outside.at("overhead").get<double>());
  run.outside = (outside.at("compute").get<double>() + outside.at("overhead").get<double>()) / ranks;
  run.functional_partners = partners;
  if (partners) take_measured_nodes(result, run, notes);
  return run;
}

void check_regions(const json& result, std::uint32_t ranks, const std::vector<MeasuredRun>& runs,
                   std::uint32_t nodes_measured, std::vector<std::string>& notes) {
  if (!result.contains("compute")) return;
  const std::string nodes = nodes_measured == 1 ? "one node" : fmt::format("{} nodes", nodes_measured);
  for (const json& region : result.at("compute").at("regions")) {
    const auto name = region.at("name").get<std::string>();
    const auto found = runs.front().regions.find(name);
    if (found == runs.front().regions.end())
      throw UserError(
          fmt::format("region {}: {} ranks execute it, and {} did not, so it has no model; expected --nodes "
                      "with a number of nodes that execute it",
                      name, ranks, nodes));
    const std::vector<predict::Range>& measured = found->second.arguments;
    if (found->second.calls == 0 && region.at("transfer").get<double>() + region.at("wait").get<double>() > 0)
      notes.push_back(fmt::format(
          "region {}: waits for messages on {} ranks, and made no MPI call on {}: the software of "
          "its messages has no model; expected --nodes with a number of nodes that send them",
          name, ranks, nodes));
    const json& arguments = region.at("arguments");
    if (arguments.size() != measured.size())
      throw UserError(fmt::format("region {}: {} arguments on {} ranks, and {} on {}; expected the same",
                                  name, arguments.size(), ranks, measured.size(), nodes));
    for (std::size_t i = 0; i < measured.size() && runs.size() == 1; ++i) {
      const auto low = arguments[i][0].get<double>(), high = arguments[i][1].get<double>();
      if (low >= measured[i].low && high <= measured[i].high) continue;
      throw UserError(fmt::format(
          "region {}: argument {} is {} on {} ranks, and {} on {}, so the regions change with the number "
          "of ranks; expected "
          "arguments of the program that keep the work of a rank, or --args with several sizes and --at",
          name, i + 1, low == high ? fmt::format("{}", low) : fmt::format("{} to {}", low, high), ranks,
          measured[i].low, nodes));
    }
  }
}

}  // namespace psim::commands
