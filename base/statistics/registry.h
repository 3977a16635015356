// SPDX-License-Identifier: Apache-2.0
// The statistics of a run by component. The registry names the groups, takes snapshots of all counts, and
// evaluates snapshots in one walk, which every output uses (print.h). The order is that of add() and of
// declaration.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "base/statistics/statistic.h"

namespace psim::statistics {

/// All counts at one time, or a sum or difference of snapshots.
struct Snapshot {
  std::vector<std::uint64_t> totals;   ///< a counter has one, a distribution its samples and their sum
  std::vector<std::uint64_t> buckets;  ///< of the distributions; empty unless requested

  bool empty() const { return totals.empty(); }
  /// Adds another snapshot; this one may be empty. Both must be of registries with the same statistics.
  Snapshot& operator+=(const Snapshot& other);
  Snapshot& operator-=(const Snapshot& other);
};

/// The value of a distribution.
struct Histogram {
  std::uint64_t samples = 0;
  double mean = 0;
  std::vector<std::pair<std::uint64_t, std::uint64_t>>
      buckets;  ///< smallest value and count of each bucket that is not empty
};

/// A statistic with its value: a count, a ratio or a distribution.
struct Reading {
  std::string component;
  std::string component_meaning;
  Description statistic;
  std::variant<std::uint64_t, double, Histogram> value;
};

class Registry {
 public:
  /// Adds a group, which outlives the registry; `meaning` is such as "first-level data cache". Throws
  /// std::logic_error if the name is taken or malformed.
  void add(std::string component, std::string meaning, const Group& group);

  /// Defines the meaning of Run: `cycles` of a clock with `seconds_per_cycle`, and `instructions`. Both are
  /// registered statistics. A ratio of undefined terms is 0.
  void set_run(const std::uint64_t& cycles, double seconds_per_cycle, const std::uint64_t& instructions);
  /// Does so for a clock alone, without instructions.
  void set_clock(const std::uint64_t& cycles, double seconds_per_cycle);

  enum class Detail : bool { Totals, Buckets };
  Snapshot snapshot(Detail detail = Detail::Totals) const;
  /// Evaluates a snapshot of this registry. Throws std::logic_error if a ratio has a term that is not
  /// registered.
  std::vector<Reading> read(const Snapshot& snapshot) const;

 private:
  struct Component {
    std::string name, meaning;
    const Group* group;
  };
  struct Value {
    std::int64_t count = 0;
    double seconds = 0;
    double number() const { return static_cast<double>(count) + seconds; }
  };
  Value evaluate(const Sum& sum, const Snapshot& snapshot) const;
  double evaluate(const Ratio& ratio, const Snapshot& snapshot) const;
  std::int64_t at(const void* count, const Snapshot& snapshot) const;

  std::vector<Component> components_;
  std::unordered_map<const void*, std::size_t> indices_;  ///< of counts in Snapshot::totals
  std::size_t totals_ = 0, buckets_ = 0;
  const std::uint64_t *cycles_ = nullptr, *instructions_ = nullptr;
  double seconds_per_cycle_ = 0;
};

}  // namespace psim::statistics
