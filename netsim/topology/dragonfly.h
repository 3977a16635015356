// SPDX-License-Identifier: Apache-2.0
// Dragonflies and full connection at two levels, with their routings: dragonfly_graph.h.
#pragma once

#include <cstdint>
#include <string>

#include "netsim/topology/topology.h"

namespace psim::net {

/// Both throw as make_topology() does.
Network make_dragonfly(const NetworkConfig& config, std::uint32_t nodes, const std::string& routing);
Network make_full(const NetworkConfig& config, std::uint32_t nodes, const std::string& routing);

}  // namespace psim::net
