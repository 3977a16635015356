// SPDX-License-Identifier: Apache-2.0
#include "predict/regime.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

namespace psim::predict {
namespace {

/// The shares along one parameter, by its value.
using Shares = std::vector<std::pair<double, double>>;

/// Returns the value at which the share passes `middle` between two points.
double crossing(std::pair<double, double> a, std::pair<double, double> b, double middle) {
  const double weight = (middle - a.second) / (b.second - a.second);
  if (a.first <= 0) return a.first + weight * (b.first - a.first);
  return a.first * std::pow(b.first / a.first, weight);
}

/// Returns the largest rise of the shares, if it counts.
std::optional<RegimeChange> largest_rise(const Shares& shares) {
  RegimeChange change;
  std::size_t least = 0, first = 0, last = 0;
  double rise = 0;
  for (std::size_t i = 1; i < shares.size(); ++i) {
    if (shares[i].second < shares[least].second) least = i;
    if (shares[i].second - shares[least].second <= rise) continue;
    rise = shares[i].second - shares[least].second;
    first = least, last = i;
  }
  if (!(rise > kRegimeRise)) return std::nullopt;
  change.first = shares[first].first, change.first_share = shares[first].second;
  change.last = shares[last].first, change.last_share = shares[last].second;
  const double middle = (change.first_share + change.last_share) / 2;
  std::size_t above = first + 1;
  while (shares[above].second < middle) ++above;
  change.below = shares[above - 1].first, change.above = shares[above].first;
  change.at = crossing(shares[above - 1], shares[above], middle);
  return change;
}

}  // namespace

std::vector<RegimeChange> find_regime_changes(std::span<const RegimePoint> points) {
  std::vector<RegimeChange> changes;
  const std::size_t parameters = points.empty() ? 0 : points.front().arguments.size();
  for (const bool memory : {false, true})
    for (std::size_t p = 0; p < parameters; ++p) {
      std::map<std::vector<double>, Shares> lines;  // by the other arguments
      for (const RegimePoint& point : points) {
        std::vector<double> others = point.arguments;
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(p));
        lines[others].emplace_back(point.arguments[p], memory ? point.memory : point.l2);
      }
      std::optional<RegimeChange> largest;
      for (auto& [others, shares] : lines) {
        std::stable_sort(shares.begin(), shares.end(),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
        const auto change = largest_rise(shares);
        if (change && (!largest ||
                       change->last_share - change->first_share > largest->last_share - largest->first_share))
          largest = change;
      }
      if (!largest) continue;
      largest->memory = memory, largest->parameter = p;
      changes.push_back(*largest);
    }
  return changes;
}

std::string text_of(const RegimeChange& change, const std::string& region,
                    const std::vector<std::string>& parameters) {
  const std::string& name = parameters[change.parameter];
  return fmt::format(
      "region {}: data outgrow the {}-level cache near {} = {:.0f}, between {} and {}: waits for {} rise "
      "from "
      "{:.0f} % of the cycles at {} = {} to {:.0f} % at {}; one model covers both sides, so fit them "
      "separately "
      "if you can",
      region, change.memory ? "second" : "first", name, change.at, change.below, change.above,
      change.memory ? "memory" : "L2", 100 * change.first_share, name, change.first, 100 * change.last_share,
      change.last);
}

}  // namespace psim::predict
