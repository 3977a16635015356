// SPDX-License-Identifier: Apache-2.0
#include "psim/commands/fit_added.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>

#include "predict/expression.h"

namespace psim::commands {
namespace {

/// The number of points that a piece of the model should have.
constexpr std::size_t kWanted = 5;
/// Data of this multiple of a cache have outgrown it: with less, a part of the accesses still hits.
constexpr double kOutgrown = 1.4, kFarthest = 4;
/// Longer points are sampled.
constexpr double kLong = 50e6;

/// The argument of a region that an axis sets, with what is known at its values.
struct Growth {
  std::string region;
  std::vector<std::int64_t> values;                 ///< ascending
  std::vector<double> instructions;                 ///< of the program, at these
  std::vector<std::optional<std::size_t>> regimes;  ///< caches that are outgrown, at these (predict/regime.h)
  predict::Expression data;

  double last() const { return static_cast<double>(values.back()); }
  /// Returns the bytes that grow with the value. Others, as of the program's start, are not used meanwhile.
  double data_at(double value) const {
    try {
      const double bytes = data.evaluate(std::vector<double>{value}) - data.evaluate(std::vector<double>{1});
      return std::isfinite(bytes) ? bytes : 0;
    } catch (const predict::EvaluationError&) {
      return 0;
    }
  }
  /// Returns the least value whose data have this size, at most `high`.
  double value_with(double bytes, double high) const {
    double low = static_cast<double>(values.front());
    if (data_at(low) >= bytes) return low;
    for (int step = 0; step < 60; ++step) {
      const double middle = (low + high) / 2;
      (data_at(middle) < bytes ? low : high) = middle;
    }
    return high;
  }
  /// Returns the instructions at a larger value: they grow by a power, as they do at the end of the points.
  double instructions_at(double value) const {
    const std::size_t end = values.size() - 1;
    const double steps = std::log(last() / static_cast<double>(values[end - 1]));
    const double power = std::log(instructions[end] / instructions[end - 1]) / steps;
    return instructions[end] * std::pow(value / last(), power);
  }
};

/// Returns the growth of a region whose only argument is the axis.
std::optional<Growth> growth_of(const std::string& region, const RegionPoints& points,
                                const std::string& axis) {
  if (points.arguments.front().size() != 1 || points.parameter_names() != std::vector{axis})
    return std::nullopt;
  const auto regimes = predict::find_regimes(points.regime_points());
  const std::string data = points.data_expression();
  if (data.empty() || !regimes) return std::nullopt;
  std::vector<std::size_t> order(points.arguments.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](std::size_t i) { return points.arguments[i][0]; });
  Growth growth{region, {}, {}, {}, predict::Expression::parse(data, {axis})};
  for (const std::size_t i : order) {
    if (points.swept.at(axis)[i] != std::to_string(points.arguments[i][0])) return std::nullopt;
    growth.values.push_back(points.arguments[i][0]);
    growth.instructions.push_back(std::max(points.instructions[i], 1.0));
    growth.regimes.push_back(regimes->of[i]);
  }
  if (growth.values.front() <= 0) return std::nullopt;
  return growth;
}

bool are_powers(const std::vector<std::int64_t>& values) {
  return values.size() >= 3 && std::ranges::all_of(values, [](std::int64_t value) {
           return std::has_single_bit(static_cast<std::uint64_t>(value));
         });
}

/// Returns `count` whole numbers from low to high at equal ratios, of the kind that the user has given:
/// multiples of the greatest common divisor, or powers of two, which may then be above `high`.
std::set<std::int64_t> values_like(const std::vector<std::int64_t>& given, double low, double high,
                                   std::size_t count) {
  std::set<std::int64_t> values;
  if (are_powers(given)) {
    for (std::int64_t value = 1; values.size() < count && static_cast<double>(value) < 64 * high; value *= 2)
      if (static_cast<double>(value) >= 0.75 * low) values.insert(value);
    return values;
  }
  std::int64_t step = 0;
  for (const std::int64_t value : given) step = std::gcd(step, value);
  for (std::size_t i = 0; i < count; ++i) {
    const double share = count == 1 ? 1 : static_cast<double>(i) / static_cast<double>(count - 1);
    const double value = low * std::pow(high / low, share);
    values.insert(std::max<std::int64_t>(std::llround(value / static_cast<double>(step)), 1) * step);
  }
  return values;
}

/// The points that the prediction of a region needs: their number and range.
struct Need {
  double low = 0, high = 0;
  std::size_t count = 0;  ///< 0: nothing
  std::string reason;
};

/// Takes a range of values that keeps a distance to the prediction.
void take_range(Need& need, const Growth& growth, double low, double high, double target) {
  need.low = std::min(low, 0.6 * target);
  need.high =
      std::max(std::min(high, target / 2), std::min(1.5 * std::max(need.low, growth.last()), 0.9 * target));
}

Need need_of(const Growth& growth, double target, const FitMachine& machine, const std::string& axis) {
  Need need;
  const auto lacks = [&](std::size_t have, const std::string& why) {
    need.count = kWanted - have;
    need.reason = fmt::format("region {}({:.0f}): {}, and {} points lie beyond", growth.region, target, why,
                              have == 0 ? "no" : fmt::format("only {}", have));
    return need;
  };
  // The largest cache that the data of the prediction outgrow.
  for (const bool second : {true, false}) {
    const auto cache = static_cast<double>(second ? machine.cache_bytes : machine.l1_bytes);
    if (growth.data_at(target) <= 0.8 * cache) continue;
    const auto have = static_cast<std::size_t>(std::ranges::count_if(growth.values, [&](std::int64_t value) {
      return growth.data_at(static_cast<double>(value)) >= kOutgrown * cache;
    }));
    if (have < kWanted) {
      const double first = growth.value_with(kOutgrown * cache, target);
      take_range(need, growth, have == 0 ? first : std::max(first, 1.1 * growth.last()),
                 growth.value_with(kFarthest * cache, target), target);
      return lacks(have, fmt::format("its data outgrow the {}-level cache near {} = {:.0f}",
                                     second ? "second" : "first", axis, growth.value_with(cache, target)));
    }
    break;
  }
  // The regime in which the points end. Waits can rise for other reasons, too: memory that is touched for the
  // first time.
  const std::optional<std::size_t> end = growth.regimes.back();
  if (end == 0u) return need;
  std::size_t have = 0;
  while (end && have < growth.values.size() && growth.regimes[growth.values.size() - 1 - have] == end) ++have;
  if (have >= kWanted) return need;
  take_range(need, growth, 1.1 * growth.last(),
             4 * static_cast<double>(growth.values[growth.values.size() - std::max<std::size_t>(have, 1)]),
             target);
  return lacks(have, fmt::format("waits for a cache or memory have risen at {} = {}", axis,
                                 growth.values[growth.values.size() - std::max<std::size_t>(have, 1)]));
}

}  // namespace

