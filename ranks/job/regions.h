// SPDX-License-Identifier: Apache-2.0
// The regions that a job's ranks mark (PSIM_REGION_BEGIN and END, workloads/include/psim.h), and the division
// of each rank's time between them. A region's own time excludes its inner regions, so all regions and the
// time outside of regions sum to the rank's time.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "netsim/message/host.h"
#include "netsim/parallel/host_processes.h"
#include "ranks/job/ending.h"

namespace psim::net {

/// The models of the computing time of regions.
class RegionModels {
 public:
  virtual ~RegionModels() = default;
  struct Value {
    double seconds = 0;         ///< ≥ 0
    bool extrapolated = false;  ///< an argument is outside of the model's range
  };
  /// Returns the time of one execution with these arguments; nothing for a region without a model. Throws
  /// UserError for a wrong number of arguments, and for a value that is negative or not finite.
  virtual std::optional<Value> time(std::string_view region,
                                    std::span<const std::int64_t> arguments) const = 0;
  /// Returns the factors of the time on ranks 0, 1, …, and from the first again; empty: all are 1. They
  /// outlive the run.
  virtual std::span<const double> of_ranks(std::string_view) const { return {}; }
  /// Returns the shares of the time that have passed when the first, second, … step of an execution
  /// begins, in ascending order, for ranks 0, 1, …, and from the first again; empty: all passes at its end.
  /// They outlive the run.
  virtual std::span<const std::vector<double>> at_steps(std::string_view) const { return {}; }
  /// Throws UserError if the region has no model.
  virtual void require(std::string_view region) const = 0;
};

/// Returns the time of a model, ps, on one rank; `factors`: RegionModels::of_ranks().
inline std::uint64_t time_of_rank(std::uint64_t ps, std::span<const double> factors, std::uint32_t rank) {
  if (factors.empty()) return ps;
  return static_cast<std::uint64_t>(factors[rank % factors.size()] * static_cast<double>(ps) + 0.5);
}

/// Returns the shares of one rank; `shares`: RegionModels::at_steps().
inline std::span<const double> shares_of_rank(std::span<const std::vector<double>> shares,
                                              std::uint32_t rank) {
  return shares.empty() ? std::span<const double>() : shares[rank % shares.size()];
}

/// Sums over executions of a region on one rank, or on all.
struct RegionTime {
  std::uint64_t count = 0;         ///< executions that have ended
  std::uint64_t modelled = 0;      ///< of which a model gave the time
  std::uint64_t extrapolated = 0;  ///< of which an argument was outside of the model's range
  std::uint64_t exceeded = 0;      ///< of which computing inside took longer than the model's time
  std::uint64_t inclusive = 0;     ///< ps, with inner regions
  RankWork work;                   ///< with inner regions
  // The region's own time in ps, without inner regions. `elapsed` is the sum of the parts and of OS jitter.
  std::uint64_t elapsed = 0, compute = 0, overhead = 0, transfer = 0, wait = 0;

  void add(const RegionTime& other);
};

class Regions {
 public:
  /// `ranks`: of the job, in all host processes; `start`: of the job, ps.
  Regions(std::uint32_t ranks, std::uint64_t start) : start_(start), marks_(ranks) {}

  /// Sets the models; null: none. `factors` multiply the times of single regions.
  void use(const RegionModels* models, const std::map<std::string, double, std::less<>>& factors);

  /// Returns the place of a mark for messages: "app.c:12" or "in main (app.f90:12)".
  using Place = std::function<std::string(const RegionMark&)>;

  /// A mistake of the program: "app.c:12: region zgemm: …".
  struct Error {
    std::string text;
  };
  // A rank's marks. `now` is its time in ps, `time` the parts of it. They throw Error.

  /// `required`: a region without a model is a mistake.
  void begin(std::uint32_t rank, const RegionMark& mark, std::uint64_t now, const RankTime& time,
             const Place& place, bool required = false);
  /// Checks the mark of an end, and returns the time of the region's model that no computing inside has
  /// taken.
  std::uint64_t remaining(std::uint32_t rank, const RegionMark& mark, const RankTime& time,
                          const Place& place);
  /// Returns the time that passes before a step: the share of the innermost region's model that no
  /// computing inside has taken.
  std::uint64_t before_step(std::uint32_t rank, const RankTime& time);
  /// Ends the innermost region.
  void end(std::uint32_t rank, std::uint64_t now, const RankTime& time);
  /// Ends all regions of a rank that has ended, and throws Error if there are any.
  void finish(std::uint32_t rank, const RankTime& time, const Place& place);

