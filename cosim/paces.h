// SPDX-License-Identifier: Apache-2.0
// The pace of functional nodes (pipeline/functional_core.h): a fixed one, or that of the nodes on cycle-level
// cores at the same place of the program. A place is the innermost region, in MPI calls or not.
//
// The clocks of cores differ by up to a notice, in an order that depends on the host's slices of the run. So
// that results do not, a node uses what the others had measured a notice before its own time.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cosim/marks.h"

namespace psim::cosim {

/// A place of a program whose pace is measured.
using PacedPlace = std::pair<std::string, bool>;  // region; empty: none. In an MPI call

/// Sums of one place on one node over time.
class PaceHistory {
 public:
  struct Sums {
    std::uint64_t cycles = 0, instructions = 0;  ///< awake, and executed in them
  };
  /// Adds at `now`, which never decreases. Times before `from` are not needed again.
  void add(std::uint64_t now, const Sums& more, std::uint64_t from);
  /// Returns the sums up to `time`.
  Sums until(std::uint64_t time) const;

 private:
  struct Entry {
    std::uint64_t time;
    Sums sums;
  };
  std::deque<Entry> entries_;  ///< in the order of time
};

class Paces;

/// Measures the pace of a node by its marks.
class PaceMeter final : public MarkListener {
 public:
  /// `asleep`: returns the cycles that the core has slept.
  PaceMeter(Paces& paces, std::function<std::uint64_t()> asleep);
  void on_mark(const isa::RegionMarker& mark, const pipeline::Totals& totals) override;
  /// Returns the sums of a place, or of all, up to `time`.
  PaceHistory::Sums until(const PacedPlace* place, std::uint64_t time) const;

 private:
  const std::uint64_t notice_;
  const std::function<std::uint64_t()> asleep_;
  MarkedPlace place_;
  PaceHistory::Sums charged_;
  PaceHistory all_;
  std::map<PacedPlace, PaceHistory> places_;
};

class Paces {
 public:
  /// Instructions from which on a measured pace counts.
  static constexpr std::uint64_t kEnough = 1'000;

  /// `cpi`: fixed cycles per instruction; 0: measured. `notice`: cycles.
  Paces(double cpi, std::uint64_t notice) : cpi_(cpi), notice_(notice) {}
  bool measured() const { return cpi_ == 0; }
  /// Returns the pace at the start, times FunctionalCore::kCycle: the fixed one, or a cycle per instruction.
  std::uint64_t first() const;
  /// Returns the pace at a place in cycle `now`: measured there, or else in the whole program.
  std::uint64_t at(const PacedPlace& place, std::uint64_t now) const;

 private:
  friend PaceMeter;
  const double cpi_;
  const std::uint64_t notice_;
  std::vector<const PaceMeter*> meters_;
};

/// Sets the pace of a node after each of its marks.
class PaceFollower final : public MarkListener {
 public:
  PaceFollower(const Paces& paces, std::uint64_t& pace) : paces_(paces), pace_(pace) {}
  void on_mark(const isa::RegionMarker& mark, const pipeline::Totals& totals) override;

 private:
  const Paces& paces_;
  std::uint64_t& pace_;
  MarkedPlace place_;
};

}  // namespace psim::cosim
