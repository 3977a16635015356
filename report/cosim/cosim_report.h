// SPDX-License-Identifier: Apache-2.0
// The page of a run on cycle-level nodes, `psim cosim`.
#pragma once

#include <string>
#include <vector>

#include "base/statistics/registry.h"
#include "report/page.h"

namespace psim::report {

/// Returns the body of the page. `described` has the units and meanings of statistics. The key `page` of the
/// result holds `messages`, the message_page() of those that --message chooses.
PageBody cosim_page(const nlohmann::ordered_json& result, const std::vector<statistics::Reading>& described);

/// Returns the energy of nodes and links by part, over time, and by node, rank, region, call and load. Empty
/// without the key `energy`.
std::string machine_energy_section(const nlohmann::ordered_json& result);

}  // namespace psim::report
