// SPDX-License-Identifier: Apache-2.0
// One switch that connects all nodes. Throws as make_topology() does.
#pragma once

#include <cstdint>
#include <string>

#include "netsim/topology/topology.h"

namespace psim::net {

Network make_crossbar(const NetworkConfig& config, std::uint32_t nodes, const std::string& routing);

}  // namespace psim::net
