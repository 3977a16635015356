// SPDX-License-Identifier: Apache-2.0
// Express meshes with their routings: express_mesh_graph.h. Throws as make_topology() does.
#pragma once

#include <cstdint>
#include <string>

#include "netsim/topology/topology.h"

namespace psim::net {

Network make_express_mesh(const NetworkConfig& config, std::uint32_t nodes, const std::string& routing);

}  // namespace psim::net
