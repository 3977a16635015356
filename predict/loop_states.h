// SPDX-License-Identifier: Apache-2.0
// Finds loops with several steady states from the units of a sample.
//
// The rate of some loops depends on how the core entered them, and stays so until they end. A unit enters its
// loop with an empty core, in the midst of the loop, and may get another state than the whole run. Units of
// one loop then have costs in separate groups, although their caches do the same.
//
// The costs of a loop's units are sorted and divided at their largest gap. They are two states if
//   - each group has kFewestUnits and kLeastShare of the units,
//   - the groups are separate: sqrt(2) × distance of the means over sqrt(sum of the variances) is at least
//     kSeparation (D of Ashman, Bird and Zepf, Astronomical Journal 108, 1994, who separate two groups from
//     D = 2 on; the halves of a uniform distribution have D = 3.5), and the gap is half of that distance,
//   - the means differ by kLeastDifference of the cost, and
//   - the standard deviation of the waits that do not count, for L2, memory and the like, is no more than a
//     quarter of that distance: a loop whose data come from different caches has phases, which a sample
//     covers,
//   - units of both groups alternate in the order of the program as often as chance would have it: units in
//     one group after all of the other one are of different phases. The runs test (Wald, Wolfowitz, Annals
//     of Mathematical Statistics 11, 1940) refuses groups with fewer runs than in one of 700 random orders.
// Each group is divided further in the same way.
//
// Entries, which the core runs as in a whole run, show the states that the program has: each counts for the
// state with the nearest cost. An entry that differs from all units by kLeastDifference shows a state that no
// unit has, if the units are of one state that hardly varies (kSteady), if kAlone of them lie in long runs of
// the loop alone, and if neither they nor the entry wait for more than kFewWaits of their cost. Else the
// units see the loop's entries themselves, or differ from the entry by their data.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

namespace psim::predict {

struct LoopState {
  double cost = 0;    ///< mean of its units, per instruction, with all waits
  double spread = 0;  ///< standard deviation of its units
  double weight = 0;  ///< instructions for which its units stand
  std::size_t units = 0;
  std::size_t entries = 0;  ///< entries of the loop that led to it
  double inside = 0;        ///< mean cost without waits
};

/// A loop with several states.
struct UnsteadyLoop {
  static constexpr double kFurther = 0.015;
  std::uint64_t head = 0;         ///< address
  std::vector<LoopState> states;  ///< by ascending cost
  double weight() const;
  double cost() const;  ///< of all its units, per instruction
  /// Returns the cost per instruction in the states to which entries led; cost() without entries.
  double entered_cost() const;
  /// Returns the cost per instruction that entered_cost() has in excess of the first state, or less than the
  /// last: the error if the program stays in that state. A unit need not have whole iterations, so the spread
  /// of the state counts, too.
  /// Where there are two states there may be a further one that no unit has, so the least distance of two
  /// states counts, too, up to kFurther of the cost.
  double excess() const;
  double lack() const;

 private:
  double further() const;
};

class LoopStates {
 public:
  static constexpr std::size_t kFewestUnits = 5;
  static constexpr double kLeastShare = 0.03, kSeparation = 4, kLeastDifference = 0.01, kFewestRuns = -3;
  static constexpr double kAlone = 0.9, kSteady = 0.005, kFewWaits = 0.01;

  /// Adds a unit of the loop at `head`, which stands for `weight` instructions: its cost per instruction
  /// inside the core, and its other waits. `alone`: neither the unit nor its warm-up has other code.
  void add(std::uint64_t head, double weight, double inside, double waits, bool alone = false) {
    std::vector<Unit>& units = loops_[head];
    units.push_back({inside, waits, weight, units.size(), alone});
  }
  /// Adds an entry of the loop, as in a run without samples: its cost inside the core when it is
  /// steady, and its other waits.
  void enter(std::uint64_t head, double inside, double waits = 0) {
    entries_[head].push_back({inside, waits});
  }
  /// Returns the loops with several states, those with most instructions first.
  std::vector<UnsteadyLoop> unsteady() const;

 private:
  struct Unit {
    double inside, waits, weight;
    std::size_t number;  // in the order of the program
    bool alone;
  };
  std::map<std::uint64_t, std::vector<Unit>> loops_;
  struct Entry {
    double inside, waits;
  };
  std::map<std::uint64_t, std::vector<Entry>> entries_;
};

}  // namespace psim::predict