AddedPoints points_to_add(const FitProgram& program, const MeasuredProgram& measured,
                          const FitMachine& machine, const AddedLimits& limits) {
  AddedPoints added;
  if (program.axes.size() != 1) return added;
  double target = 0;
  for (const auto& arguments : program.predicted)
    if (arguments.size() == 1) target = std::max(target, static_cast<double>(arguments[0]));
  const std::string& axis = program.grid.front().values.front().first;
  std::set<std::int64_t> wanted;
  std::optional<Growth> any;  // its instructions are those of the program
  for (const std::string& name : measured.chosen(program)) {
    std::optional<Growth> growth = growth_of(name, measured.regions.at(name), axis);
    if (!growth || target <= growth->last()) continue;
    const Need need = need_of(*growth, target, machine, axis);
    if (need.count != 0)
      for (const std::int64_t value : values_like(growth->values, need.low, need.high, need.count))
        if (static_cast<double>(value) != target &&
            std::ranges::find(growth->values, value) == growth->values.end())
          wanted.insert(value);
    if (added.reason.empty()) added.reason = need.reason;
    any = std::move(growth);
  }
  added.needed = wanted.size();
  double spent = 0;
  for (const std::int64_t value : wanted) {
    const double instructions = any->instructions_at(static_cast<double>(value));
    added.instructions += instructions;
    if (added.values.size() == limits.points || spent + instructions > limits.instructions) continue;
    spent += instructions;
    added.values.push_back(value);
    added.sample.push_back(instructions > kLong);
  }
  added.spent = spent;
  return added;
}

void extend_grid(FitProgram& program, const AddedPoints& added) {
  if (added.values.empty()) return;
  const std::string& axis = program.axes.front();
  const std::size_t equals = axis.find('=');
  const std::string name = equals == std::string::npos ? "" : axis.substr(0, equals + 1);
  std::vector<GridPoint> more =
      grid_of(program.words, {fmt::format("{}{}", name, fmt::join(added.values, " "))});
  for (std::size_t i = 0; i < more.size(); ++i) {
    more[i].added = true, more[i].sample = added.sample[i];
    program.grid.push_back(std::move(more[i]));
  }
}

}  // namespace psim::commands
