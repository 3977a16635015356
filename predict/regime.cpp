// SPDX-License-Identifier: Apache-2.0
#include "predict/regime.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
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

/// The largest rise of shares: the points before and after it, and its size; 0 if it does not count.
struct Rise {
  std::size_t first = 0, last = 0;
  double size = 0;
};

Rise largest_rise(const Shares& shares) {
  Rise rise;
  std::size_t least = 0;
  for (std::size_t i = 1; i < shares.size(); ++i) {
    if (shares[i].second < shares[least].second) least = i;
    if (shares[i].second - shares[least].second <= rise.size) continue;
    rise = {least, i, shares[i].second - shares[least].second};
  }
  return rise.size > kRegimeRise ? rise : Rise();
}

std::optional<RegimeChange> change_of(const Shares& shares) {
  const Rise rise = largest_rise(shares);
  if (rise.size == 0) return std::nullopt;
  RegimeChange change;
  change.first = shares[rise.first].first, change.first_share = shares[rise.first].second;
  change.last = shares[rise.last].first, change.last_share = shares[rise.last].second;
  const double middle = (change.first_share + change.last_share) / 2;
  std::size_t above = rise.first + 1;
  while (shares[above].second < middle) ++above;
  change.below = shares[above - 1].first, change.above = shares[above].first;
  change.at = crossing(shares[above - 1], shares[above], middle);
  return change;
}

/// Returns the parameter that varies, if it is one.
std::optional<std::size_t> varying_parameter(std::span<const RegimePoint> points) {
  std::optional<std::size_t> varying;
  for (std::size_t p = 0; !points.empty() && p < points.front().arguments.size(); ++p) {
    if (std::ranges::all_of(points, [&](const RegimePoint& point) {
          return point.arguments[p] == points.front().arguments[p];
        }))
      continue;
    if (varying) return std::nullopt;
    varying = p;
  }
  return varying;
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
        const auto change = change_of(shares);
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

std::optional<Regimes> find_regimes(std::span<const RegimePoint> points) {
  const auto varying = varying_parameter(points);
  if (!varying) return std::nullopt;
  Regimes regimes{*varying, std::vector<std::optional<std::size_t>>(points.size(), 0), 0};
  std::vector<std::size_t> order(points.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return points[i].arguments[*varying]; });
  std::size_t end = order.size();
  for (const bool memory : {true, false}) {
    Shares shares;  // accesses beyond the first level wait for L2 or for memory
    for (std::size_t i = 0; i < end; ++i)
      shares.emplace_back(points[order[i]].arguments[*varying],
                          points[order[i]].memory + (memory ? 0 : points[order[i]].l2));
    auto [first, last, size] = largest_rise(shares);
    if (size == 0) continue;
    ++regimes.caches;
    // The rise ends a fifth of its size above the least share and below the largest one.
    const double low = shares[first].second + 0.2 * size, high = shares[last].second - 0.2 * size;
    while (first + 1 < last && shares[first + 1].second <= low) ++first;
    while (last > first + 1 && shares[last - 1].second >= high) --last;
    for (std::size_t i = first + 1; i < order.size(); ++i) {
      std::optional<std::size_t>& regime = regimes.of[order[i]];
      if (i < last)
        regime.reset();
      else if (regime)
        ++*regime;
    }
    end = first + 1;  // waits for L2 become waits for memory: the first level's rise lies before
  }
  return regimes;
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
