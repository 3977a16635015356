// SPDX-License-Identifier: Apache-2.0
// HyperX and hypercubes, with their routings: hyperx_graph.h.
#pragma once

#include <cstdint>
#include <string>

#include "netsim/topology/topology.h"

namespace psim::net {

/// Both throw as make_topology() does.
Network make_hyperx(const NetworkConfig& config, std::uint32_t nodes, const std::string& routing);
Network make_hypercube(const NetworkConfig& config, std::uint32_t nodes, const std::string& routing);

}  // namespace psim::net