  /// Returns true once a rank of this process has marked a region.
  bool any() const { return any_; }
  /// Returns the factor of the innermost of the rank's regions that has one, or `otherwise`.
  double factor(std::uint32_t rank, double otherwise) const;
  /// Returns the number of the rank's innermost region plus 1; 0: it is outside of all.
  std::uint32_t innermost(std::uint32_t rank) const;
  /// Returns the name of a region by its number plus 1.
  const std::string& name(std::uint32_t region) const { return regions_[region - 1].row.name; }
  /// Returns whether the rank is in this region, or in one inside of it.
  bool is_inside(std::uint32_t rank, std::string_view region) const;
  /// Takes time off the computing of the rank's open regions, which their models shall not replace.
  void save(std::uint32_t rank, std::uint64_t time);
  enum class Coverage : std::uint8_t { Outside, Modelled, Unmodelled };
  Coverage coverage(std::uint32_t rank) const;
  /// Counts a mark of a thread other than the rank's first, which has no effect.
  void ignore() { ++ignored_; }

  // Results, after gather().

  struct Row {
    std::string name;
    std::uint32_t arguments = 0;                  ///< the most of any execution
    std::array<std::int64_t, 4> least{}, most{};  ///< of each argument
    std::vector<RegionTime> times;                ///< by rank
    RegionTime sum() const;
  };
  /// Combines the regions of all processes on process 0; `here` are the ranks of each.
  void gather(HostProcesses& processes, std::span<const std::uint32_t> here);
  /// Returns the regions by name.
  std::vector<const Row*> rows() const;
  /// Returns the time of a rank outside of its regions.
  RegionTime outside(std::uint32_t rank, const RankTime& time) const;
  std::uint64_t ignored() const { return ignored_; }
  bool has(std::string_view region) const { return numbers_.contains(region); }

 private:
  struct Open {
    std::uint32_t region = 0;
    RegionMark mark;  ///< its name and arguments are not valid any more
    std::array<std::int64_t, 4> arguments{};
    std::uint32_t count = 0;    ///< of arguments
    std::uint64_t begun = 0;    ///< ps
    std::uint64_t compute = 0;  ///< RankTime::compute then
    std::uint64_t saved = 0;    ///< by save(), ps
    std::uint32_t steps = 0;    ///< in no inner region
    RankWork work = {};         ///< RankTime::work then
    bool modelled = false, extrapolated = false, exceeded = false;
  };
  /// A rank's open regions, and its time at its last mark.
  struct Marks {
    std::vector<Open> open;
    std::uint64_t now = 0;
    RankTime time;
  };
  struct Charge {
    std::uint64_t ps = 0;
    bool modelled = false, extrapolated = false;
  };
  std::uint32_t number(std::string_view name);
  Marks& marks(std::uint32_t rank);
  void settle(std::uint32_t rank, Marks& marks, std::uint64_t now, const RankTime& time);
  Open& innermost(std::uint32_t rank, const RegionMark& mark, const Place& place);
  const Charge& charge(std::uint32_t region, std::span<const std::int64_t> arguments);
  /// Returns a share of the model's time, less what computing inside has taken; 0: less than that.
  std::uint64_t left_of(std::uint32_t rank, Open& open, const RankTime& time, double share);

  struct Region {
    Row row;
    double factor = 0;                                      ///< 0: none of its own
    std::span<const double> of_ranks;                       ///< of the model
    std::span<const std::vector<double>> at_steps;          ///< of the model
    std::map<std::array<std::int64_t, 5>, Charge> charges;  ///< by number of arguments and arguments
  };
  std::uint64_t start_ = 0;
  bool any_ = false;
  const RegionModels* models_ = nullptr;
  std::map<std::string, double, std::less<>> factors_;
  std::map<std::string, std::uint32_t, std::less<>> numbers_;
  std::vector<Region> regions_;
  std::vector<std::unique_ptr<Marks>> marks_;  ///< by rank
  std::uint64_t ignored_ = 0;
};

}  // namespace psim::net
