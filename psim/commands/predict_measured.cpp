// SPDX-License-Identifier: Apache-2.0
#include "psim/commands/predict_measured.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "cosim/rank_account.h"
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

/// One part of the program on one rank: its time without waits, and its instructions, up to each step of
/// an execution and, as last values, in all.
struct PartOfRank {
  std::vector<double> seconds, instructions;  ///< empty: the rank does not execute it

  PartOfRank() = default;
  PartOfRank(const json& row, double all_seconds, double all_instructions, double executions) {
    if (executions == 0) return;
    seconds = row.value("seconds_at_steps", seconds);
    instructions = row.value("instructions_at_steps", instructions);
    seconds.push_back(all_seconds), instructions.push_back(all_instructions);
    for (std::vector<double>* values : {&seconds, &instructions})
      for (double& value : *values) value /= executions;
  }
  /// Computes the time between two steps from that of `measured` and the instructions there. With other
  /// steps, all instructions take equally long.
  void take_time(const PartOfRank& measured) {
    const std::vector<double>& steps = measured.instructions;
    const bool alike = instructions.size() == steps.size();
    const double mean = steps.back() > 0 ? measured.seconds.back() / steps.back() : 0;
    seconds.clear();
    double passed = 0;
    for (std::size_t i = 0; i < instructions.size(); ++i) {
      const auto step = [i](const std::vector<double>& at) { return i == 0 ? at[0] : at[i] - at[i - 1]; };
      const double each = !alike ? mean : step(steps) > 0 ? step(measured.seconds) / step(steps) : 0;
      passed += each * step(instructions);
      seconds.push_back(passed);
    }
  }
  /// Returns the shares of the time that have passed at the steps.
  std::vector<double> shares() const {
    std::vector<double> all;
    for (std::size_t i = 0; i + 1 < seconds.size(); ++i)
      all.push_back(seconds.back() > 0 ? seconds[i] / seconds.back() : 0);
    return all;
  }
};

/// One part of the program on all ranks.
class PartOfRanks {
 public:
  explicit PartOfRanks(std::size_t ranks) : ranks_(ranks), executions_(ranks) {}

  /// `calls`: seconds in MPI calls in all executions.
  void add(std::size_t rank, PartOfRank part, double calls, double executions, bool functional) {
    if (executions == 0) return;
    if (!functional) add_measured(part, calls, executions);
    executions_[rank] = executions;
    ranks_[rank] = std::move(part);
  }
  bool is_measured() const { return !measured_.seconds.empty(); }
  /// Returns the share of MPI calls in the time of measured ranks.
  double share_of_calls() const {
    return is_measured() && measured_.seconds.back() > 0 ? std::min(1.0, calls_ / measured_.seconds.back())
                                                         : 0;
  }
  /// Gives all ranks the times that measured ones have for the same instructions.
  void take_times() {
    for (PartOfRank& rank : ranks_)
      if (!rank.instructions.empty()) rank.take_time(measured_);
  }
  /// Returns the seconds of an execution on the mean rank.
  double mean() const {
    double all = 0, count = 0;
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank)
      if (executions_[rank] > 0)
        all += executions_[rank] * ranks_[rank].seconds.back(), count += executions_[rank];
    return all / count;
  }
  /// Returns the factors of the time on the ranks.
  std::vector<double> factors() const {
    std::vector<double> all;
    const double mean_seconds = mean();
    for (const PartOfRank& rank : ranks_)
      all.push_back(mean_seconds > 0 && !rank.seconds.empty() ? rank.seconds.back() / mean_seconds : 1);
    return all;
  }
  /// Returns RegionFit::at_steps.
  std::vector<std::vector<double>> at_steps() const {
    std::vector<std::vector<double>> all;
    for (const PartOfRank& rank : ranks_) all.push_back(rank.shares());
    return std::ranges::all_of(all, &std::vector<double>::empty) ? std::vector<std::vector<double>>() : all;
  }

 private:
  /// Sums over executions; if these have unequally many steps, only in all.
  void add_measured(const PartOfRank& part, double calls, double executions) {
    const auto add = [executions](std::vector<double>& to, const std::vector<double>& values) {
      if (to.empty()) to.resize(values.size());
      if (to.size() != values.size()) to = {to.back()};
      for (std::size_t i = 0; i < to.size(); ++i)
        to[i] += executions * (to.size() == values.size() ? values[i] : values.back());
    };
    add(measured_.seconds, part.seconds);
    add(measured_.instructions, part.instructions);
    calls_ += calls;
  }

  std::vector<PartOfRank> ranks_;
  std::vector<double> executions_;  ///< of each rank
  PartOfRank measured_;             ///< sums over executions
  double calls_ = 0;
};

