// SPDX-License-Identifier: Apache-2.0
// Extended generalised fat trees with their routings: fat_tree_graph.h.
#pragma once

#include <cstdint>
#include <string>

#include "netsim/topology/topology.h"

namespace psim::net {

/// Throws as make_topology() does.
Network make_fat_tree(const NetworkConfig& config, std::uint32_t nodes, const std::string& routing);

}  // namespace psim::net
