// SPDX-License-Identifier: Apache-2.0
// Finds programs whose units begin before the core is in its steady state.
//
// A unit begins with an empty core and a warm-up. Some loops need several thousand instructions more until
// the reorder buffer and the store queue are as full as in the whole run, and their units cost too little. So
// the windows of some units go on, and a late unit at their end is compared with the unit, if both lie in one
// loop. That costs time, so there is none in the first kFrom instructions:
//   - A look is a late unit kLook instructions after its unit. There is one for each kUnitsPerLook units, and
//     two in advance, and they are spread over the loops in which most units lie.
//   - If it differs by kFarLook standard deviations of such pairs, and by kLeast of the cost, units that
//     follow in the same loop have late units kTest instructions later, up to kPairs. The test ends early if
//     fewer than one in kOneIn is far. All tests have kMostTests windows.
// The pairs of a test, which do not include the one that gave rise to it, decide: kFewestFar of them are far,
// by kFar standard deviations, and hardly one in the other direction; the mean differs by kFarMean standard
// errors as units have them. The loop may have the cost of the far ones in the whole run: others have not
// come to the steady state yet, or their units are in it already. The loops count if the program would cost
// kLeastOfAll more or less.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace psim::predict {

class LateUnits {
 public:
  static constexpr std::uint64_t kFrom = 200'000, kLook = 12'000, kTest = 16'000, kUnitsPerLook = 48,
                                 kMostTests = 24;
  static constexpr std::size_t kPairs = 12, kFewPairs = 3, kFewestFar = 2, kOneIn = 4;
  static constexpr double kFarLook = 2.25, kFar = 2, kLeast = 0.03, kFarMean = 2.5, kLeastOfAll = 0.02;

  /// Adds a unit: the loop in which it lies, by address, or 0.
  void add_unit(std::uint64_t loop);
  /// Returns the instructions from the end of the next unit to that of its late unit; 0: it has none. The
  /// unit lies after `instructions` of the program.
  std::uint64_t next(std::uint64_t instructions);
  /// Adds the late unit of the last unit, which lies in the same loop: its cost less that of its unit.
  /// `deviation`: the standard deviation of the costs of units. Both are relative to the cost of the program.
  void add(double difference, double deviation);
  /// Returns the late units that were added.
  std::uint64_t pairs() const { return pairs_; }
  /// Returns the loops whose late units show a difference that chance does not explain, and the difference,
  /// relative to the cost of the program.
  std::map<std::uint64_t, double> differences() const;

 private:
  struct Pair {
    double difference, deviation;
    bool far(double least) const;
  };
  struct Loop {
    std::uint64_t units = 0, next_look = 3;
    bool tests = false;
    std::vector<Pair> test;
  };
  static double difference_of(const std::vector<Pair>& test);

  std::map<std::uint64_t, Loop> loops_;
  Loop* last_ = nullptr;  // of the last unit
  std::uint64_t units_ = 0, looks_ = 0, tests_ = 0, pairs_ = 0;
  bool test_next_ = false;  // the next pair belongs to a test
};

}  // namespace psim::predict
