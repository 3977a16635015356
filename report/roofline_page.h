// SPDX-License-Identifier: Apache-2.0
// The page of `psim roofline --report`: log-log diagrams of the roofs and points of a node, by bytes of
// memory and by bytes of messages, and the table of points with their remedies. The diagrams are SVG and need
// no script; a point shows its numbers under the pointer.
#pragma once

#include <string>
#include <vector>

#include "predict/roofline.h"

namespace psim::report {

/// Returns one diagram: the lines of flops and of `limit`, and the points. Points without such bytes stand at
/// the right edge. Empty if the roofline has no lines of `limit`, or no point has a count of such bytes.
std::string roofline_chart(const predict::Roofline& roofline, predict::Limit limit,
                           const std::vector<predict::RooflinePoint>& points);

std::string roofline_page(const predict::Roofline& roofline,
                          const std::vector<predict::RooflinePoint>& points,
                          const std::vector<std::string>& notes);

}  // namespace psim::report
