// SPDX-License-Identifier: Apache-2.0
// The time of one rank on a cycle-level node, by region: computing, software of MPI calls, and waiting in MPI
// calls. The first thread of a rank, on its first core, decides in which region the rank is; the work of the
// other cores of the rank counts there.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "cosim/marks.h"
#include "cosim/rank_stretches.h"
#include "isa/state/region_marker.h"
#include "netsim/parallel/parcel.h"
#include "pipeline/cpi_account.h"

namespace psim::cosim {

/// The part of a rank's run that belongs to one region, or to none.
struct RankUse {
  RankCounts counts;
  std::uint64_t overhead = 0, wait = 0;  ///< cycles in MPI calls: the core executes, or sleeps
  std::uint64_t compute() const { return counts.cycles - overhead - wait; }
  RankUse& operator+=(const RankUse& other);
};

/// The steps of a part of a program: its MPI calls, and the begins of regions inside of it. Each has the
/// cycles without waits, and the instructions, that have passed when it begins, summed over the executions of
/// the part.
struct Steps {
  static constexpr std::size_t kMost = 1'000;
  struct Place {
    std::uint64_t cycles = 0, instructions = 0;
  };
  std::vector<Place> places;
  bool alike = true;  ///< each execution has the same number of them, at most kMost; else there are none

  /// Adds an execution, which is the first one or not.
  void add(const std::vector<Place>& execution, bool first);
};

/// A region of a rank.
struct RankRegion {
  std::string name;
  std::uint64_t count = 0;  ///< executions that have ended
  std::uint32_t arguments = 0;
  std::array<std::int64_t, isa::region_marker::kMostArguments> least{}, most{};
  RankUse own{};           ///< without inner regions
  RankCounts inclusive{};  ///< with inner regions
  std::uint64_t inclusive_wait = 0;
  Steps steps{};
};

/// A rank's run until its first core has ended: the regions and the rest sum to it.
struct RankTime {
  std::vector<RankRegion> regions;  ///< in the order of their first begin
  RankUse outside;
  Steps outside_steps;             ///< in no region
  std::vector<std::string> notes;  ///< marks that do not fit, for the user
  bool left = false;               ///< the program ended after MPI_Init and without MPI_Finalize

  RankUse total() const;
  void write(net::Parcel& parcel) const;
  static RankTime read(net::Parcel& parcel);
};

/// Receives the marks of all cores of a rank.
class RankAccount final : public MarkListener {
 public:
  static constexpr std::size_t kMostRegions = 1'000, kMostOpen = 1'000, kMostNotes = 20;

  /// `sample` returns the counts of the rank from its start to now.
  explicit RankAccount(std::function<RankCounts()> sample) : sample_(std::move(sample)) {}
  void on_mark(const isa::RegionMarker& mark, const pipeline::Totals& totals) override;
  /// Returns true between MPI_Init and MPI_Finalize, outside of calls.
  bool between_calls() const { return initialized_ && !call_.any(); }
  /// Call once, after the simulation.
  RankTime finish();

 private:
  struct Open {
    std::size_t region;
    std::string name;
    RankCounts start;
    std::uint64_t waited;             ///< waited_ then
    std::vector<Steps::Place> steps;  ///< its steps, from the begin
  };
  /// Adds the counts since the last call to the present region.
  void charge();
  void add_step();
  void begin(const isa::RegionMarker& mark);
  void end(const std::string& name);
  std::size_t region_of(const std::string& name);
  void note(std::string text);

  const std::function<RankCounts()> sample_;
  RankTime time_;
  std::unordered_map<std::string, std::size_t> rows_;  ///< of time_.regions
  std::vector<Open> open_;                             ///< the innermost last
  std::vector<Steps::Place> outside_steps_;            ///< of the program, in no region
  OpenCall call_;
  bool initialized_ = false;
  RankCounts charged_;
  std::uint64_t waited_ = 0;       ///< cycles of waits in MPI calls, of charged_
  std::uint64_t not_opened_ = 0;   ///< begins beyond kMostOpen
  std::uint64_t other_marks_ = 0;  ///< of other threads
};

}  // namespace psim::cosim
