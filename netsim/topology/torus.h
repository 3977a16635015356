// SPDX-License-Identifier: Apache-2.0
// The kinds of topology.kind that are lattices. Each throws as make_topology() does.
#pragma once

#include <cstdint>
#include <string>

#include "netsim/topology/topology.h"

namespace psim::net {

Network make_torus(const NetworkConfig& config, std::uint32_t nodes, const std::string& routing);
Network make_mesh(const NetworkConfig& config, std::uint32_t nodes, const std::string& routing);

}  // namespace psim::net
