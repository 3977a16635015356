// SPDX-License-Identifier: Apache-2.0
// Statistics: the counter that is incremented is the one that is printed.
//
//     struct ReorderBufferStats : StatGroup {
//       using StatGroup::StatGroup;
//       Counter& retired = counter("retired", "instructions", "committed, in program order");
//       Counter& full = counter("full", "cycles", "dispatch found no free entry");
//       Counter& cycles = counter("cycles", "cycles", "simulated");
//       Ratio& rate = ratio("rate", "instructions/cycle", "committed a cycle", retired, cycles);
//     };
//     StatGroup core("core", "one core");
//     ReorderBufferStats rob(core, "rob", "reorder buffer");   // prints as core.rob.retired
//     ++rob.retired;
#pragma once

#include <cstdint>
#include <deque>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace psim {

class Counter {
 public:
  Counter& operator++() { return ++value_, *this; }
  Counter& operator+=(std::uint64_t n) { return value_ += n, *this; }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0;
};

/// numerator / denominator when asked; 0 while the denominator is 0.
class Ratio {
 public:
  Ratio(const Counter& numerator, const Counter& denominator)
      : numerator_(numerator), denominator_(denominator) {}
  double value() const {
    return denominator_.value() == 0
               ? 0.0
               : static_cast<double>(numerator_.value()) / static_cast<double>(denominator_.value());
  }

 private:
  const Counter& numerator_;
  const Counter& denominator_;
};

/// A named group of statistics, a node of the tree that is printed. Children must not outlive their parent.
class StatGroup {
 public:
  /// A root.
  StatGroup(std::string_view name, std::string_view doc) : name_(name), doc_(doc) {}
  StatGroup(StatGroup& parent, std::string_view name, std::string_view doc);
  ~StatGroup();
  StatGroup(const StatGroup&) = delete;
  StatGroup& operator=(const StatGroup&) = delete;

  /// `unit` is what one count is ("instructions", "cycles", "bytes"); `doc` has no full stop. Throws
  /// std::logic_error on a name used twice.
  Counter& counter(std::string_view name, std::string_view unit, std::string_view doc);
  Ratio& ratio(std::string_view name, std::string_view unit, std::string_view doc, const Counter& numerator,
               const Counter& denominator);

  /// One statistic as it is met on a walk of the tree.
  struct Entry {
    std::string path;  ///< "core.rob.retired"
    std::string_view unit, doc;
    const Counter* counter;  ///< null for a ratio
    const Ratio* ratio;      ///< null for a counter
  };
  /// All of the group and below, in the order of declaration.
  std::vector<Entry> walk() const;

 private:
  struct Item {
    std::string name, unit, doc;
    const Counter* counter;
    const Ratio* ratio;
    const StatGroup* group;
  };
  void add(Item item);
  void walk(const std::string& prefix, std::vector<Entry>& entries) const;

  std::string name_, doc_;
  StatGroup* parent_ = nullptr;
  std::deque<Counter> counters_;  // deques: references to their elements stay
  std::deque<Ratio> ratios_;
  std::vector<Item> items_;
};

/// "core.rob.retired  1234 instructions  # committed, in program order", a line each.
std::string stats_text(const StatGroup& root);
/// "name,value,unit,description" with a heading line (RFC 4180).
std::string stats_csv(const StatGroup& root);
/// {"core": {"rob": {"retired": 1234}}}
nlohmann::ordered_json stats_json(const StatGroup& root);

}  // namespace psim
