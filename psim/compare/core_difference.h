// SPDX-License-Identifier: Apache-2.0
// Why one run on a core takes longer than another: differences by cause of the cycles, by function and source
// line, by statistic, by energy and by occupancy. Cycles are given as seconds of each run's own clock.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/statistics/registry.h"

namespace psim::compare {

/// Returns a quantity with a prefix that fits it, in four digits: "118 µs" for 0.000118 and "s".
std::string shown_quantity(double value, const char* unit);
inline std::string shown_time(double seconds) { return shown_quantity(seconds, "s"); }

/// A cause, function, line or statistic in two runs.
struct Change {
  std::string name;
  double first = 0, second = 0;  ///< seconds; of statistics the numbers that the results have
  double weight = 0;             ///< seconds, the effect of a statistic
  double seconds() const { return second - first; }
};

/// Seconds by name.
using Values = std::map<std::string, double>;

/// A structure of the core in two runs.
struct Occupancy {
  std::string name, meaning, unit;  ///< "core.commit_stack", "entries of the commit stack in use"
  double first = 0, second = 0;     ///< mean of the entries in use
};

/// Returns the joules that differ, by structure of the core or part of the nodes; empty unless both results
/// have energy.
std::vector<Change> energy_changes(const nlohmann::json& first, const nlohmann::json& second);

/// Returns what differs by more than errors of rounding, the largest difference first. A name that one lacks
/// has 0 there.
std::vector<Change> changes(const Values& first, const Values& second);

struct CoreDifference {
  double seconds = 0;                 ///< of the whole runs, second less first
  std::vector<Change> parts;          ///< of the CPI stack; like all lists, the largest difference first
  std::vector<Change> functions;      ///< own cycles; empty without profiles
  std::vector<Change> lines;          ///< own cycles of "file.c:12"
  std::size_t cause = 0;              ///< in parts: the largest that agrees with the sign of `seconds`
  std::vector<Change> lines_of_part;  ///< cycles of parts[cause] alone
  /// Latencies, cycles and mispredictions, by their effect; at most 12. No effect is larger than the
  /// difference of the runs, and none of a latency or of mispredictions is larger than that of the parts of
  /// the CPI stack which wait for it.
  std::vector<Change> statistics;
  std::vector<Change> energy;        ///< joules; empty without --energy in both
  std::vector<Occupancy> occupancy;  ///< of queues whose mean differs, the largest ratio first
  /// Returns the cause in a sentence: "the run takes 121 us more: L2 118 us more, nearly all in a.c:10".
  std::string sentence() const;
};

/// Returns nothing unless both are results of `psim run` or `psim replay` with a CPI stack. `described`: the
/// statistics that a core has.
std::optional<CoreDifference> core_difference(const nlohmann::json& first, const nlohmann::json& second,
                                              const std::vector<statistics::Reading>& described);

}  // namespace psim::compare
