// SPDX-License-Identifier: Apache-2.0
#include "psim/compare/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.h"
#include "base/parse_number.h"

namespace psim::compare {
namespace {

using nlohmann::json;

constexpr std::uint32_t kMostRanks = 1u << 24;

Times times_of(const json& from) {
  Times times;
  times.seconds = from.value("seconds", 0.0);
  for (std::size_t part = 0; part < kParts.size(); ++part)
    times.parts[part] = from.value(std::string(kParts[part]), 0.0);
  times.count = from.value("count", 0.0);
  return times;
}

void add_regions_of_ranks(Side& side, const json& result) {
  const json& compute = result.at("compute");
  side.source = compute.value("mode", "stated");
  for (const json& region : compute.at("regions")) {
    RegionSide& one = side.regions[region.at("name").get<std::string>()];
    one.sum = times_of(region);
    const json& seconds = region.at("per_rank").at("seconds");
    one.least = seconds.at("min").get<double>();
    one.most = seconds.at("max").get<double>();
    one.extrapolated = region.value("extrapolated", 0.0);
  }
  if (compute.contains("outside")) {
    RegionSide& outside = side.regions[kOutside];
    outside.sum = times_of(compute.at("outside"));
    outside.least = outside.most = outside.sum.seconds / side.ranks;
  }
}

/// A program without marked regions: all of it is outside.
void add_whole_ranks(Side& side, const json& result) {
  side.source = result.contains("compute") ? result.at("compute").value("mode", "stated") : "stated";
  RegionSide& outside = side.regions[kOutside];
  for (std::size_t part = 0; part < kParts.size(); ++part) {
    const std::string name(kParts[part]);
    if (const json& ranks = result.at("per_rank"); ranks.contains(name))
      outside.sum.parts[part] = ranks.at(name).at("mean").get<double>() * side.ranks;
    outside.sum.seconds += outside.sum.parts[part];
  }
  outside.least = outside.most = outside.sum.seconds / side.ranks;
}

void add_core(Side& side, const json& result) {
  side.source = fmt::format("cycle-level core {}", result.at("machine").value("name", ""));
  const auto cycles = result.at("cycles").get<double>();
  const double cycle = cycles == 0 ? 0 : side.seconds / cycles;
  double outside = side.seconds;
  for (const json& region : result.at("regions")) {
    RegionSide& one = side.regions[region.at("name").get<std::string>()];
    Times times;
    times.seconds = times.parts[0] = region.at("cycles").get<double>() * cycle;
    times.count = region.at("executions").get<double>();
    one.sum.add(times);
    one.least = one.most = one.sum.seconds;
    outside -= times.seconds;
  }
  // Measured regions contain their inner regions, so that the rest may be smaller than the time outside.
  Times rest;
  rest.seconds = rest.parts[0] = std::max(0.0, outside);
  side.regions[kOutside] = {rest, rest.seconds, rest.seconds, 0};
}

void add_rank_of_node(Side& side, const json& rank) {
  std::map<std::string, Times>& times = side.by_rank.emplace_back();
  for (const json& region : rank.at("regions"))
    times[region.at("name").get<std::string>()] = times_of(region);
  times[kOutside] = times_of(rank.at("outside"));
}

void add_nodes(Side& side, const json& result) {
  side.waits_for_transfers = true;
  add_regions_of_ranks(side, result);
  for (const json& node : result.at("nodes"))
    if (node.contains("ranks"))
      for (const json& rank : node.at("ranks")) add_rank_of_node(side, rank);
    else
      add_rank_of_node(side, node);
}

/// Counts transfers as waiting.
Times without_transfers(Times times) {
  constexpr std::size_t kTransfer = 2, kWait = 3;
  static_assert(kParts[kTransfer] == "transfer" && kParts[kWait] == "wait");
  times.parts[kWait] += times.parts[kTransfer];
  times.parts[kTransfer] = 0;
  return times;
}

/// Returns a name of a table without its quotes.
std::string unquoted(std::string_view word) {
  if (word.size() < 2 || word.front() != '"' || word.back() != '"') return std::string(word);
  std::string name;
  for (std::size_t i = 1; i + 1 < word.size(); ++i) {
    name += word[i];
    if (word[i] == '"') ++i;  // doubled
  }
  return name;
}

/// Returns the part with the largest difference, and that difference.
std::pair<std::string_view, double> largest_part(const Times& first, const Times& second) {
  std::size_t largest = 0;
  const auto of = [&](std::size_t part) { return second.parts[part] - first.parts[part]; };
  for (std::size_t part = 1; part < kParts.size(); ++part)
    if (std::abs(of(part)) > std::abs(of(largest))) largest = part;
  return {kParts[largest], of(largest)};
}

double positive_number(std::string_view word, const std::string& where) {
  const auto value = parse_number<double>(word);
  if (!value || !(*value >= 0) || !std::isfinite(*value))
    throw UserError(fmt::format("{}: \"{}\" is not a number; expected a table of `psim net --csv`", where,
                                word.substr(0, 40)));
  return *value;
}

}  // namespace

void Times::add(const Times& other) {
  seconds += other.seconds;
  count += other.count;
  for (std::size_t part = 0; part < parts.size(); ++part) parts[part] += other.parts[part];
}

Times Times::divided_by(double ranks) const {
  Times mean = *this;
  mean.seconds /= ranks;
  mean.count /= ranks;
  for (double& part : mean.parts) part /= ranks;
  return mean;
}

Side side_of(const json& result, const std::string& label) {
  Side side;
  side.label = label;
  const std::string command = result.value("command", "");
  try {
    if (command == "net" && result.contains("per_rank")) {
      side.ranks = std::max(1.0, result.at("ranks").get<double>());
      side.seconds = result.at("seconds").get<double>();
      const bool marked = result.contains("compute") && result.at("compute").contains("regions") &&
                          !result.at("compute").at("regions").empty();
      marked ? add_regions_of_ranks(side, result) : add_whole_ranks(side, result);
    } else if (command == "cosim" && result.contains("compute")) {
      side.ranks = std::max(1.0, result.at("ranks").get<double>());
      side.seconds = result.at("seconds").get<double>();
      add_nodes(side, result);
    } else if (command == "run" || command == "replay") {
      side.seconds = result.at("seconds").get<double>();
      if (result.contains("cycles_interval")) {
        const auto cycles = result.at("cycles_interval").get<std::array<double, 2>>();
        const double period = side.seconds / result.at("cycles").get<double>();
        side.interval = {cycles[0] * period, cycles[1] * period};
      }
      add_core(side, result);
    } else {
      throw UserError(
          fmt::format("{}: is a result of `psim {}`; expected one of `psim net` with a program, of `psim "
                      "cosim` or of `psim "
                      "run`",
                      label, command));
    }
    if (result.contains("seconds_interval"))
      side.interval = result.at("seconds_interval").get<std::array<double, 2>>();
    if (result.contains("assumptions"))
      side.assumptions = result.at("assumptions").get<std::vector<std::string>>();
  } catch (const json::exception& error) {
    throw UserError(
        fmt::format("{}: lacks what a result of `psim {}` has: {}", label, command, error.what()));
  }
  return side;
}

RankTimes read_rank_times(std::string_view text, const std::string& file) {
  constexpr std::string_view kHeader = "rank,region,count,compute_s,overhead_s,transfer_s,wait_s,seconds_s";
  RankTimes ranks;
  for (std::uint32_t line = 1; !text.empty(); ++line) {
    const std::size_t end = text.find('\n');
    std::string_view row = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    const std::string where = fmt::format("{}:{}", file, line);
    if (line == 1) {
      if (row != kHeader) throw UserError(fmt::format("{}: expected the columns {}", where, kHeader));
      continue;
    }
    std::array<double, 6> values{};  // count, compute, overhead, transfer, wait, seconds
    for (std::size_t i = values.size(); i-- > 0;) {
      const std::size_t comma = row.rfind(',');
      if (comma == std::string_view::npos) throw UserError(fmt::format("{}: expected 8 columns", where));
      values[i] = positive_number(row.substr(comma + 1), where);
      row = row.substr(0, comma);
    }
    const std::size_t comma = row.find(',');
    if (comma == std::string_view::npos) throw UserError(fmt::format("{}: expected 8 columns", where));
    const double rank = positive_number(row.substr(0, comma), where);
    if (rank != std::floor(rank) || rank >= kMostRanks)
      throw UserError(fmt::format("{}: rank {}: expected 0 … {}", where, rank, kMostRanks - 1));
    if (rank >= static_cast<double>(ranks.size())) ranks.resize(static_cast<std::size_t>(rank) + 1);
    Times times{
        .seconds = values[5], .parts = {values[1], values[2], values[3], values[4]}, .count = values[0]};
    times.parts[4] = std::max(0.0, values[5] - values[1] - values[2] - values[3] - values[4]);
    ranks[static_cast<std::size_t>(rank)][unquoted(row.substr(comma + 1))].add(times);
  }
  if (ranks.empty()) throw UserError(fmt::format("{}: has no rank", file));
  return ranks;
}

std::vector<Difference> differences(const Side& first, const Side& second) {
  std::set<std::string> names;
  for (const Side* side : {&first, &second})
    for (const auto& [name, region] : side->regions) names.insert(name);
  const auto mean = [](const Side& side, const std::string& name) {
    const auto found = side.regions.find(name);
    return found == side.regions.end() ? Times{} : found->second.sum.divided_by(side.ranks);
  };
  const bool merged = first.waits_for_transfers || second.waits_for_transfers;
  std::vector<Difference> all;
  double sum = 0;
  for (const std::string& name : names) {
    Difference one{.region = name, .first = mean(first, name), .second = mean(second, name)};
    if (merged) one.first = without_transfers(one.first), one.second = without_transfers(one.second);
    std::tie(one.part, one.part_seconds) = largest_part(one.first, one.second);
    sum += std::abs(one.seconds());
    all.push_back(one);
  }
  for (Difference& one : all) one.share = sum == 0 ? 0 : std::abs(one.seconds()) / sum;
  std::stable_sort(all.begin(), all.end(), [](const Difference& a, const Difference& b) {
    return std::abs(a.seconds()) > std::abs(b.seconds());
  });
  return all;
}

std::vector<RankDifference> rank_differences(const Side& first, const Side& second) {
  std::vector<RankDifference> all;
  if (first.by_rank.empty() || second.by_rank.empty()) return all;
  const std::size_t ranks = std::min(first.by_rank.size(), second.by_rank.size());
  const bool merged = first.waits_for_transfers || second.waits_for_transfers;
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    const auto &before = first.by_rank[rank], &after = second.by_rank[rank];
    RankDifference one{static_cast<std::uint32_t>(rank), 0, "", 0, {}};
    const auto consider = [&](const std::string& name, const Times& a, const Times& b) {
      const double difference = b.seconds - a.seconds;
      one.seconds += difference;
      if (!one.region.empty() && std::abs(difference) <= std::abs(one.region_seconds)) return;
      one.region = name;
      one.region_seconds = difference;
      one.part =
          (merged ? largest_part(without_transfers(a), without_transfers(b)) : largest_part(a, b)).first;
    };
    for (const auto& [name, times] : before) {
      const auto found = after.find(name);
      consider(name, times, found == after.end() ? Times{} : found->second);
    }
    for (const auto& [name, times] : after)
      if (!before.contains(name)) consider(name, Times{}, times);
    all.push_back(one);
  }
  std::stable_sort(all.begin(), all.end(), [](const RankDifference& a, const RankDifference& b) {
    return std::abs(a.seconds) > std::abs(b.seconds);
  });
  return all;
}

}  // namespace psim::compare
