// SPDX-License-Identifier: Apache-2.0
// The page of `psim roofline`: log-log diagrams of the roofs and points of a node, by bytes of memory and by
// bytes of messages, and the table of points with their remedies.
#pragma once

#include "report/page.h"

namespace psim::report {

PageBody roofline_page(const nlohmann::ordered_json& result);

}  // namespace psim::report