/// The parts of a program, on all ranks.
struct Parts {
  std::map<std::string, PartOfRanks> regions;
  PartOfRanks outside;

  /// @param nodes those of a result, one rank each
  explicit Parts(const json& nodes) : outside(nodes.size()) {
    const auto number = [](const json& row, const char* key) { return row.at(key).get<double>(); };
    for (std::size_t rank = 0; rank < nodes.size(); ++rank) {
      const json& node = nodes[rank];
      const bool functional = node.value("functional", false);
      // A region's model is the time with its inner regions, so its instructions are those with them, too.
      for (const json& row : node.at("regions")) {
        const double seconds =
            std::max(0.0, number(row, "inclusive_seconds") - number(row, "inclusive_wait"));
        const double count = number(row, "count");
        regions.try_emplace(row.at("name"), nodes.size())
            .first->second.add(rank, {row, seconds, number(row, "inclusive_instructions"), count},
                               number(row, "overhead"), count, functional);
      }
      const json& rest = node.at("outside");
      const double seconds = number(rest, "compute") + number(rest, "overhead");
      outside.add(rank, {rest, seconds, number(rest, "instructions"), 1}, number(rest, "overhead"), 1,
                  functional);
    }
  }
};

/// Takes from a run when ranks make their steps. If some nodes are functional, replaces the times: those
/// of the others count, and each rank has its own instructions.
void take_parts(const json& result, MeasuredRun& run, std::vector<std::string>& notes) {
  Parts parts(result.at("nodes"));
  if (run.functional_partners) {
    for (auto& [name, part] : parts.regions) {
      if (!part.is_measured())
        throw UserError(fmt::format(
            "region {}: only functional nodes execute it; expected --detailed with a node that does", name));
      part.take_times();
    }
    parts.outside.take_times();
  }
  run.outside_at_steps = parts.outside.at_steps();
  for (auto& [name, to] : run.regions) {
    to.at_steps = parts.regions.at(name).at_steps();
    if (to.calls > 0 && to.at_steps.empty())
      notes.push_back(fmt::format(
          "region {}: its executions make different numbers of MPI calls, or more than {}, so its time "
          "passes at its end, after its messages",
          name, cosim::Steps::kMost));
  }
  if (!run.functional_partners) return;
  for (auto& [name, to] : run.regions) {
    const PartOfRanks& part = parts.regions.at(name);
    to.seconds = part.mean();
    to.calls = part.share_of_calls();
    to.of_ranks = part.factors();
    const auto [least, most] = std::ranges::minmax(to.of_ranks);
    to.spread = std::max(most - 1, 1 - least) / predict::kNormal95;
    if (most > kUneven)
      notes.push_back(fmt::format(
          "region {}: its {} ranks compute from {:.2f} to {:.2f} times as long as the mean; rank r of a "
          "prediction has the time of rank r modulo {}",
          name, to.of_ranks.size(), least, most, to.of_ranks.size()));
  }
  run.outside = parts.outside.mean();
  run.outside_calls = parts.outside.share_of_calls();
  run.outside_of_ranks = parts.outside.factors();
}

}  // namespace

void MeasuredNodes::choose(std::uint32_t ranks, bool possible) {
  if (nodes != 0) return;
  nodes = possible && ranks <= kMostChosen ? ranks : 1;
  // Rank 0 often prints or reads, so one in the middle is measured as well.
  if (nodes > 2 && detailed.empty()) detailed = fmt::format("0,{}", nodes / 2);
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
      "of {0} nodes, {1} ran cycle by cycle and the others functionally: times of regions are for the "
      "instructions of the mean node; on {0} ranks, software of MPI calls has a standard error of {2:g} %",
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
  if (result.at("nodes").at(0).contains("regions")) take_parts(result, run, notes);
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
