// SPDX-License-Identifier: Apache-2.0
// The points of a roofline from a result of psim run, psim replay, psim net or psim cosim.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "predict/roofline.h"

namespace psim::predict {

struct PointsOfResult {
  std::vector<RooflinePoint> points;  ///< the whole run first
  std::vector<std::string> notes;     ///< regions without a point, and why
};

inline constexpr const char* kWholeRun = "(whole run)";

/// Returns the points of a result: of psim run the run and its regions, of psim net and psim cosim the same
/// for each class of ranks. A point of a rank is that of its node: its work times the ranks of the node.
/// Throws UserError if the result has no counts, without the name of the file.
PointsOfResult points_of(const nlohmann::json& result, const std::string& file);
/// Returns the work of the whole run and of its regions, by class of ranks, also that without operations.
/// Throws UserError as points_of() does.
std::vector<NodeWork> work_of(const nlohmann::json& result);

}  // namespace psim::predict
