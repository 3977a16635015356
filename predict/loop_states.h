// SPDX-License-Identifier: Apache-2.0
// Finds loops with several steady states from the units of a sample.
//
// The rate of some loops depends on how the core entered them, and stays so until they end. A unit enters its
// loop with an empty core, in the midst of the loop, and may get another state than the whole run. Units of
// one loop then have costs in separate groups, although their caches do the same.
//
// The costs of a loop's units are sorted and divided at their largest gap. They are two states if
//   - each group has kFewestUnits, and stands for kLeastShare of the instructions,
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
// Other loops have more states than units can be divided into. They have states, too, if
//   - each count of the work of their units (kWorkCounts) has a standard deviation of at most kSameWork per
//     instruction, and of mispredicted branches and misses of at most kSameEvents, so that the cost does not
//     depend on the data, and
//   - the costs with all waits differ by kLeastDifference, and by kOfUnits of their variance between units:
//     the halves of a unit are in one state, but differences within units are the same in each state, and
//   - the costs of kFewestUnits on each side differ so, and cheap and expensive units alternate as above.
// Their states are those of the least and of the most expensive unit, and the others as one. Loops with loops
// inside (`nest`) can have such states only.
//
// Entries, which the core runs as in a whole run, show the states that the program has: each counts for the
// state with the nearest cost. An entry that differs from all units by kLeastDifference shows a state that no
// unit has, if the units are of one state that hardly varies (kSteady), if kAlone of them lie in long runs of
// the loop alone, and if neither they nor the entry wait for more than kFewWaits of their cost. Else the
// units see the loop's entries themselves, or differ from the entry by their data. Entries with
// kMoreMisses times the misses of the units, as in a first pass over an array, count for no state.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace psim::predict {

struct LoopId {
  std::uint64_t head = 0;  ///< address
  bool nest = false;       ///< with the loops inside
  auto operator<=>(const LoopId&) const = default;
};

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
  LoopId id;
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
  static constexpr double kLeastShare = 0.05, kSeparation = 4, kLeastDifference = 0.01, kFewestRuns = -3;
  static constexpr double kAlone = 0.9, kSteady = 0.005, kFewWaits = 0.01;
  static constexpr std::size_t kWorkCounts = 7, kEventCounts = 3, kFewestOfSameWork = 10;
  static constexpr double kSameWork = 0.002, kSameEvents = 0.001, kOfUnits = 0.3, kMoreMisses = 2,
                          kFewMisses = 0.0004;

  /// Counts of a unit per instruction, and the costs per instruction of its halves.
  struct Work {
    std::array<double, kWorkCounts> counts{};
    std::array<double, kEventCounts> events{};
    double first_half = 0, second_half = 0;
  };
  /// Adds a unit of the loop `id`, which stands for `weight` instructions: its cost per instruction
  /// inside the core, its other waits, and its misses of the first data cache. `alone`: neither the unit nor
  /// its warm-up has other code.
  void add(LoopId id, double weight, double inside, double waits, bool alone = false, double misses = 0);
  /// Adds the work of that unit, and its cost with all waits.
  void add_work(LoopId id, double cost, const Work& work);
  /// Adds an entry of the loop, as in a run without samples: its cost inside the core when it is
  /// steady, its other waits, and its misses.
  void enter(LoopId id, double inside, double waits = 0, double misses = 0) {
    entries_[id].push_back({inside, waits, misses});
  }
  /// Returns the loops with several states, those with most instructions first.
  std::vector<UnsteadyLoop> unsteady() const;

 private:
  struct Unit {
    double inside, waits, weight, misses;
    std::size_t number;  // in the order of the program
    bool alone;
    double cost() const { return inside + waits; }
  };
  struct Spread {
    double count = 0, sum = 0, squares = 0;
    void add(double value) { ++count, sum += value, squares += value * value; }
    double mean() const { return sum / count; }
    double variance() const;
  };
  /// Of the work of a loop's units.
  struct SameWork {
    std::array<Spread, kWorkCounts> counts;
    std::array<Spread, kEventCounts> events;
    Spread cost, halves;  // `halves`: differences of the costs of a unit's halves
    bool differs_in_cost_only() const;
  };
  struct Entry {
    double inside, waits, misses;
  };
  static bool differ_by_chance(const std::vector<Unit>& sorted);
  static std::vector<LoopState> ends(const std::vector<Unit>& sorted);
  static double most_misses_of(const std::vector<Unit>& units);

  std::map<LoopId, std::vector<Unit>> loops_;
  std::map<LoopId, SameWork> work_;
  std::map<LoopId, std::vector<Entry>> entries_;
};

}  // namespace psim::predict
