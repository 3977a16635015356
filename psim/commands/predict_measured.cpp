// SPDX-License-Identifier: Apache-2.0
#include "psim/commands/predict_measured.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"

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

}  // namespace

MeasuredRun measured_of(const json& result, const GridPoint& grid, std::vector<std::string>& notes) {
  MeasuredRun run{.label = grid.label, .size = grid.values.empty() ? "" : grid.values[0].second};
  const json& compute = result.at("compute");
  const auto ranks = result.at("ranks").get<double>();
  for (const json& region : compute.at("regions")) {
    const auto name = region.at("name").get<std::string>();
    const auto count = region.at("count").get<double>();
    if (count == 0)
      throw UserError(fmt::format("region {}: never ends; expected PSIM_REGION_END(\"{}\")", name, name));
    MeasuredRegion& to = run.regions[name];
    for (const json& range : region.at("arguments"))
      to.arguments.push_back({range.at(0).get<double>(), range.at(1).get<double>()});
    const auto wait = region.at("wait").get<double>();
    const double inclusive = region.at("inclusive_seconds").get<double>() - wait;
    to.seconds = std::max(inclusive, 0.0) / count;
    to.calls = share_of_calls(region, inclusive);
    const json& of_rank = region.at("per_rank").at("compute");
    if (const auto mean = of_rank.at("mean").get<double>(); mean > 0) {
      const auto least = of_rank.at("min").get<double>(), most = of_rank.at("max").get<double>();
      to.spread = std::max(most - mean, mean - least) / mean / predict::kNormal95;
      if (most > kUneven * mean)
        notes.push_back(fmt::format(
            "region {}: its ranks compute from {:.3g} to {:.3g} s, and the model has the mean; arguments "
            "that determine its work would make a better one",
            name, least, most));
    }
    const bool outer =
        region.at("inclusive_seconds").get<double>() > region.at("seconds").get<double>() * (1 + 1e-9);
    if (outer && ranks > 1)
      notes.push_back(fmt::format("region {}: waits of its inner regions on {} nodes count as its computing",
                                  name, ranks));
  }
  const json& outside = compute.at("outside");
  run.outside_calls =
      share_of_calls(outside, outside.at("compute").get<double>() + outside.at("overhead").get<double>());
  run.outside = (outside.at("compute").get<double>() + outside.at("overhead").get<double>()) / ranks;
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
