// SPDX-License-Identifier: Apache-2.0
// The measurements of `psim fit`: the regions in the results of a program's points on one machine.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "predict/fit.h"
#include "predict/regime.h"
#include "psim/commands/fit_plan.h"
#include "psim/points.h"

namespace psim::commands {

/// The measurements of a region.
struct RegionPoints {
  std::vector<std::vector<std::int64_t>> arguments;
  std::vector<double> cycles, joules;                     ///< of one execution
  std::vector<double> cycles_error, joules_error;         ///< relative standard errors; 0: exact
  std::vector<double> l2_share, memory_share;             ///< of the cycles: waits for L2 and for memory
  std::vector<double> data_bytes;                         ///< lines that the program brought into L2
  std::vector<bool> fits_in_l2;                           ///< so these bytes are those of the data
  std::vector<double> instructions;                       ///< of the whole program
  std::vector<bool> added;                                ///< by psim, for a prediction
  std::vector<double> miss_rate;                          ///< misses of the first data cache per cycle
  std::vector<int> exit_status;                           ///< of the program at each point
  std::map<std::string, std::vector<std::string>> swept;  ///< by name of an axis: its value at each point

  /// Returns names for the arguments: that of the axis with the same values, or n, m, k, l.
  std::vector<std::string> parameter_names() const;
  /// `errors`: relative standard errors of the costs; empty: exact.
  std::vector<predict::Measurement> measurements(const std::vector<double>& costs,
                                                 const std::vector<double>& errors = {}) const;
  std::vector<predict::RegimePoint> regime_points() const;
  /// Returns the data of the program as an expression of the arguments, from the points that fit in L2; empty
  /// if no sum describes them.
  std::string data_expression() const;
};

/// The points of a program on a machine, and their common properties.
struct MeasuredProgram {
  std::map<std::string, RegionPoints> regions;
  std::vector<std::string> order;  ///< names, in the order of the first point
  std::string machine, machine_sha256, program, program_sha256;
  double clock_hz = 0;
  bool fits_in_l2 = true;  ///< the data of all points

  /// Returns the regions to fit. Throws UserError for one that no point executes.
  std::vector<std::string> chosen(const FitProgram& program) const;
};

/// Returns the commands of the points.
std::vector<Point> points_of(const FitProgram& program, const FitMachine& machine, const FitPlan& plan,
                             const std::string& folder);
/// Reads the results of points that have run. Throws UserError for a failed one, and for traces without the
/// regions or arguments that a fit needs.
MeasuredProgram measure(const FitProgram& program, const FitMachine& machine,
                        const std::vector<Point>& points, bool energy);

}  // namespace psim::commands
