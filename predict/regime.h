// SPDX-License-Identifier: Apache-2.0
// Finds the arguments at which the data of a region outgrow a cache, from the waits of its CPI stacks.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace psim::predict {

/// A measured point: the shares of its cycles that wait for L2 (the first level missed) and for memory.
struct RegimePoint {
  std::vector<double> arguments;
  double l2 = 0, memory = 0;
};

/// A cache that is outgrown along one parameter, with the others fixed.
struct RegimeChange {
  bool memory = false;                  ///< the second level is outgrown; false: the first level
  std::size_t parameter = 0;            ///< the one that grows
  double below = 0, above = 0, at = 0;  ///< its neighbouring measured values, and the estimated boundary
  double first = 0, last = 0;  ///< its values with the least and with the largest share before and after
  double first_share = 0, last_share = 0;
};

/// The least rise of a share that counts as a change.
inline constexpr double kRegimeRise = 0.1;

/// Returns at most one change for each parameter and cache, that of the largest rise. The boundary is the
/// value at which the share is half-way between both ends, interpolated on a logarithmic scale.
std::vector<RegimeChange> find_regime_changes(std::span<const RegimePoint> points);

/// Returns the warning: "region a: data outgrow the first-level cache near n = 90, between 64 and 128: …".
std::string text_of(const RegimeChange& change, const std::string& region,
                    const std::vector<std::string>& parameters);

/// The regime of each point along one parameter.
struct Regimes {
  std::size_t parameter = 0;  ///< the one that varies
  std::vector<std::optional<std::size_t>>
      of;                  ///< of each point: the caches that it has outgrown; none: on a rise
  std::size_t caches = 0;  ///< that points outgrow
};

/// Returns the regimes of points in which one parameter varies; nothing if none or several do.
std::optional<Regimes> find_regimes(std::span<const RegimePoint> points);

}  // namespace psim::predict
