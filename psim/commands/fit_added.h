// SPDX-License-Identifier: Apache-2.0
// Points that `psim fit` adds to those of the user, because a prediction lies beyond a cache that too few
// points have outgrown.
//
// The data of the program are known as an expression of its argument (lines that it brings into L2, at the
// points that fit). If those of the farthest prediction outgrow a cache, a piece of the model
// (predict/pieces.h) needs points whose data do so as well: from 1.4 to 4 times the cache. If the waits of
// the last points have risen for another reason, it needs more points there. They keep half of the distance
// to the prediction, unless the cache is near it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "psim/commands/fit_plan.h"
#include "psim/commands/fit_points.h"

namespace psim::commands {

struct AddedPoints {
  std::vector<std::int64_t>
      values;                ///< of the axis, ascending; empty: no point is needed, or none can be chosen
  std::vector<bool> sample;  ///< whether the point is long enough to be sampled
  std::string reason;        ///< why points are needed: "region a(512): …"; empty: none
  double instructions = 0;   ///< of all points that are needed, as estimated
  double spent = 0;          ///< of the values
  std::size_t needed = 0;    ///< their number: more than values if the limits do not allow all
};

/// Chooses the points for the predictions of a program that has one axis, which is an argument of its
/// regions.
AddedPoints points_to_add(const FitProgram& program, const MeasuredProgram& measured,
                          const FitMachine& machine, const AddedLimits& limits);

/// Adds the points to the grid of the program.
void extend_grid(FitProgram& program, const AddedPoints& added);

}  // namespace psim::commands
